// SPDX-License-Identifier: MIT
// test_quadtree_order.c - upkeep puts items back along the curve, quarter by quarter of a group.
#include "quadtree_curve.h"
#include "kernel_internal.h"
#include "quadtree_kernel_build.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_ITEMS = 2000,
    PART_SLOTS = ORDER_PART_SLOTS,
    PIECE_BLOCKS = 16, // a longer chain is ordered piece by piece
    TOLERATED = ORDER_TOLERANCE_DIVISOR
};

#define HALF_SIDE 32.0f

static acre_aabb boxes[MOST_ITEMS];

static acre_aabb random_box(test_random *random)
{
    const float limit = HALF_SIDE - 1.0f;
    const float x = random_float(random, -limit, limit), z = random_float(random, -limit, limit);
    return (acre_aabb){{x - 0.5f, 0.0f, z - 0.5f}, {x + 0.5f, 1.0f, z + 0.5f}};
}

// All items in the root, whatever their number.
static acre_quadtree *make_tree(test_random *random, uint32_t count)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = HALF_SIDE, .node_capacity = MOST_ITEMS};
    bool ok = acre_quadtree_create(&def, &tree) == ACRE_OK;
    for (uint32_t item = 0; ok && item < count; item++) {
        boxes[item] = random_box(random);
        ok = acre_quadtree_insert(tree, item, &boxes[item]) == ACRE_OK;
    }
    return ok ? tree : NULL;
}

// The scalar kernel's word on where a block's items stand.
static void list_keys(const acre_quadtree *tree, uint32_t block, uint32_t count, uint32_t *keys)
{
    const cell square = node_cell(tree, ROOT_NODE);
    const row_box bounds = acre_grid_strict_bounds(&tree->grid, &square);
    acre_build_kernel_scalar.list_keys(&bounds, &tree->boxes[block], count, keys);
}

// Whether in no piece of the root's chain more items than tolerated come behind one of the quarter
// before that is farther on the curve, by squares twice as wide.
static bool is_in_order(const acre_quadtree *tree)
{
    uint32_t keys[BLOCK_SLOTS], blocks = 0, descents = 0, seen = 0, last[PART_SLOTS] = {0};
    for (chain_walk walk = chain_first(tree, ROOT_NODE); walk.count;) {
        list_keys(tree, walk.block, walk.count, keys);
        for (uint32_t i = 0; i < walk.count; i++, seen++) {
            // A short quarter at the first block's end leaves the others askew: as upkeep sees
            // them.
            uint32_t *const before = &last[seen % PART_SLOTS];
            descents += seen >= PART_SLOTS && keys[i] >> 2 < *before >> 2;
            *before = keys[i];
        }
        walk = chain_next(tree, walk);
        if (++blocks == PIECE_BLOCKS || walk.count == 0) {
            if (descents > seen / TOLERATED) {
                return false;
            }
            blocks = descents = seen = 0;
        }
    }
    return true;
}

static bool holds_boxes(const acre_quadtree *tree, uint32_t count)
{
    bool is_right = acre_quadtree_validate(tree, NULL, 0) == ACRE_OK;
    for (uint32_t item = 0; item < count; item++) {
        acre_aabb box;
        is_right &= acre_quadtree_get_box(tree, item, &box) == ACRE_OK &&
                    memcmp(&box, &boxes[item], sizeof box) == 0;
    }
    return is_right;
}

static void what_moved_goes_back_to_the_quarter_of_its_place(void)
{
    static const uint32_t counts[] = {17, 64, 100, 683, 1024, 1025, 1337, MOST_ITEMS};
    test_random random = {test_seed};
    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        acre_quadtree *const tree = make_tree(&random, counts[i]);
        CHECK(tree && !is_in_order(tree));
        for (uint32_t round = 0; round < 4; round++) {
            CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
            CHECK(is_in_order(tree) && holds_boxes(tree, counts[i]));
            for (uint32_t item = round; item < counts[i]; item += 1 + round) {
                boxes[item] = random_box(&random);
            }
            CHECK(acre_quadtree_refresh_all(tree, boxes, counts[i]) == ACRE_OK);
        }
        acre_quadtree_destroy(tree);
    }
}

