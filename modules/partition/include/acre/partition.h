// SPDX-License-Identifier: MIT
// partition.h - one world over many parts: who owns an item, and what each part tells the others.
//
// Experimental: it may change in any minor version.
//
// A part is a process, or one of several in a process. It owns the items whose centers stand on its
// ground and knows copies of the items of others that are near its ground. All of them stand in a
// quadtree of the part, so that every query of the tree works there. Acre makes the messages and
// reads them; the program carries the bytes.
//
// Words used here:
//     number    what names an item in the whole world: 64 bits, the program's
//     slot      the number of an item within a part, and its item in the part's tree
//     cell      a square of the ground; cells stand along Morton's curve
//     cut       the first cell of each part: a part's ground is a run of cells
//     ghost     a copy of an item that another part owns, and that is near this part's ground
//     giant     an item that reaches farther from its center than ghost_range, or that is wider
//               than a cell: all parts know it
//     image     a ghost that is moved by the size of a periodic ground
//
// Near. A part knows every item that comes within ghost_range of its ground. So its tree holds
// whatever touches an item that the part owns, and whatever is within ghost_range of a point on its
// ground. Giants are the exception: what touches a giant is known to the owners of the other items.
//
// Owners. A cell belongs to the ground with its lower edges; centers beyond the ground belong
// to the outermost cells. Which part owns an item depends on its box and on the cut alone.
//
// Typical use, once a tick, on each part:
//     const acre_partition_slots slots = acre_partition_get_slots(part);
//     ... write slots.boxes of the items that the part owns
//     acre_partition_begin(part);                            // makes the messages
//     ... send acre_partition_message(part, to) to each part, take what comes from each:
//     acre_partition_take(part, from, bytes, size);
//     acre_partition_apply(part);                            // the tree is up to date
//     acre_partition_pairs(part, NULL, pairs, capacity, &total);
// acre_partition_exchange carries the messages between parts of one process.
//
// Threading: a part has the rules of a tree: const calls may run on many threads at a time, others
// need the part for themselves. Different parts are independent.
#ifndef ACRE_PARTITION_H
#define ACRE_PARTITION_H

#include <acre/quadtree_pairs.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_partition acre_partition;

/// The caller's side of a slot. Both sorts of bytes have sizes of their own in the def. All
/// functions may be NULL: then there are no bytes.
typedef struct acre_partition_data {
    size_t migrant_bytes; ///< what goes with an item to its new owner, at most 65536
    size_t ghost_bytes;   ///< what goes with a ghost, each tick, at most 65536
    /// Makes room for the slots below `slots`. @return false: no memory.
    bool (*reserve)(void *user, size_t slots);
    /// Writes migrant_bytes or ghost_bytes of a slot.
    void (*pack)(void *user, uint32_t slot, bool is_migrant, unsigned char *bytes);
    /// Reads what pack wrote on another part.
    void (*unpack)(void *user, uint32_t slot, bool is_migrant, const unsigned char *bytes);
    void *user; ///< passed to the functions
} acre_partition_data;

/// Zero in a field means its default. All parts of a world need the same def, but for `part`, data
/// functions and allocator.
typedef struct acre_partition_def {
    uint32_t part_count; ///< 1 to 65536
    uint32_t part;       ///< this part, below part_count
    float center[2];     ///< x, z of the middle of the ground; finite
    float half_size;     ///< half the side of the ground, 2^-20 to 2^40; 0 = 1024
    uint32_t levels;     ///< the ground has 2^levels cells a side, 1 to 12; 0 = 7
    bool is_periodic;    ///< what leaves the ground on one side comes back on the other
    float ghost_range;   ///< above 0, at most half_size; of a periodic ground half_size / 4. A few
                         ///< cells: work at borders grows with its square
    acre_partition_data data;
    /// How the part's tree is made. Where its half_size is 0, it gets the ground's center and
    /// half_size. Its item_capacity is not read.
    acre_quadtree_def tree;
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
} acre_partition_def;

/// Makes a part without items. The first cut gives each part as many cells, within one.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and a number out of its range;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_create(const acre_partition_def *def,
                                                        acre_partition **out);

/// Frees everything. NULL is allowed.
ACRE_EXPERIMENTAL_API void acre_partition_destroy(acre_partition *part);

// Items. These calls are refused with ACRE_ERROR_BUSY between begin and apply.

