// SPDX-License-Identifier: MIT
// fuzz_objects.c - fuzz target: updates of a host's objects, with slots and rows of any kind. What
// is refused, and the first of it, is what objects.h says; queries, visible sets, explanations,
// traces and pairs are those of a model that applies row by row; and a recording of the trees
// replays.
#include "brute_force_pairs.h"
#include "culling_counts.h"
#include "fuzz.h"
#include "record_scenario.h"
#include "view_oracle.h"

#include <acre/entity_pairs.h>
#include <acre/explain.h>
#include <acre/objects.h>
#include <acre/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 96, LIST = 160, MAX_STEPS = 120, RULES = 2, TREES = 2 };

// Fields of acre_objects as reports number them.
enum { BOXES = 2, BOX_SLOTS = 3, REMOVED = 7, ADDED = 9, RELABELED = 11, MOVED = 13 };

typedef struct thing {
    bool is_live;
    uint32_t flags, layers, serial;
    uint16_t rule;
    acre_aabb box; // empty: none
    acre_entity handle;
    view_past past;
    uint32_t past_serial;
} thing;

typedef struct host {
    acre_culling *culling;
    acre_visible_set *set;
    acre_entity_contacts *contacts;
    uint32_t capacity, serial;
    thing things[SLOTS];
    acre_aabb boxes[SLOTS]; // what the host keeps
    uint32_t flags[SLOTS], layers[SLOTS];
    acre_visibility_rule rules[RULES];
    acre_batch_report expected; // of the update that is modeled
    acre_recorder recorders[TREES];
    recording recordings[TREES];
} host;

typedef struct slot_list {
    uint32_t slots[LIST];
    size_t count;
} slot_list;

// ---- the model ----

static void refuse(host *h, uint16_t field, size_t row, acre_result result)
{
    if (h->expected.refused++ == 0) {
        h->expected.first_row = row;
        h->expected.first.field = field;
        h->expected.first.result = result;
    }
}

static bool is_live(const host *h, uint32_t slot)
{
    return slot < SLOTS && h->things[slot].is_live;
}

// Whether it has no box in the culler, whatever the host says.
static bool is_outside(const thing *of)
{
    return (of->flags & (ACRE_ENTITY_HIDDEN | ACRE_ENTITY_NEVER_CULL)) != 0;
}

static bool box_has_nan(const acre_aabb *box)
{
    bool found = false;
    for (int i = 0; i < 3; i++) {
        found |= isnan(box->min[i]) || isnan(box->max[i]);
    }
    return found;
}

// As trees store it: what is upside down is empty.
static acre_aabb stored_box(acre_aabb box)
{
    return acre_aabb_is_valid(&box) ? box : acre_aabb_empty();
}

static void give_box(host *h, uint32_t slot, const acre_aabb *box, uint16_t field, size_t row)
{
    thing *const of = &h->things[slot];
    if (!is_outside(of) && box_has_nan(box)) {
        refuse(h, field, row, ACRE_ERROR_INVALID_ARGUMENT);
    } else if (!is_outside(of)) {
        of->box = stored_box(*box);
    }
}

static void read_labels(host *h, const acre_objects *in, uint32_t slot)
{
    thing *const of = &h->things[slot];
    of->flags = in->flags ? h->flags[slot] & 7 : 0;
    of->layers = in->layers && h->layers[slot] ? h->layers[slot] : UINT32_MAX;
    of->box = is_outside(of) ? acre_aabb_empty() : of->box;
}

static void model_removed(host *h, const acre_objects *in)
{
    for (size_t i = 0; i < in->removed_count; i++) {
        if (is_live(h, in->removed[i])) {
            h->things[in->removed[i]].is_live = false;
        } else {
            refuse(h, REMOVED, i, ACRE_ERROR_NOT_FOUND);
        }
    }
}

