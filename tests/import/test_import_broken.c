// SPDX-License-Identifier: MIT
// test_import_broken.c - files that are missing, cut, changed or hostile; memory that runs out.
//
// Whatever assimp may crash on is read in a child process.
#define _GNU_SOURCE // mkfifo, setrlimit, fork

#include "failing_allocator.h"
#include "import_files.h"
#include "import_sandbox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char one_obj[] = "o roof\nv 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nf 1 2 3 4\n";
static const char one_ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "-1 0 0\n1 0 0\n1 2 3\n-1 2 3\n4 0 1 2 3\n";
static const char one_stl[] =
    "solid wedge\nfacet normal 0 0 1\nouter loop\nvertex -1 0 0\nvertex 1 0 0\n"
    "vertex 1 2 3\nendloop\nendfacet\nendsolid wedge\n";
static const char one_node[] = "[{\"name\":\"n\",\"mesh\":0}]";

// A crash of assimp is a signal and becomes a message; a report of the sanitizers about Acre's own
// code ends the child with an exit code, which no case accepts.
ACRE_API const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0:handle_sigill=0";
}

// After an import: a sound model, or a refusal with a code of file content and a message. Frees it.
static bool outcome_is_sound(acre_result result, acre_import_model *model)
{
    if (result == ACRE_OK) {
        const bool sound = model_fault(model) == NULL && import_message[0] == '\0';
        acre_import_free(model);
        return sound;
    }
    return (result == ACRE_ERROR_FORMAT || result == ACRE_ERROR_OUT_OF_MEMORY) &&
           refusal_is_told(model) && strstr(import_message, "ended without an answer") == NULL;
}

static bool is_refused(import_way way, const char *name, const void *bytes, size_t size,
                       const char *reason)
{
    acre_import_model *model;
    const acre_result result = import_bytes(way, name, bytes, size, NULL, &model);
    if (result == ACRE_ERROR_FORMAT && refusal_is_told(model) &&
        strstr(import_message, "ended without an answer") == NULL &&
        strstr(import_message + strlen(import_path), reason) != NULL) {
        return true;
    }
    printf("%s: result %d, message '%s'\n", name, (int)result, import_message);
    acre_import_free(model);
    return false;
}

static void files_that_cannot_be_read_are_told_from_wrong_content(void)
{
    acre_import_model *model;
    snprintf(import_path, sizeof import_path, "%s", import_temporary_path("missing.glb"));
    CHECK(acre_import_file(import_path, NULL, &model, import_message, sizeof import_message) ==
          ACRE_ERROR_IO);
    CHECK(refusal_is_told(model) && strstr(import_message, "cannot be opened") != NULL);
    CHECK(import_sandbox_file(import_path, NULL, &model, import_message, sizeof import_message) ==
          ACRE_ERROR_IO);
    CHECK(refusal_is_told(model) && strstr(import_message, "cannot be opened") != NULL);

    snprintf(import_path, sizeof import_path, "%s", import_temporary_path("folder.glb"));
    CHECK(mkdir(import_path, 0700) == 0);
    CHECK(acre_import_file(import_path, NULL, &model, import_message, sizeof import_message) ==
          ACRE_ERROR_IO);
    rmdir(import_path);
    CHECK(refusal_is_told(model) && strstr(import_message, "cannot be read") != NULL);

    CHECK(is_refused(IMPORT_HERE, "empty.glb", "", 0, "is empty"));
    CHECK(is_refused(IMPORT_HERE, "empty.obj", "", 0, "is empty"));
    CHECK(is_refused(IMPORT_HERE, "unknown.thing", "hello", 5,
                     "no reader knows the ending '.thing' or its content"));
    CHECK(is_refused(IMPORT_HERE, "model.wrl", "#VRML V2.0 utf8", 15, "the ending '.wrl'"));
    CHECK(is_refused(IMPORT_HERE, "no_ending", "hello", 5, "it has no ending"));
    CHECK(is_refused(IMPORT_HERE, "rubbish.glb", "hello, world", 12, "it is neither GLB nor JSON"));
}

typedef struct broken_gltf {
    const char *name, *nodes, *reason;
} broken_gltf;

