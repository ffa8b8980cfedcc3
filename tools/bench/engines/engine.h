// SPDX-License-Identifier: MIT
// engine.h - what `acre bench --engines yes` asks of an engine: whole frames of a world of boxes.
#ifndef ACRE_BENCH_ENGINE_H
#define ACRE_BENCH_ENGINE_H

#include <acre/camera.h>

ACRE_EXTERN_C_BEGIN

typedef struct engine_world {
    const float (*centers)[3];    // by item
    const float (*half_sizes)[3]; // by item
    uint32_t count;
    float half_size; // of the square of ground, around 0, 0
} engine_world;

typedef struct engine_frame {
    const uint32_t *movers; // items whose centers have changed
    uint32_t mover_count;
    const float (*centers)[3];  // by item
    const acre_camera *cameras; // their clip is ACRE_CLIP_NEGATIVE_ONE_TO_ONE
    uint32_t camera_count;
} engine_frame;

typedef struct engine_answer {
    uint32_t *items; // room for all
    uint32_t count;
} engine_answer;

typedef struct engine {
    const char *name;
    void *(*create)(const engine_world *world); // NULL: it failed
    // Moves the movers, updates what follows from that, and finds what each camera sees.
    bool (*frame)(void *state, const engine_frame *frame, engine_answer *answers);
    void (*destroy)(void *state); // NULL is allowed
} engine;

// The engines of others that were built in.
const engine *const *engines_of_others(uint32_t *count);

ACRE_EXTERN_C_END

#endif
