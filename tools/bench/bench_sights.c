// SPDX-License-Identifier: MIT
// bench_sights.c - worlds in which much is hidden: a city of a file, and generated ones of prisms.
#include "bench_sights.h"

#include "country_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREET_VIEWS = 64, OTHER_VIEWS = 16, HILLS_SIDE = 128 };

static const float eye_height = 1.7f;

const char *const sight_names[SIGHT_KIND_COUNT_] = {
    "street", "aerial", "flight", "hilltop", "storeys", "forest", "hills", "bands", "town"};

// ---- the city ----

// A node's occluder in the world, a millimeter smaller, so that no rounding makes it larger.
static bool place_occluder(const run_world *city, uint32_t node, acre_occluder *out)
{
    static const float rounding[3] = {1e-3f, 0, 1e-3f};
    const acre_import_node *const from = &city->model->nodes[node];
    float matrix[16];
    if (from->occluder_count == 0 ||
        acre_entity_world_matrix(city->scene, city->nodes[node], matrix) != ACRE_OK) {
        return false;
    }
    acre_occluder moved = city->model->occluders[from->first_occluder];
    for (uint32_t k = 0; k < moved.point_count; k++) {
        const float x = moved.points[k][0], z = moved.points[k][1];
        moved.points[k][0] = matrix[0] * x + matrix[8] * z + matrix[12];
        moved.points[k][1] = matrix[2] * x + matrix[10] * z + matrix[14];
    }
    return acre_occluder_shrink(out, &moved, rounding) == ACRE_OK;
}

static bool take_city(sight_world *world, char *message, size_t message_size)
{
    run_options options;
    char *arguments[] = {(char *)(uintptr_t) "acre", (char *)(uintptr_t) "--cars",
                         (char *)(uintptr_t) "0"};
    if (!run_options_parse(3, arguments, &options, message, message_size) ||
        !run_world_create(&options, &world->city, message, message_size)) {
        return false;
    }
    const run_world *const city = &world->city;
    world->scene = city->scene;
    world->culling = city->culling;
    world->count = city->slot_count;
    world->prisms = calloc(world->count, sizeof *world->prisms);
    world->are_drawn = calloc(world->count, sizeof *world->are_drawn);
    world->are_occluders = calloc(world->count, sizeof *world->are_occluders);
    if (!world->prisms || !world->are_drawn || !world->are_occluders) {
        return false;
    }
    for (uint32_t n = 0; n < city->model->node_count; n++) {
        const uint32_t slot = city->nodes[n].index1 - 1;
        world->are_drawn[slot] = city->kinds[slot] == KIND_SOLID;
        world->are_occluders[slot] = place_occluder(city, n, &world->prisms[slot]);
    }
    return true;
}

// Along streets all over the city, at eye height.
static void look_along_streets(sight_world *world)
{
    const street_graph *const streets = &world->city.streets;
    for (uint32_t i = 0; i < world->view_count; i++) {
        const uint32_t edge = (uint32_t)((uint64_t)i * streets->edge_count / world->view_count);
        const street_edge *const along = &streets->edges[edge];
        const float *const a = streets->nodes[along->from].position;
        const float *const b = streets->nodes[along->to].position;
        sight_view *const view = &world->views[i];
        for (int k = 0; k < 3; k++) {
            view->eye[k] = 0.5f * (a[k] + b[k]) + (k == 1 ? eye_height : 0);
        }
        memcpy(view->target, view->eye, sizeof view->target);
        view->target[0] += along->direction[0];
        view->target[2] += along->direction[1];
    }
}

// From 60 to 300 m above the city, down to its middle.
static void look_from_above(sight_world *world)
{
    for (uint32_t i = 0; i < world->view_count; i++) {
        const float turn = 6.2831853f * (float)i / (float)world->view_count;
        const float out = 300 + 50 * (float)(i % 8);
        const sight_view view = {{out * cosf(turn), 60 + 16 * (float)i, out * sinf(turn)}, {0}};
        world->views[i] = view;
    }
}

