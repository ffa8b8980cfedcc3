// SPDX-License-Identifier: MIT
// run_picture.c - the map of a run: the city from above, what the cameras see, the tree's cells.
#include "run_picture.h"

#include "picture_page.h"
#include "run_footprint.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_MOST (ACRE_FRUSTUM_MAX_PLANES + 4)
#define MOST_TRIANGLES 100000u // a mesh of more is drawn as its box
#define CAR_LENGTH 13.0        // meters, three times the real one, so that cars can be seen

// Colors. Dark ground: what the camera sees is what shines.
#define GROUND "#10151d"
#define STREET "#2b3645"
#define HIDDEN "#465469"
#define SHADOW "#5f7fb0"
#define LIT "#ffb547"
#define CAR_HIDDEN "#8fa3bd"
#define CAR_LIT "#ff4f5e"
#define WEDGE "#ffe08a"
#define CASCADE "#7fb4ff"
#define STRICT "#46c2a5"
#define LOOSE "#c78bff"
#define TEXT_FONT "font-family:DejaVu Sans,Helvetica,Arial,sans-serif;"
#define HALO "paint-order:stroke;stroke:#0a0e14;stroke-width:150px;stroke-linejoin:round;"
#define CELL_TEXT "font-size:400px;font-weight:bold;fill:"
#define LEGEND_TEXT TEXT_FONT "font-size:400px;fill:#d5dde8"
#define SMALL_TEXT TEXT_FONT "font-size:360px;fill:#93a1b5"

typedef enum sight { SIGHT_NONE, SIGHT_SHADOW, SIGHT_CAMERA } sight;

typedef struct picture {
    const run_world *world;
    const run_view *view;
    const run_visible *visible;
    picture_page page;
    uint8_t *sights; // sight per slot
    acre_aabb cell;  // strict, the smallest one around the camera
    bool has_cell, is_out_of_memory;
} picture;

size_t ground_section(const acre_frustum *frustum, float height, const acre_aabb *around,
                      double (*corners)[2])
{
    const double low[2] = {(double)around->min[0], (double)around->min[2]};
    const double high[2] = {(double)around->max[0], (double)around->max[2]};
    double points[2][SECTION_MOST + 1][2] = {
        {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}}};
    size_t count = 4;
    int now = 0;
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const plane = frustum->planes[i];
        const double offset = (double)plane[1] * (double)height + (double)plane[3];
        size_t kept = 0;
        for (size_t k = 0; k < count; k++) {
            const double *const a = points[now][k], *const b = points[now][(k + 1) % count];
            const double inside_a = (double)plane[0] * a[0] + (double)plane[2] * a[1] + offset;
            const double inside_b = (double)plane[0] * b[0] + (double)plane[2] * b[1] + offset;
            if (inside_a >= 0.0) {
                memcpy(points[!now][kept++], a, sizeof points[0][0]);
            }
            // A line crosses the border of a convex shape twice, so a plane adds one corner.
            if ((inside_a < 0.0) != (inside_b < 0.0) && kept < SECTION_MOST) {
                const double part = inside_a / (inside_a - inside_b);
                points[!now][kept][0] = a[0] + part * (b[0] - a[0]);
                points[!now][kept++][1] = a[1] + part * (b[1] - a[1]);
            }
        }
        count = kept;
        now = !now;
    }
    memcpy(corners, points[now], count * sizeof points[0][0]);
    return count;
}

static void draw_section(picture *out, const acre_camera *camera)
{
    acre_frustum frustum;
    double corners[SECTION_MOST][2];
    const acre_aabb *const bounds = &out->world->bounds;
    acre_aabb around = *bounds;
    for (int k = 0; k < 3; k++) {
        around.min[k] -= 2.0f * (bounds->max[k] - bounds->min[k]);
        around.max[k] += 2.0f * (bounds->max[k] - bounds->min[k]);
    }
    if (acre_camera_frustum(camera, &frustum) != ACRE_OK) {
        return;
    }
    const size_t count = ground_section(&frustum, out->world->path.ground, &around, corners);
    for (size_t i = 0; i < count; i++) {
        (i ? page_line : page_move)(&out->page, corners[i][0], corners[i][1]);
    }
    if (count) {
        page_shut(&out->page);
    }
}

