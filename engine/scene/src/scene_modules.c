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

acre_result acre_scene_attach(acre_scene *scene, const acre_module *module)
{
    if (!scene || !module) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    // Held only while the list changes: the hooks may call the scene.
    acre_result result = scene_begin_edit(scene);
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
    (void)scene_end_edit(scene, ACRE_OK);
    result = module->attach ? module->attach(module->user, scene) : ACRE_OK;
    if (result != ACRE_OK) {
        const size_t index = find_module(scene, module);
        if (index < scene->module_count) {
            drop_module(scene, index);
        }
    }
    return result;
}

acre_result acre_scene_detach(acre_scene *scene, const acre_module *module)
{
    if (!scene || !module) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_result result = scene_begin_edit(scene);
    if (result != ACRE_OK) {
        return result;
    }
    const size_t index = find_module(scene, module);
    if (index == scene->module_count) {
        return scene_end_edit(scene, ACRE_ERROR_NOT_FOUND);
    }
    drop_module(scene, index);
    (void)scene_end_edit(scene, ACRE_OK);
    if (module->detach) {
        module->detach(module->user, scene);
    }
    return ACRE_OK;
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
