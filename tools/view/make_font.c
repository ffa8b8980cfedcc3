// SPDX-License-Identifier: MIT
// make_font.c - draws a font's letters into one picture and writes it as a C file.
//     make_font FONT.ttf OUT.c
#include "font_letters.h"

#include <stb_truetype.h>

#include <stdio.h>
#include <stdlib.h>

static unsigned char *read_all(const char *path)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    const size_t room = (size_t)8 << 20;
    unsigned char *const bytes = malloc(room);
    const size_t size = bytes ? fread(bytes, 1, room, file) : 0;
    fclose(file);
    if (size == 0 || size == room) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static void write_letters(FILE *out, const stbtt_packedchar *letters, int count)
{
    for (int i = 0; i < count; i++) {
        const stbtt_packedchar *const c = &letters[i];
        fprintf(out, "{%d, %d, %d, %d, %.6ff, %.6ff, %.6ff},\n", c->x0, c->y0, c->x1, c->y1,
                (double)c->xoff, (double)c->yoff, (double)c->xadvance);
    }
}

// Under another name first: a build that is interrupted leaves no cut file.
static bool write_file(const char *path, const unsigned char *picture,
                       stbtt_packedchar letters[FONT_SIZES][FONT_LETTERS])
{
    char beside[4096];
    const int length = snprintf(beside, sizeof beside, "%s.new", path);
    FILE *const out = length < (int)sizeof beside ? fopen(beside, "w") : NULL;
    if (!out) {
        return false;
    }
    fprintf(out, "// font_letters.c - made by make_font.\n#include \"font_letters.h\"\n\n"
                 "const font_letter font_letters[FONT_SIZES][FONT_LETTERS] = {\n");
    for (int size = 0; size < FONT_SIZES; size++) {
        fprintf(out, "{\n");
        write_letters(out, letters[size], FONT_LETTERS);
        fprintf(out, "},\n");
    }
    fprintf(out, "};\nconst unsigned char font_picture[FONT_WIDTH * FONT_HEIGHT] = {\n");
    for (int i = 0; i < FONT_WIDTH * FONT_HEIGHT; i++) {
        fprintf(out, "%d,%s", picture[i], i % 32 == 31 ? "\n" : "");
    }
    fprintf(out, "};\n");
    const bool is_written = !ferror(out);
    return fclose(out) == 0 && is_written && rename(beside, path) == 0;
}

int main(int argc, char **argv)
{
    static const float heights[FONT_SIZES] = {FONT_SMALL_HEIGHT, FONT_LARGE_HEIGHT};
    static unsigned char picture[FONT_WIDTH * FONT_HEIGHT];
    static stbtt_packedchar letters[FONT_SIZES][FONT_LETTERS];
    unsigned char *const font = argc == 3 ? read_all(argv[1]) : NULL;
    stbtt_pack_context pack;
    if (!font || !stbtt_PackBegin(&pack, picture, FONT_WIDTH, FONT_HEIGHT, 0, 1, NULL)) {
        fprintf(stderr, "usage: make_font FONT.ttf OUT.c\n");
        free(font);
        return 2;
    }
    bool is_good = true;
    for (int size = 0; size < FONT_SIZES; size++) {
        is_good = is_good && stbtt_PackFontRange(&pack, font, 0, heights[size], FONT_FIRST,
                                                 FONT_LETTERS, letters[size]);
    }
    stbtt_PackEnd(&pack);
    is_good = is_good && picture[FONT_WIDTH * FONT_HEIGHT - 1] == 0;
    picture[FONT_WIDTH * FONT_HEIGHT - 1] = 255; // what is no letter samples this corner
    is_good = is_good && write_file(argv[2], picture, letters);
    free(font);
    if (!is_good) {
        fprintf(stderr, "make_font: the letters do not fit or %s cannot be written\n", argv[2]);
    }
    return is_good ? 0 : 1;
}
