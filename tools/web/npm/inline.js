// SPDX-License-Identifier: MIT
// inline.js - Acre with its module in the text: nothing to fetch, so every bundler can take it.
import {checkNames, hasSimd, instantiate, invalid} from './core.js';

export {Acre, AcreError} from './core.js';
export {Tree} from './tree.js';
export {Culler} from './culler.js';
export {Instances} from './instances.js';
export {Interest} from './interest.js';
export {VisibleSet} from './visible_set.js';
export {castersOf} from './casters.js';
export {Horizon} from './horizon.js';

const MODULE = '@MODULE@'; // acre_simd.wasm in base64: tools/package.sh npm writes it

/** Makes an Acre. Engines have SIMD since 2021 to 2023. */
export async function load(options = {}) {
    checkNames('load', options, []);
    if (!hasSimd()) throw invalid('load', 'this engine has no SIMD; acre-culling has a module for it');
    return instantiate(Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0)), true);
}
