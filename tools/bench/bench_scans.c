// SPDX-License-Identifier: MIT
// bench_scans.c - the scans of bench_scans.h, compiled once for each instruction set.
#include "bench_scans.h"

#include "bench_scan_lanes.h"

#include <math.h>

// Squares of distances that are rounded may be so much too large.
#define SCAN_ROUNDING (1.0f + 0x1p-18f)
// By what distances along a slab may be, meters and a share.
#define SCAN_SLAB_MARGIN 0.05f
#define SCAN_SLAB_SHARE 0x1p-16f

// Of the boxes of the vector that begins at `base`, those below count, as a mask.
static inline uint32_t present(size_t count, size_t base)
{
    const size_t rest = count > base ? count - base : 0;
    return (1u << (rest < LANES ? rest : LANES)) - 1u;
}

static inline lanes scan_low(const scan_boxes *boxes, int axis, size_t at)
{
    return lanes_load(boxes->edges[axis] + at);
}

static inline lanes scan_high(const scan_boxes *boxes, int axis, size_t at)
{
    return lanes_load(boxes->edges[3 + axis] + at);
}

static size_t find_in_box(const scan_boxes *boxes, const acre_aabb *box, size_t enough,
                          uint32_t *items)
{
    size_t found = 0;
    for (size_t at = 0; at < boxes->count && found < enough; at += LANES) {
        choice touches = lanes_up_to(scan_low(boxes, 0, at), lanes_all(box->max[0]));
        touches = choice_and(touches, lanes_up_to(lanes_all(box->min[0]), scan_high(boxes, 0, at)));
        for (int axis = 1; axis < 3; axis++) {
            const lanes low = scan_low(boxes, axis, at), high = scan_high(boxes, axis, at);
            touches = choice_and(touches, lanes_up_to(low, lanes_all(box->max[axis])));
            touches = choice_and(touches, lanes_up_to(lanes_all(box->min[axis]), high));
        }
        const uint32_t bits = choice_bits(touches) & present(boxes->count, at);
        if (bits) {
            found += lanes_append(items + found, at, bits);
        }
    }
    return found;
}

// How far values low..high of one axis are from the boxes.
static inline lanes scan_gap(const scan_boxes *boxes, int axis, size_t at, lanes low, lanes high)
{
    const lanes below = lanes_sub(scan_low(boxes, axis, at), high);
    const lanes above = lanes_sub(low, scan_high(boxes, axis, at));
    return lanes_max(lanes_max(below, above), lanes_all(0.0f));
}

static inline lanes scan_square(lanes v)
{
    return lanes_mul(v, v);
}

static size_t find_in_round(const scan_boxes *boxes, const scan_round *round, uint32_t *items,
                            uint32_t *doubtful, size_t *doubtful_count)
{
    const float inner = round->radius * (1.0f - SCAN_DOUBT);
    const float outer = round->radius * (1.0f + SCAN_DOUBT);
    const lanes certain = lanes_all(inner * inner), possible = lanes_all(outer * outer);
    const lanes x = lanes_all(round->center[0]), y = lanes_all(round->center[1]);
    const lanes z = lanes_all(round->center[2]);
    size_t found = 0, doubts = 0;
    for (size_t at = 0; at < boxes->count; at += LANES) {
        lanes square = scan_square(scan_gap(boxes, 0, at, x, x));
        square = lanes_add(square, scan_square(scan_gap(boxes, 2, at, z, z)));
        if (!round->is_flat) {
            square = lanes_add(square, scan_square(scan_gap(boxes, 1, at, y, y)));
        }
        const uint32_t near =
            choice_bits(lanes_up_to(square, possible)) & present(boxes->count, at);
        if (near) {
            const uint32_t inside = choice_bits(lanes_up_to(square, certain)) & near;
            found += lanes_append(items + found, at, inside);
            doubts += lanes_append(doubtful + doubts, at, near & ~inside);
        }
    }
    *doubtful_count = doubts;
    return found;
}

typedef struct scan_span {
    lanes enters, leaves;
} scan_span;

