// SPDX-License-Identifier: MIT
// gltf_meshes.c - primitives of a glTF as points, triangles and lines.
//
// Each primitive becomes a mesh of the model, in the file's order, whether a node uses it or not.
// A node with a skin, or with own weights of the morph targets, needs points of its own: a variant.
#include "assert_internal.h"
#include "gltf_internal.h"
#include "gltf_skin.h"

#include "float_bits.h"

/// The forms that points make, as the format numbers them.
enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, MODE_COUNT };

typedef struct primitive {
    const cJSON *json;
    gltf_accessor positions;
    gltf_accessor indices; ///< no component: each point is a corner, in order
    uint64_t mode;
    uint32_t corners;
    uint32_t triangles;
    uint32_t lines;
} primitive;

static void count_shapes(primitive *out)
{
    const uint32_t n = out->corners;
    if (out->mode == TRIANGLES) {
        out->triangles = n / 3;
    } else if (out->mode >= TRIANGLE_STRIP) {
        out->triangles = n > 2 ? n - 2 : 0;
    } else if (out->mode == LINES) {
        out->lines = n / 2;
    } else if (out->mode != POINTS && n > 1) {
        out->lines = out->mode == LINE_LOOP ? n : n - 1;
    }
}

static primitive open_primitive(gltf_file *file, uint32_t mesh, uint32_t number, const cJSON *json)
{
    primitive made = {.json = json, .mode = TRIANGLES};
    const cJSON *const position =
        acre_gltf_member(acre_gltf_member(json, "attributes"), "POSITION");
    const cJSON *const indices = acre_gltf_member(json, "indices");
    acre_gltf_at(file, "meshes[%u].primitives[%u]", (unsigned)mesh, (unsigned)number);
    if (acre_gltf_member(json, "mode") != NULL) {
        made.mode = acre_gltf_number(file, json, "mode");
    }
    if (made.mode >= MODE_COUNT) {
        acre_gltf_refuse(file, "there is no mode %llu", (unsigned long long)made.mode);
    }
    if (position != NULL) { // the format lets extensions do without
        made.positions = acre_gltf_find_accessor(file, position, "POSITION", 3, GLTF_FLOATS);
        if (made.positions.bytes.start == NULL && acre_gltf_extension(json, GLTF_DRACO) != NULL) {
            acre_gltf_refuse(file, "its bytes stand in " GLTF_DRACO " alone");
        }
    }
    made.corners = made.positions.count;
    if (indices != NULL) {
        made.indices = acre_gltf_find_accessor(file, indices, "indices", 1, GLTF_NUMBERS);
        made.corners = made.indices.count;
    }
    count_shapes(&made);
    return made;
}

static const cJSON *first_primitive(gltf_file *file, uint32_t mesh)
{
    acre_gltf_at(file, "meshes[%u]", (unsigned)mesh);
    return acre_gltf_first(file, acre_gltf_item(file, GLTF_MESHES, mesh), "primitives");
}

// ---- variants ----

/// Whether a node's points differ from those of its mesh.
static bool needs_variant(const gltf_file *file, const gltf_tree *tree, uint32_t node)
{
    return tree->skins[node] != GLTF_NONE ||
           acre_gltf_member(acre_gltf_item(file, GLTF_NODES, node), "weights") != NULL;
}

/// Adds a variant, if it is not the last one: a node's instances follow each other.
static uint32_t add_variant(gltf_meshes *meshes, uint32_t mesh, uint32_t node)
{
    gltf_variant *const next = &meshes->variants[meshes->count];
    if (meshes->count == 0 || next[-1].mesh != mesh || next[-1].node != node) {
        *next = (gltf_variant){.mesh = mesh, .node = node, .reach = acre_aabb_empty()};
        meshes->count++;
    }
    return meshes->count - 1;
}

