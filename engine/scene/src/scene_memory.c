// SPDX-License-Identifier: MIT
// scene_memory.c - the scene's growable arrays: room for them, and giving it back.
#include "scene_internal.h"

#include <stddef.h>

/// How many elements of a column are in use.
typedef enum column_use {
    USED_SLOTS,
    USED_ROWS,
    USED_PUBLISHED,
    USED_MODULES,
    USED_NONE
} column_use;

typedef struct column_place {
    size_t offset, element;
    column_use use;
} column_place;

#define COLUMN(name, type, use)                                                                    \
    {                                                                                              \
        offsetof(acre_scene, name), sizeof(type), use                                              \
    }

// All but those of the sets.
static const column_place columns[] = {
    COLUMN(slots, slot_record, USED_SLOTS),
    COLUMN(links, slot_links, USED_SLOTS),
    COLUMN(labels, slot_labels, USED_SLOTS),
    COLUMN(locals, local_row, USED_ROWS),
    COLUMN(boxes, acre_aabb, USED_ROWS),
    COLUMN(row_slot, uint32_t, USED_ROWS),
    COLUMN(row_parent, uint32_t, USED_ROWS),
    COLUMN(row_bits, uint8_t, USED_ROWS),
    COLUMN(worlds, world_row, USED_ROWS),
    COLUMN(published, published_slot, USED_PUBLISHED),
    COLUMN(world_boxes, acre_aabb, USED_PUBLISHED),
    COLUMN(world_flags, uint32_t, USED_PUBLISHED),
    COLUMN(world_layers, uint32_t, USED_PUBLISHED),
    COLUMN(world_user, uint64_t, USED_PUBLISHED),
    COLUMN(list_destroyed, uint32_t, USED_NONE),
    COLUMN(list_created, uint32_t, USED_NONE),
    COLUMN(list_moved, uint32_t, USED_NONE),
    COLUMN(list_relabelled, uint32_t, USED_NONE),
    COLUMN(modules, const acre_module *, USED_MODULES),
};

static const size_t sets[] = {offsetof(acre_scene, dirty), offsetof(acre_scene, labelled),
                              offsetof(acre_scene, destroyed), offsetof(acre_scene, misplaced)};

#define COLUMN_COUNT (sizeof columns / sizeof columns[0])
#define SET_COUNT (sizeof sets / sizeof sets[0])

static column *column_at(acre_scene *scene, size_t i)
{
    return (column *)(void *)((unsigned char *)scene + columns[i].offset);
}

static row_set *set_at(acre_scene *scene, size_t i)
{
    return (row_set *)(void *)((unsigned char *)scene + sets[i]);
}

static bool reserve(const acre_scene *scene, column *c, size_t count, size_t element)
{
    return acre_column_reserve(&scene->allocator, c, count, element);
}

// Whole summary words: 64 words of 64 rows.
static size_t set_words(size_t rows)
{
    return (rows + 4095) / 4096 * 64;
}

static bool row_set_reserve(const acre_scene *scene, row_set *set, size_t rows)
{
    // Where the second one fails, scans are bounded by the shorter column.
    return reserve(scene, &set->words, set_words(rows), sizeof(uint64_t)) &&
           reserve(scene, &set->summary, set->words.capacity / 64, sizeof(uint64_t));
}

bool acre_scene_reserve_slots(acre_scene *scene, size_t count)
{
    return reserve(scene, &scene->slots, count, sizeof(slot_record)) &&
           reserve(scene, &scene->links, count, sizeof(slot_links)) &&
           reserve(scene, &scene->labels, count, sizeof(slot_labels));
}

bool acre_scene_reserve_rows(acre_scene *scene, size_t count)
{
    return reserve(scene, &scene->locals, count, sizeof(local_row)) &&
           reserve(scene, &scene->boxes, count, sizeof(acre_aabb)) &&
           reserve(scene, &scene->row_slot, count, sizeof(uint32_t)) &&
           reserve(scene, &scene->row_parent, count, sizeof(uint32_t)) &&
           reserve(scene, &scene->row_bits, count, sizeof(uint8_t)) &&
           row_set_reserve(scene, &scene->dirty, count) &&
           row_set_reserve(scene, &scene->labelled, count) &&
           row_set_reserve(scene, &scene->destroyed, count) &&
           row_set_reserve(scene, &scene->misplaced, count);
}

bool acre_scene_reserve_published(acre_scene *scene)
{
    const size_t slots = scene->slot_count;
    return reserve(scene, &scene->worlds, scene->row_count, sizeof(world_row)) &&
           reserve(scene, &scene->published, slots, sizeof(published_slot)) &&
           reserve(scene, &scene->world_boxes, slots, sizeof(acre_aabb)) &&
           reserve(scene, &scene->world_flags, slots, sizeof(uint32_t)) &&
           reserve(scene, &scene->world_layers, slots, sizeof(uint32_t)) &&
           reserve(scene, &scene->world_user, slots, sizeof(uint64_t));
}

void acre_scene_free_columns(acre_scene *scene)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        acre_column_free(&scene->allocator, column_at(scene, i), columns[i].element);
    }
    for (size_t i = 0; i < SET_COUNT; i++) {
        acre_column_free(&scene->allocator, &set_at(scene, i)->words, sizeof(uint64_t));
        acre_column_free(&scene->allocator, &set_at(scene, i)->summary, sizeof(uint64_t));
    }
}

static size_t used_elements(const acre_scene *scene, column_use use)
{
    switch (use) {
    case USED_SLOTS:
        return scene->slot_count;
    case USED_ROWS:
        return scene->row_count;
    case USED_PUBLISHED:
        return scene->published_slots;
    case USED_MODULES:
        return scene->module_count;
    case USED_NONE:
        break;
    }
    return 0;
}

static void shrink_columns(acre_scene *scene)
{
    const acre_allocator *const allocator = &scene->allocator;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        acre_column_shrink(allocator, column_at(scene, i), used_elements(scene, columns[i].use),
                           columns[i].element);
    }
    const size_t words = set_words(scene->row_count);
    for (size_t i = 0; i < SET_COUNT; i++) {
        row_set *const set = set_at(scene, i);
        // A bit may have stayed behind over an empty word, which is gone then.
        for (size_t block = words / 64; block < set->summary.capacity; block++) {
            ((uint64_t *)set->summary.data)[block] = 0;
        }
        acre_column_shrink(allocator, &set->summary, words / 64, sizeof(uint64_t));
        acre_column_shrink(allocator, &set->words, words, sizeof(uint64_t));
    }
}

acre_result acre_scene_trim(acre_scene *scene)
{
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    if (!access_begin_write(&scene->access)) {
        return scene_end_edit(scene, ACRE_ERROR_BUSY);
    }
    // Rows change their place only where no recorded edit speaks of places.
    if (scene->hole_count > 0 && !scene->misplaced.is_used && !scene->destroyed.is_used &&
        scene->worlds.capacity >= scene->row_count) {
        acre_order_close_holes(scene);
    }
    shrink_columns(scene);
    access_end_write(&scene->access);
    return scene_end_edit(scene, ACRE_OK);
}
