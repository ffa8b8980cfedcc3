// SPDX-License-Identifier: MIT
// bench_files.c - the figures of `acre bench` as JSON and as comma-separated values.
#include "bench_report.h"
#include "json_writer.h"

#include <errno.h>
#include <string.h>

static void add_row(json_writer *writer, cJSON *array, const bench_row *row)
{
    cJSON *const object = json_add_row(writer, array);
    json_add_number(writer, object, "items", row->items);
    json_add_text(writer, object, "contender", row->contender);
    json_add_text(writer, object, "measure", row->measure);
    json_add_text(writer, object, "detail", row->detail);
    json_add_text(writer, object, "state", row->state);
    json_add_text(writer, object, "unit", row->unit);
    json_add_number(writer, object, "minimum", row->value.least);
    json_add_number(writer, object, "median", row->value.median);
    json_add_number(writer, object, "mean", row->value.mean);
    json_add_number(writer, object, "p99.9", row->value.p999);
    json_add_number(writer, object, "maximum", row->value.most);
    json_add_number(writer, object, "samples", (double)row->value.count);
}

static char *make_text(const bench_options *options, const bench_rows *rows)
{
    const bench_contender *const loop = bench_simd_loop(options->kernel);
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    char *text = NULL;
    if (root) {
        json_add_text(&writer, root, "processor", bench_processor());
        json_add_text(&writer, root, "compiler", bench_compiler());
        json_add_text(&writer, root, "yardstick", loop ? loop->name : bench_scalar.name);
        json_add_number(&writer, root, "views", options->views);
        cJSON *const array = json_add_array(&writer, root, "rows");
        for (size_t i = 0; i < rows->count; i++) {
            add_row(&writer, array, &rows->rows[i]);
        }
        text = writer.ok ? cJSON_Print(root) : NULL;
        cJSON_Delete(root);
    }
    return text;
}

bool bench_report_json(const bench_options *options, const bench_rows *rows, char *message,
                       size_t message_size)
{
    return json_write_file(make_text(options, rows), options->json_path, message, message_size);
}

static bool print_csv(const bench_rows *rows, FILE *file)
{
    bool is_good = fprintf(file, "items,contender,measure,detail,state,unit,minimum,median,mean,"
                                 "p99.9,maximum,samples\n") > 0;
    for (size_t i = 0; i < rows->count && is_good; i++) {
        const bench_row *const row = &rows->rows[i];
        is_good = fprintf(file, "%u,\"%s\",\"%s\",\"%s\",%s,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%zu\n",
                          (unsigned)row->items, row->contender, row->measure, row->detail,
                          row->state, row->unit, row->value.least, row->value.median,
                          row->value.mean, row->value.p999, row->value.most, row->value.count) > 0;
    }
    return is_good;
}

bool bench_report_csv(const bench_options *options, const bench_rows *rows, char *message,
                      size_t message_size)
{
    errno = 0;
    FILE *const file = fopen(options->csv_path, "w");
    bool is_written = file && print_csv(rows, file);
    is_written = file && fclose(file) == 0 && is_written;
    if (!is_written) {
        snprintf(message, message_size, "%s: %s", options->csv_path,
                 errno ? strerror(errno) : "cannot write");
    }
    return is_written;
}
