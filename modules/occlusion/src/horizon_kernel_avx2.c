// SPDX-License-Identifier: MIT
// horizon_kernel_avx2.c - eight at a time.
#include "horizon_kernel.h"

#include "lanes_eight.h"

#include "horizon_kernel_part.h"

const horizon_kernel acre_horizon_kernel_avx2 = {raise_columns, lay_slab_edge, ask_boxes};
