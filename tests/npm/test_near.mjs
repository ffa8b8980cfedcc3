// SPDX-License-Identifier: MIT
// test_near.mjs - who is near whom: neighbors and pairs of the npm package against plain loops.
//     node --test test_near.mjs, in a project that has acre-culling
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {load, Tree, boxes, random, refuses} from './common.mjs';

test('neighbors and pairs equal loops over all boxes', async () => {
    const own = await load(), count = 700, tree = new Tree(own, {halfSize: 64}), other = new Tree(own, {halfSize: 64});
    const all = [tree, other].map((one) => {
        const list = boxes(count).map((edge, i) => (i % 6 < 3 ? edge / 40 : 0)); // near each other
        for (let i = 0; i < 6 * count; i++) if (i % 6 > 2) list[i] = Math.fround(list[i - 3] + random(0, 3));
        one.reserve(count);
        one.boxes.set(list);
        one.insertAll();
        return list;
    });
    const meets = (a, i, b, k) => [0, 1, 2].every((e) => a[6 * i + e] <= b[6 * k + 3 + e] && a[6 * i + 3 + e] >= b[6 * k + e]);
    const pairsOf = (found) => Array.from({length: found.length / 2}, (_, i) => found[2 * i] * count + found[2 * i + 1])
        .sort((a, b) => a - b);
    const expected = [[], []];
    for (let i = 0; i < count; i++) {
        for (let k = 0; k < count; k++) {
            if (i < k && meets(all[0], i, all[0], k)) expected[0].push(i * count + k);
            if (meets(all[0], i, all[1], k)) expected[1].push(i * count + k);
        }
    }
    assert.ok(expected[0].length > 100);
    assert.deepEqual(pairsOf(tree.pairs()), expected[0]);
    assert.deepEqual(pairsOf(tree.pairs(other)), expected[1]);
    const gap = (point, k) => Math.hypot(...[0, 1, 2].map((e) =>
        Math.max(all[0][6 * k + e] - point[e], point[e] - all[0][6 * k + 3 + e], 0)));
    const middle = (i) => [0, 1, 2].map((e) => (all[0][6 * i + e] + all[0][6 * i + 3 + e]) / 2);
    const rowsOf = ({first, count: counts, items}) => Array.from(first, (at, i) => Array.from(items.slice(at, at + counts[i])));
    const near = rowsOf(tree.neighbors(5));
    assert.equal(near.length, count);
    near.forEach((row, i) => {
        for (let k = 0; k < count; k++) {
            const distance = gap(middle(i), k);
            if (k !== i && Math.abs(distance - 5) > 1e-4) assert.equal(row.includes(k), distance < 5, `${i} ${k} ${distance}`);
        }
        assert.ok(!row.includes(i));
    });
    const spheres = new Float32Array(40).map(() => random(-40, 40));
    for (let i = 3; i < 40; i += 4) spheres[i] = Infinity;
    const nearest = tree.neighbors(0, {spheres, nearest: 6, withDistances: true});
    rowsOf(nearest).forEach((row, i) => {
        const sorted = Array.from({length: count}, (_, k) => gap(spheres.subarray(4 * i), k)).sort((a, b) => a - b);
        assert.equal(row.length, 6);
        row.forEach((k, place) => {
            assert.ok(Math.abs(gap(spheres.subarray(4 * i), k) - sorted[place]) < 1e-4);
            assert.ok(Math.abs(nearest.distances[nearest.first[i] + place] - sorted[place]) < 1e-4);
        });
    });
    for (let k = 0; k < count; k++) tree.setLayers(k, 1 << k % 3);
    rowsOf(tree.neighbors(9, {items: [3, 4], rowLayers: [2, 4]})).forEach((row, i) => {
        assert.ok(row.length > 0 && row.every((k) => k % 3 === [1, 2][i]));
    });
    refuses('INVALID_ARGUMENT', () => tree.neighbors(NaN));
    refuses('INVALID_ARGUMENT', () => tree.neighbors(1, {spheres: [1, 2, 3]}));
    refuses('INVALID_ARGUMENT', () => tree.neighbors(1, {item: [1]}));
    refuses('INVALID_ARGUMENT', () => tree.pairs({}));
    assert.throws(() => tree.neighbors(1, {items: [1, 5000, 2]}), ({code, report}) =>
        code === 'NOT_FOUND' && report.refused === 1 && report.firstRow === 1);
    tree.dispose();
    refuses('INVALID_ARGUMENT', () => tree.neighbors(1));
});
