// SPDX-License-Identifier: MIT
// culling_entities.c - single entities: registering them, and refreshing them between commits.
#include "culling_internal.h"

static acre_result end_entity_edit(acre_culling *culling, acre_result result)
{
    culling_check_edit(culling);
    return culling_end_edit(culling, result);
}

static acre_result begin_entity_edit(acre_culling *culling, acre_entity entity)
{
    const acre_result result = culling_begin_edit(culling, culling && !culling->has_host);
    if (result != ACRE_OK) {
        return result;
    }
    culling->revision++;
    return acre_entity_is_alive(culling->scene, entity)
               ? ACRE_OK
               : end_entity_edit(culling, ACRE_ERROR_STALE_HANDLE);
}

static acre_result edit_entity(acre_culling *culling, acre_entity entity,
                               acre_result (*edit)(acre_culling *culling, acre_entity entity))
{
    const acre_result result = begin_entity_edit(culling, entity);
    return result == ACRE_OK ? end_entity_edit(culling, edit(culling, entity)) : result;
}

static acre_result register_entity(acre_culling *culling, acre_entity entity)
{
    const uint32_t slot = entity.index1 - 1u;
    if (culling_is_registered(culling, entity)) {
        return ACRE_ERROR_EXISTS;
    }
    if (slot >= culling->item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!acre_culling_reserve_slots(culling, (size_t)slot + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_culling_bind_slot(culling, entity);
    culling_slot *const own = culling_slot_at(culling, slot);
    const uint16_t bits_before = own->bits;
    const bool was_behind = culling->is_behind;
    own->bits = (uint16_t)(SLOT_REGISTERED |
                           (acre_culling_is_published(culling, entity) ? SLOT_PUBLISHED : 0));
    const culling_table table = acre_culling_table(culling);
    acre_culling_update_place(culling, &table, slot);
    if (culling->edit_result != ACRE_OK) {
        acre_culling_leave(culling, slot);
        own->bits = bits_before;
        culling->is_behind = was_behind;
    }
    return ACRE_OK;
}

acre_result acre_culling_register(acre_culling *culling, acre_entity entity)
{
    const acre_result result = edit_entity(culling, entity, register_entity);
    return ACRE_ANSWER(result, "o@", culling, entity.index1);
}

static acre_result unregister_entity(acre_culling *culling, acre_entity entity)
{
    if (!culling_is_registered(culling, entity)) {
        return ACRE_ERROR_NOT_FOUND;
    }
    culling_slot *const own = culling_slot_at(culling, entity.index1 - 1u);
    acre_culling_leave(culling, entity.index1 - 1u);
    own->bits = (uint16_t)((own->bits & SLOT_PUBLISHED) | SLOT_EXCLUDED);
    return ACRE_OK;
}

acre_result acre_culling_unregister(acre_culling *culling, acre_entity entity)
{
    const acre_result result = edit_entity(culling, entity, unregister_entity);
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_NOT_REGISTERED, "o@", culling, entity.index1);
}

// Settles what acre_scene_refresh lists.
static acre_result refresh_listed(acre_culling *culling, acre_entity entity)
{
    const size_t slot_count = acre_culling_table(culling).slot_count;
    // All slots, at once: the scene tells only once which ancestors have a new box.
    if (!acre_culling_reserve_slots(culling, slot_count) ||
        !COLUMN_RESERVE(&culling->allocator, culling->refreshed, slot_count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    size_t count = 0;
    uint32_t *const slots = culling->refreshed.data;
    culling_note(culling, acre_scene_refresh(culling->scene, entity, slots, slot_count, &count));
    const culling_table table = acre_culling_table(culling);
    for (size_t i = 0; i < count; i++) {
        acre_culling_register_if_all(culling, &table, slots[i]);
        acre_culling_update_place(culling, &table, slots[i]);
    }
    return ACRE_OK;
}

acre_result acre_culling_refresh(acre_culling *culling, acre_entity entity)
{
    const acre_result result = edit_entity(culling, entity, refresh_listed);
    return ACRE_ANSWER(result, "o@", culling, entity.index1);
}

static acre_result refresh_box(acre_culling *culling, acre_entity entity, const acre_aabb *world)
{
    const acre_result result = acre_scene_publish_world_bounds(culling->scene, entity, world);
    if (result == ACRE_OK) {
        const culling_table table = acre_culling_table(culling);
        acre_culling_update_place(culling, &table, entity.index1 - 1u);
    }
    return result;
}

acre_result acre_culling_refresh_bounds(acre_culling *culling, acre_entity entity,
                                        const acre_aabb *world)
{
    acre_result result = begin_entity_edit(culling, entity);
    if (result == ACRE_OK) {
        result = !culling_is_registered(culling, entity) ? ACRE_ERROR_NOT_FOUND
                 : !world || !acre_aabb_is_valid(world)  ? ACRE_ERROR_INVALID_ARGUMENT
                                                         : refresh_box(culling, entity, world);
        result = end_entity_edit(culling, result);
    }
    return ACRE_ANSWER_RULE(result, ACRE_REFUSED_NOT_REGISTERED, "o@B", culling, entity.index1,
                            world);
}

bool acre_culling_is_registered(const acre_culling *culling, acre_entity entity)
{
    const acre_result result = culling_begin_read(culling, true);
    if (result != ACRE_OK) {
        return ACRE_MISUSED(result, "o", culling);
    }
    const bool is_registered =
        culling_is_registered(culling, entity) && culling_is_alive(culling, entity);
    access_end_read(&culling->access);
    return is_registered;
}
