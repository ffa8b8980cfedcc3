// SPDX-License-Identifier: MIT
// bodies.c - edits of a scene, and the places of its bodies' points in doubles.
#include "bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points lie this far from the middle of a box, as a share of its half size.
#define INSIDE 0.999

static bool is_alive(const body *one)
{
    return one->entity.index1 != 0;
}

static void turn(acre_transform *local, test_random *random)
{
    float q[4] = {0.0f, random_float(random, -1, 1), 0.0f, random_float(random, 0.1f, 1)};
    if (random_below(random, 8) == 0) {
        q[0] = random_float(random, -1, 1);
        q[2] = random_float(random, -1, 1);
    }
    const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        local->rotation[i] = q[i] / length;
    }
}

// A body of a box of the world, or a rider within some meters of the body before it.
static void draw_body(body *one, const acre_aabb *box, bool is_rider, test_random *random)
{
    *one = (body){.local = ACRE_TRANSFORM_IDENTITY, .is_rider = is_rider};
    for (int k = 0; k < 3; k++) {
        const float half = 0.5f * (box->max[k] - box->min[k]);
        const float aside = random_below(random, 4) ? 0.0f : random_float(random, -1, 1) * half;
        one->local.translation[k] =
            is_rider ? random_float(random, -5, 5) : 0.5f * (box->min[k] + box->max[k]);
        one->bounds.min[k] = aside - half;
        one->bounds.max[k] = aside + half;
    }
    if (random_below(random, 3) == 0) {
        turn(&one->local, random);
        one->local.scale[random_below(random, 3)] = random_float(random, 0.5f, 2.0f);
    }
    one->flags = random_below(random, 2) ? ACRE_ENTITY_STATIC : 0;
}

// @return ACRE_ERROR_CAPACITY also where the arrays have no row for its slot.
static acre_result create_entity(bodies *world, uint32_t number)
{
    body *const one = &world->list[number];
    const acre_entity_def def = {.parent = one->is_rider ? world->list[number - 1].entity
                                                         : (acre_entity){0},
                                 .local = &one->local,
                                 .bounds = &one->bounds,
                                 .layers = one->layers,
                                 .flags = one->flags};
    const acre_result result = acre_entity_create(world->scene, &def, &one->entity);
    return result == ACRE_OK && one->entity.index1 > world->slot_room ? ACRE_ERROR_CAPACITY
                                                                      : result;
}

