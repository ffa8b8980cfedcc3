// SPDX-License-Identifier: MIT
// gltf_nodes.c - the hierarchy of a glTF, the scene of it that is read, and instances of meshes.
//
// A node of the file becomes one node of the model. Its mesh hangs there, but for two cases. Where
// EXT_mesh_gpu_instancing draws the mesh at many places, each place is a child of the node. A mesh
// with a skin stands where the joints are, wherever its node is: it hangs at a root of its own.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

static const gltf_place root_place = {"nodes"};

static gltf_place node_place(uint32_t node)
{
    return node == GLTF_NONE ? root_place : acre_gltf_at("nodes[%u]", (unsigned)node);
}

/// Notes who the parent of each child is. A node that stands in two lists is refused.
static bool read_children(gltf_file *file, gltf_tree *tree, uint32_t node)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    const cJSON *const children = acre_gltf_member(json, "children");
    if (children == NULL) {
        return true;
    }
    const gltf_place place = acre_gltf_at("nodes[%u].children", (unsigned)node);
    if (!cJSON_IsArray(children)) {
        return acre_gltf_refuse(file, place.text, "it is no array");
    }
    for (const cJSON *item = children->child; item != NULL; item = item->next) {
        uint32_t child;
        if (!acre_gltf_reference(file, place.text, item, GLTF_NODES, &child)) {
            return false;
        }
        if (tree->parents[child] != GLTF_NONE) {
            return acre_gltf_refuse(file, place.text, "nodes[%u] is a child of nodes[%u] already",
                                    (unsigned)child, (unsigned)tree->parents[child]);
        }
        tree->parents[child] = node;
    }
    return true;
}

/// Puts all nodes in order, level by level. Nodes that no root leads to stand in a ring.
static bool order_nodes(gltf_file *file, gltf_tree *tree)
{
    const uint32_t count = file->lists[GLTF_NODES].count;
    uint32_t filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (tree->parents[i] == GLTF_NONE) {
            tree->order[filled++] = i;
        }
    }
    for (uint32_t at = 0; at < filled; at++) {
        const cJSON *const json = acre_gltf_item(file, GLTF_NODES, tree->order[at]);
        const cJSON *const children = acre_gltf_member(json, "children");
        for (const cJSON *item = children ? children->child : NULL; item; item = item->next) {
            ACRE_INVARIANT(filled < count); // each node has one parent
            tree->order[filled++] = (uint32_t)item->valuedouble;
        }
    }
    if (filled == count) {
        return true;
    }
    // From any node that was not met, its parents lead into the ring.
    bool *const is_met = acre_gltf_take(file, count, sizeof *is_met);
    if (is_met == NULL) {
        return false;
    }
    for (uint32_t at = 0; at < filled; at++) {
        is_met[tree->order[at]] = true;
    }
    uint32_t node = 0;
    while (is_met[node]) {
        node++;
    }
    while (!is_met[node]) {
        is_met[node] = true;
        node = tree->parents[node];
    }
    return acre_gltf_refuse(file, node_place(node).text, "it is among its own parents");
}

bool acre_gltf_compose(const float translation[3], const float rotation[4], const float scale[3],
                       float matrix[16])
{
    const double a = (double)rotation[0], b = (double)rotation[1], c = (double)rotation[2];
    const double d = (double)rotation[3], square = a * a + b * b + c * c + d * d;
    if (!(square > 0.0)) {
        return false;
    }
    const double twice = 2.0 / square; // of a rotation that is not of length 1, too
    const double turned[3][3] = {
        {1.0 - twice * (b * b + c * c), twice * (a * b + c * d), twice * (a * c - b * d)},
        {twice * (a * b - c * d), 1.0 - twice * (a * a + c * c), twice * (b * c + a * d)},
        {twice * (a * c + b * d), twice * (b * c - a * d), 1.0 - twice * (a * a + b * b)}};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            matrix[4 * column + row] = (float)(turned[column][row] * (double)scale[column]);
        }
        matrix[4 * column + 3] = 0.0f;
        matrix[12 + column] = translation[column];
    }
    matrix[15] = 1.0f;
    return true;
}

