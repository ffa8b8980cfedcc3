// SPDX-License-Identifier: MIT
// interest_kernel.c - the kernels of interests by instruction set.
#include "interest_kernel.h"

KERNEL_TABLE(interest);
