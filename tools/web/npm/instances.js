// SPDX-License-Identifier: MIT
// instances.js - Instances: rows with a matrix and a shape each, and those that views see.
import {Room, invalid, isWhole, numbersOf} from './core.js';
import {WORDS, checkOccluders, occluderWords} from './occluders.js';
import {Tree} from './tree.js';

const IS_SHOWN = 1, IS_IN_TREE = 2, IS_MOVED = 4, IS_BAD = 8; // the state of a row
const ROOMS = {matrices: 64, colors: 12, visibles: 4, marks: 1}; // bytes a row in the module's memory
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/**
 * Sorts rows of a tree by their levels of detail. at: where rows, their levels and the sorted ones lie in the
 * module's memory, and their count; last, sizes: as Instances.sortByLevel has them. @return {starts, levels}
 */
export function sortByLevel(tree, at, last, {eye, pixels, isParallel = false, hysteresis = 0, limits}) {
    const {acre} = tree, {rows, levels, sorted, count} = at, none = new Array(7 - limits.length).fill(0);
    const sizes = acre.put('sortByLevel', 13, eye, pixels, hysteresis, 0, limits, none);
    acre.words(sizes + 20, 1)[0] = Number(isParallel);
    const bytes = new Uint8Array(acre.calls.memory.buffer, levels, count);
    bytes.set(last);
    acre.calls.npm_sort_by_level(tree.at, sizes, rows, count, levels, sorted, acre.out);
    return {starts: acre.words(acre.out, 9).slice(), levels: bytes.slice()};
}

/** Instances of one shape: matrices in; visible rows, and their matrices and colors, out. */
export class Instances {
    constructor(acre, count, box, def = {}) {
        if (!isWhole(count)) throw invalid('instances', `a whole number of rows is needed, not ${count}`);
        if (numbersOf(box)?.length !== 6) throw invalid('instances', 'a box has 6 numbers');
        this.tree = new Tree(acre, def);
        this.acre = acre;
        this.memory = acre.calls.memory;
        this.count = 0;
        this.visibleCount = 0;
        this.version = 0; // grows with each change of a row
        this.rooms = {drawn: new Room(acre), drawnColors: new Room(acre), levels: new Room(acre)};
        for (const name of Object.keys(ROOMS)) this.rooms[name] = new Room(acre);
        this.rooms.locals = new Room(acre);
        this.rooms.occluders = new Room(acre);
        this.rooms.shapes = new Room(acre); // of each row, once there are several
        this.shapeCount = 0;
        this.moved = new Uint32Array(0);
        this.states = new Uint8Array(0);
        this.movedCount = 0;
        this.inTree = 0;
        this.badRows = new Set();
        this.matricesView = new Float32Array(0); // an older one has no length: growth detaches it
        this.isAllMoved = true;
        try {
            this.setBox(box);
            this.resize(count);
        } catch (error) {
            this.dispose();
            throw error;
        }
    }

    dispose() {
        this.tree.dispose();
        for (const room of Object.values(this.rooms)) room.free();
        this.matricesView = new Float32Array(0);
    }

    live(call) {
        if (this.tree.isDisposed) throw invalid(`instances.${call}`, 'it was disposed of');
    }

    /** The box of a shape, before any matrix: of one that is there, or of the next one. */
    setBox(box, shape = 0) {
        this.live('setBox');
        const numbers = numbersOf(box), {acre, rooms} = this;
        if (numbers?.length !== 6) throw invalid('instances.setBox', 'a box has 6 numbers');
        if (!(isWhole(shape) && shape <= this.shapeCount)) {
            throw invalid('instances.setBox', `there are ${this.shapeCount} shapes, and no shape ${shape}`);
        }
        for (let k = 0; k < 3; k++) {
            if (!(numbers[k] <= numbers[k + 3] && Number.isFinite(numbers[k + 3] - numbers[k]))) {
                throw invalid('instances.setBox', `numbers ${k} and ${k + 3} are no interval`);
            }
        }
        const values = Float32Array.from(numbers);
        acre.floats(rooms.locals.need(24 * (shape + 1), 'instances.setBox') + 24 * shape, 6).set(values);
        if (shape > 0 && this.shapeCount === 1) this.makeShapes(this.count);
        this.shapeCount = Math.max(this.shapeCount, shape + 1);
        this.setAllMoved();
    }

