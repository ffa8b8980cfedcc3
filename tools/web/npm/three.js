// SPDX-License-Identifier: MIT
// three.js - AcreInstancedMesh: an InstancedMesh of three.js that draws the instances that cameras see.
import {InstancedBufferAttribute, InstancedMesh, Matrix4, DynamicDrawUsage, WebGPUCoordinateSystem} from 'three';
import {Instances} from './acre.js';

const product = new Matrix4();

// The array is made anew each time that it is read: growth of the memory detaches the one before.
function attributeOf(size, array) {
    const attribute = new InstancedBufferAttribute(array(), size);
    Object.defineProperty(attribute, 'array', {get: array});
    return attribute.setUsage(DynamicDrawUsage);
}

export class AcreInstancedMesh extends InstancedMesh {
    constructor(acre, geometry, material, count, def) {
        super(geometry, material, 0);
        if (!geometry.boundingBox) geometry.computeBoundingBox();
        const {min, max} = geometry.boundingBox;
        this.instances = new Instances(acre, count, [...min.toArray(), ...max.toArray()], def);
        this.instanceMatrix = attributeOf(16, () => this.instances.visibleMatrices);
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
            this.instanceColor = attributeOf(3, () => this.instances.visibleColors);
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
        const {coordinateSystem, reversedDepth} = cameras[0] ?? {};
        const clip = reversedDepth ? '1..0' : coordinateSystem === WebGPUCoordinateSystem ? '0..1' : '-1..1';
        this.count = this.instances.cull(views, {clip});
        this.instances.gather(Boolean(this.instanceColor));
        this.upload(this.instanceMatrix, 16);
        if (this.instanceColor) this.upload(this.instanceColor, 3);
        return this.count;
    }

    upload(attribute, size) {
        attribute.clearUpdateRanges();
        if (this.count === 0) return; // WebGL takes a length of 0 for the whole array
        attribute.addUpdateRange(0, size * this.count);
        attribute.needsUpdate = true;
    }

    // three.js asks for matrices by the place among those drawn. Hits carry the row of an instance.
    raycast(raycaster, hits) {
        const before = hits.length, {visible, visibleMatrices} = this.instances;
        this.boundingSphere = null; // of what was drawn before
        this.getMatrixAt = (place, matrix) => matrix.fromArray(visibleMatrices, 16 * place);
        try {
            super.raycast(raycaster, hits);
        } finally {
            delete this.getMatrixAt;
        }
        for (let i = before; i < hits.length; i++) hits[i].instanceId = visible[hits[i].instanceId];
    }

    dispose() {
        this.instances.dispose();
        return super.dispose();
    }
}
