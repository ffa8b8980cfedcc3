// SPDX-License-Identifier: MIT
// test_three.mjs - AcreInstancedMesh in node: rows, rays, bounds and copies beside a plain InstancedMesh.
//     node --test test_three.mjs, in a project that has acre-culling and three
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {require, load, random, whole, sorted, refuses} from './common.mjs';

const three = await import(pathToFileURL(require.resolve('three').replace('.cjs', '.module.js')));
const {AcreInstancedMesh, AcreBatchedMesh} = await import(pathToFileURL(require.resolve('acre-culling/three')));
const acre = await load();
const material = new three.MeshBasicMaterial();
const camera = new three.PerspectiveCamera(60, 1.5, 0.1, 400);
const at = new three.Matrix4();

const anyMatrix = () => new three.Matrix4().compose(
    new three.Vector3(random(-300, 300), random(0, 30), random(-300, 300)),
    new three.Quaternion(random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)).normalize(),
    new three.Vector3(random(0.5, 3), random(0.5, 3), random(0.5, 3)));

// The same instances in both classes.
function both(count, options, geometry = new three.SphereGeometry(2, 7, 5)) {
    const mesh = new AcreInstancedMesh(acre, geometry, material, count, options);
    const plain = new three.InstancedMesh(geometry, material, count);
    for (const one of [mesh, plain]) {
        one.position.set(4, 1, -7);
        one.scale.set(1.5, 1, 2);
        one.rotation.set(0, 0.3, 0);
        one.updateMatrixWorld();
    }
    for (let row = 0; row < count; row++) {
        const matrix = anyMatrix();
        mesh.setMatrixAt(row, matrix);
        plain.setMatrixAt(row, matrix);
    }
    return {mesh, plain};
}

function look() {
    camera.position.set(random(-200, 200), random(2, 40), random(-200, 200));
    camera.lookAt(random(-200, 200), 0, random(-200, 200));
    camera.updateMatrixWorld();
}

// The rows whose box the camera's planes touch, as three.js says, in the space of the mesh.
function looped(mesh, rows) {
    const frustum = new three.Frustum().setFromProjectionMatrix(new three.Matrix4()
        .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(mesh.matrixWorld));
    return rows.filter((row) => frustum.intersectsBox(
        mesh.geometry.boundingBox.clone().applyMatrix4(mesh.getMatrixAt(row, at))));
}

test('rows come, go and hide; what is found is what is there', () => {
    const {mesh} = both(200);
    let rows = Array.from({length: 200}, (_, row) => row);
    const hidden = new Set();
    let most = 0;
    for (let round = 0; round < 150; round++) {
        const added = mesh.addInstances(whole(0, 20), (row) => mesh.setMatrixAt(row, anyMatrix()));
        rows.push(...added);
        for (const row of added) hidden.delete(row);
        const gone = rows.filter(() => random(0, 1) < 0.03);
        mesh.removeInstances(...gone);
        rows = rows.filter((row) => !gone.includes(row));
        for (const row of rows) {
            if (random(0, 1) < 0.05) {
                mesh.setVisibilityAt(row, hidden.has(row));
                if (!hidden.delete(row)) hidden.add(row);
            }
            if (random(0, 1) < 0.1) mesh.setMatrixAt(row, anyMatrix());
        }
        assert.equal(new Set(rows).size, rows.length, 'no row is given twice');
        assert.equal(mesh.instancesCount, rows.length);
        look();
        mesh.cull(camera);
        const shown = rows.filter((row) => !hidden.has(row)), found = new Set(mesh.visibleRows);
        assert.ok(shown.every((row) => mesh.getVisibilityAt(row)));
        assert.deepEqual(looped(mesh, shown).filter((row) => !found.has(row)), [], 'nothing visible is lost');
        assert.ok([...found].every((row) => shown.includes(row)), 'nothing else is found');
        mesh.instances.tree.validate();
        most = Math.max(most, rows.length);
    }
    assert.ok(most > 250 && mesh.capacity >= most);
    refuses('INVALID_ARGUMENT', () => mesh.removeInstances(rows[0], rows[0]));
    refuses('INVALID_ARGUMENT', () => mesh.removeInstances(mesh.capacity));
    assert.equal(mesh.instancesCount, rows.length, 'a refused call removes nothing');
    mesh.clearInstances();
    assert.equal(mesh.cull(camera), 0);
    assert.deepEqual(mesh.addInstances(3), [0, 1, 2]);
    mesh.dispose();
});

