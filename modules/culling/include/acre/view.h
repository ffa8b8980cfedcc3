// SPDX-License-Identifier: MIT
// view.h - what a query asks of the culler: a volume, layers, and rules of distance and size.
//
// Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor
// version.
//
// A view is a camera prepared for queries, or any other convex volume with a point that distances
// are measured from. It is the caller's struct and may be copied. A zero view sees everything.
//
// Words used here:
//     distance   from the eye to the nearest point of an entity's world box; 0 within it
//     size       pixels that the diagonal of the box covers at that distance
//     LOD        level of detail: 0 is the finest
//     rule       limits of distance, size and LODs for one kind of entity
//     depth      distance along the view direction, in units of view space
//
// Typical use:
//     acre_view view;
//     acre_view_from_camera(&view, &camera);
//     acre_view_set_viewport(&view, &camera, 1080.0f);
//     view.max_distance = 800.0f;
//     view.min_pixels = 2.0f;
//
// Threading: pure functions on the caller's struct.
#ifndef ACRE_VIEW_H
#define ACRE_VIEW_H

#include <acre/camera.h>

ACRE_EXTERN_C_BEGIN

struct acre_horizon; // acre/horizon.h

/// In acre_view.flags.
enum {
    ACRE_VIEW_IGNORE_RULES = 1u << 0,    ///< ignores the entities' rules; every LOD is 0
    ACRE_VIEW_EXCLUDE_TOUCHING = 1u << 1 ///< exclude hides whatever touches it
};

/// The conditions of a query. An entity is visible if it meets all of them; a field of zero is no
/// condition. Start from zero or acre_view_from_camera, then set fields. A plane of frustum with
/// NaN hides nothing. In all other fields NaN, negative limits and an infinite eye or depth are
/// invalid.
typedef struct acre_view {
    acre_frustum frustum; ///< acre_frustum_test_aabb; any convex volume
    uint32_t layers;      ///< the entity shares a bit with this mask; 0: all layers
    uint32_t flags;       ///< ACRE_VIEW_...
    float eye[3];         ///< distances are measured from this point, world units
    float min_distance;   ///< nearer entities are hidden
    float max_distance;   ///< farther entities are hidden; 0: no limit
    float pixels;         ///< pixels that a length of 1 covers at a distance of 1, or anywhere if
                          ///< is_parallel; 0: sizes are unknown and rules of size are ignored
    bool is_parallel;     ///< sizes do not shrink with distance
    float min_pixels;     ///< entities of a smaller size are hidden
    float range_scale;    ///< factor on the distances of entities' rules; 0 means 1
    float lod_scale;      ///< factor on sizes before LODs are chosen; larger is finer; 0 means 1
    float hysteresis;     ///< 0 to below 1, for visible sets: an entity that was visible is hidden
                          ///< only above (1 + this) or below (1 - this) times the limit
    /// A second volume that the entity must touch; NULL: none. Not for shadows: a light's view with
    /// include = the camera's frustum loses each caster that is beside the picture and throws its
    /// shadow into it. casters.h finds those.
    const acre_frustum *include;
    const acre_frustum *exclude; ///< hides entities that lie wholly inside it; NULL: none
    float depth[4]; ///< depth of a point p: depth[0..2] . p + depth[3]; for acre_visible_sum alone
    /// Hides what is surely behind the occluders of others, from every eye of its region
    /// (horizon.h, acre_culling_query_view). Begin it before each finding in which the eye has
    /// moved. For one view at a time. NULL, a horizon that was not begun, is_parallel: nothing is
    /// hidden. Experimental.
    struct acre_horizon *horizon;
} acre_view;

/// Takes a camera's planes, layers, eye and depth. Call it once per camera and frame, then run as
/// many queries as needed. All other fields become zero.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL or a camera without a valid frustum: the
/// view then sees everything in its layers. Where the camera has no finite eye,
/// ACRE_VIEW_IGNORE_RULES is set, because no distance can be measured.
ACRE_API ACRE_RESULT acre_view_from_camera(acre_view *out, const acre_camera *camera);

/// Sets pixels and is_parallel from the camera's projection, so that rules of size apply.
/// @param height height of the picture in pixels; > 0 and finite.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the view is unchanged.
ACRE_API ACRE_RESULT acre_view_set_viewport(acre_view *view, const acre_camera *camera,
                                            float height);

/// Moves a view along with its world: planes, eye and depth. Planes go a little outward, by 2^-20
/// of the way and of their distance from the origin, so that nothing is lost; for the exact view
/// make it anew from its camera. What include and exclude point to is yours and stays. Does nothing
/// for NULL and for an offset beyond 2^100.
/// @param offset double[3]: what stood at p stands at p + offset.
ACRE_EXPERIMENTAL_API void acre_view_shift(acre_view *view, const double *offset);

