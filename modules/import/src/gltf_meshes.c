// SPDX-License-Identifier: MIT
// gltf_meshes.c - primitives of a glTF as points, triangles and lines.
//
// Each primitive becomes a mesh of the model, in the file's order, whether a node uses it or not.
// A node with a skin, or with own weights of the morph targets, needs points of its own: a variant.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

/// The forms that points make, as the format numbers them.
enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, MODE_COUNT };

typedef struct primitive {
    const cJSON *json, *attributes;
    bool has_points;  ///< the format lets extensions do without
    bool has_indices; ///< or else each point is a corner, in order
    uint64_t mode;
    uint32_t points, corners;
    uint32_t triangles, lines;
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
    acre_gltf_at(file, "meshes[%u].primitives[%u]", (unsigned)mesh, (unsigned)number);
    const cJSON *const attributes = acre_gltf_member(file, json, "attributes");
    primitive made = {.json = json,
                      .attributes = attributes,
                      .has_points = acre_gltf_member(file, attributes, "POSITION") != NULL,
                      .has_indices = acre_gltf_member(file, json, "indices") != NULL,
                      .mode = TRIANGLES};
    if (acre_gltf_member(file, json, "mode") != NULL) {
        made.mode = acre_gltf_number(file, json, "mode");
    }
    if (made.mode >= MODE_COUNT) {
        acre_gltf_refuse(file, "there is no mode %llu", (unsigned long long)made.mode);
    }
    if (made.has_points) {
        made.points = acre_gltf_read(file, attributes, "POSITION", 3, GLTF_FLOATS, NULL);
    }
    const uint32_t accessor = acre_gltf_link(file, attributes, "POSITION", GLTF_ACCESSORS);
    if (accessor != GLTF_NONE && acre_gltf_extension(file, json, GLTF_DRACO) != NULL &&
        acre_gltf_member(file, acre_gltf_item(file, GLTF_ACCESSORS, accessor), "bufferView") ==
            NULL) {
        acre_gltf_refuse(file, "POSITION: its bytes stand in " GLTF_DRACO " alone");
    }
    made.corners = made.has_indices ? acre_gltf_read(file, json, "indices", 1, GLTF_NUMBERS, NULL)
                                    : made.points;
    count_shapes(&made);
    return made;
}

static const cJSON *first_primitive(gltf_file *file, uint32_t mesh)
{
    acre_gltf_at(file, "meshes[%u]", (unsigned)mesh);
    return acre_gltf_first(file, acre_gltf_item(file, GLTF_MESHES, mesh), "primitives");
}

// ---- variants ----

/// Adds a variant, if it is not the last one: a node's instances follow each other.
static uint32_t add_variant(gltf_file *file, uint32_t mesh, uint32_t node)
{
    gltf_variant *const next = &file->variants[file->variant_count];
    if (file->variant_count == 0 || next[-1].mesh != mesh || next[-1].node != node) {
        *next = (gltf_variant){.mesh = mesh, .node = node, .reach = acre_aabb_empty()};
        file->variant_count++;
    }
    return file->variant_count - 1;
}

/// First the meshes as they are, but for those that nodes use in other ways alone; then the others.
static void find_variants(gltf_file *file)
{
    const uint32_t count = file->lists[GLTF_MESHES].count;
    const uint64_t most = (uint64_t)count + file->lists[GLTF_NODES].count; // a node has one
    file->variants = acre_gltf_take(file, most, sizeof *file->variants);
    uint32_t *const plain = acre_gltf_take(file, count, sizeof *plain);
    for (uint32_t i = 0; plain != NULL && i < count; i++) {
        plain[i] = file->uses[i] == GLTF_BENT ? GLTF_NONE : add_variant(file, i, GLTF_NONE);
    }
    for (uint32_t i = 0; plain != NULL && i < file->counts.nodes; i++) {
        gltf_made *const made = &file->made[i];
        if (made->mesh != GLTF_NONE) {
            made->mesh = file->nodes[made->file_node].use == GLTF_BENT
                             ? add_variant(file, made->mesh, made->file_node)
                             : plain[made->mesh];
        }
    }
}

void acre_gltf_count_meshes(gltf_file *file)
{
    find_variants(file);
    for (uint32_t i = 0; i < file->variant_count && file->result == ACRE_OK; i++) {
        gltf_variant *const variant = &file->variants[i];
        const cJSON *item = first_primitive(file, variant->mesh);
        variant->first = (uint32_t)file->counts.meshes;
        for (; item != NULL && file->result == ACRE_OK; item = item->next) {
            const primitive part = open_primitive(file, variant->mesh, variant->count++, item);
            acre_gltf_spend(file, 1, sizeof(acre_import_mesh) + sizeof(import_raw_mesh));
            acre_gltf_spend(file, part.points, 12);
            acre_gltf_spend(file, part.corners, 16);
            file->counts.points += part.points;
            file->counts.triangles += part.triangles;
            file->counts.lines += part.lines;
        }
        file->counts.meshes += variant->count;
    }
    for (uint32_t i = 0; i < file->counts.nodes && file->result == ACRE_OK; i++) {
        const uint32_t mesh = file->made[i].mesh;
        const uint32_t count = mesh != GLTF_NONE ? file->variants[mesh].count : 0;
        acre_gltf_spend(file, count, 4);
        file->counts.node_meshes += count;
    }
}

