// SPDX-License-Identifier: MIT
// test_casters.c - casters of shadow cascades: none that shadows a receiver is dropped (rays
// decide), and many that do not are.
#include "culling_counts.h"
#include "failing_allocator.h"
#include "hull_internal.h"

#include <acre/casters.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { ENTITIES = 300, CASCADES = 4 };

typedef struct world {
    acre_scene *scene;
    acre_culling *culling;
    acre_receivers *receivers;
    acre_aabb boxes[ENTITIES]; // by slot
    bool is_never_culled[ENTITIES];
    acre_camera camera;
    acre_frustum frustum; // of the camera
    acre_cascade cascades[CASCADES];
    uint32_t visible[ENTITIES], casters[ENTITIES + 1];
    size_t visible_count, caster_count;
    bool is_caster[ENTITIES];
} world;

// ---- worlds ----

static const float up[3] = {0, 1, 0};

// Boxes around a middle: flat, high, long, points; some very large.
static acre_aabb random_box(test_random *random, const float *middle)
{
    const float kinds[5][3] = {{5, 5, 5}, {2, 30, 2}, {60, 1, 3}, {0, 0, 0}, {150, 40, 150}};
    const uint32_t kind = random_below(random, 16);
    const float *const size = kinds[kind < 5 ? kind : 0];
    acre_aabb box;
    for (int k = 0; k < 3; k++) {
        const float reach = k == 1 ? 40.0f : 120.0f;
        const float at = middle[k] + random_float(random, -reach, reach);
        const float half = size[k] * random_float(random, 0.1f, 1.0f);
        box.min[k] = at - half;
        box.max[k] = at + half;
    }
    return box;
}

static bool add_entity(world *w, uint32_t slot, const acre_aabb *box, const acre_entity_def *def)
{
    acre_entity entity;
    acre_entity_def own = *def;
    own.bounds = box;
    w->boxes[slot] = *box;
    w->is_never_culled[slot] = (def->flags & ACRE_ENTITY_NEVER_CULL) != 0;
    return acre_entity_create(w->scene, &own, &entity) == ACRE_OK && entity.index1 == slot + 1;
}

static bool open_world(world *w, const float *middle)
{
    memset(w, 0, sizeof *w);
    const acre_culling_def def = {
        .register_all = true,
        .tree = {.center = {middle[0], middle[2]}, .half_size = 250.0f, .node_capacity = 8}};
    return acre_scene_create(&(acre_scene_def){0}, &w->scene) == ACRE_OK &&
           acre_culling_create(w->scene, &def, &w->culling) == ACRE_OK &&
           acre_receivers_create(&(acre_receivers_def){.resolution = 64}, &w->receivers) == ACRE_OK;
}

static void close_world(world *w)
{
    acre_receivers_destroy(w->receivers);
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

static bool fill_world(world *w, test_random *random, const float *middle)
{
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        const acre_aabb box = random_box(random, middle);
        const acre_entity_def def = {.flags = slot % 2 ? ACRE_ENTITY_STATIC : 0};
        if (!add_entity(w, slot, &box, &def)) {
            return false;
        }
    }
    return acre_scene_commit(w->scene) == ACRE_OK;
}

// Straight down, along each axis, grazing, upwards, and any.
static void random_light(test_random *random, float *light)
{
    static const float special[7][3] = {{0, -1, 0},      {1, 0, 0},         {0, 0, -1},
                                        {0, 1, 0},       {1, -0.01f, 0.3f}, {-1, -1e-5f, 0},
                                        {3, -4, -0.001f}};
    const uint32_t kind = random_below(random, 14);
    for (int k = 0; k < 3; k++) {
        light[k] = kind < 7 ? special[kind][k] : random_float(random, -1.0f, 1.0f);
    }
}

static bool look(world *w, const float *eye, const float *target, const float *light)
{
    const acre_cascades_def def = {.light = {light[0], light[1], light[2]},
                                   .distance = 150,
                                   .caster_distance = 120,
                                   .log_share = 0.5f,
                                   .count = CASCADES,
                                   .resolution = 1024};
    const bool is_good = acre_camera_perspective(&w->camera, 0.9f, 1.6f, 0.5f, 300.0f,
                                                 ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
                         acre_camera_look_at(&w->camera, eye, target, up) == ACRE_OK &&
                         acre_camera_frustum(&w->camera, &w->frustum) == ACRE_OK &&
                         acre_cascades_fit(&def, &w->camera, w->cascades) == ACRE_OK;
    w->visible_count = acre_culling_query(w->culling, &w->camera, w->visible, ENTITIES);
    return is_good && w->visible_count <= ENTITIES;
}

static bool look_anywhere(world *w, test_random *random, const float *middle)
{
    float eye[3], target[3], light[3];
    for (int k = 0; k < 3; k++) {
        eye[k] = middle[k] + random_float(random, -60.0f, 60.0f);
        target[k] = eye[k] + random_float(random, -1.0f, 1.0f);
    }
    random_light(random, light);
    return look(w, eye, target, light);
}

// Everything in the slice receives.
static bool add_all(world *w)
{
    static const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY},
                                      {INFINITY, INFINITY, INFINITY}};
    return acre_receivers_add_boxes(w->receivers, &endless, 1) == ACRE_OK;
}

