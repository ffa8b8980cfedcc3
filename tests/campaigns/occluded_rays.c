// SPDX-License-Identifier: MIT
// occluded_rays.c - does a horizon ever hide what can be seen? Rays in doubles from eyes to points
// of boxes that it hides, against all prisms of a scene: each ray must be stopped. And does it hide
// enough: of random boxes of which no ray finds a point, it must hide a share.
//
// Scenes: cities, floating boxes, bridges, towers of bands, hills, courts, storeys of slabs and
// walls, houses of two wings whose occluders lie behind their facades, mixed; prisms of 3 to 8
// corners in either direction. Eyes: anywhere, on the lines of walls, at corners, on roofs, under
// decks, at the height of a top, in courts, wings, and between a facade and what lies behind it.
// Places up to 1e5 m from the origin, 16 to 4096 columns. Targets: random, at outlines (1e-1 to
// 1e-8 off), and within 3 units of rounding. Modes are a point or a region of eyes, with or without
// a near radius. A surface stops a ray only beyond the near radius of its eye; that of a prism
// which is not two-sided only from outside.
//     occluded_rays RAYS [SEED]
// Exit status: 0 no ray passed and enough was hidden; 1 else; 2 bad arguments.
#include "test.h"

#include "horizon_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PRISMS = 96,
    EYES = 6,      // for each scene
    TARGETS = 120, // for each eye
    LANES = 8,     // rays that are asked about at once; a box has as many corners
    RAYS_A_TARGET = 64,
    MODES = 4,  // bit 0: a region; bit 1: a near radius
    KINDS = 10, // of scenes
    GROUPS = 4
};

// What a horizon has for the kinds of a group.
static const char *const group_names[GROUPS] = {"solids", "thin walls", "slabs and walls on them",
                                                "facades around solids"};
static const uint8_t group_of_kind[KINDS] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 3};

typedef struct scene {
    acre_occluder prisms[MOST_PRISMS];
    double edges[MOST_PRISMS][ACRE_OCCLUDER_MAX_POINTS][3]; // a x + b z + c is above 0 inside
    uint32_t count;
    uint32_t kind;
    double x, z; // the middle
    // What is drawn are the prisms; what is added is what lies in them, with the box of its object.
    acre_occluder inner[MOST_PRISMS];
    acre_aabb boxes[MOST_PRISMS];
    bool has_inner[MOST_PRISMS];
} scene;

typedef struct tally {
    uint64_t rays, passed, hidden, targets, blocked, blocked_and_hidden;
} tally;

static test_random chance;

static double draw(double low, double high)
{
    return low + (high - low) * (double)(random_bits(&chance) >> 11) * 0x1p-53;
}

static bool toss(uint32_t one_in)
{
    return random_below(&chance, one_in) == 0;
}

static double draw_offset(void)
{
    static const double tenths[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    const uint32_t bits = random_below(&chance, 56);
    const double size = tenths[bits / 8] * draw(0.1, 1);
    return bits % 4 == 0 ? 0 : bits % 8 < 4 ? -size : size;
}

// ---- scenes ----

static void keep_prism(scene *world, acre_occluder prism)
{
    if (world->count == MOST_PRISMS || !acre_occluder_is_valid(&prism)) {
        return;
    }
    const uint32_t n = prism.point_count;
    if (toss(2)) {
        for (uint32_t k = 0; k < n / 2; k++) {
            float swapped[2];
            memcpy(swapped, prism.points[k], sizeof swapped);
            memcpy(prism.points[k], prism.points[n - 1 - k], sizeof swapped);
            memcpy(prism.points[n - 1 - k], swapped, sizeof swapped);
        }
    }
    prism.flags = toss(2) ? ACRE_OCCLUDER_TWO_SIDED : 0;
    world->has_inner[world->count] = false;
    world->prisms[world->count++] = prism;
}

static void add_box(scene *world, double x, double z, double wide, double deep, double bottom,
                    double top)
{
    const float x0 = (float)(world->x + x - wide), x1 = (float)(world->x + x + wide);
    const float z0 = (float)(world->z + z - deep), z1 = (float)(world->z + z + deep);
    keep_prism(world, (acre_occluder){.points = {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}},
                                      .point_count = 4,
                                      .bottom = (float)bottom,
                                      .top = (float)top});
}

