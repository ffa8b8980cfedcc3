// SPDX-License-Identifier: MIT
// view_rig.c - what a set answers, and why, compared with the oracle for every entity.
#include "culling_counts.h"
#include "quadtree_items_shared.h"
#include "view_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- what is expected ----

// What is looked for in a frame, by slot.
typedef struct sight {
    view_answer answer;
    uint16_t generation;
    bool is_named, is_new;  // by the set: now; among the entered
    bool stays, is_changed; // among the lists of the set
    bool has_left;
} sight;

static bool same_bits(const acre_frustum *a, const acre_frustum *b)
{
    if (!a || !b) {
        return a == b;
    }
    return a->plane_count == b->plane_count &&
           memcmp(a->planes, b->planes, a->plane_count * sizeof a->planes[0]) == 0;
}

static bool same_view(const acre_view *a, const acre_view *b)
{
    const float *const x = &a->min_distance, *const y = &b->min_distance;
    return a->layers == b->layers && a->flags == b->flags && memcmp(a->eye, b->eye, 12) == 0 &&
           x[0] == y[0] && a->max_distance == b->max_distance && a->pixels == b->pixels &&
           a->is_parallel == b->is_parallel && a->min_pixels == b->min_pixels &&
           a->range_scale == b->range_scale && a->lod_scale == b->lod_scale &&
           a->hysteresis == b->hysteresis && same_bits(&a->frustum, &b->frustum) &&
           same_bits(a->include, b->include) && same_bits(a->exclude, b->exclude);
}

static const acre_view *asked(const view_rig *rig)
{
    return rig->is_frozen ? &rig->seen : &rig->view;
}

static view_past past_of(const view_rig *rig, const view_world *world, acre_entity entity)
{
    const uint32_t slot = entity.index1 - 1;
    view_past past = {false, 0};
    if (rig->has_memory && rig->culling == world->culling && slot < rig->past_capacity &&
        rig->past[slot].was_visible && rig->past[slot].generation == entity.generation) {
        past = (view_past){true, rig->past[slot].lod};
    }
    return past;
}

static uint32_t slots_of(const view_world *world)
{
    return acre_scene_get_view(world->scene).slot_count;
}

// Room for all slots, in the memory and in the sights. @return NULL without memory.
static sight *make_sights(view_rig *rig, const view_world *world)
{
    const size_t count = slots_of(world) + 1u;
    if (count > rig->past_capacity) {
        rig_slot *const past = realloc(rig->past, 2 * count * sizeof *past);
        if (!past) {
            return NULL;
        }
        memset(past + rig->past_capacity, 0, (2 * count - rig->past_capacity) * sizeof *past);
        rig->past = past;
        rig->past_capacity = 2 * count;
    }
    sight *const sights = calloc(rig->past_capacity, sizeof *sights);
    for (size_t i = 0; sights && i < rig->past_capacity; i++) {
        sights[i].answer.hidden_by = ACRE_HIDDEN_BY_REGISTRATION; // no entity
    }
    return sights;
}

// @return how many should be visible.
static size_t expect(view_rig *rig, const view_world *world, bool has_past, sight *sights)
{
    size_t visible = 0;
    for (int i = 0; i < world->count; i++) {
        const world_entity *const entity = &world->entities[i];
        if (!entity->is_published) {
            continue;
        }
        const view_subject subject = view_world_subject(world, entity);
        const view_past past =
            has_past ? past_of(rig, world, entity->handle) : (view_past){false, 0};
        sight *const of = &sights[entity->handle.index1 - 1];
        of->answer = view_oracle_see(asked(rig), &subject, &past);
        of->generation = entity->handle.generation;
        visible += of->answer.hidden_by == ACRE_HIDDEN_BY_NOTHING;
        rig->compared++;
    }
    return visible;
}

// ---- the lists ----

static const char *check_slots(const view_rig *rig, const acre_visible *visible, size_t expected,
                               sight *sights)
{
    for (size_t i = 0; i < visible->count; i++) {
        const uint32_t slot = visible->slots[i];
        if (slot >= rig->past_capacity || sights[slot].answer.hidden_by != ACRE_HIDDEN_BY_NOTHING) {
            return "a hidden entity is named";
        }
        if (sights[slot].is_named) {
            return "an entity is named twice";
        }
        sights[slot].is_named = true;
        if (visible->lods && visible->lods[i] != sights[slot].answer.lod) {
            return "a LOD";
        }
    }
    if (visible->count != expected) {
        return "a visible entity is lost";
    }
    return (visible->lods != NULL) == ((rig->flags & ACRE_VISIBLE_LODS) && visible->count > 0) ||
                   visible->count == 0
               ? NULL
               : "LODs that were not asked for";
}

