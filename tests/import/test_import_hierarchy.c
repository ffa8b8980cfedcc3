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
        TEST(a_node_in_two_places_is_refused),
        TEST(a_missing_list_or_root_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
