// SPDX-License-Identifier: MIT
// test_occluder_heights.c - prisms of terrain lie under the surface, drawn with either diagonal,
// and are those that a plain search for the largest outline takes.
#include "test.h"

#include <acre/occluder_heights.h>

#include <math.h>
#include <string.h>

enum { MOST = 24, SQUARES = 8 };

// A field with the places of its corners as a program may compute them.
typedef struct drawn_field {
    acre_height_field field;
    float heights[MOST * MOST];
    float x[MOST], z[MOST];
} drawn_field;

static void place_corners(drawn_field *drawn, bool in_floats)
{
    const acre_height_field *const field = &drawn->field;
    for (uint32_t i = 0; i < MOST; i++) {
        drawn->x[i] = in_floats ? field->origin[0] + (float)i * field->cell
                                : (float)((double)field->origin[0] + i * (double)field->cell);
        drawn->z[i] = in_floats ? field->origin[1] + (float)i * field->cell
                                : (float)((double)field->origin[1] + i * (double)field->cell);
    }
}

static float draw_height(test_random *random, uint32_t kind, uint32_t i, uint32_t k)
{
    switch (kind) {
    case 0: // anything
        return random_float(random, -20, 50);
    case 1: // plateaus, and steps down
        return 5 * (float)(i / 7) - 3 * (float)(k / 5);
    case 2: // spikes up and down out of a plain
        return random_below(random, 20) ? 3 : random_below(random, 2) ? 40 : -40;
    case 3: // huge
        return random_float(random, -1e12f, 1e12f);
    default: // a slanting ridge
        return 30 - 4 * fabsf((float)i - 0.7f * (float)k - 2);
    }
}

static void draw_field(test_random *random, drawn_field *out)
{
    static const float cells[] = {0.7f, 3, 8, 10, 32.5f, 64, 100};
    memset(out, 0, sizeof *out);
    const float far = random_below(random, 3) ? 100.0f : 1e5f;
    const uint32_t kind = random_below(random, 5);
    const bool has_holes = random_below(random, 3) == 0;
    out->field = (acre_height_field){
        .heights = out->heights,
        .columns = 2 + random_below(random, MOST - 1),
        .rows = 2 + random_below(random, MOST - 1),
        .cell = cells[random_below(random, sizeof cells / sizeof *cells)],
        .origin = {random_float(random, -far, far), random_float(random, -far, far)},
        .flags = random_below(random, 2) ? ACRE_OCCLUDER_TWO_SIDED : 0};
    for (uint32_t i = 0; i < out->field.columns * out->field.rows; i++) {
        const bool is_hole = has_holes && random_below(random, 12) == 0;
        out->heights[i] =
            is_hole ? NAN
                    : draw_height(random, kind, i % out->field.columns, i / out->field.columns);
    }
    place_corners(out, random_below(random, 2) > 0);
}

// ---- under the surface ----

// The lower of a cell's two surfaces at shares of its sides; NaN in a hole.
static double surface_of_cell(const drawn_field *drawn, uint32_t column, uint32_t row, double s,
                              double t)
{
    const float *const at = &drawn->heights[row * drawn->field.columns + column];
    const double h00 = (double)at[0], h10 = (double)at[1];
    const double h01 = (double)at[drawn->field.columns], h11 = (double)at[drawn->field.columns + 1];
    const double one =
        s > t ? h00 + s * (h10 - h00) + t * (h11 - h10) : h00 + t * (h01 - h00) + s * (h11 - h01);
    const double other = s + t < 1 ? h00 + s * (h10 - h00) + t * (h01 - h00)
                                   : h11 + (1 - s) * (h01 - h11) + (1 - t) * (h10 - h11);
    return isnan(h00 + h10 + h01 + h11) ? (double)NAN : one < other ? one : other;
}

