// SPDX-License-Identifier: MIT
// three.d.ts - the classes for three.js, their types.
import { BatchedMesh, BufferGeometry, Camera, InstancedMesh, Material, Mesh, Object3D } from 'three';
import { Acre, Horizon, Instances, Occluder, TreeOptions } from './acre.js';

export interface AcreInstancedMeshOptions extends TreeOptions {
    /** Culls for every camera and shadow camera that draws it; default true. */
    autoCull?: boolean;
    /** Draws near instances first, and far ones first where a material is transparent; default false. */
    sortObjects?: boolean;
    /** 0, the default, to below 1: a level of detail is kept that far beyond its limit. */
    hysteresis?: number;
    /** As setOccluders has them. */
    occluders?: Occluder[];
}

/**
 * An InstancedMesh that draws the instances that a camera sees. It has `count` instances at the origin;
 * move them by setMatrixAt, or write into `matrices` and call setAllMoved. The first frame, and one in
 * which it grows, draw all. An instance whose matrix is not finite is hidden, and the console told once.
 */
export class AcreInstancedMesh<G extends BufferGeometry = BufferGeometry, M extends Material | Material[] = Material | Material[]>
    extends InstancedMesh<G, M> {
    /** A geometry with morph targets or skins is refused: boxes would not hold what is drawn. */
    constructor(acre: Acre, geometry: G, material: M, count: number, options?: AcreInstancedMeshOptions);
    readonly instances: Instances;
    /** False: cull() says what is drawn. */
    autoCull: boolean;
    sortObjects: boolean;
    /** Rows for which there is room; it grows by addInstances. */
    readonly capacity: number;
    readonly instancesCount: number;
    /** 16 numbers a row, relative to the mesh; valid until the next call. */
    readonly matrices: Float32Array;
    /** The rows that were found last. */
    readonly visibleRows: Uint32Array;
    /** Near to far; levels[k].mesh.count is how many instances were drawn of a level. The first is the mesh itself. */
    readonly levels: readonly { readonly mesh: InstancedMesh, readonly pixels: number }[];
    setAllMoved(): void;
    setVisibilityAt(row: number, isVisible: boolean): this;
    getVisibilityAt(row: number): boolean;
    /** Adds instances at the origin, in rows that were removed first. @return their rows */
    addInstances(count: number, onCreation?: (row: number) => void): number[];
    removeInstances(...rows: number[]): this;
    clearInstances(): this;
    /** An attribute of the geometry with 1 to 4 numbers an instance; the geometry is then this mesh's own. */
    addAttribute(name: string, size: number, first?: number): this;
    setAttributeAt(row: number, name: string, ...numbers: number[]): this;
    /**
     * What is drawn of instances whose box covers fewer pixels on the screen, along its diagonal; limits
     * fall from level to level. The distance is that to the nearest point of the box.
     */
    addLOD(geometry: BufferGeometry, material: Material | Material[] | undefined, pixels: number): this;
    /** What casts shadows in the place of all levels; the first has no limit. Sizes are those in the picture. */
    addShadowLOD(geometry: BufferGeometry, pixels?: number): this;
    /** Calls onChange after each search for this camera that found other rows than the last one. */
    watch(camera: Camera, onChange: (entered: number[], left: number[]) => void): this;
    unwatch(camera: Camera): this;
    /**
     * What each instance hides others of this mesh with, in the space of the geometry: prisms, or boxes that are solid everywhere. They
     * lie within what is drawn at every level of detail; the box of the geometry is never taken by itself. What is
     * surely hidden from a camera in perspective is then not drawn in its picture; shadows are as before. y of the
     * geometry stays upright, or nearly so.
     */
    setOccluders(occluders: Occluder[]): this;
    /** Its stats say what the last search, for whichever camera, left out; null without occluders. */
    readonly horizon: Horizon | null;
    /** Finds what at least one of these cameras sees. With autoCull off, it is what is drawn. */
    cull(...cameras: (Camera | Camera[])[]): number;
}

/** A BatchedMesh, instances of many shapes, that asks a tree where three.js goes through all instances. */
export class AcreBatchedMesh extends BatchedMesh {
    constructor(acre: Acre, maxInstanceCount: number, maxVertexCount: number, maxIndexCount: number, material: Material,
        options?: TreeOptions);
    readonly instances: Instances;
}

export interface AcreSceneOptions extends TreeOptions {
    /** Each updateMatrixWorld looks at all objects; default true. */
    autoSync?: boolean;
}

/**
 * A part of a scene whose ordinary Meshes a tree finds, for every camera and shadow camera. Add it to a Scene, and to
 * it what it is to find, in any hierarchy. What is no ordinary Mesh three.js meets as ever: lights, sprites, lines,
 * skinned and instanced meshes, groups with a renderOrder, and Meshes with frustumCulled = false or such things below.
 * With renderer.sortObjects = false, what is found comes in the order of the tree.
 */
export class AcreScene extends Mesh {
    /** root: what it is to find; it takes the place of root in root's parent. */
    constructor(acre: Acre, root?: Object3D | null, options?: AcreSceneOptions);
    readonly instances: Instances;
    /** False: matrices below are updated, and changes seen, by sync alone. */
    autoSync: boolean;
    /** Takes in what came, went and moved: of an object, or several, and what is below them; without one, of all. */
    sync(objects?: Object3D | Object3D[]): this;
    /** Reads objects anew whose geometry changed in place, or which have frustumCulled = true again. */
    refresh(...objects: Object3D[]): this;
    /** Meshes that the tree has; objects that three.js always meets; how many the last pass met. */
    readonly stats: { meshes: number, left: number, listed: number };
    dispose(): void;
}
