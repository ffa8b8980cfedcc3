// SPDX-License-Identifier: MIT
// find_solid.c - the parts of a node's triangles that enclose something.
//
// Two triangles belong together where an edge has these two alone, one on each side. At an edge of
// more each part may be whole by itself, as where two boxes touch: only those that are not are
// joined.
#include "find_internal.h"

#include <math.h>

/// Open edges may reach this share of the node's height above its lowest point.
static const float rim_share = 0.02f;

/// A solid whose box has less than this share of the surface of the node's box is left out.
static const float least_solid = 0.01f;

/// Nodes with more triangles are not searched.
static const uint32_t most_triangles = 1u << 18;

// ---- edges ----

static uint32_t mix_words(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t mixed = (a * 0x9e3779b1u ^ b) * 0x85ebca6bu;
    const uint32_t all = ((mixed ^ mixed >> 15) + c) * 0xc2b2ae35u;
    return all ^ all >> 16;
}

/// The corner with this number: three to a triangle. An edge has the number of its first corner.
static const float *corner_of(const finder *f, uint32_t number)
{
    return f->all.data[number / 3].corners[number % 3];
}

static uint32_t end_of_edge(const finder *f, uint32_t edge)
{
    return f->edges.data[edge % 3 == 2 ? edge - 2 : edge + 1].weld;
}

static bool is_one_place(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_between_same(const finder *f, uint32_t a, uint32_t b)
{
    const uint32_t from_a = f->edges.data[a].weld, to_a = end_of_edge(f, a);
    const uint32_t from_b = f->edges.data[b].weld, to_b = end_of_edge(f, b);
    return (from_a == from_b && to_a == to_b) || (from_a == to_b && to_a == from_b);
}

/// Gives corners at one place one number: that of the first.
static void weld_corners(finder *f, uint32_t count, uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++) {
        const float *const corner = corner_of(f, i);
        uint32_t bits[3];
        for (int k = 0; k < 3; k++) {
            const float number = corner[k] + 0.0f; // the two zeros are one
            memcpy(&bits[k], &number, sizeof number);
        }
        uint32_t at = mix_words(bits[0], bits[1], bits[2]) & mask;
        while (f->table.data[at] != 0 &&
               !is_one_place(corner, corner_of(f, f->table.data[at] - 1))) {
            at = (at + 1) & mask;
        }
        if (f->table.data[at] == 0) {
            f->table.data[at] = i + 1;
        }
        f->edges.data[i].weld = f->table.data[at] - 1;
    }
}

/// Makes a list of the edges between the same two points, whichever way they go.
static void link_edges(finder *f, uint32_t count, uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = f->edges.data[i].weld, to = end_of_edge(f, i);
        if (from == to) {
            continue;
        }
        uint32_t at = mix_words(from < to ? from : to, from < to ? to : from, 0) & mask;
        while (f->table.data[at] != 0 && !is_between_same(f, f->table.data[at] - 1, i)) {
            at = (at + 1) & mask;
        }
        f->edges.data[i].next = f->table.data[at];
        f->table.data[at] = i + 1;
    }
}

// ---- parts ----

/// The triangle that stands for the part of an edge.
static uint32_t root_of(finder *f, uint32_t edge)
{
    uint32_t at = edge / 3;
    find_part *const parts = f->parts.data;
    while (parts[at].root != at) {
        at = parts[at].root = parts[parts[at].root].root;
    }
    return at;
}

static uint32_t join(finder *f, uint32_t a, uint32_t b)
{
    const uint32_t root = a < b ? a : b, other = a < b ? b : a;
    if (root != other) {
        f->parts.data[other].root = root;
        if (f->parts.data[other].rim > f->parts.data[root].rim) {
            f->parts.data[root].rim = f->parts.data[other].rim;
        }
        f->parts.data[root].balance += f->parts.data[other].balance;
        f->parts.data[other].balance = 0;
    }
    return root;
}

