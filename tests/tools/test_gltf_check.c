// SPDX-License-Identifier: MIT
// test_gltf_check.c - the second path to a glTF's bounds finds what the first one has wrong.
#include "gltf_check.h"
#include "import_files.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Writes a file, and leaves it there. @return its path
static const char *write_file(const char *name, const void *bytes, size_t size)
{
    const char *const path = import_temporary_path(name);
    FILE *const file = fopen(path, "wb");
    EXPECT(file != NULL && fwrite(bytes, size, 1, file) == 1 && fclose(file) == 0);
    return path;
}

// Imports one file, and checks its model with another: an importer that is wrong.
static gltf_check check_with(const char *nodes, const char *other_nodes, const float *points)
{
    size_t size;
    unsigned char *bytes = triangle_glb(nodes, NULL, NULL, &size);
    acre_import_model *model = NULL;
    EXPECT(import_bytes(IMPORT_HERE, "one.glb", bytes, size, NULL, &model) == ACRE_OK);
    free(bytes);
    bytes = triangle_glb(other_nodes, points, NULL, &size);
    const char *const path = write_file("other.glb", bytes, size);
    free(bytes);
    if (points != NULL) { // the file whose accessor lies is imported itself
        acre_import_free(model);
        char message[256];
        EXPECT(acre_import_file(path, NULL, &model, message, sizeof message) == ACRE_OK);
    }
    gltf_check check;
    gltf_check_model(path, model, &check);
    remove(path);
    acre_import_free(model);
    return check;
}

static const char placed[] =
    "[{\"children\":[1],\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":[2,-3,1]},"
    "{\"mesh\":0,\"translation\":[1,2,3]}]";

static void a_file_that_tells_the_truth_agrees(void)
{
    const gltf_check check = check_with(placed, placed, NULL);
    CHECK(check.has_path && check.compared == 1 && check.different == 0 && check.flat == 0);
    char text[128];
    gltf_check_text(&check, text, sizeof text);
    CHECK(strcmp(text, "1 node as the accessors' min and max say") == 0);
}

static void a_node_at_another_place_is_found(void)
{
    static const char *const others[] = {
        "[{\"children\":[1],\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":[2,-3,1]},"
        "{\"mesh\":0,\"translation\":[1,2,3.001]}]",
        "[{\"children\":[1],\"rotation\":[0.5,0.5,0.5,-0.5],\"scale\":[2,-3,1]},"
        "{\"mesh\":0,\"translation\":[1,2,3]}]",
        "[{\"children\":[1],\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":[2,3,1]},"
        "{\"mesh\":0,\"translation\":[1,2,3]}]"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const gltf_check check = check_with(placed, others[i], NULL);
        CHECK(check.has_path && check.compared == 1 && check.different == 1);
        CHECK(strstr(check.first, "nodes[1]: its accessors and matrices say") != NULL);
    }
}

static void an_accessor_that_lies_is_found(void)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 2.5f, 0}; // it says 2
    const gltf_check check = check_with(placed, placed, points);
    CHECK(check.compared == 1 && check.different == 1);
    CHECK(strstr(check.first, "accessors[0].min and max say 0 0 0 to 1 2 0; it was imported as "
                              "0 0 0 to 1 2.5 0") != NULL);
}

