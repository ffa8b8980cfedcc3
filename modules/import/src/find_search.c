// SPDX-License-Identifier: MIT
// find_search.c - finds the largest prisms inside the meshes of a node.
//
// Under each face that looks up the surface encloses something. So the search begins below the
// largest ones: between each two heights that matter there, a prism grows. The largest prisms that
// are proved are kept, each if most of it lies outside those before.
#include "find_internal.h"

#include <math.h>

enum {
    MOST_SEEDS = 24,
    LEVEL_PARTS = 6, ///< of a span, between which prisms are tried
};

/// A node takes at most so many looks at triangles, and a model.
static const uint64_t node_work = UINT64_C(1) << 22, model_work = UINT64_C(1) << 28;

/// A prism with less than this share of the surface of the node's box is left out.
static const double least_share = 0.01;

/// So is one with less than this share of the largest top and of the largest sides: an occluder
/// that hides little costs a walk as much as a large one.
static const double least_part = 0.1;

/// A face that looks up and has less than this share of the largest one's area: nothing is searched
/// below it.
static const double least_face = 0.05;

// ---- prisms of one solid ----

/// Found prisms go counterclockwise, from x to z.
static bool holds_point(const acre_occluder *o, const double *point)
{
    bool is_in = point[1] > (double)o->bottom && point[1] < (double)o->top;
    for (uint32_t k = 0; k < o->point_count && is_in; k++) {
        const float *const a = o->points[k], *const b = o->points[(k + 1) % o->point_count];
        is_in = (((double)b[0] - (double)a[0]) * (point[2] - (double)a[1]) -
                 ((double)b[1] - (double)a[1]) * (point[0] - (double)a[0])) >= 0.0;
    }
    return is_in;
}

/// The float nearest to a height that is not above it, as a top; not below it, as a bottom.
static float height_within(double height, bool is_top)
{
    const float near = (float)height;
    const bool is_beyond = is_top ? (double)near > height : (double)near < height;
    return is_beyond ? nextafterf(near, is_top ? -INFINITY : INFINITY) : near;
}

/// The heights that matter in a span: its ends, and in between where corners of triangles are, near
/// each quarter; where something slopes, the quarters themselves. @return how many, in order
static uint32_t choose_levels(const finder *f, float bottom, float top, float *levels)
{
    uint32_t count = 0;
    float last = bottom;
    levels[count++] = bottom;
    for (int part = 1; part < LEVEL_PARTS && (f->has_slopes || f->has_levels); part++) {
        const double share = (double)part / LEVEL_PARTS;
        const float wanted = (float)((double)bottom + share * ((double)top - (double)bottom));
        float level = f->has_slopes ? wanted : top;
        float near = f->has_slopes ? (top - bottom) / (2.0f * LEVEL_PARTS) : top - bottom;
        for (uint32_t i = 0; i < 3 * f->triangle_count; i++) {
            const float y = f->triangles.data[i / 3].corners[i % 3][1];
            if (y > last && y < top && fabsf(y - wanted) < near) {
                near = fabsf(y - wanted);
                level = y;
            }
        }
        if (level > last && level < top) {
            levels[count++] = last = level;
        }
    }
    // Under a slope there is no room up to the slope itself.
    const float below = (float)(0.4 * (double)last + 0.6 * (double)top);
    if (f->has_slopes && below > last && below < top) {
        levels[count++] = below;
    }
    levels[count++] = top;
    return count;
}

/// How far the inside reaches along an axis through a point.
static double thickness_at(finder *f, const double *point, int axis)
{
    find_crossing met[FIND_CROSSINGS];
    const uint32_t count = acre_find_crossings(f, point, axis, met);
    for (uint32_t i = 1; count != UINT32_MAX && i < count; i++) {
        if (met[i].where <= point[axis] && met[i - 1].where > point[axis]) {
            return met[i - 1].where - met[i].where;
        }
    }
    return HUGE_VAL;
}

static void add_prism(finder *f, const acre_occluder *occluder)
{
    if (f->prism_count == FIND_PRISMS || !acre_find_prove(f, occluder)) {
        return;
    }
    find_prism *const prism = &f->prisms[f->prism_count++];
    *prism = (find_prism){.occluder = *occluder, .rim = f->rim};
    prism->flat = fabs(acre_find_measure(occluder, &prism->side));
    prism->side *= (double)occluder->top - (double)occluder->bottom;
    double middle[3];
    acre_find_middle(occluder, middle); // and a little beside, as edges often cross there
    middle[0] += 0.0917 * ((double)occluder->points[0][0] - middle[0]);
    middle[1] += 0.0713 * ((double)occluder->top - middle[1]);
    middle[2] += 0.0859 * ((double)occluder->points[0][1] - middle[2]);
    prism->thickness = HUGE_VAL;
    for (int axis = 0; axis < 3 && f->is_two_sided; axis++) {
        prism->thickness = fmin(prism->thickness, thickness_at(f, middle, axis));
    }
}

/// Grows prisms in the part of a vertical line that is inside.
static void search_span(finder *f, const double *seed, double low, double high)
{
    const float bottom = height_within(fmax(low, (double)f->rim), false);
    const float top = height_within(high, true);
    float levels[LEVEL_PARTS + 2];
    if (!(bottom < top)) {
        return;
    }
    const uint32_t count = choose_levels(f, bottom, top, levels);
    for (uint32_t a = 0; a + 1 < count; a++) {
        for (uint32_t b = count - 1; b > a; b--) {
            acre_occluder grown;
            if (acre_find_grow(f, seed, levels[a], levels[b], &grown)) {
                add_prism(f, &grown);
            }
        }
    }
}

