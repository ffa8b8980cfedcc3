// SPDX-License-Identifier: MIT
// test_scene_kernels.c - all kernels that this processor runs commit the bits of the scalar one.
#include "scene_oracle.h"
#include "test.h"

#include "scene_kernel_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 131, WORDS = 2 };

// NULL: it cannot be had.
static const scene_kernel *kernel_for(acre_kernel wanted)
{
    return acre_scene_kernels[acre_kernel_pick(wanted, BUILT_KERNELS)];
}

// The kernels that can be had, the scalar one first.
static uint32_t usable_kernels(acre_kernel *out)
{
    uint32_t count = 0;
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        if (kernel_for((acre_kernel)kernel)) {
            out[count++] = (acre_kernel)kernel;
        }
    }
    return count;
}

// Rows as a scene has them; the parents' worlds stand behind the rows.
typedef struct row_arrays {
    row_head heads[ROWS];
    local_row locals[ROWS];
    affine matrices[ROWS];
    _Alignas(64) affine worlds[2 * ROWS];
    acre_aabb world_boxes[ROWS];
} row_arrays;

// Every kind of float: ordinary, tiny, huge, not finite.
static float any_float(test_random *random, bool finite)
{
    static const float numbers[] = {0.0f,      -0.0f,   1.0f,     -1.0f,     0x1p-149f, -0x1p-149f,
                                    0x1p-126f, FLT_MAX, -FLT_MAX, 1e-30f,    -1e20f,    16777217.0f,
                                    0.1f,      3e38f,   INFINITY, -INFINITY, NAN};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0], NOT_FINITE = 3 };
    return numbers[random_below(random, finite ? NUMBERS - NOT_FINITE : NUMBERS)];
}

static float row_float(test_random *random, bool extreme, bool finite)
{
    return extreme && random_below(random, 4) == 0 ? any_float(random, finite)
                                                   : random_float(random, -50.0f, 50.0f);
}

static void fill_row(row_arrays *arrays, uint32_t row, test_random *random, bool extreme)
{
    local_row *const local = &arrays->locals[row];
    for (int i = 0; i < 12; i++) {
        if (i < 10) {
            const float number = row_float(random, extreme, true);
            memcpy((char *)&local->transform + 4 * i, &number, sizeof number);
        }
        arrays->matrices[row].m[i] = row_float(random, extreme, true);
        arrays->worlds[ROWS + row].m[i] = row_float(random, extreme, false);
    }
    for (int i = 0; i < 3; i++) {
        const float a = row_float(random, extreme, true), b = row_float(random, extreme, true);
        local->box.min[i] = a < b ? a : b;
        local->box.max[i] = a < b ? b : a;
    }
}

// parents: 0 none, 1 some, 2 all of the rows have one; 3 none, but some have a matrix.
static void fill_arrays(row_arrays *arrays, test_random *random, uint32_t parents)
{
    const bool extreme = random_below(random, 2) == 0, is_reversed = random_below(random, 2) == 0;
    memset(arrays, 0, sizeof *arrays);
    for (uint32_t row = 0; row < ROWS; row++) {
        fill_row(arrays, row, random, extreme);
        const bool has_parent = parents == 2 || (parents == 1 && random_below(random, 2) == 0);
        const bool has_matrix = parents > 1 && random_below(random, 8) == 0;
        arrays->heads[row] = head_make(is_reversed ? ROWS - 1 - row : row,
                                       ROW_BOX_FINITE | (has_matrix ? ROW_MATRIX : 0),
                                       has_parent ? ROWS + random_below(random, ROWS) : NONE);
        if (has_matrix) {
            arrays->locals[row].matrix = random_below(random, ROWS);
        }
    }
}

static scene_arrays columns_of(row_arrays *arrays)
{
    return (scene_arrays){arrays->heads,  arrays->locals,      arrays->matrices,
                          arrays->worlds, arrays->world_boxes, false};
}

// Computes count rows, each third one left out.
static void compute(acre_kernel kernel, row_arrays *arrays, uint32_t count)
{
    const scene_arrays columns = columns_of(arrays);
    uint32_t rows[ROWS], found = 0;
    for (uint32_t row = 0; row < count; row++) {
        if (row % 3 != 1) {
            rows[found++] = row;
        }
    }
    kernel_for(kernel)->compute_rows(&columns, rows, found);
}

// NaN is NaN: which of two NaN operands' bits come out differs between compilers.
static bool matrices_equal(const affine *a, const affine *b)
{
    for (int i = 0; i < 12; i++) {
        const bool is_nan = isnan(a->m[i]) && isnan(b->m[i]);
        if (!is_nan && memcmp(&a->m[i], &b->m[i], sizeof a->m[i]) != 0) {
            return false;
        }
    }
    return true;
}

