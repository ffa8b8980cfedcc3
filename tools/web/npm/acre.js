// SPDX-License-Identifier: MIT
// acre.js - loads the module that lies beside this file.
import {checkNames, hasSimd, instantiate} from './core.js';

export {Acre, AcreError} from './core.js';
export {Tree} from './tree.js';
export {Culler} from './culler.js';
export {Instances} from './instances.js';
export {Interest} from './interest.js';
export {VisibleSet} from './visible_set.js';
export {castersOf} from './casters.js';
export {Horizon} from './horizon.js';

async function bytesOf(source) {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
    const url = source instanceof URL ? source : new URL(source, import.meta.url);
    if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
        const name = 'node:fs/promises'; // not a literal: bundlers for browsers look for those
        return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)).readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`acre: ${url} answers ${response.status}`);
    return response.arrayBuffer();
}

/** Loads a module: with SIMD where the engine has it. */
export async function load(options = {}) {
    checkNames('load', options, ['simd', 'wasm']);
    const {simd = hasSimd(), wasm} = options;
    const source = wasm ?? (simd ? new URL('./acre_simd.wasm', import.meta.url)
        : new URL('./acre_plain.wasm', import.meta.url));
    return instantiate(await bytesOf(source), simd);
}
