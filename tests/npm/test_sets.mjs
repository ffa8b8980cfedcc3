// SPDX-License-Identifier: MIT
// test_sets.mjs - Interest, VisibleSet and castersOf of the npm package against plain loops.
//     node --test test_sets.mjs, in a project that has acre-culling
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {load, Culler, Interest, Tree, VisibleSet, castersOf, boxes, random, refuses, sorted, whole} from './common.mjs';

const acre = await load();
const COUNT = 800;
// Boxes within 100 of the origin, in a tree of their own.
function makeTree() {
    const tree = new Tree(acre, {halfSize: 128}), list = boxes(COUNT);
    for (let i = 0; i < 6 * COUNT; i += 6) for (let k = 0; k < 3; k++) moveTo(list, i, k, list[i + k] / 5);
    tree.reserve(COUNT);
    tree.boxes.set(list);
    tree.insertAll();
    return {tree, list};
}
function moveTo(list, at, k, low) {
    const size = list[at + k + 3] - list[at + k];
    list[at + k] = low;
    list[at + k + 3] = list[at + k] + size;
}
function drift({tree, list}) {
    for (let i = 0; i < 6 * COUNT; i += 6) for (const k of [0, 2]) moveTo(list, i, k, list[i + k] + random(-3, 3));
    tree.boxes.set(list);
    tree.refreshAll();
}
const gap = (list, item, place, axes) => Math.hypot(...axes.map((k) =>
    Math.max(list[6 * item + k] - place[k], place[k] - list[6 * item + k + 3], 0)));
const rowOf = ({first, count, items}, row) => Array.from(items.slice(first[row], first[row] + count[row]));
const less = (a, b) => a.filter((item) => !b.includes(item));

test('interest: lists of observers equal a loop over all boxes, tick by tick', () => {
    for (const isInSpace of [false, true]) {
        const world = makeTree(), {tree, list} = world, axes = isInSpace ? [0, 1, 2] : [0, 2];
        const interest = new Interest(tree, {isInSpace}), observers = new Map();
        for (let i = 0; i < COUNT; i++) tree.setLayers(i, 1 << i % 3);
        const make = () => ({place: [random(-90, 90), 0, random(-90, 90)], enterRadius: random(10, 40), layers: whole(0, 1) * 3,
            ...whole(0, 2) === 0 && {item: whole(0, COUNT - 1)}});
        let changes = 0;
        for (let tick = 0; tick < 20; tick++) {
            const def = make();
            def.leaveRadius = def.enterRadius + random(0, 5);
            observers.set(interest.add(def), {...def, seen: []});
            if (tick % 4 === 3) {
                const gone = Array.from(observers.keys())[whole(0, observers.size - 1)];
                interest.remove(gone);
                observers.delete(gone);
            }
            const [moving, moved] = observers.entries().next().value;
            moved.place = [random(-90, 90), 0, random(-90, 90)];
            interest.set(moving, {place: moved.place});
            drift(world);
            const {entered, left} = interest.update();
            assert.equal(entered.count.reduce((sum, count) => sum + count, 0), entered.items.length);
            for (const [row, observer] of observers) {
                const {item, enterRadius, leaveRadius, layers, seen: before} = observer;
                if (item !== undefined) observer.place = [0, 1, 2].map((k) => (list[6 * item + k] + list[6 * item + k + 3]) / 2);
                observer.seen = Array.from({length: COUNT}, (_, i) => i).filter((i) => {
                    const radius = before.includes(i) ? leaveRadius : enterRadius, distance = gap(list, i, observer.place, axes);
                    if (Math.abs(distance - radius) < 1e-3) return interest.seen(row).includes(i); // in doubt
                    return i !== item && distance <= radius && (layers === 0 || (layers & 1 << i % 3) !== 0);
                });
                assert.deepEqual(sorted(interest.seen(row)), observer.seen, `tick ${tick}, observer ${row}`);
                assert.deepEqual(rowOf(entered, row), less(observer.seen, before));
                assert.deepEqual(rowOf(left, row), less(before, observer.seen));
                changes += entered.count[row] + left.count[row];
            }
        }
        assert.ok(changes > 150, `${changes} changes`);
    }
    const interest = new Interest(makeTree().tree);
    refuses('INVALID_ARGUMENT', () => interest.add({enterRadius: 5, leaveRadius: 4}));
    refuses('INVALID_ARGUMENT', () => interest.add({enterRadius: 5, place: [0, NaN, 0]}));
    assert.throws(() => interest.add({enterradius: 5}), /the nearest is enterRadius/);
    refuses('INVALID_ARGUMENT', () => interest.set(7, {}));
    refuses('INVALID_ARGUMENT', () => new Interest(new Culler(acre)));
    assert.equal(interest.update().entered.items.length, 0);
});

