// SPDX-License-Identifier: MIT
// crowd_part.c - walkers: bytes that migrate, steering, the hash.
#include "crowd_part.h"

#include "random_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_SPEED = 80, HALF_WIDTH = 256, GHOST_BYTES = 16 }; // a tick; of 1/1024 m

static uint64_t scramble(uint64_t x)
{
    return random_mix(x + RANDOM_STEP);
}

// ---- the caller's side of slots ----

static bool reserve_walkers(void *user, size_t slots)
{
    crowd_part *const crowd = user;
    if (slots <= crowd->capacity) {
        return true;
    }
    const size_t capacity = slots + slots / 4 + 64;
    walker *const walkers = realloc(crowd->walkers, capacity * sizeof *walkers);
    crowd->walkers = walkers ? walkers : crowd->walkers;
    walker *const next = realloc(crowd->next, capacity * sizeof *next);
    crowd->next = next ? next : crowd->next;
    crowd->capacity = walkers && next ? capacity : crowd->capacity;
    return walkers && next;
}

static void pack_walker(void *user, uint32_t slot, bool is_migrant, unsigned char *bytes)
{
    const crowd_part *const crowd = user;
    memcpy(bytes, &crowd->walkers[slot], is_migrant ? sizeof(walker) : GHOST_BYTES);
}

static void unpack_walker(void *user, uint32_t slot, bool is_migrant, const unsigned char *bytes)
{
    crowd_part *const crowd = user;
    memcpy(&crowd->walkers[slot], bytes, is_migrant ? sizeof(walker) : GHOST_BYTES);
}

// ---- open and close ----

static acre_aabb box_of(const walker *w)
{
    acre_aabb box = {{0, 0, 0}, {0, 1.8f, 0}};
    for (int axis = 0; axis < 2; axis++) {
        box.min[2 * axis] = (float)(w->place[axis] - HALF_WIDTH) / CROWD_METER;
        box.max[2 * axis] = (float)(w->place[axis] + HALF_WIDTH) / CROWD_METER;
    }
    return box;
}

// Rows of walkers, each somewhere in a square of its own. Half of them walk one way.
static walker first_walker(const crowd_def *def, const crowd_part *crowd, uint32_t number)
{
    const uint32_t across = (uint32_t)ceil(sqrt((double)def->walkers));
    const int32_t side = 2 * crowd->half / (int32_t)across;
    const uint64_t bits = scramble(scramble(number) ^ def->seed);
    walker w = {{0, 0}, {0, 0}, {0, 0}};
    w.place[0] = -crowd->half + (int32_t)(number % across) * side +
                 (int32_t)((bits & 0xffff) % (uint32_t)side);
    w.place[1] = -crowd->half + (int32_t)(number / across) * side +
                 (int32_t)((bits >> 16 & 0xffff) % (uint32_t)side);
    const int32_t speed = 30 + (int32_t)(bits >> 32 & 31);
    w.wish[bits >> 40 & 1] = bits >> 41 & 1 ? speed : -speed;
    return w;
}

void crowd_part_def(const crowd_def *def, uint32_t part, crowd_part *out,
                    acre_partition_def *partition)
{
    memset(out, 0, sizeof *out);
    out->index = part;
    const double side = ceil(sqrt((double)def->walkers)) * ceil(sqrt((double)def->area));
    out->half = (int32_t)(side * CROWD_METER / 2) + 4 * CROWD_METER;
    uint32_t levels = 2; // cells of 16 to 32 m, where the ground has that many
    while (levels < 11 && (double)out->half * 2 / CROWD_METER / (double)(2u << levels) >= 16) {
        levels++;
    }
    *partition = (acre_partition_def){
        .part_count = def->parts,
        .part = part,
        .half_size = (float)out->half / CROWD_METER,
        .levels = levels,
        .ghost_range = (float)CROWD_REACH / CROWD_METER,
        .data = {sizeof(walker), GHOST_BYTES, reserve_walkers, pack_walker, unpack_walker, out},
        .tree = {.kernel = def->kernel}};
}

acre_result crowd_part_fill(const crowd_def *def, uint32_t part, crowd_part *crowd)
{
    acre_result result = ACRE_OK;
    for (uint32_t number = part; number < def->walkers && result == ACRE_OK; number += def->parts) {
        const walker w = first_walker(def, crowd, number);
        const acre_aabb box = box_of(&w);
        uint32_t slot = 0;
        result = acre_partition_add(crowd->part, number, &box, &slot);
        if (result == ACRE_OK) {
            crowd->walkers[slot] = w;
        }
    }
    return result;
}

acre_result crowd_part_open(const crowd_def *def, uint32_t part, crowd_part *out)
{
    acre_partition_def partition;
    crowd_part_def(def, part, out, &partition);
    return acre_partition_create(&partition, &out->part);
}

void crowd_part_close(crowd_part *crowd)
{
    acre_partition_destroy(crowd->part);
    free(crowd->walkers);
    free(crowd->next);
    free(crowd->own);
}

bool crowd_room_open(crowd_room *room)
{
    room->found_capacity = (size_t)CROWD_CHUNK * 64;
    room->rows = malloc(CROWD_CHUNK * sizeof *room->rows);
    room->found = malloc(room->found_capacity * sizeof *room->found);
    return room->rows && room->found;
}

