// SPDX-License-Identifier: MIT
// test_calls.mjs - each call of the npm package against a model, what it refuses and in which words,
// its types against what is there, and which module load() chooses.
//     node --test test_calls.mjs, in a project that has acre-culling
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {acreModule, folder, require, load, Acre, AcreError, Tree, Culler, Horizon, Instances, Interest, VisibleSet, whole, sorted} from './common.mjs';

const acre = await load();
const randomBox = () => {
    const low = [whole(-90, 90), whole(-9, 9), whole(-90, 90)];
    return [...low, ...low.map((edge) => edge + whole(0, 9))];
};
const SHIFT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]; // moves by 5, 6, 7
const ALL_LAYERS = 0xffffffff;

// A model is a map from items to their boxes and layers; each edit makes one call and the same edit
// of the map.
const TREE_EDITS = {
    insert: (tree, model) => {
        const item = whole(0, 999), box = randomBox();
        if (model.has(item)) return;
        tree.insert(item, box);
        model.set(item, {box, layers: ALL_LAYERS});
    },
    refresh: (tree, model) => {
        for (const item of sorted(model.keys()).slice(0, 3)) {
            model.get(item).box = randomBox();
            tree.refresh(item, model.get(item).box);
        }
    },
    remove: (tree, model) => {
        const item = sorted(model.keys())[model.size >> 1];
        if (item === undefined) return;
        tree.remove(item);
        model.delete(item);
    },
    insertMany: (tree, model) => {
        const items = sorted(new Set(Array.from({length: 40}, () => whole(0, 999)))).filter((item) => !model.has(item));
        const all = items.map(randomBox);
        tree.insertMany(items, all.flat());
        items.forEach((item, i) => model.set(item, {box: all[i], layers: ALL_LAYERS}));
    },
    refreshMany: (tree, model) => {
        const items = Uint32Array.from(model.keys()).filter((item) => item % 3 === 0);
        for (const item of items) model.get(item).box = randomBox();
        tree.refreshMany(items, Float32Array.from(Array.from(items).flatMap((item) => model.get(item).box)));
    },
    removeMany: (tree, model) => {
        const items = sorted(model.keys()).filter((item) => item % 7 === 0);
        tree.removeMany(items);
        for (const item of items) model.delete(item);
    },
    setLayers: (tree, model) => {
        for (const item of sorted(model.keys()).filter((number) => number % 5 === 0)) {
            const layers = whole(0, 7);
            tree.setLayers(item, layers);
            model.get(item).layers = layers || ALL_LAYERS; // 0 means all
        }
    },
    optimize: (tree) => tree.optimize(),
    maintain: (tree) => tree.maintain(),
    clear: (tree, model) => {
        if (whole(0, 3) > 0) return;
        tree.clear();
        model.clear();
    },
};

test('tree: each edit does what it does to a map', () => {
    const tree = new Tree(acre, {halfSize: 128, nodeCapacity: 8}), model = new Map(), names = Object.keys(TREE_EDITS);
    let most = 0;
    for (let round = 0; round < 600; round++) {
        const name = names[whole(0, names.length - 1)];
        TREE_EDITS[name](tree, model);
        assert.equal(tree.stats.items, model.size, name);
        assert.deepEqual(Array.from(tree.queryAll({sorted: true})), sorted(model.keys()), name);
        const ofLayer = sorted(model.keys()).filter((item) => model.get(item).layers & 2);
        assert.deepEqual(sorted(tree.queryAll({layers: 2})), ofLayer, name);
        most = Math.max(most, model.size);
        if (round % 20 !== 0) continue;
        tree.validate();
        for (let item = 0; item < 1000; item++) {
            const row = model.get(item);
            assert.equal(tree.has(item), row !== undefined);
            assert.equal(tree.layers(item), row?.layers ?? 0);
            if (row) assert.deepEqual(Array.from(tree.box(item)), row.box);
        }
    }
    assert.ok(most > 100, 'the tree was not always small');
    tree.dispose();
});

