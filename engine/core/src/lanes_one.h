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

// A function of two numbers or truth values that is one operator.
#define LANES_OPERATION(result, name, type, operator)                                              \
    static inline result name(type a, type b)                                                      \
    {                                                                                              \
        return a operator b;                                                                       \
    }
LANES_OPERATION(floats, floats_add, floats, +)
LANES_OPERATION(floats, floats_sub, floats, -)
LANES_OPERATION(floats, floats_mul, floats, *)
LANES_OPERATION(floats, floats_div, floats, /)
LANES_OPERATION(choice, floats_less, floats, <)
LANES_OPERATION(choice, floats_not_above, floats, <=)
LANES_OPERATION(choice, choice_and, choice, &)
LANES_OPERATION(choice, choice_or, choice, |)
#undef LANES_OPERATION

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

static inline floats floats_choose(choice which, floats yes, floats no)
{
    return which ? yes : no;
}

static inline choice choice_of(bool all)
{
    return all;
}

static inline choice choice_not(choice which)
{
    return !which;
}

// Bit i: lane i.
static inline uint32_t choice_bits(choice which)
{
    return which;
}

#endif
