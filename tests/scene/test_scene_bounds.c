// SPDX-License-Identifier: MIT
// test_scene_bounds.c - boxes of many entities in one call, local and world: what a scene has after
// each commit equals a twin that was told box by box, and world boxes hold whatever moves.
#include "test.h"

#include <acre/culling.h>

#include <math.h>
#include <string.h>

enum { ENTITIES = 150, FRAMES = 60 };

typedef struct twins {
    test_random random;
    acre_scene *scenes[2]; // told by batches, told one by one
    acre_culling *culling; // of the first
    acre_entity entities[2][ENTITIES];
    bool is_world[ENTITIES];
    acre_aabb world[ENTITIES];
} twins;

static acre_aabb random_box(test_random *random)
{
    acre_aabb box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = random_float(random, -40.0f, 40.0f);
        box.max[k] = box.min[k] + random_float(random, 0.0f, 9.0f);
    }
    const uint32_t kind = random_below(random, 12);
    if (kind == 0) {
        box = acre_aabb_empty();
    } else if (kind == 1) {
        box.max[1] = INFINITY;
    }
    return box;
}

static acre_transform random_transform(test_random *random)
{
    acre_transform out = ACRE_TRANSFORM_IDENTITY;
    for (int k = 0; k < 3; k++) {
        out.translation[k] = random_float(random, -50.0f, 50.0f);
        out.scale[k] = random_float(random, 0.5f, 2.0f);
    }
    out.rotation[1] = random_float(random, -1.0f, 1.0f);
    return out;
}

static bool begin_twins(twins *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->random.state = seed;
    bool is_good = true;
    for (int i = 0; i < 2; i++) {
        is_good = is_good && acre_scene_create(NULL, &t->scenes[i]) == ACRE_OK;
    }
    is_good =
        is_good && acre_culling_create(t->scenes[0], &(acre_culling_def){.register_all = true},
                                       &t->culling) == ACRE_OK;
    for (uint32_t k = 0; k < ENTITIES && is_good; k++) {
        const acre_transform local = random_transform(&t->random);
        const acre_aabb box = random_box(&t->random);
        const bool has_parent = k > 0 && random_below(&t->random, 3);
        const uint32_t parent = k > 0 ? random_below(&t->random, k) : 0;
        for (int i = 0; i < 2 && is_good; i++) {
            const acre_entity_def def = {.parent = has_parent ? t->entities[i][parent]
                                                              : (acre_entity){0, 0, 0},
                                         .local = &local,
                                         .bounds = &box};
            is_good = acre_entity_create(t->scenes[i], &def, &t->entities[i][k]) == ACRE_OK;
        }
    }
    return is_good;
}

static void end_twins(twins *t)
{
    acre_culling_destroy(t->culling);
    acre_scene_destroy(t->scenes[0]);
    acre_scene_destroy(t->scenes[1]);
}

// Some entities get boxes: local ones in both, world ones in the first alone.
static bool tell_boxes(twins *t, bool are_world)
{
    acre_entity chosen[ENTITIES];
    acre_aabb boxes[ENTITIES];
    size_t count = 0;
    bool is_good = true;
    for (uint32_t k = 0; k < ENTITIES; k++) {
        if (random_below(&t->random, 5)) {
            continue;
        }
        chosen[count] = t->entities[0][k];
        boxes[count] = random_box(&t->random);
        t->is_world[k] = are_world;
        t->world[k] = boxes[count];
        is_good = is_good && (are_world || acre_entity_set_bounds(t->scenes[1], t->entities[1][k],
                                                                  &boxes[count]) == ACRE_OK);
        count++;
    }
    const acre_box_array rows = {boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes,
                                 ACRE_BOX_FORM_MIN_MAX};
    return is_good &&
           (are_world ? acre_scene_set_world_bounds(t->scenes[0], chosen, &rows, count)
                      : acre_scene_set_bounds(t->scenes[0], chosen, &rows, count)) == ACRE_OK;
}

static bool edit_both(twins *t)
{
    bool is_good = true;
    for (uint32_t k = 0; k < ENTITIES; k++) {
        const uint32_t kind = random_below(&t->random, 12);
        const acre_transform local = random_transform(&t->random);
        const uint32_t flags = random_below(&t->random, 2) ? ACRE_ENTITY_STATIC : 0u;
        for (int i = 0; i < 2 && is_good; i++) {
            if (kind < 3) {
                is_good = acre_entity_set_local(t->scenes[i], t->entities[i][k], &local) == ACRE_OK;
            } else if (kind == 3) {
                is_good = acre_entity_set_flags(t->scenes[i], t->entities[i][k], flags) == ACRE_OK;
            }
        }
    }
    return is_good;
}

static const char *check_boxes(const twins *t)
{
    const acre_quadtree *const trees[2] = {acre_culling_tree(t->culling),
                                           acre_culling_static_tree(t->culling)};
    for (uint32_t k = 0; k < ENTITIES; k++) {
        acre_aabb own, twin, kept, recorded;
        if (acre_entity_world_bounds(t->scenes[0], t->entities[0][k], &own) != ACRE_OK ||
            acre_entity_world_bounds(t->scenes[1], t->entities[1][k], &twin) != ACRE_OK ||
            acre_entity_get_bounds(t->scenes[0], t->entities[0][k], &recorded) != ACRE_OK) {
            return "an entity without a box";
        }
        const acre_aabb *const expected = t->is_world[k] ? &t->world[k] : &twin;
        const bool is_empty = acre_aabb_is_empty(expected);
        if (is_empty != acre_aabb_is_empty(&own) ||
            (!is_empty && memcmp(&own, expected, sizeof own) != 0)) {
            return "a box of the scene";
        }
        if (t->is_world[k] && !is_empty && memcmp(&own, &recorded, sizeof own) != 0) {
            return "a recorded box";
        }
        bool is_kept = false;
        for (int i = 0; i < 2; i++) {
            is_kept = is_kept || (trees[i] && acre_quadtree_get_box(trees[i], k, &kept) == ACRE_OK);
        }
        if (is_kept == is_empty || (is_kept && memcmp(&kept, expected, sizeof kept) != 0)) {
            return "a box of a tree";
        }
    }
    return NULL;
}

