// SPDX-License-Identifier: MIT
// test_gltf.c - glTF files of one feature each, written here, against boxes computed in doubles.
//
// A fixture is JSON with ' for " and a binary chunk. What the boxes must be is worked out from the
// numbers that were put into the chunk, without the reader.
#include "failing_allocator.h"
#include "import_files.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#if defined(ACRE_TEST_MESHOPT)
#include <meshoptimizer.h>
#endif

static unsigned char chunk[4096];
static size_t chunk_size;
static char text[8192];

static void put_bytes(const void *bytes, size_t size)
{
    memcpy(chunk + chunk_size, bytes, size);
    chunk_size += size;
}

static void put_floats(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float number = (float)numbers[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        const unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                        (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
        put_bytes(bytes, 4);
    }
}

static void put_shorts(const int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char bytes[2] = {(unsigned char)numbers[i],
                                        (unsigned char)((unsigned)numbers[i] >> 8)};
        put_bytes(bytes, 2);
    }
}

// Writes the JSON: what stands behind the version of the asset.
static void write_text(const char *format, ...)
{
    const int used = snprintf(text, sizeof text, "{'asset':{'version':'2.0'},");
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    EXPECT(more > 0 && (size_t)(used + more) < sizeof text - 1);
    strcat(text, "}");
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
}

static acre_result import_fixture(const acre_allocator *allocator, acre_import_model **model)
{
    size_t size;
    unsigned char *bytes = glb_make(text, chunk, chunk_size, &size);
    const acre_result result =
        import_bytes(IMPORT_HERE, "fixture.glb", bytes, size, allocator, model);
    free(bytes);
    return result;
}

// The world box of a node: the corners of its bounds, moved in doubles.
static void world_of(const acre_import_model *model, uint32_t node, double box[6])
{
    double world[16];
    node_world(model, node, world);
    for (int k = 0; k < 3; k++) {
        box[k] = HUGE_VAL;
        box[3 + k] = -HUGE_VAL;
    }
    const acre_aabb *const bounds = &model->nodes[node].bounds;
    for (int corner = 0; corner < 8; corner++) {
        for (int k = 0; k < 3; k++) {
            double at = world[12 + k];
            for (int i = 0; i < 3; i++) {
                at +=
                    world[4 * i + k] * (double)(corner >> i & 1 ? bounds->max[i] : bounds->min[i]);
            }
            box[k] = fmin(box[k], at);
            box[3 + k] = fmax(box[3 + k], at);
        }
    }
}

// Whether the fixture's nodes with meshes have these boxes, in order.
static bool boxes_are(const double (*boxes)[6], size_t count)
{
    acre_import_model *model;
    if (import_fixture(NULL, &model) != ACRE_OK || model_fault(model) != NULL) {
        printf("%s; %s\n", import_message, model != NULL ? model_fault(model) : "no model");
        acre_import_free(model);
        return false;
    }
    size_t at = 0;
    bool is_equal = true;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (model->nodes[i].mesh_count == 0) {
            continue;
        }
        double box[6];
        world_of(model, i, box);
        for (int k = 0; k < 6 && at < count; k++) {
            if (!(fabs(box[k] - boxes[at][k]) <= 2e-6 * (1.0 + fabs(boxes[at][k])))) {
                printf("box %zu [%d]: %.9g, not %.9g\n", at, k, box[k], boxes[at][k]);
                is_equal = false;
            }
        }
        at++;
    }
    acre_import_free(model);
    return is_equal && at == count;
}

static bool is_refused_for(const char *reason)
{
    acre_import_model *model;
    const acre_result result = import_fixture(NULL, &model);
    acre_import_free(model);
    if (result == ACRE_ERROR_FORMAT && refusal_is_told(model) &&
        strstr(import_message, reason) != NULL) {
        return true;
    }
    printf("%d '%s', not '%s'\n", (int)result, import_message, reason);
    return false;
}

// A file of one mesh of one primitive, without indices, at one node.
#define ONE_NODE                                                                                   \
    "'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'name':'n','mesh':0%s}],'meshes':[{"             \
    "'primitives':[{'attributes':{'POSITION':0}}]}],"

static const double corners[9] = {-1, -2, 3, 1, 2, 3, -1, -2, -3};

// Three points as floats, in a view of their own; %s: more members of the accessor and the rest.
static void write_triangle(const char *node, const char *accessor, const char *rest)
{
    chunk_size = 0;
    put_floats(corners, 9);
    write_text(ONE_NODE "'buffers':[{'byteLength':%zu}],'bufferViews':[{'buffer':0,'byteLength':36}"
                        "],'accessors':[{'componentType':5126,'count':3,'type':'VEC3',%s}]%s",
               node, chunk_size, accessor, rest);
}

// ---- accessors ----

static void positions_in_unsigned_shorts_are_scaled_by_the_node(void)
{
    static const int numbers[12] = {0, 0, 200, 0, 400, 600, 65535, 0, 0, 0, 0, 0};
    chunk_size = 0;
    put_shorts(numbers, 12);
    write_text("'extensionsUsed':['KHR_mesh_quantization'],'extensionsRequired':["
               "'KHR_mesh_quantization']," ONE_NODE
               "'buffers':[{'byteLength':24}],'bufferViews':[{'buffer':0,'byteLength':24,"
               "'byteStride':8}],'accessors':[{'bufferView':0,'componentType':5123,'count':3,"
               "'type':'VEC3'}]",
               ",'translation':[9,-2,-3],'scale':[0.01,0.01,0.02]");
    CHECK(boxes_are((const double[1][6]){{9, -2, -3, 13, 4, -3 + 0.02 * 65535}}, 1));
}

static void normalized_bytes_reach_from_minus_one_to_one(void)
{
    static const signed char numbers[12] = {127, -128, -127, 0, 0, 64, 1, 0, -64, 0, 0, 0};
    chunk_size = 0;
    put_bytes(numbers, 12);
    write_text(ONE_NODE "'buffers':[{'byteLength':12}],'bufferViews':[{'buffer':0,'byteLength':12,"
                        "'byteStride':4}],'accessors':[{'bufferView':0,'componentType':5120,"
                        "'normalized':true,'count':3,'type':'VEC3'}]",
               ",'scale':[2,3,4]");
    CHECK(boxes_are((const double[1][6]){{-2.0 * 64 / 127, -3, -4, 2, 3.0 * 64 / 127, 4.0 / 127}},
                    1));
}

static void interleaved_elements_are_found_by_their_stride(void)
{
    static const double numbers[18] = {9, 9, 9, -1, -2, 3, 9, 9, 9, 1, 2, 3, 9, 9, 9, -1, -2, -3};
    chunk_size = 0;
    put_floats(numbers, 18);
    write_text(ONE_NODE "'buffers':[{'byteLength':72}],'bufferViews':[{'buffer':0,'byteLength':72,"
                        "'byteStride':24}],'accessors':[{'bufferView':0,'byteOffset':12,"
                        "'componentType':5126,'count':3,'type':'VEC3'}]",
               "");
    CHECK(boxes_are((const double[1][6]){{-1, -2, -3, 1, 2, 3}}, 1));
}