static void look_along_flight(sight_world *world)
{
    for (uint32_t i = 0; i < world->view_count; i++) {
        view_pose pose;
        flight_pose(&world->city.path, i, &pose);
        memcpy(world->views[i].eye, pose.eye, sizeof pose.eye);
        memcpy(world->views[i].target, pose.target, sizeof pose.target);
    }
}

// ---- generated worlds ----

static float draw(uint64_t *random, float low, float high)
{
    return low + (high - low) * draw_unit(random);
}

// The prism of the next object. There is room: see most_objects.
static acre_occluder *add_prism(sight_world *world, bool is_occluder, float bottom, float top)
{
    acre_occluder *const prism = &world->prisms[world->count];
    *prism = (acre_occluder){.bottom = bottom, .top = top, .point_count = 4};
    world->are_drawn[world->count] = true;
    world->are_occluders[world->count++] = is_occluder;
    return prism;
}

static void add_block(sight_world *world, bool is_occluder, const float *middle, const float *half,
                      float bottom, float top)
{
    acre_occluder *const prism = add_prism(world, is_occluder, bottom, top);
    for (int k = 0; k < 4; k++) {
        prism->points[k][0] = middle[0] + (k == 1 || k == 2 ? half[0] : -half[0]);
        prism->points[k][1] = middle[1] + (k < 2 ? -half[1] : half[1]);
    }
}

static float hill_at(float x, float z)
{
    return 30 * sinf(x / 170) * cosf(z / 210) + 12 * sinf((x + z) / 61);
}

// Prisms under a surface through the middles of the columns, which lies within them.
static bool build_ground(sight_world *world, const float *heights)
{
    const acre_height_field field = {.heights = heights,
                                     .columns = HILLS_SIDE,
                                     .rows = HILLS_SIDE,
                                     .cell = 8,
                                     .origin = {-4.0f * HILLS_SIDE, -4.0f * HILLS_SIDE},
                                     .flags = ACRE_OCCLUDER_TWO_SIDED};
    const size_t count = acre_height_field_block_count(&field);
    world->ground = calloc(count, sizeof *world->ground);
    for (size_t i = 0; i < count; i++) {
        if (!world->ground ||
            acre_occluders_from_heights(&field, i, &world->ground[i]) != ACRE_OK) {
            return false;
        }
    }
    world->ground_count = (uint32_t)count;
    world->count += world->ground_count;
    return true;
}

// Terrain in columns of 8 m down to 50 m below 0, and a house on each ninth.
static bool build_hills(sight_world *world, uint64_t *random)
{
    static float heights[HILLS_SIDE * HILLS_SIDE];
    for (int i = 0; i < HILLS_SIDE * HILLS_SIDE; i++) {
        const float middle[2] = {8 * (float)(i % HILLS_SIDE) - 4 * HILLS_SIDE,
                                 8 * (float)(i / HILLS_SIDE) - 4 * HILLS_SIDE};
        const float top = heights[i] = hill_at(middle[0], middle[1]);
        add_block(world, false, middle, (const float[2]){4, 4}, -50, top);
        if (i % 9 == 0) {
            add_block(world, true, middle, (const float[2]){draw(random, 2, 4), draw(random, 2, 4)},
                      top, top + draw(random, 3, 9));
        }
    }
    for (uint32_t i = 0; i < world->view_count; i++) {
        sight_view *const view = &world->views[i];
        view->eye[0] = 8 * floorf(draw(random, -40, 40)) + 3;
        view->eye[2] = 8 * floorf(draw(random, -40, 40)) + 3;
        view->target[0] = draw(random, -400, 400);
        view->target[2] = draw(random, -400, 400);
    }
    return build_ground(world, heights);
}