// Fills casters, caster_count and is_caster. Returns false if a slot is named twice or is none.
static bool find_casters(world *w)
{
    memset(w->is_caster, 0, sizeof w->is_caster);
    if (acre_culling_query_casters(w->culling, w->receivers, w->casters, ENTITIES,
                                   &w->caster_count) != ACRE_OK ||
        w->caster_count > ENTITIES) {
        return false;
    }
    for (size_t i = 0; i < w->caster_count; i++) {
        const uint32_t slot = w->casters[i];
        if (slot >= ENTITIES || w->is_caster[slot]) {
            return false;
        }
        w->is_caster[slot] = true;
    }
    return true;
}

static bool find_casters_of_visible(world *w, uint32_t cascade)
{
    return acre_receivers_begin(w->receivers, &w->cascades[cascade]) == ACRE_OK &&
           acre_culling_add_receivers(w->culling, w->receivers, w->visible, w->visible_count) ==
               ACRE_OK &&
           find_casters(w);
}

// ---- the oracle: lines along the light, in double precision ----

typedef struct line_part {
    double begin, end; // distances along the light
} line_part;

static void cut_plane(line_part *part, double at_start, double step)
{
    if (step > 0.0) {
        part->begin = fmax(part->begin, -at_start / step);
    } else if (step < 0.0) {
        part->end = fmin(part->end, -at_start / step);
    } else if (at_start < 0.0) {
        part->end = -HUGE_VAL;
    }
}

static void cut_box(line_part *part, const acre_aabb *box, const double *from, const float *along)
{
    for (int k = 0; k < 3; k++) {
        cut_plane(part, from[k] - (double)box->min[k], (double)along[k]);
        cut_plane(part, (double)box->max[k] - from[k], -(double)along[k]);
    }
}

static void cut_frustum(line_part *part, const acre_frustum *frustum, const double *from,
                        const float *along)
{
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const n = frustum->planes[i];
        double at = (double)n[3], step = 0.0;
        for (int k = 0; k < 3; k++) {
            at += (double)n[k] * from[k];
            step += (double)n[k] * (double)along[k];
        }
        cut_plane(part, at, step);
    }
}

// Whether a point is certainly inside the volume of the cascade's camera, by its matrices.
static bool is_in_light_volume(const acre_camera *camera, const double *point)
{
    double eye[3];
    for (int row = 0; row < 3; row++) {
        eye[row] = (double)camera->view[12 + row];
        for (int k = 0; k < 3; k++) {
            eye[row] += (double)camera->view[4 * k + row] * point[k];
        }
    }
    const float *const p = camera->projection; // orthographic, depth 0..1
    const double x = (double)p[0] * eye[0] + (double)p[12];
    const double y = (double)p[5] * eye[1] + (double)p[13];
    const double z = (double)p[10] * eye[2] + (double)p[14];
    return fabs(x) < 1.0 && fabs(y) < 1.0 && z > 0.0 && z < 1.0;
}

// Corners of the box as often as what is between them.
static void random_point(test_random *random, const acre_aabb *box, double *out)
{
    const uint64_t bits = random_bits(random);
    for (int k = 0; k < 3; k++) {
        const double share = (bits & 1) == 0 ? (double)(bits >> (8 + k) & 1)
                                             : (double)random_float(random, 0.0f, 1.0f);
        out[k] = (double)box->min[k] + share * ((double)box->max[k] - (double)box->min[k]);
    }
}

// A ray from a point of a receiver towards the light. Returns whether it meets the caster in the
// light volume.
static bool meets_caster(const acre_cascade *cascade, const double *point, const acre_aabb *caster)
{
    line_part part = {-HUGE_VAL, 0.0};
    double entered[3];
    cut_box(&part, caster, point, cascade->light);
    for (int k = 0; k < 3; k++) {
        entered[k] = point[k] + fmin(part.begin, 0.0) * (double)cascade->light[k];
    }
    return part.begin <= part.end && is_in_light_volume(&cascade->camera, entered);
}

// A ray from a point of a caster along the light. Returns whether it meets the receiver in the
// slice. NULL: any point of the slice.
static bool meets_receiver(const acre_cascade *cascade, const double *point,
                           const acre_aabb *receiver)
{
    line_part part = {0.0, HUGE_VAL};
    cut_frustum(&part, &cascade->slice, point, cascade->light);
    if (receiver) {
        cut_box(&part, receiver, point, cascade->light);
    }
    return part.begin <= part.end;
}

static bool is_in_slice(const acre_cascade *cascade, const double *point)
{
    line_part part = {0.0, 0.0};
    cut_frustum(&part, &cascade->slice, point, cascade->light);
    return part.begin <= part.end;
}

typedef struct ray_counts {
    uint64_t rays, shadows;  // cast; pairs of a caster and a receiver that were found
    bool is_found[ENTITIES]; // casters of the cascade at hand
} ray_counts;

static bool is_kept(const world *w, uint32_t cascade, uint32_t caster, uint32_t receiver,
                    ray_counts *counts)
{
    counts->shadows++;
    counts->is_found[caster] = true;
    if (!w->is_caster[caster]) {
        printf("cascade %u, caster %u, receiver %u\n", cascade, caster, receiver);
    }
    return w->is_caster[caster];
}