test('a ray hits all instances, as it hits those of a plain InstancedMesh', () => {
    const {mesh, plain} = both(600);
    const raycaster = new three.Raycaster();
    let hitCount = 0;
    for (let i = 0; i < 400; i++) {
        const from = new three.Vector3(random(-400, 400), random(-5, 60), random(-400, 400));
        const to = new three.Vector3(random(-400, 400), random(-5, 60), random(-400, 400));
        raycaster.set(from, to.sub(from).normalize());
        raycaster.near = i % 3 === 0 ? random(0, 100) : 0;
        raycaster.far = i % 4 === 0 ? random(100, 400) : Infinity;
        const words = (hits) => hits.map(({distance, instanceId, faceIndex}) => [distance, instanceId, faceIndex]);
        const expected = words(raycaster.intersectObject(plain));
        assert.deepEqual(words(raycaster.intersectObject(mesh)), expected);
        raycaster.firstHitOnly = true;
        assert.deepEqual(words(raycaster.intersectObject(mesh)).slice(0, 1), expected.slice(0, 1));
        raycaster.firstHitOnly = false;
        hitCount += expected.length;
    }
    assert.ok(hitCount > 50, `${hitCount} hits`);
    const row = 17;
    mesh.setVisibilityAt(row, false);
    const place = new three.Vector3().setFromMatrixPosition(mesh.getMatrixAt(row, at)).applyMatrix4(mesh.matrixWorld);
    raycaster.set(place.clone().add(new three.Vector3(0, 50, 0)), new three.Vector3(0, -1, 0));
    assert.ok(raycaster.intersectObject(plain).some(({instanceId}) => instanceId === row));
    assert.ok(!raycaster.intersectObject(mesh).some(({instanceId}) => instanceId === row), 'what is hidden is not hit');
    mesh.dispose();
});

test('a row that is not finite is hidden and told once; all others are found', () => {
    const {mesh} = both(300), {warn} = console, told = [];
    console.warn = (text) => told.push(text);
    try {
        look();
        mesh.cull(camera);
        for (const bad of [NaN, Infinity, -Infinity, 3e38]) {
            told.length = 0;
            const good = mesh.getMatrixAt(7, new three.Matrix4());
            mesh.setMatrixAt(7, new three.Matrix4().makeTranslation(1, 2, 3).multiplyScalar(bad));
            for (let frame = 0; frame < 3; frame++) {
                mesh.setMatrixAt(9, anyMatrix());
                look();
                mesh.cull(camera);
                const found = new Set(mesh.visibleRows), rows = Array.from({length: 300}, (_, row) => row);
                assert.ok(!found.has(7));
                assert.deepEqual(looped(mesh, rows.filter((row) => row !== 7)).filter((row) => !found.has(row)), []);
            }
            assert.deepEqual(told, ['acre: instance 7 is not finite; it is hidden until it is']);
            mesh.setMatrixAt(7, good);
            mesh.cull(camera);
            assert.ok(mesh.instances.tree.has(7));
        }
        mesh.matrices.fill(NaN);
        mesh.setAllMoved();
        assert.equal(mesh.cull(camera), 0);
        for (let row = 0; row < 300; row++) mesh.setMatrixAt(row, anyMatrix());
        mesh.cull(camera);
        assert.equal(mesh.instances.tree.stats.items, 300);
    } finally {
        console.warn = warn;
    }
    mesh.dispose();
});

