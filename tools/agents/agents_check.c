// SPDX-License-Identifier: MIT
// agents_check.c - the pairs of a frame against pairs that a plain grid finds, without any tree.
//
// Boxes that touch have centers no farther apart, along either axis, than the widest agent is wide.
// So an agent's partners stand in its cell of a grid of that width or in the eight around it.
#include "agents_check.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair_list {
    acre_pair *pairs;
    size_t count, capacity;
} pair_list;

static bool add_pair(pair_list *list, uint32_t a, uint32_t b)
{
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 64;
        acre_pair *const pairs = realloc(list->pairs, capacity * sizeof *pairs);
        if (!pairs) {
            return false;
        }
        list->pairs = pairs;
        list->capacity = capacity;
    }
    list->pairs[list->count++] = a < b ? (acre_pair){a, b} : (acre_pair){b, a};
    return true;
}

static bool do_overlap(const acre_aabb *a, const acre_aabb *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[2] <= b->max[2] &&
           b->min[2] <= a->max[2];
}

static int compare_pairs(const void *x, const void *y)
{
    const acre_pair *const p = x, *const q = y;
    if (p->a != q->a) {
        return p->a < q->a ? -1 : 1;
    }
    return (p->b > q->b) - (p->b < q->b);
}

static void sort_pairs(acre_pair *pairs, size_t count)
{
    if (count) {
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    }
}

// ---- the grid ----

typedef struct agents_grid {
    float corner, width;
    uint32_t across; // cells of a row
    uint32_t *cells; // of each agent
    uint32_t *first; // of each cell: where its agents begin in order; one more at the end
    uint32_t *order; // agents, cell by cell
} agents_grid;

static uint32_t cell_along(const agents_grid *grid, float at)
{
    const float cell = (at - grid->corner) / grid->width;
    const float last = (float)(grid->across - 1);
    return cell > 0.0f ? (uint32_t)(cell < last ? cell : last) : 0; // all beyond in the outermost
}

static void sort_into_cells(const agents_world *world, agents_grid *grid)
{
    const uint32_t count = world->def.count, cell_count = grid->across * grid->across;
    for (uint32_t i = 0; i < count; i++) {
        const float *const at = world->agents[i].center;
        grid->cells[i] = cell_along(grid, at[2]) * grid->across + cell_along(grid, at[0]);
        grid->first[grid->cells[i] + 1]++;
    }
    for (uint32_t i = 0; i < cell_count; i++) {
        grid->first[i + 1] += grid->first[i];
    }
    // Filled from the back, so that each cell's start ends up where it belongs.
    for (uint32_t i = count; i > 0; i--) {
        grid->order[--grid->first[grid->cells[i - 1] + 1]] = i - 1;
    }
    memmove(grid->first, grid->first + 1, cell_count * sizeof *grid->first);
    grid->first[cell_count] = count;
}

static bool make_grid(const agents_world *world, agents_grid *grid)
{
    float widest = 0.0f;
    for (uint32_t i = 0; i < world->def.count; i++) {
        const float *const half = world->agents[i].half;
        widest = half[0] > widest ? half[0] : widest;
        widest = half[2] > widest ? half[2] : widest;
    }
    // A little more than twice the half, for what floats round. Of a sparse world, cells enough for
    // one agent each.
    const float side = 2.0f * world->half_size;
    grid->width = 2.02f * widest;
    grid->across = (uint32_t)(side / grid->width) + 1;
    while ((uint64_t)grid->across * grid->across > 4 * (uint64_t)world->def.count + 64) {
        grid->width *= 2.0f;
        grid->across = (uint32_t)(side / grid->width) + 1;
    }
    grid->corner = -world->half_size;
    const size_t count = world->def.count, cell_count = (size_t)grid->across * grid->across;
    grid->cells = calloc(count, sizeof *grid->cells);
    grid->order = calloc(count, sizeof *grid->order);
    grid->first = calloc(cell_count + 2, sizeof *grid->first);
    if (!grid->cells || !grid->order || !grid->first) {
        return false;
    }
    sort_into_cells(world, grid);
    return true;
}

