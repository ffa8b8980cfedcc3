// SPDX-License-Identifier: MIT
// storeys_model.c - writes a made interior: three storeys of 30 x 20 m with a corridor, rooms with
// doors, windows, stairs, and 300 small things on each floor.
//
// Walls, floors and steps are boxes: each a node of its own, or all of a storey in one mesh, as
// some programs export them. The things are of glass, so that they hide nothing: of the things
// behind a wall one sees whether it hides.
//     storeys_model OUT.glb [joined]
// Exit status: 0 written; 1 not; 2 bad arguments.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STOREYS = 3, MOST_BOXES = 256, THINGS = 300, TEXT_SIZE = 1 << 20 };

static const float storey = 3, slab = 0.3f, wall = 0.2f, length = 30, depth = 20;

typedef struct box {
    float low[3], high[3];
    int storey;
} box;

static box boxes[MOST_BOXES];
static uint32_t box_count;

static void add(int at, float x0, float y0, float z0, float x1, float y1, float z1)
{
    if (box_count < MOST_BOXES) {
        boxes[box_count++] = (box){{x0, y0, z0}, {x1, y1, z1}, at};
    }
}

static float draw(float low, float high)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * (float)(state >> 8) * 0x1p-24f;
}

static float lesser(float a, float b)
{
    return a < b ? a : b;
}

// ---- the house ----

// The floor above a storey, with a hole over the stairs in all but the last.
static void add_ceiling(int at, float top)
{
    const float back = at == STOREYS - 1 ? 0 : 4;
    add(at, 0, top, back, length, top + slab, depth);
    if (back > 0) {
        add(at, 0, top, 0, 10 + wall, top + slab, back);
        add(at, 15, top, 0, length, top + slab, back);
    }
}

// Outer walls: 4 m of wall, 2 m of window above a parapet.
static void add_facades(int at, float floor, float top)
{
    for (int side = 0; side < 2; side++) {
        const float z = side == 0 ? 0 : depth - wall, x0 = side == 0 ? 0 : length - wall;
        for (float x = 0; x < length; x += 6) {
            add(at, x, floor, z, x + 4, top, z + wall);
            add(at, x + 4, floor, z, x + 6, floor + 0.9f, z + wall);
        }
        add(at, x0, floor, wall, x0 + wall, top, depth - wall);
    }
}

// Walls along the corridor, with a door of 1 m every 5 m, and between rooms.
static void add_rooms(int at, float floor, float top)
{
    for (int side = 0; side < 2; side++) {
        const float z = side == 0 ? 8.5f : 11.5f;
        for (float x = wall; x < length - wall; x += 5) {
            add(at, x, floor, z, lesser(x + 4, length - wall), top, z + wall);
        }
    }
    for (int i = 1; i < 6; i++) {
        const float x = 5 * (float)i;
        add(at, x, floor, wall, x + wall, top, 8.5f);
        add(at, x, floor, 11.5f + wall, x + wall, top, depth - wall);
    }
}

// In a room of their own, from 10 to 15 m.
static void add_stairs(int at, float floor)
{
    const float rise = 0.9f * storey / 14;
    for (int i = 0; i < 14; i++) {
        const float z = 0.3f + 0.25f * (float)i, y = floor + rise * (float)i;
        add(at, 10.4f, y, z, 14.8f, y + rise, z + 0.25f);
    }
}

static void build(void)
{
    add(0, 0, -slab, 0, length, 0, depth);
    for (int at = 0; at < STOREYS; at++) {
        const float floor = storey * (float)at, top = floor + storey - slab;
        add_ceiling(at, top);
        add_facades(at, floor, top);
        add_rooms(at, floor, top);
        if (at < STOREYS - 1) {
            add_stairs(at, floor);
        }
    }
}

// ---- the file ----

// Corners of a box: bit k of the number tells the end of axis k. Counterclockwise from outside.
static const uint8_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                     {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                     {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};

static char text[TEXT_SIZE], *end = text;
static unsigned char bytes[MOST_BOXES * (8 * 12 + 36 * 4)];
static uint32_t size;

#define WRITE(...) (end += snprintf(end, (size_t)(text + TEXT_SIZE - end), __VA_ARGS__))

// Appends the points and indices of boxes; they begin where the last mesh ended.
static void put_mesh(const box *from, uint32_t count)
{
    for (uint32_t i = 0; i < 8 * count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++, size += 4) {
            const box *const b = &from[i / 8];
            memcpy(bytes + size, (i >> axis) & 1 ? &b->high[axis] : &b->low[axis], 4);
        }
    }
    for (uint32_t i = 0; i < 36 * count; i++, size += 4) {
        const uint32_t index = i / 36 * 8 + faces[i % 36 / 3][i % 3];
        memcpy(bytes + size, &index, 4);
    }
}