static void gltf_files_with_contradictions_are_refused_with_the_culprit(void)
{
    static const broken_gltf files[] = {
        {"loop.glb", "[{\"children\":[1]},{\"children\":[0]}]",
         "nodes[0]: it is among its own parents"},
        {"self.glb", "[{\"children\":[0]}]", "nodes[0]: it is among its own parents"},
        {"twice.glb", "[{\"children\":[1,2]},{\"children\":[2]},{}]",
         "nodes[1].children: nodes[2] is a child of nodes[0] already"},
        {"child.glb", "[{\"children\":[77]}]", "nodes[0].children: there is no nodes[77]"},
        {"mesh.glb", "[{\"mesh\":7}]", "nodes[0]: there is no meshes[7]"},
        {"far.glb", "[{\"name\":\"far\",\"mesh\":0,\"translation\":[1e39,0,0]}]",
         "nodes[0]: its translation has a number that is not finite"},
        {"projection.glb",
         "[{\"name\":\"r\",\"children\":[1]},{\"name\":\"lens\",\"mesh\":0,\"matrix\":[1,0,0,0.5,0,"
         "1,0,0,0,0,1,0,0,0,0,1]}]",
         "nodes[1]: its matrix is not affine: the last row is not 0 0 0 1"},
        {"nodes.glb", "[]", ""},
        {"text.glb", "[{", ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        unsigned char *bytes = triangle_glb(files[i].nodes, NULL, NULL, &size);
        const bool refused =
            is_refused(IMPORT_SANDBOXED, files[i].name, bytes, size, files[i].reason) &&
            is_refused(IMPORT_HERE, files[i].name, bytes, size, files[i].reason);
        free(bytes);
        CHECK(refused);
    }
}

static void positions_and_indices_that_are_no_numbers_of_a_mesh_are_refused(void)
{
    static const float values[] = {NAN, INFINITY, -INFINITY};
    size_t size;
    unsigned char *bytes;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        float points[9];
        memcpy(points, triangle_points, sizeof points);
        points[7] = values[i];
        bytes = triangle_glb(one_node, points, NULL, &size);
        const bool refused =
            is_refused(IMPORT_HERE, "nan.glb", bytes, size, "position 2 is not finite");
        free(bytes);
        CHECK(refused);
    }
    static const uint32_t far_index[3] = {0, 1, 99}, largest[3] = {0, 1, UINT32_MAX};
    bytes = triangle_glb(one_node, NULL, far_index, &size);
    bool refused = is_refused(IMPORT_SANDBOXED, "index.glb", bytes, size, "");
    free(bytes);
    CHECK(refused);
    bytes = triangle_glb(one_node, NULL, largest, &size);
    refused = is_refused(IMPORT_SANDBOXED, "index.glb", bytes, size, "");
    free(bytes);
    CHECK(refused);
    static const char nan_obj[] = "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n";
    CHECK(is_refused(IMPORT_SANDBOXED, "nan.obj", nan_obj, sizeof nan_obj - 1, "not finite"));
}

static void huge_positions_are_kept_as_long_as_they_are_numbers(void)
{
    static const float points[9] = {-3e38f, 0, 0, 3e38f, 0, 0, 0, 3e38f, -3e38f};
    size_t size;
    unsigned char *bytes = triangle_glb(one_node, points, NULL, &size);
    acre_import_model *model;
    const acre_result result = import_bytes(IMPORT_HERE, "huge.glb", bytes, size, NULL, &model);
    free(bytes);
    CHECK(result == ACRE_OK && model_fault(model) == NULL);
    CHECK(model->nodes[0].bounds.min[0] == -3e38f && model->nodes[0].bounds.max[0] == 3e38f);
    CHECK(acre_aabb_is_valid(&model->nodes[0].bounds));
    acre_import_free(model);
}

static void files_without_a_mesh_or_with_empty_ones_give_no_box(void)
{
    size_t size;
    unsigned char *bytes =
        triangle_glb("[{\"name\":\"r\",\"children\":[1]},{\"name\":\"c\"}]", NULL, NULL, &size);
    acre_import_model *model;
    const acre_result result = import_bytes(IMPORT_HERE, "bare.glb", bytes, size, NULL, &model);
    free(bytes);
    CHECK(result == ACRE_OK && model_fault(model) == NULL && model->node_count == 2);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(model->nodes[i].mesh_count == 0 && acre_aabb_is_empty(&model->nodes[i].bounds));
    }
    acre_import_free(model);
    static const char no_vertex[] =
        "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
        "property float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n";
    CHECK(is_refused(IMPORT_SANDBOXED, "empty.ply", no_vertex, sizeof no_vertex - 1, ""));
    CHECK(is_refused(IMPORT_SANDBOXED, "name_only.obj", "o name\n", 7, ""));
}

