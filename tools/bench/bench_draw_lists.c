// SPDX-License-Identifier: MIT
// bench_draw_lists.c - what it costs to make visible entities ready for drawing.
//     bench_draw_lists [TURNS]
//
// 100,000 entities stand at random in a square, in the order of their slots; what a box in the
// middle finds is the visible set. Prints a table for each of two boxes: medians, in microseconds
// and nanoseconds each, alone and after 64 MB were written. Checks that the list is what qsort
// makes of the same records.
#include "measure_turns.h"
#include "country_random.h"

#include <acre/draw_list.h>
#include <acre/shapes.h>

#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 100000, MESHES = 200, LODS = 3 };
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
    unsigned char *trash;
    size_t count; // visible
    uint32_t slots[ENTITIES], keys[ENTITIES];
    uint8_t lods[ENTITIES];
    record records[ENTITIES];
    float matrices[ENTITIES * 16], copy[ENTITIES * 16];
    uint64_t bits[ENTITIES / 64 + 1];
} bench;

typedef enum task_kind { COPY, GATHER, READ, BITS, BUILD, SORT } task_kind;

// A line of the tables: the kind, and what is built or how large a matrix is.
typedef struct task {
    const char *name;
    task_kind kind;
    acre_draw_order order;
    uint32_t flags;
    acre_matrix_form form;
} task;

#define NO_MATRICES ((acre_matrix_form)0)

static const task tasks[] = {
    {"memcpy of 48 bytes each: the floor", COPY, 0, 0, ACRE_MATRIX_ROWS},
    {"matrices of 48 bytes gathered", GATHER, 0, 0, ACRE_MATRIX_ROWS},
    {"memcpy of 64 bytes each", COPY, 0, 0, ACRE_MATRIX_COLUMNS},
    {"matrices of 64 bytes gathered", GATHER, 0, 0, ACRE_MATRIX_COLUMNS},
    {"`acre_entity_world_matrix` one by one", READ, 0, 0, NO_MATRICES},
    {"a bitset of the slots", BITS, 0, 0, NO_MATRICES},
    {"grouped by mesh and LOD", BUILD, ACRE_DRAW_AS_GIVEN, 0, NO_MATRICES},
    {"the same with matrices of 48 bytes", BUILD, ACRE_DRAW_AS_GIVEN, 0, ACRE_MATRIX_ROWS},
    {"far to near over all", BUILD, ACRE_DRAW_FAR_TO_NEAR, ACRE_DRAW_UNGROUPED, NO_MATRICES},
    {"grouped, near to far within", BUILD, ACRE_DRAW_NEAR_TO_FAR, 0, NO_MATRICES},
    {"the same by `qsort` of records", SORT, ACRE_DRAW_NEAR_TO_FAR, 0, NO_MATRICES},
    {"grouped, near to far, with matrices of 48 bytes", BUILD, ACRE_DRAW_NEAR_TO_FAR, 0,
     ACRE_MATRIX_ROWS},
};
enum { TASKS = sizeof tasks / sizeof tasks[0], SORTED_TASK = 9 };

static const float eye[3] = {3, 2, -5};

static bool create(bench *b)
{
    const acre_aabb bounds = {{-1, 0, -1}, {1, 2, 1}};
    uint64_t random = 1;
    b->trash = calloc(TRASH, 1);
    bool good = b->trash && acre_scene_create(&(acre_scene_def){0}, &b->scene) == ACRE_OK &&
                acre_culling_create(b->scene, &(acre_culling_def){.register_all = true},
                                    &b->culling) == ACRE_OK &&
                acre_draw_list_create(NULL, &b->list) == ACRE_OK;
    for (int i = 0; i < ENTITIES && good; i++) {
        const float x = 2.0f * draw_unit(&random) - 1.0f, z = 2.0f * draw_unit(&random) - 1.0f;
        const acre_transform local = {{x * HALF, 0, z * HALF}, {0, 0, 0, 1}, {1, 1, 1}};
        acre_entity entity;
        good = acre_entity_create(b->scene, &(acre_entity_def){.local = &local, .bounds = &bounds},
                                  &entity) == ACRE_OK;
        b->keys[i] = (uint32_t)(draw_bits(&random) % MESHES);
        b->lods[i] = (uint8_t)(draw_bits(&random) % LODS);
    }
    return good && acre_scene_commit(b->scene) == ACRE_OK;
}

static int compare_records(const void *left, const void *right)
{
    const record *const a = left, *const b = right;
    int order = (a->key > b->key) - (a->key < b->key);
    order = order ? order : (a->lod > b->lod) - (a->lod < b->lod);
    order = order ? order : (a->distance > b->distance) - (a->distance < b->distance);
    return order ? order : (a->slot > b->slot) - (a->slot < b->slot);
}

