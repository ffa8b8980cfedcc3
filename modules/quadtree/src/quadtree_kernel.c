// SPDX-License-Identifier: MIT
// quadtree_kernel.c - which kernel a tree uses: asked for, or what the processor can.
#include "quadtree_kernel.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const tree_kernel *kernel;
} kernels[] = {
    [ACRE_KERNEL_SCALAR] = {"scalar", &acre_kernel_scalar},
#ifdef ACRE_HAS_KERNEL_SSE4
    [ACRE_KERNEL_SSE4] = {"sse4", &acre_kernel_sse4},
#endif
#ifdef ACRE_HAS_KERNEL_AVX
    [ACRE_KERNEL_AVX2] = {"avx2", &acre_kernel_avx2},
    [ACRE_KERNEL_AVX512] = {"avx512", &acre_kernel_avx512},
#endif
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static bool processor_has(acre_kernel kernel)
{
#ifdef ACRE_HAS_KERNEL_AVX
    switch (kernel) {
    case ACRE_KERNEL_SSE4:
        return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
    case ACRE_KERNEL_AVX2:
        return __builtin_cpu_supports("avx2");
    case ACRE_KERNEL_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    default:
        return true;
    }
#else
    (void)kernel; // SSE4.1's shape is compiled to what the processor has anyway
    return true;
#endif
}

static bool is_usable(uint32_t kernel)
{
    return kernel < KERNELS && kernels[kernel].kernel && processor_has((acre_kernel)kernel);
}

// An unknown name counts as none.
static uint32_t from_environment(void)
{
    const char *const name = getenv("ACRE_KERNEL");
    for (uint32_t i = 1; name && i < KERNELS; i++) {
        if (kernels[i].name && strcmp(kernels[i].name, name) == 0 && is_usable(i)) {
            return i;
        }
    }
    return ACRE_KERNEL_DEFAULT;
}

const tree_kernel *acre_kernel_choose(acre_kernel wanted, acre_kernel *chosen)
{
    uint32_t kernel = (uint32_t)wanted;
    if (kernel == ACRE_KERNEL_DEFAULT) {
        kernel = from_environment();
    }
    for (uint32_t i = KERNELS; kernel == ACRE_KERNEL_DEFAULT && i-- > 1;) {
        kernel = is_usable(i) ? i : kernel;
    }
    *chosen = (acre_kernel)kernel;
    return is_usable(kernel) ? kernels[kernel].kernel : NULL;
}