/// What acre_import_block_finish asks of a matrix, with the place in the file.
static bool check_local(gltf_file *file, const char *place, const float *matrix)
{
    if (!floats_are_finite(matrix, 16)) {
        return acre_gltf_refuse(file, place, "its matrix has a number that is not finite");
    }
    if (matrix[3] != 0.0f || matrix[7] != 0.0f || matrix[11] != 0.0f || matrix[15] != 1.0f) {
        return acre_gltf_refuse(file, place,
                                "its matrix is not affine: the last row is not 0 0 0 1");
    }
    return true;
}

bool acre_gltf_read_local(gltf_file *file, uint32_t node, gltf_pose *pose, float matrix[16])
{
    const gltf_place place = node_place(node);
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    const cJSON *const whole = acre_gltf_member(json, "matrix");
    *pose = (gltf_pose){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    if (!acre_gltf_floats(file, place.text, whole, matrix, 16)) {
        return false;
    }
    if (whole != NULL) {
        acre_import_settle_matrix(matrix);
        return check_local(file, place.text, matrix);
    }
    if (!acre_gltf_floats(file, place.text, acre_gltf_member(json, "translation"),
                          pose->translation, 3) ||
        !acre_gltf_floats(file, place.text, acre_gltf_member(json, "rotation"), pose->rotation,
                          4) ||
        !acre_gltf_floats(file, place.text, acre_gltf_member(json, "scale"), pose->scale, 3)) {
        return false;
    }
    if (!acre_gltf_compose(pose->translation, pose->rotation, pose->scale, matrix)) {
        return acre_gltf_refuse(file, place.text, "its rotation has no length");
    }
    return check_local(file, place.text, matrix);
}

// ---- instances ----

static const char *const instance_names[3] = {"TRANSLATION", "ROTATION", "SCALE"};
static const uint32_t instance_components[3] = {3, 4, 3};

/// Finds the places of a node's instances, and how many there are.
static bool find_instances(gltf_file *file, uint32_t node, gltf_accessor found[3], uint32_t *count)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    const cJSON *const attributes =
        acre_gltf_member(acre_gltf_extension(json, GLTF_INSTANCING), "attributes");
    *count = GLTF_NONE;
    const cJSON *item = cJSON_IsObject(attributes) ? attributes->child : NULL;
    for (; item != NULL; item = item->next) {
        const gltf_place place =
            acre_gltf_at("nodes[%u]." GLTF_INSTANCING ".%.24s", (unsigned)node, item->string);
        gltf_accessor accessor;
        if (!acre_gltf_find_accessor(file, place.text, item, &accessor)) {
            return false;
        }
        if (*count != GLTF_NONE && accessor.count != *count) {
            return acre_gltf_refuse(file, place.text, "it has %u elements, others have %u",
                                    (unsigned)accessor.count, (unsigned)*count);
        }
        *count = accessor.count;
        for (int i = 0; i < 3; i++) {
            if (strcmp(item->string, instance_names[i]) == 0) {
                if (accessor.components != instance_components[i]) {
                    return acre_gltf_refuse(file, place.text, "its elements have %u numbers",
                                            (unsigned)accessor.components);
                }
                found[i] = accessor;
            }
        }
    }
    if (*count == GLTF_NONE) {
        return acre_gltf_refuse(file, node_place(node).text, GLTF_INSTANCING " has no attributes");
    }
    return true;
}