// Rays from points of visible boxes towards the light, to all entities.
static bool rays_from_receivers(const world *w, uint32_t cascade, test_random *random,
                                ray_counts *counts)
{
    const acre_cascade *const c = &w->cascades[cascade];
    acre_frustum_hull hull;
    acre_frustum_hull_prepare(&hull, &c->slice);
    for (size_t i = 0; i < w->visible_count; i++) {
        acre_aabb part = w->boxes[w->visible[i]];
        for (int k = 0; k < 3; k++) {
            part.min[k] = fmaxf(part.min[k], hull.bounds.min[k]);
            part.max[k] = fminf(part.max[k], hull.bounds.max[k]);
        }
        for (int sample = 0; sample < 16 && acre_aabb_is_valid(&part); sample++) {
            double point[3];
            random_point(random, &part, point);
            const bool is_in = is_in_slice(c, point);
            counts->rays += is_in;
            for (uint32_t slot = 0; slot < ENTITIES && is_in; slot++) {
                if (meets_caster(c, point, &w->boxes[slot])) {
                    if (!is_kept(w, cascade, slot, w->visible[i], counts)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

// Rays from points of every entity along the light, to all visible boxes.
static bool rays_from_casters(const world *w, uint32_t cascade, test_random *random,
                              ray_counts *counts)
{
    const acre_cascade *const c = &w->cascades[cascade];
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        for (int sample = 0; sample < 8; sample++) {
            double point[3];
            random_point(random, &w->boxes[slot], point);
            if (!is_in_light_volume(&c->camera, point)) {
                continue;
            }
            counts->rays++;
            for (size_t i = 0; i < w->visible_count; i++) {
                if (meets_receiver(c, point, &w->boxes[w->visible[i]])) {
                    if (!is_kept(w, cascade, slot, w->visible[i], counts)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

static void no_caster_that_a_ray_finds_is_dropped(void)
{
    test_random random = {test_seed};
    ray_counts counts = {.rays = 0};
    size_t kept = 0, asked = 0, found = 0;
    for (uint32_t round = 0; round < 6 * test_scale; round++) {
        const float far_away = round % 3 == 2 ? 30000.0f : 0.0f;
        const float middle[3] = {far_away, 0.01f * far_away, -0.5f * far_away};
        world w;
        CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
        for (int turn = 0; turn < 8; turn++) {
            CHECK(look_anywhere(&w, &random, middle));
            for (uint32_t cascade = 0; cascade < CASCADES; cascade++) {
                CHECK(find_casters_of_visible(&w, cascade));
                memset(counts.is_found, 0, sizeof counts.is_found);
                CHECK(rays_from_receivers(&w, cascade, &random, &counts));
                CHECK(rays_from_casters(&w, cascade, &random, &counts));
                for (uint32_t slot = 0; slot < ENTITIES; slot++) {
                    found += counts.is_found[slot];
                }
                kept += w.caster_count;
                asked += ENTITIES;
            }
        }
        close_world(&w);
    }
    CHECK(counts.shadows > 5000 && counts.rays > 50000);
    // Few are kept, and of those, rays show most to be casters.
    CHECK(found > 1000 && kept < asked / 5 && found * 10 > kept * 8);
}

// Whether a volume has a point that is too far towards the light for the cascade's camera.
static bool holds_what_is_beyond(const acre_frustum *volume, const acre_cascade *cascade)
{
    acre_frustum_hull hull;
    acre_aabb far_point;
    acre_frustum_hull_prepare(&hull, &cascade->slice);
    for (int k = 0; k < 3; k++) {
        const float middle = 0.5f * (hull.bounds.min[k] + hull.bounds.max[k]);
        far_point.min[k] = far_point.max[k] = middle - 1000.0f * cascade->light[k];
    }
    return acre_frustum_test_aabb(volume, &far_point);
}

static void where_everything_receives_the_slice_extruded_is_the_volume(void)
{
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    size_t shadow_count = 0, kept = 0, in_volume = 0, in_light = 0;
    world w;
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    for (uint32_t turn = 0; turn < 60 * test_scale; turn++) {
        CHECK(look_anywhere(&w, &random, middle));
        for (uint32_t cascade = 0; cascade < CASCADES; cascade++) {
            const acre_cascade *const c = &w.cascades[cascade];
            acre_frustum volume, light;
            CHECK(acre_cascade_caster_frustum(c, &volume) == ACRE_OK);
            CHECK(volume.plane_count <= ACRE_FRUSTUM_MAX_PLANES);
            CHECK(!holds_what_is_beyond(&volume, c));
            CHECK(acre_camera_frustum(&c->camera, &light) == ACRE_OK);
            CHECK(acre_receivers_begin(w.receivers, c) == ACRE_OK);
            CHECK(add_all(&w));
            CHECK(find_casters(&w));
            kept += w.caster_count;
            for (uint32_t slot = 0; slot < ENTITIES; slot++) {
                const bool is_in = acre_frustum_test_aabb(&volume, &w.boxes[slot]);
                in_volume += is_in;
                in_light += acre_frustum_test_aabb(&light, &w.boxes[slot]);
                CHECK(is_in || !w.is_caster[slot]);
                for (int ray = 0; ray < 8; ray++) {
                    double point[3];
                    random_point(&random, &w.boxes[slot], point);
                    if (is_in_light_volume(&c->camera, point) && meets_receiver(c, point, NULL)) {
                        shadow_count++;
                        CHECK(w.is_caster[slot]);
                    }
                }
            }
        }
    }
    CHECK(shadow_count > 1000 && kept <= in_volume && in_volume * 10 < in_light * 5);
    close_world(&w);
}

// Of one list, whatever its order.
static bool is_same_set(const world *w, const uint32_t *slots, size_t count)
{
    bool seen[ENTITIES] = {false};
    for (size_t i = 0; i < count; i++) {
        if (slots[i] >= ENTITIES || seen[slots[i]] || !w->is_caster[slots[i]]) {
            return false;
        }
        seen[slots[i]] = true;
    }
    return count == w->caster_count;
}

static void a_query_names_what_the_test_of_one_box_lets_through(void)
{
    test_random random = {test_seed};
    const float middle[3] = {100, 5, -70};
    world w;
    size_t named = 0;
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    for (uint32_t turn = 0; turn < 100 * test_scale; turn++) {
        const uint32_t cascade = turn % CASCADES;
        CHECK(look_anywhere(&w, &random, middle));
        CHECK(find_casters_of_visible(&w, cascade));
        for (uint32_t slot = 0; slot < ENTITIES; slot++) {
            CHECK(acre_receivers_test_aabb(w.receivers, &w.boxes[slot]) == w.is_caster[slot]);
        }
        named += w.caster_count;
        // The slice's own entities receive as the visible ones do.
        uint32_t slots[ENTITIES];
        size_t total = 0;
        CHECK(acre_receivers_begin(w.receivers, &w.cascades[cascade]) == ACRE_OK);
        CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 0) == ACRE_OK);
        CHECK(acre_culling_query_casters(w.culling, w.receivers, slots, ENTITIES, &total) ==
              ACRE_OK);
        CHECK(total >= w.caster_count);
        CHECK(total > w.caster_count || is_same_set(&w, slots, total));
    }
    CHECK(named > 100);
    close_world(&w);
}

static void little_room_gets_the_first_and_the_true_total(void)
{
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    world w;
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    for (int turn = 0; turn < 30; turn++) {
        uint32_t few[ENTITIES + 1];
        CHECK(look_anywhere(&w, &random, middle) && find_casters_of_visible(&w, 3));
        for (size_t room = 0; room <= w.caster_count; room += 1 + room / 2) {
            size_t total = 0;
            few[room] = 0xabcdef01u;
            CHECK(acre_culling_query_casters(w.culling, w.receivers, room ? few : NULL, room,
                                             &total) == ACRE_OK);
            CHECK(total == w.caster_count && few[room] == 0xabcdef01u);
            CHECK(memcmp(few, w.casters, room * sizeof *few) == 0);
        }
    }
    close_world(&w);
}

// A city of 17 by 17 houses, the camera at eye height, the sun low.
enum { BLOCKS = 17 };

static bool build_city(world *w)
{
    static const float light[3] = {0.8f, -0.5f, 0.35f};
    static const float eye[3] = {-60, 1.7f, 2.5f}, target[3] = {100, 4, 20};
    const float middle[3] = {0, 0, 0};
    if (!open_world(w, middle)) {
        return false;
    }
    for (uint32_t slot = 0; slot < BLOCKS * BLOCKS; slot++) {
        const float x = ((float)(slot % BLOCKS) - 8.0f) * 25.0f;
        const float z = ((float)(slot / BLOCKS) - 8.0f) * 25.0f + 12.5f;
        const float height = 6.0f + (float)(slot * 7u % 5u) * 4.0f;
        const acre_aabb box = {{x - 4, 0, z - 4}, {x + 4, height, z + 4}};
        if (!add_entity(w, slot, &box, &(acre_entity_def){0})) {
            return false;
        }
    }
    return acre_scene_commit(w->scene) == ACRE_OK && look(w, eye, target, light);
}

static void in_a_city_most_of_what_the_light_volume_holds_is_dropped(void)
{
    static const acre_aabb ground = {{-300, -0.1f, -300}, {300, 0, 300}};
    size_t in_light = 0, extruded = 0, with_ground = 0, entities_alone = 0;
    world w;
    CHECK(build_city(&w));
    for (uint32_t i = 0; i < CASCADES; i++) {
        acre_frustum volume;
        size_t casters;
        in_light += acre_culling_query(w.culling, &w.cascades[i].camera, NULL, 0);
        CHECK(acre_cascade_caster_frustum(&w.cascades[i], &volume) == ACRE_OK);
        extruded += count_in_frustum(w.culling, &volume, 0, NULL, 0);
        CHECK(find_casters_of_visible(&w, i));
        entities_alone += w.caster_count;
        CHECK(acre_receivers_add_boxes(w.receivers, &ground, 1) == ACRE_OK);
        CHECK(acre_culling_query_casters(w.culling, w.receivers, NULL, 0, &casters) == ACRE_OK);
        with_ground += casters;
    }
    CHECK(extruded * 100 < in_light * 40);
    CHECK(with_ground <= extruded && with_ground * 100 < in_light * 25);
    CHECK(entities_alone < with_ground && entities_alone * 100 < in_light * 20);
    CHECK(entities_alone > 0);
    close_world(&w);
}

// One box under another, the light from above: the upper one is a caster if and only if it begins
// above the receiver's lower side, over it.
static void a_caster_is_before_its_receiver_and_over_it(void)
{
    static const float middle[3] = {0, 0, 0}, down[3] = {0, -1, 0};
    static const float eye[3] = {0, 2, 30}, target[3] = {0, 2, 0};
    static const struct {
        acre_aabb box;
        bool is_caster;
    } boxes[] = {
        {{{-1, 0, -1}, {1, 2, 1}}, true}, // the receiver, which shadows itself
        {{{-1, 9, -1}, {1, 10, 1}}, true},   {{{-1, 0.5f, -1}, {1, 0.7f, 1}}, true},
        {{{-1, -9, -1}, {1, -8, 1}}, false}, // under it
        {{{8, 9, -1}, {9, 10, 1}}, false},   // beside it
        {{{-1, 9, 8}, {1, 10, 9}}, false},
    };
    world w;
    CHECK(open_world(&w, middle));
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(add_entity(&w, i, &boxes[i].box, &(acre_entity_def){0}));
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK && look(&w, eye, target, down));
    static const uint32_t receiver = 0;
    CHECK(acre_receivers_begin(w.receivers, &w.cascades[1]) == ACRE_OK);
    CHECK(w.cascades[1].near_distance < 29 && w.cascades[1].far_distance > 31);
    CHECK(find_casters(&w) && w.caster_count == 0); // no receivers, no casters
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, &receiver, 1) == ACRE_OK);
    CHECK(find_casters(&w));
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(w.is_caster[i] == boxes[i].is_caster);
    }
    close_world(&w);
}

static void boxes_without_size_and_without_end_receive_and_cast(void)
{
    static const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY},
                                      {INFINITY, INFINITY, INFINITY}};
    static const acre_aabb below = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, -5, INFINITY}};
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    world w;
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    for (int turn = 0; turn < 40; turn++) {
        const uint32_t cascade = (uint32_t)turn % CASCADES;
        CHECK(look_anywhere(&w, &random, middle));
        CHECK(acre_receivers_begin(w.receivers, &w.cascades[cascade]) == ACRE_OK);
        CHECK(!acre_receivers_test_aabb(w.receivers, &endless));
        // A point in the middle of the slice.
        acre_frustum_hull hull;
        acre_frustum_hull_prepare(&hull, &w.cascades[cascade].slice);
        acre_aabb point;
        for (int k = 0; k < 3; k++) {
            point.min[k] = point.max[k] = 0.5f * (hull.bounds.min[k] + hull.bounds.max[k]);
        }
        const bool is_in = acre_frustum_contains_aabb(&w.cascades[cascade].slice, &point);
        CHECK(acre_receivers_add_boxes(w.receivers, &point, 1) == ACRE_OK);
        CHECK(acre_receivers_test_aabb(w.receivers, &endless) || !is_in);
        CHECK(acre_receivers_test_aabb(w.receivers, &point) || !is_in);
        // What has no end receives everywhere; its depth is cut by the slice's bounds, too.
        CHECK(acre_receivers_add_boxes(w.receivers, &below, 1) == ACRE_OK);
        CHECK(acre_receivers_add_boxes(w.receivers, &endless, 1) == ACRE_OK);
        CHECK(acre_receivers_test_aabb(w.receivers, &endless));
        CHECK(find_casters(&w));
        const size_t count = w.caster_count;
        CHECK(add_all(&w));
        CHECK(find_casters(&w) && w.caster_count >= count);
    }
    close_world(&w);
}

static void layers_and_never_cull_entities_count(void)
{
    static const acre_aabb floor_box = {{-20, -1, -20}, {20, 0, 20}};
    static const acre_aabb roof = {{-5, 9, -5}, {5, 10, 5}};
    static const acre_aabb far_roof = {{-30, 9, 20}, {-25, 10, 25}};
    static const float middle[3] = {0, 0, 0}, down[3] = {0.1f, -1, 0};
    static const float eye[3] = {0, 4, 40}, target[3] = {0, 2, 0};
    world w;
    CHECK(open_world(&w, middle));
    CHECK(add_entity(&w, 0, &floor_box, &(acre_entity_def){.layers = 1}));
    CHECK(add_entity(&w, 1, &roof, &(acre_entity_def){.layers = 2}));
    CHECK(add_entity(&w, 2, &roof, &(acre_entity_def){.layers = 5}));
    CHECK(add_entity(&w, 3, &far_roof,
                     &(acre_entity_def){.layers = 4, .flags = ACRE_ENTITY_NEVER_CULL}));
    CHECK(add_entity(&w, 4, &roof, &(acre_entity_def){.flags = ACRE_ENTITY_HIDDEN}));
    CHECK(acre_scene_commit(w.scene) == ACRE_OK && look(&w, eye, target, down));
    static const uint32_t receivers[] = {0, 3, 4};
    acre_cascade *const cascade = &w.cascades[1];
    CHECK(cascade->near_distance < 36 && cascade->far_distance > 40);
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(find_casters(&w) && w.caster_count == 1 && w.is_caster[3]); // never culled
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, receivers, 1) == ACRE_OK);
    CHECK(find_casters(&w) && w.caster_count == 4 && !w.is_caster[4] && w.casters[3] == 3);
    cascade->camera.layers = 3;
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 1) == ACRE_OK);
    CHECK(find_casters(&w) && w.caster_count == 3 && !w.is_caster[3]);
    cascade->camera.layers = 2;
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 2) == ACRE_OK);
    CHECK(find_casters(&w) && w.caster_count == 1 && w.is_caster[1]);
    // A never-cull entity receives everywhere, one of another layer or a hidden one nowhere.
    cascade->camera.layers = 0;
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 2) == ACRE_OK);
    CHECK(find_casters(&w) && w.caster_count == 3 && !w.is_caster[0]);
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(add_all(&w) && find_casters(&w));
    const size_t all = w.caster_count;
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, &receivers[2], 1) ==
          ACRE_ERROR_NOT_FOUND);
    CHECK(find_casters(&w) && w.caster_count == 1);
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, &receivers[1], 2) ==
          ACRE_ERROR_NOT_FOUND);
    CHECK(find_casters(&w) && w.caster_count == all && all == 4);
    CHECK(acre_receivers_begin(w.receivers, cascade) == ACRE_OK);
    CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 4) == ACRE_OK);
    CHECK(find_casters(&w) && w.caster_count == all);
    close_world(&w);
}