static void sparse_elements_replace_what_is_there_or_zeros(void)
{
    static const double moved[3] = {50, 60, 70};
    for (int has_base = 0; has_base < 2; has_base++) {
        chunk_size = 0;
        put_floats(corners, 9);
        put_bytes("\x01\0\0", 4); // element 1
        put_floats(moved, 3);
        write_text(ONE_NODE "'buffers':[{'byteLength':52}],'bufferViews':[{'buffer':0,"
                            "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':1},"
                            "{'buffer':0,'byteOffset':40,'byteLength':12}],'accessors':[{%s"
                            "'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,"
                            "'indices':{'bufferView':1,'componentType':5121},"
                            "'values':{'bufferView':2}}}]",
                   "", has_base ? "'bufferView':0," : "");
        CHECK(boxes_are(has_base ? (const double[1][6]){{-1, -2, -3, 50, 60, 70}}
                                 : (const double[1][6]){{0, 0, 0, 50, 60, 70}},
                        1));
    }
    chunk[36] = 3; // of three elements
    CHECK(is_refused_for("accessors[0]: its sparse part replaces element 3 of 3"));
}

static void an_accessor_without_a_view_has_zeros(void)
{
    write_triangle("", "'normalized':false", "");
    CHECK(boxes_are((const double[1][6]){{0, 0, 0, 0, 0, 0}}, 1));
    write_text(ONE_NODE "'accessors':[{'componentType':5126,'count':1000000000,'type':'VEC3'}]",
               "");
    CHECK(is_refused_for("meshes[0].primitives[0].POSITION: accessors[0]: reading it would take "
                         "more than 256 bytes or steps for each byte of the file"));
    write_text(ONE_NODE "'accessors':[{'componentType':5126,'count':1073741824,'type':'VEC3'}]",
               "");
    CHECK(is_refused_for("accessors[0]: componentType 5126, type VEC3 and count 1073741824 do not "
                         "fit VEC3 of floats"));
}

