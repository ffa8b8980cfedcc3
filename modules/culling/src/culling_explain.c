// SPDX-License-Identifier: MIT
// culling_explain.c - why a view sees an entity or not, by the same tests that finding uses.
#include "view_find_internal.h"
#include "visible_set_internal.h"

#include "quadtree_items_shared.h"

#include <acre/explain.h>

#include <math.h>
#include <stdio.h>

// The distance in world units by which a corner of a box is inside of a plane. The farthest corner
// decides whether the box is outside, the nearest whether it is wholly inside. A plane without a
// direction, or with NaN, answers the same for every box: its margin is infinite.
static float corner_margin(const float *plane, const acre_aabb *box, bool farthest)
{
    double distance = (double)plane[3], length2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double n = (double)plane[k];
        distance += n * (double)((n >= 0.0) == farthest ? box->max[k] : box->min[k]);
        length2 += n * n;
    }
    return length2 > 0.0 ? (float)(distance / sqrt(length2)) : INFINITY;
}

// Asks acre_frustum_test_aabb with the plane as a volume of its own, because that test defines what
// is outside.
static bool passes_plane(const float *plane, const acre_aabb *box)
{
    const acre_frustum one = {{{plane[0], plane[1], plane[2], plane[3]}}, 1};
    return acre_frustum_test_aabb(&one, box);
}

// Sets plane and margin to the first plane that hides the box. If no plane does, the plane with the
// least margin is kept. @return whether the box is outside.
static bool is_outside_volume(const acre_frustum *frustum, const acre_aabb *box,
                              acre_explanation *out)
{
    for (uint32_t i = 0; i < frustum_plane_count(frustum); i++) {
        const float margin = corner_margin(frustum->planes[i], box, true);
        const bool hides = !passes_plane(frustum->planes[i], box);
        if (hides || margin < out->margin) {
            // The test rounds and the margin is exact, so that their signs may differ by a hair:
            // the test decides.
            out->margin = hides ? fminf(margin, -0.0f) : fmaxf(margin, 0.0f);
            out->plane = i;
        }
        if (hides) {
            return true;
        }
    }
    return false;
}

static bool is_excluded(const acre_view *view, const acre_aabb *box)
{
    return view->exclude && (view->flags & ACRE_VIEW_EXCLUDE_TOUCHING
                                 ? acre_frustum_test_aabb(view->exclude, box)
                                 : acre_frustum_contains_aabb(view->exclude, box));
}

// Minus the distance that a box has to move to leave the exclude volume through the nearest plane:
// with all corners where touching excludes it, else with one.
static float exclude_margin(const acre_view *view, const acre_aabb *box)
{
    const acre_frustum *const exclude = view->exclude;
    const bool touching = (view->flags & ACRE_VIEW_EXCLUDE_TOUCHING) != 0;
    float least = INFINITY;
    for (uint32_t i = 0; i < frustum_plane_count(exclude); i++) {
        least = fminf(least, corner_margin(exclude->planes[i], box, touching));
    }
    return -fmaxf(least, 0.0f);
}

static void explain_volumes(const acre_view *view, acre_explanation *out)
{
    if (is_outside_volume(&view->frustum, &out->box, out)) {
        out->hidden_by = ACRE_HIDDEN_BY_PLANE;
    } else if (view->include && is_outside_volume(view->include, &out->box, out)) {
        out->hidden_by = ACRE_HIDDEN_BY_INCLUDE;
    } else if (is_excluded(view, &out->box)) {
        out->hidden_by = ACRE_HIDDEN_BY_EXCLUDE;
        out->margin = exclude_margin(view, &out->box);
    }
}

