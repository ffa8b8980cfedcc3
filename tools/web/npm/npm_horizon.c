// SPDX-License-Identifier: MIT
// npm_horizon.c - what hides what, as scripts ask it: horizons, and queries near first in which
// what is found hides what comes behind it.
#include "npm_export.h"
#include "npm_query.h"
#include "horizon_shared.h"
#include "occluder_shared.h"
#include "quadtree_near_shared.h"
#include <acre/quadtree.h>
#include <assert.h>
#include <string.h>

static_assert(sizeof(acre_occluder) == 80, "horizon.js writes an occluder as twenty words");

acre_result NPM_EXPORT(npm_horizon_create)(uint32_t columns, acre_horizon **out)
{
    const acre_horizon_def def = {.columns = columns};
    return acre_horizon_create(&def, out);
}

void NPM_EXPORT(npm_horizon_destroy)(acre_horizon *horizon)
{
    acre_horizon_destroy(horizon);
}

// place: the eye, half the size of its region, and the near radius.
acre_result NPM_EXPORT(npm_horizon_begin)(acre_horizon *horizon, const float *place)
{
    return acre_horizon_begin(horizon, place, place + 3, place[6]);
}

bool NPM_EXPORT(npm_horizon_add)(acre_horizon *horizon, const acre_occluder *occluder)
{
    return acre_horizon_add(horizon, occluder);
}

bool NPM_EXPORT(npm_horizon_hides)(const acre_horizon *horizon, const acre_aabb *box)
{
    return acre_horizon_hides(horizon, box);
}

// In the order of horizon.js: asked, dropped, kept, occluders, whether it gave up.
void NPM_EXPORT(npm_horizon_stats)(const acre_horizon *horizon, uint32_t *out)
{
    acre_horizon_stats stats;
    acre_horizon_get_stats(horizon, &stats);
    out[0] = stats.asked;
    out[1] = stats.dropped;
    out[2] = stats.kept;
    out[3] = stats.occluders;
    out[4] = stats.gave_up;
}

// The first of these occluders that is not valid; count: all are.
size_t NPM_EXPORT(npm_occluders_check)(const acre_occluder *occluders, size_t count)
{
    size_t i = 0;
    while (i < count && acre_occluder_is_valid(&occluders[i])) {
        i++;
    }
    return i;
}

// What items hide others with, as horizon.js writes it. With matrices, all items have the same
// ones, each moved by the matrix of its number.
typedef struct npm_occluders {
    const acre_occluder *occluders;
    const uint32_t *first; // of each item its first one, and the end of the last; NULL: see above
    const float *matrices; // NULL: all stand where they are
    uint32_t count;        // items below it have occluders; with matrices: of occluders
} npm_occluders;

// ---- the walk ----

typedef struct hiding_walk {
    const acre_quadtree *tree;
    acre_horizon *horizon;
    const npm_occluders *occluders;
    uint32_t *items;
    size_t capacity, count;
} hiding_walk;

static uint32_t hide_boxes(void *user, const acre_near_boxes *boxes)
{
    const hiding_walk *const walk = user;
    return acre_horizon_ask(walk->horizon, boxes->edges, boxes->stride, boxes->lanes, boxes->items);
}

// An item that has moved away from its occluders hides nothing.
static bool box_holds(const acre_aabb *box, const acre_occluder *occluder)
{
    bool is_inside = occluder->top <= box->max[1] &&
                     (occluder->bottom >= box->min[1] || occluder->bottom < -1e12f);
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        const float x = occluder->points[k][0], z = occluder->points[k][1];
        is_inside &=
            (x >= box->min[0]) & (x <= box->max[0]) & (z >= box->min[2]) & (z <= box->max[2]);
    }
    return is_inside;
}

