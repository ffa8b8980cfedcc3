// SPDX-License-Identifier: MIT
// stage.h - what a frame shows beside meshes: boxes, lines, labels, and the controls of a panel.
// Everything is added anew in each frame.
//
// Samples and overlays draw with it; the panel, the help and a web page show its controls.
//
// Typical use, in a sample's step:
//     stage_slider(stage, "boxes", &state->count, 1, 1000);
//     stage_box(stage, &box, 0x2f7ed8ff);
//     stage_readout(stage, "visible", "%zu of %zu", visible, all);
#ifndef ACRE_TOOLS_STAGE_H
#define ACRE_TOOLS_STAGE_H

#include "renderer.h"
#include "stage_controls.h"

#include <acre/debug_draw.h>
#include <acre/occluder.h>
#include <acre/quadtree.h>

// Colors that people with any kind of color vision tell apart, 0xRRGGBBAA: those of Okabe and Ito
// (2008), but for a red that nobody calls orange and a violet. Pink and gray are alike for some
// eyes: no picture tells them apart by color alone.
#define STAGE_ORANGE 0xe69f00ffu
#define STAGE_SKY 0x56b4e9ffu
#define STAGE_GREEN 0x009e73ffu
#define STAGE_YELLOW 0xf0e442ffu
#define STAGE_BLUE 0x0072b2ffu
#define STAGE_RED 0xf82810ffu
#define STAGE_PINK 0xcc79a7ffu
#define STAGE_VIOLET 0x7b3ff2ffu
#define STAGE_GRAY 0x9aa0a6ffu
#define STAGE_WHITE 0xf4f5f6ffu

enum {
    STAGE_MAX_CONTROLS = 64,
    STAGE_MAX_LABELS = 256,
    STAGE_MAX_SCREENS = 4,
    STAGE_MAX_TREES = 2
};

typedef struct stage_label_text {
    float at[3];
    char text[48];
} stage_label_text;

// A smaller picture in the picture.
typedef struct stage_screen {
    acre_camera camera;
    const char *name;
    size_t first_box; // and all that follow, up to the next screen
} stage_screen;

typedef struct stage {
    // Since the last stage_clear.
    float line_width; // pixels, of lines that are added
    render_box *boxes;
    render_line *lines;
    render_point *points;
    render_corner *corners; // three a triangle
    size_t box_count, box_capacity, line_count, line_capacity, point_count, point_capacity;
    size_t corner_count, corner_capacity;
    stage_screen screens[STAGE_MAX_SCREENS];
    uint32_t screen_count;
    stage_label_text labels[STAGE_MAX_LABELS];
    uint32_t label_count;
    stage_control controls[STAGE_MAX_CONTROLS];
    uint32_t control_count;
    const acre_quadtree *trees[STAGE_MAX_TREES];
    uint32_t tree_count;
    bool *occlusion_switch; // that a key turns; NULL: the sample has none
    // Of the frame, set by the viewer.
    acre_camera camera;
    float pointer[3];  // where the mouse points to on the ground; moves by itself in a picture
    bool is_held;      // the left button is down
    bool is_new_press; // since this frame
    float seconds;     // since the last frame; 0 while paused
    double time;       // since the start
    double clock_tick; // seconds; what is shorter is measured as nothing
} stage;

void stage_clear(stage *s);
void stage_free(stage *s);

// Shapes. Where memory is short they are left out.
void stage_box(stage *s, const acre_aabb *box, uint32_t rgba);
void stage_point(stage *s, const acre_aabb *box, uint32_t rgba); // a box too small to be seen
void stage_line_width(stage *s, float pixels); // of lines that are added from now on; 2 at first
void stage_line(stage *s, const float *from, const float *to, uint32_t rgba);
void stage_outline(stage *s, const acre_aabb *box, uint32_t rgba);
void stage_square(stage *s, const float *min, const float *max, float y, uint32_t rgba); // x, z
void stage_circle(stage *s, const float *center, float radius, uint32_t rgba);
void stage_frustum(stage *s, const acre_camera *camera, float reach, uint32_t rgba);
// Four corners of a face that lets through what is behind it.
void stage_quad(stage *s, const float *const *corners, uint32_t rgba);
// An occluder that lets through what is behind it. matrix: from its space to the world; NULL: it is
// in the world. ground: y of its lower end where it has none.
void stage_prism(stage *s, const acre_occluder *prism, const float *matrix, float ground,
                 uint32_t rgba);
// Stands above a place in the scene, its middle over it.
void stage_label(stage *s, const float *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// What a camera sees, along the lower edge of the picture: the boxes that are added from now on
// stand there alone, up to the next screen.
void stage_begin_screen(stage *s, const acre_camera *camera, const char *name);

// Overlays show the cells of this tree, which lives until the frame is drawn. NULL: none.
void stage_tree(stage *s, const acre_quadtree *tree);

// Adds a row without more than a name.
void stage_title(stage *s, const char *name);

// Controls. What they point to lives as long as the sample.
void stage_switch(stage *s, const char *name, bool *is_on);
void stage_slider(stage *s, const char *name, int *value, int least, int most);
void stage_choice(stage *s, const char *name, int *value, const char *const *choices, int count);
void stage_readout(stage *s, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A readout that says what a color in the picture means. name: of the color.
void stage_key(stage *s, uint32_t rgba, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// What was measured once, with as many digits as the clock is worth.
void stage_time(stage *s, const char *name, double milliseconds);
// A sentence about the control that was added last.
void stage_help(stage *s, const char *help);

// Functions for the library's debug drawing. Cells of the ground are lifted to `height`.
typedef struct stage_drawing {
    stage *stage;
    float height;
    uint32_t rgba; // instead of the library's color; 0: that
} stage_drawing;
acre_debug_draw stage_debug_draw(stage_drawing *drawing, uint32_t flags);

#endif