test('bounds hold all that is shown, and little more', () => {
    const {mesh, plain} = both(100);
    mesh.computeBoundingBox();
    plain.computeBoundingBox();
    assert.ok(mesh.boundingBox.containsBox(plain.boundingBox));
    assert.ok(mesh.boundingBox.clone().expandByScalar(-0.01).min.x > plain.boundingBox.min.x - 1);
    assert.ok(plain.boundingBox.clone().expandByScalar(0.01).containsBox(mesh.boundingBox));
    mesh.computeBoundingSphere();
    const corner = new three.Vector3(), {min, max} = plain.boundingBox;
    for (let i = 0; i < 8; i++) {
        corner.set(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z);
        assert.ok(mesh.boundingSphere.distanceToPoint(corner) < 0.01);
    }
    for (let row = 1; row < 100; row++) mesh.setVisibilityAt(row, false);
    mesh.computeBoundingBox();
    const one = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.getMatrixAt(0, at));
    assert.ok(one.expandByScalar(0.01).containsBox(mesh.boundingBox));
    mesh.geometry = new three.BoxGeometry(40, 40, 40);
    mesh.computeBoundingBox();
    assert.ok(mesh.boundingBox.containsBox(new three.Box3(new three.Vector3(-20, -20, -20), new three.Vector3(20, 20, 20))
        .applyMatrix4(mesh.getMatrixAt(0, at)).expandByScalar(-0.01)), 'another geometry has another box');
    mesh.dispose();
    assert.throws(() => mesh.computeBoundingBox(), /disposed/);
});

test('clone and toJSON carry all rows, colors and attributes', () => {
    const {mesh, plain} = both(50, undefined, new three.BoxGeometry());
    for (let row = 0; row < 50; row++) {
        const color = new three.Color(random(0, 1), random(0, 1), random(0, 1));
        mesh.setColorAt(row, color);
        plain.setColorAt(row, color);
    }
    mesh.addAttribute('opacity', 1, 0.5).setAttributeAt(3, 'opacity', 0.25);
    mesh.setVisibilityAt(5, false);
    mesh.removeInstances(9);
    mesh.name = 'trees';
    const copy = mesh.clone();
    assert.notEqual(copy.geometry, mesh.geometry, 'its attribute is its own');
    assert.deepEqual([copy.name, copy.instancesCount, copy.position.x], ['trees', 49, 4]);
    for (let row = 0; row < 50; row++) {
        assert.deepEqual(copy.getMatrixAt(row, at).toArray(), mesh.getMatrixAt(row, new three.Matrix4()).toArray());
        assert.equal(copy.getVisibilityAt(row), mesh.getVisibilityAt(row));
        assert.ok(copy.getColorAt(row, new three.Color()).equals(mesh.getColorAt(row, new three.Color())));
    }
    copy.setAttributeAt(3, 'opacity', 1);
    assert.equal(mesh.drawn.get('opacity').rows[3], 0.25);
    assert.equal(copy.drawn.get('opacity').rows[4], 0.5);
    look();
    assert.equal(copy.cull(camera), mesh.cull(camera));
    const text = JSON.stringify(mesh.toJSON()), loaded = new three.ObjectLoader().parse(JSON.parse(text));
    assert.ok(loaded.isInstancedMesh && loaded.count === 49);
    for (let row = 0; row < 49; row++) {
        const from = row < 9 ? row : row + 1;
        assert.deepEqual(loaded.getMatrixAt(row, at).toArray(), plain.getMatrixAt(from, new three.Matrix4()).toArray());
        assert.ok(loaded.getColorAt(row, new three.Color()).equals(plain.getColorAt(from, new three.Color())));
    }
    assert.equal(mesh.drawn.get('instanceMatrix').attribute, mesh.instanceMatrix, 'writing changed nothing');
    copy.dispose();
    assert.equal(mesh.cull(camera), copy.count, 'a copy has memory of its own');
    mesh.dispose();
    mesh.dispose();
});

