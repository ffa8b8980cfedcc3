// SPDX-License-Identifier: MIT
// fuzz_culling.c - fuzz target: entities with any transforms, boxes, flags and layers, followed by
// the culler, with registrations and boxes of the caller's. Answers are those of the headers; each
// query finds exactly what testing every entity finds, each visible set what the oracle of views
// finds, all pairs are those of every two; world boxes contain what they should.
#include "brute_force_pairs.h"
#include "culling_counts.h"
#include "fuzz.h"
#include "scene_shared.h"
#include "view_oracle.h"
#include "view_rules_internal.h"

#include <acre/entity_pairs.h>
#include <acre/explain.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ENTITIES = 48, MAX_STEPS = 200, FLAGS = 7, SETS = 2, MAX_RULES = 4 };

typedef struct actor {
    acre_entity handle;
    int parent; // -1: a root
    bool is_alive, is_published, has_box;
    bool box_is_world; // the box is a world box
    acre_aabb box;
    bool is_registered, is_excluded;
    bool was_created, was_moved; // by the last commit
    uint32_t rule;
    view_past past[SETS];
} actor;

typedef struct stage {
    acre_scene *scene;
    acre_culling *culling;
    bool register_all;
    int count;
    actor actors[MAX_ENTITIES];
    uint32_t found[MAX_ENTITIES + 1];
    acre_visibility_rule rules[MAX_RULES];
    uint32_t rule_count;
    acre_visible_set *sets[SETS];
    bool remembers[SETS]; // whom it saw
    acre_entity_contacts *contacts;
} stage;

static actor *by_slot(stage *on, uint32_t slot)
{
    for (int i = on->count; i-- > 0;) {
        if (on->actors[i].is_alive && on->actors[i].handle.index1 == slot + 1) {
            return &on->actors[i];
        }
    }
    return NULL;
}

static acre_result hear(void *user, const acre_scene *scene, const acre_scene_changes *changes)
{
    (void)scene;
    stage *const on = user;
    for (size_t i = 0; i < changes->created_count; i++) {
        actor *const created = by_slot(on, changes->created[i]);
        FUZZ_CHECK(created && !created->is_published);
        created->was_created = true;
    }
    for (size_t i = 0; i < changes->moved_count; i++) {
        actor *const moved = by_slot(on, changes->moved[i]);
        FUZZ_CHECK(moved && moved->is_published);
        moved->was_moved = true;
    }
    return ACRE_OK;
}

static acre_aabb world_box(const stage *on, const actor *of)
{
    return acre_scene_get_view(on->scene).world_bounds[of->handle.index1 - 1];
}

static bool is_below(const stage *on, int index, int ancestor)
{
    while (index >= 0 && index != ancestor) {
        index = on->actors[index].parent;
    }
    return index == ancestor;
}

// ---- reading ----

static bool box_has_nan(const acre_aabb *box)
{
    for (int i = 0; i < 3; i++) {
        if (isnan(box->min[i]) || isnan(box->max[i])) {
            return true;
        }
    }
    return false;
}

static bool all_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

// A local box as the scene stores it: no edge is smaller than FLT_MIN, and what is empty stays so.
static acre_aabb stored_box(acre_aabb box)
{
    const bool is_empty = acre_aabb_is_empty(&box);
    for (int i = 0; i < 3; i++) {
        box.min[i] = fabsf(box.min[i]) < FLT_MIN ? 0.0f : box.min[i];
        box.max[i] = fabsf(box.max[i]) < FLT_MIN ? 0.0f : box.max[i];
    }
    return is_empty ? acre_aabb_empty() : box;
}

static acre_transform read_local(fuzz_input *input, bool *is_good)
{
    static const float turns[4][4] = {
        {0, 0, 0, 1}, {0, 1, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f}, {0, 0.6f, 0, 0.8f}};
    acre_transform local = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const uint32_t shape = fuzz_byte(input);
    for (int i = 0; i < 3; i++) {
        local.translation[i] = fuzz_float(input);
        local.scale[i] = shape & 1 ? fuzz_float(input) : 1.0f;
    }
    for (int i = 0; i < 4; i++) {
        local.rotation[i] = shape < 240 ? turns[shape / 2 % 4][i] : fuzz_float(input);
    }
    const float *const turn = local.rotation;
    const bool is_turn = turn[0] != 0 || turn[1] != 0 || turn[2] != 0 || turn[3] != 0;
    *is_good = all_finite(local.translation, 3) && all_finite(local.rotation, 4) &&
               all_finite(local.scale, 3) && is_turn;
    return local;
}

