// SPDX-License-Identifier: MIT
// city_meshes.c - the meshes of a scene file: buildings, ribbons of streets, the car, the ground.
#include "city_meshes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDEWALK 2.4f    // meters beside the asphalt
#define GROUND 6000.0f   // meters beyond the scene
#define FIELD_WIDTH 3.3f // meters of a wall for each window
#define STORY 3.4f       // meters
#define ROUND_CORNERS 14 // of a disc

// What a kind of line is drawn as.
typedef struct street_kind {
    const char *name; // stands in the node's name
    float half_width; // meters
    bool has_sidewalk, has_line;
    uint8_t rgb[3];
} street_kind;

static const street_kind street_kinds[] = {{"/primary", 8.0f, true, true, {74, 76, 80}},
                                           {"/secondary", 7.0f, true, true, {76, 78, 82}},
                                           {"/tertiary", 6.0f, true, true, {78, 80, 84}},
                                           {"/path", 1.2f, false, false, {150, 143, 130}},
                                           {"/pedestrian", 2.5f, false, false, {158, 152, 142}},
                                           {"/steps", 1.2f, false, false, {160, 154, 146}},
                                           {"rail", 1.4f, false, false, {96, 88, 80}},
                                           {"/service", 3.0f, false, false, {88, 89, 92}},
                                           {"/track", 1.8f, false, false, {132, 122, 104}},
                                           {"/link", 4.0f, true, false, {78, 80, 84}},
                                           {"", 5.0f, true, true, {82, 84, 88}}};

static const street_kind *kind_of(const char *name)
{
    size_t i = 0;
    while (!strstr(name, street_kinds[i].name)) {
        i++; // the last name is part of every name
    }
    return &street_kinds[i];
}

// A number that follows the place alone, for choices among colors.
static uint32_t mix(uint32_t number)
{
    number = (number ^ number >> 16) * 0x7feb352du;
    number = (number ^ number >> 15) * 0x846ca68bu;
    return number ^ number >> 16;
}

typedef struct building_colors {
    uint8_t wall[3], roof[3];
} building_colors;

static building_colors colors_of(uint32_t node, float height)
{
    static const uint8_t walls[][3] = {{238, 230, 214}, {222, 206, 182}, {204, 214, 220},
                                       {220, 200, 190}, {232, 224, 204}, {190, 186, 178},
                                       {208, 218, 206}, {230, 202, 166}, {244, 240, 232},
                                       {216, 188, 168}, {200, 206, 196}, {186, 170, 158}};
    static const uint8_t towers[][3] = {
        {206, 208, 208}, {188, 194, 200}, {220, 212, 200}, {176, 182, 188}, {196, 186, 174}};
    static const uint8_t roofs[][3] = {{168, 162, 154}, {186, 181, 173}, {148, 142, 136},
                                       {174, 156, 142}, {204, 200, 192}, {158, 150, 140}};
    const uint32_t pick = mix(node);
    building_colors colors;
    const uint8_t *const wall = height > 28.0f ? towers[pick % (sizeof towers / sizeof towers[0])]
                                               : walls[pick % (sizeof walls / sizeof walls[0])];
    memcpy(colors.wall, wall, 3);
    memcpy(colors.roof, roofs[(pick >> 8) % (sizeof roofs / sizeof roofs[0])], 3);
    return colors;
}

// Windows: whole numbers of them along the wall, which the triangle spans, and down from its top.
static void lay_windows(mesh_vertex *corners, float high, float height)
{
    const float nx = (float)corners[0].normal[0], nz = (float)corners[0].normal[2];
    const float length = fmaxf(hypotf(nx, nz), 1e-3f);
    const float along[2] = {-nz / length, nx / length};
    float at[3], from = INFINITY, to = -INFINITY;
    for (int i = 0; i < 3; i++) {
        at[i] = corners[i].position[0] * along[0] + corners[i].position[2] * along[1];
        from = fminf(from, at[i]);
        to = fmaxf(to, at[i]);
    }
    const float width = fmaxf(to - from, 1e-3f);
    const float fields = fmaxf(1.0f, roundf(width / FIELD_WIDTH));
    const float stories = fmaxf(1.0f, roundf(height / STORY));
    for (int i = 0; i < 3; i++) {
        // A wall too narrow for a window has its middle between two.
        corners[i].wall[0] = width < 1.6f ? 0.0f : (at[i] - from) / width * fields;
        corners[i].wall[1] = (high - corners[i].position[1]) / fmaxf(height, 0.1f) * stories;
    }
}

