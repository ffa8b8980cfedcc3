// SPDX-License-Identifier: MIT
// test_quadtree_pairs.c - all pairs of a tree, of two, and of an item are those that comparing
// every two boxes finds, and no work is done beyond them.
#include "brute_force_pairs.h"
#include "query_trees.h"
#include "test.h"

#include "access_internal.h"
#include "quadtree_pairing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 220, MOST_PAIRS = 130000, GUARD = 0x5eedf00d };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
static const uint32_t all_flags = ACRE_PAIRS_ON_GROUND | ACRE_PAIRS_NOT_TOUCHING;
static uint64_t compared; // pairs that were compared with the oracle's

// ---- trees against the oracle ----

static acre_result ask(const acre_quadtree *first, const acre_quadtree *second,
                       const acre_pairs_rules *rules, acre_pair *pairs, size_t capacity,
                       size_t *total)
{
    return second ? acre_quadtree_pairs_between(first, second, rules, pairs, capacity, total)
                  : acre_quadtree_pairs(first, rules, pairs, capacity, total);
}

static const acre_quadtree *partner(const query_trees *second, uint32_t k)
{
    return second ? second->trees[k % second->count] : NULL;
}

// The pairs of every kernel: the same ones in the same order, and the oracle's once they are
// sorted.
static bool kernels_agree(const query_trees *first, const query_trees *second,
                          const acre_pairs_rules *rules, const acre_pair *expected, size_t count,
                          acre_pair *in_order)
{
    static acre_pair pairs[MOST_PAIRS], sorted[MOST_PAIRS];
    for (uint32_t k = 0; k < first->count; k++) {
        size_t total = SIZE_MAX;
        acre_pair *const into = k == 0 ? in_order : pairs;
        if (ask(first->trees[k], partner(second, k + 1), rules, into, MOST_PAIRS, &total) !=
                ACRE_OK ||
            total != count || memcmp(into, in_order, count * sizeof *into) != 0) {
            printf("     kernel %u: %zu pairs, not %zu\n", k, total, count);
            return false;
        }
    }
    memcpy(sorted, in_order, count * sizeof *sorted);
    sort_pairs(sorted, count);
    compared += count * first->count;
    return memcmp(sorted, expected, count * sizeof *sorted) == 0;
}

// With too little room the first pairs are written, all are counted, and nothing else is touched.
static bool fits_room(const query_trees *first, const query_trees *second,
                      const acre_pairs_rules *rules, const acre_pair *in_order, size_t count,
                      size_t room)
{
    static acre_pair pairs[MOST_PAIRS + 1];
    for (uint32_t k = 0; k < first->count; k++) {
        size_t total = SIZE_MAX;
        const size_t written = room < count ? room : count;
        pairs[room] = (acre_pair){GUARD, GUARD};
        if (ask(first->trees[k], partner(second, k), rules, room ? pairs : NULL, room, &total) !=
                ACRE_OK ||
            total != count || memcmp(pairs, in_order, written * sizeof *pairs) != 0 ||
            pairs[room].a != GUARD || pairs[room].b != GUARD) {
            printf("     kernel %u: room %zu, %zu pairs, not %zu\n", k, room, total, count);
            return false;
        }
    }
    return true;
}

static bool is_right(const query_trees *first, const query_trees *second,
                     const acre_pairs_rules *rules, test_random *random)
{
    static acre_pair expected[MOST_PAIRS], in_order[MOST_PAIRS];
    const size_t count = brute_force_pairs(&first->oracle, second ? &second->oracle : NULL, rules,
                                           expected, MOST_PAIRS);
    if (count > MOST_PAIRS || !kernels_agree(first, second, rules, expected, count, in_order)) {
        return false;
    }
    const size_t rooms[] = {0,
                            1,
                            count ? count - 1 : 0,
                            count,
                            count + 1 < MOST_PAIRS ? count + 1 : count,
                            random_below(random, (uint32_t)count + 1)};
    return fits_room(first, second, rules, in_order, count, rooms[random_below(random, 6)]);
}

