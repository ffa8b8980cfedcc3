// SPDX-License-Identifier: MIT
// occluders_command.c - `acre occluders`: writes what is found in the meshes of a glTF into it.
//
// Only the JSON changes. Of a .glb all other bytes stay as they are, and so do the files beside a
// .gltf. What was written is parsed once more and compared, so that nothing is lost on the way:
// cJSON holds neither numbers beyond a double nor a zero within a text.
#include "occluders_command.h"

#include "import_sandbox.h"
#include "inspect_occluders.h"
#include "inspect_print.h"
#include "output_file.h"
#include "plain_file.h"

#include <cjson/cJSON.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct occluders_options {
    const char *path, *out_path, *json_path;
    bool anew, help;
} occluders_options;

static const option_spec specs[] = {
    {"anew", OPTION_FLAG, offsetof(occluders_options, anew),
     .help = "forget what the file states: all nodes get what is found"},
    {"json", OPTION_TEXT, offsetof(occluders_options, json_path), "OUT",
     .help = "also write what is printed as JSON"},
    {"help", OPTION_HELP, offsetof(occluders_options, help), .help = "this text"},
};

static const option_example examples[] = {{"acre occluders town.glb town_occluders.glb",
                                           "the same model; its houses hide what is behind"},
                                          {NULL, NULL}};

const option_table occluders_option_table = {
    .usage = "acre occluders FILE OUT [options]",
    .about = "Finds the largest prisms inside the meshes of a glTF that are opaque and closed, or "
             "open below on the ground, and writes them into extras.acre_occluders of their nodes. "
             "Nodes that have some keep theirs. All bytes but those of the JSON stay as they are. "
             "OUT may be FILE.",
    .end = "Exit status: 0 all well, 1 the file cannot be read or written, 2 bad arguments.",
    .examples = examples,
    .specs = specs,
    .count = sizeof specs / sizeof specs[0],
    .operand = {"file", "the glTF that is read", offsetof(occluders_options, path)},
    .second = {"file", "the glTF that is written", offsetof(occluders_options, out_path)}};

// A glTF: its JSON, and the bytes around it.
typedef struct gltf_parts {
    unsigned char *bytes;
    size_t size, start, end; // of all; the JSON is from start to end
    bool is_binary;
    cJSON *root;
} gltf_parts;

static size_t word_of(const unsigned char *bytes)
{
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

static void put_word(unsigned char *bytes, size_t word)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(word >> 8 * i);
    }
}

static bool read_whole(const char *path, gltf_parts *out)
{
    FILE *const file = plain_file_open(AT_FDCWD, path);
    const long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size > 0 && fseek(file, 0, SEEK_SET) == 0) {
        out->bytes = malloc((size_t)size);
        out->size = out->bytes ? fread(out->bytes, 1, (size_t)size, file) : 0;
    }
    if (file) {
        fclose(file);
    }
    return size > 0 && out->size == (size_t)size;
}

static bool open_parts(const char *path, gltf_parts *out, char *message, size_t message_size)
{
    if (!read_whole(path, out)) {
        snprintf(message, message_size, "%s: it cannot be read", path);
        return false;
    }
    out->end = out->size;
    out->is_binary = out->size >= 20 && memcmp(out->bytes, "glTF", 4) == 0;
    if (out->is_binary) {
        out->start = 20;
        const size_t length = word_of(out->bytes + 12);
        out->end = length <= out->size - 20 ? 20 + length : out->start;
    }
    out->root = cJSON_ParseWithLength((const char *)out->bytes + out->start, out->end - out->start);
    if (!out->root) {
        snprintf(message, message_size, "%s: its JSON cannot be read", path);
    }
    return out->root != NULL;
}

// ---- the occluders as JSON ----

// The shortest decimal number that is the same float.
static double short_number(float number)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", (double)number);
    return strtod(text, NULL);
}

static cJSON *occluder_json(const acre_occluder *occluder)
{
    cJSON *const out = cJSON_CreateObject();
    cJSON *const points = cJSON_AddArrayToObject(out, "points");
    bool is_good = points != NULL;
    for (uint32_t k = 0; k < occluder->point_count && is_good; k++) {
        const double pair[2] = {short_number(occluder->points[k][0]),
                                short_number(occluder->points[k][1])};
        is_good = cJSON_AddItemToArray(points, cJSON_CreateDoubleArray(pair, 2));
    }
    if (isfinite(occluder->bottom)) {
        is_good &= cJSON_AddNumberToObject(out, "bottom", short_number(occluder->bottom)) != NULL;
    }
    is_good &= cJSON_AddNumberToObject(out, "top", short_number(occluder->top)) != NULL;
    if (occluder->flags & ACRE_OCCLUDER_TWO_SIDED) {
        is_good &= cJSON_AddTrueToObject(out, "two_sided") != NULL;
    }
    if (!is_good) {
        cJSON_Delete(out);
    }
    return is_good ? out : NULL;
}

