// SPDX-License-Identifier: MIT
// panel.h - the controls of a stage in a window of Dear ImGui. C outside, C++ inside.
//
// Knows stage.h's table of controls and nothing else: whatever stands in it is shown.
#ifndef ACRE_TOOLS_PANEL_H
#define ACRE_TOOLS_PANEL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct panel_input {
    float width, height; // of the picture, pixels
    float scale;         // pixels of the picture for a pixel of the panel
    float x, y;          // of the mouse; negative: it is elsewhere
    float wheel;
    float seconds;
    bool buttons[3];
} panel_input;

struct stage_control;

typedef struct panel_page {
    const char *title, *about; // about: a paragraph; NULL: none
    struct stage_control *controls;
    unsigned control_count;
} panel_page;

// Needs a current context. One panel a process. Returns false where it cannot be made.
bool panel_create(void);
void panel_free(void);

// Draws into the framebuffer that is bound, and changes what the controls point to. Returns whether
// the mouse is over the panel, so that nothing else takes its clicks.
// @param covered_left what the panel covers at the left edge, pixels of the panel. A page's panel
// is no part of the picture, and leaves it as it is.
bool panel_draw(const panel_page *page, const panel_input *input, float *covered_left);

#ifdef __cplusplus
}
#endif

#endif
