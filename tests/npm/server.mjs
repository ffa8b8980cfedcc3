// SPDX-License-Identifier: MIT
// server.mjs - files for a browser of the tests, from an address of its own.
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {extname, join} from 'node:path';

const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
    '.wasm': 'application/wasm'};

/**
 * Serves a folder. made: what stands at some paths in place of files, text or bytes; headers: of every answer.
 * @return {address, close}
 */
export async function serve(folder, made = {}, headers = {}) {
    const server = createServer(async ({url}, answer) => {
        const {pathname} = new URL(url, 'http://here');
        const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
        try {
            const bytes = made[pathname] ?? await readFile(join(folder, path));
            const type = TYPES[extname(path)] ?? (made[pathname] ? 'text/html' : 'application/octet-stream');
            answer.writeHead(200, {'Content-Type': type, ...headers}).end(bytes);
        } catch {
            answer.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return {address: `http://127.0.0.1:${server.address().port}`, close: () => server.close()};
}
