// SPDX-License-Identifier: MIT
// shadows_samples.c - what the sample of modules/shadows/README.md uses.
#include "must.h"

#include <acre/casters.h>
#include <acre/visible_set.h>

void find_casters(const acre_culling *culling, acre_camera camera, acre_aabb ground,
                  uint32_t *casters, size_t capacity);
void find_casters(const acre_culling *culling, acre_camera camera, acre_aabb ground,
                  uint32_t *casters, size_t capacity)
{
    size_t count;
#include "shadows_1.inc"
    acre_receivers_destroy(receivers);
}

void find_lamp_casters(const acre_culling *culling, acre_receivers *receivers, acre_frustum seen,
                       acre_aabb ground, const acre_visible_set *camera_set, uint32_t *casters,
                       uint8_t *faces, uint8_t *lods, size_t capacity);
void find_lamp_casters(const acre_culling *culling, acre_receivers *receivers, acre_frustum seen,
                       acre_aabb ground, const acre_visible_set *camera_set, uint32_t *casters,
                       uint8_t *faces, uint8_t *lods, size_t capacity)
{
    size_t count;
#include "shadows_2.inc"
}
