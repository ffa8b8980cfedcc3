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
    switch (result) {
    case ACRE_OK:
        return "no error";
    case ACRE_ERROR_INVALID_ARGUMENT:
        return "invalid argument";
    case ACRE_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case ACRE_ERROR_CAPACITY:
        return "number above a fixed capacity";
    case ACRE_ERROR_STALE_HANDLE:
        return "null, destroyed or foreign handle";
    case ACRE_ERROR_EXISTS:
        return "it exists already";
    case ACRE_ERROR_NOT_FOUND:
        return "it is not there";
    case ACRE_ERROR_BUSY:
        return "object is in use by another call";
    case ACRE_ERROR_IO:
        return "file could not be read or written";
    case ACRE_ERROR_FORMAT:
        return "content is broken";
    case ACRE_ERROR_NOT_COMMITTED:
        return "not committed yet";
    case ACRE_ERROR_DIFFERS:
        return "replay differs from its recording";
    }
    return "unknown result";
}

uint32_t acre_version(void)
{
    return (ACRE_VERSION_MAJOR << 16) | (ACRE_VERSION_MINOR << 8) | ACRE_VERSION_PATCH;
}