static void draw_lines(picture *out, const acre_import_mesh *mesh, const float *matrix)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < mesh->line_count; i++) {
        for (uint32_t end = 0; end < 2; end++) {
            const uint32_t index = mesh->lines[2 * (size_t)i + end];
            const float *const p = mesh->points + 3 * (size_t)index;
            const double x = (double)(matrix[0] * p[0] + matrix[4] * p[1] + matrix[8] * p[2]) +
                             (double)matrix[12];
            const double z = (double)(matrix[2] * p[0] + matrix[6] * p[1] + matrix[10] * p[2]) +
                             (double)matrix[14];
            if (end == 1) {
                page_line(&out->page, x, z);
            } else if (index != last) {
                page_move(&out->page, x, z);
            }
            last = index;
        }
    }
}

static void draw_outline(picture *out, const acre_import_mesh *mesh, const float *matrix)
{
    footprint outline;
    if (!footprint_create(&outline, mesh, matrix)) {
        out->is_out_of_memory = true;
        return;
    }
    for (uint32_t ring = 0; ring < outline.ring_count; ring++) {
        for (uint32_t i = outline.starts[ring]; i < outline.starts[ring + 1]; i++) {
            const float *const p = mesh->points + 3 * (size_t)outline.points[i];
            const double x = (double)(matrix[0] * p[0] + matrix[4] * p[1] + matrix[8] * p[2]) +
                             (double)matrix[12];
            const double z = (double)(matrix[2] * p[0] + matrix[6] * p[1] + matrix[10] * p[2]) +
                             (double)matrix[14];
            (i == outline.starts[ring] ? page_move : page_line)(&out->page, x, z);
        }
        page_shut(&out->page);
    }
    footprint_free(&outline);
}

// Solids or streets of one sight, one path.
static void draw_nodes(picture *out, entity_kind kind, int wanted)
{
    const acre_import_model *const model = out->world->model;
    const acre_scene_view scene = acre_scene_get_view(out->world->scene);
    for (uint32_t n = 0; n < model->node_count; n++) {
        const uint32_t slot = out->world->nodes[n].index1 - 1;
        float matrix[16];
        if (out->world->kinds[slot] != kind || (wanted >= 0 && out->sights[slot] != wanted) ||
            acre_entity_world_matrix(out->world->scene, out->world->nodes[n], matrix) != ACRE_OK) {
            continue;
        }
        const acre_import_node *const node = &model->nodes[n];
        for (uint32_t i = 0; i < node->mesh_count; i++) {
            const acre_import_mesh *const mesh =
                &model->meshes[model->node_meshes[node->first_mesh + i]];
            if (mesh->triangle_count > MOST_TRIANGLES) {
                page_rectangle(&out->page, &scene.world_bounds[slot]);
            } else if (kind == KIND_SOLID) {
                draw_outline(out, mesh, matrix);
            } else {
                draw_lines(out, mesh, matrix);
            }
        }
    }
}

static void draw_cars(picture *out, bool is_lit)
{
    for (uint32_t i = 0; i < out->world->kind_counts[KIND_CAR]; i++) {
        float matrix[16];
        const uint32_t slot = out->world->cars[i].index1 - 1;
        if ((out->sights[slot] == SIGHT_CAMERA) != is_lit ||
            acre_entity_world_matrix(out->world->scene, out->world->cars[i], matrix) != ACRE_OK) {
            continue;
        }
        const double half = 0.5 * CAR_LENGTH; // the car looks along its z axis
        const double x = (double)matrix[12], z = (double)matrix[14];
        page_move(&out->page, x - half * (double)matrix[8], z - half * (double)matrix[10]);
        page_line(&out->page, x + half * (double)matrix[8], z + half * (double)matrix[10]);
    }
}

// The back end of the tree's drawing: cells as rectangles of the current layer.
static void draw_cell(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)rgba;
    page_rectangle(&((picture *)user)->page, box);
}

// Finds the smallest strict cell around the camera.
static void find_cell(void *user, const acre_aabb *box, uint32_t rgba)
{
    (void)rgba;
    picture *const out = user;
    const float x = out->view->pose.eye[0], z = out->view->pose.eye[2];
    const bool is_around =
        box->min[0] <= x && x < box->max[0] && box->min[2] <= z && z < box->max[2];
    if (is_around &&
        (!out->has_cell || box->max[0] - box->min[0] < out->cell.max[0] - out->cell.min[0])) {
        out->cell = *box;
        out->has_cell = true;
    }
}

static void walk_cells(picture *out, uint32_t flags,
                       void (*box)(void *user, const acre_aabb *box, uint32_t rgba))
{
    const acre_debug_draw draw = {.user = out, .flags = flags, .box = box};
    acre_quadtree_debug_draw(acre_culling_tree(out->world->culling), &draw);
}

