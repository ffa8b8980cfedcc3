// SPDX-License-Identifier: MIT
// casters.js - castersOf: what may throw a shadow on something in a camera's picture, for each cascade.
//
// A caster is a box with a point p whose shadow p + t * light, 0 <= t <= distance, falls into a slice of the
// view. Each plane of the slice says n.p + d + t * (n.light) >= 0: a least or a largest t. What remains when t
// is gone are the planes that hold for each pair of a least and a largest one (elimination after Fourier and
// Motzkin).
import {checkNames, invalid, numbersOf} from './core.js';

const OPTIONS = ['splits', 'distance', 'clip', 'layers', 'exact', 'sorted'];
const PARALLEL = 1e-9; // of a plane's normal and the light

const combined = (a, x, b, y) => a.map((number, k) => number * x + b[k] * y);
const unit = (plane) => {
    const length = Math.hypot(plane[0], plane[1], plane[2]);
    return plane.map((number) => number / length);
};

// The sides of a view, and its near and far plane, with normals of length 1 that point inward.
function planesOf(matrix, clip) {
    const row = (k) => [0, 1, 2, 3].map((column) => matrix[4 * column + k]);
    const w = row(3), z = row(2), sum = combined(w, 1, z, 1), difference = combined(w, 1, z, -1);
    const ends = {'-1..1': [sum, difference], '0..1': [z, difference], '1..0': [difference, z]}[clip];
    return {sides: [0, 1].flatMap((k) => [combined(w, 1, row(k), 1), combined(w, 1, row(k), -1)]).map(unit), ends, w};
}

// The planes around all that can throw a shadow into these planes.
function extruded(planes, light, distance) {
    const along = planes.map(([x, y, z]) => x * light[0] + y * light[1] + z * light[2]), out = [];
    const least = planes.filter((_, i) => along[i] > PARALLEL), largest = planes.filter((_, i) => along[i] < -PARALLEL);
    const slopes = [along.filter((slope) => slope > PARALLEL), along.filter((slope) => slope < -PARALLEL)];
    planes.forEach((plane, i) => { if (along[i] <= PARALLEL) out.push(plane); });
    least.forEach((plane, i) => {
        largest.forEach((other, k) => out.push(combined(other, slopes[0][i], plane, -slopes[1][k])));
        if (distance < Infinity) out.push([plane[0], plane[1], plane[2], plane[3] + distance * slopes[0][i]]);
    });
    return out;
}

/**
 * What may throw a shadow into a view, from a Tree or a Culler. light: the direction in which it shines.
 * splits: rising depths, a slice between each two, of a view in perspective; without them the whole view is
 * one slice. @return an array of numbers for each slice
 */
export function castersOf(where, viewProjection, light, options = {}) {
    checkNames('castersOf', options, OPTIONS);
    const {splits, distance = Infinity, clip = '-1..1', ...query} = options;
    const matrix = numbersOf(viewProjection), direction = numbersOf(light), length = Math.hypot(...direction ?? []);
    if (matrix?.length !== 16) throw invalid('castersOf', 'a matrix has 16 numbers');
    if (!['-1..1', '0..1', '1..0'].includes(clip)) throw invalid('castersOf', 'a clip is one of -1..1, 0..1, 1..0');
    if (direction?.length !== 3 || !(length > 0 && length < Infinity)) {
        throw invalid('castersOf', 'light is the direction in which it shines, 3 numbers');
    }
    if (!(distance >= 0)) throw invalid('castersOf', 'the distance is 0 or larger');
    const {sides, ends, w} = planesOf(matrix, clip), toward = Array.from(direction, (number) => number / length);
    let slices = [ends.map(unit)];
    if (splits) {
        if (splits.length < 2 || !Array.from(splits).every((depth, i) => depth >= 0 && (i === 0 || depth > splits[i - 1]))) {
            throw invalid('castersOf', 'splits are two depths or more, and they rise');
        }
        const depth = unit(w);
        if (!depth.every(Number.isFinite)) throw invalid('castersOf', 'splits need a view in perspective');
        slices = Array.from(splits).slice(1).map((far, i) => [[depth[0], depth[1], depth[2], depth[3] - splits[i]],
            [-depth[0], -depth[1], -depth[2], far - depth[3]]]);
    }
    return slices.map((slice) => {
        // A far plane without a normal is endlessly far away.
        const planes = [...sides, ...slice].filter((plane) => plane.every(Number.isFinite));
        return where.queryPlanes(extruded(planes, toward, distance).flat(), query).slice();
    });
}
