// SPDX-License-Identifier: MIT
// glb_writer.mjs - meshes and nodes into one glTF 2.0 binary file, the same bytes every time.
//
// Positions are float, indices have the smallest type that holds them, and meshes whose indices are
// equal (most footprints are quadrilaterals) share one accessor.

const FLOAT = 5126;
const INDEX_TYPES = [
    { limit: 255, component: 5121, bytes: 1, write: 'writeUInt8' }, // 255 itself is primitive restart
    { limit: 65535, component: 5123, bytes: 2, write: 'writeUInt16LE' },
    { limit: 4294967295, component: 5125, bytes: 4, write: 'writeUInt32LE' },
];
const TARGET_VERTICES = 34962;
const TARGET_INDICES = 34963;

export const POINTS = 0;
export const LINE_STRIP = 3;
export const TRIANGLES = 4;

/** Metres to whole millimetres, never -0: short numbers in the JSON, no noise in the last digits. */
export function millimetres(metres) {
    return Math.round(metres * 1000) / 1000 + 0;
}

/** Pads a chunk to a multiple of four bytes, as the format asks. */
function padded(bytes, filler) {
    const rest = bytes.length % 4;
    return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest, filler)]);
}

function chunk(type, bytes) {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, bytes]);
}

export class GlbWriter {
    constructor(asset) {
        this.asset = asset;
        this.nodes = [];
        this.meshes = [];
        this.accessors = [];
        this.positions = { parts: [], size: 0 };
        this.indices = INDEX_TYPES.map(() => ({ parts: [], size: 0 }));
        this.sharedIndices = new Map();
    }

    /** @returns the index of a new node, which is the last child of parent. */
    addNode(name, parent, translation, mesh) {
        const node = { name };
        if (mesh !== undefined) {
            node.mesh = mesh;
        }
        const at = translation.map(millimetres);
        if (at.some((value) => value !== 0)) {
            node.translation = at;
        }
        this.nodes.push(node);
        const index = this.nodes.length - 1;
        if (parent !== undefined) {
            (this.nodes[parent].children ??= []).push(index);
        }
        return index;
    }

    /** @param primitives [{ mode, points: [[x, y, z], ...], indices: [...] or undefined }] */
    addMesh(primitives) {
        this.meshes.push({ primitives: primitives.map((primitive) => this.#primitive(primitive)) });
        return this.meshes.length - 1;
    }

    #primitive({ mode, points, indices }) {
        const primitive = { attributes: { POSITION: this.#positionAccessor(points) } };
        if (indices !== undefined) {
            primitive.indices = this.#indexAccessor(indices);
        }
        if (mode !== TRIANGLES) {
            primitive.mode = mode; // triangles are the format's default
        }
        return primitive;
    }

    #positionAccessor(points) {
        const bytes = Buffer.alloc(points.length * 12);
        const min = [Infinity, Infinity, Infinity];
        const max = [-Infinity, -Infinity, -Infinity];
        points.forEach((point, row) => {
            point.forEach((metres, axis) => {
                const value = millimetres(metres);
                bytes.writeFloatLE(value, row * 12 + axis * 4);
                min[axis] = Math.min(min[axis], value);
                max[axis] = Math.max(max[axis], value);
            });
        });
        const byteOffset = this.positions.size;
        this.positions.parts.push(bytes);
        this.positions.size += bytes.length;
        this.accessors.push({ bufferView: 0, byteOffset, componentType: FLOAT, count: points.length, type: 'VEC3', min, max });
        return this.accessors.length - 1;
    }

    #indexAccessor(indices) {
        const key = indices.join();
        const known = this.sharedIndices.get(key);
        if (known !== undefined) {
            return known;
        }
        const largest = indices.reduce((a, b) => Math.max(a, b), 0);
        const kind = INDEX_TYPES.findIndex((type) => largest < type.limit);
        const { component, bytes: width, write } = INDEX_TYPES[kind];
        const bytes = Buffer.alloc(indices.length * width);
        indices.forEach((value, row) => bytes[write](value, row * width));
        const pool = this.indices[kind];
        // The buffer view is known once all pools are: see #bufferViews.
        this.accessors.push({ bufferView: { kind }, byteOffset: pool.size, componentType: component, count: indices.length, type: 'SCALAR' });
        pool.parts.push(bytes);
        pool.size += bytes.length;
        this.sharedIndices.set(key, this.accessors.length - 1);
        return this.accessors.length - 1;
    }

    /** One view for positions and one for each index type in use. @returns views and the binary. */
    #bufferViews() {
        const pools = [{ pool: this.positions, target: TARGET_VERTICES, kind: -1 }];
        for (let kind = INDEX_TYPES.length - 1; kind >= 0; --kind) { // the widest first: alignment
            pools.push({ pool: this.indices[kind], target: TARGET_INDICES, kind });
        }
        const views = [];
        const viewOfKind = new Map();
        const parts = [];
        let byteOffset = 0;
        for (const { pool, target, kind } of pools) {
            if (pool.size === 0) {
                continue;
            }
            const bytes = padded(Buffer.concat(pool.parts), 0);
            viewOfKind.set(kind, views.length);
            const view = { buffer: 0, byteOffset, byteLength: pool.size, target };
            // The format asks for the stride where accessors share a view of vertices.
            views.push(kind < 0 ? { ...view, byteStride: 12 } : view);
            parts.push(bytes);
            byteOffset += bytes.length;
        }
        return { views, viewOfKind, binary: Buffer.concat(parts) };
    }

    /** @returns the file's bytes. Node 0 is the root. */
    finish() {
        const { views, viewOfKind, binary } = this.#bufferViews();
        const accessors = this.accessors.map((accessor) =>
            typeof accessor.bufferView === 'object'
                ? { ...accessor, bufferView: viewOfKind.get(accessor.bufferView.kind) }
                : accessor);
        const json = Buffer.from(JSON.stringify({
            asset: this.asset,
            scene: 0,
            scenes: [{ nodes: [0] }],
            nodes: this.nodes,
            meshes: this.meshes,
            accessors,
            bufferViews: views,
            buffers: [{ byteLength: binary.length }],
        }));
        const body = Buffer.concat([chunk('JSON', padded(json, ' ')), chunk('BIN\0', binary)]);
        const head = Buffer.alloc(12);
        head.write('glTF', 0, 'latin1');
        head.writeUInt32LE(2, 4);
        head.writeUInt32LE(12 + body.length, 8);
        return Buffer.concat([head, body]);
    }
}