// What the pairs of each item add up to: all of them, twice.
static bool items_agree(const query_trees *all, uint32_t k, const acre_pairs_rules *rules)
{
    const brute_force *const oracle = &all->oracle;
    uint32_t items[ITEMS + 1];
    size_t sum = 0;
    for (uint32_t item = 0; item < oracle->capacity; item++) {
        size_t total = 0;
        items[ITEMS] = GUARD;
        const acre_result result =
            acre_quadtree_item_pairs(all->trees[k], item, rules, items, ITEMS, &total);
        if (result != (oracle->present[item] ? ACRE_OK : ACRE_ERROR_NOT_FOUND) || total >= ITEMS ||
            items[ITEMS] != GUARD) {
            return false;
        }
        sort_numbers(items, total);
        for (size_t i = 0; i < total; i++) {
            const uint32_t other = items[i];
            if (other == item || (i > 0 && other == items[i - 1]) ||
                !brute_force_is_pair(&oracle->boxes[item], oracle->layers[item],
                                     &oracle->boxes[other], oracle->layers[other], rules)) {
                return false;
            }
        }
        sum += total;
    }
    return sum == 2 * brute_force_pairs(oracle, NULL, rules, NULL, 0);
}

// ---- random streams ----

static void all_pairs_are_found_once_by_every_kernel_while_trees_are_edited(void)
{
    test_random random = {test_seed};
    compared = 0;
    for (uint32_t round = 0; round < 12 * test_scale; round++) {
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, round % 9 == 8 ? 3 : ITEMS - round % 50));
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t meets[32];
            const acre_pairs_rules rules = random_pairs_rules(&random, meets);
            CHECK(query_trees_edit(&all, &random, NULL));
            CHECK(is_right(&all, NULL, &rules, &random));
            CHECK(i % 5 || items_agree(&all, random_below(&random, all.count), &rules));
        }
        query_trees_free(&all);
    }
    printf("     %llu comparisons\n", (unsigned long long)compared);
    CHECK(compared >= 150000);
}

// The second tree has a root, cells and items of its own.
static void all_pairs_between_two_trees_are_found_once(void)
{
    test_random random = {test_seed};
    compared = 0;
    for (uint32_t round = 0; round < QUERY_SETTING_COUNT * test_scale; round++) {
        query_trees first, second;
        acre_quadtree_def def = query_settings[round % QUERY_SETTING_COUNT].tree;
        CHECK(query_trees_init_setting(&first, round, ITEMS / 2));
        def.center[0] += 0.7f * def.half_size;
        def.half_size *= 3;
        def.max_depth = 5;
        def.node_capacity = round % 2 ? 0 : 5;
        def.item_capacity = ITEMS / 2 + 7;
        CHECK(query_trees_init(&second, &def));
        second.ground.world = first.ground.world;
        CHECK(query_trees_fill(&first, &random, ITEMS / 2));
        CHECK(query_trees_fill(&second, &random, ITEMS / 2 - round));
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t meets[32];
            const acre_pairs_rules rules = random_pairs_rules(&random, meets);
            CHECK(query_trees_edit(&first, &random, NULL));
            CHECK(query_trees_edit(&second, &random, NULL));
            CHECK(is_right(&first, &second, &rules, &random));
            CHECK(is_right(&second, &first, &rules, &random));
        }
        query_trees_free(&first);
        query_trees_free(&second);
    }
    printf("     %llu comparisons\n", (unsigned long long)compared);
    CHECK(compared >= 100000);
}

// ---- worlds by hand ----

// Trees of every kernel with these boxes as items 0, 1, ...
static bool plant(query_trees *all, uint32_t node_capacity, const acre_aabb *boxes, uint32_t count)
{
    const acre_quadtree_def def = {
        .half_size = 64, .node_capacity = node_capacity, .item_capacity = count};
    bool ok = query_trees_init(all, &def);
    for (uint32_t item = 0; ok && item < count; item++) {
        ok &= brute_force_insert(&all->oracle, item, &boxes[item]) == ACRE_OK;
        for (uint32_t k = 0; k < all->count; k++) {
            ok &= acre_quadtree_insert(all->trees[k], item, &boxes[item]) == ACRE_OK;
        }
    }
    return ok;
}

// Plants the boxes in trees of small and of large leaves; counts[flags] are the pairs by each.
static bool has_pairs(const acre_aabb *boxes, uint32_t count, const size_t *counts)
{
    static const uint32_t capacities[] = {1, 20, 0};
    test_random random = {test_seed};
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        query_trees all;
        ok &= plant(&all, capacities[i], boxes, count);
        for (uint32_t flags = 0; ok && flags <= all_flags; flags++) {
            const acre_pairs_rules rules = {.flags = flags};
            size_t total = 0;
            ok &= is_right(&all, NULL, &rules, &random);
            ok &= acre_quadtree_pairs(all.trees[0], &rules, NULL, 0, &total) == ACRE_OK;
            ok &= total == counts[flags];
        }
        query_trees_free(&all);
    }
    return ok;
}

