// SPDX-License-Identifier: MIT
// npm_scene.mjs - what a frame of ordinary Meshes costs by script, with AcreScene and by three.js alone.
//     node tests/campaigns/npm_scene.mjs PROJECT, where acre-culling and three are installed
//
// A headless Chromium draws the same frames in three ways: one camera, or one camera and a sun with shadows; of
// all Meshes nothing moves, or a tenth does. It tells the median of render() in
// milliseconds, the least of three rounds.
import {serve} from '../npm/server.mjs';
import {Browser} from '../page/browser.mjs';

const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"three": "./node_modules/three/build/three.module.js",
    "acre-culling/three": "./node_modules/acre-culling/three.js",
    "acre-culling/inline": "./node_modules/acre-culling/inline.js"}}</script>
<script type="module">
import * as three from 'three';
import {load} from 'acre-culling/inline';
import {AcreScene} from 'acre-culling/three';
const acre = await load(), renderer = new three.WebGLRenderer();
renderer.setSize(320, 200);
document.body.append(renderer.domElement);
let seed = 1;
const random = () => (seed = Math.imul(seed, 1664525) + 1013904223 >>> 0) / 2 ** 32;
// kind: alone, auto: AcreScene, told: AcreScene without autoSync
globalThis.measure = (count, kind, hasShadows, share) => {
    seed = 1;
    renderer.shadowMap.enabled = hasShadows;
    const side = 8 * Math.sqrt(count), group = new three.Group(), scene = new three.Scene();
    const shape = new three.BoxGeometry(), material = new three.MeshLambertMaterial();
    for (let i = 0; i < count; i++) {
        const mesh = new three.Mesh(shape, material);
        mesh.position.set((random() - 0.5) * side, 0, (random() - 0.5) * side);
        mesh.castShadow = hasShadows;
        mesh.matrixAutoUpdate = i < share * count; // as three.js advises for what stands still
        mesh.updateMatrix();
        group.add(mesh);
    }
    const sun = new three.DirectionalLight();
    sun.castShadow = hasShadows;
    sun.position.set(20, 40, 10);
    Object.assign(sun.shadow.camera, {left: -50, right: 50, top: 50, bottom: -50, far: 120});
    const found = kind === 'alone' ? group : new AcreScene(acre, group, {halfSize: side / 2, autoSync: kind === 'auto'});
    if (kind === 'told') found.sync();
    scene.add(sun, found);
    const camera = new three.PerspectiveCamera(60, 1.6, 0.5, 60), times = [];
    camera.position.y = 4;
    for (let frame = -5; frame < 25; frame++) {
        camera.rotation.y = 0.2 * frame;
        for (let i = 0; i < share * count; i++) group.children[i].position.y = 0.1 * Math.sin(frame + i);
        const begin = performance.now();
        if (kind === 'told') found.sync(group.children.slice(0, share * count));
        renderer.render(scene, camera);
        if (frame >= 0) times.push(performance.now() - begin);
        renderer.getContext().finish();
    }
    found.dispose?.();
    return {time: times.sort((a, b) => a - b)[12], calls: renderer.info.render.calls};
};
</script>`;
const [project] = process.argv.slice(2);
const server = await serve(project, {'/': page}), browser = new Browser(process.env.CHROMIUM ?? 'chromium');
try {
    const tab = await browser.open(`${server.address}/`, {width: 400, height: 300});
    await tab.until('globalThis.measure', 20);
    console.log('| Meshes | shadows | moving | three.js alone | AcreScene | without autoSync | draw calls |\n|---|---|---|---|---|---|---|');
    for (const count of [500, 2000, 10000, 50000]) {
        for (const [hasShadows, share] of [[false, 0], [false, 0.1], [true, 0], [true, 0.1]]) {
            const least = {alone: Infinity, auto: Infinity, told: Infinity}, calls = [];
            for (let round = 0; round < 3; round++) {
                for (const kind of Object.keys(least)) {
                    const row = await tab.value(`measure(${count}, '${kind}', ${hasShadows}, ${share})`);
                    least[kind] = Math.min(least[kind], row.time);
                    calls.push(row.calls);
                }
            }
            console.log(`| ${count} | ${hasShadows ? 'a sun' : 'none'} | ${100 * share} % | ` +
                `${Object.values(least).map((time) => time.toFixed(1)).join(' | ')} | ${calls[0]}, ${calls[1]} |`);
        }
    }
} finally {
    await browser.close();
    server.close();
}
