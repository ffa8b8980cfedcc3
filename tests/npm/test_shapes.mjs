// SPDX-License-Identifier: MIT
// test_shapes.mjs - every query of the npm package against plain loops in doubles, for trees and
// cullers of both modules.
//     node --test test_shapes.mjs, in a project that has acre-culling
//
// Coordinates are whole numbers, so that the loops are exact and many boxes touch a shape with no
// point to spare. Acre may count as touching what is farther away by a rounding (shapes.h), which is
// far less than DOUBT: the test first asserts that no box is in doubt, then wants equal sets.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {load, Tree, Culler, whole, sorted} from './common.mjs';

const DOUBT = 2 ** -11, COUNT = 4000, LAYER = 4;

const all = Array.from({length: COUNT}, (_, i) => {
    const low = [whole(-120, 120), whole(-60, 60), whole(-120, 120)];
    return [...low, ...low.map((edge) => edge + whole(0, i % 8 === 0 ? 150 : 12))];
});
const layersOf = all.map((_, i) => (i % 3 === 0 ? LAYER : 3));

// Definitions. Each says whether a box b touches the shape, grown by s.
const gap = (b, point, k) => Math.max(b[k] - point[k], point[k] - b[3 + k], 0);
const distance = (b, point, axes) => Math.sqrt(axes.reduce((sum, k) => sum + gap(b, point, k) ** 2, 0));
const near = (b, point, radius, axes) => distance(b, point, axes) <= radius;
const overlaps = (b, box, s) => [0, 1, 2].every((k) => b[k] <= box[3 + k] + s && b[3 + k] >= box[k] - s);

// The least distance between a box and a segment. On each piece between the places where a
// coordinate passes an edge, the square of the distance is one parabola.
function segmentDistance(b, from, to) {
    const along = from.map((start, k) => to[k] - start), cuts = [0, 1];
    for (let k = 0; k < 3; k++) {
        for (const edge of [b[k], b[3 + k]]) if (along[k] !== 0) cuts.push((edge - from[k]) / along[k]);
    }
    const inside = cuts.filter((t) => t >= 0 && t <= 1).sort((p, q) => p - q);
    const square = (t) => [0, 1, 2].reduce((sum, k) => sum + gap(b, from.map((x, i) => x + t * along[i]), k) ** 2, 0);
    let least = Infinity;
    for (let i = 0; i + 1 < inside.length; i++) {
        const [t0, t1] = [inside[i], inside[i + 1]], middle = (t0 + t1) / 2;
        let slope = 0, bend = 0;
        for (let k = 0; k < 3; k++) {
            const at = from[k] + middle * along[k], edge = at < b[k] ? b[k] : at > b[3 + k] ? b[3 + k] : null;
            if (edge === null) continue;
            slope += along[k] * (from[k] - edge);
            bend += along[k] ** 2;
        }
        const lowest = bend > 0 ? Math.min(Math.max(-slope / bend, t0), t1) : t0;
        least = Math.min(least, square(t0), square(t1), square(lowest));
    }
    return Math.sqrt(least);
}

// Where along a ray it enters the box that halfSize and s widen; null: nowhere.
function entry(b, origin, direction, length, halfSize, s) {
    const size = Math.hypot(...direction);
    let [from, to] = [0, (length + s) / size];
    for (let k = 0; k < 3; k++) {
        const low = b[k] - halfSize[k] - s - origin[k], high = b[3 + k] + halfSize[k] + s - origin[k];
        if (direction[k] === 0) {
            if (low > 0 || high < 0) return null;
        } else {
            const [t0, t1] = [low / direction[k], high / direction[k]];
            from = Math.max(from, Math.min(t0, t1));
            to = Math.min(to, Math.max(t0, t1));
        }
    }
    return from <= to ? from * size : null;
}

// A plane nx ny nz d with normals of any length: the farthest corner decides.
const before = (b, [x, y, z, d], s) => {
    const sum = x * b[x >= 0 ? 3 : 0] + y * b[y >= 0 ? 4 : 1] + z * b[z >= 0 ? 5 : 2] + d;
    return sum >= -s * Math.hypot(x, y, z);
};

