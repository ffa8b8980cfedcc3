// SPDX-License-Identifier: MIT
// bench_movers.c - what a mover costs where movers lie apart in memory.
//
// Such a mover is paid in lines of memory, not in instructions. The yardstick touches those that
// the code has to touch, with the same strides and sizes: the caller's handle and transform, the
// slot, the row's line and head, world matrix and box, the culler's slot, the item's location, its
// block's header, and one line for each of the six edges of a box.
#include "bench_movers.h"

#include "country.h"
#include "measure_table.h"
#include "measure_turns.h"

#include <acre/culling.h>

#include <stdlib.h>
#include <string.h>

enum { SHARES = 5, LAYOUTS = 2, AHEAD = 16, MOST_ROUNDS = 9 };

static const double shares[SHARES] = {0.01, 0.10, 0.25, 0.50, 1.00};
static const char *const share_names[SHARES] = {"1 %", "10 %", "25 %", "50 %", "100 %"};
static const uint32_t chains[LAYOUTS] = {1, 4};
static const char *const layout_names[LAYOUTS] = {"entities", "entities in chains of four"};
static const char *const line_names[LAYOUTS] = {"their lines alone", "their lines alone, of four"};

// The sizes of what a mover touches, in the order of the code; a negative one is of a block.
static const int line_sizes[] = {8, 40, 8, 64, 8, 48, 24, 8, 4, -128, -1536};
enum { ARRAYS = sizeof line_sizes / sizeof line_sizes[0], BOX_LINES = 6, BLOCK = 64 };

typedef struct movers_bench {
    const bench_options *options;
    uint32_t count, chain; // entities, and how many of them are one chain
    acre_scene *scene;
    acre_culling *culling;
    acre_entity *entities;
    acre_transform *locals;
    uint32_t *order;  // of the chains: that in which they are moved
    uint32_t *sorted; // the movers ascending: the order of a commit
    unsigned char *arrays[ARRAYS];
    uint64_t random;
    char *message;
    size_t message_size;
} movers_bench;

static bool fail(movers_bench *bench, const char *what)
{
    snprintf(bench->message, bench->message_size, "movers: %s", what);
    return false;
}

static uint32_t draw_below(movers_bench *bench, uint32_t below)
{
    bench->random = bench->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((bench->random >> 33) % below);
}

static int compare_numbers(const void *first, const void *second)
{
    const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return (a > b) - (a < b);
}

// Moves other chains to the front of the order.
static void choose_movers(movers_bench *bench, uint32_t movers)
{
    const uint32_t chain_count = bench->count / bench->chain;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t other = i + draw_below(bench, chain_count - i), kept = bench->order[i];
        bench->order[i] = bench->order[other];
        bench->order[other] = kept;
        bench->locals[bench->order[i] * bench->chain].translation[0] +=
            draw_below(bench, 2) ? 0.05f : -0.05f;
    }
    memcpy(bench->sorted, bench->order, movers * sizeof *bench->sorted);
    qsort(bench->sorted, movers, sizeof *bench->sorted, compare_numbers);
}

// Returns seconds; below 0: it failed.
static double move_entities(movers_bench *bench, uint32_t movers)
{
    bool is_good = true;
    const double begin = clock_seconds();
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t top = bench->order[i] * bench->chain;
        is_good &= acre_entity_set_local(bench->scene, bench->entities[top], &bench->locals[top]) ==
                   ACRE_OK;
    }
    is_good = acre_scene_commit(bench->scene) == ACRE_OK && is_good;
    return is_good ? clock_seconds() - begin : -1.0;
}

// ---- the yardstick ----

static unsigned char *line_of(const movers_bench *bench, int array, uint32_t entity, int line)
{
    const int size = line_sizes[array];
    const size_t at = size > 0 ? (size_t)size * entity : (size_t)-size * (entity / BLOCK);
    if (array + 1 < ARRAYS) {
        return bench->arrays[array] + at;
    }
    const uint32_t slot = entity % BLOCK; // groups of 16 items have a line for each edge
    return bench->arrays[array] + at + slot / 16 * 384 + (size_t)line * 64 + slot % 16 * 4;
}

