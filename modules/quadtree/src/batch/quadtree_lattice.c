// SPDX-License-Identifier: MIT
// quadtree_lattice.c - another lattice for a tree whose items this one cannot hold, or crowds.
//
// A root has at most 2^24 finest cells a side. So a lattice of small cells reaches a short way, and
// items beyond its reach are outliers, which every query tests. A few strays may stay outliers,
// however far they are: a lattice that reached them would put a town into one cell. But if there
// are many, the tree is built anew on a lattice around them, with larger cells if need be; and with
// smaller cells again once those items are gone.
//
// The lattice follows from the items alone. Its middle is the median of their centers. Its home
// square holds all of them but the strays, which are the farthest from the median: a sixteenth, or
// 64 if that is more. Half as many may be strays where a finer lattice is wanted, so that a few
// items which come and go do not change the lattice each time.
//
// The opposite fault: where the square of the def is far larger than what stands in it, most items
// share a few finest cells, which cannot split. Then a build takes a lattice of finer cells around
// the items, and the square of the def no longer matters. Only builds look for one, so no frame
// pays for it; and only if the def has the usual depth, since another one asks for cells of some
// size.
//
// Medians and distances are found by counting the leading bits of floats, then the bits behind
// them. This takes three passes over the items and no memory. A few blocks are asked first, and all
// of them only where these say that another lattice may be worth it.
//
// Items that go far away and come home again, as through a portal, would need a build each time. So
// the tree keeps the larger cells for a while: a finer lattice must stay worth it for LATTICE_DELAY
// maintains. Each time that a finer lattice did not last, the next one waits twice as long.
#include "quadtree_batch.h"

#include "float_bits.h"

enum {
    DIGIT_COUNT = 3,
    DIGIT_BITS = 11, // of the first two digits of a float's 32 bits; the last one has 10
    DIGIT_VALUES = 1 << DIGIT_BITS
};

// A number of each item that some lattice can hold.
typedef enum measure_kind {
    MEASURE_X, // of the center
    MEASURE_Z,
    MEASURE_REACH // the center's distance from a middle, or half the box's size if that is more
} measure_kind;

typedef struct measure {
    measure_kind kind;
    float middle[2]; // x, z
} measure;

// How often each value of a digit occurs among the numbers whose digits before it are known.
typedef struct digit_counts {
    uint32_t step;  // one block in so many is looked at
    uint32_t known; // mask of the bits that are known
    uint32_t value; // these bits
    uint32_t shift; // of the digit
    uint32_t counts[DIGIT_VALUES];
} digit_counts;

