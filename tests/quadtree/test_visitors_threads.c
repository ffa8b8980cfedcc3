// SPDX-License-Identifier: MIT
// test_visitors_threads.c - visitors of one tree on two threads: each thread knows what it visits,
// and visits write nothing into the tree.
#include "test.h"
#include "tree_helpers.h"

#include <acre/quadtree_inspect.h>

#include "quadtree_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300, THREADS = 2 };

static const acre_query all_items = {.shape = ACRE_QUERY_SHAPE_ALL};

static acre_quadtree *filled_tree(const acre_allocator *allocator)
{
    const acre_quadtree_def def = {.half_size = 64, .node_capacity = 4, .allocator = allocator};
    acre_quadtree *tree = NULL;
    bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK;
    test_random random = {test_seed};
    for (uint32_t item = 0; is_good && item < ITEMS; item++) {
        const float x = random_float(&random, -60, 60), z = random_float(&random, -60, 60);
        const acre_aabb box = box_at(x, z, 1);
        is_good = acre_quadtree_insert(tree, item, &box) == ACRE_OK;
    }
    return is_good ? tree : NULL;
}

static acre_result edit(acre_quadtree *tree)
{
    return acre_quadtree_set_layers(tree, 3, 7);
}

// ---- two threads in visitors at the same time ----

// Threads wait here for each other, any number of times.
typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t arrived;
} meeting;

static void meet(meeting *at)
{
    pthread_mutex_lock(&at->lock);
    const uint32_t all = (at->arrived++ / THREADS + 1) * THREADS;
    pthread_cond_broadcast(&at->changed);
    while (at->arrived < all) {
        pthread_cond_wait(&at->changed, &at->lock);
    }
    pthread_mutex_unlock(&at->lock);
}

typedef struct visiting_thread {
    meeting *at;
    acre_quadtree *shared, *own;
    acre_result of_shared, of_own, after;
} visiting_thread;

static bool edit_while_both_visit(void *user, const acre_item_group *group)
{
    visiting_thread *const by = user;
    (void)group;
    meet(by->at);
    by->of_shared = edit(by->shared);
    by->of_own = edit(by->own);
    meet(by->at);
    return false;
}

static void *visit_shared(void *user)
{
    visiting_thread *const by = user;
    by->after = acre_quadtree_query_visit_groups(by->shared, &all_items, edit_while_both_visit, by);
    if (by->after == ACRE_OK) {
        by->after = edit(by->own); // nothing is left of the visit
    }
    return NULL;
}

