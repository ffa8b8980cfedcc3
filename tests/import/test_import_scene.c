// SPDX-License-Identifier: MIT
// test_import_scene.c - models as entities of a scene, all or none; the city, culled, end to end.
#include "failing_allocator.h"
#include "import_files.h"

#ifdef ACRE_TEST_CULLING
#include <acre/culling.h>
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const acre_entity nobody = {0, 0, 0};

static bool is_null(acre_entity entity)
{
    return memcmp(&entity, &nobody, sizeof entity) == 0;
}

static bool is_sound(const acre_scene *scene)
{
    char rule[256] = "";
    if (acre_scene_validate(scene, rule, sizeof rule) == ACRE_OK) {
        return true;
    }
    printf("%s\n", rule);
    return false;
}

// Two trees of nodes: one with two hands that are turned, scaled and moved, and one that is bare.
static acre_import_model *load_station(const acre_allocator *allocator)
{
    size_t size;
    unsigned char *bytes = triangle_glb(
        "[{\"name\":\"station\",\"translation\":[10,0,0],\"children\":[1,4]},"
        "{\"name\":\"arm\",\"translation\":[0,5,0],\"rotation\":[0,0.70710678,0,0.70710678],"
        "\"scale\":[2,2,2],\"children\":[2,3]},"
        "{\"name\":\"left\",\"mesh\":0,\"translation\":[0,0,-3]},"
        "{\"name\":\"right\",\"mesh\":0,\"matrix\":[1,0,0,0,0,0,1,0,0,-1,0,0,7,8,9,1]},"
        "{\"name\":\"bare\"}]",
        NULL, NULL, &size);
    acre_import_model *model;
    if (import_bytes(IMPORT_HERE, "station.glb", bytes, size, allocator, &model) != ACRE_OK) {
        printf("%s\n", import_message);
    }
    free(bytes);
    return model;
}

// Whether the entity's matrix and box in the last commit are the file's, by double precision. The
// box may be larger by rounding only.
static bool entity_is_where_the_file_says(const acre_scene *scene, const acre_import_model *model,
                                          uint32_t node, acre_entity entity)
{
    double world[16];
    float matrix[16];
    node_world(model, node, world);
    if (acre_entity_world_matrix(scene, entity, matrix) != ACRE_OK) {
        return false;
    }
    for (int i = 0; i < 16; i++) {
        if (fabs((double)matrix[i] - world[i]) > 1e-6 * (1 + fabs(world[i]))) {
            return false;
        }
    }
    acre_aabb box;
    const acre_result result = acre_entity_world_bounds(scene, entity, &box);
    if (model->nodes[node].mesh_count == 0) {
        return result == ACRE_ERROR_NOT_FOUND;
    }
    const acre_aabb *local = &model->nodes[node].bounds;
    for (int axis = 0; axis < 3 && result == ACRE_OK; axis++) {
        double low = world[12 + axis], high = low, size = fabs(low);
        for (int k = 0; k < 3; k++) {
            const double a = world[4 * k + axis] * (double)local->min[k];
            const double b = world[4 * k + axis] * (double)local->max[k];
            low += fmin(a, b);
            high += fmax(a, b);
            size += fmax(fabs(a), fabs(b));
        }
        if (fabs((double)box.min[axis] - low) > 1e-6 * (1 + size) ||
            fabs((double)box.max[axis] - high) > 1e-6 * (1 + size)) {
            return false;
        }
    }
    return result == ACRE_OK;
}

static void every_node_becomes_an_entity_at_its_place(void)
{
    acre_import_model *model = load_station(NULL);
    acre_scene *scene;
    acre_entity entities[5], above;
    CHECK(model != NULL && model->node_count == 5);
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){.user = 77}, &above) == ACRE_OK);
    CHECK(acre_import_to_scene(model, scene, above, entities) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).entity_count == 0); // nothing is committed
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_sound(scene));
    CHECK(acre_scene_get_view(scene).entity_count == 6);
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t parent = model->nodes[i].parent;
        const acre_entity expected = parent == ACRE_IMPORT_NO_PARENT ? above : entities[parent];
        const acre_entity found = acre_entity_parent(scene, entities[i]);
        CHECK(memcmp(&found, &expected, sizeof found) == 0);
        CHECK(acre_scene_get_view(scene).user[entities[i].index1 - 1] == i);
        CHECK(entity_is_where_the_file_says(scene, model, i, entities[i]));
    }
    // Once more, as roots and without handles.
    CHECK(acre_import_to_scene(model, scene, nobody, NULL) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_sound(scene));
    CHECK(acre_scene_get_view(scene).entity_count == 11);
    // A model may be freed while its entities live.
    acre_import_free(model);
    CHECK(acre_entity_destroy(scene, above) == ACRE_OK && acre_scene_commit(scene) == ACRE_OK);
    CHECK(acre_scene_get_view(scene).entity_count == 5 && is_sound(scene));
    acre_scene_destroy(scene);
}

