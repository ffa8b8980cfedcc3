// SPDX-License-Identifier: MIT
// three.js - AcreInstancedMesh: an InstancedMesh of three.js that draws the instances that cameras see.
//
// three.js copies attributes to the graphics card before it calls onBeforeRender. WebGLRenderer does so
// once a frame, so the rows of each camera are written by hand, into the buffers that three.js made.
// Which these are shows while an attribute's onUpload is called: its buffer is bound. Until then all
// instances are drawn. WebGPURenderer copies attributes after onBeforeRender, in each of its passes.
import {Box3, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Matrix4, Mesh, Ray, Sphere, Vector3,
    WebGPUCoordinateSystem} from 'three';
import {AcreError, Instances, checkNames} from './core.js';

const OPTIONS = ['center', 'halfSize', 'maxDepth', 'nodeCapacity', 'autoCull', 'sortObjects'];
const FIRST_HITS = 16;
const INVALID_ARGUMENT = 1;
const product = new Matrix4(), inverse = new Matrix4(), local = new Matrix4(), direction = new Vector3();
const ray = new Ray(), single = new Mesh(), hitsOfOne = [];

const refusal = (call, text) => new AcreError(`AcreInstancedMesh.${call}`, INVALID_ARGUMENT, text);

function boxOf(geometry) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    return geometry.boundingBox;
}

const clipOf = (camera) => (camera?.reversedDepth ? '1..0'
    : camera?.coordinateSystem === WebGPUCoordinateSystem ? '0..1' : '-1..1');
const eyesOf = (camera) => (camera.isArrayCamera ? camera.cameras : [camera]);

// An attribute as three.js draws it: a front of the array has the rows that are visible.
class Drawn {
    constructor(mesh, name, size, first) {
        this.mesh = mesh;
        this.name = name;
        this.size = size;
        this.first = first;                             // what a new row has
        this.rows = name === 'instanceMatrix' ? null : new Float32Array(0); // else the matrices of the instances
    }

    // Makes the attribute anew, for so many rows.
    resize(count) {
        const {mesh, name, size, rows} = this;
        if (rows) {
            this.rows = new Float32Array(size * count).fill(this.first);
            this.rows.set(rows.subarray(0, size * count));
        }
        this.array = new Float32Array(size * count);
        this.attribute?.dispose?.(); // three.js has it since r18x
        this.attribute = new InstancedBufferAttribute(this.array, size).setUsage(DynamicDrawUsage);
        this.forget();
        if (name === 'instanceMatrix' || name === 'instanceColor') mesh[name] = this.attribute;
        else mesh.geometry.setAttribute(name, this.attribute);
    }

    // The buffer is not known: whoever copies the array gets the rows of all instances.
    forget() {
        this.buffer = null;
        Object.defineProperty(this.attribute, 'array', {configurable: true, enumerable: true,
            get: () => this.mesh.showAll(this)});
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
            this.showVisible();
        });
        this.attribute.needsUpdate = true;
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
        attribute.needsUpdate = true;
    }
}

export class AcreInstancedMesh extends InstancedMesh {
    constructor(acre, geometry, material, count, options = {}) {
        super(geometry, material, 0);
        checkNames('AcreInstancedMesh', options, OPTIONS);
        this.checkGeometry();
        const {autoCull = true, sortObjects = false, ...def} = options;
        this.options = options;
        this.autoCull = autoCull;
        this.sortObjects = sortObjects;
        this.instances = new Instances(acre, count, boxOf(geometry), def);
        this.boxedGeometry = geometry;
        this.drawn = new Map();    // by name
        this.free = [];            // rows that were removed
        this.reported = new Set(); // rows that are not finite
        this.context = null;       // of WebGL, whose buffers are known
        this.found = null;         // what the arrays are for
        this.outer = null;         // and were for, before a shadow was drawn
        this.written = null;       // what the buffers are for
        this.frustumCulled = false; // as a whole
        this.addDrawn('instanceMatrix', 16, 0, count);
    }

    checkGeometry() {
        const {morphAttributes, attributes} = this.geometry;
        const reason = Object.keys(morphAttributes).length > 0 ? 'morph targets' : attributes.skinIndex ? 'skins' : null;
        if (reason) throw refusal('geometry', `${reason} are not carried: boxes would not hold what is drawn`);
    }

    addDrawn(name, size, first, count) {
        const drawn = new Drawn(this, name, size, first);
        drawn.resize(count);
        this.drawn.set(name, drawn);
        this.instances.version++;
        return drawn;
    }

    // ---- rows ----

    get matrices() {
        return this.instances.matrices;
    }

    get visibleRows() {
        return this.instances.visible;
    }

