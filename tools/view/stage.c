// SPDX-License-Identifier: MIT
// stage.c - what a frame shows beside meshes: boxes, lines, labels, and the controls of a panel.
#include "stage.h"

#include "view_camera.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stage_clear(stage *s)
{
    s->box_count = 0;
    s->line_count = 0;
    s->point_count = 0;
    s->corner_count = 0;
    s->screen_count = 0;
    s->label_count = 0;
    s->control_count = 0;
    s->tree_count = 0;
    s->occlusion_switch = NULL;
    s->line_width = 2.0f;
}

void stage_free(stage *s)
{
    free(s->boxes);
    free(s->lines);
    free(s->points);
    free(s->corners);
    *s = (stage){0};
}

static void unpack(uint32_t rgba, uint8_t *out)
{
    for (int k = 0; k < 4; k++) {
        out[k] = (uint8_t)(rgba >> (24 - 8 * k));
    }
}

// Room for one more; the array, or NULL.
static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    const size_t wanted = 2 * *capacity + 256;
    void *const grown = realloc(array, wanted * size);
    *capacity = grown ? wanted : *capacity;
    return grown;
}

void stage_box(stage *s, const acre_aabb *box, uint32_t rgba)
{
    render_box *const boxes = grow(s->boxes, s->box_count, &s->box_capacity, sizeof *boxes);
    if (boxes) {
        s->boxes = boxes;
        boxes[s->box_count].box = *box;
        unpack(rgba, boxes[s->box_count++].rgba);
    }
}

void stage_point(stage *s, const acre_aabb *box, uint32_t rgba)
{
    render_point *const points =
        grow(s->points, s->point_count, &s->point_capacity, sizeof *points);
    if (points) {
        s->points = points;
        render_point *const point = &points[s->point_count++];
        point->size = 0.0f;
        for (int k = 0; k < 3; k++) {
            point->at[k] = 0.5f * (box->min[k] + box->max[k]);
            point->size = fmaxf(point->size, box->max[k] - box->min[k]);
        }
        unpack(rgba, point->rgba);
    }
}

void stage_begin_screen(stage *s, const acre_camera *camera, const char *name)
{
    assert(s->screen_count < STAGE_MAX_SCREENS);
    s->screens[s->screen_count++] =
        (stage_screen){.camera = *camera, .name = name, .first_box = s->box_count};
}

void stage_line_width(stage *s, float pixels)
{
    assert(pixels > 0.0f);
    s->line_width = pixels;
}

void stage_line(stage *s, const float *from, const float *to, uint32_t rgba)
{
    render_line *const lines = grow(s->lines, s->line_count, &s->line_capacity, sizeof *lines);
    if (lines) {
        s->lines = lines;
        render_line *const line = &lines[s->line_count++];
        memcpy(line->from, from, sizeof line->from);
        memcpy(line->to, to, sizeof line->to);
        line->width = s->line_width;
        unpack(rgba, line->rgba);
    }
}

void stage_outline(stage *s, const acre_aabb *box, uint32_t rgba)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 4; corner++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            float from[3], to[3];
            from[u] = to[u] = corner & 1 ? box->max[u] : box->min[u];
            from[v] = to[v] = corner & 2 ? box->max[v] : box->min[v];
            from[axis] = box->min[axis];
            to[axis] = box->max[axis];
            if (box->max[axis] > box->min[axis]) {
                stage_line(s, from, to, rgba);
            }
        }
    }
}

void stage_square(stage *s, const float *min, const float *max, float y, uint32_t rgba)
{
    const acre_aabb flat = {{min[0], y, min[1]}, {max[0], y, max[1]}};
    const float corners[4][3] = {{flat.min[0], y, flat.min[2]},
                                 {flat.max[0], y, flat.min[2]},
                                 {flat.max[0], y, flat.max[2]},
                                 {flat.min[0], y, flat.max[2]}};
    for (int i = 0; i < 4; i++) {
        stage_line(s, corners[i], corners[(i + 1) % 4], rgba);
    }
}

static void add_corner(stage *s, const float *at, uint32_t rgba)
{
    render_corner *const corners =
        grow(s->corners, s->corner_count, &s->corner_capacity, sizeof *corners);
    if (corners) {
        s->corners = corners;
        memcpy(corners[s->corner_count].at, at, sizeof corners->at);
        unpack(rgba, corners[s->corner_count++].rgba);
    }
}

void stage_quad(stage *s, const float *const *corners, uint32_t rgba)
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    const size_t before = s->corner_count;
    for (int i = 0; i < 6; i++) {
        add_corner(s, corners[order[i]], rgba);
    }
    if (s->corner_count != before + 6) { // memory was short: no halves of triangles
        s->corner_count = before;
    }
}

// A corner of a footprint at a height, in the world.
static void place_corner(const float *point, float y, const float *matrix, float *out)
{
    const float at[3] = {point[0], y, point[1]};
    for (int k = 0; k < 3; k++) {
        out[k] = !matrix ? at[k]
                         : matrix[k] * at[0] + matrix[4 + k] * at[1] + matrix[8 + k] * at[2] +
                               matrix[12 + k];
    }
}

