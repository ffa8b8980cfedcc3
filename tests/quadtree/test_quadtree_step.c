// SPDX-License-Identifier: MIT
// test_quadtree_step.c - queries in steps: together they are the query, and edits between the steps
// lose no item that stands still.
#include "query_trees.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 500, ROUNDS = 24, MOST_STEPS = 20000 };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;

// ---- a tree that stands still ----

// Runs a query in steps, each of its own budget. @return how many steps, 0 if something is wrong.
static size_t run_steps(const acre_quadtree *tree, const acre_query *query, size_t budget,
                        uint32_t *out, size_t *count)
{
    acre_query_cursor cursor = {.is_done = false};
    *count = 0;
    for (size_t steps = 1; steps < MOST_STEPS; steps++) {
        size_t total = SIZE_MAX;
        if (acre_quadtree_query_step(tree, query, &cursor, budget, out + *count, ITEMS - *count,
                                     &total) != ACRE_OK ||
            total > ITEMS - *count) {
            return 0;
        }
        *count += total;
        if (cursor.is_done) {
            return steps;
        }
    }
    return 0;
}

static bool steps_agree(const query_trees *all, const generated_query *generated, size_t budget)
{
    uint32_t first[ITEMS], found[ITEMS];
    size_t first_count = 0, count = 0, first_steps = 0;
    for (uint32_t k = 0; k < all->count; k++) {
        const size_t steps = run_steps(all->trees[k], &generated->query, budget, found, &count);
        if (k == 0) {
            first_steps = steps;
            first_count = count;
            memcpy(first, found, count * sizeof *found);
        }
        if (steps == 0 || steps != first_steps || count != first_count ||
            memcmp(first, found, count * sizeof *found) != 0) {
            return false;
        }
    }
    sort_numbers(first, first_count);
    return brute_force_agrees(&all->oracle, &generated->query, first, first_count);
}

static void the_steps_of_a_query_find_each_result_once(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < ROUNDS * test_scale; round++) {
        static const size_t budgets[] = {0, 1, 4, 5, 16, 100, SIZE_MAX};
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, round % 9 == 8 ? 3 : ITEMS - round));
        for (uint32_t i = 0; i < 5 * QUERY_SHAPE_COUNT; i++) {
            static generated_query generated;
            CHECK(query_trees_edit(&all, &random, NULL));
            generate_query(&random, &all.ground, (acre_query_shape)(1 + i % QUERY_SHAPE_COUNT),
                           &generated);
            CHECK(steps_agree(&all, &generated, budgets[random_below(&random, 7)]));
        }
        query_trees_free(&all);
    }
}

static void a_small_budget_takes_many_steps_and_a_large_one_takes_one(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_quadtree_stats stats;
    uint32_t found[ITEMS];
    size_t count = 0;
    acre_quadtree_get_stats(all.trees[0], &stats);
    const size_t many = run_steps(all.trees[0], &query, 4, found, &count);
    CHECK(many > stats.nodes / 32 && many <= stats.nodes + 2 && count == ITEMS);
    CHECK(run_steps(all.trees[0], &query, SIZE_MAX, found, &count) == 1 && count == ITEMS);
    query_trees_free(&all);
}

static void steps_test_about_as_many_nodes_as_their_budget(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 1, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    for (uint32_t round = 0; round < 100 * test_scale; round++) {
        static generated_query generated;
        acre_query_stats stats;
        acre_query_cursor cursor = {.is_done = false};
        uint32_t found[ITEMS];
        const size_t budget = 1 + random_below(&random, 60);
        generate_any_query(&random, &all.ground, &generated);
        generated.query.stats = &stats;
        while (!cursor.is_done) {
            size_t total = 0;
            CHECK(acre_quadtree_query_step(all.trees[0], &generated.query, &cursor, budget, found,
                                           ITEMS, &total) == ACRE_OK);
            CHECK(stats.nodes_tested <= budget + 8);
        }
    }
    query_trees_free(&all);
}

static void a_finished_query_has_no_more_results(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query_cursor cursor = {.is_done = false};
    uint32_t found[ITEMS];
    size_t total = 0;
    while (!cursor.is_done) {
        CHECK(acre_quadtree_query_step(all.trees[0], &query, &cursor, 8, found, ITEMS, &total) ==
              ACRE_OK);
    }
    total = 77;
    CHECK(acre_quadtree_query_step(all.trees[0], &query, &cursor, 8, found, ITEMS, &total) ==
          ACRE_OK);
    CHECK(cursor.is_done && total == 0);
    query_trees_free(&all);
}

