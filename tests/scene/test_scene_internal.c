// SPDX-License-Identifier: MIT
// test_scene_internal.c - the validator finds planted faults by their rule's number, the detector
// of simultaneous access answers, and the world boxes' rounding is right at every edge.
#include "test.h"

#include "scene_internal.h"
#include "scene_math_internal.h"

#include <stdlib.h>
#include <string.h>

static const acre_aabb unit_box = {{-1, -1, -1}, {1, 1, 1}};

// Slots: 0 a root, 1 and 2 its children, 3 free, 4 a child of 2. Committed.
static acre_scene *make_scene(acre_entity *entities)
{
    acre_scene *scene = NULL;
    EXPECT(acre_scene_create(&(acre_scene_def){.scene = 4}, &scene) == ACRE_OK);
    const int parents[5] = {-1, 0, 0, 0, 2};
    for (int i = 0; i < 5; i++) {
        const acre_entity null = {0, 0, 0};
        const acre_entity_def def = {.parent = parents[i] < 0 ? null : entities[parents[i]],
                                     .bounds = &unit_box};
        EXPECT(acre_entity_create(scene, &def, &entities[i]) == ACRE_OK);
    }
    EXPECT(acre_scene_commit(scene) == ACRE_OK);
    EXPECT(acre_entity_destroy(scene, entities[3]) == ACRE_OK);
    EXPECT(acre_scene_commit(scene) == ACRE_OK);
    return scene;
}

static bool is_valid(const acre_scene *scene)
{
    return acre_scene_validate(scene, NULL, 0) == ACRE_OK;
}

// Whether the validator's message begins with the rule's number.
static bool names_rule(const acre_scene *scene, int rule)
{
    char message[160] = "";
    const acre_result result = acre_scene_validate(scene, message, sizeof message);
    const bool named = result == ACRE_ERROR_FORMAT && atoi(message) == rule;
    if (!named) {
        printf("rule %d: %d, \"%s\"\n", rule, (int)result, message);
    }
    return named;
}

// Overwrites size bytes, validates, and puts them back.
static bool plant(const acre_scene *scene, void *at, const void *fault, size_t size, int rule)
{
    unsigned char kept[64];
    memcpy(kept, at, size);
    memcpy(at, fault, size);
    const bool named = names_rule(scene, rule);
    memcpy(at, kept, size);
    return named && is_valid(scene);
}

static bool plant_u32(const acre_scene *scene, uint32_t *at, uint32_t value, int rule)
{
    return plant(scene, at, &value, sizeof value, rule);
}

static bool plant_u64(const acre_scene *scene, uint64_t *at, uint64_t value, int rule)
{
    return plant(scene, at, &value, sizeof value, rule);
}

// Plants other bits in a row's head.
static bool plant_bits(const acre_scene *scene, uint32_t row, uint32_t bits, int rule)
{
    row_head *const head = &scene->heads.data[row];
    return plant_u64(scene, head, head_make(head_slot(*head), bits, head_parent(*head)), rule);
}

static bool plant_u8(const acre_scene *scene, uint8_t *at, uint32_t value, int rule)
{
    const uint8_t byte = (uint8_t)value;
    return plant(scene, at, &byte, sizeof byte, rule);
}

static bool plant_size(const acre_scene *scene, size_t *at, size_t value, int rule)
{
    return plant(scene, at, &value, sizeof value, rule);
}

static bool plant_float(const acre_scene *scene, float *at, float value, int rule)
{
    return plant(scene, at, &value, sizeof value, rule);
}

