// SPDX-License-Identifier: MIT
// all_intersections.c - finds which boxes intersect, each pair once: among all boxes, after half of
// them are removed, for one box, and what a step changes.
//
// A quadtree that keeps a box in the smallest cell around it has to test a box on a line between
// large cells against everything below. A loose one keeps it with its neighbors. Every list of
// pairs is compared with that of the loop over all of them, pair by pair.
#include <acre/quadtree_pairs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOXES = 4000, ROOM = 40000 };

static acre_aabb boxes[MOST_BOXES];
static bool is_gone[MOST_BOXES];
static acre_pair found[ROOM], expected[ROOM];
static size_t found_count, expected_count;

// Seen from above, and boxes that only share an edge do not intersect.
static const acre_pairs_rules rules = {.flags = ACRE_PAIRS_ON_GROUND | ACRE_PAIRS_NOT_TOUCHING};

// 0 .. 1, the same on every machine: a linear congruential generator.
static float random_unit(void)
{
    static uint32_t state = 11;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

// A box in the unit square, at most a hundredth of it wide and high; some reach out of it.
static void make_box(uint32_t box)
{
    const float left = random_unit(), top = random_unit();
    const float width = 0.01f * random_unit(), height = 0.01f * random_unit();
    boxes[box] = (acre_aabb){{left, 0, top}, {left + width, 0, top + height}};
}

static bool do_intersect(const acre_aabb *a, const acre_aabb *b)
{
    return a->min[0] < b->max[0] && b->min[0] < a->max[0] && a->min[2] < b->max[2] &&
           b->min[2] < a->max[2];
}

// Loops over all pairs; they come out sorted.
static void expect_all(uint32_t count)
{
    expected_count = 0;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count && expected_count < ROOM; b++) {
            if (!is_gone[a] && !is_gone[b] && do_intersect(&boxes[a], &boxes[b])) {
                expected[expected_count++] = (acre_pair){a, b};
            }
        }
    }
}

static int compare_pairs(const void *left, const void *right)
{
    const acre_pair *const a = left, *const b = right;
    const int by_a = (a->a > b->a) - (a->a < b->a);
    return by_a ? by_a : (a->b > b->b) - (a->b < b->b);
}

static bool are_expected(void)
{
    return found_count == expected_count &&
           memcmp(found, expected, found_count * sizeof *found) == 0;
}

static bool find_all_intersections(const acre_quadtree *tree, uint32_t count)
{
    if (acre_quadtree_pairs(tree, &rules, found, ROOM, &found_count) != ACRE_OK ||
        found_count > ROOM) {
        return false;
    }
    qsort(found, found_count, sizeof *found, compare_pairs);
    expect_all(count);
    return are_expected();
}

// Asks for the partners of one box after the other: each pair comes twice.
static bool ask_each(const acre_quadtree *tree, uint32_t count)
{
    static uint32_t partners[MOST_BOXES];
    found_count = 0;
    for (uint32_t box = 0; box < count; box++) {
        size_t total = 0;
        if (!is_gone[box] &&
            acre_quadtree_item_pairs(tree, box, &rules, partners, MOST_BOXES, &total) != ACRE_OK) {
            return false;
        }
        for (size_t i = 0; i < total; i++) {
            if (partners[i] > box && found_count < ROOM) {
                found[found_count++] = (acre_pair){box, partners[i]};
            }
        }
    }
    qsort(found, found_count, sizeof *found, compare_pairs);
    return are_expected();
}

static bool remove_half(acre_quadtree *tree, uint32_t count)
{
    acre_result result = ACRE_OK;
    for (uint32_t box = 0; box < count && result == ACRE_OK; box++) {
        is_gone[box] = random_unit() < 0.5f;
        result = is_gone[box] ? acre_quadtree_remove(tree, box) : ACRE_OK;
    }
    return result == ACRE_OK;
}

// The boxes take a step; a tracker says which pairs ended and which began.
static bool step(acre_quadtree *tree, uint32_t count)
{
    acre_contacts *contacts = NULL;
    bool is_good = acre_contacts_create(NULL, &contacts) == ACRE_OK &&
                   acre_contacts_update(contacts, tree, NULL, &rules) == ACRE_OK;
    for (uint32_t box = 0; is_good && box < count; box++) {
        const float x = 0.004f * random_unit() - 0.002f, z = 0.004f * random_unit() - 0.002f;
        boxes[box].min[0] += x;
        boxes[box].max[0] += x;
        boxes[box].min[2] += z;
        boxes[box].max[2] += z;
    }
    is_good = is_good && acre_quadtree_refresh_all(tree, boxes, count) == ACRE_OK &&
              acre_contacts_update(contacts, tree, NULL, &rules) == ACRE_OK;
    if (is_good) {
        const acre_contacts_lists lists = acre_contacts_get(contacts);
        const size_t before = expected_count;
        expect_all(count);
        is_good = lists.now_count == expected_count &&
                  memcmp(lists.now, expected, expected_count * sizeof *expected) == 0 &&
                  before + lists.began_count - lists.ended_count == expected_count;
        printf("  after a step %zu: %zu parted, %zu came together\n", lists.now_count,
               lists.ended_count, lists.began_count);
    }
    acre_contacts_destroy(contacts);
    return is_good;
}

static bool show(uint32_t count)
{
    const acre_quadtree_def def = {.center = {0.5f, 0.5f},
                                   .half_size = 0.5f,
                                   .max_depth = 8,
                                   .node_capacity = 16,
                                   .item_capacity = MOST_BOXES};
    acre_quadtree *tree = NULL;
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t box = 0; is_good && box < count; box++) {
        make_box(box);
        is_gone[box] = false;
        is_good = acre_quadtree_insert(tree, box, &boxes[box]) == ACRE_OK;
    }
    is_good = is_good && find_all_intersections(tree, count) && ask_each(tree, count);
    printf("%u boxes: %zu of %u pairs intersect\n", count, found_count, count * (count - 1) / 2);
    is_good = is_good && remove_half(tree, count) && find_all_intersections(tree, count) &&
              ask_each(tree, count);
    printf("  without half of them %zu\n", found_count);
    is_good = is_good && step(tree, count);
    acre_quadtree_destroy(tree);
    return is_good;
}

int main(void)
{
    const bool is_good = show(500) && show(2000) && show(MOST_BOXES);
    printf("%s\n",
           is_good ? "all pairs are those of the loop over all of them" : "something went wrong");
    return is_good ? 0 : 1;
}