static void a_box_of_the_callers_casts_and_receives(void)
{
    static const acre_aabb floor_box = {{-20, -1, -20}, {20, 0, 20}};
    static const acre_aabb away = {{-90, 9, -90}, {-80, 10, -80}};
    static const acre_aabb over = {{-5, 9, -5}, {5, 10, 5}};
    static const float middle[3] = {0, 0, 0}, down[3] = {0, -1, 0.2f};
    static const float eye[3] = {0, 4, 40}, target[3] = {0, 2, 0};
    static const uint32_t first = 0;
    world w;
    CHECK(open_world(&w, middle) && add_entity(&w, 0, &floor_box, &(acre_entity_def){0}) &&
          add_entity(&w, 1, &away, &(acre_entity_def){0}));
    CHECK(acre_scene_commit(w.scene) == ACRE_OK && look(&w, eye, target, down));
    CHECK(acre_receivers_begin(w.receivers, &w.cascades[2]) == ACRE_OK);
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, &first, 1) == ACRE_OK);
    CHECK(find_casters(&w) && !w.is_caster[1]);
    const acre_entity roof = acre_scene_entity(w.scene, 1);
    CHECK(acre_culling_refresh_bounds(w.culling, roof, &over) == ACRE_OK);
    CHECK(find_casters(&w) && w.is_caster[1]);
    close_world(&w);
}

