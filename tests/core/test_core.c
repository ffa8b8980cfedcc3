// SPDX-License-Identifier: MIT
// test_core.c - results, allocator, boxes.
#include "float_bits.h"
#include "float_modes.h"
#include "test.h"

#include <acre/alloc.h>
#include <acre/bounds.h>

#include <float.h>
#include <math.h>
#include <string.h>

static void every_result_has_its_own_text(void)
{
    for (int i = 0; i <= ACRE_ERROR_DIFFERS; i++) {
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
        const uint32_t most = step % 50 == 0 ? 9000000 : step % 10 == 0 ? 3000000 : 5000;
        const size_t grown = 1 + random_below(&random, most);
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
        CHECK(!acre_aabb_is_valid(&box) && !acre_aabb_is_empty(&box));
        CHECK(!acre_aabb_is_finite(&box));
    }
    for (int axis = 0; axis < 3; axis++) {
        acre_aabb box = {{0, 0, 0}, {0, 0, 0}};
        box.min[axis] = nextafterf(0.0f, 1.0f);
        CHECK(!acre_aabb_is_valid(&box) && acre_aabb_is_empty(&box));
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

static void the_linked_version_is_the_headers(void)
{
    CHECK(acre_version() >> 16 == ACRE_VERSION_MAJOR);
    CHECK((acre_version() >> 8 & 255u) == ACRE_VERSION_MINOR);
    CHECK((acre_version() & 255u) == ACRE_VERSION_PATCH);
}

static void texts_of_results_can_stand_within_a_sentence(void)
{
    for (int i = -1; i <= ACRE_ERROR_DIFFERS + 1; i++) {
        const char *const text = acre_result_text((acre_result)i);
        CHECK(text && strlen(text) > 3 && text[strlen(text) - 1] != '.');
        CHECK(text[0] >= 'a' && text[0] <= 'z');
    }
}

static bool is_filled(const unsigned char *block, size_t size, unsigned char value)
{
    for (size_t i = 0; i < size; i += 4095) {
        if (block[i] != value) {
            return false;
        }
    }
    return block[size - 1] == value;
}

static void blocks_made_large_hold_what_is_written_as_they_grow_and_shrink(void)
{
    static const size_t sizes[] = {2097152, 4194303, 4194304, 5000000, 40000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t size = sizes[i], more = size * 3 / 2, less = 100;
        unsigned char *const other = acre_resize(NULL, NULL, 0, size, 64);
        unsigned char *block = acre_resize(NULL, NULL, 0, size, 64);
        CHECK(block && other && ((uintptr_t)block & 63) == 0 && ((uintptr_t)other & 63) == 0);
        memset(other, 5, size);
        memset(block, 6, size);
        block = acre_resize(NULL, block, size, more, 64);
        CHECK(block && ((uintptr_t)block & 63) == 0 && is_filled(block, size, 6));
        memset(block, 7, more);
        CHECK(is_filled(other, size, 5) && is_filled(block, more, 7));
        block = acre_resize(NULL, block, more, less, 64);
        CHECK(block && is_filled(block, less, 7));
        block = acre_resize(NULL, block, less, size, 64);
        CHECK(block && is_filled(block, less, 7));
        memset(block, 8, size);
        CHECK(is_filled(other, size, 5) && is_filled(block, size, 8));
        CHECK(acre_resize(NULL, block, size, 0, 64) == NULL);
        CHECK(is_filled(other, size, 5) && acre_resize(NULL, other, size, 0, 64) == NULL);
    }
}

typedef struct seen_call {
    void *user, *block;
    size_t old_size, new_size, alignment;
} seen_call;

static void *note_call(void *user, void *block, size_t old_size, size_t new_size, size_t alignment)
{
    seen_call *const seen = (seen_call *)user;
    *seen = (seen_call){user, block, old_size, new_size, alignment};
    return new_size > 0 ? seen : NULL;
}

static void a_given_allocator_gets_every_call_as_it_is(void)
{
    seen_call seen = {NULL, NULL, 0, 0, 0};
    const acre_allocator allocator = {note_call, &seen};
    char block[8];
    CHECK(acre_resize(&allocator, NULL, 0, 24, 32) == &seen);
    CHECK(seen.user == &seen && !seen.block && seen.old_size == 0);
    CHECK(seen.new_size == 24 && seen.alignment == 32);
    CHECK(acre_resize(&allocator, block, 24, 0, 32) == NULL);
    CHECK(seen.block == block && seen.old_size == 24 && seen.new_size == 0);
}

static void an_allocator_without_a_function_is_the_heap(void)
{
    const acre_allocator allocator = {NULL, NULL};
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        unsigned char *block = (unsigned char *)acre_resize(&allocator, NULL, 0, 100, alignment);
        CHECK(block && (uintptr_t)block % alignment == 0);
        memset(block, 7, 100);
        block = (unsigned char *)acre_resize(NULL, block, 100, 10, alignment);
        CHECK(block && (uintptr_t)block % alignment == 0 && block[0] == 7 && block[9] == 7);
        CHECK(acre_resize(&allocator, block, 10, 0, alignment) == NULL);
        CHECK(acre_resize(NULL, NULL, 0, 0, alignment) == NULL);
    }
}

// Sizes that no heap has; read at run time, or compilers warn.
static volatile size_t too_much = SIZE_MAX - 8;

static void a_block_that_cannot_grow_stays_as_it_is(void)
{
    for (size_t alignment = 8; alignment <= 64; alignment *= 8) {
        unsigned char *const block = (unsigned char *)acre_resize(NULL, NULL, 0, 50, alignment);
        CHECK(block);
        memset(block, 9, 50);
        CHECK(acre_resize(NULL, block, 50, too_much, alignment) == NULL);
        CHECK(acre_resize(NULL, block, 50, too_much - 1000, alignment) == NULL);
        for (int i = 0; i < 50; i++) {
            CHECK(block[i] == 9);
        }
        acre_resize(NULL, block, 50, 0, alignment);
    }
}

#if SIZE_MAX > UINT32_MAX && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ASKS_THE_SYSTEM // for sizes that it does not have; sanitizers end the program then
static void a_large_block_that_cannot_grow_stays_as_it_is(void)
{
    unsigned char *const small = (unsigned char *)acre_resize(NULL, NULL, 0, 100, 64);
    unsigned char *const block = (unsigned char *)acre_resize(NULL, small, 100, 5000000, 64);
    CHECK(block && !acre_resize(NULL, NULL, 0, too_much / 4, 64));
    memset(block, 9, 5000000);
    for (size_t divisor = 2; divisor <= 64; divisor *= 2) {
        CHECK(!acre_resize(NULL, block, 5000000, too_much / divisor, 64));
        CHECK(is_filled(block, 5000000, 9));
    }
    acre_resize(NULL, block, 5000000, 0, 64);
}
#endif

static acre_aabb random_box(test_random *random)
{
    // Few values, so that equal edges are frequent.
    static const float edges[] = {-INFINITY, -2, -1, -0.0f, 0, 1e-45f, 1, 2, INFINITY};
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t low = random_below(random, 9), high = random_below(random, 9);
        box.min[axis] = edges[low < high ? low : high];
        box.max[axis] = edges[low < high ? high : low];
    }
    return box;
}

