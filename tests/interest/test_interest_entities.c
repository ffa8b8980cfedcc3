// SPDX-License-Identifier: MIT
// test_interest_entities.c - an interest over a culler tells what comparing each observer with each
// entity tells, by handle, whatever becomes of the entities.
#include "culling_stream.h"

#include <acre/interest.h>

#include "told_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTITIES = 256, WATCHERS = 8 };

// What can be noticed, by slot.
typedef struct noticeable {
    bool is_there;
    acre_entity handle;
    acre_aabb box;
    uint32_t layers;
} noticeable;

// What an observer saw, by slot; a null handle: nothing.
typedef struct watcher {
    acre_observer observer;
    acre_observer_def def;
    acre_entity seen[MOST_ENTITIES];
    bool is_lost, keeps_place;
    float place[3];
} watcher;

typedef struct watched_world {
    culling_stream stream;
    acre_interest *interest;
    watcher watchers[WATCHERS];
    noticeable things[MOST_ENTITIES];
    acre_entity members[MOST_ENTITIES]; // of room 1; null: none
    acre_entity ranged[MOST_ENTITIES];  // with ranges of their own; null: none
    float ranges[MOST_ENTITIES];
    test_random random;
    size_t entered, left, reused, rooms, unculled, kept, noticed_by_range;
} watched_world;

static bool is_same(acre_entity a, acre_entity b)
{
    return a.index1 == b.index1 && a.generation == b.generation && a.scene == b.scene;
}

static bool list_things(watched_world *world)
{
    const culling_stream *const stream = &world->stream;
    memset(world->things, 0, sizeof world->things);
    for (int i = 0; i < stream->oracle.count; i++) {
        const oracle_entity *const entity = &stream->oracle.entities[i];
        if (!culling_stream_sees(stream, i) || (entity->seen_flags & ACRE_ENTITY_NEVER_CULL)) {
            continue;
        }
        const acre_aabb box = culling_stream_box(stream, i);
        if (acre_aabb_is_empty(&box)) {
            continue;
        }
        if (entity->handle.index1 > MOST_ENTITIES) {
            return false;
        }
        world->things[entity->handle.index1 - 1] =
            (noticeable){true, entity->handle, box, entity->seen_layers};
    }
    return true;
}

static const oracle_entity *find_entity(const watched_world *world, acre_entity handle)
{
    for (int i = 0; i < world->stream.oracle.count; i++) {
        const oracle_entity *const entity = &world->stream.oracle.entities[i];
        if (entity->is_published && is_same(entity->handle, handle)) {
            return entity;
        }
    }
    return NULL;
}

static void place_watcher(watched_world *world, watcher *own)
{
    if (own->def.entity.index1 == 0 || own->is_lost) {
        return;
    }
    const oracle_entity *const entity = find_entity(world, own->def.entity);
    float place[3];
    own->is_lost = entity == NULL;
    own->keeps_place = own->is_lost || !culling_stream_place(&world->stream, entity, place);
    world->kept += own->keeps_place && !own->is_lost;
    if (!own->keeps_place) {
        world->unculled += (entity->seen_flags & ACRE_ENTITY_NEVER_CULL) && entity->sees_box;
        memcpy(own->place, place, sizeof place);
    }
}

static bool notices(watched_world *world, const watcher *own, uint32_t slot)
{
    const noticeable *const thing = &world->things[slot];
    if (!thing->is_there || (!own->is_lost && own->def.entity.index1 == slot + 1)) {
        return false;
    }
    double sum = 0;
    for (int axis = 0; axis < 3; axis += 2) {
        const double at = (double)own->place[axis];
        const double low = (double)thing->box.min[axis] - at,
                     high = at - (double)thing->box.max[axis];
        const double gap = low > 0 ? low : high > 0 ? high : 0;
        sum += gap * gap;
    }
    const bool has_range = is_same(world->ranged[slot], thing->handle) && !own->def.ignores_ranges;
    const double radius = (double)(has_range ? world->ranges[slot] : own->def.enter_radius);
    world->noticed_by_range += has_range && sum <= radius * radius;
    return sum <= radius * radius && (own->def.layers == 0 || (own->def.layers & thing->layers));
}

