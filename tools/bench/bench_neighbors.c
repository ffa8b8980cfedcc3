// SPDX-License-Identifier: MIT
// bench_neighbors.c - the neighbors of all units of a crowd, in several ways: compared, then timed
// in turns.
#include "bench_neighbors.h"

#include "country_random.h"

#include <acre/quadtree_neighbors.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH 30.0f          // m, on the ground
#define UNITS_IN_REACH 37.0f // of the same density all around
#define LEAST_SIZE 0.6f      // m
#define MOST_SIZE 1.2f       // m
#define STEP 0.05f           // m a frame
#define CROWD_SEED 0x756e697473u

enum {
    FRAMES = 60,       // for which the crowd moves: a tree is not as its builder left it
    NEAREST = 8,       // where the nearest are asked for
    LOOP_STRIDE = 64,  // the loop answers every so many units, and is timed for all
    ROOM_OF_UNIT = 128 // neighbors of a unit, on average at most
};

// Squared distances below `certain` are within reach, those above `possible` are not; between them
// the definition decides.
typedef struct reach_limits {
    float certain, possible;
} reach_limits;

static reach_limits limits_of_reach(void)
{
    const float doubt = 0x1p-16f, square = REACH * REACH;
    return (reach_limits){square * (1.0f - doubt), square * (1.0f + doubt)};
}

// Boxes as a loop reads them, in any order.
typedef struct unit_edges {
    float *low_x, *high_x, *low_z, *high_z;
    uint32_t *units;
} unit_edges;

typedef struct unit_crowd {
    bench_contest *contest;
    uint32_t count;
    float half_size; // of the ground, m
    acre_aabb *boxes;
    acre_quadtree *tree;
    unit_edges loop; // by unit
    unit_edges grid; // by cell
    uint32_t *cells; // where each cell begins, and the end
    uint32_t side;   // cells a side
    acre_neighbor_row *rows;
    uint32_t *items;
    size_t capacity;
    uint64_t *keys; // what the units' lists should be: a hash of each, whatever its order
} unit_crowd;

// ---- the crowd ----

static bool create_edges(unit_edges *out, uint32_t count)
{
    out->low_x = calloc((size_t)count + 1, sizeof(float));
    out->high_x = calloc((size_t)count + 1, sizeof(float));
    out->low_z = calloc((size_t)count + 1, sizeof(float));
    out->high_z = calloc((size_t)count + 1, sizeof(float));
    out->units = calloc((size_t)count + 1, sizeof(uint32_t));
    return out->low_x && out->high_x && out->low_z && out->high_z && out->units;
}

static void free_edges(unit_edges *edges)
{
    free(edges->low_x);
    free(edges->high_x);
    free(edges->low_z);
    free(edges->high_z);
    free(edges->units);
}

static void set_edges(unit_edges *out, uint32_t at, const acre_aabb *box, uint32_t unit)
{
    out->low_x[at] = box->min[0];
    out->high_x[at] = box->max[0];
    out->low_z[at] = box->min[2];
    out->high_z[at] = box->max[2];
    out->units[at] = unit;
}

static void middle_of_unit(const unit_crowd *self, uint32_t unit, float *out)
{
    const acre_aabb *const box = &self->boxes[unit];
    out[0] = 0.5f * box->min[0] + 0.5f * box->max[0];
    out[1] = 0.5f * box->min[2] + 0.5f * box->max[2];
}

static void place_units(unit_crowd *self, uint64_t *random)
{
    const float area = 3.14159265f * REACH * REACH / UNITS_IN_REACH;
    self->half_size = 0.5f * sqrtf(area * (float)self->count);
    for (uint32_t unit = 0; unit < self->count; unit++) {
        const float size = LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * draw_unit(random);
        const float x = (2.0f * draw_unit(random) - 1.0f) * self->half_size;
        const float z = (2.0f * draw_unit(random) - 1.0f) * self->half_size;
        self->boxes[unit] = (acre_aabb){{x, 0.0f, z}, {x + size, 2.0f, z + size}};
    }
}

static void move_units(unit_crowd *self, uint64_t *random)
{
    for (uint32_t unit = 0; unit < self->count; unit++) {
        float step[2];
        draw_direction(random, step);
        for (int axis = 0; axis < 3; axis += 2) {
            self->boxes[unit].min[axis] += STEP * step[axis / 2];
            self->boxes[unit].max[axis] += STEP * step[axis / 2];
        }
    }
}

