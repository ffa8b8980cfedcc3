// SPDX-License-Identifier: MIT
// run_brute.c - culling by testing every box, without vectors: what the tree is compared with.
#include "run_brute.h"

#include <stdlib.h>

bool brute_boxes_create(brute_boxes *out, size_t count)
{
    *out = (brute_boxes){.count = count};
    out->boxes = calloc(count + 1, sizeof *out->boxes);
    bool is_good = out->boxes;
    for (int i = 0; i < 6; i++) {
        out->edges[i] = calloc(count + 1, sizeof *out->edges[i]);
        is_good = is_good && out->edges[i];
    }
    out->items = calloc(count + 1, sizeof *out->items);
    if (!is_good || !out->items) {
        brute_boxes_free(out);
        return false;
    }
    return true;
}

void brute_boxes_free(brute_boxes *boxes)
{
    for (int i = 0; i < 6; i++) {
        free(boxes->edges[i]);
    }
    free(boxes->boxes);
    free(boxes->items);
    *boxes = (brute_boxes){0};
}

void brute_boxes_set(brute_boxes *boxes, size_t row, uint32_t item, const acre_aabb *box)
{
    boxes->boxes[row] = *box;
    boxes->items[row] = item;
    for (int k = 0; k < 3; k++) {
        boxes->edges[k][row] = box->min[k];
        boxes->edges[3 + k][row] = box->max[k];
    }
}

size_t brute_query(const brute_boxes *boxes, const acre_frustum *frustum, uint32_t *items)
{
    size_t found = 0;
    for (size_t row = 0; row < boxes->count; row++) {
        if (acre_frustum_test_aabb(frustum, &boxes->boxes[row])) {
            items[found++] = boxes->items[row];
        }
    }
    return found;
}

// One plane with the three arrays that hold the coordinates of its p-vertices.
typedef struct brute_plane {
    const float *x, *y, *z;
    float normal[3], d;
} brute_plane;

size_t brute_query_prepared(const brute_boxes *boxes, const acre_frustum *frustum, uint32_t *items)
{
    brute_plane planes[ACRE_FRUSTUM_MAX_PLANES];
    const uint32_t plane_count = frustum->plane_count;
    for (uint32_t i = 0; i < plane_count; i++) {
        const float *const plane = frustum->planes[i];
        planes[i] = (brute_plane){.x = boxes->edges[plane[0] >= 0.0f ? 3 : 0],
                                  .y = boxes->edges[plane[1] >= 0.0f ? 4 : 1],
                                  .z = boxes->edges[plane[2] >= 0.0f ? 5 : 2],
                                  .normal = {plane[0], plane[1], plane[2]},
                                  .d = plane[3]};
    }
    size_t found = 0;
    for (size_t box = 0; box < boxes->count; box++) {
        bool is_visible = true;
        for (uint32_t i = 0; i < plane_count && is_visible; i++) {
            const brute_plane *const p = &planes[i];
            const float distance =
                ((p->normal[0] * p->x[box] + p->normal[1] * p->y[box]) + p->normal[2] * p->z[box]) +
                p->d;
            is_visible = !(distance < 0.0f);
        }
        if (is_visible) {
            items[found++] = boxes->items[box];
        }
    }
    return found;
}
