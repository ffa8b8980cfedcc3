// SPDX-License-Identifier: MIT
// float_modes.h - the ways in which a host program may have floats rounded, and denormals flushed.
#ifndef FLOAT_MODES_H
#define FLOAT_MODES_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

enum { FLOAT_MODE_COUNT = 8 };

typedef struct float_mode {
    int rounding;
    uint32_t control; // of SSE; 0 elsewhere
} float_mode;

// Four roundings, then the same with denormals as zero, where the processor's register is known.
// @return the mode before, to be set back.
static inline float_mode float_mode_enter(uint32_t index)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    float_mode before = {fegetround(), 0};
#ifdef __SSE2__
    before.control = _mm_getcsr();
    _mm_setcsr(index & 4 ? before.control | 0x8040u : before.control); // FTZ, DAZ
#endif
    (void)fesetround(roundings[index & 3]);
    return before;
}

static inline void float_mode_leave(float_mode before)
{
#ifdef __SSE2__
    _mm_setcsr(before.control);
#endif
    (void)fesetround(before.rounding);
}

#endif
