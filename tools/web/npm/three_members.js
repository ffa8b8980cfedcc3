// SPDX-License-Identifier: MIT
// three_members.js - the objects below an AcreScene: which came, which went, and which Meshes moved.
//
// Words used here:
//     container  an object that draws nothing: its children are looked at one by one
//     unit       any other object, with all that is below it; three.js is given a unit as a whole
//     row        a Mesh of a unit, by its number in the instances
//     other      a unit that three.js always meets: in it is something else than ordinary Meshes
//
// three.js tells nobody that a matrix changed, and older versions tell nobody of a new child. So each
// child and each matrix is compared with what it was, or those that the program names.
import {Mesh} from 'three';

const isContainer = (object) => !(object.isMesh || object.isLine || object.isPoints || object.isSprite || object.isLight ||
    object.isCamera || object.isLOD || object.isBundleGroup || object.isClippingGroup ||
    (object.isGroup && object.renderOrder !== 0));

// A Mesh that the tree can find: its geometry and its matrix say where it is drawn, and where it is hit.
const isOrdinary = (object) => object.isMesh && object.frustumCulled && object.boundingSphere === undefined &&
    object.raycast === Mesh.prototype.raycast;

// Whether all that is drawn below an object, and itself, are ordinary Meshes.
function partsOf(top) {
    const parts = [];
    let isPlain = true;
    top.traverse((object) => {
        parts.push(object);
        isPlain &&= isOrdinary(object) || object.isLOD || isContainer(object);
    });
    return {parts, isPlain};
}

// The box of a geometry. A sphere that the program made larger, for what its shaders move, counts.
function boxOf(geometry) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    const {boundingBox: {min, max}, boundingSphere: sphere} = geometry;
    const box = [...min.toArray(), ...max.toArray()];
    if (!box.every(Number.isFinite)) return null;
    const middle = min.clone().add(max).multiplyScalar(0.5), radius = 1.001 * middle.distanceTo(max);
    if (sphere && middle.distanceTo(sphere.center) + sphere.radius > radius) {
        const around = sphere.center.toArray();
        for (let k = 0; k < 3; k++) {
            box[k] = Math.min(box[k], around[k] - sphere.radius);
            box[k + 3] = Math.max(box[k + 3], around[k] + sphere.radius);
        }
    }
    return box;
}

export class Members {
    constructor(owner, instances) {
        this.owner = owner;
        this.instances = instances;
        this.watched = new Map();  // objects, and their children when they were looked at
        this.units = new Map();    // by their tops
        this.others = new Set();   // tops
        this.meshes = [];          // by rows; null: a free row
        this.geometries = [];
        this.worlds = [];          // the Meshes' matrixWorlds, and the elements of these
        this.elements = [];
        this.unitOf = [];
        this.isLeaf = [];          // whether the Mesh of a row has no children, and is not watched
        this.freeRows = [];
        this.shapes = new Map();   // of geometries: their numbers, and how many rows have them
        this.freeShapes = [];
        this.shapeCount = 1;       // shape 0 is that of free rows
        this.watched.set(owner, {children: [], unit: null});
    }

    get rowCount() {
        return this.meshes.length - this.freeRows.length;
    }

    nameOf(row) {
        const {name, uuid} = this.meshes[row];
        return name || uuid;
    }

    /** Whether an object is below the owner, and nothing above it is invisible. */
    isShown(object) {
        let above = object.parent;
        while (above && above !== this.owner && above.visible) above = above.parent;
        return above === this.owner;
    }

    /** Takes in what came, went and moved. */
    sync() {
        this.compareChildren(this.watched.keys());
        const changed = [], {meshes} = this;
        for (let row = 0; row < meshes.length; row++) {
            if (meshes[row] && !this.compareRow(row, meshes[row])) changed.push(meshes[row]);
        }
        for (const mesh of changed) this.renew(mesh);
    }

