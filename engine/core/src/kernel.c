// SPDX-License-Identifier: MIT
// kernel.c - names of instruction sets, what the processor can, and the choice.
#include "kernel_internal.h"

#include "assert_internal.h"
#include "compiler_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[ACRE_KERNEL_COUNT_] = {
    [ACRE_KERNEL_DEFAULT] = "default", [ACRE_KERNEL_SCALAR] = "scalar", [ACRE_KERNEL_SSE4] = "sse4",
    [ACRE_KERNEL_AVX2] = "avx2",       [ACRE_KERNEL_AVX512] = "avx512",
};

const char *acre_kernel_name(acre_kernel kernel)
{
    return (uint32_t)kernel < ACRE_KERNEL_COUNT_ ? names[kernel] : names[ACRE_KERNEL_DEFAULT];
}

static bool processor_has(uint32_t kernel)
{
    switch (kernel) {
    case ACRE_KERNEL_SSE4:
        return processor_has_sse4();
    case ACRE_KERNEL_AVX2:
        return processor_has_avx2();
    case ACRE_KERNEL_AVX512:
        return processor_has_avx512();
    default:
        return true;
    }
}

static bool is_usable(uint32_t kernel, uint32_t built)
{
    return kernel > ACRE_KERNEL_DEFAULT && kernel < ACRE_KERNEL_COUNT_ && (built >> kernel & 1) &&
           processor_has(kernel);
}

acre_kernel acre_kernel_pick(acre_kernel wanted, uint32_t built)
{
    if (wanted != ACRE_KERNEL_DEFAULT) {
        return is_usable((uint32_t)wanted, built) ? wanted : ACRE_KERNEL_DEFAULT;
    }
    const char *const name = getenv("ACRE_KERNEL");
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; name && kernel < ACRE_KERNEL_COUNT_; kernel++) {
        if (strcmp(name, names[kernel]) == 0 && is_usable(kernel, built)) {
            return (acre_kernel)kernel;
        }
    }
    ACRE_INVARIANT(is_usable(ACRE_KERNEL_SCALAR, built));
    uint32_t widest = ACRE_KERNEL_AVX512;
    while (widest > ACRE_KERNEL_SCALAR && !is_usable(widest, built)) {
        widest--;
    }
    return (acre_kernel)widest;
}
