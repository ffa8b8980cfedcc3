// SPDX-License-Identifier: MIT
// view_cells.c - overlays of a tree's cells: which cells are drawn, and what their colors say.
#include "view_cells.h"

#include "stage_solids.h"
#include "view_overlays.h"

#include <acre/explain.h>
#include <acre/quadtree_calls.h>

#include <assert.h>
#include <math.h>

#define BOUNDS_SHARE 0.36f // of the reach: outlines hide more than squares do
#define NAMES_SHARE 0.3f
#define FILL_ALPHA 0x24u
#define LOOSE_ALPHA 0x10u // four of them lie over each other

// A cell that lacks items is drawn thinly.
#define EMPTY_CELL 0x9aa0a690u

const char *const cell_colors_names[CELLS_BY_COUNT_] = {"kind", "depth", "fill", "query"};

// Neighbors differ in hue and in lightness, for eyes of every kind.
static const cell_color_word depth_words[] = {{STAGE_PINK, "7 cells hold it, or 15"},
                                              {STAGE_RED, "6, or 14"},
                                              {STAGE_SKY, "5, or 13"},
                                              {STAGE_BLUE, "4, or 12"},
                                              {STAGE_YELLOW, "3, or 11"},
                                              {STAGE_GREEN, "2, or 10"},
                                              {STAGE_ORANGE, "1, or 9"},
                                              {STAGE_WHITE, "no cell holds it, or 8 do"}};
enum { DEPTH_COLORS = sizeof depth_words / sizeof depth_words[0] };

static const cell_color_word fill_words[] = {{STAGE_RED, "more than a leaf has room for"},
                                             {STAGE_YELLOW, "more than half of that"},
                                             {STAGE_SKY, "some items of its own"},
                                             {EMPTY_CELL, "no items of its own"}};

static const cell_color_word query_words[] = {{EMPTY_CELL, "cell not looked at"},
                                              {STAGE_ORANGE, "cell tested and dropped"},
                                              {STAGE_YELLOW, "cell tested and kept"},
                                              {STAGE_GREEN, "cell wholly inside"}};

const cell_color_word *view_cells_words(cell_colors colors, size_t *count)
{
    switch (colors) {
    case CELLS_BY_DEPTH:
        *count = DEPTH_COLORS;
        return depth_words;
    case CELLS_BY_FILL:
        *count = sizeof fill_words / sizeof fill_words[0];
        return fill_words;
    case CELLS_BY_QUERY:
        *count = sizeof query_words / sizeof query_words[0];
        return query_words;
    default:
        *count = 0;
        return NULL;
    }
}

typedef struct cells_drawing {
    stage *stage;
    const cells_question *question;
    uint32_t node_capacity;
} cells_drawing;

static uint32_t depth_color(const acre_quadtree_place *cell)
{
    return depth_words[DEPTH_COLORS - 1 - (cell->depth + cell->bands) % DEPTH_COLORS].rgba;
}

static uint32_t fill_color(const acre_quadtree_place *cell, uint32_t capacity)
{
    return cell->items > capacity       ? STAGE_RED
           : 2 * cell->items > capacity ? STAGE_YELLOW
           : cell->items > 0            ? STAGE_SKY
                                        : EMPTY_CELL;
}

static uint32_t state_color(acre_trace_state state)
{
    return state == ACRE_TRACE_INSIDE    ? STAGE_GREEN
           : state == ACRE_TRACE_KEPT    ? STAGE_YELLOW
           : state == ACRE_TRACE_DROPPED ? STAGE_ORANGE
                                         : EMPTY_CELL;
}

// Whether the ground of a cell comes nearer than that to the place that is looked at.
static bool is_near(const acre_quadtree_place *cell, const cells_question *question, float reach)
{
    const float x = question->around[0], z = question->around[1];
    return cell->cell_min[0] < x + reach && cell->cell_max[0] > x - reach &&
           cell->cell_min[1] < z + reach && cell->cell_max[1] > z - reach;
}

// An open end is drawn where the content ends.
static acre_aabb band_box(const acre_quadtree_place *cell)
{
    float low = cell->band_low, end = cell->band_end;
    low = isfinite(low) ? low : fminf(cell->bounds.min[1], end);
    end = isfinite(end) ? end : fmaxf(cell->bounds.max[1], low);
    return (acre_aabb){{cell->cell_min[0], low, cell->cell_min[1]},
                       {cell->cell_max[0], end, cell->cell_max[1]}};
}

// From above. In a street a fill would hide all that is below it.
static bool is_filled(const cells_question *question)
{
    return !question->culler || question->is_on[OVERLAY_FREEZE];
}

static void fill(const cells_drawing *drawing, const float *min, const float *max, float y,
                 uint32_t rgba, uint32_t alpha)
{
    if (is_filled(drawing->question)) {
        stage_fill_square(drawing->stage, min, max, y, (rgba & ~0xffu) | alpha);
    }
}

