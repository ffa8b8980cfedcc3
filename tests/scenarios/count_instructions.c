// SPDX-License-Identifier: MIT
// count_instructions.c - fixed work for callgrind, which counts the instructions of each scenario.
//
// Run by count_instructions.sh; without callgrind it only makes the calls. Each scenario dumps its
// own profile, named "scenario kernel items" in the profile's line "desc: Trigger". Only the part
// between begin() and end() counts. Inputs are the same everywhere: splitmix64, sums, products and
// square roots. AVX-512 is missing, as callgrind does not know it.
#include "box_generator.h"
#include "culling_counts.h"
#include "test.h"

#include <acre/casters.h>
#include <acre/culling.h>
#include <acre/draw_list.h>
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>
#include <acre/visible_set.h>

#include <stdlib.h>
#include <string.h>
#if !__has_include(<valgrind/callgrind.h>)
#error "count_instructions needs <valgrind/callgrind.h> (tools/setup.sh test installs it)"
#endif
#include <valgrind/callgrind.h>

enum { ITEMS = 10000, VIEWS = 8, GROUPS = 500, MAINTAINS = 50 };

#define HALF_SIDE 650.0f // m: as dense as a suburb
#define FRAME_STEP 0.2f  // m a frame at most: 12 m/s

static acre_aabb boxes[ITEMS], stepped[ITEMS], nudged[ITEMS], scattered[ITEMS];
static uint32_t shuffled[ITEMS], found[ITEMS];
static acre_item_span spans[ITEMS];
static acre_pair pairs[8 * ITEMS];
static acre_frustum ground[VIEWS], above[VIEWS], whole[VIEWS];

// ---- input ----

static acre_aabb make_box(test_random *random)
{
    float low[3], size[3];
    low[0] = random_float(random, -HALF_SIDE, HALF_SIDE);
    low[1] = random_float(random, 0.0f, 5.0f);
    low[2] = random_float(random, -HALF_SIDE, HALF_SIDE);
    // Square: small ones are more.
    const float share = random_float(random, 0.0f, 1.0f);
    const float width = 0.3f + 24.0f * (share * share);
    for (int k = 0; k < 3; k++) {
        size[k] = width * random_float(random, 0.7f, 1.4f);
    }
    return (acre_aabb){{low[0], low[1], low[2]},
                       {low[0] + size[0], low[1] + size[1], low[2] + size[2]}};
}

static acre_aabb move_box(const acre_aabb *box, float x, float z)
{
    return (acre_aabb){{box->min[0] + x, box->min[1], box->min[2] + z},
                       {box->max[0] + x, box->max[1], box->max[2] + z}};
}

static void make_views(test_random *random)
{
    for (int view = 0; view < VIEWS; view++) {
        float eye[3], target[3];
        for (int k = 0; k < 3; k++) {
            eye[k] = random_float(random, -0.6f * HALF_SIDE, 0.6f * HALF_SIDE);
            target[k] = random_float(random, -HALF_SIDE, HALF_SIDE);
        }
        eye[1] = 1.8f;
        target[1] = 1.0f;
        ground[view] = frustum_camera(eye, target, 1.03f, 0.58f, 0.1f, 500.0f);
        const float high[3] = {eye[0], 120.0f, eye[2]};
        const float below[3] = {eye[0], 0.0f, eye[2] + 40.0f};
        above[view] = frustum_camera(high, below, 1.03f, 0.58f, 1.0f, 200.0f);
        const float all[3] = {10.0f * (float)view, 4000.0f, 0.0f};
        const float middle[3] = {0.0f, 0.0f, 1.0f};
        whole[view] = frustum_camera(all, middle, 1.0f, 1.0f, 1.0f, 9000.0f);
    }
}

