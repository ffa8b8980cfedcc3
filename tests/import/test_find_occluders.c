// SPDX-License-Identifier: MIT
// test_find_occluders.c - occluders that are found in meshes lie within them: by random rays in
// doubles against the triangles, which share nothing with the search.
#include "failing_allocator.h"
#include "find_internal.h"
#include "import_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 512, MOST_TRIANGLES = 1024 };

// A mesh that is made here, and how its node stands.
static struct {
    double points[MOST_POINTS][3];
    uint32_t triangles[MOST_TRIANGLES][3];
    uint32_t point_count, triangle_count;
    double matrix[16];
    double below;   // how far a second node is below the first; 0: there is none
    bool is_joined; // of several solids: a prism in one of them may meet triangles of another
} made;

static const double upright[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static uint64_t random_state;

static double random_part(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static double random_from(double low, double high)
{
    return low + (high - low) * random_part();
}

static void begin_mesh(void)
{
    made.point_count = made.triangle_count = 0;
    made.below = 0.0;
    made.is_joined = false;
    memcpy(made.matrix, upright, sizeof made.matrix);
}

static uint32_t add_point(double x, double y, double z)
{
    EXPECT(made.point_count < MOST_POINTS);
    const double point[3] = {x, y, z};
    memcpy(made.points[made.point_count], point, sizeof point);
    return made.point_count++;
}

static void add_triangle(uint32_t a, uint32_t b, uint32_t c)
{
    EXPECT(made.triangle_count < MOST_TRIANGLES);
    const uint32_t triangle[3] = {a, b, c};
    memcpy(made.triangles[made.triangle_count++], triangle, sizeof triangle);
}

// A prism over a ring of x and z. Seen from above, with z towards the reader, the ring goes
// counterclockwise around the inside; each corner sees the first one, so that a fan fills it.
static void add_tower(double (*ring)[2], uint32_t count, double bottom, double top, bool is_open)
{
    const uint32_t first = made.point_count;
    for (uint32_t i = 0; i < 2 * count; i++) {
        add_point(ring[i % count][0], i < count ? bottom : top, ring[i % count][1]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = first + i, b = first + (i + 1) % count;
        add_triangle(a, b, a + count);
        add_triangle(b, b + count, a + count);
        if (i >= 2) {
            add_triangle(first + count, a - 1 + count, a + count);
            if (!is_open) {
                add_triangle(first, a, a - 1);
            }
        }
    }
}

static void add_box(const double *low, const double *high, bool is_open)
{
    double ring[4][2] = {
        {low[0], high[2]}, {high[0], high[2]}, {high[0], low[2]}, {low[0], low[2]}};
    add_tower(ring, 4, low[1], high[1], is_open);
}

// An L whose inner corner sees all of it.
static void add_angle(double size, double arm, double height, bool is_open)
{
    double ring[6][2] = {{arm, arm}, {size, arm}, {size, 0}, {0, 0}, {0, size}, {arm, size}};
    add_tower(ring, 6, 0.0, height, is_open);
}

// A house with a gable roof: the ridge runs along x.
static void add_house(double x, double z, double eaves, double ridge, bool is_open)
{
    const uint32_t f = made.point_count;
    for (int i = 0; i < 8; i++) {
        const int corner = i % 4;
        add_point(corner == 0 || corner == 3 ? 0.0 : x, i < 4 ? 0.0 : eaves, corner < 2 ? z : 0.0);
    }
    add_point(0.0, ridge, 0.5 * z);
    add_point(x, ridge, 0.5 * z);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t a = f + i, b = f + (i + 1) % 4;
        add_triangle(a, b, a + 4);
        add_triangle(b, b + 4, a + 4);
    }
    add_triangle(f + 4, f + 5, f + 9);
    add_triangle(f + 4, f + 9, f + 8);
    add_triangle(f + 6, f + 7, f + 8);
    add_triangle(f + 6, f + 8, f + 9);
    add_triangle(f + 5, f + 6, f + 9);
    add_triangle(f + 7, f + 4, f + 8);
    if (!is_open) {
        add_triangle(f, f + 2, f + 1);
        add_triangle(f, f + 3, f + 2);
    }
}

// A ball of rings, with lumps.
static void add_rock(double size, double lumps)
{
    enum { RINGS = 5, SIDES = 9 };
    const uint32_t f = made.point_count;
    for (int r = 0; r < RINGS; r++) {
        const double up = acos(-1.0) * (r + 1) / (RINGS + 1);
        for (int s = 0; s < SIDES; s++) {
            const double around = 2.0 * acos(-1.0) * s / SIDES;
            const double radius = size * random_from(1.0 - lumps, 1.0);
            add_point(radius * sin(up) * cos(around), radius * cos(up),
                      radius * sin(up) * sin(around));
        }
    }
    const uint32_t top = add_point(0, size, 0), bottom = add_point(0, -size, 0);
    for (uint32_t r = 0; r < RINGS; r++) {
        for (uint32_t s = 0; s < SIDES; s++) {
            const uint32_t a = f + r * SIDES + s, b = f + r * SIDES + (s + 1) % SIDES;
            if (r == 0) {
                add_triangle(top, b, a);
            }
            if (r == RINGS - 1) {
                add_triangle(a, b, bottom);
            } else {
                add_triangle(a, b, a + SIDES);
                add_triangle(b, b + SIDES, a + SIDES);
            }
        }
    }
}

static void scale_mesh(double factor, double shift)
{
    for (uint32_t i = 0; i < made.point_count; i++) {
        for (int k = 0; k < 3; k++) {
            made.points[i][k] = factor * made.points[i][k] + shift;
        }
    }
}

// Reads the mesh as a glTF, and searches. The model has what was found; the points are rounded.
static acre_import_model *find_in_mesh(const char *material, const char *scene,
                                       acre_import_finding *finding)
{
    static unsigned char bytes[12 * MOST_POINTS + 12 * MOST_TRIANGLES];
    static char text[4096];
    size_t size = 0;
    for (uint32_t i = 0; i < made.point_count; i++) {
        for (int k = 0; k < 3; k++, size += 4) {
            const float number = (float)made.points[i][k];
            made.points[i][k] = (double)number;
            memcpy(bytes + size, &number, 4);
        }
    }
    memcpy(bytes + size, made.triangles, 12 * (size_t)made.triangle_count);
    int used = snprintf(text, sizeof text,
                        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0%s]%s}],"
                        "\"materials\":[{%s}],\"buffers\":[{\"byteLength\":%zu}],"
                        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu},"
                        "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%u}],"
                        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,"
                        "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5125,\"count\":%u,"
                        "\"type\":\"SCALAR\"}],\"meshes\":[{\"primitives\":[{\"attributes\":"
                        "{\"POSITION\":0},\"indices\":1,\"material\":0}]}],"
                        "\"nodes\":[{\"mesh\":0,\"matrix\":[",
                        made.below > 0.0 ? ",1" : "", scene, material,
                        size + 12 * (size_t)made.triangle_count, size, size,
                        (unsigned)(12 * made.triangle_count), (unsigned)made.point_count,
                        (unsigned)(3 * made.triangle_count));
    for (int k = 0; k < 16; k++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.9g", k > 0 ? "," : "",
                         made.matrix[k]);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "]}");
    if (made.below > 0.0) { // the same once more, so much lower
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ",{\"mesh\":0,\"translation\":[0,%.9g,0]}", -made.below);
    }
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    size_t file_size;
    unsigned char *const file =
        glb_make(text, bytes, size + 12 * (size_t)made.triangle_count, &file_size);
    acre_import_model *model = NULL, *found = NULL;
    EXPECT(import_bytes(IMPORT_HERE, "made.glb", file, file_size, NULL, &model) == ACRE_OK);
    free(file);
    const acre_import_find_def def = {0};
    acre_import_finding findings[3]; // a root above two
    EXPECT(acre_import_find_occluders(model, &def, findings, &found) == ACRE_OK);
    EXPECT(found != NULL && model_fault(found) == NULL);
    *finding = findings[model->node_count > 1 ? 1 : 0];
    EXPECT(findings[0].occluder_count == found->nodes[0].occluder_count);
    acre_import_free(model);
    return found;
}

