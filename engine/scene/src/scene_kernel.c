// SPDX-License-Identifier: MIT
// scene_kernel.c - the kernels that there are, and the one that a scene uses.
#include "scene_kernel_internal.h"

#include "kernel_internal.h"

static const scene_kernel *const kernels[ACRE_KERNEL_COUNT_] = {
    [ACRE_KERNEL_SCALAR] = &acre_scene_kernel_scalar,
#ifdef ACRE_HAS_KERNEL_SSE4
    [ACRE_KERNEL_SSE4] = &acre_scene_kernel_sse4,
#endif
#ifdef ACRE_HAS_KERNEL_AVX2
    [ACRE_KERNEL_AVX2] = &acre_scene_kernel_avx2,
#endif
#ifdef ACRE_HAS_KERNEL_AVX512
    [ACRE_KERNEL_AVX512] = &acre_scene_kernel_avx512,
#endif
};

const scene_kernel *acre_scene_kernel_choose(acre_kernel wanted)
{
    uint32_t built = 0;
    for (uint32_t kernel = 0; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        built |= (uint32_t)(kernels[kernel] != NULL) << kernel;
    }
    return kernels[acre_kernel_pick(wanted, built)];
}
