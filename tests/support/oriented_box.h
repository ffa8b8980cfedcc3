// SPDX-License-Identifier: MIT
// oriented_box.h - what exact queries ask of an oriented box, from the parts of its shape.
#ifndef ORIENTED_BOX_H
#define ORIENTED_BOX_H

#include "lanes_one.h"
#include "shape_lanes.h"

// The box's sides, moved outward by 2^-20 of its size and of its distance from the origin.
static inline acre_frustum oriented_box_sides(const acre_oriented_box *oriented)
{
    prepared_shape shape;
    acre_prepare_oriented_box(&shape, oriented);
    return shape.planes;
}

// Whether a box passes acre_oriented_box_test_aabb and no axis perpendicular to two edges separates
// it. Doubt also grows with the box, by 2^-18 of its size; a box with infinite edges gets the
// answer of the plain test.
static inline bool oriented_box_test_exact(const acre_oriented_box *oriented, const acre_aabb *box)
{
    prepared_shape shape;
    acre_prepare_oriented_box(&shape, oriented);
    acre_prepare_edges(&shape, oriented);
    const floats rows[6] = {box->min[0], box->max[0], box->min[1],
                            box->max[1], box->min[2], box->max[2]};
    return acre_oriented_box_test_aabb(oriented, box) && !edges_separate(&shape.edges, rows);
}

#endif
