// SPDX-License-Identifier: MIT
// view_marks.h - overlays in the scene: which entities are marked, and lines and boxes beside them.
#ifndef ACRE_TOOLS_VIEW_MARKS_H
#define ACRE_TOOLS_VIEW_MARKS_H

#include "stage.h"
#include "view_city.h"

// What is on, a flag for each view_overlay, and where cameras are.
typedef struct marks_question {
    const bool *is_on;
    const acre_camera *culling;
    float height; // of the picture, pixels
    uint64_t frame;
} marks_question;

// What the query of the culling camera did with an entity, as far as it matters to the picture.
enum {
    MARK_INSIDE,  // visible, found without a test
    MARK_KEPT,    // visible, found by a test
    MARK_CASTER,  // not visible, casts a shadow
    MARK_BEHIND,  // in the volume, behind others
    MARK_DROPPED, // tested and hidden
    MARK_SKIPPED, // not looked at
    MARK_COUNT_
};

typedef struct view_marks {
    instance_look *looks; // by slot
    uint8_t *fades;       // by slot: frames since it entered, from 255 down
    acre_aabb *left;      // boxes of those that left lately, a ring
    uint64_t *left_at;
    uint32_t left_next;
    bool *is_caster;
    uint8_t *states; // by slot: acre_trace_state; 0: the entity is in no tree
    uint32_t slot_count;
    size_t counts[MARK_COUNT_]; // when that overlay is on
} view_marks;

bool view_marks_create(view_marks *out, uint32_t slot_count);
void view_marks_free(view_marks *marks);

// Looks for the visible, shapes for the stage. Returns the looks; NULL: nothing is marked.
const instance_look *view_marks_make(view_marks *marks, view_city *c, stage *s,
                                     const marks_question *question);

#endif
