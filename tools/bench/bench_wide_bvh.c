// SPDX-License-Identifier: MIT
// bench_wide_bvh.c - the strongest rival: a wide hierarchy of boxes, compiled once for each
// instruction set.
//
// A node has as many children as a vector has floats, and a leaf is a block of as many items, both
// as six vectors of edges. The surface area heuristic builds it from the top, with bins. Where all
// items moved, all blocks are gathered anew; else only the blocks and nodes above the movers are.
// A query drops planes below nodes that lie wholly on their inner side, and copies what is below a
// child that is wholly inside in one piece. Sets are exact.
//
// Words used here:
//     cost     the areas of all children, as a multiple of the root's: what a query may expect
//     piece    items that stand side by side and become one child
#include "bench_contender.h"

#include "bench_scan_lanes.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define REBUILD_AT 1.5     // of the cost of a fresh hierarchy
#define MORTON_MOST 65535u // of a coordinate in a key

enum { BINS = 16, DIGIT_BITS = 11, DIGITS = 3, AHEAD = 8, COPIED = 16 };

typedef struct wide_block {
    _Alignas(64) float edges[6][LANES]; // min x y z, max x y z
} wide_block;

typedef struct block_place {
    uint32_t first, count; // its items
    uint32_t parent, lane;
} block_place;

typedef struct wide_node {
    _Alignas(64) float edges[6][LANES];  // of the children
    uint32_t first[LANES], count[LANES]; // items below a child
    int32_t child[LANES];                // a node, or ~ a block
    uint32_t child_count;
    uint32_t parent, lane; // the root is its own parent
} wide_node;

typedef struct piece {
    uint32_t first, count;
    float area; // m2, of those that could be cut
} piece;

typedef struct waiting_node {
    piece all;
    uint32_t parent, lane;
} waiting_node;

// A child that a query has to look at, and the planes, as bits, that may hide something below it.
typedef struct waiting_child {
    int32_t child;
    uint32_t planes;
} waiting_child;

typedef struct wide_bvh {
    uint32_t item_count, node_count, block_count;
    wide_node *nodes; // parents come before their children
    wide_block *blocks;
    block_place *places; // of blocks
    uint32_t *items;     // in the order of blocks
    uint32_t *slots;     // by item: block * LANES + lane
    uint64_t *stale[2];  // bits of nodes, of blocks
    uint64_t *keys[2];   // of the Morton order
    waiting_node *nodes_to_make;
    waiting_child *waiting;
    double fresh_cost;
} wide_bvh;

// ---- memory ----

static void destroy(void *state)
{
    wide_bvh *const self = state;
    if (self) {
        void *const blocks[] = {self->nodes,   self->blocks,   self->places,       self->items,
                                self->slots,   self->stale[0], self->stale[1],     self->keys[0],
                                self->keys[1], self->waiting,  self->nodes_to_make};
        for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
            free(blocks[i]);
        }
    }
    free(self);
}

// Room for a block of each item; the system gives memory to pages that are used.
static void *create(const contender_world *world)
{
    const size_t room = (size_t)world->count + 2 * CONTENDER_SLACK;
    wide_bvh *const self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->item_count = world->count;
    self->nodes = aligned_alloc(64, room * sizeof *self->nodes);
    self->blocks = aligned_alloc(64, room * sizeof *self->blocks);
    self->places = malloc(room * sizeof *self->places);
    self->items = calloc(room, sizeof *self->items);
    self->slots = calloc(room, sizeof *self->slots);
    self->nodes_to_make = malloc(room * sizeof *self->nodes_to_make);
    self->waiting = malloc(room * sizeof *self->waiting);
    bool is_good = self->nodes && self->blocks && self->places && self->items && self->slots &&
                   self->nodes_to_make && self->waiting;
    for (int i = 0; i < 2; i++) {
        self->stale[i] = calloc(room / 64 + 1, sizeof *self->stale[i]);
        self->keys[i] = calloc(room, sizeof *self->keys[i]);
        is_good = is_good && self->stale[i] && self->keys[i];
    }
    for (uint32_t i = 0; i < world->count; i++) {
        self->items[is_good ? i : 0] = i;
    }
    return is_good ? self : (destroy(self), NULL);
}

static size_t bytes(const void *state)
{
    const wide_bvh *const self = state;
    return self->node_count * sizeof *self->nodes +
           self->block_count * (sizeof *self->blocks + sizeof *self->places) +
           self->item_count * (sizeof *self->items + sizeof *self->slots);
}