test('what is not carried is refused in words, and misspelt options with the nearest name', () => {
    const box = new three.BoxGeometry();
    const says = (call, pattern) => assert.throws(call, {code: 'INVALID_ARGUMENT', message: pattern});
    const skinned = box.clone().setAttribute('skinIndex', box.attributes.position);
    const morphed = box.clone();
    morphed.morphAttributes.position = [box.attributes.position];
    says(() => new AcreInstancedMesh(acre, skinned, material, 1), /skins are not carried/);
    says(() => new AcreInstancedMesh(acre, morphed, material, 1), /morph targets are not carried/);
    says(() => new AcreInstancedMesh(acre, box, material, 1, {halfsize: 9}), /no option halfsize; the nearest is halfSize/);
    says(() => new AcreInstancedMesh(box, material, 1), /the first argument is what load\(\) gives/);
    const {tree} = new AcreInstancedMesh(acre, box, material, 1).instances;
    says(() => tree.queryCircle([0, 0, 0], 9), /queryCircle: the center on the ground is x and z/);
    says(() => tree.queryCircle(new three.Vector3(), 9), /x and z/);
    says(() => new AcreInstancedMesh(acre, box, material, 1, {sort: true}), /nearest is sortObjects/);
    const mesh = new AcreInstancedMesh(acre, box, material, 2);
    says(() => mesh.setMorphAt(0, mesh), /morph targets/);
    for (const row of [2, -1, 0.5, NaN, undefined]) {
        says(() => mesh.setMatrixAt(row, at), /there are 2 rows/);
        says(() => mesh.getMatrixAt(row, at), /there are 2 rows/);
        says(() => mesh.setColorAt(row, new three.Color()), /there are 2 rows/);
        says(() => mesh.setVisibilityAt(row, true), /there are 2 rows/);
    }
    says(() => mesh.addAttribute('position', 3), /an attribute position already/);
    says(() => mesh.addAttribute('a', 5), /1 to 4 numbers/);
    says(() => mesh.setAttributeAt(0, 'b', 1), /no attribute b/);
    mesh.dispose();
});

test('near instances come first where that is asked', () => {
    const {mesh} = both(400, {sortObjects: true});
    look();
    const depths = () => {
        mesh.cull(camera);
        const view = at.multiplyMatrices(camera.matrixWorldInverse, mesh.matrixWorld).clone();
        return Array.from(mesh.visibleRows, (row) => -new three.Vector3()
            .setFromMatrixPosition(mesh.getMatrixAt(row, new three.Matrix4())).applyMatrix4(view).z);
    };
    const near = depths();
    assert.ok(near.length > 20 && near.every((depth, i) => i === 0 || depth >= near[i - 1] - 1e-3));
    const before = sorted(mesh.visibleRows);
    mesh.material = new three.MeshBasicMaterial({transparent: true});
    mesh.setMatrixAt(0, mesh.getMatrixAt(0, new three.Matrix4()));
    const far = depths();
    assert.ok(far.every((depth, i) => i === 0 || depth <= far[i - 1] + 1e-3));
    assert.deepEqual(sorted(mesh.visibleRows), before);
    mesh.dispose();
});

test('several cameras, in a list or one by one, find what one of them sees', () => {
    const {mesh} = both(500), second = camera.clone();
    look();
    second.position.set(100, 20, 0);
    second.lookAt(-100, 0, 0);
    const each = [camera, second].map((one) => (mesh.cull(one), sorted(mesh.visibleRows)));
    mesh.cull([camera, second]);
    const all = sorted(mesh.visibleRows);
    assert.deepEqual(all, sorted(new Set(each.flat())));
    mesh.cull(new three.ArrayCamera([camera, second]));
    assert.deepEqual(sorted(mesh.visibleRows), all);
    mesh.cull(camera, second);
    assert.deepEqual(sorted(mesh.visibleRows), all);
    mesh.dispose();
});

