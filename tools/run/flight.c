// SPDX-License-Identifier: MIT
// flight.c - plans a closed path along real streets and flies it at an even pace.
//
// Plan: in each quarter of the world the longest straight run of streets becomes a pass. The
// passes, in the order of their angle around the middle, are the corners of a closed cubic Hermite
// curve over chord lengths; heights take the slopes of Fritsch and Carlson (1980), so that the
// curve never dips below its corners.
#include "flight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUARTERS 4
#define PASS_POINTS 14
#define PASS_LENGTH 700.0f // meters at most; the middle of longer runs
#define RING_POINTS 12     // without streets
#define EYE_HEIGHT 1.7f    // meters above the street
#define ABOVE_ROOFS 25.0f  // meters
#define STRAIGHT 0.995f    // cosine between edges that count as one run: 5.7 degrees
#define STEPS 32           // entries of `lengths` per corner of the path
#define MAX_STARTS 20000   // edges tried as the start of a run; a larger town is sampled
#define TURN_RADIUS 120.0f // meters, between passes
#define LOOK_AHEAD 45.0f   // meters along the path, in a world of usual size

typedef struct run_of_streets {
    uint32_t *edges;
    uint32_t count;
    float length;
    float middle[2]; // between its ends
} run_of_streets;

typedef struct planner {
    const street_graph *streets;
    uint32_t *stamps; // by node: the walk that passed it last
    uint32_t stamp;
    float center[2], extent[2]; // of the world, x and z, meters
} planner;

// The outgoing edge that goes straight on to a place this walk has not seen.
static uint32_t straight_on(const planner *plan, uint32_t edge)
{
    const street_graph *const streets = plan->streets;
    const street_edge *const from = &streets->edges[edge];
    const street_node *const node = &streets->nodes[from->to];
    uint32_t best = UINT32_MAX;
    float best_cosine = STRAIGHT;
    for (uint32_t i = 0; i < node->count; i++) {
        const uint32_t next = streets->outgoing[node->first + i];
        const street_edge *const to = &streets->edges[next];
        const float cosine =
            from->direction[0] * to->direction[0] + from->direction[1] * to->direction[1];
        if (cosine > best_cosine && plan->stamps[to->to] != plan->stamp) {
            best = next;
            best_cosine = cosine;
        }
    }
    return best;
}

// Walks straight on from an edge; fills run->edges where it is not NULL.
static void walk_run(planner *plan, uint32_t start, run_of_streets *run)
{
    const street_graph *const streets = plan->streets;
    plan->stamp++;
    run->count = 0;
    run->length = 0.0f;
    plan->stamps[streets->edges[start].from] = plan->stamp;
    uint32_t last = start;
    for (uint32_t edge = start; edge != UINT32_MAX; edge = straight_on(plan, edge)) {
        if (run->edges) {
            run->edges[run->count] = edge;
        }
        run->count++;
        run->length += streets->edges[edge].length;
        plan->stamps[streets->edges[edge].to] = plan->stamp;
        last = edge;
    }
    const float *const a = streets->nodes[streets->edges[start].from].position;
    const float *const b = streets->nodes[streets->edges[last].to].position;
    run->middle[0] = 0.5f * (a[0] + b[0]);
    run->middle[1] = 0.5f * (a[2] + b[2]);
}

// Whether the run goes round the middle of the world counter-clockwise, seen from above.
static bool goes_round(const planner *plan, uint32_t start, const run_of_streets *run)
{
    const float *const direction = plan->streets->edges[start].direction;
    const float x = run->middle[0] - plan->center[0], z = run->middle[1] - plan->center[1];
    return x * direction[1] - z * direction[0] <= 0.0f;
}

static int quarter_of(const planner *plan, const float *middle)
{
    const bool is_east = middle[0] >= plan->center[0], is_south = middle[1] >= plan->center[1];
    // Counter-clockwise from above: north is -z, so north-east, north-west, south-west, south-east.
    return is_south ? (is_east ? 3 : 2) : (is_east ? 0 : 1);
}