/// First the meshes as they are, but for those that no node uses so; then the others.
static void find_variants(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes)
{
    const uint32_t count = file->lists[GLTF_MESHES].count;
    *meshes = (gltf_meshes){
        .variants = acre_gltf_take(file, (uint64_t)count + tree->count, sizeof *meshes->variants)};
    bool *const is_bent = acre_gltf_take(file, count, sizeof *is_bent);
    uint32_t *const plain = acre_gltf_take(file, count, sizeof *plain);
    for (int pass = 0; plain != NULL && pass < 3; pass++) {
        for (uint32_t i = 0; i < tree->count; i++) {
            gltf_node *const node = &tree->nodes[i];
            const uint32_t mesh = node->has_mesh ? tree->meshes[node->file_node] : GLTF_NONE;
            const bool is_own = mesh != GLTF_NONE && needs_variant(file, tree, node->file_node);
            if (mesh == GLTF_NONE) {
                continue;
            }
            if (pass == 2) {
                node->variant = is_own ? add_variant(meshes, mesh, node->file_node) : plain[mesh];
            } else if (is_own == (pass == 0)) {
                is_bent[mesh] = is_own; // the second pass has the last word
            }
        }
        for (uint32_t i = 0; pass == 1 && i < count; i++) {
            plain[i] = is_bent[i] ? GLTF_NONE : add_variant(meshes, i, GLTF_NONE);
        }
    }
}

void acre_gltf_count_meshes(gltf_file *file, gltf_tree *tree, gltf_meshes *meshes,
                            import_counts *counts)
{
    find_variants(file, tree, meshes);
    for (uint32_t i = 0; i < meshes->count && file->result == ACRE_OK; i++) {
        gltf_variant *const variant = &meshes->variants[i];
        const cJSON *item = first_primitive(file, variant->mesh);
        variant->first = (uint32_t)counts->meshes;
        for (; item != NULL && file->result == ACRE_OK; item = item->next) {
            const primitive part = open_primitive(file, variant->mesh, variant->count++, item);
            acre_gltf_spend(file, 1, sizeof(acre_import_mesh) + sizeof(import_raw_mesh));
            acre_gltf_spend(file, part.positions.count, 12);
            acre_gltf_spend(file, part.corners, 16);
            counts->points += part.positions.count;
            counts->triangles += part.triangles;
            counts->lines += part.lines;
        }
        counts->meshes += variant->count;
    }
    for (uint32_t i = 0; i < tree->count && file->result == ACRE_OK; i++) {
        const gltf_node *const node = &tree->nodes[i];
        const uint32_t count = node->has_mesh ? meshes->variants[node->variant].count : 0;
        acre_gltf_spend(file, count, 4);
        counts->node_meshes += count;
    }
}

// ---- points, triangles and lines ----

/// Morphs the points by the weights that the variant has when nothing animates it.
static void morph_points(gltf_file *file, const gltf_variant *variant, const primitive *part,
                         float *points)
{
    const cJSON *const node =
        variant->node != GLTF_NONE ? acre_gltf_item(file, GLTF_NODES, variant->node) : NULL;
    const cJSON *const mesh = acre_gltf_item(file, GLTF_MESHES, variant->mesh);
    const cJSON *const owner = acre_gltf_member(node, "weights") != NULL ? node : mesh;
    const cJSON *weight = acre_gltf_first(file, owner, "weights");
    const cJSON *target = acre_gltf_first(file, part->json, "targets");
    for (; target != NULL && weight != NULL && acre_gltf_spend(file, 1, 1);
         target = target->next, weight = weight->next) {
        const cJSON *const position = acre_gltf_member(target, "POSITION");
        uint32_t count = part->positions.count;
        if (position == NULL || weight->valuedouble == 0.0) {
            continue;
        }
        const float *const moves =
            acre_gltf_take_floats(file, position, "targets.POSITION", 3, &count);
        for (size_t i = 0; moves != NULL && i < 3 * (size_t)count; i++) {
            points[i] += (float)weight->valuedouble * moves[i];
        }
    }
}

