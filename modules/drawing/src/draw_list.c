// SPDX-License-Identifier: MIT
// draw_list.c - a draw list's life, and its content as other forms.
#include "out_internal.h"
#include "draw_list_internal.h"
#include "object_internal.h"

#include <string.h>

acre_result acre_draw_list_create(const acre_allocator *allocator, acre_draw_list **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = acre_object_make(allocator, sizeof **out);
    return *out ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}

static void visit_draw_list(column_visitor *visitor, void *object)
{
    acre_draw_list *const list = object;
    for (int i = 0; i < 2; i++) {
        COLUMN_VISIT(visitor, list->slots[i]);
        COLUMN_VISIT(visitor, list->records[i]);
    }
    COLUMN_VISIT(visitor, list->ranges);
    COLUMN_VISIT(visitor, list->matrices);
    COLUMN_VISIT(visitor, list->groups);
    COLUMN_VISIT(visitor, list->counts);
}

void acre_draw_list_destroy(acre_draw_list *list)
{
    acre_object_free(list, sizeof *list, visit_draw_list);
}

acre_draw acre_draw_list_get(const acre_draw_list *list)
{
    acre_draw draw;
    memset(&draw, 0, sizeof draw);
    if (list) {
        const size_t floats = acre_matrix_floats(list->form);
        ACRE_INVARIANT(list->count <= list->slots[list->front].capacity);
        ACRE_INVARIANT(list->count * floats <= list->matrices.capacity);
        draw = (acre_draw){.slots = list->slots[list->front].data,
                           .count = list->count,
                           .ranges = list->ranges.data,
                           .range_count = list->range_count,
                           .matrices = floats ? list->matrices.data : NULL,
                           .matrix_floats = floats,
                           .bytes = acre_object_bytes(list, sizeof *list, visit_draw_list)};
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
