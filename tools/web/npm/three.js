// SPDX-License-Identifier: MIT
// three.js - AcreInstancedMesh: an InstancedMesh of three.js that draws the instances that cameras see.
import {InstancedBufferAttribute, InstancedMesh, Matrix4, DynamicDrawUsage, WebGPUCoordinateSystem} from 'three';
import {Instances} from './acre.js';

const product = new Matrix4();

export class AcreInstancedMesh extends InstancedMesh {
    constructor(acre, geometry, material, count, def) {
        super(geometry, material, 0);
        if (!geometry.boundingBox) geometry.computeBoundingBox();
        const {min, max} = geometry.boundingBox;
        this.instances = new Instances(acre, count, [...min.toArray(), ...max.toArray()], def);
        this.instanceMatrix = new InstancedBufferAttribute(this.instances.visibleMatrices, 16);
        this.instanceMatrix.setUsage(DynamicDrawUsage);
        this.frustumCulled = false; // cull() does it, one instance at a time
    }

    get matrices() {
        return this.instances.matrices;
    }

    get visibleRows() {
        return this.instances.visible;
    }

    setMatrixAt(row, matrix) {
        matrix.toArray(this.instances.matrices, 16 * row);
        this.instances.setMoved(row);
    }

    getMatrixAt(row, matrix) {
        return matrix.fromArray(this.instances.matrices, 16 * row);
    }

    setColorAt(row, color) {
        if (!this.instanceColor) {
            this.instanceColor = new InstancedBufferAttribute(this.instances.visibleColors, 3);
            this.instanceColor.setUsage(DynamicDrawUsage);
        }
        color.toArray(this.instances.colors, 3 * row);
    }

    getColorAt(row, color) {
        return color.fromArray(this.instances.colors, 3 * row);
    }

    setAllMoved() {
        this.instances.setAllMoved();
    }

    cull(...cameras) {
        this.updateWorldMatrix(true, false);
        const views = cameras.map((camera) => {
            camera.updateWorldMatrix(true, false);
            product.copy(camera.matrixWorld).invert().premultiply(camera.projectionMatrix).multiply(this.matrixWorld);
            return product.toArray();
        });
        const {coordinateSystem, reversedDepth} = cameras[0];
        const clip = reversedDepth ? '1..0' : coordinateSystem === WebGPUCoordinateSystem ? '0..1' : '-1..1';
        this.count = this.instances.cull(views, {clip});
        this.instances.gather(Boolean(this.instanceColor));
        this.upload(this.instanceMatrix, this.instances.visibleMatrices, 16);
        if (this.instanceColor) this.upload(this.instanceColor, this.instances.visibleColors, 3);
        return this.count;
    }

    // The memory may have grown, which makes another array of it.
    upload(attribute, array, size) {
        attribute.array = array;
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, size * this.count);
        attribute.needsUpdate = true;
    }

    // Hits carry the row of an instance, not its place among those drawn.
    raycast(raycaster, hits) {
        const before = hits.length, rows = this.instances.visible;
        this.boundingSphere = null; // of what was drawn before
        super.raycast(raycaster, hits);
        for (let i = before; i < hits.length; i++) hits[i].instanceId = rows[hits[i].instanceId];
    }

    dispose() {
        this.instances.dispose();
        return super.dispose();
    }
}