/// Joins the parts that have more triangles on one side of an edge than on the other. What then
/// still has is open there.
static void join_at_edge(finder *f, uint32_t first)
{
    const uint32_t from = f->edges.data[first].weld;
    for (uint32_t i = first + 1; i != 0; i = f->edges.data[i - 1].next) {
        f->parts.data[root_of(f, i - 1)].balance += f->edges.data[i - 1].weld == from ? 1 : -1;
    }
    uint32_t open = UINT32_MAX;
    for (uint32_t i = first + 1; i != 0; i = f->edges.data[i - 1].next) {
        const uint32_t root = root_of(f, i - 1);
        if (f->parts.data[root].balance != 0) {
            open = open == UINT32_MAX ? root : join(f, root, root_of(f, 3 * open));
        }
    }
    if (open != UINT32_MAX && f->parts.data[open].balance != 0) {
        const float end = corner_of(f, end_of_edge(f, first))[1];
        const float height = fmaxf(corner_of(f, from)[1], end);
        f->parts.data[open].rim = fmaxf(f->parts.data[open].rim, height);
    }
    for (uint32_t i = first + 1; i != 0; i = f->edges.data[i - 1].next) {
        f->parts.data[root_of(f, i - 1)].balance = 0;
    }
}

/// Finds out which triangles belong together, and lists those of each part in their order.
static void split_parts(finder *f, uint32_t mask)
{
    for (uint32_t i = 0; i < f->all_count; i++) {
        f->parts.data[i] = (find_part){.root = i, .rim = -INFINITY};
    }
    uint32_t odd_count = 0; // the table now holds the edges that are no pair
    for (uint32_t at = 0; at <= mask; at++) {
        const uint32_t one = f->table.data[at];
        const uint32_t two = one != 0 ? f->edges.data[one - 1].next : 0;
        if (two != 0 && f->edges.data[two - 1].next == 0 &&
            f->edges.data[one - 1].weld != f->edges.data[two - 1].weld) {
            join(f, root_of(f, one - 1), root_of(f, two - 1));
        } else if (one != 0) {
            f->table.data[odd_count++] = one - 1;
        }
    }
    for (uint32_t i = 0; i < odd_count; i++) {
        join_at_edge(f, f->table.data[i]);
    }
    for (uint32_t i = 0; i < f->all_count; i++) {
        const uint32_t root = root_of(f, 3 * i);
        if (root != i) {
            f->parts.data[f->parts.data[root].last].next = i;
        }
        f->parts.data[root].last = i;
    }
}

static bool link_triangles(finder *f)
{
    const uint32_t count = 3 * f->all_count;
    uint32_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    if (!COLUMN_RESERVE(f->allocator, f->table, size) ||
        !COLUMN_RESERVE(f->allocator, f->edges, count) ||
        !COLUMN_RESERVE(f->allocator, f->parts, f->all_count) ||
        !COLUMN_RESERVE(f->allocator, f->triangles, f->all_count) ||
        !COLUMN_RESERVE(f->allocator, f->obstacles, f->all_count) ||
        !COLUMN_RESERVE(f->allocator, f->near, f->all_count)) {
        return false;
    }
    memset(f->table.data, 0, size * sizeof *f->table.data);
    weld_corners(f, count, size - 1);
    memset(f->table.data, 0, size * sizeof *f->table.data);
    link_edges(f, count, size - 1);
    split_parts(f, size - 1);
    return true;
}

// ---- solids ----

float acre_find_surface(const acre_aabb *box)
{
    const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1],
                z = box->max[2] - box->min[2];
    return 2.0f * (x * y + y * z + z * x);
}

/// Makes a part the solid that is searched.
static void take_part(finder *f, uint32_t root)
{
    f->triangle_count = 0;
    f->heights[0] = f->heights[1] = 0.0f; // no obstacles yet
    f->box = acre_aabb_empty();
    f->rim = f->parts.data[root].rim;
    f->has_slopes = f->has_levels = false;
    uint32_t i = root;
    do {
        const find_triangle *const triangle = &f->all.data[i];
        const float(*const c)[3] = triangle->corners;
        const bool is_level = c[0][1] == c[1][1] && c[0][1] == c[2][1];
        f->has_slopes |= !is_level && triangle->area != 0.0;
        for (int k = 0; k < 9; k++) {
            const float at = c[k / 3][k % 3];
            f->box.min[k % 3] = at < f->box.min[k % 3] ? at : f->box.min[k % 3];
            f->box.max[k % 3] = at > f->box.max[k % 3] ? at : f->box.max[k % 3];
        }
        f->triangles.data[f->triangle_count++] = *triangle;
        i = f->parts.data[i].next;
    } while (i != 0);
    f->work += f->triangle_count;
    for (i = 0; i < 3 * f->triangle_count && !f->has_levels; i++) {
        const float y = f->triangles.data[i / 3].corners[i % 3][1];
        f->has_levels = y > f->box.min[1] && y < f->box.max[1];
    }
}

