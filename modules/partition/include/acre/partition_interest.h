// SPDX-License-Identifier: MIT
// partition_interest.h - who notices whom in a world of many parts: observers that migrate.
//
// Experimental: it may change in any minor version.
//
// An observer belongs to an item. Where the item goes, the observer goes, with the list of what it
// has seen. So what enters and leaves an observer's range is the same for any number of parts, also
// in the tick in which it crosses a border. Each part asks an interest (interest.h) over its own
// tree; its words and its distances hold here.
//
// An observer sees no farther than ghost_range, which is as far as a part knows the world around
// its ground. Things are told by their numbers. On periodic ground an image of a thing is the thing
// itself: what is seen stays seen while an image of it is within leave_radius, whichever that is,
// in the band of the nearest one. An image of the observer's own item is that item.
//
// Typical use, on each part of the world:
//     acre_partition_interest_create(part, &interest);              // before the first exchange
//     acre_partition_interest_add(interest, number, &observer_def);
//     ... each tick, after the exchange:
//     acre_partition_interest_update(interest);
//     const acre_sights sights = acre_partition_interest_get_sights(interest);
//
// Threading: as a part.
#ifndef ACRE_PARTITION_INTEREST_H
#define ACRE_PARTITION_INTEREST_H

#include <acre/interest.h>
#include <acre/partition.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_partition_interest acre_partition_interest;

/// Makes an interest without observers. All parts of a world have one, or none has. The part must
/// outlive it.
/// @param def as for acre_interest_create, without flags; NULL: zero.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and flags; ACRE_ERROR_EXISTS if the part
/// has an interest; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY within an exchange. On error *out is
/// NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_interest_create(acre_partition *part,
                                                                 const acre_interest_def *def,
                                                                 acre_partition_interest **out);

/// Frees everything. NULL is allowed. Not within an exchange.
ACRE_EXPERIMENTAL_API void acre_partition_interest_destroy(acre_partition_interest *interest);

/// Makes an item that this part owns an observer. It sees nothing until the next update.
/// @param def place, follows_item, item, entity, layers, limit and limit_share are 0: the observer
/// follows the item, which has a finite box; no radius is above ghost_range.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and for another def;
/// ACRE_ERROR_NOT_FOUND if this part does not own the item; ACRE_ERROR_EXISTS if it is an observer;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_interest_add(acre_partition_interest *interest,
                                                              uint64_t number,
                                                              const acre_observer_def *def);

/// Ends an observer of this part. The next update lists nothing for it. An observer whose item is
/// removed ends by itself.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND; ACRE_ERROR_BUSY
/// within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_interest_remove(acre_partition_interest *interest,
                                                                 uint64_t number);

/// Gives things ranges of their own (interest.h): by slot, for every slot below
/// acre_partition_get_slots().count, ghosts and images too. A range is of a thing, so the program
/// knows it from the number, or sends it with the ghost (acre_partition_data). The array stays the
/// caller's, who may change and replace it; each update reads it. A thing with a range goes out of
/// range no farther away than ghost_range.
/// @param ranges 0 to ghost_range, which the update checks; 0: none. NULL: none has one.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL interest; ACRE_ERROR_BUSY within an
/// exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT
acre_partition_interest_set_ranges(acre_partition_interest *interest, const float *ranges);

/// Compares what each observer of this part sees with what it saw in the last update that it was
/// in, here or elsewhere. After each exchange, once. Where an update is left out, a thing that went
/// and came back in the meantime counts as one that stayed.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, and for a range that is not 0 to
/// ghost_range: the lists are those of before; ACRE_ERROR_OUT_OF_MEMORY: the lists are empty or
/// those of before; call it again, which lists all changes; ACRE_ERROR_BUSY within an exchange.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_partition_interest_update(acre_partition_interest *interest);

/// A list for each observer, one after the other. Rows ascend by number.
typedef struct acre_sight_list {
    const size_t *offsets; ///< row r has the elements offsets[r] to offsets[r + 1] - 1
    const uint64_t *numbers;
    const uint8_t *bands; ///< in `left` the last band that the item had
    size_t count;
} acre_sight_list;

/// What the last update found, valid until the next call that is not const.
typedef struct acre_sights {
    size_t row_count;          ///< observers of this part
    const uint64_t *observers; ///< the item number of each row's observer, in no defined order
    acre_sight_list seen;
    acre_sight_list entered; ///< seen now, not before
    acre_sight_list left;    ///< seen before, not now
    acre_sight_list changed; ///< seen before and now, in another band
} acre_sights;

/// @return what the last update found; empty lists before the first one and for NULL.
ACRE_EXPERIMENTAL_API acre_sights
acre_partition_interest_get_sights(const acre_partition_interest *interest);

ACRE_EXTERN_C_END

#endif
