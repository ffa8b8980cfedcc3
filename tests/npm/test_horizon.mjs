// SPDX-License-Identifier: MIT
// test_horizon.mjs - occluders and horizons of the npm package: rays find nothing of what is left out.
//     node --test test_horizon.mjs, in a project that has acre-culling
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {Culler, Horizon, Instances, Tree, load, random, refuses, sorted, whole} from './common.mjs';

const acre = await load();
const HALF = [0, 1, 2];

// A camera at an eye that looks along x and z, column by column; near 0.1, far 500, 90 degrees wide.
function cameraAt(eye, [x, z], clip = '-1..1') {
    const length = Math.hypot(x, z), forward = [x / length, 0, z / length], right = [-forward[2], 0, forward[0]];
    const near = 0.1, far = 500, dot = (a) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2]);
    const depth = {'-1..1': [(far + near) / (far - near), -2 * far * near / (far - near)],
        '0..1': [far / (far - near), -far * near / (far - near)], '1..0': [-near / (far - near), far * near / (far - near)]}[clip];
    const rows = [[...right, dot(right)], [0, 1, 0, -eye[1]], forward.map((k) => k * depth[0]), [...forward, dot(forward)]];
    rows[2].push(depth[0] * dot(forward) + depth[1]);
    return [0, 1, 2, 3].flatMap((column) => rows.map((row) => row[column]));
}

// Whether a segment meets a box; a box without a bottom goes down for ever.
function meets(from, to, box) {
    let enter = 0, leave = 1;
    for (const k of HALF) {
        const way = to[k] - from[k], low = box[k], high = box[k + 3];
        if (way === 0 && (from[k] <= low || from[k] >= high)) return false;
        if (way === 0) continue;
        const [a, b] = [(low - from[k]) / way, (high - from[k]) / way];
        enter = Math.max(enter, Math.min(a, b));
        leave = Math.min(leave, Math.max(a, b));
    }
    return enter < leave;
}

// What rays to corners and to places within a box find: false where one arrives.
function raysSayHidden(eye, box, solids, own) {
    for (let i = 0; i < 40; i++) {
        const to = HALF.map((k) => (i < 8 ? box[k + 3 * (i >> k & 1)] : random(box[k], box[k + 3])));
        if (!solids.some((solid, item) => item !== own && meets(eye, to, solid))) return false;
    }
    return true;
}

// Houses in streets, and things between them. The first `houses` boxes are solid.
function makeTown() {
    const boxes = [];
    for (let i = 0; i < 400; i++) {
        const x = 20 * (i % 20) - 200 + random(0, 4), z = 20 * Math.floor(i / 20) - 200 + random(0, 4);
        boxes.push([x, 0, z, x + random(6, 13), random(4, 20), z + random(6, 13)].map(Math.fround));
    }
    const houses = boxes.length;
    for (let i = 0; i < 800; i++) {
        const x = random(-200, 200), y = random(0, 3), z = random(-200, 200);
        boxes.push([x, y, z, x + 1, y + 1, z + 1].map(Math.fround));
    }
    return {boxes, houses};
}

function streetViews(count) {
    return Array.from({length: count}, (_, i) => {
        const eye = [20 * whole(-8, 8) - 2, 1.7, random(-180, 180)], clip = ['-1..1', '0..1', '1..0'][i % 3];
        return {eye, clip, matrix: cameraAt(eye, [random(-1, 1), random(-1, 1)], clip)};
    });
}

// Every query with a horizon: a part of the plain answer, and what it leaves out is hidden.
function compare(views, boxes, houses, ask, horizon) {
    const solids = boxes.slice(0, houses);
    let found = 0, dropped = 0;
    for (const {eye, clip, matrix} of views) {
        const plain = sorted(ask(matrix, {clip})), kept = new Set(ask(matrix, {clip, horizon}));
        assert.ok([...kept].every((item) => plain.includes(item)));
        for (const item of plain.filter((one) => !kept.has(one))) {
            assert.ok(raysSayHidden(eye, boxes[item], solids, item), `item ${item} can be seen`);
            dropped++;
        }
        found += plain.length;
        assert.equal(horizon.stats.gaveUp, false);
    }
    assert.ok(dropped > 0.7 * found, `${dropped} of ${found}`);
}

