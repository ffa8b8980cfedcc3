// SPDX-License-Identifier: MIT
// render.js - in a browser: the same frames drawn by AcreInstancedMesh and by a plain InstancedMesh, by
// AcreScene and by a plain Group.
import * as three from 'three';
import {load} from 'acre-culling/inline';
import {AcreInstancedMesh, AcreScene} from 'acre-culling/three';

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
        this.renderers = [makeRenderer(), makeRenderer()];
        for (const renderer of this.renderers) {
            renderer.setSize(WIDTH, HEIGHT, false);
            renderer.shadowMap.enabled = true;
            renderer.autoClear = false;
        }
        this.renderer = this.renderers[0];
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
// hasTwo: two renderers draw them in turn from frame 4 on.
async function compareWith(makeRenderer, makeMaterial, hasLevels, hasTwo) {
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
        const stages = [acreStage, plainStage];
        for (const stage of stages) stage.renderer = stage.renderers[hasTwo && frame > 3 ? frame % 3 % 2 : 0];
        await comparePictures(stages, frame, result);
        result.drawn.push([mesh, ...mesh.children].map(({count}) => count).join('+'));
    }
    return finish([acreStage, plainStage], result);
}

const renderers = {
    WebGLRenderer: () => new three.WebGLRenderer({preserveDrawingBuffer: true, antialias: false}),
};

// A Group of Meshes in an AcreScene and alone, through the same frames: some move, some come, go or hide.
async function compareScenes(makeRenderer) {
    const shapes = [new three.BoxGeometry(), new three.ConeGeometry(0.5, 1, 6)], made = [];
    const materials = [0, 1, 2].map((i) => new three.MeshLambertMaterial({color: colors[i],
        transparent: i === 2, opacity: i === 2 ? 0.5 : 1}));
    const fill = (group, from, to) => {
        for (let i = from; i < to; i++) {
            const mesh = new three.Mesh(shapes[i % 2], materials[i % 7 === 0 ? 2 : i % 2]);
            mesh.applyMatrix4(matrices[i]);
            mesh.castShadow = mesh.receiveShadow = true;
            (i % 5 === 0 && i > from ? group.children[group.children.length - 1] : group).add(mesh);
        }
        return group;
    };
    const stages = [true, false].map((isFound) => new Stage(makeRenderer, () => {
        const group = fill(new three.Group(), 0, 800);
        made.push(group);
        return isFound ? new AcreScene(acre, group, {halfSize: 128}) : group;
    }));
    const result = {different: 0, drawn: [], lit: 0, listed: []};
    for (const stage of stages) await stage.renderer.init?.();
    for (let frame = 0; frame < FRAMES; frame++) {
        for (const group of made) {
            group.children.forEach((mesh, i) => { if (i % 3 === 0) mesh.position.x += drift[i]; });
            if (frame === 3) group.add(fill(new three.Group(), 800, 1200));
            if (frame === 5) group.remove(...group.children.slice(0, 100));
            if (frame === 6) group.children.at(-1).visible = false;
            if (frame === 8) group.children.at(-1).visible = true;
        }
        await comparePictures(stages, frame, result);
        result.drawn.push(String(stages[0].scene.children.at(-1).stats.listed));
    }
    return finish(stages, result);
}

async function comparePictures(stages, frame, result) {
    const [a, b] = [await stages[0].draw(frame), await stages[1].draw(frame)];
    for (let i = 0; i < a.length; i += 4) {
        result.different += a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2];
        result.lit += b[i] > 100;
    }
}

function finish(stages, result) {
    result.pictures = stages.map(({renderer}) => renderer.domElement);
    result.error = stages[0].renderer.getContext?.()?.getError?.() ?? 0;
    return result;
}

globalThis.compare = async (name, kind) => {
    let makeRenderer = renderers[name];
    if (name !== 'WebGLRenderer') {
        const {WebGPURenderer} = await import('three/webgpu');
        const hasAdapter = name === 'WebGPU' && await navigator.gpu?.requestAdapter();
        if (name === 'WebGPU' && !hasAdapter) return {isUntried: true};
        makeRenderer = () => new WebGPURenderer({antialias: false, forceWebGL: name !== 'WebGPU'});
    }
    const {pictures, ...result} = await (kind === 'scene' ? compareScenes(makeRenderer)
        : compareWith(makeRenderer, () => new three.MeshLambertMaterial(), kind === 'levels', kind === 'two'));
    document.body.replaceChildren(...pictures);
    return result;
};
