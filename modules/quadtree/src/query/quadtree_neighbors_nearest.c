// SPDX-License-Identifier: MIT
// quadtree_neighbors_nearest.c - the nearest of many rows; each row tells the next how far to look.
//
//     1. A row in the place of the row before has the same hits. They include the row's own item,
//        which is left out last.
//     2. Rows that are near each other share a list of groups, as far as the guess reaches. A row
//        measures the items within a narrower guess, then within all of the list. If there are too
//        few, a wider list is made for it and the rows behind it.
//     3. Where the list is too long, many boxes overlap each other, or the rows' box is large. Then
//        rows share candidates: a pass over the groups finds witnesses, items that are near to all
//        rows, and keeps what may be nearer to a row than they are.
//     4. A row that is left has a query of its own.
//
// Guesses change what is looked at, never what is found.
#include "float_bits.h"
#include "quadtree_neighboring.h"

#include <math.h>
#include <string.h>

enum {
    GUESSED_ROWS = 16, // a guess is a mean of about so many rows
    NEAR_SPREADS = 3,  // most rows find their hits within the mean and so many deviations
    LIST_SPREADS = 6,  // nearly all rows of a list do within so many
    LISTS_OF_ROWS = 3  // a row that needs a wider one than so many has a query of its own
};

// ---- guesses ----

static void learn_distance(neighbor_search *search, float square)
{
    nearest_guess *const guess = &search->guess;
    if (!guess->is_known) {
        guess->mean = guess->spread = square;
        guess->is_known = true;
    }
    const float away = square - guess->mean;
    guess->mean += away * (1.0f / GUESSED_ROWS);
    guess->spread += (fabsf(away) - guess->spread) * (1.0f / GUESSED_ROWS);
}

// Remembers how far the hits of a row were. wanted: as many as there are in reach, if there are
// enough.
static void learn_hits(neighbor_search *search, const taken_row *row, size_t wanted)
{
    nearest_guess *const guess = &search->guess;
    const bool is_enough = search->hit_count >= wanted;
    const float farthest = is_enough ? search->hits[wanted - 1].distance : 0.0f;
    const float square = is_enough ? farthest * farthest : row->round.touch;
    // The row's own item is as near, and a neighbor of other rows.
    const uint32_t item =
        search->hits_are_shared ? NONE : item_of_location(search->tree, row->place.own);
    const bool has_own =
        item != NONE && (!search->layers || (search->tree->layers[item] & search->layers));
    guess->count = is_enough ? wanted + has_own : 0;
    guess->farthest = farthest;
    memcpy(guess->center, row->place.sphere.center, sizeof guess->center);
    if (square <= FLT_MAX) {
        learn_distance(search, square);
    } else {
        guess->is_known = false;
    }
}

// The most that the hits of a row at a center can be away, by those of the row before; INFINITY:
// unknown.
static float nearest_limit(const neighbor_search *search, const float *center, size_t wanted)
{
    const nearest_guess *const guess = &search->guess;
    if (guess->count < wanted) {
        return INFINITY;
    }
    double squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double moved = (double)center[axis] - (double)guess->center[axis];
        squared += moved * moved;
    }
    // More than what floats lose in distances.
    const double limit = ((double)guess->farthest + sqrt(squared)) * (1.0 + 0x1p-18) + 0x1p-60;
    return limit < (double)FLT_MAX ? (float)limit : INFINITY;
}

// ---- hits ----

// Whether a row finds what the row before found.
static bool has_shared_hits(const neighbor_search *search, const taken_row *row)
{
    const float *const here = row->place.sphere.center, *const before = search->guess.center;
    return search->hits_are_shared && here[0] == before[0] && here[1] == before[1] &&
           here[2] == before[2] && row->round.touch == search->shared_touch;
}

