// SPDX-License-Identifier: MIT
// test_debug_svg.c - SVG pictures: places, layers, texts, errors of writing, size.
#include "test.h"

#include <acre/debug_svg.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *program_path;

// Keeps the bytes of a picture; refuses calls from number fail_at on.
typedef struct sink {
    char *bytes;
    size_t size, capacity;
    uint32_t calls, fail_at; // 0: never
    uint32_t calls_after_failure;
} sink;

static bool sink_write(void *user, const char *bytes, size_t size)
{
    sink *const out = (sink *)user;
    out->calls++;
    if (out->fail_at > 0 && out->calls >= out->fail_at) {
        out->calls_after_failure += out->calls > out->fail_at;
        return false;
    }
    if (size > 2048) {
        return false;
    }
    if (out->size + size + 1 > out->capacity) {
        out->capacity = 2 * (out->capacity + size) + 1;
        out->bytes = (char *)realloc(out->bytes, out->capacity);
        if (!out->bytes) {
            abort();
        }
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    out->bytes[out->size] = '\0';
    return true;
}

static void sink_free(sink *out)
{
    free(out->bytes);
    *out = (sink){.bytes = NULL};
}

// 1000 x 500 pixels, 5 pixels a unit.
static acre_debug_svg_def wide_def(sink *out)
{
    return (acre_debug_svg_def){
        .write = sink_write, .user = out, .min = {-100, -50}, .max = {100, 50}, .size = 1000};
}

// A picture with one layer; between is called with its functions.
static acre_result draw_picture(sink *out, const acre_debug_svg_style *style,
                                void (*between)(const acre_debug_draw *draw, void *context),
                                void *context)
{
    const acre_debug_svg_def def = wide_def(out);
    acre_debug_svg svg;
    acre_debug_draw draw;
    if (acre_debug_svg_begin(&svg, &def) == ACRE_OK &&
        acre_debug_svg_layer(&svg, style, &draw) == ACRE_OK) {
        between(&draw, context);
    }
    return acre_debug_svg_end(&svg);
}

// Where part begins, at from or after it; NULL if nowhere. The address sanitizer's strstr measures
// the whole rest of the text in each call, which makes counting in a large picture quadratic.
static const char *find_part(const char *from, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = from; *at; at++) {
        if (*at == *part && strncmp(at, part, length) == 0) {
            return at;
        }
    }
    return NULL;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = find_part(text, part); at; at = find_part(at + 1, part)) {
        count++;
    }
    return count;
}

// Whether the bytes are UTF-8 as RFC 3629 has it, without control characters but line ends.
static bool is_clean_utf8(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)bytes[i];
        const int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : 4;
        if ((c < 0x20 && c != '\n' && c != '\t') || (c >= 0x80 && c < 0xc2) || more == 4) {
            return false;
        }
        for (int k = 1; k <= more; k++) {
            const unsigned char next =
                i + (size_t)k < size ? (unsigned char)bytes[i + (size_t)k] : 0;
            const bool is_edge =
                k == 1 && ((c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) ||
                           (c == 0xf0 && next < 0x90) || (c == 0xf4 && next > 0x8f));
            if (next < 0x80 || next > 0xbf || is_edge) {
                return false;
            }
        }
        i += (size_t)more + 1;
    }
    return true;
}

// The end of a tag that begins at text: attributes are name="value" without < and stray &.
static const char *tag_end(const char *text)
{
    bool is_quoted = false;
    for (; *text && (is_quoted || *text != '>'); text++) {
        if (*text == '"') {
            is_quoted = !is_quoted;
        } else if (*text == '<') {
            return NULL;
        }
    }
    return *text ? text : NULL;
}

