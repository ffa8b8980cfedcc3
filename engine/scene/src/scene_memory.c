// SPDX-License-Identifier: MIT
// scene_memory.c - the scene's growable arrays: room for them, and giving it back.
#include "scene_commit_internal.h"

#include <string.h>

// Every column but those of the sets: how many elements are in use, and where they are counted.
#define SCENE_COLUMNS(X)                                                                           \
    X(slots, scene->slot_count, bytes_entities)                                                    \
    X(links, scene->slot_count, bytes_entities)                                                    \
    X(absent_layers, scene->slot_count, bytes_entities)                                            \
    X(users, scene->slot_count, bytes_entities)                                                    \
    X(rules, scene->slot_count, bytes_entities)                                                    \
    X(places, scene->slot_count, bytes_transforms)                                                 \
    X(heads, scene->row_count, bytes_entities)                                                     \
    X(locals, scene->row_count, bytes_transforms)                                                  \
    X(matrices, scene->matrix_count, bytes_transforms)                                             \
    X(worlds, scene->row_count, bytes_worlds)                                                      \
    X(published, scene->published_slots, bytes_entities)                                           \
    X(world_boxes, scene->published_slots, bytes_worlds)                                           \
    X(world_flags, scene->published_slots, bytes_entities)                                         \
    X(world_layers, scene->published_slots, bytes_entities)                                        \
    X(world_user, scene->published_slots, bytes_entities)                                          \
    X(list_destroyed, 0, bytes_changes)                                                            \
    X(list_computed, 0, bytes_changes)                                                             \
    X(list_relabeled, 0, bytes_changes)                                                            \
    X(share_words, 0, bytes_changes)                                                               \
    X(share_blocks, 0, bytes_changes)                                                              \
    X(modules, scene->module_count, bytes_other)

#define SCENE_SETS(X)                                                                              \
    X(dirty)                                                                                       \
    X(boxed)                                                                                       \
    X(toggled)                                                                                     \
    X(labeled)                                                                                     \
    X(destroyed)                                                                                   \
    X(misplaced)

// A column that must grow for a load gets room for a sixteenth more, so that the first frames of
// the loaded scene find room for new rows and slots. (Filled one by one, columns grow by more than
// that.)
static size_t with_room(size_t count, size_t capacity)
{
    return count <= capacity ? count : count + count / 16;
}

#define RESERVE_ROOM(scene, c, count)                                                              \
    COLUMN_RESERVE(&(scene)->allocator, (scene)->c, with_room((count), (scene)->c.capacity))

// Words for that many rows: whole summary words, each for 64 words of 64 rows.
static size_t set_words(size_t rows)
{
    return (rows + 4095) / 4096 * 64;
}

static bool reserve_set(const acre_scene *scene, row_set *set, size_t rows)
{
    // If the second call fails, the shorter column bounds every scan.
    const size_t words = set_words(with_room(rows, set->words.capacity * 64));
    return COLUMN_RESERVE(&scene->allocator, set->words, words) &&
           COLUMN_RESERVE(&scene->allocator, set->summary, set->words.capacity / 64);
}

bool acre_scene_reserve_slots(acre_scene *scene, size_t count)
{
    ACRE_ASSERT(count >= scene->slot_count && count <= scene->entity_capacity);
    return RESERVE_ROOM(scene, slots, count) && RESERVE_ROOM(scene, links, count) &&
           (!scene->has_doubles || RESERVE_ROOM(scene, places, count));
}

// Each create asks, and nearly always the answer is yes.
static bool has_rows(const acre_scene *scene, size_t count)
{
    const size_t words = set_words(count);
#define HAS_WORDS(set)                                                                             \
    &&words <= scene->set.words.capacity &&words / 64 <= scene->set.summary.capacity
    return count <= scene->heads.capacity && count <= scene->locals.capacity SCENE_SETS(HAS_WORDS);
#undef HAS_WORDS
}

bool acre_scene_reserve_rows(acre_scene *scene, size_t count)
{
    ACRE_ASSERT(count >= scene->row_count && count <= MAX_ROWS);
    if (has_rows(scene, count)) {
        return true;
    }
    return RESERVE_ROOM(scene, heads, count) && RESERVE_ROOM(scene, locals, count) &&
           reserve_set(scene, &scene->dirty, count) && reserve_set(scene, &scene->boxed, count) &&
           reserve_set(scene, &scene->toggled, count) &&
           reserve_set(scene, &scene->labeled, count) &&
           reserve_set(scene, &scene->destroyed, count) &&
           reserve_set(scene, &scene->misplaced, count);
}

