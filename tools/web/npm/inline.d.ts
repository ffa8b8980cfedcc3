// SPDX-License-Identifier: MIT
// inline.d.ts - Acre with its module in the text, its types.
import { Acre } from './acre.js';
export { Acre, AcreError, Tree, Culler, Instances, Interest, VisibleSet, castersOf } from './acre.js';

/** Makes an Acre with a memory of its own. Throws where the engine has no SIMD. */
export function load(options?: Record<string, never>): Promise<Acre>;
