// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor_avx512.c - neighbors, AVX-512.
#include "quadtree_kernel_avx512.h"

#include "quadtree_kernel_neighbor_part.h"

NEIGHBOR_KERNEL(avx512);
