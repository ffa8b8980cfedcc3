// SPDX-License-Identifier: MIT
// bench_view_key.c - what each case should find, by the definitions of frustum.h and view.h, entity
// by entity, and whether it does.
//
// A loop by hand takes square roots: it may decide otherwise where a distance or a size is that of
// a limit, but for rounding.
#include "bench_view_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-5f // of a limit: what square roots may turn

enum { CHECKED_FRAMES = 3 };

typedef struct view_key {
    const case_runner *runner;
    acre_scene_view scene;
    // Items that the planes of a frame let through, and how many.
    uint32_t *candidates[CHECKED_FRAMES];
    size_t counts[CHECKED_FRAMES];
    // By slot, the LOD plus 1; 0: not visible.
    uint8_t *last; // in the frame before
    uint8_t *now;
    uint8_t *found; // what the case answered, 255 for no LOD
    const char *fault;
} view_key;

static const acre_visibility_rule *rule_of(const view_key *key, const acre_view *view,
                                           uint32_t slot)
{
    const uint32_t number = key->runner->world->rules[slot];
    return view->flags & ACRE_VIEW_IGNORE_RULES || number == 0 ? NULL
                                                               : &key->runner->rules[number - 1];
}

static bool is_in_volumes(const view_key *key, const acre_view *view, uint32_t slot)
{
    const acre_aabb *const box = &key->scene.world_bounds[slot];
    return (view->layers == 0 || (key->scene.layers[slot] & view->layers)) &&
           (!view->include || acre_frustum_test_aabb(view->include, box)) &&
           (!view->exclude || !acre_frustum_contains_aabb(view->exclude, box));
}

// The key of one frame, in now. Returns how many are visible.
static size_t find_key(view_key *key, const acre_view *view, int frame)
{
    size_t count = 0;
    for (size_t i = 0; i < key->counts[frame]; i++) {
        const uint32_t slot = key->candidates[frame][i];
        const uint32_t before = key->last[slot] - 1u;
        uint32_t lod = 0;
        const acre_hidden_by cause =
            acre_view_test_rules(view, rule_of(key, view, slot), &key->scene.world_bounds[slot],
                                 key->last[slot] ? &before : NULL, &lod);
        if (cause == ACRE_HIDDEN_BY_NOTHING && is_in_volumes(key, view, slot)) {
            key->now[slot] = (uint8_t)(lod + 1);
            count++;
        }
    }
    return count;
}

static bool near_limit(float value, float limit, float hysteresis)
{
    const float factors[] = {1.0f, 1.0f - hysteresis, 1.0f + hysteresis};
    bool is_near = false;
    for (int i = 0; i < 3; i++) {
        is_near = is_near || fabsf(value - limit * factors[i]) <= ROUNDING * limit;
    }
    return limit > 0.0f && is_near;
}

// Whether a distance or a size is a limit, but for rounding.
static bool is_open(const view_key *key, const acre_view *view, uint32_t slot)
{
    const acre_view_measure at = acre_view_measure_aabb(view, &key->scene.world_bounds[slot]);
    const acre_visibility_rule *const rule = rule_of(key, view, slot);
    bool is_near = near_limit(at.distance, view->max_distance, view->hysteresis) ||
                   near_limit(at.pixels, view->min_pixels, view->hysteresis);
    if (rule) {
        is_near = is_near || near_limit(at.distance, rule->max_distance, view->hysteresis);
        for (int i = 0; i < ACRE_LOD_LIMITS; i++) {
            is_near = is_near || near_limit(at.pixels, rule->lod_pixels[i], view->hysteresis);
        }
    }
    return is_near;
}

// Marks the answer. A loop over boxes counts items.
static bool mark_answer(view_key *key, const case_answer *answer, bool are_items)
{
    const view_world *const world = key->runner->world;
    for (size_t i = 0; i < answer->count; i++) {
        const uint32_t limit = are_items ? world->item_count : world->slot_count;
        const uint32_t number = answer->slots[i];
        const uint32_t slot = number < limit && are_items ? world->items[number] : number;
        if (number >= limit || key->found[slot]) {
            key->fault = "a slot stands twice in the answer, or is none";
            return false;
        }
        key->found[slot] = answer->lods ? (uint8_t)(answer->lods[i] + 1) : 255;
    }
    return true;
}

