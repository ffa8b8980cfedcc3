// SPDX-License-Identifier: MIT
// bundlers.mjs - one small program through each bundler with its defaults, then in node or Chromium.
//     node bundlers.mjs PROJECT, where acre-culling and the bundlers are installed
//
// The program finds one box of two by Acre and one instance of two by AcreInstancedMesh, so it shows, too,
// that both entries have one class. Parcel reads no `exports` of a package by default: its line says so.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {serve} from '../npm/server.mjs';
import {Browser} from '../page/browser.mjs';

const project = process.argv[2];
const program = (entry) => `import {load, Tree} from '${entry}';
import {AcreInstancedMesh} from 'acre-culling/three';
import {BoxGeometry, Matrix4, MeshBasicMaterial, PerspectiveCamera} from 'three';

export async function find() {
    const acre = await load(), tree = new Tree(acre, {halfSize: 64});
    tree.insertMany([0, 1], [0, 0, 0, 1, 1, 1, 9, 0, 0, 10, 1, 1]);
    const mesh = new AcreInstancedMesh(acre, new BoxGeometry(), new MeshBasicMaterial(), 2);
    mesh.setMatrixAt(0, new Matrix4().makeTranslation(0, 0, -5)).setMatrixAt(1, new Matrix4().makeTranslation(0, 0, 5));
    return \`found \${tree.queryPoint([0.5, 0.5, 0.5]).length + mesh.cull(new PerspectiveCamera())}\`;
}
`;
const main = "import {find} from './find.js';\n" +
    'find().catch((error) => `failed: ${error.message}`).then((text) => { globalThis.result = text; console.log(text); });\n';
const html = (source) => `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${source}"></script>\n`;

// A folder with the program, inside the project, so that packages are found.
function folderFor(name, entry, files = {}) {
    const folder = join(project, name);
    rmSync(folder, {recursive: true, force: true});
    mkdirSync(folder);
    for (const [path, text] of Object.entries({'find.js': program(entry), 'main.js': main, 'index.html': html('./main.js'),
        'package.json': '{"private": true, "type": "module"}', ...files})) {
        mkdirSync(dirname(join(folder, path)), {recursive: true});
        writeFileSync(join(folder, path), text);
    }
    return folder;
}

function run(folder, command, ...words) {
    const {status, stdout, stderr} = spawnSync(join(project, 'node_modules/.bin', command), words,
        {cwd: folder, encoding: 'utf8', timeout: 300000, env: {...process.env, CI: '1', NEXT_TELEMETRY_DISABLED: '1'}});
    if (status !== 0) {
        const text = `${stdout}${stderr}`.split('\n').find((line) => /error|failed/i.test(line)) ?? 'it ended badly';
        throw new Error(text.trim().slice(0, 160));
    }
}

const browser = new Browser(process.env.CHROMIUM ?? 'chromium');

// What the page in a folder says. policy: its Content-Security-Policy.
async function inBrowser(folder, policy) {
    const server = await serve(folder, {}, policy && {'Content-Security-Policy': policy});
    try {
        return await inPage(`${server.address}/`);
    } finally {
        server.close();
    }
}

async function inPage(address) {
    const page = await browser.open(address, {width: 400, height: 300});
    try {
        await page.until('globalThis.result', 20);
        return await page.value('globalThis.result');
    } finally {
        await page.close();
    }
}

function inNode(folder, file) {
    const {stdout, stderr} = spawnSync(process.execPath, [file], {cwd: folder, encoding: 'utf8'});
    return stdout.trim() || stderr.split('\n').find((line) => line.includes('Error')) || 'it said nothing';
}

const next = {'app/layout.js': 'export default function Layout({children}) { return <html><body>{children}</body></html>; }\n',
    'app/page.js': "import {find} from '../find.js';\nimport Client from './client.js';\nexport const dynamic = 'force-dynamic';\n" +
        'export default async function Page() {\n    const text = await find().catch((error) => `failed: ${error.message}`);\n' +
        '    return <p><b id="server">{text}</b><Client /></p>;\n}\n',
    'app/client.js': "'use client';\nimport {useEffect} from 'react';\nimport {find} from '../find.js';\n" +
        'export default function Client() {\n    useEffect(() => {\n        find().catch((error) => `failed: ${error.message}`)\n' +
        "            .then((text) => { globalThis.result = `${document.getElementById('server').textContent} on the server, ` +\n" +
        '                `${text} on the client`; });\n    }, []);\n    return null;\n}\n'};

async function withNext(folder) {
    run(folder, 'next', 'build');
    const {spawn} = await import('node:child_process');
    const port = 20000 + process.pid % 20000;
    const server = spawn(join(project, 'node_modules/.bin/next'), ['start', '-p', port], {cwd: folder, detached: true});
    try {
        for (let i = 0; i < 100; i++) {
            await new Promise((done) => setTimeout(done, 200));
            if (await fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)) break;
        }
        return await inPage(`http://127.0.0.1:${port}/`);
    } finally {
        process.kill(-server.pid);
    }
}

