// SPDX-License-Identifier: MIT
// test_quadtree_kernels.c - all kernels that this processor runs give the same bits as the scalar.
#define _POSIX_C_SOURCE 200112L

#include "box_generator.h"
#include "quadtree_kernel.h"
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
        acre_kernel chosen;
        if (acre_kernel_choose((acre_kernel)kernel, &chosen)) {
            out[count++] = chosen;
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

static void fill_volume(test_random *random, query_volume *out)
{
    const acre_frustum frustum = odd_frustum(random);
    out->plane_count = frustum.plane_count;
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        query_plane *const plane = &out->planes[i];
        for (uint32_t axis = 0; axis < 3; axis++) {
            const bool is_positive = frustum.planes[i][axis] >= 0.0f;
            plane->normal[axis] = frustum.planes[i][axis];
            plane->far_row[axis] = (uint8_t)(axis * 2 + is_positive);
            plane->near_row[axis] = (uint8_t)(axis * 2 + !is_positive);
        }
        plane->d = frustum.planes[i][3];
    }
    for (int i = 0; i < ROW_COUNT; i++) {
        out->box.row[i] = odd_float(random);
    }
}

static void odd_rows(test_random *random, float *low, float *high)
{
    for (int axis = 0; axis < 3; axis++) {
        const float a = odd_float(random), b = odd_float(random);
        low[axis] = a < b ? a : b;
        high[axis] = a < b ? b : a;
    }
}

static void siblings_are_tested_alike(void)
{
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t count = usable_kernels(kernels);
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 20000 * test_scale; round++) {
        query_volume volume = {0};
        quad siblings = {.child = {0}};
        fill_volume(&random, &volume);
        for (uint32_t slot = 0; slot < 4; slot++) {
            float low[3], high[3];
            odd_rows(&random, low, high);
            const bool is_empty = random_below(&random, 16) == 0;
            for (int axis = 0; axis < 3; axis++) {
                siblings.bounds[axis * 2][slot] = is_empty ? FLT_MAX : low[axis];
                siblings.bounds[axis * 2 + 1][slot] = is_empty ? -FLT_MAX : high[axis];
            }
        }
        const uint32_t all = (uint32_t)((1ull << volume.plane_count) - 1);
        const uint32_t mask = (uint32_t)random_bits(&random) & all;
        uint32_t expected[2], expected_masks[2][4];
        for (uint32_t k = 0; k < count; k++) {
            acre_kernel chosen;
            const tree_kernel *const kernel = acre_kernel_choose(kernels[k], &chosen);
            uint32_t alive[2], masks[2][4];
            alive[0] = kernel->frustum.test_quad(&volume, &siblings, mask, masks[0]);
            alive[1] = kernel->box.test_quad(&volume, &siblings, 1, masks[1]);
            if (k == 0) {
                memcpy(expected, alive, sizeof alive);
                memcpy(expected_masks, masks, sizeof masks);
            }
            CHECK(memcmp(alive, expected, sizeof alive) == 0);
            CHECK(memcmp(masks, expected_masks, sizeof masks) == 0);
        }
    }
}

static void blocks_are_selected_alike_and_in_order(void)
{
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t kernel_count = usable_kernels(kernels);
    test_random random = {test_seed};
    static block_boxes block;
    uint32_t ids[BLOCK_SLOTS];
    for (uint32_t round = 0; round < 6000 * test_scale; round++) {
        query_volume volume = {0};
        fill_volume(&random, &volume);
        for (uint32_t slot = 0; slot < BLOCK_SLOTS; slot++) {
            float low[3], high[3];
            odd_rows(&random, low, high);
            ids[slot] = (uint32_t)random_bits(&random);
            for (int axis = 0; axis < 3; axis++) {
                float(*const row)[GROUP_SLOTS] = block.groups[slot / GROUP_SLOTS].row;
                row[axis * 2][slot % GROUP_SLOTS] = low[axis];
                row[axis * 2 + 1][slot % GROUP_SLOTS] = high[axis];
            }
        }
        const uint32_t count = 1 + random_below(&random, BLOCK_SLOTS);
        const uint32_t all = (uint32_t)((1ull << volume.plane_count) - 1);
        const uint32_t mask = (uint32_t)random_bits(&random) & all;
        uint32_t expected[2][BLOCK_SLOTS], expected_found[2] = {0};
        for (uint32_t k = 0; k < kernel_count; k++) {
            acre_kernel chosen;
            const tree_kernel *const kernel = acre_kernel_choose(kernels[k], &chosen);
            uint32_t out[2][BLOCK_SLOTS], found[2];
            found[0] = kernel->frustum.select_block(&volume, &block, mask, ids, count, out[0]);
            found[1] = kernel->box.select_block(&volume, &block, 1, ids, count, out[1]);
            for (int kind = 0; kind < 2; kind++) {
                if (k == 0) {
                    expected_found[kind] = found[kind];
                    memcpy(expected[kind], out[kind], sizeof out[kind]);
                }
                CHECK(found[kind] == expected_found[kind] && found[kind] <= count);
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
            acre_quadtree_insert(all->trees[k], item, &box);
        } else if (kind == 4) {
            acre_quadtree_remove(all->trees[k], item);
        } else if (kind == 5) {
            acre_quadtree_refresh(all->trees[k], item, &box);
        } else if (kind == 6) {
            acre_quadtree_maintain(all->trees[k]);
        } else {
            acre_quadtree_refresh_all(all->trees[k], all->boxes, ITEMS);
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
    acre_quadtree_def def;
    const acre_quadtree_def unknown = {.kernel = (acre_kernel)(ACRE_KERNEL_AVX512 + 1)};
    CHECK(acre_quadtree_create(&unknown, &tree) == ACRE_ERROR_INVALID_ARGUMENT && !tree);
    acre_kernel kernels[MOST_KERNELS];
    const uint32_t count = usable_kernels(kernels);
    CHECK(count >= 1 && kernels[0] == ACRE_KERNEL_SCALAR);
#ifndef _WIN32
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

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(siblings_are_tested_alike),
        TEST(blocks_are_selected_alike_and_in_order),
        TEST(trees_with_each_kernel_stay_equal_through_all_edits),
        TEST(a_kernel_is_chosen_by_def_then_environment_then_processor),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
