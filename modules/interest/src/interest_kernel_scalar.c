// SPDX-License-Identifier: MIT
// interest_kernel_scalar.c - one box at a time: plain C, the reference.
#include "interest_kernel.h"

#include "interest_kernel_loops.h"
#include "lanes_one.h"

#define less_bits(a, b) ((uint32_t)floats_less((a), (b)))
#define not_above_bits(a, b) ((uint32_t)floats_not_above((a), (b)))

#include "interest_kernel_part.h"

const interest_kernel acre_interest_kernel_scalar = {sift_group, sift_rings, list_runs, look_up,
                                                     mark_planes};
