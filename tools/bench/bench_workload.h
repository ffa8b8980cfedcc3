// SPDX-License-Identifier: MIT
// bench_workload.h - what `acre bench` measures on: boxes of a country of towns, and views of it.
//
// The same bits on every platform and with every compiler: sums, products, quotients and square
// roots of floats and doubles alone, no function of libm whose rounding is open.
//
// Words used here:
//     country   the square of ground; its area grows with the number of boxes, so that there are
//               as many in a view of 100,000 boxes as in one of 1,000,000
//     town      a dense round cluster; towns hold most boxes
//     view      a camera's volume; its kind says which camera
#ifndef ACRE_TOOLS_BENCH_WORKLOAD_H
#define ACRE_TOOLS_BENCH_WORKLOAD_H

#include <acre/frustum.h>

enum { WORKLOAD_MAX_VIEWS = 64, WORKLOAD_MAX_BOXES = 1 << 24 };

typedef enum view_kind {
    VIEW_GROUND, // at eye height, sees 1000 m far
    VIEW_AERIAL, // above roofs, sees 2000 m far
    VIEW_RTS,    // straight down
    VIEW_SHADOW, // of a sun, 200 m wide
    VIEW_WHOLE,  // everything
    VIEW_KIND_COUNT_
} view_kind;

typedef struct bench_view {
    acre_frustum frustum;
    acre_aabb bounds; // of the volume, for peers that know no planes
} bench_view;

typedef struct bench_workload {
    acre_aabb *boxes;  // by item; they move
    float (*steps)[2]; // x, z: metres a frame, 1/60 s
    acre_aabb *saved_boxes;
    float (*saved_steps)[2];
    uint32_t count;
    float half_size; // of the country, metres; its middle is 0, 0
    uint32_t view_count;
    bench_view views[VIEW_KIND_COUNT_][WORKLOAD_MAX_VIEWS];
} bench_workload;

// count boxes and view_count views of each kind. Returns false when memory is short.
bool workload_create(bench_workload *out, uint32_t count, uint32_t view_count);
void workload_free(bench_workload *workload);

// Numbers the boxes anew, tile by tile of 100 m, as a program does that reads its world so; without
// it a box's number says nothing of its place. Returns false when memory is short.
bool workload_number_by_tiles(bench_workload *workload);

// The views of the kinds, once more. Returns false when a volume is none.
bool workload_make_views(bench_workload *workload);

// Where something stands: x, z, in a town most often; *random is the state of the numbers drawn.
void workload_next_place(const bench_workload *workload, uint64_t *random, float *out);

// One frame of every stride'th item, beginning with item `first`. At the border they turn round.
void workload_advance(bench_workload *workload, uint32_t first, uint32_t stride);

// As a ground view's, from this eye along `heading` (x, z) over the ground. Returns false when the
// volume is none.
bool view_from_eye(bench_view *out, const float *eye, const float *heading, float far_distance);

// Of a volume of planes, for peers that know none.
acre_aabb view_bounds(const acre_frustum *frustum);

// Instead of the kinds of views: in the place of kind k, views straight down on squares that lie
// turned anyhow inside the country and cover shares[k] of it, 0..1; at 1 they see everything, at 0
// nothing. Returns false when a volume is none.
bool workload_look_at_shares(bench_workload *workload, const double shares[VIEW_KIND_COUNT_]);

// Gives an item another size, place and step; *random is the state of the numbers drawn.
void workload_respawn(bench_workload *workload, uint32_t item, uint64_t *random);

// Remembers the boxes and steps of now; goes back to them.
void workload_save(bench_workload *workload);
void workload_restore(bench_workload *workload);

// "ground" ..
const char *view_kind_name(view_kind kind);

// FNV-1a of all boxes, steps and planes.
uint64_t workload_hash(const bench_workload *workload);

#endif
