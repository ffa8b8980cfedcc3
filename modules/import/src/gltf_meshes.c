// SPDX-License-Identifier: MIT
// gltf_meshes.c - primitives of a glTF as points, triangles and lines.
//
// Each primitive becomes a mesh of the model, in the file's order, whether a node uses it or not.
// Where nodes use one mesh with different skins, or with different weights of its morph targets,
// their points differ, and there is a variant of the mesh for each.
#include "assert_internal.h"
#include "gltf_internal.h"
#include "gltf_skin.h"

#include "float_bits.h"

/// The forms that points make, as the format numbers them.
enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, MODE_COUNT };

typedef struct primitive {
    const cJSON *json;
    gltf_place place;
    gltf_accessor positions; ///< no component: there are no positions
    gltf_accessor indices;   ///< no component: each point is a corner, in order
    uint64_t mode;
    uint32_t corners;
    uint32_t triangles;
    uint32_t lines;
} primitive;

static bool count_shapes(gltf_file *file, primitive *out)
{
    const uint32_t n = out->corners;
    switch (out->mode) {
    case POINTS:
        break;
    case LINES:
        out->lines = n / 2;
        break;
    case LINE_LOOP:
        out->lines = n > 1 ? n : 0;
        break;
    case LINE_STRIP:
        out->lines = n > 1 ? n - 1 : 0;
        break;
    case TRIANGLES:
        out->triangles = n / 3;
        break;
    case TRIANGLE_STRIP:
    case TRIANGLE_FAN:
        out->triangles = n > 2 ? n - 2 : 0;
        break;
    default:
        return acre_gltf_refuse(file, out->place.text, "there is no mode %llu",
                                (unsigned long long)out->mode);
    }
    return true;
}

static bool open_positions(gltf_file *file, primitive *out)
{
    const cJSON *const position =
        acre_gltf_member(acre_gltf_member(out->json, "attributes"), "POSITION");
    if (position == NULL) {
        return true; // the format allows it, for extensions
    }
    const gltf_place place = acre_gltf_at("%s.POSITION", out->place.text);
    if (!acre_gltf_find_accessor(file, place.text, position, &out->positions)) {
        return false;
    }
    if (out->positions.components != 3 || out->positions.type == GLTF_UNSIGNED_INT) {
        return acre_gltf_refuse(file, place.text, "its type is that of no positions");
    }
    if (out->positions.bytes == NULL && out->positions.count > 0 &&
        acre_gltf_extension(out->json, GLTF_DRACO) != NULL) {
        return acre_gltf_refuse(file, place.text, "its bytes stand in " GLTF_DRACO " alone");
    }
    out->corners = out->positions.count;
    return true;
}

static bool open_primitive(gltf_file *file, uint32_t mesh, uint32_t number, const cJSON *json,
                           primitive *out)
{
    *out = (primitive){.json = json};
    out->place = acre_gltf_at("meshes[%u].primitives[%u]", (unsigned)mesh, (unsigned)number);
    if (!acre_gltf_number(file, out->place.text, json, "mode", TRIANGLES, &out->mode) ||
        !open_positions(file, out)) {
        return false;
    }
    const cJSON *const indices = acre_gltf_member(json, "indices");
    if (indices != NULL) {
        const gltf_place place = acre_gltf_at("%s.indices", out->place.text);
        if (!acre_gltf_find_accessor(file, place.text, indices, &out->indices)) {
            return false;
        }
        if (out->indices.components != 1 || !acre_gltf_is_unsigned(&out->indices)) {
            return acre_gltf_refuse(file, place.text, "its type is that of no indices");
        }
        out->corners = out->indices.count;
    }
    return count_shapes(file, out);
}

static const cJSON *first_primitive(const gltf_file *file, uint32_t mesh)
{
    const cJSON *const list =
        acre_gltf_member(acre_gltf_item(file, GLTF_MESHES, mesh), "primitives");
    return list != NULL ? list->child : NULL; // count_variant makes sure that it is an array
}

// ---- variants ----

static bool has_targets(const gltf_file *file, uint32_t mesh)
{
    const cJSON *item = first_primitive(file, mesh);
    while (item != NULL && acre_gltf_member(item, "targets") == NULL) {
        item = item->next;
    }
    return item != NULL;
}

/// Finds the variant that a node needs, or makes it.
static uint32_t find_variant(gltf_meshes *meshes, const gltf_variant *wanted)
{
    uint32_t at = wanted->mesh;
    for (;;) {
        gltf_variant *const found = &meshes->variants[at];
        if (!found->is_used ||
            (found->skin == wanted->skin && found->weight_node == wanted->weight_node)) {
            found->skin = wanted->skin;
            found->weight_node = wanted->weight_node;
            found->is_used = true;
            return at;
        }
        if (found->next == GLTF_NONE) {
            found->next = meshes->count;
            meshes->variants[meshes->count] = *wanted;
            return meshes->count++;
        }
        at = found->next;
    }
}