static size_t pairs_of(size_t count)
{
    return count * (count - 1) / 2;
}

// Cubes without gaps: neighbors touch, and lie on cell lines. Of n cubes in a row, 3 n - 2 pairs
// in order touch, themselves counted.
static void cubes_without_gaps_touch_their_neighbors_and_do_not_overlap(void)
{
    enum { SIDE = 12, FLOORS = 3, COUNT = SIDE * SIDE * FLOORS };
    acre_aabb boxes[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        const float x = 4.0f * (float)(i % SIDE) - 24, z = 4.0f * (float)(i / SIDE % SIDE) - 24;
        const float y = 4.0f * (float)(i / SIDE / SIDE);
        boxes[i] = (acre_aabb){{x, y, z}, {x + 4, y + 4, z + 4}};
    }
    const size_t row = 3 * SIDE - 2, column = 3 * FLOORS - 2;
    size_t counts[4];
    counts[0] = (row * row * column - COUNT) / 2;
    counts[ACRE_PAIRS_ON_GROUND] = (row * row * FLOORS * FLOORS - COUNT) / 2;
    counts[ACRE_PAIRS_NOT_TOUCHING] = 0;
    counts[all_flags] = SIDE * SIDE * pairs_of(FLOORS);
    CHECK(has_pairs(boxes, COUNT, counts));
}

static void boxes_at_one_place_all_meet_and_points_there_share_no_more_than_the_point(void)
{
    enum { COUNT = 500, SOME = 130 };
    static acre_aabb boxes[COUNT];
    const size_t all = pairs_of(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        boxes[i] = (acre_aabb){{3, 0, 5}, {4, 1, 6}};
    }
    CHECK(has_pairs(boxes, COUNT, (size_t[]){all, all, all, all}));
    const size_t some = pairs_of(SOME);
    for (uint32_t i = 0; i < SOME; i++) {
        boxes[i] = (acre_aabb){{3, -1, 5}, {3, -1, 5}};
    }
    CHECK(has_pairs(boxes, SOME, (size_t[]){some, some, 0, 0}));
    for (uint32_t i = 0; i < SOME; i++) { // flat: no height to share
        boxes[i] = (acre_aabb){{3, 0, 5}, {4, 0, 6}};
    }
    CHECK(has_pairs(boxes, SOME, (size_t[]){some, some, 0, some}));
}

static void nested_boxes_all_meet(void)
{
    enum { COUNT = 100 };
    acre_aabb boxes[COUNT];
    const size_t all = pairs_of(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) { // from a millimetre to beyond the root
        const float half = 0.001f * powf(1.15f, (float)i);
        boxes[i] = (acre_aabb){{20 - half, -half, -half}, {20 + half, half, half}};
    }
    CHECK(has_pairs(boxes, COUNT, (size_t[]){all, all, all, all}));
    for (uint32_t i = 0; i < COUNT; i++) { // with one corner in common
        const float size = 0.001f * powf(1.15f, (float)i);
        boxes[i] = (acre_aabb){{16, 0, 16}, {16 + size, size, 16 + size}};
    }
    CHECK(has_pairs(boxes, COUNT, (size_t[]){all, all, all, all}));
}

static void the_storeys_of_a_tower_meet_on_the_ground_alone(void)
{
    enum { COUNT = 250 };
    acre_aabb boxes[COUNT];
    const size_t all = pairs_of(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float y = 3.0f * (float)(i * 37 % COUNT);
        boxes[i] = (acre_aabb){{0, y, 0}, {10, y + 2, 10}};
    }
    CHECK(has_pairs(boxes, COUNT, (size_t[]){0, all, 0, all}));
    for (uint32_t i = 0; i < COUNT; i++) { // one storey's roof is the next one's floor
        boxes[i].max[1] = boxes[i].min[1] + 3;
    }
    CHECK(has_pairs(boxes, COUNT, (size_t[]){COUNT - 1, all, 0, all}));
}