static void sort_records(bench *b)
{
    const acre_aabb *const boxes = acre_scene_get_view(b->scene).world_bounds;
    const acre_aabb from = {{eye[0], eye[1], eye[2]}, {eye[0], eye[1], eye[2]}};
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t slot = b->slots[i];
        b->records[i] =
            (record){b->keys[slot], b->lods[i], slot, acre_aabb_distance(&from, &boxes[slot])};
    }
    qsort(b->records, b->count, sizeof *b->records, compare_records);
}

static bool run(bench *b, const task *what)
{
    const size_t floats = what->form == ACRE_MATRIX_ROWS ? 12 : 16;
    const acre_draw_input input = {.slots = b->slots,
                                   .count = b->count,
                                   .lods = b->lods,
                                   .keys = b->keys,
                                   .key_count = ENTITIES,
                                   .order = what->order,
                                   .flags = what->flags,
                                   .eye = {eye[0], eye[1], eye[2]},
                                   .matrices = what->form};
    switch (what->kind) {
    case COPY:
        memcpy(b->copy, b->matrices, b->count * floats * sizeof(float));
        return true;
    case GATHER:
        return acre_scene_gather_matrices(b->scene, b->slots, b->count, what->form, b->matrices,
                                          0) == ACRE_OK;
    case READ:
        for (size_t i = 0; i < b->count; i++) {
            const acre_entity entity = acre_scene_entity(b->scene, b->slots[i]);
            if (acre_entity_world_matrix(b->scene, entity, b->matrices + 16 * i) != ACRE_OK) {
                return false;
            }
        }
        return true;
    case BITS:
        return acre_slots_to_bits(b->slots, b->count, b->bits, ENTITIES / 64 + 1) == ACRE_OK;
    case BUILD:
        return acre_draw_list_build(b->list, b->culling, &input) == ACRE_OK;
    default: // SORT
        sort_records(b);
        return true;
    }
}

static bool list_is_sorted(bench *b)
{
    bool same = run(b, &tasks[SORTED_TASK]);
    const acre_draw draw = acre_draw_list_get(b->list);
    sort_records(b);
    same = same && draw.count == b->count;
    for (size_t i = 0; i < b->count && same; i++) {
        same = draw.slots[i] == b->records[i].slot;
    }
    return same;
}

// Alone, then with cold caches. The first call makes room and is not counted.
static bool take_turn(void *user, uint32_t index, measure_series *series)
{
    bench *const b = user;
    bool good = true;
    for (int pass = 0; pass < 3 && good; pass++) {
        for (size_t at = 0; pass == 2 && at < TRASH; at += 64) {
            b->trash[at]++;
        }
        const double begin = clock_seconds();
        good = run(b, &tasks[index]);
        const double taken = 1e6 * (clock_seconds() - begin);
        if (pass > 0) {
            samples_keep(pass == 1 ? &series->passes : &series->singles, taken);
        }
    }
    return good;
}

static bool measure(bench *b, float half, uint32_t turns)
{
    const acre_aabb area = {{-half, -1, -half}, {half, 9, half}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &area};
    measure_series series[TASKS] = {{.spent = 0.0}};
    bool good =
        acre_culling_query_shape(b->culling, &query, b->slots, ENTITIES, &b->count) == ACRE_OK &&
        b->count > 0 && list_is_sorted(b) &&
        turns_take(&(measure_turns){.series = series,
                                    .count = TASKS,
                                    .rounds = turns,
                                    .seconds = 1e9,
                                    .take = take_turn,
                                    .user = b});
    printf("\n| %zu visible of %d | us | each | caches cold, us | each |\n|---|---|---|---|---|\n",
           b->count, ENTITIES);
    for (int i = 0; i < TASKS; i++) {
        const double hot = samples_summarise(&series[i].passes).median;
        const double cold = samples_summarise(&series[i].singles).median;
        printf("| %s | %.1f | %.1f ns | %.1f | %.1f ns |\n", tasks[i].name, hot,
               hot * 1e3 / (double)b->count, cold, cold * 1e3 / (double)b->count);
        series_free(&series[i]);
    }
    return good;
}

int main(int argc, char **argv)
{
    bench *const b = calloc(1, sizeof *b);
    const int asked = argc > 1 ? atoi(argv[1]) : 101;
    const uint32_t turns = asked < 1 ? 1 : (uint32_t)asked;
    bool good = b && create(b);
    printf("%d entities, %d meshes of %d LODs; medians of %u turns\n", ENTITIES, MESHES, LODS,
           (unsigned)turns);
    good = good && measure(b, 0.12207f * HALF, turns) && measure(b, 0.7071f * HALF, turns);
    if (!good) {
        fprintf(stderr, "bench_draw_lists: a call failed or a list is not in order\n");
    }
    if (b) {
        acre_draw_list_destroy(b->list);
        acre_culling_destroy(b->culling);
        acre_scene_destroy(b->scene);
        free(b->trash);
        free(b);
    }
    return good ? 0 : 1;
}