static bool plant_units(unit_crowd *self)
{
    uint64_t random = CROWD_SEED;
    const acre_quadtree_def def = {.half_size = self->half_size + 1.0f,
                                   .kernel = self->contest->options->kernel};
    bool is_good = acre_quadtree_create(&def, &self->tree) == ACRE_OK &&
                   acre_quadtree_insert_many(self->tree, self->loop.units, self->boxes,
                                             self->count) == ACRE_OK;
    for (int frame = 0; frame < FRAMES && is_good; frame++) {
        move_units(self, &random);
        is_good = acre_quadtree_refresh_all(self->tree, self->boxes, self->count) == ACRE_OK &&
                  acre_quadtree_maintain(self->tree) == ACRE_OK;
    }
    return is_good;
}

// ---- a uniform grid ----

// Cells are as wide as the reach and half of the largest unit: those within reach of a unit are in
// its cell and the eight around it.
static uint32_t cell_of(const unit_crowd *self, float at)
{
    const float cell = (at + self->half_size) / (REACH + 0.5f * MOST_SIZE) + 2.0f;
    return cell < 1.0f ? 1 : cell > (float)(self->side - 2) ? self->side - 2 : (uint32_t)cell;
}

static bool create_grid(unit_crowd *self)
{
    self->side = (uint32_t)(2.0f * self->half_size / (REACH + 0.5f * MOST_SIZE)) + 6;
    const size_t cell_count = (size_t)self->side * self->side;
    self->cells = calloc(cell_count + 2, sizeof *self->cells);
    if (!self->cells || !create_edges(&self->grid, self->count)) {
        return false;
    }
    float at[2];
    for (uint32_t unit = 0; unit < self->count; unit++) {
        middle_of_unit(self, unit, at);
        self->cells[cell_of(self, at[1]) * self->side + cell_of(self, at[0]) + 2]++;
    }
    for (size_t cell = 1; cell < cell_count + 2; cell++) {
        self->cells[cell] += self->cells[cell - 1];
    }
    for (uint32_t unit = 0; unit < self->count; unit++) {
        middle_of_unit(self, unit, at);
        const uint32_t cell = cell_of(self, at[1]) * self->side + cell_of(self, at[0]);
        set_edges(&self->grid, self->cells[cell + 1]++, &self->boxes[unit], unit);
    }
    return true;
}

// ---- tests of boxes one by one ----

// The units between two places whose boxes are near, but for one; *is_doubtful if the definition
// must decide about some. No branch depends on a single box.
static size_t find_between(const unit_edges *edges, size_t begin, size_t end, const float *at,
                           uint32_t own, bool *is_doubtful, uint32_t *items)
{
    const reach_limits limits = limits_of_reach();
    const float x = at[0], z = at[1];
    size_t found = 0;
    uint32_t doubts = 0;
    for (size_t i = begin; i < end; i++) {
        const float below_x = edges->low_x[i] - x, above_x = x - edges->high_x[i];
        const float below_z = edges->low_z[i] - z, above_z = z - edges->high_z[i];
        const float beyond_x = below_x > above_x ? below_x : above_x;
        const float beyond_z = below_z > above_z ? below_z : above_z;
        const float gap_x = beyond_x > 0.0f ? beyond_x : 0.0f;
        const float gap_z = beyond_z > 0.0f ? beyond_z : 0.0f;
        const float square = gap_x * gap_x + gap_z * gap_z;
        const uint32_t unit = edges->units[i];
        const uint32_t is_near = (square <= limits.possible) & (unit != own);
        items[found] = unit;
        found += is_near;
        doubts |= is_near & (square > limits.certain);
    }
    *is_doubtful |= doubts != 0;
    return found;
}

static size_t keep_certain(const unit_crowd *self, const float *at, uint32_t *items, size_t count)
{
    const acre_circle circle = {{at[0], at[1]}, REACH};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        items[kept] = items[i];
        kept += acre_circle_test_aabb(&circle, &self->boxes[items[i]]);
    }
    return kept;
}

