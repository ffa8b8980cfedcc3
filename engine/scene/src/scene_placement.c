// SPDX-License-Identifier: MIT
// scene_placement.c - one number for where an entity is: equal numbers, nothing moved.
#include "scene_internal.h"

#include "bits_internal.h"
#include "scene_math_internal.h"

#include <string.h>

static uint64_t hash_placement(const affine *world, const acre_aabb *box, bool has_bounds,
                               uint32_t bounds_edits)
{
    uint64_t words[9];
    _Static_assert(sizeof *world + sizeof *box == sizeof words, "all floats are hashed");
    memcpy(words, world->m, sizeof world->m);
    memcpy(words + 6, box, sizeof *box);
    uint64_t hash = bounds_edits * 2u + has_bounds;
    for (int i = 0; i < 9; i++) {
        hash = mix_bits((hash ^ words[i]) + MIX_STEP);
    }
    return hash;
}

// The world matrix as the next commit will compute it: from the root down, in the same order, so
// that it is equal bit for bit.
static affine compute_recorded(acre_scene *scene, uint32_t slot)
{
    slot_links *const links = scene->links.data;
    uint32_t below = NONE;
    affine parent, world;
    bool has_parent = false;
    for (uint32_t at = scene_turn_links_down(links, slot); at != NONE;) {
        const uint32_t next = links[at].parent;
        links[at].parent = below;
        acre_scene_compute_below(scene, scene_row(scene, at), has_parent ? &parent : NULL, &world);
        parent = world;
        has_parent = true;
        below = at;
        at = next;
    }
    ACRE_INVARIANT(below == slot);
    return parent;
}

acre_result acre_entity_recorded_placement(acre_scene *scene, acre_entity entity, uint64_t *out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    uint32_t slot;
    const acre_result result = scene_begin_edit_of(scene, entity, &slot);
    if (result != ACRE_OK) {
        return result;
    }
    const affine world = compute_recorded(scene, slot);
    const uint32_t row = scene_row(scene, slot), kind = row_bits(scene, row) & ROW_BOX_MASK;
    const acre_aabb box = acre_scene_box(world.m, kind, &COLUMN_AT(scene->locals, row)->box);
    *out = hash_placement(&world, &box, kind != ROW_BOX_NONE,
                          COLUMN_AT(scene->slots, slot)->flags / SLOT_BOUNDS_EDIT);
    return scene_end_edit(scene, ACRE_OK);
}

acre_result acre_entity_placement(const acre_scene *scene, acre_entity entity, uint64_t *out)
{
    if (!scene || !out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&scene->access)) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t slot = entity.index1 - 1u;
    const bool is_published = slot < scene->published_slots && entity.scene == scene->number &&
                              entity.generation != 0 &&
                              COLUMN_AT(scene->published, slot)->generation == entity.generation;
    if (is_published) {
        const published_slot *const found = COLUMN_AT(scene->published, slot);
        *out = hash_placement(COLUMN_AT(scene->worlds, found->row),
                              COLUMN_AT(scene->world_boxes, slot), found->has_bounds != 0,
                              COLUMN_AT(scene->slots, slot)->flags / SLOT_BOUNDS_EDIT);
    }
    access_end_read(&scene->access);
    return is_published ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
}
