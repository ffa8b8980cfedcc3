// SPDX-License-Identifier: MIT
// gltf_nodes.c - the hierarchy of a glTF, the scene of it that is read, and instances of meshes.
//
// A node of the file becomes one node of the model. Its mesh hangs there, but for two cases. Where
// EXT_mesh_gpu_instancing draws the mesh at many places, each place is a child of the node. A mesh
// with a skin stands where the joints are, wherever its node is: it hangs at a root of its own.
#include "assert_internal.h"
#include "gltf_internal.h"

// ---- what the file says of a node ----

/// Notes who the parent of each child is. A node that stands in two lists is refused.
static void read_children(gltf_file *file, uint32_t node, const cJSON *json)
{
    acre_gltf_at(file, "nodes[%u].children", (unsigned)node);
    const cJSON *item = acre_gltf_first(file, json, "children");
    for (; item != NULL && file->result == ACRE_OK; item = item->next) {
        const uint32_t child = acre_gltf_reference(file, item, GLTF_NODES);
        if (child != GLTF_NONE && file->nodes[child].parent != GLTF_NONE) {
            acre_gltf_refuse(file, "nodes[%u] is a child of nodes[%u] already", (unsigned)child,
                             (unsigned)file->nodes[child].parent);
        } else if (child != GLTF_NONE) {
            file->nodes[child].parent = node;
        }
    }
}

static void check_matrix(gltf_file *file, const float *matrix)
{
    const char *const fault = acre_import_matrix_fault(matrix);
    if (fault != NULL) {
        acre_gltf_refuse(file, "%s", fault);
    }
}

void acre_gltf_compose(gltf_file *file, gltf_pose *pose)
{
    const float *const move = pose->parts, *const turn = pose->parts + 3;
    const float *const scale = pose->parts + 7;
    const double a = (double)turn[0], b = (double)turn[1], c = (double)turn[2];
    const double d = (double)turn[3];
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
            pose->matrix[4 * column + row] =
                (float)(turned[3 * column + row] * (double)scale[column]);
        }
        pose->matrix[4 * column + 3] = 0.0f;
        pose->matrix[12 + column] = move[column];
    }
    pose->matrix[15] = 1.0f;
    check_matrix(file, pose->matrix);
}

static const gltf_pose at_rest = {.parts = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}};

static void read_pose(gltf_file *file, const cJSON *json, gltf_pose *pose)
{
    *pose = at_rest;
    if (acre_gltf_member(file, json, "matrix") != NULL) {
        acre_gltf_floats(file, json, "matrix", pose->matrix, 16);
        acre_import_settle_matrix(pose->matrix);
        check_matrix(file, pose->matrix);
        return;
    }
    acre_gltf_floats(file, json, "translation", pose->parts, 3);
    acre_gltf_floats(file, json, "rotation", pose->parts + 3, 4);
    acre_gltf_floats(file, json, "scale", pose->parts + 7, 3);
    acre_gltf_compose(file, pose);
}

static void read_instances(gltf_file *file, uint32_t number, const cJSON *instancing,
                           gltf_node *node)
{
    static const char *const names[3] = {"TRANSLATION", "ROTATION", "SCALE"};
    if (node->skin != GLTF_NONE) {
        acre_gltf_refuse(file, "it has a skin and " GLTF_INSTANCING);
    }
    acre_gltf_at(file, "nodes[%u]." GLTF_INSTANCING, (unsigned)number);
    const cJSON *const attributes = acre_gltf_member(file, instancing, "attributes");
    for (int i = 0; i < 3; i++) {
        const uint32_t width = gltf_part_starts[i + 1] - gltf_part_starts[i];
        if (acre_gltf_member(file, attributes, names[i]) == NULL) {
            continue;
        }
        if (acre_gltf_read(file, attributes, names[i], width, GLTF_FLOATS, NULL) >
            IMPORT_NODE_LIMIT) {
            acre_gltf_refuse_size(file, ACRE_ERROR_CAPACITY);
        }
        node->places[i] = acre_gltf_take_elements(file, attributes, names[i], width, GLTF_FLOATS,
                                                  &node->instances);
    }
    const cJSON *item = cJSON_IsObject(attributes) ? attributes->child : NULL;
    for (; item != NULL; item = item->next) {
        const char *const name = item->string; // the file's own begin with _
        if (name[0] != '_' && strcmp(name, names[0]) != 0 && strcmp(name, names[1]) != 0 &&
            strcmp(name, names[2]) != 0) {
            acre_gltf_note(file, GLTF_INSTANCING ": %.64s is not read", name);
        }
    }
    if (node->instances == GLTF_NONE) {
        acre_gltf_refuse(file, "it has no attributes");
    }
}