// Those that left go first: what entered is then new, and together they are what is visible.
static const char *check_entered_and_left(const view_rig *rig, const acre_visible *visible,
                                          sight *sights)
{
    for (size_t i = 0; i < visible->left_count; i++) {
        const uint32_t slot = visible->left[i];
        if (slot >= rig->past_capacity || !rig->past[slot].was_visible || sights[slot].has_left) {
            return "an entity left that was not there";
        }
        sights[slot].has_left = true;
        if (sights[slot].is_named && sights[slot].generation == rig->past[slot].generation) {
            return "an entity left that is visible";
        }
    }
    for (size_t i = 0; i < visible->entered_count; i++) {
        const uint32_t slot = visible->entered[i];
        if (slot >= rig->past_capacity || !sights[slot].is_named || sights[slot].is_new) {
            return "an entity entered that is not visible";
        }
        sights[slot].is_new = true;
        if (rig->past[slot].was_visible && !sights[slot].has_left) {
            return "an entity entered that was there";
        }
    }
    return NULL;
}

static const char *check_stayed(const view_rig *rig, const acre_visible *visible, sight *sights)
{
    for (size_t i = 0; i < visible->stayed_count; i++) {
        const uint32_t slot = visible->stayed[i];
        if (slot >= rig->past_capacity || !sights[slot].is_named || sights[slot].is_new ||
            sights[slot].stays || !rig->past[slot].was_visible || sights[slot].has_left) {
            return "an entity stayed that did not";
        }
        sights[slot].stays = true;
    }
    for (size_t i = 0; i < visible->changed_count; i++) {
        const uint32_t slot = visible->changed[i];
        if (slot >= rig->past_capacity || !sights[slot].stays || sights[slot].is_changed ||
            rig->past[slot].lod == sights[slot].answer.lod) {
            return "a LOD changed that did not";
        }
        sights[slot].is_changed = true;
    }
    return NULL;
}

static const char *check_all_listed(const view_rig *rig, const sight *sights)
{
    for (size_t slot = 0; slot < rig->past_capacity; slot++) {
        const sight *const of = &sights[slot];
        const rig_slot *const past = &rig->past[slot];
        const bool is_other = of->generation != past->generation;
        const bool leaves = past->was_visible && (!of->is_named || is_other);
        const bool enters = of->is_named && (!past->was_visible || is_other);
        if (leaves != of->has_left || enters != of->is_new ||
            (of->is_named && !enters) != of->stays) {
            return "the lists of changes miss an entity";
        }
        const bool changes =
            of->stays && (rig->flags & ACRE_VISIBLE_LODS) && past->lod != of->answer.lod;
        if (changes != of->is_changed) {
            return "the list of changed LODs misses an entity";
        }
    }
    return NULL;
}

static const char *check_changes(const view_rig *rig, const acre_visible *visible, sight *sights)
{
    if (!(rig->flags & ACRE_VISIBLE_CHANGES)) {
        return visible->entered || visible->left || visible->stayed || visible->changed ||
                       visible->entered_count || visible->left_count || visible->stayed_count ||
                       visible->changed_count
                   ? "changes that were not asked for"
                   : NULL;
    }
    const char *fault = check_entered_and_left(rig, visible, sights);
    fault = fault ? fault : check_stayed(rig, visible, sights);
    return fault ? fault : check_all_listed(rig, sights);
}

static const char *check_bits(const view_rig *rig, const view_world *world,
                              const acre_visible *visible, const sight *sights)
{
    if (!(rig->flags & ACRE_VISIBLE_BITS)) {
        return visible->bits || visible->word_count ? "bits that were not asked for" : NULL;
    }
    if (visible->word_count * 64 < slots_of(world)) {
        return "bits for too few slots";
    }
    for (size_t slot = 0; slot < visible->word_count * 64; slot++) {
        const bool bit = visible->bits[slot / 64] >> (slot & 63) & 1;
        if (bit != (slot < rig->past_capacity && sights[slot].is_named)) {
            return "a bit";
        }
    }
    return NULL;
}