// Writes how far the hits are that are added next, as far as there is room.
static void write_hit_distances(const neighbor_search *search, uint32_t own)
{
    const acre_neighbor_lists *const lists = search->lists;
    const size_t room = room_in_lists(lists), nearest = search->query->nearest;
    const size_t most = room < nearest ? room : nearest;
    size_t count = 0;
    for (uint32_t i = 0; i < search->hit_count && count < most; i++) {
        lists->distances[lists->total + count] = search->hits[i].distance;
        count += search->hits[i].item != own;
    }
}

// Adds the hits of the search, but for the row's own item.
static void add_hits(neighbor_search *search, const taken_row *row)
{
    const uint32_t own = item_of_location(search->tree, row->place.own);
    const uint32_t nearest = search->query->nearest;
    uint32_t count = 0;
    ACRE_INVARIANT(search->hit_count <= nearest + 1);
    for (uint32_t i = 0; i < search->hit_count; i++) {
        search->measured[count] = search->hits[i].item;
        count += search->hits[i].item != own;
    }
    begin_row(search->lists, row->row);
    if (search->lists->distances) {
        write_hit_distances(search, own);
    }
    add_neighbors(search->lists, row->row, search->measured, count < nearest ? count : nearest);
}

// A query of its own, which begins with what the row before says.
static void find_nearest_alone(neighbor_search *search, const taken_row *row)
{
    const acre_sphere *const sphere = &row->place.sphere;
    const float *const center = sphere->center;
    const acre_circle circle = {{center[0], center[2]}, sphere->radius};
    const bool is_flat = is_on_ground(search);
    const acre_aabb origin = origin_of_row(search, row);
    const size_t wanted = (size_t)search->query->nearest + 1;
    const float limit = nearest_limit(search, center, wanted);
    acre_query query = {.shape = is_flat ? ACRE_QUERY_SHAPE_CIRCLE : ACRE_QUERY_SHAPE_SPHERE,
                        .sphere = sphere,
                        .circle = &circle,
                        .layers = search->layers,
                        .origin = &origin,
                        .max_distance = limit <= FLT_MAX ? limit : 0.0f};
    if (!float_is_finite(sphere->radius)) {
        query.shape = ACRE_QUERY_SHAPE_ALL;
    }
    size_t count = 0;
    acre_find_nearest(search->tree, &query, search->hits, wanted, &count);
    search->hit_count = (uint32_t)count;
    search->hits_are_shared = true;
    search->shared_touch = row->round.touch;
    learn_hits(search, row, wanted);
    add_hits(search, row);
}

// Sorts the nearest of the measured items into the hits.
static void take_measured(neighbor_search *search, uint32_t found, uint32_t wanted)
{
    if (found <= MOST_RANKED) {
        search->kernel->rank_near(search->measured, search->squares, found, search->hits);
    } else {
        for (uint32_t i = 0; i < found; i++) {
            search->hits[i] =
                (acre_query_hit){search->measured[i], sqrtf(float_of_bits(search->squares[i]))};
        }
        acre_keep_nearest(search->hits, found, wanted);
    }
    search->hit_count = found < wanted ? found : wanted;
}

// Finds the nearest of a row within a squared distance, of which the list has all. Returns false if
// there are too few of them.
static bool find_hits_within(neighbor_search *search, const taken_row *row, uint32_t wanted,
                             uint32_t own, float touch)
{
    shape_round round = row->round;
    const bool is_whole = round.touch <= touch;
    round.touch = is_whole ? round.touch : touch;
    const uint32_t found =
        search->kernel->measure_near(&search->task, &round, own, search->measured, search->squares);
    if (found < wanted && !is_whole) {
        return false;
    }
    take_measured(search, found, wanted);
    // What is a little farther than the limit may have the same distance and a smaller number.
    const float farthest = found < wanted ? 0.0f : search->hits[wanted - 1].distance;
    return is_whole || beyond_root(farthest * farthest) <= touch;
}