// ---- the oracle ----

// Where the way from a point along a direction meets a triangle: 0 < t; by volumes. @return 1 where
// it meets the front, -1 the back, 0 neither; *t in lengths of the direction.
static int meet_triangle(const double *from, const double *way, const uint32_t *triangle, double *t)
{
    const double *const a = made.points[triangle[0]], *const b = made.points[triangle[1]],
                        *const c = made.points[triangle[2]];
    double e[3], g[3], s[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        e[k] = b[k] - a[k];
        g[k] = c[k] - a[k];
        s[k] = from[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = way[i] * g[j] - way[j] * g[i];
        q[k] = s[i] * e[j] - s[j] * e[i];
    }
    const double det = e[0] * p[0] + e[1] * p[1] + e[2] * p[2];
    const double u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / det;
    const double v = (way[0] * q[0] + way[1] * q[1] + way[2] * q[2]) / det;
    *t = (g[0] * q[0] + g[1] * q[1] + g[2] * q[2]) / det;
    if (!(det != 0.0) || u < 0.0 || v < 0.0 || u + v > 1.0 || !(*t > 0.0)) {
        return 0;
    }
    return det > 0.0 ? 1 : -1; // the front: the way goes against the normal
}

// A point of a prism: a mean of its corners, towards them by `reach`.
static void random_point_in(const acre_occluder *o, double reach, double *out)
{
    double sum = 0.0, at[2] = {0.0, 0.0}, middle[2] = {0.0, 0.0};
    for (uint32_t k = 0; k < o->point_count; k++) {
        const double part = -log(1e-12 + random_part());
        sum += part;
        for (int axis = 0; axis < 2; axis++) {
            at[axis] += part * (double)o->points[k][axis];
            middle[axis] += (double)o->points[k][axis] / (double)o->point_count;
        }
    }
    out[0] = middle[0] + reach * (at[0] / sum - middle[0]);
    out[2] = middle[1] + reach * (at[1] / sum - middle[1]);
    const double part = 0.5 + reach * (random_part() - 0.5);
    out[1] = (double)o->bottom + part * ((double)o->top - (double)o->bottom);
}

// Whether ways out of a prism, and ways within it, say that it is solid: from each of its points
// the first triangle that a way meets shows its back, whichever way it goes; of an open mesh those
// that go up. Between two of its points there is no triangle of the same
// solid.
static bool is_solid(const acre_occluder *o, bool is_open)
{
    for (int round = 0; round < 40; round++) {
        double from[3], to[3], way[3], across[3];
        random_point_in(o, round < 20 ? 1.0 - 1e-6 : 0.999, from);
        random_point_in(o, round < 20 ? 1.0 - 1e-6 : 0.999, to);
        for (int k = 0; k < 3; k++) {
            across[k] = to[k] - from[k];
            way[k] = random_from(-1.0, 1.0);
        }
        way[1] = is_open ? fabs(way[1]) + 0.01 : way[1];
        int winding = 0;
        for (uint32_t i = 0; i < made.triangle_count; i++) {
            double t;
            winding -= meet_triangle(from, way, made.triangles[i], &t);
            if (!made.is_joined && meet_triangle(from, across, made.triangles[i], &t) != 0 &&
                t < 1.0) {
                return false;
            }
        }
        if (winding <= 0) {
            return false;
        }
    }
    return true;
}

// Finds in the mesh and asks the oracle. @return the share
static float check_mesh(bool is_open, uint32_t least)
{
    acre_import_finding finding;
    acre_import_model *const model = find_in_mesh("", "", &finding);
    EXPECT(finding.occluder_count >= least);
    for (uint32_t i = 0; i < model->occluder_count; i++) {
        EXPECT(is_solid(&model->occluders[i], is_open));
        EXPECT(model->occluders[i].flags == 0);
    }
    acre_import_free(model);
    return finding.share;
}

// ---- the proof alone ----

// Whether it is proved that a prism lies within the mesh, whichever way its corners go around it.
// All triangles count as one solid, which the search would take apart.
static bool is_proved(const acre_occluder *prism)
{
    static float points[MOST_POINTS][3];
    static finder f;
    acre_import_mesh mesh = {.points = points[0],
                             .triangles = made.triangles[0],
                             .point_count = made.point_count,
                             .triangle_count = made.triangle_count,
                             .flags = ACRE_IMPORT_MESH_OPAQUE,
                             .bounds = acre_aabb_empty()};
    for (uint32_t i = 0; i < made.point_count; i++) {
        acre_aabb place;
        for (int k = 0; k < 3; k++) {
            points[i][k] = (float)made.points[i][k];
            place.min[k] = place.max[k] = points[i][k];
        }
        mesh.bounds = acre_aabb_merge(&mesh.bounds, &place);
    }
    const uint32_t mesh_number = 0;
    const acre_import_node node = {.mesh_count = 1};
    const acre_import_model model = {.nodes = &node,
                                     .node_count = 1,
                                     .meshes = &mesh,
                                     .mesh_count = 1,
                                     .node_meshes = &mesh_number,
                                     .node_mesh_count = 1};
    acre_occluder turned = *prism;
    for (uint32_t k = 0; k < prism->point_count; k++) {
        memcpy(turned.points[k], prism->points[prism->point_count - 1 - k],
               sizeof turned.points[k]);
    }
    const acre_import_reason reason = acre_find_open(&f, &model, &node);
    EXPECT(reason == ACRE_IMPORT_FOUND || reason == ACRE_IMPORT_HAS_HOLES);
    memcpy(f.triangles.data, f.all.data, f.all_count * sizeof *f.all.data);
    f.triangle_count = f.all_count;
    const bool is_inside = acre_find_prove(&f, prism);
    EXPECT(acre_find_prove(&f, &turned) == is_inside);
    COLUMN_FREE(NULL, f.all);
    COLUMN_FREE(NULL, f.edges);
    COLUMN_FREE(NULL, f.parts);
    COLUMN_FREE(NULL, f.table);
    COLUMN_FREE(NULL, f.triangles);
    COLUMN_FREE(NULL, f.obstacles);
    COLUMN_FREE(NULL, f.near);
    return is_inside;
}

// Four corners from x0 to x1 and z0 to z1.
static acre_occluder block_of(float x0, float z0, float x1, float z1, float bottom, float top)
{
    return (acre_occluder){.points = {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}},
                           .point_count = 4,
                           .bottom = bottom,
                           .top = top};
}

