// SPDX-License-Identifier: MIT
// horizon.js - Horizon: what is surely hidden behind occluders, from where a view is seen.
import {CLIPS, Room, checkAcre, checkNames, invalid, numbersOf} from './core.js';
import {WORDS, checkOccluders, occluderWords} from './occluders.js';

const NOWHERE = [2e12, 0, 0]; // from there nothing is hidden
const PARALLEL = 1e-9;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// Where three planes meet; null where two of them are parallel.
function meeting(a, b, c) {
    const across = [cross(b, c), cross(c, a), cross(a, b)], volume = dot(a, across[0]);
    if (!(Math.abs(volume) > PARALLEL * Math.hypot(...a.slice(0, 3)) * Math.hypot(...b.slice(0, 3)) * Math.hypot(...c.slice(0, 3)))) {
        return null;
    }
    return [0, 1, 2].map((k) => -(a[3] * across[0][k] + b[3] * across[1][k] + c[3] * across[2][k]) / volume);
}

/**
 * Where the lines of a picture meet, and how far from there its near plane reaches; null: they are parallel.
 * clip: as queries have it
 */
export function eyeOf(viewProjection, clip) {
    const row = (k) => [0, 1, 2, 3].map((column) => viewProjection[4 * column + k]);
    const [x, y, z, w] = [0, 1, 2, 3].map(row), sum = (a, b, sign) => a.map((number, k) => number + sign * b[k]);
    const eye = meeting(x, y, w), near = {'-1..1': sum(w, z, 1), '0..1': z, '1..0': sum(w, z, -1)}[clip];
    const corners = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([right, up]) => meeting(sum(w, x, right), sum(w, y, up), near));
    if (!eye || !corners.every((corner) => corner)) return null;
    const reach = Math.max(...corners.map((corner) => Math.hypot(...corner.map((number, k) => number - eye[k]))));
    return {eye, nearRadius: reach * (1 + 1e-6)};
}

export class Horizon {
    constructor(acre, options = {}) {
        checkNames('Horizon', options, ['columns', 'region']);
        checkAcre('Horizon', acre);
        this.isHorizon = true; // a mark, since `import` and `require` each have classes of their own
        this.acre = acre;
        acre.check(acre.calls.npm_horizon_create(options.columns ?? 0, acre.out), 'Horizon');
        this.at = acre.words(acre.out, 1)[0];
        this.room = new Room(acre);
        this.eye = [0, 0, 0];
        this.region = numbersOf(options.region ?? [0, 0, 0]);
    }

    live(call) {
        if (this.at === 0) throw invalid(`horizon.${call}`, 'it was disposed of');
    }

    /** Empties it for the eye of a view; a view without one, as in a parallel projection, hides nothing. */
    begin(viewProjection, {clip = '-1..1', ...rest} = {}) {
        checkNames('horizon.begin', rest, ['clip']);
        const matrix = numbersOf(viewProjection);
        if (matrix?.length !== 16) throw invalid('horizon.begin', 'a matrix has 16 numbers');
        if (!(clip in CLIPS)) throw invalid('horizon.begin', `a clip is one of ${Object.keys(CLIPS).join(', ')}`);
        const {eye, nearRadius} = eyeOf(matrix, clip) ?? {eye: NOWHERE, nearRadius: 0};
        return this.beginAt(eye, nearRadius);
    }

    /** The same for a place, and the distance from there to the farthest corner of the near plane. */
    beginAt(eye, nearRadius = 0) {
        this.live('beginAt');
        const {acre} = this, place = acre.put('horizon.beginAt', 7, eye, this.region, nearRadius);
        acre.check(acre.calls.npm_horizon_begin(this.at, place), 'horizon.beginAt');
        this.eye = Array.from(numbersOf(eye), Math.fround);
        return this;
    }

    add(...occluders) {
        this.live('add');
        const {acre} = this, words = occluderWords('horizon.add', occluders);
        const at = this.room.need(Math.max(4 * words.length, 8), 'horizon.add');
        acre.words(at, words.length).set(words);
        checkOccluders(acre, 'horizon.add', at, occluders.length);
        for (let i = 0; i < occluders.length; i++) acre.calls.npm_horizon_add(this.at, at + 4 * WORDS * i);
        return this;
    }

    hides(box) {
        this.live('hides');
        return this.acre.calls.npm_horizon_hides(this.at, this.acre.put('horizon.hides', 6, box)) !== 0;
    }

    get stats() {
        this.live('stats');
        this.acre.calls.npm_horizon_stats(this.at, this.acre.out);
        const [asked, dropped, kept, occluders, gaveUp] = this.acre.words(this.acre.out, 5);
        return {asked, dropped, kept, occluders, gaveUp: gaveUp !== 0};
    }

    dispose() {
        if (this.at === 0) return;
        this.acre.calls.npm_horizon_destroy(this.at);
        this.at = 0;
        this.room.free();
    }
}
if (Symbol.dispose) {
    Horizon.prototype[Symbol.dispose] = function dispose() {
        this.dispose();
    };
}
