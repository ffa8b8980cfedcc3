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
    float time;   // seconds since the start
} marks_question;

// What the query of the culling camera did with an entity, as far as it matters to the picture.
enum {
    MARK_INSIDE,  // visible, found without a test
    MARK_KEPT,    // visible, found by a test
    MARK_CASTER,  // not visible, casts a shadow
    MARK_BEHIND,  // in the volume, behind others
    MARK_DROPPED, // tested and hidden
    MARK_SKIPPED, // not looked at
    MARK_ENTERED, // the view, in the last second
    MARK_LEFT,    // it
    MARK_COUNT_
};

typedef struct view_marks {
    instance_look *looks; // by slot
    float *entered_at;    // by slot, seconds; 0: never
    acre_aabb *left;      // boxes of those that left lately, a ring
    float *left_at;
    uint32_t left_next;
    bool *is_caster;
    uint8_t *states; // by slot: acre_trace_state; 0: the entity is in no tree
    uint32_t slot_count;
    size_t counts[MARK_COUNT_]; // when that overlay is on
} view_marks;

bool view_marks_create(view_marks *out, uint32_t slot_count);
void view_marks_free(view_marks *marks);

// Notes who entered and who left the set in this frame, which may not be drawn. time: above 0.
void view_marks_note(view_marks *marks, const view_city *c, float time);

// Looks for the visible, shapes for the stage. Returns the looks; NULL: nothing is marked.
const instance_look *view_marks_make(view_marks *marks, view_city *c, stage *s,
                                     const marks_question *question);

#endif
