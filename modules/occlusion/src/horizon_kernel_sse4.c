// SPDX-License-Identifier: MIT
// horizon_kernel_sse4.c - four at a time: SSE4.1, and through SIMDe NEON and WebAssembly.
#include "horizon_kernel.h"

#include "lanes_four.h"

#include "horizon_kernel_part.h"

const horizon_kernel acre_horizon_kernel_sse4 = {raise_columns, lay_slab_edge, ask_boxes};
