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
//
// All this holds for a part of the triangles alone, whatever the others do. So a mesh is searched
// part by part: a solid is a part that is closed, or open below.
#ifndef ACRE_FIND_INTERNAL_H
#define ACRE_FIND_INTERNAL_H

#include "assert_internal.h"
#include "column_internal.h"
#include "import_internal.h"

enum {
    FIND_CORNERS = 80,   ///< of a polygon while it is cut
    FIND_CROSSINGS = 64, ///< of a line with the surface
    FIND_PRISMS = 96,    ///< of a solid, and the best of those before it
};

/// Counterclockwise seen from its front.
typedef struct find_triangle {
    float corners[3][3];
    double area; ///< twice the area seen from above; above 0: it faces up; 0: it is upright
} find_triangle;

/// An edge of a triangle.
typedef struct find_edge {
    uint32_t weld; ///< the first corner at the place where it begins
    uint32_t next; ///< the next edge between the same places, and one; 0: there is none
} find_edge;

/// A triangle in its part, and where it is the first of it, the part.
typedef struct find_part {
    uint32_t root;   ///< a triangle of the part; the first is its own
    uint32_t next;   ///< the next triangle of the part; 0: there is none
    uint32_t last;   ///< of the part so far
    int32_t balance; ///< room for a sum
    float rim;       ///< the highest open edge; -INFINITY: there is none
} find_part;

/// Convex.
typedef struct find_polygon {
    double points[FIND_CORNERS][3];
    uint32_t count;
} find_polygon;

/// Part of a triangle between two heights, seen from above: x and z; convex.
typedef struct find_obstacle {
    double points[5][2];
    uint32_t count;
    double way[2];   ///< from where the search begins to its nearest point
    double distance; ///< squared
    bool is_beside;  ///< its nearest point is no corner
} find_obstacle;

/// A line passes a triangle.
typedef struct find_crossing {
    double where; ///< along the axis of the line
    int turn;     ///< 1: the triangle faces along the axis; -1: against it
} find_crossing;

typedef struct find_prism {
    acre_occluder occluder;
    double flat;      ///< the area of its top and its bottom together
    double side;      ///< that of its sides
    double thickness; ///< of the surface around its middle, along its shortest axis
    float rim;        ///< of its solid
} find_prism;

/// The triangles of a node's meshes, and room for work.
typedef struct finder {
    const acre_allocator *allocator;
    COLUMN_OF(find_triangle) all; ///< of the node
    COLUMN_OF(find_edge) edges;   ///< three to a triangle, each numbered as its first corner
    COLUMN_OF(find_part) parts;   ///< by triangle
    COLUMN_OF(uint32_t) table;    ///< a hash table of corners, then of edges
    uint32_t all_count;
    uint32_t next_root; ///< where the next solid is sought
    acre_aabb whole;    ///< the box of all
    bool is_two_sided;  ///< all materials are double-sided
    bool is_out_of_memory;
    uint64_t work; ///< triangles looked at, in all nodes
    find_prism prisms[FIND_PRISMS];
    uint32_t prism_count;
    // These describe the solid that is searched now.
    COLUMN_OF(find_triangle) triangles;
    COLUMN_OF(find_obstacle) obstacles; ///< between the two heights
    COLUMN_OF(uint32_t) near;           ///< obstacles that no line has beyond it yet
    uint32_t triangle_count;
    uint32_t obstacle_count;
    float heights[2]; ///< of the obstacles
    acre_aabb box;
    float rim;
    bool has_slopes; ///< some triangle is neither level nor upright
    bool has_levels; ///< some corner is between the lowest and the highest
    double margin;   ///< prisms keep this distance along the ground: 2^-21 of the largest number
} finder;

// find_solid.c

/// The flags that all meshes of a node have, but for those without triangles.
uint32_t acre_find_flags(const acre_import_model *model, const acre_import_node *node);

/// Takes the triangles of a node's meshes, and the first solid of them. @return why nothing can be
/// found in them
acre_import_reason acre_find_open(finder *f, const acre_import_model *model,
                                  const acre_import_node *node);

/// Takes the next solid that is large enough to matter. @return false: there is none, or memory is
/// short
bool acre_find_next(finder *f);

/// Frees a finder and what it holds.
void acre_find_free(finder *f);

/// The surface of a box.
float acre_find_surface(const acre_aabb *box);

// find_polygon.c

/// The part of a polygon where plane[0] * x + plane[1] * y + plane[2] * z + plane[3] >= 0.
void acre_find_cut(const find_polygon *from, const double *plane, find_polygon *to);

/// Twice the area of a footprint, and its circumference.
double acre_find_measure(const acre_occluder *occluder, double *around);

/// The mean of its corners, at half its height.
void acre_find_middle(const acre_occluder *occluder, double *middle);

// find_proof.c

/// The crossings of the line along an axis through a point, the farthest along it first. @return
/// how many; UINT32_MAX: too many, or one too near an edge to tell
uint32_t acre_find_crossings(finder *f, const double *point, int axis, find_crossing *out);

/// Whether no triangle meets a prism, and its middle is inside.
bool acre_find_prove(finder *f, const acre_occluder *occluder);

/// The share of level rays that meet the triangles which meet one of the occluders as well.
float acre_find_share(finder *f, const acre_occluder *occluders, uint32_t count);

// find_prism.c

/// Grows a prism between two heights around x and z. @return whether there is one
bool acre_find_grow(finder *f, const double *seed, float bottom, float top, acre_occluder *out);

// find_search.c

/// Fills `prisms` with the best ones of a node's meshes. @return why there are none
acre_import_reason acre_find_search(finder *f, const acre_import_model *model,
                                    const acre_import_node *node);

#endif
