// SPDX-License-Identifier: MIT
// fuzz_input.c - bytes as numbers, boxes and planes that are rich in ties.
#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fuzz_prints;
void (*fuzz_at_death)(void);

void fuzz_fail(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    abort();
}

bool fuzz_has_more(const fuzz_input *input)
{
    return input->at < input->size;
}

uint32_t fuzz_byte(fuzz_input *input)
{
    return input->at < input->size ? input->bytes[input->at++] : 0;
}

uint32_t fuzz_below(fuzz_input *input, uint32_t bound)
{
    const uint32_t low = fuzz_byte(input);
    return (bound > 256 ? low | fuzz_byte(input) << 8 : low) % bound;
}

uint32_t fuzz_u32(fuzz_input *input)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++) {
        value |= fuzz_byte(input) << (8 * i);
    }
    return value;
}

static float next_float(float value, int steps)
{
    for (; steps > 0; steps--) {
        value = nextafterf(value, INFINITY);
    }
    for (; steps < 0; steps++) {
        value = nextafterf(value, -INFINITY);
    }
    return value;
}

float fuzz_float(fuzz_input *input)
{
    static const float special[] = {
        0.0f,      -0.0f, FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN,  FLT_MAX,  -FLT_MAX,  INFINITY,
        -INFINITY, NAN,   0x1p-20f,     0x1p24f,       0x1p100f, 0x1p126f, -0x1p120f, 0x1p-80f};
    const uint32_t kind = fuzz_byte(input);
    if (kind < 128) { // multiples of an eighth of a unit
        return (float)((int32_t)fuzz_byte(input) - 128) * (kind < 64 ? 1.0f : 0.125f);
    }
    if (kind < 192) { // one float beside, or at, a multiple
        const float line = (float)((int32_t)fuzz_byte(input) - 128) * 0.5f;
        return next_float(line, (int)(kind % 3) - 1);
    }
    if (kind < 224) { // powers of two
        const float power = ldexpf(1.0f, (int)fuzz_byte(input) - 128);
        return next_float(kind & 1 ? -power : power, (int)(kind % 3) - 1);
    }
    if (kind < 248) {
        return special[fuzz_byte(input) % (sizeof special / sizeof special[0])];
    }
    const uint32_t bits = fuzz_u32(input);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float fuzz_finite(fuzz_input *input)
{
    const float value = fuzz_float(input);
    return isfinite(value) ? value : 1.0f;
}

acre_aabb fuzz_box(fuzz_input *input)
{
    acre_aabb box;
    const uint32_t shape = fuzz_byte(input);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = fuzz_float(input);
        if (shape < 16) {
            box.max[axis] = fuzz_float(input);
        } else if (shape < 64) {
            box.max[axis] = box.min[axis] + fabsf(fuzz_float(input));
        } else { // up to 96 units, often a power of two or nothing
            const uint32_t extent = fuzz_byte(input);
            box.max[axis] = box.min[axis] + (float)(extent >> 3) * (float)(extent & 3);
        }
    }
    return box;
}

acre_frustum fuzz_frustum(fuzz_input *input)
{
    acre_frustum frustum = {.plane_count = fuzz_byte(input) & 7};
    if (frustum.plane_count == 7) {
        frustum.plane_count = fuzz_byte(input) % 20;
    }
    const uint32_t count = frustum.plane_count < ACRE_FRUSTUM_MAX_PLANES ? frustum.plane_count
                                                                         : ACRE_FRUSTUM_MAX_PLANES;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = fuzz_byte(input);
        for (int k = 0; k < 4; k++) {
            frustum.planes[i][k] = fuzz_float(input);
        }
        if (kind < 128) { // upright to an axis, through a line of cells
            const float sign = kind & 1 ? -1.0f : 1.0f;
            for (uint32_t k = 0; k < 3; k++) {
                frustum.planes[i][k] = k == kind / 2 % 3 ? sign : 0.0f;
            }
        }
    }
    return frustum;
}
