// SPDX-License-Identifier: MIT
// test_quadtree_kernels.c - all kernels that this processor runs give the same bits as the scalar.
#define _POSIX_C_SOURCE 200112L

#include "box_generator.h"
#include "kernel_internal.h"
#include "quadtree_kernel_build.h"
#include "quadtree_kernel_shape.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 8, ITEMS = 600 };

// The kernels that can be had, the scalar one first.
static uint32_t usable_kernels(acre_kernel *out)
{
    uint32_t count = 0;
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel <= ACRE_KERNEL_AVX512; kernel++) {
        if (acre_kernel_pick((acre_kernel)kernel, BUILT_KERNELS) != ACRE_KERNEL_DEFAULT) {
            out[count++] = (acre_kernel)kernel;
        }
    }
    return count;
}

static float odd_float(test_random *random)
{
    static const float odd[] = {0.0f,     -0.0f,    1.0f,      -1.0f,     FLT_MAX,
                                -FLT_MAX, INFINITY, -INFINITY, 0x1p-149f, -0x1p-130f};
    return random_below(random, 6) ? random_float(random, -100.0f, 100.0f)
                                   : odd[random_below(random, sizeof odd / sizeof odd[0])];
}

static acre_frustum odd_frustum(test_random *random)
{
    acre_frustum frustum = {.plane_count = random_below(random, ACRE_FRUSTUM_MAX_PLANES + 1)};
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        for (int k = 0; k < 4; k++) {
            frustum.planes[i][k] = random_below(random, 200) ? odd_float(random) : NAN;
        }
        frustum.planes[i][3] += random_float(random, 0.0f, 150.0f);
    }
    return frustum;
}

// @return the mask of all planes.
static uint32_t fill_volume(test_random *random, query_volume *out)
{
    const acre_frustum frustum = odd_frustum(random);
    for (int i = 0; i < ROW_COUNT; i++) {
        out->box.row[i] = odd_float(random);
    }
    return acre_prepare_planes(out, &frustum);
}

static void odd_rows(test_random *random, float *low, float *high)
{
    for (int axis = 0; axis < 3; axis++) {
        const float a = odd_float(random), b = odd_float(random);
        low[axis] = a < b ? a : b;
        high[axis] = a < b ? b : a;
    }
}

static four_boxes odd_boxes(test_random *random)
{
    four_boxes boxes;
    for (uint32_t lane = 0; lane < 4; lane++) {
        float low[3], high[3];
        odd_rows(random, low, high);
        const bool is_empty = random_below(random, 16) == 0;
        for (int axis = 0; axis < 3; axis++) {
            boxes.row[axis * 2][lane] = is_empty ? FLT_MAX : low[axis];
            boxes.row[axis * 2 + 1][lane] = is_empty ? -FLT_MAX : high[axis];
        }
    }
    return boxes;
}

// Planes that a box around all four leaves over; the walk asks for no others.
static uint32_t planes_around(const query_volume *volume, const four_boxes *boxes, uint32_t mask)
{
    row_box around = rows_empty();
    for (uint32_t lane = 0; lane < 4; lane++) {
        const row_box box = lane_box(boxes, lane);
        rows_merge(&around, &box);
    }
    quad alone = {.items = {1, 0, 0, 0}};
    set_lane_box(&alone.bounds, 0, &around);
    node_lists lists = {.stack_count = 1, .stack = {0}, .stack_masks = {mask}};
    quad_descent root = {.quads = &alone, .most_listed = 1, .quads_left = 1};
    acre_volume_kernel_scalar.frustum.descend(volume, &root, &lists);
    return lists.intersecting_count > 0 ? lists.intersecting_masks[0] : 0;
}