static void hash_slots(uint64_t *hash, const uint32_t *slots, size_t count)
{
    *hash = (*hash ^ count) * 0x100000001b3u;
    for (size_t i = 0; i < count; i++) {
        *hash = (*hash ^ slots[i]) * 0x100000001b3u;
    }
}

static void copy_volume(const acre_frustum **to, acre_frustum *copy, const acre_frustum *from)
{
    *to = NULL;
    if (from) {
        if (copy != from) {
            *copy = *from;
        }
        *to = copy;
    }
}

// The result is the past of the next finding.
static void remember(view_rig *rig, const view_world *world, const acre_visible *visible,
                     const sight *sights)
{
    if (!visible->is_reused) {
        memset(rig->past, 0, rig->past_capacity * sizeof *rig->past);
        for (size_t i = 0; i < visible->count; i++) {
            const uint32_t slot = visible->slots[i];
            const uint32_t lod = visible->lods ? visible->lods[i] : 0;
            rig->past[slot] = (rig_slot){true, sights[slot].generation, lod};
        }
        rig->has_memory = (rig->flags & ACRE_VISIBLE_CHANGES) || asked(rig)->hysteresis > 0.0f;
    }
    if (!rig->is_frozen) {
        rig->seen = rig->view;
        copy_volume(&rig->seen.include, &rig->seen_include, rig->view.include);
        copy_volume(&rig->seen.exclude, &rig->seen_exclude, rig->view.exclude);
    }
    rig->culling = world->culling;
    rig->touched = world->touched;
    rig->reused += visible->is_reused;
    rig->visible += visible->count;
    rig->tested += visible->tested;
    rig->findings++;
    hash_slots(&rig->hash, visible->slots, visible->count);
    hash_slots(&rig->hash, visible->entered, visible->entered_count);
    hash_slots(&rig->hash, visible->left, visible->left_count);
    hash_slots(&rig->hash, visible->stayed, visible->stayed_count);
    hash_slots(&rig->hash, visible->changed, visible->changed_count);
}

static const char *check_reuse(const view_rig *rig, const view_world *world,
                               const acre_visible *visible)
{
    const bool must = rig->culling == world->culling && rig->touched == world->touched &&
                      same_view(asked(rig), &rig->seen);
    if (must && !visible->is_reused) {
        return "nothing changed, but all was found anew";
    }
    if (visible->is_reused &&
        (rig->culling != world->culling || !same_view(asked(rig), &rig->seen) ||
         visible->tested > 0 || visible->entered_count > 0 || visible->left_count > 0)) {
        return "reused for another view";
    }
    return NULL;
}

const char *view_rig_compare(view_rig *rig, const view_world *world)
{
    const acre_visible visible = acre_visible_set_get(rig->set);
    sight *const sights = make_sights(rig, world);
    if (!sights) {
        return "memory of the test";
    }
    if (rig->culling != world->culling) { // nothing of another culler's slots counts
        memset(rig->past, 0, rig->past_capacity * sizeof *rig->past);
        rig->has_memory = false;
    }
    const char *fault = check_reuse(rig, world, &visible);
    const size_t expected = expect(rig, world, true, sights);
    fault = fault ? fault : check_slots(rig, &visible, expected, sights);
    fault = fault ? fault : check_changes(rig, &visible, sights);
    fault = fault ? fault : check_bits(rig, world, &visible, sights);
    const acre_view *const view = acre_visible_set_view(rig->set);
    if (!fault && (!view || !same_view(view, asked(rig)))) {
        fault = "the view of the set";
    }
    if (!fault) {
        remember(rig, world, &visible, sights);
    }
    free(sights);
    return fault;
}

const char *view_rig_find(view_rig *rig, const view_world *world, bool explains)
{
    const char *const fault = explains ? view_rig_explain(rig, world) : NULL;
    if (fault) {
        return fault;
    }
    return acre_culling_find_visible(world->culling, &rig->view, rig->set) == ACRE_OK
               ? view_rig_compare(rig, world)
               : "find_visible";
}

