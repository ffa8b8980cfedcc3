// SPDX-License-Identifier: MIT
// consumer_culling.c - a program of another project that uses scene, camera and culling.
#include <acre/culling.h>

#include <stdio.h>
#include <string.h>

static int fail(const char *what)
{
    fprintf(stderr, "consumer_culling: %s\n", what);
    return 1;
}

int main(void)
{
    acre_scene_def scene_def;
    acre_culling_def culling_def;
    memset(&scene_def, 0, sizeof scene_def);
    memset(&culling_def, 0, sizeof culling_def);
    culling_def.register_all = true;
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    if (acre_scene_create(&scene_def, &scene) != ACRE_OK ||
        acre_culling_create(scene, &culling_def, &culling) != ACRE_OK) {
        return fail("create");
    }

    const acre_aabb unit = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    acre_transform at = {{0.0f, 0.0f, -10.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    acre_entity_def def;
    memset(&def, 0, sizeof def);
    def.local = &at;
    def.bounds = &unit;
    acre_entity ahead, behind;
    if (acre_entity_create(scene, &def, &ahead) != ACRE_OK) {
        return fail("entity ahead");
    }
    at.translation[2] = 10.0f;
    if (acre_entity_create(scene, &def, &behind) != ACRE_OK ||
        acre_scene_commit(scene) != ACRE_OK) {
        return fail("entity behind");
    }

    acre_camera camera;
    memset(&camera, 0, sizeof camera);
    const float eye[3] = {0.0f, 0.0f, 0.0f};
    const float target[3] = {0.0f, 0.0f, -1.0f};
    const float up[3] = {0.0f, 1.0f, 0.0f};
    if (acre_camera_perspective(&camera, 1.0f, 1.5f, 0.1f, 100.0f, ACRE_CLIP_ZERO_TO_ONE) !=
            ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK) {
        return fail("camera");
    }
    uint32_t slots[2];
    if (acre_culling_query(culling, &camera, slots, 2) != 1 || slots[0] != ahead.index1 - 1) {
        return fail("the camera sees the entity ahead and no other");
    }
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    printf("consumer_culling: 1 visible\n");
    return 0;
}
