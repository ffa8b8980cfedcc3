// SPDX-License-Identifier: MIT
// scenario.c - what the recorded scenarios share.
#include "scenario.h"

#include <string.h>

int scenario_failures;

void expect(bool condition, const char *what)
{
    if (!condition) {
        printf("unexpected: %s\n", what);
        scenario_failures++;
    }
}

void hash_word(uint64_t *hash, uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8) {
        *hash = (*hash ^ ((word >> shift) & 0xffu)) * 0x100000001b3u;
    }
}

void hash_words(uint64_t *hash, const uint32_t *words, size_t count)
{
    hash_word(hash, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        hash_word(hash, words[i]);
    }
}

void hash_floats(uint64_t *hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash_word(hash, bits);
    }
}

void hash_box(uint64_t *hash, const acre_aabb *box)
{
    hash_floats(hash, box->min, 3);
    hash_floats(hash, box->max, 3);
}

// projection x view, column-major: a flying camera with depth -1..1, one with depth 0..1 that looks
// down steeply, one near the ground with reversed depth and an infinite far plane.
const float scenario_matrices[SCENARIO_CAMERAS][16] = {
    {0.779422879f, 0.0f, -0.600600302f, -0.600000024f, 0.0f, 1.73205078f, 0.0f, 0.0f, -0.58456713f,
     0.0f, -0.800800383f, -0.800000012f, 148.090347f, -69.2820358f, 35.0355186f, 36.0f},
    {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.959999979f, -0.800400198f, -0.800000012f, 0.0f, -1.27999997f,
     -0.600300133f, -0.600000024f, -25.0f, -32.0f, 359.179596f, 360.0f},
    {0.252000004f, 0.0f, 0.0f, 0.959999979f, 0.0f, 1.60000002f, 0.0f, 0.0f, 0.864000022f, 0.0f,
     0.0f, -0.280000001f, -45.7200012f, -3.20000005f, 0.100000001f, 4.4000001f},
};
const acre_clip scenario_clips[SCENARIO_CAMERAS] = {
    ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE, ACRE_CLIP_REVERSED_ZERO_TO_ONE};

void scenario_make_frusta(acre_frustum *frusta)
{
    for (int i = 0; i < SCENARIO_CAMERAS; i++) {
        expect(acre_frustum_from_matrix(&frusta[i], scenario_matrices[i], scenario_clips[i]) ==
                   ACRE_OK,
               "frustum");
    }
}
