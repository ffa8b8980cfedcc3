// SPDX-License-Identifier: MIT
// selecting_samples.c - what the samples of tools/docs/selecting.md use.
#include "must.h"

#include <acre/culling.h>

#include <math.h>

enum { SELECTABLE = 1, NOTHING = -1 };

float triangles_hit(uint32_t slot, const acre_ray *ray);

static acre_culling *culling;
static uint32_t *slots;
static size_t capacity;

uint32_t pick(acre_camera camera, float mouse_x, float mouse_y, float width, float height,
              float finger_pixels, float units_of_a_pixel);
uint32_t pick(acre_camera camera, float mouse_x, float mouse_y, float width, float height,
              float finger_pixels, float units_of_a_pixel)
{
#include "selecting_1.inc"
#include "selecting_2.inc"
    return picked;
}

size_t select_rectangle(acre_camera camera, float left, float top, float right, float bottom);
size_t select_rectangle(acre_camera camera, float left, float top, float right, float bottom)
{
    size_t count;
#include "selecting_3.inc"
    return count;
}
