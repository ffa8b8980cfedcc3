// SPDX-License-Identifier: MIT
// visible_set.h - what one view sees, kept from frame to frame: slots, LODs, what entered and left.
//
// A set is the memory of one view: one for each camera, cascade or eye. It owns its arrays and
// reuses them, so that a steady frame allocates nothing.
//
// Typical use:
//     acre_visible_set_create(NULL, &set);
//     ... each frame, after acre_scene_commit:
//     acre_culling_find_visible(culling, &view, set);
//     const acre_visible visible = acre_visible_set_get(set);
//     for (size_t i = 0; i < visible.count; i++) { draw(visible.slots[i], visible.lods[i]); }
//
// Threading: finding is const on the culler and may run from many threads, each with sets of its
// own. A set belongs to one thread at a time.
#ifndef ACRE_VISIBLE_SET_H
#define ACRE_VISIBLE_SET_H

#include <acre/culling.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_visible_set acre_visible_set;

/// What a set keeps beside the slots; each costs time and memory, see modules/culling/README.md.
enum {
    ACRE_VISIBLE_LODS = 1u << 0,    ///< a LOD for each visible entity
    ACRE_VISIBLE_CHANGES = 1u << 1, ///< what entered, left, stayed and changed its LOD
    ACRE_VISIBLE_BITS = 1u << 2     ///< a bit for each slot
};

typedef struct acre_visible_set_def {
    uint32_t flags;                  ///< ACRE_VISIBLE_...
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
} acre_visible_set_def;

/// @param def NULL: slots alone, from the heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_visible_set_create(const acre_visible_set_def *def,
                                             acre_visible_set **out);
/// NULL is allowed.
ACRE_API void acre_visible_set_destroy(acre_visible_set *set);

/// What was found last. Arrays that were not asked for are NULL, their counts 0. They are valid
/// until the set is found anew, cleared or destroyed.
typedef struct acre_visible {
    const uint32_t *slots; ///< each once, in an order that follows the calls alone
    size_t count;
    const uint8_t *lods;     ///< of slots[i]; 0 without a rule or without known sizes
    const uint32_t *entered; ///< visible now, not before
    const uint32_t *left;    ///< visible before, not now; the entity may be gone
    const uint32_t *stayed;  ///< visible before and now
    const uint32_t *changed; ///< of those that stayed, the ones whose LOD is another
    size_t entered_count, left_count, stayed_count, changed_count;
    const uint64_t *bits; ///< bit (slot & 63) of word slot / 64: visible
    size_t word_count;    ///< for all of the scene's slots
    bool is_reused;       ///< neither view nor scene had changed: nothing was done
    size_t tested;        ///< boxes that were tested one by one to find this
} acre_visible;

ACRE_API acre_visible acre_visible_set_get(const acre_visible_set *set);

/// Finds what a view sees: the entities of acre_culling_query_view, with the view's hysteresis for
/// those that this set had before, so that none flickers at a limit. (Without ACRE_VISIBLE_CHANGES
/// a set remembers whom it had from the first view with hysteresis on.) Never-cull entities are
/// visible whatever the rules. A slot that was given to another entity left and entered. If
/// neither the view nor anything in the culler changed since, the last result stands (is_reused).
/// What was found with another culler counts for nothing: all that is found only entered. Cullers
/// are told apart by their address: clear a set before its culler is destroyed, or with it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or a view that is not valid;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error the set is as it was.
ACRE_API acre_result acre_culling_find_visible(const acre_culling *culling, const acre_view *view,
                                               acre_visible_set *set);

/// The same for several views: cameras, both eyes, faces of a cube, cascades. Each has a traversal
/// of its own (modules/culling/README.md says why).
/// @return ACRE_OK, or the first error; the other views are found all the same.
ACRE_API acre_result acre_culling_find_visible_many(const acre_culling *culling,
                                                    const acre_view *views,
                                                    acre_visible_set *const *sets, size_t count);

/// Which of several sets see each slot: bit i of masks[slot] is sets[i]. What is drawn into several
/// pictures at once is found by its bits.
/// @param set_count at most 32.    @param slot_count of masks: at least the scene's slots.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY for more sets, or for
/// a slot beyond masks: they are then left alone.
ACRE_API acre_result acre_visible_set_masks(acre_visible_set *const *sets, size_t set_count,
                                            uint32_t *masks, size_t slot_count);

/// Keeps the culling camera where it is: until it is thawed, finding uses the view of the last
/// finding whatever view is given, so that one can fly around and look at what was culled.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND if nothing was found
/// yet.
ACRE_API acre_result acre_visible_set_freeze(acre_visible_set *set, bool is_frozen);

/// The view of the last finding, with volumes of the set's own. NULL if there was none.
ACRE_API const acre_view *acre_visible_set_view(const acre_visible_set *set);

/// Forgets everything, as if just created: the next finding has only entered entities.
ACRE_API void acre_visible_set_clear(acre_visible_set *set);

/// @return bytes that the set holds.
ACRE_API size_t acre_visible_set_bytes(const acre_visible_set *set);

ACRE_EXTERN_C_END

#endif
