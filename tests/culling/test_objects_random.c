// SPDX-License-Identifier: MIT
// test_objects_random.c - one random world told to two cullers, one over a scene and one over
// arrays of a host: every query of every frame answers what a plain loop over the world answers,
// and lists, casters and pairs are the same of both.
#include "test.h"

#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/entity_pairs.h>
#include <acre/explain.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 160, PAIRS = 4096, RULES = 3 };

// An object as the program knows it.
typedef struct thing {
    bool is_live, is_empty;
    float place[3], half[3]; // multiples of 1/8, so that no sum rounds
    uint32_t flags, layers, serial;
    uint16_t rule;
    acre_entity entity;
    bool was_visible;
    uint32_t was_serial, was_lod;
} thing;

// A record of the host: what Acre reads lies among what it does not.
typedef struct record {
    uint32_t other;
    float min[3], max[3], center[3], half[3];
    uint16_t rule;
    float rows[12], columns[16];
} record;

typedef struct game {
    test_random random;
    acre_scene *scene;
    acre_culling *cullers[2]; // the scene's, the host's
    acre_visible_set *sets[2];
    acre_draw_list *lists[2];
    acre_receivers *receivers;
    acre_entity_contacts *contacts;
    thing things[SLOTS];
    record records[SLOTS];
    uint32_t flags[SLOTS], layers[SLOTS], keys[SLOTS];
    uint32_t slot_count, serial;
    uint32_t removed[SLOTS], added[2 * SLOTS], relabeled[SLOTS], moved[2 * SLOTS];
    size_t removed_count, added_count, relabeled_count, moved_count;
    bool is_moved[SLOTS], is_bad[SLOTS];
    acre_visibility_rule rules[RULES];
    bool gives_rules; // in this frame the host has its rules in an array
    uint16_t rule_rows[SLOTS];
    acre_view view;
    acre_camera camera;
    double away[3]; // how far the world is from where it began
} game;

static float grid(test_random *random, int range)
{
    return (float)((int)random_below(random, (uint32_t)(2 * range)) - range) / 8.0f;
}

static acre_aabb box_of(const thing *of)
{
    acre_aabb box = acre_aabb_empty();
    for (int k = 0; k < 3 && !of->is_empty; k++) {
        box.min[k] = of->place[k] - of->half[k];
        box.max[k] = of->place[k] + of->half[k];
    }
    return box;
}

static void place_thing(game *g, thing *of)
{
    of->is_empty = random_below(&g->random, 12) == 0;
    for (int k = 0; k < 3; k++) {
        of->place[k] = grid(&g->random, k == 1 ? 80 : 1200);
        of->half[k] = (float)random_below(&g->random, 60) / 8.0f;
    }
}

// What a host writes while it moves its objects.
static void write_record(game *g, uint32_t slot)
{
    const thing *const of = &g->things[slot];
    record *const row = &g->records[slot];
    const acre_aabb box = box_of(of);
    memcpy(row->min, box.min, sizeof row->min);
    memcpy(row->max, box.max, sizeof row->max);
    for (int k = 0; k < 3; k++) {
        row->center[k] = of->place[k];
        row->half[k] = of->is_empty ? -1.0f : of->half[k];
        for (int c = 0; c < 4; c++) {
            row->rows[4 * k + c] = c == 3 ? of->place[k] : c == k ? 1.0f : 0.0f;
            row->columns[4 * c + k] = row->rows[4 * k + c];
        }
    }
    row->columns[3] = row->columns[7] = row->columns[11] = 0.0f;
    row->columns[15] = 1.0f;
    row->rule = g->rule_rows[slot] = of->rule;
    g->flags[slot] = of->flags | random_below(&g->random, 2) << 20; // a bit of the host's own
    g->layers[slot] = of->layers;
}

// ---- edits ----

static acre_transform transform_of(const thing *of)
{
    return (acre_transform){{of->place[0], of->place[1], of->place[2]}, {0, 0, 0, 1}, {1, 1, 1}};
}

