// SPDX-License-Identifier: MIT
// interest.h - who notices whom: what each of many observers has in range, what entered and left.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// A server sends each player what is near the player. An interest keeps a list for each observer;
// an update, once a tick, compares the lists with the world and says what changed. The world is a
// quadtree, whose items are the program's numbers, or a culler, whose entities are handles.
//
// Words used here:
//     observer  a place with a radius: a player, a camera, a sensor
//     thing     what observers notice: an item of the tree, or an entity in a tree of the culler
//     range     a thing comes into range when it is at most enter_radius away; it goes out of
//               range when it is farther away than leave_radius. A thing may have a range of its
//               own instead: a dragon is noticed from afar, a mouse is not
//     room      a number that observers and things join: members of a room see each other at any
//               distance
//     seen      in range, or in a room with the observer
//     band      how far away a seen thing is, 0 (near) to 3: far things may be sent less often
//
// The distance is from the observer's place to the nearest point of a thing's box, on the ground or
// in space. Its square is computed in doubles, as dx * dx + dz * dz (+ dy * dy), and compared with
// the square of the radius; there is no margin, and the result is the same on every machine.
//
// For each observer, the things seen before an update, minus left, plus entered, are the things
// seen after it. An update that fails changes nothing, so the next one lists all changes.
//
// Typical use:
//     acre_interest_create(tree, NULL, &interest);
//     acre_observer_def def = {.follows_item = true, .item = player, .enter_radius = 60};
//     acre_interest_add(interest, &def, &observer);
//     ... each tick, after the tree was refreshed:
//     acre_interest_update(interest);
//     const acre_interest_changes changes = acre_interest_get_changes(interest);
//     for (size_t i = changes.entered.offsets[row]; i < changes.entered.offsets[row + 1]; i++) ...
//
// Threading: functions on a const interest may run in many threads at a time; the others need the
// interest for themselves. An update reads the tree or the culler: nobody may edit it meanwhile.
#ifndef ACRE_INTEREST_H
#define ACRE_INTEREST_H

#include <acre/quadtree.h>
#include <acre/scene.h>
#include <acre/tasks.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_interest acre_interest;
struct acre_culling;

enum {
    ACRE_INTEREST_STAYED = 1u << 0, ///< updates also list what stayed
    ACRE_INTEREST_INVERSE = 1u << 1 ///< updates also list the observers of each thing: some 20
                                    ///< bytes and a sort for each thing that an observer sees
};

/// Zero in a field means its default.
typedef struct acre_interest_def {
    uint32_t flags;                  ///< ACRE_INTEREST_...
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
    acre_kernel kernel; ///< instruction set; one that was not built, or that the processor
                        ///< lacks, is an invalid argument
} acre_interest_def;

/// Makes an interest without observers, over the items of a tree. The tree must outlive the last
/// update.
/// @param def NULL: zero, so that all defaults hold.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, unknown flags and an instruction set that
/// is not there; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API ACRE_RESULT acre_interest_create(const acre_quadtree *tree, const acre_interest_def *def,
                                          acre_interest **out);

/// Makes an interest over the entities of a culler: those that are registered, not hidden, and have
/// a box. Nobody notices a never-cull entity, since it stands in no tree. Items are slots here, and
/// lists also have handles. The culler must outlive the last update. Needs the library
/// acre::culling.
/// @return as acre_interest_create.
ACRE_API ACRE_RESULT acre_interest_create_for_entities(const struct acre_culling *culling,
                                                       const acre_interest_def *def,
                                                       acre_interest **out);

/// Frees everything. NULL is allowed.
ACRE_API void acre_interest_destroy(acre_interest *interest);

// Observers.

/// An observer's handle; zero is null. Its row in all lists is index1 - 1.
typedef struct acre_observer {
    uint32_t index1;
    uint32_t generation;
} acre_observer;

/// The number of limits between bands.
#define ACRE_OBSERVER_BAND_LIMITS 3

