// SPDX-License-Identifier: MIT
// partition_cut.c - which cells are whose, and how a cut follows the load.
//
// Loads stand one after the other along the curve. A border between two parts has a place in this
// sum; the place where all parts would have the same load is its target. Each border moves toward
// its target, at most so far that a bounded load changes sides. Since places and targets ascend,
// the clamped places do, too. The part whose ground holds the new place finds the cell, so nobody
// needs the loads of all cells.
#include "partition_internal.h"

#include <string.h>

uint32_t acre_partition_owner(const acre_partition *part, uint32_t cell)
{
    // The last part whose first cell is not above this one; empty parts lie before it.
    uint32_t low = 0, high = part->part_count;
    while (high - low > 1) {
        const uint32_t mid = low + (high - low) / 2;
        if (*COLUMN_AT(part->cut, mid) <= cell) {
            low = mid;
        } else {
            high = mid;
        }
    }
    ACRE_INVARIANT(part->cut.data[low] <= cell && cell < part->cut.data[low + 1]);
    return low;
}

// ---- neighbors ----

// How many cells away a neighbor's ground may be: an item may step into the cell beside this
// ground, and its ghosts reach half its width and the range farther.
static int32_t reach_of(const partition_ground *ground)
{
    const double cells = 2.0 * ground->grow * ground->inverse;
    return cells + 3.0 < (double)ground->side ? (int32_t)cells + 3 : (int32_t)ground->side;
}

static int32_t wrap_index(const partition_ground *ground, int32_t at)
{
    const int32_t side = (int32_t)ground->side;
    return ground->is_periodic ? (at + 2 * side) % side : at;
}

static void mark_around(acre_partition *part, uint32_t cell, int32_t reach)
{
    const partition_ground *const ground = &part->ground;
    const int32_t x = (int32_t)acre_ground_unmorton(cell, 0);
    const int32_t z = (int32_t)acre_ground_unmorton(cell, 1);
    for (int32_t dz = -reach; dz <= reach; dz++) {
        for (int32_t dx = -reach; dx <= reach; dx++) {
            const int32_t at_x = wrap_index(ground, x + dx), at_z = wrap_index(ground, z + dz);
            if (at_x < 0 || at_z < 0 || at_x >= (int32_t)ground->side ||
                at_z >= (int32_t)ground->side) {
                continue;
            }
            const uint32_t other = acre_ground_morton((uint32_t)at_x, (uint32_t)at_z);
            if (!partition_owns(part, other)) {
                *COLUMN_AT(part->neighbors, acre_partition_owner(part, other)) = 1;
            }
        }
    }
}

// Whether another part's ground touches a cell. Only from such cells one has to look around: on the
// way from any other cell to another part's ground lies one of them.
static bool is_on_border(const acre_partition *part, uint32_t cell)
{
    const partition_ground *const ground = &part->ground;
    const int32_t side = (int32_t)ground->side;
    const int32_t x = (int32_t)acre_ground_unmorton(cell, 0);
    const int32_t z = (int32_t)acre_ground_unmorton(cell, 1);
    for (int32_t i = 0; i < 9; i++) {
        const int32_t at_x = wrap_index(ground, x + i % 3 - 1);
        const int32_t at_z = wrap_index(ground, z + i / 3 - 1);
        if (at_x >= 0 && at_z >= 0 && at_x < side && at_z < side &&
            !partition_owns(part, acre_ground_morton((uint32_t)at_x, (uint32_t)at_z))) {
            return true;
        }
    }
    return false;
}

void acre_partition_find_neighbors(acre_partition *part)
{
    const int32_t reach = reach_of(&part->ground);
    memset(part->neighbors.data, 0, part->part_count);
    for (uint32_t cell = part->cut.data[part->part]; cell < part->cut.data[part->part + 1];
         cell++) {
        if (is_on_border(part, cell)) {
            mark_around(part, cell, reach);
        }
    }
    ACRE_INVARIANT(part->neighbors.data[part->part] == 0);
}

// ---- recuts ----

