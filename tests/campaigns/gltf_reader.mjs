// SPDX-License-Identifier: MIT
// gltf_reader.mjs - a second reader of glTF, in doubles, that shares nothing with modules/import.
//
//     node gltf_reader.mjs BOXES FOLDER...
// BOXES: the program of gltf_boxes.c. Reads every .glb of the folders, moves each position by the
// matrices, and compares the boxes with those that were imported. A line for each folder; a line for
// each file that differs or is refused. Exit status 1 where a file differs or is refused, or where a
// folder has no file that is equal.
import fs from 'node:fs';
import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';

const {MeshoptDecoder} = createRequire(path.resolve('package.json'))('meshoptimizer');
const COMPRESSION = 'EXT_meshopt_compression', INSTANCING = 'EXT_mesh_gpu_instancing';
const arrays = {5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array};
const largest = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535};
const counts = {SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16};

function open(file) {
    const bytes = fs.readFileSync(file);
    const size = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.subarray(20, 20 + size).toString());
    const chunk = 28 + size <= bytes.length ? bytes.subarray(28 + size) : Buffer.alloc(0);
    return {json, chunk, views: new Map()};
}

function view(file, number) {
    if (!file.views.has(number)) {
        const plain = file.json.bufferViews[number], packed = plain.extensions?.[COMPRESSION];
        const from = packed ?? plain;
        let bytes = file.chunk.subarray(from.byteOffset ?? 0, (from.byteOffset ?? 0) + from.byteLength);
        if (packed) {
            const out = new Uint8Array(packed.count * packed.byteStride);
            MeshoptDecoder.decodeGltfBuffer(out, packed.count, packed.byteStride, bytes, packed.mode, packed.filter);
            bytes = out;
        }
        file.views.set(number, {bytes: new Uint8Array(bytes), stride: plain.byteStride ?? 0});
    }
    return file.views.get(number);
}

function elements(bytes, offset, stride, type, width, count) {
    const Kind = arrays[type], size = Kind.BYTES_PER_ELEMENT, rows = [];
    for (let i = 0; i < count; i++) {
        const at = offset + i * (stride || size * width);
        rows.push([...new Kind(bytes.slice(at, at + size * width).buffer)]);
    }
    return rows;
}

function accessor(file, number) {
    const a = file.json.accessors[number], width = counts[a.type];
    let rows = Array.from({length: a.count}, () => Array(width).fill(0));
    if (a.bufferView !== undefined) {
        const {bytes, stride} = view(file, a.bufferView);
        rows = elements(bytes, a.byteOffset ?? 0, stride, a.componentType, width, a.count);
    }
    if (a.sparse) {
        const {indices, values, count} = a.sparse;
        const at = elements(view(file, indices.bufferView).bytes, indices.byteOffset ?? 0, 0, indices.componentType, 1, count);
        const by = elements(view(file, values.bufferView).bytes, values.byteOffset ?? 0, 0, a.componentType, width, count);
        at.forEach(([i], k) => { rows[i] = by[k]; });
    }
    return a.normalized ? rows.map((row) => row.map((x) => Math.max(x / largest[a.componentType], -1))) : rows;
}

const multiply = (a, b) => Array.from({length: 16}, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + i % 4] * b[4 * Math.floor(i / 4) + k], 0));
const apply = (m, p) => [0, 1, 2].map((k) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]);

function compose(t = [0, 0, 0], r = [0, 0, 0, 1], s = [1, 1, 1]) {
    const n = Math.hypot(...r), [x, y, z, w] = r.map((v) => v / n);
    return [(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
        2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
        2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0, ...t, 1];
}

// The positions of a mesh, with the joints and weights of each, if there are any.
function points(file, node) {
    const mesh = file.json.meshes[node.mesh], weights = node.weights ?? mesh.weights ?? [], all = [];
    for (const part of mesh.primitives) {
        const rows = accessor(file, part.attributes.POSITION);
        (part.targets ?? []).forEach((target, k) => {
            if (target.POSITION !== undefined && weights[k]) {
                accessor(file, target.POSITION).forEach((d, i) => d.forEach((x, c) => { rows[i][c] += weights[k] * x; }));
            }
        });
        const sets = [];
        for (let k = 0; part.attributes[`JOINTS_${k}`] !== undefined; k++) {
            sets.push([accessor(file, part.attributes[`JOINTS_${k}`]), accessor(file, part.attributes[`WEIGHTS_${k}`])]);
        }
        rows.forEach((point, i) => all.push({point, pulls: sets.flatMap(([j, w]) => j[i].map((joint, c) => [joint, w[i][c]]))}));
    }
    return all;
}

function box(places) {
    const out = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const p of places) {
        for (let k = 0; k < 3; k++) {
            out[k] = Math.min(out[k], p[k]);
            out[3 + k] = Math.max(out[3 + k], p[k]);
        }
    }
    return out;
}