// Searches for a row's nearest in the list. reach: how far it goes. is_shared: the hits include the
// row's own item, since the next row is in the same place or the list has candidates.
static bool find_nearest_in_list(neighbor_search *search, const taken_row *row, float reach,
                                 bool is_shared)
{
    const nearest_guess *const guess = &search->guess;
    const uint32_t wanted = search->query->nearest + is_shared;
    const uint32_t own = is_shared ? ABSENT : row->place.own;
    const float near = guess->mean + NEAR_SPREADS * guess->spread;
    const float touch = shape_round_of(row->place.sphere.center, reach).touch;
    if (!(near < touch && find_hits_within(search, row, wanted, own, near)) &&
        !find_hits_within(search, row, wanted, own, touch)) {
        return false;
    }
    search->hits_are_shared = is_shared;
    search->shared_touch = row->round.touch;
    learn_hits(search, row, wanted);
    add_hits(search, row);
    return true;
}

// ---- candidates ----

static uint32_t slots_in_layers(const neighbor_search *search, uint32_t word)
{
    const acre_quadtree *const tree = search->tree;
    const uint32_t *const ids = group_ids(tree, group_number(word));
    uint32_t slots = present_slots(group_count(word));
    for (uint32_t slot = 0; search->layers && slot < group_count(word); slot++) {
        slots &= ~((uint32_t) !(tree->layers[ids[slot]] & search->layers) << slot);
    }
    return slots;
}

// Takes the `wanted` nearest witnesses for what is near.
static void choose_witnesses(neighbor_search *search)
{
    near_candidates *const all = &search->candidates;
    const uint32_t wanted = search->query->nearest + 1;
    acre_query_hit lanes[WITNESS_LANES];
    ACRE_INVARIANT(wanted <= WITNESS_LANES);
    for (uint32_t i = 0; i < WITNESS_LANES; i++) {
        lanes[i] = (acre_query_hit){all->witness_ids[i], all->witness[i]};
    }
    acre_keep_nearest(lanes, WITNESS_LANES, wanted);
    if (lanes[wanted - 1].distance <= all->near && lanes[wanted - 1].distance < INFINITY) {
        all->near = lanes[wanted - 1].distance;
        all->touch = beyond_root(all->near);
        all->last_id = 0;
        for (uint32_t i = 0; i < wanted; i++) {
            all->last_id = lanes[i].item > all->last_id ? lanes[i].item : all->last_id;
        }
    }
}

static void begin_candidates(near_candidates *all)
{
    all->count = 0;
    all->step = WITNESS_LANES / GROUP_SLOTS;
    for (uint32_t i = 0; i < WITNESS_LANES; i++) {
        all->witness[i] = INFINITY;
        all->witness_ids[i] = NONE;
    }
}

// Puts the candidates into the task as its groups. Their bounds are endless: each is measured.
static void collect_candidates(neighbor_search *search)
{
    neighbor_task *const task = &search->task;
    near_candidates *const all = &search->candidates;
    const uint32_t count = (all->count + GROUP_SLOTS - 1) / GROUP_SLOTS;
    task->groups = all->groups;
    task->ids = all->ids;
    for (task->count = 0; task->count < count; task->count++) {
        const uint32_t at = task->count, rest = all->count - at * GROUP_SLOTS;
        task->words[at] = group_word(at, rest < GROUP_SLOTS ? rest : GROUP_SLOTS);
        task->slots[at] = present_slots(rest);
        for (int row = 0; row < ROW_COUNT; row++) {
            task->bounds[at / GROUP_SLOTS].row[row][at % GROUP_SLOTS] =
                row % 2 ? INFINITY : -INFINITY;
        }
    }
}

static void list_tree(neighbor_search *search)
{
    search->task.groups = search->tree->boxes->groups;
    search->task.ids = search->tree->ids->id;
}

