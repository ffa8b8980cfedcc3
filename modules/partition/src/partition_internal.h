// SPDX-License-Identifier: MIT
// partition_internal.h - the inside of a part: its slots, its ground, and an exchange that runs.
//
// Invariants, as acre_partition_validate numbers them:
//   1  every used slot is found by its number and image, and nothing else is found
//   2  free slots form one chain that holds all of them
//   3  the tree holds exactly the used slots; a ghost has the box that stands in boxes
//   4  `own` and `ghosts` count the slots of their kinds; an own slot is no image
//   5  the cut ascends from 0 to the number of cells
#ifndef ACRE_PARTITION_INTERNAL_H
#define ACRE_PARTITION_INTERNAL_H

#include <acre/partition.h>

#include "column_internal.h"
#include "partition_ground.h"

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

typedef enum partition_phase { PHASE_REST, PHASE_EXCHANGE } partition_phase;

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
    COLUMN_OF(uint64_t) stamps; ///< of a ghost: the exchange that sent it last
    COLUMN_OF(uint32_t) next_free;
    COLUMN_OF(uint8_t) kinds;
    COLUMN_OF(uint8_t) images;
    COLUMN_OF(uint8_t)
    is_giant; ///< as its owner found: the rounded box of an image may look ordinary
    size_t slots, own, ghosts, giants;
    uint32_t free_slot;
    COLUMN_OF(uint32_t) table; ///< slots by number and image; SLOT_NONE: empty; a power of two
    size_t table_used;
    // Of an exchange.
    COLUMN_OF(partition_message) messages; ///< by part
    COLUMN_OF(uint64_t) told; ///< by part and image: the item + 1 that was written last
    uint64_t told_count;
    COLUMN_OF(uint32_t) fresh; ///< slots that are not in the tree yet
    COLUMN_OF(acre_aabb) fresh_boxes;
    size_t fresh_count;
    partition_list arrived, departed, entered, left, refused;
    size_t border;
    COLUMN_OF(acre_pair) pairs; ///< scratch
    COLUMN_OF(acre_number_pair) number_pairs;
};

// partition_slots.c

/// @return the slot of a number and image, or SLOT_NONE.
uint32_t acre_partition_slot_of(const acre_partition *part, uint64_t number, uint8_t image);

/// Makes room for so many more slots, the caller's bytes included.
acre_result acre_partition_reserve_slots(acre_partition *part, size_t more);

/// Takes a slot, for which there is room.
uint32_t acre_partition_take_slot(acre_partition *part, uint64_t number, uint8_t image,
                                  acre_slot_kind kind, const acre_aabb *box);

/// Gives a slot back. The tree is the caller's matter.
void acre_partition_free_slot(acre_partition *part, uint32_t slot);

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

static inline bool partition_list_add(acre_partition *part, partition_list *list,
                                      acre_partition_item item)
{
    if (!COLUMN_RESERVE(&part->allocator, list->items, list->count + 1)) {
        return false;
    }
    *COLUMN_AT(list->items, list->count) = item;
    list->count++;
    return true;
}

#endif
