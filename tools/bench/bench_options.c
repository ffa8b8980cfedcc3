// SPDX-License-Identifier: MIT
// bench_options.c - the command line of `acre bench`.
#include "bench_options.h"

#include "bench_workload.h"
#include "option_values.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GROWTH_VIEWS = 16, RULE_VIEWS = 16, RULE_CARS = 87000 };

static const char help[] =
    "usage: acre bench [options]\n"
    "\n"
    "Measures Acre's quadtree beside loops over all boxes and trees of others, in one run and in\n"
    "turns: build, refresh, query, remove. Every set that is found is compared with the one that\n"
    "acre_frustum_test_aabb defines.\n"
    "\n"
    "  --sizes N,N..  numbers of boxes, 1 to 16777216 (default 1000,10000,100000,1000000)\n"
    "  --scenes F,F.. scene files that cars drive through, or none (default: San Francisco, and\n"
    "                 out/astana.glb where it was built, see tools/scenes)\n"
    "  --views N      views of each of the five kinds, 1 to 64 (default 64)\n"
    "  --rounds N     repetitions at most, 1 to 1000 (default 15)\n"
    "  --milliseconds N  for each contender and measure, about (default 300)\n"
    "  --churn N      removals, insertions and refreshes until a tree counts as aged,\n"
    "                 0 to 1000000000; others stop when their time is over (default 10000000)\n"
    "  --kernel NAME  instruction set of Acre and of the fastest loop: scalar, sse4, avx2,\n"
    "                 avx512 (default: the best that the processor has)\n"
    "  --peers YES    yes or no: whether trees of others take part (default yes)\n"
    "  --alone YES    yes or no: whether nothing but three of Acre's trees takes part, so that\n"
    "                 caches are theirs, as in a game (default no)\n"
    "  --order NAME   how boxes are numbered: random, or tiles, as a program does that reads its\n"
    "                 world tile by tile (default random)\n"
    "  --cold YES     yes or no: whether queries are measured with cold caches, too (default yes)\n"
    "  --stream N     MiB that go through the caches before a query of which the second one is to\n"
    "                 be cold, 1 to 1024 (default 8)\n"
    "  --growth YES   yes or no: instead of all that, how the cost of Acre, the fastest loop and\n"
    "                 memcpy grows with the number of boxes, with the share in view and with the\n"
    "                 share that moves; --sizes is then 1000,3000,10000,30000,100000,300000,\n"
    "                 1000000,4000000, --scenes none and --views 16 (default no)\n"
    "  --queries YES  yes or no: instead of all that, every query of the tree beside loops over "
    "all\n"
    "                 boxes and the trees of others that have the query, --views of each; --sizes "
    "is\n"
    "                 then 100000,1000000, --scenes none (default no)\n"
    "  --pairs YES    yes or no: instead of all that, all overlapping pairs of a crowd beside a\n"
    "                 sweep and the trees of others; --sizes is then 10000,100000,1000000,\n"
    "                 --scenes none (default no)\n"
    "  --view-rules YES  yes or no: instead of all that, what views, their rules and visible sets\n"
    "                 cost beside the plain query and the same rules by hand; --sizes is then\n"
    "                 100000,1000000, --views 16, --scenes San Francisco (default no)\n"
    "  --cars N       that drive through these scenes, 0 to 1000000 (default 87000)\n"
    "  --json FILE    where to write all figures as JSON\n"
    "  --csv FILE     where to write them as a table\n"
    "  --svg FOLDER   where to draw them: query_by_size.svg, query_by_visible.svg,\n"
    "                 refresh_by_share.svg; with --growth growth_by_size.svg,\n"
    "                 growth_by_visible.svg, growth_by_moving.svg\n"
    "  --help         this text\n"
    "\n"
    "Exit status: 0 all well, 1 a failure or a set that differs, 2 bad arguments.\n";

enum {
    OPTION_SIZES = 256,
    OPTION_SCENES,
    OPTION_VIEWS,
    OPTION_ROUNDS,
    OPTION_MILLISECONDS,
    OPTION_CHURN,
    OPTION_KERNEL,
    OPTION_PEERS,
    OPTION_ALONE,
    OPTION_ORDER,
    OPTION_COLD,
    OPTION_STREAM,
    OPTION_GROWTH,
    OPTION_QUERIES,
    OPTION_PAIRS,
    OPTION_VIEW_RULES,
    OPTION_CARS,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_SVG
};

