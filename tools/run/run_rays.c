// SPDX-License-Identifier: MIT
// run_rays.c - rays in double precision: whether something that throws a shadow was dropped.
#include "run_rays.h"

#include "hull_internal.h"

#include <math.h>

// Points that are tried for each ray that should begin inside the slice.
#define TRIES 32

typedef struct ray_source {
    const acre_scene_view *view;
    const ray_check *check;
    acre_aabb slice; // bounds of the slice
    uint64_t random;
} ray_source;

// 0 to 1: splitmix64 (Steele, Lea and Flood 2014).
static double random_share(ray_source *source)
{
    uint64_t bits = source->random += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return (double)((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

static bool is_in_slice(const acre_frustum *slice, const double *point)
{
    for (uint32_t i = 0; i < slice->plane_count; i++) {
        const float *const n = slice->planes[i];
        if (!((double)n[0] * point[0] + (double)n[1] * point[1] + (double)n[2] * point[2] +
                  (double)n[3] >=
              0.0)) {
            return false;
        }
    }
    return true;
}

// A point of a box that is in the slice, if one is found. Corners as often as what is between.
static bool find_point(ray_source *source, const acre_aabb *box, double *out)
{
    acre_aabb part;
    for (int k = 0; k < 3; k++) {
        part.min[k] = fmaxf(box->min[k], source->slice.min[k]);
        part.max[k] = fminf(box->max[k], source->slice.max[k]);
        if (!(part.min[k] <= part.max[k])) {
            return false;
        }
    }
    for (int k = 0; k < 3; k++) {
        const double share = 2.0 * random_share(source) - 0.5;
        const double inside = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        out[k] = (double)part.min[k] + inside * ((double)part.max[k] - (double)part.min[k]);
    }
    return is_in_slice(&source->check->cascade->slice, out);
}

// A point of a visible entity: of the first that has one, from a random one on.
static bool find_entity_point(ray_source *source, double *out)
{
    const ray_check *const check = source->check;
    const size_t count = check->visible_count;
    const size_t first = (size_t)(random_share(source) * (double)count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = check->visible[(first + i) % count];
        if (find_point(source, &source->view->world_bounds[slot], out)) {
            return true;
        }
    }
    return false;
}

static bool find_ground_point(ray_source *source, double *out)
{
    bool is_found = false;
    for (int i = 0; i < TRIES && !is_found; i++) {
        is_found = find_point(source, source->check->ground, out);
    }
    return is_found;
}

// The distance along the ray where it enters a box; negative if it does not meet it, or if it is
// outside of the light's camera there.
static double enter_box(const acre_cascade *cascade, const acre_aabb *box, const double *from)
{
    double begin = 0.0, end = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double step = -(double)cascade->light[k];
        const double low = (double)box->min[k] - from[k], high = (double)box->max[k] - from[k];
        if (step != 0.0) {
            begin = fmax(begin, (step > 0.0 ? low : high) / step);
            end = fmin(end, (step > 0.0 ? high : low) / step);
        } else if (low > 0.0 || high < 0.0) {
            return -1.0;
        }
    }
    return begin <= end ? begin : -1.0;
}

// Whether a point is certainly inside the volume of an orthographic camera.
static bool is_in_volume(const acre_camera *camera, const double *point)
{
    double eye[3];
    for (int row = 0; row < 3; row++) {
        eye[row] = (double)camera->view[12 + row];
        for (int k = 0; k < 3; k++) {
            eye[row] += (double)camera->view[4 * k + row] * point[k];
        }
    }
    double clip[3];
    for (int k = 0; k < 3; k++) {
        clip[k] = (double)camera->projection[5 * k] * eye[k] + (double)camera->projection[12 + k];
    }
    const double nearest = camera->clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE ? -1.0 : 0.0;
    return fabs(clip[0]) < 1.0 && fabs(clip[1]) < 1.0 && clip[2] > nearest && clip[2] < 1.0;
}

// One ray, against all boxes.
static bool cast(const ray_source *source, const double *from, ray_counts *counts, uint32_t *slot,
                 double *distance)
{
    const acre_cascade *const cascade = source->check->cascade;
    const acre_scene_view *const view = source->view;
    const uint32_t layers = cascade->camera.layers ? cascade->camera.layers : UINT32_MAX;
    counts->rays++;
    for (uint32_t i = 0; i < view->slot_count; i++) {
        const acre_aabb *const box = &view->world_bounds[i];
        const double met = enter_box(cascade, box, from);
        if (met < 0.0 || !acre_aabb_is_valid(box) || (view->flags[i] & ACRE_ENTITY_HIDDEN) ||
            !(view->layers[i] & layers)) {
            continue;
        }
        double point[3];
        for (int k = 0; k < 3; k++) {
            point[k] = from[k] - met * (double)cascade->light[k];
        }
        if (is_in_volume(&cascade->camera, point)) {
            counts->shadows++;
            if (!source->check->marks[i]) {
                *slot = i;
                *distance = met;
                return false;
            }
        }
    }
    return true;
}

bool check_rays(const acre_scene_view *view, const ray_check *check, ray_counts *counts,
                uint32_t *slot, double *distance)
{
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, &check->cascade->slice);
    ray_source source = {view, check, hull.bounds, check->seed};
    for (uint32_t ray = 0; ray < check->rays; ray++) {
        double point[3];
        if (check->visible_count > 0 && find_entity_point(&source, point) &&
            !cast(&source, point, counts, slot, distance)) {
            return false;
        }
        if (check->ground && find_ground_point(&source, point) &&
            !cast(&source, point, counts, slot, distance)) {
            return false;
        }
    }
    return true;
}
