// SPDX-License-Identifier: MIT
// test_light_casters.c - casters of spot and point lights: none that a ray in doubles finds between
// the light and what is seen is lost, on no face, and many others are left out.
#include "failing_allocator.h"
#include "test.h"

#include <acre/casters.h>
#include <acre/kernel.h>
#include <acre/objects.h>

#include <math.h>
#include <string.h>

enum { ENTITIES = 260, PROVIDERS = 2 };

// The same boxes as entities of a scene and as a host's objects.
typedef struct world {
    acre_scene *scene;
    acre_culling *cullers[PROVIDERS];
    acre_receivers *receivers;
    acre_aabb boxes[ENTITIES]; // by slot
    uint32_t flags[ENTITIES], layers[ENTITIES];
    acre_local_light light;
    acre_camera camera;
    acre_frustum seen;
    uint32_t receiver_layers;
    acre_aabb ground; // a receiver that is no entity
    bool is_receiver[ENTITIES];
    uint32_t casters[ENTITIES + 1];
    uint8_t faces[ENTITIES + 1];
    size_t count;
    uint32_t faces_of[ENTITIES]; // by slot; 0: no caster
} world;

// ---- worlds ----

// Flat, high, long, points, large, without end; some far away, as outliers of the tree.
static acre_aabb random_box(test_random *random, const float *middle)
{
    const float kinds[6][3] = {{3, 3, 3}, {1, 12, 1},   {30, 0.2f, 1},
                               {0, 0, 0}, {60, 20, 60}, {INFINITY, 1, INFINITY}};
    const uint32_t kind = random_below(random, 40);
    const float *const size = kinds[kind < 6 ? kind : kind % 3];
    const float reach = random_below(random, 20) == 0 ? 1e5f : 40.0f;
    acre_aabb box;
    for (int k = 0; k < 3; k++) {
        const float at = middle[k] + random_float(random, -reach, reach);
        const float half = size[k] * random_float(random, 0.1f, 1.0f);
        box.min[k] = at - half;
        box.max[k] = at + half;
    }
    return box;
}

static bool fill_scene(world *w)
{
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        acre_entity entity;
        const acre_entity_def def = {
            .bounds = &w->boxes[slot], .flags = w->flags[slot], .layers = w->layers[slot]};
        if (acre_entity_create(w->scene, &def, &entity) != ACRE_OK || entity.index1 != slot + 1) {
            return false;
        }
    }
    return acre_scene_commit(w->scene) == ACRE_OK;
}

static bool fill_host(world *w)
{
    uint32_t added[ENTITIES];
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        added[slot] = slot;
    }
    const acre_objects objects = {.slot_count = ENTITIES,
                                  .boxes = {.first = w->boxes[0].min,
                                            .second = w->boxes[0].max,
                                            .first_stride = sizeof w->boxes[0],
                                            .second_stride = sizeof w->boxes[0]},
                                  .flags = w->flags,
                                  .layers = w->layers,
                                  .added = added,
                                  .added_count = ENTITIES};
    return acre_culling_update(w->cullers[1], &objects, NULL) == ACRE_OK;
}

static bool open_world(world *w, test_random *random, const float *middle, acre_kernel kernel)
{
    memset(w, 0, sizeof *w);
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        w->boxes[slot] = random_box(random, middle);
        w->flags[slot] = slot % 2 ? ACRE_ENTITY_STATIC : 0;
        w->layers[slot] = slot % 5 == 0 ? 2u : slot % 7 == 0 ? 4u : 7u;
    }
    const acre_culling_def def = {.register_all = true,
                                  .tree = {.kernel = kernel,
                                           .center = {middle[0], middle[2]},
                                           .half_size = 64.0f,
                                           .node_capacity = 8}};
    acre_culling_def of_host = def;
    of_host.register_all = false;
    return acre_scene_create(NULL, &w->scene) == ACRE_OK &&
           acre_culling_create(w->scene, &def, &w->cullers[0]) == ACRE_OK &&
           acre_culling_create_for_objects(&of_host, &w->cullers[1]) == ACRE_OK &&
           acre_receivers_create(NULL, &w->receivers) == ACRE_OK;
}