// Three storeys of 20 x 20 rooms; each wall between two rooms has a door and a lintel.
static bool build_storeys(sight_world *world, uint64_t *random)
{
    enum { ROOMS = 20 };
    static const float room = 5, tall = 3, thick = 0.1f, door = 0.6f;
    const float slab[2] = {0.5f * ROOMS * room, 0.5f * ROOMS * room}, zero[2] = {0, 0};
    for (int storey = 0; storey < 3; storey++) {
        const float floor = tall * (float)storey, end = floor + tall - 0.3f;
        add_block(world, true, zero, slab, floor - 0.3f, floor);
        for (int i = 0; i < ROOMS * ROOMS; i++) {
            const float x = room * (float)(i % ROOMS) - slab[0],
                        z = room * (float)(i / ROOMS) - slab[1];
            const float part = 0.25f * room - 0.5f * door;
            for (int side = 0; side < 6; side++) { // two walls of three parts
                const bool is_x = side < 3;
                const float along = side % 3 == 0   ? part
                                    : side % 3 == 1 ? room - part
                                                    : 0.5f * room;
                const float half = side % 3 == 2 ? door : part;
                const float middle[2] = {x + (is_x ? along : 0), z + (is_x ? 0 : along)};
                const float size[2] = {is_x ? half : thick, is_x ? thick : half};
                add_block(world, true, middle, size, side % 3 == 2 ? floor + 2.1f : floor, end);
            }
            for (int thing = 0; thing < 4; thing++) {
                const float middle[2] = {x + draw(random, 1, 4), z + draw(random, 1, 4)};
                add_block(world, false, middle, (const float[2]){0.3f, 0.3f}, floor,
                          floor + draw(random, 0.4f, 1.8f));
            }
        }
    }
    add_block(world, true, zero, slab, 3 * tall - 0.3f, 3 * tall);
    for (uint32_t i = 0; i < world->view_count; i++) {
        sight_view *const view = &world->views[i];
        view->eye[0] = room * floorf(draw(random, -9, 9)) + draw(random, 1, 4);
        view->eye[1] = tall * (float)(i % 3) + eye_height;
        view->eye[2] = room * floorf(draw(random, -9, 9)) + draw(random, 1, 4);
        view->target[0] = view->eye[0] + draw(random, -1, 1);
        view->target[1] = view->eye[1];
        view->target[2] = view->eye[2] + draw(random, -1, 1);
    }
    return true;
}

static void look_around_at_eye_height(sight_world *world, uint64_t *random, float reach)
{
    for (uint32_t i = 0; i < world->view_count; i++) {
        sight_view *const view = &world->views[i];
        view->eye[0] = draw(random, -reach, reach);
        view->eye[1] = view->target[1] = eye_height;
        view->eye[2] = draw(random, -reach, reach);
        view->target[0] = view->eye[0] + draw(random, -1, 1);
        view->target[2] = view->eye[2] + draw(random, -1, 1);
    }
}

// Trunks alone: light falls through the crowns.
static bool build_forest(sight_world *world, uint64_t *random)
{
    for (int i = 0; i < 10000; i++) {
        const float x = draw(random, -250, 250), z = draw(random, -250, 250);
        const float radius = draw(random, 0.15f, 0.3f);
        acre_occluder *const trunk = add_prism(world, true, -INFINITY, draw(random, 8, 15));
        trunk->point_count = 6;
        for (int k = 0; k < 6; k++) {
            trunk->points[k][0] = x + radius * cosf(1.0471976f * (float)k);
            trunk->points[k][1] = z + radius * sinf(1.0471976f * (float)k);
        }
    }
    look_around_at_eye_height(world, random, 200);
    return true;
}

static bool build_bands(sight_world *world, uint64_t *random)
{
    for (int tower = 0; tower < 30 * 30; tower++) {
        const float middle[2] = {30 * (float)(tower % 30 - 15), 30 * (float)(tower / 30 - 15)};
        const float half[2] = {draw(random, 7, 11), draw(random, 7, 11)};
        const int storeys = 4 + (int)draw(random, 0, 16);
        for (int storey = 0; storey < storeys; storey++) {
            const float bottom = 3.5f * (float)storey;
            add_block(world, true, middle, half, bottom, bottom + 2);
        }
    }
    look_around_at_eye_height(world, random, 3);
    for (uint32_t i = 0; i < world->view_count; i++) { // in the streets between the towers
        world->views[i].eye[0] += 30 * (float)(i % 4) + 15;
        world->views[i].eye[2] += 30 * (float)(i / 4) - 45;
        world->views[i].target[0] += 30 * (float)(i % 4) + 15;
        world->views[i].target[2] += 30 * (float)(i / 4) - 45;
    }
    return true;
}

