// SPDX-License-Identifier: MIT
// gltf_check.c - compares the bounds that were imported with what a glTF says of itself.
#include "gltf_check.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum list_name { NODES, MESHES, ACCESSORS, VIEWS, BUFFERS, SKINS, LIST_COUNT } list_name;

typedef struct box {
    double low[3], high[3];
} box;

// An affine map: out[k] = base[k] + sum of at[i] * axes[i][k].
typedef struct place {
    double axes[3][3], base[3];
} place;

typedef struct span {
    unsigned char *bytes;
    size_t size;
    bool is_own; // it is to be freed
} span;

typedef struct gltf_text {
    unsigned char *bytes;
    size_t size;
    span *buffers; // where they are needed; the first is a .glb's own, where it has no URI
    span chunk;    // of a .glb: a part of the bytes
    cJSON *root;
    const cJSON **lists[LIST_COUNT];
    int counts[LIST_COUNT];
    int *parents;  // of the nodes; -1: a root
    place *worlds; // of the nodes that are placed
    bool *is_placed;
    int *path;          // from a node up: see world_place
    gltf_passed passed; // why the last node was not compared
    bool is_rounded;    // an accessor of the last node, so that less must agree
} gltf_text;

static const char *const list_names[LIST_COUNT] = {"nodes",       "meshes",  "accessors",
                                                   "bufferViews", "buffers", "skins"};

static const box no_box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    while (file) {
        if (*size == room) {
            room = 2 * room + 65536;
            unsigned char *const grown = realloc(bytes, room);
            if (!grown) {
                break;
            }
            bytes = grown;
        }
        const size_t count = fread(bytes + *size, 1, room - *size, file);
        if (count == 0) {
            break;
        }
        *size += count;
    }
    if (file) {
        fclose(file);
    }
    if (bytes && *size == room) {
        free(bytes);
        return NULL;
    }
    if (bytes) {
        bytes[*size] = 0; // an end for searches
    }
    return bytes;
}

static size_t word_at(const unsigned char *bytes)
{
    return (size_t)bytes[0] + 256u * bytes[1] + 65536u * bytes[2] + 16777216u * (size_t)bytes[3];
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

// The number of a thing, or -1.
static int number_of(const cJSON *object, const char *name)
{
    const cJSON *const item = member(object, name);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e9
               ? (int)item->valuedouble
               : -1;
}

static const cJSON *thing(const gltf_text *text, list_name list, int number)
{
    return number >= 0 && number < text->counts[list] ? text->lists[list][number] : NULL;
}

// Reads so many numbers, if they are there.
static bool numbers_of(const cJSON *object, const char *name, double *out, int count)
{
    const cJSON *item = member(object, name);
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != count) {
        return false;
    }
    item = item->child;
    for (int i = 0; i < count; i++, item = item->next) {
        if (!cJSON_IsNumber(item)) {
            return false;
        }
        out[i] = item->valuedouble;
    }
    return true;
}

static bool list_things(gltf_text *text)
{
    for (int i = 0; i < LIST_COUNT; i++) {
        const cJSON *const list = member(text->root, list_names[i]);
        text->lists[i] = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *text->lists[i]);
        for (const cJSON *item = list && text->lists[i] ? list->child : NULL; item;
             item = item->next) {
            text->lists[i][text->counts[i]++] = item;
        }
    }
    const size_t room = (size_t)text->counts[NODES] + 1;
    text->parents = calloc(room, sizeof *text->parents);
    text->worlds = calloc(room, sizeof *text->worlds);
    text->is_placed = calloc(room, sizeof *text->is_placed);
    text->path = calloc(room, sizeof *text->path);
    for (int i = 0; text->parents && i < text->counts[NODES]; i++) {
        text->parents[i] = -1;
    }
    for (int i = 0; text->parents && i < text->counts[NODES]; i++) {
        const cJSON *const children = member(text->lists[NODES][i], "children");
        for (const cJSON *item = children ? children->child : NULL; item; item = item->next) {
            if (item->valuedouble >= 0 && item->valuedouble < text->counts[NODES]) {
                text->parents[(int)item->valuedouble] = i;
            }
        }
    }
    return text->parents && text->worlds && text->is_placed && text->path;
}