/// What an observer is. Zero in a field means its default.
typedef struct acre_observer_def {
    float place[3];     ///< x, y, z where it stands while it follows nothing; finite
    bool follows_item;  ///< over a tree: it stands at the center of the box of `item`
    uint32_t item;      ///< the item that it follows
    acre_entity entity; ///< over a culler: the entity that it follows; null: none. It need not be
                        ///< in a tree: one that is never culled or has no box may be followed
    float enter_radius; ///< a thing at most this far away comes into range; 0 to 2^50
    float leave_radius; ///< a thing farther away goes out of range; 0 = enter_radius, else not
                        ///< below it, to 2^50
    bool in_space;      ///< distances are in space; else on the ground, whatever the heights
    uint32_t layers;    ///< only things that share a bit come into range; 0: all
    /// A thing is in band n if it is farther away than n of these distances. They rise; the first 0
    /// ends them; 0 to 2^50.
    float band_limits[ACRE_OBSERVER_BAND_LIMITS];
    uint32_t limit; ///< at most so many things are in range, the nearest ones; 0: no limit
    /// With a limit: another thing takes the place of one in range only if it is nearer by this
    /// share of the distance of that one; 0 to below 1.
    float limit_share;
    bool sees_itself;    ///< it may see the thing that it follows
    bool ignores_ranges; ///< its radii alone decide, also about things with ranges of their own
} acre_observer_def;

/// Adds an observer. It sees nothing until the next update.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a number that is not in its range, limits
/// of bands that do not rise, an item to follow over a culler, or an entity to follow over a tree;
/// ACRE_ERROR_CAPACITY at 2^26 observers; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error *out
/// is null.
ACRE_API ACRE_RESULT acre_interest_add(acre_interest *interest, const acre_observer_def *def,
                                       acre_observer *out);

/// Changes an observer. What is in range stays so while it is within the new leave radius.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT as acre_interest_add; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_BUSY. On error nothing changed.
ACRE_API ACRE_RESULT acre_interest_set(acre_interest *interest, acre_observer observer,
                                       const acre_observer_def *def);

/// Moves what the interest knows of places along with its world: observers that follow nothing, or
/// have lost what they followed, and where things with ranges were filed. Lists stay: after an
/// exact shift the next update finds nothing that comes or goes. Call it once the tree, or the
/// culler, is shifted.
/// @param offset double[3]: what stood at p stands at p + offset.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and an offset beyond 2^100, and as
/// acre_quadtree_shift; ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_shift(acre_interest *interest,
                                                      const double *offset);

/// Removes an observer with its list and its rooms, each of which costs a leave. The next update
/// lists nothing for it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_interest_remove(acre_interest *interest, acre_observer observer);

/// An observer as the last update left it. An observer that follows an entity stands at the center
/// of its box; where it has none, or an endless one, at the origin of its matrix.
typedef struct acre_observer_state {
    acre_observer_def def;
    float place[3]; ///< where it stands
    bool is_lost;   ///< what it followed is gone: it stands where it was until it is set anew
    size_t seen;    ///< number of things that it sees
    bool is_new;    ///< no update had it yet: do not read its row of the changes, which may be that
                    ///< of a removed observer
    bool keeps_place; ///< it stands where it was: what it followed is lost; or is an entity that is
                      ///< hidden, until that is shown again; or an item whose box is endless
} acre_observer_state;

/// Writes an observer as the last update left it; zeros on error.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_get_observer(const acre_interest *interest,
                                                             acre_observer observer,
                                                             acre_observer_state *out);

// Rooms. An observer sees the things in its rooms whatever their distance and layers; they do not
// count for its limit. Several reasons to see a thing are counted: when one goes, the others stay.
// A join or a leave moves the members of the room, 4 bytes each. Memory is taken for each room and
// each item that was ever used here, whatever its number.

/// Rooms are numbers below this.
#define ACRE_INTEREST_ROOMS (UINT32_C(1) << 20)

/// Puts an observer into a room.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_EXISTS if it is in the room;
/// ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_CAPACITY for a room at or above ACRE_INTEREST_ROOMS;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_join(acre_interest *interest,
                                                     acre_observer observer, uint32_t room);

/// Takes an observer out of a room.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND if it is not in the
/// room; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_leave(acre_interest *interest,
                                                      acre_observer observer, uint32_t room);