// Drops the candidates that what is near now rules out. The `wanted` witnesses stay.
static void sift_candidates(neighbor_search *search)
{
    near_candidates *const all = &search->candidates;
    choose_witnesses(search);
    collect_candidates(search);
    begin_candidates(all); // each stands in one lane, or it would be a witness twice
    const uint32_t looked = search->kernel->sift_groups(
        &search->task, search->task.words, search->task.slots, search->task.count, all);
    ACRE_INVARIANT(looked == search->task.count); // none is added, so there is room
    (void)looked;
    list_tree(search);
}

// Returns false if there are too many candidates to be worth sharing.
static bool sift_near_groups(neighbor_search *search, const uint32_t *words, uint32_t count)
{
    near_candidates *const all = &search->candidates;
    uint32_t slots[MOST_NEAR_GROUPS];
    for (uint32_t at = 0; at < count;) {
        const uint32_t step = all->step < count - at ? all->step : count - at;
        for (uint32_t i = 0; i < step; i++) {
            slots[i] = slots_in_layers(search, words[at + i]);
        }
        const uint32_t looked =
            search->kernel->sift_groups(&search->task, words + at, slots, step, all);
        at += looked;
        if (looked < step) {
            sift_candidates(search);
            // The task's words are those of the candidates now. Where `words` are the task's, what
            // is still to be read lies behind: candidates fill no more groups than they come from.
            ACRE_INVARIANT(words != search->task.words || search->task.count <= at);
            if (all->count > MOST_NEAR_ITEMS / 2) {
                return false;
            }
        } else if (step == all->step) {
            choose_witnesses(search);
            all->step = step * 4 < MOST_NEAR_GROUPS ? step * 4 : MOST_NEAR_GROUPS;
        }
    }
    return true;
}

static row_box box_of_centers(const neighbor_search *search, uint32_t first, uint32_t end)
{
    row_box box = rows_empty();
    for (uint32_t i = first; i < end; i++) {
        const float *const center = search->taken[i].place.sphere.center;
        const row_box point = {{center[0], center[0], center[1], center[1], center[2], center[2]}};
        rows_merge(&box, &point);
    }
    return box;
}

// Whether rows are about as close to each other as the items of the listed groups. Else fewer rows
// have fewer groups near them.
static bool are_close(const neighbor_search *search, const row_box *rows, float reach)
{
    const neighbor_task *const task = &search->task;
    float widths = 0.0f;
    for (uint32_t i = 0; i < task->count; i++) {
        const item_group *const bounds = &task->bounds[i / GROUP_SLOTS];
        const uint32_t lane = i % GROUP_SLOTS;
        widths += bounds->row[ROW_X_MAX][lane] - bounds->row[ROW_X_MIN][lane] +
                  bounds->row[ROW_Z_MAX][lane] - bounds->row[ROW_Z_MIN][lane];
    }
    const float width =
        rows->row[ROW_X_MAX] - rows->row[ROW_X_MIN] + rows->row[ROW_Z_MAX] - rows->row[ROW_Z_MIN];
    return width <= 2.0f * (reach + widths / (float)(task->count + 1));
}

// Lists the candidates of rows whose groups were too many to be listed. Returns false if they are
// too many, too.
static bool share_candidates(neighbor_search *search, uint32_t first, uint32_t end, float reach)
{
    near_candidates *const all = &search->candidates;
    all->rows = box_of_centers(search, first, end);
    if (search->query->nearest > MOST_SHARED_NEAREST || !are_close(search, &all->rows, reach)) {
        return false;
    }
    all->near = shape_round_of(search->taken[first].place.sphere.center, reach).touch;
    all->touch = beyond_root(all->near);
    all->last_id = NONE;
    begin_candidates(all);
    if (!sift_near_groups(search, search->task.words, search->task.count)) {
        return false;
    }
    choose_witnesses(search); // they end the walk sooner, and are looked at again
    begin_candidates(all);
    const float widest = sqrtf(all->touch);
    if (!acre_walk_near_rows(search, first, end, widest < reach ? widest : reach,
                             sift_near_groups)) {
        return false;
    }
    sift_candidates(search);
    collect_candidates(search);
    return true;
}