// More groups than a search lists at once, all in one node: each box meets the next one in the row.
static void the_groups_of_a_crowded_node_meet_once(void)
{
    enum { COUNT = 9001, STEP = 37 };
    static acre_pair pairs[COUNT];
    static bool is_met[COUNT];
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = COUNT, .node_capacity = 2 * COUNT};
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t item = i * STEP % COUNT;
        const float x = (float)item;
        CHECK(acre_quadtree_insert(tree, item, &(acre_aabb){{x, 0, 0}, {x + 1.5f, 1, 1}}) ==
              ACRE_OK);
    }
    const size_t rooms[] = {0, COUNT / 2, COUNT};
    for (uint32_t r = 0; r < 3; r++) {
        size_t total = 0;
        CHECK(acre_quadtree_pairs(tree, NULL, pairs, rooms[r], &total) == ACRE_OK);
        CHECK(total == COUNT - 1);
        memset(is_met, 0, sizeof is_met);
        for (size_t i = 0; i < total && i < rooms[r]; i++) {
            CHECK(pairs[i].b == pairs[i].a + 1 && !is_met[pairs[i].a]);
            is_met[pairs[i].a] = true;
        }
    }
    acre_quadtree_destroy(tree);
}

// Small boxes apart from each other, on a grid.
static acre_aabb apart(uint32_t i)
{
    const float x = 3.0f * (float)(i % 20) - 30, z = 3.0f * (float)(i / 20 % 20) - 30;
    return (acre_aabb){{x, 0, z}, {x + 1, 1, z + 1}};
}

static void giants_over_everything_meet_everything_once(void)
{
    enum { COUNT = 400, GIANTS = 35 };
    static acre_aabb boxes[COUNT];
    for (uint32_t giants = 1; giants <= GIANTS; giants += GIANTS - 1) {
        for (uint32_t i = 0; i < COUNT; i++) {
            const float wide = 50 + (float)(i % 7) * 20; // some are larger than the root
            const bool is_giant = i % 11 == 3 && i / 11 < giants;
            boxes[i] = is_giant ? (acre_aabb){{-wide, -1, -wide}, {wide, 5, wide}} : apart(i);
        }
        const size_t all = giants * (COUNT - giants) + pairs_of(giants);
        CHECK(has_pairs(boxes, COUNT, (size_t[]){all, all, all, all}));
    }
}

static void endless_boxes_and_boxes_far_away_meet_what_they_reach(void)
{
    enum { COUNT = 120 };
    acre_aabb boxes[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        boxes[i] = apart(i);
    }
    boxes[10] = (acre_aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    boxes[50] = (acre_aabb){{1e30f, 0, 1e30f}, {2e30f, 1, 2e30f}}; // beyond any root
    boxes[51] = (acre_aabb){{1.5e30f, 0.5f, 1e30f}, {INFINITY, 1, 1e31f}};
    boxes[52] = (acre_aabb){{2e30f, 1, 2e30f}, {3e30f, 2, 3e30f}}; // touches 50 in a corner
    boxes[53] = (acre_aabb){{-INFINITY, 9, -INFINITY}, {INFINITY, INFINITY, INFINITY}}; // above
    const size_t small = COUNT - 5, by_all = COUNT - 1;
    size_t counts[4];
    counts[0] = by_all + 3; // 50-51, 50-52, 51-52
    counts[ACRE_PAIRS_ON_GROUND] = by_all + 3 + small + 3;
    counts[ACRE_PAIRS_NOT_TOUCHING] = by_all + 1;
    counts[all_flags] = by_all + 2 + small + 3;
    CHECK(has_pairs(boxes, COUNT, counts));
}

static void upkeep_does_not_change_the_pairs_but_a_clear_ends_them(void)
{
    test_random random = {test_seed};
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 8, .item_capacity = ITEMS};
    query_trees all;
    CHECK(query_trees_init(&all, &def));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    CHECK(is_right(&all, NULL, NULL, &random));
    for (uint32_t k = 0; k < all.count; k++) {
        CHECK(acre_quadtree_optimize(all.trees[k]) == ACRE_OK);
    }
    CHECK(is_right(&all, NULL, NULL, &random));
    for (uint32_t item = 0; item < ITEMS; item++) { // cells collapse
        CHECK(item % 8 == 0 || brute_force_remove(&all.oracle, item) == ACRE_OK);
        for (uint32_t k = 0; k < all.count; k++) {
            CHECK(item % 8 == 0 || acre_quadtree_remove(all.trees[k], item) == ACRE_OK);
        }
    }
    CHECK(is_right(&all, NULL, NULL, &random));
    for (uint32_t k = 0; k < all.count; k++) {
        CHECK(acre_quadtree_maintain(all.trees[k]) == ACRE_OK);
        CHECK(acre_quadtree_tighten(all.trees[k]) == ACRE_OK);
        CHECK(acre_quadtree_trim(all.trees[k]) == ACRE_OK);
    }
    const uint64_t hash = acre_quadtree_state_hash(all.trees[0]);
    CHECK(is_right(&all, NULL, NULL, &random));
    CHECK(items_agree(&all, all.count - 1, NULL));
    CHECK(acre_quadtree_state_hash(all.trees[0]) == hash);
    for (uint32_t k = 0; k < all.count; k++) {
        acre_quadtree_clear(all.trees[k]);
    }
    brute_force_clear(&all.oracle);
    CHECK(is_right(&all, NULL, NULL, &random));
    query_trees_free(&all);
}

