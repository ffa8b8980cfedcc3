// SPDX-License-Identifier: MIT
// gltf_file.c - reads a glTF of version 2: what it demands, then its nodes, then its meshes.
#include "assert_internal.h"
#include "gltf_internal.h"
#include "import_reader.h"

/// What a file may still become: so many bytes of a model for each of its own, and these.
static const uint64_t room_of_byte = 256, room_of_file = UINT64_C(1) << 20;

/// Extensions that change no position, or that are read here.
static bool is_known_extension(const char *name)
{
    static const char *const names[] = {GLTF_QUANTIZATION,       GLTF_INSTANCING,
                                        GLTF_COMPRESSION,        GLTF_DRACO,
                                        "EXT_lights_ies",        "EXT_lights_image_based",
                                        "EXT_texture_avif",      "EXT_texture_webp",
                                        "KHR_animation_pointer", "KHR_lights_punctual",
                                        "KHR_techniques_webgl",  "KHR_texture_basisu",
                                        "KHR_texture_transform", "KHR_xmp",
                                        "KHR_xmp_json_ld",       "MSFT_texture_dds"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return strncmp(name, "KHR_materials_", 14) == 0;
}

/// Whether the extension stands in a list of the file's.
static bool is_listed(const gltf_file *file, const char *list, const char *name)
{
    const cJSON *const items = acre_gltf_member(file->root, list);
    for (const cJSON *item = items ? items->child : NULL; item; item = item->next) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0) {
            return true;
        }
    }
    return false;
}

/// Draco is assimp's work, but assimp knows nothing of these and would pass them over.
static bool leave_to_assimp(gltf_file *file)
{
    static const char *const others[] = {GLTF_QUANTIZATION, GLTF_INSTANCING, GLTF_COMPRESSION};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (is_listed(file, "extensionsUsed", others[i]) ||
            is_listed(file, "extensionsRequired", others[i])) {
            return acre_gltf_refuse(file, "extensionsRequired",
                                    GLTF_DRACO " cannot be read together with %s", others[i]);
        }
    }
    file->needs_assimp = true;
    return true;
}

static bool check_extensions(gltf_file *file)
{
    const cJSON *const required = acre_gltf_member(file->root, "extensionsRequired");
    const cJSON *const used = acre_gltf_member(file->root, "extensionsUsed");
    for (const cJSON *item = required ? required->child : NULL; item; item = item->next) {
        const char *const name = cJSON_IsString(item) ? item->valuestring : "(no name)";
        if (!is_known_extension(name)) {
            return acre_gltf_refuse(file, "extensionsRequired", "%.64s is not known", name);
        }
    }
    for (const cJSON *item = used ? used->child : NULL; item; item = item->next) {
        if (cJSON_IsString(item) && !is_known_extension(item->valuestring) &&
            !acre_gltf_note(file, "the file uses %.64s, which is not read", item->valuestring)) {
            return false;
        }
    }
    return !is_listed(file, "extensionsRequired", GLTF_DRACO) || leave_to_assimp(file);
}

/// Whether it is a glTF of version 2; another is a job for assimp.
static bool check_version(gltf_file *file)
{
    const cJSON *const asset = acre_gltf_member(file->root, "asset");
    const char *const version = acre_gltf_text(asset, "version");
    const char *const least = acre_gltf_text(asset, "minVersion");
    if (version == NULL || strncmp(version, "2.", 2) != 0) {
        file->needs_assimp = true;
        return true;
    }
    if (least != NULL && strcmp(least, "2.0") != 0) {
        return acre_gltf_refuse(file, "asset.minVersion", "%.16s is not known", least);
    }
    return true;
}

/// What a node is called where it has no name.
static gltf_place node_name(const gltf_file *file, const gltf_node *node, const char **name)
{
    const gltf_place own = node->file_node == GLTF_NONE
                               ? acre_gltf_at("ROOT")
                               : acre_gltf_at("nodes[%u]", (unsigned)node->file_node);
    *name = node->file_node == GLTF_NONE
                ? NULL
                : acre_gltf_text(acre_gltf_item(file, GLTF_NODES, node->file_node), "name");
    return own;
}