static void a_step_without_room_moves_nothing_and_tells_how_much_it_wants(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    uint32_t refused = 0;
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        static generated_query generated;
        uint32_t found[ITEMS];
        size_t count = 0;
        acre_query_cursor cursor = {.is_done = false};
        generate_any_query(&random, &all.ground, &generated);
        while (!cursor.is_done) {
            const acre_query_cursor before = cursor;
            const size_t room = random_below(&random, 4), budget = random_below(&random, 40);
            size_t total = 0, again = 0;
            CHECK(acre_quadtree_query_step(
                      all.trees[0], &generated.query, &cursor, budget, room ? found + count : NULL,
                      room < ITEMS - count ? room : ITEMS - count, &total) == ACRE_OK);
            if (total > room) {
                refused++;
                CHECK(memcmp(&before, &cursor, sizeof cursor) == 0);
                CHECK(acre_quadtree_query_step(all.trees[0], &generated.query, &cursor, budget,
                                               found + count, ITEMS - count, &again) == ACRE_OK);
                CHECK(again == total);
            }
            count += total;
        }
        sort_numbers(found, count);
        CHECK(brute_force_agrees(&all.oracle, &generated.query, found, count));
    }
    CHECK(refused > 100);
    query_trees_free(&all);
}

static void sorted_steps_are_each_in_ascending_order(void)
{
    test_random random = {test_seed};
    query_trees all;
    CHECK(query_trees_init_setting(&all, 0, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .flags = ACRE_QUERY_SORTED};
    acre_query_cursor cursor = {.is_done = false};
    uint32_t found[ITEMS];
    size_t sum = 0;
    while (!cursor.is_done) {
        size_t total = 0;
        CHECK(acre_quadtree_query_step(all.trees[0], &query, &cursor, 60, found, ITEMS, &total) ==
              ACRE_OK);
        for (size_t i = 1; i < total; i++) {
            CHECK(found[i - 1] < found[i]);
        }
        sum += total;
    }
    CHECK(sum == ITEMS);
    query_trees_free(&all);
}

// ---- edits between the steps ----

typedef struct edited_run {
    query_trees *all;
    test_random *random;
    const generated_query *generated;
    bool touched[ITEMS]; // edited since the query began
    bool found[ITEMS];
    uint64_t edits, still, steps;
} edited_run;

// What a step finds must be a result at that moment. @return NULL, or what is wrong.
static const char *take_step(edited_run *run, acre_query_cursor *cursors, bool *is_done)
{
    uint32_t first[ITEMS], found[ITEMS];
    size_t first_total = 0;
    const size_t budget = random_below(run->random, 4) ? random_below(run->random, 24)
                                                       : random_below(run->random, 200);
    for (uint32_t k = 0; k < run->all->count; k++) {
        size_t total = SIZE_MAX;
        uint32_t *const items = k == 0 ? first : found;
        if (acre_quadtree_query_step(run->all->trees[k], &run->generated->query, &cursors[k],
                                     budget, items, ITEMS, &total) != ACRE_OK) {
            return "a step fails";
        }
        if (total > ITEMS) {
            return "a step has more results than there are items";
        }
        first_total = k == 0 ? total : first_total;
        if (total != first_total || memcmp(items, first, total * sizeof *items) != 0 ||
            cursors[k].is_done != cursors[0].is_done) {
            return "a step differs among kernels";
        }
    }
    static uint32_t now[ITEMS];
    acre_query plain = run->generated->query;
    plain.flags &= ~(uint32_t)ACRE_QUERY_EXACT; // on an edge either answer is right
    bool is_result[ITEMS] = {false};
    const size_t count = brute_force_query(&run->all->oracle, &plain, now);
    for (size_t i = 0; i < count; i++) {
        is_result[now[i]] = true;
    }
    for (size_t i = 0; i < first_total; i++) {
        if (first[i] >= ITEMS || !is_result[first[i]]) {
            return "a step finds what is no result";
        }
        run->found[first[i]] = true;
    }
    run->steps++;
    *is_done = cursors[0].is_done;
    return NULL;
}

// Some edits, rarely many.
static bool edit_between(edited_run *run)
{
    const uint32_t count =
        random_below(run->random, 8) ? random_below(run->random, 3) : random_below(run->random, 24);
    for (uint32_t i = 0; i < count; i++) {
        run->edits++;
        if (!query_trees_edit(run->all, run->random, run->touched)) {
            return false;
        }
    }
    return true;
}

// @return NULL, or what is wrong.
static const char *run_edited(edited_run *run)
{
    acre_query_cursor cursors[ACRE_KERNEL_COUNT_];
    uint32_t expected[ITEMS];
    bool is_done = false;
    memset(cursors, 0, sizeof cursors);
    memset(run->touched, 0, sizeof run->touched);
    memset(run->found, 0, sizeof run->found);
    for (uint32_t steps = 0; !is_done; steps++) {
        if (steps > 4000) {
            return "a query among edits does not end";
        }
        const char *const fault = take_step(run, cursors, &is_done);
        if (fault) {
            return fault;
        }
        if (!is_done && !edit_between(run)) {
            return "an edit answers wrongly";
        }
    }
    const size_t count = brute_force_query(&run->all->oracle, &run->generated->query, expected);
    for (size_t i = 0; i < count; i++) {
        if (!run->touched[expected[i]]) {
            run->still++;
            if (!run->found[expected[i]]) {
                return "an item that stands still is missed";
            }
        }
    }
    return NULL;
}

static void edits_between_steps_lose_no_item_that_stands_still(void)
{
    static edited_run run;
    static generated_query generated;
    test_random random = {test_seed};
    uint64_t splits = 0, collapses = 0, grows = 0;
    run = (edited_run){.random = &random, .generated = &generated};
    for (uint32_t round = 0; round < ROUNDS * test_scale; round++) {
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, ITEMS / 2));
        run.all = &all;
        for (uint32_t i = 0; i < 40; i++) {
            generate_query(&random, &all.ground,
                           i % 4 ? (acre_query_shape)(1 + i % QUERY_SHAPE_COUNT)
                                 : ACRE_QUERY_SHAPE_ALL,
                           &generated);
            const char *const fault = run_edited(&run);
            if (fault) {
                printf("     %s: ", fault);
                print_query(&generated, stdout);
            }
            CHECK(!fault);
        }
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(all.trees[0], &stats);
        splits += stats.splits;
        collapses += stats.collapses;
        grows += stats.grows;
        query_trees_free(&all);
    }
    printf("     %llu steps, %llu edits, %llu items stood still; %llu splits, %llu collapses, "
           "%llu grows\n",
           (unsigned long long)run.steps, (unsigned long long)run.edits,
           (unsigned long long)run.still, (unsigned long long)splits, (unsigned long long)collapses,
           (unsigned long long)grows);
    CHECK(run.edits > 4000 && run.still > 4000);
    CHECK(splits > 500 && collapses > 100 && grows > 20);
}