/// Appends a child for each instance.
static bool add_instances(gltf_file *file, gltf_tree *tree, uint32_t parent)
{
    const uint32_t node = tree->nodes[parent].file_node;
    gltf_accessor found[3] = {{0}};
    uint32_t count;
    if (!find_instances(file, node, found, &count)) {
        return false;
    }
    ACRE_INVARIANT(count == tree->instances[node]);
    float *numbers[3];
    for (int i = 0; i < 3; i++) {
        numbers[i] = acre_gltf_take(file, found[i].count, 4 * sizeof(float));
        if (numbers[i] == NULL) {
            return false;
        }
        acre_gltf_read_floats(&found[i], numbers[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        static const float nowhere[3] = {0, 0, 0}, upright[4] = {0, 0, 0, 1}, as_is[3] = {1, 1, 1};
        const gltf_place place =
            acre_gltf_at("nodes[%u]." GLTF_INSTANCING "[%u]", (unsigned)node, (unsigned)i);
        ACRE_INVARIANT(tree->count < tree->capacity);
        gltf_node *const to = &tree->nodes[tree->count++];
        *to = (gltf_node){
            .file_node = node, .parent = parent, .has_mesh = true, .reach = acre_aabb_empty()};
        if (!acre_gltf_compose(found[0].components ? numbers[0] + 3 * (size_t)i : nowhere,
                               found[1].components ? numbers[1] + 4 * (size_t)i : upright,
                               found[2].components ? numbers[2] + 3 * (size_t)i : as_is,
                               to->local)) {
            return acre_gltf_refuse(file, place.text, "its rotation has no length");
        }
        if (!check_local(file, place.text, to->local)) {
            return false;
        }
    }
    return true;
}

// ---- the model's nodes ----

/// What hangs at a node: its mesh, its skin, its instances.
static bool read_content(gltf_file *file, gltf_tree *tree, uint32_t node, uint64_t *total)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    const gltf_place place = node_place(node);
    tree->instances[node] = GLTF_NONE;
    if (!acre_gltf_reference(file, place.text, acre_gltf_member(json, "mesh"), GLTF_MESHES,
                             &tree->meshes[node]) ||
        !acre_gltf_reference(file, place.text, acre_gltf_member(json, "skin"), GLTF_SKINS,
                             &tree->skins[node])) {
        return false;
    }
    const bool has_mesh = tree->meshes[node] != GLTF_NONE;
    tree->skins[node] = has_mesh ? tree->skins[node] : GLTF_NONE;
    *total += tree->skins[node] != GLTF_NONE ? 2 : 1;
    if (!has_mesh || acre_gltf_extension(json, GLTF_INSTANCING) == NULL) {
        return true;
    }
    if (tree->skins[node] != GLTF_NONE) {
        return acre_gltf_refuse(file, place.text, "it has a skin and " GLTF_INSTANCING);
    }
    gltf_accessor found[3];
    if (!find_instances(file, node, found, &tree->instances[node]) ||
        !acre_gltf_spend(file, place.text, tree->instances[node], sizeof(gltf_node))) {
        return false;
    }
    *total += tree->instances[node];
    return true;
}

static bool add_node(gltf_file *file, gltf_tree *tree, uint32_t node, uint32_t parent)
{
    ACRE_INVARIANT(tree->count < tree->capacity);
    gltf_node *const to = &tree->nodes[tree->count++];
    *to =
        (gltf_node){.file_node = node,
                    .parent = parent,
                    .has_mesh = tree->meshes[node] != GLTF_NONE && tree->skins[node] == GLTF_NONE &&
                                tree->instances[node] == GLTF_NONE,
                    .reach = acre_aabb_empty()};
    gltf_pose pose;
    return acre_gltf_read_local(file, node, &pose, to->local);
}

/// The nodes of the scene: the default one, else the first; all roots of a file without scenes.
/// @param roots receives them
static bool find_roots(gltf_file *file, const gltf_tree *tree, uint32_t *roots, uint32_t *count)
{
    uint32_t scene;
    *count = 0;
    if (!acre_gltf_reference(file, "scene", acre_gltf_member(file->root, "scene"), GLTF_SCENES,
                             &scene)) {
        return false;
    }
    if (file->lists[GLTF_SCENES].count == 0) {
        while (*count < file->lists[GLTF_NODES].count &&
               tree->parents[tree->order[*count]] == GLTF_NONE) {
            roots[*count] = tree->order[*count];
            (*count)++;
        }
        return true;
    }
    scene = scene == GLTF_NONE ? 0 : scene;
    const gltf_place place = acre_gltf_at("scenes[%u].nodes", (unsigned)scene);
    bool *const is_met = acre_gltf_take(file, file->lists[GLTF_NODES].count, sizeof *is_met);
    const cJSON *const nodes = acre_gltf_member(acre_gltf_item(file, GLTF_SCENES, scene), "nodes");
    if (is_met == NULL) {
        return false;
    }
    if (nodes != NULL && !cJSON_IsArray(nodes)) {
        return acre_gltf_refuse(file, place.text, "it is no array");
    }
    for (const cJSON *item = nodes ? nodes->child : NULL; item; item = item->next) {
        uint32_t node;
        if (!acre_gltf_reference(file, place.text, item, GLTF_NODES, &node)) {
            return false;
        }
        if (tree->parents[node] != GLTF_NONE || is_met[node]) {
            return acre_gltf_refuse(file, place.text, "nodes[%u] stands elsewhere as well",
                                    (unsigned)node);
        }
        is_met[node] = true;
        roots[(*count)++] = node;
    }
    return true;
}

/// Appends the children of a node of the model, then its instances.
static bool add_children(gltf_file *file, gltf_tree *tree, uint32_t parent)
{
    const uint32_t node = tree->nodes[parent].file_node;
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, node);
    const cJSON *const children = acre_gltf_member(json, "children");
    for (const cJSON *item = children ? children->child : NULL; item; item = item->next) {
        if (!add_node(file, tree, (uint32_t)item->valuedouble, parent)) {
            return false;
        }
    }
    return tree->instances[node] == GLTF_NONE || add_instances(file, tree, parent);
}