// What stands behind "base64,".
static span decode(const char *text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    span out = {malloc(strlen(text) + 1), 0, true};
    unsigned bits = 0, count = 0;
    for (; out.bytes && *text && strchr(letters, *text); text++) {
        bits = bits << 6 | (unsigned)(strchr(letters, *text) - letters);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.bytes[out.size++] = (unsigned char)(bits >> count);
        }
    }
    return out;
}

static const char *uri_of(const gltf_text *text, int buffer)
{
    return cJSON_GetStringValue(member(text->lists[BUFFERS][buffer], "uri"));
}

// A file beside the glTF, which several buffers may name. @param files the first buffer of each
static span read_file_once(const char *path, const gltf_text *text, int buffer, int *files)
{
    const char *const uri = uri_of(text, buffer), *const slash = strrchr(path, '/');
    int at = 0;
    for (; files[at] > 0; at++) {
        if (strcmp(uri_of(text, files[at] - 1), uri) == 0) {
            span same = text->buffers[files[at] - 1];
            same.is_own = false;
            return same;
        }
    }
    files[at] = buffer + 1;
    char beside[4096];
    span out = {NULL, 0, true};
    if (snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, uri) <
        (int)sizeof beside) {
        out.bytes = read_bytes(beside, &out.size);
    }
    return out;
}

static void read_buffers(const char *path, gltf_text *text)
{
    int *const files = calloc((size_t)text->counts[BUFFERS] + 1, sizeof *files);
    text->buffers = calloc((size_t)text->counts[BUFFERS] + 1, sizeof *text->buffers);
    for (int i = 0; files && text->buffers && i < text->counts[BUFFERS]; i++) {
        const char *const uri = uri_of(text, i);
        const char *const base64 = uri ? strstr(uri, ";base64,") : NULL;
        if (base64) {
            text->buffers[i] = decode(base64 + 8);
        } else if (uri) {
            text->buffers[i] = read_file_once(path, text, i, files);
        } else if (i == 0) {
            text->buffers[i] = text->chunk;
        }
    }
    free(files);
}

// Whether the file is a glTF of version 2.
static bool open_text(const char *path, gltf_text *text)
{
    text->bytes = read_bytes(path, &text->size);
    const unsigned char *json = text->bytes;
    size_t size = text->size;
    if (json && size > 20 && memcmp(json, "glTF", 4) == 0) {
        size = word_at(json + 12);
        json += 20;
        if (size > text->size - 20) {
            return false;
        }
        const size_t next = 20 + size;
        if (text->size - next > 8 && word_at(text->bytes + next) <= text->size - next - 8) {
            text->chunk = (span){text->bytes + next + 8, word_at(text->bytes + next), false};
        }
    } else if (!json || !memchr(json, '{', size < 64 ? size : 64)) {
        return false;
    }
    text->root = cJSON_ParseWithLength((const char *)json, size);
    const char *const version =
        cJSON_GetStringValue(member(member(text->root, "asset"), "version"));
    if (!version || version[0] != '2' || !list_things(text)) {
        return false;
    }
    if (strstr((const char *)json, "EXT_mesh_gpu_instancing") || member(text->root, "skins") ||
        strstr((const char *)json, "\"targets\"")) {
        read_buffers(path, text);
    }
    return true;
}

static void close_text(gltf_text *text)
{
    cJSON_Delete(text->root);
    for (int i = 0; text->buffers && i < text->counts[BUFFERS]; i++) {
        if (text->buffers[i].is_own) {
            free(text->buffers[i].bytes);
        }
    }
    free(text->buffers);
    for (int i = 0; i < LIST_COUNT; i++) {
        free(text->lists[i]);
    }
    free(text->parents);
    free(text->worlds);
    free(text->is_placed);
    free(text->path);
    free(text->bytes);
}

// ---- places ----

static void apply(const place *at, const double *point, double *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = at->base[k] + at->axes[0][k] * point[0] + at->axes[1][k] * point[1] +
                 at->axes[2][k] * point[2];
    }
}

// What `inner` does first and `outer` then.
static place chain(const place *outer, const place *inner)
{
    place both = {.base = {0, 0, 0}};
    apply(outer, inner->base, both.base);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            both.axes[i][k] = outer->axes[0][k] * inner->axes[i][0] +
                              outer->axes[1][k] * inner->axes[i][1] +
                              outer->axes[2][k] * inner->axes[i][2];
        }
    }
    return both;
}