static void add_solid(city_meshes *out, const run_world *world, uint32_t node)
{
    const acre_import_model *const model = world->model;
    const acre_import_node *const from = &model->nodes[node];
    const float height = from->bounds.max[1] - from->bounds.min[1];
    const building_colors colors = colors_of(node, height);
    for (uint32_t m = 0; m < from->mesh_count; m++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[from->first_mesh + m]];
        for (uint32_t i = 0; i < mesh->triangle_count; i++) {
            const uint32_t *const t = mesh->triangles + 3 * (size_t)i;
            mesh_vertex *const corners = mesh_add_triangle(
                &out->store, mesh->points + 3 * (size_t)t[0], mesh->points + 3 * (size_t)t[1],
                mesh->points + 3 * (size_t)t[2], MATERIAL_PLAIN, colors.wall);
            for (int k = 0; corners && k < 3; k++) {
                const bool is_roof = corners[k].normal[1] > 64;
                memcpy(corners[k].color, is_roof ? colors.roof : colors.wall, 3);
                corners[k].normal[3] = (int8_t)(is_roof                   ? MATERIAL_ROOF
                                                : world->is_openstreetmap ? MATERIAL_WALL
                                                                          : MATERIAL_PLAIN);
            }
            if (corners && corners[0].normal[3] == MATERIAL_WALL) {
                lay_windows(corners, from->bounds.max[1], height);
            }
        }
    }
}

// A ribbon's piece: a rectangle on the ground and a disc at its end.
static void add_piece(mesh_store *store, const float *a, const float *b, float half,
                      mesh_material material, const uint8_t *rgb)
{
    const float x = b[0] - a[0], z = b[2] - a[2];
    const float length = hypotf(x, z);
    if (length > 1e-3f) {
        const float ax = half * z / length, az = -half * x / length;
        const float p[4][3] = {{a[0] + ax, a[1], a[2] + az},
                               {a[0] - ax, a[1], a[2] - az},
                               {b[0] - ax, b[1], b[2] - az},
                               {b[0] + ax, b[1], b[2] + az}};
        mesh_add_quad(store, p[0], p[1], p[2], p[3], material, rgb);
    }
    for (int i = 0; i < ROUND_CORNERS; i++) {
        const float from = 6.2831853f * (float)i / ROUND_CORNERS;
        const float to = 6.2831853f * (float)(i + 1) / ROUND_CORNERS;
        const float p[3] = {b[0] + half * cosf(from), b[1], b[2] - half * sinf(from)};
        const float q[3] = {b[0] + half * cosf(to), b[1], b[2] - half * sinf(to)};
        mesh_add_triangle(store, b, p, q, material, rgb);
    }
}

// White dashes along the middle, away from the ends, where streets may cross.
static void add_dashes(mesh_store *store, const float *a, const float *b)
{
    static const uint8_t white[3] = {212, 208, 196};
    const float x = b[0] - a[0], z = b[2] - a[2];
    const float length = hypotf(x, z);
    const float dash = 3.0f, gap = 5.0f, keep = 14.0f, half = 0.09f;
    for (float at = keep; at + dash < length - keep; at += dash + gap) {
        const float dx = x / length, dz = z / length;
        const float from[2] = {a[0] + at * dx, a[2] + at * dz};
        const float p[4][3] = {
            {from[0] + half * dz, a[1], from[1] - half * dx},
            {from[0] - half * dz, a[1], from[1] + half * dx},
            {from[0] - half * dz + dash * dx, a[1], from[1] + half * dx + dash * dz},
            {from[0] + half * dz + dash * dx, a[1], from[1] - half * dx + dash * dz}};
        mesh_add_quad(store, p[0], p[1], p[2], p[3], MATERIAL_PLAIN, white);
    }
}

