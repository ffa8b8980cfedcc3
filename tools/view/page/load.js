// SPDX-License-Identifier: MIT
'use strict';
// load.js - unpacks what a page carries, and makes a module of it.

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

// A function that answers a vector: accepted where there is SIMD.
const hasSimd = () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96,
    0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));

// To the other pages, where this one stands beside them.
function showLinks() {
    for (const link of document.querySelectorAll('nav a')) {
        if (link.href === location.href.split('#')[0]) link.remove();
    }
}

const addressWords = () => new URLSearchParams(location.hash.slice(1));

async function makeModule(make, options) {
    if (typeof DecompressionStream === 'undefined' || !hasSimd()) {
        throw new Error('This browser is too old for the page, which takes WebAssembly with SIMD and ' +
            'DecompressionStream: Chrome 91, Firefox 113, Safari 16.4 or later.');
    }
    return make({...options, wasmBinary: await unpack('module')});
}
