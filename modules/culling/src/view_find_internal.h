// SPDX-License-Identifier: MIT
// view_find_internal.h - a view made ready for the trees, and its rules for what they find.
#ifndef ACRE_VIEW_FIND_INTERNAL_H
#define ACRE_VIEW_FIND_INTERNAL_H

#include "culling_internal.h"
#include "prefetch_internal.h"
#include "view_rules_internal.h"

/// Boxes are measured so many at a time.
#define VIEW_BLOCK 16

/// view_squares (view_rules_internal.h) of that many slots.
typedef struct view_block {
    float distance2[VIEW_BLOCK], extent2[VIEW_BLOCK];
} view_block;

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
    acre_scene_view scene;
    view_scale scale;
    const acre_frustum *include;        ///< of view_volume
    bool has_numbers;                   ///< entities may have rules of their own
    bool asks;                          ///< false: all that the trees find is visible, at LOD 0
    uint32_t numbers[VIEW_RULE_PLACES]; ///< of the prepared rules; UINT32_MAX: none
    view_rule prepared[VIEW_RULE_PLACES];
} view_rules;

void acre_view_begin_rules(view_rules *out, const acre_culling *culling, const acre_view *view,
                           const view_volume *volume);

/// The rules of a number, prepared anew if others took their place.
const view_rule *acre_view_meet_rule(view_rules *rules, uint32_t number);

/// The box that counts for a slot. Only where callers gave boxes is looked for one of them.
static inline const acre_aabb *view_box(const view_rules *rules, uint32_t slot)
{
    return rules->culling->own_box_count > 0 ? acre_culling_box(rules->culling, &rules->scene, slot)
                                             : &rules->scene.world_bounds[slot];
}

/// Begins to bring what view_box and view_rule_of read: boxes of slots lie apart.
static inline void view_prefetch(const view_rules *rules, uint32_t slot)
{
    prefetch_element(rules->scene.world_bounds, slot, sizeof(acre_aabb));
    if (rules->has_numbers) {
        prefetch_element(rules->culling->slot_rules.data, slot, sizeof(uint16_t));
    }
}

/// The rule of a slot. Valid until another is asked for.
static inline const view_rule *view_rule_of(view_rules *rules, uint32_t slot)
{
    const uint32_t number = rules->has_numbers ? culling_rule_number(rules->culling, slot) : 0;
    const uint32_t place = number % VIEW_RULE_PLACES;
    return rules->numbers[place] == number ? &rules->prepared[place]
                                           : acre_view_meet_rule(rules, number);
}

// view_squares.c

/// Measures the boxes of count slots, at most VIEW_BLOCK and at least one. Up to ahead slots, those
/// counted, follow each other in the array: the next ones' boxes are asked for early.
void acre_view_measure_block(const view_rules *rules, const uint32_t *slots, size_t count,
                             size_t ahead, view_block *out);

// culling_query.c

/// Never-cull slots that share a layer (0: any), ascending: at most capacity are written.
/// @return how many there are.
size_t acre_culling_list_never(const acre_culling *culling, uint32_t layers, uint32_t *slots,
                               size_t capacity);

#endif