enum { STILL = 200, FAR_AWAY = 60 };

// A cluster of items far away comes, or goes if it is there; upkeep then shrinks the root.
static bool toggle_cluster(acre_quadtree *tree, test_random *random)
{
    const float far = ldexpf(16, (int)random_below(random, 8));
    const float x = random_below(random, 2) ? far : -far, z = random_below(random, 2) ? far : -far;
    bool ok = true;
    for (uint32_t item = STILL; item < STILL + FAR_AWAY; item++) {
        const float east = x + random_float(random, 0, 4), south = z + random_float(random, 0, 4);
        const acre_aabb box = {{east, 0, south}, {east, 0, south}};
        ok &= (acre_quadtree_contains(tree, item)
                   ? acre_quadtree_remove(tree, item)
                   : acre_quadtree_insert(tree, item, &box)) == ACRE_OK;
    }
    for (uint32_t i = 0; i < 8; i++) {
        ok &= acre_quadtree_maintain(tree) == ACRE_OK;
    }
    return ok;
}

// Runs a query for everything while the root grows and shrinks, so that cells of the cursor are no
// more. @return whether each step did its work and all still items were found.
static bool run_among_roots(acre_quadtree *tree, test_random *random)
{
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query_cursor cursor = {.is_done = false};
    bool found[STILL + FAR_AWAY] = {false};
    for (uint32_t step = 0; !cursor.is_done; step++) {
        static uint32_t items[8 * (STILL + FAR_AWAY)];
        size_t total = 0;
        const size_t room = sizeof items / sizeof items[0], budget = random_below(random, 12);
        if (acre_quadtree_query_step(tree, &query, &cursor, budget, items, room, &total) !=
                ACRE_OK ||
            total > room) {
            return false;
        }
        for (size_t i = 0; i < total; i++) {
            found[items[i]] = true;
        }
        if (step < 60 && random_below(random, 2) && !toggle_cluster(tree, random)) {
            return false;
        }
    }
    for (uint32_t item = 0; item < STILL; item++) {
        if (!found[item]) {
            return false;
        }
    }
    return true;
}

