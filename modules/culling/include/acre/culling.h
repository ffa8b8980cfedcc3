// SPDX-License-Identifier: MIT
// culling.h - what is visible: the module that keeps a scene's entities in a loose quadtree.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// The culler follows registered entities through every commit of the scene; a query answers the
// slots of the entities that a camera sees. Entities marked ACRE_ENTITY_STATIC stand in a tree of
// their own: commits cost less while they stand still, queries walk a second tree
// (modules/culling/README.md has figures).
//
// Typical use:
//     acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling);
//     ... each frame: acre_entity_set_local(...); acre_scene_commit(scene);
//     size_t count = acre_culling_query(culling, &camera, slots, capacity);
//
// Threading: queries are const and may run on many threads, also while setters record edits in the
// scene. register, unregister and both refresh calls are exclusive, like acre_scene_commit. Builds
// with ACRE_CHECK >= 1 detect misuse: functions that return a count assert and return 0, the others
// answer ACRE_ERROR_BUSY. With tasks (acre_culling_set_tasks) a view with rules, LODs or sums that
// takes longer than about 50 us is divided; results and their order stay the same. It needs 100 KiB
// of stack.
//
// Memory: if the allocator fails in a commit, acre_scene_commit answers ACRE_ERROR_OUT_OF_MEMORY.
// An entity that found no room in its tree is visible to every query until the next commit, which
// tries again. An entity is missing only if there was no room for its slot. With register_all a
// commit answers ACRE_ERROR_CAPACITY for an entity whose slot is at or above the tree's
// item_capacity; queries do not find that entity.
#ifndef ACRE_CULLING_H
#define ACRE_CULLING_H

#include <acre/occluder.h>
#include <acre/quadtree.h>
#include <acre/scene.h>
#include <acre/tasks.h>
#include <acre/view.h>

ACRE_EXTERN_C_BEGIN

typedef struct acre_culling acre_culling;

typedef struct acre_culling_def {
    acre_quadtree_def tree; ///< for both trees; its allocator and item_capacity hold for the
                            ///< culler itself too
    bool register_all;      ///< registers every entity that has bounds or ACRE_ENTITY_NEVER_CULL;
                            ///< an entity that you unregister stays out until you register it
} acre_culling_def;

/// Creates a culler and attaches it to the scene. If the scene is destroyed first, the culler is
/// empty from then on. Queries find registered entities alone: without register_all none, until
/// acre_culling_register is called; with it none whose def has NULL bounds. Both are valid;
/// acre_culling_explain names the reason, and acre_culling_get_stats counts such entities.
/// @param def NULL: zero, so that all defaults hold.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and as acre_quadtree_create;
/// ACRE_ERROR_CAPACITY if register_all meets a slot at or above the tree's item_capacity;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY, also from within a commit hook. On error *out is
/// NULL.
ACRE_API ACRE_RESULT acre_culling_create(acre_scene *scene, const acre_culling_def *def,
                                         acre_culling **out);

/// Detaches and frees. NULL is allowed.
ACRE_API void acre_culling_destroy(acre_culling *culling);

/// Follows an entity from now on. Queries find it at once if it is part of the last commit, else
/// from the next commit on. On error nothing changed.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_EXISTS; ACRE_ERROR_CAPACITY for a slot at or above the tree's item_capacity;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_register(acre_culling *culling, acre_entity entity);

/// Follows an entity no longer: queries do not find it.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_NOT_FOUND if it is not registered; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_unregister(acre_culling *culling, acre_entity entity);

/// @return whether the entity is registered, by acre_culling_register or by register_all; false for
/// a stale handle.
ACRE_API bool acre_culling_is_registered(const acre_culling *culling, acre_entity entity);

/// Recomputes the world boxes of the entity and its subtree now, without waiting for the commit.
/// World boxes that were set stay. Flags and layers wait for the commit.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_NOT_COMMITTED; ACRE_ERROR_CAPACITY as acre_culling_create; ACRE_ERROR_OUT_OF_MEMORY,
/// as in a commit; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_refresh(acre_culling *culling, acre_entity entity);

