// SPDX-License-Identifier: MIT
// inspect_print.c - rows on the standard output and as JSON.
#include "inspect_print.h"

#include "json_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether a row is a number and nothing else. A hash, which may look like one, has 16 characters.
static bool is_number(const char *words)
{
    const size_t size = strlen(words);
    return size > 0 && size < 16 && strspn(words, "-.0123456789") == size &&
           strspn(words + size - 1, "0123456789") == 1;
}

bool inspect_print_rows(const inspect_rows *rows, const char *json_path, char *message,
                        size_t message_size)
{
    for (size_t i = 0; i < rows->count; i++) {
        printf("%-24s%s\n", rows->rows[i].name, rows->rows[i].text);
    }
    if (!json_path) {
        return true;
    }
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    for (size_t i = 0; i < rows->count; i++) {
        const char *const words = rows->rows[i].text;
        if (is_number(words)) {
            json_add_number(&writer, root, rows->rows[i].name, strtod(words, NULL));
        } else {
            json_add_text(&writer, root, rows->rows[i].name, words);
        }
    }
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return json_write_file(text, json_path, message, message_size);
}