static void triangles_without_extent_are_counted(void)
{
    static const float points[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const gltf_check check = check_with(placed, placed, points);
    CHECK(check.flat == 1);
    char text[160];
    gltf_check_text(&check, text, sizeof text);
    CHECK(strstr(text, "DIFFER") != NULL && strstr(text, "1 meshes with triangles and NO EXTENT"));
}

// Two instances, 100 apart along x, in buffers in base64; the second one's place is `far`.
static gltf_check check_instances(const char *far)
{
    static const char head[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"translation\":[10,0,0],"
        "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":1}}}}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{"
        "\"byteLength\":36,\"uri\":\"data:;base64,"
        "AACAvwAAAMAAAEDAAACAPwAAAEAAAEBAAACAPwAAAMAAAEBA\"},{\"byteLength\":24,\"uri\":\"data:;"
        "base64,AAAAAAAAAAAAAAAA%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{"
        "\"buffer\":1,\"byteLength\":24}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[-1,-2,-3],"
        "\"max\":[1,2,3]},{\"bufferView\":1,\"componentType\":5126,\"count\":2,"
        "\"type\":\"VEC3\"}]}";
    static const char hundred[] = "AADIQgAAAAAAAAAA";
    char text[1536];
    snprintf(text, sizeof text, head, hundred);
    acre_import_model *model = NULL;
    EXPECT(import_text(IMPORT_HERE, "two.gltf", text, &model) == ACRE_OK);
    snprintf(text, sizeof text, head, far);
    const char *const path = write_file("far.gltf", text, strlen(text));
    gltf_check check;
    gltf_check_model(path, model, &check);
    remove(path);
    acre_import_free(model);
    return check;
}

static void each_instance_is_compared(void)
{
    gltf_check check = check_instances("AADIQgAAAAAAAAAA");
    CHECK(check.compared == 2 && check.different == 0);
    check = check_instances("AADIQgAAAAAAAIA/"); // 1 further along z
    CHECK(check.compared == 2 && check.different == 1);
}

// Imports one file of these points, joints, weights and moves of a morph target, and checks its
// model with another.
static gltf_check check_bytes(const char *json, const char *other_json)
{
    static const float floats[] = {
        -1, -2, 3, 1, 2, 3, -1, -2, -3,          // points
        1,  0,  0, 0, 1, 0, 0,  0,  1,  0, 0, 0, // weights
        0,  0,  4, 0, 0, 4, 8,  0,  0,           // moves
    };
    unsigned char bytes[sizeof floats + 12] = {0}; // and joints, which are all 0
    memcpy(bytes, floats, sizeof floats);
    size_t size;
    unsigned char *file = glb_make(json, bytes, sizeof bytes, &size);
    acre_import_model *model = NULL;
    EXPECT(import_bytes(IMPORT_HERE, "one.glb", file, size, NULL, &model) == ACRE_OK);
    free(file);
    file = glb_make(other_json, bytes, sizeof bytes, &size);
    const char *const path = write_file("other.glb", file, size);
    free(file);
    gltf_check check;
    gltf_check_model(path, model, &check);
    remove(path);
    acre_import_free(model);
    return check;
}

#define BYTES                                                                                      \
    "\"buffers\":[{\"byteLength\":132}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{"       \
    "\"buffer\":0,\"byteOffset\":36,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":84,"           \
    "\"byteLength\":36},{\"buffer\":0,\"byteOffset\":120,\"byteLength\":12}],\"accessors\":[{"     \
    "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[-1,-2,-3],"    \
    "\"max\":[1,2,3]},{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},{"   \
    "\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":3,"    \
    "\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"}],\"asset\":{\"version\":\"2.0\"}}"

#define MORPHED(weight)                                                                            \
    "{\"nodes\":[{\"mesh\":0,\"weights\":[" weight "]}],\"meshes\":[{\"primitives\":[{"            \
    "\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":2}]}]}]," BYTES

static void weights_of_morph_targets_are_compared(void)
{
    gltf_check check = check_bytes(MORPHED("0.5"), MORPHED("0.5"));
    CHECK(check.compared == 1 && check.different == 0);
    check = check_bytes(MORPHED("0.5"), MORPHED("0.25"));
    CHECK(check.compared == 1 && check.different == 1);
}

// The same file with other words somewhere, which only the check reads.
static gltf_check check_other(const char *json, const char *words, const char *others)
{
    char text[2048];
    const char *const at = strstr(json, words);
    EXPECT(at != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - json), json, others, at + strlen(words));
    return check_bytes(json, text);
}

