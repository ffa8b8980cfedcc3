// SPDX-License-Identifier: MIT
// visible_set.h - what one view sees, kept from frame to frame: slots, LODs, what entered and left.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor version.
//
// Keep one set for each camera, cascade or eye. It owns its arrays and reuses them, so that a
// steady frame allocates nothing.
//
// Typical use:
//     const acre_visible_set_def def = {.flags = ACRE_VISIBLE_LODS};
//     acre_visible_set_create(&def, &set);
//     ... each frame, after acre_scene_commit:
//     acre_culling_find_visible(culling, &view, set);
//     const acre_visible visible = acre_visible_set_get(set);
//     for (size_t i = 0; i < visible.count; i++) { draw(visible.slots[i], visible.lods[i]); }
//
// Threading: acre_culling_find_visible only reads the culler, so many threads may call it at once,
// each with its own sets. A set belongs to one thread at a time. In a culler with tasks
// (acre_culling_set_tasks) a large finding is divided; what the set tells stays the same.
#ifndef ACRE_VISIBLE_SET_H
#define ACRE_VISIBLE_SET_H

#include <acre/culling.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_visible_set acre_visible_set;

/// What a set keeps besides the slots; modules/culling/README.md says what each costs.
enum {
    ACRE_VISIBLE_LODS = 1u << 0,    ///< a LOD for each visible entity
    ACRE_VISIBLE_CHANGES = 1u << 1, ///< which entities entered, left, stayed and changed their LOD
    ACRE_VISIBLE_BITS = 1u << 2,    ///< a bit for each slot
    ACRE_VISIBLE_SUM = 1u << 3      ///< the box and the depths of all that is visible
};

typedef struct acre_visible_set_def {
    uint32_t flags;                  ///< ACRE_VISIBLE_...
    const acre_allocator *allocator; ///< copied; NULL: the C library's heap
} acre_visible_set_def;

/// @param def NULL: a set that keeps slots alone, in memory from the C library's heap.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and for unknown flags;
/// ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API ACRE_RESULT acre_visible_set_create(const acre_visible_set_def *def,
                                             acre_visible_set **out);

/// Frees everything. NULL is allowed.
ACRE_API void acre_visible_set_destroy(acre_visible_set *set);

/// The last result. Arrays that the set does not keep are NULL with a count of 0. All arrays are
/// valid until the set is found again, cleared or destroyed.
typedef struct acre_visible {
    const uint32_t *slots; ///< each once; the same calls give the same order
    size_t count;
    const uint8_t *lods;     ///< LOD of slots[i]; 0 without a rule or with unknown sizes
    const uint32_t *entered; ///< visible now, not before
    const uint32_t *left;    ///< visible before, not now; the entity may be destroyed
    const uint32_t *stayed;  ///< visible before and now
    const uint32_t *changed; ///< those of stayed whose LOD changed
    size_t entered_count;
    size_t left_count;
    size_t stayed_count;
    size_t changed_count;
    const uint64_t *bits; ///< bit (slot & 63) of word slot / 64 is set: the slot is visible
    size_t word_count;    ///< words of bits, for all slots of the scene
    bool is_reused;       ///< neither the view nor the culler had changed, so nothing was done
    size_t tested;        ///< boxes that were tested one by one
    /// Those of left whose entity lives but is in no query any more: it is hidden, unregistered, or
    /// has no box. The others of left are destroyed or out of view.
    const uint32_t *left_hidden;
    size_t left_hidden_count;
    acre_visible_sum sum; ///< with ACRE_VISIBLE_SUM; else empty
    size_t bytes;         ///< memory that the set holds
} acre_visible;

/// @return the last result; all zero, with an empty sum, for NULL.
ACRE_API acre_visible acre_visible_set_get(const acre_visible_set *set);

/// Finds what a view sees: the entities of acre_culling_query_view. The view's hysteresis applies
/// to entities that the set saw before, so that none flickers at a limit. (Without
/// ACRE_VISIBLE_CHANGES the set begins its history with the first view that has hysteresis.)
/// Never-culled entities are visible whatever the rules say. If a slot now belongs to another
/// entity, the slot both left and entered. If neither the view nor the culler changed, the last
/// result stays (is_reused). If the culler is another one than last time, the set starts anew: all
/// that is found has entered. Cullers are told apart by their address, so clear a set when its
/// culler is destroyed. What a horizon hides or shows leaves and enters as all else does.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, a view that is not valid and an eye
/// outside the region of the view's horizon; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error
/// the set is as it was.
ACRE_API ACRE_RESULT acre_culling_find_visible(const acre_culling *culling, const acre_view *view,
                                               acre_visible_set *set);

