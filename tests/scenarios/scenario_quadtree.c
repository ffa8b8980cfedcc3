// SPDX-License-Identifier: MIT
// scenario_quadtree.c - the recorded scenario of the quadtree: every mutating call and query.
#include "scenario.h"

#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>

#include <math.h>
#include <string.h>

#define ITEMS 6000u
#define FRAMES 96u
#define MOVED_A_FRAME 400u
#define PAIRS 200000u

typedef struct tree_scenario {
    acre_quadtree *tree;
    test_random random;
    uint64_t queries;
    acre_frustum frusta[SCENARIO_CAMERAS];
    acre_aabb boxes[ITEMS]; // what each item was given last, also while it is not in the tree
    acre_aabb rows[ITEMS];
    uint32_t items[ITEMS];
} tree_scenario;

// Mostly small things over 2 km; a heavy tail of large ones; now and then what is far away, of no
// size, at a cell's corner, or endless.
static acre_aabb random_box(test_random *random)
{
    float center[3], half[3];
    const uint32_t kind = random_below(random, 64);
    const float reach = kind == 0 ? 60000.0f : kind < 40 ? 1000.0f : 120.0f;
    const float size = kind < 3 ? 900.0f : kind < 10 ? 60.0f : 4.0f;
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = random_float(random, -reach, reach);
        half[axis] = random_float(random, 0.0f, size);
    }
    if (kind == 20) {
        half[0] = half[2] = 0.0f;
    } else if (kind == 21) {
        center[0] = -0.0f;
        center[2] = (float)random_below(random, 64) * 32.0f - 1024.0f;
    }
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = center[axis] - half[axis];
        box.max[axis] = center[axis] + half[axis];
    }
    if (kind == 22) {
        box.max[0] = INFINITY;
    }
    return box;
}

static acre_aabb moved_box(test_random *random, const acre_aabb *box)
{
    const float reach = random_below(random, 8) == 0 ? 200.0f : 1.5f;
    acre_aabb moved = *box;
    for (int axis = 0; axis < 3; axis++) {
        const float step = random_float(random, -reach, reach);
        moved.min[axis] += step;
        moved.max[axis] += step;
    }
    return moved;
}

static void insert_or_remove(tree_scenario *scenario)
{
    const uint32_t item = random_below(&scenario->random, ITEMS);
    if (acre_quadtree_contains(scenario->tree, item)) {
        expect(acre_quadtree_remove(scenario->tree, item) == ACRE_OK, "remove");
    } else {
        scenario->boxes[item] = random_box(&scenario->random);
        expect(acre_quadtree_insert(scenario->tree, item, &scenario->boxes[item]) == ACRE_OK,
               "insert");
    }
}

// A batch with rows that are refused: absent items and boxes that are no boxes.
static void refresh_batch(tree_scenario *scenario)
{
    for (uint32_t row = 0; row < MOVED_A_FRAME; row++) {
        const uint32_t item = random_below(&scenario->random, ITEMS);
        acre_aabb box = moved_box(&scenario->random, &scenario->boxes[item]);
        if (random_below(&scenario->random, 32) == 0) {
            box.min[1] = NAN;
        } else if (acre_quadtree_contains(scenario->tree, item)) {
            scenario->boxes[item] = box;
        }
        scenario->items[row] = item;
        scenario->rows[row] = box;
    }
    ACRE_IGNORE(
        acre_quadtree_refresh_many(scenario->tree, scenario->items, scenario->rows, MOVED_A_FRAME));
    const acre_quadtree_report report = acre_quadtree_last_report(scenario->tree);
    hash_word(&scenario->queries, (uint32_t)report.refused);
    hash_word(&scenario->queries, (uint32_t)report.first_row);
}

static void refresh_everything(tree_scenario *scenario)
{
    for (uint32_t item = 0; item < ITEMS; item++) {
        if (random_below(&scenario->random, 4) != 0) {
            scenario->boxes[item] = moved_box(&scenario->random, &scenario->boxes[item]);
        }
    }
    expect(acre_quadtree_refresh_all(scenario->tree, scenario->boxes, ITEMS) == ACRE_OK,
           "refresh_all");
}

