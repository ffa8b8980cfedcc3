// SPDX-License-Identifier: MIT
// test_render.mjs - in a headless browser AcreInstancedMesh draws what a plain InstancedMesh draws.
//     node test_render.mjs PROJECT PICTURE, where acre-culling and three are installed
import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import assert from 'node:assert';
import {Browser} from '../page/browser.mjs';
import {serve} from './server.mjs';

const [project, picture] = process.argv.slice(2);
const imports = {three: './node_modules/three/build/three.module.js',
    'three/webgpu': './node_modules/three/build/three.webgpu.js',
    'acre-culling/three': './node_modules/acre-culling/three.js',
    'acre-culling/inline': './node_modules/acre-culling/inline.js'};
const html = (renderer) => `<!doctype html><link rel="icon" href="data:,">
    <script type="importmap">${JSON.stringify({imports: {...imports, ...renderer}})}</script>
    <script type="module" src="render.js"></script>`;

const here = dirname(fileURLToPath(import.meta.url));
const server = await serve(project, {'/': html({}), '/render.js': await readFile(join(here, 'render.js')),
    '/webgpu': html({three: './node_modules/three/build/three.webgpu.js'})});
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
let status = 0;
try {
    for (const [name, path, hasLevels] of [['WebGLRenderer', '/', false], ['WebGLRenderer', '/', true],
        ['WebGPURenderer on WebGL 2', '/webgpu', false], ['WebGPURenderer on WebGL 2', '/webgpu', true], ['WebGPU', '/webgpu', true]]) {
        const page = await browser.open(`${server.address}${path}`, {width: 500, height: 520});
        await page.until('globalThis.compare');
        const result = await page.value(`compare(${JSON.stringify(name)}, ${hasLevels})`);
        if (result.isUntried) {
            console.log(`left out: ${name}: the browser has no adapter`);
            continue;
        }
        console.log(`${name}: drawn ${result.drawn.join(' ')}`);
        if (picture) await page.picture(picture.replace('.png', `_${path.slice(1) || 'webgl'}.png`));
        assert.equal(result.error, 0, 'WebGL complains');
        assert.ok(result.lit > 100000, `${result.lit} bright pixels`);
        assert.equal(result.different, 0, `${result.different} pixels differ`);
        const sums = result.drawn.map((text) => text.split('+').reduce((sum, count) => sum + Number(count), 0));
        assert.ok(sums.slice(2).every((count) => count > 20 && count < 2000), 'it leaves out what is not seen');
        assert.deepEqual(page.faults.filter((text) => !text.includes('GPU stall')), []);
        console.log(`ok    ${name} draws what a plain InstancedMesh draws${hasLevels ? ', with levels of detail' : ''}`);
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
