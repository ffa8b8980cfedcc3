// SPDX-License-Identifier: MIT
// shape_list.h - the list of the shapes in shapes.h, a row each.
//
// Everything that has a case for each shape is made from it: what queries accept and prepare, how
// recordings hold and print them, how questions to other processes move. A row is
//
//     X(SHAPE, name, type, layout)
//
// A query has such a volume as ACRE_QUERY_SHAPE_SHAPE, in its field `name`. There are
// acre_name_is_valid and acre_prepare_name. The type consists of floats alone; the layout has them
// in their order, with braces around an array of arrays:
//
//     p    a point: x, y, z
//     q    a point on the ground: x, z
//     v    a direction, or sizes: along x, y, z
//     s    a number
#ifndef ACRE_SHAPE_LIST_H
#define ACRE_SHAPE_LIST_H

#define SHAPE_LIST(X)                                                                              \
    X(SPHERE, sphere, acre_sphere, "ps")                                                           \
    X(CIRCLE, circle, acre_circle, "qs")                                                           \
    X(CAPSULE, capsule, acre_capsule, "pps")                                                       \
    X(CONE, cone, acre_cone, "pvss")                                                               \
    X(ORIENTED_BOX, oriented_box, acre_oriented_box, "pv{vvv}")                                    \
    X(RAY, ray, acre_ray, "pvsv")

// How many floats a letter stands for; 0 for a brace.
#define SHAPE_LAYOUT_FLOATS(letter)                                                                \
    ((letter) == 'p' || (letter) == 'v' ? 3u : (letter) == 'q' ? 2u : (letter) == 's' ? 1u : 0u)

#endif