static bool are_equal_lists(const node_lists *a, const node_lists *b)
{
    return a->stack_count == b->stack_count && a->inside_count == b->inside_count &&
           a->intersecting_count == b->intersecting_count &&
           memcmp(a->stack, b->stack, a->stack_count * sizeof a->stack[0]) == 0 &&
           memcmp(a->stack_masks, b->stack_masks, a->stack_count * sizeof a->stack[0]) == 0 &&
           memcmp(a->inside, b->inside, a->inside_count * sizeof a->inside[0]) == 0 &&
           memcmp(a->intersecting, b->intersecting,
                  a->intersecting_count * sizeof a->intersecting[0]) == 0 &&
           memcmp(a->intersecting_masks, b->intersecting_masks,
                  a->intersecting_count * sizeof a->intersecting[0]) == 0;
}

// One quad is taken off the stack. wanted: a set of siblings.
static void take_quad(const query_kernel *kernel, const query_volume *volume, const quad *quads,
                      uint32_t mask, uint32_t wanted, node_lists *lists)
{
    quad_cold cold[2] = {{.layers = {0}}};
    for (uint32_t slot = 0; slot < 4; slot++) {
        cold[1].layers[slot] = wanted >> slot & 1;
    }
    quad_descent walk = {
        .quads = quads, .cold = cold, .layers = 1, .most_listed = LISTED_NODES, .quads_left = 1};
    lists->stack[lists->stack_count] = 1;
    lists->stack_masks[lists->stack_count++] = mask;
    kernel->descend(volume, &walk, lists);
}

static void siblings_are_listed_alike(void)
{
    enum { QUADS = 6 };
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t count = usable_kernels(kernels);
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 20000 * test_scale; round++) {
        query_volume volume;
        const uint32_t all = fill_volume(&random, &volume);
        quad quads[QUADS] = {[1] = {.bounds = odd_boxes(&random)}};
        for (uint32_t slot = 0; slot < 4; slot++) {
            quads[1].items[slot] = random_below(&random, 3) ? (uint32_t)random_bits(&random) : 0;
            quads[1].child[slot] = random_below(&random, 2) ? random_below(&random, QUADS) : 0;
        }
        const uint32_t mask =
            random_below(&random, 2) ? all : planes_around(&volume, &quads[1].bounds, all);
        const uint32_t wanted = random_below(&random, 16);
        node_lists expected[2];
        for (uint32_t k = 0; k < count; k++) {
            const volume_kernel *const kernel = acre_volume_kernels[kernels[k]];
            node_lists lists[2] = {{.stack_count = 3}, {.intersecting_count = 5}};
            take_quad(&kernel->frustum, &volume, quads, mask, wanted, &lists[0]);
            take_quad(&kernel->box, &volume, quads, 1, wanted, &lists[1]);
            if (k == 0) {
                memcpy(expected, lists, sizeof lists);
            }
            CHECK(are_equal_lists(&lists[0], &expected[0]));
            CHECK(are_equal_lists(&lists[1], &expected[1]));
        }
    }
}

static bool are_equal_groups(const group_lists *a, const group_lists *b)
{
    return a->inside_count == b->inside_count && a->intersecting_count == b->intersecting_count &&
           memcmp(a->inside, b->inside, a->inside_count * sizeof a->inside[0]) == 0 &&
           memcmp(a->intersecting, b->intersecting,
                  a->intersecting_count * sizeof a->intersecting[0]) == 0 &&
           memcmp(a->intersecting_masks, b->intersecting_masks,
                  a->intersecting_count * sizeof a->intersecting[0]) == 0;
}

// A node of one block, and one of three.
typedef struct two_chains {
    block_header headers[4];
    uint32_t next[4];
    acre_quadtree tree;
    node_lists nodes;
} two_chains;

static void fill_chains(test_random *random, const query_volume *volume, uint32_t mask,
                        two_chains *chains)
{
    for (uint32_t block = 0; block < 4; block++) {
        chains->headers[block].bounds = odd_boxes(random);
        chains->next[block] = block == 1 ? 3 : block == 3 ? 2 : NONE;
    }
    chains->tree.headers = chains->headers;
    chains->tree.next = chains->next;
    chains->tree.block_count = 4;
    chains->nodes.intersecting_count = 2;
    for (uint32_t node = 0; node < 2; node++) {
        const uint32_t count = 1 + random_below(random, BLOCK_SLOTS);
        chains->nodes.intersecting[node] = chain_word(node, node > 0, count);
        chains->nodes.intersecting_masks[node] = mask;
    }
    if (random_below(random, 2)) {
        chains->nodes.intersecting_masks[0] =
            planes_around(volume, &chains->headers[0].bounds, mask);
    }
}

