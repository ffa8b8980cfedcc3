// SPDX-License-Identifier: MIT
// test_visible_threads.c - several threads find with sets of their own on one culler, while another
// thread records edits: each finds what it finds alone. Run under the thread sanitizer as well.
#include "culling_counts.h"
#include "scenario.h"
#include "test.h"

#include <acre/visible_set.h>

#include <math.h>
#include <pthread.h>
#include <string.h>

#define BOXES 1500
#define FINDERS 3
#define FRAMES 8
#define POSES 12

typedef struct field {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity boxes[BOXES];
    test_random random;
} field;

static void random_local(test_random *random, acre_transform *local)
{
    *local = (acre_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        local->translation[i] = random_float(random, -300, 300) * (i == 1 ? 0.05f : 1.0f);
    }
}

static bool make_field(field *f)
{
    static const acre_visibility_rule rules[2] = {{.max_distance = 300.0f},
                                                  {.min_pixels = 4.0f, .lod_pixels = {60, 20, 8}}};
    const acre_aabb bounds = {{-2, -2, -2}, {2, 2, 2}};
    const acre_culling_def def = {.register_all = true};
    memset(f, 0, sizeof *f);
    f->random.state = test_seed;
    if (acre_scene_create(&(acre_scene_def){0}, &f->scene) != ACRE_OK ||
        acre_culling_create(f->scene, &def, &f->culling) != ACRE_OK ||
        acre_culling_set_rules(f->culling, rules, 2) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        acre_transform local;
        random_local(&f->random, &local);
        const acre_entity_def entity = {
            .local = &local, .bounds = &bounds, .flags = i % 5 ? ACRE_ENTITY_STATIC : 0};
        if (acre_entity_create(f->scene, &entity, &f->boxes[i]) != ACRE_OK ||
            acre_culling_set_rule(f->culling, f->boxes[i], i % 3) != ACRE_OK) {
            return false;
        }
    }
    return acre_scene_commit(f->scene) == ACRE_OK;
}

// Moves some boxes; every fourth frame static ones as well.
static bool record(field *f, uint32_t frame)
{
    bool is_good = true;
    for (uint32_t i = 0; i < BOXES; i += 5) {
        acre_transform local;
        random_local(&f->random, &local);
        const uint32_t other = frame % 4 == 3 && i % 50 == 0 ? i + 1 : i;
        is_good = is_good && acre_entity_set_local(f->scene, f->boxes[other], &local) == ACRE_OK;
    }
    return is_good;
}

typedef struct finder {
    const field *field;
    uint32_t number, frame;
    acre_visible_set *set;
    uint64_t hash; // of all that was found in the frame; 0 if a call failed
    pthread_barrier_t *start;
} finder;

static bool view_at(uint32_t number, uint32_t pose, acre_view *view)
{
    const float angle = 2.0f * (float)number + 1e-4f * (float)pose;
    const float eye[3] = {10.0f * (float)number, 3, 0}, up[3] = {0, 1, 0};
    const float target[3] = {eye[0] + 50.0f * sinf(angle), 3, 50.0f * cosf(angle)};
    acre_camera camera = {0};
    if (acre_camera_perspective(&camera, 1.2f, 1.6f, 0.1f, 900.0f, ACRE_CLIP_ZERO_TO_ONE) !=
            ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK ||
        acre_view_from_camera(view, &camera) != ACRE_OK) {
        return false;
    }
    view->hysteresis = number == 1 ? 0.2f : 0.0f;
    view->flags = number == 2 ? ACRE_VIEW_IGNORE_RULES : 0;
    return acre_view_set_viewport(view, &camera, 1080.0f) == ACRE_OK;
}

static void hash_visible(uint64_t *hash, const acre_visible *visible)
{
    hash_words(hash, visible->slots, visible->count);
    hash_words(hash, visible->entered, visible->entered_count);
    hash_words(hash, visible->left, visible->left_count);
    hash_words(hash, visible->stayed, visible->stayed_count);
    hash_words(hash, visible->changed, visible->changed_count);
    for (size_t i = 0; i < visible->count; i++) {
        hash_word(hash, visible->lods[i]);
    }
}

static void find_poses(finder *f)
{
    static const uint32_t none = 0;
    f->hash = HASH_START;
    for (uint32_t pose = 0; pose < POSES; pose++) {
        acre_view view;
        if (!view_at(f->number, f->frame * POSES + pose, &view) ||
            acre_culling_find_visible(f->field->culling, &view, f->set) != ACRE_OK) {
            f->hash = 0;
            return;
        }
        const acre_visible visible = acre_visible_set_get(f->set);
        hash_visible(&f->hash, &visible);
        const size_t count = count_in_view(f->field->culling, &view, NULL, 0);
        hash_words(&f->hash, &none, count > 0);
    }
}

static void *run_finder(void *user)
{
    finder *const f = user;
    (void)pthread_barrier_wait(f->start);
    find_poses(f);
    return NULL;
}

// The same poses in the same order, first with all threads at once, then one after the other.
static bool run_frame(field *on, finder *together, finder *alone, uint32_t frame)
{
    pthread_t threads[FINDERS];
    pthread_barrier_t start;
    bool is_good = pthread_barrier_init(&start, NULL, FINDERS + 1) == 0;
    for (int i = 0; i < FINDERS && is_good; i++) {
        together[i].frame = alone[i].frame = frame;
        together[i].start = &start;
        is_good = pthread_create(&threads[i], NULL, run_finder, &together[i]) == 0;
    }
    if (!is_good) {
        return false;
    }
    (void)pthread_barrier_wait(&start);
    is_good = record(on, frame);
    for (int i = 0; i < FINDERS; i++) {
        (void)pthread_join(threads[i], NULL);
        find_poses(&alone[i]);
        is_good = is_good && together[i].hash != 0 && together[i].hash == alone[i].hash;
    }
    (void)pthread_barrier_destroy(&start);
    return is_good && acre_scene_commit(on->scene) == ACRE_OK;
}

static void threads_with_sets_of_their_own_find_what_each_finds_alone(void)
{
    static field f;
    finder together[FINDERS], alone[FINDERS];
    const acre_visible_set_def def = {.flags = ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES |
                                               ACRE_VISIBLE_BITS};
    CHECK(make_field(&f));
    for (uint32_t i = 0; i < FINDERS; i++) {
        together[i] = alone[i] = (finder){.field = &f, .number = i};
        CHECK(acre_visible_set_create(&def, &together[i].set) == ACRE_OK);
        CHECK(acre_visible_set_create(&def, &alone[i].set) == ACRE_OK);
    }
    for (uint32_t frame = 0; frame < FRAMES * test_scale; frame++) {
        CHECK(run_frame(&f, together, alone, frame));
    }
    for (uint32_t i = 0; i < FINDERS; i++) {
        CHECK(acre_visible_set_get(alone[i].set).count > 10);
        acre_visible_set_destroy(together[i].set);
        acre_visible_set_destroy(alone[i].set);
    }
    acre_culling_destroy(f.culling);
    acre_scene_destroy(f.scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(threads_with_sets_of_their_own_find_what_each_finds_alone),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
