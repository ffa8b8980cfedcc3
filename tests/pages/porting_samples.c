// SPDX-License-Identifier: MIT
// porting_samples.c - what the sample of tools/docs/porting.md in C uses.
#include "must.h"

#include <acre/draw_list.h>
#include <acre/visible_set.h>

#include <string.h>

typedef struct place {
    uint32_t chunk, row;
} place;

typedef struct chunk {
    float worlds[64][12];
} chunk;

void draw_chunks(acre_draw_list *list, const acre_culling *culling, acre_visible seen,
                 const uint32_t *mesh_of_slot, size_t slot_count, const place *place_of_slot,
                 const chunk *chunks, float (*mapped)[12]);
void draw_chunks(acre_draw_list *list, const acre_culling *culling, acre_visible seen,
                 const uint32_t *mesh_of_slot, size_t slot_count, const place *place_of_slot,
                 const chunk *chunks, float (*mapped)[12])
{
#include "porting_1.inc"
}
