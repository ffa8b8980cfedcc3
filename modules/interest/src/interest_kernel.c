// SPDX-License-Identifier: MIT
// interest_kernel.c - the kernels that there are, and the one that an interest uses.
#include "interest_kernel.h"

#include "kernel_internal.h"

static const interest_kernel *const interest_kernels[ACRE_KERNEL_COUNT_] = {
    [ACRE_KERNEL_SCALAR] = &acre_interest_kernel_scalar,
#ifdef ACRE_HAS_KERNEL_SSE4
    [ACRE_KERNEL_SSE4] = &acre_interest_kernel_sse4,
#endif
#ifdef ACRE_HAS_KERNEL_AVX2
    [ACRE_KERNEL_AVX2] = &acre_interest_kernel_avx2,
#endif
#ifdef ACRE_HAS_KERNEL_AVX512
    [ACRE_KERNEL_AVX512] = &acre_interest_kernel_avx512,
#endif
};

const interest_kernel *acre_interest_kernel_choose(acre_kernel wanted)
{
    uint32_t built = 0;
    for (uint32_t kernel = 0; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        built |= (uint32_t)(interest_kernels[kernel] != NULL) << kernel;
    }
    return interest_kernels[acre_kernel_pick(wanted, built)];
}
