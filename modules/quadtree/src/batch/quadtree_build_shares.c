// SPDX-License-Identifier: MIT
// quadtree_build_shares.c - a build on several workers: items collected, sorted and planned.
//
//     1. Workers make the entries of ranges of rows and quads, at their places.
//     2. Workers count the entries of each cell in ranges of all entries, and then move each range
//     to
//        its places: the counting sort of one thread, in the same order.
//     3. The caller's thread plans the cells above those that the sort has separated. Workers sort
//        and plan what is below them; their bands are put together in the order of one walk.
//
// Nothing here changes the tree but the marks of the rows' items.
#include "quadtree_build.h"

#include "tasks_internal.h"

#include <string.h>

enum {
    ROWS_A_CLAIM = 4096, // whole groups
    FEW_ROWS_A_CLAIM = 2 * GROUP_SLOTS,
    QUADS_A_CLAIM = 64,
    MOST_SORT_RANGES = 16 // each has a table of up to 28 KB
};

// ---- entries ----

// What one share learns of the items that it collects.
typedef struct collect_share {
    _Alignas(SHARE_ALIGNMENT) float lowest[GROUP_SLOTS];
    float highest[GROUP_SLOTS];
    uint32_t limit;
    bool has_bad;  // a row that would be refused, whatever the others are
    bool has_rest; // an item that the root does not hold
} collect_share;
ASSERT_OWN_LINES(collect_share);

typedef struct collect_call {
    block_claim claim;
    size_t claimed; // rows or quads of a block
    const bulk_build *build;
    const uint32_t *items; // of rows
    size_t count;
    const uint32_t *begins; // of quads: where the entries of each claim begin
    collect_share shares[ACRE_TASKS_MAX_WORKERS];
} collect_call;

static void end_share(collect_call *call, uint32_t share, const bulk_build *own, bool has_bad)
{
    const cell *const root = &call->build->root;
    collect_share *const out = &call->shares[share];
    memcpy(out->lowest, own->lowest, sizeof out->lowest);
    memcpy(out->highest, own->highest, sizeof out->highest);
    out->limit = own->limit;
    out->has_bad = has_bad;
    out->has_rest = own->root.level != root->level;
}

// The root grows by the items in their order.
static void grow_root(bulk_build *build, size_t begin)
{
    for (size_t i = begin; i < build->count; i++) {
        const bulk_entry *const entry = &build->entries[i];
        const placement place = {(int32_t)(uint32_t)entry->key,
                                 (int32_t)(uint32_t)(entry->key >> 32), entry->level, false};
        if (entry->level != LEVEL_MASK && !cell_holds(&build->root, place.x, place.z)) {
            build->root = acre_grown_root(build->root, &place);
        }
    }
}

static void join_collected(bulk_build *build, const collect_call *call, size_t begin)
{
    bool has_rest = false;
    for (uint32_t share = 0; share < build->shares; share++) {
        const collect_share *const own = &call->shares[share];
        for (uint32_t i = 0; i < GROUP_SLOTS; i++) {
            build->lowest[i] =
                own->lowest[i] < build->lowest[i] ? own->lowest[i] : build->lowest[i];
            build->highest[i] =
                own->highest[i] > build->highest[i] ? own->highest[i] : build->highest[i];
        }
        build->limit = own->limit > build->limit ? own->limit : build->limit;
        has_rest |= own->has_rest;
    }
    if (has_rest) {
        grow_root(build, begin);
    }
}

static void collect_some_quads(void *context, uint32_t share)
{
    collect_call *const call = context;
    bulk_build own = *call->build;
    const uint32_t quads = own.tree->quad_count, most = (uint32_t)call->claimed;
    for (uint32_t claimed; claim_block(&call->claim, &claimed);) {
        const uint32_t first = claimed * most, rest = quads - first;
        own.count = call->begins[claimed];
        acre_build_collect_quads(&own, first, first + (rest < most ? rest : most));
        ACRE_INVARIANT(own.count == call->begins[claimed + 1]);
    }
    end_share(call, share, &own, false);
}

