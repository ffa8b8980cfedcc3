// SPDX-License-Identifier: MIT
// view_hud.c - flat overlays: the legend, the map, graphs of the last frames, the help.
#include "view_hud.h"

#include "stage.h"
#include "view_camera.h"
#include "view_overlays.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#define MARGIN 12.0f
#define BACKGROUND 0x10161cc8u
#define MAP_SIDE 300.0f
#define MAP_SHARE 0.45f   // of the width, at most
#define NOTICE_ROOM 40.0f // beside the map, for whose data it is

void view_graphs_add(view_graphs *graphs, const float *values)
{
    for (int i = 0; i < HUD_ROWS; i++) {
        graphs->values[i][graphs->next] = values[i];
    }
    graphs->next = (graphs->next + 1) % HUD_FRAMES;
    graphs->count = graphs->count < HUD_FRAMES ? graphs->count + 1 : HUD_FRAMES;
}

static void draw_graph(const view_hud *hud, const view_graphs *graphs, int row, float x, float y)
{
    static const struct {
        const char *name;
        uint32_t rgba;
    } rows[HUD_ROWS] = {
        {"commit", STAGE_SKY},        {"refresh", STAGE_GREEN},     {"query", STAGE_ORANGE},
        {"draw lists", STAGE_YELLOW}, {"casters", STAGE_RED},       {"draw", STAGE_PINK},
        {"visible", STAGE_WHITE},     {"nodes tested", STAGE_GRAY}, {"items tested", STAGE_GRAY}};
    const bool is_time = row < HUD_TIMES;
    const float height = 30.0f;
    float most = 1e-3f;
    for (uint32_t i = 0; i < graphs->count; i++) {
        most = fmaxf(most, graphs->values[row][i]);
    }
    const uint32_t last = (graphs->next + HUD_FRAMES - 1) % HUD_FRAMES;
    const double value = (double)graphs->values[row][last];
    const int digits = hud->clock_tick < 0.01 ? 3 : 1;
    char text[64];
    if (!is_time) {
        snprintf(text, sizeof text, "%s %.0f", rows[row].name, value);
    } else if (value < hud->clock_tick) {
        snprintf(text, sizeof text, "%s < %.*f ms", rows[row].name, digits, hud->clock_tick);
    } else {
        snprintf(text, sizeof text, "%s %.*f ms", rows[row].name, digits, value);
    }
    sheet_text(hud->sheet, SHEET_SMALL, x, y + 6.0f, rows[row].rgba, text);
    for (uint32_t i = 0; i < graphs->count; i++) {
        const uint32_t at = (graphs->next + HUD_FRAMES - graphs->count + i) % HUD_FRAMES;
        const float bar = fmaxf(1.0f, height * graphs->values[row][at] / most);
        sheet_rectangle(hud->sheet, x + 150.0f + (float)(HUD_FRAMES - graphs->count + i),
                        y + height - bar, 1.0f, bar, rows[row].rgba);
    }
}

void hud_draw_graphs(const view_hud *hud, const view_graphs *graphs)
{
    const float width = 150.0f + HUD_FRAMES + 2.0f * MARGIN, row = 36.0f;
    const float x = hud->width - width - MARGIN;
    sheet_rectangle(hud->sheet, x, MARGIN, width, HUD_ROWS * row + 16.0f, BACKGROUND);
    for (int i = 0; i < HUD_ROWS; i++) {
        draw_graph(hud, graphs, i, x + MARGIN, MARGIN + 8.0f + row * (float)i);
    }
}

// From the world to the map.
typedef struct map_place {
    float left, top, side, x, z, scale;
} map_place;

static void to_map(const map_place *map, float x, float z, float *out)
{
    const float at[2] = {map->scale * (x - map->x), map->scale * (z - map->z)};
    out[0] = map->left + fmaxf(0.0f, fminf(at[0], map->side));
    out[1] = map->top + fmaxf(0.0f, fminf(at[1], map->side));
}

static void draw_camera(const view_hud *hud, const map_place *map, const acre_camera *camera,
                        uint32_t rgba)
{
    const float *const v = camera->view;
    float eye[3], corner[3][2];
    view_camera_eye(camera, eye);
    const float reach = 450.0f, half = 1.0f / camera->projection[0];
    to_map(map, eye[0], eye[2], corner[0]);
    for (int side = 0; side < 2; side++) {
        const float aside = side ? half : -half;
        to_map(map, eye[0] + reach * (-v[2] + aside * v[0]),
               eye[2] + reach * (-v[10] + aside * v[8]), corner[1 + side]);
    }
    sheet_triangle(hud->sheet, corner[0], corner[1], corner[2], (rgba & ~0xffu) | 0x40u);
    for (int i = 0; i < 3; i++) {
        sheet_line(hud->sheet, corner[i], corner[(i + 1) % 3], 1.5f, rgba);
    }
}

