// SPDX-License-Identifier: MIT
// scene_modules.c - attaching and detaching modules.
#include "scene_internal.h"

#include <string.h>

static size_t find_module(const acre_scene *scene, const acre_module *module)
{
    size_t i = 0;
    while (i < scene->module_count && scene->modules.data[i] != module) {
        i++;
    }
    return i;
}

static void drop_module(acre_scene *scene, size_t index)
{
    const acre_module **const modules = scene->modules.data;
    scene->module_count--;
    memmove(modules + index, modules + index + 1, (scene->module_count - index) * sizeof *modules);
}

static acre_result add_module(acre_scene *scene, const acre_module *module)
{
    // Held only while the list changes: the hooks may call the scene.
    const acre_result result = module ? scene_begin_edit(scene) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result != ACRE_OK) {
        return result;
    }
    if (find_module(scene, module) < scene->module_count) {
        return scene_end_edit(scene, ACRE_ERROR_EXISTS);
    }
    if (!COLUMN_RESERVE(&scene->allocator, scene->modules, scene->module_count + 1)) {
        return scene_end_edit(scene, ACRE_ERROR_OUT_OF_MEMORY);
    }
    *COLUMN_AT(scene->modules, scene->module_count++) = module;
    return scene_end_edit(scene, ACRE_OK);
}

acre_result acre_scene_attach(acre_scene *scene, const acre_module *module)
{
    acre_result result = add_module(scene, module);
    if (result != ACRE_OK) {
        return ACRE_ANSWER(result, "op", scene, module);
    }
    result = module->attach ? module->attach(module->user, scene) : ACRE_OK;
    if (result != ACRE_OK) {
        const size_t index = find_module(scene, module);
        if (index < scene->module_count) {
            drop_module(scene, index);
        }
    }
    return ACRE_ANSWER(result, "--", scene, module); // the hook says why
}

acre_result acre_scene_detach(acre_scene *scene, const acre_module *module)
{
    acre_result result = module ? scene_begin_edit(scene) : ACRE_ERROR_INVALID_ARGUMENT;
    if (result == ACRE_OK) {
        const size_t index = find_module(scene, module);
        const bool is_there = index < scene->module_count;
        if (is_there) {
            drop_module(scene, index);
        }
        result = scene_end_edit(scene, is_there ? ACRE_OK : ACRE_ERROR_NOT_FOUND);
    }
    if (result == ACRE_OK && module->detach) {
        module->detach(module->user, scene);
    }
    return ACRE_ANSWER(result, "op", scene, module);
}

void acre_scene_debug_draw(const acre_scene *scene, const acre_debug_draw *draw)
{
    if (!scene || !draw) {
        return;
    }
    for (size_t i = 0; i < scene->module_count; i++) {
        const acre_module *const module = *COLUMN_AT(scene->modules, i);
        if (module->debug_draw) {
            module->debug_draw(module->user, draw);
        }
    }
}
