// SPDX-License-Identifier: MIT
// view_city_draw.c - draws what view_city_ask found, and nothing else but ground and sky.
#include "view_city_draw.h"

#include <assert.h>

// Where the lists lie among the instances.
typedef struct view_city_places {
    uint32_t visible, ground, casters[SHADOW_CASCADES];
} view_city_places;

// With what is hidden, where that is to be looked at from elsewhere.
static const acre_draw_list *drawn_list(const view_city *c, const view_city_look *look)
{
    return look->is_hidden_drawn && c->occlusion.is_known ? c->occlusion.list : c->list;
}

static bool upload(view_city *c, renderer *r, const view_city_look *look, view_city_places *out)
{
    instance_set *const set = &r->instances;
    instances_clear(set);
    const acre_draw visible = acre_draw_list_get(drawn_list(c, look));
    bool is_good = instances_add(set, &visible, look->looks, &out->visible) &&
                   instances_add_unmoved(set, &out->ground);
    for (int i = 0; i < SHADOW_CASCADES && is_good && look->are_shadows_drawn; i++) {
        const acre_draw casters = acre_draw_list_get(c->caster_lists[i]);
        is_good = instances_add(set, &casters, NULL, &out->casters[i]);
    }
    if (is_good) {
        instances_upload(set);
    }
    return is_good;
}

// Ranges ascend by key; those of streets come last.
static size_t solid_range_count(const view_city *c, const acre_draw *draw)
{
    size_t count = draw->range_count;
    while (count > 0 && draw->ranges[count - 1].key >= c->meshes.first_street) {
        count--;
    }
    return count;
}

static void draw_shadows(view_city *c, renderer *r, const view_city_places *places)
{
    for (uint32_t i = 0; i < SHADOW_CASCADES; i++) {
        const acre_draw casters = acre_draw_list_get(c->caster_lists[i]);
        renderer_begin_shadow(r, &c->cascades[i], i);
        renderer_draw(r, &(render_batch){.ranges = casters.ranges,
                                         .count = solid_range_count(c, &casters),
                                         .first = places->casters[i]});
    }
}

// Streets as they lie in a layer. first: of the list's instances.
static render_batch street_batch(const view_city *c, const acre_draw *draw, uint32_t layer,
                                 uint32_t first)
{
    const size_t solids = solid_range_count(c, draw);
    return (render_batch){.ranges = draw->ranges + solids,
                          .count = draw->range_count - solids,
                          .first = first,
                          .shift = layer * c->meshes.street_count};
}

static void draw_ground(view_city *c, renderer *r, const acre_draw *visible,
                        const view_city_places *places)
{
    const acre_draw_range ground = {.key = CITY_MESH_GROUND, .count = 1};
    renderer_draw_ground(r, &(render_batch){.ranges = &ground, .count = 1, .first = places->ground},
                         0.0f);
    for (uint32_t layer = 0; layer < CITY_STREET_LAYERS; layer++) {
        const render_batch streets = street_batch(c, visible, layer, places->visible);
        renderer_draw_ground(r, &streets, 0.0f);
    }
}

render_counts view_city_count(const view_city *c, const renderer *r, const acre_draw_list *list)
{
    const acre_draw draw = acre_draw_list_get(list);
    const render_batch solids = {.ranges = draw.ranges, .count = solid_range_count(c, &draw)};
    render_counts sum = renderer_count(r, &solids);
    for (uint32_t layer = 0; layer < CITY_STREET_LAYERS; layer++) {
        const render_batch streets = street_batch(c, &draw, layer, 0);
        const render_counts counts = renderer_count(r, &streets);
        sum.draws += counts.draws;
        sum.triangles += counts.triangles;
    }
    return sum;
}

bool view_city_draw(view_city *c, renderer *r, const view_city_look *look)
{
    assert(look->render && look->culling);
    view_city_places places = {0};
    if (!upload(c, r, look, &places)) {
        return false;
    }
    renderer_set_frame(r, &(render_frame){.render = look->render,
                                          .culling = look->culling,
                                          .cascades = look->are_shadows_drawn ? c->cascades : NULL,
                                          .are_cascades_colored = look->are_cascades_colored,
                                          .haze = 0.00042f});
    if (look->are_shadows_drawn) {
        draw_shadows(c, r, &places);
    }
    renderer_begin(r);
    const acre_draw visible = acre_draw_list_get(drawn_list(c, look));
    renderer_draw(r, &(render_batch){.ranges = visible.ranges,
                                     .count = solid_range_count(c, &visible),
                                     .first = places.visible});
    renderer_draw_sky(r); // before the ground, which leaves no depth
    draw_ground(c, r, &visible, &places);
    return true;
}
