// SPDX-License-Identifier: MIT
// never_lost.c - asks for each entity in each view of many worlds whether it is found if, and only
// if, it is visible. Two answers are compared with the culler's, which share no code with its
// trees:
//     the loop    acre_frustum_test_aabb of the scene's world box, by the definition of "visible":
//                 the culler must find exactly these
//     the points  places in the entity, calculated in doubles from its transforms: where one lies
//                 inside the camera's volume by more than the rounding of floats, the culler must
//                 find the entity
// In every second world bodies are occluders, and perspective views have a horizon. What such a
// view does not find beside the loop must be hidden: a segment in doubles from the eye to each of
// its points enters a body that is an occluder and drawn. Worlds are of every kind of worlds.h,
// with moving, riding, hidden, appearing and destroyed entities; cameras of every kind of
// frustum_kinds.h; kernels and orders of tasks take turns.
//     never_lost DECISIONS [SEED [PLANTED]]
// DECISIONS: an entity in a view is one. It ends after as many, but not before small worlds of
// every kind have lived with every kernel. PLANTED: in one of so many views an entity is taken from
// what was found and another one added, to see that the comparisons notice. Exit status: 0 nothing
// was lost but what was planted, 1 something was, a planted fault was not noticed, or a call
// failed, 2 bad arguments.
#include "bodies.h"
#include "country_random.h"
#include "frustum_kinds.h"
#include "task_scheduler.h"

#include <acre/horizon.h>
#include <acre/visible_set.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A share of the reach, for rounding in transforms, boxes, planes and the test: some 30 roundings.
#define ROUNDING 0x1p-19

// Nearer to the eye nothing is an occluder.
#define NEAR_RADIUS 0.25

enum { FRAMES = 12, VIEWS_A_FRAME = 24, WORKERS = 4 };

typedef struct tally {
    uint64_t worlds, views, without_volume, decisions, found, proved;
    uint64_t lost_by_loop, extra_by_loop, lost_by_points;
    uint64_t planted_losses, planted_extras;
    uint64_t hidden; // behind occluders
} tally;

typedef struct life {
    bodies world;
    acre_visible_set *set;
    uint32_t *slots;
    bool *is_found; // by slot
    uint32_t planted_stride;
    acre_horizon *horizon; // NULL: no body is an occluder
    tally *sum;
} life;

// A plane of the camera's clip volume in doubles: inside where the sum is at least 0.
typedef struct clip_plane {
    double normal[3], offset;
    double size, offset_size; // of what was added to get them
} clip_plane;

// The planes of the rounded camera. A far plane that is too far to be kept is left out.
static int clip_planes(const rounded_camera *eye, const projection_kind *kind, clip_plane *planes)
{
    const acre_clip clip = eye->camera.clip;
    const bool has_two_signs = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE;
    const bool is_reversed = clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE;
    int count = 0;
    for (int side = 0; side < 6; side++) {
        const int row = side / 2;
        const double sign = side & 1 ? -1.0 : 1.0;
        const double of_w = row < 2 || has_two_signs || side & 1 ? 1.0 : 0.0;
        const bool is_far = row == 2 && (side & 1) != is_reversed;
        if (is_far && !is_bounded(kind)) {
            continue;
        }
        clip_plane *const plane = &planes[count++];
        *plane = (clip_plane){.offset_size = 0.0};
        for (int column = 0; column < 4; column++) {
            const double w = of_w * eye->matrix[4 * column + 3];
            const double other = sign * eye->matrix[4 * column + row];
            if (column < 3) {
                plane->normal[column] = w + other;
                plane->size += fabs(w) + fabs(other);
            } else {
                plane->offset = w + other;
                plane->offset_size = fabs(w) + fabs(other);
            }
        }
    }
    return count;
}

