// SPDX-License-Identifier: MIT
// test_quadtree_groups.c - queries that show groups with their boxes: what acre_quadtree_query
// finds.
#include "query_trees.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1500 };

// What a visitor was shown; it stops after so many groups.
typedef struct shown_groups {
    const acre_quadtree *tree;
    uint32_t items[ITEMS];
    size_t count, calls, stop_after;
    bool is_wrong;
} shown_groups;

static bool has_box(const acre_quadtree *tree, const acre_item_group *group, uint32_t lane)
{
    acre_aabb box;
    if (acre_quadtree_get_box(tree, group->items[lane], &box) != ACRE_OK) {
        return false;
    }
    for (uint32_t k = 0; k < 3; k++) {
        const float *const min = group->edges + (size_t)2 * k * ACRE_GROUP_ITEMS;
        if (min[lane] != box.min[k] || min[ACRE_GROUP_ITEMS + lane] != box.max[k]) {
            return false;
        }
    }
    return true;
}

static bool take_group(void *user, const acre_item_group *group)
{
    shown_groups *const out = user;
    out->is_wrong |=
        group->found == 0 || group->found >> ACRE_GROUP_ITEMS != 0 || out->calls == out->stop_after;
    for (uint32_t lane = 0; lane < ACRE_GROUP_ITEMS && !out->is_wrong; lane++) {
        if (group->found >> lane & 1) {
            out->is_wrong = out->count == ITEMS || !has_box(out->tree, group, lane);
            if (!out->is_wrong) {
                out->items[out->count++] = group->items[lane];
            }
        }
    }
    out->calls++;
    return !out->is_wrong && out->calls < out->stop_after;
}

static bool show(const acre_quadtree *tree, const acre_query *query, size_t stop_after,
                 shown_groups *out)
{
    *out = (shown_groups){.tree = tree, .stop_after = stop_after};
    return acre_quadtree_query_visit_groups(tree, query, take_group, out) == ACRE_OK &&
           !out->is_wrong;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The walk tests no items; those that layers or an exclusion drop are counted as well.
static bool counts_whole_groups(const acre_query *whole, const shown_groups *shown)
{
    const bool drops = whole->layers || whole->exclude || whole->except_item1;
    const size_t accepted = whole->stats->items_accepted;
    return whole->stats->items_tested == 0 &&
           (drops ? accepted >= shown->count : accepted == shown->count);
}

// Every kernel shows the same whole groups in the same order, each item once, and they have the
// whole answer.
static bool has_answer(const query_trees *all, const acre_query *query, const uint32_t *answer,
                       size_t count)
{
    static shown_groups first, other;
    acre_query whole = *query;
    acre_query_stats stats;
    whole.flags |= ACRE_QUERY_WHOLE_GROUPS;
    whole.stats = &stats;
    for (uint32_t k = 0; k < all->count; k++) {
        shown_groups *const shown = k == 0 ? &first : &other;
        if (!show(all->trees[k], &whole, SIZE_MAX, shown) || !counts_whole_groups(&whole, shown) ||
            (k > 0 && (other.count != first.count ||
                       memcmp(other.items, first.items, first.count * sizeof *answer) != 0))) {
            return false;
        }
    }
    qsort(first.items, first.count, sizeof *first.items, compare);
    size_t at = 0;
    for (size_t i = 0; i < first.count; i++) {
        if (i > 0 && first.items[i - 1] >= first.items[i]) {
            return false;
        }
        at += at < count && first.items[i] == answer[at];
    }
    return at == count;
}

// Every kernel shows the same items in the same order, with their boxes, and they are the answer.
static bool is_answer(const query_trees *all, const generated_query *generated, test_random *random)
{
    static shown_groups first, other;
    static uint32_t full[ITEMS];
    size_t count = 0;
    acre_query sorted = generated->query;
    sorted.flags |= ACRE_QUERY_SORTED;
    if (acre_quadtree_query(all->trees[0], &sorted, full, ITEMS, &count) != ACRE_OK ||
        !show(all->trees[0], &generated->query, SIZE_MAX, &first) || first.count != count) {
        return false;
    }
    const size_t stop = 1 + random_below(random, (uint32_t)first.calls + 1);
    for (uint32_t k = 0; k < all->count; k++) {
        if (!show(all->trees[k], &generated->query, SIZE_MAX, &other) || other.count != count ||
            other.calls != first.calls ||
            memcmp(other.items, first.items, count * sizeof *full) != 0) {
            return false;
        }
        if (!show(all->trees[k], &generated->query, stop, &other) ||
            other.calls != (stop < first.calls ? stop : first.calls) ||
            memcmp(other.items, first.items, other.count * sizeof *full) != 0) {
            return false;
        }
    }
    qsort(first.items, count, sizeof *first.items, compare);
    return memcmp(first.items, full, count * sizeof *full) == 0 &&
           has_answer(all, &generated->query, full, count);
}

static void groups_hold_the_answer_and_its_boxes(void)
{
    test_random random = {test_seed};
    for (uint32_t setting = 0; setting < QUERY_SETTING_COUNT; setting++) {
        static query_trees all;
        static generated_query generated;
        CHECK(query_trees_init_setting(&all, setting, ITEMS));
        CHECK(query_trees_fill(&all, &random, ITEMS - 100));
        for (uint32_t round = 0; round < 150 * test_scale; round++) {
            if (round % 3 == 0) {
                CHECK(query_trees_edit(&all, &random, NULL));
            }
            generate_any_query(&random, &all.ground, &generated);
            CHECK(is_answer(&all, &generated, &random));
        }
        query_trees_free(&all);
    }
}

static bool count_call(void *user, const acre_item_group *group)
{
    *(uint32_t *)user += group->found != 0;
    return true;
}

static void wrong_arguments_are_refused_and_an_empty_tree_shows_nothing(void)
{
    const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
    const acre_quadtree_def def = {.half_size = 100.0f};
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(&def, &tree) == ACRE_OK);
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    const acre_query sorted = {.shape = ACRE_QUERY_SHAPE_ALL, .flags = ACRE_QUERY_SORTED};
    const acre_query stops = {.shape = ACRE_QUERY_SHAPE_ALL, .flags = ACRE_QUERY_STOP_WHEN_FULL};
    const acre_query none = {.shape = ACRE_QUERY_SHAPE_SPHERE};
    const acre_query whole = {.shape = ACRE_QUERY_SHAPE_ALL, .flags = ACRE_QUERY_WHOLE_GROUPS};
    size_t total = 0;
    CHECK(acre_quadtree_query(tree, &whole, NULL, 0, &total) == invalid);
    uint32_t calls = 0;
    CHECK(acre_quadtree_query_visit_groups(NULL, &all, count_call, &calls) == invalid);
    CHECK(acre_quadtree_query_visit_groups(tree, NULL, count_call, &calls) == invalid);
    CHECK(acre_quadtree_query_visit_groups(tree, &all, NULL, &calls) == invalid);
    CHECK(acre_quadtree_query_visit_groups(tree, &sorted, count_call, &calls) == invalid);
    CHECK(acre_quadtree_query_visit_groups(tree, &stops, count_call, &calls) == invalid);
    CHECK(acre_quadtree_query_visit_groups(tree, &none, count_call, &calls) == invalid);
    CHECK(acre_quadtree_query_visit_groups(tree, &all, count_call, &calls) == ACRE_OK);
    CHECK(calls == 0);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(groups_hold_the_answer_and_its_boxes),
        TEST(wrong_arguments_are_refused_and_an_empty_tree_shows_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
