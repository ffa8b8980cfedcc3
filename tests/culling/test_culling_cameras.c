// SPDX-License-Identifier: MIT
// test_culling_cameras.c - cameras of all kinds and places: the visible set is that of testing
// every world box, and holds every entity that double precision proves visible.
#include "frustum_kinds.h"
#include "test.h"

#include <acre/culling.h>

#include <string.h>

enum { ENTITIES = 150 };

typedef struct world {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity entities[ENTITIES];
    acre_aabb boxes[ENTITIES]; // local
} world;

static float size_of_distance(double distance)
{
    return (float)(0.05 * fabs(distance)) + 0.01f;
}

// Entities in the view, at its borders and around it.
static bool fill_world(world *w, test_random *random, const test_view *view)
{
    w->scene = NULL;
    w->culling = NULL;
    const double near_distance = view->kind->near_distance * view->size;
    const double range = fmin(view->kind->far_distance, 3000) * view->size - near_distance;
    bool done = acre_scene_create(&(acre_scene_def){0}, &w->scene) == ACRE_OK &&
                acre_culling_create(w->scene, &(acre_culling_def){.register_all = true},
                                    &w->culling) == ACRE_OK;
    for (int i = 0; done && i < ENTITIES; i++) {
        const double unit = (double)random_float(random, -0.2f, 1.2f);
        const double distance = near_distance + range * unit * fabs(unit);
        double p[3];
        view_point(view, (double)random_float(random, -1.5f, 1.5f),
                   (double)random_float(random, -1.5f, 1.5f), distance, p);
        acre_transform local = {{(float)p[0], (float)p[1], (float)p[2]}, {0, 0, 0, 1}, {1, 1, 1}};
        if (random_below(random, 2)) {
            local.rotation[1] = 0.6f;
            local.rotation[3] = 0.8f;
            local.scale[0] = -2;
        }
        for (int k = 0; k < 3; k++) {
            w->boxes[i].min[k] = -random_float(random, 0, size_of_distance(distance));
            w->boxes[i].max[k] = random_float(random, 0, size_of_distance(distance));
        }
        done = acre_entity_create(w->scene,
                                  &(acre_entity_def){.local = &local, .bounds = &w->boxes[i]},
                                  &w->entities[i]) == ACRE_OK;
    }
    return done && acre_scene_commit(w->scene) == ACRE_OK;
}

static acre_camera camera_of(const test_view *view)
{
    acre_camera camera = {.clip = view->clip};
    double projection[16];
    projection_matrix(view->kind, view->size, view->clip, projection);
    for (int i = 0; i < 16; i++) {
        camera.projection[i] = (float)projection[i];
    }
    for (int row = 0; row < 3; row++) {
        double translation = 0.0;
        for (int column = 0; column < 3; column++) {
            camera.view[4 * column + row] = (float)view->axes[row][column];
            translation -= view->axes[row][column] * view->eye[column];
        }
        camera.view[12 + row] = (float)translation;
    }
    camera.view[15] = 1;
    return camera;
}

// The camera's own matrices, multiplied in double.
static void matrix_of(const acre_camera *camera, double *out)
{
    for (int i = 0; i < 16; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            out[i] +=
                (double)camera->projection[4 * k + i % 4] * (double)camera->view[4 * (i / 4) + k];
        }
    }
}

// A point of the entity's local box in the world, in double: a corner, or anywhere.
static void point_of(const world *w, int entity, int corner, test_random *random, double *p)
{
    float m[16];
    EXPECT(acre_entity_world_matrix(w->scene, w->entities[entity], m) == ACRE_OK);
    for (int i = 0; i < 3; i++) {
        p[i] = (double)m[12 + i];
    }
    for (int k = 0; k < 3; k++) {
        const acre_aabb *const box = &w->boxes[entity];
        const float along = corner < 8 ? (float)(corner >> k & 1) : random_float(random, 0, 1);
        const double at =
            (double)box->min[k] + ((double)box->max[k] - (double)box->min[k]) * (double)along;
        for (int i = 0; i < 3; i++) {
            p[i] += (double)m[4 * k + i] * at;
        }
    }
}