static void make_input(void)
{
    test_random random = {2024};
    for (uint32_t i = 0; i < ITEMS; i++) {
        boxes[i] = make_box(&random);
        const float x = random_float(&random, -FRAME_STEP, FRAME_STEP);
        const float z = random_float(&random, -FRAME_STEP, FRAME_STEP);
        stepped[i] = move_box(&boxes[i], x, z);
        nudged[i] = move_box(&boxes[i], 0.001f * x, 0.001f * z);
        const uint32_t other = random_below(&random, i + 1);
        shuffled[i] = shuffled[other];
        shuffled[other] = i;
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
        scattered[i] = boxes[shuffled[i]];
    }
    make_views(&random);
}

// ---- counting ----

static void need(bool condition, const char *what)
{
    if (!condition) {
        printf("FAIL: %s\n", what);
        exit(1);
    }
}

static void begin(void)
{
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
}

// size: how many items the scenario handles, for instructions per item.
static void end(const char *scenario, acre_kernel kernel, size_t size)
{
    CALLGRIND_TOGGLE_COLLECT;
    char name[128];
    const int length =
        snprintf(name, sizeof name, "%s %s %zu", scenario, acre_kernel_name(kernel), size);
    need(length > 0 && (size_t)length < sizeof name && size > 0, scenario);
    CALLGRIND_DUMP_STATS_AT(name);
    printf("%s\n", name);
}

// ---- the tree ----

static acre_quadtree *make_tree(acre_kernel kernel)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = HALF_SIDE, .kernel = kernel};
    need(acre_quadtree_create(&def, &tree) == ACRE_OK, "create a tree with this kernel");
    return tree;
}

static acre_quadtree *make_full_tree(acre_kernel kernel)
{
    acre_quadtree *const tree = make_tree(kernel);
    for (uint32_t i = 0; i < ITEMS; i++) {
        need(acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK, "insert");
    }
    need(acre_quadtree_tighten(tree) == ACRE_OK, "tighten");
    return tree;
}

static void count_refresh_each(acre_quadtree *tree, acre_kernel kernel, const char *name,
                               const acre_aabb *to)
{
    size_t good = 0;
    begin();
    for (uint32_t i = 0; i < ITEMS; i++) {
        good += acre_quadtree_refresh(tree, shuffled[i], &to[shuffled[i]]) == ACRE_OK;
    }
    end(name, kernel, ITEMS);
    need(good == ITEMS, name);
}

static void count_life(acre_kernel kernel)
{
    acre_quadtree *const tree = make_tree(kernel);
    size_t good = 0;
    begin();
    for (uint32_t i = 0; i < ITEMS; i++) {
        good += acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK;
    }
    end("insert", kernel, ITEMS);
    count_refresh_each(tree, kernel, "refresh_standing", boxes);
    count_refresh_each(tree, kernel, "refresh_nudged", nudged);
    count_refresh_each(tree, kernel, "refresh_moving", stepped);
    count_refresh_each(tree, kernel, "refresh_far", scattered);
    begin();
    for (int frame = 0; frame < MAINTAINS; frame++) {
        good += acre_quadtree_maintain(tree) == ACRE_OK;
    }
    end("maintain", kernel, MAINTAINS);
    begin();
    for (uint32_t i = 0; i < ITEMS; i++) {
        good += acre_quadtree_remove(tree, shuffled[i]) == ACRE_OK;
    }
    end("remove", kernel, ITEMS);
    need(good == 2 * ITEMS + MAINTAINS, "insert, maintain, remove");
    acre_quadtree_destroy(tree);
}

// All items in a shuffled order, as one batch.
static void count_bulk(acre_kernel kernel)
{
    acre_quadtree *const tree = make_tree(kernel);
    begin();
    const acre_result inserted = acre_quadtree_insert_many(tree, shuffled, boxes, ITEMS);
    end("insert_many", kernel, ITEMS);
    begin();
    const acre_result optimized = acre_quadtree_optimize(tree);
    end("optimize", kernel, ITEMS);
    begin();
    const acre_result removed = acre_quadtree_remove_many(tree, shuffled, ITEMS / 2);
    end("remove_many_half", kernel, ITEMS / 2);
    need(inserted == ACRE_OK && optimized == ACRE_OK && removed == ACRE_OK, "bulk edits");
    acre_quadtree_destroy(tree);
}