static void a_wrong_parent_or_null_changes_nothing(void)
{
    acre_import_model *model = load_station(NULL);
    acre_scene *scene;
    acre_entity entities[5], gone;
    CHECK(model != NULL && acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &gone) == ACRE_OK);
    CHECK(acre_entity_destroy(scene, gone) == ACRE_OK);
    memset(entities, 0xff, sizeof entities);
    CHECK(acre_import_to_scene(model, scene, gone, entities) == ACRE_ERROR_STALE_HANDLE);
    for (int i = 0; i < 5; i++) {
        CHECK(is_null(entities[i]));
    }
    CHECK(acre_import_to_scene(model, scene, gone, NULL) == ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_import_to_scene(NULL, scene, nobody, entities) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_import_to_scene(model, NULL, nobody, entities) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_sound(scene));
    CHECK(acre_scene_get_view(scene).entity_count == 0);
    acre_scene_destroy(scene);
    acre_import_free(model);
}

static void a_scene_without_room_for_the_whole_model_takes_none_of_it(void)
{
    acre_import_model *model = load_station(NULL);
    CHECK(model != NULL);
    for (uint32_t room = 1; room <= 7; room++) {
        acre_scene *scene;
        acre_entity entities[5], first;
        CHECK(acre_scene_create(&(acre_scene_def){.entity_capacity = room}, &scene) == ACRE_OK);
        CHECK(acre_entity_create(scene, &(acre_entity_def){0}, &first) == ACRE_OK);
        const acre_result result = acre_import_to_scene(model, scene, first, entities);
        CHECK(result == (room >= 6 ? ACRE_OK : ACRE_ERROR_CAPACITY));
        for (int i = 0; i < 5; i++) {
            CHECK(is_null(entities[i]) == (result != ACRE_OK));
        }
        CHECK(acre_scene_commit(scene) == ACRE_OK && is_sound(scene));
        CHECK(acre_scene_get_view(scene).entity_count == (result == ACRE_OK ? 6 : 1));
        CHECK(acre_entity_is_alive(scene, first));
        acre_scene_destroy(scene);
    }
    acre_import_free(model);
}

// One round: request number at fails, of the scene's allocator and of the model's. @return whether
// the import failed and left nothing behind; *done when no request was refused any more.
static bool import_without_memory(uint64_t at, failing_mode mode, bool *done)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_import_model *model = load_station(&memory.allocator);
    acre_scene *scene = NULL;
    acre_entity first;
    bool good =
        model != NULL &&
        acre_scene_create(&(acre_scene_def){.allocator = &memory.allocator}, &scene) == ACRE_OK &&
        acre_entity_create(scene, &(acre_entity_def){0}, &first) == ACRE_OK &&
        acre_scene_commit(scene) == ACRE_OK;
    // 14 copies, so that the scene's arrays have to grow several times.
    acre_result result = ACRE_OK;
    uint32_t copies = 0;
    failing_allocator_arm(&memory, mode, at);
    while (good && result == ACRE_OK && copies < 14) {
        result = acre_import_to_scene(model, scene, first, NULL);
        copies += result == ACRE_OK;
    }
    *done = memory.failed == 0;
    good = good && result == (*done ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    good = good && acre_scene_commit(scene) == ACRE_OK && is_sound(scene) &&
           acre_scene_get_view(scene).entity_count == 1 + 5 * copies;
    acre_scene_destroy(scene);
    acre_import_free(model);
    return good && failing_allocator_verdict(&memory) == NULL;
}

static void each_allocation_may_fail_and_the_scene_stays_as_it_was(void)
{
    static const failing_mode modes[] = {FAIL_ONCE, FAIL_FROM};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        bool done = false;
        uint64_t at = 0;
        while (!done) {
            CHECK(import_without_memory(++at, modes[m], &done));
        }
        CHECK(at > 14); // at least one request a copy
    }
}