/// Puts an item into a room. It stays there until it leaves or is forgotten, or its generation
/// changes. It need not be in the tree.
/// @return as acre_interest_join; ACRE_ERROR_INVALID_ARGUMENT also over a culler;
/// ACRE_ERROR_CAPACITY also for an item at or above 2^26.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_join_item(acre_interest *interest, uint32_t item,
                                                          uint32_t room);

/// Takes an item out of a room.
/// @return as acre_interest_leave; ACRE_ERROR_INVALID_ARGUMENT also over a culler.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_leave_item(acre_interest *interest, uint32_t item,
                                                           uint32_t room);

/// Puts an entity of the last commit into a room. It stays there until it leaves or is destroyed.
/// @return as acre_interest_join; ACRE_ERROR_INVALID_ARGUMENT also over a bare tree.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_join_entity(acre_interest *interest,
                                                            acre_entity entity, uint32_t room);

/// Takes an entity out of a room.
/// @return as acre_interest_leave; ACRE_ERROR_INVALID_ARGUMENT also over a bare tree.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_leave_entity(acre_interest *interest,
                                                             acre_entity entity, uint32_t room);

/// Many members of one room.
typedef struct acre_room_batch {
    uint32_t room;
    bool leaves; ///< the members leave the room; else they join it
    /// One of these has `count` elements, the others are NULL; items over a tree, entities over a
    /// culler.
    const acre_observer *observers;
    const uint32_t *items;
    const acre_entity *entities;
    size_t count;
} acre_room_batch;

/// Puts many into a room, or takes them out. A row that the call for one member would refuse, or
/// that stands in an earlier row as well, is refused, and the others are applied;
/// acre_interest_last_report names it.
///
/// Costs a sort of the rows, a search in the room for each, and one move of the room's members: 4
/// bytes each. A call for one member costs such a move, too, so that n calls for one room cost n of
/// them. Items and entities also cost a look at each observer in the room, once for a call.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, and for other arrays than one of these;
/// ACRE_ERROR_CAPACITY as acre_interest_join, and for 2^32 rows; ACRE_ERROR_OUT_OF_MEMORY: nothing
/// changed; ACRE_ERROR_BUSY; or the error of the first refused row.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_change_room(acre_interest *interest,
                                                            const acre_room_batch *batch);

// Ranges of things. A thing's range takes the place of the enter_radius of every observer, be it
// larger or smaller: a dragon is noticed from afar, whoever looks. The cull distance of an actor
// does the same in Unreal. Such a thing goes out of range where it is farther away than
// its range by more than leave_radius - enter_radius. Bands, limits, layers and rooms are as ever.

/// Ranges of many things.
typedef struct acre_range_batch {
    /// One of these has `count` elements, the other is NULL; items over a tree, entities over a
    /// culler.
    const uint32_t *items;
    const acre_entity *entities;
    const float *ranges; ///< of each; 0 to 2^50; 0: it has none, so that radii decide
    size_t count;
} acre_range_batch;

/// Gives things ranges of their own. A thing keeps its range until it gets another one, is
/// forgotten or destroyed, or its generation changes; it need not be in the tree. Of a thing in two
/// rows the last one counts. Updates know what was set here: acre_interest_update_changed need not
/// be told.
///
/// Each update looks whether things with ranges moved, 10 to 60 ns each;
/// acre_interest_update_changed looks at those among its items. Where all things have ranges,
/// observers with radii of 0 spare it a search. Memory is taken for each thing that ever had a
/// range, 120 to 250 bytes.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, and for the other array than the one for
/// a tree or a culler; ACRE_ERROR_OUT_OF_MEMORY: nothing changed; ACRE_ERROR_BUSY; or the error of
/// the first refused row, which acre_interest_last_report names while the others are applied:
/// ACRE_ERROR_INVALID_ARGUMENT for a range, ACRE_ERROR_CAPACITY for an item at or above 2^26,
/// ACRE_ERROR_STALE_HANDLE.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_set_ranges(acre_interest *interest,
                                                           const acre_range_batch *batch);

// For item numbers that are used again for another thing. Over a culler handles tell things apart.

