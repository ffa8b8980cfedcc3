// SPDX-License-Identifier: MIT
// quadtree_kernel_shape_avx512.c - queries of any volume, AVX-512.
#include "quadtree_kernel_avx512.h"

#include "quadtree_kernel_shape_part.h"

SHAPE_KERNEL(avx512);
