// SPDX-License-Identifier: MIT
// base.h - the vocabulary that every header of Acre shares: result codes, export macros, version.
//
// Knows nothing of boxes, trees or scenes.
//
// Typical use:
//     acre_result result = acre_frustum_from_matrix(&frustum, matrix, ACRE_CLIP_ZERO_TO_ONE);
//     if (result != ACRE_OK) {
//         fprintf(stderr, "frustum: %s\n", acre_result_text(result));
//     }
//
// In all of Acre, pointers must not be NULL where a function does not say what NULL does.
//
// Threading: everything here may be called from any thread.
#ifndef ACRE_BASE_H
#define ACRE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ACRE_EXTERN_C_BEGIN extern "C" {
#define ACRE_EXTERN_C_END }
#else
#define ACRE_EXTERN_C_BEGIN
#define ACRE_EXTERN_C_END
#endif

// Compiler attributes stand here and nowhere else, each with a fallback.
#if defined(__GNUC__) || defined(__clang__)
#define ACRE_API __attribute__((visibility("default")))
#define ACRE_NODISCARD __attribute__((warn_unused_result))
#define ACRE_ALWAYS_INLINE static inline __attribute__((always_inline))
#define ACRE_NEVER_INLINE __attribute__((noinline))
#else
#define ACRE_API
#define ACRE_NODISCARD
#define ACRE_ALWAYS_INLINE static inline
#define ACRE_NEVER_INLINE
#endif

/// Of these headers; acre_version tells that of the linked library.
#define ACRE_VERSION_MAJOR 0
#define ACRE_VERSION_MINOR 1
#define ACRE_VERSION_PATCH 0

ACRE_EXTERN_C_BEGIN

/// What a call answers. After any value but ACRE_OK the object is as it was before the call; a
/// batch refuses single elements and applies the rest.
typedef enum acre_result {
    ACRE_OK = 0,
    ACRE_ERROR_INVALID_ARGUMENT, ///< NaN or inverted box, null pointer, value outside its range
    ACRE_ERROR_OUT_OF_MEMORY,    ///< the allocator returned NULL
    ACRE_ERROR_CAPACITY,         ///< a number above a fixed limit
    ACRE_ERROR_STALE_HANDLE,     ///< null, destroyed or foreign handle
    ACRE_ERROR_EXISTS,           ///< it is there already
    ACRE_ERROR_NOT_FOUND,        ///< it is not there
    ACRE_ERROR_BUSY,             ///< a writer met a reader or another writer
    ACRE_ERROR_IO,               ///< a file could not be read or written
    ACRE_ERROR_FORMAT,           ///< the content of a file, or of an object, breaks its rules
    ACRE_ERROR_NOT_COMMITTED,    ///< the entity was created after the last commit
    ACRE_ERROR_DIFFERS           ///< a replay gave another outcome than its recording
} acre_result;

/// @return a short English sentence without a full stop, never NULL, also for unknown values.
ACRE_API const char *acre_result_text(acre_result result);

/// @return the version of the linked library as (major << 16) | (minor << 8) | patch.
ACRE_API uint32_t acre_version(void);

ACRE_EXTERN_C_END

#endif
