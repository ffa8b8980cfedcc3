// SPDX-License-Identifier: MIT
// viewer.c - one frame of `acre view` after the other: asks, then draws.
#include "viewer.h"

#include "panel.h"
#include "run_statistics.h"
#include "viewer_cameras.h"
#include "viewer_controls.h"
#include "viewer_screens.h"
#include "workers.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0f / 60.0f) // seconds of the world in a step
#define NOTE_FRAMES 600
#define FIGURES_FRAMES 24   // from one measurement to the next
#define CELLS_REACH 1400.0f // meters
#define MOST_STEPS 4        // in a frame; a slower machine sees the world slow down

static bool fail(viewer *v, const char *what)
{
    snprintf(v->message, sizeof v->message, "%s", what);
    return false;
}

// Leaves the sample there is and starts another; number 0 is the city.
static bool start_sample(viewer *v, int number)
{
    assert(number >= 0 && (size_t)number <= view_sample_count());
    if (v->sample) {
        v->sample->destroy(v->sample_state);
    }
    free(v->sample_state);
    v->sample_state = NULL;
    v->sample = number > 0 ? view_samples[number - 1] : NULL;
    v->sample_number = number;
    v->chosen_sample = number;
    v->cell_colors = CELLS_BY_KIND;
    v->stage.time = 0.0;
    if (!v->sample) {
        return true;
    }
    const view_sample *const sample = v->sample;
    memcpy(v->orbit_target, sample->target, sizeof v->orbit_target);
    v->orbit_distance = sample->distance;
    v->render = view_camera_around(sample->target, sample->yaw, sample->pitch, sample->distance);
    v->render.vertical_fov = 0.75f;
    v->sample_state = calloc(1, sample->state_size);
    return v->sample_state && sample->create(v->sample_state);
}

static bool create_city(viewer *v, char *message, size_t message_size)
{
    const view_options *const options = &v->options;
    const run_options world = {.scene_path = options->scene_path,
                               .cars = options->cars,
                               .seed = options->seed,
                               .has_occlusion = true};
    if (!view_city_create(&v->city, &world, message, message_size)) {
        return false;
    }
    v->has_city = true;
    v->cars = v->shown_cars = (int)options->cars;
    if (!renderer_set_meshes(&v->draw, &v->city.meshes.store) ||
        !view_marks_create(&v->marks, v->city.slot_room) ||
        !view_scans_create(&v->scans, v->city.slot_room)) {
        snprintf(message, message_size, "%s: memory is short", options->scene_path);
        return false;
    }
    // The world runs up to the frame before the first.
    for (uint32_t i = 1; i < options->frame; i++) {
        traffic_advance(v->city.world.traffic, STEP);
    }
    return true;
}

static bool step_sample(viewer *v, float seconds)
{
    stage *const s = &v->stage;
    s->seconds = v->is_paused ? (v->is_step_wanted ? STEP : 0.0f) : fminf(seconds, 0.1f);
    s->time += (double)s->seconds;
    s->camera = v->render_camera;
    return v->sample->step(v->sample_state, s) || fail(v, "the sample failed");
}

static bool create_sample(viewer *v, char *message, size_t message_size)
{
    for (size_t i = 0; i < view_sample_count(); i++) {
        if (strcmp(view_samples[i]->name, v->options.sample) == 0) {
            bool is_good = start_sample(v, (int)i + 1);
            // It runs up to the frame before the first.
            is_good = is_good && viewer_place_cameras(v);
            for (uint32_t k = 1; k < v->options.frame && is_good; k++) {
                stage_clear(&v->stage);
                is_good = step_sample(v, STEP);
            }
            snprintf(message, message_size, "the sample '%s' found no memory", v->options.sample);
            return is_good;
        }
    }
    snprintf(message, message_size, "there is no sample '%s'", v->options.sample);
    return false;
}

static void free_city(viewer *v)
{
    view_marks_free(&v->marks);
    view_scans_free(&v->scans);
    view_city_free(&v->city);
    v->has_city = false;
}

// Reads the scene file. Where it cannot be read, the first sample starts and a note says why.
// Returns false where memory is short.
static bool enter_city(viewer *v)
{
    if (!create_city(v, v->note, sizeof v->note)) {
        free_city(v);
        v->note_frames = NOTE_FRAMES;
        v->steering = STEERING_ORBIT;
        return start_sample(v, 1);
    }
    v->steering = STEERING_TOUR;
    return start_sample(v, 0);
}

