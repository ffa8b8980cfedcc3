// SPDX-License-Identifier: MIT
// scene_kernel_rows_part.h - the vector kernels' common text: LANES rows at a time.
//
// Operations and their order are those of scene_math_internal.h. Before it, a kernel file includes
// scene_kernel_vector_part.h and defines the rest of its operations:
//     floats_load(at, offset), floats_store(at, offset, v), floats_store_two(at, offset, v)
//         Part p of a vector is its 128 bits number p. floats_load loads part p from
//         at[4 p] + offset. So four loads from at, at + 1, at + 2 and at + 3 and a transposition
//         within parts put what belongs to at[i] into lane i.
//     floats_load_eight(from, stride, v), floats_store_eight(to, stride, v, streams)
//         Part p of v[0] is the four floats at from + p stride; part p of v[1] the next four.
//         streams: they are stored past the caches; then `to` and stride are multiples of 32 bytes.
//     HAS_STREAMS    whether the kernel uses such stores
//     choice_is_all(c), choice_from_bits(bits), floats_choose(c, yes, no)
//     doubles_least(a, b), doubles_most(a, b)    a < b ? a : b, and a > b ? a : b; with 4 lanes
//     doubles_not_finite(v)                      a bit for each
//     floats_below(v), floats_above(v)           two doubles vectors rounded down, or up
#ifndef ACRE_SCENE_KERNEL_ROWS_PART_H
#define ACRE_SCENE_KERNEL_ROWS_PART_H

#ifndef LANES
#error "scene_kernel_sse4.c, _avx2.c and _avx512.c include this behind their operations"
#endif

#include "scene_kernel_internal.h"
#include "scene_math_internal.h"

#include "prefetch_internal.h"

typedef struct matrix_lanes {
    floats m[12];
} matrix_lanes;

typedef struct edge_lanes {
    floats min[3], max[3];
} edge_lanes;

// What a group of rows reads and writes.
typedef struct lane_pointers {
    const float *local[LANES];
    float *world[LANES];
    float *world_box[LANES];
    uint32_t with_parent; // a bit for each lane
    uint32_t with_matrix;
} lane_pointers;

// What floats_shuffle puts into each part: two floats from that of its first vector, then two from
// that of its second one.
enum { LOW_LOW = 0x44, LOW_HIGH = 0xe4, HIGH_LOW = 0x4e, HIGH_HIGH = 0xee };
enum { EVEN = 0x88, ODD = 0xdd };

// The transposition of four vectors within each part.
static inline void transpose(floats *v)
{
    const floats low01 = floats_unpack_low(v[0], v[1]), high01 = floats_unpack_high(v[0], v[1]);
    const floats low23 = floats_unpack_low(v[2], v[3]), high23 = floats_unpack_high(v[2], v[3]);
    v[0] = floats_shuffle(low01, low23, LOW_LOW);
    v[1] = floats_shuffle(low01, low23, HIGH_HIGH);
    v[2] = floats_shuffle(high01, high23, LOW_LOW);
    v[3] = floats_shuffle(high01, high23, HIGH_HIGH);
}

static inline void load_four(const float *const *at, int offset, floats *v)
{
    for (int i = 0; i < 4; i++) {
        v[i] = floats_load(at + i, offset);
    }
    transpose(v);
}

static inline void load_matrix(const float *const *at, matrix_lanes *out)
{
    for (int row = 0; row < 3; row++) {
        load_four(at, 4 * row, &out->m[4 * row]);
    }
}

static inline void store_matrix(float *const *at, const matrix_lanes *matrix)
{
    for (int row = 0; row < 3; row++) {
        floats v[4];
        for (int i = 0; i < 4; i++) {
            v[i] = matrix->m[4 * row + i];
        }
        transpose(v);
        for (int i = 0; i < 4; i++) {
            floats_store(at + i, 4 * row, v[i]);
        }
    }
}

// What rows hold: a transform's ten numbers, then the box. The matrix of a row with ROW_MATRIX
// stands elsewhere.
typedef struct local_lanes {
    floats transform[10];
    edge_lanes box;
} local_lanes;

