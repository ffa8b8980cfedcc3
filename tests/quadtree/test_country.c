// SPDX-License-Identifier: MIT
// test_country.c - the country is the same everywhere, and trees of every kernel answer every kind
// of everyday question on it, fresh, moved and optimized, as the test of each box alone.
#include "brute_force_query.h"
#include "country.h"
#include "questions.h"
#include "test.h"

#include <acre/quadtree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The values that gcc 12 makes on x86-64; any compiler and processor has to make them.
static void the_country_has_the_same_bits_everywhere(void)
{
    country land;
    CHECK(country_create(&land, 1000, 8));
    CHECK(country_hash(&land) == UINT64_C(0xee1e8e0981884806));
    for (int frame = 0; frame < 600; frame++) {
        country_advance(&land, 0, frame % 3 ? 10 : 1);
    }
    CHECK(country_hash(&land) == UINT64_C(0x01cb422ec6c13490));
    country_free(&land);
}

static void boxes_are_of_the_stated_sizes_places_and_speeds(void)
{
    country land;
    float least = 1e9f, most = 0.0f;
    CHECK(country_create(&land, 10000, 1));
    CHECK(fabsf(land.half_size - 648.3f) < 0.1f);
    for (uint32_t item = 0; item < land.count; item++) {
        const acre_aabb *const box = &land.boxes[item];
        const float *const step = land.steps[item];
        const float width = fmaxf(box->max[0] - box->min[0], box->max[2] - box->min[2]);
        const float speed = 60.0f * sqrtf(step[0] * step[0] + step[1] * step[1]);
        CHECK(acre_aabb_is_valid(box) && acre_aabb_is_finite(box));
        CHECK(fabsf(0.5f * (box->min[0] + box->max[0])) <= land.half_size * 1.0001f);
        CHECK(fabsf(0.5f * (box->min[2] + box->max[2])) <= land.half_size * 1.0001f);
        CHECK(box->min[1] >= 0.0f && box->max[1] <= 350.0f);
        CHECK(speed >= 0.499f && speed <= 10.001f);
        least = fminf(least, fminf(box->max[0] - box->min[0], box->max[2] - box->min[2]));
        most = fmaxf(most, width);
    }
    CHECK(least >= 0.29f && least < 0.31f);
    CHECK(most > 150.0f && most <= 200.1f);
    country_free(&land);
}

static void moving_boxes_keep_their_size_and_stay_in_the_country(void)
{
    country land;
    CHECK(country_create(&land, 500, 1));
    acre_aabb before[500];
    memcpy(before, land.boxes, sizeof before);
    for (int frame = 0; frame < 3000; frame++) {
        country_advance(&land, 1, 2);
    }
    for (uint32_t item = 0; item < land.count; item++) {
        const acre_aabb *const box = &land.boxes[item];
        const bool is_same = memcmp(box, &before[item], sizeof *box) == 0;
        CHECK(is_same == (item % 2 == 0));
        CHECK(fabsf(0.5f * (box->min[0] + box->max[0])) <= land.half_size + 1.0f);
        CHECK(fabsf(0.5f * (box->min[2] + box->max[2])) <= land.half_size + 1.0f);
        CHECK(fabsf((box->max[0] - box->min[0]) - (before[item].max[0] - before[item].min[0])) <
              0.1f);
    }
    country_free(&land);
}

// A box is certainly outside only if it is outside of the volume's corners, too.
static void bounds_of_a_view_hold_all_that_is_truly_in_view(void)
{
    country land;
    size_t seen = 0;
    CHECK(country_create(&land, 1000, 16));
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t i = 0; i < land.view_count; i++) {
            const country_view *const view = &land.views[kind][i];
            CHECK(view->frustum.plane_count == 6);
            for (uint32_t item = 0; item < land.count; item++) {
                const acre_aabb *const box = &land.boxes[item];
                const bool is_seen = acre_frustum_test_aabb_exact(&view->frustum, box);
                CHECK(!is_seen || acre_aabb_overlaps(&view->bounds, box));
                CHECK(is_seen || kind != VIEW_WHOLE);
                seen += is_seen;
            }
        }
    }
    CHECK(seen > 16 * 1000);
    country_free(&land);
}

enum { BOXES = 1500, QUESTIONS = 4 };

// A country, its oracle and a tree.
typedef struct country_tree {
    country land;
    brute_force oracle;
    acre_quadtree *tree;
    question_set set;
    uint32_t items[BOXES], expected[BOXES];
    acre_query_hit hits[BOXES], expected_hits[BOXES];
} country_tree;