static actor *read_actor(stage *on, fuzz_input *input)
{
    return &on->actors[fuzz_byte(input) % (uint32_t)on->count];
}

static acre_result expect(const actor *of, bool is_good)
{
    return !of->is_alive ? ACRE_ERROR_STALE_HANDLE
                         : (is_good ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT);
}

// ---- edits ----

static void create(stage *on, fuzz_input *input)
{
    const actor *const parent = on->count && (fuzz_byte(input) & 3) ? read_actor(on, input) : NULL;
    const uint32_t shape = fuzz_byte(input);
    bool is_local = true;
    acre_transform local = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    acre_aabb box = acre_aabb_empty();
    if (shape & 1) {
        local = read_local(input, &is_local);
    }
    if (shape & 6) {
        box = fuzz_box(input);
    }
    const acre_entity_def def = {
        .parent = parent ? parent->handle : (acre_entity){0, 0, 0},
        .local = shape & 1 ? &local : NULL,
        .bounds = shape & 6 ? &box : NULL,
        .layers = shape & 8 ? fuzz_byte(input) : 0,
        .flags = shape & 16 ? fuzz_byte(input) & 15 : 0,
    };
    const bool is_good = is_local && !box_has_nan(&box) && !(def.flags & ~(uint32_t)FLAGS);
    const bool is_stale = parent && !parent->is_alive;
    acre_entity handle;
    const acre_result result = acre_entity_create(on->scene, &def, &handle);
    FUZZ_CHECK((result == ACRE_OK && is_good && !is_stale) ||
               (result == ACRE_ERROR_STALE_HANDLE && is_stale) ||
               (result == ACRE_ERROR_INVALID_ARGUMENT && !is_good));
    FUZZ_CHECK((handle.index1 != 0) == (result == ACRE_OK));
    if (result == ACRE_OK) {
        on->actors[on->count++] = (actor){.handle = handle,
                                          .parent = parent ? (int)(parent - on->actors) : -1,
                                          .is_alive = true,
                                          .has_box = def.bounds != NULL,
                                          .box = stored_box(box)};
    }
}

static void destroy(stage *on, actor *of)
{
    const int index = (int)(of - on->actors);
    const acre_result expected = expect(of, true);
    FUZZ_CHECK(acre_entity_destroy(on->scene, of->handle) == expected);
    for (int i = 0; expected == ACRE_OK && i < on->count; i++) {
        if (is_below(on, i, index)) {
            on->actors[i].is_alive = false;
        }
    }
}

static void set_parent(stage *on, actor *of, fuzz_input *input)
{
    const actor *const parent = fuzz_byte(input) & 7 ? read_actor(on, input) : NULL;
    const int index = parent ? (int)(parent - on->actors) : -1;
    const bool closes = is_below(on, index, (int)(of - on->actors));
    const acre_result expected =
        parent && !parent->is_alive ? ACRE_ERROR_STALE_HANDLE : expect(of, !closes);
    FUZZ_CHECK(acre_entity_set_parent(on->scene, of->handle,
                                      parent ? parent->handle : (acre_entity){0, 0, 0}) ==
               expected);
    of->parent = expected == ACRE_OK ? index : of->parent;
}

static void set_local(stage *on, actor *of, fuzz_input *input)
{
    bool is_good;
    const acre_transform local = read_local(input, &is_good);
    FUZZ_CHECK(acre_entity_set_local(on->scene, of->handle, &local) == expect(of, is_good));
}

static void set_matrix(stage *on, actor *of, fuzz_input *input)
{
    float matrix[16];
    for (int i = 0; i < 16; i++) {
        matrix[i] = i % 4 < 3 ? fuzz_float(input) : i == 15 ? 1.0f : 0.0f;
    }
    const uint32_t shape = fuzz_byte(input);
    matrix[shape < 16 ? shape : 15] = shape < 16 ? fuzz_float(input) : 1.0f;
    const bool is_good = all_finite(matrix, 16) && matrix[3] == 0.0f && matrix[7] == 0.0f &&
                         matrix[11] == 0.0f && matrix[15] == 1.0f;
    FUZZ_CHECK(acre_entity_set_local_matrix(on->scene, of->handle, matrix) == expect(of, is_good));
}

