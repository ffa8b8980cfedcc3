// SPDX-License-Identifier: MIT
// measure_table.c - the writer of all tables of measuring programs.
#include "measure_table.h"

#include <string.h>

enum { TABLE_WIDTH = 100, LEAST_TITLE = 24, VALUE_WIDTH = 8, RATIO_WIDTH = 7 };

#define NOISE 0.95 // of the base's time: what is above is not called faster

static const char *either(const char *a, const char *b)
{
    return a ? a : b ? b : "";
}

static const measure_row *find(const measure_rows *rows, const measure_table *table,
                               const table_key *line, const table_key *column,
                               const char *contender, const char *state)
{
    return rows_find(rows, table->items,
                     contender ? contender : either(column->contender, line->contender),
                     either(column->measure, line->measure), either(column->detail, line->detail),
                     state ? state : either(column->state, line->state));
}

static const measure_row *find_cell(const measure_rows *rows, const measure_table *table,
                                    size_t line, size_t column)
{
    return find(rows, table, &table->lines[line], &table->columns[column], NULL, NULL);
}

static const char *title_of(const table_key *key)
{
    return either(key->title, either(key->contender, key->detail));
}

static double value_of(const measure_row *row, table_part part)
{
    switch (part) {
    case TABLE_LEAST:
        return row->value.least;
    case TABLE_P999:
        return row->value.p999;
    case TABLE_MOST:
        return row->value.most;
    default:
        return row->value.median;
    }
}

void table_number(char *out, size_t size, double value)
{
    const double digits = value < 0.0 ? -value : value;
    snprintf(out, size, "%.*f",
             digits < 1.0     ? 3
             : digits < 10.0  ? 2
             : digits < 100.0 ? 1
                              : 0,
             value);
}

static int width_of(const table_key *column)
{
    const char *const title = title_of(column);
    const int first = (int)strcspn(title, ","), rest = (int)strlen(title) - first - 1;
    const int width = column->has_ratio ? VALUE_WIDTH + RATIO_WIDTH : VALUE_WIDTH;
    const int longer = first + 1 > rest ? first + 1 : rest;
    return longer > width ? longer : width;
}

// At most TABLE_WIDTH characters and what one column adds; blanks at the end are not printed.
typedef struct text_line {
    char text[2 * TABLE_WIDTH];
    size_t length;
} text_line;

static void append(text_line *line, int width, const char *text)
{
    const size_t room = sizeof line->text - line->length;
    const int added = snprintf(line->text + line->length, room, "%*s", width, text);
    line->length += added < (int)room ? (size_t)added : room - 1;
}

static void print_text_line(text_line *line, FILE *out)
{
    while (line->length > 0 && line->text[line->length - 1] == ' ') {
        line->length--;
    }
    fprintf(out, "%.*s\n", (int)line->length, line->text);
    line->length = 0;
}

static void append_cell(const measure_rows *rows, const measure_table *table, size_t line,
                        size_t column, text_line *out)
{
    const table_key *const from = &table->lines[line], *const key = &table->columns[column];
    const measure_row *const row = find_cell(rows, table, line, column);
    const measure_row *const base = key->part == TABLE_FACTOR
                                        ? find(rows, table, from, key, NULL, key->over)
                                    : table->base ? find(rows, table, from, key, table->base, NULL)
                                                  : NULL;
    const double own = base ? value_of(base, key->part) : 0.0;
    const int width = width_of(key) - (key->has_ratio ? RATIO_WIDTH : 0);
    char number[32] = "-", ratio[32] = "";
    if (row && key->part == TABLE_UNIT) {
        append(out, 0, " ");
        append(out, 0, row->name.unit);
        return;
    }
    if (row && key->part == TABLE_FACTOR) {
        snprintf(number, sizeof number, "%.3f", own > 0.0 ? row->value.median / own : 0.0);
    } else if (row) {
        table_number(number, sizeof number, value_of(row, key->part));
    }
    append(out, width, number);
    if (row && row != base && own > 0.0 && key->has_ratio) {
        ratio[0] = 'x';
        table_number(ratio + 1, sizeof ratio - 1, value_of(row, key->part) / own);
    }
    if (key->has_ratio) {
        append(out, 0, " ");
        append(out, 1 - RATIO_WIDTH, ratio);
    }
}

