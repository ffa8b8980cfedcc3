// SPDX-License-Identifier: MIT
// interest_kernel_avx2.c - eight boxes at a time; a table brings the lanes of a set to the front.
#include "interest_kernel.h"

#include "compiler_internal.h"

#include <simde/x86/avx2.h>

#include <string.h>

#define LANES 8

typedef simde__m256 floats;

static inline floats floats_load(const float *from)
{
    return simde_mm256_loadu_ps(from);
}

#define floats_all(value) simde_mm256_set1_ps(value)
#define floats_sub(a, b) simde_mm256_sub_ps((a), (b))
#define floats_add(a, b) simde_mm256_add_ps((a), (b))
#define floats_mul(a, b) simde_mm256_mul_ps((a), (b))
#define floats_max(a, b) simde_mm256_max_ps((a), (b))
#define less_bits(a, b)                                                                            \
    ((uint32_t)simde_mm256_movemask_ps(simde_mm256_cmp_ps((a), (b), SIMDE_CMP_LT_OQ)))
#define not_above_bits(a, b)                                                                       \
    ((uint32_t)simde_mm256_movemask_ps(simde_mm256_cmp_ps((a), (b), SIMDE_CMP_LE_OQ)))

static inline simde__m256i load_eight_items(const uint32_t *items)
{
    simde__m256i eight;
    memcpy(&eight, items, sizeof eight);
    return eight;
}

static inline uint32_t bits_of_eights(simde__m256i low, simde__m256i high)
{
    return (uint32_t)simde_mm256_movemask_ps(simde_mm256_castsi256_ps(low)) |
           (uint32_t)simde_mm256_movemask_ps(simde_mm256_castsi256_ps(high)) << 8;
}

static inline uint32_t same_bits(const uint32_t *items, uint32_t item)
{
    const simde__m256i wanted = simde_mm256_set1_epi32((int32_t)item);
    return bits_of_eights(simde_mm256_cmpeq_epi32(load_eight_items(items), wanted),
                          simde_mm256_cmpeq_epi32(load_eight_items(items + 8), wanted));
}

static inline uint32_t equal_bits(const uint32_t *a, const uint32_t *b)
{
    return bits_of_eights(
        simde_mm256_cmpeq_epi32(load_eight_items(a), load_eight_items(b)),
        simde_mm256_cmpeq_epi32(load_eight_items(a + 8), load_eight_items(b + 8)));
}

// For each set of eight lanes its members in ascending order, a byte each, the first one lowest.
#define LANES_0(members) members
#define LANES_1(members) LANES_0(members), LANES_0((members) << 8)
#define LANES_2(members) LANES_1(members), LANES_1((members) << 8 | 1)
#define LANES_3(members) LANES_2(members), LANES_2((members) << 8 | 2)
#define LANES_4(members) LANES_3(members), LANES_3((members) << 8 | 3)
#define LANES_5(members) LANES_4(members), LANES_4((members) << 8 | 4)
#define LANES_6(members) LANES_5(members), LANES_5((members) << 8 | 5)
#define LANES_7(members) LANES_6(members), LANES_6((members) << 8 | 6)
static const uint64_t lanes_of_set[256] = {LANES_7(UINT64_C(0)), LANES_7(UINT64_C(7))};

static inline void append_half(const uint32_t *items, uint32_t set, uint32_t *out)
{
    const simde__m128i order =
        simde_mm_loadl_epi64((const simde__m128i *)(const void *)&lanes_of_set[set]);
    const simde__m256i front =
        simde_mm256_permutevar8x32_epi32(load_eight_items(items), simde_mm256_cvtepu8_epi32(order));
    memcpy(out, &front, sizeof front);
}

static inline void append_set_items(const uint32_t *items, uint32_t set, uint32_t *out)
{
    append_half(items, set & 255, out);
    append_half(items + 8, set >> 8 & 255, out + lane_count(set & 255));
}

// 16 bytes of all bits or none.
static inline simde__m128i bytes_of_bits(uint32_t bits)
{
    const simde__m128i order = simde_mm_set_epi64x(0x0101010101010101, 0);
    const simde__m128i bit = simde_mm_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
    const simde__m128i spread = simde_mm_shuffle_epi8(simde_mm_cvtsi32_si128((int)bits), order);
    return simde_mm_cmpeq_epi8(simde_mm_and_si128(spread, bit), bit);
}

#include "interest_kernel_bytes_part.h"
#include "interest_kernel_part.h"

const interest_kernel acre_interest_kernel_avx2 = {sift_group, sift_rings, list_runs, look_up,
                                                   mark_planes};