    get capacity() {
        return this.instanceMatrix.count;
    }

    get instancesCount() {
        return this.instances.count - this.free.length;
    }

    setMatrixAt(row, matrix) {
        this.instances.setMatrix(row, matrix.elements);
        return this;
    }

    getMatrixAt(row, matrix) {
        return matrix.fromArray(this.instances.matrices, 16 * this.instances.row('getMatrixAt', row));
    }

    setAllMoved() {
        this.instances.setAllMoved();
    }

    setColorAt(row, color) {
        this.instances.row('setColorAt', row);
        const {rows} = this.drawn.get('instanceColor') ?? this.addDrawn('instanceColor', 3, 1, this.capacity);
        color.toArray(rows, 3 * row);
        this.instances.version++;
        return this;
    }

    getColorAt(row, color) {
        this.instances.row('getColorAt', row);
        const drawn = this.drawn.get('instanceColor');
        return drawn ? color.fromArray(drawn.rows, 3 * row) : color.setRGB(1, 1, 1);
    }

    addAttribute(name, size, first = 0) {
        if (this.drawn.has(name) || this.geometry.attributes[name]) {
            throw refusal('addAttribute', `there is an attribute ${name} already`);
        }
        if (!(size === 1 || size === 2 || size === 3 || size === 4)) {
            throw refusal('addAttribute', `an attribute has 1 to 4 numbers, not ${size}`);
        }
        this.addDrawn(name, size, first, this.capacity);
        return this;
    }

    setAttributeAt(row, name, ...numbers) {
        const drawn = this.drawn.get(name);
        this.instances.row('setAttributeAt', row);
        if (!drawn?.rows) throw refusal('setAttributeAt', `there is no attribute ${name}`);
        if (numbers.length !== drawn.size) throw refusal('setAttributeAt', `${name} has ${drawn.size} numbers`);
        drawn.rows.set(numbers, drawn.size * row);
        this.instances.version++;
        return this;
    }

    setMorphAt() {
        throw refusal('setMorphAt', 'morph targets are not carried');
    }

    setVisibilityAt(row, isVisible) {
        if (this.free.includes(row)) throw refusal('setVisibilityAt', `row ${row} was removed`);
        this.instances.setShown(row, isVisible);
        return this;
    }

    getVisibilityAt(row) {
        return this.instances.isShown(row);
    }

    addInstances(count, onCreation = () => {}) {
        const {instances, free} = this, rows = free.splice(Math.max(free.length - count, 0)).reverse();
        const before = instances.count, missing = count - rows.length;
        if (missing > 0) {
            instances.resize(before + missing);
            if (instances.count > this.capacity) this.grow(Math.max(instances.count, 2 * this.capacity));
        }
        for (let row = before; row < before + missing; row++) rows.push(row);
        for (const row of rows) {
            this.setMatrixAt(row, local.identity());
            instances.setShown(row, true);
            for (const {rows: all, size, first} of this.drawn.values()) all?.fill(first, size * row, size * (row + 1));
        }
        for (const row of rows) onCreation(row);
        return rows;
    }

    removeInstances(...rows) {
        const gone = new Set(this.free);
        for (const row of rows) {
            this.instances.row('removeInstances', row);
            if (gone.has(row)) throw refusal('removeInstances', `row ${row} was removed already`);
            gone.add(row);
        }
        for (const row of rows) this.instances.setShown(row, false);
        this.free.push(...rows);
        return this;
    }

    clearInstances() {
        this.instances.resize(0);
        this.free = [];
        return this;
    }

    grow(count) {
        for (const drawn of this.drawn.values()) drawn.resize(count);
        this.found = null;
    }

    // ---- what cameras see ----

    showAll(drawn) {
        const {instances} = this;
        if (instances.tree.isDisposed) return drawn.array;
        const rows = Uint32Array.from({length: instances.count}, (_, row) => row)
            .filter((row) => instances.isShown(row) && !instances.badRows.has(row));
        drawn.copy(rows, drawn.rows ?? instances.matrices);
        this.count = rows.length;
        return drawn.array;
    }

    // What moved goes to the tree. Rows that no tree takes are hidden, and told once.
    sync() {
        const {instances, geometry, reported} = this;
        if (this.boxedGeometry !== geometry) {
            this.checkGeometry();
            instances.setBox(boxOf(geometry));
            this.boxedGeometry = geometry;
        }
        instances.refresh();
        for (const row of reported) if (!instances.badRows.has(row)) reported.delete(row);
        for (const row of instances.badRows) {
            if (!reported.has(row)) console.warn(`acre: instance ${row} is not finite; it is hidden until it is`);
            reported.add(row);
        }
    }

