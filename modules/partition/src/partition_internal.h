// SPDX-License-Identifier: MIT
// partition_internal.h - the inside of a part: its slots, its ground, and an exchange that runs.
//
// Invariants, as acre_partition_validate numbers them:
//   1  every used slot is found by its number and image, and nothing else is found
//   2  free slots and resting ones form two chains that hold all that are not used
//   3  the tree holds exactly the used slots; a ghost has the box that stands in boxes
//   4  `own` and `ghosts` count the slots of their kinds; an own slot is no image
//   5  the cut ascends from 0 to the number of cells
#ifndef ACRE_PARTITION_INTERNAL_H
#define ACRE_PARTITION_INTERNAL_H

#include <acre/partition_questions.h>

#include "object_internal.h"
#include "partition_ground.h"
#include "partition_volume.h"

#define SLOT_NONE UINT32_MAX
enum { SLOTS_MOST = 1u << 26 };

/// A message that grows.
typedef struct partition_message {
    COLUMN_OF(unsigned char) bytes;
    size_t size;
} partition_message;

typedef struct partition_list {
    COLUMN_OF(acre_partition_item) items;
    size_t count;
} partition_list;

/// What goes with a migrant beside the caller's bytes: an observer with its list, as
/// partition_interest.h keeps it. The functions belong to the interest of the part.
typedef struct partition_rider {
    void *user; ///< NULL: no rider
    size_t (*size)(void *user, uint32_t slot);
    void (*pack)(void *user, uint32_t slot, unsigned char *bytes);
    bool (*check)(void *user, const unsigned char *bytes, size_t size);
    /// The caller removes the item in a slot; the slot still holds it.
    void (*end)(void *user, uint32_t slot);
    /// Takes over what arrived, after the tree was brought up to date. If it fails, the next apply
    /// calls it again.
    acre_result (*arrive)(void *user);
} partition_rider;

/// Where the bytes of a rider that arrived stand in `riders`.
typedef struct rider_place {
    size_t first, size;
} rider_place;

typedef enum partition_phase {
    PHASE_REST,
    PHASE_EXCHANGE,
    PHASE_QUESTIONS,
    PHASE_ANSWERS
} partition_phase;

/// A question that was asked.
typedef struct partition_question {
    partition_volume volume;
    uint32_t nearest; ///< 0: all
} partition_question;

/// The answer to a question: found[first .. first + count - 1].
typedef struct partition_answer {
    acre_result result;
    uint32_t nearest, asked;
    size_t first, count;
} partition_answer;

typedef struct found_entry {
    uint32_t question;
    acre_found found;
} found_entry;

/// The questions and answers between this part and another one.
typedef struct asked_part {
    partition_message question, answer; ///< to the other part
    uint32_t asked;                     ///< questions in the message
    bool has_asked, has_answered;       ///< the message of the other part was taken
} asked_part;

/// The rounds of questions.
typedef struct partition_rounds {
    COLUMN_OF(partition_question) questions; ///< that wait
    uint32_t question_count;
    COLUMN_OF(partition_answer) answers; ///< of the last ones
    uint32_t answer_count;
    COLUMN_OF(found_entry) entries; ///< while answers come
    size_t entry_count;
    COLUMN_OF(acre_found) found;
    COLUMN_OF(asked_part) parts;
    COLUMN_OF(uint8_t) marks;        ///< by part: it is asked
    COLUMN_OF(acre_query_hit) hits;  ///< scratch
    COLUMN_OF(uint32_t) items;       ///< scratch
    COLUMN_OF(acre_found) own_found; ///< what the own tree has for one question
    size_t own_count;
} partition_rounds;

struct acre_partition {
    acre_allocator allocator;
    acre_partition_data data;
    partition_ground ground;
    uint32_t part, part_count;
    partition_phase phase;
    bool has_loads;   ///< measured since the last cut
    bool is_refusing; ///< begin refused a box
    bool has_failed;  ///< the last begin had no memory
    uint64_t load;
    uint64_t ticks; ///< exchanges that were begun
    acre_quadtree *tree;
    COLUMN_OF(uint32_t) cut;      ///< part_count + 1
    COLUMN_OF(uint64_t) loads;    ///< of the own cells
    COLUMN_OF(uint8_t) neighbors; ///< by part
    // By slot.
    COLUMN_OF(acre_aabb) boxes;
    COLUMN_OF(uint64_t) numbers;
    COLUMN_OF(uint64_t) stamps; ///< of a ghost: the last exchange that sent it
    COLUMN_OF(uint32_t) next_free;
    COLUMN_OF(uint8_t) kinds;
    COLUMN_OF(uint8_t) images;
    COLUMN_OF(uint8_t) is_giant; ///< what its owner found: the box of an image is rounded
    size_t slots, own, ghosts, giants;
    uint32_t free_slot;
    uint32_t resting_slot;     ///< the first of a chain of slots that the next exchange frees
    COLUMN_OF(uint32_t) table; ///< slots by number and image; SLOT_NONE: empty; a power of two
    size_t table_used;
    // Of an exchange.
    COLUMN_OF(partition_message) messages; ///< by part
    COLUMN_OF(uint64_t) sent;              ///< by part and image: the look whose item was sent last
    uint64_t looks;                        ///< how often begin has looked at an item
    COLUMN_OF(uint8_t) taken;              ///< by part: its message of this exchange was taken
    COLUMN_OF(uint32_t) fresh;             ///< slots that are not in the tree yet
    COLUMN_OF(acre_aabb) fresh_boxes;
    size_t fresh_count;
    partition_list arrived, departed, entered, left, refused;
    partition_rider rider;
    COLUMN_OF(rider_place) rider_places; ///< of each that arrived
    COLUMN_OF(unsigned char) riders;
    size_t rider_bytes;
    size_t border;
    COLUMN_OF(acre_pair) pairs; ///< scratch
    COLUMN_OF(acre_number_pair) number_pairs;
    COLUMN_OF(unsigned char) packed; ///< scratch: what pack writes of one item
    bool has_new_cut;                ///< the cut was set since the last exchange
    partition_rounds rounds;
};