static void add_prism(scene *world, double x, double z, double size, double bottom, double top)
{
    acre_occluder prism = {.bottom = (float)bottom, .top = (float)top};
    prism.point_count = toss(2) ? 4 : 3 + random_below(&chance, 6);
    const double turn = draw(0, 6.3), flat = draw(0.2, 1), start = draw(0, 6.3);
    for (uint32_t k = 0; k < prism.point_count; k++) {
        const double at = start + 6.283185 * (k + draw(0, 0.6)) / prism.point_count;
        const double across = size * cos(at), along = size * flat * sin(at);
        prism.points[k][0] = (float)(world->x + x + across * cos(turn) - along * sin(turn));
        prism.points[k][1] = (float)(world->z + z + across * sin(turn) + along * cos(turn));
    }
    keep_prism(world, prism);
}

static double draw_bottom(double top)
{
    return toss(3) ? -(double)INFINITY : toss(2) ? 0 : top - draw(0.1, 12);
}

// Storeys: slabs, and walls that stand exactly on them, many of them up to the next slab.
static void add_storeys(scene *world)
{
    const double size = draw(6, 14), thick = draw(0.05, 0.5), tall = draw(2.5, 4);
    const int storeys = 1 + (int)random_below(&chance, 3);
    for (int storey = 0; storey <= storeys; storey++) {
        const double top = storey * tall;
        if (!toss(8)) {
            add_box(world, 0, 0, size, size * draw(0.8, 1), top - thick, top);
        }
        for (int wall = 0; wall < 9 && storey < storeys; wall++) {
            const double ceiling = (double)(float)((storey + 1) * tall - thick);
            const double end = toss(3) ? top + draw(0.5, tall) : toss(4) ? ceiling + 0.01 : ceiling;
            const double x = draw(-size, size), z = draw(-size, size), length = draw(1, size);
            const double half = toss(2) ? draw(0.02, 0.15) : draw(0.15, 0.8);
            const double begin = toss(6) ? top + draw(0, 1) : top;
            if (wall < 4) { // around, flush with the slab's edge or beyond it
                const double at =
                    (wall < 2 ? -1 : 1) * (toss(2) ? size - half : draw(0.7, 1.1) * size);
                add_box(world, wall & 1 ? at : 0, wall & 1 ? 0 : at, wall & 1 ? half : size,
                        wall & 1 ? size : half, begin, end);
            } else if (wall < 7) {
                add_box(world, x, z, wall & 1 ? half : length, wall & 1 ? length : half, begin,
                        end);
            } else {
                add_prism(world, x, z, length, begin, end);
            }
        }
    }
}

// Four houses around a court, without a gap or with narrow ones.
static void add_court(scene *world)
{
    const double size = draw(2, 12), thick = draw(0.5, 4), gap = toss(2) ? 0 : draw_offset();
    for (int wall = 0; wall < 4; wall++) {
        const double at = (wall < 2 ? -1 : 1) * (size + thick),
                     end = size + (wall & 1 ? -gap : 2 * thick);
        add_box(world, wall & 1 ? at : 0, wall & 1 ? 0 : at, wall & 1 ? thick : end,
                wall & 1 ? end : thick, toss(4) ? 0 : -(double)INFINITY, draw(3, 15));
    }
}

static void grow_by(acre_aabb *box, const acre_occluder *prism)
{
    for (uint32_t k = 0; k < prism->point_count; k++) {
        for (int i = 0; i < 2; i++) {
            box->min[2 * i] = fminf(box->min[2 * i], prism->points[k][i]);
            box->max[2 * i] = fmaxf(box->max[2 * i], prism->points[k][i]);
        }
    }
    box->min[1] = fminf(box->min[1], prism->bottom);
    box->max[1] = fmaxf(box->max[1], prism->top);
}

