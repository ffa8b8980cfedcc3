// SPDX-License-Identifier: MIT
// samples.c - the list of samples.
#include "samples.h"

#include "random_numbers.h"
#include "sample_recording.h"

#include <string.h>

extern const view_sample sample_idea, sample_panels, sample_rectangle, sample_agents, sample_crowd,
    sample_towers, sample_towns, sample_views, sample_lods, sample_shapes, sample_interest,
    sample_parts, sample_recording, sample_occlusion, sample_rooms;

const view_sample *const view_samples[] = {&sample_idea,     &sample_panels,    &sample_rectangle,
                                           &sample_agents,   &sample_crowd,     &sample_towers,
                                           &sample_towns,    &sample_views,     &sample_lods,
                                           &sample_shapes,   &sample_occlusion, &sample_rooms,
#ifdef __EMSCRIPTEN__
                                           &sample_recording
#else // a page has no room for these modules
                                           &sample_interest, &sample_parts
#endif
};

size_t view_sample_count(void)
{
    const size_t count = sizeof view_samples / sizeof view_samples[0];
#ifdef __EMSCRIPTEN__
    return count - !sample_recording_is_given();
#else
    return count;
#endif
}

const view_sample *view_sample_find(const char *name)
{
    for (size_t i = 0; i < view_sample_count(); i++) {
        if (strcmp(view_samples[i]->name, name) == 0) {
            return view_samples[i];
        }
    }
    return NULL;
}

float sample_random(uint64_t *state)
{
    return random_next_unit(state);
}

void sample_place(uint64_t *random, float reach, float *out)
{
    for (int k = 0; k < 2; k++) {
        out[k] = reach * (2.0f * sample_random(random) - 1.0f);
    }
}

void sample_wander(acre_aabb *box, float *step, float reach, float seconds)
{
    for (int k = 0; k < 2; k++) {
        const float at = box->min[2 * k];
        if ((at > reach && step[k] > 0.0f) || (at < -reach && step[k] < 0.0f)) {
            step[k] = -step[k];
        }
        box->min[2 * k] += seconds * step[k];
        box->max[2 * k] += seconds * step[k];
    }
}

acre_aabb sample_box(float x, float z, float half, float height)
{
    return (acre_aabb){{x - half, 0.0f, z - half}, {x + half, height, z + half}};
}