static void set_bounds(stage *on, actor *of, fuzz_input *input)
{
    const bool has_box = fuzz_byte(input) & 7;
    const acre_aabb box = has_box ? fuzz_box(input) : acre_aabb_empty();
    const acre_result expected = expect(of, !box_has_nan(&box));
    FUZZ_CHECK(acre_entity_set_bounds(on->scene, of->handle, has_box ? &box : NULL) == expected);
    if (expected == ACRE_OK) {
        of->has_box = has_box;
        of->box = stored_box(box);
        of->box_is_world = false;
    }
}

static void edit(stage *on, fuzz_input *input)
{
    const uint32_t kind = fuzz_byte(input) % 10;
    if (on->count == 0 || (kind < 3 && on->count < MAX_ENTITIES)) {
        create(on, input);
        return;
    }
    actor *const of = read_actor(on, input);
    const uint32_t value = kind > 7 ? fuzz_byte(input) & 15 : 0;
    switch (kind) {
    case 3:
        destroy(on, of);
        break;
    case 4:
        set_parent(on, of, input);
        break;
    case 5:
        set_local(on, of, input);
        break;
    case 6:
        set_matrix(on, of, input);
        break;
    case 7:
        set_bounds(on, of, input);
        break;
    case 8:
        FUZZ_CHECK(acre_entity_set_layers(on->scene, of->handle, value) == expect(of, true));
        break;
    default: { // which of two errors comes first, no header says
        const bool is_good = !(value & ~(uint32_t)FLAGS);
        const acre_result result = acre_entity_set_flags(on->scene, of->handle, value);
        FUZZ_CHECK(result == expect(of, is_good) ||
                   (!is_good && result == ACRE_ERROR_INVALID_ARGUMENT));
        break;
    }
    }
}

// ---- commits and refreshes ----

// Presence of a world box, which may be empty.
static bool has_world_box(const stage *on, const actor *of)
{
    acre_aabb box;
    return acre_entity_world_bounds(on->scene, of->handle, &box) == ACRE_OK;
}

static void register_if_all(stage *on, actor *of)
{
    if (!on->register_all || !of->is_published || of->is_excluded) {
        return;
    }
    const uint32_t flags = acre_scene_get_view(on->scene).flags[of->handle.index1 - 1];
    if (has_world_box(on, of) || (flags & ACRE_ENTITY_NEVER_CULL)) {
        of->is_registered = true;
    }
}

// Whether the world box has all corners of the local box, computed in long double.
static void check_world_box(const stage *on, const actor *of)
{
    float m[16];
    FUZZ_CHECK(acre_entity_world_matrix(on->scene, of->handle, m) == ACRE_OK);
    if (!of->has_box) {
        FUZZ_CHECK(!has_world_box(on, of));
        return;
    }
    const acre_aabb world = world_box(on, of);
    if (acre_aabb_is_empty(&of->box)) {
        FUZZ_CHECK(acre_aabb_is_empty(&world));
        return;
    }
    FUZZ_CHECK(acre_aabb_is_valid(&world));
    if (of->box_is_world) {
        FUZZ_CHECK(memcmp(&world, &of->box, sizeof world) == 0);
        return;
    }
    if (!all_finite(m, 16)) {
        for (int i = 0; i < 3; i++) {
            FUZZ_CHECK(isinf(world.min[i]) && isinf(world.max[i]));
        }
        return;
    }
    for (int corner = 0; corner < 8 && acre_aabb_is_finite(&of->box); corner++) {
        for (int i = 0; i < 3; i++) {
            long double sum = (long double)m[12 + i], size = fabsl(sum);
            for (int k = 0; k < 3; k++) {
                const float edge = corner >> k & 1 ? of->box.max[k] : of->box.min[k];
                sum += (long double)m[4 * k + i] * (long double)edge;
                size += fabsl((long double)m[4 * k + i] * (long double)edge);
            }
            const long double slack = 0x1p-48L * size;
            FUZZ_CHECK((long double)world.min[i] <= sum + slack);
            FUZZ_CHECK((long double)world.max[i] >= sum - slack);
        }
    }
}

static void commit(stage *on)
{
    for (int i = 0; i < on->count; i++) {
        actor *const of = &on->actors[i];
        of->was_created = of->was_moved = false;
        of->is_published &= of->is_alive;
    }
    FUZZ_CHECK(acre_scene_commit(on->scene) == ACRE_OK);
    for (int i = 0; i < on->count; i++) {
        actor *const of = &on->actors[i];
        FUZZ_CHECK(!of->is_alive || of->is_published != of->was_created);
        of->is_published = of->is_alive;
        if (of->is_alive) {
            register_if_all(on, of);
        }
        if (of->was_created || of->was_moved) {
            check_world_box(on, of);
        }
    }
}