bool viewer_open_file(viewer *v, const char *path)
{
    const size_t length = strlen(path);
    assert(length < sizeof v->opened_path);
    free_city(v);
    memcpy(v->opened_path, path, length + 1);
    v->options.scene_path = v->opened_path;
    v->picked = (view_picked){0};
    v->is_frozen = false;
    v->is_on[OVERLAY_FREEZE] = false;
    return enter_city(v);
}

bool viewer_create(viewer *out, const view_options *options, char *message, size_t message_size)
{
    *out = (viewer){.options = *options,
                    .tour = options->frame,
                    .clock = 1.0f,
                    .stage = {.clock_tick = view_clock_tick()},
                    .dropped_slot = UINT32_MAX,
                    .text_scale = 1.0f,
                    .workers = 1,
                    .most_workers = (int)workers_of_machine()};
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        out->is_on[i] = (options->overlays >> i & 1u) != 0;
    }
    out->is_software = gl_is_software();
    assert(view_sample_count() < sizeof out->sample_names / sizeof out->sample_names[0]);
    out->sample_names[0] = "the city";
    for (size_t i = 0; i < view_sample_count(); i++) {
        out->sample_names[i + 1] = view_samples[i]->title;
    }
    if (!renderer_create(&out->draw, options->width, options->height, options->samples, message,
                         message_size) ||
        !sheet_create(&out->sheet, message, message_size)) {
        return false;
    }
    if (!panel_create()) {
        snprintf(message, message_size, "the panel finds no memory");
        return false;
    }
    return options->sample ? create_sample(out, message, message_size)
                           : create_city(out, message, message_size);
}

void viewer_free(viewer *v)
{
    start_sample(v, 0);
    panel_free();
    stage_free(&v->stage);
    free_city(v);
    sheet_free(&v->sheet);
    renderer_free(&v->draw);
}

static void draw_labels(viewer *v, const view_hud *hud)
{
    const float width = hud->width, height = hud->height + v->covered_below;
    for (uint32_t i = 0; i < v->stage.label_count; i++) {
        const stage_label_text *const label = &v->stage.labels[i];
        float x, y, depth;
        if (acre_camera_project(&v->render_camera, label->at, &x, &y, &depth) == ACRE_OK) {
            sheet_label(&v->sheet, x * width, y * height, label->text);
        }
    }
}

// Of the part of the picture that nothing covers.
static view_hud make_hud(viewer *v)
{
    return (view_hud){.sheet = &v->sheet,
                      .width = (float)v->draw.target.width / v->text_scale,
                      .height = (float)v->draw.target.height / v->text_scale - v->covered_below,
                      .left = v->covered_left,
                      .is_on = v->is_on,
                      .clock_tick = fmax(1e3 * v->stage.clock_tick, 1e-3)};
}

static void draw_flat(viewer *v)
{
    const view_hud hud = make_hud(v);
    draw_labels(v, &hud);
    viewer_name_screens(v);
    if (!v->sample || v->stage.tree_count > 0) {
        hud_draw_legend(&hud, v->sample ? NULL : &v->marks, (cell_colors)v->cell_colors);
    }
    if (!v->sample) {
        if (v->is_on[OVERLAY_MAP]) {
            hud_draw_map(&hud, &v->city, &v->culling_camera, &v->render_camera);
        }
        if (v->is_on[OVERLAY_GRAPHS]) {
            hud_draw_graphs(&hud, &v->graphs);
        }
        if (v->city.world.is_openstreetmap) {
            hud_draw_notice(&hud);
        }
    }
    if (v->caption[0]) {
        sheet_note(&v->sheet, SHEET_LARGE, hud.left + 12.0f, 12.0f, v->caption);
    }
    if (v->note_frames > 0) {
        v->note_frames--;
        sheet_note(&v->sheet, SHEET_SMALL, hud.left + 12.0f, hud.height - 60.0f, v->note);
    }
    sheet_draw(&v->sheet, hud.width, hud.height + v->covered_below);
}