// How well a run serves as the pass of a quarter: long, and near the quarter's middle.
static float run_score(const planner *plan, int quarter, const run_of_streets *run)
{
    const float x =
        plan->center[0] + (quarter == 0 || quarter == 3 ? 0.22f : -0.22f) * plan->extent[0];
    const float z = plan->center[1] + (quarter >= 2 ? 0.22f : -0.22f) * plan->extent[1];
    return fminf(run->length, PASS_LENGTH) - hypotf(run->middle[0] - x, run->middle[1] - z);
}

// The start of the best run of each quarter, UINT32_MAX where there is none.
static void find_runs(planner *plan, uint32_t *starts)
{
    float best[QUARTERS];
    for (int i = 0; i < QUARTERS; i++) {
        starts[i] = UINT32_MAX;
        best[i] = -INFINITY;
    }
    const uint32_t stride = 1 + plan->streets->edge_count / MAX_STARTS;
    for (uint32_t edge = 0; edge < plan->streets->edge_count; edge += stride) {
        run_of_streets run = {0};
        walk_run(plan, edge, &run);
        const int quarter = quarter_of(plan, run.middle);
        const float score = run_score(plan, quarter, &run);
        if (score > best[quarter] && goes_round(plan, edge, &run)) {
            best[quarter] = score;
            starts[quarter] = edge;
        }
    }
}

// The point of a run `along` meters from its start.
static void run_point(const street_graph *streets, const run_of_streets *run, float along,
                      float *out)
{
    uint32_t i = 0;
    while (i + 1 < run->count && along > streets->edges[run->edges[i]].length) {
        along -= streets->edges[run->edges[i++]].length;
    }
    const street_edge *const edge = &streets->edges[run->edges[i]];
    const float *const a = streets->nodes[edge->from].position;
    const float *const b = streets->nodes[edge->to].position;
    const float t = fmaxf(0.0f, fminf(along / edge->length, 1.0f));
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] + t * (b[k] - a[k]);
    }
}

static void make_pass(const planner *plan, const run_of_streets *run, float cruise,
                      float points[PASS_POINTS][3])
{
    const float length = fminf(run->length, PASS_LENGTH);
    const float start = 0.5f * (run->length - length);
    for (int i = 1; i < PASS_POINTS - 1; i++) {
        const float t = (float)(i - 1) / (float)(PASS_POINTS - 3);
        run_point(plan->streets, run, start + t * length, points[i]);
        const float eye = points[i][1] + EYE_HEIGHT;
        // The outer quarters climb; the square makes them leave the street gently.
        const float climb = fmaxf(0.0f, 4.0f * fabsf(t - 0.5f) - 1.0f);
        points[i][1] = eye + fmaxf(0.0f, cruise - eye) * climb * climb;
    }
    // Straight on at either end, so that the path does not turn before it is above the roofs.
    for (int k = 0; k < 3; k++) {
        const int last = PASS_POINTS - 1;
        const float in = k == 1 ? 0.0f : points[1][k] - points[2][k];
        const float out = k == 1 ? 0.0f : points[last - 1][k] - points[last - 2][k];
        points[0][k] = points[1][k] + in;
        points[last][k] = points[last - 1][k] + out;
    }
}

// Where a pass leaves away from the next one, or enters from behind: a quarter turn beside `at`,
// beyond it along the direction (x, z), on the side of `other`.
static void add_turn(flight *path, const float *at, const float *direction, const float *other)
{
    const float x = other[0] - at[0], z = other[2] - at[2];
    const float length = fmaxf(hypotf(direction[0], direction[1]), 1e-3f);
    const float dx = direction[0] / length, dz = direction[1] / length;
    if (x * dx + z * dz >= 0.0f) {
        return;
    }
    const float side = x * -dz + z * dx >= 0.0f ? 1.0f : -1.0f;
    float *const point = path->points[path->point_count++];
    point[0] = at[0] + TURN_RADIUS * (dx - side * dz);
    point[1] = at[1];
    point[2] = at[2] + TURN_RADIUS * (dz + side * dx);
}

