// SPDX-License-Identifier: MIT
// core.js - Acre for scripts: its module, and a loose quadtree.
//
// Each Acre is one WebAssembly module with a memory of its own; there is no other state. acre.js and
// inline.js load it. The types and what each call promises are in acre.d.ts. Typed arrays that a call returns, and those of
// accessors, are views into that memory: valid until the next call.

const CODES = ['OK', 'INVALID_ARGUMENT', 'OUT_OF_MEMORY', 'CAPACITY', 'STALE_HANDLE', 'EXISTS', 'NOT_FOUND', 'BUSY',
    'IO', 'FORMAT', 'NOT_COMMITTED', 'DIFFERS'];
const OK = 0, INVALID_ARGUMENT = 1, OUT_OF_MEMORY = 2;
const CLIPS = {'-1..1': 1, '0..1': 2, '1..0': 3};
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
const NEIGHBOR_OPTIONS = ['items', 'spheres', 'rowLayers', 'nearest', 'layers', 'isOnGround', 'withDistances'];
const QUERY_OPTIONS = ['layers', 'exact', 'sorted'], NEAR_OPTIONS = ['layers', 'maxDistance'];

// What trees and cullers share: an object of the module, its queries, and where they write.
export class Searched {
    constructor(acre, kind, def, capacityName) {
        checkNames(kind, def, [...TREE_OPTIONS, capacityName]);
        const {halfSize = 0, maxDepth = 0, nodeCapacity = 0, [capacityName]: capacity = 0} = def;
        const center = numbersOf(def.center ?? [0, 0]);
        if (center?.length !== 2) throw invalid(kind, 'the center has 2 numbers');
        // A mark, since `import` and `require` each have an Acre of their own.
        if (!acre?.isAcre) throw invalid(kind, 'the first argument is what load() gives');
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

    queryFrustum(viewProjection, {clip = '-1..1', ...options} = {}) {
        const volume = this.acre.frustum(`${this.kind}.queryFrustum`, viewProjection, clip);
        return this.search('queryFrustum', FRUSTUM, volume, options);
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

export class Tree extends Searched {
    constructor(acre, def = {}) {
        super(acre, 'tree', def, 'itemCapacity');
        this.given = new Room(acre); // what neighbors() is asked about, and its rows
        this.boxCount = 0;
    }

    dispose() {
        super.dispose();
        this.given.free();
    }

    reserve(count) {
        this.item('reserve', count);
        this.run('reserve', count);
        this.rows.need(24 * count + 4, `${this.kind}.reserve`);
        this.boxCount = Math.max(this.boxCount, count);
    }

    get boxes() {
        this.live('boxes');
        return this.acre.floats(this.rows.at, 6 * this.boxCount);
    }

    item(call, item) {
        if (!isWhole(item)) throw this.invalid(call, `a whole number from 0 on is needed, not ${item}`);
        return item;
    }

    insert(item, box) {
        this.run('insert', this.item('insert', item), this.put('insert', 6, box));
    }

    refresh(item, box) {
        this.run('refresh', this.item('refresh', item), this.put('refresh', 6, box));
    }

    remove(item) {
        this.run('remove', this.item('remove', item));
    }

    // Runs a call with copies of items and boxes in the module's memory.
    batch(name, items, boxes) {
        const {acre} = this, count = items.length, call = spoken(name);
        this.live(name);
        if (boxes && boxes.length !== 6 * count) throw this.invalid(call, 'six numbers for each item are needed');
        if (!(items instanceof Uint32Array)) for (let i = 0; i < count; i++) this.item(call, items[i]);
        items = kept(acre, items);
        if (boxes) boxes = kept(acre, boxes);
        const room = acre.resize(0, Math.max(4 * count + 24 * count, 8), `${this.kind}.${call}`);
        try {
            acre.words(room, count).set(items);
            if (boxes) acre.floats(room + 4 * count, 6 * count).set(boxes);
            const values = boxes ? [room, room + 4 * count, count] : [room, count];
            this.finish(call, this.ask(name, ...values));
        } finally {
            acre.calls.npm_resize(room, 0);
        }
    }

    finish(call, result) {
        if (result === OK) return;
        this.acre.calls.npm_tree_report(this.at, this.acre.out);
        const [refused, firstRow] = this.acre.words(this.acre.out, 2);
        this.check(result, call, {refused, firstRow});
    }

    insertMany(items, boxes = []) {
        this.batch('insert_many', items, boxes);
    }

    refreshMany(items, boxes = []) {
        this.batch('refresh_many', items, boxes);
    }

    removeMany(items) {
        this.batch('remove_many', items);
    }

    insertAll() {
        const {acre} = this, count = this.boxCount, items = acre.resize(0, Math.max(4 * count, 8), 'tree.insertAll');
        try {
            const numbers = acre.words(items, count);
            for (let i = 0; i < count; i++) numbers[i] = i;
            this.finish('insertAll', this.ask('insert_many', items, this.rows.at, count));
        } finally {
            acre.calls.npm_resize(items, 0);
        }
    }

    refreshAll(count = this.boxCount) {
        this.item('refreshAll', count);
        if (count > this.boxCount) throw this.invalid('refreshAll', 'there are fewer rows in boxes');
        this.finish('refreshAll', this.ask('refresh_all', this.rows.at, count));
    }

    clear() {
        this.ask('clear');
    }

    maintain() {
        this.run('maintain');
    }

    has(item) {
        return this.ask('contains', this.item('has', item)) !== 0;
    }

    box(item) {
        this.run('get_box', this.item('box', item), this.acre.out);
        return this.acre.floats(this.acre.out, 6);
    }

    setLayers(item, layers) {
        this.run('set_layers', this.item('setLayers', item), this.mask('setLayers', layers));
    }

    layers(item) {
        return this.ask('get_layers', this.item('layers', item)) >>> 0;
    }

    // The neighbors of row i are items from first[i] on, count[i] of them.
    neighbors(radius, options = {}) {
        const call = 'tree.neighbors';
        checkNames(call, options, NEIGHBOR_OPTIONS);
        this.live('neighbors');
        const {acre} = this, {items, spheres, rowLayers, nearest = 0, layers = 0, isOnGround = false} = options;
        const count = items ? items.length : spheres ? spheres.length / 4 : this.boxCount;
        if (!isWhole(count) || (spheres && spheres.length !== 4 * count)) throw this.invalid('neighbors', 'a sphere has 4 numbers');
        if (rowLayers && rowLayers.length !== count) throw this.invalid('neighbors', 'a row has one mask of layers');
        if (!isWhole(nearest)) throw this.invalid('neighbors', `nearest is a whole number, not ${nearest}`);
        const given = [items, spheres, rowLayers].map((array) => array && kept(acre, array));
        // The rows that are found, then what is asked.
        const at = this.given.need(36 * count + 8, call), [itemsAt, spheresAt, layersAt] = [12, 16, 32].map((k) => at + k * count);
        if (items) acre.words(itemsAt, count).set(given[0]);
        if (spheres) acre.floats(spheresAt, 4 * count).set(given[1]);
        if (rowLayers) acre.words(layersAt, count).set(given[2]);
        acre.words(acre.scratch, 8).set([count, items ? itemsAt : 0, spheres ? spheresAt : 0, 0, nearest,
            this.mask('neighbors', layers), isOnGround ? 1 : 0, rowLayers ? layersAt : 0]);
        acre.floats(acre.scratch + 12, 1)[0] = radius;
        return this.listNeighbors(call, at, count, Boolean(options.withDistances));
    }

    listNeighbors(call, at, count, withDistances) {
        const {acre} = this, bytes = withDistances ? 8 : 4;
        let room = this.ids.need(4096, call);
        for (;;) {
            const capacity = this.ids.bytes / bytes | 0, distances = withDistances ? room + 4 * capacity : 0;
            const result = this.ask('neighbors', acre.scratch, at, room, distances, capacity, acre.out);
            const [total, refused, firstRow] = acre.words(acre.out, 3);
            this.check(result, 'neighbors', {refused, firstRow});
            if (total > capacity) {
                room = this.ids.need(bytes * total, call); // the scratch keeps the question
                continue;
            }
            const rows = acre.words(at, 3 * count), first = new Uint32Array(count), counts = new Uint32Array(count);
            for (let i = 0; i < count; i++) {
                first[i] = rows[3 * i];
                counts[i] = rows[3 * i + 1];
            }
            return {first, count: counts, items: acre.words(room, total),
                ...withDistances && {distances: acre.floats(distances, total)}};
        }
    }

    // Pairs of items whose boxes touch, two numbers each; with another tree, of one of each.
    pairs(other = null) {
        if (other !== null && !(other?.acre === this.acre && !other.isDisposed)) {
            throw this.invalid('pairs', 'the other tree is one of the same Acre');
        }
        this.live('pairs');
        const {acre} = this;
        let room = this.ids.need(4096, 'tree.pairs');
        for (;;) {
            const capacity = this.ids.bytes / 8 | 0;
            this.run('pairs', other ? other.at : 0, room, capacity, acre.out);
            const total = acre.words(acre.out, 1)[0];
            if (total <= capacity) return acre.words(room, 2 * total);
            room = this.ids.need(8 * total, 'tree.pairs');
        }
    }

    get stateHash() {
        return BigInt.asUintN(64, this.ask('state_hash'));
    }

    get stats() {
        this.ask('stats', this.acre.out);
        const [items, nodes, leaves, depth, outliers, bytes] = this.acre.words(this.acre.out, 6);
        return {items, nodes, leaves, depth, outliers, bytes};
    }
}
