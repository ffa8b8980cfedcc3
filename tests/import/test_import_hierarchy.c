// SPDX-License-Identifier: MIT
// test_import_hierarchy.c - hierarchies that no file of a test makes a reader return.
//
// This program has an aiImportFile of its own, which takes the place of assimp's.
#include "import_files.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <string.h>

enum { NODE_COUNT = 5 };

static struct aiScene scene;
static struct aiNode nodes[NODE_COUNT];
static struct aiNode *lists[NODE_COUNT][NODE_COUNT]; // of children, by node

const struct aiScene *aiImportFile(const char *path, unsigned int flags)
{
    (void)path;
    (void)flags;
    return &scene;
}

void aiReleaseImport(const struct aiScene *imported)
{
    (void)imported;
}

static void start_scene(void)
{
    memset(&scene, 0, sizeof scene);
    memset(nodes, 0, sizeof nodes);
    memset(lists, 0, sizeof lists);
    scene.mRootNode = &nodes[0];
    for (int i = 0; i < NODE_COUNT; i++) {
        nodes[i].mName.length = 1;
        nodes[i].mName.data[0] = (char)('a' + i);
        nodes[i].mTransformation.a1 = nodes[i].mTransformation.b2 = 1.0f;
        nodes[i].mTransformation.c3 = nodes[i].mTransformation.d4 = 1.0f;
        nodes[i].mChildren = lists[i];
    }
}

// The next place of a parent's list; child -1 leaves it empty.
static void list_child(int parent, int child)
{
    lists[parent][nodes[parent].mNumChildren++] = child >= 0 ? &nodes[child] : NULL;
}

static acre_result import_scene(acre_import_model **out)
{
    return import_text(IMPORT_HERE, "made.obj", "any content of some length", out);
}

static bool is_refused_for(const char *reason)
{
    acre_import_model *model;
    return import_scene(&model) == ACRE_ERROR_FORMAT && refusal_is_told(model) &&
           strstr(import_message, reason) != NULL;
}

static void lists_make_the_tree_whatever_parent_pointers_name(void)
{
    start_scene();
    list_child(0, 1);
    list_child(1, 2);
    list_child(1, 3);
    list_child(3, 4);
    nodes[0].mParent = &nodes[4];
    nodes[2].mParent = &nodes[2];
    acre_import_model *model;
    CHECK(import_scene(&model) == ACRE_OK && model_fault(model) == NULL);
    static const uint32_t parents[NODE_COUNT] = {ACRE_IMPORT_NO_PARENT, 0, 1, 1, 3};
    CHECK(model->node_count == NODE_COUNT);
    for (uint32_t i = 0; i < NODE_COUNT; i++) {
        CHECK(model->nodes[i].name[0] == (char)('a' + i) && model->nodes[i].parent == parents[i]);
    }
    acre_import_free(model);
}

static void empty_places_in_a_list_are_passed_over(void)
{
    start_scene();
    list_child(0, -1);
    list_child(0, 1);
    list_child(0, -1);
    acre_import_model *model;
    CHECK(import_scene(&model) == ACRE_OK && model_fault(model) == NULL);
    CHECK(model->node_count == 2 && model->nodes[1].name[0] == 'b');
    acre_import_free(model);
}

enum { SETTINGS = 7 };

// Gives the scene settings: whole numbers named as FBX does, and the format's name.
static void state_axes(const int32_t numbers[6], const char *format)
{
    static const char *const keys[SETTINGS] = {
        "CoordAxis",     "CoordAxisSign",     "UpAxis", "UpAxisSign", "FrontAxis",
        "FrontAxisSign", "SourceAsset_Format"};
    static struct aiString names[SETTINGS], text;
    static struct aiMetadataEntry values[SETTINGS];
    static struct aiMetadata settings;
    static int32_t stated[6];
    memcpy(stated, numbers, sizeof stated);
    for (int i = 0; i < SETTINGS; i++) {
        names[i].length = (uint32_t)strlen(keys[i]);
        memcpy(names[i].data, keys[i], names[i].length + 1);
        values[i].mType = i < 6 ? AI_INT32 : AI_AISTRING;
        values[i].mData = i < 6 ? (void *)&stated[i] : (void *)&text;
    }
    text.length = (uint32_t)strlen(format);
    memcpy(text.data, format, text.length + 1);
    settings.mNumProperties = SETTINGS;
    settings.mKeys = names;
    settings.mValues = values;
    scene.mMetaData = &settings;
}

