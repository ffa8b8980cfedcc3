// SPDX-License-Identifier: MIT
// viewer_screens.c - smaller pictures along the lower edge, each with a camera of its own.
#include "viewer_screens.h"

#include <math.h>

// Pixels of texts.
#define SCREEN_GAP 8.0f // between screens
#define FRAME_WIDTH 1.5f
#define FRAME_COLOR 0x10161cffu
#define LEAST_SCREEN 190.0f // wide, where there is room: small pictures stay readable

// The lower edge of what nothing covers, shared among the screens: x, y, width and height in
// pixels.
static void place_screen(const viewer *v, uint32_t number, uint32_t *place)
{
    const stage *const s = &v->stage;
    const float *const lens = s->screens[number].camera.projection;
    const float gap = SCREEN_GAP * v->text_scale, width = (float)v->draw.target.width;
    const float covered = v->covered_below * v->text_scale, all = (float)v->draw.target.height;
    const float room = width - v->covered_left * v->text_scale;
    const float wanted = fmaxf(0.26f * width, LEAST_SCREEN * v->text_scale);
    const float share = fminf(wanted, room / (float)s->screen_count - gap);
    const float high = fminf(share * lens[0] / lens[5], 0.5f * all);
    const float right = width - (share + gap) * (float)(s->screen_count - number);
    place[0] = (uint32_t)fmaxf(right + 0.5f * gap, 0.0f);
    place[1] = (uint32_t)fmaxf(fminf(covered + gap, all - high - 1.0f), 0.0f);
    place[2] = (uint32_t)fmaxf(share, 1.0f);
    place[3] = (uint32_t)fmaxf(high, 1.0f);
}

const render_box sample_floor = {.box = {{-9000.0f, -0.4f, -9000.0f}, {9000.0f, -0.02f, 9000.0f}},
                                 .rgba = {0x4a, 0x55, 0x5f, 0xff}};

void viewer_draw_screens(viewer *v)
{
    // Smaller than that of the picture: a driver without a graphics card left holes in triangles
    // that reach thousands of meters behind the eye.
    static const render_box ground = {.box = {{-500.0f, -0.4f, -500.0f}, {500.0f, -0.02f, 500.0f}},
                                      .rgba = {0x4a, 0x55, 0x5f, 0xff}};
    stage *const s = &v->stage;
    for (uint32_t i = 0; i < s->screen_count; i++) {
        const stage_screen *const screen = &s->screens[i];
        const size_t end = i + 1 < s->screen_count ? s->screens[i + 1].first_box : s->box_count;
        uint32_t place[4];
        place_screen(v, i, place);
        renderer_begin_screen(&v->draw,
                              &(render_frame){.render = &screen->camera,
                                              .culling = &screen->camera,
                                              .haze = SAMPLE_HAZE},
                              place);
        renderer_draw_boxes(&v->draw, &ground, 1);
        renderer_draw_boxes(&v->draw, s->boxes + screen->first_box, end - screen->first_box);
        renderer_draw_sky(&v->draw);
    }
    if (s->screen_count > 0) {
        renderer_end_screens(&v->draw);
    }
}

// Around a screen, which is else of the color of what lies behind it.
static void draw_frame(viewer *v, const uint32_t *place)
{
    const float scale = 1.0f / v->text_scale, wide = scale * (float)place[2];
    const float high = scale * (float)place[3], x = scale * (float)place[0];
    const float y = scale * ((float)v->draw.target.height - (float)(place[1] + place[3]));
    for (int end = 0; end <= 1; end++) {
        const float right = end ? x + wide - FRAME_WIDTH : x;
        const float below = end ? y + high - FRAME_WIDTH : y;
        sheet_rectangle(&v->sheet, right, y, FRAME_WIDTH, high, FRAME_COLOR);
        sheet_rectangle(&v->sheet, x, below, wide, FRAME_WIDTH, FRAME_COLOR);
    }
}

void viewer_name_screens(viewer *v)
{
    const float scale = 1.0f / v->text_scale, height = scale * (float)v->draw.target.height;
    for (uint32_t i = 0; i < v->stage.screen_count; i++) {
        uint32_t place[4];
        place_screen(v, i, place);
        const char *const name = v->stage.screens[i].name;
        draw_frame(v, place);
        if (sheet_text_width(SHEET_SMALL, name) + 12.0f < scale * (float)place[2]) {
            sheet_note(&v->sheet, SHEET_SMALL, scale * (float)place[0],
                       height - scale * (float)(place[1] + place[3]), name);
        }
    }
}
