// SPDX-License-Identifier: MIT
// box_array_internal.h - reading the rows of a caller's acre_box_array.
#ifndef ACRE_BOX_ARRAY_INTERNAL_H
#define ACRE_BOX_ARRAY_INTERNAL_H

#include <acre/bounds.h>

#include "assert_internal.h"
#include "float_bits.h"
#include "prefetch_internal.h"

#include <string.h>

/// Whether an array can be read: its form is known, and it has both parts if there are rows.
static inline bool box_array_is_valid(const acre_box_array *boxes, size_t count)
{
    return boxes &&
           (boxes->form == ACRE_BOX_FORM_MIN_MAX || boxes->form == ACRE_BOX_FORM_CENTER_EXTENT) &&
           (count == 0 || (boxes->first && boxes->second));
}

/// The box of a row: with NaN where the row has NaN, empty where a half size is negative.
static inline acre_aabb box_array_row(const acre_box_array *boxes, size_t row)
{
    ACRE_ASSERT(boxes->first && boxes->second);
    acre_aabb box;
    memcpy(box.min, (const unsigned char *)boxes->first + row * boxes->first_stride,
           sizeof box.min);
    memcpy(box.max, (const unsigned char *)boxes->second + row * boxes->second_stride,
           sizeof box.max);
    if (boxes->form == ACRE_BOX_FORM_MIN_MAX) {
        return box;
    }
    const float *const half = box.max;
    const bool is_negative = half[0] < 0.0f || half[1] < 0.0f || half[2] < 0.0f;
    return is_negative ? acre_aabb_empty() : acre_aabb_from_center(box.min, half);
}

static inline bool box_has_nan(const acre_aabb *box)
{
    for (int i = 0; i < 3; i++) {
        if (float_is_nan(box->min[i]) || float_is_nan(box->max[i])) {
            return true;
        }
    }
    return false;
}

/// Prefetches the parts of a row.
static inline void box_array_prefetch(const acre_box_array *boxes, size_t row)
{
    prefetch_line((const unsigned char *)boxes->first + row * boxes->first_stride);
    prefetch_line((const unsigned char *)boxes->second + row * boxes->second_stride + 8);
}

#endif
