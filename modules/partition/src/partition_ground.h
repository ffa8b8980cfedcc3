// SPDX-License-Identifier: MIT
// partition_ground.h - the ground as cells along Morton's curve: which cell holds a box, which
// cells a grown box touches, and images on periodic ground. Pure functions.
//
// Cells are found in doubles. The index of a cell never descends where the place ascends, and a
// grown box is a little wider than it needs to be, so whatever is within the range of a point is in
// a cell that the grown box touches.
#ifndef ACRE_PARTITION_GROUND_H
#define ACRE_PARTITION_GROUND_H

#include <acre/bounds.h>

typedef struct partition_ground {
    double low[2];         ///< x, z of the lower corner
    double inverse;        ///< cells a meter
    double cell;           ///< side of a cell
    float size;            ///< side of the ground
    double range;          ///< ghost_range
    double grow;           ///< ghost_range and what rounding needs
    uint32_t levels, side; ///< 2^levels cells a side
    bool is_periodic;
} partition_ground;

/// Cells on both axes, both ends included. On periodic ground they may lie beyond it.
typedef struct cell_range {
    int32_t low[2], high[2];
} cell_range;

/// The distance along Morton's curve (1966): bits of x and z in turn, x lowest.
uint32_t acre_ground_morton(uint32_t x, uint32_t z);
/// Its inverse along one axis: of z if `axis` is 1.
uint32_t acre_ground_unmorton(uint32_t cell, int axis);

/// The cell of a box's center.
uint32_t acre_ground_cell(const partition_ground *ground, const acre_aabb *box);

/// The cells that a box touches when it is grown.
cell_range acre_ground_touched(const partition_ground *ground, const acre_aabb *box);

/// Whether all parts must know an item.
bool acre_ground_is_giant(const partition_ground *ground, const acre_aabb *box);

/// On periodic ground: moves a box by the size of the ground until its center is on it.
/// @return false if one step does not do, or if the box is not finite.
bool acre_ground_wrap(const partition_ground *ground, acre_aabb *box);

/// The number of an image that is moved by x and z times the size; 0 for no move. Both are -1 to 1.
static inline uint8_t image_of(int x, int z)
{
    return (uint8_t)(((x + 1) * 3 + z + 1 + 5) % 9);
}

/// The box of an image.
acre_aabb acre_ground_image(const partition_ground *ground, const acre_aabb *box, uint8_t image);

#endif