void crowd_room_close(crowd_room *room)
{
    free(room->rows);
    free(room->found);
}

// ---- a tick ----

acre_result crowd_part_list(crowd_part *crowd)
{
    const acre_partition_slots slots = acre_partition_get_slots(crowd->part);
    if (slots.count > crowd->own_capacity) {
        uint32_t *const own = realloc(crowd->own, 2 * slots.count * sizeof *own);
        if (!own) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        crowd->own = own;
        crowd->own_capacity = 2 * slots.count;
    }
    crowd->own_count = 0;
    for (size_t slot = 0; slot < slots.count; slot++) {
        if (slots.kinds[slot] == ACRE_SLOT_OWN) {
            crowd->own[crowd->own_count++] = (uint32_t)slot;
        }
    }
    return ACRE_OK;
}

// How a neighbor pushes: away from it, more the nearer it is, and a little along with it.
static void add_push(const walker *self, const walker *other, int64_t *sum)
{
    const int64_t dx = self->place[0] - other->place[0], dz = self->place[1] - other->place[1];
    const int64_t rest = (int64_t)CROWD_REACH * CROWD_REACH - (dx * dx + dz * dz);
    if (rest > 0) {
        sum[0] += dx * (rest >> 12) + (other->velocity[0] - self->velocity[0]) * (int64_t)2048;
        sum[1] += dz * (rest >> 12) + (other->velocity[1] - self->velocity[1]) * (int64_t)2048;
    }
}

static int32_t clamped(int64_t value, int32_t limit)
{
    return value < -limit ? -limit : value > limit ? limit : (int32_t)value;
}

// Walls turn a walker around.
static walker steered(const walker *self, const int64_t *sum, int32_t half)
{
    walker w = *self;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t wanted = (3 * (int64_t)self->velocity[axis] + self->wish[axis]) / 4;
        w.velocity[axis] = clamped(wanted + sum[axis] / 65536, TOP_SPEED);
        w.place[axis] += w.velocity[axis];
        if (w.place[axis] < -half || w.place[axis] >= half) {
            w.place[axis] = w.place[axis] < 0 ? -half : half - 1;
            w.velocity[axis] = -w.velocity[axis];
            w.wish[axis] = -w.wish[axis];
        }
    }
    return w;
}

acre_result crowd_part_steer(crowd_part *crowd, size_t first, crowd_room *room)
{
    const size_t left = crowd->own_count - first;
    const size_t count = left < CROWD_CHUNK ? left : CROWD_CHUNK;
    // Centers are farther apart than boxes, so whoever is in reach is found.
    const acre_neighbors_query query = {.count = count,
                                        .items = crowd->own + first,
                                        .radius = (float)CROWD_REACH / CROWD_METER,
                                        .flags = ACRE_NEIGHBORS_ON_GROUND};
    acre_neighbor_lists lists = {
        .rows = room->rows, .items = room->found, .capacity = room->found_capacity};
    acre_result result = acre_quadtree_neighbors(acre_partition_tree(crowd->part), &query, &lists);
    if (result == ACRE_OK && lists.total > room->found_capacity) {
        uint32_t *const found = realloc(room->found, 2 * lists.total * sizeof *found);
        if (!found) {
            return ACRE_ERROR_OUT_OF_MEMORY;
        }
        room->found = found;
        room->found_capacity = 2 * lists.total;
        return crowd_part_steer(crowd, first, room);
    }
    for (size_t i = 0; i < count && result == ACRE_OK; i++) {
        const uint32_t slot = crowd->own[first + i];
        const walker *const self = &crowd->walkers[slot];
        int64_t sum[2] = {0, 0};
        for (size_t k = 0; k < room->rows[i].count; k++) {
            add_push(self, &crowd->walkers[room->found[room->rows[i].first + k]], sum);
        }
        crowd->next[slot] = steered(self, sum, crowd->half);
    }
    return result;
}

void crowd_part_move(crowd_part *crowd)
{
    acre_aabb *const boxes = acre_partition_get_slots(crowd->part).boxes;
    for (size_t i = 0; i < crowd->own_count; i++) {
        const uint32_t slot = crowd->own[i];
        crowd->walkers[slot] = crowd->next[slot];
        boxes[slot] = box_of(&crowd->walkers[slot]);
    }
}

uint64_t crowd_part_hash(const crowd_part *crowd)
{
    const acre_partition_slots slots = acre_partition_get_slots(crowd->part);
    uint64_t sum = 0;
    for (size_t slot = 0; slot < slots.count; slot++) {
        if (slots.kinds[slot] == ACRE_SLOT_OWN) {
            const walker *const w = &crowd->walkers[slot];
            uint64_t hash = scramble(slots.numbers[slot]);
            for (int axis = 0; axis < 2; axis++) {
                hash = scramble(hash ^ (uint32_t)w->place[axis]);
                hash = scramble(hash ^ (uint32_t)w->velocity[axis]);
                hash = scramble(hash ^ (uint32_t)w->wish[axis]);
            }
            sum += hash;
        }
    }
    return sum;
}