void stage_prism(stage *s, const acre_occluder *prism, const float *matrix, float ground,
                 uint32_t rgba)
{
    const uint32_t count = prism->point_count;
    float low[ACRE_OCCLUDER_MAX_POINTS][3], high[ACRE_OCCLUDER_MAX_POINTS][3];
    assert(count >= 3 && count <= ACRE_OCCLUDER_MAX_POINTS);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_endless = isinf(prism->bottom);
        place_corner(prism->points[i], prism->top, matrix, high[i]);
        place_corner(prism->points[i], is_endless ? prism->top : prism->bottom, matrix, low[i]);
        low[i][1] = is_endless ? fminf(ground, high[i][1]) : low[i][1];
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t next = (i + 1) % count;
        const float *const side[4] = {low[i], low[next], high[next], high[i]};
        stage_quad(s, side, rgba);
        stage_line(s, high[i], high[next], rgba | 0xffu);
        stage_line(s, low[i], high[i], rgba | 0xffu);
    }
    for (uint32_t i = 1; i + 1 < count; i += 2) { // the roof, two triangles at a time
        const uint32_t last = i + 2 < count ? i + 2 : i + 1;
        const float *const part[4] = {high[0], high[i], high[i + 1], high[last]};
        stage_quad(s, part, rgba);
    }
}

void stage_circle(stage *s, const float *center, float radius, uint32_t rgba)
{
    float last[3] = {center[0] + radius, center[1], center[2]};
    for (int i = 1; i <= 48; i++) {
        const float angle = 6.2831853f * (float)i / 48.0f;
        const float next[3] = {center[0] + radius * cosf(angle), center[1],
                               center[2] + radius * sinf(angle)};
        stage_line(s, last, next, rgba);
        memcpy(last, next, sizeof last);
    }
}

static void draw_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    stage_drawing *const drawing = user;
    stage_line(drawing->stage, a, b, drawing->rgba ? drawing->rgba : rgba);
}

static void draw_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    stage_drawing *const drawing = user;
    const uint32_t color = drawing->rgba ? drawing->rgba : rgba;
    if (!acre_aabb_is_finite(box)) {
        return;
    }
    if (box->min[1] == box->max[1]) {
        const float min[2] = {box->min[0], box->min[2]}, max[2] = {box->max[0], box->max[2]};
        stage_square(drawing->stage, min, max, drawing->height, color);
    } else {
        stage_outline(drawing->stage, box, color);
    }
}

acre_debug_draw stage_debug_draw(stage_drawing *drawing, uint32_t flags)
{
    assert(drawing && drawing->stage);
    return (acre_debug_draw){.user = drawing, .flags = flags, .line = draw_line, .box = draw_box};
}

void stage_frustum(stage *s, const acre_camera *camera, float reach, uint32_t rgba)
{
    acre_frustum frustum;
    if (acre_camera_frustum(camera, &frustum) != ACRE_OK) {
        return;
    }
    float eye[3];
    view_camera_eye(camera, eye);
    stage_drawing drawing = {.stage = s, .rgba = rgba};
    const acre_debug_draw draw = stage_debug_draw(&drawing, 0);
    acre_debug_draw_frustum(&draw, &frustum, eye, reach, rgba);
}

void stage_label(stage *s, const float *at, const char *format, ...)
{
    if (s->label_count == STAGE_MAX_LABELS) {
        return;
    }
    stage_label_text *const label = &s->labels[s->label_count++];
    memcpy(label->at, at, sizeof label->at);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label->text, sizeof label->text, format, arguments);
    va_end(arguments);
}

void stage_tree(stage *s, const acre_quadtree *tree)
{
    if (tree) {
        assert(s->tree_count < STAGE_MAX_TREES);
        s->trees[s->tree_count++] = tree;
    }
}

static stage_control *add_control(stage *s, control_kind kind, const char *name)
{
    assert(s->control_count < STAGE_MAX_CONTROLS);
    stage_control *const control = &s->controls[s->control_count++];
    *control = (stage_control){.kind = kind, .name = name};
    return control;
}

void stage_title(stage *s, const char *name)
{
    add_control(s, CONTROL_TITLE, name);
}

void stage_switch(stage *s, const char *name, bool *is_on)
{
    add_control(s, CONTROL_SWITCH, name)->is_on = is_on;
}

void stage_slider(stage *s, const char *name, int *value, int least, int most)
{
    assert(least < most);
    stage_control *const control = add_control(s, CONTROL_SLIDER, name);
    control->value = value;
    control->least = least;
    control->most = most;
}

void stage_choice(stage *s, const char *name, int *value, const char *const *choices, int count)
{
    assert(count > 0 && *value >= 0 && *value < count);
    stage_control *const control = add_control(s, CONTROL_CHOICE, name);
    control->value = value;
    control->choices = choices;
    control->most = count - 1;
}

void stage_readout(stage *s, const char *name, const char *format, ...)
{
    stage_control *const control = add_control(s, CONTROL_READOUT, name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(control->text, sizeof control->text, format, arguments);
    va_end(arguments);
}

void stage_key(stage *s, uint32_t rgba, const char *name, const char *format, ...)
{
    stage_control *const control = add_control(s, CONTROL_READOUT, name);
    control->rgba = rgba | 0xffu;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(control->text, sizeof control->text, format, arguments);
    va_end(arguments);
}

void stage_time(stage *s, const char *name, double milliseconds)
{
    const double microseconds = 1e3 * milliseconds, tick = 1e6 * s->clock_tick;
    if (microseconds < tick) {
        stage_readout(s, name, "< %.0f \xc2\xb5s", fmax(tick, 1.0));
    } else if (microseconds < 1000.0) {
        stage_readout(s, name, tick < 1.0 ? "%.1f \xc2\xb5s" : "%.0f \xc2\xb5s", microseconds);
    } else {
        stage_readout(s, name, tick < 10.0 ? "%.2f ms" : "%.1f ms", milliseconds);
    }
}

void stage_help(stage *s, const char *help)
{
    assert(s->control_count > 0);
    s->controls[s->control_count - 1].help = help;
}
