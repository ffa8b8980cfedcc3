// SPDX-License-Identifier: MIT
// fuzz_interest.c - fuzz target: bytes choose edits of a tree and of an interest over it, which a
// model of plain loops follows, or edits of a scene and of an interest over its culler, of which
// every list plus its changes must give the next one.
#include "culling_stream.h"
#include "fuzz.h"
#include "interest_stream.h"

#include <string.h>

enum { MAX_STEPS = 200, LIVING = 24, MOST_SLOTS = 256, WATCHERS = 3 };

static void check(const char *fault)
{
    if (fault) {
        fuzz_fail(__FILE__, __LINE__, fault);
    }
}

// What a stream draws for a step follows from two bytes.
static uint64_t read_seed(fuzz_input *input)
{
    const uint64_t low = fuzz_byte(input);
    return low | (uint64_t)fuzz_byte(input) << 8;
}

// ---- over a tree ----

// Numbers that are none, and handles that name nothing, are refused without a trace.
static void probe_interest(acre_interest *interest, fuzz_input *input)
{
    const acre_observer wrong = {1000 + fuzz_byte(input), fuzz_u32(input)};
    acre_observer made = {1, 1};
    acre_observer_def def = {.enter_radius = fuzz_float(input), .leave_radius = fuzz_float(input)};
    def.place[fuzz_below(input, 3)] = fuzz_float(input);
    def.band_limits[fuzz_below(input, 3)] = fuzz_float(input);
    def.limit_share = fuzz_float(input);
    const acre_result result = acre_interest_set(interest, wrong, &def);
    FUZZ_CHECK(result == ACRE_ERROR_INVALID_ARGUMENT || result == ACRE_ERROR_STALE_HANDLE);
    def.enter_radius = -1;
    FUZZ_CHECK(acre_interest_add(interest, &def, &made) == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(made.index1 == 0 && made.generation == 0);
    FUZZ_CHECK(acre_interest_remove(interest, wrong) == ACRE_ERROR_STALE_HANDLE);
    FUZZ_CHECK(acre_interest_join(interest, wrong, 0) == ACRE_ERROR_STALE_HANDLE);
    FUZZ_CHECK(acre_interest_join_item(interest, UINT32_MAX, 0) == ACRE_ERROR_CAPACITY);
    FUZZ_CHECK(acre_interest_reasons(interest, wrong, fuzz_u32(input)) == 0);
}

static void run_tree(fuzz_input *input)
{
    static interest_stream stream; // large
    const acre_interest_def def = {.flags = fuzz_below(input, 4)};
    FUZZ_CHECK(interest_stream_init(&stream, &def, fuzz_byte(input) & 1, read_seed(input)));
    for (uint32_t i = 0; i < MAX_STEPS && fuzz_has_more(input); i++) {
        const uint32_t kind = fuzz_byte(input);
        stream.random.state = read_seed(input);
        if (kind < 160) {
            check(interest_stream_edit(&stream));
        } else if (kind < 230) {
            check(interest_stream_update(&stream));
            check(interest_stream_check(&stream));
        } else if (kind < 240) {
            FUZZ_CHECK(acre_quadtree_trim(stream.tree) == ACRE_OK);
        } else {
            probe_interest(stream.interest, input);
        }
    }
    check(interest_stream_update(&stream));
    check(interest_stream_check(&stream));
    interest_stream_free(&stream);
}

// ---- over a culler ----

typedef struct watched_scene {
    culling_stream stream;
    acre_interest *interest;
    acre_observer observers[WATCHERS];
    acre_entity seen[WATCHERS][MOST_SLOTS]; // by slot; null: nothing
} watched_scene;

static void watch_any(watched_scene *scene, uint32_t which, fuzz_input *input)
{
    const scene_oracle *const oracle = &scene->stream.oracle;
    acre_observer_def def = {.enter_radius = (float)fuzz_byte(input),
                             .in_space = fuzz_byte(input) & 1,
                             .limit = fuzz_byte(input) % 5,
                             .band_limits = {20, 40}};
    if (oracle->count > 0 && fuzz_byte(input) % 4 > 0) {
        def.entity = oracle->entities[fuzz_below(input, (uint32_t)oracle->count)].handle;
    }
    acre_observer *const own = &scene->observers[which];
    if (own->index1 == 0) {
        FUZZ_CHECK(acre_interest_add(scene->interest, &def, own) == ACRE_OK);
    } else {
        FUZZ_CHECK(acre_interest_set(scene->interest, *own, &def) == ACRE_OK);
    }
    const acre_result joined = acre_interest_join_entity(scene->interest, def.entity, which);
    FUZZ_CHECK(joined == ACRE_OK || joined == ACRE_ERROR_EXISTS ||
               joined == ACRE_ERROR_STALE_HANDLE);
    ACRE_IGNORE(acre_interest_join(scene->interest, *own, which)); // perhaps it is there
}

static bool is_same(acre_entity a, acre_entity b)
{
    return a.index1 == b.index1 && a.scene == b.scene && a.generation == b.generation;
}

// What was seen, less what left, plus what entered.
static void apply_changes(watched_scene *scene, uint32_t which)
{
    const acre_interest_changes changes = acre_interest_get_changes(scene->interest);
    const acre_interest_list *const left = &changes.left, *const entered = &changes.entered;
    const size_t row = scene->observers[which].index1 - 1;
    acre_entity *const seen = scene->seen[which];
    for (size_t i = left->offsets[row]; i < left->offsets[row + 1]; i++) {
        FUZZ_CHECK(left->items[i] < MOST_SLOTS);
        FUZZ_CHECK(is_same(seen[left->items[i]], left->entities[i]));
        seen[left->items[i]] = (acre_entity){0, 0, 0};
    }
    for (size_t i = entered->offsets[row]; i < entered->offsets[row + 1]; i++) {
        FUZZ_CHECK(entered->items[i] < MOST_SLOTS && seen[entered->items[i]].index1 == 0);
        seen[entered->items[i]] = entered->entities[i];
    }
}

// An observer that follows an entity stands where that stands, whether it is culled or never.
static void check_place(const watched_scene *scene, acre_observer observer)
{
    acre_observer_state state;
    FUZZ_CHECK(acre_interest_get_observer(scene->interest, observer, &state) == ACRE_OK);
    const scene_oracle *const oracle = &scene->stream.oracle;
    for (int i = 0; i < oracle->count && state.def.entity.index1 != 0 && !state.is_lost; i++) {
        const oracle_entity *const entity = &oracle->entities[i];
        float place[3];
        if (entity->is_published && is_same(entity->handle, state.def.entity)) {
            const bool stands = culling_stream_place(&scene->stream, entity, place);
            FUZZ_CHECK(state.keeps_place == !stands);
            FUZZ_CHECK(!stands || memcmp(place, state.place, sizeof place) == 0);
        }
    }
}

static void update_scene(watched_scene *scene)
{
    FUZZ_CHECK(acre_interest_update(scene->interest) == ACRE_OK);
    FUZZ_CHECK(acre_interest_validate(scene->interest, NULL, 0) == ACRE_OK);
    for (uint32_t i = 0; i < WATCHERS; i++) {
        if (scene->observers[i].index1 == 0) {
            continue;
        }
        uint32_t slots[MOST_SLOTS];
        size_t total = 0, expected = 0;
        apply_changes(scene, i);
        check_place(scene, scene->observers[i]);
        FUZZ_CHECK(acre_interest_list_seen(scene->interest, scene->observers[i], slots, NULL,
                                           MOST_SLOTS, &total) == ACRE_OK);
        for (uint32_t slot = 0; slot < MOST_SLOTS; slot++) {
            expected += scene->seen[i][slot].index1 != 0;
        }
        FUZZ_CHECK(total == expected);
        for (size_t k = 0; k < total; k++) {
            FUZZ_CHECK(scene->seen[i][slots[k]].index1 == slots[k] + 1);
        }
    }
}

static void run_scene(fuzz_input *input)
{
    static watched_scene scene;
    memset(&scene, 0, sizeof scene);
    FUZZ_CHECK(culling_stream_init(&scene.stream, fuzz_byte(input) & 1, LIVING, 0));
    FUZZ_CHECK(acre_interest_create_for_entities(scene.stream.culling, NULL, &scene.interest) ==
               ACRE_OK);
    for (uint32_t i = 0; i < MAX_STEPS && fuzz_has_more(input); i++) {
        const uint32_t kind = fuzz_byte(input);
        scene.stream.oracle.random.state = read_seed(input);
        if (kind < 160) {
            check(culling_stream_step(&scene.stream));
            check(culling_stream_grow(&scene.stream));
        } else if (kind < 220) {
            update_scene(&scene);
        } else {
            watch_any(&scene, kind % WATCHERS, input);
        }
    }
    update_scene(&scene);
    acre_interest_destroy(scene.interest);
    culling_stream_free(&scene.stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size, 0};
    if (fuzz_byte(&input) & 1) {
        run_tree(&input);
    } else {
        run_scene(&input);
    }
    return 0;
}
