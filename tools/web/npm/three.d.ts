// SPDX-License-Identifier: MIT
// three.d.ts - AcreInstancedMesh, its types.
import { BufferGeometry, Camera, InstancedMesh, Material } from 'three';
import { Acre, Instances, TreeOptions } from './acre.js';

/**
 * An InstancedMesh that draws the instances that cameras see. Each frame, before the renderer:
 * move instances by setMatrixAt, or write into `matrices` and call setAllMoved; then call cull.
 */
export class AcreInstancedMesh extends InstancedMesh {
    constructor(acre: Acre, geometry: BufferGeometry, material: Material | Material[], count: number,
        options?: TreeOptions);
    readonly instances: Instances;
    /** 16 numbers an instance, relative to the mesh; valid until the next call. */
    readonly matrices: Float32Array;
    /** The instances that the last cull found. */
    readonly visibleRows: Uint32Array;
    setAllMoved(): void;
    /** Finds what at least one of these cameras sees; a light's shadow camera is one, too. */
    cull(...cameras: Camera[]): number;
}