// Each in a square of its own, of those that the curve goes through.
static void place_apart(test_random *random, uint32_t count)
{
    static uint32_t squares[CURVE_SQUARES * CURVE_SQUARES];
    for (uint32_t i = 0; i < CURVE_SQUARES * CURVE_SQUARES; i++) {
        squares[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = i + random_below(random, CURVE_SQUARES * CURVE_SQUARES - i);
        const uint32_t square = squares[other];
        squares[other] = squares[i];
        const float width = 2.0f * HALF_SIDE / CURVE_SQUARES;
        const float x = (float)(square % CURVE_SQUARES) * width - HALF_SIDE + 0.25f * width;
        const float z = (float)(square / CURVE_SQUARES) * width - HALF_SIDE + 0.25f * width;
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 0.5f * width, 1, z + 0.5f * width}};
    }
}

// Where each of two takes the other's box, nothing else has a reason to move.
static void what_stands_right_stays(void)
{
    enum { COUNT = 640, EXCHANGES = COUNT / TOLERATED + 10 };
    static uint32_t before[COUNT];
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, COUNT);
    place_apart(&random, COUNT);
    CHECK(tree && acre_quadtree_refresh_all(tree, boxes, COUNT) == ACRE_OK &&
          acre_quadtree_optimize(tree) == ACRE_OK);
    memcpy(before, tree->locations, sizeof before);
    for (uint32_t i = 0; i < EXCHANGES; i++) {
        const acre_aabb box = boxes[2 * i];
        boxes[2 * i] = boxes[2 * i + 1];
        boxes[2 * i + 1] = box;
    }
    CHECK(acre_quadtree_refresh_all(tree, boxes, COUNT) == ACRE_OK);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK && holds_boxes(tree, COUNT));
    uint32_t moved = 0;
    for (uint32_t item = 0; item < COUNT; item++) {
        const uint32_t now = tree->locations[item];
        moved += now != before[item];
        CHECK(item < 2 * EXCHANGES || now == before[item]);
    }
    CHECK(moved > EXCHANGES && moved <= 2 * EXCHANGES);
    acre_quadtree_destroy(tree);
}

static void a_tree_in_order_is_left_as_it_is(void)
{
    static uint32_t before[MOST_ITEMS];
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, MOST_ITEMS);
    CHECK(tree && acre_quadtree_tighten(tree) == ACRE_OK);
    memcpy(before, tree->locations, sizeof before);
    CHECK(acre_quadtree_refresh_all(tree, boxes, MOST_ITEMS) == ACRE_OK); // nothing moved
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK);
    CHECK(memcmp(before, tree->locations, sizeof before) == 0);
    acre_quadtree_destroy(tree);
}

// Long enough that every node is looked at.
static bool maintain(acre_quadtree *tree)
{
    bool ok = true;
    for (uint32_t i = 0; i < 2 * MAINTAIN_DIVISOR; i++) {
        ok &= acre_quadtree_maintain(tree) == ACRE_OK;
    }
    return ok;
}

// The bounds of all groups, block by block. Returns how many blocks there are.
static uint32_t copy_bounds(const acre_quadtree *tree, four_boxes *out)
{
    uint32_t blocks = 0;
    for (chain_walk walk = chain_first(tree, ROOT_NODE); walk.count;
         walk = chain_next(tree, walk)) {
        out[blocks++] = tree->headers[walk.block].bounds;
    }
    return blocks;
}