static void explain_rules(const acre_view *view, const acre_visibility_rule *rule,
                          const slot_history *known, acre_explanation *out)
{
    const uint32_t last = known ? known->lod : 0;
    const acre_hidden_by by =
        acre_view_test_rules(view, rule, &out->box, known ? &last : NULL, &out->lod);
    const view_rule limits = acre_view_prepare_rule(view, rule);
    const view_limits *const counts = known ? &limits.staying : &limits.entering;
    const float inner = counts->min_distance2 > 0.0f
                            ? out->measure.distance - sqrtf(counts->min_distance2)
                            : INFINITY;
    const float outer = sqrtf(counts->max_distance2) - out->measure.distance;
    const float size = counts->size2 > 0.0f ? out->measure.pixels - sqrtf(counts->size2) : INFINITY;
    if (by == ACRE_HIDDEN_BY_NOTHING) {
        out->margin = fminf(out->margin, fminf(fmaxf(inner, 0.0f), fmaxf(outer, 0.0f)));
    } else {
        const float broken = by == ACRE_HIDDEN_BY_MIN_DISTANCE   ? inner
                             : by == ACRE_HIDDEN_BY_MAX_DISTANCE ? outer
                                                                 : size;
        out->margin = fminf(broken, -0.0f);
    }
    out->hidden_by = by;
}

// The entity or ancestor whose own flag hides the entity: the first, going up, whose parent is not
// hidden.
static acre_entity hidden_root(const acre_culling *culling, const culling_table *table,
                               acre_entity entity)
{
    acre_entity parent =
        culling->scene ? acre_entity_parent(culling->scene, entity) : (acre_entity){0, 0, 0};
    while (parent.index1 > 0 && parent.index1 <= table->slot_count &&
           (table->flags[parent.index1 - 1u] & ACRE_ENTITY_HIDDEN)) {
        entity = parent;
        parent = acre_entity_parent(culling->scene, entity);
    }
    return entity;
}

static void explain_location(const acre_culling *culling, uint32_t slot, culling_slot own,
                             acre_explanation *out)
{
    const int tree = culling_tree_of(own);
    if (tree != TREE_COUNT) {
        out->place = tree == TREE_STATIC ? ACRE_CULLING_STATIC_TREE : ACRE_CULLING_MOVING_TREE;
        ACRE_IGNORE(acre_quadtree_locate(culling->trees[tree], slot, &out->tree));
    } else if (own.bits & SLOT_IN_NEVER) {
        out->place = ACRE_CULLING_NEVER_CULL;
    }
}

// Causes other than volumes and rules. For an entity in one of the culler's places only its layers
// count; so they do for an entity that is in the never-cull set until a tree has memory for it.
static acre_hidden_by explain_place(const acre_culling *culling, const culling_table *table,
                                    uint32_t slot, culling_slot own, uint32_t layers)
{
    if (!(own.bits & CULLING_PLACES)) {
        const bool is_left_out = culling->register_all && !(own.bits & SLOT_EXCLUDED) &&
                                 culling_published(table, slot).generation != 0 &&
                                 !culling_published(table, slot).has_bounds;
        return !(own.bits & SLOT_REGISTERED) && is_left_out      ? ACRE_HIDDEN_BY_NO_BOX
               : !(own.bits & SLOT_REGISTERED)                   ? ACRE_HIDDEN_BY_REGISTRATION
               : !(own.bits & SLOT_PUBLISHED)                    ? ACRE_HIDDEN_BY_COMMIT
               : culling_flags(table, slot) & ACRE_ENTITY_HIDDEN ? ACRE_HIDDEN_BY_FLAG
                                                                 : ACRE_HIDDEN_BY_NO_BOX;
    }
    const int tree = culling_tree_of(own);
    const uint32_t of = tree != TREE_COUNT ? acre_quadtree_get_layers(culling->trees[tree], slot)
                                           : culling_layers(table, slot);
    return of & (layers ? layers : UINT32_MAX) ? ACRE_HIDDEN_BY_NOTHING : ACRE_HIDDEN_BY_LAYERS;
}