    /** The same for these objects alone, with what is below them; they may be new, gone, or have lost a child. */
    syncBelow(objects) {
        const looks = new Set(), units = new Set(), staying = objects.filter((object) => this.isBelow(object));
        for (const object of objects) if (!this.isBelow(object)) this.drop(object);
        for (const object of staying) {
            object.updateWorldMatrix(true, true);
            looks.add(object.parent);
            object.traverse((one) => looks.add(one));
        }
        this.compareChildren([...looks].filter((one) => this.watched.has(one)));
        for (const object of staying) {
            units.add(this.unitWith(object));
            object.traverse((one) => units.add(this.units.get(one)));
        }
        for (const unit of units) {
            for (const row of unit?.rows.slice() ?? []) {
                const mesh = this.meshes[row];
                if (mesh && !this.compareRow(row, mesh)) this.renew(mesh);
            }
        }
    }

    compareChildren(objects) {
        const changed = [];
        for (const object of objects) {
            const now = object.children, {children} = this.watched.get(object);
            let same = now.length === children.length;
            for (let i = 0; same && i < now.length; i++) same = now[i] === children[i];
            if (!same) changed.push(object);
        }
        if (changed.length === 0) return;
        const looks = changed.map((object) => ({object, ...this.watched.get(object), now: object.children.slice()}));
        // What was moved to another parent goes before it comes.
        const dropped = [];
        for (const {unit, children, now} of looks) {
            const stays = new Set(now), going = unit ? [unit.top] : children.filter((child) => !stays.has(child));
            for (const child of going) this.drop(child);
            dropped.push(...going);
        }
        for (const {object, unit, children, now} of looks) {
            if (unit) {
                if (this.isBelow(unit.top)) this.take(unit.top);
            } else if (this.watched.has(object)) {
                const were = new Set(children);
                this.watched.get(object).children = now;
                for (const child of now) if (!were.has(child)) this.take(child);
            }
        }
        // One that another parent had got in the look before this one.
        for (const child of dropped) if (this.watched.get(child.parent)?.unit === null) this.take(child);
    }

    isBelow(object) {
        let above = object.parent;
        while (above && above !== this.owner) above = above.parent;
        return above === this.owner;
    }

    // Takes in an object that came, and all that is below it.
    take(object) {
        const coming = [object];
        while (coming.length > 0) {
            const one = coming.pop();
            if (this.watched.has(one) || this.units.has(one)) continue;
            if (isContainer(one)) {
                this.watched.set(one, {children: one.children.slice(), unit: null});
                coming.push(...one.children);
            } else {
                this.takeUnit(one);
            }
        }
    }

    takeUnit(top) {
        const {parts, isPlain} = partsOf(top), unit = {top, rows: [], parts: [], search: 0};
        const boxes = isPlain ? parts.map((part) => (part.isMesh ? this.shapeFor(part.geometry) : 0)) : [];
        this.units.set(top, unit);
        if (!isPlain || boxes.includes(null)) {
            for (const shape of boxes) if (shape) this.leaveShape(shape);
            this.others.add(top);
            return;
        }
        parts.forEach((part, i) => {
            if (part.isMesh) unit.rows.push(this.takeRow(part, boxes[i], unit));
            if (part.isMesh && part.children.length === 0) return; // its row shows whether one comes
            this.watched.set(part, {children: part.children.slice(), unit});
            unit.parts.push(part);
        });
    }

    takeRow(mesh, shape, unit) {
        const {instances, meshes} = this, row = this.freeRows.pop() ?? meshes.length;
        if (row >= instances.count) this.grow(row);
        meshes[row] = mesh;
        this.geometries[row] = mesh.geometry;
        this.worlds[row] = mesh.matrixWorld;
        this.elements[row] = mesh.matrixWorld.elements;
        this.unitOf[row] = unit;
        this.isLeaf[row] = mesh.children.length === 0;
        instances.setShape(row, shape.number);
        instances.setMatrix(row, mesh.matrixWorld.elements);
        instances.setShown(row, true);
        return row;
    }

