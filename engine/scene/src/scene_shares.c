// SPDX-License-Identifier: MIT
// scene_shares.c - a commit's dirty rows on the scene's workers: decided, computed and listed.
//
// Rows are divided into blocks. A worker decides the rows of a block in ascending order. Whether a
// row is computed follows from its own bits and from its parent, which stands before it. A parent
// in the same block is decided already. A parent in another block may not be: then the row waits
// for the next round, which decides every row whose parent was decided in an earlier round. So a
// round depends on the rounds before it, and not on the order of workers. Families mostly stand
// together, so few rows wait. After some rounds the caller decides the rest alone, in ascending
// order.
//
// When all rows are decided, each block knows how many rows it lists, and so where its lists begin.
// If every row is dirty and none is new or a hole, the row's number is its place in the list, as
// long as no row is hidden. Workers then list a block right before they compute it, and all rows
// are listed once more if one turns out to be hidden.
//
// A thread writes the heads, matrices and boxes of the rows that it decides, and the words of the
// sets of its own blocks. Other threads read those words, for bits that no longer change, so words
// are accessed by atomics.
#include "scene_commit_internal.h"

#include "atomic_internal.h"
#include "tasks_internal.h"

#include <string.h>

enum {
    BLOCK_WORDS = 16, // some 8 us of work
    BLOCK_ROWS = BLOCK_WORDS * 64,
    SHARE_ROWS = 5120,  // the least dirty rows of a share
    WAITING_LEAST = 512 // the least waiting rows of a share in a later round
};
_Static_assert(BLOCK_WORDS < 64 && 64 % BLOCK_WORDS == 0,
               "the summary bits of a block stand in one word");

// A scene with fewer rows is committed by one thread.
#define SHARED_LEAST (2 * SHARE_ROWS)

// Workers look at every row. That is too much where fewer than one row in this many is dirty.
#define DIRTY_DIVISOR 32

// The most rounds on workers. The caller decides the rows that still wait after them.
#define ROUNDS_MOST 16

typedef struct shares_call {
    block_claim claim; // of blocks
    acre_scene *scene;
    scene_arrays arrays;
    uint32_t round;
    bool is_last;     // one share decides all that is left
    bool all_dirty;   // no row is marked by its parent
    bool lists_early; // all rows are dirty, none is new or a hole
    bool has_toggled; // the set toggled has rows
    bool has_boxed;   // the set boxed has rows
} shares_call;

static uint32_t block_count_for(size_t rows)
{
    return (uint32_t)((rows + BLOCK_ROWS - 1) / BLOCK_ROWS);
}

static bool may_be_shared(const acre_scene *scene, size_t rows)
{
    return scene->tasks.worker_count > 1 &&
           (rows >= SHARED_LEAST || scene->tasks.divides_small_calls);
}

bool acre_commit_reserve_shares(acre_scene *scene, size_t rows)
{
    if (!may_be_shared(scene, rows)) {
        return true;
    }
    if (block_count_for(rows) <= scene->share_blocks.capacity) {
        return true;
    }
    const uint32_t blocks = block_count_for(rows + rows / 16);
    return COLUMN_RESERVE(&scene->allocator, scene->share_words, (size_t)blocks * BLOCK_WORDS) &&
           COLUMN_RESERVE(&scene->allocator, scene->share_blocks, blocks);
}

// ---- words that other threads read ----

static inline uint64_t read_word(const uint64_t *word)
{
    return atomic_read_long_relaxed(word);
}

// Only the thread that has the block writes the word, so that nothing is lost in between.
static inline void change_bit(uint64_t *word, uint32_t row, bool value)
{
    const uint64_t bit = (uint64_t)1 << (row & 63), before = read_word(word);
    atomic_write_long_relaxed(word, value ? before | bit : before & ~bit);
}

static inline bool has_bit(const uint64_t *words, uint32_t row)
{
    return read_word(&words[row >> 6]) >> (row & 63) & 1;
}

// ---- deciding ----

