// SPDX-License-Identifier: MIT
// test_culling_memory.c - scene and culler when memory is short, and frames that allocate nothing.
#include "culling_counts.h"
#include "failing_allocator.h"

#include <acre/culling.h>

#include "told_calls.h"

#include <string.h>

enum { ENTITIES = 400 };

static const acre_frustum everything; // no planes
static const acre_aabb unit_box = {{-1, -1, -1}, {1, 1, 1}};

// A script of calls to a scene with a culler; each is repeated until memory suffices.
typedef struct script {
    failing_allocator memory;
    test_random random;
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[ENTITIES];
    bool is_registered[ENTITIES];
    uint32_t seen[ENTITIES];
    size_t seen_count;
    int count;
    const char *fault;
} script;

typedef acre_result script_call(script *run, int index, uint64_t bits);

static acre_aabb box_of(const script *run, const acre_scene_view *view, int index)
{
    return view->world_bounds[run->entities[index].index1 - 1];
}

static bool is_published(const script *run, int index)
{
    const acre_entity published = acre_scene_entity(run->scene, run->entities[index].index1 - 1);
    return published.index1 != 0 && published.generation == run->entities[index].generation;
}

// Of both trees.
static uint64_t content_hash(const script *run)
{
    const acre_quadtree *const still = acre_culling_static_tree(run->culling);
    acre_quadtree_stats stats = {0};
    if (still) {
        acre_quadtree_get_stats(still, &stats);
    }
    return acre_quadtree_content_hash(acre_culling_tree(run->culling)) * 3 +
           (stats.items ? acre_quadtree_content_hash(still) : 0); // none and empty are the same
}

static bool trees_are_valid(const script *run)
{
    const acre_quadtree *const still = acre_culling_static_tree(run->culling);
    return acre_quadtree_validate(acre_culling_tree(run->culling), NULL, 0) == ACRE_OK &&
           (!still || acre_quadtree_validate(still, NULL, 0) == ACRE_OK);
}

// Whether an entity must be in the set of a query of everything.
static bool belongs(const script *run, const acre_scene_view *view, int index)
{
    const acre_entity entity = run->entities[index];
    if (!is_published(run, index) || !run->is_registered[index]) {
        return false;
    }
    const uint32_t flags = view->flags[entity.index1 - 1];
    const acre_aabb box = box_of(run, view, index);
    return !(flags & ACRE_ENTITY_HIDDEN) &&
           ((flags & ACRE_ENTITY_NEVER_CULL) || !acre_aabb_is_empty(&box));
}

static bool sees(const script *run, uint32_t slot)
{
    for (size_t i = 0; i < run->seen_count; i++) {
        if (run->seen[i] == slot) {
            return true;
        }
    }
    return false;
}

// Some entities come with a rule.
static uint32_t rule_of(int index)
{
    return index % 5 == 4 ? (uint32_t)index : 0;
}

static void look(script *run, const acre_frustum *frustum, uint32_t layers)
{
    run->seen_count = count_in_frustum(run->culling, frustum, layers, run->seen, ENTITIES);
}

// After a call that found memory: the visible sets are those of testing every entity.
static const char *check_sets(script *run)
{
    const acre_scene_view view = acre_scene_get_view(run->scene);
    const float x = random_float(&run->random, 0, 200);
    const acre_frustum slab = {{{1, 0, 0, -x}, {-1, 0, 0, x + 30}}, 2};
    const uint32_t layers = random_below(&run->random, 4);
    look(run, &slab, layers);
    size_t expected = 0;
    for (int i = 0; i < run->count; i++) {
        const uint32_t slot = run->entities[i].index1 - 1;
        if (!belongs(run, &view, i) || !(view.layers[slot] & (layers ? layers : UINT32_MAX))) {
            continue;
        }
        if (acre_culling_get_rule(run->culling, run->entities[i]) != rule_of(i)) {
            return "an entity lost its rule";
        }
        const acre_aabb box = box_of(run, &view, i);
        if ((view.flags[slot] & ACRE_ENTITY_NEVER_CULL) || acre_frustum_test_aabb(&slab, &box)) {
            expected++;
            if (!sees(run, slot)) {
                return "an entity is lost";
            }
        }
    }
    return expected == run->seen_count ? NULL : "an entity is seen that should not be";
}

