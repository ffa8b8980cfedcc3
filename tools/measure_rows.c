// SPDX-License-Identifier: MIT
// measure_rows.c - what `acre bench` found: a flat list of figures.
#include "measure_rows.h"

#include "json_writer.h"

#include <stdlib.h>
#include <string.h>

void rows_add(measure_rows *rows, const char *contender, row_name name, sample_summary value)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity ? 2 * rows->capacity : 256;
        measure_row *const grown = realloc(rows->rows, capacity * sizeof *grown);
        if (!grown) {
            rows->is_out_of_memory = true;
            return;
        }
        rows->rows = grown;
        rows->capacity = capacity;
    }
    rows->rows[rows->count++] = (measure_row){rows->items, contender, name, value};
}

void rows_add_value(measure_rows *rows, const char *contender, row_name name, double value)
{
    rows_add(rows, contender, name, (sample_summary){value, value, value, value, value, 1});
}

void rows_add_samples(measure_rows *rows, const char *contender, row_name name, sample_list *list)
{
    if (list->count > 0) {
        rows_add(rows, contender, name, samples_summarise(list));
    }
}

void rows_free(measure_rows *rows)
{
    free(rows->rows);
    *rows = (measure_rows){0};
}

const measure_row *rows_find(const measure_rows *rows, uint32_t items, const char *contender,
                             const char *measure, const char *detail, const char *state)
{
    for (size_t i = 0; i < rows->count; i++) {
        const measure_row *const row = &rows->rows[i];
        if (row->items == items && strcmp(row->contender, contender) == 0 &&
            strcmp(row->name.measure, measure) == 0 && strcmp(row->name.detail, detail) == 0 &&
            strcmp(row->name.state, state) == 0) {
            return row;
        }
    }
    return NULL;
}

void rows_print_csv(const measure_rows *rows, const char *mode, FILE *out)
{
    fprintf(out, "mode,items,contender,measure,detail,state,unit,minimum,median,mean,p99.9,maximum,"
                 "samples\n");
    for (size_t i = 0; i < rows->count; i++) {
        const measure_row *const row = &rows->rows[i];
        const sample_summary *const value = &row->value;
        fprintf(out, "%s,%u,\"%s\",\"%s\",\"%s\",%s,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%zu\n", mode,
                (unsigned)row->items, row->contender, row->name.measure, row->name.detail,
                row->name.state, row->name.unit, value->least, value->median, value->mean,
                value->p999, value->most, value->count);
    }
}

static void add_json_row(json_writer *writer, cJSON *list, const measure_row *row)
{
    const sample_summary *const value = &row->value;
    cJSON *const object = json_add_row(writer, list);
    json_add_number(writer, object, "items", row->items);
    json_add_text(writer, object, "contender", row->contender);
    json_add_text(writer, object, "measure", row->name.measure);
    json_add_text(writer, object, "detail", row->name.detail);
    json_add_text(writer, object, "state", row->name.state);
    json_add_text(writer, object, "unit", row->name.unit);
    json_add_number(writer, object, "min", value->least);
    json_add_number(writer, object, "median", value->median);
    json_add_number(writer, object, "mean", value->mean);
    json_add_number(writer, object, "p99.9", value->p999);
    json_add_number(writer, object, "max", value->most);
    json_add_number(writer, object, "samples", (double)value->count);
}

char *rows_make_json(const measure_rows *rows, const char *mode)
{
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    json_add_text(&writer, root, "mode", mode);
    cJSON *const list = json_add_array(&writer, root, "rows");
    for (size_t i = 0; i < rows->count; i++) {
        add_json_row(&writer, list, &rows->rows[i]);
    }
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