/// Gives an entity a world box at once (skinned mesh, own physics): what one row of
/// acre_scene_set_world_bounds does, and queries see it without a commit. The box holds whatever
/// moves, until the entity's bounds are set again. Of an entity that was never committed queries
/// see it from the next commit on. Where many entities get boxes each frame, the batch and the
/// commit cost a fraction of that. The entity must be registered: with register_all, one without
/// bounds is not, and acre_culling_register comes first.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_NOT_FOUND if it is not registered;
/// ACRE_ERROR_INVALID_ARGUMENT for NULL, for a NaN or inverted box and over a host's objects;
/// ACRE_ERROR_OUT_OF_MEMORY, as in a commit; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_refresh_bounds(acre_culling *culling, acre_entity entity,
                                                 const acre_aabb *world);

/// Rebuilds both trees in the order in which queries read them. Call it after loading bit by bit or
/// after long churn; a commit that at least doubles the number of entities does it by itself.
/// O(entities), see acre_quadtree_optimize.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_OUT_OF_MEMORY: a tree that
/// found no memory is unchanged; ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_optimize(acre_culling *culling);

/// Makes room, so that a frame which brings no more than this finds it: for that many slots of the
/// scene (or of the host's objects), and for that many objects in the moving and in the static
/// tree. A load that builds a tree anew needs memory for the time of the call all the same
/// (acre_quadtree_insert_many).
/// @param still 0: nothing will be static.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_CAPACITY above the tree's
/// item_capacity, and for more objects than slots; ACRE_ERROR_OUT_OF_MEMORY: what found room keeps
/// it; ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_reserve(acre_culling *culling, size_t slots,
                                                       size_t moving, size_t still);

/// Gives back what the trees have room for beyond their items, as after a region was unloaded. What
/// a slot takes, 4 bytes and a bit or two, stays. The next objects find less room. O(objects).
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL; ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_trim(acre_culling *culling);

/// Replaces the table of rules (view.h): limits of distance, size and LODs, one rule for each kind
/// of entity. The number of a rule is its position in the table plus 1; numbers beyond the table
/// stand for no rule. The table is copied.
/// @param count at most 65535.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, NaN or negative limits and for rising
/// lod_pixels; ACRE_ERROR_CAPACITY for a larger count; ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY.
/// On error the table is unchanged.
ACRE_API ACRE_RESULT acre_culling_set_rules(acre_culling *culling,
                                            const acre_visibility_rule *rules, size_t count);

/// Gives an entity a rule at once; it keeps the rule until it is destroyed. It need not be
/// registered. Without this call an entity has the rule of its acre_entity_def, from the commit or
/// the registration on with which the culler gets to know it.
/// @param rule the number of the rule; 0: none.
/// @return ACRE_OK; ACRE_ERROR_STALE_HANDLE; ACRE_ERROR_INVALID_ARGUMENT for NULL and for a number
/// above 65535; ACRE_ERROR_CAPACITY as acre_culling_register; ACRE_ERROR_OUT_OF_MEMORY;
/// ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_set_rule(acre_culling *culling, acre_entity entity,
                                           uint32_t rule);

/// @return the number of the entity's rule; 0 without one and for a stale handle.
ACRE_API uint32_t acre_culling_get_rule(const acre_culling *culling, acre_entity entity);

/// acre_horizon_begin at the eye of a camera. The near radius is the distance to the farthest
/// corner of its near plane, in any clip convention, also where that plane is oblique. Nothing is
/// hidden from an orthographic camera, where the view is not affine or the projection moves the
/// eye, and where the near plane does not cross all edges of the picture ahead of the eye.
/// @param region of eyes around that of the camera, as in acre_horizon_begin. NULL: that alone.
/// @return as acre_horizon_begin; ACRE_ERROR_INVALID_ARGUMENT also as acre_camera_frustum.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_horizon_begin_camera(struct acre_horizon *horizon,
                                                            const acre_camera *camera,
                                                            const float *region);

/// One entity has at most so many occluders.
#define ACRE_CULLING_MAX_OCCLUDERS 32