static void refresh(stage *on, actor *of)
{
    const acre_result expected =
        of->is_alive && !of->is_published ? ACRE_ERROR_NOT_COMMITTED : expect(of, true);
    const int index = (int)(of - on->actors);
    FUZZ_CHECK(acre_culling_refresh(on->culling, of->handle) == expected);
    for (int i = 0; expected == ACRE_OK && i < on->count; i++) {
        actor *const other = &on->actors[i];
        if (!other->is_alive || !other->is_published) {
            continue;
        }
        const acre_aabb box = world_box(on, other);
        if (is_below(on, i, index) || (is_below(on, index, i) && !acre_aabb_is_empty(&box))) {
            register_if_all(on, other);
        }
    }
}

static void refresh_bounds(stage *on, actor *of, fuzz_input *input)
{
    const acre_aabb box = fuzz_box(input);
    const acre_result expected = of->is_alive && !of->is_registered
                                     ? ACRE_ERROR_NOT_FOUND
                                     : expect(of, acre_aabb_is_valid(&box));
    FUZZ_CHECK(acre_culling_refresh_bounds(on->culling, of->handle, &box) == expected);
    if (expected == ACRE_OK) {
        of->has_box = of->box_is_world = true;
        of->box = stored_box(box);
        if (of->is_published) {
            check_world_box(on, of);
        }
    }
}

static void set_registered(stage *on, actor *of, bool registers)
{
    acre_result expected = registers ? ACRE_ERROR_EXISTS : ACRE_ERROR_NOT_FOUND;
    if (!of->is_alive || of->is_registered != registers) {
        expected = expect(of, true);
    }
    FUZZ_CHECK((registers ? acre_culling_register(on->culling, of->handle)
                          : acre_culling_unregister(on->culling, of->handle)) == expected);
    if (expected == ACRE_OK) {
        of->is_registered = registers;
        of->is_excluded = !registers;
    }
}

// ---- queries ----

// What a query must answer for one entity.
static bool is_visible(const stage *on, const actor *of, const acre_frustum *frustum,
                       uint32_t layers)
{
    if (!of->is_alive || !of->is_published || !of->is_registered) {
        return false;
    }
    const acre_scene_view view = acre_scene_get_view(on->scene);
    const uint32_t slot = of->handle.index1 - 1;
    if ((view.flags[slot] & ACRE_ENTITY_HIDDEN) || !(view.layers[slot] & layers)) {
        return false;
    }
    if (view.flags[slot] & ACRE_ENTITY_NEVER_CULL) {
        return true;
    }
    const acre_aabb box = view.world_bounds[slot];
    return !acre_aabb_is_empty(&box) && acre_frustum_test_aabb(frustum, &box);
}

// Entities destroyed since the last commit are found still, as the caller's own list may be late.
static bool was_destroyed_since(const stage *on, uint32_t slot)
{
    for (int i = 0; i < on->count; i++) {
        const actor *const of = &on->actors[i];
        if (!of->is_alive && of->is_published && of->handle.index1 == slot + 1) {
            return true;
        }
    }
    return false;
}

static bool has_nan(const acre_frustum *frustum)
{
    bool found = false;
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        for (int k = 0; k < 4; k++) {
            found |= isnan(frustum->planes[i][k]);
        }
    }
    return found;
}

static bool has_box(const stage *on, uint32_t slot)
{
    const acre_quadtree *const still = acre_culling_static_tree(on->culling);
    return acre_quadtree_contains(acre_culling_tree(on->culling), slot) ||
           (still && acre_quadtree_contains(still, slot));
}

// Those found that are in a tree, nearest first.
static void check_nearest(stage *on, acre_query query, size_t found)
{
    const acre_aabb origin = {{1, 0, -2}, {1, 0, -2}};
    acre_query_hit hits[MAX_ENTITIES];
    size_t count = 0, expected = 0;
    query.origin = &origin;
    FUZZ_CHECK(acre_culling_query_nearest(on->culling, &query, hits, MAX_ENTITIES, &count) ==
               ACRE_OK);
    for (size_t i = 0; i < found; i++) {
        size_t times = 0;
        for (size_t k = 0; k < count; k++) {
            times += hits[k].item == on->found[i];
        }
        FUZZ_CHECK(times == (has_box(on, on->found[i]) ? 1 : 0));
        expected += times;
    }
    FUZZ_CHECK(count == expected);
    for (size_t k = 1; k < count; k++) {
        FUZZ_CHECK(hits[k - 1].distance < hits[k].distance ||
                   (hits[k - 1].distance == hits[k].distance && hits[k - 1].item < hits[k].item));
    }
}