test('tree: clear keeps what was reserved', () => {
    const tree = new Tree(acre);
    tree.reserve(100);
    tree.boxes.fill(1);
    tree.insertAll();
    tree.clear();
    assert.deepEqual([tree.stats.items, tree.boxes.length, tree.queryAll().length], [0, 600, 0]);
    tree.insertAll();
    tree.boxes.fill(2);
    tree.refreshAll(50);
    assert.deepEqual([tree.queryPoint([1, 1, 1]).length, tree.queryPoint([2, 2, 2]).length], [50, 50]);
    tree.dispose();
});

test('tree: the options of the constructor hold', () => {
    const tree = new Tree(acre, {itemCapacity: 10, center: [1000, -1000], halfSize: 64, maxDepth: 3, nodeCapacity: 1});
    tree.insert(9, [0, 0, 0, 1, 1, 1]);
    assert.throws(() => tree.insert(10, [0, 0, 0, 1, 1, 1]), {code: 'CAPACITY'});
    assert.throws(() => tree.reserve(11), {code: 'CAPACITY'});
    tree.dispose();
    assert.ok(tree.isDisposed);
});

test('culler: parents, matrices, bounds, flags, layers', () => {
    const culler = new Culler(acre, {entityCapacity: 64}), bounds = [-1, -1, -1, 1, 1, 1];
    const [a, b] = [[10, 0, 0], [0, 0, 50]].map((translation) => culler.create({translation, bounds}));
    const child = culler.create({parent: a, translation: [0, 5, 0], bounds});
    const at = (entity) => (culler.commit(), Array.from(culler.worldBox(entity)));
    const sees = (options) => (culler.commit(), Array.from(culler.queryAll({sorted: true, ...options})));
    const [slotA, slotB, slotC] = [a, b, child].map(Culler.slotOf);
    assert.deepEqual(at(child), [9, 4, -1, 11, 6, 1]);
    culler.setParent(child, b);
    assert.deepEqual(at(child), [-1, 4, 49, 1, 6, 51]);
    assert.throws(() => culler.setParent(b, child), {code: 'INVALID_ARGUMENT'}); // a cycle
    culler.setParent(child, 0);
    assert.deepEqual(at(child), [-1, 4, -1, 1, 6, 1]);

    culler.setMatrix(a, SHIFT);
    assert.deepEqual(at(a), [4, 5, 6, 6, 7, 8]);
    assert.deepEqual(Array.from(culler.worldMatrix(a)), SHIFT);
    culler.setTransform(a, {translation: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [2, 3, 4]});
    assert.deepEqual(at(a), [-1, -1, -1, 3, 5, 7]);
    culler.setTransform(a, {});
    assert.deepEqual(at(a), bounds);

    culler.setBounds(a, [0, 0, 0, 7, 8, 9]);
    assert.deepEqual(at(a), [0, 0, 0, 7, 8, 9]);
    assert.deepEqual(sees(), [slotA, slotB, slotC]);
    culler.setBounds(a, null);
    assert.deepEqual(sees(), [slotB, slotC]);
    assert.throws(() => culler.worldBox(a), {code: 'NOT_FOUND'});

    culler.setParent(child, b);
    culler.setFlags(b, {isHidden: true});
    assert.deepEqual(sees(), [], 'its child is hidden with it');
    culler.setFlags(b, {isNeverCulled: true});
    const elsewhere = [500, 500, 500, 501, 501, 501];
    assert.deepEqual(sees(), [slotB, slotC]);
    assert.deepEqual(Array.from(culler.queryBox(elsewhere)), [slotB]);
    culler.setFlags(b, {isStatic: true});
    assert.deepEqual(sees(), [slotB, slotC]);
    assert.deepEqual(Array.from(culler.queryBox(elsewhere)), []);
    const {entities, moving, still} = culler.stats;
    assert.deepEqual([entities, moving, still], [3, 1, 1]);

    culler.setLayers(b, 1);
    culler.setLayers(child, 6);
    assert.deepEqual([sees({layers: 1}), sees({layers: 2}), sees({layers: 8})], [[slotB], [slotC], []]);
    culler.setLayers(b, 0);
    assert.deepEqual(sees({layers: 8}), [slotB], '0 means all');
    culler.optimize();
    culler.validate();
    assert.deepEqual(sees(), [slotB, slotC]);
    assert.deepEqual(culler.nearest([0, 0, 40], 1), [{id: slotB, distance: 9}]);
    assert.equal(culler.entityAt(slotC), child);
    assert.equal(culler.entityAt(60), 0);
    culler.dispose();
    assert.ok(culler.isDisposed && !culler.isAlive(b));
});