static void count_refresh_batches(acre_kernel kernel)
{
    acre_quadtree *const tree = make_full_tree(kernel);
    static acre_aabb rows[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        rows[i] = stepped[shuffled[i]];
    }
    begin();
    const acre_result many = acre_quadtree_refresh_many(tree, shuffled, rows, ITEMS / 10);
    end("refresh_many_tenth", kernel, ITEMS / 10);
    begin();
    const acre_result all = acre_quadtree_refresh_all(tree, boxes, ITEMS);
    end("refresh_all", kernel, ITEMS);
    static float middles[ITEMS][3], halves[ITEMS][3];
    for (uint32_t i = 0; i < ITEMS; i++) {
        for (int k = 0; k < 3; k++) {
            middles[i][k] = 0.5f * (stepped[i].min[k] + stepped[i].max[k]);
            halves[i][k] = 0.5f * (stepped[i].max[k] - stepped[i].min[k]);
        }
    }
    const acre_box_array own = {middles, halves, sizeof middles[0], sizeof halves[0],
                                ACRE_BOX_FORM_CENTER_EXTENT};
    begin();
    const acre_result from = acre_quadtree_refresh_all_from(tree, &own, ITEMS);
    end("refresh_all_from", kernel, ITEMS);
    need(many == ACRE_OK && all == ACRE_OK && from == ACRE_OK, "refresh in batches");
    acre_quadtree_destroy(tree);
}

static void count_views(const acre_quadtree *tree, acre_kernel kernel, const char *name,
                        const acre_frustum *views)
{
    size_t sum = 0;
    begin();
    for (int view = 0; view < VIEWS; view++) {
        sum += acre_quadtree_query_frustum(tree, &views[view], found, ITEMS);
    }
    end(name, kernel, sum);
}

static void count_boxes(const acre_quadtree *tree, acre_kernel kernel)
{
    size_t sum = 0;
    begin();
    for (uint32_t i = 0; i < 200; i++) {
        const acre_aabb *const at = &boxes[shuffled[i]];
        const acre_aabb around = {{at->min[0] - 20.0f, -10.0f, at->min[2] - 20.0f},
                                  {at->max[0] + 20.0f, 50.0f, at->max[2] + 20.0f}};
        sum += acre_quadtree_query_aabb(tree, &around, found, ITEMS);
    }
    end("query_aabb", kernel, sum);
}

static void count_spans(const acre_quadtree *tree, acre_kernel kernel, const char *name,
                        const acre_frustum *views)
{
    size_t sum = 0;
    begin();
    for (int view = 0; view < VIEWS; view++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &views[view]};
        acre_span_totals totals;
        if (acre_quadtree_query_spans(tree, &query, spans, ITEMS, found, ITEMS, &totals) ==
            ACRE_OK) {
            sum += totals.items;
        }
    }
    end(name, kernel, sum);
}

static void count_exact(const acre_quadtree *tree, acre_kernel kernel)
{
    size_t sum = 0;
    begin();
    for (int view = 0; view < VIEWS; view++) {
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &ground[view], .flags = ACRE_QUERY_EXACT};
        size_t total = 0;
        if (acre_quadtree_query(tree, &query, found, ITEMS, &total) == ACRE_OK) {
            sum += total;
        }
    }
    end("query_exact", kernel, sum);
}

static void count_spheres(const acre_quadtree *tree, acre_kernel kernel)
{
    size_t sum = 0;
    begin();
    for (uint32_t i = 0; i < 200; i++) {
        const acre_aabb *const at = &boxes[shuffled[i]];
        const acre_sphere around = {{at->min[0], at->min[1], at->min[2]}, 25.0f};
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &around};
        size_t total = 0;
        if (acre_quadtree_query(tree, &query, found, ITEMS, &total) == ACRE_OK) {
            sum += total;
        }
    }
    end("query_sphere", kernel, sum);
}

