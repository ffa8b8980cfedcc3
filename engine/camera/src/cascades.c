// SPDX-License-Identifier: MIT
// cascades.c - fits light cameras around the bounding spheres of view slices.
//
// The size of a cascade. Let r be the sphere's radius and n the resolution. Snapping moves the
// volume by at most half a step, which is 2^j texels; one texel more pays for all rounding: of the
// sphere's centre, of the light's axes and of the float projection, each below 2^-20 r. So
//     texel = r / (n / 2 - 1 - 2^j / 2)    makes    n texel / 2 = r + (1 + 2^j / 2) texel.
// texel is rounded up to TEXEL_BITS bits, at most 3% more, so that any number of steps below
// 2^(24 - TEXEL_BITS) is a float exactly. j is 0, and counts up only where the slice is farther
// from the origin than that many steps, up to a step of a quarter of the volume. From there on the
// texel grows.
#include <acre/cascades.h>

#include "float_bits.h"
#include "vector_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TEXEL_BITS 6
#define MIN_RESOLUTION 8u
#define MAX_RESOLUTION 65536u
// Elements by which a view's rotation times its transpose may differ from the identity.
#define RIGID_TOLERANCE 0x1p-8
// What a rotation of normalised floats keeps to: such views all give the same sizes.
#define RIGID_FLOATS 0x1p-20
// A far plane this many times as far as its terms are large is a rounding rest of an infinite one.
#define CANCELLED 0x1p-23
// cosine between light and z axis above which x is the light camera's up.
#define ALONG_Z 0.999

// A projection in numbers. At depth d, the camera sees the rectangle of half size half[] * u around
// shift[] + mid[] * u; u is d (perspective) or 1 (orthographic). Depth grows along z * sign.
typedef struct lens {
    bool is_orthographic;
    double half[2], mid[2], shift[2];
    double sign;
    double w; // of clip space, per unit of u
    double near_distance, far_distance;
} lens;

// A camera's place and axes: world = eye + x axes[0] + y axes[1] + z axes[2].
typedef struct stand {
    double eye[3];
    double axes[3][3];
    double growth; // no vector gets longer than that many times its length in the camera
} stand;

typedef struct sphere {
    double center[3]; // in the camera
    double radius;
} sphere;

static void normalize(double *v)
{
    const double length = length3(v);
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
}

// The depth at which clip z is value * w. Perspective: a z + b = value k z, with w = k z.
static double lens_depth(const lens *in, double a, double b, double value)
{
    if (in->is_orthographic) {
        return in->sign * (value * in->w - b) / a;
    }
    const double k = in->sign * in->w;
    const double slope = value * k - a;
    if (fabs(slope) <= CANCELLED * (fabs(value * k) + fabs(a))) {
        return (double)INFINITY;
    }
    return in->sign * b / slope;
}

static bool read_depths(lens *out, double a, double b, acre_clip clip)
{
    const double first = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE    ? -1.0
                         : clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 1.0
                                                                  : 0.0;
    const double last = clip == ACRE_CLIP_REVERSED_ZERO_TO_ONE ? 0.0 : 1.0;
    if (out->is_orthographic) {
        out->sign = (last - first) * a > 0.0 ? 1.0 : -1.0;
    }
    out->near_distance = lens_depth(out, a, b, first);
    out->far_distance = lens_depth(out, a, b, last);
    // The far plane of a reversed projection with rounded elements may come to lie behind the eye.
    if (!out->is_orthographic && out->far_distance <= 0.0) {
        out->far_distance = (double)INFINITY;
    }
    return out->far_distance > out->near_distance && fabs(out->near_distance) <= DBL_MAX &&
           (out->is_orthographic ? out->far_distance <= DBL_MAX : out->near_distance > 0.0);
}

