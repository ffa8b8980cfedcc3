// SPDX-License-Identifier: MIT
// ask_the_tree.c - a tour of everything that one tree can be asked.
//
// A hundred houses stand in ten rows, ten meters apart: house 37 at x = 75, z = 35. Each is 4 m
// wide and 6 m high.
#include <acre/quadtree_inspect.h>

#include <math.h>
#include <stdio.h>

enum { HOUSES = 100 };

static acre_aabb house_box(uint32_t house)
{
    const float x = 5.0f + 10.0f * (float)(house % 10), z = 5.0f + 10.0f * (float)(house / 10);
    return (acre_aabb){{x - 2, 0, z - 2}, {x + 2, 6, z + 2}};
}

// Prints all houses that touch the query's volume, by number.
static void ask(const acre_quadtree *tree, const char *what, acre_query query)
{
    uint32_t found[HOUSES];
    size_t total = 0;
    query.flags |= ACRE_QUERY_SORTED;
    const acre_result result = acre_quadtree_query(tree, &query, found, HOUSES, &total);
    printf("%s:", result == ACRE_OK ? what : acre_result_text(result));
    for (size_t i = 0; i < total; i++) {
        printf(" %u", (unsigned)found[i]);
    }
    printf("\n");
}

// Prints the four nearest of them at most, with their distances in meters.
static void ask_nearest(const acre_quadtree *tree, const char *what, const acre_query *query)
{
    acre_query_hit hits[4];
    size_t count = 0;
    const acre_result result = acre_quadtree_query_nearest(tree, query, hits, 4, &count);
    printf("%s:", result == ACRE_OK ? what : acre_result_text(result));
    for (size_t i = 0; i < count; i++) {
        printf(" %u (%.1f m)", (unsigned)hits[i].item, (double)hits[i].distance);
    }
    printf("\n");
}

static void ask_volumes(const acre_quadtree *tree)
{
    const acre_sphere blast = {.center = {50, 0, 50}, .radius = 8};
    ask(tree, "blown up", (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &blast});
    const acre_circle siren = {.center = {94, 6}, .radius = 9};
    ask(tree, "hear the siren", (acre_query){.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &siren});
    const acre_aabb park = {{1, 0, 71}, {19, 1, 89}};
    ask(tree, "in the park", (acre_query){.shape = ACRE_QUERY_SHAPE_AABB, .box = &park});
    const acre_aabb plot = {{17, 0, 83}, {23, 1, 87}}; // between two houses, wall to wall
    acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &plot};
    ask(tree, "beside the plot", query);
    query.flags = ACRE_QUERY_NOT_TOUCHING;
    ask(tree, "on the plot", query);
    const float mouse[3] = {75, 0, 34}; // where the ray under the mouse meets the ground
    ask(tree, "under the mouse",
        (acre_query){.shape = ACRE_QUERY_SHAPE_GROUND_POINT, .point = mouse});
    const float bird[3] = {75, 9, 34};
    ask(tree, "where the bird is", (acre_query){.shape = ACRE_QUERY_SHAPE_POINT, .point = bird});
    const acre_capsule storm = {.from = {0, 3, 25}, .to = {30, 3, 25}, .radius = 4};
    ask(tree, "in the storm's way",
        (acre_query){.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &storm});
    const acre_cone spot = {
        .apex = {95, 20, 50}, .direction = {-1, -0.5f, 0}, .length = 38, .angle = 0.2f};
    ask(tree, "in the spot light", (acre_query){.shape = ACRE_QUERY_SHAPE_CONE, .cone = &spot});
    const acre_oriented_box river = {.center = {65, 0, 65},
                                     .half_size = {30, 1, 3},
                                     .axes = {{0.8f, 0, 0.6f}, {0, 1, 0}, {-0.6f, 0, 0.8f}}};
    ask(tree, "by the river",
        (acre_query){.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX,
                     .oriented_box = &river,
                     .flags = ACRE_QUERY_EXACT});
    const acre_ray shot = {.origin = {-10, 3, 3}, .direction = {2, 0, 1}, .length = INFINITY};
    ask(tree, "on the shot's line", (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &shot});
    acre_ray cart = {.origin = {20, 1, 0}, .direction = {0, 0, 1}, .length = 22};
    cart.half_size[0] = cart.half_size[2] = 4; // a box that moves along the ray
    ask(tree, "hit by the cart", (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &cart});
}

