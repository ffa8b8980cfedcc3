// SPDX-License-Identifier: MIT
// three_instanced.js - AcreInstancedMesh: an InstancedMesh of three.js that draws the instances that
// cameras see, each at its level of detail.
import {Box3, InstancedBufferAttribute, InstancedMesh, Matrix4, Mesh, Ray, Sphere, Vector2, Vector3} from 'three';
import {AcreError, checkAcre, checkNames} from './core.js';
import {Instances} from './instances.js';
import {Horizon} from './horizon.js';
import {DrawnSet} from './three_drawn.js';
import {clipOf, eyesOf, firstHitOf, refreshAndTell, viewsOf} from './three_shared.js';

const OPTIONS = ['center', 'halfSize', 'maxDepth', 'nodeCapacity', 'autoCull', 'sortObjects', 'hysteresis',
    'occluders'];
const MOST_LEVELS = 8, NO_LEVEL = 255;
const INVALID_ARGUMENT = 1;
const AS_OWNER = ['castShadow', 'receiveShadow', 'renderOrder', 'layers']; // what a level has from its owner
const inverse = new Matrix4(), local = new Matrix4(), direction = new Vector3();
const ray = new Ray(), single = new Mesh(), hitsOfOne = [], size = new Vector2();

const refusal = (call, text) => new AcreError(`AcreInstancedMesh.${call}`, INVALID_ARGUMENT, text);

function boxOf(geometry) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    return geometry.boundingBox;
}

// What draws the instances of one level of detail: the mesh itself, or a child of it.
class Level extends InstancedMesh {
    constructor(owner, geometry, material) {
        super(geometry, material, 0);
        this.owner = owner;
        this.frustumCulled = false;
        this.set = new DrawnSet(this, owner);
        for (const name of AS_OWNER) Object.defineProperty(this, name, {get: () => owner[name], set: () => {}});
    }

    raycast() {} // the owner answers

    onBeforeRender(renderer, scene, camera) {
        this.owner.drawFor(renderer, this, camera);
    }

    onBeforeShadow(renderer, object, camera, shadowCamera) {
        this.owner.drawShadow(renderer, this, camera, shadowCamera);
    }

    onAfterShadow(renderer) {
        this.owner.drawAgain(renderer, this);
    }
}

export class AcreInstancedMesh extends InstancedMesh {
    constructor(acre, geometry, material, count, options = {}) {
        checkAcre('AcreInstancedMesh', acre);
        super(geometry, material, 0);
        checkNames('AcreInstancedMesh', options, OPTIONS);
        this.checkGeometry();
        const {autoCull = true, sortObjects = false, hysteresis = 0, occluders = [], ...def} = options;
        this.options = options;
        this.autoCull = autoCull;
        this.sortObjects = sortObjects;
        this.hysteresis = hysteresis;
        this.instances = new Instances(acre, count, boxOf(geometry), def);
        this.boxedGeometry = geometry;
        this.set = new DrawnSet(this, this);
        this.levels = [{mesh: this, pixels: Infinity}]; // falling
        this.shadowLevels = [];                         // in their place for shadows, if there are any
        this.histories = new WeakMap();                 // of cameras: the levels of rows
        this.watched = new Map();       // cameras: who is told what they see, and the rows that they saw
        this.free = [];             // rows that were removed
        this.reported = new Set();  // rows that are not finite
        this.found = null;          // what is visible, and to whom
        this.sizes = null;          // of the camera that decided about levels last
        this.frustumCulled = false; // as a whole
        this.set.add('instanceMatrix', 16, 0, count);
        this.horizon = null;
        if (occluders.length > 0) this.setOccluders(occluders);
    }

    // What each instance hides others with, in the space of the geometry: for a camera's picture, not for shadows.
    setOccluders(occluders) {
        this.instances.setOccluders(occluders);
        this.occluders = [...occluders];
        if (occluders.length > 0) this.horizon ??= new Horizon(this.instances.acre);
        else this.dropHorizon();
        return this;
    }

    dropHorizon() {
        this.horizon?.dispose();
        this.horizon = null;
    }

