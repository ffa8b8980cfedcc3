// SPDX-License-Identifier: MIT
// test_visible_memory.c - what a visible set keeps: of which culler, while frozen, when memory is
// short, and that a steady frame asks for none.
#include "failing_allocator.h"
#include "view_world.h"

#include <acre/visible_set.h>

#include "told_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL_FLAGS (ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS)

// ---- a copy of all that a set answers ----

typedef struct answer_copy {
    acre_visible visible;
    uint32_t *lists[5]; // slots, entered, left, stayed, changed
    uint8_t *lods;
    uint64_t *bits;
    acre_view view;
    bool has_view;
} answer_copy;

static void *copy_of(const void *from, size_t size)
{
    void *const copy = malloc(size + 1);
    if (copy && size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

static void list_of(const acre_visible *of, const uint32_t *lists[5], size_t counts[5])
{
    const uint32_t *const all[5] = {of->slots, of->entered, of->left, of->stayed, of->changed};
    const size_t sizes[5] = {of->count, of->entered_count, of->left_count, of->stayed_count,
                             of->changed_count};
    memcpy(lists, all, sizeof all);
    memcpy(counts, sizes, sizeof sizes);
}

static bool take_copy(answer_copy *copy, const acre_visible_set *set)
{
    const uint32_t *lists[5];
    size_t counts[5];
    copy->visible = acre_visible_set_get(set);
    list_of(&copy->visible, lists, counts);
    bool is_good = true;
    for (int i = 0; i < 5; i++) {
        copy->lists[i] = copy_of(lists[i], counts[i] * sizeof(uint32_t));
        is_good = is_good && copy->lists[i];
    }
    const acre_view *const view = acre_visible_set_view(set);
    copy->has_view = view != NULL;
    copy->view = view ? *view : (acre_view){0};
    copy->lods = copy_of(copy->visible.lods, copy->visible.lods ? copy->visible.count : 0);
    copy->bits = copy_of(copy->visible.bits, copy->visible.word_count * sizeof(uint64_t));
    return is_good && copy->lods && copy->bits;
}

static void free_copy(answer_copy *copy)
{
    for (int i = 0; i < 5; i++) {
        free(copy->lists[i]);
    }
    free(copy->lods);
    free(copy->bits);
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool is_as_copied(const acre_visible_set *set, const answer_copy *copy)
{
    const acre_visible now = acre_visible_set_get(set), was = copy->visible;
    const uint32_t *lists[5];
    size_t counts[5], before[5];
    list_of(&was, lists, before);
    list_of(&now, lists, counts);
    bool is_same = now.word_count == was.word_count && now.is_reused == was.is_reused &&
                   now.tested == was.tested && !now.lods == !was.lods;
    for (int i = 0; i < 5; i++) {
        is_same = is_same && counts[i] == before[i] &&
                  same_bytes(lists[i], copy->lists[i], counts[i] * sizeof(uint32_t));
    }
    const acre_view *const view = acre_visible_set_view(set);
    is_same = is_same && (view != NULL) == copy->has_view;
    return is_same && same_bytes(now.lods, copy->lods, now.lods ? now.count : 0) &&
           same_bytes(now.bits, copy->bits, now.word_count * sizeof(uint64_t)) &&
           (!view || (memcmp(view->eye, copy->view.eye, sizeof view->eye) == 0 &&
                      view->frustum.plane_count == copy->view.frustum.plane_count &&
                      same_bytes(view->frustum.planes, copy->view.frustum.planes,
                                 view->frustum.plane_count * 16u)));
}

// ---- memory ----

// One finding, with each of its requests for memory refused once: the set stays as it was, and in
// the end the result is right.
static const char *find_with_every_request_refused(view_rig *rig, const view_world *world,
                                                   failing_allocator *memory)
{
    for (uint64_t at = 1;; at++) {
        answer_copy copy;
        if (!take_copy(&copy, rig->set)) {
            return "memory of the test";
        }
        failing_allocator_arm(memory, FAIL_ONCE, at);
        const acre_result result = acre_culling_find_visible(world->culling, &rig->view, rig->set);
        const bool is_kept = result == ACRE_OK || is_as_copied(rig->set, &copy);
        const bool was_refused = memory->failed > 0;
        failing_allocator_arm(memory, FAIL_NEVER, 0);
        free_copy(&copy);
        if (!is_kept) {
            return "a set changed where memory was short";
        }
        if (result != ACRE_OK && (result != ACRE_ERROR_OUT_OF_MEMORY || !was_refused)) {
            return "another error";
        }
        if (result == ACRE_OK) {
            return view_rig_compare(rig, world);
        }
    }
}

static bool sweep_stream(uint64_t seed, uint32_t flags, bool is_calm)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    view_world worlds[2];
    view_rig rig;
    const view_world_def def = {
        .seed = seed, .entities = is_calm ? 700 : 300, .register_all = true, .is_calm = is_calm};
    view_world_def other = def;
    other.seed++;
    other.entities = 90;
    bool is_good = view_world_create(&worlds[0], &def) && view_world_create(&worlds[1], &other) &&
                   view_rig_create(&rig, seed, flags, &memory.allocator);
    for (int frame = 0; frame < 60 && is_good; frame++) {
        view_world *const world = &worlds[frame % 7 == 6];
        view_rig_move(&rig, world);
        const char *fault = view_world_frame(world);
        fault = fault ? fault : find_with_every_request_refused(&rig, world, &memory);
        if (fault) {
            printf("seed %llu, frame %d: %s\n", (unsigned long long)seed, frame, fault);
            is_good = false;
        }
        is_good = is_good && acre_visible_set_get(rig.set).bytes == memory.live_bytes;
    }
    view_rig_destroy(&rig);
    view_world_destroy(&worlds[0]);
    view_world_destroy(&worlds[1]);
    return is_good && failing_allocator_verdict(&memory) == NULL;
}

static void a_set_is_as_it_was_wherever_memory_runs_out(void)
{
    static const uint32_t flags[] = {ALL_FLAGS, 0, ACRE_VISIBLE_LODS, ACRE_VISIBLE_CHANGES,
                                     ACRE_VISIBLE_BITS};
    for (uint32_t i = 0; i < 10 * test_scale; i++) {
        CHECK(sweep_stream(test_seed + i, flags[i % 5], i % 4 == 0));
    }
}

// One request in three is refused, by chance, also where the set is between two cullers.
static void a_set_survives_long_shortage(void)
{
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 6 * test_scale; i++) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        view_world worlds[2];
        view_rig rig;
        const view_world_def def = {
            .seed = test_seed + 50 + i, .entities = 200, .register_all = true, .is_calm = i % 2};
        view_world_def other = def;
        other.seed += 1000;
        other.entities = 500;
        CHECK(view_world_create(&worlds[0], &def) && view_world_create(&worlds[1], &other));
        CHECK(view_rig_create(&rig, test_seed + i, ALL_FLAGS, &memory.allocator));
        for (int frame = 0; frame < 150; frame++) {
            view_world *const world = &worlds[random_below(&rig.random, 6) == 0];
            view_rig_move(&rig, world);
            CHECK(view_world_frame(world) == NULL);
            failing_allocator_arm(&memory, frame % 4 ? FAIL_ONE_IN_THREE : FAIL_NEVER,
                                  (uint64_t)frame);
            const acre_result result =
                acre_culling_find_visible(world->culling, &rig.view, rig.set);
            failing_allocator_arm(&memory, FAIL_NEVER, 0);
            CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
            CHECK(result != ACRE_OK || view_rig_compare(&rig, world) == NULL);
            refused += result != ACRE_OK;
        }
        view_rig_destroy(&rig);
        view_world_destroy(&worlds[0]);
        view_world_destroy(&worlds[1]);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(refused > 0);
}

static void without_memory_no_set_is_made(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_FROM, 1);
    acre_visible_set *set = (acre_visible_set *)&memory; // anything but NULL
    const acre_visible_set_def def = {.flags = ALL_FLAGS, .allocator = &memory.allocator};
    CHECK(acre_visible_set_create(&def, &set) == ACRE_ERROR_OUT_OF_MEMORY && set == NULL);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void a_table_of_rules_is_as_it_was_where_memory_runs_out(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    view_world world;
    view_rig rig;
    const view_world_def def = {.seed = test_seed + 90,
                                .entities = 60,
                                .register_all = true,
                                .allocator = &memory.allocator};
    CHECK(view_world_create(&world, &def) && view_rig_create(&rig, 5, ALL_FLAGS, NULL));
    static acre_visibility_rule many[1000];
    for (int i = 0; i < 1000; i++) {
        many[i].max_distance = 0.001f;
    }
    for (size_t count = 100; count <= 1000; count += 300) {
        failing_allocator_arm(&memory, FAIL_FROM, 1);
        CHECK(acre_culling_set_rules(world.culling, many, count) == ACRE_ERROR_OUT_OF_MEMORY);
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        view_rig_move(&rig, &world);
        CHECK(view_rig_find(&rig, &world, true) == NULL);
    }
    // An entity in a new slot: there is no room for its rule.
    uint32_t refused = 0;
    const acre_entity_def new_def = {.layers = 0};
    for (int i = 0; i < 3000; i++) {
        acre_entity entity;
        CHECK(acre_entity_create(world.scene, &new_def, &entity) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_ONCE, 1);
        const acre_result result = acre_culling_set_rule(world.culling, entity, 7);
        CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_culling_get_rule(world.culling, entity) == (result == ACRE_OK ? 7u : 0u));
        world.touched++;
        refused += result != ACRE_OK;
    }
    CHECK(refused > 0 && view_rig_find(&rig, &world, true) == NULL);
    view_rig_destroy(&rig);
    view_world_destroy(&world);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// ---- rows of boxes ----

#define ROW 600

// Boxes of one meter along x, every third of them moving.
typedef struct row_world {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[ROW];
} row_world;

static bool make_row(row_world *row, const acre_culling_def *def)
{
    const acre_aabb bounds = {{0, 0, 0}, {1, 1, 1}};
    const acre_scene_def scene_def = {0};
    if (acre_scene_create(&scene_def, &row->scene) != ACRE_OK ||
        acre_culling_create(row->scene, def, &row->culling) != ACRE_OK) {
        return false;
    }
    for (int i = 0; i < ROW; i++) {
        const acre_transform local = {{2.0f * (float)i, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def entity = {
            .local = &local, .bounds = &bounds, .flags = i % 3 ? ACRE_ENTITY_STATIC : 0};
        if (acre_entity_create(row->scene, &entity, &row->entities[i]) != ACRE_OK) {
            return false;
        }
    }
    return acre_scene_commit(row->scene) == ACRE_OK;
}

static void free_row(row_world *row)
{
    acre_culling_destroy(row->culling);
    acre_scene_destroy(row->scene);
}

static bool make_usual_row(row_world *row)
{
    return make_row(row, &(acre_culling_def){.register_all = true});
}

// Between two planes across x.
static acre_view slab(float low, float high)
{
    return (acre_view){.frustum = {{{1, 0, 0, -low}, {-1, 0, 0, high}}, 2}, .eye = {low, 0, 0}};
}

static size_t found_by(const row_world *row, const acre_view *view, acre_visible_set *set)
{
    return acre_culling_find_visible(row->culling, view, set) == ACRE_OK
               ? acre_visible_set_get(set).count
               : SIZE_MAX;
}

static void a_steady_frame_asks_for_no_memory(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    row_world row;
    acre_visible_set *set;
    const acre_visible_set_def def = {.flags = ALL_FLAGS, .allocator = &memory.allocator};
    CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK);
    uint64_t calls = 0;
    for (int frame = 0; frame < 600; frame++) {
        const float at = 300.0f + 200.0f * sinf((float)(frame % 100) * 0.0628f);
        acre_view view = slab(at, at + 300.0f);
        view.hysteresis = 0.1f;
        view.max_distance = 250.0f;
        for (int i = 0; i < ROW; i += 3) {
            const float x = 2.0f * (float)i + (float)(frame % 20);
            const acre_transform local = {{x, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
            CHECK(acre_entity_set_local(row.scene, row.entities[i], &local) == ACRE_OK);
        }
        CHECK(acre_scene_commit(row.scene) == ACRE_OK);
        CHECK(found_by(&row, &view, set) > 50);
        calls = frame == 300 ? memory.total_calls : calls;
        CHECK(frame <= 300 || memory.total_calls == calls);
    }
    acre_visible_set_destroy(set);
    free_row(&row);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// The culler has room first; the set is found from nothing to all of the row and back.
static void a_set_with_room_allocates_nothing_from_its_first_finding_on(void)
{
    for (uint64_t at = 1, has_failed = 1; has_failed; at++) {
        failing_allocator memory;
        row_world row;
        acre_visible_set *set;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const acre_visible_set_def def = {.flags = ALL_FLAGS, .allocator = &memory.allocator};
        CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK);
        CHECK(acre_visible_set_reserve(set, row.culling, SIZE_MAX) == ACRE_ERROR_CAPACITY);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result = acre_visible_set_reserve(set, row.culling, ROW);
        has_failed = memory.failed;
        CHECK(result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(has_failed || at > 9);
        CHECK(acre_visible_set_reserve(set, row.culling, ROW) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_FROM, 1);
        for (int frame = 0; frame < 12; frame++) {
            acre_view view = slab(0, (float)(2 * ROW) * (frame % 4 ? 1.0f / (float)frame : 1.0f));
            view.hysteresis = 0.1f;
            view.max_distance = frame % 3 ? (float)(4 * ROW) : 50.0f;
            const size_t found = found_by(&row, &view, set);
            CHECK(found != SIZE_MAX && (frame % 12 != 4 || found == ROW));
        }
        CHECK(memory.requests == 0);
        acre_visible_set_destroy(set);
        free_row(&row);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(acre_visible_set_reserve(NULL, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
}

// A set that saw all of the row and sees a little of it, trimmed or not, goes on alike.
static void a_trimmed_set_keeps_its_result_and_its_history(void)
{
    failing_allocator memory, other;
    row_world row;
    acre_visible_set *set, *kept;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    failing_allocator_init(&other, FAIL_NEVER, 0);
    const acre_visible_set_def def = {.flags = ALL_FLAGS, .allocator = &memory.allocator};
    const acre_visible_set_def own = {.flags = ALL_FLAGS, .allocator = &other.allocator};
    CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK &&
          acre_visible_set_create(&own, &kept) == ACRE_OK);
    CHECK(acre_visible_set_trim(set) == ACRE_OK);
    for (int frame = 0; frame < 40; frame++) {
        acre_view view = slab(0, frame % 5 ? (float)(frame % 5 * 4) : (float)(2 * ROW));
        view.hysteresis = 0.5f;
        view.max_distance = frame % 3 ? (float)(4 * ROW) : 8.0f;
        if (frame % 7 > 4) { // nothing is seen
            view = slab(-40, -30);
        }
        CHECK(found_by(&row, &view, set) == found_by(&row, &view, kept));
        CHECK(acre_visible_set_trim(set) == ACRE_OK);
        const acre_visible a = acre_visible_set_get(set), b = acre_visible_set_get(kept);
        CHECK(a.slots && a.count == b.count && a.entered_count == b.entered_count &&
              a.left_count == b.left_count && a.stayed_count == b.stayed_count &&
              a.changed_count == b.changed_count && a.word_count == b.word_count);
        CHECK(a.count == 0 || memcmp(a.slots, b.slots, a.count * sizeof *a.slots) == 0);
        CHECK(memcmp(a.bits, b.bits, a.word_count * sizeof *a.bits) == 0);
        CHECK(a.left_count == 0 || memcmp(a.left, b.left, a.left_count * sizeof *a.left) == 0);
        CHECK(frame < 20 || a.count > 20 || a.bytes < b.bytes / 2);
    }
    CHECK(acre_visible_set_trim(NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_visible_set_destroy(kept);
    acre_visible_set_destroy(set);
    free_row(&row);
    CHECK(failing_allocator_verdict(&memory) == NULL && failing_allocator_verdict(&other) == NULL);
}

// ---- many views, many sets ----

// Bit by bit what the sets name. @return whether masks are right, and left alone where they are too
// few.
static bool masks_are_right(acre_visible_set *const *sets, size_t set_count, size_t slot_count)
{
    static uint32_t masks[400];
    size_t named = 0, bits = 0, highest = 0;
    memset(masks, 255, sizeof masks);
    if (acre_visible_set_masks(sets, set_count, masks, slot_count) != ACRE_OK) {
        return false;
    }
    for (size_t i = 0; i < set_count; i++) {
        const acre_visible visible = acre_visible_set_get(sets[i]);
        for (size_t k = 0; k < visible.count; k++) {
            named += masks[visible.slots[k]] >> i & 1;
            highest = visible.slots[k] > highest ? visible.slots[k] : highest;
        }
        bits += visible.count;
    }
    for (size_t slot = 0; slot < slot_count; slot++) {
        for (uint32_t mask = masks[slot]; mask; mask &= mask - 1) {
            bits--;
        }
    }
    if (named == 0 || bits != 0 || masks[slot_count] != UINT32_MAX) {
        return named == 0 && bits == 0;
    }
    masks[0] = 7;
    return acre_visible_set_masks(sets, set_count, masks, highest) == ACRE_ERROR_CAPACITY &&
           masks[0] == 7;
}

static void many_views_find_what_each_finds_alone(void)
{
    view_world world;
    view_rig rigs[5];
    acre_view views[5];
    acre_visible_set *sets[5];
    const view_world_def def = {.seed = test_seed + 30, .entities = 300, .register_all = true};
    CHECK(view_world_create(&world, &def));
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(view_rig_create(&rigs[i], test_seed + i, i % 2 ? ALL_FLAGS : i, NULL));
        sets[i] = rigs[i].set;
    }
    for (uint32_t frame = 0; frame < 60; frame++) {
        CHECK(view_world_frame(&world) == NULL);
        for (int i = 0; i < 5; i++) {
            view_rig_move(&rigs[i], &world);
            views[i] = rigs[i].view;
        }
        const uint32_t wrong = frame % 8;
        if (wrong < 5) {
            views[wrong].min_pixels = -1.0f;
        }
        const acre_result result = acre_culling_find_visible_many(world.culling, views, sets, 5);
        CHECK(result == (wrong < 5 ? ACRE_ERROR_INVALID_ARGUMENT : ACRE_OK));
        for (uint32_t i = 0; i < 5; i++) {
            CHECK(i == wrong || view_rig_compare(&rigs[i], &world) == NULL);
        }
        CHECK(masks_are_right(sets, 5, acre_scene_get_view(world.scene).slot_count));
    }
    CHECK(acre_culling_find_visible_many(world.culling, NULL, NULL, 0) == ACRE_OK);
    for (int i = 0; i < 5; i++) {
        view_rig_destroy(&rigs[i]);
    }
    view_world_destroy(&world);
}

static void a_set_that_goes_from_culler_to_culler_starts_anew(void)
{
    view_world worlds[3];
    view_rig rig;
    for (uint32_t i = 0; i < 3; i++) {
        const view_world_def def = {.seed = test_seed + 60 + i,
                                    .entities = i == 2 ? 30 : 200,
                                    .register_all = i != 1,
                                    .scene = (uint16_t)i};
        CHECK(view_world_create(&worlds[i], &def));
    }
    CHECK(view_rig_create(&rig, test_seed, ALL_FLAGS, NULL));
    for (int frame = 0; frame < 200; frame++) {
        view_world *const world = &worlds[random_below(&rig.random, 12) / 5];
        const acre_culling *const before = rig.culling;
        CHECK(view_world_frame(world) == NULL);
        if (frame % 3) {
            view_rig_move(&rig, world);
        }
        CHECK(view_rig_find(&rig, world, true) == NULL);
        const acre_visible visible = acre_visible_set_get(rig.set);
        CHECK(before == world->culling ||
              (visible.entered_count == visible.count && visible.left_count == 0));
    }
    view_rig_destroy(&rig);
    for (int i = 0; i < 3; i++) {
        view_world_destroy(&worlds[i]);
    }
}

static void a_frozen_set_keeps_its_view_whatever_becomes_of_its_volumes(void)
{
    row_world row;
    acre_visible_set *set;
    acre_frustum include = slab(10.0f, 100.0f).frustum, exclude = slab(30.0f, 50.0f).frustum;
    acre_view view = slab(0.0f, 200.0f);
    view.include = &include;
    view.exclude = &exclude;
    CHECK(make_usual_row(&row) && acre_visible_set_create(NULL, &set) == ACRE_OK);
    CHECK(acre_visible_set_view(set) == NULL);
    CHECK(acre_visible_set_freeze(set, true) == ACRE_ERROR_NOT_FOUND);
    const size_t found = found_by(&row, &view, set);
    CHECK(found == 36); // 46 touch 10..100, 10 of them are wholly in 30..50
    CHECK(acre_visible_set_freeze(set, true) == ACRE_OK);
    memset(&include, 255, sizeof include);
    memset(&exclude, 255, sizeof exclude);
    const acre_view far_view = slab(800.0f, 900.0f);
    CHECK(found_by(&row, &far_view, set) == found && acre_visible_set_get(set).is_reused);
    // The scene goes on: what moves out of the frozen view leaves it.
    const acre_transform away = {{5000, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    CHECK(acre_entity_set_local(row.scene, row.entities[30], &away) == ACRE_OK);
    CHECK(acre_scene_commit(row.scene) == ACRE_OK);
    CHECK(found_by(&row, &far_view, set) == found - 1 && !acre_visible_set_get(set).is_reused);
    CHECK(found_by(&row, acre_visible_set_view(set), set) == found - 1);
    const acre_view *const kept = acre_visible_set_view(set);
    CHECK(kept && kept->include && kept->include->planes[0][3] == -10.0f);
    CHECK(kept->exclude && kept->exclude->planes[1][3] == 50.0f);
    acre_explanation why;
    CHECK(acre_culling_explain(row.culling, &far_view, set, row.entities[10], &why) == ACRE_OK);
    CHECK(why.hidden_by == ACRE_HIDDEN_BY_NOTHING); // as the set sees it
    CHECK(acre_culling_explain(row.culling, &far_view, NULL, row.entities[10], &why) == ACRE_OK);
    CHECK(why.hidden_by == ACRE_HIDDEN_BY_PLANE && why.plane == 0);
    CHECK(acre_visible_set_freeze(set, false) == ACRE_OK);
    CHECK(found_by(&row, &far_view, set) == 51);
    CHECK(acre_visible_set_view(set)->include == NULL);
    // Clearing thaws.
    CHECK(acre_visible_set_freeze(set, true) == ACRE_OK);
    acre_visible_set_clear(set);
    CHECK(acre_visible_set_view(set) == NULL && acre_visible_set_get(set).count == 0);
    CHECK(acre_visible_set_freeze(set, false) == ACRE_ERROR_NOT_FOUND);
    CHECK(found_by(&row, &far_view, set) == 51);
    acre_visible_set_destroy(set);
    free_row(&row);
}

static void a_set_outlives_scene_and_culler(void)
{
    row_world row;
    acre_visible_set *set;
    const acre_view view = slab(0.0f, 200.0f);
    const acre_visible_set_def def = {.flags = ALL_FLAGS};
    CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK);
    CHECK(found_by(&row, &view, set) == 101);
    acre_scene_destroy(row.scene);
    CHECK(found_by(&row, &view, set) == 0);
    const acre_visible visible = acre_visible_set_get(set);
    CHECK(visible.left_count == 101 && visible.entered_count == 0 && visible.stayed_count == 0);
    acre_explanation why = {.rule = 99};
    CHECK(acre_culling_explain(row.culling, &view, set, row.entities[0], &why) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(why.rule == 99);
    acre_culling_destroy(row.culling);
    acre_visible_set_clear(set);
    CHECK(acre_visible_set_get(set).count == 0);
    acre_visible_set_destroy(set);
}

static void a_slot_that_another_entity_got_left_and_entered(void)
{
    row_world row;
    acre_visible_set *set;
    const acre_view view = slab(0.0f, 20.0f);
    const acre_visible_set_def def = {.flags = ALL_FLAGS};
    CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK);
    CHECK(found_by(&row, &view, set) == 11);
    const uint32_t slot = row.entities[4].index1 - 1;
    CHECK(acre_culling_set_rule(row.culling, row.entities[4], 3) == ACRE_OK);
    CHECK(acre_entity_destroy(row.scene, row.entities[4]) == ACRE_OK);
    CHECK(acre_scene_commit(row.scene) == ACRE_OK);
    CHECK(acre_culling_get_rule(row.culling, row.entities[4]) == 0);
    const acre_aabb bounds = {{5, 0, 0}, {6, 1, 1}};
    const acre_entity_def entity = {.bounds = &bounds, .flags = ACRE_ENTITY_STATIC};
    acre_entity made;
    CHECK(acre_entity_create(row.scene, &entity, &made) == ACRE_OK);
    CHECK(acre_scene_commit(row.scene) == ACRE_OK);
    CHECK(made.index1 == slot + 1 && acre_culling_get_rule(row.culling, made) == 0);
    CHECK(found_by(&row, &view, set) == 11);
    const acre_visible visible = acre_visible_set_get(set);
    CHECK(visible.left_count == 1 && visible.left[0] == slot);
    CHECK(visible.entered_count == 1 && visible.entered[0] == slot && visible.stayed_count == 10);
    acre_visible_set_destroy(set);
    free_row(&row);
}

static bool is_found_anew(const row_world *row, const acre_view *view, acre_visible_set *set)
{
    return found_by(row, view, set) != SIZE_MAX && !acre_visible_set_get(set).is_reused &&
           found_by(row, view, set) != SIZE_MAX && acre_visible_set_get(set).is_reused;
}

static void a_view_that_differs_in_one_field_is_found_anew(void)
{
    row_world row;
    acre_visible_set *set;
    acre_frustum include = slab(10.0f, 900.0f).frustum, exclude = slab(30.0f, 50.0f).frustum;
    acre_view view = slab(0.0f, 900.0f);
    const acre_visible_set_def def = {.flags = ALL_FLAGS};
    CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK);
    view.include = &include;
    view.exclude = &exclude;
    CHECK(is_found_anew(&row, &view, set));
    float *const numbers[] = {&view.eye[0],
                              &view.eye[1],
                              &view.eye[2],
                              &view.min_distance,
                              &view.max_distance,
                              &view.pixels,
                              &view.min_pixels,
                              &view.range_scale,
                              &view.lod_scale,
                              &view.hysteresis,
                              &view.frustum.planes[1][3],
                              &include.planes[0][3],
                              &exclude.planes[1][3]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        *numbers[i] += 0.5f;
        CHECK(is_found_anew(&row, &view, set));
    }
    view.layers = 5;
    CHECK(is_found_anew(&row, &view, set));
    view.flags = ACRE_VIEW_EXCLUDE_TOUCHING;
    CHECK(is_found_anew(&row, &view, set));
    view.is_parallel = true;
    CHECK(is_found_anew(&row, &view, set));
    view.frustum.plane_count = 1;
    CHECK(is_found_anew(&row, &view, set));
    include.plane_count = 1;
    CHECK(is_found_anew(&row, &view, set));
    acre_frustum other = exclude; // the same volume elsewhere is no other view
    view.exclude = &other;
    CHECK(found_by(&row, &view, set) != SIZE_MAX && acre_visible_set_get(set).is_reused);
    view.exclude = NULL;
    CHECK(is_found_anew(&row, &view, set));
    view.include = NULL;
    CHECK(is_found_anew(&row, &view, set));
    acre_visible_set_destroy(set);
    free_row(&row);
}

static void two_cullers_alike_are_told_apart(void)
{
    row_world rows[2];
    acre_visible_set *set;
    const acre_view view = slab(0.0f, 20.0f);
    const acre_visible_set_def def = {.flags = ALL_FLAGS};
    CHECK(make_usual_row(&rows[0]) && make_usual_row(&rows[1]));
    CHECK(acre_visible_set_create(&def, &set) == ACRE_OK);
    for (int i = 0; i < 6; i++) {
        CHECK(is_found_anew(&rows[0], &view, set));
        CHECK(found_by(&rows[1], &view, set) == 11);
        CHECK(acre_visible_set_get(set).entered_count == 11);
    }
    acre_visible_set_destroy(set);
    free_row(&rows[0]);
    free_row(&rows[1]);
}

static acre_result move_to(row_world *row, int i, float x)
{
    const acre_transform local = {{x, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    return acre_entity_set_local(row->scene, row->entities[i], &local);
}

// Each step takes one more of the 11 boxes out of sight, of the moving tree or of the static one.
static acre_result hide_one(row_world *row, int step)
{
    static const acre_visibility_rule rule = {.max_distance = 0.01f};
    const acre_aabb away = {{900, 0, 0}, {901, 1, 1}};
    acre_culling *const culling = row->culling;
    const acre_entity entity = row->entities[10 - step];
    acre_result result = ACRE_OK;
    switch (step) {
    case 0:
        return acre_culling_unregister(culling, entity);
    case 1:
        return acre_culling_refresh_bounds(culling, entity, &away);
    case 2:
        result = move_to(row, 10 - step, 800.0f);
        return result ? result : acre_culling_refresh(culling, entity);
    case 3:
        result = move_to(row, 10 - step, 800.0f);
        break;
    case 4:
        result = acre_entity_set_flags(row->scene, entity, ACRE_ENTITY_HIDDEN);
        break;
    case 5:
        result = acre_entity_set_layers(row->scene, entity, 2);
        break;
    case 6:
        result = acre_entity_set_bounds(row->scene, entity, NULL);
        break;
    case 7:
        result = acre_entity_destroy(row->scene, entity);
        break;
    case 8:
        result = acre_culling_set_rule(culling, entity, 1);
        return result ? result : acre_culling_set_rules(culling, &rule, 1);
    default:
        return acre_culling_set_rule(culling, entity, 1);
    }
    return result ? result : acre_scene_commit(row->scene);
}

static void each_call_that_changes_what_is_seen_is_noticed(void)
{
    row_world row;
    acre_visible_set *set;
    acre_view view = slab(0.0f, 20.0f);
    const acre_visible_set_def def = {.flags = ALL_FLAGS};
    view.layers = 1;
    view.eye[0] = -1.0f;
    CHECK(make_usual_row(&row) && acre_visible_set_create(&def, &set) == ACRE_OK);
    CHECK(found_by(&row, &view, set) == 11);
    for (int step = 0; step < 10; step++) {
        CHECK(hide_one(&row, step) == ACRE_OK);
        CHECK(found_by(&row, &view, set) == (size_t)(10 - step));
        CHECK(acre_visible_set_get(set).left_count == 1);
    }
    CHECK(acre_culling_set_rules(row.culling, NULL, 0) == ACRE_OK);
    CHECK(found_by(&row, &view, set) == 3);
    CHECK(acre_culling_register(row.culling, row.entities[10]) == ACRE_OK);
    CHECK(found_by(&row, &view, set) == 4);
    acre_visible_set_destroy(set);
    free_row(&row);
}

// The set was found with a culler that knew no slot at all.
static void the_first_entity_of_all_enters(void)
{
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    acre_entity entity;
    acre_explanation why;
    const acre_aabb bounds = {{0, 0, 0}, {1, 1, 1}};
    const acre_view view = {.hysteresis = 0.5f};
    const acre_visible_set_def def = {.flags = ALL_FLAGS};
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling) ==
          ACRE_OK);
    CHECK(acre_visible_set_create(&def, &set) == ACRE_OK);
    CHECK(acre_culling_find_visible(culling, &view, set) == ACRE_OK);
    CHECK(acre_visible_set_get(set).count == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(acre_entity_create(scene, &(acre_entity_def){.bounds = &bounds}, &entity) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_culling_explain(culling, &view, set, entity, &why) == ACRE_OK);
    CHECK(why.hidden_by == ACRE_HIDDEN_BY_NOTHING && !why.was_visible);
    CHECK(acre_culling_find_visible(culling, &view, set) == ACRE_OK);
    CHECK(acre_visible_set_get(set).entered_count == 3);
    CHECK(acre_culling_explain(culling, &view, set, entity, &why) == ACRE_OK && why.was_visible);
    acre_visible_set_destroy(set);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_set_is_as_it_was_wherever_memory_runs_out),
        TEST(a_set_survives_long_shortage),
        TEST(without_memory_no_set_is_made),
        TEST(a_table_of_rules_is_as_it_was_where_memory_runs_out),
        TEST(a_steady_frame_asks_for_no_memory),
        TEST(a_set_with_room_allocates_nothing_from_its_first_finding_on),
        TEST(a_trimmed_set_keeps_its_result_and_its_history),
        TEST(many_views_find_what_each_finds_alone),
        TEST(a_set_that_goes_from_culler_to_culler_starts_anew),
        TEST(a_frozen_set_keeps_its_view_whatever_becomes_of_its_volumes),
        TEST(a_set_outlives_scene_and_culler),
        TEST(a_slot_that_another_entity_got_left_and_entered),
        TEST(a_view_that_differs_in_one_field_is_found_anew),
        TEST(two_cullers_alike_are_told_apart),
        TEST(each_call_that_changes_what_is_seen_is_noticed),
        TEST(the_first_entity_of_all_enters),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
