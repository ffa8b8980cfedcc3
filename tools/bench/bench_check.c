// SPDX-License-Identifier: MIT
// bench_check.c - the reference sets of a contest, and how those that contenders find differ.
#include "bench_contest.h"

#include <stdio.h>
#include <stdlib.h>

static bool add_visible(bench_contest *contest, uint32_t item)
{
    if (contest->visible_count == contest->visible_capacity) {
        const size_t capacity = contest->visible_capacity ? 2 * contest->visible_capacity : 65536;
        uint32_t *const grown = realloc(contest->visible, capacity * sizeof *grown);
        if (!grown) {
            return contest_fail(contest, "reference", "out of memory");
        }
        contest->visible = grown;
        contest->visible_capacity = capacity;
    }
    contest->visible[contest->visible_count++] = item;
    return true;
}

// By the definition of visibility itself, and by no contender.
static bool find_reference(bench_contest *contest, uint32_t views)
{
    bool is_good = true;
    contest->visible_count = 0;
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        contest_progress(contest, "reference", view_kind_name((view_kind)kind));
        for (uint32_t i = 0; i < contest_views_of_kind(views, kind); i++) {
            const acre_frustum *const frustum = &contest->workload.views[kind][i].frustum;
            visible_set *const set = &contest->sets[kind][i];
            set->first = contest->visible_count;
            for (uint32_t item = 0; item < contest->workload.count && is_good; item++) {
                if (acre_frustum_test_aabb(frustum, &contest->workload.boxes[item])) {
                    is_good = add_visible(contest, item);
                }
            }
            set->count = contest->visible_count - set->first;
        }
    }
    return is_good;
}

enum { MARK_VISIBLE = 1, MARK_FOUND = 2 };

uint64_t contest_count_faults(bench_contest *contest, const contender_query *query, size_t found,
                              set_faults *faults)
{
    uint8_t *const marks = contest->marks;
    const set_faults before = *faults;
    for (size_t i = 0; i < query->visible_count; i++) {
        marks[query->visible[i]] = MARK_VISIBLE;
    }
    for (size_t i = 0; i < found; i++) {
        const uint32_t item = contest->found[i];
        if (item >= contest->workload.count || marks[item] != MARK_VISIBLE) {
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
                acre_frustum_test_aabb_exact(query->frustum, &contest->workload.boxes[item]);
        }
        marks[item] = 0;
    }
    faults->sets++;
    const uint64_t differing = faults->missing - before.missing + faults->extra - before.extra;
    faults->different += differing > 0;
    return differing;
}

static bool check_sets(bench_contest *contest, const bench_contender *what, void *state,
                       uint32_t views, set_faults *faults)
{
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < contest_views_of_kind(views, kind); i++) {
            const contender_query query = contest_query(contest, kind, i);
            const size_t found = what->query(state, &query, contest->found);
            const bool fits = found <= contest->workload.count;
            if (fits) {
                contest_count_faults(contest, &query, found, faults);
            }
            if (!fits || (what->is_exact && faults->different)) {
                char text[128];
                snprintf(text, sizeof text,
                         "view %s %u: %zu found, %zu visible: not the reference set",
                         view_kind_name((view_kind)kind), (unsigned)i, found, query.visible_count);
                return contest_fail(contest, what->name, text);
            }
        }
    }
    return true;
}

bool contest_find_reference(bench_contest *contest)
{
    return find_reference(contest, contest->workload.view_count);
}

bool contest_check(bench_contest *contest)
{
    const uint32_t views = contest->workload.view_count;
    bool is_good = contest_catch_up(contest) && contest_find_reference(contest);
    for (uint32_t i = 0; i < contest->entrant_count && is_good; i++) {
        contest_entrant *const entrant = &contest->entrants[i];
        contest_progress(contest, "check", entrant->what->name);
        is_good = check_sets(contest, entrant->what, entrant->state, views, &entrant->faults);
    }
    return is_good;
}

bool contest_check_state(bench_contest *contest, const bench_contender *what, void *state,
                         uint32_t views, set_faults *faults)
{
    const uint32_t there = contest->workload.view_count;
    const uint32_t checked = views < there ? views : there;
    return find_reference(contest, checked) && check_sets(contest, what, state, checked, faults);
}