static void the_validator_names_the_rule_that_recorded_data_break(void)
{
    acre_entity e[5];
    acre_scene *const scene = make_scene(e);
    CHECK(is_valid(scene));
    slot_record *const slots = scene->slots.data;
    slot_links *const links = scene->links.data;
    const row_head *const heads = scene->heads.data;
    CHECK(plant_size(scene, &scene->locals.capacity, 2, 1));
    CHECK(plant_size(scene, &scene->world_user.capacity, 2, 1));
    CHECK(plant_u32(scene, &slots[1].row, 2, 2));
    CHECK(plant_u64(scene, scene->heads.data + 1, head_make(2, ROW_BOX_FINITE, 0), 2));
    CHECK(plant_u64(scene, scene->heads.data + 3, head_make(1, ROW_BOX_FINITE, 0), 2));
    CHECK(plant_u32(scene, &scene->hole_count, 7, 2));
    CHECK(plant_u32(scene, &scene->created_count, 1, 2));
    CHECK(plant_u32(scene, &links[0].first_child, 1, 3));
    CHECK(plant_u32(scene, &links[1].previous, NONE, 3));
    CHECK(plant_u32(scene, &links[4].parent, 1, 3));
    CHECK(plant_u64(scene, scene->heads.data + 4, head_with_parent(heads[4], 0), 4));
    CHECK(plant_u64(scene, scene->heads.data, head_with_parent(heads[0], 1), 4));
    CHECK(plant_bits(scene, 0, head_bits(heads[0]) ^ ROW_HAS_CHILDREN, 5));
    CHECK(plant_bits(scene, 1, head_bits(heads[1]) ^ ROW_OWN_HIDDEN, 5));
    CHECK(plant_bits(scene, 1, head_bits(heads[1]) ^ ROW_PENDING, 5));
    CHECK(plant_bits(scene, 1, head_bits(heads[1]) ^ ROW_BOX_EMPTY, 5));
    CHECK(plant_u8(scene, &slots[1].flags, SLOT_MOVING, 5));
    CHECK(plant_bits(scene, 1, head_bits(heads[1]) ^ ROW_MATRIX, 5));
    CHECK(plant_u32(scene, &scene->free_count, 0, 6));
    CHECK(plant_u32(scene, &scene->free_head, 2, 6));
    CHECK(plant_u32(scene, &scene->retired_count, 1, 6));
    CHECK(plant_u32(scene, &scene->matrix_count, 1, 1));
    CHECK(plant_u32(scene, &scene->free_matrix, 0, 11));
    acre_scene_destroy(scene);
}

static void the_validator_names_the_rule_that_published_data_break(void)
{
    acre_entity e[5];
    acre_scene *const scene = make_scene(e);
    const row_head *const heads = scene->heads.data;
    CHECK(plant_u32(scene, scene->world_flags.data + 1, 4, 7));
    CHECK(plant_u32(scene, scene->world_layers.data + 1, 4, 7));
    CHECK(plant_u64(scene, scene->world_user.data + 2, 4, 7));
    CHECK(plant_u32(scene, &scene->published.data[1].row, 2, 7));
    CHECK(plant_bits(scene, 4, head_bits(heads[4]) ^ ROW_HIDDEN, 7));
    CHECK(plant_float(scene, &scene->worlds.data[2].m[5], 1.5f, 8));
    CHECK(plant_float(scene, &scene->world_boxes.data[4].max[2], 1.5f, 8));
    CHECK(plant_float(scene, &scene->world_boxes.data[3].max[2], 1.5f, 9));
    CHECK(plant_u32(scene, scene->world_layers.data + 3, 4, 9));
    CHECK(plant_u64(scene, scene->dirty.words.data, 1, 10));
    CHECK(plant_u64(scene, scene->labeled.words.data + 4, 1, 10));
    CHECK(scene->dirty.words.capacity < 64 * scene->dirty.summary.capacity);
    CHECK(plant_u64(scene, scene->dirty.summary.data + 1, 1, 10));
    acre_scene_destroy(scene);
}

// A matrix that no transform makes.
static const float sheared[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1};