test('each visible instance is drawn at one level, by its size on the screen', () => {
    const {mesh} = both(800), [near, middle, far] = [0, 1, 2];
    const sphere = new three.SphereGeometry(2, 4, 3);
    mesh.addLOD(sphere, material, 120).addLOD(sphere, material, 40);
    assert.throws(() => mesh.addLOD(sphere, material, 50), {code: 'INVALID_ARGUMENT', message: /fall from level to level/});
    Object.assign(mesh, {castShadow: true, renderOrder: 3}); // also what is set later holds for all levels
    for (const {castShadow, renderOrder, layers} of mesh.children) {
        assert.deepEqual([castShadow, renderOrder, layers], [true, 3, mesh.layers]);
    }
    const counts = [0, 0, 0];
    for (let round = 0; round < 30; round++) {
        look();
        mesh.cull(camera);
        const seen = Array.from(mesh.visibleRows), drawn = mesh.levels.map((level) => level.mesh.count);
        assert.equal(drawn.reduce((sum, count) => sum + count), seen.length);
        assert.equal(new Set(seen).size, seen.length);
        const eye = camera.position.clone().applyMatrix4(mesh.matrixWorld.clone().invert()).toArray();
        const pixels = camera.projectionMatrix.elements[5] * 1080 / 2;
        seen.forEach((row, i) => {
            const edge = mesh.instances.tree.box(row), gap = (k) => Math.max(edge[k] - eye[k], eye[k] - edge[3 + k], 0);
            const size = pixels * Math.hypot(edge[3] - edge[0], edge[4] - edge[1], edge[5] - edge[2]) /
                Math.hypot(gap(0), gap(1), gap(2));
            if (Math.abs(size / 120 - 1) < 1e-3 || Math.abs(size / 40 - 1) < 1e-3) return;
            const level = i < drawn[near] ? near : i < drawn[near] + drawn[middle] ? middle : far;
            assert.equal(level, size < 40 ? far : size < 120 ? middle : near, `a size of ${size} pixels`);
            counts[level]++;
        });
    }
    assert.ok(counts.every((count) => count > 50), `${counts}`);
    const copy = mesh.clone();
    assert.deepEqual(copy.levels.map(({pixels}) => pixels), [Infinity, 120, 40]);
    assert.equal(copy.children.length, 2);
    assert.equal(copy.toJSON().object.children, undefined);
    copy.dispose();
    mesh.dispose();
});

test('hysteresis keeps a level while its limit is near', () => {
    const {mesh} = both(1, {hysteresis: 0.2}, new three.BoxGeometry(2, 2, 2));
    mesh.position.set(0, 0, 0);
    mesh.scale.set(1, 1, 1);
    mesh.rotation.set(0, 0, 0);
    mesh.setMatrixAt(0, at.identity());
    mesh.addLOD(new three.BoxGeometry(2, 2, 2), material, 100);
    const limit = camera.projectionMatrix.elements[5] * 540 * Math.sqrt(12) / 100; // where it has 100 pixels
    const levelAt = (distance) => {
        camera.position.set(0, 0, 1 + distance);
        camera.rotation.set(0, 0, 0);
        mesh.cull(camera);
        return mesh.count === 1 ? 0 : 1;
    };
    const path = [0.5, 0.99, 1.1, 1.2, 1.3, 1.1, 1.01, 0.9, 0.8, 1.1].map((part) => levelAt(part * limit));
    assert.deepEqual(path, [0, 0, 0, 0, 1, 1, 1, 0, 0, 0]);
    mesh.dispose();
});

test('a watcher is told which rows come into view and leave it', () => {
    const {mesh} = both(300), rows = new Set();
    let calls = 0;
    mesh.watch(camera, (entered, left) => {
        calls++;
        for (const row of left) assert.ok(rows.delete(row));
        for (const row of entered) {
            assert.ok(!rows.has(row));
            rows.add(row);
        }
    });
    for (let round = 0; round < 40; round++) {
        if (round % 4 !== 3) look();
        if (round % 5 === 0) mesh.setVisibilityAt(whole(0, 299), round % 2 === 0);
        mesh.cull(camera);
        assert.deepEqual(sorted(rows), sorted(mesh.visibleRows));
    }
    assert.ok(calls > 20 && calls < 40, `${calls} calls`);
    const before = calls;
    mesh.unwatch(camera);
    look();
    mesh.cull(camera);
    assert.equal(calls, before);
    assert.throws(() => mesh.watch(camera), {code: 'INVALID_ARGUMENT'});
    mesh.dispose();
});