static acre_aabb loose_of(const acre_aabb *strict)
{
    const float half = 0.5f * (strict->max[0] - strict->min[0]);
    acre_aabb loose = *strict;
    for (int k = 0; k < 3; k += 2) {
        loose.min[k] -= half;
        loose.max[k] += half;
    }
    return loose;
}

static void draw_ground(picture *out)
{
    picture_page *const page = &out->page;
    fprintf(page->file,
            "<rect x=\"%d\" y=\"%d\" width=\"100%%\" height=\"100%%\" "
            "fill=\"#0a0e14\"/>\n<rect width=\"%d\" height=\"%ld\" fill=\"" GROUND "\"/>\n",
            -PAGE_MARGIN, -PAGE_MARGIN, PAGE_WIDTH, page->height);
    page_begin_layer(page, "streets",
                     "fill:none;stroke:" STREET ";stroke-width:75;stroke-linejoin:round;"
                     "stroke-linecap:round");
    draw_nodes(out, KIND_STREET, -1);
    page_end_layer(page);
    const run_view *const view = out->view;
    fprintf(page->file,
            "<radialGradient id=\"light\" gradientUnits=\"userSpaceOnUse\" cx=\"%.0f\" "
            "cy=\"%.0f\" r=\"%.0f\"><stop stop-color=\"" WEDGE "\" stop-opacity=\".5\"/>"
            "<stop offset=\"1\" stop-color=\"" WEDGE "\" stop-opacity=\".06\"/>"
            "</radialGradient>\n",
            page_x(page, (double)view->pose.eye[0]), page_z(page, (double)view->pose.eye[2]),
            page->scale * (double)view->pose.far_distance);
    page_begin_layer(page, "frustum", "fill:url(#light)");
    draw_section(out, &out->view->cameras[0]);
    page_end_layer(page);
}

static void draw_entities(picture *out)
{
    picture_page *const page = &out->page;
    page_begin_layer(page, "solids-hidden", "fill:" HIDDEN ";fill-rule:evenodd");
    draw_nodes(out, KIND_SOLID, SIGHT_NONE);
    page_end_layer(page);
    page_begin_layer(page, "solids-in-cascades", "fill:" SHADOW ";fill-rule:evenodd");
    draw_nodes(out, KIND_SOLID, SIGHT_SHADOW);
    page_end_layer(page);
    page_begin_layer(page, "solids-visible", "fill:" LIT ";fill-rule:evenodd");
    draw_nodes(out, KIND_SOLID, SIGHT_CAMERA);
    page_end_layer(page);
    page_begin_layer(page, "cars-hidden", "fill:none;stroke:" CAR_HIDDEN ";stroke-width:55");
    draw_cars(out, false);
    page_end_layer(page);
    page_begin_layer(page, "cars-visible", "fill:none;stroke:" CAR_LIT ";stroke-width:85");
    draw_cars(out, true);
    page_end_layer(page);
}

static void draw_cells(picture *out)
{
    picture_page *const page = &out->page;
    page_begin_layer(page, "loose-cells",
                     "fill:none;stroke:" LOOSE ";stroke-width:18;stroke-opacity:.5;"
                     "stroke-dasharray:90 70");
    walk_cells(out, ACRE_DEBUG_LOOSE_CELLS, draw_cell);
    page_end_layer(page);
    page_begin_layer(page, "strict-cells",
                     "fill:none;stroke:" STRICT ";stroke-width:22;stroke-opacity:.75");
    walk_cells(out, ACRE_DEBUG_STRICT_CELLS, draw_cell);
    page_end_layer(page);
}

static void draw_volumes(picture *out)
{
    picture_page *const page = &out->page;
    page_begin_layer(page, "cascades",
                     "fill:none;stroke:" CASCADE ";stroke-width:45;stroke-linejoin:round");
    for (uint32_t i = 1; i < RUN_CAMERA_COUNT; i++) {
        draw_section(out, &out->view->cameras[i]);
    }
    page_end_layer(page);
    page_begin_layer(page, "frustum-outline",
                     "fill:none;stroke:" WEDGE ";stroke-width:45;stroke-linejoin:round");
    draw_section(out, &out->view->cameras[0]);
    page_end_layer(page);
}

static void name_cell(picture *out, const acre_aabb *cell, const char *style, const char *name)
{
    page_text(&out->page, page_x(&out->page, (double)cell->min[0]) + 150,
              page_z(&out->page, (double)cell->min[2]) + 480, style, name);
}