// Planes that look inward: a wedge from the middle of the village to +x.
static const acre_frustum view = {{{0.5f, 0, -0.8f, 15}, {0.5f, 0, 0.8f, -65}}, 2};
// What is nearer than x = 80.
static const acre_frustum drawn_finely = {{{-1, 0, 0, 80}}, 1};

static void ask_view(const acre_quadtree *tree)
{
    acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &view};
    ask(tree, "in view", query);
    query.exclude = &drawn_finely;
    ask(tree, "in view and far away", query);
    query.exclude = NULL;
    query.layers = 2;
    ask(tree, "in view and lit", query);
}

static void ask_distances(const acre_quadtree *tree)
{
    const acre_aabb here = {{52, 0, 51}, {52, 0, 51}}; // a point is a box of no size
    acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &here};
    ask_nearest(tree, "nearest", &query);
    query.max_distance = 5;
    ask_nearest(tree, "nearest within 5 m", &query);
    const acre_aabb home = house_box(37);
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_ALL, .origin = &home, .except_item1 = 37 + 1};
    ask_nearest(tree, "neighbors of house 37", &query);
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &view, .origin = &here};
    ask_nearest(tree, "nearest in view", &query);
    const acre_ray shot = {.origin = {-10, 3, 3}, .direction = {2, 0, 1}, .length = INFINITY};
    query = (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &shot};
    ask_nearest(tree, "hit by the shot, in turn", &query);
}

// Stops a query at its first results: they are all that is needed.
static bool note_first(void *user, const uint32_t *houses, size_t count)
{
    *(uint32_t *)user = houses[0];
    (void)count; // never 0
    return false;
}

static void ask_for_anyone(const acre_quadtree *tree)
{
    const acre_aabb alley = {{33, 0, 0}, {34, 1, 21}};
    uint32_t first = HOUSES;
    const acre_query anyone = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &alley};
    const acre_result result = acre_quadtree_query_visit(tree, &anyone, note_first, &first);
    printf("in the alley: %s\n", result != ACRE_OK ? acre_result_text(result)
                                 : first < HOUSES  ? "someone"
                                                   : "nobody");
}

// Counts houses by what became of them.
static bool count_house(void *user, const acre_trace_step *step)
{
    unsigned *const counts = user;
    counts[step->state] += step->part == ACRE_TRACE_ITEM;
    return true;
}

static void ask_what_a_query_does(const acre_quadtree *tree)
{
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &view};
    unsigned counts[ACRE_TRACE_SKIPPED + 1] = {0};
    const acre_result result = acre_quadtree_trace(tree, &query, count_house, counts);
    printf("%s: %u without a test, %u by a test, %u tested and outside, %u not looked at\n",
           result == ACRE_OK ? "found in view" : acre_result_text(result),
           counts[ACRE_TRACE_INSIDE], counts[ACRE_TRACE_KEPT], counts[ACRE_TRACE_DROPPED],
           counts[ACRE_TRACE_SKIPPED]);
}

int main(void)
{
    const acre_quadtree_def def = {.center = {50, 50}, .half_size = 50, .node_capacity = 4};
    acre_quadtree *tree = NULL;
    acre_result result = acre_quadtree_create(&def, &tree);
    for (uint32_t i = 0; i < HOUSES && result == ACRE_OK; i++) {
        const acre_aabb box = house_box(i);
        result = acre_quadtree_insert(tree, i, &box);
        if (result == ACRE_OK) { // there is light in every third house
            result = acre_quadtree_set_layers(tree, i, i % 3 == 0 ? 3 : 1);
        }
    }
    if (result == ACRE_OK) {
        ask_volumes(tree);
        ask_view(tree);
        ask_distances(tree);
        ask_for_anyone(tree);
        ask_what_a_query_does(tree);
    }
    acre_quadtree_destroy(tree);
    return result == ACRE_OK ? 0 : 1;
}