// place = local applied to it.
static void apply(const acre_transform *local, double *place)
{
    const double x = (double)local->rotation[0], y = (double)local->rotation[1];
    const double z = (double)local->rotation[2], w = (double)local->rotation[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    double scaled[3];
    for (int k = 0; k < 3; k++) {
        scaled[k] = (double)local->scale[k] * place[k];
    }
    for (int k = 0; k < 3; k++) {
        place[k] = rows[k][0] * scaled[0] + rows[k][1] * scaled[1] + rows[k][2] * scaled[2] +
                   (double)local->translation[k];
    }
}

// Undoes apply.
static void undo(const acre_transform *local, double *place)
{
    acre_transform back = ACRE_TRANSFORM_IDENTITY;
    for (int k = 0; k < 3; k++) {
        place[k] -= (double)local->translation[k];
        back.rotation[k] = -local->rotation[k];
    }
    back.rotation[3] = local->rotation[3];
    apply(&back, place);
    for (int k = 0; k < 3; k++) {
        place[k] /= (double)local->scale[k];
    }
}

void bodies_into_box(const bodies *world, uint32_t number, double *place)
{
    const body *const one = &world->list[number];
    if (one->is_rider) {
        undo(&one[-1].local, place);
    }
    undo(&one->local, place);
}

static double largest_of(const float *values)
{
    return fmax(fabs((double)values[0]), fmax(fabs((double)values[1]), fabs((double)values[2])));
}

static double reach_of(const body *one)
{
    return largest_of(one->local.translation) +
           4.0 * (largest_of(one->bounds.min) + largest_of(one->bounds.max));
}

// The middle of the box, a corner of it, and any point in it.
static void place_points(bodies *world, uint32_t number, test_random *random)
{
    const body *const one = &world->list[number];
    const uint32_t slot = one->entity.index1 - 1;
    const body *const parent = one->is_rider ? one - 1 : NULL;
    const uint32_t flags = one->flags | (parent ? parent->flags : 0);
    for (int i = 0; i < BODY_POINTS; i++) {
        double place[3];
        for (int k = 0; k < 3; k++) {
            const double low = (double)one->bounds.min[k], high = (double)one->bounds.max[k];
            const double side = i == 0   ? 0.0
                                : i == 1 ? (random_below(random, 2) ? INSIDE : -INSIDE)
                                         : (double)random_float(random, -1, 1) * INSIDE;
            place[k] = 0.5 * (low + high) + side * 0.5 * (high - low);
        }
        apply(&one->local, place);
        if (parent) {
            apply(&parent->local, place);
        }
        for (int k = 0; k < 3; k++) {
            world->points[i][k][slot] = flags & ACRE_ENTITY_HIDDEN ? (double)NAN : place[k];
        }
    }
    world->layers[slot] = one->layers ? one->layers : UINT32_MAX;
    world->reach[slot] = reach_of(one) + (parent ? 2.0 * reach_of(parent) : 0.0);
}

static bool commit(bodies *world, test_random *random)
{
    if (acre_scene_commit(world->scene) != ACRE_OK) {
        return false;
    }
    for (uint32_t slot = 0; slot < world->slot_room; slot++) {
        for (int i = 0; i < BODY_POINTS; i++) {
            world->points[i][0][slot] = (double)NAN;
        }
    }
    for (uint32_t i = 0; i < world->count; i++) {
        if (is_alive(&world->list[i])) {
            place_points(world, i, random);
        }
    }
    return true;
}

static bool allocate(bodies *world, uint32_t count)
{
    world->count = count;
    world->slot_room = 2 * count;
    world->list = calloc(count, sizeof *world->list);
    world->reach = calloc(world->slot_room, sizeof *world->reach);
    world->layers = calloc(world->slot_room, sizeof *world->layers);
    world->entities = calloc(count, sizeof *world->entities);
    world->locals = calloc(count, sizeof *world->locals);
    bool is_good = world->list && world->reach && world->layers && world->entities && world->locals;
    for (int i = 0; i < BODY_POINTS * 3; i++) {
        world->points[i / 3][i % 3] = calloc(world->slot_room, sizeof(double));
        is_good = is_good && world->points[i / 3][i % 3];
    }
    return is_good;
}

bool bodies_create(bodies *out, const country *land, acre_kernel kernel, const acre_tasks *tasks,
                   test_random *random)
{
    *out = (bodies){0};
    if (!allocate(out, land->count) ||
        acre_scene_create(&(acre_scene_def){.kernel = kernel}, &out->scene) != ACRE_OK) {
        return false;
    }
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < out->count && result == ACRE_OK; i++) {
        draw_body(&out->list[i], &land->boxes[i], i % 8 == 7, random);
        result = create_entity(out, i);
    }
    const acre_culling_def def = {.tree = {.half_size = land->half_size, .kernel = kernel},
                                  .register_all = true};
    return result == ACRE_OK && acre_culling_create(out->scene, &def, &out->culling) == ACRE_OK &&
           acre_scene_set_tasks(out->scene, tasks) == ACRE_OK &&
           acre_culling_set_tasks(out->culling, tasks) == ACRE_OK && commit(out, random);
}

void bodies_free(bodies *world)
{
    acre_culling_destroy(world->culling);
    acre_scene_destroy(world->scene);
    free(world->list);
    free(world->reach);
    free(world->layers);
    free(world->entities);
    free(world->locals);
    for (int i = 0; i < BODY_POINTS * 3; i++) {
        free(world->points[i / 3][i % 3]);
    }
    *world = (bodies){0};
}