// Where the segment is in the boxes.
static inline scan_span enter_slab(const scan_boxes *boxes, const scan_slab *slab, size_t at)
{
    scan_span span = {lanes_all(slab->least), lanes_all(slab->most)};
    for (int axis = 0; axis < 3; axis++) {
        const lanes origin = lanes_all(slab->origin[axis]), reach = lanes_all(slab->reach[axis]);
        const lanes inverse = lanes_all(slab->inverse[axis]);
        const lanes low = lanes_sub(lanes_sub(scan_low(boxes, axis, at), origin), reach);
        const lanes high = lanes_add(lanes_sub(scan_high(boxes, axis, at), origin), reach);
        const lanes one = lanes_mul(low, inverse), other = lanes_mul(high, inverse);
        span.enters = lanes_max(lanes_min(one, other), span.enters);
        span.leaves = lanes_min(lanes_max(one, other), span.leaves);
    }
    return span;
}

static size_t find_on_slab(const scan_boxes *boxes, const scan_slab *slab, uint32_t *items)
{
    size_t found = 0;
    for (size_t at = 0; at < boxes->count; at += LANES) {
        const scan_span span = enter_slab(boxes, slab, at);
        const uint32_t bits =
            choice_bits(lanes_up_to(span.enters, span.leaves)) & present(boxes->count, at);
        if (bits) {
            found += lanes_append(items + found, at, bits);
        }
    }
    return found;
}

// How far the p-vertices of a vector are in front of the plane, whose numbers are spread in n.
static inline lanes side_of(const scan_plane *plane, const lanes *n, size_t at)
{
    const lanes x = lanes_mul(n[0], lanes_load(plane->edges[0] + at));
    const lanes y = lanes_mul(n[1], lanes_load(plane->edges[1] + at));
    const lanes z = lanes_mul(n[2], lanes_load(plane->edges[2] + at));
    return lanes_add(lanes_add(lanes_add(x, y), z), n[3]);
}

// Of SCAN_VECTORS vectors the boxes that no plane hides.
static inline void see(const scan_planes *planes, size_t count, size_t base, uint32_t *bits)
{
    const lanes zero = lanes_all(0.0f);
    choice visible[SCAN_VECTORS];
    for (size_t v = 0; v < SCAN_VECTORS; v++) {
        visible[v] = lanes_up_to(zero, zero);
    }
    for (uint32_t i = 0; i < planes->plane_count; i++) {
        const scan_plane *const plane = &planes->planes[i];
        const float *const p = plane->plane;
        const lanes n[4] = {lanes_all(p[0]), lanes_all(p[1]), lanes_all(p[2]), lanes_all(p[3])};
        for (size_t v = 0; v < SCAN_VECTORS; v++) {
            const lanes side = side_of(plane, n, base + v * LANES);
            visible[v] = choice_unless_below(visible[v], side, zero);
        }
    }
    for (size_t v = 0; v < SCAN_VECTORS; v++) {
        bits[v] = choice_bits(visible[v]) & present(count, base + v * LANES);
    }
}

// Drops those that lie wholly in what is excluded.
static inline void keep_outside(const scan_planes *planes, size_t base, uint32_t *bits)
{
    const lanes zero = lanes_all(0.0f);
    for (size_t v = 0; v < SCAN_VECTORS && planes->excluded_count; v++) {
        choice inside = lanes_up_to(zero, zero);
        for (uint32_t i = 0; i < planes->excluded_count; i++) {
            const scan_plane *const plane = &planes->excluded[i];
            const float *const p = plane->plane;
            const lanes n[4] = {lanes_all(p[0]), lanes_all(p[1]), lanes_all(p[2]), lanes_all(p[3])};
            inside = choice_and(inside, lanes_up_to(zero, side_of(plane, n, base + v * LANES)));
        }
        bits[v] &= ~choice_bits(inside);
    }
}

static size_t find_in_planes(const scan_boxes *boxes, const scan_planes *planes, size_t enough,
                             uint32_t *items)
{
    size_t found = 0;
    for (size_t base = 0; base < boxes->count && found < enough; base += LANES * SCAN_VECTORS) {
        uint32_t bits[SCAN_VECTORS];
        see(planes, boxes->count, base, bits);
        keep_outside(planes, base, bits);
        for (size_t v = 0; v < SCAN_VECTORS; v++) {
            const size_t at = base + v * LANES;
            if (planes->layers) {
                bits[v] &= lanes_share_bit(planes->layers + at, planes->mask);
            }
            found += lanes_append(items + found, at, bits[v]);
        }
    }
    return found;
}