static bool is_in_a_prism(const finder *f, const double *point)
{
    bool is_in = false;
    for (uint32_t i = 0; i < f->prism_count && !is_in; i++) {
        is_in = holds_point(&f->prisms[i].occluder, point);
    }
    return is_in;
}

/// Searches all parts of the vertical line through a point of a face that looks up.
static void search_below(finder *f, const double *face)
{
    find_crossing met[FIND_CROSSINGS];
    const double seed[2] = {face[0], face[2]};
    const double height = (double)f->box.max[1] - (double)f->box.min[1];
    if (is_in_a_prism(f, (const double[3]){face[0], face[1] - 1e-3 * height, face[2]})) {
        return;
    }
    const uint32_t count = acre_find_crossings(f, face, 1, met);
    int winding = 0;
    for (uint32_t i = 0; count != UINT32_MAX && i < count; i++) {
        winding += met[i].turn;
        const double low = i + 1 < count ? met[i + 1].where : (double)f->rim;
        const double middle[3] = {seed[0], 0.5 * (low + met[i].where), seed[1]};
        if (winding > 0 && low < met[i].where && !is_in_a_prism(f, middle)) {
            search_span(f, seed, low, met[i].where);
        }
    }
}

typedef struct find_seed {
    double point[3], area;
} find_seed;

/// Places below the largest faces that look up. @return how many
static uint32_t choose_seeds(const finder *f, find_seed *seeds)
{
    static const double parts[3] = {0.317, 0.352, 0.331}; // beside lines through the middle
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        const find_triangle *const triangle = &f->triangles.data[i];
        const float(*const c)[3] = triangle->corners;
        find_seed seed = {.area = triangle->area};
        if (!(seed.area > 0.0) || (count == MOST_SEEDS && seed.area <= seeds[count - 1].area)) {
            continue;
        }
        for (int at = 0; at < 9; at++) {
            seed.point[at % 3] += parts[at / 3] * (double)c[at / 3][at % 3];
        }
        uint32_t at = count < MOST_SEEDS ? count++ : count - 1;
        for (; at > 0 && seeds[at - 1].area < seed.area; at--) {
            seeds[at] = seeds[at - 1];
        }
        seeds[at] = seed;
    }
    return count;
}

/// Whether most of a prism lies outside those that were chosen before it.
static bool is_mostly_new(const find_prism *prism, const acre_occluder *chosen, uint32_t count)
{
    const acre_occluder *const o = &prism->occluder;
    double middle[3];
    acre_find_middle(o, middle);
    uint32_t inside = 0;
    for (uint32_t k = 0; k <= o->point_count; k++) {
        double point[3] = {middle[0], middle[1], middle[2]};
        if (k < o->point_count) {
            point[0] += 0.9 * ((double)o->points[k][0] - middle[0]);
            point[2] += 0.9 * ((double)o->points[k][1] - middle[2]);
        }
        bool is_in = false;
        for (uint32_t i = 0; i < count && !is_in; i++) {
            is_in = holds_point(&chosen[i], point);
        }
        inside += is_in;
    }
    return 2 * inside < o->point_count + 1;
}

/// Puts the best prisms first, each as much new as it can be. @return how many are worth keeping
static uint32_t choose_prisms(finder *f)
{
    acre_occluder chosen[ACRE_IMPORT_MAX_OCCLUDERS];
    uint32_t count = 0;
    double most = 0.0, most_side = 0.0;
    for (uint32_t i = 0; i < f->prism_count; i++) {
        most = fmax(most, f->prisms[i].flat + f->prisms[i].side);
        most_side = fmax(most_side, f->prisms[i].side);
    }
    while (count < ACRE_IMPORT_MAX_OCCLUDERS) {
        uint32_t best = UINT32_MAX;
        double best_score = 0.0;
        for (uint32_t i = count; i < f->prism_count; i++) {
            const find_prism *const prism = &f->prisms[i];
            const double score = prism->flat + prism->side;
            if (score > best_score && score >= least_share * (double)acre_find_surface(&f->whole) &&
                (prism->flat > least_part * most || prism->side > least_part * most_side) &&
                is_mostly_new(prism, chosen, count)) {
                best_score = score;
                best = i;
            }
        }
        if (best == UINT32_MAX) {
            break;
        }
        const find_prism held = f->prisms[best];
        f->prisms[best] = f->prisms[count];
        f->prisms[count] = held;
        chosen[count++] = held.occluder;
    }
    return count;
}

/// Appends the prisms of the solid that is taken.
static void search_solid(finder *f, uint64_t end)
{
    find_seed seeds[MOST_SEEDS];
    const uint32_t count = choose_seeds(f, seeds);
    for (uint32_t i = 0; i < count && f->work < end; i++) {
        if (seeds[i].area >= least_face * seeds[0].area) {
            search_below(f, seeds[i].point);
        }
    }
}

acre_import_reason acre_find_search(finder *f, const acre_import_model *model,
                                    const acre_import_node *node)
{
    f->prism_count = 0;
    const acre_import_reason reason = acre_find_open(f, model, node);
    if (reason != ACRE_IMPORT_FOUND) {
        return reason;
    }
    const uint64_t last = f->work + node_work, end = last < model_work ? last : model_work;
    do {
        search_solid(f, end);
        f->prism_count = choose_prisms(f);
    } while (f->work < end && acre_find_next(f));
    return f->prism_count > 0      ? ACRE_IMPORT_FOUND
           : f->work >= model_work ? ACRE_IMPORT_TOO_LARGE
                                   : ACRE_IMPORT_NOTHING_FITS;
}
