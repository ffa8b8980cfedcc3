// SPDX-License-Identifier: MIT
// test_culling_threads.c - edits recorded in one thread while others read the last commit.
//
// Every thread that reads hashes all that it can read of the last commit; the hash must be the one
// that the main thread computed while it was alone. Run under the thread sanitizer (races.sh),
// which also sees the accesses that happened to be harmless. Nothing but the start and the end of a
// frame synchronizes the threads: progress is counted in relaxed atomics, which order nothing.
#include "culling_counts.h"
#include "scenario.h"
#include "scene_edits.h"
#include "test.h"

#include <acre/casters.h>
#include <acre/culling.h>
#include <acre/draw_list.h>
#include <acre/entity_pairs.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define READERS 3
#define FRAMES 12
#define CREATED_A_FRAME 500

typedef struct world {
    scene_edits edits;
    acre_culling *culling;
    acre_camera cameras[SCENARIO_CAMERAS];
} world;

static acre_camera camera_of(int index)
{
    acre_camera camera = {.clip = scenario_clips[index], .layers = (uint32_t)index};
    memcpy(camera.projection, scenario_matrices[index], sizeof camera.projection);
    for (int i = 0; i < 16; i += 5) {
        camera.view[i] = 1.0f;
    }
    return camera;
}

static bool make_world(world *w, uint16_t number, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->edits.random.state = seed;
    for (int i = 0; i < SCENARIO_CAMERAS; i++) {
        w->cameras[i] = camera_of(i);
    }
    const acre_scene_def scene_def = {.scene = number};
    const acre_culling_def def = {.tree = {.half_size = 200.0f, .node_capacity = 16},
                                  .register_all = true};
    if (acre_scene_create(&scene_def, &w->edits.scene) != ACRE_OK ||
        acre_culling_create(w->edits.scene, &def, &w->culling) != ACRE_OK) {
        return false;
    }
    scene_edits_create_all(&w->edits);
    return acre_scene_commit(w->edits.scene) == ACRE_OK;
}

static void destroy_world(world *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->edits.scene);
}

// Everything made ready for drawing. @return a hash; 0 if a call failed.
static uint64_t read_draw_list(const world *w, const uint32_t *slots, size_t count)
{
    acre_draw_list *list;
    const acre_draw_input input = {.slots = slots,
                                   .count = count,
                                   .flags = ACRE_DRAW_USER_KEYS,
                                   .order = ACRE_DRAW_NEAR_TO_FAR,
                                   .matrices = ACRE_MATRIX_ROWS};
    uint64_t hash = 0;
    if (acre_draw_list_create(NULL, &list) != ACRE_OK) {
        return 0;
    }
    if (acre_draw_list_build(list, w->culling, &input) == ACRE_OK) {
        const acre_draw draw = acre_draw_list_get(list);
        hash = HASH_START;
        hash_words(&hash, draw.slots, draw.count);
        hash_floats(&hash, draw.matrices, draw.count * draw.matrix_floats);
        hash_word(&hash, (uint32_t)draw.range_count);
    }
    acre_draw_list_destroy(list);
    return hash;
}

// The shadow casters of two cascades, each thread with receivers of its own. @return a hash; 0 if a
// call failed.
static uint64_t read_casters(const world *w, uint32_t *slots, size_t capacity)
{
    static const float eye[3] = {-90, 20, 90}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const acre_cascades_def def = {
        .light = {0.3f, -1, 0.2f}, .caster_distance = 100, .count = 2, .resolution = 1024};
    acre_camera camera = {.clip = ACRE_CLIP_ZERO_TO_ONE};
    acre_cascade cascades[2];
    acre_receivers *receivers;
    if (acre_camera_perspective(&camera, 1.0f, 1.5f, 1.0f, 300.0f, camera.clip) != ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK ||
        acre_cascades_fit(&def, &camera, cascades) != ACRE_OK ||
        acre_receivers_create(NULL, &receivers) != ACRE_OK) {
        return 0;
    }
    const size_t seen = acre_culling_query(w->culling, &camera, slots, capacity);
    uint64_t hash = HASH_START;
    for (int i = 0; i < 2; i++) {
        size_t count = 0;
        // The first of a visible set, the second of all in its slice.
        if (acre_receivers_begin(receivers, &cascades[i]) != ACRE_OK ||
            (i == 0 ? acre_culling_add_receivers(w->culling, receivers, slots, seen)
                    : acre_culling_add_receivers_in_slice(w->culling, receivers, 0)) != ACRE_OK ||
            acre_culling_query_casters(w->culling, receivers, slots, capacity, &count) != ACRE_OK) {
            hash = 0;
            break;
        }
        hash_words(&hash, slots, count);
    }
    acre_receivers_destroy(receivers);
    return hash;
}

