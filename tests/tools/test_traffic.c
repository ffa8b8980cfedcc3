// SPDX-License-Identifier: MIT
// test_traffic.c - the street graph and the cars on it.
#include "test.h"

#include "streets.h"
#include "traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0f / 60.0f)

static street_segment segment(float ax, float az, float bx, float bz)
{
    return (street_segment){{ax, 0.0f, az}, {bx, 0.0f, bz}};
}

// A town with every kind of place: long streets that cross without a shared vertex, a T, bends,
// a roundabout of short pieces, dead ends, doubled pieces and a bridge.
static size_t make_town(street_segment *out)
{
    size_t count = 0;
    for (int i = 0; i < 5; i++) {
        const float at = 80.0f * (float)i;
        out[count++] = segment(-20.0f, at, 340.0f, at);
        out[count++] = segment(at, -20.0f, at, 340.0f);
    }
    out[count++] = segment(40.0f, 80.0f, 40.0f, 130.0f);   // a T, then a dead end
    out[count++] = segment(200.1f, 80.0f, 240.0f, 80.0f);  // lies on a street
    out[count++] = segment(340.2f, 0.1f, 420.0f, -60.0f);  // welded to an end
    out[count++] = segment(420.0f, -60.0f, 430.0f, 10.0f); // sharp bends
    out[count++] = segment(430.0f, 10.0f, 431.0f, -70.0f);
    for (int i = 0; i < 16; i++) {
        const float a = 6.2831853f * (float)i / 16.0f, b = 6.2831853f * (float)(i + 1) / 16.0f;
        out[count++] = segment(442.0f + 11.0f * cosf(a), -70.0f + 11.0f * sinf(a),
                               442.0f + 11.0f * cosf(b), -70.0f + 11.0f * sinf(b));
    }
    out[count] = segment(-50.0f, 40.0f, 400.0f, 45.0f);
    out[count].a[1] = out[count].b[1] = 8.0f; // above all
    count++;
    return count;
}

static float distance_to_segment(const street_segment *s, float x, float z)
{
    const float dx = s->b[0] - s->a[0], dz = s->b[2] - s->a[2];
    const float px = x - s->a[0], pz = z - s->a[2];
    const float square = dx * dx + dz * dz;
    const float t = fmaxf(0.0f, fminf((px * dx + pz * dz) / square, 1.0f));
    return hypotf(px - t * dx, pz - t * dz);
}

static uint32_t dead_ends(const street_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i].count == 1;
    }
    return count;
}

static void streets_that_cross_without_a_shared_vertex_are_joined(void)
{
    const street_segment cross[2] = {segment(-10, 0, 10, 0), segment(0, -10, 0, 10)};
    street_graph graph;
    CHECK(streets_build(&graph, cross, 2, 0.5f));
    CHECK(graph.node_count == 5 && graph.edge_count == 8 && dead_ends(&graph) == 4);
    CHECK(fabs(graph.length - 80.0) < 1e-3);
    streets_free(&graph);
}

static void an_end_on_the_middle_of_a_street_makes_a_crossing(void)
{
    const street_segment tee[2] = {segment(-10, 0, 10, 0), segment(3, 0.2f, 3, 10)};
    street_graph graph;
    CHECK(streets_build(&graph, tee, 2, 0.5f));
    CHECK(graph.node_count == 4 && graph.edge_count == 6);
    streets_free(&graph);
}

static void a_bridge_does_not_meet_the_street_below(void)
{
    street_segment cross[2] = {segment(-10, 0, 10, 0), segment(0, -10, 0, 10)};
    cross[1].a[1] = cross[1].b[1] = 6.0f;
    street_graph graph;
    CHECK(streets_build(&graph, cross, 2, 0.5f));
    CHECK(graph.node_count == 4 && graph.edge_count == 4);
    streets_free(&graph);
}

static void pieces_that_lie_on_each_other_become_one(void)
{
    const street_segment doubled[3] = {segment(0, 0, 100, 0), segment(30, 0, 100, 0),
                                       segment(100, 0.1f, 0, 0)};
    street_graph graph;
    CHECK(streets_build(&graph, doubled, 3, 0.5f));
    CHECK(graph.node_count == 3 && graph.edge_count == 4);
    CHECK(fabs(graph.length - 200.0) < 0.1);
    streets_free(&graph);
}

