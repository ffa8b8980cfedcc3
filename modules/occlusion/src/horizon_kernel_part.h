// SPDX-License-Identifier: MIT
// horizon_kernel_part.h - the part of all kernels that is the same: see horizon_kernel.h.
#ifndef LANES
#error "horizon_kernel_SET.c include this behind their lanes"
#endif

#include "assert_internal.h"
#include "bits_internal.h"

#include <math.h>

// ---- columns ----

// LANES columns side by side: the middle of each as u, and whether a part covers it.
typedef struct column_lanes {
    floats u;
    choice are_covered;
} column_lanes;

// The values that all columns of a part share. They are computed once, as a compiler would divide
// again after each store to the columns.
typedef struct part_lanes {
    floats width, first, end;
} part_lanes;

static inline part_lanes lanes_of_part(const horizon_columns *columns, const horizon_part *part)
{
    return (part_lanes){.width = floats_all(2.0f / (float)columns->count),
                        .first = floats_all((float)part->first),
                        .end = floats_all((float)part->end)};
}

static inline column_lanes lanes_of_columns(const part_lanes *part, uint32_t first)
{
    static const float middles[8] = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
    const floats middle = floats_add(floats_all((float)first), floats_load(middles));
    return (column_lanes){.u = floats_sub(floats_mul(middle, part->width), floats_all(1)),
                          .are_covered = choice_and(floats_less(part->first, middle),
                                                    floats_less(middle, part->end))};
}

// Bounds of 1 / depth in a column.
typedef struct inverse_depth {
    floats least, most;
} inverse_depth;

static inline inverse_depth inverse_of_line(const horizon_line *line, floats u)
{
    const floats rise = floats_mul(floats_all(line->slope), u);
    return (inverse_depth){floats_add(rise, floats_all(line->least)),
                           floats_add(rise, floats_all(line->most))};
}

static inline floats least_of_line(const horizon_line *line, floats u)
{
    return floats_add(floats_mul(floats_all(line->slope), u), floats_all(line->least));
}

static inline inverse_depth entry_of(const horizon_part *part, floats u)
{
    inverse_depth entry = inverse_of_line(&part->front[0], u);
    for (uint32_t k = 1; k < part->front_count; k++) {
        const inverse_depth line = inverse_of_line(&part->front[k], u);
        entry.least = floats_min(line.least, entry.least);
        entry.most = floats_min(line.most, entry.most);
    }
    return entry;
}

static inline inverse_depth exit_of(const horizon_part *part, floats u)
{
    inverse_depth leave = inverse_of_line(&part->back[0], u);
    for (uint32_t k = 1; k < part->back_count; k++) {
        const inverse_depth line = inverse_of_line(&part->back[k], u);
        leave.least = floats_max(line.least, leave.least);
        leave.most = floats_max(line.most, leave.most);
    }
    return leave;
}

// An interval of slopes whose rays are stopped at a depth of at most 1 / inverse.
typedef struct blocked_slopes {
    floats low, high, inverse;
} blocked_slopes;

// The union of two intervals that overlap. All its rays are stopped at the depth of one that holds
// the other; where neither does, at the farther depth.
static inline blocked_slopes union_of(const blocked_slopes *a, const blocked_slopes *b)
{
    const choice a_holds_b =
        choice_and(floats_not_above(a->low, b->low), floats_not_above(b->high, a->high));
    const choice b_holds_a =
        choice_and(floats_not_above(b->low, a->low), floats_not_above(a->high, b->high));
    const floats nearer = floats_max(a->inverse, b->inverse);
    const floats farther = floats_min(a->inverse, b->inverse);
    return (blocked_slopes){
        .low = floats_min(a->low, b->low),
        .high = floats_max(a->high, b->high),
        .inverse = floats_choose(a_holds_b, floats_choose(b_holds_a, nearer, a->inverse),
                                 floats_choose(b_holds_a, b->inverse, farther))};
}

// Whether the union of two intervals that overlap differs from the second one.
static inline choice adds_to(const blocked_slopes *a, const blocked_slopes *before)
{
    const choice is_longer =
        choice_or(floats_less(a->low, before->low), floats_less(before->high, a->high));
    const choice holds_it =
        choice_and(floats_not_above(a->low, before->low), floats_not_above(before->high, a->high));
    return choice_or(is_longer, choice_and(holds_it, floats_less(before->inverse, a->inverse)));
}

// How far an interval is from slope 0, where all that is far away gathers. Empty: infinitely far.
static inline floats away_from_level(const blocked_slopes *slopes)
{
    const floats zero = floats_all(0);
    return floats_max(floats_max(slopes->low, floats_sub(zero, slopes->high)), zero);
}