// Who overlaps whom, each thread with a tracker of its own. @return a hash; 0 if a call failed.
static uint64_t read_pairs(const world *w, uint32_t *slots, size_t capacity)
{
    acre_entity_contacts *contacts;
    if (acre_entity_contacts_create(NULL, &contacts) != ACRE_OK) {
        return 0;
    }
    uint64_t hash = HASH_START;
    if (acre_entity_contacts_update(contacts, w->culling, NULL) == ACRE_OK) {
        const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
        for (size_t i = 0; i < lists.began_count; i++) {
            hash_word(&hash, lists.began[i].a.index1);
            hash_word(&hash, lists.began[i].b.index1 ^ lists.began[i].b.generation);
        }
        for (uint32_t slot = 0; slot < 100; slot++) { // not all are registered, or have partners
            size_t total = 0;
            ACRE_IGNORE(acre_culling_entity_pairs(w->culling,
                                                  acre_scene_entity(w->edits.scene, slot), NULL,
                                                  slots, capacity, &total));
            hash_word(&hash, (uint32_t)total);
        }
    } else {
        hash = 0;
    }
    acre_entity_contacts_destroy(contacts);
    return hash;
}

// What the cameras see, in every form of a query. @return a hash; 0 if a call failed.
static uint64_t read_queries(const world *w, uint32_t *slots, size_t capacity)
{
    const acre_quadtree *const trees[2] = {acre_culling_tree(w->culling),
                                           acre_culling_static_tree(w->culling)};
    uint64_t hash = HASH_START;
    for (int i = 0; i < SCENARIO_CAMERAS; i++) {
        size_t count = acre_culling_query(w->culling, &w->cameras[i], slots, capacity);
        hash_words(&hash, slots, count);
        acre_frustum frustum;
        if (acre_camera_frustum(&w->cameras[i], &frustum) != ACRE_OK) {
            return 0;
        }
        count = count_in_frustum(w->culling, &frustum, 3u, slots, capacity);
        hash_words(&hash, slots, count);
        const uint64_t drawn = read_draw_list(w, slots, count);
        if (drawn == 0) {
            return 0;
        }
        hash ^= drawn;
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM,
                                  .frustum = &frustum,
                                  .flags = ACRE_QUERY_SORTED | ACRE_QUERY_EXACT};
        for (int k = 0; k < 2 && trees[k]; k++) {
            if (acre_quadtree_query(trees[k], &query, slots, capacity, &count) != ACRE_OK) {
                return 0;
            }
            hash_words(&hash, slots, count);
        }
    }
    const uint64_t cast = read_casters(w, slots, capacity);
    if (cast == 0) {
        return 0;
    }
    const uint64_t pairs = read_pairs(w, slots, capacity);
    if (pairs == 0) {
        return 0;
    }
    hash ^= pairs;
    hash ^= cast ^ acre_quadtree_state_hash(trees[0]);
    return trees[1] ? hash ^ acre_quadtree_state_hash(trees[1]) : hash;
}

// Matrices, boxes and labels of all slots. @return a hash; 0 if a call failed.
static uint64_t read_entities(const acre_scene *scene)
{
    const acre_scene_view view = acre_scene_get_view(scene);
    uint64_t hash = HASH_START;
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_entity entity = acre_scene_entity(scene, slot);
        if (entity.index1 == 0) {
            continue;
        }
        float matrix[16];
        acre_aabb box = {{0}, {0}};
        const acre_result found = acre_entity_world_bounds(scene, entity, &box);
        if (acre_entity_world_matrix(scene, entity, matrix) != ACRE_OK ||
            (found != ACRE_OK && found != ACRE_ERROR_NOT_FOUND)) {
            return 0;
        }
        hash_floats(&hash, matrix, 16);
        hash_box(&hash, &box);
        hash_box(&hash, &view.world_bounds[slot]);
        hash_word(&hash, view.flags[slot] ^ view.layers[slot] ^ (uint32_t)view.user[slot]);
    }
    return hash;
}

#define SLOTS (2 * SCENE_EDITS_ENTITIES + FRAMES * CREATED_A_FRAME)

// One frame's threads. The main thread is the one that records.
typedef struct frame {
    const world *world;
    uint64_t queries, entities;  // as read by one thread alone
    pthread_barrier_t start;     // everyone: the recorder and the readers
    atomic_uint is_recording;    // relaxed: 1 or 0
    atomic_uint passes[READERS]; // relaxed: how often each reader has read everything
    atomic_uint wrong;           // relaxed: reads that differ
    uint32_t slots[READERS][SLOTS];
} frame;

typedef struct reader {
    frame *frame;
    int index;
} reader;

// A load that helgrind knows to be atomic, as it does only of instructions that read and write.
static unsigned load_relaxed(atomic_uint *value)
{
    return atomic_fetch_add_explicit(value, 0, memory_order_relaxed);
}

static void *read_until_recorded(void *user)
{
    const reader *const self = user;
    frame *const f = self->frame;
    (void)pthread_barrier_wait(&f->start);
    do {
        if (read_queries(f->world, f->slots[self->index], SLOTS) != f->queries ||
            read_entities(f->world->edits.scene) != f->entities) {
            atomic_fetch_add_explicit(&f->wrong, 1, memory_order_relaxed);
        }
        atomic_fetch_add_explicit(&f->passes[self->index], 1, memory_order_relaxed);
    } while (load_relaxed(&f->is_recording));
    return NULL;
}