// Whether every tag is closed in order, every & begins one of the four entities, and the root is
// one svg element.
static bool is_well_formed(const sink *out)
{
    char open[16][16];
    size_t depth = 0, roots = 0;
    for (const char *at = out->bytes; *at; at++) {
        if (*at == '&' && strncmp(at, "&amp;", 5) != 0 && strncmp(at, "&lt;", 4) != 0 &&
            strncmp(at, "&gt;", 4) != 0 && strncmp(at, "&quot;", 6) != 0) {
            return false;
        }
        if (*at != '<') {
            continue;
        }
        if (strncmp(at, "<![CDATA[", 9) == 0) {
            at = strstr(at, "]]>");
            if (!at) {
                return false;
            }
            at += 2;
            continue;
        }
        const char *const name = at[1] == '/' ? at + 2 : at + 1;
        const char *const inside = at + 1;
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
        const char *const end = tag_end(inside);
        if (!end || length == 0 || length >= sizeof open[0]) {
            return false;
        }
        if (at[1] == '/') {
            if (depth == 0 || strncmp(open[depth - 1], name, length) != 0 ||
                open[depth - 1][length] != '\0' || name[length] != '>') {
                return false;
            }
            depth--;
        } else {
            roots += depth == 0;
            if (end[-1] != '/') {
                if (depth == 16) {
                    return false;
                }
                memcpy(open[depth], name, length);
                open[depth++][length] = '\0';
            }
        }
        // The bytes within the tag are looked at for entities as well.
    }
    return depth == 0 && roots == 1 && is_clean_utf8(out->bytes, out->size);
}

static void draw_one_of_each(const acre_debug_draw *draw, void *context)
{
    (void)context;
    const acre_aabb a = {{10, -3, 20}, {30, 7, 40}};
    const acre_aabb b = {{-100.011f, 0, -50}, {-99.5f, 0, -49.99f}};
    const float from[3] = {0, 5, 0}, to[3] = {-1.5f, 9, 2.25f}, at[3] = {0.1f, 0, -0.1f};
    draw->box(draw->user, &a, 0x3a6ea5ff);
    draw->box(draw->user, &b, 0x3a6ea5ff);
    draw->line(draw->user, from, to, 0xff000080);
    draw->text(draw->user, at, "12", 0x00ff0040);
}

static void x_goes_right_and_z_down_in_the_stated_scale(void)
{
    sink out = {.bytes = NULL};
    const acre_debug_svg_style style = {
        .kinds = ACRE_DEBUG_ITEMS, .fill = 0.5f, .line_width = 2.5f};
    CHECK(draw_picture(&out, &style, draw_one_of_each, NULL) == ACRE_OK);
    CHECK(is_well_formed(&out));
    CHECK(strstr(out.bytes, " width=\"1000\" height=\"500\" viewBox=\"0 0 1000 500\">\n"
                            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                            "<g class=\"layer\" inkscape:groupmode=\"layer\""
                            " inkscape:label=\"items\""));
    CHECK(strstr(out.bytes, " font-size=\"10\" stroke-width=\"2.5\">\n"
                            "<path stroke=\"#3a6ea5\" fill=\"#3a6ea5\" fill-opacity=\".5\""
                            " d=\"M550 350h100v100h-100zM-.06 0h2.56v.05h-2.56z\"/>\n"
                            "<path stroke=\"#ff0000\" stroke-opacity=\".5\" fill=\"#ff0000\""
                            " fill-opacity=\".25\" d=\"M500 250l-7.5 11.25\"/>\n"
                            "<text x=\"500.5\" y=\"249.5\" fill=\"#00ff00\" fill-opacity=\".25\">"
                            "12</text>\n</g>\n<script>"));
    sink_free(&out);
}

// The numbers of a path's next shape: place and size of a box, start and way of a line.
static const char *read_shape(const char *at, double *numbers, bool *is_box)
{
    int length = 0;
    double back = 0.0;
    if (sscanf(at, "M%lf %lfh%lfv%lfh%lfz%n", &numbers[0], &numbers[1], &numbers[2], &numbers[3],
               &back, &length) == 5 &&
        length > 0 && back == -numbers[2]) {
        *is_box = true;
        return at + length;
    }
    length = 0;
    *is_box = false;
    if (sscanf(at, "M%lf %lfl%lf %lf%n", &numbers[0], &numbers[1], &numbers[2], &numbers[3],
               &length) == 4) {
        return at + length;
    }
    return NULL;
}

enum { STREAM = 500 };
typedef struct stream {
    test_random random;
    acre_aabb boxes[STREAM];
    float lines[STREAM][2][3];
} stream;

