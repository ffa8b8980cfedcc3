// SPDX-License-Identifier: MIT
// test_interest_random.c - after each update of a long random stream every observer sees what plain
// loops say, and the lists lead from one update to the next.
#include "interest_stream.h"

#include <stdlib.h>

static size_t seen_events[4], updates_by_change;

static const char *run_stream(interest_stream *stream, uint32_t updates)
{
    const char *fault = NULL;
    for (uint32_t update = 0; update < updates && !fault; update++) {
        const uint32_t edits = random_below(&stream->random, update % 16 == 0 ? 200 : 12);
        for (uint32_t i = 0; i < edits && !fault; i++) {
            fault = interest_stream_edit(stream);
        }
        fault = fault ? fault : interest_stream_update(stream);
        fault = fault ? fault : interest_stream_check(stream);
        updates_by_change += stream->updates_by_change;
        if (fault) {
            printf("update %u%s: ", update, stream->updates_by_change ? ", by change" : "");
        }
    }
    for (int kind = 0; kind < 4; kind++) {
        seen_events[kind] += stream->events[kind];
    }
    return fault;
}

static const char *run_kind(uint32_t flags, bool has_generations, uint32_t seed)
{
    interest_stream *const stream = malloc(sizeof *stream);
    const acre_interest_def def = {.flags = flags};
    const char *fault = "memory";
    if (stream && interest_stream_init(stream, &def, has_generations, test_seed + seed)) {
        fault = run_stream(stream, 400 * test_scale);
        interest_stream_free(stream);
    }
    free(stream);
    if (fault) {
        printf("flags %u, generations %d: %s\n", flags, has_generations, fault);
    }
    return fault;
}

static void every_update_is_what_plain_loops_say(void)
{
    for (uint32_t i = 0; i < 16; i++) {
        CHECK(run_kind(i & 3, (i & 4) != 0, i) == NULL);
    }
    for (int kind = 0; kind < 4; kind++) {
        CHECK(seen_events[kind] > 1000); // the streams meet every kind of event
    }
    CHECK(updates_by_change > 1000);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(every_update_is_what_plain_loops_say)};
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
