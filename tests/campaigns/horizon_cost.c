// SPDX-License-Identifier: MIT
// horizon_cost.c - what a horizon costs in a generated town, with each kernel: begin, adding the
// nearest houses, asking about all of them. Least and median of many rounds, over eyes in streets.
//     horizon_cost
#include <acre/horizon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 50, HOUSES = SIDE * SIDE, NEAREST = 90, EYES = 8, ROUNDS = 41 };

typedef struct town {
    acre_aabb boxes[HOUSES];
    acre_occluder occluders[HOUSES];
} town;

// What the parts of one view take, in microseconds.
typedef struct cost {
    double begin, add, ask;
} cost;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static float draw(uint32_t *state, float low, float high)
{
    *state = *state * 1664525u + 1013904223u;
    return low + (high - low) * (float)(*state >> 8) * 0x1p-24f;
}

// Blocks of houses, turned a little, with streets of 14 m between every second row.
static void build_town(town *out)
{
    uint32_t state = 7;
    for (int i = 0; i < HOUSES; i++) {
        const float x = 12 * (float)(i % SIDE),
                    z = 14 * (float)(i / SIDE) + 14 * (float)(i / SIDE / 2);
        const float wide = draw(&state, 4.5f, 5.9f), deep = draw(&state, 4, 6);
        const float top = draw(&state, 5, 14), turn = draw(&state, -0.03f, 0.03f);
        const float reach = wide + deep * 0.03f, depth = deep + wide * 0.03f;
        out->boxes[i] = (acre_aabb){{x - reach, 0, z - depth}, {x + reach, top, z + depth}};
        out->occluders[i] = (acre_occluder){.point_count = 4, .bottom = -INFINITY, .top = top};
        for (int k = 0; k < 4; k++) {
            const float a = k == 1 || k == 2 ? wide : -wide, b = k < 2 ? -deep : deep;
            out->occluders[i].points[k][0] = x + a - turn * b;
            out->occluders[i].points[k][1] = z + b + turn * a;
        }
    }
}

typedef struct near_house {
    float distance;
    int house;
} near_house;

static int compare_distances(const void *a, const void *b)
{
    const float x = ((const near_house *)a)->distance, y = ((const near_house *)b)->distance;
    return (x > y) - (x < y);
}

static void list_nearest(const town *from, const float *eye, const acre_occluder **out)
{
    static near_house houses[HOUSES];
    for (int i = 0; i < HOUSES; i++) {
        const acre_aabb *const box = &from->boxes[i];
        houses[i].distance = hypotf(0.5f * (box->min[0] + box->max[0]) - eye[0],
                                    0.5f * (box->min[2] + box->max[2]) - eye[2]);
        houses[i].house = i;
    }
    qsort(houses, HOUSES, sizeof *houses, compare_distances);
    for (int i = 0; i < NEAREST; i++) {
        out[i] = &from->occluders[houses[i].house];
    }
}

static size_t look(acre_horizon *horizon, const town *at, const float *eye,
                   const acre_occluder *const *nearest, cost *out)
{
    static uint32_t visible[HOUSES];
    const double start = now();
    if (acre_horizon_begin(horizon, eye, NULL, 0.2f) != ACRE_OK) {
        exit(1);
    }
    const double begun = now();
    for (int i = 0; i < NEAREST; i++) {
        (void)acre_horizon_add(horizon, nearest[i]);
    }
    const double added = now();
    const size_t seen = acre_horizon_test(horizon, at->boxes, HOUSES, visible);
    const double asked = now();
    *out = (cost){begun - start, added - begun, asked - added};
    return seen;
}

static int compare_totals(const void *a, const void *b)
{
    const cost *const x = a, *const y = b;
    const double s = x->begin + x->add + x->ask, t = y->begin + y->add + y->ask;
    return (s > t) - (s < t);
}

static void measure(acre_kernel kernel, const town *at)
{
    const acre_horizon_def def = {.kernel = kernel};
    acre_horizon *horizon;
    if (acre_horizon_create(&def, &horizon) != ACRE_OK) {
        return; // this processor lacks it
    }
    cost least = {0}, median = {0};
    size_t seen = 0;
    for (int e = 0; e < EYES; e++) {
        const float eye[3] = {130 + 40 * (float)e, 1.7f, 14 * 13 + 14 * 6 + 14 + (float)e - 4};
        const acre_occluder *nearest[NEAREST];
        list_nearest(at, eye, nearest);
        cost rounds[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            seen += look(horizon, at, eye, nearest, &rounds[round]);
        }
        qsort(rounds, ROUNDS, sizeof *rounds, compare_totals);
        const cost *const best = &rounds[0], *const middle = &rounds[ROUNDS / 2];
        least = (cost){least.begin + best->begin, least.add + best->add, least.ask + best->ask};
        median = (cost){median.begin + middle->begin, median.add + middle->add,
                        median.ask + middle->ask};
    }
    const double total = (least.begin + least.add + least.ask) / EYES;
    printf("%-7s begin %.2f us, %d occluders %.1f us, %d boxes %.1f us: %.1f us least, %.1f us "
           "median; "
           "%.1f boxes seen\n",
           acre_kernel_name(kernel), least.begin / EYES, NEAREST, least.add / EYES, HOUSES,
           least.ask / EYES, total, (median.begin + median.add + median.ask) / EYES,
           (double)seen / (EYES * ROUNDS));
    acre_horizon_destroy(horizon);
}

int main(void)
{
    static town world;
    build_town(&world);
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        measure((acre_kernel)kernel, &world);
    }
    return 0;
}