// Without a set, explaining agrees with acre_culling_query_view.
static const char *explain_without_set(const view_rig *rig, const view_world *world)
{
    for (int i = 0; i < world->count; i += 7) {
        const world_entity *const entity = &world->entities[i];
        const view_subject subject = view_world_subject(world, entity);
        const view_past none = {false, 0};
        acre_explanation why;
        if (entity->is_alive &&
            (acre_culling_explain(world->culling, asked(rig), NULL, entity->handle, &why) !=
                 ACRE_OK ||
             why.hidden_by != view_oracle_see(asked(rig), &subject, &none).hidden_by ||
             why.was_visible)) {
            return "explain without a set";
        }
    }
    return NULL;
}

const char *view_rig_check_fresh(view_rig *rig, const view_world *world, acre_visible_set *fresh)
{
    acre_visible_set_clear(fresh);
    if (acre_culling_find_visible(world->culling, asked(rig), fresh) != ACRE_OK) {
        return "find_visible of a fresh set";
    }
    acre_visible visible = acre_visible_set_get(fresh);
    sight *const sights = make_sights(rig, world);
    uint32_t *const slots = calloc(visible.count + 1, sizeof *slots);
    const char *fault = sights && slots ? NULL : "memory of the test";
    if (!fault) {
        const size_t expected = expect(rig, world, false, sights);
        fault = check_slots(rig, &visible, expected, sights);
        for (size_t i = 0; i < visible.count; i++) {
            sights[visible.slots[i]].is_named = false;
        }
        const size_t count = count_in_view(world->culling, asked(rig), slots, visible.count);
        visible.slots = slots;
        visible.lods = NULL;
        fault = fault                    ? fault
                : count != visible.count ? "query_view counts otherwise"
                                         : check_slots(rig, &visible, expected, sights);
        fault = fault && strcmp(fault, "LODs that were not asked for") == 0 ? NULL : fault;
    }
    free(slots);
    free(sights);
    return fault ? fault : explain_without_set(rig, world);
}

// ---- why ----

static bool near(double a, double b, double slack)
{
    return (isinf(a) && isinf(b)) || fabs(a - b) <= slack;
}

// The signed distance of the corner of a box that lies farthest along the normal, or the least far.
static double corner_distance(const float *plane, const acre_aabb *box, bool farthest,
                              double *slack)
{
    double sum = (double)plane[3], length = 0.0, size = fabs(sum);
    for (int i = 0; i < 3; i++) {
        const bool takes_max = (plane[i] >= 0.0f) == farthest;
        const double term = (double)plane[i] * (double)(takes_max ? box->max[i] : box->min[i]);
        sum += term;
        size += fabs(term);
        length += (double)plane[i] * (double)plane[i];
    }
    length = sqrt(length);
    *slack = 1e-6 * size / length + 1e-30;
    return length > 0.0 ? sum / length : (double)INFINITY;
}

static bool is_single_outside(const float *plane, const acre_aabb *box)
{
    acre_frustum one = {.plane_count = 1};
    memcpy(one.planes[0], plane, sizeof one.planes[0]);
    return !acre_frustum_test_aabb(&one, box);
}

static const char *check_plane(const acre_frustum *frustum, const acre_explanation *why)
{
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        if (is_single_outside(frustum->planes[i], &why->box)) {
            double slack;
            const double distance = corner_distance(frustum->planes[i], &why->box, true, &slack);
            const bool is_far = !isfinite(distance) || near((double)why->margin, distance, slack);
            return i == why->plane && why->margin <= 0.0f && is_far ? NULL : "margin of a plane";
        }
    }
    return "no plane hides it";
}

static const char *check_exclude(const acre_view *view, const acre_explanation *why)
{
    double least = (double)INFINITY, most_slack = 0.0;
    for (uint32_t i = 0; i < view->exclude->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        double slack;
        least = fmin(least, corner_distance(view->exclude->planes[i], &why->box,
                                            view->flags & ACRE_VIEW_EXCLUDE_TOUCHING, &slack));
        most_slack = fmax(most_slack, slack);
    }
    return !isfinite(least) || near((double)why->margin, -least, most_slack) ||
                   (why->margin <= 0.0f && (double)why->margin >= -most_slack)
               ? NULL
               : "margin of the exclude volume";
}

