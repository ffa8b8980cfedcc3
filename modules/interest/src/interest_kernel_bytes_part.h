// SPDX-License-Identifier: MIT
// interest_kernel_bytes_part.h - marks as 16 bytes, for the sets that have parallel bit extraction,
// and bits that are gathered.
#ifndef LANES
#error "interest_kernel_avx2.c and _avx512.c include this behind their vectors"
#endif

#include "compiler_internal.h"
#include "interest_internal.h"

static inline uint32_t eight_of_words(const uint32_t *numbers, const uint64_t *words,
                                      size_t word_count)
{
    simde__m256i eight;
    memcpy(&eight, numbers, sizeof eight);
    const simde__m256i half_word = simde_mm256_srli_epi32(eight, 5); // words as two numbers each
    const simde__m256i is_there =
        simde_mm256_cmpgt_epi32(simde_mm256_set1_epi32((int32_t)(2 * word_count)), half_word);
    const simde__m256i bits = simde_mm256_mask_i32gather_epi32(
        simde_mm256_setzero_si256(), (const int32_t *)(const void *)words, half_word, is_there, 4);
    // The bit that is asked for becomes the highest.
    const simde__m256i above = simde_mm256_andnot_si256(eight, simde_mm256_set1_epi32(31));
    return (uint32_t)simde_mm256_movemask_ps(
        simde_mm256_castsi256_ps(simde_mm256_sllv_epi32(bits, above)));
}

static inline uint32_t set_of_words(const uint32_t *numbers, const uint64_t *words,
                                    size_t word_count)
{
    return eight_of_words(numbers, words, word_count) |
           eight_of_words(numbers + 8, words, word_count) << 8;
}

static inline void append_marks(uint32_t set, const uint32_t *below, uint32_t limits, uint8_t *out)
{
    const simde__m128i inside = bytes_of_bits(extract_lanes(below[LIMIT_ENTER], set));
    simde__m128i marks = simde_mm_and_si128(inside, simde_mm_set1_epi8(MARK_INSIDE));
    for (uint32_t limit = LIMIT_BANDS; limit < limits; limit++) {
        // A byte of all bits is -1.
        marks = simde_mm_sub_epi8(marks, bytes_of_bits(extract_lanes(~below[limit], set)));
    }
    memcpy(out, &marks, sizeof marks);
}
