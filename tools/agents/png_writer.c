// SPDX-License-Identifier: MIT
// png_writer.c - a picture of at most 16 colours as a PNG file, without a library.
//
// By the PNG specification (ISO/IEC 15948): chunks with a CRC-32 of their own, one of them a zlib
// stream (RFC 1950), here of stored blocks (RFC 1951, 3.2.4), a row of pixels in each.
#include "png_writer.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SIDE = 16384, MOST_ROW = 1 + MOST_SIDE / 2 };

typedef struct png_stream {
    FILE *file;
    uint32_t crc;            // of the chunk so far
    uint32_t sum[2];         // Adler-32 of what the stream unpacks to
    uint32_t crc_table[256]; // of each byte
    bool is_good;
} png_stream;

static void fill_table(png_stream *stream)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
        }
        stream->crc_table[i] = crc;
    }
}

static void put_bytes(png_stream *stream, const void *bytes, size_t count)
{
    const uint8_t *const at = bytes;
    for (size_t i = 0; i < count; i++) {
        stream->crc = stream->crc_table[(stream->crc ^ at[i]) & 255] ^ stream->crc >> 8;
    }
    stream->is_good = stream->is_good && fwrite(bytes, 1, count, stream->file) == count;
}

static void put_number(png_stream *stream, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                              (uint8_t)value};
    put_bytes(stream, bytes, sizeof bytes);
}

static void begin_chunk(png_stream *stream, const char *type, uint32_t size)
{
    put_number(stream, size);
    stream->crc = ~0u;
    put_bytes(stream, type, 4);
}

static void end_chunk(png_stream *stream)
{
    put_number(stream, ~stream->crc);
}

static void put_header(png_stream *stream, const png_image *image)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t kind[5] = {4, 3, 0, 0, 0}; // 4 bits a pixel, a palette, the only methods
    put_bytes(stream, signature, sizeof signature);
    begin_chunk(stream, "IHDR", 13);
    put_number(stream, image->width);
    put_number(stream, image->height);
    put_bytes(stream, kind, sizeof kind);
    end_chunk(stream);
    begin_chunk(stream, "PLTE", 3 * PNG_COLOURS);
    for (int i = 0; i < PNG_COLOURS; i++) {
        const uint32_t colour = image->colours[i];
        const uint8_t bytes[3] = {(uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour};
        put_bytes(stream, bytes, sizeof bytes);
    }
    end_chunk(stream);
}

// A stored block: whether it is the last one, its size, the size's complement, the row.
static void put_row(png_stream *stream, const png_image *image, uint32_t y)
{
    uint8_t row[MOST_ROW] = {0}; // begins with its filter, 0: none
    const uint8_t *const pixels = image->pixels + (size_t)y * image->width;
    const uint32_t size = 1 + (image->width + 1) / 2;
    for (uint32_t x = 0; x < image->width; x++) {
        row[1 + x / 2] |= (uint8_t)((pixels[x] & 15) << (x % 2 ? 0 : 4));
    }
    const uint8_t head[5] = {y + 1 == image->height, (uint8_t)size, (uint8_t)(size >> 8),
                             (uint8_t)~size, (uint8_t)(~size >> 8)};
    put_bytes(stream, head, sizeof head);
    put_bytes(stream, row, size);
    for (uint32_t i = 0; i < size; i++) {
        stream->sum[0] = (stream->sum[0] + row[i]) % 65521;
        stream->sum[1] = (stream->sum[1] + stream->sum[0]) % 65521;
    }
}

static void put_pixels(png_stream *stream, const png_image *image)
{
    static const uint8_t zlib_head[2] = {0x78, 0x01};
    const uint32_t row_size = 5 + 1 + (image->width + 1) / 2;
    begin_chunk(stream, "IDAT", 2 + image->height * row_size + 4);
    put_bytes(stream, zlib_head, sizeof zlib_head);
    stream->sum[0] = 1;
    for (uint32_t y = 0; y < image->height; y++) {
        put_row(stream, image, y);
    }
    put_number(stream, stream->sum[1] << 16 | stream->sum[0]);
    end_chunk(stream);
}

bool png_write(const png_image *image, const char *path)
{
    png_stream stream = {.file = fopen(path, "wb"), .is_good = true};
    if (!stream.file) {
        return false;
    }
    fill_table(&stream);
    put_header(&stream, image);
    put_pixels(&stream, image);
    begin_chunk(&stream, "IEND", 0);
    end_chunk(&stream);
    return fclose(stream.file) == 0 && stream.is_good;
}
