// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh_avx512.c - refreshes of many items, AVX-512.
#include "quadtree_kernel_eight_refresh.h"

const refresh_kernel acre_refresh_kernel_avx512 = {eight_refresh_block, four_refresh_rows};
