// SPDX-License-Identifier: MIT
// run_casters.c - the shadow casters of `acre run`: counted, timed, and checked with rays.
#include "run_casters.h"

#include <stdlib.h>
#include <string.h>

bool run_casters_create(run_casters *out, const run_world *world, size_t frames)
{
    *out = (run_casters){.capacity = world->slot_count, .ground = world->bounds};
    // The ground is flat; streets and houses stand on it.
    out->ground.min[1] = out->ground.max[1] = world->path.ground;
    out->slots = calloc(out->capacity + 1, sizeof *out->slots);
    out->marks = calloc(out->capacity + 1, sizeof *out->marks);
    bool is_good =
        acre_receivers_create(NULL, &out->receivers) == ACRE_OK && out->slots && out->marks;
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        is_good = is_good && samples_reserve(&out->times[i], frames);
        for (int kind = 0; kind < CASTER_KINDS_; kind++) {
            is_good = is_good && samples_reserve(&out->counts[kind][i], frames);
        }
    }
    return is_good;
}

void run_casters_free(run_casters *casters)
{
    acre_receivers_destroy(casters->receivers);
    free(casters->slots);
    free(casters->marks);
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT; i++) {
        samples_free(&casters->times[i]);
        for (int kind = 0; kind < CASTER_KINDS_; kind++) {
            samples_free(&casters->counts[kind][i]);
        }
    }
    *casters = (run_casters){0};
}

// The casters on what was marked until now, in casters->slots.
static acre_result find(run_casters *casters, const run_world *world, size_t *count)
{
    const acre_result result = acre_culling_query_casters(world->culling, casters->receivers,
                                                          casters->slots, casters->capacity, count);
    return result == ACRE_OK && *count > casters->capacity ? ACRE_ERROR_CAPACITY : result;
}

static acre_result check(run_casters *casters, const caster_frame *frame, uint32_t cascade,
                         size_t count, const acre_aabb *ground)
{
    const acre_scene_view view = acre_scene_get_view(frame->world->scene);
    const ray_check asked = {.cascade = &frame->view->cascades[cascade],
                             .visible = frame->visible,
                             .visible_count = frame->visible_count,
                             .ground = ground,
                             .marks = casters->marks,
                             .rays = frame->rays,
                             .seed = frame->seed + cascade};
    memset(casters->marks, 0, casters->capacity);
    for (size_t i = 0; i < count; i++) {
        casters->marks[casters->slots[i]] = 1;
    }
    casters->lost_cascade = cascade;
    return frame->rays == 0 || check_rays(&view, &asked, &casters->rays, &casters->lost,
                                          &casters->lost_distance)
               ? ACRE_OK
               : ACRE_ERROR_FORMAT;
}

// Timed: what a program does. A query of the slice finds the visible entities in it.
static acre_result count_with_ground(run_casters *casters, const caster_frame *frame,
                                     uint32_t cascade)
{
    acre_receivers *const receivers = casters->receivers;
    size_t count = 0;
    const double begin = clock_seconds();
    acre_result result = acre_receivers_begin(receivers, &frame->view->cascades[cascade]);
    if (result == ACRE_OK) {
        result = acre_culling_add_receivers_in_slice(frame->world->culling, receivers, 0);
    }
    if (result == ACRE_OK) {
        result = acre_receivers_add_boxes(receivers, &casters->ground, 1);
    }
    if (result == ACRE_OK) {
        result = find(casters, frame->world, &count);
    }
    samples_add(&casters->times[cascade], 1e6 * (clock_seconds() - begin));
    samples_add(&casters->counts[CASTERS_WITH_GROUND][cascade], (double)count);
    return result == ACRE_OK ? check(casters, frame, cascade, count, &casters->ground) : result;
}

// From the camera's visible set, as a program whose view has rules would.
static acre_result count_alone(run_casters *casters, const caster_frame *frame, uint32_t cascade)
{
    size_t count = 0;
    acre_result result = acre_receivers_begin(casters->receivers, &frame->view->cascades[cascade]);
    if (result == ACRE_OK) {
        result = acre_culling_add_receivers(frame->world->culling, casters->receivers,
                                            frame->visible, frame->visible_count);
    }
    if (result == ACRE_OK) {
        result = find(casters, frame->world, &count);
    }
    samples_add(&casters->counts[CASTERS_ALONE][cascade], (double)count);
    return result == ACRE_OK ? check(casters, frame, cascade, count, NULL) : result;
}

acre_result run_casters_count(run_casters *casters, const caster_frame *frame)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < RUN_CASCADE_COUNT && result == ACRE_OK; i++) {
        acre_frustum extruded;
        result = acre_cascade_caster_frustum(&frame->view->cascades[i], &extruded);
        size_t count = 0;
        if (result == ACRE_OK) {
            result = acre_culling_query_frustum(frame->world->culling, &extruded, 0, casters->slots,
                                                casters->capacity, &count);
        }
        samples_add(&casters->counts[CASTERS_EXTRUDED][i], (double)count);
        if (result == ACRE_OK) {
            result = count_with_ground(casters, frame, i);
        }
        if (result == ACRE_OK) {
            result = count_alone(casters, frame, i);
        }
    }
    return result;
}
