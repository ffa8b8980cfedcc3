// SPDX-License-Identifier: MIT
// scenario_scene.c - the recorded scenario of the scene: edits of every kind, commits, changes.
#include "scenario.h"
#include "scene_edits.h"

#include <acre/scene.h>

#define FRAMES 48u

static acre_result hash_changes(void *user, const acre_scene *scene,
                                const acre_scene_changes *changes)
{
    uint64_t *hash = user;
    (void)scene;
    hash_words(hash, changes->destroyed, changes->destroyed_count);
    hash_words(hash, changes->created, changes->created_count);
    hash_words(hash, changes->moved, changes->moved_count);
    return ACRE_OK;
}

static uint64_t scene_hash(const acre_scene *scene)
{
    const acre_scene_view view = acre_scene_get_view(scene);
    uint64_t hash = HASH_START;
    hash_word(&hash, view.entity_count);
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_entity entity = acre_scene_entity(scene, slot);
        hash_word(&hash, entity.generation);
        if (entity.index1 == 0) {
            continue;
        }
        float matrix[16];
        expect(acre_entity_world_matrix(scene, entity, matrix) == ACRE_OK, "world matrix");
        hash_floats(&hash, matrix, 16);
        hash_box(&hash, &view.world_bounds[slot]);
        hash_word(&hash, view.flags[slot]);
        hash_word(&hash, view.layers[slot]);
        hash_word(&hash, (uint32_t)view.user[slot]);
    }
    return hash;
}

static void run_scene(void)
{
    static scene_edits edits; // too large for a small stack
    uint64_t changes = HASH_START;
    edits.random.state = 77;
    expect(acre_scene_create(&(acre_scene_def){.scene = 3}, &edits.scene) == ACRE_OK, "scene");
    const acre_module module = {.name = "hash", .commit = hash_changes, .user = &changes};
    expect(acre_scene_attach(edits.scene, &module) == ACRE_OK, "attach");
    scene_edits_create_all(&edits);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        expect(acre_scene_commit(edits.scene) == ACRE_OK, "commit");
        if (frame % 12 == 0) {
            printf("scene frame %u %016llx\n", frame, (unsigned long long)scene_hash(edits.scene));
        }
        scene_edits_run(&edits);
    }
    expect(acre_scene_commit(edits.scene) == ACRE_OK, "commit");
    printf("scene %016llx changes %016llx entities %u\n",
           (unsigned long long)scene_hash(edits.scene), (unsigned long long)changes,
           acre_scene_get_view(edits.scene).entity_count);
    expect(edits.unexpected == 0, "edits");
    acre_scene_destroy(edits.scene);
}

int main(void)
{
    run_scene();
    return scenario_failures > 0;
}