// The three axes, turned by a quaternion and made longer.
static place turned_place(const double *move, const double *turn, const double *size)
{
    place at;
    const double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    const double u[3] = {turn[0] / length, turn[1] / length, turn[2] / length};
    const double w = turn[3] / length;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) { // e + 2 w (u x e) + 2 u x (u x e)
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            const double once = u[l] * (m == i) - u[m] * (l == i);
            const double twice = u[k] * u[i] - (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (k == i);
            at.axes[i][k] = size[i] * ((k == i) + 2 * w * once + 2 * twice);
        }
        at.base[i] = move[i];
    }
    return at;
}

static place own_place(const cJSON *node)
{
    double m[16];
    if (numbers_of(node, "matrix", m, 16)) {
        return (place){{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
                       {m[12], m[13], m[14]}};
    }
    double move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, size[3] = {1, 1, 1};
    numbers_of(node, "translation", move, 3);
    numbers_of(node, "rotation", turn, 4);
    numbers_of(node, "scale", size, 3);
    return turned_place(move, turn, size);
}

// Goes up to the first node that is placed, and places those below it on the way back: each node
// once, even in a ring, which the importer has refused.
static place world_place(gltf_text *text, int node)
{
    int depth = 0;
    for (int at = node; at >= 0 && !text->is_placed[at]; at = text->parents[at]) {
        text->is_placed[at] = true;
        text->worlds[at] = own_place(text->lists[NODES][at]);
        text->path[depth++] = at;
    }
    while (depth > 0) {
        const int at = text->path[--depth], above = text->parents[at];
        if (above >= 0) {
            text->worlds[at] = chain(&text->worlds[above], &text->worlds[at]);
        }
    }
    return text->worlds[node];
}

static box moved_box(const place *at, const box *from)
{
    box out = no_box;
    for (int corner = 0; corner < 8; corner++) {
        double point[3], moved[3];
        for (int k = 0; k < 3; k++) {
            point[k] = corner >> k & 1 ? from->high[k] : from->low[k];
        }
        apply(at, point, moved);
        for (int k = 0; k < 3; k++) {
            out.low[k] = fmin(out.low[k], moved[k]);
            out.high[k] = fmax(out.high[k], moved[k]);
        }
    }
    return out;
}

// ---- what accessors and their bytes say ----

// What an integer is divided by.
static double divisor_of(const cJSON *accessor)
{
    static const double largest[4] = {127, 255, 32767, 65535};
    const int type = number_of(accessor, "componentType") - 5120;
    return cJSON_IsTrue(member(accessor, "normalized")) && type >= 0 && type < 4 ? largest[type]
                                                                                 : 1.0;
}

// Why the bytes of an accessor are not read here.
static gltf_passed reason_of(const gltf_text *text, int accessor)
{
    const cJSON *const from = thing(text, ACCESSORS, accessor);
    return member(from, "sparse") ? GLTF_SPARSE
           : member(thing(text, VIEWS, number_of(from, "bufferView")), "extensions")
               ? GLTF_COMPRESSED
               : GLTF_NOTHING_STATED;
}

// Where an element of an accessor stands. NULL: its bytes are compressed, sparse, or not there.
static const unsigned char *find_element(const gltf_text *text, const cJSON *from, int row,
                                         size_t size)
{
    const cJSON *const view = thing(text, VIEWS, number_of(from, "bufferView"));
    const int stated = number_of(view, "byteStride"), buffer = number_of(view, "buffer");
    const size_t stride = stated > 0 ? (size_t)stated : size;
    const size_t start =
        (size_t)(number_of(from, "byteOffset") > 0 ? number_of(from, "byteOffset") : 0) +
        (size_t)(number_of(view, "byteOffset") > 0 ? number_of(view, "byteOffset") : 0) +
        (size_t)row * stride;
    return size > 0 && !member(view, "extensions") && !member(from, "sparse") && text->buffers &&
                   thing(text, BUFFERS, buffer) && start + size <= text->buffers[buffer].size
               ? text->buffers[buffer].bytes + start
               : NULL;
}

// One element of an accessor. False: it cannot be read here.
static bool read_element(gltf_text *text, int accessor, int row, double *out, int count)
{
    static const size_t sizes[7] = {1, 1, 2, 2, 0, 4, 4};
    const cJSON *const from = thing(text, ACCESSORS, accessor);
    const int type = number_of(from, "componentType") - 5120;
    const size_t size = type >= 0 && type < 7 ? sizes[type] : 0;
    const unsigned char *const element = find_element(text, from, row, size * (size_t)count);
    const double divisor = divisor_of(from);
    text->passed = element ? text->passed : reason_of(text, accessor);
    for (int i = 0; element && i < count; i++) {
        const unsigned char *const at = element + (size_t)i * size;
        const unsigned low = at[0], both = size > 1 ? low | (unsigned)at[1] << 8 : low;
        const double whole[4] = {(double)(signed char)low, (double)low, (double)(int16_t)both,
                                 (double)both};
        const uint32_t bits = size == 4 ? (uint32_t)word_at(at) : 0;
        float number;
        memcpy(&number, &bits, sizeof number);
        out[i] = type == 6   ? (double)number
                 : type == 5 ? (double)bits
                             : fmax(whole[type] / divisor, divisor > 1 ? -1.0 : -HUGE_VAL);
    }
    return element != NULL;
}

// A position of a primitive, morphed by the weights. False: it cannot be read here.
static bool read_point(gltf_text *text, const cJSON *part, const cJSON *weights, int row,
                       double *out)
{
    const cJSON *const targets = member(part, "targets");
    const cJSON *target = targets ? targets->child : NULL,
                *weight = weights ? weights->child : NULL;
    if (!read_element(text, number_of(member(part, "attributes"), "POSITION"), row, out, 3)) {
        return false;
    }
    for (; target && weight; target = target->next, weight = weight->next) {
        double move[3];
        const int moves = number_of(target, "POSITION");
        if (weight->valuedouble == 0 || moves < 0) {
            continue;
        }
        if (!read_element(text, moves, row, move, 3)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            out[k] += weight->valuedouble * move[k];
        }
    }
    return true;
}

// The weights of morph targets that a node has by itself or from its mesh. NULL: none that moves.
static const cJSON *weights_of(const cJSON *node, const cJSON *mesh)
{
    const cJSON *const own = member(node, "weights");
    const cJSON *const weights = own ? own : member(mesh, "weights");
    const cJSON *weight = weights ? weights->child : NULL;
    while (weight && weight->valuedouble == 0) {
        weight = weight->next;
    }
    return weight ? weights : NULL;
}

static void add_point(box *to, const double *point)
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = fmin(to->low[k], point[k]);
        to->high[k] = fmax(to->high[k], point[k]);
    }
}

