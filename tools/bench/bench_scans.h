// SPDX-License-Identifier: MIT
// bench_scans.h - the yardstick of every other query: loops over all boxes, as fast as an
// instruction set can.
//
// As in bench_simd.h a vector holds one edge of neighbouring boxes. A scan answers what it can
// decide for certain; shapes of which the definition is no matter of a few operations give
// candidates, which the caller tests.
#ifndef ACRE_TOOLS_BENCH_SCANS_H
#define ACRE_TOOLS_BENCH_SCANS_H

#include "bench_simd.h"

// A sphere; without y a circle on the ground.
typedef struct scan_round {
    float center[3], radius;
    bool is_flat;
} scan_round;

// Share of the radius within which a distance does not decide.
#define SCAN_DOUBT 0x1p-12f

// A thick segment: candidates of rays, swept boxes and capsules.
typedef struct scan_slab {
    float origin[3], inverse[3]; // 1 / direction
    float reach[3];              // half its thickness
    float least, most;           // along the direction
} scan_slab;

typedef struct scan_planes {
    simd_plane planes[ACRE_FRUSTUM_MAX_PLANES];
    uint32_t plane_count;
    simd_plane excluded[ACRE_FRUSTUM_MAX_PLANES]; // with the corners opposite to the p-vertices
    uint32_t excluded_count;                      // 0: nothing is
    const uint32_t *layers;                       // NULL: all
    uint32_t mask;
} scan_planes;

// Takes a box that is nearer than the limit, or as near. Returns the new limit, metres.
typedef struct scan_hits {
    float (*offer)(void *user, uint32_t item);
    void *user;
    float limit;
} scan_hits;

// Items are ascending, `items` has room for all and a vector of 16. A scan ends once it has found
// `enough`.
typedef struct scan_set {
    size_t (*boxes)(const simd_boxes *boxes, const acre_aabb *box, size_t enough, uint32_t *items);
    // Those that rounding might decide are written to `doubtful`.
    size_t (*round)(const simd_boxes *boxes, const scan_round *round, uint32_t *items,
                    uint32_t *doubtful, size_t *doubtful_count);
    size_t (*slab)(const simd_boxes *boxes, const scan_slab *slab, uint32_t *items);
    size_t (*planes)(const simd_boxes *boxes, const scan_planes *planes, size_t enough,
                     uint32_t *items);
    void (*nearest)(const simd_boxes *boxes, const acre_aabb *origin, const scan_hits *hits);
    void (*nearest_on_slab)(const simd_boxes *boxes, const scan_slab *slab, const scan_hits *hits);
} scan_set;

extern const scan_set scans_sse41, scans_avx2, scans_avx512, scans_neon;

#endif
