// SPDX-License-Identifier: MIT
// view_squares.c - distances and extents of the boxes of many slots, four at a time.
#include "view_find_internal.h"

#ifdef ACRE_HAS_LANES_FOUR
#include "lanes_four.h"
#else
#include "lanes_one.h"
#endif

// Rows: min, max of x, y, z.
typedef struct box_rows {
    float row[6][VIEW_BLOCK];
} box_rows;

// What lies behind the last box is measured as well, and means nothing.
static void gather(const view_rules *rules, const uint32_t *slots, size_t count, box_rows *out)
{
    for (size_t i = 0; i < VIEW_BLOCK; i++) {
        const acre_aabb *const box = view_box(rules, slots[i < count ? i : 0]);
        for (int k = 0; k < 3; k++) {
            out->row[2 * k][i] = box->min[k];
            out->row[2 * k + 1][i] = box->max[k];
        }
    }
}

static inline floats square_of_gap(const float *row, floats eye)
{
    const floats below = floats_sub(floats_load(row), eye);
    const floats above = floats_sub(eye, floats_load(row + VIEW_BLOCK));
    const floats gap = floats_max(floats_max(below, above), floats_all(0.0f));
    return floats_mul(gap, gap);
}

static inline floats square_of_extent(const float *row)
{
    const floats extent = floats_sub(floats_load(row + VIEW_BLOCK), floats_load(row));
    return floats_mul(extent, extent);
}

void acre_view_measure_block(const view_rules *rules, const uint32_t *slots, size_t count,
                             size_t ahead, view_block *out)
{
    for (size_t i = count; i < ahead && i < 2 * VIEW_BLOCK; i++) {
        view_prefetch(rules, slots[i]);
    }
    box_rows boxes;
    gather(rules, slots, count, &boxes);
    floats eye[3];
    for (int k = 0; k < 3; k++) {
        eye[k] = floats_all(rules->scale.eye[k]);
    }
    for (int i = 0; i < VIEW_BLOCK; i += LANES) {
        const floats dx = square_of_gap(&boxes.row[0][i], eye[0]);
        const floats dy = square_of_gap(&boxes.row[2][i], eye[1]);
        const floats dz = square_of_gap(&boxes.row[4][i], eye[2]);
        floats_store(out->distance2 + i, floats_add(floats_add(dx, dy), dz));
        const floats ex = square_of_extent(&boxes.row[0][i]);
        const floats ey = square_of_extent(&boxes.row[2][i]);
        const floats ez = square_of_extent(&boxes.row[4][i]);
        floats_store(out->extent2 + i, floats_add(floats_add(ex, ey), ez));
    }
}