static void lengths_that_do_not_fit_are_refused_with_their_place(void)
{
    static const struct {
        const char *accessor, *rest, *reason;
    } faults[] = {
        {"'bufferView':0,'byteOffset':4", "",
         "meshes[0].primitives[0].POSITION: accessors[0]: its 3 elements pass the end of its "
         "buffer "
         "view of 36 bytes"},
        {"'bufferView':0,'byteOffset':9007199254740992", "", "pass the end of its buffer view"},
        {"'bufferView':0,'byteOffset':9007199254740994", "", "byteOffset is no whole number"},
        {"'bufferView':0,'byteOffset':-1", "", "accessors[0]: its byteOffset is no whole number"},
        {"'bufferView':0.5", "", "accessors[0]: a number among the bufferViews is no whole number"},
        {"'bufferView':1", "", "accessors[0]: there is no bufferViews[1]"},
        {"'bufferView':0,'sparse':{'count':1}", "",
         "accessors[0]: its sparse part has no such count or type"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_triangle("", faults[i].accessor, faults[i].rest);
        CHECK(is_refused_for(faults[i].reason));
    }
    // Past the view, but not past the buffer.
    chunk_size = 0;
    put_floats(corners, 9);
    put_floats(corners, 9);
    write_text(ONE_NODE
               "'buffers':[{'byteLength':72}],'bufferViews':[{'buffer':0,'byteLength':32}],"
               "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}"
               "]",
               "");
    CHECK(is_refused_for("its 3 elements pass the end of its buffer view of 32 bytes"));
    write_text(ONE_NODE "'buffers':[{'byteLength':72}],'bufferViews':[{'buffer':0,'byteOffset':40,"
                        "'byteLength':36}],'accessors':[{'bufferView':0,'componentType':5126,"
                        "'count':3,'type':'VEC3'}]",
               "");
    CHECK(is_refused_for("bufferViews[0]: it ends at byte 76 of buffers[0], which has 72"));
    write_text(ONE_NODE
               "'buffers':[{'byteLength':76}],'bufferViews':[{'buffer':0,'byteLength':36}],"
               "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}"
               "]",
               "");
    CHECK(is_refused_for("buffers[0]: it states 76 bytes and has 72"));
}

// ---- scenes and nodes ----

#define THREE_NODES                                                                                \
    "'nodes':[{'mesh':0,'translation':[10,0,0]},{'mesh':0,'translation':[20,0,0],'children':[2]}," \
    "{'mesh':0,'translation':[0,5,0]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]," \
    "'buffers':[{'byteLength':36}],'bufferViews':[{'buffer':0,'byteLength':36}],'accessors':[{"    \
    "'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}]"

static void the_default_scene_is_read_else_the_first_else_all_roots(void)
{
    static const double first[6] = {9, -2, -3, 11, 2, 3}, second[6] = {19, -2, -3, 21, 2, 3};
    static const double child[6] = {19, 3, -3, 21, 7, 3};
    static const struct {
        const char *scenes;
        bool has_first, has_second;
    } cases[] = {{"'scene':1,'scenes':[{'nodes':[0]},{'nodes':[1]}],", false, true},
                 {"'scenes':[{'nodes':[0]},{'nodes':[1]}],", true, false},
                 {"'scenes':[{'nodes':[0,1]}],", true, true},
                 {"", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chunk_size = 0;
        put_floats(corners, 9);
        write_text("%s" THREE_NODES, cases[i].scenes);
        double boxes[3][6];
        size_t count = 0;
        if (cases[i].has_first) {
            memcpy(boxes[count++], first, sizeof first);
        }
        if (cases[i].has_second) {
            memcpy(boxes[count++], second, sizeof second);
            memcpy(boxes[count++], child, sizeof child);
        }
        CHECK(boxes_are((const double(*)[6])boxes, count));
    }
    write_text("'scene':2,'scenes':[{'nodes':[0]}]," THREE_NODES);
    CHECK(is_refused_for("scene: there is no scenes[2]"));
    write_text("'scenes':[{'nodes':[2]}]," THREE_NODES);
    CHECK(is_refused_for("scenes[0].nodes: nodes[2] stands elsewhere as well"));
    write_text("'scenes':[{'nodes':[0,0]}]," THREE_NODES);
    CHECK(is_refused_for("scenes[0].nodes: nodes[0] stands elsewhere as well"));
}

// y = turned by the quaternion, in doubles: v + 2 w (u x v) + 2 u x (u x v).
static void rotate(const double q[4], const double v[3], double out[3])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double u[3] = {q[0] / length, q[1] / length, q[2] / length}, w = q[3] / length;
    double once[3], twice[3];
    for (int k = 0; k < 3; k++) {
        once[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    for (int k = 0; k < 3; k++) {
        twice[k] = u[(k + 1) % 3] * once[(k + 2) % 3] - u[(k + 2) % 3] * once[(k + 1) % 3];
        out[k] = v[k] + 2 * w * once[k] + 2 * twice[k];
    }
}

// The box of the box of the corners' points, scaled, turned, moved.
static void box_at(const double t[3], const double q[4], const double s[3], double box[6])
{
    for (int k = 0; k < 3; k++) {
        box[k] = HUGE_VAL;
        box[3 + k] = -HUGE_VAL;
    }
    for (int corner = 0; corner < 8; corner++) {
        double scaled[3], turned[3];
        for (int k = 0; k < 3; k++) {
            scaled[k] = s[k] * (corner >> k & 1 ? 1 : -1) * (k + 1);
        }
        rotate(q, scaled, turned);
        for (int k = 0; k < 3; k++) {
            box[k] = fmin(box[k], t[k] + turned[k]);
            box[3 + k] = fmax(box[3 + k], t[k] + turned[k]);
        }
    }
}

static void negative_scales_and_rotations_of_any_length_are_taken(void)
{
    test_random random = {test_seed};
    for (int trial = 0; trial < 20; trial++) {
        double t[3], q[4], s[3], box[1][6];
        for (int k = 0; k < 4; k++) {
            q[k] = (double)random_float(&random, -1, 1);
            t[k % 3] = (double)random_float(&random, -100, 100);
            s[k % 3] = (double)random_float(&random, -3, 3);
        }
        char node[512];
        snprintf(node, sizeof node,
                 ",'translation':[%.17g,%.17g,%.17g],'rotation':[%.17g,%.17g,%.17g,%.17g],"
                 "'scale':[%.17g,%.17g,%.17g]",
                 t[0], t[1], t[2], q[0], q[1], q[2], q[3], s[0], s[1], s[2]);
        write_triangle(node, "'bufferView':0", "");
        box_at(t, q, s, box[0]);
        CHECK(boxes_are((const double(*)[6])box, 1));
    }
    write_triangle(",'rotation':[0,0,0,0]", "'bufferView':0", "");
    CHECK(is_refused_for("nodes[0]: its rotation has no length"));
    write_triangle(",'scale':[1,2]", "'bufferView':0", "");
    CHECK(is_refused_for("nodes[0]: its scale is no array of 3 numbers"));
    write_triangle(",'scale':[1,2,3,4]", "'bufferView':0", "");
    CHECK(is_refused_for("nodes[0]: its scale is no array of 3 numbers"));
}

static void each_instance_is_a_node(void)
{
    static const double places[6] = {0, 0, 0, 100, -50, 7}, sizes[6] = {1, 1, 1, 2, -3, 0.5};
    static const int turns[8] = {0, 0, 0, 32767, 0, 23170, 0, 23170};
    chunk_size = 0;
    put_floats(corners, 9);
    put_floats(places, 6);
    put_floats(sizes, 6);
    put_shorts(turns, 8);
    const char *const rest =
        "'buffers':[{'byteLength':100}],'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,"
        "'byteOffset':36,'byteLength':24},{'buffer':0,'byteOffset':60,'byteLength':24},{'buffer':0,"
        "'byteOffset':84,'byteLength':16}],'accessors':[{'bufferView':0,'componentType':5126,"
        "'count':3,'type':'VEC3'},{'bufferView':1,'componentType':5126,'count':2,'type':'VEC3'},"
        "{'bufferView':2,'componentType':5126,'count':2,'type':'VEC3'},{'bufferView':3,"
        "'componentType':5122,'normalized':true,'count':2,'type':'VEC4'}]";
    write_text("'extensionsRequired':['EXT_mesh_gpu_instancing']," ONE_NODE "%s",
               ",'translation':[0,1000,0],'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{"
               "'TRANSLATION':1,'SCALE':2,'ROTATION':3}}}",
               rest);
    double boxes[2][6];
    box_at((const double[3]){0, 1000, 0}, (const double[4]){0, 0, 0, 1}, (const double[3]){1, 1, 1},
           boxes[0]);
    box_at((const double[3]){100, 950, 7}, (const double[4]){0, 1, 0, 1},
           (const double[3]){2, -3, 0.5}, boxes[1]);
    CHECK(boxes_are((const double(*)[6])boxes, 2));
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->node_count == 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(strcmp(model->nodes[i].name, "n") == 0 && model->nodes[i].file_node == 0);
        CHECK(model->nodes[i].parent == (i == 0 ? ACRE_IMPORT_NO_PARENT : 0));
    }
    acre_import_free(model);
    write_text(ONE_NODE "%s",
               ",'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'SCALE':2,'TRANSLATE':1,"
               "'_ID':1}}}",
               rest);
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->node_count == 3);
    CHECK(strcmp(model->notes, "EXT_mesh_gpu_instancing: TRANSLATE is not read\n") == 0);
    acre_import_free(model);
    write_text(ONE_NODE "%s", ",'extensions':{'EXT_mesh_gpu_instancing':{'attributes':[1]}}", rest);
    CHECK(is_refused_for("nodes[0].EXT_mesh_gpu_instancing: it has no attributes"));
    write_text(ONE_NODE "%s", ",'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{}}}", rest);
    CHECK(is_refused_for("nodes[0].EXT_mesh_gpu_instancing: it has no attributes"));
    write_text(ONE_NODE "%s",
               ",'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':0,'SCALE':1}}"
               "}",
               rest);
    CHECK(is_refused_for("nodes[0].EXT_mesh_gpu_instancing: SCALE has 2 elements instead of 3"));
    write_text(ONE_NODE "%s",
               ",'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'ROTATION':0}}}", rest);
    CHECK(is_refused_for(
        "nodes[0].EXT_mesh_gpu_instancing.ROTATION: accessors[0]: componentType 5126, type VEC3 "
        "and count 3 do not fit VEC4 of floats"));
}

#define SQUARE "'points':[[-1,-2],[1,-2],[1.5,2],[-1,2]]"
#define OCCLUDERS(list) ",'extras':{'more':1,'acre_occluders':" list "}"

static void occluders_stand_in_the_extras_of_their_node(void)
{
    write_triangle(OCCLUDERS("[{" SQUARE ",'top':3},{'points':[[0,0],[0,1],[1,0]],'bottom':-0.5,"
                             "'top':9,'two_sided':true}]"),
                   "'bufferView':0", "");
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->occluder_count == 2);
    CHECK(model->nodes[0].first_occluder == 0 && model->nodes[0].occluder_count == 2);
    const acre_occluder *const square = &model->occluders[0], *const wall = &model->occluders[1];
    CHECK(square->point_count == 4 && square->points[2][0] == 1.5f && square->points[2][1] == 2);
    CHECK(square->bottom == -INFINITY && square->top == 3 && square->flags == 0);
    CHECK(wall->point_count == 3 && wall->bottom == -0.5f && wall->top == 9);
    CHECK(wall->flags == ACRE_OCCLUDER_TWO_SIDED);
    acre_import_free(model);
    write_triangle(",'extras':[{'acre_occluders':1}]", "'bufferView':0", ""); // extras are anyone's
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->occluder_count == 0);
    CHECK(model->occluders == NULL && model->nodes[0].occluder_count == 0);
    acre_import_free(model);
}

static void each_instance_has_the_occluders_of_its_node(void)
{
    static const double places[6] = {0, 0, 0, 100, -50, 7};
    chunk_size = 0;
    put_floats(corners, 9);
    put_floats(places, 6);
    write_text("'nodes':[{'children':[1,2]},{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{"
               "'attributes':{'TRANSLATION':1}}}%s},{'name':'last'%s}],'meshes':[{'primitives':[{"
               "'attributes':{'POSITION':0}}]}],'buffers':[{'byteLength':60}],'bufferViews':[{"
               "'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':24}],"
               "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},{"
               "'bufferView':1,'componentType':5126,'count':2,'type':'VEC3'}]",
               OCCLUDERS("[{" SQUARE ",'top':3},{" SQUARE ",'top':4}]"),
               OCCLUDERS("[{" SQUARE ",'top':5}]"));
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->occluder_count == 5);
    float tops = 0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const acre_import_node *const node = &model->nodes[i];
        const bool is_last = strcmp(node->name, "last") == 0;
        CHECK(node->occluder_count == (is_last ? 1 : node->mesh_count > 0 ? 2 : 0));
        for (uint32_t k = 0; k < node->occluder_count; k++) {
            tops += model->occluders[node->first_occluder + k].top;
        }
    }
    CHECK(tops == 3 + 4 + 3 + 4 + 5);
    acre_import_free(model);
}

