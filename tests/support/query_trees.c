// SPDX-License-Identifier: MIT
// query_trees.c - trees of every kernel with the same items, and the list of boxes they must equal.
#include "query_trees.h"

#include <stdlib.h>
#include <string.h>

static const tall_world building = {TALL_STOREYS, 16, 60, 0};
static const tall_world airport = {TALL_AEROPLANES, 200, 1, 0.2f};
static const tall_world caves = {TALL_CAVES, 100, 1, 0.5f};

const query_setting query_settings[QUERY_SETTING_COUNT] = {
    {.tree = {.half_size = 256, .node_capacity = 16}, .spread = 1},
    {.tree = {.half_size = 64, .max_depth = 8, .node_capacity = 4}, .spread = 3},
    {.tree = {.half_size = 4096}, .spread = 1},
    {.tree = {.center = {1e6f, -1e6f}, .half_size = 512, .node_capacity = 8}, .spread = 1.2f},
    {.tree = {.half_size = 2, .max_depth = 10, .node_capacity = 1}, .spread = 100},
    {.tree = {.center = {1e9f, 3}, .half_size = 4000, .max_depth = 9, .node_capacity = 12},
     .spread = 2},
    {.tree = {.center = {0.3f, -7.7f}, .half_size = 0x1p-20f, .max_depth = 6, .node_capacity = 8},
     .spread = 2},
    {.tree = {.half_size = 1e12f, .node_capacity = 32}, .spread = 1},
    {.tree = {.half_size = 64, .max_depth = 20, .node_capacity = 8},
     .spread = 4,
     .offset = {-6.2e6f, 4.1e6f}},
    {.tree = {.half_size = 16, .max_depth = 7, .node_capacity = 8}, .spread = 1, .tall = &building},
    {.tree = {.half_size = 200, .max_depth = 9, .node_capacity = 8}, .spread = 1, .tall = &airport},
    {.tree = {.half_size = 100, .max_depth = 8, .node_capacity = 4}, .spread = 1, .tall = &caves},
};

bool query_trees_init(query_trees *all, const acre_quadtree_def *def)
{
    *all = (query_trees){.count = 0};
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        acre_quadtree_def own = *def;
        own.kernel = (acre_kernel)kernel;
        all->count += acre_quadtree_create(&own, &all->trees[all->count]) == ACRE_OK;
    }
    if (all->count == 0 || !brute_force_init(&all->oracle, def->item_capacity)) {
        query_trees_free(all);
        return false;
    }
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(all->trees[0], &stats);
    const float half_size = def->half_size > 0.0f ? def->half_size : 1024.0f;
    all->ground = (query_ground){
        .world = {{def->center[0], def->center[1]}, half_size, stats.cell_size},
        .boxes = all->oracle.boxes,
        .box_count = def->item_capacity,
    };
    return true;
}

bool query_trees_init_setting(query_trees *all, uint32_t index, uint32_t item_capacity)
{
    const query_setting *const setting = &query_settings[index % QUERY_SETTING_COUNT];
    acre_quadtree_def def = setting->tree;
    def.item_capacity = item_capacity;
    if (!query_trees_init(all, &def)) {
        return false;
    }
    all->tall = setting->tall;
    all->ground.world.half_size *= setting->spread;
    all->ground.world.center[0] += setting->offset[0];
    all->ground.world.center[1] += setting->offset[1];
    // Boxes are some finest cells wide: in a fine tree cells of everyday size are meant.
    while (all->ground.world.cell_size < all->ground.world.half_size * 0x1p-10f) {
        all->ground.world.cell_size *= 2.0f;
    }
    return true;
}

void query_trees_free(query_trees *all)
{
    for (uint32_t k = 0; k < all->count; k++) {
        acre_quadtree_destroy(all->trees[k]);
    }
    brute_force_free(&all->oracle);
    *all = (query_trees){.count = 0};
}

static acre_aabb fresh_box(const query_trees *all, test_random *random)
{
    return all->tall && random_below(random, 4) ? tall_world_box(all->tall, &random->state)
                                                : box_valid(random, &all->ground.world);
}

