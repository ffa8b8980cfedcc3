// SPDX-License-Identifier: MIT
// fuzz_frustum.c - fuzz target: cameras, matrices and planes of any floats. Functions answer the
// codes of their headers, planes are finite or there are none, and what lies in the clip volume is
// visible.
#include "fuzz.h"
#include "hull_internal.h"
#include "shape_internal.h"

#include <acre/camera.h>
#include <acre/stereo.h>

#include <float.h>
#include <math.h>
#include <string.h>

static bool all_finite(const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static acre_clip read_clip(fuzz_input *input)
{
    const uint32_t byte = fuzz_byte(input);
    return (acre_clip)(byte < 240 ? 1 + byte % 3 : byte - 240);
}

static bool is_known(acre_clip clip)
{
    return clip >= ACRE_CLIP_NEGATIVE_ONE_TO_ONE && clip <= ACRE_CLIP_REVERSED_ZERO_TO_ONE;
}

// ---- the tests of boxes ----

// The relations that the header states between the tests, of one valid box.
static void check_box(const acre_frustum *frustum, const acre_frustum_hull *hull,
                      const acre_aabb *box)
{
    const bool is_visible = acre_frustum_test_aabb(frustum, box);
    const bool is_inside = acre_frustum_contains_aabb(frustum, box);
    const bool is_exact = acre_frustum_hull_test_aabb(hull, box);
    FUZZ_CHECK(!is_inside || is_visible);
    FUZZ_CHECK(!is_exact || is_visible);
    FUZZ_CHECK(acre_frustum_test_aabb_exact(frustum, box) == is_exact);
    FUZZ_CHECK(acre_aabb_is_finite(box) || is_exact == is_visible);
    FUZZ_CHECK(frustum->plane_count > 0 || is_visible);
}

static void check_boxes(const acre_frustum *frustum, fuzz_input *input)
{
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, frustum);
    for (uint32_t axis = 0; axis < 3; axis++) {
        FUZZ_CHECK(hull.line_count[axis] <= ACRE_FRUSTUM_HULL_MAX_LINES);
    }
    for (uint32_t i = 0; i < 6 && fuzz_has_more(input); i++) {
        const acre_aabb box = fuzz_box(input);
        if (acre_aabb_is_valid(&box)) {
            check_box(frustum, &hull, &box);
        }
    }
}

// ---- matrices ----

// Whether the point is certainly in the exact clip volume: sums in long double, compared with a
// bound of their error.
static bool is_clipped_in(const double *m, acre_clip clip, const float *p)
{
    long double c[4], size[4];
    for (int i = 0; i < 4; i++) {
        c[i] = (long double)m[12 + i];
        size[i] = fabsl(c[i]);
        for (int k = 0; k < 3; k++) {
            const long double term = (long double)m[4 * k + i] * (long double)p[k];
            c[i] += term;
            size[i] += fabsl(term);
        }
    }
    const long double slack = 8.0L * (long double)DBL_EPSILON;
    const long double error = slack * (size[0] + size[1] + size[2] + size[3]);
    const long double w = c[3] - error;
    const bool has_negative = clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE;
    return w > fabsl(c[0]) && w > fabsl(c[1]) && w > c[2] &&
           (has_negative ? w > -c[2] : c[2] > error);
}

static void check_planes(const acre_frustum *frustum, acre_result result)
{
    FUZZ_CHECK(result == ACRE_OK || result == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(result == ACRE_OK ? frustum->plane_count <= 6 : frustum->plane_count == 0);
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const plane = frustum->planes[i];
        FUZZ_CHECK(all_finite(plane, 4));
        const double length =
            sqrt((double)plane[0] * (double)plane[0] + (double)plane[1] * (double)plane[1] +
                 (double)plane[2] * (double)plane[2]);
        FUZZ_CHECK(length > 0.5 && length < 2.0); // normalized, then turned a little
    }
}