static void groups_are_listed_alike(void)
{
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t kernel_count = usable_kernels(kernels);
    test_random random = {test_seed};
    static two_chains chains[2];
    for (uint32_t round = 0; round < 20000 * test_scale; round++) {
        query_volume volume;
        fill_chains(&random, &volume, fill_volume(&random, &volume), &chains[0]);
        fill_chains(&random, &volume, 1, &chains[1]);
        const uint32_t most_listed = random_below(&random, 4) ? 9 : 0; // blocks two by two, singly
        group_lists expected[2];
        chain_position expected_place[2];
        for (uint32_t k = 0; k < kernel_count; k++) {
            const volume_kernel *const kernel = acre_volume_kernels[kernels[k]];
            group_lists lists[2] = {{.inside_count = 2}, {.intersecting_count = 7}};
            chain_position place[2] = {{.block = NONE}, {.block = NONE}};
            kernel->frustum.visit_chains(&volume, &chains[0].tree, &chains[0].nodes, most_listed,
                                         &place[0], &lists[0]);
            kernel->box.visit_chains(&volume, &chains[1].tree, &chains[1].nodes, most_listed,
                                     &place[1], &lists[1]);
            if (k == 0) {
                memcpy(expected, lists, sizeof lists);
                memcpy(expected_place, place, sizeof place);
            }
            for (int kind = 0; kind < 2; kind++) {
                CHECK(are_equal_groups(&lists[kind], &expected[kind]));
                CHECK(place[kind].node == expected_place[kind].node &&
                      place[kind].block == expected_place[kind].block);
            }
        }
    }
}

enum { TESTED_GROUPS = 5 };

static void fill_groups(test_random *random, item_group *groups, uint32_t *ids)
{
    for (uint32_t slot = 0; slot < TESTED_GROUPS * GROUP_SLOTS; slot++) {
        float low[3], high[3];
        odd_rows(random, low, high);
        ids[slot] = (uint32_t)random_bits(random);
        for (int axis = 0; axis < 3; axis++) {
            float(*const row)[GROUP_SLOTS] = groups[slot / GROUP_SLOTS].row;
            row[axis * 2][slot % GROUP_SLOTS] = low[axis];
            row[axis * 2 + 1][slot % GROUP_SLOTS] = high[axis];
        }
    }
}

static void items_of_groups_are_selected_alike_and_in_order(void)
{
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t kernel_count = usable_kernels(kernels);
    test_random random = {test_seed};
    static item_group groups[TESTED_GROUPS];
    uint32_t ids[TESTED_GROUPS * GROUP_SLOTS];
    for (uint32_t round = 0; round < 6000 * test_scale; round++) {
        query_volume volume;
        const uint32_t all = fill_volume(&random, &volume);
        uint32_t words[TESTED_GROUPS + GROUPS_AHEAD] = {0}, masks[TESTED_GROUPS], sum = 0;
        fill_groups(&random, groups, ids);
        for (uint32_t i = 0; i < TESTED_GROUPS; i++) {
            const uint32_t count = 1 + random_below(&random, GROUP_SLOTS);
            words[i] = group_word(random_below(&random, TESTED_GROUPS), count);
            masks[i] = (uint32_t)random_bits(&random) & all;
            sum += count;
        }
        uint32_t expected[2][(TESTED_GROUPS + 1) * GROUP_SLOTS], expected_found[2] = {0};
        for (uint32_t k = 0; k < kernel_count; k++) {
            const volume_kernel *const kernel = acre_volume_kernels[kernels[k]];
            uint32_t out[2][(TESTED_GROUPS + 1) * GROUP_SLOTS], found[2];
            found[0] = kernel->frustum.select_groups(&volume, groups, ids, words, masks,
                                                     TESTED_GROUPS, out[0]);
            found[1] = kernel->box.select_groups(&volume, groups, ids, words, masks, TESTED_GROUPS,
                                                 out[1]);
            for (int kind = 0; kind < 2; kind++) {
                if (k == 0) {
                    expected_found[kind] = found[kind];
                    memcpy(expected[kind], out[kind], found[kind] * sizeof out[kind][0]);
                }
                CHECK(found[kind] == expected_found[kind] && found[kind] <= sum);
                CHECK(memcmp(out[kind], expected[kind], found[kind] * sizeof out[kind][0]) == 0);
            }
        }
    }
}

