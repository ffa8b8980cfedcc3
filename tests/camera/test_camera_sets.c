// SPDX-License-Identifier: MIT
// test_camera_sets.c - the joint frustum loses nothing that an eye sees and is no larger than the
// hull of the eyes; the faces of a cube see every direction once.
#include "frustum_kinds.h"
#include "test.h"

#include <acre/camera_sets.h>

#include <float.h>
#include <string.h>

// Cameras that stand together.
typedef struct rig {
    uint32_t count;
    projection_kind kinds[ACRE_JOINT_MAX_CAMERAS];
    test_view views[ACRE_JOINT_MAX_CAMERAS];
    rounded_camera rounded[ACRE_JOINT_MAX_CAMERAS];
    acre_camera cameras[ACRE_JOINT_MAX_CAMERAS];
} rig;

typedef enum rig_kind {
    RIG_PARALLEL, // two equal eyes, beside each other
    RIG_MIRRORED, // with mirrored, asymmetric views
    RIG_CANTED,   // and turned outwards or inwards, one rolled a little
    RIG_LOOSE,    // two to four cameras of any kind, turned by up to half a radian
    RIG_KIND_COUNT
} rig_kind;

static void turn_axes(double axes[3][3], int first, int second, double angle)
{
    for (int k = 0; k < 3; k++) {
        const double a = axes[first][k], b = axes[second][k];
        axes[first][k] = cos(angle) * a + sin(angle) * b;
        axes[second][k] = cos(angle) * b - sin(angle) * a;
    }
}

static const projection_kind *rig_projection(test_random *random, rig_kind kind)
{
    static const projection_kind headset = {"headset", false, -1.2, 0.8,       -1.1,
                                            1.0,       0.05,  500,  {1, 1, 1}, 1};
    static const projection_kind endless_headset = {
        "endless headset", false, -1.2, 0.8, -1.1, 1.0, 0.05, (double)INFINITY, {1, 1, 1}, 1};
    if (kind == RIG_LOOSE || random_below(random, 3) == 0) {
        return &projection_kinds[random_below(random, PROJECTION_KIND_COUNT)];
    }
    return random_below(random, 2) ? &headset : &endless_headset;
}

static void add_camera(test_random *random, rig *out, rig_kind kind)
{
    const uint32_t i = out->count++;
    out->kinds[i] = out->kinds[0];
    out->views[i] = out->views[0];
    test_view *const view = &out->views[i];
    const double distance = (double)random_float(random, 0.05f, 0.08f) * view->size;
    for (int k = 0; k < 3; k++) {
        view->eye[k] += distance * view->axes[0][k];
    }
    if (kind == RIG_MIRRORED || kind == RIG_CANTED) {
        out->kinds[i].left = -out->kinds[0].right;
        out->kinds[i].right = -out->kinds[0].left;
    }
    if (kind == RIG_CANTED) {
        turn_axes(view->axes, 0, 2, (double)random_float(random, -0.4f, 0.4f));
        turn_axes(view->axes, 0, 1, (double)random_float(random, -0.02f, 0.02f));
    }
    if (kind == RIG_LOOSE) {
        out->kinds[i] = *rig_projection(random, kind);
        out->kinds[i].flip[2] = out->kinds[0].flip[2];
        view->clip = all_clips[random_below(random, 3)];
        turn_axes(view->axes, 0, 2, (double)random_float(random, -0.5f, 0.5f));
        turn_axes(view->axes, 1, 2, (double)random_float(random, -0.5f, 0.5f));
        view->eye[random_below(random, 3)] += (double)random_float(random, -5, 5);
    }
}

static void make_rig(test_random *random, rig_kind kind, double offset, rig *out)
{
    *out = (rig){.count = 1};
    out->kinds[0] = *rig_projection(random, kind);
    out->views[0] = random_view(random, &out->kinds[0], all_clips[random_below(random, 3)], offset);
    const uint32_t count = kind == RIG_LOOSE ? 2 + random_below(random, 3) : 2;
    while (out->count < count) {
        add_camera(random, out, kind);
    }
    for (uint32_t i = 0; i < out->count; i++) {
        out->views[i].kind = &out->kinds[i];
        out->rounded[i] = round_camera(&out->views[i]);
        out->cameras[i] = out->rounded[i].camera;
    }
}