void hud_draw_map(const view_hud *hud, const view_city *c, const acre_camera *culling,
                  const acre_camera *render)
{
    const acre_aabb *const world = &c->world.bounds;
    const float size =
        fmaxf(fmaxf(world->max[0] - world->min[0], world->max[2] - world->min[2]), 1.0f);
    // Where the picture is narrow, the legend has the lower edge.
    const float side = fminf(MAP_SIDE, MAP_SHARE * hud->width);
    const bool is_narrow = side < MAP_SIDE;
    const map_place map = {.left = hud->width - side - MARGIN,
                           .top = is_narrow ? MARGIN + NOTICE_ROOM
                                            : hud->height - side - MARGIN - NOTICE_ROOM,
                           .side = side,
                           .x = world->min[0],
                           .z = world->min[2],
                           .scale = side / size};
    sheet_rectangle(hud->sheet, map.left, map.top, side, side, BACKGROUND);
    const acre_aabb *const boxes = acre_scene_get_view(c->world.scene).world_bounds;
    for (uint32_t slot = 0; slot < c->slot_room; slot++) {
        if (c->world.kinds[slot] == KIND_SOLID) {
            float at[2];
            to_map(&map, boxes[slot].min[0], boxes[slot].min[2], at);
            sheet_rectangle(hud->sheet, at[0], at[1], 1.5f, 1.5f, 0x6b7681ffu);
        }
    }
    // With the overlay what is hidden, too, in the color that it has there.
    const bool has_hidden = hud->is_on[OVERLAY_HIDDEN] && c->occlusion.is_known;
    const acre_draw visible = acre_draw_list_get(has_hidden ? c->occlusion.list : c->list);
    for (size_t i = 0; i < visible.count; i++) {
        const uint32_t slot = visible.slots[i];
        float at[2];
        if (c->world.kinds[slot] != KIND_STREET && acre_aabb_is_finite(&boxes[slot])) {
            to_map(&map, boxes[slot].min[0], boxes[slot].min[2], at);
            const bool is_car = c->world.kinds[slot] == KIND_CAR;
            const bool is_hidden = has_hidden && view_occlusion_hides(&c->occlusion, slot);
            sheet_rectangle(hud->sheet, at[0], at[1], 2.0f, 2.0f,
                            is_hidden ? STAGE_RED
                            : is_car  ? STAGE_BLUE
                                      : STAGE_YELLOW);
        }
    }
    draw_camera(hud, &map, culling, STAGE_VIOLET);
    if (hud->is_on[OVERLAY_FREEZE]) {
        draw_camera(hud, &map, render, STAGE_WHITE);
    }
    sheet_note(hud->sheet, SHEET_SMALL, map.left, map.top,
               is_narrow ? "map" : "map: what is visible");
}

static float legend_row(const view_hud *hud, float y, uint32_t rgba, const char *text)
{
    sheet_key(hud->sheet, hud->left + MARGIN, y, rgba, text);
    return y - SHEET_KEY_HEIGHT;
}

// Rows that a legend has below one another, and the overlay that brings each.
typedef struct legend_word {
    int overlay;
    uint32_t rgba;
    const char *text;
    int count; // of the state; -1: none
} legend_word;

static float draw_cell_words(const view_hud *hud, float y, cell_colors colors)
{
    static const legend_word kinds[] = {
        {OVERLAY_BANDS, STAGE_PINK, "bands of height", -1},
        {OVERLAY_BOUNDS, STAGE_GREEN, "stored bounds of cells", -1},
        {OVERLAY_LOOSE, STAGE_SKY, "loose cells: level, items", -1},
        {OVERLAY_CELLS, STAGE_RED, "strict cells: level, items", -1}};
    bool is_any = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const bool is_on = hud->is_on[kinds[i].overlay];
        is_any = is_any || is_on;
        if (is_on && colors == CELLS_BY_KIND) {
            y = legend_row(hud, y, kinds[i].rgba, kinds[i].text);
        }
    }
    size_t count;
    const cell_color_word *const words = view_cells_words(colors, &count);
    for (size_t i = 0; i < count && is_any; i++) {
        y = legend_row(hud, y, words[i].rgba, words[i].text);
    }
    return y;
}