// One cell is shown strongly, with its loose bounds, so that the two can be told apart.
static void draw_example_cell(picture *out)
{
    picture_page *const page = &out->page;
    walk_cells(out, ACRE_DEBUG_STRICT_CELLS, find_cell);
    if (!out->has_cell) {
        return;
    }
    const acre_aabb loose = loose_of(&out->cell);
    page_begin_layer(page, "example-loose-cell",
                     "fill:" LOOSE ";fill-opacity:.08;stroke:" LOOSE
                     ";stroke-width:60;stroke-dasharray:220 120");
    page_rectangle(page, &loose);
    page_end_layer(page);
    page_begin_layer(page, "example-strict-cell",
                     "fill:" STRICT ";fill-opacity:.10;stroke:" STRICT ";stroke-width:70");
    page_rectangle(page, &out->cell);
    page_end_layer(page);
}

static void draw_cell_names(picture *out)
{
    if (out->has_cell) {
        const acre_aabb loose = loose_of(&out->cell);
        name_cell(out, &out->cell, TEXT_FONT HALO CELL_TEXT STRICT, "strict cell");
        name_cell(out, &loose, TEXT_FONT HALO CELL_TEXT LOOSE, "its loose cell");
    }
}

// A place in the legend. A click on it switches its layers off and on, where the viewer of the
// picture runs scripts.
typedef struct legend_key {
    double x, row;      // row 0 is the upper one
    const char *shape;  // SVG, 600 units wide, its middle at y = 0
    const char *layers; // names between blanks
} legend_key;

static const char legend_script[] =
    "<script>function toggle(names) {\n"
    "  names.split(' ').forEach(function (name) {\n"
    "    var layer = document.getElementById(name);\n"
    "    if (layer) layer.style.display = layer.style.display ? '' : 'none';\n"
    "  });\n"
    "}</script>\n";

static void draw_key(picture *out, const legend_key *key, const char *text)
{
    const double z = (double)out->page.height + 750.0 + 700.0 * key->row;
    fprintf(out->page.file,
            "<g style=\"cursor:pointer\" onclick=\"toggle('%s')\">"
            "<g transform=\"translate(%.0f %.0f)\">%s</g>\n",
            key->layers, key->x, z, key->shape);
    page_text(&out->page, key->x + 800, z + 130, LEGEND_TEXT, text);
    fputs("</g>\n", out->page.file);
}

static void count_sights(const picture *out, size_t counts[KIND_COUNT_][3])
{
    for (uint32_t slot = 0; slot < out->world->slot_count; slot++) {
        counts[out->world->kinds[slot]][out->sights[slot]]++;
    }
}

#define KEY_BOX(color) "<rect x=\"0\" y=\"-200\" width=\"600\" height=\"400\" fill=\"" color "\"/>"
#define KEY_LINE(style) "<path d=\"M0 0h600\" style=\"fill:none;" style "\"/>"

static void draw_counted_keys(picture *out)
{
    static const legend_key lit = {0, 0, KEY_BOX(LIT), "solids-visible"};
    static const legend_key shadow = {0, 1, KEY_BOX(SHADOW), "solids-in-cascades"};
    static const legend_key hidden = {0, 2, KEY_BOX(HIDDEN), "solids-hidden"};
    static const legend_key car = {9200, 0, KEY_LINE("stroke-width:130;stroke:" CAR_LIT),
                                   "cars-visible"};
    static const legend_key other = {9200, 1, KEY_LINE("stroke-width:100;stroke:" CAR_HIDDEN),
                                     "cars-hidden"};
    size_t counts[KIND_COUNT_][3] = {{0}};
    count_sights(out, counts);
    const size_t *const solids = counts[KIND_SOLID], *const cars = counts[KIND_CAR];
    char text[256];
    snprintf(text, sizeof text, "%zu %s in view", solids[SIGHT_CAMERA], run_solid_name(out->world));
    draw_key(out, &lit, text);
    snprintf(text, sizeof text, "%zu more in shadow cascades", solids[SIGHT_SHADOW]);
    draw_key(out, &shadow, text);
    snprintf(text, sizeof text, "%zu culled", solids[SIGHT_NONE]);
    draw_key(out, &hidden, text);
    snprintf(text, sizeof text, "%zu cars in view", cars[SIGHT_CAMERA]);
    draw_key(out, &car, text);
    snprintf(text, sizeof text, "%zu other cars", cars[SIGHT_NONE] + cars[SIGHT_SHADOW]);
    draw_key(out, &other, text);
}