// Whether a row of a list has exactly these entities.
static bool row_is(const acre_interest_list *list, size_t row, const acre_entity *expected)
{
    size_t wanted = 0;
    for (uint32_t slot = 0; slot < MOST_ENTITIES; slot++) {
        wanted += expected[slot].index1 != 0;
    }
    if (list->offsets[row + 1] - list->offsets[row] != wanted) {
        return false;
    }
    for (size_t i = list->offsets[row]; i < list->offsets[row + 1]; i++) {
        if (!is_same(list->entities[i], expected[list->items[i]]) ||
            list->entities[i].index1 != list->items[i] + 1) {
            return false;
        }
    }
    return true;
}

static const char *check_watcher(watched_world *world, watcher *own, bool is_in_room)
{
    const acre_interest_changes changes = acre_interest_get_changes(world->interest);
    acre_entity entered[MOST_ENTITIES], left[MOST_ENTITIES];
    acre_observer_state state;
    place_watcher(world, own);
    for (uint32_t slot = 0; slot < MOST_ENTITIES; slot++) {
        const acre_entity none = {0, 0, 0}, handle = world->things[slot].handle;
        const bool is_member = is_in_room && world->things[slot].is_there &&
                               is_same(world->members[slot], handle) &&
                               (own->is_lost || own->def.entity.index1 != slot + 1);
        const acre_entity now = notices(world, own, slot) || is_member ? handle : none;
        const acre_entity before = own->seen[slot];
        entered[slot] = is_same(now, before) ? none : now;
        left[slot] = is_same(now, before) ? none : before;
        world->entered += entered[slot].index1 != 0;
        world->left += left[slot].index1 != 0;
        world->reused += entered[slot].index1 != 0 && left[slot].index1 != 0;
        world->rooms += is_member;
        own->seen[slot] = now;
    }
    if (!row_is(&changes.entered, own->observer.index1 - 1, entered)) {
        return "what entered";
    }
    if (!row_is(&changes.left, own->observer.index1 - 1, left)) {
        return "what left";
    }
    if (acre_interest_get_observer(world->interest, own->observer, &state) != ACRE_OK ||
        state.is_lost != own->is_lost || state.keeps_place != own->keeps_place ||
        memcmp(state.place, own->place, sizeof state.place) != 0) {
        return "where an observer stands";
    }
    return NULL;
}

static const char *define_watcher(watched_world *world, watcher *own)
{
    test_random *const random = &world->random;
    own->def = (acre_observer_def){
        .place = {(float)random_below(random, 100) - 50, 0, (float)random_below(random, 100) - 50},
        .enter_radius = (float)random_below(random, 60),
        .layers = random_below(random, 4) ? 0 : random_below(random, 8),
        .ignores_ranges = random_below(random, 4) == 0};
    if (random_below(random, 2) && world->stream.oracle.count > 0) {
        const oracle_entity *const entity = scene_oracle_pick(&world->stream.oracle);
        own->def.entity = entity->handle.index1 <= MOST_ENTITIES ? entity->handle : own->def.entity;
    }
    const acre_result result = own->observer.index1 == 0
                                   ? acre_interest_add(world->interest, &own->def, &own->observer)
                                   : acre_interest_set(world->interest, own->observer, &own->def);
    if (own->def.entity.index1 == 0 || own->observer.index1 == 0) {
        memcpy(own->place, own->def.place, sizeof own->place);
    }
    own->is_lost = own->keeps_place = false;
    return result == ACRE_OK ? NULL : "an observer";
}

static const char *edit_members(watched_world *world)
{
    const uint32_t slot = random_below(&world->random, MOST_ENTITIES);
    const acre_entity handle = world->things[slot].handle;
    if (!world->things[slot].is_there) {
        return NULL;
    }
    const bool is_member = is_same(world->members[slot], handle);
    const acre_result joined = acre_interest_join_entity(world->interest, handle, 1);
    if (joined != (is_member ? ACRE_ERROR_EXISTS : ACRE_OK)) {
        return "a join";
    }
    world->members[slot] = handle;
    if (random_below(&world->random, 3) == 0) {
        world->members[slot] = (acre_entity){0, 0, 0};
        return acre_interest_leave_entity(world->interest, handle, 1) == ACRE_OK ? NULL : "a leave";
    }
    return NULL;
}