static bool block_is_proved(float x0, float z0, float x1, float z1, float bottom, float top)
{
    const acre_occluder block = block_of(x0, z0, x1, z1, bottom, top);
    return is_proved(&block);
}

static void turn_inside_out(uint32_t first_triangle)
{
    for (uint32_t i = first_triangle; i < made.triangle_count; i++) {
        const uint32_t last = made.triangles[i][2];
        made.triangles[i][2] = made.triangles[i][1];
        made.triangles[i][1] = last;
    }
}

static void a_proof_takes_nothing_that_pokes_out(void)
{
    const float out = 1e-3f;
    begin_mesh();
    add_box((const double[3]){-3, 1, -2}, (const double[3]){5, 4, 7}, false);
    const acre_occluder within = block_of(-3 + out, -2 + out, 5 - out, 7 - out, 1, 4);
    CHECK(is_proved(&within));
    for (uint32_t k = 0; k < 4; k++) {
        for (int axis = 0; axis < 2; axis++) { // a corner, and a whole side
            acre_occluder corner = within, side = within;
            const uint32_t beside = axis == 0 ? 3 - k : k ^ 1;
            const float by = within.points[k][axis] > 0 ? 2 * out : -2 * out;
            corner.points[k][axis] += by;
            side.points[k][axis] += by;
            side.points[beside][axis] += by;
            CHECK(!is_proved(&corner) && !is_proved(&side));
        }
    }
    CHECK(!block_is_proved(-2, -1, 4, 6, 1 - out, 4));
    CHECK(!block_is_proved(-2, -1, 4, 6, 1, 4 + out));
    CHECK(!block_is_proved(-4, -3, 6, 8, 0, 5)); // the mesh is within the prism
    CHECK(!block_is_proved(6, -1, 7, 6, 1, 4));  // beside it
    CHECK(!block_is_proved(-2, -1, 4, 6, 5, 6)); // above
    CHECK(!block_is_proved(-2, -1, 4, 6, -1, 0));
}