static bool find_variants(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes)
{
    const uint32_t count = file->lists[GLTF_MESHES].count;
    meshes->variants =
        acre_gltf_take(file, (uint64_t)count + tree->count, sizeof *meshes->variants);
    if (meshes->variants == NULL) {
        return false;
    }
    const gltf_variant plain = {
        .skin = GLTF_NONE, .weight_node = GLTF_NONE, .next = GLTF_NONE, .reach = acre_aabb_empty()};
    for (meshes->count = 0; meshes->count < count; meshes->count++) {
        meshes->variants[meshes->count] = plain;
        meshes->variants[meshes->count].mesh = meshes->count;
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        gltf_node *const node = &tree->nodes[i];
        node->variant = GLTF_NONE;
        if (!node->has_mesh) {
            continue;
        }
        gltf_variant wanted = plain;
        wanted.is_used = true;
        wanted.mesh = tree->meshes[node->file_node];
        wanted.skin = tree->skins[node->file_node];
        const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node->file_node);
        if (acre_gltf_member(json, "weights") != NULL && has_targets(file, wanted.mesh)) {
            wanted.weight_node = node->file_node;
        }
        node->variant = find_variant(meshes, &wanted);
    }
    return true;
}

static bool count_variant(gltf_file *file, gltf_variant *variant, import_counts *counts)
{
    const cJSON *const mesh = acre_gltf_item(file, GLTF_MESHES, variant->mesh);
    if (!cJSON_IsArray(acre_gltf_member(mesh, "primitives"))) {
        const gltf_place place = acre_gltf_at("meshes[%u].primitives", (unsigned)variant->mesh);
        return acre_gltf_refuse(file, place.text, "it is no array");
    }
    variant->first = (uint32_t)counts->meshes;
    for (const cJSON *item = first_primitive(file, variant->mesh); item; item = item->next) {
        primitive part;
        if (!open_primitive(file, variant->mesh, variant->count, item, &part) ||
            !acre_gltf_spend(file, part.place.text, part.positions.count, 12) ||
            !acre_gltf_spend(file, part.place.text, part.corners, 16)) {
            return false;
        }
        counts->points += part.positions.count;
        counts->triangles += part.triangles;
        counts->lines += part.lines;
        variant->count++;
    }
    counts->meshes += variant->count;
    return true;
}