const rollup = "import resolve from '@rollup/plugin-node-resolve';\n" +
    "export default {input: 'main.js', output: {dir: 'out', format: 'es'}, plugins: [resolve()]};\n";
const bundlers = {
    vite: (folder) => (run(folder, 'vite', 'build'), inBrowser(join(folder, 'dist'))),
    webpack: (folder) => {
        run(folder, 'webpack', '--mode', 'production', '--entry', './main.js');
        writeFileSync(join(folder, 'dist/index.html'), html('./main.js'));
        return inBrowser(join(folder, 'dist'));
    },
    rollup: (folder) => {
        writeFileSync(join(folder, 'rollup.config.js'), rollup);
        run(folder, 'rollup', '-c');
        writeFileSync(join(folder, 'out/index.html'), html('./main.js'));
        return inBrowser(join(folder, 'out'));
    },
    parcel: (folder) => (run(folder, 'parcel', 'build', 'index.html', '--no-cache'), inBrowser(join(folder, 'dist'))),
    'esbuild (esm)': (folder) => {
        run(folder, 'esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=out/main.js');
        writeFileSync(join(folder, 'out/index.html'), html('./main.js'));
        return inBrowser(join(folder, 'out'));
    },
    'esbuild (cjs)': (folder) => {
        run(folder, 'esbuild', 'main.js', '--bundle', '--format=cjs', '--platform=node', '--outfile=out/main.cjs');
        return inNode(folder, 'out/main.cjs');
    },
    'esbuild (iife)': (folder) => {
        run(folder, 'esbuild', 'main.js', '--bundle', '--format=iife', '--outfile=out/main.js');
        writeFileSync(join(folder, 'out/index.html'), html('./main.js'));
        return inBrowser(join(folder, 'out'));
    },
    next: withNext,
    'node, no bundler': (folder) => inNode(folder, 'main.js'),
};

// React's StrictMode makes, throws away and makes again what a component holds.
const react = `import {createRoot} from 'react-dom/client';
import {StrictMode, createElement as make, useEffect, useMemo, useRef} from 'react';
import {Canvas, extend} from '@react-three/fiber';
import {BoxGeometry, Matrix4, MeshBasicMaterial} from 'three';
import {load} from 'ENTRY';
import {AcreInstancedMesh} from 'acre-culling/three';

extend({AcreInstancedMesh});
const geometry = new BoxGeometry(), material = new MeshBasicMaterial(), seen = [];
function Boxes({acre}) {
    const mesh = useRef(null), words = useMemo(() => [acre, geometry, material, 20, {halfSize: 64}], [acre]);
    useEffect(() => {
        for (let i = 0; i < 20; i++) mesh.current.setMatrixAt(i, new Matrix4().makeTranslation(i < 12 ? 0 : 900, 0, -2 * i));
        const timer = setInterval(() => {
            seen.push(mesh.current.count);
            if (seen.length === 20) globalThis.result = seen.at(-1) === 12 ? 'found 2, drawn in StrictMode' : 'failed: ' + seen;
        }, 100);
        return () => clearInterval(timer);
    }, []);
    return make('acreInstancedMesh', {ref: mesh, args: words});
}
load().then((acre) => createRoot(document.getElementById('root')).render(make(StrictMode, null,
    make(Canvas, {frameloop: 'always', style: {width: 300, height: 200}}, make(Boxes, {acre})))));
`;

Object.assign(bundlers, {
    'react (StrictMode)': (folder, entry) => {
        writeFileSync(join(folder, 'main.js'), react.replace('ENTRY', entry));
        run(folder, 'esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=out/main.js',
            '--define:process.env.NODE_ENV="development"');
        writeFileSync(join(folder, 'out/index.html'), `<!doctype html><link rel="icon" href="data:,"><div id="root"></div>
            <script type="module" src="./main.js"></script>`);
        return inBrowser(join(folder, 'out'));
    },
    'vite, strict policy': (folder) => (run(folder, 'vite', 'build'),
        inBrowser(join(folder, 'dist'), "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")),
});

const versionOf = (name) => {
    const path = join(project, 'node_modules', name.split(/[ ,]/)[0], 'package.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : process.version;
};
let status = 0;
const wanted = process.argv.slice(3);
for (const [name, build] of Object.entries(bundlers)) {
    if (wanted.length > 0 && !wanted.some((word) => name.startsWith(word))) continue;
    for (const entry of ['acre-culling/inline', 'acre-culling']) {
        let text;
        try {
            text = await build(folderFor(`${name.replace(/\W+/g, '_')}_${entry.split('/')[1] ?? 'fetch'}`, entry,
                name === 'next' ? next : {}), entry);
        } catch (error) {
            text = `failed: ${error.message.split('\n')[0]}`;
        }
        const isGood = text.startsWith('found 2') && !text.includes('failed');
        if (!isGood && entry.endsWith('inline')) status = 1;
        console.log(`${`${name} ${versionOf(name)}`.padEnd(26)}${entry.padEnd(22)}` +
            `${isGood || !entry.endsWith('inline') ? '' : 'FAIL '}${text}`);
    }
}
await browser.close();
process.exit(status);
