// SPDX-License-Identifier: MIT
// shapes.mjs - footprints and lines into primitives: extrusion, roofs, strips.
//
// Points of the ground plane are [x, z] in metres, x east, z south, so that y is up in a
// right-handed system. Seen from above, with z pointing down the page, a ring is stored clockwise,
// which is anticlockwise seen from below: walls and roofs then face outwards.
import earcut from 'earcut';
import { LINE_STRIP, POINTS, TRIANGLES, millimetres } from './glb_writer.mjs';

/** Twice the signed area; positive for a ring that runs clockwise on a page with z downwards. */
function signedArea(ring) {
    let sum = 0;
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        sum += ring[j][0] * ring[i][1] - ring[i][0] * ring[j][1];
    }
    return sum;
}

/** Drops the closing point and repeated points, and orients the ring. @returns null if no area. */
function cleanRing(ring, isHole) {
    const points = ring.filter((point, i) => {
        const next = ring[(i + 1) % ring.length];
        return point[0] !== next[0] || point[1] !== next[1];
    });
    const area = signedArea(points);
    if (points.length < 3 || area === 0) {
        return null;
    }
    return area > 0 === !isHole ? points : points.reverse();
}

/** @param polygon [outer, hole, ...] @returns rings ready for earcut, or null without an area. */
function cleanPolygon(polygon) {
    const outer = cleanRing(polygon[0], false);
    if (outer === null) {
        return null;
    }
    return [outer, ...polygon.slice(1).map((ring) => cleanRing(ring, true)).filter((ring) => ring !== null)];
}

/** Triangles of a polygon, each facing up (earcut promises no winding). */
function triangulate(rings) {
    const flat = rings.flat();
    const holes = [];
    let count = rings[0].length;
    for (const ring of rings.slice(1)) {
        holes.push(count);
        count += ring.length;
    }
    const triangles = earcut(flat.flat(), holes);
    for (let i = 0; i < triangles.length; i += 3) {
        const corners = [0, 1, 2].map((k) => flat[triangles[i + k]]);
        if (signedArea(corners) > 0) { // clockwise on the page: faces down in x east, z south
            [triangles[i + 1], triangles[i + 2]] = [triangles[i + 2], triangles[i + 1]];
        }
    }
    return triangles;
}

/** Appends one polygon as a prism from floor to top; the underside only where it is off the ground. */
function appendPrism(mesh, rings, floor, top) {
    const flat = rings.flat();
    const roof = triangulate(rings);
    const low = mesh.points.length;
    const high = low + flat.length;
    mesh.points.push(...flat.map(([x, z]) => [x, floor, z]), ...flat.map(([x, z]) => [x, top, z]));
    let first = 0;
    for (const ring of rings) {
        for (let i = 0; i < ring.length; ++i) {
            const a = first + i;
            const b = first + ((i + 1) % ring.length);
            mesh.indices.push(low + a, high + a, low + b, low + b, high + a, high + b);
        }
        first += ring.length;
    }
    mesh.indices.push(...roof.map((index) => high + index));
    if (floor > 0) {
        for (let i = 0; i < roof.length; i += 3) {
            mesh.indices.push(low + roof[i], low + roof[i + 2], low + roof[i + 1]);
        }
    }
}