// Corners of triangles that are all outside of a prism, whose insides are not.
static void a_proof_sees_slopes_and_needles(void)
{
    begin_mesh();
    add_house(12, 8, 5, 8, false); // at z from 3 to 5 the roof is at 7.25 and more
    CHECK(block_is_proved(1, 3, 11, 5, 0, 7.2f));
    CHECK(!block_is_proved(1, 3, 11, 5, 0, 7.3f));
    CHECK(!block_is_proved(1, 2.9f, 11, 5, 0, 7.2f) && !block_is_proved(1, 3, 11, 5.1f, 0, 7.2f));
    for (uint32_t i = 0; i < made.point_count; i++) { // upside down
        made.points[i][1] = -made.points[i][1];
    }
    turn_inside_out(0);
    CHECK(block_is_proved(1, 3, 11, 5, -7.2f, 0));
    CHECK(!block_is_proved(1, 3, 11, 5, -7.3f, 0));
    CHECK(!block_is_proved(1, 2.9f, 11, 5, -7.2f, 0) && !block_is_proved(1, 3, 11, 5.1f, -7.2f, 0));

    begin_mesh();
    add_box((const double[3]){-9, 0, -9}, (const double[3]){9, 9, 9}, false);
    const uint32_t outer = made.triangle_count;
    add_box((const double[3]){-0.01, 4, -8}, (const double[3]){0.01, 4.01, 8}, false);
    turn_inside_out(outer); // a thin pipe from side to side
    CHECK(!block_is_proved(-5, -5, 5, 5, 1, 8));
    CHECK(block_is_proved(-5, -5, 5, 5, 1, 3.99f) && block_is_proved(-5, -5, 5, 5, 4.02f, 8));
    CHECK(block_is_proved(0.02f, -5, 5, 5, 1, 8) && block_is_proved(-5, -5, -0.02f, 5, 1, 8));
}