static void what_is_not_compared_is_told_with_its_reason(void)
{
    static const struct {
        const char *words, *others, *reason;
    } cases[] = {
        {"{\"bufferView\":2,", "{\"sparse\":{},\"bufferView\":2,", "; 1 not compared: sparse"},
        {"\"byteOffset\":84,", "\"extensions\":{},\"byteOffset\":84,",
         "; 1 not compared: compressed"},
        {"\"min\":[-1,-2,-3]", "\"min\":[\"a\",-2,-3]",
         "; 1 not compared: the file states nothing"},
        {"\"min\":[-1,-2,-3]", "\"min\":[-1,-2]", "; 1 not compared: the file states nothing"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gltf_check check = check_other(MORPHED("0.5"), cases[i].words, cases[i].others);
        char text[256];
        gltf_check_text(&check, text, sizeof text);
        CHECK(check.compared == 0 && check.different == 0);
        CHECK(strstr(text, cases[i].reason) != NULL);
        CHECK(strncmp(text, "NOTHING was compared", 20) == 0);
    }
}

static void a_least_number_above_the_largest_is_told_as_it_stands(void)
{
    const gltf_check check = check_other(MORPHED("0"), "\"min\":[-1,", "\"min\":[9,");
    CHECK(check.different == 1);
    CHECK(strstr(check.first, "min and max say 9 -2 -3 to 1 2 3;") != NULL);
}

static void a_box_that_is_stated_upside_down_is_told(void)
{
    const gltf_check check = check_other(MORPHED("0"), "\"min\":[-1,-2,-3],\"max\":[1,2,3]",
                                         "\"min\":[1,2,3],\"max\":[-1,-2,-3]");
    CHECK(check.compared == 1 && check.different == 1);
    CHECK(strstr(check.first, "min and max say 1 2 3 to -1 -2 -3;") != NULL);
}

static void a_filter_that_rounds_may_differ_by_a_thousandth(void)
{
    static const struct {
        const char *filter, *largest;
        uint32_t rounded, different;
    } cases[] = {{"EXPONENTIAL", "[1,2,3.002]", 1, 0},
                 {"EXPONENTIAL", "[1,2,3.02]", 1, 1},
                 {"NONE", "[1,2,3.002]", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[2048], view[256];
        snprintf(view, sizeof view,
                 "\"bufferViews\":[{\"extensions\":{\"EXT_meshopt_compression\":{\"filter\":"
                 "\"%s\"}},",
                 cases[i].filter);
        const char *const start = MORPHED("0"), *const at = strstr(start, "\"bufferViews\":[{");
        const char *const most = strstr(start, "[1,2,3]");
        snprintf(json, sizeof json, "%.*s%s%.*s%s%s", (int)(at - start), start, view,
                 (int)(most - at) - 16, at + 16, cases[i].largest, most + 7);
        const gltf_check check = check_bytes(start, json);
        CHECK(check.compared == 1 && check.rounded == cases[i].rounded);
        CHECK(check.different == cases[i].different);
    }
}

#define SKINNED(x)                                                                                 \
    "{\"nodes\":[{\"mesh\":0,\"skin\":0},{\"translation\":[" x ",0,0]}],\"skins\":[{\"joints\":["  \
    "1]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":3,"            \
    "\"WEIGHTS_0\":1}}]}]," BYTES

static void points_that_joints_put_outside_of_the_bounds_are_found(void)
{
    gltf_check check = check_bytes(SKINNED("5"), SKINNED("5"));
    char text[128];
    gltf_check_text(&check, text, sizeof text);
    CHECK(check.bent == 1 && check.different == 0);
    CHECK(strstr(text, "; 1 with skins hold their points in the rest pose") != NULL);
    check = check_bytes(SKINNED("5"), SKINNED("50"));
    CHECK(check.bent == 1 && check.different == 1);
    CHECK(strstr(check.first, "its joints put points at 49 ") != NULL);
}

// Each node stands half a unit further along x than the one above it.
static void a_deep_hierarchy_takes_no_longer_than_a_flat_one(void)
{
    enum { NODES = 20000 };
    char *const nodes = malloc(80 * NODES);
    EXPECT(nodes != NULL);
    char *at = nodes;
    for (int i = 0; i < NODES - 1; i++) {
        at += sprintf(at, "%s{\"mesh\":0,\"translation\":[0.5,0,0],\"children\":[%d]}",
                      i == 0 ? "[" : ",", i + 1);
    }
    sprintf(at, ",{\"mesh\":0,\"translation\":[0.5,0,0]}]");
    size_t size;
    unsigned char *const bytes = triangle_glb(nodes, NULL, NULL, &size);
    const char *const path = write_file("deep.glb", bytes, size);
    free(bytes);
    free(nodes);
    acre_import_model *model = NULL;
    char message[256];
    EXPECT(acre_import_file(path, NULL, &model, message, sizeof message) == ACRE_OK);
    gltf_check check;
    const clock_t start = clock();
    gltf_check_model(path, model, &check);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    remove(path);
    acre_import_free(model);
    CHECK(check.has_path && check.compared == NODES && check.different == 0);
    if (seconds >= 2.0) { // a walk to the root for each node takes some 50
        printf("     %.1f s\n", seconds);
    }
    CHECK(seconds < 2.0);
}

// Each buffer would take as much memory as the file has: more than the limit of the machine.
static void a_file_that_several_buffers_name_is_read_once(void)
{
    enum { BUFFERS = 2000, SIZE = 1 << 20 };
    unsigned char *const bytes = calloc(1, SIZE);
    char *const text = malloc(64 * BUFFERS + 1024);
    EXPECT(bytes != NULL && text != NULL);
    const char *const beside = write_file("beside.bin", bytes, SIZE);
    char *at = text + sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[");
    for (int i = 0; i < BUFFERS; i++) {
        at += sprintf(at, "%s{\"byteLength\":36,\"uri\":\"beside.bin\"}", i > 0 ? "," : "");
    }
    sprintf(
        at,
        "],\"bufferViews\":[{\"buffer\":1,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0,"
        "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":0}}}}]}");
    acre_import_model *model = NULL;
    char message[256], path[512];
    snprintf(path, sizeof path, "%s", beside);
    const char *const file = write_file("many.gltf", text, strlen(text));
    EXPECT(acre_import_file(file, NULL, &model, message, sizeof message) == ACRE_OK);
    gltf_check check;
    const clock_t start = clock();
    gltf_check_model(file, model, &check);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    remove(file);
    remove(path);
    acre_import_free(model);
    free(text);
    free(bytes);
    CHECK(check.compared == 3 && check.different == 0);
    CHECK(seconds < 0.5); // 2 GB read from the cache take several times as long
}

