// SPDX-License-Identifier: MIT
// culling.h - what is visible: the module that keeps a scene's entities in a loose quadtree.
//
// The only place where scene and quadtree meet. Registered entities are followed through every
// commit; a query answers the slots of those visible to a camera. Entities marked
// ACRE_ENTITY_STATIC have a tree of their own, which costs a commit nothing while none of them
// changes.
//
// Typical use:
//     acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling);
//     ... each frame: acre_entity_set_local(...); acre_scene_commit(scene);
//     size_t count = acre_culling_query(culling, &camera, slots, capacity);
//
// Threading: queries are const and may run from many threads, also while setters record edits in
// the scene. register, unregister and both refresh calls are exclusive, as acre_scene_commit.
// Builds with ACRE_CHECK >= 1 detect misuse and answer ACRE_ERROR_BUSY, or 0 where a count is
// returned.
//
// Memory: where the allocator fails in a commit, acre_scene_commit answers
// ACRE_ERROR_OUT_OF_MEMORY. Entities that found no room in their tree are visible to every query
// then, and the next commit tries again; only where there was no room for a new slot itself is it
// missing.
#ifndef ACRE_CULLING_H
#define ACRE_CULLING_H

#include <acre/quadtree.h>
#include <acre/scene.h>
#include <acre/view.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_culling acre_culling;

typedef struct acre_culling_def {
    acre_quadtree_def tree; ///< of both trees, the moving and the static one; its item_capacity
                            ///< and allocator default to the heap and no limit
    bool register_all;      ///< every entity with bounds is registered, present and future;
                            ///< one that is unregistered stays out until it is registered again
} acre_culling_def;

/// Attaches itself to the scene. The scene must outlive it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY. On error *out is NULL.
ACRE_API acre_result acre_culling_create(acre_scene *scene, const acre_culling_def *def,
                                         acre_culling **out);
/// Detaches and frees. NULL is allowed.
ACRE_API void acre_culling_destroy(acre_culling *culling);

/// Follows an entity from now on; it is visible to queries from the next commit, or at once if it
/// is part of the last commit.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_EXISTS; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_CAPACITY for a slot at or above the tree's item_capacity.
ACRE_API acre_result acre_culling_register(acre_culling *culling, acre_entity entity);

/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_NOT_FOUND if it is not registered.
ACRE_API acre_result acre_culling_unregister(acre_culling *culling, acre_entity entity);

/// Recomputes the world boxes of the entity and its subtree now, and refreshes those registered,
/// but for those with a box of the caller's. Flags and layers wait for the commit.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_NOT_COMMITTED; ACRE_ERROR_OUT_OF_MEMORY, as
/// in a commit.
ACRE_API acre_result acre_culling_refresh(acre_culling *culling, acre_entity entity);

/// The caller's own world box (skinned mesh, own physics). It holds until the entity next moves in
/// a commit or its bounds are set again.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_NOT_FOUND if it is not registered;
/// ACRE_ERROR_INVALID_ARGUMENT for a NaN or inverted box; ACRE_ERROR_OUT_OF_MEMORY.
ACRE_API acre_result acre_culling_refresh_bounds(acre_culling *culling, acre_entity entity,
                                                 const acre_aabb *world);

/// Builds both trees anew in the order in which queries read them: for after loading bit by bit or
/// long churn. O(entities), see acre_quadtree_optimize. A commit that loads at least as many
/// entities as there are needs no such call.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT; ACRE_ERROR_OUT_OF_MEMORY: a tree that found none
/// is as it was; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_optimize(acre_culling *culling);

/// Replaces the table of rules (view.h): limits of distance, size and LODs, one for each kind of
/// entity. Entities name a rule by its position in the table plus 1; a number beyond the table is
/// no rule. The table is copied.
/// @param count at most 65535.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NaN or negative limits and for rising
/// lod_pixels; ACRE_ERROR_CAPACITY; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error the table
/// is as it was.
ACRE_API acre_result acre_culling_set_rules(acre_culling *culling,
                                            const acre_visibility_rule *rules, size_t count);

/// Gives an entity a rule, at once; it keeps it until it is destroyed. It need not be registered.
/// @param rule its position in the table plus 1; 0: none.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for a number above 65535;
/// ACRE_ERROR_CAPACITY as acre_culling_register; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_set_rule(acre_culling *culling, acre_entity entity,
                                           uint32_t rule);

/// @return the number of its rule; 0 for none or a stale handle.
ACRE_API uint32_t acre_culling_get_rule(const acre_culling *culling, acre_entity entity);