static bool make_world(world *w, test_random *random, const float *middle)
{
    return open_world(w, random, middle, ACRE_KERNEL_DEFAULT) && fill_scene(w) && fill_host(w);
}

static void close_world(world *w)
{
    acre_receivers_destroy(w->receivers);
    acre_culling_destroy(w->cullers[0]);
    acre_culling_destroy(w->cullers[1]);
    acre_scene_destroy(w->scene);
}

// Point lights and spot lights of every width, along axes and aslant.
static void random_light(world *w, test_random *random, const float *middle)
{
    static const float widths[] = {0.01f, 0.3f, 0.8f, 1.4f, 1.5f, 2.5f, 3.14159274f};
    const bool is_point = random_below(random, 2) == 0;
    w->light = (acre_local_light){.range = random_float(random, 2.0f, 50.0f),
                                  .outer_angle = widths[random_below(random, 7)],
                                  .layers = random_below(random, 3) ? 0 : 4};
    for (int k = 0; k < 3; k++) {
        w->light.position[k] = middle[k] + random_float(random, -15.0f, 15.0f);
        w->light.direction[k] = is_point ? 0.0f : random_float(random, -1.0f, 1.0f);
    }
    if (!is_point && random_below(random, 4) == 0) {
        const uint32_t axis = random_below(random, 3);
        memset(w->light.direction, 0, sizeof w->light.direction);
        w->light.direction[axis] = random_below(random, 2) ? 2.0f : -0.5f;
    }
    w->receiver_layers = random_below(random, 4) ? 0 : 2;
}

static bool look_anywhere(world *w, test_random *random, const float *middle)
{
    static const float up[3] = {0, 1, 0};
    float eye[3], target[3];
    for (int k = 0; k < 3; k++) {
        eye[k] = middle[k] + random_float(random, -30.0f, 30.0f);
        target[k] = eye[k] + random_float(random, -1.0f, 1.0f);
    }
    random_light(w, random, middle);
    const float half = random_float(random, 1.0f, 40.0f);
    const float below = w->light.position[1] - random_float(random, 0.5f, 6.0f);
    w->ground = (acre_aabb){{w->light.position[0] - half, below, w->light.position[2] - half},
                            {w->light.position[0] + half, below, w->light.position[2] + half}};
    return acre_camera_perspective(&w->camera, 0.9f, 1.6f, 0.5f, 60.0f, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&w->camera, eye, target, up) == ACRE_OK &&
           acre_camera_frustum(&w->camera, &w->seen) == ACRE_OK;
}

static bool shares(uint32_t asked, uint32_t layers)
{
    return asked == 0 || (asked & layers);
}

static void note_receivers(world *w)
{
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        w->is_receiver[slot] = shares(w->receiver_layers, w->layers[slot]) &&
                               acre_frustum_test_aabb(&w->seen, &w->boxes[slot]);
    }
}

// What is seen receives: found by the culler, or given as slots.
static bool add_receivers(world *w, const acre_culling *culling, bool as_slots)
{
    uint32_t slots[ENTITIES];
    size_t count = 0;
    note_receivers(w);
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        slots[count] = slot;
        count += w->is_receiver[slot];
    }
    return acre_receivers_begin_light(w->receivers, &w->light, &w->seen) == ACRE_OK &&
           acre_receivers_add_boxes(w->receivers, &w->ground, 1) == ACRE_OK &&
           (as_slots ? acre_culling_add_receivers(culling, w->receivers, slots, count)
                     : acre_culling_add_receivers_in_slice(culling, w->receivers,
                                                           w->receiver_layers)) == ACRE_OK;
}

