// SPDX-License-Identifier: MIT
// culling_trace.c - what a view does with every node, group and entity.
#include "view_find_internal.h"

#include <acre/explain.h>

// A trace of one tree on its way to the caller's visitor.
typedef struct view_trace {
    const acre_culling *culling;
    const acre_view *view;
    const acre_frustum *include; // what had no room among the planes; NULL: nothing
    acre_trace_visitor visit;
    void *user;
    bool is_stopped;
} view_trace;

static bool passes_rules(const view_trace *trace, uint32_t slot, const acre_aabb *box)
{
    const acre_culling *const culling = trace->culling;
    const acre_visibility_rule *const rule =
        culling_rule(culling, culling_rule_number(culling, slot));
    return (!trace->include || acre_frustum_test_aabb(trace->include, box)) &&
           acre_view_test_rules(trace->view, rule, box, NULL, NULL) == ACRE_HIDDEN_BY_NOTHING;
}

// The tree knows nothing of rules: they drop entities that it found.
static bool pass_step(void *user, const acre_trace_step *step)
{
    view_trace *const trace = user;
    acre_trace_step passed = *step;
    const bool is_found = step->state == ACRE_TRACE_INSIDE || step->state == ACRE_TRACE_KEPT;
    if (step->part == ACRE_TRACE_ITEM && is_found &&
        !passes_rules(trace, step->item, &step->bounds)) {
        passed.state = ACRE_TRACE_DROPPED;
    }
    trace->is_stopped = !trace->visit(trace->user, &passed);
    return !trace->is_stopped;
}

static bool shares_layer(uint32_t layers, uint32_t asked)
{
    return asked == 0 || (layers & asked);
}

// Never-culled entities, ascending. They stand in no tree; only layers decide about them.
static void trace_never_culled(view_trace *trace)
{
    const acre_culling *const culling = trace->culling;
    const culling_table table = acre_culling_table(culling);
    for (uint32_t slot = 0; slot < table.known_count && slot < table.slot_count; slot++) {
        if (!(table.slots[slot].bits & SLOT_IN_NEVER) || trace->is_stopped) {
            continue;
        }
        const bool is_seen = shares_layer(culling_layers(&table, slot), trace->view->layers);
        const acre_trace_step step = {.part = ACRE_TRACE_ITEM,
                                      .state = is_seen ? ACRE_TRACE_INSIDE : ACRE_TRACE_DROPPED,
                                      .item = slot,
                                      .items = 1,
                                      .bounds = culling_box(&table, slot)};
        trace->is_stopped = !trace->visit(trace->user, &step);
    }
}

acre_result acre_culling_trace(const acre_culling *culling, const acre_view *view,
                               acre_trace_visitor visit, void *user)
{
    if (!culling || !visit || !acre_view_is_valid(view)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    view_volume volume;
    acre_view_prepare_volume(&volume, view);
    view_trace trace = {
        .culling = culling, .view = view, .include = volume.include, .visit = visit, .user = user};
    acre_result result = ACRE_OK;
    for (int i = 0; i < TREE_COUNT && result == ACRE_OK && !trace.is_stopped; i++) {
        if (culling->tree_counts[i] > 0) {
            result = acre_quadtree_trace(culling->trees[i], &volume.query, pass_step, &trace);
        }
    }
    if (result == ACRE_OK && culling->never_count > 0) {
        trace_never_culled(&trace);
    }
    access_end_read(&culling->access);
    return result;
}