// ---- boxes ----

static const acre_aabb nothing = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static inline void grow(acre_aabb *box, const acre_aabb *by)
{
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = box->min[axis] < by->min[axis] ? box->min[axis] : by->min[axis];
        box->max[axis] = box->max[axis] > by->max[axis] ? box->max[axis] : by->max[axis];
    }
}

// Half the surface of the box.
static inline float area_of(const acre_aabb *box)
{
    const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1];
    const float z = box->max[2] - box->min[2];
    return x < 0.0f ? 0.0f : x * y + y * z + z * x;
}

static inline float middle_of(const acre_aabb *box, int axis)
{
    return 0.5f * (box->min[axis] + box->max[axis]);
}

static inline void put_box(float (*edges)[LANES], uint32_t lane, const acre_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        edges[axis][lane] = box->min[axis];
        edges[3 + axis][lane] = box->max[axis];
    }
}

static inline acre_aabb get_box(const float (*edges)[LANES], uint32_t lane)
{
    return (acre_aabb){{edges[0][lane], edges[1][lane], edges[2][lane]},
                       {edges[3][lane], edges[4][lane], edges[5][lane]}};
}

// The box of all lanes becomes that of a child.
static inline void pass_up(const float (*edges)[LANES], wide_node *parent, uint32_t lane)
{
    for (int axis = 0; axis < 3; axis++) {
        parent->edges[axis][lane] = lanes_least(lanes_load(edges[axis]));
        parent->edges[3 + axis][lane] = lanes_most(lanes_load(edges[3 + axis]));
    }
}

static void pass_block_up(wide_bvh *self, uint32_t block)
{
    const block_place *const place = &self->places[block];
    pass_up((const float(*)[LANES])self->blocks[block].edges, &self->nodes[place->parent],
            place->lane);
}

static void pass_node_up(wide_bvh *self, uint32_t node)
{
    const wide_node *const from = &self->nodes[node];
    if (node > 0) {
        pass_up((const float(*)[LANES])from->edges, &self->nodes[from->parent], from->lane);
    }
}

// ---- refit ----

static void refit_all(wide_bvh *self, const acre_aabb *boxes)
{
    for (uint32_t block = 0; block < self->block_count; block++) {
        const block_place place = self->places[block];
        for (uint32_t lane = 0; lane < place.count; lane++) {
            const uint32_t at = place.first + lane;
            __builtin_prefetch(&boxes[self->items[at + AHEAD]]);
            put_box(self->blocks[block].edges, lane, &boxes[self->items[at]]);
        }
        pass_block_up(self, block);
    }
    for (uint32_t node = self->node_count; node-- > 1;) {
        pass_node_up(self, node);
    }
}

static inline void mark_stale(uint64_t *bits, uint32_t at)
{
    bits[at / 64] |= (uint64_t)1 << (at % 64);
}

static void refit_blocks(wide_bvh *self)
{
    for (uint32_t word = 0; word <= self->block_count / 64; word++) {
        for (uint64_t bits = self->stale[1][word]; bits; bits &= bits - 1) {
            const uint32_t block = word * 64 + (uint32_t)__builtin_ctzll(bits);
            pass_block_up(self, block);
            mark_stale(self->stale[0], self->places[block].parent);
        }
        self->stale[1][word] = 0;
    }
}

// From the last node, so that children come before their parents.
static void refit_nodes(wide_bvh *self)
{
    for (uint32_t word = self->node_count / 64 + 1; word-- > 0;) {
        while (self->stale[0][word]) {
            const uint32_t bit = 63 - (uint32_t)__builtin_clzll(self->stale[0][word]);
            const uint32_t node = word * 64 + bit;
            self->stale[0][word] &= ~((uint64_t)1 << bit);
            pass_node_up(self, node);
            if (node > 0) {
                mark_stale(self->stale[0], self->nodes[node].parent);
            }
        }
    }
}

static void refit_some(wide_bvh *self, const uint32_t *movers, size_t count, const acre_aabb *boxes)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t next = self->slots[movers[i + AHEAD < count ? i + AHEAD : i]];
        const uint32_t slot = self->slots[movers[i]];
        __builtin_prefetch(&self->blocks[next / LANES].edges[0][next % LANES], 1);
        __builtin_prefetch(&self->blocks[next / LANES].edges[3][next % LANES], 1);
        put_box(self->blocks[slot / LANES].edges, slot % LANES, &boxes[movers[i]]);
        mark_stale(self->stale[1], slot / LANES);
    }
    refit_blocks(self);
    refit_nodes(self);
}

