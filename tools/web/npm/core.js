// SPDX-License-Identifier: MIT
// core.js - Acre for scripts: its module, and what trees and cullers share.
//
// Each Acre is one WebAssembly module with a memory of its own; there is no other state. acre.js and
// inline.js load it. The types and what each call promises are in acre.d.ts. Typed arrays that a call returns, and those of
// accessors, are views into that memory: valid until the next call.

const CODES = ['OK', 'INVALID_ARGUMENT', 'OUT_OF_MEMORY', 'CAPACITY', 'STALE_HANDLE', 'EXISTS', 'NOT_FOUND', 'BUSY',
    'IO', 'FORMAT', 'NOT_COMMITTED', 'DIFFERS'];
export const OK = 0;
const INVALID_ARGUMENT = 1, OUT_OF_MEMORY = 2;
export const CLIPS = {'-1..1': 1, '0..1': 2, '1..0': 3};
const FRUSTUM = 1, BOX = 2, ALL = 3, POINT = 4, SPHERE = 6, CIRCLE = 7, CAPSULE = 8, RAY = 11;
const SORTED = 1, EXACT = 2;
const MAX_PLANES = 16;
const SCRATCH = 1024; // bytes: in 0..511, out 512..1023
// A function with one SIMD instruction, which engines without SIMD refuse.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
    65, 0, 253, 15, 253, 98, 11]);

/** Whether the engine has SIMD. */
export const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

export class AcreError extends Error {
    constructor(call, code, text, report) {
        super(`${call}: ${text}`);
        this.name = 'AcreError';
        this.code = CODES[code] ?? 'UNKNOWN';
        if (report) this.report = report;
    }
}

export const invalid = (call, text) => new AcreError(call, INVALID_ARGUMENT, text);

// How many letters must be put in, left out or replaced (Wagner and Fischer 1974).
function lettersApart(a, b) {
    let row = Array.from({length: b.length + 1}, (_, i) => i);
    for (let i = 0; i < a.length; i++) {
        const next = [i + 1];
        for (let k = 0; k < b.length; k++) {
            next.push(Math.min(next[k] + 1, row[k + 1] + 1, row[k] + (a[i] !== b[k])));
        }
        row = next;
    }
    return row[b.length];
}

/** Throws for an option that is none of the names, and says which one may be meant. */
export function checkNames(call, options, names) {
    for (const name in options) {
        if (names.includes(name)) continue;
        const plain = name.toLowerCase();
        const distance = (known) => lettersApart(plain, known.toLowerCase()) +
            (known.toLowerCase().includes(plain) ? 0 : plain.length);
        const nearest = [...names].sort((a, b) => distance(a) - distance(b))[0];
        throw invalid(call, `there is no option ${name}${nearest ? `; the nearest is ${nearest}` : ''}`);
    }
}

// Numbers as they are, or those of three.js's Box3, Vector3, Vector2 and Matrix4.
export function numbersOf(part) {
    if (part == null || typeof part.length === 'number') return part;
    if (part.elements) return part.elements;
    if (typeof part.x === 'number') return part.z === undefined ? [part.x, part.y] : [part.x, part.y, part.z];
    return part.min && part.max ? [...numbersOf(part.min), ...numbersOf(part.max)] : null;
}

export function checkAcre(call, acre) {
    // A mark, since `import` and `require` each have an Acre of their own.
    if (!acre?.isAcre) throw invalid(call, 'the first argument is what load() gives');
}

/** An Acre from the bytes of a module. */
export async function instantiate(bytes, simd) {
    const none = () => 0;
    const imports = {
        env: {emscripten_notify_memory_growth: none},
        // The module asks for environment variables: there are none.
        wasi_snapshot_preview1: {environ_get: none, environ_sizes_get: (count, size) => {
            new Uint32Array(instance.exports.memory.buffer, count, 1)[0] = 0;
            new Uint32Array(instance.exports.memory.buffer, size, 1)[0] = 0;
            return 0;
        }},
    };
    const {instance} = await WebAssembly.instantiate(bytes, imports);
    instance.exports._initialize();
    instance.exports.npm_keep_refusals();
    return new Acre(instance.exports, simd);
}