static bool compare_sets(view_key *key, uint32_t number, const acre_view *view, int frame,
                         size_t expected, size_t count)
{
    const bool is_hand = view_cases[number].method == CASE_HAND;
    size_t common = 0;
    for (size_t i = 0; i < key->counts[frame]; i++) {
        const uint32_t slot = key->candidates[frame][i];
        const uint8_t now = key->now[slot], found = key->found[slot];
        const bool is_same = (now != 0) == (found != 0) && (found == 255 || found == now);
        common += found != 0;
        if (!is_same && !(is_hand && is_open(key, view, slot))) {
            key->fault = "the visible entities or their LODs are not those of the definition";
            return false;
        }
    }
    if (common != count || (!is_hand && count != expected)) {
        key->fault = "entities outside the volume are in the answer";
        return false;
    }
    return true;
}

// Whether a list holds those, and only those, for which the frames before and now are as said.
static bool compare_list(const view_key *key, const uint32_t *slots, size_t count, size_t expected,
                         bool was, bool is)
{
    bool is_good = count == expected;
    for (size_t i = 0; i < count && is_good; i++) {
        is_good = (key->last[slots[i]] != 0) == was && (key->found[slots[i]] != 0) == is;
    }
    return is_good;
}

// Of the candidates of this frame and the one before, how many entered, left, stayed, changed.
static void count_changes(const view_key *key, int frame, size_t *out)
{
    memset(out, 0, 4 * sizeof *out);
    for (size_t i = 0; i < key->counts[frame]; i++) {
        const uint32_t slot = key->candidates[frame][i];
        const uint8_t last = key->last[slot], found = key->found[slot];
        out[0] += !last && found;
        out[2] += last && found;
        out[3] += last && found && found != 255 && last != found;
    }
    for (size_t i = 0; frame > 0 && i < key->counts[frame - 1]; i++) {
        const uint32_t slot = key->candidates[frame - 1][i];
        out[1] += key->last[slot] && !key->found[slot];
    }
}

static bool compare_changes(view_key *key, uint32_t number, int frame)
{
    const case_runner *const runner = key->runner;
    const hand_memory *const hand = &runner->hand;
    const bool is_hand = view_cases[number].method == CASE_HAND;
    size_t counts[4];
    count_changes(key, frame, counts);
    acre_visible found = {.entered = hand->entered,
                          .left = hand->left,
                          .stayed = hand->stayed,
                          .entered_count = hand->entered_count,
                          .left_count = hand->left_count,
                          .stayed_count = hand->stayed_count,
                          .changed_count = counts[3]}; // by hand there is no list of them
    if (!is_hand) {
        found = acre_visible_set_get(runner->sets[number]);
    }
    bool is_good = compare_list(key, found.entered, found.entered_count, counts[0], false, true) &&
                   compare_list(key, found.left, found.left_count, counts[1], true, false) &&
                   compare_list(key, found.stayed, found.stayed_count, counts[2], true, true) &&
                   found.changed_count == counts[3];
    for (size_t i = 0; i < found.changed_count && !is_hand && is_good; i++) {
        is_good = key->last[found.changed[i]] != key->found[found.changed[i]];
    }
    key->fault = is_good ? key->fault : "what entered, left and stayed is not what did";
    return is_good;
}

static bool compare_bits(view_key *key, uint32_t number, const case_answer *answer)
{
    const acre_visible visible = acre_visible_set_get(key->runner->sets[number]);
    const bool is_hand = view_cases[number].method == CASE_HAND;
    const uint64_t *const bits = is_hand ? key->runner->hand.bits : visible.bits;
    const size_t words =
        is_hand ? (size_t)key->runner->world->slot_count / 64 + 1 : visible.word_count;
    size_t ones = 0;
    for (size_t word = 0; word < words; word++) {
        for (uint64_t rest = bits[word]; rest; rest &= rest - 1) {
            ones++;
        }
    }
    bool is_good = ones == answer->count;
    for (size_t i = 0; i < answer->count && is_good; i++) {
        is_good = bits[answer->slots[i] / 64] >> answer->slots[i] % 64 & 1;
    }
    key->fault = is_good ? key->fault : "the bits are not those of the visible entities";
    return is_good;
}

// The answer is what was visible in the frame before the next one.
static void remember(view_key *key, int frame)
{
    for (size_t i = 0; frame > 0 && i < key->counts[frame - 1]; i++) {
        key->last[key->candidates[frame - 1][i]] = 0;
    }
    for (size_t i = 0; i < key->counts[frame]; i++) {
        const uint32_t slot = key->candidates[frame][i];
        key->last[slot] = key->found[slot] == 255 ? 1 : key->found[slot];
        key->now[slot] = key->found[slot] = 0;
    }
}