static double cost_of(const wide_bvh *self)
{
    double sum = 0.0;
    acre_aabb all = nothing;
    for (uint32_t node = 0; node < self->node_count; node++) {
        const wide_node *const at = &self->nodes[node];
        for (uint32_t lane = 0; lane < at->child_count; lane++) {
            const acre_aabb box = get_box((const float(*)[LANES])at->edges, lane);
            sum += (double)area_of(&box);
            if (node == 0) {
                grow(&all, &box);
            }
        }
    }
    return sum / (double)area_of(&all);
}

// ---- build ----

typedef struct bin {
    acre_aabb box;
    uint32_t count;
} bin;

typedef struct bin_grid {
    float low[3], scale[3]; // of middles; a scale is 0 where all have the same
    bin bins[3][BINS];
} bin_grid;

static inline int bin_of(const bin_grid *grid, const acre_aabb *box, int axis)
{
    return (int)((middle_of(box, axis) - grid->low[axis]) * grid->scale[axis]);
}

static void fill_bins(bin_grid *grid, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    acre_aabb middles = nothing;
    for (uint32_t i = 0; i < count; i++) {
        acre_aabb middle;
        for (int axis = 0; axis < 3; axis++) {
            middle.min[axis] = middle.max[axis] = middle_of(&boxes[items[i]], axis);
        }
        grow(&middles, &middle);
    }
    for (int axis = 0; axis < 3; axis++) {
        const float width = middles.max[axis] - middles.min[axis];
        grid->low[axis] = middles.min[axis];
        grid->scale[axis] = width > 0.0f ? 0.9999f * (float)BINS / width : 0.0f;
        for (int i = 0; i < BINS; i++) {
            grid->bins[axis][i] = (bin){nothing, 0};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const acre_aabb *const box = &boxes[items[i]];
        for (int axis = 0; axis < 3; axis++) {
            bin *const into = &grid->bins[axis][bin_of(grid, box, axis)];
            grow(&into->box, box);
            into->count++;
        }
    }
}

static uint32_t blocks_of(uint32_t count)
{
    return (count + LANES - 1) / LANES;
}

typedef struct best_cut {
    int axis, last_bin; // of the left part; axis < 0: there is none
    float areas[2], cost;
} best_cut;

// The best cut along an axis: the areas of both parts, times how many blocks they take.
static void find_cut(const bin *bins, int axis, best_cut *best)
{
    float right_areas[BINS] = {0.0f};
    uint32_t right_counts[BINS] = {0}, left_count = 0;
    acre_aabb right = nothing, left = nothing;
    for (int i = BINS - 1; i > 0; i--) {
        grow(&right, &bins[i].box);
        right_areas[i - 1] = area_of(&right);
        right_counts[i - 1] = right_counts[i] + bins[i].count;
    }
    for (int i = 0; i < BINS - 1; i++) {
        grow(&left, &bins[i].box);
        left_count += bins[i].count;
        const float area = area_of(&left);
        const float cost = area * (float)blocks_of(left_count) +
                           right_areas[i] * (float)blocks_of(right_counts[i]);
        if (left_count && right_counts[i] && cost < best->cost) {
            *best = (best_cut){axis, i, {area, right_areas[i]}, cost};
        }
    }
}

// Items of a piece change places; *from keeps the left part.
static piece cut_piece(wide_bvh *self, const acre_aabb *boxes, piece *from)
{
    bin_grid grid;
    best_cut best = {-1, 0, {from->area, from->area}, FLT_MAX};
    uint32_t *const items = self->items + from->first;
    uint32_t left = 0, end = from->count;
    fill_bins(&grid, items, from->count, boxes);
    for (int axis = 0; axis < 3; axis++) {
        find_cut(grid.bins[axis], axis, &best);
    }
    if (best.axis < 0) { // all middles are in one place
        left = from->count / 2;
    } else {
        while (left < end) {
            const uint32_t item = items[left];
            if (bin_of(&grid, &boxes[item], best.axis) <= best.last_bin) {
                left++;
            } else {
                items[left] = items[--end];
                items[end] = item;
            }
        }
    }
    const piece right = {from->first + left, from->count - left, best.areas[1]};
    *from = (piece){from->first, left, best.areas[0]};
    return right;
}

// The largest piece is cut until there is one for each lane. Returns how many there are.
static uint32_t cut_by_area(wide_bvh *self, const acre_aabb *boxes, piece *pieces)
{
    uint32_t count = 1;
    for (bool is_cut = true; count < LANES && is_cut;) {
        uint32_t widest = 0;
        is_cut = false;
        for (uint32_t i = 0; i < count; i++) {
            if (pieces[i].count > LANES && (!is_cut || pieces[i].area > pieces[widest].area)) {
                widest = i;
                is_cut = true;
            }
        }
        if (is_cut) {
            pieces[count++] = cut_piece(self, boxes, &pieces[widest]);
        }
    }
    return count;
}

// Full blocks and full nodes, in the order of the items.
static uint32_t cut_in_order(wide_bvh *self, const acre_aabb *boxes, piece *pieces)
{
    const piece all = pieces[0];
    uint32_t size = LANES, count = 0;
    (void)self, (void)boxes;
    while (size * LANES < all.count) {
        size *= LANES;
    }
    for (uint32_t at = 0; at < all.count; at += size) {
        const uint32_t rest = all.count - at;
        pieces[count++] = (piece){all.first + at, rest < size ? rest : size, 0.0f};
    }
    return count;
}

static void add_block(wide_bvh *self, piece all, uint32_t node, uint32_t lane)
{
    const uint32_t block = self->block_count++;
    self->places[block] = (block_place){all.first, all.count, node, lane};
    self->nodes[node].child[lane] = ~(int32_t)block;
    for (uint32_t i = 0; i < LANES; i++) {
        put_box(self->blocks[block].edges, i, &nothing);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        self->slots[self->items[all.first + i]] = block * LANES + i;
    }
}

typedef uint32_t cut_function(wide_bvh *self, const acre_aabb *boxes, piece *pieces);

static void build(wide_bvh *self, const acre_aabb *boxes, cut_function *cut_pieces)
{
    size_t count = 1;
    self->node_count = self->block_count = 0;
    self->nodes_to_make[0] = (waiting_node){{0, self->item_count, FLT_MAX}, 0, 0};
    while (count > 0) {
        const waiting_node from = self->nodes_to_make[--count];
        const uint32_t node = self->node_count++;
        wide_node *const made = &self->nodes[node];
        piece pieces[LANES] = {from.all};
        made->child_count = cut_pieces(self, boxes, pieces);
        made->parent = from.parent;
        made->lane = from.lane;
        if (node > 0) {
            self->nodes[from.parent].child[from.lane] = (int32_t)node;
        }
        for (uint32_t lane = LANES; lane-- > 0;) { // the first child is the next one made
            put_box(made->edges, lane, &nothing);
            if (lane < made->child_count) {
                made->first[lane] = pieces[lane].first;
                made->count[lane] = pieces[lane].count;
            }
            if (lane < made->child_count && pieces[lane].count <= LANES) {
                add_block(self, pieces[lane], node, lane);
            } else if (lane < made->child_count) {
                self->nodes_to_make[count++] = (waiting_node){pieces[lane], node, lane};
            }
        }
    }
    refit_all(self, boxes);
}

static void build_by_area(wide_bvh *self, const acre_aabb *boxes)
{
    build(self, boxes, cut_by_area);
    self->fresh_cost = cost_of(self);
}

// Every other bit of the result is one of the value's.
static uint64_t spread(uint32_t value)
{
    uint64_t bits = value;
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
}

// Sorts by the upper half of the keys; the result is in keys[1].
static void sort_keys(wide_bvh *self)
{
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t starts[(1 << DIGIT_BITS) + 1] = {0};
        const int shift = 32 + digit * DIGIT_BITS;
        const uint64_t *const from = self->keys[digit % 2];
        uint64_t *const to = self->keys[1 - digit % 2];
        for (uint32_t i = 0; i < self->item_count; i++) {
            starts[(from[i] >> shift & ((1 << DIGIT_BITS) - 1)) + 1]++;
        }
        for (int i = 0; i < 1 << DIGIT_BITS; i++) {
            starts[i + 1] += starts[i];
        }
        for (uint32_t i = 0; i < self->item_count; i++) {
            to[starts[from[i] >> shift & ((1 << DIGIT_BITS) - 1)]++] = from[i];
        }
    }
}

