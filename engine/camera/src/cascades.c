// SPDX-License-Identifier: MIT
// cascades.c - fits light cameras around the bounding spheres of view slices.
//
// The size of a cascade. Let r be the sphere's radius and n the resolution. A step is 2^j texels.
// Snapping moves the volume by at most half a step; one texel more covers all rounding: of the
// sphere's center, of the light's axes and of the float projection, each below 2^-20 r. So
//     texel = r / (n / 2 - 1 - 2^j / 2)    makes    n texel / 2 = r + (1 + 2^j / 2) texel.
// texel is rounded up to TEXEL_BITS bits, at most 3% more, so that any number of steps below
// 2^(24 - TEXEL_BITS) is a float exactly. j is 0, and counts up only where the slice is farther
// from the origin than that many steps, up to a step of a quarter of the volume. From there on the
// texel grows.
#include <acre/cascades.h>

#include "lens_internal.h"

#include "assert_internal.h"
#include "clip_internal.h"
#include "float_bits.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TEXEL_BITS 6
#define MIN_RESOLUTION 8u
#define MAX_RESOLUTION 65536u
// The deviation of a rotation of floats is below this: such views all give the same sizes.
#define RIGID_FLOATS 0x1p-20
// cosine between light and z axis above which x is the light camera's up.
#define ALONG_Z 0.999

typedef struct sphere {
    double center[3]; // in the camera
    double radius;
} sphere;

static void normalize(double *v)
{
    const double length = length3(v);
    ACRE_INVARIANT(length > 0.0);
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
}

// No vector gets longer in the world than that many times its length in the camera. A power of two
// above 1, so that the rounding of a view does not show in the sizes.
static double pose_growth(const camera_pose *pose)
{
    return 1.0 + exp2(ceil(log2(4.0 * fmax(pose->deviation, RIGID_FLOATS))));
}

static bool is_valid_def(const acre_cascades_def *def)
{
    return floats_are_finite(def->light, 3) && float_is_finite(def->caster_distance) &&
           def->caster_distance >= 0.0f && def->count >= 1 && def->count <= ACRE_CASCADE_MAX &&
           def->resolution >= MIN_RESOLUTION && def->resolution <= MAX_RESOLUTION &&
           (def->clip == 0 || clip_is_known(def->clip)) &&
           (def->light[0] != 0.0f || def->light[1] != 0.0f || def->light[2] != 0.0f);
}

static void cut_depths(const acre_cascades_def *def, const camera_lens *in, double far_distance,
                       float *out)
{
    const double near_distance = in->near_distance;
    const double log_share = in->is_orthographic ? 0.0 : (double)def->log_share;
    for (uint32_t i = 0; i <= def->count; i++) {
        const double t = (double)i / (double)def->count;
        const double uniform = near_distance + (far_distance - near_distance) * t;
        const double logarithmic =
            log_share > 0.0 ? near_distance * pow(far_distance / near_distance, t) : uniform;
        out[i] = (float)(uniform + log_share * (logarithmic - uniform));
    }
    out[0] = (float)near_distance;
    out[def->count] = (float)far_distance;
}

// @param out has room for ACRE_CASCADE_MAX + 1.
static bool find_splits(const acre_cascades_def *def, const camera_lens *in, float *out)
{
    if (def->splits) {
        memcpy(out, def->splits, (def->count + 1) * sizeof *out);
    } else {
        const double asked = def->distance == 0.0f ? in->far_distance : (double)def->distance;
        if (float_is_nan(def->distance) || !(def->log_share >= 0.0f && def->log_share <= 1.0f)) {
            return false;
        }
        cut_depths(def, in, fmin(asked, in->far_distance), out);
    }
    for (uint32_t i = 0; i <= def->count; i++) {
        if (!float_is_finite(out[i]) || (i > 0 && !(out[i] > out[i - 1]))) {
            return false;
        }
    }
    return in->is_orthographic || out[0] > 0.0f;
}

