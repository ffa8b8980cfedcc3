// SPDX-License-Identifier: MIT
// ways.js - three ways to draw those of many boxes that a camera sees. Each has a mesh, `place`, which
// moves a box to x and z on the ground, and `cull`, which returns how many boxes are drawn.
import {Box3, Frustum, InstancedMesh, Matrix4, DynamicDrawUsage} from 'three';
import {AcreInstancedMesh} from '../three.js';

// What three.js does by itself: it tests the InstancedMesh as a whole, and draws all or nothing.
export class DrawAll {
    constructor(geometry, material, world) {
        this.mesh = new InstancedMesh(geometry, material, world.count);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.frustumCulled = false; // the camera stands among them
        this.mesh.instanceMatrix.array.set(world.matrices);
        this.hasMoved = true;
    }

    place(row, x, z) {
        const {array} = this.mesh.instanceMatrix;
        array[16 * row + 12] = x;
        array[16 * row + 14] = z;
        this.hasMoved = true;
    }

    cull() {
        this.mesh.instanceMatrix.needsUpdate = this.hasMoved;
        this.hasMoved = false;
        return this.mesh.count;
    }

    get rows() {
        return Array.from({length: this.mesh.count}, (_, row) => row);
    }
}

// The loop that one would write: three.js's frustum against the box of each instance.
export class Loop {
    constructor(geometry, material, world) {
        this.mesh = new InstancedMesh(geometry, material, world.count);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.frustumCulled = false;
        this.matrices = world.matrices.slice();
        this.half = world.half;
        this.boxes = Array.from({length: world.count}, () => new Box3());
        this.visible = new Uint32Array(world.count);
        this.frustum = new Frustum();
        this.product = new Matrix4();
        for (let row = 0; row < world.count; row++) {
            this.place(row, this.matrices[16 * row + 12], this.matrices[16 * row + 14]);
        }
    }

    place(row, x, z) {
        const {matrices, half} = this, {min, max} = this.boxes[row], y = matrices[16 * row + 13];
        matrices[16 * row + 12] = x;
        matrices[16 * row + 14] = z;
        min.set(x - half[3 * row], y - half[3 * row + 1], z - half[3 * row + 2]);
        max.set(x + half[3 * row], y + half[3 * row + 1], z + half[3 * row + 2]);
    }

    cull(camera) {
        camera.updateMatrixWorld();
        this.frustum.setFromProjectionMatrix(
            this.product.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
        const {array} = this.mesh.instanceMatrix, {boxes, frustum, matrices, visible} = this;
        let count = 0;
        for (let row = 0; row < boxes.length; row++) {
            if (frustum.intersectsBox(boxes[row])) visible[count++] = row;
        }
        for (let i = 0; i < count; i++) {
            const from = 16 * visible[i], to = 16 * i;
            for (let k = 0; k < 16; k++) array[to + k] = matrices[from + k];
        }
        this.mesh.count = count;
        this.mesh.instanceMatrix.clearUpdateRanges();
        if (count > 0) this.mesh.instanceMatrix.addUpdateRange(0, 16 * count);
        this.mesh.instanceMatrix.needsUpdate = count > 0;
        return count;
    }

    get rows() {
        return Array.from(this.visible.subarray(0, this.mesh.count));
    }
}

export class Acre {
    constructor(geometry, material, world, acre) {
        this.mesh = new AcreInstancedMesh(acre, geometry, material, world.count, {halfSize: world.halfSize});
        this.mesh.matrices.set(world.matrices);
        this.mesh.setAllMoved();
        this.matrices = this.mesh.matrices;
    }

    place(row, x, z) {
        this.matrices[16 * row + 12] = x;
        this.matrices[16 * row + 14] = z;
        this.mesh.instances.setMoved(row);
    }

    cull(camera) {
        const count = this.mesh.cull(camera);
        this.matrices = this.mesh.matrices; // the module's memory may have grown
        return count;
    }

    get rows() {
        return Array.from(this.mesh.visibleRows);
    }
}
