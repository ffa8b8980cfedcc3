// SPDX-License-Identifier: MIT
// pick_with_mouse.c - which entity is under the mouse, and where a label for it belongs.
#include <acre/culling.h>

#include <math.h>
#include <stdio.h>

enum { WIDTH = 1280, HEIGHT = 720, THINGS = 3 };

typedef struct thing {
    const char *name;
    float x, z, half_size, height;
    acre_entity entity;
} thing;

static thing things[THINGS] = {{"crate", -3, -10, 1, 2, {0}},
                               {"tower", 2, -40, 4, 30, {0}},
                               {"hut", 4, -15, 2, 3, {0}}}; // in front of the tower's foot

static acre_result create_things(acre_scene *scene)
{
    acre_result result = ACRE_OK;
    for (int i = 0; i < THINGS && result == ACRE_OK; i++) {
        thing *const t = &things[i];
        const acre_transform local = {{t->x, 0, t->z}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_aabb bounds = {{-t->half_size, 0, -t->half_size},
                                  {t->half_size, t->height, t->half_size}};
        const acre_entity_def def = {.local = &local, .bounds = &bounds};
        result = acre_entity_create(scene, &def, &t->entity);
    }
    return result == ACRE_OK ? acre_scene_commit(scene) : result;
}

static acre_result aim(acre_camera *camera)
{
    const float eye[3] = {0, 2, 0}, target[3] = {0, 2, -1}, up[3] = {0, 1, 0};
    const acre_result result = acre_camera_perspective(camera, 1.0f, (float)WIDTH / HEIGHT, 0.1f,
                                                       INFINITY, ACRE_CLIP_REVERSED_ZERO_TO_ONE);
    return result == ACRE_OK ? acre_camera_look_at(camera, eye, target, up) : result;
}

static const thing *thing_of_slot(uint32_t slot)
{
    int i = 0;
    while (things[i].entity.index1 != slot + 1) { // a handle's slot is index1 - 1
        i++;
    }
    return &things[i];
}

// The label stands over the middle of the thing's top.
static void print_label(const acre_camera *camera, const thing *t)
{
    const float top[3] = {t->x, t->height, t->z};
    float x, y, depth;
    if (acre_camera_project(camera, top, &x, &y, &depth) == ACRE_OK) {
        printf(", label at pixel %.0f %.0f, %.1f m deep", (double)x * WIDTH, (double)y * HEIGHT,
               (double)depth);
    }
}

// The ray tests boxes, so the nearest hit is exact for things that are boxes. For other things ask
// for more than one hit, and test their triangles in turn.
static acre_result click(const acre_culling *culling, const acre_camera *camera, int column,
                         int row)
{
    acre_ray ray;
    acre_query_hit hit;
    size_t count = 0;
    acre_result result =
        acre_camera_ray(camera, ((float)column + 0.5f) / WIDTH, ((float)row + 0.5f) / HEIGHT, &ray);
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray};
    if (result == ACRE_OK) {
        result = acre_culling_query_nearest(culling, &query, &hit, 1, &count);
    }
    printf("pixel %4d %3d: ", column, row);
    if (count == 0) {
        printf("nothing\n");
        return result;
    }
    printf("%s at %.1f m", thing_of_slot(hit.item)->name, (double)hit.distance);
    print_label(camera, thing_of_slot(hit.item));
    printf("\n");
    return result;
}

int main(void)
{
    static const int clicks[][2] = {{448, 420}, {680, 150}, {780, 400}, {1200, 100}};
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_camera camera = {0};
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &scene);
    if (result == ACRE_OK) {
        result = acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling);
    }
    if (result == ACRE_OK) {
        result = create_things(scene);
    }
    if (result == ACRE_OK) {
        result = aim(&camera);
    }
    for (int i = 0; i < 4 && result == ACRE_OK; i++) {
        result = click(culling, &camera, clicks[i][0], clicks[i][1]);
    }
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    if (result != ACRE_OK) {
        fprintf(stderr, "pick_with_mouse: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
