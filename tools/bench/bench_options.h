// SPDX-License-Identifier: MIT
// bench_options.h - the command line of `acre bench`.
#ifndef ACRE_TOOLS_BENCH_OPTIONS_H
#define ACRE_TOOLS_BENCH_OPTIONS_H

#include "options.h"

#include <acre/kernel.h>

enum { BENCH_MAX_SIZES = 16, BENCH_MAX_ROUNDS = 1000, BENCH_MAX_SCENES = 4 };

typedef struct bench_sizes {
    uint32_t values[BENCH_MAX_SIZES];
    uint32_t count;
} bench_sizes;

typedef struct bench_scenes {
    char paths[BENCH_MAX_SCENES][1024];
    uint32_t count;
    bool are_given;
} bench_scenes;

// What is measured: all about views of a country, or one thing instead.
typedef enum bench_mode {
    BENCH_ALL,
    BENCH_QUERIES,   // every query
    BENCH_PAIRS,     // all pairs of a crowd
    BENCH_WORLDS,    // worlds as they come
    BENCH_WORST,     // the worst frames of a game
    BENCH_NEAR,      // rays and neighbors, beside libraries for them
    BENCH_DRIFT,     // 2,000 frames beside hierarchies that are refitted or built anew
    BENCH_INTEREST,  // observers among movers
    BENCH_ENGINES,   // whole frames of engines
    BENCH_VIEWS,     // views, their rules, and what a frame asks
    BENCH_WORKERS,   // what is divided among workers
    BENCH_OCCLUSION, // views with a horizon
    BENCH_MODE_COUNT_
} bench_mode;

typedef struct bench_options {
    const char *csv_path;   // NULL: none
    const char *json_path;  // NULL: none
    acre_kernel kernel;     // of Acre and of the fastest loop; default: the best there is
    uint32_t node_capacity; // of Acre's trees; 0: the default
    bench_sizes sizes;
    bench_scenes scenes;
    uint32_t views;                   // of each kind
    uint32_t rounds;                  // repetitions, at most
    uint32_t milliseconds;            // for each contender and measure, about
    double seconds;                   // the same
    uint32_t churn;                   // operations of Acre; 0: none
    bool has_peers;                   // trees of others take part
    bool has_cold;                    // queries are also measured with cold caches
    uint32_t stream;                  // MiB that are written to make the second cache cold
    bool has_mode[BENCH_MODE_COUNT_]; // whether it was asked for
    bench_mode mode;
    uint32_t cars;       // in the scenes of BENCH_VIEWS
    bench_sizes workers; // numbers of workers that are compared; none: another mode
    bool help;
} bench_options;

extern const option_table bench_option_table;

// As options_parse; fills in what depends on the mode.
bool bench_options_parse(int argc, char **argv, bench_options *out, char *message,
                         size_t message_size);

// The column of the results.
const char *bench_mode_name(const bench_options *options);

#endif