static void matrices_that_are_transforms_need_no_place_of_their_own(void)
{
    acre_entity e[5];
    acre_scene *const scene = make_scene(e);
    float scaled[16] = {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 3, 4, -5, 1};
    CHECK(acre_entity_set_local_matrix(scene, e[1], scaled) == ACRE_OK);
    CHECK(scene->matrix_count == 0 && acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    float world[16];
    CHECK(acre_entity_world_matrix(scene, e[1], world) == ACRE_OK);
    CHECK(memcmp(world, scaled, sizeof world) == 0);
    CHECK(acre_entity_set_local_matrix(scene, e[1], sheared) == ACRE_OK);
    CHECK(acre_entity_set_local_matrix(scene, e[2], sheared) == ACRE_OK);
    CHECK(acre_entity_set_local_matrix(scene, e[1], sheared) == ACRE_OK);
    CHECK(scene->matrix_count == 2 && is_valid(scene));
    CHECK(acre_entity_set_local_matrix(scene, e[1], scaled) == ACRE_OK);
    CHECK(scene->matrix_count == 2 && scene->free_matrix_count == 1 && is_valid(scene));
    CHECK(acre_scene_trim(scene) == ACRE_OK);
    CHECK(scene->matrix_count == 1 && scene->free_matrix_count == 0 && is_valid(scene));
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(acre_entity_world_matrix(scene, e[2], world) == ACRE_OK);
    CHECK(memcmp(world, sheared, sizeof world) == 0);
    acre_scene_destroy(scene);
}

static void the_validator_counts_matrices(void)
{
    acre_entity e[5];
    acre_scene *const scene = make_scene(e);
    for (int i = 0; i < 3; i++) {
        CHECK(acre_entity_set_local_matrix(scene, e[i], sheared) == ACRE_OK);
    }
    CHECK(acre_entity_destroy(scene, e[1]) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, e[2]) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    CHECK(is_valid(scene) && scene->matrix_count == 3 && scene->free_matrix_count == 2);
    CHECK(plant_u32(scene, &scene->locals.data[0].matrix, scene->free_matrix, 11));
    CHECK(plant_u32(scene, &scene->free_matrix, 3, 11));
    CHECK(plant_u32(scene, &scene->free_matrix_count, 1, 11));
    acre_scene_destroy(scene);
}

// A cycle has no root: its members are live, their links agree, and no root leads to them.
static void the_validator_finds_a_cycle(void)
{
    acre_entity e[5];
    acre_scene *const scene = make_scene(e);
    const acre_entity null = {0, 0, 0};
    CHECK(acre_entity_set_parent(scene, e[1], null) == ACRE_OK);
    CHECK(acre_entity_set_parent(scene, e[2], e[1]) == ACRE_OK &&
          acre_scene_commit(scene) == ACRE_OK);
    slot_links *const links = scene->links.data;
    CHECK(links[1].parent == NONE && links[4].first_child == NONE && is_valid(scene));
    links[1].parent = 4;
    links[4].first_child = 1;
    row_head *const head = &scene->heads.data[scene_row(scene, 1)];
    *head = head_with_parent(*head, scene_row(scene, 4));
    row_bits_change(scene, scene_row(scene, 4), 0, ROW_HAS_CHILDREN);
    row_set_add(&scene->misplaced, scene_row(scene, 1));
    CHECK(names_rule(scene, 3));
    links[1].parent = NONE;
    links[4].first_child = NONE;
    *head = head_with_parent(*head, NONE);
    row_bits_change(scene, scene_row(scene, 4), ROW_HAS_CHILDREN, 0);
    CHECK(is_valid(scene));
    acre_scene_destroy(scene);
}

// Each call beside another that it may not run beside.
static void calls_that_meet_are_answered_busy_and_change_nothing(void)
{
#if ACRE_CHECK >= 1
    acre_entity e[5], made;
    acre_scene *const scene = make_scene(e);
    const uint64_t commit = acre_scene_get_view(scene).commit;
    CHECK(access_begin_read(&scene->access));
    CHECK(acre_scene_commit(scene) == ACRE_ERROR_BUSY);
    CHECK(acre_scene_refresh(scene, e[0], NULL, 0, NULL) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_set_user(scene, e[0], 5) == ACRE_OK); // recording runs beside readers
    access_end_read(&scene->access);
    CHECK(access_begin_write(&scene->access));
    float matrix[16];
    acre_aabb box;
    CHECK(acre_entity_world_matrix(scene, e[0], matrix) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_world_bounds(scene, e[0], &box) == ACRE_ERROR_BUSY);
    const uint32_t slot = 0;
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, ACRE_MATRIX_ROWS, matrix, 0) ==
          ACRE_ERROR_BUSY);
    CHECK(acre_scene_entity(scene, 0).index1 == 0 && acre_scene_get_view(scene).slot_count == 0);
    access_end_write(&scene->access);
    CHECK(access_begin_write(&scene->recording));
    const acre_module module = {.name = "m"};
    CHECK(acre_scene_commit(scene) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &made) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_destroy(scene, e[0]) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_set_parent(scene, e[1], e[2]) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_set_bounds(scene, e[1], NULL) == ACRE_ERROR_BUSY);
    CHECK(acre_entity_set_flags(scene, e[1], 1) == ACRE_ERROR_BUSY);
    CHECK(acre_scene_attach(scene, &module) == ACRE_ERROR_BUSY);
    CHECK(acre_scene_detach(scene, &module) == ACRE_ERROR_BUSY);
    access_end_write(&scene->recording);
    CHECK(acre_scene_get_view(scene).commit == commit && is_valid(scene));
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_get_view(scene).user[0] == 5);
    acre_scene_destroy(scene);