static bool is_right(country_tree *self, uint32_t index)
{
    const asked_question *const asked = &self->set.questions[index];
    acre_query query = *asked->query;
    size_t count = SIZE_MAX;
    if (self->set.kind->is_nearest) {
        const size_t wanted =
            brute_force_nearest(&self->oracle, &query, self->expected_hits, asked->capacity);
        return acre_quadtree_query_nearest(self->tree, &query, self->hits, asked->capacity,
                                           &count) == ACRE_OK &&
               count == wanted &&
               memcmp(self->hits, self->expected_hits, count * sizeof *self->hits) == 0;
    }
    query.flags = (query.flags & ~(uint32_t)ACRE_QUERY_STOP_WHEN_FULL) | ACRE_QUERY_SORTED;
    const size_t wanted = brute_force_query(&self->oracle, &query, self->expected);
    return acre_quadtree_query(self->tree, &query, self->items, BOXES, &count) == ACRE_OK &&
           count == wanted && memcmp(self->items, self->expected, count * sizeof *self->items) == 0;
}

// What knows boxes alone tests its candidates: each box in turn has to be judged as the query does.
static bool are_candidates_judged(country_tree *self, uint32_t index)
{
    const asked_question *const asked = &self->set.questions[index];
    const size_t wanted = brute_force_query(&self->oracle, asked->query, self->expected);
    size_t found = 0;
    bool ok = true;
    if (asked->prepare) {
        asked->prepare(asked);
    }
    for (uint32_t item = 0; item < BOXES && ok; item++) {
        const acre_aabb *const box = &self->land.boxes[item];
        if (asked->is_found(asked, item, box)) {
            ok = found < wanted && self->expected[found] == item &&
                 acre_aabb_overlaps(&asked->bounds, box);
            found++;
        }
    }
    return ok && found == wanted;
}

static bool ask_all(country_tree *self)
{
    bool ok = true;
    for (uint32_t kind = 0; kind < question_kind_count() && ok; kind++) {
        questions_make(&self->set, question_kind_at(kind), &self->land, self->oracle.layers,
                       QUESTIONS);
        for (uint32_t i = 0; i < QUESTIONS && ok; i++) {
            ok = is_right(self, i) && are_candidates_judged(self, i);
        }
        if (!ok) {
            printf("     %s\n", self->set.kind->name);
        }
    }
    return ok;
}

static bool create(country_tree *self, acre_kernel kernel)
{
    const acre_quadtree_def def = {.half_size = 300.0f, .kernel = kernel};
    bool ok = country_create(&self->land, BOXES, 1) && brute_force_init(&self->oracle, BOXES) &&
              acre_quadtree_create(&def, &self->tree) == ACRE_OK;
    for (uint32_t item = 0; item < BOXES && ok; item++) {
        const uint32_t layers = question_layers_of(item);
        ok = brute_force_insert(&self->oracle, item, &self->land.boxes[item]) == ACRE_OK &&
             brute_force_set_layers(&self->oracle, item, layers) == ACRE_OK &&
             acre_quadtree_insert(self->tree, item, &self->land.boxes[item]) == ACRE_OK &&
             acre_quadtree_set_layers(self->tree, item, layers) == ACRE_OK;
    }
    return ok;
}

// A second in which all boxes move and some appear elsewhere.
static bool move(country_tree *self)
{
    uint64_t random = 5;
    bool ok = true;
    for (int frame = 0; frame < 60 && ok; frame++) {
        country_advance(&self->land, 0, 1);
        country_respawn(&self->land, (uint32_t)frame, &random);
        ok = acre_quadtree_refresh_all(self->tree, self->land.boxes, BOXES) == ACRE_OK &&
             acre_quadtree_maintain(self->tree) == ACRE_OK;
    }
    for (uint32_t item = 0; item < BOXES && ok; item++) {
        ok = brute_force_refresh(&self->oracle, item, &self->land.boxes[item]) == ACRE_OK;
    }
    return ok;
}

static void every_kind_of_question_is_answered_as_the_test_of_each_box_with_every_kernel(void)
{
    uint32_t kernels = 0;
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        const acre_quadtree_def def = {.kernel = (acre_kernel)kernel};
        acre_quadtree *probe = NULL;
        if (acre_quadtree_create(&def, &probe) != ACRE_OK) {
            continue; // this processor has no such kernel
        }
        acre_quadtree_destroy(probe);
        country_tree *const self = calloc(1, sizeof *self);
        CHECK(self != NULL && create(self, (acre_kernel)kernel));
        CHECK(ask_all(self));
        CHECK(move(self) && ask_all(self));
        CHECK(acre_quadtree_optimize(self->tree) == ACRE_OK && ask_all(self));
        acre_quadtree_destroy(self->tree);
        brute_force_free(&self->oracle);
        country_free(&self->land);
        free(self);
        kernels++;
    }
    CHECK(kernels >= 1);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_country_has_the_same_bits_everywhere),
        TEST(boxes_are_of_the_stated_sizes_places_and_speeds),
        TEST(moving_boxes_keep_their_size_and_stay_in_the_country),
        TEST(bounds_of_a_view_hold_all_that_is_truly_in_view),
        TEST(every_kind_of_question_is_answered_as_the_test_of_each_box_with_every_kernel),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
