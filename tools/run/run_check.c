// SPDX-License-Identifier: MIT
// run_check.c - compares a visible set with brute force in double precision.
#include "run_check.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The corner of a box that lies farthest along a plane's normal.
static void far_corner(const float *plane, const acre_aabb *box, float *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = plane[k] >= 0.0f ? box->max[k] : box->min[k];
    }
}

// The distance in double precision: products of floats are exact, four sums round to 2^-53.
static double distance_double(const float *plane, const float *p)
{
    return ((double)plane[0] * (double)p[0] + (double)plane[1] * (double)p[1]) +
           (double)plane[2] * (double)p[2] + (double)plane[3];
}

// By how much the float formula may miss it: four roundings of at most 2^-24 each of the sum of the
// magnitudes; 5 instead of 4 covers their products and denormals' share is added.
static double rounding_band(const float *plane, const float *p)
{
    double sum = fabs((double)plane[3]);
    for (int k = 0; k < 3; k++) {
        sum += fabs((double)plane[k] * (double)p[k]);
    }
    return 5.0 * 0x1p-24 * sum + 4.0 * (double)FLT_MIN;
}

static bool plane_hides(const float *plane, const acre_aabb *box, double *margin)
{
    float p[3];
    far_corner(plane, box, p);
    *margin = distance_double(plane, p);
    if (fabs(*margin) > rounding_band(plane, p)) {
        return *margin < 0.0;
    }
    return ((plane[0] * p[0] + plane[1] * p[1]) + plane[2] * p[2]) + plane[3] < 0.0f;
}

// Whether the planes let the box through. *plane and *margin: the first that hides it, else the
// nearest.
static bool passes_planes(const acre_frustum *frustum, const acre_aabb *box, int *plane,
                          double *margin)
{
    *plane = -1;
    *margin = HUGE_VAL;
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        double distance;
        const bool hides = plane_hides(frustum->planes[i], box, &distance);
        if (hides || distance < *margin) {
            *plane = (int)i;
            *margin = distance;
        }
        if (hides) {
            return false;
        }
    }
    return true;
}

// projection x view, column-major.
static void clip_matrix(const acre_camera *camera, double *out)
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++) {
                sum +=
                    (double)camera->projection[4 * k + row] * (double)camera->view[4 * column + k];
            }
            out[4 * column + row] = sum;
        }
    }
}

// The smallest distance to a plane of the clip volume, negative outside.
static double clip_margin(const double *matrix, acre_clip clip, const double *point, int *plane)
{
    double p[4];
    for (int row = 0; row < 4; row++) {
        p[row] = matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] +
                 matrix[12 + row];
    }
    double distances[6] = {p[3] + p[0], p[3] - p[0], p[3] + p[1], p[3] - p[1], p[2], p[3] - p[2]};
    if (clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE) {
        distances[4] = p[3] + p[2];
    } else if (clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE) {
        distances[4] = p[3] - p[2];
        distances[5] = p[2];
    }
    *plane = 0;
    for (int i = 1; i < 6; i++) {
        *plane = distances[i] < distances[*plane] ? i : *plane;
    }
    return distances[*plane];
}

// Whether a corner or the middle of the box is certainly inside the clip volume.
static bool is_in_clip_volume(const double *matrix, acre_clip clip, const acre_aabb *box,
                              int *plane, double *margin)
{
    *margin = -HUGE_VAL;
    for (int corner = 0; corner < 9; corner++) {
        double point[3];
        for (int k = 0; k < 3; k++) {
            const double low = (double)box->min[k], high = (double)box->max[k];
            point[k] = corner == 8 ? 0.5 * (low + high) : (corner >> k & 1 ? high : low);
        }
        int nearest;
        const double distance = clip_margin(matrix, clip, point, &nearest);
        if (distance > *margin) {
            *margin = distance;
            *plane = nearest;
        }
    }
    return *margin > 1e-9; // 2^-53 of anything near the volume is far less
}

// 1: once, 2: more often. Returns false and the slot where it is none.
static bool mark_visible(const acre_scene_view *view, const check_set *set, uint8_t *marks,
                         uint32_t *foreign)
{
    memset(marks, 0, view->slot_count);
    for (size_t i = 0; i < set->count; i++) {
        if (set->slots[i] >= view->slot_count) {
            *foreign = set->slots[i];
            return false;
        }
        marks[set->slots[i]] = marks[set->slots[i]] ? 2 : 1;
    }
    return true;
}

typedef struct check_camera {
    const acre_frustum *frustum;
    double matrix[16];
    acre_clip clip;
    uint32_t layers;
} check_camera;

static check_difference check_slot(const acre_scene_view *view, const check_camera *camera,
                                   uint32_t slot, uint8_t mark)
{
    const acre_aabb *const box = &view->world_bounds[slot];
    check_difference found = {.slot = slot, .plane = -1};
    if (mark > 1) {
        found.kind = CHECK_TWICE;
        return found;
    }
    const bool is_shown =
        !(view->flags[slot] & ACRE_ENTITY_HIDDEN) && (view->layers[slot] & camera->layers) != 0;
    const bool is_always = (view->flags[slot] & ACRE_ENTITY_NEVER_CULL) != 0;
    bool is_expected = is_shown && is_always;
    if (is_shown && !is_always && acre_aabb_is_valid(box)) {
        is_expected = passes_planes(camera->frustum, box, &found.plane, &found.margin);
    }
    if (is_expected != (mark == 1)) {
        found.kind = is_expected ? CHECK_MISSING : CHECK_EXTRA;
    } else if (!is_expected && is_shown && acre_aabb_is_valid(box)) {
        int plane;
        double margin;
        if (is_in_clip_volume(camera->matrix, camera->clip, box, &plane, &margin)) {
            found = (check_difference){CHECK_CUT_OFF, slot, plane, margin};
        }
    }
    return found;
}

check_difference check_visible_set(const acre_scene_view *view, const check_set *set,
                                   uint8_t *marks)
{
    check_difference found = {.plane = -1};
    check_camera oracle = {.frustum = set->frustum,
                           .clip = set->camera->clip,
                           .layers = set->camera->layers ? set->camera->layers : UINT32_MAX};
    clip_matrix(set->camera, oracle.matrix);
    if (!mark_visible(view, set, marks, &found.slot)) {
        found.kind = CHECK_FOREIGN;
        return found;
    }
    for (uint32_t slot = 0; slot < view->slot_count && found.kind == CHECK_EQUAL; slot++) {
        found = check_slot(view, &oracle, slot, marks[slot]);
    }
    return found;
}

const char *check_kind_text(check_kind kind)
{
    static const char *const texts[] = {"is as brute force finds it",
                                        "is missing from the set",
                                        "is in the set though a plane hides it",
                                        "is in the set twice",
                                        "is in the set but does not exist",
                                        "is inside the clip volume but missing from the set",
                                        "shadows something visible but is not among the casters",
                                        "can be seen but was dropped"};
    return texts[kind];
}
