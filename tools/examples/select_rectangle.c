// SPDX-License-Identifier: MIT
// select_rectangle.c - a rectangle dragged over the picture selects the units that it touches.
//
// The program keeps a tree of its own units; the map is seen from above at an angle.
#include <acre/camera.h>
#include <acre/quadtree.h>

#include <stdio.h>

enum { WIDTH = 1280, HEIGHT = 720, ROWS = 10, UNITS = ROWS * ROWS };

static void unit_place(uint32_t unit, float *out)
{
    out[0] = 4.0f * (float)(unit % ROWS) - 18.0f;
    out[1] = 0.0f;
    out[2] = 4.0f * (float)(unit / ROWS) - 18.0f;
}

static acre_result insert_units(acre_quadtree *tree)
{
    acre_result result = ACRE_OK;
    for (uint32_t unit = 0; unit < UNITS && result == ACRE_OK; unit++) {
        float p[3];
        unit_place(unit, p);
        const acre_aabb box = {{p[0] - 0.5f, 0, p[2] - 0.5f}, {p[0] + 0.5f, 2, p[2] + 0.5f}};
        result = acre_quadtree_insert(tree, unit, &box);
    }
    return result;
}

static acre_result look_down(acre_camera *camera)
{
    const float eye[3] = {0, 40, 30}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const acre_result result =
        acre_camera_perspective(camera, 0.9f, (float)WIDTH / HEIGHT, 1, 200, ACRE_CLIP_ZERO_TO_ONE);
    return result == ACRE_OK ? acre_camera_look_at(camera, eye, target, up) : result;
}

static void print_map(const uint32_t *selected, size_t count)
{
    char map[UNITS];
    for (int i = 0; i < UNITS; i++) {
        map[i] = '.';
    }
    for (size_t i = 0; i < count; i++) {
        map[selected[i]] = '#';
    }
    for (int row = 0; row < ROWS; row++) {
        printf("    %.*s\n", ROWS, map + row * ROWS);
    }
}

// Selects from where the button went down to where it came up, in any direction. The exact query
// drops boxes that lie outside a small volume although no single plane proves it.
static acre_result drag(const acre_quadtree *tree, const acre_camera *camera, const int *from,
                        const int *to)
{
    const int left = from[0] < to[0] ? from[0] : to[0], top = from[1] < to[1] ? from[1] : to[1];
    const int right = from[0] + to[0] - left, bottom = from[1] + to[1] - top;
    acre_frustum frustum;
    uint32_t selected[UNITS];
    size_t count = 0;
    acre_result result = acre_camera_sub_frustum(
        camera, (float)left / WIDTH, (float)top / HEIGHT, (float)(right + 1) / WIDTH,
        (float)(bottom + 1) / HEIGHT, &frustum); // both border pixels count
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum, .flags = ACRE_QUERY_EXACT};
    if (result == ACRE_OK) {
        result = acre_quadtree_query(tree, &query, selected, UNITS, &count);
    }
    if (result == ACRE_OK) {
        printf("from %d %d to %d %d: %zu units\n", from[0], from[1], to[0], to[1], count);
        print_map(selected, count);
    }
    return result;
}

int main(void)
{
    static const int drags[][2][2] = {
        {{320, 180}, {640, 360}}, {{1000, 500}, {640, 420}}, {{669, 330}, {669, 330}}};
    acre_quadtree *tree = NULL;
    acre_camera camera = {0};
    acre_result result = acre_quadtree_create(&(acre_quadtree_def){.half_size = 32}, &tree);
    if (result == ACRE_OK) {
        result = insert_units(tree);
    }
    if (result == ACRE_OK) {
        result = look_down(&camera);
    }
    for (int i = 0; i < 3 && result == ACRE_OK; i++) {
        result = drag(tree, &camera, drags[i][0], drags[i][1]);
    }
    acre_quadtree_destroy(tree);
    if (result != ACRE_OK) {
        fprintf(stderr, "select_rectangle: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