// How many items the quads of each claim have, added up.
static void list_begins(const acre_quadtree *tree, uint32_t claimed, uint32_t *begins,
                        uint32_t claims)
{
    uint32_t sum = 0;
    for (uint32_t q = 0; q < tree->quad_count; q++) {
        const quad_cold *const cold = &tree->cold[q];
        if (q % claimed == 0) {
            begins[q / claimed] = sum;
        }
        for (uint32_t slot = 0; cold->level != NONE && slot < 4; slot++) {
            sum += cold->count[slot];
        }
    }
    begins[claims] = sum;
}

bool acre_build_collect_tree_in_shares(bulk_build *build)
{
    acre_quadtree *const tree = build->tree;
    const uint32_t claimed = block_size_for(&tree->tasks, QUADS_A_CLAIM, 1);
    const uint32_t claims = (tree->quad_count + claimed - 1) / claimed;
    const size_t bytes = (claims + (size_t)1) * sizeof(uint32_t);
    uint32_t *const begins = acre_resize(&tree->allocator, NULL, 0, bytes, _Alignof(uint32_t));
    if (!begins) {
        return false;
    }
    list_begins(tree, claimed, begins, claims);
    collect_call call; // not zeroed: shares write what is read
    call.claim.next = 0;
    call.claim.count = claims;
    call.claimed = claimed;
    call.build = build;
    call.begins = begins;
    acre_run_shares(&tree->tasks, "acre collect", build->shares, collect_some_quads, &call);
    build->count = begins[claims];
    join_collected(build, &call, 0);
    acre_resize(&tree->allocator, begins, bytes, 0, _Alignof(uint32_t));
    return true;
}

// Adds entries for up to GROUP_SLOTS rows. False: one of them would be refused.
static bool collect_row_group(bulk_build *own, const uint32_t *items, size_t first, uint32_t rows)
{
    item_group group;
    group_places places;
    place_rows(own, first, rows, &group, &places);
    acre_build_note_group(own, &group, rows, (uint32_t)first, false);
    for (uint32_t slot = 0; slot < rows; slot++) {
        const uint32_t item = items[first + slot];
        if (item >= own->tree->def.item_capacity) {
            return false;
        }
        if (places.level[slot] & LEVEL_UNSURE) {
            const row_box box = group_rows(&group, slot);
            if (!rows_are_valid(&box)) {
                return false;
            }
        }
        own->limit = item < own->limit ? own->limit : item + 1;
        add_entry(own, item, &group, &places, slot, (uint32_t)(first + slot), false);
    }
    return true;
}

static void collect_some_rows(void *context, uint32_t share)
{
    collect_call *const call = context;
    bulk_build own = *call->build;
    const size_t before = own.count;
    bool is_good = true;
    for (uint32_t claimed; claim_block(&call->claim, &claimed) && is_good;) {
        const size_t begin = (size_t)claimed * call->claimed, rest = call->count - begin;
        const size_t end = begin + (rest < call->claimed ? rest : call->claimed);
        own.count = before + begin;
        for (size_t first = begin; first < end && is_good; first += GROUP_SLOTS) {
            const size_t rows = end - first < GROUP_SLOTS ? end - first : GROUP_SLOTS;
            is_good = collect_row_group(&own, call->items, first, (uint32_t)rows);
        }
    }
    end_share(call, share, &own, !is_good);
}

// Marks the items of all rows. False: an item is in the tree or in two rows, or there is no memory;
// then none is marked.
static bool mark_items(acre_quadtree *tree, const uint32_t *items, size_t count, uint32_t limit)
{
    if (limit > tree->location_count && !acre_ensure_locations(tree, limit)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (tree->locations[items[i]] != ABSENT) {
            while (i-- > 0) {
                tree->locations[items[i]] = ABSENT;
            }
            return false;
        }
        tree->locations[items[i]] = TAKEN;
    }
    return true;
}