/// A place for a mesh with a skin: where the joints say.
static void add_skinned(gltf_tree *tree, uint32_t node, uint32_t parent)
{
    ACRE_INVARIANT(tree->count < tree->capacity);
    gltf_node *const to = &tree->nodes[tree->count++];
    *to = (gltf_node){
        .file_node = node, .parent = parent, .has_mesh = true, .reach = acre_aabb_empty()};
    for (int i = 0; i < 16; i++) {
        to->local[i] = i % 5 == 0 ? 1.0f : 0.0f;
    }
}

static bool add_scene(gltf_file *file, gltf_tree *tree)
{
    uint32_t *const roots = acre_gltf_take(file, file->lists[GLTF_NODES].count, sizeof *roots);
    uint32_t count;
    if (roots == NULL || !find_roots(file, tree, roots, &count)) {
        return false;
    }
    bool has_skins = false;
    for (uint32_t i = 0; i < file->lists[GLTF_NODES].count; i++) {
        has_skins |= tree->skins[i] != GLTF_NONE;
    }
    uint32_t parent = ACRE_IMPORT_NO_PARENT;
    if (count != 1 || has_skins) {
        add_skinned(tree, GLTF_NONE, parent);
        tree->nodes[0].has_mesh = false;
        parent = 0;
    }
    const uint32_t first = tree->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_node(file, tree, roots[i], parent)) {
            return false;
        }
    }
    for (uint32_t i = first; i < tree->count; i++) {
        const uint32_t node = tree->nodes[i].file_node;
        const bool is_instance = tree->nodes[i].has_mesh && tree->instances[node] != GLTF_NONE;
        if (!is_instance && !add_children(file, tree, i)) {
            return false;
        }
    }
    for (uint32_t i = first, end = tree->count; i < end; i++) {
        if (tree->skins[tree->nodes[i].file_node] != GLTF_NONE) {
            add_skinned(tree, tree->nodes[i].file_node, parent);
        }
    }
    return true;
}

bool acre_gltf_read_tree(gltf_file *file, gltf_tree *tree)
{
    const uint32_t count = file->lists[GLTF_NODES].count;
    *tree = (gltf_tree){.parents = acre_gltf_take(file, count, sizeof *tree->parents),
                        .order = acre_gltf_take(file, count, sizeof *tree->order),
                        .meshes = acre_gltf_take(file, count, sizeof *tree->meshes),
                        .skins = acre_gltf_take(file, count, sizeof *tree->skins),
                        .instances = acre_gltf_take(file, count, sizeof *tree->instances)};
    if (file->result != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        tree->parents[i] = GLTF_NONE;
    }
    uint64_t total = 1; // with a root above
    for (uint32_t i = 0; i < count; i++) {
        if (!read_children(file, tree, i) || !read_content(file, tree, i, &total)) {
            return false;
        }
    }
    if (total > IMPORT_NODE_LIMIT) {
        return acre_gltf_refuse(file, "nodes", "it has more than %lu nodes",
                                (unsigned long)IMPORT_NODE_LIMIT);
    }
    tree->capacity = (uint32_t)total;
    tree->nodes = acre_gltf_take(file, total, sizeof *tree->nodes);
    return tree->nodes != NULL && order_nodes(file, tree) && add_scene(file, tree);
}
