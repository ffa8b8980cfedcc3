// SPDX-License-Identifier: MIT
// test_broken_occluders.c - occluders that a broken file or program may have: NaN, flat, reversed,
// huge, not convex, of any number of corners. What is valid may hide only what rays in doubles do
// not reach; what is not valid is refused and changes nothing. --scale 50 makes a million of them.
#include "test.h"

#include <acre/culling.h>
#include <acre/horizon.h>

#include <math.h>
#include <string.h>

enum { OWNERS = 8, MOST_OF_ONE = 3, THINGS = 24, ROUNDS = 20000, RAYS = 12, FAULTS = 12 };

// What each owner has after its last good call.
typedef struct owner {
    acre_entity entity;
    acre_occluder occluders[MOST_OF_ONE];
    uint32_t count;
} owner;

typedef struct yard {
    acre_scene *scene;
    acre_culling *culling;
    acre_horizon *horizon;
    owner owners[OWNERS];
    acre_aabb things[THINGS];
    uint32_t thing_slots[THINGS];
    test_random random;
} yard;

static float draw(yard *w, float low, float high)
{
    return random_float(&w->random, low, high);
}

// ---- broken occluders ----

static float draw_strange(yard *w)
{
    static const float strange[] = {NAN,   INFINITY, -INFINITY, 0,        -0.0f,  1e-40f,
                                    1e12f, -1e13f,   3e38f,     -3.4e38f, 1e-30f, 1e6f};
    const uint32_t which = random_below(&w->random, 16);
    const uint32_t bits = (uint32_t)random_bits(&w->random);
    float any;
    memcpy(&any, &bits, sizeof any);
    return which < 12 ? strange[which] : any;
}

static void turn_around(acre_occluder *of)
{
    const acre_occluder was = *of;
    for (uint32_t k = 0; k < was.point_count; k++) {
        memcpy(of->points[k], was.points[was.point_count - 1 - k], sizeof of->points[k]);
    }
}

static void scale_all(acre_occluder *of, float factor)
{
    for (uint32_t k = 0; k < ACRE_OCCLUDER_MAX_POINTS; k++) {
        of->points[k][0] *= factor;
        of->points[k][1] *= factor;
    }
}

static void break_one(yard *w, acre_occluder *of)
{
    const uint32_t n = of->point_count > 0 && of->point_count <= ACRE_OCCLUDER_MAX_POINTS
                           ? of->point_count
                           : ACRE_OCCLUDER_MAX_POINTS;
    const uint32_t a = random_below(&w->random, n), b = random_below(&w->random, n);
    const uint32_t axis = random_below(&w->random, 2);
    float *const point = of->points[a];
    float kept[2];
    switch (random_below(&w->random, FAULTS)) {
    case 0:
        point[axis] = draw_strange(w);
        break;
    case 1:
        of->point_count =
            random_below(&w->random, 2) ? random_below(&w->random, 12) : UINT32_MAX - a;
        break;
    case 2: // flat
        for (uint32_t k = 0; k < n; k++) {
            of->points[k][axis] = point[axis];
        }
        break;
    case 3:
        memcpy(point, of->points[b], sizeof kept);
        break;
    case 4: // it may cross itself
        memcpy(kept, point, sizeof kept);
        memcpy(point, of->points[b], sizeof kept);
        memcpy(of->points[b], kept, sizeof kept);
        break;
    case 5:
        of->point_count = n;
        turn_around(of);
        break;
    case 6:
        scale_all(of, random_below(&w->random, 2) ? 1e12f : draw_strange(w));
        break;
    case 7:
        *(random_below(&w->random, 2) ? &of->bottom : &of->top) = draw_strange(w);
        break;
    case 8:
        of->bottom = of->top;
        break;
    case 9: // goes around twice
        for (uint32_t k = 0; k < n / 2; k++) {
            memcpy(of->points[k + n / 2], of->points[k], sizeof kept);
        }
        break;
    case 10: // a hair
        point[axis] = nextafterf(point[axis], random_below(&w->random, 2) ? INFINITY : -INFINITY);
        break;
    default:
        point[axis] += draw(w, -2, 2);
        break;
    }
}

static acre_occluder draw_occluder(yard *w, float x, float z)
{
    acre_occluder out = {.point_count = 3 + random_below(&w->random, 6),
                         .bottom = random_below(&w->random, 3) ? draw(w, -3, 1) : -INFINITY,
                         .top = draw(w, 1, 4),
                         .flags = random_below(&w->random, 2)};
    const float size = draw(w, 0.3f, 3), start = draw(w, 0, 6.3f);
    for (uint32_t k = 0; k < out.point_count; k++) {
        const float at = start + 6.283185f * (float)k / (float)out.point_count;
        out.points[k][0] = x + size * cosf(at);
        out.points[k][1] = z + size * sinf(at);
    }
    for (uint32_t faults = random_below(&w->random, 4); faults > 0; faults--) {
        break_one(w, &out);
    }
    return out;
}