static size_t find_in_grid(unit_crowd *self)
{
    size_t total = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const uint32_t unit = self->grid.units[i];
        uint32_t *const items = self->items + total;
        size_t found = 0;
        bool is_doubtful = false;
        float at[2];
        middle_of_unit(self, unit, at);
        const uint32_t column = cell_of(self, at[0]), row = cell_of(self, at[1]);
        for (uint32_t z = row - 1; z <= row + 1; z++) {
            const uint32_t *const cells = self->cells + (size_t)z * self->side + column;
            found += find_between(&self->grid, cells[-1], cells[2], at, unit, &is_doubtful,
                                  items + found);
        }
        found = is_doubtful ? keep_certain(self, at, items, found) : found;
        self->rows[unit] = (acre_neighbor_row){total, (uint32_t)found, 0};
        total += found;
    }
    return total;
}

static size_t find_in_loop(unit_crowd *self)
{
    size_t total = 0;
    for (uint32_t unit = 0; unit < self->count; unit += LOOP_STRIDE) {
        uint32_t *const items = self->items + total;
        bool is_doubtful = false;
        float at[2];
        middle_of_unit(self, unit, at);
        size_t found = find_between(&self->loop, 0, self->count, at, unit, &is_doubtful, items);
        found = is_doubtful ? keep_certain(self, at, items, found) : found;
        self->rows[unit] = (acre_neighbor_row){total, (uint32_t)found, 0};
        total += found;
    }
    return total;
}

// ---- Acre ----

static size_t find_by_one_call(unit_crowd *self, uint32_t nearest)
{
    const acre_neighbors_query query = {.count = self->count,
                                        .radius = REACH,
                                        .nearest = nearest,
                                        .flags = ACRE_NEIGHBORS_ON_GROUND};
    acre_neighbor_lists lists = {
        .rows = self->rows, .items = self->items, .capacity = self->capacity};
    return acre_quadtree_neighbors(self->tree, &query, &lists) == ACRE_OK ? lists.total : 0;
}

static size_t find_all_by_one_call(unit_crowd *self)
{
    return find_by_one_call(self, 0);
}

static size_t find_nearest_by_one_call(unit_crowd *self)
{
    return find_by_one_call(self, NEAREST);
}

static size_t drop_own(uint32_t *items, size_t count, uint32_t own)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        items[kept] = items[i];
        kept += items[i] != own;
    }
    return kept;
}

static size_t find_all_one_by_one(unit_crowd *self)
{
    size_t total = 0;
    for (uint32_t unit = 0; unit < self->count; unit++) {
        acre_circle circle = {.radius = REACH};
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle};
        size_t found = 0;
        middle_of_unit(self, unit, circle.center);
        if (acre_quadtree_query(self->tree, &query, self->items + total, self->capacity - total,
                                &found) != ACRE_OK) {
            return 0;
        }
        found = drop_own(self->items + total, found, unit);
        self->rows[unit] = (acre_neighbor_row){total, (uint32_t)found, 0};
        total += found;
    }
    return total;
}

static size_t find_nearest_one_by_one(unit_crowd *self)
{
    size_t total = 0;
    for (uint32_t unit = 0; unit < self->count; unit++) {
        acre_circle circle = {.radius = REACH};
        acre_query_hit hits[NEAREST + 1];
        size_t found = 0, kept = 0;
        middle_of_unit(self, unit, circle.center);
        const float x = circle.center[0], z = circle.center[1];
        const acre_aabb origin = {{x, -INFINITY, z}, {x, INFINITY, z}};
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle, .origin = &origin};
        if (acre_quadtree_query_nearest(self->tree, &query, hits, NEAREST + 1, &found) != ACRE_OK) {
            return 0;
        }
        for (size_t i = 0; i < found && kept < NEAREST; i++) {
            self->items[total + kept] = hits[i].item;
            kept += hits[i].item != unit;
        }
        self->rows[unit] = (acre_neighbor_row){total, (uint32_t)kept, 0};
        total += kept;
    }
    return total;
}

// ---- the contest ----

typedef struct neighbor_way {
    size_t (*find)(unit_crowd *self);
    bool is_nearest; // the nearest alone
    uint32_t stride; // answers every so many units
} neighbor_way;

static const neighbor_way ways[NEIGHBOR_WAY_COUNT] = {{find_all_by_one_call, false, 1},
                                                      {find_all_one_by_one, false, 1},
                                                      {find_in_grid, false, 1},
                                                      {find_in_loop, false, LOOP_STRIDE},
                                                      {find_nearest_by_one_call, true, 1},
                                                      {find_nearest_one_by_one, true, 1}};

const char *const neighbor_ways[NEIGHBOR_WAY_COUNT] = {"one call",
                                                       "a query each",
                                                       "uniform grid",
                                                       "loop over all boxes",
                                                       "8 nearest, one call",
                                                       "8 nearest, a query each"};

