// SPDX-License-Identifier: MIT
// bench_press.h - for each mask of lanes, the numbers of the lanes that are set, pressed to the
// front, a byte each: what a processor without such an instruction looks up.
#ifndef ACRE_TOOLS_BENCH_PRESS_H
#define ACRE_TOOLS_BENCH_PRESS_H

#include <stdint.h>

// Of four lanes.
static inline uint32_t press_four(uint32_t mask)
{
    static const uint8_t rows[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
        {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
        {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3},
    };
    const uint8_t *const row = rows[mask];
    return (uint32_t)row[0] | (uint32_t)row[1] << 8 | (uint32_t)row[2] << 16 |
           (uint32_t)row[3] << 24;
}

// Of eight lanes: a table of 256 rows, which its owner fills before it looks anything up.
static inline void press_fill_eight(uint64_t *rows)
{
    for (uint32_t mask = 0; mask < 256; mask++) {
        uint64_t row = 0;
        uint32_t at = 0;
        for (uint32_t lane = 0; lane < 8; lane++) {
            if (mask >> lane & 1u) {
                row |= (uint64_t)lane << (8 * at++);
            }
        }
        rows[mask] = row;
    }
}

#endif