acre_result acre_partition_measure(acre_partition *part, const uint32_t *weights, uint64_t *load)
{
    if (!part || !load) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *load = 0;
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t first = part->cut.data[part->part], end = part->cut.data[part->part + 1];
    if (!COLUMN_RESERVE(&part->allocator, part->loads, (size_t)(end - first) + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memset(part->loads.data, 0, (end - first) * sizeof *part->loads.data);
    part->load = 0;
    for (size_t slot = 0; slot < part->slots && first < end; slot++) {
        if (part->kinds.data[slot] == ACRE_SLOT_OWN) {
            // An item that left the ground since the exchange counts in the first or last cell.
            uint32_t cell = acre_ground_cell(&part->ground, &part->boxes.data[slot]);
            cell = cell < first ? first : cell >= end ? end - 1 : cell;
            ACRE_INVARIANT(first <= cell && cell < end);
            const uint32_t weight = weights ? weights[slot] : 1;
            *COLUMN_AT(part->loads, cell - first) += weight;
            part->load += weight;
        }
    }
    part->has_loads = true;
    *load = part->load;
    return ACRE_OK;
}

static uint64_t load_between(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

// The cell that a border is moved in front of. The new place lies within a cell; the border goes to
// that end of the cell which is nearer to its target, so that a cell with more load than may move
// at a time stops no border. Where both ends are as near, a falling border goes to the lower one.
// `before` is the load of all parts before this one.
static uint32_t cell_at(const acre_partition *part, uint64_t before, uint64_t place,
                        uint64_t target, bool is_falling)
{
    const uint32_t first = part->cut.data[part->part], end = part->cut.data[part->part + 1];
    uint64_t high = before, low = before;
    uint32_t cell = first;
    for (; cell < end && high < place; cell++) {
        low = high;
        high += *COLUMN_AT(part->loads, cell - first);
    }
    if (high == place || cell == first) {
        return cell;
    }
    const uint64_t to_low = load_between(low, target), to_high = load_between(high, target);
    return to_low < to_high || (to_low == to_high && is_falling) ? cell - 1 : cell;
}

// The new place of a border in the sum of loads: toward its target, by `most` at most.
static uint64_t place_of_border(uint64_t old, uint64_t target, uint64_t most)
{
    const uint64_t low = old > most ? old - most : 0;
    return target < low ? low : target > old + most ? old + most : target;
}

acre_result acre_partition_propose(const acre_partition *part, const uint64_t *loads,
                                   const acre_recut_def *def, uint32_t *firsts, bool *is_needed)
{
    if (!part || !loads || !firsts || !is_needed || !part->has_loads ||
        loads[part->part] != part->load) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t tolerance = def && def->tolerance ? def->tolerance : 10;
    const uint32_t most_moved = def && def->most_moved ? def->most_moved : 25;
    const uint32_t count = part->part_count;
    uint64_t total = 0, largest = 0, before = 0;
    for (uint32_t i = 0; i < count; i++) {
        before += i < part->part ? loads[i] : 0;
        largest = loads[i] > largest ? loads[i] : largest;
        total += loads[i];
    }
    const double mean = (double)total / count;
    *is_needed = (double)largest > mean * (1.0 + 0.01 * tolerance) && total > 0;
    const uint64_t most = (uint64_t)(mean * 0.01 * most_moved) + 1;
    memset(firsts, 0, count * sizeof *firsts);
    uint64_t old = 0; // of the border below part i
    for (uint32_t i = 1; i < count; i++) {
        old += loads[i - 1];
        const uint64_t target = (uint64_t)(mean * i);
        const uint64_t place = place_of_border(old, target, most);
        // A place at the very end of a part's load is that part's.
        if (place > before && place <= before + part->load) {
            firsts[i] = cell_at(part, before, place, target, target < old);
            ACRE_INVARIANT(part->cut.data[part->part] <= firsts[i] &&
                           firsts[i] <= part->cut.data[part->part + 1]);
        }
    }
    return ACRE_OK;
}

acre_result acre_partition_set_cut(acre_partition *part, const uint32_t *firsts)
{
    if (!part || !firsts || firsts[0] != 0) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (part->phase != PHASE_REST) {
        return ACRE_ERROR_BUSY;
    }
    const uint32_t cells = *COLUMN_AT(part->cut, part->part_count);
    for (uint32_t i = 1; i < part->part_count; i++) {
        if (firsts[i] > cells) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    // Where two borders stand in one cell, the lower one may have gone up and the upper one down.
    for (uint32_t i = 1; i < part->part_count; i++) {
        const uint32_t below = part->cut.data[i - 1];
        part->cut.data[i] = firsts[i] > below ? firsts[i] : below;
    }
    part->has_loads = false;
    part->has_new_cut = true;
    acre_partition_find_neighbors(part);
    return ACRE_OK;
}

const uint32_t *acre_partition_get_cut(const acre_partition *part)
{
    return part ? part->cut.data : NULL;
}

// ---- all parts in one process ----

static acre_result propose_all(acre_partition *const *parts, uint32_t count,
                               const acre_recut_def *def, uint64_t *loads, uint32_t *firsts,
                               bool *is_cut)
{
    acre_result result = ACRE_OK;
    uint32_t *const proposal = firsts + count;
    memset(firsts, 0, count * sizeof *firsts);
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        result = acre_partition_measure(parts[i], NULL, &loads[i]);
    }
    for (uint32_t i = 0; i < count && result == ACRE_OK; i++) {
        result = acre_partition_propose(parts[i], loads, def, proposal, is_cut);
        for (uint32_t k = 0; k < count && result == ACRE_OK; k++) {
            firsts[k] = proposal[k] > firsts[k] ? proposal[k] : firsts[k];
        }
    }
    for (uint32_t i = 0; i < count && result == ACRE_OK && *is_cut; i++) {
        result = acre_partition_set_cut(parts[i], firsts);
    }
    return result;
}

acre_result acre_partition_recut(acre_partition *const *parts, uint32_t count,
                                 const acre_recut_def *def, bool *is_cut)
{
    bool own_is_cut = false;
    bool *const is_needed = is_cut ? is_cut : &own_is_cut;
    *is_needed = false;
    if (!parts || count == 0 || !parts[0] || parts[0]->part_count != count) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator *const allocator = &parts[0]->allocator;
    COLUMN_OF(uint64_t) loads = {{NULL, 0}};
    COLUMN_OF(uint32_t) firsts = {{NULL, 0}};
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    if (COLUMN_RESERVE(allocator, loads, count) &&
        COLUMN_RESERVE(allocator, firsts, 2 * (size_t)count)) {
        result = propose_all(parts, count, def, loads.data, firsts.data, is_needed);
    }
    COLUMN_FREE(allocator, loads);
    COLUMN_FREE(allocator, firsts);
    return result;
}