static void another_format_has_no_second_path(void)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    acre_import_model *model;
    CHECK(import_text(IMPORT_HERE, "one.obj", obj, &model) == ACRE_OK);
    const char *const path = write_file("one.obj", obj, sizeof obj - 1);
    gltf_check check;
    gltf_check_model(path, model, &check);
    remove(path);
    acre_import_free(model);
    CHECK(!check.has_path && check.compared == 0);
    char text[128];
    gltf_check_text(&check, text, sizeof text);
    CHECK(strncmp(text, "no second path: ", 16) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_file_that_tells_the_truth_agrees),
        TEST(a_node_at_another_place_is_found),
        TEST(an_accessor_that_lies_is_found),
        TEST(triangles_without_extent_are_counted),
        TEST(each_instance_is_compared),
        TEST(weights_of_morph_targets_are_compared),
        TEST(what_is_not_compared_is_told_with_its_reason),
        TEST(a_least_number_above_the_largest_is_told_as_it_stands),
        TEST(a_box_that_is_stated_upside_down_is_told),
        TEST(a_filter_that_rounds_may_differ_by_a_thousandth),
        TEST(points_that_joints_put_outside_of_the_bounds_are_found),
        TEST(a_file_that_several_buffers_name_is_read_once),
        TEST(a_deep_hierarchy_takes_no_longer_than_a_flat_one),
        TEST(another_format_has_no_second_path),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