    checkGeometry(geometry = this.geometry) {
        const {morphAttributes, attributes} = geometry;
        const reason = Object.keys(morphAttributes).length > 0 ? 'morph targets' : attributes.skinIndex ? 'skins' : null;
        if (reason) throw refusal('geometry', `${reason} are not carried: boxes would not hold what is drawn`);
    }

    get drawn() {
        return this.set.all;
    }

    get sets() {
        return [...this.levels, ...this.shadowLevels].map(({mesh}) => mesh.set);
    }

    addDrawn(name, size, first, count) {
        const drawn = this.set.add(name, size, first, count);
        for (const set of this.sets.slice(1)) set.add(name, size, first, count, drawn.rows);
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
        this.set.resize(count);
        for (const set of this.sets.slice(1)) set.resize(count, this.set);
        this.histories = new WeakMap();
        this.found = null;
    }

    // ---- levels of detail ----

    addLOD(geometry, material = this.material, pixels = 0) {
        this.addLevel('addLOD', this.levels, geometry, material, pixels);
        return this;
    }

    addShadowLOD(geometry, pixels = Infinity) {
        this.addLevel('addShadowLOD', this.shadowLevels, geometry, this.material, pixels);
        return this;
    }

    addLevel(call, levels, geometry, material, pixels) {
        const above = levels.length > 0 ? levels[levels.length - 1].pixels : null;
        if (!(pixels > 0 && (above === null || pixels < above))) {
            throw refusal(call, `sizes in pixels are above 0 and fall from level to level; this one is ${pixels}`);
        }
        if (levels.length === MOST_LEVELS) throw refusal(call, `there are ${MOST_LEVELS} levels at most`);
        this.checkGeometry(geometry);
        const mesh = new Level(this, geometry, material);
        for (const {name, size, first, rows} of this.drawn.values()) mesh.set.add(name, size, first, this.capacity, rows);
        levels.push({mesh, pixels: above === null ? Infinity : pixels});
        this.add(mesh);
        this.found = null;
    }

    // What decides about levels where a camera stands, in the space of the mesh.
    sizesFor(camera, height) {
        const {elements} = camera.projectionMatrix, isParallel = elements[11] === 0;
        const scale = isParallel ? this.matrixWorld.getMaxScaleOnAxis() : 1;
        direction.setFromMatrixPosition(camera.matrixWorld).applyMatrix4(inverse.copy(this.matrixWorld).invert());
        return {camera, eye: direction.toArray(), pixels: elements[5] * height / 2 * scale, isParallel};
    }

    // Puts the visible rows in the order of their levels. @return where each level begins
    sortByLevel(levels, sizes, isShadow) {
        const {instances} = this, count = instances.visibleCount;
        if (levels.length === 1 || !sizes) return [0, count, ...new Array(levels.length - 1).fill(count)];
        let history = this.histories.get(sizes.camera);
        if (!history) {
            history = {levels: new Uint8Array(this.capacity).fill(NO_LEVEL), rows: []};
            this.histories.set(sizes.camera, history);
        }
        const last = Uint8Array.from(instances.visible, (row) => history.levels[row]);
        const sorted = instances.sortByLevel(last, {...sizes, hysteresis: this.hysteresis,
            limits: levels.slice(1).map(({pixels}) => pixels)});
        if (!isShadow && this.hysteresis > 0) {
            for (const row of history.rows) history.levels[row] = NO_LEVEL;
            sorted.rows.forEach((row, i) => { history.levels[row] = sorted.levels[i]; });
            history.rows = sorted.rows;
        }
        return sorted.starts;
    }

    // ---- what cameras see ----

    /** For a mesh whose buffers are not known yet: it draws all, levels of detail nothing. */
    rowsOfAll(mesh) {
        const {instances} = this;
        if (instances.tree.isDisposed) return null;
        const count = mesh === this ? instances.count : 0;
        return Uint32Array.from({length: count}, (_, row) => row)
            .filter((row) => instances.isShown(row) && !instances.badRows.has(row));
    }

