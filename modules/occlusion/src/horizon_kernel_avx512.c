// SPDX-License-Identifier: MIT
// horizon_kernel_avx512.c - eight at a time: a block has eight boxes, and most of them touch few
// columns.
#include "horizon_kernel.h"

#include "lanes_eight.h"

#include "horizon_kernel_part.h"

const horizon_kernel acre_horizon_kernel_avx512 = {raise_columns, lay_slab_edge, ask_boxes};
