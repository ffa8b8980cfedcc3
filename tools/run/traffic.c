// SPDX-License-Identifier: MIT
// traffic.c - drives cars along lanes and round corners.
//
// A car is either on the straight middle of an edge's lane or in the corner that leads to the next
// edge, which it chose when it came onto this one: so it knows how fast the corner may be taken and
// brakes in time. A corner is a cubic Bezier that leaves one lane and enters the other along their
// directions; its handles are those of a circular arc of the same turn, also for a U-turn.
#include "traffic.h"

#include "random_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_STEP 0.1f     // seconds
#define BRAKING 3.0f          // meters per second squared
#define ACCELERATION 2.0f     // meters per second squared
#define CORNER_SHARE 0.45f    // of an edge's length at most, at either end
#define CORNER_COMFORT 0.7f   // of the turn rate, for the mean of a corner; its middle is tighter
#define SLOWEST 1.0f          // meters per second, round the tightest corner
#define MOST_PIECES_A_STEP 16 // edges and corners that one car may pass in one step

typedef struct street_car {
    float along;        // meters on the lane since the corner's end, or 0..1 in the corner
    float speed;        // meters per second, now
    float own_speed;    // meters per second, on a free straight
    float corner_speed; // meters per second, in the corner ahead
    float handle;       // meters, of the corner ahead
    float heading[2];
    uint32_t edge, next;
    uint32_t random;
    bool is_in_corner;
} street_car;

struct car_traffic {
    const street_graph *graph;
    street_car *cars;
    acre_transform *transforms;
    uint32_t car_count;
};

static uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state; // xorshift32 (Marsaglia 2003); never 0
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static uint32_t seed_of(uint64_t seed, uint32_t number)
{
    return (uint32_t)(random_mix(seed + RANDOM_STEP * ((uint64_t)number + 1)) >> 32) | 1u;
}

static float random_unit(uint32_t *state)
{
    return (float)(next_random(state) >> 8) * (1.0f / 16777216.0f);
}

// Meters at each end of an edge's lane that belong to corners.
static float corner_share(const street_edge *edge)
{
    return fminf(TRAFFIC_CORNER, CORNER_SHARE * edge->length);
}

// The point of an edge's lane, `along` meters from the edge's start.
static void lane_point(const street_graph *graph, const street_edge *edge, float along, float *out)
{
    const float *const from = graph->nodes[edge->from].position;
    const float *const to = graph->nodes[edge->to].position;
    // Right of the direction d, with y up: d x up = (-dz, 0, dx).
    out[0] = from[0] + along * edge->direction[0] - TRAFFIC_LANE_OFFSET * edge->direction[1];
    out[1] = from[1] + along / edge->length * (to[1] - from[1]);
    out[2] = from[2] + along * edge->direction[1] + TRAFFIC_LANE_OFFSET * edge->direction[0];
}

typedef struct corner_curve {
    float points[4][3];
} corner_curve;

static void corner_of(const street_graph *graph, const street_car *car, corner_curve *out)
{
    const street_edge *const a = &graph->edges[car->edge];
    const street_edge *const b = &graph->edges[car->next];
    lane_point(graph, a, a->length - corner_share(a), out->points[0]);
    lane_point(graph, b, corner_share(b), out->points[3]);
    for (int k = 0; k < 3; k++) {
        const float in = k == 1 ? 0.0f : a->direction[k / 2];
        const float away = k == 1 ? 0.0f : b->direction[k / 2];
        out->points[1][k] = out->points[0][k] + car->handle * in;
        out->points[2][k] = out->points[3][k] - car->handle * away;
    }
}

static void corner_point(const corner_curve *corner, float t, float *out)
{
    const float s = 1.0f - t;
    const float weights[4] = {s * s * s, 3.0f * s * s * t, 3.0f * s * t * t, t * t * t};
    for (int k = 0; k < 3; k++) {
        out[k] = weights[0] * corner->points[0][k] + weights[1] * corner->points[1][k] +
                 weights[2] * corner->points[2][k] + weights[3] * corner->points[3][k];
    }
}

static void corner_tangent(const corner_curve *corner, float t, float *out)
{
    const float s = 1.0f - t;
    for (int k = 0; k < 3; k++) {
        out[k] = 3.0f * (s * s * (corner->points[1][k] - corner->points[0][k]) +
                         2.0f * s * t * (corner->points[2][k] - corner->points[1][k]) +
                         t * t * (corner->points[3][k] - corner->points[2][k]));
    }
}

static float distance(const float *a, const float *b)
{
    const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return sqrtf(x * x + y * y + z * z);
}

