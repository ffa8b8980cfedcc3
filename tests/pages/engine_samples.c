// SPDX-License-Identifier: MIT
// engine_samples.c - what the samples of engine/README.md use. See tests/scripts/page_samples.sh.
#include "must.h"

#include <acre/culling.h>
#include <acre/z_up.h>

void give_tasks(acre_scene *scene, acre_culling *culling,
                void *(*enqueue)(void *, acre_task *, void *, const char *),
                void (*finish)(void *, void *), void *pool);
void give_tasks(acre_scene *scene, acre_culling *culling,
                void *(*enqueue)(void *, acre_task *, void *, const char *),
                void (*finish)(void *, void *), void *pool)
{
#include "engine_1.inc"
}

void turn_z_up(acre_aabb box, const float *view_projection, const float *inner_point, float *point);
void turn_z_up(acre_aabb box, const float *view_projection, const float *inner_point, float *point)
{
    float inner_matrix[16];
#include "engine_2.inc"
}
