// SPDX-License-Identifier: MIT
// json_writer.h - what the commands of `acre` share when they write JSON.
#ifndef ACRE_TOOLS_JSON_WRITER_H
#define ACRE_TOOLS_JSON_WRITER_H

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>

// cJSON answers NULL where memory is short, and its adding functions pass NULL on; the text then
// comes out NULL or without that part. `ok` remembers it.
typedef struct json_writer {
    bool ok;
} json_writer;

// All take a NULL parent and then only remember the failure.
cJSON *json_add_object(json_writer *writer, cJSON *parent, const char *name);
cJSON *json_add_array(json_writer *writer, cJSON *parent, const char *name);

// An object at the end of an array. NULL when memory is short.
cJSON *json_add_row(json_writer *writer, cJSON *array);

void json_add_number(json_writer *writer, cJSON *parent, const char *name, double value);
void json_add_text(json_writer *writer, cJSON *parent, const char *name, const char *value);
void json_add_flag(json_writer *writer, cJSON *parent, const char *name, bool value);

// Writes a text that cJSON printed and frees it; NULL: memory was short. Returns false and a
// message that names the file where it cannot be written.
bool json_write_file(char *text, const char *path, char *message, size_t message_size);

#endif