static void threads_in_visitors_of_one_tree_may_not_edit_it_but_others(void)
{
    meeting at = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    acre_quadtree *const shared = filled_tree(NULL);
    visiting_thread by[THREADS];
    pthread_t threads[THREADS];
    CHECK(shared != NULL);
    const uint64_t before = acre_quadtree_state_hash(shared);
    for (int i = 0; i < THREADS; i++) {
        by[i] = (visiting_thread){.at = &at, .shared = shared, .own = filled_tree(NULL)};
        CHECK(by[i].own && pthread_create(&threads[i], NULL, visit_shared, &by[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(by[i].of_shared == ACRE_ERROR_BUSY);
        CHECK(by[i].of_own == ACRE_OK && by[i].after == ACRE_OK);
        acre_quadtree_destroy(by[i].own);
    }
    CHECK(acre_quadtree_state_hash(shared) == before && is_valid(shared));
    CHECK(edit(shared) == ACRE_OK);
    acre_quadtree_destroy(shared);
}

// ---- an edit from another thread ----

static bool wait_in_visitor(void *user, const acre_item_group *group)
{
    visiting_thread *const by = user;
    (void)group;
    meet(by->at);
    meet(by->at);
    return false;
}

static void *wait_in_visit(void *user)
{
    visiting_thread *const by = user;
    by->after = acre_quadtree_query_visit_groups(by->shared, &all_items, wait_in_visitor, by);
    return NULL;
}

static void a_visit_on_another_thread_is_found_in_builds_with_checks_alone(void)
{
    meeting at = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    visiting_thread by = {.at = &at, .shared = filled_tree(NULL), .own = filled_tree(NULL)};
    pthread_t thread;
    CHECK(by.shared && by.own && pthread_create(&thread, NULL, wait_in_visit, &by) == 0);
    meet(&at);
    if (ACRE_CHECK >= 1) { // else it is the caller's fault, and the tree would be edited
        CHECK(edit(by.shared) == ACRE_ERROR_BUSY);
    }
    CHECK(edit(by.own) == ACRE_OK);
    meet(&at);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(by.after == ACRE_OK && edit(by.shared) == ACRE_OK);
    acre_quadtree_destroy(by.shared);
    acre_quadtree_destroy(by.own);
}

// ---- visits within visits ----

typedef struct nested_visit {
    acre_quadtree *outer, *inner;
    uint32_t depth;
    uint32_t wrong;
} nested_visit;

static bool visit_deeper(void *user, const acre_item_group *group)
{
    nested_visit *const by = user;
    (void)group;
    by->depth++;
    const bool is_in_both = by->depth > 1;
    by->wrong += edit(by->outer) != ACRE_ERROR_BUSY;
    by->wrong += edit(by->inner) != (is_in_both ? ACRE_ERROR_BUSY : ACRE_OK);
    if (by->depth < 3) { // outer, inner, and outer once more
        acre_quadtree *const next = by->depth == 1 ? by->inner : by->outer;
        by->wrong +=
            acre_quadtree_query_visit_groups(next, &all_items, visit_deeper, by) != ACRE_OK;
        by->depth--;
        by->wrong += edit(by->outer) != ACRE_ERROR_BUSY;
        by->wrong += edit(by->inner) != (is_in_both ? ACRE_ERROR_BUSY : ACRE_OK);
    }
    return false;
}

static void a_visit_within_a_visit_ends_its_own_refusals_alone(void)
{
    nested_visit by = {.outer = filled_tree(NULL), .inner = filled_tree(NULL)};
    CHECK(by.outer && by.inner);
    CHECK(acre_quadtree_query_visit_groups(by.outer, &all_items, visit_deeper, &by) == ACRE_OK);
    CHECK(by.depth == 1 && by.wrong == 0);
    CHECK(edit(by.outer) == ACRE_OK && edit(by.inner) == ACRE_OK);
    acre_quadtree_destroy(by.outer);
    acre_quadtree_destroy(by.inner);
}

// ---- what threads would share ----

// The memory of one tree.
typedef struct tree_blocks {
    acre_quadtree *tree;
    void *blocks[16];
    size_t sizes[16];
    uint64_t hash; // before the visit
    uint32_t visits, wrong;
} tree_blocks;

static void *resize_noted(void *user, void *block, size_t old_size, size_t new_size,
                          size_t alignment)
{
    tree_blocks *const all = user;
    void *const resized = acre_resize(NULL, block, old_size, new_size, alignment);
    for (uint32_t i = 0; (resized || new_size == 0) && i < 16; i++) {
        if (all->blocks[i] == block) { // NULL: the first free entry
            all->blocks[i] = resized;
            all->sizes[i] = new_size;
            break;
        }
    }
    return resized;
}

// Builds with checks count the readers of a tree in its first field.
static uint64_t memory_hash(const tree_blocks *all)
{
    const size_t counted = ACRE_CHECK >= 1 ? sizeof all->tree->access : 0;
    uint64_t hash = 1;
    for (uint32_t i = 0; i < 16; i++) {
        const unsigned char *const bytes = all->blocks[i];
        const void *const tree = all->tree;
        for (size_t k = bytes == tree ? counted : 0; bytes && k < all->sizes[i]; k++) {
            hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}
static_assert(offsetof(struct acre_quadtree, access) == 0, "the first field");

static bool look_at_memory(tree_blocks *all)
{
    all->visits++;
    all->wrong += memory_hash(all) != all->hash;
    return false;
}

static bool look_from_items(void *user, const uint32_t *items, size_t count)
{
    (void)items, (void)count;
    return look_at_memory(user);
}

static bool look_from_group(void *user, const acre_item_group *group)
{
    (void)group;
    return look_at_memory(user);
}

static bool look_from_step(void *user, const acre_trace_step *step)
{
    (void)step;
    return look_at_memory(user);
}

static bool look_from_cell(void *user, const acre_quadtree_place *place)
{
    (void)place;
    return look_at_memory(user);
}

static bool look_from_text(void *user, const char *text, size_t length)
{
    (void)text, (void)length;
    return look_at_memory(user);
}

static void look_from_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)box, (void)rgba;
    look_at_memory(user);
}

static void no_call_of_a_visitor_finds_the_tree_written_to(void)
{
    static tree_blocks all;
    const acre_allocator allocator = {resize_noted, &all};
    const acre_aabb everywhere = {{-64, 0, -64}, {64, 9, 64}};
    acre_quadtree *const tree = filled_tree(&allocator);
    CHECK(tree != NULL);
    const acre_debug_draw draw = {
        .user = &all, .flags = ACRE_DEBUG_STORED_BOUNDS, .box = look_from_box};
    all.tree = tree;
    all.hash = memory_hash(&all);
    CHECK(acre_quadtree_query_visit(tree, &all_items, look_from_items, &all) == ACRE_OK);
    CHECK(acre_quadtree_query_visit_groups(tree, &all_items, look_from_group, &all) == ACRE_OK);
    CHECK(acre_quadtree_trace(tree, &all_items, look_from_step, &all) == ACRE_OK);
    CHECK(acre_quadtree_visit_cells(tree, &everywhere, ACRE_CELL_BOUNDS_STORED, look_from_cell,
                                    &all) == ACRE_OK);
    CHECK(all.visits == 4);
    acre_quadtree_debug_draw(tree, &draw);
    CHECK(acre_quadtree_dump(tree, 1, look_from_text, &all) ==
          ACRE_ERROR_IO); // the writer stops it
    CHECK(all.visits > 5 && all.wrong == 0);
    CHECK(memory_hash(&all) == all.hash);
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        TEST(threads_in_visitors_of_one_tree_may_not_edit_it_but_others),
        TEST(a_visit_on_another_thread_is_found_in_builds_with_checks_alone),
        TEST(a_visit_within_a_visit_ends_its_own_refusals_alone),
        TEST(no_call_of_a_visitor_finds_the_tree_written_to),
    };
    return test_run(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