// Surfaces are linear on triangles, and lowest at a corner of one or where the outline of the prism
// crosses an edge: asked at the corners of what a cell and the prism share, and where its diagonals
// cross the border of that.
static bool is_under_in_cell(const drawn_field *drawn, const acre_occluder *prism, uint32_t column,
                             uint32_t row)
{
    const double x0 = (double)drawn->x[column], x_size = (double)drawn->x[column + 1] - x0;
    const double z0 = (double)drawn->z[row], z_size = (double)drawn->z[row + 1] - z0;
    const double s0 = fmax(0, ((double)prism->points[0][0] - x0) / x_size);
    const double s1 = fmin(1, ((double)prism->points[2][0] - x0) / x_size);
    const double t0 = fmax(0, ((double)prism->points[0][1] - z0) / z_size);
    const double t1 = fmin(1, ((double)prism->points[2][1] - z0) / z_size);
    if (!(s0 <= s1 && t0 <= t1)) {
        return true; // the prism does not reach it
    }
    const double s[] = {s0, s1, t0, t1, 1 - t0, 1 - t1}, t[] = {t0, t1, s0, s1, 1 - s0, 1 - s1};
    for (int i = 0; i < 36; i++) {
        const double at_s = fmin(s1, fmax(s0, s[i / 6])), at_t = fmin(t1, fmax(t0, t[i % 6]));
        const double surface = surface_of_cell(drawn, column, row, at_s, at_t);
        const double rounding = 1e-12 * fabs(surface); // of this sum alone
        if (!((double)prism->top <= surface + rounding)) {
            return false;
        }
    }
    return true;
}

static bool is_under(const drawn_field *drawn, const acre_occluder *prism)
{
    bool is_good = acre_occluder_is_valid(prism) && prism->point_count == 4 &&
                   prism->bottom == -INFINITY && prism->flags == drawn->field.flags &&
                   prism->points[0][0] >= drawn->x[0] && prism->points[0][1] >= drawn->z[0] &&
                   prism->points[2][0] <= drawn->x[drawn->field.columns - 1] &&
                   prism->points[2][1] <= drawn->z[drawn->field.rows - 1];
    for (uint32_t row = 0; row + 1 < drawn->field.rows && is_good; row++) {
        for (uint32_t column = 0; column + 1 < drawn->field.columns && is_good; column++) {
            is_good = is_under_in_cell(drawn, prism, column, row);
        }
    }
    return is_good;
}

static bool box_holds(const acre_aabb *box, const acre_occluder *prism)
{
    return prism->points[0][0] >= box->min[0] && prism->points[2][0] <= box->max[0] &&
           prism->points[0][1] >= box->min[2] && prism->points[2][1] <= box->max[2] &&
           prism->top <= box->max[1] && prism->top >= box->min[1];
}

static void prisms_lie_under_the_surface(void)
{
    test_random random = {test_seed};
    size_t prisms = 0;
    for (uint32_t round = 0; round < 300 * test_scale; round++) {
        drawn_field drawn;
        draw_field(&random, &drawn);
        const size_t count = acre_height_field_block_count(&drawn.field);
        CHECK(count > 0);
        for (size_t i = 0; i < count; i++) {
            acre_height_block block;
            CHECK(acre_occluders_from_heights(&drawn.field, i, &block) == ACRE_OK);
            CHECK(block.occluder_count <= ACRE_HEIGHT_BLOCK_OCCLUDERS);
            for (uint32_t k = 0; k < block.occluder_count; k++) {
                CHECK(is_under(&drawn, &block.occluders[k]));
                CHECK(box_holds(&block.bounds, &block.occluders[k]));
            }
            prisms += block.occluder_count;
        }
    }
    CHECK(prisms > 1000);
}

// ---- which ----

// A block of 8 x 8 cells, and the outlines of what was taken: seen along x, z and both diagonals,
// in half cells.
typedef struct outline_search {
    const drawn_field *drawn;
    double outlines[4][4 * SQUARES];
} outline_search;