static void model_added(host *h, const acre_objects *in)
{
    for (size_t i = 0; i < in->added_count; i++) {
        const uint32_t slot = in->added[i];
        if (slot >= in->slot_count) {
            refuse(h, ADDED, i, ACRE_ERROR_INVALID_ARGUMENT);
        } else if (slot >= h->capacity) {
            refuse(h, ADDED, i, ACRE_ERROR_CAPACITY);
        } else {
            thing *const of = &h->things[slot];
            of->is_live = true;
            of->rule = 0;
            of->serial = ++h->serial;
            of->box = acre_aabb_empty();
            read_labels(h, in, slot);
        }
    }
    for (size_t i = 0; i < in->added_count && !in->box_slots; i++) {
        const uint32_t slot = in->added[i];
        if (slot < in->slot_count && is_live(h, slot) && acre_aabb_is_empty(&h->things[slot].box)) {
            give_box(h, slot, &h->boxes[slot], ADDED, i);
        }
    }
}

static void model_relabeled(host *h, const acre_objects *in)
{
    for (size_t i = 0; i < in->relabeled_count; i++) {
        const uint32_t slot = in->relabeled[i];
        if (slot >= in->slot_count || !is_live(h, slot)) {
            refuse(h, RELABELED, i, ACRE_ERROR_NOT_FOUND);
            continue;
        }
        read_labels(h, in, slot);
        if (!in->box_slots && in->boxes.first) {
            give_box(h, slot, &h->boxes[slot], RELABELED, i);
        }
    }
}

// rows: the boxes of a chunk
static void model_moved(host *h, const acre_objects *in, const acre_aabb *rows)
{
    for (size_t i = 0; i < in->box_count; i++) {
        if (is_live(h, in->box_slots[i])) {
            give_box(h, in->box_slots[i], &rows[i], BOX_SLOTS, i);
        } else {
            refuse(h, BOX_SLOTS, i, ACRE_ERROR_NOT_FOUND);
        }
    }
    for (size_t i = 0; in->moved && i < in->moved_count; i++) {
        if (in->moved[i] < in->slot_count && is_live(h, in->moved[i])) {
            give_box(h, in->moved[i], &h->boxes[in->moved[i]], MOVED, i);
        } else {
            refuse(h, MOVED, i, ACRE_ERROR_NOT_FOUND);
        }
    }
    const bool moves_all = !in->moved && in->moved_count == ACRE_ALL_MOVED;
    for (uint32_t slot = 0; slot < in->slot_count && (moves_all || in->moved_bits); slot++) {
        const bool has_moved = moves_all || in->moved_bits[slot / 64] >> (slot & 63) & 1;
        if (has_moved && is_live(h, slot)) {
            give_box(h, slot, &h->boxes[slot], BOXES, slot);
        }
    }
}

// ---- updates ----

// Runs of slots and single ones, few of which there cannot be.
static slot_list read_list(fuzz_input *input)
{
    slot_list list = {.count = 0};
    for (uint32_t parts = fuzz_byte(input) % 5; parts > 0; parts--) {
        const uint32_t kind = fuzz_byte(input), first = fuzz_byte(input) % (SLOTS + 2);
        const size_t count = kind < 128 ? 1 : kind < 250 ? kind % 16 : SLOTS;
        for (uint32_t i = 0; i < count && list.count < LIST; i++) {
            list.slots[list.count++] = kind == 127 ? UINT32_MAX : first + i;
        }
    }
    return list;
}

// The library gets a copy of exactly this size, which is gone after the update.
static void *copy_of(const void *from, size_t size)
{
    void *const copy = malloc(size ? size : 1);
    FUZZ_CHECK(copy);
    return size ? memcpy(copy, from, size) : copy;
}

typedef struct update {
    slot_list removed, added, relabeled, moved;
    uint64_t bits[SLOTS / 64 + 1];
    acre_aabb rows[LIST]; // of a chunk
    acre_objects in;      // as the model reads it
} update;

