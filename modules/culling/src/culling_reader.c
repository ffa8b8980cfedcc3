// SPDX-License-Identifier: MIT
// culling_reader.c - reads of a culler by the modules that stand on it.
#include "culling_reader.h"

#include "culling_internal.h"

bool acre_culling_begin_reading(const acre_culling *culling, culling_reader *out)
{
    ACRE_ASSERT(culling && out);
    if (!access_begin_read(&culling->access)) {
        return false;
    }
    *out = (culling_reader){
        .culling = culling,
        .scene_object = culling->scene,
        .trees = {culling->trees[TREE_MOVING], culling->trees[TREE_STATIC]},
        .tree_counts = {culling->tree_counts[TREE_MOVING], culling->tree_counts[TREE_STATIC]},
        .never_count = culling->never_count,
        .scene_number = culling->scene_number,
        .slot_count = culling->slots.capacity,
        .slots = culling->slots.data,
        .own_boxes = culling->own_boxes.data,
        .never = culling->never.data,
        .never_summary = culling->never_summary.data,
        .tasks = &culling->tasks,
        .never_blocks = culling->never_count > 0 ? culling->never_summary.capacity : 0,
    };
    if (culling->scene) {
        out->scene = acre_scene_get_view(culling->scene);
    }
    return true;
}

void acre_culling_end_reading(const culling_reader *reader)
{
    access_end_read(&reader->culling->access);
}

void acre_culling_visit_never(const culling_reader *reader, uint32_t layers,
                              bool (*visit)(void *user, uint32_t slot), void *user)
{
    const uint64_t *const words = reader->never, *const summary = reader->never_summary;
    for (size_t word = 0; word < reader->never_blocks * 64; word++) {
        if (!(summary[word / 64] >> (word & 63) & 1)) {
            word |= summary[word / 64] ? 0 : 63; // a block without any
            continue;
        }
        for (uint32_t bit = 0; bit < 64; bit++) {
            const uint32_t slot = (uint32_t)(word * 64) + bit;
            if (words[word] >> bit & 1 && (reader->scene.layers[slot] & layers) &&
                !visit(user, slot)) {
                return;
            }
        }
    }
}

bool acre_culling_is_published(const acre_culling *culling, acre_entity entity)
{
    const acre_entity published = acre_scene_entity(culling->scene, entity.index1 - 1u);
    return published.index1 == entity.index1 && published.generation == entity.generation &&
           published.scene == entity.scene && entity.index1 > 0;
}
