// SPDX-License-Identifier: MIT
// bench_check.c - the reference sets of a race, and how those that contenders find differ.
#include "bench_race.h"

#include <stdio.h>
#include <stdlib.h>

static bool add_visible(bench_race *race, uint32_t item)
{
    if (race->visible_count == race->visible_capacity) {
        const size_t capacity = race->visible_capacity ? 2 * race->visible_capacity : 65536;
        uint32_t *const grown = realloc(race->visible, capacity * sizeof *grown);
        if (!grown) {
            return race_fail(race, "reference", "out of memory");
        }
        race->visible = grown;
        race->visible_capacity = capacity;
    }
    race->visible[race->visible_count++] = item;
    return true;
}

// By the definition of visibility itself, and by no contender.
static bool find_reference(bench_race *race, uint32_t views)
{
    bool is_good = true;
    race->visible_count = 0;
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        race_progress(race, "reference", view_kind_name((view_kind)kind));
        for (uint32_t i = 0; i < race_views_of_kind(views, kind); i++) {
            const acre_frustum *const frustum = &race->workload.views[kind][i].frustum;
            visible_set *const set = &race->sets[kind][i];
            set->first = race->visible_count;
            for (uint32_t item = 0; item < race->workload.count && is_good; item++) {
                if (acre_frustum_test_aabb(frustum, &race->workload.boxes[item])) {
                    is_good = add_visible(race, item);
                }
            }
            set->count = race->visible_count - set->first;
        }
    }
    return is_good;
}

enum { MARK_VISIBLE = 1, MARK_FOUND = 2 };

uint64_t race_count_faults(bench_race *race, const contender_query *query, size_t found,
                           set_faults *faults)
{
    uint8_t *const marks = race->marks;
    const set_faults before = *faults;
    for (size_t i = 0; i < query->visible_count; i++) {
        marks[query->visible[i]] = MARK_VISIBLE;
    }
    for (size_t i = 0; i < found; i++) {
        const uint32_t item = race->found[i];
        if (item >= race->workload.count || marks[item] != MARK_VISIBLE) {
            faults->extra++;
        } else {
            marks[item] = MARK_FOUND;
        }
    }
    for (size_t i = 0; i < query->visible_count; i++) {
        const uint32_t item = query->visible[i];
        if (marks[item] == MARK_VISIBLE) {
            faults->missing++;
            faults->missing_seen +=
                acre_frustum_test_aabb_exact(query->frustum, &race->workload.boxes[item]);
        }
        marks[item] = 0;
    }
    faults->sets++;
    const uint64_t differing = faults->missing - before.missing + faults->extra - before.extra;
    faults->different += differing > 0;
    return differing;
}

static bool check_sets(bench_race *race, const bench_contender *what, void *state, uint32_t views,
                       set_faults *faults)
{
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < race_views_of_kind(views, kind); i++) {
            const contender_query query = race_query(race, kind, i);
            const size_t found = what->query(state, &query, race->found);
            const bool fits = found <= race->workload.count;
            if (fits) {
                race_count_faults(race, &query, found, faults);
            }
            if (!fits || (what->is_exact && faults->different)) {
                char text[128];
                snprintf(text, sizeof text,
                         "view %s %u: %zu found, %zu visible: not the reference set",
                         view_kind_name((view_kind)kind), (unsigned)i, found, query.visible_count);
                return race_fail(race, what->name, text);
            }
        }
    }
    return true;
}

bool race_find_reference(bench_race *race)
{
    return find_reference(race, race->workload.view_count);
}

bool race_check(bench_race *race)
{
    const uint32_t views = race->workload.view_count;
    bool is_good = race_catch_up(race) && race_find_reference(race);
    for (uint32_t i = 0; i < race->entrant_count && is_good; i++) {
        race_entrant *const entrant = &race->entrants[i];
        race_progress(race, "check", entrant->what->name);
        is_good = check_sets(race, entrant->what, entrant->state, views, &entrant->faults);
    }
    return is_good;
}

bool race_check_state(bench_race *race, const bench_contender *what, void *state, uint32_t views,
                      set_faults *faults)
{
    const uint32_t there = race->workload.view_count;
    const uint32_t checked = views < there ? views : there;
    return find_reference(race, checked) && check_sets(race, what, state, checked, faults);
}
