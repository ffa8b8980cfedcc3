// SPDX-License-Identifier: MIT
// glfw_loop.c - a loop of GLFW with Acre in it: input, edits, commit, query, draw.
//     glfw_loop [FRAMES]
// Cubes stand on a plain and circle around its middle. The eye turns; the mouse wheel changes the
// field of view. FRAMES ends the program, for tests.
#include <acre/culling.h>

#include <GLFW/glfw3.h> // brings OpenGL 1.1, which is enough for a few cubes

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CUBES = 10000, MOST_VISIBLE = CUBES };

typedef struct game {
    GLFWwindow *window;
    acre_scene *scene;
    acre_culling *culling;
    acre_entity cubes[CUBES];
    acre_camera camera;
    float field_of_view; // radians
    uint32_t visible[MOST_VISIBLE];
    size_t visible_count;
} game;

static void on_wheel(GLFWwindow *window, double x, double y)
{
    (void)x;
    game *const it = glfwGetWindowUserPointer(window);
    const float wanted = it->field_of_view - 0.05f * (float)y;
    it->field_of_view = fminf(fmaxf(wanted, 0.2f), 2.0f);
}

static bool open_window(game *it)
{
    if (!glfwInit()) {
        return false;
    }
    it->window = glfwCreateWindow(960, 540, "Acre in a GLFW loop", NULL, NULL);
    if (it->window) {
        glfwMakeContextCurrent(it->window);
        glfwSetWindowUserPointer(it->window, it);
        glfwSetScrollCallback(it->window, on_wheel);
        glfwSwapInterval(1);
    }
    return it->window != NULL;
}

// Cube i stands on a ring of a hundred, and turns about the middle.
static acre_transform place_of(int i, float seconds)
{
    const float radius = 20.0f + 4.0f * (float)(i / 100);
    const float angle = 0.0628318f * (float)(i % 100) + seconds * 8.0f / radius;
    acre_transform at = ACRE_TRANSFORM_IDENTITY;
    at.translation[0] = radius * cosf(angle);
    at.translation[2] = radius * sinf(angle);
    return at;
}

static acre_result fill_scene(game *it)
{
    const acre_culling_def def = {.tree = {.half_size = 512}, .register_all = true};
    const acre_aabb box = {{-0.7f, 0, -0.7f}, {0.7f, 1.4f, 0.7f}};
    acre_result result = acre_scene_create(NULL, &it->scene);
    result = result == ACRE_OK ? acre_culling_create(it->scene, &def, &it->culling) : result;
    for (int i = 0; i < CUBES && result == ACRE_OK; i++) {
        const acre_transform at = place_of(i, 0);
        const acre_entity_def cube = {.local = &at, .bounds = &box};
        result = acre_entity_create(it->scene, &cube, &it->cubes[i]);
    }
    return result;
}

// The camera turns, with the window's shape. OpenGL has depths from -1 to 1.
static acre_result aim(game *it, float seconds)
{
    int width = 1, height = 1;
    glfwGetFramebufferSize(it->window, &width, &height);
    glViewport(0, 0, width, height);
    const float aspect = height > 0 ? (float)width / (float)height : 1.0f;
    const float eye[3] = {0, 6, 0}, up[3] = {0, 1, 0};
    const float target[3] = {cosf(0.3f * seconds), 5.9f, sinf(0.3f * seconds)};
    const acre_result result = acre_camera_perspective(&it->camera, it->field_of_view, aspect, 0.5f,
                                                       300, ACRE_CLIP_NEGATIVE_ONE_TO_ONE);
    return result == ACRE_OK ? acre_camera_look_at(&it->camera, eye, target, up) : result;
}

// A frame without drawing: edits, then one commit, then what the camera sees.
static acre_result update(game *it, float seconds)
{
    acre_result result = ACRE_OK;
    for (int i = 0; i < CUBES && result == ACRE_OK; i++) {
        const acre_transform at = place_of(i, seconds);
        result = acre_entity_set_local(it->scene, it->cubes[i], &at);
    }
    result = result == ACRE_OK ? acre_scene_commit(it->scene) : result;
    result = result == ACRE_OK ? aim(it, seconds) : result;
    acre_view view;
    result = result == ACRE_OK ? acre_view_from_camera(&view, &it->camera) : result;
    return result == ACRE_OK ? acre_culling_query_view(it->culling, &view, it->visible,
                                                       MOST_VISIBLE, &it->visible_count)
                             : result;
}

static void draw_box(const acre_aabb *box)
{
    // A corner is a number of three bits: from min or from max on each axis.
    static const uint8_t sides[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    for (int side = 0; side < 6; side++) {
        glColor3f(0.3f + 0.1f * (float)side, 0.7f, 0.4f);
        for (int k = 0; k < 4; k++) {
            const int corner = sides[side][k];
            glVertex3f(corner & 1 ? box->max[0] : box->min[0],
                       corner & 2 ? box->max[1] : box->min[1],
                       corner & 4 ? box->max[2] : box->min[2]);
        }
    }
}

static void draw(const game *it)
{
    const acre_scene_view view = acre_scene_get_view(it->scene);
    glClearColor(0.1f, 0.12f, 0.15f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(it->camera.projection);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixf(it->camera.view);
    glBegin(GL_QUADS);
    for (size_t i = 0; i < it->visible_count; i++) {
        draw_box(&view.world_bounds[it->visible[i]]);
    }
    glEnd();
    glfwSwapBuffers(it->window);
}

// Whether the same cubes are seen as a loop over all sees.
static bool is_right(const game *it)
{
    const acre_scene_view view = acre_scene_get_view(it->scene);
    acre_frustum frustum;
    size_t count = 0;
    if (acre_camera_frustum(&it->camera, &frustum) == ACRE_OK) {
        for (uint32_t slot = 0; slot < view.slot_count; slot++) {
            count += acre_frustum_test_aabb(&frustum, &view.world_bounds[slot]);
        }
    }
    printf("%zu of %d cubes in view, %zu by a loop\n", it->visible_count, CUBES, count);
    return count == it->visible_count && count > 0;
}

int main(int argc, char **argv)
{
    static game it = {.field_of_view = 1};
    const int frames = argc > 1 ? atoi(argv[1]) : 0;
    if (!open_window(&it)) {
        const char *text = "";
        glfwGetError(&text);
        fprintf(stderr, "glfw_loop: no window: %s\n", text);
        glfwTerminate();
        return 1;
    }
    acre_result result = fill_scene(&it);
    for (int i = 0; (i < frames || frames == 0) && result == ACRE_OK; i++) {
        glfwPollEvents();
        if (glfwWindowShouldClose(it.window)) {
            break;
        }
        result = update(&it, (float)i / 60.0f);
        if (result == ACRE_OK) {
            draw(&it);
        }
    }
    const bool is_good = result == ACRE_OK && is_right(&it);
    acre_culling_destroy(it.culling);
    acre_scene_destroy(it.scene);
    glfwDestroyWindow(it.window);
    glfwTerminate();
    if (result != ACRE_OK) {
        fprintf(stderr, "glfw_loop: %s\n", acre_result_text(result));
    }
    return is_good ? 0 : 1;
}