// Whether a filter has rounded the numbers after their least and largest were stated.
static bool is_rounded(const gltf_text *text, const cJSON *accessor)
{
    const cJSON *const view = thing(text, VIEWS, number_of(accessor, "bufferView"));
    const char *const filter = cJSON_GetStringValue(
        member(member(member(view, "extensions"), "EXT_meshopt_compression"), "filter"));
    return filter && strcmp(filter, "EXPONENTIAL") == 0;
}

// The union of what a mesh's primitives state; where they are morphed, of their points. False: one
// of them states nothing, or its points cannot be read.
static bool stated_box(gltf_text *text, const cJSON *node, int *accessor, box *out)
{
    const cJSON *const mesh = thing(text, MESHES, number_of(node, "mesh"));
    const cJSON *const parts = member(mesh, "primitives"), *const weights = weights_of(node, mesh);
    *out = no_box;
    for (const cJSON *part = parts ? parts->child : NULL; part; part = part->next) {
        if (!member(member(part, "attributes"), "POSITION")) {
            continue;
        }
        *accessor = number_of(member(part, "attributes"), "POSITION");
        const cJSON *const from = thing(text, ACCESSORS, *accessor);
        const bool is_morphed = weights && member(part, "targets");
        double low[3], high[3];
        if (!numbers_of(from, "min", low, 3) || !numbers_of(from, "max", high, 3)) {
            text->passed = GLTF_NOTHING_STATED;
            return false;
        }
        text->is_rounded |= is_rounded(text, from);
        const double divisor = divisor_of(from), lowest = divisor > 1 ? -1.0 : -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            low[k] = fmax(low[k] / divisor, lowest);
            high[k] = fmax(high[k] / divisor, lowest);
        }
        for (int row = 0; is_morphed && row < number_of(from, "count"); row++) {
            double point[3];
            if (!read_point(text, part, weights, row, point)) {
                return false;
            }
            add_point(out, point);
        }
        if (!is_morphed) {
            for (int k = 0; k < 3; k++) { // as stated, even where the least is above the largest
                out->low[k] = fmin(out->low[k], low[k]);
                out->high[k] = fmax(out->high[k], high[k]);
            }
        }
    }
    return true;
}