// Whether a row's parent is decided, as every order of workers answers it.
static inline bool parent_is_decided(const shares_call *call, uint32_t row, uint32_t parent)
{
    const share_word *const word = COLUMN_AT(call->scene->share_words, parent >> 6);
    const bool is_near = parent / BLOCK_ROWS == row / BLOCK_ROWS;
    if (!is_near && call->round == 0) {
        return false;
    }
    const uint64_t waiting = is_near || call->is_last ? word->waiting & ~word->done : word->waiting;
    return !(waiting >> (parent & 63) & 1);
}

// The state of a decided parent, as far as its children need it.
typedef struct parent_state {
    uint32_t bits;  // of the parent's head; 0 without a parent
    bool reaches;   // the parent changed in a way that may change its children
    bool has_moved; // false: the parent was only shown or hidden
} parent_state;

static inline parent_state read_parent(const shares_call *call, uint32_t parent)
{
    const acre_scene *const scene = call->scene;
    if (parent == NONE) {
        return (parent_state){0, false, false};
    }
    const uint64_t *const stays = &COLUMN_AT(scene->share_words, parent >> 6)->stays;
    const bool reaches =
        has_bit(scene->dirty.words.data, parent) && !(read_word(stays) >> (parent & 63) & 1);
    return (parent_state){head_bits(call->arrays.heads[parent]), reaches,
                          !call->has_toggled || !has_bit(scene->toggled.words.data, parent)};
}

// As mark_toggled_children: a row below a changed parent has moved if the parent has, or if the row
// was edited itself. Otherwise it is toggled.
static void decide_toggled(const shares_call *call, uint32_t row, bool is_edited,
                           const parent_state *parent, share_block *block)
{
    const acre_scene *const scene = call->scene;
    uint64_t *const word = &scene->toggled.words.data[row >> 6];
    const bool was_toggled = has_bit(scene->toggled.words.data, row);
    const bool parent_moved = parent->reaches && parent->has_moved;
    const bool is_toggled = is_edited ? was_toggled && !parent_moved : !parent_moved;
    if (is_toggled != was_toggled) {
        change_bit(word, row, is_toggled);
        block->has_toggled = true;
    }
}

static void change_hidden_in_share(acre_scene *scene, uint32_t row, bool hidden, share_block *block)
{
    row_bits_change(scene, row, ROW_HIDDEN, hidden ? ROW_HIDDEN : 0);
    change_bit(&scene->labeled.words.data[row >> 6], row, true);
    block->has_relabeled = true;
}

static inline bool is_boxed(const shares_call *call, uint32_t row)
{
    return call->has_boxed && row_set_has(&call->scene->boxed, row);
}

// A row that is not computed gets the world box that was set.
static void decide_boxed(const shares_call *call, uint32_t row, row_head head, share_block *block)
{
    const bool hidden = (head_bits(head) & ROW_HIDDEN) != 0;
    if (!hidden) {
        scene_publish_box(call->scene, row, head);
    }
    block->moved += !hidden;
    block->moved_hidden += hidden;
    block->is_unusual |= hidden;
}

// Does what visit_row does, but lists nothing: lists follow later. @return false if the row waits.
static bool decide_row(const shares_call *call, uint32_t row, pending_rows *pending,
                       share_block *block)
{
    acre_scene *const scene = call->scene;
    const row_head head = call->arrays.heads[row];
    const uint32_t bits = head_bits(head), parent = head_parent(head);
    if (parent != NONE && !parent_is_decided(call, row, parent)) {
        return false;
    }
    const parent_state above = read_parent(call, parent);
    const bool is_dirty = has_bit(scene->dirty.words.data, row), has_box = is_boxed(call, row);
    if (!is_dirty && !above.reaches) {
        if (has_box) {
            decide_boxed(call, row, head, block);
        }
        return true;
    }
    ACRE_INVARIANT(head_slot(head) != NONE && (parent == NONE || parent < row));
    if (call->has_toggled) {
        decide_toggled(call, row, is_dirty || has_box, &above, block);
    }
    if (!is_dirty) {
        change_bit(&scene->dirty.words.data[row >> 6], row, true);
    }
    const bool was_hidden = (bits & ROW_HIDDEN) != 0;
    const bool hidden = (bits & ROW_OWN_HIDDEN) || (above.bits & ROW_HIDDEN);
    if (hidden != was_hidden) {
        change_hidden_in_share(scene, row, hidden, block);
    }
    if ((bits & ROW_CREATED) || !hidden) {
        pending_add(scene, row, head, above.bits, pending);
        block->created += (bits & ROW_CREATED) != 0;
        block->is_unusual |= (bits & ROW_CREATED) != 0;
        block->moved += !(bits & ROW_CREATED);
        return true;
    }
    const bool is_toggled = call->has_toggled && has_bit(scene->toggled.words.data, row);
    block->moved_hidden += !is_toggled;
    block->is_unusual = true;
    if (was_hidden) {
        change_bit(&COLUMN_AT(scene->share_words, row >> 6)->stays, row, true);
    }
    return true;
}

