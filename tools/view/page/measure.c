// SPDX-License-Identifier: MIT
// measure.c - boxes on the ground, a scan over them and a tree, for a page to measure.
//
// The page's script has the clock and its own scan; it reads the boxes and the planes from here and
// compares what everybody finds. One world at a time.
#include "bench_contender.h"
#include "random_numbers.h"

#include <acre/quadtree.h>

#include <emscripten.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOR_PAGE EMSCRIPTEN_KEEPALIVE

#define AREA 100.0f  // square meters of ground for each box
#define REACH 400.0f // meters that a camera sees
#define STEP (1.0f / 60.0f)

enum { VIEWS = 16, MOVING_STEP = 10 }; // every tenth box moves

typedef struct world_box {
    float x, z, half, height, vx, vz;
} world_box;

static struct {
    uint32_t count;
    float half_size;
    world_box *movers;
    acre_aabb *boxes, *moved; // moved: of those that move, in their order
    uint32_t *all, *moving, *found_by_tree, *found_by_scan;
    uint32_t moving_count;
    acre_frustum views[VIEWS];
    acre_quadtree *tree;
    const bench_contender *loop; // NULL: there is no SIMD
    void *loop_state;
} world;

static void set_box(uint32_t i)
{
    const world_box *const m = &world.movers[i];
    world.boxes[i] = (acre_aabb){{m->x - m->half, 0.0f, m->z - m->half},
                                 {m->x + m->half, m->height, m->z + m->half}};
}

// At eye height, looking level; the lens is 60 degrees wide and 36 high.
static acre_frustum make_view(float x, float z, float yaw)
{
    const float eye[3] = {x, 2.0f, z};
    const float way[3] = {sinf(yaw), 0.0f, -cosf(yaw)}, right[3] = {cosf(yaw), 0.0f, sinf(yaw)};
    const float wide[2] = {0.5f, 0.8660254f}, high[2] = {0.309017f, 0.9510565f};
    acre_frustum view = {.plane_count = 6};
    for (int k = 0; k < 3; k++) {
        const float up = k == 1 ? 1.0f : 0.0f;
        view.planes[0][k] = wide[0] * way[k] + wide[1] * right[k];
        view.planes[1][k] = wide[0] * way[k] - wide[1] * right[k];
        view.planes[2][k] = high[0] * way[k] + high[1] * up;
        view.planes[3][k] = high[0] * way[k] - high[1] * up;
        view.planes[4][k] = way[k];
        view.planes[5][k] = -way[k];
    }
    for (int i = 0; i < 6; i++) {
        float *const plane = view.planes[i];
        plane[3] = -(plane[0] * eye[0] + plane[1] * eye[1] + plane[2] * eye[2]);
    }
    view.planes[4][3] -= 0.2f; // near
    view.planes[5][3] += REACH;
    return view;
}

static void fill_world(void)
{
    uint64_t random = 1;
    for (uint32_t i = 0; i < world.count; i++) {
        const float size = random_next_unit(&random);
        world.movers[i] =
            (world_box){.x = world.half_size * (2.0f * random_next_unit(&random) - 1.0f),
                        .z = world.half_size * (2.0f * random_next_unit(&random) - 1.0f),
                        .half = 0.5f + 2.5f * size * size,
                        .height = 1.0f + 9.0f * random_next_unit(&random),
                        .vx = 20.0f * random_next_unit(&random) - 10.0f,
                        .vz = 20.0f * random_next_unit(&random) - 10.0f};
        world.all[i] = i;
        if (i % MOVING_STEP == 0) {
            world.moving[world.moving_count++] = i;
        }
        set_box(i);
    }
    for (int i = 0; i < VIEWS; i++) {
        world.views[i] =
            make_view(0.7f * world.half_size * (2.0f * random_next_unit(&random) - 1.0f),
                      0.7f * world.half_size * (2.0f * random_next_unit(&random) - 1.0f),
                      6.2831853f * random_next_unit(&random));
    }
}

FOR_PAGE void measure_free(void)
{
    acre_quadtree_destroy(world.tree);
    if (world.loop && world.loop_state) {
        world.loop->destroy(world.loop_state);
    }
    free(world.movers);
    free(world.boxes);
    free(world.moved);
    free(world.all);
    free(world.moving);
    free(world.found_by_tree);
    free(world.found_by_scan);
    memset(&world, 0, sizeof world);
}