// @return false for what is neither perspective nor orthographic.
static bool read_lens(const acre_camera *camera, lens *out)
{
    const float *const m = camera->projection;
    static const int zeros[] = {1, 2, 3, 4, 6, 7};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        if (m[zeros[i]] != 0.0f) {
            return false;
        }
    }
    if (!floats_are_finite(m, 16) || m[0] == 0.0f || m[5] == 0.0f) {
        return false;
    }
    out->is_orthographic = m[11] == 0.0f;
    if (out->is_orthographic ? !(m[15] > 0.0f && m[10] != 0.0f) : m[15] != 0.0f) {
        return false;
    }
    out->w = out->is_orthographic ? (double)m[15] : fabs((double)m[11]);
    out->sign = m[11] > 0.0f ? 1.0 : -1.0;
    for (int k = 0; k < 2; k++) {
        const double scale = (double)m[5 * k];
        out->half[k] = out->w / fabs(scale);
        // An orthographic one's share of z is a shear.
        out->mid[k] = -out->sign * (double)m[8 + k] / scale;
        out->shift[k] = -(double)m[12 + k] / scale;
        if (out->is_orthographic && m[8 + k] != 0.0f) {
            return false;
        }
    }
    return read_depths(out, (double)m[10], (double)m[14], camera->clip);
}

// Inverts the view. Its rows are almost perpendicular and of unit length, so the columns of the
// inverse are their cross products over the determinant.
static bool read_stand(const float *view, stand *out)
{
    if (!floats_are_finite(view, 16) || view[3] != 0.0f || view[7] != 0.0f || view[11] != 0.0f ||
        view[15] != 1.0f) {
        return false;
    }
    double rows[3][3];
    for (int i = 0; i < 9; i++) {
        rows[i / 3][i % 3] = (double)view[4 * (i % 3) + i / 3];
    }
    double deviation = 0.0;
    for (int i = 0; i < 9; i++) {
        const double unit = i / 3 == i % 3 ? 1.0 : 0.0;
        deviation = fmax(deviation, fabs(dot3(rows[i / 3], rows[i % 3]) - unit));
    }
    if (!(deviation <= RIGID_TOLERANCE)) {
        return false;
    }
    // In steps of powers of two, so that rounding of a view does not show in the sizes.
    out->growth = 1.0 + exp2(ceil(log2(4.0 * fmax(deviation, RIGID_FLOATS))));
    memset(out->eye, 0, sizeof out->eye);
    for (int i = 0; i < 3; i++) {
        cross3(rows[(i + 1) % 3], rows[(i + 2) % 3], out->axes[i]);
        const double determinant = dot3(rows[i], out->axes[i]);
        for (int k = 0; k < 3; k++) {
            out->axes[i][k] /= determinant;
            out->eye[k] -= out->axes[i][k] * (double)view[12 + i];
        }
    }
    return true;
}

static bool is_valid_def(const acre_cascades_def *def)
{
    return floats_are_finite(def->light, 3) && float_is_finite(def->caster_distance) &&
           def->caster_distance >= 0.0f && def->count >= 1 && def->count <= ACRE_CASCADE_MAX &&
           def->resolution >= MIN_RESOLUTION && def->resolution <= MAX_RESOLUTION &&
           (def->clip == 0 || (def->clip >= ACRE_CLIP_NEGATIVE_ONE_TO_ONE &&
                               def->clip <= ACRE_CLIP_REVERSED_ZERO_TO_ONE)) &&
           (def->light[0] != 0.0f || def->light[1] != 0.0f || def->light[2] != 0.0f);
}

static bool is_valid_camera(const acre_camera *camera, lens *out)
{
    return camera->clip >= ACRE_CLIP_NEGATIVE_ONE_TO_ONE &&
           camera->clip <= ACRE_CLIP_REVERSED_ZERO_TO_ONE && read_lens(camera, out);
}

static void cut(const acre_cascades_def *def, const lens *in, double far_distance, float *out)
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
static bool find_splits(const acre_cascades_def *def, const lens *in, float *out)
{
    if (def->splits) {
        memcpy(out, def->splits, (def->count + 1) * sizeof *out);
    } else {
        const double asked = def->distance == 0.0f ? in->far_distance : (double)def->distance;
        if (float_is_nan(def->distance) || !(def->log_share >= 0.0f && def->log_share <= 1.0f)) {
            return false;
        }
        cut(def, in, fmin(asked, in->far_distance), out);
    }
    for (uint32_t i = 0; i <= def->count; i++) {
        if (!float_is_finite(out[i]) || (i > 0 && !(out[i] > out[i - 1]))) {
            return false;
        }
    }
    return in->is_orthographic || out[0] > 0.0f;
}

