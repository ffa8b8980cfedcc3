// SPDX-License-Identifier: MIT
// surface.h - where OpenGL draws: nowhere to be seen, for pictures, or in a window.
#ifndef ACRE_TOOLS_SURFACE_H
#define ACRE_TOOLS_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Without a display. *out is handed to surface_hidden_close. Returns false and a message.
typedef struct hidden_surface hidden_surface;
bool surface_hidden_open(hidden_surface **out, char *message, size_t message_size);
void surface_hidden_close(hidden_surface *surface);

// What one frame of a window brought in. Keys are GLFW's numbers; characters where there are some.
enum { SURFACE_MAX_KEYS = 16, SURFACE_CONTROL = 1024 };
typedef struct surface_input {
    // Keys that went down since the last frame; SURFACE_CONTROL is added to those with Ctrl.
    int pressed[SURFACE_MAX_KEYS];
    int pressed_count;
    bool keys_down[512];
    double x, y;          // of the mouse, pixels from the upper left
    double dx, dy, wheel; // since the last frame
    bool buttons[3];      // held down: left, right, middle
    bool clicked[3];      // went down since the last frame
    bool is_shift;
    char dropped[1024]; // a file that was dropped onto the window; empty: none
} surface_input;

typedef struct window_surface window_surface;
bool surface_window_open(window_surface **out, uint32_t width, uint32_t height, char *message,
                         size_t message_size);
void surface_window_close(window_surface *surface);

// Shows what was drawn, waits for the screen, takes what was pressed. Returns false where the
// window was closed.
bool surface_window_next(window_surface *surface, surface_input *input);
void surface_window_size(const window_surface *surface, uint32_t *width, uint32_t *height);
float surface_window_scale(const window_surface *surface); // of texts, as the desktop has it
void surface_window_toggle_fullscreen(window_surface *surface);
double surface_window_seconds(void);

// GLFW's window, for the panel.
void *surface_window_handle(const window_surface *surface);

#endif