test('culler: an entity may be made from what another call returned', () => {
    const culler = new Culler(acre), first = culler.create({matrix: SHIFT, bounds: [0, 0, 0, 1, 1, 1]});
    culler.commit();
    const made = culler.create({matrix: culler.worldMatrix(first), bounds: [0, 0, 0, 2, 2, 2]});
    culler.commit();
    const boxed = culler.create({bounds: culler.worldBox(made)});
    culler.commit();
    assert.deepEqual(Array.from(culler.worldMatrix(made)), SHIFT);
    assert.deepEqual(Array.from(culler.worldBox(boxed)), [5, 6, 7, 7, 8, 9]);
    const slots = culler.queryAll({sorted: true});
    const matrices = culler.gatherMatrices(Uint32Array.from(slots));
    assert.deepEqual([matrices.length, Array.from(matrices.subarray(16, 32))], [48, SHIFT]);
    assert.throws(() => culler.create({matrix: SHIFT.map(() => 1)}), {code: 'INVALID_ARGUMENT'});
    culler.commit();
    assert.equal(culler.stats.entities, 3, 'a refused entity is gone');
    culler.dispose();
});

// The call throws this message with this code.
const says = (call, message, code) => assert.throws(call, (error) => {
    assert.ok(error instanceof AcreError && error instanceof Error);
    assert.deepEqual([error.message, error.code], [message, code]);
    return true;
});

test('instances: rows that are refused leave it as it was', () => {
    const instances = new Instances(acre, 20, [0, 0, 0, 1, 1, 1]);
    const wide = SHIFT.map((x, i) => (i < 12 ? x / 100 : x * +(i === 15)));
    assert.equal(instances.cull([wide]), 20);
    for (const row of [20, -1, 1.5, NaN]) assert.throws(() => instances.setMoved(row), {code: 'INVALID_ARGUMENT'});
    assert.throws(() => instances.cull([wide, new Array(16).fill(0)]), {code: 'INVALID_ARGUMENT'});
    assert.deepEqual(sorted(instances.visible), Array.from({length: 20}, (_, i) => i));
    assert.equal(instances.cull([]), 0);
    instances.matrices[16 * 3 + 12] = NaN;
    instances.setMoved(3);
    assert.equal(instances.cull([wide]), 19, 'the bad row is hidden, all others are there');
    assert.deepEqual([...instances.badRows], [3]);
    assert.ok(!sorted(instances.visible).includes(3));
    instances.matrices[16 * 3 + 12] = 0;
    instances.setMoved(3);
    assert.equal(instances.cull([wide]), 20, 'the row is good again');
    assert.equal(instances.badRows.size, 0);
    instances.matrices[16 * 3 + 12] = 4000;
    instances.setMoved(3);
    assert.equal(instances.cull([wide]), 19, 'the row has moved away');
    instances.colors.set([0.5, 0.25, 1], 3 * instances.visible[2]);
    instances.gather(true);
    assert.deepEqual(Array.from(instances.visibleColors.subarray(6, 9)), [0.5, 0.25, 1]);
    assert.equal(instances.visibleCount, instances.visible.length);
    const seen = instances.visibleCount;
    assert.throws(() => instances.cull([wide], {layers: NaN}), {code: 'INVALID_ARGUMENT'});
    assert.equal(instances.visibleCount, seen, 'a refused cull changes nothing');
    instances.dispose();
    instances.dispose();
    says(() => instances.gather(true), 'instances.gather: it was disposed of', 'INVALID_ARGUMENT');
    says(() => instances.matrices, 'instances.matrices: it was disposed of', 'INVALID_ARGUMENT');
    for (const [count, box] of [[-1, [0, 0, 0, 1, 1, 1]], [1.5, [0, 0, 0, 1, 1, 1]], [2, [0, 0, 0, 1, 1]], [2]]) {
        assert.throws(() => new Instances(acre, count, box), {code: 'INVALID_ARGUMENT', message: /^instances: /});
    }
});

