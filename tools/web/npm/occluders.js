// SPDX-License-Identifier: MIT
// occluders.js - occluders as the module has them, and those of a tree's items.
import {Room, checkNames, invalid, isWhole, numbersOf} from './core.js';

const OCCLUDER_OPTIONS = ['points', 'bottom', 'top', 'isTwoSided'], TWO_SIDED = 1, MOST_POINTS = 8;
export const WORDS = 20; // of an occluder

/**
 * Occluders as the module has them, twenty words each: of prisms {points, bottom, top, isTwoSided}, or of boxes
 * that are solid everywhere.
 */
export function occluderWords(call, occluders) {
    const floats = new Float32Array(WORDS * occluders.length), words = new Uint32Array(floats.buffer);
    occluders.forEach((occluder, i) => {
        let {points, bottom = -Infinity, top, isTwoSided = false} = occluder;
        const box = points ? null : numbersOf(occluder);
        if (box) {
            if (box.length !== 6) throw invalid(call, 'a box has 6 numbers');
            [bottom, top] = [box[1], box[4]];
            points = [box[0], box[2], box[3], box[2], box[3], box[5], box[0], box[5]];
        } else {
            checkNames(call, occluder, OCCLUDER_OPTIONS);
        }
        const numbers = Array.from(points ?? []).flatMap((point) => (typeof point === 'number' ? point : [...numbersOf(point)]));
        const count = numbers.length / 2;
        if (!(isWhole(count) && count >= 3 && count <= MOST_POINTS)) {
            throw invalid(call, `occluder ${i}: a footprint has 3 to ${MOST_POINTS} corners of x and z`);
        }
        floats.set(numbers, WORDS * i);
        floats.set([bottom, top], WORDS * i + 17);
        words[WORDS * i + 16] = count;
        words[WORDS * i + 19] = isTwoSided ? TWO_SIDED : 0;
    });
    return words;
}

/** Throws where one of these occluders in the module's memory is not valid. */
export function checkOccluders(acre, call, at, count) {
    const bad = acre.calls.npm_occluders_check(at, count);
    if (bad < count) throw invalid(call, `occluder ${bad} is no convex prism whose bottom is below its top`);
}

/** The occluders of a tree's items, laid out for the module when a query needs them. */
export class OccluderTable {
    constructor(acre) {
        this.acre = acre;
        this.items = new Map(); // words
        this.room = new Room(acre);
        this.isLaid = false;
    }

    set(call, item, occluders) {
        const words = occluderWords(call, occluders), {acre} = this;
        this.isLaid = false; // the room is used to check them
        const at = this.room.need(Math.max(4 * words.length, 8), call);
        acre.words(at, words.length).set(words);
        checkOccluders(acre, call, at, occluders.length);
        if (words.length > 0) this.items.set(item, words);
        else this.items.delete(item);
    }

    /** @return where the table lies: its first four words say where the rest is */
    lay(call) {
        const {acre, items} = this, count = items.size > 0 ? [...items.keys()].reduce((most, item) => Math.max(most, item)) + 1 : 0;
        if (this.isLaid) return this.room.at;
        const words = [...items.values()].reduce((sum, one) => sum + one.length, 0);
        const at = this.room.need(16 + 4 * (count + 1) + 4 * words, call), from = at + 16 + 4 * (count + 1);
        acre.words(at, 4).set([from, at + 16, 0, count]);
        const first = acre.words(at + 16, count + 1), all = acre.words(from, words);
        let next = 0;
        for (let item = 0; item < count; item++) {
            const own = items.get(item);
            first[item] = next;
            if (!own) continue;
            all.set(own, WORDS * next);
            next += own.length / WORDS;
        }
        first[count] = next;
        this.isLaid = true;
        return at;
    }

    drop(item) {
        if (this.items.delete(item)) this.isLaid = false;
    }

    clear() {
        this.items.clear();
        this.isLaid = false;
    }

    free() {
        this.room.free();
        this.clear();
    }
}
