// SPDX-License-Identifier: MIT
// consumer_import.c - a program of another project that reads a scene file into a scene.
#include <acre/import.h>

#include <stdio.h>
#include <string.h>

#define PATH "consumer_import.obj"

static int fail(const char *what)
{
    fprintf(stderr, "consumer_import: %s\n", what);
    return 1;
}

// A square of 2 x 2 meters on the ground, 5 meters to the right.
static bool write_square(void)
{
    FILE *const file = fopen(PATH, "w");
    if (!file) {
        return false;
    }
    fputs("o square\nv 5 0 0\nv 7 0 0\nv 7 0 2\nv 5 0 2\nf 1 2 3 4\n", file);
    return fclose(file) == 0;
}

int main(void)
{
    char message[256];
    acre_import_model *model = NULL;
    if (!write_square()) {
        return fail("cannot write " PATH);
    }
    if (acre_import_file(PATH, NULL, &model, message, sizeof message) != ACRE_OK) {
        return fail(message);
    }
    acre_scene_def def;
    memset(&def, 0, sizeof def);
    acre_scene *scene = NULL;
    acre_entity nowhere = {0, 0, 0};
    if (acre_scene_create(&def, &scene) != ACRE_OK ||
        acre_import_to_scene(model, scene, nowhere, NULL) != ACRE_OK ||
        acre_scene_commit(scene) != ACRE_OK) {
        return fail("entities");
    }
    const acre_scene_view view = acre_scene_get_view(scene);
    bool is_found = false;
    for (uint32_t slot = 0; slot < view.slot_count; slot++) {
        const acre_aabb *const box = &view.world_bounds[slot];
        is_found = is_found || (box->min[0] == 5.0f && box->max[0] == 7.0f && box->min[2] == 0.0f &&
                                box->max[2] == 2.0f);
    }
    if (view.entity_count != model->node_count || !is_found) {
        return fail("no entity has the square's box");
    }
    printf("consumer_import: %u entities\n", view.entity_count);
    acre_scene_destroy(scene);
    acre_import_free(model);
    (void)remove(PATH);
    return 0;
}
