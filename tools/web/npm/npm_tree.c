// SPDX-License-Identifier: MIT
// npm_tree.c - the quadtree as scripts call it: numbers and pointers instead of structs.
#include "npm_export.h"
#include "npm_query.h"
#include <acre/quadtree.h>
#include <acre/refusal.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(acre_aabb) == 24, "core.js writes boxes as six floats");
static_assert(sizeof(acre_sphere) == 16 && sizeof(acre_capsule) == 28 && sizeof(acre_cone) == 32 &&
                  sizeof(acre_ray) == 40 && sizeof(acre_oriented_box) == 60,
              "core.js writes shapes as floats without gaps");
static_assert(sizeof(acre_frustum) == 260, "core.js writes sixteen planes and their number");
static_assert(sizeof(acre_query_hit) == 8, "core.js reads hits as pairs");

// Memory that a script fills or reads. A size of 0 frees the block.
void *NPM_EXPORT(npm_resize)(void *block, size_t size)
{
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

const char *NPM_EXPORT(npm_result_text)(acre_result result)
{
    return acre_result_text(result);
}

// What the last refused call said, without the name of the C function.
static char refusal_text[240];
static acre_result refusal_result;

static void keep_refusal(void *user, const acre_refused_call *call)
{
    (void)user;
    const char *const text = call->text + strlen(call->function) + 2; // ": "
    const size_t length = strlen(text) < sizeof refusal_text ? strlen(text) : 0;
    memcpy(refusal_text, text, length);
    refusal_text[length] = '\0';
    refusal_result = call->report.first.result;
}

void NPM_EXPORT(npm_keep_refusals)(void)
{
    acre_set_refusal_handler(keep_refusal, NULL);
}

// Why a call was refused that answered this result; if nobody said, the result's own text.
const char *NPM_EXPORT(npm_refusal)(acre_result result)
{
    const bool is_kept = refusal_result == result && refusal_text[0] != '\0';
    refusal_result = ACRE_OK; // said once
    return is_kept ? refusal_text : acre_result_text(result);
}

uint32_t NPM_EXPORT(npm_version)(void)
{
    return acre_version();
}

acre_result NPM_EXPORT(npm_frustum)(acre_frustum *out, const double *view_projection,
                                    acre_clip clip)
{
    return acre_frustum_from_matrix_double(out, view_projection, clip);
}

acre_result NPM_EXPORT(npm_tree_create)(float x, float z, float half_size, uint32_t max_depth,
                                        uint32_t node_capacity, uint32_t item_capacity,
                                        acre_quadtree **out)
{
    const acre_quadtree_def def = {.center = {x, z},
                                   .half_size = half_size,
                                   .max_depth = max_depth,
                                   .node_capacity = node_capacity,
                                   .item_capacity = item_capacity};
    return acre_quadtree_create(&def, out);
}

void NPM_EXPORT(npm_tree_destroy)(acre_quadtree *tree)
{
    acre_quadtree_destroy(tree);
}

acre_result NPM_EXPORT(npm_tree_insert)(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    return acre_quadtree_insert(tree, item, box);
}

acre_result NPM_EXPORT(npm_tree_insert_many)(acre_quadtree *tree, const uint32_t *items,
                                             const acre_aabb *boxes, size_t count)
{
    return acre_quadtree_insert_many(tree, items, boxes, count);
}

acre_result NPM_EXPORT(npm_tree_refresh)(acre_quadtree *tree, uint32_t item, const acre_aabb *box)
{
    return acre_quadtree_refresh(tree, item, box);
}

acre_result NPM_EXPORT(npm_tree_refresh_many)(acre_quadtree *tree, const uint32_t *items,
                                              const acre_aabb *boxes, size_t count)
{
    return acre_quadtree_refresh_many(tree, items, boxes, count);
}

acre_result NPM_EXPORT(npm_tree_refresh_all)(acre_quadtree *tree, const acre_aabb *boxes,
                                             size_t count)
{
    return acre_quadtree_refresh_all(tree, boxes, count);
}

acre_result NPM_EXPORT(npm_tree_remove)(acre_quadtree *tree, uint32_t item)
{
    return acre_quadtree_remove(tree, item);
}

acre_result NPM_EXPORT(npm_tree_remove_many)(acre_quadtree *tree, const uint32_t *items,
                                             size_t count)
{
    return acre_quadtree_remove_many(tree, items, count);
}

// Rows that the last batch refused, and the first of them.
void NPM_EXPORT(npm_tree_report)(const acre_quadtree *tree, uint32_t *out)
{
    const acre_quadtree_report report = acre_quadtree_last_report(tree);
    out[0] = report.refused;
    out[1] = report.first_row;
}

void NPM_EXPORT(npm_tree_clear)(acre_quadtree *tree)
{
    acre_quadtree_clear(tree);
}

acre_result NPM_EXPORT(npm_tree_maintain)(acre_quadtree *tree)
{
    return acre_quadtree_maintain(tree);
}

acre_result NPM_EXPORT(npm_tree_optimize)(acre_quadtree *tree)
{
    return acre_quadtree_optimize(tree);
}

acre_result NPM_EXPORT(npm_tree_reserve)(acre_quadtree *tree, size_t items)
{
    return acre_quadtree_reserve(tree, items);
}

bool NPM_EXPORT(npm_tree_contains)(const acre_quadtree *tree, uint32_t item)
{
    return acre_quadtree_contains(tree, item);
}

acre_result NPM_EXPORT(npm_tree_get_box)(const acre_quadtree *tree, uint32_t item, acre_aabb *out)
{
    return acre_quadtree_get_box(tree, item, out);
}

acre_result NPM_EXPORT(npm_tree_set_layers)(acre_quadtree *tree, uint32_t item, uint32_t layers)
{
    return acre_quadtree_set_layers(tree, item, layers);
}

uint32_t NPM_EXPORT(npm_tree_get_layers)(const acre_quadtree *tree, uint32_t item)
{
    return acre_quadtree_get_layers(tree, item);
}

acre_result NPM_EXPORT(npm_tree_validate)(const acre_quadtree *tree, char *message, size_t size)
{
    return acre_quadtree_validate(tree, message, size);
}

uint64_t NPM_EXPORT(npm_tree_state_hash)(const acre_quadtree *tree)
{
    return acre_quadtree_state_hash(tree);
}

// In the order of core.js: items, nodes, leaves, depth, outliers, bytes.
void NPM_EXPORT(npm_tree_stats)(const acre_quadtree *tree, uint32_t *out)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    out[0] = stats.items;
    out[1] = stats.nodes;
    out[2] = stats.leaves;
    out[3] = stats.depth;
    out[4] = stats.outliers;
    out[5] = stats.bytes;
}

