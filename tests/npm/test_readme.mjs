// SPDX-License-Identifier: MIT
// test_readme.mjs - the samples of the package's README run as they stand there.
//     node --test test_readme.mjs, in a project that has acre-culling; with three where that is installed
//
// Each block ```js becomes a module of the project. Before it stand the names that it uses and does not
// make; after it, an export of those that it makes.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {folder, Tree, boxes, sorted} from './common.mjs';

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

test('the README has two samples, and both are run below', () => assert.equal(samples.length, 2));

test('the sample without three.js draws what is in view', async () => {
    const count = 100000, before = boxes(count), movedBoxes = before.map((edge, i) => edge + (i % 6 % 3 === 0 ? 50 : 0));
    const viewProjection = [0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 1], drawn = [];
    const draw = (item) => drawn.push(item);
    const {acre, tree} = await run(1, {boxes: before, movedBoxes, viewProjection, draw}, 'acre, tree');
    assert.equal(acre.simd, true);
    assert.equal(tree.stats.items, count);
    const sees = (i) => [0, 1, 2].every((k) => movedBoxes[6 * i + k] <= 100 && movedBoxes[6 * i + 3 + k] >= -100);
    assert.deepEqual(sorted(drawn), Array.from({length: count}, (_, i) => i).filter(sees));
    assert.ok(tree instanceof Tree && drawn.length > 100);
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
