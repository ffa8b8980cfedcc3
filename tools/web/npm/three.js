// SPDX-License-Identifier: MIT
// three.js - Acre for three.js.
export {AcreInstancedMesh} from './three_instanced.js';
export {AcreBatchedMesh} from './three_batched.js';
export {AcreScene} from './three_scene.js';