// A never-culled object of a host has no box, so that of the scene has none either.
static void tell_bounds(game *g, const thing *of)
{
    acre_aabb local = acre_aabb_empty();
    for (int k = 0; k < 3 && !of->is_empty; k++) {
        local.min[k] = -of->half[k];
        local.max[k] = of->half[k];
    }
    const bool has_none = (of->flags & ACRE_ENTITY_NEVER_CULL) != 0;
    EXPECT(acre_entity_set_bounds(g->scene, of->entity, has_none ? NULL : &local) == ACRE_OK);
}

static void label_thing(game *g, thing *of)
{
    const uint32_t kind = random_below(&g->random, 12);
    of->flags = kind == 0   ? ACRE_ENTITY_HIDDEN
                : kind == 1 ? ACRE_ENTITY_NEVER_CULL
                : kind == 2 ? ACRE_ENTITY_NEVER_CULL | ACRE_ENTITY_HIDDEN
                : kind < 6  ? ACRE_ENTITY_STATIC
                            : 0u;
    of->layers = random_below(&g->random, 3) ? 1u + random_below(&g->random, 7) : UINT32_MAX;
}

// One more than there are. Where the host has no array of them, an object comes without.
static uint16_t random_rule(game *g)
{
    return g->gives_rules ? (uint16_t)random_below(&g->random, RULES + 2) : 0;
}

static void add_thing(game *g)
{
    acre_entity entity;
    thing made = {.is_live = true, .serial = ++g->serial, .rule = random_rule(g)};
    place_thing(g, &made);
    label_thing(g, &made);
    const acre_transform local = transform_of(&made);
    const acre_aabb unit = {{0, 0, 0}, {0, 0, 0}};
    EXPECT(acre_entity_create(g->scene,
                              &(acre_entity_def){.local = &local,
                                                 .bounds = &unit,
                                                 .layers = made.layers,
                                                 .flags = made.flags,
                                                 .rule = made.rule},
                              &entity) == ACRE_OK);
    const uint32_t slot = entity.index1 - 1;
    EXPECT(slot < SLOTS);
    made.entity = entity;
    made.was_visible = g->things[slot].was_visible;
    made.was_serial = g->things[slot].was_serial;
    made.was_lod = g->things[slot].was_lod;
    g->things[slot] = made;
    tell_bounds(g, &made);
    g->slot_count = slot >= g->slot_count ? slot + 1 : g->slot_count;
    g->added[g->added_count++] = slot;
    g->is_moved[slot] = true;
}

// The host has another object there; for the scene it is the same entity.
static void replace_thing(game *g, uint32_t slot)
{
    thing *const of = &g->things[slot];
    of->serial = ++g->serial;
    of->rule = random_rule(g);
    EXPECT(acre_culling_set_rule(g->cullers[0], of->entity, of->rule) == ACRE_OK);
    if (random_below(&g->random, 2)) {
        g->removed[g->removed_count++] = slot;
    }
    g->added[g->added_count++] = slot;
    g->is_moved[slot] = true;
}

static void edit_things(game *g, uint32_t part)
{
    g->removed_count = g->added_count = g->relabeled_count = g->moved_count = 0;
    g->gives_rules = random_below(&g->random, 3) > 0;
    memset(g->is_moved, 0, sizeof g->is_moved);
    for (uint32_t slot = 0; slot < g->slot_count; slot++) {
        thing *const of = &g->things[slot];
        const uint32_t kind = of->is_live ? random_below(&g->random, part) : UINT32_MAX;
        if (kind == 0) {
            EXPECT(acre_entity_destroy(g->scene, of->entity) == ACRE_OK);
            of->is_live = false;
            g->removed[g->removed_count++] = slot;
        } else if (kind == 1) {
            replace_thing(g, slot);
        } else if (kind == 2) {
            label_thing(g, of);
            EXPECT(acre_entity_set_flags(g->scene, of->entity, of->flags) == ACRE_OK);
            EXPECT(acre_entity_set_layers(g->scene, of->entity, of->layers) == ACRE_OK);
            tell_bounds(g, of);
            of->rule = g->gives_rules ? random_rule(g) : of->rule;
            EXPECT(acre_culling_set_rule(g->cullers[0], of->entity, of->rule) == ACRE_OK);
            g->relabeled[g->relabeled_count++] = slot;
        } else if (kind < 6) {
            place_thing(g, of);
            const acre_transform local = transform_of(of);
            EXPECT(acre_entity_set_local(g->scene, of->entity, &local) == ACRE_OK);
            tell_bounds(g, of);
            g->is_moved[slot] = true;
            g->moved[g->moved_count++] = slot;
        }
    }
    uint32_t wanted = random_below(&g->random, 4) ? random_below(&g->random, 4) : 100;
    size_t live = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        live += g->things[slot].is_live;
    }
    for (; wanted > 0 && live + g->removed_count < SLOTS; wanted--, live++) {
        add_thing(g);
    }
}