// After a call that found none: what was seen and should be seen still is.
static const char *check_shortage(script *run, uint64_t hash_before, const uint32_t *before,
                                  size_t before_count)
{
    if (run->memory.failed == 0) {
        return "out of memory without a failed request";
    }
    if (acre_scene_validate(run->scene, NULL, 0) != ACRE_OK || !trees_are_valid(run)) {
        return "a call that found no memory broke an invariant";
    }
    if (hash_before != 0 && hash_before != content_hash(run)) {
        return "a call that found no memory changed a tree";
    }
    const acre_scene_view view = acre_scene_get_view(run->scene);
    look(run, &everything, 0);
    for (int i = 0; i < run->count; i++) {
        const uint32_t slot = run->entities[i].index1 - 1;
        bool was_seen = false;
        for (size_t k = 0; k < before_count; k++) {
            was_seen |= before[k] == slot;
        }
        if (was_seen && belongs(run, &view, i) && !sees(run, slot)) {
            return "an entity that was seen is lost for want of memory";
        }
    }
    return NULL;
}

// Whether the next call may meet a failing request: none makes as many as 64.
static bool may_fail(const failing_allocator *memory)
{
    const bool is_past = memory->mode == FAIL_ONCE && memory->failed > 0;
    return memory->mode == FAIL_ONE_IN_THREE ||
           (memory->mode != FAIL_NEVER && !is_past && memory->requests + 64 >= memory->at);
}

// is_atomic: a call that finds no memory changes nothing of the trees.
static void insist(script *run, script_call *call, bool is_atomic)
{
    const uint64_t bits = random_bits(&run->random);
    const int index = run->count ? (int)(bits >> 16 & 0xffff) % run->count : 0;
    for (int attempt = 0; !run->fault; attempt++) {
        const bool watches = may_fail(&run->memory);
        uint32_t before[ENTITIES];
        uint64_t hash = 0;
        if (watches) {
            look(run, &everything, 0);
            memcpy(before, run->seen, run->seen_count * sizeof *before);
            hash = is_atomic ? content_hash(run) : 0;
        }
        const size_t before_count = run->seen_count;
        if (call(run, index, bits) != ACRE_ERROR_OUT_OF_MEMORY) {
            return;
        }
        run->fault = watches ? check_shortage(run, hash, before, before_count)
                             : "out of memory where no request may fail";
        if (attempt == 1000) {
            run->fault = "no end of attempts";
        }
        if (run->memory.mode == FAIL_FROM) {
            failing_allocator_arm(&run->memory, FAIL_NEVER, 0);
            run->memory.failed = 1;
        }
    }
}

