// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor_avx2.c - neighbors, AVX2.
#include "quadtree_kernel_avx2.h"

#include "quadtree_kernel_neighbor_part.h"

NEIGHBOR_KERNEL(avx2);
