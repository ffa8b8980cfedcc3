// SPDX-License-Identifier: MIT
// viewer_controls.c - what the panel shows of a frame: switches, sliders, figures, what was
// clicked.
#include "viewer_controls.h"

#include <string.h>

// Of samples those that show a tree; of the city all.
static void add_overlays(viewer *v)
{
    stage *const s = &v->stage;
    bool has_cells = false;
    stage_title(s, "Overlays");
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        const bool is_of_cells = view_overlay_is_of_cells(i);
        // The panel's key brings it back, a switch inside it could not.
        if (i != OVERLAY_PANEL && (!v->sample || is_of_cells)) {
            stage_switch(s, view_overlays[i].label, &v->is_on[i]);
            stage_help(s, view_overlays[i].help);
        }
        has_cells = has_cells || (is_of_cells && v->is_on[i]);
    }
    if (has_cells) { // only the city has a query that is the camera's
        stage_choice(s, "cells show (B)", &v->cell_colors, cell_colors_names,
                     v->sample ? CELLS_BY_QUERY : CELLS_BY_COUNT_);
    }
}

void viewer_add_sample_controls(viewer *v)
{
    stage_switch(&v->stage, "pause (Space)", &v->is_paused);
    if (v->stage.tree_count > 0) {
        add_overlays(v);
    }
}

// What the frustum holds, and what of it is left. Shadows are not counted.
static void add_occlusion(viewer *v)
{
    stage *const s = &v->stage;
    const view_city *const c = &v->city;
    const size_t held = acre_visible_set_get(c->sets[0]).count;
    const size_t kept = acre_visible_set_get(c->sets[1]).count;
    const render_counts all = view_city_count(c, &v->draw, c->occlusion.list);
    stage_title(s, "Occlusion");
    stage_readout(s, "in the frustum", "%zu", held);
    stage_readout(s, "kept", "%zu: %.1f %% hidden", kept,
                  held ? 100.0 * (double)(held - kept) / (double)held : 0.0);
    if (v->options.is_occlusion_on) {
        const render_counts left = view_city_count(c, &v->draw, c->list);
        stage_readout(s, "draw calls saved", "%u of %u", all.draws - left.draws, all.draws);
        stage_readout(s, "triangles saved", "%llu of %llu",
                      (unsigned long long)(all.triangles - left.triangles),
                      (unsigned long long)all.triangles);
    }
}

// The camera's question alone, measured by repeats, as the README has it.
static void add_figures(viewer *v)
{
    stage *const s = &v->stage;
    const double query = view_figures_query(&v->figures), scan = view_figures_scan(&v->figures);
    stage_readout(s, "visible", "%zu of %u", acre_draw_list_get(v->city.list).count,
                  acre_scene_get_view(v->city.world.scene).entity_count);
    stage_readout(s, "camera query", "%.1f \xc2\xb5s", query);
    stage_readout(s, "scan of all boxes", "%.1f \xc2\xb5s, %.1f times", scan,
                  query > 0.0 ? scan / query : 0.0);
}

// Each measured once.
static void add_frame(viewer *v)
{
    stage *const s = &v->stage;
    const view_city_times *const times = &v->city.times;
    stage_title(s, "This frame");
    stage_time(s, "query, with rules", times->query);
    stage_time(s, "commit", times->commit);
    stage_time(s, "refresh of cars", times->refresh);
    stage_time(s, "draw lists", times->lists);
    stage_time(s, "shadow casters", times->casters);
    stage_readout(s, "draw", "%.1f ms%s", v->draw_milliseconds,
                  v->is_software ? ", software renderer" : "");
    stage_readout(s, "draw calls", "%u", v->draw.counts.draws);
    stage_readout(s, "triangles", "%llu", (unsigned long long)v->draw.counts.triangles);
}

void viewer_add_city_controls(viewer *v)
{
    stage *const s = &v->stage;
    static const char *const steerings[] = {"tour", "fly", "orbit", "drive"};
    stage_choice(s, "camera (C)", &v->steering, steerings, STEERING_COUNT_);
    stage_choice(s, "method (0)", &v->method, view_method_names, METHOD_COUNT_);
    if (v->options.cars > 0) {
        stage_slider(s, "cars", &v->cars, 0, (int)v->options.cars);
    }
    if (v->most_workers > 1) {
        stage_slider(s, "workers", &v->workers, 1, v->most_workers);
    }
    stage_switch(s, "shadows", &v->options.are_shadows_drawn);
    if (v->city.occlusion.horizon) {
        stage_switch(s, "occlusion (O)", &v->options.is_occlusion_on);
    }
    stage_switch(s, "pause (Space)", &v->is_paused);
    stage_title(s, "What culling says");
    add_figures(v);
    if (v->city.occlusion.is_known) {
        add_occlusion(v);
    }
    add_overlays(v);
    add_frame(v);
}

// Those behind whom it is hidden: their names, and their boxes in the picture.
static void show_hiders(viewer *v, const acre_explanation *why)
{
    const run_world *const world = &v->city.world;
    for (uint32_t i = 0; i < why->hidden_behind_count; i++) {
        const uint32_t slot = why->hidden_behind[i].index1 - 1;
        uint64_t number;
        const char *const name = run_entity_name(world, slot, &number);
        stage_readout(&v->stage, "it stands behind", "%s, slot %u", name, slot);
        stage_outline(&v->stage, &acre_scene_get_view(world->scene).world_bounds[slot], STAGE_SKY);
    }
}

void viewer_show_picked(viewer *v)
{
    acre_view view;
    view_picked *const picked = &v->picked;
    if (picked->entity.index1 == 0 || acre_view_from_camera(&view, &v->culling_camera) != ACRE_OK ||
        acre_view_set_viewport(&view, &v->culling_camera, (float)v->draw.target.height) !=
            ACRE_OK) {
        return;
    }
    // The horizon begins where the frame's query had it.
    view.horizon = v->city.set == v->city.sets[1] ? v->city.occlusion.horizon : NULL;
    if (acre_culling_explain(v->city.world.culling, &view, v->city.set, picked->entity,
                             &picked->why) != ACRE_OK) {
        return;
    }
    stage *const s = &v->stage;
    uint64_t number;
    const char *const name = run_entity_name(&v->city.world, picked->entity.index1 - 1, &number);
    char text[96];
    acre_explanation_text(&picked->why, text, sizeof text);
    stage_title(s, "Clicked");
    stage_readout(s, name, "slot %u, generation %u", picked->entity.index1 - 1,
                  (unsigned)picked->entity.generation);
    stage_readout(s, "culling says", "%s", text);
    stage_readout(s, "cell", "level %u", (unsigned)picked->why.tree.level);
    stage_outline(s, &picked->why.box, STAGE_YELLOW);
    show_hiders(v, &picked->why);
    if (!picked->why.tree.is_outlier) {
        const float y = v->city.world.bounds.min[1] + 0.4f;
        stage_square(s, picked->why.tree.cell_min, picked->why.tree.cell_max, y, STAGE_RED);
        stage_square(s, picked->why.tree.loose_min, picked->why.tree.loose_max, y, STAGE_SKY);
    }
}
