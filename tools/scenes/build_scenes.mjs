// SPDX-License-Identifier: MIT
// build_scenes.mjs - builds the scenes San Francisco and Astana from OpenStreetMap vector tiles.
//
//     node build_scenes.mjs san_francisco [output.glb]
//     node build_scenes.mjs astana [output.glb]
//
// Every run writes the same bytes, and stops with an error if the counts are not those expected.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GlbWriter, millimetres } from './glb_writer.mjs';
import { dots, extrude, flatten, footprintArea, solidPart, strip, volume } from './shapes.mjs';
import { boxCentre, projection, readFeatures, readTiles, tileCentre } from './tiles.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const STOREY = 3; // metres, where only a number of levels or nothing is known
const COPYRIGHT = '(c) OpenStreetMap contributors, ODbL 1.0, https://www.openstreetmap.org/copyright';

function expect(what, found, wanted) {
    if (found !== wanted) {
        throw new Error(`${what}: ${found}, expected ${wanted}`);
    }
}

/** Shifts [x, z] points so that a node's mesh lies around its own origin. */
function around(centre, points) {
    return points.map(([x, z]) => [x - centre[0], z - centre[1]]);
}

/** The node's place: whole millimetres, so that place plus vertex is exact in the file. */
function placeOf(points) {
    return boxCentre(points).map(millimetres);
}

function addBuilding(writer, parent, name, polygons, floor, top) {
    const centre = placeOf(polygons.flat(2));
    const local = polygons.map((polygon) => polygon.map((ring) => around(centre, ring)));
    const primitive = extrude(local, floor, top);
    if (primitive === null) {
        return false;
    }
    const area = local.reduce((sum, polygon) => sum + footprintArea(polygon), 0);
    const wanted = area * (top - floor);
    // Where a ring touches or crosses itself the roof may differ from the signed area.
    if (!(volume(primitive) > 0) || Math.abs(volume(primitive) - wanted) > 0.05 * wanted + 1) {
        throw new Error(`${name}: volume ${volume(primitive)}, expected ${wanted}`);
    }
    const node = writer.addNode(name, parent, [centre[0], 0, centre[1]], writer.addMesh([primitive]));
    const points = solidPart(local[0]);
    if (points !== null) { // one on the ground has no bottom: nothing shows below it
        const heights = floor > 0 ? { bottom: millimetres(floor), top: millimetres(top) } : { top: millimetres(top) };
        writer.nodes[node].extras = { acre_occluders: [{ points, ...heights }] };
    }
    return true;
}

/** Adds lines or points as one node. @returns whether there was anything to add. */
function addLinesOrPoints(writer, parent, name, feature) {
    const all = feature.kind === 'line' ? feature.lines.flat() : feature.points;
    const centre = placeOf(all);
    const primitives = feature.kind === 'line'
        ? feature.lines.map((line) => strip(around(centre, line))).filter((primitive) => primitive !== null)
        : [dots(around(centre, feature.points))];
    if (primitives.length === 0) {
        return false;
    }
    writer.addNode(name, parent, [centre[0], 0, centre[1]], writer.addMesh(primitives));
    return true;
}

/** A building that crosses a border is in both tiles; the tile that holds its centre keeps it. */
function ownsCentre(polygon, tileSize) {
    return boxCentre(polygon[0]).every((value) => value >= -tileSize / 2 && value < tileSize / 2);
}

function buildSanFrancisco() {
    const tiles = readTiles('sanfrancisco');
    const ground = projection(tiles);
    const writer = new GlbWriter({ version: '2.0', generator: 'acre tools/scenes', copyright: COPYRIGHT });
    const city = writer.addNode('San Francisco', undefined, [0, 0, 0]);
    const counts = { buildings: 0, roads: 0, roadLines: 0, lineStrips: 0 };
    for (const tile of tiles) {
        const parent = writer.addNode(tile.name, city, tileCentre(tile, ground));
        for (const { properties, polygons } of readFeatures(tile, 'building', ground)) {
            const floor = properties.min_height ?? 0;
            const top = properties.height > floor ? properties.height : floor + STOREY;
            for (const polygon of polygons.filter((candidate) => ownsCentre(candidate, ground.tileSize))) {
                const name = `building/${properties.type}/${counts.buildings}`;
                expect(name, addBuilding(writer, parent, name, [polygon], floor, top), true);
                ++counts.buildings;
            }
        }
        for (const feature of readFeatures(tile, 'road', ground)) {
            const name = `road/${feature.properties.class}/${counts.roads++}`;
            expect(name, addLinesOrPoints(writer, parent, name, feature), true);
            if (feature.kind === 'line') {
                ++counts.roadLines;
                counts.lineStrips += writer.meshes.at(-1).primitives.length;
            }
        }
    }
    counts.occluders = writer.nodes.filter(({ extras }) => extras !== undefined).length;
    expect('buildings', counts.buildings, 13077);
    expect('street segments', counts.roads, 561);
    expect('street segments with lines', counts.roadLines, 550);
    expect('line strips', counts.lineStrips, 1232);
    return { bytes: writer.finish(), counts };
}

