// SPDX-License-Identifier: MIT
// interest_kernel_bytes_part.h - marks as 16 bytes, for the sets that have parallel bit extraction.
#include "compiler_internal.h"
#include "interest_internal.h"

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