/// Limits between LODs that a rule has at most; there is one LOD more.
#define ACRE_LOD_LIMITS 7

/// Limits for one kind of entity. Where the view has a limit too, the stricter one applies.
typedef struct acre_visibility_rule {
    float min_distance;                ///< times range_scale; nearer entities are hidden
    float max_distance;                ///< times range_scale; 0: no limit
    float min_pixels;                  ///< entities of a smaller size are hidden
    float lod_pixels[ACRE_LOD_LIMITS]; ///< falling sizes: below the first the LOD is 1, below
                                       ///< the second 2, ..; the first 0 ends the list
} acre_visibility_rule;

/// The two numbers that rules compare with their limits.
typedef struct acre_view_measure {
    float distance; ///< world units
    float pixels;   ///< INFINITY at a distance of 0; 0 where sizes are unknown
} acre_view_measure;

/// Measures a valid box, for messages and the caller's own decisions.
ACRE_EXPERIMENTAL_API acre_view_measure acre_view_measure_aabb(const acre_view *view,
                                                               const acre_aabb *box);

/// What is visible, in a few numbers: to fit a shadow camera or depth planes to it. Never-culled
/// entities have no part in it. It is the same for every kernel.
typedef struct acre_visible_sum {
    acre_aabb box;   ///< around the boxes of all visible entities; empty: there is none
    float min_depth; ///< of the nearest corner of any of these boxes; negative behind the eye
    float max_depth; ///< of the farthest corner; both are 0 where box is empty
} acre_visible_sum;

/// Why an entity is hidden: the first reason that holds, in this order.
typedef enum acre_hidden_by {
    ACRE_HIDDEN_BY_NOTHING = 0,  ///< it is visible
    ACRE_HIDDEN_BY_REGISTRATION, ///< it is not registered with the culler
    ACRE_HIDDEN_BY_COMMIT,       ///< it was not in the last commit
    ACRE_HIDDEN_BY_FLAG,         ///< ACRE_ENTITY_HIDDEN, its own or an ancestor's
    ACRE_HIDDEN_BY_NO_BOX,       ///< it has no bounds, or an empty box. Also where register_all
                                 ///< leaves it out for that reason
    ACRE_HIDDEN_BY_LAYERS,       ///< it shares no layer with the view
    ACRE_HIDDEN_BY_PLANE,        ///< outside frustum
    ACRE_HIDDEN_BY_INCLUDE,      ///< outside include
    ACRE_HIDDEN_BY_EXCLUDE,      ///< inside exclude
    ACRE_HIDDEN_BY_MIN_DISTANCE, ///< a rule of distance, as the next one
    ACRE_HIDDEN_BY_MAX_DISTANCE,
    ACRE_HIDDEN_BY_SIZE,     ///< a rule of size
    ACRE_HIDDEN_BY_OCCLUSION ///< behind the occluders of others, as the view's horizon knows; of a
                             ///< frozen set whose view has one: not in the list that it keeps
} acre_hidden_by;

/// Defines the rules of distance and size for all queries. Let d be the float differences
/// max(max(min - eye, eye - max), 0) per axis, and e = max - min, without FMA:
///     distance2 = (dx dx + dy dy) + dz dz,  extent2 = (ex ex + ey ey) + ez ez
///     min_distance m hides if distance2 < m m
///     max_distance m hides if distance2 > m m
///     min_pixels m hides if extent2 (pixels pixels) < (m m) distance2, or (m m) if is_parallel
///     the LOD is the number of lod_pixels for which the same holds, with pixels times lod_scale
/// Each limit is the stricter one of the view's and the rule's; the rule's distances are multiplied
/// by range_scale first. For a box that was visible, hysteresis h multiplies maxima by 1 + h and
/// minima by 1 - h; it keeps its LOD if that lies between the LODs with and without hysteresis.
/// Infinite boxes may give NaN, which hides nothing.
/// @param rule the entity's rule; NULL: none.
/// @param last the LOD that the box had when it was visible; NULL: it was not visible.
/// @param lod receives the LOD of a visible box; may be NULL.
/// @return ACRE_HIDDEN_BY_NOTHING, or the rule of distance or size that hides the box.
ACRE_EXPERIMENTAL_API acre_hidden_by acre_view_test_rules(const acre_view *view,
                                                          const acre_visibility_rule *rule,
                                                          const acre_aabb *box,
                                                          const uint32_t *last, uint32_t *lod);

ACRE_EXTERN_C_END

#endif
