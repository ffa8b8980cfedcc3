// SPDX-License-Identifier: MIT
// quadtree_dump.c - a tree as text.
#include "quadtree_tree.h"

#include <acre/quadtree_inspect.h>

#include <stdio.h>
#include <string.h>

// Text on its way to the writer, a line at a time.
typedef struct dump_line {
    acre_text_writer write;
    void *user;
    bool has_failed;
    size_t length;
    char text[512];
} dump_line;

static void add_text(dump_line *line, const char *text)
{
    const size_t length = strlen(text);
    ACRE_INVARIANT(line->length + length <= sizeof line->text);
    memcpy(line->text + line->length, text, length);
    line->length += length;
}

static void add_number(dump_line *line, uint64_t number)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add_text(line, at);
}

// Locales differ in what stands before the fraction; here it is always a point.
static void add_float(dump_line *line, float value)
{
    char text[32], plain[32];
    size_t length = 0;
    snprintf(text, sizeof text, "%.9g", (double)value);
    for (const char *at = text; *at; at++) {
        const bool is_plain = strchr("+-0123456789einfa", *at) != NULL;
        if (is_plain || length == 0 || plain[length - 1] != '.') { // a point may have several bytes
            plain[length++] = is_plain ? *at : '.';
        }
    }
    plain[length] = '\0';
    add_text(line, plain);
}

static void add_point(dump_line *line, const float *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        add_text(line, i == 0 ? "(" : " ");
        add_float(line, numbers[i]);
    }
    add_text(line, ")");
}

static void add_range(dump_line *line, const char *name, const float *min, const float *max,
                      int count)
{
    add_text(line, name);
    add_point(line, min, count);
    add_text(line, "..");
    add_point(line, max, count);
}

static void end_line(dump_line *line)
{
    add_text(line, "\n");
    line->has_failed = line->has_failed || !line->write(line->user, line->text, line->length);
    line->length = 0;
}

static void write_tree(dump_line *line, const acre_quadtree *tree)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(tree, &stats);
    add_text(line, "quadtree: ");
    add_number(line, stats.items);
    add_text(line, " items, ");
    add_number(line, stats.nodes);
    add_text(line, " cells, ");
    add_number(line, stats.leaves);
    add_text(line, " leaves, depth ");
    add_number(line, stats.depth);
    add_text(line, ", finest cell ");
    add_float(line, stats.cell_size);
    end_line(line);
    add_text(line, "outliers: ");
    add_number(line, stats.outliers);
    add_text(line, " items");
    end_line(line);
}

static void write_cell(dump_line *line, const acre_quadtree *tree, uint32_t node)
{
    const acre_quadtree_place place = acre_place_of_node(tree, node);
    for (uint32_t i = 0; i < place.depth + place.bands; i++) {
        add_text(line, "  ");
    }
    add_text(line, "level ");
    add_number(line, place.level);
    add_text(line, ": ");
    add_number(line, place.items);
    add_text(line, place.is_leaf ? " items, leaf, " : " items, ");
    add_range(line, "cell ", place.cell_min, place.cell_max, 2);
    if (place.bands > 0) {
        add_range(line, ", band ", &place.band_low, &place.band_end, 1);
    }
    add_range(line, ", loose ", place.loose_min, place.loose_max, 2);
    if (acre_aabb_is_valid(&place.bounds)) {
        add_range(line, ", bounds ", place.bounds.min, place.bounds.max, 3);
    } else {
        add_text(line, ", no bounds");
    }
    end_line(line);
}

acre_result acre_quadtree_dump(const acre_quadtree *tree, uint32_t levels, acre_text_writer write,
                               void *user)
{
    if (!tree || !write) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    dump_line line = {.write = write, .user = user};
    tree_callback callback;
    begin_callback(&callback, tree);
    write_tree(&line, tree);
    const uint32_t top = node_level(tree, ROOT_NODE);
    for (uint32_t node = ROOT_NODE; node != NONE && !line.has_failed;) {
        const uint32_t depth = top - node_level(tree, node);
        ACRE_INVARIANT(depth <= MAX_LEVEL);
        write_cell(&line, tree, node);
        node =
            levels == 0 || depth + 1 < levels ? next_preorder(tree, node) : node_behind(tree, node);
    }
    end_callback(&callback);
    access_end_read(&tree->access);
    return line.has_failed ? ACRE_ERROR_IO : ACRE_OK;
}