// A depth of the view, of any magnitude between near and far or a thousand times near and 1 km.
static double random_depth(test_random *random, const test_view *view)
{
    const projection_kind *const kind = view->kind;
    const double t = (double)random_float(random, 0, 1);
    const double far_distance =
        fmin(kind->far_distance, 1000.0 * fmax(1.0, kind->near_distance)) * view->size;
    const double near_distance = kind->near_distance * view->size;
    return kind->is_orthographic ? near_distance + t * (far_distance - near_distance)
                                 : near_distance * pow(far_distance / near_distance, t);
}

// A point that double precision proves to be seen by one of the cameras.
static bool find_seen_point(test_random *random, const rig *from, double *out)
{
    const uint32_t i = random_below(random, from->count);
    const test_view *const view = &from->views[i];
    float x = random_float(random, -1, 1), y = random_float(random, -1, 1);
    if (random_below(random, 4) == 0) { // at the border
        x = x > 0.0f ? 1.0f : -1.0f;
    }
    if (random_below(random, 4) == 0) {
        y = y > 0.0f ? 1.0f : -1.0f;
    }
    view_point(view, (double)x, (double)y, random_depth(random, view), out);
    return is_proved_inside(from->rounded[i].matrix, view->clip, out);
}

// ---- the hull, as points ----

typedef struct point_set {
    double points[8 * ACRE_JOINT_MAX_CAMERAS][3];
    uint32_t count;
} point_set;

static point_set corners_of(const rig *from)
{
    point_set out = {.count = 0};
    for (uint32_t i = 0; i < from->count; i++) {
        const projection_kind *const kind = &from->kinds[i];
        const double end =
            kind->is_orthographic || kind->far_distance < 0x1p18 * kind->near_distance
                ? kind->far_distance
                : 1e6;
        for (int c = 0; c < 8; c++) {
            view_point(&from->views[i], c & 1 ? 1 : -1, c & 2 ? 1 : -1,
                       (c & 4 ? end : kind->near_distance) * from->views[i].size,
                       out.points[out.count++]);
        }
    }
    return out;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The point of the set less the box that lies farthest against a direction.
static void farthest_difference(const point_set *set, const acre_aabb *box, const double *direction,
                                double *out)
{
    uint32_t farthest = 0;
    for (uint32_t i = 1; i < set->count; i++) {
        if (dot(set->points[i], direction) < dot(set->points[farthest], direction)) {
            farthest = i;
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] =
            set->points[farthest][k] - (double)(direction[k] > 0.0 ? box->max[k] : box->min[k]);
    }
}

// A lower bound of the distance between the box and the hull of the points: the plane that proves
// it is found by Gilbert's iteration (1966), which goes towards the point of hull less box that is
// nearest to 0.
static double proved_distance(const point_set *set, const acre_aabb *box)
{
    double nearest[3], best = 0.0;
    farthest_difference(set, box, (const double[]){0, 0, 0}, nearest);
    for (int step = 0; step < 300; step++) {
        double support[3], way[3];
        farthest_difference(set, box, nearest, support);
        const double size = sqrt(dot(nearest, nearest));
        if (!(size > 1e-9)) {
            return 0.0;
        }
        best = fmax(best, dot(support, nearest) / size);
        for (int k = 0; k < 3; k++) {
            way[k] = support[k] - nearest[k];
        }
        const double length = dot(way, way);
        if (!(length > 0.0)) {
            break;
        }
        const double t = fmin(1.0, fmax(0.0, -dot(nearest, way) / length));
        for (int k = 0; k < 3; k++) {
            nearest[k] += t * way[k];
        }
    }
    return best;
}

// ---- joint frusta ----

static bool any_eye_sees(const acre_frustum *eyes, uint32_t count, const acre_aabb *box)
{
    for (uint32_t i = 0; i < count; i++) {
        if (acre_frustum_test_aabb(&eyes[i], box)) {
            return true;
        }
    }
    return false;
}

static void no_box_that_an_eye_sees_is_lost_nor_one_between_two_that_eyes_see(void)
{
    test_random random = {test_seed};
    static const double offsets[] = {0, 0, 1e3, 1e6};
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 2000 * test_scale; i++) {
        rig eyes;
        make_rig(&random, (rig_kind)(i % RIG_KIND_COUNT), offsets[i / RIG_KIND_COUNT % 4], &eyes);
        acre_frustum joint;
        CHECK(acre_camera_joint_frustum(eyes.cameras, eyes.count, &joint) == ACRE_OK);
        for (int n = 0; n < 500; n++) {
            double a[3], b[3];
            if (!find_seen_point(&random, &eyes, a) || !find_seen_point(&random, &eyes, b)) {
                continue;
            }
            const double t = (double)random_float(&random, 0, 1);
            const double share = n % 2 ? 0.0 : t;
            for (int k = 0; k < 3; k++) {
                a[k] += share * (b[k] - a[k]);
            }
            const acre_aabb box = random_box_around(&random, a, n % 3 ? 0.0f : 10.0f);
            CHECK(acre_frustum_test_aabb(&joint, &box));
            seen++;
        }
    }
    CHECK(seen > 300000 * test_scale);
}

