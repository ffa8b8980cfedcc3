// SPDX-License-Identifier: MIT
// gltf_nodes.c - the hierarchy of a glTF, the scene of it that is read, and instances of meshes.
//
// A node of the file becomes one node of the model. Its mesh hangs there, but for two cases. Where
// EXT_mesh_gpu_instancing draws the mesh at many places, each place is a child of the node. A mesh
// with a skin stands where the joints are, wherever its node is: it hangs at a root of its own.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

/// @param json a node whose children have been read before
static const cJSON *first_child(const cJSON *json)
{
    const cJSON *const children = acre_gltf_member(json, "children");
    return children != NULL ? children->child : NULL;
}

/// Notes who the parent of each child is. A node that stands in two lists is refused.
static void read_children(gltf_file *file, gltf_tree *tree, uint32_t node)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    acre_gltf_at(file, "nodes[%u].children", (unsigned)node);
    const cJSON *item = acre_gltf_first(file, json, "children");
    for (; item != NULL && file->result == ACRE_OK; item = item->next) {
        const uint32_t child = acre_gltf_reference(file, item, GLTF_NODES);
        if (child != GLTF_NONE && tree->parents[child] != GLTF_NONE) {
            acre_gltf_refuse(file, "nodes[%u] is a child of nodes[%u] already", (unsigned)child,
                             (unsigned)tree->parents[child]);
        } else if (child != GLTF_NONE) {
            tree->parents[child] = node;
        }
    }
}

/// Puts all nodes in order, level by level. Nodes that no root leads to stand below a ring.
static void order_nodes(gltf_file *file, gltf_tree *tree)
{
    const uint32_t count = file->lists[GLTF_NODES].count;
    uint32_t filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (tree->parents[i] == GLTF_NONE) {
            tree->order[filled++] = i;
        }
    }
    for (uint32_t at = 0; at < filled; at++) {
        const cJSON *item = first_child(acre_gltf_item(file, GLTF_NODES, tree->order[at]));
        for (; item != NULL; item = item->next) {
            ACRE_INVARIANT(filled < count); // each node has one parent
            tree->order[filled++] = (uint32_t)item->valuedouble;
        }
    }
    bool *const is_met = acre_gltf_take(file, count, sizeof *is_met);
    for (uint32_t at = 0; is_met != NULL && at < filled; at++) {
        is_met[tree->order[at]] = true;
    }
    uint32_t node = 0;
    while (is_met != NULL && node < count && is_met[node]) {
        node++;
    }
    if (is_met != NULL && node < count) {
        while (!is_met[node]) { // into the ring, and once around
            is_met[node] = true;
            node = tree->parents[node];
        }
        acre_gltf_at(file, "nodes[%u]", (unsigned)node);
        acre_gltf_refuse(file, "it is among its own parents");
    }
}

/// What acre_import_block_finish asks of a matrix, with the place in the file.
static void check_matrix(gltf_file *file, const float *matrix)
{
    if (!floats_are_finite(matrix, 16)) {
        acre_gltf_refuse(file, "its matrix has a number that is not finite");
    } else if (matrix[3] != 0.0f || matrix[7] != 0.0f || matrix[11] != 0.0f || matrix[15] != 1.0f) {
        acre_gltf_refuse(file, "its matrix is not affine: the last row is not 0 0 0 1");
    }
}

void acre_gltf_compose(gltf_file *file, const gltf_pose *pose, float *matrix)
{
    const double a = (double)pose->rotation[0], b = (double)pose->rotation[1];
    const double c = (double)pose->rotation[2], d = (double)pose->rotation[3];
    const double square = a * a + b * b + c * c + d * d;
    if (!(square > 0.0)) {
        acre_gltf_refuse(file, "its rotation has no length");
        return;
    }
    const double s = 2.0 / square; // for rotations that are not of length 1, too
    const double turned[9] = {
        1.0 - s * (b * b + c * c), s * (a * b + c * d),       s * (a * c - b * d),
        s * (a * b - c * d),       1.0 - s * (a * a + c * c), s * (b * c + a * d),
        s * (a * c + b * d),       s * (b * c - a * d),       1.0 - s * (a * a + b * b)};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            matrix[4 * column + row] =
                (float)(turned[3 * column + row] * (double)pose->scale[column]);
        }
        matrix[4 * column + 3] = 0.0f;
        matrix[12 + column] = pose->translation[column];
    }
    matrix[15] = 1.0f;
    check_matrix(file, matrix);
}