// Boxes and lines in turn, each pair in a color of its own; reach 150 goes beyond the picture.
static void draw_stream(const acre_debug_draw *draw, void *context)
{
    stream *const all = (stream *)context;
    for (int i = 0; i < STREAM; i++) {
        acre_aabb *const box = &all->boxes[i];
        for (int k = 0; k < 3; k++) {
            box->min[k] = random_float(&all->random, -150, 150);
            box->max[k] = box->min[k] + random_float(&all->random, 0, 20);
            for (int end = 0; end < 2; end++) {
                const float reach = random_below(&all->random, 8) ? 150.0f : 1e30f;
                all->lines[i][end][k] = random_float(&all->random, -reach, reach);
            }
        }
        const uint32_t rgba = (uint32_t)i << 8 | 0xffu;
        draw->box(draw->user, box, rgba);
        draw->line(draw->user, all->lines[i][0], all->lines[i][1], rgba);
    }
}

static double clamp(double value, double low, double high)
{
    return fmax(low, fmin(high, value));
}

static bool is_box_there(const acre_aabb *box, const double *shape)
{
    const double x0 = clamp(5.0 * ((double)box->min[0] + 100.0), -2, 1002);
    const double x1 = clamp(5.0 * ((double)box->max[0] + 100.0), -2, 1002);
    const double z0 = clamp(5.0 * ((double)box->min[2] + 50.0), -2, 502);
    const double z1 = clamp(5.0 * ((double)box->max[2] + 50.0), -2, 502);
    return fabs(shape[0] - x0) < 0.0051 && fabs(shape[1] - z0) < 0.0051 &&
           fabs(shape[0] + shape[2] - x1) < 0.0151 && fabs(shape[1] + shape[3] - z1) < 0.0151;
}

// Distance of a place from the line through a and b, taken from the end that is nearer.
static double distance_to_line(const double *a, const double *b, double x, double z)
{
    const bool is_a_nearer = fabs(a[0]) + fabs(a[1]) < fabs(b[0]) + fabs(b[1]);
    const double *const near = is_a_nearer ? a : b;
    const double dx = b[0] - a[0], dz = b[1] - a[1];
    const double length = sqrt(dx * dx + dz * dz);
    return fabs(dx / length * (z - near[1]) - dz / length * (x - near[0]));
}

// Whether the shape is on the line and inside of the picture with its border of 2 pixels.
static bool is_line_there(const float (*ends)[3], const double *shape)
{
    double a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k] = 5.0 * ((double)ends[0][2 * k] + (k ? 50.0 : 100.0));
        b[k] = 5.0 * ((double)ends[1][2 * k] + (k ? 50.0 : 100.0));
    }
    for (int end = 0; end < 2; end++) {
        const double x = shape[0] + (end ? shape[2] : 0.0);
        const double z = shape[1] + (end ? shape[3] : 0.0);
        if (x < -2.001 || x > 1002.001 || z < -2.001 || z > 502.001) {
            return false;
        }
        // Between two ends at 1e31 pixels, doubles keep no place on the picture.
        const double *const p = end ? b : a;
        const bool is_far = fabs(a[0]) + fabs(a[1]) > 1e9 && fabs(b[0]) + fabs(b[1]) > 1e9;
        if (!is_far && distance_to_line(a, b, x, z) > 0.011) {
            return false;
        }
        const bool is_inside = p[0] >= 0.0 && p[0] <= 1000.0 && p[1] >= 0.0 && p[1] <= 500.0;
        if (is_inside && (fabs(p[0] - x) > 0.0101 || fabs(p[1] - z) > 0.0101)) {
            return false;
        }
    }
    return true;
}

// Whether a point of the line is surely on the picture, found by walking along it.
static bool crosses_picture(const float (*ends)[3])
{
    for (int i = 0; i <= 2000; i++) {
        const double t = i / 2000.0;
        const double x = (1.0 - t) * (double)ends[0][0] + t * (double)ends[1][0];
        const double z = (1.0 - t) * (double)ends[0][2] + t * (double)ends[1][2];
        if (fabs(x) < 100.0 && fabs(z) < 50.0) {
            return true;
        }
    }
    return false;
}

