// SPDX-License-Identifier: MIT
// bench_movers.c - what a mover costs where movers lie apart in memory, beside its lines alone.
#include "bench_movers.h"

#include "country.h"
#include "measure_table.h"
#include "measure_turns.h"
#include "mover_lines.h"

#include <acre/culling.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SHARES = 5, TENTH = 1, LAYOUTS = 2, WAYS = 2, MOST_ROUNDS = 15 };

static const double shares[SHARES] = {0.01, 0.10, 0.25, 0.50, 1.00};
static const char *const share_names[SHARES] = {"1 %", "10 %", "25 %", "50 %", "100 %"};
static const uint32_t chains[LAYOUTS] = {1, 4};
static const char *const way_names[LAYOUTS][WAYS] = {
    {"entities one by one", "entities in one call"},
    {"chains of four one by one", "chains of four in one call"}};
static const char *const line_names[LAYOUTS] = {"their lines alone", "their lines alone, of four"};

typedef struct movers_bench {
    const bench_options *options;
    uint32_t count, chain; // entities, and how many of them are one chain
    acre_scene *scene;
    acre_culling *culling;
    acre_entity *entities;
    acre_transform *locals;
    uint32_t *order;    // of the chains: that in which they are moved
    uint32_t *sorted;   // the movers ascending: the order of a commit
    acre_entity *moved; // of the movers, side by side
    acre_transform *transforms;
    mover_lines lines;
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

// Sets the movers' transforms, one by one or in one call.
static bool set_locals(movers_bench *bench, uint32_t movers, int way)
{
    bool is_good = true;
    if (way == 1) {
        return acre_scene_set_locals(bench->scene, bench->moved, bench->transforms, movers) ==
               ACRE_OK;
    }
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t top = bench->order[i] * bench->chain;
        is_good &= acre_entity_set_local(bench->scene, bench->entities[top], &bench->locals[top]) ==
                   ACRE_OK;
    }
    return is_good;
}

// Returns seconds; below 0: it failed.
static double move_entities(movers_bench *bench, uint32_t movers, int way)
{
    for (uint32_t i = 0; i < movers; i++) {
        bench->moved[i] = bench->entities[bench->order[i] * bench->chain];
        bench->transforms[i] = bench->locals[bench->order[i] * bench->chain];
    }
    const double begin = clock_seconds();
    const bool is_set = set_locals(bench, movers, way);
    const bool is_good = acre_scene_commit(bench->scene) == ACRE_OK && is_set;
    return is_good ? clock_seconds() - begin : -1.0;
}

static double touch_lines(movers_bench *bench, uint32_t movers)
{
    const double begin = clock_seconds();
    mover_lines_touch(&bench->lines, bench->order, bench->sorted, movers);
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
        assert(result != ACRE_OK || bench->entities[i].index1 == i + 1); // its item is i
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
    bench->moved = calloc(bench->count, sizeof *bench->moved);
    bench->transforms = calloc(bench->count, sizeof *bench->transforms);
    bool is_good =
        bench->entities && bench->locals && bench->order && bench->sorted && bench->moved &&
        bench->transforms && acre_scene_create(&scene_def, &bench->scene) == ACRE_OK &&
        acre_culling_create(bench->scene, &def, &bench->culling) == ACRE_OK &&
        create_entities(bench, &land) &&
        mover_lines_create(&bench->lines, bench->count, bench->chain,
                           acre_culling_tree(bench->culling), acre_quadtree_query_visit_groups);
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
    free(bench->moved);
    free(bench->transforms);
    mover_lines_free(&bench->lines);
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
    sample_list moves[WAYS] = {{0}}, lines = {0};
    const uint32_t chain_count = bench->count / bench->chain;
    const uint32_t movers = (uint32_t)((double)chain_count * shares[share]);
    const uint32_t rounds =
        bench->options->rounds < MOST_ROUNDS ? bench->options->rounds : MOST_ROUNDS;
    const double scale = 1e9 / ((double)movers * bench->chain);
    bool is_good = movers > 0;
    measure_progress(bench->count, way_names[layout][0], share_names[share]);
    for (uint32_t round = 0; round < rounds * WAYS && is_good; round++) {
        choose_movers(bench, movers);
        const double seconds = move_entities(bench, movers, (int)(round % WAYS));
        is_good = seconds >= 0.0 || fail(bench, "a move failed");
        samples_keep(&moves[round % WAYS], scale * seconds);
        samples_keep(&lines, scale * touch_lines(bench, movers));
    }
    for (int way = 0; way < WAYS; way++) {
        rows_add_samples(rows, way_names[layout][way],
                         (row_name){"mover", share_names[share], "", "ns"}, &moves[way]);
        samples_free(&moves[way]);
    }
    rows_add_samples(rows, line_names[layout], (row_name){"mover", share_names[share], "", "ns"},
                     &lines);
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

static double least_of(uint32_t count, const measure_rows *rows, const char *contender, int share)
{
    const measure_row *const row =
        rows_find(rows, count, contender, "mover", share_names[share], "");
    return row ? row->value.least : 0.0;
}

// A tenth of the entities beside its lines, and the dearest share beside all of them.
static void report_bars(uint32_t count, const measure_rows *rows, int layout, int way, FILE *out)
{
    const char *const name = way_names[layout][way];
    const double lines = least_of(count, rows, line_names[layout], TENTH);
    const double all = least_of(count, rows, name, SHARES - 1);
    double most = 0.0;
    for (int share = 0; share + 1 < SHARES; share++) {
        const double part = shares[share] * least_of(count, rows, name, share);
        most = part > most ? part : most;
    }
    if (lines > 0.0 && all > 0.0) {
        fprintf(out,
                "%s: 10 %% take %.2f of the time of their lines; no share takes more than %.2f of "
                "what all take\n",
                name, least_of(count, rows, name, TENTH) / lines, most / all);
    }
}

void movers_report(uint32_t count, const measure_rows *rows, FILE *out)
{
    enum { LINES = LAYOUTS * (WAYS + 1) };
    table_key lines[LINES] = {{0}}, columns[SHARES] = {{0}};
    for (int i = 0; i < LINES; i++) {
        const int layout = i / (WAYS + 1), way = i % (WAYS + 1);
        lines[i] =
            (table_key){.contender = way < WAYS ? way_names[layout][way] : line_names[layout],
                        .measure = "mover",
                        .state = ""};
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
                                 .line_count = LINES,
                                 .column_count = SHARES,
                                 .items = count},
                out);
    for (int i = 0; i < LAYOUTS * WAYS; i++) {
        report_bars(count, rows, i / WAYS, i % WAYS, out);
    }
}
