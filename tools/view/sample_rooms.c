// SPDX-License-Identifier: MIT
// sample_rooms.c - three storeys of rooms along a corridor, with doors that slide open.
#include "sample_hiding.h"

#include <math.h>

enum { STOREYS = 3, ROOMS = 4, DOORS = STOREYS * ROOMS * 2, THINGS = 10 };

// Meters. Walls reach into each other and into floors, so that no two faces lie in one plane.
#define STOREY 3.2f
#define FLOOR 0.3f // thickness; the rest is a room's height
#define ROOM 6.0f  // along the corridor
#define HALF_LENGTH (0.5f * ROOM * (float)ROOMS)
#define HALF_WIDTH 8.0f
#define CORRIDOR 1.5f  // from its middle to that of its walls
#define HALF_WALL 0.1f // of its thickness
#define HALF_DOOR 0.6f // of the opening
#define DOOR_HEIGHT 2.2f
#define DOOR_SPEED 1.6f // meters a second

enum { DOORS_NEAR, DOORS_ALL, DOORS_NONE, DOORS_COUNT_ }; // which are open

typedef struct rooms_state {
    hiding_world world;
    acre_entity doors[DOORS];
    float places[DOORS]; // x of their middles
    float open[DOORS];   // meters
    uint32_t door_count;
    int storey, open_ones;
    float eye, turn; // along the corridor; radians
    bool is_dragged;
} rooms_state;

static float floor_of(int storey)
{
    return STOREY * (float)storey;
}

// A solid box between two corners, x, y, z.
static bool add_wall(rooms_state *state, acre_aabb box)
{
    return hiding_add(&state->world, &box, HIDING_SOLID);
}

static bool add_door(rooms_state *state, float x, float y, float z)
{
    const acre_aabb box = {{x - HALF_DOOR - 0.05f, y - 0.05f, z - 0.5f * HALF_WALL},
                           {x + HALF_DOOR + 0.05f, y + DOOR_HEIGHT + 0.05f, z + 0.5f * HALF_WALL}};
    const bool is_good = hiding_add(&state->world, &box, HIDING_DOOR);
    state->doors[state->door_count] = state->world.entities[state->world.count - 1];
    state->places[state->door_count++] = x;
    return is_good;
}

// One side of the corridor: from door to door a wall, above each door a lintel.
static bool add_corridor_side(rooms_state *state, float y, float z)
{
    const float top = y + STOREY - FLOOR + 0.1f;
    bool is_good = true;
    float from = -HALF_LENGTH;
    for (int i = 0; i <= ROOMS && is_good; i++) {
        const float x = -HALF_LENGTH + ROOM * ((float)i + 0.5f);
        const float to = i < ROOMS ? x - HALF_DOOR : HALF_LENGTH;
        is_good =
            add_wall(state, (acre_aabb){{from, y - 0.1f, z - HALF_WALL}, {to, top, z + HALF_WALL}});
        from = x + HALF_DOOR;
        if (i < ROOMS && is_good) {
            const float half = 0.8f * HALF_WALL;
            is_good = add_wall(state, (acre_aabb){{x - HALF_DOOR - 0.2f, y + DOOR_HEIGHT, z - half},
                                                  {x + HALF_DOOR + 0.2f, top, z + half}}) &&
                      add_door(state, x, y, z);
        }
    }
    return is_good;
}

// Walls between the rooms of one side; side is -1 or 1.
static bool add_dividers(rooms_state *state, float y, float side)
{
    const float near = side * CORRIDOR, far = side * HALF_WIDTH;
    bool is_good = true;
    for (int i = 1; i < ROOMS && is_good; i++) {
        const float x = -HALF_LENGTH + ROOM * (float)i;
        is_good = add_wall(
            state, (acre_aabb){{x - HALF_WALL, y - 0.08f, fminf(near, far)},
                               {x + HALF_WALL, y + STOREY - FLOOR + 0.08f, fmaxf(near, far)}});
    }
    return is_good;
}

static bool add_furniture(rooms_state *state, float y, float side, uint64_t *random)
{
    bool is_good = true;
    for (int i = 0; i < ROOMS * THINGS && is_good; i++) {
        const float middle = -HALF_LENGTH + ROOM * ((float)(i / THINGS) + 0.5f);
        const float x = middle + 2.2f * (2.0f * sample_random(random) - 1.0f);
        const float z = side * (2.4f + 4.6f * sample_random(random));
        const float half = 0.15f + 0.2f * sample_random(random);
        acre_aabb box = sample_box(x, z, half, 0.4f + 1.2f * sample_random(random));
        box.min[1] = y + 0.01f;
        box.max[1] += y;
        is_good = hiding_add(&state->world, &box, HIDING_THING);
    }
    return is_good;
}

