// SPDX-License-Identifier: MIT
// scene_kernel.c - the kernels of scenes by instruction set.
#include "scene_kernel_internal.h"

KERNEL_TABLE(scene);