static void a_chain_of_nodes_becomes_a_chain_of_entities(void)
{
    enum { DEPTH = 2000 };
    char *nodes = malloc((size_t)DEPTH * 64);
    CHECK(nodes != NULL);
    char *at = nodes;
    *at++ = '[';
    for (int i = 1; i < DEPTH; i++) {
        at += sprintf(at, "{\"translation\":[1,0,0],\"children\":[%d]},", i);
    }
    sprintf(at, "{\"name\":\"leaf\",\"mesh\":0}]");
    size_t size;
    unsigned char *bytes = triangle_glb(nodes, NULL, NULL, &size);
    free(nodes);
    acre_import_model *model;
    const acre_result result = import_bytes(IMPORT_HERE, "chain.glb", bytes, size, NULL, &model);
    free(bytes);
    CHECK(result == ACRE_OK && model->node_count == DEPTH);
    acre_scene *scene;
    static acre_entity entities[DEPTH];
    CHECK(acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK);
    CHECK(acre_import_to_scene(model, scene, nobody, entities) == ACRE_OK);
    CHECK(acre_scene_commit(scene) == ACRE_OK && is_sound(scene));
    acre_aabb box;
    CHECK(acre_entity_world_bounds(scene, entities[DEPTH - 1], &box) == ACRE_OK);
    CHECK(box.min[0] == DEPTH - 1 && box.max[0] == DEPTH && box.max[1] == 2);
    acre_scene_destroy(scene);
    acre_import_free(model);
}

#ifdef ACRE_TEST_CULLING

typedef struct city {
    acre_import_model *model;
    acre_scene *scene;
    acre_culling *culling;
    acre_entity *entities;
} city;

static bool city_load(city *c)
{
    *c = (city){0};
    char message[256] = "";
    bool good = acre_import_file(ACRE_SCENES "/san_francisco.glb", NULL, &c->model, message,
                                 sizeof message) == ACRE_OK;
    c->entities = good ? calloc(c->model->node_count, sizeof *c->entities) : NULL;
    good = c->entities != NULL && acre_scene_create(&(acre_scene_def){0}, &c->scene) == ACRE_OK &&
           acre_culling_create(c->scene, &(acre_culling_def){.register_all = true}, &c->culling) ==
               ACRE_OK &&
           acre_import_to_scene(c->model, c->scene, nobody, c->entities) == ACRE_OK &&
           acre_scene_commit(c->scene) == ACRE_OK;
    if (!good) {
        printf("%s\n", message);
    }
    return good;
}

static void city_free(city *c)
{
    acre_culling_destroy(c->culling);
    acre_scene_destroy(c->scene);
    acre_import_free(c->model);
    free(c->entities);
}

// On a street, above the roofs, or high above the city; looking anywhere but straight up or down.
static acre_camera random_camera(test_random *random)
{
    static const float heights[] = {1.8f, 60, 900};
    float eye[3], target[3];
    const float up[3] = {0, 1, 0};
    eye[1] = heights[random_below(random, 3)];
    for (int axis = 0; axis < 3; axis += 2) {
        eye[axis] = random_float(random, -1600, 1600);
        target[axis] =
            eye[axis] + random_float(random, 10, 100) * (random_below(random, 2) ? 1 : -1);
    }
    target[1] = eye[1] + random_float(random, -200, 20) * (eye[1] > 100 ? 1.0f : 0.1f);
    acre_camera camera = {0};
    const float far_distance = random_below(random, 2) ? INFINITY : 800;
    if (acre_camera_perspective(&camera, random_float(random, 0.3f, 1.4f), 1.6f, 0.2f, far_distance,
                                ACRE_CLIP_ZERO_TO_ONE) != ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK) {
        camera.clip = 0;
    }
    return camera;
}