// Two rows of houses between streets of 14 m.
static bool build_town(sight_world *world, uint64_t *random)
{
    for (int i = 0; i < 1000 * 1000; i++) {
        const int column = i % 1000 - 500, row = i / 1000 - 500;
        const float middle[2] = {12 * (float)column + 8 * floorf((float)column / 10),
                                 14 * (float)row + 14 * floorf((float)row / 2)};
        add_block(world, true, middle,
                  (const float[2]){draw(random, 4.5f, 5.9f), draw(random, 4, 6)}, -INFINITY,
                  draw(random, 5, 14));
    }
    look_around_at_eye_height(world, random, 2000);
    for (uint32_t i = 0; i < world->view_count; i++) { // to the middle of a street
        sight_view *const view = &world->views[i];
        const float moved = 42 * floorf(view->eye[2] / 42) - 14 + 28.0f / 2 - view->eye[2];
        view->eye[2] += moved;
        view->target[2] += moved;
    }
    return true;
}

static const struct {
    bool (*build)(sight_world *world, uint64_t *random);
    uint32_t most_objects;
} generated[SIGHT_KIND_COUNT_] = {
    [SIGHT_HILLTOP] = {build_hills, 20000}, [SIGHT_STOREYS] = {build_storeys, 13000},
    [SIGHT_FOREST] = {build_forest, 10000}, [SIGHT_HILLS] = {build_hills, 20000},
    [SIGHT_BANDS] = {build_bands, 20000},   [SIGHT_TOWN] = {build_town, 1000000}};

// On the ground, or on a mast on the highest place around.
static void climb_hills(sight_world *world, bool to_the_top)
{
    for (uint32_t i = 0; i < world->view_count; i++) {
        sight_view *const view = &world->views[i];
        for (int step = 0; step < 40 && to_the_top; step++) {
            const float x = view->eye[0], z = view->eye[2], here = hill_at(x, z);
            view->eye[0] += hill_at(x + 8, z) > here ? 8 : hill_at(x - 8, z) > here ? -8 : 0;
            view->eye[2] += hill_at(x, z + 8) > here ? 8 : hill_at(x, z - 8) > here ? -8 : 0;
        }
        const float x = 8 * roundf(view->eye[0] / 8), z = 8 * roundf(view->eye[2] / 8);
        view->eye[1] = hill_at(x, z) + (to_the_top ? 10 : eye_height);
        view->target[1] = view->eye[1] - (to_the_top ? 20 : 0);
    }
}

static acre_aabb box_of_prism(const acre_occluder *prism)
{
    acre_aabb box = {{INFINITY, fmaxf(prism->bottom, -1000), INFINITY},
                     {-INFINITY, prism->top, -INFINITY}};
    for (uint32_t k = 0; k < prism->point_count; k++) {
        for (int i = 0; i < 2; i++) {
            box.min[2 * i] = fminf(box.min[2 * i], prism->points[k][i]);
            box.max[2 * i] = fmaxf(box.max[2 * i], prism->points[k][i]);
        }
    }
    return box;
}

uint32_t sight_occluders(const sight_world *world, uint32_t slot,
                         acre_occluder out[ACRE_HEIGHT_BLOCK_OCCLUDERS])
{
    const uint32_t first_ground = world->count - world->ground_count;
    if (slot >= first_ground) {
        const acre_height_block *const block = &world->ground[slot - first_ground];
        memcpy(out, block->occluders, sizeof block->occluders);
        return block->occluder_count;
    }
    out[0] = world->prisms[slot];
    if (world->ground_count > 0) {
        out[0].bottom = -INFINITY;
    }
    return world->are_occluders[slot];
}

static acre_aabb box_of_slot(const sight_world *world, uint32_t slot)
{
    const uint32_t first_ground = world->count - world->ground_count;
    return slot < first_ground ? box_of_prism(&world->prisms[slot])
                               : world->ground[slot - first_ground].bounds;
}