// Trees with each kernel through the same edits: equal states, and equal answers in equal order.
typedef struct lockstep {
    uint32_t count;
    acre_quadtree *trees[MOST_KERNELS];
    acre_aabb boxes[ITEMS];
} lockstep;

static acre_aabb any_box(test_random *random)
{
    const float x = random_float(random, -300.0f, 300.0f),
                z = random_float(random, -300.0f, 300.0f);
    const float half = random_below(random, 10) ? random_float(random, 0.0f, 4.0f)
                                                : random_float(random, 0.0f, 200.0f);
    acre_aabb box = {{x - half, -half, z - half}, {x + half, half, z + half}};
    switch (random_below(random, 60)) {
    case 0:
        box.max[random_below(random, 3)] = INFINITY;
        break;
    case 1:
        box.min[random_below(random, 3)] = NAN;
        break;
    case 2:
        box.min[0] = box.max[0] = -0.0f;
        break;
    case 3: // a corner of cells
        box.min[0] = box.max[0] = 8.0f * floorf(x / 8.0f);
        box.min[2] = box.max[2] = 8.0f * floorf(z / 8.0f);
        break;
    case 4:
        box.min[1] = box.max[1] + 1.0f;
        break;
    default:
        break;
    }
    return box;
}

static bool are_equal(const lockstep *all, test_random *random)
{
    const acre_frustum frustum = odd_frustum(random);
    const acre_aabb box = any_box(random);
    uint32_t expected[ITEMS] = {0}, found[ITEMS];
    size_t expected_count[2] = {0};
    const size_t capacity = random_below(random, 3) ? ITEMS : random_below(random, ITEMS);
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t k = 0; k < all->count; k++) {
            const size_t count =
                kind ? acre_quadtree_query_aabb(all->trees[k], &box, found, capacity)
                     : acre_quadtree_query_frustum(all->trees[k], &frustum, found, capacity);
            const size_t written = count < capacity ? count : capacity;
            if (k == 0) {
                expected_count[kind] = count;
                memcpy(expected, found, written * sizeof *found);
            }
            if (count != expected_count[kind] ||
                memcmp(expected, found, written * sizeof *found) != 0) {
                return false;
            }
        }
    }
    for (uint32_t k = 1; k < all->count; k++) {
        if (acre_quadtree_state_hash(all->trees[k]) != acre_quadtree_state_hash(all->trees[0])) {
            return false;
        }
    }
    return true;
}

static void edit_all(lockstep *all, test_random *random)
{
    const uint32_t kind = random_below(random, 8), item = random_below(random, ITEMS);
    for (uint32_t i = 0; kind == 7 && i < ITEMS; i++) {
        all->boxes[i] = random_below(random, 3) ? all->boxes[i] : any_box(random);
    }
    const acre_aabb box = any_box(random);
    all->boxes[item] = box;
    for (uint32_t k = 0; k < all->count; k++) {
        if (kind < 4) {
            ACRE_IGNORE(acre_quadtree_insert(all->trees[k], item, &box));
        } else if (kind == 4) {
            ACRE_IGNORE(acre_quadtree_remove(all->trees[k], item));
        } else if (kind == 5) {
            ACRE_IGNORE(acre_quadtree_refresh(all->trees[k], item, &box));
        } else if (kind == 6) {
            ACRE_IGNORE(acre_quadtree_maintain(all->trees[k]));
        } else {
            ACRE_IGNORE(acre_quadtree_refresh_all(all->trees[k], all->boxes, ITEMS));
        }
    }
}

