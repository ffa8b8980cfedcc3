// SPDX-License-Identifier: MIT
// debug_svg.c - an SVG back end of debug drawing, written piece by piece without memory.
//
// All numbers in the picture are whole hundredths of a pixel: no locale changes them, and an edge
// that two boxes share has the same digits in both.
#include <acre/debug_svg.h>

#include "assert_internal.h"
#include "float_bits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// XML readers limit the length of an attribute; libxml2 to 10 MB. This is 40 KB.
#define PATH_SHAPES 1000u
#define NOTE_HEIGHT 1100 // hundredths of a pixel

static void flush_svg(acre_debug_svg *svg)
{
    if (svg->result == ACRE_OK && svg->length > 0 &&
        !svg->write(svg->user, svg->buffer, svg->length)) {
        svg->result = ACRE_ERROR_IO;
    }
    svg->length = 0;
}

static void put_bytes(acre_debug_svg *svg, const char *bytes, size_t size)
{
    while (size > 0) {
        if (svg->length == sizeof svg->buffer) {
            flush_svg(svg);
        }
        const size_t room = sizeof svg->buffer - svg->length;
        const size_t part = size < room ? size : room;
        ACRE_INVARIANT(part > 0 && svg->length + part <= sizeof svg->buffer);
        memcpy(svg->buffer + svg->length, bytes, part);
        svg->length += part;
        bytes += part;
        size -= part;
    }
}

static void put(acre_debug_svg *svg, const char *text)
{
    put_bytes(svg, text, strlen(text));
}

// A number of hundredths, without needless digits: -.5, 12, 7.25.
static void put_number(acre_debug_svg *svg, int64_t hundredths)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = hundredths < 0 ? (uint64_t)-hundredths : (uint64_t)hundredths;
    const uint64_t fraction = rest % 100;
    rest /= 100;
    if (fraction > 0) {
        if (fraction % 10 > 0) {
            digits[--at] = (char)('0' + fraction % 10);
        }
        digits[--at] = (char)('0' + fraction / 10);
        digits[--at] = '.';
    }
    for (; rest > 0 || at == sizeof digits; rest /= 10) {
        ACRE_INVARIANT(at > 1);
        digits[--at] = (char)('0' + rest % 10);
    }
    if (hundredths < 0) {
        digits[--at] = '-';
    }
    put_bytes(svg, digits + at, sizeof digits - at);
}

// Writes a pattern with a number of hundredths in place of each #.
static void put_pattern(acre_debug_svg *svg, const char *pattern, const int64_t *numbers)
{
    for (const char *at = pattern; *at; at++) {
        if (*at == '#') {
            put_number(svg, *numbers++);
        } else {
            put_bytes(svg, at, 1);
        }
    }
}

// name="#rrggbb" name-opacity=".5"; alpha is 0..255.
static void put_color(acre_debug_svg *svg, const char *name, uint32_t rgba, uint32_t alpha)
{
    static const char hex[] = "0123456789abcdef";
    put(svg, " ");
    put(svg, name);
    put(svg, "=\"#");
    for (int shift = 28; shift >= 8; shift -= 4) {
        put_bytes(svg, &hex[rgba >> shift & 15u], 1);
    }
    put(svg, "\"");
    if (alpha < 255) {
        put(svg, " ");
        put(svg, name);
        put_pattern(svg, "-opacity=\"#\"", &(int64_t){(alpha * 100u + 127u) / 255});
    }
}

// Length of the character at text where it is whole UTF-8 that XML allows, else 0.
static size_t character_length(const unsigned char *text)
{
    const unsigned char first = text[0];
    if (first < 0x80) {
        return first >= 0x20 || first == '\t' || first == '\n';
    }
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    uint32_t value = first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0; // also at the end of the text
        }
        value = value << 6 | (text[i] & 0x3fu);
    }
    const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
    const bool is_overlong = value < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
    return is_surrogate || is_overlong || value > 0x10ffff || (value & 0xfffe) == 0xfffe ? 0
                                                                                         : length;
}

static void put_escaped(acre_debug_svg *svg, const char *text)
{
    static const char marks[] = "&<>\"";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    while (*text) {
        const size_t length = character_length((const unsigned char *)text);
        const char *const mark = strchr(marks, *text);
        if (mark) {
            put(svg, names[mark - marks]);
        } else if (length > 0) {
            put_bytes(svg, text, length);
        } else {
            put(svg, "\xef\xbf\xbd");
        }
        text += length > 0 ? length : 1;
    }
}

