// SPDX-License-Identifier: MIT
// casters_internal.h - a cascade as seen along its light, or what is around a light at a place,
// and the grid of its receivers.
//
// Light space has the axes u and v across the light and w along it, all of length 1 and
// perpendicular; a point p is at (u.p, v.p, w.p). A box throws its shadow toward larger w.
#ifndef ACRE_CASTERS_INTERNAL_H
#define ACRE_CASTERS_INTERNAL_H

#include <acre/casters.h>

#include "culling_shared.h"
#include "object_internal.h"

#include <float.h>

/// A direction whose cosine with the light is smaller counts as perpendicular to the light: a
/// division by that cosine would leave no certain digit.
#define LIGHT_PARALLEL 0x1p-23

/// Share of the volume's reach by which every bound in double precision is widened. The sums of
/// products here err by less than 2^-49 of the reach; a bound that is divided by a cosine is
/// widened before the division.
#define LIGHT_MARGIN 0x1p-40

/// A cascade in light space.
typedef struct light_space {
    double axes[3][3];      ///< u, v, w in the world
    double reach;           ///< the farthest distance from the world's origin to the light volume
    double margin;          ///< LIGHT_MARGIN of reach
    double rectangle[2][2]; ///< around the slice's outline: [u, v][least, most]
    double depth[2];        ///< of the light volume along w: [least, most]
    acre_aabb bounds;       ///< contains the light volume
    acre_aabb slice_bounds; ///< contains what the slice and the light volume have in common
    bool is_empty;          ///< the slice and the light volume have nothing in common
    uint32_t plane_count;
    double planes[ACRE_FRUSTUM_MAX_PLANES][4]; ///< the slice's, in light space; normals of length 1
    acre_frustum slice;                        ///< those planes as the cascade has them
    acre_frustum casters;                      ///< acre_cascade_caster_frustum
    uint32_t layers;                           ///< of the cascade's camera
} light_space;

// casters_volume.c

/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT, and *out is undefined.
acre_result acre_light_space_make(light_space *out, const acre_cascade *cascade);

/// The mark of a column without receivers: no depth in a volume below 2^50 is as small.
#define NO_RECEIVER (-FLT_MAX)
/// A half extent that bounds nothing.
#define UNBOUNDED 1e300
/// Levels of a grid of 512 cells a side.
#define MOST_LEVELS 10

/// A light at a place, see casters_light.c. Planes are relative to it and in units of its range.
typedef struct light_cube {
    double position[3];
    double range;
    uint32_t side;    ///< cells along a side of each face
    uint32_t laid;    ///< bits: faces whose cells are filled. The others have no receiver
    bool is_empty;    ///< the light reaches nothing that is seen
    bool has_cone;    ///< some cells are outside
    bool is_cone;     ///< and queries ask for the cone
    float cone_limit; ///< the square of the cosine from which on cells are inside, with its sign
    double axis[3];   ///< of the cone; length 1
    acre_sphere sphere;
    acre_cone cone;
    uint32_t plane_count; ///< of the seen volume: those that come into the light's reach
    double planes[ACRE_FRUSTUM_MAX_PLANES + 1][4]; ///< and room for one that does not
} light_cube;

// The grid. A column is a square of (u, v) times all w. The points of a convex volume in it lie
// between two depths: each plane bounds w from below or from above by a linear function of u and v,
// whose least or most value in the square is that in its middle less or more a constant. The volume
// of a box has three such bounds on each side, that of the slice one for each plane.
//
// Invariants, after begin:
//     1 where something of the slice is in a column, slice[0] is at most and slice[1] at least its
//       depth; elsewhere they are FLT_MAX and -FLT_MAX
//     2 a mark is NO_RECEIVER, or in slice[0]..slice[1] of its cell
//     3 with is_settled, no coarse mark is left, and most has the largest mark of level 0 in each
//       coarse cell
struct acre_receivers {
    acre_allocator allocator;
    light_space space;
    uint32_t resolution, level_count;
    size_t offsets[MOST_LEVELS + 1]; // of each level in the arrays below
    COLUMN_OF(float) levels;         // holds the next four arrays
    float *slice[2];                 // of each column: least and most depth of the slice
    float *marks;                    // the most depth of a receiver
    float *most;                     // of level 1 on
    double origin;                   // depths in the arrays are relative to it
    double cell[2];                  // size along u and v, level 0
    double cells_per_meter[2];
    // Of the planes across each axis of the world, see find_bounds.
    double slope[3];     // 1 / W; 0 where the light is across the axis, and nothing is bounded
    double along[3][2];  // what a column more along u and v adds
    double corner[3];    // where the grid begins, at w = 0
    double unbounded[3]; // 0, or UNBOUNDED
    bool is_begun, is_settled, has_coarse;
    bool is_light; // the grid is that of a light at a place: level 0 holds the faces of its cube
    light_cube cube;
    const struct acre_horizon *horizon; // NULL: none
    float filter;                       // how far beside a shadow it darkens
    size_t cell_count;                  // of level 0
    COLUMN_OF(float) share_marks;       // marks of each share of a call but the first
};