static void count_names(const gltf_file *file, const gltf_tree *tree, import_counts *counts)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const char *name;
        const gltf_place own = node_name(file, &tree->nodes[i], &name);
        counts->name_bytes += strlen(name != NULL ? name : own.text) + 1;
    }
}

static void write_nodes(const gltf_file *file, const gltf_tree *tree, const gltf_meshes *meshes,
                        const import_raw *raw)
{
    uint32_t *node_mesh = raw->node_meshes;
    char *names = raw->names;
    for (uint32_t i = 0; i < tree->count; i++) {
        const gltf_node *const from = &tree->nodes[i];
        import_raw_node *const to = &raw->nodes[i];
        const char *name;
        const gltf_place own = node_name(file, from, &name);
        name = name != NULL ? name : own.text;
        *to = (import_raw_node){.parent = from->parent,
                                .file_node = from->file_node,
                                .name_size = (uint32_t)strlen(name) + 1,
                                .reach = from->reach};
        memcpy(to->local, from->local, sizeof to->local);
        memcpy(names, name, to->name_size);
        names += to->name_size;
        if (from->has_mesh) {
            const gltf_variant *const variant = &meshes->variants[from->variant];
            to->mesh_count = variant->count;
            for (uint32_t k = 0; k < variant->count; k++) {
                *node_mesh++ = variant->first + k;
            }
        }
    }
}

/// What the bounds of the model do not hold.
static bool add_notes(gltf_file *file, const gltf_meshes *meshes)
{
    bool has_skins = false;
    for (uint32_t i = 0; i < meshes->count; i++) {
        has_skins |= meshes->variants[i].skin != GLTF_NONE;
    }
    return !has_skins || file->lists[GLTF_ANIMATIONS].count == 0 ||
           acre_gltf_note(file,
                          "skins: bounds at the keys of %u animations; between two keys a limb "
                          "may swing outside",
                          (unsigned)file->lists[GLTF_ANIMATIONS].count);
}

static bool read_model(gltf_file *file, import_block **block)
{
    gltf_tree tree;
    gltf_meshes meshes;
    import_counts counts = {0};
    if (!acre_gltf_list_arrays(file) || !acre_gltf_read_tree(file, &tree) ||
        !acre_gltf_count_meshes(file, &tree, &meshes, &counts) || !add_notes(file, &meshes)) {
        return false;
    }
    counts.nodes = tree.count;
    counts.note_bytes = file->notes_size;
    count_names(file, &tree, &counts);
    if (acre_import_block_allocate(&counts, file->allocator, block) != ACRE_OK) {
        return acre_gltf_refuse_memory(file);
    }
    if (!acre_gltf_write_meshes(file, &tree, &meshes, &(*block)->raw)) {
        return false;
    }
    write_nodes(file, &tree, &meshes, &(*block)->raw);
    if (file->notes_size > 0) {
        memcpy((*block)->raw.notes, file->notes, file->notes_size);
    }
    import_fault fault;
    const acre_result result = acre_import_block_finish(*block, &fault);
    // The readers have checked everything, with better words.
    ACRE_INVARIANT(result == ACRE_OK);
    return result == ACRE_OK || acre_gltf_refuse(file, "glTF", "%s", fault.text);
}

acre_result acre_import_read_gltf(const import_job *job, const void *bytes, size_t size,
                                  acre_import_model **out, bool *needs_assimp)
{
    gltf_file file = {
        .path = job->path, .allocator = job->allocator, .room = room_of_file + room_of_byte * size};
    import_block *block = NULL;
    const bool is_opened = acre_gltf_open(&file, bytes, size) &&
                           (file.needs_assimp || check_version(&file)) &&
                           (file.needs_assimp || check_extensions(&file));
    const bool is_read = is_opened && !file.needs_assimp && read_model(&file, &block);
    acre_gltf_close(&file);
    *needs_assimp = is_opened && file.needs_assimp;
    if (is_read) {
        *out = &block->model;
        return ACRE_OK;
    }
    if (block != NULL) {
        acre_import_free(&block->model);
    }
    ACRE_INVARIANT(*needs_assimp || file.result != ACRE_OK);
    return *needs_assimp ? ACRE_OK : acre_import_fail(job, file.result, "%s", file.fault);
}