bool query_trees_fill(query_trees *all, test_random *random, uint32_t count)
{
    bool ok = true;
    for (uint32_t item = 0; item < count; item++) {
        const acre_aabb box = fresh_box(all, random);
        const uint32_t first = random_below(random, 4), second = random_below(random, 4);
        const uint32_t layers = 1u << first | 1u << second;
        ok &= brute_force_insert(&all->oracle, item, &box) == ACRE_OK;
        ok &= brute_force_set_layers(&all->oracle, item, layers) == ACRE_OK;
        for (uint32_t k = 0; k < all->count; k++) {
            ok &= acre_quadtree_insert(all->trees[k], item, &box) == ACRE_OK;
            ok &= acre_quadtree_set_layers(all->trees[k], item, layers) == ACRE_OK;
        }
    }
    return ok;
}

// ---- random edits ----

enum { MOST_ROWS = 512 };

typedef enum edit_kind {
    EDIT_INSERT,
    EDIT_INSERT_MANY,
    EDIT_INSERT_MANY_IN_LAYERS,
    EDIT_REFRESH,
    EDIT_REFRESH_MANY,
    EDIT_REMOVE,
    EDIT_REMOVE_MANY,
    EDIT_SET_LAYERS_MANY,
    EDIT_SET_LAYERS,
    EDIT_MAINTAIN,
    EDIT_MAINTAIN_BUDGET,
    EDIT_TIGHTEN,
    EDIT_OPTIMIZE,
    EDIT_TRIM,
    EDIT_CLEAR
} edit_kind;

typedef struct edit {
    edit_kind kind;
    uint32_t count;
    uint32_t layers;
    uint32_t items[MOST_ROWS];
    acre_aabb boxes[MOST_ROWS];
    uint32_t masks[MOST_ROWS];
} edit;

static bool has_boxes(edit_kind kind)
{
    return kind <= EDIT_REFRESH_MANY;
}

static bool has_items(edit_kind kind)
{
    return kind <= EDIT_SET_LAYERS;
}

static acre_aabb new_box(const query_trees *all, test_random *random, uint32_t item)
{
    const acre_aabb *const old = &all->oracle.boxes[item];
    switch (random_below(random, 8)) {
    case 0:
        return box_of_kind(random, &all->ground.world, BOX_HUGE); // roots grow
    case 1:
        return *old;
    case 2:
    case 3:
        return fresh_box(all, random);
    default:
        return acre_aabb_is_finite(old) ? box_moved(random, &all->ground.world, old) : *old;
    }
}

static void random_edit(const query_trees *all, test_random *random, edit *out)
{
    static const uint8_t kinds[] = {EDIT_INSERT,
                                    EDIT_INSERT,
                                    EDIT_INSERT,
                                    EDIT_INSERT_MANY,
                                    EDIT_INSERT_MANY,
                                    EDIT_REFRESH,
                                    EDIT_REFRESH,
                                    EDIT_REFRESH,
                                    EDIT_REFRESH,
                                    EDIT_REFRESH_MANY,
                                    EDIT_REMOVE,
                                    EDIT_REMOVE,
                                    EDIT_REMOVE_MANY,
                                    EDIT_SET_LAYERS,
                                    EDIT_SET_LAYERS,
                                    EDIT_MAINTAIN,
                                    EDIT_MAINTAIN,
                                    EDIT_MAINTAIN,
                                    EDIT_MAINTAIN_BUDGET,
                                    EDIT_TIGHTEN,
                                    EDIT_REFRESH_MANY,
                                    EDIT_OPTIMIZE,
                                    EDIT_TRIM,
                                    EDIT_SET_LAYERS_MANY,
                                    EDIT_INSERT_MANY_IN_LAYERS};
    const uint32_t kind = kinds[random_below(random, sizeof kinds)];
    out->kind = random_below(random, 400) ? (edit_kind)kind : EDIT_CLEAR;
    const bool is_batch = out->kind == EDIT_INSERT_MANY || out->kind == EDIT_REFRESH_MANY ||
                          out->kind == EDIT_REMOVE_MANY || out->kind == EDIT_SET_LAYERS_MANY ||
                          out->kind == EDIT_INSERT_MANY_IN_LAYERS;
    const uint32_t most = random_below(random, 4) ? 16 : MOST_ROWS;
    out->count = !has_items(out->kind) ? 0 : is_batch ? 1 + random_below(random, most) : 1;
    out->layers = 1u << random_below(random, 4);
    for (uint32_t i = 0; i < out->count; i++) {
        out->items[i] = random_below(random, all->oracle.capacity);
        out->boxes[i] = new_box(all, random, out->items[i]);
        out->masks[i] = i % 7 == 6 ? 0 : out->layers << i % 2;
    }
}

