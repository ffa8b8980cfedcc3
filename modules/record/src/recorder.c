// SPDX-License-Identifier: MIT
// recorder.c - listens to a tree and writes its calls.
#include "record_format.h"

#include "assert_internal.h"

#include "quadtree_items_shared.h"

static void write_heard_call(void *context, const acre_quadtree_call *call)
{
    acre_record_write_call(context, call);
}

// Writes the items that the tree holds already as inserts.
static void write_content(acre_recorder *recorder)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(recorder->tree, &stats);
    for (uint32_t item = 0; stats.items > 0; item++) {
        ACRE_INVARIANT(item < UINT32_MAX); // the statistics count no more items than there are
        acre_aabb box;
        if (!acre_quadtree_find_box(recorder->tree, item, &box)) {
            continue;
        }
        stats.items--;
        acre_record_write_call(
            recorder,
            &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_INSERT, .item = item, .boxes = &box});
        const uint32_t layers = acre_quadtree_get_layers(recorder->tree, item);
        if (layers != UINT32_MAX) {
            acre_record_write_call(recorder,
                                   &(acre_quadtree_call){.kind = ACRE_QUADTREE_CALL_SET_LAYERS,
                                                         .item = item,
                                                         .layers = layers});
        }
    }
}

acre_result acre_recorder_begin(acre_recorder *recorder, acre_quadtree *tree,
                                acre_record_write write, void *context)
{
    if (!recorder) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    recorder->tree = NULL;
    recorder->write = write;
    recorder->context = context;
    recorder->result = ACRE_OK;
    recorder->length = 0;
    acre_quadtree_def def;
    if (!write || acre_quadtree_get_def(tree, &def) != ACRE_OK) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_result result = acre_quadtree_set_listener(tree, write_heard_call, recorder);
    if (result != ACRE_OK) {
        return result;
    }
    recorder->tree = tree;
    acre_record_write_header(recorder, &def);
    write_content(recorder);
    if (recorder->result != ACRE_OK) {
        ACRE_IGNORE(acre_quadtree_set_listener(tree, NULL, NULL));
        recorder->tree = NULL;
    }
    return recorder->result;
}

acre_result acre_recorder_end(acre_recorder *recorder)
{
    if (!recorder) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (recorder->tree) {
        acre_record_write_end(recorder, acre_quadtree_content_hash(recorder->tree));
        ACRE_INVARIANT(recorder->length == 0); // all bytes are handed over
        ACRE_IGNORE(acre_quadtree_set_listener(recorder->tree, NULL, NULL));
        recorder->tree = NULL;
    }
    return recorder->result;
}