// A house of two wings, drawn from outside alone: its occluders lie behind a gap in the facade.
static void add_wings(scene *world, double x, double z)
{
    const uint32_t first = world->count;
    const double size = draw(2, 10), bottom = toss(2) ? -(double)INFINITY : 0, top = draw(3, 15);
    const float gap[3] = {(float)draw(0.01, 1), (float)draw(0, 0.5), (float)draw(0.01, 1)};
    add_box(world, x, z, size, size * draw(0.2, 0.5), bottom, top);
    add_box(world, x + size * draw(0.5, 1), z + size * draw(0.3, 1), size * draw(0.2, 0.5),
            size * draw(0.5, 1), bottom, top * draw(0.5, 1));
    acre_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = first; i < world->count; i++) {
        grow_by(&box, &world->prisms[i]);
        world->prisms[i].flags = 0;
        world->has_inner[i] =
            acre_occluder_shrink(&world->inner[i], &world->prisms[i], gap) == ACRE_OK;
    }
    for (uint32_t i = first; i < world->count; i++) {
        world->boxes[i] = box;
    }
}

static void add_kind(scene *world, uint32_t kind)
{
    const double x = draw(-50, 50), z = draw(-50, 50), top = draw(1, 25);
    switch (kind) {
    case 0: // city
        add_prism(world, x, z, draw(1, 12), toss(2) ? -(double)INFINITY : 0, top);
        break;
    case 1: // floating
        add_prism(world, x, z, draw(0.5, 15), top - 12, top - 12 + draw(0.1, 12));
        break;
    case 2: // bridges over a city
        if (toss(3)) {
            add_box(world, x, z, draw(2, 6), draw(20, 60), top, top + draw(0.2, 2));
        }
        add_prism(world, x, z, draw(1, 8), -(double)INFINITY, top);
        break;
    case 3: // towers of bands
        for (int band = 0; band < 4; band++) {
            add_box(world, x, z, 5, 4, 3.5 * band, 3.5 * band + 2);
        }
        break;
    case 4: // hills
        add_box(world, 8 * floor(x / 8), 8 * floor(z / 8), 4, 4, -(double)INFINITY,
                6 + 5 * sin(x / 9));
        break;
    case 5: // thin walls in the open
        if (toss(2)) {
            add_box(world, x, z, toss(2) ? 0.1 : draw(3, 20), 0.1, draw_bottom(top), top);
        } else {
            const double turn = draw(0, 6.3), length = draw(2, 20), half = draw(0.01, 0.3);
            const double a = cos(turn), b = sin(turn);
            acre_occluder wall = {
                .point_count = 4, .bottom = (float)draw_bottom(top), .top = (float)top};
            for (int k = 0; k < 4; k++) {
                const double along = k == 1 || k == 2 ? length : -length,
                             across = k < 2 ? -half : half;
                wall.points[k][0] = (float)(world->x + x + along * a - across * b);
                wall.points[k][1] = (float)(world->z + z + along * b + across * a);
            }
            keep_prism(world, wall);
        }
        break;
    case 9:
        add_wings(world, x, z);
        break;
    default: // mixed
        add_prism(world, x, z, draw(0.2, 14), draw_bottom(top), top);
        break;
    }
}

static void list_edges(scene *world)
{
    for (uint32_t i = 0; i < world->count; i++) {
        const acre_occluder *const prism = &world->prisms[i];
        for (int pass = 0; pass < 2; pass++) {
            double x = 0, z = 0;
            for (uint32_t k = 0; k < prism->point_count; k++) {
                x += (double)prism->points[k][0] / prism->point_count;
                z += (double)prism->points[k][1] / prism->point_count;
            }
            for (uint32_t k = 0; k < prism->point_count; k++) {
                const float *const p = prism->points[k];
                const float *const q = prism->points[(k + 1) % prism->point_count];
                double *const edge = world->edges[i][k];
                edge[0] = (double)p[1] - (double)q[1];
                edge[1] = (double)q[0] - (double)p[0];
                const double side = edge[0] * (x - (double)p[0]) + edge[1] * (z - (double)p[1]);
                if (side < 0) {
                    edge[0] = -edge[0];
                    edge[1] = -edge[1];
                }
                // Relative to the scene's middle, where all differences are small.
                edge[2] =
                    -(edge[0] * ((double)p[0] - world->x) + edge[1] * ((double)p[1] - world->z));
            }
        }
    }
}

