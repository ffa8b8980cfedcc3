// SPDX-License-Identifier: MIT
// culling_commit.c - applies what a commit changed: removals, insertions, labels, new boxes.
//
// Moved entities are nearly all of a busy frame's work, and nearly all of them are plain: in the
// tree, not empty. They are refreshed in batches, or, where most of
// the tree's items moved, by handing the scene's own array of boxes to the tree.
#include "culling_internal.h"

#include "prefetch_internal.h"
#include "tasks_internal.h"

#include <string.h>

// Boxes on the stack, 7 KiB. 100,000 items of which half move, ns per moved item: single calls 31,
// batches of 16 to 4096 26 to 28. Large trees fetch up to 32 items ahead within a batch, so the
// first ones of each batch wait: of 1,000,000 items batches of 64 take 5 to 10 % longer.
#define BATCH 256

// Where a mover needs more than a refresh, those before it are refreshed in whole parts. So the
// order of edits, which the order in cells depends on, does not depend on the size of a batch.
#define REFRESH_PART 64

// Slots of movers are fetched so many ahead where more than one of so many is not a neighbor of the
// one before, unless there are so few slots that caches hold them.
#define MOVED_AHEAD 16
#define FETCHED_DIVISOR 16
#define FETCHED_SLOTS_LEAST 16384

// Where more than one of so many items of the moving tree moved, refreshing all of them costs less
// than refreshing those that moved: 3 ns an item against 6 to 9 ns a moved item that is a neighbor
// of the one before, and 12 to 60 ns of one that is not.
#define MOST_DIVISOR 2
#define MOST_DIVISOR_SCATTERED 5

// Slots of the list that are looked at to find whether it is scattered.
#define SCATTER_SAMPLES 64

typedef struct refresh_batch {
    size_t count;
    uint32_t items[BATCH];
    acre_aabb boxes[BATCH];
} refresh_batch;

static void commit_destroyed(acre_culling *culling, const acre_scene_changes *changes)
{
    culling->visits += changes->destroyed_count;
    for (size_t i = 0; i < changes->destroyed_count; i++) {
        // A slot beyond the capacity was never noticed, for want of memory.
        if (changes->destroyed[i] < culling->slots.capacity) {
            acre_culling_release_slot(culling, changes->destroyed[i]);
        }
    }
}

// A registration that was made for another entity of the slot, destroyed before any commit, is
// void.
static void publish_slot(acre_culling *culling, const culling_table *table, uint32_t slot)
{
    const uint16_t generation = culling_published(table, slot).generation;
    culling_slot *const own = culling_slot_at(culling, slot);
    if (own->generation != generation) {
        acre_culling_release_slot(culling, slot);
    }
    if (generation != 0) {
        acre_culling_bind_slot(culling, (acre_entity){slot + 1, table->scene_number, generation});
        own->bits |= SLOT_PUBLISHED;
        acre_culling_register_if_all(culling, table, slot);
    }
}

// Brings slots to their places that may be new to the culler. @param slots NULL: all below count
// @param are_new none is in a tree yet: those that a load puts there are settled. It leaves alone
// what is in a tree, perhaps with an old box.
static void enter_slots(acre_culling *culling, const culling_table *table, const uint32_t *slots,
                        size_t count, bool are_new)
{
    for (uint32_t i = 0; i < count; i++) {
        publish_slot(culling, table, slots ? slots[i] : i);
    }
    if (are_new) {
        acre_culling_load(culling, table, slots, count, NULL, false);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = slots ? slots[i] : i;
        if (!are_new || !(culling_slot_at(culling, slot)->bits & CULLING_TREES)) {
            acre_culling_update_place(culling, table, slot);
        }
    }
}

void acre_culling_synchronize(acre_culling *culling)
{
    const size_t all = acre_culling_table(culling).slot_count;
    const bool fits = acre_culling_reserve_slots(culling, all);
    const culling_table table = acre_culling_table(culling);
    const size_t known = culling->slots.capacity, count = all < known ? all : known;
    culling->is_behind = false;
    culling->seen_commit = table.commit;
    culling->visits += count;
    culling_note_item(culling, fits ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY);
    enter_slots(culling, &table, NULL, count,
                culling->tree_counts[TREE_MOVING] + culling->tree_counts[TREE_STATIC] == 0);
}

// Refreshes the first items of a batch, and keeps the others.
static void refresh_batched(acre_culling *culling, refresh_batch *batch, size_t count)
{
    ACRE_INVARIANT(count <= batch->count && batch->count <= BATCH);
    culling_note(culling, acre_quadtree_refresh_many(culling->trees[TREE_MOVING], batch->items,
                                                     batch->boxes, count));
    batch->count -= count;
    memmove(batch->items, batch->items + count, batch->count * sizeof *batch->items);
    memmove(batch->boxes, batch->boxes + count, batch->count * sizeof *batch->boxes);
}