// Whether the horizon of the view hides the entity: a walk tells. For a frozen set its list does.
// @param slot of an entity that nothing else hides.
static acre_result explain_occlusion(const acre_culling *culling, const acre_view *view,
                                     const acre_visible_set *set, uint32_t slot,
                                     acre_explanation *out)
{
    const bool is_own = set && set->culling == culling;
    acre_result result = ACRE_OK;
    if (!is_own || !set->is_frozen) {
        view_find find;
        acre_view_begin_find(&find, culling, view);
        if (is_own && view->hysteresis > 0.0f) {
            find.history = visible_history(set);
        }
        result = acre_view_explain_walk(&find, slot, out);
    }
    if (is_own && (set->is_frozen || acre_visible_can_reuse(set, culling, view))) {
        out->hidden_by = out->was_visible ? ACRE_HIDDEN_BY_NOTHING : ACRE_HIDDEN_BY_OCCLUSION;
    }
    if (out->hidden_by == ACRE_HIDDEN_BY_OCCLUSION) {
        out->margin = 0;
    } else {
        out->hidden_behind_count = 0;
    }
    return result;
}

static acre_result explain_entity(const acre_culling *culling, const acre_view *view,
                                  const acre_visible_set *set, acre_entity entity,
                                  acre_explanation *out)
{
    const uint32_t slot = entity.index1 - 1u;
    const culling_table table = acre_culling_table(culling);
    const culling_slot *const known_slot = culling_find_slot(culling, entity);
    const culling_slot own = known_slot ? *known_slot : (culling_slot){0, 0};
    *out = (acre_explanation){.margin = INFINITY, .box = acre_aabb_empty()};
    out->rule = known_slot ? culling_rule_number(culling, slot) : 0;
    explain_location(culling, slot, own, out);
    if ((own.bits & SLOT_PUBLISHED) && slot < table.slot_count) {
        out->box = culling_box(&table, slot);
    }
    const bool has_box = !culling_box_is_empty(&out->box);
    if (has_box) {
        out->measure = acre_view_measure_aabb(view, &out->box);
    }
    const bool keeps_list =
        set && set->culling == culling && set->is_frozen && view->horizon != NULL;
    const slot_history *known = NULL;
    if (set && set->culling == culling && known_slot) {
        const view_history history = visible_history(set);
        known = view_seen_before(&history, culling, slot);
    }
    out->was_visible = known != NULL;
    out->hidden_by = explain_place(culling, &table, slot, own, view->layers);
    if (out->hidden_by == ACRE_HIDDEN_BY_NOTHING && culling_tree_of(own) != TREE_COUNT) {
        explain_volumes(view, out);
    }
    if (out->hidden_by == ACRE_HIDDEN_BY_NOTHING && has_box) {
        explain_rules(view, culling_rule(culling, out->rule), known, out);
        if (own.bits & SLOT_IN_NEVER) {
            out->hidden_by = ACRE_HIDDEN_BY_NOTHING;
            out->margin = INFINITY;
        }
    }
    if (out->hidden_by == ACRE_HIDDEN_BY_FLAG) {
        out->parent = hidden_root(culling, &table, entity);
    }
    if (out->hidden_by != ACRE_HIDDEN_BY_NOTHING && isinf(out->margin) && out->margin > 0.0f) {
        out->margin = 0.0f; // a cause without a measure
    }
    if (keeps_list && out->was_visible && out->hidden_by >= ACRE_HIDDEN_BY_PLANE) {
        out->hidden_by = ACRE_HIDDEN_BY_NOTHING; // no limit counts
        out->margin = INFINITY;
    }
    const bool may_be_behind = out->hidden_by == ACRE_HIDDEN_BY_NOTHING && view->horizon &&
                               (keeps_list || !(own.bits & SLOT_IN_NEVER));
    return may_be_behind ? explain_occlusion(culling, view, set, slot, out) : ACRE_OK;
}