static void draw_scene(scene *world)
{
    world->count = 0;
    const double far = toss(3) ? 1e5 : toss(2) ? 1e3 : 0;
    world->x = (double)(float)draw(-far, far);
    world->z = (double)(float)draw(-far, far);
    const uint32_t kind = random_below(&chance, KINDS);
    world->kind = kind;
    if (kind == 7) {
        add_court(world);
    } else if (kind == 8) {
        add_storeys(world);
    }
    const uint32_t more = kind == 8   ? random_below(&chance, 6)
                          : kind == 9 ? 2 + random_below(&chance, 10)
                                      : 2 + random_below(&chance, 50);
    for (uint32_t i = 0; i < more; i++) {
        add_kind(world, kind == 7 || kind == 8 ? 0 : kind);
    }
    list_edges(world);
}

// ---- rays ----

typedef struct viewer {
    float eye[3], region[3], near_radius;
    bool has_region;
} viewer;

// Rays side by side, in loops that compilers turn into vectors.
typedef struct ray_lanes {
    double from[3][LANES], to[3][LANES]; // x and z relative to the scene's middle
    double near[LANES];                  // the near radius as a share of the ray
} ray_lanes;

// Of each ray the share that lies in a prism: begin to end, in 0 to 1; begin is 2 where none does.
typedef struct inside_lanes {
    double begin[LANES], end[LANES];
} inside_lanes;

// Cuts off what lies beyond a plane, of which a and b say how far inside each ray begins and ends.
static void cut_lanes(inside_lanes *in, const double *a, const double *b)
{
    for (int i = 0; i < LANES; i++) {
        const double at = a[i] / (a[i] - b[i]);
        const double enters = a[i] < 0 ? (b[i] < 0 ? 2 : at) : 0;
        const double leaves = a[i] >= 0 && b[i] < 0 ? at : 1;
        in->begin[i] = in->begin[i] > enters ? in->begin[i] : enters;
        in->end[i] = in->end[i] < leaves ? in->end[i] : leaves;
    }
}

static bool all_miss(const inside_lanes *in)
{
    int missing = 0;
    for (int i = 0; i < LANES; i++) {
        missing += in->begin[i] > in->end[i];
    }
    return missing == LANES;
}

// @return false: no ray passes the prism.
static bool pass_prism(const scene *world, uint32_t number, const ray_lanes *rays, inside_lanes *in)
{
    const acre_occluder *const prism = &world->prisms[number];
    const double bottom = (double)prism->bottom, top = (double)prism->top;
    double a[LANES], b[LANES];
    for (int i = 0; i < LANES; i++) {
        in->begin[i] = 0;
        in->end[i] = 1;
    }
    for (uint32_t k = 0; k < prism->point_count; k++) {
        const double *const edge = world->edges[number][k];
        for (int i = 0; i < LANES; i++) {
            a[i] = edge[0] * rays->from[0][i] + edge[1] * rays->from[2][i] + edge[2];
            b[i] = edge[0] * rays->to[0][i] + edge[1] * rays->to[2][i] + edge[2];
        }
        cut_lanes(in, a, b);
        if (all_miss(in)) {
            return false;
        }
    }
    for (int i = 0; i < LANES; i++) {
        a[i] = top - rays->from[1][i];
        b[i] = top - rays->to[1][i];
    }
    cut_lanes(in, a, b);
    for (int i = 0; i < LANES && bottom > -(double)INFINITY; i++) {
        a[i] = rays->from[1][i] - bottom;
        b[i] = rays->to[1][i] - bottom;
    }
    if (bottom > -(double)INFINITY) {
        cut_lanes(in, a, b);
    }
    return !all_miss(in);
}

