// SPDX-License-Identifier: MIT
// drawing_samples.c - what the sample of modules/drawing/README.md uses.
#include "must.h"

#include <acre/draw_list.h>
#include <acre/visible_set.h>

void draw_instances(uint32_t mesh, uint8_t lod, size_t first, size_t count);
void draw_visible(acre_draw_list *list, acre_culling *culling, acre_visible visible,
                  const uint32_t *mesh_of_slot, size_t slot_count, float x, float y, float z);
void draw_visible(acre_draw_list *list, acre_culling *culling, acre_visible visible,
                  const uint32_t *mesh_of_slot, size_t slot_count, float x, float y, float z)
{
#include "drawing_1.inc"
}
