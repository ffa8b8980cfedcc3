// SPDX-License-Identifier: MIT
// quadtree_place.c - the level for a size, the cell for a center, loose bounds: the loose
// quadtree's idea.
#include "quadtree_place.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool acre_grid_create(ground_grid *out, cell *root, const float *center, float half_size,
                      uint32_t max_depth)
{
    // In this range, cell and 1 / cell are normal floats at every depth.
    if (!float_is_finite(center[0]) || !float_is_finite(center[1]) ||
        !(half_size >= 0x1p-80f && half_size <= 0x1p+100f)) {
        return false;
    }
    int exponent;
    const double side = 2.0 * (double)half_size;
    const double fraction = frexp(ldexp(side, -(int)max_depth), &exponent);
    const double finest = ldexp(1.0, fraction > 0.5 ? exponent : exponent - 1);
    *root = (cell){0, 0, max_depth};
    out->cell = (float)finest;
    out->inverse = (float)(1.0 / finest);
    for (int axis = 0; axis < 2; axis++) {
        const double low = (double)center[axis] - (double)half_size;
        const double origin = floor(low / finest) * finest;
        out->origin[axis] = (float)origin;
        if ((double)out->origin[axis] > low) {
            out->origin[axis] = nextafterf(out->origin[axis], -INFINITY);
        }
        while (root->level < MAX_LEVEL &&
               (double)out->origin[axis] + ldexp(finest, (int)root->level) < low + side) {
            root->level++;
        }
    }
    return float_is_finite(out->origin[0]) && float_is_finite(out->origin[1]);
}

// high - low, or the next double above it if the difference was rounded down. The error is that of
// Knuth's two-difference.
static double size_up(float low, float high)
{
    const double a = (double)high, b = (double)low;
    const double difference = a - b;
    const double b_used = difference - a;
    const double error = (a - (difference - b_used)) - (b + b_used);
    return error > 0.0 ? nextafter(difference, (double)INFINITY) : difference;
}

// The larger side of a box along x and z, not rounded down.
static double ground_size(const row_box *box)
{
    const double x = size_up(box->row[ROW_X_MIN], box->row[ROW_X_MAX]);
    const double z = size_up(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX]);
    return x > z ? x : z;
}

// The lowest level whose cells are at least as wide as a number of finest cells: the logarithm
// rounded up, from the bits of the double. There is no branch, as sizes come in no order.
static uint32_t level_of_width(double cells)
{
    const double width = cells > 1.0 ? cells : 1.0;
    uint64_t bits;
    memcpy(&bits, &width, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    return (uint32_t)(bits >> 52) - 1023 + (fraction != 0);
}

static uint32_t level_of_box(const ground_grid *grid, const row_box *box)
{
    const uint32_t level = level_of_size(grid, box->row[ROW_X_MAX] - box->row[ROW_X_MIN],
                                         box->row[ROW_Z_MAX] - box->row[ROW_Z_MIN]);
    return level & LEVEL_CLOSE ? level_of_width(ground_size(box) * (double)grid->inverse) : level;
}

placement acre_grid_place(const ground_grid *grid, const row_box *box)
{
    // A center that is not finite has an index out of reach. y has no index, so it is tested here.
    placement place = {.is_outlier =
                           !((box->row[ROW_Y_MIN] >= -FLT_MAX) & (box->row[ROW_Y_MAX] <= FLT_MAX))};
    place.x = grid_index(grid, 0, box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]));
    place.z = grid_index(grid, 1, box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX]));
    const cell reach = {-(1 << MAX_LEVEL), -(1 << MAX_LEVEL), MAX_LEVEL + 1};
    place.is_outlier |= !cell_holds(&reach, place.x, place.z);
    if (place.is_outlier) {
        return place;
    }
    place.level = level_of_box(grid, box);
    place.is_outlier = place.level > MAX_LEVEL;
    return place;
}

float acre_grid_cell_size(const ground_grid *grid, uint32_t level)
{
    ACRE_INVARIANT(level <= MAX_LEVEL);
    return grid->cell * (float)(1u << level);
}

