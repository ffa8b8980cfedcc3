// SPDX-License-Identifier: MIT
// view_check.c - what each case should find, by the definitions of frustum.h and view.h,
// entity by entity, and whether it does.
//
// A plain loop takes square roots: it may decide otherwise where a distance or a size is that of a
// limit, but for rounding.
#include "view_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-5f // of a limit: what square roots may turn

enum { CHECKED_FRAMES = 3, NO_LOD = 255 };

typedef struct view_check {
    case_runner *runner;
    acre_scene_view scene;
    const acre_view *view;
    const view_case *what;
    // Slots that the planes of a frame let through, and how many.
    uint32_t *candidates[CHECKED_FRAMES];
    size_t counts[CHECKED_FRAMES];
    // By slot, the LOD plus 1; 0: not visible.
    uint8_t *last;  // in the frame before
    uint8_t *found; // what the case answered, NO_LOD where it has none
    const char *fault;
} view_check;

static bool fault(view_check *check, const char *text)
{
    check->fault = text;
    return false;
}

static const acre_visibility_rule *rule_of(const view_check *check, uint32_t slot)
{
    const uint32_t number = check->runner->world->rules[slot];
    const bool has_rules = !(check->view->flags & ACRE_VIEW_IGNORE_RULES) && number > 0;
    return has_rules ? &check->runner->rules[number - 1] : NULL;
}

