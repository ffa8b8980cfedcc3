// SPDX-License-Identifier: MIT
// record_scenario.c - a recording in memory, of every kind of call on a quadtree.
#include "record_scenario.h"

#include "query_generator.h"

#include <acre/quadtree_pairs.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, ROWS = 12 };

static const query_ground ground = {.world = {{10.0f, -20.5f}, 900.0f, 0.0625f}};

bool recording_write(void *context, const void *bytes, size_t size)
{
    recording *const out = context;
    if (out->limit > 0 && out->size + size > out->limit) {
        return false;
    }
    if (out->size + size > out->room) {
        const size_t room = 2 * (out->size + size);
        unsigned char *const grown = realloc(out->bytes, room);
        if (!grown) {
            return false;
        }
        out->bytes = grown;
        out->room = room;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    return true;
}

void recording_free(recording *made)
{
    free(made->bytes);
    made->bytes = NULL;
    made->size = made->room = 0;
}

static acre_aabb random_box(test_random *random)
{
    const float x = random_float(random, -900.0f, 900.0f),
                z = random_float(random, -900.0f, 900.0f);
    const float half = random_float(random, 0.0f, random_below(random, 8) ? 5.0f : 300.0f);
    acre_aabb box = {{x - half, -1.0f, z - half}, {x + half, half, z + half}};
    const uint32_t kind = random_below(random, 64);
    if (kind == 0) {
        box.min[0] = NAN;
    } else if (kind == 1) {
        box.max[1] = INFINITY;
    } else if (kind == 2) {
        box.min[0] = box.max[0] = -0.0f;
    } else if (kind == 3) {
        box.min[2] = box.max[2] + 1.0f;
    } else if (kind == 4) {
        box.min[1] = box.max[1] = 0x1p-140f;
    }
    return box;
}

static acre_frustum random_frustum(test_random *random)
{
    acre_frustum frustum = {.plane_count = random_below(random, 5)};
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            frustum.planes[i][axis] = random_float(random, -1.0f, 1.0f);
        }
        frustum.planes[i][3] = random_float(random, -100.0f, 800.0f);
    }
    return frustum;
}

// Goes on for a while.
static bool visit(void *user, const uint32_t *items, size_t count)
{
    size_t *const left = user;
    (void)items;
    *left -= count < *left ? count : *left;
    return *left > 0;
}

static void run_full_query(acre_quadtree *tree, test_random *random, size_t capacity)
{
    uint32_t found[ITEMS];
    acre_query_hit hits[ITEMS];
    generated_query q;
    generate_any_query(random, &ground, &q);
    acre_query *const query = &q.query;
    query->layers &= 7;
    query->flags |= random_below(random, 2) ? ACRE_QUERY_SORTED : 0;
    size_t total = random_below(random, 2 * ITEMS);
    switch (random_below(random, 8)) {
    case 0:
    case 1:
        query->flags &= ~(uint32_t)ACRE_QUERY_SORTED;
        ACRE_IGNORE(acre_quadtree_query_visit(tree, query, visit, &total));
        break;
    case 2:
    case 3:
        query->flags &= ~(uint32_t)ACRE_QUERY_SORTED;
        generate_origin(random, &ground, &q);
        ACRE_IGNORE(acre_quadtree_query_nearest(tree, query, hits, capacity, &total));
        break;
    case 4:
        query->flags |= ACRE_QUERY_STOP_WHEN_FULL;
        ACRE_IGNORE(acre_quadtree_query(tree, query, found, capacity, &total));
        break;
    default:
        ACRE_IGNORE(acre_quadtree_query(tree, query, found, capacity, NULL));
        break;
    }
}

static void run_query(acre_quadtree *tree, test_random *random, uint32_t kind)
{
    uint32_t found[ITEMS];
    const size_t capacity = random_below(random, 4) ? ITEMS : random_below(random, ITEMS);
    if (kind == 0) {
        const acre_frustum frustum = random_frustum(random);
        acre_quadtree_query_frustum(tree, &frustum, found, capacity);
    } else if (kind == 1) {
        const acre_aabb box = random_box(random);
        acre_quadtree_query_aabb(tree, &box, found, capacity);
    } else {
        run_full_query(tree, random, capacity);
    }
}

static void run_batch(acre_quadtree *tree, test_random *random, bool is_pull)
{
    static acre_aabb boxes[ITEMS];
    uint32_t items[ROWS];
    const uint32_t count = random_below(random, is_pull ? ITEMS : ROWS);
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = random_box(random);
    }
    // Read as middles and half sizes, about every second box is refused.
    const acre_box_array array = {boxes->min, boxes->max, sizeof *boxes, sizeof *boxes,
                                  random_below(random, 2) ? ACRE_BOX_FORM_MIN_MAX
                                                          : ACRE_BOX_FORM_CENTER_EXTENT};
    const bool is_array = random_below(random, 2);
    for (uint32_t i = 0; i < count && !is_pull; i++) {
        items[i] = random_below(random, ITEMS);
    }
    if (is_pull && is_array) {
        ACRE_IGNORE(acre_quadtree_refresh_all_from(tree, &array, count));
    } else if (is_pull) {
        ACRE_IGNORE(acre_quadtree_refresh_all(tree, boxes, count));
    } else if (is_array) {
        ACRE_IGNORE(acre_quadtree_refresh_many_from(tree, items, &array, count));
    } else {
        ACRE_IGNORE(acre_quadtree_refresh_many(tree, items, boxes, count));
    }
}

