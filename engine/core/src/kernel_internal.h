// SPDX-License-Identifier: MIT
// kernel_internal.h - the choice among the kernels that a library was built with.
#ifndef ACRE_KERNEL_INTERNAL_H
#define ACRE_KERNEL_INTERNAL_H

#include <acre/kernel.h>

/// The kernel to use: the wanted one, or for ACRE_KERNEL_DEFAULT the one that the environment
/// variable ACRE_KERNEL names, if it can be had, else the widest. built has bit 1 << kernel for
/// each that there is. @return ACRE_KERNEL_DEFAULT if the wanted one was not built or the processor
/// lacks it.
acre_kernel acre_kernel_pick(acre_kernel wanted, uint32_t built);

#endif
