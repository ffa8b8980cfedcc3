// SPDX-License-Identifier: MIT
// bench_contender.h - what every row of `acre bench` can do: Acre, plain loops, other trees.
//
// A contender is a table of functions on a state of its own. Loops over items stand inside the
// contender, so that each is called as a program in its language would call it.
//
// Words used here:
//     item     0 .. count - 1; boxes[item] is its box
//     mover    an item that moved in this frame
//     exact    the contender finds the very set of acre_frustum_test_aabb
#ifndef ACRE_TOOLS_BENCH_CONTENDER_H
#define ACRE_TOOLS_BENCH_CONTENDER_H

#include "asked_question.h"

#include <acre/frustum.h>
#include <acre/kernel.h>
#include <acre/quadtree_pairs.h>

ACRE_EXTERN_C_BEGIN

// Room behind the results of a query that a contender may overwrite, items: one full vector.
#define CONTENDER_SLACK 32

typedef struct contender_world {
    uint32_t count;     // items are below it
    float half_size;    // of the ground, middle 0, 0
    acre_kernel kernel; // of Acre's trees
    uint32_t node_capacity;
} contender_world;

typedef struct contender_query {
    const acre_frustum *frustum;
    const acre_aabb *bounds; // of the volume
    const uint32_t *visible; // the answer, for memcpy alone
    size_t visible_count;
    // acre_frustum_test_aabb, so that peers link to nothing of Acre.
    bool (*is_visible)(const acre_frustum *frustum, const acre_aabb *box);
} contender_query;

// An answer of those who have no such query.
#define CONTENDER_CANNOT SIZE_MAX

// NULL functions: the contender cannot do it.
typedef struct bench_contender {
    const char *name;
    // Answers from the state of that contender, which stands earlier in the list; NULL: has its
    // own.
    const struct bench_contender *host;
    bool is_exact;
    bool is_measured_cold;
    void *(*create)(const contender_world *world); // NULL when memory is short
    void (*destroy)(void *state);
    // Items that are not there, one by one in this order; boxes[item] is an item's box.
    bool (*insert)(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes);
    // All items at once; the state is empty before.
    bool (*build)(void *state, const acre_aabb *boxes, uint32_t count);
    // A second of a running game in which nothing moves, not timed; NULL: it changes nothing.
    bool (*settle)(void *state);
    // Before a frame's refresh, not timed: what a program would have at hand.
    bool (*prepare)(void *state, const uint32_t *movers, size_t mover_count,
                    const acre_aabb *boxes);
    // A frame: the movers, in ascending order, and what the structure needs once a frame.
    bool (*refresh)(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t count);
    // Room for all items and CONTENDER_SLACK. Returns how many there are.
    size_t (*query)(void *state, const contender_query *query, uint32_t *items);
    // What is measured in its place, where what it finds may stay where it is; NULL: query.
    size_t (*find)(void *state, const contender_query *query, uint32_t *items);
    // All that the question asks for, in any order. Room as of query.
    size_t (*answer)(void *state, const asked_question *question, uint32_t *items);
    // The nearest, nearest first, of equally distant ones the smaller number first.
    size_t (*nearest)(void *state, const asked_question *question, acre_query_hit *hits);
    // All pairs of items whose boxes overlap, each once, in any order; writes as many as there is
    // room for. Returns how many there are, or CONTENDER_CANNOT. NULL: a question for each box.
    size_t (*pairs)(void *state, acre_pair *pairs, size_t capacity);
    // Masks by item, for a structure that keeps them itself.
    bool (*set_layers)(void *state, const uint32_t *layers, uint32_t count);
    // Items that are there, one by one in this order.
    bool (*remove)(void *state, const uint32_t *items, uint32_t count);
    size_t (*bytes)(const void *state); // all memory that the state holds
} bench_contender;

// Acre's tree; they differ in how they are edited.
extern const bench_contender bench_acre;      // one by one
extern const bench_contender bench_acre_many; // inserted, refreshed, removed many in one call
extern const bench_contender bench_acre_all;  // refreshed in one call, with the boxes of all
// The tree of bench_acre, asked for spans.
extern const bench_contender bench_acre_spans;
// The tree of bench_acre_many, laid out anew before queries.
extern const bench_contender bench_acre_optimized;
// Loops over all boxes: acre_frustum_test_aabb of one after the other, and vectors.
extern const bench_contender bench_scalar;
// The fastest that this processor runs; of one kernel, if it is not the default. NULL: there is
// none.
const bench_contender *bench_simd_loop(acre_kernel kernel);
// bench_wide_bvh.c by the same kernel: refitted, rebuilt where it has become bad, and in Morton
// order anew in each frame. NULL: there is none.
enum { WIDE_BVH_COUNT = 3 };
const bench_contender *bench_wide_bvhs(acre_kernel kernel);
extern const bench_contender bench_wide_sse41[WIDE_BVH_COUNT], bench_wide_avx2[WIDE_BVH_COUNT],
    bench_wide_avx512[WIDE_BVH_COUNT], bench_wide_neon[WIDE_BVH_COUNT];
// Copies the answer that it is given, and the boxes that moved: the least that a query which writes
// items, and a refresh, can take.
extern const bench_contender bench_memcpy;
// tests/support/textbook_quadtree.c
extern const bench_contender bench_textbook;
// Acre's pairs by acre_contacts_update, sorted and compared with those of the call before.
extern const bench_contender bench_acre_contacts;
// Boxes sorted by x in each call, then runs of boxes that overlap in x; by eight where the kernel
// and the processor allow it.
const bench_contender *bench_sweep(acre_kernel kernel);

// Trees of others, those whose packages were there when the program was built: a C++ library of
// their own (peers/). index: 0 .. count - 1.
ACRE_API uint32_t bench_peer_count(void);
ACRE_API const bench_contender *bench_peer(uint32_t index);

ACRE_EXTERN_C_END

#endif