static bool add_storey(rooms_state *state, int storey, uint64_t *random)
{
    const float y = floor_of(storey), low = y - 0.06f, high = y + STOREY - FLOOR + 0.06f;
    const float l = HALF_LENGTH + HALF_WALL, w = HALF_WIDTH + HALF_WALL, t = 2.0f * HALF_WALL;
    bool is_good =
        add_wall(state, (acre_aabb){{-l, y - FLOOR, -w}, {l, y, w}}) &&
        add_wall(state, (acre_aabb){{-l + 0.01f, low, -w + 0.01f}, {-l + t, high, w - 0.01f}}) &&
        add_wall(state, (acre_aabb){{l - t, low, -w + 0.01f}, {l - 0.01f, high, w - 0.01f}});
    for (int i = -1; i <= 1 && is_good; i += 2) {
        const float side = (float)i, at = side * HALF_WIDTH;
        is_good = add_wall(state, (acre_aabb){{-l + 0.02f, low, at - 0.9f * HALF_WALL},
                                              {l - 0.02f, high, at + 0.9f * HALF_WALL}}) &&
                  add_corridor_side(state, y, side * CORRIDOR) && add_dividers(state, y, side) &&
                  add_furniture(state, y, side, random);
    }
    return is_good;
}

static bool create(void *memory)
{
    rooms_state *const state = memory;
    uint64_t random = 5;
    state->storey = 2;
    bool is_good = hiding_create(&state->world, 32.0f);
    state->world.is_glass = true;
    for (int i = 0; i < STOREYS && is_good; i++) {
        is_good = add_storey(state, i, &random);
    }
    const float y = floor_of(STOREYS), l = HALF_LENGTH + HALF_WALL, w = HALF_WIDTH + HALF_WALL;
    return is_good && add_wall(state, (acre_aabb){{-l, y - FLOOR, -w}, {l, y, w}}) &&
           hiding_finish(&state->world);
}

static void destroy(void *memory)
{
    hiding_free(&((rooms_state *)memory)->world);
}

// Along the corridor and back, looking ahead and into doors, until somebody drags it.
static void move_eye(rooms_state *state, const stage *s)
{
    const float phase = 0.25f * (float)s->time - 0.4f, ahead = cosf(phase);
    state->is_dragged = state->is_dragged || s->is_held;
    state->turn =
        1.5708f * ahead / sqrtf(ahead * ahead + 0.02f) + 0.7f * sinf(0.9f * (float)s->time);
    if (s->is_held) {
        state->eye = fmaxf(1.0f - HALF_LENGTH, fminf(s->pointer[0], HALF_LENGTH - 1.0f));
    } else if (!state->is_dragged) {
        state->eye = (HALF_LENGTH - 1.5f) * sinf(phase);
    }
}

static bool make_camera(const rooms_state *state, acre_camera *out)
{
    static const float up[3] = {0, 1, 0};
    const float y = floor_of(state->storey - 1) + 1.6f;
    const float eye[3] = {state->eye, y, 0.0f};
    const float target[3] = {state->eye + sinf(state->turn), y, -cosf(state->turn)};
    *out = (acre_camera){0};
    return acre_camera_perspective(out, 0.95f, 1.6f, 0.05f, 60.0f, ACRE_CLIP_NEGATIVE_ONE_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(out, eye, target, up) == ACRE_OK;
}

// Doors slide into the wall beside them.
static bool move_doors(rooms_state *state, float seconds)
{
    acre_transform at = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    bool is_good = true;
    for (uint32_t i = 0; i < state->door_count && is_good; i++) {
        const int storey = (int)(i / (DOORS / STOREYS)) + 1;
        const bool is_near =
            storey == state->storey && fabsf(state->places[i] - state->eye) < 0.6f * ROOM;
        const bool is_open =
            state->open_ones == DOORS_ALL || (state->open_ones == DOORS_NEAR && is_near);
        const float way = DOOR_SPEED * seconds * (is_open ? 1.0f : -1.0f);
        state->open[i] = fmaxf(0.0f, fminf(state->open[i] + way, 2.0f * HALF_DOOR + 0.1f));
        at.translation[0] = state->open[i];
        is_good = acre_entity_set_local(state->world.scene, state->doors[i], &at) == ACRE_OK;
    }
    return is_good && acre_scene_commit(state->world.scene) == ACRE_OK;
}

static bool step(void *memory, stage *s)
{
    static const char *const open_ones[DOORS_COUNT_] = {"near ones open", "all open", "all closed"};
    rooms_state *const state = memory;
    stage_slider(s, "storey", &state->storey, 1, STOREYS);
    stage_choice(s, "doors", &state->open_ones, open_ones, DOORS_COUNT_);
    acre_camera camera;
    move_eye(state, s);
    if (!move_doors(state, s->seconds) || !make_camera(state, &camera) ||
        !hiding_ask(&state->world, &camera)) {
        return false;
    }
    const float y = floor_of(state->storey - 1) + 1.6f;
    const acre_aabb eye = {{state->eye - 0.25f, y - 0.25f, -0.25f},
                           {state->eye + 0.25f, y + 0.25f, 0.25f}};
    stage_box(s, &eye, STAGE_VIOLET);
    stage_frustum(s, &camera, 14.0f, STAGE_VIOLET);
    hiding_show(&state->world, s, &camera);
    stage_tree(s, acre_culling_tree(state->world.culling));
    return true;
}

const view_sample sample_rooms = {
    .name = "rooms",
    .title = "Rooms",
    .about = "Walls, floors and doors hide what is behind them. Drag the eye along the corridor.",
    .state_size = sizeof(rooms_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .target = {0.0f, 4.0f, 0.0f},
    .yaw = 0.5f,
    .pitch = -0.5f,
    .distance = 36.0f};