static void a_proof_knows_what_is_inside(void)
{
    begin_mesh();
    add_angle(20, 6, 9, false); // its notch begins at 6, 6
    CHECK(block_is_proved(0.1f, 0.1f, 19, 5.9f, 0, 9) &&
          block_is_proved(0.1f, 0.1f, 5.9f, 19, 0, 9));
    CHECK(block_is_proved(0.1f, 0.1f, 5.999f, 5.999f, 0, 9));
    CHECK(!block_is_proved(0.1f, 0.1f, 6.001f, 6.001f, 0, 9));
    CHECK(!block_is_proved(7, 7, 19, 19, 0, 9)); // in the notch
    const acre_occluder across = {
        .points = {{1, 1}, {11.1f, 1}, {1, 11.1f}}, .point_count = 3, .top = 9};
    CHECK(!is_proved(&across));

    begin_mesh(); // a room in a block, and two blocks in one another
    add_box((const double[3]){-9, 0, -9}, (const double[3]){9, 9, 9}, false);
    const uint32_t outer = made.triangle_count;
    add_box((const double[3]){-4, 2, -4}, (const double[3]){4, 6, 4}, false);
    CHECK(block_is_proved(-3, -3, 3, 3, 3, 5) && block_is_proved(5, -8, 8, 8, 1, 8));
    CHECK(!block_is_proved(-5, -3, 3, 3, 3, 5)); // through the inner one's wall
    turn_inside_out(outer);
    CHECK(!block_is_proved(-3, -3, 3, 3, 3, 5) && block_is_proved(5, -8, 8, 8, 1, 8));
    CHECK(block_is_proved(-3, -3, 3, 3, 0, 2) && block_is_proved(-3, -3, 3, 3, 6, 9));
    CHECK(!block_is_proved(-3, -3, 3, 3, 3, 7));
}

static void a_proof_stays_above_an_open_rim(void)
{
    begin_mesh();
    add_box((const double[3]){-3, 0, -2}, (const double[3]){5, 4, 7}, true);
    CHECK(block_is_proved(-2, -1, 4, 6, 0, 4));
    CHECK(!block_is_proved(-2, -1, 4, 6, -0.001f, 4));
    made.points[2][1] = 0.05; // of one corner alone
    CHECK(block_is_proved(-2, -1, 4, 6, 0.05f, 4));
    CHECK(!block_is_proved(-2, -1, 4, 6, 0.049f, 4));
}

// ---- cases ----