static bool arrays_equal(const row_arrays *a, const row_arrays *b)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        if (!matrices_equal(&a->worlds[row], &b->worlds[row])) {
            return false;
        }
    }
    return memcmp(a->world_boxes, b->world_boxes, sizeof a->world_boxes) == 0;
}

static void every_number_of_rows_is_computed_as_the_reference_has_it(void)
{
    acre_kernel kernels[ACRE_KERNEL_COUNT_];
    const uint32_t count = usable_kernels(kernels);
    test_random random = {test_seed};
    static row_arrays given, expected, found;
    for (uint32_t round = 0; round < 400 * test_scale; round++) {
        fill_arrays(&given, &random, random_below(&random, 4));
        const uint32_t rows = random_below(&random, ROWS + 1);
        expected = given;
        compute(ACRE_KERNEL_SCALAR, &expected, rows);
        for (uint32_t i = 1; i < count; i++) {
            found = given;
            compute(kernels[i], &found, rows);
            CHECK(arrays_equal(&found, &expected));
        }
    }
}

static void words_are_computed_row_by_row(void)
{
    acre_kernel kernels[ACRE_KERNEL_COUNT_];
    const uint32_t count = usable_kernels(kernels);
    test_random random = {test_seed};
    static row_arrays given, expected, found;
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        fill_arrays(&given, &random, 0);
        expected = given;
        scene_arrays columns = columns_of(&expected);
        for (uint32_t row = 0; row < WORDS * 64; row++) {
            acre_scene_kernel_scalar.compute_rows(&columns, &row, 1);
        }
        for (uint32_t i = 0; i < count; i++) {
            found = given;
            columns = columns_of(&found);
            columns.streams_worlds = round % 2 == 1;
            for (uint32_t word = 0; word < WORDS; word++) {
                kernel_for(kernels[i])->compute_word(&columns, word * 64, word + 1 < WORDS);
            }
            CHECK(arrays_equal(&found, &expected));
        }
    }
}

// As a host's allocator that ignores alignment would place them.
static void streamed_worlds_may_stand_at_any_float(void)
{
    acre_kernel kernels[ACRE_KERNEL_COUNT_];
    const uint32_t count = usable_kernels(kernels);
    test_random random = {test_seed};
    static row_arrays expected, found;
    static _Alignas(64) char room[(WORDS * 64 + 1) * sizeof(affine)];
    fill_arrays(&expected, &random, 0);
    found = expected;
    const scene_arrays columns = columns_of(&expected);
    for (uint32_t word = 0; word < WORDS; word++) {
        acre_scene_kernel_scalar.compute_word(&columns, word * 64, false);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (size_t shift = 0; shift < sizeof(affine); shift += sizeof(float)) {
            scene_arrays shifted = columns_of(&found);
            shifted.worlds = (affine *)(void *)(room + shift);
            shifted.streams_worlds = true;
            for (uint32_t word = 0; word < WORDS; word++) {
                kernel_for(kernels[i])->compute_word(&shifted, word * 64, false);
            }
            for (uint32_t row = 0; row < WORDS * 64; row++) {
                CHECK(matrices_equal(&shifted.worlds[row], &expected.worlds[row]));
            }
            memset(room, 0, sizeof room);
        }
    }
}

static const char *run_stream(acre_kernel kernel, uint64_t seed)
{
    scene_oracle oracle;
    const acre_scene_def def = {.scene = 5, .kernel = kernel};
    const char *fault = scene_oracle_init(&oracle, &def, 300, seed) ? NULL : "memory of the test";
    for (uint32_t round = 0; !fault && round < 30; round++) {
        for (uint32_t i = random_below(&oracle.random, 200); !fault && i > 0; i--) {
            fault = scene_oracle_edit(&oracle);
        }
        fault = fault ? fault : scene_oracle_commit(&oracle);
        fault = fault ? fault : scene_oracle_check(&oracle);
    }
    if (fault) {
        printf("kernel %s: %s\n", acre_kernel_name(kernel), fault);
    }
    scene_oracle_free(&oracle);
    return fault;
}

static void scenes_of_every_kernel_follow_the_oracle(void)
{
    acre_kernel kernels[ACRE_KERNEL_COUNT_];
    const uint32_t count = usable_kernels(kernels);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(run_stream(kernels[i], test_seed) == NULL);
    }
}

enum { ENTITIES = 1500 };
typedef struct forest {
    acre_scene *scene;
    acre_entity entities[ENTITIES];
    test_random random;
    uint32_t reach; // how far before a child its parent was made
} forest;