// Fills casters, faces, count and faces_of. Returns false if a slot is named twice or is none.
static bool find_casters(world *w, const acre_culling *culling)
{
    memset(w->faces_of, 0, sizeof w->faces_of);
    if (acre_culling_query_casters_by_face(culling, w->receivers, w->casters, w->faces, ENTITIES,
                                           &w->count) != ACRE_OK ||
        w->count > ENTITIES) {
        return false;
    }
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t slot = w->casters[i];
        if (slot >= ENTITIES || w->faces_of[slot] || w->faces[i] == 0 || w->faces[i] > 63) {
            return false;
        }
        w->faces_of[slot] = w->faces[i];
    }
    return true;
}

// ---- the oracle: straight lines from the light, in double precision ----

// The part of a line from `begin` to `end` times its direction.
typedef struct line_part {
    double begin, end;
} line_part;

static void cut_line(line_part *part, double at_start, double step)
{
    if (step > 0.0) {
        part->begin = fmax(part->begin, -at_start / step);
    } else if (step < 0.0) {
        part->end = fmin(part->end, -at_start / step);
    } else if (at_start < 0.0) {
        part->end = -HUGE_VAL;
    }
}

static void cut_line_by_box(line_part *part, const acre_aabb *box, const float *from,
                            const double *way)
{
    for (int k = 0; k < 3; k++) {
        cut_line(part, (double)from[k] - (double)box->min[k], way[k]);
        cut_line(part, (double)box->max[k] - (double)from[k], -way[k]);
    }
}

static void cut_line_by_frustum(line_part *part, const acre_frustum *frustum, const float *from,
                                const double *way)
{
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const n = frustum->planes[i];
        double at = (double)n[3], step = 0.0;
        for (int k = 0; k < 3; k++) {
            at += (double)n[k] * (double)from[k];
            step += (double)n[k] * way[k];
        }
        cut_line(part, at, step);
    }
}

static double length_of(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Whether a way from the light is certainly in its cone.
static bool is_lit(const acre_local_light *light, const double *way)
{
    double along = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
        along += (double)light->direction[k] * way[k];
        square += (double)light->direction[k] * (double)light->direction[k];
    }
    return square == 0.0 ||
           along >= cos((double)light->outer_angle) * sqrt(square) * length_of(way);
}

// Bits of the faces that a way from the light is on.
static uint32_t faces_of_way(const double *way)
{
    const double most = fmax(fabs(way[0]), fmax(fabs(way[1]), fabs(way[2])));
    uint32_t faces = 0;
    for (int k = 0; k < 3; k++) {
        faces |= fabs(way[k]) == most ? (way[k] > 0.0 ? 1u : 2u) << 2 * k : 0;
    }
    return faces;
}

// Corners of the box as often as what is between them; where it has no end, a point near the light.
static void random_point(test_random *random, const world *w, const acre_aabb *box, double *out)
{
    const uint64_t bits = random_bits(random);
    for (int k = 0; k < 3; k++) {
        const double at = (double)w->light.position[k], range = (double)w->light.range;
        const double low = fmax((double)box->min[k], at - 2.0 * range);
        const double high = fmin((double)box->max[k], at + 2.0 * range);
        const double share = (bits & 1) == 0 ? (double)(bits >> (8 + k) & 1)
                                             : (double)random_float(random, 0.0f, 1.0f);
        out[k] = (low + share * (high - low)) - at;
    }
}

typedef struct ray_counts {
    uint64_t rays, shadows;
    bool is_found[ENTITIES]; // casters of the light at hand
} ray_counts;

static bool is_kept(const world *w, uint32_t slot, const double *way, ray_counts *counts)
{
    const uint32_t faces = faces_of_way(way);
    counts->shadows++;
    counts->is_found[slot] = true;
    if ((w->faces_of[slot] & faces) != faces) {
        printf("slot %u is a caster on faces %x, found on %x\n", slot, faces, w->faces_of[slot]);
        return false;
    }
    return true;
}