// ---- updates of the host ----

static acre_box_array boxes_of(game *g, bool centered)
{
    const record *const first = g->records;
    return (acre_box_array){centered ? first->center : first->min,
                            centered ? first->half : first->max, sizeof *first, sizeof *first,
                            centered ? ACRE_BOX_FORM_CENTER_EXTENT : ACRE_BOX_FORM_MIN_MAX};
}

static acre_objects objects_of(game *g)
{
    return (acre_objects){.slot_count = g->slot_count,
                          .boxes = boxes_of(g, random_below(&g->random, 2)),
                          .flags = g->flags,
                          .layers = g->layers,
                          .removed = g->removed,
                          .removed_count = g->removed_count,
                          .added = g->added,
                          .added_count = g->added_count,
                          .relabeled = g->relabeled,
                          .relabeled_count = g->relabeled_count,
                          .rules = g->gives_rules ? g->rule_rows : NULL};
}

// Some of what moved has a row of NaN: its object keeps its box. @return how many are refused.
static size_t spoil_rows(game *g)
{
    size_t refused = 0;
    memset(g->is_bad, 0, sizeof g->is_bad);
    for (size_t i = 0; i < g->moved_count; i++) {
        thing *const of = &g->things[g->moved[i]];
        record *const row = &g->records[g->moved[i]];
        if (!of->is_empty && random_below(&g->random, 40) == 0) {
            row->min[1] = row->center[2] = NAN;
            g->is_bad[g->moved[i]] = true;
            refused += !(of->flags & (ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL));
        }
    }
    return refused;
}

// The refused rows, and those of slots without an object, are told; the others are applied.
static bool update_by_slot(game *g, uint32_t mode)
{
    uint64_t bits[SLOTS / 64 + 1] = {0};
    acre_objects objects = objects_of(g);
    size_t refused = 0;
    if (mode == 0) {
        objects.moved_count = ACRE_ALL_MOVED;
    } else if (mode == 1) {
        bits[0] = g->things[0].is_live ? 0 : 1; // of nobody: it means nothing
        for (size_t i = 0; i < g->moved_count; i++) {
            bits[g->moved[i] / 64] |= (uint64_t)1 << (g->moved[i] & 63);
        }
        objects.moved_bits = bits;
    } else {
        objects.moved = g->moved;
        objects.moved_count = g->moved_count;
        if (random_below(&g->random, 4) == 0) {
            g->moved[objects.moved_count++] = random_below(&g->random, 2) ? UINT32_MAX : SLOTS;
            refused++;
        }
    }
    for (uint32_t slot = 0; slot < g->slot_count; slot++) {
        refused += g->is_bad[slot] &&
                   !(g->things[slot].flags & (ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL));
    }
    acre_batch_report report;
    const acre_result result = acre_culling_update(g->cullers[1], &objects, &report);
    return report.refused == refused && (result == ACRE_OK) == (refused == 0) &&
           result == report.first.result;
}

