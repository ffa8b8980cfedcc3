// SPDX-License-Identifier: MIT
// hello_culling.c - entities in a scene, a culler that follows them, and what a camera sees.
#include <acre/culling.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    if (acre_scene_create(&(acre_scene_def){0}, &scene) != ACRE_OK ||
        acre_culling_create(scene, &(acre_culling_def){0}, &culling) != ACRE_OK) {
        return 1;
    }

    // A house ahead of the camera, with a dog as its child, and a tree behind the camera.
    const acre_aabb house_box = {{-5, 0, -5}, {5, 8, 5}}, small_box = {{-1, 0, -1}, {1, 1, 1}};
    const acre_transform ahead = {{0, 0, -30}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_transform beside = {{8, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_transform behind = {{0, 0, 30}, {0, 0, 0, 1}, {1, 1, 1}};
    acre_entity house, dog, tree;
    if (acre_entity_create(scene, &(acre_entity_def){.local = &ahead, .bounds = &house_box},
                           &house) != ACRE_OK ||
        acre_entity_create(
            scene, &(acre_entity_def){.parent = house, .local = &beside, .bounds = &small_box},
            &dog) != ACRE_OK ||
        acre_entity_create(scene, &(acre_entity_def){.local = &behind, .bounds = &small_box},
                           &tree) != ACRE_OK) {
        return 1;
    }

    // Register: the culler follows these entities from now on.
    const acre_entity entities[3] = {house, dog, tree};
    for (int i = 0; i < 3; i++) {
        if (acre_culling_register(culling, entities[i]) != ACRE_OK) {
            return 1;
        }
    }

    acre_camera camera = {0};
    const float eye[3] = {0, 2, 0}, target[3] = {0, 2, -1}, up[3] = {0, 1, 0};
    if (acre_camera_perspective(&camera, 1.0f, 16.0f / 9.0f, 0.1f, INFINITY,
                                ACRE_CLIP_REVERSED_ZERO_TO_ONE) != ACRE_OK ||
        acre_camera_look_at(&camera, eye, target, up) != ACRE_OK) {
        return 1;
    }

    // Three frames: as created; the house walks out of view and takes the dog along; and the dog
    // comes back without a commit, through a refresh of its own.
    const acre_transform away = {{0, 0, 300}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_transform back = {{0, 0, -320}, {0, 0, 0, 1}, {1, 1, 1}};
    for (int frame = 0; frame < 3; frame++) {
        acre_result result = ACRE_OK;
        if (frame == 0) {
            result = acre_scene_commit(scene);
        } else if (frame == 1) {
            result = acre_entity_set_local(scene, house, &away);
            result = result == ACRE_OK ? acre_scene_commit(scene) : result;
        } else {
            result = acre_entity_set_local(scene, dog, &back);
            result = result == ACRE_OK ? acre_culling_refresh(culling, dog) : result;
        }
        if (result != ACRE_OK) {
            fprintf(stderr, "frame %d: %s\n", frame, acre_result_text(result));
            return 1;
        }
        uint32_t slots[3];
        const size_t count = acre_culling_query(culling, &camera, slots, 3);
        printf("frame %d: %zu visible:", frame, count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t slot = slots[i]; // a handle's slot is index1 - 1
            printf(" %s", slot == house.index1 - 1 ? "house"
                          : slot == dog.index1 - 1 ? "dog"
                                                   : "tree");
        }
        printf("\n");
    }

    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    return 0;
}
