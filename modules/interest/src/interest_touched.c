// SPDX-License-Identifier: MIT
// interest_touched.c - the items that changed since the last update: marked, with a box of each,
// and which of them are near an observer.
//
// A box is filed under the cell of a grid that holds its lowest corner. A cell is as wide as most
// observers reach and as nearly all boxes are, so that neither one observer who sees far nor one
// wide box makes it useless. The grid has no end: it repeats itself, and a bucket has the items of
// one cell in all repetitions. An observer looks into the buckets of the cells that it reaches.
#include "interest_internal.h"

#include "float_bits.h"

#include <math.h>
#include <string.h>

void acre_interest_refuse_items(acre_interest *interest, const uint32_t *items, size_t count)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        bits |= items[i];
    }
    _Static_assert((INTEREST_ITEMS & (INTEREST_ITEMS - 1)) == 0,
                   "a higher number has a higher bit");
    for (size_t i = 0; i < count && bits >= INTEREST_ITEMS; i++) {
        if (items[i] >= INTEREST_ITEMS) {
            acre_interest_refuse_row(interest, i, ACRE_ERROR_CAPACITY);
        }
    }
}

static bool touch_items(acre_interest *interest, const uint32_t *items, size_t count)
{
    bool has_room = true;
    for (size_t i = 0; i < count && has_room; i++) {
        has_room = items[i] >= INTEREST_ITEMS ||
                   acre_item_marks_add(&interest->allocator, &interest->touched, items[i]);
    }
    return has_room;
}

bool acre_interest_touch(acre_interest *interest, const uint32_t *items, size_t count)
{
    return touch_items(interest, items, count) &&
           touch_items(interest, interest->reused.items.data, interest->reused.count) &&
           touch_items(interest, interest->ranges.anew.items.data, interest->ranges.anew.count) &&
           COLUMN_RESERVE(&interest->allocator, interest->touched_boxes, interest->touched.count);
}

// ---- the grid ----

enum { FEW_TOUCHED = 8 }; // so few items are compared one by one

enum { LAST_GRID_CELL = 1 << 29 };
_Static_assert(2 * (int64_t)LAST_GRID_CELL < INT32_MAX,
               "the difference of two cells is an int32_t");

// The cell of a coordinate, which may be infinite. A larger coordinate is in no lower cell.
static int32_t grid_cell(const touched_grid *grid, double at)
{
    const double cell = at * grid->cells_in_meter;
    if (!(cell > -(double)LAST_GRID_CELL && cell < (double)LAST_GRID_CELL)) {
        return cell < 0 ? -LAST_GRID_CELL : LAST_GRID_CELL;
    }
    const int32_t toward_zero = (int32_t)cell;
    return toward_zero - (cell < (double)toward_zero);
}

// Cells of a row that follow each other have buckets that do, up to the end of a repetition.
static uint32_t grid_bucket(const touched_grid *grid, int32_t x, int32_t z)
{
    const uint32_t last = grid->side - 1;
    return ((uint32_t)z & last) * grid->side + ((uint32_t)x & last);
}

static uint32_t grid_buckets(const touched_grid *grid)
{
    return grid->side * grid->side;
}

// Wide items are not found by their corner.
static bool is_wide_in_grid(const touched_grid *grid, const acre_aabb *box)
{
    return !((double)box->max[0] - (double)box->min[0] <= grid->cell &&
             (double)box->max[2] - (double)box->min[2] <= grid->cell);
}

static uint32_t bucket_of_touched(const touched_grid *grid, const acre_aabb *box)
{
    return is_wide_in_grid(grid, box) ? grid_buckets(grid)
                                      : grid_bucket(grid, grid_cell(grid, (double)box->min[0]),
                                                    grid_cell(grid, (double)box->min[2]));
}

// The power of 2 that makes about a bucket for each item.
static uint32_t grid_side(size_t items)
{
    uint32_t side = 1;
    while ((size_t)side * side < items) {
        side *= 2;
    }
    return side;
}