static void count_circles(const acre_quadtree *tree, acre_kernel kernel)
{
    size_t sum = 0;
    begin();
    for (uint32_t i = 0; i < 200; i++) {
        const acre_aabb *const at = &boxes[shuffled[i]];
        const acre_circle around = {{at->min[0], at->min[2]}, 100.0f};
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &around};
        size_t total = 0;
        if (acre_quadtree_query(tree, &query, found, ITEMS, &total) == ACRE_OK) {
            sum += total;
        }
    }
    end("query_circle", kernel, sum);
}

static void count_nearest(const acre_quadtree *tree, acre_kernel kernel)
{
    size_t sum = 0;
    begin();
    for (uint32_t i = 0; i < 200; i++) {
        const float *const at = boxes[shuffled[i]].max;
        const acre_aabb point = {{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .origin = &point};
        acre_query_hit hits[8];
        size_t count = 0;
        if (acre_quadtree_query_nearest(tree, &query, hits, 8, &count) == ACRE_OK) {
            sum += count;
        }
    }
    end("query_nearest_8", kernel, sum);
}

static void count_neighbors(const acre_quadtree *tree, acre_kernel kernel)
{
    static acre_neighbor_row rows[ITEMS];
    static uint32_t neighbors[64 * ITEMS];
    acre_neighbors_query query = {
        .count = ITEMS, .radius = 25.0f, .flags = ACRE_NEIGHBORS_ON_GROUND};
    acre_neighbor_lists lists = {.rows = rows, .items = neighbors, .capacity = 64 * ITEMS};
    begin();
    acre_result result = acre_quadtree_neighbors(tree, &query, &lists);
    end("neighbors", kernel, ITEMS);
    need(result == ACRE_OK && lists.total > 10 * ITEMS && lists.total < 64 * ITEMS, "neighbors");
    query.items = shuffled;
    query.nearest = 8;
    begin();
    result = acre_quadtree_neighbors(tree, &query, &lists);
    end("neighbors_nearest_8", kernel, ITEMS);
    need(result == ACRE_OK && lists.total > 4 * ITEMS, "nearest neighbors");
}

static void count_pairs(acre_kernel kernel)
{
    acre_quadtree *const tree = make_full_tree(kernel);
    acre_contacts *contacts = NULL;
    size_t total = 0;
    begin();
    acre_result result = acre_quadtree_pairs(tree, NULL, pairs, 8 * ITEMS, &total);
    end("pairs", kernel, ITEMS);
    need(result == ACRE_OK && total > ITEMS / 4 && total < 8 * ITEMS, "pairs");
    need(acre_contacts_create(NULL, &contacts) == ACRE_OK &&
             acre_contacts_update(contacts, tree, NULL, NULL) == ACRE_OK &&
             acre_quadtree_refresh_all(tree, stepped, ITEMS) == ACRE_OK,
         "contacts of the frame before");
    begin();
    result = acre_contacts_update(contacts, tree, NULL, NULL);
    end("contacts", kernel, ITEMS);
    need(result == ACRE_OK && acre_contacts_get(contacts).began_count > 0, "contacts");
    acre_contacts_destroy(contacts);
    acre_quadtree_destroy(tree);
}

static void count_queries(acre_kernel kernel)
{
    acre_quadtree *const tree = make_full_tree(kernel);
    count_views(tree, kernel, "query_ground", ground);
    count_views(tree, kernel, "query_rts", above);
    count_views(tree, kernel, "query_whole", whole);
    count_boxes(tree, kernel);
    count_spans(tree, kernel, "query_spans", above);
    count_spans(tree, kernel, "query_spans_whole", whole);
    count_exact(tree, kernel);
    count_spheres(tree, kernel);
    count_circles(tree, kernel);
    count_nearest(tree, kernel);
    count_neighbors(tree, kernel);
    acre_quadtree_destroy(tree);
}

// ---- scene and culling ----

// Groups of a parent and 19 children; a child's box is around its own middle.
static acre_entity entities[ITEMS];
static acre_transform at[ITEMS];

static void make_transforms(void)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t top = i - i % (ITEMS / GROUPS);
        at[i] = (acre_transform){.rotation = {0.0f, 0.6f, 0.0f, 0.8f}, .scale = {1.0f, 1.0f, 1.0f}};
        for (int k = 0; k < 3; k++) {
            const float origin = i == top ? 0.0f : 0.05f * boxes[top].min[k];
            const float place = i == top ? boxes[i].min[k] : 0.05f * boxes[i].min[k];
            at[i].translation[k] = place - origin;
        }
    }
}

