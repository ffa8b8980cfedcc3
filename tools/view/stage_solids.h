// SPDX-License-Identifier: MIT
// stage_solids.h - solids of a stage that let through what is behind them.
#ifndef ACRE_TOOLS_STAGE_SOLIDS_H
#define ACRE_TOOLS_STAGE_SOLIDS_H

#include "stage.h"

void stage_cone(stage *s, const acre_cone *cone, uint32_t rgba);
void stage_capsule(stage *s, const acre_capsule *capsule, uint32_t rgba);
void stage_sphere(stage *s, const acre_sphere *sphere, uint32_t rgba);
void stage_fill_square(stage *s, const float *min, const float *max, float y, uint32_t rgba);
void stage_fill_box(stage *s, const acre_aabb *box, uint32_t rgba);

// The ground below what a perspective camera sees, up to a depth: what stands there keeps its
// colors.
void stage_fill_view(stage *s, const acre_camera *camera, float reach, float y, uint32_t rgba);

#endif
