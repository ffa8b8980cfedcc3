// SPDX-License-Identifier: MIT
// view_find_internal.h - a view made ready for the trees, and its rules for what they find.
#ifndef ACRE_VIEW_FIND_INTERNAL_H
#define ACRE_VIEW_FIND_INTERNAL_H

#include "bits_internal.h"
#include "culling_internal.h"
#include "tasks_internal.h"
#include "view_rules_internal.h"

/// view_squares (view_rules_internal.h) of a group's items.
typedef struct group_squares {
    float distance2[ACRE_GROUP_ITEMS], extent2[ACRE_GROUP_ITEMS];
} group_squares;

/// What a view asks of trees. Points into itself and into the view: not to be copied.
typedef struct view_volume {
    acre_frustum frustum;        ///< of the view and, where there is room, of include; without NaN
    acre_query query;            ///< of both trees; its frustum is the above
    const acre_frustum *include; ///< what had no room; NULL: nothing
} view_volume;

void acre_view_prepare_volume(view_volume *out, const acre_view *view);

/// Prepared rules are kept in so many places, by their number.
#define VIEW_RULE_PLACES 16

/// A view's rules for the entities of a culler, prepared when they are met.
typedef struct view_rules {
    const acre_culling *culling;
    const acre_view *view;
    view_scale scale;
    const acre_frustum *include;        ///< of view_volume
    bool has_numbers;                   ///< entities may have rules of their own
    bool has_limits;                    ///< which may hide them
    bool has_own;                       ///< the view itself has limits
    bool asks;                          ///< false: all that the trees find is visible
    uint32_t numbers[VIEW_RULE_PLACES]; ///< of the prepared rules; UINT32_MAX: none
    view_rule prepared[VIEW_RULE_PLACES];
} view_rules;

// visible_many.c

/// Whether someone listens to a tree: such a culler's calls stay on one thread.
bool acre_culling_has_listener(const acre_culling *culling);

// view_find.c

/// acre_culling_query_view on this thread alone.
acre_result acre_view_query_undivided(const acre_culling *culling, const acre_view *view,
                                      uint32_t *slots, size_t capacity, size_t *total);

void acre_view_begin_rules(view_rules *out, const acre_culling *culling, const acre_view *view,
                           const view_volume *volume);

/// The rules of a number, prepared anew if others took their place.
const view_rule *acre_view_fetch_rule(view_rules *rules, uint32_t number);

/// The rule of a number; 0: the view's own limits alone. Valid until another is asked for.
static inline const view_rule *view_rule_of_number(view_rules *rules, uint32_t number)
{
    const uint32_t place = number % VIEW_RULE_PLACES;
    return rules->numbers[place] == number ? &rules->prepared[place]
                                           : acre_view_fetch_rule(rules, number);
}

/// The rule of a slot. Valid until another is asked for.
static inline const view_rule *view_rule_of(view_rules *rules, uint32_t slot)
{
    return view_rule_of_number(rules,
                               rules->has_numbers ? culling_rule_number(rules->culling, slot) : 0);
}

/// As many as the widest lanes.
#define VIEW_SUM_LANES 4

/// An acre_visible_sum that is being added up, in lanes.
typedef struct view_sum {
    float depth[4]; ///< of the view
    float low[3][VIEW_SUM_LANES];
    float high[3][VIEW_SUM_LANES];
    float nearest[VIEW_SUM_LANES];
    float farthest[VIEW_SUM_LANES];
} view_sum;

/// A share of a view has at least so many items. Rules take about two nanoseconds an item.
#define SHARE_VIEWED 12500

/// What one share of a search adds up, on cache lines of its own.
typedef struct view_share {
    _Alignas(SHARE_ALIGNMENT) view_sum sum;
    size_t tested;
} view_share;
ASSERT_OWN_LINES(view_share);

// view_sum.c

void acre_view_begin_sum(view_sum *out, const acre_view *view);

/// Adds the boxes of a group's items of which a bit is set in found.
void acre_view_add_to_sum(view_sum *sum, const acre_item_group *group, uint32_t found);

/// Adds what another sum of the same view has.
void acre_view_join_sums(view_sum *sum, const view_sum *other);
acre_visible_sum acre_view_end_sum(const view_sum *sum);

// view_squares.c

/// Measures a group's boxes, given as acre_item_group has them.
void acre_view_measure_group(const view_scale *scale, const float *edges, group_squares *out);

/// Bit i: no limit hides item i, as view_hidden_by says.
uint32_t acre_view_pass_group(const view_scale *scale, const view_limits *limits,
                              const group_squares *squares);

/// The box of one of them.
static inline acre_aabb view_group_box(const acre_item_group *group, uint32_t i)
{
    acre_aabb box;
    for (uint32_t k = 0; k < 3; k++) {
        box.min[k] = group->edges[2 * k * ACRE_GROUP_ITEMS + i];
        box.max[k] = group->edges[(2 * k + 1) * ACRE_GROUP_ITEMS + i];
    }
    return box;
}

/// Whether an item of a group touches what had no room among the planes.
static inline bool view_is_included(const view_rules *rules, const acre_item_group *group,
                                    uint32_t i)
{
    const acre_aabb box = view_group_box(group, i);
    return acre_frustum_test_aabb(rules->include, &box);
}

#endif