// Marks the rays that a prism stops. @return whether all of them are stopped now.
static bool stop_rays(const scene *world, uint32_t number, const ray_lanes *rays, double *stopped)
{
    inside_lanes in;
    double all = 0;
    const bool is_two_sided = world->prisms[number].flags & ACRE_OCCLUDER_TWO_SIDED;
    if (pass_prism(world, number, rays, &in)) {
        for (int i = 0; i < LANES; i++) {
            const bool from_outside = in.begin[i] > 0 && in.begin[i] >= rays->near[i];
            const bool from_inside =
                is_two_sided && in.end[i] < 1 && in.end[i] > 0 && in.end[i] >= rays->near[i];
            const bool stops = in.begin[i] <= in.end[i] && (from_outside || from_inside);
            stopped[i] = stops ? 1 : stopped[i];
        }
    }
    for (int i = 0; i < LANES; i++) {
        all += stopped[i];
    }
    return all == LANES;
}

// @return whether each ray is stopped; if not, *passing is one that is not.
static bool are_stopped(const scene *world, const ray_lanes *rays, int *passing)
{
    static uint32_t last; // what stopped some rays stops the next
    double stopped[LANES] = {0};
    if (last < world->count && stop_rays(world, last, rays, stopped)) {
        return true;
    }
    for (uint32_t number = 0; number < world->count; number++) {
        if (stop_rays(world, number, rays, stopped)) {
            last = number;
            return true;
        }
    }
    for (*passing = 0; stopped[*passing] > 0; ++*passing) {
    }
    return false;
}

static void draw_eye(const viewer *by, double *out)
{
    for (int axis = 0; axis < 3; axis++) {
        const double half = by->has_region ? (double)by->region[axis] : 0;
        out[axis] = (double)by->eye[axis] + half * (toss(2) ? (toss(2) ? -1 : 1) : draw(-1, 1));
    }
}

// Numbers from -1 to 1.
static void draw_lanes(double *out)
{
    static uint64_t states[LANES];
    for (int i = 0; i < LANES && states[i] == 0; i++) {
        states[i] = random_bits(&chance) | 1;
    }
    for (int i = 0; i < LANES; i++) {
        uint64_t x = states[i]; // xorshift
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        states[i] = x;
        const uint64_t two_to_four = x >> 12 | UINT64_C(0x4000000000000000);
        double number;
        memcpy(&number, &two_to_four, sizeof number);
        out[i] = number - 3;
    }
}

// Rays from eyes of the region to a box: the first ones to its corners, then to places in it. Half
// of the eyes are at an end of the region along each axis.
static void draw_rays(const scene *world, const viewer *by, const acre_aabb *box, bool to_corners,
                      ray_lanes *out)
{
    const double middle[3] = {world->x, 0, world->z};
    double chances[LANES] = {0}, length2[LANES] = {0};
    for (int axis = 0; axis < 3; axis++) {
        const double eye = (double)by->eye[axis] - middle[axis];
        const double half = by->has_region ? (double)by->region[axis] : 0;
        const double low = (double)box->min[axis] - middle[axis];
        const double high = (double)box->max[axis] - middle[axis];
        if (half > 0) {
            draw_lanes(chances);
        }
        for (int i = 0; i < LANES; i++) {
            const double at = 2 * chances[i] < 1 ? 2 * chances[i] : 1;
            out->from[axis][i] = half > 0 ? eye + half * (at > -1 ? at : -1) : eye;
        }
        if (!to_corners) {
            draw_lanes(chances);
        }
        for (int i = 0; i < LANES; i++) {
            const double share = to_corners ? i >> axis & 1 : 0.5 + 0.5 * chances[i];
            out->to[axis][i] = low + (high - low) * share;
            const double way = out->to[axis][i] - out->from[axis][i];
            length2[i] += way * way;
        }
    }
    for (int i = 0; i < LANES; i++) {
        out->near[i] = (double)by->near_radius / sqrt(length2[i]);
    }
}

// ---- eyes and targets ----