// The least room of a visible entity in world units: to planes, and to the limits of distance.
static const char *check_room(const acre_view *view, const view_bounds *bounds,
                              const acre_explanation *why)
{
    double least = (double)INFINITY, most_slack = 1e-5;
    const acre_frustum *const volumes[2] = {&view->frustum, view->include};
    for (int v = 0; v < 2; v++) {
        for (uint32_t i = 0; volumes[v] && i < volumes[v]->plane_count; i++) {
            double slack;
            const double distance = corner_distance(volumes[v]->planes[i], &why->box, true, &slack);
            if (isfinite(distance)) {
                least = fmin(least, distance);
                most_slack = fmax(most_slack, slack);
            }
        }
    }
    const double distance = view_oracle_distance(view, &why->box);
    if (bounds->min_distance > 0.0) {
        least = fmin(least, distance - bounds->min_distance);
    }
    least = fmin(least, bounds->max_distance - distance);
    most_slack += 1e-5 * (distance + fabs(least));
    return why->margin >= 0.0f && near((double)why->margin, fmax(least, 0.0), most_slack)
               ? NULL
               : "margin of a visible entity";
}

static const char *check_margin(const acre_view *view, const view_subject *subject,
                                const view_past *past, const acre_explanation *why)
{
    const view_bounds bounds = view_oracle_bounds(view, subject->rule, past->was_visible);
    const double distance = view_oracle_distance(view, &why->box);
    const double pixels = view_oracle_pixels(view, &why->box);
    switch (why->hidden_by) {
    case ACRE_HIDDEN_BY_NOTHING:
        if (subject->is_never_cull) {
            return isinf(why->margin) ? NULL : "margin of a never-cull entity";
        }
        return check_room(view, &bounds, why);
    case ACRE_HIDDEN_BY_PLANE:
        return check_plane(&view->frustum, why);
    case ACRE_HIDDEN_BY_INCLUDE:
        return check_plane(view->include, why);
    case ACRE_HIDDEN_BY_EXCLUDE:
        return check_exclude(view, why);
    case ACRE_HIDDEN_BY_MIN_DISTANCE:
        return why->margin <= 0.0f && near((double)why->margin, distance - bounds.min_distance,
                                           1e-5 * (1.0 + bounds.min_distance))
                   ? NULL
                   : "margin of the minimum distance";
    case ACRE_HIDDEN_BY_MAX_DISTANCE:
        return why->margin <= 0.0f &&
                       near((double)why->margin, bounds.max_distance - distance, 1e-5 * distance)
                   ? NULL
                   : "margin of the maximum distance";
    case ACRE_HIDDEN_BY_SIZE:
        return why->margin <= 0.0f && near((double)why->margin, pixels - bounds.min_pixels,
                                           1e-4 * bounds.min_pixels)
                   ? NULL
                   : "margin of the size";
    default:
        return why->margin == 0.0f ? NULL : "a margin where there is none";
    }
}

static const char *check_measure(const acre_view *view, const acre_explanation *why)
{
    if (acre_aabb_is_empty(&why->box)) {
        return why->measure.distance == 0.0f && why->measure.pixels == 0.0f ? NULL : "measure";
    }
    const acre_view_measure measure = acre_view_measure_aabb(view, &why->box);
    return memcmp(&measure, &why->measure, sizeof measure) == 0 ? NULL : "measure";
}

static bool has_edges(const acre_aabb *outer, const acre_aabb *inner)
{
    return acre_aabb_contains(outer, inner);
}