static bool make_tree(void)
{
    const acre_quadtree_def def = {.half_size = world.half_size};
    return acre_quadtree_create(&def, &world.tree) == ACRE_OK &&
           acre_quadtree_insert_many(world.tree, world.all, world.boxes, world.count) == ACRE_OK &&
           acre_quadtree_optimize(world.tree) == ACRE_OK;
}

// Returns whether there was memory for all. The world before is gone.
FOR_PAGE bool measure_make(unsigned count)
{
    measure_free();
    world.count = count;
    world.half_size = 0.5f * sqrtf(AREA * (float)count);
    const size_t room = (size_t)count + CONTENDER_SLACK;
    world.movers = calloc(room, sizeof *world.movers);
    world.boxes = calloc(room, sizeof *world.boxes);
    world.moved = calloc(room, sizeof *world.moved);
    world.all = calloc(room, sizeof *world.all);
    world.moving = calloc(room, sizeof *world.moving);
    world.found_by_tree = calloc(room, sizeof *world.found_by_tree);
    world.found_by_scan = calloc(room, sizeof *world.found_by_scan);
    if (!world.movers || !world.boxes || !world.moved || !world.all || !world.moving ||
        !world.found_by_tree || !world.found_by_scan) {
        return false;
    }
    fill_world();
    world.loop = bench_simd_loop(ACRE_KERNEL_DEFAULT);
    if (world.loop) {
        const contender_world def = {.count = count, .half_size = world.half_size};
        world.loop_state = world.loop->create(&def);
        if (!world.loop_state ||
            !world.loop->insert(world.loop_state, world.all, count, world.boxes)) {
            return false;
        }
    }
    return make_tree();
}

// Six floats for each box: min x y z, max x y z.
FOR_PAGE const float *measure_boxes(void)
{
    return world.boxes[0].min;
}

// Six planes of four floats for each view.
FOR_PAGE const float *measure_views(unsigned view)
{
    return world.views[view % VIEWS].planes[0];
}

// Every tenth box drives on for a sixtieth of a second and turns at the ground's edge.
FOR_PAGE void measure_move(void)
{
    for (uint32_t i = 0; i < world.count; i += MOVING_STEP) {
        world_box *const m = &world.movers[i];
        m->x += STEP * m->vx;
        m->z += STEP * m->vz;
        m->vx = fabsf(m->x) > world.half_size ? -copysignf(m->vx, m->x) : m->vx;
        m->vz = fabsf(m->z) > world.half_size ? -copysignf(m->vz, m->z) : m->vz;
        set_box(i);
        world.moved[i / MOVING_STEP] = world.boxes[i];
    }
}

// Brings a structure up to date after that. @param is_tree 0: the scan's columns.
FOR_PAGE bool measure_refresh(bool is_tree)
{
    const uint32_t count = world.moving_count;
    if (is_tree) {
        return acre_quadtree_refresh_many(world.tree, world.moving, world.moved, count) ==
                   ACRE_OK &&
               acre_quadtree_maintain(world.tree) == ACRE_OK;
    }
    return world.loop &&
           world.loop->refresh(world.loop_state, world.moving, count, world.boxes, world.count);
}

// Queries from the views one after the other. Returns how many the last one found.
FOR_PAGE unsigned measure_tree(unsigned first_view, unsigned repeats)
{
    size_t count = 0;
    for (unsigned i = 0; i < repeats; i++) {
        count = acre_quadtree_query_frustum(world.tree, &world.views[(first_view + i) % VIEWS],
                                            world.found_by_tree, world.count);
    }
    return (unsigned)count;
}

// The same by a SIMD scan of all boxes; UINT_MAX where there is no SIMD.
FOR_PAGE unsigned measure_scan(unsigned first_view, unsigned repeats)
{
    size_t count = 0;
    for (unsigned i = 0; i < repeats && world.loop; i++) {
        const contender_query query = {.frustum = &world.views[(first_view + i) % VIEWS]};
        count = world.loop->query(world.loop_state, &query, world.found_by_scan);
    }
    return world.loop ? (unsigned)count : ~0u;
}

// What the last query of the tree (0) or of the scan (1) found.
FOR_PAGE const uint32_t *measure_found(bool is_scan)
{
    return is_scan ? world.found_by_scan : world.found_by_tree;
}