// v: sixteen floats of each row.
static inline void split_locals(const floats *v, local_lanes *out)
{
    for (int i = 0; i < 10; i++) {
        out->transform[i] = v[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        out->box.min[axis] = v[10 + axis];
        out->box.max[axis] = v[13 + axis];
    }
}

static inline void load_locals(const float *const *at, local_lanes *out)
{
    floats v[16];
    for (int block = 0; block < 4; block++) {
        load_four(at, 4 * block, &v[4 * block]);
    }
    split_locals(v, out);
}

// The same for LANES rows that follow each other. Vector number 4 i + block of a part holds the
// block's four floats of the part's row i.
static inline void load_local_run(const local_row *rows, local_lanes *out)
{
    const float *const from = (const float *)(const void *)rows;
    floats quarter[16], v[16];
    for (int i = 0; i < 16; i += 2) {
        floats_load_eight(from + 4 * i, 4 * 16, &quarter[i]);
    }
    for (int block = 0; block < 4; block++) {
        for (int i = 0; i < 4; i++) {
            v[4 * block + i] = quarter[4 * i + block];
        }
        transpose(&v[4 * block]);
    }
    split_locals(v, out);
}

static inline void store_matrix_run(affine *rows, const matrix_lanes *matrix, bool streams)
{
    float *const to = (float *)(void *)rows;
    floats third[12];
    for (int j = 0; j < 3; j++) {
        floats v[4] = {matrix->m[4 * j], matrix->m[4 * j + 1], matrix->m[4 * j + 2],
                       matrix->m[4 * j + 3]};
        transpose(v);
        for (int i = 0; i < 4; i++) {
            third[3 * i + j] = v[i];
        }
    }
    for (int i = 0; i < 12; i += 2) {
        floats_store_eight(to + 4 * i, 4 * 12, &third[i], streams);
    }
}

// t: translation, rotation, scale, as they lie in acre_transform.
static inline void compose(const floats *t, matrix_lanes *out)
{
    const floats one = floats_all(1.0f);
    const floats x = t[3], y = t[4], z = t[5], w = t[6], sx = t[7], sy = t[8], sz = t[9];
    const floats x2 = floats_add(x, x), y2 = floats_add(y, y), z2 = floats_add(z, z);
    const floats xx = floats_mul(x, x2), xy = floats_mul(x, y2), xz = floats_mul(x, z2);
    const floats yy = floats_mul(y, y2), yz = floats_mul(y, z2), zz = floats_mul(z, z2);
    const floats wx = floats_mul(w, x2), wy = floats_mul(w, y2), wz = floats_mul(w, z2);
    out->m[0] = floats_mul(floats_sub(one, floats_add(yy, zz)), sx);
    out->m[1] = floats_mul(floats_sub(xy, wz), sy);
    out->m[2] = floats_mul(floats_add(xz, wy), sz);
    out->m[3] = t[0];
    out->m[4] = floats_mul(floats_add(xy, wz), sx);
    out->m[5] = floats_mul(floats_sub(one, floats_add(xx, zz)), sy);
    out->m[6] = floats_mul(floats_sub(yz, wx), sz);
    out->m[7] = t[1];
    out->m[8] = floats_mul(floats_sub(xz, wy), sx);
    out->m[9] = floats_mul(floats_add(yz, wx), sy);
    out->m[10] = floats_mul(floats_sub(one, floats_add(xx, yy)), sz);
    out->m[11] = t[2];
}

// Replaces the local matrices of lanes whose row has ROW_MATRIX.
static inline void load_stored_matrices(const scene_arrays *arrays, const uint32_t *rows,
                                        uint32_t with_matrix, matrix_lanes *matrix)
{
    const float *at[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t number = with_matrix >> i & 1 ? arrays->locals[rows[i]].matrix : 0;
        at[i] = arrays->matrices[number].m;
    }
    const choice has_matrix = choice_from_bits(with_matrix);
    matrix_lanes stored;
    load_matrix(at, &stored);
    for (int i = 0; i < 12; i++) {
        matrix->m[i] = floats_choose(has_matrix, stored.m[i], matrix->m[i]);
    }
}

static inline void multiply(const float *const *parents, const matrix_lanes *local,
                            matrix_lanes *out)
{
    const floats zero = floats_all(0.0f);
    for (int i = 0; i < 3; i++) {
        floats row[4];
        load_four(parents, 4 * i, row);
        for (int j = 0; j < 4; j++) {
            const floats ab =
                floats_add(floats_mul(row[0], local->m[j]), floats_mul(row[1], local->m[4 + j]));
            const floats abc = floats_add(ab, floats_mul(row[2], local->m[8 + j]));
            out->m[4 * i + j] = floats_add(abc, j == 3 ? row[3] : zero);
        }
    }
}

// matrix = parent x matrix in the lanes that have a parent.
static inline void apply_parents(const scene_arrays *arrays, const uint32_t *rows,
                                 uint32_t with_parent, matrix_lanes *matrix)
{
    const float *parents[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t parent = head_parent(arrays->heads[rows[i]]);
        parents[i] = arrays->worlds[parent == NONE ? rows[i] : parent].m;
    }
    const choice has_parent = choice_from_bits(with_parent);
    matrix_lanes product;
    multiply(parents, matrix, &product);
    if (choice_is_all(has_parent)) {
        *matrix = product;
        return;
    }
    for (int i = 0; i < 12; i++) {
        matrix->m[i] = floats_choose(has_parent, product.m[i], matrix->m[i]);
    }
}

static inline void store_boxes(float *const *at, const edge_lanes *box)
{
    floats v[4] = {box->min[0], box->min[1], box->min[2], box->max[0]};
    floats w[4] = {box->max[1], box->max[2], box->max[1], box->max[2]};
    transpose(v);
    transpose(w);
    for (int i = 0; i < 4; i++) {
        floats_store(at + i, 0, v[i]);
        floats_store_two(at + i, 4, w[i]);
    }
}

// The same for boxes that follow each other. A part's four boxes are six vectors:
// x y z X, Y Z x y, z X Y Z, and so once more; small letters are least edges.
static inline void store_box_run(acre_aabb *boxes, const edge_lanes *box)
{
    float *const to = (float *)(void *)boxes;
    floats edge[4] = {box->min[0], box->min[1], box->min[2], box->max[0]};
    transpose(edge);
    const floats low = floats_unpack_low(box->max[1], box->max[2]);
    const floats high = floats_unpack_high(box->max[1], box->max[2]);
    const floats v[6] = {
        edge[0], floats_shuffle(low, edge[1], LOW_LOW),  floats_shuffle(edge[1], low, HIGH_HIGH),
        edge[2], floats_shuffle(high, edge[3], LOW_LOW), floats_shuffle(edge[3], high, HIGH_HIGH)};
    for (int i = 0; i < 6; i += 2) {
        floats_store_eight(to + 4 * i, 4 * 6, &v[i], false);
    }
}

// Lower and upper edge of one axis in double; half 0 is the first half of the lanes.
typedef struct axis_lanes {
    doubles low[2], high[2];
} axis_lanes;

static inline void axis_half(const floats *m, const edge_lanes *box, int half, axis_lanes *out)
{
    doubles low, high;
    for (int j = 0; j < 3; j++) {
        const doubles factor = doubles_from(m[j], half);
        const doubles a = doubles_mul(factor, doubles_from(box->min[j], half));
        const doubles b = doubles_mul(factor, doubles_from(box->max[j], half));
        const doubles least = doubles_least(a, b), most = doubles_most(b, a);
        low = j == 0 ? least : doubles_add(low, least);
        high = j == 0 ? most : doubles_add(high, most);
    }
    const doubles origin = doubles_from(m[3], half);
    out->low[half] = doubles_add(low, origin);
    out->high[half] = doubles_add(high, origin);
}

// @return a bit for each lane whose matrix is not finite: its box is to be the infinite one.
static inline uint32_t transform_boxes(const matrix_lanes *matrix, const edge_lanes *box,
                                       edge_lanes *out)
{
    doubles sum[2];
    for (int i = 0; i < 3; i++) {
        axis_lanes axis;
        for (int half = 0; half < 2; half++) {
            axis_half(&matrix->m[4 * i], box, half, &axis);
            // In any order the sum is finite if and only if all its terms are.
            const doubles both = doubles_add(axis.high[half], axis.low[half]);
            sum[half] = i == 0 ? both : doubles_add(sum[half], both);
        }
        out->min[i] = floats_below(axis.low);
        out->max[i] = floats_above(axis.high);
    }
    return doubles_not_finite(sum[0]) | doubles_not_finite(sum[1]) << LANES / 2;
}

// Lanes whose matrix is not finite get the infinite box.
static void store_infinite(acre_aabb *boxes, const uint32_t *slots, uint32_t lanes)
{
    for (uint32_t i = 0; lanes >> i != 0; i++) {
        if (lanes >> i & 1) {
            boxes[slots[i]] = acre_box_infinite();
        }
    }
}

static inline void point_lanes(const scene_arrays *arrays, const uint32_t *rows, lane_pointers *out)
{
    out->with_parent = 0;
    out->with_matrix = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        const row_head head = arrays->heads[rows[i]];
        out->with_parent |= (uint32_t)head_has_parent(head) << i;
        out->with_matrix |= (uint32_t)((head_bits(head) & ROW_MATRIX) != 0) << i;
        out->local[i] = arrays->locals[rows[i]].transform.translation;
        out->world[i] = arrays->worlds[rows[i]].m;
        out->world_box[i] = arrays->world_boxes[head_slot(head)].min;
    }
}

