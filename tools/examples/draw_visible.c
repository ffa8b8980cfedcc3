// SPDX-License-Identifier: MIT
// draw_visible.c - from a camera to the calls of an instanced renderer: query, draw list, ranges.
//
// A street of houses with windows and trees. Opaque entities are drawn mesh by mesh, near to far;
// each mesh and LOD is one instanced draw. Windows blend, so they are drawn from far to near,
// whatever their mesh. No graphics API is used: the program prints what it would upload.
#include <acre/draw_list.h>
#include <acre/visible_set.h>

#include <math.h>
#include <stdio.h>

enum { HOUSES = 12, ENTITIES = 4 * HOUSES }; // a house has two windows and a tree beside it
enum { HOUSE, TREE, SMALL_WINDOW, LARGE_WINDOW, MESHES, LODS = 2 };
enum { OPAQUE = 1u << 0, GLASS = 1u << 1 }; // layers

static const char *const names[MESHES] = {"house", "tree", "small window", "large window"};

// Where each mesh and LOD lies in the index and vertex buffers; windows have one LOD.
static const acre_draw_mesh meshes[MESHES * LODS] = {
    [HOUSE * LODS] = {1200, 0, 0},
    [HOUSE * LODS + 1] = {36, 1200, 800},
    [TREE * LODS] = {9000, 1236, 824},
    [TREE * LODS + 1] = {300, 10236, 5000},
    [SMALL_WINDOW * LODS] = {6, 10536, 5200},
    [LARGE_WINDOW * LODS] = {6, 10542, 5204},
};

static uint32_t mesh_of_slot[ENTITIES];

static acre_result create(acre_scene *scene, const acre_entity_def *def, uint32_t mesh,
                          acre_entity *out)
{
    const acre_result result = acre_entity_create(scene, def, out);
    if (result == ACRE_OK) {
        mesh_of_slot[out->index1 - 1] = mesh;
    }
    return result;
}

static acre_transform at(float x, float y, float z)
{
    return (acre_transform){{x, y, z}, {0, 0, 0, 1}, {1, 1, 1}};
}

// Windows are children of their house.
static acre_result create_house(acre_scene *scene, int number)
{
    const acre_aabb walls = {{-4, 0, -4}, {4, 7, 4}}, crown = {{-2, 0, -2}, {2, 9, 2}};
    const acre_aabb pane = {{-1, -1, 0}, {1, 1, 0}};
    const float side = number % 2 ? 10.0f : -10.0f, along = (float)(-10 * number);
    const acre_transform place = at(side, 0, along), beside = at(side / 2, 0, along - 5);
    const acre_transform left = at(-2, 3, 4), right = at(2, 3, 4);
    const acre_entity_def house_def = {.local = &place, .bounds = &walls, .layers = OPAQUE};
    const acre_entity_def tree_def = {.local = &beside, .bounds = &crown, .layers = OPAQUE};
    acre_entity house, other;
    acre_result result = create(scene, &house_def, HOUSE, &house);
    acre_entity_def window = {.parent = house, .local = &left, .bounds = &pane, .layers = GLASS};
    if (result == ACRE_OK) {
        result = create(scene, &tree_def, TREE, &other);
    }
    if (result == ACRE_OK) {
        result = create(scene, &window, SMALL_WINDOW, &other);
    }
    window.local = &right;
    return result == ACRE_OK ? create(scene, &window, LARGE_WINDOW, &other) : result;
}

// All kinds alike: the coarse LOD below 250 pixels.
static acre_result give_rules(const acre_scene *scene, acre_culling *culling)
{
    const acre_visibility_rule rule = {.lod_pixels = {250}};
    acre_result result = acre_culling_set_rules(culling, &rule, 1);
    for (uint32_t slot = 0; slot < ENTITIES && result == ACRE_OK; slot++) {
        if (mesh_of_slot[slot] == HOUSE || mesh_of_slot[slot] == TREE) {
            result = acre_culling_set_rule(culling, acre_scene_entity(scene, slot), 1);
        }
    }
    return result;
}

static acre_result make_street(acre_scene *scene, acre_culling *culling)
{
    acre_result result = ACRE_OK;
    for (int i = 0; i < HOUSES && result == ACRE_OK; i++) {
        result = create_house(scene, i);
    }
    result = result == ACRE_OK ? acre_scene_commit(scene) : result;
    return result == ACRE_OK ? give_rules(scene, culling) : result;
}

