// SPDX-License-Identifier: MIT
// interest.js - Interest: what each of many observers has in range, and what entered and left since the
// last update. A server tells each player of what is near the player.
//
// One call of the tree finds what is near all observers. The distance is that to the nearest point of a
// box, as a float.
import {Changes} from './changes.js';
import {checkNames, invalid, numbersOf} from './core.js';

const OPTIONS = ['isInSpace'];
const OBSERVER_OPTIONS = ['place', 'item', 'enterRadius', 'leaveRadius', 'layers'];
const NONE = new Uint32Array(0);

// Rows of numbers, one after the other.
function listsOf(rows) {
    const count = Uint32Array.from(rows, ({length}) => length), first = new Uint32Array(rows.length);
    for (let i = 1; i < rows.length; i++) first[i] = first[i - 1] + count[i - 1];
    const items = new Uint32Array(rows.length > 0 ? first.at(-1) + count.at(-1) : 0);
    rows.forEach((row, i) => items.set(row, first[i]));
    return {first, count, items};
}

export class Interest {
    constructor(tree, options = {}) {
        checkNames('Interest', options, OPTIONS);
        if (tree?.kind !== 'tree') throw invalid('Interest', 'the first argument is a Tree');
        this.tree = tree;
        this.isInSpace = options.isInSpace ?? false;
        this.observers = []; // by number; null: a free number
        this.changes = new Changes();
    }

    /** @return the number of the observer, which is its row in what update returns */
    add(observer) {
        const free = this.observers.indexOf(null), number = free < 0 ? this.observers.length : free;
        this.observers[number] = {...this.checked('add', observer), seen: NONE};
        return number;
    }

    set(number, observer) {
        const old = this.observer('set', number);
        Object.assign(old, this.checked('set', {...old.given, ...observer}));
    }

    remove(number) {
        this.observer('remove', number);
        this.observers[number] = null;
    }

    observer(call, number) {
        if (!this.observers[number]) throw invalid(`interest.${call}`, `there is no observer ${number}`);
        return this.observers[number];
    }

    checked(call, given) {
        checkNames(`interest.${call}`, given, OBSERVER_OPTIONS);
        const {item = null, enterRadius, leaveRadius = enterRadius, layers = 0} = given;
        const place = numbersOf(given.place ?? [0, 0, 0]);
        if (place?.length !== 3 || !Array.from(place).every(Number.isFinite)) {
            throw invalid(`interest.${call}`, 'a place has 3 finite numbers');
        }
        if (!(enterRadius >= 0 && leaveRadius >= enterRadius && leaveRadius < Infinity)) {
            throw invalid(`interest.${call}`, 'radii are 0 or larger, and leaveRadius is at least enterRadius');
        }
        this.tree.mask(call, layers);
        return {given, place: Array.from(place), item, enterRadius: Math.fround(enterRadius), leaveRadius, layers: layers || ~0};
    }

    // Where an observer stands: at the middle of its item while that is in the tree.
    placeOf(observer) {
        const {item, place} = observer;
        if (item === null || !this.tree.has(item)) return place;
        const box = this.tree.box(item);
        for (let k = 0; k < 3; k++) place[k] = (box[k] + box[k + 3]) / 2;
        return place;
    }

    /** Compares what each observer saw with the tree. @return {entered, left}: lists with a row for each observer */
    update() {
        const numbers = this.observers.map((_, i) => i).filter((i) => this.observers[i]);
        const spheres = new Float32Array(4 * numbers.length), rowLayers = new Uint32Array(numbers.length);
        numbers.forEach((number, row) => {
            const observer = this.observers[number];
            spheres.set(this.placeOf(observer), 4 * row);
            spheres[4 * row + 3] = observer.leaveRadius;
            rowLayers[row] = observer.layers;
        });
        const found = this.tree.neighbors(0, {spheres, rowLayers, isOnGround: !this.isInSpace, withDistances: true});
        const entered = this.observers.map(() => NONE), left = this.observers.map(() => NONE);
        numbers.forEach((number, row) => {
            const from = found.first[row], to = from + found.count[row];
            [entered[number], left[number]] = this.compare(this.observers[number], found.items.subarray(from, to),
                found.distances.subarray(from, to));
        });
        return {entered: listsOf(entered), left: listsOf(left)};
    }

    compare(observer, items, distances) {
        const {changes} = this, {seen: before, enterRadius, item: itself} = observer, seen = [], entered = [];
        changes.begin(before);
        for (let i = 0; i < items.length; i++) {
            const item = items[i], isOld = changes.was(item);
            if (item === itself || !(isOld || distances[i] <= enterRadius)) continue;
            if (!isOld) entered.push(item);
            changes.meet(item);
            seen.push(item);
        }
        observer.seen = Uint32Array.from(seen);
        return [Uint32Array.from(entered).sort(), changes.left(before).sort()];
    }

    /** What an observer saw in the last update. */
    seen(number) {
        return this.observer('seen', number).seen;
    }
}