static void random_shapes_stand_where_they_are_and_others_are_left_out(void)
{
    static stream all;
    all.random = (test_random){test_seed};
    sink out = {.bytes = NULL};
    CHECK(draw_picture(&out, NULL, draw_stream, &all) == ACRE_OK);
    CHECK(is_well_formed(&out));
    int boxes = 0, lines = 0;
    for (int i = 0; i < STREAM; i++) {
        const acre_aabb *const box = &all.boxes[i];
        const double border = 0.4; // 2 pixels
        const bool is_box_seen =
            (double)box->max[0] > -100.0 - border && (double)box->min[0] < 100.0 + border &&
            (double)box->max[2] > -50.0 - border && (double)box->min[2] < 50.0 + border;
        char head[40];
        snprintf(head, sizeof head, "<path stroke=\"#%06x\" d=\"", (unsigned)i);
        const char *at = strstr(out.bytes, head);
        double shape[4];
        bool is_box = false;
        at = at ? at + strlen(head) : "\"";
        if (is_box_seen) {
            at = read_shape(at, shape, &is_box);
            CHECK(at && is_box && is_box_there(box, shape));
            boxes++;
        }
        if (*at == '"') {
            CHECK(!crosses_picture((const float(*)[3])all.lines[i]));
        } else {
            at = read_shape(at, shape, &is_box);
            CHECK(at && !is_box && is_line_there((const float(*)[3])all.lines[i], shape));
            CHECK(*at == '"');
            lines++;
        }
    }
    CHECK(boxes > 50 && boxes < STREAM - 50 && lines > 50 && lines < STREAM - 50);
    sink_free(&out);
}

static void draw_odd_boxes(const acre_debug_draw *draw, void *context)
{
    (void)context;
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const acre_aabb half = {{0, 0, -INFINITY}, {3e38f, 0, 10}};
    const acre_aabb point = {{1, 1, 1}, {1, 1, 1}};
    draw->box(draw->user, &endless, 1);
    draw->box(draw->user, &half, 1);
    draw->box(draw->user, &point, 1);
}

static void endless_boxes_end_out_of_sight_and_points_have_an_outline(void)
{
    sink out = {.bytes = NULL};
    CHECK(draw_picture(&out, NULL, draw_odd_boxes, NULL) == ACRE_OK);
    CHECK(is_well_formed(&out));
    CHECK(strstr(out.bytes, " d=\"M-2 -2h1004v504h-1004z"
                            "M500 -2h502v302h-502z"
                            "M505 255h.01v.01h-.01z\"/>"));
    sink_free(&out);
}

static void draw_nothing(const acre_debug_draw *draw, void *context)
{
    (void)draw;
    (void)context;
}

static void draw_broken_shapes(const acre_debug_draw *draw, void *context)
{
    (void)context;
    const acre_aabb good = {{0, 0, 0}, {1, 1, 1}};
    const float at[3] = {0, 0, 0};
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++) {
        acre_aabb box = good;
        (i < 3 ? box.min : box.max)[i % 3] = i < 3 ? 2.0f : -1.0f;
        draw->box(draw->user, &box, 1);
        (i < 3 ? box.min : box.max)[i % 3] = NAN;
        draw->box(draw->user, &box, 1);
    }
    for (int axis = 0; axis < 3; axis += 2) {
        for (int k = 0; k < 3; k++) {
            float broken[3] = {0, 0, 0};
            broken[axis] = odd[k];
            draw->line(draw->user, broken, at, 1);
            draw->line(draw->user, at, broken, 1);
            draw->text(draw->user, broken, "x", 1);
        }
    }
    const float outside[3] = {100.1f, 0, 0};
    draw->text(draw->user, outside, "x", 1);
    draw->text(draw->user, at, NULL, 1);
    draw->text(draw->user, NULL, "x", 1);
    draw->line(draw->user, at, NULL, 1);
    draw->line(draw->user, NULL, at, 1);
    draw->box(draw->user, NULL, 1);
}

static void broken_shapes_are_left_out(void)
{
    sink empty = {.bytes = NULL}, broken = {.bytes = NULL};
    CHECK(draw_picture(&empty, NULL, draw_nothing, NULL) == ACRE_OK);
    CHECK(draw_picture(&broken, NULL, draw_broken_shapes, NULL) == ACRE_OK);
    CHECK(empty.size == broken.size && memcmp(empty.bytes, broken.bytes, empty.size) == 0);
    sink_free(&empty);
    sink_free(&broken);
}