static const char *edit_ranges(watched_world *world)
{
    const uint32_t slot = random_below(&world->random, MOST_ENTITIES);
    const acre_entity handles[2] = {world->things[slot].handle, {9999, 0, 1}};
    const float ranges[2] = {(float)random_below(&world->random, 6) * 20, 5};
    const acre_range_batch batch = {.entities = handles, .ranges = ranges, .count = 2};
    if (!world->things[slot].is_there) {
        return NULL;
    }
    const acre_result result = acre_interest_set_ranges(world->interest, &batch);
    const acre_quadtree_report report = acre_interest_last_report(world->interest);
    world->ranged[slot] = ranges[0] > 0 ? handles[0] : (acre_entity){0, 0, 0};
    world->ranges[slot] = ranges[0];
    return result == ACRE_ERROR_STALE_HANDLE && report.refused == 1 && report.first_row == 1
               ? NULL
               : "ranges";
}

static const char *run_world(watched_world *world, uint32_t steps)
{
    for (int i = 0; i < WATCHERS; i++) {
        const char *const fault = define_watcher(world, &world->watchers[i]);
        if (fault) {
            return fault;
        }
        memcpy(world->watchers[i].place, world->watchers[i].def.place, 3 * sizeof(float));
        if (i < 3 &&
            acre_interest_join(world->interest, world->watchers[i].observer, 1) != ACRE_OK) {
            return "an observer's join";
        }
    }
    for (uint32_t step = 0; step < steps; step++) {
        const char *fault = culling_stream_step(&world->stream);
        fault = fault ? fault : culling_stream_grow(&world->stream);
        if (!fault && random_below(&world->random, 16) == 0) {
            fault = define_watcher(world, &world->watchers[random_below(&world->random, WATCHERS)]);
        }
        if (!fault && !list_things(world)) {
            fault = "too many entities";
        }
        fault = fault ? fault : edit_members(world);
        fault = fault ? fault : edit_ranges(world);
        if (fault) {
            return fault;
        }
        if (random_below(&world->random, 30) > 0) {
            continue;
        }
        if (acre_interest_update(world->interest) != ACRE_OK) {
            return "an update";
        }
        for (int i = 0; i < WATCHERS && !fault; i++) {
            fault = check_watcher(world, &world->watchers[i], i < 3);
        }
        if (fault || acre_interest_validate(world->interest, NULL, 0) != ACRE_OK) {
            return fault ? fault : "the invariants";
        }
    }
    return NULL;
}

static void every_update_is_what_comparing_all_entities_tells(void)
{
    watched_world *const world = malloc(sizeof *world);
    CHECK(world != NULL);
    size_t entered = 0, left = 0, reused = 0, rooms = 0, unculled = 0, kept = 0, by_range = 0;
    const char *fault = NULL;
    for (uint32_t seed = 0; seed < 6 && !fault; seed++) {
        memset(world, 0, sizeof *world);
        world->random = (test_random){test_seed + seed};
        fault = "memory";
        if (culling_stream_init(&world->stream, seed % 2, 90, test_seed + seed) &&
            acre_interest_create_for_entities(world->stream.culling, NULL, &world->interest) ==
                ACRE_OK) {
            fault = run_world(world, 3000 * test_scale);
        }
        acre_interest_destroy(world->interest);
        culling_stream_free(&world->stream);
        entered += world->entered;
        left += world->left;
        reused += world->reused;
        rooms += world->rooms;
        unculled += world->unculled;
        kept += world->kept;
        by_range += world->noticed_by_range;
        if (fault) {
            printf("world %u: %s\n", seed, fault);
        }
    }
    free(world);
    CHECK(fault == NULL);
    CHECK(entered > 1000 && left > 1000 && reused > 0 && rooms > 100);
    CHECK(unculled > 100 && kept > 100 && by_range > 1000);
}

