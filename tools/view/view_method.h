// SPDX-License-Identifier: MIT
// view_method.h - other ways to find what is visible, to compare with: none, and two scans.
#ifndef ACRE_TOOLS_VIEW_METHOD_H
#define ACRE_TOOLS_VIEW_METHOD_H

#include <acre/frustum.h>

#include <stddef.h>

typedef enum view_method {
    METHOD_QUADTREE,
    METHOD_SIMD_SCAN,   // every box against every plane, a vector of boxes at a time
    METHOD_LINEAR_SCAN, // the same, one box after the other
    METHOD_OFF,         // everything is drawn
    METHOD_COUNT_
} view_method;

extern const char *const view_method_names[METHOD_COUNT_];

typedef struct view_scans {
    void *simd; // the loop's own columns of boxes
    uint32_t *items;
    uint32_t *all;
    acre_aabb *boxes; // of all slots; those without a box are nowhere
    uint32_t count;
} view_scans;

// Returns false where memory is short; *out is to be freed all the same.
bool view_scans_create(view_scans *out, uint32_t slot_count);
void view_scans_free(view_scans *scans);

// The fastest scan there is, over and over: brings its columns up to date, then finds, in
// scans->items.
void view_scan_prepare(view_scans *scans, const acre_aabb *boxes);
size_t view_scan_again(view_scans *scans, const acre_frustum *frustum);

// What a scan finds, in ascending order, without rules. *milliseconds: of the search alone, the
// columns are brought up to date before. Returns how many slots there are in *slots.
size_t view_scan(view_scans *scans, view_method method, const acre_aabb *boxes,
                 const acre_frustum *frustum, const uint32_t **slots, double *milliseconds);

#endif