static void draw_panel(viewer *v, const surface_input *input, float seconds)
{
    if (!v->is_on[OVERLAY_PANEL]) {
        v->is_mouse_taken = false;
        v->covered_left = 0.0f;
        return;
    }
    const char *const about = v->sample ? v->sample->about
                              : v->is_on[OVERLAY_FREEZE]
                                  ? "Acre answers what a camera sees. Here one stands still in a "
                                    "street, and you look from above."
                                  : "Acre answers what a camera sees. Only that is drawn.";
    const panel_page page = {.title = v->sample ? v->sample->title : "Acre",
                             .about = about,
                             .controls = v->stage.controls,
                             .control_count = v->stage.control_count};
    panel_input given = {.width = (float)v->draw.target.width,
                         .height = (float)v->draw.target.height,
                         .scale = v->text_scale,
                         .x = -1.0f,
                         .y = -1.0f,
                         .seconds = seconds};
    if (input) {
        given.x = (float)input->x;
        given.y = (float)input->y;
        given.wheel = (float)input->wheel;
        memcpy(given.buttons, input->buttons, sizeof given.buttons);
    }
    v->is_mouse_taken = panel_draw(&page, &given, &v->covered_left);
}

// Cells near the culling camera in the city, near what is looked at in a sample.
static void draw_cells(viewer *v)
{
    acre_view view;
    const bool has_view =
        !v->sample && acre_view_from_camera(&view, &v->culling_camera) == ACRE_OK &&
        acre_view_set_viewport(&view, &v->culling_camera, (float)v->draw.target.height) == ACRE_OK;
    const float *const place = v->sample ? v->orbit_target : v->culling.eye;
    view_cells_draw(&v->stage,
                    &(cells_question){.is_on = v->is_on,
                                      .colors = (cell_colors)v->cell_colors,
                                      .ground = v->sample ? 0.0f : v->city.world.bounds.min[1],
                                      .lift = v->sample ? 0.3f : 1.2f,
                                      .around = {place[0], place[2]},
                                      .reach = v->sample ? 4.0f * v->orbit_distance : CELLS_REACH,
                                      .view = has_view ? &view : NULL,
                                      .culler = has_view ? v->city.world.culling : NULL});
}

static bool draw_city(viewer *v)
{
    const marks_question question = {.is_on = v->is_on,
                                     .culling = &v->culling_camera,
                                     .height = (float)v->draw.target.height,
                                     .time = v->clock};
    stage_tree(&v->stage, acre_culling_tree(v->city.world.culling));
    stage_tree(&v->stage, acre_culling_static_tree(v->city.world.culling));
    draw_cells(v);
    const view_city_look look = {.render = &v->render_camera,
                                 .culling = &v->culling_camera,
                                 .are_shadows_drawn = v->options.are_shadows_drawn,
                                 .are_cascades_colored = v->is_on[OVERLAY_CASCADES],
                                 .is_hidden_drawn = v->is_on[OVERLAY_HIDDEN],
                                 .looks =
                                     view_marks_make(&v->marks, &v->city, &v->stage, &question)};
    if (!view_city_draw(&v->city, &v->draw, &look)) {
        return fail(v, "memory is short for a frame");
    }
    const stage *const s = &v->stage;
    renderer_draw_boxes(&v->draw, s->boxes, s->box_count);
    renderer_draw_faces(&v->draw, s->corners, s->corner_count);
    renderer_draw_lines(&v->draw, s->lines, s->line_count);
    return true;
}

static void draw_sample(viewer *v)
{
    const stage *const s = &v->stage;
    draw_cells(v);
    const size_t box_count = s->screen_count ? s->screens[0].first_box : s->box_count;
    renderer_set_frame(&v->draw, &(render_frame){.render = &v->render_camera,
                                                 .culling = &v->render_camera,
                                                 .haze = SAMPLE_HAZE});
    renderer_begin(&v->draw);
    renderer_draw_boxes(&v->draw, &sample_floor, 1);
    renderer_draw_boxes(&v->draw, s->boxes, box_count);
    renderer_draw_points(&v->draw, s->points, s->point_count);
    renderer_draw_sky(&v->draw);
    renderer_draw_faces(&v->draw, s->corners, s->corner_count);
    renderer_draw_lines(&v->draw, s->lines, s->line_count);
    viewer_draw_screens(v);
}

