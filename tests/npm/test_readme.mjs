// SPDX-License-Identifier: MIT
// test_readme.mjs - the samples of the package's README run as they stand there.
//     node --test test_readme.mjs, in a project that has acre-culling; with three where that is installed
//
// Each block ```js becomes a module of the project. Before it stand the names that it uses and does not
// make; after it, an export of those that it makes.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {Worker as Thread} from 'node:worker_threads';
import {pathToFileURL} from 'node:url';
import {folder, load, Culler, Tree, boxes, sorted} from './common.mjs';

const page = readFileSync(`${folder}/README.md`, 'utf8');
const samples = Array.from(page.matchAll(/^```js\n([^]*?)^```$/gm), ([, text]) => text);

async function run(number, given, makes) {
    globalThis.given = given;
    const path = `${process.cwd()}/readme_${number + 1}.mjs`;
    writeFileSync(path, `const {${Object.keys(given)}} = globalThis.given;\n${samples[number]}\nexport {${makes}};\n`);
    try {
        return await import(pathToFileURL(path));
    } finally {
        delete globalThis.given;
    }
}

const orthographic = [0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 1]; // 100 to each side

test('the README has eight samples, and all are run below', () => assert.equal(samples.length, 8));

test('the sample without three.js draws what is in view', async () => {
    const count = 100000, before = boxes(count), movedBoxes = before.map((edge, i) => edge + (i % 6 % 3 === 0 ? 50 : 0));
    const viewProjection = orthographic, drawn = [];
    const draw = (item) => drawn.push(item);
    const {acre, tree} = await run(1, {boxes: before, movedBoxes, viewProjection, draw}, 'acre, tree');
    assert.equal(acre.simd, true);
    assert.equal(tree.stats.items, count);
    const sees = (i) => [0, 1, 2].every((k) => movedBoxes[6 * i + k] <= 100 && movedBoxes[6 * i + 3 + k] >= -100);
    assert.deepEqual(sorted(drawn), Array.from({length: count}, (_, i) => i).filter(sees));
    assert.ok(tree instanceof Tree && drawn.length > 100);
});

test('the sample of sets lists what is near, what is seen and what throws shadows', async () => {
    const count = 20000, tree = new Tree(await load(), {halfSize: 512}), drawn = [];
    tree.reserve(count);
    tree.boxes.set(boxes(count));
    tree.insertAll();
    const viewProjection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.001, -1, 0, 0, -1, 0]; // from the origin along -z
    const {news, set, cascades} = await run(3, {tree, viewProjection, eye: [0, 0, 0], height: 6000, fov: Math.PI / 2,
        sunDirection: [1, -2, 0], draw: (item) => drawn.push(item)}, 'news, set, cascades');
    const middle = Array.from(tree.box(7)).slice(0, 3).map((low, k) => (low + tree.box(7)[k + 3]) / 2);
    assert.deepEqual(sorted(news), sorted(tree.queryCircle([middle[0], middle[2]], 60)).filter((item) => item !== 7));
    const seen = new Set(tree.queryFrustum(viewProjection));
    assert.ok(set.visible.length > 100 && drawn.length > 0, `${set.visible.length} of ${seen.size}, ${set.starts}`);
    assert.ok(set.visible.every((item) => seen.has(item)));
    assert.deepEqual([drawn, sorted(set.entered)], [Array.from(set.level(0)), sorted(set.visible)]);
    assert.ok(cascades.length === 2 && cascades[1].length > cascades[0].length && cascades[0].length > 0);
});

test('the sample of horizons draws what is not hidden', async () => {
    const acre = await load(), tree = new Tree(acre), culler = new Culler(acre), item = 3, drawn = [], logged = [];
    tree.insert(item, [-4, 0, -3, 4, 6, 3]);
    tree.insert(5, [-1, 0, -9, 1, 2, -8]);
    const entity = culler.create({bounds: [0, 0, 0, 9, 3, 1]});
    const viewProjection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.001, -1, 0, -1, 19, 20]; // from 0, 1, 20 along -z
    const {horizon} = await run(5, {acre, tree, culler, item, entity, viewProjection, draw: (one) => drawn.push(one),
        console: {log: (one) => logged.push(one)}}, 'horizon');
    assert.deepEqual([drawn, logged[0].dropped, horizon.hides([-1, 0, -9, 1, 2, -8])], [[item], 1, true]);
});

