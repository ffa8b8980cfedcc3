// SPDX-License-Identifier: MIT
// bench_occlusion.c - views with a horizon beside the plain query, and beside a horizon that is
// asked about each entity of the plain answer.
#include "bench_occlusion.h"

#include "measure_turns.h"

#include <acre/horizon.h>
#include <acre/visible_set.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_WIDTH = 4096, SCREEN_WIDTH = 1920, MOST_DRAWN = 64, WAYS = 4, TURN = 16 };

// The ways to ask a view: without a horizon; with one that was never asked before; the mean of
// TURN questions to one horizon, which stays off in all but the first where that gives up; and the
// plain query, then a horizon that is asked about all that it found.
enum { PLAIN, HORIZON, TURNS, AFTERWARDS };
static const char *const way_names[WAYS] = {"plain", "horizon", "horizon, 16 in turn",
                                            "horizon, after a query"};

// ---- one view ----

// A horizon that no query has asked: each view is judged by itself.
static bool begin_anew(sight_bench *bench)
{
    const acre_horizon_def def = {.kernel = bench->kernel};
    acre_horizon_destroy(bench->horizon);
    return acre_horizon_create(&def, &bench->horizon) == ACRE_OK;
}

bool sight_bench_create(sight_bench *out, const sight_world *world, acre_kernel kernel,
                        uint32_t width)
{
    *out = (sight_bench){.kernel = kernel,
                         .plain = calloc(world->count, sizeof *out->plain),
                         .kept = calloc(world->count, sizeof *out->kept),
                         .pixels = calloc(world->count, sizeof *out->pixels)};
    return item_buffer_create(&out->buffer, width, width * 9 / 16) && out->plain && out->kept &&
           out->pixels && begin_anew(out);
}

void sight_bench_free(sight_bench *bench)
{
    acre_horizon_destroy(bench->horizon);
    item_buffer_free(&bench->buffer);
    free(bench->plain);
    free(bench->kept);
    free(bench->pixels);
    *bench = (sight_bench){0};
}

static bool ask_plain(sight_bench *bench, const sight_world *world, const acre_view *view)
{
    return acre_culling_query_view(world->culling, view, bench->plain, world->count,
                                   &bench->plain_count) == ACRE_OK;
}

static bool ask_with_horizon(sight_bench *bench, const sight_world *world,
                             const acre_camera *camera, acre_view view)
{
    view.horizon = bench->horizon;
    return acre_horizon_begin_camera(bench->horizon, camera, NULL) == ACRE_OK &&
           acre_culling_query_view(world->culling, &view, bench->kept, world->count,
                                   &bench->kept_count) == ACRE_OK;
}

typedef struct near_slot {
    float distance;
    uint32_t slot;
} near_slot;

static int compare_distances(const void *a, const void *b)
{
    const float x = ((const near_slot *)a)->distance, y = ((const near_slot *)b)->distance;
    return (x > y) - (x < y);
}

// The plain query, then all that it found, near first: asked about, and added where it is not
// hidden.
static bool ask_afterwards(sight_bench *bench, const sight_world *world, const acre_camera *camera,
                           const acre_view *view, near_slot *order)
{
    const acre_scene_view scene = acre_scene_get_view(world->scene);
    if (!ask_plain(bench, world, view) ||
        acre_horizon_begin_camera(bench->horizon, camera, NULL) != ACRE_OK) {
        return false;
    }
    for (size_t i = 0; i < bench->plain_count; i++) {
        const uint32_t slot = bench->plain[i];
        const acre_aabb *const box = &scene.world_bounds[slot];
        const float x = fmaxf(0, fmaxf(box->min[0] - view->eye[0], view->eye[0] - box->max[0]));
        const float z = fmaxf(0, fmaxf(box->min[2] - view->eye[2], view->eye[2] - box->max[2]));
        order[i] = (near_slot){x * x + z * z, slot};
    }
    qsort(order, bench->plain_count, sizeof *order, compare_distances);
    bench->kept_count = 0;
    for (size_t i = 0; i < bench->plain_count; i++) {
        const uint32_t slot = order[i].slot;
        if (!acre_horizon_hides(bench->horizon, &scene.world_bounds[slot])) {
            bench->kept[bench->kept_count++] = slot;
            acre_occluder occluders[ACRE_HEIGHT_BLOCK_OCCLUDERS];
            const uint32_t count = sight_occluders(world, slot, occluders);
            for (uint32_t k = 0; k < count; k++) {
                (void)acre_horizon_add(bench->horizon, &occluders[k]);
            }
        }
    }
    return true;
}

static bool take_view(const sight_world *world, uint32_t view, acre_camera *camera, acre_view *out)
{
    return sight_camera(world, view, camera) && acre_view_from_camera(out, camera) == ACRE_OK;
}

