// SPDX-License-Identifier: MIT
// bench_scans.h - the yardstick: loops over all boxes, as fast as an instruction set can.
//
// The boxes are six arrays of floats (min x y z, max x y z), so that a vector holds one edge of
// neighboring boxes. Per plane and axis the p-vertex comes from one of the two arrays, which is
// chosen once a query. The order of operations is that of acre_frustum_test_aabb: the same bits,
// the same set. Results are appended as whole vectors, compressed, and the end moves on by
// their number: no branch depends on a box. Four vectors of boxes share each plane's loads, which
// takes a quarter less time than one; to stop where no box is left gains nothing, as neighbors in
// memory are anywhere on the ground.
//
// A scan answers what it can decide for certain; shapes whose definition takes more than a few
// operations give candidates, which the caller tests.
#ifndef ACRE_TOOLS_BENCH_SCANS_H
#define ACRE_TOOLS_BENCH_SCANS_H

#include <acre/frustum.h>
#include <acre/quadtree_pairs.h>
#include <acre/quadtree_query.h>

enum { SCAN_STEP = 64, SCAN_VECTORS = 4, SWEEP_LANES = 16 };

// Readable up to a multiple of SCAN_STEP.
typedef struct scan_boxes {
    uint32_t count;
    float *edges[6];        // min x y z, max x y z; one block of memory
    uint32_t *numbers;      // for an answer's own use: room as of a query's results
    uint64_t *keys, *spare; // the same
} scan_boxes;

typedef struct scan_plane {
    const float *edges[3]; // of the p-vertices
    float plane[4];
} scan_plane;

typedef struct scan_planes {
    scan_plane planes[ACRE_FRUSTUM_MAX_PLANES];
    uint32_t plane_count;
    scan_plane excluded[ACRE_FRUSTUM_MAX_PLANES]; // with the corners opposite to the p-vertices
    uint32_t excluded_count;                      // 0: nothing is
    const uint32_t *layers;                       // NULL: all
    uint32_t mask;
} scan_planes;

// A sphere; without y a circle on the ground.
typedef struct scan_round {
    float center[3], radius;
    bool is_flat;
} scan_round;

// Share of a radius within which a plain distance does not decide: more than shapes.h allows.
#define SCAN_DOUBT 0x1p-12f

// A thick segment: candidates of rays, swept boxes and capsules.
typedef struct scan_slab {
    float origin[3], inverse[3]; // 1 / direction
    float reach[3];              // half its thickness
    float least, most;           // along the direction
} scan_slab;

// Takes a box that is nearer than the limit, or as near. Returns the new limit, meters.
typedef struct scan_hits {
    float (*offer)(void *user, uint32_t item);
    void *user;
    float limit;
} scan_hits;

// Sorted by edges[0]; behind the last box stand SWEEP_LANES more that begin at infinity.
typedef struct sweep_boxes {
    size_t count;
    float *edges[6]; // min x y z, max x y z; finite
    uint32_t *items;
} sweep_boxes;

// Items are ascending, `items` has room for all and a vector of 16. A scan ends once it has found
// `enough`.
typedef struct scan_set {
    size_t (*boxes)(const scan_boxes *boxes, const acre_aabb *box, size_t enough, uint32_t *items);
    // Those that rounding might decide are written to `doubtful`.
    size_t (*round)(const scan_boxes *boxes, const scan_round *round, uint32_t *items,
                    uint32_t *doubtful, size_t *doubtful_count);
    size_t (*slab)(const scan_boxes *boxes, const scan_slab *slab, uint32_t *items);
    // Planes alone: no layers, nothing excluded.
    size_t (*frustum)(const scan_boxes *boxes, const scan_planes *planes, uint32_t *items);
    size_t (*planes)(const scan_boxes *boxes, const scan_planes *planes, size_t enough,
                     uint32_t *items);
    void (*nearest)(const scan_boxes *boxes, const acre_aabb *origin, const scan_hits *hits);
    void (*nearest_on_slab)(const scan_boxes *boxes, const scan_slab *slab, const scan_hits *hits);
    // Every pair once; writes as many as there is room for. Returns how many there are.
    size_t (*pairs)(const sweep_boxes *boxes, acre_pair *pairs, size_t capacity);
} scan_set;

extern const scan_set scans_sse41, scans_avx2, scans_avx512, scans_neon;

static inline acre_pair sweep_pair(uint32_t a, uint32_t b)
{
    return a < b ? (acre_pair){a, b} : (acre_pair){b, a};
}

#endif
