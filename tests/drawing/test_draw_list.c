// SPDX-License-Identifier: MIT
// test_draw_list.c - visible slots made ready for drawing, against qsort with a comparison
// function: order, ranges, matrices; bits; indirect records; errors, shortage of memory, steady
// frames.
#include "culling_counts.h"
#include "culling_internal.h"
#include "failing_allocator.h"
#include "scene_internal.h"

#include <acre/draw_list.h>
#include <acre/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 6000, INPUT = 9000 };

static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
static const acre_frustum everything; // no planes

typedef struct world {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[ENTITIES];
} world;

static world the_world;

static acre_transform random_local(test_random *random, float reach)
{
    acre_transform local = {{0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        local.translation[i] = random_float(random, -reach, reach);
        local.scale[i] = random_float(random, 0.5f, 2.0f);
    }
    const float angle = random_float(random, 0, 3);
    local.rotation[1] = sinf(angle);
    local.rotation[3] = cosf(angle);
    return local;
}

// Many at the same few places, so that distances are equal; some as children of those before; some
// without a box, or with one of the caller's, hidden, never culled, or destroyed again.
static acre_result fill_world(world *w, test_random *random)
{
    const acre_aabb box = {{-1, 0, -2}, {1, 3, 2}},
                    infinite = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_transform places[3] = {random_local(random, 5), random_local(random, 50),
                                      random_local(random, 500)};
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < ENTITIES && result == ACRE_OK; i++) {
        const uint32_t kind = random_below(random, 100);
        const acre_transform own = random_local(random, 100);
        acre_entity_def def = {.local = kind < 30 ? &places[kind % 3] : &own,
                               .bounds = kind == 31   ? &infinite
                                         : kind == 32 ? NULL
                                                      : &box,
                               .user = random_bits(random),
                               .flags = kind < 33 && kind > 29 ? ACRE_ENTITY_NEVER_CULL : 0};
        if (kind >= 60 && i > 0) {
            def.parent = w->entities[random_below(random, i)];
        }
        result = acre_entity_create(w->scene, &def, &w->entities[i]);
    }
    return result == ACRE_OK ? acre_scene_commit(w->scene) : result;
}

// Of those that are registered, which an entity without bounds is not.
static bool add_own_boxes(world *w, test_random *random)
{
    size_t added = 0;
    for (int i = 0; i < 100; i++) {
        const acre_entity entity = w->entities[random_below(random, ENTITIES)];
        const float x = random_float(random, -300, 300);
        const acre_aabb own = {{x, 0, x}, {x + 1, 1, x + 9}};
        if (acre_culling_refresh_bounds(w->culling, entity, &own) == ACRE_OK) {
            added++;
        }
    }
    return added > 50;
}

static bool open_world(world *w)
{
    w->scene = NULL;
    w->culling = NULL;
    return acre_scene_create(&(acre_scene_def){0}, &w->scene) == ACRE_OK &&
           acre_culling_create(w->scene, &(acre_culling_def){.register_all = true}, &w->culling) ==
               ACRE_OK;
}

static world *make_world(uint64_t seed)
{
    test_random random = {seed};
    world *const w = &the_world;
    return open_world(w) && fill_world(w, &random) == ACRE_OK && add_own_boxes(w, &random) ? w
                                                                                           : NULL;
}

