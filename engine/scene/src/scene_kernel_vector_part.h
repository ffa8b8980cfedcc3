// SPDX-License-Identifier: MIT
// scene_kernel_vector_part.h - operations that the vector kernels spell alike, but for a prefix.
//
// Before it, a kernel file defines
//     LANES          4, 8 or 16
//     SIMD(name)     its instruction set's name for an operation: SIMD(add_ps)
//     floats, doubles, choice    vectors of LANES floats, of half as many doubles, and a truth
//     value
//                                for each float
// With fewer than 16 lanes it also defines
//     ints           a vector of LANES int32_t
//     INTS(name)     as SIMD, for operations whose name ends in the width: INTS(and)
//     TO_INTS(v), TO_FLOATS(v)   the same bits
//     choice_masks(wrong0, wrong1)   the two halves' truth values of doubles as one of ints
//     doubles_are_less(a, b)         a truth value for each double
//     doubles_from(v, half), narrow(v)   to doubles and back, rounded to nearest
#ifndef ACRE_SCENE_KERNEL_VECTOR_PART_H
#define ACRE_SCENE_KERNEL_VECTOR_PART_H

#ifndef LANES
#error "scene_kernel_sse4.c, _avx2.c and _avx512.c include this behind their names of vectors"
#endif

static inline floats floats_all(float value)
{
    return SIMD(set1_ps)(value);
}

// A function of two vectors that is one instruction.
#define VECTOR_OPERATION(type, name, operation)                                                    \
    static inline type name(type a, type b)                                                        \
    {                                                                                              \
        return SIMD(operation)(a, b);                                                              \
    }
VECTOR_OPERATION(floats, floats_add, add_ps)
VECTOR_OPERATION(floats, floats_sub, sub_ps)
VECTOR_OPERATION(floats, floats_mul, mul_ps)
VECTOR_OPERATION(floats, floats_unpack_low, unpacklo_ps)
VECTOR_OPERATION(floats, floats_unpack_high, unpackhi_ps)
VECTOR_OPERATION(doubles, doubles_add, add_pd)
VECTOR_OPERATION(doubles, doubles_mul, mul_pd)
#if LANES > 4
// a < b ? a : b, and a > b ? a : b.
VECTOR_OPERATION(doubles, doubles_least, min_pd)
VECTOR_OPERATION(doubles, doubles_most, max_pd)
#endif
#undef VECTOR_OPERATION

#define floats_shuffle(a, b, from) SIMD(shuffle_ps)(a, b, from)

#if LANES < 16

static inline floats floats_choose(choice c, floats yes, floats no)
{
    return SIMD(blendv_ps)(no, yes, c);
}

// Where the nearest float is on the wrong side, its bits change by a step.
static inline floats step_where(floats nearest, ints wrong, ints step)
{
    return TO_FLOATS(SIMD(add_epi32)(TO_INTS(nearest), INTS(and)(step, wrong)));
}

// One unit towards minus infinity: the magnitude of a negative number grows.
static inline floats floats_below(const doubles *v)
{
    const floats nearest = narrow(v);
    const ints ones = SIMD(set1_epi32)(-1), one = SIMD(set1_epi32)(1);
    const ints sign = SIMD(srai_epi32)(TO_INTS(nearest), 31);
    const ints wrong = choice_masks(doubles_are_less(v[0], doubles_from(nearest, 0)),
                                    doubles_are_less(v[1], doubles_from(nearest, 1)));
    return step_where(nearest, wrong, INTS(or)(INTS(xor)(sign, ones), one));
}

static inline floats floats_above(const doubles *v)
{
    const floats nearest = narrow(v);
    const ints one = SIMD(set1_epi32)(1);
    const ints sign = SIMD(srai_epi32)(TO_INTS(nearest), 31);
    const ints wrong = choice_masks(doubles_are_less(doubles_from(nearest, 0), v[0]),
                                    doubles_are_less(doubles_from(nearest, 1), v[1]));
    return step_where(nearest, wrong, INTS(or)(sign, one));
}

#endif

#endif