// Plane tests of an eye also keep boxes near the eye's edges that it does not see. The joint
// frustum may drop those, and no others.
static void what_an_eye_keeps_and_the_joint_frustum_drops_is_outside_of_the_eye(void)
{
    test_random random = {test_seed};
    uint32_t kept = 0, dropped = 0;
    for (uint32_t i = 0; i < 600 * test_scale; i++) {
        rig eyes;
        make_rig(&random, (rig_kind)(i % RIG_KIND_COUNT), 0.0, &eyes);
        acre_frustum joint, parts[ACRE_JOINT_MAX_CAMERAS];
        CHECK(acre_camera_joint_frustum(eyes.cameras, eyes.count, &joint) == ACRE_OK);
        for (uint32_t k = 0; k < eyes.count; k++) {
            CHECK(acre_camera_frustum(&eyes.cameras[k], &parts[k]) == ACRE_OK);
        }
        for (int n = 0; n < 300; n++) {
            double point[3];
            const test_view *const view = &eyes.views[random_below(&random, eyes.count)];
            view_point(view, (double)random_float(&random, -2, 2),
                       (double)random_float(&random, -2, 2), random_depth(&random, view), point);
            const acre_aabb box = random_box_around(&random, point, n % 2 ? 1.0f : 200.0f);
            if (!any_eye_sees(parts, eyes.count, &box)) {
                continue;
            }
            kept++;
            acre_aabb grown = box; // by more than the margins of the planes differ
            for (int k = 0; k < 3; k++) {
                grown.min[k] -= 0.002f;
                grown.max[k] += 0.002f;
            }
            if (!acre_frustum_test_aabb(&joint, &grown)) {
                dropped++;
                for (uint32_t k = 0; k < eyes.count; k++) {
                    CHECK(!acre_frustum_test_aabb_exact(&parts[k], &box));
                }
            }
        }
    }
    CHECK(kept > 40000 * test_scale && dropped > 0 && dropped < kept / 20);
}

static void a_box_that_is_clearly_outside_of_the_hull_is_hidden(void)
{
    test_random random = {test_seed};
    uint32_t outside = 0, kept = 0, kept_by_planes = 0;
    uint32_t crowded = 0, too_wide = 0;
    for (uint32_t i = 0; i < 400 * test_scale; i++) {
        rig eyes;
        make_rig(&random, (rig_kind)(i % RIG_KIND_COUNT), 0.0, &eyes);
        acre_frustum joint;
        acre_frustum_hull exact;
        CHECK(acre_camera_joint_frustum(eyes.cameras, eyes.count, &joint) == ACRE_OK);
        acre_frustum_hull_prepare(&exact, &joint);
        const point_set corners = corners_of(&eyes);
        crowded += joint.plane_count == ACRE_FRUSTUM_MAX_PLANES;
        if (joint.plane_count == 0) {
            too_wide++; // endless views that look away from each other
            continue;
        }
        for (int n = 0; n < 100; n++) {
            double point[3];
            const test_view *const view = &eyes.views[random_below(&random, eyes.count)];
            view_point(view, (double)random_float(&random, -3, 3),
                       (double)random_float(&random, -3, 3), random_depth(&random, view), point);
            const acre_aabb box = random_box_around(&random, point, n % 2 ? 1.0f : 30.0f);
            const double away = fabs(point[0] - view->eye[0]) + fabs(point[1] - view->eye[1]) +
                                fabs(point[2] - view->eye[2]);
            if (proved_distance(&corners, &box) > 0.01 + 0.01 * away) {
                outside++;
                const bool is_kept = acre_frustum_hull_test_aabb(&exact, &box);
                CHECK(!is_kept || joint.plane_count == ACRE_FRUSTUM_MAX_PLANES);
                kept += is_kept; // by facets that found no room
                kept_by_planes += acre_frustum_test_aabb(&joint, &box);
            }
        }
    }
    CHECK(outside > 10000 * test_scale && kept_by_planes < outside / 20);
    CHECK(kept < outside / 1000 && crowded < 200 * test_scale && too_wide < 8 * test_scale);
}

