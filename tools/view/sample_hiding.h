// SPDX-License-Identifier: MIT
// sample_hiding.h - what samples of occlusion share: boxes of which some are solid, an eye among
// them, and what it sees with its horizon and without.
//
// Typical use:
//     hiding_create(&world, 64.0f);
//     hiding_add(&world, &box, HIDING_SOLID); ... hiding_finish(&world);
//     hiding_ask(&world, &camera);                  // each frame
//     hiding_show(&world, s, &camera);
#ifndef ACRE_TOOLS_SAMPLE_HIDING_H
#define ACRE_TOOLS_SAMPLE_HIDING_H

#include "samples.h"

#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/visible_set.h>

enum { HIDING_MOST = 1024 };

typedef enum hiding_kind { HIDING_THING, HIDING_SOLID, HIDING_DOOR } hiding_kind;

typedef struct hiding_world {
    acre_scene *scene;
    acre_culling *culling;
    acre_horizon *horizon;
    acre_visible_set *sets[2]; // what the frustum holds; what of it is not hidden
    acre_entity entities[HIDING_MOST];
    acre_aabb boxes[HIDING_MOST]; // as added
    uint8_t kinds[HIDING_MOST];
    uint32_t count;
    uint32_t masks[HIDING_MOST]; // by slot: a bit for each set
    bool is_occlusion_on, is_ring_shown;
    bool is_glass; // solids let through what is behind them, but for the eye
} hiding_world;

// Each returns false where a call failed; *out is to be freed all the same.
bool hiding_create(hiding_world *out, float half_size);
void hiding_free(hiding_world *w);
bool hiding_add(hiding_world *w, const acre_aabb *box, hiding_kind kind);
bool hiding_finish(hiding_world *w);
bool hiding_ask(hiding_world *w, const acre_camera *camera);

// Boxes by what the eye sees of them, its picture, switches and counts.
void hiding_show(hiding_world *w, stage *s, const acre_camera *camera);

#endif
