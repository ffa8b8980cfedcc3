// SPDX-License-Identifier: MIT
// culling_reader.c - the table of objects, and reads of a culler by the modules that stand on it.
#include "culling_internal.h"

culling_table acre_culling_table(const acre_culling *culling)
{
    culling_table table = {
        .has_host = culling->has_host,
        .known_count = culling->slots.capacity,
        .slots = culling->slots.data,
        .trees = {culling->trees[TREE_MOVING], culling->trees[TREE_STATIC]},
    };
    if (culling->has_host) {
        table.slot_count = culling->object_slots;
        table.layers = culling->object_layers.data;
        table.commit = culling->seen_commit;
    }
    if (culling->scene) {
        const scene_columns columns = acre_scene_columns(culling->scene);
        table.slot_count = columns.view.slot_count;
        table.boxes = columns.view.world_bounds;
        table.flags = columns.view.flags;
        table.layers = columns.view.layers;
        table.user = columns.view.user;
        table.published = columns.published;
        table.commit = columns.view.commit;
        table.scene_number = columns.scene;
    }
    return table;
}

acre_aabb acre_culling_kept_box(const culling_table *table, uint32_t slot)
{
    acre_aabb box = acre_aabb_empty();
    const int tree = culling_tree_of(culling_slot_of(table, slot));
    if (tree != TREE_COUNT) {
        ACRE_INVARIANT_OK(acre_quadtree_get_box(table->trees[tree], slot, &box));
    }
    return box;
}

bool acre_culling_begin_reading(const acre_culling *culling, culling_reader *out)
{
    ACRE_ASSERT(culling && out);
    if (!access_begin_read(&culling->access)) {
        return false;
    }
    *out = (culling_reader){
        .culling = culling,
        .scene = culling->scene,
        .table = acre_culling_table(culling),
        .trees = {culling->trees[TREE_MOVING], culling->trees[TREE_STATIC]},
        .tree_counts = {culling->tree_counts[TREE_MOVING], culling->tree_counts[TREE_STATIC]},
        .never_count = culling->never_count,
        .scene_number = culling->scene_number,
        .tasks = &culling->tasks,
    };
    return true;
}

void acre_culling_end_reading(const culling_reader *reader)
{
    access_end_read(&reader->culling->access);
}

bool acre_culling_is_published(const acre_culling *culling, acre_entity entity)
{
    if (culling->has_host) {
        const culling_slot *const own = culling_find_slot(culling, entity);
        return own && (own->bits & SLOT_PUBLISHED) && entity.scene == 0;
    }
    const acre_entity published = acre_scene_entity(culling->scene, entity.index1 - 1u);
    return published.index1 == entity.index1 && published.generation == entity.generation &&
           published.scene == entity.scene && entity.index1 > 0;
}