static void a_box_is_found_whole(void)
{
    begin_mesh();
    add_box((const double[3]){-3, 1, -2}, (const double[3]){5, 4, 7}, false);
    acre_import_finding finding;
    acre_import_model *const model = find_in_mesh("", "", &finding);
    EXPECT(finding.reason == ACRE_IMPORT_FOUND && finding.occluder_count == 1);
    EXPECT(finding.share == 1.0f);
    const acre_occluder *const o = model->occluders;
    EXPECT(o->bottom == 1.0f && o->top == 4.0f && o->point_count == 4);
    for (uint32_t k = 0; k < o->point_count; k++) {
        EXPECT(fminf(fabsf(o->points[k][0] + 3), fabsf(o->points[k][0] - 5)) < 1e-5f);
        EXPECT(fminf(fabsf(o->points[k][1] + 2), fabsf(o->points[k][1] - 7)) < 1e-5f);
    }
    acre_import_free(model);
}

// What one side of a mesh says of the other: 64 of each kind, of all sizes and at all places.
static void prisms_lie_within_random_meshes(void)
{
    for (int round = 0; round < 320; round++) {
        random_state = (uint64_t)round + 1;
        begin_mesh();
        const bool is_open = round % 2 == 1 && round % 5 < 3;
        const double a = random_from(0.1, 20), b = random_from(0.1, 20), c = random_from(0.1, 20);
        if (round % 5 == 0) {
            add_box((const double[3]){-a, 0, -b}, (const double[3]){b, c, a}, is_open);
        } else if (round % 5 == 1) {
            add_angle(a, a * random_from(0.1, 0.9), c, is_open);
        } else if (round % 5 == 2) {
            add_house(a, b, c, c + random_from(0.1, 8), is_open);
        } else if (round % 5 == 3) {
            add_rock(a, random_from(0.0, 0.5));
        } else { // two boxes that meet each other
            made.is_joined = true;
            add_box((const double[3]){-a, 0, -b}, (const double[3]){a, c, b}, false);
            add_box((const double[3]){0, random_from(-c, c), -b * random_part()},
                    (const double[3]){a * random_from(0.1, 2), c * random_from(1, 2), 2 * b},
                    false);
        }
        for (uint32_t i = 0; i < made.point_count; i++) { // turned about the vertical
            const double x = made.points[i][0], z = made.points[i][2];
            const double angle = 0.37 * round;
            made.points[i][0] = cos(angle) * x + sin(angle) * z;
            made.points[i][2] = cos(angle) * z - sin(angle) * x;
        }
        const double sizes[4] = {1.0, 1.0, 1e-4, 1e5};
        scale_mesh(sizes[round / 5 % 4], round / 5 % 4 == 1 ? random_from(-500, 500) : 0.0);
        check_mesh(is_open, round % 5 == 3 ? 0 : 1);
    }
}

static void most_of_a_simple_mesh_is_found(void)
{
    begin_mesh();
    add_angle(20, 6, 9, true);
    EXPECT(check_mesh(true, 2) > 0.95f);
    begin_mesh();
    add_house(12, 8, 5, 8, true);
    EXPECT(check_mesh(true, 1) > 0.6f);
    begin_mesh();
    add_rock(5, 0.0);
    EXPECT(check_mesh(false, 1) > 0.5f);
}

// The reason for which a box has none, or has them.
static acre_import_reason reason_of(const char *material, const char *scene)
{
    acre_import_finding finding;
    acre_import_free(find_in_mesh(material, scene, &finding));
    EXPECT((finding.reason == ACRE_IMPORT_FOUND) == (finding.occluder_count > 0));
    return finding.reason;
}

static void begin_box(bool is_open)
{
    begin_mesh();
    add_box((const double[3]){-3, 0, -2}, (const double[3]){5, 4, 7}, is_open);
}

static void only_what_is_surely_opaque_hides(void)
{
    begin_box(false);
    EXPECT(reason_of("\"alphaMode\":\"OPAQUE\"", "") == ACRE_IMPORT_FOUND);
    EXPECT(reason_of("\"alphaMode\":\"MASK\"", "") == ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("\"alphaMode\":\"BLEND\"", "") == ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("\"alphaMode\":3", "") == ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("\"extensions\":{\"KHR_materials_unlit\":{}}", "") == ACRE_IMPORT_FOUND);
    EXPECT(reason_of("\"extensions\":{\"KHR_materials_transmission\":{}}", "") ==
           ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("\"extensions\":{\"KHR_materials_diffuse_transmission\":{}}", "") ==
           ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("\"extensions\":{\"ACME_glass\":{}}", "") == ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("", "}],\"extensionsUsed\":[\"MSFT_lod\"],\"x\":[{") ==
           ACRE_IMPORT_NOT_OPAQUE);
    EXPECT(reason_of("", "}],\"extensionsUsed\":[\"KHR_node_visibility\"],\"x\":[{") ==
           ACRE_IMPORT_NOT_OPAQUE);
}

