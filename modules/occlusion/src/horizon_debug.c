// SPDX-License-Identifier: MIT
// horizon_debug.c - draws what a horizon's columns block, as a ring around the eye.
#include "horizon_internal.h"

#include <math.h>

#define RING_DEPTH 10.0f
#define STEEPEST_DRAWN 4.0f // columns that are blocked without end are cut off here
#define RING_COLOR 0xff9020ffu

// The place of a slope on a column's line.
static void place_on_ring(const acre_horizon *horizon, uint32_t side, float u, float slope,
                          float *out)
{
    const float v = u * RING_DEPTH, *const eye = horizon->columns.eye;
    const float d = side < 2 ? RING_DEPTH : -RING_DEPTH;
    const float x = side % 2 == 0 ? d : side == 1 ? -v : v;
    const float z = side % 2 == 1 ? d : side == 0 ? v : -v;
    const float drawn = fmaxf(-STEEPEST_DRAWN, fminf(STEEPEST_DRAWN, slope));
    out[0] = eye[0] + x;
    out[1] = eye[1] + drawn * RING_DEPTH;
    out[2] = eye[2] + z;
}

void acre_horizon_debug_draw(const acre_horizon *horizon, const acre_debug_draw *draw)
{
    if (!horizon || !draw || !draw->line || !access_begin_read(&horizon->access)) {
        return;
    }
    const horizon_columns *const columns = &horizon->columns;
    for (uint32_t i = 0; i < HORIZON_SIDES * columns->count; i++) {
        const uint32_t side = i / columns->count, at = i % columns->count;
        const float u = ((float)at + 0.5f) / (0.5f * (float)columns->count) - 1;
        if (columns->low[i] <= columns->high[i]) {
            float from[3], to[3];
            place_on_ring(horizon, side, u, columns->low[i], from);
            place_on_ring(horizon, side, u, columns->high[i], to);
            draw->line(draw->user, from, to, RING_COLOR);
        }
    }
    access_end_read(&horizon->access);
}