static void what_is_no_cascade_is_refused(void)
{
    static const float middle[3] = {0, 0, 0}, down[3] = {0, -1, 0.2f};
    static const float eye[3] = {0, 4, 40}, target[3] = {0, 2, 0};
    static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
    world w;
    CHECK(open_world(&w, middle) && look(&w, eye, target, down));
    const acre_cascade good = w.cascades[1];
    acre_cascade wrong[8] = {good, good, good, good, good, good, good, good};
    wrong[0].light[1] = NAN;
    wrong[1].light[0] = wrong[1].light[1] = wrong[1].light[2] = 0.0f;
    wrong[2].light[2] = INFINITY;
    wrong[3].camera = w.camera;            // perspective
    wrong[4].light[0] = good.light[0] + 1; // another way than the camera looks
    wrong[5].camera.view[12] = NAN;
    memset(&wrong[6].camera, 0, sizeof wrong[6].camera);
    wrong[7].camera.view[12] = 1e20f;
    const acre_aabb box = {{-9, -9, -9}, {9, 9, 9}};
    CHECK(acre_receivers_begin(w.receivers, &good) == ACRE_OK);
    CHECK(add_all(&w));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        acre_frustum volume = {.plane_count = 3};
        CHECK(acre_cascade_caster_frustum(&wrong[i], &volume) == bad && volume.plane_count == 0);
        CHECK(acre_receivers_begin(w.receivers, &wrong[i]) == bad);
        CHECK(acre_receivers_test_aabb(w.receivers, &box)); // all is as it was
    }
    acre_frustum volume;
    CHECK(acre_cascade_caster_frustum(NULL, &volume) == bad);
    CHECK(acre_cascade_caster_frustum(&good, NULL) == bad);
    CHECK(acre_receivers_begin(w.receivers, NULL) == bad);
    CHECK(acre_receivers_begin(NULL, &good) == bad);
    close_world(&w);
}

