// SPDX-License-Identifier: MIT
// bench_engines.c - whole frames of engines: movers set, all updated, five cameras asked.
//
// Engines take turns: each runs the same frames in a row, a burst, so that the caches are its own
// as in a game; the first frame of a burst warms up and does not count. Outside of the measured
// time the answers of the last frame are compared with the cameras' planes in doubles: a box that
// is farther than a margin inside of all planes has to be there, one that is farther than that
// outside of one must not. Engines round in their own ways, so between the two both answers are
// right. The far plane of a matrix in floats lies anywhere within far * far / near * 2^-22, so its
// margin is wider.
#include "bench_engines.h"

#include "country.h"
#include "country_random.h"
#include "engine_acre.h"
#include "measure_table.h"
#include "measure_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 0.02    // meters
#define FAR_MARGIN 2.0 // meters

enum { SHARES = 3, CAMERAS = 5, MOST_ENGINES = 8, BURST = 4, WARM_ROUNDS = 1 };

static const double shares[SHARES] = {0.02, 0.10, 1.00};
static const char *const share_names[SHARES] = {"2 % moving", "10 % moving", "100 % moving"};

typedef enum where { IS_OUT, IS_IN, IS_NEAR } where;

typedef struct engines_bench {
    const bench_options *options;
    country land;
    float (*centers)[3];
    float (*half_sizes)[3];
    uint32_t *order; // of the items; the movers come first
    float (*saved_centers)[3];
    uint32_t *saved_order; // both as they were before a burst, and so is saved_random
    uint64_t random, saved_random;
    unsigned char *wheres[CAMERAS];
    bool *is_seen; // of one answer
    const engine *engines[MOST_ENGINES];
    void *states[MOST_ENGINES];
    uint32_t engine_count;
    acre_camera cameras[CAMERAS];
    engine_answer answers[CAMERAS];
    sample_list samples[MOST_ENGINES];
    double visible; // boxes in all answers of Acre
    char *message;
    size_t message_size;
} engines_bench;

static bool fail(engines_bench *bench, const char *who, const char *what)
{
    snprintf(bench->message, bench->message_size, "engines: %s: %s", who, what);
    return false;
}

// ---- the world ----

static uint32_t list_engines(const engine **out)
{
    uint32_t count = 0;
    out[count++] = &engine_acre_scene;
    out[count++] = &engine_acre_tree;
    out[count++] = &engine_loop;
#ifdef ACRE_BENCH_ENGINES
    uint32_t others = 0;
    const engine *const *const list = engines_of_others(&others);
    for (uint32_t i = 0; i < others && count < MOST_ENGINES; i++) {
        out[count++] = list[i];
    }
#endif
    return count;
}

static bool create(engines_bench *bench, uint32_t count)
{
    if (!country_create(&bench->land, count, 1)) {
        return fail(bench, "the world", "out of memory");
    }
    bench->centers = calloc(count, sizeof *bench->centers);
    bench->half_sizes = calloc(count, sizeof *bench->half_sizes);
    bench->order = calloc(count, sizeof *bench->order);
    bench->saved_centers = calloc(count, sizeof *bench->saved_centers);
    bench->saved_order = calloc(count, sizeof *bench->saved_order);
    bench->is_seen = calloc(count, sizeof *bench->is_seen);
    bool is_good = bench->centers && bench->half_sizes && bench->order && bench->saved_centers &&
                   bench->saved_order && bench->is_seen;
    for (int i = 0; i < CAMERAS; i++) {
        bench->answers[i].items = calloc(count, sizeof *bench->answers[i].items);
        bench->wheres[i] = calloc(count, 1);
        is_good = is_good && bench->answers[i].items && bench->wheres[i];
    }
    if (!is_good) {
        return fail(bench, "the world", "out of memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        const acre_aabb *const box = &bench->land.boxes[i];
        for (int k = 0; k < 3; k++) {
            bench->centers[i][k] = 0.5f * (box->min[k] + box->max[k]);
            bench->half_sizes[i][k] = 0.5f * (box->max[k] - box->min[k]);
        }
        bench->order[i] = i;
    }
    const engine_world world = {(const float(*)[3])bench->centers,
                                (const float(*)[3])bench->half_sizes, count, bench->land.half_size};
    bench->engine_count = list_engines(bench->engines);
    for (uint32_t i = 0; i < bench->engine_count; i++) {
        measure_progress(count, bench->engines[i]->name, "filled");
        bench->states[i] = bench->engines[i]->create(&world);
        if (!bench->states[i]) {
            return fail(bench, bench->engines[i]->name, "the world was not made");
        }
    }
    return true;
}

static void destroy(engines_bench *bench)
{
    for (uint32_t i = 0; i < bench->engine_count; i++) {
        if (bench->states[i]) {
            bench->engines[i]->destroy(bench->states[i]);
        }
        samples_free(&bench->samples[i]);
    }
    for (int i = 0; i < CAMERAS; i++) {
        free(bench->answers[i].items);
        free(bench->wheres[i]);
    }
    free(bench->centers);
    free(bench->half_sizes);
    free(bench->order);
    free(bench->saved_centers);
    free(bench->saved_order);
    free(bench->is_seen);
    country_free(&bench->land);
}

// Two players on the ground, one in the air, one who looks straight down, and a sun.
static bool place_cameras(engines_bench *bench)
{
    static const float heights[CAMERAS] = {1.7f, 1.7f, 80, 85, 300};
    static const float distances[CAMERAS] = {1000, 1000, 2000, 400, 600};
    static const float falls[CAMERAS] = {0, 0, -0.15f, -100, -2};
    bool is_good = true;
    for (int i = 0; i < CAMERAS; i++) {
        float feet[2], heading[2];
        country_next_place(&bench->land, &bench->random, feet);
        draw_direction(&bench->random, heading);
        acre_camera *const camera = &bench->cameras[i];
        const float eye[3] = {feet[0], heights[i], feet[1]}, up[3] = {0, 1, 0};
        const float target[3] = {eye[0] + heading[0], eye[1] + falls[i], eye[2] + heading[1]};
        const acre_clip clip = ACRE_CLIP_NEGATIVE_ONE_TO_ONE;
        const acre_result result =
            i == CAMERAS - 1
                ? acre_camera_orthographic(camera, 200, 200, 1, distances[i], clip)
                : acre_camera_perspective(camera, 1.0472f, 16.0f / 9.0f, 1, distances[i], clip);
        is_good =
            is_good && result == ACRE_OK && acre_camera_look_at(camera, eye, target, up) == ACRE_OK;
    }
    return is_good || fail(bench, "a camera", "it sees nothing");
}

static int compare_numbers(const void *first, const void *second)
{
    const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return (a > b) - (a < b);
}

// Brings other items to the front of the order, ascending as in a program's own tables, and moves
// them.
static void choose_movers(engines_bench *bench, uint32_t movers)
{
    const uint32_t count = bench->land.count;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t other = i + (uint32_t)(draw_bits(&bench->random) % (count - i));
        const uint32_t item = bench->order[other];
        bench->order[other] = bench->order[i];
        bench->order[i] = item;
        bench->centers[item][0] += 0.2f * draw_unit(&bench->random) - 0.1f;
        bench->centers[item][2] += 0.2f * draw_unit(&bench->random) - 0.1f;
    }
    qsort(bench->order, movers, sizeof *bench->order, compare_numbers);
}