// Rounds the axes to floats, so that the center is measured with the very axes that the view matrix
// holds: far from the origin their rounding would misplace it.
static void light_axes(const float *light, double axes[3][3])
{
    double forward[3];
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        largest = fmax(largest, fabs((double)light[k]));
    }
    for (int k = 0; k < 3; k++) {
        forward[k] = (double)light[k] / largest;
    }
    normalize(forward);
    const double up[3] = {fabs(forward[2]) > ALONG_Z, 0.0, !(fabs(forward[2]) > ALONG_Z)};
    cross3(forward, up, axes[0]);
    normalize(axes[0]);
    cross3(axes[0], forward, axes[1]);
    for (int i = 0; i < 3; i++) {
        axes[0][i] = (double)(float)axes[0][i];
        axes[1][i] = (double)(float)axes[1][i];
        axes[2][i] = (double)(float)forward[i];
    }
}

// The smallest sphere with its center on the line through the middles of all rectangles. Of a
// perspective's the center at depth t has, with m = (mid, 1) and e the corner that is worst, the
// squared distance (t - f)^2 m.m + 2 f (f - t) m.e + f^2 e.e from the far corners and likewise from
// the near ones, (t - n)^2 m.m + 2 n (t - n) m.e + n^2 e.e: the one falls and the other grows up to
// t = f. The best t makes them equal, or is f.
static sphere slice_sphere(const camera_lens *in, double n, double f)
{
    ACRE_INVARIANT(n < f);
    const double ee = in->half[0] * in->half[0] + in->half[1] * in->half[1];
    const double mm = 1.0 + in->mid[0] * in->mid[0] + in->mid[1] * in->mid[1];
    const double me = fabs(in->mid[0]) * in->half[0] + fabs(in->mid[1]) * in->half[1];
    sphere out;
    double t = 0.5 * (n + f);
    double unit = 1.0;
    if (in->is_orthographic) {
        out.radius = sqrt(0.25 * (f - n) * (f - n) + ee);
    } else {
        t = fmin(((mm + ee) * (f - n) * (f + n) + 2.0 * me * (f * f + n * n)) /
                     (2.0 * mm * (f - n) + 2.0 * me * (f + n)),
                 f);
        out.radius = sqrt((t - f) * (t - f) * mm + 2.0 * f * (f - t) * me + f * f * ee);
        unit = t;
    }
    out.center[0] = in->shift[0] + in->mid[0] * unit;
    out.center[1] = in->shift[1] + in->mid[1] * unit;
    out.center[2] = in->sign * t;
    return out;
}

static double round_up_to_bits(double value)
{
    int exponent;
    const double fraction = frexp(value, &exponent);
    return ldexp(ceil(ldexp(fraction, TEXEL_BITS)), exponent - TEXEL_BITS);
}

// farthest: the largest coordinate of the sphere's center. *step receives what cascades move by.
static double find_texel(double radius, double farthest, uint32_t resolution, double *step)
{
    ACRE_INVARIANT(radius > 0.0 && resolution >= MIN_RESOLUTION);
    const double half = 0.5 * (double)resolution;
    const double least_step = ldexp(farthest, TEXEL_BITS - 24);
    double texels = 1.0;
    double texel = round_up_to_bits(radius / (half - 1.5));
    while (texel * texels < least_step && 4.0 * texels <= (double)resolution) {
        texels *= 2.0;
        texel = round_up_to_bits(radius / (half - 1.0 - 0.5 * texels));
    }
    texel = fmax(texel, round_up_to_bits(least_step / texels));
    *step = texel * texels;
    ACRE_INVARIANT(radius <= (half - 1.0 - 0.5 * texels) * texel * (1.0 + 0x1p-40));
    return texel;
}

