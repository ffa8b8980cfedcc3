// SPDX-License-Identifier: MIT
// test_scene_memory.c - every allocation of a scene failed once, from then on, and by chance; and
// frames that allocate nothing.
#include "failing_allocator.h"
#include "scene_shared.h"

#include <acre/scene.h>

#include "told_calls.h"

#include <string.h>

enum { ENTITIES = 300 };

// A script of calls; each is repeated until memory suffices.
typedef struct script {
    failing_allocator memory;
    test_random random;
    acre_scene *scene;
    acre_module modules[70];
    acre_entity entities[ENTITIES];
    int count;
    uint64_t heard; // hash of the lists of changes
    const char *fault;
} script;

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *const bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

// All that readers see and all that edits see.
static uint64_t hash_scene(const script *run)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const acre_scene_view view = acre_scene_get_view(run->scene);
    hash = mix(hash, &view.commit, sizeof view.commit);
    hash = mix(hash, &view.entity_count, sizeof view.entity_count);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_entity entity = acre_scene_entity(run->scene, slot);
        float matrix[16] = {0};
        ACRE_IGNORE(acre_entity_world_matrix(run->scene, entity, matrix));
        hash = mix(hash, &entity, sizeof entity);
        hash = mix(hash, matrix, sizeof matrix);
        hash = mix(hash, &view.world_bounds[slot], sizeof(acre_aabb));
        hash = mix(hash, &view.flags[slot], sizeof(uint32_t));
        hash = mix(hash, &view.user[slot], sizeof(uint64_t));
    }
    for (int i = 0; i < run->count; i++) {
        const acre_entity parent = acre_entity_parent(run->scene, run->entities[i]);
        const bool alive = acre_entity_is_alive(run->scene, run->entities[i]);
        hash = mix(hash, &parent, sizeof parent);
        hash = mix(hash, &alive, sizeof alive);
    }
    return hash;
}

static acre_result hear(void *user, const acre_scene *scene, const acre_scene_changes *changes)
{
    (void)scene;
    script *const run = user;
    run->heard = mix(run->heard, changes->destroyed, 4 * changes->destroyed_count);
    run->heard = mix(run->heard, changes->created, 4 * changes->created_count);
    run->heard = mix(run->heard, changes->moved, 4 * changes->moved_count);
    run->heard = mix(run->heard, changes->relabeled, 4 * changes->relabeled_count);
    return ACRE_OK;
}

typedef acre_result script_call(script *run, uint64_t bits);

// Whether the next call may meet a failing request: none makes as many as 64.
static bool may_fail(const failing_allocator *memory)
{
    const bool is_past = memory->mode == FAIL_ONCE && memory->failed > 0;
    return memory->mode == FAIL_ONE_IN_THREE ||
           (memory->mode != FAIL_NEVER && !is_past && memory->requests + 64 >= memory->at);
}

// Calls until there is memory. A call that found none has changed nothing.
static void insist(script *run, script_call *call)
{
    const uint64_t bits = random_bits(&run->random);
    for (int attempt = 0; !run->fault; attempt++) {
        const bool watches = may_fail(&run->memory);
        const uint64_t before = watches ? hash_scene(run) : 0, heard = run->heard;
        const acre_result result = call(run, bits);
        if (result != ACRE_ERROR_OUT_OF_MEMORY) {
            return;
        }
        if (run->memory.failed == 0) {
            run->fault = "out of memory without a failed request";
        } else if (!watches || hash_scene(run) != before || run->heard != heard) {
            run->fault = "a call that found no memory changed something";
        } else if (acre_scene_validate(run->scene, NULL, 0) != ACRE_OK) {
            run->fault = "a call that found no memory broke an invariant";
        } else if (attempt == 1000) {
            run->fault = "no end of attempts";
        }
        if (run->memory.mode == FAIL_FROM) {
            failing_allocator_arm(&run->memory, FAIL_NEVER, 0);
            run->memory.failed = 1;
        }
    }
}

static acre_entity pick(const script *run, uint64_t bits)
{
    return run->count > 0 ? run->entities[bits % (uint64_t)run->count] : (acre_entity){0, 0, 0};
}

