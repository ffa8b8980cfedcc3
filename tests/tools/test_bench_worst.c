// SPDX-License-Identifier: MIT
// test_bench_worst.c - `acre bench --worst`: every phase is played, sets are right, and frames that
// only move entities leave the allocator alone.
#include "test.h"

#include "bench_worst.h"

#include <string.h>

enum { ENTITIES = 3000, VIEWS = 4, ROUNDS = 1 };

static const measure_row *find(const measure_rows *rows, const char *call, const char *phase,
                               const char *what)
{
    return rows_find(rows, ENTITIES, "acre", call, phase, what);
}

static void the_game_is_played_to_its_end_and_moves_ask_for_no_memory(void)
{
    const bench_options options = {.views = VIEWS, .rounds = ROUNDS};
    measure_rows rows = {0};
    char message[256] = "";
    CHECK(worst_measure(&options, ENTITIES, &rows, message, sizeof message));
    size_t frames = 0, phases = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const measure_row *const row = &rows.rows[i];
        if (strcmp(row->name.measure, "frame") == 0 && row->name.state[0] == '\0') {
            frames += row->value.count;
            phases++;
            CHECK(row->value.least > 0.0 && row->value.most >= row->value.median);
        }
    }
    CHECK(phases == 17 && frames > 10000 / 15 && frames < 10000 / 15 + phases);
    CHECK(find(&rows, "frame", "load", "allocations")->value.median > 10.0);
    CHECK(find(&rows, "edit", "load", "page faults")->value.median > 0.0);
    static const char *const moves[] = {"play, 2 % move", "all move", "spectator", "play again"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        CHECK(find(&rows, "frame", moves[i], "allocations")->value.median == 0.0);
    }
    worst_report(&options, ENTITIES, &rows, stdout);
    rows_free(&rows);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_game_is_played_to_its_end_and_moves_ask_for_no_memory),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
