// SPDX-License-Identifier: MIT
// gltf_occluders.c - what a node hides other things with: extras.acre_occluders.
#include "gltf_internal.h"

#include <math.h>

/// The corners of a footprint: pairs of x and z.
static void read_points(gltf_file *file, const cJSON *json, acre_occluder *out)
{
    const cJSON *item = acre_gltf_first(file, json, "points");
    for (; item != NULL && out->point_count < ACRE_OCCLUDER_MAX_POINTS; item = item->next) {
        acre_gltf_fill(file, item, "point", out->points[out->point_count++], 2);
    }
    if (item != NULL) {
        acre_gltf_refuse(file, "it has more than %d points", ACRE_OCCLUDER_MAX_POINTS);
    }
}

/// A member that is a finite number; *out stays where it is missing.
static void read_height(gltf_file *file, const cJSON *json, const char *name, float *out)
{
    const cJSON *const item = acre_gltf_member(file, json, name);
    if (item == NULL) {
        return;
    }
    *out = cJSON_IsNumber(item) ? (float)item->valuedouble : NAN;
    if (!isfinite(*out)) {
        acre_gltf_refuse(file, "its %s is no finite number", name);
    }
}

static void read_occluder(gltf_file *file, const cJSON *json, acre_occluder *out)
{
    *out = (acre_occluder){.bottom = -INFINITY, .top = -INFINITY};
    if (!cJSON_IsObject(json)) {
        acre_gltf_refuse(file, "it is no object");
        return;
    }
    read_points(file, json, out);
    read_height(file, json, "bottom", &out->bottom);
    read_height(file, json, "top", &out->top);
    const cJSON *const is_two_sided = acre_gltf_member(file, json, "two_sided");
    if (is_two_sided != NULL && !cJSON_IsBool(is_two_sided)) {
        acre_gltf_refuse(file, "its two_sided is neither true nor false");
    }
    out->flags = cJSON_IsTrue(is_two_sided) ? ACRE_OCCLUDER_TWO_SIDED : 0;
    if (!acre_occluder_is_valid(out)) {
        acre_gltf_refuse(file,
                         "its points are no convex polygon of 3 to %d corners, or its top is "
                         "not above its bottom, or a number is beyond 1e12",
                         ACRE_OCCLUDER_MAX_POINTS);
    }
}

void acre_gltf_read_occluders(gltf_file *file, uint32_t number, const cJSON *json, gltf_node *node)
{
    const cJSON *const extras = acre_gltf_member(file, json, "extras");
    const cJSON *const first = acre_gltf_first(file, extras, "acre_occluders");
    uint32_t count = 0;
    for (const cJSON *item = first; item != NULL; item = item->next) {
        count++;
    }
    if (count > ACRE_IMPORT_MAX_OCCLUDERS) {
        acre_gltf_refuse(file, "it has more than %d occluders", ACRE_IMPORT_MAX_OCCLUDERS);
    } else if (count > 0 && node->skin != GLTF_NONE) {
        acre_gltf_note(file, "acre_occluders of a node with a skin are not read");
        return;
    }
    node->occluders = acre_gltf_take(file, count, sizeof *node->occluders);
    for (const cJSON *item = first; item != NULL && node->occluders != NULL; item = item->next) {
        acre_gltf_at(file, "nodes[%u].extras.acre_occluders[%u]", (unsigned)number,
                     (unsigned)node->occluder_count);
        read_occluder(file, item, &node->occluders[node->occluder_count++]);
    }
}