// World to hundredths of a pixel, axis 0: x, 1: z.
static double to_picture(const acre_debug_svg *svg, int axis, float world)
{
    return ((double)world - svg->origin[axis]) * svg->scale;
}

static int64_t rounded(double value)
{
    return (int64_t)floor(value + 0.5);
}

static void end_path(acre_debug_svg *svg)
{
    if (svg->path_shape > 0) {
        put(svg, "\"/>\n");
        svg->path_shape = 0;
    }
}

// Opens a path of this color, or goes on with it.
static void begin_shape(acre_debug_svg *svg, uint32_t rgba)
{
    if (svg->path_shape == PATH_SHAPES || svg->path_rgba != rgba) {
        end_path(svg);
    }
    ACRE_INVARIANT(svg->path_shape < PATH_SHAPES);
    if (svg->path_shape++ == 0) {
        svg->path_rgba = rgba;
        put(svg, "<path");
        put_color(svg, "stroke", rgba, rgba & 255u);
        if (svg->fill > 0) {
            put_color(svg, "fill", rgba, (rgba & 255u) * svg->fill / 255u);
        }
        put(svg, " d=\"");
    }
}

static bool can_draw(const acre_debug_svg *svg)
{
    return svg->is_open && svg->has_layer && svg->result == ACRE_OK;
}

// Edges outside of the picture are moved close to its border, where they are not seen.
static void draw_svg_box(void *user, const acre_aabb *box, uint32_t rgba)
{
    acre_debug_svg *const svg = (acre_debug_svg *)user;
    if (!can_draw(svg) || !box || !acre_aabb_is_valid(box)) {
        return;
    }
    int64_t low[2], size[2];
    for (int axis = 0; axis < 2; axis++) {
        const double first = to_picture(svg, axis, box->min[axis * 2]);
        const double last = to_picture(svg, axis, box->max[axis * 2]);
        if (!(first <= svg->limit[axis] + svg->reach && last >= -svg->reach)) {
            return;
        }
        low[axis] = rounded(fmax(first, -svg->reach));
        size[axis] = rounded(fmin(last, svg->limit[axis] + svg->reach)) - low[axis];
        size[axis] = size[axis] > 0 ? size[axis] : 1; // a shape without extent has no outline
    }
    ACRE_INVARIANT(size[0] > 0 && size[1] > 0);
    begin_shape(svg, rgba);
    put_pattern(svg, "M# #h#v#h#z", (int64_t[]){low[0], low[1], size[0], size[1], -size[0]});
}

// Moves the end of the line a-b that is beyond a side of the picture, where sign * p[axis] >
// limit, onto that side. The crossing is calculated from the end that is nearer to the side: a far
// one has too few digits.
// @return false if the whole line is beyond.
static bool clip_to_side(double *a, double *b, int axis, double sign, double limit)
{
    const double side = sign * limit;
    const bool is_a_beyond = sign * a[axis] > limit;
    const bool is_b_beyond = sign * b[axis] > limit;
    if (is_a_beyond != is_b_beyond) {
        const bool is_a_nearer = fabs(a[axis] - side) < fabs(b[axis] - side);
        const double *const near = is_a_nearer ? a : b;
        const double *const far = is_a_nearer ? b : a;
        const double share = (side - near[axis]) / (far[axis] - near[axis]);
        const double crossing = near[!axis] + share * (far[!axis] - near[!axis]);
        double *const moved = is_a_beyond ? a : b;
        moved[axis] = side;
        moved[!axis] = crossing;
    }
    return !(is_a_beyond && is_b_beyond);
}

