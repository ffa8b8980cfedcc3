// SPDX-License-Identifier: MIT
// bench_draw_lists.c - what it costs to make visible entities ready for drawing.
//     bench_draw_lists [TURNS]
//
// 100,000 entities stand at random in a square, in the order of their slots; what a box in the
// middle finds is the visible set. Prints the rows of the table in modules/culling/README.md:
// medians, in microseconds, alone and after 64 MB were written. Checks that the list is what qsort
// makes of the same records.
#include <acre/draw_list.h>
#include <acre/shapes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ENTITIES = 100000, MESHES = 200, LODS = 3, MOST_TURNS = 1001 };
#define HALF 1000.0f
#define TRASH ((size_t)64 << 20)

typedef struct record {
    uint32_t key, lod, slot;
    float distance;
} record;

typedef struct bench {
    acre_scene *scene;
    acre_culling *culling;
    acre_draw_list *list;
    acre_draw_input input; // of what is measured
    unsigned char *trash;
    size_t count; // visible
    uint32_t slots[ENTITIES], keys[ENTITIES];
    uint8_t lods[ENTITIES];
    record records[ENTITIES];
    float matrices[ENTITIES * 16], copy[ENTITIES * 16];
    uint64_t bits[ENTITIES / 64 + 1];
} bench;

static bench the_bench;

typedef void measured(bench *b);

// splitmix64 (Steele, Lea and Flood 2014).
static uint32_t random_bits(void)
{
    static uint64_t state = 1;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static float random_place(void)
{
    return ((float)(random_bits() >> 8) * 0x1p-23f - 1.0f) * HALF;
}

static bool create_entities(bench *b)
{
    const acre_aabb box = {{-1, 0, -1}, {1, 2, 1}};
    for (int i = 0; i < ENTITIES; i++) {
        const acre_transform local = {{random_place(), 0, random_place()}, {0, 0, 0, 1}, {1, 1, 1}};
        acre_entity entity;
        if (acre_entity_create(b->scene, &(acre_entity_def){.local = &local, .bounds = &box},
                               &entity) != ACRE_OK) {
            return false;
        }
        b->keys[i] = random_bits() % MESHES;
        b->lods[i] = (uint8_t)(random_bits() % LODS);
    }
    return acre_scene_commit(b->scene) == ACRE_OK;
}

// ---- what is measured ----

static void do_build(bench *b)
{
    if (acre_draw_list_build(b->list, b->culling, &b->input) != ACRE_OK) {
        b->count = 0; // fails the check
    }
}

static void do_gather_rows(bench *b)
{
    (void)acre_scene_gather_matrices(b->scene, b->slots, b->count, ACRE_MATRIX_ROWS, b->matrices,
                                     0);
}

static void do_gather_columns(bench *b)
{
    (void)acre_scene_gather_matrices(b->scene, b->slots, b->count, ACRE_MATRIX_COLUMNS, b->matrices,
                                     0);
}

static void do_read_one_by_one(bench *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const acre_entity entity = acre_scene_entity(b->scene, b->slots[i]);
        (void)acre_entity_world_matrix(b->scene, entity, b->matrices + 16 * i);
    }
}

static void do_copy_rows(bench *b)
{
    memcpy(b->copy, b->matrices, b->count * 12 * sizeof(float));
}

static void do_copy_columns(bench *b)
{
    memcpy(b->copy, b->matrices, b->count * 16 * sizeof(float));
}

static void do_bits(bench *b)
{
    (void)acre_slots_to_bits(b->slots, b->count, b->bits, ENTITIES / 64 + 1);
}

static int compare_records(const void *left, const void *right)
{
    const record *const a = left, *const b = right;
    int order = (a->key > b->key) - (a->key < b->key);
    order = order ? order : (a->lod > b->lod) - (a->lod < b->lod);
    order = order ? order : (a->distance > b->distance) - (a->distance < b->distance);
    return order ? order : (a->slot > b->slot) - (a->slot < b->slot);
}

static void do_qsort(bench *b)
{
    const acre_aabb *const boxes = acre_scene_get_view(b->scene).world_bounds;
    const float *const eye = b->input.eye;
    const acre_aabb from = {{eye[0], eye[1], eye[2]}, {eye[0], eye[1], eye[2]}};
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t slot = b->slots[i];
        b->records[i] =
            (record){b->keys[slot], b->lods[i], slot, acre_aabb_distance(&from, &boxes[slot])};
    }
    qsort(b->records, b->count, sizeof *b->records, compare_records);
}

// ---- measuring ----

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(bench *b, measured *call, int turns, bool is_cold)
{
    static double times[MOST_TURNS];
    call(b); // the first one makes room
    call(b);
    for (int i = 0; i < turns; i++) {
        for (size_t at = 0; is_cold && at < TRASH; at += 64) {
            b->trash[at]++;
        }
        const double start = now();
        call(b);
        times[i] = now() - start;
    }
    qsort(times, (size_t)turns, sizeof times[0], compare_times);
    return times[turns / 2];
}