static void read_update(host *h, fuzz_input *input, update *u)
{
    memset(u, 0, sizeof *u);
    const uint32_t shape = fuzz_byte(input), mode = shape & 3;
    u->removed = read_list(input);
    u->added = read_list(input);
    u->relabeled = read_list(input);
    acre_objects *const in = &u->in;
    in->slot_count = shape & 4 ? fuzz_byte(input) % (SLOTS + 1) : SLOTS;
    in->flags = shape & 8 ? NULL : h->flags;
    in->layers = shape & 16 ? NULL : h->layers;
    in->removed = u->removed.slots;
    in->removed_count = u->removed.count;
    in->added = u->added.slots;
    in->added_count = u->added.count;
    in->relabeled = u->relabeled.slots;
    in->relabeled_count = u->relabeled.count;
    u->moved = mode == 3 ? u->moved : read_list(input);
    const bool has_rows = mode == 3 || u->moved.count + u->added.count > 0 || (shape & 32);
    in->boxes.first = has_rows ? h->boxes : NULL;
    if (mode == 0) {
        in->moved = u->moved.slots;
        in->moved_count = u->moved.count;
    } else if (mode == 1) {
        in->box_slots = u->moved.slots;
        in->box_count = u->moved.count;
        for (size_t i = 0; i < in->box_count; i++) {
            u->rows[i] = h->boxes[(u->moved.slots[i] + (shape >> 6)) % SLOTS];
        }
    } else if (mode == 2) {
        for (size_t i = 0; i < u->moved.count; i++) {
            const uint32_t slot = u->moved.slots[i] % SLOTS;
            u->bits[slot / 64] |= (uint64_t)1 << (slot & 63);
        }
        in->moved_bits = u->bits;
        in->boxes.first = h->boxes;
    } else {
        in->moved_count = ACRE_ALL_MOVED;
    }
}

// Makes no update of one. @return whether it did.
static bool spoil(acre_objects *given, uint32_t kind)
{
    switch (kind) {
    case 0:
        given->removed = NULL;
        given->removed_count = 1;
        return true;
    case 1:
        given->relabeled = NULL;
        given->relabeled_count = 2;
        return true;
    case 2:
        given->boxes.second = given->boxes.first ? NULL : given->boxes.second;
        return given->boxes.first != NULL;
    case 3:
        given->boxes.form = (acre_box_form)9;
        return true;
    case 4:
        given->moved_count = given->box_slots || given->moved_bits ? 1 : given->moved_count;
        return given->box_slots || given->moved_bits;
    default:
        return false;
    }
}

static void apply_model(host *h, const update *u)
{
    h->expected = (acre_batch_report){.refused = 0};
    model_removed(h, &u->in);
    model_added(h, &u->in);
    model_relabeled(h, &u->in);
    model_moved(h, &u->in, u->rows);
}

static void check_report(const host *h, const acre_batch_report *report, acre_result result)
{
    FUZZ_CHECK(report->refused == h->expected.refused);
    FUZZ_CHECK(result == h->expected.first.result && report->first.result == result);
    if (report->refused > 0) {
        FUZZ_CHECK(report->first.field == h->expected.first.field);
        FUZZ_CHECK(report->first_row == h->expected.first_row && report->first.argument == 2);
    }
}

static void check_handles(host *h)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        thing *const of = &h->things[slot];
        const acre_entity now = acre_culling_object(h->culling, slot);
        FUZZ_CHECK((now.index1 != 0) == of->is_live);
        FUZZ_CHECK(!of->is_live || now.index1 == slot + 1);
        const bool fits = of->handle.index1 && acre_culling_is_registered(h->culling, of->handle);
        FUZZ_CHECK(fits == (of->is_live && of->handle.generation == now.generation));
        of->handle = of->is_live ? now : of->handle;
    }
}