// @return whether the item has occluders.
static bool add_occluders_of(const hiding_walk *walk, uint32_t item, const acre_aabb *box)
{
    const npm_occluders *const all = walk->occluders;
    uint32_t next = 0, end = all->count;
    if (all->first != NULL) {
        next = item < all->count ? all->first[item] : 0;
        end = item < all->count ? all->first[item + 1] : 0;
    }
    if (next == end) {
        return false;
    }
    const double height = (double)box->max[1] - (double)box->min[1];
    for (bool wants = acre_horizon_wants(walk->horizon, box); wants && next < end; next++) {
        acre_occluder own = all->occluders[next];
        acre_occluder_turn(&own);
        acre_occluder moved = own;
        if ((all->matrices == NULL ||
             acre_occluder_move(&moved, &own, NULL, all->matrices + 16 * item, height)) &&
            box_holds(box, &moved)) {
            acre_horizon_add_of(walk->horizon, &moved, box);
        }
    }
    return true;
}

static bool take_block(void *user, const acre_item_group *group)
{
    hiding_walk *const walk = user;
    for (uint32_t found = group->found, i = 0; found; found >>= 1, i++) {
        if (!(found & 1)) {
            continue;
        }
        acre_aabb box;
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = group->edges[2 * axis * ACRE_GROUP_ITEMS + i];
            box.max[axis] = group->edges[(2 * axis + 1) * ACRE_GROUP_ITEMS + i];
        }
        if (walk->count < walk->capacity) {
            walk->items[walk->count] = group->items[i];
        }
        walk->count++;
        acre_horizon_count_kept(walk->horizon, add_occluders_of(walk, group->items[i], &box));
    }
    return !acre_horizon_gave_up(walk->horizon);
}

// What came later may hide what was kept before.
static void ask_again(hiding_walk *walk)
{
    size_t kept = 0;
    for (size_t first = 0; first < walk->count; first += ACRE_HORIZON_BLOCK) {
        float edges[6][ACRE_HORIZON_BLOCK] = {0};
        const size_t left = walk->count - first;
        const uint32_t count = left < ACRE_HORIZON_BLOCK ? left : ACRE_HORIZON_BLOCK;
        for (uint32_t i = 0; i < count; i++) {
            acre_aabb box;
            ACRE_IGNORE(acre_quadtree_get_box(walk->tree, walk->items[first + i], &box));
            for (int axis = 0; axis < 3; axis++) {
                edges[2 * axis][i] = box.min[axis];
                edges[2 * axis + 1][i] = box.max[axis];
            }
        }
        const uint32_t hidden =
            acre_horizon_ask(walk->horizon, edges[0], ACRE_HORIZON_BLOCK, (1u << count) - 1, 1);
        for (uint32_t i = 0; i < count; i++) {
            walk->items[kept] = walk->items[first + i];
            kept += ~hidden >> i & 1;
        }
    }
    walk->count = kept;
}

// As npm_tree_query with a frustum. Where a walk keeps more than there is room for, total says how
// many, and the caller asks again.
acre_result NPM_EXPORT(npm_tree_query_hiding)(const acre_quadtree *tree, const void *frustum,
                                              uint32_t layers, uint32_t flags,
                                              const npm_occluders *occluders, const float *eye,
                                              acre_horizon *horizon, uint32_t *items,
                                              size_t capacity, size_t *total)
{
    const acre_aabb origin = {{eye[0], eye[1], eye[2]}, {eye[0], eye[1], eye[2]}};
    acre_query query = npm_query(ACRE_QUERY_SHAPE_FRUSTUM, frustum, layers, flags);
    acre_result result = acre_horizon_begin_walk(horizon, eye);
    if (result == ACRE_OK) {
        hiding_walk walk = {tree, horizon, occluders, items, capacity, 0};
        const acre_near_visitor visitor = {hide_boxes, take_block, &walk};
        query.origin = &origin;
        result = acre_quadtree_visit_near(tree, &query, &visitor);
        query.origin = NULL;
        if (result == ACRE_OK && walk.count <= capacity && !acre_horizon_gave_up(horizon)) {
            ask_again(&walk);
        }
        acre_horizon_end_walk(horizon);
        *total = walk.count;
        if (result != ACRE_OK || !acre_horizon_gave_up(horizon)) {
            return result;
        }
    } else if (result != ACRE_ERROR_NOT_FOUND) {
        return result;
    }
    return acre_quadtree_query(tree, &query, items, capacity, total);
}