static void planes_of_a_slice_that_say_nothing_hide_nothing(void)
{
    static const float middle[3] = {0, 0, 0}, down[3] = {0.3f, -1, 0.2f};
    static const float eye[3] = {0, 4, 40}, target[3] = {0, 2, 0};
    test_random random = {test_seed};
    world w;
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    CHECK(look(&w, eye, target, down));
    acre_cascade cascade = w.cascades[2];
    cascade.slice.plane_count = 0;
    CHECK(acre_receivers_begin(w.receivers, &cascade) == ACRE_OK);
    CHECK(add_all(&w) && find_casters(&w));
    const size_t all = w.caster_count;
    // The whole volume of the light: every entity in it shadows something of it.
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        double middle_of_it[3];
        for (int k = 0; k < 3; k++) {
            middle_of_it[k] = 0.5 * ((double)w.boxes[slot].min[k] + (double)w.boxes[slot].max[k]);
        }
        CHECK(w.is_caster[slot] || !is_in_light_volume(&cascade.camera, middle_of_it));
    }
    CHECK(all > 10 && all <= acre_culling_query(w.culling, &cascade.camera, NULL, 0));
    cascade.slice.plane_count = 16;
    for (int i = 0; i < 16; i++) {
        const float nothing[4][4] = {{NAN, 0, 0, 1}, {0, 0, 0, -1}, {0, 1, INFINITY, 1}, {0}};
        memcpy(cascade.slice.planes[i], nothing[i % 4], sizeof nothing[0]);
    }
    CHECK(acre_receivers_begin(w.receivers, &cascade) == ACRE_OK);
    CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 0) == ACRE_OK);
    CHECK(add_all(&w));
    CHECK(find_casters(&w) && w.caster_count == all);
    // A slice beside the light volume has no receivers.
    const float beside[4] = {1, 0, 0, -5000};
    memcpy(cascade.slice.planes[3], beside, sizeof beside);
    CHECK(acre_receivers_begin(w.receivers, &cascade) == ACRE_OK);
    CHECK(add_all(&w));
    CHECK(find_casters(&w) && w.caster_count == 0);
    close_world(&w);
}

