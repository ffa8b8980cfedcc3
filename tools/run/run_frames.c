// SPDX-License-Identifier: MIT
// run_frames.c - the frames of `acre run`: move, commit, query, and what was counted and timed.
#include "run_frames.h"

#include "terminal.h"

#include <acre/horizon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_SECONDS (1.0f / 60.0f)
// Rays of a checked frame for each cascade, twice as many where the ground receives.
#define CHECK_RAYS 24u
// Rays of a checked frame to each entity that the horizon drops.
#define SIGHT_RAYS 8u

typedef struct frame_loop {
    run_world *world;
    const run_options *options;
    run_record *record;
    run_visible visible;
    run_view view;
    acre_view views[RUN_CAMERA_COUNT]; // of its cameras
    acre_horizon *horizon;             // of the flying camera; NULL: nothing hides anything
    uint32_t *plain;                   // what it finds without the horizon
    uint8_t *marks;                    // of the check
    progress progress;
} frame_loop;

static bool fail(frame_loop *loop, const char *what, acre_result result)
{
    snprintf(loop->record->error, sizeof loop->record->error, "%s: %s", what,
             acre_result_text(result));
    return false;
}

// Cars drive, the scene takes their new places, the culler follows in the commit.
static bool move_and_commit(frame_loop *loop)
{
    run_world *const world = loop->world;
    run_record *const record = loop->record;
    traffic_advance(world->traffic, FRAME_SECONDS);
    const double begin = clock_seconds();
    acre_result result =
        acre_scene_set_locals(world->scene, world->cars, traffic_transforms(world->traffic),
                              traffic_car_count(world->traffic));
    const double middle = clock_seconds();
    if (result != ACRE_OK) {
        return fail(loop, "moving cars", result);
    }
    result = acre_scene_commit(world->scene);
    const double end = clock_seconds();
    if (result != ACRE_OK) {
        return fail(loop, "commit", result);
    }
    const double refresh = world->clock.end - world->clock.begin;
    samples_add(&record->set, 1e6 * (middle - begin));
    samples_add(&record->commit, 1e6 * (end - middle - refresh));
    samples_add(&record->refresh, 1e6 * refresh);
    samples_add(&record->moved, (double)world->clock.moved);
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static bool query_all(frame_loop *loop)
{
    run_record *const record = loop->record;
    run_visible *const visible = &loop->visible;
    double total = 0.0;
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        const double begin = clock_seconds();
        acre_result result = acre_view_from_camera(&loop->views[i], &loop->view.cameras[i]);
        if (result == ACRE_OK && i == 0 && loop->horizon) {
            loop->views[0].horizon = loop->horizon;
            result = acre_horizon_begin_camera(loop->horizon, &loop->view.cameras[0], NULL);
        }
        if (result == ACRE_OK) {
            result =
                acre_culling_query_view(loop->world->culling, &loop->views[i], visible->slots[i],
                                        loop->world->slot_count, &visible->counts[i]);
        }
        const double seconds = clock_seconds() - begin;
        if (result != ACRE_OK) {
            return fail(loop, "the view of a camera", result);
        }
        if (visible->counts[i] > loop->world->slot_count) {
            return fail(loop, "a query found more entities than there are", ACRE_ERROR_FORMAT);
        }
        total += seconds;
        samples_add(&record->camera_query[i], 1e6 * seconds);
        samples_add(&record->visible[i], (double)visible->counts[i]);
    }
    samples_add(&record->query, 1e6 * total);
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        record->visible_hash = mix(record->visible_hash, visible->counts[i]);
        for (size_t k = 0; k < visible->counts[i]; k++) {
            record->visible_hash = mix(record->visible_hash, visible->slots[i][k]);
        }
    }
    return true;
}