#endif
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The nearest float on one side, around every power of two and around zero, from values a hair to
// either side of a float and half-way between two.
static void rounding_outwards_gives_the_nearest_float_on_that_side(void)
{
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (uint32_t low = 0; low < 6; low++) {
            const uint32_t bits = (exponent << 23) + low - (exponent > 0 ? 3u : 0u);
            const float a = float_of(bits), b = float_of(bits + 1);
            const double between[] = {(double)a + 0.25 * ((double)b - (double)a),
                                      (double)a + 0.5 * ((double)b - (double)a),
                                      (double)a + 0.75 * ((double)b - (double)a),
                                      (double)a * (1.0 + 0x1p-52) + 0x1p-1074,
                                      (double)b * (1.0 - 0x1p-53) - 0x1p-1074};
            CHECK(float_round_down((double)a) == a && float_round_up((double)a) == a);
            CHECK(float_round_down(-(double)a) == -a && float_round_up(-(double)a) == -a);
            for (int i = 0; i < 5; i++) {
                CHECK(float_round_down(between[i]) == a && float_round_up(between[i]) == b);
                CHECK(float_round_down(-between[i]) == -b && float_round_up(-between[i]) == -a);
            }
        }
    }
    CHECK(float_round_down((double)FLT_MAX * 1.5) == FLT_MAX);
    CHECK(float_round_up((double)FLT_MAX * 1.5) == INFINITY);
    CHECK(float_round_down((double)INFINITY) == INFINITY &&
          float_round_up((double)INFINITY) == INFINITY);
    CHECK(float_round_up(-(double)INFINITY) == -INFINITY);
}

// Extreme boxes and matrices give a valid box, and never one that is too small.
static void world_boxes_of_extreme_numbers_are_valid(void)
{
    static const float numbers[] = {0.0f, -0.0f,   1.0f,     -1.0f,     1e-42f,   -1e-42f,
                                    1e9f, FLT_MAX, -FLT_MAX, 0x1p-126f, INFINITY, -INFINITY};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 200000 * test_scale; i++) {
        float m[12];
        acre_aabb local, world;
        for (int k = 0; k < 12; k++) {
            m[k] = numbers[random_below(&random, NUMBERS)];
        }
        for (int k = 0; k < 3; k++) {
            const float a = numbers[random_below(&random, NUMBERS)];
            const float b = numbers[random_below(&random, NUMBERS)];
            local.min[k] = a < b ? a : b;
            local.max[k] = a < b ? b : a;
        }
        if (acre_aabb_is_finite(&local)) {
            box_transform(m, &local, &world);
        } else {
            world = acre_box_transform_infinite(m, &local);
        }
        CHECK(acre_aabb_is_valid(&world));
        bool is_finite = acre_aabb_is_finite(&local);
        for (int k = 0; k < 12; k++) {
            is_finite = is_finite && float_is_finite(m[k]);
        }
        for (int row = 0; is_finite && row < 3; row++) {
            double low = (double)m[4 * row + 3], high = low, low_size = fabs(low);
            double high_size = low_size;
            for (int k = 0; k < 3; k++) {
                const double p = (double)m[4 * row + k] * (double)local.min[k];
                const double q = (double)m[4 * row + k] * (double)local.max[k];
                low += fmin(p, q);
                high += fmax(p, q);
                low_size += fabs(fmin(p, q));
                high_size += fabs(fmax(p, q));
            }
            CHECK((double)world.min[row] <= low + 0x1p-50 * low_size);
            CHECK((double)world.max[row] >= high - 0x1p-50 * high_size);
        }
    }
}

