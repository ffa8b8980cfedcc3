// SPDX-License-Identifier: MIT
// render.js - in a browser: the same frames drawn by AcreInstancedMesh and by a plain InstancedMesh.
import * as three from 'three';
import {load} from 'acre-culling/inline';
import {AcreInstancedMesh} from 'acre-culling/three';

const WIDTH = 480, HEIGHT = 240, COUNT = 4000, FIRST = 3000, FRAMES = 10;
const acre = await load();

let state = 1;
const random = (low, high) => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return low + (high - low) * (state / 2 ** 32);
};

// They stand in a grid, so that no two share a pixel at the same depth, where the order would show.
const matrices = Array.from({length: COUNT}, (_, i) => new three.Matrix4().compose(
    new three.Vector3(4 * (i * 29 % 64) - 128 + random(-0.3, 0.3), random(0, 4), 4 * (i * 29 >> 6) % 256 - 128),
    new three.Quaternion().setFromAxisAngle(new three.Vector3(0, 1, 0), random(0, 6)),
    new three.Vector3(random(0.5, 2), random(0.5, 6), random(0.5, 2))));
const colors = matrices.map(() => new three.Color(random(0.2, 1), random(0.2, 1), random(0.2, 1)));
const drift = matrices.map(() => random(-0.04, 0.04));

// What one mesh shows: a ground, two lights with shadows, two cameras side by side.
class Stage {
    constructor(makeRenderer, makeMesh) {
        this.renderer = makeRenderer();
        this.renderer.setSize(WIDTH, HEIGHT, false);
        this.renderer.shadowMap.enabled = true;
        this.renderer.autoClear = false;
        this.scene = new three.Scene();
        this.mesh = makeMesh();
        this.mesh.castShadow = this.mesh.receiveShadow = true;
        const ground = new three.Mesh(new three.PlaneGeometry(300, 300), new three.MeshLambertMaterial({color: 0x99aa88}));
        ground.rotation.x = -Math.PI / 2;
        ground.receiveShadow = true;
        const sun = new three.DirectionalLight(0xffffff, 2), lamp = new three.PointLight(0xffddaa, 4000);
        sun.position.set(60, 80, 30);
        Object.assign(sun.shadow.camera, {left: -60, right: 60, top: 60, bottom: -60, far: 250});
        lamp.position.set(-20, 12, 10);
        for (const light of [sun, lamp]) light.castShadow = true;
        this.scene.add(new three.HemisphereLight(0xffffff, 0x445544, 1), sun, lamp, ground, this.mesh);
        this.cameras = [0, 1].map(() => new three.PerspectiveCamera(55, WIDTH / 2 / HEIGHT, 0.5, 120));
    }

    async draw(frame) {
        const {renderer, scene, mesh, cameras} = this;
        mesh.position.x = 0.2 * frame;
        cameras[0].position.set(30 * Math.cos(frame), 6, 30 * Math.sin(frame));
        cameras[0].lookAt(0, 2, 0);
        cameras[1].position.set(0, 60, 60 - 5 * frame);
        cameras[1].lookAt(0, 0, 0);
        renderer.clear();
        for (let i = 0; i < 2; i++) {
            renderer.setScissorTest(true);
            renderer.setScissor(i * WIDTH / 2, 0, WIDTH / 2, HEIGHT);
            renderer.setViewport(i * WIDTH / 2, 0, WIDTH / 2, HEIGHT);
            renderer.render(scene, cameras[i]);
        }
        const canvas = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d', {willReadFrequently: true});
        canvas.drawImage(renderer.domElement, 0, 0);
        return canvas.getImageData(0, 0, WIDTH, HEIGHT).data;
    }
}

// Both meshes through the same ten frames: some move, some come, one gets a color late.
async function compareWith(makeRenderer, makeMaterial, hasLevels) {
    const geometry = () => new three.BoxGeometry();
    const acreStage = new Stage(makeRenderer, () => {
        const mesh = new AcreInstancedMesh(acre, geometry(), makeMaterial(), FIRST, {halfSize: 128, hysteresis: 0.1});
        mesh.castShadow = mesh.receiveShadow = true;
        // Levels that look alike: each instance that is seen must be drawn by one of them.
        return hasLevels ? mesh.addLOD(geometry(), makeMaterial(), 40).addLOD(geometry(), makeMaterial(), 12) : mesh;
    });
    const plainStage = new Stage(makeRenderer, () => new three.InstancedMesh(geometry(), makeMaterial(), COUNT));
    const [mesh, plain] = [acreStage.mesh, plainStage.mesh], result = {different: 0, drawn: [], lit: 0};
    plain.count = FIRST;
    for (const stage of [acreStage, plainStage]) await stage.renderer.init?.();
    for (let i = 0; i < COUNT; i++) plain.setMatrixAt(i, matrices[i]);
    for (let i = 0; i < FIRST; i++) mesh.setMatrixAt(i, matrices[i]);
    for (let frame = 0; frame < FRAMES; frame++) {
        if (frame === 4) { // it grows
            mesh.addInstances(COUNT - FIRST, (row) => mesh.setMatrixAt(row, matrices[row]));
            plain.count = COUNT;
        }
        for (let i = 0; i < plain.count; i++) {
            if (frame === 2) for (const one of [mesh, plain]) one.setColorAt(i, colors[i]);
            if (i % 3 !== 0) continue;
            matrices[i].elements[12] += drift[i];
            for (const one of [mesh, plain]) one.setMatrixAt(i, matrices[i]);
        }
        if (frame === 2) {
            for (let i = plain.count; i < COUNT; i++) plain.setColorAt(i, new three.Color(1, 1, 1));
            for (const one of [mesh, plain, ...mesh.children]) one.material.needsUpdate = true;
        }
        plain.instanceMatrix.needsUpdate = true;
        if (plain.instanceColor) plain.instanceColor.needsUpdate = true;
        plain.computeBoundingSphere();
        const [a, b] = [await acreStage.draw(frame), await plainStage.draw(frame)];
        for (let i = 0; i < a.length; i += 4) {
            result.different += a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2];
            result.lit += b[i] > 100;
        }
        result.drawn.push([mesh, ...mesh.children].map(({count}) => count).join('+'));
    }
    result.pictures = [acreStage, plainStage].map(({renderer}) => renderer.domElement);
    const gl = acreStage.renderer.getContext?.();
    result.error = gl?.getError?.() ?? 0;
    return result;
}

const renderers = {
    WebGLRenderer: () => new three.WebGLRenderer({preserveDrawingBuffer: true, antialias: false}),
};

globalThis.compare = async (name, hasLevels) => {
    let makeRenderer = renderers[name];
    if (name !== 'WebGLRenderer') {
        const {WebGPURenderer} = await import('three/webgpu');
        const hasAdapter = name === 'WebGPU' && await navigator.gpu?.requestAdapter();
        if (name === 'WebGPU' && !hasAdapter) return {isUntried: true};
        makeRenderer = () => new WebGPURenderer({antialias: false, forceWebGL: name !== 'WebGPU'});
    }
    const {pictures, ...result} = await compareWith(makeRenderer, () => new three.MeshLambertMaterial(), hasLevels);
    document.body.replaceChildren(...pictures);
    return result;
};