// The pixels of all that the plain query found.
static void draw_view(sight_bench *bench, const sight_world *world, const acre_camera *camera)
{
    item_buffer_begin(&bench->buffer, camera);
    sight_draw(world, &bench->buffer, bench->plain, bench->plain_count);
    memset(bench->pixels, 0, world->count * sizeof *bench->pixels);
    item_buffer_count(&bench->buffer, bench->pixels);
}

bool sight_look(sight_bench *bench, const sight_world *world, uint32_t number, sight_find *out)
{
    acre_camera camera;
    acre_view view;
    acre_horizon_stats stats;
    *out = (sight_find){0};
    if (!take_view(world, number, &camera, &view) || !ask_plain(bench, world, &view) ||
        !begin_anew(bench) || !ask_with_horizon(bench, world, &camera, view)) {
        return false;
    }
    acre_horizon_get_stats(bench->horizon, &stats);
    out->occluders = stats.occluders;
    out->gave_up = stats.gave_up;
    draw_view(bench, world, &camera);
    for (size_t i = 0; i < bench->plain_count; i++) {
        const uint32_t slot = bench->plain[i];
        out->found += world->are_drawn[slot];
        out->seen += bench->pixels[slot] > 0;
    }
    size_t kept_seen = 0;
    for (size_t i = 0; i < bench->kept_count; i++) {
        const uint32_t slot = bench->kept[i];
        out->kept += world->are_drawn[slot];
        kept_seen += bench->pixels[slot] > 0;
    }
    out->lost = out->seen - kept_seen;
    out->hidden_dropped = out->found - out->seen - (out->kept - kept_seen);
    return true;
}

// ---- all views of a world ----

// One question, and those that follow it with the same horizon: their seconds.
static bool time_turn(sight_bench *bench, const sight_world *world, const acre_camera *camera,
                      const acre_view *view, double seconds[WAYS])
{
    if (!begin_anew(bench)) {
        return false;
    }
    const double begin = clock_seconds();
    bool is_good = ask_with_horizon(bench, world, camera, *view);
    const double middle = clock_seconds();
    for (int i = 1; i < TURN && is_good; i++) {
        is_good = ask_with_horizon(bench, world, camera, *view);
    }
    seconds[HORIZON] = middle - begin;
    seconds[TURNS] = (clock_seconds() - begin) / TURN;
    return is_good;
}

static bool time_view(sight_bench *bench, const sight_world *world, const acre_camera *camera,
                      const acre_view *view, near_slot *order, double seconds[WAYS])
{
    bool is_good = ask_plain(bench, world, view); // not timed: the next one finds full caches
    const double begin = clock_seconds();
    is_good = is_good && ask_plain(bench, world, view);
    seconds[PLAIN] = clock_seconds() - begin;
    is_good = is_good && time_turn(bench, world, camera, view, seconds);
    const double middle = clock_seconds();
    is_good = is_good && ask_afterwards(bench, world, camera, view, order);
    seconds[AFTERWARDS] = clock_seconds() - middle;
    return is_good;
}

