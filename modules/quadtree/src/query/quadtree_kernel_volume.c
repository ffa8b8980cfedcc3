// SPDX-License-Identifier: MIT
// quadtree_kernel_volume.c - the kernel for queries of planes and of a box of each instruction set.
#include "quadtree_kernel_volume.h"

KERNEL_TABLE(volume);
