// SPDX-License-Identifier: MIT
// town.c - `acre town`: ticks of a server at 20 Hz, as fast as they come. Players, mobs and
// projectiles move over the ground of a tree; each player is an observer; parties are rooms.
//
// Items are players first, then mobs, then projectiles. A projectile lives for two seconds; then
// its number stands for another one, elsewhere, which the interest is told.
#include "town.h"

#include "country_random.h"
#include "json_writer.h"
#include "options.h"
#include "output_file.h"
#include "run_statistics.h"
#include "terminal.h"

#include <acre/interest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TICKS_A_SECOND = 20, LIFE = 2 * TICKS_A_SECOND, PARTY = 5 };
// What messages take, bytes.
enum { BYTES_SPAWN = 24, BYTES_DESPAWN = 4, BYTES_UPDATE = 12 };
static const float near_band = 15.0f, middle_band = 35.0f, enter_radius = 60.0f,
                   leave_radius = 66.0f;
static const float ground_of_mob = 100.0f; // square meters

typedef struct town_options {
    uint32_t players, mobs, projectiles, ticks;
    uint64_t seed;
    acre_kernel kernel;
    const char *json_path; // NULL: none
    bool help;
} town_options;

#define AT(field) offsetof(town_options, field)

static const option_spec specs[] = {
    {"players", OPTION_NUMBER, AT(players), "N", .least = 1, .most = 1000000,
     .help = "players, each an observer (default 1000)"},
    {"mobs", OPTION_NUMBER, AT(mobs), "N", .least = 1, .most = 10000000,
     .help = "mobs that wander about (default 100000)"},
    {"projectiles", OPTION_NUMBER, AT(projectiles), "N", .most = 1000000,
     .help = "projectiles in the air (default 2000)"},
    {"ticks", OPTION_NUMBER, AT(ticks), "N", .least = 1, .most = 10000000,
     .help = "ticks of 1/20 s (default 200)"},
    {"seed", OPTION_NUMBER64, AT(seed), "N", .most = UINT64_MAX,
     .help = "where all begin and how they move (default 1)"},
    {"kernel", OPTION_KERNEL, AT(kernel), "NAME",
     .help = "scalar, sse4, avx2 or avx512 (default: the widest there is)"},
    {"json", OPTION_TEXT, AT(json_path), "FILE", .help = "where to write the sums as JSON"},
    {"help", OPTION_HELP, AT(help), .help = "this text"},
};

static const option_example examples[] = {
    {"acre town", "1,000 players among 100,000 mobs, ten seconds of ticks"},
    {"acre town --players 10000 --mobs 1000000 --ticks 40", "a large server"},
    {NULL, NULL}};

