// SPDX-License-Identifier: MIT
// agents_world.h - boxes that move over the ground, bounce off each other and off four walls.
//
// The tree finds who overlaps whom; everything else is here. One thread.
//
// Words used here:
//     agent     a box on the ground; its item in the tree has its number
//     bounce    the elastic collision of two agents: along the axis of the shallower overlap they
//               exchange momentum as two bodies of their areas, if they approach each other there
//     churn     agents that a step takes out of the tree and inserts anew, instead of refreshing
//     steady    the steps after the first AGENTS_WARM_UP; they are to allocate nothing
//
// Typical use:
//     const agents_def def = {.count = 100000, .seed = 1};
//     result = agents_create(&def, &world);
//     each frame: result = agents_step(&world, &times);
//     agents_free(&world);
#ifndef ACRE_TOOLS_AGENTS_WORLD_H
#define ACRE_TOOLS_AGENTS_WORLD_H

#include <acre/quadtree.h>
#include <acre/quadtree_pairs.h>

#define AGENTS_MAX 10000000u
#define AGENTS_LEAST_SIDE 0.5f // meters, of an agent's box
#define AGENTS_MOST_SIDE 1.5f
#define AGENTS_TOP_SPEED 5.0f      // meters per second along an axis, at the start
#define AGENTS_STEP (1.0f / 60.0f) // seconds
#define AGENTS_DEFAULT_AREA 6.0f   // square meters of ground per agent
#define AGENTS_LEAST_AREA 4.0f     // less, and agents would overlap at the start
#define AGENTS_MOST_AREA 1.0e6f    // square meters

enum { AGENTS_WARM_UP = 60 };

// Side by side, since the response needs all of one agent: half a cache line.
typedef struct agent {
    float center[3];   // meters
    float half[3];     // half the box's size, meters
    float velocity[2]; // x, z, meters per second
} agent;

// Zero in a field means its default.
typedef struct agents_def {
    uint32_t count; // 1 .. AGENTS_MAX
    uint64_t seed;
    float area;             // square meters of ground per agent; 0 = AGENTS_DEFAULT_AREA
    uint32_t churn_percent; // of the agents, each step
    uint32_t node_capacity; // of the tree; 0 = as fits the area
    acre_kernel kernel;
    bool is_shuffled; // numbers in no order of place, instead of row by row
} agents_def;

// What the tree's allocator was asked for.
typedef struct agents_memory {
    size_t bytes, most_bytes;
    uint64_t calls; // that allocate, grow or shrink
} agents_memory;

typedef struct agents_world {
    agents_def def;      // with the defaults filled in
    float half_size;     // of the square between the walls
    agent *agents;       // def.count
    uint32_t *churned;   // room for the churn of a step
    uint32_t churn;      // agents of a step
    uint32_t churn_next; // the first agent of the next step's churn
    acre_quadtree *tree;
    size_t upkeep;         // nodes of the tree that a step tidies
    agents_memory *memory; // of the tree, whose allocator points to it
    acre_pair *pairs;      // of the last step
    size_t pair_count, pair_capacity;
    uint64_t step;           // steps done
    uint64_t bounces;        // of the last step
    uint64_t steady_changes; // allocations of steady steps, the tree's and the pairs'
} agents_world;

// Seconds of a step's parts.
typedef struct agents_times {
    double move, refresh, pairs, response, maintain;
} agents_times;

// Places the agents apart from each other in a square. On error there is nothing to free.
acre_result agents_create(const agents_def *def, agents_world *out);
void agents_free(agents_world *world);

// One frame. times may be NULL.
acre_result agents_step(agents_world *world, agents_times *times);

// The box that the tree has of an agent.
acre_aabb agents_box(const agents_world *world, uint32_t number);

// Kinetic energy: the sum of area * speed^2 / 2.
double agents_energy(const agents_world *world);

// Of places and velocities, bit for bit.
uint64_t agents_hash(const agents_world *world);

#endif
