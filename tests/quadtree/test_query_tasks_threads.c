// SPDX-License-Identifier: MIT
// test_query_tasks_threads.c - what pieces of a visit find together, and neighbors that are found
// on a host's workers, are what one thread finds, in the same order.
#include "box_generator.h"
#include "task_scheduler.h"
#include "test.h"

#include <acre/quadtree_calls.h>
#include <acre/quadtree_neighbors.h>
#include "quadtree_pieces_shared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 12000, CASES = 10 };

static const box_world world = {{0, 0}, 256, 0.5f};
static const acre_aabb west_box = {{-300, -50, -300}, {40, 50, 300}};
static const acre_sphere sphere = {{10, 0, -20}, 170};
static acre_frustum half, slab;
static acre_quadtree *tree;

static const acre_query cases[CASES] = {
    {.shape = ACRE_QUERY_SHAPE_ALL},
    {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &half},
    {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &slab},
    {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &half, .flags = ACRE_QUERY_EXACT},
    {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &half, .exclude = &slab},
    {.shape = ACRE_QUERY_SHAPE_AABB, .box = &west_box, .except_item1 = 78},
    {.shape = ACRE_QUERY_SHAPE_AABB, .box = &west_box, .flags = ACRE_QUERY_SORTED},
    {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere},
    {.shape = ACRE_QUERY_SHAPE_ALL, .layers = 2},
    {.shape = ACRE_QUERY_SHAPE_ALL, .except_item1 = 4001},
};

// A box of a meter, anywhere: few are near each other.
static acre_aabb box_apart(test_random *random)
{
    const float x = (float)random_below(random, 512) - 256, y = (float)random_below(random, 20),
                z = (float)random_below(random, 512) - 256;
    return (acre_aabb){{x, y, z}, {x + 1, y + 1, z + 1}};
}

// With the scalar kernel where the processor lacks the wanted one.
static bool create_tree(acre_kernel kernel, bool is_crowded)
{
    test_random random = {test_seed};
    acre_quadtree_def def = {.half_size = 256, .node_capacity = 16, .kernel = kernel};
    half = (acre_frustum){.planes = {{0.8f, 0, 0.6f, 20}}, .plane_count = 1};
    slab = (acre_frustum){.planes = {{0.7f, 0, 0.7f, 12}, {-0.7f, 0, -0.7f, 12}}, .plane_count = 2};
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK;
    if (!is_good) {
        def.kernel = ACRE_KERNEL_SCALAR;
        is_good = acre_quadtree_create(&def, &tree) == ACRE_OK;
    }
    static acre_aabb boxes[ITEMS];
    static uint32_t items[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        boxes[i] = is_crowded ? box_valid(&random, &world) : box_apart(&random);
        items[i] = i;
    }
    // Insertions leave chains of scattered blocks, a build leaves runs.
    for (uint32_t i = 0; kernel == ACRE_KERNEL_SCALAR && i < ITEMS && is_good; i++) {
        is_good = acre_quadtree_insert(tree, i, &boxes[i]) == ACRE_OK;
    }
    if (is_good && kernel != ACRE_KERNEL_SCALAR) {
        is_good = acre_quadtree_insert_many(tree, items, boxes, ITEMS) == ACRE_OK;
    }
    for (uint32_t i = 0; i < ITEMS && is_good; i++) {
        is_good = acre_quadtree_set_layers(tree, i, i % 3 ? 1 : 2) == ACRE_OK;
    }
    return is_good;
}

// ---- pieces ----

// The items of the groups that a visitor was given, in order.
typedef struct visited_items {
    uint32_t items[ITEMS];
    uint32_t count, most; // the visitor stops after most
} visited_items;

static bool take_items(void *user, const acre_item_group *group)
{
    visited_items *const out = user;
    for (uint32_t i = 0; i < ACRE_GROUP_ITEMS; i++) {
        if (group->found >> i & 1) {
            out->items[out->count++] = group->items[i];
        }
    }
    return out->count < out->most;
}