    // Brings the arrays up to date for these cameras.
    find(cameras) {
        this.findIn(cameras.map((camera) => product.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
            .multiply(this.matrixWorld).toArray()), clipOf(cameras[0]));
    }

    findIn(views, clip) {
        const {instances, found, geometry, sortObjects} = this;
        const isSame = found && found.version === instances.version && found.geometry === geometry &&
            found.sortObjects === sortObjects && found.views.length === views.length &&
            views.every((view, i) => view.every((number, k) => number === found.views[i][k]));
        if (isSame) return;
        this.sync();
        this.count = instances.cull(views, {clip});
        if (sortObjects && views.length > 0) this.sort(views[0]);
        instances.gather(false);
        for (const drawn of this.drawn.values()) {
            if (drawn.rows) drawn.copy(instances.visible, drawn.rows);
            else drawn.array.set(instances.visibleMatrices);
        }
        this.found = {version: instances.version, geometry, sortObjects, views, clip};
    }

    // Near first; where something is transparent, far first: by the depth of an instance's origin.
    sort(view) {
        const {visible, matrices} = this.instances, rows = visible.slice();
        const sign = [this.material].flat().some((material) => material.transparent) ? -1 : 1;
        const depths = Float64Array.from(rows, (row) => sign * (view[3] * matrices[16 * row + 12] +
            view[7] * matrices[16 * row + 13] + view[11] * matrices[16 * row + 14]));
        const order = Uint32Array.from(rows, (_, i) => i).sort((a, b) => depths[a] - depths[b] || a - b);
        order.forEach((from, to) => { visible[to] = rows[from]; });
    }

    cull(...cameras) {
        const eyes = cameras.flat().flatMap(eyesOf);
        this.updateWorldMatrix(true, false);
        for (const eye of eyes) {
            eye.updateWorldMatrix(true, false);
            eye.matrixWorldInverse.copy(eye.matrixWorld).invert();
        }
        this.find(eyes);
        if (!this.autoCull) for (const drawn of this.drawn.values()) drawn.upload(this.count);
        return this.count;
    }

    onBeforeRender(renderer, scene, camera) {
        this.drawFor(renderer, camera);
    }

    onBeforeShadow(renderer, object, camera, shadowCamera) {
        this.outer = this.found;
        this.drawFor(renderer, shadowCamera);
    }

    // WebGPURenderer draws shadows between onBeforeRender and the drawing of the first object.
    onAfterShadow(renderer) {
        if (!this.autoCull || renderer.isWebGLRenderer || !this.outer) return;
        this.findIn(this.outer.views, this.outer.clip);
        this.uploadFound(renderer);
    }

    drawFor(renderer, camera) {
        if (this.instances.tree.isDisposed) {
            this.count = 0;
        } else if (this.autoCull && renderer.isWebGLRenderer) {
            this.drawWithWebGL(renderer.getContext(), camera);
        } else if (this.autoCull) {
            this.find(eyesOf(camera));
            this.uploadFound(renderer);
        }
    }

    // WebGPURenderer copies an attribute once in each of its calls, whose number tells them apart; the
    // calls for shadows lie within another.
    uploadFound(renderer) {
        if (this.written === this.found) return;
        for (const drawn of this.drawn.values()) drawn.upload(this.count);
        renderer.info.render.calls++;
        this.written = this.found;
    }

    drawWithWebGL(gl, camera) {
        const all = [...this.drawn.values()];
        if (this.context !== gl) {
            this.context = gl;
            gl.canvas.addEventListener?.('webglcontextlost', () => { this.context = null; }, {once: true});
            for (const drawn of all) drawn.forget();
        }
        const unknown = all.filter((drawn) => !drawn.buffer);
        if (unknown.length > 0) { // these have the rows of all instances, so all others get them, too
            for (const drawn of unknown) drawn.learn(gl);
            this.write(gl, all.filter((drawn) => drawn.buffer), (drawn) => this.showAll(drawn));
            this.found = null;
            return;
        }
        this.find([camera]);
        if (this.written === this.found || this.count === 0) return;
        this.write(gl, all, (drawn) => drawn.array);
        this.written = this.found;
    }

    write(gl, all, arrayOf) {
        if (all.length === 0) return;
        const bound = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
        for (const drawn of all) {
            gl.bindBuffer(gl.ARRAY_BUFFER, drawn.buffer);
            gl.bufferSubData(gl.ARRAY_BUFFER, 0, arrayOf(drawn), 0, drawn.size * this.count);
        }
        gl.bindBuffer(gl.ARRAY_BUFFER, bound);
    }

    // ---- rays, bounds, copies ----