static void wrong_occluders_are_refused_with_their_place(void)
{
    static const struct {
        const char *node, *reason;
    } faults[] = {
        {OCCLUDERS("{}"), "nodes[0]: its acre_occluders is no array"},
        {OCCLUDERS("[7]"), "nodes[0].extras.acre_occluders[0]: it is no object"},
        {OCCLUDERS("[{" SQUARE ",'top':3},{" SQUARE "}]"),
         "nodes[0].extras.acre_occluders[1]: its points are no convex polygon of 3 to 8 corners, "
         "or its top is not above its bottom, or a number is beyond 1e12"},
        {OCCLUDERS("[{'points':4,'top':3}]"), "acre_occluders[0]: its points is no array"},
        {OCCLUDERS("[{'points':[[0,0],[1],[0,1]],'top':3}]"), "its point is no array of 2 numbers"},
        {OCCLUDERS("[{'points':[[0,0],[1e99,0],[0,1]],'top':3}]"), "a number that is not finite"},
        {OCCLUDERS("[{'points':[[0,0],[1,1]],'top':3}]"), "no convex polygon"},
        {OCCLUDERS("[{'points':[[0,0],[1,1],[1,0],[0,1]],'top':3}]"), "no convex polygon"},
        {OCCLUDERS("[{'points':[[0,0],[1,0],[2,0],[3,0],[4,0],[5,0],[6,0],[7,0],[8,1]],'top':3}]"),
         "acre_occluders[0]: it has more than 8 points"},
        {OCCLUDERS("[{" SQUARE ",'top':'3'}]"), "its top is no finite number"},
        {OCCLUDERS("[{" SQUARE ",'top':3,'bottom':1e99}]"), "its bottom is no finite number"},
        {OCCLUDERS("[{" SQUARE ",'top':3,'bottom':3}]"), "its top is not above its bottom"},
        {OCCLUDERS("[{" SQUARE ",'top':3,'two_sided':1}]"), "neither true nor false"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_triangle(faults[i].node, "'bufferView':0", "");
        CHECK(is_refused_for(faults[i].reason));
    }
    char many[2048] = ",'extras':{'acre_occluders':[{}";
    for (int i = 0; i < ACRE_IMPORT_MAX_OCCLUDERS; i++) {
        strcat(many, ",{}");
    }
    strcat(many, "]}");
    write_triangle(many, "'bufferView':0", "");
    CHECK(is_refused_for("nodes[0]: it has more than 32 occluders"));
}

static void unknown_extensions_are_refused_or_noted(void)
{
    write_triangle("", "'bufferView':0", ",'extensionsRequired':['EXT_nobody_knows']");
    CHECK(is_refused_for("extensionsRequired: EXT_nobody_knows is not known"));
    write_triangle("", "'bufferView':0",
                   ",'extensionsRequired':['KHR_draco_mesh_compression','KHR_mesh_quantization']");
    CHECK(is_refused_for("KHR_draco_mesh_compression cannot be read together with "
                         "KHR_mesh_quantization"));
    write_triangle("", "'bufferView':0",
                   ",'skins':[{'joints':[0]}],'extensionsRequired':['KHR_draco_mesh_compression']");
    CHECK(is_refused_for("EXT_meshopt_compression or skins"));
    write_triangle("", "'bufferView':0", ",'extensionsRequired':['KHR_meshopt_compression']");
    CHECK(is_refused_for("KHR_meshopt_compression is not known; gltfpack -ce ext writes"));
    write_triangle("", "'bufferView':0", ",'extensionsRequired':'KHR_mesh_quantization'");
    CHECK(is_refused_for("glTF: its extensionsRequired is no array"));
    write_triangle("", "'bufferView':0",
                   ",'extensionsUsed':['EXT_nobody_knows','KHR_materials_unlit','VENDOR_x']");
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK);
    CHECK(strcmp(model->notes, "the file uses EXT_nobody_knows, which is not read\n"
                               "the file uses VENDOR_x, which is not read\n") == 0);
    acre_import_free(model);
    write_triangle("", "'bufferView':0", "");
    CHECK(import_fixture(NULL, &model) == ACRE_OK && strcmp(model->notes, "") == 0);
    acre_import_free(model);
}

// ---- meshes ----

static void every_mode_makes_its_triangles_and_lines(void)
{
    // Five points, and what each mode makes of the indices 4 3 2 1 0.
    static const struct {
        uint32_t triangles, lines;
        uint32_t corners[10];
    } modes[7] = {{0, 0, {0}},
                  {0, 2, {4, 3, 2, 1}},
                  {0, 5, {4, 3, 3, 2, 2, 1, 1, 0, 0, 4}},
                  {0, 4, {4, 3, 3, 2, 2, 1, 1, 0}},
                  {1, 0, {4, 3, 2}},
                  {3, 0, {4, 3, 2, 3, 1, 2, 2, 1, 0}},
                  {3, 0, {3, 2, 4, 2, 1, 4, 1, 0, 4}}};
    static const double points[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 2, 1};
    for (unsigned mode = 0; mode < 8; mode++) {
        chunk_size = 0;
        put_floats(points, 15);
        put_bytes("\4\3\2\1\0\0\0", 8);
        write_text("'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
                   "'indices':1,'mode':%u}]}],'buffers':[{'byteLength':68}],'bufferViews':[{"
                   "'buffer':0,'byteLength':60},{'buffer':0,'byteOffset':60,'byteLength':5}],"
                   "'accessors':[{'bufferView':0,'componentType':5126,'count':5,'type':'VEC3'},{"
                   "'bufferView':1,'componentType':5121,'count':5,'type':'SCALAR'}]",
                   mode);
        if (mode == 7) {
            CHECK(is_refused_for("meshes[0].primitives[0]: there is no mode 7"));
            break;
        }
        acre_import_model *model;
        CHECK(import_fixture(NULL, &model) == ACRE_OK && model_fault(model) == NULL);
        const acre_import_mesh *const mesh = &model->meshes[0];
        CHECK(mesh->point_count == 5 && mesh->triangle_count == modes[mode].triangles &&
              mesh->line_count == modes[mode].lines);
        const uint32_t *const made = mode < 4 ? mesh->lines : mesh->triangles;
        const size_t count = 3 * modes[mode].triangles + 2 * modes[mode].lines;
        CHECK(count == 0 || memcmp(made, modes[mode].corners, 4 * count) == 0);
        acre_import_free(model);
    }
    chunk[60] = 5;
    write_text("'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
               "'indices':1}]}],'buffers':[{'byteLength':68}],'bufferViews':[{'buffer':0,"
               "'byteLength':60},{'buffer':0,'byteOffset':60,'byteLength':5}],'accessors':[{"
               "'bufferView':0,'componentType':5126,'count':5,'type':'VEC3'},{'bufferView':1,"
               "'componentType':5121,'count':5,'type':'SCALAR'}]");
    CHECK(is_refused_for("meshes[0].primitives[0]: index 0 names point 5 of 5"));
}

