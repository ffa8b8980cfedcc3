// SPDX-License-Identifier: MIT
// run_bars.c - the two figures that the tree has to reach, measured on the scene of a run.
#include "run_bars.h"

#include "random_numbers.h"
#include "run_brute.h"

#include <math.h>
#include <stdlib.h>

enum { REFRESH_ROUNDS = 65, QUERY_ROUNDS = 9, MOST_VIEWS = 16 };

// Meters: a look down a street, and the ground camera of the field's measurements, which in a dense
// city has an eighth of all entities in view.
static const float far_distances[BAR_DISTANCES] = {400.0f, 1000.0f};

#define EYE_LEVEL 3.0f // a camera below this height above the ground is a ground camera
#define FRAME_SECONDS (1.0f / 60.0f)

// The refresh: boxes[item] of the scene's slots, and the way each moves in a frame.
typedef struct moving_boxes {
    acre_aabb *boxes;
    float (*steps)[2];
    uint32_t count;
    acre_quadtree *tree;
} moving_boxes;

static void moving_free(moving_boxes *moving)
{
    acre_quadtree_destroy(moving->tree);
    free(moving->boxes);
    free(moving->steps);
}

static acre_result moving_create(const run_world *world, uint64_t seed, moving_boxes *out)
{
    const acre_scene_view view = acre_scene_get_view(world->scene);
    const acre_quadtree *const original = acre_culling_tree(world->culling);
    *out = (moving_boxes){.count = view.slot_count};
    out->boxes = calloc((size_t)view.slot_count + 1, sizeof *out->boxes);
    out->steps = calloc((size_t)view.slot_count + 1, sizeof *out->steps);
    if (!out->boxes || !out->steps) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_result result = acre_quadtree_create(&world->tree_def, &out->tree);
    for (uint32_t slot = 0; slot < view.slot_count && result == ACRE_OK; slot++) {
        const float speed = 0.5f + 9.5f * random_next_unit(&seed);
        const float heading = 6.2831853f * random_next_unit(&seed);
        out->boxes[slot] = view.world_bounds[slot];
        out->steps[slot][0] = speed * FRAME_SECONDS * cosf(heading);
        out->steps[slot][1] = speed * FRAME_SECONDS * sinf(heading);
        if (acre_quadtree_contains(original, slot)) {
            result = acre_quadtree_insert(out->tree, slot, &out->boxes[slot]);
        }
    }
    return result;
}

static void move_boxes(moving_boxes *moving)
{
    for (uint32_t slot = 0; slot < moving->count; slot++) {
        for (int k = 0; k < 2; k++) {
            moving->boxes[slot].min[2 * k] += moving->steps[slot][k];
            moving->boxes[slot].max[2 * k] += moving->steps[slot][k];
        }
    }
}