static inline void compute_lanes(const scene_arrays *arrays, const uint32_t *rows)
{
    lane_pointers at;
    point_lanes(arrays, rows, &at);
    local_lanes local;
    matrix_lanes world;
    load_locals(at.local, &local);
    compose(local.transform, &world);
    if (at.with_matrix) {
        load_stored_matrices(arrays, rows, at.with_matrix, &world);
    }
    if (at.with_parent) {
        apply_parents(arrays, rows, at.with_parent, &world);
    }
    store_matrix(at.world, &world);
    edge_lanes box;
    const uint32_t infinite = transform_boxes(&world, &local.box, &box);
    store_boxes(at.world_box, &box);
    if (infinite) { // rare: looked up once more, so that the pointers need not be kept
        uint32_t slots[LANES];
        for (uint32_t i = 0; i < LANES; i++) {
            slots[i] = head_slot(arrays->heads[rows[i]]);
        }
        store_infinite(arrays->world_boxes, slots, infinite);
    }
}

static void compute_rows(const scene_arrays *arrays, const uint32_t *rows, uint32_t count)
{
    uint32_t done = 0;
    for (; count - done >= LANES; done += LANES) {
        compute_lanes(arrays, rows + done);
    }
    if (done < count) {
        // The lanes that are left over compute the first row once more.
        uint32_t padded[LANES];
        for (uint32_t i = 0; i < LANES; i++) {
            padded[i] = rows[done + i < count ? done + i : done];
        }
        compute_lanes(arrays, padded);
    }
}

