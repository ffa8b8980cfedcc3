// SPDX-License-Identifier: MIT
// samples.h - small scenes that each show one idea; a file each.
#ifndef ACRE_TOOLS_SAMPLES_H
#define ACRE_TOOLS_SAMPLES_H

#include "stage.h"
#include "view_camera.h"

typedef struct view_sample {
    const char *name;  // as --sample takes it
    const char *title; // a few words
    const char *about; // what it teaches, in one line, and what to do
    size_t state_size; // of the state, zeroed before create
    // Returns false where memory is short; destroy is called all the same.
    bool (*create)(void *state);
    void (*destroy)(void *state);
    // Moves what moves, asks, and adds what is seen. Returns false where a call failed.
    bool (*step)(void *state, stage *s);
    float target[3];            // the camera looks at it
    float yaw, pitch, distance; // from there
} view_sample;

extern const view_sample *const view_samples[];

// That of recordings, the last of a page, is one of them only where there is a recording to show.
size_t view_sample_count(void);

// NULL: there is none of that name.
const view_sample *view_sample_find(const char *name);

// A random number, the same on every platform, 0 .. 1.
float sample_random(uint64_t *state);

// A random place on the ground: x and z, each within `reach` of the middle.
void sample_place(uint64_t *random, float reach, float *out);

// A box that goes on by its step (x and z, meters a second), and turns back at the edge: `reach`
// from the middle.
void sample_wander(acre_aabb *box, float *step, float reach, float seconds);

// A box around a point on the ground, standing on it.
acre_aabb sample_box(float x, float z, float half, float height);

#endif
