// SPDX-License-Identifier: MIT
// quadtree_nearest.c - the nearest items: visits near cells first.
//
// When the hits fill the array, they become a heap with the farthest on top. Nodes and groups that
// are farther than the top are skipped. Those exactly as far are not: they may hold an item with a
// smaller number.
#include "out_internal.h"
#include "quadtree_nearing.h"

#include <math.h>

typedef struct nearest_search {
    query_walk walk; // first, so that a walk leads to its search
    const shape_kernel *kernel;
    acre_query_hit *hits;
    size_t capacity;
    size_t count;
    float limit;          // drops hits farther than this
    acre_query_hit after; // drops this hit and those before it
} nearest_search;
static_assert(offsetof(nearest_search, walk) == 0, "a walk is cast to its search");

static bool is_farther(acre_query_hit a, acre_query_hit b)
{
    return a.distance > b.distance || (!(a.distance < b.distance) && a.item > b.item);
}

// Puts a hit into a heap that has a hole: moves the hole down to where the hit belongs.
static void sift_down(acre_query_hit *hits, size_t count, size_t hole, acre_query_hit hit)
{
    for (size_t child; (child = hole * 2 + 1) < count; hole = child) {
        child += child + 1 < count && is_farther(hits[child + 1], hits[child]);
        if (!is_farther(hits[child], hit)) {
            break;
        }
        hits[hole] = hits[child];
    }
    ACRE_INVARIANT(hole < count);
    hits[hole] = hit;
}

// Makes a heap of hits in any order (Floyd 1964).
static void make_heap(acre_query_hit *hits, size_t count)
{
    for (size_t at = count / 2; at-- > 0;) {
        sift_down(hits, count, at, hits[at]);
    }
}

static void lower_limit(nearest_search *search)
{
    if (search->hits[0].distance < search->limit) {
        search->limit = search->hits[0].distance;
    }
}

// Takes hits that are in the array already.
static void take_hits(nearest_search *search, size_t count)
{
    ACRE_INVARIANT(count <= search->capacity);
    search->count = count;
    if (count == search->capacity) {
        make_heap(search->hits, count);
        lower_limit(search);
    }
}

static void add_hit(nearest_search *search, acre_query_hit hit)
{
    if (search->count < search->capacity) {
        search->hits[search->count] = hit;
        take_hits(search, search->count + 1);
    } else if (search->capacity == 0) {
        search->count++;
    } else if (is_farther(search->hits[0], hit)) {
        sift_down(search->hits, search->count, 0, hit);
        lower_limit(search);
    }
}

// ---- near to far ----

enum { SORT_BUCKETS = 512, SORT_FEW = 24 };

static void sort_heap(acre_query_hit *hits, size_t count)
{
    make_heap(hits, count);
    while (count > 1) {
        const acre_query_hit last = hits[--count];
        hits[count] = hits[0];
        sift_down(hits, count, 0, last);
    }
}

static void sort_few(acre_query_hit *hits, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const acre_query_hit hit = hits[i];
        size_t at = i;
        for (; at > 0 && is_farther(hits[at - 1], hit); at--) {
            hits[at] = hits[at - 1];
        }
        hits[at] = hit;
    }
}

// Buckets of equal width between the nearest hit and the farthest finite one. Hits that are
// infinitely far go to the last bucket.
typedef struct bucket_scale {
    float low;   // distance at which the first bucket begins
    float scale; // buckets for each unit of distance
} bucket_scale;

static bucket_scale scale_of(const acre_query_hit *hits, size_t count)
{
    float low = INFINITY, high = 0.0f;
    for (size_t i = 0; i < count; i++) {
        const float distance = hits[i].distance;
        low = distance < low ? distance : low;
        high = distance > high && distance <= FLT_MAX ? distance : high;
    }
    const float scale = (float)SORT_BUCKETS / (high - low);
    return (bucket_scale){low, high > low && scale <= FLT_MAX ? scale : 0.0f};
}

static uint32_t bucket_of(bucket_scale scale, float distance)
{
    const float bucket = (distance - scale.low) * scale.scale;
    return bucket < (float)(SORT_BUCKETS - 1) ? (uint32_t)bucket
                                              : SORT_BUCKETS - 1; // NaN: the last
}

// Sorts in place: swaps each hit into its bucket (McIlroy, Bostic and McIlroy 1993), then sorts the
// buckets.
void acre_sort_hits(acre_query_hit *hits, size_t count)
{
    if (count <= SORT_BUCKETS) {
        (count <= SORT_FEW ? sort_few : sort_heap)(hits, count);
        return;
    }
    size_t next[SORT_BUCKETS] = {0}, end[SORT_BUCKETS], sum = 0;
    const bucket_scale scale = scale_of(hits, count);
    for (size_t i = 0; i < count; i++) {
        next[bucket_of(scale, hits[i].distance)]++;
    }
    for (uint32_t bucket = 0; bucket < SORT_BUCKETS; bucket++) {
        const size_t here = next[bucket];
        next[bucket] = sum;
        sum += here;
        end[bucket] = sum;
    }
    for (uint32_t bucket = 0; bucket < SORT_BUCKETS; bucket++) {
        while (next[bucket] < end[bucket]) {
            acre_query_hit hit = hits[next[bucket]];
            for (uint32_t home; (home = bucket_of(scale, hit.distance)) != bucket;) {
                const acre_query_hit other = hits[next[home]];
                hits[next[home]++] = hit;
                hit = other;
            }
            hits[next[bucket]++] = hit;
        }
    }
    for (size_t begin = 0, bucket = 0; bucket < SORT_BUCKETS; begin = end[bucket++]) {
        ACRE_INVARIANT(next[bucket] == end[bucket]);
        const size_t here = end[bucket] - begin;
        (here <= SORT_FEW ? sort_few : sort_heap)(hits + begin, here);
    }
}

