// SPDX-License-Identifier: MIT
// palette.c - few colors that stand for the many of some pictures: Heckbert's median cut (1982).
#include "palette.h"

#include <assert.h>
#include <stdlib.h>

bool palette_create(palette *out)
{
    *out = (palette){.bins = calloc(PALETTE_BINS, sizeof *out->bins)};
    return out->bins;
}

void palette_free(palette *p)
{
    free(p->bins);
    *p = (palette){0};
}

static uint32_t bin_of(const uint8_t *rgb)
{
    return (uint32_t)(rgb[0] >> 2) << 12 | (uint32_t)(rgb[1] >> 2) << 6 | rgb[2] >> 2;
}

void palette_count(palette *p, const uint8_t *rgb, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++) {
        palette_bin *const bin = &p->bins[bin_of(rgb + 3 * i)];
        bin->pixels++;
        for (int k = 0; k < 3; k++) {
            bin->sums[k] += rgb[3 * i + (size_t)k];
        }
    }
}

static uint32_t channel(uint32_t bin, int axis)
{
    return bin >> (12 - 6 * axis) & 63;
}

// Numbers of bins that share a color for now: a part of one array.
typedef struct bin_group {
    uint32_t *bins;
    size_t count;
    uint64_t pixels;
    int axis;      // along which they lie farthest apart
    uint32_t span; // there
} bin_group;

static void measure(const palette *p, bin_group *group)
{
    group->span = 0;
    group->pixels = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t low = 63, high = 0;
        for (size_t i = 0; i < group->count; i++) {
            const uint32_t at = channel(group->bins[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low >= group->span) {
            group->span = high - low;
            group->axis = axis;
        }
    }
    for (size_t i = 0; i < group->count; i++) {
        group->pixels += p->bins[group->bins[i]].pixels;
    }
}

// Sorts by a channel, by counting: what is equal keeps its order.
static void sort_group(const bin_group *group, uint32_t *room)
{
    size_t starts[65] = {0};
    for (size_t i = 0; i < group->count; i++) {
        starts[channel(group->bins[i], group->axis) + 1]++;
    }
    for (int i = 0; i < 64; i++) {
        starts[i + 1] += starts[i];
    }
    for (size_t i = 0; i < group->count; i++) {
        room[starts[channel(group->bins[i], group->axis)]++] = group->bins[i];
    }
    for (size_t i = 0; i < group->count; i++) {
        group->bins[i] = room[i];
    }
}

// Halves a group where half of its pixels are, each half with a bin at least.
static bin_group split(const palette *p, bin_group *group, uint32_t *room)
{
    assert(group->count > 1);
    sort_group(group, room);
    uint64_t before = p->bins[group->bins[0]].pixels;
    size_t first = 1;
    while (first + 1 < group->count && 2 * before < group->pixels) {
        before += p->bins[group->bins[first++]].pixels;
    }
    bin_group upper = {.bins = group->bins + first, .count = group->count - first};
    group->count = first;
    measure(p, group);
    measure(p, &upper);
    return upper;
}

// The group whose halving gains most: many pixels, far apart. -1: none has two bins.
static int widest(const bin_group *groups, uint32_t count)
{
    int best = -1;
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t gain = groups[i].pixels * groups[i].span * groups[i].span;
        if (groups[i].count > 1 && gain > most) {
            best = (int)i;
            most = gain;
        }
    }
    return best;
}

// The mean of a group's pixels.
static void set_color(palette *p, const bin_group *group)
{
    uint64_t sums[3] = {0, 0, 0};
    for (size_t i = 0; i < group->count; i++) {
        const palette_bin *const bin = &p->bins[group->bins[i]];
        for (int k = 0; k < 3; k++) {
            sums[k] += bin->sums[k];
        }
    }
    for (int k = 0; k < 3 && group->pixels > 0; k++) {
        p->colors[p->count][k] = (uint8_t)((sums[k] + group->pixels / 2) / group->pixels);
    }
    p->count++;
}

// The color nearest to the mean of a bin, which may be that of a neighbor of its group.
static uint8_t nearest_color(const palette *p, const palette_bin *bin)
{
    uint32_t best = 0;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t distance = 0;
        for (int k = 0; k < 3; k++) {
            const int64_t apart = (int64_t)(bin->sums[k] / bin->pixels) - p->colors[i][k];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return (uint8_t)best;
}

bool palette_make(palette *p, uint32_t most)
{
    assert(most > 0 && most <= PALETTE_MOST);
    uint32_t *const bins = malloc(2 * sizeof *bins * PALETTE_BINS);
    bin_group groups[PALETTE_MOST] = {{.bins = bins}};
    p->count = 0;
    if (!bins) {
        return false;
    }
    for (uint32_t i = 0; i < PALETTE_BINS; i++) {
        if (p->bins[i].pixels > 0) {
            bins[groups[0].count++] = i;
        }
    }
    measure(p, &groups[0]);
    uint32_t count = 1;
    for (int at; count < most && (at = widest(groups, count)) >= 0;) {
        groups[count++] = split(p, &groups[at], bins + PALETTE_BINS);
    }
    for (uint32_t i = 0; i < count; i++) {
        set_color(p, &groups[i]);
    }
    free(bins);
    for (uint32_t i = 0; i < PALETTE_BINS; i++) {
        if (p->bins[i].pixels > 0) {
            p->bins[i].index = nearest_color(p, &p->bins[i]);
        }
    }
    return true;
}

uint8_t palette_find(const palette *p, const uint8_t *rgb)
{
    const palette_bin *const bin = &p->bins[bin_of(rgb)];
    assert(bin->pixels > 0 && bin->index < p->count);
    return bin->index;
}