static bool casts(const world *w, uint32_t slot)
{
    return shares(w->light.layers, w->layers[slot]);
}

// Lines from the light to points of a receiver, which all boxes on their way shadow.
static bool rays_to_receiver(const world *w, const acre_aabb *receiver, test_random *random,
                             ray_counts *counts)
{
    for (int sample = 0; sample < 12; sample++) {
        double way[3];
        random_point(random, w, receiver, way);
        line_part seen = {1.0, 1.0};
        cut_line_by_frustum(&seen, &w->seen, w->light.position, way);
        if (seen.begin > seen.end || length_of(way) > (double)w->light.range ||
            !is_lit(&w->light, way)) {
            continue;
        }
        counts->rays++;
        for (uint32_t slot = 0; slot < ENTITIES; slot++) {
            line_part part = {0.0, 1.0};
            cut_line_by_box(&part, &w->boxes[slot], w->light.position, way);
            if (part.begin <= part.end && casts(w, slot) && !is_kept(w, slot, way, counts)) {
                return false;
            }
        }
    }
    return true;
}

// Lines from the light through points of a box to whatever of a receiver is behind them.
static bool rays_through_caster(const world *w, uint32_t slot, test_random *random,
                                ray_counts *counts)
{
    for (int sample = 0; sample < 12 && casts(w, slot); sample++) {
        double way[3];
        random_point(random, w, &w->boxes[slot], way);
        line_part lit = {1.0, (double)w->light.range / length_of(way)};
        cut_line_by_frustum(&lit, &w->seen, w->light.position, way);
        if (!is_lit(&w->light, way) || !(lit.begin <= lit.end)) {
            continue;
        }
        counts->rays++;
        for (uint32_t other = 0; other <= ENTITIES; other++) {
            line_part part = lit;
            const bool is_ground = other == ENTITIES;
            if (is_ground || w->is_receiver[other]) {
                cut_line_by_box(&part, is_ground ? &w->ground : &w->boxes[other], w->light.position,
                                way);
                if (part.begin <= part.end && !is_kept(w, slot, way, counts)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool no_ray_finds_another(const world *w, test_random *random, ray_counts *counts)
{
    memset(counts->is_found, 0, sizeof counts->is_found);
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        if ((w->is_receiver[slot] && !rays_to_receiver(w, &w->boxes[slot], random, counts)) ||
            !rays_through_caster(w, slot, random, counts)) {
            return false;
        }
    }
    return rays_to_receiver(w, &w->ground, random, counts);
}

static void no_box_between_a_light_and_what_is_seen_is_lost(void)
{
    test_random random = {test_seed};
    ray_counts counts = {.rays = 0};
    size_t kept = 0, found = 0, lit = 0;
    for (uint32_t round = 0; round < 12 * test_scale; round++) {
        const float far_away = round % 3 == 2 ? 30000.0f : 0.0f;
        const float middle[3] = {far_away, 0.01f * far_away, -0.5f * far_away};
        world w;
        CHECK(make_world(&w, &random, middle));
        for (uint32_t turn = 0; turn < 30; turn++) {
            const acre_culling *const culling = w.cullers[turn % PROVIDERS];
            CHECK(look_anywhere(&w, &random, middle));
            CHECK(add_receivers(&w, culling, turn % 3 == 0) && find_casters(&w, culling));
            CHECK(no_ray_finds_another(&w, &random, &counts));
            const acre_sphere reach = {
                {w.light.position[0], w.light.position[1], w.light.position[2]}, w.light.range};
            for (uint32_t slot = 0; slot < ENTITIES; slot++) {
                found += counts.is_found[slot];
                lit += casts(&w, slot) && acre_sphere_test_aabb(&reach, &w.boxes[slot]);
            }
            kept += w.count;
        }
        close_world(&w);
    }
    CHECK(counts.rays > 20000 && counts.shadows > 20000);
    CHECK(found > 1000 && kept < lit / 2 && found * 10 > kept * 7);
}

static void a_query_names_what_the_test_of_one_box_lets_through(void)
{
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    size_t kept = 0;
    world w;
    CHECK(make_world(&w, &random, middle));
    for (uint32_t turn = 0; turn < 60 * test_scale; turn++) {
        const acre_culling *const culling = w.cullers[turn % PROVIDERS];
        CHECK(look_anywhere(&w, &random, middle) && add_receivers(&w, culling, false));
        CHECK(find_casters(&w, culling));
        for (uint32_t slot = 0; slot < ENTITIES; slot++) {
            const bool is_caster =
                casts(&w, slot) && acre_receivers_test_aabb(w.receivers, &w.boxes[slot]);
            CHECK(is_caster == (w.faces_of[slot] != 0));
        }
        // Without faces: the same slots in the same order. Little room: the first, and the total.
        uint32_t slots[ENTITIES];
        uint8_t faces[ENTITIES];
        size_t total;
        CHECK(acre_culling_query_casters(culling, w.receivers, slots, ENTITIES, &total) == ACRE_OK);
        CHECK(total == w.count && memcmp(slots, w.casters, total * sizeof *slots) == 0);
        const size_t room = w.count / 2;
        memset(slots, 0xa5, sizeof slots);
        memset(faces, 0xa5, sizeof faces);
        CHECK(acre_culling_query_casters_by_face(culling, w.receivers, slots, faces, room,
                                                 &total) == ACRE_OK);
        CHECK(total == w.count && memcmp(slots, w.casters, room * sizeof *slots) == 0 &&
              memcmp(faces, w.faces, room) == 0);
        CHECK(slots[room] == 0xa5a5a5a5u && faces[room] == 0xa5);
        kept += w.count;
    }
    CHECK(kept > 200);
    close_world(&w);
}

static void where_all_is_seen_all_that_is_lit_casts(void)
{
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    const acre_frustum says_nothing = {.planes = {{NAN, 0, 0, 1}, {0, 0, 0, -1}, {INFINITY}},
                                       .plane_count = 3};
    size_t lit = 0;
    world w;
    CHECK(make_world(&w, &random, middle));
    for (uint32_t turn = 0; turn < 30 * test_scale; turn++) {
        const acre_culling *const culling = w.cullers[turn % PROVIDERS];
        random_light(&w, &random, middle);
        w.light.direction[0] = w.light.direction[1] = w.light.direction[2] = 0.0f;
        w.light.layers = 0;
        CHECK(acre_receivers_begin_light(w.receivers, &w.light, turn % 2 ? NULL : &says_nothing) ==
              ACRE_OK);
        CHECK(acre_culling_add_receivers_in_slice(culling, w.receivers, 0) == ACRE_OK);
        CHECK(find_casters(&w, culling));
        for (uint32_t slot = 0; slot < ENTITIES; slot++) {
            const float *const p = w.light.position;
            const acre_aabb at = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
            const float distance = acre_aabb_distance(&at, &w.boxes[slot]);
            CHECK(distance > 0.999f * w.light.range || w.faces_of[slot]);
            CHECK(distance < 1.001f * w.light.range || !w.faces_of[slot]);
            lit += w.faces_of[slot] != 0;
        }
    }
    CHECK(lit > 100);
    close_world(&w);
}

static bool names(const world *w, uint32_t slot)
{
    return w->faces_of[slot] != 0;
}

// A street at night: the camera looks along -z, the lamp stands to the right of the picture.
static void a_box_beside_the_picture_casts_and_others_do_not(void)
{
    enum { SEEN, BESIDE, BEHIND, ABOVE, UNDER, FAR, NEVER, OTHER_LAYER, HIGHER, NAMED };
    static const float middle[3] = {0, 0, 0};
    static const acre_aabb boxes[NAMED] = {
        [SEEN] = {{-1, 0, -21}, {1, 3, -19}},         // in the picture
        [BESIDE] = {{24, 4, -21}, {26, 7, -19}},      // between the lamp and what is seen
        [BEHIND] = {{42, 9, -21}, {44, 11, -19}},     // behind the lamp
        [ABOVE] = {{20, 14, -21}, {22, 16, -19}},     // the lamp's rays above it go to the sky
        [UNDER] = {{20, -6, -30}, {22, -4, -10}},     // below the ground that is seen
        [FAR] = {{-60, 0, -21}, {-50, 30, -19}},      // out of reach
        [NEVER] = {{500, 0, 500}, {501, 1, 501}},     // never culled
        [OTHER_LAYER] = {{24, 4, -21}, {26, 7, -19}}, // where BESIDE is, in layer 8
        [HIGHER] = {{39, 10.5f, -21}, {41, 12, -19}}, // over the lamp
    };
    test_random random = {test_seed};
    static const float eye[3] = {0, 2, 0}, target[3] = {0, 2, -10}, up[3] = {0, 1, 0};
    world w;
    CHECK(open_world(&w, &random, middle, ACRE_KERNEL_DEFAULT));
    for (uint32_t slot = 0; slot < ENTITIES; slot++) { // the others are far away
        w.boxes[slot] = slot < NAMED ? boxes[slot] : (acre_aabb){{1e4f, 0, 0}, {1e4f, 1, 1}};
        w.layers[slot] = slot == OTHER_LAYER ? 8 : 1;
        w.flags[slot] = slot == NEVER ? ACRE_ENTITY_NEVER_CULL : 0;
    }
    w.light = (acre_local_light){.position = {40, 10, -20},
                                 .range = 60,
                                 .direction = {-4, -0.8f, 0},
                                 .outer_angle = 0.5f,
                                 .layers = 1};
    w.ground = (acre_aabb){{-100, 0, -100}, {12, 0, 100}};
    CHECK(fill_scene(&w) && fill_host(&w));
    CHECK(acre_camera_perspective(&w.camera, 1.0f, 1.5f, 0.1f, 200, ACRE_CLIP_ZERO_TO_ONE) ==
              ACRE_OK &&
          acre_camera_look_at(&w.camera, eye, target, up) == ACRE_OK &&
          acre_camera_frustum(&w.camera, &w.seen) == ACRE_OK);
    CHECK(!acre_frustum_test_aabb(&w.seen, &boxes[BESIDE]));
    for (int i = 0; i < PROVIDERS; i++) {
        const acre_culling *const culling = w.cullers[i];
        note_receivers(&w);
        CHECK(acre_receivers_begin_light(w.receivers, &w.light, &w.seen) == ACRE_OK);
        CHECK(acre_receivers_add_boxes(w.receivers, &w.ground, 1) == ACRE_OK);
        CHECK(acre_culling_add_receivers(culling, w.receivers, &(uint32_t){SEEN}, 1) == ACRE_OK);
        CHECK(find_casters(&w, culling));
        CHECK(names(&w, SEEN) && names(&w, BESIDE) && names(&w, NEVER) && w.count == 3);
        CHECK(w.faces_of[BESIDE] == 2 && w.faces_of[NEVER] == 63); // -x; all
        // What is never culled receives everywhere: now all between the lamp and the picture casts.
        CHECK(acre_culling_add_receivers_in_slice(culling, w.receivers, 0) == ACRE_OK);
        CHECK(find_casters(&w, culling) && names(&w, BESIDE) && !names(&w, BEHIND));
        CHECK(!names(&w, FAR) && !names(&w, HIGHER) && !names(&w, OTHER_LAYER));
        // A lamp that reaches nothing seen.
        acre_local_light away = w.light;
        away.position[2] = 100;
        CHECK(acre_receivers_begin_light(w.receivers, &away, &w.seen) == ACRE_OK);
        CHECK(acre_culling_add_receivers_in_slice(culling, w.receivers, 2) == ACRE_OK);
        CHECK(acre_receivers_add_boxes(w.receivers, &w.ground, 1) == ACRE_OK);
        CHECK(find_casters(&w, culling) && w.count == 1 && names(&w, NEVER));
    }
    close_world(&w);
}

// A cascade after a light, and a light after a cascade, in the same receivers.
static void receivers_serve_cascades_and_lights_in_turn(void)
{
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    world w;
    acre_receivers *fresh;
    CHECK(make_world(&w, &random, middle));
    for (uint32_t turn = 0; turn < 20 * test_scale; turn++) {
        uint32_t slots[2][ENTITIES];
        size_t totals[2];
        acre_cascade cascade;
        CHECK(look_anywhere(&w, &random, middle));
        const acre_cascades_def def = {.light = {0.5f, -1, 0.2f},
                                       .distance = 60,
                                       .caster_distance = 60,
                                       .count = 1,
                                       .resolution = 512};
        CHECK(acre_cascades_fit(&def, &w.camera, &cascade) == ACRE_OK);
        for (int light = 0; light < 2; light++) {
            CHECK(acre_receivers_create(NULL, &fresh) == ACRE_OK);
            acre_receivers *const both[2] = {w.receivers, fresh};
            for (int i = 0; i < 2; i++) {
                CHECK((light ? acre_receivers_begin_light(both[i], &w.light, &w.seen)
                             : acre_receivers_begin(both[i], &cascade)) == ACRE_OK);
                CHECK(acre_receivers_add_boxes(both[i], &w.ground, 1) == ACRE_OK);
                CHECK(acre_culling_add_receivers_in_slice(w.cullers[0], both[i], 0) == ACRE_OK);
                CHECK(acre_culling_query_casters(w.cullers[0], both[i], slots[i], ENTITIES,
                                                 &totals[i]) == ACRE_OK);
            }
            CHECK(totals[0] == totals[1] &&
                  memcmp(slots[0], slots[1], totals[0] * sizeof slots[0][0]) == 0);
            acre_receivers_destroy(fresh);
        }
    }
    close_world(&w);
}

static void every_kernel_and_resolution_finds_the_same_of_each(void)
{
    test_random random = {test_seed};
    static const uint32_t resolutions[] = {8, 32, 64, 512};
    const float middle[3] = {0, 0, 0};
    uint64_t expected[4] = {0, 0, 0, 0};
    for (uint32_t kernel = ACRE_KERNEL_SCALAR; kernel <= ACRE_KERNEL_AVX512; kernel++) {
        world w;
        random.state = test_seed;
        CHECK(open_world(&w, &random, middle, (acre_kernel)kernel) && fill_scene(&w) &&
              fill_host(&w));
        for (int r = 0; r < 4; r++) {
            uint64_t hash = 1;
            random.state = test_seed + 1;
            acre_receivers_destroy(w.receivers);
            CHECK(acre_receivers_create(&(acre_receivers_def){.resolution = resolutions[r]},
                                        &w.receivers) == ACRE_OK);
            for (int turn = 0; turn < 12; turn++) {
                CHECK(look_anywhere(&w, &random, middle));
                CHECK(add_receivers(&w, w.cullers[turn % PROVIDERS], false) &&
                      find_casters(&w, w.cullers[turn % PROVIDERS]));
                for (size_t i = 0; i < w.count; i++) {
                    hash = (hash ^ w.casters[i]) * 0x100000001b3u + w.faces[i];
                }
            }
            CHECK(hash != 1 && (kernel == ACRE_KERNEL_SCALAR || hash == expected[r]));
            expected[r] = hash;
        }
        close_world(&w);
    }
}

static void bad_arguments_are_refused_and_no_memory_is_taken(void)
{
    static const acre_result bad = ACRE_ERROR_INVALID_ARGUMENT;
    const acre_local_light good = {.range = 3, .direction = {0, -1, 0}, .outer_angle = 1};
    acre_local_light lights[12];
    for (int i = 0; i < 12; i++) {
        lights[i] = good;
    }
    lights[0].range = 0;
    lights[1].range = -1;
    lights[2].range = NAN;
    lights[3].range = INFINITY;
    lights[4].position[1] = NAN;
    lights[5].position[2] = -0x1.1p50f;
    lights[6].direction[0] = INFINITY;
    lights[7].direction[2] = NAN;
    lights[8].outer_angle = 0;
    lights[9].outer_angle = 3.2f;
    lights[10].outer_angle = NAN;
    lights[11].outer_angle = -0.5f;
    failing_allocator memory;
    test_random random = {test_seed};
    const float middle[3] = {0, 0, 0};
    acre_receivers *receivers;
    uint32_t slot;
    uint8_t face;
    size_t total = 77;
    world w;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_receivers_def def = {.allocator = &memory.allocator};
    CHECK(make_world(&w, &random, middle) && look_anywhere(&w, &random, middle));
    CHECK(acre_receivers_create(&def, &receivers) == ACRE_OK);
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_receivers_begin_light(NULL, &good, NULL) == bad);
    CHECK(acre_receivers_begin_light(receivers, NULL, NULL) == bad);
    for (int i = 0; i < 12; i++) {
        CHECK(acre_receivers_begin_light(receivers, &lights[i], NULL) == bad);
    }
    CHECK(acre_culling_query_casters_by_face(w.cullers[0], receivers, &slot, &face, 1, &total) ==
              bad &&
          total == 0);          // before begin
    lights[8].direction[1] = 0; // a point light has no angle
    CHECK(acre_receivers_begin_light(receivers, &lights[8], &w.seen) == ACRE_OK);
    // A refused light leaves the receivers as they were.
    CHECK(acre_receivers_begin_light(receivers, &w.light, &w.seen) == ACRE_OK);
    CHECK(acre_culling_add_receivers_in_slice(w.cullers[0], receivers, 0) == ACRE_OK);
    size_t before, after;
    CHECK(acre_culling_query_casters(w.cullers[0], receivers, NULL, 0, &before) == ACRE_OK);
    CHECK(acre_receivers_begin_light(receivers, &lights[2], NULL) == bad);
    CHECK(acre_culling_query_casters(w.cullers[0], receivers, NULL, 0, &after) == ACRE_OK);
    CHECK(before == after);
    CHECK(acre_culling_query_casters_by_face(NULL, receivers, &slot, &face, 1, &total) == bad);
    CHECK(acre_culling_query_casters_by_face(w.cullers[0], NULL, &slot, &face, 1, &total) == bad);
    CHECK(acre_culling_query_casters_by_face(w.cullers[0], receivers, NULL, &face, 1, &total) ==
          bad);
    CHECK(memory.requests == 0);
    const acre_cascades_def fit = {.light = {0, -1, 0}, .count = 1, .resolution = 64};
    acre_cascade cascade;
    CHECK(acre_cascades_fit(&fit, &w.camera, &cascade) == ACRE_OK);
    CHECK(acre_receivers_begin(receivers, &cascade) == ACRE_OK);
    CHECK(acre_culling_query_casters_by_face(w.cullers[0], receivers, &slot, &face, 1, &total) ==
          bad); // a cascade has no faces
    acre_receivers_destroy(receivers);
    CHECK(failing_allocator_verdict(&memory) == NULL);
    close_world(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(no_box_between_a_light_and_what_is_seen_is_lost),
        TEST(a_query_names_what_the_test_of_one_box_lets_through),
        TEST(where_all_is_seen_all_that_is_lit_casts),
        TEST(a_box_beside_the_picture_casts_and_others_do_not),
        TEST(receivers_serve_cascades_and_lights_in_turn),
        TEST(every_kernel_and_resolution_finds_the_same_of_each),
        TEST(bad_arguments_are_refused_and_no_memory_is_taken),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