// A place on the outline of a prism: on a corner's vertical edge, or on an edge of top or bottom.
static void draw_outline(const scene *world, double *out)
{
    const acre_occluder *const prism = &world->prisms[random_below(&chance, world->count)];
    const uint32_t k = random_below(&chance, prism->point_count);
    const float *const p = prism->points[k], *const q = prism->points[(k + 1) % prism->point_count];
    const double share = toss(2) ? draw(0, 1) : 0;
    const double low = fmax((double)prism->bottom, (double)prism->top - 20);
    out[0] = (double)p[0] + share * ((double)q[0] - (double)p[0]);
    out[1] =
        share > 0 || toss(3) ? (toss(3) ? low : (double)prism->top) : draw(low, (double)prism->top);
    out[2] = (double)p[1] + share * ((double)q[1] - (double)p[1]);
}

static void draw_viewer(viewer *out, const scene *world, uint32_t mode)
{
    const acre_occluder *const prism = &world->prisms[random_below(&chance, world->count)];
    const uint32_t k = random_below(&chance, prism->point_count);
    const float *const p = prism->points[k], *const q = prism->points[(k + 1) % prism->point_count];
    double eye[3] = {world->x + draw(-40, 40), draw(0, 12), world->z + draw(-40, 40)};
    const uint32_t kind = random_below(&chance, 8);
    if (kind == 1 || kind == 2) { // on a wall's line, or at a corner
        const double share = kind == 1 ? draw(-2, 3) : draw_offset();
        eye[0] = (double)p[0] + share * ((double)q[0] - (double)p[0]) + draw_offset();
        eye[2] = (double)p[1] + share * ((double)q[1] - (double)p[1]) + draw_offset();
    } else if (kind == 3 || kind == 4) { // on a roof, or under a deck
        eye[0] = 0.3 * (double)p[0] + 0.7 * (double)prism->points[0][0];
        eye[2] = 0.3 * (double)p[1] + 0.7 * (double)prism->points[1][1];
        eye[1] =
            kind == 3 ? (double)prism->top + draw(0.02, 3) : (double)prism->bottom - draw(0.02, 3);
    } else if (kind == 5) { // at the height of a top
        eye[1] = (double)prism->top + draw_offset();
    } else if (kind == 6) { // in the middle, over the first storey
        eye[0] = world->x + draw(-8, 8);
        eye[1] = draw(0.3, 2.2);
        eye[2] = world->z + draw(-8, 8);
    }
    if (kind == 7) { // in it, or close to it
        const float *const o = prism->points[(k + 2) % prism->point_count];
        const double share = draw(-0.1, 1.1);
        eye[0] = (double)p[0] + share * ((double)o[0] - (double)p[0]);
        eye[1] = (double)prism->top - draw(0, 4);
        eye[2] = (double)p[1] + share * ((double)o[1] - (double)p[1]);
    }
    eye[1] = eye[1] > -100 ? eye[1] : draw(0, 12);
    *out = (viewer){.has_region = (mode & 1) != 0};
    for (int axis = 0; axis < 3; axis++) {
        const double size = toss(3) ? draw(0, 1) : draw(0, 0.2);
        out->eye[axis] = (float)eye[axis];
        out->region[axis] = mode & 1 && !toss(6) ? (float)size : 0;
    }
    out->near_radius = mode & 2 ? (float)draw(0.02, 0.6) : 0;
}

static float move_by_units(float value, int units)
{
    for (; units > 0; units--) {
        value = nextafterf(value, INFINITY);
    }
    for (; units < 0; units++) {
        value = nextafterf(value, -INFINITY);
    }
    return value;
}

static void draw_random_target(acre_aabb *out, const scene *world)
{
    const double far = toss(3) ? 12 : 60;
    const double place[3] = {world->x + draw(-far, far), draw(-5, 20), world->z + draw(-far, far)};
    for (int axis = 0; axis < 3; axis++) {
        const double half = draw(0.01, toss(4) ? 4 : 1);
        out->min[axis] = (float)(place[axis] - half);
        out->max[axis] = (float)(place[axis] + half);
    }
}

