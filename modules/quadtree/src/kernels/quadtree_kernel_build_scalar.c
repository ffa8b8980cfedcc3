// SPDX-License-Identifier: MIT
// quadtree_kernel_build_scalar.c - places and curve keys, scalar.
#include "quadtree_kernel_build_part.h"

BUILD_KERNEL(scalar);
