// SPDX-License-Identifier: MIT
// long_flight.c - 1,000 km over a road with traffic, in floats of at most 4 km: places in double,
// an origin that follows the aeroplane, and a check of every step against a plain loop over
// doubles.
#include <acre/interest.h>
#include <acre/visible_set.h>

#include <stdio.h>

enum { CARS = 150, STEPS = 4000, STEP = 250, AHEAD = 6000, SEEN = 3000, SHIFT = 1024 };

typedef struct flight {
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set; // of the window: a square around the aeroplane
    acre_interest *interest;
    acre_observer tower; // stands half way; it follows nothing
    acre_entity plane, cars[CARS];
    double at[3], place[CARS][3]; // in double, as the program knows them
    double origin[3];             // where the scene's floats begin
    bool was_seen[CARS];
    size_t shifts, entered, left, differences, tower_entered, tower_left;
} flight;

// A number from 0 to bound - 1, the same everywhere.
static uint32_t draw(uint32_t bound)
{
    static uint32_t state = 46;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
}

// Places are multiples of 2^-6 m: so near the origin each one is a float, and the check is exact.
static acre_result place_car(flight *it, int car, double along)
{
    double *const place = it->place[car];
    place[0] = along + draw(64) / 64.0;
    place[1] = 0;
    place[2] = draw(2 * AHEAD * 64) / 64.0 - AHEAD;
    return acre_entity_set_translation(it->scene, it->cars[car], place);
}

static acre_result create_cars(flight *it)
{
    static const acre_aabb box = {{-2.5f, 0, -1}, {2.5f, 1.5f, 1}};
    const acre_entity_def def = {.bounds = &box};
    acre_result result = acre_entity_create(it->scene, &def, &it->plane);
    for (int i = 0; i < CARS && result == ACRE_OK; i++) {
        result = acre_entity_create(it->scene, &def, &it->cars[i]);
        if (result == ACRE_OK) {
            result = place_car(it, i, (double)draw(2 * AHEAD) - AHEAD);
        }
    }
    return result;
}

static acre_result create_world(flight *it)
{
    const acre_scene_def scene = {.flags = ACRE_SCENE_DOUBLES};
    const acre_culling_def culling = {.register_all = true};
    const acre_visible_set_def set = {.flags = ACRE_VISIBLE_CHANGES};
    const acre_observer_def tower = {.place = {STEPS * STEP / 2, 0, 0}, .enter_radius = SEEN};
    acre_result result = acre_scene_create(&scene, &it->scene);
    result = result == ACRE_OK ? acre_culling_create(it->scene, &culling, &it->culling) : result;
    result = result == ACRE_OK ? acre_visible_set_create(&set, &it->set) : result;
    result = result == ACRE_OK ? acre_interest_create_for_entities(it->culling, NULL, &it->interest)
                               : result;
    result = result == ACRE_OK ? acre_interest_add(it->interest, &tower, &it->tower) : result;
    return result == ACRE_OK ? create_cars(it) : result;
}

static void destroy_world(flight *it)
{
    acre_interest_destroy(it->interest);
    acre_visible_set_destroy(it->set);
    acre_culling_destroy(it->culling);
    acre_scene_destroy(it->scene);
}

// The aeroplane and all cars go on; who falls behind comes back far ahead.
static acre_result move_all(flight *it)
{
    it->at[0] += STEP;
    acre_result result = acre_entity_set_translation(it->scene, it->plane, it->at);
    for (int i = 0; i < CARS && result == ACRE_OK; i++) {
        if (it->place[i][0] < it->at[0] - AHEAD) {
            result = place_car(it, i, it->at[0] + AHEAD);
        } else {
            it->place[i][0] += 4 * (i % 5); // up to 16 m in each step
            result = acre_entity_set_translation(it->scene, it->cars[i], it->place[i]);
        }
    }
    return result;
}