static void write_points(gltf_file *file, const gltf_variant *variant, const primitive *part,
                         gltf_skin *skin, float *points)
{
    const uint32_t count = part->positions.count;
    acre_gltf_read_floats(&part->positions, points);
    morph_points(file, variant, part, points);
    if (skin != NULL) {
        acre_gltf_skin_points(file, skin, part->json, points, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!floats_are_finite(points + 3 * (size_t)i, 3)) {
            acre_gltf_refuse(file, "position %u is not finite", (unsigned)i);
        }
    }
}

/// The corners of a triangle: positions among the primitive's corners.
static void triangle_corners(uint64_t mode, uint32_t triangle, uint32_t corners[3])
{
    const uint32_t odd = mode == TRIANGLE_STRIP ? triangle % 2 : 0; // these are turned round
    const uint32_t first = mode == TRIANGLES ? 3 * triangle : triangle;
    const bool is_fan = mode == TRIANGLE_FAN;
    corners[0] = is_fan ? first + 1 : first;
    corners[1] = is_fan ? first + 2 : first + 1 + odd;
    corners[2] = is_fan ? 0 : first + 2 - odd;
}

static void write_shapes(gltf_file *file, const primitive *part, uint32_t *triangles,
                         uint32_t *lines)
{
    uint32_t *const numbers = acre_gltf_take(file, part->corners, sizeof *numbers);
    if (numbers != NULL && part->indices.components > 0) {
        acre_gltf_read_numbers(&part->indices, numbers);
    }
    for (uint32_t i = 0; numbers != NULL && i < part->corners; i++) {
        numbers[i] = part->indices.components > 0 ? numbers[i] : i;
        if (numbers[i] >= part->positions.count) {
            acre_gltf_refuse(file, "index %u names point %lu of %lu", (unsigned)i,
                             (unsigned long)numbers[i], (unsigned long)part->positions.count);
        }
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < part->triangles; i++) {
        uint32_t corners[3];
        triangle_corners(part->mode, i, corners);
        for (int corner = 0; corner < 3; corner++) {
            ACRE_INVARIANT(corners[corner] < part->corners); // count_shapes
            *triangles++ = numbers[corners[corner]];
        }
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < part->lines; i++) {
        const uint32_t from = part->mode == LINES ? 2 * i : i;
        *lines++ = numbers[from];
        *lines++ = numbers[(from + 1) % part->corners]; // a loop ends where it began
    }
}

/// Writes a variant behind what `to` points at, and moves that.
static void write_variant(gltf_file *file, const gltf_variant *variant, gltf_skin *skin,
                          import_raw *to)
{
    uint32_t number = 0;
    const cJSON *item = first_primitive(file, variant->mesh);
    for (; item != NULL && file->result == ACRE_OK; item = item->next) {
        const primitive part = open_primitive(file, variant->mesh, number++, item);
        *to->meshes++ = (import_raw_mesh){part.positions.count, part.triangles, part.lines};
        write_points(file, variant, &part, skin, to->points);
        write_shapes(file, &part, to->triangles, to->lines);
        // A section without elements is NULL.
        to->points = to->points != NULL ? to->points + 3 * (size_t)part.positions.count : NULL;
        to->triangles = to->triangles != NULL ? to->triangles + 3 * (size_t)part.triangles : NULL;
        to->lines = to->lines != NULL ? to->lines + 2 * (size_t)part.lines : NULL;
    }
}

void acre_gltf_write_meshes(gltf_file *file, const gltf_tree *tree, gltf_meshes *meshes,
                            const import_raw *raw)
{
    import_raw to = *raw;
    gltf_skins skins = {.tree = tree};
    for (uint32_t i = 0; i < meshes->count && file->result == ACRE_OK; i++) {
        gltf_variant *const variant = &meshes->variants[i];
        const uint32_t number = variant->node != GLTF_NONE ? tree->skins[variant->node] : GLTF_NONE;
        gltf_skin *const skin =
            number != GLTF_NONE ? acre_gltf_open_skin(file, &skins, number, &variant->reach) : NULL;
        if (file->result == ACRE_OK) {
            write_variant(file, variant, skin, &to);
        }
    }
    acre_gltf_reach(file, &skins);
}