// The rows come in two chunks; the first one brings the other changes.
static bool update_by_chunks(game *g)
{
    acre_aabb rows[4 * SLOTS];
    uint32_t slots[4 * SLOTS];
    size_t count = 0;
    const uint32_t *const lists[3] = {g->added, g->relabeled, g->moved};
    const size_t counts[3] = {g->added_count, g->relabeled_count, g->moved_count};
    for (int list = 0; list < 3; list++) {
        for (size_t i = 0; i < counts[list]; i++) {
            slots[count] = lists[list][i];
            rows[count++] = box_of(&g->things[lists[list][i]]);
        }
    }
    if (count > 0 && random_below(&g->random, 2)) { // a slot in two rows: the last one holds
        slots[count] = slots[0];
        rows[count++] = rows[0];
        rows[0] = (acre_aabb){{-1, -1, -1}, {1, 1, 1}};
    }
    acre_objects objects = objects_of(g);
    const size_t first = random_below(&g->random, 2) ? count : g->added_count;
    objects.box_slots = slots;
    objects.box_count = first;
    objects.boxes = (acre_box_array){rows[0].min, rows[0].max, sizeof *rows, sizeof *rows, 0};
    const bool is_good = acre_culling_update(g->cullers[1], &objects, NULL) == ACRE_OK;
    objects = (acre_objects){.slot_count = g->slot_count,
                             .boxes = {rows[first].min, rows[first].max, sizeof *rows, sizeof *rows,
                                       ACRE_BOX_FORM_MIN_MAX},
                             .box_slots = slots + first,
                             .box_count = count - first};
    return is_good && acre_culling_update(g->cullers[1], &objects, NULL) == ACRE_OK;
}

static void give_rules(game *g)
{
    for (uint32_t slot = 0; slot < g->slot_count; slot++) {
        g->things[slot].rule = (uint16_t)random_below(&g->random, RULES + 2); // one too many
        g->records[slot].rule = g->things[slot].rule;
    }
    for (int i = 0; i < 2; i++) {
        EXPECT(acre_culling_set_rule_numbers(g->cullers[i], &g->records[0].rule, sizeof(record),
                                             g->slot_count) == ACRE_OK);
    }
}

// The world moves a bit or comes back: the scene's with the commit, the host's at once. The host
// brings its boxes, or the culler moves those that it has.
static bool shift_world(game *g)
{
    double offset[3];
    acre_shift_report report;
    const bool is_back = random_below(&g->random, 2) == 0;
    for (int k = 0; k < 3; k++) {
        offset[k] = is_back ? -g->away[k] : (double)grid(&g->random, 400);
        g->away[k] += offset[k];
    }
    for (uint32_t slot = 0; slot < g->slot_count; slot++) {
        for (int k = 0; k < 3; k++) {
            g->things[slot].place[k] += (float)offset[k];
        }
        write_record(g, slot);
    }
    const acre_box_array boxes = boxes_of(g, random_below(&g->random, 2));
    const bool has_boxes = random_below(&g->random, 2);
    return acre_scene_shift_origin(g->scene, offset) == ACRE_OK &&
           acre_culling_shift(g->cullers[1], offset, has_boxes ? &boxes : NULL, &report) ==
               ACRE_OK &&
           report.is_exact;
}

// One frame of both. Bad rows are the host's alone, so the scene is told of the old boxes again.
static bool run_frame(game *g, uint32_t part)
{
    static thing before[SLOTS];
    if (random_below(&g->random, 4) == 0 && !shift_world(g)) {
        return false;
    }
    memcpy(before, g->things, sizeof before);
    edit_things(g, part);
    for (uint32_t slot = 0; slot < g->slot_count; slot++) {
        write_record(g, slot);
    }
    const uint32_t mode = random_below(&g->random, 4);
    memset(g->is_bad, 0, sizeof g->is_bad);
    if (mode < 3 && spoil_rows(g) > 0) {
        for (uint32_t slot = 0; slot < g->slot_count; slot++) {
            thing *const of = &g->things[slot];
            if (g->is_bad[slot]) {
                of->is_empty = before[slot].is_empty;
                memcpy(of->place, before[slot].place, sizeof of->place);
                memcpy(of->half, before[slot].half, sizeof of->half);
                const acre_transform local = transform_of(of);
                EXPECT(acre_entity_set_local(g->scene, of->entity, &local) == ACRE_OK);
                tell_bounds(g, of);
            }
        }
    }
    const bool is_good = mode < 3 ? update_by_slot(g, mode) : update_by_chunks(g);
    for (uint32_t slot = 0; slot < g->slot_count; slot++) {
        write_record(g, slot);
    }
    if (acre_scene_commit(g->scene) != ACRE_OK) {
        return false;
    }
    if (random_below(&g->random, 3) == 0) {
        give_rules(g);
    }
    char message[160];
    EXPECT(is_good);
    return is_good && acre_culling_validate(g->cullers[0], message, sizeof message) == ACRE_OK &&
           acre_culling_validate(g->cullers[1], message, sizeof message) == ACRE_OK;
}

