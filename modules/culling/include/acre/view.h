// SPDX-License-Identifier: MIT
// view.h - what is asked of the culler: a volume, layers, and rules of distance and size.
//
// A view is a camera made ready for queries, or any other volume with a place to measure from. It
// is the caller's struct, copied freely. Zero sees everything.
//
// Words used here:
//     distance   from the eye to the nearest point of an entity's world box; 0 within it
//     size       pixels that the diagonal of the box covers at that distance
//     LOD        level of detail: 0 is the finest
//     rule       limits of distance and size, and those between LODs, of a kind of entity
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

/// In acre_view.flags.
enum {
    ACRE_VIEW_IGNORE_RULES = 1u << 0,    ///< entities' own rules do not count, and no LOD is chosen
    ACRE_VIEW_EXCLUDE_TOUCHING = 1u << 1 ///< exclude drops whatever touches it
};

/// What a view asks. An entity is visible if each of the following calls it visible; a zero asks
/// nothing. Zero-initialise, then acre_view_from_camera, or write the fields. Planes of frustum
/// with NaN hide nothing; nothing else may be NaN, nor a number negative, nor eye infinite.
typedef struct acre_view {
    acre_frustum frustum; ///< acre_frustum_test_aabb; any convex volume
    uint32_t layers;      ///< the entity shares a bit with it; 0: all
    uint32_t flags;       ///< ACRE_VIEW_...
    float eye[3];         ///< where distances are measured from, world units
    float min_distance;   ///< nearer entities are hidden
    float max_distance;   ///< farther entities are hidden; 0: no limit
    float pixels;         ///< that a length of 1 covers at a distance of 1, or everywhere if
                          ///< is_parallel; 0: sizes are not known, so that no rule of size counts
    bool is_parallel;     ///< sizes do not shrink with distance
    float min_pixels;     ///< entities of a smaller size are hidden
    float range_scale;    ///< factor on the distances of entities' rules; 0: 1
    float lod_scale;      ///< factor on sizes before LODs are chosen; 0: 1, larger is finer
    float hysteresis;     ///< 0 to below 1, see acre_visible_set: once inside a limit, an entity is
                          ///< outside only beyond (1 + this) or below (1 - this) times the limit
    const acre_frustum *include; ///< a second volume that the entity touches; NULL: none
    const acre_frustum *exclude; ///< hides entities wholly inside it; NULL: none
} acre_view;

/// Extracts a camera's planes, layers and eye, once for all queries until the camera moves; all
/// other fields are zero.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT for NULL, or for a camera without a valid frustum:
/// the view then sees everything in its layers, as ACRE_VIEW_IGNORE_RULES is set: there is no eye,
/// nor where the matrix sends the origin beyond all floats.
ACRE_API acre_result acre_view_from_camera(acre_view *out, const acre_camera *camera);

/// Makes sizes known: pixels and is_parallel, from the camera's projection.
/// @param height of the picture in pixels, > 0, finite.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and the view is unchanged.
ACRE_API acre_result acre_view_set_viewport(acre_view *view, const acre_camera *camera,
                                            float height);

/// @return whether the fields are within their ranges.
ACRE_API bool acre_view_is_valid(const acre_view *view);

/// Limits between LODs that a rule has at most; there is one LOD more.
#define ACRE_LOD_LIMITS 7

/// Limits of a kind of entity. The stricter of this and the view's own limit counts.
typedef struct acre_visibility_rule {
    float min_distance;                ///< times range_scale; nearer entities are hidden
    float max_distance;                ///< times range_scale; 0: no limit
    float min_pixels;                  ///< entities of a smaller size are hidden
    float lod_pixels[ACRE_LOD_LIMITS]; ///< falling; below the first the LOD is 1, below the
                                       ///< second 2, ..; the first 0 ends the list
} acre_visibility_rule;

/// What the rules measure on one box.
typedef struct acre_view_measure {
    float distance; ///< world units
    float pixels;   ///< INFINITY at a distance of 0; 0 where sizes are not known
} acre_view_measure;

/// Measures a valid box, for messages and for choices of the caller's.
ACRE_API acre_view_measure acre_view_measure_aabb(const acre_view *view, const acre_aabb *box);

/// What hides an entity: the first in this order. The last three are rules of distance and size.
typedef enum acre_hidden_by {
    ACRE_HIDDEN_BY_NOTHING = 0,  ///< it is visible
    ACRE_HIDDEN_BY_REGISTRATION, ///< it is not registered with the culler
    ACRE_HIDDEN_BY_COMMIT,       ///< it was not in the last commit
    ACRE_HIDDEN_BY_FLAG,         ///< ACRE_ENTITY_HIDDEN, its own or an ancestor's
    ACRE_HIDDEN_BY_NO_BOX,       ///< it has no bounds, or an empty box
    ACRE_HIDDEN_BY_LAYERS,       ///< it shares no layer with the view
    ACRE_HIDDEN_BY_PLANE,        ///< outside frustum
    ACRE_HIDDEN_BY_INCLUDE,      ///< outside include
    ACRE_HIDDEN_BY_EXCLUDE,      ///< inside exclude
    ACRE_HIDDEN_BY_MIN_DISTANCE,
    ACRE_HIDDEN_BY_MAX_DISTANCE,
    ACRE_HIDDEN_BY_SIZE
} acre_hidden_by;

/// The definition of the rules of distance and size, for every query. With d the float differences
/// max(max(min - eye, eye - max), 0) per axis and e = max - min, without FMA:
///     distance2 = (dx dx + dy dy) + dz dz,  extent2 = (ex ex + ey ey) + ez ez
///     hidden if distance2 < limit limit of min_distance, if distance2 > limit limit of
///     max_distance, or if extent2 (pixels pixels) < (limit limit) distance2 of min_pixels,
///     without distance2 if is_parallel; the LOD is the number of limits for which the latter
///     holds, with pixels times lod_scale in place of pixels
/// A limit is the stricter of the view's and, times range_scale, the rule's; where hysteresis
/// counts, times 1 + hysteresis if it is a maximum and 1 - hysteresis if it is a minimum. A LOD
/// that a box had stays while it lies between those that it would have with and without hysteresis.
/// NaN, of infinite boxes, is doubt, and doubt means visible.
/// @param rule the entity's; NULL: none.
/// @param last the LOD that it had when it was visible last, and the view's hysteresis counts;
/// NULL: it was not visible.
/// @param lod receives the LOD of a visible box; may be NULL.
/// @return ACRE_HIDDEN_BY_NOTHING, or which of the last three hides it.
ACRE_API acre_hidden_by acre_view_test_rules(const acre_view *view,
                                             const acre_visibility_rule *rule, const acre_aabb *box,
                                             const uint32_t *last, uint32_t *lod);

ACRE_EXTERN_C_END

#endif