// The least of all rounds, microseconds, of each way to ask a view.
static bool time_views(sight_bench *bench, const sight_world *world, uint32_t rounds,
                       sample_list *least)
{
    near_slot *const order = calloc(world->count, sizeof *order);
    bool is_good = order != NULL;
    for (uint32_t i = 0; i < world->view_count && is_good; i++) {
        acre_camera camera;
        acre_view view;
        double best[WAYS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
        is_good = take_view(world, i, &camera, &view);
        for (uint32_t round = 0; round < rounds && is_good; round++) {
            double seconds[WAYS] = {0};
            is_good = time_view(bench, world, &camera, &view, order, seconds);
            for (int way = 0; way < WAYS; way++) {
                best[way] = fmin(best[way], seconds[way]);
            }
        }
        for (int way = 0; way < WAYS; way++) {
            samples_add(&least[way], 1e6 * best[way]);
        }
    }
    free(order);
    return is_good;
}

static void add_times(measure_rows *rows, const sight_world *world, sample_list *least)
{
    for (int way = 0; way < WAYS; way++) {
        const sample_summary all = samples_summarise(&least[way]); // sorts them
        const double p90 = least[way].values[(least[way].count * 9 - 1) / 10];
        rows_add_value(rows, way_names[way], (row_name){"mean", world->name, "", "us"}, all.mean);
        rows_add_value(rows, way_names[way], (row_name){"p90", world->name, "", "us"}, p90);
        rows_add_value(rows, way_names[way], (row_name){"most", world->name, "", "us"}, all.most);
    }
}

// Views of which an item buffer is drawn: all, or about MOST_DRAWN of many.
static bool compare_views(sight_bench *bench, const sight_world *world, measure_rows *rows,
                          size_t *lost)
{
    const uint32_t stride = 1 + (world->view_count - 1) / MOST_DRAWN;
    sight_find sum = {0};
    uint32_t views = 0, gave_up = 0;
    for (uint32_t i = 0; i < world->view_count; i += stride) {
        sight_find find;
        if (!sight_look(bench, world, i, &find)) {
            return false;
        }
        views++;
        gave_up += find.gave_up;
        sum.found += find.found;
        sum.seen += find.seen;
        sum.kept += find.kept;
        sum.hidden_dropped += find.hidden_dropped;
        sum.occluders += find.occluders;
        sum.lost += find.lost;
    }
    const double hidden = (double)(sum.found - sum.seen),
                 seen = (double)(sum.seen > 0 ? sum.seen : 1);
    const struct {
        const char *measure;
        double value;
    } values[] = {{"found", (double)sum.found / views},
                  {"seen", (double)sum.seen / views},
                  {"dropped of hidden", hidden > 0 ? (double)sum.hidden_dropped / hidden : 1},
                  {"kept per seen", (double)sum.kept / seen},
                  {"occluders", (double)sum.occluders / views},
                  {"gave up", (double)gave_up / views},
                  {"lost", (double)sum.lost}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        rows_add_value(rows, way_names[HORIZON], (row_name){values[i].measure, world->name, "", ""},
                       values[i].value);
    }
    *lost = sum.lost;
    return true;
}

// ---- what enters and leaves ----

// Counts the objects that a frame of a flight shows or hides though they are in the view before and
// after, so that only others can do it.
typedef struct sight_flight {
    uint8_t *found[2], *seen[2]; // by slot; of the last frame and this one
    acre_visible_set *set;
    size_t by_set, by_eye;
} sight_flight;

static bool sight_flight_create(sight_flight *out, uint32_t slots)
{
    const acre_visible_set_def def = {.flags = ACRE_VISIBLE_CHANGES};
    *out = (sight_flight){0};
    bool is_good = acre_visible_set_create(&def, &out->set) == ACRE_OK;
    for (int i = 0; i < 2; i++) {
        out->found[i] = calloc(slots, 1);
        out->seen[i] = calloc(slots, 1);
        is_good = is_good && out->found[i] && out->seen[i];
    }
    return is_good;
}

static void sight_flight_free(sight_flight *count)
{
    acre_visible_set_destroy(count->set);
    for (int i = 0; i < 2; i++) {
        free(count->found[i]);
        free(count->seen[i]);
    }
}

static void count_frame(sight_flight *count, const sight_world *world)
{
    const acre_visible visible = acre_visible_set_get(count->set);
    for (size_t i = 0; i < visible.entered_count + visible.left_count; i++) {
        const uint32_t slot = i < visible.entered_count ? visible.entered[i]
                                                        : visible.left[i - visible.entered_count];
        count->by_set += world->are_drawn[slot] && count->found[0][slot] && count->found[1][slot];
    }
    for (uint32_t slot = 0; slot < world->count; slot++) {
        count->by_eye += count->found[0][slot] && count->found[1][slot] &&
                         count->seen[0][slot] != count->seen[1][slot];
    }
}

static bool look_at_frame(sight_bench *bench, const sight_world *world, uint32_t frame,
                          sight_flight *count)
{
    acre_camera camera;
    acre_view view;
    if (!take_view(world, frame, &camera, &view) || !ask_plain(bench, world, &view) ||
        acre_horizon_begin_camera(bench->horizon, &camera, NULL) != ACRE_OK) {
        return false;
    }
    draw_view(bench, world, &camera);
    memcpy(count->found[0], count->found[1], world->count);
    memcpy(count->seen[0], count->seen[1], world->count);
    memset(count->found[1], 0, world->count);
    for (size_t i = 0; i < bench->plain_count; i++) {
        count->found[1][bench->plain[i]] = 1;
    }
    for (uint32_t slot = 0; slot < world->count; slot++) {
        count->seen[1][slot] = bench->pixels[slot] > 0;
    }
    view.horizon = bench->horizon;
    return acre_culling_find_visible(world->culling, &view, count->set) == ACRE_OK;
}

// All frames in turn, with one horizon and a visible set.
static bool fly(const sight_world *world, acre_kernel kernel, measure_rows *rows)
{
    sight_bench bench = {0};
    sight_flight count;
    bool is_good = sight_flight_create(&count, world->count) &&
                   sight_bench_create(&bench, world, kernel, SCREEN_WIDTH);
    for (uint32_t frame = 0; frame < world->view_count && is_good; frame++) {
        is_good = look_at_frame(&bench, world, frame, &count);
        if (is_good && frame > 0) {
            count_frame(&count, world);
        }
    }
    rows_add_value(rows, way_names[HORIZON], (row_name){"changes of the set", world->name, "", ""},
                   (double)count.by_set);
    rows_add_value(rows, way_names[HORIZON], (row_name){"changes of the seen", world->name, "", ""},
                   (double)count.by_eye);
    sight_bench_free(&bench);
    sight_flight_free(&count);
    return is_good;
}

// ---- worlds ----

static bool measure_world(sight_bench *bench, const sight_world *world,
                          const bench_options *options, measure_rows *rows, char *message,
                          size_t message_size)
{
    sample_list least[WAYS] = {{0}};
    size_t lost = 0;
    bool is_good = sight_bench_create(bench, world, options->kernel, BUFFER_WIDTH);
    for (int way = 0; way < WAYS; way++) {
        is_good = is_good && samples_reserve(&least[way], world->view_count);
    }
    snprintf(message, message_size, "%s: a query failed", world->name);
    is_good = is_good && compare_views(bench, world, rows, &lost) &&
              time_views(bench, world, options->rounds, least);
    if (is_good) {
        add_times(rows, world, least);
    }
    for (int way = 0; way < WAYS; way++) {
        samples_free(&least[way]);
    }
    if (is_good && lost > 0) {
        snprintf(message, message_size, "%s: %zu objects that can be seen are lost", world->name,
                 lost);
    }
    return is_good && lost == 0;
}

bool occlusion_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                       char *message, size_t message_size)
{
    bool is_good = true;
    rows->items = count;
    for (int kind = 0; kind < SIGHT_KIND_COUNT_ && is_good; kind++) {
        sight_world world;
        sight_bench bench = {0};
        is_good = sight_world_create(&world, (sight_kind)kind, message, message_size);
        measure_progress(count, world.name, "views");
        is_good = is_good && measure_world(&bench, &world, options, rows, message, message_size) &&
                  (kind != SIGHT_FLIGHT || fly(&world, options->kernel, rows));
        sight_bench_free(&bench);
        sight_world_free(&world);
    }
    return is_good;
}