static void draw_legend(picture *out, uint32_t frame)
{
    static const legend_key street = {9200, 2, KEY_LINE("stroke-width:75;stroke:" STREET),
                                      "streets"};
    static const legend_key view = {16000, 0, KEY_LINE("stroke-width:60;stroke:" WEDGE),
                                    "frustum frustum-outline camera"};
    static const legend_key cascades = {16000, 1, KEY_LINE("stroke-width:60;stroke:" CASCADE),
                                        "cascades"};
    static const legend_key strict = {22500, 0, KEY_LINE("stroke-width:60;stroke:" STRICT),
                                      "strict-cells example-strict-cell"};
    static const legend_key loose = {
        22500, 1, KEY_LINE("stroke-width:60;stroke-dasharray:140 90;stroke:" LOOSE),
        "loose-cells example-loose-cell"};
    fputs(legend_script, out->page.file);
    draw_counted_keys(out);
    if (out->world->kind_counts[KIND_STREET] > 0) {
        draw_key(out, &street, "streets");
    }
    draw_key(out, &view, "camera");
    draw_key(out, &cascades, "shadow cascades");
    draw_key(out, &strict, "strict cells");
    draw_key(out, &loose, "loose cells");
    const double z = (double)out->page.height + 3050.0;
    char text[256];
    snprintf(text, sizeof text, "Acre, frame %u: camera %.0f m above the ground", (unsigned)frame,
             (double)out->view->pose.eye[1] - (double)out->world->path.ground);
    page_text(&out->page, 0, z, SMALL_TEXT, text);
    if (out->world->is_openstreetmap) {
        page_text(&out->page, PAGE_WIDTH, z, SMALL_TEXT ";text-anchor:end",
                  "Map data \xc2\xa9 OpenStreetMap contributors, ODbL 1.0");
    }
}

// A bar of 1, 2 or 5 times a power of ten meters, at most a fifth of the map.
static void draw_scale(picture *out)
{
    picture_page *const page = &out->page;
    const double most = 0.2 * PAGE_WIDTH / page->scale;
    const double power = pow(10.0, floor(log10(most)));
    const double meters = power * (most >= 5.0 * power ? 5.0 : most >= 2.0 * power ? 2.0 : 1.0);
    const double z = (double)page->height + 2150;
    fprintf(page->file,
            "<path id=\"scale\" d=\"M22500 %.0fv240h%.0fv-240\" "
            "style=\"fill:none;stroke:#d5dde8;stroke-width:50\"/>\n",
            z - 120, meters * page->scale);
    char text[64];
    snprintf(text, sizeof text, "%g m", meters);
    page_text(page, 22500 + meters * page->scale + 250, z + 130, LEGEND_TEXT, text);
}

static void draw_camera(picture *out)
{
    fprintf(out->page.file,
            "<circle id=\"camera\" cx=\"%.0f\" cy=\"%.0f\" r=\"160\" fill=\"" WEDGE
            "\" stroke=\"" GROUND "\" stroke-width=\"50\"/>\n",
            page_x(&out->page, (double)out->view->pose.eye[0]),
            page_z(&out->page, (double)out->view->pose.eye[2]));
}

static bool mark_sights(picture *out)
{
    out->sights = calloc((size_t)out->world->slot_count + 1, sizeof *out->sights);
    for (uint32_t camera = RUN_CAMERA_COUNT; out->sights && camera-- > 0;) {
        for (size_t i = 0; i < out->visible->counts[camera]; i++) {
            out->sights[out->visible->slots[camera][i]] = camera ? SIGHT_SHADOW : SIGHT_CAMERA;
        }
    }
    return out->sights != NULL;
}

bool run_picture_write(const run_world *world, const run_view *view, const run_visible *visible,
                       uint32_t frame, char *message, size_t message_size, void *user)
{
    const char *const path = user;
    picture out = {.world = world, .view = view, .visible = visible};
    if (!mark_sights(&out)) {
        snprintf(message, message_size, "%s: out of memory", path);
        return false;
    }
    errno = 0;
    if (page_open(&out.page, path, &world->bounds, "Acre: a city, culled")) {
        draw_ground(&out);
        draw_entities(&out);
        draw_cells(&out);
        draw_example_cell(&out);
        draw_volumes(&out);
        draw_cell_names(&out);
        draw_camera(&out);
        draw_legend(&out, frame);
        draw_scale(&out);
    }
    const bool is_written = page_close(&out.page);
    free(out.sights);
    if (out.is_out_of_memory) {
        snprintf(message, message_size, "%s: out of memory", path);
    } else if (!is_written) {
        snprintf(message, message_size, "%s: %s", path, errno ? strerror(errno) : "cannot write");
    }
    return is_written && !out.is_out_of_memory;
}
