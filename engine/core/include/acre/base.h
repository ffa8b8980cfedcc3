// SPDX-License-Identifier: MIT
// base.h - what every header of Acre shares: result codes, export macros, version.
//
// Stable.
//
// Typical use:
//     acre_result result = acre_frustum_from_matrix(&frustum, matrix, ACRE_CLIP_ZERO_TO_ONE);
//     if (result != ACRE_OK) {
//         fprintf(stderr, "frustum: %s\n", acre_result_text(result));
//     }
//
// Each function is stable or experimental, by the mark that its declaration begins with. The first
// lines of a header say the same, and the page tools/docs/stability.md lists what is stable.
//     ACRE_API                stable: name, signature and meaning stay within a major version
//     ACRE_EXPERIMENTAL_API   it may change, or go, in any minor version; CHANGES says how to adapt
// The release of version 0.3.0 gives this promise. Until then culling and views may still change.
//
// The typical uses at the head of other headers leave out what a program does with results.
//
// Pointers must not be NULL unless the function says what NULL means. For any other NULL a function
// that returns acre_result answers ACRE_ERROR_INVALID_ARGUMENT. This holds in all of Acre.
//
// Threading: any thread may call everything here.
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

// Attributes of compilers that public headers use; each has a fallback.
//
// On Windows a shared library names what it shows, and its users say that they take it from there:
// ACRE_SHARED_BUILD is defined where Acre's files are compiled for a shared library, ACRE_SHARED
// where a program uses one. Acre's CMake targets and acre.pc define both; static libraries define
// neither.
#if defined(_WIN32) && defined(ACRE_SHARED_BUILD)
#define ACRE_API __declspec(dllexport)
#elif defined(_WIN32) && defined(ACRE_SHARED)
#define ACRE_API __declspec(dllimport)
#elif defined(_WIN32)
#define ACRE_API
#elif defined(__GNUC__) || defined(__clang__)
#define ACRE_API __attribute__((visibility("default")))
#else
#define ACRE_API
#endif

// The same linkage for a function that is not stable yet.
#define ACRE_EXPERIMENTAL_API ACRE_API

#if defined(__GNUC__) || defined(__clang__)
#define ACRE_ALWAYS_INLINE static inline __attribute__((always_inline))
#define ACRE_NEVER_INLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define ACRE_ALWAYS_INLINE static __forceinline
#define ACRE_NEVER_INLINE __declspec(noinline)
#else
#define ACRE_ALWAYS_INLINE static inline
#define ACRE_NEVER_INLINE
#endif

// Stands before each function whose result must be read: compilers warn where it is dropped.
// `#define ACRE_NO_NODISCARD` before the first header switches these warnings off.
#if defined(ACRE_NO_NODISCARD)
#define ACRE_NODISCARD
#elif defined(__GNUC__) || defined(__clang__)
#define ACRE_NODISCARD __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define ACRE_NODISCARD _Check_return_ // of sal.h, which comes with stddef.h there
#else
#define ACRE_NODISCARD
#endif

/// Drops the result of a call on purpose, without a warning. An expression of type void:
///     ACRE_IGNORE(acre_entity_destroy(scene, entity)); // it may be gone already
#define ACRE_IGNORE(call) ((void)!(call))

/// The version of these headers; acre_version gives that of the linked library.
#define ACRE_VERSION_MAJOR 0
#define ACRE_VERSION_MINOR 3
#define ACRE_VERSION_PATCH 0

ACRE_EXTERN_C_BEGIN