static void morph_targets_have_their_default_weights(void)
{
    static const double moves[9] = {0, 0, 0, 8, 0, 0, 0, -4, 0};
    chunk_size = 0;
    put_floats(corners, 9);
    put_floats(moves, 9);
    // The first node has the mesh's weight, the second one its own, the third one the mesh's again.
    write_text(
        "'scenes':[{'nodes':[0,1,2]}],'nodes':[{'mesh':0},{'mesh':0,'weights':[1]},{'mesh':0}"
        "],'meshes':[{'weights':[0.5],'primitives':[{'attributes':{'POSITION':0},'targets':[{"
        "'POSITION':1}]}]}],'buffers':[{'byteLength':72}],'bufferViews':[{'buffer':0,"
        "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':36}],'accessors':[{"
        "'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},{'bufferView':1,"
        "'componentType':5126,'count':3,'type':'VEC3'}]");
    CHECK(boxes_are(
        (const double[3][6]){{-1, -4, -3, 5, 2, 3}, {-1, -6, -3, 9, 2, 3}, {-1, -4, -3, 5, 2, 3}},
        3));
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->mesh_count == 2);
    acre_import_free(model);
}

static void compressed_views_are_read_or_refused_by_name(void)
{
#if defined(ACRE_TEST_MESHOPT)
    float points[12] = {-1, -2, 3, 1, 2, 3, -1, -2, -3, 0, 0, 0};
    chunk_size = meshopt_encodeVertexBuffer(chunk, sizeof chunk, points, 4, 12);
#else
    chunk_size = 40;
#endif
    const size_t size = chunk_size;
    static const struct {
        const char *members, *reason;
    } cases[] = {
        {"'byteStride':12,'count':4,'mode':'ATTRIBUTES'", NULL},
        {"'byteStride':12,'count':4000,'mode':'ATTRIBUTES'",
         "bufferViews[0]: EXT_meshopt_compression"},
        {"'byteStride':13,'count':4,'mode':'ATTRIBUTES'",
         "bufferViews[0]: EXT_meshopt_compression"},
        {"'byteStride':12,'count':4,'mode':'TRIANGLES'", "bufferViews[0]: EXT_meshopt_compression"},
        {"'byteStride':12,'count':4,'mode':'INDICES'", "bufferViews[0]: EXT_meshopt_compression"},
        {"'byteStride':12,'count':4,'mode':'ATTRIBUTES','filter':'QUATERNION'",
         "bufferViews[0]: EXT_meshopt_compression"},
        {"'byteStride':4,'count':9007199254740992,'mode':'ATTRIBUTES'", "bufferViews[0]:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("'extensionsRequired':['EXT_meshopt_compression']," ONE_NODE
                   "'buffers':[{'byteLength':%zu},{'byteLength':48,'extensions':{"
                   "'EXT_meshopt_compression':{'fallback':true}}}],'bufferViews':[{'buffer':1,"
                   "'byteLength':48,'extensions':{'EXT_meshopt_compression':{'buffer':0,"
                   "'byteLength':%zu,%s}}}],'accessors':[{'bufferView':0,'componentType':5126,"
                   "'count':4,'type':'VEC3'}]",
                   "", size, size, cases[i].members);
#if defined(ACRE_TEST_MESHOPT)
        if (cases[i].reason == NULL) {
            CHECK(boxes_are((const double[1][6]){{-1, -2, -3, 1, 2, 3}}, 1));
            continue;
        }
#endif
        CHECK(is_refused_for(cases[i].reason != NULL
                                 ? cases[i].reason
                                 : "EXT_meshopt_compression needs meshoptimizer"));
    }
}

// ---- skins ----

enum { SKIN_POINTS = 6, SKIN_KEYS = 3 };

// A strip of points along y; the lower ones follow joint 0, the upper ones joint 1, the middle ones
// both. Joint 1 stands 2 above joint 0, which stands at (5, 0, 0).
static const double skin_points[3 * SKIN_POINTS] = {0,   0, 0, 0.5, 0, 0, 0,   2, 0,
                                                    0.5, 2, 0, 0,   4, 0, 0.5, 4, 0};
static const double skin_shares[SKIN_POINTS] = {0, 0, 0.5, 0.25, 1, 1}; // of joint 1
static const double skin_times[SKIN_KEYS] = {0, 1, 3};
// Of joint 1, around z; and of joint 0 along x, at the first and the last key alone.
static const double skin_turns[4 * SKIN_KEYS] = {
    0, 0, 0, 1, 0, 0, 0.70710678118654752, 0.70710678118654752, 0, 0, 1, 0};
static const double skin_moves[6] = {5, 0, 0, 8, 0, 0};

static void write_skin(const char *joints, const char *interpolation)
{
    chunk_size = 0;
    put_floats(skin_points, 3 * SKIN_POINTS); // 72 bytes
    for (int i = 0; i < SKIN_POINTS; i++) {
        put_bytes("\0\1\0\0", 4); // 24
    }
    for (int i = 0; i < SKIN_POINTS; i++) { // 96; the weights add up to 2
        put_floats((const double[4]){2 - 2 * skin_shares[i], 2 * skin_shares[i], 0, 0}, 4);
    }
    for (int i = 0; i < 2; i++) { // 128
        put_floats((const double[16]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2 * i, 0, 1}, 16);
    }
    put_floats(skin_times, SKIN_KEYS);      // 12
    put_floats(skin_turns, 4 * SKIN_KEYS);  // 48
    put_floats((const double[2]){0, 3}, 2); // 8
    put_floats(skin_moves, 6);              // 24
    write_text(
        "'scenes':[{'nodes':[0,2]}],'nodes':[{'name':'hip','translation':[5,0,0],'children':[1]},"
        "{'name':'knee','translation':[0,2,0]},{'name':'leg','mesh':0,'skin':0,'translation':["
        "1000,0,0]}],'skins':[{'joints':%s,'inverseBindMatrices':3}],'meshes':[{'primitives':[{"
        "'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}],'animations':[{'channels':[{"
        "'sampler':0,'target':{'node':1,'path':'rotation'}},{'sampler':1,'target':{'node':0,"
        "'path':'translation'}},{'sampler':1,'target':{'node':2,'path':'translation'}}],"
        "'samplers':[{'input':4,'output':5,'interpolation':'%s'},{'input':6,'output':7}]}],"
        "'buffers':[{'byteLength':412}],'bufferViews':[{'buffer':0,'byteLength':72},"
        "{'buffer':0,'byteOffset':72,'byteLength':24},{'buffer':0,'byteOffset':96,'byteLength':96},"
        "{'buffer':0,'byteOffset':192,'byteLength':128},{'buffer':0,'byteOffset':320,'byteLength':"
        "12"
        "},{'buffer':0,'byteOffset':332,'byteLength':48},{'buffer':0,'byteOffset':380,'byteLength':"
        "8"
        "},{'buffer':0,'byteOffset':388,'byteLength':24}],'accessors':[{'bufferView':0,"
        "'componentType':5126,'count':6,'type':'VEC3'},{'bufferView':1,'componentType':5121,"
        "'count':6,'type':'VEC4'},{'bufferView':2,'componentType':5126,'count':6,'type':'VEC4'},"
        "{'bufferView':3,'componentType':5126,'count':2,'type':'MAT4'},{'bufferView':4,"
        "'componentType':5126,'count':3,'type':'SCALAR'},{'bufferView':5,'componentType':5126,"
        "'count':3,'type':'VEC4'},{'bufferView':6,'componentType':5126,'count':2,'type':'SCALAR'},"
        "{'bufferView':7,'componentType':5126,'count':2,'type':'VEC3'}]",
        joints, interpolation);
}

// Where a point is when joint 0 stands at x and joint 1 is turned around z by an angle.
static void bend(int point, double x, double angle, double out[3])
{
    const double *const p = &skin_points[3 * (size_t)point];
    const double share = skin_shares[point];
    const double lower[2] = {x + p[0], p[1]};
    const double upper[2] = {x + cos(angle) * p[0] - sin(angle) * (p[1] - 2),
                             2 + sin(angle) * p[0] + cos(angle) * (p[1] - 2)};
    for (int k = 0; k < 2; k++) {
        out[k] = (1 - share) * lower[k] + share * upper[k];
    }
    out[2] = 0;
}