bool acre_build_collect_rows_in_shares(bulk_build *build, const uint32_t *items, size_t count)
{
    acre_quadtree *const tree = build->tree;
    const size_t before = build->count;
    if (count == 0 || count > build->capacity - before) {
        return false; // some would be refused
    }
    collect_call call; // not zeroed: shares write what is read
    call.claimed = block_size_for(&tree->tasks, ROWS_A_CLAIM, FEW_ROWS_A_CLAIM);
    call.claim.next = 0;
    call.claim.count = (uint32_t)((count + call.claimed - 1) / call.claimed);
    call.build = build;
    call.items = items;
    call.count = count;
    acre_run_shares(&tree->tasks, "acre collect", build->shares, collect_some_rows, &call);
    uint32_t limit = 0;
    for (uint32_t share = 0; share < build->shares; share++) {
        if (call.shares[share].has_bad) {
            return false;
        }
        limit = call.shares[share].limit > limit ? call.shares[share].limit : limit;
    }
    if (!mark_items(tree, items, count, limit)) {
        return false;
    }
    build->count = before + count;
    join_collected(build, &call, before);
    return true;
}

// ---- the sort ----

typedef struct sort_call {
    block_claim claim; // a block is a range of entries
    const bulk_build *build;
    uint32_t sorted, levels;
    size_t classes;
    uint32_t *places; // a table of classes for each range
    bool moves;
} sort_call;

static void sort_some(void *context, uint32_t share)
{
    (void)share;
    sort_call *const call = context;
    const bulk_build *const build = call->build;
    const bulk_entry *const from = build->entries;
    bulk_entry *const to = build->scratch;
    for (uint32_t i; claim_block(&call->claim, &i);) {
        const size_t begin = block_begin(build->count, i, call->claim.count);
        const size_t end = block_begin(build->count, i + 1, call->claim.count);
        uint32_t *const place = call->places + i * call->classes;
        if (!call->moves) {
            memset(place, 0, call->classes * sizeof *place);
            acre_build_make_keys(build, begin, end);
        }
        for (size_t at = begin; at < end; at++) {
            uint32_t *const here = &place[sort_class(from[at].key, call->sorted, call->levels)];
            if (call->moves) {
                to[*here] = from[at];
            }
            ++*here;
        }
    }
}

// Turns counts into places: of a cell the largest entries first, of a class those of each range.
static void place_classes(const sort_call *call)
{
    const uint32_t cells = 1u << 2 * call->levels;
    uint32_t sum = 0;
    for (uint32_t at = 0; at < cells; at++) {
        for (uint32_t above = call->levels + 2; above-- > 0;) {
            for (uint32_t range = 0; range < call->claim.count; range++) {
                uint32_t *const here = &call->places[range * call->classes + above * cells + at];
                const uint32_t begin = sum;
                sum += *here;
                *here = begin;
            }
        }
    }
    ACRE_INVARIANT(sum == call->build->count);
}

bool acre_build_sort_in_shares(bulk_build *build, uint32_t sorted)
{
    acre_quadtree *const tree = build->tree;
    const uint32_t ranges =
        2 * build->shares < MOST_SORT_RANGES ? 2 * build->shares : (uint32_t)MOST_SORT_RANGES;
    sort_call call = {.claim.count = ranges,
                      .build = build,
                      .sorted = sorted,
                      .levels = build->root.level - sorted};
    ACRE_INVARIANT(call.levels <= SORT_LEVELS && build->count <= UINT32_MAX);
    // Each range's table has cache lines of its own.
    const size_t line = SHARE_ALIGNMENT / sizeof *call.places;
    call.classes = (((size_t)(call.levels + 2) << 2 * call.levels) + line - 1) / line * line;
    const size_t bytes = ranges * call.classes * sizeof *call.places;
    call.places = acre_resize(&tree->allocator, NULL, 0, bytes, SHARE_ALIGNMENT);
    if (!call.places) {
        return false;
    }
    const uint32_t shares = build->shares < ranges ? build->shares : ranges;
    acre_run_shares(&tree->tasks, "acre sort", shares, sort_some, &call);
    place_classes(&call);
    call.moves = true;
    call.claim.next = 0;
    acre_run_shares(&tree->tasks, "acre sort", shares, sort_some, &call);
    acre_resize(&tree->allocator, call.places, bytes, 0, SHARE_ALIGNMENT);
    return true;
}

// ---- the plan ----

