// SPDX-License-Identifier: MIT
// country.h - boxes of a country of towns, and views of it: a world as games have it, for
// benchmarks and tests.
//
// The same bits on every platform and with every compiler: sums, products, quotients and square
// roots of floats and doubles alone, no function of libm whose rounding is open.
//
// Words used here:
//     country   the square of ground; its area grows with the number of boxes, so that there are
//               as many in a view of 100,000 boxes as in one of 1,000,000
//     town      a dense round cluster; towns hold most boxes
//     view      a camera's volume; its kind says which camera
#ifndef COUNTRY_H
#define COUNTRY_H

#include <acre/frustum.h>

enum { COUNTRY_MAX_VIEWS = 64, COUNTRY_MAX_BOXES = 1 << 24 };

typedef enum view_kind {
    VIEW_GROUND, // at eye height, sees 1000 m far
    VIEW_AERIAL, // above roofs, sees 2000 m far
    VIEW_RTS,    // straight down
    VIEW_SHADOW, // of a sun, 200 m wide
    VIEW_WHOLE,  // everything
    VIEW_KIND_COUNT_
} view_kind;

typedef struct country_view {
    acre_frustum frustum;
    acre_aabb bounds; // of the volume, for peers that know no planes
} country_view;

typedef struct country {
    acre_aabb *boxes;  // by item; they move
    float (*steps)[2]; // x, z: meters a frame, 1/60 s
    acre_aabb *saved_boxes;
    float (*saved_steps)[2];
    uint32_t count;
    float half_size; // of the country, meters; its middle is 0, 0
    uint32_t view_count;
    country_view views[VIEW_KIND_COUNT_][COUNTRY_MAX_VIEWS];
} country;

// count boxes and view_count views of each kind. Returns false when memory is short.
bool country_create(country *out, uint32_t count, uint32_t view_count);
void country_free(country *land);

// The views of the kinds, once more. Returns false when a volume is none.
bool country_make_views(country *land);

// Where something stands: x, z, in a town most often; *random is the state of the numbers drawn.
void country_next_place(const country *land, uint64_t *random, float *out);

// One frame of every stride'th item, beginning with item `first`. At the border they turn round.
void country_advance(country *land, uint32_t first, uint32_t stride);

// As a ground view's, from this eye along `heading` (x, z) over the ground. Returns false when the
// volume is none.
bool view_from_eye(country_view *out, const float *eye, const float *heading, float far_distance);

// A view of a kind from feet that stand at x, y, z, along a heading that is drawn; the whole is
// that of the boxes as they are. Returns false when the volume is none.
bool country_view_from(const country *land, view_kind kind, const float *feet, uint64_t *random,
                       country_view *out);

// Of a volume of planes, for peers that know none.
acre_aabb view_bounds(const acre_frustum *frustum);

// Gives an item another size, place and step; *random is the state of the numbers drawn.
void country_respawn(country *land, uint32_t item, uint64_t *random);

// Remembers the boxes and steps of now; goes back to them.
void country_save(country *land);
void country_restore(country *land);

// "ground" ..
const char *view_kind_name(view_kind kind);

// FNV-1a of all boxes, steps and planes.
uint64_t country_hash(const country *land);

#endif
