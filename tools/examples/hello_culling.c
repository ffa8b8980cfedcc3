// SPDX-License-Identifier: MIT
// hello_culling.c - entities in a scene, a culler that follows them, and what a camera sees.
#include <acre/culling.h>

#include <math.h>
#include <stdio.h>

static acre_entity house, dog, tree; // the dog is a child of the house and goes where it goes

static acre_transform at(float x, float z)
{
    return (acre_transform){{x, 0, z}, {0, 0, 0, 1}, {1, 1, 1}};
}

static acre_result create_entities(acre_scene *scene)
{
    const acre_aabb large = {{-5, 0, -5}, {5, 8, 5}}, small = {{-1, 0, -1}, {1, 1, 1}};
    const acre_transform ahead = at(0, -30), beside = at(8, 0), behind = at(0, 30);
    const acre_entity_def house_def = {.local = &ahead, .bounds = &large};
    const acre_entity_def tree_def = {.local = &behind, .bounds = &small};
    acre_result result = acre_entity_create(scene, &house_def, &house);
    const acre_entity_def dog_def = {.parent = house, .local = &beside, .bounds = &small};
    if (result == ACRE_OK) {
        result = acre_entity_create(scene, &dog_def, &dog);
    }
    return result == ACRE_OK ? acre_entity_create(scene, &tree_def, &tree) : result;
}

// Registered entities are followed through every commit.
static acre_result register_entities(acre_culling *culling)
{
    const acre_entity entities[3] = {house, dog, tree};
    acre_result result = ACRE_OK;
    for (int i = 0; i < 3 && result == ACRE_OK; i++) {
        result = acre_culling_register(culling, entities[i]);
    }
    return result;
}

static acre_result aim(acre_camera *camera)
{
    const float eye[3] = {0, 2, 0}, target[3] = {0, 2, -1}, up[3] = {0, 1, 0};
    const acre_result result = acre_camera_perspective(camera, 1.0f, 16.0f / 9.0f, 0.1f, INFINITY,
                                                       ACRE_CLIP_REVERSED_ZERO_TO_ONE);
    return result == ACRE_OK ? acre_camera_look_at(camera, eye, target, up) : result;
}

// Three frames: all entities as created; the house has moved behind the camera, in a commit; the
// dog has come back, by a refresh without a commit.
static acre_result move(acre_scene *scene, acre_culling *culling, int frame)
{
    const acre_transform away = at(0, 300), back = at(0, -320); // back: relative to the house
    acre_result result = ACRE_OK;
    if (frame == 1) {
        result = acre_entity_set_local(scene, house, &away);
    } else if (frame == 2) {
        result = acre_entity_set_local(scene, dog, &back);
    }
    if (result == ACRE_OK) {
        result = frame == 2 ? acre_culling_refresh(culling, dog) : acre_scene_commit(scene);
    }
    return result;
}

static void show(const acre_culling *culling, const acre_camera *camera, int frame)
{
    uint32_t slots[3];
    const size_t count = acre_culling_query(culling, camera, slots, 3);
    printf("frame %d: %zu visible:", frame, count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t index1 = slots[i] + 1; // a handle's slot is index1 - 1
        printf(" %s", index1 == house.index1 ? "house" : index1 == dog.index1 ? "dog" : "tree");
    }
    printf("\n");
}

int main(void)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_camera camera = {0};
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &scene);
    if (result == ACRE_OK) {
        result = acre_culling_create(scene, &(acre_culling_def){0}, &culling);
    }
    if (result == ACRE_OK) {
        result = create_entities(scene);
    }
    if (result == ACRE_OK) {
        result = register_entities(culling);
    }
    if (result == ACRE_OK) {
        result = aim(&camera);
    }
    for (int frame = 0; frame < 3 && result == ACRE_OK; frame++) {
        result = move(scene, culling, frame);
        show(culling, &camera, frame);
    }
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    if (result != ACRE_OK) {
        fprintf(stderr, "hello_culling: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