// Where an observer stands that follows an entity with these bounds and flags, which is at 10 and
// moves to 50.
static float follow_to(const acre_aabb *bounds, uint32_t flags, bool *keeps_place)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_interest *interest = NULL;
    acre_transform at = ACRE_TRANSFORM_IDENTITY;
    at.translation[0] = 10;
    acre_entity entity = {0};
    acre_observer observer = {0};
    acre_observer_state state = {.place = {NAN}};
    const acre_entity_def def = {.local = &at, .bounds = bounds};
    bool is_good = acre_scene_create(NULL, &scene) == ACRE_OK &&
                   acre_culling_create(scene, &(acre_culling_def){.register_all = true},
                                       &culling) == ACRE_OK &&
                   acre_interest_create_for_entities(culling, NULL, &interest) == ACRE_OK &&
                   acre_entity_create(scene, &def, &entity) == ACRE_OK;
    const acre_observer_def follows = {.entity = entity, .enter_radius = 5};
    is_good = is_good && acre_scene_commit(scene) == ACRE_OK &&
              acre_interest_add(interest, &follows, &observer) == ACRE_OK &&
              acre_interest_update(interest) == ACRE_OK &&
              acre_entity_set_flags(scene, entity, flags) == ACRE_OK;
    at.translation[0] = 50;
    is_good = is_good && acre_entity_set_local(scene, entity, &at) == ACRE_OK &&
              acre_scene_commit(scene) == ACRE_OK && acre_interest_update(interest) == ACRE_OK &&
              acre_interest_get_observer(interest, observer, &state) == ACRE_OK && !state.is_lost;
    *keeps_place = state.keeps_place;
    acre_interest_destroy(interest);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    return is_good ? state.place[0] : NAN;
}

static void an_observer_follows_what_is_in_no_tree(void)
{
    const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    const acre_aabb endless = {{-INFINITY, -1, -1}, {INFINITY, 1, 1}};
    bool keeps_place;
    CHECK(follow_to(&box, 0, &keeps_place) == 50 && !keeps_place);
    CHECK(follow_to(&box, ACRE_ENTITY_NEVER_CULL, &keeps_place) == 50 && !keeps_place);
    CHECK(follow_to(NULL, ACRE_ENTITY_NEVER_CULL, &keeps_place) == 50 && !keeps_place);
    CHECK(follow_to(NULL, 0, &keeps_place) == 50 && !keeps_place);
    CHECK(follow_to(&endless, 0, &keeps_place) == 50 && !keeps_place);
    CHECK(follow_to(&box, ACRE_ENTITY_HIDDEN, &keeps_place) == 10 && keeps_place);
    CHECK(follow_to(NULL, ACRE_ENTITY_HIDDEN, &keeps_place) == 10 && keeps_place);
}

static void what_is_of_another_world_is_refused(void)
{
    culling_stream stream;
    acre_interest *interest;
    acre_observer observer;
    CHECK(culling_stream_init(&stream, true, 10, test_seed));
    CHECK(acre_interest_create_for_entities(NULL, NULL, &interest) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_create_for_entities(stream.culling, NULL, &interest) == ACRE_OK);
    CHECK(acre_interest_add(interest, &(acre_observer_def){.follows_item = true}, &observer) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_join_item(interest, 0, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_forget(interest, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    const acre_range_batch batch = {.items = &(uint32_t){0}, .ranges = &(float){1}, .count = 1};
    CHECK(acre_interest_set_ranges(interest, &batch) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_set_generations(interest, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_interest_join_entity(interest, (acre_entity){9999, 0, 1}, 0) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_interest_update(interest) == ACRE_OK);
    acre_interest_destroy(interest);
    culling_stream_free(&stream);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(every_update_is_what_comparing_all_entities_tells),
                                      TEST(an_observer_follows_what_is_in_no_tree),
                                      TEST(what_is_of_another_world_is_refused)};
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
