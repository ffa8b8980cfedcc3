// SPDX-License-Identifier: MIT
// quadtree_kernel_pair_avx2.c - pairs, AVX2.
#include "quadtree_kernel_avx2.h"
#include "quadtree_kernel_eight_pair_part.h"
#include "quadtree_kernel_pair_part.h"

PAIR_KERNEL(avx2);