    makeShapes(count) {
        const {rooms, acre} = this, before = rooms.shapes.bytes / 4;
        rooms.shapes.need(Math.max(4 * count, 4), 'instances.shapes');
        acre.words(rooms.shapes.at, rooms.shapes.bytes / 4).fill(0, before);
    }

    /** Which shape a row has; 0 at first. */
    setShape(row, shape) {
        this.row('setShape', row);
        if (!(isWhole(shape) && shape < this.shapeCount)) {
            throw invalid('instances.setShape', `there are ${this.shapeCount} shapes, and no shape ${shape}`);
        }
        if (this.shapeCount > 1) this.acre.words(this.rooms.shapes.at, this.count)[row] = shape;
        this.setMoved(row);
    }

    // Writes boxes of rows, or of all rows, into tree.rows. @return how many rows have none
    boxesOf(ids, count, bad) {
        const {rooms, tree} = this;
        return this.acre.calls.npm_boxes_of(rooms.locals.at, this.shapeCount > 1 ? rooms.shapes.at : 0, rooms.matrices.at,
            ids, count, tree.rows.at, bad);
    }

    /** Makes room for more rows, or drops the last ones. New rows stand at the origin. */
    resize(count) {
        this.live('resize');
        if (!isWhole(count)) throw invalid('instances.resize', `a whole number of rows is needed, not ${count}`);
        const {acre, rooms, count: before} = this;
        for (const [name, bytes] of Object.entries(ROOMS)) rooms[name].need(bytes * count, 'instances.resize');
        if (this.shapeCount > 1) this.makeShapes(count);
        this.tree.reserve(count);
        if (count > this.states.length) {
            const room = Math.max(count, 2 * before), {states, moved} = this;
            this.states = new Uint8Array(room);
            this.moved = new Uint32Array(room);
            this.states.set(states);
            this.moved.set(moved);
        }
        for (let row = count; row < before; row++) {
            this.leave(row);
            this.badRows.delete(row);
            this.states[row] &= IS_MOVED;
        }
        if (count < before) this.setAllMoved(); // the list of what moved may name rows that are gone
        this.count = count;
        for (let row = before; row < count; row++) {
            acre.floats(rooms.matrices.at + 64 * row, 16).set(IDENTITY);
            acre.floats(rooms.colors.at + 12 * row, 3).fill(1);
            if (this.shapeCount > 1) acre.words(rooms.shapes.at, count)[row] = 0;
            this.states[row] |= IS_SHOWN;
            this.mark(row);
        }
        this.matricesView = new Float32Array(0);
        this.visibleCount = 0;
        this.version++;
    }

    get matrices() {
        if (this.matricesView.length > 0) return this.matricesView;
        this.live('matrices');
        return this.matricesView = this.acre.floats(this.rooms.matrices.at, 16 * this.count);
    }

    get colors() {
        this.live('colors');
        return this.acre.floats(this.rooms.colors.at, 3 * this.count);
    }

    get visible() {
        this.live('visible');
        return this.acre.words(this.rooms.visibles.at, this.visibleCount);
    }

    get visibleMatrices() {
        this.live('visibleMatrices');
        return this.acre.floats(this.rooms.drawn.at, 16 * this.visibleCount);
    }

    get visibleColors() {
        this.live('visibleColors');
        return this.acre.floats(this.rooms.drawnColors.at, 3 * this.visibleCount);
    }

    /** Writes the matrix of a row that moved. */
    setMatrix(row, elements) {
        const {states} = this, at = 16 * row;
        let view = this.matricesView;
        if (!(isWhole(row) && at < view.length)) {
            this.row('setMatrix', row);
            view = this.matrices;
        }
        for (let k = 0; k < 16; k++) view[at + k] = elements[k];
        if (!(states[row] & IS_MOVED)) {
            states[row] |= IS_MOVED;
            this.moved[this.movedCount++] = row;
        }
        this.version++;
    }