static void draw_context_text(const acre_debug_draw *draw, void *context)
{
    const float at[3] = {0, 0, 0};
    draw->text(draw->user, at, (const char *)context, 0xff);
}

static void texts_of_any_bytes_leave_a_readable_file(void)
{
    char plain[] = "a<b> & \"c\" d\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8d";
    sink out = {.bytes = NULL};
    CHECK(draw_picture(&out, NULL, draw_context_text, plain) == ACRE_OK);
    CHECK(is_well_formed(&out));
    CHECK(strstr(out.bytes, ">a&lt;b&gt; &amp; &quot;c&quot; d\xc3\xa9 \xe2\x82\xac "
                            "\xf0\x9f\x8c\x8d</text>"));
    sink_free(&out);
    // The first and the last character of each length.
    char edges[] = "\t \n \xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 "
                   "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbd";
    CHECK(draw_picture(&out, NULL, draw_context_text, edges) == ACRE_OK);
    CHECK(is_well_formed(&out) && strstr(out.bytes, edges));
    sink_free(&out);
    const char *const broken[] = {
        "\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xff", "\x01", "\x1b",     "\xef\xbf\xbf"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s|", broken[i]);
        CHECK(draw_picture(&out, NULL, draw_context_text, text) == ACRE_OK);
        CHECK(is_well_formed(&out) && strstr(out.bytes, "\xef\xbf\xbd|</text>"));
        sink_free(&out);
    }
    test_random random = {test_seed};
    for (uint32_t run = 0; run < 500 * test_scale; run++) {
        char text[24];
        for (size_t i = 0; i + 1 < sizeof text; i++) {
            static const char likely[] = "<&]>\"\xc3\xa9\xf0\x9f";
            text[i] = random_below(&random, 2) ? likely[random_below(&random, 9)]
                                               : (char)random_bits(&random);
        }
        text[sizeof text - 1] = '\0';
        const acre_debug_svg_style style = {.name = text};
        CHECK(draw_picture(&out, &style, draw_context_text, text) == ACRE_OK);
        CHECK(is_well_formed(&out));
        sink_free(&out);
    }
}

static void layers_follow_each_other_and_are_named_after_their_kind(void)
{
    static const char *const names[] = {"strict cells", "loose cells", "stored bounds",
                                        "items",        "counts",      "groups"};
    sink out = {.bytes = NULL};
    acre_debug_svg_def def = wide_def(&out);
    def.title = "<title>";
    def.note = "(c) & more";
    def.background = 0x00000000;
    acre_debug_svg svg;
    CHECK(acre_debug_svg_begin(&svg, &def) == ACRE_OK);
    for (uint32_t i = 0; i < 6; i++) {
        acre_debug_draw draw;
        const acre_debug_svg_style style = {.kinds = 1u << i, .is_hidden = i == 1};
        CHECK(acre_debug_svg_layer(&svg, &style, &draw) == ACRE_OK);
        CHECK(draw.flags == 1u << i && draw.user && draw.line && draw.box && draw.text);
        draw_one_of_each(&draw, NULL);
    }
    acre_debug_draw draw;
    const acre_debug_svg_style mine = {.name = "cars & \"co\""};
    CHECK(acre_debug_svg_layer(&svg, &mine, &draw) == ACRE_OK && draw.flags == 0);
    CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK && draw.flags == 0);
    CHECK(acre_debug_svg_end(&svg) == ACRE_OK);
    CHECK(is_well_formed(&out));
    const char *at = out.bytes;
    for (uint32_t i = 0; i < 6; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "inkscape:label=\"%s\"", names[i]);
        at = strstr(at, expected);
        CHECK(at);
    }
    at = strstr(at, "inkscape:label=\"cars &amp; &quot;co&quot;\"");
    CHECK(at && strstr(at, "inkscape:label=\"shapes\""));
    CHECK(count_of(out.bytes, "<g ") == 8 && count_of(out.bytes, "</g>") == 8);
    CHECK(count_of(out.bytes, "<text ") == 7 && count_of(out.bytes, "<path ") == 12);
    CHECK(count_of(out.bytes, " display=\"none\"") == 1);
    CHECK(strstr(out.bytes, "<title>&lt;title&gt;</title>\n"));
    CHECK(strstr(out.bytes, " x=\"4\" y=\"496\">(c) &amp; more</text>\n"));
    sink_free(&out);
}