static void a_tree_without_items_has_no_pairs(void)
{
    test_random random = {test_seed};
    const acre_quadtree_def def = {.half_size = 64, .item_capacity = ITEMS};
    query_trees empty, full, one;
    CHECK(query_trees_init(&empty, &def) && query_trees_init(&full, &def));
    CHECK(query_trees_init(&one, &def));
    CHECK(query_trees_fill(&full, &random, ITEMS) && query_trees_fill(&one, &random, 1));
    CHECK(is_right(&empty, NULL, NULL, &random) && is_right(&one, NULL, NULL, &random));
    CHECK(is_right(&empty, &full, NULL, &random) && is_right(&full, &empty, NULL, &random));
    CHECK(is_right(&one, &full, NULL, &random) && is_right(&full, &one, NULL, &random));
    CHECK(is_right(&empty, &one, NULL, &random));
    query_trees_free(&empty);
    query_trees_free(&full);
    query_trees_free(&one);
}

// ---- layers ----

// Three boxes at one place, in the layers 0, 1 and 2; a fourth in 0 and 2; a fifth in 20.
static bool plant_layers(query_trees *all)
{
    static const uint32_t layers[] = {1, 2, 4, 5, 1u << 20};
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}}, boxes[] = {box, box, box, box, box};
    bool ok = plant(all, 0, boxes, 5);
    for (uint32_t item = 0; ok && item < 5; item++) {
        ok &= brute_force_set_layers(&all->oracle, item, layers[item]) == ACRE_OK;
        for (uint32_t k = 0; k < all->count; k++) {
            ok &= acre_quadtree_set_layers(all->trees[k], item, layers[item]) == ACRE_OK;
        }
    }
    return ok;
}

// Whether exactly these pairs are there; each is a * 10 + b.
static bool are_pairs(const query_trees *all, const uint32_t *meets, const uint32_t *wanted,
                      size_t count)
{
    test_random random = {test_seed};
    const acre_pairs_rules rules = {.meets = meets};
    acre_pair pairs[16];
    size_t total = 0;
    bool ok = is_right(all, NULL, &rules, &random) && items_agree(all, 0, &rules);
    ok &= acre_quadtree_pairs(all->trees[0], &rules, pairs, 16, &total) == ACRE_OK;
    ok &= total == count;
    sort_pairs(pairs, total < 16 ? total : 16);
    for (size_t i = 0; ok && i < count; i++) {
        ok &= pairs[i].a * 10 + pairs[i].b == wanted[i];
    }
    return ok;
}

static void layers_decide_who_meets_whom(void)
{
    query_trees all;
    CHECK(plant_layers(&all));
    uint32_t meets[32] = {0};
    CHECK(are_pairs(&all, NULL, (uint32_t[]){3, 23}, 2)); // 0-3 and 2-3
    CHECK(are_pairs(&all, meets, NULL, 0));
    meets[0] = 1u << 1; // layer 0 meets layer 1, and not itself
    CHECK(are_pairs(&all, meets, (uint32_t[]){1, 13}, 2));
    meets[0] = 0; // the same, said from the other side
    meets[1] = 1u << 0;
    CHECK(are_pairs(&all, meets, (uint32_t[]){1, 13}, 2));
    meets[0] = 1u << 1;
    CHECK(are_pairs(&all, meets, (uint32_t[]){1, 13}, 2));
    meets[2] = 1u << 2;
    CHECK(are_pairs(&all, meets, (uint32_t[]){1, 13, 23}, 3));
    memset(meets, 0xff, sizeof meets); // all meet all
    CHECK(are_pairs(&all, meets, (uint32_t[]){1, 2, 3, 4, 12, 13, 14, 23, 24, 34}, 10));
    memset(meets, 0, sizeof meets);
    meets[31] = 1u << 31;
    CHECK(are_pairs(&all, meets, NULL, 0));
    query_trees_free(&all);
}