acre_result acre_culling_explain(const acre_culling *culling, const acre_view *view,
                                 const acre_visible_set *set, acre_entity entity,
                                 acre_explanation *out)
{
    if (!culling || !out || !acre_view_is_valid(view)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_ERROR_STALE_HANDLE;
    acre_explanation why;
    if (culling_is_alive(culling, entity)) {
        result =
            explain_entity(culling, set && set->is_frozen ? &set->view : view, set, entity, &why);
    }
    access_end_read(&culling->access);
    if (result == ACRE_OK) {
        *out = why;
    }
    return result;
}

static const char *cause_text(acre_hidden_by by)
{
    static const char *const texts[] = {
        "visible",
        "hidden: not registered with the culler",
        "hidden: not in the last commit",
        "hidden by a flag",
        "hidden: no bounds, or an empty box",
        "hidden: no layer in common",
        "hidden by a plane of the frustum",
        "hidden by a plane of the include volume",
        "hidden by the exclude volume",
        "hidden by the minimum distance",
        "hidden by the maximum distance",
        "hidden by its size",
        "hidden behind others",
    };
    return (size_t)by < sizeof texts / sizeof texts[0] ? texts[by] : "unknown";
}

// Writes the slots of those before an entity.
static void list_slots(const acre_explanation *explanation, char *text, size_t size)
{
    const uint32_t named = explanation->hidden_behind_count < ACRE_EXPLANATION_OCCLUDERS
                               ? explanation->hidden_behind_count
                               : ACRE_EXPLANATION_OCCLUDERS;
    const char *const first = named > 1 ? ": slots" : ": slot";
    size_t length = 0;
    for (uint32_t i = 0; i < named && length < size; i++) {
        const int more = snprintf(text + length, size - length, "%s %lu", i == 0 ? first : ",",
                                  (unsigned long)explanation->hidden_behind[i].index1 - 1);
        length += more > 0 ? (size_t)more : 0;
    }
}

size_t acre_explanation_text(const acre_explanation *explanation, char *text, size_t size)
{
    if (!explanation || (size > 0 && !text)) {
        return 0;
    }
    static const char *const places[] = {"nowhere", "the moving tree", "the static tree",
                                         "the never-cull set"};
    const acre_hidden_by by = explanation->hidden_by;
    char more[192] = "";
    if (by == ACRE_HIDDEN_BY_PLANE || by == ACRE_HIDDEN_BY_INCLUDE) {
        (void)snprintf(more, sizeof more, " %lu: %.3g outside", (unsigned long)explanation->plane,
                       (double)-explanation->margin);
    } else if (by == ACRE_HIDDEN_BY_SIZE) {
        (void)snprintf(more, sizeof more, ": %.3g pixels, %.3g too few",
                       (double)explanation->measure.pixels, (double)-explanation->margin);
    } else if (by == ACRE_HIDDEN_BY_OCCLUSION) {
        list_slots(explanation, more, sizeof more);
    } else if (by > ACRE_HIDDEN_BY_INCLUDE) {
        (void)snprintf(more, sizeof more, ": by %.3g, at a distance of %.3g",
                       (double)-explanation->margin, (double)explanation->measure.distance);
    } else if (by == ACRE_HIDDEN_BY_FLAG) {
        (void)snprintf(more, sizeof more, " of slot %lu",
                       (unsigned long)explanation->parent.index1 - 1);
    } else if (by == ACRE_HIDDEN_BY_NOTHING) {
        (void)snprintf(more, sizeof more, ": LOD %lu, %.3g away", (unsigned long)explanation->lod,
                       (double)explanation->measure.distance);
    }
    const size_t place = (size_t)explanation->place <= ACRE_CULLING_NEVER_CULL
                             ? (size_t)explanation->place
                             : ACRE_CULLING_NOWHERE;
    const int length = snprintf(text, size, "%s%s; in %s", cause_text(by), more, places[place]);
    return length > 0 ? (size_t)length : 0;
}