static void a_binary_gltf_cut_anywhere_is_refused(void)
{
    size_t size;
    unsigned char *bytes = triangle_glb(one_node, NULL, NULL, &size);
    for (size_t cut = 0; cut < size; cut++) {
        CHECK(is_refused(IMPORT_HERE, "cut.glb", bytes, cut,
                         cut == 0   ? "is empty"
                         : cut >= 4 ? "cut off at byte"
                                    : "neither GLB nor JSON"));
    }
    // The same with a length in the head that agrees with the file.
    for (size_t cut = 12 + test_seed % 5; cut < size; cut += 5) {
        bytes[8] = (unsigned char)cut;
        bytes[9] = (unsigned char)(cut >> 8);
        CHECK(is_refused(IMPORT_SANDBOXED, "cut.glb", bytes, cut, ""));
    }
    free(bytes);
}

static void the_city_cut_anywhere_is_refused(void)
{
    FILE *file = fopen(ACRE_SCENES "/san_francisco.glb", "rb");
    CHECK(file != NULL);
    static unsigned char bytes[9 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(size > 6000000 && size < sizeof bytes);
    test_random random = {test_seed};
    for (int trial = 0; trial < 12; trial++) {
        const size_t cut = 12 + random_below(&random, (uint32_t)size - 12);
        CHECK(is_refused(IMPORT_SANDBOXED, "city.glb", bytes, cut, "cut off at byte"));
        unsigned char head[4];
        memcpy(head, bytes + 8, 4);
        for (int i = 0; i < 4; i++) {
            bytes[8 + i] = (unsigned char)(cut >> (8 * i));
        }
        CHECK(is_refused(IMPORT_SANDBOXED, "city.glb", bytes, cut, ""));
        memcpy(bytes + 8, head, 4);
    }
}

static void text_files_cut_anywhere_give_an_error_or_a_sound_model(void)
{
    static const struct {
        const char *name, *text;
    } files[] = {{"cut.obj", one_obj}, {"cut.ply", one_ply}, {"cut.stl", one_stl}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (size_t cut = 1 + test_seed % 2; cut < strlen(files[f].text); cut += 2) {
            acre_import_model *model;
            const acre_result result =
                import_bytes(IMPORT_BRIEFLY, files[f].name, files[f].text, cut, NULL, &model);
            CHECK(outcome_is_sound(result, model));
        }
    }
}

static void a_ply_on_which_assimp_hangs_or_aborts_does_neither_here(void)
{
    // assimp looks for the end of the header for ever.
    const size_t header = (size_t)(strstr(one_ply, "end_header") - one_ply);
    CHECK(is_refused(IMPORT_SANDBOXED, "cut.ply", one_ply, header, "its header has no end"));
    // Cut behind the first numbers it makes a face without corners, and an assertion of its
    // triangulation aborts the program.
    acre_import_model *model;
    const size_t cut = header + strlen("end_header\n-1 0");
    const acre_result result =
        import_bytes(IMPORT_SANDBOXED, "cut.ply", one_ply, cut, NULL, &model);
    CHECK(outcome_is_sound(result, model) && strstr(import_message, "crashed") == NULL);
}

// A binary STL: 80 bytes, a count, 50 bytes a triangle.
static unsigned char *binary_stl(uint32_t triangles, size_t *size)
{
    *size = 84 + 50 * (size_t)triangles;
    unsigned char *bytes = calloc(1, *size);
    if (bytes != NULL) {
        bytes[80] = (unsigned char)triangles;
        for (size_t i = 0; i < triangles; i++) {
            for (size_t corner = 0; corner < 3; corner++) { // 1.0 at another axis of each corner
                memcpy(bytes + 84 + 50 * i + 12 + 12 * corner + 4 * corner, "\0\0\x80\x3f", 4);
            }
        }
    }
    return bytes;
}

static void flip_bits(unsigned char *bytes, size_t size, test_random *random)
{
    for (uint32_t flips = 1 + random_below(random, 8); flips > 0; flips--) {
        bytes[random_below(random, (uint32_t)size)] ^=
            (unsigned char)(1u << random_below(random, 8));
    }
}

static void files_with_flipped_bits_give_an_error_or_a_sound_model(void)
{
    struct {
        const char *name;
        unsigned char *bytes;
        size_t size;
        uint32_t taken;
    } files[] = {{"bits.glb", NULL, 0, 0},
                 {"bits.stl", NULL, 0, 0},
                 {"bits.obj", NULL, 0, 0},
                 {"bits.ply", NULL, 0, 0}};
    files[0].bytes = triangle_glb(one_node, NULL, NULL, &files[0].size);
    files[1].bytes = binary_stl(4, &files[1].size);
    files[2].size = strlen(one_obj);
    files[2].bytes = (unsigned char *)strdup(one_obj);
    files[3].size = strlen(one_ply);
    files[3].bytes = (unsigned char *)strdup(one_ply);
    test_random random = {test_seed};
    for (uint32_t trial = 0; trial < 240 * test_scale; trial++) {
        const size_t f = trial % 4;
        unsigned char changed[2048];
        CHECK(files[f].bytes != NULL && files[f].size <= sizeof changed);
        memcpy(changed, files[f].bytes, files[f].size);
        flip_bits(changed, files[f].size, &random);
        acre_import_model *model;
        const acre_result result =
            import_bytes(IMPORT_BRIEFLY, files[f].name, changed, files[f].size, NULL, &model);
        files[f].taken += result == ACRE_OK;
        CHECK(outcome_is_sound(result, model));
    }
    for (int f = 0; f < 4; f++) {
        CHECK(files[f].taken < 60 * test_scale); // some are found
        free(files[f].bytes);
    }
}

// A chain of nodes with the mesh at its end; free() it.
static unsigned char *chain_glb(uint32_t depth, size_t *size)
{
    char *nodes = malloc(40 * (size_t)depth + 64);
    if (nodes == NULL) {
        return NULL;
    }
    char *at = nodes;
    *at++ = '[';
    for (uint32_t i = 1; i < depth; i++) {
        at += snprintf(at, 40, "{\"children\":[%lu]},", (unsigned long)i);
    }
    snprintf(at, 64, "{\"name\":\"leaf\",\"mesh\":0}]");
    unsigned char *bytes = triangle_glb(nodes, NULL, NULL, size);
    free(nodes);
    return bytes;
}

static void a_deep_hierarchy_is_kept(void)
{
    static const struct {
        import_way way;
        uint32_t depth;
    } chains[] = {{IMPORT_HERE, 2000}, {IMPORT_SANDBOXED, 50000}};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        size_t size;
        unsigned char *bytes = chain_glb(chains[i].depth, &size);
        CHECK(bytes != NULL);
        acre_import_model *model;
        const acre_result result =
            import_bytes(chains[i].way, "chain.glb", bytes, size, NULL, &model);
        free(bytes);
        CHECK(result == ACRE_OK && model_fault(model) == NULL);
        CHECK(model->node_count == chains[i].depth);
        for (uint32_t node = 1; node < model->node_count; node++) {
            CHECK(model->nodes[node].parent == node - 1);
        }
        CHECK(model_node(model, "leaf") == chains[i].depth - 1);
        acre_import_free(model);
    }
}

