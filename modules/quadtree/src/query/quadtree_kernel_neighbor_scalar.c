// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor_scalar.c - neighbors, scalar.
#include "quadtree_kernel_scalar_near.h"

#include "quadtree_kernel_neighbor_part.h"

NEIGHBOR_KERNEL(scalar);
