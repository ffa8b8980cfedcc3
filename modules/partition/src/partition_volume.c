// SPDX-License-Identifier: MIT
// partition_volume.c - volumes of questions: copies, moves, bounds on the ground.
#include "partition_volume.h"

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"
#include "shape_internal.h"

#include <math.h>
#include <string.h>

// ---- copies ----

size_t acre_volume_size(acre_query_shape shape)
{
    const volume_kind kind = volume_kind_of(shape);
    return kind.name ? kind.size : SIZE_MAX;
}

bool acre_volume_copy(partition_volume *out, const acre_query *query)
{
    const volume_kind kind = volume_kind_of(query->shape);
    const void *const volume = volume_of_query(query);
    if (!kind.name || (kind.field && !volume)) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->shape = query->shape;
    out->flags = query->flags;
    out->max_distance = query->max_distance;
    if (volume) {
        memcpy(&out->data, volume, kind.size);
    }
    out->has_origin = query->origin != NULL;
    out->has_exclude = query->exclude != NULL;
    if (query->origin) {
        out->origin = *query->origin;
    }
    if (query->exclude) {
        out->exclude = *query->exclude;
    }
    return true;
}

acre_query acre_volume_query(const partition_volume *volume)
{
    acre_query query = {.shape = volume->shape,
                        .flags = volume->flags,
                        .max_distance = volume->max_distance,
                        .origin = volume->has_origin ? &volume->origin : NULL,
                        .exclude = volume->has_exclude ? &volume->exclude : NULL};
    set_volume_of_query(&query, &volume->data);
    return query;
}

// ---- moves ----

static void move_frustum(acre_frustum *frustum, float x, float z)
{
    for (uint32_t i = 0; i < frustum_plane_count(frustum); i++) {
        float *const plane = frustum->planes[i];
        plane[3] = (float)((double)plane[3] -
                           ((double)plane[0] * (double)x + (double)plane[2] * (double)z));
    }
}

partition_volume acre_volume_moved(const partition_volume *volume, float x, float z)
{
    partition_volume moved = *volume;
    float *at = moved.data.values;
    for (const char *letter = volume_kind_of(volume->shape).layout; *letter; letter++) {
        if (*letter == 'p' || *letter == 'q') {
            at[0] += x;
            at[*letter == 'p' ? 2 : 1] += z;
        }
        at += SHAPE_LAYOUT_FLOATS(*letter);
    }
    if (volume->shape == ACRE_QUERY_SHAPE_FRUSTUM) {
        move_frustum(&moved.data.frustum, x, z);
    }
    for (int edge = 0; edge < 2; edge++) {
        float *const corner = edge ? moved.origin.max : moved.origin.min;
        corner[0] += x;
        corner[2] += z;
    }
    move_frustum(&moved.exclude, x, z);
    return moved;
}

// ---- bounds ----

// A query tests the bounds of its prepared shape, too, so that it finds nothing outside them.
acre_aabb acre_volume_bounds(const partition_volume *volume)
{
    prepared_shape shape;
    switch (volume->shape) {
#define X(SHAPE, name, type, layout)                                                               \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        acre_prepare_##name(&shape, &volume->data.name);                                           \
        return shape.bounds;
        SHAPE_LIST(X)
#undef X
    case ACRE_QUERY_SHAPE_AABB:
        return volume->data.box;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        return (acre_aabb){{volume->data.point[0], 0, volume->data.point[2]},
                           {volume->data.point[0], 0, volume->data.point[2]}};
    case ACRE_QUERY_SHAPE_FRUSTUM: // its test finds boxes outside, near its edges
    case ACRE_QUERY_SHAPE_ALL:
        break;
    }
    return (acre_aabb){{-INFINITY, 0, -INFINITY}, {INFINITY, 0, INFINITY}};
}

// With a margin that is wider than the doubt of distances: 2^-12 of them, and 2^-20 of the distance
// from the world's origin.
acre_aabb acre_volume_within(const acre_aabb *origin, float distance)
{
    acre_aabb box = {{0, 0, 0}, {0, 0, 0}};
    for (int axis = 0; axis < 3; axis += 2) {
        const double low = (double)origin->min[axis] - (double)distance;
        const double high = (double)origin->max[axis] + (double)distance;
        const double far = fmax(fabs(low), fabs(high));
        const double margin = 0x1p-12 * (double)distance + 0x1p-20 * far + 0x1p-50;
        const bool is_known = isfinite(margin);
        box.min[axis] = is_known ? float_round_down(low - margin) : -INFINITY;
        box.max[axis] = is_known ? float_round_up(high + margin) : INFINITY;
        ACRE_INVARIANT(box.min[axis] <= box.max[axis]);
    }
    return box;
}
