// SPDX-License-Identifier: MIT
// base.c - result texts and version; the one demand on how floats are evaluated.
#include <acre/base.h>

#include <float.h>

// Registers wider than a float would round differently from kernel to kernel.
// 16: only half floats may be evaluated as wider ones (gcc's GNU C for processors with
// AVX512-FP16).
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "Acre needs float arithmetic without excess precision. gcc on 32-bit x86: compile "
               "with -msse2 -mfpmath=sse. gcc with -std=c17 on s390x: -fexcess-precision=fast");

const char *acre_result_text(acre_result result)
{
    static const char *const texts[] = {
        [ACRE_OK] = "no error",
        [ACRE_ERROR_INVALID_ARGUMENT] = "invalid argument",
        [ACRE_ERROR_OUT_OF_MEMORY] = "out of memory",
        [ACRE_ERROR_CAPACITY] = "number above a fixed capacity",
        [ACRE_ERROR_STALE_HANDLE] = "null, destroyed or foreign handle",
        [ACRE_ERROR_EXISTS] = "it exists already",
        [ACRE_ERROR_NOT_FOUND] = "it is not there",
        [ACRE_ERROR_BUSY] = "object is in use by another call",
        [ACRE_ERROR_IO] = "file could not be read or written",
        [ACRE_ERROR_FORMAT] = "content is broken",
        [ACRE_ERROR_NOT_COMMITTED] = "not committed yet",
        [ACRE_ERROR_DIFFERS] = "replay differs from its recording",
    };
    return (size_t)result < sizeof texts / sizeof texts[0] ? texts[result] : "unknown result";
}

uint32_t acre_version(void)
{
    return (ACRE_VERSION_MAJOR << 16) | (ACRE_VERSION_MINOR << 8) | ACRE_VERSION_PATCH;
}