// The width of a box on the ground.
static float ground_width(const acre_aabb *box)
{
    const float x = box->max[0] - box->min[0], z = box->max[2] - box->min[2];
    return x > z ? x : z;
}

// Of boxes that are nearly all narrower than it, one in WIDE_SHARE may be wider than a cell.
enum { WIDE_SHARE = 64 };

// The box of the i-th touched item; NULL if it is in no tree or belongs into the other grid.
static const acre_aabb *box_for_grid(const acre_interest *interest, int grid, size_t i)
{
    const acre_aabb *const box = COLUMN_AT(interest->touched_boxes, i);
    const bool has_range = item_has_range(interest, *COLUMN_AT(interest->touched.items, i));
    return has_range == (grid == GRID_RANGED) && !float_is_nan(box->min[0]) ? box : NULL;
}

// A power of 2 that is no less than observers usually reach and than nearly all boxes are wide.
static double choose_cell(const acre_interest *interest, int grid, size_t boxes)
{
    width_counts widths = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < boxes; i++) {
        const acre_aabb *const box = box_for_grid(interest, grid, i);
        if (box) {
            widths.counts[width_class(ground_width(box))]++;
            count++;
        }
    }
    const double width = width_above(&widths, count - count / WIDE_SHARE);
    return grid == GRID_PLAIN && width < interest->usual_reach ? interest->usual_reach : width;
}

// The bounds of all on the ground.
static void widen_grid(touched_grid *grid, const acre_aabb *box)
{
    for (int axis = 0; axis < 3; axis += 2) {
        const double width = (double)box->max[axis] - (double)box->min[axis];
        grid->widest = width > grid->widest && width <= grid->cell ? width : grid->widest;
        if (box->min[axis] < grid->bounds.min[axis]) {
            grid->bounds.min[axis] = box->min[axis];
        }
        if (box->max[axis] > grid->bounds.max[axis]) {
            grid->bounds.max[axis] = box->max[axis];
        }
    }
}

// Turns the counts of buckets into where each begins. The last one is of wide items.
static void begin_buckets(touched_grid *grid)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= grid_buckets(grid); i++) {
        const uint32_t here = grid->begins.data[i];
        grid->begins.data[i] = sum;
        sum += here;
    }
    grid->count = sum;
}

static void file_touched_item(touched_grid *grid, uint32_t item, const acre_aabb *box)
{
    const uint32_t place = (*COLUMN_AT(grid->begins, bucket_of_touched(grid, box)))++;
    *COLUMN_AT(grid->items, place) = (touched_item){*box, item};
}

// Files the boxes in two passes: counts, then places.
static void fill_touched_grid(acre_interest *interest, int which, size_t boxes)
{
    touched_grid *const grid = &interest->grids[which];
    for (size_t i = 0; i < boxes; i++) {
        const acre_aabb *const box = box_for_grid(interest, which, i);
        if (box) {
            widen_grid(grid, box);
            ++*COLUMN_AT(grid->begins, bucket_of_touched(grid, box));
        }
    }
    begin_buckets(grid);
    for (size_t i = 0; i < boxes; i++) {
        const acre_aabb *const box = box_for_grid(interest, which, i);
        if (box) {
            file_touched_item(grid, *COLUMN_AT(interest->touched.items, i), box);
        }
    }
    // Filling has moved where each bucket begins to where it ends.
    memmove(grid->begins.data + 1, grid->begins.data,
            ((size_t)grid_buckets(grid) + 1) * sizeof *grid->begins.data);
    grid->begins.data[0] = 0;
}