static void a_tree_that_never_heard_of_layers_is_in_all_of_them(void)
{
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}}, boxes[] = {box, box};
    query_trees all, layered;
    test_random random = {test_seed};
    uint32_t meets[32] = {0};
    const acre_pairs_rules rules = {.meets = meets};
    size_t total = 9;
    CHECK(plant(&all, 0, boxes, 2) && plant_layers(&layered));
    CHECK(are_pairs(&all, NULL, (uint32_t[]){1}, 1) && are_pairs(&all, meets, NULL, 0));
    CHECK(is_right(&all, &layered, NULL, &random) && is_right(&layered, &all, NULL, &random));
    CHECK(is_right(&all, &layered, &rules, &random));
    CHECK(acre_quadtree_pairs_between(all.trees[0], layered.trees[0], NULL, NULL, 0, &total) ==
          ACRE_OK);
    CHECK(total == 2 * 5);
    meets[7] = 1u << 9;
    CHECK(are_pairs(&all, meets, (uint32_t[]){1}, 1));
    CHECK(is_right(&all, &layered, &rules, &random));
    meets[31] = 1u << 1; // of the tree without layers, layer 31
    CHECK(acre_quadtree_pairs_between(all.trees[0], layered.trees[0], &rules, NULL, 0, &total) ==
          ACRE_OK);
    CHECK(total == 2 * 1 && is_right(&all, &layered, &rules, &random));
    query_trees_free(&all);
    query_trees_free(&layered);
}

// ---- work ----

enum { FEW = 5000, MANY = 20000 };

// A kernel that counts the nodes and groups that it is given to look at.
static const query_kernel *counted_box;
static const pair_kernel *counted;
static uint64_t looked_at;

static size_t pair_and_count(const pair_task *task, uint32_t block, uint32_t count, acre_pair *out)
{
    looked_at += BLOCK_GROUPS;
    return counted->find_in_block(task, block, count, out);
}

static uint32_t list_and_count(const pair_task *task, const float *bounds, uint32_t first,
                               uint32_t *out)
{
    looked_at += task->candidates.count - first;
    return counted->list_group_pairs(task, bounds, first, out);
}

static size_t meet_and_count(const pair_task *task, uint32_t first, uint32_t end, acre_pair *out)
{
    looked_at += end - first;
    return counted->find_in_group_pairs(task, first, end, out);
}

static uint32_t blocks_of_chain(const acre_quadtree *tree, uint32_t word)
{
    uint32_t blocks = 1, block = chain_block(word);
    for (bool more = chain_more(word); more; more = tree->next[block] != NONE) {
        block = tree->next[block];
        blocks++;
    }
    return blocks;
}

// Chains count when they are begun.
static void visit_and_count(const query_volume *volume, const acre_quadtree *tree,
                            const node_lists *nodes, uint32_t most_listed, chain_position *place,
                            group_lists *lists)
{
    uint32_t node = place->node + (place->block != NONE);
    counted_box->visit_chains(volume, tree, nodes, most_listed, place, lists);
    for (; node < place->node + (place->block != NONE); node++) {
        looked_at += (uint64_t)blocks_of_chain(tree, nodes->intersecting[node]) * BLOCK_GROUPS;
    }
}

static void walk_and_count(const query_volume *volume, quad_descent *walk, node_lists *lists)
{
    const size_t before = walk->nodes_tested;
    counted_box->descend(volume, walk, lists);
    looked_at += walk->nodes_tested - before;
}

typedef enum world_kind {
    WORLD_EVEN,
    WORLD_ONE_GIANT,
    WORLD_GIANTS,
    WORLD_ENDLESS,
    WORLD_TOWN,
    WORLD_ROAD,
    WORLD_KIND_COUNT
} world_kind;

