// SPDX-License-Identifier: MIT
// quadtree_kernel_pair.c - the kernel for pairs of each instruction set.
#include "quadtree_kernel_pair.h"

KERNEL_TABLE(pair);
