// SPDX-License-Identifier: MIT
// culling_trees.c - the moving and the static tree: when the second is made, when it is kept up.
//
// The moving tree is maintained by every commit. The static tree would pay that for nothing: what
// its edits loosened is tightened once there were enough of them, so that the work is a constant
// per edit, and none where nothing static changed.
#include "culling_internal.h"

#include "quadtree_calls_shared.h"
#include "quadtree_items_shared.h"
#include "tasks_internal.h"

// Upkeep of the static tree begins when this part of its items was edited. Fewer loose boxes cannot
// be felt in a query; more often would cost more per edit.
#define UPKEEP_DIVISOR 128

// Commits that an upkeep lasts: each acre_quadtree_maintain looks at a part of the tree.
#define UPKEEP_COMMITS 64

// A commit that edits this part of the static tree has loaded or changed a scene: all of it is
// packed at once. Fewer edits than the least number are only tightened, without memory: such a tree
// is in the caches, however it lies.
#define PACK_DIVISOR 4
#define PACK_LEAST 1024

static void adopt_tree(acre_culling *culling, int tree, acre_quadtree *made)
{
    ACRE_INVARIANT(!culling->trees[tree]);
    culling->trees[tree] = made;
    ACRE_INVARIANT_OK(acre_quadtree_set_tasks(made, &culling->tasks)); // the culler checked them
    if (culling->tree_hook) {
        culling->tree_hook(culling->tree_hook_context, made, tree == TREE_STATIC);
    }
}

acre_result acre_culling_need_tree(acre_culling *culling, int tree)
{
    if (culling->trees[tree]) {
        return ACRE_OK;
    }
    acre_quadtree *made;
    const acre_result result = acre_quadtree_create(&culling->tree_def, &made);
    if (result == ACRE_OK) {
        adopt_tree(culling, tree, made);
    }
    return result;
}

acre_result acre_culling_reserve_item(acre_culling *culling, int tree, uint32_t slot,
                                      uint32_t layers)
{
    acre_quadtree *made = culling->trees[tree];
    acre_result result = made ? ACRE_OK : acre_quadtree_create(&culling->tree_def, &made);
    if (result == ACRE_OK) {
        result = acre_quadtree_reserve_item(made, slot, layers);
    }
    if (result != ACRE_OK && !culling->trees[tree]) {
        acre_quadtree_destroy(made);
    } else if (!culling->trees[tree]) {
        adopt_tree(culling, tree, made);
    }
    return result;
}

acre_result acre_culling_set_tree_hook(acre_culling *culling, acre_culling_tree_hook hook,
                                       void *context)
{
    if (!culling) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    culling->tree_hook = hook;
    culling->tree_hook_context = context;
    for (int i = 0; i < TREE_COUNT; i++) {
        if (hook && culling->trees[i]) {
            hook(context, culling->trees[i], i == TREE_STATIC);
        }
    }
    access_end_write(&culling->access);
    return ACRE_OK;
}

// Recorders must be called from one thread at a time.
bool acre_culling_has_listener(const acre_culling *culling)
{
    bool has = false;
    for (int i = 0; i < TREE_COUNT; i++) {
        has |= culling->trees[i] && acre_quadtree_has_listener(culling->trees[i]);
    }
    return has;
}

acre_result acre_culling_set_tasks(acre_culling *culling, const acre_tasks *tasks)
{
    acre_result result = culling_begin_edit(culling, acre_tasks_are_valid(tasks));
    if (result == ACRE_OK) {
        for (int i = 0; i < TREE_COUNT && result == ACRE_OK; i++) {
            if (culling->trees[i]) {
                result = acre_quadtree_set_tasks(culling->trees[i], tasks);
            }
        }
        if (result == ACRE_OK) {
            culling->tasks = tasks ? *tasks : (acre_tasks){.worker_count = 1};
        }
        result = culling_end_edit(culling, result);
    }
    return ACRE_ANSWER(result, "o?W", culling, tasks);
}

// Cells that are too wide need a build, however few edits there were.
static bool has_wide_cells(const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    return stats.has_wide_cells;
}

static acre_result pack_tree(acre_quadtree *tree, uint32_t edits)
{
    if ((edits >= PACK_LEAST || has_wide_cells(tree)) && acre_quadtree_optimize(tree) == ACRE_OK) {
        return ACRE_OK;
    }
    return acre_quadtree_tighten(tree);
}

static acre_result maintain_static(acre_culling *culling)
{
    const uint32_t now = culling->static_edits_now;
    const uint32_t count = culling->tree_counts[TREE_STATIC];
    culling->static_edits_now = 0;
    culling->static_edits += now;
    if (now > count / PACK_DIVISOR) {
        culling->static_edits = 0;
        culling->static_upkeep = UPKEEP_COMMITS; // for what only maintain does: the root shrinks
        return pack_tree(culling->trees[TREE_STATIC], now);
    }
    if (culling->static_edits > count / UPKEEP_DIVISOR) {
        culling->static_edits = 0;
        culling->static_upkeep = UPKEEP_COMMITS;
    }
    if (culling->static_upkeep == 0) {
        return ACRE_OK;
    }
    culling->static_upkeep--;
    return acre_quadtree_maintain(culling->trees[TREE_STATIC]);
}

void acre_culling_maintain(acre_culling *culling)
{
    culling_note(culling, acre_quadtree_maintain(culling->trees[TREE_MOVING]));
    if (culling->trees[TREE_STATIC]) {
        culling_note(culling, maintain_static(culling));
    }
}

acre_result acre_culling_optimize(acre_culling *culling)
{
    acre_result result = culling_begin_edit(culling, true);
    if (result == ACRE_OK) {
        for (int i = 0; i < TREE_COUNT; i++) {
            if (culling->trees[i]) {
                culling_note(culling, acre_quadtree_optimize(culling->trees[i]));
            }
        }
        result = culling_end_edit(culling, ACRE_OK);
    }
    return ACRE_ANSWER(result, "o", culling);
}
