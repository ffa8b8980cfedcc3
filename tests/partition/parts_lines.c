// SPDX-License-Identifier: MIT
// parts_lines.c - what each tick of a stream leaves, in one process: a line of hashes.
//     parts_lines PARTS TICKS SEED PERIODIC
#include "parts_stream.h"

#include <stdlib.h>

enum { ITEMS = 300, PARTS_MOST = 64 };

static acre_partition *parts[PARTS_MOST];
static acre_partition_interest *interests[PARTS_MOST];

static acre_result run_tick(const parts_stream *stream, uint32_t count, uint32_t tick)
{
    static const acre_recut_def recut = {.tolerance = 1, .most_moved = 60};
    acre_result result = ACRE_OK;
    uint64_t sums[STREAM_SUM_COUNT] = {0};
    for (uint32_t i = 0; i < count && result == ACRE_OK && tick > 0; i++) {
        const stream_part part = {parts[i], i, count, interests[i]};
        result = stream_move(stream, &part, tick);
        result = result == ACRE_OK ? stream_ask(stream, &part, tick) : result;
    }
    result = result == ACRE_OK ? acre_partition_exchange(parts, count) : result;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        const stream_part part = {parts[i], i, count, interests[i]};
        result = stream_watch(&part);
        result = result == ACRE_OK ? stream_add_sums(&part, sums) : result;
    }
    stream_print_line(tick, sums);
    return result == ACRE_OK ? acre_partition_recut(parts, count, &recut, NULL) : result;
}

static acre_result run(const parts_stream *stream, uint32_t count, uint32_t ticks)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        const acre_partition_def def = stream_def(stream, i, count);
        result = acre_partition_create(&def, &parts[i]);
        result = result == ACRE_OK ? acre_partition_interest_create(parts[i], NULL, &interests[i])
                                   : result;
        const stream_part part = {parts[i], i, count, interests[i]};
        result = result == ACRE_OK ? stream_fill(stream, &part) : result;
    }
    for (uint32_t tick = 0; tick < ticks && result == ACRE_OK; tick++) {
        result = run_tick(stream, count, tick);
    }
    for (uint32_t i = 0; i < count; i++) {
        acre_partition_interest_destroy(interests[i]);
        acre_partition_destroy(parts[i]);
    }
    return result;
}

int main(int argc, char **argv)
{
    const long count = argc == 5 ? strtol(argv[1], NULL, 10) : 0;
    if (count < 1 || count > PARTS_MOST) {
        fprintf(stderr, "parts_lines PARTS TICKS SEED PERIODIC\n");
        return 2;
    }
    const parts_stream stream = {strtoull(argv[3], NULL, 10), ITEMS, argv[4][0] == '1'};
    const acre_result result = run(&stream, (uint32_t)count, (uint32_t)strtoul(argv[2], NULL, 10));
    printf("%s\n", acre_result_text(result));
    return result == ACRE_OK ? 0 : 1;
}
