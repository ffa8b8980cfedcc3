// SPDX-License-Identifier: MIT
// bench_work.c - what Acre's tree did in each of many frames.
#include "bench_work.h"

const char *const work_names[WORK_COUNT] = {"moves", "splits", "collapses", "tightened"};

bool work_reserve(frame_work *work, size_t frames)
{
    bool is_good = true;
    for (int k = 0; k < WORK_COUNT && is_good; k++) {
        is_good = samples_reserve(&work->frames[k], frames);
    }
    return is_good;
}

void work_free(frame_work *work)
{
    for (int k = 0; k < WORK_COUNT; k++) {
        samples_free(&work->frames[k]);
    }
}

static void read_counters(const acre_quadtree *tree, double *out)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    out[0] = (double)stats.moves;
    out[1] = (double)stats.splits;
    out[2] = (double)stats.collapses;
    out[3] = (double)stats.tightened;
}

void work_begin(frame_work *work, const acre_quadtree *tree)
{
    read_counters(tree, work->before);
}

void work_end(frame_work *work, const acre_quadtree *tree)
{
    double after[WORK_COUNT];
    read_counters(tree, after);
    for (int k = 0; k < WORK_COUNT; k++) {
        samples_add(&work->frames[k], after[k] - work->before[k]);
    }
}

bool work_add_rows(bench_race *race, frame_work *work, const char *detail)
{
    bool is_good = true;
    for (int k = 0; k < WORK_COUNT && is_good; k++) {
        is_good = race_add(race, &(bench_row){.contender = bench_acre.name,
                                              .measure = work_names[k],
                                              .detail = detail,
                                              .state = "",
                                              .unit = "a frame",
                                              .value = samples_summarise(&work->frames[k])});
    }
    return is_good;
}