// In the Morton order of the middles over the ground.
static void build_in_order(wide_bvh *self, const acre_aabb *boxes)
{
    acre_aabb all = nothing;
    for (uint32_t i = 0; i < self->item_count; i++) {
        grow(&all, &boxes[i]);
    }
    const float x_scale = (float)MORTON_MOST / (all.max[0] - all.min[0] + 1e-3f);
    const float z_scale = (float)MORTON_MOST / (all.max[2] - all.min[2] + 1e-3f);
    for (uint32_t i = 0; i < self->item_count; i++) {
        const float x = (middle_of(&boxes[i], 0) - all.min[0]) * x_scale;
        const float z = (middle_of(&boxes[i], 2) - all.min[2]) * z_scale;
        self->keys[0][i] = (spread((uint32_t)x) | spread((uint32_t)z) << 1) << 32 | i;
    }
    sort_keys(self);
    for (uint32_t i = 0; i < self->item_count; i++) {
        self->items[i] = (uint32_t)self->keys[DIGITS % 2][i];
    }
    build(self, boxes, cut_in_order);
}

// ---- queries ----

// Many at a time; both sides have room for a vector more.
static inline size_t copy_items(const uint32_t *from, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i += COPIED) {
        memcpy(out + i, from + i, COPIED * sizeof *out);
    }
    return count;
}

