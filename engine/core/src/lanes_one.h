// SPDX-License-Identifier: MIT
// lanes_one.h - the operations of shape_lanes.h on one box at a time: plain C, the reference.
#ifndef ACRE_LANES_ONE_H
#define ACRE_LANES_ONE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LANES 1

typedef float floats;
typedef bool choice; // a truth value per lane

static inline floats floats_load(const float *from)
{
    return *from;
}

static inline void floats_store(float *to, floats v)
{
    *to = v;
}

static inline floats floats_all(float value)
{
    return value;
}

static inline floats floats_add(floats a, floats b)
{
    return a + b;
}

static inline floats floats_sub(floats a, floats b)
{
    return a - b;
}

static inline floats floats_mul(floats a, floats b)
{
    return a * b;
}

static inline floats floats_div(floats a, floats b)
{
    return a / b;
}

// b where either is NaN, as in SSE.
static inline floats floats_min(floats a, floats b)
{
    return a < b ? a : b;
}

static inline floats floats_max(floats a, floats b)
{
    return a > b ? a : b;
}

static inline floats floats_sqrt(floats v)
{
    return sqrtf(v);
}

static inline choice floats_less(floats a, floats b)
{
    return a < b;
}

static inline choice floats_not_above(floats a, floats b)
{
    return a <= b;
}

static inline choice choice_and(choice a, choice b)
{
    return a & b;
}

static inline choice choice_or(choice a, choice b)
{
    return a | b;
}

static inline choice choice_of(bool all)
{
    return all;
}

static inline choice choice_not(choice which)
{
    return !which;
}

static inline floats floats_choose(choice which, floats yes, floats no)
{
    return which ? yes : no;
}

// Bit i: lane i.
static inline uint32_t choice_bits(choice which)
{
    return which;
}

#endif
