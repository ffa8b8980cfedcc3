// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor_sse4.c - neighbors, four lanes.
#include "quadtree_kernel_sse4.h"

#include "quadtree_kernel_neighbor_part.h"

NEIGHBOR_KERNEL(sse4);
