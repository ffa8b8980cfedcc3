// SPDX-License-Identifier: MIT
// test_render.mjs - in a headless browser AcreInstancedMesh draws what a plain InstancedMesh draws.
//     node test_render.mjs PROJECT PICTURE, where acre-culling and three are installed
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {dirname, extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import assert from 'node:assert';
import {Browser} from '../page/browser.mjs';

const [project, picture] = process.argv.slice(2);
const TYPES = {'.js': 'text/javascript', '.wasm': 'application/wasm'};
const imports = {three: './node_modules/three/build/three.module.js',
    'three/webgpu': './node_modules/three/build/three.webgpu.js',
    'acre-culling/three': './node_modules/acre-culling/three.js',
    'acre-culling/inline': './node_modules/acre-culling/inline.js'};
const html = (renderer) => `<!doctype html><link rel="icon" href="data:,">
    <script type="importmap">${JSON.stringify({imports: {...imports, ...renderer}})}</script>
    <script type="module" src="render.js"></script>`;

const server = createServer(async ({url}, answer) => {
    const path = new URL(url, 'http://here').pathname;
    try {
        const bytes = path === '/' ? html({})
            : path === '/webgpu' ? html({three: './node_modules/three/build/three.webgpu.js'})
            : path === '/render.js' ? await readFile(join(dirname(fileURLToPath(import.meta.url)), 'render.js'))
            : await readFile(join(project, path));
        answer.writeHead(200, {'Content-Type': TYPES[extname(path)] ?? 'text/html'}).end(bytes);
    } catch {
        answer.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
let status = 0;
try {
    for (const [name, path, hasLevels] of [['WebGLRenderer', '/', false], ['WebGLRenderer', '/', true],
        ['WebGPURenderer on WebGL 2', '/webgpu', false], ['WebGPURenderer on WebGL 2', '/webgpu', true], ['WebGPU', '/webgpu', true]]) {
        const page = await browser.open(`http://127.0.0.1:${server.address().port}${path}`, {width: 500, height: 520});
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