// ---- rays ----

// The share of the segment that is in a prism, which is larger by a hair. @return false: none.
static bool pass_prism(const acre_occluder *of, const double *from, const double *to,
                       double share[2])
{
    const float *const first = of->points[0];
    double area = 0, size = 1;
    for (uint32_t k = 0; k < of->point_count; k++) {
        const float *const p = of->points[k], *const q = of->points[(k + 1) % of->point_count];
        // From its first corner: needles of 1e-30 are valid, and nothing as seen from elsewhere.
        area += ((double)p[0] - (double)first[0]) * ((double)q[1] - (double)first[1]) -
                ((double)p[1] - (double)first[1]) * ((double)q[0] - (double)first[0]);
        size = fmax(size, fmax(fabs((double)p[0]), fabs((double)p[1])));
    }
    share[0] = 0;
    share[1] = 1;
    for (uint32_t k = 0; k < of->point_count + 2; k++) {
        double a = 0, b = 0, hair = 1e-6;
        if (k < of->point_count) {
            const float *const p = of->points[k], *const q = of->points[(k + 1) % of->point_count];
            const double x = (double)q[0] - (double)p[0], z = (double)q[1] - (double)p[1];
            const double sign = area < 0 ? -1 : 1;
            a = sign * (x * (from[2] - (double)p[1]) - z * (from[0] - (double)p[0]));
            b = sign * (x * (to[2] - (double)p[1]) - z * (to[0] - (double)p[0]));
            hair = 1e-12 * size * (fabs(x) + fabs(z));
        } else if (k == of->point_count) {
            a = (double)of->top - from[1];
            b = (double)of->top - to[1];
        } else if (of->bottom > -INFINITY) {
            a = from[1] - (double)of->bottom;
            b = to[1] - (double)of->bottom;
        }
        if (a + hair < 0 && b + hair < 0) {
            return false;
        }
        if (a < 0 && b > a) {
            share[0] = fmax(share[0], -a / (b - a));
        } else if (b < 0 && a > b) {
            share[1] = fmin(share[1], a / (a - b));
        }
    }
    return share[0] <= share[1] + 1e-9;
}