/// Says that an item is now another thing under the same number. The item leaves its rooms and has
/// no range of its own any more; the next update lists it as left, and as entered if it is seen
/// anew. Observers that follow it are lost. The call is not needed if an update runs while the
/// number is not in the tree. For an item in rooms it costs a look at each room.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and over a culler; ACRE_ERROR_CAPACITY for
/// an item at or above 2^26; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_forget(acre_interest *interest, uint32_t item);

/// Gives each item a generation: an update forgets the items whose generation differs from the one
/// that they had in the update before. The array stays the caller's, who may change its numbers;
/// updates read it, and so do calls that take an item. Items from count on have generation 0.
/// @param generations NULL: none.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL interest and over a culler;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_set_generations(acre_interest *interest,
                                                                const uint32_t *generations,
                                                                size_t count);

// Updates.

/// Gives the interest workers: acre_interest_update of many observers then runs on all of them;
/// acre_interest_update_changed stays on the calling thread unless it becomes one, and so does an
/// update of a tree with a listener. Changes are the same bits as without.
/// @param tasks copied; NULL: serial again.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL interest and for tasks without a
/// function; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_set_tasks(acre_interest *interest,
                                                          const acre_tasks *tasks);

/// Compares every observer's list with the world. Costs a circle query for each observer and a look
/// at each thing near it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_BUSY, also if the tree or the culler is being edited. On error all lists are as
/// before.
ACRE_API ACRE_RESULT acre_interest_update(acre_interest *interest);

/// acre_interest_update for a caller that knows what changed. It searches only for observers that
/// moved or have a changed item near them; any other observer costs a scan of its list. Where that
/// would cost more than searching, it searches, for some observers or for all; it decides by
/// counts. It takes at most 1.15 times as long as acre_interest_update, and 0.3 ns more for each
/// row of items, since each is read: that shows where an observer comes on more than 3,000 rows.
/// What is seen is the same; only the order of acre_interest_list_seen and of stayed may differ.
/// @param items every item (or slot) that since the last update was inserted, refreshed, removed or
/// put in other layers, and every item whose generation changed; in any order, even twice. An item
/// that is missing here may be seen as it was. Other edits of the interest need not be listed. A
/// row at or above 2^26 is refused, the others count.
/// @return as acre_interest_update; ACRE_ERROR_INVALID_ARGUMENT also for NULL items with a count;
/// ACRE_ERROR_CAPACITY for a refused row: the update was made.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_update_changed(acre_interest *interest,
                                                               const uint32_t *items, size_t count);

/// @return what the last acre_interest_update_changed, acre_interest_set_ranges or edit of a room
/// refused; zeros for NULL. Batches that answer ACRE_ERROR_INVALID_ARGUMENT or ACRE_ERROR_CAPACITY
/// as a whole, and any call that answers ACRE_ERROR_BUSY, leave the report as it was.
ACRE_EXPERIMENTAL_API acre_quadtree_report acre_interest_last_report(const acre_interest *interest);

/// A list for each observer, one after the other.
typedef struct acre_interest_list {
    const size_t *offsets;       ///< row r has the elements offsets[r] to offsets[r + 1] - 1
    const uint32_t *items;       ///< items, or slots of entities
    const acre_entity *entities; ///< handles; those that left may be stale; NULL over a bare tree
    const uint8_t *bands;        ///< band of each element; NULL for left
    size_t count;                ///< elements of all rows together
} acre_interest_list;

/// What the last update changed, valid until the next call that is not const. Each row of entered,
/// left and changed ascends by item. A row of stayed is in the order of acre_interest_list_seen.
/// Rows without an observer are empty.
typedef struct acre_interest_changes {
    size_t row_count;           ///< rows of each list
    acre_interest_list entered; ///< seen now, not before
    acre_interest_list left;    ///< seen before, not now
    acre_interest_list changed; ///< seen before and now, in another band
    acre_interest_list stayed;  ///< seen before and now; empty without ACRE_INTEREST_STAYED
    /// With ACRE_INTEREST_INVERSE: who sees what. observers[i] sees inverse_items[i]; ascending by
    /// item or slot, then by row.
    const uint32_t *inverse_items;
    const acre_observer *observers;
    size_t inverse_count; ///< of both
    size_t updated;       ///< observers whose lists were compared with the world
} acre_interest_changes;

