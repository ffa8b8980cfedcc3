// SPDX-License-Identifier: MIT
// compiler_internal.h - what C has no words for: bits of a word, prefetches, the processor's sets.
//
// Compilers have own names for these. Their names stand here, in atomic_internal.h and in
// acre/base.h, and nowhere else in the libraries. gcc and clang, and clang-cl, share a branch; MSVC
// has its own, written from its documentation. MinGW has the functions of that branch, too: with
// ACRE_USE_MSVC_FUNCTIONS the tests run them. MSVC itself and clang-cl have not compiled it yet.
#ifndef ACRE_COMPILER_INTERNAL_H
#define ACRE_COMPILER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(ACRE_USE_MSVC_FUNCTIONS) || (defined(_MSC_VER) && !defined(__clang__))
#define COMPILER_IS_MSVC
#include <intrin.h>
#if !defined(_WIN64)
#error "Acre: MSVC for 32 bits lacks atomics of 64 bits"
#endif
#elif defined(__GNUC__) || defined(__clang__)
#define COMPILER_IS_GNU
#endif

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#define PROCESSOR_IS_X86
#endif

// Before a static function of a header that not every file calls: no warning. `inline` would do
// that too, but gcc inlines such functions more often.
#if defined(__GNUC__) || defined(__clang__)
#define ACRE_MAY_BE_UNUSED __attribute__((unused))
#else
#define ACRE_MAY_BE_UNUSED
#endif

// Before a variable of which each thread has its own. MSVC's C has no word of the language for it,
// and MinGW takes no other.
#if defined(_MSC_VER) && !defined(__clang__)
#define ACRE_THREAD_LOCAL __declspec(thread)
#else
#define ACRE_THREAD_LOCAL _Thread_local
#endif

// The alignment of the C library's heap. MSVC's headers for C have no max_align_t.
#if defined(COMPILER_IS_MSVC)
#define NATURAL_ALIGNMENT 16
#else
#define NATURAL_ALIGNMENT _Alignof(max_align_t)
#endif

// The position of the lowest bit that is set. At least one bit must be set.
static inline uint32_t compiler_lowest_bit(uint64_t bits)
{
#if defined(COMPILER_IS_MSVC)
    unsigned long position = 0;
    (void)_BitScanForward64(&position, bits);
    return (uint32_t)position;
#elif defined(COMPILER_IS_GNU)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t position = 0;
    while (!(bits >> position & 1)) {
        position++;
    }
    return position;
#endif
}

// Prefetches the cache line of an address, which may be any address at all.
static inline void compiler_prefetch(const void *address)
{
#if defined(COMPILER_IS_MSVC) && defined(PROCESSOR_IS_X86)
    _mm_prefetch((const char *)address, _MM_HINT_T0);
#elif defined(COMPILER_IS_MSVC)
    __prefetch(address);
#elif defined(COMPILER_IS_GNU)
    __builtin_prefetch(address);
    __asm__ volatile(""); // without it GCC 12 drops calls of functions that only prefetch
#else
    (void)address;
#endif
}

// ---- for kernels, whose files are compiled for processors that have the instruction ----

// The number of lanes in a set.
static inline uint32_t lane_count(uint32_t set)
{
#if defined(COMPILER_IS_MSVC) && defined(__AVX2__)
    return (uint32_t)__popcnt(set);
#elif defined(COMPILER_IS_GNU)
    return (uint32_t)__builtin_popcount(set);
#else
    uint32_t count = 0;
    for (; set; set &= set - 1) {
        count++;
    }
    return count;
#endif
}

// The bits of a word at the places of a set, brought together at the low end.
static inline uint32_t extract_lanes(uint32_t bits, uint32_t set)
{
#if defined(COMPILER_IS_MSVC) && defined(__AVX2__)
    return (uint32_t)_pext_u32(bits, set);
#elif defined(COMPILER_IS_GNU) && defined(__BMI2__)
    return (uint32_t)__builtin_ia32_pext_si(bits, set);
#else
    uint32_t extracted = 0, place = 0;
    for (; set; set &= set - 1) {
        extracted |= (bits >> compiler_lowest_bit(set) & 1) << place++;
    }
    return extracted;
#endif
}

// ---- what the processor has beside its vectors' names is what kernels are compiled for ----

#if defined(PROCESSOR_IS_X86) && defined(COMPILER_IS_MSVC)

// Whether the operating system keeps these parts of the registers: XCR0.
static inline bool system_keeps(int features, uint64_t parts)
{
    return (features >> 27 & 1) && ((uint64_t)_xgetbv(0) & parts) == parts;
}

static inline bool has_bits(int word, uint32_t bits)
{
    return ((uint32_t)word & bits) == bits;
}

static inline bool processor_has_sse4(void)
{
    int one[4];
    __cpuid(one, 1);
    return has_bits(one[2], UINT32_C(1) << 9 | UINT32_C(1) << 19); // SSSE3, SSE4.1
}

// What CPUID's leaf 7 says in EBX; 0 without that leaf.
static inline int leaf_seven(void)
{
    int leaf[4];
    __cpuid(leaf, 0);
    if (leaf[0] < 7) {
        return 0;
    }
    __cpuidex(leaf, 7, 0);
    return leaf[1];
}

static inline bool processor_has_avx2(void)
{
    int one[4];
    __cpuid(one, 1);
    const uint32_t avx2 = UINT32_C(1) << 5, bmi = UINT32_C(1) << 3, bmi2 = UINT32_C(1) << 8;
    return system_keeps(one[2], 0x6) && has_bits(leaf_seven(), avx2 | bmi | bmi2);
}

static inline bool processor_has_avx512(void)
{
    int one[4];
    __cpuid(one, 1);
    const uint32_t f = UINT32_C(1) << 16, dq = UINT32_C(1) << 17, bw = UINT32_C(1) << 30,
                   vl = UINT32_C(1) << 31;
    return processor_has_avx2() && system_keeps(one[2], 0xe6) &&
           has_bits(leaf_seven(), f | dq | bw | vl);
}

#elif defined(PROCESSOR_IS_X86) && defined(COMPILER_IS_GNU)

static inline bool processor_has_sse4(void)
{
    return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

static inline bool processor_has_avx2(void)
{
    // Every processor with AVX2 has these operations on bits, but for some emulated ones.
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("avx2");
}

static inline bool processor_has_avx512(void)
{
    return processor_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq");
}

#else

// Elsewhere than on x86 the four lanes are compiled to what the processor has.
static inline bool processor_has_sse4(void)
{
    return true;
}

static inline bool processor_has_avx2(void)
{
    return false;
}

static inline bool processor_has_avx512(void)
{
    return false;
}

#endif

#endif