// Cells with items of their own are filled and named: the others lie around them, and would hide
// them.
static void draw_ground_cell(const cells_drawing *drawing, const acre_quadtree_place *cell,
                             uint32_t rgba)
{
    const cells_question *const question = drawing->question;
    const bool *const is_on = question->is_on;
    const float y = question->ground + question->lift;
    stage *const s = drawing->stage;
    if (is_on[OVERLAY_LOOSE] && cell->items > 0) {
        const uint32_t color = rgba ? rgba : STAGE_SKY;
        const float low = y - 0.5f * question->lift;
        stage_square(s, cell->loose_min, cell->loose_max, low, color);
        fill(drawing, cell->loose_min, cell->loose_max, low, color, LOOSE_ALPHA);
    }
    if (is_on[OVERLAY_CELLS]) {
        const uint32_t color = rgba ? rgba : STAGE_RED;
        stage_square(s, cell->cell_min, cell->cell_max, y, color);
        if (cell->items > 0) {
            fill(drawing, cell->cell_min, cell->cell_max, y, color, FILL_ALPHA);
        }
    }
    if (cell->items > 0 && is_near(cell, question, NAMES_SHARE * question->reach) &&
        (is_on[OVERLAY_LOOSE] || is_on[OVERLAY_CELLS])) {
        const float middle[3] = {0.5f * (cell->cell_min[0] + cell->cell_max[0]), y,
                                 0.5f * (cell->cell_min[1] + cell->cell_max[1])};
        stage_label(s, middle, "level %u: %u", (unsigned)cell->level, (unsigned)cell->items);
    }
}

// rgba: what the colors say of the cell; 0: of its kind.
static void draw_cell(const cells_drawing *drawing, const acre_quadtree_place *cell, uint32_t rgba)
{
    const cells_question *const question = drawing->question;
    const bool *const is_on = question->is_on;
    stage *const s = drawing->stage;
    draw_ground_cell(drawing, cell, rgba);
    if (acre_aabb_is_empty(&cell->bounds) ||
        !is_near(cell, question, BOUNDS_SHARE * question->reach)) {
        return;
    }
    if (is_on[OVERLAY_BOUNDS] && cell->items > 0) {
        const uint32_t color = rgba ? rgba : STAGE_GREEN;
        stage_outline(s, &cell->bounds, color);
        if (is_filled(question) && acre_aabb_is_finite(&cell->bounds)) {
            stage_fill_box(s, &cell->bounds, (color & ~0xffu) | FILL_ALPHA / 2);
        }
    }
    if (is_on[OVERLAY_BANDS] && cell->bands > 0) {
        const acre_aabb band = band_box(cell);
        stage_outline(s, &band, rgba ? rgba : STAGE_PINK);
    }
}

static bool visit_cell(void *user, const acre_quadtree_place *cell)
{
    const cells_drawing *const drawing = user;
    const cell_colors colors = drawing->question->colors;
    draw_cell(drawing, cell,
              colors == CELLS_BY_DEPTH  ? depth_color(cell)
              : colors == CELLS_BY_FILL ? fill_color(cell, drawing->node_capacity)
                                        : 0);
    return true;
}

static bool visit_step(void *user, const acre_trace_step *step)
{
    const cells_drawing *const drawing = user;
    if (step->part == ACRE_TRACE_NODE && !step->node->is_outlier &&
        is_near(step->node, drawing->question, drawing->question->reach)) {
        draw_cell(drawing, step->node, state_color(step->state));
    }
    return true;
}

void view_cells_draw(stage *s, const cells_question *question)
{
    const bool *const is_on = question->is_on;
    if (!is_on[OVERLAY_CELLS] && !is_on[OVERLAY_LOOSE] && !is_on[OVERLAY_BOUNDS] &&
        !is_on[OVERLAY_BANDS]) {
        return;
    }
    cells_drawing drawing = {.stage = s, .question = question};
    stage_line_width(s, question->culler ? 3.0f : 2.0f);
    if (question->colors == CELLS_BY_QUERY && question->culler) {
        assert(question->view);
        ACRE_IGNORE(acre_culling_trace(question->culler, question->view, visit_step, &drawing));
        stage_line_width(s, 2.0f);
        return;
    }
    const float x = question->around[0], z = question->around[1], reach = question->reach;
    const acre_aabb area = {{x - reach, -INFINITY, z - reach}, {x + reach, INFINITY, z + reach}};
    for (uint32_t i = 0; i < s->tree_count; i++) {
        acre_quadtree_def def;
        if (acre_quadtree_get_def(s->trees[i], &def) == ACRE_OK) {
            drawing.node_capacity = def.node_capacity;
            ACRE_IGNORE(acre_quadtree_visit_cells(s->trees[i], &area, ACRE_CELL_BOUNDS_STRICT,
                                                  visit_cell, &drawing));
        }
    }
    stage_line_width(s, 2.0f);
}
