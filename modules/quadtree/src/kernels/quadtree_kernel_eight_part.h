// SPDX-License-Identifier: MIT
// quadtree_kernel_eight_part.h - the groups of two blocks at the ends of lists, eight at a time.
//
// Must be defined before: list_eight(lanes, set, end), which writes eight rows at the end of a
// list, the lanes of the set first.
#ifndef ACRE_QUADTREE_KERNEL_EIGHT_PART_H
#define ACRE_QUADTREE_KERNEL_EIGHT_PART_H

#ifndef LANES
#error "quadtree_kernel_avx2.h and _avx512.h include this at their end"
#endif

static inline simde__m256i eight_repeat(uint32_t first, uint32_t second)
{
    return simde_mm256_set_m128i(simde_mm_set1_epi32((int32_t)second),
                                 simde_mm_set1_epi32((int32_t)first));
}

// The words of the groups of two blocks; see LIST_TWICE.
static inline simde__m256i words_of_two(const uint32_t blocks[2], uint32_t count)
{
    const simde__m256i lane = simde_mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
    const simde__m256i first = eight_repeat(blocks[0] * BLOCK_GROUPS, blocks[1] * BLOCK_GROUPS);
    const simde__m256i group = simde_mm256_add_epi32(first, lane);
    const simde__m256i rest =
        simde_mm256_sub_epi32(eight_repeat(count, BLOCK_SLOTS), simde_mm256_slli_epi32(lane, 4));
    return simde_mm256_or_si256(simde_mm256_slli_epi32(group, GROUP_COUNT_BITS),
                                simde_mm256_min_epi32(rest, simde_mm256_set1_epi32(GROUP_SLOTS)));
}

// See LIST_TWICE.
static inline void list_two_blocks(const uint32_t blocks[2], uint32_t count, uint32_t seen,
                                   const four_masks left[2], group_lists *lists, group_ends *ends)
{
    expect_room_for_groups(ends);
    const simde__m256i words = words_of_two(blocks, count);
    const simde__m256i masks = simde_mm256_set_m128i(left[1], left[0]);
    const simde__m256i is_zero = simde_mm256_cmpeq_epi32(masks, simde_mm256_setzero_si256());
    const uint32_t is_inside = (uint32_t)simde_mm256_movemask_ps(simde_mm256_castsi256_ps(is_zero));
    const uint32_t inside = seen & is_inside, intersecting = seen & ~is_inside;
    list_eight(words, inside, lists->inside + ends->inside);
    list_eight(words, intersecting, lists->intersecting + ends->intersecting);
    list_eight(masks, intersecting, lists->intersecting_masks + ends->intersecting);
    ends->inside += lane_count(inside);
    ends->intersecting += lane_count(intersecting);
}

// Writes those of the groups of two blocks that a ray touches, and where it enters them.
static inline void list_entered(const uint32_t blocks[2], uint32_t count, uint32_t seen,
                                const float enters[8], uint32_t *words, float *distances)
{
    uint32_t front[8];
    list_eight(words_of_two(blocks, count), seen, words);
    list_eight(eight_load(enters), seen, front);
    memcpy(distances, front, sizeof front);
}

#endif