// COLLADA nodes inside each other, which assimp reads by recursion; free() it.
static char *chain_dae(uint32_t depth)
{
    static const char head[] =
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><library_visual_scenes><visual_scene id=\"s\">";
    static const char tail[] = "</visual_scene></library_visual_scenes><scene>"
                               "<instance_visual_scene url=\"#s\"/></scene></COLLADA>";
    static const char open[] = "<node>", close[] = "</node>";
    char *const text = malloc(sizeof head + sizeof tail + depth * (sizeof open + sizeof close));
    if (text == NULL) {
        return NULL;
    }
    char *at = text + sprintf(text, "%s", head);
    for (uint32_t i = 0; i < depth; i++) {
        memcpy(at, open, sizeof open - 1);
        at += sizeof open - 1;
    }
    for (uint32_t i = 0; i < depth; i++) {
        memcpy(at, close, sizeof close - 1);
        at += sizeof close - 1;
    }
    memcpy(at, tail, sizeof tail);
    return text;
}

// In a process of its own, whose children have small stacks. @return whether the crash was told.
static bool crash_is_told(const char *bytes, size_t size)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) { // a sanitizer's report of the crash
            _exit(2);
        }
        const struct rlimit small = {1 << 20, 1 << 20};
        setrlimit(RLIMIT_STACK, &small);
        acre_import_model *model;
        const acre_result result =
            import_bytes(IMPORT_SANDBOXED, "chain.dae", bytes, size, NULL, &model);
        _exit(result == ACRE_ERROR_FORMAT && refusal_is_told(model) &&
                      (strstr(import_message, "the file reader crashed") != NULL)
                  ? 0
                  : 3);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void a_crash_of_the_reader_becomes_a_message(void)
{
    import_temporary_path("chain.dae"); // the folder is this process's, so that it is removed
    char *bytes = chain_dae(50000);
    CHECK(bytes != NULL);
    const bool told = crash_is_told(bytes, strlen(bytes));
    free(bytes);
    CHECK(told);
}