static void draw_svg_line(void *user, const float *a, const float *b, uint32_t rgba)
{
    acre_debug_svg *const svg = (acre_debug_svg *)user;
    if (!can_draw(svg) || !a || !b) {
        return;
    }
    double from[2], to[2];
    for (int axis = 0; axis < 2; axis++) {
        if (!float_is_finite(a[axis * 2]) || !float_is_finite(b[axis * 2])) {
            return;
        }
        from[axis] = to_picture(svg, axis, a[axis * 2]);
        to[axis] = to_picture(svg, axis, b[axis * 2]);
    }
    for (int axis = 0; axis < 2; axis++) {
        if (!clip_to_side(from, to, axis, -1.0, svg->reach) ||
            !clip_to_side(from, to, axis, 1.0, svg->limit[axis] + svg->reach)) {
            return;
        }
    }
    begin_shape(svg, rgba);
    const int64_t x = rounded(from[0]), y = rounded(from[1]);
    put_pattern(svg, "M# #l# #", (int64_t[]){x, y, rounded(to[0]) - x, rounded(to[1]) - y});
}

static void draw_svg_text(void *user, const float *at, const char *text, uint32_t rgba)
{
    acre_debug_svg *const svg = (acre_debug_svg *)user;
    if (!can_draw(svg) || !at || !text) {
        return;
    }
    double place[2];
    for (int axis = 0; axis < 2; axis++) {
        place[axis] = to_picture(svg, axis, at[axis * 2]);
        if (!(place[axis] >= 0.0 && place[axis] <= svg->limit[axis])) {
            return;
        }
    }
    end_path(svg);
    put_pattern(svg, "<text x=\"#\" y=\"#\"", (int64_t[]){rounded(place[0]), rounded(place[1])});
    put_color(svg, "fill", rgba, rgba & 255u);
    put(svg, ">");
    put_escaped(svg, text);
    put(svg, "</text>\n");
}

static bool is_good_def(const acre_debug_svg_def *def)
{
    if (!def || !def->write || (def->size > 0 && (def->size < 16 || def->size > 32768))) {
        return false;
    }
    for (int axis = 0; axis < 2; axis++) {
        if (!float_is_finite(def->min[axis]) || !float_is_finite(def->max[axis]) ||
            !(def->max[axis] > def->min[axis])) {
            return false;
        }
    }
    return true;
}

// Sets scale and limit: the longer side gets all pixels, the other at least one.
static void fit_area(acre_debug_svg *svg, const acre_debug_svg_def *def)
{
    const double pixels = def->size > 0 ? (double)def->size : 1024.0;
    const double extent[2] = {(double)def->max[0] - (double)def->min[0],
                              (double)def->max[1] - (double)def->min[1]};
    svg->scale = 100.0 * pixels / fmax(extent[0], extent[1]);
    for (int axis = 0; axis < 2; axis++) {
        svg->origin[axis] = (double)def->min[axis];
        svg->limit[axis] = 100.0 * fmax(1.0, ceil(extent[axis] * svg->scale / 100.0));
    }
}

static void put_head(acre_debug_svg *svg, const acre_debug_svg_def *def)
{
    const int64_t width = rounded(svg->limit[0]), height = rounded(svg->limit[1]);
    put_pattern(svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\""
                " xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\""
                " width=\"#\" height=\"#\" viewBox=\"0 0 # #\">\n",
                (int64_t[]){width, height, width, height});
    if (def->title) {
        put(svg, "<title>");
        put_escaped(svg, def->title);
        put(svg, "</title>\n");
    }
    const uint32_t background = def->background ? def->background : UINT32_MAX;
    put(svg, "<rect width=\"100%\" height=\"100%\"");
    put_color(svg, "fill", background, background & 255u);
    put(svg, "/>\n");
    if (def->note) {
        put_pattern(svg, "<text font-family=\"sans-serif\" font-size=\"#\" x=\"4\" y=\"#\">",
                    (int64_t[]){NOTE_HEIGHT, height - 400});
        put_escaped(svg, def->note);
        put(svg, "</text>\n");
    }
}

