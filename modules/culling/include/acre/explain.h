// SPDX-License-Identifier: MIT
// explain.h - why an entity is visible or not: what hides it, by how much, and where it stands.
//
// For tools and for the question "why do I not see this?". Takes a microsecond or so per entity.
//
// Typical use:
//     acre_explanation why;
//     acre_culling_explain(culling, &view, set, entity, &why);
//     acre_explanation_text(&why, text, sizeof text); // "hidden by max distance: 12.5 beyond"
//
// Threading: const, as queries, and while nobody records edits in the scene: a hidden ancestor is
// looked for in the hierarchy as edits see it.
#ifndef ACRE_EXPLAIN_H
#define ACRE_EXPLAIN_H

#include <acre/visible_set.h>

ACRE_EXTERN_C_BEGIN

/// Where the culler keeps an entity.
typedef enum acre_culling_place {
    ACRE_CULLING_NOWHERE = 0,
    ACRE_CULLING_MOVING_TREE,
    ACRE_CULLING_STATIC_TREE,
    ACRE_CULLING_NEVER_CULL ///< the set of those that every query names
} acre_culling_place;

typedef struct acre_explanation {
    acre_hidden_by hidden_by; ///< the first of its kind that holds; ACRE_HIDDEN_BY_NOTHING: visible
    /// By how much: of a plane or volume world units, of a distance world units, of the size
    /// pixels. Negative: hidden by so much. Positive: inside by so much, of a visible entity the
    /// least of planes, include and distances, INFINITY if nothing counts. 0 for causes without a
    /// measure.
    float margin;
    uint32_t plane;     ///< of frustum or include: the one that hides it, or the one with margin
    acre_entity parent; ///< the hidden one that it hangs under, or itself; null otherwise
    uint32_t rule;      ///< number of its rule, 0: none
    uint32_t lod;       ///< that it has where it is visible
    bool was_visible;   ///< in the set; then the view's hysteresis counts
    acre_view_measure measure; ///< 0 without a box
    acre_aabb box;             ///< that queries test; empty without one
    acre_culling_place place;
    acre_quadtree_place tree; ///< where in its tree; zero if it is in none
} acre_explanation;

/// Says why a view does or does not see an entity. It agrees with acre_culling_find_visible on the
/// same set, which it leaves alone, and without a set with acre_culling_query_view. The causes are
/// looked for in the order of acre_hidden_by.
/// @param set whose hysteresis counts, before it is found anew; NULL: none.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or a view that is not valid;
/// ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_BUSY. On error *out is left alone.
ACRE_API acre_result acre_culling_explain(const acre_culling *culling, const acre_view *view,
                                          const acre_visible_set *set, acre_entity entity,
                                          acre_explanation *out);

/// A sentence for people, in English, without a line's end.
/// @return the length of the whole text, as snprintf.
ACRE_API size_t acre_explanation_text(const acre_explanation *explanation, char *text, size_t size);

ACRE_EXTERN_C_END

#endif
