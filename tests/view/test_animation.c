// SPDX-License-Identifier: MIT
// test_animation.c - animated PNG files hold the pictures that were added: as libpng reads the
// parts, and as apngdis, a program of others, puts them together.
#include "animation_file.h"
#include "palette.h"
#include "test.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 30, PICTURES = 7, PIXELS = WIDTH * HEIGHT };

// Colors a step of eight apart, so that each has a bin of its own: a square goes over a ground of
// stripes. The fifth picture is the fourth once more.
static void draw(int number, uint8_t *rgb)
{
    const int at = number == 5 ? 4 : number;
    for (int i = 0; i < PIXELS; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        const bool is_in = x >= 4 * at && x < 4 * at + 9 && y >= 2 * at && y < 2 * at + 7;
        rgb[3 * i] = (uint8_t)(is_in ? 240 : 8 * (x % 13));
        rgb[3 * i + 1] = (uint8_t)(is_in ? 16 + 8 * at : 8 * (y % 11));
        rgb[3 * i + 2] = (uint8_t)(is_in ? 0 : 128);
    }
}

static bool write_movie(const char *path, uint32_t colors)
{
    char message[256];
    animation movie = {.width = WIDTH, .height = HEIGHT};
    bool is_good = true;
    for (int i = 0; i < PICTURES && is_good; i++) {
        uint8_t *const rgb = malloc(3 * PIXELS);
        is_good = rgb != NULL;
        if (rgb) {
            draw(i, rgb);
            is_good = animation_add(&movie, rgb, 40);
        }
    }
    is_good = is_good && animation_write(&movie, path, colors, message, sizeof message);
    animation_free(&movie);
    return is_good;
}

typedef struct test_file {
    uint8_t *bytes;
    size_t size;
} test_file;

static test_file read_file(const char *path)
{
    test_file file = {.bytes = malloc(1 << 20)};
    FILE *const stream = fopen(path, "rb");
    if (stream && file.bytes) {
        file.size = fread(file.bytes, 1, 1 << 20, stream);
    }
    if (stream) {
        fclose(stream);
    }
    return file;
}

static uint32_t get32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static size_t put_chunk(uint8_t *out, const char *type, const uint8_t *data, uint32_t size)
{
    for (int k = 0; k < 4; k++) {
        out[k] = (uint8_t)(size >> (24 - 8 * k));
    }
    memcpy(out + 4, type, 4);
    memcpy(out + 8, data, size);
    uint32_t sum = 0xffffffffu; // the CRC of PNG, bit by bit
    for (uint32_t i = 4; i < 8 + size; i++) {
        sum ^= out[i];
        for (int k = 0; k < 8; k++) {
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
        }
    }
    for (int k = 0; k < 4; k++) {
        out[8 + size + (uint32_t)k] = (uint8_t)(~sum >> (24 - 8 * k));
    }
    return 12 + size;
}

// One picture of an animation as a PNG file, read by libpng, laid over what is there.
typedef struct movie_reader {
    const uint8_t *header, *colors, *opacity; // data of the chunks
    uint32_t colors_size, opacity_size;
    uint32_t width, height, left, top, milliseconds; // of the picture to come
    uint8_t seen[3 * PIXELS];
} movie_reader;

static bool lay_picture(movie_reader *r, const uint8_t *data, uint32_t size)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t *const file = malloc(size + 2000u), header[13];
    uint8_t *const rgba = malloc((size_t)4 * r->width * r->height);
    memcpy(header, r->header, 13);
    for (int k = 0; k < 4; k++) {
        header[k] = (uint8_t)(r->width >> (24 - 8 * k));
        header[4 + k] = (uint8_t)(r->height >> (24 - 8 * k));
    }
    memcpy(file, signature, 8);
    size_t length = 8 + put_chunk(file + 8, "IHDR", header, 13);
    length += put_chunk(file + length, "PLTE", r->colors, r->colors_size);
    length += put_chunk(file + length, "tRNS", r->opacity, r->opacity_size);
    length += put_chunk(file + length, "IDAT", data, size);
    length += put_chunk(file + length, "IEND", data, 0);
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool is_good = png_image_begin_read_from_memory(&image, file, length) &&
                   image.width == r->width && image.height == r->height;
    image.format = PNG_FORMAT_RGBA;
    is_good = is_good && png_image_finish_read(&image, NULL, rgba, 0, NULL);
    for (uint32_t i = 0; i < r->width * r->height && is_good; i++) {
        if (rgba[4 * i + 3]) {
            const uint32_t to = (r->top + i / r->width) * WIDTH + r->left + i % r->width;
            memcpy(r->seen + 3 * to, rgba + 4 * i, 3);
        }
    }
    free(file);
    free(rgba);
    return is_good;
}