// @return false: no memory.
static bool file_touched_in(acre_interest *interest, int which)
{
    touched_grid *const grid = &interest->grids[which];
    const size_t boxes = interest->touched.count;
    grid->count = 0;
    if (which == GRID_RANGED && interest->ranges.count == 0) {
        return true;
    }
    grid->cell = choose_cell(interest, which, boxes);
    grid->cells_in_meter = 1 / grid->cell;
    grid->widest = 0;
    grid->bounds = (acre_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    grid->side = grid_side(boxes);
    const size_t begins = (size_t)grid_buckets(grid) + 2;
    if (!COLUMN_RESERVE(&interest->allocator, grid->begins, begins) ||
        !COLUMN_RESERVE(&interest->allocator, grid->items, boxes)) {
        return false;
    }
    memset(grid->begins.data, 0, begins * sizeof *grid->begins.data);
    fill_touched_grid(interest, which, boxes);
    ACRE_INVARIANT(grid->count <= boxes);
    return true;
}

acre_result acre_interest_file_touched(acre_interest *interest, const interest_world *world)
{
    const item_marks *const touched = &interest->touched;
    acre_interest_boxes(world, touched->items.data, touched->count, interest->touched_boxes.data);
    for (size_t i = 0; i < touched->count && interest->ranges.count > 0; i++) {
        const uint32_t item = *COLUMN_AT(touched->items, i);
        if (item_has_range(interest, item)) {
            acre_interest_noticed_from(acre_interest_ranged_thing(interest, item),
                                       COLUMN_AT(interest->touched_boxes, i));
        }
    }
    const bool has_room = file_touched_in(interest, GRID_PLAIN) &&
                          file_touched_in(interest, GRID_RANGED) &&
                          COLUMN_RESERVE(&interest->allocator, interest->met, touched->count);
    return has_room ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}

// ---- what an observer meets ----

typedef struct meeting_search {
    acre_interest *interest;
    const touched_grid *grid;
    const interest_world *world;
    const observer_row *row;
    double enter2, leave2;
    bool has_all_layers;
    size_t met;
    uint64_t most;
} meeting_search;

// Drops those of the met items from `first` on that are in none of the observer's layers.
static void drop_other_layers(meeting_search *search, size_t first)
{
    met_item *const met = search->interest->met.data;
    size_t kept = first;
    for (size_t i = first; i < search->met; i++) {
        if (acre_interest_has_layers(search->world, met[i].item, search->row->def.layers)) {
            met[kept++] = met[i];
        }
    }
    search->met = kept;
}

// Lists which of some items are near. One in five is, and no processor foresees which: so there is
// no branch for an item.
static size_t meet_plain(const meeting_search *search, size_t begin, size_t end)
{
    const observer_row *const row = search->row;
    const touched_item *const items = search->grid->items.data;
    met_item *const met = search->interest->met.data;
    size_t count = search->met;
    for (size_t i = begin; i < end; i++) {
        const double distance2 =
            acre_interest_distance2(&items[i].box, row->place, row->def.in_space);
        met[count] = (met_item){distance2, items[i].item, distance2 <= search->enter2};
        count += distance2 <= search->leave2;
    }
    return count;
}

// The same for things with ranges of their own.
static size_t meet_ranged(const meeting_search *search, size_t begin, size_t end)
{
    const observer_row *const row = search->row;
    const bool minds_ranges = row_minds_ranges(search->interest, row);
    met_item *const met = search->interest->met.data;
    size_t count = search->met;
    for (size_t i = begin; i < end; i++) {
        const uint32_t item = search->grid->items.data[i].item;
        const ranged_thing *const thing = acre_interest_ranged_thing(search->interest, item);
        const limit_squares limits = minds_ranges
                                         ? acre_interest_limits_of(search->interest, row, thing)
                                         : (limit_squares){search->enter2, search->leave2};
        const double distance2 =
            acre_interest_distance2(&thing->box, row->place, row->def.in_space);
        met[count] = (met_item){distance2, item, distance2 <= limits.enter};
        count += distance2 <= limits.leave;
    }
    return count;
}

static void meet_items(meeting_search *search, size_t begin, size_t end)
{
    acre_interest *const interest = search->interest;
    interest->compared += end - begin + 4; // beside the items the range costs something
    if (interest->compared > search->most) {
        return;
    }
    const size_t first = search->met;
    ACRE_INVARIANT(begin <= end && end <= search->grid->count);
    ACRE_INVARIANT(first + (end - begin) <= interest->met.capacity);
    search->met = search->grid == &interest->grids[GRID_RANGED] ? meet_ranged(search, begin, end)
                                                                : meet_plain(search, begin, end);
    if (!search->has_all_layers) {
        drop_other_layers(search, first);
    }
}

// Lists those that are near of the cells from `first` to `last` in a row.
static void meet_cells(meeting_search *search, int32_t first, int32_t last, int32_t z)
{
    const touched_grid *const grid = search->grid;
    const uint32_t count = (uint32_t)(last - first) + 1;
    const uint32_t begin = grid_bucket(grid, first, z), row = grid_bucket(grid, 0, z);
    const uint32_t behind = begin - row + count;
    ACRE_INVARIANT(count <= grid->side);
    if (behind <= grid->side) {
        meet_items(search, grid->begins.data[begin], grid->begins.data[row + behind]);
    } else { // beyond the side the row begins again
        meet_items(search, grid->begins.data[begin], grid->begins.data[row + grid->side]);
        meet_items(search, grid->begins.data[row], grid->begins.data[row + behind - grid->side]);
    }
}

// Whether an observer reaches nothing of what changed.
static bool reach_is_far(const touched_grid *grid, const float *place, double reach)
{
    bool is_far = false;
    for (int axis = 0; axis < 3; axis += 2) {
        const double at = (double)place[axis];
        is_far |= at - reach > (double)grid->bounds.max[axis] ||
                  at + reach < (double)grid->bounds.min[axis];
    }
    return is_far;
}

static void meet_reached_cells(meeting_search *search, const int32_t *first, const int32_t *last)
{
    const touched_grid *const grid = search->grid;
    if (grid->count <= FEW_TOUCHED || last[0] - first[0] >= (int32_t)grid->side ||
        last[1] - first[1] >= (int32_t)grid->side) {
        meet_items(search, 0, grid->count);
        return;
    }
    meet_items(search, grid->begins.data[grid_buckets(grid)], grid->count); // the wide ones
    for (int32_t z = first[1]; z <= last[1] && search->interest->compared <= search->most; z++) {
        meet_cells(search, first[0], last[0], z);
    }
}

// Lists those of a grid whose boxes may be within a radius.
static void meet_in_grid(meeting_search *search, int which, double radius)
{
    const touched_grid *const grid = &search->interest->grids[which];
    const float *const place = search->row->place;
    // Squared distances are rounded, so an item may be near though its corner lies a little beyond
    // the radius. Sums need no such margin: rounding keeps their order.
    const double reach = radius * (1 + 0x1p-20);
    search->grid = grid;
    if (grid->count == 0 || reach_is_far(grid, place, reach)) {
        return;
    }
    // The lowest corner of an item that is near may lie this far below the place.
    const double below = (radius + grid->widest) * (1 + 0x1p-20);
    int32_t first[2], last[2];
    for (int i = 0; i < 2; i++) {
        const double at = (double)place[2 * i];
        first[i] = grid_cell(grid, at - below);
        last[i] = grid_cell(grid, at + reach);
    }
    ACRE_INVARIANT(first[0] <= last[0] && first[1] <= last[1]);
    meet_reached_cells(search, first, last);
}

size_t acre_interest_meet(acre_interest *interest, const interest_world *world,
                          const observer_row *row, uint64_t most)
{
    meeting_search search = {.interest = interest,
                             .world = world,
                             .row = row,
                             .most = most,
                             .enter2 = acre_interest_limits(interest, row).enter,
                             .leave2 = acre_interest_limits(interest, row).leave,
                             .has_all_layers =
                                 row->def.layers == 0 || row->def.layers == UINT32_MAX};
    interest->compared = 0;
    meet_in_grid(&search, GRID_PLAIN, (double)row->def.leave_radius);
    meet_in_grid(&search, GRID_RANGED,
                 row_minds_ranges(interest, row) ? acre_interest_margin(row)
                                                 : (double)row->def.leave_radius);
    return interest->compared > most ? MET_TOO_MANY : search.met;
}