// What an area of cells adds to the outlines; with `raises`, it is taken.
static double add_area(outline_search *search, const uint32_t *first, const uint32_t *end,
                       double top, bool raises)
{
    double gain = 0;
    for (int direction = 0; direction < 4; direction++) {
        bool covered[4 * SQUARES] = {false};
        for (uint32_t x = 2 * first[0]; x < 2 * end[0]; x++) { // the outlines of all quarter cells
            for (uint32_t z = 2 * first[1]; z < 2 * end[1]; z++) {
                const uint32_t place = direction == 0   ? x
                                       : direction == 1 ? z
                                       : direction == 2 ? x + z
                                                        : x + 2 * SQUARES - 1 - z;
                covered[place] = true;
                covered[place + (direction >= 2)] = true; // of a diagonal it covers two
            }
        }
        for (int i = 0; i < 4 * SQUARES; i++) {
            double *const outline = &search->outlines[direction][i];
            if (covered[i] && top > *outline) {
                gain += (top - *outline) * (direction < 2 ? 0.5 : 0.5 * sqrt(0.5));
                *outline = raises ? top : *outline;
            }
        }
    }
    return gain;
}

static double lowest_corner(const drawn_field *drawn, const uint32_t *first, const uint32_t *end)
{
    double lowest = (double)INFINITY;
    for (uint32_t x = first[0]; x <= end[0]; x++) {
        for (uint32_t z = first[1]; z <= end[1]; z++) {
            const double height = (double)drawn->heights[z * drawn->field.columns + x];
            lowest = isnan(height) || height < lowest ? height : lowest;
            if (isnan(lowest)) {
                return (double)-INFINITY;
            }
        }
    }
    return lowest;
}

static double largest_gain(outline_search *search)
{
    double best = 0;
    for (uint32_t i = 0; i < SQUARES * SQUARES * SQUARES * SQUARES; i++) {
        const uint32_t first[2] = {i % SQUARES, i / SQUARES % SQUARES};
        const uint32_t end[2] = {i / SQUARES / SQUARES % SQUARES + 1,
                                 i / SQUARES / SQUARES / SQUARES + 1};
        if (first[0] < end[0] && first[1] < end[1]) {
            const double top = lowest_corner(search->drawn, first, end);
            best = fmax(best, add_area(search, first, end, top, false));
        }
    }
    return best;
}

static void those_that_add_most_to_the_outline_are_taken(void)
{
    test_random random = {test_seed};
    for (uint32_t round = 0; round < 10 * test_scale; round++) {
        drawn_field drawn = {.field = {.heights = drawn.heights, .columns = 9, .rows = 9}};
        drawn.field.cell = 8;
        double low = (double)INFINITY;
        for (uint32_t i = 0; i < 81; i++) {
            drawn.heights[i] = draw_height(&random, round % 5, i % 9, i / 9);
            low = fmin(low, (double)drawn.heights[i]);
        }
        acre_height_block block;
        CHECK(acre_height_field_block_count(&drawn.field) == 1);
        CHECK(acre_occluders_from_heights(&drawn.field, 0, &block) == ACRE_OK);
        outline_search search = {.drawn = &drawn};
        for (int i = 0; i < 4 * 4 * SQUARES; i++) {
            search.outlines[i / (4 * SQUARES)][i % (4 * SQUARES)] = low - 1;
        }
        double first_gain = 0;
        for (uint32_t k = 0; k < block.occluder_count; k++) {
            const acre_occluder *const prism = &block.occluders[k];
            const uint32_t first[2] = {(uint32_t)roundf(prism->points[0][0] / 8),
                                       (uint32_t)roundf(prism->points[0][1] / 8)};
            const uint32_t end[2] = {(uint32_t)roundf(prism->points[2][0] / 8),
                                     (uint32_t)roundf(prism->points[2][1] / 8)};
            const double most = largest_gain(&search);
            const double gain = add_area(&search, first, end, (double)prism->top, true);
            first_gain = k == 0 ? gain : first_gain;
            CHECK(fabs(gain - most) <= 1e-5 * first_gain && gain > 0.03 * first_gain);
        }
        CHECK(block.occluder_count > 0);
        CHECK(block.occluder_count == ACRE_HEIGHT_BLOCK_OCCLUDERS ||
              largest_gain(&search) < 0.032 * first_gain);
    }
}

// ---- single cases ----