// Whether a point of the node's meshes certainly lies in the view, in double precision from the
// file's numbers.
static bool node_is_in_view(const city *c, uint32_t node, const acre_camera *camera)
{
    double world[16];
    node_world(c->model, node, world);
    const acre_import_node *at = &c->model->nodes[node];
    for (uint32_t m = 0; m < at->mesh_count; m++) {
        const acre_import_mesh *mesh = &c->model->meshes[c->model->node_meshes[at->first_mesh + m]];
        for (uint32_t i = 0; i < mesh->point_count; i++) {
            double p[4] = {(double)mesh->points[3 * (size_t)i],
                           (double)mesh->points[3 * (size_t)i + 1],
                           (double)mesh->points[3 * (size_t)i + 2], 1};
            const double *moved = world;
            double next[4];
            for (int step = 0; step < 3; step++) {
                const float *matrix = step == 1 ? camera->view : camera->projection;
                for (int row = 0; row < 4; row++) {
                    next[row] = 0;
                    for (int k = 0; k < 4; k++) {
                        next[row] +=
                            (step == 0 ? moved[4 * k + row] : (double)matrix[4 * k + row]) * p[k];
                    }
                }
                memcpy(p, next, sizeof p);
            }
            const double w = p[3] * (1 - 1e-5) - 1e-4; // the scene's matrices are floats
            if (fabs(p[0]) <= w && fabs(p[1]) <= w && p[2] >= 1e-4 && p[2] <= w) {
                return true;
            }
        }
    }
    return false;
}

typedef struct visible_set {
    uint32_t slots[16384];
    bool seen[16384];
    size_t count;
} visible_set;

// Queries, and compares with a test of every box. @return whether both are the same set.
static bool query_equals_brute_force(const city *c, const acre_camera *camera, visible_set *out)
{
    acre_frustum frustum;
    const acre_scene_view view = acre_scene_get_view(c->scene);
    memset(out->seen, 0, sizeof out->seen);
    out->count = acre_culling_query(c->culling, camera, out->slots, 16384);
    if (acre_camera_frustum(camera, &frustum) != ACRE_OK || out->count > 16384) {
        return false;
    }
    for (size_t i = 0; i < out->count; i++) {
        if (out->slots[i] >= view.slot_count || out->seen[out->slots[i]]) {
            return false; // outside, or twice
        }
        out->seen[out->slots[i]] = true;
    }
    for (uint32_t node = 0; node < c->model->node_count; node++) {
        const uint32_t slot = c->entities[node].index1 - 1;
        const bool visible = acre_entity_is_alive(c->scene, c->entities[node]) &&
                             c->model->nodes[node].mesh_count > 0 &&
                             acre_frustum_test_aabb(&frustum, &view.world_bounds[slot]);
        if (visible != out->seen[slot]) {
            printf("node %u '%s': %s\n", node, c->model->nodes[node].name,
                   visible ? "not found" : "found, not visible");
            return false;
        }
    }
    return true;
}

static void the_city_s_entities_stand_where_the_file_says(void)
{
    city c;
    CHECK(city_load(&c) && is_sound(c.scene));
    CHECK(acre_scene_get_view(c.scene).entity_count == c.model->node_count);
    for (uint32_t node = 0; node < c.model->node_count; node++) {
        CHECK(entity_is_where_the_file_says(c.scene, c.model, node, c.entities[node]));
    }
    char rule[256] = "";
    CHECK(acre_quadtree_validate(acre_culling_tree(c.culling), rule, sizeof rule) == ACRE_OK);
    city_free(&c);
}

static void cameras_in_the_city_see_what_brute_force_and_the_file_s_points_say(void)
{
    static visible_set set;
    city c;
    CHECK(city_load(&c));
    test_random random = {test_seed};
    size_t visible = 0, in_view = 0;
    for (uint32_t trial = 0; trial < 60 * test_scale; trial++) {
        const acre_camera camera = random_camera(&random);
        CHECK(camera.clip != 0 && query_equals_brute_force(&c, &camera, &set));
        visible += set.count;
        for (uint32_t node = 0; trial % 10 == 0 && node < c.model->node_count; node++) {
            if (node_is_in_view(&c, node, &camera)) {
                CHECK(set.seen[c.entities[node].index1 - 1]);
                in_view++;
            }
        }
    }
    CHECK(visible > 10000 && in_view > 1000);
    city_free(&c);
}

