// SPDX-License-Identifier: MIT
// common.mjs - the installed npm package, random boxes, and what the tests of it share.
import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';

export const require = createRequire(pathToFileURL(`${process.cwd()}/index.js`));
/** The folder of the installed package. */
export const folder = dirname(require.resolve('acre-culling'));
export const acreModule = await import(pathToFileURL(`${folder}/acre.js`));
export const {load, Tree, Culler, Instances, Interest, VisibleSet, castersOf, Horizon, Acre, AcreError} = acreModule;

let seed = 1;
export const random = (low, high) => {
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    return Math.fround(low + (high - low) * (seed / 2 ** 32));
};
/** A whole number, low and high included. */
export const whole = (low, high) => Math.min(high, Math.floor(random(low, high + 1)));
export const boxes = (count) => {
    const out = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) {
        for (let k = 0; k < 3; k++) {
            const low = random(-500, 500);
            out[6 * i + k] = low;
            out[6 * i + 3 + k] = low + random(0, 8);
        }
    }
    return out;
};
export const sorted = (ids) => Array.from(ids).sort((a, b) => a - b);
export const refuses = (code, call) =>
    assert.throws(call, (error) => error instanceof AcreError && error.code === code);
