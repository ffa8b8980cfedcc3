// SPDX-License-Identifier: MIT
// test_core.c - results, allocator, boxes.
#include "test.h"

#include <acre/alloc.h>
#include <acre/bounds.h>

#include <float.h>
#include <math.h>
#include <string.h>

static void every_result_has_its_own_text(void)
{
    for (int i = 0; i <= ACRE_ERROR_FORMAT; i++) {
        for (int j = 0; j < i; j++) {
            CHECK(strcmp(acre_result_text((acre_result)i), acre_result_text((acre_result)j)) != 0);
        }
    }
    CHECK(acre_result_text((acre_result)99) != NULL);
}

static void aligned_blocks_keep_alignment_and_content_through_every_resize(void)
{
    test_random random = {test_seed};
    unsigned char *block = NULL;
    size_t size = 0;
    for (int step = 0; step < 2000; step++) {
        const size_t grown = 1 + random_below(&random, step % 10 == 0 ? 3000000 : 5000);
        unsigned char *const next = acre_resize(NULL, block, size, grown, 64);
        CHECK(next && ((uintptr_t)next & 63) == 0);
        const size_t kept = size < grown ? size : grown;
        for (size_t i = 0; i < kept; i += 97) {
            CHECK(next[i] == (unsigned char)(i * 7));
        }
        block = next;
        size = grown;
        for (size_t i = 0; i < size; i++) {
            block[i] = (unsigned char)(i * 7);
        }
    }
    CHECK(acre_resize(NULL, block, size, 0, 64) == NULL);
    CHECK(acre_resize(NULL, NULL, 0, SIZE_MAX - 8, 64) == NULL);
}

static void a_box_is_valid_unless_an_edge_is_nan_or_inverted(void)
{
    const acre_aabb good = {{-INFINITY, -0.0f, 1e-42f}, {INFINITY, 0.0f, FLT_MAX}};
    CHECK(acre_aabb_is_valid(&good) && !acre_aabb_is_finite(&good));
    for (int i = 0; i < 6; i++) {
        acre_aabb box = good;
        (i < 3 ? box.min : box.max)[i % 3] = NAN;
        CHECK(!acre_aabb_is_valid(&box));
        CHECK(!acre_aabb_is_finite(&box));
    }
    for (int axis = 0; axis < 3; axis++) {
        acre_aabb box = {{0, 0, 0}, {0, 0, 0}};
        box.min[axis] = nextafterf(0.0f, 1.0f);
        CHECK(!acre_aabb_is_valid(&box));
    }
}

static void an_empty_box_adds_nothing_and_contains_nothing(void)
{
    const acre_aabb empty = acre_aabb_empty();
    const acre_aabb box = {{-1, 2, 3}, {4, 5, 6}};
    const acre_aabb a = acre_aabb_merge(&empty, &box);
    const acre_aabb b = acre_aabb_merge(&box, &empty);
    CHECK(acre_aabb_is_empty(&empty) && !acre_aabb_is_empty(&box));
    CHECK(memcmp(&a, &box, sizeof box) == 0 && memcmp(&b, &box, sizeof box) == 0);
    CHECK(!acre_aabb_contains(&empty, &box));
    CHECK(!acre_aabb_overlaps(&empty, &box));
}

static void touching_boxes_overlap_and_separated_ones_do_not(void)
{
    for (int axis = 0; axis < 3; axis++) {
        const acre_aabb a = {{0, 0, 0}, {1, 1, 1}};
        acre_aabb b = a;
        b.min[axis] = 1.0f;
        b.max[axis] = 2.0f;
        CHECK(acre_aabb_overlaps(&a, &b) && acre_aabb_overlaps(&b, &a));
        b.min[axis] = nextafterf(1.0f, 2.0f);
        CHECK(!acre_aabb_overlaps(&a, &b) && !acre_aabb_overlaps(&b, &a));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_result_has_its_own_text),
        TEST(aligned_blocks_keep_alignment_and_content_through_every_resize),
        TEST(a_box_is_valid_unless_an_edge_is_nan_or_inverted),
        TEST(an_empty_box_adds_nothing_and_contains_nothing),
        TEST(touching_boxes_overlap_and_separated_ones_do_not),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