    // All instances that are shown, drawn or not.
    raycast(raycaster, hits) {
        if (!this.material) return;
        this.sync();
        inverse.copy(this.matrixWorld).invert();
        ray.copy(raycaster.ray);
        const end = ray.at(1, direction).applyMatrix4(inverse);
        ray.applyMatrix4(inverse);
        const scale = end.distanceTo(ray.origin); // of a unit of the world here
        const {tree} = this.instances, length = scale * raycaster.far;
        single.geometry = this.geometry;
        single.material = this.material;
        if (raycaster.firstHitOnly) {
            const first = this.firstHit(raycaster, length, scale);
            if (first) hits.push(first);
            return;
        }
        for (const row of tree.queryRay(ray.origin, ray.direction, {length}).slice()) {
            hits.push(...this.hitsOfRow(row, raycaster));
        }
    }

    hitsOfRow(row, raycaster) {
        single.matrixWorld.multiplyMatrices(this.matrixWorld, this.getMatrixAt(row, local));
        hitsOfOne.length = 0;
        single.raycast(raycaster, hitsOfOne);
        for (const hit of hitsOfOne) Object.assign(hit, {instanceId: row, object: this});
        return hitsOfOne;
    }

    // Boxes come in the order in which the ray enters them: where one begins behind a hit, that was it.
    firstHit(raycaster, length, scale) {
        let first = null, tested = 0;
        for (let count = FIRST_HITS; ; count *= 4) {
            const boxes = this.instances.tree.firstHits(ray.origin, ray.direction, count, {length});
            for (const {id, distance} of boxes.slice(tested)) {
                if (first && distance > scale * first.distance) return first;
                for (const hit of this.hitsOfRow(id, raycaster)) {
                    if (!first || hit.distance < first.distance) first = hit;
                }
            }
            if (boxes.length < count) return first;
            tested = count;
        }
    }

    computeBoundingBox() {
        this.sync();
        this.boundingBox ??= new Box3();
        const bounds = this.instances.bounds();
        if (!bounds) return void this.boundingBox.makeEmpty();
        this.boundingBox.min.fromArray(bounds);
        this.boundingBox.max.fromArray(bounds, 3);
    }

    computeBoundingSphere() {
        this.computeBoundingBox();
        this.boundingBox.getBoundingSphere(this.boundingSphere ??= new Sphere());
    }

    clone(recursive) {
        const {instances, material, options} = this;
        return new this.constructor(instances.acre, this.plainGeometry(), material, instances.count, options)
            .copy(this, recursive);
    }

    // The geometry, or a copy of it without the attributes that are this mesh's own.
    plainGeometry() {
        const own = [...this.drawn.keys()].filter((name) => this.geometry.attributes[name]);
        const geometry = own.length > 0 ? this.geometry.clone() : this.geometry;
        for (const name of own) geometry.deleteAttribute(name);
        return geometry;
    }

    copy(source, recursive) {
        Mesh.prototype.copy.call(this, source, recursive);
        this.geometry = source.plainGeometry();
        const {instances} = this, from = source.instances;
        instances.resize(from.count);
        if (from.count > this.capacity) this.grow(from.count);
        instances.matrices.set(from.matrices);
        instances.setAllMoved();
        for (let row = 0; row < from.count; row++) instances.setShown(row, from.isShown(row));
        this.free = [...source.free];
        for (const {name, size, first, rows} of source.drawn.values()) {
            const own = this.drawn.get(name) ?? this.addDrawn(name, size, first, this.capacity);
            own.rows?.set(rows.subarray(0, size * from.count));
        }
        this.frustumCulled = false;
        return this;
    }

    // A plain InstancedMesh with all that is not removed.
    toJSON(meta) {
        const {instances, free, count, instanceMatrix, instanceColor} = this, gone = new Set(free);
        const rows = Uint32Array.from({length: instances.count}, (_, row) => row).filter((row) => !gone.has(row));
        const plain = (drawn) => {
            const from = drawn.rows ?? instances.matrices, array = new Float32Array(drawn.size * rows.length);
            rows.forEach((row, i) => array.set(from.subarray(drawn.size * row, drawn.size * (row + 1)), drawn.size * i));
            return new InstancedBufferAttribute(array, drawn.size);
        };
        const color = this.drawn.get('instanceColor');
        try {
            this.count = rows.length;
            this.instanceMatrix = plain(this.drawn.get('instanceMatrix'));
            this.instanceColor = color ? plain(color) : null;
            return super.toJSON(meta);
        } finally {
            Object.assign(this, {count, instanceMatrix, instanceColor});
        }
    }

    dispose() {
        this.instances.dispose();
        return super.dispose();
    }
}
if (Symbol.dispose) {
    AcreInstancedMesh.prototype[Symbol.dispose] = function dispose() {
        this.dispose();
    };
}
