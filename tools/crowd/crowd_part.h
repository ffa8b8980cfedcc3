// SPDX-License-Identifier: MIT
// crowd_part.h - the walkers of one part: where they are, how they steer.
//
// Places and velocities are whole numbers, 1024 to a meter. What neighbors do to a walker is a sum
// of whole numbers, so neither the order of neighbors nor the part that adds them up matters.
//
// Words used here:
//     walker  a square of half a meter with a direction in which it wants to walk
//     reach   how far away, from center to center, walkers notice each other
#ifndef ACRE_TOOLS_CROWD_PART_H
#define ACRE_TOOLS_CROWD_PART_H

#include <acre/partition.h>
#include <acre/quadtree_neighbors.h>

enum { CROWD_METER = 1024, CROWD_REACH = 2 * CROWD_METER };

typedef struct walker {
    int32_t place[2], velocity[2]; // of ghosts, too: the first 16 bytes
    int32_t wish[2];               // the velocity that it would have alone
} walker;

// Room of one worker.
typedef struct crowd_room {
    acre_neighbor_row *rows;
    uint32_t *found;
    size_t found_capacity;
} crowd_room;

typedef struct crowd_part {
    acre_partition *part;
    uint32_t index;  // of the part
    walker *walkers; // by slot
    walker *next;    // by slot, while a tick steers
    size_t capacity;
    uint32_t *own; // slots that the part owns, of this tick
    size_t own_count, own_capacity;
    int32_t half; // of the ground
} crowd_part;

typedef struct crowd_def {
    uint32_t walkers, parts;
    uint32_t area; // square meters a walker
    uint64_t seed;
    acre_kernel kernel;
} crowd_def;

// The def of a part, whose data functions use *out, which must stay where it is.
void crowd_part_def(const crowd_def *def, uint32_t part, crowd_part *out,
                    acre_partition_def *partition);

// Adds the walkers that a part begins with: every n-th; the first exchange sends all of them home.
acre_result crowd_part_fill(const crowd_def *def, uint32_t part, crowd_part *crowd);

// The part itself, without walkers.
// *out must stay where it is. On error crowd_part_close frees what there is.
acre_result crowd_part_open(const crowd_def *def, uint32_t part, crowd_part *out);
void crowd_part_close(crowd_part *crowd);

bool crowd_room_open(crowd_room *room);
void crowd_room_close(crowd_room *room);

enum { CROWD_CHUNK = 2048 }; // walkers

// Lists the own walkers. Before crowd_part_steer.
acre_result crowd_part_list(crowd_part *crowd);

// Steers the walkers own[first .. first + CROWD_CHUNK - 1]; several threads may steer others.
acre_result crowd_part_steer(crowd_part *crowd, size_t first, crowd_room *room);

// Takes over what was steered, and gives the part the new boxes. Before an exchange.
void crowd_part_move(crowd_part *crowd);

// Of numbers, places and velocities: the sum of a hash for each walker.
uint64_t crowd_part_hash(const crowd_part *crowd);

#endif
