// SPDX-License-Identifier: MIT
// npm_peers.mjs - the npm package beside others on the same boxes. npm_peers.sh calls it, once for each row.
//     node npm_peers.mjs PROJECT KIND COUNT, where the packages are installed; prints one line
//
// Instances of one box on the ground, density as in a town. Each frame the camera turns, so that no two
// searches are the same; times are medians in milliseconds, with the worst behind a slash.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [project, kind, countText] = process.argv.slice(2), COUNT = Number(countText);
const require = createRequire(pathToFileURL(`${project}/index.js`));
const packageOf = (name, path = '') => import(pathToFileURL(path ? `${project}/node_modules/${name}/${path}` : require.resolve(name)));
const three = await packageOf('three', 'build/three.module.js');
const HALF = 5 * Math.sqrt(COUNT), REACH = 500;

let state = 1;
const random = () => (state = Math.imul(state, 1664525) + 1013904223 >>> 0) / 2 ** 32;
const places = Float64Array.from({length: 2 * COUNT}, () => 2 * HALF * (random() - 0.5));
const geometry = new three.BoxGeometry(2, 4, 2), material = new three.MeshBasicMaterial(), matrix = new three.Matrix4();
geometry.computeBoundingBox();
const camera = new three.PerspectiveCamera(60, 1.6, 0.5, REACH);
camera.position.set(0, 25, 0);
let turned = 0;
function turn() {
    camera.rotation.set(-0.1, turned += 0.37, 0, 'YXZ');
    camera.updateMatrixWorld();
    return product.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
}
const product = new three.Matrix4(), frustum = new three.Frustum(), box = new three.Box3(), at = new three.Matrix4();
const place = (i, step) => matrix.makeTranslation(places[2 * i] + 0.1 * step, 2, places[2 * i + 1]);

// What the definition finds for the camera as it stands, box by box.
function looped(matrixAt) {
    frustum.setFromProjectionMatrix(product);
    const found = new Set();
    for (let i = 0; i < COUNT; i++) {
        if (frustum.intersectsBox(box.copy(geometry.boundingBox).applyMatrix4(matrixAt(i)))) found.add(i);
    }
    return found;
}

// Each kind has `move(i, step)`, `cull()` with the number of rows it found, and perhaps `ray(raycaster)` and `rows()`.
const kinds = {
    async acre() {
        const {load} = await packageOf('acre-culling', 'acre.js'), {AcreInstancedMesh} = await packageOf('acre-culling', 'three.js');
        const mesh = new AcreInstancedMesh(await load(), geometry, material, COUNT, {halfSize: HALF});
        return {move: (i, step) => mesh.setMatrixAt(i, place(i, step)), cull: () => mesh.cull(camera), rows: () => mesh.visibleRows,
            ray: (caster) => caster.intersectObject(mesh)};
    },
    async loop() {
        const mesh = new three.InstancedMesh(geometry, material, COUNT), out = new Float32Array(16 * COUNT);
        const cull = () => {
            let found = 0;
            frustum.setFromProjectionMatrix(product);
            for (let i = 0; i < COUNT; i++) {
                mesh.getMatrixAt(i, at);
                if (frustum.intersectsBox(box.copy(geometry.boundingBox).applyMatrix4(at))) at.toArray(out, 16 * found++);
            }
            return found;
        };
        return {move: (i, step) => mesh.setMatrixAt(i, place(i, step)), cull, ray: (caster) => caster.intersectObject(mesh)};
    },
    async instanced2(hasTree = false) {
        globalThis.document ??= {};
        const {InstancedMesh2} = await packageOf('@three.ez/instanced-mesh', 'build/index.js');
        const mesh = new InstancedMesh2(geometry, material, {capacity: COUNT});
        mesh.addInstances(COUNT, (instance, i) => instance.position.set(places[2 * i], 2, places[2 * i + 1]));
        mesh.instanceIndex = {array: new Uint32Array(COUNT)}; // a renderer would make it
        if (hasTree) mesh.computeBVH({margin: 0});
        mesh.updateMatrixWorld();
        return {move: (i, step) => mesh.setMatrixAt(i, place(i, step)), cull: () => (mesh.performFrustumCulling(camera), mesh.count),
            ray: (caster) => caster.intersectObject(mesh)};
    },
    instanced2_tree: () => kinds.instanced2(true),
    async bvhjs() {
        const {BVH, HybridBuilder} = await packageOf('bvh.js', 'build/index.js'), tree = new BVH(new HybridBuilder());
        const boxOf = (i, step) => new Float32Array([places[2 * i] + 0.1 * step - 1, places[2 * i] + 0.1 * step + 1, 0, 4,
            places[2 * i + 1] - 1, places[2 * i + 1] + 1]);
        const nodes = [], numbers = Array.from({length: COUNT}, (_, i) => i);
        tree.createFromArray(numbers, numbers.map((i) => boxOf(i, 0)), (node) => { nodes[node.object] = node; });
        const found = [];
        const cull = () => {
            found.length = 0;
            const all = (node) => {
                if (node.object !== undefined) found.push(node.object);
                else for (const child of [node.left, node.right]) all(child);
            };
            tree.frustumCulling(product.elements, all);
            return found.length;
        };
        return {move: (i, step) => { nodes[i].box.set(boxOf(i, step)); tree.move(nodes[i], 0); }, cull, rows: () => found};
    },
    async objectbvh() {
        const {ObjectBVH} = await packageOf('three-mesh-bvh', 'build/index.module.js');
        const mesh = new three.InstancedMesh(geometry, material, COUNT);
        for (let i = 0; i < COUNT; i++) mesh.setMatrixAt(i, place(i, 0));
        mesh.updateMatrixWorld();
        const tree = new ObjectBVH(mesh);
        const cull = () => {
            let found = 0;
            frustum.setFromProjectionMatrix(product);
            tree.shapecast({intersectsBounds: (bounds) => frustum.intersectsBox(bounds), intersectsObject: (object, i) => {
                mesh.getMatrixAt(i, at);
                found += frustum.intersectsBox(box.copy(geometry.boundingBox).applyMatrix4(at));
                return false;
            }});
            return found;
        };
        return {move: (i, step) => mesh.setMatrixAt(i, place(i, step)), moved: () => tree.refit(), cull, ray: (caster) => tree.raycast(caster)};
    },
};