// ---- instances ----

// Where an instance stands in its node. False: that cannot be read here.
static bool instance_place(gltf_text *text, const cJSON *attributes, int row, place *out)
{
    double move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, size[3] = {1, 1, 1};
    const int moves = number_of(attributes, "TRANSLATION");
    const int turns = number_of(attributes, "ROTATION"), sizes = number_of(attributes, "SCALE");
    if ((moves >= 0 && !read_element(text, moves, row, move, 3)) ||
        (turns >= 0 && !read_element(text, turns, row, turn, 4)) ||
        (sizes >= 0 && !read_element(text, sizes, row, size, 3))) {
        return false;
    }
    *out = turned_place(move, turn, size);
    return true;
}

// ---- skins ----

// Moves a point to where the joints put it in the rest pose. False: that cannot be read here.
static bool bend_point(gltf_text *text, const cJSON *skin, const cJSON *attributes, int row,
                       double *point)
{
    const int binds = number_of(skin, "inverseBindMatrices");
    double sum[3] = {0, 0, 0}, all = 0;
    for (int set = 0; set < 16; set++) {
        char names[2][24];
        double joints[4], shares[4];
        snprintf(names[0], sizeof names[0], "JOINTS_%d", set);
        snprintf(names[1], sizeof names[1], "WEIGHTS_%d", set);
        if (!member(attributes, names[0])) {
            break;
        }
        if (!read_element(text, number_of(attributes, names[0]), row, joints, 4) ||
            !read_element(text, number_of(attributes, names[1]), row, shares, 4)) {
            return false;
        }
        for (int i = 0; i < 4; i++) {
            const cJSON *const joint = cJSON_GetArrayItem(member(skin, "joints"), (int)joints[i]);
            double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, own[3], moved[3];
            if (shares[i] <= 0) {
                continue;
            }
            if (!joint || (binds >= 0 && !read_element(text, binds, (int)joints[i], m, 16))) {
                return false;
            }
            const place bind = {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
                                {m[12], m[13], m[14]}};
            const place world = world_place(text, (int)joint->valuedouble);
            apply(&bind, point, own);
            apply(&world, own, moved);
            for (int k = 0; k < 3; k++) {
                sum[k] += shares[i] * moved[k];
            }
            all += shares[i];
        }
    }
    for (int k = 0; k < 3; k++) {
        point[k] = sum[k] / all;
    }
    return all > 0;
}

// The box of a mesh's points as the joints put them. False: that cannot be read here.
static bool bent_box(gltf_text *text, const cJSON *node, box *out)
{
    const cJSON *const mesh = thing(text, MESHES, number_of(node, "mesh"));
    const cJSON *const skin = thing(text, SKINS, number_of(node, "skin"));
    const cJSON *const parts = member(mesh, "primitives"), *const weights = weights_of(node, mesh);
    *out = no_box;
    for (const cJSON *part = parts ? parts->child : NULL; part; part = part->next) {
        const cJSON *const attributes = member(part, "attributes");
        const int count =
            number_of(thing(text, ACCESSORS, number_of(attributes, "POSITION")), "count");
        for (int row = 0; row < count; row++) {
            double point[3];
            if (!read_point(text, part, weights, row, point) ||
                !bend_point(text, skin, attributes, row, point)) {
                return false;
            }
            add_point(out, point);
        }
    }
    return out->low[0] <= out->high[0];
}

// ---- what was imported ----