    row(call, row) {
        if (isWhole(row) && row < this.count) return row;
        this.live(call);
        throw invalid(`instances.${call}`, `there are ${this.count} rows, and no row ${row}`);
    }

    mark(row) {
        if (this.states[row] & IS_MOVED) return;
        this.states[row] |= IS_MOVED;
        this.moved[this.movedCount++] = row;
    }

    setMoved(row) {
        this.mark(this.row('setMoved', row));
        this.version++;
    }

    setAllMoved() {
        this.isAllMoved = true;
        this.version++;
    }

    setShown(row, isShown) {
        this.row('setShown', row);
        this.live('setShown');
        if (isShown === this.isShown(row)) return;
        this.states[row] ^= IS_SHOWN;
        if (isShown) this.mark(row);
        else this.leave(row);
        this.version++;
    }

    isShown(row) {
        return (this.states[this.row('isShown', row)] & IS_SHOWN) !== 0;
    }

    leave(row) {
        if (!(this.states[row] & IS_IN_TREE)) return;
        this.tree.remove(row);
        this.states[row] &= ~IS_IN_TREE;
        this.inTree--;
    }

    refresh() {
        const {acre, tree, states, moved} = this;
        this.live('refresh');
        const isAll = this.isAllMoved || 2 * this.movedCount >= this.count;
        const count = isAll ? this.count : this.movedCount, rows = isAll ? null : moved.subarray(0, count);
        if (count > 0) {
            const ids = tree.ids.need(8 * count, 'instances.refresh'), bad = ids + 4 * count;
            if (rows) acre.words(ids, count).set(rows);
            const badCount = this.boxesOf(rows ? ids : 0, count, bad);
            if (badCount > 0 || this.badRows.size > 0) this.hideBad(rows, acre.words(bad, badCount).slice());
            if (this.inTree === 0) this.build(rows, ids, count);
            else this.move(rows, ids, count);
        }
        for (let i = 0; i < this.movedCount; i++) states[moved[i]] &= ~IS_MOVED;
        this.isAllMoved = false;
        this.movedCount = 0;
        tree.maintain();
    }

    // Takes rows out of the tree whose matrices give no box; what is no longer bad may enter again.
    hideBad(rows, bad) {
        for (const row of rows ?? [...this.badRows]) {
            this.badRows.delete(row);
            this.states[row] &= ~IS_BAD;
        }
        for (const row of bad) {
            this.leave(row);
            this.badRows.add(row);
            this.states[row] |= IS_BAD;
        }
    }

    // Keeps the rows whose state is `wanted` in the bits of `mask`, and their boxes, in front.
    keep(rows, ids, count, mask, wanted) {
        const {acre, tree, states} = this;
        const numbers = acre.words(ids, count), boxes = acre.floats(tree.rows.at, 6 * count);
        let kept = 0;
        for (let i = 0; i < count; i++) {
            const row = rows ? rows[i] : i;
            if ((states[row] & mask) !== wanted) continue;
            if (kept !== i) boxes.copyWithin(6 * kept, 6 * i, 6 * i + 6);
            numbers[kept++] = row;
        }
        return kept;
    }

    build(rows, ids, count) {
        const {tree, states} = this, entering = this.keep(rows, ids, count, IS_SHOWN | IS_BAD, IS_SHOWN);
        if (entering === 0) return;
        tree.finish('insertMany', tree.ask('insert_many', ids, tree.rows.at, entering));
        for (const row of this.acre.words(ids, entering)) states[row] |= IS_IN_TREE;
        this.inTree = entering;
    }

    move(rows, ids, count) {
        const {tree, states} = this, box = tree.rows.at;
        for (let i = 0; this.inTree < this.count && i < count; i++) {
            const row = rows ? rows[i] : i;
            if ((states[row] & (IS_SHOWN | IS_BAD | IS_IN_TREE)) !== IS_SHOWN) continue;
            tree.run('insert', row, box + 24 * i);
            states[row] |= IS_IN_TREE;
            this.inTree++;
        }
        if (!rows) {
            tree.finish('refreshAll', tree.ask('refresh_all', box, count));
            return;
        }
        const moving = this.inTree === this.count ? count : this.keep(rows, ids, count, IS_IN_TREE, IS_IN_TREE);
        tree.finish('refreshMany', tree.ask('refresh_many', ids, box, moving));
    }