/// Gives an entity occluders: what it hides others with, where a view has a horizon (horizon.h).
/// They are copied, replace those that it had, and are its own until it is destroyed. A commit
/// costs the same with and without them.
///
/// Over a scene they are in the entity's space, and stand where the matrix of the last commit puts
/// them: as the whole prism where that keeps y upright (it may turn about y, scale and mirror), and
/// rounded inward. Under a tilt a smaller prism remains, or none, and none without a bottom. Over a
/// host's objects (acre_culling_object names the row) they are in world space, and gone from the
/// next update on that reads a box of the object: one that moves it, or has ACRE_ALL_MOVED, or
/// relabels it and has boxes by slot. Then set them again.
///
/// The box of the object must hold them sideways, and cuts them off above and below; else they are
/// out of use, as when an entity has a box of its own in another place. Of a host's never-culled
/// object, and of an entity without bounds, no box is known: there only two-sided ones hide. They
/// must lie within what is drawn of every LOD. What is hidden by a flag, or not found by a query,
/// hides nothing.
/// @param occluders each valid. Not read where count is 0.
/// @param count at most ACRE_CULLING_MAX_OCCLUDERS; 0: it has none any more.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL and an occluder that is not valid;
/// ACRE_ERROR_CAPACITY for a larger count and as acre_culling_register; ACRE_ERROR_STALE_HANDLE;
/// ACRE_ERROR_OUT_OF_MEMORY; ACRE_ERROR_BUSY. On error the entity keeps what it had.
/// Threading: exclusive.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_set_occluders(acre_culling *culling,
                                                             acre_entity entity,
                                                             const acre_occluder *occluders,
                                                             size_t count);

/// Writes the slots of the visible entities, each once: those of the moving tree, then those of the
/// static tree, each in the tree's order, then the never-culled ones in ascending order. If rules
/// of distance or size apply, acre_view_test_rules decides about each entity in the volumes, and
/// the order within a tree is that of acre_quadtree_query_visit_groups. Hysteresis needs an
/// acre_visible_set.
///
/// With a horizon, over a culler that has occluders, the query is one walk near first. What it
/// finds hides with its occluders what comes behind. The order is the reverse then: the
/// never-culled ones, which are never hidden, those of the static tree, those of the moving tree.
/// All that is visible from an eye of the horizon's region is found, and some of what is hidden;
/// which of that depends on the view and the shape of the trees, not on kernels and workers. The
/// horizon is begun anew where acre_horizon_begin put it; occluders that were added by hand are
/// gone.
///
/// Where a walk does not pay it gives up: after 16 objects with occluders, or 256 without, none of
/// which rises above the height of the eye less a tenth of its distance; and where it has paid
/// 2,048 questions more than it won: an occluder costs ten, and a hidden object is worth twenty.
/// Then the query answers as without a horizon, in that order. The next 15 queries are plain, and
/// twice as many each time that it gives up again, up to 127; but it is asked at once when the eye
/// has sunk to where one of those objects rises. acre_horizon_get_stats tells.
/// @param slots NULL: room for none, whatever the capacity; the call counts.
/// @param total receives the number of visible entities, of which at most capacity are written; the
/// room behind them may be overwritten. May be NULL.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, an invalid view, and an eye outside the
/// region in which the view's horizon was begun; ACRE_ERROR_BUSY, also while another call uses the
/// horizon; ACRE_ERROR_OUT_OF_MEMORY with a horizon alone. On error *total is 0.
ACRE_API ACRE_RESULT acre_culling_query_view(const acre_culling *culling, const acre_view *view,
                                             uint32_t *slots, size_t capacity, size_t *total);

/// The same for any convex volume, without rules.
/// @param layers 0: all layers.
/// @return as acre_culling_query_view.
ACRE_API ACRE_RESULT acre_culling_query_frustum(const acre_culling *culling,
                                                const acre_frustum *frustum, uint32_t layers,
                                                uint32_t *slots, size_t capacity, size_t *total);

/// The same for a camera, whose planes are extracted in the call. Rules of distance apply; rules of
/// size do not, because the height of the picture is unknown.
/// @return the number of visible entities. A camera without a valid frustum sees everything in its
/// layers: acre_view_from_camera answers an error.
ACRE_API size_t acre_culling_query(const acre_culling *culling, const acre_camera *camera,
                                   uint32_t *slots, size_t capacity);