static void read_local(gltf_file *file, gltf_tree *tree, uint32_t node)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    gltf_pose *const pose = &tree->poses[node];
    float *const matrix = tree->locals[node];
    *pose = (gltf_pose){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    acre_gltf_at(file, "nodes[%u]", (unsigned)node);
    if (acre_gltf_member(json, "matrix") != NULL) {
        acre_gltf_floats(file, json, "matrix", matrix, 16);
        acre_import_settle_matrix(matrix);
        check_matrix(file, matrix);
        return;
    }
    acre_gltf_floats(file, json, "translation", pose->translation, 3);
    acre_gltf_floats(file, json, "rotation", pose->rotation, 4);
    acre_gltf_floats(file, json, "scale", pose->scale, 3);
    acre_gltf_compose(file, pose, matrix);
}

// ---- instances ----

/// Where the instances of a node stand; NULL: as the node itself.
typedef struct gltf_places {
    const float *parts[3]; ///< translations, rotations, scales
    uint32_t count;
} gltf_places;

static gltf_places read_places(gltf_file *file, uint32_t node)
{
    static const char *const names[3] = {"TRANSLATION", "ROTATION", "SCALE"};
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    const cJSON *const attributes =
        acre_gltf_member(acre_gltf_extension(json, GLTF_INSTANCING), "attributes");
    gltf_places found = {.count = GLTF_NONE};
    acre_gltf_at(file, "nodes[%u]." GLTF_INSTANCING, (unsigned)node);
    for (int i = 0; i < 3; i++) {
        const cJSON *const number = acre_gltf_member(attributes, names[i]);
        if (number != NULL) {
            found.parts[i] =
                acre_gltf_take_floats(file, number, names[i], i == 1 ? 4 : 3, &found.count);
        }
    }
    if (found.count == GLTF_NONE) {
        acre_gltf_refuse(file, "it has no attributes");
    }
    return found;
}

static gltf_node *add_node(gltf_tree *tree, uint32_t file_node, uint32_t parent)
{
    ACRE_INVARIANT(tree->count < tree->capacity);
    gltf_node *const to = &tree->nodes[tree->count++];
    *to = (gltf_node){.file_node = file_node, .parent = parent};
    for (int i = 0; i < 16; i += 5) {
        to->local[i] = 1.0f;
    }
    return to;
}

/// Appends a child for each instance.
static void add_instances(gltf_file *file, gltf_tree *tree, uint32_t parent)
{
    const uint32_t node = tree->nodes[parent].file_node;
    const gltf_places places = read_places(file, node);
    for (uint32_t i = 0; i < places.count && file->result == ACRE_OK; i++) {
        gltf_pose pose = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        float *const parts[3] = {pose.translation, pose.rotation, pose.scale};
        for (int k = 0; k < 3; k++) {
            const size_t width = k == 1 ? 4 : 3;
            if (places.parts[k] != NULL) {
                memcpy(parts[k], places.parts[k] + i * width, width * sizeof(float));
            }
        }
        gltf_node *const to = add_node(tree, node, parent);
        to->has_mesh = true;
        acre_gltf_compose(file, &pose, to->local);
    }
}

// ---- the model's nodes ----

/// What hangs at a node: its mesh, its skin, its instances.
static void read_content(gltf_file *file, gltf_tree *tree, uint32_t node)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    acre_gltf_at(file, "nodes[%u]", (unsigned)node);
    const uint32_t mesh = acre_gltf_reference(file, acre_gltf_member(json, "mesh"), GLTF_MESHES);
    const uint32_t skin = acre_gltf_reference(file, acre_gltf_member(json, "skin"), GLTF_SKINS);
    uint32_t instances = GLTF_NONE, count = 1;
    if (mesh != GLTF_NONE && acre_gltf_extension(json, GLTF_INSTANCING) != NULL) {
        if (skin != GLTF_NONE) {
            acre_gltf_refuse(file, "it has a skin and " GLTF_INSTANCING);
        }
        instances = count = read_places(file, node).count;
        acre_gltf_spend(file, count, sizeof(gltf_node));
    }
    tree->meshes[node] = mesh;
    tree->skins[node] = mesh != GLTF_NONE ? skin : GLTF_NONE;
    tree->instances[node] = instances;
    if (count > IMPORT_NODE_LIMIT || tree->capacity > IMPORT_NODE_LIMIT - count - 1) {
        acre_gltf_refuse_size(file, ACRE_ERROR_CAPACITY);
    } else {
        tree->capacity += count + 1;
    }
}