// Moves a point along an axis to one of the planes that bound the clip volume, or a float beside
// it: where a margin that is too small would show.
static void move_to_border(const double *m, acre_clip clip, uint32_t choice, float *point)
{
    const uint32_t plane = choice % 6, axis = choice / 6 % 3;
    const double sign = plane & 1 ? -1.0 : 1.0;
    const bool is_zero = plane == 4 && clip != ACRE_CLIP_NEGATIVE_ONE_TO_ONE; // z >= 0
    double row[4];
    for (uint32_t i = 0; i < 4; i++) {
        row[i] = (is_zero ? 0.0 : m[4 * i + 3]) + sign * m[4 * i + plane / 2];
    }
    double rest = row[3];
    for (uint32_t k = 0; k < 3; k++) {
        rest += k == axis ? 0.0 : row[k] * (double)point[k];
    }
    const double at = -rest / row[axis];
    if (fabs(at) < 0x1p120) {
        point[axis] = nextafterf((float)at, choice & 128 ? INFINITY : -INFINITY);
        point[axis] = choice & 64 ? (float)at : point[axis];
    }
}

// A point in the clip volume, not farther than the promise reaches, is visible, and so is any box
// that holds it.
static void check_point(const acre_frustum *frustum, const double *matrix, acre_clip clip,
                        fuzz_input *input)
{
    acre_aabb box;
    float point[3];
    for (int i = 0; i < 3; i++) {
        point[i] = fuzz_finite(input);
        if (fabsf(point[i]) > 0x1p125f) {
            return;
        }
    }
    const uint32_t choice = fuzz_byte(input);
    if (choice >= 32) {
        move_to_border(matrix, clip, choice, point);
    }
    for (int i = 0; i < 3; i++) {
        box.min[i] = box.max[i] = point[i];
    }
    if (!is_clipped_in(matrix, clip, point)) {
        return;
    }
    FUZZ_CHECK(acre_frustum_test_aabb(frustum, &box));
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, frustum);
    FUZZ_CHECK(acre_aabb_contains(&hull.bounds, &box));
    const uint32_t axis = fuzz_byte(input) % 3;
    box.max[axis] += fabsf(fuzz_finite(input));
    FUZZ_CHECK(acre_frustum_test_aabb(frustum, &box));
    FUZZ_CHECK(acre_frustum_hull_test_aabb(&hull, &box));
}

static void read_matrix(fuzz_input *input, float *matrix)
{
    const uint32_t shape = fuzz_byte(input);
    for (uint32_t i = 0; i < 16; i++) {
        // Half of them sparse, as projections are.
        const bool is_zero = shape & 1 && i % 5 != 0 && i != 11 && i != 14;
        matrix[i] = is_zero ? 0.0f : fuzz_float(input);
    }
    if (shape & 2) {
        matrix[11] = -1.0f;
        matrix[15] = 0.0f;
    }
}

static void run_matrix(fuzz_input *input)
{
    float matrix[16];
    double wide[16];
    acre_frustum frustum, same;
    const acre_clip clip = read_clip(input);
    read_matrix(input, matrix);
    for (int i = 0; i < 16; i++) {
        wide[i] = (double)matrix[i];
    }
    const acre_result result = acre_frustum_from_matrix(&frustum, matrix, clip);
    check_planes(&frustum, result);
    FUZZ_CHECK(result != ACRE_OK || (is_known(clip) && all_finite(matrix, 16)));
    FUZZ_CHECK(acre_frustum_from_matrix_double(&same, wide, clip) == result);
    FUZZ_CHECK(same.plane_count == frustum.plane_count);
    FUZZ_CHECK(
        memcmp(same.planes, frustum.planes, frustum.plane_count * sizeof frustum.planes[0]) == 0);
    check_boxes(&frustum, input);
    for (uint32_t i = 0; i < 8 && result == ACRE_OK && fuzz_has_more(input); i++) {
        check_point(&frustum, wide, clip, input);
    }
}

// ---- cameras ----

// Far from what a float can hold, so that no element of a projection can be lost.
static bool is_ordinary(float value)
{
    return fabsf(value) > 1e-4f && fabsf(value) < 1e6f;
}

