// SPDX-License-Identifier: MIT
// view_occlusion.h - what of a city's frustum stands behind occluders: the horizon, what it hides,
// and how overlays show it.
#ifndef ACRE_TOOLS_VIEW_OCCLUSION_H
#define ACRE_TOOLS_VIEW_OCCLUSION_H

#include "instances.h"
#include "run_world.h"
#include "stage.h"

#include <acre/draw_list.h>
#include <acre/horizon.h>
#include <acre/visible_set.h>

typedef struct view_occlusion {
    acre_horizon *horizon; // of the culling camera; NULL: the file has no occluders
    acre_camera begun;     // where it stands
    // Of the last frame, where is_known:
    bool is_known;
    acre_draw_list *list; // what the frustum holds
    uint32_t *masks;      // by slot: bit 0: the frustum holds it, bit 1: it is not hidden
} view_occlusion;

// *out is to be freed also where it fails.
acre_result view_occlusion_create(view_occlusion *out, const run_world *world);
void view_occlusion_free(view_occlusion *o);

// Begins the horizon at a camera, unless it stands there. A set that is not found anew, as nothing
// moved, would leave a horizon that was begun again without occluders, and casters need it.
acre_result view_occlusion_begin(view_occlusion *o, const acre_camera *camera);

// Whether the frustum holds a slot and something hides it. Only where is_known.
bool view_occlusion_hides(const view_occlusion *o, uint32_t slot);

// Marks what is hidden.
void view_occlusion_mark(const view_occlusion *o, const run_world *world, instance_look *looks);

// The occluders of what is seen as prisms, and what the horizon blocks as a ring around the camera
// that it was asked for; NULL: no ring, as where that camera draws. Only where is_known.
void view_occlusion_draw(const view_occlusion *o, const run_world *world,
                         const acre_camera *ring_camera, stage *s);

#endif