/// @return what the last update changed; empty lists before the first one and for NULL.
ACRE_EXPERIMENTAL_API acre_interest_changes
acre_interest_get_changes(const acre_interest *interest);

/// Finds the observers of an item or slot, with ACRE_INTEREST_INVERSE: a search in
/// acre_interest_changes.inverse_items.
/// @param observers receives where they are, ascending by row, until the next call that is not
/// const; NULL if there are none. May be NULL.
/// @return how many they are; 0 for NULL and without the flag.
ACRE_EXPERIMENTAL_API size_t acre_interest_observers_of(const acre_interest *interest,
                                                        uint32_t item,
                                                        const acre_observer **observers);

/// Writes what the last update found an observer to see. The same calls give the same order.
/// @param items receives at most capacity items or slots; may be NULL if capacity is 0.
/// @param bands receives their bands; may be NULL.
/// @param total receives the number of things seen, also where capacity is smaller; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_list_seen(const acre_interest *interest,
                                                          acre_observer observer, uint32_t *items,
                                                          uint8_t *bands, size_t capacity,
                                                          size_t *total);

/// Counts the reasons to see an item or slot: 1 if the last update found it in range, and 1 for
/// each room that both are in now.
/// @return the number; 0 for NULL and for a stale handle.
ACRE_EXPERIMENTAL_API uint32_t acre_interest_reasons(const acre_interest *interest,
                                                     acre_observer observer, uint32_t item);

// Memory.

/// What acre_interest_reserve makes room for. A thing is near an observer if it is at most
/// leave_radius away, whether it was noticed or not.
typedef struct acre_interest_sizes {
    size_t observers; ///< at once; at most 2^26
    size_t near_one;  ///< things near one observer, at most 2^26
    size_t near_all;  ///< the same, summed over all observers
    size_t items;     ///< items, or slots of entities, are below this; at most 2^26
} acre_interest_sizes;

/// Makes room, so that updates with no more than this allocate nothing, and neither do observers
/// that come, change and go. Otherwise an interest grows as needed, and gives back what a peak some
/// updates ago needed; it keeps this room until it is told otherwise. Sizes given anew replace the
/// old ones, but what is there stays until acre_interest_trim.
///
/// Takes some 100 bytes for each thing of near_all (130 over a culler, 20 more with
/// ACRE_INTEREST_INVERSE), 170 for each of near_one, 500 for each observer. From 512 things near
/// one on, observers may have sets of bits instead of lists: then also 140 bytes for each item, and
/// for each observer three bits for each item, as far as these are no more than 512 times near_one.
/// Not made here: room for rooms, for things with ranges, for items that are forgotten, for
/// generations that are set later, and for the shares of workers.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY for a size above its
/// limit; ACRE_ERROR_OUT_OF_MEMORY: what found room has it, and all else is as it was;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_reserve(acre_interest *interest,
                                                        const acre_interest_sizes *sizes);

/// Gives back what is in no list, also what was reserved. What the last update changed can still be
/// asked for: get it anew, since the arrays may be others. The next update makes room for its work
/// anew. Costs a look at each observer and a copy of what stays.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_trim(acre_interest *interest);

typedef struct acre_interest_stats {
    size_t observers; ///< number of observers
    size_t seen;      ///< number of things that they see, summed over all observers
    size_t bytes;     ///< all memory of the interest
} acre_interest_stats;

/// Writes zeros for NULL. Costs a look at each observer.
ACRE_EXPERIMENTAL_API void acre_interest_get_stats(const acre_interest *interest,
                                                   acre_interest_stats *out);

/// Checks every numbered invariant of interest_internal.h.
/// @param message receives the broken rule; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if a rule is broken; ACRE_ERROR_INVALID_ARGUMENT for NULL;
/// ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_interest_validate(const acre_interest *interest,
                                                         char *message, size_t size);

ACRE_EXTERN_C_END

#endif
