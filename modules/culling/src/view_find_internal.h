// SPDX-License-Identifier: MIT
// view_find_internal.h - one finding of a view: its volume, its rules, its history, and the arrays
// that receive what it sees.
//
// A query of slots and a visible set are found by the same code. They differ in data: a query's
// array may be too small, and what finds no room in it is counted; a set's arrays grow, may have
// LODs beside the slots, and know what was visible before.
#ifndef ACRE_VIEW_FIND_INTERNAL_H
#define ACRE_VIEW_FIND_INTERNAL_H

#include "bits_internal.h"
#include "culling_internal.h"
#include "tasks_internal.h"
#include "view_rules_internal.h"

struct acre_explanation; // acre/explain.h

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

/// Prepared rules are kept in so many places, by their number.
#define VIEW_RULE_PLACES 16

/// A view's rules for the entities of a culler, prepared when they are met.
typedef struct view_rules {
    const acre_culling *culling;
    const acre_view *view;
    view_scale scale;
    bool has_numbers;                   ///< entities may have rules of their own
    bool has_limits;                    ///< which may hide them
    bool has_own;                       ///< the view itself has limits
    uint32_t numbers[VIEW_RULE_PLACES]; ///< of the prepared rules; UINT32_MAX: none
    view_rule prepared[VIEW_RULE_PLACES];
} view_rules;

/// A slot's part in earlier findings. Zero: it was not visible.
typedef struct slot_history {
    uint16_t generation; ///< the entity that was visible
    uint8_t lod;
    uint8_t stamp; ///< the last finding that saw it, 1 or 2; 0: it was not visible
} slot_history;

/// Who was visible in the last finding of a view.
typedef struct view_history {
    const slot_history *slots;
    size_t count;  ///< of slots; 0: nobody was
    uint8_t stamp; ///< of the last finding
} view_history;

/// The history of the entity in a slot. NULL: the last finding did not see it.
static inline const slot_history *view_seen_before(const view_history *history,
                                                   const acre_culling *culling, uint32_t slot)
{
    if (slot >= history->count) {
        return NULL;
    }
    const slot_history *const known = &history->slots[slot];
    return known->stamp == history->stamp &&
                   known->generation == culling_slot_at(culling, slot)->generation
               ? known
               : NULL;
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

/// A finding that runs. 2 KiB, most of it for prepared rules: too much to clear.
typedef struct view_find {
    const acre_culling *culling;
    const acre_view *view;
    struct acre_horizon *horizon; ///< of the view; NULL: nothing is hidden behind others
    view_volume volume;
    view_rules rules;
    view_history history; ///< of those to which the view's hysteresis applies
    bool is_undivided;    ///< stays on this thread
    bool reads_boxes;     ///< to hide some, to choose LODs, or to sum them up
    bool has_one_rule;    ///< the same limits hold for all items
    bool is_out_of_memory;
    bool is_recorded; ///< a walk keeps what it met, for acre_view_walk_again

    uint32_t *slots;        ///< receives what is visible
    uint8_t *lods;          ///< of slots; NULL: not wanted
    size_t room;            ///< elements of both
    size_t count;           ///< found so far; goes on where room ends
    size_t met;             ///< where it is recorded: how many were kept when they were met
    size_t tested;          ///< boxes that were tested one by one; counted where the arrays grow
    acre_query_stats stats; ///< of the last query of a tree; zeros where nothing is counted
    view_sum *sum;          ///< of their boxes; NULL: not wanted
    /// Makes room for so many elements. @return false: no memory. NULL: the arrays are the
    /// caller's, and do not grow.
    bool (*grow)(struct view_find *find, size_t most);
    void *owner; ///< of the arrays, for grow
} view_find;

// view_find.c

void acre_view_prepare_volume(view_volume *out, const acre_view *view);

/// Prepares all but the outputs: there is no array, nothing grows, nothing was seen before.
void acre_view_begin_find(view_find *out, const acre_culling *culling, const acre_view *view);

void acre_view_begin_rules(view_rules *out, const acre_culling *culling, const acre_view *view);

/// @param known its history; NULL: the view did not see it before.
/// @return the LOD of a slot that the culler has; 0 where it has no box.
uint32_t acre_view_slot_lod(view_rules *rules, const culling_table *table, uint32_t slot,
                            const slot_history *known);

/// Finds what the view sees without a horizon: the moving tree, the static one, the never-cull set.
/// For acre_view_find alone, which says what it needs.
acre_result acre_view_find_plainly(view_find *find);

/// An acre_group_visitor for a view_find: takes the items that no rule hides.
bool acre_view_find_group(void *find, const acre_item_group *group);

/// Takes what is never culled. @return false: the arrays cannot grow so far.
bool acre_view_find_never(view_find *find);

// view_walk.c

/// Finds what the view sees: the moving tree, the static one, the never-cull set; with a horizon
/// and occluders in the reverse order. The caller reads the culler.
/// @return ACRE_OK; ACRE_ERROR_OUT_OF_MEMORY where the arrays grow; with a horizon what
/// acre_horizon_begin_walk refuses.
acre_result acre_view_find(view_find *find);

/// Walks as acre_view_find does, into the memory of the horizon, for those who ask why. The slots
/// of what was kept when it was met stand behind the first find->met, in the order of the walk.
/// @return ACRE_OK; ACRE_ERROR_NOT_FOUND: there is no walk, or it gave up, so that nothing is
/// hidden; what acre_view_find refuses.
acre_result acre_view_walk_again(view_find *find);

/// Adds the occluders of an object that is kept to the horizon, where they are worth it.
/// @return whether it has some.
bool acre_view_add_occluders(const view_find *find, const culling_table *table, uint32_t slot);

/// Asks the horizon, if there is one, once more about all that was found from a place on, closes up
/// what is left, and adds it to the sum.
void acre_view_ask_again(view_find *find, size_t first);

// explain_walk.c

/// Whether the horizon of a finding hides an entity that nothing else hides, and behind whom. The
/// horizon is left as acre_culling_explain says.
/// @param find was begun, and has a horizon.
/// @param out receives hidden_by, hidden_behind and their count; it has the box.
/// @return ACRE_OK; what acre_view_find refuses.
acre_result acre_view_explain_walk(view_find *find, uint32_t slot, struct acre_explanation *out);

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

#endif