static void join_passes(flight *path, float passes[QUARTERS][PASS_POINTS][3], int count)
{
    for (int i = 0; i < count; i++) {
        memcpy(path->points + path->point_count, passes[i], sizeof passes[i]);
        path->point_count += PASS_POINTS;
        float(*const next)[3] = passes[(i + 1) % count];
        const float *const end = passes[i][PASS_POINTS - 1], *const before = end - 3;
        const float out[2] = {end[0] - before[0], end[2] - before[2]};
        const float in[2] = {next[0][0] - next[1][0], next[0][2] - next[1][2]};
        add_turn(path, end, out, next[0]);
        add_turn(path, next[0], in, end);
    }
}

static void add_ring(flight *path, const acre_aabb *world)
{
    for (int i = 0; i < RING_POINTS; i++) {
        const float angle = 6.2831853f * (float)i / RING_POINTS;
        float *const point = path->points[path->point_count++];
        const float way[3] = {0.35f * cosf(angle), 0.0f, -0.35f * sinf(angle)};
        for (int k = 0; k < 3; k++) {
            point[k] = 0.5f * world->min[k] + 0.5f * world->max[k] +
                       way[k] * (world->max[k] - world->min[k]);
        }
        const float cruise = world->max[1] + ABOVE_ROOFS;
        point[1] = i % 3 == 0 ? world->min[1] + EYE_HEIGHT : cruise;
    }
}

static float chord(const flight *path, uint32_t i)
{
    const float *const a = path->points[i % path->point_count];
    const float *const b = path->points[(i + 1) % path->point_count];
    return fmaxf(1e-3f, hypotf(hypotf(b[0] - a[0], b[1] - a[1]), b[2] - a[2]));
}

static float slope_at(const flight *path, uint32_t i, int axis)
{
    const uint32_t n = path->point_count;
    const float before = path->points[(i + n - 1) % n][axis];
    const float here = path->points[i % n][axis];
    const float after = path->points[(i + 1) % n][axis];
    const float h0 = chord(path, i + n - 1), h1 = chord(path, i);
    const float in = (here - before) / h0, out = (after - here) / h1;
    if (axis != 1) {
        return (in * h1 + out * h0) / (h0 + h1);
    }
    // Heights: flat at corners that are highest or lowest, else the harmonic mean.
    return in * out > 0.0f ? 2.0f * in * out / (in + out) : 0.0f;
}

// The curve between corners i and i + 1: cubic Hermite over the chord's length, t 0..1.
static void curve_point(const flight *path, uint32_t i, float t, float *out)
{
    const float reach = chord(path, i);
    const float s = 1.0f - t;
    for (int k = 0; k < 3; k++) {
        const float a = path->points[i % path->point_count][k];
        const float b = path->points[(i + 1) % path->point_count][k];
        out[k] = a * s * s * (1.0f + 2.0f * t) + b * t * t * (1.0f + 2.0f * s) +
                 reach * s * t * (s * slope_at(path, i, k) - t * slope_at(path, i + 1, k));
    }
}

static void measure(flight *path)
{
    float last[3], point[3];
    curve_point(path, 0, 0.0f, last);
    path->lengths[0] = 0.0f;
    for (uint32_t i = 0; i < path->point_count * STEPS; i++) {
        curve_point(path, i / STEPS, (float)(i % STEPS + 1) / STEPS, point);
        path->lengths[i + 1] =
            path->lengths[i] +
            hypotf(hypotf(point[0] - last[0], point[1] - last[1]), point[2] - last[2]);
        memcpy(last, point, sizeof last);
    }
}