static bool is_stopped(const owner *owners, uint32_t count, const double *from, const double *to)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < owners[i].count; k++) {
            double share[2];
            const acre_occluder *const of = &owners[i].occluders[k];
            if (pass_prism(of, from, to, share) &&
                (share[0] > 0 || ((of->flags & ACRE_OCCLUDER_TWO_SIDED) && share[1] < 1))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_hidden_from(yard *w, const float *eye, const owner *owners, uint32_t count,
                           const acre_aabb *box)
{
    const double from[3] = {(double)eye[0], (double)eye[1], (double)eye[2]};
    for (int ray = 0; ray < RAYS; ray++) {
        double to[3];
        for (int axis = 0; axis < 3; axis++) {
            const float low = box->min[axis], high = box->max[axis];
            to[axis] = (double)(ray >= 8 ? draw(w, low, high) : ray >> axis & 1 ? high : low);
        }
        if (!is_stopped(owners, count, from, to)) {
            return false;
        }
    }
    return true;
}

// ---- the yard ----

static acre_aabb box_at(float x, float y, float z, float half)
{
    return (acre_aabb){{x - half, y - half, z - half}, {x + half, y + half, z + half}};
}

static bool make_yard(yard *w)
{
    *w = (yard){.random = {test_seed}};
    bool is_good = acre_scene_create(NULL, &w->scene) == ACRE_OK &&
                   acre_culling_create(w->scene, &(acre_culling_def){.register_all = true},
                                       &w->culling) == ACRE_OK &&
                   acre_horizon_create(&(acre_horizon_def){.columns = 128, .least_angle = 1e-9f},
                                       &w->horizon) == ACRE_OK;
    for (int i = 0; i < OWNERS && is_good; i++) { // around the middle
        const float at = 6.283185f * (float)i / OWNERS;
        const acre_aabb box = box_at(8 * cosf(at), 0, 8 * sinf(at), 6);
        is_good = acre_entity_create(w->scene, &(acre_entity_def){.bounds = &box},
                                     &w->owners[i].entity) == ACRE_OK;
    }
    for (int i = 0; i < THINGS && is_good; i++) {
        const float at = 6.283185f * (float)i / THINGS;
        acre_entity entity;
        w->things[i] = box_at(25 * cosf(at), draw(w, -2, 2), 25 * sinf(at), draw(w, 0.05f, 0.5f));
        is_good = acre_entity_create(w->scene, &(acre_entity_def){.bounds = &w->things[i]},
                                     &entity) == ACRE_OK;
        w->thing_slots[i] = entity.index1 - 1;
    }
    return is_good && acre_scene_commit(w->scene) == ACRE_OK;
}

static void free_yard(yard *w)
{
    acre_horizon_destroy(w->horizon);
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

// ---- cases ----

// Gives an owner some occluders. @return how many of them are valid.
static uint32_t give_some(yard *w, uint32_t which)
{
    owner *const to = &w->owners[which];
    acre_occluder given[MOST_OF_ONE];
    const uint32_t count = 1 + random_below(&w->random, MOST_OF_ONE);
    const float at = 6.283185f * (float)which / OWNERS;
    uint32_t valid = 0;
    for (uint32_t i = 0; i < count; i++) {
        given[i] = draw_occluder(w, 8 * cosf(at), 8 * sinf(at));
        valid += acre_occluder_is_valid(&given[i]);
    }
    const acre_result result = acre_culling_set_occluders(w->culling, to->entity, given, count);
    EXPECT(result == (valid == count ? ACRE_OK : ACRE_ERROR_INVALID_ARGUMENT));
    if (result == ACRE_OK) {
        memcpy(to->occluders, given, count * sizeof *given);
        to->count = count;
    }
    return valid;
}

// What a walk leaves out is reached by no ray.
static void look(yard *w, uint32_t *dropped)
{
    const float eye[3] = {draw(w, -5, 5), draw(w, -2, 3), draw(w, -5, 5)};
    acre_view view = {.eye = {eye[0], eye[1], eye[2]}, .horizon = w->horizon};
    uint32_t slots[OWNERS + THINGS];
    size_t count;
    CHECK(acre_horizon_begin(w->horizon, eye, NULL, 0) == ACRE_OK);
    CHECK(acre_culling_query_view(w->culling, &view, slots, OWNERS + THINGS, &count) == ACRE_OK);
    for (int i = 0; i < THINGS; i++) {
        bool is_found = false;
        for (size_t k = 0; k < count; k++) {
            is_found |= slots[k] == w->thing_slots[i];
        }
        if (!is_found) {
            ++*dropped;
            CHECK(is_hidden_from(w, eye, w->owners, OWNERS, &w->things[i]));
        }
    }
}

static void a_culler_refuses_them_or_they_are_harmless(void)
{
    static yard w;
    uint32_t valid = 0, given = 0, dropped = 0;
    CHECK(make_yard(&w));
    for (uint32_t round = 0; round < ROUNDS / 2 * test_scale; round++) {
        valid += give_some(&w, round % OWNERS);
        given += MOST_OF_ONE;
        if (round % 8 == 7) {
            look(&w, &dropped);
        }
    }
    CHECK(valid > given / 8 && dropped > 1000 * test_scale);
    free_yard(&w);
}

static void a_horizon_refuses_them_or_they_are_harmless(void)
{
    static yard w;
    uint32_t taken = 0, hidden = 0;
    CHECK(make_yard(&w));
    for (uint32_t round = 0; round < ROUNDS / 2 * test_scale; round++) {
        const float eye[3] = {draw(&w, -5, 5), draw(&w, -2, 3), draw(&w, -5, 5)};
        const float region[3] = {draw(&w, 0, 0.3f), draw(&w, 0, 0.3f), 0};
        const float at = draw(&w, 0, 6.3f);
        owner one = {.count = 1};
        one.occluders[0] = draw_occluder(&w, 8 * cosf(at), 8 * sinf(at));
        const bool is_valid = acre_occluder_is_valid(&one.occluders[0]);
        CHECK(acre_horizon_begin(w.horizon, eye, round % 2 ? region : NULL, 0) == ACRE_OK);
        const bool is_taken = acre_horizon_add(w.horizon, &one.occluders[0]);
        CHECK(is_valid || !is_taken);
        taken += is_taken;
        uint32_t seen[THINGS];
        const size_t count = acre_horizon_test(w.horizon, w.things, THINGS, seen);
        CHECK(is_taken || count == THINGS);
        for (uint32_t i = 0, k = 0; i < THINGS; i++) {
            if (k < count && seen[k] == i) {
                k++;
            } else {
                hidden++;
                CHECK(is_hidden_from(&w, eye, &one, 1, &w.things[i]));
            }
        }
    }
    CHECK(taken > ROUNDS / 20 * test_scale && hidden > ROUNDS / 20 * test_scale);
    free_yard(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_culler_refuses_them_or_they_are_harmless),
        TEST(a_horizon_refuses_them_or_they_are_harmless),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