// Visits the pieces from the last to the first. Returns their number; UINT32_MAX: a piece has
// more than was said, or a call failed.
static uint32_t visit_pieces(const acre_query *query, visited_items *out)
{
    static visited_items of_piece[ACRE_QUERY_MOST_PIECES];
    static acre_query_pieces rest;
    *out = (visited_items){.most = UINT32_MAX};
    bool is_good = acre_quadtree_visit_first(tree, query, 12000, take_items, out, &rest) == ACRE_OK;
    for (uint32_t i = rest.count; i-- > 0 && is_good;) {
        const acre_query_piece *const piece = &rest.pieces[i];
        of_piece[i] = (visited_items){.most = UINT32_MAX};
        is_good =
            acre_quadtree_visit_piece(tree, query, piece, take_items, &of_piece[i]) == ACRE_OK &&
            of_piece[i].count <= piece->inside + piece->tested;
    }
    for (uint32_t i = 0; i < rest.count && is_good; i++) {
        memcpy(out->items + out->count, of_piece[i].items, of_piece[i].count * sizeof(uint32_t));
        out->count += of_piece[i].count;
    }
    return is_good ? rest.count : UINT32_MAX;
}

static void pieces_have_the_groups_of_one_visit_in_order(void)
{
    task_scheduler *const scheduler = task_scheduler_create(3, TASKS_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    for (int kernel = 0; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        uint32_t divided = 0; // the smallest have one piece
        CHECK(create_tree((acre_kernel)kernel, true));
        for (uint32_t i = 0; i < CASES; i++) {
            static visited_items whole, joined;
            acre_query query = cases[i];
            query.flags &= ~(uint32_t)ACRE_QUERY_SORTED;
            whole = (visited_items){.most = UINT32_MAX};
            CHECK(acre_quadtree_set_tasks(tree, NULL) == ACRE_OK);
            CHECK(acre_quadtree_query_visit_groups(tree, &query, take_items, &whole) == ACRE_OK);
            CHECK(visit_pieces(&query, &joined) == 0 && joined.count == whole.count);
            CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
            const uint32_t pieces = visit_pieces(&query, &joined);
            CHECK(pieces != 1 && pieces <= ACRE_QUERY_MOST_PIECES);
            divided += pieces > 1;
            CHECK(joined.count == whole.count && whole.count > 0);
            CHECK(memcmp(joined.items, whole.items, whole.count * sizeof(uint32_t)) == 0);
        }
        CHECK(divided >= CASES / 2);
        acre_quadtree_destroy(tree);
    }
    task_scheduler_destroy(scheduler);
}

static void a_visit_that_stops_or_may_not_be_divided_leaves_no_pieces(void)
{
    static acre_query_pieces rest;
    static visited_items out;
    acre_query query = cases[0];
    task_scheduler *const scheduler = task_scheduler_create(3, TASKS_AT_ONCE, test_seed);
    CHECK(scheduler && create_tree(ACRE_KERNEL_DEFAULT, true));
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
    out = (visited_items){.most = UINT32_MAX};
    CHECK(acre_quadtree_visit_first(tree, &query, 12000, take_items, &out, &rest) == ACRE_OK);
    CHECK(rest.count == 0 && out.count == ITEMS); // too small
    tasks.divides_small_calls = true;
    CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
    out = (visited_items){.most = 1};
    CHECK(acre_quadtree_visit_first(tree, &query, 12000, take_items, &out, &rest) == ACRE_OK);
    CHECK(rest.count == 0 && out.count > 0 && out.count <= ACRE_GROUP_ITEMS);
    query.flags = ACRE_QUERY_UNDIVIDED;
    out = (visited_items){.most = UINT32_MAX};
    CHECK(acre_quadtree_visit_first(tree, &query, 12000, take_items, &out, &rest) == ACRE_OK);
    CHECK(rest.count == 0 && out.count == ITEMS);
    const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
    CHECK(acre_quadtree_visit_first(tree, &query, 12000, take_items, &out, NULL) == invalid);
    rest.count = 5;
    CHECK(acre_quadtree_visit_first(tree, &query, 12000, NULL, &out, &rest) == invalid);
    CHECK(rest.count == 0);
    CHECK(acre_quadtree_visit_first(tree, &query, 0, take_items, &out, &rest) == invalid);
    CHECK(acre_quadtree_visit_piece(tree, &query, NULL, take_items, &out) == invalid);
    CHECK(acre_quadtree_visit_piece(tree, &query, &rest.pieces[0], NULL, &out) == invalid);
    acre_quadtree_destroy(tree);
    task_scheduler_destroy(scheduler);
}

// ---- neighbors ----

static const acre_neighbors_query around = {.count = 4200, .radius = 6};

static const acre_sphere *spheres_of_rows(void)
{
    static acre_sphere spheres[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        spheres[i] = (acre_sphere){{(float)(i % 100) * 5 - 250, 0, (float)(i / 100) * 4 - 240},
                                   i == 77 ? -1.0f : (float)(i % 7)};
    }
    return spheres;
}

static bool neighbors_are_the_same(const acre_neighbors_query *query, const acre_tasks *tasks,
                                   size_t capacity)
{
    static acre_neighbor_row rows[2][ITEMS];
    acre_neighbor_lists lists[2];
    bool is_good = true;
    for (int k = 0; k < 2 && is_good; k++) {
        memset(rows[k], 0, sizeof rows[k]);
        lists[k] = (acre_neighbor_lists){.rows = rows[k], .capacity = capacity};
        lists[k].items = calloc(capacity + 1, sizeof(uint32_t));
        is_good = lists[k].items && acre_quadtree_set_tasks(tree, k ? tasks : NULL) == ACRE_OK;
        ACRE_IGNORE(acre_quadtree_neighbors(tree, query, &lists[k]));
    }
    for (uint32_t i = 0; i < query->count && is_good; i++) {
        const acre_neighbor_row *const row = &rows[0][i], *const other = &rows[1][i];
        is_good =
            row->first == other->first && row->count == other->count && row->order == other->order;
        if (is_good && row->first + row->count <= capacity) {
            is_good = memcmp(lists[0].items + row->first, lists[1].items + row->first,
                             row->count * sizeof(uint32_t)) == 0;
        }
    }
    is_good = is_good && lists[0].total == lists[1].total && lists[0].total > 0 &&
              lists[1].items[capacity] == 0 && lists[0].refused.refused == lists[1].refused.refused;
    free(lists[0].items);
    free(lists[1].items);
    return is_good;
}

static bool all_neighbors_are_the_same(const acre_tasks *tasks, uint32_t number)
{
    const size_t rooms[] = {200000, 10000, 1000, 0};
    const acre_neighbors_query nearest = {
        .count = 4200, .radius = 20, .nearest = 4, .flags = ACRE_NEIGHBORS_ON_GROUND};
    const acre_neighbors_query places = {.count = 4200, .spheres = spheres_of_rows(), .layers = 1};
    return (number % 4 == 0 || neighbors_are_the_same(&around, tasks, rooms[number / 2 % 4])) &&
           (number % 15 != 0 || neighbors_are_the_same(&nearest, tasks, 40000)) &&
           (number % 4 != 0 || neighbors_are_the_same(&places, tasks, rooms[number / 2 % 4]));
}

static void neighbors_are_found_in_the_same_order(void)
{
    CHECK(create_tree(ACRE_KERNEL_DEFAULT, false));
    CHECK(task_scheduler_try_all(all_neighbors_are_the_same));
    acre_quadtree_destroy(tree);
}

// ---- calls side by side ----

enum { NEAR_ROOM = 200000 };

typedef struct neighbor_asker {
    acre_neighbor_row rows[ITEMS];
    uint32_t items[NEAR_ROOM];
    size_t total;
    uint32_t rounds, wrong;
} neighbor_asker;

static neighbor_asker alone;

static bool find_around(neighbor_asker *own)
{
    acre_neighbor_lists lists = {.rows = own->rows, .items = own->items, .capacity = NEAR_ROOM};
    const acre_result result = acre_quadtree_neighbors(tree, &around, &lists);
    own->total = lists.total;
    return result == ACRE_OK && lists.total > 0 && lists.total <= NEAR_ROOM;
}

static void *ask_again_and_again(void *user)
{
    neighbor_asker *const own = user;
    for (uint32_t i = 0; i < own->rounds; i++) {
        own->wrong += !find_around(own) || own->total != alone.total ||
                      memcmp(own->rows, alone.rows, sizeof own->rows) != 0 ||
                      memcmp(own->items, alone.items, own->total * sizeof(uint32_t)) != 0;
    }
    return NULL;
}

// In some orders finish runs the tasks of the other call.
static void two_threads_search_one_tree_at_a_time(void)
{
    static neighbor_asker askers[2];
    CHECK(create_tree(ACRE_KERNEL_DEFAULT, false) && find_around(&alone));
    for (int order = 0; order < TASK_ORDER_COUNT_; order++) {
        task_scheduler *const scheduler = task_scheduler_create(4, (task_order)order, test_seed);
        CHECK(scheduler);
        acre_tasks tasks = task_scheduler_tasks(scheduler);
        tasks.divides_small_calls = true;
        CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
        askers[0].rounds = askers[1].rounds = 3 * test_scale;
        askers[0].wrong = askers[1].wrong = 0;
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, ask_again_and_again, &askers[1]) == 0);
        ask_again_and_again(&askers[0]);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(askers[0].wrong == 0 && askers[1].wrong == 0);
        CHECK(task_scheduler_runs(scheduler) > 0);
        CHECK(acre_quadtree_set_tasks(tree, NULL) == ACRE_OK);
        task_scheduler_destroy(scheduler);
    }
    acre_quadtree_destroy(tree);
}

