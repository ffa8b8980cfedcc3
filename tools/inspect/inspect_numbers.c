// SPDX-License-Identifier: MIT
// inspect_numbers.c - what a model or a recording is, in numbers: the same in the program and on a
// page.
#include "inspect_numbers.h"

#include <acre/record.h>

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void inspect_add_row(inspect_rows *rows, const char *name, const char *format, ...)
{
    assert(rows->count < sizeof rows->rows / sizeof rows->rows[0]);
    inspect_row *const row = &rows->rows[rows->count++];
    row->name = name;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->text, sizeof row->text, format, arguments);
    va_end(arguments);
}

static void add_tree(inspect_rows *rows, const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    inspect_add_row(rows, "items of the tree", "%zu, of which %zu in no cell", stats.items,
                    stats.outliers);
    inspect_add_row(rows, "cells", "%zu, %zu leaves, %u levels", stats.nodes, stats.leaves,
                    (unsigned)stats.depth);
    inspect_add_row(rows, "finest cell", "%g m", (double)stats.cell_size);
    inspect_add_row(rows, "state of the tree", "%016" PRIx64, acre_quadtree_state_hash(tree));
    inspect_add_row(rows, "content of the tree", "%016" PRIx64, acre_quadtree_content_hash(tree));
}

// FNV-1a over the slots in ascending order.
static uint64_t hash_set(const bool *is_seen, uint32_t slot_count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        if (is_seen[slot]) {
            hash = (hash ^ slot) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

// One of eight directions from the middle of the scene, as far as the scene is wide. The planes are
// those of a lens of 90 degrees and stand upright: sums and products alone make them.
acre_frustum inspect_frustum(const acre_aabb *bounds, int direction)
{
    static const float ways[8][2] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                                     {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};
    const float x = ways[direction][0], z = ways[direction][1];
    const float eye[2] = {0.5f * bounds->min[0] + 0.5f * bounds->max[0],
                          0.5f * bounds->min[2] + 0.5f * bounds->max[2]};
    // To the left and to the right of the way, turned by 45 degrees each.
    const float sides[2][2] = {{x + z, z - x}, {x - z, z + x}};
    acre_frustum frustum = {.plane_count = 2};
    for (int i = 0; i < 2; i++) {
        float *const plane = frustum.planes[i];
        plane[0] = sides[i][0];
        plane[1] = 0.0f;
        plane[2] = sides[i][1];
        plane[3] = -(plane[0] * eye[0] + plane[2] * eye[1]);
    }
    return frustum;
}

// How much of the tree the eight views look at, on average.
static void add_cost(const run_world *world, inspect_rows *rows)
{
    const acre_quadtree *const tree = acre_culling_tree(world->culling);
    acre_quadtree_stats all;
    acre_quadtree_get_stats(tree, &all);
    size_t nodes = 0, tested = 0, accepted = 0;
    for (int i = 0; i < 8; i++) {
        const acre_frustum frustum = inspect_frustum(&world->bounds, i);
        acre_query_stats stats = {0};
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .stats = &stats};
        size_t total;
        if (acre_quadtree_query(tree, &query, NULL, 0, &total) != ACRE_OK) {
            return;
        }
        nodes += stats.nodes_tested;
        tested += stats.items_tested;
        accepted += stats.items_accepted;
    }
    const double cells = 8.0 * (double)all.nodes, items = 8.0 * (double)all.items;
    inspect_add_row(rows, "a view looks at", "%.1f %% of the cells and %.1f %% of the items",
                    cells > 0.0 ? 100.0 * (double)nodes / cells : 0.0,
                    items > 0.0 ? 100.0 * (double)tested / items : 0.0);
    inspect_add_row(rows, "and takes unseen",
                    "%.1f %% of the items, whose cells are wholly visible",
                    items > 0.0 ? 100.0 * (double)accepted / items : 0.0);
}

static bool add_views(const run_world *world, inspect_rows *rows)
{
    static const char *const names[8] = {"seen to the north", "seen to the north-east",
                                         "seen to the east",  "seen to the south-east",
                                         "seen to the south", "seen to the south-west",
                                         "seen to the west",  "seen to the north-west"};
    uint32_t *const slots = calloc((size_t)world->slot_count + 1, sizeof *slots);
    bool *const is_seen = calloc((size_t)world->slot_count + 1, sizeof *is_seen);
    for (int i = 0; i < 8 && slots && is_seen; i++) {
        const acre_frustum frustum = inspect_frustum(&world->bounds, i);
        size_t count = 0;
        const acre_result result = acre_culling_query_frustum(world->culling, &frustum, 0, slots,
                                                              world->slot_count, &count);
        if (result != ACRE_OK || count > world->slot_count) {
            inspect_add_row(rows, names[i], "%s", acre_result_text(result));
            continue;
        }
        for (uint32_t slot = 0; slot < world->slot_count; slot++) {
            is_seen[slot] = false;
        }
        for (size_t k = 0; k < count; k++) {
            is_seen[slots[k]] = true;
        }
        inspect_add_row(rows, names[i], "%zu, set %016" PRIx64, count,
                        hash_set(is_seen, world->slot_count));
    }
    const bool is_good = slots && is_seen;
    free(slots);
    free(is_seen);
    return is_good;
}

static bool add_world(const run_world *world, inspect_rows *rows)
{
    const acre_import_model *const model = world->model;
    const acre_aabb *const box = &world->bounds;
    inspect_add_row(rows, "nodes", "%u", (unsigned)model->node_count);
    inspect_add_row(rows, "meshes", "%u", (unsigned)model->mesh_count);
    inspect_add_row(rows, "points", "%" PRIu64, model->point_total);
    inspect_add_row(rows, "triangles", "%" PRIu64, model->triangle_total);
    inspect_add_row(rows, "lines", "%" PRIu64, model->line_total);
    inspect_add_row(
        rows, "solids, streets, groups", "%u, %u, %u", (unsigned)world->kind_counts[KIND_SOLID],
        (unsigned)world->kind_counts[KIND_STREET], (unsigned)world->kind_counts[KIND_GROUP]);
    inspect_add_row(rows, "from", "%.9g %.9g %.9g m", (double)box->min[0], (double)box->min[1],
                    (double)box->min[2]);
    inspect_add_row(rows, "to", "%.9g %.9g %.9g m", (double)box->max[0], (double)box->max[1],
                    (double)box->max[2]);
    for (const char *line = model->notes; *line != '\0' && rows->count < 12;) {
        const size_t length = strcspn(line, "\n");
        inspect_add_row(rows, "note", "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    add_tree(rows, acre_culling_tree(world->culling));
    add_cost(world, rows);
    return add_views(world, rows);
}

bool inspect_model(const char *path, inspect_more *more, void *context, inspect_rows *rows,
                   char *message, size_t message_size)
{
    rows->count = 0;
    const run_options options = {.scene_path = path, .seed = 1};
    run_world world;
    bool is_good = run_world_create(&options, &world, message, message_size);
    if (is_good && !add_world(&world, rows)) {
        snprintf(message, message_size, "%s: memory is short", path);
        is_good = false;
    }
    if (is_good && more) {
        more(&world, path, rows, context);
    }
    run_world_free(&world);
    return is_good;
}

bool inspect_recording(const void *bytes, size_t size, acre_record_watch watch, void *context,
                       inspect_rows *rows)
{
    rows->count = 0;
    acre_record_report report;
    acre_quadtree *tree;
    const acre_result result =
        acre_record_replay_watched(bytes, size, NULL, watch, context, &report, &tree);
    inspect_add_row(rows, "bytes", "%zu", size);
    inspect_add_row(rows, "calls", "%zu", report.calls);
    inspect_add_row(rows, "replay", "%s",
                    report.message[0]   ? report.message
                    : result == ACRE_OK ? "all answers are the recorded ones"
                                        : acre_result_text(result));
    if (tree) {
        add_tree(rows, tree);
    }
    acre_quadtree_destroy(tree);
    return tree != NULL;
}
