// SPDX-License-Identifier: MIT
// test_bench_rivals.c - `acre bench --drift` and `--near`: the sets of all hierarchies are right on
// every instruction set, in every way to live, and each way has its rows.
#include "test.h"

#include "bench_contender.h"
#include "bench_drift.h"
#include "bench_near.h"

#include <acre/kernel.h>

enum { VIEWS = 2 };

static const uint32_t sizes[] = {1, 40, 3000};

static void hierarchies_live_through_their_frames(void)
{
    static const acre_kernel kernels[] = {ACRE_KERNEL_SCALAR, ACRE_KERNEL_SSE4, ACRE_KERNEL_AVX2,
                                          ACRE_KERNEL_AVX512};
    char message[256] = "";
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const bench_contender *const rivals = bench_wide_bvhs(kernels[i]);
        const bench_options options = {.kernel = kernels[i], .views = VIEWS, .rounds = 1};
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            if (!rivals && kernels[i] != ACRE_KERNEL_SCALAR) {
                continue; // not on this processor
            }
            measure_rows rows = {0};
            CHECK(drift_measure(&options, sizes[k], &rows, message, sizeof message));
            for (int way = 0; way < WIDE_BVH_COUNT && rivals; way++) {
                const char *const name = rivals[way].name;
                const measure_row *const update =
                    rows_find(&rows, sizes[k], name, "update", "10 % move", "");
                CHECK(update && update->value.count == 133);
                CHECK(rows_find(&rows, sizes[k], name, "box, 20 m", "1 % move", "frame 100"));
                CHECK(rows_find(&rows, sizes[k], name, "rts", "100 % move", "frame 10"));
            }
            drift_report(&options, sizes[k], &rows, stdout);
            rows_free(&rows);
        }
    }
}

static void rays_and_neighbors_are_answered(void)
{
    const bench_options options = {.mode = BENCH_NEAR,
                                   .views = VIEWS,
                                   .rounds = 1,
                                   .milliseconds = 1,
                                   .seconds = 0.001,
                                   .has_peers = true};
    char message[256] = "";
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        measure_rows rows = {0};
        CHECK(near_measure(&options, sizes[k], &rows, message, sizeof message));
        CHECK(rows_find(&rows, sizes[k], "acre", "answer", "ray, closest, 200 m", ""));
        CHECK(rows_find(&rows, sizes[k], "acre", "answer", "8 nearest to a point", ""));
        CHECK(rows_find(&rows, sizes[k], "acre", "update", "points", ""));
        for (uint32_t i = 0; i < bench_peer_count(); i++) {
            CHECK(!rows_find(&rows, sizes[k], "nanoflann, points", "answer missing", "sphere, 10 m",
                             ""));
        }
        near_report(&options, sizes[k], &rows, stdout);
        rows_free(&rows);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(hierarchies_live_through_their_frames),
        TEST(rays_and_neighbors_are_answered),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