export class Acre {
    constructor(calls, simd) {
        this.isAcre = true;
        this.calls = calls;
        this.simd = simd;
        this.scratch = this.resize(0, SCRATCH, 'load');
        this.out = this.scratch + SCRATCH / 2;
    }

    get version() {
        const version = this.calls.npm_version();
        return `${version >> 16}.${version >> 8 & 255}.${version & 255}`;
    }

    get memoryBytes() {
        return this.calls.memory.buffer.byteLength;
    }

    floats(at, count) {
        return new Float32Array(this.calls.memory.buffer, at, count);
    }

    words(at, count) {
        return new Uint32Array(this.calls.memory.buffer, at, count);
    }

    text(at) {
        const bytes = new Uint8Array(this.calls.memory.buffer, at);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    check(result, call, report) {
        if (result !== OK) {
            throw new AcreError(call, result, this.text(this.calls.npm_refusal(result)), report);
        }
    }

    resize(block, bytes, call) {
        if (!(bytes < 2 ** 32)) this.check(OUT_OF_MEMORY, call); // the module would take the low 32 bits
        const room = this.calls.npm_resize(block, bytes) >>> 0;
        if (room === 0 && bytes > 0) this.check(OUT_OF_MEMORY, call);
        return room;
    }

    // Floats at the beginning of the scratch, where calls read boxes, transforms and shapes.
    put(call, count, ...parts) {
        const floats = this.floats(this.scratch, count);
        let at = 0;
        for (const part of parts) {
            if (typeof part === 'number') {
                floats[at++] = part;
            } else {
                const numbers = numbersOf(part);
                if (!numbers || at + numbers.length > count) throw invalid(call, `${count} numbers are needed`);
                floats.set(numbers, at);
                at += numbers.length;
            }
        }
        if (at !== count) throw invalid(call, `${count} numbers are needed, not ${at}`);
        return this.scratch;
    }

    frustum(call, viewProjection, clip) {
        const matrix = numbersOf(viewProjection);
        if (!matrix || matrix.length !== 16) throw invalid(call, 'a matrix has 16 numbers');
        if (!(clip in CLIPS)) throw invalid(call, `a clip is one of ${Object.keys(CLIPS).join(', ')}`);
        new Float64Array(this.calls.memory.buffer, this.out, 16).set(matrix);
        this.check(this.calls.npm_frustum(this.scratch, this.out, CLIPS[clip]), call);
        return this.scratch;
    }
}

// An array in the module's memory that grows.
export class Room {
    constructor(acre) {
        this.acre = acre;
        this.at = 0;
        this.bytes = 0;
    }

    need(bytes, call) {
        if (bytes > this.bytes) {
            const wanted = Math.max(bytes, Math.min(2 * this.bytes, this.bytes + 2 ** 24), 256);
            this.at = this.acre.resize(this.at, wanted, call);
            this.bytes = wanted;
        }
        return this.at;
    }

    free() {
        if (this.at) this.acre.calls.npm_resize(this.at, 0);
        this.at = 0;
        this.bytes = 0;
    }
}

// What stands in the module's memory is copied before that may grow: growth detaches views.
export const kept = (acre, array) => (array.buffer === acre.calls.memory.buffer ? array.slice() : array);

export const isWhole = (number) => number >>> 0 === number;

// What scripts call a function of the module, where that is not its own name in another case.
const SPOKEN = {contains: 'has', get_box: 'box', get_layers: 'layers', set_local: 'setTransform',
    world_bounds: 'worldBox', gather: 'gatherMatrices', entity: 'entityAt'};
export const spoken = (name) => SPOKEN[name] ?? name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const TREE_OPTIONS = ['center', 'halfSize', 'maxDepth', 'nodeCapacity'];
const EYE = 128; // bytes behind out: where a query with a horizon finds the eye
const QUERY_OPTIONS = ['layers', 'exact', 'sorted'], NEAR_OPTIONS = ['layers', 'maxDistance'];

// What trees and cullers share: an object of the module, its queries, and where they write.
export class Searched {
    constructor(acre, kind, def, capacityName) {
        checkNames(kind, def, [...TREE_OPTIONS, capacityName]);
        const {halfSize = 0, maxDepth = 0, nodeCapacity = 0, [capacityName]: capacity = 0} = def;
        const center = numbersOf(def.center ?? [0, 0]);
        if (center?.length !== 2) throw invalid(kind, 'the center has 2 numbers');
        checkAcre(kind, acre);
        this.acre = acre;
        this.kind = kind;
        this.ids = new Room(acre);
        this.rows = new Room(acre);
        const made = acre.calls[`npm_${kind}_create`](center[0], center[1], halfSize, maxDepth, nodeCapacity, capacity,
            acre.out);
        acre.check(made, `${kind}.create`);
        this.at = acre.words(acre.out, 1)[0];
    }

