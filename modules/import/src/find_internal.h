// SPDX-License-Identifier: MIT
// find_internal.h - what the files share that find occluders in meshes.
//
// Why a prism that is found hides nothing that is seen: let w(p) be how many triangles above p face
// up, less those that face down. Where each edge has as many triangles on one side as on the other,
// w is the winding number of the surface: it changes by one where a way passes a triangle, upward
// where it meets a front. So a way from a place with w = 0 to one with w > 0 meets a front, however
// the surface meets itself. With open edges that all lie at or below the height of the rim the same
// holds for ways that stay above it. A prism is kept if w > 0 in its middle and no triangle meets
// it: then w > 0 in all of it.
#ifndef ACRE_FIND_INTERNAL_H
#define ACRE_FIND_INTERNAL_H

#include "assert_internal.h"
#include "column_internal.h"
#include "import_internal.h"

enum {
    FIND_CORNERS = 80,   ///< of a polygon while it is cut
    FIND_CROSSINGS = 64, ///< of a vertical line with the surface
    FIND_PRISMS = 64,    ///< of a solid, before the best of them are chosen
};

/// Counterclockwise seen from its front.
typedef struct find_triangle {
    float corners[3][3];
} find_triangle;

/// An edge of the surface, of welded points.
typedef struct find_edge {
    uint32_t low, high; ///< high is 0 in an empty place of the table
    int32_t balance;    ///< how many triangles pass it upward, less those that pass it downward
} find_edge;

/// Part of a triangle between two heights, seen from above; convex.
typedef struct find_obstacle {
    double points[5][2];
    uint32_t count;
    double distance; ///< squared, from where the search begins
} find_obstacle;

/// A vertical line passes a triangle.
typedef struct find_crossing {
    double y;
    int turn; ///< 1: the triangle faces up; -1: down
} find_crossing;

typedef struct find_prism {
    acre_occluder occluder;
    double score;     ///< its surface: four times what is seen of it on average
    double thickness; ///< of the surface around its middle, along its shortest axis
} find_prism;

/// The triangles of a node's meshes, and room for work.
typedef struct finder {
    const acre_allocator *allocator;
    COLUMN_OF(find_triangle) triangles;
    COLUMN_OF(uint32_t) welds;  ///< by point: the first one at its place
    COLUMN_OF(uint32_t) places; ///< a hash table of points
    COLUMN_OF(find_edge) edges; ///< a hash table
    COLUMN_OF(find_obstacle) obstacles;
    uint32_t triangle_count;
    uint32_t obstacle_count;
    bool is_out_of_memory;
    uint64_t work; ///< triangles looked at, in all nodes
    // These describe the solid that is searched now.
    acre_aabb box;
    float rim;         ///< the highest open edge; -INFINITY: there is none
    bool has_slopes;   ///< some triangle is neither level nor upright
    bool has_levels;   ///< some corner is between the lowest and the highest
    bool is_two_sided; ///< its materials are double-sided
    double margin;     ///< prisms keep this distance along the ground: 2^-21 of the largest number
    find_prism prisms[FIND_PRISMS];
    uint32_t prism_count;
} finder;

/// Twice the area of a triangle seen from above; above 0 if it faces up, exactly 0 if it is upright
/// over corners of one place.
static inline double find_area_over(const find_triangle *t)
{
    const float(*const c)[3] = t->corners;
    return ((double)c[2][0] - (double)c[0][0]) * ((double)c[1][2] - (double)c[0][2]) -
           ((double)c[2][2] - (double)c[0][2]) * ((double)c[1][0] - (double)c[0][0]);
}

// find_solid.c

/// Takes the triangles of a node's meshes. @return why nothing can be found in them
acre_import_reason acre_find_open(finder *f, const acre_import_model *model,
                                  const acre_import_node *node);

/// The crossings of the vertical line at x and z, from above. @return how many; UINT32_MAX: too
/// many, or one too near an edge to tell
uint32_t acre_find_crossings(finder *f, double x, double z, find_crossing *out);

/// Whether no triangle meets a prism, and its middle is inside.
bool acre_find_prove(finder *f, const acre_occluder *occluder);

/// How far the inside reaches along an axis, 0 to 2, through a point.
double acre_find_thickness(finder *f, const double *point, int axis);

/// The share of level rays that meet the triangles which meet one of the occluders as well.
float acre_find_share(finder *f, const acre_occluder *occluders, uint32_t count);

// find_prism.c

/// Grows a prism between two heights around x and z. @return whether there is one
bool acre_find_grow(finder *f, const double *seed, float bottom, float top, acre_occluder *out);

/// Twice the area of a footprint, and its circumference.
double acre_find_measure(const acre_occluder *occluder, double *around);

#endif
