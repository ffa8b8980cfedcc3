// SPDX-License-Identifier: MIT
// three_scene.js - AcreScene: a part of a three.js scene whose ordinary Meshes a tree finds.
//
// For each camera and each shadow camera three.js goes through all objects. Here it meets those alone
// that may be in the picture, and what it must always meet: `children` answers with them once, when a
// renderer is about to go through them, and else with what was added. The renderers ask an LOD for its
// level just before, and WebGLRenderer calls onBeforeShadow of a Mesh: so this is both to them. What is
// found three.js still tests by itself, so that it draws what it would have drawn alone.
import {BufferGeometry, Group, Mesh, MeshBasicMaterial, Object3D} from 'three';
import {AcreError, checkAcre, checkNames} from './core.js';
import {Instances} from './instances.js';
import {Members} from './three_members.js';
import {clipOf, eyesOf, firstHitOf, refreshAndTell, stopsAtFalse, viewsOf} from './three_shared.js';

const OPTIONS = ['center', 'halfSize', 'maxDepth', 'nodeCapacity', 'autoSync'];
const INVALID_ARGUMENT = 1;

export class AcreScene extends Mesh {
    constructor(acre, root = null, options = {}) {
        checkAcre('AcreScene', acre);
        super(new BufferGeometry(), new MeshBasicMaterial()); // nothing to draw
        checkNames('AcreScene', options, OPTIONS);
        if (root?.isScene) {
            throw new AcreError('AcreScene', INVALID_ARGUMENT, 'a Scene stays outside: give a Group that is in it');
        }
        const {autoSync = true, ...def} = options;
        this.options = options;
        this.autoSync = autoSync;
        this.isSynced = false;
        this.isLOD = true;
        this.autoUpdate = true;
        this.castShadow = true;
        this.frustumCulled = false;
        this.layers.enableAll();
        this.once = null; // what `children` answers next
        let all = this.children;
        Object.defineProperty(this, 'children', {configurable: true, enumerable: true, get: () => {
            const {once} = this;
            this.once = null;
            return once ?? all;
        }, set: (children) => { all = children; }});
        this.instances = new Instances(acre, 0, [0, 0, 0, 0, 0, 0], def); // a row for each Mesh
        this.members = new Members(this, this.instances);
        this.reported = new Set();
        this.search = 0; // counts searches: which one met a unit
        this.list = [];
        if (root) {
            root.parent?.add(this); // it stands between them
            this.add(root);
        }
    }

    get stats() {
        const {members, list} = this;
        return {meshes: members.rowCount, left: members.others.size, listed: list.length};
    }

    updateMatrixWorld(force) {
        this.once = null;
        if (!this.autoSync && this.isSynced) return; // three.js forces all each frame, as a Scene's matrix is new
        super.updateMatrixWorld(force);
        this.takeAll();
    }

    /**
     * Takes in what came, went and moved: of an object, or several, and what is below them; or of all. With
     * autoSync each updateMatrixWorld does so for all.
     */
    sync(objects) {
        this.once = null;
        if (objects) {
            this.taking(() => this.members.syncBelow([objects].flat()));
        } else {
            this.updateWorldMatrix(true, false);
            super.updateMatrixWorld(true);
            this.takeAll();
        }
        return this;
    }

    takeAll() {
        this.isSynced = true;
        this.taking(() => this.members.sync());
    }

    taking(take) {
        const {members, instances} = this;
        if (instances.tree.isDisposed) return;
        take();
        refreshAndTell(instances, this.reported, (row) => `Mesh ${members.nameOf(row)}`);
    }

    /** For an object whose geometry, or whose frustumCulled, changed in place: it is taken in anew. */
    refresh(...objects) {
        for (const object of objects) this.members.refresh(object);
        return this;
    }

    // WebGLRenderer and WebGPURenderer call it before they read `children`; the latter for shadows, too.
    update(camera) {
        this.showTo(eyesOf(camera));
    }

    onBeforeShadow(renderer, object, camera, shadowCamera) {
        this.showTo([shadowCamera]);
    }

    showTo(eyes) {
        const {instances, members, list} = this, search = ++this.search;
        list.length = 0;
        for (const other of members.others) if (members.isShown(other)) list.push(other);
        if (instances.count > 0) {
            instances.cull(viewsOf(eyes), {clip: clipOf(eyes[0])});
            for (const row of instances.visible) {
                const unit = members.unitOf[row];
                if (unit.search === search) continue;
                unit.search = search;
                if (members.isShown(unit.top)) list.push(unit.top);
            }
        }
        this.once = list;
    }

    // As three.js does it: also what is not visible. It goes by the last updateMatrixWorld.
    raycast(raycaster, hits) {
        const {instances: {tree}, members} = this;
        if (tree.isDisposed || !stopsAtFalse()) return undefined; // then three.js asks all children
        const {ray, far: length} = raycaster, found = [], search = ++this.search;
        for (const other of members.others) raycaster.intersectObject(other, true, found);
        const hitsOfRow = (row) => {
            const unit = members.unitOf[row];
            if (unit.search === search) return [];
            unit.search = search;
            return raycaster.intersectObject(unit.top, true, []);
        };
        if (raycaster.firstHitOnly) {
            const first = firstHitOf(tree, ray, length, 1, hitsOfRow, found[0]);
            if (first) hits.push(first);
            return false;
        }
        for (const row of tree.queryRay(ray, {length}).slice()) found.push(...hitsOfRow(row));
        hits.push(...found);
        return false;
    }

    clone(recursive) {
        return new this.constructor(this.instances.acre, null, this.options).copy(this, recursive);
    }

    copy(source, recursive) {
        return Object3D.prototype.copy.call(this, source, recursive);
    }

    // A Group with the same children.
    toJSON(meta) {
        const group = new Group().copy(this, false);
        group.uuid = this.uuid;
        group.children = this.children;
        return group.toJSON(meta);
    }

    /** From then on three.js goes through all objects. */
    dispose() {
        this.autoUpdate = this.castShadow = false;
        this.instances.dispose();
        this.geometry.dispose();
        this.material.dispose();
    }
}
if (Symbol.dispose) {
    AcreScene.prototype[Symbol.dispose] = function dispose() {
        this.dispose();
    };
}