// The same instances of three shapes in both classes.
function batches(count) {
    const shapes = [new three.BoxGeometry(2, 4, 2), new three.SphereGeometry(1.5, 8, 6), new three.ConeGeometry(1, 4, 7)];
    return [(...words) => new AcreBatchedMesh(acre, ...words), (...words) => new three.BatchedMesh(...words)].map((make) => {
        const mesh = make(count, 2000, 6000, material), ids = shapes.map((shape) => mesh.addGeometry(shape));
        mesh.sortObjects = false;
        for (let i = 0; i < count; i++) mesh.addInstance(ids[i % 3]);
        return mesh;
    });
}

test('AcreBatchedMesh draws what BatchedMesh draws, but for what only its spheres touch', () => {
    const count = 900, [mesh, plain] = batches(count), both = [mesh, plain];
    for (const one of both) {
        one.position.set(3, 0, 1);
        one.updateMatrixWorld();
    }
    for (let i = 0; i < count; i++) {
        const matrix = anyMatrix();
        for (const one of both) one.setMatrixAt(i, matrix);
    }
    let drawn = 0;
    for (let round = 0; round < 60; round++) {
        for (let i = 0; i < 40; i++) {
            const id = whole(0, count - 1), matrix = anyMatrix(), isVisible = random(0, 1) < 0.8, shape = whole(0, 2);
            for (const one of both) one.setMatrixAt(id, matrix).setVisibleAt(id, isVisible).setGeometryIdAt(id, shape);
        }
        const gone = whole(0, count - 1), sorts = round % 3 === 0;
        for (const one of both) {
            one.deleteInstance(gone);
            one.sortObjects = sorts;
        }
        const back = anyMatrix();
        for (const one of both) {
            assert.equal(one.addInstance(round % 3), gone);
            one.setMatrixAt(gone, back);
        }
        look();
        const lists = both.map((one) => {
            one._updateDrawParameters(camera, one.geometry, one.material);
            return Array.from({length: one._multiDrawCount}, (_, i) => [one._indirectTexture.image.data[i],
                one._multiDrawStarts[i], one._multiDrawCounts[i]].join());
        });
        const known = new Set(lists[1]), found = new Set(lists[0]), idOf = (line) => Number(line.split(',')[0]);
        const frustum = new three.Frustum().setFromProjectionMatrix(new three.Matrix4()
            .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(mesh.matrixWorld));
        const touches = (line) => frustum.intersectsBox(plain.getBoundingBoxAt(plain.getGeometryIdAt(idOf(line)),
            new three.Box3()).applyMatrix4(plain.getMatrixAt(idOf(line), at)).expandByScalar(1e-3));
        assert.ok(lists[0].every((line) => known.has(line) || touches(line)), 'nothing else is drawn');
        for (const line of lists[1]) assert.ok(found.has(line) || !touches(line), 'nothing visible is lost');
        const common = lists.map((list) => list.filter((line) => known.has(line) && found.has(line)));
        if (sorts) assert.deepEqual(common[0], common[1], 'in the same order');
        drawn += lists[0].length;
    }
    assert.ok(drawn > 2000, `${drawn}`);
    const raycaster = new three.Raycaster();
    let hits = 0;
    for (let i = 0; i < 200; i++) {
        const from = new three.Vector3(random(-300, 300), 60, random(-300, 300));
        raycaster.set(from, new three.Vector3(random(-1, 1), -0.4, random(-1, 1)).normalize());
        const words = both.map((one) => raycaster.intersectObject(one).map(({batchId, distance}) => [batchId, distance].join()));
        assert.deepEqual(words[0].sort(), words[1].sort());
        hits += words[0].length;
    }
    assert.ok(hits > 5, `${hits} hits`);
    const copy = mesh.clone();
    for (const one of [copy, mesh]) {
        one.sortObjects = true;
        one._updateDrawParameters(camera, one.geometry, one.material);
    }
    assert.deepEqual(copy._indirectTexture.image.data.slice(0, copy._multiDrawCount),
        mesh._indirectTexture.image.data.slice(0, mesh._multiDrawCount));
    assert.throws(() => new AcreBatchedMesh(acre, 1, 1, 1, material, {halfsize: 1}), {code: 'INVALID_ARGUMENT'});
    assert.throws(() => new AcreBatchedMesh(1, 1, 1, material), {code: 'INVALID_ARGUMENT', message: /what load\(\) gives/});
    copy.dispose();
    mesh.dispose();
});

