// SPDX-License-Identifier: MIT
// horizon_kernel.c - the kernels of horizons by instruction set.
#include "horizon_kernel.h"

KERNEL_TABLE(horizon);