static acre_result create_objects(sight_world *world)
{
    acre_entity *const entities = calloc(world->count, sizeof *entities);
    const acre_culling_def def = {.register_all = true};
    acre_result result =
        entities ? acre_scene_create(NULL, &world->scene) : ACRE_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < world->count && result == ACRE_OK; i++) {
        const acre_aabb box = box_of_slot(world, i);
        const acre_entity_def object = {.bounds = &box, .flags = ACRE_ENTITY_STATIC};
        result = acre_entity_create(world->scene, &object, &entities[i]);
    }
    result = result == ACRE_OK ? acre_culling_create(world->scene, &def, &world->culling) : result;
    result = result == ACRE_OK ? acre_scene_commit(world->scene) : result;
    for (uint32_t i = 0; i < world->count && result == ACRE_OK; i++) {
        acre_occluder occluders[ACRE_HEIGHT_BLOCK_OCCLUDERS];
        const uint32_t count = sight_occluders(world, i, occluders);
        result = acre_culling_set_occluders(world->culling, entities[i], occluders, count);
    }
    free(entities);
    return result;
}

static bool generate(sight_world *world, sight_kind kind)
{
    uint64_t random = 1;
    const size_t most = generated[kind].most_objects;
    world->prisms = calloc(most, sizeof *world->prisms);
    world->are_drawn = calloc(most, sizeof *world->are_drawn);
    world->are_occluders = calloc(most, sizeof *world->are_occluders);
    if (!world->prisms || !world->are_drawn || !world->are_occluders) {
        return false;
    }
    if (!generated[kind].build(world, &random)) {
        return false;
    }
    if (kind == SIGHT_HILLS || kind == SIGHT_HILLTOP) {
        climb_hills(world, kind == SIGHT_HILLTOP);
    }
    return create_objects(world) == ACRE_OK;
}

bool sight_world_create(sight_world *out, sight_kind kind, char *message, size_t message_size)
{
    *out = (sight_world){.name = sight_names[kind],
                         .view_count = kind == SIGHT_STREET   ? STREET_VIEWS
                                       : kind == SIGHT_FLIGHT ? FLIGHT_FRAMES
                                                              : OTHER_VIEWS};
    out->views = calloc(out->view_count, sizeof *out->views);
    snprintf(message, message_size, "%s: out of memory", out->name);
    if (!out->views) {
        return false;
    }
    if (generated[kind].build) {
        return generate(out, kind);
    }
    if (!take_city(out, message, message_size)) {
        return false;
    }
    (kind == SIGHT_STREET   ? look_along_streets
     : kind == SIGHT_AERIAL ? look_from_above
                            : look_along_flight)(out);
    return true;
}

void sight_world_free(sight_world *world)
{
    if (world->city.scene == NULL) {
        acre_culling_destroy(world->culling);
        acre_scene_destroy(world->scene);
    }
    run_world_free(&world->city);
    free(world->prisms);
    free(world->are_drawn);
    free(world->are_occluders);
    free(world->ground);
    free(world->views);
    *world = (sight_world){0};
}

bool sight_camera(const sight_world *world, uint32_t view, acre_camera *out)
{
    static const float up[3] = {0, 1, 0};
    *out = (acre_camera){0};
    return acre_camera_perspective(out, 1.0471976f, 16.0f / 9, 0.1f, 1500, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(out, world->views[view].eye, world->views[view].target, up) ==
               ACRE_OK;
}

static void draw_node(const run_world *city, item_buffer *buffer, uint32_t slot)
{
    const acre_import_model *const model = city->model;
    const acre_import_node *const node = &model->nodes[acre_scene_get_view(city->scene).user[slot]];
    float matrix[16];
    if (acre_entity_world_matrix(city->scene, city->nodes[node - model->nodes], matrix) !=
        ACRE_OK) {
        return;
    }
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const from =
            &model->meshes[model->node_meshes[node->first_mesh + i]];
        const item_mesh mesh = {from->points, from->triangles, from->triangle_count, false};
        item_buffer_draw(buffer, slot, &mesh, matrix);
    }
}

void sight_draw(const sight_world *world, item_buffer *buffer, const uint32_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (world->are_drawn[slots[i]] && world->city.scene) {
            draw_node(&world->city, buffer, slots[i]);
        } else if (world->are_drawn[slots[i]]) {
            item_buffer_draw_prism(buffer, slots[i], &world->prisms[slots[i]]);
        }
    }
}