// A hash of a unit's neighbors, whatever their order.
static uint64_t key_of_unit(const unit_crowd *self, uint32_t unit)
{
    const acre_neighbor_row row = self->rows[unit];
    uint64_t sum = row.count;
    for (uint32_t i = 0; i < row.count; i++) {
        uint64_t state = self->items[row.first + i];
        sum += draw_bits(&state);
    }
    return sum;
}

// The lists of a way are those of the way before it of the same sort.
static bool check_way(unit_crowd *self, uint32_t index)
{
    const neighbor_way *const way = &ways[index];
    const bool is_first = index == 0 || ways[index - 1].is_nearest != way->is_nearest;
    const size_t total = way->find(self);
    bool is_good = total <= self->capacity && (total > 0 || self->count < 1000);
    for (uint32_t unit = 0; unit < self->count && is_good; unit += way->stride) {
        const uint64_t key = key_of_unit(self, unit);
        is_good = is_first || key == self->keys[unit];
        self->keys[unit] = key;
    }
    if (index == 0) {
        rows_add_value(self->contest->rows, neighbor_ways[0],
                       (row_name){"neighbors found", "", "", "a unit"},
                       (double)total / (double)self->count);
    }
    return is_good || contest_fail(self->contest, neighbor_ways[index], "the neighbors differ");
}

static double time_ways(void *user, uint32_t index, uint32_t repeats)
{
    unit_crowd *const self = user;
    const double begin = clock_seconds();
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        (void)ways[index].find(self);
    }
    return clock_seconds() - begin;
}

static bool take_turn(void *user, uint32_t index, measure_series *series)
{
    const bench_contest *const contest = ((unit_crowd *)user)->contest;
    contest_progress(contest, "neighbors", neighbor_ways[index]);
    (void)series_time(series, time_ways, user, index, contest->options->seconds,
                      1e3 * (double)ways[index].stride);
    return true;
}

static bool create_crowd(unit_crowd *self)
{
    uint64_t random = CROWD_SEED;
    const size_t room = (size_t)self->count + 1;
    self->capacity = room * ROOM_OF_UNIT;
    self->boxes = calloc(room, sizeof *self->boxes);
    self->rows = calloc(room, sizeof *self->rows);
    self->keys = calloc(room, sizeof *self->keys);
    self->items = calloc(self->capacity + room, sizeof *self->items);
    if (!self->boxes || !self->rows || !self->keys || !self->items ||
        !create_edges(&self->loop, self->count)) {
        return false;
    }
    place_units(self, &random);
    for (uint32_t unit = 0; unit < self->count; unit++) {
        self->loop.units[unit] = unit;
    }
    if (!plant_units(self)) {
        return false;
    }
    for (uint32_t unit = 0; unit < self->count; unit++) {
        set_edges(&self->loop, unit, &self->boxes[unit], unit);
    }
    return create_grid(self);
}

static void free_crowd(unit_crowd *self)
{
    acre_quadtree_destroy(self->tree);
    free_edges(&self->loop);
    free_edges(&self->grid);
    free(self->cells);
    free(self->boxes);
    free(self->rows);
    free(self->keys);
    free(self->items);
}

bool neighbors_measure(bench_contest *contest)
{
    const uint32_t count = contest->workload.count / 2 + 1;
    unit_crowd self = {.contest = contest, .count = count};
    measure_series series[NEIGHBOR_WAY_COUNT] = {0};
    bool is_good = create_crowd(&self) || contest_fail(contest, "neighbors", "out of memory");
    for (uint32_t i = 0; i < NEIGHBOR_WAY_COUNT && is_good; i++) {
        is_good = check_way(&self, i);
    }
    if (is_good) {
        (void)turns_take(&(measure_turns){.series = series,
                                          .count = NEIGHBOR_WAY_COUNT,
                                          .rounds = contest->options->rounds,
                                          .seconds = contest->options->seconds,
                                          .take = take_turn,
                                          .user = &self});
        for (uint32_t i = 0; i < NEIGHBOR_WAY_COUNT; i++) {
            rows_add_samples(contest->rows, neighbor_ways[i], (row_name){"neighbors", "", "", "ms"},
                             &series[i].passes);
        }
    }
    for (uint32_t i = 0; i < NEIGHBOR_WAY_COUNT; i++) {
        series_free(&series[i]);
    }
    free_crowd(&self);
    return is_good;
}