void acre_keep_nearest(acre_query_hit *hits, size_t count, size_t wanted)
{
    if (count > wanted) {
        make_heap(hits, wanted);
        for (size_t i = wanted; i < count; i++) {
            if (is_farther(hits[0], hits[i])) {
                sift_down(hits, wanted, 0, hits[i]);
            }
        }
    }
    acre_sort_hits(hits, count < wanted ? count : wanted);
}

// ---- groups and nodes ----

// Adds those of a set of items of a group that the filter keeps.
static void take_slots(nearest_search *search, uint32_t word, uint32_t seen, const float *distances)
{
    const query_walk *const walk = &search->walk;
    const acre_quadtree *const tree = walk->tree;
    const uint32_t *const ids = group_ids(tree, group_number(word));
    while (seen) {
        const uint32_t slot = take_lowest(&seen);
        const acre_query_hit hit = {ids[slot], distances[slot]};
        if (hit.distance <= search->limit && is_farther(hit, search->after) &&
            walk_takes_item(walk, hit.item) &&
            (!walk->filter.hull || acre_passes_hull(tree, walk->filter.hull, hit.item))) {
            add_hit(search, hit);
        }
    }
}

static void measure_group(nearest_search *search, uint32_t word, uint32_t mask)
{
    const query_walk *const walk = &search->walk;
    const item_group *const groups = walk->tree->boxes->groups; // of all blocks
    float distances[GROUP_SLOTS];
    search->walk.stats.items_tested += group_count(word);
    const uint32_t seen = search->kernel->measure_items(walk->volume, &groups[group_number(word)],
                                                        mask, group_count(word), distances);
    take_slots(search, word, seen, distances);
}

// Tests the nearest group first: its hits rule out most other groups.
static void measure_groups(nearest_search *search, const nearest_groups *groups)
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < groups->count; i++) {
        nearest = groups->distances[i] < groups->distances[nearest] ? i : nearest;
    }
    for (uint32_t k = 0; k < groups->count; k++) {
        const uint32_t i = k == 0 ? nearest : k == nearest ? 0 : k;
        if (groups->distances[i] <= search->limit) {
            measure_group(search, groups->words[i], groups->masks[i]);
        }
    }
}

static void visit_chain(nearest_search *search, uint32_t node, uint32_t mask)
{
    nearest_groups groups;
    groups.count = 0;
    const acre_quadtree *const tree = search->walk.tree;
    for (chain_walk at = chain_first(tree, node); at.count; at = chain_next(tree, at)) {
        if (groups.count > NEAREST_GROUPS - BLOCK_GROUPS) {
            measure_groups(search, &groups);
            groups.count = 0;
        }
        list_near_groups(&search->walk, &groups, at.block, at.count, mask);
    }
    measure_groups(search, &groups);
}

static void search_nodes(query_walk *walk, uint32_t mask)
{
    nearest_search *const search = (nearest_search *)(void *)walk; // the walk is its first member
    const acre_quadtree *const tree = walk->tree;
    nearest_stack stack;
    stack.count = 0;
    visit_chain(search, OUTLIER_NODE, mask);
    push_near(walk, search->limit, &stack, 0, mask);
    while (stack.count > 0) {
        const uint32_t top = --stack.count, node = stack.nodes[top], node_mask = stack.masks[top];
        if (!(stack.distances[top] <= search->limit)) {
            continue;
        }
        visit_chain(search, node, node_mask);
        if (node_child(tree, node)) {
            push_near(walk, search->limit, &stack, node_child(tree, node), node_mask);
        }
    }
}

// ---- along a ray ----

static float take_touched(ray_cast *cast, uint32_t word, uint32_t found, const float *enters)
{
    nearest_search *const search = cast->receiver;
    take_slots(search, word, found, enters);
    return search->limit < cast->limit ? search->limit : cast->limit;
}

static void search_ray(query_walk *walk, uint32_t mask)
{
    nearest_search *const search = (nearest_search *)(void *)walk; // the walk is its first member
    const float length = walk->volume->slab.length;
    ACRE_INVARIANT(mask & MASK_SLAB);
    ray_cast cast = {.tree = walk->tree,
                     .volume = walk->volume,
                     .items_mask = mask & ~(uint32_t)(MASK_SLAB | MASK_SMALL),
                     .layers = walk->filter.layers,
                     .limit = search->limit < length ? search->limit : length,
                     .take = take_touched,
                     .receiver = search};
    search->kernel->cast_ray(&cast);
    walk->stats.nodes_tested += cast.nodes_tested;
    walk->stats.items_tested += cast.items_tested;
}

