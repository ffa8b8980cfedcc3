// SPDX-License-Identifier: MIT
// scene_bounds.c - boxes of entities: local ones, which the world matrix places, and world boxes,
// which hold whatever moves; one by one and in batches.
#include "scene_edit_internal.h"

// Which box kind six edges are, judged by their bits: denormals count as such in every float mode.
static uint32_t box_kind(const acre_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        ACRE_INVARIANT(!float_is_nan(box->min[axis]) && !float_is_nan(box->max[axis]));
        if (float_order(box->min[axis]) > float_order(box->max[axis])) {
            return ROW_BOX_EMPTY;
        }
    }
    return acre_aabb_is_finite(box) ? ROW_BOX_FINITE : ROW_BOX_INFINITE;
}

// The box as it is stored: without denormals, and canonical where only they made it empty.
static acre_aabb stored_box(const acre_aabb *given)
{
    acre_aabb box = *given;
    floats_flush_denormals(box.min, 3);
    floats_flush_denormals(box.max, 3);
    return box_kind(given) == ROW_BOX_EMPTY && box_kind(&box) != ROW_BOX_EMPTY ? acre_aabb_empty()
                                                                               : box;
}

static inline void set_row_kind(acre_scene *scene, uint32_t row, uint32_t kind)
{
    const uint32_t before = row_bits(scene, row) & ROW_BOX_MASK;
    if (before != kind) {
        row_bits_change(scene, row, ROW_BOX_MASK, kind);
        if (before == ROW_BOX_NONE || kind == ROW_BOX_NONE) {
            row_set_add(&scene->labeled, row);
        }
    }
}

void acre_row_set_box(acre_scene *scene, uint32_t row, const acre_aabb *local)
{
    acre_aabb *const stored = &COLUMN_AT(scene->locals, row)->box;
    *stored = local ? stored_box(local) : acre_aabb_empty();
    set_row_kind(scene, row, local ? box_kind(stored) : ROW_BOX_NONE);
    row_set_add(&scene->dirty, row);
}

acre_result acre_entity_set_bounds(acre_scene *scene, acre_entity entity, const acre_aabb *local)
{
    uint32_t slot;
    acre_result result = scene_begin_edit_of(scene, entity, &slot);
    if (result == ACRE_OK) {
        result = local && box_has_nan(local) ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK;
        if (result == ACRE_OK) {
            acre_row_set_box(scene, scene_row(scene, slot), local);
        }
        result = scene_end_edit(scene, result);
    }
    return ACRE_ANSWER(result, "o@?C", scene, entity.index1, local);
}

// A row of a batch as words, which are tested and stored from registers. By way of a box in memory
// a row would take 20 ns instead of 6: words that are read wait for narrower ones to be written.
typedef struct box_words {
    uint64_t xy[2]; // of the smallest corner, and of the largest
    uint32_t z[2];
} box_words;

static inline box_words read_words(const acre_box_array *boxes, size_t row)
{
    const unsigned char *const first = (const unsigned char *)boxes->first;
    const unsigned char *const second = (const unsigned char *)boxes->second;
    box_words words;
    memcpy(&words.xy[0], first + row * boxes->first_stride, sizeof words.xy[0]);
    memcpy(&words.z[0], first + row * boxes->first_stride + 8, sizeof words.z[0]);
    memcpy(&words.xy[1], second + row * boxes->second_stride, sizeof words.xy[1]);
    memcpy(&words.z[1], second + row * boxes->second_stride + 8, sizeof words.z[1]);
    return words;
}

// The sign bits of those of two floats that are NaN, or -0, or smaller than FLT_MIN but not 0.
static inline uint64_t find_unusual(uint64_t edges)
{
    const uint64_t signs = 0x8000000080000000u, sizes = edges & ~signs;
    const uint64_t are_nan = sizes + 0x007fffff007fffffu;
    const uint64_t are_normal = sizes + 0x7f8000007f800000u;
    const uint64_t are_not_zero = (sizes + 0x7fffffff7fffffffu) | edges;
    return (are_nan | (are_not_zero & ~are_normal)) & signs;
}

// Whether the box is stored as the words have it, as nearly all are.
static inline bool words_are_usual(const box_words *words)
{
    const uint64_t z = words->z[0] | (uint64_t)words->z[1] << 32;
    return (find_unusual(words->xy[0]) | find_unusual(words->xy[1]) | find_unusual(z)) == 0;
}