static inline void fetch(const wide_bvh *self, int32_t child)
{
    const char *const at =
        child < 0 ? (const char *)&self->blocks[~child] : (const char *)&self->nodes[child];
    __builtin_prefetch(at);
    __builtin_prefetch(at + 128);
    __builtin_prefetch(at + 256);
}

static inline uint32_t present(uint32_t count)
{
    return (1u << count) - 1u;
}

// Planes, and the rows of edges that have the corners farthest in front of each, and behind it.
typedef struct seen_planes {
    const float (*planes)[4];
    uint8_t front[ACRE_FRUSTUM_MAX_PLANES][3], back[ACRE_FRUSTUM_MAX_PLANES][3];
} seen_planes;

static seen_planes choose_rows(const acre_frustum *frustum)
{
    seen_planes seen = {.planes = frustum->planes};
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const bool is_high = frustum->planes[i][axis] >= 0.0f;
            seen.front[i][axis] = (uint8_t)(is_high ? 3 + axis : axis);
            seen.back[i][axis] = (uint8_t)(is_high ? axis : 3 + axis);
        }
    }
    return seen;
}

// How far the corners in these rows are in front of a plane.
static inline lanes side_of(const float *plane, const float (*edges)[LANES], const uint8_t *rows)
{
    const lanes x = lanes_mul(lanes_all(plane[0]), lanes_load(edges[rows[0]]));
    const lanes y = lanes_mul(lanes_all(plane[1]), lanes_load(edges[rows[1]]));
    const lanes z = lanes_mul(lanes_all(plane[2]), lanes_load(edges[rows[2]]));
    return lanes_add(lanes_add(lanes_add(x, y), z), lanes_all(plane[3]));
}

// Which boxes no plane hides; which of them each plane may cut, where the caller asks.
static inline uint32_t see(const float (*edges)[LANES], const seen_planes *seen, uint32_t planes,
                           uint32_t visible, uint32_t *crossed)
{
    const lanes zero = lanes_all(0.0f);
    const choice all = lanes_up_to(zero, zero);
    for (uint32_t rest = planes; rest && visible; rest &= rest - 1) {
        const int at = __builtin_ctz(rest);
        const float *const plane = seen->planes[at];
        const lanes front = side_of(plane, edges, seen->front[at]);
        visible &= choice_bits(choice_unless_below(all, front, zero));
        if (crossed) {
            const lanes back = side_of(plane, edges, seen->back[at]);
            crossed[at] = ~choice_bits(lanes_up_to(zero, back));
        }
    }
    return visible;
}

static size_t query(void *state, const contender_query *asked, uint32_t *items)
{
    const wide_bvh *const self = state;
    const seen_planes seen = choose_rows(asked->frustum);
    waiting_child *const waiting = self->waiting;
    size_t found = 0, depth = 1;
    waiting[0] = (waiting_child){0, present(asked->frustum->plane_count)};
    while (depth > 0) {
        const waiting_child at = waiting[--depth];
        if (at.child < 0) {
            const block_place *const place = &self->places[~at.child];
            const uint32_t visible = see((const float(*)[LANES])self->blocks[~at.child].edges,
                                         &seen, at.planes, present(place->count), NULL);
            found += lanes_pick(items + found, self->items + place->first, visible);
            continue;
        }
        const wide_node *const node = &self->nodes[at.child];
        uint32_t crossed[ACRE_FRUSTUM_MAX_PLANES];
        uint32_t rest = see((const float(*)[LANES])node->edges, &seen, at.planes,
                            present(node->child_count), crossed);
        for (; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint32_t planes = 0;
            for (uint32_t left = at.planes; left; left &= left - 1) {
                const uint32_t plane = (uint32_t)__builtin_ctz(left);
                planes |= (crossed[plane] >> lane & 1u) << plane;
            }
            if (planes) {
                fetch(self, node->child[lane]);
                waiting[depth++] = (waiting_child){node->child[lane], planes};
            } else {
                found +=
                    copy_items(self->items + node->first[lane], node->count[lane], items + found);
            }
        }
    }
    return found;
}

