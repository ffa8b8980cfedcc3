// SPDX-License-Identifier: MIT
// main.js - a town of 100,000 boxes, a camera that drives through it, and a table that compares.
import * as three from 'three';
import {load} from '../acre.js';
import {Acre, DrawAll, Loop} from './ways.js';

const COUNT = 100000, HALF_SIZE = 1500, EYE_HEIGHT = 1.7;
const SOLID = [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]; // all of the geometry
const WAYS = {'AcreInstancedMesh': Acre, 'a loop over Frustum.intersectsBox': Loop, 'all boxes': DrawAll};
const element = (id) => document.getElementById(id);

// The same world for all ways: boxes of the shape 1 x 1 x 1, scaled and moved, on the ground.
function makeWorld() {
    const world = {count: COUNT, halfSize: HALF_SIZE, matrices: new Float32Array(16 * COUNT),
        half: new Float32Array(3 * COUNT), x: new Float32Array(COUNT), z: new Float32Array(COUNT),
        speed: new Float32Array(2 * COUNT)};
    let state = 1;
    const random = (low, high) => {
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
        return low + (high - low) * (state / 2 ** 32);
    };
    for (let i = 0; i < COUNT; i++) {
        const size = [random(1, 4), random(1, 8), random(1, 4)];
        world.x[i] = random(-HALF_SIZE, HALF_SIZE);
        world.z[i] = random(-HALF_SIZE, HALF_SIZE);
        world.speed.set([random(-8, 8), random(-8, 8)], 2 * i);
        for (let k = 0; k < 3; k++) {
            world.matrices[16 * i + 5 * k] = size[k];
            world.half[3 * i + k] = size[k] / 2;
        }
        world.matrices.set([world.x[i], size[1] / 2, world.z[i], 1], 16 * i + 12);
    }
    return world;
}

// Moves the first boxes; they turn round at the edge of the world. Returns how many moved.
function advance(world, share, seconds) {
    const {x, z, speed} = world, count = Math.round(share * COUNT);
    for (let i = 0; i < count; i++) {
        if (Math.abs(x[i]) > HALF_SIZE) speed[2 * i] = -Math.sign(x[i]) * Math.abs(speed[2 * i]);
        if (Math.abs(z[i]) > HALF_SIZE) speed[2 * i + 1] = -Math.sign(z[i]) * Math.abs(speed[2 * i + 1]);
        x[i] += seconds * speed[2 * i];
        z[i] += seconds * speed[2 * i + 1];
    }
    return count;
}

const acre = await load();
const world = makeWorld();
const renderer = new three.WebGLRenderer({antialias: true});
const scene = new three.Scene();
const camera = new three.PerspectiveCamera(60, 1, 0.5, 600);
const geometry = new three.BoxGeometry(1, 1, 1);
const material = new three.MeshLambertMaterial({color: 0xd9c9a8});
scene.background = new three.Color(0xa9c1d6);
scene.fog = new three.Fog(0xa9c1d6, 200, 600);
scene.add(new three.HemisphereLight(0xffffff, 0x6b7a5a, 2.5), new three.DirectionalLight(0xffffff, 1.5));
const ground = new three.Mesh(new three.PlaneGeometry(6 * HALF_SIZE, 6 * HALF_SIZE),
    new three.MeshLambertMaterial({color: 0x8a9a72}));
ground.rotation.x = -Math.PI / 2;
scene.add(ground);
document.body.prepend(renderer.domElement);

// Where the camera is at a time, and where it looks: along its circle, turned by the mouse.
let turned = 0;
function drive(seconds) {
    const angle = 0.02 * seconds, radius = HALF_SIZE / 2;
    camera.position.set(radius * Math.cos(angle), 12, radius * Math.sin(angle));
    camera.rotation.set(-0.08, turned - angle + Math.PI, 0, 'YXZ');
}

// A way begins with the boxes where they are.
function make(name) {
    for (let i = 0; i < COUNT; i++) {
        world.matrices[16 * i + 12] = world.x[i];
        world.matrices[16 * i + 14] = world.z[i];
    }
    return new WAYS[name](geometry, material, world, acre);
}