// Matrices, column by column. The view turns by 3-4-5, scales by 5 and moves: whole numbers.
const multiply = (a, b) => Array.from({length: 16}, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + i % 4] * b[4 * Math.floor(i / 4) + k], 0));
const view = [4, 0, 3, 0, 0, 5, 0, 0, -3, 0, 4, 0, 10, -20, -30, 1];
// 90 degrees, from 64 to 576: a is (f + n) / (n - f), f / (n - f), n / (f - n), and b likewise exact.
const projection = (a, b) => multiply([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, a, -1, 0, 0, b, 0], view);
const PROJECTIONS = {'-1..1': projection(-1.25, -144), '0..1': projection(-1.125, -72),
    '1..0': projection(0.125, 72)};
// The planes of -w <= x <= w, -w <= y <= w, and of the clip's range of z.
function planesOf(matrix, clip) {
    const row = (k) => [0, 1, 2, 3].map((column) => matrix[4 * column + k]);
    const sum = (a, b, sign) => a.map((value, i) => value + sign * b[i]), w = row(3);
    const planes = [0, 1].flatMap((k) => [sum(w, row(k), 1), sum(w, row(k), -1)]);
    return [...planes, clip === '-1..1' ? sum(w, row(2), 1) : row(2), sum(w, row(2), -1)];
}