// Orders floats that are not NaN by unsigned numbers.
static uint32_t ordered_bits(float value)
{
    const uint32_t bits = bits_of_float(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static float float_of_ordered(uint32_t ordered)
{
    return float_of_bits(ordered >> 31 ? ordered & 0x7fffffffu : ~ordered);
}

// The number of an item. NaN: no lattice can hold its box.
static float measure_box(const measure *what, const row_box *box)
{
    const float most = 0x1p+98f; // the home square then has a side of at most 2^101
    const float x = box_center(box->row[ROW_X_MIN], box->row[ROW_X_MAX]);
    const float z = box_center(box->row[ROW_Z_MIN], box->row[ROW_Z_MAX]);
    const float size_x = box->row[ROW_X_MAX] - box->row[ROW_X_MIN];
    const float size_z = box->row[ROW_Z_MAX] - box->row[ROW_Z_MIN];
    const float size = size_x > size_z ? size_x : size_z;
    const bool is_holdable = (fabsf(x) <= most) & (fabsf(z) <= most) & (size <= most) &
                             (box->row[ROW_Y_MIN] >= -FLT_MAX) & (box->row[ROW_Y_MAX] <= FLT_MAX);
    if (!is_holdable) {
        return NAN;
    }
    if (what->kind != MEASURE_REACH) {
        return what->kind == MEASURE_X ? x : z;
    }
    const float east = fabsf(x - what->middle[0]), south = fabsf(z - what->middle[1]);
    const float away = east > south ? east : south;
    return away > 0.5f * size ? away : 0.5f * size;
}

static void count_digits(const acre_quadtree *tree, const measure *what, digit_counts *out)
{
    memset(out->counts, 0, sizeof out->counts);
    for (uint32_t block = 0; block < tree->block_count; block += out->step) {
        const uint32_t count = block_items(tree, block);
        for (uint32_t slot = 0; slot < count; slot++) {
            const row_box box = location_box(tree, location_of(block, slot));
            const float number = measure_box(what, &box);
            const uint32_t bits = ordered_bits(number);
            const bool counts = !float_is_nan(number) && (bits & out->known) == out->value;
            out->counts[bits >> out->shift & (DIGIT_VALUES - 1)] += counts;
        }
    }
}

// The number that has a rank among those of the items in one block of `step`, 0 for the smallest.
static float find_rank(const acre_quadtree *tree, uint32_t step, const measure *what, size_t rank)
{
    digit_counts digit = {.step = step};
    for (uint32_t i = 0; i < DIGIT_COUNT; i++) {
        // The last digit has one bit less, so its uppermost bit repeats one that is known.
        digit.shift = i + 1 < DIGIT_COUNT ? 32 - DIGIT_BITS * (i + 1) : 0;
        count_digits(tree, what, &digit);
        uint32_t at = 0;
        while (rank >= digit.counts[at]) {
            rank -= digit.counts[at++];
            ACRE_INVARIANT(at < DIGIT_VALUES); // the rank is below the number of items
        }
        digit.known |= (uint32_t)(DIGIT_VALUES - 1) << digit.shift;
        digit.value |= at << digit.shift;
    }
    return float_of_ordered(digit.value);
}

// The number of items in one block of `step` that some lattice can hold.
static size_t count_holdable(const acre_quadtree *tree, uint32_t step)
{
    const measure what = {.kind = MEASURE_X};
    digit_counts first = {.step = step, .shift = 32 - DIGIT_BITS};
    size_t sum = 0;
    count_digits(tree, &what, &first);
    for (uint32_t i = 0; i < DIGIT_VALUES; i++) {
        sum += first.counts[i];
    }
    return sum;
}

// The number of items, of which this many are there, that may stay outliers.
static size_t stray_count(size_t items)
{
    const size_t share = items / STRAYS_DIVISOR;
    return share > STRAYS_LEAST ? share : STRAYS_LEAST;
}

// What is known of a lattice before it is used.
typedef struct lattice_choice {
    ground_lattice lattice;
    size_t items;      // that some lattice can hold
    float inner_reach; // half of them are as near to the middle as this
} lattice_choice;

// The smallest whole number of doublings that make a length at least as long as another.
static uint32_t doublings(double length, double wanted)
{
    uint32_t count = 0;
    while (length < wanted) {
        length *= 2.0;
        count++;
    }
    return count;
}

// What a lattice should be like.
typedef struct lattice_wish {
    size_t halving;    // strays may be one in so many of their usual number; 0: there are none
    double least_half; // half the side of the home square, at least
    float cell;        // side of a finest cell, unless the home square needs larger ones
    uint32_t step;     // one block of items in so many is asked
} lattice_wish;

// A lattice of cells as the def has them, whose home square is no smaller than the def's.
static lattice_wish def_wish(const acre_quadtree *tree, size_t halving, uint32_t step)
{
    return (lattice_wish){halving, (double)tree->def.half_size, tree->def_cell, step};
}

// Chooses the lattice for the items but their strays. False: there is none.
static bool choose_lattice(const acre_quadtree *tree, lattice_wish wish, lattice_choice *out)
{
    const size_t items = count_holdable(tree, wish.step);
    const size_t strays = wish.halving ? stray_count(items) / wish.halving : 0;
    if (items <= strays) {
        return false;
    }
    measure what = {.kind = MEASURE_X};
    const float x = find_rank(tree, wish.step, &what, items / 2);
    what.kind = MEASURE_Z;
    const float z = find_rank(tree, wish.step, &what, items / 2);
    what = (measure){MEASURE_REACH, {x, z}};
    // Twice as far as the farthest item reaches, so that items have room to move; and some floats
    // beside the middle, where these are far apart.
    double half = 2.0 * (double)find_rank(tree, wish.step, &what, items - strays - 1);
    half = fmax(half, wish.least_half);
    half = fmax(half, 0x1p-20 * fmax(fabs((double)x), fabs((double)z)));
    const uint32_t levels = doublings((double)wish.cell, 2.0 * half);
    const uint32_t most = MAX_LEVEL - 1; // the root can grow once
    const uint32_t depth = levels < most ? levels : most;
    const float home_half = ldexpf(wish.cell, (int)levels - 1);
    out->items = items * wish.step;
    out->inner_reach = find_rank(tree, wish.step, &what, items / 2);
    return acre_grid_create(&out->lattice.grid, &out->lattice.home, what.middle, home_half, depth);
}

// Whether so many items would share cells of the lattice that it would be worse than outliers. That
// is so where a sixteenth of the items is so far away that the others share few cells.
static bool would_crowd(const acre_quadtree *tree, const lattice_choice *choice)
{
    const double width = (double)choice->lattice.grid.cell;
    const double side = 2.0 * (double)choice->inner_reach / width;
    const double cells = side > 1.0 ? side * side : 1.0;
    return width > (double)tree->def_cell &&
           0.5 * (double)choice->items > cells * DEFAULT_NODE_CAPACITY;
}

// The number of outliers that the home square of a lattice holds.
static uint32_t count_reached(const acre_quadtree *tree, const ground_lattice *other)
{
    uint32_t reached = 0;
    for (chain_walk walk = chain_first(tree, OUTLIER_NODE); walk.count;
         walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = location_box(tree, location_of(walk.block, slot));
            const placement place = acre_grid_place(&other->grid, &box);
            reached += !place.is_outlier && place.level <= other->home.level &&
                       cell_holds(&other->home, place.x, place.z);
        }
    }
    return reached;
}

static uint64_t edits_of(const acre_quadtree *tree)
{
    return tree->work.moves + tree->work.removals;
}

// Builds the tree on a lattice, if there is memory for it. Answers whether there was.
static bool change_lattice(acre_quadtree *tree, const ground_lattice *to)
{
    const bool is_finer = to->grid.cell < tree->grid.cell, was_finer = tree->was_refined;
    const bool is_built = acre_build_on_lattice(tree, to);
    if (is_built) {
        tree->has_other_lattice = true;
        tree->was_refined = is_finer;
        tree->finer_delay += was_finer && !is_finer && tree->finer_delay < LATTICE_MOST_WAIT;
        tree->finer_wait = tree->finer_countdown = 0;
        tree->finer_edits = edits_of(tree);
        tree->shrink_wait = 0;
        tree->work.lattices++;
    }
    return is_built;
}

// One block in so many is asked before all are.
static uint32_t sample_step(const acre_quadtree *tree)
{
    const uint32_t step = tree->block_count / LATTICE_SAMPLE;
    return step > 1 ? step : 1;
}

// Whether there is a lattice for the items, by one block in `step`, that does not crowd them.
static bool find_wider(const acre_quadtree *tree, uint32_t step, lattice_choice *out)
{
    return choose_lattice(tree, def_wish(tree, 1, step), out) && !would_crowd(tree, out);
}

// Looks for a lattice that holds the outliers; for a while not again where often there was none.
static void reach_outliers(acre_quadtree *tree, bool at_once)
{
    lattice_choice choice;
    if (tree->reach_countdown > 0 && !at_once) {
        tree->reach_countdown--;
        return;
    }
    const bool has_lattice =
        find_wider(tree, sample_step(tree), &choice) && find_wider(tree, 1, &choice);
    tree->reachable_outliers = has_lattice ? count_reached(tree, &choice.lattice) : 0;
    if (acre_has_many_outliers(tree, tree->reachable_outliers)) {
        (void)change_lattice(tree, &choice.lattice);
        tree->reach_misses = 0;
    } else if (tree->reach_misses < LATTICE_MISSES) {
        tree->reach_misses++;
    } else {
        tree->reach_countdown = LATTICE_DELAY;
    }
}

// Whether a lattice with much finer cells holds the items too, by one block in `step`.
static bool find_finer(const acre_quadtree *tree, uint32_t step, lattice_choice *out)
{
    return choose_lattice(tree, def_wish(tree, 2, step), out) &&
           out->lattice.grid.cell * LATTICE_FINER <= tree->grid.cell;
}

// Looks for a finer lattice, after as many items have moved or gone as can make a difference. Each
// time that there is none, twice as many must do so until the next look. One that is found must
// stay worth it until the countdown ends, or is taken at once.
static void refine_lattice(acre_quadtree *tree, bool at_once)
{
    lattice_choice choice;
    const uint32_t wait = tree->finer_countdown > 0 ? 0 : tree->finer_wait;
    const uint64_t enough = (uint64_t)(stray_count(tree->item_count) / 2) << wait;
    if (at_once || edits_of(tree) - tree->finer_edits >= enough) {
        tree->finer_edits = edits_of(tree);
        if (!find_finer(tree, sample_step(tree), &choice)) {
            tree->finer_countdown = 0;
            tree->finer_wait += tree->finer_wait < LATTICE_MOST_WAIT;
            return;
        }
        if (tree->finer_countdown == 0) {
            tree->finer_countdown = (uint32_t)LATTICE_DELAY << tree->finer_delay;
        }
    }
    if (tree->finer_countdown > 0 && (--tree->finer_countdown == 0 || at_once) &&
        find_finer(tree, 1, &choice)) {
        (void)change_lattice(tree, &choice.lattice);
    }
}

// Builds the tree on another lattice if many outliers need it, or if one with much finer cells
// holds the items too. Cheap as long as there are few outliers. at_once: the call has built the
// tree anyway. The tree is being edited.
void acre_renew_lattice(acre_quadtree *tree, bool at_once)
{
    const uint32_t outliers = node_count(tree, OUTLIER_NODE);
    const uint32_t reachable = tree->reachable_outliers;
    // Far fewer than many, so that a few which come and go do not bring a look each time.
    if (!acre_has_many_outliers(tree, 2 * (size_t)outliers)) {
        tree->reach_misses = tree->reach_countdown = 0;
    }
    if (acre_has_many_outliers(tree, outliers < reachable ? outliers : reachable)) {
        reach_outliers(tree, at_once);
    } else if (tree->has_other_lattice && tree->item_count == 0) {
        acre_reset_tree(tree);
    } else if (tree->grid.cell > tree->def_cell) {
        refine_lattice(tree, at_once);
    }
}

// ---- cells that are too wide ----

// The side of cells of which each would hold a sixteenth of a leaf, if the items of a node stood
// evenly in the square or on the line that their centers span. 0: they stand in a point.
static float fitting_width(const acre_quadtree *tree, uint32_t node)
{
    float low[2] = {FLT_MAX, FLT_MAX}, high[2] = {-FLT_MAX, -FLT_MAX};
    for (chain_walk walk = chain_first(tree, node); walk.count; walk = chain_next(tree, walk)) {
        for (uint32_t slot = 0; slot < walk.count; slot++) {
            const row_box box = location_box(tree, location_of(walk.block, slot));
            for (int axis = 0; axis < 2; axis++) {
                const float center = box_center(box.row[axis * 4], box.row[axis * 4 + 1]);
                low[axis] = center < low[axis] ? center : low[axis];
                high[axis] = center > high[axis] ? center : high[axis];
            }
        }
    }
    const float cells =
        (float)node_count(tree, node) * FITTING_DIVISOR / (float)tree->def.node_capacity;
    const float x = high[0] - low[0], z = high[1] - low[1];
    const float on_line = (x > z ? x : z) / cells, in_square = sqrtf(x / cells) * sqrtf(z);
    return on_line > in_square ? on_line : in_square;
}

// The side of finest cells, a power of two, that is narrow enough for all but a quarter of the
// items in crowded cells. 0: no cells would help.
static float fitting_cell(const acre_quadtree *tree)
{
    enum { FRACTION_BITS = 23, EXPONENTS = 256 };
    size_t items[EXPONENTS] = {0}, rest = 0; // by the exponent of the width that fits them
    for (uint32_t node = 0; node < tree->quad_count * 4; node++) {
        if (acre_is_crowded(tree, node)) {
            const uint32_t exponent = bits_of_float(fitting_width(tree, node)) >> FRACTION_BITS;
            items[exponent] += node_count(tree, node);
            rest += exponent > 0 ? node_count(tree, node) : 0;
        }
    }
    if (!acre_are_crowded(tree, rest)) {
        return 0.0f;
    }
    uint32_t exponent = 1;
    for (size_t narrower = items[1]; narrower <= rest / 4; narrower += items[exponent]) {
        exponent++;
        ACRE_INVARIANT(exponent < EXPONENTS); // the counts add up to rest
    }
    return float_of_bits(exponent << FRACTION_BITS);
}

// Chooses a lattice of finer cells. Without strays, if it is as fine as wanted even so.
static bool choose_finer(const acre_quadtree *tree, float side, lattice_choice *out)
{
    const size_t halvings[] = {0, 2};
    bool is_fine = false;
    for (int i = 0; i < 2 && !is_fine; i++) {
        const lattice_wish wish = {.halving = halvings[i], .cell = side, .step = 1};
        is_fine = choose_lattice(tree, wish, out) &&
                  out->lattice.grid.cell * LATTICE_FINER <= tree->grid.cell &&
                  (i > 0 || out->lattice.grid.cell <= side);
    }
    return is_fine;
}

// Several times, because the items of a cell may stand in a few places of it.
void acre_fit_lattice(acre_quadtree *tree)
{
    lattice_choice choice;
    for (int i = 0; i < FITTING_BUILDS && tree->def.max_depth == DEFAULT_MAX_DEPTH &&
                    acre_are_crowded(tree, acre_crowded_items(tree));
         i++) {
        const float side = fitting_cell(tree);
        if (side == 0.0f || !choose_finer(tree, side, &choice) ||
            !change_lattice(tree, &choice.lattice)) {
            return;
        }
    }
}