static void broken_segments_are_left_out(void)
{
    const street_segment broken[4] = {segment(NAN, 0, 10, 0), segment(0, INFINITY, 0, 10),
                                      segment(5, 5, 5, 5), segment(1e30f, 0, -1e30f, 0)};
    street_graph graph;
    CHECK(streets_build(&graph, broken, 4, 0.5f));
    CHECK(graph.edge_count <= 6);
    streets_free(&graph);
    CHECK(streets_build(&graph, NULL, 0, 0.5f) && graph.edge_count == 0);
    streets_free(&graph);
    CHECK(!streets_build(&graph, broken, 4, 0.0f));
    CHECK(!streets_build(&graph, broken, 4, NAN));
}

static void every_edge_has_its_way_back_and_its_place(void)
{
    street_segment town[64];
    street_graph graph;
    CHECK(streets_build(&graph, town, make_town(town), 0.5f));
    for (uint32_t i = 0; i < graph.edge_count; i++) {
        const street_edge *const edge = &graph.edges[i];
        CHECK(graph.edges[i ^ 1u].from == edge->to && graph.edges[i ^ 1u].to == edge->from);
        const street_node *const node = &graph.nodes[edge->from];
        CHECK(edge->place < node->count && graph.outgoing[node->first + edge->place] == i);
        for (uint32_t pick = 0; pick < 5; pick++) {
            const uint32_t next = streets_next(&graph, i, pick);
            CHECK(graph.edges[next].from == edge->to);
            CHECK((next == (i ^ 1u)) == (graph.nodes[edge->to].count == 1));
        }
    }
    streets_free(&graph);
}

static float turned(const acre_transform *a, const acre_transform *b)
{
    float dot = 0.0f;
    for (int k = 0; k < 4; k++) {
        dot += a->rotation[k] * b->rotation[k];
    }
    return 2.0f * acosf(fminf(fabsf(dot), 1.0f));
}