// Adds all points at a pose to the box.
static void add_pose(double x, double angle, double box[6])
{
    for (int i = 0; i < SKIN_POINTS; i++) {
        double at[3];
        bend(i, x, angle, at);
        for (int k = 0; k < 3; k++) {
            box[k] = fmin(box[k], at[k]);
            box[3 + k] = fmax(box[3 + k], at[k]);
        }
    }
}

static void a_skin_reaches_where_its_points_are_at_every_key(void)
{
    write_skin("[0,1]", "LINEAR");
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK);
    // The node without the mesh, and what it has become: a place under the root, with the mesh.
    CHECK(model->node_count == 5 && strcmp(model->nodes[4].name, "leg") == 0);
    CHECK(model->nodes[4].parent == 0 && model->nodes[4].file_node == 2);
    CHECK(model->nodes[4].mesh_count == 1 && model->nodes[2].mesh_count == 0);
    for (int i = 0; i < SKIN_POINTS; i++) {
        double at[3];
        bend(i, 5, 0, at);
        for (int k = 0; k < 3; k++) {
            CHECK(fabs((double)model->meshes[0].points[3 * i + k] - at[k]) < 1e-6);
        }
    }
    const double turn = acos(-1.0);
    double box[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    add_pose(5, 0, box);
    add_pose(6, turn / 2, box); // at time 1, a third of the way from 5 to 8
    add_pose(8, turn, box);
    const acre_aabb *const bounds = &model->nodes[4].bounds;
    double spare = 0;
    for (int k = 0; k < 3; k++) {
        CHECK((double)bounds->min[k] <= box[k] && (double)bounds->max[k] >= box[3 + k]);
        spare =
            fmax(spare, fmax(box[k] - (double)bounds->min[k], (double)bounds->max[k] - box[3 + k]));
    }
    // A sphere is larger than what it holds; but not than the two halves of the leg.
    CHECK(spare < 2.1);
    CHECK(strcmp(model->notes,
                 "animations: bounds at the keys for skins, between which a limb may "
                 "swing outside; at rest for all else, also for morph targets\n") == 0);
    acre_import_free(model);
}

static void between_keys_of_others_a_rotation_goes_its_way_at_an_even_pace(void)
{
    // Joint 0's key at time 3 falls together with joint 1's. A key at 2 would be between: there
    // the turn is 135 degrees. The key of the moves is put there.
    write_skin("[0,1]", "LINEAR");
    chunk_size = 380;
    put_floats((const double[2]){0, 2}, 2);
    chunk_size = 412;
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK);
    double box[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    add_pose(8, 0.75 * acos(-1.0), box);
    const acre_aabb *const bounds = &model->nodes[4].bounds;
    for (int k = 0; k < 3; k++) {
        CHECK((double)bounds->min[k] <= box[k] && (double)bounds->max[k] >= box[3 + k]);
    }
    acre_import_free(model);
}

static void skins_that_contradict_their_mesh_are_refused(void)
{
    write_skin("[0]", "LINEAR");
    CHECK(is_refused_for("meshes[0].primitives[0]: point 2 has joint 1 of 1"));
    write_skin("[0,3]", "LINEAR");
    CHECK(is_refused_for("skins[0]: there is no nodes[3]"));
    write_skin("[0,1]", "LINEAR");
    char *const sampler = strstr(text, "\"sampler\":1,\"target\":{\"node\":2");
    CHECK(sampler != NULL);
    sampler[10] = '9';
    CHECK(is_refused_for("animations[0].channels[2]: it has no sampler"));
    write_skin("[0,1,1]", "LINEAR");
    CHECK(is_refused_for("skins[0]: its inverseBindMatrices are fewer than its joints"));
    write_skin("[0,1]", "CUBICSPLINE");
    CHECK(is_refused_for("animations[0].channels[0]: output has 3 elements instead of 9"));
    write_skin("[0,1]", "LINEAR");
    memcpy(chunk + 324, chunk + 320, 4);
    CHECK(is_refused_for("animations[0].channels[0]: key 1 is no later than the one before"));
    write_skin("[0,1]", "LINEAR");
    memset(chunk + 96, 0, 8);
    CHECK(is_refused_for("meshes[0].primitives[0]: point 0 has no weight"));
    write_skin("[0,1]", "LINEAR");
    chunk_size = 400;
    put_floats((const double[1]){3.402823e38}, 1); // x at the last key: the margin has no room
    chunk_size = 412;
    CHECK(is_refused_for("a joint moves points beyond all floats"));
}

static void each_allocation_may_fail(void)
{
    write_skin("[0,1]", "LINEAR");
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    for (uint64_t at = 1; result != ACRE_OK; at++) {
        failing_allocator memory;
        acre_import_model *model;
        failing_allocator_init(&memory, FAIL_ONCE, at);
        result = import_fixture(&memory.allocator, &model);
        CHECK(result == ACRE_OK || result == ACRE_ERROR_OUT_OF_MEMORY);
        CHECK(result == ACRE_OK || strstr(import_message, "not enough memory") != NULL);
        CHECK((result == ACRE_OK) == (memory.failed == 0) && (result == ACRE_OK || model == NULL));
        acre_import_free(model);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

// ---- what a file may ask for ----

static const char *repeated(const char *item, int count)
{
    static char out[6144];
    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        EXPECT(strlen(out) + strlen(item) < sizeof out);
        strcat(out, item);
    }
    return out;
}

static void what_a_file_states_often_is_counted_each_time(void)
{
    static const char reason[] = "reading it would take more than 256 bytes or steps";
    // The name of each instance: 60 MB.
    chunk_size = 0;
    write_text("'nodes':[{'mesh':0,'name':'%s','extensions':{'EXT_mesh_gpu_instancing':{"
               "'attributes':{'TRANSLATION':0}}}}],'meshes':[{}],'accessors':[{'componentType':"
               "5126,'count':15000,'type':'VEC3'}]",
               repeated("name", 1000));
    CHECK(is_refused_for(reason));
    CHECK(strstr(import_message, "with all instances it has up to 15002 nodes") != NULL);
    // A mesh of 1,000 primitives without points for each of 100 nodes.
    char nodes[4096] = "";
    for (int i = 0; i < 100; i++) {
        strcat(nodes, "{'mesh':0,'weights':[]},");
    }
    write_text("'nodes':[%s{}],'meshes':[{'primitives':[%s{}]}]", nodes, repeated("{},", 1000));
    CHECK(is_refused_for(reason));
}

static void animations_cost_no_more_than_their_own_keys(void)
{
    enum { KEYS = 250, ANIMATIONS = 45 };
    static const char animation[] =
        "{'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}],"
        "'samplers':[{'input':0,'output':1}]},";
    chunk_size = 0;
    for (int i = 0; i < KEYS; i++) {
        put_floats((const double[1]){i}, 1);
    }
    char nodes[512] = "";
    for (int i = 0; i < 100; i++) {
        strcat(nodes, ",{}");
    }
    write_text("'nodes':[{'mesh':0,'skin':0}%s],'skins':[{'joints':[0]}],'meshes':[{'primitives':"
               "[]}],'animations':[%s{'channels':[],'samplers':[]}],'buffers':[{'byteLength':1000}"
               "],'bufferViews':[{'buffer':0,'byteLength':1000}],'accessors':[{'bufferView':0,"
               "'componentType':5126,'count':250,'type':'SCALAR'},{'componentType':5126,'count':"
               "250,'type':'VEC3'}]",
               nodes, repeated(animation, ANIMATIONS));
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->node_count == 103);
    acre_import_free(model);
}