static void the_picture_is_the_same_in_every_locale(void)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", ""};
    sink first = {.bytes = NULL};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        sink out = {.bytes = NULL};
        setlocale(LC_ALL, locales[i]);
        const acre_result result = draw_picture(&out, NULL, draw_one_of_each, NULL);
        setlocale(LC_ALL, "C");
        CHECK(result == ACRE_OK && strstr(out.bytes, "M-.06 0h2.56"));
        if (i == 0) {
            first = out;
            continue;
        }
        CHECK(out.size == first.size && memcmp(out.bytes, first.bytes, out.size) == 0);
        sink_free(&out);
    }
    sink_free(&first);
}

static void draw_many(const acre_debug_draw *draw, void *context)
{
    test_random random = {test_seed};
    const int count = *(const int *)context;
    for (int i = 0; i < count; i++) {
        acre_aabb box = {{0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            box.min[k] = random_float(&random, -50, 45);
            box.max[k] = box.min[k] + random_float(&random, 0, 5);
        }
        draw->box(draw->user, &box, 0x606060ff);
    }
}

static void a_write_that_fails_is_an_error_and_is_the_last_one(void)
{
    int count = 300;
    sink whole = {.bytes = NULL};
    CHECK(draw_picture(&whole, NULL, draw_many, &count) == ACRE_OK);
    CHECK(whole.calls >= 5 && whole.size > 9000);
    for (uint32_t fail_at = 1; fail_at <= whole.calls; fail_at++) {
        sink out = {.fail_at = fail_at};
        CHECK(draw_picture(&out, NULL, draw_many, &count) == ACRE_ERROR_IO);
        CHECK(out.calls == fail_at && out.calls_after_failure == 0);
        CHECK(out.size < whole.size &&
              memcmp(out.bytes ? out.bytes : "", whole.bytes, out.size) == 0);
        sink_free(&out);
    }
    sink out = {.fail_at = 1};
    const acre_debug_svg_def def = wide_def(&out);
    acre_debug_svg svg;
    acre_debug_draw draw;
    CHECK(acre_debug_svg_begin(&svg, &def) == ACRE_OK);
    CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK);
    draw_many(&draw, &count);
    CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_ERROR_IO);
    CHECK(!draw.box && !draw.line && !draw.text);
    CHECK(acre_debug_svg_end(&svg) == ACRE_ERROR_IO);
    sink_free(&whole);
}

