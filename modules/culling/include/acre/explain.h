// SPDX-License-Identifier: MIT
// explain.h - why an entity is visible or hidden: what hides it, by how much, and where it stands;
// and what one view does with every node, group and entity.
//
// Experimental: it may change in any minor version.
//
// For tools, and for the question "why do I not see this?".
//
// Typical use:
//     acre_explanation why;
//     acre_culling_explain(culling, &view, set, entity, &why);
//     acre_explanation_text(&why, text, sizeof text); // a sentence in English
//
// Threading: const, like queries, but nobody may record edits in the scene meanwhile: the hidden
// ancestor is searched in the hierarchy as recorded. A visitor must not edit the culler. A view's
// horizon is in use meanwhile.
#ifndef ACRE_EXPLAIN_H
#define ACRE_EXPLAIN_H

#include <acre/quadtree_inspect.h>
#include <acre/visible_set.h>

ACRE_EXTERN_C_BEGIN

/// Where the culler keeps an entity.
typedef enum acre_culling_place {
    ACRE_CULLING_NOWHERE = 0,
    ACRE_CULLING_MOVING_TREE,
    ACRE_CULLING_STATIC_TREE,
    ACRE_CULLING_NEVER_CULL ///< the set of entities that every query finds
} acre_culling_place;

/// An explanation names at most so many objects that hide another.
#define ACRE_EXPLANATION_OCCLUDERS 8

typedef struct acre_explanation {
    acre_hidden_by hidden_by; ///< the first reason that holds; ACRE_HIDDEN_BY_NOTHING: visible
    /// How far the entity is from the limit that decides, negative if it is hidden: world units for
    /// planes, volumes and distances, pixels for sizes. Of a visible entity it is the smallest
    /// margin of all planes and distances, INFINITY without any. 0 for reasons without a measure.
    float margin;
    uint32_t plane;     ///< the plane of frustum or include that hides it or has the margin
    acre_entity parent; ///< topmost hidden ancestor, or the entity itself; null: none is hidden
    uint32_t rule;      ///< number of its rule; 0: none
    uint32_t lod;       ///< its LOD if it is visible
    bool was_visible;   ///< the set saw it last time, so that the view's hysteresis applies
    acre_view_measure measure; ///< 0 without a box
    acre_aabb box;             ///< the box that queries test; empty if it has none
    acre_culling_place place;
    acre_quadtree_place tree; ///< where it stands in its tree; zero if it is in none
    /// The objects behind which it is hidden, nearest first: their occluders together hide it, and
    /// without those of any one of them it would be seen. Where it takes more, the nearest.
    acre_entity hidden_behind[ACRE_EXPLANATION_OCCLUDERS];
    /// How many stand in hidden_behind. It is 0 if something else hides the entity, and for a
    /// frozen set, which asks no horizon.
    uint32_t hidden_behind_count;
} acre_explanation;

/// Says why a view sees an entity or not. With a set the answer is what the next
/// acre_culling_find_visible will find; the set is not changed. Without a set it is what
/// acre_culling_query_view finds. Reasons are checked in the order of acre_hidden_by.
///
/// Where only the view's horizon can hide the entity, the walk of a query is repeated, then parts
/// of it, to learn which occluders are needed: some milliseconds for a hundred objects with
/// occluders that are met before, growing with the square of that number. The horizon's columns are
/// then those of the query; its statistics, and whether it has given up, stay as they were.
/// @param set the set whose history decides about hysteresis; NULL: none.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or a view that is not valid;
/// ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_BUSY; with a horizon also what acre_culling_query_view
/// refuses. On error *out is left alone.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_explain(const acre_culling *culling,
                                                       const acre_view *view,
                                                       const acre_visible_set *set,
                                                       acre_entity entity, acre_explanation *out);

/// Writes a sentence in English, without a newline.
/// @return the length of the whole text, like snprintf.
ACRE_EXPERIMENTAL_API size_t acre_explanation_text(const acre_explanation *explanation, char *text,
                                                   size_t size);

/// acre_quadtree_trace for a view: visits every node, group and entity of the moving tree, then of
/// the static tree, then the never-culled entities, each with what became of it. An item's number
/// is an entity's slot. The items that are inside or kept are those that acre_culling_query_view
/// finds. An entity is also dropped if rules of distance or size hide it. A never-culled entity is
/// inside, or dropped by its layers, and stands in no node. O(nodes + entities).
/// @return ACRE_OK, also if the visitor stopped; ACRE_ERROR_INVALID_ARGUMENT for NULL or an invalid
/// view; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_trace(const acre_culling *culling,
                                                     const acre_view *view,
                                                     acre_trace_visitor visit, void *user);

ACRE_EXTERN_C_END

#endif
