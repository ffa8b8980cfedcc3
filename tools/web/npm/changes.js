// SPDX-License-Identifier: MIT
// changes.js - which numbers of a list were in the list before it, and which are gone.
//
// Each number has a mark, so that a comparison costs a look at each element of both lists.
export class Changes {
    constructor() {
        this.marks = new Uint32Array(64);
        this.mark = 0; // of what was there before and was not met yet; one more: it was met
    }

    /** Begins a comparison with what was there. */
    begin(before) {
        this.mark += 2;
        if (this.mark > 0xfffffff0) {
            this.marks.fill(0);
            this.mark = 2;
        }
        for (const number of before) {
            this.need(number);
            this.marks[number] = this.mark;
        }
    }

    need(number) {
        if (number < this.marks.length) return;
        const marks = new Uint32Array(Math.max(number + 1, 2 * this.marks.length));
        marks.set(this.marks);
        this.marks = marks;
    }

    was(number) {
        return number < this.marks.length && this.marks[number] >= this.mark;
    }

    meet(number) {
        this.need(number);
        this.marks[number] = this.mark + 1;
    }

    /** What was there and was not met. */
    left(before) {
        return before.filter((number) => this.marks[number] === this.mark);
    }
}