// An agent and those of higher numbers in a row of up to three cells.
static bool pair_with_row(const agents_world *world, const agents_grid *grid, uint32_t number,
                          uint32_t row, pair_list *list)
{
    const acre_aabb box = agents_box(world, number);
    const uint32_t column = grid->cells[number] % grid->across;
    const uint32_t from = column ? column - 1 : 0;
    const uint32_t to = column + 1 < grid->across ? column + 1 : column;
    const uint32_t begin = grid->first[row * grid->across + from];
    const uint32_t end = grid->first[row * grid->across + to + 1];
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t other = grid->order[i];
        if (other > number) {
            const acre_aabb other_box = agents_box(world, other);
            if (do_overlap(&box, &other_box) && !add_pair(list, number, other)) {
                return false;
            }
        }
    }
    return true;
}

static bool list_by_grid(const agents_world *world, const agents_grid *grid, pair_list *list)
{
    for (uint32_t i = 0; i < world->def.count; i++) {
        const uint32_t row = grid->cells[i] / grid->across;
        const uint32_t from = row ? row - 1 : 0;
        const uint32_t to = row + 1 < grid->across ? row + 1 : row;
        for (uint32_t r = from; r <= to; r++) {
            if (!pair_with_row(world, grid, i, r, list)) {
                return false;
            }
        }
    }
    return true;
}

// Hands the list over, sorted, or frees it.
static bool finish_list(pair_list *list, bool is_good, acre_pair **out, size_t *count)
{
    if (!is_good) {
        free(list->pairs);
        *list = (pair_list){0};
    }
    sort_pairs(list->pairs, list->count);
    *out = list->pairs;
    *count = list->count;
    return is_good;
}

bool agents_pairs_by_grid(const agents_world *world, acre_pair **out, size_t *count)
{
    agents_grid grid = {0};
    pair_list list = {0};
    const bool is_good = make_grid(world, &grid) && list_by_grid(world, &grid, &list);
    free(grid.cells);
    free(grid.order);
    free(grid.first);
    return finish_list(&list, is_good, out, count);
}

bool agents_pairs_by_loop(const agents_world *world, acre_pair **out, size_t *count)
{
    pair_list list = {0};
    bool is_good = true;
    for (uint32_t a = 0; a < world->def.count && is_good; a++) {
        const acre_aabb box = agents_box(world, a);
        for (uint32_t b = a + 1; b < world->def.count && is_good; b++) {
            const acre_aabb other = agents_box(world, b);
            is_good = !do_overlap(&box, &other) || add_pair(&list, a, b);
        }
    }
    return finish_list(&list, is_good, out, count);
}

// ---- the comparison ----

// Both lists are sorted.
static void compare_lists(const acre_pair *found, size_t found_count, const acre_pair *expected,
                          agents_difference *out)
{
    size_t f = 0, e = 0;
    while (f < found_count || e < out->expected) {
        const int order = f == found_count     ? 1
                          : e == out->expected ? -1
                                               : compare_pairs(&found[f], &expected[e]);
        if (order > 0) {
            *out = (agents_difference){AGENTS_MISSED, expected[e], out->expected};
            return;
        }
        if (order < 0) {
            const bool is_twice = f > 0 && compare_pairs(&found[f - 1], &found[f]) == 0;
            *out = (agents_difference){is_twice ? AGENTS_TWICE : AGENTS_FOREIGN, found[f],
                                       out->expected};
            return;
        }
        f++;
        e++;
    }
}

bool agents_check(const agents_world *world, agents_difference *out)
{
    const size_t count = world->pair_count;
    acre_pair *expected = NULL;
    *out = (agents_difference){0};
    acre_pair *const found = malloc((count + 1) * sizeof *found);
    const bool is_good = found && agents_pairs_by_grid(world, &expected, &out->expected);
    if (is_good) {
        memcpy(found, world->pairs, count * sizeof *found);
        sort_pairs(found, count);
        compare_lists(found, count, expected, out);
    }
    free(found);
    free(expected);
    return is_good;
}