static void eyes_that_look_the_same_way_have_as_many_planes_as_one(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 300 * test_scale; i++) {
        rig eyes;
        make_rig(&random, i % 2 ? RIG_PARALLEL : RIG_MIRRORED, i % 4 < 2 ? 0.0 : 300.0, &eyes);
        acre_frustum joint;
        CHECK(acre_camera_joint_frustum(eyes.cameras, eyes.count, &joint) == ACRE_OK);
        const projection_kind *const kind = &eyes.kinds[0];
        const bool ends =
            kind->is_orthographic || kind->far_distance < 0x1p17 * kind->near_distance;
        CHECK(joint.plane_count == (ends ? 6u : 5u));
    }
}

static double plane_value(const float *plane, const double *point)
{
    return (double)plane[0] * point[0] + (double)plane[1] * point[1] + (double)plane[2] * point[2] +
           (double)plane[3];
}

// Whether a frustum has about that plane, as seen from the eye.
static bool has_plane(const acre_frustum *frustum, const float *plane, const double *eye,
                      double tolerance)
{
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        double difference = 0.0;
        for (int k = 0; k < 3; k++) {
            difference = fmax(difference, fabs((double)frustum->planes[i][k] - (double)plane[k]));
        }
        const double moved = plane_value(frustum->planes[i], eye) - plane_value(plane, eye);
        if (difference < tolerance && fabs(moved) < tolerance) {
            return true;
        }
    }
    return false;
}

static void one_camera_gives_its_own_frustum(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 300 * test_scale; i++) {
        const bool is_far_away = i % 2;
        rig eyes;
        make_rig(&random, RIG_PARALLEL, is_far_away ? 300.0 : 0.0, &eyes);
        if (eyes.kinds[0].far_distance >= 0x1p17 * eyes.kinds[0].near_distance &&
            !eyes.kinds[0].is_orthographic && is_bounded(&eyes.kinds[0])) {
            continue; // counts as infinite here, not there
        }
        acre_frustum joint, own;
        CHECK(acre_camera_joint_frustum(eyes.cameras, 1, &joint) == ACRE_OK);
        CHECK(acre_camera_frustum(&eyes.cameras[0], &own) == ACRE_OK);
        for (uint32_t k = 0; k < joint.plane_count; k++) {
            CHECK(has_plane(&own, joint.planes[k], eyes.views[0].eye, 0.01));
        }
        CHECK(joint.plane_count == own.plane_count);
    }
}

static acre_camera looking(const float *target, float far_distance)
{
    acre_camera camera = {0};
    if (acre_camera_perspective(&camera, 1.7f, 1.0f, 0.1f, far_distance, ACRE_CLIP_ZERO_TO_ONE) !=
            ACRE_OK ||
        acre_camera_look_at(&camera, (float[]){0, 0, 0}, target, (float[]){0, 1, 0}) != ACRE_OK) {
        camera.clip = (acre_clip)0;
    }
    return camera;
}

static void endless_views_to_opposite_sides_see_everything_and_bounded_ones_their_hull(void)
{
    const float ahead[] = {0, 0, -1}, back[] = {0, 0, 1};
    const acre_aabb above = {{-1, 40, -1}, {1, 41, 1}}, far_above = {{-1, 500, -1}, {1, 501, 1}};
    acre_camera pair[2] = {looking(ahead, INFINITY), looking(back, INFINITY)};
    acre_frustum joint;
    CHECK(acre_camera_joint_frustum(pair, 2, &joint) == ACRE_OK);
    CHECK(joint.plane_count == 0);
    pair[0] = looking(ahead, 100);
    pair[1] = looking(back, 100);
    CHECK(acre_camera_joint_frustum(pair, 2, &joint) == ACRE_OK);
    CHECK(joint.plane_count == 6);
    CHECK(acre_frustum_test_aabb(&joint, &above) && !acre_frustum_test_aabb(&joint, &far_above));
}

