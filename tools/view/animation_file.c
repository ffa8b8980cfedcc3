// SPDX-License-Identifier: MIT
// animation_file.c - pictures one after the other, written as an animated PNG (APNG).
//
// APNG is PNG with three more chunks: acTL says how many pictures there are; fcTL, before each,
// where it lies on the last one and how long it is shown; fdAT has the pixels of each but the
// first, whose IDAT any reader of PNG knows. A picture holds the rectangle that changed, and in it
// only what changed: index 0 is transparent.
#include "animation_file.h"

#include "output_file.h"
#include "palette.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TRANSPARENT = 0, MOST_MILLISECONDS = 65535 };

bool animation_add(animation *a, uint8_t *rgb, uint32_t milliseconds)
{
    if (rgb && a->count == a->capacity) {
        const size_t wanted = 2 * a->capacity + 16;
        animation_frame *const grown = realloc(a->frames, wanted * sizeof *grown);
        a->frames = grown ? grown : a->frames;
        a->capacity = grown ? wanted : a->capacity;
    }
    if (!rgb || a->count == a->capacity) {
        free(rgb);
        return false;
    }
    a->frames[a->count++] = (animation_frame){rgb, milliseconds};
    return true;
}

void animation_free(animation *a)
{
    for (size_t i = 0; i < a->count; i++) {
        free(a->frames[i].rgb);
    }
    free(a->frames);
    *a = (animation){0};
}

// What is written, and how: pixels as numbers of colors + 1.
typedef struct apng_writer {
    FILE *stream;
    palette colors;
    uint8_t *rows; // a byte before each row says that it has no filter
    uint8_t *packed;
    uLong packed_room;
    uint32_t sequence; // of the next fcTL or fdAT
    bool is_good;
} apng_writer;

static void put32(uint8_t *out, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        out[k] = (uint8_t)(value >> (24 - 8 * k));
    }
}

static void write_bytes(apng_writer *w, const uint8_t *bytes, size_t size)
{
    w->is_good = w->is_good && (size == 0 || fwrite(bytes, 1, size, w->stream) == size);
}

// A chunk of two parts; a part of no bytes may be NULL.
static void write_chunk(apng_writer *w, const char *type, const uint8_t *head, size_t head_size,
                        const uint8_t *bytes, size_t size)
{
    uint8_t begin[8], end[4];
    put32(begin, (uint32_t)(head_size + size));
    memcpy(begin + 4, type, 4);
    uLong sum = crc32(0, begin + 4, 4);
    sum = head_size ? crc32(sum, head, (uInt)head_size) : sum;
    sum = size ? crc32(sum, bytes, (uInt)size) : sum;
    put32(end, (uint32_t)sum);
    write_bytes(w, begin, sizeof begin);
    write_bytes(w, head, head_size);
    write_bytes(w, bytes, size);
    write_bytes(w, end, sizeof end);
}

// A part of the picture: columns and rows, the last ones excluded.
typedef struct apng_part {
    uint32_t left, top, right, bottom;
} apng_part;

// What differs from the picture before; empty: nothing.
static apng_part changed_part(const animation *a, const uint8_t *now, const uint8_t *before)
{
    apng_part part = {a->width, a->height, 0, 0};
    for (uint32_t y = 0; y < a->height; y++) {
        for (uint32_t x = 0; x < a->width; x++) {
            const size_t at = 3 * ((size_t)y * a->width + x);
            if (memcmp(now + at, before + at, 3) != 0) {
                part.left = x < part.left ? x : part.left;
                part.right = x >= part.right ? x + 1 : part.right;
                part.top = y < part.top ? y : part.top;
                part.bottom = y + 1;
            }
        }
    }
    return part;
}

// Numbers of colors into w->rows, packed into w->packed. before: NULL for the first. Returns the
// size; 0: it failed.
static size_t pack(apng_writer *w, const animation *a, const animation_frame *frame,
                   const uint8_t *before, const apng_part *part)
{
    uint8_t *out = w->rows;
    for (uint32_t y = part->top; y < part->bottom; y++) {
        *out++ = 0;
        for (uint32_t x = part->left; x < part->right; x++) {
            const size_t at = 3 * ((size_t)y * a->width + x);
            const bool is_same = before && memcmp(frame->rgb + at, before + at, 3) == 0;
            *out++ =
                is_same ? TRANSPARENT : (uint8_t)(1 + palette_find(&w->colors, frame->rgb + at));
        }
    }
    uLong size = w->packed_room;
    return compress2(w->packed, &size, w->rows, (uLong)(out - w->rows), 9) == Z_OK ? size : 0;
}