// The shadow casters of every frame; those of checked ones meet rays.
static bool count_casters(frame_loop *loop, uint32_t frame, bool is_checked)
{
    run_record *const record = loop->record;
    const caster_frame wanted = {.world = loop->world,
                                 .view = &loop->view,
                                 .visible = loop->visible.slots[0],
                                 .visible_count = loop->visible.counts[0],
                                 .rays = is_checked ? CHECK_RAYS : 0,
                                 .seed = mix(loop->options->seed, frame)};
    const acre_result result = run_casters_count(&record->casters, &wanted);
    if (result == ACRE_ERROR_FORMAT) {
        record->difference = (check_difference){CHECK_NO_CASTER, record->casters.lost, -1,
                                                record->casters.lost_distance};
        record->difference_frame = frame;
        record->difference_camera = 1 + record->casters.lost_cascade;
        return false;
    }
    return result == ACRE_OK || fail(loop, "shadow casters", result);
}

// Whether rays reach what the horizon dropped of the plain set.
static bool check_dropped(frame_loop *loop, const check_set *plain, uint64_t seed)
{
    const run_visible *const visible = &loop->visible;
    check_difference *const difference = &loop->record->difference;
    const sight_check check = {.world = loop->world,
                               .camera = plain->camera,
                               .frustum = plain->frustum,
                               .found = plain->slots,
                               .found_count = plain->count,
                               .marks = loop->marks,
                               .rays = SIGHT_RAYS,
                               .seed = seed};
    memset(loop->marks, 0, loop->world->slot_count);
    for (size_t i = 0; i < visible->counts[0]; i++) {
        loop->marks[visible->slots[0][i]] = 1;
    }
    if (!check_sight(&check, &loop->record->sight, &difference->slot)) {
        *difference = (check_difference){CHECK_SEEN, difference->slot, -1, 0};
        return false;
    }
    return true;
}

// A view whose horizon drops entities: the plain set is right, and nothing of it that can be seen
// is dropped.
static bool check_hidden(frame_loop *loop, const acre_scene_view *scene, uint64_t seed)
{
    acre_view view = loop->views[0];
    check_set plain = {&loop->view.cameras[0], &view.frustum, loop->plain, 0};
    view.horizon = NULL;
    const acre_result result = acre_culling_query_view(loop->world->culling, &view, loop->plain,
                                                       loop->world->slot_count, &plain.count);
    if (result != ACRE_OK) {
        return fail(loop, "the view of a camera", result);
    }
    loop->record->difference = check_visible_set(scene, &plain, loop->marks);
    return loop->record->difference.kind == CHECK_EQUAL && check_dropped(loop, &plain, seed);
}

static bool check_frame(frame_loop *loop, uint32_t frame)
{
    run_record *const record = loop->record;
    const acre_scene_view view = acre_scene_get_view(loop->world->scene);
    char message[256];
    if (acre_quadtree_validate(acre_culling_tree(loop->world->culling), message, sizeof message) !=
            ACRE_OK ||
        acre_scene_validate(loop->world->scene, message, sizeof message) != ACRE_OK) {
        snprintf(record->error, sizeof record->error, "frame %u: broken rule: %s", frame, message);
        return false;
    }
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        const check_set set = {&loop->view.cameras[i], &loop->views[i].frustum,
                               loop->visible.slots[i], loop->visible.counts[i]};
        if (i == 0 && loop->horizon) {
            (void)check_hidden(loop, &view, mix(loop->options->seed, frame));
        } else {
            record->difference = check_visible_set(&view, &set, loop->marks);
        }
        record->checked_sets++;
        if (record->error[0]) {
            return false;
        }
        if (record->difference.kind != CHECK_EQUAL) {
            record->difference_frame = frame;
            record->difference_camera = i;
            return false;
        }
    }
    record->checked_frames++;
    return true;
}