static void free_world(world *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

// ---- the oracle ----

typedef struct drawn {
    uint32_t key, lod, slot;
    size_t position;
    float distance;
} drawn;

static acre_draw_input asked; // what compare_drawn compares by

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_drawn(const void *left, const void *right)
{
    const drawn *const a = left, *const b = right;
    int order = 0;
    if (!(asked.flags & ACRE_DRAW_UNGROUPED)) {
        order = compare_numbers(a->key, b->key);
        order = order ? order : compare_numbers(a->lod, b->lod);
    }
    if (order == 0 && asked.order != ACRE_DRAW_AS_GIVEN) {
        order = (a->distance > b->distance) - (a->distance < b->distance);
        order = asked.order == ACRE_DRAW_FAR_TO_NEAR ? -order : order;
        order = order ? order : compare_numbers(a->slot, b->slot);
    }
    return order ? order : compare_numbers(a->position, b->position);
}

static acre_aabb box_of(const world *w, uint32_t slot)
{
    return acre_scene_get_view(w->scene).world_bounds[slot];
}

static void expect(const world *w, const acre_draw_input *input, drawn *out)
{
    const acre_scene_view view = acre_scene_get_view(w->scene);
    const acre_aabb eye = {{input->eye[0], input->eye[1], input->eye[2]},
                           {input->eye[0], input->eye[1], input->eye[2]}};
    asked = *input;
    for (size_t i = 0; i < input->count; i++) {
        const uint32_t slot = input->slots[i];
        const acre_aabb box = box_of(w, slot);
        out[i] = (drawn){.key = input->keys ? input->keys[slot] : 0,
                         .lod = input->lods ? input->lods[i] : 0,
                         .slot = slot,
                         .position = i,
                         .distance = acre_aabb_distance(&eye, &box)};
        if (input->flags & ACRE_DRAW_USER_KEYS) {
            out[i].key = (uint32_t)(view.user[slot] & UINT32_MAX);
        }
    }
    qsort(out, input->count, sizeof *out, compare_drawn);
}

static bool ranges_are(const acre_draw *draw, const drawn *expected)
{
    size_t end = 0;
    for (size_t i = 0; i < draw->range_count; i++) {
        const acre_draw_range range = draw->ranges[i];
        if (range.first != end || range.count == 0 || range.count > draw->count - end) {
            return false;
        }
        end += range.count;
        for (size_t k = range.first; k < end; k++) {
            if (expected[k].key != range.key || expected[k].lod != range.lod) {
                return false;
            }
        }
        const acre_draw_range *const last = i > 0 ? &draw->ranges[i - 1] : NULL;
        if (last && last->key == range.key && last->lod == range.lod) {
            return false; // both are one
        }
    }
    return end == draw->count;
}

static bool matrices_are(const world *w, const acre_draw *draw, acre_matrix_form form)
{
    if (acre_matrix_floats(form) != draw->matrix_floats) {
        return false;
    }
    for (size_t i = 0; i < draw->count && form; i++) {
        const acre_entity entity = acre_scene_entity(w->scene, draw->slots[i]);
        float m[16], rows[12];
        if (acre_entity_world_matrix(w->scene, entity, m) != ACRE_OK) {
            return false;
        }
        for (int k = 0; k < 12; k++) {
            rows[k] = m[4 * (k % 4) + k / 4];
        }
        if (memcmp(draw->matrices + i * draw->matrix_floats, form == ACRE_MATRIX_ROWS ? rows : m,
                   draw->matrix_floats * sizeof(float))) {
            return false;
        }
    }
    return true;
}

static bool is_drawn(const world *w, const acre_draw_list *list, const acre_draw_input *input)
{
    static drawn expected[INPUT];
    const acre_draw draw = acre_draw_list_get(list);
    expect(w, input, expected);
    if (draw.count != input->count) {
        return false;
    }
    for (size_t i = 0; i < draw.count; i++) {
        if (draw.slots[i] != expected[i].slot) {
            return false;
        }
    }
    return ranges_are(&draw, expected) && matrices_are(w, &draw, input->matrices);
}

// ---- order ----

typedef struct request {
    uint32_t slots[INPUT], keys[ENTITIES];
    uint8_t lods[INPUT];
    acre_draw_input input;
} request;

// All that a query finds, in its order or shuffled, or some of it, also twice.
static void choose_slots(const world *w, test_random *random, request *out)
{
    const size_t found = count_in_frustum(w->culling, &everything, 0, out->slots, ENTITIES);
    const uint32_t kind = random_below(random, 8);
    size_t count = kind < 2 ? kind : kind < 5 ? random_below(random, 150) : found;
    if (kind == 7) {
        count = found + random_below(random, INPUT - ENTITIES);
    }
    for (size_t i = 0; i < count && kind != 6; i++) {
        const uint32_t other = random_below(random, (uint32_t)found);
        const uint32_t slot = out->slots[i < found ? i : other];
        out->slots[i] = out->slots[other];
        out->slots[i < found ? other : i] = slot;
    }
    out->input.slots = out->slots;
    out->input.count = count;
}

static void choose_groups(test_random *random, request *out)
{
    // One key for all; few; many; any number, the largest as well.
    const uint32_t bounds[] = {1, 7, 3000, 0};
    const uint32_t bound = bounds[random_below(random, 4)], shift = random_below(random, 9);
    for (size_t i = 0; i < ENTITIES; i++) {
        out->keys[i] = bound ? random_below(random, bound) << shift
                             : UINT32_MAX - (uint32_t)(random_bits(random) >> (32 + 3 * shift));
    }
    const uint32_t lods = random_below(random, 3) ? 4 : 256;
    for (size_t i = 0; i < INPUT; i++) {
        out->lods[i] = (uint8_t)random_below(random, lods);
    }
    const uint32_t kind = random_below(random, 4);
    out->input.keys = kind < 2 ? out->keys : NULL;
    out->input.key_count = kind < 2 ? ENTITIES : 0;
    out->input.flags = kind == 2 ? ACRE_DRAW_USER_KEYS : 0;
    out->input.lods = random_below(random, 2) ? out->lods : NULL;
}

static void choose(const world *w, test_random *random, request *out)
{
    out->input = (acre_draw_input){0};
    choose_slots(w, random, out);
    choose_groups(random, out);
    out->input.order = (acre_draw_order)random_below(random, 3);
    out->input.matrices = (acre_matrix_form)random_below(random, 3);
    out->input.flags |= random_below(random, 3) ? 0 : (uint32_t)ACRE_DRAW_UNGROUPED;
    // From far away few distances differ, and those in few bits.
    const float reaches[] = {150, 150, 1e6f, 1e19f}, reach = reaches[random_below(random, 4)];
    for (int i = 0; i < 3; i++) {
        out->input.eye[i] = random_float(random, -reach, reach);
    }
}

static void lists_are_what_qsort_makes_of_random_requests(void)
{
    static request r;
    test_random random = {test_seed};
    world *const w = make_world(test_seed);
    acre_draw_list *list;
    size_t largest = 0, most_ranges = 0;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    for (uint32_t round = 0; round < 400 * test_scale; round++) {
        choose(w, &random, &r);
        CHECK(acre_draw_list_build(list, w->culling, &r.input) == ACRE_OK);
        CHECK(is_drawn(w, list, &r.input));
        const acre_draw draw = acre_draw_list_get(list);
        largest = draw.count > largest ? draw.count : largest;
        most_ranges = draw.range_count > most_ranges ? draw.range_count : most_ranges;
    }
    CHECK(largest > ENTITIES && most_ranges > 4000);
    acre_draw_list_destroy(list);
    free_world(w);
}

// The same set in another order gives the same list where distances decide.
static void the_order_by_distance_follows_the_set_alone(void)
{
    static uint32_t slots[ENTITIES], turned[ENTITIES];
    world *const w = make_world(test_seed + 1);
    acre_draw_list *a, *b;
    CHECK(w && acre_draw_list_create(NULL, &a) == ACRE_OK);
    CHECK(acre_draw_list_create(NULL, &b) == ACRE_OK);
    const size_t count = count_in_frustum(w->culling, &everything, 0, slots, ENTITIES);
    for (size_t i = 0; i < count; i++) {
        turned[i] = slots[count - 1 - i];
    }
    acre_draw_input input = {.slots = slots, .count = count, .flags = ACRE_DRAW_USER_KEYS};
    for (int order = ACRE_DRAW_NEAR_TO_FAR; order <= ACRE_DRAW_FAR_TO_NEAR; order++) {
        for (uint32_t ungrouped = 0; ungrouped < 2; ungrouped++) {
            input.order = (acre_draw_order)order;
            input.flags ^= ACRE_DRAW_UNGROUPED;
            input.slots = slots;
            CHECK(acre_draw_list_build(a, w->culling, &input) == ACRE_OK);
            input.slots = turned;
            CHECK(acre_draw_list_build(b, w->culling, &input) == ACRE_OK);
            CHECK(memcmp(acre_draw_list_get(a).slots, acre_draw_list_get(b).slots,
                         count * sizeof *slots) == 0);
        }
    }
    acre_draw_list_destroy(a);
    acre_draw_list_destroy(b);
    free_world(w);
}

// Entities 0..6 in a row at x = 0, 10, .. 60; number 6 has no box and is never culled.
static world *make_row(void)
{
    world *const w = &the_world;
    const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    bool good = open_world(w);
    for (int i = 0; i < 7 && good; i++) {
        const acre_transform at = {{(float)i * 10, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def def = {.local = &at,
                                     .bounds = i == 6 ? NULL : &box,
                                     .user = (uint64_t)(i % 2) << 32 | (uint32_t)(i % 3),
                                     .flags = i == 6 ? ACRE_ENTITY_NEVER_CULL : 0};
        good = acre_entity_create(w->scene, &def, &w->entities[i]) == ACRE_OK;
    }
    return good && acre_scene_commit(w->scene) == ACRE_OK ? w : NULL;
}

static bool slots_are(const acre_draw_list *list, size_t count, const uint32_t *slots)
{
    const acre_draw draw = acre_draw_list_get(list);
    return draw.count == count && memcmp(draw.slots, slots, count * sizeof *slots) == 0;
}

static bool range_is(const acre_draw_list *list, size_t index, acre_draw_range want)
{
    const acre_draw draw = acre_draw_list_get(list);
    return index < draw.range_count && memcmp(&draw.ranges[index], &want, sizeof want) == 0;
}

static void meshes_become_ranges_and_transparent_things_runs(void)
{
    world *const w = make_row();
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    const uint32_t slots[7] = {6, 5, 4, 3, 2, 1, 0};
    const uint32_t keys[7] = {9, 2, 9, UINT32_MAX, 2, 9, 0};
    const uint8_t lods[7] = {0, 0, 3, 0, 1, 0, 0};
    acre_draw_input input = {.slots = slots,
                             .count = 7,
                             .lods = lods,
                             .keys = keys,
                             .key_count = 7,
                             .eye = {41.5f, 0, 0}};
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 7, (uint32_t[]){6, 1, 4, 5, 0, 2, 3}));
    CHECK(acre_draw_list_get(list).range_count == 6);
    CHECK(range_is(list, 0, (acre_draw_range){0, 0, 0, 1}));
    CHECK(range_is(list, 1, (acre_draw_range){2, 0, 1, 1}));
    CHECK(range_is(list, 2, (acre_draw_range){2, 3, 2, 1}));
    CHECK(range_is(list, 3, (acre_draw_range){9, 0, 3, 2}));
    CHECK(range_is(list, 4, (acre_draw_range){9, 1, 5, 1}));
    CHECK(range_is(list, 5, (acre_draw_range){UINT32_MAX, 0, 6, 1}));
    input.lods = NULL;
    input.order = ACRE_DRAW_NEAR_TO_FAR; // distances 40.5 30.5 20.5 10.5 0.5 7.5 inf
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 7, (uint32_t[]){6, 4, 1, 5, 2, 0, 3}));
    input.flags = ACRE_DRAW_UNGROUPED;
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 7, (uint32_t[]){4, 5, 3, 2, 1, 0, 6}));
    CHECK(range_is(list, 3, (acre_draw_range){9, 0, 3, 1}));
    input.order = ACRE_DRAW_FAR_TO_NEAR;
    input.keys = NULL;
    input.key_count = 0;
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 7, (uint32_t[]){6, 0, 1, 2, 3, 5, 4}));
    CHECK(acre_draw_list_get(list).range_count == 1);
    CHECK(range_is(list, 0, (acre_draw_range){0, 0, 0, 7}));
    input.flags = ACRE_DRAW_USER_KEYS; // user values are slot % 3, with high bits that do not count
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 7, (uint32_t[]){6, 0, 3, 1, 4, 2, 5}));
    CHECK(range_is(list, 1, (acre_draw_range){1, 0, 3, 2}));
    acre_draw_list_destroy(list);
    free_world(w);
}

