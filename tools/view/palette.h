// SPDX-License-Identifier: MIT
// palette.h - few colors that stand for the many of some pictures.
//
// Typical use:
//     palette_count(p, rgb, pixels);      // once for each picture
//     palette_make(p, 255);
//     index = palette_find(p, rgb);
#ifndef ACRE_TOOLS_PALETTE_H
#define ACRE_TOOLS_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PALETTE_MOST = 256, PALETTE_BINS = 1 << 18 };

// Colors that share the upper six bits of all three channels.
typedef struct palette_bin {
    uint32_t pixels;
    uint64_t sums[3];
    uint8_t index; // of its color, once that is made
} palette_bin;

typedef struct palette {
    palette_bin *bins;
    uint8_t colors[PALETTE_MOST][3];
    uint32_t count;
} palette;

// Returns false where memory is short; *out is to be freed all the same.
bool palette_create(palette *out);
void palette_free(palette *p);

void palette_count(palette *p, const uint8_t *rgb, size_t pixels);

// Makes at most `most` colors, 1 to PALETTE_MOST, of all that was counted. Where there are no more
// bins than that, and one color in each, these are the colors. Returns false where memory is short.
bool palette_make(palette *p, uint32_t most);

// The number of the color that stands for one that was counted.
uint8_t palette_find(const palette *p, const uint8_t *rgb);

#endif