// Of what the planes let through. Returns the LOD plus 1; 0: hidden.
static uint32_t see(const view_check *check, uint32_t slot, uint32_t last)
{
    const acre_view *const view = check->view;
    const acre_aabb *const box = &check->scene.world_bounds[slot];
    const uint32_t before = last - 1u;
    uint32_t lod = 0;
    const acre_hidden_by cause =
        acre_view_test_rules(view, rule_of(check, slot), box, last ? &before : NULL, &lod);
    const bool is_visible = cause == ACRE_HIDDEN_BY_NOTHING &&
                            (view->layers == 0 || (check->scene.layers[slot] & view->layers)) &&
                            (!view->include || acre_frustum_test_aabb(view->include, box)) &&
                            (!view->exclude || !acre_frustum_contains_aabb(view->exclude, box));
    return is_visible ? lod + 1 : 0;
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
static bool is_open(const view_check *check, uint32_t slot)
{
    const acre_view *const view = check->view;
    const acre_view_measure at = acre_view_measure_aabb(view, &check->scene.world_bounds[slot]);
    const acre_visibility_rule *const rule = rule_of(check, slot);
    bool is_near = near_limit(at.distance, view->max_distance, view->hysteresis) ||
                   near_limit(at.pixels, view->min_pixels, view->hysteresis) ||
                   (rule && near_limit(at.distance, rule->max_distance, view->hysteresis));
    for (int i = 0; rule && i < ACRE_LOD_LIMITS; i++) {
        is_near = is_near || near_limit(at.pixels, rule->lod_pixels[i], view->hysteresis);
    }
    return is_near;
}

// Marks the answer. A loop over boxes counts items.
static bool mark_answer(view_check *check, const acre_visible *answer)
{
    const country_scene *const world = check->runner->world;
    const bool are_items = check->what->method == CASE_ALL;
    const uint32_t limit = are_items ? world->item_count : world->slot_count;
    for (size_t i = 0; i < answer->count; i++) {
        const uint32_t number = answer->slots[i];
        const uint32_t slot = number < limit && are_items ? world->items[number] : number;
        if (number >= limit || check->found[slot]) {
            return fault(check, "a slot stands twice in the answer, or is none");
        }
        check->found[slot] = answer->lods ? (uint8_t)(answer->lods[i] + 1) : NO_LOD;
    }
    return true;
}

static bool compare_sets(view_check *check, int frame, size_t count)
{
    const bool is_loop = check->what->method == CASE_LOOP;
    size_t common = 0;
    for (size_t i = 0; i < check->counts[frame]; i++) {
        const uint32_t slot = check->candidates[frame][i];
        const uint32_t now = see(check, slot, check->last[slot]), found = check->found[slot];
        const bool is_same = (now != 0) == (found != 0) && (found == NO_LOD || found == now);
        common += found != 0;
        if (!is_same && !(is_loop && is_open(check, slot))) {
            return fault(check,
                         "the visible entities or their LODs are not those of the definition");
        }
    }
    return common == count || fault(check, "entities outside the volume are in the answer");
}

// Whether a list holds those, and only those, for which the frames before and now are as said.
static bool compare_list(const view_check *check, const uint32_t *slots, size_t count,
                         size_t expected, bool was, bool is)
{
    bool is_good = count == expected;
    for (size_t i = 0; i < count && is_good; i++) {
        is_good = (check->last[slots[i]] != 0) == was && (check->found[slots[i]] != 0) == is;
    }
    return is_good;
}

static bool compare_changes(view_check *check, const acre_visible *answer, int frame)
{
    size_t entered = 0, left = 0, stayed = 0, changed = 0;
    for (size_t i = 0; i < check->counts[frame]; i++) {
        const uint32_t slot = check->candidates[frame][i];
        const uint8_t last = check->last[slot], found = check->found[slot];
        entered += !last && found;
        stayed += last && found;
        changed += last && found && found != NO_LOD && last != found;
    }
    for (size_t i = 0; frame > 0 && i < check->counts[frame - 1]; i++) {
        const uint32_t slot = check->candidates[frame - 1][i];
        left += check->last[slot] && !check->found[slot];
    }
    bool is_good =
        compare_list(check, answer->entered, answer->entered_count, entered, false, true) &&
        compare_list(check, answer->left, answer->left_count, left, true, false) &&
        compare_list(check, answer->stayed, answer->stayed_count, stayed, true, true);
    if (check->what->method == CASE_FIND) { // a plain loop keeps no such list
        is_good = is_good && answer->changed_count == changed;
        for (size_t i = 0; i < changed && is_good; i++) {
            is_good = check->last[answer->changed[i]] != check->found[answer->changed[i]];
        }
    }
    return is_good || fault(check, "what entered, left and stayed is not what did");
}

static bool compare_bits(view_check *check, const acre_visible *answer)
{
    size_t ones = 0;
    for (size_t word = 0; word < answer->word_count; word++) {
        for (uint64_t rest = answer->bits[word]; rest; rest &= rest - 1) {
            ones++;
        }
    }
    bool is_good = ones == answer->count;
    for (size_t i = 0; i < answer->count && is_good; i++) {
        is_good = answer->bits[answer->slots[i] / 64] >> answer->slots[i] % 64 & 1;
    }
    return is_good || fault(check, "the bits are not those of the visible entities");
}

// The answer is what was visible in the frame before the next one.
static void remember(view_check *check, int frame)
{
    for (size_t i = 0; frame > 0 && i < check->counts[frame - 1]; i++) {
        check->last[check->candidates[frame - 1][i]] = 0;
    }
    for (size_t i = 0; i < check->counts[frame]; i++) {
        const uint32_t slot = check->candidates[frame][i];
        check->last[slot] = check->found[slot] == NO_LOD ? 1 : check->found[slot];
        check->found[slot] = 0;
    }
}

static bool check_frame(view_check *check, uint32_t number, int frame)
{
    check->view = &check->runner->track.views[frame];
    const size_t count = case_ask(check->runner, number, (uint32_t)frame);
    if (count == SIZE_MAX) {
        return fault(check, "finding failed");
    }
    const uint32_t flags = check->what->flags;
    const acre_visible answer = case_last_answer(check->runner, number, count);
    const bool is_good =
        mark_answer(check, &answer) && compare_sets(check, frame, count) &&
        (!(flags & ACRE_VISIBLE_CHANGES) || compare_changes(check, &answer, frame)) &&
        (!(flags & ACRE_VISIBLE_BITS) || compare_bits(check, &answer));
    remember(check, frame);
    return is_good;
}

static bool find_candidates(view_check *check, const track_kind *kind, uint32_t track)
{
    const country_scene *const world = check->runner->world;
    for (int f = 0; f < CHECKED_FRAMES; f++) {
        acre_frustum frustum;
        if (acre_camera_frustum(&kind->cameras[track][f], &frustum) != ACRE_OK) {
            return fault(check, "a camera has no volume");
        }
        check->counts[f] = 0;
        for (uint32_t item = 0; item < world->item_count; item++) {
            const uint32_t slot = world->items[item];
            if (acre_frustum_test_aabb(&frustum, &check->scene.world_bounds[slot])) {
                check->candidates[f][check->counts[f]++] = slot;
            }
        }
    }
    return true;
}

static bool check_case(view_check *check, const track_kind *kind, uint32_t track, uint32_t number,
                       uint64_t *checked)
{
    bool is_good =
        case_begin(check->runner, number, kind, track) || fault(check, "a view cannot be made");
    check->what = &view_cases[number];
    for (int f = 0; f < CHECKED_FRAMES && is_good; f++) {
        is_good = check_frame(check, number, f);
        *checked += is_good;
    }
    memset(check->last, 0, check->runner->world->slot_count);
    return is_good;
}

bool cases_check(case_runner *runner, const track_kind *kind, uint32_t track, uint64_t *checked,
                 char *message, size_t size)
{
    const size_t room = (size_t)runner->world->slot_count + 1;
    view_check check = {.runner = runner,
                        .scene = acre_scene_get_view(runner->world->scene),
                        .last = calloc(room, 1),
                        .found = calloc(room, 1),
                        .fault = "out of memory"};
    const char *name = kind->name;
    bool is_good = check.last && check.found;
    for (int f = 0; f < CHECKED_FRAMES; f++) {
        check.candidates[f] = calloc(room, sizeof *check.candidates[f]);
        is_good = is_good && check.candidates[f];
    }
    is_good = is_good && find_candidates(&check, kind, track);
    for (uint32_t i = 0; i < VIEW_CASES && is_good; i++) {
        name = view_cases[i].name;
        is_good = check_case(&check, kind, track, i, checked);
    }
    for (int f = 0; f < CHECKED_FRAMES; f++) {
        free(check.candidates[f]);
    }
    free(check.last);
    free(check.found);
    if (!is_good) {
        snprintf(message, size, "%s, %s: %s", kind->name, name, check.fault);
    }
    return is_good;
}

bool slots_are_wanted(const country_scene *world, const uint32_t *slots, size_t count,
                      bool (*is_wanted)(const void *user, uint32_t slot), const void *user)
{
    uint8_t *const marks = calloc((size_t)world->slot_count + 1, 1);
    bool is_good = marks != NULL;
    for (size_t i = 0; i < count && is_good; i++) {
        is_good = slots[i] < world->slot_count && !marks[slots[i]];
        if (is_good) {
            marks[slots[i]] = 1;
        }
    }
    size_t wanted = 0;
    for (uint32_t item = 0; item < world->item_count && is_good; item++) {
        const uint32_t slot = world->items[item];
        const bool is_one = is_wanted(user, slot);
        is_good = is_one == (marks[slot] != 0);
        wanted += is_one;
    }
    free(marks);
    return is_good && count == wanted;
}

static bool is_visible_now(const void *user, uint32_t slot)
{
    const view_check *const check = user;
    return acre_frustum_test_aabb(&check->view->frustum, &check->scene.world_bounds[slot]) &&
           see(check, slot, 0) != 0;
}

bool slots_are_visible(case_runner *runner, const acre_view *view, const uint32_t *slots,
                       size_t count)
{
    const view_check check = {
        .runner = runner, .scene = acre_scene_get_view(runner->world->scene), .view = view};
    return slots_are_wanted(runner->world, slots, count, is_visible_now, &check);
}
