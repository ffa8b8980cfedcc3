// SPDX-License-Identifier: MIT
// shadows_samples.c - what the sample of modules/shadows/README.md uses.
#include "must.h"

#include <acre/casters.h>

void find_casters(const acre_culling *culling, acre_camera camera, acre_aabb ground,
                  uint32_t *casters, size_t capacity);
void find_casters(const acre_culling *culling, acre_camera camera, acre_aabb ground,
                  uint32_t *casters, size_t capacity)
{
    size_t count;
#include "shadows_1.inc"
    acre_receivers_destroy(receivers);
}