static void broken_surfaces_hide_nothing(void)
{
    for (uint32_t i = 0; i < 24; i++) { // any one triangle is missing, or turned around
        begin_box(false);
        uint32_t *const one = made.triangles[i / 2], last = one[2];
        double high = 0.0;
        for (int k = 0; k < 3; k++) {
            high = fmax(high, made.points[one[k]][1]);
        }
        one[2] = one[1];
        one[1] = i % 2 == 0 ? last : one[0];
        // Below the rim it does not matter.
        EXPECT(reason_of("", "") == (high > 0.0 ? ACRE_IMPORT_HAS_HOLES : ACRE_IMPORT_FOUND));
    }
    begin_box(false);
    for (uint32_t i = 0; i < 12; i++) { // it faces inward: a room
        const uint32_t last = made.triangles[i][2];
        made.triangles[i][2] = made.triangles[i][1];
        made.triangles[i][1] = last;
    }
    EXPECT(reason_of("", "") == ACRE_IMPORT_NOTHING_FITS);
    begin_mesh(); // open on one side: a niche
    add_box((const double[3]){-3, 0, -2}, (const double[3]){5, 4, 7}, true);
    for (uint32_t i = 0; i < made.point_count; i++) {
        const double y = made.points[i][1];
        made.points[i][1] = made.points[i][0];
        made.points[i][0] = -y;
    }
    EXPECT(reason_of("", "") == ACRE_IMPORT_HAS_HOLES);
}

// Boxes that share an edge or a side are solids of their own, a sheet on a box takes nothing from
// it, and of two bowls the one that hangs hides nothing.
static void each_part_of_a_mesh_is_searched_alone(void)
{
    acre_import_finding finding;
    for (int i = 0; i < 3; i++) {
        begin_mesh();
        add_box((const double[3]){0, 0, 0}, (const double[3]){4, 3, 4}, false);
        add_box((const double[3]){4, 0, i == 0 ? 4 : 0}, (const double[3]){8, 3, 8}, false);
        if (i == 2) { // at an edge of the first box
            add_triangle(0, 4, add_point(-3, 1, 5));
        }
        acre_import_free(find_in_mesh("", "", &finding));
        EXPECT(finding.reason == ACRE_IMPORT_FOUND && finding.occluder_count == 2);
    }
    begin_mesh();
    add_box((const double[3]){0, 0, 0}, (const double[3]){4, 3, 4}, true);
    add_box((const double[3]){6, 0.5, 0}, (const double[3]){9, 3, 4}, true);
    acre_import_model *const model = find_in_mesh("", "", &finding);
    EXPECT(model->occluder_count == 1 && model->occluders[0].points[0][0] < 5.0f);
    acre_import_free(model);
    begin_mesh();
    add_box((const double[3]){0, 0, 0}, (const double[3]){4, 3, 4}, true);
    add_box((const double[3]){6, 1, 0}, (const double[3]){9, 3, 4}, false);
    made.below = 5; // the open one alone would need the ground below it
    acre_import_model *const high = find_in_mesh("", "", &finding);
    EXPECT(finding.reason == ACRE_IMPORT_FOUND && finding.occluder_count == 1);
    EXPECT(high->occluders[high->nodes[1].first_occluder].bottom == 1.0f);
    acre_import_free(high);
}

