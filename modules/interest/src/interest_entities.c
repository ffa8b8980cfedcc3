// SPDX-License-Identifier: MIT
// interest_entities.c - an interest over the entities of a culler.
#include "interest_internal.h"

#include "culling_shared.h"

#include <string.h>

typedef struct entity_front {
    const acre_culling *culling;
    culling_reader reader; // between open and close
} entity_front;

static bool open_culling(void *state, interest_world *world)
{
    entity_front *const front = state;
    if (!acre_culling_begin_reading(front->culling, &front->reader)) {
        return false;
    }
    world->count = 0;
    for (int i = 0; i < TREE_COUNT; i++) {
        if (front->reader.trees[i]) {
            world->trees[world->count++] = front->reader.trees[i];
        }
    }
    return true;
}

static void close_culling(void *state)
{
    const entity_front *const front = state;
    acre_culling_end_reading(&front->reader);
}

static size_t entity_slot_count(const void *state)
{
    const entity_front *const front = state;
    return front->reader.table.known_count;
}

static uint32_t entity_generation(const void *state, uint32_t slot)
{
    const entity_front *const front = state;
    return culling_slot_of(&front->reader.table, slot).generation;
}

static bool note_entities(void *state, acre_interest *interest)
{
    const entity_front *const front = state;
    const culling_slot *const slots = front->reader.table.slots;
    const uint32_t *const noted = interest->noted.data;
    ACRE_INVARIANT(front->reader.table.known_count <= interest->noted.capacity);
    for (size_t i = 0; i < front->reader.table.known_count; i++) {
        if (slots[i].generation != noted[i] &&
            !acre_interest_note_generation(interest, (uint32_t)i, slots[i].generation)) {
            return false;
        }
    }
    return true;
}

static acre_entity entity_handle(const void *state, uint32_t slot, uint32_t generation)
{
    const entity_front *const front = state;
    return (acre_entity){slot + 1, front->reader.scene_number, (uint16_t)generation};
}

static bool entity_is_alive(const void *state, acre_entity entity)
{
    const entity_front *const front = state;
    return acre_culling_is_published(front->culling, entity);
}

// Where a hidden entity has gone is known once it is shown. Without a box that has a center an
// entity stands at the origin of its matrix.
static bool entity_place(const void *state, acre_entity entity, float *place)
{
    const entity_front *const front = state;
    const culling_table *const table = &front->reader.table;
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= table->slot_count || (culling_flags(table, slot) & ACRE_ENTITY_HIDDEN)) {
        return false;
    }
    const acre_aabb box = slot < table->known_count ? culling_box(table, slot) : table->boxes[slot];
    if (!acre_aabb_is_empty(&box) && center_of_box(&box, place)) {
        return true;
    }
    float matrix[16];
    if (!front->reader.scene ||
        acre_entity_world_matrix(front->reader.scene, entity, matrix) != ACRE_OK) {
        return false;
    }
    memcpy(place, matrix + 12, 3 * sizeof *place);
    return float_is_finite(place[0]) && float_is_finite(place[1]) && float_is_finite(place[2]);
}

static const interest_front front_of_entities = {
    .open = open_culling,
    .close = close_culling,
    .note_generations = note_entities,
    .slot_count = entity_slot_count,
    .generation = entity_generation,
    .handle = entity_handle,
    .place = entity_place,
    .is_alive = entity_is_alive,
    .state_size = sizeof(entity_front),
    .state_alignment = _Alignof(entity_front),
};

acre_result acre_interest_create_for_entities(const acre_culling *culling,
                                              const acre_interest_def *def, acre_interest **out)
{
    const acre_result result = acre_interest_make(def, culling, &front_of_entities, out);
    if (result == ACRE_OK) {
        ((entity_front *)(*out)->front_state)->culling = culling;
    }
    return ACRE_ANSWER(result, "o?Ip", culling, def, out);
}