static void query_all_forms(tree_scenario *scenario)
{
    for (int i = 0; i < SCENARIO_CAMERAS; i++) {
        size_t count = acre_quadtree_query_frustum(scenario->tree, &scenario->frusta[i],
                                                   scenario->items, ITEMS);
        hash_words(&scenario->queries, scenario->items, count);

        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                                  .frustum = &scenario->frusta[i],
                                  .layers = 1u << i,
                                  .flags = i == 0   ? ACRE_QUERY_SORTED
                                           : i == 1 ? ACRE_QUERY_EXACT
                                                    : ACRE_QUERY_SORTED | ACRE_QUERY_EXACT};
        expect(acre_quadtree_query(scenario->tree, &query, scenario->items, ITEMS, &count) ==
                   ACRE_OK,
               "query");
        hash_words(&scenario->queries, scenario->items, count);
    }
    const acre_aabb box = {{-300.0f, -100.0f, -64.0f}, {200.0f, 100.0f, 256.0f}};
    const size_t count = acre_quadtree_query_aabb(scenario->tree, &box, scenario->items, ITEMS);
    hash_words(&scenario->queries, scenario->items, count);
}

static void run_frame(tree_scenario *scenario, uint32_t frame)
{
    for (int i = 0; i < 100; i++) {
        insert_or_remove(scenario);
    }
    for (int i = 0; i < 100; i++) {
        const uint32_t item = random_below(&scenario->random, ITEMS);
        if (acre_quadtree_contains(scenario->tree, item)) {
            scenario->boxes[item] = moved_box(&scenario->random, &scenario->boxes[item]);
            expect(acre_quadtree_refresh(scenario->tree, item, &scenario->boxes[item]) == ACRE_OK,
                   "refresh");
        }
        if (frame >= 8 && i % 4 == 0 && acre_quadtree_contains(scenario->tree, item)) {
            const uint32_t layers = random_below(&scenario->random, 8);
            expect(acre_quadtree_set_layers(scenario->tree, item, layers) == ACRE_OK, "layers");
        }
    }
    refresh_batch(scenario);
    if (frame % 5 == 4) {
        refresh_everything(scenario);
    }
    expect(acre_quadtree_maintain(scenario->tree) == ACRE_OK, "maintain");
    if (frame % 16 == 15) {
        expect(acre_quadtree_tighten(scenario->tree) == ACRE_OK, "tighten");
    }
    query_all_forms(scenario);
}

// All items on the ground, then the three nearest of every second one in space.
static void print_neighbors(const acre_quadtree *tree, uint32_t node_capacity)
{
    static acre_neighbor_row rows[ITEMS];
    static uint32_t neighbors[PAIRS], evens[ITEMS];
    uint64_t hash = HASH_START;
    size_t total = 0;
    for (uint32_t i = 0; i < ITEMS / 2; i++) {
        evens[i] = 2 * i;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        acre_neighbors_query query = {.count = ITEMS, .radius = 2.0f};
        query.flags = ACRE_NEIGHBORS_ON_GROUND;
        if (pass == 1) {
            query = (acre_neighbors_query){
                .count = ITEMS / 2, .items = evens, .radius = INFINITY, .nearest = 3};
        }
        acre_neighbor_lists lists = {.rows = rows, .items = neighbors, .capacity = PAIRS};
        const acre_result result = acre_quadtree_neighbors(tree, &query, &lists);
        expect(result == ACRE_OK || result == ACRE_ERROR_NOT_FOUND, "neighbors");
        expect(lists.total <= PAIRS, "room for neighbors");
        for (size_t i = 0; i < lists.total && i < PAIRS; i++) {
            hash_word(&hash, neighbors[i]);
        }
        for (size_t i = 0; i < query.count; i++) {
            hash_word(&hash, rows[i].count);
            hash_word(&hash, rows[i].order);
        }
        total += lists.total;
    }
    printf("quadtree %u neighbors %zu order %016llx\n", node_capacity, total,
           (unsigned long long)hash);
}