// ---- a thousand trees, all alive, on one pool ----

enum { TREES = 1000, CALLERS = 8, FEW = 100 };

static acre_quadtree *trees[TREES];

// The boxes of a tree's items at first and later.
static void make_boxes(uint32_t number, acre_aabb *first, acre_aabb *later)
{
    test_random random = {number + 1};
    for (uint32_t i = 0; i < FEW; i++) {
        first[i] = box_valid(&random, &world);
        later[i] = box_moved(&random, &world, &first[i]);
    }
}

static bool fill_tree(uint32_t number, const acre_tasks *tasks)
{
    const acre_quadtree_def def = {.half_size = 256, .node_capacity = 8};
    acre_aabb first[FEW], later[FEW];
    make_boxes(number, first, later);
    bool is_good = acre_quadtree_create(&def, &trees[number]) == ACRE_OK &&
                   acre_quadtree_set_tasks(trees[number], tasks) == ACRE_OK;
    for (uint32_t i = 0; i < FEW && is_good; i++) {
        is_good = acre_quadtree_insert(trees[number], i, &first[i]) == ACRE_OK;
    }
    return is_good;
}

static bool refresh_and_search(uint32_t number)
{
    const acre_aabb all = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    acre_aabb first[FEW], later[FEW];
    uint32_t found[FEW];
    size_t seen = 0;
    make_boxes(number, first, later);
    for (uint32_t i = 0; i < FEW; i++) {
        seen += acre_aabb_overlaps(&all, &later[i]);
    }
    return acre_quadtree_refresh_all(trees[number], later, FEW) == ACRE_OK &&
           acre_quadtree_query_aabb(trees[number], &all, found, FEW) == seen &&
           acre_quadtree_validate(trees[number], NULL, 0) == ACRE_OK;
}

