// SPDX-License-Identifier: MIT
// npm_instances.c - instances of one shape, as graphics cards draw them: boxes from matrices, and
// the matrices of those that are visible.
#include "npm_export.h"
#include <acre/bounds.h>
#include <acre/quadtree.h>
#include <acre/view.h>
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Four floats; without SIMD the compiler makes four operations of one.
typedef float lanes __attribute__((vector_size(16), aligned(4)));
typedef int32_t mask __attribute__((vector_size(16)));

static lanes load(const float *floats)
{
    lanes result;
    memcpy(&result, floats, sizeof result);
    return result;
}

static lanes magnitude(lanes a)
{
    return (lanes)((mask)a & 0x7fffffff);
}

static lanes splat(float a)
{
    return (lanes){a, a, a, a};
}

static void split(const acre_aabb *local, lanes *center, lanes *extent)
{
    for (int axis = 0; axis < 3; axis++) {
        const float middle = 0.5f * local->min[axis] + 0.5f * local->max[axis];
        const float above = local->max[axis] - middle, below = middle - local->min[axis];
        center[axis] = splat(middle);
        extent[axis] = splat(above > below ? above : below);
    }
}

// The box around a box that a matrix moves, by its middle and half size (Arvo 1990). Sums of four
// products in floats are off by less than 2^-22 of the sum of their magnitudes, and so is the half
// size; the box is wider by 2^-20 of both, so that it holds the exact one.
// @return whether it is finite
static bool enclose(const float *matrix, const lanes *center, const lanes *extent, float *out)
{
    const lanes x = load(matrix), y = load(matrix + 4), z = load(matrix + 8);
    const lanes w = load(matrix + 12);
    const lanes px = x * center[0], py = y * center[1], pz = z * center[2];
    const lanes middle = ((px + py) + pz) + w;
    const lanes half =
        (magnitude(x) * extent[0] + magnitude(y) * extent[1]) + magnitude(z) * extent[2];
    const lanes sum = ((magnitude(px) + magnitude(py)) + (magnitude(pz) + magnitude(w))) + half;
    const lanes wide = half + sum * splat(0x1p-20f);
    const lanes low = middle - wide, high = middle + wide;
    memcpy(out, &low, sizeof low);
    memcpy(out + 3, &high, sizeof high); // over low's fourth float
    const lanes zero = (low - low) + (high - high);
    return zero[0] == 0 && zero[1] == 0 && zero[2] == 0;
}

// Writes the boxes of count matrices: matrix rows[i], or i where rows is NULL, moves box
// shapes[row] of locals, or the first where shapes is NULL. What lies behind the last box is
// overwritten, four bytes. bad receives the rows whose matrices give no finite box.
// @return how many those are.
size_t NPM_EXPORT(npm_boxes_of)(const acre_aabb *locals, const uint32_t *shapes,
                                const float *matrices, const uint32_t *rows, size_t count,
                                float *boxes, uint32_t *bad)
{
    size_t bad_count = 0;
    lanes center[3], extent[3];
    if (shapes == NULL) {
        split(locals, center, extent);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t row = rows == NULL ? i : rows[i];
        if (shapes != NULL) {
            split(&locals[shapes[row]], center, extent);
        }
        bad[bad_count] = row;
        bad_count += !enclose(matrices + 16 * row, center, extent, boxes + 6 * i);
    }
    return bad_count;
}

// Copies rows of `floats` floats each: out's row i is row rows[i].
void NPM_EXPORT(npm_gather)(const float *from, size_t floats, const uint32_t *rows, size_t count,
                            float *out)
{
    for (size_t i = 0; i < count; i++) {
        const float *row = from + floats * rows[i];
        if (floats == 16) {
            memcpy(out + 16 * i, row, 64);
        } else {
            memcpy(out + floats * i, row, floats * sizeof *out);
        }
    }
}

// Appends to `rows` those of `more` whose mark is not set, and sets it.
// @return how many rows there are then.
size_t NPM_EXPORT(npm_add_unmarked)(uint8_t *marks, uint32_t *rows, size_t count,
                                    const uint32_t *more, size_t more_count)
{
    for (size_t i = 0; i < more_count; i++) {
        rows[count] = more[i];
        count += marks[more[i]] == 0;
        marks[more[i]] = 1;
    }
    return count;
}

enum { NO_LEVEL = 255 };

// What decides about levels of detail, as instances.js writes it.
typedef struct npm_sizes {
    float eye[3], pixels, hysteresis;
    uint32_t is_parallel;
    float lod_pixels[ACRE_LOD_LIMITS];
} npm_sizes;
static_assert(sizeof(npm_sizes) == 52, "instances.js writes thirteen words");

// Sorts rows by their levels of detail (acre_view_test_rules); those of a level keep their order.
// levels: of each row the level that it had when it was seen last, 255 for none; receives the new
// ones. starts: where the rows of each of 8 levels begin, and where the last ones end.
void NPM_EXPORT(npm_sort_by_level)(const acre_quadtree *tree, const npm_sizes *sizes,
                                   const uint32_t *rows, size_t count, uint8_t *levels,
                                   uint32_t *out, uint32_t *starts)
{
    acre_view view = {.eye = {sizes->eye[0], sizes->eye[1], sizes->eye[2]},
                      .pixels = sizes->pixels,
                      .is_parallel = sizes->is_parallel != 0,
                      .hysteresis = sizes->hysteresis};
    acre_visibility_rule rule = {0};
    memcpy(rule.lod_pixels, sizes->lod_pixels, sizeof rule.lod_pixels);
    memset(starts, 0, (ACRE_LOD_LIMITS + 2) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        acre_aabb box = {0};
        uint32_t lod = 0;
        const uint32_t last = levels[i];
        (void)acre_quadtree_get_box(tree, rows[i], &box);
        acre_view_test_rules(&view, &rule, &box, last == NO_LEVEL ? NULL : &last, &lod);
        levels[i] = lod;
        starts[lod + 1]++;
    }
    for (size_t level = 1; level < ACRE_LOD_LIMITS + 2; level++) {
        starts[level] += starts[level - 1];
    }
    uint32_t places[ACRE_LOD_LIMITS + 1];
    memcpy(places, starts, sizeof places);
    for (size_t i = 0; i < count; i++) {
        out[places[levels[i]]++] = rows[i];
    }
}