static acre_transform forest_local(forest *f, uint32_t round)
{
    acre_transform local = {{0.0f, 1.0f, 2.0f}, {0.5f, -0.5f, 0.5f, 0.5f}, {1, 1, 1}};
    local.translation[round % 3] = random_float(&f->random, -9.0f, 9.0f);
    local.scale[round % 3] = random_float(&f->random, 0.9f, 1.1f);
    return local;
}

static bool forest_plant(forest *f)
{
    const acre_aabb box = {{-1, -2, -3}, {3, 2, 1}};
    bool good = true;
    for (uint32_t i = 0; good && i < ENTITIES; i++) {
        const acre_transform local = forest_local(f, 0);
        const uint32_t back = 1 + random_below(&f->random, f->reach);
        acre_entity_def def = {.local = &local, .bounds = i % 7 ? &box : NULL};
        if (back <= i && i % 97 != 0) {
            def.parent = f->entities[i - back];
        }
        good = acre_entity_create(f->scene, &def, &f->entities[i]) == ACRE_OK;
    }
    return good;
}

// Moves all entities, or a part of them; before the third round some die and leave holes.
static bool forest_move(forest *f, uint32_t round)
{
    bool good = true;
    for (uint32_t i = 88; round == 2 && i < ENTITIES; i += 89) {
        if (acre_entity_is_alive(f->scene, f->entities[i])) {
            good = good && acre_entity_destroy(f->scene, f->entities[i]) == ACRE_OK;
        }
    }
    good = good && (round != 2 || acre_scene_commit(f->scene) == ACRE_OK);
    for (uint32_t i = 0; good && i < ENTITIES; i++) {
        const acre_transform local = forest_local(f, round);
        const bool moves = round <= 2 || random_below(&f->random, 10) < round;
        if (moves && acre_entity_is_alive(f->scene, f->entities[i])) {
            good = acre_entity_set_local(f->scene, f->entities[i], &local) == ACRE_OK;
        }
    }
    return good;
}

// More rows than commit holds back at a time, in trees of every depth, built so that parents and
// children lie in the same word of the set, in neighboring ones, and far apart.
static uint64_t hash_of_forest(acre_kernel kernel, uint32_t reach)
{
    static forest f;
    f = (forest){.random = {test_seed + reach}, .reach = reach};
    if (acre_scene_create(&(acre_scene_def){.kernel = kernel}, &f.scene) != ACRE_OK) {
        return 0;
    }
    uint64_t hash = 1469598103934665603u;
    bool good = true;
    for (uint32_t round = 0; good && round < 5; round++) {
        good = round == 0 ? forest_plant(&f) : forest_move(&f, round);
        good = good && acre_scene_commit(f.scene) == ACRE_OK &&
               acre_scene_validate(f.scene, NULL, 0) == ACRE_OK;
        const acre_scene_view view = acre_scene_get_view(f.scene);
        const unsigned char *const bytes = (const unsigned char *)view.world_bounds;
        for (size_t i = 0; i < view.slot_count * sizeof(acre_aabb); i++) {
            hash = (hash ^ bytes[i]) * 1099511628211u;
        }
    }
    acre_scene_destroy(f.scene);
    return good ? hash : 0;
}

static void forests_of_every_depth_are_the_same_for_every_kernel(void)
{
    static const uint32_t reaches[] = {1, 2, 5, 40, 300, 1500};
    acre_kernel kernels[ACRE_KERNEL_COUNT_];
    const uint32_t count = usable_kernels(kernels);
    for (size_t k = 0; k < sizeof reaches / sizeof reaches[0]; k++) {
        const uint64_t expected = hash_of_forest(ACRE_KERNEL_SCALAR, reaches[k]);
        CHECK(expected != 0);
        for (uint32_t i = 1; i < count; i++) {
            CHECK(hash_of_forest(kernels[i], reaches[k]) == expected);
        }
    }
}

static void a_kernel_that_there_is_not_is_refused(void)
{
    acre_scene *scene = NULL;
    const acre_scene_def def = {.kernel = ACRE_KERNEL_COUNT_};
    CHECK(acre_scene_create(&def, &scene) == ACRE_ERROR_INVALID_ARGUMENT && !scene);
    CHECK(kernel_for(ACRE_KERNEL_SCALAR) == &acre_scene_kernel_scalar);
    CHECK(kernel_for(ACRE_KERNEL_DEFAULT) != NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_number_of_rows_is_computed_as_the_reference_has_it),
        TEST(words_are_computed_row_by_row),
        TEST(streamed_worlds_may_stand_at_any_float),
        TEST(scenes_of_every_kernel_follow_the_oracle),
        TEST(forests_of_every_depth_are_the_same_for_every_kernel),
        TEST(a_kernel_that_there_is_not_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
