// SPDX-License-Identifier: MIT
// test_scene.mjs - AcreScene: renderers and rays meet what they meet where three.js goes through all objects.
//     node --test test_scene.mjs, in a project that has acre-culling and three
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {folder, load, random, refuses, whole} from './common.mjs';

const three = await import(pathToFileURL(`${process.cwd()}/node_modules/three/build/three.module.js`));
const {AcreScene} = await import(pathToFileURL(`${folder}/three.js`));
const acre = await load();

// What WebGLRenderer does with an object, in its words: to find what it draws, and what throws shadows.
function project(object, camera, frustum, out) {
    if (!object.visible) return out;
    if (object.layers.test(camera.layers)) {
        if (object.isLOD) {
            if (object.autoUpdate) object.update(camera);
        } else if (object.isLight || object.isSprite) {
            out.push(object);
        } else if (object.isMesh || object.isLine || object.isPoints) {
            if (!object.frustumCulled || frustum.intersectsObject(object)) out.push(object);
        }
    }
    const {children} = object;
    for (let i = 0, count = children.length; i < count; i++) project(children[i], camera, frustum, out);
    return out;
}
function projectShadows(object, camera, shadowCamera, frustum, out) {
    if (!object.visible) return out;
    if (object.layers.test(camera.layers) && (object.isMesh || object.isLine || object.isPoints) && object.castShadow &&
        (!object.frustumCulled || frustum.intersectsObject(object))) {
        if (!(object instanceof AcreScene)) out.push(object);
        object.onBeforeShadow(null, object, camera, shadowCamera);
    }
    const {children} = object;
    for (let i = 0, count = children.length; i < count; i++) projectShadows(children[i], camera, shadowCamera, frustum, out);
    return out;
}
const frustumOf = (camera) => new three.Frustum().setFromProjectionMatrix(
    new three.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
// Whether the box of a Mesh is in the picture: three.js asks its sphere alone, which is larger.
const box = new three.Box3();
function isSeen(object, frustum) {
    if (!object.isMesh || object.isInstancedMesh || !object.frustumCulled) return true;
    box.copy(object.geometry.boundingBox).applyMatrix4(object.matrixWorld).expandByScalar(-1e-3);
    return frustum.intersectsBox(box);
}
const ids = (objects) => objects.map(({id}) => id).sort((a, b) => a - b);

const shapes = Array.from({length: 5}, (_, i) => new three.BoxGeometry(1 + i, 2, 1 + i % 2));
const material = new three.MeshBasicMaterial();
const mesh = () => {
    const made = new three.Mesh(shapes[whole(0, 4)], material);
    made.castShadow = whole(0, 1) === 1;
    if (whole(0, 9) === 0) made.layers.set(whole(0, 2));
    return made;
};
const place = (object) => {
    object.position.set(random(-90, 90), random(0, 5), random(-90, 90));
    object.rotation.y = random(0, 6);
    object.scale.setScalar(random(0.5, 2));
    return object;
};
// Whatever may lie in a scene; most are Meshes.
const kinds = [mesh, mesh, mesh, mesh, mesh, mesh, () => new three.Group(), () => new three.Object3D(),
    () => mesh().add(place(mesh())), () => mesh().add(new three.Object3D().add(place(mesh()))),
    () => new three.PointLight(), () => new three.Sprite(), () => mesh().add(new three.PointLight()),
    () => new three.Line(shapes[0], material), () => new three.InstancedMesh(shapes[0], material, 2),
    () => Object.assign(new three.Group(), {renderOrder: 1}).add(mesh()),
    () => new three.LOD().addLevel(mesh(), 0).addLevel(mesh(), 40)];
const make = () => place(kinds[whole(0, kinds.length - 1)]());

function all(world) {
    const out = [];
    world.traverse((object) => { if (object !== world) out.push(object); });
    return out;
}
const isWithin = (object, other) => {
    for (let above = other; above; above = above.parent) if (above === object) return true;
    return false;
};

// One change of what a program does with a scene.
function change(world) {
    // What an LOD shows and hides stays its own.
    const objects = all(world).filter(({parent}) => !parent.isLOD), one = objects[whole(0, objects.length - 1)];
    const step = whole(0, 9);
    if (step < 3) (whole(0, 2) === 0 ? world : one).add(make());
    else if (step === 3 && objects.length > 150) one.removeFromParent();
    else if (step < 6) place(one);
    else if (step === 6) {
        const groups = objects.filter((object) => !object.isMesh && object.children.length > 0), some = whole(0, 1) ? groups : objects;
        const hidden = some[whole(0, some.length - 1)];
        hidden.visible = !hidden.visible;
    }
    else if (step === 7 && one.isMesh && !one.isInstancedMesh) one.geometry = shapes[whole(0, 4)];
    else if (step === 8) {
        const other = objects[whole(0, objects.length - 1)];
        if (!isWithin(one, other)) other.add(one);
    } else if (one.isMesh && one.frustumCulled) {
        one.frustumCulled = false;
    }
}

const scene = new three.Scene(), world = new AcreScene(acre, null, {halfSize: 128});
scene.add(world);
for (let i = 0; i < 300; i++) (i % 3 === 0 ? world : world.children[whole(0, world.children.length - 1)]).add(make());
const camera = new three.PerspectiveCamera(50, 1.5, 0.5, 80), light = new three.OrthographicCamera(-20, 20, 20, -20, 1, 90);
camera.layers.enable(1);
const look = (eye, far) => {
    eye.position.set(random(-60, 60), random(2, 40), random(-60, 60));
    eye.lookAt(random(-far, far), 0, random(-far, far));
    eye.updateMatrixWorld();
};

test('renderers meet what they meet without it, whatever comes, goes and moves', () => {
    let drawn = 0;
    for (let frame = 0; frame < 200; frame++) {
        for (let i = 0; i < 6; i++) change(world);
        look(camera, 80);
        look(light, 20);
        scene.updateMatrixWorld();
        const passes = [[camera, (frustum) => project(scene, camera, frustum, [])],
            [light, (frustum) => projectShadows(scene, camera, light, frustum, [])]];
        for (const [eye, pass] of passes) {
            const frustum = frustumOf(eye), met = new Set(pass(frustum));
            world.autoUpdate = world.castShadow = false;
            const expected = pass(frustum), others = new Set(expected);
            world.autoUpdate = world.castShadow = true;
            for (const object of expected) assert.ok(met.has(object) || !isSeen(object, frustum), `frame ${frame}: one is lost`);
            for (const object of met) assert.ok(others.has(object), `frame ${frame}: one too many`);
            drawn += met.size;
        }
        world.instances.tree.validate();
    }
    assert.ok(world.stats.meshes > 100 && drawn > 5000, `${world.stats.meshes} meshes, ${drawn} drawn`);
});

test('rays hit what they hit without it; firstHitOnly gives the nearest', () => {
    let count = 0;
    const raycaster = new three.Raycaster();
    raycaster.camera = camera;
    for (let i = 0; i < 150; i++) {
        const eye = new three.Vector3(random(-90, 90), random(0, 9), random(-90, 90));
        raycaster.set(eye, new three.Vector3(random(-1, 1), random(-0.1, 0.1), random(-1, 1)).normalize());
        raycaster.far = i % 3 === 0 ? 50 : Infinity;
        const key = ({object, distance, faceIndex}) => `${distance} ${object.id} ${faceIndex}`;
        raycaster.firstHitOnly = false;
        const hits = raycaster.intersectObject(scene, true);
        const plain = new three.Group();
        plain.children = world.children;
        const expected = raycaster.intersectObject(plain, true);
        assert.deepEqual(hits.map(key).sort(), expected.map(key).sort());
        count += hits.length;
        raycaster.firstHitOnly = true;
        assert.deepEqual(raycaster.intersectObject(scene, true).map(({distance}) => distance),
            expected.slice(0, 1).map(({distance}) => distance));
    }
    assert.ok(count > 150, `${count} hits`);
});

test('few objects are met where few are seen', () => {
    const few = new AcreScene(acre, null, {halfSize: 512}), eye = new three.PerspectiveCamera(40, 1, 0.1, 40);
    for (let i = 0; i < 4000; i++) {
        few.add(new three.Mesh(shapes[0], material));
        few.children[i].position.set(random(-500, 500), 0, random(-500, 500));
    }
    few.updateMatrixWorld();
    eye.updateMatrixWorld();
    few.update(eye);
    assert.ok(few.children.length < 60, 'the next one who asks for children gets those that may be seen');
    assert.equal(few.children.length, 4000, 'and then all again');
    assert.deepEqual([few.stats.meshes, few.stats.left], [4000, 0]);
    few.clear();
    few.updateMatrixWorld();
    assert.deepEqual([few.stats.meshes, few.instances.tree.stats.items], [0, 0]);
    few.dispose();
    few.add(new three.Mesh(shapes[0], material));
    few.updateMatrixWorld();
    assert.equal(project(few, eye, frustumOf(eye), []).length, 1, 'after dispose three.js goes through all');
});

test('without autoSync it takes in what sync is told', () => {
    const own = new AcreScene(acre, null, {halfSize: 64, autoSync: false}), eye = new three.PerspectiveCamera(40, 1, 0.1, 60);
    const [a, b] = [new three.Group(), new three.Group()], one = new three.Mesh(shapes[0], material);
    const other = new three.Mesh(shapes[1], material);
    own.add(a, b);
    const outer = new three.Scene().add(own);
    a.add(one);
    one.position.z = -20;
    eye.updateMatrixWorld();
    const seen = () => {
        outer.updateMatrixWorld(); // which forces all below it
        own.update(eye);
        return own.children.slice();
    };
    assert.deepEqual(seen(), [one], 'the first time it takes in all');
    one.position.x = 900;
    b.add(other);
    other.position.z = -9;
    assert.deepEqual(seen(), [one]);
    assert.deepEqual(own.sync(one) && seen(), []);
    assert.deepEqual(own.sync(other) && seen(), [other]);
    a.add(other); // it goes to another parent
    assert.deepEqual([own.sync(other) && seen(), own.sync() && seen()], [[other], [other]]);
    other.removeFromParent();
    assert.deepEqual(own.sync(other) && seen(), []);
    a.position.x = -900;
    assert.deepEqual(own.sync(a) && seen(), [one]);
    own.remove(a);
    assert.deepEqual(own.sync() && seen(), []);
});

test('it stands between a root and its parent; a Scene, and other options, are refused', () => {
    const parent = new three.Scene(), root = new three.Group().add(new three.Mesh(shapes[0], material));
    parent.add(root);
    const between = new AcreScene(acre, root, {halfSize: 64});
    assert.ok(between.parent === parent && root.parent === between && parent.children.length === 1);
    const twin = between.clone(), json = between.toJSON();
    assert.equal(twin.children[0].children.length, 1);
    assert.equal(json.object.type, 'Group');
    assert.equal(json.object.children[0].children[0].type, 'Mesh');
    refuses('INVALID_ARGUMENT', () => new AcreScene(acre, parent));
    assert.throws(() => new AcreScene(acre, null, {halfsize: 4}), /the nearest is halfSize/);
});

test('a geometry that changed in place, a larger sphere, and matrices that are not finite', () => {
    const own = new AcreScene(acre, null, {halfSize: 64}), eye = new three.PerspectiveCamera(40, 1, 0.1, 40);
    const geometry = new three.BoxGeometry(), wide = new three.BoxGeometry();
    wide.boundingSphere = new three.Sphere(new three.Vector3(), 30); // for what its shader moves
    const [near, far] = [new three.Mesh(geometry, material), new three.Mesh(wide, material)];
    near.position.set(20, 0, -5);
    far.position.set(-20, 0, -5);
    own.add(near, far);
    eye.updateMatrixWorld();
    const seen = () => {
        own.updateMatrixWorld();
        return project(own, eye, frustumOf(eye), []).filter((object) => object !== own);
    };
    assert.deepEqual(seen(), [far]);
    geometry.scale(60, 1, 1);
    geometry.computeBoundingSphere();
    assert.deepEqual(ids(own.refresh(near) && seen()), ids([near, far]));
    near.rotation.y = Math.PI / 2; // along the way that the camera looks, beside it
    assert.deepEqual(seen(), [far]);
    near.rotation.y = 0;
    assert.deepEqual(ids(seen()), ids([near, far]));
    near.geometry = new three.BoxGeometry();
    assert.deepEqual(seen(), [far]);
    near.geometry = geometry;
    const {warn} = console, told = [];
    console.warn = (text) => told.push(text);
    near.name = 'gate';
    near.position.x = NaN;
    assert.deepEqual([seen(), seen()], [[far], [far]]);
    console.warn = warn;
    assert.deepEqual(told, ['acre: Mesh gate is not finite; it is hidden until it is']);
    near.position.x = 0;
    assert.deepEqual(ids(seen()), ids([near, far]));
});