// Whether a segment meets a box of half a unit to each side, moved by a matrix.
function meetsCube(from, to, matrix) {
    const inverse = matrix.clone().invert(), a = from.clone().applyMatrix4(inverse), b = to.clone().applyMatrix4(inverse);
    let enter = 0, leave = 1;
    for (const axis of ['x', 'y', 'z']) {
        const way = b[axis] - a[axis], ends = [(-0.5 - a[axis]) / way, (0.5 - a[axis]) / way].sort((x, y) => x - y);
        enter = Math.max(enter, ends[0]);
        leave = Math.min(leave, ends[1]);
    }
    return enter < leave;
}

test('with occluders, what is not drawn is hidden, and most of a town is; shadows have all', () => {
    const geometry = new three.BoxGeometry(), count = 300, turn = new three.Quaternion(), up = new three.Vector3(0, 1, 0);
    const occluders = [{points: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], bottom: -0.5, top: 0.5}];
    const {mesh} = both(count, {halfSize: 512, occluders}, geometry), {mesh: plain} = both(count, {halfSize: 512}, geometry);
    for (let row = 0; row < count; row++) {
        const place = new three.Vector3(16 * (row % 20) - 160 + random(0, 3), 4, 16 * Math.floor(row / 20) - 120);
        at.compose(place, turn.setFromAxisAngle(up, random(0, 1.5)), new three.Vector3(random(5, 10), random(8, 20), random(5, 10)));
        mesh.setMatrixAt(row, at);
        plain.setMatrixAt(row, at);
    }
    let found = 0, dropped = 0;
    for (let i = 0; i < 8; i++) {
        camera.position.set(24 * whole(-6, 6) + 3, 1.7, random(-100, 100));
        camera.lookAt(random(-200, 200), 2, random(-200, 200));
        camera.updateMatrixWorld();
        mesh.cull(camera);
        plain.cull(camera);
        const kept = new Set(mesh.visibleRows), worlds = Array.from({length: count}, (_, row) => mesh.getMatrixAt(row, at).clone().premultiply(mesh.matrixWorld));
        assert.ok([...kept].every((row) => plain.visibleRows.includes(row)));
        for (const row of Array.from(plain.visibleRows).filter((one) => !kept.has(one))) {
            dropped++;
            for (let k = 0; k < 30; k++) {
                const to = new three.Vector3(...[0, 1, 2].map((axis) => (k < 8 ? (k >> axis & 1) - 0.5 : random(-0.5, 0.5)))).applyMatrix4(worlds[row]);
                assert.ok(worlds.some((world, other) => other !== row && meetsCube(camera.position, to, world)), `row ${row}`);
            }
        }
        found += plain.visibleRows.length;
        // A light where the camera is: its shadow has all; two views have no horizon.
        mesh.find({views: [mesh.found.views[0]], clip: '-1..1', sizes: null, isShadow: true, camera});
        assert.equal(mesh.instances.visibleCount, plain.visibleRows.length);
        mesh.cull(camera, camera);
        assert.equal(mesh.instances.visibleCount, plain.visibleRows.length);
    }
    assert.ok(dropped > 0.5 * found, `${dropped} of ${found}`);
    const copy = mesh.clone();
    copy.cull(camera);
    mesh.cull(camera);
    assert.deepEqual(sorted(copy.visibleRows), sorted(mesh.visibleRows));
    mesh.setOccluders([]).cull(camera);
    assert.deepEqual([mesh.horizon, sorted(mesh.visibleRows)], [null, sorted(plain.visibleRows)]);
    const parallel = new three.OrthographicCamera(-50, 50, 50, -50, 0.1, 400);
    copy.cull(parallel);
    plain.cull(parallel);
    assert.deepEqual(sorted(copy.visibleRows), sorted(plain.visibleRows));
});
