// SPDX-License-Identifier: MIT
// test_scene_gather.c - world matrices of many slots at once: in both forms, bit for bit those that
// are read one by one.
#include "scene_oracle.h"

#include <string.h>

enum { MOST = 600 };

static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;

// Slots in any order, some twice, some free, some beyond the scene. @return whether all had one.
static bool choose_slots(const scene_oracle *oracle, test_random *random, uint32_t *slots,
                         size_t count)
{
    const uint32_t slot_count = acre_scene_get_view(oracle->scene).slot_count;
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        slots[i] = random_below(random, slot_count + 1);
        if (random_below(random, 50) == 0) {
            slots[i] = UINT32_MAX - random_below(random, 2);
        }
        all &= acre_scene_entity(oracle->scene, slots[i]).index1 != 0;
    }
    return all;
}

// The definition of a gathered matrix.
static void read_one(const acre_scene *scene, uint32_t slot, float *columns, float *rows)
{
    const acre_entity entity = acre_scene_entity(scene, slot);
    memset(columns, 0, 16 * sizeof *columns);
    memset(rows, 0, 12 * sizeof *rows);
    if (entity.index1 != 0 && acre_entity_world_matrix(scene, entity, columns) == ACRE_OK) {
        for (int i = 0; i < 12; i++) {
            rows[i] = columns[4 * (i % 4) + i / 4];
        }
    }
}

static bool is_gathered(const acre_scene *scene, const uint32_t *slots, size_t count, bool all)
{
    static float columns[MOST * 16 + 1], rows[MOST * 12 + 1];
    const acre_result expected = all ? ACRE_OK : ACRE_ERROR_NOT_FOUND;
    memset(columns, 0xcd, sizeof columns);
    memset(rows, 0xcd, sizeof rows);
    bool same =
        acre_scene_gather_matrices(scene, slots, count, ACRE_MATRIX_COLUMNS, columns, 0) ==
            expected &&
        acre_scene_gather_matrices(scene, slots, count, ACRE_MATRIX_ROWS, rows, 0) == expected;
    for (size_t i = 0; i < count; i++) {
        float column[16], row[12];
        read_one(scene, slots[i], column, row);
        same &= memcmp(columns + 16 * i, column, sizeof column) == 0;
        same &= memcmp(rows + 12 * i, row, sizeof row) == 0;
    }
    uint32_t behind[2];
    memcpy(&behind[0], columns + 16 * count, sizeof behind[0]);
    memcpy(&behind[1], rows + 12 * count, sizeof behind[1]);
    return same && behind[0] == 0xcdcdcdcdu && behind[1] == 0xcdcdcdcdu;
}

static void matrices_are_those_read_one_by_one_in_random_scenes(void)
{
    static uint32_t slots[MOST];
    scene_oracle oracle;
    test_random random = {test_seed};
    size_t complete = 0, incomplete = 0;
    CHECK(scene_oracle_init(&oracle, &(acre_scene_def){.scene = 3}, 200, test_seed));
    for (uint32_t round = 0; round < 300 * test_scale; round++) {
        for (uint32_t edits = random_below(&random, 60); edits > 0; edits--) {
            CHECK(scene_oracle_edit(&oracle) == NULL);
        }
        CHECK(scene_oracle_commit(&oracle) == NULL);
        const size_t count = round % 3 ? random_below(&random, MOST) : random_below(&random, 4);
        const bool all = choose_slots(&oracle, &random, slots, count);
        CHECK(is_gathered(oracle.scene, slots, count, all));
        *(all ? &complete : &incomplete) += 1;
        // What is recorded since the commit is not seen.
        CHECK(scene_oracle_edit(&oracle) == NULL);
        CHECK(is_gathered(oracle.scene, slots, count, all));
    }
    CHECK(complete > 0 && incomplete > 0);
    scene_oracle_free(&oracle);
}