// Ties of 200 slots take one pass of the sort, those of 6000 two.
static void entities_at_one_distance_stand_in_the_order_of_their_slots(void)
{
    static uint32_t slots[ENTITIES];
    test_random random = {test_seed};
    world *const w = make_world(test_seed + 4);
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    for (uint32_t count = 1; count < ENTITIES; count += 1 + count / 2) {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t other = random_below(&random, i + 1);
            slots[i] = slots[other];
            slots[other] = i;
        }
        const acre_draw_input input = {
            .slots = slots, .count = count, .order = ACRE_DRAW_FAR_TO_NEAR, .eye = {1e30f, 0, 0}};
        CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
        CHECK(is_drawn(w, list, &input));
    }
    acre_draw_list_destroy(list);
    free_world(w);
}

static void keys_that_differ_in_few_bits_far_apart_are_sorted(void)
{
    static uint32_t slots[ENTITIES], keys[ENTITIES];
    world *const w = make_world(test_seed + 5);
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        slots[i] = (i * 1019) % ENTITIES;
        keys[i] = i % 3 | i % 5 << 29 | UINT32_C(0x5500);
    }
    for (size_t count = 50; count <= ENTITIES; count += 1190) {
        const acre_draw_input input = {
            .slots = slots, .count = count, .keys = keys, .key_count = ENTITIES};
        CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
        CHECK(is_drawn(w, list, &input));
        CHECK(acre_draw_list_get(list).range_count == 15);
    }
    acre_draw_list_destroy(list);
    free_world(w);
}

