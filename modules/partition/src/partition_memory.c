// SPDX-License-Identifier: MIT
// partition_memory.c - all memory of a part: counted and freed.
#include "partition_internal.h"

// ---- all columns, each once ----

static void visit_rounds(column_visitor *visitor, partition_rounds *rounds)
{
    for (size_t i = 0; i < rounds->parts.capacity; i++) {
        COLUMN_VISIT(visitor, rounds->parts.data[i].question.bytes);
        COLUMN_VISIT(visitor, rounds->parts.data[i].answer.bytes);
    }
    COLUMN_VISIT(visitor, rounds->questions);
    COLUMN_VISIT(visitor, rounds->answers);
    COLUMN_VISIT(visitor, rounds->entries);
    COLUMN_VISIT(visitor, rounds->found);
    COLUMN_VISIT(visitor, rounds->parts);
    COLUMN_VISIT(visitor, rounds->marks);
    COLUMN_VISIT(visitor, rounds->hits);
    COLUMN_VISIT(visitor, rounds->items);
    COLUMN_VISIT(visitor, rounds->own_found);
}

static void visit_slots(column_visitor *visitor, acre_partition *part)
{
    COLUMN_VISIT(visitor, part->boxes);
    COLUMN_VISIT(visitor, part->numbers);
    COLUMN_VISIT(visitor, part->stamps);
    COLUMN_VISIT(visitor, part->next_free);
    COLUMN_VISIT(visitor, part->kinds);
    COLUMN_VISIT(visitor, part->images);
    COLUMN_VISIT(visitor, part->is_giant);
    COLUMN_VISIT(visitor, part->table);
}

static void visit_exchange(column_visitor *visitor, acre_partition *part)
{
    partition_list *const lists[] = {&part->arrived, &part->departed, &part->entered, &part->left,
                                     &part->refused};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        COLUMN_VISIT(visitor, lists[i]->items);
    }
    for (size_t i = 0; i < part->messages.capacity; i++) {
        COLUMN_VISIT(visitor, part->messages.data[i].bytes);
    }
    COLUMN_VISIT(visitor, part->messages);
    COLUMN_VISIT(visitor, part->sent);
    COLUMN_VISIT(visitor, part->taken);
    COLUMN_VISIT(visitor, part->fresh);
    COLUMN_VISIT(visitor, part->fresh_boxes);
    COLUMN_VISIT(visitor, part->rider_places);
    COLUMN_VISIT(visitor, part->riders);
}

static void visit_part(column_visitor *visitor, void *object)
{
    acre_partition *const part = object;
    visit_slots(visitor, part);
    visit_exchange(visitor, part);
    visit_rounds(visitor, &part->rounds);
    COLUMN_VISIT(visitor, part->cut);
    COLUMN_VISIT(visitor, part->loads);
    COLUMN_VISIT(visitor, part->neighbors);
    COLUMN_VISIT(visitor, part->pairs);
    COLUMN_VISIT(visitor, part->number_pairs);
    COLUMN_VISIT(visitor, part->packed);
}

size_t acre_partition_memory(const acre_partition *part)
{
    return acre_object_bytes(part, sizeof *part, visit_part);
}

void acre_partition_free(acre_partition *part)
{
    acre_quadtree_destroy(part->tree);
    acre_object_free(part, sizeof *part, visit_part);
}