/// The same for several views: cameras, both eyes, faces of a cube, cascades. Each view walks the
/// trees by itself (modules/culling/README.md says why). With tasks (acre_culling_set_tasks) the
/// views are found side by side, unless a set is given twice.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL array, and if two views have one
/// horizon: then none is found (frozen sets do not count); or the first error of a view, as
/// acre_culling_find_visible: the other views are still found.
ACRE_API ACRE_RESULT acre_culling_find_visible_many(const acre_culling *culling,
                                                    const acre_view *views,
                                                    acre_visible_set *const *sets, size_t count);

/// The LODs in which the set's view draws entities, whether it sees them or not: those of a shadow
/// view or of casters (casters.h), so that what throws a shadow has the LOD of what is seen. A slot
/// of the last result has the LOD that it has there; another one that of acre_view_test_rules with
/// the set's view, the entity's rule and its box, as if it was not visible before. Limits of
/// distance and size hide nothing here. Before the slots are drawn, give lods to
/// acre_draw_input.lods. Call it after the set was found, with no commit between, so that LODs are
/// of one frame. Only reads the set. O(count): about 10 ns a slot.
/// @param slots any order, also repeated.
/// @param lods receives count LODs; 0 for an entity without a box.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, for a set without ACRE_VISIBLE_LODS and
/// for one that this culler did not find last; ACRE_ERROR_NOT_FOUND if queries cannot find a slot:
/// its LOD is 0, the others are written; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_find_lods(const acre_culling *culling,
                                                         const acre_visible_set *set,
                                                         const uint32_t *slots, size_t count,
                                                         uint8_t *lods);

/// Writes which of several sets see each slot: bit i of masks[slot] stands for sets[i]. Use it to
/// draw one entity into several pictures at once.
/// @param set_count at most 32.
/// @param slot_count length of masks; at least the number of slots in the scene.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY for more than 32 sets
/// or a slot beyond masks. On error masks is unchanged.
ACRE_API ACRE_RESULT acre_visible_set_masks(acre_visible_set *const *sets, size_t set_count,
                                            uint32_t *masks, size_t slot_count);

/// Moves what the set knows of places along with its world: the last view with its volumes, which
/// a frozen set is found with, and the box of the sum. Who was visible and at which LOD stays. Call
/// it once the shift is visible: after the commit, or after acre_culling_shift.
/// @param offset double[3]: what stood at p stands at p + offset.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and an offset beyond 2^100.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_visible_set_shift(acre_visible_set *set,
                                                         const double *offset);

/// Makes room, so that findings of this culler that see no more than this allocate nothing. Room by
/// slot is that of the culler: reserve it first (acre_culling_reserve). A set without
/// ACRE_VISIBLE_CHANGES makes room for its history in the first finding with hysteresis. In a
/// culler with tasks a divided finding needs room for all boxes that it tests.
/// @param visible entities seen at once.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY for more than the
/// culler has room for; ACRE_ERROR_OUT_OF_MEMORY: the last result stays, and what found room keeps
/// it; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_visible_set_reserve(acre_visible_set *set,
                                                           const acre_culling *culling,
                                                           size_t visible);

/// Gives back what the set has room for beyond its last result, which stays; its arrays may be
/// others afterward. O(slots).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_visible_set_trim(acre_visible_set *set);

/// Freezes the culling camera: while frozen, the set is found with its last view whatever view is
/// given, so that another camera can fly around and show what was culled. If that view has a
/// horizon, which is left alone, the set keeps its list, but for what was destroyed, hidden or
/// unregistered. A new entity that took a slot of the list stands in it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_NOT_FOUND if nothing was found
/// yet.
ACRE_API ACRE_RESULT acre_visible_set_freeze(acre_visible_set *set, bool is_frozen);

/// @return the view that the set was found with last; its volumes are copies in the set. NULL if
/// the set was not found yet.
ACRE_API const acre_view *acre_visible_set_view(const acre_visible_set *set);

/// Makes the set as it was when created: in the next result all entities have entered.
ACRE_API void acre_visible_set_clear(acre_visible_set *set);

ACRE_EXTERN_C_END

#endif