static acre_result call_create(script *run, int index, uint64_t bits)
{
    (void)index;
    const acre_transform local = {{(float)(bits >> 40 & 255), 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_entity_def def = {
        .local = &local,
        .bounds = &unit_box,
        .flags = bits % 8 == 0  ? ACRE_ENTITY_NEVER_CULL
                 : bits % 8 < 4 ? ACRE_ENTITY_STATIC
                                : 0,
        .layers = bits % 64 < 3 ? (uint32_t)(bits % 64) + 1 : 0,
        .rule = rule_of(run->count),
    };
    if (run->count == ENTITIES) {
        return ACRE_OK;
    }
    const acre_result result = acre_entity_create(run->scene, &def, &run->entities[run->count]);
    run->count += result == ACRE_OK;
    return result;
}

static acre_result call_edit(script *run, int index, uint64_t bits)
{
    const acre_entity entity = run->entities[index];
    const acre_transform local = {{(float)(bits >> 40 & 255), 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    acre_result result = ACRE_OK;
    switch (bits & 15) {
    case 0:
        result = acre_entity_destroy(run->scene, entity);
        break;
    case 1:
    case 2:
        result = acre_entity_set_layers(run->scene, entity, bits >> 50 & 3);
        break;
    case 3:
    case 4:
    case 5: // HIDDEN is left out: a hidden entity that is shown moves
        result = acre_entity_set_flags(run->scene, entity,
                                       bits >> 50 & (ACRE_ENTITY_STATIC | ACRE_ENTITY_NEVER_CULL));
        break;
    default:
        result = acre_entity_set_local(run->scene, entity, &local);
        if (result == ACRE_OK) {
            result = acre_culling_refresh_bounds(run->culling, entity, &unit_box);
        }
    }
    return result;
}

static acre_result call_commit(script *run, int index, uint64_t bits)
{
    (void)index;
    (void)bits;
    return acre_scene_commit(run->scene);
}

static acre_result call_register(script *run, int index, uint64_t bits)
{
    (void)bits;
    const acre_result result = acre_culling_register(run->culling, run->entities[index]);
    run->is_registered[index] |= result == ACRE_OK;
    return result;
}

static acre_result call_unregister(script *run, int index, uint64_t bits)
{
    (void)bits;
    const acre_result result = acre_culling_unregister(run->culling, run->entities[index]);
    run->is_registered[index] &= result != ACRE_OK;
    return result;
}

static acre_result call_refresh(script *run, int index, uint64_t bits)
{
    (void)bits;
    return acre_culling_refresh(run->culling, run->entities[index]);
}

static acre_result call_culling_create(script *run, int index, uint64_t bits)
{
    (void)index;
    (void)bits;
    const acre_culling_def def = {
        .tree = {.half_size = 64, .node_capacity = 4, .allocator = &run->memory.allocator}};
    const acre_result result = acre_culling_create(run->scene, &def, &run->culling);
    return result == ACRE_OK || run->culling == NULL ? result : ACRE_ERROR_FORMAT;
}

static bool start(script *run)
{
    const acre_scene_def def = {.allocator = &run->memory.allocator};
    for (int attempt = 0; attempt < 1000 && !run->culling; attempt++) {
        if (!run->scene) {
            ACRE_IGNORE(acre_scene_create(&def, &run->scene));
        } else {
            (void)call_culling_create(run, 0, 0);
        }
        if (run->memory.mode == FAIL_FROM && run->memory.failed > 0) {
            failing_allocator_arm(&run->memory, FAIL_NEVER, 0);
            run->memory.failed = 1;
        }
    }
    return run->culling != NULL;
}

static void play(script *run)
{
    for (int i = 0; i < 40 && !run->fault; i++) {
        for (int k = 0; k < 8; k++) {
            insist(run, call_create, true);
            insist(run, call_register, true);
            insist(run, call_edit, true);
        }
        insist(run, call_unregister, true);
        insist(run, call_refresh, false);
        insist(run, call_commit, false);
        insist(run, call_register, true);
        if (i % 4 == 3 || may_fail(&run->memory)) {
            run->fault = run->fault ? run->fault : check_sets(run);
        }
    }
}

static void run_script(script *run, failing_mode mode, uint64_t at)
{
    memset(run, 0, sizeof *run);
    run->random.state = test_seed;
    failing_allocator_init(&run->memory, mode, at);
    if (start(run)) {
        play(run);
    } else {
        run->fault = "no start";
    }
    const uint64_t failed = run->memory.failed;
    acre_culling_destroy(run->culling);
    acre_scene_destroy(run->scene);
    const char *const verdict = failing_allocator_verdict(&run->memory);
    run->fault = run->fault ? run->fault : verdict;
    run->memory.failed = failed;
    if (run->fault) {
        printf("mode %d at %llu: %s\n", (int)mode, (unsigned long long)at, run->fault);
    }
}

static void every_allocation_may_fail_once(void)
{
    static script run;
    uint64_t at = 1;
    do {
        run_script(&run, FAIL_ONCE, at);
        CHECK(!run.fault);
    } while (run.memory.failed > 0 && ++at < 10000);
    CHECK(at > 60 && at < 10000);
}

static void memory_may_stay_short_for_a_while(void)
{
    static script run;
    for (uint64_t at = 1; at < 100; at += 3) {
        run_script(&run, FAIL_FROM, at);
        CHECK(!run.fault && run.memory.failed > 0);
    }
}

static void allocations_may_fail_by_chance(void)
{
    static script run;
    for (uint64_t seed = 0; seed < 10; seed++) {
        run_script(&run, FAIL_ONE_IN_THREE, test_seed + seed);
        CHECK(!run.fault && run.memory.failed > 5);
    }
}

// Only the culler's memory is short.
typedef struct shortage {
    failing_allocator memory;
    acre_scene *scene;
    acre_culling *culling;
    bool has_room; // for all slots and boxes
    bool new_are_static, old_become_static;
    acre_entity cars[300];
} shortage;

enum { OLD_CARS = 40, CARS = 300 };

static bool add_cars(shortage *run, int first, int end, uint32_t flags)
{
    bool done = true;
    for (int i = first; i < end; i++) {
        const acre_transform local = {{(float)i, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def car = {.local = &local, .bounds = &unit_box, .flags = flags};
        done &= acre_entity_create(run->scene, &car, &run->cars[i]) == ACRE_OK;
    }
    return done;
}

// Cars that are in the tree and will have moved, and new ones.
static bool begin_shortage(shortage *run)
{
    failing_allocator_init(&run->memory, FAIL_NEVER, 0);
    const acre_culling_def def = {
        .register_all = true, .tree = {.node_capacity = 4, .allocator = &run->memory.allocator}};
    bool done = acre_scene_create(&(acre_scene_def){0}, &run->scene) == ACRE_OK &&
                acre_culling_create(run->scene, &def, &run->culling) == ACRE_OK &&
                add_cars(run, 0, OLD_CARS, 0) && acre_scene_commit(run->scene) == ACRE_OK &&
                add_cars(run, OLD_CARS, CARS, run->new_are_static ? ACRE_ENTITY_STATIC : 0);
    for (int i = 0; i < OLD_CARS; i++) {
        const acre_transform away = {{5000.0f + (float)i, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        done &= acre_entity_set_local(run->scene, run->cars[i], &away) == ACRE_OK;
        if (run->old_become_static) {
            done &= acre_entity_set_flags(run->scene, run->cars[i], ACRE_ENTITY_STATIC) == ACRE_OK;
        }
    }
    if (done && run->has_room) {
        const acre_entity last = run->cars[CARS - 1];
        done = acre_culling_register(run->culling, last) == ACRE_OK &&
               acre_culling_refresh_bounds(run->culling, last, &unit_box) == ACRE_OK;
    }
    return done;
}

static size_t count_seen(const shortage *run, const acre_frustum *frustum)
{
    return count_in_frustum(run->culling, frustum, 0, NULL, 0);
}

static const char *suffer_shortage(shortage *run)
{
    const acre_result result = acre_scene_commit(run->scene);
    const size_t seen = count_seen(run, &everything);
    const acre_frustum away = {{{1, 0, 0, -4900}}, 1};
    if (result != ACRE_OK && result != ACRE_ERROR_OUT_OF_MEMORY) {
        return "commit";
    }
    if (count_seen(run, &away) < OLD_CARS) {
        return "an old entity is lost";
    }
    if (seen != CARS && (run->has_room || result == ACRE_OK)) {
        return "an entity is lost though there is room for its slot";
    }
    for (int i = OLD_CARS; i < CARS; i++) {
        const acre_result own = acre_culling_refresh_bounds(run->culling, run->cars[i], &unit_box);
        if (own != ACRE_OK && own != ACRE_ERROR_OUT_OF_MEMORY &&
            (own != ACRE_ERROR_NOT_FOUND || run->has_room)) {
            return "refresh_bounds";
        }
    }
    return count_seen(run, &everything) == seen ? NULL
                                                : "a box that found no memory changed the set";
}

static const char *end_shortage(shortage *run)
{
    acre_culling_stats stats;
    const bool done = acre_scene_commit(run->scene) == ACRE_OK;
    acre_culling_get_stats(run->culling, &stats);
    const size_t still = (run->old_become_static ? (size_t)OLD_CARS : 0) +
                         (run->new_are_static ? (size_t)(CARS - OLD_CARS) : 0);
    return done && count_seen(run, &everything) == CARS && stats.still.items == still &&
                   stats.moving.items == CARS - still
               ? NULL
               : "an entity is not in its tree though there is memory again";
}

static const char *try_shortage(shortage *run, uint64_t at)
{
    const char *fault = begin_shortage(run) ? NULL : "begin";
    failing_allocator_arm(&run->memory, FAIL_FROM, at);
    fault = fault ? fault : suffer_shortage(run);
    const uint64_t failed = run->memory.failed;
    failing_allocator_arm(&run->memory, FAIL_NEVER, 0);
    fault = fault ? fault : end_shortage(run);
    acre_culling_destroy(run->culling);
    acre_scene_destroy(run->scene);
    const char *const verdict = failing_allocator_verdict(&run->memory);
    run->memory.failed = failed;
    fault = fault ? fault : verdict;
    if (fault) {
        printf("from request %llu on, room %d, static %d %d: %s\n", (unsigned long long)at,
               run->has_room, run->new_are_static, run->old_become_static, fault);
    }
    return fault;
}

static void what_finds_no_room_in_the_tree_is_seen_by_every_query(void)
{
    static shortage run;
    for (int kind = 0; kind < 8; kind++) {
        run.has_room = kind & 1;
        run.new_are_static = kind & 2;
        run.old_become_static = kind & 4;
        uint64_t at = 1;
        do {
            CHECK(!try_shortage(&run, at));
        } while (run.memory.failed > 0 && ++at < 1000);
        CHECK(at > 5 && at < 1000);
    }
}

// Cars to and fro, so that they cross cells; the tree has seen every place in the first round.
static void a_frame_in_which_everything_moves_allocates_nothing(void)
{
    enum { MANY = 10000, ROUND = 40 };
    static acre_entity cars[MANY];
    static acre_transform locals[MANY];
    static uint32_t slots[MANY];
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) == ACRE_OK);
    const acre_culling_def def = {.register_all = true, .tree.allocator = &memory.allocator};
    CHECK(acre_culling_create(scene, &def, &culling) == ACRE_OK);
    test_random random = {test_seed};
    for (int i = 0; i < MANY; i++) {
        locals[i] = (acre_transform){
            {random_float(&random, -900, 900), 0, random_float(&random, -900, 900)},
            {0, 0, 0, 1},
            {1, 1, 1}};
        CHECK(acre_entity_create(scene,
                                 &(acre_entity_def){.local = &locals[i], .bounds = &unit_box},
                                 &cars[i]) == ACRE_OK);
    }
    uint64_t calls = 0;
    for (int frame = 0; frame < 3 * ROUND; frame++) {
        for (int i = 0; i < MANY; i++) {
            const bool is_back = (frame + i) % ROUND >= ROUND / 2;
            locals[i].translation[i & 1 ? 0 : 2] += is_back ? -2.0f : 2.0f;
        }
        CHECK(acre_scene_set_locals(scene, cars, locals, MANY) == ACRE_OK);
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        CHECK(count_in_frustum(culling, &everything, 0, slots, MANY) == MANY);
        calls = frame == ROUND ? memory.total_calls : calls;
    }
    CHECK(memory.total_calls == calls);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// The new entity has a new slot, since the old one is free only after the commit.
static void an_entity_that_replaces_another_finds_room(void)
{
    enum { MANY = 10000 };
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity entity = {0, 0, 0};
    const acre_entity_def def = {.bounds = &unit_box};
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(
              scene, &(acre_culling_def){.register_all = true, .tree.allocator = &memory.allocator},
              &culling) == ACRE_OK);
    for (int i = 0; i < MANY; i++) {
        CHECK(acre_entity_create(scene, &def, &entity) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    const size_t bytes = memory.live_bytes;
    const uint64_t calls = memory.total_calls;
    CHECK(acre_entity_destroy(scene, entity) == ACRE_OK);
    CHECK(acre_entity_create(scene, &def, &entity) == ACRE_OK && entity.index1 == MANY + 1);
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    CHECK(memory.live_bytes == bytes && memory.total_calls == calls);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void count_tree(void *context, acre_quadtree *tree, bool is_static)
{
    (void)tree;
    *(int *)context += is_static ? 1 : 0;
}

// Two hundred entities in a row along x; only the last one is of interest.
typedef struct row_world {
    failing_allocator memory;
    acre_scene *scene;
    acre_culling *culling;
    acre_entity first, last;
    int hooks;       // trees that the hook was called for
    uint64_t before; // hash of the moving tree
} row_world;

static bool make_row(row_world *w, uint32_t flags, uint32_t layers, const acre_aabb *bounds)
{
    *w = (row_world){.hooks = 0};
    failing_allocator_init(&w->memory, FAIL_NEVER, 0);
    const acre_culling_def def = {.tree.allocator = &w->memory.allocator};
    bool ok = acre_scene_create(NULL, &w->scene) == ACRE_OK &&
              acre_culling_create(w->scene, &def, &w->culling) == ACRE_OK &&
              acre_culling_set_tree_hook(w->culling, count_tree, &w->hooks) == ACRE_OK;
    for (int i = 0; i < 200 && ok; i++) {
        const acre_transform local = {{(float)i, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def entity = {
            .local = &local, .bounds = bounds, .flags = flags, .layers = layers};
        ok = acre_entity_create(w->scene, &entity, &w->last) == ACRE_OK;
        w->first = i == 0 ? w->last : w->first;
    }
    ok = ok && acre_scene_commit(w->scene) == ACRE_OK;
    w->before = ok ? acre_quadtree_state_hash(acre_culling_tree(w->culling)) : 0;
    return ok;
}

static bool free_row(row_world *w)
{
    const bool is_valid = acre_culling_validate(w->culling, NULL, 0) == ACRE_OK;
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
    return is_valid && failing_allocator_verdict(&w->memory) == NULL;
}

static bool sees_last(const row_world *w)
{
    uint32_t slot = 0;
    const size_t count = count_in_frustum(w->culling, &everything, 0, &slot, 1);
    return count == 1 && slot + 1 == w->last.index1;
}

// No tree, no call of the hook, no edit of a tree; and the next commit visits
//  what it changes alone, as there is nothing to catch up with.
static bool nothing_is_left_behind(row_world *w)
{
    acre_culling_stats stats, after;
    acre_culling_get_stats(w->culling, &stats);
    const acre_transform moved = {{0, 5, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const bool ok = !acre_culling_static_tree(w->culling) && w->hooks == 0 &&
                    acre_quadtree_state_hash(acre_culling_tree(w->culling)) == w->before &&
                    count_in_frustum(w->culling, &everything, 0, NULL, 0) == 0 &&
                    stats.never_culled == 0 &&
                    acre_entity_set_local(w->scene, w->first, &moved) == ACRE_OK &&
                    acre_scene_commit(w->scene) == ACRE_OK;
    acre_culling_get_stats(w->culling, &after);
    return ok && after.visits - stats.visits == 1 &&
           count_in_frustum(w->culling, &everything, 0, NULL, 0) == 0;
}

static void a_refused_registration_leaves_nothing_behind(void)
{
    uint32_t refused = 0;
    for (int variant = 0; variant < 4; variant++) {
        for (uint64_t nth = 1; nth < 20; nth++) {
            row_world w;
            CHECK(
                make_row(&w, variant & 1 ? ACRE_ENTITY_STATIC : 0, variant & 2 ? 6 : 0, &unit_box));
            failing_allocator_arm(&w.memory, FAIL_FROM, nth);
            const acre_result result = acre_culling_register(w.culling, w.last);
            failing_allocator_arm(&w.memory, FAIL_NEVER, 0);
            CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
            if (result != ACRE_OK) {
                refused++;
                CHECK(!acre_culling_is_registered(w.culling, w.last));
                CHECK(nothing_is_left_behind(&w));
                CHECK(acre_culling_register(w.culling, w.last) == ACRE_OK);
            }
            CHECK(sees_last(&w) && w.hooks == (variant & 1));
            CHECK(free_row(&w));
        }
    }
    CHECK(refused > 12);
}

// An entity without bounds is in no tree; its first world box takes it to one. Without room there
// every query finds it until the next commit.
static void a_world_box_without_room_is_found_until_the_next_commit(void)
{
    uint32_t refused = 0;
    for (int variant = 0; variant < 4; variant++) {
        for (uint64_t nth = 1; nth < 20; nth++) {
            row_world w;
            CHECK(make_row(&w, variant & 1 ? ACRE_ENTITY_STATIC : 0, variant & 2 ? 6 : 0, NULL));
            CHECK(acre_culling_register(w.culling, w.last) == ACRE_OK);
            failing_allocator_arm(&w.memory, FAIL_FROM, nth);
            const acre_result result = acre_culling_refresh_bounds(w.culling, w.last, &unit_box);
            failing_allocator_arm(&w.memory, FAIL_NEVER, 0);
            CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
            if (result != ACRE_OK) {
                refused++;
                CHECK(sees_last(&w) && acre_scene_commit(w.scene) == ACRE_OK);
            }
            CHECK(sees_last(&w) && w.hooks == (variant & 1));
            CHECK(free_row(&w));
        }
    }
    CHECK(refused > 12);
}

// ---- room asked for, room given back ----

enum { MANY = 6000, FEW = 60, A_FRAME = 40 };

static bool add_many(acre_scene *scene, acre_entity *entities, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        const acre_transform local = {
            {(float)(i % 77) * 11.0f, 0, (float)(i / 77) * 11.0f}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_entity_def def = {
            .local = &local, .bounds = &unit_box, .flags = i % 3 ? 0 : ACRE_ENTITY_STATIC};
        ok &= acre_entity_create(scene, &def, &entities[i]) == ACRE_OK;
    }
    return ok;
}

static size_t bytes_of(const acre_culling *culling)
{
    acre_culling_stats stats;
    acre_culling_get_stats(culling, &stats);
    return stats.bytes;
}

static void a_culler_gives_back_what_a_fresh_one_would_not_take(void)
{
    static acre_entity entities[MANY];
    const acre_culling_def def = {.register_all = true};
    acre_scene *scene;
    acre_culling *culling, *fresh;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &def, &culling) == ACRE_OK);
    CHECK(add_many(scene, entities, MANY) && acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_entity_destroy_many(scene, entities + FEW, MANY - FEW) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK &&
          acre_culling_create(scene, &def, &fresh) == ACRE_OK);
    CHECK(bytes_of(culling) > 4 * bytes_of(fresh));
    CHECK(acre_culling_trim(culling) == ACRE_OK);
    CHECK(bytes_of(culling) <= 2 * bytes_of(fresh));
    CHECK(acre_culling_validate(culling, NULL, 0) == ACRE_OK);
    CHECK(add_many(scene, entities, MANY) && acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_culling_validate(culling, NULL, 0) == ACRE_OK);
    CHECK(acre_culling_trim(NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_culling_destroy(fresh);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
}

// The scene's memory is another allocator's.
static void a_culler_with_room_allocates_nothing_while_objects_come(void)
{
    static acre_entity entities[MANY];
    failing_allocator memory;
    acre_scene *scene;
    acre_culling *culling;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_culling_def def = {.register_all = true, .tree.allocator = &memory.allocator};
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    CHECK(acre_culling_create(scene, &def, &culling) == ACRE_OK);
    CHECK(add_many(scene, entities, MANY / 2) && acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_culling_reserve(culling, MANY, MANY, MANY) == ACRE_OK);
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    for (uint32_t i = MANY / 2; i < MANY; i += A_FRAME) {
        CHECK(add_many(scene, entities + i, A_FRAME) && acre_scene_commit(scene) == ACRE_OK);
    }
    CHECK(memory.requests == 0 && acre_culling_validate(culling, NULL, 0) == ACRE_OK);
    CHECK(acre_culling_reserve(culling, MANY, MANY + 1, 0) == ACRE_ERROR_CAPACITY);
    CHECK(acre_culling_reserve(culling, 1 << 28, 0, 0) == ACRE_ERROR_CAPACITY);
    CHECK(acre_culling_reserve(culling, 64 * MANY, 0, 0) == ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(acre_culling_reserve(NULL, 1, 1, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_allocation_may_fail_once),
        TEST(memory_may_stay_short_for_a_while),
        TEST(allocations_may_fail_by_chance),
        TEST(what_finds_no_room_in_the_tree_is_seen_by_every_query),
        TEST(a_refused_registration_leaves_nothing_behind),
        TEST(a_world_box_without_room_is_found_until_the_next_commit),
        TEST(a_frame_in_which_everything_moves_allocates_nothing),
        TEST(an_entity_that_replaces_another_finds_room),
        TEST(a_culler_gives_back_what_a_fresh_one_would_not_take),
        TEST(a_culler_with_room_allocates_nothing_while_objects_come),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
