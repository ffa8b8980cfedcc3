// SPDX-License-Identifier: MIT
// quadtree_shapes_shared.h - volumes of queries as values: how large they are, what they consist
// of, from a query and back.
//
// For modules that keep queries or send them. A new shape in shape_list.h is known here as well.
#ifndef ACRE_QUADTREE_SHAPES_SHARED_H
#define ACRE_QUADTREE_SHAPES_SHARED_H

#include <acre/quadtree_query.h>

#include "shape_list.h"

typedef float volume_point[3];

// All volumes: rows as in shape_list.h. A frustum has no layout, as its planes are counted.
#define QUERY_SHAPES(X)                                                                            \
    X(FRUSTUM, frustum, acre_frustum, "")                                                          \
    X(AABB, box, acre_aabb, "pp")                                                                  \
    X(POINT, point, volume_point, "p")                                                             \
    X(GROUND_POINT, point, volume_point, "p")                                                      \
    SHAPE_LIST(X)

typedef union volume_values {
    acre_frustum frustum;
    acre_aabb box;
    volume_point point;
#define X(SHAPE, name, type, layout) type name;
    SHAPE_LIST(X)
#undef X
    float values[sizeof(acre_frustum) / sizeof(float)];
} volume_values;

#define X(SHAPE, name, type, layout)                                                               \
    _Static_assert(sizeof(type) <= sizeof(acre_frustum), "the values cover every shape");
QUERY_SHAPES(X)
#undef X

// What is known of a volume by its kind.
typedef struct volume_kind {
    const char *name;  // of the kind, without its prefix; NULL: unknown
    const char *field; // of acre_query; NULL: it needs none
    const char *type;
    const char *layout; // as in shape_list.h
    size_t size;        // bytes
} volume_kind;

static inline volume_kind volume_kind_of(acre_query_shape kind)
{
    switch (kind) {
#define X(SHAPE, name, type, layout)                                                               \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        return (volume_kind){#SHAPE, #name, #type, layout, sizeof(type)};
        QUERY_SHAPES(X)
#undef X
    case ACRE_QUERY_SHAPE_ALL:
        return (volume_kind){"ALL", NULL, NULL, "", 0};
    }
    return (volume_kind){.name = NULL};
}

// @return the volume of a query, which is NULL where the program set none, and for all items.
static inline const void *volume_of_query(const acre_query *query)
{
    switch (query->shape) {
#define X(SHAPE, name, type, layout)                                                               \
    case ACRE_QUERY_SHAPE_##SHAPE:                                                                 \
        return query->name;
        QUERY_SHAPES(X)
#undef X
    case ACRE_QUERY_SHAPE_ALL:
        break;
    }
    return NULL;
}

// Makes a query have a volume of any kind; it reads the field of its own shape alone.
static inline void set_volume_of_query(acre_query *query, const volume_values *volume)
{
    const void *const any = volume;
#define X(SHAPE, name, type, layout) query->name = any;
    QUERY_SHAPES(X)
#undef X
}

#endif