// The boxes of each node of the scene that has a mesh: by its number, in the order of its instances.
function boxes(file) {
    const {json} = file, worlds = new Map(), found = new Map(), scene = json.scenes[json.scene ?? 0];
    const visit = (number, above) => {
        const node = json.nodes[number];
        worlds.set(number, multiply(above, node.matrix ?? compose(node.translation, node.rotation, node.scale)));
        (node.children ?? []).forEach((child) => visit(child, worlds.get(number)));
    };
    scene.nodes.forEach((number) => visit(number, compose()));
    for (const [number, world] of worlds) {
        const node = json.nodes[number];
        if (node.mesh === undefined) {
            continue;
        }
        const all = points(file, node), places = node.extensions?.[INSTANCING]?.attributes;
        if (node.skin !== undefined) {
            const skin = json.skins[node.skin], binds = accessor(file, skin.inverseBindMatrices);
            const joints = skin.joints.map((joint, i) => multiply(worlds.get(joint), binds[i]));
            found.set(number, [box(all.map(({point, pulls}) => {
                const total = pulls.reduce((sum, [, w]) => sum + w, 0), at = [0, 0, 0];
                pulls.forEach(([j, w]) => w && apply(joints[j], point).forEach((x, k) => { at[k] += w * x / total; }));
                return at;
            }))]);
            continue;
        }
        let at = [world];
        if (places) {
            const [t, r, s] = ['TRANSLATION', 'ROTATION', 'SCALE'].map((name) => places[name] === undefined ? [] : accessor(file, places[name]));
            at = Array.from({length: Math.max(t.length, r.length, s.length)}, (_, i) => multiply(world, compose(t[i], r[i], s[i])));
        }
        found.set(number, at.map((m) => box(all.map(({point}) => apply(m, point)))));
    }
    return found;
}

// What differs between the file's boxes and the imported ones, or ''.
function difference(expected, lines) {
    const met = new Map();
    for (const line of lines) {
        const [node, ...numbers] = line.split(' ').map(Number), row = met.get(node) ?? 0;
        const want = expected.get(node)?.[row];
        met.set(node, row + 1);
        if (!want) {
            return `nodes[${node}] has no instance ${row}`;
        }
        const reach = Math.max(...want.map(Math.abs));
        for (let k = 0; k < 6; k++) {
            if (!(Math.abs(numbers[k] - want[k]) <= 2e-6 * reach)) {
                return `nodes[${node}] instance ${row}: ${numbers.slice(0, 6)} instead of ${want}`;
            }
            if (k < 3 ? numbers[6 + k] > numbers[k] + 1e-6 * reach : numbers[6 + k] < numbers[k] - 1e-6 * reach) {
                return `nodes[${node}] instance ${row}: the bounds do not hold the points`;
            }
        }
    }
    for (const [node, all] of expected) {
        if (all.length !== (met.get(node) ?? 0)) {
            return `nodes[${node}]: ${met.get(node) ?? 0} of ${all.length} instances`;
        }
    }
    return '';
}

await MeshoptDecoder.ready;
const [program, ...folders] = process.argv.slice(2);
let is_good = true;
for (const folder of folders) {
    let equal = 0, refused = 0, different = 0, nodes = 0;
    for (const name of fs.readdirSync(folder).filter((n) => n.endsWith('.glb')).sort()) {
        const file = path.join(folder, name);
        const answer = spawnSync(program, [file], {encoding: 'utf8', maxBuffer: 1 << 28}).stdout.trim();
        if (answer.startsWith('refused')) {
            refused++;
            console.log(`  ${name}: ${answer}`);
            continue;
        }
        const lines = answer.split('\n');
        const fault = difference(boxes(open(file)), lines);
        nodes += lines.length;
        equal += !fault;
        different += !!fault;
        if (fault) {
            console.log(`  ${name}: ${fault}`);
        }
    }
    is_good &&= different === 0 && refused === 0 && equal > 0;
    console.log(`${path.basename(folder)}: ${equal} files equal (${nodes} nodes), ${refused} refused, ${different} different`);
}
process.exit(is_good ? 0 : 1);
