// SPDX-License-Identifier: MIT
// picture_page.c - an SVG file with a map of the ground on it: x to the right, z down.
#include "picture_page.h"

#include <math.h>

static void write_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? ' ' : *text, file); // XML allows no control bytes
        }
    }
}

bool page_open(picture_page *page, const char *path, const acre_aabb *world, const char *title)
{
    char message[256];
    *page = (picture_page){0};
    if (path[0] == '\0' || !output_open(&page->output, path, message, sizeof message)) {
        return false;
    }
    page->file = page->output.stream;
    const double width = (double)world->max[0] - (double)world->min[0];
    const double depth = (double)world->max[2] - (double)world->min[2];
    const double larger = fmax(fmax(width, depth), 1e-3); // a single point gets a page as well
    page->scale = PAGE_WIDTH / larger;
    // The map is as wide as the page; a narrow world stands in its middle.
    page->origin[0] = (double)world->min[0] - 0.5 * (larger - width);
    page->origin[1] = (double)world->min[2];
    page->height = lround(fmax(page->scale * depth, PAGE_WIDTH * 0.25));
    const long full_width = PAGE_WIDTH + 2 * PAGE_MARGIN;
    const long full_height = page->height + 2 * PAGE_MARGIN + PAGE_LEGEND;
    fprintf(page->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%ld\" "
            "viewBox=\"%d %d %ld %ld\">\n<title>",
            PAGE_PIXELS, PAGE_PIXELS * full_height / full_width, -PAGE_MARGIN, -PAGE_MARGIN,
            full_width, full_height);
    write_escaped(page->file, title);
    fprintf(page->file,
            "</title>\n<clipPath id=\"map\"><rect width=\"%d\" height=\"%ld\"/>"
            "</clipPath>\n",
            PAGE_WIDTH, page->height);
    return true;
}

bool page_close(picture_page *page)
{
    if (!page->file) {
        return false;
    }
    fputs("</svg>\n", page->file);
    char message[256];
    page->file = NULL;
    return output_close(&page->output, message, sizeof message);
}

void page_begin_layer(picture_page *page, const char *name, const char *style)
{
    fprintf(page->file, "<g id=\"%s\" clip-path=\"url(#map)\"><path style=\"%s\" d=\"", name,
            style);
}

void page_end_layer(picture_page *page)
{
    fputs("\"/></g>\n", page->file);
}

static long to_units(double value)
{
    return lround(fmin(fmax(value, -10.0 * PAGE_WIDTH), 10.0 * PAGE_WIDTH));
}

double page_x(const picture_page *page, double x)
{
    return (x - page->origin[0]) * page->scale;
}

double page_z(const picture_page *page, double z)
{
    return (z - page->origin[1]) * page->scale;
}

void page_move(picture_page *page, double x, double z)
{
    page->last[0] = to_units(page_x(page, x));
    page->last[1] = to_units(page_z(page, z));
    fprintf(page->file, "M%ld %ld", page->last[0], page->last[1]);
}

void page_line(picture_page *page, double x, double z)
{
    const long at[2] = {to_units(page_x(page, x)), to_units(page_z(page, z))};
    const long step[2] = {at[0] - page->last[0], at[1] - page->last[1]};
    if (step[0] || step[1]) {
        fprintf(page->file, step[1] < 0 ? "l%ld%ld" : "l%ld %ld", step[0], step[1]);
    }
    page->last[0] = at[0];
    page->last[1] = at[1];
}

void page_shut(picture_page *page)
{
    fputs("z\n", page->file);
}

void page_rectangle(picture_page *page, const acre_aabb *box)
{
    page_move(page, (double)box->min[0], (double)box->min[2]);
    page_line(page, (double)box->max[0], (double)box->min[2]);
    page_line(page, (double)box->max[0], (double)box->max[2]);
    page_line(page, (double)box->min[0], (double)box->max[2]);
    page_shut(page);
}

void page_text(picture_page *page, double x, double z, const char *style, const char *text)
{
    fprintf(page->file, "<text x=\"%ld\" y=\"%ld\" style=\"%s\">", to_units(x), to_units(z), style);
    write_escaped(page->file, text);
    fputs("</text>\n", page->file);
}