bool acre_nearest_is_valid(const acre_query *query)
{
    return acre_volume_is_valid(query, QUERY_FLAGS) && query->max_distance >= 0.0f &&
           (query->origin ? acre_aabb_is_valid(query->origin)
                          : query->shape == ACRE_QUERY_SHAPE_RAY);
}

// Comes before every hit.
static const acre_query_hit before_all = {0, -INFINITY};

// Finds the nearest that come behind a hit. count: as in acre_find_nearest.
static void find_nearest_behind(const acre_quadtree *tree, const acre_query *query,
                                acre_query_hit after, acre_query_hit *hits, size_t capacity,
                                size_t *count)
{
    nearest_search search = {.walk = array_walk(tree, NULL, 0),
                             .kernel = shape_kernel_of(tree),
                             .hits = hits,
                             .capacity = capacity,
                             .count = *count,
                             .limit = query->max_distance > 0.0f ? query->max_distance : INFINITY,
                             .after = after};
    if (capacity > 0) {
        take_hits(&search, *count);
    }
    acre_run_query(&search.walk, query, query->origin ? search_nodes : search_ray);
    if (capacity > 0) {
        acre_sort_hits(hits, search.count);
    }
    *count = search.count;
}

void acre_find_nearest(const acre_quadtree *tree, const acre_query *query, acre_query_hit *hits,
                       size_t capacity, size_t *count)
{
    find_nearest_behind(tree, query, before_all, hits, capacity, count);
}

// ---- one by one ----

enum { FIRST_VISITED = 8, MOST_VISITED = 1024 };

static void visit_hits(const acre_quadtree *tree, const acre_query *query, acre_hit_visitor visit,
                       void *user)
{
    acre_query_hit hits[MOST_VISITED], after = before_all;
    acre_query_stats stats, sum = {0};
    acre_query part = *query;
    part.stats = &stats;
    bool goes_on = true;
    for (size_t capacity = FIRST_VISITED; goes_on;) {
        size_t count = 0;
        find_nearest_behind(tree, &part, after, hits, capacity, &count);
        sum.nodes_tested += stats.nodes_tested;
        sum.items_tested += stats.items_tested;
        sum.items_accepted += stats.items_accepted;
        goes_on = count == capacity; // else these are all
        for (size_t i = 0; i < count; i++) {
            if (!visit(user, &hits[i])) {
                goes_on = false;
                break;
            }
        }
        after = hits[count > 0 ? count - 1 : 0];
        capacity = capacity * 4 < MOST_VISITED ? capacity * 4 : MOST_VISITED;
    }
    if (query->stats) {
        *query->stats = sum;
    }
}

void acre_notify_of_part(const acre_quadtree *tree, const acre_query *query)
{
    acre_query whole = *query;
    whole.max_distance = 0.0f; // which such a query refuses
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY, .query = &whole, .total = SIZE_MAX);
}

acre_result acre_quadtree_query_visit_nearest(const acre_quadtree *tree, const acre_query *query,
                                              acre_hit_visitor visit, void *user)
{
    const acre_result result = start_read(tree, visit && acre_nearest_is_valid(query));
    if (result != ACRE_OK) {
        return result;
    }
    tree_callback callback;
    begin_callback(&callback, tree);
    visit_hits(tree, query, visit, user);
    end_callback(&callback);
    acre_notify_of_part(tree, query);
    access_end_read(&tree->access);
    return ACRE_OK;
}

// ---- all at once ----

// is_from_none: the caller has no hits yet, and the call may be recorded with its hits.
static acre_result find_nearest(const acre_quadtree *tree, const acre_query *query,
                                acre_query_hit *hits, size_t capacity, size_t *count,
                                bool is_from_none)
{
    const acre_result result =
        start_read(tree, count && (*count <= capacity || capacity == 0) &&
                             (capacity == 0 || hits) && acre_nearest_is_valid(query));
    if (result != ACRE_OK) {
        return result;
    }
    acre_find_nearest(tree, query, hits, capacity, count);
    if (is_from_none) {
        NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_QUERY_NEAREST, .query = query, .capacity = capacity,
               .total = *count, .hits = hits);
    } else {
        acre_notify_of_part(tree, query);
    }
    access_end_read(&tree->access);
    return ACRE_OK;
}

acre_result acre_quadtree_query_nearest(const acre_quadtree *tree, const acre_query *query,
                                        acre_query_hit *hits, size_t capacity, size_t *count)
{
    set_count(count, 0);
    const acre_result result = find_nearest(tree, query, hits, capacity, count, true);
    return ACRE_ANSWER(result, "oN[-np", tree, query, hits, capacity, count);
}

acre_result acre_quadtree_add_nearest(const acre_quadtree *tree, const acre_query *query,
                                      acre_query_hit *hits, size_t capacity, size_t *count)
{
    return find_nearest(tree, query, hits, capacity, count, false);
}
