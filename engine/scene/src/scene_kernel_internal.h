// SPDX-License-Identifier: MIT
// scene_kernel_internal.h - what commit does with many rows at a time, for one instruction set.
//
// All kernels return the bits of scene_math_internal.h: same operations in the same order, no FMA.
// A row moves 157 bytes: 48 of the local transform and 24 of the local box are read, 48 of the
// world matrix and 24 of the world box written, 13 are its slot, parent, bits and list entry; a
// parent's world is read as well.
#ifndef ACRE_SCENE_KERNEL_INTERNAL_H
#define ACRE_SCENE_KERNEL_INTERNAL_H

#include "scene_internal.h"

/// The columns that a kernel reads and writes.
typedef struct scene_arrays {
    const local_row *locals;
    const acre_aabb *boxes;
    const uint32_t *row_slot, *row_parent;
    world_row *worlds;
    acre_aabb *world_boxes; ///< by slot
} scene_arrays;

struct scene_kernel {
    /// Computes worlds and world boxes of count rows, of which none is another's parent; their
    /// parents' worlds are done. Every local box is taken for finite and not empty: the caller
    /// replaces the world boxes of the others.
    void (*compute_rows)(const scene_arrays *arrays, const uint32_t *rows, uint32_t count);

    /// Computes 64 rows without parents, first and those behind it. next_follows: the next 64 rows
    /// will be computed next.
    void (*compute_word)(const scene_arrays *arrays, uint32_t first, bool next_follows);
};

extern const scene_kernel acre_scene_kernel_scalar, acre_scene_kernel_sse4, acre_scene_kernel_avx2,
    acre_scene_kernel_avx512;

/// The kernel that a def asks for, as kernel_internal.h decides. @return NULL if it cannot be had.
const scene_kernel *acre_scene_kernel_choose(acre_kernel wanted);

#endif
