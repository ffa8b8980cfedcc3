// SPDX-License-Identifier: MIT
// occlusion_samples.c - what the sample of modules/occlusion/README.md uses.
#include "must.h"

#include <acre/horizon.h>

void draw(void);
void look_over_a_wall(acre_horizon *horizon, const float *eye, float near_radius, acre_aabb box,
                      acre_aabb target);
void look_over_a_wall(acre_horizon *horizon, const float *eye, float near_radius, acre_aabb box,
                      acre_aabb target)
{
#include "occlusion_1.inc"
}
