// SPDX-License-Identifier: MIT
// quadtree_curve.h - Hilbert's curve through the squares of a cell.
//
// What follows each other on it is neighbors on the ground, without jumps: Hilbert, "Über die
// stetige Abbildung einer Linie auf ein Flächenstück" (1891).
#ifndef ACRE_QUADTREE_CURVE_H
#define ACRE_QUADTREE_CURVE_H

#include <stdint.h>

enum {
    CURVE_LEVELS = 5, // 32 x 32 squares in a cell
    CURVE_SQUARES = 1 << CURVE_LEVELS
};

// The column or row of a point, in squares from the edge of the cell; what lies outside counts to
// the nearest.
static inline uint32_t curve_square(float offset)
{
    const float limit = CURVE_SQUARES - 1;
    offset = offset > 0.0f ? offset : 0.0f; // NaN becomes 0
    return (uint32_t)(int32_t)(offset < limit ? offset : limit);
}

// Distance along the curve of a square, given by its column and row.
static inline uint32_t curve_distance(uint32_t x, uint32_t z)
{
    uint32_t distance = 0, flip = 0, swap = 0; // of the quarter that the square is in
    for (int bit = CURVE_LEVELS - 1; bit >= 0; bit--) {
        const uint32_t x_bit = x >> bit & 1, z_bit = z >> bit & 1;
        const uint32_t crossed = (x_bit ^ z_bit) & swap;
        const uint32_t a = x_bit ^ crossed ^ flip, b = z_bit ^ crossed ^ flip;
        distance = distance << 2 | ((a * 3) ^ b);
        flip ^= a & (b ^ 1);
        swap ^= b ^ 1;
    }
    return distance;
}

// The same of a square given by its place along Morton's curve: bits of x and z in turn, x lowest.
// Each entry is a quarter's distance (2 bits) and how the curve lies in it (flip, swap).
static inline uint32_t curve_distance_from_morton(uint32_t place)
{
    static const uint8_t steps[4][4] = {
        {8, 15, 1, 2}, {6, 5, 11, 12}, {0, 9, 7, 10}, {14, 3, 13, 4}};
    uint32_t distance = 0, step = 0;
    for (int bit = 2 * CURVE_LEVELS - 2; bit >= 0; bit -= 2) {
        step = steps[step >> 2][place >> bit & 3];
        distance = distance << 2 | (step & 3);
    }
    return distance;
}

// The place of an item in a band: all of one band come before the next, along a curve through
// squares twice as wide.
static inline uint32_t key_in_band(uint32_t distance, uint32_t band)
{
    return band << (2 * CURVE_LEVELS - 2) | distance >> 2;
}

#endif