// Whether a box and a convex volume have a point in common: separating axes, with rounding.
const cross = (a, b) => [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
function meetsVolume(b, {corners, axes}, s) {
    return axes.every((axis) => {
        const along = corners.map((corner) => dot(corner, axis));
        const low = axis.reduce((sum, x, k) => sum + x * b[x >= 0 ? k : 3 + k], 0);
        const high = axis.reduce((sum, x, k) => sum + x * b[x >= 0 ? 3 + k : k], 0);
        return Math.max(...along) >= low - s - 1e-9 && Math.min(...along) <= high + s + 1e-9;
    });
}
// The volume of the projections above: the corners, seen from the eye, go back through the view.
const volume = (() => {
    const back = (eye) => {
        const moved = eye.map((x, k) => x - view[12 + k]);
        return [0, 1, 2].map((column) => dot(view.slice(4 * column, 4 * column + 3), moved) / 25);
    };
    const corners = [64, 576].flatMap((z) => [-z, z].flatMap((x) => [-z, z].map((y) => back([x, y, -z]))));
    const edges = [[0, 1], [0, 2], [0, 4], [1, 5], [2, 6], [3, 7]]
        .map(([a, b]) => corners[a].map((x, k) => corners[b][k] - x));
    const units = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const axes = [...units, ...planesOf(PROJECTIONS['-1..1'], '-1..1').map((plane) => plane.slice(0, 3)),
        ...edges.flatMap((edge) => units.map((unit) => cross(edge, unit)))];
    const unit = (axis) => axis.map((x) => x / Math.hypot(...axis));
    return {corners, axes: axes.filter((axis) => Math.hypot(...axis) > 1e-9).map(unit)};
})();

// name, the query's call, the definition
const SHAPES = [];
const add = (name, call, definition) => SHAPES.push({name, call, definition});
for (const box of [[-20, -9, -30, 31, 8, 5], [...all[8].slice(3), ...all[8].slice(3)], [-500, -500, -500, 500, 500, 500]]) {
    add(`queryBox ${box}`, (it, options) => it.queryBox(box, options), (b, s) => overlaps(b, box, s));
}
for (const point of [all[5].slice(0, 3), all[77].slice(3)]) {
    add(`queryPoint ${point}`, (it, options) => it.queryPoint(point, options),
        (b, s) => overlaps(b, [...point, ...point], s));
}
for (const [center, radius] of [[[10, -5, 20], 25], [[-60, 30, 0], 50], [all[9].slice(0, 3), 0]]) {
    add(`querySphere ${center}, ${radius}`, (it, options) => it.querySphere(center, radius, options),
        (b, s) => near(b, center, radius + s, [0, 1, 2]));
    const [x, , z] = center;
    add(`queryCircle ${x},${z}, ${radius}`, (it, options) => it.queryCircle([x, z], radius, options),
        (b, s) => near(b, center, radius + s, [0, 2]));
}
for (const [from, to, radius] of [[[-50, 0, 10], [50, 0, 10], 15], [[-10, -20, -20], [20, 40, 40], 5],
    [[3, 4, 5], [3, 4, 5], 20], [[0, -50, 0], [0, 50, 0], 0]]) {
    add(`queryCapsule ${from}, ${to}, ${radius}`, (it, options) => it.queryCapsule(from, to, radius, options),
        (b, s) => segmentDistance(b, from, to) <= radius + s + 1e-9);
}
for (const [origin, direction, options] of [[[0, 0, 0], [1, 0, 0], {}], [[-100, 3, -70], [3, 0, 4], {length: 150}],
    [[-40, -60, 50], [2, 3, -6], {halfSize: [4, 2, 5]}], [[9, 9, 9], [0, 0, -1], {length: 40, halfSize: [10, 10, 0]}],
    [all[11].slice(3), [0, -2, 0], {length: 0}], [[-5, 6, 7], [-1, -2, 2], {length: 60}]]) {
    const {length = Infinity, halfSize = [0, 0, 0]} = options;
    add(`queryRay ${origin}, ${direction}, ${JSON.stringify(options)}`,
        (it, more) => it.queryRay(origin, direction, {...options, ...more}),
        (b, s) => entry(b, origin, direction, length, halfSize, s) !== null);
}
for (const planes of [[], [1, 0, 0, -40], [1, 2, 2, -30, -3, 0, 4, 50, 0, -1, 0, 7]]) {
    const each = Array.from({length: planes.length / 4}, (_, p) => planes.slice(4 * p, 4 * p + 4));
    add(`queryPlanes ${planes}`, (it, options) => it.queryPlanes(planes, options),
        (b, s) => each.every((plane) => before(b, plane, s)));
}
// Every matrix by every clip: that of another clip has another near plane, and is a volume, too.
for (const [made, matrix] of Object.entries(PROJECTIONS)) {
    for (const clip of Object.keys(PROJECTIONS)) {
        const planes = planesOf(matrix, clip), text = `queryFrustum, a matrix for ${made} by ${clip}`;
        add(text, (it, options) => it.queryFrustum(matrix, {clip, ...options}),
            (b, s) => planes.every((plane) => before(b, plane, s)));
    }
    add(`queryFrustum, exact, ${made}`, (it, options) => it.queryFrustum(matrix, {clip: made, exact: true, ...options}),
        (b, s) => meetsVolume(b, volume, s));
}
const depthless = projection(0, 64);
add('queryFrustum, 1..0 without a far plane', (it, options) => it.queryFrustum(depthless, {clip: '1..0', ...options}),
    (b, s) => planesOf(depthless, '1..0').every((plane) => before(b, plane, s)));
add('queryFrustum without a clip', (it, options) => it.queryFrustum(PROJECTIONS['-1..1'], options),
    (b, s) => planesOf(PROJECTIONS['-1..1'], '-1..1').every((plane) => before(b, plane, s)));
add('queryAll', (it, options) => it.queryAll(options), () => true);

// The boxes in a tree, and in a culler, half of it static; with the item of each result.
function makeBoth(acre) {
    const tree = new Tree(acre, {halfSize: 256, nodeCapacity: 16}), culler = new Culler(acre, {halfSize: 256});
    const rowOf = new Map();
    tree.insertMany(all.map((_, i) => i), all.flat());
    all.forEach((box, i) => {
        const middle = [0, 1, 2].map((k) => Math.floor((box[k] + box[3 + k]) / 2));
        const entity = culler.create({translation: middle, bounds: box.map((edge, k) => edge - middle[k % 3]),
            layers: layersOf[i], isStatic: i % 2 === 0});
        rowOf.set(Culler.slotOf(entity), i);
        tree.setLayers(i, layersOf[i]);
    });
    culler.commit();
    return [{name: 'tree', it: tree, rows: (ids) => Array.from(ids)},
        {name: 'culler', it: culler, rows: (ids) => Array.from(ids, (slot) => rowOf.get(slot))}];
}

const modules = [await load({simd: true}), await load({simd: false})];
const objects = modules.map(makeBoth);

for (const {name, call, definition} of SHAPES) {
    test(name, () => {
        const expected = [];
        all.forEach((box, i) => {
            const touches = definition(box, 0);
            assert.equal(touches, definition(box, DOUBT), `box ${box} is in doubt`);
            if (touches) expected.push(i);
        });
        assert.ok(expected.length > 0, 'something is found');
        const ofLayer = expected.filter((i) => layersOf[i] === LAYER);
        for (const [which, both] of objects.entries()) {
            for (const [k, {name: kind, it, rows}] of both.entries()) {
                assert.deepEqual(sorted(rows(call(it))), expected, kind);
                assert.deepEqual(sorted(rows(call(it, {layers: LAYER}))), ofLayer, `${kind}, layers`);
                const inOrder = Array.from(call(it, {sorted: true}));
                assert.deepEqual(inOrder, sorted(inOrder), `${kind}, sorted`);
                assert.deepEqual(Array.from(call(it)), Array.from(call(objects[1 - which][k].it)),
                    `${kind}: both modules give the same ids in the same order`);
            }
        }
    });
}

test('the table has boxes that touch with nothing to spare, and exact ones drop some', () => {
    for (const method of ['queryBox', 'querySphere', 'queryCircle', 'queryCapsule', 'queryRay', 'queryPlanes']) {
        const grazed = SHAPES.filter(({name}) => name.startsWith(method)).some(({definition}) =>
            all.some((box) => definition(box, 0) && !definition(box, -DOUBT)));
        assert.ok(grazed, `${method}: a box touches`);
    }
    const [{it: tree}] = objects[0], matrix = PROJECTIONS['-1..1'];
    assert.ok(tree.queryFrustum(matrix, {exact: true}).length < tree.queryFrustum(matrix).length);
});

// The first `count` of all boxes by a distance, of equal ones the smaller number.
const firsts = (distanceOf, count, {layers = 0, maxDistance = 0}) => all
    .map((box, id) => ({id, distance: distanceOf(box)}))
    .filter(({id, distance}) => distance !== null && (maxDistance === 0 || distance <= maxDistance) &&
        (layers === 0 || (layersOf[id] & layers) !== 0))
    .sort((a, b) => a.distance - b.distance || a.id - b.id).slice(0, count);
const NEAR = [];
for (const options of [{}, {layers: LAYER}, {maxDistance: 10}, {maxDistance: 10, layers: LAYER}, {maxDistance: 0.5},
    {maxDistance: Infinity}]) {
    for (const [point, count] of [[[0, 0, 0], 12], [[130, 70, -130], 40], [all[3].slice(0, 3), 1], [[9, 8, 7], COUNT + 9],
        [[1, 1, 1], 0]]) {
        NEAR.push({name: `nearest ${point}, ${count}, ${JSON.stringify(options)}`,
            call: (it) => it.nearest(point, count, options), count, options,
            distanceOf: (b) => distance(b, point, [0, 1, 2])});
    }
    for (const [origin, direction, count, length] of [[[-150, 0, 0], [1, 0, 0], 5, undefined],
        [[-100, 3, -70], [3, 0, 4], 20, 100], [[50, 60, 50], [-2, -3, -6], COUNT, undefined]]) {
        NEAR.push({name: `firstHits ${origin}, ${direction}, ${count}, ${length}, ${JSON.stringify(options)}`, count,
            call: (it) => it.firstHits(origin, direction, count, {...options, length}), options,
            distanceOf: (b) => entry(b, origin, direction, length ?? Infinity, [0, 0, 0], 0)});
    }
}
for (const {name, call, count, options, distanceOf} of NEAR) {
    test(name, () => {
        const expected = firsts(distanceOf, count, options);
        for (const both of objects) {
            for (const {name: kind, it, rows} of both) {
                const hits = call(it);
                assert.deepEqual(rows(hits.map(({id}) => id)), expected.map(({id}) => id), kind);
                hits.forEach(({distance}, i) => assert.ok(
                    Math.abs(distance - expected[i].distance) <= 2 ** -20 * expected[i].distance, `${kind}: ${distance}`));
            }
        }
    });
}