// The functions of each file, from the bottom up: a file calls only files that stand above it here.

// partition_memory.c

/// All memory of a part, without that of its tree.
size_t acre_partition_memory(const acre_partition *part);
void acre_partition_free(acre_partition *part);

// partition_slots.c

/// @return the slot of a number and image, or SLOT_NONE.
uint32_t acre_partition_slot_of(const acre_partition *part, uint64_t number, uint8_t image);

/// Makes room for so many more slots, the caller's bytes included.
acre_result acre_partition_reserve_slots(acre_partition *part, size_t more);

/// Takes a slot, for which there is room.
uint32_t acre_partition_take_slot(acre_partition *part, uint64_t number, uint8_t image,
                                  acre_slot_kind kind, const acre_aabb *box);

/// Frees a slot; at once, or if it rests, after the next exchange. Does not look at the tree.
void acre_partition_free_slot(acre_partition *part, uint32_t slot, bool rests);

/// After an exchange: frees the slots that rested.
void acre_partition_free_resting(acre_partition *part);

// partition_cut.c

/// Finds the neighbors of the own ground.
void acre_partition_find_neighbors(acre_partition *part);

/// The part that owns a cell.
uint32_t acre_partition_owner(const acre_partition *part, uint32_t cell);

static inline bool partition_owns(const acre_partition *part, uint32_t cell)
{
    const uint32_t *const cut = part->cut.data + part->part;
    return cell >= cut[0] && cell < cut[1];
}

// partition_message.c

enum { TAG_GHOST = 1, TAG_MIGRANT };

/// Empties all messages. @return false: no memory.
bool acre_partition_open_messages(acre_partition *part);
bool acre_partition_write_item(acre_partition *part, uint32_t to, uint32_t slot, uint8_t image,
                               bool is_migrant);

/// Writes the number of the exchange into all messages.
void acre_partition_stamp_messages(acre_partition *part);

// partition_route.c

/// Marks the parts that may own an ordinary item that a question finds; of a question for the
/// nearest items, one that is at most `most` away.
void acre_partition_route(const acre_partition *part, const partition_question *question,
                          float most, uint8_t *marks);

/// The number of places at which a volume stands on this ground, and the volume at one of them.
int acre_partition_places(const acre_partition *part);
partition_volume acre_partition_at_place(const acre_partition *part, const partition_volume *volume,
                                         int place);

// partition_find.c

/// @return ACRE_OK, or ACRE_ERROR_INVALID_ARGUMENT if the tree would refuse the query at a place.
acre_result acre_partition_check_question(const acre_partition *part,
                                          const partition_question *question);

/// Lists in rounds.own_found what this part's tree has for a question: the ordinary items that the
/// part owns, and if the part asks itself, all giants.
/// @return as acre_quadtree_query; ACRE_ERROR_OUT_OF_MEMORY.
acre_result acre_partition_find_own(acre_partition *part, const partition_question *question,
                                    bool is_asker);
/// Sorts what a question found. @return how many are left: each once, at most `nearest` if not 0.
size_t acre_partition_sort_found(acre_found *found, size_t count, uint32_t nearest);

// partition_answers.c

/// Adds a question to the message to a part.
acre_result acre_partition_write_question(acre_partition *part, uint32_t to, uint32_t number,
                                          const partition_question *question);

/// The message of a round, and what comes in one.
const partition_message *acre_partition_round_message(const acre_partition *part, uint32_t to);
acre_result acre_partition_take_round(acre_partition *part, uint32_t from, const void *bytes,
                                      size_t size);

// partition_validate.c

/// A hash of the numbers and boxes that the part owns. The sum over all parts is that of one part.
/// O(slots).
uint64_t acre_partition_content_hash(const acre_partition *part);

static inline bool partition_list_add(acre_partition *part, partition_list *list,
                                      acre_partition_item item)
{
    if (!COLUMN_RESERVE(&part->allocator, list->items, list->count + 1)) {
        return false;
    }
    *COLUMN_AT(list->items, list->count++) = item;
    return true;
}

#endif
