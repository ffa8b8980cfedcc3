// SPDX-License-Identifier: MIT
// interest_kernel_avx512.c - a group at a time: comparisons into mask registers.
#include "interest_kernel.h"

#include <simde/x86/avx512.h>

#include <string.h>

#define LANES 16

typedef simde__m512 floats;

#define floats_load(from) simde_mm512_loadu_ps(from)
#define floats_all(value) simde_mm512_set1_ps(value)
#define floats_sub(a, b) simde_mm512_sub_ps((a), (b))
#define floats_add(a, b) simde_mm512_add_ps((a), (b))
#define floats_mul(a, b) simde_mm512_mul_ps((a), (b))
#define floats_max(a, b) simde_mm512_max_ps((a), (b))
#define less_bits(a, b) ((uint32_t)simde_mm512_cmp_ps_mask((a), (b), SIMDE_CMP_LT_OQ))
#define not_above_bits(a, b) ((uint32_t)simde_mm512_cmp_ps_mask((a), (b), SIMDE_CMP_LE_OQ))

static inline uint32_t same_bits(const uint32_t *items, uint32_t item)
{
    return simde_mm512_cmpeq_epi32_mask(simde_mm512_loadu_si512(items),
                                        simde_mm512_set1_epi32((int32_t)item));
}

static inline uint32_t equal_bits(const uint32_t *a, const uint32_t *b)
{
    return simde_mm512_cmpeq_epi32_mask(simde_mm512_loadu_si512(a), simde_mm512_loadu_si512(b));
}

// Full-width stores: compressing straight to memory is slow.
static inline void append_set_items(const uint32_t *items, uint32_t set, uint32_t *out)
{
    const simde__m512i front =
        simde_mm512_maskz_compress_epi32((simde__mmask16)set, simde_mm512_loadu_si512(items));
    memcpy(out, &front, sizeof front);
}

static inline simde__m128i bytes_of_bits(uint32_t bits)
{
    return simde_mm_movm_epi8((simde__mmask16)bits);
}

#include "interest_kernel_bytes_part.h"
#include "interest_kernel_part.h"

const interest_kernel acre_interest_kernel_avx512 = {sift_group, sift_rings, list_runs, look_up,
                                                     mark_planes};
