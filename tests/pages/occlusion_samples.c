// SPDX-License-Identifier: MIT
// occlusion_samples.c - what the samples of modules/occlusion/README.md use.
#include "must.h"

#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/occluder_heights.h>
#include <acre/scene.h>

void draw(void);
void look_over_a_wall(acre_horizon *horizon, const float *eye, float near_radius, acre_aabb box,
                      acre_aabb target);
void look_over_a_wall(acre_horizon *horizon, const float *eye, float near_radius, acre_aabb box,
                      acre_aabb target)
{
#include "occlusion_1.inc"
}

void hide_behind_hills(acre_scene *scene, acre_culling *culling, const float *heights,
                       acre_entity *entities);
void hide_behind_hills(acre_scene *scene, acre_culling *culling, const float *heights,
                       acre_entity *entities)
{
#include "occlusion_2.inc"
}