static void a_list_can_be_built_from_its_own_slots(void)
{
    world *const w = make_row();
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    const uint32_t slots[4] = {3, 1, 0, 2};
    acre_draw_input input = {.slots = slots, .count = 4, .order = ACRE_DRAW_NEAR_TO_FAR};
    for (int round = 0; round < 3; round++) {
        CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
        CHECK(slots_are(list, 4, (uint32_t[]){0, 1, 2, 3}));
        input.slots = acre_draw_list_get(list).slots;
        input.order = ACRE_DRAW_FAR_TO_NEAR;
        CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
        CHECK(slots_are(list, 4, (uint32_t[]){3, 2, 1, 0}));
        input.slots = acre_draw_list_get(list).slots + 1;
        input.count = 2;
        CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
        CHECK(slots_are(list, 2, (uint32_t[]){2, 1}));
        input = (acre_draw_input){.slots = slots, .count = 4, .order = ACRE_DRAW_NEAR_TO_FAR};
    }
    acre_draw_list_destroy(list);
    free_world(w);
}

static void an_entity_that_is_gone_keeps_its_place_without_a_matrix(void)
{
    world *const w = make_row();
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    CHECK(acre_entity_destroy(w->scene, w->entities[2]) == ACRE_OK);
    CHECK(acre_scene_commit(w->scene) == ACRE_OK);
    const uint32_t slots[3] = {2, 5, 0};
    const acre_draw_input input = {
        .slots = slots, .count = 3, .order = ACRE_DRAW_NEAR_TO_FAR, .matrices = ACRE_MATRIX_ROWS};
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 3, (uint32_t[]){0, 5, 2}));
    const float *const matrices = acre_draw_list_get(list).matrices;
    CHECK(matrices[0] == 1 && matrices[12 + 3] == 50);
    for (int i = 24; i < 36; i++) {
        CHECK(matrices[i] == 0);
    }
    acre_draw_list_destroy(list);
    free_world(w);
}