static void print_row(bench *b, const char *name, measured *call, int turns)
{
    const double hot = median(b, call, turns, false);
    const double cold = median(b, call, turns / 8 + 1, true);
    printf("| %s | %.1f | %.1f ns | %.1f | %.1f ns |\n", name, hot, hot * 1e3 / (double)b->count,
           cold, cold * 1e3 / (double)b->count);
}

static acre_draw_input input_of(const bench *b, acre_draw_order order, uint32_t flags,
                                acre_matrix_form form)
{
    return (acre_draw_input){.slots = b->slots,
                             .count = b->count,
                             .lods = b->lods,
                             .keys = b->keys,
                             .key_count = ENTITIES,
                             .order = order,
                             .flags = flags,
                             .eye = {3, 2, -5},
                             .matrices = form};
}

static bool list_is_sorted(bench *b)
{
    const acre_draw draw = acre_draw_list_get(b->list);
    do_qsort(b);
    bool same = draw.count == b->count;
    for (size_t i = 0; i < b->count && same; i++) {
        same = draw.slots[i] == b->records[i].slot;
    }
    return same;
}

static void measure_matrices(bench *b, int turns)
{
    print_row(b, "memcpy of 48 bytes each: the floor", do_copy_rows, turns);
    print_row(b, "matrices of 48 bytes gathered", do_gather_rows, turns);
    print_row(b, "memcpy of 64 bytes each", do_copy_columns, turns);
    print_row(b, "matrices of 64 bytes gathered", do_gather_columns, turns);
    print_row(b, "`acre_entity_world_matrix` one by one", do_read_one_by_one, turns);
    print_row(b, "a bitset of the slots", do_bits, turns);
}

// @return whether the order is right.
static bool measure_lists(bench *b, int turns)
{
    const acre_matrix_form none = (acre_matrix_form)0;
    b->input = input_of(b, ACRE_DRAW_AS_GIVEN, 0, none);
    print_row(b, "grouped by mesh and LOD", do_build, turns);
    b->input = input_of(b, ACRE_DRAW_AS_GIVEN, 0, ACRE_MATRIX_ROWS);
    print_row(b, "the same with matrices of 48 bytes", do_build, turns);
    b->input = input_of(b, ACRE_DRAW_FAR_TO_NEAR, ACRE_DRAW_UNGROUPED, none);
    print_row(b, "far to near over all", do_build, turns);
    b->input = input_of(b, ACRE_DRAW_NEAR_TO_FAR, 0, none);
    print_row(b, "grouped, near to far within", do_build, turns);
    const bool same = list_is_sorted(b);
    print_row(b, "the same by `qsort` of records", do_qsort, turns / 8 + 1);
    b->input = input_of(b, ACRE_DRAW_NEAR_TO_FAR, 0, ACRE_MATRIX_ROWS);
    print_row(b, "grouped, near to far, with matrices of 48 bytes", do_build, turns);
    return same && b->count > 0;
}

static bool measure(bench *b, float half, int turns)
{
    const acre_aabb area = {{-half, -1, -half}, {half, 9, half}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &area};
    if (acre_culling_query_shape(b->culling, &query, b->slots, ENTITIES, &b->count) != ACRE_OK ||
        b->count == 0) {
        return false;
    }
    printf("\n| %zu visible of %d | us | each | caches cold, us | each |\n|---|---|---|---|---|\n",
           b->count, ENTITIES);
    measure_matrices(b, turns);
    return measure_lists(b, turns);
}

int main(int argc, char **argv)
{
    bench *const b = &the_bench;
    const int asked = argc > 1 ? atoi(argv[1]) : 101;
    const int turns = asked < 1 ? 1 : asked > MOST_TURNS ? MOST_TURNS : asked;
    b->trash = calloc(TRASH, 1);
    bool good = b->trash && acre_scene_create(&(acre_scene_def){0}, &b->scene) == ACRE_OK &&
                acre_culling_create(b->scene, &(acre_culling_def){.register_all = true},
                                    &b->culling) == ACRE_OK &&
                acre_draw_list_create(NULL, &b->list) == ACRE_OK && create_entities(b);
    printf("%d entities, %d meshes of %d LODs; medians of %d turns\n", ENTITIES, MESHES, LODS,
           turns);
    good = good && measure(b, 0.12207f * HALF, turns) && measure(b, 0.7071f * HALF, turns);
    acre_draw_list_destroy(b->list);
    acre_culling_destroy(b->culling);
    acre_scene_destroy(b->scene);
    free(b->trash);
    if (!good) {
        fprintf(stderr, "bench_draw_lists: a call failed or a list is not in order\n");
    }
    return good ? 0 : 1;
}