static void read_node(gltf_file *file, uint32_t number)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_NODES, number);
    gltf_node *const node = &file->nodes[number];
    read_children(file, number, json);
    acre_gltf_at(file, "nodes[%u]", (unsigned)number);
    node->mesh = acre_gltf_link(file, json, "mesh", GLTF_MESHES);
    node->skin = acre_gltf_link(file, json, "skin", GLTF_SKINS);
    if (node->mesh == GLTF_NONE) {
        node->skin = GLTF_NONE;
    }
    node->name = acre_gltf_text(file, json, "name");
    if (node->name == NULL) {
        char *const own = acre_gltf_take(file, 24, 1);
        snprintf(own, own != NULL ? 24 : 0, "nodes[%u]", (unsigned)number);
        node->name = own;
    }
    node->has_weights = acre_gltf_member(file, json, "weights") != NULL;
    node->use = node->skin != GLTF_NONE || node->has_weights ? GLTF_BENT : GLTF_AS_IT_IS;
    const cJSON *const instancing = acre_gltf_extension(file, json, GLTF_INSTANCING);
    if (node->mesh != GLTF_NONE && instancing != NULL) {
        read_instances(file, number, instancing, node);
    }
    // Itself and its instances, or else its mesh, if that has a skin.
    file->made_room += node->instances != GLTF_NONE ? 1 + (uint64_t)node->instances : 2;
    acre_gltf_at(file, "nodes[%u]", (unsigned)number);
    read_pose(file, json, &file->poses[number]);
    acre_gltf_read_occluders(file, number, json, node);
}

// ---- the order ----

/// Appends a node to the order that stands in no list of children.
static void meet_root(gltf_file *file, uint32_t node)
{
    gltf_node *const root = &file->nodes[node];
    if (root->parent != GLTF_NONE || root->is_met) {
        acre_gltf_refuse(file, "nodes[%u] stands elsewhere as well", (unsigned)node);
        return;
    }
    root->is_met = true;
    file->order[file->met_count++] = node;
}

/// Appends those below the nodes that stand in the order from here on, level by level.
static void meet_children(gltf_file *file, uint32_t from)
{
    for (uint32_t at = from; file->result == ACRE_OK && at < file->met_count; at++) {
        const cJSON *const json = acre_gltf_item(file, GLTF_NODES, file->order[at]);
        const cJSON *item = acre_gltf_first(file, json, "children");
        for (; item != NULL; item = item->next) {
            ACRE_INVARIANT(file->met_count < file->lists[GLTF_NODES].count); // one parent each
            file->order[file->met_count] = (uint32_t)item->valuedouble;
            file->nodes[file->order[file->met_count++]].is_met = true;
        }
    }
}

static void meet_other_roots(gltf_file *file)
{
    for (uint32_t i = 0; i < file->lists[GLTF_NODES].count; i++) {
        if (file->nodes[i].parent == GLTF_NONE && !file->nodes[i].is_met) {
            meet_root(file, i);
        }
    }
}

/// The roots of the scene: the default one, else the first; all roots of a file without scenes.
static void meet_scene(gltf_file *file)
{
    acre_gltf_at(file, "scene");
    const cJSON *const number = acre_gltf_member(file, file->root, "scene");
    uint32_t scene = acre_gltf_reference(file, number, GLTF_SCENES);
    if (file->lists[GLTF_SCENES].count == 0) {
        meet_other_roots(file);
        return;
    }
    scene = scene == GLTF_NONE ? 0 : scene;
    acre_gltf_at(file, "scenes[%u].nodes", (unsigned)scene);
    const cJSON *item = acre_gltf_first(file, acre_gltf_item(file, GLTF_SCENES, scene), "nodes");
    for (; item != NULL && file->result == ACRE_OK; item = item->next) {
        const uint32_t node = acre_gltf_reference(file, item, GLTF_NODES);
        if (node != GLTF_NONE) {
            meet_root(file, node);
        }
    }
}

/// Goes up from each node, until the way meets one that was gone before: its own is a ring.
static void refuse_rings(gltf_file *file)
{
    for (uint32_t i = 0; i < file->lists[GLTF_NODES].count; i++) {
        uint32_t node = i;
        while (node != GLTF_NONE && file->nodes[node].way == 0) {
            file->nodes[node].way = i + 1;
            node = file->nodes[node].parent;
        }
        if (node != GLTF_NONE && file->nodes[node].way == i + 1) {
            acre_gltf_at(file, "nodes[%u]", (unsigned)node);
            acre_gltf_refuse(file, "it is among its own parents");
        }
    }
}