static size_t find_in_frustum(const scan_boxes *boxes, const scan_planes *planes, uint32_t *items)
{
    size_t found = 0;
    for (size_t base = 0; base < boxes->count; base += LANES * SCAN_VECTORS) {
        uint32_t bits[SCAN_VECTORS];
        see(planes, boxes->count, base, bits);
        for (size_t v = 0; v < SCAN_VECTORS; v++) {
            found += lanes_append(items + found, base + v * LANES, bits[v]);
        }
    }
    return found;
}

static inline lanes scan_distance_square(const scan_boxes *boxes, const acre_aabb *origin,
                                         size_t at)
{
    lanes square = lanes_all(0.0f);
    for (int axis = 0; axis < 3; axis++) {
        const lanes low = lanes_all(origin->min[axis]), high = lanes_all(origin->max[axis]);
        square = lanes_add(square, scan_square(scan_gap(boxes, axis, at, low, high)));
    }
    return square;
}

// Offers one after the other, with the limit of the last one: most of a vector is not offered.
static inline float scan_offer(const scan_hits *hits, size_t at, uint32_t bits, float limit)
{
    for (; bits; bits &= bits - 1) {
        limit = hits->offer(hits->user, (uint32_t)at + (uint32_t)__builtin_ctz(bits));
    }
    return limit;
}

static void find_nearest(const scan_boxes *boxes, const acre_aabb *origin, const scan_hits *hits)
{
    float limit = hits->limit;
    for (size_t at = 0; at < boxes->count; at += LANES) {
        const lanes square = scan_distance_square(boxes, origin, at);
        const lanes most = lanes_all(limit * limit * SCAN_ROUNDING);
        const uint32_t bits = choice_bits(lanes_up_to(square, most)) & present(boxes->count, at);
        if (bits) {
            limit = scan_offer(hits, at, bits, limit);
        }
    }
}

static void find_nearest_on_slab(const scan_boxes *boxes, const scan_slab *slab,
                                 const scan_hits *hits)
{
    float limit = hits->limit;
    for (size_t at = 0; at < boxes->count; at += LANES) {
        const scan_span span = enter_slab(boxes, slab, at);
        const float most = limit * (1.0f + SCAN_SLAB_SHARE) + SCAN_SLAB_MARGIN;
        const lanes leaves = lanes_min(span.leaves, lanes_all(most));
        const uint32_t bits =
            choice_bits(lanes_up_to(span.enters, leaves)) & present(boxes->count, at);
        if (bits) {
            limit = scan_offer(hits, at, bits, limit);
        }
    }
}

// Tests each box against those that begin in x before it ends.
static size_t sweep(const sweep_boxes *boxes, acre_pair *pairs, size_t capacity)
{
    float *const *const edges = boxes->edges;
    const uint32_t all = (uint32_t)((1ull << LANES) - 1);
    size_t found = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        lanes least[3], most[3];
        for (int axis = 0; axis < 3; axis++) {
            least[axis] = lanes_all(edges[axis][i]);
            most[axis] = lanes_all(edges[3 + axis][i]);
        }
        uint32_t run = all;
        for (size_t j = i + 1; run == all && j < boxes->count; j += LANES) {
            const choice in_run = lanes_up_to(lanes_load(edges[0] + j), most[0]);
            choice overlap = in_run;
            for (int axis = 1; axis < 3; axis++) {
                overlap = choice_and(overlap, lanes_up_to(lanes_load(edges[axis] + j), most[axis]));
                overlap =
                    choice_and(overlap, lanes_up_to(least[axis], lanes_load(edges[3 + axis] + j)));
            }
            run = choice_bits(in_run);
            for (uint32_t hits = choice_bits(overlap); hits; hits &= hits - 1) {
                if (found < capacity) {
                    const size_t other = j + (size_t)__builtin_ctz(hits);
                    pairs[found] = sweep_pair(boxes->items[i], boxes->items[other]);
                }
                found++;
            }
        }
    }
    return found;
}

const scan_set SCAN_SET = {find_in_box,    find_in_round, find_on_slab,         find_in_frustum,
                           find_in_planes, find_nearest,  find_nearest_on_slab, sweep};