// Whether a point of the slot lies inside all planes by more than the rounding.
static bool is_proved(const bodies *world, uint32_t slot, const clip_plane *planes, int count)
{
    for (int i = 0; i < BODY_POINTS; i++) {
        bool is_inside = true;
        for (int k = 0; k < count && is_inside; k++) {
            const clip_plane *const plane = &planes[k];
            const double distance = plane->normal[0] * world->points[i][0][slot] +
                                    plane->normal[1] * world->points[i][1][slot] +
                                    plane->normal[2] * world->points[i][2][slot] + plane->offset;
            is_inside =
                distance >= ROUNDING * (plane->size * world->reach[slot] + plane->offset_size);
        }
        if (is_inside) {
            return true;
        }
    }
    return false;
}

// A camera near one of the bodies: turned at random, straight down, or level, as players look.
static test_view draw_view(const bodies *world, test_random *random)
{
    const projection_kind *const kind =
        &projection_kinds[random_below(random, PROJECTION_KIND_COUNT)];
    test_view view = random_view(random, kind, all_clips[random_below(random, 3)], 0.0);
    const body *const near = &world->list[random_below(random, world->count)];
    for (int k = 0; k < 3; k++) {
        const bool rides = near->is_rider;
        view.eye[k] = (double)(rides ? near[-1].local : near->local).translation[k] +
                      (double)random_float(random, -60, 60) * (k == 1 ? 0.5 : 1.0);
    }
    if (random_below(random, 2)) {
        uint64_t state = random_bits(random);
        float heading[2];
        draw_direction(&state, heading);
        const double c = (double)heading[0], s = (double)heading[1];
        const double level[3][3] = {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
        const double down[3][3] = {{c, 0, -s}, {-s, 0, -c}, {0, 1, 0}};
        memcpy(view.axes, random_below(random, 2) ? level : down, sizeof view.axes);
    }
    view.size = random_below(random, 4) ? 1.0 : (double)random_float(random, 0.05f, 20);
    return view;
}

static bool fail(const char *what)
{
    printf("FAIL %s\n", what);
    return false;
}

// Finds the view's slots in two ways, which must be the same sets. Sets is_found.
static bool find(life *one, const acre_view *view)
{
    size_t total = 0;
    acre_horizon_stats of_set, of_query;
    acre_result result = acre_culling_find_visible(one->world.culling, view, one->set);
    acre_horizon_get_stats(view->horizon, &of_set);
    if (result != ACRE_OK || acre_culling_query_view(one->world.culling, view, one->slots,
                                                     one->world.slot_room, &total) != ACRE_OK) {
        return fail("a query answered an error");
    }
    memset(one->is_found, 0, one->world.slot_room);
    for (size_t i = 0; i < total; i++) {
        if (one->slots[i] >= one->world.slot_room || one->is_found[one->slots[i]]) {
            return fail("a query found a slot twice");
        }
        one->is_found[one->slots[i]] = true;
    }
    one->sum->found += total;
    acre_horizon_get_stats(view->horizon, &of_query);
    if (of_set.gave_up != of_query.gave_up) {
        return true; // the horizon was off for one of them
    }
    const acre_visible visible = acre_visible_set_get(one->set);
    for (size_t i = 0; i < visible.count; i++) {
        if (!one->is_found[visible.slots[i]]) {
            return fail("a set holds what the query did not find");
        }
    }
    return visible.count == total || fail("a query found what the set does not hold");
}

// By what the program knows of its bodies.
static bool is_shown(const bodies *world, const acre_view *view, uint32_t slot,
                     const clip_plane *planes, int count)
{
    return (!view->layers || world->layers[slot] & view->layers) &&
           is_proved(world, slot, planes, count);
}

// By the definition of "visible", of the rows of the last commit.
static bool is_visible(const acre_scene_view *rows, const acre_view *view, uint32_t slot)
{
    const acre_aabb *const box = slot < rows->slot_count ? &rows->world_bounds[slot] : NULL;
    if (!box || acre_aabb_is_empty(box) || rows->flags[slot] & ACRE_ENTITY_HIDDEN ||
        (view->layers && !(rows->layers[slot] & view->layers))) {
        return false;
    }
    return rows->flags[slot] & ACRE_ENTITY_NEVER_CULL ||
           acre_frustum_test_aabb(&view->frustum, box);
}

// ---- behind occluders ----

static bool is_occluder(uint32_t number)
{
    return number % 3 == 0;
}

// A body is as solid as its box.
static bool give_occluders(const life *one)
{
    for (uint32_t i = 0; i < one->world.count && one->horizon; i += 3) {
        const body *const owner = &one->world.list[i];
        acre_occluder occluder;
        const bool is_solid = acre_occluder_from_box(&occluder, &owner->bounds) == ACRE_OK;
        occluder.flags = i & 1 ? ACRE_OCCLUDER_TWO_SIDED : 0;
        if (owner->entity.index1 && acre_culling_set_occluders(one->world.culling, owner->entity,
                                                               &occluder, is_solid) != ACRE_OK) {
            return fail("an occluder was refused");
        }
    }
    return true;
}

// Whether the segment from the eye to a place enters a body's box from outside, and not too near.
// The box is larger by what floats may be off.
static bool stops_segment(const life *one, uint32_t number, const double *eye, const double *place)
{
    const body *const owner = &one->world.list[number];
    const double reach = one->world.reach[owner->entity.index1 - 1];
    const double hair = 8 * ROUNDING * (reach + fabs(eye[0]) + fabs(eye[1]) + fabs(eye[2]));
    double from[3], to[3], begin = 0, end = 1, square = 0;
    memcpy(from, eye, sizeof from);
    memcpy(to, place, sizeof to);
    bodies_into_box(&one->world, number, from);
    bodies_into_box(&one->world, number, to);
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)owner->bounds.min[axis] - hair;
        const double high = (double)owner->bounds.max[axis] + hair;
        const double step = to[axis] - from[axis];
        square += (place[axis] - eye[axis]) * (place[axis] - eye[axis]);
        if (fabs(step) > 1e-12) {
            begin = fmax(begin, fmin((low - from[axis]) / step, (high - from[axis]) / step));
            end = fmin(end, fmax((low - from[axis]) / step, (high - from[axis]) / step));
        } else if (from[axis] < low || from[axis] > high) {
            return false;
        }
    }
    const double near = NEAR_RADIUS / sqrt(square);
    return begin <= end && (begin >= near || ((number & 1) && end < 1 && end >= near) ||
                            hair > 0.5 * NEAR_RADIUS); // far away floats cannot tell
}