// ---- plain loops ----

static void aim(game *g)
{
    const float eye[3] = {grid(&g->random, 1200), grid(&g->random, 100), grid(&g->random, 1200)};
    const float target[3] = {grid(&g->random, 800), 0.0f, grid(&g->random, 800)};
    const float up[3] = {0, 1, 0};
    const float far = random_below(&g->random, 2) ? 400.0f : 120.0f;
    EXPECT(acre_camera_perspective(&g->camera, 1.2f, 1.5f, 0.5f, far, ACRE_CLIP_ZERO_TO_ONE) ==
           ACRE_OK);
    ACRE_IGNORE(acre_camera_look_at(&g->camera, eye, target, up));
    EXPECT(acre_view_from_camera(&g->view, &g->camera) == ACRE_OK);
    EXPECT(acre_view_set_viewport(&g->view, &g->camera, 720.0f) == ACRE_OK);
    g->view.layers = random_below(&g->random, 3) ? 0 : 1u + random_below(&g->random, 7);
    g->view.hysteresis = random_below(&g->random, 2) ? 0.2f : 0.0f;
    g->view.min_pixels = random_below(&g->random, 2) ? 6.0f : 0.0f;
}

// Whether the view sees the object. last: its LOD, where it was visible before. lod: receives it.
static bool sees(const game *g, const thing *of, bool has_rules, const uint32_t *last,
                 uint32_t *lod)
{
    *lod = 0;
    if (!of->is_live || (of->flags & ACRE_ENTITY_HIDDEN) ||
        !(of->layers & (g->view.layers ? g->view.layers : UINT32_MAX))) {
        return false;
    }
    if (of->flags & ACRE_ENTITY_NEVER_CULL) {
        return true;
    }
    const acre_aabb box = box_of(of);
    const acre_visibility_rule *const rule =
        of->rule >= 1 && of->rule <= RULES ? &g->rules[of->rule - 1] : NULL;
    return !of->is_empty && acre_frustum_test_aabb(&g->view.frustum, &box) &&
           (!has_rules ||
            acre_view_test_rules(&g->view, rule, &box, last, lod) == ACRE_HIDDEN_BY_NOTHING);
}

// Counts how often each slot is named.
static void count_names(uint8_t *times, const uint32_t *slots, size_t count)
{
    memset(times, 0, SLOTS);
    for (size_t i = 0; i < count; i++) {
        EXPECT(slots[i] < SLOTS);
        times[slots[i]]++;
    }
}

static const char *check_queries(game *g)
{
    uint32_t slots[SLOTS];
    uint8_t times[SLOTS];
    for (int i = 0; i < 4; i++) {
        size_t count = 0;
        const bool has_rules = i / 2 == 1;
        const acre_result result =
            has_rules ? acre_culling_query_view(g->cullers[i % 2], &g->view, slots, SLOTS, &count)
                      : acre_culling_query_frustum(g->cullers[i % 2], &g->view.frustum,
                                                   g->view.layers, slots, SLOTS, &count);
        if (result != ACRE_OK) {
            return "a query fails";
        }
        count_names(times, slots, count);
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            uint32_t lod;
            if (times[slot] != (uint8_t)sees(g, &g->things[slot], has_rules, NULL, &lod)) {
                printf("culler %d, slot %u: named %u times\n", i % 2, (unsigned)slot,
                       (unsigned)times[slot]);
                return has_rules ? "a view" : "a frustum";
            }
        }
    }
    return NULL;
}

typedef struct traced {
    uint8_t times[SLOTS], kept[SLOTS];
} traced;

static bool note_step(void *user, const acre_trace_step *step)
{
    traced *const own = user;
    if (step->part == ACRE_TRACE_ITEM) {
        EXPECT(step->item < SLOTS);
        own->times[step->item]++;
        own->kept[step->item] = step->state == ACRE_TRACE_INSIDE || step->state == ACRE_TRACE_KEPT;
    }
    return true;
}