// Behind an outline, as an eye sees it, and a little beside.
static void draw_outline_target(acre_aabb *out, const scene *world, const viewer *by)
{
    double eye[3], edge[3];
    draw_eye(by, eye);
    draw_outline(world, edge);
    const double x = edge[0] - eye[0], y = edge[1] - eye[1], z = edge[2] - eye[2];
    const double distance = sqrt(x * x + y * y + z * z);
    const double behind = toss(4) ? draw_offset() : draw(0.001, 2);
    const bool in_units = toss(3);
    for (int axis = 0; axis < 3; axis++) {
        const double beside = in_units ? 0 : draw_offset() * distance;
        const double at = edge[axis] + behind * (edge[axis] - eye[axis]) + beside;
        const float corner =
            move_by_units((float)at, in_units ? (int)random_below(&chance, 7) - 3 : 0);
        const float other = corner + (float)(draw_offset() * (toss(2) ? 10 : 1));
        out->min[axis] = fminf(corner, other);
        out->max[axis] = fmaxf(corner, other);
    }
}

// ---- a horizon ----

// About how far a prism is away, for the order: near ones first.
static double distance_to(const viewer *by, const acre_occluder *prism)
{
    double nearest = (double)INFINITY;
    for (uint32_t k = 0; k < prism->point_count; k++) {
        nearest = fmin(nearest, hypot((double)prism->points[k][0] - (double)by->eye[0],
                                      (double)prism->points[k][1] - (double)by->eye[2]));
    }
    return nearest;
}

static void add_all(acre_horizon *horizon, const scene *world, const viewer *by)
{
    double keys[MOST_PRISMS];
    const bool in_any_order = toss(4);
    for (uint32_t i = 0; i < world->count; i++) {
        keys[i] = in_any_order ? draw(0, 1) : distance_to(by, &world->prisms[i]);
    }
    for (uint32_t i = 0; i < world->count; i++) {
        uint32_t least = 0;
        for (uint32_t k = 1; k < world->count; k++) {
            least = keys[k] < keys[least] ? k : least;
        }
        keys[least] = (double)INFINITY;
        if (world->kind != 9) {
            (void)acre_horizon_add(horizon, &world->prisms[least]);
        } else if (world->has_inner[least]) {
            (void)acre_horizon_add_of(horizon, &world->inner[least], &world->boxes[least]);
        }
    }
}

static acre_horizon *make_horizon(void)
{
    static const uint32_t columns[] = {16, 48, 64, 128, 208, 256, 512, 512, 1024, 4096};
    acre_horizon_def def = {.columns =
                                columns[random_below(&chance, sizeof columns / sizeof *columns)],
                            .least_angle = toss(4) ? 0 : 1e-12f,
                            .kernel = (acre_kernel)random_below(&chance, ACRE_KERNEL_COUNT_)};
    acre_horizon *horizon = NULL;
    if (acre_horizon_create(&def, &horizon) != ACRE_OK) { // this processor lacks the kernel
        def.kernel = ACRE_KERNEL_DEFAULT;
        ACRE_IGNORE(acre_horizon_create(&def, &horizon));
    }
    return horizon;
}

static void print_passed(const scene *world, const viewer *by, const acre_aabb *box,
                         const ray_lanes *rays, int lane)
{
    const double middle[3] = {world->x, 0, world->z};
    double from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = rays->from[axis][lane] + middle[axis];
        to[axis] = rays->to[axis][lane] + middle[axis];
    }
    printf(
        "PASSED: eye %.9g %.9g %.9g region %g %g %g near %g, box %.9g %.9g %.9g to %.9g %.9g %.9g, "
        "ray %.17g %.17g %.17g to %.17g %.17g %.17g\n",
        (double)by->eye[0], (double)by->eye[1], (double)by->eye[2], (double)by->region[0],
        (double)by->region[1], (double)by->region[2], (double)by->near_radius, (double)box->min[0],
        (double)box->min[1], (double)box->min[2], (double)box->max[0], (double)box->max[1],
        (double)box->max[2], from[0], from[1], from[2], to[0], to[1], to[2]);
}

