// SPDX-License-Identifier: MIT
// recorded_boxes.c - a small recording to look at, where no file was given.
#include "recorded_boxes.h"

#include "samples.h"

#include <acre/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES = 40, CALLS = 600 };

static bool write_bytes(void *context, const void *bytes, size_t size)
{
    recorded_bytes *const out = context;
    if (out->size + size > out->room) {
        const size_t room = 2 * (out->size + size) + 4096;
        unsigned char *const grown = realloc(out->bytes, room);
        if (!grown) {
            return false;
        }
        out->bytes = grown;
        out->room = room;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    return true;
}

static acre_result make_call(acre_quadtree *tree, uint32_t call)
{
    const uint32_t item = call % BOXES;
    if (call >= CALLS - BOXES) {
        return acre_quadtree_remove(tree, item);
    }
    const float turn = 0.07f * (float)call / 4.0f + 3.7f * (float)item;
    const float far = 8.0f + 1.1f * (float)item;
    const acre_aabb box = sample_box(far * cosf(turn), far * sinf(turn), 1.4f, 3.0f);
    return call < BOXES ? acre_quadtree_insert(tree, item, &box)
                        : acre_quadtree_refresh(tree, item, &box);
}

bool record_circling_boxes(recorded_bytes *out)
{
    *out = (recorded_bytes){0};
    const acre_quadtree_def def = {.half_size = 64.0f, .node_capacity = 4, .max_depth = 6};
    acre_quadtree *tree;
    acre_recorder recorder = {.tree = NULL};
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return false;
    }
    acre_result result = acre_recorder_begin(&recorder, tree, write_bytes, out);
    for (uint32_t call = 0; call < CALLS && result == ACRE_OK; call++) {
        result = make_call(tree, call);
    }
    const acre_result end = acre_recorder_end(&recorder);
    acre_quadtree_destroy(tree);
    return result == ACRE_OK && end == ACRE_OK;
}
