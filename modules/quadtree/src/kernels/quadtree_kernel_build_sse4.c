// SPDX-License-Identifier: MIT
// quadtree_kernel_build_sse4.c - places and curve keys, four lanes.
#include "quadtree_kernel_build_part.h"

BUILD_KERNEL(sse4);