test('horizon: what a tree leaves out is hidden, and most of a town is', () => {
    const {boxes, houses} = makeTown(), tree = new Tree(acre, {halfSize: 256}), horizon = new Horizon(acre);
    boxes.forEach((box, item) => tree.insert(item, box));
    for (let item = 0; item < houses; item++) {
        const [x0, , z0, x1, top, z1] = boxes[item], bottom = item % 2 ? 0 : -Infinity;
        tree.setOccluders(item, [item % 3 ? {points: [[x0, z0], [x1, z0], [x1, z1], [x0, z1]], bottom, top} : boxes[item]]);
    }
    const views = streetViews(6), ask = (matrix, options) => Array.from(tree.queryFrustum(matrix, options));
    compare(views, boxes, houses, ask, horizon);
    const {matrix, clip} = views[0], found = ask(matrix, {clip, horizon});
    assert.deepEqual(ask(matrix, {clip, horizon, sorted: true}), sorted(found));
    assert.ok(horizon.stats.occluders > 0 && horizon.stats.kept >= found.length);
    // Layers are those of a query; an occluder that is not asked for hides nothing.
    for (let item = 0; item < houses; item++) tree.setLayers(item, 1);
    for (let item = houses; item < boxes.length; item++) tree.setLayers(item, 2);
    assert.deepEqual(sorted(ask(matrix, {clip, horizon, layers: 2})), sorted(ask(matrix, {clip, layers: 2})));
    for (let item = 0; item < houses; item++) tree.setOccluders(item, []);
    assert.deepEqual(sorted(ask(matrix, {clip, horizon})), sorted(ask(matrix, {clip})));
    tree.dispose();
    horizon.dispose();
});

test('horizon: an item that moved away, or was removed, hides nothing', () => {
    const tree = new Tree(acre, {halfSize: 64}), horizon = new Horizon(acre), matrix = cameraAt([0, 1, 0], [1, 0]);
    const wall = [5, 0, -20, 6, 9, 20], behind = [20, 0, -1, 21, 1, 1], sees = () => sorted(tree.queryFrustum(matrix, {horizon}));
    const put = () => {
        tree.insert(0, wall);
        tree.insert(1, behind);
        tree.setOccluders(0, [wall]);
    };
    put();
    assert.deepEqual(sees(), [0]);
    tree.refresh(0, [5, 0, -40, 6, 9, 0]);
    assert.deepEqual(sees(), [0, 1]);
    tree.refresh(0, wall);
    assert.deepEqual(sees(), [0]);
    tree.remove(0);
    tree.insert(0, wall);
    assert.deepEqual(sees(), [0, 1]);
    tree.setOccluders(0, [wall]);
    tree.removeMany([0]);
    tree.insert(0, wall);
    assert.deepEqual(sees(), [0, 1]);
    tree.clear();
    put();
    assert.deepEqual(sees(), [0]);
    // A parallel projection has no eye.
    const parallel = [0, 0, -0.1, 0, 0, 0.1, 0, 0, 0.05, 0, 0, 0, 0, 0, 0, 1];
    assert.deepEqual(sorted(tree.queryFrustum(parallel, {horizon})), sorted(tree.queryFrustum(parallel)));
});

test('horizon: occluders of a culler move with their entities', () => {
    const {boxes, houses} = makeTown(), culler = new Culler(acre, {halfSize: 256}), horizon = new Horizon(acre);
    const entities = boxes.map((box) => {
        const middle = [box[0], 0, box[2]], own = box.map((edge, k) => edge - middle[k % 3]);
        return {own, entity: culler.create({bounds: own, translation: middle})};
    });
    entities.slice(0, houses).forEach(({own, entity}) => culler.setOccluders(entity, [own]));
    culler.commit();
    const slots = new Map(entities.map(({entity}, i) => [Culler.slotOf(entity), i]));
    const ask = (matrix, options) => Array.from(culler.queryFrustum(matrix, options), (slot) => slots.get(slot));
    compare(streetViews(3), boxes, houses, ask, horizon);
    refuses('INVALID_ARGUMENT', () => culler.queryFrustum(cameraAt([0, 1, 0], [1, 0]), {horizon, exact: true}));
    culler.destroy(entities[0].entity);
    refuses('STALE_HANDLE', () => culler.setOccluders(entities[0].entity, []));
});

test('horizon: instances share occluders, each with its matrix', () => {
    const {boxes, houses} = makeTown(), instances = new Instances(acre, houses, [0, 0, 0, 1, 1, 1], {halfSize: 256});
    const horizon = new Horizon(acre);
    instances.setOccluders([{points: [0, 0, 1, 0, 1, 1, 0, 1], bottom: 0, top: 1}]);
    for (let i = 0; i < houses; i++) {
        const [x0, y0, z0, x1, y1, z1] = boxes[i];
        instances.setMatrix(i, [x1 - x0, 0, 0, 0, 0, y1 - y0, 0, 0, 0, 0, z1 - z0, 0, x0, y0, z0, 1]);
    }
    const ask = (matrix, options) => {
        instances.cull([matrix], options);
        return Array.from(instances.visible);
    };
    compare(streetViews(3), boxes, houses, ask, horizon);
    const {matrix, clip} = streetViews(1)[0];
    const before = ask(matrix, {clip, horizon});
    instances.resize(4000); // the matrices lie elsewhere
    for (let i = houses; i < 4000; i++) instances.setShown(i, false);
    assert.deepEqual(ask(matrix, {clip, horizon}), before);
    refuses('INVALID_ARGUMENT', () => instances.cull([matrix, matrix], {clip, horizon}));
    instances.setBox([0, 0, 0, 2, 2, 2], 1);
    refuses('INVALID_ARGUMENT', () => instances.setOccluders([]));
});