// As dense at any count: a box in 9 square meters of a square, a hundredth of it, or of a strip.
static acre_aabb box_in_world(test_random *random, world_kind kind, uint32_t item, uint32_t count)
{
    const float half = 1.5f * sqrtf((float)count);
    const bool is_town = kind == WORLD_TOWN && item % 10 != 0;
    const float reach = is_town ? 0.3f * half : half;
    float x = random_float(random, -reach, reach), z = random_float(random, -reach, reach);
    if (kind == WORLD_ROAD) {
        x *= 0.25f * half;
        z *= 4.0f / half;
    }
    const uint32_t giants = kind == WORLD_ONE_GIANT ? 1 : kind == WORLD_GIANTS ? 40 : 0;
    if (item < giants) {
        return (acre_aabb){{-half, -9, -half}, {half, 9, half}};
    }
    if (kind == WORLD_ENDLESS && item < 20) {
        return (acre_aabb){{-INFINITY, 0, -1}, {INFINITY, 1, 1}};
    }
    return (acre_aabb){{x, 0, z}, {x + 0.7f, 1, z + 0.7f}};
}

// A tree of such a world, built anew or item by item.
static acre_quadtree *make_world(world_kind kind, uint32_t count, bool in_order)
{
    test_random random = {test_seed};
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 2.0f * sqrtf((float)count)};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t item = 0; ok && item < count; item++) {
        const acre_aabb box = box_in_world(&random, kind, item, count);
        ok &= acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    ok &= !in_order || acre_quadtree_optimize(tree) == ACRE_OK;
    return ok ? tree : NULL;
}

static size_t sum_item_pairs(const acre_quadtree *tree, uint32_t count)
{
    size_t sum = 0;
    for (uint32_t item = 0; item < count; item++) {
        size_t total = 0;
        sum += acre_quadtree_item_pairs(tree, item, NULL, NULL, 0, &total) == ACRE_OK ? total : 0;
    }
    return sum;
}

// Nodes and groups looked at for all pairs, of which *pairs receives the number.
static uint64_t count_work(world_kind kind, uint32_t count, bool in_order, size_t *pairs)
{
    acre_quadtree *const tree = make_world(kind, count, in_order);
    if (!tree) {
        return UINT64_MAX;
    }
    counted = pair_kernel_of(tree);
    counted_box = &volume_kernel_of(tree)->box;
    const query_kernel box = {walk_and_count, visit_and_count, counted_box->select_groups,
                              counted_box->select_slots};
    const pair_kernel pair = {pair_and_count, list_and_count, meet_and_count};
    looked_at = 0;
    *pairs = acre_search_pairs((pair_kernels){&box, &pair}, tree, tree, NULL, NULL, 0);
    const bool has_sum = count <= FEW || kind == WORLD_ONE_GIANT; // asking each takes a while
    const bool is_good = !has_sum || 2 * *pairs == sum_item_pairs(tree, count);
    acre_quadtree_destroy(tree);
    return is_good ? looked_at : UINT64_MAX;
}

// The pairs are those of each item. Nothing is compared with everything: four times the items are
// four times the work and a little more, also where giants meet all of them.
static void work_grows_with_the_items_and_the_pairs(void)
{
    for (uint32_t i = 0; i < 2 * WORLD_KIND_COUNT; i++) {
        const world_kind kind = (world_kind)(i / 2);
        size_t few_pairs = 0, many_pairs = 0;
        const uint64_t few = count_work(kind, FEW, i % 2, &few_pairs);
        const uint64_t many = count_work(kind, MANY, i % 2, &many_pairs);
        CHECK(few > FEW / GROUP_SLOTS && many != UINT64_MAX);
        CHECK(many < 6 * few && many < 6 * MANY);
        CHECK(many_pairs < 6 * few_pairs);
    }
}

// ---- misuse ----