static void flat_ground_and_plateaus_have_one_prism(void)
{
    drawn_field drawn = {.field = {.heights = drawn.heights, .columns = 17, .rows = 9, .cell = 4}};
    for (uint32_t i = 0; i < 17 * 9; i++) {
        drawn.heights[i] = 5;
    }
    acre_height_block block;
    CHECK(acre_height_field_block_count(&drawn.field) == 1);
    CHECK(acre_occluders_from_heights(&drawn.field, 0, &block) == ACRE_OK);
    CHECK(block.occluder_count == 1 && block.occluders[0].top == 5);
    CHECK(fabsf(block.occluders[0].points[2][0] - 64) < 1e-3f);
    CHECK(fabsf(block.occluders[0].points[2][1] - 32) < 1e-3f);
    drawn.heights[40] = NAN; // the rest still hides
    CHECK(acre_occluders_from_heights(&drawn.field, 0, &block) == ACRE_OK);
    CHECK(block.occluder_count > 1 && block.bounds.min[1] == 5);
    for (uint32_t i = 0; i < 17 * 9; i++) {
        drawn.heights[i] = NAN;
    }
    CHECK(acre_occluders_from_heights(&drawn.field, 0, &block) == ACRE_OK);
    CHECK(block.occluder_count == 0 && acre_aabb_is_empty(&block.bounds));
}

static void blocks_have_as_many_cells_as_fit(void)
{
    static const float height = 0;
    const struct {
        uint32_t columns, rows;
        float cell;
        size_t count;
    } cases[] = {{2, 2, 1, 1},       {65, 65, 1, 1},   {66, 65, 1, 2},   {66, 129, 1, 4},
                 {8, 7, 10, 2},      {7, 7, 10, 1},    {5, 4, 64, 12},   {5, 4, 1000, 12},
                 {3, 3, 1e-3f, 1},   {2, 3, 5e11f, 2}, {2, 3, 6e11f, 0}, {1, 3, 1, 0},
                 {3, 0, 1, 0},       {3, 3, 0, 0},     {3, 3, -1, 0},    {3, 3, NAN, 0},
                 {3, 3, INFINITY, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const acre_height_field field = {.heights = &height,
                                         .columns = cases[i].columns,
                                         .rows = cases[i].rows,
                                         .cell = cases[i].cell};
        CHECK(acre_height_field_block_count(&field) == cases[i].count);
    }
}

static void fields_that_are_none_are_refused(void)
{
    static const float heights[] = {0, 1, 2, 3};
    const acre_height_field good = {.heights = heights, .columns = 2, .rows = 2, .cell = 1};
    acre_height_block block = {.occluder_count = 77};
    CHECK(acre_height_field_block_count(NULL) == 0);
    CHECK(acre_occluders_from_heights(NULL, 0, &block) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_occluders_from_heights(&good, 0, NULL) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_occluders_from_heights(&good, 1, &block) == ACRE_ERROR_INVALID_ARGUMENT);
    acre_height_field bad[] = {good, good, good, good, good};
    bad[0].heights = NULL;
    bad[1].flags = 2;
    bad[2].origin[1] = NAN;
    bad[3].origin[0] = 1e7f; // the corners cannot be told apart
    bad[4].columns = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(acre_height_field_block_count(&bad[i]) == 0);
        CHECK(acre_occluders_from_heights(&bad[i], 0, &block) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    static const float none[] = {INFINITY, -INFINITY, 2e12f};
    for (int i = 0; i < 3; i++) {
        const float with[] = {0, 1, none[i], 3};
        acre_height_field field = good;
        field.heights = with;
        CHECK(acre_occluders_from_heights(&field, 0, &block) == ACRE_ERROR_INVALID_ARGUMENT);
    }
    CHECK(block.occluder_count == 77); // nothing was written
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(prisms_lie_under_the_surface),
        TEST(those_that_add_most_to_the_outline_are_taken),
        TEST(flat_ground_and_plateaus_have_one_prism),
        TEST(blocks_have_as_many_cells_as_fit),
        TEST(fields_that_are_none_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