// A camera at the origin that looks along -z and is turned: 90 degrees wide and high.
const multiply = (a, b) => Array.from({length: 16}, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + i % 4] * b[4 * Math.floor(i / 4) + k], 0));
function lookFrom([x, y, z], angle, near = 1, far = 80) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const turn = [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, 0, 0, 1], move = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1];
    const [a, b] = [(far + near) / (near - far), 2 * far * near / (near - far)];
    return multiply([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, a, -1, 0, 0, b, 0], multiply(turn, move));
}

test('visible sets: levels with hysteresis, what entered and left, as a loop over what is in view', () => {
    const world = makeTree(), {tree, list} = world, limits = [60, 25], minPixels = 8, hysteresis = 0.15, pixels = 240;
    const set = new VisibleSet(tree, {limits, minPixels, hysteresis}), all = [...limits, minPixels], last = new Map();
    let before = [], kept = 0;
    for (let frame = 0; frame < 60; frame++) {
        const eye = [30 * Math.sin(frame / 20), 0, 10], view = lookFrom(eye, frame / 15);
        drift(world);
        set.find(view, {eye, pixels});
        const inView = sorted(tree.queryFrustum(view)), now = new Map();
        for (const item of inView) {
            const at = list.subarray(6 * item, 6 * item + 6), distance = gap(list, item, eye, [0, 1, 2]);
            const size = distance === 0 ? Infinity : pixels * Math.hypot(at[3] - at[0], at[4] - at[1], at[5] - at[2]) / distance;
            // It gets coarser only where it is smaller than a limit by the hysteresis, and finer at the limit.
            const below = (factor) => all.filter((limit) => size < factor * limit).length;
            const level = last.has(item) ? Math.min(Math.max(last.get(item), below(1 - hysteresis)), below(1)) : below(1);
            kept += level !== below(1);
            now.set(item, level);
        }
        last.clear();
        for (const [item, level] of now) last.set(item, level);
        const expected = [0, 1, 2].map((level) => inView.filter((item) => now.get(item) === level));
        assert.deepEqual([0, 1, 2].map((level) => sorted(set.level(level))), expected, `frame ${frame}`);
        const visible = expected.flat().sort((a, b) => a - b);
        assert.deepEqual(sorted(set.visible), visible);
        assert.deepEqual(sorted(set.entered), less(visible, before));
        assert.deepEqual(sorted(set.left), less(before, visible));
        before = visible;
    }
    assert.ok(kept > 20 && set.starts.length === 4, `${kept} levels were kept`);
    set.clear();
    const view = lookFrom([0, 0, 0], 0), plain = new VisibleSet(tree);
    assert.deepEqual(sorted(set.find(view, {eye: [0, 0, 0], pixels}).entered), sorted(set.visible));
    assert.deepEqual(sorted(plain.find(view).visible), sorted(tree.queryFrustum(view)));
    assert.deepEqual([plain.level(0).length, plain.find(view).entered.length], [plain.visible.length, 0]);
    refuses('INVALID_ARGUMENT', () => set.find(view));
    refuses('INVALID_ARGUMENT', () => new VisibleSet(tree, {limits: [20, 30]}));
    assert.throws(() => new VisibleSet(tree, {minpixels: 30}), /the nearest is minPixels/);
    set.dispose();
});