// Steps of up to `far` meters; one call for all of them, or one for each.
static bool move(bodies *world, uint32_t stride, float far, test_random *random)
{
    uint32_t moved = 0;
    for (uint32_t i = random_below(random, stride); i < world->count; i += stride) {
        body *const one = &world->list[i];
        if (is_alive(one)) {
            for (int k = 0; k < 3; k++) {
                one->local.translation[k] += random_float(random, -far, far) * (k == 1 ? 0.1f : 1);
            }
            world->entities[moved] = one->entity;
            world->locals[moved++] = one->local;
        }
    }
    acre_result result = ACRE_OK;
    if (random_below(random, 2)) {
        return acre_scene_set_locals(world->scene, world->entities, world->locals, moved) ==
               ACRE_OK;
    }
    for (uint32_t i = 0; i < moved && result == ACRE_OK; i++) {
        result = acre_entity_set_local(world->scene, world->entities[i], &world->locals[i]);
    }
    return result == ACRE_OK;
}

// Some stand where others do from now on.
static bool jump(bodies *world, test_random *random)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = random_below(random, 50); i < world->count && result == ACRE_OK; i += 50) {
        const body *const other = &world->list[random_below(random, world->count)];
        body *const one = &world->list[i];
        if (is_alive(one) && !one->is_rider && !other->is_rider) {
            memcpy(one->local.translation, other->local.translation, sizeof one->local.translation);
            result = acre_entity_set_local(world->scene, one->entity, &one->local);
        }
    }
    return result == ACRE_OK;
}

// Some go; of those that are gone, half come back.
static bool replace(bodies *world, test_random *random)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < world->count && result == ACRE_OK; i++) {
        body *const one = &world->list[i];
        if (is_alive(one) && random_below(random, 50) == 0) {
            result = acre_entity_destroy(world->scene, one->entity);
            one->entity = (acre_entity){0};
            if (i + 1 < world->count && one[1].is_rider) {
                one[1].entity = (acre_entity){0};
            }
        } else if (!is_alive(one) && (!one->is_rider || is_alive(one - 1)) &&
                   random_below(random, 2)) {
            result = create_entity(world, i);
        }
    }
    return result == ACRE_OK;
}

// Some are hidden, never culled, static, in other layers, or of another size from now on.
static bool relabel(bodies *world, test_random *random)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = random_below(random, 20); i < world->count && result == ACRE_OK; i += 20) {
        body *const one = &world->list[i];
        if (!is_alive(one)) {
            continue;
        }
        const uint32_t choice = random_below(random, 16);
        one->flags = choice == 0   ? ACRE_ENTITY_HIDDEN
                     : choice == 1 ? ACRE_ENTITY_NEVER_CULL
                     : choice < 8  ? ACRE_ENTITY_STATIC
                                   : 0;
        one->layers = random_below(random, 2) ? 0 : 1u << random_below(random, 4);
        for (int k = 0; k < 3; k++) {
            one->bounds.max[k] += random_float(random, 0, 0.1f);
        }
        result = acre_entity_set_flags(world->scene, one->entity, one->flags);
        if (result == ACRE_OK) {
            result = acre_entity_set_layers(world->scene, one->entity, one->layers);
        }
        if (result == ACRE_OK) {
            result = acre_entity_set_bounds(world->scene, one->entity, &one->bounds);
        }
    }
    return result == ACRE_OK;
}

bool bodies_advance(bodies *world, test_random *random)
{
    bool is_good = true;
    switch (random_below(random, 8)) {
    case 0:
    case 1:
        is_good = move(world, 10, 1.0f, random);
        break;
    case 2:
    case 3:
        is_good = move(world, 1, 2.0f, random);
        break;
    case 4:
        is_good = jump(world, random);
        break;
    case 5:
        is_good = replace(world, random);
        break;
    case 6:
        is_good = relabel(world, random);
        break;
    default:
        is_good = acre_culling_optimize(world->culling) == ACRE_OK;
        break;
    }
    return is_good && commit(world, random);
}