static void a_node_beyond_all_floats_is_always_visible(void)
{
    size_t size;
    unsigned char *bytes =
        triangle_glb("[{\"name\":\"far\",\"translation\":[3e38,0,0],\"children\":[1]},"
                     "{\"name\":\"farther\",\"translation\":[3e38,0,0],\"mesh\":0}]",
                     NULL, NULL, &size);
    city c = {0};
    const acre_result result = import_bytes(IMPORT_HERE, "far.glb", bytes, size, NULL, &c.model);
    free(bytes);
    acre_entity entities[2];
    CHECK(result == ACRE_OK && acre_scene_create(&(acre_scene_def){0}, &c.scene) == ACRE_OK);
    CHECK(acre_culling_create(c.scene, &(acre_culling_def){.register_all = true}, &c.culling) ==
          ACRE_OK);
    CHECK(acre_import_to_scene(c.model, c.scene, nobody, entities) == ACRE_OK);
    CHECK(acre_scene_commit(c.scene) == ACRE_OK && is_sound(c.scene));
    acre_aabb box;
    CHECK(acre_entity_world_bounds(c.scene, entities[1], &box) == ACRE_OK && isinf(box.max[0]));
    test_random random = {test_seed};
    for (int trial = 0; trial < 100; trial++) {
        const acre_camera camera = random_camera(&random);
        uint32_t slot = UINT32_MAX;
        CHECK(acre_culling_query(c.culling, &camera, &slot, 1) == 1);
        CHECK(slot == entities[1].index1 - 1);
    }
    city_free(&c);
}

static void moved_hidden_and_destroyed_parts_of_the_city_are_followed(void)
{
    static visible_set set;
    city c;
    CHECK(city_load(&c));
    test_random random = {test_seed};
    acre_camera all = {0}; // from above, 8 km wide
    const float eye[3] = {0, 2000, 1}, middle[3] = {0, 0, 0}, up[3] = {0, 0, -1};
    CHECK(acre_camera_orthographic(&all, 8000, 8000, 1, 4000, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    CHECK(acre_camera_look_at(&all, eye, middle, up) == ACRE_OK);
    CHECK(query_equals_brute_force(&c, &all, &set) && set.count == 13077 + 561);

    // A tile is a node of the second level; all its buildings move with it.
    uint32_t children = 0;
    for (uint32_t node = 0; node < c.model->node_count; node++) {
        children += c.model->nodes[node].parent == 1;
    }
    const acre_transform away = {{30000, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    CHECK(acre_entity_set_local(c.scene, c.entities[1], &away) == ACRE_OK);
    CHECK(acre_scene_commit(c.scene) == ACRE_OK);
    CHECK(query_equals_brute_force(&c, &all, &set) && set.count == 13077 + 561 - children);
    for (int trial = 0; trial < 10; trial++) {
        const acre_camera camera = random_camera(&random);
        CHECK(query_equals_brute_force(&c, &camera, &set));
    }
    CHECK(acre_entity_set_local_matrix(c.scene, c.entities[1], c.model->nodes[1].local) == ACRE_OK);
    CHECK(acre_scene_commit(c.scene) == ACRE_OK);
    CHECK(query_equals_brute_force(&c, &all, &set) && set.count == 13077 + 561);

    CHECK(acre_entity_set_flags(c.scene, c.entities[1], ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(acre_scene_commit(c.scene) == ACRE_OK);
    CHECK(acre_culling_query(c.culling, &all, NULL, 0) == 13077 + 561 - children);
    CHECK(acre_entity_destroy(c.scene, c.entities[0]) == ACRE_OK);
    CHECK(acre_scene_commit(c.scene) == ACRE_OK && is_sound(c.scene));
    CHECK(acre_culling_query(c.culling, &all, NULL, 0) == 0);

    // And in again, into the slots that became free.
    CHECK(acre_import_to_scene(c.model, c.scene, nobody, c.entities) == ACRE_OK);
    CHECK(acre_scene_commit(c.scene) == ACRE_OK && is_sound(c.scene));
    CHECK(query_equals_brute_force(&c, &all, &set) && set.count == 13077 + 561);
    city_free(&c);
}

#endif

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_node_becomes_an_entity_at_its_place),
        TEST(a_wrong_parent_or_null_changes_nothing),
        TEST(a_scene_without_room_for_the_whole_model_takes_none_of_it),
        TEST(each_allocation_may_fail_and_the_scene_stays_as_it_was),
        TEST(a_chain_of_nodes_becomes_a_chain_of_entities),
#ifdef ACRE_TEST_CULLING
        TEST(the_city_s_entities_stand_where_the_file_says),
        TEST(cameras_in_the_city_see_what_brute_force_and_the_file_s_points_say),
        TEST(a_node_beyond_all_floats_is_always_visible),
        TEST(moved_hidden_and_destroyed_parts_of_the_city_are_followed),
#endif
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
