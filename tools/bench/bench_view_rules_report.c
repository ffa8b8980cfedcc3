// SPDX-License-Identifier: MIT
// bench_view_rules_report.c - tables of bench_view_rules.h: a line for each case and task.
#include "bench_view_rules.h"

#include "bench_table.h"

static void print_number(double value, FILE *out)
{
    char number[32];
    table_number(number, sizeof number, value);
    fprintf(out, " %9s", number);
}

// With its sign; what noise may be alone is 0.
static void print_extra(double value, FILE *out)
{
    char number[32], text[40];
    table_number(number, sizeof number, value < 0.0 ? -value : value);
    snprintf(text, sizeof text, "%s%s", value < 0.0 ? "-" : "+", number);
    fprintf(out, " %9s", text);
}

static double value_of(const view_bench *bench, const char *name, const char *measure,
                       const char *kind)
{
    const bench_row *const row = view_bench_find(bench, name, measure, kind);
    return row ? row->value.median : 0.0;
}

static void print_case(const view_bench *bench, const track_kind *kind, uint32_t number, FILE *out)
{
    const char *const plain = view_cases[CASE_PLAIN].name, *const name = view_cases[number].name;
    const bench_row *const base = view_bench_find(bench, plain, "view", kind->name);
    const bench_row *const row = view_bench_find(bench, name, "view", kind->name);
    const double each = value_of(bench, plain, "view entities", kind->name);
    if (!base || !row) {
        return;
    }
    fprintf(out, "%-28s", name);
    print_number(value_of(bench, name, "view entities", kind->name), out);
    print_number(row->value.median, out);
    print_number(row->value.least, out);
    const double extra = row->value.least - base->value.least;
    print_number(each > 0.0 ? 1e3 * row->value.least / each : 0.0, out);
    if (number != CASE_PLAIN) {
        print_extra(extra, out);
        print_extra(each > 0.0 ? 1e3 * extra / each : 0.0, out);
    }
    fprintf(out, "\n");
}

static void print_cases(const view_bench *bench, FILE *out)
{
    for (uint32_t k = 0; k < bench->world.kind_count; k++) {
        const track_kind *const kind = &bench->world.kinds[k];
        char title[64];
        snprintf(title, sizeof title, "%.40s, us a view", kind->name);
        fprintf(out, "\n%-28s %9s %9s %9s %9s %9s %9s\n", title, "visible", "median", "minimum",
                "ns each", "extra us", "ns each");
        for (uint32_t i = 0; i < VIEW_CASES; i++) {
            print_case(bench, kind, i, out);
        }
    }
}

static void print_tasks(const view_bench *bench, const track_kind *kind, FILE *out)
{
    char title[64];
    snprintf(title, sizeof title, "%.40s, us a frame", kind->name);
    fprintf(out, "\n%-28s %9s %9s %9s\n", title, "found", "median", "minimum");
    for (uint32_t i = 0; i < FRAME_TASKS; i++) {
        const char *const name = frame_task_name(i);
        const bench_row *const row = view_bench_find(bench, name, "frame", kind->name);
        if (row) {
            fprintf(out, "%-28s", name);
            print_number(value_of(bench, name, "frame entities", kind->name), out);
            print_number(row->value.median, out);
            print_number(row->value.least, out);
            fprintf(out, "\n");
        }
    }
}

void view_rules_report(const view_bench *bench, FILE *out)
{
    const view_world *const world = &bench->world;
    fprintf(out, "\n%s%s%u entities, %u of them move, the others are static%s\n", world->name,
            world->name[0] ? ": " : "", (unsigned)world->item_count, (unsigned)world->mover_count,
            world->city.is_openstreetmap ? "; map data (c) OpenStreetMap contributors, ODbL 1.0"
                                         : "");
    print_cases(bench, out);
    for (uint32_t k = 0; k < world->kind_count; k++) {
        if (world->kinds[k].flies) {
            print_tasks(bench, &world->kinds[k], out);
        }
    }
    fprintf(out, "\n%llu answers were compared with the definitions and are equal to them\n",
            (unsigned long long)bench->checked);
}