static void upkeep_orders_and_tightens_where_bounds_have_widened(void)
{
    static four_boxes kept[MOST_ITEMS / GROUP_SLOTS], tight[MOST_ITEMS / GROUP_SLOTS];
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, MOST_ITEMS);
    CHECK(tree && acre_quadtree_tighten(tree) == ACRE_OK && is_in_order(tree));
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t item = round; item < MOST_ITEMS; item += 3) {
            boxes[item] = random_box(&random);
            CHECK(acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
        }
        CHECK(!is_in_order(tree) && maintain(tree) && is_in_order(tree));
        CHECK(holds_boxes(tree, MOST_ITEMS));
        const uint32_t blocks = copy_bounds(tree, kept);
        CHECK(acre_quadtree_tighten(tree) == ACRE_OK && copy_bounds(tree, tight) == blocks);
        CHECK(memcmp(kept, tight, blocks * sizeof *kept) == 0);
    }
    acre_quadtree_destroy(tree);
}

// What has shrunk where it stands has widened nothing, and no bounds are worth the work.
static void upkeep_leaves_alone_where_bounds_have_not_widened(void)
{
    static uint32_t before[MOST_ITEMS];
    static four_boxes kept[MOST_ITEMS / GROUP_SLOTS], then[MOST_ITEMS / GROUP_SLOTS];
    test_random random = {test_seed};
    acre_quadtree *const tree = make_tree(&random, MOST_ITEMS);
    CHECK(tree && acre_quadtree_tighten(tree) == ACRE_OK);
    memcpy(before, tree->locations, sizeof before);
    const uint32_t blocks = copy_bounds(tree, kept);
    for (uint32_t item = 0; item < MOST_ITEMS; item++) {
        boxes[item].min[0] += 0.25f;
        boxes[item].max[1] -= 0.5f;
        CHECK(acre_quadtree_refresh(tree, item, &boxes[item]) == ACRE_OK);
    }
    CHECK(maintain(tree) && holds_boxes(tree, MOST_ITEMS));
    CHECK(memcmp(before, tree->locations, sizeof before) == 0);
    CHECK(copy_bounds(tree, then) == blocks && memcmp(kept, then, blocks * sizeof *kept) == 0);
    CHECK(acre_quadtree_tighten(tree) == ACRE_OK && copy_bounds(tree, then) == blocks);
    CHECK(memcmp(kept, then, blocks * sizeof *kept) != 0);
    acre_quadtree_destroy(tree);
}

// A kernel's word on where items stand is the scalar kernel's, bit for bit, wherever they are.
static void every_kernel_finds_the_same_places_on_the_curve(void)
{
    static block_boxes block;
    test_random random = {test_seed};
    const row_box square = {{-8.0f, 24.0f, 0.0f, 0.0f, 100.0f, 132.0f}};
    for (uint32_t round = 0; round < 500 * test_scale; round++) {
        for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot++) {
            item_group *const group = &block.groups[slot / GROUP_SLOTS];
            const float x = random_float(&random, -12.0f, 28.0f);
            const float z = random_float(&random, 96.0f, 136.0f);
            group->row[ROW_X_MIN][slot % GROUP_SLOTS] = x;
            group->row[ROW_X_MAX][slot % GROUP_SLOTS] = x + random_float(&random, 0.0f, 1.0f);
            group->row[ROW_Z_MIN][slot % GROUP_SLOTS] = z;
            group->row[ROW_Z_MAX][slot % GROUP_SLOTS] = z;
        }
        const uint32_t count = 1 + random_below(&random, BLOCK_SLOTS);
        uint32_t expected[BLOCK_SLOTS], keys[BLOCK_SLOTS];
        acre_build_kernel_scalar.list_keys(&square, &block, count, expected);
        for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel <= ACRE_KERNEL_AVX512; kernel++) {
            if (acre_kernel_pick((acre_kernel)kernel, BUILT_KERNELS) != ACRE_KERNEL_DEFAULT) {
                acre_build_kernels[kernel]->list_keys(&square, &block, count, keys);
                CHECK(memcmp(keys, expected, count * sizeof *keys) == 0);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(what_moved_goes_back_to_the_quarter_of_its_place),
        TEST(what_stands_right_stays),
        TEST(a_tree_in_order_is_left_as_it_is),
        TEST(upkeep_orders_and_tightens_where_bounds_have_widened),
        TEST(upkeep_leaves_alone_where_bounds_have_not_widened),
        TEST(every_kernel_finds_the_same_places_on_the_curve),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