test('horizon: by hand; a region hides less', () => {
    const matrix = cameraAt([0, 1, 0], [1, 0]), wall = [5, 0, -3, 6, 3, 3], horizon = new Horizon(acre);
    const behind = [20, 0, -1, 21, 1, 1], edge = [20, 0, 9, 21, 1, 10];
    assert.equal(horizon.begin(matrix).hides(behind), false);
    assert.equal(horizon.add(wall).hides(behind), true);
    assert.equal(horizon.hides(edge), true);
    assert.equal(horizon.begin(matrix).hides(behind), false); // empty again
    const wide = new Horizon(acre, {region: [0.5, 0.5, 0.5], columns: 1024});
    assert.equal(wide.begin(matrix).add(wall).hides(behind), true);
    assert.equal(wide.hides(edge), false);
    assert.equal(wide.beginAt([0, 1, 0], 9).add(wall).hides(behind), false); // the wall is within the near radius
});

test('horizon: the near plane may cut open what reaches into its corners, and no more', () => {
    const horizon = new Horizon(acre), behind = [20, 0.9, -1, 21, 1.1, 1], corner = 0.1 * Math.sqrt(3);
    for (const clip of ['-1..1', '0..1', '1..0']) {
        const matrix = cameraAt([0, 1, 0], [1, 0], clip), wallAt = (x) => [x, 0, -3, 6, 3, 3];
        assert.equal(horizon.begin(matrix, {clip}).add(wallAt(0.99 * corner)).hides(behind), false);
        assert.equal(horizon.begin(matrix, {clip}).add(wallAt(1.01 * corner)).hides(behind), true);
    }
});

test('horizon: from inside its box an item hides only what is two-sided', () => {
    const tree = new Tree(acre, {halfSize: 64}), horizon = new Horizon(acre), matrix = cameraAt([0, 1, 0], [1, 0]);
    const wall = {points: [5, -20, 6, -20, 6, 20, 5, 20], bottom: 0, top: 9};
    tree.insert(0, [-5, 0, -20, 6, 9, 20]);
    tree.insert(1, [20, 0, -1, 21, 1, 1]);
    for (const isTwoSided of [false, true]) {
        tree.setOccluders(0, [{...wall, isTwoSided}]);
        assert.deepEqual(sorted(tree.queryFrustum(matrix, {horizon})), isTwoSided ? [0] : [0, 1]);
    }
});

test('horizon: what is none is refused', () => {
    const tree = new Tree(acre), horizon = new Horizon(acre), matrix = cameraAt([0, 1, 0], [1, 0]);
    tree.insert(0, [0, 0, 0, 1, 1, 1]);
    const square = [0, 0, 1, 0, 1, 1, 0, 1];
    for (const bad of [{points: square, bottom: 1, top: 0}, {points: square.slice(4), top: 1}, {points: square.slice(1), top: 1},
        {points: [0, 0, 1, 0, 0, 1, 1, 1], top: 1}, {points: square, top: NaN}, {points: [...square, ...square, 0, 2], top: 1}, [0, 0, 0, 1, 1],
        {points: square, top: 1, isTwosided: true}, [0, 0, 0, 0, 1, 1], {top: 1}]) {
        refuses('INVALID_ARGUMENT', () => tree.setOccluders(0, [bad]));
        refuses('INVALID_ARGUMENT', () => horizon.add(bad));
    }
    refuses('INVALID_ARGUMENT', () => tree.setOccluders(-1, []));
    refuses('INVALID_ARGUMENT', () => tree.queryFrustum(matrix, {horizon: {}}));
    refuses('INVALID_ARGUMENT', () => tree.queryFrustum(matrix, {horizon, exakt: true}));
    refuses('INVALID_ARGUMENT', () => horizon.begin(matrix, {clip: '0..2'}));
    refuses('INVALID_ARGUMENT', () => horizon.begin([1]));
    refuses('INVALID_ARGUMENT', () => horizon.beginAt([0, NaN, 0]));
    refuses('INVALID_ARGUMENT', () => new Horizon(acre, {columns: 7}));
    refuses('INVALID_ARGUMENT', () => new Horizon(acre, {column: 512}));
    horizon.dispose();
    horizon.dispose();
    refuses('INVALID_ARGUMENT', () => horizon.begin(matrix));
    refuses('INVALID_ARGUMENT', () => tree.queryFrustum(matrix, {horizon}));
    tree.dispose();
    refuses('INVALID_ARGUMENT', () => tree.setOccluders(0, []));
});
