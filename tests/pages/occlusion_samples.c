// SPDX-License-Identifier: MIT
// occlusion_samples.c - what the sample of modules/occlusion/README.md uses.
#include "must.h"

#include <acre/occluder.h>

void make_wall(acre_aabb box);
void make_wall(acre_aabb box)
{
#include "occlusion_1.inc"
}