bool acre_find_next(finder *f)
{
    const float highest = f->whole.min[1] + rim_share * (f->whole.max[1] - f->whole.min[1]);
    for (uint32_t i = f->next_root; i < f->all_count; i++) {
        if (f->parts.data[i].root == i && f->parts.data[i].rim <= highest) {
            take_part(f, i);
            if (f->triangle_count >= 4 && // fewer enclose nothing
                acre_find_surface(&f->box) >= least_solid * acre_find_surface(&f->whole)) {
                f->next_root = i + 1;
                return true;
            }
        }
    }
    return false;
}

uint32_t acre_find_flags(const acre_import_model *model, const acre_import_node *node)
{
    uint32_t flags = UINT32_MAX;
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[node->first_mesh + i]];
        flags &= mesh->triangle_count > 0 ? mesh->flags : UINT32_MAX;
    }
    return flags;
}

/// Appends the triangles of a mesh.
static void take_triangles(finder *f, const acre_import_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        find_triangle *const to = &f->all.data[f->all_count++];
        for (size_t k = 0; k < 3; k++) {
            memcpy(to->corners[k], mesh->points + 3 * (size_t)mesh->triangles[3 * (size_t)i + k],
                   sizeof to->corners[k]);
        }
        const float(*const c)[3] = ((const find_triangle *)to)->corners;
        to->area = ((double)c[1][2] - (double)c[0][2]) * ((double)c[2][0] - (double)c[0][0]) -
                   ((double)c[1][0] - (double)c[0][0]) * ((double)c[2][2] - (double)c[0][2]);
    }
}

acre_import_reason acre_find_open(finder *f, const acre_import_model *model,
                                  const acre_import_node *node)
{
    uint64_t count = 0;
    const uint32_t flags = acre_find_flags(model, node);
    const uint32_t *const meshes = model->node_meshes + node->first_mesh;
    f->whole = acre_aabb_empty();
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        count += model->meshes[meshes[i]].triangle_count;
        f->whole = acre_aabb_merge(&f->whole, &model->meshes[meshes[i]].bounds);
    }
    double reach = 0.0;
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, fmax(-(double)f->whole.min[k], (double)f->whole.max[k]));
    }
    f->margin = reach / 2097152.0;
    if (count == 0 || (flags & ACRE_IMPORT_MESH_OPAQUE) == 0) {
        return count == 0 ? ACRE_IMPORT_NO_TRIANGLES : ACRE_IMPORT_NOT_OPAQUE;
    }
    if (count > most_triangles || reach > 1e12) {
        return ACRE_IMPORT_TOO_LARGE;
    }
    f->is_two_sided = (flags & ACRE_IMPORT_MESH_TWO_SIDED) != 0;
    f->all_count = f->next_root = 0;
    f->is_out_of_memory = !COLUMN_RESERVE(f->allocator, f->all, (size_t)count);
    for (uint32_t i = 0; i < node->mesh_count && !f->is_out_of_memory; i++) {
        take_triangles(f, &model->meshes[meshes[i]]);
    }
    f->is_out_of_memory = f->is_out_of_memory || !link_triangles(f);
    return f->is_out_of_memory ? ACRE_IMPORT_TOO_LARGE
           : acre_find_next(f) ? ACRE_IMPORT_FOUND
                               : ACRE_IMPORT_HAS_HOLES;
}

void acre_find_free(finder *f)
{
    const acre_allocator *const allocator = f->allocator;
    COLUMN_FREE(allocator, f->all);
    COLUMN_FREE(allocator, f->edges);
    COLUMN_FREE(allocator, f->parts);
    COLUMN_FREE(allocator, f->table);
    COLUMN_FREE(allocator, f->triangles);
    COLUMN_FREE(allocator, f->obstacles);
    COLUMN_FREE(allocator, f->near);
    acre_resize(allocator, f, sizeof *f, 0, _Alignof(finder));
}