static acre_scene *make_pair(acre_entity *parent, acre_entity *child)
{
    acre_scene *scene = NULL;
    // A quarter turn about y: x becomes -z.
    const acre_transform turn = {{10, 20, 30}, {0, 0.70710677f, 0, 0.70710677f}, {2, 3, 4}};
    const acre_transform shift = {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    if (acre_scene_create(&(acre_scene_def){0}, &scene) != ACRE_OK ||
        acre_entity_create(scene, &(acre_entity_def){.local = &turn}, parent) != ACRE_OK ||
        acre_entity_create(scene, &(acre_entity_def){.parent = *parent, .local = &shift}, child) !=
            ACRE_OK ||
        acre_scene_commit(scene) != ACRE_OK) {
        acre_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

static bool is_near(float a, float b)
{
    return a - b < 1e-5f && b - a < 1e-5f;
}

static void both_forms_have_the_translation_where_their_comments_say(void)
{
    acre_entity parent, child;
    acre_scene *const scene = make_pair(&parent, &child);
    const uint32_t slots[2] = {child.index1 - 1, parent.index1 - 1};
    float columns[32], rows[24];
    CHECK(scene);
    CHECK(acre_scene_gather_matrices(scene, slots, 2, ACRE_MATRIX_COLUMNS, columns, 0) == ACRE_OK);
    CHECK(acre_scene_gather_matrices(scene, slots, 2, ACRE_MATRIX_ROWS, rows, 0) == ACRE_OK);
    CHECK(is_near(columns[12], 10) && is_near(columns[13], 20) && is_near(columns[14], 28));
    CHECK(columns[3] == 0 && columns[7] == 0 && columns[11] == 0 && columns[15] == 1);
    CHECK(is_near(rows[3], 10) && is_near(rows[7], 20) && is_near(rows[11], 28));
    CHECK(columns[28] == 10 && columns[29] == 20 && columns[30] == 30);
    CHECK(rows[15] == 10 && rows[19] == 20 && rows[23] == 30);
    CHECK(is_near(columns[16 + 2], -2) && is_near(rows[12 + 8], -2)); // row 2 of column 0
    CHECK(is_near(columns[16 + 8], 4) && is_near(rows[12 + 2], 4));   // row 0 of column 2
    acre_scene_destroy(scene);
}

// A struct for each instance, as renderers keep them.
typedef struct instance {
    uint32_t before;
    float matrix[12];
    uint32_t material;
    uint8_t odd[3];
} instance;

static void a_stride_leaves_what_lies_between_alone(void)
{
    acre_entity parent, child;
    acre_scene *const scene = make_pair(&parent, &child);
    const uint32_t slots[3] = {child.index1 - 1, 77, parent.index1 - 1};
    instance instances[3];
    CHECK(scene);
    memset(instances, 0xab, sizeof instances);
    CHECK(acre_scene_gather_matrices(scene, slots, 3, ACRE_MATRIX_ROWS, instances[0].matrix,
                                     sizeof(instance)) == ACRE_ERROR_NOT_FOUND);
    for (int i = 0; i < 3; i++) {
        float columns[16], rows[12];
        read_one(scene, slots[i], columns, rows);
        CHECK(memcmp(instances[i].matrix, rows, sizeof rows) == 0);
        CHECK(instances[i].before == 0xababababu && instances[i].material == 0xababababu);
        CHECK(instances[i].odd[0] == 0xab && instances[i].odd[2] == 0xab);
    }
    CHECK(instances[2].matrix[3] == 10 && instances[1].matrix[0] == 0);
    // A stride that is no multiple of a float's size.
    unsigned char bytes[2 * 67 + 64];
    float read[16];
    CHECK(acre_scene_gather_matrices(scene, slots + 1, 2, ACRE_MATRIX_COLUMNS, (void *)bytes, 67) ==
          ACRE_ERROR_NOT_FOUND);
    memcpy(read, bytes + 67, sizeof read);
    CHECK(read[12] == 10 && read[15] == 1);
    acre_scene_destroy(scene);
}

static void what_is_no_request_is_refused_and_writes_nothing(void)
{
    acre_entity parent, child;
    acre_scene *const scene = make_pair(&parent, &child);
    const uint32_t slot = 0;
    float out[16] = {5};
    CHECK(scene);
    CHECK(acre_scene_gather_matrices(NULL, &slot, 1, ACRE_MATRIX_ROWS, out, 0) == bad);
    CHECK(acre_scene_gather_matrices(scene, NULL, 1, ACRE_MATRIX_ROWS, out, 0) == bad);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, ACRE_MATRIX_ROWS, NULL, 0) == bad);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, (acre_matrix_form)0, out, 0) == bad);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, (acre_matrix_form)3, out, 0) == bad);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, ACRE_MATRIX_ROWS, out, 47) == bad);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, ACRE_MATRIX_COLUMNS, out, 48) == bad);
    CHECK(acre_scene_gather_matrices(scene, NULL, 0, ACRE_MATRIX_ROWS, NULL, 0) == ACRE_OK);
    CHECK(out[0] == 5 && out[15] == 0);
    CHECK(acre_matrix_floats(ACRE_MATRIX_COLUMNS) == 16);
    CHECK(acre_matrix_floats(ACRE_MATRIX_ROWS) == 12 &&
          acre_matrix_floats((acre_matrix_form)9) == 0);
    acre_scene_destroy(scene);
}

static void a_scene_without_a_commit_has_no_matrices(void)
{
    acre_scene *scene = NULL;
    acre_entity entity;
    const uint32_t slot = 0;
    float out[16];
    memset(out, 0xff, sizeof out);
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &entity) == ACRE_OK);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, ACRE_MATRIX_COLUMNS, out, 0) ==
          ACRE_ERROR_NOT_FOUND);
    CHECK(out[0] == 0 && out[15] == 0);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_scene_gather_matrices(scene, &slot, 1, ACRE_MATRIX_COLUMNS, out, 0) == ACRE_OK);
    CHECK(out[0] == 1 && out[15] == 1);
    acre_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(matrices_are_those_read_one_by_one_in_random_scenes),
        TEST(both_forms_have_the_translation_where_their_comments_say),
        TEST(a_stride_leaves_what_lies_between_alone),
        TEST(what_is_no_request_is_refused_and_writes_nothing),
        TEST(a_scene_without_a_commit_has_no_matrices),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