// The same for a slice that may reach beyond the light volume: where the ray enters the slice it is
// inside the volume.
static bool meets_slice_in_volume(const acre_cascade *cascade, const double *point)
{
    line_part part = {0.0, HUGE_VAL};
    double entered[3];
    cut_frustum(&part, &cascade->slice, point, cascade->light);
    for (int k = 0; k < 3; k++) {
        entered[k] = point[k] + part.begin * (double)cascade->light[k];
    }
    return part.begin <= part.end && is_in_light_volume(&cascade->camera, entered);
}

// Sixteen planes around a point: a slice that is nearly a ball.
static void a_slice_of_sixteen_planes_is_extruded(void)
{
    static const float middle[3] = {0, 0, 0};
    test_random random = {test_seed};
    size_t shadow_count = 0, kept = 0;
    world w;
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    for (int turn = 0; turn < 40; turn++) {
        CHECK(look_anywhere(&w, &random, middle));
        acre_cascade *const c = &w.cascades[3];
        const float eye[3] = {-c->camera.view[12], -c->camera.view[13], -c->camera.view[14]};
        c->slice.plane_count = 16;
        for (int i = 0; i < 16; i++) {
            float *const plane = c->slice.planes[i];
            plane[3] = 20.0f;
            for (int k = 0; k < 3; k++) { // around the middle of the light volume
                plane[k] = random_float(&random, -1.0f, 1.0f);
                const float *const v = c->camera.view;
                plane[3] -=
                    plane[k] * (v[4 * k] * eye[0] + v[4 * k + 1] * eye[1] + v[4 * k + 2] * eye[2]);
            }
        }
        CHECK(acre_receivers_begin(w.receivers, c) == ACRE_OK);
        CHECK(add_all(&w) && find_casters(&w));
        kept += w.caster_count;
        for (uint32_t slot = 0; slot < ENTITIES; slot++) {
            for (int ray = 0; ray < 8; ray++) {
                double point[3];
                random_point(&random, &w.boxes[slot], point);
                if (is_in_light_volume(&c->camera, point) && meets_slice_in_volume(c, point)) {
                    shadow_count++;
                    CHECK(w.is_caster[slot]);
                }
            }
        }
    }
    CHECK(shadow_count > 300 && kept < 40 * ENTITIES / 4);
    close_world(&w);
}