static void cameras_that_are_none_are_refused(void)
{
    const float ahead[] = {0, 0, -1};
    const acre_camera good = looking(ahead, 100);
    acre_frustum joint = {.plane_count = 7};
    CHECK(acre_camera_joint_frustum(&good, 1, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_joint_frustum(NULL, 1, &joint) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(joint.plane_count == 0);
    acre_camera five[5] = {good, good, good, good, good};
    CHECK(acre_camera_joint_frustum(five, 0, &joint) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_joint_frustum(five, 5, &joint) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_joint_frustum(five, UINT32_MAX, &joint) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_camera_joint_frustum(five, 4, &joint) == ACRE_OK && joint.plane_count == 6);
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int element = 0; element < 32; element++) {
        for (int i = 0; i < 3; i++) {
            acre_camera pair[2] = {good, good};
            (element < 16 ? pair[1].view : pair[1].projection)[element % 16] = wrong[i];
            joint.plane_count = 7;
            CHECK(acre_camera_joint_frustum(pair, 2, &joint) == ACRE_ERROR_INVALID_ARGUMENT);
            CHECK(joint.plane_count == 0);
        }
    }
    acre_camera bad[6] = {good, good, good, good, good, good};
    bad[0].clip = (acre_clip)0;
    bad[1].clip = (acre_clip)4;
    memset(bad[2].projection, 0, sizeof bad[2].projection);
    memset(bad[3].view, 0, sizeof bad[3].view);
    bad[4].view[3] = 0.5f; // not affine
    for (int i = 0; i < 16; i++) {
        bad[5].projection[i] = -bad[5].projection[i]; // all that it sees lies behind it
    }
    for (int i = 0; i < 6; i++) {
        CHECK(acre_camera_joint_frustum(&bad[i], 1, &joint) == ACRE_ERROR_INVALID_ARGUMENT);
    }
}

static void numbers_beyond_all_floats_give_an_error_or_a_frustum_that_loses_nothing(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 2000 * test_scale; i++) {
        acre_camera pair[2] = {{.clip = all_clips[i % 3]}, {.clip = all_clips[i / 3 % 3]}};
        for (int k = 0; k < 32; k++) {
            const float magnitude = ldexpf(1.0f, (int)random_below(&random, 240) - 120);
            const float value = random_below(&random, 3) ? random_float(&random, -1, 1) : 1.0f;
            float *const matrix = k < 16 ? pair[0].projection : pair[1].view;
            matrix[k % 16] = random_below(&random, 2) ? value * magnitude : value;
            pair[k / 16].view[k % 16] = k % 5 ? 0.0f : 1.0f;
        }
        memcpy(pair[1].projection, pair[0].projection, sizeof pair[0].projection);
        acre_frustum joint;
        if (acre_camera_joint_frustum(pair, 1 + i % 2, &joint) != ACRE_OK) {
            CHECK(joint.plane_count == 0);
            continue;
        }
        CHECK(joint.plane_count <= ACRE_FRUSTUM_MAX_PLANES);
        for (uint32_t k = 0; k < joint.plane_count * 4; k++) {
            CHECK(fabsf(joint.planes[k / 4][k % 4]) <= FLT_MAX);
        }
    }
}

// ---- cubes ----

static const float cube_eye[3] = {3.5f, -20.25f, 1000.0f};

// How many faces see a point: those that have it inside, and those that touch it.
static void count_faces(double matrices[6][16], acre_clip clip, const double *point, int *inside,
                        int *touching)
{
    *inside = *touching = 0;
    for (int face = 0; face < 6; face++) {
        double values[6], errors[6];
        clip_values(matrices[face], clip, point, values, errors);
        double least = (double)INFINITY;
        for (int i = 0; i < 6; i++) {
            least = fmin(least, values[i]);
        }
        *inside += least > 0.0;
        *touching += least >= 0.0;
    }
}

