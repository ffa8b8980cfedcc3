// SPDX-License-Identifier: MIT
// scene_memory.c - the scene's growable arrays: room for them, and giving it back.
#include "scene_internal.h"

// Every column but those of the sets, with the number of elements that are in use.
#define SCENE_COLUMNS(X)                                                                           \
    X(slots, scene->slot_count)                                                                    \
    X(links, scene->slot_count)                                                                    \
    X(labels, scene->slot_count)                                                                   \
    X(locals, scene->row_count)                                                                    \
    X(boxes, scene->row_count)                                                                     \
    X(row_slot, scene->row_count)                                                                  \
    X(row_parent, scene->row_count)                                                                \
    X(row_bits, scene->row_count)                                                                  \
    X(worlds, scene->row_count)                                                                    \
    X(published, scene->published_slots)                                                           \
    X(world_boxes, scene->published_slots)                                                         \
    X(world_flags, scene->published_slots)                                                         \
    X(world_layers, scene->published_slots)                                                        \
    X(world_user, scene->published_slots)                                                          \
    X(list_destroyed, 0)                                                                           \
    X(list_created, 0)                                                                             \
    X(list_moved, 0)                                                                               \
    X(list_relabelled, 0)                                                                          \
    X(modules, scene->module_count)

#define SCENE_SETS(X)                                                                              \
    X(dirty)                                                                                       \
    X(labelled)                                                                                    \
    X(destroyed)                                                                                   \
    X(misplaced)

// Words for that many rows: whole summary words, each for 64 words of 64 rows.
static size_t set_words(size_t rows)
{
    return (rows + 4095) / 4096 * 64;
}

static bool reserve_set(const acre_scene *scene, row_set *set, size_t rows)
{
    // If the second call fails, the shorter column bounds every scan.
    return COLUMN_RESERVE(&scene->allocator, set->words, set_words(rows)) &&
           COLUMN_RESERVE(&scene->allocator, set->summary, set->words.capacity / 64);
}

bool acre_scene_reserve_slots(acre_scene *scene, size_t count)
{
    const acre_allocator *const allocator = &scene->allocator;
    ACRE_ASSERT(count >= scene->slot_count && count <= scene->entity_capacity);
    return COLUMN_RESERVE(allocator, scene->slots, count) &&
           COLUMN_RESERVE(allocator, scene->links, count) &&
           COLUMN_RESERVE(allocator, scene->labels, count);
}

bool acre_scene_reserve_rows(acre_scene *scene, size_t count)
{
    const acre_allocator *const allocator = &scene->allocator;
    ACRE_ASSERT(count >= scene->row_count && count < NONE);
    return COLUMN_RESERVE(allocator, scene->locals, count) &&
           COLUMN_RESERVE(allocator, scene->boxes, count) &&
           COLUMN_RESERVE(allocator, scene->row_slot, count) &&
           COLUMN_RESERVE(allocator, scene->row_parent, count) &&
           COLUMN_RESERVE(allocator, scene->row_bits, count) &&
           reserve_set(scene, &scene->dirty, count) &&
           reserve_set(scene, &scene->labelled, count) &&
           reserve_set(scene, &scene->destroyed, count) &&
           reserve_set(scene, &scene->misplaced, count);
}

bool acre_scene_reserve_published(acre_scene *scene)
{
    const acre_allocator *const allocator = &scene->allocator;
    const size_t slots = scene->slot_count;
    return COLUMN_RESERVE(allocator, scene->worlds, scene->row_count) &&
           COLUMN_RESERVE(allocator, scene->published, slots) &&
           COLUMN_RESERVE(allocator, scene->world_boxes, slots) &&
           COLUMN_RESERVE(allocator, scene->world_flags, slots) &&
           COLUMN_RESERVE(allocator, scene->world_layers, slots) &&
           COLUMN_RESERVE(allocator, scene->world_user, slots);
}

void acre_scene_free_columns(acre_scene *scene)
{
#define FREE_COLUMN(name, used) COLUMN_FREE(&scene->allocator, scene->name);
#define FREE_SET(name)                                                                             \
    COLUMN_FREE(&scene->allocator, scene->name.words);                                             \
    COLUMN_FREE(&scene->allocator, scene->name.summary);
    SCENE_COLUMNS(FREE_COLUMN)
    SCENE_SETS(FREE_SET)
#undef FREE_COLUMN
#undef FREE_SET
}

static void shrink_set(const acre_scene *scene, row_set *set)
{
    const size_t words = set_words(scene->row_count);
    // A summary bit may have stayed behind over an empty word that now goes.
    for (size_t block = words / 64; block < set->summary.capacity; block++) {
        *COLUMN_AT(set->summary, block) = 0;
    }
    COLUMN_SHRINK(&scene->allocator, set->summary, words / 64);
    COLUMN_SHRINK(&scene->allocator, set->words, words);
}

void acre_scene_shrink_columns(acre_scene *scene)
{
#define SHRINK_COLUMN(name, used) COLUMN_SHRINK(&scene->allocator, scene->name, used);
#define SHRINK_SET(name) shrink_set(scene, &scene->name);
    SCENE_COLUMNS(SHRINK_COLUMN)
    SCENE_SETS(SHRINK_SET)
#undef SHRINK_COLUMN
#undef SHRINK_SET
}
