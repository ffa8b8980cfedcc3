// SPDX-License-Identifier: MIT
'use strict';
// load.js - unpacks what a page carries, and makes a module of the build that the browser can run.

const element = (id) => document.getElementById(id);

// What stands in an element as base64 of gzip; null where there is nothing.
async function unpack(id) {
    const text = element(id).textContent.trim();
    element(id).textContent = ''; // megabytes that nobody reads again
    if (!text) {
        return null;
    }
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) {
        bytes[i] = letters.charCodeAt(i);
    }
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The build without SIMD, from the other one and what differs: see delta.mjs.
function putTogether(base, steps) {
    let at = 0, from = 0;
    const parts = [];
    const number = () => {
        let value = 0, scale = 1, byte;
        do {
            byte = steps[at++];
            value += (byte & 127) * scale;
            scale *= 128;
        } while (byte > 127);
        return value;
    };
    while (at < steps.length) {
        const fresh = number();
        parts.push(steps.subarray(at, at + fresh));
        at += fresh;
        const count = number(), way = number();
        from += way % 2 ? -(way + 1) / 2 : way / 2;
        parts.push(base.subarray(from, from + count));
        from += count;
    }
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
        all.set(part, end);
        end += part.length;
    }
    return all;
}

// A function that answers a vector: accepted where there is SIMD.
const hasSimd = () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96,
    0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));

// #plain in the address takes the build without SIMD.
const addressWords = () => new URLSearchParams(location.hash.slice(1));

async function makeModule(make, options) {
    if (typeof DecompressionStream === 'undefined') {
        throw new Error('This browser is too old for the page: it has no DecompressionStream.');
    }
    const build = hasSimd() && !addressWords().has('plain') ? 'simd' : 'plain';
    const base = await unpack('simd'), steps = await unpack('plain');
    const wasmBinary = build === 'simd' ? base : putTogether(base, steps);
    const module = await make({...options, wasmBinary});
    module.build = build;
    return module;
}