static const char *check_place(const view_world *world, const world_entity *entity,
                               const view_subject *subject, const acre_explanation *why)
{
    const acre_scene_view view = acre_scene_get_view(world->scene);
    const uint32_t slot = entity->handle.index1 - 1;
    acre_culling_place expected = ACRE_CULLING_NOWHERE;
    if (subject->is_registered && subject->is_committed && !subject->is_hidden) {
        expected = subject->is_never_cull                  ? ACRE_CULLING_NEVER_CULL
                   : acre_aabb_is_empty(&subject->box)     ? ACRE_CULLING_NOWHERE
                   : view.flags[slot] & ACRE_ENTITY_STATIC ? ACRE_CULLING_STATIC_TREE
                                                           : ACRE_CULLING_MOVING_TREE;
    }
    if (why->place != expected) {
        return "place";
    }
    if (expected != ACRE_CULLING_MOVING_TREE && expected != ACRE_CULLING_STATIC_TREE) {
        return why->tree.items == 0 && why->tree.depth == 0 ? NULL : "a place in no tree";
    }
    acre_quadtree_place place;
    const acre_quadtree *const tree = expected == ACRE_CULLING_STATIC_TREE
                                          ? acre_culling_static_tree(world->culling)
                                          : acre_culling_tree(world->culling);
    if (acre_quadtree_locate(tree, slot, &place) != ACRE_OK) {
        return "not in its tree";
    }
    return place.is_outlier == why->tree.is_outlier && place.is_leaf == why->tree.is_leaf &&
                   place.depth == why->tree.depth && place.level == why->tree.level &&
                   place.items == why->tree.items &&
                   memcmp(place.cell_min, why->tree.cell_min, sizeof place.cell_min) == 0 &&
                   memcmp(place.loose_max, why->tree.loose_max, sizeof place.loose_max) == 0 &&
                   has_edges(&why->tree.bounds, &why->box)
               ? NULL
               : "place in its tree";
}

// A hidden entity hangs under the one that is named, or is that one, which has the flag itself.
static const char *check_parent(const view_world *world, const world_entity *entity,
                                const acre_explanation *why)
{
    if (why->hidden_by != ACRE_HIDDEN_BY_FLAG) {
        return why->parent.index1 == 0 ? NULL : "a hidden parent";
    }
    if (world->has_pending) {
        return why->parent.index1 > 0 ? NULL : "no hidden parent";
    }
    for (int i = (int)(entity - world->entities); i >= 0; i = world->entities[i].parent) {
        const world_entity *const above = &world->entities[i];
        if (above->handle.index1 == why->parent.index1) {
            return above->handle.generation == why->parent.generation &&
                           (above->seen_flags & ACRE_ENTITY_HIDDEN)
                       ? NULL
                       : "the parent is not hidden";
        }
    }
    return "the parent is none";
}

static const char *check_why(const view_rig *rig, const view_world *world,
                             const world_entity *entity, const acre_explanation *why)
{
    const view_subject subject = view_world_subject(world, entity);
    const view_past past = past_of(rig, world, entity->handle);
    const view_answer answer = view_oracle_see(asked(rig), &subject, &past);
    if (why->hidden_by != answer.hidden_by) {
        return "another cause";
    }
    if (answer.hidden_by == ACRE_HIDDEN_BY_NOTHING && answer.lod != why->lod &&
        (rig->flags & ACRE_VISIBLE_LODS)) {
        return "another LOD";
    }
    if (why->was_visible != past.was_visible || why->rule != entity->rule) {
        return "past or rule";
    }
    // Of an entity that the culler never met it knows no box.
    const bool is_unknown = !subject.is_registered && acre_aabb_is_empty(&why->box);
    if (!is_unknown && memcmp(&why->box, &subject.box, sizeof why->box) != 0) {
        return "box";
    }
    char text[200];
    const size_t length = acre_explanation_text(why, text, sizeof text);
    if (length == 0 || length >= sizeof text || strlen(text) != length) {
        return "text";
    }
    const char *fault = check_margin(asked(rig), &subject, &past, why);
    fault = fault ? fault : check_measure(asked(rig), why);
    fault = fault ? fault : check_place(world, entity, &subject, why);
    return fault ? fault : check_parent(world, entity, why);
}

const char *view_rig_explain(view_rig *rig, const view_world *world)
{
    for (int i = 0; i < world->count; i++) {
        const world_entity *const entity = &world->entities[i];
        acre_explanation why;
        const acre_result result =
            acre_culling_explain(world->culling, &rig->view, rig->set, entity->handle, &why);
        if (result != (entity->is_alive ? ACRE_OK : ACRE_ERROR_STALE_HANDLE)) {
            return "explain";
        }
        const char *const fault = result == ACRE_OK ? check_why(rig, world, entity, &why) : NULL;
        if (fault) {
            char text[200];
            (void)acre_explanation_text(&why, text, sizeof text);
            printf("explain slot %u: %s\n", entity->handle.index1 - 1, text);
            return fault;
        }
        rig->compared++;
    }
    return NULL;
}