static void ask_target(const acre_horizon *horizon, const scene *world, const viewer *by,
                       bool is_random, tally *sum)
{
    acre_aabb box;
    if (is_random) {
        draw_random_target(&box, world);
    } else {
        draw_outline_target(&box, world, by);
    }
    const bool is_hidden = acre_horizon_hides(horizon, &box);
    if (!is_hidden && !is_random) {
        return;
    }
    bool passes = false;
    ray_lanes rays;
    int passing = 0;
    for (int ray = 0; ray < RAYS_A_TARGET && !passes; ray += LANES) {
        draw_rays(world, by, &box, ray == 0, &rays);
        passes = !are_stopped(world, &rays, &passing);
        sum->rays += is_hidden ? LANES : 0;
    }
    sum->targets++;
    sum->hidden += is_hidden;
    sum->blocked += is_random && !passes;
    sum->blocked_and_hidden += is_random && !passes && is_hidden;
    if (is_hidden && passes) {
        if (sum->passed++ < 2) {
            print_passed(world, by, &box, &rays, passing);
        }
    }
}

// @param sums one for each group
static bool look_around(const scene *world, uint32_t mode, tally *sums)
{
    tally *const sum = &sums[group_of_kind[world->kind]];
    viewer by;
    draw_viewer(&by, world, mode);
    acre_horizon *const horizon = make_horizon();
    if (!horizon || acre_horizon_begin(horizon, by.eye, by.has_region ? by.region : NULL,
                                       by.near_radius) != ACRE_OK) {
        return false;
    }
    add_all(horizon, world, &by);
    for (int target = 0; target < TARGETS; target++) {
        ask_target(horizon, world, &by, target < TARGETS / 12, sum);
    }
    acre_horizon_destroy(horizon);
    return true;
}

// @return whether all is well: no ray passed, and each group hides a share of what is hidden.
static bool print_mode(uint32_t mode, const tally *sums)
{
    static const char *const names[MODES] = {"a point", "a region", "a point, a near radius",
                                             "a region, a near radius"};
    static const double least[2][GROUPS] = {{0.5, 0.5, 0.5, 0.2}, {0.3, 0.3, 0.3, 0.1}};
    bool is_well = true;
    for (uint32_t group = 0; group < GROUPS; group++) {
        const tally *const sum = &sums[group];
        const double share =
            (double)sum->blocked_and_hidden / (double)(sum->blocked > 0 ? sum->blocked : 1);
        printf("%s, %s: %" PRIu64 " rays to %" PRIu64 " hidden targets, %" PRIu64
               " targets seen; of %" PRIu64 " random ones that no ray found %.3f are hidden\n",
               names[mode], group_names[group], sum->rays, sum->hidden, sum->passed, sum->blocked,
               share);
        is_well &= sum->passed == 0 && share >= least[mode & 1][group];
    }
    return is_well;
}

static uint64_t count_rays(tally (*sums)[GROUPS])
{
    uint64_t rays = 0;
    for (int mode = 0; mode < MODES; mode++) {
        for (int group = 0; group < GROUPS; group++) {
            rays += sums[mode][group].rays;
        }
    }
    return rays;
}

int main(int argc, char **argv)
{
    const uint64_t rays = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    if (rays == 0 || argc > 3) {
        fprintf(stderr, "occluded_rays RAYS [SEED]\n");
        return 2;
    }
    chance.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    static scene world;
    static tally sums[MODES][GROUPS];
    while (count_rays(sums) < rays) {
        draw_scene(&world);
        for (uint32_t eye = 0; eye < EYES && world.count > 0; eye++) {
            const uint32_t mode = random_below(&chance, MODES);
            if (!look_around(&world, mode, sums[mode])) {
                return 1;
            }
        }
    }
    bool is_well = true;
    for (uint32_t mode = 0; mode < MODES; mode++) {
        is_well &= print_mode(mode, sums[mode]);
    }
    return is_well ? 0 : 1;
}
