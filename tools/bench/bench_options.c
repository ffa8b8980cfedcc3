// SPDX-License-Identifier: MIT
// bench_options.c - the command line of `acre bench`.
#include "bench_options.h"

#include "country.h"
#include "shared_file.h"
#include "workers.h"

#include <string.h>
#include <unistd.h>

static bool refuse(const option_message *message, const char *text, int most)
{
    snprintf(message->text, message->size, text, most);
    return false;
}

// Numbers with commas between them.
static bool read_numbers(const char *name, uint64_t most, bench_sizes *out, const char *text,
                         const option_message *message)
{
    size_t length;
    out->count = 0;
    do {
        char number[24] = "";
        uint64_t value = 0;
        length = strcspn(text, ",");
        memcpy(number, text, length < sizeof number - 1 ? length : sizeof number - 1);
        if (out->count == BENCH_MAX_SIZES) {
            return refuse(message, "at most %d numbers with commas between them are taken",
                          BENCH_MAX_SIZES);
        }
        if (!option_read_number(name, number, 1, most, &value, message)) {
            return false;
        }
        out->values[out->count++] = (uint32_t)value;
        text += length + 1;
    } while (text[-1]);
    return true;
}

static bool set_sizes(void *target, const char *text, const option_message *message)
{
    return read_numbers("sizes", COUNTRY_MAX_BOXES, target, text, message);
}

static bool set_workers(void *target, const char *text, const option_message *message)
{
    return read_numbers("workers", WORKERS_MOST, target, text, message);
}

// Files may be missing: their reader says so.
static bool set_scenes(void *target, const char *text, const option_message *message)
{
    bench_scenes *const out = target;
    *out = (bench_scenes){.are_given = true};
    if (strcmp(text, "none") == 0) {
        return true;
    }
    do {
        const size_t length = strcspn(text, ",");
        if (out->count == BENCH_MAX_SCENES) {
            return refuse(message, "--scenes takes at most %d files", BENCH_MAX_SCENES);
        }
        if (length == 0 || length >= sizeof out->paths[0]) {
            return refuse(message, "--scenes takes names of files with commas between them", 0);
        }
        memcpy(out->paths[out->count++], text, length);
        text += length + 1;
    } while (text[-1]);
    return true;
}

#define AT(field) offsetof(bench_options, field)
// A mode is measured instead of all that, and brings its own defaults.
#define MODE(name, mode, defaults, what)                                                           \
    {                                                                                              \
        name, OPTION_YES_NO, AT(has_mode[mode]), "YES",                                            \
            .help = "yes or no: instead of all that, " what ". Then " defaults " (default no)"     \
    }