typedef struct plan_call {
    block_claim claim; // a block is a job
    const bulk_build *build;
    plan_job *jobs;
} plan_call;

// Plans with the room for bands that own has.
static void run_job(bulk_build *own, plan_job *job)
{
    own->met = 0;
    own->bands_count = 0;
    own->has_no_memory = false;
    job->quads = acre_build_plan_below(own, &job->part, NULL);
    job->met = own->met;
    job->bands_count = own->bands_count;
    job->is_short = own->has_no_memory;
}

static void plan_some(void *context, uint32_t share)
{
    (void)share;
    plan_call *const call = context;
    bulk_build own = *call->build;
    own.has_few_bands = true;
    own.bands_capacity = JOB_BANDS;
    for (uint32_t i; claim_block(&call->claim, &i);) {
        own.bands = call->jobs[i].bands;
        run_job(&own, &call->jobs[i]);
    }
}

// Adds bands[first .. end - 1] with the numbers that one walk gives their cells.
static void add_numbered(bulk_build *build, const bulk_bands *bands, size_t first, size_t end,
                         uint32_t before)
{
    ACRE_INVARIANT(first <= end);
    for (size_t i = first; i < end; i++) {
        bulk_bands numbered = bands[i];
        numbered.number += before;
        (void)acre_build_add_bands(build, &numbered); // build->has_no_memory tells
    }
}

// Adds the bands of a job. One that was short of room is done once more: what it has sorted stays
// as it is, as all sorts are stable.
static void add_bands_of_job(bulk_build *build, plan_job *job, uint32_t before)
{
    if (!job->is_short) {
        add_numbered(build, job->bands, 0, job->bands_count, before);
        return;
    }
    bulk_build own = *build;
    own.bands = NULL;
    own.bands_capacity = 0;
    run_job(&own, job);
    build->has_no_memory |= job->is_short;
    add_numbered(build, own.bands, 0, job->bands_count, before);
    if (own.bands) {
        acre_resize(&build->tree->allocator, own.bands, own.bands_capacity * sizeof *own.bands, 0,
                    _Alignof(bulk_bands));
    }
}

// Puts the bands of jobs among those that the caller's walk has made. Returns the quads of jobs.
static uint32_t join_jobs(bulk_build *build, const plan_jobs *jobs)
{
    bulk_bands *const top = build->bands;
    const size_t top_count = build->bands_count, top_capacity = build->bands_capacity;
    size_t added = 0;
    uint32_t quads = 0, met = 0; // of jobs
    build->bands = NULL;
    build->bands_count = build->bands_capacity = 0;
    for (uint32_t i = 0; i < jobs->count; i++) {
        plan_job *const job = &jobs->jobs[i];
        add_numbered(build, top, added, job->bands_before, met);
        added = job->bands_before;
        add_bands_of_job(build, job, job->met_before + met);
        quads += job->quads;
        met += job->met;
    }
    add_numbered(build, top, added, top_count, met);
    build->met += met;
    if (top) {
        acre_resize(&build->tree->allocator, top, top_capacity * sizeof *top, 0,
                    _Alignof(bulk_bands));
    }
    return quads;
}

bool acre_build_plan_in_shares(bulk_build *build, const bulk_part *root, uint32_t *quads)
{
    acre_quadtree *const tree = build->tree;
    const size_t bytes = MOST_JOBS * sizeof(plan_job);
    plan_jobs jobs = {acre_resize(&tree->allocator, NULL, 0, bytes, _Alignof(plan_job)), 0};
    if (!jobs.jobs) {
        return false;
    }
    *quads = acre_build_plan_below(build, root, &jobs);
    if (jobs.count > 0 && !build->has_no_memory) {
        const uint32_t shares = build->shares < jobs.count ? build->shares : jobs.count;
        plan_call call = {.claim.count = jobs.count, .build = build, .jobs = jobs.jobs};
        acre_run_shares(&tree->tasks, "acre plan", shares, plan_some, &call);
        *quads += join_jobs(build, &jobs);
    }
    acre_resize(&tree->allocator, jobs.jobs, bytes, 0, _Alignof(plan_job));
    return true;
}