// The rows of a word that were edited or that a parent may have changed.
static uint64_t candidates_of(const shares_call *call, uint32_t word, uint64_t dirty)
{
    if (call->all_dirty) {
        return dirty;
    }
    dirty |= call->has_boxed ? *COLUMN_AT(call->scene->boxed.words, word) : 0;
    const row_head *const heads = call->arrays.heads + (size_t)word * 64;
    const uint32_t rest = call->scene->row_count - word * 64, rows = rest < 64 ? rest : 64;
    for (uint32_t i = 0; i < rows; i++) {
        dirty |= (uint64_t)head_has_parent(heads[i]) << i;
    }
    return dirty;
}

static bool is_computed_whole(const acre_scene *scene, uint32_t word, uint64_t dirty)
{
    return count_bits(dirty) >= PLAIN_DIRTY && acre_word_is_plain(scene, word);
}

// The first round of a word. @return the rows that wait.
static uint64_t begin_word(const shares_call *call, uint32_t word, bool is_block_end,
                           pending_rows *pending, share_block *block)
{
    acre_scene *const scene = call->scene;
    share_word *const state = COLUMN_AT(scene->share_words, word);
    const uint64_t *const words = scene->dirty.words.data;
    const uint64_t dirty = read_word(&words[word]);
    *state = (share_word){0, 0, 0};
    if (is_computed_whole(scene, word, dirty)) {
        const bool next_follows = !is_block_end && word + 1 < scene->row_count / 64 &&
                                  count_bits(read_word(&words[word + 1])) >= PLAIN_DIRTY;
        scene->kernel->compute_word(&call->arrays, word * 64, next_follows);
        block->moved += count_bits(dirty);
        return 0;
    }
    for (uint64_t left = candidates_of(call, word, dirty); left; left &= left - 1) {
        const uint32_t bit = lowest_bit(left);
        if (!decide_row(call, word * 64 + bit, pending, block)) {
            state->waiting |= (uint64_t)1 << bit;
        }
    }
    return state->waiting;
}

// A later round of a word.
static void continue_word(const shares_call *call, uint32_t word, pending_rows *pending,
                          share_block *block)
{
    share_word *const state = COLUMN_AT(call->scene->share_words, word);
    for (uint64_t left = state->waiting; left; left &= left - 1) {
        const uint32_t bit = lowest_bit(left);
        if (decide_row(call, word * 64 + bit, pending, block)) {
            state->done |= (uint64_t)1 << bit;
        }
    }
}

static uint32_t block_end(const acre_scene *scene, uint32_t number)
{
    const uint32_t words = (scene->row_count + 63) / 64, end = (number + 1) * BLOCK_WORDS;
    return end < words ? end : words;
}

// Lists all rows of a block at the places of their numbers.
static void list_early(const shares_call *call, uint32_t begin, uint32_t end)
{
    uint32_t *const list = call->scene->list_computed.data;
    const uint64_t *const dirty = call->scene->dirty.words.data;
    for (uint32_t word = begin; call->lists_early && word < end; word++) {
        acre_word_list(&call->arrays, word, read_word(&dirty[word]), list + (size_t)word * 64);
    }
}

