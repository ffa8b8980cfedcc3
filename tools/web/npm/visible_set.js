// SPDX-License-Identifier: MIT
// visible_set.js - VisibleSet: what one camera sees of a tree, kept from frame to frame: what entered, what
// left, and levels of detail by the size on the screen.
import {Changes} from './changes.js';
import {Room, checkNames, invalid} from './core.js';
import {sortByLevel} from './instances.js';

const OPTIONS = ['limits', 'minPixels', 'hysteresis'];
const VIEW_OPTIONS = ['clip', 'layers', 'exact', 'eye', 'pixels', 'isParallel'];
const MOST_LIMITS = 7, NO_LEVEL = 255, NONE = new Uint32Array(0);

export class VisibleSet {
    constructor(tree, options = {}) {
        checkNames('VisibleSet', options, OPTIONS);
        if (tree?.kind !== 'tree') throw invalid('VisibleSet', 'the first argument is a Tree');
        const {limits = [], minPixels = 0, hysteresis = 0} = options, all = minPixels > 0 ? [...limits, minPixels] : limits;
        if (all.length > MOST_LIMITS || !all.every((limit, i) => limit > 0 && (i === 0 || limit < all[i - 1]))) {
            throw invalid('VisibleSet', `sizes in pixels are above 0 and fall, minPixels last; ${MOST_LIMITS} at most`);
        }
        if (!(hysteresis >= 0 && hysteresis < 1)) throw invalid('VisibleSet', 'hysteresis is 0 to below 1');
        Object.assign(this, {tree, limits: all, hasLeast: minPixels > 0, hysteresis});
        this.rooms = {rows: new Room(tree.acre), levels: new Room(tree.acre), sorted: new Room(tree.acre)};
        this.changes = new Changes();
        this.history = new Uint8Array(0); // of items in view: their levels; the last may be hidden ones
        this.inView = NONE;
        this.clear();
    }

    /** In the next result everything has entered. */
    clear() {
        for (const item of this.inView) this.history[item] = NO_LEVEL;
        this.visible = this.entered = this.left = this.inView = NONE;
        this.starts = new Uint32Array(this.limits.length + 2 - Number(this.hasLeast));
    }

    /** Finds what a view sees. eye, pixels, isParallel: as sizes on the screen need them; limits ask for them. */
    find(viewProjection, view = {}) {
        checkNames('visibleSet.find', view, VIEW_OPTIONS);
        const {eye, pixels, isParallel = false, ...query} = view;
        if (this.limits.length > 0 && !(eye && pixels > 0)) {
            throw invalid('visibleSet.find', 'limits need the eye and the pixels of a length of 1 at a distance of 1');
        }
        const found = this.tree.queryFrustum(viewProjection, query).slice(), before = this.visible;
        this.visible = this.limits.length > 0 ? this.levelled(found, {eye, pixels, isParallel}) : found;
        if (this.limits.length === 0) this.starts.set([0, found.length]);
        this.changes.begin(before);
        this.entered = this.visible.filter((item) => !this.changes.was(item));
        for (const item of this.visible) this.changes.meet(item);
        this.left = this.changes.left(before);
        return this;
    }

    // The found items by their levels; those of the least size are left out.
    levelled(found, sizes) {
        const {tree, limits, hysteresis, rooms, history} = this, count = found.length;
        const at = (room, bytes) => room.need(Math.max(bytes * count, 8), 'visibleSet.find');
        const rows = at(rooms.rows, 4), levels = at(rooms.levels, 1), sorted = at(rooms.sorted, 4);
        tree.acre.words(rows, count).set(found);
        const last = Uint8Array.from(found, (item) => history[item] ?? NO_LEVEL);
        const result = sortByLevel(tree, {rows, levels, sorted, count}, last, {...sizes, hysteresis, limits});
        this.keep(found, result.levels);
        this.starts = result.starts.slice(0, this.starts.length);
        return tree.acre.words(sorted, count).slice(0, this.starts.at(-1));
    }

    keep(found, levels) {
        const most = found.reduce((max, item) => Math.max(max, item), -1);
        if (most >= this.history.length) {
            const history = new Uint8Array(Math.max(most + 1, 2 * this.history.length)).fill(NO_LEVEL);
            history.set(this.history);
            this.history = history;
        }
        for (const item of this.inView) this.history[item] = NO_LEVEL;
        found.forEach((item, i) => { this.history[item] = levels[i]; });
        this.inView = found;
    }

    /** The items of a level of detail, 0 the finest. */
    level(number) {
        return this.visible.subarray(this.starts[number], this.starts[number + 1]);
    }

    dispose() {
        for (const room of Object.values(this.rooms)) room.free();
    }
}