static acre_result call_create(script *run, uint64_t bits)
{
    const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    acre_entity parent = pick(run, bits >> 8);
    if (!acre_entity_is_alive(run->scene, parent) || bits % 3 == 0) {
        parent = (acre_entity){0, 0, 0};
    }
    const acre_entity_def def = {.parent = parent, .bounds = &box, .user = bits};
    const acre_result result =
        acre_entity_create(run->scene, &def, &run->entities[run->count % ENTITIES]);
    run->count += result == ACRE_OK && run->count < ENTITIES;
    return result;
}

static acre_result call_edit(script *run, uint64_t bits)
{
    const acre_entity entity = pick(run, bits >> 8);
    const acre_transform local = {{(float)(bits >> 40 & 255), 1, 2}, {0, 0.6f, 0, 0.8f}, {1, 2, 1}};
    switch (bits & 7) {
    case 0:
        return acre_entity_destroy(run->scene, entity);
    case 1:
        return acre_entity_set_flags(run->scene, entity, bits >> 50 & 7);
    case 2:
    case 3:
        return acre_entity_set_parent(run->scene, entity, pick(run, bits >> 24));
    default:
        return acre_entity_set_local(run->scene, entity, &local);
    }
}

static acre_result call_commit(script *run, uint64_t bits)
{
    (void)bits;
    return acre_scene_commit(run->scene);
}

static acre_result call_refresh(script *run, uint64_t bits)
{
    return acre_scene_refresh(run->scene, pick(run, bits), NULL, 0, NULL);
}

// Never out of memory: what cannot be given back stays.
static acre_result call_trim(script *run, uint64_t bits)
{
    (void)bits;
    const uint64_t before = hash_scene(run);
    const acre_result result = acre_scene_trim(run->scene);
    if (result != ACRE_OK || hash_scene(run) != before) {
        run->fault = "trim changed something";
    } else if (acre_scene_validate(run->scene, NULL, 0) != ACRE_OK) {
        run->fault = "trim broke an invariant";
    }
    return result;
}

static acre_result call_attach(script *run, uint64_t bits)
{
    (void)bits;
    size_t i = 0;
    while (run->modules[i].name) {
        i++;
    }
    acre_module *const module = &run->modules[i];
    *module = (acre_module){.name = "m", .commit = i == 0 ? hear : NULL, .user = run};
    const acre_result result = acre_scene_attach(run->scene, module);
    if (result != ACRE_OK) {
        module->name = NULL;
    }
    return result;
}

static void play(script *run)
{
    while (acre_scene_create(&(acre_scene_def){.scene = 1, .allocator = &run->memory.allocator},
                             &run->scene) == ACRE_ERROR_OUT_OF_MEMORY) {
        if (run->scene) {
            run->fault = "create left something";
        }
        if (run->memory.mode == FAIL_FROM) {
            failing_allocator_arm(&run->memory, FAIL_NEVER, 0);
        }
    }
    for (int i = 0; i < 66; i++) { // more than the list of modules has room for at first
        insist(run, call_attach);
    }
    for (int i = 0; i < 900; i++) {
        insist(run, i % 3 ? call_edit : call_create);
        if (i % 50 == 49) {
            insist(run, i % 100 == 49 ? call_refresh : call_commit);
        }
        if (i % 300 == 170) {
            insist(run, call_trim);
        }
    }
    insist(run, call_commit);
}

// @return the hash of what came out; sets fault if something is wrong.
static uint64_t run_script(script *run, failing_mode mode, uint64_t at)
{
    memset(run, 0, sizeof *run);
    run->random.state = test_seed;
    failing_allocator_init(&run->memory, mode, at);
    play(run);
    const uint64_t hash = hash_scene(run) ^ run->heard;
    if (acre_scene_validate(run->scene, NULL, 0) != ACRE_OK) {
        run->fault = "invalid at the end";
    }
    const uint64_t failed = run->memory.failed;
    acre_scene_destroy(run->scene);
    const char *const verdict = failing_allocator_verdict(&run->memory);
    run->fault = run->fault ? run->fault : verdict;
    run->memory.failed = failed;
    if (run->fault) {
        printf("mode %d at %llu: %s\n", (int)mode, (unsigned long long)at, run->fault);
    }
    return hash;
}

