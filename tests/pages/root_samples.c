// SPDX-License-Identifier: MIT
// root_samples.c - README.md's sample of a scene compiles as it stands there.
#include <acre/culling.h>

#include "must.h"

size_t follow_a_scene(acre_scene *scene, acre_culling *culling, acre_aabb box, acre_camera camera,
                      float z);
size_t follow_a_scene(acre_scene *scene, acre_culling *culling, acre_aabb box, acre_camera camera,
                      float z)
{
    acre_entity car;
    uint32_t slots[16];
    size_t count = 0;
#include "root_1.inc"
    return count;
}