static void boxes_of_a_batch_equal_those_of_single_calls(void)
{
    for (uint32_t i = 0; i < 4 * test_scale; i++) {
        static twins t;
        CHECK(begin_twins(&t, test_seed + i));
        for (int frame = 0; frame < FRAMES; frame++) {
            CHECK(random_below(&t.random, 2) || tell_boxes(&t, random_below(&t.random, 2)));
            CHECK(random_below(&t.random, 3) == 0 || edit_both(&t));
            CHECK(acre_scene_commit(t.scenes[0]) == ACRE_OK);
            CHECK(acre_scene_commit(t.scenes[1]) == ACRE_OK);
            const char *const fault = check_boxes(&t);
            if (fault) {
                printf("twins %u, frame %d: %s\n", (unsigned)i, frame, fault);
            }
            CHECK(!fault);
            CHECK(acre_scene_validate(t.scenes[0], NULL, 0) == ACRE_OK);
            CHECK(acre_culling_validate(t.culling, NULL, 0) == ACRE_OK);
        }
        end_twins(&t);
    }
}

static void bad_rows_are_refused_and_the_others_applied(void)
{
    acre_scene *scene;
    acre_entity both[2];
    acre_aabb rows[2] = {{{0, NAN, 0}, {1, 1, 1}}, {{5, 5, 5}, {6, 6, 6}}}, box;
    CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
    for (int i = 0; i < 2; i++) {
        CHECK(acre_entity_create(scene, NULL, &both[i]) == ACRE_OK);
    }
    acre_box_array boxes = {rows[0].min, rows[0].max, sizeof *rows, sizeof *rows,
                            ACRE_BOX_FORM_MIN_MAX};
    CHECK(acre_scene_set_world_bounds(scene, both, &boxes, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_entity_get_bounds(scene, both[0], &box) == ACRE_ERROR_NOT_FOUND);
    CHECK(acre_entity_get_bounds(scene, both[1], &box) == ACRE_OK && box.min[0] == 5.0f);
    CHECK(acre_entity_destroy(scene, both[0]) == ACRE_OK);
    CHECK(acre_scene_set_bounds(scene, both, &boxes, 2) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_scene_set_bounds(scene, both, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_set_bounds(NULL, both, &boxes, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_set_bounds(scene, NULL, &boxes, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    boxes.form = (acre_box_form)9;
    CHECK(acre_scene_set_bounds(scene, both, &boxes, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    boxes = (acre_box_array){NULL, NULL, 0, 0, ACRE_BOX_FORM_MIN_MAX};
    CHECK(acre_scene_set_bounds(scene, both, &boxes, 1) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_set_bounds(scene, NULL, &boxes, 0) == ACRE_OK);
    acre_scene_destroy(scene);
}

static acre_result note_moved_hidden(void *user, const acre_scene *scene,
                                     const acre_scene_changes *changes)
{
    (void)scene;
    uint32_t *const noted = user;
    noted[0] = (uint32_t)changes->moved_hidden_count;
    noted[1] = changes->moved_hidden_count == 1 ? changes->moved_hidden[0] : 0;
    return ACRE_OK;
}

// Of the two children one stands in its parent's word of 64 rows, and one does not.
static void a_box_that_is_set_while_its_parent_hides_is_told(void)
{
    uint32_t noted[2] = {0};
    const acre_module module = {.name = "note", .commit = note_moved_hidden, .user = noted};
    for (int others = 0; others < 200; others += 100) {
        acre_scene *scene;
        acre_entity parent, child;
        const acre_aabb row = {{1, 2, 3}, {4, 5, 6}};
        const acre_box_array box = {row.min, row.max, sizeof row, sizeof row,
                                    ACRE_BOX_FORM_MIN_MAX};
        CHECK(acre_scene_create(NULL, &scene) == ACRE_OK);
        CHECK(acre_entity_create(scene, NULL, &parent) == ACRE_OK);
        for (int i = 0; i < others; i++) {
            CHECK(acre_entity_create(scene, NULL, &child) == ACRE_OK);
        }
        CHECK(acre_entity_create(scene, &(acre_entity_def){.parent = parent}, &child) == ACRE_OK);
        CHECK(acre_scene_attach(scene, &module) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
        CHECK(acre_entity_set_flags(scene, parent, ACRE_ENTITY_HIDDEN) == ACRE_OK);
        CHECK(acre_scene_set_world_bounds(scene, &child, &box, 1) == ACRE_OK);
        CHECK(acre_scene_commit(scene) == ACRE_OK);
        CHECK(noted[0] == 1 && noted[1] == child.index1 - 1);
        acre_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(boxes_of_a_batch_equal_those_of_single_calls),
        TEST(a_box_that_is_set_while_its_parent_hides_is_told),
        TEST(bad_rows_are_refused_and_the_others_applied),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