acre_result acre_debug_svg_begin(acre_debug_svg *svg, const acre_debug_svg_def *def)
{
    if (!svg) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *svg = (acre_debug_svg){.is_open = false};
    if (!is_good_def(def)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    svg->write = def->write;
    svg->user = def->user;
    svg->is_open = true;
    fit_area(svg, def);
    put_head(svg, def);
    return svg->result;
}

static void end_layer(acre_debug_svg *svg)
{
    end_path(svg);
    if (svg->has_layer) {
        put(svg, "</g>\n");
        svg->has_layer = false;
    }
}

static const char *kind_name(uint32_t kinds)
{
    static const char *const names[] = {"strict cells", "loose cells", "stored bounds",
                                        "items",        "counts",      "groups"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (kinds >> i & 1u) {
            return names[i];
        }
    }
    return "shapes";
}

static bool is_between(float value, float low, float high)
{
    return !float_is_nan(value) && value >= low && value <= high;
}

static void put_layer(acre_debug_svg *svg, const acre_debug_svg_style *style)
{
    ACRE_INVARIANT(!svg->has_layer && svg->path_shape == 0);
    const double line_width = style->line_width > 0.0f ? (double)style->line_width : 1.0;
    const double text_height = style->text_height > 0.0f ? (double)style->text_height : 10.0;
    svg->reach = 100.0 * (line_width + 1.0);
    svg->fill = (uint32_t)rounded((double)style->fill * 255.0);
    put(svg, "<g class=\"layer\" inkscape:groupmode=\"layer\" inkscape:label=\"");
    put_escaped(svg, style->name ? style->name : kind_name(style->kinds));
    put_pattern(svg,
                "\" font-family=\"sans-serif\" text-anchor=\"middle\" font-size=\"#\""
                " stroke-width=\"#\"",
                (int64_t[]){rounded(100.0 * text_height), rounded(100.0 * line_width)});
    if (style->is_hidden) {
        put(svg, " display=\"none\"");
    }
    put(svg, svg->fill > 0 ? ">\n" : " fill=\"none\">\n");
    svg->has_layer = true;
}

acre_result acre_debug_svg_layer(acre_debug_svg *svg, const acre_debug_svg_style *style,
                                 acre_debug_draw *draw)
{
    static const acre_debug_svg_style plain = {.kinds = 0};
    const acre_debug_svg_style *const chosen = style ? style : &plain;
    if (draw) {
        *draw = (acre_debug_draw){.user = NULL};
    }
    if (!svg || !draw || !svg->is_open || !is_between(chosen->line_width, 0.0f, 100.0f) ||
        !is_between(chosen->text_height, 0.0f, 1000.0f) || !is_between(chosen->fill, 0.0f, 1.0f)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    end_layer(svg);
    put_layer(svg, chosen);
    if (svg->result == ACRE_OK) {
        *draw = (acre_debug_draw){.user = svg,
                                  .flags = chosen->kinds,
                                  .line = draw_svg_line,
                                  .box = draw_svg_box,
                                  .text = draw_svg_text};
    }
    return svg->result;
}

// Lists the layers in the upper left corner, in the color of their first shape; a click switches
// one. Readers of SVG without scripts show the picture without the list.
static const char layer_list[] =
    "<script><![CDATA[\n"
    "document.querySelectorAll('g.layer').forEach(function (layer, i) {\n"
    "  var entry = document.createElementNS(layer.namespaceURI, 'text');\n"
    "  var shape = layer.querySelector('[stroke]') || layer.querySelector('[fill]');\n"
    "  function mark() {\n"
    "    entry.setAttribute('opacity', layer.getAttribute('display') == 'none' ? 0.4 : 1);\n"
    "  }\n"
    "  entry.textContent = layer.getAttribute('inkscape:label');\n"
    "  entry.setAttribute('x', 8);\n"
    "  entry.setAttribute('y', 18 + 16 * i);\n"
    "  entry.setAttribute('fill', shape && (shape.getAttribute('stroke') ||\n"
    "                                       shape.getAttribute('fill')) || '#000');\n"
    "  entry.setAttribute('style', 'font: 13px sans-serif; cursor: pointer');\n"
    "  entry.addEventListener('click', function () {\n"
    "    if (layer.getAttribute('display') == 'none') layer.removeAttribute('display');\n"
    "    else layer.setAttribute('display', 'none');\n"
    "    mark();\n"
    "  });\n"
    "  mark();\n"
    "  document.documentElement.appendChild(entry);\n"
    "});\n"
    "]]></script>\n";

acre_result acre_debug_svg_end(acre_debug_svg *svg)
{
    if (!svg || !svg->is_open) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    end_layer(svg);
    put(svg, layer_list);
    put(svg, "</svg>\n");
    flush_svg(svg);
    svg->is_open = false;
    return svg->result;
}

bool acre_debug_svg_to_file(void *file, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)file) == size;
}
