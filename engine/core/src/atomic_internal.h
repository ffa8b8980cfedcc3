// SPDX-License-Identifier: MIT
// atomic_internal.h - atomic reads and writes of plain words.
//
// Some words are shared between threads in one phase and plain memory in the next, so they have
// plain types, and the calls say which access is atomic. The names end in the order of memory:
// relaxed, acquire, release. MSVC's functions order more than the names ask for.
#ifndef ACRE_ATOMIC_INTERNAL_H
#define ACRE_ATOMIC_INTERNAL_H

#include "compiler_internal.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(COMPILER_IS_MSVC)

#define RELAXED_READ(type, word) (*(const volatile type *)(word))
#define RELAXED_WRITE(type, word, value) (*(volatile type *)(word) = (value))

static inline void atomic_write_release(uint32_t *word, uint32_t value)
{
    (void)_InterlockedExchange((volatile long *)word, (long)value);
}

/// @return the value before.
static inline uint32_t atomic_add_relaxed(uint32_t *word, uint32_t addend)
{
    return (uint32_t)_InterlockedExchangeAdd((volatile long *)word, (long)addend);
}

static inline uint32_t atomic_subtract_release(uint32_t *word, uint32_t subtrahend)
{
    return atomic_add_relaxed(word, 0u - subtrahend);
}

/// Writes the value if the word is as expected; else expected becomes what the word is.
static inline bool atomic_replace_acquire(uint32_t *word, uint32_t *expected, uint32_t value)
{
    const uint32_t seen =
        (uint32_t)_InterlockedCompareExchange((volatile long *)word, (long)value, (long)*expected);
    const bool is_replaced = seen == *expected;
    *expected = seen;
    return is_replaced;
}

static inline bool atomic_replace_relaxed(uint32_t *word, uint32_t *expected, uint32_t value)
{
    return atomic_replace_acquire(word, expected, value);
}

static inline void atomic_or_long_relaxed(uint64_t *word, uint64_t bits)
{
    (void)_InterlockedOr64((volatile __int64 *)word, (__int64)bits);
}

static inline bool atomic_replace_long_relaxed(uint64_t *word, uint64_t *expected, uint64_t value)
{
    const uint64_t seen = (uint64_t)_InterlockedCompareExchange64(
        (volatile __int64 *)word, (__int64)value, (__int64)*expected);
    const bool is_replaced = seen == *expected;
    *expected = seen;
    return is_replaced;
}

#elif defined(COMPILER_IS_GNU)

#define RELAXED_READ(type, word) __atomic_load_n((word), __ATOMIC_RELAXED)
#define RELAXED_WRITE(type, word, value) __atomic_store_n((word), (value), __ATOMIC_RELAXED)

static inline void atomic_write_release(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// @return the value before.
static inline uint32_t atomic_add_relaxed(uint32_t *word, uint32_t addend)
{
    return __atomic_fetch_add(word, addend, __ATOMIC_RELAXED);
}

static inline uint32_t atomic_subtract_release(uint32_t *word, uint32_t subtrahend)
{
    return __atomic_fetch_sub(word, subtrahend, __ATOMIC_RELEASE);
}

/// Writes the value if the word is as expected; else expected becomes what the word is.
static inline bool atomic_replace_acquire(uint32_t *word, uint32_t *expected, uint32_t value)
{
    return __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static inline bool atomic_replace_relaxed(uint32_t *word, uint32_t *expected, uint32_t value)
{
    return __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

static inline void atomic_or_long_relaxed(uint64_t *word, uint64_t bits)
{
    (void)__atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static inline bool atomic_replace_long_relaxed(uint64_t *word, uint64_t *expected, uint64_t value)
{
    return __atomic_compare_exchange_n(word, expected, value, true, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

#else
#error "Acre: atomic_internal.h knows the functions of gcc, clang and MSVC"
#endif

static inline uint32_t atomic_read_relaxed(const uint32_t *word)
{
    return RELAXED_READ(uint32_t, word);
}

static inline void atomic_write_relaxed(uint32_t *word, uint32_t value)
{
    RELAXED_WRITE(uint32_t, word, value);
}

static inline uint64_t atomic_read_long_relaxed(const uint64_t *word)
{
    return RELAXED_READ(uint64_t, word);
}

static inline void atomic_write_long_relaxed(uint64_t *word, uint64_t value)
{
    RELAXED_WRITE(uint64_t, word, value);
}

static inline void atomic_write_bool_relaxed(bool *word, bool value)
{
    RELAXED_WRITE(bool, word, value);
}

/// The word becomes the value if that is less.
static inline void atomic_least_long_relaxed(uint64_t *word, uint64_t value)
{
    uint64_t seen = atomic_read_long_relaxed(word);
    while (value < seen && !atomic_replace_long_relaxed(word, &seen, value)) {
    }
}

#endif
