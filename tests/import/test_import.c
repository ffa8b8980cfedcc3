// SPDX-License-Identifier: MIT
// test_import.c - models of whole files: hierarchy, transforms, geometry, names, bytes.
#include "failing_allocator.h"
#include "import_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

static bool box_is(const acre_aabb *box, const float *expected)
{
    return memcmp(box->min, expected, 3 * sizeof *expected) == 0 &&
           memcmp(box->max, expected + 3, 3 * sizeof *expected) == 0;
}

// A station with an arm that is turned by a quarter around y, twice as large, 5 m up; two hands
// share one mesh; one is placed by a matrix.
static const char station_nodes[] =
    "[{\"name\":\"station\",\"translation\":[10,0,0],\"children\":[1]},"
    "{\"name\":\"arm\",\"translation\":[0,5,0],\"rotation\":[0,0.70710678,0,0.70710678],"
    "\"scale\":[2,2,2],\"children\":[2,3,4]},"
    "{\"name\":\"left\",\"mesh\":0,\"translation\":[0,0,-3]},"
    "{\"name\":\"right\",\"mesh\":0,\"matrix\":[1,0,0,0,0,0,1,0,0,-1,0,0,7,8,9,1]},"
    "{\"name\":\"\\u00e9tage\"}]";

static void a_gltf_keeps_its_hierarchy_names_and_transforms(void)
{
    size_t size;
    unsigned char *bytes = triangle_glb(station_nodes, NULL, NULL, &size);
    acre_import_model *model;
    const acre_result result = import_bytes(IMPORT_HERE, "station.glb", bytes, size, NULL, &model);
    free(bytes);
    CHECK(result == ACRE_OK && import_message[0] == '\0');
    CHECK(model_fault(model) == NULL);
    CHECK(model->node_count == 5 && model->mesh_count == 1 && model->node_mesh_count == 2);
    const uint32_t station = model_node(model, "station"), arm = model_node(model, "arm");
    const uint32_t left = model_node(model, "left"), right = model_node(model, "right");
    const uint32_t empty = model_node(model, "\xc3\xa9tage");
    CHECK(station == 0 && arm == 1 && left < 5 && right < 5 && empty < 5);
    CHECK(model->nodes[station].parent == ACRE_IMPORT_NO_PARENT);
    CHECK(model->nodes[arm].parent == station && model->nodes[left].parent == arm);
    CHECK(model->nodes[right].parent == arm && model->nodes[empty].parent == arm);
    // The file's matrix, number by number.
    const float placed[16] = {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 7, 8, 9, 1};
    CHECK(memcmp(model->nodes[right].local, placed, sizeof placed) == 0);
    // (1, 0, 0) on the left hand: 3 m to the front of the arm becomes 6 m, and front becomes left.
    double world[16];
    node_world(model, left, world);
    const double expected[3] = {10 - 6, 5, -2};
    for (int axis = 0; axis < 3; axis++) {
        CHECK(is_near(world[axis] + world[12 + axis], expected[axis], 1e-5));
    }
    const float box[6] = {0, 0, 0, 1, 2, 0};
    CHECK(box_is(&model->nodes[left].bounds, box) && box_is(&model->nodes[right].bounds, box));
    CHECK(model->nodes[empty].mesh_count == 0 && acre_aabb_is_empty(&model->nodes[empty].bounds));
    CHECK(model->meshes[0].triangle_count == 1 && model->meshes[0].line_count == 0);
    CHECK(memcmp(model->meshes[0].points, triangle_points, sizeof triangle_points) == 0);
    acre_import_free(model);
}