// Chooses the edge after this one, the shape of the corner to it and the speed it allows.
static void choose_next(const street_graph *graph, street_car *car)
{
    car->next = streets_next(graph, car->edge, next_random(&car->random) >> 4);
    const float *const a = graph->edges[car->edge].direction;
    const float *const b = graph->edges[car->next].direction;
    const float cosine = fmaxf(-1.0f, fminf(a[0] * b[0] + a[1] * b[1], 1.0f));
    const float turn = acosf(cosine);
    // A cubic arc of angle q and radius r has handles 4/3 tan(q/4) r and the chord 2 r sin(q/2).
    const float share =
        turn < 0.01f ? 1.0f / 3.0f : 4.0f / 3.0f * tanf(0.25f * turn) / (2.0f * sinf(0.5f * turn));
    corner_curve shape;
    car->handle = 0.0f;
    corner_of(graph, car, &shape);
    car->handle = share * distance(shape.points[0], shape.points[3]);
    corner_of(graph, car, &shape);
    float length = 0.0f, last[3], point[3];
    memcpy(last, shape.points[0], sizeof last);
    for (int i = 1; i <= 8; i++) {
        corner_point(&shape, (float)i / 8.0f, point);
        length += distance(last, point);
        memcpy(last, point, sizeof last);
    }
    const float allowed = CORNER_COMFORT * TRAFFIC_TURN_RATE * length / fmaxf(turn, 0.01f);
    car->corner_speed = fmaxf(SLOWEST, fminf(allowed, car->own_speed));
}

static float straight_length(const street_edge *edge)
{
    return edge->length - 2.0f * corner_share(edge);
}

static void set_speed(const street_graph *graph, street_car *car, float seconds)
{
    float wanted = car->corner_speed;
    if (!car->is_in_corner) {
        const float ahead = straight_length(&graph->edges[car->edge]) - car->along;
        wanted = sqrtf(wanted * wanted + 2.0f * BRAKING * fmaxf(ahead, 0.0f));
        wanted = fminf(wanted, car->own_speed);
    }
    // Braking may be harder than planned where corners follow closely; a jump of speed is allowed,
    // a jump of place is not.
    car->speed = fminf(wanted, car->speed + ACCELERATION * seconds);
}

// Drives up to `meters` on the straight; returns what is left for the corner.
static float drive_straight(const street_graph *graph, street_car *car, float meters)
{
    const float length = straight_length(&graph->edges[car->edge]);
    const float left = length - car->along;
    if (meters < left) {
        car->along += meters;
        return 0.0f;
    }
    car->is_in_corner = true;
    car->along = 0.0f;
    return meters - left;
}

// Drives up to `meters` in the corner; returns what is left for the next edge.
static float drive_corner(const street_graph *graph, street_car *car, float meters)
{
    corner_curve shape;
    float tangent[3], here[3], there[3];
    corner_of(graph, car, &shape);
    corner_tangent(&shape, car->along, tangent);
    corner_point(&shape, car->along, here);
    const float pace = sqrtf(tangent[0] * tangent[0] + tangent[1] * tangent[1] +
                             tangent[2] * tangent[2]); // meters per unit of t
    const float reach = distance(here, shape.points[3]);
    float step = meters / fmaxf(pace, 0.01f);
    if (car->along + step < 1.0f) {
        // The curve may be faster further on: scale the step by what it really covers.
        corner_point(&shape, car->along + step, there);
        const float covered = distance(here, there);
        step = covered > meters ? step * meters / covered : step;
        car->along += step;
        return 0.0f;
    }
    if (reach > meters) { // the end is not in reach yet: the pace here is below the mean
        car->along += (1.0f - car->along) * meters / reach * 0.9f;
        return 0.0f;
    }
    car->edge = car->next;
    car->is_in_corner = false;
    car->along = 0.0f;
    choose_next(graph, car);
    return meters - reach;
}

// Turns the heading towards a unit direction by at most `limit` radians.
static void turn_towards(float *heading, const float *direction, float limit_cos, float limit_sin)
{
    const float dot = heading[0] * direction[0] + heading[1] * direction[1];
    const float cross = heading[0] * direction[1] - heading[1] * direction[0];
    if (dot >= limit_cos) {
        memcpy(heading, direction, 2 * sizeof *heading);
        return;
    }
    const float s = cross < 0.0f ? -limit_sin : limit_sin;
    const float x = heading[0] * limit_cos - heading[1] * s;
    const float z = heading[0] * s + heading[1] * limit_cos;
    const float length = sqrtf(x * x + z * z);
    heading[0] = x / length;
    heading[1] = z / length;
}