// A trace names what stands in a tree or is never culled once, and keeps what the view sees.
static const char *check_trace(game *g)
{
    for (int i = 0; i < 2; i++) {
        traced all = {{0}, {0}};
        if (acre_culling_trace(g->cullers[i], &g->view, note_step, &all) != ACRE_OK) {
            return "a trace fails";
        }
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            const thing *const of = &g->things[slot];
            uint32_t lod;
            const bool stands = of->is_live && !(of->flags & ACRE_ENTITY_HIDDEN) &&
                                ((of->flags & ACRE_ENTITY_NEVER_CULL) || !of->is_empty);
            if (all.times[slot] != (uint8_t)stands ||
                all.kept[slot] != (uint8_t)sees(g, of, true, NULL, &lod)) {
                return "a trace";
            }
        }
    }
    return NULL;
}

static bool is_named(const uint32_t *slots, size_t count, uint32_t slot)
{
    for (size_t i = 0; i < count; i++) {
        if (slots[i] == slot) {
            return true;
        }
    }
    return false;
}

// What the host's set says of one slot, and why.
static const char *check_slot(game *g, const acre_visible *found, const uint8_t *times,
                              uint32_t slot, acre_explanation *why)
{
    thing *const of = &g->things[slot];
    uint32_t lod;
    const bool was_same = of->was_visible && of->was_serial == of->serial && of->is_live;
    const bool is_seen = sees(g, of, true, was_same ? &of->was_lod : NULL, &lod);
    const acre_entity object = acre_culling_object(g->cullers[1], slot);
    if (times[slot] != (uint8_t)is_seen || (object.index1 != 0) != of->is_live) {
        return "a set";
    }
    if (is_named(found->entered, found->entered_count, slot) != (is_seen && !was_same) ||
        is_named(found->left, found->left_count, slot) !=
            (of->was_visible && !(is_seen && was_same)) ||
        is_named(found->stayed, found->stayed_count, slot) != (is_seen && was_same)) {
        return "changes of a set";
    }
    if (of->is_live &&
        ((why->hidden_by == ACRE_HIDDEN_BY_NOTHING) != is_seen || (is_seen && why->lod != lod))) {
        return "an explanation";
    }
    for (size_t i = 0; i < found->count; i++) {
        if (found->slots[i] == slot && found->lods[i] != lod) {
            return "a LOD";
        }
    }
    of->was_visible = is_seen;
    of->was_serial = of->serial;
    of->was_lod = lod;
    return NULL;
}

static const char *check_set(game *g)
{
    static acre_explanation why[SLOTS];
    for (uint32_t slot = 0; slot < SLOTS; slot++) { // before the set learns of this frame
        const acre_entity object = acre_culling_object(g->cullers[1], slot);
        if (g->things[slot].is_live && acre_culling_explain(g->cullers[1], &g->view, g->sets[1],
                                                            object, &why[slot]) != ACRE_OK) {
            return "explain fails";
        }
    }
    for (int i = 0; i < 2; i++) {
        if (acre_culling_find_visible(g->cullers[i], &g->view, g->sets[i]) != ACRE_OK) {
            return "finding fails";
        }
    }
    const acre_visible found = acre_visible_set_get(g->sets[1]);
    uint8_t times[SLOTS];
    count_names(times, found.slots, found.count);
    const char *fault = NULL;
    for (uint32_t slot = 0; slot < SLOTS && !fault; slot++) {
        fault = check_slot(g, &found, times, slot, &why[slot]);
    }
    return fault;
}