static void what_cannot_be_paired_is_refused(void)
{
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}}, boxes[] = {box, box};
    const acre_pairs_rules unknown = {.flags = 4};
    query_trees all, other;
    CHECK(plant(&all, 0, boxes, 2) && plant(&other, 0, boxes, 2));
    acre_quadtree *const tree = all.trees[0], *const second = other.trees[0];
    acre_pair pairs[4] = {{GUARD, GUARD}};
    uint32_t items[4] = {GUARD};
    size_t total = 77;
    CHECK(acre_quadtree_pairs(NULL, NULL, pairs, 4, &total) == invalid);
    CHECK(acre_quadtree_pairs(tree, NULL, NULL, 1, &total) == invalid);
    CHECK(acre_quadtree_pairs(tree, &unknown, pairs, 4, &total) == invalid);
    CHECK(acre_quadtree_pairs_between(NULL, second, NULL, pairs, 4, &total) == invalid);
    CHECK(acre_quadtree_pairs_between(tree, NULL, NULL, pairs, 4, &total) == invalid);
    CHECK(acre_quadtree_pairs_between(tree, tree, NULL, pairs, 4, &total) == invalid);
    CHECK(acre_quadtree_pairs_between(tree, second, NULL, NULL, 1, &total) == invalid);
    CHECK(acre_quadtree_pairs_between(tree, second, &unknown, pairs, 4, &total) == invalid);
    CHECK(acre_quadtree_item_pairs(NULL, 0, NULL, items, 4, &total) == invalid);
    CHECK(acre_quadtree_item_pairs(tree, 0, NULL, NULL, 1, &total) == invalid);
    CHECK(acre_quadtree_item_pairs(tree, 0, &unknown, items, 4, &total) == invalid);
    CHECK(acre_quadtree_item_pairs(tree, 2, NULL, items, 4, &total) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_quadtree_item_pairs(tree, UINT32_MAX, NULL, items, 4, &total) ==
          ACRE_ERROR_NOT_FOUND);
    CHECK(total == 0 && pairs[0].a == GUARD && items[0] == GUARD);
    CHECK(acre_quadtree_pairs(tree, NULL, pairs, 4, NULL) == ACRE_OK);
    CHECK(pairs[0].a == 0 && pairs[0].b == 1);
    CHECK(acre_quadtree_pairs_between(tree, second, NULL, NULL, 0, NULL) == ACRE_OK);
    CHECK(acre_quadtree_item_pairs(tree, 0, NULL, items, 4, NULL) == ACRE_OK && items[0] == 1);
    CHECK(acre_quadtree_item_pairs(tree, 0, NULL, NULL, 0, &total) == ACRE_OK && total == 1);
    query_trees_free(&all);
    query_trees_free(&other);
}

// With checks on, a tree that somebody edits is left alone; without, nobody looks.
static void a_tree_that_is_being_edited_is_busy(void)
{
    const acre_result expected = ACRE_CHECK >= 1 ? ACRE_ERROR_BUSY : ACRE_OK;
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}}, boxes[] = {box, box};
    query_trees all, other;
    CHECK(plant(&all, 0, boxes, 2) && plant(&other, 0, boxes, 2));
    acre_quadtree *const tree = all.trees[0], *const second = other.trees[0];
    CHECK(access_begin_write(&tree->access));
    CHECK(acre_quadtree_pairs(tree, NULL, NULL, 0, NULL) == expected);
    CHECK(acre_quadtree_pairs_between(tree, second, NULL, NULL, 0, NULL) == expected);
    CHECK(acre_quadtree_pairs_between(second, tree, NULL, NULL, 0, NULL) == expected);
    access_end_write(&tree->access);
    // Nobody was left inside.
    CHECK(acre_quadtree_remove(tree, 1) == ACRE_OK && acre_quadtree_remove(second, 1) == ACRE_OK);
    CHECK(acre_quadtree_pairs(tree, NULL, NULL, 0, NULL) == ACRE_OK);
    CHECK(acre_quadtree_remove(tree, 0) == ACRE_OK);
    query_trees_free(&all);
    query_trees_free(&other);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(all_pairs_are_found_once_by_every_kernel_while_trees_are_edited),
        TEST(all_pairs_between_two_trees_are_found_once),
        TEST(cubes_without_gaps_touch_their_neighbors_and_do_not_overlap),
        TEST(boxes_at_one_place_all_meet_and_points_there_share_no_more_than_the_point),
        TEST(nested_boxes_all_meet),
        TEST(the_storeys_of_a_tower_meet_on_the_ground_alone),
        TEST(the_groups_of_a_crowded_node_meet_once),
        TEST(giants_over_everything_meet_everything_once),
        TEST(endless_boxes_and_boxes_far_away_meet_what_they_reach),
        TEST(upkeep_does_not_change_the_pairs_but_a_clear_ends_them),
        TEST(a_tree_without_items_has_no_pairs),
        TEST(layers_decide_who_meets_whom),
        TEST(a_tree_that_never_heard_of_layers_is_in_all_of_them),
        TEST(work_grows_with_the_items_and_the_pairs),
        TEST(what_cannot_be_paired_is_refused),
        TEST(a_tree_that_is_being_edited_is_busy),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