// A point well inside the pyramid or the box that the numbers describe is visible. The planes are
// those of a rounded matrix, in which a far plane much farther than the near one is not precise.
static void check_projection(const acre_camera *camera, bool is_perspective, const float *numbers,
                             fuzz_input *input)
{
    const double near_distance = (double)numbers[2], far_distance = (double)numbers[3];
    const double farthest = fmin(far_distance, 1000.0 * near_distance);
    const double depth =
        near_distance + (farthest - near_distance) * (0.001 + 0.998 * fuzz_byte(input) / 255.0);
    const double height =
        is_perspective ? depth * tan(0.5 * (double)numbers[0]) : 0.5 * (double)numbers[1];
    const double width = is_perspective ? height * (double)numbers[1] : 0.5 * (double)numbers[0];
    const float x = (float)(width * ((int)fuzz_byte(input) - 128) / 129.0);
    const float y = (float)(height * ((int)fuzz_byte(input) - 128) / 129.0);
    const acre_aabb point = {{x, y, (float)-depth}, {x, y, (float)-depth}};
    acre_camera looking = *camera;
    acre_frustum frustum;
    for (int i = 0; i < 16; i++) {
        looking.view[i] = i % 5 == 0 ? 1.0f : 0.0f;
    }
    FUZZ_CHECK(acre_camera_frustum(&looking, &frustum) == ACRE_OK);
    FUZZ_CHECK(acre_frustum_test_aabb(&frustum, &point));
}