// Touches an array's lines of all movers; every entity of a chain moves.
static void touch_array(const movers_bench *bench, int array, uint32_t movers)
{
    const int lines = array + 1 == ARRAYS ? BOX_LINES : 1;
    const bool is_top_only = array < 4; // handles and locals of the chain's top
    const uint32_t *const order = is_top_only ? bench->order : bench->sorted;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t ahead = order[i + AHEAD < movers ? i + AHEAD : i] * bench->chain;
        const uint32_t top = order[i] * bench->chain;
        for (uint32_t k = 0; k < (is_top_only ? 1 : bench->chain); k++) {
            for (int line = 0; line < lines; line++) {
                __builtin_prefetch(line_of(bench, array, ahead + k, line), 1);
                (*line_of(bench, array, top + k, line))++;
            }
        }
    }
}

static double touch_lines(movers_bench *bench, uint32_t movers)
{
    const double begin = clock_seconds();
    for (int array = 0; array < ARRAYS; array++) {
        touch_array(bench, array, movers);
    }
    return clock_seconds() - begin;
}

// ---- the world ----

static bool create_entities(movers_bench *bench, const country *land)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < bench->count && result == ACRE_OK; i++) {
        const acre_aabb *const box = &land->boxes[i];
        const bool is_top = i % bench->chain == 0;
        const acre_aabb bounds = {{-1, 0, -1}, {1, 2, 1}};
        bench->locals[i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        for (int k = 0; k < 3; k += 2) {
            bench->locals[i].translation[k] = is_top ? 0.5f * (box->min[k] + box->max[k]) : 0.5f;
        }
        const acre_entity_def def = {.local = &bench->locals[i],
                                     .bounds = &bounds,
                                     .parent =
                                         is_top ? (acre_entity){0, 0, 0} : bench->entities[i - 1]};
        result = acre_entity_create(bench->scene, &def, &bench->entities[i]);
    }
    return result == ACRE_OK && acre_scene_commit(bench->scene) == ACRE_OK &&
           acre_culling_optimize(bench->culling) == ACRE_OK;
}

static bool create(movers_bench *bench)
{
    country land;
    const acre_kernel kernel = bench->options->kernel;
    if (!country_create(&land, bench->count, 1)) {
        return fail(bench, "out of memory");
    }
    const acre_scene_def scene_def = {.scene = 1, .kernel = kernel};
    const acre_culling_def def = {.tree = {.half_size = land.half_size, .kernel = kernel},
                                  .register_all = true};
    bench->entities = calloc(bench->count, sizeof *bench->entities);
    bench->locals = calloc(bench->count, sizeof *bench->locals);
    bench->order = calloc(bench->count, sizeof *bench->order);
    bench->sorted = calloc(bench->count, sizeof *bench->sorted);
    bool is_good = bench->entities && bench->locals && bench->order && bench->sorted &&
                   acre_scene_create(&scene_def, &bench->scene) == ACRE_OK &&
                   acre_culling_create(bench->scene, &def, &bench->culling) == ACRE_OK &&
                   create_entities(bench, &land);
    for (int i = 0; i < ARRAYS; i++) {
        const size_t size = line_sizes[i] > 0 ? (size_t)line_sizes[i] * bench->count
                                              : (size_t)-line_sizes[i] * (bench->count / BLOCK + 1);
        bench->arrays[i] = calloc(size + 2048, 1);
        is_good = is_good && bench->arrays[i];
    }
    for (uint32_t i = 0; i < bench->count && is_good; i++) {
        bench->order[i] = i;
    }
    country_free(&land);
    return is_good || fail(bench, "out of memory");
}