void hud_draw_legend(const view_hud *hud, const view_marks *marks, cell_colors colors)
{
    static const legend_word rows[] = {
        {OVERLAY_STATES, 0x7a848effu, "not visible, not looked at", MARK_SKIPPED},
        {OVERLAY_STATES, STAGE_ORANGE, "not visible, tested", MARK_DROPPED},
        {OVERLAY_STATES, STAGE_RED, "behind others", MARK_BEHIND},
        {OVERLAY_STATES, STAGE_PINK, "not visible, casts a shadow", MARK_CASTER},
        {OVERLAY_STATES, STAGE_YELLOW, "visible, tested", MARK_KEPT},
        {OVERLAY_STATES, STAGE_GREEN, "visible, found without a test", MARK_INSIDE},
        {OVERLAY_LODS, STAGE_SKY, "LOD 3", -1},
        {OVERLAY_LODS, STAGE_YELLOW, "LOD 2", -1},
        {OVERLAY_LODS, STAGE_ORANGE, "LOD 1", -1},
        {OVERLAY_LODS, STAGE_RED, "LOD 0, the finest", -1},
        {OVERLAY_CHANGES, STAGE_ORANGE, "left within a second", MARK_LEFT},
        {OVERLAY_CHANGES, STAGE_YELLOW, "entered within a second", MARK_ENTERED},
        {OVERLAY_CASCADES, STAGE_PINK, "cascade 4", -1},
        {OVERLAY_CASCADES, STAGE_GREEN, "cascade 3", -1},
        {OVERLAY_CASCADES, STAGE_SKY, "cascade 2", -1},
        {OVERLAY_CASCADES, STAGE_ORANGE, "cascade 1", -1},
        {OVERLAY_MAP, STAGE_WHITE, "on the map: the camera of this picture", -1},
        {OVERLAY_MAP, STAGE_BLUE, "on the map: visible cars", -1},
        {OVERLAY_MAP, STAGE_YELLOW, "on the map: visible buildings", -1},
        {OVERLAY_OCCLUDERS, STAGE_SKY, "what hides others", -1},
        {OVERLAY_HIDDEN, STAGE_RED, "in the frustum, behind others", -1},
        {OVERLAY_FREEZE, STAGE_VIOLET, "the culling camera, frozen", -1}};
    float y = hud->height - MARGIN - SHEET_KEY_HEIGHT;
    char text[80];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && marks; i++) {
        const bool is_empty = (rows[i].count == MARK_BEHIND && marks->counts[MARK_BEHIND] == 0) ||
                              (rows[i].rgba == STAGE_WHITE && !hud->is_on[OVERLAY_FREEZE]);
        // What is visible has the color of its level instead.
        const bool is_covered = hud->is_on[OVERLAY_LODS] &&
                                (rows[i].count == MARK_KEPT || rows[i].count == MARK_INSIDE);
        if (hud->is_on[rows[i].overlay] && !is_empty && !is_covered) {
            const bool is_counted = rows[i].count >= 0;
            snprintf(text, sizeof text, is_counted ? "%s: %zu" : "%s", rows[i].text,
                     is_counted ? marks->counts[rows[i].count] : (size_t)0);
            y = legend_row(hud, y, rows[i].rgba, text);
        }
    }
    draw_cell_words(hud, y, colors);
}

void hud_draw_help(const view_hud *hud)
{
    char text[2048];
    int length =
        snprintf(text, sizeof text,
                 "F1\tthis help\n"
                 "C\twho steers: tour, fly, orbit, drive behind a car\n"
                 "\tW A S D Q E move, Shift is faster, drag to look around\n"
                 "Space\tpause;  .  one step\n"
                 "0\thow the visible are found: quadtree, SIMD, linear, off\n"
                 "O\tleave out what stands behind others\n"
                 "N\tthe next sample\n"
                 "B\twhat the colors of cells show: kind, depth, fill, query\n"
                 "%s",
                 ACRE_VIEW_IS_WEB ? ""
                                  : "F11\tfullscreen;  F12  a picture into the folder\n"
                                    "+  -\tlarger and smaller texts\n"
                                    "Ctrl+Q\tquits; a model file dropped here is opened\n");
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        assert(length >= 0 && (size_t)length < sizeof text);
        const char key = view_overlays[i].key;
        length += snprintf(text + length, sizeof text - (size_t)length, "%c\t%s%s",
                           key >= 'a' ? key - 'a' + 'A' : key, view_overlays[i].help,
                           i + 1 < OVERLAY_COUNT_ ? "\n" : "");
    }
    const float x = fmaxf(MARGIN, 0.5f * (hud->width - 560.0f));
    sheet_note(hud->sheet, SHEET_SMALL, x, 60.0f, text);
}

void hud_draw_notice(const view_hud *hud)
{
    sheet_notice(hud->sheet, hud->width - MARGIN, hud->height - MARGIN,
                 "(c) OpenStreetMap contributors");
}