static void a_reader_that_hangs_is_ended(void)
{
    snprintf(import_path, sizeof import_path, "%s", import_temporary_path("silent.glb"));
    CHECK(mkfifo(import_path, 0600) == 0); // opening it waits for a writer that never comes
    const import_sandbox_def def = {.seconds = 1};
    acre_import_model *model;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const acre_result result =
        import_sandbox_file(import_path, &def, &model, import_message, sizeof import_message);
    clock_gettime(CLOCK_MONOTONIC, &end);
    remove(import_path);
    CHECK(result == ACRE_ERROR_FORMAT && refusal_is_told(model));
    CHECK(strstr(import_message, "too long") != NULL);
    CHECK(end.tv_sec - start.tv_sec >= 1 && end.tv_sec - start.tv_sec < 20);
}

static void a_reader_that_asks_for_too_much_memory_is_refused(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const import_sandbox_def def = {.memory_bytes = 48 << 20};
    acre_import_model *model;
    snprintf(import_path, sizeof import_path, "%s", ACRE_SCENES "/san_francisco.glb");
    const acre_result result =
        import_sandbox_file(import_path, &def, &model, import_message, sizeof import_message);
    CHECK(result == ACRE_ERROR_OUT_OF_MEMORY || result == ACRE_ERROR_FORMAT);
    CHECK(refusal_is_told(model));
#endif
    acre_import_model *whole; // read, but there is no memory for the model on this side
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_ONCE, 1);
    const import_sandbox_def own = {.allocator = &memory.allocator};
    snprintf(import_path, sizeof import_path, "%s", ACRE_SCENES "/san_francisco.glb");
    CHECK(import_sandbox_file(import_path, &own, &whole, import_message, sizeof import_message) ==
          ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(refusal_is_told(whole) && failing_allocator_verdict(&memory) == NULL);
}

static void each_allocation_may_fail(void)
{
    size_t size;
    unsigned char *bytes = chain_glb(300, &size); // long enough for the list of nodes to grow
    CHECK(bytes != NULL);
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    uint64_t at = 0;
    while (result != ACRE_OK) {
        failing_allocator memory;
        acre_import_model *model;
        failing_allocator_init(&memory, FAIL_ONCE, ++at);
        result = import_bytes(IMPORT_HERE, "chain.glb", bytes, size, &memory.allocator, &model);
        if (result == ACRE_OK) {
            CHECK(memory.failed == 0 && model_fault(model) == NULL);
            acre_import_free(model);
        } else {
            CHECK(result == ACRE_ERROR_OUT_OF_MEMORY && refusal_is_told(model));
            CHECK(strstr(import_message, "not enough memory") != NULL);
        }
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(at >= 4); // first list, its growths, the model, none
    free(bytes);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(files_that_cannot_be_read_are_told_from_wrong_content),
        TEST(gltf_files_with_contradictions_are_refused_with_the_culprit),
        TEST(positions_and_indices_that_are_no_numbers_of_a_mesh_are_refused),
        TEST(huge_positions_are_kept_as_long_as_they_are_numbers),
        TEST(files_without_a_mesh_or_with_empty_ones_give_no_box),
        TEST(a_binary_gltf_cut_anywhere_is_refused),
        TEST(the_city_cut_anywhere_is_refused),
        TEST(text_files_cut_anywhere_give_an_error_or_a_sound_model),
        TEST(a_ply_on_which_assimp_hangs_or_aborts_does_neither_here),
        TEST(files_with_flipped_bits_give_an_error_or_a_sound_model),
        TEST(a_deep_hierarchy_is_kept),
        TEST(a_crash_of_the_reader_becomes_a_message),
        TEST(a_reader_that_hangs_is_ended),
        TEST(a_reader_that_asks_for_too_much_memory_is_refused),
        TEST(each_allocation_may_fail),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