// ---- errors ----

static bool left_alone(const world *w, acre_draw_list *list, const acre_draw_input *wrong,
                       acre_result want)
{
    const acre_draw before = acre_draw_list_get(list);
    const acre_result got = acre_draw_list_build(list, w->culling, wrong);
    const acre_draw after = acre_draw_list_get(list);
    return got == want && memcmp(&before, &after, offsetof(acre_draw, bytes)) == 0 &&
           slots_are(list, 3, (uint32_t[]){1, 0, 5}) &&
           range_is(list, 1, (acre_draw_range){4, 0, 1, 2}) && after.range_count == 2 &&
           after.matrices[3] == 10 && after.matrices[27] == 50;
}

static void what_is_no_request_leaves_the_list_as_it_was(void)
{
    world *const w = make_row();
    acre_draw_list *list;
    const uint32_t slots[3] = {0, 1, 5}, beyond[3] = {0, 1, 7}, keys[6] = {4, 3, 0, 0, 0, 4};
    const acre_draw_input good = {.slots = slots,
                                  .count = 3,
                                  .keys = keys,
                                  .key_count = 6,
                                  .order = ACRE_DRAW_NEAR_TO_FAR,
                                  .matrices = ACRE_MATRIX_ROWS};
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    CHECK(acre_draw_list_build(list, w->culling, &good) == ACRE_OK);
    acre_draw_input wrong = good;
    wrong.slots = NULL;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.keys = NULL;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.key_count = 5;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.flags = 4;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.flags = ACRE_DRAW_USER_KEYS;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.order = (acre_draw_order)3;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.matrices = (acre_matrix_form)3;
    CHECK(left_alone(w, list, &wrong, bad));
    wrong = good, wrong.slots = beyond, wrong.keys = NULL, wrong.key_count = 0;
    CHECK(left_alone(w, list, &wrong, ACRE_ERROR_NOT_FOUND));
    for (int axis = 0; axis < 3; axis++) {
        wrong = good, wrong.eye[axis] = NAN;
        CHECK(left_alone(w, list, &wrong, bad));
        wrong.eye[axis] = -INFINITY;
        CHECK(left_alone(w, list, &wrong, bad));
    }
    CHECK(left_alone(w, list, NULL, bad));
    CHECK(acre_draw_list_build(NULL, w->culling, &good) == bad);
    CHECK(acre_draw_list_build(list, NULL, &good) == bad);
    wrong = good, wrong.count = UINT32_MAX;
    CHECK(left_alone(w, list, &wrong, ACRE_ERROR_CAPACITY));
    // An eye that is not asked for may be anything.
    wrong = good, wrong.order = ACRE_DRAW_AS_GIVEN, wrong.eye[1] = NAN;
    CHECK(acre_draw_list_build(list, w->culling, &wrong) == ACRE_OK);
    acre_draw_list_destroy(list);
    free_world(w);
}