static void add_to_graphs(viewer *v)
{
    const view_city_times *const t = &v->city.times;
    const float values[HUD_ROWS] = {(float)t->commit,
                                    (float)t->refresh,
                                    (float)t->query,
                                    (float)t->lists,
                                    (float)t->casters,
                                    (float)v->draw_milliseconds,
                                    (float)acre_draw_list_get(v->city.list).count,
                                    (float)v->city.work.nodes_tested,
                                    (float)v->city.work.items_tested};
    view_graphs_add(&v->graphs, values);
}

static bool finish_frame(viewer *v, const surface_input *input, float seconds)
{
    const double begin = clock_seconds();
    if (v->sample) {
        draw_sample(v);
    } else if (!draw_city(v)) {
        return false;
    }
    renderer_end(&v->draw);
    if (!v->sample) {
        add_to_graphs(v);
    }
    draw_flat(v);
    draw_panel(v, input, seconds);
    if (v->is_help_shown) { // over everything
        const view_hud hud = make_hud(v);
        hud_draw_help(&hud);
        sheet_draw(&v->sheet, hud.width, hud.height + v->covered_below);
    }
    if (!input) { // a picture, which is waited for
        glFinish();
    }
    v->draw_milliseconds = 1e3 * (clock_seconds() - begin);
    // A page waits for the graphics card to hear of an error, so it asks seldom.
    const bool is_asked = !ACRE_VIEW_IS_WEB || v->frame % 64 == 1;
    const char *const error = is_asked ? gl_take_error() : NULL;
    return !error || fail(v, error);
}

// For overlays, and for what the panel says of occlusion.
static bool is_hidden_wanted(const viewer *v)
{
    return v->is_on[OVERLAY_HIDDEN] || v->is_on[OVERLAY_OCCLUDERS] ||
           (v->options.is_occlusion_on && v->is_on[OVERLAY_PANEL]);
}

static bool ask(viewer *v)
{
    const view_city_question question = {.culling = &v->culling_camera,
                                         .height = (float)v->draw.target.height,
                                         .are_shadows_wanted = v->options.are_shadows_drawn,
                                         .method = (view_method)v->method,
                                         .scans = &v->scans,
                                         .is_occlusion_on = v->options.is_occlusion_on,
                                         .is_hidden_wanted = is_hidden_wanted(v),
                                         .is_work_counted = v->is_on[OVERLAY_GRAPHS],
                                         .is_everything = v->is_everything,
                                         .dropped_slot = v->dropped_slot};
    return view_city_ask(&v->city, &question) || fail(v, v->city.message);
}

bool viewer_draw_again(viewer *v)
{
    stage_clear(&v->stage);
    if (!viewer_place_cameras(v)) {
        return fail(v, "the camera is too far out");
    }
    return ask(v) && finish_frame(v, NULL, 0.0f);
}

static void measure(viewer *v)
{
    acre_frustum frustum;
    if (v->frame % FIGURES_FRAMES == 1 &&
        acre_camera_frustum(&v->culling_camera, &frustum) == ACRE_OK) {
        view_figures_measure(&v->figures, &v->scans, v->city.world.culling,
                             acre_scene_get_view(v->city.world.scene).world_bounds, &frustum);
    }
}

static bool step_city(viewer *v, float seconds)
{
    if (v->cars != v->shown_cars && !view_city_show_cars(&v->city, (uint32_t)v->cars)) {
        return fail(v, v->city.message);
    }
    v->shown_cars = v->cars;
    v->pending = v->is_paused ? 0.0f : fminf(v->pending + seconds, MOST_STEPS * STEP);
    if (v->is_step_wanted) {
        v->pending = STEP;
    }
    for (; v->pending > 0.5f * STEP; v->pending -= STEP) {
        if (!view_city_advance(&v->city, STEP)) {
            return fail(v, v->city.message);
        }
    }
    return true;
}

typedef struct city_step {
    viewer *viewer;
    float seconds;
} city_step;

static bool step_with_tasks(void *context, const acre_tasks *tasks)
{
    const city_step *const what = context;
    viewer *const v = what->viewer;
    return (view_city_set_tasks(&v->city, tasks) || fail(v, v->city.message)) &&
           step_city(v, what->seconds) && ask(v);
}

