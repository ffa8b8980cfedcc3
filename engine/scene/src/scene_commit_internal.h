// SPDX-License-Identifier: MIT
// scene_commit_internal.h - what a commit on one thread and a commit in shares have in common.
//
// A word is 64 rows in the order of transforms. It is plain if all its rows are old, shown roots
// without children, each with a transform and a finite box. A plain word depends on no other word,
// and no other word depends on it.
//
// If at least PLAIN_DIRTY rows of a plain word are dirty, the whole word is computed. A row of a
// run costs 5 to 10 ns; a row by itself costs 60 ns, because its cache lines serve no other row. A
// row that is not dirty gets the bits that it had, and is not listed.
#ifndef ACRE_SCENE_COMMIT_INTERNAL_H
#define ACRE_SCENE_COMMIT_INTERNAL_H

#include "scene_kernel_internal.h"

#include "prefetch_internal.h"

enum { PLAIN_DIRTY = 10 };

// From this many rows on (6 MiB of matrices) whole words are stored past the caches: a line that is
// stored whole need not be read first. A commit of a million rows takes 7.7 ms instead of 10.7.
enum { STREAMED_ROWS = 1 << 17 };

typedef struct change_counts {
    size_t destroyed, created, moved, relabeled, moved_hidden;
} change_counts;

static inline scene_arrays scene_arrays_of(const acre_scene *scene)
{
    return (scene_arrays){scene->heads.data,       scene->locals.data,
                          scene->matrices.data,    scene->worlds.data,
                          scene->world_boxes.data, scene->row_count >= STREAMED_ROWS};
}

/// Gives a row the world box that was set: it holds whatever the world matrix is.
static inline void scene_publish_box(const acre_scene *scene, uint32_t row, row_head head)
{
    ACRE_INVARIANT((head_bits(head) & (ROW_BOX_MASK | ROW_CREATED)) == ROW_BOX_WORLD);
    *COLUMN_AT(scene->world_boxes, head_slot(head)) = COLUMN_AT(scene->locals, row)->box;
}

// scene_plain.c

/// Whether a word of 64 rows is plain.
bool acre_word_is_plain(const acre_scene *scene, uint32_t word);

/// Writes the slots of a word's rows, in order: of those whose bit is set in `rows`.
void acre_word_list(const scene_arrays *arrays, uint32_t word, uint64_t rows, uint32_t *slots);

// scene_shares.c

/// Makes room for the scratch of a commit in shares that visits so many rows. A commit that cannot
/// be divided needs none.
bool acre_commit_reserve_shares(acre_scene *scene, size_t rows);

/// Computes the dirty rows and lists them, on the scene's workers. The lists equal those of a
/// commit on one thread.
/// @return false, and nothing is done: there are no workers, or too little work.
bool acre_commit_in_shares(acre_scene *scene, change_counts *counts);

// scene_families.c

/// Visiting a parent reads its head, then its links, then the links and slots of its children. Each
/// read waits for the one before, so after the first parent these lines are fetched ahead: links
/// for the next words, heads for the words behind them. Children were most likely created right
/// after their parent, and lie beside it in memory. If a tenth of many chains of four moves, a
/// commit takes 99 ns a mover instead of 150. FAMILIES_FETCHED_LEAST rows take 3 MiB: fewer stay in
/// a cache.
enum { LINKS_AHEAD = 4, HEADS_AHEAD = 8, FAMILIES_FETCHED_LEAST = 16384 };
typedef struct family_fetch {
    uint32_t word[HEADS_AHEAD]; ///< dirty words that come next
    uint32_t word_count;
    uint32_t link_count; ///< of them, the first ones, whose links are fetched
    uint32_t next_row;   ///< where the search for dirty words goes on; NONE: there are no more
} family_fetch;

/// Fetches for the words that come next, before a word is visited. @param fetch zero at the start
void acre_families_fetch(const acre_scene *scene, uint32_t word, family_fetch *fetch);

// scene_pending.c

/// Rows that wait to be computed, in ascending order. Room for 64, 128, 192 and 256 rows costs the
/// same within 3 %.
enum { PENDING = 256 };
typedef struct pending_rows {
    scene_arrays arrays;
    uint32_t count;
    uint32_t deepest;      ///< largest depth
    bool has_special;      ///< some have children or no finite local box
    bool all_dirty;        ///< every row was dirty: no children need to be marked
    bool fetches_families; ///< some row marked its children, and there are many rows
    uint32_t last_parent;  ///< the parent that was looked up last
    uint32_t last_depth;   ///< the depth below it
    uint32_t row[PENDING];
    uint8_t depth[PENDING]; ///< how many ancestors are pending
} pending_rows;

_Static_assert(PENDING <= 256, "a depth is a byte");

/// Computes all rows that wait.
void acre_pending_compute(acre_scene *scene, pending_rows *pending);

/// @return the index of a row that waits.
uint32_t acre_pending_position(const pending_rows *pending, uint32_t row);

/// Prefetches what the kernel will read and write of a row. A matrix may span two cache lines, so
/// both of its ends are fetched. It pays for rows that follow each other, too: in chains of four a
/// million rows took 28 ns each without it, 11 with it.
static inline void pending_fetch(const scene_arrays *arrays, uint32_t row, uint32_t slot)
{
    prefetch_line(&arrays->locals[row]);
    prefetch_line(&arrays->worlds[row].m[0]);
    prefetch_line(&arrays->worlds[row].m[11]);
    prefetch_line(&arrays->world_boxes[slot]);
}

/// Adds a row behind those that wait. Where there is no room, it computes them first.
/// @param parent_bits those of its parent's row, 0 without a parent
static inline void pending_add(acre_scene *scene, uint32_t row, row_head head, uint32_t parent_bits,
                               pending_rows *pending)
{
    uint32_t depth = 0;
    if (pending->count == PENDING) {
        acre_pending_compute(scene, pending);
    } else if (parent_bits & ROW_PENDING) {
        const uint32_t parent = head_parent(head);
        if (parent != pending->last_parent) {
            pending->last_parent = parent;
            pending->last_depth = pending->depth[acre_pending_position(pending, parent)] + 1u;
        }
        depth = pending->last_depth;
        pending->deepest = depth > pending->deepest ? depth : pending->deepest;
    }
    ACRE_INVARIANT(pending->count < PENDING && depth < PENDING);
    ACRE_INVARIANT(pending->count == 0 || pending->row[pending->count - 1] < row);
    pending_fetch(&pending->arrays, row, head_slot(head));
    pending->row[pending->count] = row;
    pending->depth[pending->count++] = (uint8_t)depth;
    const uint32_t bits = head_bits(head);
    pending->has_special |= (bits & (ROW_BOX_MASK | ROW_HAS_CHILDREN)) != ROW_BOX_FINITE;
    if (bits & ROW_HAS_CHILDREN) {
        row_bits_change(scene, row, 0, ROW_PENDING);
    }
}

#endif