// Puts a node's occluders into its extras, which may be missing. Other extras than an object are
// someone's own, and stay. Returns false where memory is short.
static bool set_extras(cJSON *node, const acre_occluder *occluders, uint32_t count, bool anew)
{
    cJSON *extras = cJSON_GetObjectItemCaseSensitive(node, "extras");
    if ((extras && !cJSON_IsObject(extras)) ||
        (!anew && cJSON_HasObjectItem(extras, "acre_occluders"))) {
        return true;
    }
    if (!extras && count > 0) {
        extras = cJSON_AddObjectToObject(node, "extras");
    }
    cJSON_DeleteItemFromObjectCaseSensitive(extras, "acre_occluders");
    cJSON *const list = count > 0 ? cJSON_AddArrayToObject(extras, "acre_occluders") : NULL;
    bool is_good = count == 0 || list != NULL;
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = cJSON_AddItemToArray(list, occluder_json(&occluders[i]));
    }
    return is_good;
}

// Writes what was found into the nodes. Instances share a node of the file, which states some only
// if they are good for each of them.
static bool set_all_extras(cJSON *root, const acre_import_model *found, bool anew)
{
    cJSON *const list = cJSON_GetObjectItemCaseSensitive(root, "nodes");
    const size_t count = (size_t)cJSON_GetArraySize(list);
    const acre_import_node **const least = calloc(count + 1, sizeof *least);
    for (uint32_t i = 0; i < found->node_count && least; i++) {
        const acre_import_node *const node = &found->nodes[i];
        if (node->file_node < count && node->mesh_count > 0 &&
            (!least[node->file_node] ||
             node->occluder_count < least[node->file_node]->occluder_count)) {
            least[node->file_node] = node;
        }
    }
    bool is_good = least != NULL;
    size_t number = 0;
    for (cJSON *item = list ? list->child : NULL; item && is_good; item = item->next) {
        const acre_import_node *const node = least[number++];
        if (node) {
            is_good = set_extras(item, found->occluders + node->first_occluder,
                                 node->occluder_count, anew);
        }
    }
    free(least);
    return is_good;
}

// ---- the file ----

static bool write_parts(const gltf_parts *parts, const char *text, output_file *out)
{
    const size_t length = strlen(text),
                 padded = parts->is_binary ? (length + 3) & ~(size_t)3 : length;
    const size_t rest = parts->size - parts->end;
    bool is_good = true;
    if (parts->is_binary) {
        unsigned char head[20];
        memcpy(head, parts->bytes, sizeof head);
        put_word(head + 8, word_of(head + 8) - (parts->end - parts->start) + padded);
        put_word(head + 12, padded);
        is_good = fwrite(head, 1, sizeof head, out->stream) == sizeof head;
    }
    is_good = is_good && fwrite(text, 1, length, out->stream) == length &&
              fwrite("   ", 1, padded - length, out->stream) == padded - length;
    return is_good && fwrite(parts->bytes + parts->end, 1, rest, out->stream) == rest;
}

static bool write_file(const gltf_parts *parts, const char *path, char *message,
                       size_t message_size)
{
    char *const text =
        parts->is_binary ? cJSON_PrintUnformatted(parts->root) : cJSON_Print(parts->root);
    cJSON *const again = text ? cJSON_Parse(text) : NULL;
    const bool is_same = again && cJSON_Compare(again, parts->root, true);
    const bool is_small = text && parts->size + strlen(text) < UINT32_MAX;
    output_file out = {0};
    bool is_good = is_same && is_small;
    if (!is_good) {
        snprintf(message, message_size, "%s: its JSON cannot be written without loss", path);
    } else {
        is_good = output_open(&out, path, message, message_size);
    }
    if (is_good && !write_parts(parts, text, &out)) {
        snprintf(message, message_size, "%s: it cannot be written", path);
        output_discard(&out);
        is_good = false;
    }
    is_good = is_good && output_close(&out, message, message_size);
    cJSON_Delete(again);
    free(text);
    return is_good;
}

static bool find_and_write(const occluders_options *options, const acre_import_model *model,
                           gltf_parts *parts, inspect_rows *rows, char *message,
                           size_t message_size)
{
    const acre_import_find_def def = {.replace = options->anew};
    acre_import_finding *const findings = calloc(model->node_count, sizeof *findings);
    acre_import_model *found = NULL;
    bool is_good = findings &&
                   acre_import_find_occluders(model, &def, findings, &found) == ACRE_OK &&
                   set_all_extras(parts->root, found, options->anew);
    if (!is_good) {
        snprintf(message, message_size, "%s: memory is short", options->path);
    } else {
        inspect_add_findings(found, findings, rows);
        is_good = write_file(parts, options->out_path, message, message_size);
    }
    acre_import_free(found);
    free(findings);
    return is_good;
}

int occluders_command(int argc, char **argv)
{
    occluders_options options = {0};
    char message[640];
    if (!options_parse(&occluders_option_table, argc, argv, &options, message, sizeof message)) {
        return options_complain("occluders", message, 2);
    }
    if (options.help || !options.out_path) {
        options_print_help(&occluders_option_table, options.help ? stdout : stderr);
        return options.help ? 0 : 2;
    }
    acre_import_model *model = NULL;
    gltf_parts parts = {0};
    inspect_rows rows = {.count = 0};
    bool is_good =
        import_sandbox_file(options.path, NULL, &model, message, sizeof message) == ACRE_OK &&
        open_parts(options.path, &parts, message, sizeof message) &&
        find_and_write(&options, model, &parts, &rows, message, sizeof message) &&
        inspect_print_rows(&rows, options.json_path, message, sizeof message);
    cJSON_Delete(parts.root);
    free(parts.bytes);
    acre_import_free(model);
    return is_good ? 0 : options_complain("occluders", message, 1);
}
