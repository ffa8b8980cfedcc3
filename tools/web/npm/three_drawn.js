// SPDX-License-Identifier: MIT
// three_drawn.js - attributes of instances in the order in which a camera sees them, and how they reach
// the graphics card.
//
// three.js copies attributes there before it calls onBeforeRender. WebGLRenderer does so once a frame, so
// the rows of each camera are written by hand, into the buffers that three.js made. Which these are shows
// while an attribute's onUpload is called: its buffer is bound. Until then all instances are drawn, and so
// they are where two renderers draw a mesh in turn.
// WebGPURenderer copies attributes after onBeforeRender, in each of its passes.
import {DynamicDrawUsage, InstancedBufferAttribute} from 'three';

// An attribute as three.js draws it: a front of the array has the rows that are visible.
class Drawn {
    constructor(set, name, size, first) {
        this.set = set;
        this.name = name;
        this.size = size;
        this.first = first;                                                 // what a new row has
        this.rows = name === 'instanceMatrix' ? null : new Float32Array(0); // null: the matrices of the instances
    }

    // Makes the attribute anew, for so many rows.
    resize(count, rows) {
        const {set: {mesh}, name, size} = this;
        if (this.rows) this.rows = rows ?? grown(this.rows, size * count, this.first);
        this.array = new Float32Array(size * count);
        this.attribute?.dispose?.(); // older versions of three.js have none
        this.attribute = new InstancedBufferAttribute(this.array, size).setUsage(DynamicDrawUsage);
        // A program may set it as InstancedMesh needs it; here it would copy everything for nothing.
        Object.defineProperty(this.attribute, 'needsUpdate', {set: () => {}});
        this.forget();
        if (name === 'instanceMatrix' || name === 'instanceColor') mesh[name] = this.attribute;
        else mesh.geometry.setAttribute(name, this.attribute);
    }

    // The buffer is not known.
    forget() {
        this.buffer = null;
        this.showAll();
    }

    // Whoever copies the array, such as another renderer, gets the rows of all instances.
    showAll() {
        Object.defineProperty(this.attribute, 'array', {configurable: true, enumerable: true,
            get: () => this.set.showAll(this)});
    }

    showVisible() {
        Object.defineProperty(this.attribute, 'array', {configurable: true, enumerable: true, writable: true,
            value: this.array});
    }

    // three.js copies the attribute in the next frame, and calls this while its buffer is bound.
    learn(gl) {
        this.attribute.onUpload(() => {
            if (gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE) !== this.array.byteLength) return;
            this.buffer = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
            this.attribute.onUpload(() => {});
        });
        this.attribute.version++;
    }

    copy(visible, from) {
        const {array, size} = this;
        for (let i = 0, to = 0; i < visible.length; i++) {
            for (let k = 0, at = size * visible[i]; k < size; k++) array[to++] = from[at++];
        }
    }

    upload(count) {
        const {attribute, size} = this;
        this.showVisible();
        attribute.clearUpdateRanges();
        if (count === 0) return; // WebGL takes a length of 0 for the whole array
        attribute.addUpdateRange(0, size * count);
        attribute.version++;
    }
}

function grown(rows, length, first) {
    const out = new Float32Array(length).fill(first);
    out.set(rows.subarray(0, length));
    return out;
}

// The attributes of one mesh. source: what has the rows; it sets the mesh's count where all are shown.
export class DrawnSet {
    constructor(mesh, source) {
        this.mesh = mesh;
        this.source = source;
        this.all = new Map(); // by name
        this.context = null;  // of WebGL, whose buffers are known
        this.written = null;  // what the buffers are for
    }

    add(name, size, first, count, rows) {
        const drawn = new Drawn(this, name, size, first);
        drawn.resize(count, rows);
        this.all.set(name, drawn);
        return drawn;
    }

    // others: the same attributes of another mesh, whose rows are shared.
    resize(count, others) {
        for (const [name, drawn] of this.all) drawn.resize(count, others?.all.get(name)?.rows);
        this.written = null;
    }

    showAll(drawn) {
        const rows = this.source.rowsOfAll(this.mesh);
        if (!rows) return drawn.array;
        drawn.copy(rows, drawn.rows ?? this.source.matrices);
        this.mesh.count = rows.length;
        this.filled = this.written = null;
        return drawn.array;
    }

    // rows: those that are seen, matrices: theirs, one after the other.
    fill(rows, matrices) {
        for (const drawn of this.all.values()) {
            if (drawn.rows) drawn.copy(rows, drawn.rows);
            else drawn.array.set(matrices);
        }
        this.mesh.count = rows.length;
    }

    upload(found) {
        if (this.written === found) return false;
        for (const drawn of this.all.values()) drawn.upload(this.mesh.count);
        this.written = found;
        return true;
    }

    isKnown(gl) {
        return this.context === gl && [...this.all.values()].every(({buffer}) => buffer);
    }

    // Whether a buffer is not known yet. Then what is drawn are the rows of all instances.
    learns(gl) {
        const all = [...this.all.values()];
        if (this.context !== gl) {
            this.context = gl;
            gl.canvas.addEventListener?.('webglcontextlost', () => { this.context = null; }, {once: true});
            for (const drawn of all) drawn.forget();
        }
        const unknown = all.filter((drawn) => !drawn.buffer);
        if (unknown.length === 0) return false;
        for (const drawn of unknown) drawn.learn(gl);
        this.write(gl, all.filter((drawn) => drawn.buffer), (drawn) => this.showAll(drawn));
        this.written = null;
        return true;
    }

    writeFound(gl, found) {
        if (this.written === found || this.mesh.count === 0) return;
        this.write(gl, [...this.all.values()], (drawn) => drawn.array);
        this.written = found;
    }

    write(gl, all, arrayOf) {
        if (all.length === 0) return;
        const bound = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
        for (const drawn of all) {
            const array = arrayOf(drawn);
            gl.bindBuffer(gl.ARRAY_BUFFER, drawn.buffer);
            if (this.mesh.count > 0) gl.bufferSubData(gl.ARRAY_BUFFER, 0, array, 0, drawn.size * this.mesh.count);
        }
        gl.bindBuffer(gl.ARRAY_BUFFER, bound);
    }
}