// The words of acre_result_text, as Acre's own module says them.
const textOf = (code) => acre.text(acre.calls.npm_result_text(code));
const CODES = ['OK', 'INVALID_ARGUMENT', 'OUT_OF_MEMORY', 'CAPACITY', 'STALE_HANDLE', 'EXISTS', 'NOT_FOUND', 'BUSY', 'IO',
    'FORMAT', 'NOT_COMMITTED', 'DIFFERS'];
const TEXTS = ['no error', 'invalid argument', 'out of memory', 'number above a fixed capacity',
    'null, destroyed or foreign handle', 'it exists already', 'it is not there', 'object is in use by another call',
    'file could not be read or written', 'content is broken', 'not committed yet', 'replay differs from its recording'];

test('errors: every code has its text', () => {
    assert.deepEqual(CODES.map((_, code) => textOf(code)), TEXTS);
    CODES.slice(1).forEach((name, i) => assert.throws(() => acre.check(i + 1, 'it'),
        {name: 'AcreError', code: name, message: `it: ${TEXTS[i + 1]}`}));
    assert.throws(() => acre.check(99, 'it'), {code: 'UNKNOWN', message: 'it: unknown result'});
});

const box = [0, 0, 0, 1, 1, 1], sixteen = new Array(16).fill(0);
// What Acre itself refuses: its text.
const byAcre = ({tree, culler, entity, gone}) => [
    [() => tree.insert(3, box), 'tree.insert', 'EXISTS'],
    [() => tree.insert(4, [1, 0, 0, 0, 0, 0]), 'tree.insert', 'INVALID_ARGUMENT'],
    [() => tree.insert(50, box), 'tree.insert', 'CAPACITY'],
    [() => tree.refresh(4, box), 'tree.refresh', 'NOT_FOUND'],
    [() => tree.refresh(3, [NaN, 0, 0, 1, 1, 1]), 'tree.refresh', 'INVALID_ARGUMENT'],
    [() => tree.remove(4), 'tree.remove', 'NOT_FOUND'],
    [() => tree.insertMany([3], box), 'tree.insertMany', 'EXISTS'],
    [() => tree.refreshMany([9], box), 'tree.refreshMany', 'NOT_FOUND'],
    [() => tree.removeMany([9]), 'tree.removeMany', 'NOT_FOUND'],
    [() => tree.reserve(51), 'tree.reserve', 'CAPACITY'],
    [() => tree.box(9), 'tree.box', 'NOT_FOUND'],
    [() => tree.setLayers(9, 1), 'tree.setLayers', 'NOT_FOUND'],
    [() => tree.queryBox([1, 0, 0, 0, 0, 0]), 'tree.queryBox', 'INVALID_ARGUMENT'],
    [() => tree.queryPoint([NaN, 0, 0]), 'tree.queryPoint', 'INVALID_ARGUMENT'],
    [() => tree.querySphere([0, 0, 0], -1), 'tree.querySphere', 'INVALID_ARGUMENT'],
    [() => tree.queryCircle([0, 0], NaN), 'tree.queryCircle', 'INVALID_ARGUMENT'],
    [() => tree.queryCapsule([0, 0, 0], [1, 1, 1], -1), 'tree.queryCapsule', 'INVALID_ARGUMENT'],
    [() => tree.queryRay([0, 0, 0], [NaN, 1, 0]), 'tree.queryRay', 'INVALID_ARGUMENT'],
    [() => tree.queryRay([0, 0, 0], [0, 1, 0], {length: -1}), 'tree.queryRay', 'INVALID_ARGUMENT'],
    [() => tree.queryPlanes([NaN, 1, 0, 0]), 'tree.queryPlanes', 'INVALID_ARGUMENT'],
    [() => tree.queryFrustum(sixteen), 'tree.queryFrustum', 'INVALID_ARGUMENT'],
    [() => tree.nearest([0, 0, 0], 1, {maxDistance: -1}), 'tree.nearest', 'INVALID_ARGUMENT'],
    [() => tree.nearest([0, NaN, 0], 1), 'tree.nearest', 'INVALID_ARGUMENT'],
    // More memory than there can be, also where its low 32 bits are 0 and 8.
    [() => tree.nearest([0, 0, 0], 2 ** 29), 'tree.nearest', 'OUT_OF_MEMORY'],
    [() => tree.nearest([0, 0, 0], 2 ** 29 + 1), 'tree.nearest', 'OUT_OF_MEMORY'],
    [() => tree.firstHits([0, 0, 0], [1, 0, 0], 1, {length: NaN}), 'tree.firstHits', 'INVALID_ARGUMENT'],
    [() => new Tree(acre, {maxDepth: 21}), 'tree.create', 'INVALID_ARGUMENT'],
    [() => new Culler(acre, {center: [0, NaN]}), 'culler.create', 'INVALID_ARGUMENT'],
    [() => culler.create({parent: gone}), 'culler.create', 'STALE_HANDLE'],
    [() => culler.create({bounds: [NaN, 0, 0, 1, 1, 1]}), 'culler.create', 'INVALID_ARGUMENT'],
    [() => culler.destroy(gone), 'culler.destroy', 'STALE_HANDLE'],
    [() => culler.setParent(entity, gone), 'culler.setParent', 'STALE_HANDLE'],
    [() => culler.setParent(entity, entity), 'culler.setParent', 'INVALID_ARGUMENT'],
    [() => culler.setTransform(gone, {}), 'culler.setTransform', 'STALE_HANDLE'],
    [() => culler.setTransforms([gone], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]), 'culler.setTransforms', 'STALE_HANDLE'],
    [() => culler.setMatrix(entity, sixteen), 'culler.setMatrix', 'INVALID_ARGUMENT'],
    [() => culler.setBounds(gone, box), 'culler.setBounds', 'STALE_HANDLE'],
    [() => culler.setFlags(0, {}), 'culler.setFlags', 'STALE_HANDLE'],
    [() => culler.setLayers(gone, 1), 'culler.setLayers', 'STALE_HANDLE'],
    [() => culler.worldMatrix(gone), 'culler.worldMatrix', 'STALE_HANDLE'],
    [() => culler.worldBox(gone), 'culler.worldBox', 'STALE_HANDLE'],
    [() => culler.gatherMatrices(Uint32Array.of(99)), 'culler.gatherMatrices', 'NOT_FOUND'],
];
// What the package refuses before it calls Acre: its own words.
const byPackage = ({tree, culler, entity}) => [
    [() => new Tree({}), 'tree: the first argument is what load() gives'],
    [() => tree.insert(-1, box), 'tree.insert: a whole number from 0 on is needed, not -1'],
    [() => tree.has('x'), 'tree.has: a whole number from 0 on is needed, not x'],
    [() => tree.insertMany([0.5], box), 'tree.insertMany: a whole number from 0 on is needed, not 0.5'],
    [() => tree.insertMany([1, 2], box), 'tree.insertMany: six numbers for each item are needed'],
    [() => tree.refreshMany([3]), 'tree.refreshMany: six numbers for each item are needed'],
    [() => tree.reserve(2 ** 32), 'tree.reserve: a whole number from 0 on is needed, not 4294967296'],
    [() => tree.setLayers(1, 2 ** 32), 'tree.setLayers: layers are 32 bits, not 4294967296'],
    [() => tree.queryAll({layers: NaN}), 'tree.queryAll: layers are 32 bits, not NaN'],
    [() => tree.nearest([0, 0, 0], 1, {layers: 0.5}), 'tree.nearest: layers are 32 bits, not 0.5'],
    [() => tree.refreshAll(5), 'tree.refreshAll: there are fewer rows in boxes'],
    [() => tree.refreshAll(-1), 'tree.refreshAll: a whole number from 0 on is needed, not -1'],
    [() => tree.insert(1, [0, 0, 0, 1, 1]), 'tree.insert: 6 numbers are needed, not 5'],
    [() => tree.queryBox([0, 0, 0, 1, 1, 1, 1]), 'tree.queryBox: 6 numbers are needed'],
    [() => tree.querySphere([0, 0, 0]), 'tree.querySphere: 4 numbers are needed'],
    [() => tree.queryPlanes([1, 2, 3]), 'tree.queryPlanes: 0 to 16 planes of 4 numbers'],
    [() => tree.queryPlanes(new Array(68).fill(0)), 'tree.queryPlanes: 0 to 16 planes of 4 numbers'],
    [() => tree.queryFrustum([1]), 'tree.queryFrustum: a matrix has 16 numbers'],
    [() => tree.queryFrustum(sixteen, {clip: 'near'}), 'tree.queryFrustum: a clip is one of -1..1, 0..1, 1..0'],
    [() => tree.nearest([0, 0, 0], 1.5), 'tree.nearest: the count is a whole number'],
    [() => culler.setTransforms([entity], [1]), 'culler.setTransforms: ten numbers for each entity'],
    [() => culler.create({matrix: [1]}), 'culler.create: a matrix has 16 numbers'],
    [() => culler.create({bounds: [1]}), 'culler.create: bounds are six numbers'],
    [() => culler.setMatrix(entity, [1]), 'culler.setMatrix: 16 numbers are needed, not 1'],
];