// Whether occluders of others that are drawn stand before each point of a slot.
static bool is_behind(const life *one, const acre_scene_view *rows, const acre_view *view,
                      uint32_t slot)
{
    const double eye[3] = {(double)view->eye[0], (double)view->eye[1], (double)view->eye[2]};
    for (int i = 0; i < BODY_POINTS; i++) {
        double point[3];
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = one->world.points[i][axis][slot];
        }
        bool is_stopped = false;
        for (uint32_t k = 0; k < one->world.count && !is_stopped; k++) {
            const acre_entity owner = one->world.list[k].entity;
            is_stopped = is_occluder(k) && owner.index1 && owner.index1 != slot + 1 &&
                         is_visible(rows, view, owner.index1 - 1) &&
                         stops_segment(one, k, eye, point);
        }
        if (!is_stopped) {
            return false;
        }
    }
    return true;
}

// Takes an entity away that a point shows, and adds a slot that was not found.
static void plant(life *one, const acre_view *view, const clip_plane *planes, int count)
{
    uint32_t shown = 0, other = 0;
    while (shown < one->world.slot_room &&
           !(one->is_found[shown] && is_shown(&one->world, view, shown, planes, count))) {
        shown++;
    }
    while (other < one->world.slot_room && one->is_found[other]) {
        other++;
    }
    if (shown < one->world.slot_room && other < one->world.slot_room) {
        one->is_found[shown] = false;
        one->is_found[other] = true;
        one->sum->planted_losses++;
        one->sum->planted_extras++;
    }
}

