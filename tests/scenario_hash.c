// SPDX-License-Identifier: MIT
// scenario_hash.c - a recorded scenario whose printed hashes must be equal on every platform.
//
// Nothing here depends on the C library's mathematics: matrices and rotations are stored numbers,
// positions come from splitmix64 through exact conversions. Every compiler, processor, byte order
// and word size must print the lines of scenario_hash.expected; cross.sh compares them.
#include "test.h"

#include <acre/quadtree.h>
#include <acre/scene.h>

#include <math.h>
#include <string.h>

#define ITEMS 6000u
#define FRAMES 48u
#define ENTITIES 3000u
#define MOVED_A_FRAME 400u

static int failures;

static void expect(bool condition, const char *what)
{
    if (!condition) {
        printf("unexpected: %s\n", what);
        failures++;
    }
}

// FNV-1a over the bytes of words, least significant first whatever the machine's order.
static void hash_word(uint64_t *hash, uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8) {
        *hash = (*hash ^ ((word >> shift) & 0xffu)) * 0x100000001b3u;
    }
}

static void hash_words(uint64_t *hash, const uint32_t *words, size_t count)
{
    hash_word(hash, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        hash_word(hash, words[i]);
    }
}

static void hash_floats(uint64_t *hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash_word(hash, bits);
    }
}

static void hash_box(uint64_t *hash, const acre_aabb *box)
{
    hash_floats(hash, box->min, 3);
    hash_floats(hash, box->max, 3);
}

#define HASH_START 0xcbf29ce484222325u

// projection x view, column-major: a flying camera with depth -1..1, one with depth 0..1 that looks
// down steeply, one near the ground with reversed depth and an infinite far plane.
static const float matrices[3][16] = {
    {0.779422879f, 0.0f, -0.600600302f, -0.600000024f, 0.0f, 1.73205078f, 0.0f, 0.0f, -0.58456713f,
     0.0f, -0.800800383f, -0.800000012f, 148.090347f, -69.2820358f, 35.0355186f, 36.0f},
    {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.959999979f, -0.800400198f, -0.800000012f, 0.0f, -1.27999997f,
     -0.600300133f, -0.600000024f, -25.0f, -32.0f, 359.179596f, 360.0f},
    {0.252000004f, 0.0f, 0.0f, 0.959999979f, 0.0f, 1.60000002f, 0.0f, 0.0f, 0.864000022f, 0.0f,
     0.0f, -0.280000001f, -45.7200012f, -3.20000005f, 0.100000001f, 4.4000001f},
};
static const acre_clip clips[3] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                   ACRE_CLIP_REVERSED_ZERO_TO_ONE};

static void make_frusta(acre_frustum *frusta)
{
    uint64_t hash = HASH_START;
    for (int i = 0; i < 3; i++) {
        expect(acre_frustum_from_matrix(&frusta[i], matrices[i], clips[i]) == ACRE_OK, "frustum");
        hash_word(&hash, frusta[i].plane_count);
        for (uint32_t plane = 0; plane < frusta[i].plane_count; plane++) {
            hash_floats(&hash, frusta[i].planes[plane], 4);
        }
    }
    printf("frusta %016llx\n", (unsigned long long)hash);
}

// The tree.

typedef struct tree_scenario {
    acre_quadtree *tree;
    test_random random;
    uint64_t queries;
    acre_frustum frusta[3];
    acre_aabb boxes[ITEMS]; // what each item was given last, also while it is not in the tree
    acre_aabb rows[ITEMS];
    uint32_t items[ITEMS];
} tree_scenario;

// Mostly small things over 2 km; a heavy tail of large ones; now and then what is far away, of no
// size, at a cell's corner, or endless.
static acre_aabb random_box(test_random *random)
{
    float center[3], half[3];
    const uint32_t kind = random_below(random, 64);
    const float reach = kind == 0 ? 60000.0f : kind < 40 ? 1000.0f : 120.0f;
    const float size = kind < 3 ? 900.0f : kind < 10 ? 60.0f : 4.0f;
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = random_float(random, -reach, reach);
        half[axis] = random_float(random, 0.0f, size);
    }
    if (kind == 20) {
        half[0] = half[2] = 0.0f;
    } else if (kind == 21) {
        center[0] = -0.0f;
        center[2] = (float)random_below(random, 64) * 32.0f - 1024.0f;
    }
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = center[axis] - half[axis];
        box.max[axis] = center[axis] + half[axis];
    }
    if (kind == 22) {
        box.max[0] = INFINITY;
    }
    return box;
}