static inline void store_words(acre_aabb *box, const box_words *words)
{
    memcpy(box->min, &words->xy[0], sizeof words->xy[0]);
    memcpy(box->min + 2, &words->z[0], sizeof words->z[0]);
    memcpy(box->max, &words->xy[1], sizeof words->xy[1]);
    memcpy(box->max + 2, &words->z[1], sizeof words->z[1]);
}

// A box that is not stored as it is given, or that has another form. @return false: it is NaN.
ACRE_NEVER_INLINE
static bool set_unusual_box(acre_scene *scene, uint32_t row, const acre_aabb *box, bool is_world)
{
    if (box_has_nan(box)) {
        return false;
    }
    acre_aabb *const stored = &COLUMN_AT(scene->locals, row)->box;
    *stored = stored_box(box);
    set_row_kind(scene, row, is_world ? ROW_BOX_WORLD : box_kind(stored));
    return true;
}

// @return false: the box is NaN.
ACRE_ALWAYS_INLINE bool set_listed_box(acre_scene *scene, uint32_t row, const acre_box_array *boxes,
                                       size_t number, bool is_world)
{
    if (boxes->form == ACRE_BOX_FORM_MIN_MAX) {
        const box_words words = read_words(boxes, number);
        if (words_are_usual(&words)) {
            acre_aabb *const stored = &COLUMN_AT(scene->locals, row)->box;
            store_words(stored, &words);
            set_row_kind(scene, row, is_world ? ROW_BOX_WORLD : box_kind(stored));
            return true;
        }
    }
    const acre_aabb box = box_array_row(boxes, number);
    return set_unusual_box(scene, row, &box, is_world);
}

// Boxes of many entities: the good rows are applied. The bits of neighboring rows are written
// together. @return the first refused row, or count.
ACRE_ALWAYS_INLINE size_t set_boxes(acre_scene *scene, const acre_entity *entities,
                                    const acre_box_array *boxes, size_t count, bool are_world)
{
    row_set *const edited = are_world ? &scene->boxed : &scene->dirty;
    const slot_record *const slots = scene->slots.data;
    size_t refused = count;
    uint64_t bits = 0;
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = scene_live_slot(scene, entities[i]);
        const uint32_t row = slot == NONE ? NONE : slots[slot].row;
        if (slot == NONE || !set_listed_box(scene, row, boxes, i, are_world)) {
            refused = refused == count ? i : refused;
            continue;
        }
        if (row >> 6 != word) {
            row_set_add_word(edited, word, bits);
            word = row >> 6;
            bits = 0;
        }
        bits |= (uint64_t)1 << (row & 63);
    }
    row_set_add_word(edited, word, bits);
    return refused;
}

static acre_result edit_boxes(acre_scene *scene, const acre_entity *entities,
                              const acre_box_array *boxes, size_t count, bool are_world)
{
    if (!box_array_is_valid(boxes, count) || (count > 0 && !entities)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    const size_t refused = are_world ? set_boxes(scene, entities, boxes, count, true)
                                     : set_boxes(scene, entities, boxes, count, false);
    const bool is_stale = refused < count && scene_live_slot(scene, entities[refused]) == NONE;
    return scene_end_edit(scene, refused == count ? ACRE_OK
                                 : is_stale       ? ACRE_ERROR_STALE_HANDLE
                                                  : ACRE_ERROR_INVALID_ARGUMENT);
}

acre_result acre_scene_set_bounds(acre_scene *scene, const acre_entity *entities,
                                  const acre_box_array *local, size_t count)
{
    return edit_boxes(scene, entities, local, count, false);
}

acre_result acre_scene_set_world_bounds(acre_scene *scene, const acre_entity *entities,
                                        const acre_box_array *world, size_t count)
{
    return edit_boxes(scene, entities, world, count, true);
}

acre_result acre_scene_publish_world_bounds(acre_scene *scene, acre_entity entity,
                                            const acre_aabb *world)
{
    uint32_t slot;
    const acre_result result =
        world ? scene_begin_edit_of(scene, entity, &slot) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result != ACRE_OK) {
        return result;
    }
    if (!access_begin_write(&scene->access)) {
        return scene_end_edit(scene, ACRE_ERROR_BUSY);
    }
    const uint32_t row = scene_row(scene, slot);
    const bool is_set = set_unusual_box(scene, row, world, true);
    if (is_set) {
        row_set_add(&scene->boxed, row);
    }
    if (is_set && !(row_bits(scene, row) & ROW_CREATED)) {
        *COLUMN_AT(scene->world_boxes, slot) = COLUMN_AT(scene->locals, row)->box;
        COLUMN_AT(scene->published, slot)->has_bounds = true;
    }
    access_end_write(&scene->access);
    return scene_end_edit(scene, is_set ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT);
}