static void apply_update(host *h, fuzz_input *input)
{
    static update u;
    read_update(h, input, &u);
    const uint32_t kind = fuzz_byte(input);
    const acre_objects *const in = &u.in;
    const size_t stride = sizeof(acre_aabb), slots = in->slot_count;
    void *const blocks[] = {
        copy_of(in->box_slots ? u.rows : h->boxes,
                (in->box_slots ? in->box_count : slots) * stride),
        copy_of(h->flags, slots * sizeof *h->flags),
        copy_of(h->layers, slots * sizeof *h->layers),
        copy_of(u.bits, (slots + 63) / 64 * sizeof *u.bits),
        copy_of(u.removed.slots, u.removed.count * sizeof(uint32_t)),
        copy_of(u.added.slots, u.added.count * sizeof(uint32_t)),
        copy_of(u.relabeled.slots, u.relabeled.count * sizeof(uint32_t)),
        copy_of(u.moved.slots, u.moved.count * sizeof(uint32_t)),
    };
    acre_objects given = *in;
    if (in->boxes.first) {
        given.boxes =
            (acre_box_array){blocks[0], (const char *)blocks[0] + offsetof(acre_aabb, max), stride,
                             stride, ACRE_BOX_FORM_MIN_MAX};
    }
    given.flags = in->flags ? blocks[1] : NULL;
    given.layers = in->layers ? blocks[2] : NULL;
    given.moved_bits = in->moved_bits ? blocks[3] : NULL;
    given.removed = blocks[4];
    given.added = blocks[5];
    given.relabeled = blocks[6];
    given.box_slots = in->box_slots ? blocks[7] : NULL;
    given.moved = in->moved ? blocks[7] : NULL;
    acre_batch_report report;
    if (kind < 24 && spoil(&given, kind / 4)) {
        FUZZ_CHECK(acre_culling_update(h->culling, &given, &report) == ACRE_ERROR_INVALID_ARGUMENT);
        FUZZ_CHECK(report.refused == 0);
    } else {
        const acre_result result = acre_culling_update(h->culling, &given, &report);
        apply_model(h, &u);
        check_report(h, &report, result);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        free(blocks[i]);
    }
    char message[160] = "";
    if (acre_culling_validate(h->culling, message, sizeof message) != ACRE_OK) {
        fuzz_fail(__FILE__, __LINE__, message);
    }
    check_handles(h);
}

// What the host keeps changes; the culler learns it with an update.
static void edit_rows(host *h, fuzz_input *input)
{
    const slot_list list = read_list(input);
    const acre_aabb box = fuzz_box(input);
    const uint32_t flags = fuzz_byte(input), layers = fuzz_byte(input) & 7;
    for (size_t i = 0; i < list.count; i++) {
        const uint32_t slot = list.slots[i] % SLOTS;
        h->boxes[slot] = box;
        h->boxes[slot].min[0] += (float)(i & 15) * 4.0f;
        h->boxes[slot].max[0] += (float)(i & 15) * 4.0f;
        h->flags[slot] = flags & 128 ? flags & 31 : 0;
        h->layers[slot] = layers;
    }
}

static void set_rules(host *h, fuzz_input *input)
{
    uint16_t rules[SLOTS];
    const uint32_t count = fuzz_byte(input) % (SLOTS + 1), base = fuzz_byte(input);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        rules[slot] = (uint16_t)((base + slot) % (RULES + 2));
    }
    const bool has_rules = base < 250;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        uint16_t *const own = &h->things[slot].rule;
        *own = !has_rules ? 0 : slot < count && h->things[slot].is_live ? rules[slot] : *own;
    }
    FUZZ_CHECK(acre_culling_set_rule_numbers(h->culling, has_rules ? rules : NULL, 0, count) ==
               ACRE_OK);
}

// ---- queries ----

static view_answer look_at(const host *h, uint32_t slot, const acre_view *view, bool has_past)
{
    const thing *const of = &h->things[slot];
    const view_subject subject = {
        .is_registered = of->is_live,
        .is_committed = of->is_live,
        .is_hidden = (of->flags & ACRE_ENTITY_HIDDEN) != 0,
        .is_never_cull = (of->flags & ACRE_ENTITY_NEVER_CULL) != 0,
        .box = of->box,
        .layers = of->layers,
        .rule = of->rule > 0 && of->rule <= RULES ? &h->rules[of->rule - 1] : NULL,
    };
    const view_past none = {false, 0};
    return view_oracle_see(view, &subject,
                           has_past && of->past_serial == of->serial ? &of->past : &none);
}

static bool sees(const host *h, uint32_t slot, const acre_view *view)
{
    return h->things[slot].is_live &&
           look_at(h, slot, view, false).hidden_by == ACRE_HIDDEN_BY_NOTHING;
}

static void count_names(uint8_t *times, const uint32_t *slots, size_t count)
{
    memset(times, 0, SLOTS);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(slots[i] < SLOTS);
        times[slots[i]]++;
    }
}

static float read_limit(fuzz_input *input)
{
    return fuzz_byte(input) & 1 ? fabsf(fuzz_finite(input)) : 0.0f;
}

