// SPDX-License-Identifier: MIT
// view_city_draw.h - draws what view_city_ask found, and nothing else but ground and sky.
#ifndef ACRE_TOOLS_CITY_DRAW_H
#define ACRE_TOOLS_CITY_DRAW_H

#include "view_city.h"
#include "renderer.h"

// How it looks.
typedef struct view_city_look {
    const acre_camera *render, *culling;
    bool are_shadows_drawn;
    bool are_cascades_colored;
    bool is_hidden_drawn;       // what occluders hide, too, where it is known
    const instance_look *looks; // by slot; NULL: nothing is marked
} view_city_look;

// From renderer_set_frame to the sky; lines and boxes may follow, then renderer_end. Returns false
// where memory is short.
bool view_city_draw(view_city *c, renderer *r, const view_city_look *look);

// What a draw list takes of the picture, without shadows.
render_counts view_city_count(const view_city *c, const renderer *r, const acre_draw_list *list);

#endif