static void instances_share_the_weights_of_their_node(void)
{
    chunk_size = 0;
    put_floats(corners, 9);
    put_floats((const double[6]){0, 0, 0, 9, 0, 0}, 6);
    write_text("'nodes':[{'mesh':0,'weights':[1],'extensions':{'EXT_mesh_gpu_instancing':{"
               "'attributes':{'TRANSLATION':1}}}}],'meshes':[{'primitives':[{'attributes':{"
               "'POSITION':0},'targets':[{'POSITION':0}]}]}],'buffers':[{'byteLength':60}],"
               "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,"
               "'byteLength':24}],'accessors':[{'bufferView':0,'componentType':5126,'count':3,"
               "'type':'VEC3'},{'bufferView':1,'componentType':5126,'count':2,'type':'VEC3'}]");
    CHECK(boxes_are((const double[2][6]){{-2, -4, -6, 2, 4, 6}, {7, -4, -6, 11, 4, 6}}, 2));
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->mesh_count == 1);
    acre_import_free(model);
}

// A row of them compresses to less than a byte each.
static void instances_may_take_few_bytes(void)
{
    chunk_size = 0;
    write_text("'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{"
               "'TRANSLATION':0}}}}],'meshes':[{}],'accessors':[{'componentType':5126,'count':"
               "20000,'type':'VEC3'}]");
    acre_import_model *model;
    CHECK(import_fixture(NULL, &model) == ACRE_OK && model->node_count == 20001);
    acre_import_free(model);
}

// Writes items, separated by commas. @return behind them
static char *put_items(char *to, const char *name, const char *item, int count, bool are_different)
{
    to += sprintf(to, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        char uri[64] = "";
        for (int bit = 0; bit < 11; bit++) { // one name, written in 2,048 ways
            strcat(uri, are_different && i >> bit & 1 ? "%61" : "a");
        }
        to += sprintf(to, "%s", i > 0 ? "," : "");
        to += strstr(item, "%s") != NULL ? sprintf(to, item, uri) : sprintf(to, item, i);
    }
    return to + sprintf(to, "]");
}

static void targets_that_move_nothing_are_counted_for_each_node(void)
{
    char *const whole = malloc(1 << 20);
    CHECK(whole != NULL);
    char *to =
        whole + sprintf(whole, "{\"asset\":{\"version\":\"2.0\"},\"skins\":[{\"joints\":[0]}]");
    to = put_items(to, "nodes", "{\"mesh\":0,\"skin\":0}", 3200, false);
    to += sprintf(to, ",\"accessors\":[{\"componentType\":5121,\"count\":0,\"type\":\"VEC4\"},"
                      "{\"componentType\":5126,\"count\":0,\"type\":\"VEC4\"}],\"meshes\":[{"
                      "\"primitives\":[{\"attributes\":{\"JOINTS_0\":0,\"WEIGHTS_0\":1}");
    to = put_items(to, "targets", "{}", 12800, false);
    to += sprintf(to, "}]");
    to = put_items(to, "weights", "1", 12800, false);
    sprintf(to, "}]}");
    acre_import_model *model;
    const acre_result result = import_text(IMPORT_HERE, "targets.gltf", whole, &model);
    free(whole);
    acre_import_free(model);
    CHECK(result == ACRE_ERROR_FORMAT && refusal_is_told(model));
    CHECK(strstr(import_message, "reading it would take more than 256 bytes or steps") != NULL);
}

static void members_that_are_passed_over_are_counted_each_time(void)
{
    char *const whole = malloc(1 << 20);
    CHECK(whole != NULL);
    char *to = whole + sprintf(whole, "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{");
    for (int i = 0; i < 4000; i++) {
        to += sprintf(to, "\"a\":0,");
    }
    to += sprintf(to, "\"componentType\":5126,\"count\":0,\"type\":\"VEC3\"}],\"nodes\":[{"
                      "\"mesh\":0}],\"meshes\":[{\"a\":0");
    to = put_items(to, "primitives", "{\"attributes\":{\"POSITION\":0}}", 4000, false);
    sprintf(to, "}]}");
    acre_import_model *model;
    const acre_result result = import_text(IMPORT_HERE, "members.gltf", whole, &model);
    free(whole);
    acre_import_free(model);
    CHECK(result == ACRE_ERROR_FORMAT && refusal_is_told(model));
    CHECK(strstr(import_message, "reading it would take more than 256 bytes or steps") != NULL);
}

static void more_instances_than_a_scene_has_entities_are_refused(void)
{
    // So many zeros may be asked for by a file that is long enough: this one has spaces.
    enum { SPACES = 4 << 20 };
    char *const whole = malloc(SPACES + 1);
    CHECK(whole != NULL);
    memset(whole, ' ', SPACES);
    whole[SPACES] = '\0';
    const int used =
        sprintf(whole, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"extensions\":{"
                       "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":0}}}}],"
                       "\"meshes\":[{}],\"accessors\":[{\"componentType\":5126,\"count\":67108865,"
                       "\"type\":\"VEC3\"}]}");
    whole[used] = ' ';
    acre_import_model *model;
    const acre_result result = import_text(IMPORT_HERE, "crowd.gltf", whole, &model);
    free(whole);
    CHECK(result == ACRE_ERROR_CAPACITY && refusal_is_told(model) && model == NULL);
    CHECK(strstr(import_message, "too many nodes, points or indices for a model") != NULL);
}

static void a_file_beside_it_is_read_once_for_all_buffers(void)
{
    enum { BUFFERS = 1025 };
    char path[512];
    snprintf(path, sizeof path, "%s", import_temporary_path("aaaaaaaaaaa"));
    FILE *const file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(triangle_points, 36, 1, file) == 1 && fclose(file) == 0);
    char *const whole = malloc(1 << 20);
    CHECK(whole != NULL);
    for (int are_different = 0; are_different < 2; are_different++) {
        char *to = whole + sprintf(whole, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}]");
        to = put_items(to, "buffers", "{\"byteLength\":12,\"uri\":\"%s\"}", BUFFERS, are_different);
        to = put_items(to, "bufferViews", "{\"buffer\":%d,\"byteLength\":12}", BUFFERS, false);
        to = put_items(to, "accessors",
                       "{\"bufferView\":%d,\"componentType\":5126,\"count\":1,\"type\":"
                       "\"VEC3\"}",
                       BUFFERS, false);
        to = put_items(to, "meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}",
                       BUFFERS, false);
        sprintf(to, "}");
        acre_import_model *model;
        const acre_result result = import_text(IMPORT_HERE, "part.gltf", whole, &model);
        if (are_different) {
            EXPECT(result == ACRE_ERROR_FORMAT && refusal_is_told(model));
            EXPECT(strstr(import_message, "buffers[1024]: the file names more than 1024 others") !=
                   NULL);
        } else {
            EXPECT(result == ACRE_OK && model->mesh_count == BUFFERS);
        }
        acre_import_free(model);
    }
    free(whole);
    remove(path);
}

// ---- files ----