static bool has_row(const measure_rows *rows, const measure_table *table, size_t line, size_t first,
                    size_t end)
{
    bool has_any = false;
    for (size_t column = first; column < end && !has_any; column++) {
        has_any = find_cell(rows, table, line, column) != NULL;
    }
    return has_any;
}

// In two lines where one has a comma.
static void print_titles(const measure_table *table, size_t first, size_t end, int title_width,
                         FILE *out)
{
    text_line above = {.length = 0}, below = {.length = 0};
    append(&above, -title_width, table->title);
    append(&below, -title_width, "");
    for (size_t column = first; column < end; column++) {
        const table_key *const key = &table->columns[column];
        const char *const title = title_of(key), *const comma = strchr(title, ',');
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(title, ","), title);
        append(&above, width_of(key), name);
        append(&below, width_of(key), comma ? comma + 2 : "");
    }
    fputc('\n', out);
    print_text_line(&above, out);
    if (strspn(below.text, " ") < below.length) {
        print_text_line(&below, out);
    }
}

static void print_block(const measure_rows *rows, const measure_table *table, size_t first,
                        size_t end, int title_width, FILE *out)
{
    text_line text = {.length = 0};
    bool has_title = false;
    for (size_t line = 0; line < table->line_count; line++) {
        if (!has_row(rows, table, line, first, end)) {
            continue;
        }
        if (!has_title) {
            print_titles(table, first, end, title_width, out);
            has_title = true;
        }
        append(&text, -title_width, title_of(&table->lines[line]));
        for (size_t column = first; column < end; column++) {
            append_cell(rows, table, line, column, &text);
        }
        print_text_line(&text, out);
    }
}

void table_print(const measure_rows *rows, const measure_table *table, FILE *out)
{
    int title_width = LEAST_TITLE;
    for (size_t line = 0; line < table->line_count; line++) {
        const int length = (int)snprintf(NULL, 0, "%s", title_of(&table->lines[line]));
        title_width = length > title_width ? length : title_width;
    }
    for (size_t first = 0, end; first < table->column_count; first = end) {
        int width = title_width;
        for (end = first; end < table->column_count; end++) {
            width += width_of(&table->columns[end]);
            if (width > TABLE_WIDTH && end > first) {
                break;
            }
        }
        print_block(rows, table, first, end, title_width, out);
    }
}

void table_print_spread(const measure_rows *rows, measure_table *table, FILE *out)
{
    static const table_key columns[] = {{.title = "minimum", .part = TABLE_LEAST},
                                        {.title = "median", .part = TABLE_MEDIAN},
                                        {.title = "p99.9", .part = TABLE_P999},
                                        {.title = "maximum", .part = TABLE_MOST},
                                        {.title = "", .part = TABLE_UNIT}};
    table->columns = columns;
    table->column_count = sizeof columns / sizeof columns[0];
    table_print(rows, table, out);
}

uint32_t table_print_losses(const measure_rows *rows, const measure_table *table, FILE *out)
{
    uint32_t losses = 0;
    for (size_t i = 0; i < table->line_count * table->column_count; i++) {
        const size_t line = i / table->column_count, column = i % table->column_count;
        const table_key *const from = &table->lines[line], *const key = &table->columns[column];
        const measure_row *const base = find(rows, table, from, key, table->base, NULL);
        const measure_row *const other = find_cell(rows, table, line, column);
        if (base && other && other->value.least < NOISE * base->value.least) {
            fprintf(out, "%s is faster: %u boxes, %s: x%.2f\n", title_of(key),
                    (unsigned)table->items, title_of(from), other->value.least / base->value.least);
            losses++;
        }
    }
    return losses;
}