static bool check_frame(view_key *key, case_runner *runner, uint32_t number, const acre_view *view,
                        int frame)
{
    const view_case *const what = &view_cases[number];
    const size_t count = case_ask(runner, number, view);
    if (count == SIZE_MAX) {
        key->fault = "finding failed";
        return false;
    }
    const size_t expected = find_key(key, view, frame);
    const case_answer answer = case_last_answer(runner, number, count);
    const bool is_good =
        mark_answer(key, &answer, what->method == CASE_LOOP) &&
        compare_sets(key, number, view, frame, expected, count) &&
        (!(what->flags & ACRE_VISIBLE_CHANGES) || compare_changes(key, number, frame)) &&
        (!(what->flags & ACRE_VISIBLE_BITS) || compare_bits(key, number, &answer));
    remember(key, frame);
    return is_good;
}

static bool find_candidates(view_key *key, const track_kind *kind, uint32_t track)
{
    const view_world *const world = key->runner->world;
    acre_frustum frustum;
    for (int f = 0; f < CHECKED_FRAMES; f++) {
        if (acre_camera_frustum(&kind->cameras[track][f], &frustum) != ACRE_OK) {
            return false;
        }
        key->counts[f] = 0;
        for (uint32_t item = 0; item < world->item_count; item++) {
            const uint32_t slot = world->items[item];
            if (acre_frustum_test_aabb(&frustum, &key->scene.world_bounds[slot])) {
                key->candidates[f][key->counts[f]++] = slot;
            }
        }
    }
    return true;
}

static bool check_case(view_key *key, case_runner *runner, const track_kind *kind, uint32_t track,
                       uint32_t number, uint64_t *checked)
{
    case_track views; // 8 KiB
    if (!case_track_make(&views, kind, track, view_cases[number].asks) ||
        !case_begin(runner, number)) {
        key->fault = "a view cannot be made";
        return false;
    }
    bool is_good = true;
    for (int f = 0; f < CHECKED_FRAMES && is_good; f++) {
        is_good = check_frame(key, runner, number, &views.views[f], f);
        *checked += is_good;
    }
    memset(key->last, 0, key->runner->world->slot_count);
    return is_good;
}

static bool reserve(view_key *key)
{
    const size_t room = (size_t)key->runner->world->slot_count + 1;
    bool is_good = true;
    for (int f = 0; f < CHECKED_FRAMES; f++) {
        key->candidates[f] = calloc(room, sizeof *key->candidates[f]);
        is_good = is_good && key->candidates[f];
    }
    key->last = calloc(room, 1);
    key->now = calloc(room, 1);
    key->found = calloc(room, 1);
    return is_good && key->last && key->now && key->found;
}

bool cases_check(case_runner *runner, const track_kind *kind, uint32_t track, uint64_t *checked,
                 char *message, size_t size)
{
    view_key key = {.runner = runner,
                    .scene = acre_scene_get_view(runner->world->scene),
                    .fault = "out of memory"};
    const char *name = kind->name;
    bool is_good = reserve(&key) && find_candidates(&key, kind, track);
    for (uint32_t i = 0; i < VIEW_CASES && is_good; i++) {
        name = view_cases[i].name;
        is_good = check_case(&key, runner, kind, track, i, checked);
    }
    for (int f = 0; f < CHECKED_FRAMES; f++) {
        free(key.candidates[f]);
    }
    free(key.last);
    free(key.now);
    free(key.found);
    if (!is_good) {
        snprintf(message, size, "%s, %s: %s", kind->name, name, key.fault);
    }
    return is_good;
}

// Whether the view sees an entity that it did not see before.
static bool is_visible_now(const view_key *key, const acre_view *view, uint32_t slot)
{
    const acre_aabb *const box = &key->scene.world_bounds[slot];
    return acre_frustum_test_aabb(&view->frustum, box) && is_in_volumes(key, view, slot) &&
           acre_view_test_rules(view, rule_of(key, view, slot), box, NULL, NULL) ==
               ACRE_HIDDEN_BY_NOTHING;
}

bool slots_are_visible(const case_runner *runner, const acre_view *view, const uint32_t *slots,
                       size_t count)
{
    const view_world *const world = runner->world;
    const view_key key = {.runner = runner, .scene = acre_scene_get_view(world->scene)};
    uint8_t *const marks = calloc((size_t)world->slot_count + 1, 1);
    bool is_good = marks != NULL;
    for (size_t i = 0; i < count && is_good; i++) {
        is_good = slots[i] < world->slot_count && !marks[slots[i]];
        if (is_good) {
            marks[slots[i]] = 1;
        }
    }
    size_t visible = 0;
    for (uint32_t item = 0; item < world->item_count && is_good; item++) {
        const uint32_t slot = world->items[item];
        const bool is_visible = is_visible_now(&key, view, slot);
        is_good = is_visible == (marks[slot] != 0);
        visible += is_visible;
    }
    free(marks);
    return is_good && count == visible;
}
