// SPDX-License-Identifier: MIT
// kernel.h - the instruction sets that Acre's inner loops are written for.
//
// All kernels give the same results, bit for bit; they differ in speed alone.
//
// Typical use:
//     acre_scene_def def = {.kernel = ACRE_KERNEL_AVX2};
//
// Threading: everything here may be called from any thread.
#ifndef ACRE_KERNEL_H
#define ACRE_KERNEL_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

typedef enum acre_kernel {
    ACRE_KERNEL_DEFAULT = 0, ///< what the environment variable ACRE_KERNEL names ("scalar", "sse4",
                             ///< "avx2", "avx512"), else the widest that the processor has
    ACRE_KERNEL_SCALAR,      ///< plain C, always there
    ACRE_KERNEL_SSE4,        ///< four lanes: SSE4.1, NEON, WebAssembly
    ACRE_KERNEL_AVX2,        ///< eight lanes
    ACRE_KERNEL_AVX512,      ///< sixteen lanes: AVX-512 F, VL, BW and DQ
    ACRE_KERNEL_COUNT_
} acre_kernel;

/// @return the name as the environment variable has it; "default" for anything else. Never NULL.
ACRE_API const char *acre_kernel_name(acre_kernel kernel);

ACRE_EXTERN_C_END

#endif
