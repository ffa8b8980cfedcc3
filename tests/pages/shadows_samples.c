// SPDX-License-Identifier: MIT
// shadows_samples.c - what the sample of modules/shadows/README.md uses.
#include <acre/casters.h>

void find_casters(const acre_culling *culling, acre_receivers *receivers,
                  const acre_cascade *cascades, int i, acre_aabb ground, uint32_t *casters,
                  size_t capacity);
void find_casters(const acre_culling *culling, acre_receivers *receivers,
                  const acre_cascade *cascades, int i, acre_aabb ground, uint32_t *casters,
                  size_t capacity)
{
    size_t count;
#include "shadows_1.inc"
}
