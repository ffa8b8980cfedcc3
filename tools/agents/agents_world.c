// SPDX-License-Identifier: MIT
// agents_world.c - boxes that move over the ground, bounce off each other and off four walls.
#include "agents_world.h"

#include "random_numbers.h"
#include "run_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// So many agents ahead a step moves, and so many pairs ahead it answers, those are fetched.
enum { AGENTS_AHEAD = 48, PAIRS_AHEAD = 8 };

#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

// ---- the start ----

static float draw_between(uint64_t *state, float low, float high)
{
    return low + (high - low) * random_next_unit(state);
}

static uint32_t draw_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((random_next(state) >> 32) * bound >> 32);
}

// An agent stands in a square of its own, as wide as the largest agent at least.
static agent agent_in_square(const agents_world *world, uint32_t square, float width,
                             uint64_t *state)
{
    const uint32_t across = (uint32_t)lroundf(2.0f * world->half_size / width);
    const float corner[2] = {(float)(square % across) * width - world->half_size,
                             (float)(square / across) * width - world->half_size};
    agent out;
    for (int axis = 0; axis < 3; axis++) {
        out.half[axis] = 0.5f * draw_between(state, AGENTS_LEAST_SIDE, AGENTS_MOST_SIDE);
    }
    for (int k = 0; k < 2; k++) {
        const float half = out.half[2 * k];
        out.center[2 * k] = draw_between(state, corner[k] + half, corner[k] + width - half);
        out.velocity[k] = draw_between(state, -AGENTS_TOP_SPEED, AGENTS_TOP_SPEED);
    }
    out.center[1] = out.half[1]; // it stands on the ground
    return out;
}

// Neighbors get numbers far apart, as after a long run; an order by place would flatter the
// caches.
static void place_agents(agents_world *world, float width, uint32_t *squares)
{
    uint64_t state = world->def.seed;
    const uint32_t across = (uint32_t)lroundf(2.0f * world->half_size / width);
    const uint32_t square_count = across * across;
    for (uint32_t i = 0; i < square_count; i++) {
        squares[i] = i;
    }
    for (uint32_t i = 0; i < world->def.count; i++) {
        const uint32_t step = draw_below(&state, square_count - i);
        const uint32_t other = world->def.is_shuffled ? i + step : i;
        const uint32_t taken = squares[other];
        squares[other] = squares[i];
        world->agents[i] = agent_in_square(world, taken, width, &state);
    }
}

// ---- the tree ----

static void *counted_resize(void *user, void *block, size_t old_size, size_t new_size,
                            size_t alignment)
{
    agents_memory *const memory = user;
    void *const resized = acre_resize(NULL, block, old_size, new_size, alignment);
    if (new_size == 0 || resized) {
        memory->bytes += new_size - old_size;
        memory->calls += new_size != 0;
    }
    if (memory->bytes > memory->most_bytes) {
        memory->most_bytes = memory->bytes;
    }
    return resized;
}

static acre_box_array boxes_of(const agents_world *world)
{
    return (acre_box_array){.first = world->agents->center,
                            .second = world->agents->half,
                            .first_stride = sizeof(agent),
                            .second_stride = sizeof(agent),
                            .form = ACRE_BOX_FORM_CENTER_EXTENT};
}

// How far a leaf's capacity keeps from the agents of full cells, of those that the far walls cut
// and of the one in the corner, from the smallest cells to the largest: as a logarithm, since what
// cells hold varies by a share of it.
static double distance_to_cells(double capacity, double width, double side, double area)
{
    double least = (double)INFINITY;
    for (; width < 2.0 * side; width *= 2.0) {
        const double full = width * width / area, cut = fmod(side, width) / width;
        const double counts[] = {full, cut * full, cut * cut * full};
        for (int i = 0; i < 3; i++) {
            const double distance = fabs(log(capacity / counts[i]));
            least = distance < least ? distance : least;
        }
    }
    return least;
}

// Cells are powers of two wide, and leaves the smallest cells that hold 300 agents or more: so the
// tree takes less than 40 bytes an agent. Their capacity is one that no cell comes near, so that
// leaves do not split and collapse while the agents stay spread.
static uint32_t fitting_capacity(double side, double area)
{
    double width = 1.0;
    while (width * width < 300.0 * area) {
        width *= 2.0;
    }
    const double agents = width * width / area;
    double best = 2.0 * agents, best_distance = 0.0;
    for (int step = 20; step <= 52; step++) {
        const double capacity = agents * step / 16.0;
        const double distance = distance_to_cells(capacity, width, side, area);
        if (distance > best_distance) {
            best = capacity;
            best_distance = distance;
        }
    }
    return (uint32_t)fmin(best, 65536.0);
}