/// Slots of the visible entities, each once: those of the moving tree, in its order, those of the
/// static tree, in its order, and the never-cull entities in ascending order. Where rules of
/// distance or size count, what the volumes find is tested by acre_view_test_rules one by one, and
/// the order within a tree is that of acre_quadtree_query_visit_groups. Hysteresis needs an
/// acre_visible_set.
/// @return how many there are, 0 for a view that is not valid; at most capacity are written, and
/// the room behind the results may be overwritten.
ACRE_API size_t acre_culling_query_view(const acre_culling *culling, const acre_view *view,
                                        uint32_t *slots, size_t capacity);

/// The same, of a camera whose planes are extracted on the way. Rules of distance count; those of
/// size do not, since nobody says how high the picture is.
/// @return how many there are; at most capacity are written. A camera without a valid frustum
/// sees everything in its layers.
ACRE_API size_t acre_culling_query(const acre_culling *culling, const acre_camera *camera,
                                   uint32_t *slots, size_t capacity);

/// The same for any convex volume, without rules. layers 0: all.
ACRE_API size_t acre_culling_query_frustum(const acre_culling *culling, const acre_frustum *frustum,
                                           uint32_t layers, uint32_t *slots, size_t capacity);

/// The same without copying what is wholly inside, see acre_quadtree_query_spans: the spans, one
/// after the other, are what acre_culling_query_frustum answers. Entities that are never culled are
/// copied, in a span of their own at the end. Valid until the next commit, refresh, register or
/// unregister.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_query_spans(const acre_culling *culling,
                                              const acre_frustum *frustum, uint32_t layers,
                                              acre_item_span *spans, size_t span_capacity,
                                              uint32_t *slots, size_t capacity,
                                              acre_span_totals *totals);

/// The same of a prepared view's frustum and layers.
/// @return also ACRE_ERROR_INVALID_ARGUMENT for a view of which more is asked, or where rules of
/// entities that it does not ignore may hide some: spans of the tree cannot leave one out.
ACRE_API acre_result acre_culling_query_view_spans(const acre_culling *culling,
                                                   const acre_view *view, acre_item_span *spans,
                                                   size_t span_capacity, uint32_t *slots,
                                                   size_t capacity, acre_span_totals *totals);

/// Slots of the entities that a query of any shape finds, each once, in the order of
/// acre_culling_query_view; with ACRE_QUERY_SORTED all ascending. A never-cull entity has no box:
/// it is named whatever the volume, and no exclude drops it, if a layer is shared. Statistics are
/// those of both trees.
/// @param total may be NULL.
/// @return as acre_quadtree_query, which it follows in all else: NaN is refused.
ACRE_API acre_result acre_culling_query_shape(const acre_culling *culling, const acre_query *query,
                                              uint32_t *slots, size_t capacity, size_t *total);

/// The entities that a query finds, nearest first, of equally distant ones the smaller slot first:
/// acre_quadtree_query_nearest for both trees together. Never-cull entities have no box, so that
/// they are at no distance and not named.
/// @param count receives how many hits were written; must not be NULL.
/// @return as acre_quadtree_query_nearest; hits[i].item is a slot.
ACRE_API acre_result acre_culling_query_nearest(const acre_culling *culling,
                                                const acre_query *query, acre_query_hit *hits,
                                                size_t capacity, size_t *count);

/// The tree of the entities that are not static, for statistics, drawing and its own queries.
ACRE_API const acre_quadtree *acre_culling_tree(const acre_culling *culling);

/// The tree of the static ones. NULL until the first of them is in a commit.
ACRE_API const acre_quadtree *acre_culling_static_tree(const acre_culling *culling);

/// Is handed a tree, before its first item where the tree is new: the place to attach a recorder
/// (record.h) or a listener (quadtree_calls.h), not to edit the tree.
typedef void (*acre_culling_tree_hook)(void *context, acre_quadtree *tree, bool is_static);

/// Calls the hook for each tree that there is, and for the static tree when it is made. NULL: no
/// hook from now on. What was attached must be gone before the culler is destroyed; a tree that has
/// a listener wants all its calls from one thread.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
ACRE_API acre_result acre_culling_set_tree_hook(acre_culling *culling, acre_culling_tree_hook hook,
                                                void *context);

typedef struct acre_culling_stats {
    acre_quadtree_stats moving; ///< of acre_culling_tree
    acre_quadtree_stats still;  ///< of acre_culling_static_tree; zero without one
    size_t never_culled;        ///< entities that every query names
    size_t own_boxes;           ///< entities with a box of the caller's
    uint64_t visits;            ///< entities that commits looked at since create
    size_t bytes;               ///< all memory the culler holds, both trees included
} acre_culling_stats;

ACRE_API void acre_culling_get_stats(const acre_culling *culling, acre_culling_stats *out);

ACRE_EXTERN_C_END

#endif