static void every_allocation_may_fail_once(void)
{
    static script run;
    const uint64_t expected = run_script(&run, FAIL_NEVER, 0);
    CHECK(!run.fault && run.memory.failed == 0);
    uint64_t at = 1;
    do {
        const uint64_t hash = run_script(&run, FAIL_ONCE, at);
        CHECK(!run.fault && hash == expected);
    } while (run.memory.failed > 0 && ++at < 10000);
    CHECK(at > 60 && at < 10000);
}

static void memory_may_stay_short_for_a_while(void)
{
    static script run;
    const uint64_t expected = run_script(&run, FAIL_NEVER, 0);
    for (uint64_t at = 1; at < 120; at++) {
        const uint64_t hash = run_script(&run, FAIL_FROM, at);
        CHECK(!run.fault && hash == expected);
    }
}

static void allocations_may_fail_by_chance(void)
{
    static script run;
    const uint64_t expected = run_script(&run, FAIL_NEVER, 0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        const uint64_t hash = run_script(&run, FAIL_ONE_IN_THREE, test_seed + seed);
        CHECK(!run.fault && hash == expected && run.memory.failed > 5);
    }
}

static acre_entity make_car(acre_scene *scene, float x)
{
    const acre_transform local = {{x, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    acre_entity entity;
    EXPECT(acre_entity_create(scene, &(acre_entity_def){.local = &local, .bounds = &box},
                              &entity) == ACRE_OK);
    return entity;
}

static void a_frame_in_which_everything_moves_allocates_nothing(void)
{
    enum { CARS = 10000 };
    static acre_entity cars[CARS];
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) == ACRE_OK);
    for (int i = 0; i < CARS; i++) {
        cars[i] = make_car(scene, (float)i);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    const uint64_t calls = memory.total_calls;
    for (int frame = 0; frame < 20; frame++) {
        for (int i = 0; i < CARS; i++) {
            const acre_transform local = {{(float)i, (float)frame, 0}, {0, 0, 0, 1}, {1, 1, 1}};
            CHECK(acre_entity_set_local(scene, cars[i], &local) == ACRE_OK);
        }
        CHECK(acre_entity_set_flags(scene, cars[frame], ACRE_ENTITY_HIDDEN) == ACRE_OK);
        CHECK(acre_scene_commit(scene) == ACRE_OK && memory.total_calls == calls);
    }
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// A scene that was loaded at once: families of a root and three children.
enum { LOADED = 16000 };
typedef struct loaded_scene {
    failing_allocator memory;
    acre_scene *scene;
    acre_entity entities[LOADED];
    acre_transform locals[LOADED];
} loaded_scene;

static void load(loaded_scene *loaded)
{
    static acre_entity_def defs[LOADED];
    static uint32_t parents[LOADED];
    static const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    failing_allocator_init(&loaded->memory, FAIL_NEVER, 0);
    const acre_scene_def def = {.allocator = &loaded->memory.allocator};
    EXPECT(acre_scene_create(&def, &loaded->scene) == ACRE_OK);
    for (uint32_t i = 0; i < LOADED; i++) {
        loaded->locals[i] = (acre_transform){{(float)i, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        defs[i] = (acre_entity_def){.local = &loaded->locals[i], .bounds = &box};
        parents[i] = i % 4 ? i - i % 4 : UINT32_MAX;
    }
    EXPECT(acre_entity_create_many(loaded->scene, defs, parents, LOADED, loaded->entities) ==
           ACRE_OK);
    EXPECT(acre_scene_commit(loaded->scene) == ACRE_OK);
}

// One entity is set by itself, refreshed, hidden and shown; all others by one call.
static void moves_of_a_loaded_scene_allocate_nothing(void)
{
    static loaded_scene loaded;
    load(&loaded);
    acre_scene *const scene = loaded.scene;
    const uint64_t calls = loaded.memory.total_calls;
    const acre_aabb box = {{-2, -1, -1}, {1, 1, 1}};
    for (uint32_t frame = 0; frame < 200; frame++) {
        const uint32_t moved = frame % 2 ? LOADED : LOADED / 10, one = frame * 77 % LOADED;
        for (uint32_t i = 0; i < moved; i++) {
            loaded.locals[i].translation[1] = (float)frame;
        }
        CHECK(acre_scene_set_locals(scene, loaded.entities, loaded.locals, moved) == ACRE_OK);
        const acre_entity entity = loaded.entities[one];
        CHECK(acre_entity_set_local(scene, entity, &loaded.locals[0]) == ACRE_OK);
        CHECK(acre_entity_set_bounds(scene, entity, &box) == ACRE_OK);
        CHECK(acre_scene_refresh(scene, entity, NULL, 0, NULL) == ACRE_OK);
        const uint32_t flags = frame % 3 ? 0 : ACRE_ENTITY_HIDDEN;
        CHECK(acre_entity_set_flags(scene, entity, flags) == ACRE_OK);
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        CHECK(loaded.memory.total_calls == calls);
    }
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&loaded.memory) == NULL);
}

// From the first change on, and for as long as a game goes on: rows come from the room that the
// load left, and holes are closed before it is used up.
static void changes_of_a_loaded_scene_allocate_nothing(void)
{
    static loaded_scene loaded;
    load(&loaded);
    acre_scene *const scene = loaded.scene;
    const uint64_t calls = loaded.memory.total_calls, bytes = loaded.memory.live_bytes;
    CHECK(bytes < 220 * LOADED); // 196.5 and a sixteenth
    for (uint32_t frame = 0; frame < 2000; frame++) {
        const uint32_t root = frame * 4 % LOADED, later = LOADED - 4 - root;
        acre_entity *const child = &loaded.entities[root + 1];
        CHECK(acre_entity_set_parent(scene, *child, loaded.entities[later]) == ACRE_OK);
        CHECK(acre_entity_destroy(scene, *child) == ACRE_OK);
        const acre_entity_def def = {.parent = loaded.entities[root], .local = loaded.locals};
        CHECK(acre_entity_create(scene, &def, child) == ACRE_OK);
        if (frame % 3 == 0) { // a subtree changes its parent, and back
            const acre_entity to = {0, 0, 0};
            CHECK(acre_entity_set_parent(scene, loaded.entities[root + 2], to) == ACRE_OK);
            CHECK(acre_entity_set_parent(scene, loaded.entities[root], loaded.entities[root + 2]) ==
                  ACRE_OK);
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        CHECK(loaded.memory.total_calls == calls && loaded.memory.live_bytes == bytes);
        CHECK(frame % 250 || acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    }
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&loaded.memory) == NULL);
}

// However many are new in each frame, as long as they are fewer than the room that the load left.
// Lists of what changes grow in the first frame.
static void a_loaded_scene_streams_without_growing(void)
{
    static loaded_scene loaded;
    const uint32_t shares[] = {2000, 300, 100, 57, 25};
    for (uint32_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        load(&loaded);
        acre_scene *const scene = loaded.scene;
        uint64_t calls = 0;
        for (uint32_t frame = 0, next = 0; frame < shares[i] / 5; frame++) {
            for (uint32_t k = 0; k < LOADED / shares[i]; k++, next = (next + 4) % LOADED) {
                acre_entity *const child = &loaded.entities[next + 1];
                CHECK(acre_entity_destroy(scene, *child) == ACRE_OK);
                const acre_entity_def def = {.parent = loaded.entities[next]};
                CHECK(acre_entity_create(scene, &def, child) == ACRE_OK);
            }
            CHECK(acre_scene_commit(scene) == ACRE_OK);
            calls = frame == 0 ? loaded.memory.total_calls : calls;
            CHECK(loaded.memory.total_calls == calls);
        }
        CHECK(acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        acre_scene_destroy(scene);
        CHECK(failing_allocator_verdict(&loaded.memory) == NULL);
    }
}

// Entities come and go: rows are used up and won back within bounded memory.
static void steady_births_deaths_and_new_parents_come_to_allocate_nothing(void)
{
    enum { CARS = 1000, CHANGES = 100 };
    static acre_entity cars[CARS];
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) == ACRE_OK);
    for (int i = 0; i < CARS; i++) {
        cars[i] = make_car(scene, (float)i);
    }
    uint64_t calls = 0;
    for (int frame = 0; frame < 600; frame++) {
        for (int i = 0; i < CHANGES; i++) {
            const int index = (frame * CHANGES + i) % CARS;
            CHECK(acre_entity_destroy(scene, cars[index]) == ACRE_OK);
            cars[index] = make_car(scene, (float)frame);
        }
        for (int i = 0; i < CHANGES / 2; i++) { // the young one becomes the old one's parent
            const int young = (frame * CHANGES + i) % CARS, old = (young + CHANGES) % CARS;
            CHECK(acre_entity_set_parent(scene, cars[old], cars[young]) == ACRE_OK);
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        for (int i = 0; i < CHANGES / 2; i++) {
            const int old = (frame * CHANGES + i + CHANGES) % CARS;
            const acre_entity null = {0, 0, 0};
            CHECK(acre_entity_set_parent(scene, cars[old], null) == ACRE_OK);
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        calls = frame == 300 ? memory.total_calls : calls;
    }
    CHECK(memory.total_calls == calls && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).slot_count <= CARS + CHANGES);
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// ---- room ahead ----

enum { ROOM = 3000, DISTRICT = 100 };

// Districts of a root, children and grandchildren, with layers and values, in any number up to what
// there is room for; a district may go and another come before the next commit.
typedef struct district_world {
    acre_scene *scene;
    acre_entity entities[ROOM / DISTRICT][DISTRICT];
    bool is_there[ROOM / DISTRICT];
    size_t taken; // also by what goes with the next commit
} district_world;

static bool district_comes(district_world *world, uint32_t at, test_random *random)
{
    static const acre_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    acre_entity_def defs[DISTRICT];
    uint32_t parents[DISTRICT];
    for (uint32_t i = 0; i < DISTRICT; i++) {
        defs[i] = (acre_entity_def){
            .bounds = &box, .layers = random_below(random, 4), .user = random_below(random, 3)};
        parents[i] = i == 0 ? UINT32_MAX : random_below(random, i);
    }
    world->is_there[at] = true;
    world->taken += DISTRICT;
    return acre_entity_create_many(world->scene, defs, parents, DISTRICT, world->entities[at]) ==
           ACRE_OK;
}

static bool district_changes(district_world *world, uint32_t at, test_random *random)
{
    const bool comes = !world->is_there[at] && world->taken + DISTRICT <= ROOM;
    if (comes) {
        return district_comes(world, at, random);
    }
    if (!world->is_there[at]) {
        return true;
    }
    const acre_entity one = world->entities[at][random_below(random, DISTRICT)];
    const uint32_t flags = random_below(random, 2) ? ACRE_ENTITY_HIDDEN : 0;
    if (random_below(random, 2)) {
        return acre_entity_set_flags(world->scene, one, flags) == ACRE_OK &&
               acre_entity_set_layers(world->scene, one, 5) == ACRE_OK;
    }
    world->is_there[at] = false;
    return acre_entity_destroy_many(world->scene, world->entities[at], DISTRICT) == ACRE_OK;
}

static size_t entities_of(const district_world *world)
{
    size_t count = 0;
    for (uint32_t i = 0; i < ROOM / DISTRICT; i++) {
        count += world->is_there[i] ? DISTRICT : 0;
    }
    return count;
}

// From the first frame on: few or many districts change in a frame, from an empty scene to a full
// one. With doubles the scene has one array more.
static void a_scene_with_room_allocates_nothing_whatever_comes_and_goes(void)
{
    for (uint32_t flags = 0; flags <= ACRE_SCENE_DOUBLES; flags += ACRE_SCENE_DOUBLES) {
        static district_world world;
        failing_allocator memory;
        test_random random = {test_seed};
        size_t most = 0, least = ROOM;
        memset(&world, 0, sizeof world);
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const acre_scene_def def = {.allocator = &memory.allocator, .flags = flags};
        CHECK(acre_scene_create(&def, &world.scene) == ACRE_OK);
        // What grew for a little less has room for as many entities, but not for holes besides.
        CHECK(acre_scene_reserve(world.scene, ROOM - ROOM / 17) == ACRE_OK);
        CHECK(acre_scene_reserve(world.scene, ROOM) == ACRE_OK);
        failing_allocator_arm(&memory, FAIL_FROM, 1);
        for (uint32_t frame = 0; frame < 1000; frame++) {
            const uint32_t changes = frame % 50 ? random_below(&random, 4) : ROOM / DISTRICT;
            for (uint32_t i = 0; i < changes; i++) {
                CHECK(district_changes(&world, random_below(&random, ROOM / DISTRICT), &random));
            }
            most = world.taken > most ? world.taken : most;
            CHECK(acre_scene_commit(world.scene) == ACRE_OK);
            world.taken = entities_of(&world);
            least = frame > 100 && world.taken < least ? world.taken : least;
        }
        CHECK(memory.requests == 0 && most == ROOM && least <= ROOM / 2);
        CHECK(acre_scene_validate(world.scene, NULL, 0) == ACRE_OK);
        acre_scene_destroy(world.scene);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

static void room_that_is_refused_changes_nothing(void)
{
    bool has_failed = true;
    uint64_t at = 1;
    for (; has_failed; at++) {
        failing_allocator memory;
        acre_scene *scene = NULL;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        const acre_scene_def def = {.allocator = &memory.allocator, .entity_capacity = ROOM};
        CHECK(acre_scene_create(&def, &scene) == ACRE_OK);
        const acre_entity car = make_car(scene, 7);
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        CHECK(acre_scene_reserve(scene, ROOM + 1) == ACRE_ERROR_CAPACITY);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result = acre_scene_reserve(scene, ROOM);
        has_failed = memory.failed > 0;
        CHECK(result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        float matrix[16];
        CHECK(acre_entity_world_matrix(scene, car, matrix) == ACRE_OK && matrix[12] == 7);
        CHECK(acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        CHECK(acre_scene_reserve(scene, ROOM) == ACRE_OK &&
              acre_scene_reserve(scene, 0) == ACRE_OK);
        CHECK(acre_entity_is_alive(scene, make_car(scene, 1)));
        CHECK(acre_scene_commit(scene) == ACRE_OK &&
              acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        acre_scene_destroy(scene);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(at > 15);
    CHECK(acre_scene_reserve(NULL, 1) == ACRE_ERROR_INVALID_ARGUMENT);
}

// A commit that turns the whole order round needs room for all rows twice.
static void a_new_order_that_finds_no_room_leaves_the_old_one(void)
{
    enum { ROWS = 64 };
    uint64_t at = 1;
    bool has_failed;
    do {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        acre_scene *scene = NULL;
        acre_entity cars[ROWS];
        CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) ==
              ACRE_OK);
        for (int i = 0; i < ROWS; i++) {
            cars[i] = make_car(scene, 1);
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        for (int i = 0; i + 1 < ROWS; i++) {
            CHECK(acre_entity_set_parent(scene, cars[i], cars[i + 1]) == ACRE_OK);
        }
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result = acre_scene_commit(scene);
        has_failed = memory.failed > 0;
        CHECK(result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK));
        CHECK(acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        float matrix[16];
        CHECK(acre_entity_world_matrix(scene, cars[0], matrix) == ACRE_OK);
        CHECK(matrix[12] == (has_failed ? 1 : ROWS));
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        CHECK(acre_entity_world_matrix(scene, cars[0], matrix) == ACRE_OK && matrix[12] == ROWS);
        acre_scene_destroy(scene);
        CHECK(failing_allocator_verdict(&memory) == NULL);
        at++;
    } while (has_failed);
    CHECK(at > 4); // three arrays by row
}

// A slot costs 28 bytes recorded, layers included, and 48 published; a row 120 and a bit in each of
// four sets.
static size_t most_bytes(size_t slots, size_t rows)
{
    const size_t set_words = (rows + 4095) / 4096 * 64;
    const size_t sets = rows > 0 ? 4 * 8 * (set_words + 64) : 0;
    return (slots + 63) * 76 + (rows + 63) * 120 + sets + 2048; // the scene itself
}

// Edits that are recorded when memory is given back are applied by the next commit.
static void trim_gives_back_all_but_slots_and_rows_in_use(void)
{
    enum { CARS = 20000, GONE = 9000 }; // so few that commit leaves the holes
    static acre_entity cars[CARS];
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_scene *scene = NULL;
    CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) == ACRE_OK);
    CHECK(acre_scene_trim(scene) == ACRE_OK);
    for (int i = 0; i < CARS; i++) {
        cars[i] = make_car(scene, (float)i);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK);
    for (int i = 0; i < GONE; i++) {
        CHECK(acre_entity_destroy(scene, cars[2 * i]) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && memory.live_bytes > most_bytes(CARS, CARS));
    const acre_transform far = {{-5, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    CHECK(acre_entity_set_local(scene, cars[CARS - 1], &far) == ACRE_OK);
    CHECK(acre_entity_set_layers(scene, cars[CARS - 2], 6) == ACRE_OK);
    CHECK(acre_scene_trim(scene) == ACRE_OK && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    CHECK(memory.live_bytes <= most_bytes(CARS, CARS - GONE));
    const uint64_t calls = memory.total_calls;
    CHECK(acre_scene_trim(scene) == ACRE_OK && memory.total_calls == calls);
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    float matrix[16];
    CHECK(acre_entity_world_matrix(scene, cars[CARS - 1], matrix) == ACRE_OK && matrix[12] == -5);
    CHECK(acre_entity_world_matrix(scene, cars[1], matrix) == ACRE_OK && matrix[12] == 1);
    CHECK(acre_scene_get_view(scene).layers[cars[CARS - 2].index1 - 1] == 6);
    CHECK(!acre_entity_is_alive(scene, cars[0]));
    for (int i = 0; i < GONE; i++) {
        cars[2 * i] = make_car(scene, 7);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).entity_count == CARS);
    for (int i = 0; i < CARS; i++) {
        CHECK(acre_entity_destroy(scene, cars[i]) == ACRE_OK);
    }
    CHECK(acre_scene_commit(scene) == ACRE_OK && acre_scene_trim(scene) == ACRE_OK);
    CHECK(memory.live_bytes <= most_bytes(CARS, 0));
    CHECK(!acre_entity_is_alive(scene, cars[3]) && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
    acre_scene_destroy(scene);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// Where the allocator refuses smaller blocks too, the scene keeps what it has.
static void a_trim_that_fails_changes_nothing(void)
{
    failing_allocator memory;
    for (uint64_t at = 1; at < 40; at++) {
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        acre_scene *scene = NULL;
        acre_entity cars[300];
        CHECK(acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) ==
              ACRE_OK);
        for (int i = 0; i < 300; i++) {
            cars[i] = make_car(scene, (float)i);
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        for (int i = 0; i < 140; i++) {
            CHECK(acre_entity_destroy(scene, cars[i]) == ACRE_OK);
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        failing_allocator_arm(&memory, at & 1 ? FAIL_ONCE : FAIL_FROM, at / 2 + 1);
        CHECK(acre_scene_trim(scene) == ACRE_OK && acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        CHECK(at > 9 || memory.failed > 0); // five arrays shrink
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_entity_is_alive(scene, make_car(scene, 1)));
        CHECK(acre_scene_commit(scene) == ACRE_OK &&
              acre_scene_validate(scene, NULL, 0) == ACRE_OK);
        float matrix[16];
        CHECK(acre_entity_world_matrix(scene, cars[200], matrix) == ACRE_OK && matrix[12] == 200);
        acre_scene_destroy(scene);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_allocation_may_fail_once),
        TEST(memory_may_stay_short_for_a_while),
        TEST(allocations_may_fail_by_chance),
        TEST(a_new_order_that_finds_no_room_leaves_the_old_one),
        TEST(a_frame_in_which_everything_moves_allocates_nothing),
        TEST(moves_of_a_loaded_scene_allocate_nothing),
        TEST(changes_of_a_loaded_scene_allocate_nothing),
        TEST(a_loaded_scene_streams_without_growing),
        TEST(steady_births_deaths_and_new_parents_come_to_allocate_nothing),
        TEST(a_scene_with_room_allocates_nothing_whatever_comes_and_goes),
        TEST(room_that_is_refused_changes_nothing),
        TEST(trim_gives_back_all_but_slots_and_rows_in_use),
        TEST(a_trim_that_fails_changes_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