    get isDisposed() {
        return this.at === 0;
    }

    dispose() {
        if (this.at === 0) return;
        this.acre.calls[`npm_${this.kind}_destroy`](this.at);
        this.at = 0;
        this.ids.free();
        this.rows.free();
    }

    invalid(call, text) {
        return invalid(`${this.kind}.${call}`, text);
    }

    // Throws before anything is written for an object that is gone.
    live(call) {
        if (this.at === 0) throw this.invalid(spoken(call), 'it was disposed of');
    }

    // Scripts write masks as 0xf0000000 and as 15 << 28, which is negative.
    mask(call, layers) {
        if (!isWhole(layers) && (layers | 0) !== layers) {
            throw this.invalid(call, `layers are 32 bits, not ${layers}`);
        }
        return layers;
    }

    put(call, count, ...parts) {
        return this.acre.put(`${this.kind}.${call}`, count, ...parts);
    }

    // A call of the module; a result other than OK is thrown.
    run(name, ...values) {
        this.check(this.ask(name, ...values), spoken(name));
    }

    check(result, call, report) {
        if (result !== OK) this.acre.check(result, `${this.kind}.${call}`, report);
    }

    ask(name, ...values) {
        this.live(name);
        return this.acre.calls[`npm_${this.kind}_${name}`](this.at, ...values);
    }

    search(call, shape, volume, options = {}) {
        this.live(call);
        checkNames(`${this.kind}.${call}`, options, QUERY_OPTIONS);
        const {layers = 0, exact = false, sorted = false} = options;
        const flags = (exact ? EXACT : 0) | (sorted ? SORTED : 0), mask = this.mask(call, layers), {acre} = this;
        let room = this.ids.need(4096, `${this.kind}.${call}`);
        for (;;) {
            const capacity = this.ids.bytes / 4 | 0;
            this.check(this.ask('query', shape, volume, mask, flags, room, capacity, acre.out), call);
            const total = acre.words(acre.out, 1)[0];
            if (total <= capacity) return acre.words(room, total);
            room = this.ids.need(4 * total, `${this.kind}.${call}`); // the scratch keeps the volume
        }
    }

    queryFrustum(viewProjection, {clip = '-1..1', horizon, ...options} = {}) {
        if (horizon) return this.searchHiding(viewProjection, clip, horizon, options);
        const volume = this.acre.frustum(`${this.kind}.queryFrustum`, viewProjection, clip);
        return this.search('queryFrustum', FRUSTUM, volume, options);
    }

    // What is found near first hides what comes behind it.
    searchHiding(viewProjection, clip, horizon, options) {
        const {acre} = this, call = 'queryFrustum', {layers = 0, exact = false, sorted = false} = options;
        this.live(call);
        checkNames(`${this.kind}.${call}`, options, QUERY_OPTIONS);
        if (!horizon.isHorizon || horizon.acre !== acre) throw this.invalid(call, 'the horizon is one of the same Acre');
        const mask = this.mask(call, layers), table = this.layOccluders(call, exact);
        horizon.begin(viewProjection, {clip});
        const volume = acre.frustum(`${this.kind}.${call}`, viewProjection, clip), eye = acre.out + EYE;
        let room = this.ids.need(4096, `${this.kind}.${call}`);
        for (;;) {
            const capacity = this.ids.bytes / 4 | 0;
            acre.floats(eye, 3).set(horizon.eye);
            this.check(this.ask('query_hiding', volume, mask, exact ? EXACT : 0, table, eye, horizon.at, room, capacity,
                acre.out), call);
            const total = acre.words(acre.out, 1)[0], found = acre.words(room, Math.min(total, capacity));
            if (total <= capacity) return sorted ? found.sort() : found;
            room = this.ids.need(4 * total, `${this.kind}.${call}`);
        }
    }

