// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh_sse4.c - refreshes of many items, four lanes.
#include "quadtree_kernel_four_refresh.h"

const refresh_kernel acre_refresh_kernel_sse4 = {four_refresh_block, four_refresh_rows};