static double value_of(const measure_rows *rows, uint32_t items, int way, const char *measure,
                       int kind)
{
    const measure_row *const row =
        rows_find(rows, items, way_names[way], measure, sight_names[kind], "");
    return row ? row->value.median : 0;
}

void occlusion_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                      FILE *out)
{
    fprintf(out, "\nkernel %s; us a view: the least of %u runs of each view\n",
            acre_kernel_name(options->kernel), (unsigned)options->rounds);
    fprintf(out, "%-8s %-23s %8s %8s %8s\n", "world", "asked", "mean", "p90", "most");
    for (int kind = 0; kind < SIGHT_KIND_COUNT_; kind++) {
        for (int way = 0; way < WAYS; way++) {
            fprintf(out, "%-8s %-23s %8.1f %8.1f %8.1f\n", way == 0 ? sight_names[kind] : "",
                    way_names[way], value_of(rows, count, way, "mean", kind),
                    value_of(rows, count, way, "p90", kind),
                    value_of(rows, count, way, "most", kind));
        }
    }
    fprintf(out, "\n%-8s %8s %8s %8s %8s %9s %8s %5s\n", "world", "found", "seen", "dropped",
            "kept", "occluders", "gave up", "lost");
    for (int kind = 0; kind < SIGHT_KIND_COUNT_; kind++) {
        fprintf(out, "%-8s %8.0f %8.1f %8.3f %8.2f %9.0f %8.2f %5.0f\n", sight_names[kind],
                value_of(rows, count, HORIZON, "found", kind),
                value_of(rows, count, HORIZON, "seen", kind),
                value_of(rows, count, HORIZON, "dropped of hidden", kind),
                value_of(rows, count, HORIZON, "kept per seen", kind),
                value_of(rows, count, HORIZON, "occluders", kind),
                value_of(rows, count, HORIZON, "gave up", kind),
                value_of(rows, count, HORIZON, "lost", kind));
    }
    fprintf(out,
            "flight: others hide or show %.0f that the eye sees, and %.0f of a visible set "
            "(%d x %d)\n",
            value_of(rows, count, HORIZON, "changes of the seen", SIGHT_FLIGHT),
            value_of(rows, count, HORIZON, "changes of the set", SIGHT_FLIGHT), SCREEN_WIDTH,
            SCREEN_WIDTH * 9 / 16);
    fprintf(out, "dropped: of what has no pixel of %d x %d; kept: for each that is seen\n",
            BUFFER_WIDTH, BUFFER_WIDTH * 9 / 16);
}