    // What moved goes to the tree. Rows that no tree takes are hidden, and told once.
    sync() {
        const {instances, geometry} = this;
        if (this.boxedGeometry !== geometry) {
            this.checkGeometry();
            instances.setBox(boxOf(geometry));
            this.boxedGeometry = geometry;
        }
        refreshAndTell(instances, this.reported);
    }

    // Finds what is visible in these views, unless that is what was found last.
    find({views, clip, sizes, isShadow, camera}) {
        const {instances, found, geometry, sortObjects} = this;
        const levels = isShadow && this.shadowLevels.length > 0 ? this.shadowLevels : this.levels;
        const horizon = isShadow || views.length > 1 ? null : this.horizon;
        const isSame = found && found.version === instances.version && found.geometry === geometry &&
            found.sortObjects === sortObjects && found.levels === levels && found.views.length === views.length &&
            (levels.length === 1 || found.sizes === sizes) && found.horizon === horizon &&
            views.every((view, i) => view.every((number, k) => number === found.views[i][k]));
        if (isSame) return;
        this.sync();
        instances.cull(views, horizon ? {clip, horizon} : {clip});
        if (sortObjects && views.length > 0) this.sort(views[0]);
        const starts = this.sortByLevel(levels, sizes, isShadow);
        instances.gather(false);
        this.found = {version: instances.version, geometry, sortObjects, levels, views, sizes, starts, horizon};
        if (!isShadow) this.tell(camera);
    }

    /** Tells after each search for this camera which rows it sees now and did not, and the other way round. */
    watch(camera, onChange) {
        if (typeof onChange !== 'function') throw refusal('watch', 'who is told is a function');
        this.watched.set(camera, {onChange, rows: new Set()});
        return this;
    }

    unwatch(camera) {
        this.watched.delete(camera);
        return this;
    }

