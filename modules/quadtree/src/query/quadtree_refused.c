// SPDX-License-Identifier: MIT
// quadtree_refused.c - the fields of a query, for the texts of refused calls.
#include "quadtree_walk.h"
#include "refusal_internal.h"
#include "shape_list.h"

#define ARRAY_FLAGS (QUERY_FLAGS | ACRE_QUERY_SORTED | ACRE_QUERY_STOP_WHEN_FULL)

// The pointer to a volume, and the floats that it points to: read if the query has that shape.
#define GIVEN(number, SHAPE, name)                                                                 \
    {                                                                                              \
#name, number, offsetof(acre_query, name), 0, 1, FIELD_PRESENT, ACRE_QUERY_SHAPE_##SHAPE   \
    }
#define FLOATS(number, SHAPE, name, floats)                                                        \
    {                                                                                              \
#name, number, 0, offsetof(acre_query, name) + 1, floats, FIELD_NUMBER,                    \
            ACRE_QUERY_SHAPE_##SHAPE                                                               \
    }
#define LISTED(SHAPE, name, type, layout)                                                          \
    GIVEN(ACRE_QUERY_SHAPE_##SHAPE + 2, SHAPE, name),                                              \
        FLOATS(ACRE_QUERY_SHAPE_##SHAPE + 2, SHAPE, name, sizeof(type) / 4),
#define OF(number, name, type, field, test, shape)                                                 \
    REFUSED_FIELD_OF(acre_query, number, name, type, field, test, shape)

// One list, of which each function has a part: acre_refused_query all before the second flags,
// acre_refused_visit from max_distance to these, acre_refused_nearest from shape to the end.
static const refused_field query_fields[] = {
    REFUSED_FIELD(acre_query, 5, flags, FIELD_BITS, ARRAY_FLAGS),
    REFUSED_FIELD(acre_query, 16, max_distance, FIELD_UNUSED, 0),
    REFUSED_FIELD(acre_query, 1, shape, FIELD_ENUM, ACRE_QUERY_SHAPE_RAY),
    GIVEN(2, FRUSTUM, frustum),
    OF(2, frustum, acre_frustum, planes, FIELD_PLANES, ACRE_QUERY_SHAPE_FRUSTUM),
    OF(14, exclude, acre_frustum, planes, FIELD_PLANES, 0),
    GIVEN(3, AABB, box),
    OF(3, box, acre_aabb, min, FIELD_NUMBER, ACRE_QUERY_SHAPE_AABB),
    OF(3, box, acre_aabb, max, FIELD_NUMBER, ACRE_QUERY_SHAPE_AABB),
    OF(3, box, acre_aabb, min, FIELD_BELOW_MAX, ACRE_QUERY_SHAPE_AABB),
    GIVEN(7, POINT, point),
    FLOATS(7, POINT, point, 3),
    GIVEN(7, GROUND_POINT, point),
    FLOATS(7, GROUND_POINT, point, 3),
    SHAPE_LIST(LISTED)
    // Of functions that write no array of items.
    REFUSED_FIELD(acre_query, 5, flags, FIELD_BITS, QUERY_FLAGS),
    // Of acre_quadtree_query_nearest alone.
    REFUSED_FIELD(acre_query, 16, max_distance, FIELD_LIMIT, 0),
    OF(15, origin, acre_aabb, min, FIELD_NUMBER, 0),
    OF(15, origin, acre_aabb, max, FIELD_NUMBER, 0),
    OF(15, origin, acre_aabb, min, FIELD_BELOW_MAX, 0),
    REFUSED_FIELD(acre_query, 15, origin, FIELD_PRESENT, 0),
};
#undef GIVEN
#undef FLOATS
#undef LISTED
#undef OF
enum { FIELDS_OF_NEAREST = 5, QUERY_FIELDS = sizeof query_fields / sizeof query_fields[0] };

const refused_struct acre_refused_query = {sizeof(acre_query), QUERY_FIELDS - FIELDS_OF_NEAREST - 1,
                                           query_fields};
const refused_struct acre_refused_visit = {sizeof(acre_query), QUERY_FIELDS - FIELDS_OF_NEAREST - 1,
                                           query_fields + 1};
const refused_struct acre_refused_nearest = {sizeof(acre_query), QUERY_FIELDS - 2,
                                             query_fields + 2};