    /** The box around all rows that are in the tree; null: there are none. */
    bounds() {
        const {acre, tree, states, count} = this;
        this.refresh();
        if (this.inTree === 0) return null;
        this.boxesOf(0, count, tree.ids.need(4 * count, 'instances.bounds'));
        const boxes = acre.floats(tree.rows.at, 6 * count), out = [...Array(3).fill(Infinity), ...Array(3).fill(-Infinity)];
        for (let row = 0; row < count; row++) {
            for (let k = 0; states[row] & IS_IN_TREE && k < 3; k++) {
                out[k] = Math.min(out[k], boxes[6 * row + k]);
                out[k + 3] = Math.max(out[k + 3], boxes[6 * row + k + 3]);
            }
        }
        return out;
    }

    /** What each row hides others with, before its matrix: see Tree.setOccluders. They are for one shape. */
    setOccluders(occluders) {
        const call = 'instances.setOccluders', words = occluderWords(call, occluders), {acre, rooms, tree} = this;
        this.live('setOccluders');
        if (this.shapeCount > 1) throw invalid(call, 'there are several shapes');
        // Four words of the table (npm_horizon.c), then the occluders.
        const at = rooms.occluders.need(16 + 4 * words.length, call);
        acre.words(at + 16, words.length).set(words);
        acre.words(at, 4).fill(0);
        checkOccluders(acre, call, at + 16, words.length / WORDS);
        tree.layOccluders = () => {
            acre.words(at, 4).set([at + 16, 0, rooms.matrices.at, words.length / WORDS]);
            return at;
        };
        this.version++;
    }

    cull(viewProjections, options = {}) {
        const {acre, tree, rooms} = this, {calls} = acre, {clip = '-1..1', layers = 0, horizon, ...rest} = options;
        if (horizon && viewProjections.length > 1) throw invalid('instances.cull', 'a horizon is for one view');
        // Before anything changes: is one of them refused?
        for (const matrix of viewProjections) acre.frustum('instances.cull', matrix, clip);
        tree.mask('cull', layers);
        this.refresh();
        this.visibleCount = 0;
        if (viewProjections.length > 1) new Uint8Array(this.memory.buffer, rooms.marks.at, this.count).fill(0);
        for (const matrix of viewProjections) {
            const found = tree.queryFrustum(matrix, {...rest, clip, layers, horizon});
            if (viewProjections.length === 1) {
                acre.words(rooms.visibles.at, found.length).set(found);
                this.visibleCount = found.length;
            } else {
                this.visibleCount = calls.npm_add_unmarked(rooms.marks.at, rooms.visibles.at, this.visibleCount,
                    found.byteOffset, found.length);
            }
        }
        return this.visibleCount;
    }

    /**
     * Sorts the visible rows by their levels of detail. last: the level of each row when it was seen, 255
     * for none. sizes: {eye, pixels, isParallel, hysteresis, limits}. @return {starts, levels}
     */
    sortByLevel(last, sizes) {
        const {acre, tree, rooms, visibleCount: count} = this, call = 'instances.sortByLevel';
        this.live('sortByLevel');
        const levels = rooms.levels.need(count, call), sorted = tree.ids.need(4 * count, call);
        const result = sortByLevel(tree, {rows: rooms.visibles.at, levels, sorted, count}, last, sizes);
        result.rows = this.visible.slice();
        this.visible.set(acre.words(sorted, count));
        return result;
    }

    gather(withColors) {
        this.live('gather');
        const {calls} = this.acre, {rooms} = this, count = this.visibleCount;
        calls.npm_gather(rooms.matrices.at, 16, rooms.visibles.at, count,
            rooms.drawn.need(64 * count, 'instances.gather'));
        if (!withColors) return;
        calls.npm_gather(rooms.colors.at, 3, rooms.visibles.at, count,
            rooms.drawnColors.need(12 * count, 'instances.gather'));
    }
}