// ---- the same of both ----

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static const char *check_draws(game *g)
{
    const acre_visible found = acre_visible_set_get(g->sets[1]);
    const bool has_rows = random_below(&g->random, 2);
    const acre_matrix_array worlds = {has_rows ? g->records[0].rows : g->records[0].columns,
                                      sizeof(record),
                                      has_rows ? ACRE_MATRIX_ROWS : ACRE_MATRIX_COLUMNS};
    const acre_box_array boxes = boxes_of(g, false);
    acre_draw_input input = {.slots = found.slots,
                             .count = found.count,
                             .lods = found.lods,
                             .keys = g->keys,
                             .key_count = SLOTS,
                             .order = (acre_draw_order)random_below(&g->random, 3),
                             .matrices = (acre_matrix_form)random_below(&g->random, 3)};
    memcpy(input.eye, g->view.eye, sizeof input.eye);
    if (acre_draw_list_build(g->lists[0], g->cullers[0], &input) != ACRE_OK) {
        return "a list of the scene fails";
    }
    input.worlds = &worlds;
    bool has_never = false;
    for (size_t i = 0; i < found.count; i++) {
        has_never |= (g->things[found.slots[i]].flags & ACRE_ENTITY_NEVER_CULL) != 0;
    }
    input.boxes = !has_never && random_below(&g->random, 2) ? &boxes : NULL;
    if (acre_draw_list_build(g->lists[1], g->cullers[1], &input) != ACRE_OK) {
        return "a list of the host fails";
    }
    const acre_draw a = acre_draw_list_get(g->lists[0]), b = acre_draw_list_get(g->lists[1]);
    if (a.count != b.count || a.range_count != b.range_count ||
        a.matrix_floats != b.matrix_floats) {
        return "sizes of draw lists";
    }
    return a.count == 0 || (memcmp(a.slots, b.slots, a.count * sizeof *a.slots) == 0 &&
                            memcmp(a.ranges, b.ranges, a.range_count * sizeof *a.ranges) == 0 &&
                            (!a.matrices ||
                             memcmp(a.matrices, b.matrices, a.count * a.matrix_floats * 4) == 0))
               ? NULL
               : "draw lists";
}

static const char *check_casters(game *g)
{
    acre_cascade cascade;
    const acre_cascades_def def = {.light = {0.4f, -1.0f, 0.3f},
                                   .caster_distance = 100.0f,
                                   .count = 1,
                                   .resolution = 512,
                                   .distance = 100.0f};
    if (acre_cascades_fit(&def, &g->camera, &cascade) != ACRE_OK) {
        return "a cascade";
    }
    const acre_visible found = acre_visible_set_get(g->sets[1]);
    uint32_t slots[2][SLOTS];
    size_t counts[2];
    for (int i = 0; i < 2; i++) {
        if (acre_receivers_begin(g->receivers, &cascade) != ACRE_OK ||
            acre_culling_add_receivers(g->cullers[i], g->receivers, found.slots, found.count) !=
                ACRE_OK ||
            acre_culling_query_casters(g->cullers[i], g->receivers, slots[i], SLOTS, &counts[i]) !=
                ACRE_OK) {
            return "casters fail";
        }
        qsort(slots[i], counts[i], sizeof slots[i][0], by_number);
    }
    return counts[0] == counts[1] && memcmp(slots[0], slots[1], counts[0] * 4) == 0 ? NULL
                                                                                    : "casters";
}

static bool form_pair(const game *g, uint32_t a, uint32_t b)
{
    const thing *const x = &g->things[a], *const y = &g->things[b];
    const uint32_t out = ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL;
    const acre_aabb one = box_of(x), other = box_of(y);
    return x->is_live && y->is_live && !x->is_empty && !y->is_empty && !(x->flags & out) &&
           !(y->flags & out) && !(x->flags & y->flags & ACRE_ENTITY_STATIC) &&
           (x->layers & y->layers) && acre_aabb_overlaps(&one, &other);
}

static const char *check_pairs(game *g)
{
    static acre_pair pairs[PAIRS];
    size_t count, expected = 0;
    if (acre_culling_pairs(g->cullers[1], NULL, pairs, PAIRS, &count) != ACRE_OK ||
        acre_entity_contacts_update(g->contacts, g->cullers[1], NULL) != ACRE_OK) {
        return "pairs fail";
    }
    for (uint32_t a = 0; a < SLOTS; a++) {
        for (uint32_t b = a + 1; b < SLOTS; b++) {
            expected += form_pair(g, a, b);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!form_pair(g, pairs[i].a, pairs[i].b)) {
            return "a pair";
        }
    }
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(g->contacts);
    for (size_t i = 0; i < lists.now_count; i++) {
        const acre_entity a = acre_culling_object(g->cullers[1], lists.now[i].a.index1 - 1);
        if (memcmp(&a, &lists.now[i].a, sizeof a) != 0) {
            return "a handle of a contact";
        }
    }
    return count == expected && lists.now_count == count ? NULL : "pairs";
}

