// SPDX-License-Identifier: MIT
// quadtree_place.h - where a box belongs: cells as integers, the loose bounds of a cell, and bands
// of height.
//
// The idea of the loose quadtree, as pure functions. An item stands in the cell that holds its
// center, at a level whose cells are at least as wide as the item. So it reaches out of its cell by
// at most half the cell's size. The loose bounds are the cell grown by that half, and hold the
// item. See Ulrich, "Loose Octrees", Game Programming Gems (2000).
//
// Where things are stacked, a quarter of a cell would be as tall as the cell, and a view of one
// storey would find all the others in it. So a cell whose items' centers span more height than the
// cell is wide splits into four bands of height instead of four quarters of the ground. A band has
// the ground of its parent. The height of an item's center chooses its band when it comes into the
// cell; when it moves within the cell it keeps the band. Nothing relies on bands, because queries
// look at bounds alone.
#ifndef ACRE_QUADTREE_PLACE_H
#define ACRE_QUADTREE_PLACE_H

#include "assert_internal.h"
#include "float_bits.h"

#include <acre/bounds.h>

// Rows of a box in the order in which the tree stores them.
enum { ROW_X_MIN, ROW_X_MAX, ROW_Y_MIN, ROW_Y_MAX, ROW_Z_MIN, ROW_Z_MAX, ROW_COUNT };

typedef struct row_box {
    float row[ROW_COUNT];
} row_box;

// Whether a box has no NaN and is not inverted, by the bits of its edges: where the program has
// denormals flushed, two inverted ones compare as equal.
bool acre_rows_are_ordered(const row_box *box);

// The highest level of a root: 2^24 finest cells a side, as many as a float counts exactly.
enum { MAX_LEVEL = 24 };

// The square lattice of the finest cells.
typedef struct ground_grid {
    float origin[2]; // x, z; a multiple of cell
    float cell;      // side of a finest cell, a power of two
    float inverse;   // 1 / cell, exact
} ground_grid;

// A square with 2^level finest cells a side, whose lower corner is at the finest cell (x, z).
typedef struct cell {
    int32_t x, z;
    uint32_t level;
} cell;

// A lattice, and the square on it that the root always covers.
typedef struct ground_lattice {
    ground_grid grid;
    cell home;
} ground_lattice;

// The finest cell that holds a box's center, and the lowest level that its size allows.
typedef struct placement {
    int32_t x, z;
    uint32_t level;
    bool is_outlier; // no cell of any root can hold it
} placement;

static inline float box_center(float low, float high)
{
    return 0.5f * low + 0.5f * high;
}

// Four bands of equal height, the lowest first. The outer two have no end.
typedef struct height_bands {
    float base;   // lower end of the first band; a multiple of height
    float height; // of a band; a power of two
} height_bands;

// Bands are the slots of a quad, as quarters are.
static inline float band_low(const height_bands *bands, uint32_t band)
{
    ACRE_INVARIANT(band < 4);
    return bands->base + (float)band * bands->height;
}

// The band that a height belongs to.
static inline uint32_t band_of(const height_bands *bands, float height)
{
    return (uint32_t)(height >= band_low(bands, 1)) + (uint32_t)(height >= band_low(bands, 2)) +
           (uint32_t)(height >= band_low(bands, 3));
}

static inline float center_height(const row_box *box)
{
    return box_center(box->row[ROW_Y_MIN], box->row[ROW_Y_MAX]);
}

// The distance from the lattice's origin, in finest cells.
static inline float grid_offset(const ground_grid *grid, int axis, float center)
{
    return (center - grid->origin[axis]) * grid->inverse;
}

// Rounds down. The conversion truncates, so negative fractions step down by one.
static inline int32_t offset_index(float offset)
{
    const int32_t truncated = (int32_t)offset;
    return truncated - (offset < (float)truncated);
}

// The finest cell's index along one axis: floor((center - origin) / cell), saturated to just
// outside what a root can cover.
static inline int32_t grid_index(const ground_grid *grid, int axis, float center)
{
    const float limit = 33554432.0f; // 2^25, twice the largest root
    float offset = grid_offset(grid, axis, center);
    offset = offset < limit ? offset : limit; // NaN becomes the limit
    return offset_index(offset > -limit ? offset : -limit);
}

// A bit beside a level: the level must be computed exactly.
enum { LEVEL_CLOSE = 1 << 8 };

// The lowest level whose cells are at least as wide as a box of sides x and z. Rounding is
// monotone, so a size that rounds to between two powers of two lies between them. A size that
// rounds to a power of two, or overflows, is marked LEVEL_CLOSE.
static inline uint32_t level_of_size(const ground_grid *grid, float x, float z)
{
    const uint32_t bits = float_magnitude_bits((x > z ? x : z) * grid->inverse);
    const uint32_t above = (bits >> 23) + 1; // the exponent rounded up
    const uint32_t level = above > 127 ? above - 127 : 0;
    return level | (uint32_t)((bits & 0x007fffffu) == 0) * LEVEL_CLOSE;
}

// Whether a square holds the finest cell (x, z). Squares are half-open, in integers.
static inline bool cell_holds(const cell *square, int32_t x, int32_t z)
{
    ACRE_INVARIANT(square->level <= MAX_LEVEL + 1);
    const uint32_t dx = (uint32_t)x - (uint32_t)square->x;
    const uint32_t dz = (uint32_t)z - (uint32_t)square->z;
    return ((dx | dz) >> square->level) == 0;
}

// Chooses the lattice and the root for a square of the world. False if the numbers are out of
// range.
bool acre_grid_create(ground_grid *out, cell *root, const float *center, float half_size,
                      uint32_t max_depth);

// The smallest center whose index is at least a given one. Rounding is monotone, so comparing
// centers with it says the same as comparing indices. NaN, with which every comparison fails, where
// the closed form finds none: near the ends of the floats.
float acre_grid_first_center(const ground_grid *grid, int axis, int32_t index);

// Where a box belongs.
placement acre_grid_place(const ground_grid *grid, const row_box *box);

// Whether a box is at most as large, along x and z, as a level's cells. Exact.
bool acre_grid_fits_level(const ground_grid *grid, const row_box *box, uint32_t level);

// The side of a level's cells.
float acre_grid_cell_size(const ground_grid *grid, uint32_t level);

// The bounds of a cell, for drawing. The y rows are zero.
row_box acre_grid_strict_bounds(const ground_grid *grid, const cell *square);

// Chooses bands for centers from low to high in a cell of some width, as thin as four bands can be.
// False: the centers span no more height than the cell is wide, or floats cannot describe the
// bands.
bool acre_bands_create(height_bands *out, float low, float high, float width);

// The loose bounds of a cell: grown by half its size, rounded outward so that they hold every box
// that acre_grid_place puts there. y is unbounded.
row_box acre_grid_loose_bounds(const ground_grid *grid, const cell *square);

#endif