static void several_roots_of_a_gltf_get_a_common_one(void)
{
    acre_import_model *model;
    CHECK(import_text(IMPORT_HERE, "roots.gltf",
                      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,"
                      "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"name\":\"a\"},{\"name\":\"b\","
                      "\"translation\":[1,2,3]}]}",
                      &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL && model->node_count == 3 && model->mesh_count == 0);
    CHECK(model->nodes[0].parent == ACRE_IMPORT_NO_PARENT);
    CHECK(model->nodes[1].parent == 0 && model->nodes[2].parent == 0);
    CHECK(model->nodes[model_node(model, "b")].local[14] == 3.0f);
    acre_import_free(model);
}

static void lines_and_points_of_a_gltf_are_kept(void)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"name\":\"street\",\"mesh\":0}],\"meshes\":[{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"mode\":3},{\"attributes\":{\"POSITION\":0},"
        "\"mode\":0}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
        "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[3,1,4]}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":48}],\"buffers\":[{\"byteLength\":48}]}";
    // Floats as little-endian bytes: 1 is 3f800000, 3 is 40400000, 4 is 40800000.
    static const unsigned char binary[48] = {[14] = 0x80,     [15] = 0x3f,     [24] = 0,
                                             [26] = 0x40,     [27] = 0x40,     [28 + 2] = 0x80,
                                             [28 + 3] = 0x3f, [36 + 2] = 0x40, [36 + 3] = 0x40,
                                             [44 + 2] = 0x80, [44 + 3] = 0x40};
    size_t size;
    unsigned char *bytes = glb_make(json, binary, sizeof binary, &size);
    acre_import_model *model;
    const acre_result result = import_bytes(IMPORT_HERE, "street.glb", bytes, size, NULL, &model);
    free(bytes);
    CHECK(result == ACRE_OK && model_fault(model) == NULL);
    CHECK(model->triangle_total == 0 && model->line_total == 3 && model->point_total == 8);
    const acre_import_node *street = &model->nodes[model_node(model, "street")];
    const float box[6] = {0, 0, 0, 3, 1, 4};
    CHECK(street->mesh_count == 2 && box_is(&street->bounds, box));
    const acre_import_mesh *strip = &model->meshes[model->node_meshes[street->first_mesh]];
    const uint32_t segments[6] = {0, 1, 1, 2, 2, 3};
    CHECK(strip->line_count == 3 && memcmp(strip->lines, segments, sizeof segments) == 0);
    acre_import_free(model);
}

static double area_of(const acre_import_model *model)
{
    double sum = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        const acre_import_mesh *mesh = &model->meshes[m];
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const float *a = mesh->points + 3 * (size_t)mesh->triangles[3 * (size_t)t];
            const float *b = mesh->points + 3 * (size_t)mesh->triangles[3 * (size_t)t + 1];
            const float *c = mesh->points + 3 * (size_t)mesh->triangles[3 * (size_t)t + 2];
            double u[3], v[3];
            for (int i = 0; i < 3; i++) {
                u[i] = (double)b[i] - (double)a[i];
                v[i] = (double)c[i] - (double)a[i];
            }
            const double x = u[1] * v[2] - u[2] * v[1];
            const double y = u[2] * v[0] - u[0] * v[2];
            const double z = u[0] * v[1] - u[1] * v[0];
            sum += sqrt(x * x + y * y + z * z) / 2;
        }
    }
    return sum;
}

