// SPDX-License-Identifier: MIT
// engine_samples.c - what the samples of engine/README.md use. See tests/scripts/page_samples.sh.
#include <acre/z_up.h>

void turn_z_up(acre_aabb box, const float *view_projection, const float *inner_point, float *point);
void turn_z_up(acre_aabb box, const float *view_projection, const float *inner_point, float *point)
{
    float inner_matrix[16];
#include "engine_1.inc"
}