static void a_file_holds_the_pictures_that_were_added(void)
{
    CHECK(write_movie("animation_exact.png", 255));
    const test_file file = read_file("animation_exact.png");
    CHECK(file.size > 100 && memcmp(file.bytes + 1, "PNG", 3) == 0);
    static movie_reader r;
    uint32_t sequence = 0, pictures = 0, promised = 0, number = 0;
    for (size_t at = 8; at + 12 <= file.size;) {
        const uint32_t size = get32(file.bytes + at);
        const uint8_t *const type = file.bytes + at + 4, *const data = type + 4;
        at += 12 + size;
        if (memcmp(type, "IHDR", 4) == 0) {
            CHECK(get32(data) == WIDTH && get32(data + 4) == HEIGHT);
            r.header = data;
        } else if (memcmp(type, "acTL", 4) == 0) {
            promised = get32(data);
            CHECK(get32(data + 4) == 0);
        } else if (memcmp(type, "PLTE", 4) == 0) {
            r.colors = data;
            r.colors_size = size;
        } else if (memcmp(type, "tRNS", 4) == 0) {
            r.opacity = data;
            r.opacity_size = size;
        } else if (memcmp(type, "fcTL", 4) == 0) {
            CHECK(size == 26 && get32(data) == sequence++);
            r.width = get32(data + 4);
            r.height = get32(data + 8);
            r.left = get32(data + 12);
            r.top = get32(data + 16);
            CHECK(r.left + r.width <= WIDTH && r.top + r.height <= HEIGHT);
            CHECK(pictures == 0 || r.width * r.height < PIXELS / 2); // what changed alone
            r.milliseconds = (uint32_t)(data[20] << 8 | data[21]);
        } else if (memcmp(type, "IDAT", 4) == 0 || memcmp(type, "fdAT", 4) == 0) {
            const bool is_first = type[0] == 'I';
            CHECK(is_first == (pictures == 0) && (is_first || get32(data) == sequence++));
            CHECK(lay_picture(&r, is_first ? data : data + 4, is_first ? size : size - 4));
            uint8_t wanted[3 * PIXELS];
            draw((int)number, wanted);
            CHECK(memcmp(wanted, r.seen, sizeof wanted) == 0);
            CHECK(r.milliseconds == (number == 4 ? 80 : 40)); // the fifth is the fourth again
            number += number == 4 ? 2 : 1;
            pictures++;
        }
    }
    CHECK(number == PICTURES && pictures == PICTURES - 1 && promised == pictures);
    free(file.bytes);
}

// A reader that knows nothing of this one's.
static void another_program_reads_the_same_pictures(void)
{
    if (system("command -v apngdis >/dev/null") != 0) {
        printf("  apngdis is missing: tools/setup.sh test installs it\n");
        CHECK(!getenv("CI"));
        return;
    }
    CHECK(write_movie("animation_read.png", 255));
    CHECK(system("apngdis animation_read.png animation_part >/dev/null") == 0);
    for (int i = 0, number = 0; i < PICTURES - 1; i++, number += number == 4 ? 2 : 1) {
        char path[64];
        uint8_t wanted[3 * PIXELS], found[3 * PIXELS];
        snprintf(path, sizeof path, "animation_part%d.png", i + 1);
        png_image image = {.version = PNG_IMAGE_VERSION};
        CHECK(png_image_begin_read_from_file(&image, path));
        CHECK(image.width == WIDTH && image.height == HEIGHT);
        image.format = PNG_FORMAT_RGB;
        CHECK(png_image_finish_read(&image, NULL, found, 0, NULL));
        draw(number, wanted);
        CHECK(memcmp(wanted, found, sizeof wanted) == 0);
    }
}

static void many_colors_become_near_ones(void)
{
    palette p;
    CHECK(palette_create(&p));
    static uint8_t rgb[3 * 4096]; // a cube of 16 steps a side
    for (int i = 0; i < 4096; i++) {
        for (int k = 0; k < 3; k++) {
            rgb[3 * i + k] = (uint8_t)(16 * (i >> (4 * k) & 15));
        }
    }
    palette_count(&p, rgb, 4096);
    CHECK(palette_make(&p, 64));
    CHECK(p.count == 64);
    double sum = 0.0;
    for (int i = 0; i < 4096; i++) {
        const uint8_t *const color = p.colors[palette_find(&p, rgb + 3 * i)];
        for (int k = 0; k < 3; k++) {
            const double apart = (double)color[k] - rgb[3 * i + k];
            sum += apart * apart;
        }
    }
    // 64 cubes of 4 steps a side have a variance of 1.25 steps squared along each axis.
    CHECK(sum / 4096 < 3 * 1.3 * 16 * 16);
    palette_free(&p);
}

static void what_cannot_be_written_is_refused(void)
{
    char message[256] = "";
    animation movie = {.width = WIDTH, .height = HEIGHT};
    CHECK(!animation_add(&movie, NULL, 40));
    uint8_t *const rgb = calloc(3, PIXELS);
    CHECK(rgb && animation_add(&movie, rgb, 40));
    CHECK(!animation_write(&movie, "/proc/none/movie.png", 255, message, sizeof message));
    CHECK(strstr(message, "/proc/none/movie.png"));
    animation_free(&movie);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {TEST(a_file_holds_the_pictures_that_were_added),
                                      TEST(another_program_reads_the_same_pictures),
                                      TEST(many_colors_become_near_ones),
                                      TEST(what_cannot_be_written_is_refused)};
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
