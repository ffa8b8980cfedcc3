// SPDX-License-Identifier: MIT
// three_shared.js - what the meshes for three.js share: cameras as views, and rows that are not finite.
import {Matrix4, WebGPUCoordinateSystem} from 'three';

const product = new Matrix4();

export const clipOf = (camera) => (camera?.reversedDepth ? '1..0'
    : camera?.coordinateSystem === WebGPUCoordinateSystem ? '0..1' : '-1..1');

export const eyesOf = (camera) => (camera.isArrayCamera ? camera.cameras : [camera]);

/** Matrices from the space of a mesh to the pictures of cameras. */
export const viewsOf = (cameras, matrixWorld) => cameras.map((camera) => product
    .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(matrixWorld).toArray());

/** Gives the tree what moved, and tells once of each row that no tree takes. told: those rows. */
export function refreshAndTell(instances, told) {
    instances.refresh();
    for (const row of told) if (!instances.badRows.has(row)) told.delete(row);
    for (const row of instances.badRows) {
        if (!told.has(row)) console.warn(`acre: instance ${row} is not finite; it is hidden until it is`);
        told.add(row);
    }
}