typedef struct pool_user {
    uint32_t first, wrong;
} pool_user;

static void *use_trees(void *user)
{
    pool_user *const own = user;
    for (uint32_t i = own->first; i < TREES; i += CALLERS) {
        own->wrong += !refresh_and_search(i);
    }
    return NULL;
}

static void a_thousand_trees_use_one_pool(void)
{
    pthread_t threads[CALLERS];
    pool_user users[CALLERS];
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    for (uint32_t i = 0; i < TREES; i++) {
        CHECK(fill_tree(i, &tasks));
    }
    for (uint32_t i = 0; i < CALLERS; i++) {
        users[i] = (pool_user){i, 0};
        CHECK(pthread_create(&threads[i], NULL, use_trees, &users[i]) == 0);
    }
    for (uint32_t i = 0; i < CALLERS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(users[i].wrong == 0);
    }
    CHECK(task_scheduler_runs(scheduler) >= TREES);
    for (uint32_t i = 0; i < TREES; i++) {
        acre_quadtree_destroy(trees[i]);
    }
    task_scheduler_destroy(scheduler);
}

// ---- what is not divided ----

typedef struct intruder {
    uint32_t tasks, refused;
} intruder;

// A host that edits the tree while it is searched.
static void *edit_and_run(void *user, acre_task *task, void *context, const char *name)
{
    intruder *const own = user;
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}};
    (void)name;
    own->tasks++;