static void run_bulk(acre_quadtree *tree, test_random *random)
{
    acre_aabb boxes[3 * ROWS];
    uint32_t items[3 * ROWS], layers[3 * ROWS];
    const uint32_t count = random_below(random, 3 * ROWS);
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = random_box(random);
        items[i] = random_below(random, ITEMS + 2);
        layers[i] = random_below(random, 8);
    }
    const acre_box_array array = {boxes->min, boxes->max, sizeof *boxes, sizeof *boxes,
                                  ACRE_BOX_FORM_CENTER_EXTENT};
    if (random_below(random, 4) == 0) {
        ACRE_IGNORE(acre_quadtree_insert_many_from(tree, items, &array, count));
    } else if (random_below(random, 4) == 0) {
        ACRE_IGNORE(acre_quadtree_set_layers_many(tree, items, layers, count));
    } else if (random_below(random, 4) == 0) {
        ACRE_IGNORE(acre_quadtree_insert_many_in_layers(tree, items, boxes, layers, count));
    } else if (random_below(random, 3)) {
        ACRE_IGNORE(acre_quadtree_insert_many(tree, items, boxes, count));
    } else {
        ACRE_IGNORE(acre_quadtree_remove_many(tree, items, count));
    }
}

static void run_pairs(acre_quadtree *tree, test_random *random)
{
    static acre_pair pairs[ITEMS * ITEMS];
    uint32_t found[ITEMS], meets[32];
    for (uint32_t layer = 0; layer < 32; layer++) {
        meets[layer] = random_below(random, 8);
    }
    const acre_pairs_rules rules = {.flags = random_below(random, 4),
                                    .meets = random_below(random, 3) ? NULL : meets};
    const acre_pairs_rules *const some = random_below(random, 3) ? &rules : NULL;
    const size_t room = random_below(random, 4) ? ITEMS * ITEMS : random_below(random, ITEMS);
    const size_t item_room = room < ITEMS ? room / 16 : ITEMS;
    size_t total = 0;
    if (random_below(random, 2)) {
        ACRE_IGNORE(acre_quadtree_pairs(tree, some, pairs, room, &total));
    } else {
        ACRE_IGNORE(acre_quadtree_item_pairs(tree, random_below(random, ITEMS), some, found,
                                             item_room, &total));
    }
}

static void run_rare(acre_quadtree *tree, test_random *random)
{
    static acre_aabb boxes[ITEMS];
    const double offset[3] = {random_below(random, 64) - 32.0, 0.1, 0.3 * random_below(random, 9)};
    switch (random_below(random, 13)) {
    case 12:
        for (uint32_t i = 0; i < ITEMS; i++) {
            boxes[i] = random_box(random);
        }
        ACRE_IGNORE(acre_quadtree_shift(tree, offset, random_below(random, 2) ? boxes : NULL,
                                        random_below(random, ITEMS), NULL));
        break;
    case 0:
        ACRE_IGNORE(acre_quadtree_tighten(tree));
        break;
    case 1:
        ACRE_IGNORE(acre_quadtree_reserve(tree, random_below(random, 2 * ITEMS)));
        break;
    case 2:
        ACRE_IGNORE(acre_quadtree_trim(tree));
        break;
    case 3:
        if (random_below(random, 8) == 0) {
            acre_quadtree_clear(tree);
        }
        break;
    case 4:
        run_batch(tree, random, true);
        break;
    case 5:
        run_bulk(tree, random);
        break;
    case 6:
        ACRE_IGNORE(acre_quadtree_optimize(tree));
        break;
    case 7:
        ACRE_IGNORE(acre_quadtree_maintain_budget(tree, random_below(random, 40)));
        break;
    case 8:
    case 9:
        run_pairs(tree, random);
        break;
    default:
        ACRE_IGNORE(acre_quadtree_maintain(tree));
        break;
    }
}

void record_edits(acre_quadtree *tree, uint64_t seed, uint32_t calls)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < calls; i++) {
        const uint32_t kind = random_below(&random, 32);
        const uint32_t item = random_below(&random, ITEMS + 4);
        const acre_aabb box = random_box(&random);
        if (kind < 12) {
            ACRE_IGNORE(acre_quadtree_insert(tree, item, &box));
        } else if (kind < 18) {
            ACRE_IGNORE(acre_quadtree_refresh(tree, item, &box));
        } else if (kind < 21) {
            ACRE_IGNORE(acre_quadtree_remove(tree, item));
        } else if (kind < 23) {
            ACRE_IGNORE(acre_quadtree_set_layers(tree, item, random_below(&random, 8)));
        } else if (kind < 25) {
            run_batch(tree, &random, false);
        } else if (kind < 28) {
            run_rare(tree, &random);
        } else {
            run_query(tree, &random, kind - 28);
        }
    }
}

bool record_scenario(recording *out, uint64_t seed, uint32_t calls, uint64_t *state_hash)
{
    const acre_quadtree_def def = {
        .center = {10.0f, -20.5f}, .half_size = 500.0f, .node_capacity = 4, .item_capacity = ITEMS};
    acre_quadtree *tree;
    acre_recorder recorder;
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return false;
    }
    acre_result result = acre_recorder_begin(&recorder, tree, recording_write, out);
    if (result == ACRE_OK) {
        record_edits(tree, seed, calls);
        result = acre_recorder_end(&recorder);
    }
    *state_hash = acre_quadtree_state_hash(tree);
    acre_quadtree_destroy(tree);
    return result == ACRE_OK;
}