static inline float depth_max(float a, float b)
{
    return a > b ? a : b;
}

static inline float depth_min(float a, float b)
{
    return a < b ? a : b;
}

static inline double larger_bound(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller_bound(double a, double b)
{
    return a < b ? a : b;
}

static inline size_t level_side(const acre_receivers *receivers, uint32_t level)
{
    ACRE_INVARIANT(level < receivers->level_count);
    return receivers->resolution >> level;
}

// casters_boxes.c

/// Marks the columns that a valid box reaches, on a level where it spans at most at_most cells
/// along a side, or on the coarsest one.
void acre_receivers_mark(acre_receivers *receivers, const acre_aabb *box, uint32_t at_most);

/// The second half of acre_receivers_test_aabb, of settled receivers.
bool acre_receivers_reach(const acre_receivers *receivers, const acre_aabb *box);

// casters_horizon.c

/// Whether the horizon hides all on which a caster's shadow may fall.
/// @param begin, end depths relative to the origin: of the box, and of the last receiver.
bool acre_receivers_shadow_is_hidden(const acre_receivers *receivers, const acre_aabb *box,
                                     double begin, double end);

// casters_light.c

/// acre_receivers_mark and acre_receivers_reach, of receivers of a light at a place.
void acre_light_mark(acre_receivers *receivers, const acre_aabb *box);

/// Lays the faces that are not laid yet: before they are marked elsewhere than by acre_light_mark.
void acre_light_lay_faces(acre_receivers *receivers);

/// @param all_faces false: any one of the faces is enough.
/// @return a bit for each face on which the box is a caster.
uint32_t acre_light_reach(const acre_receivers *receivers, const acre_aabb *box, bool all_faces);

/// @return false: the light reaches nothing that is seen, or, of casters, nothing has received.
static inline bool acre_light_may_find(const acre_receivers *receivers, bool marks)
{
    return marks ? !receivers->cube.is_empty : receivers->cube.laid != 0;
}

// casters_grid.c

/// Brings all levels up to date with the marks; call it before tests. Does nothing without new
/// marks.
void acre_receivers_settle(acre_receivers *receivers);

/// Marks everything that is in the slice.
void acre_receivers_mark_all(acre_receivers *receivers);

/// The cascade of the last begin; of a light, its slice, slice_bounds and layers. NULL before it.
const light_space *acre_receivers_space(const acre_receivers *receivers);

/// Makes room for the marks of so many shares. @return false: no memory.
bool acre_receivers_reserve_shares(acre_receivers *receivers, uint32_t shares);

/// Receivers without a mark, for one share to mark: a copy that shares all else.
acre_receivers acre_receivers_of_share(const acre_receivers *receivers, uint32_t share);

/// Adds the marks of a share's receivers.
void acre_receivers_join(acre_receivers *receivers, uint32_t share, bool has_coarse);

// casters.c

/// Slots of one tree: to be marked, or to be tested and written.
typedef struct caster_walk {
    culling_reader reader;
    acre_receivers *receivers;
    uint32_t *slots;
    uint8_t *faces; ///< of slots; NULL: not wanted
    size_t capacity, count;
} caster_walk;

/// What marking a list of slots has met.
typedef struct marked_slots {
    bool has_missing; ///< a slot that queries cannot find
    bool has_never;   ///< a never-culled entity
} marked_slots;

/// Visitors of a tree's groups: they mark receivers, and write casters.
bool acre_casters_mark_group(void *walk, const acre_item_group *group);
bool acre_casters_test_group(void *walk, const acre_item_group *group);

/// Marks slots[0] to slots[count - 1].
void acre_casters_mark_slots(const caster_walk *walk, const uint32_t *slots, size_t count,
                             marked_slots *met);

// casters_shares.c

/// Visits a tree's items on the culler's workers: marks them, or writes casters behind those that
/// are there, in the order of one thread.
acre_result acre_casters_visit_in_shares(caster_walk *walk, const acre_quadtree *tree,
                                         const acre_query *query, bool marks);

/// acre_casters_mark_slots on the culler's workers, if it pays. @return false: it does not, and
/// nothing is changed.
bool acre_casters_mark_in_shares(const caster_walk *walk, const uint32_t *slots, size_t count,
                                 marked_slots *met);

#endif
