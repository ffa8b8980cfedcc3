// SPDX-License-Identifier: MIT
// culling.c - the culler's life, and its hooks other than commit.
#include "culling_internal.h"

#include <acre/objects.h>

#include <stdio.h>

#define DEFAULT_ITEM_CAPACITY (UINT32_C(1) << 26)

// The scene goes before the culler, which then sees nothing any more.
static void detach_from_scene(void *user, acre_scene *scene)
{
    (void)scene;
    acre_culling *const culling = user;
    culling->scene = NULL;
    acre_culling_free_arrays(culling);
    for (int i = 0; i < TREE_COUNT; i++) {
        if (culling->trees[i]) {
            acre_quadtree_clear(culling->trees[i]);
        }
        culling->tree_counts[i] = 0;
    }
    culling->never_count = 0;
}

static void draw_trees(const void *user, const acre_debug_draw *back_end)
{
    const acre_culling *const culling = user;
    for (int i = 0; i < TREE_COUNT; i++) {
        if (culling->trees[i]) {
            acre_quadtree_debug_draw(culling->trees[i], back_end);
        }
    }
}

static size_t write_stats(const void *user, char *text, size_t size)
{
    acre_culling_stats found;
    acre_culling_get_stats(user, &found);
    const int length = snprintf(
        text, size, "%lu moving in %lu cells, %lu static in %lu, %lu never culled, %lu bytes",
        (unsigned long)found.moving.items, (unsigned long)found.moving.nodes,
        (unsigned long)found.still.items, (unsigned long)found.still.nodes,
        (unsigned long)found.never_culled, (unsigned long)found.bytes);
    return length > 0 ? (size_t)length : 0;
}

static void free_culling(acre_culling *culling)
{
    for (int i = 0; i < TREE_COUNT; i++) {
        acre_quadtree_destroy(culling->trees[i]);
    }
    acre_object_free(culling, sizeof *culling, acre_culling_visit_arrays);
}

// @param scene NULL: the objects are a host's
static acre_culling *make_culling(acre_scene *scene, const acre_culling_def *def)
{
    const uint32_t capacity = def->tree.item_capacity;
    acre_culling *const culling = acre_object_make(def->tree.allocator, sizeof *culling);
    if (culling) {
        culling->scene = scene;
        culling->tree_def = def->tree;
        culling->tree_def.allocator = &culling->allocator;
        culling->item_capacity = capacity ? capacity : DEFAULT_ITEM_CAPACITY;
        culling->register_all = def->register_all;
        culling->has_host = !scene;
        culling->seen_commit = acre_scene_get_view(scene).commit;
        culling->module = (acre_module){.name = "culling",
                                        .version = acre_version(),
                                        .commit = acre_culling_commit,
                                        .debug_draw = draw_trees,
                                        .stats = write_stats,
                                        .detach = detach_from_scene,
                                        .shift = acre_culling_shift_trees,
                                        .user = culling};
    }
    return culling;
}

// @param scene NULL: as make_culling
static acre_result create_culling(acre_scene *scene, const acre_culling_def *def,
                                  acre_culling **out)
{
    const acre_culling_def defaults = {.register_all = false};
    acre_culling *const culling = make_culling(scene, def ? def : &defaults);
    if (!culling) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_result result = acre_culling_need_tree(culling, TREE_MOVING);
    if (result == ACRE_OK && scene) {
        acre_culling_synchronize(culling);
        result = culling->edit_result;
    }
    if (result == ACRE_OK && scene) {
        result = acre_scene_attach(scene, &culling->module);
    }
    if (result != ACRE_OK) {
        free_culling(culling);
        return result;
    }
    *out = culling;
    return ACRE_OK;
}

acre_result acre_culling_create_for_objects(const acre_culling_def *def, acre_culling **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = NULL;
    return ACRE_UNTOLD(create_culling(NULL, def, out));
}

acre_result acre_culling_create(acre_scene *scene, const acre_culling_def *def, acre_culling **out)
{
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (out) {
        *out = NULL;
    }
    if (scene && out) {
        result = ACRE_UNTOLD(create_culling(scene, def, out));
    }
    return ACRE_ANSWER(result, "o?Up", scene, def, out);
}

void acre_culling_destroy(acre_culling *culling)
{
    if (!culling) {
        return;
    }
    // A commit hook may not take away what the commit is calling.
    const acre_result result =
        culling->scene ? ACRE_UNTOLD(acre_scene_detach(culling->scene, &culling->module)) : ACRE_OK;
    if (ACRE_ANSWER(result, "o", culling) != ACRE_OK) {
        return;
    }
    ACRE_ASSERT(culling->access.state == 0);
    free_culling(culling);
}

static void count_unregistered(const acre_culling *culling, acre_culling_stats *out)
{
    const culling_table table = acre_culling_table(culling);
    for (uint32_t slot = 0; slot < table.slot_count; slot++) {
        const published_slot published = culling_published(&table, slot);
        const culling_slot own = culling_slot_of(&table, slot);
        const bool is_known = own.generation == published.generation;
        if (published.generation != 0 && !(is_known && (own.bits & SLOT_REGISTERED))) {
            const bool is_excluded = is_known && (own.bits & SLOT_EXCLUDED);
            out->unregistered++;
            out->without_bounds += culling->register_all && !is_excluded && !published.has_bounds;
        }
    }
}

void acre_culling_get_stats(const acre_culling *culling, acre_culling_stats *out)
{
    if (!out) {
        return;
    }
    *out = (acre_culling_stats){0};
    const acre_result result = culling_begin_read(culling, true);
    if (result != ACRE_OK) {
        (void)ACRE_MISUSED(result, "o", culling);
        return;
    }
    acre_quadtree_get_stats(culling->trees[TREE_MOVING], &out->moving);
    if (culling->trees[TREE_STATIC]) {
        acre_quadtree_get_stats(culling->trees[TREE_STATIC], &out->still);
    }
    count_unregistered(culling, out);
    out->never_culled = culling->never_count;
    out->visits = culling->visits;
    out->bytes = acre_object_bytes(culling, sizeof *culling, acre_culling_visit_arrays) +
                 out->moving.bytes + out->still.bytes;
    access_end_read(&culling->access);
}

const acre_quadtree *acre_culling_tree(const acre_culling *culling)
{
    return culling ? culling->trees[TREE_MOVING] : NULL;
}

const acre_quadtree *acre_culling_static_tree(const acre_culling *culling)
{
    return culling ? culling->trees[TREE_STATIC] : NULL;
}