static void decide_share(void *context, uint32_t share)
{
    (void)share;
    shares_call *const call = context;
    acre_scene *const scene = call->scene;
    pending_rows pending = {
        .arrays = call->arrays, .last_parent = NONE, .all_dirty = call->all_dirty};
    for (uint32_t number; claim_block(&call->claim, &number);) {
        share_block block = {0}; // written back once, as neighbors share its cache line
        const uint32_t end = block_end(scene, number);
        if (call->round == 0) {
            list_early(call, number * BLOCK_WORDS, end);
        } else {
            block = *COLUMN_AT(scene->share_blocks, number);
        }
        for (uint32_t word = number * BLOCK_WORDS; word < end; word++) {
            if (call->round == 0) {
                block.waiting +=
                    count_bits(begin_word(call, word, word + 1 == end, &pending, &block));
            } else if (block.waiting > 0) {
                continue_word(call, word, &pending, &block);
            }
        }
        *COLUMN_AT(scene->share_blocks, number) = block;
    }
    acre_pending_compute(scene, &pending);
}

// Removes the rows that this round decided from those that wait. @return how many still wait.
static uint32_t end_round(const shares_call *call)
{
    uint32_t sum = 0;
    for (uint32_t number = 0; number < call->claim.count; number++) {
        share_block *const block = COLUMN_AT(call->scene->share_blocks, number);
        const uint32_t end = block->waiting > 0 ? block_end(call->scene, number) : 0;
        block->waiting = 0;
        for (uint32_t word = number * BLOCK_WORDS; word < end; word++) {
            share_word *const state = COLUMN_AT(call->scene->share_words, word);
            state->waiting &= ~state->done;
            state->done = 0;
            block->waiting += count_bits(state->waiting);
        }
        sum += block->waiting;
    }
    return sum;
}

// Round by round until no row waits.
static void decide_rows(shares_call *call, uint32_t shares)
{
    const acre_tasks *const tasks = &call->scene->tasks;
    uint32_t waiting = 0;
    do {
        call->claim.next = 0;
        call->is_last = call->round == ROUNDS_MOST;
        if (call->round > 0) {
            shares = call->is_last ? 1 : share_count_for(tasks, waiting, WAITING_LEAST);
        }
        acre_run_shares(tasks, "acre commit", shares, decide_share, call);
        waiting = end_round(call);
        call->round++;
        ACRE_INVARIANT(!call->is_last || waiting == 0);
    } while (waiting > 0);
}

// ---- listing ----

// Turns each block's numbers of listed rows into the places where its lists begin. @return whether
// a listed row is new or hidden.
static bool place_lists(acre_scene *scene, uint32_t block_count, change_counts *counts)
{
    bool is_unusual = false;
    for (uint32_t number = 0; number < block_count; number++) {
        share_block *const block = COLUMN_AT(scene->share_blocks, number);
        const share_block listed = *block;
        block->created = (uint32_t)counts->created;
        block->moved = (uint32_t)(scene->created_count + counts->moved);
        block->moved_hidden = (uint32_t)(scene->list_computed.capacity - counts->moved_hidden);
        counts->created += listed.created;
        counts->moved += listed.moved;
        counts->moved_hidden += listed.moved_hidden;
        uint64_t *const labeled = scene->labeled.summary.data;
        uint64_t *const toggled = scene->toggled.summary.data;
        const uint64_t words = (((uint64_t)1 << BLOCK_WORDS) - 1) << (number * BLOCK_WORDS & 63);
        labeled[number * BLOCK_WORDS >> 6] |= listed.has_relabeled ? words : 0;
        toggled[number * BLOCK_WORDS >> 6] |= listed.has_toggled ? words : 0;
        scene->labeled.is_used |= listed.has_relabeled;
        is_unusual |= listed.is_unusual;
        ACRE_INVARIANT(!listed.has_toggled || scene->toggled.is_used);
    }
    ACRE_INVARIANT(scene->created_count + counts->moved + counts->moved_hidden <=
                   scene->list_computed.capacity);
    return is_unusual;
}