#if ACRE_CHECK >= 1
    own->refused += acre_quadtree_refresh(tree, 5, &box) == ACRE_ERROR_BUSY;
#else
    own->refused++;
    (void)box;
#endif
    task(context);
    return NULL;
}

static void finish_nothing(void *user, void *handle)
{
    (void)user, (void)handle;
}

static void an_edit_during_a_divided_search_is_refused(void)
{
    static neighbor_asker found;
    intruder own = {0, 0};
    const acre_tasks tasks = {.worker_count = 4,
                              .enqueue = edit_and_run,
                              .finish = finish_nothing,
                              .user = &own,
                              .divides_small_calls = true};
    CHECK(create_tree(ACRE_KERNEL_DEFAULT, false));
    CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
    const uint64_t before = acre_quadtree_state_hash(tree);
    CHECK(find_around(&found));
    CHECK(own.tasks > 0 && own.refused == own.tasks);
    CHECK(acre_quadtree_state_hash(tree) == before);
    acre_quadtree_destroy(tree);
}

static void ignore_call(void *context, const acre_quadtree_call *call)
{
    (void)context, (void)call;
}

static void plain_queries_and_those_of_recorded_trees_have_no_tasks(void)
{
    static acre_query_pieces rest;
    static visited_items out;
    static uint32_t items[ITEMS];
    size_t total = 0;
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_LATE, test_seed);
    CHECK(scheduler && create_tree(ACRE_KERNEL_DEFAULT, true));
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(acre_quadtree_set_tasks(tree, &tasks) == ACRE_OK);
    CHECK(acre_quadtree_query(tree, &cases[0], items, ITEMS, &total) == ACRE_OK && total == ITEMS);
    out = (visited_items){.most = UINT32_MAX};
    CHECK(acre_quadtree_visit_first(tree, &cases[0], 12000, take_items, &out, &rest) == ACRE_OK);
    CHECK(rest.count > 0 && out.count < ITEMS);
    CHECK(acre_quadtree_set_listener(tree, ignore_call, NULL) == ACRE_OK);
    out = (visited_items){.most = UINT32_MAX};
    CHECK(acre_quadtree_visit_first(tree, &cases[0], 12000, take_items, &out, &rest) == ACRE_OK);
    CHECK(rest.count == 0 && out.count == ITEMS);
    CHECK(task_scheduler_runs(scheduler) == 0);
    acre_quadtree_destroy(tree);
    task_scheduler_destroy(scheduler);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        TEST(pieces_have_the_groups_of_one_visit_in_order),
        TEST(a_visit_that_stops_or_may_not_be_divided_leaves_no_pieces),
        TEST(neighbors_are_found_in_the_same_order),
        TEST(two_threads_search_one_tree_at_a_time),
        TEST(a_thousand_trees_use_one_pool),
        TEST(an_edit_during_a_divided_search_is_refused),
        TEST(plain_queries_and_those_of_recorded_trees_have_no_tasks),
    };
    return test_run(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
