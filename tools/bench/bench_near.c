// SPDX-License-Identifier: MIT
// bench_near.c - rays among the boxes of a country, then neighbors among as many points, beside
// Embree, nanoflann and Boost, which build their trees in one piece.
#include "bench_near.h"

#include "bench_frames.h"
#include "bench_queries.h"
#include "measure_table.h"

#include <stdlib.h>

enum { QUESTIONS_EACH = QUESTION_MAX / COUNTRY_MAX_VIEWS, UPDATES = 5, WORLDS = 2, MOST_KINDS = 5 };

typedef struct near_world {
    const char *name;
    bool has_points; // boxes without size, on the ground
    const char *kinds[MOST_KINDS];
    uint32_t kind_count;
} near_world;

static const near_world worlds[WORLDS] = {
    {"boxes", false, {"ray, closest, 200 m", "swept box, 50 m"}, 2},
    {"points",
     true,
     {"nearest to a point", "8 nearest to a point", "64 nearest to a point", "sphere, 10 m",
      "sphere, 100 m"},
     5}};

static void make_points(country *land)
{
    for (uint32_t item = 0; item < land->count; item++) {
        acre_aabb *const box = &land->boxes[item];
        box->min[1] = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            box->max[axis] = box->min[axis];
        }
    }
}

// All move, and the first question is asked, for which some build what they have put off.
static bool time_updates(bench_contest *contest, const near_world *world, question_set *set)
{
    frame_plan plan = {.stride = 1};
    bool is_good = true;
    questions_make(set, question_kind_named(world->kinds[0]), &contest->workload, NULL, 1);
    for (uint32_t i = 0; i < contest->entrant_count; i++) {
        series_clear(&contest->series[i]);
    }
    for (int frame = 0; frame < UPDATES && is_good; frame++) {
        frame_advance(contest, &plan);
        for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
            const bench_contender *const what = contest->entrants[i].what;
            void *const state = contest->entrants[i].state;
            frame_times times = {0.0, 0.0};
            is_good = frame_run(contest, what, state, &plan, &times, NULL);
            const double begin = clock_seconds();
            acre_query_hit hit;
            if (is_good && what->nearest(state, &set->questions[0], &hit) != CONTENDER_CANNOT) {
                samples_keep(&contest->series[i].passes,
                             1e3 * (times.in + clock_seconds() - begin));
            }
        }
    }
    contest_add_passes(contest, (row_name){"update", world->name, "", "ms"});
    return is_good;
}

bool near_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                  size_t message_size)
{
    question_set *const set = calloc(1, sizeof *set);
    bool is_good = set != NULL;
    for (int i = 0; i < WORLDS && is_good; i++) {
        const near_world *const world = &worlds[i];
        bench_contest contest = {.options = options, .rows = rows};
        country land;
        is_good =
            country_create(&land, count, 1) || contest_fail(&contest, world->name, "out of memory");
        if (is_good && world->has_points) {
            make_points(&land);
        }
        is_good = is_good && contest_create_on(&contest, options, &land, false, rows) &&
                  queries_measure_kinds(&contest, world->kinds, world->kind_count,
                                        QUESTIONS_EACH * options->views) &&
                  time_updates(&contest, world, set);
        snprintf(message, message_size, "%s", contest.message);
        contest_free(&contest);
    }
    free(set);
    return is_good;
}

void near_report(const bench_options *options, uint32_t count, const measure_rows *rows, FILE *out)
{
    const bench_contender *const loop = bench_simd_loop(options->kernel);
    table_key lines[WORLDS * (MOST_KINDS + 1)];
    table_key columns[CONTEST_MAX_ENTRANTS] = {{.contender = bench_acre.name}};
    size_t line_count = 0, column_count = 1;
    if (loop) {
        columns[column_count++] = (table_key){.contender = loop->name, .has_ratio = true};
    }
    for (uint32_t i = 0; i < bench_peer_count() && options->has_peers; i++) {
        if (bench_peer(i)->nearest && bench_peer(i)->build) {
            columns[column_count++] =
                (table_key){.contender = bench_peer(i)->name, .has_ratio = true};
        }
    }
    char titles[WORLDS][40];
    for (int i = 0; i < WORLDS; i++) {
        for (uint32_t kind = 0; kind < worlds[i].kind_count; kind++) {
            lines[line_count++] = (table_key){.measure = "answer", .detail = worlds[i].kinds[kind]};
        }
        snprintf(titles[i], sizeof titles[i], "%s: all move, ms", worlds[i].name);
        lines[line_count++] =
            (table_key){.title = titles[i], .measure = "update", .detail = worlds[i].name};
    }
    const measure_table table = {.title = "us a query",
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = line_count,
                                 .column_count = column_count,
                                 .base = bench_acre.name,
                                 .items = count};
    fprintf(out, "\n%u boxes, then %u points; %u distinct questions of a kind\n", (unsigned)count,
            (unsigned)count, (unsigned)(QUESTIONS_EACH * options->views));
    table_print(rows, &table, out);
    if (table_print_losses(rows, &table, out) == 0) {
        fprintf(out, "\nnothing is faster than Acre at any of these questions\n");
    }
    for (size_t i = 0; i < line_count * column_count; i++) {
        const char *const kind = lines[i / column_count].detail;
        const char *const who = columns[i % column_count].contender;
        const measure_row *const missing = rows_find(rows, count, who, "answer missing", kind, "");
        const measure_row *const extra = rows_find(rows, count, who, "answer extra", kind, "");
        if (missing && extra) {
            fprintf(out, "%s, %s: %.0f results missing, %.0f too many\n", who, kind,
                    missing->value.median, extra->value.median);
        }
    }
    fprintf(out, "the answers of Acre and of the loop are equal to the definition\n");
}