// Merges an interval into columns, where it holds anything. One that is apart from what is there
// replaces it if it is nearer to slope 0: the gap between the two is never blocked.
static inline uint32_t merge_slopes(const horizon_columns *columns, size_t at,
                                    const blocked_slopes *slopes, choice where)
{
    const blocked_slopes before = {floats_load(columns->low + at), floats_load(columns->high + at),
                                   floats_load(columns->inverse + at)};
    const choice holds = choice_and(floats_less(slopes->low, slopes->high),
                                    floats_less(floats_all(0), slopes->inverse));
    const choice overlap = choice_and(floats_not_above(slopes->low, before.high),
                                      floats_not_above(before.low, slopes->high));
    const choice is_nearer = floats_less(away_from_level(slopes), away_from_level(&before));
    // One that overlaps and adds nothing lies within, and so is not nearer.
    const choice put =
        choice_and(choice_and(where, holds),
                   choice_or(choice_and(overlap, adds_to(slopes, &before)), is_nearer));
    const uint32_t changed = choice_bits(put);
    if (changed == 0) {
        return 0;
    }
    const blocked_slopes both = union_of(slopes, &before);
    const floats low = floats_choose(overlap, both.low, slopes->low);
    const floats high = floats_choose(overlap, both.high, slopes->high);
    const floats inverse = floats_choose(overlap, both.inverse, slopes->inverse);
    floats_store(columns->low + at, floats_choose(put, low, before.low));
    floats_store(columns->high + at, floats_choose(put, high, before.high));
    floats_store(columns->inverse + at, floats_choose(put, inverse, before.inverse));
    return changed;
}

// The slopes that a part blocks. A ray that comes in over the top may still meet the roof before
// the exit, and one from below the underside: where either is seen, rays are blocked at the depth
// of the exit. Where the exit is more than twice as deep as the entry only the front counts, so
// that a long bridge does not spoil the columns for what stands before its far end.
static inline blocked_slopes slopes_of_part(const horizon_part *part, inverse_depth entry, floats u)
{
    inverse_depth last = entry;
    if (part->back_count > 0) {
        const inverse_depth leave = exit_of(part, u);
        const choice is_deep = floats_less(floats_add(leave.least, leave.least), entry.least);
        last.least = floats_choose(is_deep, entry.least, leave.least);
        last.most = floats_choose(is_deep, entry.most, leave.most);
    }
    return (blocked_slopes){
        .low = floats_mul(part->bottom > 0 ? last.most : entry.least, floats_all(part->bottom)),
        .high = floats_mul(part->top < 0 ? last.most : entry.least, floats_all(part->top)),
        .inverse = last.least};
}

// Where a wall begins no farther than the edge of the slab that it stands on, no ray passes between
// the two; the same under a ceiling.
static inline void close_gaps(const horizon_columns *columns, const horizon_part *part, size_t at,
                              floats entry, blocked_slopes *slopes)
{
    if (part->is_on_floor) {
        const choice reaches = floats_not_above(floats_load(columns->floor + at), entry);
        slopes->low = floats_choose(reaches, floats_all(-INFINITY), slopes->low);
    }
    if (part->is_to_ceiling) {
        const choice reaches = floats_not_above(floats_load(columns->ceiling + at), entry);
        slopes->high = floats_choose(reaches, floats_all(INFINITY), slopes->high);
    }
}

static inline uint32_t raise_block(const horizon_columns *columns, const horizon_part *part,
                                   const part_lanes *all, uint32_t first)
{
    const column_lanes lanes = lanes_of_columns(all, first);
    const size_t at = (size_t)part->side * columns->count + first;
    const inverse_depth entry = entry_of(part, lanes.u);
    blocked_slopes slopes = slopes_of_part(part, entry, lanes.u);
    close_gaps(columns, part, at, entry.least, &slopes);
    const choice is_before = floats_less(floats_all(0), entry.least);
    return merge_slopes(columns, at, &slopes, choice_and(lanes.are_covered, is_before));
}