// Compares what was found with the loop and with the points.
static void compare(life *one, const acre_view *view, const clip_plane *planes, int count)
{
    const acre_scene_view rows = acre_scene_get_view(one->world.scene);
    tally *const sum = one->sum;
    sum->decisions += rows.entity_count;
    for (uint32_t slot = 0; slot < one->world.slot_room; slot++) {
        const bool is_found = one->is_found[slot];
        bool should_be = is_visible(&rows, view, slot);
        bool must_be = is_shown(&one->world, view, slot, planes, count);
        if (view->horizon && should_be && !is_found &&
            !(rows.flags[slot] & ACRE_ENTITY_NEVER_CULL) && is_behind(one, &rows, view, slot)) {
            should_be = must_be = false;
            sum->hidden++;
        }
        sum->proved += must_be;
        sum->lost_by_loop += should_be && !is_found;
        sum->extra_by_loop += is_found && !should_be;
        sum->lost_by_points += must_be && !is_found;
    }
}

static bool look(life *one, test_random *random)
{
    const test_view drawn = draw_view(&one->world, random);
    rounded_camera eye = round_camera(&drawn);
    eye.camera.layers = random_below(random, 4) ? 0 : 1u + random_below(random, 15);
    acre_view view;
    // Beside a stray, 10^17 m away, a volume may vanish in the rounding of its planes. Its view
    // must see everything.
    one->sum->without_volume += acre_view_from_camera(&view, &eye.camera) != ACRE_OK;
    clip_plane planes[6];
    const int count = clip_planes(&eye, drawn.kind, planes);
    const bool has_eye = !(view.flags & ACRE_VIEW_IGNORE_RULES) && eye.camera.projection[11] != 0;
    if (has_eye && one->horizon && random_below(random, 4)) {
        view.horizon = one->horizon;
        if (acre_horizon_begin(one->horizon, view.eye, NULL, (float)NEAR_RADIUS) != ACRE_OK) {
            return fail("a horizon was refused");
        }
    }
    if (!find(one, &view)) {
        return false;
    }
    one->sum->views++;
    if (one->planted_stride && one->sum->views % one->planted_stride == 0) {
        plant(one, &view, planes, count);
    }
    compare(one, &view, planes, count);
    return true;
}

// One world from its making to its end.
static bool live(life *one, const country *land, acre_kernel kernel, test_random *random)
{
    const task_order order = (task_order)random_below(random, TASK_ORDER_COUNT_);
    task_scheduler *const workers = task_scheduler_create(WORKERS, order, random_bits(random));
    if (!workers) {
        return fail("no workers");
    }
    acre_tasks tasks = task_scheduler_tasks(workers);
    const bool is_serial = random_below(random, 2);
    const bool has_memory =
        bodies_create(&one->world, land, kernel, is_serial ? NULL : &tasks, random);
    one->slots = malloc(one->world.slot_room * sizeof *one->slots);
    one->is_found = malloc(one->world.slot_room);
    bool is_good = has_memory && one->slots && one->is_found &&
                   acre_visible_set_create(NULL, &one->set) == ACRE_OK;
    const acre_horizon_def def = {.kernel = kernel};
    const bool has_horizon = !one->planted_stride && random_below(random, 2);
    is_good = is_good && (!has_horizon || acre_horizon_create(&def, &one->horizon) == ACRE_OK);
    is_good = is_good || fail("a world was not made");
    for (uint32_t frame = 0; frame < FRAMES && is_good; frame++) {
        is_good = bodies_advance(&one->world, random) || fail("an edit was refused");
        is_good = is_good && give_occluders(one);
        for (uint32_t i = 0; i < VIEWS_A_FRAME && is_good; i++) {
            is_good = look(one, random);
        }
        is_good = is_good && (acre_culling_validate(one->world.culling, NULL, 0) == ACRE_OK ||
                              fail("the culler is not valid"));
    }
    acre_visible_set_destroy(one->set);
    acre_horizon_destroy(one->horizon);
    free(one->slots);
    free(one->is_found);
    bodies_free(&one->world);
    task_scheduler_destroy(workers);
    *one = (life){.planted_stride = one->planted_stride, .sum = one->sum};
    return is_good;
}