test('errors: the message names the call and says what is wrong', () => {
    const tree = new Tree(acre, {itemCapacity: 50}), culler = new Culler(acre);
    tree.insert(3, box);
    tree.reserve(4);
    const entity = culler.create({bounds: box}), gone = culler.create();
    culler.destroy(gone);
    culler.commit();
    const hash = tree.stateHash;
    const objects = {tree, culler, entity, gone};
    for (const [call, name, code] of byAcre(objects)) {
        assert.throws(call, (error) => error.code === code && error.message.startsWith(`${name}: `) &&
            error.message !== `${name}: invalid argument`);
    }
    says(() => tree.refresh(3, [0, NaN, 0, 1, 1, 1]), 'tree.refresh: box.min[1] is NaN (item 3)', 'INVALID_ARGUMENT');
    says(() => tree.remove(4), 'tree.remove: item is not there (item 4)', 'NOT_FOUND');
    for (const [call, message] of byPackage(objects)) says(call, message, 'INVALID_ARGUMENT');
    assert.equal(tree.stateHash, hash, 'nothing has changed');
    assert.deepEqual([tree.nearest([0, 0, 0], 3), tree.has(3)], [[{id: 3, distance: 0}], true]);
    culler.commit();
    assert.deepEqual([culler.stats.entities, culler.isAlive(entity)], [1, true]);
    tree.dispose();
    culler.dispose();
    says(() => tree.queryAll(), 'tree.queryAll: it was disposed of', 'INVALID_ARGUMENT');
    says(() => tree.clear(), 'tree.clear: it was disposed of', 'INVALID_ARGUMENT');
    says(() => culler.setFlags(entity, {}), 'culler.setFlags: it was disposed of', 'INVALID_ARGUMENT');
});