static void roots_that_come_and_go_between_steps_lose_nothing(void)
{
    test_random random = {test_seed};
    uint64_t grows = 0, shrinks = 0;
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        acre_quadtree *tree = NULL;
        const acre_quadtree_def def = {.half_size = 4, .max_depth = 12, .node_capacity = 1};
        const box_world world = {{0, 0}, 4, 0x1p-6f};
        CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
        for (uint32_t item = 0; item < STILL; item++) {
            const acre_aabb box = box_of_kind(&random, &world, BOX_ORDINARY);
            CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
        }
        CHECK(run_among_roots(tree, &random));
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(tree, &stats);
        grows += stats.grows;
        shrinks += stats.shrinks;
        acre_quadtree_destroy(tree);
    }
    printf("     %llu grows, %llu shrinks\n", (unsigned long long)grows,
           (unsigned long long)shrinks);
    CHECK(grows > 300 && shrinks > 100);
}

static bool insert_point(acre_quadtree *tree, uint32_t item, float x, float z)
{
    const acre_aabb box = {{x, 0, z}, {x, 0, z}};
    return acre_quadtree_insert(tree, item, &box) == ACRE_OK;
}

static float root_width(const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    return stats.root_max[0] - stats.root_min[0];
}

// The root grows to the left and shrinks again, then to the right and to the left: cells of the
// same size now lie half a cell beside those that the cursor has kept.
static void cells_that_lie_otherwise_than_before_are_not_taken_for_the_old_ones(void)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 1, .max_depth = 6, .node_capacity = 1};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query_cursor cursor = {.is_done = false};
    uint32_t items[64], found = 0;
    size_t total = 0;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < 8; item++) { // these stand still
        const float at = 0.2f * (float)item - 0.75f;
        CHECK(insert_point(tree, item, at, -at));
    }
    CHECK(root_width(tree) == 2.0f && insert_point(tree, 8, -2.5f, 0.0f));
    CHECK(root_width(tree) == 4.0f);
    const acre_aabb wide = {{-2.5f, 0, -1.0f}, {0.5f, 0, -1.0f}}; // stands in the root
    CHECK(acre_quadtree_insert(tree, 16, &wide) == ACRE_OK);
    CHECK(acre_quadtree_query_step(tree, &query, &cursor, 1, items, 64, &total) == ACRE_OK);
    CHECK(total == 1 && items[0] == 16 && !cursor.is_done);
    CHECK(acre_quadtree_remove(tree, 8) == ACRE_OK && acre_quadtree_remove(tree, 16) == ACRE_OK);
    for (int i = 0; i < 1000 && root_width(tree) > 2.0f; i++) {
        CHECK(acre_quadtree_maintain(tree) == ACRE_OK);
    }
    CHECK(root_width(tree) == 2.0f && insert_point(tree, 9, 2.5f, 0.0f));
    for (uint32_t item = 10; item < 16; item++) {
        CHECK(insert_point(tree, item, 0.5f * (float)item - 9.75f, 0.0f));
    }
    CHECK(root_width(tree) == 8.0f);
    while (!cursor.is_done) {
        CHECK(acre_quadtree_query_step(tree, &query, &cursor, 1, items, 64, &total) == ACRE_OK);
        for (size_t i = 0; i < total; i++) {
            found |= 1u << items[i];
        }
    }
    CHECK((found & 255) == 255);
    acre_quadtree_destroy(tree);
}

enum { FAR_OFF = 100 };