static void bad_arguments_are_refused(void)
{
    static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
    static const float middle[3] = {0, 0, 0}, down[3] = {0.3f, -1, 0.2f};
    static const float eye[3] = {0, 4, 40}, target[3] = {0, 2, 0};
    test_random random = {test_seed};
    world w;
    size_t total = 77;
    uint32_t slot = 0;
    const acre_aabb boxes[3] = {
        {{0, 0, 0}, {NAN, 1, 1}}, {{1, 0, 0}, {0, 1, 1}}, {{-9}, {9, 9, 9}}};
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    CHECK(look(&w, eye, target, down));
    // Before begin.
    CHECK(acre_receivers_add_boxes(w.receivers, boxes, 0) == bad);
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, &slot, 1) == bad);
    CHECK(acre_culling_add_receivers_in_slice(w.culling, w.receivers, 0) == bad);
    CHECK(acre_culling_query_casters(w.culling, w.receivers, &slot, 1, &total) == bad);
    CHECK(!acre_receivers_test_aabb(w.receivers, &boxes[2]) && total == 0);
    CHECK(acre_receivers_begin(w.receivers, &w.cascades[1]) == ACRE_OK);
    CHECK(acre_receivers_add_boxes(NULL, boxes, 1) == bad);
    CHECK(acre_receivers_add_boxes(w.receivers, NULL, 1) == bad);
    CHECK(acre_receivers_add_boxes(w.receivers, NULL, 0) == ACRE_OK);
    CHECK(!acre_receivers_test_aabb(NULL, &boxes[2]));
    CHECK(acre_culling_add_receivers(NULL, w.receivers, &slot, 1) == bad);
    CHECK(acre_culling_add_receivers(w.culling, NULL, &slot, 1) == bad);
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, NULL, 1) == bad);
    CHECK(acre_culling_add_receivers_in_slice(NULL, w.receivers, 0) == bad);
    CHECK(acre_culling_query_casters(NULL, w.receivers, &slot, 1, &total) == bad);
    CHECK(acre_culling_query_casters(w.culling, NULL, &slot, 1, &total) == bad);
    CHECK(acre_culling_query_casters(w.culling, w.receivers, NULL, 1, &total) == bad);
    CHECK(total == 0 &&
          acre_culling_query_casters(w.culling, w.receivers, NULL, 0, NULL) == ACRE_OK);
    const uint32_t far_slots[3] = {ENTITIES, UINT32_MAX, 1u << 20};
    CHECK(acre_culling_add_receivers(w.culling, w.receivers, far_slots, 3) == ACRE_ERROR_NOT_FOUND);
    CHECK(find_casters(&w) && w.caster_count == 0);
    // A bad box leaves the others their place.
    CHECK(acre_receivers_add_boxes(w.receivers, boxes, 2) == bad);
    CHECK(find_casters(&w) && w.caster_count == 0);
    CHECK(acre_receivers_add_boxes(w.receivers, boxes, 3) == bad);
    CHECK(find_casters(&w) && w.caster_count > 0);
    acre_receivers_destroy(NULL);
    close_world(&w);
}

static void memory_is_taken_at_creation_alone(void)
{
    static const float middle[3] = {0, 0, 0}, down[3] = {0.3f, -1, 0.2f};
    static const float eye[3] = {0, 4, 40}, target[3] = {0, 2, 0};
    static const uint32_t wrong[] = {1, 4, 7, 100, 129, 1024, UINT32_MAX};
    test_random random = {test_seed};
    failing_allocator memory;
    acre_receivers *receivers;
    world w;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_receivers_def def = {.allocator = &memory.allocator};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        def.resolution = wrong[i];
        receivers = (acre_receivers *)&def;
        CHECK(acre_receivers_create(&def, &receivers) == ACRE_ERROR_INVALID_ARGUMENT && !receivers);
    }
    CHECK(acre_receivers_create(NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(open_world(&w, middle) && fill_world(&w, &random, middle));
    CHECK(look(&w, eye, target, down));
    for (uint32_t resolution = 0; resolution <= 512; resolution = resolution ? 2 * resolution : 8) {
        def.resolution = resolution;
        for (uint64_t at = 0; at < 2; at++) {
            failing_allocator_arm(&memory, FAIL_ONCE, at + 1);
            CHECK(acre_receivers_create(&def, &receivers) == ACRE_ERROR_OUT_OF_MEMORY);
            CHECK(!receivers && memory.live_blocks == 0);
        }
        failing_allocator_arm(&memory, FAIL_NEVER, 0);
        CHECK(acre_receivers_create(&def, &receivers) == ACRE_OK && memory.requests == 2);
        failing_allocator_arm(&memory, FAIL_FROM, 1);
        CHECK(acre_receivers_begin(receivers, &w.cascades[1]) == ACRE_OK);
        CHECK(acre_culling_add_receivers_in_slice(w.culling, receivers, 0) == ACRE_OK);
        CHECK(acre_culling_query_casters(w.culling, receivers, NULL, 0, NULL) == ACRE_OK);
        CHECK(memory.requests == 0);
        acre_receivers_destroy(receivers);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
    CHECK(acre_receivers_create(NULL, &receivers) == ACRE_OK);
    acre_receivers_destroy(receivers);
    close_world(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_caster_that_a_ray_finds_is_dropped),
        TEST(where_everything_receives_the_slice_extruded_is_the_volume),
        TEST(a_query_names_what_the_test_of_one_box_lets_through),
        TEST(little_room_gets_the_first_and_the_true_total),
        TEST(in_a_city_most_of_what_the_light_volume_holds_is_dropped),
        TEST(a_caster_is_before_its_receiver_and_over_it),
        TEST(boxes_without_size_and_without_end_receive_and_cast),
        TEST(layers_and_never_cull_entities_count),
        TEST(a_box_of_the_callers_casts_and_receives),
        TEST(what_is_no_cascade_is_refused),
        TEST(planes_of_a_slice_that_say_nothing_hide_nothing),
        TEST(a_slice_of_sixteen_planes_is_extruded),
        TEST(bad_arguments_are_refused),
        TEST(memory_is_taken_at_creation_alone),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