/// The nodes of the scene: the default one, else the first; all roots of a file without scenes.
static uint32_t *find_roots(gltf_file *file, const gltf_tree *tree, uint32_t *count)
{
    const uint32_t node_count = file->lists[GLTF_NODES].count;
    uint32_t *const roots = acre_gltf_take(file, node_count, sizeof *roots);
    bool *const is_met = acre_gltf_take(file, node_count, sizeof *is_met);
    *count = 0;
    acre_gltf_at(file, "scene");
    const cJSON *const number = acre_gltf_member(file->root, "scene");
    uint32_t scene = acre_gltf_reference(file, number, GLTF_SCENES);
    if (is_met == NULL || file->result != ACRE_OK) {
        return roots;
    }
    if (file->lists[GLTF_SCENES].count == 0) {
        while (*count < node_count && tree->parents[tree->order[*count]] == GLTF_NONE) {
            roots[*count] = tree->order[*count];
            (*count)++;
        }
        return roots;
    }
    scene = scene == GLTF_NONE ? 0 : scene;
    acre_gltf_at(file, "scenes[%u].nodes", (unsigned)scene);
    const cJSON *item = acre_gltf_first(file, acre_gltf_item(file, GLTF_SCENES, scene), "nodes");
    for (; item != NULL && file->result == ACRE_OK; item = item->next) {
        const uint32_t node = acre_gltf_reference(file, item, GLTF_NODES);
        if (node != GLTF_NONE && (tree->parents[node] != GLTF_NONE || is_met[node])) {
            acre_gltf_refuse(file, "nodes[%u] stands elsewhere as well", (unsigned)node);
        } else if (node != GLTF_NONE) {
            is_met[node] = true;
            roots[(*count)++] = node;
        }
    }
    return roots;
}

static void add_file_node(gltf_tree *tree, uint32_t node, uint32_t parent)
{
    gltf_node *const to = add_node(tree, node, parent);
    to->has_mesh = tree->meshes[node] != GLTF_NONE && tree->skins[node] == GLTF_NONE &&
                   tree->instances[node] == GLTF_NONE;
    memcpy(to->local, tree->locals[node], sizeof to->local);
}

static void add_scene(gltf_file *file, gltf_tree *tree)
{
    uint32_t count;
    const uint32_t *const roots = find_roots(file, tree, &count);
    bool has_skins = false;
    for (uint32_t i = 0; i < file->lists[GLTF_NODES].count; i++) {
        has_skins |= tree->skins[i] != GLTF_NONE;
    }
    const bool has_root = count != 1 || has_skins;
    const uint32_t first = has_root ? 1 : 0, parent = has_root ? 0 : ACRE_IMPORT_NO_PARENT;
    if (has_root) {
        add_node(tree, GLTF_NONE, ACRE_IMPORT_NO_PARENT);
    }
    for (uint32_t i = 0; i < count; i++) {
        add_file_node(tree, roots[i], parent);
    }
    for (uint32_t i = first; i < tree->count && file->result == ACRE_OK; i++) {
        const uint32_t node = tree->nodes[i].file_node;
        if (tree->nodes[i].has_mesh && tree->instances[node] != GLTF_NONE) {
            continue; // an instance
        }
        const cJSON *item = first_child(acre_gltf_item(file, GLTF_NODES, node));
        for (; item != NULL; item = item->next) {
            add_file_node(tree, (uint32_t)item->valuedouble, i);
        }
        if (tree->instances[node] != GLTF_NONE) {
            add_instances(file, tree, i);
        }
    }
    for (uint32_t i = first, end = tree->count; i < end; i++) {
        if (tree->skins[tree->nodes[i].file_node] != GLTF_NONE) {
            add_node(tree, tree->nodes[i].file_node, parent)->has_mesh = true;
        }
    }
}

void acre_gltf_read_tree(gltf_file *file, gltf_tree *tree)
{
    const uint32_t count = file->lists[GLTF_NODES].count;
    *tree = (gltf_tree){.parents = acre_gltf_take(file, count, sizeof *tree->parents),
                        .order = acre_gltf_take(file, count, sizeof *tree->order),
                        .meshes = acre_gltf_take(file, count, sizeof *tree->meshes),
                        .skins = acre_gltf_take(file, count, sizeof *tree->skins),
                        .instances = acre_gltf_take(file, count, sizeof *tree->instances),
                        .poses = acre_gltf_take(file, count, sizeof *tree->poses),
                        .locals = acre_gltf_take(file, count, sizeof *tree->locals),
                        .capacity = 1}; // a root above all
    for (uint32_t i = 0; file->result == ACRE_OK && i < count; i++) {
        tree->parents[i] = GLTF_NONE;
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < count; i++) {
        read_children(file, tree, i);
        read_content(file, tree, i);
        read_local(file, tree, i);
    }
    if (file->result == ACRE_OK) {
        order_nodes(file, tree);
    }
    tree->nodes = acre_gltf_take(file, tree->capacity, sizeof *tree->nodes);
    if (tree->nodes != NULL) {
        add_scene(file, tree);
    }
}