static void add_street(city_meshes *out, const acre_import_model *model, uint32_t node, int layer)
{
    static const uint8_t curb[3] = {176, 172, 164};
    const acre_import_node *const from = &model->nodes[node];
    const street_kind *const kind = kind_of(from->name);
    for (uint32_t m = 0; m < from->mesh_count; m++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[from->first_mesh + m]];
        for (uint32_t i = 0; i < mesh->line_count; i++) {
            const float *const a = mesh->points + 3 * (size_t)mesh->lines[2 * (size_t)i];
            const float *const b = mesh->points + 3 * (size_t)mesh->lines[2 * (size_t)i + 1];
            if (layer == 0 && kind->has_sidewalk) {
                add_piece(&out->store, a, b, kind->half_width + SIDEWALK, MATERIAL_ASPHALT, curb);
                add_piece(&out->store, b, a, kind->half_width + SIDEWALK, MATERIAL_ASPHALT, curb);
            } else if (layer == 1) {
                add_piece(&out->store, a, b, kind->half_width, MATERIAL_ASPHALT, kind->rgb);
                add_piece(&out->store, b, a, kind->half_width, MATERIAL_ASPHALT, kind->rgb);
            } else if (layer == 2 && kind->has_line) {
                add_dashes(&out->store, a, b);
            }
        }
    }
}

// A ribbon is wider than its line, so is its box.
static bool widen_street(run_world *world, uint32_t node)
{
    const street_kind *const kind = kind_of(world->model->nodes[node].name);
    const float reach = kind->half_width + (kind->has_sidewalk ? SIDEWALK : 0.0f);
    acre_aabb box = world->model->nodes[node].bounds;
    if (!acre_aabb_is_finite(&box) || acre_aabb_is_empty(&box)) {
        return true;
    }
    for (int k = 0; k < 3; k += 2) {
        box.min[k] -= reach;
        box.max[k] += reach;
    }
    box.max[1] += 0.01f;
    return acre_entity_set_bounds(world->scene, world->nodes[node], &box) == ACRE_OK;
}

static void add_ground(city_meshes *out, const acre_aabb *world)
{
    static const uint8_t earth[3] = {255, 255, 255};
    const float x0 = world->min[0] - GROUND, x1 = world->max[0] + GROUND;
    const float z0 = world->min[2] - GROUND, z1 = world->max[2] + GROUND, y = world->min[1];
    const float p[4][3] = {{x0, y, z1}, {x1, y, z1}, {x1, y, z0}, {x0, y, z0}};
    mesh_add_quad(&out->store, p[0], p[1], p[2], p[3], MATERIAL_GROUND, earth);
}

static void add_streets(city_meshes *out, const run_world *world)
{
    for (int layer = 0; layer < CITY_STREET_LAYERS; layer++) {
        for (uint32_t n = 0; n < world->model->node_count; n++) {
            const uint32_t slot = world->nodes[n].index1 - 1;
            if (world->kinds[slot] != KIND_STREET) {
                continue;
            }
            const uint32_t key = mesh_begin(&out->store, 0);
            out->keys[slot] = layer == 0 ? key : out->keys[slot];
            add_street(out, world->model, n, layer);
        }
    }
}

bool city_meshes_create(city_meshes *out, run_world *world)
{
    *out = (city_meshes){.keys = calloc((size_t)world->slot_count + 1, sizeof *out->keys)};
    if (!out->keys) {
        return false;
    }
    for (int lod = 0; lod < CITY_CAR_LODS; lod++) {
        mesh_begin(&out->store, (uint32_t)(CITY_CAR_LODS - 1 - lod));
        car_mesh_add(&out->store, lod);
    }
    mesh_begin(&out->store, 0);
    add_ground(out, &world->bounds);
    for (uint32_t n = 0; n < world->model->node_count; n++) {
        const uint32_t slot = world->nodes[n].index1 - 1;
        if (world->kinds[slot] == KIND_SOLID) {
            out->keys[slot] = mesh_begin(&out->store, 0);
            add_solid(out, world, n);
        } else if (world->kinds[slot] == KIND_STREET && !widen_street(world, n)) {
            return false;
        }
    }
    out->first_street = out->store.part_count;
    out->street_count = world->kind_counts[KIND_STREET];
    add_streets(out, world);
    assert(out->store.is_short ||
           out->store.part_count == out->first_street + CITY_STREET_LAYERS * out->street_count);
    return !out->store.is_short;
}

void city_meshes_free(city_meshes *meshes)
{
    mesh_store_free(&meshes->store);
    free(meshes->keys);
    *meshes = (city_meshes){0};
}
