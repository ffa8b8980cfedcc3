// SPDX-License-Identifier: MIT
// scene_kernel_internal.h - what commit does with many rows at a time, for one instruction set.
//
// All kernels return the bits of scene_math_internal.h: same operations in the same order, no FMA.
// A row reads 72 bytes (its line of input and its head) and writes 76 (world matrix, world box and
// the slot in a list); with a parent it reads that one's matrix as well.
#ifndef ACRE_SCENE_KERNEL_INTERNAL_H
#define ACRE_SCENE_KERNEL_INTERNAL_H

#include "kernel_internal.h"
#include "scene_internal.h"

/// The arrays that a kernel reads and writes.
typedef struct scene_arrays {
    const row_head *heads;
    const local_row *locals;
    const affine *matrices;
    affine *worlds;
    acre_aabb *world_boxes; ///< by slot
    bool streams_worlds;    ///< there are so many rows that stores past the caches pay
} scene_arrays;

struct scene_kernel {
    /// Computes worlds and world boxes of count rows. None of them is another's parent, and their
    /// parents' worlds are done. It takes every local box for finite and not empty: the caller
    /// replaces the world boxes of the others.
    void (*compute_rows)(const scene_arrays *arrays, const uint32_t *rows, uint32_t count);

    /// Computes rows first to first + 63, all of them transforms without parents.
    /// @param next_follows whether the 64 rows behind them will be computed next.
    void (*compute_word)(const scene_arrays *arrays, uint32_t first, bool next_follows);
};

DECLARE_KERNELS(scene)

#endif