// numbers: room for all agents' numbers.
static acre_result fill_tree(agents_world *world, uint32_t *numbers)
{
    const acre_allocator allocator = {.resize = counted_resize, .user = world->memory};
    const acre_quadtree_def def = {.half_size = world->half_size,
                                   .node_capacity = world->def.node_capacity,
                                   .item_capacity = world->def.count,
                                   .allocator = &allocator,
                                   .kernel = world->def.kernel};
    acre_result result = acre_quadtree_create(&def, &world->tree);
    if (result != ACRE_OK) {
        return result;
    }
    for (uint32_t i = 0; i < world->def.count; i++) {
        numbers[i] = i;
    }
    const acre_box_array boxes = boxes_of(world);
    result = acre_quadtree_insert_many_from(world->tree, numbers, &boxes, world->def.count);
    // Everything moves in every step, so four times as many nodes are tidied as
    // acre_quadtree_maintain would: at 100,000 agents 0.17 ms more, and pairs take 0.39 ms less.
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(world->tree, &stats);
    world->upkeep = stats.nodes / 8 + 1;
    // A build takes memory by rough steps; what it did not need goes back.
    return result == ACRE_OK ? acre_quadtree_trim(world->tree) : result;
}

static bool allocate(agents_world *world)
{
    const size_t count = world->def.count;
    world->pair_capacity = count + 64;
    // Records are half a cache line: none lies across two.
    world->agents = aligned_alloc(64, (count * sizeof *world->agents + 63) / 64 * 64);
    world->pairs = calloc(world->pair_capacity, sizeof *world->pairs);
    world->churned = calloc((size_t)world->churn + 1, sizeof *world->churned);
    world->memory = calloc(1, sizeof *world->memory);
    return world->agents && world->pairs && world->churned && world->memory;
}

static bool is_def_good(const agents_def *def)
{
    return def->count >= 1 && def->count <= AGENTS_MAX && def->churn_percent <= 100 &&
           (def->area == 0.0f || (def->area >= AGENTS_LEAST_AREA && def->area <= AGENTS_MOST_AREA));
}

// Fills in what the def leaves open. Returns how many squares, of the width that *width gets, stand
// across: the least number that has one for each agent.
static uint32_t measure_world(agents_world *world, float *width)
{
    agents_def *const def = &world->def;
    def->area = def->area == 0.0f ? AGENTS_DEFAULT_AREA : def->area;
    world->churn = (uint32_t)((uint64_t)def->count * def->churn_percent / 100);
    const uint32_t across = (uint32_t)ceil(sqrt((double)def->count));
    const float side = (float)sqrt((double)def->area * (double)def->count);
    *width = fmaxf(side / (float)across, AGENTS_MOST_SIDE);
    world->half_size = 0.5f * *width * (float)across;
    if (def->node_capacity == 0) {
        def->node_capacity = fitting_capacity(2.0 * (double)world->half_size, (double)def->area);
    }
    return across;
}