/** The number in a tag such as "12", "12.5 m" or the range "2-3" (its larger end); 0 if none. */
function tagNumber(tag) {
    const numbers = String(tag ?? '').replaceAll(',', '.').match(/\d+(\.\d+)?/g) ?? [];
    return Math.max(0, ...numbers.map(Number));
}

const ASTANA_KEYS = ['building', 'building:part', 'highway', 'railway', 'waterway', 'power', 'barrier',
    'landuse', 'natural', 'leisure', 'amenity', 'shop', 'tourism', 'man_made', 'office', 'place', 'boundary'];

function astanaName({ properties }) {
    const key = ASTANA_KEYS.find((candidate) => properties[candidate] !== undefined) ?? 'other';
    return `${key}/${properties[key] ?? 'none'}/${properties['@type']} ${properties['@id']}`;
}

/** Heights in metres. Hundreds of storeys are typing errors, so 400 m is the limit. */
function astanaHeights(properties) {
    const tagged = tagNumber(properties.height) || STOREY * tagNumber(properties['building:levels']) || STOREY;
    const floor = tagNumber(properties.min_height) || STOREY * tagNumber(properties['building:min_level']);
    const top = Math.min(tagged, 400);
    return floor < top ? { floor, top } : { floor: 0, top };
}

function addAstanaFeature(writer, parent, feature) {
    const { properties, polygons, kind } = feature;
    const name = astanaName(feature);
    if (kind !== 'polygon') {
        return addLinesOrPoints(writer, parent, name, feature);
    }
    const isBuilding = (properties.building ?? properties['building:part'] ?? 'no') !== 'no';
    const { floor, top } = astanaHeights(properties);
    const centre = placeOf(polygons.flat(2));
    const local = polygons.map((polygon) => polygon.map((ring) => around(centre, ring)));
    const primitive = isBuilding ? extrude(local, floor, top) : flatten(local);
    // A sliver left where a tile border cut a polygon may have no area: its outline remains.
    const primitives = primitive !== null ? [primitive] : [dots(local.flat(2))];
    writer.addNode(name, parent, [centre[0], 0, centre[1]], writer.addMesh(primitives));
    return true;
}

function buildAstana() {
    const tiles = readTiles('osm-qa-astana');
    const ground = projection(tiles);
    const writer = new GlbWriter({ version: '2.0', generator: 'acre tools/scenes', copyright: COPYRIGHT });
    const city = writer.addNode('Astana', undefined, [0, 0, 0]);
    const counts = { features: 0, buildings: 0, lines: 0, points: 0 };
    for (const tile of tiles) {
        const parent = writer.addNode(tile.name, city, tileCentre(tile, ground));
        for (const feature of readFeatures(tile, 'osm', ground)) {
            expect(astanaName(feature), addAstanaFeature(writer, parent, feature), true);
            ++counts.features;
            counts.buildings += feature.kind === 'polygon' && feature.properties.building !== undefined ? 1 : 0;
            counts.lines += feature.kind === 'line' ? 1 : 0;
            counts.points += feature.kind === 'point' ? 1 : 0;
        }
    }
    expect('features', counts.features, 50835);
    expect('buildings', counts.buildings, 32333);
    return { bytes: writer.finish(), counts };
}

const SCENES = {
    san_francisco: { build: buildSanFrancisco, output: resolve(HERE, 'san_francisco.glb') },
    astana: { build: buildAstana, output: resolve(HERE, '../../out/astana.glb') },
};

const [, , name, output] = process.argv;
if (SCENES[name] === undefined) {
    console.error(`usage: node build_scenes.mjs ${Object.keys(SCENES).join('|')} [output.glb]`);
    process.exit(2);
}
const path = output ?? SCENES[name].output;
const { bytes, counts } = SCENES[name].build();
mkdirSync(dirname(path), { recursive: true });
writeFileSync(`${path}.new`, bytes);
renameSync(`${path}.new`, path);
console.log(`${path}: ${bytes.length} bytes, ${JSON.stringify(counts)}`);
