// SPDX-License-Identifier: MIT
// quadtree_kernel_build_avx2.c - places and curve keys, AVX2.
#include "quadtree_kernel_build_part.h"

BUILD_KERNEL(avx2);