// By shape, a frustum finds the same in the same order; one with NaN is refused.
static void check_shape(stage *on, const acre_frustum *frustum, uint32_t layers, size_t found)
{
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = frustum, .layers = layers};
    uint32_t slots[MAX_ENTITIES];
    size_t total = 0;
    const acre_result result =
        acre_culling_query_shape(on->culling, &query, slots, MAX_ENTITIES, &total);
    if (has_nan(frustum)) {
        FUZZ_CHECK(result == ACRE_ERROR_INVALID_ARGUMENT && total == 0);
        return;
    }
    FUZZ_CHECK(result == ACRE_OK && total == found);
    FUZZ_CHECK(memcmp(slots, on->found, found * sizeof *slots) == 0);
    check_nearest(on, query, found);
}

// The entity in a slot with its box, if it can be in a pair. What was destroyed since the last
// commit still can.
static const actor *find_subject(const stage *on, uint32_t slot, acre_aabb *box)
{
    const acre_scene_view view = acre_scene_get_view(on->scene);
    for (int i = 0; slot < view.slot_count && i < on->count; i++) {
        const actor *const of = &on->actors[i];
        if (!of->is_published || of->handle.index1 != slot + 1) {
            continue;
        }
        *box = view.world_bounds[slot];
        const uint32_t outside = ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL;
        return of->is_registered && !(view.flags[slot] & outside) && !acre_aabb_is_empty(box)
                   ? of
                   : NULL;
    }
    return NULL;
}

static bool is_pair(const stage *on, uint32_t a, uint32_t b, const acre_pairs_rules *rules)
{
    const acre_scene_view view = acre_scene_get_view(on->scene);
    acre_aabb a_box, b_box;
    if (!find_subject(on, a, &a_box) || !find_subject(on, b, &b_box)) {
        return false;
    }
    return ((rules->flags & ACRE_PAIRS_AMONG_STATIC) ||
            !(view.flags[a] & view.flags[b] & ACRE_ENTITY_STATIC)) &&
           brute_force_is_pair(&a_box, view.layers[a], &b_box, view.layers[b], rules);
}

// All pairs in the order of a tracker's list; what began and ended makes up for the difference.
static void check_pairs(stage *on, uint32_t flags)
{
    const acre_pairs_rules rules = {.flags =
                                        (flags & 3u) | (flags & 4u ? ACRE_PAIRS_AMONG_STATIC : 0u)};
    const size_t before = acre_entity_contacts_get(on->contacts).now_count;
    size_t total = 0, count = 0;
    FUZZ_CHECK(acre_culling_pairs(on->culling, &rules, NULL, 0, &total) == ACRE_OK);
    FUZZ_CHECK(acre_entity_contacts_update(on->contacts, on->culling, &rules) == ACRE_OK);
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(on->contacts);
    FUZZ_CHECK(lists.now_count == total);
    FUZZ_CHECK(before + lists.began_count == total + lists.ended_count);
    for (uint32_t a = 0; a < MAX_ENTITIES; a++) {
        for (uint32_t b = a + 1; b < MAX_ENTITIES; b++) {
            if (is_pair(on, a, b, &rules)) {
                FUZZ_CHECK(count < total);
                FUZZ_CHECK(lists.now[count].a.index1 == a + 1 &&
                           lists.now[count].b.index1 == b + 1);
                count++;
            }
        }
    }
    FUZZ_CHECK(count == total);
}

