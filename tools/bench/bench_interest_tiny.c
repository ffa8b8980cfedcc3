// SPDX-License-Identifier: MIT
// bench_interest_tiny.c - thousands of small instances: what one of 2 observers among 100 items
// takes. The instances are updated in turn, so that none is in the first cache.
#include "bench_interest.h"

#include "country_random.h"
#include "measure_turns.h"

#include <acre/interest.h>

#include <stdlib.h>

enum { INSTANCES = 1000, ITEMS = 100, OBSERVERS = 2, TICKS = 20 };
static const float room_size = 100.0f, sight = 30.0f;

typedef struct tiny_instance {
    acre_quadtree *tree;
    acre_interest *interest;
    acre_aabb boxes[ITEMS];
} tiny_instance;

static bool open_instance(tiny_instance *own, uint64_t *state)
{
    const acre_quadtree_def def = {.half_size = room_size / 2};
    if (acre_quadtree_create(&def, &own->tree) != ACRE_OK ||
        acre_interest_create(own->tree, NULL, &own->interest) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
        const float x = room_size * (draw_unit(state) - 0.5f);
        const float z = room_size * (draw_unit(state) - 0.5f);
        own->boxes[i] = (acre_aabb){{x, 0, z}, {x + 1, 2, z + 1}};
        if (acre_quadtree_insert(own->tree, i, &own->boxes[i]) != ACRE_OK) {
            return false;
        }
    }
    for (uint32_t i = 0; i < OBSERVERS; i++) {
        const acre_observer_def observer_def = {
            .follows_item = true, .item = i, .enter_radius = sight, .leave_radius = sight * 1.1f};
        acre_observer observer;
        if (acre_interest_add(own->interest, &observer_def, &observer) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// One tick of one instance. Returns the milliseconds of the update; below 0: it failed.
static double run_tick(tiny_instance *own, uint32_t tick, bool are_all)
{
    const float step = tick % 2 ? 0.25f : -0.25f;
    const uint32_t begin = are_all ? 0 : tick % ITEMS, end = are_all ? ITEMS : begin + 1;
    for (uint32_t i = begin; i < end; i++) {
        own->boxes[i].min[0] += step;
        own->boxes[i].max[0] += step;
        if (acre_quadtree_refresh(own->tree, i, &own->boxes[i]) != ACRE_OK) {
            return -1;
        }
    }
    const double before = clock_seconds();
    const acre_result result = are_all ? acre_interest_update(own->interest)
                                       : acre_interest_update_changed(own->interest, &begin, 1);
    return result == ACRE_OK ? 1e3 * (clock_seconds() - before) : -1;
}

static bool measure_ticks(tiny_instance *all, bool are_all, measure_rows *rows)
{
    sample_list samples = {0};
    bool is_good = true;
    for (uint32_t tick = 0; tick < TICKS && is_good; tick++) {
        double sum = 0;
        for (uint32_t i = 0; i < INSTANCES && is_good; i++) {
            const double time = run_tick(&all[i], tick, are_all);
            is_good = time >= 0;
            sum += time;
        }
        samples_keep(&samples, sum * 1e3 / INSTANCES);
    }
    rows_add_samples(rows, "acre",
                     (row_name){"instance", are_all ? "all moving" : "one moves", "", "us"},
                     &samples);
    samples_free(&samples);
    return is_good;
}

bool interest_measure_tiny(measure_rows *rows)
{
    uint64_t state = 1;
    tiny_instance *const all = calloc(INSTANCES, sizeof *all);
    bool is_good = all != NULL;
    for (uint32_t i = 0; i < INSTANCES && is_good; i++) {
        is_good = open_instance(&all[i], &state);
    }
    is_good = is_good && measure_ticks(all, true, rows) && measure_ticks(all, false, rows);
    if (is_good) {
        acre_interest_stats stats;
        acre_interest_get_stats(all[0].interest, &stats);
        rows_add_value(rows, "acre", (row_name){"instance", "memory", "", "bytes"},
                       (double)stats.bytes);
    }
    for (uint32_t i = 0; i < INSTANCES && all; i++) {
        acre_interest_destroy(all[i].interest);
        acre_quadtree_destroy(all[i].tree);
    }
    free(all);
    return is_good;
}

void interest_report_tiny(uint32_t count, const measure_rows *rows, FILE *out)
{
    const measure_row *const all = rows_find(rows, count, "acre", "instance", "all moving", "");
    const measure_row *const one = rows_find(rows, count, "acre", "instance", "one moves", "");
    const measure_row *const bytes = rows_find(rows, count, "acre", "instance", "memory", "");
    if (all && one && bytes) {
        fprintf(out,
                "one of %d instances of %d observers among %d items: %.0f bytes; update %.2f us if "
                "all move, %.2f us if one does\n",
                INSTANCES, OBSERVERS, ITEMS, bytes->value.median, all->value.median,
                one->value.median);
    }
}