// ---- what is right ----

// Six planes of view and projection, of unit length, in doubles (Gribb and Hartmann 2001).
static void planes_of(const acre_camera *camera, double planes[6][4])
{
    double rows[4][4];
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            rows[row][column] = 0;
            for (int k = 0; k < 4; k++) {
                rows[row][column] +=
                    (double)camera->projection[4 * k + row] * (double)camera->view[4 * column + k];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        const double sign = i % 2 ? -1 : 1;
        for (int k = 0; k < 4; k++) {
            planes[i][k] = rows[3][k] + sign * rows[i / 2][k];
        }
        const double length = sqrt(planes[i][0] * planes[i][0] + planes[i][1] * planes[i][1] +
                                   planes[i][2] * planes[i][2]);
        for (int k = 0; k < 4; k++) {
            planes[i][k] /= length;
        }
    }
}

static where place_of(const engines_bench *bench, double planes[6][4], uint32_t item)
{
    where found = IS_IN;
    for (int i = 0; i < 6; i++) {
        const double margin = i == 5 ? FAR_MARGIN : MARGIN;
        double distance = planes[i][3]; // of the corner that is farthest inside
        for (int k = 0; k < 3; k++) {
            distance += planes[i][k] * (double)bench->centers[item][k] +
                        fabs(planes[i][k]) * (double)bench->half_sizes[item][k];
        }
        if (distance < -margin) {
            return IS_OUT;
        }
        found = distance < margin ? IS_NEAR : found;
    }
    return found;
}

static void find_truth(engines_bench *bench)
{
    for (int i = 0; i < CAMERAS; i++) {
        double planes[6][4];
        planes_of(&bench->cameras[i], planes);
        for (uint32_t item = 0; item < bench->land.count; item++) {
            bench->wheres[i][item] = (unsigned char)place_of(bench, planes, item);
        }
    }
}

static bool check_answer(engines_bench *bench, const char *who, int camera)
{
    const engine_answer *const answer = &bench->answers[camera];
    memset(bench->is_seen, 0, bench->land.count * sizeof *bench->is_seen);
    for (uint32_t i = 0; i < answer->count; i++) {
        const uint32_t item = answer->items[i];
        if (item >= bench->land.count || bench->is_seen[item]) {
            return fail(bench, who, "an item is no item, or comes twice");
        }
        bench->is_seen[item] = true;
    }
    for (uint32_t item = 0; item < bench->land.count; item++) {
        const unsigned char place = bench->wheres[camera][item];
        if (place != IS_NEAR && bench->is_seen[item] != (place == IS_IN)) {
            return fail(bench, who,
                        place == IS_IN ? "a visible box is missing" : "a box is not visible");
        }
    }
    return true;
}

// ---- figures ----