acre_result agents_create(const agents_def *def, agents_world *out)
{
    *out = (agents_world){.def = *def};
    if (!is_def_good(def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    float width;
    const uint32_t across = measure_world(out, &width);
    uint32_t *const numbers = calloc((size_t)across * across, sizeof *numbers);
    acre_result result = numbers && allocate(out) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    if (result == ACRE_OK) {
        place_agents(out, width, numbers);
        result = fill_tree(out, numbers);
    }
    free(numbers);
    if (result != ACRE_OK) {
        agents_free(out);
    }
    return result;
}

void agents_free(agents_world *world)
{
    acre_quadtree_destroy(world->tree);
    free(world->agents);
    free(world->churned);
    free(world->memory);
    free(world->pairs);
    *world = (agents_world){0};
}

// ---- a step ----

// Turned back before the wall, so that no agent ever crosses it.
static void move_agents(agents_world *world)
{
    agent *const agents = world->agents;
    const float wall = world->half_size;
    const uint32_t count = world->def.count;
    for (uint32_t i = 0; i < count; i++) {
        agent *const a = &agents[i];
        FETCH(&agents[i + AGENTS_AHEAD < count ? i + AGENTS_AHEAD : i]);
        for (int k = 0; k < 2; k++) {
            const float limit = wall - a->half[2 * k];
            float next = a->center[2 * k] + a->velocity[k] * AGENTS_STEP;
            if (fabsf(next) > limit) {
                a->velocity[k] = copysignf(a->velocity[k], -next);
                next = a->center[2 * k] + a->velocity[k] * AGENTS_STEP;
            }
            a->center[2 * k] = next;
        }
    }
}

acre_aabb agents_box(const agents_world *world, uint32_t number)
{
    const agent *const a = &world->agents[number];
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = a->center[axis] - a->half[axis];
        box.max[axis] = a->center[axis] + a->half[axis];
    }
    return box;
}

// The tree follows the agents. Those of the churn leave before and come back after, one by one.
static acre_result refresh_tree(agents_world *world)
{
    const uint32_t count = world->def.count;
    for (uint32_t i = 0; i < world->churn; i++) {
        world->churned[i] = world->churn_next;
        world->churn_next = world->churn_next + 1 < count ? world->churn_next + 1 : 0;
    }
    const acre_box_array boxes = boxes_of(world);
    acre_result result = acre_quadtree_remove_many(world->tree, world->churned, world->churn);
    if (result == ACRE_OK) {
        result = acre_quadtree_refresh_all_from(world->tree, &boxes, count);
    }
    for (uint32_t i = 0; i < world->churn && result == ACRE_OK; i++) {
        const acre_aabb box = agents_box(world, world->churned[i]);
        result = acre_quadtree_insert(world->tree, world->churned[i], &box);
    }
    return result;
}

// Room for as many pairs again as there are now.
static bool grow_pairs(agents_world *world)
{
    if (world->pair_count > SIZE_MAX / 2 / sizeof(acre_pair)) {
        return false;
    }
    const size_t capacity = 2 * world->pair_count;
    acre_pair *const pairs = realloc(world->pairs, capacity * sizeof *pairs);
    if (!pairs) {
        return false;
    }
    world->pairs = pairs;
    world->pair_capacity = capacity;
    world->steady_changes += world->step >= AGENTS_WARM_UP;
    return true;
}

static acre_result find_pairs(agents_world *world)
{
    const acre_pairs_rules rules = {.flags = ACRE_PAIRS_ON_GROUND};
    acre_result result = acre_quadtree_pairs(world->tree, &rules, world->pairs,
                                             world->pair_capacity, &world->pair_count);
    if (result == ACRE_OK && world->pair_count > world->pair_capacity) {
        if (!grow_pairs(world)) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        result = acre_quadtree_pairs(world->tree, &rules, world->pairs, world->pair_capacity,
                                     &world->pair_count);
    }
    return result;
}

// Two bodies of masses m and n keep momentum and energy where the velocity between them turns
// round: m gets 2 n / (m + n) of it, n gets 2 m / (m + n) the other way.
static bool bounce(agent *a, agent *b)
{
    const float between[2] = {b->center[0] - a->center[0], b->center[2] - a->center[2]};
    const float overlap[2] = {a->half[0] + b->half[0] - fabsf(between[0]),
                              a->half[2] + b->half[2] - fabsf(between[1])};
    const int axis = overlap[1] < overlap[0];
    const float closing = b->velocity[axis] - a->velocity[axis];
    // Agents that overlap and part are left alone, else they would turn round every step.
    if (!(closing * between[axis] < 0.0f)) {
        return false;
    }
    const float mass_a = a->half[0] * a->half[2], mass_b = b->half[0] * b->half[2];
    const float impulse = 2.0f * closing / (mass_a + mass_b);
    a->velocity[axis] += impulse * mass_b;
    b->velocity[axis] -= impulse * mass_a;
    return true;
}

static uint64_t respond(agents_world *world)
{
    agent *const agents = world->agents;
    const acre_pair *const pairs = world->pairs;
    const size_t count = world->pair_count;
    uint64_t bounces = 0;
    for (size_t i = 0; i < count; i++) {
        const acre_pair *const later = &pairs[i + PAIRS_AHEAD < count ? i + PAIRS_AHEAD : i];
        FETCH(&agents[later->a]);
        FETCH(&agents[later->b]);
        bounces += bounce(&agents[pairs[i].a], &agents[pairs[i].b]);
    }
    return bounces;
}

// Seconds since *since, which becomes now.
static double lap(double *since)
{
    const double before = *since;
    *since = clock_seconds();
    return *since - before;
}

acre_result agents_step(agents_world *world, agents_times *times)
{
    agents_times parts = {0};
    const uint64_t calls = world->memory->calls;
    double clock = clock_seconds();
    move_agents(world);
    parts.move = lap(&clock);
    acre_result result = refresh_tree(world);
    parts.refresh = lap(&clock);
    if (result == ACRE_OK) {
        result = find_pairs(world);
        parts.pairs = lap(&clock);
    }
    if (result == ACRE_OK) {
        world->bounces = respond(world);
        parts.response = lap(&clock);
        result = acre_quadtree_maintain_budget(world->tree, world->upkeep);
        parts.maintain = lap(&clock);
    }
    world->steady_changes += world->step >= AGENTS_WARM_UP ? world->memory->calls - calls : 0;
    world->step++;
    if (times) {
        *times = parts;
    }
    return result;
}

// ---- what a run is judged by ----

double agents_energy(const agents_world *world)
{
    double energy = 0.0;
    for (uint32_t i = 0; i < world->def.count; i++) {
        const agent *const a = &world->agents[i];
        const double area = 4.0 * (double)a->half[0] * (double)a->half[2];
        const double x = (double)a->velocity[0], z = (double)a->velocity[1];
        energy += 0.5 * area * (x * x + z * z);
    }
    return energy;
}

uint64_t agents_hash(const agents_world *world)
{
    uint64_t hash = world->def.count;
    for (uint32_t i = 0; i < world->def.count; i++) {
        const agent *const a = &world->agents[i];
        const float values[4] = {a->center[0], a->center[2], a->velocity[0], a->velocity[1]};
        for (int k = 0; k < 4; k++) {
            uint32_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
    }
    return hash;
}