static bool is_proved_visible(const world *w, int entity, const acre_camera *camera,
                              test_random *random)
{
    double matrix[16];
    matrix_of(camera, matrix);
    for (int corner = 0; corner < 16; corner++) {
        double p[3];
        point_of(w, entity, corner, random, p);
        if (is_proved_inside(matrix, camera->clip, p)) {
            return true;
        }
    }
    return false;
}

typedef struct camera_counts {
    int visible, hidden, proved;
} camera_counts;

static bool check_camera(const world *w, const acre_camera *camera, test_random *random,
                         camera_counts *counts)
{
    uint32_t slots[ENTITIES];
    bool seen[ENTITIES] = {false};
    acre_frustum frustum;
    const bool has_frustum = acre_camera_frustum(camera, &frustum) == ACRE_OK;
    const size_t count = acre_culling_query(w->culling, camera, slots, ENTITIES);
    if (count > ENTITIES || !has_frustum) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (seen[slots[i]]) {
            return false;
        }
        seen[slots[i]] = true;
    }
    const acre_scene_view view = acre_scene_get_view(w->scene);
    for (int i = 0; i < ENTITIES; i++) {
        const uint32_t slot = w->entities[i].index1 - 1;
        const bool proved = is_proved_visible(w, i, camera, random);
        if (seen[slot] != acre_frustum_test_aabb(&frustum, &view.world_bounds[slot]) ||
            (proved && !seen[slot])) {
            return false;
        }
        counts->visible += seen[slot];
        counts->hidden += !seen[slot];
        counts->proved += proved;
    }
    return true;
}

// No camera loses an entity, at any distance from the origin.
static void no_camera_loses_an_entity_that_double_precision_sees(void)
{
    static const double offsets[] = {0, 1e4, 1e6, 1e9};
    test_random random = {test_seed};
    camera_counts counts = {0, 0, 0};
    for (int kind = 0; kind < PROJECTION_KIND_COUNT; kind++) {
        for (int i = 0; i < 12; i++) {
            const test_view view =
                random_view(&random, &projection_kinds[kind], all_clips[i % 3], offsets[i / 3]);
            const acre_camera camera = camera_of(&view);
            static world w;
            const bool filled = fill_world(&w, &random, &view);
            const bool holds = filled && check_camera(&w, &camera, &random, &counts);
            if (!holds) {
                printf("%s, clip %d, offset %g\n", projection_kinds[kind].name, (int)view.clip,
                       offsets[i / 3]);
            }
            acre_culling_destroy(w.culling);
            acre_scene_destroy(w.scene);
            CHECK(holds);
        }
    }
    CHECK(counts.visible > 5000 && counts.hidden > 5000 && counts.proved > counts.visible / 2);
}

// A camera without a valid frustum culls nothing.
static void a_degenerate_camera_sees_everything(void)
{
    test_random random = {test_seed};
    const test_view view = random_view(&random, &projection_kinds[1], all_clips[1], 0);
    static world w;
    CHECK(fill_world(&w, &random, &view));
    acre_camera camera = camera_of(&view);
    CHECK(acre_culling_query(w.culling, &camera, NULL, 0) < ENTITIES);
    camera.clip = (acre_clip)0;
    CHECK(acre_culling_query(w.culling, &camera, NULL, 0) == ENTITIES);
    camera = camera_of(&view);
    camera.projection[0] = NAN;
    CHECK(acre_culling_query(w.culling, &camera, NULL, 0) == ENTITIES);
    camera = camera_of(&view);
    memset(camera.view, 0, sizeof camera.view);
    CHECK(acre_culling_query(w.culling, &camera, NULL, 0) == ENTITIES);
    acre_culling_destroy(w.culling);
    acre_scene_destroy(w.scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_camera_loses_an_entity_that_double_precision_sees),
        TEST(a_degenerate_camera_sees_everything),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