// The planes of the smallest convex body around points: those of three of them with all others on one side.
function hullOf(points) {
    const planes = [], less3 = (a, b) => a.map((x, k) => x - b[k]);
    const cross = (a, b) => [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
    const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
    for (let i = 0; i < points.length; i++) {
        for (let k = 0; k < i; k++) {
            for (let m = 0; m < k; m++) {
                const normal = cross(less3(points[k], points[i]), less3(points[m], points[i])), length = Math.hypot(...normal);
                if (length < 1e-6) continue;
                const unit = normal.map((x) => x / length), sides = points.map((point) => dot(unit, less3(point, points[i])));
                if (sides.every((side) => side > -1e-6)) planes.push([...unit, -dot(unit, points[i])]);
                if (sides.every((side) => side < 1e-6)) planes.push([...unit.map((x) => -x), dot(unit, points[i])]);
            }
        }
    }
    return planes;
}

test('casters of cascades: none is lost, and none is outside of the slice and its way to the light', () => {
    const {tree, list} = makeTree(), culler = new Culler(acre, {halfSize: 128}), rowOfSlot = new Map();
    for (let i = 0; i < COUNT; i++) rowOfSlot.set(Culler.slotOf(culler.create({bounds: list.slice(6 * i, 6 * i + 6)})), i);
    culler.commit();
    const splits = [1, 12, 40];
    for (let round = 0; round < 10; round++) {
        const eye = [random(-40, 40), random(-5, 5), random(-40, 40)], angle = random(0, 6), distance = round % 2 ? 60 : 25;
        const light = [random(-1, 1), -random(0.2, 1), random(-1, 1)], length = Math.hypot(...light);
        const view = lookFrom(eye, angle), found = castersOf(tree, view, light, {splits, distance});
        assert.equal(found.length, 2);
        assert.deepEqual(castersOf(culler, view, light, {splits, distance}).map((slots) => sorted(slots.map((slot) => rowOfSlot.get(slot)))),
            found.map(sorted));
        const point = (x, y, depth) => { // of the picture, x and y from -1 to 1
            const [c, s] = [Math.cos(angle), Math.sin(angle)], seen = [x * depth, y * depth, -depth];
            return [eye[0] + c * seen[0] + s * seen[2], eye[1] + seen[1], eye[2] - s * seen[0] + c * seen[2]];
        };
        const toLight = (from, way) => from.map((x, k) => x - way * light[k] / length);
        found.forEach((items, slice) => {
            const [near, far] = [splits[slice], splits[slice + 1]], set = new Set(items);
            for (let i = 0; i < 4000; i++) {
                const place = toLight(point(random(-0.999, 0.999), random(-0.999, 0.999), random(near, far)), random(0, distance));
                for (const item of tree.queryPoint(place)) assert.ok(set.has(item), `round ${round}: ${item} is lost`);
            }
            const corners = [near, far].flatMap((depth) => [-1, 1].flatMap((x) => [-1, 1].map((y) => point(x, y, depth))));
            const hull = hullOf([...corners, ...corners.map((corner) => toLight(corner, distance))]);
            for (const item of items) {
                const box = list.subarray(6 * item, 6 * item + 6);
                assert.ok(hull.every(([x, y, z, d]) =>
                    x * box[x > 0 ? 3 : 0] + y * box[y > 0 ? 4 : 1] + z * box[z > 0 ? 5 : 2] + d > -1e-2), `round ${round}: ${item}`);
            }
        });
    }
    const view = lookFrom([0, 0, 0], 0), below = [0, -1, 0];
    assert.deepEqual(sorted(castersOf(tree, view, below, {distance: 0})[0]), sorted(tree.queryFrustum(view)));
    assert.ok(castersOf(tree, view, below)[0].length > tree.queryFrustum(view).length);
    refuses('INVALID_ARGUMENT', () => castersOf(tree, view, [0, 0, 0]));
    refuses('INVALID_ARGUMENT', () => castersOf(tree, view, below, {splits: [5, 4]}));
    refuses('INVALID_ARGUMENT', () => castersOf(tree, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], below, {splits: [4, 5]}));
    assert.throws(() => castersOf(tree, view, below, {split: [4, 5]}), /the nearest is splits/);
});