static bool is_in(const acre_aabb *box, const float *p)
{
    return box->min[0] <= p[0] && p[0] <= box->max[0] && box->min[1] <= p[1] &&
           p[1] <= box->max[1] && box->min[2] <= p[2] && p[2] <= box->max[2];
}

// All corners of both boxes: two boxes with a common point have one of these in common, too.
static bool share_a_point(const acre_aabb *a, const acre_aabb *b)
{
    for (int i = 0; i < 64; i++) {
        float p[3];
        for (int axis = 0; axis < 3; axis++) {
            const int choice = i >> (2 * axis) & 3;
            const acre_aabb *const box = choice & 1 ? a : b;
            p[axis] = choice & 2 ? box->max[axis] : box->min[axis];
        }
        if (is_in(a, p) && is_in(b, p)) {
            return true;
        }
    }
    return false;
}

static void overlap_containment_and_merging_agree_with_the_points_of_boxes(void)
{
    test_random random = {test_seed};
    uint32_t overlapping = 0, containing = 0;
    for (uint32_t run = 0; run < 20000 * test_scale; run++) {
        const acre_aabb a = random_box(&random), b = random_box(&random);
        CHECK(acre_aabb_is_valid(&a) && !acre_aabb_is_empty(&a));
        const bool overlaps = acre_aabb_overlaps(&a, &b);
        CHECK(overlaps == share_a_point(&a, &b) && overlaps == acre_aabb_overlaps(&b, &a));
        const bool contains = acre_aabb_contains(&a, &b);
        CHECK(contains == (is_in(&a, b.min) && is_in(&a, b.max)));
        const acre_aabb both = acre_aabb_merge(&a, &b), same = acre_aabb_merge(&b, &a);
        CHECK(acre_aabb_contains(&both, &a) && acre_aabb_contains(&both, &b));
        CHECK(acre_aabb_contains(&both, &same) && acre_aabb_contains(&same, &both));
        for (int axis = 0; axis < 3; axis++) { // the smallest: each edge is one of theirs
            CHECK(both.min[axis] == a.min[axis] || both.min[axis] == b.min[axis]);
            CHECK(both.max[axis] == a.max[axis] || both.max[axis] == b.max[axis]);
        }
        overlapping += overlaps;
        containing += contains;
    }
    CHECK(overlapping > 1000 && containing > 100);
}

