// SPDX-License-Identifier: MIT
// run_check.h - compares a visible set with brute force in double precision.
//
// Two questions about every entity, answered without the library's tests:
//     1. Do the planes of the camera's frustum let its box through? Their distances in double
//        precision decide; where they are so near 0 that float rounding may change the sign, the
//        float formula that defines visibility (acre/frustum.h) is evaluated. The set must be equal
//        to this one: nothing missing, nothing too much, nothing twice.
//     2. Does a corner or the middle of its box lie inside the clip volume of the camera's
//     matrices?
//        Then it must be in the set, whatever the planes are.
#ifndef ACRE_TOOLS_RUN_CHECK_H
#define ACRE_TOOLS_RUN_CHECK_H

#include <acre/camera.h>
#include <acre/scene.h>

typedef enum check_kind {
    CHECK_EQUAL,
    CHECK_MISSING, // the planes let it through, but it is not in the set
    CHECK_EXTRA,   // a plane hides it, but it is in the set
    CHECK_TWICE,
    CHECK_FOREIGN,   // a slot that does not exist
    CHECK_CUT_OFF,   // inside the clip volume, but not in the set: the planes are wrong
    CHECK_NO_CASTER, // it shadows something visible (run_rays.h), but is not among the casters
    CHECK_SEEN       // a ray from the eye meets it (run_sight.h), but the horizon dropped it
} check_kind;

typedef struct check_difference {
    check_kind kind;
    uint32_t slot;
    int plane;     // the one that decides: of the frustum's, or of the clip volume (left, right,
                   // bottom, top, near, far) for CHECK_CUT_OFF; -1 without planes
    double margin; // the box's distance inside it, world units (clip units for CHECK_CUT_OFF);
                   // negative: outside; for CHECK_NO_CASTER, its distance from what it shadows
} check_difference;

// A set to check: what a query answered to a camera.
typedef struct check_set {
    const acre_camera *camera;
    const acre_frustum *frustum; // its planes; 0 planes: everything is visible
    const uint32_t *slots;
    size_t count;
} check_set;

// marks: one byte per slot of the view, any content. Returns the first difference in the order of
// slots (CHECK_FOREIGN comes first).
check_difference check_visible_set(const acre_scene_view *view, const check_set *set,
                                   uint8_t *marks);

// In words: "is missing from the set".
const char *check_kind_text(check_kind kind);

#endif