static void wrong_arguments_are_refused(void)
{
    sink out = {.bytes = NULL};
    const acre_debug_svg_def good = wide_def(&out);
    acre_debug_svg svg;
    acre_debug_svg_def defs[12];
    for (int i = 0; i < 12; i++) {
        defs[i] = good;
    }
    defs[0].write = NULL;
    defs[1].size = 15;
    defs[2].size = 32769;
    defs[3].min[0] = NAN;
    defs[4].max[1] = NAN;
    defs[5].min[1] = -INFINITY;
    defs[6].max[0] = INFINITY;
    defs[7].max[0] = defs[7].min[0];
    defs[8].max[1] = defs[8].min[1] - 1.0f;
    for (int i = 0; i < 9; i++) {
        CHECK(acre_debug_svg_begin(&svg, &defs[i]) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(acre_debug_svg_end(&svg) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(acre_debug_svg_begin(&svg, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_debug_svg_begin(NULL, &good) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_debug_svg_end(NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(out.calls == 0);
    acre_debug_draw draw;
    CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_debug_svg_begin(&svg, &good) == ACRE_OK);
    const acre_debug_svg_style styles[] = {
        {.line_width = NAN},  {.line_width = -1},  {.line_width = 101},
        {.text_height = NAN}, {.text_height = -1}, {.text_height = INFINITY},
        {.fill = NAN},        {.fill = -0.1f},     {.fill = 1.1f}};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        memset(&draw, 0x5a, sizeof draw);
        CHECK(acre_debug_svg_layer(&svg, &styles[i], &draw) == ACRE_ERROR_INVALID_ARGUMENT);
        CHECK(!draw.box && !draw.line && !draw.text);
    }
    CHECK(acre_debug_svg_layer(NULL, NULL, &draw) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_debug_svg_layer(&svg, NULL, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK);
    CHECK(acre_debug_svg_end(&svg) == ACRE_OK && count_of(out.bytes, "<g ") == 1);
    const size_t size = out.size;
    draw_one_of_each(&draw, NULL); // a closed picture takes no more
    CHECK(acre_debug_svg_end(&svg) == ACRE_ERROR_INVALID_ARGUMENT && out.size == size);
    sink_free(&out);
}

static void draw_corner_texts(const acre_debug_draw *draw, void *context)
{
    (void)context;
    draw->text(draw->user, (const float[]){-100, 0, -50}, "first", 0xff);
    draw->text(draw->user, (const float[]){100, 0, 50}, "last", 0xff);
}

static void texts_on_the_border_are_drawn(void)
{
    sink out = {.bytes = NULL};
    CHECK(draw_picture(&out, NULL, draw_corner_texts, NULL) == ACRE_OK);
    CHECK(strstr(out.bytes, "<text x=\"0\" y=\"0\" fill=\"#000000\">first</text>\n"
                            "<text x=\"1000\" y=\"500\" fill=\"#000000\">last</text>\n"));
    sink_free(&out);
}

static void the_longer_side_has_the_stated_pixels(void)
{
    static const struct {
        float width, height;
        uint32_t size;
        const char *expected;
    } areas[] = {{10, 40, 80, " width=\"20\" height=\"80\" viewBox=\"0 0 20 80\""},
                 {40, 10, 80, " width=\"80\" height=\"20\" viewBox=\"0 0 80 20\""},
                 {30, 7, 16, " width=\"16\" height=\"4\""},
                 {1, 1, 32768, " width=\"32768\" height=\"32768\""},
                 {2, 1, 0, " width=\"1024\" height=\"512\""}};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        sink out = {.bytes = NULL};
        acre_debug_svg_def def = {.write = sink_write, .user = &out, .size = areas[i].size};
        def.max[0] = areas[i].width;
        def.max[1] = areas[i].height;
        acre_debug_svg svg;
        CHECK(acre_debug_svg_begin(&svg, &def) == ACRE_OK && acre_debug_svg_end(&svg) == ACRE_OK);
        CHECK(strstr(out.bytes, areas[i].expected) && is_well_formed(&out));
        sink_free(&out);
    }
}

static void areas_of_any_size_and_place_are_drawn(void)
{
    const float areas[][4] = {{-3e38f, -3e38f, 3e38f, 3e38f},
                              {0, 0, 1e-45f, 1e-45f},
                              {1e9f, 1e9f, 1.000001e9f, 1.000001e9f},
                              {0, 0, 1e6f, 1e-6f},
                              {-1e-30f, 0, 1e-30f, 1e30f}};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        sink out = {.bytes = NULL};
        const acre_debug_svg_def def = {.write = sink_write,
                                        .user = &out,
                                        .min = {areas[i][0], areas[i][1]},
                                        .max = {areas[i][2], areas[i][3]}};
        acre_debug_svg svg;
        acre_debug_draw draw;
        CHECK(acre_debug_svg_begin(&svg, &def) == ACRE_OK);
        CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK);
        const acre_aabb box = {{areas[i][0], 0, areas[i][1]}, {areas[i][2], 0, areas[i][3]}};
        draw.box(draw.user, &box, 0xff);
        draw_one_of_each(&draw, NULL);
        draw.line(draw.user, (const float[]){-3e38f, 0, -3e38f}, (const float[]){3e38f, 0, 3e38f},
                  0xff);
        CHECK(acre_debug_svg_end(&svg) == ACRE_OK && is_well_formed(&out));
        CHECK(strstr(out.bytes, " d=\"M0 0h1024v") || strstr(out.bytes, "v1024h"));
        CHECK(count_of(out.bytes, "1024\"") >= 1);
        sink_free(&out);
    }
}

static void a_file_of_the_caller_gets_the_same_bytes(void)
{
    int count = 300;
    sink expected = {.bytes = NULL};
    CHECK(draw_picture(&expected, NULL, draw_many, &count) == ACRE_OK);
    FILE *const file = tmpfile();
    CHECK(file);
    acre_debug_svg_def def = wide_def(NULL);
    def.write = acre_debug_svg_to_file;
    def.user = file;
    acre_debug_svg svg;
    acre_debug_draw draw;
    CHECK(acre_debug_svg_begin(&svg, &def) == ACRE_OK);
    CHECK(acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK);
    draw_many(&draw, &count);
    CHECK(acre_debug_svg_end(&svg) == ACRE_OK && ftell(file) == (long)expected.size);
    rewind(file);
    for (size_t i = 0; i < expected.size; i++) {
        CHECK(fgetc(file) == (unsigned char)expected.bytes[i]);
    }
    fclose(file);
    sink_free(&expected);
    FILE *const closed = fopen(program_path, "rb"); // takes no bytes
    CHECK(closed && !acre_debug_svg_to_file(closed, "x", 1));
    fclose(closed);
}

// 13,000 items and a tree of 20,000 nodes, cell by cell in all kinds.
static void a_city_with_all_its_cells_stays_below_five_megabytes(void)
{
    sink out = {.bytes = NULL};
    const acre_debug_svg_def def = {.write = sink_write,
                                    .user = &out,
                                    .min = {-5000, -5000},
                                    .max = {5000, 5000},
                                    .size = 4096};
    acre_debug_svg svg;
    CHECK(acre_debug_svg_begin(&svg, &def) == ACRE_OK);
    test_random random = {test_seed};
    for (uint32_t kind = ACRE_DEBUG_STRICT_CELLS; kind <= ACRE_DEBUG_COUNTS; kind <<= 1) {
        acre_debug_draw draw;
        const acre_debug_svg_style style = {.kinds = kind};
        CHECK(acre_debug_svg_layer(&svg, &style, &draw) == ACRE_OK);
        const int count = kind == ACRE_DEBUG_ITEMS ? 13000 : 20000;
        for (int i = 0; i < count; i++) {
            acre_aabb box = {{0, 0, 0}, {0, 0, 0}};
            for (int k = 0; k < 3; k += 2) {
                box.min[k] = random_float(&random, -5000, 4900);
                box.max[k] = box.min[k] + random_float(&random, 0, 100);
            }
            if (kind == ACRE_DEBUG_COUNTS) {
                draw.text(draw.user, box.min, "16", 0x202020ff);
            } else {
                draw.box(draw.user, &box, 0x202020ff);
            }
        }
    }
    CHECK(acre_debug_svg_end(&svg) == ACRE_OK && is_well_formed(&out));
    CHECK(count_of(out.bytes, "M") >= 73000 && count_of(out.bytes, "<text ") == 20000);
    CHECK(out.size < 5000000);
    size_t longest = 0; // attribute: readers have limits
    for (const char *at = find_part(out.bytes, " d=\""); at; at = find_part(at + 4, " d=\"")) {
        const size_t length = strcspn(at + 4, "\"");
        longest = length > longest ? length : longest;
    }
    CHECK(longest > 10000 && longest < 100000);
    sink_free(&out);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(x_goes_right_and_z_down_in_the_stated_scale),
        TEST(random_shapes_stand_where_they_are_and_others_are_left_out),
        TEST(endless_boxes_end_out_of_sight_and_points_have_an_outline),
        TEST(broken_shapes_are_left_out),
        TEST(texts_of_any_bytes_leave_a_readable_file),
        TEST(layers_follow_each_other_and_are_named_after_their_kind),
        TEST(the_picture_is_the_same_in_every_locale),
        TEST(a_write_that_fails_is_an_error_and_is_the_last_one),
        TEST(wrong_arguments_are_refused),
        TEST(texts_on_the_border_are_drawn),
        TEST(the_longer_side_has_the_stated_pixels),
        TEST(areas_of_any_size_and_place_are_drawn),
        TEST(a_file_of_the_caller_gets_the_same_bytes),
        TEST(a_city_with_all_its_cells_stays_below_five_megabytes),
    };
    program_path = argv[0];
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