// The frequent case, an occluder that stands on the ground and rises above the eye. Where all that
// is there stands as well, the union is the higher of the two, and of two that are as high the
// nearer one.
static uint32_t raise_standing(const horizon_columns *columns, const horizon_part *part)
{
    const floats lowest = floats_all(-INFINITY), zero = floats_all(0);
    const floats top = floats_all(part->top);
    ACRE_INVARIANT(part->top >= 0 && part->back_count == 0); // no roof and no underside is seen
    const horizon_line one = part->front[0], two = part->front[part->front_count > 1];
    const uint32_t front_count = part->front_count, count = columns->count, end = part->end;
    float *const lows = columns->low + (size_t)part->side * count;
    float *const highs = columns->high + (size_t)part->side * count;
    float *const inverses = columns->inverse + (size_t)part->side * count;
    const part_lanes all = lanes_of_part(columns, part);
    uint32_t changed = 0;
    for (uint32_t i = part->first & ~(LANES - 1u); i < end; i += LANES) {
        const column_lanes lanes = lanes_of_columns(&all, i);
        floats entry = floats_min(least_of_line(&two, lanes.u), least_of_line(&one, lanes.u));
        for (uint32_t k = 2; k < front_count; k++) {
            entry = floats_min(least_of_line(&part->front[k], lanes.u), entry);
        }
        const floats low = floats_load(lows + i), high = floats_load(highs + i);
        const floats inverse = floats_load(inverses + i), raised = floats_mul(entry, top);
        const choice where = choice_and(lanes.are_covered, floats_less(zero, entry));
        const choice stands = choice_or(floats_not_above(low, lowest), floats_less(high, low));
        if (choice_bits(where) & ~choice_bits(stands)) {
            changed |= raise_block(columns, part, &all, i);
            continue;
        }
        const choice is_nearer =
            choice_and(floats_not_above(high, raised), floats_less(inverse, entry));
        const choice put = choice_and(where, choice_or(floats_less(high, raised), is_nearer));
        if (choice_bits(put)) {
            floats_store(lows + i, floats_choose(put, lowest, low));
            floats_store(highs + i, floats_choose(put, raised, high));
            floats_store(inverses + i, floats_choose(put, entry, inverse));
            changed = 1;
        }
    }
    return changed;
}

static bool raise_columns(const horizon_columns *columns, const horizon_part *part)
{
    ACRE_INVARIANT(part->side < HORIZON_SIDES && part->front_count > 0);
    ACRE_INVARIANT(part->first < part->end && part->end <= columns->count);
    if (part->bottom == -INFINITY && part->top >= 0 && !part->is_to_ceiling) {
        return raise_standing(columns, part) != 0;
    }
    const part_lanes all = lanes_of_part(columns, part);
    uint32_t changed = 0;
    for (uint32_t i = part->first & ~(LANES - 1u); i < part->end; i += LANES) {
        changed |= raise_block(columns, part, &all, i);
    }
    return changed != 0;
}

static void lay_slab_edge(const horizon_columns *columns, const horizon_part *part, float *row)
{
    const part_lanes all = lanes_of_part(columns, part);
    ACRE_INVARIANT(part->side < HORIZON_SIDES && part->back_count > 0);
    for (uint32_t i = part->first & ~(LANES - 1u); i < part->end; i += LANES) {
        const column_lanes lanes = lanes_of_columns(&all, i);
        const size_t at = (size_t)part->side * columns->count + i;
        const floats leave = exit_of(part, lanes.u).most;
        floats_store(row + at, floats_choose(lanes.are_covered, leave, floats_load(row + at)));
    }
}

// ---- boxes ----

// Boxes relative to the eye.
typedef struct box_lanes {
    floats min[3], max[3];
    uint32_t below_floor, above_ceiling;
} box_lanes;

// Boxes turned to one side: nearest and farthest depth, and how far they reach across.
typedef struct turned_boxes {
    floats near_d, far_d, v0, v1;
} turned_boxes;

// Boxes as one side sees them.
typedef struct side_boxes {
    floats first, last; // columns
    floats low, high, inverse;
} side_boxes;

static inline floats negated(floats v)
{
    return floats_sub(floats_all(0), v);
}

// The greatest of value / depth, of which the nearest and the farthest 1 / depth are given.
static inline floats greatest_share(floats value, floats near_q, floats far_q)
{
    return floats_mul(value, floats_choose(floats_less(floats_all(0), value), near_q, far_q));
}

// Multiplies a positive number by one factor, and a negative one by the other.
static inline floats scaled_by_sign(floats value, float positive, float negative)
{
    return floats_mul(value, floats_choose(floats_less(floats_all(0), value), floats_all(positive),
                                           floats_all(negative)));
}

// The least |v| on a side, where it is positive.
static inline floats least_beside(const box_lanes *boxes, uint32_t side)
{
    const int across = side & 1 ? 0 : 2;
    return floats_max(boxes->min[across], negated(boxes->max[across]));
}