static void destroy(movers_bench *bench)
{
    acre_culling_destroy(bench->culling);
    acre_scene_destroy(bench->scene);
    free(bench->entities);
    free(bench->locals);
    free(bench->order);
    free(bench->sorted);
    for (int i = 0; i < ARRAYS; i++) {
        free(bench->arrays[i]);
    }
}

// The tree has the scene's boxes, and the scene those of the transforms.
static bool check(movers_bench *bench)
{
    const acre_quadtree *const tree = acre_culling_tree(bench->culling);
    const acre_scene_view scene = acre_scene_get_view(bench->scene);
    for (uint32_t i = 0; i < bench->count; i++) {
        const uint32_t slot = bench->entities[i].index1 - 1u, top = i - i % bench->chain;
        const float along = 0.5f * (float)(i % bench->chain);
        acre_aabb box;
        if (acre_quadtree_get_box(tree, slot, &box) != ACRE_OK ||
            memcmp(&box, &scene.world_bounds[slot], sizeof box) != 0 ||
            box.min[0] > bench->locals[top].translation[0] + along - 0.999f ||
            box.max[0] < bench->locals[top].translation[0] + along + 0.999f) {
            return fail(bench, "a box is not where its entity is");
        }
    }
    return true;
}

// ---- figures ----

static bool measure_share(movers_bench *bench, int layout, int share, measure_rows *rows)
{
    sample_list moves = {0}, lines = {0};
    const uint32_t chain_count = bench->count / bench->chain;
    const uint32_t movers = (uint32_t)((double)chain_count * shares[share]);
    const uint32_t rounds =
        bench->options->rounds < MOST_ROUNDS ? bench->options->rounds : MOST_ROUNDS;
    const double scale = 1e9 / ((double)movers * bench->chain);
    bool is_good = movers > 0;
    measure_progress(bench->count, layout_names[layout], share_names[share]);
    for (uint32_t round = 0; round < rounds && is_good; round++) {
        choose_movers(bench, movers);
        const double seconds = move_entities(bench, movers);
        is_good = seconds >= 0.0 || fail(bench, "a move failed");
        samples_keep(&moves, scale * seconds);
        samples_keep(&lines, scale * touch_lines(bench, movers));
    }
    rows_add_samples(rows, layout_names[layout], (row_name){"mover", share_names[share], "", "ns"},
                     &moves);
    rows_add_samples(rows, line_names[layout], (row_name){"mover", share_names[share], "", "ns"},
                     &lines);
    samples_free(&moves);
    samples_free(&lines);
    return is_good;
}

bool movers_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                    size_t message_size)
{
    bool is_good = true;
    rows->items = count;
    for (int layout = 0; layout < LAYOUTS && is_good; layout++) {
        movers_bench bench = {.options = options,
                              .count = count / 4 * 4,
                              .chain = chains[layout],
                              .random = 1,
                              .message = message,
                              .message_size = message_size};
        is_good = create(&bench);
        for (int share = 0; share < SHARES && is_good; share++) {
            is_good = measure_share(&bench, layout, share, rows);
        }
        is_good = is_good && check(&bench);
        destroy(&bench);
    }
    return is_good;
}

void movers_report(uint32_t count, const measure_rows *rows, FILE *out)
{
    table_key lines[2 * LAYOUTS] = {{0}}, columns[SHARES] = {{0}};
    for (int i = 0; i < LAYOUTS; i++) {
        lines[2 * i] = (table_key){.contender = layout_names[i], .measure = "mover", .state = ""};
        lines[2 * i + 1] = (table_key){.contender = line_names[i], .measure = "mover", .state = ""};
    }
    for (int i = 0; i < SHARES; i++) {
        columns[i] =
            (table_key){.title = share_names[i], .detail = share_names[i], .part = TABLE_LEAST};
    }
    fputs("\n", out);
    table_print(rows,
                &(measure_table){.title = "here and there: least ns a mover",
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = 2 * LAYOUTS,
                                 .column_count = SHARES,
                                 .items = count},
                out);
}
