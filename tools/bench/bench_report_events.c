// SPDX-License-Identifier: MIT
// bench_report_events.c - tables of what games do now and then: bursts, and an hour's churn.
#include "bench_report.h"

#include "bench_measure.h"
#include "bench_table.h"

static const char *const burst_measures[][2] = {
    {"spawn", "spawning"}, {"despawn", "spawning"}, {"teleport", "teleporting"}};
enum { BURST_COUNT = sizeof burst_measures / sizeof burst_measures[0] };

static const bench_row *find_burst(const bench_race *race, const char *contender, int burst)
{
    return table_find(race, contender, burst_measures[burst][0], burst_measures[burst][1], "");
}

// Median and maximum: a burst is felt in its worst frame.
void report_bursts(const bench_race *race, FILE *out)
{
    fprintf(out, "\n%u at once, us a frame", (unsigned)measure_burst_items(race->workload.count));
    for (int k = 0; k < BURST_COUNT; k++) {
        fprintf(out, " %8s         %9s", burst_measures[k][0], "maximum");
    }
    fprintf(out, "\n");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        if (!find_burst(race, name, BURST_COUNT - 1)) {
            continue;
        }
        fprintf(out, "%-22s", name);
        for (int k = 0; k < BURST_COUNT; k++) {
            const bench_row *const row = find_burst(race, name, k);
            char most[32] = "-";
            if (row) {
                table_number(most, sizeof most, row->value.most);
            }
            table_cell(row, find_burst(race, bench_acre.name, k), out);
            fprintf(out, " %9s", most);
        }
        fprintf(out, "\n");
    }
}

static void print_factor(const bench_race *race, const bench_row *like, const char *detail,
                         FILE *out)
{
    const char *const contender = like->contender, *const measure = like->measure;
    const bench_row *const aged = table_find(race, contender, measure, detail, like->state);
    const bench_row *const fresh = table_find(race, contender, measure, detail, "fresh");
    char number[32] = "-";
    if (aged && fresh && fresh->value.median > 0.0) {
        snprintf(number, sizeof number, "%.3f", aged->value.median / fresh->value.median);
    }
    fprintf(out, " %8s", number);
}

// `like` has the contender, the measure and the state that is compared with the fresh one.
static void print_factors(const bench_race *race, const bench_row *like, FILE *out)
{
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        print_factor(race, like, view_kind_name((view_kind)kind), out);
    }
    fprintf(out, "\n");
}

static void print_named_factors(const bench_race *race, const char *title, const bench_row *like,
                                FILE *out)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s", like->contender, title);
    fprintf(out, "%-60s", text);
    print_factors(race, like, out);
}

// Acre's counters, and its tree in a new order of memory.
static void print_own_factors(const bench_race *race, const bench_contender *what, FILE *out)
{
    const bench_row *const row = table_find(race, what->name, "optimize", "", "");
    bench_row like = {.contender = what->name, .measure = "churn query", .state = "optimized"};
    char title[64];
    if (row) {
        snprintf(title, sizeof title, ", then optimized in %.1f ns an item", row->value.median);
        print_named_factors(race, title, &like, out);
        like.state = "aged";
        like.measure = "churn nodes";
        print_named_factors(race, ": nodes tested", &like, out);
        like.measure = "churn items";
        print_named_factors(race, ": items tested", &like, out);
    }
}

void report_churn(const bench_race *race, FILE *out)
{
    if (!table_find(race, bench_acre.name, "churn", "", "")) {
        return;
    }
    fprintf(out,
            "\nafter churn             million  us a frame    p99.9  maximum   query, times that "
            "of a fresh build\n%60s",
            "");
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        fprintf(out, " %8s", view_kind_name((view_kind)kind));
    }
    fprintf(out, "\n");
    for (uint32_t i = 0; i < race->entrant_count; i++) {
        const char *const name = race->entrants[i].what->name;
        const bench_row *const row = table_find(race, name, "churn", "", "");
        const bench_row *const operations = table_find(race, name, "churn operations", "", "");
        if (!row || !operations) {
            continue;
        }
        fprintf(out, "%-22s %8.3f", name, 1e-6 * operations->value.median);
        const double values[] = {row->value.median, row->value.p999, row->value.most};
        for (int k = 0; k < 3; k++) {
            char number[32];
            table_number(number, sizeof number, values[k]);
            fprintf(out, k ? " %8s" : " %10s", number);
        }
        print_factors(
            race, &(bench_row){.contender = name, .measure = "churn query", .state = "aged"}, out);
    }
    print_own_factors(race, &bench_acre, out);
    print_own_factors(race, &bench_acre_many, out);
}
