// SPDX-License-Identifier: MIT
// test_objects_threads.c - several threads ask a culler over a host's objects, while the host
// already writes its arrays for the next update: each finds what it finds alone. Workers divide the
// updates. Run under the thread sanitizer as well, which would see a late read of the arrays.
#include "task_scheduler.h"
#include "test.h"

#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/entity_pairs.h>
#include <acre/explain.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

#include <pthread.h>
#include <string.h>

enum { SLOTS = 3000, READERS = 3, FRAMES = 9, FEW = 200 };

typedef struct world {
    acre_culling *culling;
    acre_aabb boxes[SLOTS];
    uint32_t flags[SLOTS], layers[SLOTS], changed[SLOTS];
    uint16_t rules[SLOTS];
    uint64_t bits[SLOTS / 64 + 1];
} world;

typedef struct reader {
    const acre_culling *culling;
    uint32_t number, frame;
    acre_visible_set *set;
    acre_draw_list *list;
    acre_receivers *receivers;
    acre_entity_contacts *contacts;
    uint64_t hash; // of all answers; 0 if a call failed
    pthread_barrier_t *barrier;
} reader;

// What the host does in a frame: any slot, any array.
static void write_arrays(world *w, uint32_t frame)
{
    test_random random = {test_seed + frame};
    memset(w->bits, 0, sizeof w->bits);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const float x = random_float(&random, -200, 200), z = random_float(&random, -200, 200);
        const bool moves = frame == 0 || frame % 4 == 0 || slot % 15 == frame % 15;
        if (moves) {
            w->boxes[slot] = (acre_aabb){{x, 0, z}, {x + 3, 2, z + 3}};
            w->bits[slot / 64] |= (uint64_t)1 << (slot & 63);
        }
        w->flags[slot] = slot % 7 == frame % 7 ? ACRE_ENTITY_STATIC : 0u;
        w->layers[slot] = 1u + random_below(&random, 7);
        w->rules[slot] = (uint16_t)random_below(&random, 3);
    }
    for (uint32_t i = 0; i < FEW; i++) {
        w->changed[i] = (i * 15 + frame % 15) % SLOTS;
    }
}

static acre_result update(world *w, uint32_t frame)
{
    acre_objects objects = {.slot_count = SLOTS,
                            .boxes = {w->boxes[0].min, w->boxes[0].max, sizeof w->boxes[0],
                                      sizeof w->boxes[0], ACRE_BOX_FORM_MIN_MAX},
                            .flags = w->flags,
                            .layers = w->layers};
    static uint32_t all[SLOTS];
    for (uint32_t slot = 0; slot < SLOTS && frame == 0; slot++) {
        all[slot] = slot;
    }
    if (frame == 0) {
        objects.added = all;
        objects.added_count = SLOTS;
    } else if (frame % 4 == 0) {
        objects.moved_count = ACRE_ALL_MOVED;
    } else if (frame % 4 == 1) {
        objects.moved_bits = w->bits;
        objects.relabeled = w->changed;
        objects.relabeled_count = FEW;
    } else if (frame % 4 == 2) {
        objects.moved = w->changed;
        objects.moved_count = FEW;
    } else {
        objects.added = w->changed; // other objects in these slots
        objects.added_count = FEW / 2;
    }
    const acre_result result = acre_culling_update(w->culling, &objects, NULL);
    return result == ACRE_OK ? acre_culling_set_rule_numbers(w->culling, w->rules, 0, SLOTS)
                             : result;
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 1099511628211u;
}

static void mix_slots(uint64_t *hash, const uint32_t *slots, size_t count)
{
    mix(hash, count);
    for (size_t i = 0; i < count; i++) {
        mix(hash, slots[i]);
    }
}

static acre_result aim(const reader *own, acre_view *view, acre_cascade *cascade)
{
    const float turn = (float)(own->number + 3 * own->frame);
    const float eye[3] = {0, 4, 0}, target[3] = {turn - 12, 3, 40}, up[3] = {0, 1, 0};
    const acre_cascades_def sun = {.light = {1, -1, 0.5f},
                                   .caster_distance = 50,
                                   .distance = 120,
                                   .count = 1,
                                   .resolution = 256};
    acre_camera camera = {.layers = 0};
    acre_result result =
        acre_camera_perspective(&camera, 1.2f, 1.5f, 0.5f, 150, ACRE_CLIP_ZERO_TO_ONE);
    result = result ? result : acre_camera_look_at(&camera, eye, target, up);
    result = result ? result : acre_view_from_camera(view, &camera);
    result = result ? result : acre_view_set_viewport(view, &camera, 720);
    return result ? result : acre_cascades_fit(&sun, &camera, cascade);
}

static acre_result ask_shadows(reader *own, const acre_cascade *cascade, const acre_visible *seen)
{
    uint32_t slots[SLOTS];
    size_t count = 0;
    acre_result result = acre_receivers_begin(own->receivers, cascade);
    result =
        result ? result
               : acre_culling_add_receivers(own->culling, own->receivers, seen->slots, seen->count);
    result = result
                 ? result
                 : acre_culling_query_casters(own->culling, own->receivers, slots, SLOTS, &count);
    mix_slots(&own->hash, slots, count);
    return result;
}