static bool plan_passes(flight *path, const street_graph *streets, const acre_aabb *world)
{
    planner plan = {.streets = streets};
    plan.center[0] = 0.5f * world->min[0] + 0.5f * world->max[0];
    plan.center[1] = 0.5f * world->min[2] + 0.5f * world->max[2];
    plan.extent[0] = world->max[0] - world->min[0];
    plan.extent[1] = world->max[2] - world->min[2];
    plan.stamps = calloc((size_t)streets->node_count + 1, sizeof *plan.stamps);
    run_of_streets run = {.edges = calloc((size_t)streets->edge_count + 1, sizeof *run.edges)};
    const bool is_done = plan.stamps && run.edges;
    float passes[QUARTERS][PASS_POINTS][3];
    int count = 0;
    uint32_t starts[QUARTERS];
    if (is_done) {
        find_runs(&plan, starts);
    }
    for (int i = 0; is_done && i < QUARTERS; i++) {
        if (starts[i] != UINT32_MAX) {
            walk_run(&plan, starts[i], &run);
            make_pass(&plan, &run, world->max[1] + ABOVE_ROOFS, passes[count++]);
        }
    }
    join_passes(path, passes, count);
    free(plan.stamps);
    free(run.edges);
    return is_done;
}

bool flight_plan(flight *out, const street_graph *streets, const acre_aabb *world)
{
    *out = (flight){.ground = world->min[1]};
    if (!acre_aabb_is_finite(world) || acre_aabb_is_empty(world)) {
        return false;
    }
    const size_t most = QUARTERS * (PASS_POINTS + 2);
    out->points = calloc(most, sizeof *out->points);
    out->lengths = calloc(most * STEPS + 1, sizeof *out->lengths);
    if (!out->points || !out->lengths || !plan_passes(out, streets, world)) {
        flight_free(out);
        return false;
    }
    if (out->point_count == 0) {
        add_ring(out, world);
    }
    measure(out);
    return true;
}

void flight_free(flight *path)
{
    free(path->points);
    free(path->lengths);
    memset(path, 0, sizeof *path);
}

static void path_point(const flight *path, float along, float *out)
{
    const uint32_t count = path->point_count * STEPS;
    const float total = path->lengths[count];
    along = along - total * floorf(along / total);
    uint32_t low = 0, high = count - 1;
    while (low < high) { // the first step that ends behind `along`
        const uint32_t middle = low + (high - low) / 2;
        if (path->lengths[middle + 1] > along) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    const float step = path->lengths[low + 1] - path->lengths[low];
    const float part = step > 0.0f ? (along - path->lengths[low]) / step : 0.0f;
    curve_point(path, low / STEPS, ((float)(low % STEPS) + part) / STEPS, out);
}

void flight_pose(const flight *path, uint32_t frame, view_pose *out)
{
    const float total = path->lengths[path->point_count * STEPS];
    const float along = total * (float)(frame % FLIGHT_FRAMES) / FLIGHT_FRAMES;
    *out = (view_pose){.up = {0, 1, 0},
                       .vertical_fov = 1.0471976f,
                       .aspect = 16.0f / 9.0f,
                       .near_distance = 0.1f,
                       .far_distance = 1500.0f};
    path_point(path, along, out->eye);
    const float look = fminf(fmaxf(LOOK_AHEAD, 0.001f * total), 0.05f * total);
    path_point(path, along + look, out->target);
    // Always some way ahead and never straight up or down; from high up more of the ground.
    const float x = out->target[0] - out->eye[0], z = out->target[2] - out->eye[2];
    const float ahead = fmaxf(hypotf(x, z), 1e-3f);
    const float height = fmaxf(0.0f, out->eye[1] - path->ground - 2.0f * EYE_HEIGHT);
    const float dive = fmaxf(-0.8f, fminf((out->target[1] - out->eye[1]) / ahead, 0.5f));
    const float look_down = 0.5f * height / (height + 60.0f);
    out->target[1] = out->eye[1] + ahead * (dive - look_down);
    if (ahead <= 1e-3f) {
        out->target[0] = out->eye[0] + 1.0f;
    }
}
