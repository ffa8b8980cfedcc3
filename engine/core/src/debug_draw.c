// SPDX-License-Identifier: MIT
// debug_draw.c - hands boxes and texts to a back end as it can take them.
#include <acre/debug_draw.h>

#include "assert_internal.h"
#include "float_bits.h"

#include <math.h>

static bool is_wanted(const acre_debug_draw *draw, uint32_t kind, const acre_aabb *box)
{
    const bool is_of_kind = kind == 0 || draw->flags == 0 || (draw->flags & kind) != 0;
    const acre_aabb *const area = draw->area;
    return is_of_kind && (!area || (box->min[0] <= area->max[0] && box->max[0] >= area->min[0] &&
                                    box->min[2] <= area->max[2] && box->max[2] >= area->min[2]));
}

static void announce_kind(const acre_debug_draw *draw, uint32_t kind)
{
    if (draw->kind && kind != 0) {
        draw->kind(draw->user, kind);
    }
}

static float finite_edge(float edge, float of_area)
{
    return float_is_finite(edge) ? edge : of_area;
}

// The box with finite edges. @return false where not even the area has them.
static bool cut_to_area(const acre_debug_draw *draw, const acre_aabb *box, acre_aabb *out)
{
    *out = *box;
    for (int axis = 0; draw->area && axis < 3; axis++) {
        out->min[axis] = finite_edge(box->min[axis], draw->area->min[axis]);
        out->max[axis] = finite_edge(box->max[axis], draw->area->max[axis]);
    }
    return acre_aabb_is_finite(out);
}

// Corner i has bit 0 for the upper x, bit 1 for the upper y, bit 2 for the upper z.
static void corner_of(const acre_aabb *box, int corner, float *out)
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = corner >> axis & 1 ? box->max[axis] : box->min[axis];
    }
}

// An edge leads from a corner without an axis' bit to the one with it.
static void draw_edges(const acre_debug_draw *draw, const acre_aabb *box, uint32_t rgba)
{
    const int up = 1 << 1;
    const bool is_flat = box->min[1] == box->max[1];
    for (int corner = 0; corner < 8; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            const int bit = 1 << axis;
            if ((corner & bit) || (is_flat && ((corner & up) || bit == up))) {
                continue;
            }
            float from[3], to[3];
            corner_of(box, corner, from);
            corner_of(box, corner | bit, to);
            draw->line(draw->user, from, to, rgba);
        }
    }
}

void acre_debug_draw_box(const acre_debug_draw *draw, uint32_t kind, const acre_aabb *box,
                         uint32_t rgba)
{
    ACRE_ASSERT(draw && box);
    ACRE_ASSERT((kind & (kind - 1u)) == 0);
    if (!draw || !box || !acre_aabb_is_valid(box) || !is_wanted(draw, kind, box)) {
        return;
    }
    acre_aabb cut;
    if (draw->box) {
        announce_kind(draw, kind);
        draw->box(draw->user, box, rgba);
    } else if (draw->line && cut_to_area(draw, box, &cut)) {
        announce_kind(draw, kind);
        draw_edges(draw, &cut, rgba);
    }
}

void acre_debug_draw_text(const acre_debug_draw *draw, uint32_t kind, const float *at,
                          const char *text, uint32_t rgba)
{
    ACRE_ASSERT(draw && at && text);
    ACRE_ASSERT((kind & (kind - 1u)) == 0);
    if (!draw || !at || !text || !draw->text || !floats_are_finite(at, 3)) {
        return;
    }
    const acre_aabb place = {{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
    if (is_wanted(draw, kind, &place)) {
        announce_kind(draw, kind);
        draw->text(draw->user, at, text, rgba);
    }
}