bool acre_gltf_count_meshes(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes,
                            import_counts *counts)
{
    if (!find_variants(file, tree, meshes)) {
        return false;
    }
    for (uint32_t i = 0; i < meshes->count; i++) {
        if (!count_variant(file, &meshes->variants[i], counts)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        const gltf_node *const node = &tree->nodes[i];
        const uint32_t count = node->has_mesh ? meshes->variants[node->variant].count : 0;
        if (!acre_gltf_spend(file, "nodes", count, 4)) {
            return false;
        }
        counts->node_meshes += count;
    }
    return true;
}

// ---- points ----

/// Adds a morph target to the points, as far as its weight says.
static bool add_target(gltf_file *file, const primitive *part, const cJSON *target, float weight,
                       float *points)
{
    const cJSON *const position = acre_gltf_member(target, "POSITION");
    if (position == NULL || weight == 0.0f) {
        return true;
    }
    const gltf_place place = acre_gltf_at("%s.targets.POSITION", part->place.text);
    gltf_accessor moves;
    if (!acre_gltf_find_accessor(file, place.text, position, &moves)) {
        return false;
    }
    if (!acre_gltf_spend(file, place.text, moves.count, 12)) {
        return false;
    }
    if (moves.components != 3 || moves.count != part->positions.count) {
        return acre_gltf_refuse(file, place.text, "it does not fit the positions");
    }
    float *const numbers = acre_gltf_take(file, moves.count, 3 * sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    acre_gltf_read_floats(&moves, numbers);
    for (size_t i = 0; i < 3 * (size_t)moves.count; i++) {
        points[i] += weight * numbers[i];
    }
    return true;
}

/// Morphs the points by the weights that the variant has when nothing animates it.
static bool morph_points(gltf_file *file, const gltf_variant *variant, const primitive *part,
                         float *points)
{
    const cJSON *const targets = acre_gltf_member(part->json, "targets");
    const cJSON *const owner = variant->weight_node != GLTF_NONE
                                   ? acre_gltf_item(file, GLTF_NODES, variant->weight_node)
                                   : acre_gltf_item(file, GLTF_MESHES, variant->mesh);
    const cJSON *const weights = acre_gltf_member(owner, "weights");
    const cJSON *weight = cJSON_IsArray(weights) ? weights->child : NULL;
    const cJSON *target = cJSON_IsArray(targets) ? targets->child : NULL;
    while (target != NULL && weight != NULL) {
        if (!cJSON_IsNumber(weight)) {
            return acre_gltf_refuse(file, part->place.text, "a weight of its targets is no number");
        }
        if (!add_target(file, part, target, (float)weight->valuedouble, points)) {
            return false;
        }
        target = target->next;
        weight = weight->next;
    }
    return true;
}

static bool check_points(gltf_file *file, const primitive *part, const float *points)
{
    for (uint32_t i = 0; i < part->positions.count; i++) {
        if (!floats_are_finite(points + 3 * (size_t)i, 3)) {
            return acre_gltf_refuse(file, part->place.text, "position %u is not finite",
                                    (unsigned)i);
        }
    }
    return true;
}

// ---- triangles and lines ----

/// The corners of a triangle: positions among the primitive's corners.
static void triangle_corners(uint64_t mode, uint32_t triangle, uint32_t corners[3])
{
    const uint32_t odd = triangle % 2;
    corners[0] = mode == TRIANGLES ? 3 * triangle : triangle;
    corners[1] = corners[0] + 1;
    corners[2] = corners[0] + 2;
    if (mode == TRIANGLE_STRIP) { // each second one is turned round
        corners[1] += odd;
        corners[2] -= odd;
    } else if (mode == TRIANGLE_FAN) {
        corners[0] = triangle + 1;
        corners[1] = triangle + 2;
        corners[2] = 0;
    }
}

static bool write_shapes(gltf_file *file, const primitive *part, uint32_t *triangles,
                         uint32_t *lines)
{
    const bool has_indices = part->indices.components > 0;
    uint32_t *const numbers = acre_gltf_take(file, part->corners, sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    if (has_indices) {
        acre_gltf_read_numbers(&part->indices, numbers);
    }
    for (uint32_t i = 0; i < part->corners; i++) {
        numbers[i] = has_indices ? numbers[i] : i;
        if (numbers[i] >= part->positions.count) {
            return acre_gltf_refuse(file, part->place.text, "index %u names point %lu of %lu",
                                    (unsigned)i, (unsigned long)numbers[i],
                                    (unsigned long)part->positions.count);
        }
    }
    for (uint32_t i = 0; i < part->triangles; i++) {
        uint32_t corners[3];
        triangle_corners(part->mode, i, corners);
        for (int corner = 0; corner < 3; corner++) {
            ACRE_INVARIANT(corners[corner] < part->corners); // count_shapes
            *triangles++ = numbers[corners[corner]];
        }
    }
    for (uint32_t i = 0; i < part->lines; i++) {
        const uint32_t from = part->mode == LINES ? 2 * i : i;
        *lines++ = numbers[from];
        *lines++ = numbers[(from + 1) % part->corners]; // a loop ends where it began
    }
    return true;
}

/// Where the next mesh is written.
typedef struct mesh_cursor {
    import_raw_mesh *mesh;
    float *points;
    uint32_t *triangles;
    uint32_t *lines;
} mesh_cursor;

static bool write_variant(gltf_file *file, const gltf_variant *variant, const gltf_skins *skins,
                          gltf_skin *skin, mesh_cursor *to)
{
    uint32_t number = 0;
    for (const cJSON *item = first_primitive(file, variant->mesh); item; item = item->next) {
        primitive part;
        if (!open_primitive(file, variant->mesh, number++, item, &part)) {
            return false;
        }
        *to->mesh++ = (import_raw_mesh){part.positions.count, part.triangles, part.lines};
        if (part.positions.count > 0) {
            acre_gltf_read_floats(&part.positions, to->points);
            if (!morph_points(file, variant, &part, to->points) ||
                !check_points(file, &part, to->points) ||
                (skin != NULL && !acre_gltf_skin_points(file, skins, skin, part.place.text, item,
                                                        to->points, part.positions.count))) {
                return false;
            }
        }
        if (!write_shapes(file, &part, to->triangles, to->lines)) {
            return false;
        }
        // A section without elements is NULL.
        to->points = to->points != NULL ? to->points + 3 * (size_t)part.positions.count : NULL;
        to->triangles = to->triangles != NULL ? to->triangles + 3 * (size_t)part.triangles : NULL;
        to->lines = to->lines != NULL ? to->lines + 2 * (size_t)part.lines : NULL;
    }
    ACRE_INVARIANT(number == variant->count);
    return true;
}

bool acre_gltf_write_meshes(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes,
                            const import_raw *raw)
{
    mesh_cursor to = {raw->meshes, raw->points, raw->triangles, raw->lines};
    gltf_skins skins;
    if (!acre_gltf_read_skins(file, tree, &skins)) {
        return false;
    }
    for (uint32_t i = 0; i < meshes->count; i++) {
        gltf_variant *const variant = &meshes->variants[i];
        gltf_skin skin;
        if (variant->skin == GLTF_NONE) {
            if (!write_variant(file, variant, &skins, NULL, &to)) {
                return false;
            }
            continue;
        }
        if (!acre_gltf_open_skin(file, variant->skin, &skin) ||
            !write_variant(file, variant, &skins, &skin, &to) ||
            !acre_gltf_skin_reach(file, &skins, &skin, &variant->reach)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].has_mesh) {
            tree->nodes[i].reach = meshes->variants[tree->nodes[i].variant].reach;
        }
    }
    return true;
}