const option_table town_option_table = {
    .usage = "acre town [options]",
    .about = "Runs a server's ticks without a window: moves players, mobs and projectiles, finds "
             "what each player sees (acre/interest.h), and counts the bytes that would be sent, "
             "with far things sent less often and without.",
    .end = "Exit status: 0 all well, 1 a failure, 2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0]};

typedef struct town_server {
    const town_options *options;
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer *observers;
    uint32_t count; // of items
    uint64_t random;
    float half;
    acre_aabb *boxes;
    float *steps; // x and z
    uint32_t *items, *seen;
    uint8_t *bands;
    sample_list milliseconds;
} town_server;

// What one tick would send, or all ticks.
typedef struct town_traffic {
    uint64_t spawns, despawns, band_changes, seen, due; // due: updates that bands let through
} town_traffic;

static uint64_t bytes_of(const town_traffic *traffic, uint64_t updates)
{
    return traffic->spawns * BYTES_SPAWN + traffic->despawns * BYTES_DESPAWN +
           updates * BYTES_UPDATE;
}

// ---- the town ----

static bool is_projectile(const town_server *town, uint32_t item)
{
    return item >= town->options->players + town->options->mobs;
}

static void set_out(town_server *town, uint32_t item)
{
    const float x = (2 * draw_unit(&town->random) - 1) * town->half;
    const float z = (2 * draw_unit(&town->random) - 1) * town->half;
    const float speed = is_projectile(town, item)       ? 30.0f
                        : item < town->options->players ? 5.0f
                                                        : 1.5f;
    float direction[2];
    draw_direction(&town->random, direction);
    town->boxes[item] = (acre_aabb){{x, 0, z}, {x + 0.8f, 1.8f, z + 0.8f}};
    town->steps[2 * item] = direction[0] * speed / TICKS_A_SECOND;
    town->steps[2 * item + 1] = direction[1] * speed / TICKS_A_SECOND;
}

static acre_result fill_town(town_server *town)
{
    for (uint32_t i = 0; i < town->count; i++) {
        set_out(town, i);
        town->items[i] = i;
    }
    acre_result result =
        acre_quadtree_insert_many(town->tree, town->items, town->boxes, town->count);
    for (uint32_t i = 0; i < town->options->players && result == ACRE_OK; i++) {
        const acre_observer_def def = {.follows_item = true,
                                       .item = i,
                                       .enter_radius = enter_radius,
                                       .leave_radius = leave_radius,
                                       .band_limits = {near_band, middle_band}};
        result = acre_interest_add(town->interest, &def, &town->observers[i]);
        if (result == ACRE_OK) {
            result = acre_interest_join(town->interest, town->observers[i], i / PARTY);
        }
        if (result == ACRE_OK) {
            result = acre_interest_join_item(town->interest, i, i / PARTY);
        }
    }
    return result;
}

static acre_result open_town(town_server *town, const town_options *options)
{
    town->options = options;
    town->random = options->seed;
    town->count = options->players + options->mobs + options->projectiles;
    town->half = sqrtf((float)options->mobs * ground_of_mob) / 2;
    const acre_quadtree_def def = {.half_size = town->half, .kernel = options->kernel};
    const acre_interest_def interest_def = {.kernel = options->kernel};
    acre_result result = acre_quadtree_create(&def, &town->tree);
    result = result == ACRE_OK ? acre_interest_create(town->tree, &interest_def, &town->interest)
                               : result;
    town->observers = malloc(options->players * sizeof *town->observers);
    town->boxes = malloc(town->count * sizeof *town->boxes);
    town->steps = malloc(2 * (size_t)town->count * sizeof *town->steps);
    town->items = malloc(town->count * sizeof *town->items);
    town->seen = malloc(town->count * sizeof *town->seen);
    town->bands = malloc(town->count);
    if (!town->observers || !town->boxes || !town->steps || !town->items || !town->seen ||
        !town->bands || !samples_reserve(&town->milliseconds, options->ticks)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    return result == ACRE_OK ? fill_town(town) : result;
}

static void close_town(town_server *town)
{
    acre_interest_destroy(town->interest);
    acre_quadtree_destroy(town->tree);
    free(town->observers);
    free(town->boxes);
    free(town->steps);
    free(town->items);
    free(town->seen);
    free(town->bands);
    samples_free(&town->milliseconds);
}

// ---- a tick ----

// A projectile whose life is over makes room for another one.
static acre_result move_all(town_server *town, uint32_t tick)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < town->count && result == ACRE_OK; i++) {
        acre_aabb *const box = &town->boxes[i];
        if (is_projectile(town, i) && (tick + i) % LIFE == 0) {
            set_out(town, i);
            result = acre_interest_forget(town->interest, i);
            continue;
        }
        for (uint32_t axis = 0; axis < 2; axis++) {
            float *const step = &town->steps[2 * i + axis];
            const float at = box->min[2 * axis];
            *step = at * *step > 0 && fabsf(at) > town->half ? -*step : *step;
            box->min[2 * axis] += *step;
            box->max[2 * axis] += *step;
        }
    }
    return result;
}

static acre_result run_tick(town_server *town, uint32_t tick)
{
    acre_result result = move_all(town, tick);
    const double begin = clock_seconds();
    result = result == ACRE_OK ? acre_quadtree_refresh_all(town->tree, town->boxes, town->count)
                               : result;
    result = result == ACRE_OK ? acre_quadtree_maintain(town->tree) : result;
    result = result == ACRE_OK ? acre_interest_update(town->interest) : result;
    (void)samples_add(&town->milliseconds, 1e3 * (clock_seconds() - begin));
    return result;
}

// Counts what the tick would send: band n in every 2^n-th tick.
static acre_result count_traffic(town_server *town, uint32_t tick, town_traffic *traffic)
{
    const acre_interest_changes changes = acre_interest_get_changes(town->interest);
    *traffic = (town_traffic){.spawns = changes.entered.count,
                              .despawns = changes.left.count,
                              .band_changes = changes.changed.count};
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < town->options->players && result == ACRE_OK; i++) {
        size_t count = 0;
        result = acre_interest_list_seen(town->interest, town->observers[i], town->seen,
                                         town->bands, town->count, &count);
        traffic->seen += count;
        for (size_t k = 0; k < count; k++) {
            traffic->due += tick % (UINT32_C(1) << town->bands[k]) == 0;
        }
    }
    return result;
}

static void add_traffic(town_traffic *sum, const town_traffic *traffic)
{
    sum->spawns += traffic->spawns;
    sum->despawns += traffic->despawns;
    sum->band_changes += traffic->band_changes;
    sum->seen += traffic->seen;
    sum->due += traffic->due;
}

// The means of a second.
static void report_second(const town_server *town, uint32_t tick, const town_traffic *second)
{
    const double share = 1.0 / TICKS_A_SECOND;
    printf("%5u  %11.1f  %6.1f  %8.1f  %12.1f  %7.1f  %16.1f  %4.2f\n", (unsigned)tick + 1,
           share * (double)second->seen / town->options->players, share * (double)second->spawns,
           share * (double)second->despawns, share * (double)second->band_changes,
           share * 1e-3 * (double)bytes_of(second, second->due),
           share * 1e-3 * (double)bytes_of(second, second->seen), town->milliseconds.values[tick]);
}

