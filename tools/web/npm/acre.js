// SPDX-License-Identifier: MIT
// acre.js - Acre for scripts: a loose quadtree, and a culler for entities with a hierarchy.
//
// Each Acre is one WebAssembly module with a memory of its own; there is no other state. The types
// and what each call promises are in acre.d.ts. Typed arrays that a call returns, and those of
// accessors, are views into that memory: valid until the next call.

const CODES = ['OK', 'INVALID_ARGUMENT', 'OUT_OF_MEMORY', 'CAPACITY', 'STALE_HANDLE', 'EXISTS', 'NOT_FOUND', 'BUSY',
    'IO', 'FORMAT', 'NOT_COMMITTED', 'DIFFERS'];
const OK = 0, INVALID_ARGUMENT = 1, OUT_OF_MEMORY = 2;
const CLIPS = {'-1..1': 1, '0..1': 2, '1..0': 3};
const FRUSTUM = 1, BOX = 2, ALL = 3, POINT = 4, SPHERE = 6, CIRCLE = 7, CAPSULE = 8, RAY = 11;
const SORTED = 1, EXACT = 2;
const HIDDEN = 1, STATIC = 2, NEVER_CULL = 4;
const MAX_PLANES = 16;
const SCRATCH = 1024; // bytes: in 0..511, out 512..1023
// A function with one SIMD instruction, which engines without SIMD refuse.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
    65, 0, 253, 15, 253, 98, 11]);

export class AcreError extends Error {
    constructor(call, code, text, report) {
        super(`${call}: ${text}`);
        this.name = 'AcreError';
        this.code = CODES[code] ?? 'UNKNOWN';
        if (report) this.report = report;
    }
}

const invalid = (call, text) => new AcreError(call, INVALID_ARGUMENT, text);

async function bytesOf(source) {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
    const url = new URL(source, import.meta.url);
    if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
        const name = 'node:fs/promises'; // not a literal: bundlers for browsers look for those
        return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)).readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`acre: ${url} answers ${response.status}`);
    return response.arrayBuffer();
}

/** Loads a module: with SIMD where the engine has it. */
export async function load({simd = WebAssembly.validate(SIMD_PROBE), wasm} = {}) {
    const source = wasm ?? (simd ? new URL('./acre_simd.wasm', import.meta.url)
        : new URL('./acre_plain.wasm', import.meta.url));
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
    const {instance} = await WebAssembly.instantiate(await bytesOf(source), imports);
    instance.exports._initialize();
    instance.exports.npm_keep_refusals();
    return new Acre(instance.exports, simd);
}

export class Acre {
    constructor(calls, simd) {
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
                if (!part || at + part.length > count) throw invalid(call, `${count} numbers are needed`);
                floats.set(part, at);
                at += part.length;
            }
        }
        if (at !== count) throw invalid(call, `${count} numbers are needed, not ${at}`);
        return this.scratch;
    }

    frustum(call, matrix, clip) {
        if (!matrix || matrix.length !== 16) throw invalid(call, 'a matrix has 16 numbers');
        if (!(clip in CLIPS)) throw invalid(call, `a clip is one of ${Object.keys(CLIPS).join(', ')}`);
        new Float64Array(this.calls.memory.buffer, this.out, 16).set(matrix);
        this.check(this.calls.npm_frustum(this.scratch, this.out, CLIPS[clip]), call);
        return this.scratch;
    }
}

