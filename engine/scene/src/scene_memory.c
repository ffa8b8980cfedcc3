// SPDX-License-Identifier: MIT
// scene_memory.c - the scene's growable arrays.
#include "scene_internal.h"

#include <string.h>

#define COLUMN_ALIGNMENT 64
#define FIRST_CAPACITY 64

bool acre_column_reserve(acre_scene *scene, column *c, size_t count, size_t element)
{
    if (count <= c->capacity) {
        return true;
    }
    size_t capacity = c->capacity < FIRST_CAPACITY / 2 ? FIRST_CAPACITY : 2 * c->capacity;
    if (capacity < count) {
        capacity = count;
    }
    if (capacity > SIZE_MAX / 2 / element) {
        return false;
    }
    const size_t old_size = c->capacity * element;
    unsigned char *const grown =
        acre_resize(&scene->allocator, c->data, old_size, capacity * element, COLUMN_ALIGNMENT);
    if (!grown) {
        return false;
    }
    memset(grown + old_size, 0, capacity * element - old_size);
    c->data = grown;
    c->capacity = capacity;
    return true;
}

void acre_column_free(acre_scene *scene, column *c, size_t element)
{
    if (c->data) {
        (void)acre_resize(&scene->allocator, c->data, c->capacity * element, 0, COLUMN_ALIGNMENT);
    }
    *c = (column){NULL, 0};
}

static bool row_set_reserve(acre_scene *scene, row_set *set, size_t rows)
{
    // Whole summary words: 64 words of 64 rows. Scans are bounded by the shorter column.
    const size_t words = (rows + 4095) / 4096 * 64;
    return acre_column_reserve(scene, &set->words, words, sizeof(uint64_t)) &&
           acre_column_reserve(scene, &set->summary, set->words.capacity / 64, sizeof(uint64_t));
}

static void row_set_free(acre_scene *scene, row_set *set)
{
    acre_column_free(scene, &set->words, sizeof(uint64_t));
    acre_column_free(scene, &set->summary, sizeof(uint64_t));
}

bool acre_scene_reserve_slots(acre_scene *scene, size_t count)
{
    return acre_column_reserve(scene, &scene->slots, count, sizeof(slot_record)) &&
           acre_column_reserve(scene, &scene->links, count, sizeof(slot_links)) &&
           acre_column_reserve(scene, &scene->labels, count, sizeof(slot_labels));
}

bool acre_scene_reserve_rows(acre_scene *scene, size_t count)
{
    return acre_column_reserve(scene, &scene->locals, count, sizeof(local_row)) &&
           acre_column_reserve(scene, &scene->boxes, count, sizeof(acre_aabb)) &&
           acre_column_reserve(scene, &scene->row_slot, count, sizeof(uint32_t)) &&
           acre_column_reserve(scene, &scene->row_parent, count, sizeof(uint32_t)) &&
           acre_column_reserve(scene, &scene->row_bits, count, sizeof(uint8_t)) &&
           row_set_reserve(scene, &scene->dirty, count) &&
           row_set_reserve(scene, &scene->labelled, count) &&
           row_set_reserve(scene, &scene->destroyed, count) &&
           row_set_reserve(scene, &scene->misplaced, count);
}

bool acre_scene_reserve_published(acre_scene *scene)
{
    const size_t slots = scene->slot_count;
    return acre_column_reserve(scene, &scene->worlds, scene->row_count, sizeof(world_row)) &&
           acre_column_reserve(scene, &scene->published, slots, sizeof(published_slot)) &&
           acre_column_reserve(scene, &scene->world_boxes, slots, sizeof(acre_aabb)) &&
           acre_column_reserve(scene, &scene->world_flags, slots, sizeof(uint32_t)) &&
           acre_column_reserve(scene, &scene->world_layers, slots, sizeof(uint32_t)) &&
           acre_column_reserve(scene, &scene->world_user, slots, sizeof(uint64_t));
}

void acre_scene_free_columns(acre_scene *scene)
{
    acre_column_free(scene, &scene->slots, sizeof(slot_record));
    acre_column_free(scene, &scene->links, sizeof(slot_links));
    acre_column_free(scene, &scene->labels, sizeof(slot_labels));
    acre_column_free(scene, &scene->locals, sizeof(local_row));
    acre_column_free(scene, &scene->boxes, sizeof(acre_aabb));
    acre_column_free(scene, &scene->row_slot, sizeof(uint32_t));
    acre_column_free(scene, &scene->row_parent, sizeof(uint32_t));
    acre_column_free(scene, &scene->row_bits, sizeof(uint8_t));
    row_set_free(scene, &scene->dirty);
    row_set_free(scene, &scene->labelled);
    row_set_free(scene, &scene->destroyed);
    row_set_free(scene, &scene->misplaced);
    acre_column_free(scene, &scene->worlds, sizeof(world_row));
    acre_column_free(scene, &scene->published, sizeof(published_slot));
    acre_column_free(scene, &scene->world_boxes, sizeof(acre_aabb));
    acre_column_free(scene, &scene->world_flags, sizeof(uint32_t));
    acre_column_free(scene, &scene->world_layers, sizeof(uint32_t));
    acre_column_free(scene, &scene->world_user, sizeof(uint64_t));
    acre_column_free(scene, &scene->list_destroyed, sizeof(uint32_t));
    acre_column_free(scene, &scene->list_created, sizeof(uint32_t));
    acre_column_free(scene, &scene->list_moved, sizeof(uint32_t));
    acre_column_free(scene, &scene->list_relabelled, sizeof(uint32_t));
    acre_column_free(scene, &scene->modules, sizeof(const acre_module *));
}