static acre_scene *make_scene(acre_kernel kernel)
{
    acre_scene *scene = NULL;
    const acre_scene_def def = {.kernel = kernel};
    need(acre_scene_create(&def, &scene) == ACRE_OK, "create a scene with this kernel");
    return scene;
}

// Nine groups of ten have the flags.
static size_t fill_scene(acre_scene *scene, uint32_t flags)
{
    static const acre_aabb box = {{-1.0f, 0.0f, -1.0f}, {1.0f, 3.0f, 1.0f}};
    size_t good = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t top = i - i % (ITEMS / GROUPS);
        const bool has_flags = i / (ITEMS / GROUPS) % 10 != 0;
        const acre_entity_def def = {.parent = i == top ? (acre_entity){0} : entities[top],
                                     .local = &at[i],
                                     .bounds = &box,
                                     .flags = has_flags ? flags : 0};
        good += acre_entity_create(scene, &def, &entities[i]) == ACRE_OK;
    }
    return good;
}

// Moves each group's parent whose number is a multiple of stride.
static size_t move_groups(acre_scene *scene, uint32_t stride)
{
    size_t good = 0;
    for (uint32_t group = 0; group < GROUPS; group += stride) {
        const uint32_t top = group * (ITEMS / GROUPS);
        at[top].translation[0] += FRAME_STEP;
        good += acre_entity_set_local(scene, entities[top], &at[top]) == ACRE_OK;
    }
    return good;
}

static void count_scene(acre_kernel kernel)
{
    make_transforms();
    acre_scene *const scene = make_scene(kernel);
    begin();
    size_t good = fill_scene(scene, 0);
    good += acre_scene_commit(scene) == ACRE_OK;
    end("scene_create", kernel, ITEMS);
    begin();
    good += move_groups(scene, 1);
    good += acre_scene_commit(scene) == ACRE_OK;
    end("scene_commit_all", kernel, ITEMS);
    begin();
    good += move_groups(scene, 10);
    good += acre_scene_commit(scene) == ACRE_OK;
    end("scene_commit_tenth", kernel, ITEMS / 10);
    begin();
    good += acre_scene_set_locals(scene, entities, at, ITEMS) == ACRE_OK;
    good += acre_scene_commit(scene) == ACRE_OK;
    end("scene_set_locals", kernel, ITEMS);
    need(good == ITEMS + GROUPS + GROUPS / 10 + 5, "the scene's calls");
    acre_scene_destroy(scene);
}

// A frame: a tenth of the groups moves, three cameras look.
static size_t run_frame(acre_scene *scene, const acre_culling *culling, size_t *good)
{
    *good += move_groups(scene, 10);
    *good += acre_scene_commit(scene) == ACRE_OK;
    size_t sum = 0;
    for (int view = 0; view < 2; view++) {
        sum += count_in_frustum(culling, &ground[view], 0, found, ITEMS);
    }
    return sum + count_in_frustum(culling, &above[0], 0, found, ITEMS);
}