// Every reader read everything at least twice, so that one of the readings was among edits.
static bool all_have_read(frame *f)
{
    for (int i = 0; i < READERS; i++) {
        if (load_relaxed(&f->passes[i]) < 2) {
            return false;
        }
    }
    return true;
}

// New entities, half of them static, so that the recorded arrays grow and move while others read
// the published ones.
static bool create_some(world *w, int count)
{
    for (int i = 0; i < count; i++) {
        const float x = 3.0f * (float)(i % 25), z = 3.0f * (float)(i / 25); // few at one place
        const acre_aabb bounds = {{x, 0.0f, z}, {x + 1.0f, 1.0f, z + 1.0f}};
        const acre_entity_def def = {.bounds = &bounds, .flags = i % 2 ? ACRE_ENTITY_STATIC : 0};
        acre_entity entity;
        if (acre_entity_create(w->edits.scene, &def, &entity) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// @return whether the threads ran and all of them read what the last commit made.
static bool record_while_others_read(world *w)
{
    static frame f; // too large for a small stack
    reader readers[READERS];
    pthread_t threads[READERS];
    f.world = w;
    f.queries = read_queries(w, f.slots[0], SLOTS);
    f.entities = read_entities(w->edits.scene);
    atomic_store(&f.is_recording, 1);
    atomic_store(&f.wrong, 0);
    if (f.queries == 0 || f.entities == 0 ||
        pthread_barrier_init(&f.start, NULL, READERS + 1) != 0) {
        return false;
    }
    for (int i = 0; i < READERS; i++) {
        atomic_store(&f.passes[i], 0);
        readers[i] = (reader){&f, i};
        if (pthread_create(&threads[i], NULL, read_until_recorded, &readers[i]) != 0) {
            return false;
        }
    }
    (void)pthread_barrier_wait(&f.start);
    const bool created = create_some(w, CREATED_A_FRAME);
    do {
        scene_edits_run(&w->edits);
        (void)sched_yield();
    } while (!all_have_read(&f));
    (void)atomic_exchange_explicit(&f.is_recording, 0, memory_order_relaxed);
    for (int i = 0; i < READERS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    (void)pthread_barrier_destroy(&f.start);
    return created && atomic_load(&f.wrong) == 0;
}

static void setters_record_while_other_threads_query_the_last_commit(void)
{
    static world w; // too large for a small stack
    CHECK(make_world(&w, 1, test_seed));
    for (int i = 0; i < FRAMES; i++) {
        const uint64_t before = read_entities(w.edits.scene);
        CHECK(record_while_others_read(&w));
        CHECK(acre_scene_commit(w.edits.scene) == ACRE_OK);
        CHECK(read_entities(w.edits.scene) != before); // there was something to be confused by
    }
    CHECK(w.edits.unexpected == 0);
    CHECK(acre_scene_validate(w.edits.scene, NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_validate(acre_culling_tree(w.culling), NULL, 0) == ACRE_OK);
    CHECK(acre_quadtree_validate(acre_culling_static_tree(w.culling), NULL, 0) == ACRE_OK);
    destroy_world(&w);
}

typedef struct lone_world {
    world world;
    uint16_t number;
    uint64_t result; // of all frames; 0 if a call failed
    uint32_t slots[SLOTS];
} lone_world;

static void *run_lone_world(void *user)
{
    lone_world *const lone = user;
    lone->result = 0;
    if (!make_world(&lone->world, lone->number, test_seed + lone->number)) {
        return NULL;
    }
    uint64_t hash = HASH_START;
    for (int i = 0; i < FRAMES; i++) {
        scene_edits_run(&lone->world.edits);
        if (acre_scene_commit(lone->world.edits.scene) != ACRE_OK) {
            return NULL;
        }
        const uint64_t seen =
            read_queries(&lone->world, lone->slots, SLOTS) ^ read_entities(lone->world.edits.scene);
        hash_word(&hash, (uint32_t)seen);
        hash_word(&hash, (uint32_t)(seen >> 32));
    }
    lone->result = hash;
    destroy_world(&lone->world);
    return NULL;
}

// No state outside the objects: what one scene does never shows in another.
static void scenes_of_different_threads_never_meet(void)
{
    static lone_world lone[2];
    uint64_t alone[2];
    for (int i = 0; i < 2; i++) {
        lone[i].number = (uint16_t)(i + 1);
        (void)run_lone_world(&lone[i]);
        alone[i] = lone[i].result;
        CHECK(alone[i] != 0);
    }
    CHECK(alone[0] != alone[1]);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, run_lone_world, &lone[1]) == 0);
    (void)run_lone_world(&lone[0]);
    CHECK(pthread_join(other, NULL) == 0);
    CHECK(lone[0].result == alone[0]);
    CHECK(lone[1].result == alone[1]);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(setters_record_while_other_threads_query_the_last_commit),
        TEST(scenes_of_different_threads_never_meet),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