/// What a call returns; compilers warn where it is dropped. After an error the object is as it was
/// before the call. A batch is different: it refuses single elements and applies the rest. After an
/// error counts are 0, pointers to objects that were to be made are NULL, and handles are null;
/// whatever else a function writes is as before, unless the function says otherwise.
typedef enum acre_result {
    ACRE_OK = 0,
    ACRE_ERROR_INVALID_ARGUMENT, ///< NULL, NaN, an inverted box, a value out of range
    ACRE_ERROR_OUT_OF_MEMORY,    ///< the allocator returned NULL
    ACRE_ERROR_CAPACITY,         ///< more than a fixed limit allows
    ACRE_ERROR_STALE_HANDLE,     ///< a handle that is null, destroyed or of another scene
    ACRE_ERROR_EXISTS,           ///< already there
    ACRE_ERROR_NOT_FOUND,        ///< not there
    ACRE_ERROR_BUSY,             ///< another call is using the object
    ACRE_ERROR_IO,               ///< a file could not be read or written
    ACRE_ERROR_FORMAT,           ///< the content of a file, or of an object, breaks its rules
    ACRE_ERROR_NOT_COMMITTED,    ///< the entity was created after the last commit
    ACRE_ERROR_DIFFERS           ///< a replay gave another outcome than its recording
} acre_result;

/// The rule that an argument of a refused call breaks. In the comments `it` is the argument, or the
/// field or the element of it that is at fault.
typedef enum acre_refusal_rule {
    ACRE_REFUSED_NOTHING = 0,    ///< no argument is at fault: memory is short, or a hook refused
    ACRE_REFUSED_NULL,           ///< it is NULL
    ACRE_REFUSED_NAN,            ///< it is NaN
    ACRE_REFUSED_INFINITE,       ///< it is infinite, and may not be
    ACRE_REFUSED_INVERTED,       ///< a minimum above its maximum
    ACRE_REFUSED_RANGE,          ///< a value, or several together, that the function does not take
    ACRE_REFUSED_ZERO,           ///< a rotation of zeros
    ACRE_REFUSED_UNKNOWN,        ///< bits that the function does not know
    ACRE_REFUSED_CAPACITY,       ///< above a fixed limit
    ACRE_REFUSED_STALE,          ///< a handle that is null, destroyed or of another scene
    ACRE_REFUSED_EXISTS,         ///< it is there already
    ACRE_REFUSED_ABSENT,         ///< it is not there
    ACRE_REFUSED_BUSY,           ///< another call is using the object
    ACRE_REFUSED_NOT_COMMITTED,  ///< an entity that the last commit does not have
    ACRE_REFUSED_NOT_REGISTERED, ///< an entity that is not registered with the culler
    ACRE_REFUSED_NO_BOUNDS,      ///< an entity without bounds
    ACRE_REFUSED_MATRIX,         ///< an entity whose local transform was set as a matrix
    ACRE_REFUSED_CYCLE,          ///< a parent that is the entity itself or below it
    ACRE_REFUSED_NOT_AFFINE,     ///< a matrix whose last row is not 0 0 0 1
    ACRE_REFUSED_EMPTY,          ///< a set that was never found
    ACRE_REFUSED_BROKEN,         ///< an object that breaks its own rules
    ACRE_REFUSED_RISING,         ///< a value above the one before it
    ACRE_REFUSED_MISPLACED,      ///< a field that another function reads, and this one refuses
    ACRE_REFUSED_OUTSIDE,        ///< an eye outside the region of its view's horizon
    ACRE_REFUSED_SHARED,         ///< a view whose horizon is that of another view
    ACRE_REFUSED_COUNT_
} acre_refusal_rule;

/// Why a call, or a row of a batch, was refused.
typedef struct acre_refusal {
    acre_result result;
    uint16_t argument; ///< which argument is at fault, as declared, from 1; 0: none
    uint16_t field;    ///< which field of its struct, as declared, from 1; 0: the argument itself
    uint8_t axis;      ///< which element of a field that is an array, from 0
    uint8_t rule;      ///< an acre_refusal_rule
} acre_refusal;

/// How many rows a call refused, and why the first of them. A call that is no batch has one row, 0.
typedef struct acre_batch_report {
    size_t refused;     ///< number of rows
    size_t first_row;   ///< the first of them
    acre_refusal first; ///< why that row was refused
} acre_batch_report;

// The return type of functions: an acre_result that must be read.
#define ACRE_RESULT ACRE_NODISCARD acre_result

/// @return a short English text without a full stop, also for unknown values; never NULL.
ACRE_API const char *acre_result_text(acre_result result);

/// @return the version of the linked library as (major << 16) | (minor << 8) | patch.
ACRE_API uint32_t acre_version(void);

ACRE_EXTERN_C_END

#endif