static void a_list_is_not_built_beside_a_commit(void)
{
#if ACRE_CHECK >= 1
    world *const w = make_row();
    acre_draw_list *list;
    const uint32_t slots[3] = {0, 1, 5}, keys[6] = {4, 3, 0, 0, 0, 4};
    const acre_draw_input input = {
        .slots = slots, .count = 3, .keys = keys, .key_count = 6, .matrices = ACRE_MATRIX_ROWS};
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(access_begin_write(&w->culling->access));
    CHECK(left_alone(w, list, &input, ACRE_ERROR_BUSY));
    access_end_write(&w->culling->access);
    CHECK(access_begin_write(&w->scene->access));
    CHECK(left_alone(w, list, &input, ACRE_ERROR_BUSY));
    access_end_write(&w->scene->access);
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    acre_draw_list_destroy(list);
    free_world(w);
#endif
}

static void no_list_and_no_scene_answer_with_nothing(void)
{
    world *const w = make_row();
    acre_draw_list *list = (acre_draw_list *)&list;
    const uint32_t slot = 0;
    const acre_draw_input none = {.matrices = ACRE_MATRIX_COLUMNS};
    const acre_draw_input one = {.slots = &slot, .count = 1, .matrices = ACRE_MATRIX_COLUMNS};
    CHECK(w && acre_draw_list_create(NULL, NULL) == bad);
    CHECK(acre_draw_list_create(NULL, &list) == ACRE_OK);
    CHECK(acre_draw_list_get(NULL).count == 0 && acre_draw_list_get(NULL).bytes == 0);
    CHECK(acre_draw_list_get(list).count == 0 && acre_draw_list_get(list).range_count == 0);
    CHECK(acre_draw_list_build(list, w->culling, &one) == ACRE_OK);
    CHECK(acre_draw_list_get(list).count == 1 && acre_draw_list_get(list).matrices[15] == 1);
    acre_scene_destroy(w->scene);
    CHECK(acre_draw_list_build(list, w->culling, &one) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_draw_list_get(list).count == 1);
    CHECK(acre_draw_list_build(list, w->culling, &none) == ACRE_OK);
    CHECK(acre_draw_list_get(list).count == 0 && acre_draw_list_get(list).range_count == 0);
    acre_culling_destroy(w->culling);
    acre_draw_list_destroy(list);
    acre_draw_list_destroy(NULL);
}

// ---- memory ----

