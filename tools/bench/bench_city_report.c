// SPDX-License-Identifier: MIT
// bench_city_report.c - tables of bench_city.c.
#include "bench_city.h"

#include "bench_report.h"
#include "bench_table.h"

static void print_stages(const bench_city *city, const city_scene *scene, FILE *out)
{
    fprintf(out, "\n%-22s %10s %10s %10s %10s\n", scene->name, "minimum", "median", "p99.9",
            "maximum");
    for (int k = 0; k < CITY_STAGE_COUNT_; k++) {
        const bench_row *const row =
            table_find(&city->race, scene->name, city_stage_names[k], city->name, "");
        if (row) {
            table_spread(city_stage_names[k], row, out);
        }
    }
}

static void print_contender(const bench_city *city, const char *name, FILE *out)
{
    static const char *const measures[] = {"city refresh", "city views"};
    fprintf(out, "%-22s", name);
    for (int k = 0; k < 2; k++) {
        const bench_row *const row = table_find(&city->race, name, measures[k], city->name, "");
        char most[32] = "-";
        if (row) {
            table_number(most, sizeof most, row->value.most);
        }
        table_cell(row, table_find(&city->race, city->scenes[0].name, measures[k], city->name, ""),
                   out);
        fprintf(out, " %9s", most);
    }
    fprintf(out, "\n");
}

void city_report(const bench_city *city, FILE *out)
{
    fprintf(out, "\n%s: %u boxes, %u of them cars that drive, %u frames%s\n", city->name,
            (unsigned)city->race.workload.count, (unsigned)city->cars, (unsigned)city->frames,
            city->scenes[0].world.is_openstreetmap
                ? "; map data (c) OpenStreetMap contributors, ODbL 1.0"
                : "");
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        print_stages(city, &city->scenes[i], out);
    }
    fprintf(out, "\n%-22s %8s         %9s %8s        %9s\n", "us a frame", "refresh", "maximum",
            "five views", "maximum");
    for (int i = 0; i < CITY_SCENE_COUNT; i++) {
        print_contender(city, city->scenes[i].name, out);
    }
    for (uint32_t i = 0; i < city->race.entrant_count; i++) {
        print_contender(city, city->race.entrants[i].what->name, out);
    }
    fprintf(out, "\n%u of the cullers' sets are equal to the reference\n",
            (unsigned)(city->faults.sets - city->faults.different));
    report_checks(&city->race, out);
}
