// SPDX-License-Identifier: MIT
// run_bars.c - the two figures that the tree has to reach, measured on the scene of a run.
#include "run_bars.h"

#include "run_brute.h"

#include <math.h>
#include <stdlib.h>

enum { REFRESH_ROUNDS = 65, QUERY_ROUNDS = 9, MOST_VIEWS = 16 };

#define GROUND_FAR 1000.0f // metres
#define EYE_LEVEL 3.0f     // a camera below this height above the ground is a ground camera
#define FRAME_SECONDS (1.0f / 60.0f)

// splitmix64 (Steele, Lea and Flood 2014), as a float in [0, 1).
static float next_unit(uint64_t *state)
{
    uint64_t bits = *state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return (float)((bits ^ (bits >> 31)) >> 40) * 0x1p-24f;
}

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
        const float speed = 0.5f + 9.5f * next_unit(&seed);
        const float heading = 6.2831853f * next_unit(&seed);
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
            for (int k = 0; k < 3; k++) {
                out->edges[k][count] = box.min[k];
                out->edges[3 + k][count] = box.max[k];
            }
            out->items[count++] = slot;
        }
    }
    out->count = count;
    return true;
}

// Frusta of ground cameras, spread over the low parts of the flight; the lowest pose of all where
// there are none.
static uint32_t ground_views(const run_world *world, acre_frustum *out)
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
                                    GROUND_FAR, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
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

typedef struct query_race {
    const acre_quadtree *tree;
    brute_boxes boxes;
    uint32_t *by_tree, *by_brute; // results
    uint8_t *marks;               // all 0 between calls
    uint32_t views;
    acre_frustum frusta[MOST_VIEWS];
    sample_list tree_times[MOST_VIEWS], brute_times[MOST_VIEWS]; // microseconds
} query_race;

static bool compare_sets(query_race *race, run_bars *out)
{
    const size_t items = race->boxes.count;
    bool are_equal = true;
    for (uint32_t i = 0; i < race->views; i++) {
        const size_t by_tree =
            acre_quadtree_query_frustum(race->tree, &race->frusta[i], race->by_tree, items);
        const size_t by_brute = brute_query(&race->boxes, &race->frusta[i], race->by_brute);
        are_equal = are_equal && by_tree <= items &&
                    is_same_set(race->by_tree, by_tree, race->by_brute, by_brute, race->marks);
        out->visible += (double)by_tree / race->views;
    }
    return are_equal;
}

// All views by the tree, then all by brute force, in turn, so that both meet the same weather. The
// cameras of a frame follow each other, and so do a round's.
static void run_race(query_race *race, run_bars *out)
{
    const size_t items = race->boxes.count;
    for (int round = 0; round < QUERY_ROUNDS; round++) {
        for (uint32_t i = 0; i < race->views; i++) {
            const double begin = clock_seconds();
            acre_quadtree_query_frustum(race->tree, &race->frusta[i], race->by_tree, items);
            samples_add(&race->tree_times[i], 1e6 * (clock_seconds() - begin));
        }
        for (uint32_t i = 0; i < race->views; i++) {
            const double begin = clock_seconds();
            brute_query(&race->boxes, &race->frusta[i], race->by_brute);
            samples_add(&race->brute_times[i], 1e6 * (clock_seconds() - begin));
        }
    }
    for (uint32_t i = 0; i < race->views; i++) {
        out->tree += samples_summarise(&race->tree_times[i]).median / race->views;
        out->brute += samples_summarise(&race->brute_times[i]).median / race->views;
    }
}

static bool race_create(const run_world *world, size_t items, query_race *out)
{
    *out = (query_race){.tree = acre_culling_tree(world->culling)};
    out->views = ground_views(world, out->frusta);
    out->by_tree = calloc(items + 1, sizeof *out->by_tree);
    out->by_brute = calloc(items + 1, sizeof *out->by_brute);
    out->marks = calloc((size_t)world->slot_count + 1, sizeof *out->marks);
    bool is_good = out->by_tree && out->by_brute && out->marks;
    for (uint32_t i = 0; i < out->views; i++) {
        is_good = is_good && samples_reserve(&out->tree_times[i], QUERY_ROUNDS) &&
                  samples_reserve(&out->brute_times[i], QUERY_ROUNDS);
    }
    return is_good && copy_boxes(out->tree, world->slot_count, items, &out->boxes);
}

static void race_free(query_race *race)
{
    free(race->by_tree);
    free(race->by_brute);
    free(race->marks);
    for (uint32_t i = 0; i < race->views; i++) {
        samples_free(&race->tree_times[i]);
        samples_free(&race->brute_times[i]);
    }
    brute_boxes_free(&race->boxes);
}

acre_result run_bars_measure(const run_world *world, uint64_t seed, run_bars *out)
{
    *out = (run_bars){0};
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(acre_culling_tree(world->culling), &stats);
    out->items = stats.items;
    query_race race;
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    if (race_create(world, stats.items, &race)) {
        out->views = race.views;
        out->are_sets_equal = compare_sets(&race, out);
        run_race(&race, out);
        out->ratio = out->tree > 0.0 ? out->brute / out->tree : 0.0;
        result = measure_refresh(world, seed, out);
    }
    race_free(&race);
    return result;
}