// The kernels of this processor. @return how many.
static uint32_t list_kernels(acre_kernel *kernels)
{
    uint32_t count = 0;
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        acre_quadtree *tree = NULL;
        const acre_quadtree_def def = {.kernel = (acre_kernel)kernel};
        if (acre_quadtree_create(&def, &tree) == ACRE_OK) {
            kernels[count++] = (acre_kernel)kernel;
        }
        acre_quadtree_destroy(tree);
    }
    return count;
}

// Worlds of every kind in turn; small ones until each kind has met each kernel.
static bool run(uint64_t decisions, life *one, test_random *random)
{
    acre_kernel kernels[ACRE_KERNEL_COUNT_];
    const uint32_t kernel_count = list_kernels(kernels), first = WORLD_KIND_COUNT_ * kernel_count;
    for (uint32_t number = 0; number < first || one->sum->decisions < decisions; number++) {
        const uint32_t round = number / WORLD_KIND_COUNT_;
        const acre_kernel kernel = kernels[(number + round) % kernel_count];
        const world_kind kind = (world_kind)(number % WORLD_KIND_COUNT_);
        const uint32_t least = number < first ? 200 : 40u << random_below(random, 9);
        country land;
        if (!world_create(&land, kind, least + random_below(random, least), 1)) {
            return fail("memory");
        }
        const bool is_good = live(one, &land, kernel, random);
        country_free(&land);
        if (!is_good) {
            printf("     %s, kernel %s\n", world_name(kind), acre_kernel_name(kernel));
            return false;
        }
        one->sum->worlds++;
    }
    printf("%llu worlds of %d kinds, %u kernels\n", (unsigned long long)one->sum->worlds,
           WORLD_KIND_COUNT_, (unsigned)kernel_count);
    return true;
}

// @return whether text is a number.
static bool read_number(const char *text, uint64_t *out)
{
    char *end = NULL;
    *out = strtoull(text, &end, 10);
    return end != text && *end == '\0' && text[0] != '-';
}

int main(int argc, char **argv)
{
    uint64_t numbers[3] = {0, 1, 0}; // decisions, seed, planted
    bool is_good = argc >= 2 && argc <= 4;
    for (int i = 1; i < argc && is_good; i++) {
        is_good = read_number(argv[i], &numbers[i - 1]);
    }
    if (!is_good || numbers[0] == 0 || numbers[2] > UINT32_MAX) {
        fprintf(stderr, "usage: never_lost DECISIONS [SEED [PLANTED]]\n");
        return 2;
    }
    tally sum = {0};
    life one = {.planted_stride = (uint32_t)numbers[2], .sum = &sum};
    test_random random = {numbers[1]};
    is_good = run(numbers[0], &one, &random);
    printf(
        "seed %llu: %llu decisions in %llu views (%llu without a volume), %llu found, %llu proved "
        "by points\n",
        (unsigned long long)numbers[1], (unsigned long long)sum.decisions,
        (unsigned long long)sum.views, (unsigned long long)sum.without_volume,
        (unsigned long long)sum.found, (unsigned long long)sum.proved);
    printf("lost by the loop %llu, by the points %llu; found too much %llu; planted %llu and %llu; "
           "hidden behind others %llu\n",
           (unsigned long long)sum.lost_by_loop, (unsigned long long)sum.lost_by_points,
           (unsigned long long)sum.extra_by_loop, (unsigned long long)sum.planted_losses,
           (unsigned long long)sum.planted_extras, (unsigned long long)sum.hidden);
    is_good = is_good && sum.lost_by_loop == sum.planted_losses &&
              sum.lost_by_points == sum.planted_losses && sum.extra_by_loop == sum.planted_extras &&
              (sum.planted_losses > 0) == (numbers[2] > 0) &&
              (sum.hidden > 0) == (numbers[2] == 0) && sum.without_volume <= sum.views / 10000;
    return is_good ? 0 : 1;
}
