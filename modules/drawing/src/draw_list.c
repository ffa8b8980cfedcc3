// SPDX-License-Identifier: MIT
// draw_list.c - a draw list's life, and its content as other forms.
#include "out_internal.h"
#include "draw_list_internal.h"

#include <string.h>

acre_result acre_draw_list_create(const acre_allocator *allocator, acre_draw_list **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = acre_resize(allocator, NULL, 0, sizeof **out, _Alignof(acre_draw_list));
    if (!*out) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memset(*out, 0, sizeof **out);
    if (allocator) {
        (*out)->allocator = *allocator;
    }
    return ACRE_OK;
}

void acre_draw_list_destroy(acre_draw_list *list)
{
    if (!list) {
        return;
    }
    const acre_allocator allocator = list->allocator;
    for (int i = 0; i < 2; i++) {
        acre_column_free(&allocator, &list->slots[i], sizeof(uint32_t));
        acre_column_free(&allocator, &list->records[i], sizeof(uint64_t));
    }
    acre_column_free(&allocator, &list->ranges, sizeof(acre_draw_range));
    acre_column_free(&allocator, &list->matrices, sizeof(float));
    acre_column_free(&allocator, &list->groups, sizeof(uint64_t));
    acre_column_free(&allocator, &list->counts, sizeof(uint32_t));
    (void)acre_resize(&allocator, list, sizeof *list, 0, _Alignof(acre_draw_list));
}

static size_t list_bytes(const acre_draw_list *list)
{
    const size_t slots = list->slots[0].capacity + list->slots[1].capacity;
    const size_t records = list->records[0].capacity + list->records[1].capacity;
    return sizeof *list + list->ranges.capacity * sizeof(acre_draw_range) +
           list->matrices.capacity * sizeof(float) + list->groups.capacity * sizeof(uint64_t) +
           list->counts.capacity * sizeof(uint32_t) + slots * sizeof(uint32_t) +
           records * sizeof(uint64_t);
}

acre_draw acre_draw_list_get(const acre_draw_list *list)
{
    acre_draw draw;
    memset(&draw, 0, sizeof draw);
    if (list) {
        const size_t floats = acre_matrix_floats(list->form);
        draw = (acre_draw){.slots = list->slots[list->front].data,
                           .count = list->count,
                           .ranges = list->ranges.data,
                           .range_count = list->range_count,
                           .matrices = floats ? list->matrices.data : NULL,
                           .matrix_floats = floats,
                           .bytes = list_bytes(list)};
    }
    return draw;
}

static const acre_draw_mesh *find_mesh(const acre_draw_meshes *table, const acre_draw_range *range)
{
    const uint64_t index = (uint64_t)range->key * table->lod_count + range->lod;
    return range->lod < table->lod_count && index < table->count ? &table->meshes[index] : NULL;
}

acre_result acre_draw_list_commands(const acre_draw_list *list, const acre_draw_meshes *table,
                                    acre_draw_command *commands, size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!list || !table || table->lod_count == 0 || (table->count > 0 && !table->meshes) ||
        (capacity > 0 && !commands)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_draw_range *const ranges = list->ranges.data;
    for (size_t i = 0; i < list->range_count; i++) {
        if (!find_mesh(table, &ranges[i])) {
            return ACRE_ERROR_NOT_FOUND;
        }
    }
    for (size_t i = 0; i < list->range_count && i < capacity; i++) {
        const acre_draw_mesh *const mesh = find_mesh(table, &ranges[i]);
        commands[i] = (acre_draw_command){.index_count = mesh->index_count,
                                          .instance_count = ranges[i].count,
                                          .first_index = mesh->first_index,
                                          .base_vertex = mesh->base_vertex,
                                          .first_instance = ranges[i].first};
    }
    set_count(total, list->range_count);
    return ACRE_OK;
}