    queryPlanes(planes, options) {
        const count = planes.length / 4;
        if (!isWhole(count) || count > MAX_PLANES) throw this.invalid('queryPlanes', '0 to 16 planes of 4 numbers');
        const volume = this.put('queryPlanes', planes.length, planes);
        this.acre.words(volume + 16 * MAX_PLANES, 1)[0] = count;
        return this.search('queryPlanes', FRUSTUM, volume, options);
    }

    queryAll(options) {
        return this.search('queryAll', ALL, 0, options);
    }

    queryBox(box, options) {
        return this.search('queryBox', BOX, this.put('queryBox', 6, box), options);
    }

    queryPoint(point, options) {
        return this.search('queryPoint', POINT, this.put('queryPoint', 3, point), options);
    }

    querySphere(center, radius, options) {
        return this.search('querySphere', SPHERE, this.put('querySphere', 4, center, radius), options);
    }

    queryCircle(center, radius, options) {
        if (numbersOf(center)?.length !== 2) throw this.invalid('queryCircle', 'the center on the ground is x and z');
        return this.search('queryCircle', CIRCLE, this.put('queryCircle', 3, center, radius), options);
    }

    queryCapsule(from, to, radius, options) {
        return this.search('queryCapsule', CAPSULE, this.put('queryCapsule', 7, from, to, radius), options);
    }

    // origin may be a Ray of three.js; then the options follow at once.
    queryRay(origin, direction, options = {}) {
        if (origin?.direction) return this.queryRay(origin.origin, origin.direction, direction);
        const {length = Infinity, halfSize = [0, 0, 0], ...rest} = options;
        return this.search('queryRay', RAY, this.put('queryRay', 10, origin, direction, length, halfSize), rest);
    }

    near(call, shape, volume, origin, count, options = {}) {
        this.live(call);
        checkNames(`${this.kind}.${call}`, options, NEAR_OPTIONS);
        const {layers = 0, maxDistance = 0} = options;
        if (!isWhole(count)) throw this.invalid(call, 'the count is a whole number');
        const {acre} = this, room = this.ids.need(Math.max(8 * count, 8), `${this.kind}.${call}`);
        const mask = this.mask(call, layers);
        this.check(this.ask('nearest', shape, volume, mask, origin, maxDistance, room, count, acre.out), call);
        const found = count > 0 ? acre.words(acre.out, 1)[0] : 0, words = acre.words(room, 2 * found);
        const floats = acre.floats(room, 2 * found);
        return Array.from({length: found}, (_, i) => ({id: words[2 * i], distance: floats[2 * i + 1]}));
    }

    nearest(point, count, options) {
        return this.near('nearest', ALL, 0, this.put('nearest', 6, point, point), count, options);
    }

    firstHits(origin, direction, count, options = {}) {
        if (origin?.direction) return this.firstHits(origin.origin, origin.direction, direction, count);
        const {length = Infinity, ...rest} = options;
        const volume = this.put('firstHits', 10, origin, direction, length, [0, 0, 0]);
        return this.near('firstHits', RAY, volume, 0, count, rest);
    }

    optimize() {
        this.run('optimize');
    }

    validate() {
        const size = 256, result = this.ask('validate', this.acre.out, size);
        if (result !== OK) throw new AcreError(`${this.kind}.validate`, result, this.acre.text(this.acre.out));
    }
}
if (Symbol.dispose) {
    Searched.prototype[Symbol.dispose] = function dispose() {
        this.dispose();
    };
}