static acre_aabb moved_box(test_random *random, const acre_aabb *box)
{
    const float reach = random_below(random, 8) == 0 ? 200.0f : 1.5f;
    acre_aabb moved = *box;
    for (int axis = 0; axis < 3; axis++) {
        const float step = random_float(random, -reach, reach);
        moved.min[axis] += step;
        moved.max[axis] += step;
    }
    return moved;
}

static void insert_or_remove(tree_scenario *scenario)
{
    const uint32_t item = random_below(&scenario->random, ITEMS);
    if (acre_quadtree_contains(scenario->tree, item)) {
        expect(acre_quadtree_remove(scenario->tree, item) == ACRE_OK, "remove");
    } else {
        scenario->boxes[item] = random_box(&scenario->random);
        expect(acre_quadtree_insert(scenario->tree, item, &scenario->boxes[item]) == ACRE_OK,
               "insert");
    }
}

// A batch with rows that are refused: absent items and boxes that are no boxes.
static void refresh_batch(tree_scenario *scenario)
{
    for (uint32_t row = 0; row < MOVED_A_FRAME; row++) {
        const uint32_t item = random_below(&scenario->random, ITEMS);
        acre_aabb box = moved_box(&scenario->random, &scenario->boxes[item]);
        if (random_below(&scenario->random, 32) == 0) {
            box.min[1] = NAN;
        } else if (acre_quadtree_contains(scenario->tree, item)) {
            scenario->boxes[item] = box;
        }
        scenario->items[row] = item;
        scenario->rows[row] = box;
    }
    (void)acre_quadtree_refresh_many(scenario->tree, scenario->items, scenario->rows,
                                     MOVED_A_FRAME);
    const acre_quadtree_report report = acre_quadtree_last_report(scenario->tree);
    hash_word(&scenario->queries, (uint32_t)report.refused);
    hash_word(&scenario->queries, (uint32_t)report.first_row);
}

static void refresh_everything(tree_scenario *scenario)
{
    for (uint32_t item = 0; item < ITEMS; item++) {
        if (random_below(&scenario->random, 4) != 0) {
            scenario->boxes[item] = moved_box(&scenario->random, &scenario->boxes[item]);
        }
    }
    expect(acre_quadtree_refresh_all(scenario->tree, scenario->boxes, ITEMS) == ACRE_OK,
           "refresh_all");
}

static void query_all_forms(tree_scenario *scenario)
{
    for (int i = 0; i < 3; i++) {
        size_t count = acre_quadtree_query_frustum(scenario->tree, &scenario->frusta[i],
                                                   scenario->items, ITEMS);
        hash_words(&scenario->queries, scenario->items, count);

        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                                  .frustum = &scenario->frusta[i],
                                  .layers = 1u << i,
                                  .flags = i == 0   ? ACRE_QUERY_SORTED
                                           : i == 1 ? ACRE_QUERY_EXACT
                                                    : ACRE_QUERY_SORTED | ACRE_QUERY_EXACT};
        expect(acre_quadtree_query(scenario->tree, &query, scenario->items, ITEMS, &count) ==
                   ACRE_OK,
               "query");
        hash_words(&scenario->queries, scenario->items, count);
    }
    const acre_aabb box = {{-300.0f, -100.0f, -64.0f}, {200.0f, 100.0f, 256.0f}};
    const size_t count = acre_quadtree_query_aabb(scenario->tree, &box, scenario->items, ITEMS);
    hash_words(&scenario->queries, scenario->items, count);
}

static void run_frame(tree_scenario *scenario, uint32_t frame)
{
    for (int i = 0; i < 100; i++) {
        insert_or_remove(scenario);
    }
    for (int i = 0; i < 100; i++) {
        const uint32_t item = random_below(&scenario->random, ITEMS);
        if (acre_quadtree_contains(scenario->tree, item)) {
            scenario->boxes[item] = moved_box(&scenario->random, &scenario->boxes[item]);
            expect(acre_quadtree_refresh(scenario->tree, item, &scenario->boxes[item]) == ACRE_OK,
                   "refresh");
        }
        if (frame >= 8 && i % 4 == 0 && acre_quadtree_contains(scenario->tree, item)) {
            const uint32_t layers = random_below(&scenario->random, 8);
            expect(acre_quadtree_set_layers(scenario->tree, item, layers) == ACRE_OK, "layers");
        }
    }
    refresh_batch(scenario);
    if (frame % 5 == 4) {
        refresh_everything(scenario);
    }
    expect(acre_quadtree_maintain(scenario->tree) == ACRE_OK, "maintain");
    if (frame % 16 == 15) {
        expect(acre_quadtree_tighten(scenario->tree) == ACRE_OK, "tighten");
    }
    query_all_forms(scenario);
}