bool acre_grid_fits_level(const ground_grid *grid, const row_box *box, uint32_t level)
{
    return ground_size(box) <= (double)acre_grid_cell_size(grid, level);
}

static float round_toward_minus(double value)
{
    const float nearest = (float)value;
    return (double)nearest > value ? nextafterf(nearest, -INFINITY) : nearest;
}

static bool is_first_center(const ground_grid *grid, int axis, float center, int32_t index)
{
    return grid_index(grid, axis, center) >= index &&
           grid_index(grid, axis, nextafterf(center, -INFINITY)) < index;
}

float acre_grid_first_center(const ground_grid *grid, int axis, int32_t index)
{
    // A center half a float below the border is the first whose distance rounds up to the border.
    const float border = (float)index * grid->cell;
    const double half_way = 0.5 * ((double)border + (double)nextafterf(border, -INFINITY));
    const float first = -round_toward_minus(-((double)grid->origin[axis] + half_way));
    const float second = nextafterf(first, INFINITY);
    if (is_first_center(grid, axis, first, index)) {
        return first;
    }
    return is_first_center(grid, axis, second, index) ? second : NAN;
}

bool acre_bands_create(height_bands *out, float low, float high, float width)
{
    const double span = (double)high - (double)low;
    if (!(span > (double)width)) {
        return false;
    }
    // Four of these bands are as high as the span or higher, at most twice as high. If the span
    // begins inside a band it may still touch five.
    int exponent;
    const double fraction = frexp(span, &exponent);
    double height = ldexp(1.0, fraction > 0.5 ? exponent - 2 : exponent - 3);
    if (floor((double)high / height) - floor((double)low / height) > 3.0) {
        height *= 2.0;
    }
    out->base = (float)(floor((double)low / height) * height);
    out->height = (float)height;
    return float_is_finite(out->base) && float_is_finite(4.0f * out->height);
}

static double larger_of(double a, double b)
{
    return a > b ? a : b;
}

// A cell grown by a share of its size, and by a share of its coordinates against rounding.
static row_box grown_cell(const ground_grid *grid, const cell *square, double share,
                          double error_share)
{
    const int32_t corner[2] = {square->x, square->z};
    const double size = (double)acre_grid_cell_size(grid, square->level);
    row_box box = {{0}};
    for (int axis = 0; axis < 2; axis++) {
        const double low = (double)corner[axis] * (double)grid->cell;
        const double high = low + size;
        const double origin = (double)grid->origin[axis];
        const double world = larger_of(fabs(origin + low), fabs(origin + high));
        const double error = error_share * (world + larger_of(fabs(low), fabs(high)));
        const double grow = share * size + error + (error > 0.0 ? 2.0 * (double)FLT_MIN : 0.0);
        box.row[axis * 4] = round_toward_minus(origin + low - grow);
        box.row[axis * 4 + 1] = -round_toward_minus(-(origin + high + grow));
    }
    return box;
}

row_box acre_grid_strict_bounds(const ground_grid *grid, const cell *square)
{
    return grown_cell(grid, square, 0.0, 0.0);
}

// Why they hold every item of the cell. With u = 2^-24, rounding moves an item's center by at most
// u |center| and its distance from the origin by at most u |distance|; both are largest at a
// corner. Twice that also covers the rounding of the doubles above, and 2 FLT_MIN the halving of
// denormals. Half the item's size is at most half the cell, exactly. The margin grows with the
// cell, so a child's loose bounds lie in its parent's.
row_box acre_grid_loose_bounds(const ground_grid *grid, const cell *square)
{
    row_box box = grown_cell(grid, square, 0.5, 0x1p-23);
    box.row[ROW_Y_MIN] = -FLT_MAX;
    box.row[ROW_Y_MAX] = FLT_MAX;
    return box;
}

bool acre_rows_are_ordered(const row_box *box)
{
    bool ordered = true;
    for (int i = 0; i < ROW_COUNT; i += 2) {
        const float low = box->row[i], high = box->row[i + 1];
        const bool is_number = !float_is_nan(low) && !float_is_nan(high);
        ordered &= is_number && float_order(low) <= float_order(high);
    }
    return ordered;
}