static void query(stage *on, fuzz_input *input)
{
    const acre_frustum frustum = fuzz_frustum(input);
    const uint32_t layers = fuzz_byte(input) & 15;
    const size_t found = count_in_frustum(on->culling, &frustum, layers, on->found, MAX_ENTITIES);
    size_t expected = 0, gone = 0;
    FUZZ_CHECK(found <= MAX_ENTITIES);
    FUZZ_CHECK(count_in_frustum(on->culling, &frustum, layers, NULL, 0) == found);
    check_shape(on, &frustum, layers, found);
    check_pairs(on, layers);
    for (int i = 0; i < on->count; i++) {
        const actor *const of = &on->actors[i];
        size_t times = 0;
        for (size_t k = 0; of->is_alive && k < found; k++) {
            times += on->found[k] + 1 == of->handle.index1;
        }
        const bool sees = is_visible(on, of, &frustum, layers ? layers : UINT32_MAX);
        FUZZ_CHECK(!of->is_alive || was_destroyed_since(on, of->handle.index1 - 1) ||
                   times == (sees ? 1 : 0));
        expected += sees;
    }
    for (size_t k = 0; k < found; k++) {
        gone += was_destroyed_since(on, on->found[k]);
    }
    FUZZ_CHECK(found == expected + gone);
}

static void query_camera(stage *on, fuzz_input *input)
{
    acre_camera camera = {.layers = fuzz_byte(input) & 15, .clip = ACRE_CLIP_ZERO_TO_ONE};
    for (int i = 0; i < 16; i++) {
        camera.view[i] = i % 5 == 0 ? 1.0f : 0.0f;
        camera.projection[i] = fuzz_float(input);
    }
    acre_view view;
    const bool is_camera = acre_view_from_camera(&view, &camera) == ACRE_OK;
    uint32_t same[MAX_ENTITIES];
    const size_t found = acre_culling_query(on->culling, &camera, on->found, MAX_ENTITIES);
    FUZZ_CHECK(count_in_view(on->culling, &view, same, MAX_ENTITIES) == found);
    FUZZ_CHECK(found <= MAX_ENTITIES);
    FUZZ_CHECK(found == 0 || memcmp(same, on->found, found * sizeof same[0]) == 0);
    // Without rules there may be more, but not where there is no camera: it sees everything.
    view.flags = ACRE_VIEW_IGNORE_RULES;
    const size_t all =
        count_in_frustum(on->culling, &view.frustum, camera.layers, on->found, MAX_ENTITIES);
    FUZZ_CHECK(count_in_view(on->culling, &view, same, MAX_ENTITIES) == all);
    FUZZ_CHECK(all <= MAX_ENTITIES && (is_camera ? all >= found : all == found));
    FUZZ_CHECK(all == 0 || memcmp(same, on->found, all * sizeof same[0]) == 0);
}

// ---- views ----

static const uint32_t set_flags[SETS] = {
    ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS, ACRE_VISIBLE_LODS};

// Mostly a limit, rarely a number that is none.
static float read_limit(fuzz_input *input)
{
    const uint32_t kind = fuzz_byte(input);
    const float value = kind & 1 ? fuzz_float(input) : 0.0f;
    return kind < 250 ? fabsf(value) : value;
}

static bool is_limit(float value)
{
    return !isnan(value) && value >= 0.0f;
}

static void set_rules(stage *on, fuzz_input *input)
{
    acre_visibility_rule rules[MAX_RULES];
    const uint32_t count = fuzz_byte(input) % (MAX_RULES + 1);
    bool is_good = true;
    for (uint32_t i = 0; i < count; i++) {
        const float of[3] = {read_limit(input), read_limit(input), read_limit(input)};
        rules[i] = (acre_visibility_rule){
            .min_distance = of[0], .max_distance = of[1], .min_pixels = of[2]};
        is_good = is_good && is_limit(of[0]) && is_limit(of[1]) && is_limit(of[2]);
        const uint32_t lods = fuzz_byte(input) % (ACRE_LOD_LIMITS + 1);
        for (uint32_t k = 0; k < lods; k++) {
            rules[i].lod_pixels[k] = read_limit(input);
        }
        for (uint32_t k = 0; k < ACRE_LOD_LIMITS; k++) {
            const float above = rules[i].lod_pixels[k > 0 ? k - 1 : 0];
            is_good =
                is_good && is_limit(rules[i].lod_pixels[k]) && rules[i].lod_pixels[k] <= above;
        }
    }
    FUZZ_CHECK(acre_culling_set_rules(on->culling, rules, count) ==
               (is_good ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT));
    if (is_good) {
        memcpy(on->rules, rules, count * sizeof rules[0]);
        on->rule_count = count;
    }
}

static void set_rule(stage *on, actor *of, fuzz_input *input)
{
    const uint32_t rule = fuzz_byte(input) % (MAX_RULES + 2);
    const acre_result expected = expect(of, true);
    FUZZ_CHECK(acre_culling_set_rule(on->culling, of->handle, rule) == expected);
    of->rule = expected == ACRE_OK ? rule : of->rule;
    FUZZ_CHECK(acre_culling_get_rule(on->culling, of->handle) == (of->is_alive ? of->rule : 0));
}