static void a_steady_frame_allocates_nothing(void)
{
    static request r;
    test_random random = {test_seed};
    world *const w = make_world(test_seed + 2);
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(&memory.allocator, &list) == ACRE_OK);
    acre_draw_input full;
    do {
        choose(w, &random, &r);
        full = r.input;
    } while (full.count < ENTITIES / 2);
    full.matrices = ACRE_MATRIX_COLUMNS;
    full.keys = NULL;
    full.key_count = 0;
    full.lods = NULL;
    full.flags = ACRE_DRAW_USER_KEYS; // nearly as many ranges as slots
    CHECK(acre_draw_list_build(list, w->culling, &full) == ACRE_OK);
    CHECK(acre_draw_list_build(list, w->culling, &full) == ACRE_OK); // the other array of slots
    CHECK(acre_draw_list_get(list).bytes == memory.live_bytes);
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    for (int frame = 0; frame < 50; frame++) {
        full.order = (acre_draw_order)(frame % 3);
        full.eye[0] += 10;
        full.count -= frame % 5 == 0;
        CHECK(acre_draw_list_build(list, w->culling, &full) == ACRE_OK);
        CHECK(is_drawn(w, list, &full));
    }
    CHECK(memory.requests == 0);
    acre_draw_list_destroy(list);
    CHECK(failing_allocator_verdict(&memory) == NULL);
    free_world(w);
}

// Whether a build that finds no memory keeps what was there, and one that finds it succeeds.
static bool survives_shortage(const world *w, failing_allocator *memory, uint64_t at,
                              const acre_draw_input *before, const acre_draw_input *after,
                              bool *is_short)
{
    acre_draw_list *list = NULL;
    failing_allocator_arm(memory, FAIL_NEVER, 0);
    bool good = acre_draw_list_create(&memory->allocator, &list) == ACRE_OK &&
                acre_draw_list_build(list, w->culling, before) == ACRE_OK;
    failing_allocator_arm(memory, FAIL_ONCE, at);
    const acre_result result = acre_draw_list_build(list, w->culling, after);
    good = good && result == (memory->failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK);
    good = good && is_drawn(w, list, memory->failed ? before : after);
    const bool was_short = memory->failed > 0;
    failing_allocator_arm(memory, FAIL_NEVER, 0);
    good = good && acre_draw_list_build(list, w->culling, after) == ACRE_OK &&
           is_drawn(w, list, after) && acre_draw_list_get(list).bytes == memory->live_bytes;
    acre_draw_list_destroy(list);
    *is_short = was_short;
    return good;
}

static void a_list_that_finds_no_memory_keeps_its_content(void)
{
    static request r;
    test_random random = {test_seed};
    world *const w = make_world(test_seed + 3);
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_ONCE, 1);
    acre_draw_list *list = (acre_draw_list *)&list;
    CHECK(w && acre_draw_list_create(&memory.allocator, &list) == ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(list == NULL);
    do {
        choose(w, &random, &r);
    } while (r.input.count < ENTITIES / 2);
    r.input.matrices = ACRE_MATRIX_ROWS;
    r.input.order = ACRE_DRAW_NEAR_TO_FAR;
    r.input.flags = ACRE_DRAW_USER_KEYS;
    r.input.keys = NULL;
    r.input.key_count = 0;
    acre_draw_input small = r.input;
    small.count = 40;
    uint64_t at = 0;
    bool is_short;
    do {
        at++;
        CHECK(survives_shortage(w, &memory, at, &small, &r.input, &is_short));
        CHECK(memory.live_blocks == 0);
    } while (is_short);
    CHECK(at == 7); // six arrays grow
    CHECK(failing_allocator_verdict(&memory) == NULL);
    free_world(w);
}