// All views, prepared.
static void count_prepared(const acre_culling *culling, acre_kernel kernel)
{
    size_t sum = 0;
    begin();
    for (int i = 0; i < VIEWS; i++) {
        const acre_view near_view = {.frustum = ground[i]}, high_view = {.frustum = above[i]};
        sum += count_in_view(culling, &near_view, found, ITEMS);
        sum += count_in_view(culling, &high_view, found, ITEMS);
    }
    end("culling_views", kernel, sum);
}

// flags: of the groups that never move.
static void count_culling(acre_kernel kernel, uint32_t flags, const char *creating,
                          const char *running)
{
    make_transforms();
    acre_scene *const scene = make_scene(kernel);
    acre_culling *culling = NULL;
    const acre_culling_def def = {.tree = {.half_size = HALF_SIDE, .kernel = kernel},
                                  .register_all = true};
    need(acre_culling_create(scene, &def, &culling) == ACRE_OK, "create a culler");
    size_t good = 0;
    begin();
    good += fill_scene(scene, flags);
    good += acre_scene_commit(scene) == ACRE_OK;
    end(creating, kernel, ITEMS);
    size_t sum = run_frame(scene, culling, &good);
    begin();
    for (int frame = 0; frame < 4; frame++) {
        sum += run_frame(scene, culling, &good);
    }
    end(running, kernel, 4 * ITEMS / 10);
    need(good == ITEMS + 1 + 5 * (GROUPS / 10 + 1) && sum > 0, "the culler's calls");
    if (flags == 0) {
        count_prepared(culling, kernel);
    }
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

// ---- 1,000 entities, with tasks and without ----

enum { FEW_ENTITIES = 1000, FEW_FRAMES = 20 };

typedef struct few_world {
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    acre_draw_list *list;
    acre_receivers *receivers;
    acre_cascade cascade;
    acre_entity entities[FEW_ENTITIES];
    acre_transform locals[2][FEW_ENTITIES];
} few_world;

static bool make_few_cascade(acre_cascade *out)
{
    const float eye[3] = {0, 40, 0}, target[3] = {100, 0, 60}, up[3] = {0, 1, 0};
    const acre_cascades_def def = {
        .light = {0.4f, -1, 0.3f}, .caster_distance = 50, .count = 1, .resolution = 1024};
    acre_camera camera;
    return acre_camera_perspective(&camera, 1.2f, 1.6f, 0.5f, 300, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_cascades_fit(&def, &camera, out) == ACRE_OK;
}

static bool open_few(few_world *few, acre_kernel kernel, const acre_tasks *tasks)
{
    const acre_aabb bounds = {{-1, 0, -1}, {1, 2, 1}};
    const acre_culling_def def = {.tree = {.half_size = HALF_SIDE, .kernel = kernel},
                                  .register_all = true};
    memset(few, 0, sizeof *few);
    bool is_good = make_few_cascade(&few->cascade) &&
                   acre_scene_create(&(acre_scene_def){.kernel = kernel}, &few->scene) == ACRE_OK &&
                   acre_culling_create(few->scene, &def, &few->culling) == ACRE_OK &&
                   acre_visible_set_create(&(acre_visible_set_def){.flags = ACRE_VISIBLE_LODS},
                                           &few->set) == ACRE_OK &&
                   acre_draw_list_create(NULL, &few->list) == ACRE_OK &&
                   acre_receivers_create(NULL, &few->receivers) == ACRE_OK;
    for (uint32_t i = 0; i < FEW_ENTITIES && is_good; i++) {
        const acre_aabb *const boxes_of[2] = {&boxes[i], &stepped[i]};
        for (int k = 0; k < 2; k++) {
            few->locals[k][i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
            memcpy(few->locals[k][i].translation, boxes_of[k]->min, sizeof boxes_of[k]->min);
        }
        const acre_entity_def entity = {.local = &few->locals[0][i], .bounds = &bounds};
        is_good = acre_entity_create(few->scene, &entity, &few->entities[i]) == ACRE_OK;
    }
    return is_good && acre_scene_set_tasks(few->scene, tasks) == ACRE_OK &&
           acre_culling_set_tasks(few->culling, tasks) == ACRE_OK;
}

// Everything moves; a view by size with LODs, its draw list, a query by plane, and casters.
static size_t run_few_frame(few_world *few, uint32_t frame)
{
    const acre_view view = {
        .frustum = whole[0], .eye = {(float)(frame & 1)}, .pixels = 900, .min_pixels = 2};
    size_t total = 0, casters = 0;
    need(acre_scene_set_locals(few->scene, few->entities, few->locals[frame & 1], FEW_ENTITIES) ==
                 ACRE_OK &&
             acre_scene_commit(few->scene) == ACRE_OK &&
             acre_culling_find_visible(few->culling, &view, few->set) == ACRE_OK,
         "a frame of 1,000 entities");
    const acre_visible seen = acre_visible_set_get(few->set);
    const acre_draw_input input = {.slots = seen.slots,
                                   .count = seen.count,
                                   .lods = seen.lods,
                                   .order = ACRE_DRAW_NEAR_TO_FAR,
                                   .matrices = ACRE_MATRIX_ROWS};
    need(acre_draw_list_build(few->list, few->culling, &input) == ACRE_OK &&
             acre_culling_query_view(few->culling, &view, found, ITEMS, &total) == ACRE_OK &&
             acre_receivers_begin(few->receivers, &few->cascade) == ACRE_OK &&
             acre_culling_add_receivers(few->culling, few->receivers, seen.slots, seen.count) ==
                 ACRE_OK &&
             acre_culling_query_casters(few->culling, few->receivers, found, ITEMS, &casters) ==
                 ACRE_OK,
         "a frame of 1,000 entities");
    return total + casters;
}

static void *refuse_task(void *user, acre_task *task, void *context, const char *name)
{
    (void)user, (void)task, (void)context;
    need(false, name);
    return NULL;
}

static void refuse_handle(void *user, void *handle)
{
    (void)user, (void)handle;
}

// count_instructions.sh compares the rows with and without tasks: such small calls are not divided,
// and may not pay for finding that out.
static void count_few(acre_kernel kernel, bool has_tasks)
{
    static few_world few;
    const acre_tasks tasks = {4, refuse_task, refuse_handle, NULL, false};
    need(open_few(&few, kernel, has_tasks ? &tasks : NULL), "1,000 entities");
    size_t sum = run_few_frame(&few, 0) + run_few_frame(&few, 1);
    begin();
    for (uint32_t frame = 0; frame < FEW_FRAMES; frame++) {
        sum += run_few_frame(&few, frame);
    }
    end(has_tasks ? "few_frames_tasks" : "few_frames", kernel, FEW_FRAMES * FEW_ENTITIES);
    need(sum > FEW_FRAMES * FEW_ENTITIES / 4, "1,000 entities are seen");
    acre_receivers_destroy(few.receivers);
    acre_draw_list_destroy(few.list);
    acre_visible_set_destroy(few.set);
    acre_culling_destroy(few.culling);
    acre_scene_destroy(few.scene);
}

int main(void)
{
    make_input();
    count_life(ACRE_KERNEL_AVX2);
    count_bulk(ACRE_KERNEL_AVX2);
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel <= ACRE_KERNEL_AVX2; kernel++) {
        count_refresh_batches((acre_kernel)kernel);
        count_queries((acre_kernel)kernel);
        count_scene((acre_kernel)kernel);
    }
    count_culling(ACRE_KERNEL_AVX2, 0, "culling_create", "culling_frames");
    count_culling(ACRE_KERNEL_AVX2, ACRE_ENTITY_STATIC, "static_create", "static_frames");
    // Last: what a scenario leaves in the heap decides what later ones pay for growing arrays.
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel <= ACRE_KERNEL_AVX2; kernel++) {
        count_pairs((acre_kernel)kernel);
    }
    count_few(ACRE_KERNEL_AVX2, false);
    count_few(ACRE_KERNEL_AVX2, true);
    return 0;
}