static const struct option long_options[] = {
    {"sizes", required_argument, NULL, OPTION_SIZES},
    {"scenes", required_argument, NULL, OPTION_SCENES},
    {"views", required_argument, NULL, OPTION_VIEWS},
    {"rounds", required_argument, NULL, OPTION_ROUNDS},
    {"milliseconds", required_argument, NULL, OPTION_MILLISECONDS},
    {"churn", required_argument, NULL, OPTION_CHURN},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"peers", required_argument, NULL, OPTION_PEERS},
    {"alone", required_argument, NULL, OPTION_ALONE},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"cold", required_argument, NULL, OPTION_COLD},
    {"stream", required_argument, NULL, OPTION_STREAM},
    {"growth", required_argument, NULL, OPTION_GROWTH},
    {"queries", required_argument, NULL, OPTION_QUERIES},
    {"pairs", required_argument, NULL, OPTION_PAIRS},
    {"view-rules", required_argument, NULL, OPTION_VIEW_RULES},
    {"cars", required_argument, NULL, OPTION_CARS},
    {"json", required_argument, NULL, OPTION_JSON},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool set_sizes(const char *text, bench_options *out, char *message, size_t size)
{
    static const number_range range = {"--sizes", 1, WORKLOAD_MAX_BOXES};
    out->size_count = 0;
    for (;;) {
        const size_t length = strcspn(text, ",");
        char number[24] = "";
        uint64_t value = 0;
        if (out->size_count == BENCH_MAX_SIZES) {
            snprintf(message, size, "--sizes takes at most %d numbers", (int)BENCH_MAX_SIZES);
            return false;
        }
        memcpy(number, text, length < sizeof number - 1 ? length : sizeof number - 1);
        if (!option_parse_number(number, &range, &value, message, size)) {
            return false;
        }
        out->sizes[out->size_count++] = (uint32_t)value;
        if (!text[length]) {
            return true;
        }
        text += length + 1;
    }
}

// Files may be missing: their reader says so.
static bool set_scenes(const char *text, bench_options *out, char *message, size_t size)
{
    out->scene_count = 0;
    for (bool is_last = strcmp(text, "none") == 0; !is_last;) {
        const size_t length = strcspn(text, ",");
        if (length == 0 || length >= sizeof out->scenes[0]) {
            snprintf(message, size, "--scenes takes names of files with commas between them");
            return false;
        }
        if (out->scene_count == BENCH_MAX_SCENES) {
            snprintf(message, size, "--scenes takes at most %d files", (int)BENCH_MAX_SCENES);
            return false;
        }
        char *const scene = out->scenes[out->scene_count++];
        memcpy(scene, text, length);
        scene[length] = '\0';
        is_last = !text[length];
        text += length + 1;
    }
    return true;
}

// The word itself, so that the value needs no memory.
static bool set_word(const char *option, const char *text, const char *const *words,
                     const char **out, char *message, size_t size)
{
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = words[i];
            return true;
        }
    }
    snprintf(message, size, "%s does not take '%s'", option, text);
    return false;
}

static bool set_kernel(const char *text, acre_kernel *out, char *message, size_t size)
{
    static const char *const words[] = {"scalar", "sse4", "avx2", "avx512", NULL};
    static const acre_kernel kernels[] = {ACRE_KERNEL_SCALAR, ACRE_KERNEL_SSE4, ACRE_KERNEL_AVX2,
                                          ACRE_KERNEL_AVX512};
    const char *word = "";
    const bool is_good = set_word("--kernel", text, words, &word, message, size);
    for (size_t i = 0; words[i]; i++) {
        *out = words[i] == word ? kernels[i] : *out;
    }
    return is_good;
}

static bool set_answer(const char *option, const char *text, bool *out, char *message, size_t size)
{
    static const char *const answers[] = {"yes", "no", NULL};
    const char *word = "";
    const bool is_good = set_word(option, text, answers, &word, message, size);
    *out = word == answers[0];
    return is_good;
}

static bool set_order(const char *text, bool *out, char *message, size_t size)
{
    static const char *const orders[] = {"random", "tiles", NULL};
    const char *word = "";
    const bool is_good = set_word("--order", text, orders, &word, message, size);
    *out = word == orders[1];
    return is_good;
}

static bool set_number(const char *text, const number_range *range, uint32_t *out, char *message,
                       size_t size)
{
    uint64_t value = 0;
    const bool is_good = option_parse_number(text, range, &value, message, size);
    *out = (uint32_t)value;
    return is_good;
}

