// SPDX-License-Identifier: MIT
// light_casters.c - what the casters of many lights cost in San Francisco, beside a plain query of
// each light's reach, and how many of those within reach are left out.
//
//     cmake --build FOLDER --target light_casters
//     FOLDER/tests/light_casters tools/scenes/san_francisco.glb [FRAMES [RESOLUTION]]
//
// FOLDER is a Release build. 20,000 cars stand still in the city. In each frame of the flight the
// 64 cars nearest to the camera have a street lamp above them, a point light that reaches 20 m, and
// headlights, a spot light of 29 degrees that reaches 40 m. Both ways are measured in turns.
// light_casters.txt has dated results.
#include "run_world.h"

#include <acre/casters.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LIGHTS = 64, CARS = 20000, ROOM = 4096, TURNS = 9 };

typedef struct lit_city {
    run_world world;
    acre_receivers *receivers;
    acre_local_light lights[2][LIGHTS]; // street lamps, headlights
    acre_frustum seen;
    float eye[3];
    uint32_t slots[ROOM];
    uint8_t faces[ROOM];
    size_t found[2][2]; // [kind of light][plain, casters]
    double *times[2][2];
} lit_city;

static void need(bool is_good, const char *what)
{
    if (!is_good) {
        fprintf(stderr, "light_casters: %s\n", what);
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    (void)timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

typedef struct near_car {
    float distance;
    uint32_t number;
} near_car;

static int by_distance(const void *a, const void *b)
{
    const near_car *const x = a, *const y = b;
    return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static void place_lights(lit_city *city)
{
    static near_car near[CARS];
    for (uint32_t i = 0; i < CARS; i++) {
        acre_aabb box;
        need(acre_entity_world_bounds(city->world.scene, city->world.cars[i], &box) == ACRE_OK,
             "a car has no box");
        const acre_aabb eye = {{city->eye[0], city->eye[1], city->eye[2]},
                               {city->eye[0], city->eye[1], city->eye[2]}};
        near[i] = (near_car){acre_aabb_distance(&box, &eye), i};
    }
    qsort(near, CARS, sizeof near[0], by_distance);
    for (uint32_t i = 0; i < LIGHTS; i++) {
        float matrix[16];
        need(acre_entity_world_matrix(city->world.scene, city->world.cars[near[i].number],
                                      matrix) == ACRE_OK,
             "a car has no place");
        city->lights[0][i] = (acre_local_light){
            .position = {matrix[12], matrix[13] + 6.0f, matrix[14]}, .range = 20.0f};
        city->lights[1][i] =
            (acre_local_light){.position = {matrix[12] + 2.4f * matrix[8], matrix[13] + 0.7f,
                                            matrix[14] + 2.4f * matrix[10]},
                               .range = 40.0f,
                               .direction = {matrix[8], matrix[9] - 0.05f, matrix[10]},
                               .outer_angle = 0.5f};
    }
}

static double ask_plainly(lit_city *city, uint32_t kind)
{
    const double begin = now();
    city->found[kind][0] = 0;
    for (uint32_t i = 0; i < LIGHTS; i++) {
        const acre_local_light *const light = &city->lights[kind][i];
        const float *const p = light->position, *const d = light->direction;
        const acre_sphere sphere = {{p[0], p[1], p[2]}, light->range};
        const acre_cone cone = {
            {p[0], p[1], p[2]}, {d[0], d[1], d[2]}, light->range, light->outer_angle};
        const acre_query query = {.shape = kind ? ACRE_QUERY_SHAPE_CONE : ACRE_QUERY_SHAPE_SPHERE,
                                  .sphere = &sphere,
                                  .cone = &cone};
        size_t total;
        need(acre_culling_query_shape(city->world.culling, &query, city->slots, ROOM, &total) ==
                 ACRE_OK,
             "a query fails");
        city->found[kind][0] += total;
    }
    return (now() - begin) / LIGHTS;
}

static double ask_for_casters(lit_city *city, uint32_t kind)
{
    const double begin = now();
    city->found[kind][1] = 0;
    for (uint32_t i = 0; i < LIGHTS; i++) {
        size_t total;
        need(acre_receivers_begin_light(city->receivers, &city->lights[kind][i], &city->seen) ==
                     ACRE_OK &&
                 acre_culling_add_receivers_in_slice(city->world.culling, city->receivers, 0) ==
                     ACRE_OK &&
                 acre_culling_query_casters_by_face(city->world.culling, city->receivers,
                                                    city->slots, kind ? NULL : city->faces, ROOM,
                                                    &total) == ACRE_OK,
             "casters fail");
        city->found[kind][1] += total;
    }
    return (now() - begin) / LIGHTS;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void look(lit_city *city, uint32_t frame)
{
    run_view view;
    need(run_view_at(&city->world, frame, &view) &&
             acre_camera_frustum(&view.cameras[0], &city->seen) == ACRE_OK,
         "a camera has no volume");
    for (int k = 0; k < 3; k++) {
        city->eye[k] = view.pose.eye[k];
    }
    place_lights(city);
}

static void tell(const lit_city *city, uint32_t frames, size_t (*found)[2])
{
    static const char *const names[2] = {"point lights of 20 m", "spot lights of 40 m"};
    for (uint32_t kind = 0; kind < 2; kind++) {
        double least[2], middle[2];
        for (int way = 0; way < 2; way++) {
            qsort(city->times[kind][way], frames, sizeof(double), by_time);
            least[way] = city->times[kind][way][0];
            middle[way] = city->times[kind][way][frames / 2];
        }
        const double lights = (double)LIGHTS * frames;
        printf("%s: within reach %.1f, casters %.1f a light, left out %.1f %%; us a light, median "
               "and least of the frames: plain %.2f %.2f, casters %.2f %.2f\n",
               names[kind], (double)found[kind][0] / lights, (double)found[kind][1] / lights,
               100.0 - 100.0 * (double)found[kind][1] / (double)found[kind][0], middle[0], least[0],
               middle[1], least[1]);
    }
}

int main(int argc, char **argv)
{
    static lit_city city;
    static size_t found[2][2];
    char message[512];
    const uint32_t frames = argc > 2 ? (uint32_t)atoi(argv[2]) : 60;
    const run_options options = {
        .scene_path = argc > 1 ? argv[1] : "", .frames = frames, .cars = CARS, .seed = 1};
    need(run_world_create(&options, &city.world, message, sizeof message), message);
    need(acre_receivers_create(
             &(acre_receivers_def){.resolution = argc > 3 ? (uint32_t)atoi(argv[3]) : 0},
             &city.receivers) == ACRE_OK,
         "no memory");
    for (int i = 0; i < 4; i++) {
        city.times[i / 2][i % 2] = malloc((frames + 1) * sizeof(double));
        need(city.times[i / 2][i % 2] != NULL, "no memory");
    }
    for (uint32_t frame = 0; frame < frames; frame++) {
        look(&city, frame);
        for (uint32_t kind = 0; kind < 2; kind++) {
            double least[2] = {HUGE_VAL, HUGE_VAL};
            for (int turn = 0; turn < TURNS; turn++) {
                least[0] = fmin(least[0], ask_plainly(&city, kind));
                least[1] = fmin(least[1], ask_for_casters(&city, kind));
            }
            for (int way = 0; way < 2; way++) {
                city.times[kind][way][frame] = least[way];
                found[kind][way] += city.found[kind][way];
            }
        }
    }
    tell(&city, frames, found);
    for (int i = 0; i < 4; i++) {
        free(city.times[i / 2][i % 2]);
    }
    acre_receivers_destroy(city.receivers);
    run_world_free(&city.world);
    return 0;
}
