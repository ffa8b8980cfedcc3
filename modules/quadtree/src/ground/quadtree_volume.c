// SPDX-License-Identifier: MIT
// quadtree_volume.c - the volume of a query, in the form that kernels test.
#include "quadtree_volume.h"

#include <math.h>

uint32_t acre_prepare_planes(query_volume *volume, const acre_frustum *frustum)
{
    const uint32_t count = frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum->plane_count
                                                                          : ACRE_FRUSTUM_MAX_PLANES;
    volume->plane_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const float *const from = frustum->planes[i];
        query_plane *const plane = &volume->planes[i];
        bool is_finite = fabsf(from[3]) <= FLT_MAX; // false for NaN
        for (uint32_t axis = 0; axis < 3; axis++) {
            plane->normal[axis] = from[axis];
            plane->far_row[axis] = (uint8_t)(axis * 2 + (from[axis] >= 0.0f));
            is_finite &= fabsf(from[axis]) <= FLT_MAX;
        }
        plane->d = from[3];
        plane->bounds_d = is_finite ? from[3] : NAN;
    }
    if (count % 2 != 0) { // kernels test two planes at a time
        volume->planes[count] = (query_plane){.bounds_d = NAN};
    }
    return (1u << count) - 1;
}

void acre_prepare_round(query_volume *volume, const acre_query *query)
{
    ACRE_INVARIANT(is_round_shape(query->shape));
    if (query->shape == ACRE_QUERY_SHAPE_SPHERE) {
        volume->round = shape_round_of(query->sphere->center, query->sphere->radius);
    } else {
        const float *const place = query->circle->center;
        const float center[3] = {place[0], 0.0f, place[1]};
        volume->round = shape_round_of(center, query->circle->radius);
    }
}

// The next float above a number. Where the program reads denormals as 0, the next that is not read
// as the number itself.
static float next_above(float value)
{
    const float next = nextafterf(value, INFINITY);
    return next > value ? next : FLT_MIN;
}

bool acre_open_box(row_box *box, uint32_t axes)
{
    bool is_possible = true;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const float low = box->row[axis * 2], high = box->row[axis * 2 + 1];
        if (axes >> axis & 1) {
            is_possible &= low < INFINITY && high > -INFINITY;
            box->row[axis * 2] = next_above(low);
            box->row[axis * 2 + 1] = -next_above(-high);
        }
    }
    return is_possible;
}

static row_box rows_of_box(const acre_aabb *box)
{
    row_box rows;
    const bool is_valid = rows_from_aabb(&rows, box);
    ACRE_INVARIANT(is_valid);
    (void)is_valid;
    return rows;
}

static acre_aabb point_box(const float *point, bool is_on_ground)
{
    const float low = is_on_ground ? -INFINITY : point[1];
    const float high = is_on_ground ? INFINITY : point[1];
    return (acre_aabb){{point[0], low, point[2]}, {point[0], high, point[2]}};
}

// Sets the parts of the shape. Returns their mask.
static uint32_t prepare_parts(query_volume *volume, const acre_query *query)
{
    acre_aabb box;
    prepared_shape shape;
    volume->plane_count = 0;
    switch (query->shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        return acre_prepare_planes(volume, query->frustum);
    case ACRE_QUERY_SHAPE_ALL:
        return 0;
    case ACRE_QUERY_SHAPE_AABB:
        volume->box = rows_of_box(query->box);
        return MASK_BOX;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        box = point_box(query->point, query->shape == ACRE_QUERY_SHAPE_GROUND_POINT);
        volume->box = rows_of_box(&box);
        return MASK_BOX;
#define X(SHAPE, name, type, layout)                                                               \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        acre_prepare_##name(&shape, query->name);                                                  \
        break;
        SHAPE_LIST(X)
#undef X
    }
    if (query->shape == ACRE_QUERY_SHAPE_ORIENTED_BOX && (query->flags & ACRE_QUERY_EXACT)) {
        acre_prepare_edges(&shape, query->oriented_box);
    }
    volume->box = rows_of_box(&shape.bounds);
    uint32_t mask = acre_prepare_planes(volume, &shape.planes) | MASK_BOX;
    if (shape.parts & SHAPE_HAS_BALL) {
        volume->ball = shape.ball;
        mask |= MASK_BALL;
    }
    if (is_round_shape(query->shape)) {
        acre_prepare_round(volume, query);
    }
    if (shape.parts & SHAPE_HAS_SLAB) {
        volume->slab = shape.slab;
        mask |= MASK_SLAB;
    }
    if (shape.parts & SHAPE_HAS_EDGES) {
        volume->edges = shape.edges;
        mask |= MASK_EDGES;
    }
    return mask;
}

uint32_t acre_prepare_volume(query_volume *volume, query_volume *excluded, const acre_query *query)
{
    uint32_t mask = prepare_parts(volume, query);
    ACRE_INVARIANT(!(mask & MASK_EXCLUDED));
    volume->excluded = NULL;
    if ((query->flags & ACRE_QUERY_NOT_TOUCHING) &&
        !acre_open_box(&volume->box, query_open_axes(query))) {
        volume->excluded = excluded; // without planes everything touches it
        volume->excluded_mask = acre_prepare_planes(excluded, &(acre_frustum){.plane_count = 0});
        volume->excludes_touching = true;
        mask |= MASK_EXCLUDED;
    } else if (query->exclude) {
        volume->excluded = excluded;
        volume->excluded_mask = acre_prepare_planes(excluded, query->exclude);
        volume->excludes_touching = query->flags & ACRE_QUERY_EXCLUDE_TOUCHING;
        mask |= MASK_EXCLUDED;
    }
    if (query->origin) { // only the nearest is measured from it, and asks for a valid one
        (void)rows_from_aabb(&volume->origin, query->origin);
    }
    return mask;
}