// Writes the view matrix from the axes: its rotation is then the same in every frame, to the bit;
// looking at a target would round anew. at: the camera's place along right, up and forward.
static void look_along(acre_camera *camera, double axes[3][3], const double *at)
{
    for (int k = 0; k < 3; k++) {
        camera->view[4 * k + 0] = (float)axes[0][k];
        camera->view[4 * k + 1] = (float)axes[1][k];
        camera->view[4 * k + 2] = (float)-axes[2][k];
    }
    camera->view[12] = (float)-at[0];
    camera->view[13] = (float)-at[1];
    camera->view[14] = (float)at[2];
    camera->view[15] = 1.0f;
}

static acre_result fit_camera(const acre_cascades_def *def, const camera_lens *in,
                              const camera_pose *pose, double axes[3][3], acre_cascade *out)
{
    const sphere ball = slice_sphere(in, (double)out->near_distance, (double)out->far_distance);
    double center[3], along[3];
    for (int k = 0; k < 3; k++) {
        center[k] = pose->eye[k];
        for (int i = 0; i < 3; i++) {
            center[k] += pose->axes[i][k] * ball.center[i];
        }
    }
    double farthest = 0.0;
    for (int i = 0; i < 3; i++) {
        along[i] = dot3(axes[i], center);
        farthest = fmax(farthest, fabs(along[i]));
    }
    double step;
    const double texel =
        find_texel(ball.radius * pose_growth(pose), farthest, def->resolution, &step);
    for (int i = 0; i < 3; i++) {
        along[i] = floor(along[i] / step + 0.5) * step;
    }
    look_along(&out->camera, axes, along);
    out->texel = (float)texel;
    out->half_width = (float)(0.5 * texel * (double)def->resolution);
    const float width = 2.0f * out->half_width;
    return acre_camera_orthographic(
        &out->camera, width, width,
        float_round_down(-((double)out->half_width + (double)def->caster_distance)),
        out->half_width, out->camera.clip);
}

// The camera's projection with the slice's depths, 0..1, times its view.
static acre_result slice_planes(const acre_camera *camera, const camera_lens *in, acre_cascade *out)
{
    const double n = (double)out->near_distance, f = (double)out->far_distance;
    double projection[16], product[16];
    ACRE_INVARIANT(n < f);
    for (int i = 0; i < 16; i++) {
        projection[i] = (double)camera->projection[i];
    }
    const double per_depth = in->w / (f - n) * (in->is_orthographic ? 1.0 : f);
    projection[10] = in->sign * per_depth;
    projection[14] = -n * per_depth;
    for (int i = 0; i < 16; i++) {
        product[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            product[i] += projection[4 * k + i % 4] * (double)camera->view[i / 4 * 4 + k];
        }
    }
    return acre_extract_frustum(&out->slice, product, ACRE_CLIP_ZERO_TO_ONE);
}

acre_result acre_cascades_fit(const acre_cascades_def *def, const acre_camera *camera,
                              acre_cascade *out)
{
    camera_lens view;
    camera_pose pose;
    float splits[ACRE_CASCADE_MAX + 1];
    if (!def || !camera || !out || !is_valid_def(def) || !acre_read_lens(camera, &view) ||
        !acre_read_pose(camera->view, &pose) || !find_splits(def, &view, splits)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    double axes[3][3];
    light_axes(def->light, axes);
    acre_cascade cascades[ACRE_CASCADE_MAX];
    for (uint32_t i = 0; i < def->count; i++) {
        acre_cascade *const one = &cascades[i];
        *one = (acre_cascade){.near_distance = splits[i], .far_distance = splits[i + 1]};
        one->camera.clip = def->clip ? def->clip : camera->clip;
        for (int k = 0; k < 3; k++) {
            one->light[k] = (float)axes[2][k];
        }
        if (fit_camera(def, &view, &pose, axes, one) != ACRE_OK ||
            slice_planes(camera, &view, one) != ACRE_OK) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    memcpy(out, cascades, def->count * sizeof *out);
    return ACRE_OK;
}