static acre_result run_ticks(town_server *town, town_traffic *sum)
{
    acre_result result = ACRE_OK;
    town_traffic second = {0};
    progress line = progress_begin();
    printf("ticks  seen/player  spawns  despawns  band changes  kB sent  kB without bands    ms\n");
    for (uint32_t tick = 0; tick < town->options->ticks && result == ACRE_OK; tick++) {
        town_traffic traffic = {0};
        result = run_tick(town, tick);
        result = result == ACRE_OK ? count_traffic(town, tick, &traffic) : result;
        add_traffic(sum, &traffic);
        add_traffic(&second, &traffic);
        progress_show(&line, "tick %u of %u", (unsigned)tick + 1, (unsigned)town->options->ticks);
        if (result == ACRE_OK && (tick + 1) % TICKS_A_SECOND == 0) {
            progress_end(&line); // both streams may be one terminal
            report_second(town, tick, &second);
            second = (town_traffic){0};
        }
    }
    progress_end(&line);
    return result;
}

typedef struct town_sums {
    double kilobytes_sent, kilobytes_without_bands; // a tick
    double median, p99, worst;                      // milliseconds a tick
    double megabytes;                               // of the interest
} town_sums;

static bool write_json(const town_options *options, const town_sums *sums, char *message,
                       size_t size)
{
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    json_add_number(&writer, root, "players", options->players);
    json_add_number(&writer, root, "mobs", options->mobs);
    json_add_number(&writer, root, "projectiles", options->projectiles);
    json_add_number(&writer, root, "ticks", options->ticks);
    json_add_number(&writer, root, "kilobytes_a_tick", sums->kilobytes_sent);
    json_add_number(&writer, root, "kilobytes_without_bands", sums->kilobytes_without_bands);
    cJSON *const times = json_add_object(&writer, root, "milliseconds_a_tick");
    json_add_number(&writer, times, "median", sums->median);
    json_add_number(&writer, times, "p99", sums->p99);
    json_add_number(&writer, times, "max", sums->worst);
    json_add_number(&writer, root, "megabytes", sums->megabytes);
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return json_write_file(text, options->json_path, message, size);
}

static town_sums report_town(town_server *town, const town_traffic *sum)
{
    const sample_summary times = samples_summarise(&town->milliseconds); // it sorts them
    const size_t p99 = (town->milliseconds.count * 99 + 99) / 100;
    const double ticks = (double)town->options->ticks;
    acre_interest_stats stats;
    acre_interest_get_stats(town->interest, &stats);
    printf("\n%u players, %u mobs, %u projectiles, %u ticks\n", (unsigned)town->options->players,
           (unsigned)town->options->mobs, (unsigned)town->options->projectiles,
           (unsigned)town->options->ticks);
    const town_sums sums = {.kilobytes_sent = 1e-3 * (double)bytes_of(sum, sum->due) / ticks,
                            .kilobytes_without_bands =
                                1e-3 * (double)bytes_of(sum, sum->seen) / ticks,
                            .median = times.median,
                            .p99 = p99 > 0 ? town->milliseconds.values[p99 - 1] : 0.0,
                            .worst = times.most,
                            .megabytes = 1e-6 * (double)stats.bytes};
    printf("a tick: %.1f kB with bands, %.1f kB without\n", sums.kilobytes_sent,
           sums.kilobytes_without_bands);
    printf("ms a tick (refresh and update): median %.2f, p99 %.2f, worst %.2f; 50 at 20 Hz\n",
           sums.median, sums.p99, sums.worst);
    printf("memory of the interest: %.1f MB\n", sums.megabytes);
    return sums;
}

int town_command(int argc, char **argv)
{
    town_options options = {
        .players = 1000, .mobs = 100000, .projectiles = 2000, .ticks = 200, .seed = 1};
    char message[256];
    if (!options_parse(&town_option_table, argc, argv, &options, message, sizeof message)) {
        return options_complain("town", message, 2);
    }
    if (options.help) {
        options_print_help(&town_option_table, stdout);
        return 0;
    }
    if (!output_check(options.json_path, message, sizeof message)) {
        return options_complain("town", message, 1);
    }
    town_server town;
    town_traffic sum = {0};
    memset(&town, 0, sizeof town);
    bool is_written = true;
    acre_result result = open_town(&town, &options);
    result = result == ACRE_OK ? run_ticks(&town, &sum) : result;
    if (result == ACRE_OK) {
        const town_sums sums = report_town(&town, &sum);
        is_written = !options.json_path || write_json(&options, &sums, message, sizeof message);
    }
    close_town(&town);
    if (!is_written) {
        return options_complain("town", message, 1);
    }
    return result == ACRE_OK ? 0 : options_complain("town", acre_result_text(result), 1);
}
