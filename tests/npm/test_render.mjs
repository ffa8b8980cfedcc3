// SPDX-License-Identifier: MIT
// test_render.mjs - in a headless browser AcreInstancedMesh draws what a plain InstancedMesh draws, and
// AcreScene what a Group draws.
//     node test_render.mjs PROJECT PICTURE [KIND...], where acre-culling and three are installed
import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import assert from 'node:assert';
import {Browser} from '../page/browser.mjs';
import {serve} from './server.mjs';

const [project, picture, ...wanted] = process.argv.slice(2);
const imports = {three: './node_modules/three/build/three.module.js',
    'three/webgpu': './node_modules/three/build/three.webgpu.js',
    'acre-culling/three': './node_modules/acre-culling/three.js',
    'acre-culling/inline': './node_modules/acre-culling/inline.js'};
const html = (renderer) => `<!doctype html><link rel="icon" href="data:,">
    <script type="importmap">${JSON.stringify({imports: {...imports, ...renderer}})}</script>
    <script type="module" src="render.js"></script>`;

const SAME = {rows: 'a plain InstancedMesh draws', levels: 'a plain InstancedMesh draws, with levels of detail',
    scene: 'a Group without AcreScene draws', two: 'a plain InstancedMesh draws, with two renderers'};
const here = dirname(fileURLToPath(import.meta.url));
const server = await serve(project, {'/': html({}), '/render.js': await readFile(join(here, 'render.js')),
    '/webgpu': html({three: './node_modules/three/build/three.webgpu.js'})});
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
let status = 0;
try {
    const renderers = [['WebGLRenderer', '/'], ['WebGPURenderer on WebGL 2', '/webgpu'], ['WebGPU', '/webgpu']];
    const kinds = ['rows', 'levels', 'scene'], runs = renderers.flatMap((one) => kinds.map((kind) => [...one, kind]));
    for (const [name, path, kind] of [...runs, [...renderers[0], 'two']]) {
        if (wanted.length > 0 && !wanted.includes(kind)) continue;
        const page = await browser.open(`${server.address}${path}`, {width: 500, height: 520});
        await page.until('globalThis.compare');
        const result = await page.value(`compare(${JSON.stringify(name)}, '${kind}')`);
        if (result.isUntried) {
            console.log(`left out: ${name}: the browser has no adapter`);
            continue;
        }
        console.log(`${name}, ${kind}: drawn ${result.drawn.join(' ')}`);
        if (picture) await page.picture(picture.replace('.png', `_${path.slice(1) || 'webgl'}_${kind}.png`));
        assert.equal(result.error, 0, 'WebGL complains');
        assert.ok(result.lit > 100000, `${result.lit} bright pixels`);
        assert.equal(result.different, 0, `${result.different} pixels differ`);
        const sums = result.drawn.map((text) => text.split('+').reduce((sum, count) => sum + Number(count), 0));
        assert.ok(sums.slice(2, 4).every((count) => count > 20 && count < 2000), 'it leaves out what is not seen');
        assert.ok(kind === 'two' || sums.every((count) => count < 2000), 'in each frame');
        assert.deepEqual(page.faults.filter((text) => !text.includes('GPU stall')), []);
        console.log(`ok    ${name} draws what ${SAME[kind]}`);
        await page.close();
    }
} catch (error) {
    console.log(`FAIL  ${error.message}`);
    status = 1;
} finally {
    await browser.close();
    server.close();
}
process.exit(status);
