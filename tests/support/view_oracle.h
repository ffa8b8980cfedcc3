// SPDX-License-Identifier: MIT
// view_oracle.h - what a view sees, entity by entity: written from view.h and visible_set.h,
// sharing no code with the library but the tests of one box against planes, which define those.
//
// Two definitions of the rules of distance and size: one in float, which the library must equal to
// the bit, and one in double, which says what those numbers mean and is only asked where it is
// sure.
#ifndef ACRE_TESTS_VIEW_ORACLE_H
#define ACRE_TESTS_VIEW_ORACLE_H

#include "test.h"

#include <acre/view.h>

// What is known of one entity in the last commit.
typedef struct view_subject {
    bool is_registered, is_committed, is_hidden, is_never_cull;
    bool is_left_out; // it has no bounds, so that register_all leaves it out
    acre_aabb box;    // empty: none
    uint32_t layers;
    const acre_visibility_rule *rule; // NULL: none
} view_subject;

// What the finding before said of the entity.
typedef struct view_past {
    bool was_visible;
    uint32_t lod;
} view_past;

typedef struct view_answer {
    acre_hidden_by hidden_by;
    uint32_t lod; // where it is visible
} view_answer;

// The rules of one box, in float. last: NULL if it was not visible.
view_answer view_oracle_rules(const acre_view *view, const acre_visibility_rule *rule,
                              const acre_aabb *box, const uint32_t *last);

// All causes, in the order of acre_hidden_by.
view_answer view_oracle_see(const acre_view *view, const view_subject *subject,
                            const view_past *past);

// The limits that hold for an entity, in double: with the rule, range_scale and hysteresis.
// 0 and INFINITY where there is none.
typedef struct view_bounds {
    double min_distance, max_distance, min_pixels;
} view_bounds;

view_bounds view_oracle_bounds(const acre_view *view, const acre_visibility_rule *rule,
                               bool was_visible);

// Distance to the nearest point of a box, and pixels of its diagonal; in double.
double view_oracle_distance(const acre_view *view, const acre_aabb *box);
double view_oracle_pixels(const acre_view *view, const acre_aabb *box);

// Whether the rules hide the box by what the words of view.h mean: 1 yes, 0 no, -1 too near a limit
// to tell. *lod receives the LOD of a box that was not visible before, or -1.
int view_oracle_meaning(const acre_view *view, const acre_visibility_rule *rule,
                        const acre_aabb *box, bool was_visible, int *lod);

// A random view of no camera: every field but the volumes and layers, within valid ranges.
void view_oracle_random_limits(test_random *random, acre_view *view);
acre_visibility_rule view_oracle_random_rule(test_random *random);

#endif