/// Adds an item that this part owns until the next exchange, wherever it stands: the exchange sends
/// it home. Its number must be no other item's in the whole world.
/// @param slot receives its slot.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, an invalid box and, on a periodic ground,
/// one that is not finite or has its center farther from the ground than the ground is wide;
/// ACRE_ERROR_EXISTS for a number that this part has; ACRE_ERROR_CAPACITY at 2^26 slots;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_add(acre_partition *part, uint64_t number,
                                                     const acre_aabb *box, uint32_t *slot);

/// Removes an item that this part owns. Its ghosts leave with the next exchange. This part may add
/// its number again at once, other parts after that exchange; no other item gets its slot before.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND for a slot that this
/// part does not own; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_remove(acre_partition *part, uint32_t slot);

typedef enum acre_slot_kind {
    ACRE_SLOT_FREE = 0, ///< no item
    ACRE_SLOT_OWN,      ///< the part owns the item
    ACRE_SLOT_GHOST     ///< another part owns it, or it is an image
} acre_slot_kind;

/// All slots of a part, valid until the next call that is not const.
typedef struct acre_partition_slots {
    size_t count;            ///< slots are below it
    const uint64_t *numbers; ///< of the items, by slot
    const uint8_t *kinds;    ///< acre_slot_kind, by slot
    const uint8_t *images;   ///< 0: the item stands where it is; else it is an image
    acre_aabb *boxes;        ///< by slot; the caller writes those of items that the part owns, and
                             ///< the next exchange looks at all of them
} acre_partition_slots;

/// @return the slots; none for NULL.
ACRE_EXPERIMENTAL_API acre_partition_slots acre_partition_get_slots(const acre_partition *part);

/// Finds the slot of a number.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_find(const acre_partition *part, uint64_t number,
                                                      uint32_t *slot);

/// @return the tree of all that the part owns and of ghosts, as of the last apply. Only the part
/// edits it. NULL for NULL.
ACRE_EXPERIMENTAL_API const acre_quadtree *acre_partition_tree(const acre_partition *part);

// An exchange.

/// Looks at the boxes of all items that the part owns, and makes a message for each part. An
/// invalid box is refused: that item keeps the box of the last exchange, and one that was added
/// since then goes to the lower corner of the ground. Apply says so, and the changes name it.
/// Takes time for each item, and more for those at borders.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY: no exchange has
/// begun, but invalid boxes may be replaced already; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_begin(acre_partition *part);

/// A message to a part, valid until apply or the next round.
typedef struct acre_partition_bytes {
    const unsigned char *bytes;
    size_t size;      ///< 0: there is nothing to send
    bool is_neighbor; ///< the two grounds are so near that each of the two parts sends the other
                      ///< one a message in each exchange; messages to other parts are rare
} acre_partition_bytes;

/// @return the message to a part, this one included: a part may have images of its own items.
/// Within the rounds of partition_questions.h the message of the round.
ACRE_EXPERIMENTAL_API acre_partition_bytes acre_partition_message(const acre_partition *part,
                                                                  uint32_t to);

/// Reads a message. Messages may come in any order. The message is checked as a whole before
/// anything changes.
/// @return ACRE_OK; ACRE_ERROR_FORMAT for a message that is broken, of another tick, of parts with
/// other counts, levels or sizes of bytes, or that gives away an item that this part owns;
/// ACRE_ERROR_EXISTS if the part's message was taken before; ACRE_ERROR_INVALID_ARGUMENT for NULL;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY outside of an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_take(acre_partition *part, uint32_t from,
                                                      const void *bytes, size_t size);

/// Ends the exchange: forgets the ghosts that nobody sent, and brings the tree up to date.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, and for an invalid box that begin
/// refused; ACRE_ERROR_OUT_OF_MEMORY: call it again; ACRE_ERROR_BUSY outside of an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_apply(acre_partition *part);

/// Runs a whole exchange between all parts of a world in this process; parts[i] is part i. Answers
/// the questions of partition_questions.h, too; what goes wrong with them stands in the answers.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT if these are not all parts in order, and nothing
/// has changed, or for an invalid box; ACRE_ERROR_OUT_OF_MEMORY: the next call goes on with this
/// exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_exchange(acre_partition *const *parts,
                                                          uint32_t count);

/// An item of a list: its number, and its slot in this part.
typedef struct acre_partition_item {
    uint64_t number;
    uint32_t slot;
    uint32_t part; ///< in departed the new owner; in all other lists this part
} acre_partition_item;