// Tells a way which boxes moved, and culls. Returns the milliseconds of both.
function update(way, moved) {
    const begin = performance.now();
    for (let i = 0; i < moved; i++) way.place(i, world.x[i], world.z[i]);
    way.cull(camera);
    return performance.now() - begin;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

// All ways in turns with the same boxes and cameras, for each share of moving boxes. `lost` are boxes
// that the loop draws and Acre does not, `more` the other way round: Acre rounds outward.
function compare(frames = 15) {
    const ways = Object.keys(WAYS).map(make), result = [];
    for (const share of [0, 0.02, 0.1, 1]) {
        const times = ways.map(() => []), line = {share, lost: 0, more: 0};
        for (let frame = -3; frame < frames; frame++) { // three that are not counted: code is compiled
            const moved = advance(world, share, 0.016);
            drive(20 * frame);
            ways.forEach((way, i) => {
                const milliseconds = update(way, moved);
                if (frame >= 0) times[i].push(milliseconds);
            });
            const found = new Set(ways[0].rows), looped = ways[1].rows;
            line.lost += looped.filter((row) => !found.has(row)).length;
            line.more += found.size - looped.length;
        }
        line.milliseconds = times.map(median);
        line.drawn = ways.map((way) => way.mesh.count);
        result.push(line);
    }
    ways.forEach((way) => way.mesh.dispose());
    return result;
}

// What stands behind other boxes, seen by somebody who walks among them. Each box is solid, so it hides others.
function compareOcclusion(frames = 15) {
    const way = make('AcreInstancedMesh'), result = [[], [SOLID]].map((occluders) => ({occluders, times: [], drawn: []}));
    for (let frame = -3; frame < frames; frame++) {
        drive(20 * frame);
        camera.position.y = EYE_HEIGHT;
        for (const {occluders, times, drawn} of result) {
            way.mesh.setOccluders(occluders);
            const milliseconds = update(way, 0);
            if (frame < 0) continue;
            times.push(milliseconds);
            drawn.push(way.mesh.count);
        }
    }
    way.mesh.dispose();
    return result.map(({times, drawn}) => ({milliseconds: median(times), drawn: median(drawn)}));
}

function fill(body, rows) {
    body.replaceChildren(...rows.map((row) => {
        const line = document.createElement('tr');
        line.append(...row.map((text) => Object.assign(document.createElement('td'), {textContent: text})));
        return line;
    }));
}

function showComparison() {
    const result = compare();
    fill(element('results'), [['moving', 'Acre', 'loop', 'all'],
        ...result.map(({share, milliseconds}) => [`${100 * share} %`, ...milliseconds.map((ms) => `${ms.toFixed(2)} ms`)])]);
    const [all, seen] = compareOcclusion();
    fill(element('occlusion'), [[`walking, ${EYE_HEIGHT} m up`, 'in view', 'not behind others'],
        ['boxes drawn', `${all.drawn}`, `${seen.drawn}`],
        ['culled, copied', `${all.milliseconds.toFixed(2)} ms`, `${seen.milliseconds.toFixed(2)} ms`]]);
    const lost = result.reduce((sum, line) => sum + line.lost, 0);
    element('note').textContent = 'Script of a frame: boxes brought up to date, culled, copied. ' +
        (lost ? `Acre lost ${lost} boxes.` : 'Acre draws all that the loop draws.');
    choose(element('way').value); // the boxes have moved
    return result;
}

let way = null, smooth = null, framesOfWay = 0;
function choose(name) {
    if (way) {
        scene.remove(way.mesh);
        way.mesh.dispose();
    }
    way = make(name);
    smooth = null;
    framesOfWay = 0;
    scene.add(way.mesh);
}

let before = 0, seconds = 0;
function frame(now) {
    const step = Math.min(0.1, (now - before) / 1000);
    before = now;
    seconds += step;
    drive(seconds);
    const cull = update(way, advance(world, Number(element('share').value), step));
    const begin = performance.now();
    renderer.render(scene, camera);
    const figures = [cull, performance.now() - begin, 1000 * step];
    if (++framesOfWay > 3) { // before, trees are built and code is compiled
        smooth = smooth ? smooth.map((old, i) => old + 0.1 * (figures[i] - old)) : figures;
        show();
    }
    requestAnimationFrame(frame);
}

function show() {
    fill(element('figures'), [['drawn', `${way.mesh.count} of ${COUNT}`],
        ['boxes brought up to date and culled', `${smooth[0].toFixed(2)} ms`],
        ['three.js, script', `${smooth[1].toFixed(2)} ms`],
        ['from frame to frame', `${smooth[2].toFixed(1)} ms`]]);
}

function resize() {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
}

element('way').append(...Object.keys(WAYS).map((name) => new Option(name)));
element('way').onchange = () => choose(element('way').value);
element('measure').onclick = showComparison;
renderer.domElement.onpointermove = (event) => {
    if (event.buttons) turned -= 0.005 * event.movementX;
};
addEventListener('resize', resize);
resize();
choose(element('way').value);
requestAnimationFrame(frame);
globalThis.example = {compare: showComparison, drawn: () => way.mesh.count, choose, compareOcclusion};
