// SPDX-License-Identifier: MIT
// quadtree_kernel_shape.c - the kernel for queries of any volume of each instruction set.
#include "quadtree_kernel_shape.h"

KERNEL_TABLE(shape);
