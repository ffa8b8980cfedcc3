// SPDX-License-Identifier: MIT
// delta.mjs - writes a file as its differences from another one, for load.js to put together.
//     node delta.mjs BASE NEW OUT
// The two builds of a module have most of their bytes in common, in another order. OUT is a row of
// steps: a number of new bytes, those bytes, a number of bytes to copy, and where they begin in BASE,
// counted from the end of the last copy. Numbers have seven bits a byte, the lowest first; the last
// one has its sign in its lowest bit.
import {readFileSync, renameSync, writeFileSync} from 'node:fs';

const WINDOW = 6;      // bytes that have to be equal before a copy is looked at
const CANDIDATES = 64; // places that are tried for each
const [basePath, newPath, outPath] = process.argv.slice(2);
const base = readFileSync(basePath), wanted = readFileSync(newPath);

const keyAt = (bytes, at) => bytes.readUIntLE(at, WINDOW);
const places = new Map();
for (let at = base.length - WINDOW; at >= 0; at--) {
    const key = keyAt(base, at);
    places.set(key, [at, ...(places.get(key) ?? []).slice(0, CANDIDATES - 1)]);
}

function lengthOfMatch(from, at) {
    let length = 0;
    while (from + length < base.length && at + length < wanted.length && base[from + length] === wanted[at + length]) {
        length++;
    }
    return length;
}

// The longest of the places, or the one that goes on where the last copy ended if it is as good.
function findMatch(at, expected) {
    let best = {from: expected, length: lengthOfMatch(expected, at)};
    for (const from of at + WINDOW <= wanted.length ? places.get(keyAt(wanted, at)) ?? [] : []) {
        const length = lengthOfMatch(from, at);
        if (length > best.length + 2) {
            best = {from, length};
        }
    }
    return best;
}

const out = [];
const putNumber = (value) => {
    for (; value > 127; value = Math.floor(value / 128)) {
        out.push(value % 128 + 128);
    }
    out.push(value);
};
let begin = 0, copied = 0; // of the new bytes; the end of the last copy in BASE
for (let at = 0; at <= wanted.length;) {
    const match = at < wanted.length ? findMatch(at, copied + at - begin) : {from: copied, length: 0};
    if (at < wanted.length && match.length < WINDOW) {
        at++;
        continue;
    }
    putNumber(at - begin);
    out.push(...wanted.subarray(begin, at));
    putNumber(match.length);
    const way = match.from - copied;
    putNumber(way < 0 ? -2 * way - 1 : 2 * way);
    copied = match.from + match.length;
    begin = at + match.length;
    at = at === wanted.length ? at + 1 : begin;
}
writeFileSync(`${outPath}.new`, Buffer.from(out));
renameSync(`${outPath}.new`, outPath);