static acre_view read_view(fuzz_input *input)
{
    acre_view view = {.frustum = fuzz_frustum(input), .layers = fuzz_byte(input) & 15};
    view.flags = fuzz_byte(input) & 7;
    view.flags &= view.flags & 4 ? 7u : 3u;
    for (int i = 0; i < 3; i++) {
        view.eye[i] = fuzz_float(input);
    }
    view.min_distance = read_limit(input);
    view.max_distance = read_limit(input);
    view.pixels = read_limit(input);
    view.is_parallel = fuzz_byte(input) & 1;
    view.min_pixels = read_limit(input);
    view.range_scale = read_limit(input);
    view.lod_scale = read_limit(input);
    view.hysteresis = read_limit(input) * 0.0078125f; // of multiples of a unit mostly below 1
    return view;
}

static bool is_good_view(const acre_view *view)
{
    return !(view->flags & ~3u) && all_finite(view->eye, 3) && is_limit(view->min_distance) &&
           is_limit(view->max_distance) && is_limit(view->pixels) && is_limit(view->min_pixels) &&
           is_limit(view->range_scale) && is_limit(view->lod_scale) && is_limit(view->hysteresis) &&
           view->hysteresis < 1.0f && !(view->include && has_nan(view->include)) &&
           !(view->exclude && has_nan(view->exclude));
}

static view_answer look_at(const stage *on, const actor *of, const acre_view *view, int set)
{
    const acre_scene_view scene = acre_scene_get_view(on->scene);
    const uint32_t slot = of->handle.index1 - 1;
    view_subject subject = {.is_registered = of->is_registered,
                            .is_left_out = on->register_all && of->is_published &&
                                           !of->is_excluded && !has_world_box(on, of),
                            .is_committed = of->is_published,
                            .box = acre_aabb_empty()};
    if (of->is_published) {
        subject.is_hidden = (scene.flags[slot] & ACRE_ENTITY_HIDDEN) != 0;
        subject.is_never_cull = (scene.flags[slot] & ACRE_ENTITY_NEVER_CULL) != 0;
        subject.layers = scene.layers[slot];
        subject.box = scene.world_bounds[slot];
    }
    if (of->rule > 0 && of->rule <= on->rule_count) {
        subject.rule = &on->rules[of->rule - 1];
    }
    const view_past none = {false, 0};
    return view_oracle_see(view, &subject, on->remembers[set] ? &of->past[set] : &none);
}

static void check_found(stage *on, const acre_view *view, int set)
{
    const acre_visible visible = acre_visible_set_get(on->sets[set]);
    size_t expected = 0, stayed = 0, before = 0;
    for (int i = 0; i < on->count; i++) {
        actor *const of = &on->actors[i];
        const bool is_here = of->is_alive || of->is_published;
        const view_answer answer = look_at(on, of, view, set);
        const bool sees = is_here && answer.hidden_by == ACRE_HIDDEN_BY_NOTHING;
        size_t times = 0;
        for (size_t k = 0; sees && k < visible.count; k++) {
            const bool is_this = visible.slots[k] + 1 == of->handle.index1;
            FUZZ_CHECK(!is_this || visible.lods[k] == answer.lod);
            times += is_this;
        }
        FUZZ_CHECK(times == (sees ? 1 : 0));
        expected += sees;
        before += of->past[set].was_visible;
        stayed += sees && of->past[set].was_visible;
        of->past[set] = (view_past){sees, answer.lod};
    }
    FUZZ_CHECK(visible.count == expected);
    if (set_flags[set] & ACRE_VISIBLE_CHANGES) {
        FUZZ_CHECK(visible.stayed_count == stayed && visible.left_count == before - stayed);
        FUZZ_CHECK(visible.entered_count == expected - stayed);
    }
    on->remembers[set] = (set_flags[set] & ACRE_VISIBLE_CHANGES) || view->hysteresis > 0.0f;
}

