// SPDX-License-Identifier: MIT
// view_motion_internal.h - what of the static tree a slowly moving camera sees, without asking it.
//
// The planes of two moments differ, at a point p, by at most
//     |n' - n| |p - c| + |(n' - n).c + (d' - d)|     = turn |p - c| + shift, c the eye.
// So what touches a frustum that is wider by the greatest such difference holds all that any view
// within turn and shift can see, and what lies deeper inside than that is seen by all of them. A
// set keeps both: the inner items are visible untested, the others, at the edge, are tested; the
// tree is not asked until the camera has moved farther or something static was edited.
//
// |p - c| is bounded for all points of boxes that some view calls visible: such a box may stick out
// of each plane by its diagonal at most, and lies within the bounds of the tree.
#ifndef ACRE_VIEW_MOTION_INTERNAL_H
#define ACRE_VIEW_MOTION_INTERNAL_H

#include "view_find_internal.h"

#define EDGE_BOXES ACRE_GROUP_ITEMS

/// Boxes of items at the edge, as acre_item_group has them; those beyond the last mean nothing.
typedef struct edge_block {
    float edge[6][EDGE_BOXES];
} edge_block;

/// More planes than this, with those of the tree's bounds, have too many corners to look at.
#define VIEW_MOTION_PLANES 8

/// The planes of a moment, of unit length, in double.
typedef struct unit_planes {
    double plane[VIEW_MOTION_PLANES][4];
    uint32_t count;
} unit_planes;

typedef struct view_motion {
    unit_planes last, base; ///< of the last finding; that inner and edge were made for
    bool has_last, is_ready;
    uint32_t wait;      ///< findings until it is tried again
    uint32_t next_wait; ///< after the next failure
    size_t asked;       ///< boxes that the tree tested when it was asked last
    double center[3];   ///< c
    double turn, shift; ///< greatest that inner and edge hold for
    uint64_t revision;  ///< static_revision of the culler
    uint32_t layers;
    size_t inner_count, edge_count;
    column inner, edge; ///< uint32_t: slots
    column blocks;      ///< edge_block, of edge
} view_motion;

/// What a finding asks, and where the answer goes.
typedef struct motion_request {
    const acre_culling *culling;
    const acre_view *view;
    const view_volume *volume;
    const acre_allocator *allocator;
    column *slots; ///< uint32_t: the answer is appended
    size_t *count; ///< of slots
    size_t *tested;
} motion_request;

/// Answers what the static tree would, if the camera moves slowly enough that this is worth while.
/// @return false: nothing was appended, the tree is to be asked.
bool acre_view_motion_find(view_motion *motion, const motion_request *request);

/// Nothing of before counts; memory stays.
void acre_view_motion_clear(view_motion *motion);

void acre_view_motion_free(view_motion *motion, const acre_allocator *allocator);

#endif