/** Volume of a closed surface by the divergence theorem; positive if it faces outwards. */
export function volume({ points, indices }) {
    let sum = 0;
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [points[indices[i]], points[indices[i + 1]], points[indices[i + 2]]];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

/** Area of a polygon with holes in square metres. */
export function footprintArea(polygon) {
    const rings = cleanPolygon(polygon);
    return rings === null ? 0 : rings.reduce((sum, ring) => sum + signedArea(ring) / 2, 0);
}

/** @returns one primitive with shared vertices, or null if no polygon has an area. */
export function extrude(polygons, floor, top) {
    const mesh = { mode: TRIANGLES, points: [], indices: [] };
    for (const polygon of polygons) {
        const rings = cleanPolygon(polygon);
        if (rings !== null) {
            appendPrism(mesh, rings, floor, top);
        }
    }
    return mesh.indices.length === 0 ? null : mesh;
}

/** @returns one flat primitive on the ground, or null if no polygon has an area. */
export function flatten(polygons) {
    const mesh = { mode: TRIANGLES, points: [], indices: [] };
    for (const polygon of polygons) {
        const rings = cleanPolygon(polygon);
        if (rings !== null) {
            const first = mesh.points.length;
            mesh.points.push(...rings.flat().map(([x, z]) => [x, 0, z]));
            mesh.indices.push(...triangulate(rings).map((index) => first + index));
        }
    }
    return mesh.indices.length === 0 ? null : mesh;
}

/** @returns a line strip on the ground, or null if the line has no two points. */
export function strip(line) {
    const points = line.filter((point, i) => i === 0 || point[0] !== line[i - 1][0] || point[1] !== line[i - 1][1]);
    return points.length < 2 ? null : { mode: LINE_STRIP, points: points.map(([x, z]) => [x, 0, z]) };
}

/** @returns single points on the ground. */
export function dots(points) {
    return { mode: POINTS, points: points.map(([x, z]) => [x, 0, z]) };
}

/** Twice the area of a triangle; 0 or more where c is on the inner side of the edge from a to b. */
function turn([ax, az], [bx, bz], [cx, cz]) {
    return (bx - ax) * (cz - az) - (bz - az) * (cx - ax);
}

/** Whether a ring is convex with real corners only: the rule of acre_occluder_is_valid, and no straight corner. */
function isConvex(ring) {
    return ring.every((here, k) => {
        const next = ring[(k + 1) % ring.length];
        return ring.every((other) => other === here || other === next || turn(here, next, other) > 0);
    });
}

/** Adds triangles to the one at first, as long as the whole stays convex, the largest first. */
function growConvex(triangles, first) {
    let ring = triangles[first];
    const left = new Set(triangles.filter((_, i) => i !== first));
    for (;;) {
        let best = { area: 0 };
        for (const triangle of left) {
            for (let k = 0; k < ring.length; ++k) {
                const [a, b] = [ring[k], ring[(k + 1) % ring.length]];
                const corner = triangle.find((point) => point !== a && point !== b);
                const grown = ring.toSpliced(k + 1, 0, corner);
                if (triangle.includes(a) && triangle.includes(b) && isConvex(grown)) {
                    const area = signedArea(grown);
                    best = area > best.area ? { area, grown, triangle } : best;
                }
            }
        }
        if (best.area === 0) {
            return ring;
        }
        ring = best.grown;
        left.delete(best.triangle);
    }
}

/** Drops the corners that cut off least: what is left lies within. */
function dropCorners(ring, most) {
    while (ring.length > most) {
        const lost = ring.map((here, k) => turn(ring.at(k - 1), here, ring[(k + 1) % ring.length]));
        ring = ring.toSpliced(lost.indexOf(Math.min(...lost)), 1);
    }
    return ring;
}

/**
 * The largest convex part that is found of a footprint, with at most 8 corners: what surely is solid.
 * Its corners are those of the mesh, so that it lies within the walls to the last bit.
 * @returns [[x, z], ...] in whole millimetres, or null
 */
export function solidPart(polygon) {
    const rounded = polygon.map((ring) => ring.map((point) => point.map(millimetres)));
    const rings = cleanPolygon(rounded.map((ring) => ring.map((point) => point.map(Math.fround))));
    if (rings === null) {
        return null;
    }
    const flat = rings.flat();
    const indices = triangulate(rings);
    const triangles = [];
    for (let i = 0; i < indices.length; i += 3) {
        triangles.push([flat[indices[i]], flat[indices[i + 2]], flat[indices[i + 1]]]); // as a ring runs
    }
    const area = triangles.reduce((sum, triangle) => sum + signedArea(triangle), 0);
    const wanted = rings.reduce((sum, ring) => sum + signedArea(ring), 0);
    if (Math.abs(area - wanted) > 1e-3 * wanted) {
        return null; // a ring that crosses itself
    }
    const parts = triangles.filter(isConvex).map((_, i, sound) => dropCorners(growConvex(sound, i), 8));
    const best = parts.reduce((a, b) => (a !== null && signedArea(a) >= signedArea(b) ? a : b), null);
    return best !== null && isConvex(best) ? best.map((point) => point.map(millimetres)) : null;
}
