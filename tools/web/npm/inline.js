// SPDX-License-Identifier: MIT
// inline.js - Acre with its module in the text: nothing to fetch, so every bundler can take it.
import {AcreError, checkNames, hasSimd, instantiate} from './core.js';

export {Acre, AcreError, Tree, Culler, Instances} from './core.js';

const MODULE = '@MODULE@'; // acre_simd.wasm in base64: tools/package.sh npm writes it

/** Makes an Acre. Engines have SIMD since 2021 to 2023. */
export async function load(options = {}) {
    checkNames('load', options, []);
    if (!hasSimd()) throw new AcreError('load', 1, 'this engine has no SIMD; acre-culling has a module for it');
    return instantiate(Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0)), true);
}
