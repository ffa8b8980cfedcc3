// SPDX-License-Identifier: MIT
// neighbors.c - a flock: every bird steers by all birds within six meters, found in one call.
//
// Birds keep apart, fly as their neighbors do, and toward them: Reynolds, "Flocks, Herds and
// Schools" (1987). A second call asks for the nearest bird of two towers.
#include <acre/quadtree_neighbors.h>

#include <math.h>
#include <stdio.h>

enum { BIRDS = 400, FRAMES = 200, ROOM = BIRDS * BIRDS };

typedef struct bird {
    float at[3], speed[3]; // meters, meters per frame
} bird;

static bird birds[BIRDS];
static acre_aabb boxes[BIRDS];
static acre_neighbor_row rows[BIRDS];
static uint32_t neighbors[ROOM]; // of all birds, row after row

// 0 .. 1, the same on every machine: a linear congruential generator.
static float random_unit(void)
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

static acre_aabb box_of(const bird *b)
{
    return (acre_aabb){{b->at[0] - 0.1f, b->at[1] - 0.1f, b->at[2] - 0.1f},
                       {b->at[0] + 0.1f, b->at[1] + 0.1f, b->at[2] + 0.1f}};
}

// Changes the speed of one bird by what its neighbors do.
static void steer(bird *self, const uint32_t *others, uint32_t count)
{
    for (int axis = 0; axis < 3; axis++) {
        float apart = 0.0f, speed = 0.0f, middle = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            const bird *const other = &birds[others[i]];
            const float gap = self->at[axis] - other->at[axis];
            apart += fabsf(gap) < 1.0f ? gap : 0.0f;
            speed += other->speed[axis] / (float)count;
            middle += other->at[axis] / (float)count;
        }
        const float match = count > 0 ? speed - self->speed[axis] : 0.0f;
        const float center = count > 0 ? middle - self->at[axis] : 0.0f;
        self->speed[axis] += 0.002f * apart + 0.1f * match + 0.001f * center;
    }
}

static acre_result fly(acre_quadtree *tree, size_t *pairs)
{
    const acre_neighbors_query query = {.count = BIRDS, .radius = 6.0f};
    acre_neighbor_lists lists = {.rows = rows, .items = neighbors, .capacity = ROOM};
    const acre_result result = acre_quadtree_neighbors(tree, &query, &lists);
    if (result != ACRE_OK) {
        return result;
    }
    *pairs = lists.total;
    for (uint32_t i = 0; i < BIRDS; i++) {
        steer(&birds[i], neighbors + rows[i].first, rows[i].count);
    }
    for (uint32_t i = 0; i < BIRDS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            birds[i].at[axis] += birds[i].speed[axis];
        }
        boxes[i] = box_of(&birds[i]);
    }
    return acre_quadtree_refresh_all(tree, boxes, BIRDS);
}

// How much the birds fly in one direction: 0 .. 1.
static float alignment(void)
{
    float sum[3] = {0.0f, 0.0f, 0.0f}, speeds = 0.0f;
    for (uint32_t i = 0; i < BIRDS; i++) {
        const float *const v = birds[i].speed;
        speeds += sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += v[axis];
        }
    }
    return sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / speeds;
}

// Points that are no items: each with a radius of its own.
static acre_result watch(const acre_quadtree *tree)
{
    const acre_sphere towers[] = {{{0, 10, 0}, INFINITY}, {{500, 10, 500}, 5}};
    const acre_neighbors_query query = {.count = 2, .spheres = towers, .nearest = 1};
    acre_neighbor_lists lists = {.rows = rows, .items = neighbors, .capacity = ROOM};
    const acre_result result = acre_quadtree_neighbors(tree, &query, &lists);
    printf("tower 0 sees %u bird, tower 1 sees %u\n", (unsigned)rows[0].count,
           (unsigned)rows[1].count);
    return result;
}

int main(void)
{
    const acre_quadtree_def def = {.half_size = 64};
    acre_quadtree *tree = NULL;
    size_t pairs = 0;
    acre_result result = acre_quadtree_create(&def, &tree);
    for (uint32_t i = 0; i < BIRDS && result == ACRE_OK; i++) {
        for (int axis = 0; axis < 3; axis++) {
            birds[i].at[axis] = 20.0f * random_unit();
            birds[i].speed[axis] = 0.2f * random_unit() - 0.1f;
        }
        boxes[i] = box_of(&birds[i]);
        result = acre_quadtree_insert(tree, i, &boxes[i]);
    }
    for (int frame = 0; frame <= FRAMES && result == ACRE_OK; frame++) {
        if (frame % 100 == 0) {
            printf("frame %3d: alignment %.1f\n", frame, (double)alignment());
        }
        result = fly(tree, &pairs);
    }
    if (result == ACRE_OK) {
        printf("every bird has others near it: %s\n", pairs > BIRDS ? "yes" : "no");
        result = watch(tree);
    }
    acre_quadtree_destroy(tree);
    return result == ACRE_OK ? 0 : 1;
}
