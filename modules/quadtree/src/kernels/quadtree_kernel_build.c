// SPDX-License-Identifier: MIT
// quadtree_kernel_build.c - the kernel for places and curve keys of each instruction set.
#include "quadtree_kernel_build.h"

KERNEL_TABLE(build);