enum { CARS = 6000, WHEELS = 3 }; // a car and its wheels stand together

// Destroys one wheel, and turns one car and another wheel of it into a wheel and its car.
static void change_one_car(acre_scene *scene, acre_entity *car)
{
    EXPECT(acre_entity_destroy(scene, car[1]) == ACRE_OK);
    EXPECT(acre_entity_create(scene, &(acre_entity_def){.parent = car[0], .bounds = &unit_box},
                              &car[1]) == ACRE_OK);
    EXPECT(acre_entity_set_parent(scene, car[2], (acre_entity){0, 0, 0}) == ACRE_OK);
    EXPECT(acre_entity_set_parent(scene, car[0], car[2]) == ACRE_OK);
    const acre_transform local = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    EXPECT(acre_entity_set_local(scene, car[3], &local) == ACRE_OK);
}

// Each commit changes one car, so none may go over all rows, and yet all holes come to be closed.
static void holes_are_closed_in_steps(void)
{
    enum { ROWS = CARS * (1 + WHEELS), STEP_MOST = 500 };
    static acre_entity entities[ROWS];
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        const acre_entity null = {0, 0, 0};
        const acre_entity_def def = {.parent = i % 4 ? entities[i - i % 4] : null,
                                     .bounds = &unit_box};
        CHECK(acre_entity_create(scene, &def, &entities[i]) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    uint32_t passes = 0, longest = 0, rows = 0;
    for (uint32_t frame = 0; frame < CARS; frame++) {
        const uint32_t before = scene->closed_from, old_rows = scene->row_count;
        change_one_car(scene, &entities[frame * 4]);
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        const bool is_done = before > 0 && scene->closed_from == 0;
        const uint32_t went = is_done ? old_rows - before : scene->closed_from - before;
        longest = went > longest ? went : longest;
        rows = scene->row_count > rows ? scene->row_count : rows;
        passes += is_done;
        CHECK(frame % 200 != 99 || is_valid(scene));
    }
    CHECK(passes >= 10 && longest > 256 && longest < STEP_MOST);
    CHECK(rows <= ROWS + ROWS / 16 && scene->live_count == ROWS && is_valid(scene));
    if (scene->closed_from > 0) {
        CHECK(plant_u32(scene, &scene->closed_to, 0, 2));
    }
    // A commit that changes much closes much.
    CHECK(acre_entity_destroy_many(scene, entities, ROWS / 2) != ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_valid(scene));
    CHECK(scene->hole_count == 0 && scene->row_count == scene->live_count);
    acre_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(the_validator_names_the_rule_that_recorded_data_break),
        TEST(the_validator_names_the_rule_that_published_data_break),
        TEST(the_validator_finds_a_cycle),
        TEST(matrices_that_are_transforms_need_no_place_of_their_own),
        TEST(the_validator_counts_matrices),
        TEST(calls_that_meet_are_answered_busy_and_change_nothing),
        TEST(rounding_outwards_gives_the_nearest_float_on_that_side),
        TEST(world_boxes_of_extreme_numbers_are_valid),
        TEST(holes_are_closed_in_steps),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