acre_result acre_cascades_split(const acre_cascades_def *def, const acre_camera *camera, float *out)
{
    lens view;
    float splits[ACRE_CASCADE_MAX + 1];
    if (!def || !camera || !out || !is_valid_def(def) || !is_valid_camera(camera, &view) ||
        !find_splits(def, &view, splits)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    memcpy(out, splits, (def->count + 1) * sizeof *out);
    return ACRE_OK;
}

// The axes are rounded to floats: the view matrix holds the same ones that the centre is measured
// with, so that a centre far from the origin is not misplaced by their rounding.
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

// The smallest sphere with its centre on the line through the middles of all rectangles. Of a
// perspective's the centre at depth t has, with m = (mid, 1) and e the corner that is worst, the
// squared distance (t - f)^2 m.m + 2 f (f - t) m.e + f^2 e.e from the far corners and likewise from
// the near ones, (t - n)^2 m.m + 2 n (t - n) m.e + n^2 e.e: the one falls and the other grows up to
// t = f. The best t makes them equal, or is f.
static sphere slice_sphere(const lens *in, double n, double f)
{
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

// farthest: coordinate of the sphere's centre. *step: what the cascade moves by.
static double find_texel(double radius, double farthest, uint32_t resolution, double *step)
{
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
    return texel;
}

// Writes the view matrix itself: its rotation is then the same in every frame, to the bit, which a
// target computed from the eye would not give. at: the camera's place along right, up, forward.
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

static float round_down(double value)
{
    const float rounded = (float)value;
    return (double)rounded > value ? nextafterf(rounded, -INFINITY) : rounded;
}

static acre_result fit_camera(const acre_cascades_def *def, const lens *in, const stand *place,
                              double axes[3][3], acre_cascade *out)
{
    const sphere ball = slice_sphere(in, (double)out->near_distance, (double)out->far_distance);
    double center[3], along[3];
    for (int k = 0; k < 3; k++) {
        center[k] = place->eye[k];
        for (int i = 0; i < 3; i++) {
            center[k] += place->axes[i][k] * ball.center[i];
        }
    }
    double farthest = 0.0;
    for (int i = 0; i < 3; i++) {
        along[i] = dot3(axes[i], center);
        farthest = fmax(farthest, fabs(along[i]));
    }
    double step;
    const double texel = find_texel(ball.radius * place->growth, farthest, def->resolution, &step);
    for (int i = 0; i < 3; i++) {
        along[i] = floor(along[i] / step + 0.5) * step;
    }
    look_along(&out->camera, axes, along);
    out->texel = (float)texel;
    out->half_width = (float)(0.5 * texel * (double)def->resolution);
    const float width = 2.0f * out->half_width;
    return acre_camera_orthographic(
        &out->camera, width, width,
        round_down(-((double)out->half_width + (double)def->caster_distance)), out->half_width,
        out->camera.clip);
}

// The camera's projection with the slice's depths, 0..1, times its view.
static acre_result slice_planes(const acre_camera *camera, const lens *in, acre_cascade *out)
{
    const double n = (double)out->near_distance, f = (double)out->far_distance;
    double projection[16], product[16];
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
    return acre_frustum_from_matrix_double(&out->slice, product, ACRE_CLIP_ZERO_TO_ONE);
}

acre_result acre_cascades_fit(const acre_cascades_def *def, const acre_camera *camera,
                              acre_cascade *out)
{
    lens view;
    stand place;
    float splits[ACRE_CASCADE_MAX + 1];
    if (!def || !camera || !out || !is_valid_def(def) || !is_valid_camera(camera, &view) ||
        !read_stand(camera->view, &place) || !find_splits(def, &view, splits)) {
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
        if (fit_camera(def, &view, &place, axes, one) != ACRE_OK ||
            slice_planes(camera, &view, one) != ACRE_OK) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    memcpy(out, cascades, def->count * sizeof *out);
    return ACRE_OK;
}
