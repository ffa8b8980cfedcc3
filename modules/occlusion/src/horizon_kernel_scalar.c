// SPDX-License-Identifier: MIT
// horizon_kernel_scalar.c - one column and one box at a time: plain C, the reference.
#include "horizon_kernel.h"

#include "lanes_one.h"

#include "horizon_kernel_part.h"

const horizon_kernel acre_horizon_kernel_scalar = {raise_columns, lay_slab_edge, ask_boxes};