// A fine tree with still items near the origin, and items that only another lattice holds.
static acre_quadtree *tree_with_outliers(test_random *random)
{
    const acre_quadtree_def def = {.half_size = 64, .max_depth = 20, .node_capacity = 4};
    const box_world near = {{0, 0}, 64, 0.5f}, far = {{5e6f, -6e6f}, 64, 0.5f};
    acre_quadtree *tree = NULL;
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t item = 0; ok && item < STILL + FAR_OFF; item++) {
        const box_world *const world = item < STILL ? &near : &far;
        const acre_aabb box = box_of_kind(random, world, BOX_ORDINARY);
        ok = acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    return ok ? tree : NULL;
}

static uint64_t lattices_of(const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    return stats.lattices;
}

// Runs a query for everything, of which `steps` steps come before upkeep builds the tree on another
// lattice; if that is to happen twice, as many come before the far items go and the tree is built
// on a finer one. Adds to found[item] how often an item was returned.
static bool run_among_lattices(acre_quadtree *tree, uint32_t steps, bool changes_twice,
                               uint8_t *found)
{
    const size_t budget = steps % 3 ? 1 : 12;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query_cursor cursor = {.is_done = false};
    bool ok = true;
    for (uint32_t step = 0; ok && !cursor.is_done; step++) {
        uint32_t items[STILL + FAR_OFF];
        size_t total = 0;
        if (step == steps) {
            ok = acre_quadtree_maintain_budget(tree, 0) == ACRE_OK && lattices_of(tree) == 1;
        } else if (step == 2 * steps && changes_twice) {
            for (uint32_t item = STILL; item < STILL + FAR_OFF; item++) {
                ok &= acre_quadtree_remove(tree, item) == ACRE_OK;
            }
            ok &= acre_quadtree_maintain_budget(tree, 0) == ACRE_OK && lattices_of(tree) == 2;
        }
        ok = ok && acre_quadtree_query_step(tree, &query, &cursor, budget, items, STILL + FAR_OFF,
                                            &total) == ACRE_OK;
        for (size_t i = 0; ok && i < total; i++) {
            found[items[i]]++;
        }
    }
    return ok;
}

static void lattices_that_change_between_steps_lose_and_repeat_nothing(void)
{
    test_random random = {test_seed};
    uint64_t once = 0, twice = 0;
    for (uint32_t round = 2; round < 120; round++) {
        const uint32_t steps = round / 2;
        acre_quadtree *const tree = tree_with_outliers(&random);
        uint8_t found[STILL + FAR_OFF] = {0};
        CHECK(tree && run_among_lattices(tree, steps, round % 2, found));
        for (uint32_t item = 0; item < STILL + FAR_OFF; item++) {
            const bool may_be_gone = item >= STILL && lattices_of(tree) == 2;
            CHECK(found[item] == 1 || (may_be_gone && found[item] == 0));
        }
        once += lattices_of(tree) == 1;
        twice += lattices_of(tree) == 2;
        CHECK(acre_quadtree_validate(tree, NULL, 0) == ACRE_OK);
        acre_quadtree_destroy(tree);
    }
    printf("     %u queries among one change, %u among two\n", (unsigned)once, (unsigned)twice);
    CHECK(once > 5 && twice > 5);
}

// Cells of real cursors of the tree, in any number and order: the deepest way down that there can
// be must not be entered from a full cursor.
static void mix_cells(test_random *random, const acre_quadtree *tree, acre_query_cursor *out)
{
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query_cursor real = {.is_done = false};
    uint32_t items[ITEMS];
    size_t total;
    *out = (acre_query_cursor){.state = random_below(random, 16) ? 1 : random_below(random, 3)};
    if (random_below(random, 4) == 0) { // as after a change of the lattice
        out->before =
            (acre_query_cells){{random_float(random, -100, 100), 0}, 0.5f, 1, {{1, 0, 0}}};
        out->before.count = random_below(random, 100);
        out->before.cells[random_below(random, 96)].level = random_below(random, 30);
    }
    acre_query_cells *const cells = &out->left;
    const uint32_t room = sizeof cells->cells / sizeof cells->cells[0];
    const uint32_t count = random_below(random, room + 1);
    while (cells->count < count) {
        const size_t budget = random_below(random, 60);
        if (real.is_done || acre_quadtree_query_step(tree, &query, &real, budget, items, ITEMS,
                                                     &total) != ACRE_OK) {
            real = (acre_query_cursor){.is_done = false};
            continue;
        }
        for (uint32_t i = 0; i < real.left.count && cells->count < count; i++) {
            if (random_below(random, 3)) {
                cells->cells[cells->count++] = real.left.cells[i];
                cells->origin[0] = real.left.origin[0];
                cells->origin[1] = real.left.origin[1];
                cells->cell_size = real.left.cell_size;
            }
        }
    }
    if (random_below(random, 4) == 0) {
        cells->count = (uint32_t)random_bits(random);
        cells->cells[random_below(random, room)].level = (uint32_t)random_bits(random);
        cells->cells[random_below(random, room)].x = (int32_t)random_bits(random);
    }
}