/// What came to the part and what left it in the last exchange. Valid until the next call that is
/// not const.
typedef struct acre_partition_changes {
    const acre_partition_item *arrived;  ///< the part owns them now
    const acre_partition_item *departed; ///< another part owns them now; the slot may hold a ghost
    const acre_partition_item *entered;  ///< new ghosts
    const acre_partition_item *left;     ///< ghosts that are gone; their slots are free
    size_t arrived_count, departed_count, entered_count, left_count;
    const acre_partition_item *refused; ///< items whose new box is invalid; they keep the old one
    size_t refused_count;
} acre_partition_changes;

/// @return the lists of the last exchange; empty for NULL.
ACRE_EXPERIMENTAL_API acre_partition_changes acre_partition_get_changes(const acre_partition *part);

// The cut. A recut has two steps, each of which needs a number of every part: all parts measure and
// tell each other their loads; then each proposes the cells that it can see, and all tell each
// other the largest proposal for each part.

/// Adds up the load of each cell of the part's ground.
/// @param weights by slot; NULL: 1 for each item.
/// @param load receives the part's load.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_measure(acre_partition *part,
                                                         const uint32_t *weights, uint64_t *load);

/// How a cut changes. Zero in a field means its default.
typedef struct acre_recut_def {
    uint32_t tolerance;  ///< no recut while no load is above the mean by more than this many
                         ///< hundredths; 0 = 10; 1 stands for none
    uint32_t most_moved; ///< a border passes over at most this many hundredths of the mean load;
                         ///< 0 = 25. The last cell may add its load
} acre_recut_def;

/// Proposes the first cells of parts, as far as they lie on this part's ground: all borders move
/// toward equal loads, each by no more than def->most_moved.
/// @param loads of all parts, as they measured them.
/// @param firsts receives part_count numbers; 0 where another part proposes.
/// @param is_needed receives whether a load is out of tolerance: the same on all parts.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, and if the part did not measure since the
/// last cut, or measured another load.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_propose(const acre_partition *part,
                                                         const uint64_t *loads,
                                                         const acre_recut_def *def,
                                                         uint32_t *firsts, bool *is_needed);

/// Sets the first cell of each part: the largest proposal for each. The next exchange moves the
/// items.
/// @param firsts part_count numbers up to the number of cells; firsts[0] is 0. A number below the
/// one before counts as that one.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and for other numbers; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_set_cut(acre_partition *part,
                                                         const uint32_t *firsts);

/// @return the first cells of all parts, and the number of cells behind them; NULL for NULL.
ACRE_EXPERIMENTAL_API const uint32_t *acre_partition_get_cut(const acre_partition *part);

/// A whole recut between all parts of a world in this process, of items that weigh the same.
/// @param is_cut receives whether a load was out of tolerance, so that a cut was set; it may be the
/// same one. May be NULL.
/// @return ACRE_OK, or the first error.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_recut(acre_partition *const *parts, uint32_t count,
                                                       const acre_recut_def *def, bool *is_cut);

// Questions.

/// Two items of the world, a < b.
typedef struct acre_number_pair {
    uint64_t a;
    uint64_t b;
} acre_number_pair;

/// Finds the pairs that this part answers for, sorted by a, then b; the pairs of all parts are
/// those of the world, each once. A pair of an ordinary item and a giant belongs to the owner of
/// the ordinary one, any other pair to the owner of its smaller number.
/// @param rules NULL: zero. Items have no layers here.
/// @param total receives how many pairs there are, even if capacity is smaller, of which then the
/// first ones are written; may be NULL.
/// @return as acre_quadtree_pairs; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_pairs(acre_partition *part,
                                                       const acre_pairs_rules *rules,
                                                       acre_number_pair *pairs, size_t capacity,
                                                       size_t *total);

typedef struct acre_partition_stats {
    size_t own;         ///< items that the part owns
    size_t ghosts;      ///< images included
    size_t giants;      ///< of those that it owns
    size_t border;      ///< copies of own items that the last exchange sent
    size_t bytes_sent;  ///< by the last exchange, to other parts
    size_t messages;    ///< with something in them, to other parts
    size_t cells;       ///< of its ground
    size_t questions;   ///< that wait for the next exchange (partition_questions.h)
    size_t bytes;       ///< memory, without that of the tree
    uint64_t exchanges; ///< since create
} acre_partition_stats;

/// Writes zeros for NULL.
ACRE_EXPERIMENTAL_API void acre_partition_get_stats(const acre_partition *part,
                                                    acre_partition_stats *out);

/// Checks every numbered invariant of partition_internal.h. O(slots).
/// @param message receives the broken rule; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if a rule is broken; ACRE_ERROR_INVALID_ARGUMENT for NULL;
/// ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_validate(const acre_partition *part, char *message,
                                                          size_t size);

ACRE_EXTERN_C_END

#endif
