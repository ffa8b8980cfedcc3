// SPDX-License-Identifier: MIT
// json_value.c - prints one value of a JSON file, so that scripts can test what a program wrote.
//     json_value FILE KEY...      a KEY is a member's name or an element's number
// Exits with 1 if the file is no JSON, text follows it, or there is no such value.
#include <cjson/cJSON.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 20 };

static cJSON *read_json(const char *path)
{
    static char text[MOST_BYTES];
    FILE *const file = fopen(path, "r");
    if (!file) {
        return NULL;
    }
    const size_t length = fread(text, 1, sizeof text - 1, file);
    const int is_whole = feof(file);
    fclose(file);
    text[length] = '\0';
    return is_whole ? cJSON_ParseWithOpts(text, NULL, 1) : NULL;
}

int main(int argc, char **argv)
{
    cJSON *const root = argc > 1 ? read_json(argv[1]) : NULL;
    const cJSON *at = root;
    for (int i = 2; i < argc && at; i++) {
        at = isdigit((unsigned char)argv[i][0]) ? cJSON_GetArrayItem(at, atoi(argv[i]))
                                                : cJSON_GetObjectItemCaseSensitive(at, argv[i]);
    }
    char *const text = at && cJSON_IsString(at) ? NULL : cJSON_PrintUnformatted(at);
    if (at) {
        puts(text ? text : cJSON_GetStringValue(at));
    } else {
        fprintf(stderr, "json_value: %s: no JSON or no such value\n", argc > 1 ? argv[1] : "");
    }
    cJSON_free(text);
    cJSON_Delete(root);
    return at ? 0 : 1;
}
