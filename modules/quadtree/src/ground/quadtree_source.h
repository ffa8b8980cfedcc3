// SPDX-License-Identifier: MIT
// quadtree_source.h - reading the caller's boxes, for kernels and batches.
#ifndef ACRE_QUADTREE_SOURCE_H
#define ACRE_QUADTREE_SOURCE_H

#include "quadtree_internal.h"

#include <string.h>

// The caller's boxes, as an acre_box_array says, and the layers of new items.
typedef struct box_source {
    const unsigned char *first, *second;
    size_t first_stride, second_stride;
    bool is_centered; // the parts are middle and half size
    bool is_joined;   // each second part begins where its first part ends, so both are read as one
    const uint32_t *layers; // by row; NULL: all
} box_source;

static inline box_source source_from_array(const acre_box_array *boxes)
{
    const unsigned char *const first = boxes->first, *const second = boxes->second;
    return (box_source){.first = first,
                        .second = second,
                        .first_stride = boxes->first_stride,
                        .second_stride = boxes->second_stride,
                        .is_centered = boxes->form == ACRE_BOX_FORM_CENTER_EXTENT,
                        .is_joined = first && second == first + 3 * sizeof(float) &&
                                     boxes->first_stride == boxes->second_stride};
}

static inline box_source source_from_aabbs(const acre_aabb *boxes)
{
    return source_from_array(&(acre_box_array){.first = boxes,
                                               .second = boxes ? boxes->max : NULL,
                                               .first_stride = sizeof *boxes,
                                               .second_stride = sizeof *boxes});
}

// Reads a row. A half size that is negative or NaN makes the box invalid.
static inline row_box source_rows(const box_source *source, size_t row)
{
    float first[3], second[3];
    memcpy(first, source->first + row * source->first_stride, sizeof first);
    memcpy(second, source->second + row * source->second_stride, sizeof second);
    row_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.row[axis * 2] = first[axis];
        box.row[axis * 2 + 1] = second[axis];
    }
    for (int axis = 0; source->is_centered && axis < 3; axis++) {
        const bool is_size = second[axis] >= 0.0f;
        box.row[axis * 2] = is_size ? first[axis] - second[axis] : FLT_MAX;
        box.row[axis * 2 + 1] = is_size ? first[axis] + second[axis] : -FLT_MAX;
    }
    return box;
}

// The layers of a row's new item.
static inline uint32_t source_layers(const box_source *source, size_t row)
{
    return source->layers && source->layers[row] ? source->layers[row] : UINT32_MAX;
}

// Prefetches both ends of a row's parts: one in four boxes of an array lies on two lines.
static inline void prefetch_row(const box_source *source, size_t row)
{
    const uintptr_t first = (uintptr_t)source->first + row * source->first_stride;
    const uintptr_t second = (uintptr_t)source->second + row * source->second_stride;
    prefetch_line((const void *)first);
    prefetch_line((const void *)(second + 2 * sizeof(float)));
    if (!source->is_joined) {
        prefetch_line((const void *)(first + 2 * sizeof(float)));
        prefetch_line((const void *)second);
    }
}

// Prefetches the rows of 16 ids. Slots behind a block's items hold ids of no meaning, which do no
// harm.
static inline void prefetch_rows(const box_source *source, const uint32_t *ids)
{
    for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
        prefetch_row(source, ids[slot]);
    }
}

#endif