static inline uint32_t touch_edges(const float (*edges)[LANES], const acre_aabb *box,
                                   uint32_t *inside)
{
    choice touches = lanes_up_to(lanes_load(edges[0]), lanes_all(box->max[0]));
    choice within = lanes_up_to(lanes_all(box->min[0]), lanes_load(edges[0]));
    for (int axis = 0; axis < 3; axis++) {
        const lanes low = lanes_load(edges[axis]), high = lanes_load(edges[3 + axis]);
        const lanes least = lanes_all(box->min[axis]), most = lanes_all(box->max[axis]);
        touches = choice_and(touches, lanes_up_to(low, most));
        touches = choice_and(touches, lanes_up_to(least, high));
        within = choice_and(within, lanes_up_to(least, low));
        within = choice_and(within, lanes_up_to(high, most));
    }
    *inside = choice_bits(within);
    return choice_bits(touches);
}

static size_t find_in_box(const wide_bvh *self, const acre_aabb *box, uint32_t *items)
{
    waiting_child *const waiting = self->waiting;
    size_t found = 0, depth = 1;
    waiting[0].child = 0;
    while (depth > 0) {
        const int32_t child = waiting[--depth].child;
        uint32_t inside;
        if (child < 0) {
            const float(*const edges)[LANES] = (const float(*)[LANES])self->blocks[~child].edges;
            found += lanes_pick(items + found, self->items + self->places[~child].first,
                                touch_edges(edges, box, &inside));
            continue;
        }
        const wide_node *const node = &self->nodes[child];
        uint32_t rest = touch_edges((const float(*)[LANES])node->edges, box, &inside);
        for (; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (inside >> lane & 1u) {
                found +=
                    copy_items(self->items + node->first[lane], node->count[lane], items + found);
            } else {
                fetch(self, node->child[lane]);
                waiting[depth++].child = node->child[lane];
            }
        }
    }
    return found;
}

static size_t answer(void *state, const asked_question *question, uint32_t *items)
{
    return question->is_box && !question->capacity && !question->layers
               ? find_in_box(state, &question->bounds, items)
               : CONTENDER_CANNOT;
}

// ---- three ways to live ----

static bool build_fresh(void *state, const acre_aabb *boxes, uint32_t count)
{
    (void)count;
    build_by_area(state, boxes);
    return true;
}

static bool refit(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                  uint32_t count)
{
    if (mover_count == count) {
        refit_all(state, boxes);
    } else {
        refit_some(state, movers, mover_count, boxes);
    }
    return true;
}

static bool refit_or_rebuild(void *state, const uint32_t *movers, size_t mover_count,
                             const acre_aabb *boxes, uint32_t count)
{
    wide_bvh *const self = state;
    (void)refit(state, movers, mover_count, boxes, count);
    if (cost_of(self) > REBUILD_AT * self->fresh_cost) {
        build_by_area(self, boxes);
    }
    return true;
}

static bool order_anew(void *state, const acre_aabb *boxes, uint32_t count)
{
    (void)count;
    build_in_order(state, boxes);
    return true;
}

static bool order_each_frame(void *state, const uint32_t *movers, size_t mover_count,
                             const acre_aabb *boxes, uint32_t count)
{
    (void)movers, (void)mover_count;
    return order_anew(state, boxes, count);
}

#define WIDE_CONTENDER(title, built, refreshed)                                                    \
    {                                                                                              \
        .name = title, .is_exact = true, .create = create, .destroy = destroy, .build = built,     \
        .refresh = refreshed, .query = query, .answer = answer, .bytes = bytes                     \
    }

const bench_contender WIDE_SET[WIDE_BVH_COUNT] = {
    WIDE_CONTENDER("BVH, refitted", build_fresh, refit),
    WIDE_CONTENDER("BVH, rebuilt at 1.5", build_fresh, refit_or_rebuild),
    WIDE_CONTENDER("Morton order anew", order_anew, order_each_frame)};