// The boxes that are on a side at all.
static inline uint32_t boxes_here(const box_lanes *boxes, uint32_t side)
{
    const int along = side & 1 ? 2 : 0;
    const floats far_d = side >= 2 ? negated(boxes->min[along]) : boxes->max[along];
    const floats reach = floats_mul(far_d, floats_all(1 + (float)SLOPE_MARGIN));
    return choice_bits(choice_and(floats_not_above(floats_all(0), far_d),
                                  floats_not_above(least_beside(boxes, side), reach)));
}

static inline turned_boxes turn_boxes(const box_lanes *boxes, uint32_t side)
{
    const int along = side & 1 ? 2 : 0, across = 2 - along;
    const bool is_backward = side >= 2, is_mirrored = side == 1 || side == 2;
    const floats d0 = is_backward ? negated(boxes->max[along]) : boxes->min[along];
    const floats d1 = is_backward ? negated(boxes->min[along]) : boxes->max[along];
    const floats v0 = is_mirrored ? negated(boxes->max[across]) : boxes->min[across];
    const floats v1 = is_mirrored ? negated(boxes->min[across]) : boxes->max[across];
    // |v| is at most d on this side
    return (turned_boxes){
        .near_d = floats_max(d0, least_beside(boxes, side)), .far_d = d1, .v0 = v0, .v1 = v1};
}

static inline side_boxes boxes_on_side(const horizon_columns *columns, const box_lanes *boxes,
                                       const turned_boxes *turned)
{
    const float more = 1 + (float)SLOPE_MARGIN, less = 1 - (float)SLOPE_MARGIN;
    const floats zero = floats_all(0), one = floats_all(1);
    const floats near_q = floats_div(one, turned->near_d), far_q = floats_div(one, turned->far_d);
    const floats half = floats_all(0.5f * (float)columns->count);
    const floats most = floats_all((float)(columns->count - 1)), margin = floats_all(COLUMN_MARGIN);
    const floats u0 = negated(greatest_share(negated(turned->v0), near_q, far_q));
    const floats u1 = greatest_share(turned->v1, near_q, far_q);
    const floats from = floats_sub(floats_add(floats_mul(u0, half), half), margin);
    const floats to = floats_add(floats_add(floats_mul(u1, half), half), margin);
    const floats high = greatest_share(boxes->max[1], near_q, far_q);
    const floats low = negated(greatest_share(negated(boxes->min[1]), near_q, far_q));
    return (side_boxes){.first = floats_min(floats_max(from, zero), most),
                        .last = floats_min(floats_max(to, zero), most),
                        .low = scaled_by_sign(low, less, more),
                        .high = scaled_by_sign(high, more, less),
                        .inverse = floats_mul(near_q, floats_all(more))};
}

// One box on one side.
typedef struct side_box {
    size_t first, last; // columns, in the rows
    float low, high, inverse;
    bool is_below_floor, is_above_ceiling;
} side_box;

// @param is_beyond_slab below the floor or above the ceiling. A constant: most boxes are beyond
// none, and their loop does not ask.
static inline choice columns_hide(const horizon_columns *columns, const side_box *box, size_t at,
                                  bool is_beyond_slab)
{
    const floats low = floats_all(box->low), high = floats_all(box->high);
    choice hide =
        choice_and(choice_and(floats_less(floats_load(columns->low + at), low),
                              floats_less(high, floats_load(columns->high + at))),
                   floats_less(floats_all(box->inverse), floats_load(columns->inverse + at)));
    if (!is_beyond_slab) {
        return hide;
    }
    if (box->is_below_floor) {
        const floats edge =
            floats_mul(floats_all(columns->floor_height), floats_load(columns->floor + at));
        hide = choice_or(hide, floats_less(high, edge));
    }
    if (box->is_above_ceiling) {
        const floats edge =
            floats_mul(floats_all(columns->ceiling_height), floats_load(columns->ceiling + at));
        hide = choice_or(hide, floats_less(edge, low));
    }
    return hide;
}

static inline bool all_columns_hide(const horizon_columns *columns, const side_box *box,
                                    bool is_beyond_slab)
{
    for (size_t at = box->first & ~(size_t)(LANES - 1); at <= box->last; at += LANES) {
        uint32_t open =
            ((1u << LANES) - 1) ^ choice_bits(columns_hide(columns, box, at, is_beyond_slab));
        if (open == 0) {
            continue;
        }
        // Within the box, or beside it?
        open &= at < box->first ? ~0u << (box->first - at) : ~0u;
        open &= box->last - at < LANES ? (2u << (box->last - at)) - 1 : ~0u;
        if (open != 0) {
            return false;
        }
    }
    return true;
}