static acre_result look_along_the_street(acre_view *view)
{
    const float eye[3] = {0, 2, 12}, target[3] = {0, 2, -100}, up[3] = {0, 1, 0};
    acre_camera camera = {0};
    acre_result result =
        acre_camera_perspective(&camera, 1.0f, 16.0f / 9.0f, 0.1f, INFINITY, ACRE_CLIP_ZERO_TO_ONE);
    if (result == ACRE_OK) {
        result = acre_camera_look_at(&camera, eye, target, up);
    }
    if (result == ACRE_OK) {
        result = acre_view_from_camera(view, &camera);
    }
    return result == ACRE_OK ? acre_view_set_viewport(view, &camera, 1080.0f) : result;
}

// What a renderer does with a list: one upload, then a call for each range, or all of them as
// records of one indirect draw.
static void draw(const acre_draw_list *list)
{
    const acre_draw drawn = acre_draw_list_get(list);
    printf("  upload %zu matrices, %zu bytes\n", drawn.count,
           drawn.count * drawn.matrix_floats * sizeof(float));
    for (size_t i = 0; i < drawn.range_count; i++) {
        const acre_draw_range range = drawn.ranges[i];
        const float *const first = drawn.matrices + range.first * drawn.matrix_floats;
        printf("  draw %2u x %s, LOD %u, from instance %u: the first at %g %g %g\n", range.count,
               names[range.key], range.lod, range.first, (double)first[3], (double)first[7],
               (double)first[11]);
    }
}

static acre_result draw_indirect(const acre_draw_list *list)
{
    const acre_draw_meshes table = {meshes, MESHES * LODS, LODS};
    acre_draw_command commands[MESHES * LODS];
    size_t count = 0;
    const acre_result result =
        acre_draw_list_commands(list, &table, commands, MESHES * LODS, &count);
    for (size_t i = 0; i < count; i++) {
        printf("  record: %4u indices from %5u, %u instances from %2u, vertex %d\n",
               commands[i].index_count, commands[i].first_index, commands[i].instance_count,
               commands[i].first_instance, (int)commands[i].base_vertex);
    }
    return result;
}

static acre_result find_and_build(const acre_culling *culling, const acre_view *view,
                                  acre_visible_set *set, acre_draw_list *list)
{
    acre_result result = acre_culling_find_visible(culling, view, set);
    const acre_visible visible = acre_visible_set_get(set);
    acre_draw_input input = {.slots = visible.slots,
                             .count = visible.count,
                             .lods = visible.lods,
                             .keys = mesh_of_slot,
                             .key_count = ENTITIES,
                             .order = ACRE_DRAW_NEAR_TO_FAR,
                             .eye = {view->eye[0], view->eye[1], view->eye[2]},
                             .matrices = ACRE_MATRIX_ROWS};
    if (view->layers == GLASS) {
        input.order = ACRE_DRAW_FAR_TO_NEAR;
        input.flags = ACRE_DRAW_UNGROUPED;
    }
    return result == ACRE_OK ? acre_draw_list_build(list, culling, &input) : result;
}

static acre_result render(const acre_culling *culling, acre_visible_set *set, acre_draw_list *list)
{
    acre_view view;
    acre_result result = look_along_the_street(&view);
    if (result == ACRE_OK) {
        view.layers = OPAQUE;
        result = find_and_build(culling, &view, set, list);
    }
    if (result == ACRE_OK) {
        printf("opaque, near to far within a mesh\n");
        draw(list);
        result = draw_indirect(list);
    }
    if (result == ACRE_OK) {
        view.layers = GLASS;
        view.max_distance = 40.0f;
        result = find_and_build(culling, &view, set, list);
    }
    if (result == ACRE_OK) {
        printf("windows, far to near\n");
        draw(list);
    }
    return result;
}

int main(void)
{
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_visible_set *set = NULL;
    acre_draw_list *list = NULL;
    const acre_visible_set_def set_def = {.flags = ACRE_VISIBLE_LODS};
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &scene);
    if (result == ACRE_OK) {
        result = acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling);
    }
    if (result == ACRE_OK) {
        result = make_street(scene, culling);
    }
    if (result == ACRE_OK) {
        result = acre_visible_set_create(&set_def, &set);
    }
    if (result == ACRE_OK) {
        result = acre_draw_list_create(NULL, &list);
    }
    if (result == ACRE_OK) {
        result = render(culling, set, list);
    }
    acre_draw_list_destroy(list);
    acre_visible_set_destroy(set);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    if (result != ACRE_OK) {
        fprintf(stderr, "draw_visible: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
