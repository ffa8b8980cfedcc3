// SPDX-License-Identifier: MIT
// scene_kernel_lanes.h - the vector kernels' common text: LANES rows at a time.
//
// A kernel file defines LANES (4, 8 or 16), the vector types and their operations, and includes
// this text, which is compiled for its instruction set alone. Operations and their order are those
// of scene_math_internal.h.
//
//     type   floats (LANES floats), doubles (half as many), choice (a truth value per float)
//     loads  a part of a vector is its 128 bits number p; floats_load(at, offset) loads part p from
//            at[4 p] + offset. So four loads from at, at + 1, at + 2, at + 3 and a transposition
//            within parts put what belongs to at[i] into lane i.
#ifndef ACRE_SCENE_KERNEL_LANES_H
#define ACRE_SCENE_KERNEL_LANES_H

#include "scene_kernel_internal.h"
#include "scene_math_internal.h"

typedef struct matrix_lanes {
    floats m[12];
} matrix_lanes;

typedef struct edge_lanes {
    floats min[3], max[3];
} edge_lanes;

// What a group of rows reads and writes.
typedef struct lane_pointers {
    const float *local[LANES], *box[LANES];
    float *world[LANES], *world_box[LANES];
} lane_pointers;

// The transposition of four vectors within each part.
static inline void transpose(floats *v)
{
    const floats low01 = floats_unpack_low(v[0], v[1]), high01 = floats_unpack_high(v[0], v[1]);
    const floats low23 = floats_unpack_low(v[2], v[3]), high23 = floats_unpack_high(v[2], v[3]);
    v[0] = floats_low_halves(low01, low23);
    v[1] = floats_high_halves(low01, low23);
    v[2] = floats_low_halves(high01, high23);
    v[3] = floats_high_halves(high01, high23);
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

// Rows that follow each other are read and written as whole vectors. The four rows of a part are
// TURNS vectors; turning vector t of each part's gives PARTS vectors whose part p holds a third of
// one of its rows.
enum { PARTS = LANES / 4, TURNS = 12 / PARTS };

static inline void load_run(const float *from, matrix_lanes *out)
{
    floats four[12]; // [3 i + j]: floats 4 j to 4 j + 3 of each part's row i
    for (int part = 0; part < PARTS; part++) {
        for (int turn = 0; turn < TURNS; turn++) {
            four[turn * PARTS + part] = floats_read(from + (part * TURNS + turn) * LANES);
        }
    }
    for (int turn = 0; turn < TURNS; turn++) {
        floats_turn(&four[turn * PARTS]);
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 4; i++) {
            out->m[4 * j + i] = four[3 * i + j];
        }
        transpose(&out->m[4 * j]);
    }
}

static inline void store_run(float *to, const matrix_lanes *matrix)
{
    floats four[12];
    for (int j = 0; j < 3; j++) {
        floats v[4] = {matrix->m[4 * j], matrix->m[4 * j + 1], matrix->m[4 * j + 2],
                       matrix->m[4 * j + 3]};
        transpose(v);
        for (int i = 0; i < 4; i++) {
            four[3 * i + j] = v[i];
        }
    }
    for (int turn = 0; turn < TURNS; turn++) {
        floats_turn(&four[turn * PARTS]);
    }
    for (int part = 0; part < PARTS; part++) {
        for (int turn = 0; turn < TURNS; turn++) {
            floats_write(to + (part * TURNS + turn) * LANES, four[turn * PARTS + part]);
        }
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

// Local matrices of what rows hold: composed where it is a transform, as they are elsewhere.
static inline void make_locals(const matrix_lanes *stored, matrix_lanes *out)
{
    compose(stored->m, out);
    const choice is_transform = floats_have_mark(stored->m[11]);
    if (!choice_is_all(is_transform)) {
        for (int i = 0; i < 12; i++) {
            out->m[i] = floats_choose(is_transform, out->m[i], stored->m[i]);
        }
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
        const uint32_t parent = arrays->row_parent[rows[i]];
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

static inline void load_boxes(const float *const *at, edge_lanes *out)
{
    floats v[4];
    load_four(at, 0, v);
    out->min[0] = v[0];
    out->min[1] = v[1];
    out->min[2] = v[2];
    out->max[0] = v[3];
    load_four(at, 2, v); // min z, max x, max y, max z: nothing beyond the box is read
    out->max[1] = v[2];
    out->max[2] = v[3];
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

static inline void compute_boxes(const matrix_lanes *world, const float *const *from,
                                 float *const *to)
{
    edge_lanes local_box, box;
    load_boxes(from, &local_box);
    const uint32_t infinite = transform_boxes(world, &local_box, &box);
    store_boxes(to, &box);
    for (uint32_t i = 0; infinite >> i != 0; i++) {
        if (infinite >> i & 1) {
            *(acre_aabb *)(void *)to[i] = acre_box_infinite();
        }
    }
}

// @return a bit for each lane that has a parent.
static inline uint32_t point_lanes(const scene_arrays *arrays, const uint32_t *rows,
                                   lane_pointers *out)
{
    uint32_t with_parent = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t row = rows[i];
        with_parent |= (uint32_t)(arrays->row_parent[row] != NONE) << i;
        out->local[i] = arrays->locals[row].matrix;
        out->box[i] = (const float *)(const void *)&arrays->boxes[row];
        out->world[i] = arrays->worlds[row].m;
        out->world_box[i] = (float *)(void *)&arrays->world_boxes[arrays->row_slot[row]];
    }
    return with_parent;
}

static inline void compute_lanes(const scene_arrays *arrays, const uint32_t *rows)
{
    lane_pointers at;
    const uint32_t with_parent = point_lanes(arrays, rows, &at);
    matrix_lanes stored, world;
    load_matrix(at.local, &stored);
    make_locals(&stored, &world);
    if (with_parent) {
        apply_parents(arrays, rows, with_parent, &world);
    }
    store_matrix(at.world, &world);
    compute_boxes(&world, at.box, at.world_box);
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

// LANES rows that follow each other, none of them with a parent.
static inline void compute_run(const scene_arrays *arrays, uint32_t first)
{
    const float *boxes[LANES];
    float *world_boxes[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        boxes[i] = (const float *)(const void *)&arrays->boxes[first + i];
        world_boxes[i] = (float *)(void *)&arrays->world_boxes[arrays->row_slot[first + i]];
    }
    matrix_lanes stored, world;
    load_run(arrays->locals[first].matrix, &stored);
    make_locals(&stored, &world);
    store_run(arrays->worlds[first].m, &world);
    compute_boxes(&world, boxes, world_boxes);
}

static void compute_word(const scene_arrays *arrays, uint32_t first, bool next_follows)
{
    for (uint32_t row = first; row < first + 64; row += LANES) {
        if (next_follows) {
            fetch_rows(arrays, row + 64, LANES);
        }
        compute_run(arrays, row);
    }
}

#endif
