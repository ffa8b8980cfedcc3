// SPDX-License-Identifier: MIT
// tree.js - Tree: items by number in a loose quadtree, and what one tree alone is asked.
import {OK, Room, Searched, checkNames, isWhole, kept, spoken} from './core.js';
import {OccluderTable} from './occluders.js';

const NEIGHBOR_OPTIONS = ['items', 'spheres', 'rowLayers', 'nearest', 'layers', 'isOnGround', 'withDistances'];

export class Tree extends Searched {
    constructor(acre, def = {}) {
        super(acre, 'tree', def, 'itemCapacity');
        this.given = new Room(acre); // what neighbors() is asked about, and its rows
        this.occluders = new OccluderTable(acre);
        this.boxCount = 0;
    }

    dispose() {
        super.dispose();
        this.given.free();
        this.occluders.free();
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

    // What an item hides others with: prisms {points, bottom, top, isTwoSided}, or boxes that are solid everywhere.
    setOccluders(item, occluders) {
        this.live('setOccluders');
        this.occluders.set('tree.setOccluders', this.item('setOccluders', item), occluders);
    }

    layOccluders(call) {
        return this.occluders.lay(`tree.${call}`);
    }

    insert(item, box) {
        this.run('insert', this.item('insert', item), this.put('insert', 6, box));
    }

    refresh(item, box) {
        this.run('refresh', this.item('refresh', item), this.put('refresh', 6, box));
    }

    remove(item) {
        this.run('remove', this.item('remove', item));
        this.occluders.drop(item);
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
        if (this.occluders.items.size > 0) for (const item of items) this.occluders.drop(item);
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
        this.occluders.clear();
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