static void a_box_contains_the_empty_box_and_nothing_is_in_a_nan_box(void)
{
    const acre_aabb box = {{-1, 2, 3}, {4, 5, 6}}, empty = acre_aabb_empty();
    CHECK(acre_aabb_contains(&box, &empty) && acre_aabb_contains(&box, &box));
    CHECK(!acre_aabb_is_valid(&empty) && acre_aabb_is_finite(&empty));
    const acre_aabb twice = acre_aabb_merge(&empty, &empty);
    CHECK(acre_aabb_is_empty(&twice));
    for (int i = 0; i < 6; i++) {
        acre_aabb broken = box;
        (i < 3 ? broken.min : broken.max)[i % 3] = NAN;
        CHECK(!acre_aabb_contains(&broken, &box) && !acre_aabb_contains(&box, &broken));
        CHECK(!acre_aabb_is_empty(&broken));
    }
}

static void boxes_from_centers_have_the_edges_that_were_meant(void)
{
    const float at[3] = {1, -2, 3}, size[3] = {4, 0, 8};
    const acre_aabb around = acre_aabb_from_center(at, size);
    for (int k = 0; k < 3; k++) {
        CHECK(around.min[k] == at[k] - size[k] && around.max[k] == at[k] + size[k]);
    }
    for (int k = 0; k < 3; k++) {
        float wrong[3] = {1, 1, 1};
        wrong[k] = -1.0f;
        acre_aabb box = acre_aabb_from_center(at, wrong);
        CHECK(acre_aabb_is_empty(&box) && !acre_aabb_is_valid(&box));
        wrong[k] = NAN;
        box = acre_aabb_from_center(at, wrong);
        CHECK(!acre_aabb_is_valid(&box));
    }
}

// Every other float of a row belongs to something else, as in an array of vertices.
static void the_box_of_points_is_the_smallest_that_contains_them(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 2000 * test_scale; i++) {
        float points[10][5];
        const size_t count = 1 + random_below(&random, 10);
        acre_aabb expected = acre_aabb_empty();
        for (size_t n = 0; n < count; n++) {
            for (int k = 0; k < 5; k++) {
                points[n][k] = k < 3 ? random_float(&random, -9, 9) : NAN;
            }
            if (random_below(&random, 20) == 0) {
                points[n][n % 3] = n % 2 ? INFINITY : -INFINITY;
            }
            const acre_aabb point = acre_aabb_from_center(points[n], (float[]){0, 0, 0});
            expected = acre_aabb_merge(&expected, &point);
        }
        acre_aabb box = acre_aabb_from_points(points[0], count, sizeof points[0]);
        CHECK(memcmp(&box, &expected, sizeof box) == 0);
        const size_t broken = random_below(&random, (uint32_t)count);
        points[broken][1] = NAN;
        box = acre_aabb_from_points(points[0], count, sizeof points[0]);
        CHECK(isnan(box.min[1]) && isnan(box.max[1]) && box.min[0] == expected.min[0]);
        CHECK(!acre_aabb_is_valid(&box) && box.max[2] == expected.max[2]);
    }
    const float close[] = {1, 2, 3, 4, 5, 6};
    const acre_aabb box = acre_aabb_from_points(close, 2, 0);
    const acre_aabb none = acre_aabb_from_points(NULL, 0, 0), empty = acre_aabb_empty();
    CHECK(box.min[0] == 1 && box.max[2] == 6);
    CHECK(memcmp(&none, &empty, sizeof none) == 0);
}