static acre_result measure_refresh(const run_world *world, uint64_t seed, run_bars *out)
{
    moving_boxes moving;
    sample_list samples = {0};
    acre_result result = moving_create(world, seed, &moving);
    if (result == ACRE_OK && !samples_reserve(&samples, REFRESH_ROUNDS)) {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (int round = 0; round < REFRESH_ROUNDS && result == ACRE_OK && out->items; round++) {
        move_boxes(&moving);
        const double begin = clock_seconds();
        result = acre_quadtree_refresh_all(moving.tree, moving.boxes, moving.count);
        const double end = clock_seconds();
        samples_add(&samples, 1e9 * (end - begin) / (double)out->items);
        if (result == ACRE_OK) {
            result = acre_quadtree_maintain(moving.tree);
        }
    }
    out->refresh = samples_summarise(&samples);
    samples_free(&samples);
    moving_free(&moving);
    return result;
}

static bool copy_boxes(const acre_quadtree *tree, uint32_t slot_count, size_t items,
                       brute_boxes *out)
{
    if (!brute_boxes_create(out, items)) {
        return false;
    }
    size_t count = 0;
    for (uint32_t slot = 0; slot < slot_count && count < items; slot++) {
        acre_aabb box;
        if (acre_quadtree_get_box(tree, slot, &box) == ACRE_OK) {
            brute_boxes_set(out, count++, slot, &box);
        }
    }
    out->count = count;
    return true;
}

// Frusta of ground cameras, spread over the low parts of the flight; the lowest pose of all where
// there are none.
static uint32_t ground_views(const run_world *world, float far_distance, acre_frustum *out)
{
    uint32_t low[FLIGHT_FRAMES], low_count = 0, lowest = 0;
    float least = HUGE_VALF;
    view_pose pose;
    for (uint32_t frame = 0; frame < FLIGHT_FRAMES; frame++) {
        flight_pose(&world->path, frame, &pose);
        if (pose.eye[1] < least) {
            least = pose.eye[1];
            lowest = frame;
        }
        if (pose.eye[1] - world->path.ground < EYE_LEVEL) {
            low[low_count++] = frame;
        }
    }
    if (low_count == 0) {
        low[low_count++] = lowest;
    }
    const uint32_t wanted = low_count < MOST_VIEWS ? low_count : MOST_VIEWS;
    uint32_t count = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        acre_camera camera = {0};
        flight_pose(&world->path, low[i * low_count / wanted], &pose);
        if (acre_camera_perspective(&camera, pose.vertical_fov, pose.aspect, pose.near_distance,
                                    far_distance, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
            acre_camera_look_at(&camera, pose.eye, pose.target, pose.up) == ACRE_OK &&
            acre_camera_frustum(&camera, &out[count]) == ACRE_OK) {
            count++;
        }
    }
    return count;
}

static bool is_same_set(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
                        uint8_t *marks)
{
    size_t common = 0;
    for (size_t i = 0; i < a_count; i++) {
        marks[a[i]] = 1;
    }
    for (size_t i = 0; i < b_count; i++) {
        common += marks[b[i]];
        marks[b[i]] = 0;
    }
    for (size_t i = 0; i < a_count; i++) {
        marks[a[i]] = 0;
    }
    return a_count == b_count && common == a_count;
}

enum { METHODS = 3 }; // the tree, brute force, and brute force with prepared planes

typedef struct query_race {
    const acre_quadtree *tree;
    brute_boxes boxes;
    uint32_t *found, *reference; // results
    uint8_t *marks;              // all 0 between calls
    uint32_t views;
    acre_frustum frusta[MOST_VIEWS];
    sample_list times[METHODS][MOST_VIEWS]; // microseconds
} query_race;

typedef size_t (*query_method)(const query_race *race, const acre_frustum *frustum, uint32_t *out);

static size_t by_tree(const query_race *race, const acre_frustum *frustum, uint32_t *out)
{
    return acre_quadtree_query_frustum(race->tree, frustum, out, race->boxes.count);
}

static size_t by_brute(const query_race *race, const acre_frustum *frustum, uint32_t *out)
{
    return brute_query(&race->boxes, frustum, out);
}

static size_t by_prepared(const query_race *race, const acre_frustum *frustum, uint32_t *out)
{
    return brute_query_prepared(&race->boxes, frustum, out);
}

static const query_method methods[METHODS] = {by_tree, by_brute, by_prepared};

static bool compare_sets(query_race *race, double *visible)
{
    bool are_equal = true;
    for (uint32_t i = 0; i < race->views; i++) {
        const acre_frustum *const frustum = &race->frusta[i];
        const size_t reference = by_brute(race, frustum, race->reference);
        *visible += (double)reference / race->views;
        for (uint32_t m = 0; m < METHODS; m++) {
            const size_t count = methods[m](race, frustum, race->found);
            are_equal = are_equal && count <= race->boxes.count &&
                        is_same_set(race->found, count, race->reference, reference, race->marks);
        }
    }
    return are_equal;
}

// One method after the other, in turn, so that all meet the same weather.
static void run_race(query_race *race)
{
    for (int round = 0; round < QUERY_ROUNDS; round++) {
        for (uint32_t m = 0; m < METHODS; m++) {
            for (uint32_t i = 0; i < race->views; i++) {
                methods[m](race, &race->frusta[i], race->found);
            }
            for (uint32_t i = 0; i < race->views; i++) {
                const double begin = clock_seconds();
                methods[m](race, &race->frusta[i], race->found);
                samples_add(&race->times[m][i], 1e6 * (clock_seconds() - begin));
            }
        }
    }
}

// The mean over the views of their medians; the samples are then forgotten.
static double mean_time(query_race *race, uint32_t method)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < race->views; i++) {
        sum += samples_summarise(&race->times[method][i]).median / race->views;
        samples_clear(&race->times[method][i]);
    }
    return sum;
}

static bool measure_query(query_race *race, const run_world *world, float far_distance,
                          bar_query *out)
{
    *out = (bar_query){.far_distance = far_distance};
    out->views = race->views = ground_views(world, far_distance, race->frusta);
    const bool are_equal = compare_sets(race, &out->visible);
    run_race(race);
    out->tree = mean_time(race, 0);
    out->brute = mean_time(race, 1);
    out->prepared = mean_time(race, 2);
    out->ratio = out->tree > 0.0 ? out->brute / out->tree : 0.0;
    return are_equal;
}

static bool race_create(const run_world *world, size_t items, query_race *out)
{
    *out = (query_race){.tree = acre_culling_tree(world->culling)};
    out->found = calloc(items + 1, sizeof *out->found);
    out->reference = calloc(items + 1, sizeof *out->reference);
    out->marks = calloc((size_t)world->slot_count + 1, sizeof *out->marks);
    bool is_good = out->found && out->reference && out->marks;
    for (uint32_t m = 0; m < METHODS; m++) {
        for (uint32_t i = 0; i < MOST_VIEWS; i++) {
            is_good = is_good && samples_reserve(&out->times[m][i], QUERY_ROUNDS);
        }
    }
    return is_good && copy_boxes(out->tree, world->slot_count, items, &out->boxes);
}

static void race_free(query_race *race)
{
    free(race->found);
    free(race->reference);
    free(race->marks);
    for (uint32_t m = 0; m < METHODS; m++) {
        for (uint32_t i = 0; i < MOST_VIEWS; i++) {
            samples_free(&race->times[m][i]);
        }
    }
    brute_boxes_free(&race->boxes);
}

acre_result run_bars_measure(const run_world *world, uint64_t seed, run_bars *out)
{
    *out = (run_bars){.are_sets_equal = true};
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(acre_culling_tree(world->culling), &stats);
    out->items = stats.items;
    query_race race;
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    if (race_create(world, stats.items, &race)) {
        for (uint32_t i = 0; i < BAR_DISTANCES; i++) {
            out->are_sets_equal &= measure_query(&race, world, far_distances[i], &out->queries[i]);
        }
        result = measure_refresh(world, seed, out);
    }
    race_free(&race);
    return result;
}