static acre_result ask(reader *own)
{
    acre_view view;
    acre_cascade cascade;
    acre_result result = aim(own, &view, &cascade);
    result = result ? result : acre_culling_find_visible(own->culling, &view, own->set);
    const acre_visible seen = acre_visible_set_get(own->set);
    mix_slots(&own->hash, seen.slots, seen.count);
    mix_slots(&own->hash, seen.entered, seen.entered_count);
    result = result ? result : ask_shadows(own, &cascade, &seen);
    const acre_draw_input input = {.slots = seen.slots,
                                   .count = seen.count,
                                   .lods = seen.lods,
                                   .order = ACRE_DRAW_FAR_TO_NEAR};
    result = result ? result : acre_draw_list_build(own->list, own->culling, &input);
    mix_slots(&own->hash, acre_draw_list_get(own->list).slots, seen.count);
    result = result ? result : acre_entity_contacts_update(own->contacts, own->culling, NULL);
    mix(&own->hash, acre_entity_contacts_get(own->contacts).began_count);
    for (uint32_t slot = own->number; slot < SLOTS && result == ACRE_OK; slot += 500) {
        acre_explanation why;
        result = acre_culling_explain(own->culling, &view, own->set,
                                      acre_culling_object(own->culling, slot), &why);
        mix(&own->hash, result ? 0 : why.hidden_by);
    }
    return result;
}

static void *read_frames(void *context)
{
    reader *const own = context;
    for (own->frame = 0; own->frame < FRAMES; own->frame++) {
        pthread_barrier_wait(own->barrier); // the update is over
        own->hash = own->hash && ask(own) == ACRE_OK ? own->hash : 0;
        pthread_barrier_wait(own->barrier); // nobody reads any more
    }
    return NULL;
}

static bool begin(world *w, reader *readers, const acre_tasks *tasks)
{
    static const acre_visibility_rule rules[2] = {{.max_distance = 90, .lod_pixels = {80, 30}},
                                                  {.min_pixels = 12}};
    const acre_visible_set_def set = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES};
    memset(readers, 0, READERS * sizeof *readers);
    bool is_good = acre_culling_create_for_objects(NULL, &w->culling) == ACRE_OK &&
                   acre_culling_set_tasks(w->culling, tasks) == ACRE_OK &&
                   acre_culling_set_rules(w->culling, rules, 2) == ACRE_OK;
    for (uint32_t i = 0; i < READERS && is_good; i++) {
        readers[i].culling = w->culling;
        readers[i].number = i;
        readers[i].hash = 1469598103934665603u;
        is_good = acre_visible_set_create(&set, &readers[i].set) == ACRE_OK &&
                  acre_draw_list_create(NULL, &readers[i].list) == ACRE_OK &&
                  acre_receivers_create(NULL, &readers[i].receivers) == ACRE_OK &&
                  acre_entity_contacts_create(NULL, &readers[i].contacts) == ACRE_OK;
    }
    write_arrays(w, 0);
    return is_good;
}

static void end(world *w, reader *readers)
{
    for (uint32_t i = 0; i < READERS; i++) {
        acre_entity_contacts_destroy(readers[i].contacts);
        acre_receivers_destroy(readers[i].receivers);
        acre_draw_list_destroy(readers[i].list);
        acre_visible_set_destroy(readers[i].set);
    }
    acre_culling_destroy(w->culling);
}

// Without threads: the readers one after the other.
static bool play_alone(uint64_t *hashes)
{
    static world w;
    reader readers[READERS];
    bool is_good = begin(&w, readers, NULL);
    for (uint32_t frame = 0; frame < FRAMES && is_good; frame++) {
        is_good = update(&w, frame) == ACRE_OK;
        for (uint32_t i = 0; i < READERS && is_good; i++) {
            readers[i].frame = frame;
            is_good = ask(&readers[i]) == ACRE_OK;
        }
        write_arrays(&w, frame + 1);
    }
    for (uint32_t i = 0; i < READERS; i++) {
        hashes[i] = readers[i].hash;
    }
    end(&w, readers);
    return is_good;
}

static bool play_together(const acre_tasks *tasks, uint64_t *hashes)
{
    static world w;
    reader readers[READERS];
    pthread_t threads[READERS];
    pthread_barrier_t barrier;
    bool is_good = begin(&w, readers, tasks);
    EXPECT(pthread_barrier_init(&barrier, NULL, READERS + 1) == 0);
    for (uint32_t i = 0; i < READERS; i++) {
        readers[i].barrier = &barrier;
        EXPECT(pthread_create(&threads[i], NULL, read_frames, &readers[i]) == 0);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        is_good = is_good && update(&w, frame) == ACRE_OK;
        pthread_barrier_wait(&barrier);
        write_arrays(&w, frame + 1); // while the others read what the update made
        pthread_barrier_wait(&barrier);
    }
    for (uint32_t i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        hashes[i] = readers[i].hash;
    }
    pthread_barrier_destroy(&barrier);
    end(&w, readers);
    return is_good;
}

static void readers_find_what_they_find_alone(void)
{
    uint64_t alone[READERS], together[READERS];
    CHECK(play_alone(alone) && play_together(NULL, together));
    CHECK(memcmp(alone, together, sizeof alone) == 0 && alone[0] != 0 && alone[0] != alone[1]);
}

static void workers_divide_updates_and_queries(void)
{
    uint64_t alone[READERS], together[READERS];
    task_scheduler *const scheduler = task_scheduler_create(4, TASKS_ALL_AT_ONCE, test_seed);
    CHECK(scheduler);
    acre_tasks tasks = task_scheduler_tasks(scheduler);
    tasks.divides_small_calls = true;
    CHECK(play_alone(alone) && play_together(&tasks, together));
    CHECK(memcmp(alone, together, sizeof alone) == 0);
    CHECK(task_scheduler_runs(scheduler) > 0);
    task_scheduler_destroy(scheduler);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(readers_find_what_they_find_alone),
        TEST(workers_divide_updates_and_queries),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
