// SPDX-License-Identifier: MIT
// tall_world.c - boxes of worlds with heights: storeys, towers, aeroplanes, caves.
#include "tall_world.h"

#include "country_random.h"

static const float storey_height = 3.0f; // m

enum { PLACES = 64 }; // towers or galleries

static float draw_between(uint64_t *random, float low, float high)
{
    return low + (high - low) * draw_unit(random);
}

// A box that stands on a height, with its middle at x, z.
static acre_aabb standing_box(float x, float y, float z, const float *size)
{
    return (acre_aabb){{x - 0.5f * size[0], y, z - 0.5f * size[2]},
                       {x + 0.5f * size[0], y + size[1], z + 0.5f * size[2]}};
}

static acre_aabb furniture(float x, float y, float z, uint64_t *random)
{
    float size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = draw_between(random, 0.3f, 2.5f);
    }
    return standing_box(x, y, z, size);
}

static acre_aabb low_house(const tall_world *world, uint64_t *random)
{
    const float x = draw_between(random, -world->half_size, world->half_size);
    const float z = draw_between(random, -world->half_size, world->half_size);
    float size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = draw_between(random, 1.0f, 12.0f);
    }
    return standing_box(x, 0.0f, z, size);
}

static acre_aabb storey_box(const tall_world *world, uint64_t *random)
{
    const uint32_t storey = (uint32_t)(draw_bits(random) >> 32) % world->storeys;
    const float x = draw_between(random, -world->half_size, world->half_size);
    const float z = draw_between(random, -world->half_size, world->half_size);
    return furniture(x, (float)storey * storey_height, z, random);
}

// Numbers of one of the towers or galleries, the same each time.
static uint64_t place_random(uint64_t *random)
{
    return draw_bits(random) % PLACES * 977;
}

static acre_aabb tower_box(const tall_world *world, uint64_t *random)
{
    uint64_t tower = place_random(random);
    const float reach = 0.9f * world->half_size, half = 0.02f * world->half_size + 5.0f;
    const float x = draw_between(&tower, -reach, reach), z = draw_between(&tower, -reach, reach);
    const float share = draw_unit(&tower); // squared: most towers are not the highest
    const float top = share * share * (float)world->storeys;
    const float storey = (float)(uint32_t)(draw_unit(random) * (top + 1.0f));
    const float east = draw_between(random, -half, half), south = draw_between(random, -half, half);
    return furniture(x + east, storey * storey_height, z + south, random);
}

// Galleries are straight and slope a little.
static acre_aabb cave_box(const tall_world *world, uint64_t *random)
{
    uint64_t gallery = place_random(random);
    const float x = draw_between(&gallery, -world->half_size, world->half_size);
    const float z = draw_between(&gallery, -world->half_size, world->half_size);
    const float depth = draw_between(&gallery, 10.0f, 800.0f);
    const float slope = draw_between(&gallery, -0.1f, 0.1f);
    float direction[2];
    draw_direction(&gallery, direction);
    const float along = draw_between(random, 0.0f, 0.5f * world->half_size);
    const float beside = draw_between(random, -2.0f, 2.0f);
    return furniture(x + along * direction[0] + beside, slope * along - depth,
                     z + along * direction[1] + beside, random);
}

const char *tall_world_name(tall_world_kind kind)
{
    static const char *const names[TALL_WORLD_KIND_COUNT_] = {"storeys", "towers", "aeroplanes",
                                                              "caves"};
    return names[kind];
}

acre_aabb tall_world_aeroplane(const acre_aabb *below, uint64_t *random)
{
    static const float size[3] = {35.0f, 12.0f, 38.0f};
    return standing_box(0.5f * (below->min[0] + below->max[0]),
                        draw_between(random, 300.0f, 11000.0f),
                        0.5f * (below->min[2] + below->max[2]), size);
}

acre_aabb tall_world_box(const tall_world *world, uint64_t *random)
{
    if (world->kind == TALL_STOREYS) {
        return storey_box(world, random);
    }
    if (draw_unit(random) >= world->share) {
        return low_house(world, random);
    }
    if (world->kind == TALL_TOWERS) {
        return tower_box(world, random);
    }
    if (world->kind == TALL_CAVES) {
        return cave_box(world, random);
    }
    const acre_aabb below = low_house(world, random);
    return tall_world_aeroplane(&below, random);
}