static box imported_box(const acre_import_model *model, uint32_t node)
{
    const acre_aabb *const bounds = &model->nodes[node].bounds;
    box at;
    for (int k = 0; k < 3; k++) {
        at.low[k] = (double)bounds->min[k];
        at.high[k] = (double)bounds->max[k];
    }
    return at;
}

// The world places of all nodes. Parents stand before their children.
static place *imported_places(const acre_import_model *model)
{
    place *const worlds = calloc((size_t)model->node_count + 1, sizeof *worlds);
    for (uint32_t i = 0; worlds && i < model->node_count; i++) {
        const float *const m = model->nodes[i].local;
        const uint32_t parent = model->nodes[i].parent;
        const place own = {{{(double)m[0], (double)m[1], (double)m[2]},
                            {(double)m[4], (double)m[5], (double)m[6]},
                            {(double)m[8], (double)m[9], (double)m[10]}},
                           {(double)m[12], (double)m[13], (double)m[14]}};
        worlds[i] = parent == ACRE_IMPORT_NO_PARENT ? own : chain(&worlds[parent], &own);
    }
    return worlds;
}

// Matrices and boxes of the importer are floats: each level of the hierarchy may round. A filter
// that rounds may keep ten bits of a number.
static const double share_of_floats = 1e-5, share_of_filter = 1e-3;

// @param share how much of the largest number the boxes may differ by
static bool boxes_agree(const box *a, const box *b, double share)
{
    double reach = 0.0;
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, fmax(fabs(a->low[k]), fabs(a->high[k])));
        reach = fmax(reach, fmax(fabs(b->low[k]), fabs(b->high[k])));
    }
    bool agree = true;
    for (int k = 0; k < 3; k++) {
        agree &= fabs(a->low[k] - b->low[k]) <= share * reach &&
                 fabs(a->high[k] - b->high[k]) <= share * reach;
    }
    return agree;
}

// A turned box hides which of its corners were called low.
static bool is_ordered(const box *stated)
{
    return stated->low[0] <= stated->high[0] && stated->low[1] <= stated->high[1] &&
           stated->low[2] <= stated->high[2];
}

// Whether a box holds another, but for the same.
static bool holds(const box *outer, const box *inner)
{
    box both = *outer;
    add_point(&both, inner->low);
    add_point(&both, inner->high);
    return boxes_agree(&both, outer, share_of_floats);
}

// Writes the first difference down.
static void tell(gltf_check *out, const acre_import_model *model, uint32_t node, const char *from,
                 const box *a, const box *b)
{
    const char *const name = model->nodes[node].name;
    const bool has_name = strncmp(name, "nodes[", 6) != 0; // which the importer gives
    if (out->different++ == 0) {
        snprintf(
            out->first, sizeof out->first,
            "nodes[%u]%s%.32s%s: %s %g %g %g to %g %g %g; it was imported as %g %g %g to %g %g "
            "%g",
            (unsigned)model->nodes[node].file_node, has_name ? " '" : "", has_name ? name : "",
            has_name ? "'" : "", from, a->low[0], a->low[1], a->low[2], a->high[0], a->high[1],
            a->high[2], b->low[0], b->low[1], b->low[2], b->high[0], b->high[1], b->high[2]);
    }
}

// @param world the node's bounds, as imported, in the world
static void check_bent(gltf_text *text, const acre_import_model *model, uint32_t node,
                       const box *world, gltf_check *out)
{
    box points;
    if (!bent_box(text, text->lists[NODES][model->nodes[node].file_node], &points)) {
        out->passed[text->passed]++;
        return;
    }
    out->bent++;
    if (!holds(world, &points)) {
        tell(out, model, node, "its joints put points at", &points, world);
    }
}