static void trees_with_each_kernel_stay_equal_through_all_edits(void)
{
    acre_kernel kernels[MOST_KERNELS];
    static lockstep all;
    test_random random = {test_seed};
    for (uint32_t capacity = 3; capacity <= 48; capacity *= 4) {
        all.count = usable_kernels(kernels);
        for (uint32_t k = 0; k < all.count; k++) {
            const acre_quadtree_def def = {
                .half_size = 256.0f, .node_capacity = capacity, .kernel = kernels[k]};
            CHECK(acre_quadtree_create(&def, &all.trees[k]) == ACRE_OK);
        }
        for (uint32_t i = 0; i < ITEMS; i++) {
            all.boxes[i] = any_box(&random);
        }
        for (uint32_t round = 0; round < 1500 * test_scale; round++) {
            edit_all(&all, &random);
            CHECK(are_equal(&all, &random));
        }
        for (uint32_t k = 0; k < all.count; k++) {
            char message[160];
            CHECK(acre_quadtree_validate(all.trees[k], message, sizeof message) == ACRE_OK);
            acre_quadtree_destroy(all.trees[k]);
        }
    }
}

static void a_kernel_is_chosen_by_def_then_environment_then_processor(void)
{
    acre_quadtree *tree;
    const acre_quadtree_def unknown = {.kernel = (acre_kernel)(ACRE_KERNEL_AVX512 + 1)};
    CHECK(acre_quadtree_create(&unknown, &tree) == ACRE_ERROR_INVALID_ARGUMENT && !tree);
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t count = usable_kernels(kernels);
    CHECK(count >= 1 && kernels[0] == ACRE_KERNEL_SCALAR);
#ifndef _WIN32
    acre_quadtree_def def;
    CHECK(unsetenv("ACRE_KERNEL") == 0);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_get_def(tree, &def) == ACRE_OK && def.kernel == kernels[count - 1]);
    acre_quadtree_destroy(tree);
    CHECK(setenv("ACRE_KERNEL", "scalar", 1) == 0);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_get_def(tree, &def) == ACRE_OK && def.kernel == ACRE_KERNEL_SCALAR);
    acre_quadtree_destroy(tree);
    const acre_quadtree_def widest = {.kernel = kernels[count - 1]};
    CHECK(acre_quadtree_create(&widest, &tree) == ACRE_OK);
    CHECK(acre_quadtree_get_def(tree, &def) == ACRE_OK && def.kernel == kernels[count - 1]);
    acre_quadtree_destroy(tree);
    CHECK(setenv("ACRE_KERNEL", "abacus", 1) == 0);
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    CHECK(acre_quadtree_get_def(tree, &def) == ACRE_OK && def.kernel == kernels[count - 1]);
    acre_quadtree_destroy(tree);
    CHECK(unsetenv("ACRE_KERNEL") == 0);
#endif
}

// A box of which much is odd: endless, far away, tiny, as wide as a cell, or none at all.
static row_box odd_box(test_random *random, const ground_grid *grid)
{
    static const float widths[] = {0.0f, 1.0f, 2.0f, 0x1p24f, 0x1p25f, 0x1p-140f};
    row_box box;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float scale = ldexpf(1.0f, (int)random_below(random, 40) - 8);
        const float low = random_float(random, -scale, scale);
        const float width = random_below(random, 3)
                                ? random_float(random, 0.0f, scale)
                                : widths[random_below(random, sizeof widths / sizeof widths[0])];
        box.row[i] = random_below(random, 12) ? low : odd_float(random);
        box.row[i + 1] = random_below(random, 12) ? low + width * grid->cell : odd_float(random);
    }
    if (random_below(random, 50) == 0) {
        box.row[random_below(random, ROW_COUNT)] = NAN;
    }
    return box;
}

