// SPDX-License-Identifier: MIT
// three_batched.js - AcreBatchedMesh: a BatchedMesh of three.js whose loops over all instances are queries.
//
// Where three.js goes through its list of instances, it gets a list of those that the tree found, so its
// draw lists, its sorting and its hits are its own.
import {BatchedMesh, Box3, Matrix4, Ray} from 'three';
import {AcreError, checkAcre, checkNames} from './core.js';
import {Instances} from './instances.js';
import {clipOf, eyesOf, refreshAndTell, viewsOf} from './three_shared.js';

const OPTIONS = ['center', 'halfSize', 'maxDepth', 'nodeCapacity'];
const INVALID_ARGUMENT = 1;
const identity = new Matrix4(), inverse = new Matrix4(), box = new Box3(), ray = new Ray();

export class AcreBatchedMesh extends BatchedMesh {
    constructor(acre, maxInstanceCount, maxVertexCount, maxIndexCount, material, options = {}) {
        checkAcre('AcreBatchedMesh', acre);
        super(maxInstanceCount, maxVertexCount, maxIndexCount, material);
        checkNames('AcreBatchedMesh', options, OPTIONS);
        if (!this._instanceInfo || !this._updateDrawParameters || !this._indirectTexture) {
            throw new AcreError('AcreBatchedMesh', INVALID_ARGUMENT, 'this version of three.js keeps its instances elsewhere');
        }
        this.options = options;
        this.instances = new Instances(acre, 0, [0, 0, 0, 0, 0, 0], options);
        this.reported = new Set();
        this.frustumCulled = false; // one instance at a time
    }

    boxOf(geometryId) {
        return this.getBoundingBoxAt(geometryId, box);
    }

    addGeometry(...words) {
        const id = super.addGeometry(...words);
        this.instances.setBox(this.boxOf(id), id);
        return id;
    }

    setGeometryAt(geometryId, ...words) {
        const id = super.setGeometryAt(geometryId, ...words);
        this.instances.setBox(this.boxOf(id), id);
        return id;
    }

    addInstance(geometryId) {
        const id = super.addInstance(geometryId), {instances} = this;
        if (id >= instances.count) instances.resize(id + 1);
        instances.setShape(id, geometryId);
        instances.setMatrix(id, identity.elements);
        instances.setShown(id, true);
        return id;
    }

    deleteInstance(id) {
        super.deleteInstance(id);
        this.instances.setShown(id, false);
        return this;
    }

    setMatrixAt(id, matrix) {
        super.setMatrixAt(id, matrix);
        this.instances.setMatrix(id, matrix.elements);
        return this;
    }

    setVisibleAt(id, isVisible) {
        super.setVisibleAt(id, isVisible);
        this.instances.setShown(id, isVisible);
        return this;
    }

    setGeometryIdAt(id, geometryId) {
        super.setGeometryIdAt(id, geometryId);
        this.instances.setShape(id, geometryId);
        return this;
    }

    sync() {
        refreshAndTell(this.instances, this.reported);
    }

    // Runs a function of three.js with the found instances as if there were no others.
    among(found, call) {
        const {_instanceInfo, perObjectFrustumCulled, customSort} = this, {data} = this._matricesTexture.image;
        this._instanceInfo = Array.from(found, (id) => _instanceInfo[id]);
        this.perObjectFrustumCulled = false;
        this.getMatrixAt = (i, matrix) => matrix.fromArray(data, 16 * found[i]);
        if (customSort) {
            this.customSort = (list, camera) => {
                for (const item of list) item.index = found[item.index];
                customSort.call(this, list, camera);
            };
        }
        try {
            call();
        } finally {
            Object.assign(this, {_instanceInfo, perObjectFrustumCulled, customSort});
            delete this.getMatrixAt;
        }
    }

    _updateDrawParameters(camera, ...words) {
        if (!this.perObjectFrustumCulled) return super._updateDrawParameters(camera, ...words);
        this.sync();
        this.instances.cull(viewsOf(eyesOf(camera), this.matrixWorld), {clip: clipOf(camera)});
        const found = this.instances.visible.slice(), isSortedByCaller = this.sortObjects && this.customSort;
        this._visibilityChanged = true;
        this.among(found, () => super._updateDrawParameters(camera, ...words));
        const {data} = this._indirectTexture.image;
        for (let i = 0; !isSortedByCaller && i < this._multiDrawCount; i++) data[i] = found[data[i]];
    }

    raycast(raycaster, hits) {
        this.sync();
        inverse.copy(this.matrixWorld).invert();
        ray.copy(raycaster.ray).applyMatrix4(inverse);
        const found = this.instances.tree.queryRay(ray).slice(), before = hits.length;
        this.among(found, () => super.raycast(raycaster, hits));
        for (let i = before; i < hits.length; i++) hits[i].batchId = found[hits[i].batchId];
    }

    copy(source) {
        super.copy(source);
        const {instances} = this;
        this.frustumCulled = false;
        for (let id = 0; id < source._geometryCount; id++) instances.setBox(this.boxOf(id), id);
        instances.resize(source._instanceInfo.length);
        source._instanceInfo.forEach(({geometryIndex, visible, active}, id) => {
            instances.setShape(id, geometryIndex);
            instances.setMatrix(id, this._matricesTexture.image.data.subarray(16 * id, 16 * id + 16));
            instances.setShown(id, visible && active);
        });
        return this;
    }

    clone() {
        const {maxInstanceCount, _maxVertexCount, _maxIndexCount, material, options} = this;
        return new this.constructor(this.instances.acre, maxInstanceCount, _maxVertexCount, _maxIndexCount, material,
            options).copy(this);
    }

    dispose() {
        this.instances.dispose();
        return super.dispose();
    }
}
