// SPDX-License-Identifier: MIT
// view_method.c - other ways to find what is visible, to compare with: none, and two scans.
#include "view_method.h"

#include "bench_contender.h"
#include "run_statistics.h"

#include <acre/frustum.h>

#include <assert.h>
#include <stdlib.h>

const char *const view_method_names[METHOD_COUNT_] = {"quadtree", "SIMD scan", "linear scan",
                                                      "off"};

static const bench_contender *simd_loop(void)
{
    return bench_simd_loop(ACRE_KERNEL_DEFAULT); // NULL: the processor has none
}

bool view_scans_create(view_scans *out, uint32_t slot_count)
{
    *out = (view_scans){.count = slot_count};
    const size_t room = (size_t)slot_count + CONTENDER_SLACK;
    out->items = calloc(room, sizeof *out->items);
    out->all = calloc(room, sizeof *out->all);
    out->boxes = calloc(room, sizeof *out->boxes);
    if (!out->items || !out->all || !out->boxes) {
        return false;
    }
    for (uint32_t i = 0; i < slot_count; i++) {
        out->all[i] = i;
    }
    const bench_contender *const loop = simd_loop();
    out->simd = loop ? loop->create(&(contender_world){.count = slot_count}) : NULL;
    return !loop || (out->simd && loop->insert(out->simd, out->all, slot_count, out->boxes));
}

void view_scans_free(view_scans *scans)
{
    if (scans->simd) {
        simd_loop()->destroy(scans->simd);
    }
    free(scans->items);
    free(scans->all);
    free(scans->boxes);
    *scans = (view_scans){0};
}

// Slots without a box are nowhere, so that no plane has them inside.
static void copy_boxes(view_scans *scans, const acre_aabb *boxes)
{
    static const acre_aabb nowhere = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
    for (uint32_t i = 0; i < scans->count; i++) {
        scans->boxes[i] = acre_aabb_is_empty(&boxes[i]) ? nowhere : boxes[i];
    }
}

static size_t scan_one_by_one(const view_scans *scans, const acre_frustum *frustum)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scans->count; i++) {
        scans->items[count] = i;
        count += acre_frustum_test_aabb(frustum, &scans->boxes[i]);
    }
    return count;
}

static size_t scan_all(const view_scans *scans)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scans->count; i++) {
        scans->items[count] = i;
        count += scans->boxes[i].min[0] <= scans->boxes[i].max[0];
    }
    return count;
}

void view_scan_prepare(view_scans *scans, const acre_aabb *boxes)
{
    copy_boxes(scans, boxes);
    if (scans->simd) {
        simd_loop()->refresh(scans->simd, scans->all, scans->count, scans->boxes, scans->count);
    }
}

size_t view_scan_again(view_scans *scans, const acre_frustum *frustum)
{
    const contender_query query = {.frustum = frustum};
    return scans->simd ? simd_loop()->query(scans->simd, &query, scans->items)
                       : scan_one_by_one(scans, frustum);
}

size_t view_scan(view_scans *scans, view_method method, const acre_aabb *boxes,
                 const acre_frustum *frustum, const uint32_t **slots, double *milliseconds)
{
    assert(method != METHOD_QUADTREE);
    view_scan_prepare(scans, boxes);
    const double begin = clock_seconds();
    const size_t count = method == METHOD_OFF         ? scan_all(scans)
                         : method == METHOD_SIMD_SCAN ? view_scan_again(scans, frustum)
                                                      : scan_one_by_one(scans, frustum);
    *milliseconds = 1e3 * (clock_seconds() - begin);
    *slots = scans->items;
    return count;
}