static bool set_option(int option, const char *text, bench_options *out, char *message, size_t size)
{
    static const number_range views = {"--views", 1, WORKLOAD_MAX_VIEWS};
    static const number_range rounds = {"--rounds", 1, BENCH_MAX_ROUNDS};
    static const number_range milliseconds = {"--milliseconds", 1, 1000000};
    static const number_range cars = {"--cars", 0, 1000000};
    static const number_range churn = {"--churn", 0, 1000000000};
    static const number_range stream = {"--stream", 1, 1024};
    uint32_t number = 0;
    bool is_good = true;
    switch (option) {
    case OPTION_SIZES:
        return set_sizes(text, out, message, size);
    case OPTION_SCENES:
        out->has_scenes = true;
        return set_scenes(text, out, message, size);
    case OPTION_VIEWS:
        return set_number(text, &views, &out->views, message, size);
    case OPTION_ROUNDS:
        return set_number(text, &rounds, &out->rounds, message, size);
    case OPTION_MILLISECONDS:
        is_good = set_number(text, &milliseconds, &number, message, size);
        out->seconds = 1e-3 * (double)number;
        return is_good;
    case OPTION_CHURN:
        return option_parse_number(text, &churn, &out->churn, message, size);
    case OPTION_KERNEL:
        return set_kernel(text, &out->kernel, message, size);
    case OPTION_PEERS:
        return set_answer("--peers", text, &out->has_peers, message, size);
    case OPTION_ALONE:
        return set_answer("--alone", text, &out->is_alone, message, size);
    case OPTION_ORDER:
        return set_order(text, &out->is_tiled, message, size);
    case OPTION_COLD:
        return set_answer("--cold", text, &out->has_cold, message, size);
    case OPTION_STREAM:
        return set_number(text, &stream, &out->stream, message, size);
    case OPTION_GROWTH:
        return set_answer("--growth", text, &out->is_growth, message, size);
    case OPTION_QUERIES:
        return set_answer("--queries", text, &out->is_queries, message, size);
    case OPTION_PAIRS:
        return set_answer("--pairs", text, &out->is_pairs, message, size);
    case OPTION_VIEW_RULES:
        return set_answer("--view-rules", text, &out->is_view_rules, message, size);
    case OPTION_CARS:
        return set_number(text, &cars, &out->cars, message, size);
    case OPTION_JSON:
        out->json_path = text;
        return true;
    case OPTION_CSV:
        out->csv_path = text;
        return true;
    default: // OPTION_SVG
        out->svg_folder = text;
        return true;
    }
}

static void keep_readable_scenes(bench_options *out)
{
    const uint32_t count = out->scene_count;
    out->scene_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (access(out->scenes[i], R_OK) == 0) {
            memmove(out->scenes[out->scene_count++], out->scenes[i], sizeof out->scenes[i]);
        }
    }
}

// What was not asked for.
static void set_defaults(bench_options *out)
{
    static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};
    static const uint32_t growth_sizes[] = {1000,   3000,   10000,   30000,
                                            100000, 300000, 1000000, 4000000};
    static const uint32_t query_sizes[] = {100000, 1000000};
    static const uint32_t pair_sizes[] = {10000, 100000, 1000000};
    if (out->size_count == 0 && out->is_pairs) {
        memcpy(out->sizes, pair_sizes, sizeof pair_sizes);
        out->size_count = sizeof pair_sizes / sizeof pair_sizes[0];
    } else if (out->size_count == 0 && (out->is_queries || out->is_view_rules)) {
        memcpy(out->sizes, query_sizes, sizeof query_sizes);
        out->size_count = sizeof query_sizes / sizeof query_sizes[0];
    } else if (out->size_count == 0) {
        const size_t bytes = out->is_growth ? sizeof growth_sizes : sizeof sizes;
        memcpy(out->sizes, out->is_growth ? growth_sizes : sizes, bytes);
        out->size_count = (uint32_t)(bytes / sizeof sizes[0]);
    }
    char message[128];
    if (!out->has_scenes && !out->is_growth && !out->is_queries && !out->is_pairs &&
        set_scenes(ACRE_BENCH_SCENES, out, message, sizeof message)) {
        keep_readable_scenes(out);
        if (out->is_view_rules && out->scene_count > 1) {
            out->scene_count = 1;
        }
    }
    if (out->views == 0) {
        out->views = out->is_growth       ? GROWTH_VIEWS
                     : out->is_view_rules ? RULE_VIEWS
                                          : WORKLOAD_MAX_VIEWS;
    }
}

bool bench_options_parse(int argc, char **argv, bench_options *out, char *message,
                         size_t message_size)
{
    *out = (bench_options){.rounds = 15,
                           .seconds = 0.3,
                           .cars = RULE_CARS,
                           .churn = 10000000,
                           .has_peers = true,
                           .has_cold = true,
                           .stream = 8};
    int option;
    optind = 0; // starts anew, also where it is called twice
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == 'h') {
            out->help = true;
        } else if (option == '?' || option == ':') {
            return option_complain(option, argv, message, message_size);
        } else if (!set_option(option, optarg, out, message, message_size)) {
            return false;
        }
    }
    if (optind < argc) {
        snprintf(message, message_size, "there is no use for '%s'", argv[optind]);
        return false;
    }
    const int modes =
        (int)out->is_growth + (int)out->is_queries + (int)out->is_pairs + (int)out->is_view_rules;
    if (modes > 1) {
        snprintf(message, message_size,
                 "--growth, --queries, --pairs and --view-rules are runs of their own");
        return false;
    }
    if (out->svg_folder && (out->is_queries || out->is_pairs || out->is_view_rules)) {
        snprintf(message, message_size,
                 "--queries, --pairs and --view-rules have no pictures for --svg");
        return false;
    }
    if (out->is_alone && modes > 0) {
        snprintf(message, message_size,
                 "--growth, --queries, --pairs and --view-rules do not take --alone");
        return false;
    }
    if (out->is_tiled && (out->is_pairs || out->is_view_rules)) {
        snprintf(message, message_size, "--pairs and --view-rules do not take --order");
        return false;
    }
    set_defaults(out);
    return true;
}

const char *bench_options_help(void)
{
    return help;
}