static void bytes_may_stand_in_the_text_or_in_another_file(void)
{
    static const char head[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}";
    static const char base64[] = "AACAvwAAAMAAAEDAAACAPwAAAEAAAEBAAACAPwAAAMAAAEBA";
    static const struct {
        const char *uri, *reason;
    } cases[] = {{"data:application/octet-stream;base64,%s", NULL},
                 {"data:;base64,AACAvwAAAMA*%s", "buffers[0]: it states 36 bytes and has 8"},
                 {"data:application/octet-stream,%s", "buffers[0]: its data URI is not in base64"},
                 {"far%%20away.bin", NULL},
                 {"short.bin", "buffers[0]: it states 36 bytes and has 35"},
                 {"no_such.bin", "buffers[0]: 'no_such.bin' cannot be read"},
                 {"/etc/hostname", "buffers[0]: '/etc/hostname' is no path beside the file"},
                 {".", "buffers[0]: '.' cannot be read"},
                 {"../far%%20away.bin", "buffers[0]: '../far away.bin' is no path beside the file"},
                 {"a/../../b.bin", "buffers[0]: 'a/../../b.bin' is no path beside the file"},
                 {"%%2fetc/hostname", "buffers[0]: '/etc/hostname' is no path beside the file"},
                 {"file:///etc/hostname", "is no path beside the file"}};
    char other[512], shorter[512];
    snprintf(other, sizeof other, "%s", import_temporary_path("far away.bin"));
    snprintf(shorter, sizeof shorter, "%s", import_temporary_path("short.bin"));
    chunk_size = 0;
    put_floats((const double[9]){-1, -2, -3, 1, 2, 3, 1, -2, 3}, 9);
    FILE *file = fopen(other, "wb");
    CHECK(file != NULL && fwrite(chunk, 36, 1, file) == 1 && fclose(file) == 0);
    file = fopen(shorter, "wb");
    CHECK(file != NULL && fwrite(chunk, 35, 1, file) == 1 && fclose(file) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char uri[256], whole[1024];
        snprintf(uri, sizeof uri, cases[i].uri, base64);
        snprintf(whole, sizeof whole, head, uri);
        acre_import_model *model;
        const acre_result result = import_text(IMPORT_HERE, "part.gltf", whole, &model);
        EXPECT(result == (cases[i].reason == NULL ? ACRE_OK : ACRE_ERROR_FORMAT));
        if (result == ACRE_OK) {
            EXPECT(model->nodes[0].bounds.min[1] == -2 && model->nodes[0].bounds.max[2] == 3);
        } else {
            EXPECT(refusal_is_told(model) && strstr(import_message, cases[i].reason) != NULL);
        }
        acre_import_free(model);
    }
    remove(other);
    remove(shorter);
}

static void a_gltf_is_known_by_its_content(void)
{
    write_triangle("", "'bufferView':0", "");
    size_t size;
    unsigned char *bytes = glb_make(text, chunk, chunk_size, &size);
    acre_import_model *model;
    CHECK(import_bytes(IMPORT_HERE, "model.obj", bytes, size, NULL, &model) == ACRE_OK);
    CHECK(model->nodes[0].file_node == 0 && import_message[0] == '\0');
    acre_import_free(model);
    bytes[4] = 3; // the version
    CHECK(import_bytes(IMPORT_HERE, "model.glb", bytes, size, NULL, &model) == ACRE_ERROR_FORMAT);
    CHECK(strstr(import_message, "GLB: it has version 3") != NULL);
    bytes[4] = 1; // with the chunks of version 2
    CHECK(import_bytes(IMPORT_HERE, "model.glb", bytes, size, NULL, &model) == ACRE_ERROR_FORMAT);
    CHECK(strstr(import_message, "GLB: it has version 1") != NULL);
    bytes[4] = 2;
    bytes[12] = (unsigned char)(bytes[12] + 4); // the length of the first chunk
    CHECK(import_bytes(IMPORT_HERE, "model.glb", bytes, size, NULL, &model) == ACRE_ERROR_FORMAT);
    CHECK(strstr(import_message, "passes the end of the file") != NULL);
    bytes[12] = (unsigned char)(bytes[12] - 4);
    bytes[16] = 'j';
    CHECK(import_bytes(IMPORT_HERE, "model.glb", bytes, size, NULL, &model) == ACRE_ERROR_FORMAT);
    CHECK(strstr(import_message, "GLB: its first chunk is not JSON") != NULL);
    free(bytes);
    // Text without a .gltf's name; other JSON stays assimp's.
    write_text("'nodes':[{'name':'alone'}]");
    CHECK(import_text(IMPORT_HERE, "model.thing", text, &model) == ACRE_OK);
    CHECK(model->node_count == 1 && strcmp(model->nodes[0].name, "alone") == 0);
    acre_import_free(model);
    CHECK(import_text(IMPORT_HERE, "model.thing", "{\"nodes\":[]}", &model) == ACRE_ERROR_FORMAT);
    CHECK(strstr(import_message, "no reader knows the ending '.thing'") != NULL);
    static const struct {
        const char *text, *reason;
    } others[] = {{"{\"asset\":{\"version\":\"3.0\"}}", "asset.version: 3.0 is not known"},
                  {"{\"asset\":{\"version\":2}}", "asset.version: it is missing, or no text"},
                  {"{\"nodes\":[]}", "asset.version: it is missing, or no text"},
                  {"<html>", "glTF: it is neither GLB nor JSON"},
                  {"{\"a\":1,}", "JSON: it is broken, or nested deeper than 1000, at byte 7 of 8"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(import_text(IMPORT_HERE, "model.gltf", others[i].text, &model) == ACRE_ERROR_FORMAT);
        CHECK(refusal_is_told(model) && strstr(import_message, others[i].reason) != NULL);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(positions_in_unsigned_shorts_are_scaled_by_the_node),
        TEST(normalized_bytes_reach_from_minus_one_to_one),
        TEST(interleaved_elements_are_found_by_their_stride),
        TEST(sparse_elements_replace_what_is_there_or_zeros),
        TEST(an_accessor_without_a_view_has_zeros),
        TEST(lengths_that_do_not_fit_are_refused_with_their_place),
        TEST(the_default_scene_is_read_else_the_first_else_all_roots),
        TEST(negative_scales_and_rotations_of_any_length_are_taken),
        TEST(each_instance_is_a_node),
        TEST(occluders_stand_in_the_extras_of_their_node),
        TEST(each_instance_has_the_occluders_of_its_node),
        TEST(wrong_occluders_are_refused_with_their_place),
        TEST(unknown_extensions_are_refused_or_noted),
        TEST(every_mode_makes_its_triangles_and_lines),
        TEST(morph_targets_have_their_default_weights),
        TEST(compressed_views_are_read_or_refused_by_name),
        TEST(a_skin_reaches_where_its_points_are_at_every_key),
        TEST(between_keys_of_others_a_rotation_goes_its_way_at_an_even_pace),
        TEST(skins_that_contradict_their_mesh_are_refused),
        TEST(each_allocation_may_fail),
        TEST(what_a_file_states_often_is_counted_each_time),
        TEST(animations_cost_no_more_than_their_own_keys),
        TEST(instances_share_the_weights_of_their_node),
        TEST(instances_may_take_few_bytes),
        TEST(targets_that_move_nothing_are_counted_for_each_node),
        TEST(members_that_are_passed_over_are_counted_each_time),
        TEST(more_instances_than_a_scene_has_entities_are_refused),
        TEST(a_file_beside_it_is_read_once_for_all_buffers),
        TEST(bytes_may_stand_in_the_text_or_in_another_file),
        TEST(a_gltf_is_known_by_its_content),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