/// Writes the slots of the entities in a shape, each once, in the order of acre_culling_query_view,
/// or ascending with ACRE_QUERY_SORTED. A never-culled entity is found by every shape that shares a
/// layer with it, and no exclude drops it. Statistics are the sums of both trees. The index1 of an
/// entity as except_item1 leaves that entity out. All else is as in acre_quadtree_query: NaN is
/// refused.
/// @param total receives the number of entities found; may be NULL.
/// @return as acre_quadtree_query.
ACRE_API ACRE_RESULT acre_culling_query_shape(const acre_culling *culling, const acre_query *query,
                                              uint32_t *slots, size_t capacity, size_t *total);

/// Finds the nearest entities in a shape, nearest first; of two at the same distance the smaller
/// slot comes first. It is acre_quadtree_query_nearest for both trees together. Never-culled
/// entities are not found. The index1 of an entity as except_item1 leaves that entity out.
/// @param count receives how many hits were written, or with a capacity of 0 how many there are;
/// must not be NULL.
/// @return as acre_quadtree_query_nearest; hits[i].item is a slot.
ACRE_API ACRE_RESULT acre_culling_query_nearest(const acre_culling *culling,
                                                const acre_query *query, acre_query_hit *hits,
                                                size_t capacity, size_t *count);

/// @return the tree of the entities that are not static, for statistics, drawing and queries.
ACRE_API const acre_quadtree *acre_culling_tree(const acre_culling *culling);

/// @return the tree of the static entities; NULL until the first commit that has one.
ACRE_API const acre_quadtree *acre_culling_static_tree(const acre_culling *culling);

/// Receives a tree, a new one before its first item, to attach a recorder (record.h) or a listener
/// (quadtree_calls.h). It must not edit the tree.
typedef void (*acre_culling_tree_hook)(void *context, acre_quadtree *tree, bool is_static);

/// Calls the hook for each existing tree now, and for the static tree when it is made. NULL removes
/// the hook. Detach what you attached before you destroy the culler. Use a tree with a listener
/// from one thread; what the culler's workers do keeps to that.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL culler; ACRE_ERROR_BUSY.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_culling_set_tree_hook(acre_culling *culling,
                                                             acre_culling_tree_hook hook,
                                                             void *context);

/// Gives the culler and its trees workers. acre_culling_find_visible_many then finds views side by
/// side. These are divided where they are large: one view with rules, LODs or sums;
/// acre_culling_optimize; a commit in which most entities moved; receivers and casters (casters.h);
/// draw lists (draw_list.h); pairs and contacts (entity_pairs.h). Results are the same bits as
/// without.
/// @param tasks copied; NULL: serial again.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for a NULL culler and for tasks without a function;
/// ACRE_ERROR_BUSY.
/// Threading: exclusive.
ACRE_API ACRE_RESULT acre_culling_set_tasks(acre_culling *culling, const acre_tasks *tasks);

typedef struct acre_culling_stats {
    acre_quadtree_stats moving; ///< acre_culling_tree
    acre_quadtree_stats still;  ///< acre_culling_static_tree; zero without one
    size_t never_culled;        ///< entities that every query finds
    uint64_t visits;            ///< entities that commits visited since create
    size_t bytes;               ///< all memory of the culler, both trees included
    size_t unregistered;        ///< entities of the last commit that no query can find, because
                                ///< nobody registered them
    size_t without_bounds;      ///< of them, those that register_all left out because they have no
                                ///< bounds
} acre_culling_stats;

/// Writes zeros for NULL. O(entities).
/// @param out NULL: nothing happens.
ACRE_API void acre_culling_get_stats(const acre_culling *culling, acre_culling_stats *out);

/// Checks every numbered invariant of the culler (culling_internal.h) and of both trees. It belongs
/// to the thread that commits. O(entities).
/// @param message receives the broken rule; may be NULL.
/// @return ACRE_OK; ACRE_ERROR_FORMAT if a rule is broken; ACRE_ERROR_INVALID_ARGUMENT for NULL;
/// ACRE_ERROR_BUSY.
ACRE_API ACRE_RESULT acre_culling_validate(const acre_culling *culling, char *message, size_t size);

ACRE_EXTERN_C_END

#endif
