// SPDX-License-Identifier: MIT
// bench_worlds.c - views of worlds as they come beside loops, and movers that are anywhere.
#include "bench_worlds.h"

#include "bench_acre.h"
#include "bench_measure.h"
#include "measure_table.h"
#include "worlds.h"

enum { TINY_BOXES = 1000, COLUMNS = 5 };

static uint32_t world_count(uint32_t count)
{
    return count < TINY_BOXES ? 1 : WORLD_KIND_COUNT_;
}

// Trees of Acre and loops in turns, world by world; the rows' state is the world's name.
static bool measure_world(bench_contest *contest, const char *world)
{
    bool is_good = contest_check(contest) && contest_settle(contest);
    for (int kind = 0; kind < VIEW_KIND_COUNT_ && is_good; kind++) {
        const char *const view = view_kind_name((view_kind)kind);
        query_work work;
        is_good =
            measure_query_work(contest, bench_acre_tree(contest->entrants[0].state), kind, &work);
        rows_add_value(contest->rows, bench_acre.name,
                       (row_name){"items visible", view, world, "a query"}, work.items_visible);
        measure_views(contest, kind, (row_name){"query", view, world, "us"});
    }
    rows_add_value(contest->rows, bench_acre.name, (row_name){"memory", "", world, "B/item"},
                   (double)bench_acre.bytes(contest->entrants[0].state) /
                       (double)contest->workload.count);
    return is_good;
}

bool worlds_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                    size_t message_size)
{
    bool is_good = true;
    for (uint32_t i = 0; i < world_count(count) && is_good; i++) {
        bench_contest contest = {.options = options, .rows = rows};
        country land;
        is_good = world_create(&land, (world_kind)i, count, options->views) ||
                  contest_fail(&contest, world_name((world_kind)i), "out of memory");
        is_good = is_good && contest_create_on(&contest, options, &land, false, rows) &&
                  measure_world(&contest, world_name((world_kind)i));
        if (is_good && i == WORLD_TOWN && count >= TINY_BOXES) { // its boxes are then elsewhere
            is_good = measure_refresh(&contest);
        }
        snprintf(message, message_size, "%s: %s", world_name((world_kind)i), contest.message);
        contest_free(&contest);
    }
    return is_good;
}

void worlds_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                   FILE *out)
{
    enum { MOST_LINES = WORLD_KIND_COUNT_ * VIEW_KIND_COUNT_ };
    const bench_contender *const loop = bench_simd_loop(options->kernel);
    table_key lines[MOST_LINES];
    char titles[MOST_LINES][40];
    table_key columns[COLUMNS] = {
        {.title = "visible", .contender = bench_acre.name, .measure = "items visible"},
        {.contender = bench_acre.name, .measure = "query"},
        {.contender = bench_scalar.name, .measure = "query", .has_ratio = true},
        {.contender = loop ? loop->name : "", .measure = "query", .has_ratio = true}};
    const size_t line_count = (size_t)world_count(count) * VIEW_KIND_COUNT_;
    for (size_t i = 0; i < line_count; i++) {
        const char *const view = view_kind_name((view_kind)(i % VIEW_KIND_COUNT_));
        const char *const world = world_name((world_kind)(i / VIEW_KIND_COUNT_));
        snprintf(titles[i], sizeof titles[i], "%s, %s", world, view);
        lines[i] = (table_key){.title = titles[i], .detail = view, .state = world};
    }
    const measure_table table = {.title = "us a view",
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = line_count,
                                 .column_count = COLUMNS - (loop ? 0u : 1u),
                                 .base = bench_acre.name,
                                 .items = count};
    fprintf(out, "\n%u boxes, %u views of a kind\n", (unsigned)count, (unsigned)options->views);
    table_print(rows, &table, out);
    const measure_row *const mover =
        rows_find(rows, count, bench_acre.name, "refresh", "10 % moving", "");
    if (mover) {
        fprintf(out, "\nmovers anywhere, a tenth of the town: %.1f ns each\n", mover->value.median);
    }
    if (table_print_losses(rows, &table, out) == 0) {
        fprintf(out, "\nno loop is faster than Acre in any of these views\n");
    }
    fprintf(out, "all sets are equal to the reference\n");
}