static void update_changed(acre_culling *culling, const culling_table *table, uint32_t slot)
{
    acre_culling_register_if_all(culling, table, slot);
    acre_culling_update_place(culling, table, slot);
}

static inline void fetch_slot(const culling_slot *slots, const culling_table *table, uint32_t slot)
{
    prefetch_line(&slots[slot]);
    prefetch_line(&table->boxes[slot].min[0]);
    prefetch_line(&table->boxes[slot].max[2]);
}

static void commit_few(acre_culling *culling, const culling_table *table,
                       const acre_scene_changes *changes, bool is_fetched)
{
    const culling_slot *const slots = culling->slots.data;
    ACRE_INVARIANT(table->slot_count <= culling->slots.capacity);
    refresh_batch batch;
    batch.count = 0;
    const size_t fetched = is_fetched ? changes->moved_count : 0;
    for (size_t i = 0; i < changes->moved_count; i++) {
        const uint32_t slot = changes->moved[i];
        if (i + MOVED_AHEAD < fetched) {
            fetch_slot(slots, table, changes->moved[i + MOVED_AHEAD]);
        }
        const acre_aabb *const box = &table->boxes[slot];
        if (!culling_is_plain(slots[slot]) || culling_box_is_empty(box)) {
            if (batch.count >= REFRESH_PART) {
                refresh_batched(culling, &batch, batch.count - batch.count % REFRESH_PART);
            }
            update_changed(culling, table, slot);
            continue;
        }
        ACRE_INVARIANT(batch.count < BATCH);
        batch.items[batch.count] = slot;
        batch.boxes[batch.count] = *box;
        if (++batch.count == BATCH) {
            refresh_batched(culling, &batch, BATCH);
        }
    }
    if (batch.count > 0) {
        refresh_batched(culling, &batch, batch.count);
    }
}

// Entities whose box is empty from now on leave their tree.
static void update_emptied(acre_culling *culling, const culling_table *table,
                           const acre_scene_changes *changes)
{
    for (size_t i = 0; i < changes->moved_count; i++) {
        const uint32_t slot = changes->moved[i];
        if (culling_box_is_empty(&table->boxes[slot])) {
            update_changed(culling, table, slot);
        }
    }
}

// Moved slots that a worker claims at a time; twice as many are the least of a share, some 20 us.
enum { CLAIMED_MOVED = 16384, FEW_MOVED = 64, MOVED_BLOCKS = (1 << 26) / CLAIMED_MOVED };

// Looks for moved entities that need more than a refresh.
typedef struct moved_search {
    block_claim claim; // a block is `claimed` slots of the list
    size_t claimed;
    const culling_slot *slots;
    const uint32_t *moved;
    size_t count;
    bool has_more[MOVED_BLOCKS]; // by block: there is such an entity
} moved_search;

static size_t moved_block_end(const moved_search *search, uint32_t block)
{
    const size_t end = ((size_t)block + 1) * search->claimed;
    return end < search->count ? end : search->count;
}

static void search_share(void *context, uint32_t share)
{
    (void)share;
    moved_search *const search = context;
    for (uint32_t block; claim_block(&search->claim, &block);) {
        const size_t end = moved_block_end(search, block);
        bool has_more = false;
        for (size_t i = (size_t)block * search->claimed; i < end; i++) {
            has_more |= !culling_is_plain(search->slots[search->moved[i]]);
        }
        search->has_more[block] = has_more;
    }
}

// Settles the moved entities that need more than a refresh.
static void settle_moved(acre_culling *culling, const culling_table *table,
                         const acre_scene_changes *changes)
{
    moved_search search; // 4 KiB: not worth clearing
    const bool is_small = changes->moved_count <= (size_t)FEW_MOVED * MOVED_BLOCKS;
    search.claimed =
        block_size_for(&culling->tasks, CLAIMED_MOVED, is_small ? FEW_MOVED : CLAIMED_MOVED);
    search.claim.count = (uint32_t)((changes->moved_count + search.claimed - 1) / search.claimed);
    search.claim.next = 0;
    search.slots = culling->slots.data;
    search.moved = changes->moved;
    search.count = changes->moved_count;
    ACRE_INVARIANT(search.claim.count <= MOVED_BLOCKS);
    const uint32_t shares =
        share_count_for(&culling->tasks, changes->moved_count, 2 * CLAIMED_MOVED);
    acre_run_shares(&culling->tasks, "acre commit moved", shares, search_share, &search);
    for (uint32_t block = 0; block < search.claim.count; block++) {
        const size_t end = search.has_more[block] ? moved_block_end(&search, block) : 0;
        for (size_t i = (size_t)block * search.claimed; i < end; i++) {
            const uint32_t slot = changes->moved[i];
            const culling_slot own = *culling_slot_at(culling, slot);
            if (!culling_is_plain(own) && !(culling->is_shifted && culling_is_plain_shifted(own))) {
                update_changed(culling, table, slot);
            }
        }
    }
}

