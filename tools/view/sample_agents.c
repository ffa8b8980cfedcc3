// SPDX-License-Identifier: MIT
// sample_agents.c - up to a million boxes that bounce off each other, as `acre agents` runs them.
#include "samples.h"

#include "agents_world.h"

#include <math.h>

typedef struct agents_state {
    agents_world world;
    int thousands, made_thousands;
} agents_state;

static bool create(void *memory)
{
    agents_state *const state = memory;
    agents_free(&state->world);
    if (state->thousands == 0) {
        state->thousands = 20;
    }
    const agents_def def = {.count = 1000u * (uint32_t)state->thousands, .seed = 1};
    state->made_thousands = state->thousands;
    return agents_create(&def, &state->world) == ACRE_OK;
}

static void destroy(void *memory)
{
    agents_free(&((agents_state *)memory)->world);
}

static bool step(void *memory, stage *s)
{
    agents_state *const state = memory;
    stage_slider(s, "thousands of agents", &state->thousands, 1, 1000);
    if (state->thousands != state->made_thousands && !create(memory)) {
        return false;
    }
    agents_times times = {0};
    agents_world *const world = &state->world;
    if (s->seconds > 0.0f && agents_step(world, &times) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < world->def.count; i++) {
        const agent *const a = &world->agents[i];
        const acre_aabb box = {
            {a->center[0] - a->half[0], 0.0f, a->center[2] - a->half[2]},
            {a->center[0] + a->half[0], 2.0f * a->half[1], a->center[2] + a->half[2]}};
        const float speed = hypotf(a->velocity[0], a->velocity[1]);
        stage_box(s, &box, speed < 2.0f ? STAGE_BLUE : speed < 4.0f ? STAGE_SKY : STAGE_YELLOW);
    }
    const float low[2] = {-world->half_size, -world->half_size};
    const float high[2] = {world->half_size, world->half_size};
    stage_square(s, low, high, 0.1f, STAGE_WHITE);
    stage_key(s, STAGE_BLUE, "blue", "slow");
    stage_key(s, STAGE_SKY, "light blue", "faster");
    stage_key(s, STAGE_YELLOW, "yellow", "fast");
    stage_readout(s, "pairs that touch", "%zu", world->pair_count);
    stage_readout(s, "bounces so far", "%llu", (unsigned long long)world->bounces);
    stage_time(s, "time of refresh", 1e3 * times.refresh);
    stage_time(s, "time of pairs", 1e3 * times.pairs);
    stage_time(s, "time of maintain", 1e3 * times.maintain);
    stage_tree(s, world->tree);
    return true;
}

const view_sample sample_agents = {
    .name = "agents",
    .title = "Agents",
    .about = "All boxes move; one refresh, and then one call finds every pair that touches.",
    .state_size = sizeof(agents_state),
    .create = create,
    .destroy = destroy,
    .step = step,
    .yaw = 0.5f,
    .pitch = -0.5f,
    .distance = 300.0f};
