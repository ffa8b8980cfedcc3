// SPDX-License-Identifier: MIT
// bench_scans_neon.c - the scans of bench_scans.h, 4 boxes a vector, on 64-bit ARM.
#include "bench_press.h"

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 4

typedef float32x4_t lanes;
typedef uint32x4_t choice;

static inline lanes lanes_load(const float *from)
{
    return vld1q_f32(from);
}

static inline lanes lanes_all(float value)
{
    return vdupq_n_f32(value);
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return vaddq_f32(a, b);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return vsubq_f32(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return vmulq_f32(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return vminq_f32(a, b);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return vmaxq_f32(a, b);
}

static inline choice lanes_below(lanes a, lanes b)
{
    return vcltq_f32(a, b);
}

static inline choice lanes_up_to(lanes a, lanes b)
{
    return vcleq_f32(a, b);
}

static inline choice choice_and(choice a, choice b)
{
    return vandq_u32(a, b);
}

static inline choice choice_or(choice a, choice b)
{
    return vorrq_u32(a, b);
}

static inline uint32_t choice_bits(choice a)
{
    static const uint32_t lane_bits[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(a, vld1q_u32(lane_bits)));
}

static inline uint32_t lanes_share_bit(const uint32_t *from, uint32_t mask)
{
    return choice_bits(vtstq_u32(vld1q_u32(from), vdupq_n_u32(mask)));
}

static inline size_t lanes_press(uint32_t *items, size_t at, uint32_t bits)
{
    const uint8x8_t row = vcreate_u8(press_four(bits));
    const uint32x4_t pressed = vmovl_u16(vget_low_u16(vmovl_u8(row)));
    vst1q_u32(items, vaddq_u32(pressed, vdupq_n_u32((uint32_t)at)));
    return (size_t)__builtin_popcount(bits);
}

#include "bench_scan_lanes.h"

const scan_set scans_neon = SCAN_SET;