// Drives 300 cars for `frames` and checks what every frame promises.
static void drive(const street_graph *graph, const street_segment *town, size_t count, int frames)
{
    enum { CARS = 300 };
    car_traffic *cars;
    acre_transform last[CARS];
    CHECK(traffic_create(&(traffic_def){.seed = test_seed, .car_count = CARS}, graph, &cars));
    const acre_transform *const now = traffic_transforms(cars);
    for (int frame = 0; frame < frames; frame++) {
        memcpy(last, now, sizeof last);
        traffic_advance(cars, STEP);
        for (int i = 0; i < CARS; i++) {
            const float *const p = now[i].translation;
            const float *const q = last[i].translation;
            const float moved =
                sqrtf((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                      (p[2] - q[2]) * (p[2] - q[2]));
            CHECK(moved <= TRAFFIC_TOP_SPEED * STEP * 1.01f + 1e-4f);
            // acosf near 1 resolves about 5e-4.
            CHECK(turned(&now[i], &last[i]) <= TRAFFIC_TURN_RATE * STEP + 2e-3f);
            float nearest = INFINITY;
            for (size_t s = 0; s < count; s++) {
                nearest = fminf(nearest, distance_to_segment(&town[s], p[0], p[2]));
            }
            CHECK(nearest <= TRAFFIC_LANE_OFFSET + 2.0f);
        }
    }
    traffic_destroy(cars);
}

static void cars_stay_in_their_lanes_and_never_jump(void)
{
    street_segment town[64];
    const size_t count = make_town(town);
    street_graph graph;
    CHECK(streets_build(&graph, town, count, 0.5f));
    drive(&graph, town, count, 1800);
    streets_free(&graph);
}

static void cars_keep_to_the_right_and_point_where_they_go(void)
{
    const street_segment road = segment(0, 0, 0, -1000); // north is -z, right is +x
    street_graph graph;
    car_traffic *cars;
    CHECK(streets_build(&graph, &road, 1, 0.5f));
    CHECK(traffic_create(&(traffic_def){.seed = 3, .car_count = 50}, &graph, &cars));
    const acre_transform *const now = traffic_transforms(cars);
    for (int i = 0; i < 50; i++) {
        const acre_transform before = now[i];
        traffic_advance(cars, STEP);
        const float *const p = now[i].translation;
        if (p[2] > -980.0f && p[2] < -20.0f) {
            const float north = before.translation[2] - p[2];
            CHECK(fabsf(north) > 0.05f);
            CHECK(fabsf(p[0] - (north > 0.0f ? 2.0f : -2.0f)) < 1e-3f);
            // The model's +z after the turn about y.
            const float *const r = now[i].rotation;
            const float z = 1.0f - 2.0f * r[1] * r[1];
            CHECK(fabsf(z - (north > 0.0f ? -1.0f : 1.0f)) < 1e-3f);
        }
    }
    traffic_destroy(cars);
    streets_free(&graph);
}

static void cars_turn_and_reach_every_street(void)
{
    street_segment town[64];
    street_graph graph;
    car_traffic *cars;
    const size_t count = make_town(town) - 1; // the bridge is reached by no street
    CHECK(streets_build(&graph, town, count, 0.5f));
    CHECK(traffic_create(&(traffic_def){.seed = 5, .car_count = 40}, &graph, &cars));
    bool *const is_seen = calloc(graph.edge_count, sizeof *is_seen);
    CHECK(is_seen);
    for (int frame = 0; frame < 60 * 600; frame++) {
        traffic_advance(cars, STEP);
        for (uint32_t i = 0; frame % 6 == 0 && i < 40; i++) {
            const float *const p = traffic_transforms(cars)[i].translation;
            for (uint32_t e = 0; e < graph.edge_count; e++) {
                const float *const a = graph.nodes[graph.edges[e].from].position;
                const float *const b = graph.nodes[graph.edges[e].to].position;
                is_seen[e] = is_seen[e] || hypotf(p[0] - 0.5f * (a[0] + b[0]),
                                                  p[2] - 0.5f * (a[2] + b[2])) < 4.0f;
            }
        }
    }
    size_t unseen = 0;
    for (uint32_t e = 0; e < graph.edge_count; e++) {
        unseen += !is_seen[e];
    }
    free(is_seen);
    traffic_destroy(cars);
    streets_free(&graph);
    CHECK(unseen == 0);
}

static void the_same_seed_gives_the_same_traffic(void)
{
    street_segment town[64];
    street_graph graph;
    car_traffic *cars[3];
    CHECK(streets_build(&graph, town, make_town(town), 0.5f));
    for (int i = 0; i < 3; i++) {
        const traffic_def def = {.seed = i == 2 ? 8 : 7, .car_count = 200};
        CHECK(traffic_create(&def, &graph, &cars[i]));
        for (int frame = 0; frame < 600; frame++) {
            traffic_advance(cars[i], STEP);
        }
    }
    const size_t size = 200 * sizeof(acre_transform);
    CHECK(memcmp(traffic_transforms(cars[0]), traffic_transforms(cars[1]), size) == 0);
    CHECK(memcmp(traffic_transforms(cars[0]), traffic_transforms(cars[2]), size) != 0);
    for (int i = 0; i < 3; i++) {
        traffic_destroy(cars[i]);
    }
    streets_free(&graph);
}

static void cars_without_streets_are_refused_and_no_cars_are_fine(void)
{
    street_graph graph = {0};
    car_traffic *cars;
    CHECK(!traffic_create(&(traffic_def){.car_count = 1}, &graph, &cars) && !cars);
    CHECK(traffic_create(&(traffic_def){.car_count = 0}, &graph, &cars));
    traffic_advance(cars, STEP);
    CHECK(traffic_car_count(cars) == 0);
    traffic_destroy(cars);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(streets_that_cross_without_a_shared_vertex_are_joined),
        TEST(an_end_on_the_middle_of_a_street_makes_a_crossing),
        TEST(a_bridge_does_not_meet_the_street_below),
        TEST(pieces_that_lie_on_each_other_become_one),
        TEST(broken_segments_are_left_out),
        TEST(every_edge_has_its_way_back_and_its_place),
        TEST(cars_stay_in_their_lanes_and_never_jump),
        TEST(cars_keep_to_the_right_and_point_where_they_go),
        TEST(cars_turn_and_reach_every_street),
        TEST(the_same_seed_gives_the_same_traffic),
        TEST(cars_without_streets_are_refused_and_no_cars_are_fine),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
