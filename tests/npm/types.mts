// SPDX-License-Identifier: MIT
// types.mts - a program that the package's types accept, and lines that they refuse.
import {load, Tree, Culler, Horizon, AcreError, type Clip} from 'acre-culling';
import {AcreInstancedMesh, AcreScene} from 'acre-culling/three';
import {Box3, BoxGeometry, Group, Matrix4, MeshBasicMaterial, PerspectiveCamera, Ray, Vector3} from 'three';
import {load as loadInline} from 'acre-culling/inline';

const acre = await load({simd: false});
const tree = new Tree(acre, {halfSize: 100});
tree.insert(1, [0, 0, 0, 1, 1, 1]);
const ids: Uint32Array = tree.queryBox([0, 0, 0, 1, 1, 1], {sorted: true});
const clip: Clip = '0..1';
const culler = new Culler(acre);
const entity: number = culler.create({translation: [1, 2, 3], isStatic: true});
const mesh = new AcreInstancedMesh(acre, new BoxGeometry(), new MeshBasicMaterial(), 10);
const drawn: number = mesh.cull(new PerspectiveCamera()) + mesh.cull([new PerspectiveCamera()]);
const rows: number[] = mesh.addInstances(2, (row: number) => mesh.setMatrixAt(row, new Matrix4()));
mesh.removeInstances(...rows).clearInstances();
mesh.addAttribute('opacity', 1).setAttributeAt(0, 'opacity', 0.5).setVisibilityAt(0, !mesh.getVisibilityAt(0));
const atLevel: number[] = mesh.levels.map(({mesh: {count}}) => count);
const world = new AcreScene(acre, new Group(), {halfSize: 64, autoSync: false});
const listed: number = world.sync().refresh(world).stats.listed;
tree.insert(2, new Box3());
tree.queryRay(new Ray(), {length: 4});
tree.nearest(new Vector3(), 1);
tree.queryFrustum(new Matrix4(), {horizon: new Horizon(acre, {region: new Vector3()})});
tree.setOccluders(2, [new Box3(), {points: [[0, 0], [1, 0], [0, 1]], top: 3}, {points: [0, 0, 1, 0, 0, 1], bottom: 0, top: 3}]);
const hidden: number | undefined = mesh.setOccluders([]).horizon?.stats.dropped;
// @ts-expect-error: a prism has a top
tree.setOccluders(2, [{points: [0, 0, 1, 0, 0, 1]}]);
await loadInline();
// @ts-expect-error: no such option
new AcreInstancedMesh(acre, new BoxGeometry(), new MeshBasicMaterial(), 10, {halfsize: 4});
const code = (error: AcreError): string => error.code;
// @ts-expect-error: the package exports no such class
import {Searched} from 'acre-culling';
// @ts-expect-error: only Acre makes errors
const error = new AcreError('text');
// @ts-expect-error: an item is a number
tree.insert('1', [0, 0, 0, 1, 1, 1]);
// @ts-expect-error: no such clip
tree.queryFrustum([], {clip: 'opengl'});
console.log(atLevel, hidden, ids, clip, entity, drawn, code, error, listed, Searched);
