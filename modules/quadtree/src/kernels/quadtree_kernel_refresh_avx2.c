// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh_avx2.c - refreshes of many items, AVX2.
#include "quadtree_kernel_eight_refresh.h"

const refresh_kernel acre_refresh_kernel_avx2 = {eight_refresh_block, four_refresh_rows};