// Boxes whose edges are two of these, in the order in which they stand here: -0 and +0 are equal.
static const float ordered_edges[] = {-INFINITY, -1.0f,  -FLT_MIN, -2e-40f, -1e-45f,
                                      -0.0f,     1e-45f, 2e-40f,   FLT_MIN, INFINITY};
enum { ORDERED_EDGES = sizeof ordered_edges / sizeof ordered_edges[0] };

static uint32_t count_wrong_answers(void)
{
    uint32_t wrong = 0;
    for (int i = 0; i < ORDERED_EDGES * ORDERED_EDGES * 3; i++) {
        const int low = i % ORDERED_EDGES, high = i / ORDERED_EDGES % ORDERED_EDGES;
        acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
        box.min[i / ORDERED_EDGES / ORDERED_EDGES] = ordered_edges[low];
        box.max[i / ORDERED_EDGES / ORDERED_EDGES] = ordered_edges[high];
        wrong += acre_aabb_is_valid(&box) != (low <= high);
        wrong += acre_aabb_is_empty(&box) != (low > high);
    }
    return wrong;
}

static void an_inverted_box_with_denormal_edges_is_invalid_in_every_float_mode(void)
{
    for (uint32_t mode = 0; mode < FLOAT_MODE_COUNT; mode++) {
        const float_mode before = float_mode_enter(mode);
        const uint32_t wrong = count_wrong_answers();
        const acre_aabb zeros = {{0.0f, -0.0f, 0.0f}, {-0.0f, 0.0f, -0.0f}};
        const bool are_zeros_valid = acre_aabb_is_valid(&zeros) && !acre_aabb_is_empty(&zeros);
        float_mode_leave(before);
        CHECK(wrong == 0 && are_zeros_valid);
    }
}

static bool has_bits(float value, uint32_t bits)
{
    uint32_t own;
    memcpy(&own, &value, sizeof own);
    return own == bits;
}

static void edges_below_flt_min_are_stored_as_positive_zero_in_every_float_mode(void)
{
    static const uint32_t small[] = {0x80000000u, 0x00000001u, 0x80000001u, 0x007fffffu,
                                     0x807fffffu};
    static const uint32_t kept[] = {0x00800000u, 0x80800000u, 0x3f800000u, 0xff800000u,
                                    0x7f7fffffu};
    for (uint32_t mode = 0; mode < FLOAT_MODE_COUNT; mode++) {
        float edges[10];
        memcpy(edges, small, sizeof small);
        memcpy(edges + 5, kept, sizeof kept);
        const float_mode before = float_mode_enter(mode);
        floats_flush_denormals(edges, 10);
        float_mode_leave(before);
        for (int i = 0; i < 5; i++) {
            CHECK(has_bits(edges[i], 0) && has_bits(edges[5 + i], kept[i]));
        }
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
        TEST(the_linked_version_is_the_headers),
        TEST(texts_of_results_can_stand_within_a_sentence),
        TEST(a_given_allocator_gets_every_call_as_it_is),
        TEST(an_allocator_without_a_function_is_the_heap),
        TEST(blocks_made_large_hold_what_is_written_as_they_grow_and_shrink),
        TEST(a_block_that_cannot_grow_stays_as_it_is),
#ifdef ASKS_THE_SYSTEM
        TEST(a_large_block_that_cannot_grow_stays_as_it_is),
#endif
        TEST(overlap_containment_and_merging_agree_with_the_points_of_boxes),
        TEST(boxes_from_centers_have_the_edges_that_were_meant),
        TEST(the_box_of_points_is_the_smallest_that_contains_them),
        TEST(an_inverted_box_with_denormal_edges_is_invalid_in_every_float_mode),
        TEST(edges_below_flt_min_are_stored_as_positive_zero_in_every_float_mode),
        TEST(a_box_contains_the_empty_box_and_nothing_is_in_a_nan_box),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
