// SPDX-License-Identifier: MIT
// bench_options.h - the command line of `acre bench`.
#ifndef ACRE_TOOLS_BENCH_OPTIONS_H
#define ACRE_TOOLS_BENCH_OPTIONS_H

#include <acre/kernel.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_MAX_SIZES = 16, BENCH_MAX_ROUNDS = 1000, BENCH_MAX_SCENES = 4 };

typedef struct bench_options {
    const char *json_path;  // NULL: none
    const char *csv_path;   // NULL: none
    const char *svg_folder; // NULL: none
    acre_kernel kernel;     // of Acre and of the fastest loop; default: the best there is
    uint32_t sizes[BENCH_MAX_SIZES];
    uint32_t size_count;
    char scenes[BENCH_MAX_SCENES][1024]; // files
    uint32_t scene_count;
    bool has_scenes;    // were named
    uint32_t views;     // of each kind
    uint32_t rounds;    // repetitions, at most
    double seconds;     // for each contender and measure, about
    uint64_t churn;     // operations of Acre; 0: none
    bool has_peers;     // trees of others take part
    bool is_alone;      // nor anybody else: Acre's trees
    bool is_tiled;      // boxes are numbered tile by tile
    bool has_cold;      // queries also after the caches were streamed through
    uint32_t stream;    // MiB of that for the second cache
    bool is_growth;     // cost growth instead of all measures; without peers
    bool is_queries;    // every query instead of all measures
    bool is_pairs;      // all pairs of a crowd instead of all measures
    bool is_view_rules; // what views and their rules cost instead of all measures
    uint32_t cars;      // that drive through scenes there
    bool help;
} bench_options;

// argv[0] is the name of the command and is skipped. Strings stay argv's. Returns false and a
// message without a full stop if an argument is unknown, has no value or a bad one.
bool bench_options_parse(int argc, char **argv, bench_options *out, char *message,
                         size_t message_size);

// The text of --help.
const char *bench_options_help(void);

#endif
