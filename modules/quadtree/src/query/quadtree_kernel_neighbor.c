// SPDX-License-Identifier: MIT
// quadtree_kernel_neighbor.c - the kernel for neighbors of each instruction set.
#include "quadtree_kernel_neighbor.h"

KERNEL_TABLE(neighbor);