    tell(camera) {
        const watcher = this.watched.get(camera);
        if (!watcher) return;
        const {rows: before} = watcher, rows = new Set(this.instances.visible);
        const entered = Array.from(rows).filter((row) => !before.has(row));
        const left = Array.from(before).filter((row) => !rows.has(row));
        watcher.rows = rows;
        if (entered.length > 0 || left.length > 0) watcher.onChange(entered, left);
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

    // Writes the visible rows of a mesh into its arrays. A mesh without a place among the levels has none.
    fill(mesh) {
        const {found: {levels, starts}, instances} = this, index = levels.findIndex((level) => level.mesh === mesh);
        const [from, to] = index < 0 ? [0, 0] : [starts[index], starts[index + 1]];
        if (mesh.set.filled !== this.found) {
            mesh.set.fill(instances.visible.subarray(from, to), instances.visibleMatrices.subarray(16 * from, 16 * to));
            mesh.set.filled = this.found;
        }
        mesh.count = to - from;
    }

    cull(...cameras) {
        const eyes = cameras.flat().flatMap(eyesOf);
        this.updateWorldMatrix(true, false);
        for (const eye of eyes) {
            eye.updateWorldMatrix(true, false);
            eye.matrixWorldInverse.copy(eye.matrixWorld).invert();
        }
        if (eyes.length > 0) this.measure(eyes[0], this.pictureHeight ?? 1080);
        this.find({views: viewsOf(eyes, this.matrixWorld), clip: clipOf(eyes[0]), sizes: this.sizes, isShadow: false,
            camera: cameras[0]});
        for (const {mesh} of this.levels) {
            this.fill(mesh);
            if (!this.autoCull) mesh.set.upload(this.found);
        }
        return this.instances.visibleCount;
    }

    onBeforeRender(renderer, scene, camera) {
        this.drawFor(renderer, this, camera);
    }

    onBeforeShadow(renderer, object, camera, shadowCamera) {
        this.drawShadow(renderer, this, camera, shadowCamera);
    }

    onAfterShadow(renderer) {
        this.drawAgain(renderer, this);
    }

    // Keeps the sizes as long as they are the same: they are a part of what was found.
    measure(camera, height) {
        if (this.levels.length + this.shadowLevels.length === 1) return;
        const sizes = this.sizesFor(camera, height), old = this.sizes;
        const isSame = old && old.camera === camera && old.pixels === sizes.pixels &&
            old.eye.every((number, k) => number === sizes.eye[k]);
        this.pictureHeight = height;
        if (!isSame) this.sizes = sizes;
    }

    drawFor(renderer, mesh, camera) {
        if (camera === this.shadowCamera) return; // WebGPURenderer asks for it once more
        const eyes = renderer.isWebGLRenderer ? [camera] : eyesOf(camera);
        this.measure(eyes[0], renderer.getRenderTarget()?.height ?? renderer.getDrawingBufferSize(size).y);
        this.draw(renderer, mesh, {views: viewsOf(eyes, this.matrixWorld), clip: clipOf(eyes[0]), sizes: this.sizes, isShadow: false, camera});
    }

    // Shadows have the levels that the camera's picture has. WebGPURenderer does not say which camera that is.
    drawShadow(renderer, mesh, camera, shadowCamera) {
        if (renderer.isWebGLRenderer) this.measure(camera, this.pictureHeight ?? renderer.getDrawingBufferSize(size).y);
        mesh.set.outer = mesh.set.asked;
        this.shadowCamera = shadowCamera;
        this.draw(renderer, mesh, {views: viewsOf([shadowCamera], this.matrixWorld), clip: clipOf(shadowCamera), sizes: this.sizes,
            isShadow: true});
    }

    // WebGPURenderer draws shadows between onBeforeRender and the drawing of the first object.
    drawAgain(renderer, mesh) {
        this.shadowCamera = null;
        if (!renderer.isWebGLRenderer && mesh.set.outer) this.draw(renderer, mesh, mesh.set.outer);
    }

    draw(renderer, mesh, what) {
        const {set} = mesh;
        if (!this.autoCull) return;
        set.asked = what;
        if (this.instances.tree.isDisposed) {
            mesh.count = 0;
        } else if (!renderer.isWebGLRenderer) {
            this.find(what);
            this.fill(mesh);
            // It copies an attribute once in each of its calls, whose number tells them apart; the calls for
            // shadows lie within another.
            if (set.upload(this.found)) renderer.info.render.calls++;
        } else if (!set.learns(renderer.getContext())) {
            const gl = renderer.getContext(), isKnown = this.sets.every((one) => one.isKnown(gl));
            this.find(isKnown ? what : {...what, sizes: null}); // the mesh draws what a new level cannot
            this.fill(mesh);
            set.writeFound(gl, this.found);
        } else {
            this.found = null;
        }
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
            const first = firstHitOf(tree, ray, length, scale, (row) => this.hitsOfRow(row, raycaster));
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

    copy(source, recursive = true) {
        const levels = [...source.levels, ...source.shadowLevels].map(({mesh}) => mesh);
        const children = source.children.filter((child) => !levels.includes(child));
        Mesh.prototype.copy.call(this, source, false);
        if (recursive) for (const child of children) this.add(child.clone());
        this.geometry = source.plainGeometry();
        for (const {mesh, pixels} of source.levels.slice(1)) this.addLOD(mesh.geometry, mesh.material, pixels);
        for (const {mesh, pixels} of source.shadowLevels) this.addShadowLOD(mesh.geometry, pixels);
        const {instances} = this, from = source.instances;
        instances.resize(from.count);
        if (from.count > this.capacity) this.grow(from.count);
        instances.matrices.set(from.matrices);
        instances.setAllMoved();
        for (let row = 0; row < from.count; row++) instances.setShown(row, from.isShown(row));
        this.setOccluders(source.occluders ?? []);
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
        const {instances, free, count, instanceMatrix, instanceColor, children} = this, gone = new Set(free);
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
            this.children = children.filter((child) => !(child instanceof Level));
            return super.toJSON(meta);
        } finally {
            Object.assign(this, {count, instanceMatrix, instanceColor, children});
        }
    }

    dispose() {
        this.dropHorizon();
        this.instances.dispose();
        for (const {mesh} of [...this.levels.slice(1), ...this.shadowLevels]) mesh.dispose();
        return super.dispose();
    }
}
if (Symbol.dispose) {
    AcreInstancedMesh.prototype[Symbol.dispose] = function dispose() {
        this.dispose();
    };
}