    // Rows that no Mesh has are not shown.
    grow(row) {
        const {instances} = this, before = instances.count;
        instances.resize(Math.max(row + 1, Math.min(2 * row, row + 65536)));
        for (let spare = before; spare < instances.count; spare++) instances.setShown(spare, false);
    }

    // The shape of a geometry, with one row more; null: it has no box.
    shapeFor(geometry) {
        let shape = this.shapes.get(geometry);
        if (!shape) {
            const box = boxOf(geometry);
            if (!box) return null;
            shape = {geometry, number: this.freeShapes.pop() ?? this.shapeCount++, rows: 0};
            this.instances.setBox(box, shape.number);
            this.shapes.set(geometry, shape);
        }
        shape.rows++;
        return shape;
    }

    leaveShape(shape) {
        if (--shape.rows > 0) return;
        this.shapes.delete(shape.geometry);
        this.freeShapes.push(shape.number);
    }

    // Forgets an object that went, and all that was below it.
    drop(object) {
        const going = [object];
        while (going.length > 0) {
            const one = going.pop(), unit = this.units.get(one), look = this.watched.get(one);
            if (unit) {
                this.dropUnit(unit);
            } else if (look) {
                this.watched.delete(one);
                going.push(...look.children);
            }
        }
    }

    dropUnit(unit) {
        this.units.delete(unit.top);
        this.others.delete(unit.top);
        for (const part of unit.parts) this.watched.delete(part);
        for (const row of unit.rows) {
            this.instances.setShown(row, false);
            this.instances.setShape(row, 0);
            this.leaveShape(this.shapes.get(this.geometries[row]));
            this.meshes[row] = this.geometries[row] = this.worlds[row] = this.elements[row] = this.unitOf[row] = null;
            this.freeRows.push(row);
        }
    }

    // Takes the unit that an object is in, in anew.
    renew(object) {
        const unit = this.unitWith(object);
        if (!unit) return;
        this.drop(unit.top);
        if (this.isBelow(unit.top)) this.take(unit.top);
    }

    unitWith(object) {
        let top = object;
        while (top && !this.units.has(top)) top = top.parent;
        return this.units.get(top);
    }

    /** Reads an object anew whose geometry, or whose frustumCulled, changed in place. */
    refresh(object) {
        for (const row of this.unitWith(object)?.rows ?? []) {
            const geometry = this.geometries[row], {number} = this.shapes.get(geometry);
            geometry.computeBoundingBox();
            const box = boxOf(geometry);
            if (box) this.instances.setBox(box, number); // other units may have it, too
        }
        this.renew(object);
    }

    // Takes in the matrix of a row. @return false: the Mesh is no longer what was taken in
    compareRow(row, mesh) {
        if (mesh.geometry !== this.geometries[row] || mesh.matrixWorld !== this.worlds[row] || !mesh.frustumCulled ||
            (this.isLeaf[row] && mesh.children.length > 0)) {
            return false;
        }
        const {matrices} = this.instances, {fround} = Math, e = this.elements[row], at = 16 * row;
        if (fround(e[12]) !== matrices[at + 12] || fround(e[14]) !== matrices[at + 14] ||
            fround(e[13]) !== matrices[at + 13] || fround(e[0]) !== matrices[at] ||
            fround(e[1]) !== matrices[at + 1] || fround(e[2]) !== matrices[at + 2] ||
            fround(e[4]) !== matrices[at + 4] || fround(e[5]) !== matrices[at + 5] ||
            fround(e[6]) !== matrices[at + 6] || fround(e[8]) !== matrices[at + 8] ||
            fround(e[9]) !== matrices[at + 9] || fround(e[10]) !== matrices[at + 10]) {
            this.instances.setMatrix(row, e);
        }
        return true;
    }
}
