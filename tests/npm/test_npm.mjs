// SPDX-License-Identifier: MIT
// test_npm.mjs - the installed npm package in node: sets equal to a plain loop's, errors, memory.
//     node test_npm.mjs, in a project that has acre-culling; with three where that is installed
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {require, load, Tree, Culler, Instances, random, boxes, sorted, refuses} from './common.mjs';

const touches = (a, i, b) => [0, 1, 2].every((k) => a[6 * i + k] <= b[3 + k] && a[6 * i + 3 + k] >= b[k]);
const loop = (all, count, is) => Array.from({length: count}, (_, i) => i).filter((i) => is(all, i));
// The definition of visible: frustum.h.
const inPlanes = (planes) => (all, i) => {
    for (let p = 0; p < planes.length; p += 4) {
        let sum = 0;
        for (let k = 0; k < 3; k++) {
            const corner = all[6 * i + (planes[p + k] >= 0 ? 3 : 0) + k];
            const term = Math.fround(planes[p + k] * corner);
            sum = k === 0 ? term : Math.fround(sum + term);
        }
        if (Math.fround(sum + planes[p + 3]) < 0) return false;
    }
    return true;
};

for (const simd of [true, false]) {
    const acre = await load({simd});

    test(`tree: queries equal a loop's (simd ${simd})`, () => {
        const tree = new Tree(acre, {halfSize: 512}), count = 20000;
        const all = boxes(count);
        tree.reserve(count);
        tree.boxes.set(all);
        tree.insertAll();
        for (let round = 0; round < 20; round++) {
            for (let i = 0; i < all.length; i++) all[i] += i % 6 < 3 ? -0.25 : 0.25;
            tree.boxes.set(all);
            tree.refreshAll();
            tree.maintain();
            const box = boxes(1);
            for (let k = 0; k < 3; k++) box[3 + k] += 100;
            assert.deepEqual(Array.from(tree.queryBox(box, {sorted: true})), loop(all, count, (a, i) => touches(a, i, box)));
            const planes = new Float32Array([random(-1, 1), random(-1, 1), random(-1, 1), random(-100, 100),
                random(-1, 1), random(-1, 1), random(-1, 1), random(-100, 100)]);
            assert.deepEqual(sorted(tree.queryPlanes(planes)), loop(all, count, inPlanes(planes)));
        }
        tree.validate();
        assert.equal(tree.queryAll().length, count);
        assert.deepEqual(Array.from(tree.box(7)), Array.from(all.subarray(42, 48)));
        tree.dispose();
        refuses('INVALID_ARGUMENT', () => tree.queryAll());
    });

    test(`tree: errors leave it as it was (simd ${simd})`, () => {
        const tree = new Tree(acre);
        tree.insert(3, [0, 0, 0, 1, 1, 1]);
        const before = tree.stateHash;
        refuses('EXISTS', () => tree.insert(3, [0, 0, 0, 1, 1, 1]));
        refuses('INVALID_ARGUMENT', () => tree.insert(4, [2, 0, 0, 1, 1, 1]));
        refuses('INVALID_ARGUMENT', () => tree.insert(4, [0, 0, 0, NaN, 1, 1]));
        refuses('INVALID_ARGUMENT', () => tree.insert(4, [0, 0, 0]));
        refuses('INVALID_ARGUMENT', () => tree.insert(1.5, [0, 0, 0, 1, 1, 1]));
        refuses('NOT_FOUND', () => tree.remove(9));
        refuses('INVALID_ARGUMENT', () => tree.queryFrustum(new Float32Array(16)));
        refuses('INVALID_ARGUMENT', () => new Tree(acre, {halfSize: -1}));
        assert.equal(tree.stateHash, before);
        assert.throws(() => tree.insertMany([3, 5], [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]),
            (error) => error.code === 'EXISTS' && error.report.refused === 1 && error.report.firstRow === 0);
        assert.ok(tree.has(5) && !tree.has(4));
        assert.deepEqual(tree.nearest([10, 0.5, 0.5], 1), [{id: 3, distance: 9}]);
        assert.equal(tree.firstHits([-5, 0.5, 0.5], [1, 0, 0], 2)[0].distance, 5);
        tree.setLayers(5, 2);
        assert.deepEqual(Array.from(tree.queryAll({layers: 2, sorted: true})), [3, 5]);
        assert.deepEqual(Array.from(tree.queryAll({layers: 4})), [3]);
        tree.dispose();
        tree.dispose();
    });

    test(`views survive growth through their accessors (simd ${simd})`, async () => {
        const own = await load({simd}), tree = new Tree(own);
        tree.reserve(10);
        tree.boxes.fill(1);
        const stale = tree.boxes, before = own.memoryBytes;
        tree.reserve(2000000);
        assert.ok(own.memoryBytes > before);
        assert.equal(stale.length, 0);
        assert.deepEqual(Array.from(tree.boxes.subarray(0, 60)), new Array(60).fill(1));
        tree.dispose();
    });

    test(`culler: entities and their parents (simd ${simd})`, () => {
        const culler = new Culler(acre, {halfSize: 512}), bounds = [-1, -1, -1, 1, 1, 1];
        const car = culler.create({translation: [100, 0, 0], bounds});
        const wheel = culler.create({parent: car, translation: [0, 5, 0], bounds});
        const house = culler.create({translation: [-100, 0, 0], bounds, isStatic: true});
        culler.commit();
        assert.deepEqual(Array.from(culler.queryBox([90, -9, -9, 110, 9, 9], {sorted: true})),
            [Culler.slotOf(car), Culler.slotOf(wheel)]);
        culler.setTransforms([car], [-50, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        culler.commit();
        assert.deepEqual(Array.from(culler.worldMatrix(wheel).subarray(12)), [-50, 5, 0, 1]);
        const found = culler.queryBox([-60, -9, -9, -40, 9, 9], {sorted: true});
        assert.deepEqual(Array.from(culler.gatherMatrices(found).subarray(12, 16)), [-50, 0, 0, 1]);
        assert.equal(culler.entityAt(Culler.slotOf(house)), house);
        culler.destroy(car);
        assert.ok(!culler.isAlive(wheel) && culler.isAlive(house));
        refuses('STALE_HANDLE', () => culler.setTransform(wheel, {}));
        refuses('INVALID_ARGUMENT', () => culler.setTransform(house, {rotation: [0, 0, 0, 0]}));
        culler.commit();
        culler.validate();
        assert.deepEqual(Array.from(culler.queryAll()), [Culler.slotOf(house)]);
        culler.dispose();
    });

    test(`instances: boxes hold what the matrices move (simd ${simd})`, () => {
        const count = 3000, instances = new Instances(acre, count, [-1, 0, -2, 3, 4, 5]);
        const {matrices} = instances;
        for (let i = 0; i < matrices.length; i++) {
            matrices[i] = i % 16 === 15 ? 1 : i % 4 === 3 ? 0 : random(-3, 3) * (i % 16 > 11 ? 100 : 1);
        }
        assert.equal(instances.cull([[0.004, 0, 0, 0, 0, 0.004, 0, 0, 0, 0, 0.004, 0, 0, 0, 0, 1]]),
            instances.visible.length);
        for (let i = 0; i < count; i++) {
            const box = Array.from(instances.tree.box(i)), m = instances.matrices.subarray(16 * i, 16 * i + 16);
            for (const x of [-1, 3]) for (const y of [0, 4]) for (const z of [-2, 5]) {
                for (let k = 0; k < 3; k++) {
                    const at = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
                    assert.ok(box[k] <= at && at <= box[3 + k]);
                }
            }
        }
        const [a, b] = [[0.1, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 1],
            [0.01, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 1]];
        const each = [a, b].map((view) => (instances.cull([view]), Array.from(instances.visible)));
        instances.cull([a, b]);
        assert.deepEqual(sorted(instances.visible), sorted(new Set(each.flat())));
        instances.gather(true);
        const row = instances.visible[0];
        assert.deepEqual(instances.visibleMatrices.slice(0, 16), instances.matrices.slice(16 * row, 16 * row + 16));
        instances.matrices[16 * 9 + 12] = 7000;
        instances.setMoved(9);
        instances.refresh();
        assert.ok(instances.tree.box(9)[3] >= 7000);
        instances.dispose();
    });
}

test('what a query returned may be handed back, also where the memory grows', async () => {
    const acre = await load(), tree = new Tree(acre);
    let hasGrown = false;
    for (let count = 10000; count < 200000 && !hasGrown; count += 10000) {
        const all = boxes(count);
        for (let i = 0; i < count; i += 1000) {
            tree.insertMany(Uint32Array.from({length: 1000}, (_, k) => i + k), all.subarray(6 * i, 6 * i + 6000));
        }
        const found = tree.queryAll(), before = acre.memoryBytes;
        tree.removeMany(found);
        assert.equal(tree.stats.items, 0);
        hasGrown = acre.memoryBytes > before;
    }
    assert.ok(hasGrown, 'the memory grew while a result was handed back');
    tree.dispose();
    for (const call of [() => tree.boxes, () => tree.queryAll(), () => tree.nearest([0, 0, 0], 1)]) {
        assert.throws(call, /disposed/);
    }
});

test('both modules have the same bits', async () => {
    const all = boxes(5000), hashes = [];
    for (const simd of [true, false]) {
        const tree = new Tree(await load({simd}));
        tree.insertMany(Uint32Array.from({length: 5000}, (_, i) => i), all);
        for (let i = 0; i < 5000; i += 3) tree.refresh(i, all.subarray(6 * i, 6 * i + 6).map((edge) => edge + 3));
        tree.maintain();
        hashes.push(tree.stateHash);
    }
    assert.equal(hashes[0], hashes[1]);
});

test('require gives the same package', async () => {
    const common = require('acre-culling');
    const tree = new common.Tree(await common.load());
    tree.insert(1, [0, 0, 0, 1, 1, 1]);
    assert.deepEqual(Array.from(tree.queryPoint([1, 1, 1])), [1]);
});

let three = null;
try {
    three = await import(pathToFileURL(require.resolve('three').replace('.cjs', '.module.js')));
} catch {
    console.log('three is not installed: AcreInstancedMesh is left out');
}
test('AcreInstancedMesh draws what its camera sees', {skip: !three}, async () => {
    const {AcreInstancedMesh} = await import(pathToFileURL(require.resolve('acre-culling/three')));
    const count = 5000, mesh = new AcreInstancedMesh(await load(), new three.BoxGeometry(2, 2, 2),
        new three.MeshBasicMaterial(), count, {autoCull: false});
    mesh.position.set(10, 0, 5);
    const at = new three.Matrix4(), frustum = new three.Frustum();
    for (let i = 0; i < count; i++) {
        mesh.setMatrixAt(i, at.makeTranslation(random(-500, 500), random(0, 20), random(-500, 500)));
    }
    const camera = new three.PerspectiveCamera(60, 1.5, 0.1, 300);
    camera.position.set(0, 10, 100);
    camera.lookAt(50, 0, -40);
    const drawn = mesh.cull(camera), found = new Set(mesh.visibleRows);
    assert.equal(drawn, mesh.count);
    assert.ok(drawn > 50 && drawn < count / 2);
    frustum.setFromProjectionMatrix(new three.Matrix4().multiplyMatrices(camera.projectionMatrix,
        camera.matrixWorldInverse.copy(camera.matrixWorld).invert()));
    let inside = 0;
    for (let i = 0; i < count; i++) {
        mesh.getMatrixAt(i, at);
        const box = mesh.geometry.boundingBox.clone().applyMatrix4(at).applyMatrix4(mesh.matrixWorld);
        inside += frustum.intersectsBox(box);
        assert.ok(!frustum.intersectsBox(box) || found.has(i), 'three.js sees an instance that Acre left out');
    }
    assert.ok(drawn - inside <= 2, `${drawn} drawn, three.js sees ${inside}`);
    const shoot = (row) => {
        mesh.getMatrixAt(row, at);
        const [x, y, z] = new three.Vector3().setFromMatrixPosition(at).applyMatrix4(mesh.matrixWorld).toArray();
        const ray = new three.Raycaster(new three.Vector3(x, y + 1.5, z), new three.Vector3(0, -1, 0), 0, 1);
        return ray.intersectObject(mesh).map((hit) => hit.instanceId);
    };
    const seen = mesh.visibleRows[0], unseen = Array.from({length: count}, (_, i) => i).find((row) => !found.has(row));
    assert.ok(shoot(seen).includes(seen), 'a ray meets a drawn instance');
    assert.ok(shoot(unseen).includes(unseen), 'a ray meets an instance that no camera sees');
    mesh.setColorAt(seen, new three.Color(1, 0.5, 0.25));
    mesh.cull(camera);
    const place = Array.from(mesh.visibleRows).indexOf(seen);
    assert.deepEqual(Array.from(mesh.instanceColor.array.slice(3 * place, 3 * place + 3)), [1, 0.5, 0.25]);
    mesh.dispose();
    assert.throws(() => mesh.setMatrixAt(0, at), /disposed/);
});