// A flat map: all boxes are found that a square on the ground touches.
const flat = {
    async acre_flat() {
        const {load, Tree} = await packageOf('acre-culling', 'acre.js'), tree = new Tree(await load(), {halfSize: HALF});
        const fill = () => {
            tree.reserve(COUNT);
            const {boxes} = tree;
            for (let i = 0; i < COUNT; i++) boxes.set([places[2 * i] - 1, 0, places[2 * i + 1] - 1, places[2 * i] + 1, 4, places[2 * i + 1] + 1], 6 * i);
            tree.insertAll();
        };
        return {fill, find: (x, z, half) => tree.queryBox([x - half, 0, z - half, x + half, 4, z + half]).length};
    },
    async rbush() {
        const RBush = (await packageOf('rbush', 'index.js')).default, tree = new RBush();
        const boxOf = (i) => ({minX: places[2 * i] - 1, minY: places[2 * i + 1] - 1, maxX: places[2 * i] + 1, maxY: places[2 * i + 1] + 1, i});
        return {fill: () => tree.load(Array.from({length: COUNT}, (_, i) => boxOf(i))),
            find: (x, z, half) => tree.search({minX: x - half, minY: z - half, maxX: x + half, maxY: z + half}).length};
    },
    async flatbush() {
        const Flatbush = (await packageOf('flatbush', 'index.js')).default, tree = new Flatbush(COUNT);
        const fill = () => {
            for (let i = 0; i < COUNT; i++) tree.add(places[2 * i] - 1, places[2 * i + 1] - 1, places[2 * i] + 1, places[2 * i + 1] + 1);
            tree.finish();
        };
        return {fill, find: (x, z, half) => tree.search(x - half, z - half, x + half, z + half).length};
    },
};

function timed(call, rounds) {
    const times = Array.from({length: rounds}, (_, k) => {
        const begin = performance.now();
        call(k);
        return performance.now() - begin;
    }).sort((a, b) => a - b);
    return `${times[rounds >> 1].toPrecision(3)} / ${times[rounds - 1].toPrecision(3)}`;
}

async function frames() {
    const one = await kinds[kind](), isSlow = ['instanced2_tree', 'bvhjs', 'objectbvh', 'loop'].includes(kind);
    const rounds = COUNT > 200000 ? 5 : isSlow ? 9 : 31, out = [];
    for (let i = 0; i < COUNT; i++) one.move(i, 0);
    one.moved?.();
    const frame = (share, step) => {
        for (let i = 0; i < share * COUNT; i++) one.move(i, step);
        if (share > 0) one.moved?.();
        return one.cull();
    };
    for (const share of [0, 0.1, 1]) {
        for (let k = 0; k < 4; k++) (turn(), frame(share, k)); // code is compiled
        out.push(timed((k) => { turn(); frame(share, k); }, rounds));
    }
    turn();
    const found = frame(1, 0), expected = looped((i) => place(i, 0));
    if (one.rows) {
        const rows = new Set(one.rows());
        for (const row of expected) if (!rows.has(row)) throw new Error(`${kind} has lost ${row}`);
    }
    const caster = new three.Raycaster(), direction = new three.Vector3();
    out.push(one.ray ? timed((k) => {
        caster.set(new three.Vector3(0, 3, 0), direction.set(Math.cos(k), 0, Math.sin(k)));
        one.ray(caster);
    }, rounds) : '');
    console.log(`| ${kind} | ${COUNT} | ${out.join(' | ')} | ${found} of ${expected.size} |`);
}

async function map() {
    const one = await flat[kind](), fill = timed(() => one.fill(), 1).split(' ')[0], rounds = 2000;
    let total = 0;
    const ask = () => { total += one.find(2 * HALF * (random() - 0.5), 2 * HALF * (random() - 0.5), 25); };
    for (let i = 0; i < rounds; i++) ask();
    total = 0;
    const begin = performance.now();
    for (let i = 0; i < rounds; i++) ask();
    console.log(`| ${kind} | ${COUNT} | ${fill} | ${(1000 * (performance.now() - begin) / rounds).toPrecision(3)} | ${total} |`);
}

await (kinds[kind] ? frames() : map());
process.exit(0);
