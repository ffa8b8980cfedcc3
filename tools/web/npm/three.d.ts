// SPDX-License-Identifier: MIT
// three.d.ts - AcreInstancedMesh, its types.
import { BufferGeometry, Camera, InstancedMesh, Material } from 'three';
import { Acre, Instances, TreeOptions } from './acre.js';

export interface AcreInstancedMeshOptions extends TreeOptions {
    /** Culls for every camera and shadow camera that draws it; default true. */
    autoCull?: boolean;
    /** Draws near instances first, transparent ones last; default false. */
    sortObjects?: boolean;
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
    /** Finds what at least one of these cameras sees. With autoCull off, it is what is drawn. */
    cull(...cameras: (Camera | Camera[])[]): number;
}