static const char *check_shapes(game *g)
{
    uint32_t slots[SLOTS];
    uint8_t times[SLOTS];
    size_t count;
    const acre_aabb area = {{-40, -20, -40}, {grid(&g->random, 800), 20, 60}};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_AABB, .box = &area, .layers = g->view.layers};
    if (!acre_aabb_is_valid(&area)) {
        return NULL;
    }
    if (acre_culling_query_shape(g->cullers[1], &query, slots, SLOTS, &count) != ACRE_OK) {
        return "a shape fails";
    }
    count_names(times, slots, count);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const thing *const of = &g->things[slot];
        const acre_aabb box = box_of(of);
        const bool is_never = (of->flags & ACRE_ENTITY_NEVER_CULL) != 0;
        const bool expected = of->is_live && !(of->flags & ACRE_ENTITY_HIDDEN) &&
                              (of->layers & (g->view.layers ? g->view.layers : UINT32_MAX)) &&
                              (is_never || (!of->is_empty && acre_aabb_overlaps(&area, &box)));
        if (times[slot] != (uint8_t)expected) {
            return "a shape";
        }
    }
    return NULL;
}

static const char *check_frame(game *g)
{
    aim(g);
    const char *fault = check_queries(g);
    fault = fault ? fault : check_trace(g);
    fault = fault ? fault : check_set(g);
    fault = fault ? fault : check_draws(g);
    fault = fault ? fault : check_casters(g);
    fault = fault ? fault : check_pairs(g);
    return fault ? fault : check_shapes(g);
}

static bool begin_game(game *g, uint64_t seed)
{
    memset(g, 0, sizeof *g);
    g->random.state = seed;
    const acre_culling_def def = {.tree = {.half_size = 200}, .register_all = true};
    const acre_visible_set_def kinds = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES |
                                                 ACRE_VISIBLE_BITS};
    bool is_good = acre_scene_create(NULL, &g->scene) == ACRE_OK &&
                   acre_culling_create(g->scene, &def, &g->cullers[0]) == ACRE_OK &&
                   acre_culling_create_for_objects(&def, &g->cullers[1]) == ACRE_OK &&
                   acre_receivers_create(NULL, &g->receivers) == ACRE_OK &&
                   acre_entity_contacts_create(NULL, &g->contacts) == ACRE_OK;
    for (int i = 0; i < RULES; i++) {
        g->rules[i] = (acre_visibility_rule){.max_distance = i == 1 ? 90.0f : 0.0f,
                                             .min_distance = i == 2 ? 30.0f : 0.0f,
                                             .lod_pixels = {90.0f, 40.0f, 15.0f}};
    }
    for (int i = 0; i < 2 && is_good; i++) {
        is_good = acre_visible_set_create(&kinds, &g->sets[i]) == ACRE_OK &&
                  acre_draw_list_create(NULL, &g->lists[i]) == ACRE_OK &&
                  acre_culling_set_rules(g->cullers[i], g->rules, RULES) == ACRE_OK;
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        g->keys[slot] = random_below(&g->random, 5);
    }
    return is_good;
}

static void end_game(game *g)
{
    for (int i = 0; i < 2; i++) {
        acre_draw_list_destroy(g->lists[i]);
        acre_visible_set_destroy(g->sets[i]);
        acre_culling_destroy(g->cullers[i]);
    }
    acre_entity_contacts_destroy(g->contacts);
    acre_receivers_destroy(g->receivers);
    acre_scene_destroy(g->scene);
}

static bool play(uint64_t seed, int frames, uint32_t part)
{
    static game g;
    const char *fault = begin_game(&g, seed) ? NULL : "memory of the test";
    int frame = 0;
    for (; !fault && frame < frames; frame++) {
        fault = run_frame(&g, part) ? check_frame(&g) : "an update or a commit";
    }
    end_game(&g);
    if (fault) {
        printf("game %llu, frame %d: %s\n", (unsigned long long)seed, frame, fault);
    }
    return !fault;
}

static void worlds_of_a_host_and_of_a_scene_equal_plain_loops(void)
{
    for (uint32_t i = 0; i < 6 * test_scale; i++) {
        CHECK(play(test_seed + i, 60, 8 + 40 * (i % 3)));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(worlds_of_a_host_and_of_a_scene_equal_plain_loops),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
