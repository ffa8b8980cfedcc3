// SPDX-License-Identifier: MIT
// gltf_materials.c - which meshes are surely drawn opaque, and as they stand: find_internal.h needs
// to know. Whatever is not understood is not opaque; no file is refused for it.
#include "gltf_internal.h"

static uint32_t material_flags(gltf_file *file, const cJSON *material)
{
    const cJSON *const mode = acre_gltf_member(file, material, "alphaMode");
    bool is_opaque =
        cJSON_IsObject(material) &&
        (mode == NULL || (cJSON_IsString(mode) && strcmp(mode->valuestring, "OPAQUE") == 0));
    const cJSON *const extensions = acre_gltf_member(file, material, "extensions");
    const cJSON *item = cJSON_IsObject(extensions) ? extensions->child : NULL;
    for (; item != NULL && acre_gltf_spend(file, 1, 1); item = item->next) {
        is_opaque = is_opaque && strncmp(item->string, "KHR_materials_", 14) == 0 &&
                    strstr(item->string, "transmission") == NULL;
    }
    const bool is_two_sided = cJSON_IsTrue(acre_gltf_member(file, material, "doubleSided"));
    return (is_opaque ? ACRE_IMPORT_MESH_OPAQUE : 0) |
           (is_two_sided ? ACRE_IMPORT_MESH_TWO_SIDED : 0);
}

/// Whether the scene that is read says that nothing shows below its ground.
static bool ground_is_opaque(gltf_file *file)
{
    const uint32_t number = acre_gltf_link(file, file->root, "scene", GLTF_SCENES);
    const uint32_t scene_number = number == GLTF_NONE ? 0 : number;
    const cJSON *const scene = scene_number < file->lists[GLTF_SCENES].count
                                   ? acre_gltf_item(file, GLTF_SCENES, scene_number)
                                   : NULL;
    const cJSON *const extras = acre_gltf_member(file, scene, "extras");
    return cJSON_IsTrue(acre_gltf_member(file, extras, "acre_opaque_ground"));
}

void acre_gltf_read_materials(gltf_file *file)
{
    acre_gltf_at(file, "materials");
    const cJSON *const first = acre_gltf_first(file, file->root, "materials");
    for (const cJSON *item = first; item != NULL; item = item->next) {
        file->material_count++;
    }
    file->materials = acre_gltf_take(file, file->material_count, sizeof *file->materials);
    uint32_t number = 0;
    for (const cJSON *item = first; item != NULL && file->materials != NULL; item = item->next) {
        file->materials[number++] = material_flags(file, item);
    }
    acre_gltf_at(file, "scene");
    file->ground_flag = ground_is_opaque(file) ? ACRE_IMPORT_MESH_ON_GROUND : 0;
}

uint32_t acre_gltf_mesh_flags(gltf_file *file, const gltf_variant *variant, const cJSON *primitive)
{
    const cJSON *const number = acre_gltf_member(file, primitive, "material");
    uint32_t flags = ACRE_IMPORT_MESH_OPAQUE; // without a material
    if (number != NULL) {
        const double value = cJSON_IsNumber(number) ? number->valuedouble : -1.0;
        flags = value >= 0.0 && value < (double)file->material_count
                    ? file->materials[(uint32_t)value]
                    : 0;
    }
    if (file->may_change || variant->node != GLTF_NONE ||
        acre_gltf_member(file, primitive, "targets") != NULL ||
        acre_gltf_extension(file, primitive, "KHR_materials_variants") != NULL) {
        flags &= ~(uint32_t)ACRE_IMPORT_MESH_OPAQUE;
    }
    return flags | file->ground_flag;
}