static void what_is_open_below_stands_on_the_ground(void)
{
    begin_box(true);
    EXPECT(reason_of("", "") == ACRE_IMPORT_FOUND);
    made.below = 0.9; // of 4 m: one of two houses on a slope
    EXPECT(reason_of("", "") == ACRE_IMPORT_FOUND);
    made.below = 1.1; // a lampshade
    EXPECT(reason_of("", "") == ACRE_IMPORT_OPEN_BELOW);
    made.below = 0.0;
    made.matrix[5] = -1; // upside down: a bowl
    EXPECT(reason_of("", "") == ACRE_IMPORT_OPEN_BELOW);
    memcpy(made.matrix, upright, sizeof made.matrix);
    made.matrix[0] = -2; // mirrored
    EXPECT(reason_of("", "") == ACRE_IMPORT_FOUND);
    made.matrix[1] = 0.05; // it leans
    EXPECT(reason_of("", "") == ACRE_IMPORT_OPEN_BELOW);
    begin_box(false);
    made.matrix[5] = made.matrix[10] = 0.0; // z is up
    made.matrix[6] = 1;
    made.matrix[9] = -1;
    EXPECT(reason_of("", "") == ACRE_IMPORT_LIES_ON_ITS_SIDE);

    acre_import_finding finding;
    static const char opaque[] = ",\"extras\":{\"acre_opaque_ground\":true}";
    begin_box(true);
    acre_import_model *model = find_in_mesh("", opaque, &finding);
    EXPECT(model->occluder_count == 1 && model->occluders[0].bottom == -INFINITY);
    acre_import_free(model);
    begin_box(false);
    model = find_in_mesh("", opaque, &finding);
    EXPECT(model->occluder_count == 1 && model->occluders[0].bottom == 0.0f);
    acre_import_free(model);
    begin_box(true); // open up to its highest corner below
    made.points[0][1] = 0.05;
    model = find_in_mesh("", "", &finding);
    EXPECT(model->occluder_count == 1 && model->occluders[0].bottom == 0.05f);
    acre_import_free(model);
}

static void only_thin_things_are_two_sided(void)
{
    static const char two_sided[] = "\"doubleSided\":true";
    acre_import_finding finding;
    for (int i = 0; i < 3; i++) {
        begin_mesh();
        const double width = i == 1 ? 3.0 : 0.3;
        add_box((const double[3]){0, 0, 0}, (const double[3]){9, 4, width}, false);
        made.matrix[10] = i == 2 ? 4.0 : 1.0; // 1.2 m in the world
        acre_import_model *const model = find_in_mesh(two_sided, "", &finding);
        EXPECT(model->occluder_count == 1);
        EXPECT((model->occluders[0].flags == ACRE_OCCLUDER_TWO_SIDED) == (i == 0));
        acre_import_free(model);
    }
}

static void memory_that_fails_leaves_nothing(void)
{
    size_t size;
    unsigned char *const bytes = triangle_glb("[{\"mesh\":0}]", NULL, NULL, &size);
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    bool is_done = false;
    for (uint64_t at = 1; !is_done; at++) {
        acre_import_model *model = NULL, *found = NULL;
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(import_bytes(IMPORT_HERE, "t.glb", bytes, size, &memory.allocator, &model) ==
              ACRE_OK);
        failing_allocator_arm(&memory, FAIL_ONCE, at);
        const acre_result result =
            acre_import_find_occluders(model, &(acre_import_find_def){0}, NULL, &found);
        is_done = memory.failed == 0;
        EXPECT(result == (is_done ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY));
        EXPECT((found != NULL) == is_done);
        acre_import_free(found);
        acre_import_free(model);
        CHECK(at < 64);
    }
    EXPECT(failing_allocator_verdict(&memory) == NULL);
    free(bytes);
    acre_import_model *found = NULL;
    EXPECT(acre_import_find_occluders(NULL, &(acre_import_find_def){0}, NULL, &found) ==
           ACRE_ERROR_INVALID_ARGUMENT);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_proof_takes_nothing_that_pokes_out),
        TEST(a_proof_sees_slopes_and_needles),
        TEST(a_proof_knows_what_is_inside),
        TEST(a_proof_stays_above_an_open_rim),
        TEST(a_box_is_found_whole),
        TEST(prisms_lie_within_random_meshes),
        TEST(most_of_a_simple_mesh_is_found),
        TEST(only_what_is_surely_opaque_hides),
        TEST(broken_surfaces_hide_nothing),
        TEST(each_part_of_a_mesh_is_searched_alone),
        TEST(what_is_open_below_stands_on_the_ground),
        TEST(only_thin_things_are_two_sided),
        TEST(memory_that_fails_leaves_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
