// SPDX-License-Identifier: MIT
// quadtree_kernel.c - the kernels that there are, and the one that a tree uses.
#include "quadtree_kernel.h"

#include "kernel_internal.h"

static const tree_kernel *const kernels[ACRE_KERNEL_COUNT_] = {
    [ACRE_KERNEL_SCALAR] = &acre_kernel_scalar,
#ifdef ACRE_HAS_KERNEL_SSE4
    [ACRE_KERNEL_SSE4] = &acre_kernel_sse4,
#endif
#ifdef ACRE_HAS_KERNEL_AVX
    [ACRE_KERNEL_AVX2] = &acre_kernel_avx2,
    [ACRE_KERNEL_AVX512] = &acre_kernel_avx512,
#endif
};

const tree_kernel *acre_kernel_choose(acre_kernel wanted, acre_kernel *chosen)
{
    uint32_t built = 0;
    for (uint32_t kernel = 0; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        built |= (uint32_t)(kernels[kernel] != NULL) << kernel;
    }
    *chosen = acre_kernel_pick(wanted, built);
    return kernels[*chosen];
}
