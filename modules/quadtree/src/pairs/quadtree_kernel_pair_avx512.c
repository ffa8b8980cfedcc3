// SPDX-License-Identifier: MIT
// quadtree_kernel_pair_avx512.c - pairs, AVX-512.
#include "quadtree_kernel_avx512.h"
#include "quadtree_kernel_eight_pair_part.h"
#include "quadtree_kernel_pair_part.h"

PAIR_KERNEL(avx512);