static bool set_projection(acre_camera *camera, fuzz_input *input)
{
    const acre_camera before = *camera;
    const bool is_perspective = fuzz_byte(input) & 1;
    const float a = fuzz_float(input), b = fuzz_float(input);
    const float near_distance = fuzz_float(input), far_distance = fuzz_float(input);
    const acre_clip clip = read_clip(input);
    // A matrix that floats cannot hold is refused as well.
    const bool is_easy = is_ordinary(a) && is_ordinary(b) && is_ordinary(near_distance) &&
                         (is_ordinary(far_distance) || (is_perspective && isinf(far_distance)));
    const bool is_good =
        is_known(clip) && a > 0.0f && b > 0.0f && isfinite(b) && isfinite(near_distance) &&
        far_distance > near_distance &&
        (is_perspective ? (double)a < 3.14159265358979323846 && near_distance > 0.0f
                        : isfinite(a) && isfinite(far_distance));
    const acre_result result =
        is_perspective ? acre_camera_perspective(camera, a, b, near_distance, far_distance, clip)
                       : acre_camera_orthographic(camera, a, b, near_distance, far_distance, clip);
    FUZZ_CHECK(result == ACRE_OK || result == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(result == ACRE_OK ? is_good : !(is_good && is_easy));
    FUZZ_CHECK(result != ACRE_OK || all_finite(camera->projection, 16));
    FUZZ_CHECK(result == ACRE_OK || memcmp(camera, &before, sizeof before) == 0);
    FUZZ_CHECK(result != ACRE_OK || (camera->clip == clip && camera->layers == before.layers));
    if (result == ACRE_OK && is_easy && (is_perspective || near_distance > 0.0f)) {
        check_projection(camera, is_perspective, (float[]){a, b, near_distance, far_distance},
                         input);
    }
    return result == ACRE_OK;
}

static void set_view(acre_camera *camera, fuzz_input *input)
{
    const acre_camera before = *camera;
    float at[3][3];
    bool is_finite = true;
    for (int i = 0; i < 9; i++) {
        at[i / 3][i % 3] = fuzz_float(input);
        is_finite &= isfinite(at[i / 3][i % 3]);
    }
    const acre_result result = acre_camera_look_at(camera, at[0], at[1], at[2]);
    FUZZ_CHECK(result == ACRE_OK || result == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(result != ACRE_OK || (is_finite && memcmp(at[0], at[1], sizeof at[0]) != 0));
    FUZZ_CHECK(result == ACRE_OK || memcmp(camera, &before, sizeof before) == 0);
    FUZZ_CHECK(memcmp(camera->projection, before.projection, sizeof before.projection) == 0);
    for (int i = 0; i < 16 && result == ACRE_OK; i++) { // directions; the last column may overflow
        FUZZ_CHECK(i >= 12 || fabsf(camera->view[i]) <= 1.0f + FLT_EPSILON);
    }
}

// Both eyes of a headset are this camera, and head space is the world: what the camera sees is in
// the frustum around both.
static void check_stereo(const acre_camera *camera, const double *product, fuzz_input *input)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const acre_camera eyes[2] = {*camera, *camera};
    acre_stereo stereo;
    acre_frustum both;
    float head[16];
    const acre_result result = acre_stereo_prepare(&stereo, eyes);
    FUZZ_CHECK(result == ACRE_OK || result == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(acre_stereo_place(&stereo, identity, &both) == result);
    for (uint32_t i = 0; i < both.plane_count; i++) {
        FUZZ_CHECK(all_finite(both.planes[i], 4));
    }
    for (uint32_t i = 0; i < 8 && fuzz_has_more(input); i++) {
        check_point(&both, product, camera->clip, input);
    }
    read_matrix(input, head);
    const acre_result placed = acre_stereo_place(&stereo, head, &both);
    FUZZ_CHECK(placed == ACRE_OK || placed == ACRE_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(placed == ACRE_OK ? result == ACRE_OK : both.plane_count == 0);
}

// Any place in the picture and in the world: answers are finite, or nothing is written.
static void check_picture(const acre_camera *camera, fuzz_input *input)
{
    acre_ray ray;
    acre_frustum part;
    float at[4], found[3];
    for (int i = 0; i < 4; i++) {
        at[i] = fuzz_float(input);
    }
    const acre_result cast = acre_camera_ray(camera, at[0], at[1], &ray);
    FUZZ_CHECK(cast == ACRE_OK ? acre_ray_is_valid(&ray) : cast == ACRE_ERROR_INVALID_ARGUMENT);
    const acre_result projected = acre_camera_project(camera, at, &found[0], &found[1], &found[2]);
    FUZZ_CHECK(projected == ACRE_OK ? all_finite(found, 3)
                                    : projected == ACRE_ERROR_INVALID_ARGUMENT);
    const acre_result cut = acre_camera_sub_frustum(camera, at[0], at[1], at[2], at[3], &part);
    check_planes(&part, cut);
    FUZZ_CHECK(cut != ACRE_OK || (all_finite(at, 4) && at[0] < at[2] && at[1] < at[3]));
}

static void run_camera(fuzz_input *input)
{
    acre_camera camera = {.layers = fuzz_byte(input)};
    acre_frustum frustum;
    const bool is_set = set_projection(&camera, input);
    if (fuzz_byte(input) & 1) {
        set_view(&camera, input);
    }
    if (fuzz_byte(input) > 240) {
        read_matrix(input, fuzz_byte(input) & 1 ? camera.view : camera.projection);
    }
    const acre_result result = acre_camera_frustum(&camera, &frustum);
    check_planes(&frustum, result);
    FUZZ_CHECK(is_set || result != ACRE_OK || all_finite(camera.projection, 16));
    check_boxes(&frustum, input);
    check_picture(&camera, input);
    if (result != ACRE_OK) {
        return;
    }
    double product[16] = {0.0};
    for (int i = 0; i < 64; i++) { // column, row, step
        const int column = i / 16, row = i / 4 % 4, k = i % 4;
        product[4 * column + row] +=
            (double)camera.projection[4 * k + row] * (double)camera.view[4 * column + k];
    }
    for (uint32_t i = 0; i < 8 && fuzz_has_more(input); i++) {
        check_point(&frustum, product, camera.clip, input);
    }
    check_stereo(&camera, product, input);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size, 0};
    switch (fuzz_byte(&input) % 3) {
    case 0:
        run_matrix(&input);
        break;
    case 1:
        run_camera(&input);
        break;
    default: {
        const acre_frustum frustum = fuzz_frustum(&input);
        check_boxes(&frustum, &input);
        break;
    }
    }
    return 0;
}
