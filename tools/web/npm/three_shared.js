// SPDX-License-Identifier: MIT
// three_shared.js - what the classes for three.js share: cameras as views, rays, and rows that are not finite.
import {Matrix4, Object3D, Raycaster, WebGPUCoordinateSystem} from 'three';

const FIRST_HITS = 16;
const product = new Matrix4(), identity = new Matrix4();

export const clipOf = (camera) => (camera?.reversedDepth ? '1..0'
    : camera?.coordinateSystem === WebGPUCoordinateSystem ? '0..1' : '-1..1');

export const eyesOf = (camera) => (camera.isArrayCamera ? camera.cameras : [camera]);

/** Matrices from the space of a mesh, or the world, to the pictures of cameras. */
export const viewsOf = (cameras, matrixWorld = identity) => cameras.map((camera) => product
    .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(matrixWorld).toArray());

/** Gives the tree what moved, and tells once of each row that no tree takes. told: those rows. */
export function refreshAndTell(instances, told, nameOf = (row) => `instance ${row}`) {
    instances.refresh();
    for (const row of told) if (!instances.badRows.has(row)) told.delete(row);
    for (const row of instances.badRows) {
        if (!told.has(row)) console.warn(`acre: ${nameOf(row)} is not finite; it is hidden until it is`);
        told.add(row);
    }
}

/**
 * The first hit of a ray. Boxes come in the order in which the ray enters them: where one begins behind a
 * hit, that was it. scale: the length here of a unit of the world; hitsOf: of a row; first: one found before
 */
export function firstHitOf(tree, ray, length, scale, hitsOf, first = null) {
    let tested = 0;
    for (let count = FIRST_HITS; ; count *= 4) {
        const boxes = tree.firstHits(ray.origin, ray.direction, count, {length});
        for (const {id, distance} of boxes.slice(tested)) {
            if (first && distance > scale * first.distance) return first;
            for (const hit of hitsOf(id)) {
                if (!first || hit.distance < first.distance) first = hit;
            }
        }
        if (boxes.length < count) return first;
        tested = count;
    }
}

let stops = null;
/** Whether this three.js asks no children where raycast answers false. */
export function stopsAtFalse() {
    if (stops === null) {
        const outer = new Object3D(), inner = new Object3D();
        stops = true;
        outer.raycast = () => false;
        inner.raycast = () => { stops = false; };
        new Raycaster().intersectObject(outer.add(inner));
    }
    return stops;
}
