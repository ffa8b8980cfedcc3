// SPDX-License-Identifier: MIT
// gltf_file.c - reads a glTF of version 2: what it demands, then its nodes, then its meshes.
#include "assert_internal.h"
#include "gltf_internal.h"

/// The limit on what reading a file costs, in bytes of memory or steps of work: so much for each
/// byte of the file, and so much for any file.
static const uint64_t room_of_byte = 256, room_of_file = UINT64_C(4) << 20;

/// Extensions that change no position; and all that begin with KHR_materials_.
static const char harmless_extensions[] =
    " EXT_lights_ies EXT_lights_image_based EXT_texture_avif EXT_texture_webp KHR_animation_pointer"
    " KHR_lights_punctual KHR_technique_webgl KHR_techniques_webgl KHR_texture_basisu"
    " KHR_texture_transform KHR_xmp KHR_xmp_json_ld MSFT_texture_dds ";

/// Those that are read here.
static const char own_extensions[] =
    " " GLTF_QUANTIZATION " " GLTF_INSTANCING " " GLTF_COMPRESSION " ";

/// Those by which a node may be drawn otherwise than it stands, or not at all.
static const char changing_extensions[] = " KHR_animation_pointer KHR_node_visibility MSFT_lod ";

static bool is_listed(const char *list, const char *name)
{
    const char *const found = strstr(list, name);
    return name[0] != '\0' && strchr(name, ' ') == NULL && found != NULL && found[-1] == ' ' &&
           found[strlen(name)] == ' ';
}

/// A required extension that is not known is refused, a used one noted. Draco is assimp's work, but
/// assimp knows nothing of others that move points, and applies no skin.
static void check_extensions(gltf_file *file, const char *list, bool is_required)
{
    bool has_draco = false, has_own = false;
    acre_gltf_at(file, "glTF");
    const cJSON *item = acre_gltf_first(file, file->root, list);
    acre_gltf_at(file, "%s", list);
    for (; item != NULL; item = item->next) {
        const char *const name = cJSON_IsString(item) ? item->valuestring : "(no name)";
        file->may_change |= is_listed(changing_extensions, name);
        if (strcmp(name, GLTF_DRACO) == 0) {
            has_draco = true;
        } else if (is_listed(own_extensions, name)) {
            has_own = true;
        } else if (is_listed(harmless_extensions, name) ||
                   strncmp(name, "KHR_materials_", 14) == 0) {
            continue;
        } else if (is_required) {
            const bool is_later = strcmp(name, "KHR_meshopt_compression") == 0;
            acre_gltf_refuse(file, "%.64s is not known%s", name,
                             is_later ? "; gltfpack -ce ext writes " GLTF_COMPRESSION : "");
        } else {
            acre_gltf_note(file, "the file uses %.64s, which is not read", name);
        }
    }
    file->needs_assimp |= is_required && has_draco;
    has_own |= acre_gltf_member(file, file->root, "skins") != NULL;
    if (has_own && file->needs_assimp) {
        acre_gltf_refuse(file, GLTF_DRACO " cannot be read together with " GLTF_QUANTIZATION
                                          ", " GLTF_INSTANCING ", " GLTF_COMPRESSION " or skins");
    }
}

/// Whether it is a glTF of version 2, without Draco. Draco and version 1, whose nodes are no array,
/// are jobs for assimp; no other version is known.
static void check_demands(gltf_file *file)
{
    const cJSON *const asset = acre_gltf_member(file, file->root, "asset");
    const char *const version = acre_gltf_text(file, asset, "version");
    const char *const least = acre_gltf_text(file, asset, "minVersion");
    file->needs_assimp = version != NULL
                             ? strncmp(version, "1.", 2) == 0
                             : cJSON_IsObject(acre_gltf_member(file, file->root, "nodes"));
    if (file->needs_assimp) {
        return;
    }
    acre_gltf_at(file, "asset.version");
    if (version == NULL) {
        acre_gltf_refuse(file, "it is missing, or no text");
    } else if (strncmp(version, "2.", 2) != 0) {
        acre_gltf_refuse(file, "%.16s is not known", version);
    }
    if (least != NULL && strcmp(least, "2.0") != 0) {
        acre_gltf_at(file, "asset.minVersion");
        acre_gltf_refuse(file, "%.16s is not known", least);
    }
    check_extensions(file, "extensionsRequired", true);
    check_extensions(file, "extensionsUsed", false);
}

static void write_nodes(const gltf_file *file, const import_raw *raw)
{
    uint32_t *node_mesh = raw->node_meshes;
    acre_occluder *occluder = raw->occluders;
    char *name = raw->names;
    for (uint32_t i = 0; i < file->counts.nodes; i++) {
        const gltf_made *const from = &file->made[i];
        import_raw_node *const to = &raw->nodes[i];
        *to = (import_raw_node){.parent = from->parent,
                                .file_node = from->file_node,
                                .occluder_count = from->occluder_count,
                                .name_size = (uint32_t)strlen(from->name) + 1,
                                .reach = acre_aabb_empty()};
        memcpy(to->local, from->local, sizeof to->local);
        memcpy(name, from->name, to->name_size);
        name += to->name_size;
        for (uint32_t k = 0; k < from->occluder_count; k++) {
            *occluder++ = from->occluders[k];
        }
        if (from->mesh != GLTF_NONE) {
            const gltf_variant *const variant = &file->variants[from->mesh];
            to->reach = variant->reach;
            to->mesh_count = variant->count;
            for (uint32_t k = 0; k < variant->count; k++) {
                *node_mesh++ = variant->first + k;
            }
        }
    }
}

static void read_model(gltf_file *file, import_block **block)
{
    acre_gltf_read_nodes(file);
    acre_gltf_read_materials(file);
    acre_gltf_count_meshes(file);
    if (file->lists[GLTF_ANIMATIONS].count > 0) {
        acre_gltf_note(file, "animations: bounds at the keys for skins, between which a limb may "
                             "swing outside; at rest for all else, also for morph targets");
    }
    file->counts.note_bytes = file->notes[0] != '\0' ? strlen(file->notes) + 1 : 0;
    if (file->result != ACRE_OK) {
        return;
    }
    const acre_result result =
        acre_import_block_allocate(&file->counts, file->job->allocator, block);
    if (result != ACRE_OK) {
        acre_gltf_refuse_size(file, result);
        return;
    }
    acre_gltf_write_meshes(file, (*block)->raw);
    if (file->result == ACRE_OK) {
        write_nodes(file, &(*block)->raw);
        memcpy((*block)->raw.notes, file->notes, (size_t)file->counts.note_bytes);
        file->result = acre_import_block_finish(*block, file->job);
        ACRE_INVARIANT(file->result == ACRE_OK); // everything is checked before, in better words
    }
}

acre_result acre_import_read_gltf(const import_job *job, const void *bytes, size_t size,
                                  acre_import_model **out, bool *needs_assimp)
{
    gltf_file file = {.job = job, .room = room_of_file + room_of_byte * size};
    import_block *block = NULL;
    acre_gltf_open(&file, (gltf_bytes){bytes, size});
    if (file.result == ACRE_OK && !file.needs_assimp) {
        check_demands(&file);
    }
    if (file.result == ACRE_OK && !file.needs_assimp) {
        acre_gltf_list_arrays(&file);
        read_model(&file, &block);
    }
    acre_gltf_close(&file);
    *needs_assimp = file.result == ACRE_OK && file.needs_assimp;
    if (file.result == ACRE_OK && block != NULL) {
        *out = &block->model;
    } else if (block != NULL) {
        acre_import_free(&block->model);
    }
    return file.result;
}