static const option_spec specs[] = {
    {"sizes", OPTION_CUSTOM, AT(sizes), "N,N..", .set = set_sizes,
     .help = "numbers of boxes, 1 to 16777216 (default 1000,10000,100000,1000000)"},
    {"scenes", OPTION_CUSTOM, AT(scenes), "F,F..", .set = set_scenes,
     .help = "scene files that cars drive through, or none (default: San Francisco, and "
             "out/astana.glb where it was built, see tools/scenes)"},
    {"views", OPTION_NUMBER, AT(views), "N", .least = 1, .most = COUNTRY_MAX_VIEWS,
     .help = "views of each of the five kinds (default 64)"},
    {"rounds", OPTION_NUMBER, AT(rounds), "N", .least = 1, .most = BENCH_MAX_ROUNDS,
     .help = "repetitions at most (default 15)"},
    {"milliseconds", OPTION_NUMBER, AT(milliseconds), "N", .least = 1, .most = 1000000,
     .help = "for each contender and measure, about (default 300)"},
    {"churn", OPTION_NUMBER, AT(churn), "N", .most = 1000000000,
     .help =
         "removals, insertions and refreshes until a tree counts as aged; other contenders stop "
         "when their time is over (default 10000000)"},
    {"node-capacity", OPTION_NUMBER, AT(node_capacity), "N", .most = 65536,
     .help = "node_capacity of Acre's trees (default 0: that of the library)"},
    {"kernel", OPTION_KERNEL, AT(kernel), "NAME",
     .help =
         "instruction set of Acre and of the fastest loop: scalar, sse4, avx2, avx512 (default: "
         "the best that the processor has)"},
    {"peers", OPTION_YES_NO, AT(has_peers), "YES",
     .help = "yes or no: whether trees of others take part (default yes)"},
    {"cold", OPTION_YES_NO, AT(has_cold), "YES",
     .help = "yes or no: whether queries are measured with cold caches, too (default yes)"},
    {"stream", OPTION_NUMBER, AT(stream), "N", .least = 1, .most = 1024,
     .help = "MiB that are written before a query to make the second cache cold (default 8)"},
    MODE("queries", BENCH_QUERIES, "--sizes is 100000,1000000 and --scenes none",
         "every query of the tree beside loops over all boxes and the trees of others that have "
         "the query, --views of each"),
    MODE("pairs", BENCH_PAIRS, "--sizes is 10000,100000,1000000 and --scenes none",
         "all overlapping pairs of a crowd beside a sweep and the trees of others"),
    MODE("worlds", BENCH_WORLDS, "--sizes is 25,100,200,100000, --views 16 and --scenes none",
         "views of worlds as they come (storeys, towers, aeroplanes, caves, UTM, Web Mercator, "
         "strays, tiny ones) beside loops over all boxes"),
    MODE("worst", BENCH_WORST, "--sizes is 100000,1000000 and --scenes none",
         "median, p99.9 and worst of each call in 10,000 frames of a scripted game (fewer with "
         "--rounds below 15)"),
    MODE("near", BENCH_NEAR, "--sizes is 10000,100000 and --scenes none",
         "rays among boxes and neighbors among points, 2,048 distinct questions of a kind, beside "
         "Embree, nanoflann and Boost"),
    MODE("drift", BENCH_DRIFT, "--sizes is 10000,100000 and --scenes none",
         "2,000 frames in which 1, 10 and 100 % of the boxes move (fewer with --rounds below 15), "
         "beside a wide hierarchy of boxes that is refitted, one that is rebuilt where it has "
         "become bad, and one in Morton order that is built anew in each frame"),
    MODE("interest", BENCH_INTEREST, "--sizes is 100000,1000000 and --scenes none",
         "who notices whom: an observer for every hundredth of the boxes, beside a uniform grid "
         "and Boost's tree"),
    MODE("engines", BENCH_ENGINES, "--sizes is 10000,100000 and --scenes none",
         "whole frames (movers, update, five cameras) beside a plain loop, and beside OGRE and "
         "OpenSceneGraph where this program was built with -DACRE_BUILD_HOSTS=ON and has them"),
    MODE("view-rules", BENCH_VIEWS,
         "--sizes is 100000,1000000, --views 16 and --scenes San Francisco",
         "what views, their rules and visible sets cost beside the plain query and the same rules "
         "by a plain loop"),
    MODE("occlusion", BENCH_OCCLUSION, "--sizes is 1 and means nothing, and --scenes none",
         "what a horizon drops from views of the city and of generated worlds, beside an item "
         "buffer of their triangles, and what it costs"),
    {"cars", OPTION_NUMBER, AT(cars), "N", .most = 1000000,
     .help = "cars that drive through the scenes of --view-rules (default 87000)"},
    {"workers", OPTION_CUSTOM, AT(workers), "N,N..", .set = set_workers,
     .help = "instead of all that, what is divided among workers, for each of these numbers of "
             "workers, 1 to 64, in turns. Then --sizes is 100000,1000000 and --scenes none"},
    {"csv", OPTION_TEXT, AT(csv_path), "FILE",
     .help = "where to write all figures as comma-separated values"},
    {"json", OPTION_TEXT, AT(json_path), "FILE", .help = "where to write all figures as JSON"},
    {"help", OPTION_HELP, AT(help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre bench --sizes 10000 --scenes none", "all measures of 10,000 boxes, in about a minute"},
    {"acre bench --queries yes --kernel avx2", "every query beside loops and the trees of others"},
    {"acre bench --workers 1,2,4 --json workers.json",
     "what more threads gain, the figures as JSON"},
    {NULL, NULL}};

const option_table bench_option_table = {
    .usage = "acre bench [options]",
    .about =
        "Measures Acre's quadtree beside loops over all boxes and trees of others, in one run "
        "and in turns: build, refresh, query, remove. Every set that is found is compared with "
        "the one that acre_frustum_test_aabb defines.",
    .end = "Exit status: 0 all well, 1 a failure or a set that differs, 2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0]};

static void keep_readable(bench_scenes *scenes)
{
    const uint32_t count = scenes->count;
    scenes->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (access(scenes->paths[i], R_OK) == 0) {
            memmove(scenes->paths[scenes->count++], scenes->paths[i], sizeof scenes->paths[i]);
        }
    }
}

static const struct {
    const char *name, *sizes;
    uint32_t views;
    bool has_scenes;
} modes[BENCH_MODE_COUNT_] = {
    [BENCH_ALL] = {"all", "1000,10000,100000,1000000", COUNTRY_MAX_VIEWS, true},
    [BENCH_QUERIES] = {"queries", "100000,1000000", COUNTRY_MAX_VIEWS, false},
    [BENCH_PAIRS] = {"pairs", "10000,100000,1000000", COUNTRY_MAX_VIEWS, false},
    [BENCH_WORLDS] = {"worlds", "25,100,200,100000", 16, false},
    [BENCH_WORST] = {"worst", "100000,1000000", COUNTRY_MAX_VIEWS, false},
    [BENCH_NEAR] = {"near", "10000,100000", COUNTRY_MAX_VIEWS, false},
    [BENCH_DRIFT] = {"drift", "10000,100000", COUNTRY_MAX_VIEWS, false},
    [BENCH_INTEREST] = {"interest", "100000,1000000", COUNTRY_MAX_VIEWS, false},
    [BENCH_ENGINES] = {"engines", "10000,100000", COUNTRY_MAX_VIEWS, false},
    [BENCH_VIEWS] = {"views", "100000,1000000", 16, true},
    [BENCH_WORKERS] = {"workers", "100000,1000000", COUNTRY_MAX_VIEWS, false},
    [BENCH_OCCLUSION] = {"occlusion", "1", COUNTRY_MAX_VIEWS, false}};

// What was not asked for.
static void set_defaults(bench_options *out, const option_message *message)
{
    if (out->sizes.count == 0) {
        (void)set_sizes(&out->sizes, modes[out->mode].sizes, message);
    }
    if (!out->scenes.are_given && modes[out->mode].has_scenes) {
        out->scenes = (bench_scenes){.count = 2, .are_given = true};
        default_scene_path(out->scenes.paths[0], sizeof out->scenes.paths[0]);
        snprintf(out->scenes.paths[1], sizeof out->scenes.paths[1], "%s", ACRE_ASTANA_BUILT);
        keep_readable(&out->scenes);
        out->scenes.count = out->mode == BENCH_VIEWS && out->scenes.count ? 1 : out->scenes.count;
    }
    out->views = out->views > 0 ? out->views : modes[out->mode].views;
    out->seconds = 1e-3 * (double)out->milliseconds;
}

// Returns how many modes were asked for; out->mode is the last of them.
static int find_mode(bench_options *out)
{
    int asked = 0;
    out->has_mode[BENCH_WORKERS] = out->workers.count > 0;
    for (int i = 0; i < BENCH_MODE_COUNT_; i++) {
        if (out->has_mode[i]) {
            out->mode = (bench_mode)i;
            asked++;
        }
    }
    return asked;
}

bool bench_options_parse(int argc, char **argv, bench_options *out, char *message,
                         size_t message_size)
{
    const option_message where = {message, message_size};
    *out = (bench_options){.rounds = 15,
                           .milliseconds = 300,
                           .cars = 87000,
                           .churn = 10000000,
                           .has_peers = true,
                           .has_cold = true,
                           .stream = 8};
    if (!options_parse(&bench_option_table, argc, argv, out, message, message_size)) {
        return false;
    }
    if (find_mode(out) > 1) {
        return refuse(
            &where,
            "--queries, --pairs, --worlds, --worst, --near, --drift, --interest, --engines, "
            "--view-rules, --occlusion and --workers exclude each other",
            0);
    }
    set_defaults(out, &where);
    return true;
}

const char *bench_mode_name(const bench_options *options)
{
    return modes[options->mode].name;
}