test('errors: a batch applies its good rows and reports the others', () => {
    const tree = new Tree(acre), culler = new Culler(acre), far = [5, 5, 5, 6, 6, 6];
    tree.insertMany([1, 2], [...box, ...box]);
    const report = (refused, firstRow) => (error) =>
        assert.deepEqual(error.report, {refused, firstRow}) === undefined;
    assert.throws(() => tree.refreshMany([1, 7, 2, 8], [...far, ...far, ...far, ...far]), report(2, 1));
    assert.deepEqual(Array.from(tree.queryBox(far, {sorted: true})), [1, 2]);
    assert.throws(() => tree.removeMany([9, 1]), report(1, 0));
    assert.deepEqual(Array.from(tree.queryAll()), [2]);
    const entities = [culler.create(), culler.create(), culler.create()];
    culler.destroy(entities[1]);
    const rows = entities.flatMap((_, i) => [i, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    assert.throws(() => culler.setTransforms(entities, rows), report(1, 1));
    culler.commit();
    assert.equal(culler.worldMatrix(entities[2])[12], 2);
    tree.dispose();
    culler.dispose();
});

// The declarations of acre.d.ts by name: classes with their members, functions.
function declarations() {
    const text = readFileSync(`${folder}/acre.d.ts`, 'utf8').replace(/\/\*\*[^]*?\*\//g, '').replace(/\/\/.*/g, '');
    const classes = {}, exported = [];
    for (const [, isExported, name, base, body] of
        text.matchAll(/^(export |declare )class (\w+)(?: extends (\w+))? \{\n([^]*?)^\}/gm)) {
        const members = Array.from(body.matchAll(/^    (static |readonly |private )*(\w+)(?=[(?:])/gm), ([, how, member]) =>
            ({member, isStatic: how === 'static '})).filter(({member}) => member !== 'constructor');
        classes[name] = {base, members};
        if (isExported === 'export ') exported.push(name);
    }
    for (const [, name] of text.matchAll(/^export function (\w+)/gm)) exported.push(name);
    return {text, classes, exported};
}

test('types: what acre.d.ts exports is there, and nothing else is', () => {
    const {text, exported} = declarations();
    assert.deepEqual(Object.keys(acreModule).sort(), exported.sort());
    assert.deepEqual(Object.keys(require('acre-culling')).sort(), exported.sort());
    assert.match(text, /^export \{\};$/m); // without it Searched leaves the types, too
    const codes = text.match(/type ErrorCode =([^;]*);/)[1].match(/\w+/g);
    assert.deepEqual(codes.sort(), [...CODES.slice(1), 'UNKNOWN'].sort());
});

test('types: classes have the members that acre.d.ts says, and besides only inner ones', () => {
    const {classes} = declarations();
    let error = null;
    try {
        new Tree(acre).insertMany([1, 1], [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]);
    } catch (refusal) {
        error = refusal;
    }
    const objects = {Acre: acre, AcreError: error, Tree: new Tree(acre), Culler: new Culler(acre),
        Instances: new Instances(acre, 1, [0, 0, 0, 1, 1, 1]), Interest: new Interest(new Tree(acre)),
        VisibleSet: new VisibleSet(new Tree(acre)), Horizon: new Horizon(acre)};
    const inner = {Acre: ['floats', 'words', 'text', 'check', 'resize', 'put', 'frustum'],
        Searched: ['invalid', 'live', 'mask', 'put', 'run', 'check', 'ask', 'search', 'searchHiding', 'near'],
        Tree: ['item', 'batch', 'finish', 'listNeighbors', 'layOccluders', 'dispose'],
        Culler: ['entity', 'transform', 'layOccluders'], Horizon: ['live'], AcreError: [],
        Instances: ['live', 'row', 'mark', 'leave', 'hideBad', 'keep', 'build', 'move', 'makeShapes', 'boxesOf'],
        Interest: ['observer', 'checked', 'placeOf', 'compare'], VisibleSet: ['levelled', 'keep']};
    const bases = {Acre, AcreError, Tree, Culler, Instances, Interest, VisibleSet, Horizon, Searched: Object.getPrototypeOf(Tree)};
    assert.deepEqual(Object.keys(classes).sort(), Object.keys(bases).sort());
    for (const [name, {base, members}] of Object.entries(classes)) {
        assert.ok(members.length > 0);
        if (base && base !== 'Error') assert.equal(Object.getPrototypeOf(bases[name]), bases[base]);
        for (const {member, isStatic} of members) {
            const object = isStatic ? bases[name] : objects[name] ?? objects.Tree;
            assert.ok(member in object, `${name}.${member} is in acre.d.ts alone`);
        }
        const known = [...members.map(({member}) => member), ...inner[name], 'constructor',
            ...name === 'Culler' ? ['dispose'] : []];
        for (const member of Object.getOwnPropertyNames(bases[name].prototype)) {
            assert.ok(known.includes(member), `${name}.${member} is not in acre.d.ts`);
        }
        for (const member of inner[name]) assert.ok(member in bases[name].prototype, `${name}.${member} is gone`);
    }
});

// Which file a load reads: its bytes go through WebAssembly.instantiate.
async function loaded(options, hasSimd) {
    const {instantiate, validate} = WebAssembly;
    let bytes = null;
    WebAssembly.instantiate = (source, imports) => instantiate.call(WebAssembly, bytes = source, imports);
    if (hasSimd !== undefined) WebAssembly.validate = () => hasSimd;
    try {
        return {acre: await load(options), bytes: Buffer.from(bytes)};
    } finally {
        Object.assign(WebAssembly, {instantiate, validate});
    }
}

test('load: SIMD where the engine has it, the plain module where it has not', async () => {
    const files = {true: readFileSync(`${folder}/acre_simd.wasm`), false: readFileSync(`${folder}/acre_plain.wasm`)};
    assert.ok(!files.true.equals(files.false) && WebAssembly.validate(files.true) && WebAssembly.validate(files.false));
    assert.equal((await loaded()).acre.simd, true);
    for (const [options, hasSimd, simd] of [[undefined, undefined, true], [{}, true, true], [{}, false, false],
        [{simd: false}, true, false], [{simd: true}, false, true]]) {
        const {acre: made, bytes} = await loaded(options, hasSimd);
        assert.equal(made.simd, simd);
        assert.ok(bytes.equals(files[simd]), 'the module that it says');
        assert.equal(made.version, JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version);
    }
    for (const wasm of [pathToFileURL(`${folder}/acre_plain.wasm`), './acre_plain.wasm', files.false,
        files.false.buffer.slice(files.false.byteOffset, files.false.byteOffset + files.false.length)]) {
        const {bytes} = await loaded({wasm, simd: false});
        assert.ok(bytes.equals(files.false));
    }
    await assert.rejects(load({wasm: './nothing.wasm'}));
    await assert.rejects(load({wasm: new Uint8Array(9)}), WebAssembly.CompileError);
});

// An engine without SIMD: V8 has none on x86 without SSE 4.1.
const PROGRAM = `
    import {load, Tree} from ${JSON.stringify(pathToFileURL(`${folder}/acre.js`).href)};
    const acre = await load(), tree = new Tree(acre);
    tree.insertMany([...Array(2000).keys()], [...Array(2000).keys()].flatMap((i) => {
        const [x, z] = [i * 37 % 300, i * 91 % 300];
        return [x, 0, z, x + i % 5, 2, z + i % 7];
    }));
    const simd = await load({simd: true}).then(() => 'taken', () => 'refused');
    console.log(JSON.stringify({simd, isSimd: acre.simd, hash: String(tree.stateHash),
        ids: [...tree.querySphere([150, 1, 150], 60), ...tree.queryBox([9, 0, 9, 200, 1, 100])]}));`;
const runs = (...flags) => JSON.parse(execFileSync(process.execPath,
    [...flags, '--input-type=module', '--eval', PROGRAM], {encoding: 'utf8'}));
test('load: an engine without SIMD finds the same ids', {skip: process.arch !== 'x64'}, () => {
    const {simd, isSimd, ...found} = runs(), {simd: simdWithout, isSimd: isSimdWithout, ...foundWithout} =
        runs('--no-enable-sse4-1');
    assert.deepEqual([simd, isSimd, simdWithout, isSimdWithout], ['taken', true, 'refused', false]);
    assert.ok(found.ids.length > 100);
    assert.deepEqual(foundWithout, found);
});