/// Puts all nodes in order: those of the scene, then the others.
static void order_nodes(gltf_file *file)
{
    refuse_rings(file);
    meet_scene(file);
    file->root_count = file->met_count;
    meet_children(file, 0);
    file->scene_count = file->met_count;
    meet_other_roots(file);
    meet_children(file, file->scene_count);
}

// ---- the model's nodes ----

static void add_node(gltf_file *file, uint32_t number, uint32_t parent, uint32_t mesh,
                     const float *local)
{
    const gltf_node *const node = number != GLTF_NONE ? &file->nodes[number] : NULL;
    const char *const name = node != NULL ? node->name : "ROOT";
    gltf_made *const to = &file->made[file->counts.nodes];
    ACRE_INVARIANT(file->counts.nodes < file->made_room);
    *to = (gltf_made){.name = name, .file_node = number, .parent = parent, .mesh = mesh};
    memcpy(to->local, local, sizeof to->local);
    if (node != NULL && node->mesh == mesh) { // instances have them, and not the node above these
        to->occluders = node->occluders;
        to->occluder_count = node->occluder_count;
    }
    file->counts.nodes++;
    file->counts.name_bytes += strlen(name) + 1;
    file->counts.occluders += to->occluder_count;
    acre_gltf_spend(file, strlen(name) + 1, 1); // all instances of a node have its name
    acre_gltf_spend(file, to->occluder_count, sizeof *to->occluders);
    if (mesh != GLTF_NONE) {
        file->uses[mesh] |= (unsigned char)node->use;
    }
}

/// Appends a child for each instance.
static void add_instances(gltf_file *file, uint32_t number)
{
    const gltf_node *const node = &file->nodes[number];
    acre_gltf_at(file, "nodes[%u]." GLTF_INSTANCING, (unsigned)number);
    for (size_t i = 0; i < node->instances && file->result == ACRE_OK; i++) {
        gltf_pose pose = at_rest;
        for (int k = 0; k < 3; k++) {
            const size_t start = gltf_part_starts[k], width = gltf_part_starts[k + 1] - start;
            if (node->places[k] != NULL) {
                memcpy(pose.parts + start, node->places[k] + width * i, width * sizeof(float));
            }
        }
        acre_gltf_compose(file, &pose);
        add_node(file, number, node->place, node->mesh, pose.matrix);
    }
}

/// First the nodes of the file, then instances, then meshes with skins.
static void make_nodes(gltf_file *file)
{
    static const float same[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (uint32_t i = 0; i < file->scene_count; i++) {
        file->has_skins |= file->nodes[file->order[i]].skin != GLTF_NONE;
    }
    const bool has_root = file->root_count != 1 || file->has_skins;
    if (has_root) {
        add_node(file, GLTF_NONE, ACRE_IMPORT_NO_PARENT, GLTF_NONE, same);
    }
    for (uint32_t i = 0; i < file->scene_count; i++) {
        const uint32_t number = file->order[i];
        gltf_node *const node = &file->nodes[number];
        const bool is_here = node->skin == GLTF_NONE && node->instances == GLTF_NONE;
        const uint32_t parent = node->parent != GLTF_NONE ? file->nodes[node->parent].place
                                : has_root                ? 0
                                                          : ACRE_IMPORT_NO_PARENT;
        node->place = (uint32_t)file->counts.nodes;
        add_node(file, number, parent, is_here ? node->mesh : GLTF_NONE,
                 file->poses[number].matrix);
    }
    for (uint32_t i = 0; i < file->scene_count; i++) {
        if (file->nodes[file->order[i]].instances != GLTF_NONE) {
            add_instances(file, file->order[i]);
        }
    }
    for (uint32_t i = 0; i < file->scene_count; i++) {
        const gltf_node *const node = &file->nodes[file->order[i]];
        if (node->skin != GLTF_NONE) {
            add_node(file, file->order[i], 0, node->mesh, same);
        }
    }
}

void acre_gltf_read_nodes(gltf_file *file)
{
    const uint32_t count = file->lists[GLTF_NODES].count;
    file->nodes = acre_gltf_take(file, count, sizeof *file->nodes);
    file->uses = acre_gltf_take(file, file->lists[GLTF_MESHES].count, 1);
    file->poses = acre_gltf_take(file, count, sizeof *file->poses);
    file->order = acre_gltf_take(file, count, sizeof *file->order);
    file->made_room = 1; // a root above all
    for (uint32_t i = 0; file->result == ACRE_OK && i < count; i++) {
        file->nodes[i].parent = file->nodes[i].instances = GLTF_NONE;
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < count; i++) {
        read_node(file, i);
    }
    if (file->result == ACRE_OK) {
        order_nodes(file);
    }
    file->made = acre_gltf_take(file, file->made_room, sizeof *file->made);
    if (file->made != NULL) {
        make_nodes(file);
    }
}
