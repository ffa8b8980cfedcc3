// SPDX-License-Identifier: MIT
// test_inline.mjs - the package with the module in its text: the same classes, and nothing to fetch.
//     node --test test_inline.mjs, in a project that has acre-culling
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {acreModule, folder, require, refuses} from './common.mjs';

const inline = await import(pathToFileURL(`${folder}/inline.js`));

test('inline: its classes are those of the loader', async () => {
    for (const name of ['Acre', 'AcreError', 'Tree', 'Culler', 'Instances', 'Interest', 'VisibleSet', 'castersOf', 'Horizon']) assert.equal(inline[name], acreModule[name]);
    const {Tree} = acreModule, tree = new Tree(await inline.load());
    tree.insert(4, [0, 0, 0, 1, 1, 1]);
    assert.deepEqual(Array.from(tree.queryPoint([1, 1, 1])), [4]);
    await assert.rejects(inline.load({wasm: 'x'}), {code: 'INVALID_ARGUMENT', message: /no option wasm/});
});

test('inline: scripts in a folder of their own are enough, as modules and by require', () => {
    const place = mkdtempSync(join(tmpdir(), 'acre-inline-'));
    const program = `Promise.resolve(load()).then((acre) => { const tree = new Tree(acre, {halfSize: 8});
        tree.insert(1, [0, 0, 0, 1, 1, 1]); console.log(tree.queryAll().length, acre.simd); });`;
    try {
        for (const [kind, read] of [['js', "import {load, Tree} from './inline.js';"],
            ['cjs', "const {load, Tree} = require('./inline.cjs');"]]) {
            for (const name of ['core', 'occluders', 'tree', 'horizon', 'culler', 'instances', 'changes', 'interest', 'visible_set', 'casters', 'inline']) copyFileSync(`${folder}/${name}.${kind}`, `${place}/${name}.${kind}`);
            const type = kind === 'js' ? 'module' : 'commonjs';
            const out = execFileSync(process.execPath, [`--input-type=${type}`, '-e', read + program], {cwd: place});
            assert.equal(out.toString(), '1 true\n');
        }
    } finally {
        rmSync(place, {recursive: true});
    }
});

test('inline: an Acre of import and a Tree of require belong together', async () => {
    const common = require('acre-culling'), tree = new common.Tree(await inline.load());
    tree.insert(1, [0, 0, 0, 1, 1, 1]);
    assert.equal(tree.queryAll().length, 1);
    tree.dispose();
    assert.throws(() => new common.Tree({}), /what load\(\) gives/);
    refuses('INVALID_ARGUMENT', () => new acreModule.Tree(null));
});
