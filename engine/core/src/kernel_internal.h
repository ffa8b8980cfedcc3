// SPDX-License-Identifier: MIT
// kernel_internal.h - the kernels that a library was built with, and the choice among them.
#ifndef ACRE_KERNEL_INTERNAL_H
#define ACRE_KERNEL_INTERNAL_H

#include <acre/kernel.h>

/// The kernel to use: the wanted one, or for ACRE_KERNEL_DEFAULT the one that the environment
/// variable ACRE_KERNEL names, if it can be had, else the widest. built has bit 1 << kernel for
/// each that there is. @return ACRE_KERNEL_DEFAULT if the wanted one was not built or the processor
/// lacks it.
acre_kernel acre_kernel_pick(acre_kernel wanted, uint32_t built);

// The sets that are compiled in, as acre_kernel_pick takes them.
enum {
    BUILT_KERNELS = 1 << ACRE_KERNEL_SCALAR
#ifdef ACRE_HAS_KERNEL_SSE4
                    | 1 << ACRE_KERNEL_SSE4
#endif
#ifdef ACRE_HAS_KERNEL_AVX2
                    | 1 << ACRE_KERNEL_AVX2
#endif
#ifdef ACRE_HAS_KERNEL_AVX512
                    | 1 << ACRE_KERNEL_AVX512
#endif
};

// A table is asked by what acre_kernel_pick answers; it has NULL for ACRE_KERNEL_DEFAULT.

// Declares the instances of a question's kernel for each instruction set, and their table.
#define DECLARE_KERNELS(question)                                                                  \
    extern const question##_kernel acre_##question##_kernel_scalar;                                \
    extern const question##_kernel acre_##question##_kernel_sse4;                                  \
    extern const question##_kernel acre_##question##_kernel_avx2;                                  \
    extern const question##_kernel acre_##question##_kernel_avx512;                                \
    extern const question##_kernel *const acre_##question##_kernels[ACRE_KERNEL_COUNT_];

#ifdef ACRE_HAS_KERNEL_SSE4
#define KERNEL_SSE4(question) [ACRE_KERNEL_SSE4] = &acre_##question##_kernel_sse4,
#else
#define KERNEL_SSE4(question)
#endif
#ifdef ACRE_HAS_KERNEL_AVX2
#define KERNEL_AVX2(question) [ACRE_KERNEL_AVX2] = &acre_##question##_kernel_avx2,
#else
#define KERNEL_AVX2(question)
#endif
#ifdef ACRE_HAS_KERNEL_AVX512
#define KERNEL_AVX512(question) [ACRE_KERNEL_AVX512] = &acre_##question##_kernel_avx512,
#else
#define KERNEL_AVX512(question)
#endif

// Defines the table: the instance of each set that is compiled in.
#define KERNEL_TABLE(question)                                                                     \
    const question##_kernel *const acre_##question##_kernels[ACRE_KERNEL_COUNT_] = {               \
        [ACRE_KERNEL_SCALAR] = &acre_##question##_kernel_scalar,                                   \
        KERNEL_SSE4(question) KERNEL_AVX2(question) KERNEL_AVX512(question)}

#endif
