// SPDX-License-Identifier: MIT
// interest_kernel_sse4.c - four boxes at a time: SSE4.1, and through SIMDe NEON and WebAssembly.
#include "interest_kernel.h"

#include "interest_kernel_loops.h"
#include "lanes_four.h"

#define less_bits(a, b) choice_bits(floats_less((a), (b)))
#define not_above_bits(a, b) choice_bits(floats_not_above((a), (b)))

#include "interest_kernel_part.h"

const interest_kernel acre_interest_kernel_sse4 = {sift_group, sift_rings, list_runs, look_up,
                                                   mark_planes};