// The boxes on a side that its columns do not hide.
static inline uint32_t seen_on_side(const horizon_columns *columns, const box_lanes *boxes,
                                    const side_boxes *on, uint32_t side, uint32_t here)
{
    float first[LANES], last[LANES], low[LANES], high[LANES], inverse[LANES];
    floats_store(first, on->first);
    floats_store(last, on->last);
    floats_store(low, on->low);
    floats_store(high, on->high);
    floats_store(inverse, on->inverse);
    const size_t base = (size_t)side * columns->count;
    // Most boxes that are seen are seen through their middle column. No branch asks: none would be
    // foreseen.
    uint32_t may_hide = boxes->below_floor | boxes->above_ceiling;
    for (uint32_t bits = here; bits; bits &= bits - 1) {
        const uint32_t i = lowest_bit(bits);
        const size_t middle = base + ((uint32_t)first[i] + (uint32_t)last[i]) / 2;
        may_hide |= (uint32_t)((columns->low[middle] < low[i]) & (columns->high[middle] > high[i]) &
                               (columns->inverse[middle] > inverse[i]))
                    << i;
    }
    uint32_t seen = here & ~may_hide;
    for (here &= may_hide; here; here &= here - 1) {
        const uint32_t i = lowest_bit(here);
        const side_box box = {.first = base + (uint32_t)first[i],
                              .last = base + (uint32_t)last[i],
                              .low = low[i],
                              .high = high[i],
                              .inverse = inverse[i],
                              .is_below_floor = boxes->below_floor >> i & 1,
                              .is_above_ceiling = boxes->above_ceiling >> i & 1};
        ACRE_INVARIANT(box.first <= box.last && box.last < base + columns->count);
        const bool is_hidden = box.is_below_floor || box.is_above_ceiling
                                   ? all_columns_hide(columns, &box, true)
                                   : all_columns_hide(columns, &box, false);
        seen |= is_hidden ? 0 : 1u << i;
    }
    return seen;
}

// Takes LANES boxes. @return those that can be hidden: valid, and not endless.
static inline uint32_t take_boxes(box_lanes *out, const horizon_columns *columns,
                                  const float *edges, size_t stride)
{
    const floats farthest = floats_all(FARTHEST_TARGET);
    choice can_hide = choice_of(true);
    for (int axis = 0; axis < 3; axis++) {
        const floats eye = floats_all(columns->eye[axis]);
        const float *const row = edges + 2 * (size_t)axis * stride;
        const floats min = floats_sub(floats_load(row), eye);
        const floats max = floats_sub(floats_load(row + stride), eye);
        const choice is_near =
            choice_and(floats_not_above(max, farthest), floats_not_above(negated(farthest), min));
        can_hide = choice_and(can_hide, choice_and(floats_not_above(min, max), is_near));
        out->min[axis] = min;
        out->max[axis] = max;
    }
    out->below_floor =
        choice_bits(floats_less(floats_load(edges + 3 * stride), floats_all(columns->floor_top)));
    out->above_ceiling = choice_bits(
        floats_less(floats_all(columns->ceiling_bottom), floats_load(edges + 2 * stride)));
    return choice_bits(can_hide);
}

static uint32_t ask_boxes(const horizon_columns *columns, const float *edges, size_t stride,
                          uint32_t lanes)
{
    uint32_t all_hidden = 0;
    for (uint32_t block = 0; block < HORIZON_BLOCK && lanes >> block; block += LANES) {
        box_lanes boxes;
        uint32_t hidden = take_boxes(&boxes, columns, edges + block, stride) & lanes >> block;
        uint32_t here[HORIZON_SIDES];
        for (uint32_t side = 0; side < HORIZON_SIDES; side++) {
            here[side] = boxes_here(&boxes, side);
        }
        for (uint32_t side = 0; side < HORIZON_SIDES; side++) {
            if ((here[side] & hidden) == 0) {
                continue;
            }
            const turned_boxes turned = turn_boxes(&boxes, side);
            // The eye is over or under them, or in them.
            hidden &= ~(here[side] & choice_bits(floats_not_above(turned.near_d, floats_all(0))));
            const side_boxes on = boxes_on_side(columns, &boxes, &turned);
            hidden &= ~seen_on_side(columns, &boxes, &on, side, here[side] & hidden);
        }
        all_hidden |= hidden << block;
    }
    return all_hidden;
}