static void an_obj_keeps_its_objects_and_the_area_of_its_polygons(void)
{
    acre_import_model *model;
    // The first face is an L of five unit squares, which is not convex; the second a triangle.
    CHECK(import_text(IMPORT_HERE, "two.obj",
                      "o ell\nv 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n"
                      "f 1 2 3 4 5 6\no beta\nv 5 5 5\nv 6 5 5\nv 6 5 7\nf 7 8 9\n",
                      &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL && model->node_count == 3);
    const acre_import_node *ell = &model->nodes[model_node(model, "ell")];
    const acre_import_node *beta = &model->nodes[model_node(model, "beta")];
    const float ell_box[6] = {0, 0, 0, 3, 3, 0}, beta_box[6] = {5, 5, 5, 6, 5, 7};
    CHECK(ell->parent == 0 && beta->parent == 0);
    CHECK(box_is(&ell->bounds, ell_box) && box_is(&beta->bounds, beta_box));
    CHECK(model->triangle_total == 5 && is_near(area_of(model), 5 + 1, 1e-9));
    acre_import_free(model);
}

static void ply_and_stl_give_their_bounds(void)
{
    const float box[6] = {-1, 0, 0, 1, 2, 3};
    acre_import_model *model;
    CHECK(import_text(IMPORT_HERE, "one.ply",
                      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                      "property float y\nproperty float z\nelement face 1\n"
                      "property list uchar int vertex_indices\nend_header\n"
                      "-1 0 0\n1 0 0\n1 2 3\n-1 2 3\n4 0 1 2 3\n",
                      &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL && model->triangle_total == 2);
    CHECK(model->mesh_count == 1 && box_is(&model->meshes[0].bounds, box));
    acre_import_free(model);
    CHECK(import_text(IMPORT_HERE, "one.stl",
                      "solid wedge\nfacet normal 0 0 1\nouter loop\nvertex -1 0 0\nvertex 1 0 0\n"
                      "vertex 1 2 3\nendloop\nendfacet\nendsolid wedge\n",
                      &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL && model->triangle_total == 1);
    CHECK(model_node(model, "wedge") != UINT32_MAX && box_is(&model->meshes[0].bounds, box));
    acre_import_free(model);
}

static void a_last_row_that_rounding_changed_is_taken_as_0_0_0_1(void)
{
    static const struct {
        const char *last;
        bool is_taken;
    } rows[] = {{"1.000001", true}, {"0.99999988", true}, {"1.0001", false}, {"0.9999", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char nodes[160];
        snprintf(nodes, sizeof nodes,
                 "[{\"mesh\":0,\"matrix\":[1,0,0,0.000001,0,1,0,0,0,0,1,-0.000001,7,8,9,%s]}]",
                 rows[i].last);
        size_t size;
        unsigned char *bytes = triangle_glb(nodes, NULL, NULL, &size);
        acre_import_model *model;
        const acre_result result = import_bytes(IMPORT_HERE, "row.glb", bytes, size, NULL, &model);
        free(bytes);
        CHECK(result == (rows[i].is_taken ? ACRE_OK : ACRE_ERROR_FORMAT));
        CHECK(!rows[i].is_taken || (model_fault(model) == NULL && model->nodes[0].local[12] == 7));
        acre_import_free(model);
    }
}

static void a_raw_file_with_empty_places_among_its_children_is_taken(void)
{
    acre_import_model *model;
    CHECK(import_text(IMPORT_SANDBOXED, "two.raw", "a\n0 0 0 0 0 3 0 1 3\n\nb\n1 0 0 1 0 3 1 1 3\n",
                      &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL && model->triangle_total == 2);
    acre_import_free(model);
}

// A Half-Life model in the making: all its numbers are little endian, with 32 bits.
typedef struct mdl_file {
    unsigned char bytes[2048];
    int32_t size;
} mdl_file;

static void mdl_set(mdl_file *file, int32_t at, const int32_t *values, int32_t count)
{
    for (int32_t i = 0; i < 4 * count; i++) {
        file->bytes[at + i] = (unsigned char)((uint32_t)values[i / 4] >> (8 * (i % 4)));
    }
}

// @return where a part of this size begins, with a name in front.
static int32_t mdl_add(mdl_file *file, int32_t size, const char *name)
{
    const int32_t at = file->size;
    memcpy(file->bytes + at, name, strlen(name));
    file->size += size;
    return at;
}

// A bone of 112 bytes that the bone `parent` carries, without controllers, at (1, 0, 0).
static int32_t mdl_add_bone(mdl_file *file, const char *name, int32_t parent)
{
    static const int32_t one = 0x3f800000; // 1.0f
    const int32_t at = mdl_add(file, 112, name);
    mdl_set(file, at + 32, (int32_t[8]){parent, 0, -1, -1, -1, -1, -1, -1}, 8);
    mdl_set(file, at + 64, (int32_t[6]){one}, 6);
    mdl_set(file, at + 88, (int32_t[6]){one, one, one, one, one, one}, 6);
    return at;
}

// One triangle with one texel, and two bones, of which one carries the other.
static void mdl_make(mdl_file *file)
{
    static const int32_t one = 0x3f800000; // 1.0f
    *file = (mdl_file){.size = 244};       // the head
    const int32_t bones = mdl_add_bone(file, "hip", -1);
    (void)mdl_add_bone(file, "knee", 0);
    const int32_t texture = mdl_add(file, 80, "skin.bmp");
    const int32_t texels = mdl_add(file, 1 + 768, "");
    const int32_t skin = mdl_add(file, 4, "");
    const int32_t body = mdl_add(file, 76, "body");
    const int32_t part = mdl_add(file, 112, "part");
    const int32_t mesh = mdl_add(file, 20, "");
    const int32_t bone_of = mdl_add(file, 4, ""); // of each point, and of the normal
    const int32_t points = mdl_add(file, 36, "");
    const int32_t normal = mdl_add(file, 12, "");
    const int32_t strip = mdl_add(file, 28, "");
    const int32_t sequences = mdl_add(file, 104, "default");
    mdl_set(file, texture + 68, (int32_t[3]){1, 1, texels}, 3);
    mdl_set(file, body + 64, (int32_t[3]){1, 1, part}, 3);
    mdl_set(file, part + 72, (int32_t[8]){1, mesh, 3, bone_of, points, 1, bone_of, normal}, 8);
    mdl_set(file, mesh, (int32_t[5]){1, strip, 0, 1, 0}, 5);
    mdl_set(file, points + 12, (int32_t[5]){one, 0, 0, 0, one}, 5);
    mdl_set(file, normal, (int32_t[3]){0, 0, one}, 3);
    // Three corners, each with point, normal and place in the texture in 16 bits.
    memcpy(file->bytes + strip, (unsigned char[26]){3, 0, [10] = 1, [18] = 2}, 26);
    memcpy(file->bytes, "IDST\012\0\0\0test.mdl", 16);
    mdl_set(file, 72, &file->size, 1);
    mdl_set(file, 140, (int32_t[2]){2, bones}, 2);
    mdl_set(file, 172, (int32_t[10]){1, sequences, 1, texture, texels, 1, 1, skin, 1, body}, 10);
}

static void the_bones_of_a_half_life_model_are_taken(void)
{
    mdl_file file;
    mdl_make(&file);
    acre_import_model *model;
    // In a child process, since assimp leaks what it read of such a file.
    CHECK(import_bytes(IMPORT_SANDBOXED, "test.mdl", file.bytes, (size_t)file.size, NULL, &model) ==
          ACRE_OK);
    CHECK(model_fault(model) == NULL && model->triangle_total == 1);
    const uint32_t hip = model_node(model, "hip"), knee = model_node(model, "knee");
    // assimp lists all bones in one node; their parent pointers alone make a skeleton of them.
    CHECK(hip != UINT32_MAX && knee != UINT32_MAX);
    CHECK(model->nodes[knee].parent == model->nodes[hip].parent);
    acre_import_free(model);
}

static void a_collada_file_with_z_up_stands_upright(void)
{
    acre_import_model *model;
    CHECK(import_text(
              IMPORT_HERE, "mast.dae",
              "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/"
              "COLLADASchema\" version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset>"
              "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array "
              "id=\"a\" count=\"9\">0 0 0 1 0 0 0 0 9</float_array><technique_common><accessor "
              "source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param "
              "name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
              "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
              "source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" "
              "source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>"
              "</library_geometries><library_visual_scenes><visual_scene id=\"s\" name=\"s\">"
              "<node id=\"base\" name=\"base\"><translate>0 0 100</translate><node id=\"mast\" "
              "name=\"mast\"><instance_geometry url=\"#g\"/></node></node></visual_scene>"
              "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
              "</COLLADA>",
              &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL);
    const uint32_t mast = model_node(model, "mast");
    CHECK(mast != UINT32_MAX && model->nodes[mast].parent == model_node(model, "base"));
    double world[16];
    node_world(model, mast, world);
    const double top[3] = {0, 0, 9}, expected[3] = {0, 109, 0}; // y is up in Acre
    for (int axis = 0; axis < 3; axis++) {
        double at = world[12 + axis];
        for (int k = 0; k < 3; k++) {
            at += world[4 * k + axis] * top[k];
        }
        CHECK(is_near(at, expected[axis], 1e-4));
    }
    acre_import_free(model);
}

static void a_fbx_file_with_z_up_stands_upright(void)
{
    acre_import_model *model;
    CHECK(import_text(IMPORT_HERE, "mast.fbx",
                      "; FBX 7.3.0 project file\n"
                      "FBXHeaderExtension:  {\n"
                      "FBXHeaderVersion: 1003\n"
                      "FBXVersion: 7300\n"
                      "}\n"
                      "GlobalSettings:  {\n"
                      "Version: 1000\n"
                      "Properties70:  {\n"
                      "P: \"UpAxis\", \"int\", \"Integer\", \"\",2\n"
                      "P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
                      "P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"
                      "P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n"
                      "P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
                      "P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
                      "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n"
                      "}\n"
                      "}\n"
                      "Objects:  {\n"
                      "Geometry: 10, \"Geometry::mast\", \"Mesh\" {\n"
                      "Vertices: *9 {\n"
                      "a: 0,0,0,1,0,0,0,2,9\n"
                      "}\n"
                      "PolygonVertexIndex: *3 {\n"
                      "a: 0,1,-3\n"
                      "}\n"
                      "GeometryVersion: 124\n"
                      "}\n"
                      "Model: 20, \"Model::mast\", \"Mesh\" {\n"
                      "Version: 232\n"
                      "Properties70:  {\n"
                      "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,100\n"
                      "}\n"
                      "}\n"
                      "}\n"
                      "Connections:  {\n"
                      "C: \"OO\",20,0\n"
                      "C: \"OO\",10,20\n"
                      "}\n",
                      &model) == ACRE_OK);
    CHECK(model_fault(model) == NULL);
    const uint32_t mast = model_node(model, "mast");
    CHECK(mast != UINT32_MAX && model->nodes[mast].parent == 0);
    double world[16];
    node_world(model, mast, world);
    const double top[3] = {0, 2, 9}, expected[3] = {0, 109, -2}; // y is up in Acre
    for (int axis = 0; axis < 3; axis++) {
        double at = world[12 + axis];
        for (int k = 0; k < 3; k++) {
            at += world[4 * k + axis] * top[k];
        }
        CHECK(is_near(at, expected[axis], 1e-4));
    }
    acre_import_free(model);
}

static acre_aabb world_box(const acre_import_model *model, uint32_t node)
{
    double world[16];
    node_world(model, node, world);
    const acre_aabb *local = &model->nodes[node].bounds;
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) { // the city's matrices only move
        box.min[axis] = (float)((double)local->min[axis] + world[12 + axis]);
        box.max[axis] = (float)((double)local->max[axis] + world[12 + axis]);
    }
    return box;
}

// Sums over the file's accessors (their min and max fields and the nodes' translations), made with
// a script that knows nothing of this importer.
static const double city_box_area = 3540727.0;    // square meters of ground, all building boxes
static const double city_box_volume = 34041291.4; // cubic meters
static const double city_solid_area = 1651565.7;  // square meters, of all occluders
static const float city_half_width = 1457.743f, city_height = 45.0f;

// Corners of an occluder that are corners of its node's mesh, at the top and at the bottom.
static uint32_t count_shared_corners(const acre_import_model *model, const acre_import_node *node,
                                     const acre_occluder *occluder)
{
    const acre_import_mesh *const mesh = &model->meshes[model->node_meshes[node->first_mesh]];
    uint32_t shared = 0;
    for (uint32_t k = 0; k < occluder->point_count; k++) {
        bool is_at_top = false, is_at_bottom = false;
        for (uint32_t i = 0; i < mesh->point_count; i++) {
            const float *const point = mesh->points + 3 * (size_t)i;
            if (point[0] == occluder->points[k][0] && point[2] == occluder->points[k][1]) {
                is_at_top |= point[1] == occluder->top;
                is_at_bottom |= point[1] == fmaxf(occluder->bottom, 0);
            }
        }
        shared += is_at_top && is_at_bottom;
    }
    return shared;
}

// Each building has one occluder, whose corners are corners of its walls.
static void check_city_occluders(const acre_import_model *model)
{
    CHECK(model->occluder_count == 13077);
    double area = 0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const acre_import_node *const node = &model->nodes[i];
        CHECK(node->occluder_count == (strncmp(node->name, "building/", 9) == 0));
        const acre_occluder *const occluder =
            node->occluder_count > 0 ? &model->occluders[node->first_occluder] : NULL;
        for (uint32_t k = 2; occluder != NULL && k < occluder->point_count; k++) {
            const float *const a = occluder->points[0], *const b = occluder->points[k - 1];
            const float *const c = occluder->points[k];
            area += 0.5 * fabs((double)(b[0] - a[0]) * (double)(c[1] - a[1]) -
                               (double)(b[1] - a[1]) * (double)(c[0] - a[0]));
        }
        CHECK(occluder == NULL ||
              count_shared_corners(model, node, occluder) == occluder->point_count);
    }
    CHECK(is_near(area, city_solid_area, 1e-4 * city_solid_area));
}

static void the_city_has_all_its_buildings_where_its_file_says(void)
{
    acre_import_model *model;
    char message[256];
    CHECK(acre_import_file(ACRE_SCENES "/san_francisco.glb", NULL, &model, message,
                           sizeof message) == ACRE_OK);
    CHECK(model_fault(model) == NULL && model->node_count == 1 + 9 + 13077 + 561);
    // As the format's validator counts them.
    CHECK(model->mesh_count == 14320 && model->point_total == 200754);
    CHECK(model->triangle_total == 265388);
    uint32_t buildings = 0, roads = 0, roads_with_lines = 0;
    double area = 0, volume = 0;
    acre_aabb city = acre_aabb_empty();
    for (uint32_t i = 0; i < model->node_count; i++) {
        const acre_import_node *node = &model->nodes[i];
        if (strncmp(node->name, "building/", 9) == 0) {
            const acre_aabb box = world_box(model, i);
            const double ground = ((double)box.max[0] - (double)box.min[0]) *
                                  ((double)box.max[2] - (double)box.min[2]);
            buildings++;
            area += ground;
            volume += ground * ((double)box.max[1] - (double)box.min[1]);
            city = acre_aabb_merge(&city, &box);
            CHECK(node->mesh_count == 1 && model->nodes[node->parent].parent == 0);
        } else if (strncmp(node->name, "road/", 5) == 0) {
            roads++;
            roads_with_lines += model->meshes[model->node_meshes[node->first_mesh]].line_count > 0;
        }
    }
    CHECK(buildings == 13077 && roads == 561 && roads_with_lines == 550);
    CHECK(strcmp(model->nodes[0].name, "San Francisco") == 0);
    for (int axis = 0; axis < 3; axis += 2) {
        CHECK(is_near((double)city.min[axis], -(double)city_half_width, 1e-3));
        CHECK(is_near((double)city.max[axis], (double)city_half_width, 1e-3));
    }
    CHECK(city.min[1] == 0.0f && city.max[1] == city_height);
    CHECK(is_near(area, city_box_area, 1e-5 * city_box_area));
    CHECK(is_near(volume, city_box_volume, 1e-5 * city_box_volume));
    check_city_occluders(model);
    acre_import_free(model);
}

static bool models_are_equal(const acre_import_model *a, const acre_import_model *b)
{
    if (a->node_count != b->node_count || a->mesh_count != b->mesh_count ||
        a->node_mesh_count != b->node_mesh_count || a->byte_size != b->byte_size ||
        a->occluder_count != b->occluder_count) {
        return false;
    }
    bool equal =
        a->node_mesh_count == 0 ||
        memcmp(a->node_meshes, b->node_meshes, a->node_mesh_count * sizeof *a->node_meshes) == 0;
    equal &= a->occluder_count == 0 ||
             memcmp(a->occluders, b->occluders, a->occluder_count * sizeof *a->occluders) == 0;
    for (uint32_t i = 0; equal && i < a->node_count; i++) {
        const acre_import_node *x = &a->nodes[i], *y = &b->nodes[i];
        equal = strcmp(x->name, y->name) == 0 && x->parent == y->parent &&
                memcmp(x->local, y->local, sizeof x->local) == 0 &&
                memcmp(&x->bounds, &y->bounds, sizeof x->bounds) == 0;
    }
    for (uint32_t i = 0; equal && i < a->mesh_count; i++) {
        const acre_import_mesh *x = &a->meshes[i], *y = &b->meshes[i];
        equal = x->point_count == y->point_count && x->triangle_count == y->triangle_count &&
                x->line_count == y->line_count &&
                (x->point_count == 0 ||
                 memcmp(x->points, y->points, 12 * (size_t)x->point_count) == 0) &&
                (x->triangle_count == 0 ||
                 memcmp(x->triangles, y->triangles, 12 * (size_t)x->triangle_count) == 0) &&
                (x->line_count == 0 || memcmp(x->lines, y->lines, 8 * (size_t)x->line_count) == 0);
    }
    return equal;
}

// The station as packed bytes; free() them. NULL if anything is wrong.
static unsigned char *pack_station(acre_import_model **model, size_t *size)
{
    size_t file_size;
    unsigned char *file = triangle_glb(station_nodes, NULL, NULL, &file_size);
    const acre_result result =
        import_bytes(IMPORT_HERE, "station.glb", file, file_size, NULL, model);
    free(file);
    if (result != ACRE_OK) {
        return NULL;
    }
    *size = acre_import_pack(*model, NULL, 0);
    unsigned char *bytes = malloc(*size);
    return bytes != NULL && acre_import_pack(*model, bytes, *size) == *size ? bytes : NULL;
}

static void a_packed_model_comes_back_as_it_was(void)
{
    acre_import_model *model, *copy;
    size_t size;
    unsigned char *bytes = pack_station(&model, &size);
    CHECK(bytes != NULL && acre_import_pack(model, bytes, size - 1) == size);
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(acre_import_unpack(bytes, size, &memory.allocator, &copy) == ACRE_OK);
    CHECK(model_fault(copy) == NULL && models_are_equal(model, copy));
    CHECK(memory.live_bytes == copy->byte_size && memory.live_blocks == 1);
    acre_import_free(copy);
    CHECK(failing_allocator_verdict(&memory) == NULL);
    failing_allocator_init(&memory, FAIL_ONCE, 1);
    CHECK(acre_import_unpack(bytes, size, &memory.allocator, &copy) == ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(copy == NULL && failing_allocator_verdict(&memory) == NULL);
    CHECK(acre_import_unpack(NULL, size, NULL, &copy) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_import_unpack(bytes, size, NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_import_free(model);
    free(bytes);
}

static void packed_bytes_that_are_cut_or_changed_give_an_error_or_a_sound_model(void)
{
    acre_import_model *model, *copy;
    size_t size;
    unsigned char *bytes = pack_station(&model, &size);
    CHECK(bytes != NULL);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut > 0 ? cut : 1); // of its exact size, for the sanitizer
        CHECK(part != NULL);
        memcpy(part, bytes, cut);
        CHECK(acre_import_unpack(part, cut, NULL, &copy) == ACRE_ERROR_FORMAT && copy == NULL);
        free(part);
    }
    test_random random = {test_seed};
    uint32_t refused = 0, taken = 0;
    for (uint32_t trial = 0; trial < 20000 * test_scale; trial++) {
        unsigned char *changed = malloc(size);
        CHECK(changed != NULL);
        memcpy(changed, bytes, size);
        for (uint32_t flips = 1 + random_below(&random, 3); flips > 0; flips--) {
            changed[random_below(&random, (uint32_t)size)] ^=
                (unsigned char)(1u << random_below(&random, 8));
        }
        const acre_result result = acre_import_unpack(changed, size, NULL, &copy);
        CHECK(result == ACRE_OK ? model_fault(copy) == NULL : result == ACRE_ERROR_FORMAT && !copy);
        refused += result != ACRE_OK;
        taken += result == ACRE_OK;
        acre_import_free(copy);
        free(changed);
    }
    CHECK(refused > 1000 && taken > 1000);
    acre_import_free(model);
    free(bytes);
}

static void messages_are_cut_at_their_buffer_and_may_be_left_out(void)
{
    acre_import_model *model = (acre_import_model *)(void *)import_message;
    char message[16];
    memset(message, 'x', sizeof message);
    CHECK(acre_import_file("no_such_file.glb", NULL, &model, message, 8) == ACRE_ERROR_IO);
    CHECK(model == NULL && memcmp(message, "no_such\0xxxxxxxx", 16) == 0);
    CHECK(acre_import_file("no_such_file.glb", NULL, &model, message, 1) == ACRE_ERROR_IO);
    CHECK(message[0] == '\0' && message[1] == 'o');
    CHECK(acre_import_file("no_such_file.glb", NULL, &model, NULL, 0) == ACRE_ERROR_IO);
    CHECK(acre_import_file("no_such_file.glb", NULL, &model, NULL, 100) == ACRE_ERROR_IO);
    CHECK(acre_import_file(NULL, NULL, &model, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_import_file("any", NULL, NULL, NULL, 0) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_import_free(NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_gltf_keeps_its_hierarchy_names_and_transforms),
        TEST(several_roots_of_a_gltf_get_a_common_one),
        TEST(lines_and_points_of_a_gltf_are_kept),
        TEST(an_obj_keeps_its_objects_and_the_area_of_its_polygons),
        TEST(ply_and_stl_give_their_bounds),
        TEST(a_last_row_that_rounding_changed_is_taken_as_0_0_0_1),
        TEST(a_raw_file_with_empty_places_among_its_children_is_taken),
        TEST(the_bones_of_a_half_life_model_are_taken),
        TEST(a_collada_file_with_z_up_stands_upright),
        TEST(a_fbx_file_with_z_up_stands_upright),
        TEST(the_city_has_all_its_buildings_where_its_file_says),
        TEST(a_packed_model_comes_back_as_it_was),
        TEST(packed_bytes_that_are_cut_or_changed_give_an_error_or_a_sound_model),
        TEST(messages_are_cut_at_their_buffer_and_may_be_left_out),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
