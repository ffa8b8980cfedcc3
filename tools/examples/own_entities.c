// SPDX-License-Identifier: MIT
// own_entities.c - a program with its own arrays that uses the tree alone: no scene, no cglm.
//
// Sheep wander over a pasture. The program owns their positions; the tree knows a number and a box
// for each. Two cameras ask what they see; all memory of the tree comes from the program.
#include <acre/quadtree.h>

#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <malloc.h>
#endif

enum { SHEEP = 1000, FRAMES = 60 };

static float place[SHEEP][2];  // x, z in meters
static float speed[SHEEP][2];  // meters per frame
static acre_aabb boxes[SHEEP]; // what the tree is given
static uint32_t visible[SHEEP];

// The C library of Windows aligns with functions of its own.
static void *take(size_t size, size_t alignment)
{
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#endif
}

static void give_back(void *block)
{
#ifdef _WIN32
    _aligned_free(block);
#else
    free(block);
#endif
}

// The program's allocator: it counts what the tree holds.
typedef struct byte_count {
    size_t bytes, calls;
} byte_count;

static void *resize(void *user, void *block, size_t old_size, size_t new_size, size_t alignment)
{
    byte_count *const count = user;
    void *fresh = NULL;
    if (new_size > 0) {
        fresh = take(new_size, alignment);
        if (!fresh) {
            return NULL; // the old block stays as it is
        }
        const size_t kept = old_size < new_size ? old_size : new_size;
        for (size_t i = 0; i < kept; i++) {
            ((char *)fresh)[i] = ((const char *)block)[i];
        }
    }
    give_back(block);
    count->bytes += new_size - old_size;
    count->calls++;
    return fresh;
}

// Numbers that are the same on every machine: a linear congruential generator, 0 .. 1.
static float random_unit(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

static void set_box(int sheep)
{
    const float x = place[sheep][0], z = place[sheep][1];
    boxes[sheep] = (acre_aabb){{x - 0.5f, 0.0f, z - 0.5f}, {x + 0.5f, 1.0f, z + 0.5f}};
}

static void walk(int sheep)
{
    for (int k = 0; k < 2; k++) {
        place[sheep][k] += speed[sheep][k];
        if (place[sheep][k] < -100.0f || place[sheep][k] > 100.0f) {
            speed[sheep][k] = -speed[sheep][k];
        }
    }
    set_box(sheep);
}

// Any convex volume is a camera to the tree: planes that look inward, n.p + d >= 0.
static const acre_frustum from_above = {
    {{1, 0, 0, 20}, {-1, 0, 0, 20}, {0, 0, 1, 20}, {0, 0, -1, 20}},
    4}; // a map of the middle 40 x 40 m
static const acre_frustum to_the_north = {{{0.7071f, 0, -0.7071f, 0}, {-0.7071f, 0, -0.7071f, 0}},
                                          2}; // a quarter of the pasture: z < -|x|

int main(void)
{
    byte_count memory = {0};
    const acre_allocator allocator = {resize, &memory};
    const acre_quadtree_def def = {
        .half_size = 100.0f, .item_capacity = SHEEP, .allocator = &allocator};
    acre_quadtree *tree = NULL;
    acre_result result = acre_quadtree_create(&def, &tree);
    for (int i = 0; i < SHEEP && result == ACRE_OK; i++) {
        for (int k = 0; k < 2; k++) {
            place[i][k] = 200.0f * random_unit() - 100.0f;
            speed[i][k] = 0.2f * random_unit() - 0.1f;
        }
        set_box(i);
        result = acre_quadtree_insert(tree, (uint32_t)i, &boxes[i]);
    }

    if (result == ACRE_OK) {
        result = acre_quadtree_reserve(tree, SHEEP); // also room for cells that split on the way
    }
    const size_t calls = memory.calls;
    for (int frame = 0; frame < FRAMES && result == ACRE_OK; frame++) {
        for (int i = 0; i < SHEEP; i++) {
            walk(i);
        }
        result = acre_quadtree_refresh_all(tree, boxes, SHEEP);
        if (result == ACRE_OK) {
            result = acre_quadtree_maintain(tree);
        }
        if (frame % 20 == 0) {
            const size_t above = acre_quadtree_query_frustum(tree, &from_above, visible, SHEEP);
            const size_t north = acre_quadtree_query_frustum(tree, &to_the_north, visible, SHEEP);
            printf("frame %2d: %zu sheep from above, %zu to the north\n", frame, above, north);
        }
    }
    if (result != ACRE_OK) {
        fprintf(stderr, "own_entities: %s\n", acre_result_text(result));
        return 1;
    }
    printf("calls for memory while they walked: %zu\n", memory.calls - calls);
    acre_quadtree_destroy(tree);
    printf("bytes left after destroy: %zu\n", memory.bytes);
    return 0;
}