static void run_tree(uint32_t node_capacity)
{
    static tree_scenario scenario; // too large for a small stack
    memset(&scenario, 0, sizeof scenario);
    scenario.random.state = 2024 + node_capacity;
    scenario.queries = HASH_START;
    for (int i = 0; i < 3; i++) {
        expect(acre_frustum_from_matrix(&scenario.frusta[i], matrices[i], clips[i]) == ACRE_OK,
               "frustum");
    }
    const acre_quadtree_def def = {.center = {100.0f, -50.0f},
                                   .half_size = 1000.0f,
                                   .max_depth = 12,
                                   .node_capacity = node_capacity};
    expect(acre_quadtree_create(&def, &scenario.tree) == ACRE_OK, "create");
    for (uint32_t item = 0; item < ITEMS; item++) {
        scenario.boxes[item] = random_box(&scenario.random);
        if (item % 4 != 3) {
            expect(acre_quadtree_insert(scenario.tree, item, &scenario.boxes[item]) == ACRE_OK,
                   "insert");
        }
    }
    printf("quadtree %u built %016llx\n", node_capacity,
           (unsigned long long)acre_quadtree_state_hash(scenario.tree));
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run_frame(&scenario, frame);
    }
    expect(acre_quadtree_validate(scenario.tree, NULL, 0) == ACRE_OK, "validate");
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(scenario.tree, &stats);
    printf("quadtree %u state %016llx content %016llx\n", node_capacity,
           (unsigned long long)acre_quadtree_state_hash(scenario.tree),
           (unsigned long long)acre_quadtree_content_hash(scenario.tree));
    printf("quadtree %u items %zu nodes %zu outliers %zu depth %u queries %016llx\n", node_capacity,
           stats.items, stats.nodes, stats.outliers, stats.depth,
           (unsigned long long)scenario.queries);
    for (uint32_t item = 0; item < ITEMS; item++) {
        if (acre_quadtree_contains(scenario.tree, item)) {
            expect(acre_quadtree_remove(scenario.tree, item) == ACRE_OK, "remove");
        }
    }
    printf("quadtree %u emptied %016llx\n", node_capacity,
           (unsigned long long)acre_quadtree_state_hash(scenario.tree));
    acre_quadtree_destroy(scenario.tree);
}

// The scene.

typedef struct scene_scenario {
    acre_scene *scene;
    test_random random;
    acre_entity entities[ENTITIES];
    uint64_t changes;
} scene_scenario;

// Unit quaternions of rational numbers, as exact as floats hold them.
static const float rotations[8][4] = {{0.0f, 0.0f, 0.0f, 1.0f},    {0.0f, 0.6f, 0.0f, 0.8f},
                                      {0.0f, -0.28f, 0.0f, 0.96f}, {0.5f, 0.5f, 0.5f, 0.5f},
                                      {0.1f, 0.7f, 0.1f, 0.7f},    {0.0f, 1.0f, 0.0f, 0.0f},
                                      {-0.5f, 0.5f, -0.5f, 0.5f},  {0.48f, 0.6f, 0.0f, 0.64f}};

static acre_transform random_transform(test_random *random)
{
    acre_transform transform;
    memcpy(transform.rotation, rotations[random_below(random, 8)], sizeof transform.rotation);
    for (int axis = 0; axis < 3; axis++) {
        transform.translation[axis] = random_float(random, -50.0f, 50.0f);
        transform.scale[axis] = random_float(random, 0.75f, 1.25f);
    }
    if (random_below(random, 16) == 0) {
        transform.scale[0] = -transform.scale[0];
    }
    return transform;
}

static acre_entity random_entity(scene_scenario *scenario)
{
    return scenario->entities[random_below(&scenario->random, ENTITIES)];
}

static void create_entity(scene_scenario *scenario, uint32_t index, bool has_parent)
{
    const acre_transform local = random_transform(&scenario->random);
    acre_aabb bounds = {{-1.0f, -2.0f, -3.0f}, {1.0f, 2.5f, 3.0f}};
    bounds.max[1] = random_float(&scenario->random, 0.0f, 30.0f);
    acre_entity_def def = {.local = &local, .bounds = &bounds, .user = index};
    if (index % 16 == 15) {
        def.bounds = NULL;
    }
    if (has_parent) {
        def.parent = random_entity(scenario);
        if (!acre_entity_is_alive(scenario->scene, def.parent)) {
            def.parent = (acre_entity){0};
        }
    }
    expect(acre_entity_create(scenario->scene, &def, &scenario->entities[index]) == ACRE_OK,
           "entity");
}

