// SPDX-License-Identifier: MIT
// bench_workers_rows.c - names of the rows, their copies and limits, and the table of limits.
//
// A copy has as many bytes as the arrays that a call reads or writes have for an item. Each array
// counts once, however many passes there are, so that the copy leaves the caches where the call
// does. What belongs to blocks of 64 items and to nodes is left out:
//     refresh_all  the caller's box; the tree's number and box: 24 + 4 + 24 = 52
//     query        the number in the tree and in the result: 4 + 4 = 8
//     commit       handle, transform, slot, row, head: 8 + 40 + 8 + 64 + 8; matrix, box, list:
//                  48 + 24 + 4; the culler's slot: 4; the tree's number and box: 4 + 24.
//                  Together 236
//     build        the caller's number and box: 4 + 24; two entries, height, location:
//                  16 + 16 + 4 + 4; the tree's number and box: 4 + 24. Together 96
//     optimize     as a build, with the old tree's numbers and boxes for the caller's: 96
// A frame has the copy of its commit; what the views read is left out. At a million a commit stores
// its matrices past the caches; a copy stores nothing so.
//
// Whoever moves items has two arrays for two frames in turns: boxes for refresh_all, transforms for
// a commit. The copy of such a call begins that much farther on in every other frame. If it read
// the same bytes again and again, two cores with a third-level cache each would keep halves that
// one core cannot keep, and gain up to x2.5.
#include "bench_workers_rows.h"

#include "workers.h"

static const char building[] = "bandwidth; making quads and chains is serial";

const worker_row worker_rows[TASK_COUNT_] = {
    [FORK] = {"fork and join", FORK, NULL},
    [COPY_REFRESH] = {"copy of 52 bytes an item", FORK, NULL},
    [REFRESH] = {"refresh_all", COPY_REFRESH, "bandwidth; moving leavers is serial"},
    [COPY_COMMIT] = {"copy of 236 bytes an item", FORK, NULL},
    [COMMIT] = {"set_locals and commit", COPY_COMMIT, "bandwidth; leavers and upkeep are serial"},
    [FIND] = {"16 views", FORK, "the longest view"},
    [FIND_WIDE] = {"16 wide views", FORK, "nothing is serial"},
    [NEIGHBORS] = {"neighbors within 10 m", FORK, "joining lists is serial"},
    [PAIRS] = {"all pairs", FORK, "bandwidth; little is serial"},
    [FRAME] = {"frame: all move, 5 views", COPY_COMMIT, "bandwidth; leavers and upkeep are serial"},
    [COPY_BUILD] = {"copy of 96 bytes an item", FORK, NULL},
    [CHAINS] = {"chains of 8, commit", FORK, "rows wait for parents in other blocks"},
    [WIDE_VIEW] = {"one wide view with LODs", FORK, "the first groups are serial"},
    [DRAW_LIST] = {"draw list of a half", FORK, "scattered writes"},
    [CASTERS] = {"casters of 4 cascades", FORK, "making receivers' grids is serial"},
    [BUILD] = {"build", COPY_BUILD, building},
    [OPTIMIZE] = {"optimize", COPY_BUILD, building},
};

uint32_t worker_copy_bytes(worker_task task)
{
    switch (task) {
    case COPY_REFRESH:
        return 52;
    case COPY_COMMIT:
        return WORKER_COPY_MOST;
    case COPY_BUILD:
        return 96;
    default:
        return 0;
    }
}

uint32_t worker_copy_shift(worker_task task)
{
    return task == COPY_REFRESH ? 24 : task == COPY_COMMIT ? WORKER_SHIFT_MOST : 0;
}

const char *worker_name(uint32_t workers)
{
    static char names[WORKERS_MOST + 1][16];
    snprintf(names[workers], sizeof names[workers], "%u worker%s", (unsigned)workers,
             workers == 1 ? "" : "s");
    return names[workers];
}

// How many times faster a task is with other workers. 0: there are no such rows.
static double speed_up(const measure_rows *rows, uint32_t count, worker_task task,
                       const char *before, const char *after)
{
    const char *const name = worker_rows[task].name;
    const measure_row *const one = rows_find(rows, count, before, "workers", name, "");
    const measure_row *const more = rows_find(rows, count, after, "workers", name, "");
    return one && more && more->value.median > 0 ? one->value.median / more->value.median : 0;
}

void workers_print_limits(const bench_options *options, uint32_t count, const measure_rows *rows,
                          FILE *out)
{
    const bench_sizes *const workers = &options->workers;
    if (workers->count < 2) {
        return;
    }
    const char *const before = worker_name(workers->values[0]);
    const char *const after = worker_name(workers->values[workers->count - 1]);
    fprintf(out, "\n%-24s %-8s %s\n", "", "times", "share of the gain");
    fprintf(out, "%-24s %-8s %-20s %s\n", after, "as fast", "of a copy", "limit");
    for (int i = 0; i < TASK_COUNT_; i++) {
        const worker_row *const row = &worker_rows[i];
        const double gain = speed_up(rows, count, (worker_task)i, before, after);
        const double copied = speed_up(rows, count, row->copy, before, after);
        if (!row->limit || gain == 0) {
            continue;
        }
        char share[32] = "";
        if (row->copy != FORK && copied > 0) {
            snprintf(share, sizeof share, "%.2f of %u bytes", gain / copied,
                     (unsigned)worker_copy_bytes(row->copy));
        }
        fprintf(out, "%-24s %-8.2f %-20s %s\n", row->name, gain, share, row->limit);
    }
}
