// SPDX-License-Identifier: MIT
// surface_window.c - a window with OpenGL 3.3, by GLFW.
#include "surface.h"

#include "gl_api.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct window_surface {
    GLFWwindow *window;
    surface_input input; // of the coming frame
    double last_x, last_y;
    int place[4]; // before it was fullscreen
    bool has_mouse;
};

static window_surface *surface_of(GLFWwindow *window)
{
    return glfwGetWindowUserPointer(window);
}

static void on_key(GLFWwindow *window, int key, int code, int action, int mods)
{
    (void)code;
    surface_input *const input = &surface_of(window)->input;
    input->is_shift = (mods & GLFW_MOD_SHIFT) != 0;
    if (key < 0 || key >= (int)(sizeof input->keys_down / sizeof input->keys_down[0])) {
        return;
    }
    input->keys_down[key] = action != GLFW_RELEASE;
    if (action == GLFW_PRESS && input->pressed_count < SURFACE_MAX_KEYS) {
        const bool has_control = (mods & GLFW_MOD_CONTROL) != 0;
        input->pressed[input->pressed_count++] = key + (has_control ? SURFACE_CONTROL : 0);
    }
}

static void on_button(GLFWwindow *window, int button, int action, int mods)
{
    (void)mods;
    surface_input *const input = &surface_of(window)->input;
    if (button < 3) {
        input->buttons[button] = action == GLFW_PRESS;
        input->clicked[button] |= action == GLFW_PRESS;
    }
}

static void on_wheel(GLFWwindow *window, double x, double y)
{
    (void)x;
    surface_of(window)->input.wheel += y;
}

static void on_drop(GLFWwindow *window, int count, const char **paths)
{
    surface_input *const input = &surface_of(window)->input;
    if (count > 0 && strlen(paths[0]) < sizeof input->dropped) {
        memcpy(input->dropped, paths[0], strlen(paths[0]) + 1);
    }
}

static void stay_quiet(int error, const char *text)
{
    (void)error;
    (void)text;
}

bool surface_window_open(window_surface **out, uint32_t width, uint32_t height, char *message,
                         size_t message_size)
{
    *out = NULL;
    glfwSetErrorCallback(stay_quiet);
    if (!glfwInit()) {
        snprintf(message, message_size,
                 "there is no display to open a window on; --png FILE draws without one");
        return false;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    GLFWwindow *const window = glfwCreateWindow((int)width, (int)height, "Acre", NULL, NULL);
    window_surface *const surface = calloc(1, sizeof *surface);
    if (!window || !surface) {
        snprintf(message, message_size, "the driver opens no window with OpenGL 3.3");
        free(surface);
        glfwTerminate();
        return false;
    }
    surface->window = window;
    glfwSetWindowUserPointer(window, surface);
    glfwSetKeyCallback(window, on_key);
    glfwSetMouseButtonCallback(window, on_button);
    glfwSetScrollCallback(window, on_wheel);
    glfwSetDropCallback(window, on_drop);
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    *out = surface;
    return true;
}

void surface_window_close(window_surface *surface)
{
    if (surface) {
        glfwDestroyWindow(surface->window);
        glfwTerminate();
        free(surface);
    }
}

bool surface_window_next(window_surface *surface, surface_input *input)
{
    assert(surface && input);
    glfwSwapBuffers(surface->window);
    surface_input *const next = &surface->input;
    next->pressed_count = 0;
    next->wheel = 0.0;
    memset(next->clicked, 0, sizeof next->clicked);
    next->dropped[0] = '\0';
    glfwPollEvents();
    glfwGetCursorPos(surface->window, &next->x, &next->y);
    next->dx = surface->has_mouse ? next->x - surface->last_x : 0.0;
    next->dy = surface->has_mouse ? next->y - surface->last_y : 0.0;
    surface->has_mouse = true;
    surface->last_x = next->x;
    surface->last_y = next->y;
    *input = *next;
    return !glfwWindowShouldClose(surface->window);
}

void surface_window_size(const window_surface *surface, uint32_t *width, uint32_t *height)
{
    int w = 0, h = 0;
    glfwGetFramebufferSize(surface->window, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
}

float surface_window_scale(const window_surface *surface)
{
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(surface->window, &x, &y);
    return x >= 1.0f && x <= 4.0f ? x : 1.0f;
}

void surface_window_toggle_fullscreen(window_surface *surface)
{
    int *const at = surface->place;
    if (glfwGetWindowMonitor(surface->window)) {
        glfwSetWindowMonitor(surface->window, NULL, at[0], at[1], at[2], at[3], 0);
        return;
    }
    GLFWmonitor *const monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *const mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (mode) {
        glfwGetWindowPos(surface->window, &at[0], &at[1]);
        glfwGetWindowSize(surface->window, &at[2], &at[3]);
        glfwSetWindowMonitor(surface->window, monitor, 0, 0, mode->width, mode->height,
                             mode->refreshRate);
    }
}

double surface_window_seconds(void)
{
    return glfwGetTime();
}

void *surface_window_handle(const window_surface *surface)
{
    return surface->window;
}
