// SPDX-License-Identifier: MIT
// bench_workers_rows.c - names of the rows, their copies and limits, and the table of limits.
//
// A copy has as many bytes as the code of the call reads and writes for an item, each pass once;
// what belongs to blocks of 64 items and to nodes is left out:
//     refresh_all  the caller's box and the item's number are read, the box is written: 52
//     query        the item's number is read and written: 8
//     commit       set_locals reads handle, transform and slot record, 56, and writes the
//     transform,
//                  40. The commit reads head and row, 72, and writes matrix, box and list, 76. The
//                  culler reads list and slot, 8, and refreshes all, 52. Together 304
//     build        rows, 28, and locations, 4, are read; entries of 16 are read for keys, counted,
//                  moved, then in each cell counted, moved and copied back, and read for the fill
//                  with boxes, 24: 168. Written are entries five times, locations twice and boxes
//                  with numbers: 116. Together 284
#include "bench_workers_rows.h"

#include "workers.h"

const worker_row worker_rows[TASK_COUNT_] = {
    [FORK] = {"fork and join", FORK, NULL},
    [COPY_REFRESH] = {"copy of 52 bytes an item", FORK, NULL},
    [REFRESH] = {"refresh_all", COPY_REFRESH, "memory; 3 to 7 % is serial: leavers"},
    [COPY_COMMIT] = {"copy of 304 bytes an item", FORK, NULL},
    [COMMIT] = {"set_locals and commit", COPY_COMMIT,
                "memory; 4 to 6 % is serial: leavers, upkeep"},
    [FIND] = {"16 views", FORK, "the longest view"},
    [FIND_WIDE] = {"16 wide views", FORK, "nothing is serial"},
    [COPY_IDS] = {"copy of 8 bytes an item", FORK, NULL},
    [QUERY_ALL] = {"query of the world", COPY_IDS, "17 % is serial: descent; below 50 us all"},
    [QUERY_HALF] = {"query of a half", COPY_IDS, "26 % is serial: descent; below 50 us all"},
    [NEIGHBORS] = {"neighbors within 10 m", FORK, "6 % is serial: joining lists"},
    [PAIRS] = {"all pairs", FORK, "memory; 1 to 2 % is serial"},
    [FRAME] = {"frame: all move, 5 views", COPY_COMMIT, "memory; 3 % is serial"},
    [COPY_BUILD] = {"copy of 284 bytes an item", FORK, NULL},
    [CHAINS] = {"chains of 8, commit", FORK, "parents in other blocks; 3 to 9 % is serial"},
    [WIDE_VIEW] = {"one wide view with LODs", FORK, "5 to 13 % is serial: the first groups"},
    [DRAW_LIST] = {"draw list of a half", FORK, "scattered writes; 9 to 13 % is serial"},
    [CASTERS] = {"casters of 4 cascades", FORK, "8 to 40 % is serial: receivers' grids"},
    [BUILD] = {"build", COPY_BUILD, "memory; 4 to 8 % is serial: quads, chains"},
    [OPTIMIZE] = {"optimize", COPY_BUILD, "memory; 5 to 8 % is serial: quads, chains"},
};

uint32_t worker_copy_bytes(worker_task task)
{
    switch (task) {
    case COPY_REFRESH:
        return 52;
    case COPY_COMMIT:
        return WORKER_COPY_MOST;
    case COPY_IDS:
        return 8;
    case COPY_BUILD:
        return 284;
    default:
        return 0;
    }
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
    fprintf(out, "\n%-24s %-8s %-20s %s\n", "", "times", "share of the gain", "limit on two cores");
    fprintf(out, "%-24s %-8s %-20s %s\n", after, "as fast", "of a copy", "with Zen 4");
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