// Brings the world back by whole multiples of 1,024 m once the aeroplane is 4 km away: a power of
// two, so that no float is rounded. The scene moves what hangs on it; the commit applies that.
static acre_result follow_plane(flight *it)
{
    const double away = it->at[0] - it->origin[0];
    const double offset[3] = {-SHIFT * (double)(int)(away / SHIFT), 0, 0};
    if (away < 4 * SHIFT) {
        return acre_scene_commit(it->scene);
    }
    acre_result result = acre_scene_shift_origin(it->scene, offset);
    result = result == ACRE_OK ? acre_scene_commit(it->scene) : result;
    result = result == ACRE_OK ? acre_interest_shift(it->interest, offset) : result;
    it->origin[0] -= offset[0]; // and so does the view, which is made anew below
    it->shifts++;
    return result;
}

// The window in the scene's floats: a square around the aeroplane.
static acre_view window_of(const flight *it)
{
    const float x = (float)(it->at[0] - it->origin[0]), z = (float)(it->at[2] - it->origin[2]);
    return (acre_view){
        .frustum = {
            {{1, 0, 0, SEEN - x}, {-1, 0, 0, SEEN + x}, {0, 0, 1, SEEN - z}, {0, 0, -1, SEEN + z}},
            4}};
}

// The same question in double, of one car.
static bool is_near(const flight *it, int car)
{
    const double x = it->place[car][0] - it->at[0], z = it->place[car][2] - it->at[2];
    return x - 2.5 <= SEEN && x + 2.5 >= -SEEN && z - 1 <= SEEN && z + 1 >= -SEEN;
}

// Counts what entered and left, and each car for which set and loop differ.
static void check_window(flight *it)
{
    const acre_visible seen = acre_visible_set_get(it->set);
    bool is_seen[CARS] = {false};
    size_t entered = 0, left = 0;
    for (size_t i = 0; i < seen.count; i++) {
        for (int car = 0; car < CARS; car++) {
            is_seen[car] |= seen.slots[i] == it->cars[car].index1 - 1;
        }
    }
    for (int car = 0; car < CARS; car++) {
        it->differences += is_seen[car] != is_near(it, car);
        entered += is_seen[car] && !it->was_seen[car];
        left += !is_seen[car] && it->was_seen[car];
        it->was_seen[car] = is_seen[car];
    }
    const size_t plane = it->entered == 0 && seen.entered_count > 0; // it enters once, and stays
    it->differences += seen.entered_count != entered + plane || seen.left_count != left;
    it->entered += entered;
    it->left += left;
}

static acre_result step(flight *it)
{
    acre_result result = move_all(it);
    result = result == ACRE_OK ? follow_plane(it) : result;
    const acre_view view = window_of(it);
    result = result == ACRE_OK ? acre_culling_find_visible(it->culling, &view, it->set) : result;
    result = result == ACRE_OK ? acre_interest_update(it->interest) : result;
    if (result == ACRE_OK) {
        const acre_interest_changes changes = acre_interest_get_changes(it->interest);
        for (size_t i = 0; i < changes.entered.count; i++) {
            it->tower_entered += changes.entered.entities[i].index1 == it->plane.index1;
        }
        for (size_t i = 0; i < changes.left.count; i++) {
            it->tower_left += changes.left.entities[i].index1 == it->plane.index1;
        }
        check_window(it);
    }
    return result;
}

int main(void)
{
    static flight it;
    acre_result result = create_world(&it);
    size_t rounded = 0;
    for (int i = 0; i < STEPS && result == ACRE_OK; i++) {
        result = step(&it);
        rounded += acre_scene_shift_report(it.scene).rounded;
    }
    double place[3] = {0, 0, 0};
    if (result == ACRE_OK) {
        result = acre_entity_get_translation(it.scene, it.plane, place);
    }
    printf("%.0f km, %zu shifts, %zu places rounded\n", place[0] / 1000, it.shifts, rounded);
    printf("cars came into the window %zu times and left it %zu times: %zu differences\n",
           it.entered, it.left, it.differences);
    printf("the tower saw the aeroplane come %zu time and go %zu time\n", it.tower_entered,
           it.tower_left);
    destroy_world(&it);
    if (result != ACRE_OK) {
        fprintf(stderr, "long_flight: %s\n", acre_result_text(result));
    }
    const bool is_right = it.differences == 0 && rounded == 0 && it.tower_left == 1;
    return result == ACRE_OK && is_right ? 0 : 1;
}