static int finer_later(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; // levels come first
    return (x < y) - (x > y);
}

static void a_cursor_with_any_content_is_refused_or_harmless(void)
{
    test_random random = {test_seed};
    query_trees all;
    uint32_t accepted = 0, refused = 0;
    CHECK(query_trees_init_setting(&all, 4, ITEMS));
    CHECK(query_trees_fill(&all, &random, ITEMS));
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    for (uint32_t round = 0; round < 1000 * test_scale; round++) {
        acre_query_cursor cursor;
        size_t total = 0;
        mix_cells(&random, all.trees[0], &cursor);
        if (random_below(&random, 2) && cursor.left.count <= 96) {
            qsort(cursor.left.cells, cursor.left.count, sizeof cursor.left.cells[0], finer_later);
        }
        const acre_query_cursor before = cursor;
        const acre_result result =
            acre_quadtree_query_step(all.trees[0], &query, &cursor, 1000000, NULL, 0, &total);
        accepted += result == ACRE_OK;
        refused += result == invalid;
        CHECK(result == ACRE_OK || (result == invalid && total == 0));
        CHECK(memcmp(&before, &cursor, sizeof cursor) == 0 || total == 0);
    }
    CHECK(accepted > 100 && refused > 100);
    query_trees_free(&all);
}

// ---- what is refused ----

static void what_a_step_cannot_do_is_refused(void)
{
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    acre_query_cursor cursor = {.is_done = false};
    const acre_query_cursor before = cursor;
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL};
    acre_query stops = query, shapeless = query;
    stops.flags = ACRE_QUERY_STOP_WHEN_FULL;
    shapeless.shape = (acre_query_shape)0;
    uint32_t items[4];
    size_t total = 99;
    CHECK(acre_quadtree_query_step(NULL, &query, &cursor, 9, items, 4, &total) == invalid);
    CHECK(acre_quadtree_query_step(tree, NULL, &cursor, 9, items, 4, &total) == invalid);
    CHECK(acre_quadtree_query_step(tree, &query, NULL, 9, items, 4, &total) == invalid);
    CHECK(acre_quadtree_query_step(tree, &query, &cursor, 9, NULL, 4, &total) == invalid);
    CHECK(acre_quadtree_query_step(tree, &query, &cursor, 9, items, 4, NULL) == invalid);
    CHECK(acre_quadtree_query_step(tree, &stops, &cursor, 9, items, 4, &total) == invalid);
    CHECK(acre_quadtree_query_step(tree, &shapeless, &cursor, 9, items, 4, &total) == invalid);
    CHECK(total == 99 && memcmp(&before, &cursor, sizeof cursor) == 0);
    CHECK(acre_quadtree_query_step(tree, &query, &cursor, 9, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 0 && cursor.is_done);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_steps_of_a_query_find_each_result_once),
        TEST(a_small_budget_takes_many_steps_and_a_large_one_takes_one),
        TEST(steps_test_about_as_many_nodes_as_their_budget),
        TEST(a_finished_query_has_no_more_results),
        TEST(a_step_without_room_moves_nothing_and_tells_how_much_it_wants),
        TEST(sorted_steps_are_each_in_ascending_order),
        TEST(edits_between_steps_lose_no_item_that_stands_still),
        TEST(roots_that_come_and_go_between_steps_lose_nothing),
        TEST(cells_that_lie_otherwise_than_before_are_not_taken_for_the_old_ones),
        TEST(lattices_that_change_between_steps_lose_and_repeat_nothing),
        TEST(a_cursor_with_any_content_is_refused_or_harmless),
        TEST(what_a_step_cannot_do_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