// The tree refuses empty boxes, which are rare: looking for them only then saves a pass over all
// boxes, 2 ns per entity.
static void refresh_tree(acre_culling *culling, const culling_table *table,
                         const acre_scene_changes *changes, int tree)
{
    acre_quadtree *const all = culling->trees[tree];
    if (acre_quadtree_refresh_all(all, table->boxes, table->slot_count) != ACRE_OK) {
        update_emptied(culling, table, changes);
        culling_note(culling, acre_quadtree_refresh_all(all, table->boxes, table->slot_count));
    }
}

static void commit_most(acre_culling *culling, const culling_table *table,
                        const acre_scene_changes *changes)
{
    ACRE_INVARIANT(table->slot_count <= culling->slots.capacity);
    settle_moved(culling, table, changes);
    if (culling->has_new_boxes) {
        return;
    }
    refresh_tree(culling, table, changes, TREE_MOVING);
    if (culling->is_shifted && culling->trees[TREE_STATIC]) {
        refresh_tree(culling, table, changes, TREE_STATIC);
    }
}

// Of SCATTER_SAMPLES moved slots, how many are not neighbors of the ones before them in the list.
static size_t count_apart(const acre_scene_changes *changes)
{
    size_t apart = 0;
    if (changes->moved_count < 2 * SCATTER_SAMPLES) {
        return 0;
    }
    for (size_t k = 0; k < SCATTER_SAMPLES; k++) {
        const size_t i = (changes->moved_count - 1) * k / SCATTER_SAMPLES;
        apart += changes->moved[i + 1] - changes->moved[i] != 1;
    }
    return apart;
}

static bool refreshes_all(const acre_culling *culling, const acre_scene_changes *changes,
                          bool is_scattered)
{
    const size_t divisor = is_scattered ? MOST_DIVISOR_SCATTERED : MOST_DIVISOR;
    return changes->moved_count > culling->tree_counts[TREE_MOVING] / divisor;
}

static void commit_changes(acre_culling *culling, const culling_table *table,
                           const acre_scene_changes *changes)
{
    culling->visits += changes->created_count + changes->relabeled_count + changes->moved_count;
    enter_slots(culling, table, changes->created, changes->created_count, true);
    for (size_t i = 0; i < changes->moved_hidden_count; i++) { // some have bounds now
        acre_culling_register_if_all(culling, table, changes->moved_hidden[i]);
    }
    for (size_t i = 0; i < changes->relabeled_count; i++) {
        update_changed(culling, table, changes->relabeled[i]);
    }
    const size_t apart = count_apart(changes);
    const bool is_fetched =
        apart > SCATTER_SAMPLES / FETCHED_DIVISOR && table->slot_count >= FETCHED_SLOTS_LEAST;
    if (culling->is_shifted || refreshes_all(culling, changes, apart > SCATTER_SAMPLES / 2)) {
        commit_most(culling, table, changes);
    } else {
        commit_few(culling, table, changes, is_fetched);
    }
}

static bool has_changes(const acre_scene_changes *changes)
{
    return changes->destroyed_count + changes->created_count + changes->moved_count +
               changes->relabeled_count >
           0;
}

acre_result acre_culling_commit(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes)
{
    acre_culling *const culling = user;
    const acre_result busy = culling_begin_edit(culling, true);
    if (busy != ACRE_OK) {
        return busy; // seen_commit stays behind: the next commit synchronizes
    }
    const acre_scene_view view = acre_scene_get_view(scene);
    culling->revision += has_changes(changes);
    commit_destroyed(culling, changes);
    culling->is_behind |= culling->seen_commit + 1 != view.commit ||
                          !acre_culling_reserve_slots(culling, view.slot_count);
    if (culling->is_behind) {
        culling->revision++;
        acre_culling_synchronize(culling);
    } else {
        culling->seen_commit = view.commit;
        const culling_table table = acre_culling_table(culling);
        commit_changes(culling, &table, changes);
    }
    culling->is_shifted = culling->has_new_boxes = false;
    acre_culling_maintain(culling);
    culling_check_edit(culling);
    return culling_end_edit(culling, ACRE_OK);
}