// The frame of the map: at eye height if there is one, nearest to the middle of the world.
static uint32_t choose_picture_frame(const run_world *world, uint32_t frames)
{
    uint32_t best = frames - 1;
    float least = HUGE_VALF;
    for (uint32_t frame = 0; frame < frames && frame < FLIGHT_FRAMES; frame++) {
        view_pose pose;
        flight_pose(&world->path, frame, &pose);
        const float x = 0.5f * world->bounds.min[0] + 0.5f * world->bounds.max[0];
        const float z = 0.5f * world->bounds.min[2] + 0.5f * world->bounds.max[2];
        const float height = pose.eye[1] - world->path.ground;
        const float cost = hypotf(pose.eye[0] - x, pose.eye[2] - z) + 100.0f * height;
        if (cost < least) {
            least = cost;
            best = frame;
        }
    }
    return best;
}

static bool run_frame(frame_loop *loop, uint32_t frame, run_picture_function *picture, void *user)
{
    const uint32_t every = loop->options->check_every;
    if (!run_view_at(loop->world, frame, &loop->view)) {
        return fail(loop, "the camera", ACRE_ERROR_INVALID_ARGUMENT);
    }
    if (!move_and_commit(loop) || !query_all(loop)) {
        return false;
    }
    const bool is_last = frame + 1 == loop->options->frames;
    const bool is_checked = every && (is_last || (frame + 1) % every == 0);
    if (!count_casters(loop, frame, is_checked) || (is_checked && !check_frame(loop, frame))) {
        return false;
    }
    if (picture && frame == loop->record->picture_frame &&
        !picture(loop->world, &loop->view, &loop->visible, frame, loop->record->error,
                 sizeof loop->record->error, user)) {
        return false;
    }
    loop->record->frames++;
    progress_show(&loop->progress, "frame %u of %u, %zu visible to the camera", (unsigned)frame + 1,
                  (unsigned)loop->options->frames, loop->visible.counts[0]);
    return true;
}

static bool reserve(frame_loop *loop)
{
    run_record *const record = loop->record;
    const size_t frames = loop->options->frames, slots = (size_t)loop->world->slot_count + 1;
    bool is_good =
        samples_reserve(&record->set, frames) && samples_reserve(&record->commit, frames) &&
        samples_reserve(&record->refresh, frames) && samples_reserve(&record->query, frames) &&
        samples_reserve(&record->moved, frames);
    is_good = run_casters_create(&record->casters, loop->world, frames) && is_good;
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        loop->visible.slots[i] = calloc(slots, sizeof *loop->visible.slots[i]);
        is_good = is_good && loop->visible.slots[i] &&
                  samples_reserve(&record->camera_query[i], frames) &&
                  samples_reserve(&record->visible[i], frames);
    }
    loop->marks = calloc(slots, sizeof *loop->marks);
    loop->plain = calloc(slots, sizeof *loop->plain);
    if (loop->options->has_occlusion) {
        is_good = is_good && acre_horizon_create(&(acre_horizon_def){0}, &loop->horizon) == ACRE_OK;
    }
    return is_good && loop->marks && loop->plain;
}

bool run_frames(run_world *world, const run_options *options, run_picture_function *picture,
                void *user, run_record *out)
{
    *out = (run_record){.picture_frame = choose_picture_frame(world, options->frames)};
    frame_loop loop = {
        .world = world, .options = options, .record = out, .progress = progress_begin()};
    bool is_good = reserve(&loop) || fail(&loop, "frames", ACRE_ERROR_OUT_OF_MEMORY);
    for (uint32_t frame = 0; frame < options->frames && is_good; frame++) {
        is_good = run_frame(&loop, frame, picture, user);
    }
    progress_end(&loop.progress);
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        free(loop.visible.slots[i]);
    }
    free(loop.marks);
    free(loop.plain);
    acre_horizon_destroy(loop.horizon);
    return is_good;
}

void run_record_free(run_record *record)
{
    samples_free(&record->set);
    samples_free(&record->commit);
    samples_free(&record->refresh);
    samples_free(&record->query);
    samples_free(&record->moved);
    for (uint32_t i = 0; i < RUN_CAMERA_COUNT; i++) {
        samples_free(&record->camera_query[i]);
        samples_free(&record->visible[i]);
    }
    run_casters_free(&record->casters);
}