static bool is_placed_as(const ground_grid *grid, const row_box *box, const group_places *places,
                         uint32_t slot)
{
    const uint32_t level = places->level[slot] & ~(uint32_t)LEVEL_UNSURE;
    if (rows_have_sizes(box) == (level != places->level[slot])) {
        return false;
    }
    if (!rows_are_valid(box)) {
        return true; // the build refuses it
    }
    const placement place = acre_grid_place(grid, box);
    if (level > MAX_LEVEL && !(level & LEVEL_CLOSE)) {
        return place.is_outlier;
    }
    const bool is_same = place.x == places->x[slot] && place.z == places->z[slot];
    return level & LEVEL_CLOSE ? is_same || place.is_outlier
                               : is_same && place.level == level && !place.is_outlier;
}

// Whether every kernel notes the least and the largest heights of a group and of what was noted.
static bool heights_are_noted(const item_group *group, const acre_kernel *kernels, uint32_t count)
{
    bool ok = true;
    for (uint32_t k = 0; k < count; k++) {
        float lowest[GROUP_SLOTS], highest[GROUP_SLOTS], centers[GROUP_SLOTS];
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            lowest[slot] = highest[slot] = slot % 2 ? 3.0f : 1e7f * (float)slot;
        }
        acre_build_kernels[kernels[k]]->note_heights(group, lowest, highest, centers);
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const float before = slot % 2 ? 3.0f : 1e7f * (float)slot;
            const float center =
                0.5f * group->row[ROW_Y_MIN][slot] + 0.5f * group->row[ROW_Y_MAX][slot];
            ok &= lowest[slot] == fminf(before, center);
            ok &= highest[slot] == fmaxf(before, center);
            ok &= memcmp(&centers[slot], &center, sizeof center) == 0;
        }
    }
    return ok;
}

static void groups_are_placed_as_single_boxes(void)
{
    test_random random = {test_seed};
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t kernel_count = usable_kernels(kernels);
    uint32_t kinds[3] = {0}; // in cells, outliers, exact answer needed
    for (uint32_t round = 0; round < 3000 * test_scale; round++) {
        ground_grid grid;
        cell root;
        item_group group;
        const float center[2] = {random_float(&random, -1e4f, 1e4f), 0.0f};
        CHECK(acre_grid_create(&grid, &root, center, ldexpf(1.0f, (int)random_below(&random, 12)),
                               random_below(&random, 12)));
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const row_box box = odd_box(&random, &grid);
            for (int i = 0; i < ROW_COUNT; i++) {
                group.row[i][slot] = box.row[i];
            }
        }
        group_places expected;
        acre_build_kernel_scalar.place_group(&grid, &group, &expected);
        for (uint32_t slot = 0; slot < GROUP_SLOTS; slot++) {
            const row_box box = group_rows(&group, slot);
            CHECK(is_placed_as(&grid, &box, &expected, slot));
            kinds[0] += expected.level[slot] <= MAX_LEVEL;
            kinds[1] += (expected.level[slot] & LEVEL_OUTLIER) != 0;
            kinds[2] += (expected.level[slot] & LEVEL_CLOSE) != 0;
        }
        for (uint32_t k = 1; k < kernel_count; k++) {
            group_places places;
            acre_build_kernels[kernels[k]]->place_group(&grid, &group, &places);
            CHECK(memcmp(&places, &expected, sizeof places) == 0);
        }
        CHECK(heights_are_noted(&group, kernels, kernel_count));
    }
    CHECK(kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 1000);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(siblings_are_listed_alike),
        TEST(groups_are_listed_alike),
        TEST(items_of_groups_are_selected_alike_and_in_order),
        TEST(groups_are_placed_as_single_boxes),
        TEST(trees_with_each_kernel_stay_equal_through_all_edits),
        TEST(a_kernel_is_chosen_by_def_then_environment_then_processor),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