static acre_result edit_tree(acre_quadtree *tree, const edit *change)
{
    switch (change->kind) {
    case EDIT_INSERT:
        return acre_quadtree_insert(tree, change->items[0], change->boxes);
    case EDIT_INSERT_MANY:
        return acre_quadtree_insert_many(tree, change->items, change->boxes, change->count);
    case EDIT_INSERT_MANY_IN_LAYERS:
        return acre_quadtree_insert_many_in_layers(tree, change->items, change->boxes,
                                                   change->masks, change->count);
    case EDIT_SET_LAYERS_MANY:
        return acre_quadtree_set_layers_many(tree, change->items, change->masks, change->count);
    case EDIT_REFRESH:
        return acre_quadtree_refresh(tree, change->items[0], change->boxes);
    case EDIT_REFRESH_MANY:
        return acre_quadtree_refresh_many(tree, change->items, change->boxes, change->count);
    case EDIT_REMOVE:
        return acre_quadtree_remove(tree, change->items[0]);
    case EDIT_REMOVE_MANY:
        return acre_quadtree_remove_many(tree, change->items, change->count);
    case EDIT_SET_LAYERS:
        return acre_quadtree_set_layers(tree, change->items[0], change->layers);
    case EDIT_MAINTAIN:
        return acre_quadtree_maintain(tree);
    case EDIT_MAINTAIN_BUDGET:
        return acre_quadtree_maintain_budget(tree, change->layers);
    case EDIT_TIGHTEN:
        return acre_quadtree_tighten(tree);
    case EDIT_OPTIMIZE:
        return acre_quadtree_optimize(tree);
    case EDIT_TRIM:
        return acre_quadtree_trim(tree);
    case EDIT_CLEAR:
        acre_quadtree_clear(tree);
        return ACRE_OK;
    }
    return ACRE_ERROR_INVALID_ARGUMENT;
}

static acre_result edit_row(brute_force *oracle, const edit *change, uint32_t row)
{
    const uint32_t item = change->items[row];
    switch (change->kind) {
    case EDIT_INSERT:
    case EDIT_INSERT_MANY:
        return brute_force_insert(oracle, item, &change->boxes[row]);
    case EDIT_INSERT_MANY_IN_LAYERS: {
        const acre_result result = brute_force_insert(oracle, item, &change->boxes[row]);
        return result == ACRE_OK ? brute_force_set_layers(oracle, item, change->masks[row])
                                 : result;
    }
    case EDIT_SET_LAYERS_MANY:
        return brute_force_set_layers(oracle, item, change->masks[row]);
    case EDIT_REFRESH:
    case EDIT_REFRESH_MANY:
        return brute_force_refresh(oracle, item, &change->boxes[row]);
    case EDIT_REMOVE:
    case EDIT_REMOVE_MANY:
        return brute_force_remove(oracle, item);
    default:
        return brute_force_set_layers(oracle, item, change->layers);
    }
}

// A refresh with the box that the item has does not move it.
static bool stays(const brute_force *oracle, const edit *change, uint32_t row)
{
    const acre_aabb *const old = &oracle->boxes[change->items[row]];
    return has_boxes(change->kind) && oracle->present[change->items[row]] &&
           memcmp(old, &change->boxes[row], sizeof *old) == 0;
}

static acre_result edit_oracle(brute_force *oracle, const edit *change, bool *touched)
{
    acre_result first = ACRE_OK;
    for (uint32_t row = 0; row < change->count; row++) {
        if (touched && !stays(oracle, change, row)) {
            touched[change->items[row]] = true;
        }
        const acre_result result = edit_row(oracle, change, row);
        first = first == ACRE_OK ? result : first;
    }
    if (change->kind == EDIT_CLEAR) {
        brute_force_clear(oracle);
        for (uint32_t item = 0; item < oracle->capacity && touched; item++) {
            touched[item] = true;
        }
    }
    return first;
}

bool query_trees_edit(query_trees *all, test_random *random, bool *touched)
{
    edit change;
    bool ok = true;
    random_edit(all, random, &change);
    const acre_result expected = edit_oracle(&all->oracle, &change, touched);
    for (uint32_t k = 0; k < all->count; k++) {
        ok &= edit_tree(all->trees[k], &change) == expected;
    }
    return ok;
}