// Where the root's matrix puts the point (1, 2, 3), moved by (10, 20, 30) in the file; the child
// must not be turned a second time.
static bool comes_in_as(const int32_t numbers[6], const char *format, const float expected[3])
{
    static const float point[3] = {1, 2, 3};
    acre_import_model *model;
    start_scene();
    list_child(0, 1);
    nodes[0].mTransformation.a4 = 10;
    nodes[0].mTransformation.b4 = 20;
    nodes[0].mTransformation.c4 = 30;
    state_axes(numbers, format);
    if (import_scene(&model) != ACRE_OK || model_fault(model) != NULL) {
        return false;
    }
    bool ok = model->nodes[1].local[0] == 1 && model->nodes[1].local[6] == 0;
    const float *m = model->nodes[0].local;
    for (int i = 0; i < 3; i++) {
        ok &=
            m[i] * point[0] + m[4 + i] * point[1] + m[8 + i] * point[2] + m[12 + i] == expected[i];
    }
    acre_import_free(model);
    return ok;
}

static void files_that_state_their_axes_stand_upright(void)
{
    static const char fbx[] = "Autodesk FBX Importer";
    // Right, up and front with their signs: y up, z up, x up, z up left-handed, y up seen from
    // behind.
    CHECK(comes_in_as((const int32_t[6]){0, 1, 1, 1, 2, 1}, fbx, (const float[3]){11, 22, 33}));
    CHECK(comes_in_as((const int32_t[6]){0, 1, 2, 1, 1, -1}, fbx, (const float[3]){11, 33, -22}));
    CHECK(comes_in_as((const int32_t[6]){1, -1, 0, 1, 2, 1}, fbx, (const float[3]){-22, 11, 33}));
    CHECK(comes_in_as((const int32_t[6]){0, 1, 2, 1, 1, 1}, fbx, (const float[3]){11, 33, 22}));
    CHECK(comes_in_as((const int32_t[6]){0, -1, 1, 1, 2, -1}, fbx, (const float[3]){-11, 22, -33}));
    // Blender states nothing and has z up.
    CHECK(comes_in_as((const int32_t[6]){-1, 1, -1, 1, -1, 1}, "Blender 3D Importer",
                      (const float[3]){11, 33, -22}));
    // What is no set of axes is ignored.
    CHECK(comes_in_as((const int32_t[6]){0, 1, 0, 1, 1, 1}, fbx, (const float[3]){11, 22, 33}));
    CHECK(comes_in_as((const int32_t[6]){0, 1, 1, 1, 3, 1}, fbx, (const float[3]){11, 22, 33}));
    CHECK(comes_in_as((const int32_t[6]){0, 1, 2, 1, INT32_MIN, 1}, "",
                      (const float[3]){11, 22, 33}));
}

static void a_node_in_two_places_is_refused(void)
{
    start_scene(); // a child of two nodes
    list_child(0, 1);
    list_child(0, 2);
    list_child(1, 3);
    list_child(2, 3);
    CHECK(is_refused_for("node 2 ('c'): child 0 stands elsewhere in the hierarchy as well"));
    start_scene(); // twice in one list
    list_child(0, 1);
    list_child(0, 1);
    CHECK(is_refused_for("node 0 ('a'): child 1 stands elsewhere"));
    start_scene(); // its own child
    list_child(0, 0);
    CHECK(is_refused_for("node 0 ('a'): child 0 stands elsewhere"));
    start_scene(); // a loop
    list_child(0, 1);
    list_child(1, 2);
    list_child(2, 0);
    CHECK(is_refused_for("node 2 ('c'): child 0 stands elsewhere"));
}

static void a_missing_list_or_root_is_refused(void)
{
    start_scene();
    nodes[0].mNumChildren = 1;
    nodes[0].mChildren = NULL;
    CHECK(is_refused_for("node 0 ('a'): its list of children is missing"));
    start_scene();
    nodes[0].mNumMeshes = 1;
    CHECK(is_refused_for("node 0 ('a'): its list of meshes is missing"));
    start_scene();
    scene.mRootNode = NULL;
    CHECK(is_refused_for("there is no node in it"));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(lists_make_the_tree_whatever_parent_pointers_name),
        TEST(empty_places_in_a_list_are_passed_over),
        TEST(files_that_state_their_axes_stand_upright),
        TEST(a_node_in_two_places_is_refused),
        TEST(a_missing_list_or_root_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