static acre_view read_view(fuzz_input *input)
{
    acre_view view = {.frustum = fuzz_frustum(input), .layers = fuzz_byte(input) & 7};
    const uint32_t shape = fuzz_byte(input);
    for (int i = 0; i < 3 && (shape & 1); i++) {
        view.eye[i] = fuzz_finite(input);
    }
    if (shape & 2) {
        view.max_distance = read_limit(input);
        view.pixels = read_limit(input);
        view.min_pixels = read_limit(input);
        view.hysteresis = shape & 4 ? 0.25f : 0.0f;
    }
    return view;
}

typedef struct traced {
    uint8_t times[SLOTS], kept[SLOTS];
} traced;

static bool note_step(void *user, const acre_trace_step *step)
{
    traced *const own = user;
    if (step->part == ACRE_TRACE_ITEM) {
        FUZZ_CHECK(step->item < SLOTS);
        own->times[step->item]++;
        own->kept[step->item] = step->state == ACRE_TRACE_INSIDE || step->state == ACRE_TRACE_KEPT;
    }
    return true;
}

// A trace names each object that stands anywhere once, and keeps what the view sees.
static void check_trace(host *h, const acre_view *view)
{
    traced all = {{0}, {0}};
    FUZZ_CHECK(acre_culling_trace(h->culling, view, note_step, &all) == ACRE_OK);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const thing *const of = &h->things[slot];
        const bool stands = of->is_live && !(of->flags & ACRE_ENTITY_HIDDEN) &&
                            ((of->flags & ACRE_ENTITY_NEVER_CULL) || !acre_aabb_is_empty(&of->box));
        FUZZ_CHECK(all.times[slot] == stands && all.kept[slot] == sees(h, slot, view));
    }
}

static void query(host *h, fuzz_input *input)
{
    const acre_view view = read_view(input);
    uint32_t slots[SLOTS];
    uint8_t times[SLOTS];
    const size_t count = count_in_view(h->culling, &view, slots, SLOTS);
    FUZZ_CHECK(count <= SLOTS);
    count_names(times, slots, count);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        FUZZ_CHECK(times[slot] == sees(h, slot, &view));
        if (h->things[slot].is_live) {
            acre_explanation why;
            FUZZ_CHECK(acre_culling_explain(h->culling, &view, NULL, h->things[slot].handle,
                                            &why) == ACRE_OK);
            FUZZ_CHECK(why.hidden_by == look_at(h, slot, &view, false).hidden_by);
        }
    }
    check_trace(h, &view);
}

static void find_visible(host *h, fuzz_input *input)
{
    const acre_view view = read_view(input);
    FUZZ_CHECK(acre_culling_find_visible(h->culling, &view, h->set) == ACRE_OK);
    const acre_visible found = acre_visible_set_get(h->set);
    uint8_t times[SLOTS];
    size_t stayed = 0, before = 0;
    count_names(times, found.slots, found.count);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        thing *const of = &h->things[slot];
        const view_answer answer = look_at(h, slot, &view, true);
        const bool is_seen = of->is_live && answer.hidden_by == ACRE_HIDDEN_BY_NOTHING;
        FUZZ_CHECK(times[slot] == is_seen);
        for (size_t i = 0; i < found.count && is_seen; i++) {
            FUZZ_CHECK(found.slots[i] != slot || found.lods[i] == answer.lod);
        }
        before += of->past.was_visible;
        stayed += is_seen && of->past.was_visible && of->past_serial == of->serial;
        of->past = (view_past){is_seen, answer.lod};
        of->past_serial = of->serial;
    }
    FUZZ_CHECK(found.stayed_count == stayed && found.left_count == before - stayed);
    FUZZ_CHECK(found.entered_count == found.count - stayed);
}

static bool is_pair(const host *h, uint32_t a, uint32_t b)
{
    const thing *const x = &h->things[a], *const y = &h->things[b];
    return x->is_live && y->is_live && !acre_aabb_is_empty(&x->box) &&
           !acre_aabb_is_empty(&y->box) && !(x->flags & y->flags & ACRE_ENTITY_STATIC) &&
           brute_force_is_pair(&x->box, x->layers, &y->box, y->layers, NULL);
}

