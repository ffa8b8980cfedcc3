// SPDX-License-Identifier: MIT
// quadtree_kernel_refresh.c - the kernel for refreshes of many items of each instruction set.
#include "quadtree_kernel_refresh.h"

KERNEL_TABLE(refresh);