// The number of boxes in each mesh, and of meshes: those of the house, then that of a thing.
static uint32_t mesh_sizes[MOST_BOXES + 1], mesh_count;

static void choose_meshes(bool is_joined)
{
    for (uint32_t i = 0; i < box_count; i++) {
        const bool is_next = !is_joined || i == 0 || boxes[i].storey != boxes[i - 1].storey;
        mesh_count += is_next;
        mesh_sizes[mesh_count - 1]++;
    }
    static const box thing = {.low = {-0.15f, 0, -0.15f}, .high = {0.15f, 0.5f, 0.15f}};
    uint32_t first = 0;
    for (uint32_t i = 0; i < mesh_count; i++) {
        put_mesh(boxes + first, mesh_sizes[i]);
        first += mesh_sizes[i];
    }
    put_mesh(&thing, 1);
    mesh_sizes[mesh_count] = 1;
}

static void put_text(void)
{
    WRITE("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"materials\":[{\"doubleSided\":true},"
          "{\"alphaMode\":\"BLEND\"}],\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":[",
          (unsigned)size);
    uint32_t at = 0;
    for (uint32_t i = 0; i <= mesh_count; i++) {
        const uint32_t points = 96 * mesh_sizes[i], indices = 144 * mesh_sizes[i];
        WRITE("%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},"
              "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}",
              i ? "," : "", (unsigned)at, (unsigned)points, (unsigned)(at + points),
              (unsigned)indices);
        at += points + indices;
    }
    WRITE("],\"accessors\":[");
    for (uint32_t i = 0; i <= mesh_count; i++) {
        WRITE("%s{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
              "{\"bufferView\":%u,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}",
              i ? "," : "", (unsigned)(2 * i), (unsigned)(8 * mesh_sizes[i]), (unsigned)(2 * i + 1),
              (unsigned)(36 * mesh_sizes[i]));
    }
    WRITE("],\"meshes\":[");
    for (uint32_t i = 0; i <= mesh_count; i++) {
        WRITE("%s{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"indices\":%u,"
              "\"material\":%u}]}",
              i ? "," : "", (unsigned)(2 * i), (unsigned)(2 * i + 1), i == mesh_count ? 1u : 0u);
    }
    WRITE("],\"nodes\":[");
    for (uint32_t i = 0; i < mesh_count; i++) {
        WRITE("{\"mesh\":%u},", (unsigned)i);
    }
    for (uint32_t i = 0; i < STOREYS * THINGS; i++) {
        const float y = storey * (float)(i / THINGS) + 0.01f;
        WRITE("%s{\"mesh\":%u,\"translation\":[%.3f,%.2f,%.3f]}", i ? "," : "",
              (unsigned)mesh_count, (double)draw(0.5f, 29), (double)y, (double)draw(0.5f, 19));
    }
    WRITE("],\"scenes\":[{\"nodes\":[");
    for (uint32_t i = 0; i < mesh_count + STOREYS * THINGS; i++) {
        WRITE("%s%u", i ? "," : "", (unsigned)i);
    }
    WRITE("]}]}");
    while ((end - text) % 4 != 0) {
        WRITE(" ");
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "joined") != 0)) {
        fprintf(stderr, "usage: storeys_model OUT.glb [joined]\n");
        return 2;
    }
    build();
    choose_meshes(argc == 3);
    put_text();
    const uint32_t length_of_text = (uint32_t)(end - text);
    const uint32_t head[5] = {0x46546C67, 2, 28 + length_of_text + size, length_of_text,
                              0x4E4F534A};
    const uint32_t chunk[2] = {size, 0x004E4942};
    FILE *const file = fopen(argv[1], "wb");
    bool is_good = file && fwrite(head, 4, 5, file) == 5 &&
                   fwrite(text, 1, length_of_text, file) == length_of_text &&
                   fwrite(chunk, 4, 2, file) == 2 && fwrite(bytes, 1, size, file) == size;
    is_good = file && fclose(file) == 0 && is_good;
    return is_good ? 0 : 1;
}