// ---- points, triangles and lines ----

/// Morphs the points by the weights that the variant has when nothing animates it.
static void morph_points(gltf_file *file, const gltf_variant *variant, const primitive *part,
                         float *points)
{
    const bool is_node = variant->node != GLTF_NONE && file->nodes[variant->node].has_weights;
    const cJSON *const owner = is_node ? acre_gltf_item(file, GLTF_NODES, variant->node)
                                       : acre_gltf_item(file, GLTF_MESHES, variant->mesh);
    const cJSON *weight = acre_gltf_first(file, owner, "weights");
    const cJSON *target = acre_gltf_first(file, part->json, "targets");
    const gltf_place place = file->place;
    for (unsigned i = 0; target != NULL && weight != NULL && acre_gltf_spend(file, 1, 1);
         target = target->next, weight = weight->next) {
        acre_gltf_at(file, "%.64s.targets[%u]", place.text, i++);
        uint32_t count = part->points;
        if (acre_gltf_member(file, target, "POSITION") == NULL || weight->valuedouble == 0.0) {
            continue;
        }
        const float *const moves =
            acre_gltf_take_elements(file, target, "POSITION", 3, GLTF_FLOATS, &count);
        for (size_t k = 0; moves != NULL && k < 3 * (size_t)count; k++) {
            points[k] += (float)weight->valuedouble * moves[k];
        }
    }
    file->place = place;
}

static void write_points(gltf_file *file, const gltf_variant *variant, const primitive *part,
                         struct gltf_skin *skin, float *points)
{
    if (part->has_points) {
        acre_gltf_read(file, part->attributes, "POSITION", 3, GLTF_FLOATS, points);
    }
    morph_points(file, variant, part, points);
    if (skin != NULL) {
        acre_gltf_bend(file, skin, part->attributes, points, part->points);
    }
    for (uint32_t i = 0; i < part->points; i++) {
        if (!floats_are_finite(points + 3 * (size_t)i, 3)) {
            acre_gltf_refuse(file, "position %u is not finite", (unsigned)i);
        }
    }
}

/// Where a corner of a triangle or a line stands among the primitive's corners.
static uint32_t corner_of(const primitive *part, uint32_t shape, uint32_t corner)
{
    switch (part->mode) {
    case LINES:
        return 2 * shape + corner;
    case TRIANGLES:
        return 3 * shape + corner;
    case TRIANGLE_STRIP: // every other one is turned round
        return shape + (shape % 2 == 1 && corner > 0 ? 3 - corner : corner);
    case TRIANGLE_FAN:
        return corner < 2 ? shape + 1 + corner : 0;
    default: // a loop ends where it began
        return (shape + corner) % part->corners;
    }
}

static void write_shapes(gltf_file *file, const primitive *part, uint32_t *triangles,
                         uint32_t *lines)
{
    const uint32_t width = part->mode < TRIANGLES ? 2 : 3; // one of the two counts is 0
    uint32_t *out = part->mode < TRIANGLES ? lines : triangles;
    uint32_t *const numbers = acre_gltf_take(file, part->corners, sizeof *numbers);
    if (numbers != NULL && part->has_indices) {
        acre_gltf_read(file, part->json, "indices", 1, GLTF_NUMBERS, numbers);
    }
    for (uint32_t i = 0; numbers != NULL && i < part->corners; i++) {
        numbers[i] = part->has_indices ? numbers[i] : i;
        if (numbers[i] >= part->points) {
            acre_gltf_refuse(file, "index %u names point %lu of %lu", (unsigned)i,
                             (unsigned long)numbers[i], (unsigned long)part->points);
        }
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < part->triangles + part->lines; i++) {
        for (uint32_t corner = 0; corner < width; corner++) {
            ACRE_INVARIANT(corner_of(part, i, corner) < part->corners); // count_shapes
            *out++ = numbers[corner_of(part, i, corner)];
        }
    }
}

void acre_gltf_write_meshes(gltf_file *file, import_raw to)
{
    for (uint32_t i = 0; i < file->variant_count && file->result == ACRE_OK; i++) {
        gltf_variant *const variant = &file->variants[i];
        const bool is_skinned =
            variant->node != GLTF_NONE && file->nodes[variant->node].skin != GLTF_NONE;
        struct gltf_skin *const skin = is_skinned ? acre_gltf_open_skin(file, variant) : NULL;
        const cJSON *item = first_primitive(file, variant->mesh);
        uint32_t number = 0;
        for (; item != NULL && file->result == ACRE_OK; item = item->next) {
            const primitive part = open_primitive(file, variant->mesh, number++, item);
            *to.meshes++ = (import_raw_mesh){part.points, part.triangles, part.lines,
                                             acre_gltf_mesh_flags(file, variant, item)};
            write_points(file, variant, &part, skin, to.points);
            write_shapes(file, &part, to.triangles, to.lines);
            to.points += 3 * (size_t)part.points;
            to.triangles += 3 * (size_t)part.triangles;
            to.lines += 2 * (size_t)part.lines;
        }
    }
    acre_gltf_reach(file);
}
