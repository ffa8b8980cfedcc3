// SPDX-License-Identifier: MIT
// kernel.h - the instruction sets that Acre's inner loops are written for.
//
// Experimental: it may change in any minor version.
//
// All kernels give the same results, bit for bit. They differ in speed alone.
//
// Typical use:
//     acre_scene_def def = {.kernel = ACRE_KERNEL_AVX2};
//
// Threading: any thread may call everything here.
#ifndef ACRE_KERNEL_H
#define ACRE_KERNEL_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

typedef enum acre_kernel {
    ACRE_KERNEL_DEFAULT = 0, ///< the kernel that the environment variable ACRE_KERNEL names
                             ///< ("scalar", "sse4", "avx2", "avx512"), else the widest that the
                             ///< processor has
    ACRE_KERNEL_SCALAR,      ///< plain C; always there
    ACRE_KERNEL_SSE4,        ///< four lanes: SSE4.1, NEON, WebAssembly
    ACRE_KERNEL_AVX2,        ///< eight lanes
    ACRE_KERNEL_AVX512,      ///< sixteen lanes: AVX-512 F, VL, BW and DQ
    ACRE_KERNEL_COUNT_
} acre_kernel;

/// @return the name that ACRE_KERNEL takes; "default" for any other value; never NULL.
ACRE_EXPERIMENTAL_API const char *acre_kernel_name(acre_kernel kernel);

ACRE_EXTERN_C_END

#endif