// ---- rows together ----

// How far the list of some rows goes.
static float reach_of_list(const neighbor_search *search, uint32_t first, uint32_t end)
{
    const nearest_guess *const guess = &search->guess;
    const float reach = sqrtf(guess->mean + LIST_SPREADS * guess->spread);
    float limit = 0.0f;
    for (uint32_t i = first; i < end; i++) {
        const float own =
            nearest_limit(search, search->taken[i].place.sphere.center, search->query->nearest);
        limit = own > limit ? own : limit;
    }
    return reach < limit ? reach : limit;
}

static float wider_reach(const neighbor_search *search, const taken_row *row, float reach)
{
    const float limit = nearest_limit(search, row->place.sphere.center, search->query->nearest);
    const float wider = 4.0f * reach;
    return limit > reach && (limit < wider || reach == 0.0f) ? limit : wider;
}

// Lists what is near rows. Returns false if rows had better be searched by fewer.
static bool collect_within(neighbor_search *search, uint32_t first, uint32_t end, float reach)
{
    neighbor_task *const task = &search->task;
    list_tree(search);
    search->lists_candidates = false;
    if (acre_list_groups_near(search, first, end, reach, NEAREST_GROUPS_LISTED)) {
        for (uint32_t i = 0; i < task->count; i++) {
            task->slots[i] = slots_in_layers(search, task->words[i]);
        }
        return true;
    }
    search->lists_candidates = end - first > 1 && share_candidates(search, first, end, reach);
    return search->lists_candidates;
}

static bool are_in_one_place(const taken_row *a, const taken_row *b)
{
    const float *const one = a->place.sphere.center, *const other = b->place.sphere.center;
    return one[0] == other[0] && one[1] == other[1] && one[2] == other[2];
}

// Searches rows by the list until one needs a wider list. Returns that one, or the end.
static uint32_t find_in_list(neighbor_search *search, uint32_t first, uint32_t end, float reach)
{
    for (uint32_t i = first; i < end; i++) {
        const taken_row *const row = &search->taken[i];
        const bool is_shared =
            search->lists_candidates || (i + 1 < end && are_in_one_place(row, row + 1));
        if (has_shared_hits(search, row)) {
            add_hits(search, row);
        } else if (!find_nearest_in_list(search, row, reach, is_shared)) {
            return i;
        }
    }
    return end;
}

// Searches some of the rows from first on together. Returns the row to go on with.
static uint32_t find_some(neighbor_search *search, uint32_t first, uint32_t end)
{
    const taken_row *const row = &search->taken[first];
    float reach = reach_of_list(search, first, end);
    for (uint32_t tries = 0; tries < LISTS_OF_ROWS; tries++) {
        while (!collect_within(search, first, end, reach)) {
            if (end - first == 1) {
                find_nearest_alone(search, row);
                return end;
            }
            end = first + (end - first) / 2;
            search->together = end - first;
        }
        const uint32_t next = find_in_list(search, first, end, reach);
        if (next > first) {
            return next;
        }
        reach = wider_reach(search, row, reach);
    }
    find_nearest_alone(search, row);
    return first + 1;
}

void acre_find_nearest_of_rows(neighbor_search *search, uint32_t count)
{
    for (uint32_t at = 0; at < count;) {
        const taken_row *const row = &search->taken[at];
        const uint32_t left = count - at;
        if (has_shared_hits(search, row)) {
            add_hits(search, row);
            at++;
        } else if (!search->guess.is_known) {
            find_nearest_alone(search, row);
            at++;
        } else {
            at = find_some(search, at, at + (search->together < left ? search->together : left));
        }
    }
    // What was too many here may be right where the next rows are.
    search->together = search->together < ROWS_TOGETHER / 2 ? search->together * 2 : ROWS_TOGETHER;
}
