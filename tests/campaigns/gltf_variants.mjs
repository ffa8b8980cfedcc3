// SPDX-License-Identifier: MIT
// gltf_variants.mjs - what npm's glTF-Transform makes of .glb files.
//
//     node gltf_variants.mjs FROM TO
// Writes TO/quantize, TO/meshopt, TO/instance, and TO/forest: a hundred copies of the scene as
// instances. Run by gltf_files.sh in a folder with npm's packages.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(path.resolve('package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const {NodeIO, Logger} = await load('@gltf-transform/core');
const {ALL_EXTENSIONS} = await load('@gltf-transform/extensions');
const {quantize, meshopt, instance, cloneDocument} = await load('@gltf-transform/functions');
const {MeshoptDecoder, MeshoptEncoder} = require('meshoptimizer');
await MeshoptDecoder.ready;
await MeshoptEncoder.ready;

const io = new NodeIO().registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder});

// A hundred copies of every node with a mesh, side by side under the scene.
function plant(document) {
    const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
    for (const node of document.getRoot().listNodes().filter((n) => n.getMesh() && !n.getSkin())) {
        for (let i = 0; i < 100; i++) {
            scene.addChild(document.createNode(`tree ${i}`).setMesh(node.getMesh())
                .setTranslation([i % 10 * 3.7 - 5, (i * 7) % 11 * 0.1, Math.floor(i / 10) * 2.3]).setScale([1, 1 + i * 0.01, -1]));
        }
    }
}

const variants = {
    quantize: (d) => d.transform(quantize()),
    meshopt: (d) => d.transform(meshopt({encoder: MeshoptEncoder})),
    instance: (d) => d.transform(instance({min: 2})),
    forest: (d) => { plant(d); return d.transform(instance({min: 2})); },
};
const [from, to] = process.argv.slice(2);
for (const [name, make] of Object.entries(variants)) {
    fs.mkdirSync(path.join(to, name), {recursive: true});
    for (const file of fs.readdirSync(from).filter((n) => n.endsWith('.glb'))) {
        const document = cloneDocument(await io.read(path.join(from, file))).setLogger(new Logger(Logger.Verbosity.ERROR));
        document.getRoot().listTextures().forEach((texture) => texture.dispose()); // no matter here
        await make(document);
        await io.write(path.join(to, name, file), document);
    }
}