static void save(engines_bench *bench)
{
    memcpy(bench->saved_centers, bench->centers, bench->land.count * sizeof *bench->centers);
    memcpy(bench->saved_order, bench->order, bench->land.count * sizeof *bench->order);
    bench->saved_random = bench->random;
}

static void restore(engines_bench *bench)
{
    memcpy(bench->centers, bench->saved_centers, bench->land.count * sizeof *bench->centers);
    memcpy(bench->order, bench->saved_order, bench->land.count * sizeof *bench->order);
    bench->random = bench->saved_random;
}

static bool take_frame(engines_bench *bench, uint32_t which, uint32_t movers, bool counts)
{
    const engine_frame frame = {bench->order, movers, (const float(*)[3])bench->centers,
                                bench->cameras, CAMERAS};
    const double begin = clock_seconds();
    if (!bench->engines[which]->frame(bench->states[which], &frame, bench->answers)) {
        return fail(bench, bench->engines[which]->name, "a frame failed");
    }
    if (counts) {
        samples_keep(&bench->samples[which], 1e3 * (clock_seconds() - begin));
    }
    return true;
}

// One engine's frames of a burst, or nobody's.
static bool run_burst(engines_bench *bench, const uint32_t *which, uint32_t movers, bool counts)
{
    restore(bench);
    for (int frame = 0; frame < BURST; frame++) {
        choose_movers(bench, movers);
        if (!place_cameras(bench) ||
            (which && !take_frame(bench, *which, movers, counts && frame > 0))) {
            return false;
        }
    }
    bool is_good = true;
    for (int i = 0; i < CAMERAS && which && is_good; i++) {
        is_good = check_answer(bench, bench->engines[*which]->name, i);
        bench->visible += counts && *which == 0 ? bench->answers[i].count : 0;
    }
    return is_good;
}

static void add_rows(engines_bench *bench, int share, measure_rows *rows)
{
    for (uint32_t i = 0; i < bench->engine_count; i++) {
        rows_add_samples(rows, bench->engines[i]->name,
                         (row_name){"frame", share_names[share], "", "ms"}, &bench->samples[i]);
        samples_free(&bench->samples[i]);
        bench->samples[i] = (sample_list){0};
    }
    rows_add_value(rows, "acre", (row_name){"visible", share_names[share], "", ""},
                   bench->visible / bench->options->rounds);
}

static bool measure_share(engines_bench *bench, int share, measure_rows *rows)
{
    const uint32_t movers = (uint32_t)(shares[share] * (double)bench->land.count);
    bench->visible = 0;
    measure_progress(bench->land.count, share_names[share], "frames");
    for (uint32_t round = 0; round < bench->options->rounds + WARM_ROUNDS; round++) {
        save(bench);
        if (!run_burst(bench, NULL, movers, false)) {
            return false;
        }
        find_truth(bench);
        for (uint32_t i = 0; i < bench->engine_count; i++) {
            const uint32_t which = (i + round) % bench->engine_count;
            if (!run_burst(bench, &which, movers, round >= WARM_ROUNDS)) {
                return false;
            }
        }
    }
    add_rows(bench, share, rows);
    return true;
}

bool engines_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                     char *message, size_t message_size)
{
    engines_bench bench = {
        .options = options, .random = 29, .message = message, .message_size = message_size};
    rows->items = count;
    bool is_good = create(&bench, count);
    for (int share = 0; share < SHARES && is_good; share++) {
        is_good = measure_share(&bench, share, rows);
    }
    destroy(&bench);
    return is_good;
}

void engines_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                    FILE *out)
{
    (void)options;
    const engine *engines[MOST_ENGINES];
    const uint32_t engine_count = list_engines(engines);
    table_key lines[MOST_ENGINES] = {{0}}, columns[SHARES] = {{0}};
    for (uint32_t i = 0; i < engine_count; i++) {
        lines[i] = (table_key){.contender = engines[i]->name, .measure = "frame", .state = ""};
    }
    for (int i = 0; i < SHARES; i++) {
        columns[i] = (table_key){.title = share_names[i],
                                 .detail = share_names[i],
                                 .part = TABLE_LEAST,
                                 .has_ratio = true};
    }
    fprintf(out, "\n%u boxes; a frame sets the movers, updates all, and asks five cameras\n\n",
            count);
    table_print(rows,
                &(measure_table){.title = "least ms a frame",
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = engine_count,
                                 .column_count = SHARES,
                                 .base = "acre",
                                 .items = count},
                out);
    const measure_row *const visible =
        rows_find(rows, count, "acre", "visible", share_names[0], "");
    fprintf(out,
            "five cameras see %.0f boxes; all sets are right, but for what lies within %g m "
            "of a plane\n",
            visible ? visible->value.median : 0.0, MARGIN);
#ifndef ACRE_BENCH_ENGINES
    fputs("without engines of others: cmake -DACRE_BUILD_HOSTS=ON\n", out);
#endif
    if (ACRE_BENCH_ENGINES_MISSING[0]) {
        fprintf(out, "left out, for want of packages (Debian): %s\n", ACRE_BENCH_ENGINES_MISSING);
    }
}