// By all rules, in the order in which they are found.
static void print_pairs(const acre_quadtree *tree, uint32_t node_capacity)
{
    static acre_pair pairs[PAIRS];
    uint64_t hash = HASH_START;
    size_t total = 0;
    for (uint32_t flags = 0; flags < 4; flags++) {
        const acre_pairs_rules rules = {.flags = flags};
        expect(acre_quadtree_pairs(tree, &rules, pairs, PAIRS, &total) == ACRE_OK && total <= PAIRS,
               "pairs");
        for (size_t i = 0; i < total && i < PAIRS; i++) {
            hash_word(&hash, pairs[i].a);
            hash_word(&hash, pairs[i].b);
        }
    }
    printf("quadtree %u pairs %zu order %016llx\n", node_capacity, total, (unsigned long long)hash);
}

static void run_tree(uint32_t node_capacity)
{
    static tree_scenario scenario; // too large for a small stack
    memset(&scenario, 0, sizeof scenario);
    scenario.random.state = 2024 + node_capacity;
    scenario.queries = HASH_START;
    scenario_make_frusta(scenario.frusta);
    const acre_quadtree_def def = {.center = {100.0f, -50.0f},
                                   .half_size = 1000.0f,
                                   .max_depth = 12,
                                   .node_capacity = node_capacity};
    expect(acre_quadtree_create(&def, &scenario.tree) == ACRE_OK, "create");
    for (uint32_t item = 0; item < ITEMS; item++) {
        scenario.boxes[item] = random_box(&scenario.random);
        if (item % 4 != 3) {
            expect(acre_quadtree_insert(scenario.tree, item, &scenario.boxes[item]) == ACRE_OK,
                   "insert");
        }
    }
    printf("quadtree %u built %016llx\n", node_capacity,
           (unsigned long long)acre_quadtree_state_hash(scenario.tree));
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run_frame(&scenario, frame);
        if (frame == FRAMES / 2) {
            printf("quadtree %u half-way %016llx\n", node_capacity,
                   (unsigned long long)acre_quadtree_state_hash(scenario.tree));
            expect(acre_quadtree_trim(scenario.tree) == ACRE_OK, "trim");
        }
    }
    expect(acre_quadtree_validate(scenario.tree, NULL, 0) == ACRE_OK, "validate");
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(scenario.tree, &stats);
    printf("quadtree %u state %016llx content %016llx\n", node_capacity,
           (unsigned long long)acre_quadtree_state_hash(scenario.tree),
           (unsigned long long)acre_quadtree_content_hash(scenario.tree));
    printf("quadtree %u items %zu nodes %zu outliers %zu depth %u queries %016llx\n", node_capacity,
           stats.items, stats.nodes, stats.outliers, stats.depth,
           (unsigned long long)scenario.queries);
    print_pairs(scenario.tree, node_capacity);
    print_neighbors(scenario.tree, node_capacity);
    for (uint32_t item = 0; item < ITEMS; item++) {
        if (acre_quadtree_contains(scenario.tree, item)) {
            expect(acre_quadtree_remove(scenario.tree, item) == ACRE_OK, "remove");
        }
    }
    printf("quadtree %u emptied %016llx\n", node_capacity,
           (unsigned long long)acre_quadtree_state_hash(scenario.tree));
    acre_quadtree_destroy(scenario.tree);
}

// The planes alone, so that a difference in them is not mistaken for one of the tree.
static void print_frusta(void)
{
    acre_frustum frusta[SCENARIO_CAMERAS];
    uint64_t hash = HASH_START;
    scenario_make_frusta(frusta);
    for (int i = 0; i < SCENARIO_CAMERAS; i++) {
        hash_word(&hash, frusta[i].plane_count);
        for (uint32_t plane = 0; plane < frusta[i].plane_count; plane++) {
            hash_floats(&hash, frusta[i].planes[plane], 4);
        }
    }
    printf("frusta %016llx\n", (unsigned long long)hash);
}

int main(void)
{
    print_frusta();
    run_tree(8);
    run_tree(0);
    return scenario_failures > 0;
}