static void check_pairs(host *h)
{
    FUZZ_CHECK(acre_entity_contacts_update(h->contacts, h->culling, NULL) == ACRE_OK);
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(h->contacts);
    size_t count = 0;
    for (uint32_t a = 0; a < SLOTS; a++) {
        for (uint32_t b = a + 1; b < SLOTS; b++) {
            if (is_pair(h, a, b)) {
                FUZZ_CHECK(count < lists.now_count);
                FUZZ_CHECK(lists.now[count].a.index1 == a + 1);
                FUZZ_CHECK(lists.now[count].a.generation == h->things[a].handle.generation);
                FUZZ_CHECK(lists.now[count].b.index1 == b + 1);
                count++;
            }
        }
    }
    FUZZ_CHECK(count == lists.now_count);
}

// ---- all of it ----

static void record_tree(void *context, acre_quadtree *tree, bool is_static)
{
    host *const h = context;
    FUZZ_CHECK(acre_recorder_begin(&h->recorders[is_static], tree, recording_write,
                                   &h->recordings[is_static]) == ACRE_OK);
}

static void end_records(host *h)
{
    for (int i = 0; i < TREES; i++) {
        recording *const made = &h->recordings[i];
        if (h->recorders[i].tree) {
            acre_record_report report;
            FUZZ_CHECK(acre_recorder_end(&h->recorders[i]) == ACRE_OK);
            FUZZ_CHECK(acre_record_replay(made->bytes, made->size, NULL, &report) == ACRE_OK);
        }
        free(made->bytes);
    }
}

static void step(host *h, fuzz_input *input)
{
    const uint32_t kind = fuzz_byte(input);
    if (kind < 90) {
        edit_rows(h, input);
    } else if (kind < 190) {
        apply_update(h, input);
    } else if (kind < 200) {
        set_rules(h, input);
    } else if (kind < 226) {
        query(h, input);
    } else if (kind < 246) {
        find_visible(h, input);
    } else {
        check_pairs(h);
    }
}

static void begin(host *h, uint32_t shape)
{
    const acre_culling_def def = {.tree = {.half_size = shape & 1 ? 64.0f : 0.0f,
                                           .node_capacity = shape >> 1 & 3,
                                           .item_capacity = shape & 8 ? SLOTS - 20 : 0}};
    const acre_visible_set_def set = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES};
    h->capacity = shape & 8 ? SLOTS - 20 : SLOTS;
    h->rules[0] = (acre_visibility_rule){.max_distance = 60.0f, .lod_pixels = {40.0f, 10.0f}};
    h->rules[1] = (acre_visibility_rule){.min_distance = 8.0f, .min_pixels = 4.0f};
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        h->things[slot].box = acre_aabb_empty();
        const float x = (float)(slot % 10) * 5.0f, z = (float)(slot / 10) * 5.0f;
        h->boxes[slot] = (acre_aabb){{x, 0, z}, {x + 6, 3, z + 2}};
        h->layers[slot] = slot % 8;
    }
    FUZZ_CHECK(acre_culling_create_for_objects(&def, &h->culling) == ACRE_OK);
    FUZZ_CHECK(acre_culling_set_rules(h->culling, h->rules, RULES) == ACRE_OK);
    FUZZ_CHECK(acre_visible_set_create(&set, &h->set) == ACRE_OK);
    FUZZ_CHECK(acre_entity_contacts_create(NULL, &h->contacts) == ACRE_OK);
    if (shape & 16) {
        FUZZ_CHECK(acre_culling_set_tree_hook(h->culling, record_tree, h) == ACRE_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static host h;
    fuzz_input input = {bytes, size, 0};
    memset(&h, 0, sizeof h);
    begin(&h, fuzz_byte(&input));
    for (uint32_t i = 0; i < MAX_STEPS && fuzz_has_more(&input); i++) {
        step(&h, &input);
    }
    end_records(&h);
    acre_entity_contacts_destroy(h.contacts);
    acre_visible_set_destroy(h.set);
    acre_culling_destroy(h.culling);
    return 0;
}
