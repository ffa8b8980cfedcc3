// SPDX-License-Identifier: MIT
// tiles.mjs - vector tiles of @mapbox/mvt-fixtures as features in metres around the scene's centre.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VectorTile, classifyRings } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

const EARTH_RADIUS = 6378137; // metres, of the sphere that web Mercator projects
const KINDS = [undefined, 'point', 'line', 'polygon']; // feature types of the format

/** Tiles of a folder whose files are named zoom-x-y.mvt, in ascending x, then y. */
export function readTiles(folder) {
    const root = dirname(fileURLToPath(import.meta.resolve('@mapbox/mvt-fixtures/package.json')));
    const path = join(root, 'real-world', folder);
    return readdirSync(path)
        .map((file) => ({ file, numbers: file.match(/^(\d+)-(\d+)-(\d+)\.mvt$/)?.slice(1).map(Number) }))
        .filter(({ numbers }) => numbers !== undefined)
        .map(({ file, numbers: [zoom, x, y] }) => ({
            zoom, x, y,
            name: `${zoom}/${x}/${y}`,
            layers: new VectorTile(new PbfReader(readFileSync(join(path, file)))).layers,
        }))
        .sort((a, b) => a.x - b.x || a.y - b.y);
}

/** The scene's middle in tile coordinates, and how many metres a tile is wide at its latitude. */
export function projection(tiles) {
    const middle = (pick) => (Math.min(...tiles.map(pick)) + Math.max(...tiles.map(pick)) + 1) / 2;
    const x = middle((tile) => tile.x);
    const y = middle((tile) => tile.y);
    const count = 2 ** tiles[0].zoom;
    // One latitude for the whole scene: a factor per tile would open gaps between them.
    const cosLatitude = 1 / Math.cosh(Math.PI * (1 - (2 * y) / count));
    return { x, y, tileSize: (2 * Math.PI * EARTH_RADIUS * cosLatitude) / count };
}

/** The centre of a tile in metres of the scene, as a translation. */
export function tileCentre(tile, { x, y, tileSize }) {
    return [(tile.x + 0.5 - x) * tileSize, 0, (tile.y + 0.5 - y) * tileSize];
}

/**
 * Features of one layer. Coordinates are [x, z] in metres from the tile's centre.
 * @returns [{ id, kind, properties, polygons | lines | points }]
 */
export function readFeatures(tile, layerName, { tileSize }) {
    const layer = tile.layers[layerName];
    const features = [];
    for (let i = 0; layer !== undefined && i < layer.length; ++i) {
        const feature = layer.feature(i);
        const kind = KINDS[feature.type];
        const metres = ({ x, y }) => [(x / layer.extent - 0.5) * tileSize, (y / layer.extent - 0.5) * tileSize];
        const rings = feature.loadGeometry();
        const result = { id: feature.id, kind, properties: feature.properties };
        if (kind === 'polygon') {
            result.polygons = classifyRings(rings).map((polygon) => polygon.map((ring) => ring.map(metres)));
        } else if (kind === 'line') {
            result.lines = rings.map((line) => line.map(metres));
        } else if (kind === 'point') {
            result.points = rings.flat().map(metres);
        }
        features.push(result);
    }
    return features;
}

/** @returns the middle of the box around points [x, z]. */
export function boxCentre(points) {
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (const point of points) {
        for (const axis of [0, 1]) {
            low[axis] = Math.min(low[axis], point[axis]);
            high[axis] = Math.max(high[axis], point[axis]);
        }
    }
    return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
}