// Lists the rows of a word of which some are new or hidden.
static void list_unusual_word(const shares_call *call, uint32_t word, uint64_t rows,
                              share_block *block)
{
    uint32_t *const list = call->scene->list_computed.data;
    const bool has_toggled = call->has_toggled;
    for (uint64_t left = rows; left; left &= left - 1) {
        const uint32_t row = word * 64 + lowest_bit(left);
        const row_head head = call->arrays.heads[row];
        const uint32_t slot = (uint32_t)head & HEAD_NO_SLOT, bits = head_bits(head);
        if (bits & ROW_CREATED) {
            list[block->created++] = slot;
        } else if (!(bits & ROW_HIDDEN)) {
            list[block->moved++] = slot;
        } else if (!has_toggled || !row_set_has(&call->scene->toggled, row)) {
            list[--block->moved_hidden] = slot;
        }
    }
}

static void list_share(void *context, uint32_t share)
{
    (void)share;
    shares_call *const call = context;
    acre_scene *const scene = call->scene;
    uint64_t *const dirty = scene->dirty.words.data;
    for (uint32_t number; claim_block(&call->claim, &number);) {
        share_block block = *COLUMN_AT(scene->share_blocks, number); // a copy, not written back
        const uint32_t end = block_end(scene, number);
        for (uint32_t word = number * BLOCK_WORDS; word < end; word++) {
            const uint64_t rows =
                dirty[word] | (call->has_boxed ? *COLUMN_AT(scene->boxed.words, word) : 0);
            dirty[word] = 0;
            if (rows && !block.is_unusual) {
                acre_word_list(&call->arrays, word, rows,
                               COLUMN_AT(scene->list_computed, block.moved));
                block.moved += count_bits(rows);
            } else if (rows) {
                list_unusual_word(call, word, rows, &block);
            }
        }
    }
}

// Lists the rows unless they are listed already, and clears the words of dirty rows.
static void list_rows(shares_call *call, uint32_t shares, bool is_listed)
{
    acre_scene *const scene = call->scene;
    if (is_listed) {
        memset(scene->dirty.words.data, 0, (size_t)(scene->row_count + 63) / 64 * sizeof(uint64_t));
        return;
    }
    call->claim.next = 0;
    acre_run_shares(&scene->tasks, "acre commit lists", shares, list_share, call);
}

static void clear_summary(row_set *set)
{
    memset(set->summary.data, 0, set->summary.capacity * sizeof(uint64_t));
    set->is_used = false;
}

// The words of dirty rows are cleared where they are listed.
static void clear_edits(acre_scene *scene)
{
    clear_summary(&scene->dirty);
    if (scene->boxed.is_used) {
        memset(scene->boxed.words.data, 0, scene->boxed.words.capacity * sizeof(uint64_t));
        clear_summary(&scene->boxed);
    }
}

bool acre_commit_in_shares(acre_scene *scene, change_counts *counts)
{
    const uint32_t blocks = block_count_for(scene->row_count);
    if (!may_be_shared(scene, scene->row_count)) {
        return false;
    }
    const size_t dirty = row_set_count(&scene->dirty);
    const size_t edited = dirty + row_set_count(&scene->boxed);
    const uint32_t shares = share_count_for(&scene->tasks, edited, SHARE_ROWS);
    if (shares < 2 ||
        (edited < scene->row_count / DIRTY_DIVISOR && !scene->tasks.divides_small_calls)) {
        return false;
    }
    ACRE_INVARIANT(blocks <= scene->share_blocks.capacity); // acre_commit_reserve_shares made room
    ACRE_INVARIANT((size_t)blocks * BLOCK_WORDS <= scene->share_words.capacity);
    shares_call call = {.claim.count = blocks,
                        .scene = scene,
                        .arrays = scene_arrays_of(scene),
                        .all_dirty = dirty + scene->hole_count == scene->row_count,
                        .lists_early = dirty == scene->row_count && scene->created_count == 0,
                        .has_toggled = scene->toggled.is_used,
                        .has_boxed = scene->boxed.is_used};
    decide_rows(&call, shares);
    const bool is_unusual = place_lists(scene, blocks, counts);
    ACRE_INVARIANT(!call.lists_early || is_unusual || counts->moved == scene->row_count);
    list_rows(&call, shares, call.lists_early && !is_unusual);
    clear_edits(scene);
    return true;
}
