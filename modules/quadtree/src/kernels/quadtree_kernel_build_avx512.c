// SPDX-License-Identifier: MIT
// quadtree_kernel_build_avx512.c - places and curve keys, AVX-512.
#include "quadtree_kernel_build_part.h"

BUILD_KERNEL(avx512);