static void write_frame(apng_writer *w, const animation *a, const animation_frame *frame,
                        const uint8_t *before, const apng_part *part, uint32_t milliseconds)
{
    const size_t size = pack(w, a, frame, before, part);
    uint8_t control[26] = {0}, sequence[4];
    put32(control, w->sequence++);
    put32(control + 4, part->right - part->left);
    put32(control + 8, part->bottom - part->top);
    put32(control + 12, part->left);
    put32(control + 16, part->top);
    control[20] = (uint8_t)(milliseconds >> 8);
    control[21] = (uint8_t)milliseconds;
    control[22] = 1000 >> 8;
    control[23] = 1000 & 0xff;
    control[25] = before ? 1 : 0; // over what is there; the first one in its place
    write_chunk(w, "fcTL", control, sizeof control, NULL, 0);
    if (before) {
        put32(sequence, w->sequence++);
        write_chunk(w, "fdAT", sequence, 4, w->packed, size);
    } else {
        write_chunk(w, "IDAT", NULL, 0, w->packed, size);
    }
    w->is_good = w->is_good && size > 0;
}

// How many pictures differ from the one before, and how long the last of equal ones is shown.
static size_t next_change(const animation *a, size_t first, uint32_t *milliseconds)
{
    const size_t bytes = 3 * (size_t)a->width * a->height;
    size_t next = first;
    *milliseconds = 0;
    while (next < a->count &&
           (next == first || memcmp(a->frames[first].rgb, a->frames[next].rgb, bytes) == 0)) {
        *milliseconds += a->frames[next++].milliseconds;
    }
    *milliseconds = *milliseconds < MOST_MILLISECONDS ? *milliseconds : MOST_MILLISECONDS;
    return next;
}

static void write_head(apng_writer *w, const animation *a)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t transparent[1] = {0};
    uint8_t header[13] = {[8] = 8, [9] = 3}, control[8] = {0}; // 8 bits, a palette
    uint8_t colors[3 * PALETTE_MOST] = {0};
    uint32_t count = 0, milliseconds;
    for (size_t i = 0; i < a->count; i = next_change(a, i, &milliseconds)) {
        count++;
    }
    put32(header, a->width);
    put32(header + 4, a->height);
    put32(control, count); // played 0 times: without end
    memcpy(colors + 3, w->colors.colors, 3 * w->colors.count);
    w->is_good = fwrite(signature, 1, 8, w->stream) == 8;
    write_chunk(w, "IHDR", header, sizeof header, NULL, 0);
    write_chunk(w, "acTL", control, sizeof control, NULL, 0);
    write_chunk(w, "PLTE", colors, 3 * (w->colors.count + 1), NULL, 0);
    write_chunk(w, "tRNS", transparent, sizeof transparent, NULL, 0);
}

static bool write_all(apng_writer *w, const animation *a)
{
    write_head(w, a);
    const uint8_t *before = NULL;
    uint32_t milliseconds;
    for (size_t i = 0, next; i < a->count && w->is_good; i = next) {
        const animation_frame *const frame = &a->frames[i];
        next = next_change(a, i, &milliseconds);
        const apng_part all = {0, 0, a->width, a->height};
        const apng_part part = before ? changed_part(a, frame->rgb, before) : all;
        write_frame(w, a, frame, before, &part, milliseconds);
        before = frame->rgb;
    }
    write_chunk(w, "IEND", NULL, 0, NULL, 0);
    return w->is_good;
}

bool animation_write(const animation *a, const char *path, uint32_t colors, char *message,
                     size_t message_size)
{
    assert(a->count > 0 && colors > 0 && colors < PALETTE_MOST);
    const size_t pixels = (size_t)a->width * a->height;
    apng_writer w = {.packed_room = compressBound((uLong)(pixels + a->height)), .is_good = true};
    w.rows = malloc(pixels + a->height);
    w.packed = malloc(w.packed_room);
    output_file file;
    bool is_good = palette_create(&w.colors) && w.rows && w.packed;
    for (size_t i = 0; i < a->count && is_good; i++) {
        palette_count(&w.colors, a->frames[i].rgb, pixels);
    }
    is_good = is_good && palette_make(&w.colors, colors);
    snprintf(message, message_size, "%s: memory is short", path);
    is_good = is_good && output_open(&file, path, message, message_size);
    if (is_good) {
        w.stream = file.stream;
        if (write_all(&w, a)) {
            is_good = output_close(&file, message, message_size);
        } else {
            snprintf(message, message_size, "%s: it cannot be written", path);
            output_discard(&file);
            is_good = false;
        }
    }
    palette_free(&w.colors);
    free(w.rows);
    free(w.packed);
    return is_good;
}