static void find_visible(stage *on, fuzz_input *input)
{
    acre_view view = read_view(input);
    const uint32_t shape = fuzz_byte(input);
    const int set = shape & 1;
    acre_frustum include = {.plane_count = 0}, exclude = include;
    if (shape & 2) {
        include = fuzz_frustum(input);
        view.include = &include;
    }
    if (shape & 4) {
        exclude = fuzz_frustum(input);
        view.exclude = &exclude;
    }
    const actor *const of = on->count > 0 ? read_actor(on, input) : NULL;
    const bool is_good = is_good_view(&view);
    FUZZ_CHECK(acre_view_is_valid(&view) == is_good);
    acre_explanation why;
    if (of && of->is_alive && is_good) {
        FUZZ_CHECK(acre_culling_explain(on->culling, &view, on->sets[set], of->handle, &why) ==
                   ACRE_OK);
        FUZZ_CHECK(why.hidden_by == look_at(on, of, &view, set).hidden_by);
        FUZZ_CHECK(acre_explanation_text(&why, NULL, 0) > 0);
    }
    const acre_result result = acre_culling_find_visible(on->culling, &view, on->sets[set]);
    FUZZ_CHECK(result == (is_good ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT));
    for (int again = 0; is_good && again < 2; again++) { // the second time nothing has changed
        check_found(on, &view, set);
        FUZZ_CHECK(acre_culling_find_visible(on->culling, &view, on->sets[set]) == ACRE_OK);
        FUZZ_CHECK(acre_visible_set_get(on->sets[set]).is_reused);
    }
}

static void use_views(stage *on, fuzz_input *input)
{
    const uint32_t kind = fuzz_byte(input) & 7;
    if (kind == 0) {
        set_rules(on, input);
    } else if (kind < 3 && on->count > 0) {
        set_rule(on, read_actor(on, input), input);
    } else {
        find_visible(on, input);
    }
}

// ---- all of it ----

static void step(stage *on, fuzz_input *input)
{
    const uint32_t kind = fuzz_byte(input);
    if (kind < 120 || on->count == 0) {
        edit(on, input);
        return;
    }
    actor *const of = kind >= 160 && kind < 220 ? read_actor(on, input) : NULL;
    if (kind < 160) {
        commit(on);
    } else if (kind < 172) {
        refresh(on, of);
    } else if (kind < 192) {
        refresh_bounds(on, of, input);
    } else if (kind < 220) {
        set_registered(on, of, kind < 208);
    } else if (kind < 236) {
        query(on, input);
    } else if (kind < 240) {
        query_camera(on, input);
    } else {
        use_views(on, input);
    }
    FUZZ_CHECK(acre_scene_validate(on->scene, NULL, 0) == ACRE_OK);
    const acre_quadtree *const still = acre_culling_static_tree(on->culling);
    FUZZ_CHECK(acre_quadtree_validate(acre_culling_tree(on->culling), NULL, 0) == ACRE_OK);
    FUZZ_CHECK(!still || acre_quadtree_validate(still, NULL, 0) == ACRE_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size, 0};
    const uint32_t shape = fuzz_byte(&input);
    stage on = {.register_all = shape & 1};
    const acre_module listener = {.name = "listener", .commit = hear, .user = &on};
    const acre_culling_def def = {
        .register_all = on.register_all,
        .tree = {.half_size = shape & 2 ? 64.0f : 0.0f, .node_capacity = shape >> 2 & 3}};
    FUZZ_CHECK(acre_scene_create(&(acre_scene_def){.scene = 3}, &on.scene) == ACRE_OK);
    FUZZ_CHECK(acre_scene_attach(on.scene, &listener) == ACRE_OK);
    FUZZ_CHECK(acre_culling_create(on.scene, &def, &on.culling) == ACRE_OK);
    for (int i = 0; i < SETS; i++) {
        const acre_visible_set_def set = {.flags = set_flags[i]};
        FUZZ_CHECK(acre_visible_set_create(&set, &on.sets[i]) == ACRE_OK);
    }
    FUZZ_CHECK(acre_entity_contacts_create(NULL, &on.contacts) == ACRE_OK);
    for (uint32_t i = 0; i < MAX_STEPS && fuzz_has_more(&input); i++) {
        step(&on, &input);
    }
    for (int i = 0; i < SETS; i++) {
        acre_visible_set_destroy(on.sets[i]);
    }
    acre_entity_contacts_destroy(on.contacts);
    // Either may go first.
    if (shape & 128) {
        acre_scene_destroy(on.scene);
        FUZZ_CHECK(count_in_frustum(on.culling, &(acre_frustum){.plane_count = 0}, 0, NULL, 0) ==
                   0);
        acre_culling_destroy(on.culling);
    } else {
        acre_culling_destroy(on.culling);
        acre_scene_destroy(on.scene);
    }
    return 0;
}