// @param imported the node's world place, as imported
// @param row which instance of its node this is
static void check_one(gltf_text *text, const acre_import_model *model, uint32_t node,
                      const place *imported, int row, gltf_check *out)
{
    const cJSON *const json = text->lists[NODES][model->nodes[node].file_node];
    const cJSON *const attributes =
        member(member(member(json, "extensions"), "EXT_mesh_gpu_instancing"), "attributes");
    const box own = imported_box(model, node), world = moved_box(imported, &own);
    box stated;
    place at = world_place(text, (int)model->nodes[node].file_node);
    int accessor = -1;
    place inner;
    text->is_rounded = false;
    text->passed = GLTF_NOTHING_STATED;
    if (member(json, "skin")) {
        check_bent(text, model, node, &world, out);
        return;
    }
    if (!stated_box(text, json, &accessor, &stated) ||
        (attributes && !instance_place(text, attributes, row, &inner))) {
        out->passed[text->passed]++;
        return;
    }
    const double share = text->is_rounded ? share_of_filter : share_of_floats;
    out->rounded += text->is_rounded;
    at = attributes ? chain(&at, &inner) : at;
    const bool is_empty = stated.low[0] == HUGE_VAL; // of no_box: no part has points
    const box expected = is_empty ? stated : moved_box(&at, &stated);
    out->compared++;
    if (is_empty ? acre_aabb_is_empty(&model->nodes[node].bounds)
                 : is_ordered(&stated) && boxes_agree(&expected, &world, share)) {
        return;
    }
    char from[64];
    snprintf(from, sizeof from, "accessors[%d].min and max say", accessor);
    if (boxes_agree(&own, &stated, share)) {
        tell(out, model, node, "its accessors and matrices say", &expected, &world);
    } else {
        tell(out, model, node, from, &stated, &own);
    }
}

static void count_flat(const acre_import_model *model, gltf_check *out)
{
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const acre_import_mesh *const mesh = &model->meshes[i];
        out->flat += mesh->triangle_count > 0 &&
                     memcmp(mesh->bounds.min, mesh->bounds.max, sizeof mesh->bounds.min) == 0;
    }
}

void gltf_check_model(const char *path, const acre_import_model *model, gltf_check *out)
{
    *out = (gltf_check){.has_path = true};
    gltf_text text = {0};
    count_flat(model, out);
    if (!open_text(path, &text)) {
        out->has_path = false;
        snprintf(out->first, sizeof out->first, "only glTF 2 states its bounds a second time");
    }
    uint32_t *const rows = calloc((size_t)text.counts[NODES] + 1, sizeof *rows);
    place *const imported = imported_places(model);
    if (out->has_path && (!rows || !imported)) {
        out->has_path = false;
        snprintf(out->first, sizeof out->first, "there is no memory for it");
    }
    for (uint32_t i = 0; out->has_path && i < model->node_count; i++) {
        const uint32_t node = model->nodes[i].file_node;
        if (node == ACRE_IMPORT_NO_NODE && model->nodes[i].mesh_count > 0) {
            out->has_path = false;
            snprintf(out->first, sizeof out->first,
                     "assimp has read it, which does not number its nodes (Draco)");
        } else if (model->nodes[i].mesh_count > 0 && node < (uint32_t)text.counts[NODES]) {
            check_one(&text, model, i, &imported[i], (int)rows[node]++, out);
        }
    }
    free(rows);
    free(imported);
    close_text(&text);
}

void gltf_check_text(const gltf_check *check, char *text, size_t size)
{
    const struct {
        uint32_t count;
        const char *words;
    } more[] = {{check->bent, "with skins hold their points in the rest pose"},
                {check->rounded, "of them to a thousandth: a filter rounds their positions"},
                {check->passed[GLTF_COMPRESSED], "not compared: compressed"},
                {check->passed[GLTF_SPARSE], "not compared: sparse"},
                {check->passed[GLTF_NOTHING_STATED], "not compared: the file states nothing"},
                {check->flat, "meshes with triangles and NO EXTENT"}};
    int used;
    if (!check->has_path) {
        used = snprintf(text, size, "no second path: %s", check->first);
    } else if (check->different > 0) {
        used = snprintf(text, size, "%u of %u nodes DIFFER from what the file says",
                        (unsigned)check->different, (unsigned)(check->compared + check->bent));
    } else if (check->compared + check->bent == 0) {
        used = snprintf(text, size, "NOTHING was compared");
    } else {
        used = snprintf(text, size, "%u %s as the accessors' min and max say",
                        (unsigned)check->compared, check->compared == 1 ? "node" : "nodes");
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (more[i].count > 0 && used > 0 && (size_t)used < size) {
            used += snprintf(text + used, size - (size_t)used, "; %u %s", (unsigned)more[i].count,
                             more[i].words);
        }
    }
}