// The culler knows nothing of slots that it found no room for in a commit; the scene has their
// boxes.
static void entities_that_the_culler_missed_are_sorted_all_the_same(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    world *const w = make_row();
    const acre_culling_def def = {.register_all = true, .tree = {.allocator = &memory.allocator}};
    const acre_aabb own = {{500, 0, 0}, {501, 1, 1}};
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    acre_culling_destroy(w->culling);
    CHECK(acre_culling_create(w->scene, &def, &w->culling) == ACRE_OK);
    CHECK(acre_culling_refresh_bounds(w->culling, w->entities[1], &own) == ACRE_OK);
    const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 7; i < 1000; i++) {
        const acre_transform at = {{(float)i * 10, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        CHECK(acre_entity_create(w->scene, &(acre_entity_def){.local = &at, .bounds = &box},
                                 &w->entities[i]) == ACRE_OK);
    }
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_scene_commit(w->scene) == ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(w->culling->slots.capacity < 1000);
    const uint32_t slots[4] = {999, 1, 30, 2};
    const acre_draw_input input = {.slots = slots, .count = 4, .order = ACRE_DRAW_NEAR_TO_FAR};
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    CHECK(slots_are(list, 4, (uint32_t[]){2, 30, 1, 999}));
    acre_draw_list_destroy(list);
    free_world(w);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// ---- other forms ----

static void ranges_become_indirect_draws(void)
{
    world *const w = make_row();
    acre_draw_list *list;
    CHECK(w && acre_draw_list_create(NULL, &list) == ACRE_OK);
    const uint32_t slots[5] = {0, 1, 2, 3, 4}, keys[5] = {1, 0, 1, 1, 0};
    const uint8_t lods[5] = {1, 0, 0, 1, 0};
    const acre_draw_input input = {
        .slots = slots, .count = 5, .lods = lods, .keys = keys, .key_count = 5};
    const acre_draw_mesh meshes[4] = {{36, 0, 0}, {12, 36, 0}, {600, 48, 24}, {60, 648, -7}};
    acre_draw_meshes table = {meshes, 4, 2};
    acre_draw_command commands[4];
    size_t total = 99;
    CHECK(sizeof(acre_draw_command) == 20);
    CHECK(acre_draw_list_commands(list, &table, commands, 4, &total) == ACRE_OK && total == 0);
    CHECK(acre_draw_list_build(list, w->culling, &input) == ACRE_OK);
    memset(commands, 0xee, sizeof commands);
    CHECK(acre_draw_list_commands(list, &table, commands, 2, &total) == ACRE_OK && total == 3);
    CHECK(commands[2].index_count == 0xeeeeeeeeu);
    CHECK(acre_draw_list_commands(list, &table, commands, 4, NULL) == ACRE_OK);
    const acre_draw_command want[3] = {{36, 2, 0, 0, 0}, {600, 1, 48, 24, 2}, {60, 2, 648, -7, 3}};
    CHECK(memcmp(commands, want, sizeof want) == 0 && commands[3].index_count == 0xeeeeeeeeu);
    memset(commands, 0xee, sizeof commands);
    table.count = 3; // key 1 has no LOD 1
    CHECK(acre_draw_list_commands(list, &table, commands, 4, &total) == ACRE_ERROR_NOT_FOUND);
    table = (acre_draw_meshes){meshes, 4, 1};
    CHECK(acre_draw_list_commands(list, &table, commands, 4, &total) == ACRE_ERROR_NOT_FOUND);
    CHECK(total == 0 && commands[0].index_count == 0xeeeeeeeeu);
    table.lod_count = 0;
    CHECK(acre_draw_list_commands(list, &table, commands, 4, &total) == bad);
    table = (acre_draw_meshes){NULL, 4, 2};
    CHECK(acre_draw_list_commands(list, &table, commands, 4, &total) == bad);
    table.meshes = meshes;
    CHECK(acre_draw_list_commands(list, &table, NULL, 4, &total) == bad);
    CHECK(acre_draw_list_commands(list, &table, NULL, 0, &total) == ACRE_OK && total == 3);
    CHECK(acre_draw_list_commands(list, NULL, commands, 4, &total) == bad);
    CHECK(acre_draw_list_commands(NULL, &table, commands, 4, &total) == bad);
    acre_draw_list_destroy(list);
    free_world(w);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(lists_are_what_qsort_makes_of_random_requests),
        TEST(the_order_by_distance_follows_the_set_alone),
        TEST(meshes_become_ranges_and_transparent_things_runs),
        TEST(entities_at_one_distance_stand_in_the_order_of_their_slots),
        TEST(keys_that_differ_in_few_bits_far_apart_are_sorted),
        TEST(a_list_can_be_built_from_its_own_slots),
        TEST(an_entity_that_is_gone_keeps_its_place_without_a_matrix),
        TEST(what_is_no_request_leaves_the_list_as_it_was),
        TEST(a_list_is_not_built_beside_a_commit),
        TEST(no_list_and_no_scene_answer_with_nothing),
        TEST(a_steady_frame_allocates_nothing),
        TEST(a_list_that_finds_no_memory_keeps_its_content),
        TEST(entities_that_the_culler_missed_are_sorted_all_the_same),
        TEST(ranges_become_indirect_draws),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
