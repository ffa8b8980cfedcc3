// SPDX-License-Identifier: MIT
// recorded_boxes.h - a small recording to look at, where no file was given.
#ifndef ACRE_TOOLS_RECORDED_BOXES_H
#define ACRE_TOOLS_RECORDED_BOXES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct recorded_bytes {
    unsigned char *bytes; // for the caller to free
    size_t size, room;
} recorded_bytes;

// Forty boxes are inserted, circle around the middle, and are removed: 600 calls. Returns false
// where memory is short; out->bytes is to be freed all the same.
bool record_circling_boxes(recorded_bytes *out);

#endif