// An affine matrix with shear.
static void set_matrix(scene_scenario *scenario, acre_entity entity)
{
    float matrix[16] = {1.0f, 0.0f,  0.0f, 0.0f, 0.25f, 1.0f, 0.0f, 0.0f,
                        0.0f, -0.5f, 1.5f, 0.0f, 0.0f,  0.0f, 0.0f, 1.0f};
    matrix[12] = random_float(&scenario->random, -20.0f, 20.0f);
    matrix[4] = random_float(&scenario->random, -1.0f, 1.0f);
    (void)acre_entity_set_local_matrix(scenario->scene, entity, matrix);
}

// Edits may hit entities that are gone; that they are refused everywhere alike is part of it.
static void edit_scene(scene_scenario *scenario)
{
    for (int i = 0; i < 120; i++) {
        const acre_transform local = random_transform(&scenario->random);
        (void)acre_entity_set_local(scenario->scene, random_entity(scenario), &local);
    }
    for (int i = 0; i < 10; i++) {
        const acre_entity entity = random_entity(scenario);
        const acre_entity parent = random_entity(scenario);
        (void)acre_entity_set_parent(scenario->scene, entity, parent);
        set_matrix(scenario, random_entity(scenario));
        (void)acre_entity_set_flags(scenario->scene, random_entity(scenario),
                                    random_below(&scenario->random, 8));
        (void)acre_entity_set_layers(scenario->scene, random_entity(scenario),
                                     random_below(&scenario->random, 4));
    }
    (void)acre_entity_destroy(scenario->scene, random_entity(scenario));
    for (uint32_t index = 0; index < ENTITIES; index++) {
        if (!acre_entity_is_alive(scenario->scene, scenario->entities[index]) && index % 3 == 0) {
            create_entity(scenario, index, true);
        }
    }
}

static acre_result hash_changes(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes)
{
    uint64_t *hash = user;
    (void)scene;
    hash_words(hash, changes->destroyed, changes->destroyed_count);
    hash_words(hash, changes->created, changes->created_count);
    hash_words(hash, changes->moved, changes->moved_count);
    return ACRE_OK;
}

static uint64_t scene_hash(const acre_scene *scene)
{
    const acre_scene_view view = acre_scene_get_view(scene);
    uint64_t hash = HASH_START;
    hash_word(&hash, view.entity_count);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_entity entity = acre_scene_entity(scene, slot);
        hash_word(&hash, entity.generation);
        if (entity.index1 == 0) {
            continue;
        }
        float matrix[16];
        expect(acre_entity_world_matrix(scene, entity, matrix) == ACRE_OK, "world matrix");
        hash_floats(&hash, matrix, 16);
        hash_box(&hash, &view.world_bounds[slot]);
        hash_word(&hash, view.flags[slot]);
        hash_word(&hash, view.layers[slot]);
        hash_word(&hash, (uint32_t)view.user[slot]);
    }
    return hash;
}

static void run_scene(void)
{
    static scene_scenario scenario; // too large for a small stack
    scenario.random.state = 77;
    scenario.changes = HASH_START;
    expect(acre_scene_create(&(acre_scene_def){.scene = 3}, &scenario.scene) == ACRE_OK, "scene");
    const acre_module module = {.name = "hash", .commit = hash_changes, .user = &scenario.changes};
    expect(acre_scene_attach(scenario.scene, &module) == ACRE_OK, "attach");
    for (uint32_t index = 0; index < ENTITIES; index++) {
        create_entity(&scenario, index, index > 0 && random_below(&scenario.random, 4) != 0);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        expect(acre_scene_commit(scenario.scene) == ACRE_OK, "commit");
        if (frame % 12 == 0) {
            printf("scene frame %u %016llx\n", frame,
                   (unsigned long long)scene_hash(scenario.scene));
        }
        edit_scene(&scenario);
    }
    expect(acre_scene_commit(scenario.scene) == ACRE_OK, "commit");
    printf("scene %016llx changes %016llx entities %u\n",
           (unsigned long long)scene_hash(scenario.scene), (unsigned long long)scenario.changes,
           acre_scene_get_view(scenario.scene).entity_count);
    acre_scene_destroy(scenario.scene);
}

int main(void)
{
    acre_frustum frusta[3];
    make_frusta(frusta);
    run_tree(8);
    run_tree(0);
    run_scene();
    return failures > 0;
}