// Writes where the car stands; returns the direction of its path in `direction`.
static void place_car(const street_graph *graph, const street_car *car, float *position,
                      float *direction)
{
    const street_edge *const edge = &graph->edges[car->edge];
    memcpy(direction, edge->direction, sizeof edge->direction);
    if (!car->is_in_corner) {
        lane_point(graph, edge, corner_share(edge) + car->along, position);
        return;
    }
    corner_curve shape;
    float tangent[3];
    corner_of(graph, car, &shape);
    corner_point(&shape, car->along, position);
    corner_tangent(&shape, car->along, tangent);
    const float length = sqrtf(tangent[0] * tangent[0] + tangent[2] * tangent[2]);
    if (length > 1e-4f) {
        direction[0] = tangent[0] / length;
        direction[1] = tangent[2] / length;
    }
}

// The quaternion that turns +z to the heading, about y; the half angle without trigonometry.
static void set_rotation(acre_transform *transform, const float *heading)
{
    float sine, cosine;
    if (heading[1] >= 0.0f) {
        cosine = sqrtf(0.5f * (1.0f + heading[1]));
        sine = 0.5f * heading[0] / cosine;
    } else {
        sine = sqrtf(0.5f * (1.0f - heading[1]));
        cosine = 0.5f * heading[0] / sine;
    }
    transform->rotation[1] = sine;
    transform->rotation[3] = cosine;
}

static void start_car(car_traffic *traffic, uint32_t number, uint64_t seed, const double *lengths)
{
    const street_graph *const graph = traffic->graph;
    street_car *const car = &traffic->cars[number];
    car->random = seed_of(seed, number);
    car->own_speed = 7.0f + (TRAFFIC_TOP_SPEED - 7.0f) * random_unit(&car->random);
    car->speed = car->own_speed;
    const double jitter = (double)random_unit(&car->random);
    const double at = graph->length * ((double)number + jitter) / (double)traffic->car_count;
    uint32_t low = 0, high = graph->edge_count - 1;
    while (low < high) { // the first edge that ends behind `at`
        const uint32_t middle = low + (high - low) / 2;
        if (lengths[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    const street_edge *const edge = &graph->edges[low];
    car->edge = low;
    memcpy(car->heading, edge->direction, sizeof car->heading);
    car->along = random_unit(&car->random) * straight_length(edge);
    choose_next(graph, car);
    acre_transform *const transform = &traffic->transforms[number];
    *transform = (acre_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    float direction[2];
    place_car(graph, car, transform->translation, direction);
    set_rotation(transform, car->heading);
}

bool traffic_create(const traffic_def *def, const street_graph *graph, car_traffic **out)
{
    *out = NULL;
    car_traffic *const made = calloc(1, sizeof *made);
    double *const lengths = calloc((size_t)graph->edge_count + 1, sizeof *lengths);
    if (made) {
        *made = (car_traffic){.graph = graph, .car_count = def->car_count};
        made->cars = calloc((size_t)def->car_count + 1, sizeof *made->cars);
        made->transforms = calloc((size_t)def->car_count + 1, sizeof *made->transforms);
    }
    if (!made || !lengths || !made->cars || !made->transforms ||
        (def->car_count > 0 && graph->edge_count == 0)) {
        free(lengths);
        traffic_destroy(made);
        return false;
    }
    double sum = 0.0;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        sum += (double)graph->edges[i].length;
        lengths[i] = sum;
    }
    for (uint32_t i = 0; i < def->car_count; i++) {
        start_car(made, i, def->seed, lengths);
    }
    free(lengths);
    *out = made;
    return true;
}

void traffic_destroy(car_traffic *traffic)
{
    if (traffic) {
        free(traffic->cars);
        free(traffic->transforms);
        free(traffic);
    }
}

void traffic_advance(car_traffic *traffic, float seconds)
{
    const float step = fmaxf(0.0f, fminf(seconds, LONGEST_STEP));
    const float limit_cos = cosf(TRAFFIC_TURN_RATE * step);
    const float limit_sin = sinf(TRAFFIC_TURN_RATE * step);
    for (uint32_t i = 0; i < traffic->car_count; i++) {
        street_car *const car = &traffic->cars[i];
        set_speed(traffic->graph, car, step);
        float meters = car->speed * step;
        for (int piece = 0; meters > 0.0f && piece < MOST_PIECES_A_STEP; piece++) {
            meters = car->is_in_corner ? drive_corner(traffic->graph, car, meters)
                                       : drive_straight(traffic->graph, car, meters);
        }
        acre_transform *const transform = &traffic->transforms[i];
        float direction[2];
        place_car(traffic->graph, car, transform->translation, direction);
        turn_towards(car->heading, direction, limit_cos, limit_sin);
        set_rotation(transform, car->heading);
    }
}

const acre_transform *traffic_transforms(const car_traffic *traffic)
{
    return traffic->transforms;
}

uint32_t traffic_car_count(const car_traffic *traffic)
{
    return traffic->car_count;
}