// @return whether the slots of LANES rows follow each other, too.
static inline bool read_slots(const row_head *heads, uint32_t *slots)
{
    uint32_t other = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        slots[i] = (uint32_t)heads[i] & HEAD_NO_SLOT; // none of them is a hole
        other |= slots[i] ^ (slots[0] + i);
    }
    return other == 0;
}

// LANES rows that follow each other, all of them transforms without parents.
static inline void compute_run(const scene_arrays *arrays, uint32_t first, bool streams)
{
    local_lanes local;
    matrix_lanes world;
    load_local_run(&arrays->locals[first], &local);
    compose(local.transform, &world);
    store_matrix_run(&arrays->worlds[first], &world, streams);
    edge_lanes box;
    const uint32_t infinite = transform_boxes(&world, &local.box, &box);
    uint32_t slots[LANES];
    if (read_slots(arrays->heads + first, slots)) {
        store_box_run(&arrays->world_boxes[slots[0]], &box);
    } else {
        float *world_boxes[LANES];
        for (uint32_t i = 0; i < LANES; i++) {
            world_boxes[i] = arrays->world_boxes[slots[i]].min;
        }
        store_boxes(world_boxes, &box);
    }
    store_infinite(arrays->world_boxes, slots, infinite);
}

// Fetches what rows that follow each other read and write. The processor sees three arrays coming,
// but not beyond the ends of their pages: a million rows took 14 ns each without, 5 with.
static inline void fetch_rows(const scene_arrays *arrays, uint32_t first, uint32_t count,
                              bool streams)
{
    const uint32_t slot = head_slot(arrays->heads[first]); // the others are likely to follow
    for (uint32_t i = 0; i < count; i++) {
        prefetch_line(&arrays->locals[first + i]);
    }
    for (uint32_t byte = 0; !streams && byte < count * sizeof(affine); byte += 64) {
        prefetch_element(&arrays->worlds[first], byte, 1);
    }
    for (uint32_t byte = 0; byte < count * sizeof(acre_aabb); byte += 64) {
        prefetch_element(&arrays->world_boxes[slot], byte, 1);
    }
}

static void compute_word(const scene_arrays *arrays, uint32_t first, bool next_follows)
{
    const bool streams = HAS_STREAMS && arrays->streams_worlds &&
                         (uintptr_t)arrays->worlds % 32 == 0; // the host's allocator may not align
    for (uint32_t row = first; row < first + 64; row += LANES) {
        if (next_follows) {
            fetch_rows(arrays, row + 64, LANES, streams);
        }
        compute_run(arrays, row, streams);
    }
    if (streams) { // other threads may read the word once this one says so
        simde_mm_sfence();
    }
}

#endif