test('the samples of workers find in a worker what is in view', {timeout: 20000}, async () => {
    // node has workers of its own kind: these lines make them speak as those of the web do.
    const web = "import {parentPort} from 'node:worker_threads';\nglobalThis.self = globalThis;\n" +
        'globalThis.postMessage = (data, list) => parentPort.postMessage(data, list);\n' +
        "parentPort.on('message', (data) => globalThis.onmessage({data}));\n";
    writeFileSync(`${process.cwd()}/cull.mjs`, web + samples[6]);
    class Worker extends Thread {
        constructor(url) {
            super(new URL(url.href.replace(/js$/, 'mjs')));
            this.on('message', (data) => this.onmessage({data}));
        }
    }
    const count = 5000, list = boxes(count);
    let made = null;
    const seen = await new Promise((done) => {
        const found = [];
        const draw = (item, i, visible) => {
            found.push(item);
            if (found.length === visible.length) done(found);
        };
        made = run(7, {Worker, draw, boxes: list, viewProjection: orthographic}, 'worker');
    });
    await (await made).worker.terminate();
    const sees = (i) => [0, 1, 2].every((k) => list[6 * i + k] <= 100 && list[6 * i + 3 + k] >= -100);
    assert.deepEqual(sorted(seen), Array.from({length: count}, (_, i) => i).filter(sees));
});

const look = (camera) => {
    camera.updateMatrixWorld();
    return camera;
};
const hasThree = existsSync(`${process.cwd()}/node_modules/three`);
test('the sample with three.js draws what the camera sees', {skip: !hasThree}, async () => {
    const three = await import(pathToFileURL(`${process.cwd()}/node_modules/three/build/three.module.js`));
    const camera = new three.PerspectiveCamera(60, 1, 0.1, 100), i = 7;
    camera.position.set(500, 0, 20);
    const {mesh} = await run(0, {geometry: new three.BoxGeometry(), scene: new three.Scene(), i,
        material: new three.MeshBasicMaterial(), matrix: new three.Matrix4().makeTranslation(500, 0, 0)}, 'mesh');
    assert.ok(mesh.parent.isScene);
    const renderer = {info: {render: {calls: 0}}, getRenderTarget: () => ({height: 100})};
    mesh.onBeforeRender(renderer, mesh.parent, look(camera)); // as a renderer calls it
    assert.deepEqual([mesh.count, Array.from(mesh.visibleRows)], [1, [i]]);
});

test('the sample of houses leaves out what stands behind one', {skip: !hasThree}, async () => {
    const three = await import(pathToFileURL(`${process.cwd()}/node_modules/three/build/three.module.js`));
    const {AcreInstancedMesh} = await import(pathToFileURL(`${folder}/three.js`));
    const {houses} = await run(4, {AcreInstancedMesh, acre: await load(), material: new three.MeshBasicMaterial(),
        houseGeometry: new three.BoxGeometry(8, 6, 6).translate(0, 3, 0)}, 'houses');
    houses.setMatrixAt(1, new three.Matrix4().makeTranslation(0, 0, -20));
    for (let row = 2; row < 20000; row++) houses.setVisibilityAt(row, false);
    const camera = new three.PerspectiveCamera();
    camera.position.set(0, 1.7, 20);
    houses.cull(look(camera));
    assert.deepEqual(Array.from(houses.visibleRows), [0]);
});

test('the sample of AcreScene finds the Meshes of a group', {skip: !hasThree}, async () => {
    const three = await import(pathToFileURL(`${process.cwd()}/node_modules/three/build/three.module.js`));
    const scene = new three.Scene(), group = new three.Group(), house = new three.Mesh(new three.BoxGeometry());
    scene.add(group);
    const {city} = await run(2, {acre: await load(), group, house}, 'city');
    scene.updateMatrixWorld();
    assert.deepEqual([city.parent, group.parent, city.stats.meshes], [scene, city, 1]);
    const camera = new three.PerspectiveCamera();
    camera.position.z = 5;
    city.update(look(camera));
    assert.deepEqual(city.children.slice(), [house]);
});