// An array in the module's memory that grows.
class Room {
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
const kept = (acre, array) => (array.buffer === acre.calls.memory.buffer ? array.slice() : array);

const isWhole = (number) => number >>> 0 === number;

// What scripts call a function of the module, where that is not its own name in another case.
const SPOKEN = {contains: 'has', get_box: 'box', get_layers: 'layers', set_local: 'setTransform',
    world_bounds: 'worldBox', gather: 'gatherMatrices', entity: 'entityAt'};
const spoken = (name) => SPOKEN[name] ?? name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

// What trees and cullers share: an object of the module, its queries, and where they write.
class Searched {
    constructor(acre, kind, {center = [0, 0], halfSize = 0, maxDepth = 0, nodeCapacity = 0} = {}, capacity = 0) {
        if (!(acre instanceof Acre)) throw invalid(kind, 'the first argument is what load() gives');
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

    search(call, shape, volume, {layers = 0, exact = false, sorted = false} = {}) {
        this.live(call);
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

    queryRay(origin, direction, {length = Infinity, halfSize = [0, 0, 0], ...options} = {}) {
        return this.search('queryRay', RAY, this.put('queryRay', 10, origin, direction, length, halfSize), options);
    }

    near(call, shape, volume, origin, count, {layers = 0, maxDistance = 0} = {}) {
        this.live(call);
        if (!isWhole(count)) throw this.invalid(call, 'the count is a whole number');
        const {acre} = this, room = this.ids.need(Math.max(8 * count, 8), `${this.kind}.${call}`);
        const mask = this.mask(call, layers);
        this.check(this.ask('nearest', shape, volume, mask, origin, maxDistance, room, count, acre.out), call);
        const found = acre.words(acre.out, 1)[0], words = acre.words(room, 2 * found);
        const floats = acre.floats(room, 2 * found);
        return Array.from({length: found}, (_, i) => ({id: words[2 * i], distance: floats[2 * i + 1]}));
    }

    nearest(point, count, options) {
        return this.near('nearest', ALL, 0, this.put('nearest', 6, point, point), count, options);
    }

    firstHits(origin, direction, count, {length = Infinity, ...options} = {}) {
        const volume = this.put('firstHits', 10, origin, direction, length, [0, 0, 0]);
        return this.near('firstHits', RAY, volume, 0, count, options);
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
        super(acre, 'tree', def, def.itemCapacity ?? 0);
        this.boxCount = 0;
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

    get stateHash() {
        return BigInt.asUintN(64, this.ask('state_hash'));
    }

    get stats() {
        this.ask('stats', this.acre.out);
        const [items, nodes, leaves, depth, outliers, bytes] = this.acre.words(this.acre.out, 6);
        return {items, nodes, leaves, depth, outliers, bytes};
    }
}

const flagsOf = ({isHidden = false, isStatic = false, isNeverCulled = false} = {}) =>
    (isHidden ? HIDDEN : 0) | (isStatic ? STATIC : 0) | (isNeverCulled ? NEVER_CULL : 0);
// An entity is a number: slot + 1 in the low 32 bits, its generation above them.
const low = (entity) => entity >>> 0, high = (entity) => Math.floor(entity / 2 ** 32);

export class Culler extends Searched {
    constructor(acre, def = {}) {
        super(acre, 'culler', def, def.entityCapacity ?? 0);
        this.matrices = new Room(acre);
    }

    dispose() {
        super.dispose();
        this.matrices.free();
    }

    static slotOf(entity) {
        return low(entity) - 1;
    }

    // A call about an entity.
    entity(name, entity, ...values) {
        this.live(name);
        const result = this.acre.calls[`npm_entity_${name}`](this.at, low(entity), high(entity), ...values);
        this.check(result, spoken(name));
    }

    transform(call, {translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1]}) {
        return this.put(call, 10, translation, rotation, scale);
    }

    create({parent = 0, bounds, layers = 0, matrix, ...rest} = {}) {
        this.live('create');
        const {acre} = this, local = this.transform('create', rest), box = acre.scratch + 64;
        if (matrix && matrix.length !== 16) throw this.invalid('create', 'a matrix has 16 numbers');
        if (matrix) matrix = kept(acre, matrix);
        if (bounds) {
            if (bounds.length !== 6) throw this.invalid('create', 'bounds are six numbers');
            acre.floats(box, 6).set(bounds);
        }
        const result = acre.calls.npm_entity_create(this.at, low(parent), high(parent), local, bounds ? box : 0,
            this.mask('create', layers), flagsOf(rest), acre.out);
        this.check(result, 'create');
        const [index1, generation] = acre.words(acre.out, 2), made = index1 + generation * 2 ** 32;
        if (matrix) {
            try {
                this.setMatrix(made, matrix);
            } catch (error) {
                this.destroy(made);
                throw error;
            }
        }
        return made;
    }

    destroy(entity) {
        this.entity('destroy', entity);
    }

    isAlive(entity) {
        return this.at !== 0 && this.acre.calls.npm_entity_is_alive(this.at, low(entity), high(entity)) !== 0;
    }

    setParent(entity, parent) {
        this.entity('set_parent', entity, low(parent), high(parent));
    }

    setTransform(entity, transform) {
        this.entity('set_local', entity, this.transform('setTransform', transform));
    }

    setMatrix(entity, matrix) {
        this.entity('set_matrix', entity, this.put('setMatrix', 16, matrix));
    }

    setTransforms(entities, transforms) {
        this.live('setTransforms');
        const {acre} = this, count = entities.length;
        if (transforms.length !== 10 * count) throw this.invalid('setTransforms', 'ten numbers for each entity');
        [entities, transforms] = [kept(acre, entities), kept(acre, transforms)];
        const room = this.rows.need(Math.max(48 * count, 8), `${this.kind}.setTransforms`);
        const handles = acre.words(room, 2 * count);
        for (let i = 0; i < count; i++) {
            handles[2 * i] = low(entities[i]);
            handles[2 * i + 1] = high(entities[i]);
        }
        acre.floats(room + 8 * count, 10 * count).set(transforms);
        const result = acre.calls.npm_entity_set_locals(this.at, room, room + 8 * count, count, acre.out);
        const [refused, firstRow] = acre.words(acre.out, 2);
        this.check(result, 'setTransforms', {refused, firstRow});
    }

    setBounds(entity, bounds) {
        this.entity('set_bounds', entity, bounds ? this.put('setBounds', 6, bounds) : 0);
    }

    setFlags(entity, flags) {
        this.entity('set_flags', entity, flagsOf(flags));
    }

    setLayers(entity, layers) {
        this.entity('set_layers', entity, this.mask('setLayers', layers));
    }

    worldMatrix(entity) {
        this.entity('world_matrix', entity, this.acre.out);
        return this.acre.floats(this.acre.out, 16);
    }

    worldBox(entity) {
        this.entity('world_bounds', entity, this.acre.out);
        return this.acre.floats(this.acre.out, 6);
    }

    entityAt(slot) {
        this.ask('entity', slot, this.acre.out);
        const [index1, generation] = this.acre.words(this.acre.out, 2);
        return index1 + generation * 2 ** 32;
    }

    commit() {
        this.run('commit');
    }

    // Slots that a query returned may be passed: they stand in this memory already. Its growth
    // detaches their view, but leaves them where they are.
    gatherMatrices(slots) {
        this.live('gatherMatrices');
        const {acre} = this, count = slots.length;
        const isHere = slots.buffer === acre.calls.memory.buffer;
        let from = slots.byteOffset;
        const matrices = this.matrices.need(Math.max(64 * count, 8), `${this.kind}.gatherMatrices`);
        if (!isHere) {
            from = this.ids.need(Math.max(4 * count, 8), `${this.kind}.gatherMatrices`);
            acre.words(from, count).set(slots);
        }
        this.run('gather', from, count, matrices);
        return acre.floats(matrices, 16 * count);
    }

    get stats() {
        this.ask('stats', this.acre.out);
        const [entities, moving, still, bytes] = this.acre.words(this.acre.out, 4);
        return {entities, moving, still, bytes};
    }
}

/** Instances of one shape: matrices in; visible rows, and their matrices and colors, out. */
export class Instances {
    constructor(acre, count, box, def = {}) {
        if (!isWhole(count)) throw invalid('instances', `a whole number of rows is needed, not ${count}`);
        if (!box || box.length !== 6) throw invalid('instances', 'a box has 6 numbers');
        this.tree = new Tree(acre, def);
        this.acre = acre;
        this.count = count;
        this.visibleCount = 0;
        this.moved = [];
        this.isAllMoved = true;
        this.isInTree = false;
        const rooms = {matrices: 64 * count, colors: 12 * count, drawn: 64 * count, drawnColors: 12 * count,
            marks: count, visibles: 4 * count + 4, local: 24};
        this.at = {};
        try {
            for (const [name, bytes] of Object.entries(rooms)) {
                this.at[name] = acre.resize(0, Math.max(bytes, 8), 'instances');
            }
            this.tree.reserve(count);
        } catch (error) {
            this.dispose();
            throw error;
        }
        acre.floats(this.at.local, 6).set(box);
        this.matrices.fill(0);
        this.colors.fill(1);
        for (let i = 0; i < count; i++) {
            const matrix = this.matrices;
            for (let k = 0; k < 16; k += 5) matrix[16 * i + k] = 1;
        }
    }

    dispose() {
        this.tree.dispose();
        for (const name of Object.keys(this.at)) this.acre.calls.npm_resize(this.at[name], 0);
        this.at = {};
    }

    live(call) {
        if (this.tree.isDisposed) throw invalid(`instances.${call}`, 'it was disposed of');
    }

    get matrices() {
        this.live('matrices');
        return this.acre.floats(this.at.matrices, 16 * this.count);
    }

    get colors() {
        this.live('colors');
        return this.acre.floats(this.at.colors, 3 * this.count);
    }

    get visible() {
        this.live('visible');
        return this.acre.words(this.at.visibles, this.visibleCount);
    }

    get visibleMatrices() {
        this.live('visibleMatrices');
        return this.acre.floats(this.at.drawn, 16 * this.count);
    }

    get visibleColors() {
        this.live('visibleColors');
        return this.acre.floats(this.at.drawnColors, 3 * this.count);
    }

    setMoved(row) {
        if (!(isWhole(row) && row < this.count)) {
            throw invalid('instances.setMoved', `there are ${this.count} rows, and no row ${row}`);
        }
        if (!this.isAllMoved) this.moved.push(row);
    }

    setAllMoved() {
        this.isAllMoved = true;
        this.moved.length = 0;
    }

    refresh() {
        const {acre, tree} = this, {calls} = acre;
        this.live('refresh');
        if (this.isAllMoved || 2 * this.moved.length >= this.count) {
            calls.npm_boxes_of(this.at.local, this.at.matrices, 0, this.count, tree.rows.at);
            if (this.isInTree) {
                tree.refreshAll(this.count);
            } else {
                tree.clear(); // of a try in which a row was refused
                tree.insertAll();
                this.isInTree = true;
            }
        } else if (this.moved.length > 0) {
            const count = this.moved.length, rows = tree.ids.need(4 * count, 'instances.refresh');
            acre.words(rows, count).set(this.moved);
            calls.npm_boxes_of(this.at.local, this.at.matrices, rows, count, tree.rows.at);
            tree.finish('refreshMany', tree.ask('refresh_many', rows, tree.rows.at, count));
        }
        this.isAllMoved = false;
        this.moved.length = 0;
        tree.maintain();
    }

    cull(viewProjections, options) {
        const {acre, tree, at} = this, {calls} = acre;
        // Before anything changes: is one of them refused?
        for (const matrix of viewProjections) acre.frustum('instances.cull', matrix, options?.clip ?? '-1..1');
        tree.mask('cull', options?.layers ?? 0);
        this.refresh();
        this.visibleCount = 0;
        if (viewProjections.length > 1) new Uint8Array(calls.memory.buffer, at.marks, this.count).fill(0);
        for (const matrix of viewProjections) {
            const found = tree.queryFrustum(matrix, options);
            if (viewProjections.length === 1) {
                acre.words(at.visibles, found.length).set(found);
                this.visibleCount = found.length;
            } else {
                this.visibleCount = calls.npm_add_unmarked(at.marks, at.visibles, this.visibleCount, found.byteOffset,
                    found.length);
            }
        }
        return this.visibleCount;
    }

    gather(withColors) {
        this.live('gather');
        const {calls} = this.acre, {at} = this;
        calls.npm_gather(at.matrices, 16, at.visibles, this.visibleCount, at.drawn);
        if (withColors) calls.npm_gather(at.colors, 3, at.visibles, this.visibleCount, at.drawnColors);
    }
}