static void the_faces_of_a_cube_see_every_direction_once_up_to_borders(void)
{
    test_random random = {test_seed};
    for (uint32_t i = 0; i < 30000 * test_scale; i++) {
        const acre_clip clip = all_clips[i % 3];
        acre_camera faces[6];
        double matrices[6][16], point[3];
        CHECK(acre_cube_cameras(cube_eye, 0.125f, i % 2 ? 64.0f : INFINITY, clip, faces) ==
              ACRE_OK);
        for (int face = 0; face < 6; face++) {
            multiply_camera(&faces[face], matrices[face]);
            CHECK(faces[face].clip == clip && faces[face].layers == 0);
        }
        // Multiples of 1/64: sums are exact, and equal components, the borders, are frequent.
        int largest = 0;
        for (int k = 0; k < 3; k++) {
            const int steps = (int)random_below(&random, 65) - 32;
            largest = steps > largest ? steps : -steps > largest ? -steps : largest;
            point[k] = (double)cube_eye[k] + steps / 2.0;
        }
        int inside, touching;
        count_faces(matrices, clip, point, &inside, &touching);
        CHECK(inside <= 1);
        CHECK(largest == 0 ? touching == 0 : touching >= 1);
        for (int face = 0; face < 6 && largest > 0; face++) {
            acre_frustum frustum;
            CHECK(acre_camera_frustum(&faces[face], &frustum) == ACRE_OK);
            const double along =
                (point[face / 2] - (double)cube_eye[face / 2]) * (face % 2 ? -1.0 : 1.0);
            const acre_aabb box = random_box_around(&random, point, 0.0f);
            CHECK(acre_frustum_test_aabb(&frustum, &box) == (2.0 * along == largest));
        }
    }
}

// The table of cube maps in the OpenGL specification: for each face the axes along which its
// texture coordinates s and t grow.
static void pictures_of_faces_are_turned_as_cube_maps_are_sampled(void)
{
    static const double s_axes[6][3] = {{0, 0, -1}, {0, 0, 1}, {1, 0, 0},
                                        {1, 0, 0},  {1, 0, 0}, {-1, 0, 0}};
    static const double t_axes[6][3] = {{0, -1, 0}, {0, -1, 0}, {0, 0, 1},
                                        {0, 0, -1}, {0, -1, 0}, {0, -1, 0}};
    acre_camera faces[6];
    CHECK(acre_cube_cameras(cube_eye, 0.5f, 64.0f, ACRE_CLIP_ZERO_TO_ONE, faces) == ACRE_OK);
    for (int face = 0; face < 6; face++) {
        double matrix[16], point[3], clip[4];
        multiply_camera(&faces[face], matrix);
        for (int k = 0; k < 3; k++) {
            const double ahead = k == face / 2 ? (face % 2 ? -8.0 : 8.0) : 0.0;
            point[k] = (double)cube_eye[k] + ahead + 2.0 * s_axes[face][k] + 4.0 * t_axes[face][k];
        }
        for (int row = 0; row < 4; row++) {
            clip[row] = matrix[row] * point[0] + matrix[4 + row] * point[1] +
                        matrix[8 + row] * point[2] + matrix[12 + row];
        }
        CHECK(clip[3] == 8.0 && clip[0] == 2.0 && clip[1] == 4.0);
    }
}

static void a_cube_without_a_place_or_a_size_is_refused(void)
{
    static const float places[][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}};
    static const float distances[][2] = {{0, 1}, {-1, 1}, {2, 2}, {3, 2}, {NAN, 2}, {1, NAN}};
    acre_camera faces[6], before[6];
    memset(faces, 0xa5, sizeof faces);
    memcpy(before, faces, sizeof faces);
    const acre_clip clip = ACRE_CLIP_ZERO_TO_ONE;
    for (int i = 0; i < 3; i++) {
        CHECK(acre_cube_cameras(places[i], 1, 2, clip, faces) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < 6; i++) {
        CHECK(acre_cube_cameras(cube_eye, distances[i][0], distances[i][1], clip, faces) ==
              ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(acre_cube_cameras(cube_eye, 1, 2, (acre_clip)0, faces) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_cube_cameras(NULL, 1, 2, clip, faces) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_cube_cameras(cube_eye, 1, 2, clip, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(memcmp(faces, before, sizeof faces) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_box_that_an_eye_sees_is_lost_nor_one_between_two_that_eyes_see),
        TEST(what_an_eye_keeps_and_the_joint_frustum_drops_is_outside_of_the_eye),
        TEST(a_box_that_is_clearly_outside_of_the_hull_is_hidden),
        TEST(eyes_that_look_the_same_way_have_as_many_planes_as_one),
        TEST(one_camera_gives_its_own_frustum),
        TEST(endless_views_to_opposite_sides_see_everything_and_bounded_ones_their_hull),
        TEST(cameras_that_are_none_are_refused),
        TEST(numbers_beyond_all_floats_give_an_error_or_a_frustum_that_loses_nothing),
        TEST(the_faces_of_a_cube_see_every_direction_once_up_to_borders),
        TEST(pictures_of_faces_are_turned_as_cube_maps_are_sampled),
        TEST(a_cube_without_a_place_or_a_size_is_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