acre_query npm_query(acre_query_shape shape, const void *volume, uint32_t layers, uint32_t flags)
{
    acre_query query = {.shape = shape, .layers = layers, .flags = flags};
    switch (shape) {
    case ACRE_QUERY_SHAPE_FRUSTUM:
        query.frustum = volume;
        break;
    case ACRE_QUERY_SHAPE_AABB:
        query.box = volume;
        break;
    case ACRE_QUERY_SHAPE_POINT:
    case ACRE_QUERY_SHAPE_GROUND_POINT:
        query.point = volume;
        break;
    case ACRE_QUERY_SHAPE_SPHERE:
        query.sphere = volume;
        break;
    case ACRE_QUERY_SHAPE_CIRCLE:
        query.circle = volume;
        break;
    case ACRE_QUERY_SHAPE_CAPSULE:
        query.capsule = volume;
        break;
    case ACRE_QUERY_SHAPE_CONE:
        query.cone = volume;
        break;
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        query.oriented_box = volume;
        break;
    case ACRE_QUERY_SHAPE_RAY:
        query.ray = volume;
        break;
    case ACRE_QUERY_SHAPE_ALL:
        break;
    }
    return query;
}

acre_result NPM_EXPORT(npm_tree_query)(const acre_quadtree *tree, acre_query_shape shape,
                                       const void *volume, uint32_t layers, uint32_t flags,
                                       uint32_t *items, size_t capacity, size_t *total)
{
    const acre_query query = npm_query(shape, volume, layers, flags);
    return acre_quadtree_query(tree, &query, items, capacity, total);
}

acre_result NPM_EXPORT(npm_tree_nearest)(const acre_quadtree *tree, acre_query_shape shape,
                                         const void *volume, uint32_t layers,
                                         const acre_aabb *origin, float max_distance,
                                         acre_query_hit *hits, size_t capacity, size_t *count)
{
    acre_query query = npm_query(shape, volume, layers, 0);
    query.origin = origin;
    query.max_distance = max_distance;
    return acre_quadtree_query_nearest(tree, &query, hits, capacity, count);
}
