// SPDX-License-Identifier: MIT
// json_writer.c - what the commands of `acre` share when they write JSON.
#include "json_writer.h"

#include "output_file.h"

#include <stdio.h>

cJSON *json_add_object(json_writer *writer, cJSON *parent, const char *name)
{
    cJSON *const object = cJSON_AddObjectToObject(parent, name);
    writer->ok = writer->ok && object;
    return object;
}

cJSON *json_add_array(json_writer *writer, cJSON *parent, const char *name)
{
    cJSON *const array = cJSON_AddArrayToObject(parent, name);
    writer->ok = writer->ok && array;
    return array;
}

cJSON *json_add_row(json_writer *writer, cJSON *array)
{
    cJSON *const row = cJSON_CreateObject();
    if (row && cJSON_AddItemToArray(array, row)) {
        return row;
    }
    cJSON_Delete(row);
    writer->ok = false;
    return NULL;
}

void json_add_number(json_writer *writer, cJSON *parent, const char *name, double value)
{
    writer->ok = cJSON_AddNumberToObject(parent, name, value) && writer->ok;
}

void json_add_text(json_writer *writer, cJSON *parent, const char *name, const char *value)
{
    writer->ok = cJSON_AddStringToObject(parent, name, value) && writer->ok;
}

void json_add_flag(json_writer *writer, cJSON *parent, const char *name, bool value)
{
    writer->ok = cJSON_AddBoolToObject(parent, name, value) && writer->ok;
}

bool json_write_file(char *text, const char *path, char *message, size_t message_size)
{
    if (!text) {
        snprintf(message, message_size, "%s: out of memory", path);
        return false;
    }
    output_file file;
    bool is_written = output_open(&file, path, message, message_size);
    if (is_written) {
        fprintf(file.stream, "%s\n", text);
        is_written = output_close(&file, message, message_size);
    }
    cJSON_free(text);
    return is_written;
}