// All that the library does in a frame of the city, by the workers that the slider says.
static bool step_and_ask(viewer *v, float seconds)
{
    city_step what = {v, seconds};
    return workers_run((uint32_t)v->workers, step_with_tasks, &what) &&
           (view_city_set_tasks(&v->city, NULL) || fail(v, v->city.message));
}

// What was chosen in the panel or by a key. The city is read when it is first wanted.
static bool change_sample(viewer *v)
{
    const bool is_city_wanted = v->chosen_sample == 0;
    v->steering = is_city_wanted ? STEERING_TOUR : STEERING_ORBIT;
    const bool is_good =
        is_city_wanted && !v->has_city ? enter_city(v) : start_sample(v, v->chosen_sample);
    return is_good || fail(v, "memory is short");
}

bool viewer_frame(viewer *v, const surface_input *input, float seconds)
{
    assert(seconds >= 0.0f);
    if (v->chosen_sample != v->sample_number && !change_sample(v)) {
        return false;
    }
    v->frame++;
    v->clock += seconds;
    stage_clear(&v->stage);
    viewer_steer(v, input, seconds);
    if (!v->sample && v->is_on[OVERLAY_FREEZE] && !v->is_frozen) {
        viewer_freeze(v);
        // What somebody above is there to see, unless he is there to see what others hide.
        v->is_on[OVERLAY_STATES] |= !v->options.apng_path && !v->is_on[OVERLAY_HIDDEN];
    }
    v->is_frozen = v->is_on[OVERLAY_FREEZE];
    if (!viewer_place_cameras(v)) {
        return fail(v, "the camera is too far out");
    }
    viewer_point(v, input);
    stage_choice(&v->stage, "scene (N)", &v->chosen_sample, v->sample_names,
                 (int)view_sample_count() + 1);
    const bool is_good = v->sample ? step_sample(v, seconds) : step_and_ask(v, seconds);
    v->is_step_wanted = false;
    if (!is_good) {
        return false;
    }
    if (v->sample) {
        viewer_add_sample_controls(v);
    } else {
        view_marks_note(&v->marks, &v->city, v->clock);
        measure(v);
        viewer_add_city_controls(v);
        viewer_show_picked(v);
    }
    return finish_frame(v, input, seconds);
}

bool viewer_warm(viewer *v, float seconds)
{
    if (v->sample) {
        return true;
    }
    const bool is_freezing = v->is_on[OVERLAY_FREEZE]; // the last frame's business
    v->is_on[OVERLAY_FREEZE] = false;
    v->frame++;
    v->clock += seconds;
    stage_clear(&v->stage);
    viewer_steer(v, NULL, seconds);
    const bool is_good = (viewer_place_cameras(v) || fail(v, "the camera is too far out")) &&
                         step_and_ask(v, seconds);
    v->is_on[OVERLAY_FREEZE] = is_freezing;
    if (is_good) {
        view_marks_note(&v->marks, &v->city, v->clock);
        add_to_graphs(v);
    }
    return is_good;
}

void viewer_press(viewer *v, int key)
{
    for (int k = 0; k < OVERLAY_COUNT_; k++) {
        const char name = view_overlays[k].key;
        const int code = name >= 'a' ? name - 'a' + 'A' : name;
        v->is_on[k] ^= key == code;
    }
    v->is_paused ^= key == ' ';
    v->is_step_wanted |= key == '.';
    v->is_help_shown ^= key == 290; // F1
    if (key == '=' || key == '-') { // the key of + is =
        const float scale = v->text_scale * (key == '=' ? 1.25f : 0.8f);
        v->text_scale = fmaxf(LEAST_TEXT_SCALE, fminf(scale, MOST_TEXT_SCALE));
    }
    if (key == 'O') {
        bool *const is_on = v->sample ? v->stage.occlusion_switch : &v->options.is_occlusion_on;
        if (is_on) {
            *is_on = !*is_on;
        }
    }
    if (key == 'C') {
        v->steering = (v->steering + 1) % STEERING_COUNT_;
    }
    if (key == '0') {
        v->method = (v->method + 1) % METHOD_COUNT_;
    }
    if (key == 'B') {
        v->cell_colors = (v->cell_colors + 1) % (v->sample ? CELLS_BY_QUERY : CELLS_BY_COUNT_);
    }
    if (key == 'N') {
        v->chosen_sample = (v->chosen_sample + 1) % ((int)view_sample_count() + 1);
    }
}