bool acre_scene_reserve_worlds(acre_scene *scene, size_t rows)
{
    return RESERVE_ROOM(scene, worlds, rows);
}

static bool reserve_published(acre_scene *scene, size_t slots, size_t rows)
{
    return acre_scene_reserve_worlds(scene, rows) && RESERVE_ROOM(scene, published, slots) &&
           RESERVE_ROOM(scene, world_boxes, slots) && RESERVE_ROOM(scene, world_flags, slots) &&
           RESERVE_ROOM(scene, world_layers, slots) && RESERVE_ROOM(scene, world_user, slots);
}

bool acre_scene_reserve_published(acre_scene *scene)
{
    return reserve_published(scene, scene->slot_count, scene->row_count) &&
           RESERVE_ROOM(scene, list_computed, scene->live_count);
}

static bool reserve_lists(acre_scene *scene, size_t entities)
{
    return RESERVE_ROOM(scene, list_destroyed, entities) &&
           RESERVE_ROOM(scene, list_computed, entities) &&
           RESERVE_ROOM(scene, list_relabeled, entities);
}

static bool reserve_scene(acre_scene *scene, size_t entities)
{
    // Retired slots hold nothing; free ones are used first.
    const size_t wanted = entities + scene->retired_count, known = scene->slot_count;
    const size_t most = wanted < scene->entity_capacity ? wanted : scene->entity_capacity;
    const size_t slots = most < known ? known : most;
    const size_t some = scene_most_rows(entities), used = scene->row_count;
    const size_t rows = some < used ? used : some;
    return acre_scene_reserve_slots(scene, slots) && acre_scene_reserve_rows(scene, rows) &&
           RESERVE_ROOM(scene, absent_layers, slots) && RESERVE_ROOM(scene, users, slots) &&
           (scene->rules.capacity == 0 || RESERVE_ROOM(scene, rules, slots)) &&
           reserve_published(scene, slots, rows) && reserve_lists(scene, entities) &&
           acre_commit_reserve_shares(scene, rows);
}

acre_result acre_scene_reserve(acre_scene *scene, size_t entities)
{
    acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    if (!access_begin_write(&scene->access)) {
        return scene_end_edit(scene, ACRE_ERROR_BUSY);
    }
    if (entities > scene->entity_capacity) {
        result = ACRE_ERROR_CAPACITY;
    } else if (!reserve_scene(scene, entities)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    access_end_write(&scene->access);
    return scene_end_edit(scene, result);
}

void acre_scene_visit_columns(column_visitor *visitor, void *object)
{
    acre_scene *const scene = object;
#define VISIT_COLUMN(name, used, category) COLUMN_VISIT(visitor, scene->name);
#define VISIT_SET(name)                                                                            \
    COLUMN_VISIT(visitor, scene->name.words);                                                      \
    COLUMN_VISIT(visitor, scene->name.summary);
    SCENE_COLUMNS(VISIT_COLUMN)
    SCENE_SETS(VISIT_SET)
#undef VISIT_COLUMN
#undef VISIT_SET
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
#define SHRINK_COLUMN(name, used, category) COLUMN_SHRINK(&scene->allocator, scene->name, used);
#define SHRINK_SET(name) shrink_set(scene, &scene->name);
    SCENE_COLUMNS(SHRINK_COLUMN)
    SCENE_SETS(SHRINK_SET)
#undef SHRINK_COLUMN
#undef SHRINK_SET
}

void acre_scene_get_stats(const acre_scene *scene, acre_scene_stats *out)
{
    if (!out) {
        return;
    }
    memset(out, 0, sizeof *out);
    if (!scene) {
        (void)ACRE_NOTHING(ACRE_ERROR_INVALID_ARGUMENT, "o", scene);
        return;
    }
    out->entities = scene->live_count;
    out->slots = scene->slot_count;
    out->free_slots = scene->free_count;
    out->retired_slots = scene->retired_count;
    out->matrices = scene->matrix_count - scene->free_matrix_count;
    out->bytes_other = sizeof *scene;
#define COUNT_COLUMN(name, used, category)                                                         \
    out->category += scene->name.capacity * sizeof *scene->name.data;
#define COUNT_SET(name)                                                                            \
    out->bytes_changes += (scene->name.words.capacity + scene->name.summary.capacity) * 8;
    SCENE_COLUMNS(COUNT_COLUMN)
    SCENE_SETS(COUNT_SET)
#undef COUNT_COLUMN
#undef COUNT_SET
    out->bytes = out->bytes_entities + out->bytes_transforms + out->bytes_worlds +
                 out->bytes_changes + out->bytes_other;
}
