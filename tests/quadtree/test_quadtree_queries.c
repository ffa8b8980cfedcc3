// SPDX-License-Identifier: MIT
// test_quadtree_queries.c - queries of every shape, in every form, against the test of one box.
#include "float_modes.h"
#include "query_trees.h"
#include "span_room.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 700, ROUNDS = 24, GUARD = 0x5eedf00d };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;
static uint64_t compared; // items whose presence in an answer was compared with the oracle's

// ---- one query, asked of trees of every kernel ----

// Asks all trees; the first one's answer comes in out, which has room for ITEMS. False if one fails
// or answers otherwise than the first.
static bool ask_all(const query_trees *all, const acre_query *query, uint32_t *out, size_t *count)
{
    static uint32_t found[ITEMS + 1];
    for (uint32_t k = 0; k < all->count; k++) {
        uint32_t *const items = k == 0 ? out : found;
        size_t total = SIZE_MAX;
        if (acre_quadtree_query(all->trees[k], query, items, ITEMS, &total) != ACRE_OK ||
            total > ITEMS) {
            return false;
        }
        if (k == 0) {
            *count = total;
        } else if (total != *count || memcmp(found, out, total * sizeof *out) != 0) {
            return false;
        }
    }
    return true;
}

// count receives how many items were found.
static bool is_right(const query_trees *all, const generated_query *generated, size_t *count)
{
    uint32_t found[ITEMS];
    bool ok = ask_all(all, &generated->query, found, count);
    if (ok) {
        sort_numbers(found, *count);
        ok = brute_force_agrees(&all->oracle, &generated->query, found, *count);
        compared += all->oracle.capacity;
    }
    if (!ok) {
        print_query(generated, stdout);
    }
    return ok;
}

static void every_shape_finds_what_its_own_test_finds_with_every_kernel(void)
{
    test_random random = {test_seed};
    uint64_t asked[QUERY_SHAPE_COUNT + 1] = {0}, found[QUERY_SHAPE_COUNT + 1] = {0}, bands = 0;
    compared = 0;
    for (uint32_t round = 0; round < ROUNDS * test_scale; round++) {
        query_trees all;
        CHECK(query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, round % 9 == 8 ? 3 : ITEMS - round));
        for (uint32_t i = 0; i < 12 * QUERY_SHAPE_COUNT; i++) {
            static generated_query generated;
            size_t count = 0;
            const acre_query_shape shape = (acre_query_shape)(1 + i % QUERY_SHAPE_COUNT);
            CHECK(i % 3 || query_trees_edit(&all, &random, NULL));
            generate_query(&random, &all.ground, shape, &generated);
            CHECK(is_right(&all, &generated, &count));
            asked[shape]++;
            found[shape] += count;
        }
        acre_quadtree_stats stats;
        acre_quadtree_get_stats(all.trees[0], &stats);
        bands += stats.bands;
        query_trees_free(&all);
    }
    CHECK(bands > 0);
    printf("     %llu comparisons\n", (unsigned long long)compared);
    CHECK(compared >= 2000000);
    for (int shape = 1; shape <= QUERY_SHAPE_COUNT; shape++) { // neither nothing nor everything
        CHECK(found[shape] > asked[shape]);
        CHECK(shape == ACRE_QUERY_SHAPE_ALL || found[shape] < asked[shape] * ITEMS / 2);
    }
}

// ---- shapes that just touch an item ----

// A number that the shape grows with; NULL: it has none. *most: its largest valid value.
static float *growing_number(test_random *random, generated_query *generated, float *most)
{
    const uint32_t which = random_below(random, 3);
    *most = 0x1p50f;
    switch (generated->query.shape) {
    case ACRE_QUERY_SHAPE_SPHERE:
        return &generated->sphere.radius;
    case ACRE_QUERY_SHAPE_CIRCLE:
        return &generated->circle.radius;
    case ACRE_QUERY_SHAPE_CAPSULE:
        return &generated->capsule.radius;
    case ACRE_QUERY_SHAPE_CONE:
        *most = which == 0 ? 1.4f : *most;
        return which == 0 ? &generated->cone.angle : &generated->cone.length;
    case ACRE_QUERY_SHAPE_ORIENTED_BOX:
        return &generated->oriented_box.half_size[which];
    case ACRE_QUERY_SHAPE_RAY:
        return which == 0 ? &generated->ray.length
                          : &generated->ray.half_size[random_below(random, 3)];
    default:
        return NULL;
    }
}

static float halfway(float low, float high)
{
    uint32_t a, b;
    float middle;
    memcpy(&a, &low, sizeof a);
    memcpy(&b, &high, sizeof b);
    const uint32_t bits = a + (b - a) / 2; // floats that are not negative lie in this order
    memcpy(&middle, &bits, sizeof middle);
    return middle;
}

// Looks for the least value with which the shape touches the box; *low is the float below it.
// False if it touches, or does not, with any value.
static bool find_least(const acre_query *query, float *number, float most, const acre_aabb *box,
                       float *low, float *high)
{
    *low = *number = 0.0f;
    bool ok = !brute_force_finds(query, box);
    *high = *number = most;
    ok = ok && brute_force_finds(query, box);
    while (ok && nextafterf(*low, INFINITY) < *high) {
        *number = halfway(*low, *high);
        *(brute_force_finds(query, box) ? high : low) = *number;
    }
    return ok;
}

static void shapes_that_just_touch_an_item_find_it(void)
{
    test_random random = {test_seed};
    uint32_t tried = 0;
    for (uint32_t setting = 0; setting < QUERY_SETTING_COUNT; setting++) {
        query_trees all;
        CHECK(query_trees_init_setting(&all, setting, ITEMS / 4));
        CHECK(query_trees_fill(&all, &random, ITEMS / 4));
        for (uint32_t round = 0; round < 250 * test_scale; round++) {
            static generated_query generated;
            const acre_aabb *const box = &all.oracle.boxes[random_below(&random, ITEMS / 4)];
            const uint32_t shape = ACRE_QUERY_SHAPE_SPHERE + random_below(&random, 6);
            float most, low = 0.0f, high = 0.0f;
            size_t count = 0;
            generate_query(&random, &all.ground, (acre_query_shape)shape, &generated);
            generated.query.layers = 0;
            generated.query.exclude = NULL;
            generated.query.flags = 0;
            generated.query.except_item1 = 0;
            float *const number = growing_number(&random, &generated, &most);
            if (!find_least(&generated.query, number, most, box, &low, &high)) {
                continue;
            }
            *number = high;
            CHECK(is_right(&all, &generated, &count) && count > 0);
            *number = low;
            CHECK(is_right(&all, &generated, &count));
            tried++;
        }
        query_trees_free(&all);
    }
    printf("     %u shapes\n", tried);
    CHECK(tried > 100 * test_scale);
}

// ---- a fixed world for the forms of a query ----

static query_trees forms;
static test_random forms_random;

static bool begin_forms(uint32_t setting)
{
    forms_random = (test_random){test_seed + 77 * setting};
    return query_trees_init_setting(&forms, setting, ITEMS) &&
           query_trees_fill(&forms, &forms_random, ITEMS);
}

static void layers_leave_out_items_that_share_no_bit(void)
{
    CHECK(begin_forms(0));
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        static generated_query generated;
        uint32_t unlayered[ITEMS], found[ITEMS];
        size_t all_count = 0, count = 0, kept = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        generated.query.layers = 0;
        CHECK(ask_all(&forms, &generated.query, unlayered, &all_count));
        generated.query.layers = 1 + random_below(&forms_random, 31);
        CHECK(ask_all(&forms, &generated.query, found, &count));
        sort_numbers(found, count);
        sort_numbers(unlayered, all_count);
        for (size_t i = 0; i < all_count; i++) {
            if (forms.oracle.layers[unlayered[i]] & generated.query.layers) {
                CHECK(kept < count && found[kept] == unlayered[i]);
                kept++;
            }
        }
        CHECK(kept == count);
    }
    query_trees_free(&forms);
}

static bool is_dropped(const acre_query *query, uint32_t item)
{
    const acre_aabb *const box = &forms.oracle.boxes[item];
    return query->flags & ACRE_QUERY_EXCLUDE_TOUCHING
               ? acre_frustum_test_aabb(query->exclude, box)
               : acre_frustum_contains_aabb(query->exclude, box);
}

static void an_excluded_volume_drops_what_is_in_it_or_all_that_touches_it(void)
{
    size_t dropped[2] = {0, 0};
    CHECK(begin_forms(0));
    for (uint32_t round = 0; round < 250 * test_scale; round++) {
        static generated_query generated;
        uint32_t with[ITEMS], without[ITEMS];
        size_t with_count = 0, without_count = 0, kept = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        generated.exclude = frustum_valid(&forms_random, &forms.ground.world);
        generated.query.exclude = NULL;
        CHECK(ask_all(&forms, &generated.query, without, &without_count));
        generated.query.exclude = &generated.exclude;
        CHECK(ask_all(&forms, &generated.query, with, &with_count));
        for (size_t i = 0; i < without_count; i++) {
            const bool drops = is_dropped(&generated.query, without[i]);
            dropped[(generated.query.flags & ACRE_QUERY_EXCLUDE_TOUCHING) != 0] += drops;
            without[kept] = without[i];
            kept += !drops;
        }
        sort_numbers(with, with_count);
        sort_numbers(without, kept);
        CHECK(kept == with_count && memcmp(with, without, kept * sizeof *with) == 0);
    }
    CHECK(dropped[0] > 500 && dropped[1] > 500);
    query_trees_free(&forms);
}

static void a_volume_without_itself_is_what_it_cuts(void)
{
    CHECK(begin_forms(2));
    for (uint32_t round = 0; round < 100 * test_scale; round++) {
        acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM};
        const acre_frustum frustum = frustum_valid(&forms_random, &forms.ground.world);
        uint32_t found[ITEMS];
        size_t count = 0, inside = 0;
        query.frustum = query.exclude = &frustum;
        CHECK(ask_all(&forms, &query, found, &count));
        for (size_t i = 0; i < count; i++) {
            inside += acre_frustum_contains_aabb(&frustum, &forms.oracle.boxes[found[i]]);
        }
        CHECK(inside == 0);
        query.flags = ACRE_QUERY_EXCLUDE_TOUCHING;
        CHECK(ask_all(&forms, &query, found, &count) && count == 0);
    }
    query_trees_free(&forms);
}

static void sorted_is_the_same_answer_in_ascending_order(void)
{
    CHECK(begin_forms(1));
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        static generated_query generated;
        uint32_t plain[ITEMS], sorted[ITEMS];
        size_t plain_count = 0, sorted_count = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        CHECK(ask_all(&forms, &generated.query, plain, &plain_count));
        generated.query.flags |= ACRE_QUERY_SORTED;
        CHECK(ask_all(&forms, &generated.query, sorted, &sorted_count));
        sort_numbers(plain, plain_count);
        CHECK(sorted_count == plain_count);
        CHECK(memcmp(sorted, plain, plain_count * sizeof *plain) == 0);
    }
    query_trees_free(&forms);
}

// A square of 80 x 80 boxes, a meter each, four meters apart.
static acre_quadtree *lattice(void)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = 256, .node_capacity = 32};
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return NULL;
    }
    for (uint32_t item = 0; item < 6400; item++) {
        const float x = 4.0f * (float)(item % 80) - 160.0f;
        const float z = 4.0f * (float)(item / 80) - 160.0f;
        const acre_aabb box = {{x, 0, z}, {x + 1, 2, z + 1}};
        if (acre_quadtree_insert(tree, item, &box) != ACRE_OK) {
            acre_quadtree_destroy(tree);
            return NULL;
        }
    }
    return acre_quadtree_optimize(tree) == ACRE_OK ? tree : NULL;
}

static bool ask_with_room(const acre_quadtree *tree, const acre_query *query, uint32_t flags,
                          uint32_t *out, size_t room, size_t *total)
{
    acre_query asked = *query;
    asked.flags |= flags;
    out[room] = GUARD;
    *total = SIZE_MAX;
    return acre_quadtree_query(tree, &asked, room ? out : NULL, room, total) == ACRE_OK &&
           out[room] == GUARD;
}

static void little_room_gets_the_first_results_and_the_whole_total(void)
{
    CHECK(begin_forms(0));
    for (uint32_t round = 0; round < 150 * test_scale; round++) {
        static generated_query generated;
        static uint32_t full[ITEMS], part[ITEMS + 1];
        size_t count = 0, total = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        CHECK(ask_all(&forms, &generated.query, full, &count));
        const size_t rooms[] = {0, 1, count > 0 ? count - 1 : 0, count,
                                random_below(&forms_random, (uint32_t)count + 1)};
        for (uint32_t i = 0; i < 5 * forms.count; i++) {
            const size_t room = rooms[i % 5], written = room < count ? room : count;
            CHECK(ask_with_room(forms.trees[i / 5], &generated.query, 0, part, room, &total));
            CHECK(total == count && memcmp(part, full, written * sizeof *part) == 0);
        }
        const size_t room = rooms[4];
        CHECK(
            ask_with_room(forms.trees[0], &generated.query, ACRE_QUERY_SORTED, part, room, &total));
        sort_numbers(full, room);
        CHECK(total == count && memcmp(part, full, room * sizeof *part) == 0);
    }
    query_trees_free(&forms);
}

// Whether numbers, ascending and each once, are all among others, ascending.
static bool are_among(const uint32_t *numbers, size_t count, const uint32_t *others, size_t most)
{
    size_t next = 0;
    for (size_t i = 0; i < count; i++, next++) {
        while (next < most && others[next] < numbers[i]) {
            next++;
        }
        if (next == most || others[next] != numbers[i]) {
            return false;
        }
    }
    return true;
}

// Asks for all of a frustum or of a box. An array with room for all items and a block more gets its
// answer from one function, a smaller one from the walk: equal numbers in equal order, and nothing
// behind the array. count receives how many there are.
static bool is_alike_in_any_room(const acre_quadtree *tree, const generated_query *generated,
                                 uint32_t *walked, uint32_t *found, size_t items, size_t *count)
{
    const size_t room = items + 64;
    size_t counts[2];
    found[room] = GUARD;
    for (int i = 0; i < 2; i++) {
        uint32_t *const out = i ? found : walked;
        const size_t capacity = i ? room : items;
        counts[i] = generated->query.shape == ACRE_QUERY_SHAPE_AABB
                        ? acre_quadtree_query_aabb(tree, &generated->box, out, capacity)
                        : acre_quadtree_query_frustum(tree, &generated->frustum, out, capacity);
    }
    *count = counts[0];
    return counts[0] == counts[1] && counts[0] <= items && found[room] == GUARD &&
           memcmp(walked, found, counts[0] * sizeof *found) == 0;
}

static void a_query_that_stops_when_full_gives_some_results_and_counts_those(void)
{
    CHECK(begin_forms(0));
    for (uint32_t round = 0; round < 150 * test_scale; round++) {
        static generated_query generated;
        static uint32_t full[ITEMS], first[ITEMS + 3], part[ITEMS + 3];
        size_t count = 0, total = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        CHECK(ask_all(&forms, &generated.query, full, &count));
        sort_numbers(full, count);
        const size_t room = random_below(&forms_random, (uint32_t)count + 3);
        const uint32_t stop = ACRE_QUERY_STOP_WHEN_FULL;
        for (uint32_t k = 0; k < forms.count; k++) {
            uint32_t *const out = k == 0 ? first : part;
            CHECK(ask_with_room(forms.trees[k], &generated.query, stop, out, room, &total));
            CHECK(total == (room < count ? room : count));
            CHECK(memcmp(out, first, total * sizeof *out) == 0);
        }
        sort_numbers(first, total);
        CHECK(are_among(first, total, full, count));
        CHECK(ask_with_room(forms.trees[0], &generated.query, stop | ACRE_QUERY_SORTED, part, room,
                            &total));
        CHECK(memcmp(part, first, total * sizeof *part) == 0);
    }
    query_trees_free(&forms);
}

static void a_query_that_is_full_does_no_more_work(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    const acre_sphere sphere = {{0, 1, 0}, 150};
    acre_query_stats stats;
    acre_query query = {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere, .stats = &stats};
    uint32_t items[20];
    size_t total = 0;
    CHECK(acre_quadtree_query(tree, &query, items, 20, &total) == ACRE_OK && total > 3000);
    const acre_query_stats whole = stats;
    query.flags = ACRE_QUERY_STOP_WHEN_FULL;
    CHECK(acre_quadtree_query(tree, &query, items, 20, &total) == ACRE_OK && total == 20);
    CHECK(stats.nodes_tested < whole.nodes_tested / 4);
    CHECK(stats.items_accepted + stats.items_tested <
          (whole.items_accepted + whole.items_tested) / 4);
    acre_quadtree_destroy(tree);
}

static void few_results_come_from_the_middle_or_from_anywhere(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    const acre_sphere sphere = {{0, 1, 0}, 150};
    acre_query_stats stats;
    acre_query query = {.shape = ACRE_QUERY_SHAPE_SPHERE,
                        .sphere = &sphere,
                        .flags = ACRE_QUERY_STOP_WHEN_FULL,
                        .stats = &stats};
    uint32_t items[4];
    size_t total = 0;
    CHECK(acre_quadtree_query(tree, &query, items, 1, &total) == ACRE_OK && total == 1);
    CHECK(stats.nodes_tested == 0); // the cell was found by its place
    acre_quadtree_clear(tree);
    const acre_aabb corner = {{100, 0, 100}, {101, 1, 101}}, middle = {{-3, 0, -3}, {-2, 1, -2}};
    const acre_aabb everything = {{-900, -1, -900}, {900, 2, 900}};
    CHECK(acre_quadtree_insert(tree, 5, &corner) == ACRE_OK);
    query.shape = ACRE_QUERY_SHAPE_AABB;
    query.box = &everything;
    for (uint32_t i = 0; i < 2000; i++) { // so that cells split, away from the middle
        const float x = -1000.0f + 0.1f * (float)i;
        const acre_aabb aside = {{x, 0, -1000}, {x, 1, -950}};
        CHECK(acre_quadtree_insert(tree, 100 + i, &aside) == ACRE_OK);
    }
    CHECK(acre_quadtree_query(tree, &query, items, 4, &total) == ACRE_OK);
    CHECK(total == 1 && items[0] == 5);
    CHECK(acre_quadtree_insert(tree, 6, &middle) == ACRE_OK);
    CHECK(acre_quadtree_query(tree, &query, items, 4, &total) == ACRE_OK && total == 2);
    CHECK(items[0] + items[1] == 11 && items[0] != items[1]); // none of them twice
    CHECK(acre_quadtree_query(tree, &query, items, 0, &total) == ACRE_OK && total == 0);
    acre_quadtree_destroy(tree);
}

static void a_query_changes_nothing_and_may_go_without_a_total(void)
{
    CHECK(begin_forms(3));
    const uint64_t hash = acre_quadtree_state_hash(forms.trees[0]);
    for (uint32_t round = 0; round < 100; round++) {
        static generated_query generated;
        uint32_t found[ITEMS], again[ITEMS];
        size_t count = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        CHECK(ask_all(&forms, &generated.query, found, &count));
        CHECK(acre_quadtree_query(forms.trees[0], &generated.query, again, ITEMS, NULL) == ACRE_OK);
        CHECK(memcmp(found, again, count * sizeof *found) == 0);
    }
    CHECK(acre_quadtree_state_hash(forms.trees[0]) == hash);
    query_trees_free(&forms);
}

// ---- queries without an item ----

// Whether a query answers `expected` in this order: with little room and in spans too.
static bool answers(const acre_quadtree *tree, const acre_query *query, const uint32_t *expected,
                    size_t count)
{
    static uint32_t found[ITEMS + 1], copies[ITEMS];
    static acre_item_span spans[ITEMS];
    for (size_t room = 0; room <= count; room += 1 + room / 2) {
        size_t total = 0;
        if (!ask_with_room(tree, query, 0, found, room, &total) || total != count ||
            memcmp(found, expected, room * sizeof *found) != 0) {
            return false;
        }
    }
    size_t total = 0;
    acre_span_totals totals;
    return ask_with_room(tree, query, 0, found, count, &total) && total == count &&
           memcmp(found, expected, count * sizeof *found) == 0 &&
           acre_quadtree_query_spans(tree, query, spans, ITEMS, copies, ITEMS, &totals) ==
               ACRE_OK &&
           totals.items == count && join_spans(spans, totals.spans, found, ITEMS) == count &&
           memcmp(found, expected, count * sizeof *found) == 0;
}

static void a_query_without_an_item_answers_the_others_in_the_same_order(void)
{
    size_t left_out = 0;
    CHECK(begin_forms(0));
    for (uint32_t k = 0; k < forms.count; k++) { // so that spans lead into the trees
        CHECK(acre_quadtree_optimize(forms.trees[k]) == ACRE_OK);
    }
    for (uint32_t round = 0; round < 200 * test_scale; round++) {
        static generated_query generated;
        uint32_t full[ITEMS], rest[ITEMS];
        size_t count = 0, kept = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        generated.query.except_item1 = 0;
        CHECK(ask_all(&forms, &generated.query, full, &count));
        generated.query.except_item1 =
            1 + (count > 0 && round % 5 ? full[random_below(&forms_random, (uint32_t)count)]
                                        : random_below(&forms_random, ITEMS));
        for (size_t i = 0; i < count; i++) {
            rest[kept] = full[i];
            kept += full[i] != generated.query.except_item1 - 1;
        }
        left_out += count - kept;
        for (uint32_t k = 0; k < forms.count; k++) {
            CHECK(answers(forms.trees[k], &generated.query, rest, kept));
        }
    }
    CHECK(left_out > 50);
    query_trees_free(&forms);
}

// Inserts items without outliers, one by one; or builds the trees, so that their chains are runs.
static bool fill_small_trees(query_trees *all, test_random *random, uint32_t size, bool builds)
{
    bool ok = true;
    for (uint32_t item = 0; item < size; item++) {
        const acre_aabb box = box_of_kind(random, &all->ground.world, BOX_ORDINARY);
        ok &= brute_force_insert(&all->oracle, item, &box) == ACRE_OK;
        for (uint32_t k = 0; k < all->count; k++) {
            ok &= acre_quadtree_insert(all->trees[k], item, &box) == ACRE_OK;
        }
    }
    for (uint32_t k = 0; builds && k < all->count; k++) {
        ok &= acre_quadtree_optimize(all->trees[k]) == ACRE_OK;
    }
    return ok;
}

enum { MANY = 30000, BOTH_QUERIES = 200 };

// Asks trees of `size` items for boxes and views in turn. some: counts queries that find more than
// `least` items, but not all.
static bool are_alike_in_any_room(const query_trees *all, test_random *random, uint32_t size,
                                  size_t least, uint32_t *some)
{
    static uint32_t walked[MANY], first[MANY], found[MANY + 64 + 1];
    for (uint32_t i = 0; i < BOTH_QUERIES; i++) {
        static generated_query generated;
        generate_query(random, &all->ground,
                       i & 1 ? ACRE_QUERY_SHAPE_AABB : ACRE_QUERY_SHAPE_FRUSTUM, &generated);
        size_t counts[ACRE_KERNEL_COUNT_] = {0};
        for (uint32_t k = 0; k < all->count; k++) {
            uint32_t *const out = k == 0 ? first : walked;
            if (!is_alike_in_any_room(all->trees[k], &generated, out, found, size, &counts[k]) ||
                counts[k] != counts[0] || memcmp(first, found, counts[0] * sizeof *found) != 0) {
                return false;
            }
        }
        *some += counts[0] > least && counts[0] < size;
    }
    return true;
}

// The trees of each setting, and one whose queries take several portions.
static void an_array_with_room_for_all_gets_what_the_walk_finds(void)
{
    test_random random = {test_seed};
    uint32_t several = 0; // queries that take more than one portion
    for (uint32_t round = 0; round <= QUERY_SETTING_COUNT; round++) {
        const bool is_large = round == QUERY_SETTING_COUNT;
        const uint32_t size = is_large ? MANY : random_below(&random, ITEMS);
        query_trees all;
        CHECK(is_large ? query_trees_init(&all, &(acre_quadtree_def){.half_size = 300,
                                                                     .node_capacity = 16,
                                                                     .item_capacity = MANY})
                       : query_trees_init_setting(&all, round, ITEMS));
        CHECK(query_trees_fill(&all, &random, size));
        CHECK(are_alike_in_any_room(&all, &random, size, 10000, &several));
        query_trees_free(&all);
    }
    CHECK(several > 3);
}

// Such trees are answered without a walk where the array has room.
static void a_tree_of_one_block_answers_as_a_walk_does(void)
{
    test_random random = {test_seed};
    uint32_t some = 0;
    for (uint32_t size = 1; size <= 64; size++) {
        const acre_quadtree_def def = {.half_size = 64, .item_capacity = ITEMS};
        query_trees all;
        CHECK(query_trees_init(&all, &def) && fill_small_trees(&all, &random, size, size & 1));
        CHECK(are_alike_in_any_room(&all, &random, size, 0, &some));
        query_trees_free(&all);
    }
    CHECK(some > 1000);
}

// Trees of one chain of blocks: queries that copy test the smallest without their root, spans are
// found with it.
static void small_trees_of_every_size_answer_right_in_any_room_and_in_one_order(void)
{
    static const uint32_t sizes[] = {1, 15, 16, 32, 33, 64, 65, 80, 100, 127, 128, 129, 200};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    test_random random = {test_seed};
    size_t whole = 0, some = 0;
    for (uint32_t round = 0; round < 4 * SIZES * test_scale; round++) {
        const uint32_t size = sizes[round % SIZES];
        const acre_quadtree_def def = {.half_size = 64, .item_capacity = ITEMS};
        query_trees all;
        CHECK(query_trees_init(&all, &def) &&
              fill_small_trees(&all, &random, size, round / SIZES % 2 > 0));
        for (uint32_t i = 0; i < 6 * QUERY_SHAPE_COUNT; i++) {
            static generated_query generated;
            uint32_t order[ITEMS];
            size_t count = 0;
            CHECK(round / SIZES % 4 < 2 || i < 12 || query_trees_edit(&all, &random, NULL));
            generate_any_query(&random, &all.ground, &generated);
            CHECK(is_right(&all, &generated, &count) &&
                  ask_all(&all, &generated.query, order, &count));
            whole += count == size;
            some += count > 0 && count < size;
            for (uint32_t k = 0; k < all.count; k++) {
                CHECK(answers(all.trees[k], &generated.query, order, count));
            }
        }
        query_trees_free(&all);
    }
    CHECK(whole > 100 && some > 1000);
}

static void the_first_the_last_and_the_only_item_of_a_span_are_left_out(void)
{
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    for (uint32_t item = 0; item < 20; item++) {
        const acre_aabb box = {{(float)item, 0, 0}, {(float)item + 1, 1, 1}};
        CHECK(acre_quadtree_insert(tree, item, &box) == ACRE_OK);
    }
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    uint32_t order[20];
    size_t count = 0;
    CHECK(acre_quadtree_query(tree, &all, order, 20, &count) == ACRE_OK && count == 20);
    for (uint32_t at = 0; at < 20; at++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .except_item1 = order[at] + 1};
        acre_item_span spans[3];
        acre_span_totals totals;
        CHECK(acre_quadtree_query_spans(tree, &query, spans, 3, NULL, 0, &totals) == ACRE_OK);
        CHECK(totals.items == 19 && totals.copied == 0);
        CHECK(totals.spans == (at == 0 || at == 19 ? 1 : 2));
        CHECK(spans[0].count == (at == 0 ? 19 : at));
    }
    CHECK(acre_quadtree_remove_many(tree, order, 19) == ACRE_OK);
    const acre_query none = {.shape = ACRE_QUERY_SHAPE_ALL, .except_item1 = order[19] + 1};
    acre_span_totals totals;
    CHECK(acre_quadtree_query_spans(tree, &none, NULL, 0, NULL, 0, &totals) == ACRE_OK);
    CHECK(totals.items == 0 && totals.spans == 0);
    acre_quadtree_destroy(tree);
}

static void a_number_that_is_no_item_leaves_nothing_out(void)
{
    acre_quadtree *const tree = lattice();
    static const uint32_t numbers[] = {6401, 1u << 26, UINT32_MAX};
    CHECK(tree);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .except_item1 = numbers[i]};
        acre_span_totals totals;
        size_t total = 0;
        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK && total == 6400);
        CHECK(acre_quadtree_query_spans(tree, &query, NULL, 0, NULL, 0, &totals) == ACRE_OK);
        CHECK(totals.items == 6400);
    }
    acre_quadtree_destroy(tree);
}

// ---- touching does not count ----

static size_t count_open(const acre_quadtree *tree, acre_aabb box)
{
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_AABB, .box = &box, .flags = ACRE_QUERY_NOT_TOUCHING};
    size_t total = SIZE_MAX;
    return acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK ? total : SIZE_MAX;
}

static void an_open_box_finds_what_it_overlaps_by_a_float(void)
{
    acre_quadtree *tree = NULL;
    const float above = nextafterf(21, INFINITY), below = nextafterf(21, 0);
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 0, &(acre_aabb){{20, 0, 0}, {21, 2, 1}}) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 1, &(acre_aabb){{21, 0, 0}, {22, 2, 1}}) == ACRE_OK);
    CHECK(count_open(tree, (acre_aabb){{20.5f, 0.5f, 0.5f}, {21, 1, 0.6f}}) == 1);
    CHECK(count_open(tree, (acre_aabb){{20.5f, 0.5f, 0.5f}, {above, 1, 0.6f}}) == 2);
    CHECK(count_open(tree, (acre_aabb){{below, 0.5f, 0.5f}, {above, 1, 0.6f}}) == 2);
    CHECK(count_open(tree, (acre_aabb){{21, 0.5f, 0.5f}, {21, 1, 0.6f}}) == 0);
    CHECK(count_open(tree, (acre_aabb){{20.5f, 1, 0.5f}, {20.5f, 1, 0.5f}}) == 1);
    CHECK(count_open(tree, (acre_aabb){{0, 2, 0}, {99, 3, 1}}) == 0);
    CHECK(count_open(tree, (acre_aabb){{0, -1, -3}, {99, 3, 0}}) == 0);
    CHECK(count_open(tree, (acre_aabb){{-INFINITY, 0, 0}, {INFINITY, 1, 1}}) == 2);
    acre_quadtree_destroy(tree);
}

static void an_open_point_is_found_inside_a_box_and_not_on_its_face(void)
{
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 0, &(acre_aabb){{0, 0, 0}, {4, 2, 4}}) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 1, &(acre_aabb){{0, 1, 0}, {4, 1, 4}}) == ACRE_OK); // flat
    static const struct {
        float point[3];
        size_t in_space, on_ground;
    } cases[] = {{{2, 1, 2}, 1, 2},        {{2, 2, 2}, 0, 2}, {{4, 1, 2}, 0, 0},
                 {{2, 1, 0}, 0, 0},        {{2, 9, 2}, 0, 2}, {{2, 0.5f, 3.5f}, 1, 2},
                 {{2, -INFINITY, 2}, 0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        acre_query query = {.shape = ACRE_QUERY_SHAPE_POINT,
                            .point = cases[i].point,
                            .flags = ACRE_QUERY_NOT_TOUCHING};
        size_t total = 0;
        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK);
        CHECK(total == cases[i].in_space);
        query.shape = ACRE_QUERY_SHAPE_GROUND_POINT;
        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK);
        CHECK(total == cases[i].on_ground);
    }
    acre_quadtree_destroy(tree);
}

// Nothing reaches beyond infinity, endless items neither.
static void an_open_box_at_infinity_finds_nothing(void)
{
    acre_quadtree *tree = NULL;
    const float inf = INFINITY;
    const acre_aabb endless = {{-inf, -inf, -inf}, {inf, inf, inf}};
    CHECK(acre_quadtree_create(NULL, &tree) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 0, &endless) == ACRE_OK);
    CHECK(acre_quadtree_insert(tree, 1, &(acre_aabb){{0, 0, 0}, {1, 1, 1}}) == ACRE_OK);
    CHECK(count_open(tree, endless) == 2);
    CHECK(count_open(tree, (acre_aabb){{inf, 0, 0}, {inf, 1, 1}}) == 0);
    CHECK(count_open(tree, (acre_aabb){{0, -inf, 0}, {1, -inf, 1}}) == 0);
    CHECK(count_open(tree, (acre_aabb){{FLT_MAX, 0, 0}, {inf, 1, 1}}) == 1);
    acre_quadtree_destroy(tree);
}

// ---- statistics ----

static void an_origin_that_nothing_is_measured_from_may_be_any_box(void)
{
    acre_quadtree *tree = NULL;
    CHECK(acre_quadtree_create(&(acre_quadtree_def){0}, &tree) == ACRE_OK);
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}}, inverted = {{1, 1, 1}, {0, 0, 0}};
    CHECK(acre_quadtree_insert(tree, 7, &box) == ACRE_OK);
    const acre_sphere sphere = {{0, 0, 0}, 2};
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere, .origin = &inverted};
    uint32_t item = 0;
    acre_query_hit hit;
    size_t total = 0;
    CHECK(acre_quadtree_query(tree, &query, &item, 1, &total) == ACRE_OK);
    CHECK(total == 1 && item == 7);
    CHECK(acre_quadtree_query_nearest(tree, &query, &hit, 1, &total) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    acre_quadtree_destroy(tree);
}

static void statistics_add_up(void)
{
    CHECK(begin_forms(0));
    acre_quadtree_stats tree;
    acre_quadtree_get_stats(forms.trees[0], &tree);
    for (uint32_t round = 0; round < 250 * test_scale; round++) {
        static generated_query generated;
        uint32_t found[ITEMS];
        size_t count = 0;
        acre_query_stats first = {0, 0, 0};
        generate_any_query(&forms_random, &forms.ground, &generated);
        for (uint32_t k = 0; k < forms.count; k++) {
            acre_query_stats stats = {99999, 99999, 99999};
            generated.query.stats = &stats;
            CHECK(acre_quadtree_query(forms.trees[k], &generated.query, found, ITEMS, &count) ==
                  ACRE_OK);
            first = k == 0 ? stats : first;
            CHECK(memcmp(&stats, &first, sizeof stats) == 0);
        }
        CHECK(first.nodes_tested <= tree.nodes + 3);
        CHECK(first.items_tested + first.items_accepted >= count);
        CHECK(first.items_tested + first.items_accepted <= tree.items);
    }
    query_trees_free(&forms);
}

static void small_shapes_of_every_kind_test_a_small_part_of_the_world(void)
{
    static const float point[3] = {20.5f, 1.0f, -31.5f};
    static const acre_sphere sphere = {{20, 1, -30}, 6};
    static const acre_circle circle = {{20, -30}, 6};
    static const acre_capsule capsule = {{20, 1, -30}, {40, 1, -30}, 3};
    static const acre_cone cone = {{20, 1, -30}, {1, 0, 0}, 25, 0.4f};
    static const acre_oriented_box turned = {
        {20, 1, -30}, {12, 3, 2}, {{0.6f, 0, 0.8f}, {0, 1, 0}, {-0.8f, 0, 0.6f}}};
    static const acre_ray ray = {{-250, 1, -250}, {1, 0, 1.01f}, INFINITY, {0, 0, 0}};
    static const acre_aabb box = {{15, 0, -35}, {25, 2, -25}};
    const acre_frustum frustum = frustum_of_box(&box);
    const acre_query queries[] = {{.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum},
                                  {.shape = ACRE_QUERY_SHAPE_AABB, .box = &box},
                                  {.shape = ACRE_QUERY_SHAPE_POINT, .point = point},
                                  {.shape = ACRE_QUERY_SHAPE_GROUND_POINT, .point = point},
                                  {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere},
                                  {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle},
                                  {.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &capsule},
                                  {.shape = ACRE_QUERY_SHAPE_CONE, .cone = &cone},
                                  {.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX, .oriented_box = &turned},
                                  {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray}};
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    acre_quadtree_stats size;
    acre_quadtree_get_stats(tree, &size);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        acre_query query = queries[i];
        acre_query_stats stats;
        uint32_t items[200];
        size_t total = 0;
        query.stats = &stats;
        CHECK(acre_quadtree_query(tree, &query, items, 200, &total) == ACRE_OK);
        CHECK(total > 0 && total <= 100);
        CHECK(stats.nodes_tested <= size.nodes / 3 && stats.items_tested < size.items / 4);
    }
    acre_quadtree_destroy(tree);
}

static void what_lies_wholly_in_a_shape_is_accepted_in_bulk(void)
{
    static const acre_aabb box = {{-161, -1, -161}, {161, 3, 161}};
    static const acre_sphere sphere = {{0, 1, 0}, 250};
    static const acre_circle circle = {{0, 0}, 250};
    const acre_frustum frustum = frustum_of_box(&box);
    const acre_query queries[] = {{.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum},
                                  {.shape = ACRE_QUERY_SHAPE_AABB, .box = &box},
                                  {.shape = ACRE_QUERY_SHAPE_ALL},
                                  {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere},
                                  {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle}};
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        acre_query query = queries[i];
        acre_query_stats stats;
        size_t total = 0;
        query.stats = &stats;
        CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK);
        CHECK(total == 6400 && stats.items_accepted > 5000);
    }
    acre_quadtree_destroy(tree);
}

// ---- spans and visits ----

static void spans_put_together_are_the_answer_of_every_shape(void)
{
    CHECK(begin_forms(0));
    for (uint32_t round = 0; round < 250 * test_scale; round++) {
        static generated_query generated;
        static acre_item_span spans[ITEMS];
        uint32_t full[ITEMS], copies[ITEMS], joined[ITEMS];
        size_t count = 0;
        acre_span_totals totals, counted;
        generate_any_query(&forms_random, &forms.ground, &generated);
        CHECK(ask_all(&forms, &generated.query, full, &count));
        for (uint32_t k = 0; k < forms.count; k++) {
            const acre_quadtree *const tree = forms.trees[k];
            CHECK(acre_quadtree_query_spans(tree, &generated.query, spans, ITEMS, copies, ITEMS,
                                            &totals) == ACRE_OK);
            CHECK(totals.items == count && totals.copied <= count);
            CHECK(totals.spans <= count && join_spans(spans, totals.spans, joined, ITEMS) == count);
            CHECK(memcmp(joined, full, count * sizeof *full) == 0);
            CHECK(acre_quadtree_query_spans(tree, &generated.query, NULL, 0, NULL, 0, &counted) ==
                  ACRE_OK);
            CHECK(memcmp(&counted, &totals, sizeof totals) == 0);
        }
    }
    query_trees_free(&forms);
}

// What a visitor was handed; it stops after so many portions.
typedef struct portions {
    uint32_t items[ITEMS];
    size_t count, calls, stop_after;
    bool is_wrong;
} portions;

static bool take_portion(void *user, const uint32_t *items, size_t count)
{
    portions *const out = user;
    out->is_wrong |= count == 0 || count > ITEMS - out->count || out->calls == out->stop_after;
    if (!out->is_wrong) {
        memcpy(out->items + out->count, items, count * sizeof *items);
        out->count += count;
        out->calls++;
    }
    return !out->is_wrong && out->calls < out->stop_after;
}

static bool visit(uint32_t kernel, const acre_query *query, size_t stop_after, portions *out)
{
    *out = (portions){.stop_after = stop_after};
    return acre_quadtree_query_visit(forms.trees[kernel], query, take_portion, out) == ACRE_OK &&
           !out->is_wrong;
}

static void visits_hand_over_the_answer_in_portions_until_told_to_stop(void)
{
    CHECK(begin_forms(0));
    for (uint32_t round = 0; round < 250 * test_scale; round++) {
        static generated_query generated;
        static portions first, taken;
        uint32_t full[ITEMS];
        size_t count = 0;
        generate_any_query(&forms_random, &forms.ground, &generated);
        CHECK(ask_all(&forms, &generated.query, full, &count));
        CHECK(visit(0, &generated.query, SIZE_MAX, &first) && first.count == count);
        const size_t stop = 1 + random_below(&forms_random, (uint32_t)first.calls + 1);
        for (uint32_t k = 0; k < forms.count; k++) {
            CHECK(visit(k, &generated.query, SIZE_MAX, &taken));
            CHECK(taken.count == first.count && taken.calls == first.calls);
            CHECK(memcmp(taken.items, first.items, count * sizeof *full) == 0);
            CHECK(visit(k, &generated.query, stop, &taken));
            CHECK(taken.calls == (stop < first.calls ? stop : first.calls));
            CHECK(memcmp(taken.items, first.items, taken.count * sizeof *full) == 0);
        }
        sort_numbers(first.items, count);
        sort_numbers(full, count);
        CHECK(memcmp(first.items, full, count * sizeof *full) == 0);
    }
    query_trees_free(&forms);
}

static void a_stopped_visit_saves_the_rest_of_the_work(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    static portions taken;
    acre_query_stats stats;
    const acre_sphere sphere = {{0, 1, 0}, 150};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere, .stats = &stats};
    size_t total = 0;
    CHECK(acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK);
    const acre_query_stats whole = stats;
    taken = (portions){.stop_after = 1};
    CHECK(acre_quadtree_query_visit(tree, &query, take_portion, &taken) == ACRE_OK);
    CHECK(!taken.is_wrong && taken.calls == 1 && taken.count < total);
    CHECK(stats.items_accepted + stats.items_tested < whole.items_accepted + whole.items_tested);
    acre_quadtree_destroy(tree);
}

// ---- degenerate and far shapes, by hand ----

static size_t count_of(const acre_quadtree *tree, acre_query query)
{
    size_t total = SIZE_MAX;
    return acre_quadtree_query(tree, &query, NULL, 0, &total) == ACRE_OK ? total : SIZE_MAX;
}

static void degenerate_shapes_are_points_segments_and_nothing(void)
{
    acre_quadtree *const tree = lattice(); // a box from (20, 0, -32) to (21, 2, -31) among others
    CHECK(tree);
    const float corner[3] = {21, 2, -31}, above[3] = {20.5f, 50, -31.5f};
    const acre_sphere on = {{21, 2, -31}, 0}, off = {{22, 2, -31}, 0};
    const acre_sphere touching = {{20.5f, 5, -31.5f}, 3}, short_of = {{20.5f, 5, -31.5f}, 2.99f};
    const acre_circle dot = {{21, -31}, 0};
    const acre_capsule still = {{21, 2, -31}, {21, 2, -31}, 0};
    const acre_capsule thread = {{18, 1, -31.5f}, {23, 1, -31.5f}, 0};
    const acre_cone no_way = {{21, 2, -31}, {0, 0, 0}, 10, 1},
                    needle = {{18, 1, -31.5f}, {1, 0, 0}, 5, 0};
    const acre_oriented_box nothing = {{21, 2, -31}, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const acre_ray no_direction = {{21, 2, -31}, {0, 0, 0}, INFINITY, {0, 0, 0}};
    const acre_ray no_length = {{21, 2, -31}, {1, 0, 0}, 0, {0, 0, 0}};
    const acre_ray edge = {{18, 2, -31}, {1, 0, 0}, 5, {0, 0, 0}};
    const acre_ray swept = {{18, 2, -29}, {1, 0, 0}, 5, {0, 0, 2}};
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_POINT, .point = corner}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_POINT, .point = above}) == 0);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_GROUND_POINT, .point = above}) ==
          1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &on}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &off}) == 0);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &touching}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &short_of}) == 0);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &dot}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &still}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &thread}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_CONE, .cone = &no_way}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_CONE, .cone = &needle}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX,
                                      .oriented_box = &nothing}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &no_direction}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &no_length}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &edge}) == 1);
    CHECK(count_of(tree, (acre_query){.shape = ACRE_QUERY_SHAPE_RAY, .ray = &swept}) == 2);
    acre_quadtree_destroy(tree);
}

static void an_empty_volume_finds_nothing_and_no_plane_finds_everything(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    const acre_frustum nothing = {.planes = {{1, 0, 0, -1000}, {-1, 0, 0, -1000}},
                                  .plane_count = 2};
    const acre_frustum everything = {.plane_count = 0};
    const acre_query of_nothing = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &nothing};
    acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &everything};
    CHECK(count_of(tree, of_nothing) == 0);
    CHECK(count_of(tree, query) == 6400);
    query.exclude = &nothing;
    CHECK(count_of(tree, query) == 6400);
    query.exclude = &everything;
    CHECK(count_of(tree, query) == 0);
    acre_quadtree_destroy(tree);
}

static void a_tree_without_items_and_one_of_outliers_answer_every_shape(void)
{
    test_random random = {test_seed};
    for (uint32_t outliers = 0; outliers <= 40; outliers += 40) {
        query_trees all;
        const acre_quadtree_def def = {.half_size = 16, .max_depth = 4, .item_capacity = 64};
        CHECK(query_trees_init(&all, &def));
        for (uint32_t item = 0; item < outliers; item++) {
            const box_kind kind = item % 2 ? BOX_HUGE : BOX_INFINITE;
            const acre_aabb box = box_of_kind(&random, &all.ground.world, kind);
            CHECK(brute_force_insert(&all.oracle, item, &box) == ACRE_OK);
            for (uint32_t k = 0; k < all.count; k++) {
                CHECK(acre_quadtree_insert(all.trees[k], item, &box) == ACRE_OK);
            }
        }
        for (uint32_t round = 0; round < 200 * test_scale; round++) {
            static generated_query generated;
            size_t count = 0;
            generate_any_query(&random, &all.ground, &generated);
            CHECK(is_right(&all, &generated, &count));
        }
        query_trees_free(&all);
    }
}

// ---- the host program's floating-point modes ----

// The tree is filled before the mode changes: edits then meet cells that were rounded otherwise.
static bool holds_in_mode(uint32_t mode, uint32_t setting)
{
    test_random random = {test_seed * 31 + setting};
    query_trees all;
    bool ok = query_trees_init_setting(&all, setting, ITEMS) &&
              query_trees_fill(&all, &random, ITEMS / 4);
    const float_mode before = float_mode_enter(mode);
    for (uint32_t round = 0; ok && round < 60; round++) {
        static generated_query generated;
        size_t count = 0;
        ok = query_trees_edit(&all, &random, NULL);
        generate_any_query(&random, &all.ground, &generated);
        ok = ok && is_right(&all, &generated, &count);
    }
    float_mode_leave(before);
    query_trees_free(&all);
    return ok;
}

static void queries_are_right_in_programs_that_round_otherwise_or_flush_denormals(void)
{
    for (uint32_t i = 0; i < 4 * FLOAT_MODE_COUNT * test_scale; i++) {
        CHECK(holds_in_mode(i % FLOAT_MODE_COUNT, i / FLOAT_MODE_COUNT));
    }
}

// ---- what is refused ----

typedef struct refused {
    const acre_quadtree *tree;
    acre_query_stats stats;
    uint32_t items[4];
    acre_item_span spans[4];
    acre_query_hit hits[4];
    size_t total;
    acre_span_totals totals;
    bool was_visited;
} refused;

static bool note_visit(void *user, const uint32_t *items, size_t count)
{
    (void)items;
    (void)count;
    ((refused *)user)->was_visited = true;
    return true;
}

// Whether every function refuses the query and writes nothing.
static bool is_refused_everywhere(const acre_quadtree *tree, const acre_query *query)
{
    static refused out, before;
    const acre_aabb origin = {{0, 0, 0}, {0, 0, 0}};
    memset(&out, 0x5a, sizeof out);
    out.was_visited = false;
    acre_query asked = *query, nearest;
    asked.stats = &out.stats;
    nearest = asked;
    nearest.origin = &origin;
    memcpy(&before, &out, sizeof out);
    before.total = 0; // counts are 0 on error
    before.totals = (acre_span_totals){0};
    return acre_quadtree_query(tree, &asked, out.items, 4, &out.total) == invalid &&
           acre_quadtree_query(tree, &asked, NULL, 0, NULL) == invalid &&
           acre_quadtree_query_spans(tree, &asked, out.spans, 4, out.items, 4, &out.totals) ==
               invalid &&
           acre_quadtree_query_visit(tree, &asked, note_visit, &out) == invalid &&
           acre_quadtree_query_nearest(tree, &nearest, out.hits, 4, &out.total) == invalid &&
           memcmp(&before, &out, sizeof out) == 0;
}

// Each float of a volume in turn becomes NaN.
static bool refuses_nan(const acre_quadtree *tree, const acre_query *query, void *volume,
                        size_t size)
{
    for (size_t i = 0; i < size / sizeof(float); i++) {
        char *const place = (char *)volume + i * sizeof(float);
        const float nan = i % 2 ? -NAN : NAN;
        float kept;
        memcpy(&kept, place, sizeof kept);
        memcpy(place, &nan, sizeof nan);
        const bool ok = is_refused_everywhere(tree, query);
        memcpy(place, &kept, sizeof kept);
        if (!ok) {
            printf("     %s: float %zu as NaN is not refused\n", query_shape_name(query->shape), i);
            return false;
        }
    }
    return acre_quadtree_query(tree, query, NULL, 0, NULL) == ACRE_OK;
}

static void every_nan_in_a_volume_is_refused(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    float point[3] = {1, 2, 3};
    acre_aabb box = {{1, 2, 3}, {4, 5, 6}};
    acre_sphere sphere = {{1, 2, 3}, 4};
    acre_circle circle = {{1, 2}, 3};
    acre_capsule capsule = {{1, 2, 3}, {4, 5, 6}, 7};
    acre_cone cone = {{1, 2, 3}, {0, 0, 1}, 5, 1};
    acre_oriented_box turned = {{1, 2, 3}, {1, 1, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    acre_ray ray = {{1, 2, 3}, {1, 1, 1}, 9, {1, 1, 1}};
    acre_frustum frustum = frustum_of_box(&box), exclude = frustum;
    const acre_query asked[] = {{.shape = ACRE_QUERY_SHAPE_AABB, .box = &box},
                                {.shape = ACRE_QUERY_SHAPE_POINT, .point = point},
                                {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &sphere},
                                {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle},
                                {.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &capsule},
                                {.shape = ACRE_QUERY_SHAPE_CONE, .cone = &cone},
                                {.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX, .oriented_box = &turned},
                                {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray},
                                {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum},
                                {.shape = ACRE_QUERY_SHAPE_ALL, .exclude = &exclude}};
    CHECK(refuses_nan(tree, &asked[0], &box, sizeof box));
    CHECK(refuses_nan(tree, &asked[1], point, sizeof point));
    CHECK(refuses_nan(tree, &asked[2], &sphere, sizeof sphere));
    CHECK(refuses_nan(tree, &asked[3], &circle, sizeof circle));
    CHECK(refuses_nan(tree, &asked[4], &capsule, sizeof capsule));
    CHECK(refuses_nan(tree, &asked[5], &cone, sizeof cone));
    CHECK(refuses_nan(tree, &asked[6], &turned, sizeof turned));
    CHECK(refuses_nan(tree, &asked[7], &ray, sizeof ray));
    CHECK(refuses_nan(tree, &asked[8], frustum.planes, 6 * sizeof frustum.planes[0]));
    CHECK(refuses_nan(tree, &asked[9], exclude.planes, 6 * sizeof exclude.planes[0]));
    acre_quadtree_destroy(tree);
}

static void a_shape_without_its_volume_and_unknown_shapes_and_flags_are_refused(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    for (uint32_t shape = 0; shape <= QUERY_SHAPE_COUNT + 3; shape++) {
        const acre_query query = {.shape = (acre_query_shape)shape};
        CHECK(shape == ACRE_QUERY_SHAPE_ALL || is_refused_everywhere(tree, &query));
    }
    for (uint32_t bit = 4; bit < 32; bit++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL, .flags = 1u << bit};
        CHECK(query.flags == ACRE_QUERY_UNDIVIDED || is_refused_everywhere(tree, &query));
    }
    acre_quadtree_destroy(tree);
}

static void invalid_volumes_are_refused(void)
{
    acre_quadtree *const tree = lattice();
    CHECK(tree);
    const acre_aabb inverted = {{1, 0, 0}, {0, 1, 1}};
    const acre_sphere spheres[] = {{{0, 0, 0}, -1}, {{0, INFINITY, 0}, 1}, {{0, 0, 0}, INFINITY}};
    const acre_circle circles[] = {{{0, 0}, -1}, {{-INFINITY, 0}, 1}, {{0, 0}, 0x1p51f}};
    const acre_capsule capsules[] = {{{0, 0, 0}, {1, 1, 1}, -1e-30f},
                                     {{0, 0, 0}, {1, INFINITY, 1}, 1}};
    const acre_cone cones[] = {{{0, 0, 0}, {1, 0, 0}, -1, 1},
                               {{0, 0, 0}, {1, 0, 0}, 1, -0.1f},
                               {{0, 0, 0}, {1, 0, 0}, 1, 1.41f},
                               {{0, 0, 0}, {1, 0, 0}, INFINITY, 1}};
    const acre_oriented_box boxes[] = {
        {{0, 0, 0}, {1, -1, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {{0, 0, 0}, {1, 1, 1}, {{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}},
        {{0, 0, 0}, {1, 1, 1}, {{1, 0, 0}, {0.6f, 0.8f, 0}, {0, 0, 1}}},
        {{0, 0, 0}, {1, 1, 1}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
    const acre_ray rays[] = {{{0, 0, 0}, {1, 0, 0}, -1, {0, 0, 0}},
                             {{0, 0, 0}, {1, 0, 0}, 1, {0, -1, 0}},
                             {{0, 0, 0}, {INFINITY, 0, 0}, 1, {0, 0, 0}},
                             {{0, 0, 0}, {1, 0, 0}, 1, {INFINITY, 0, 0}}};
    const acre_query queries[] = {
        {.shape = ACRE_QUERY_SHAPE_AABB, .box = &inverted},
        {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &spheres[0]},
        {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &spheres[1]},
        {.shape = ACRE_QUERY_SHAPE_SPHERE, .sphere = &spheres[2]},
        {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circles[0]},
        {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circles[1]},
        {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circles[2]},
        {.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &capsules[0]},
        {.shape = ACRE_QUERY_SHAPE_CAPSULE, .capsule = &capsules[1]},
        {.shape = ACRE_QUERY_SHAPE_CONE, .cone = &cones[0]},
        {.shape = ACRE_QUERY_SHAPE_CONE, .cone = &cones[1]},
        {.shape = ACRE_QUERY_SHAPE_CONE, .cone = &cones[2]},
        {.shape = ACRE_QUERY_SHAPE_CONE, .cone = &cones[3]},
        {.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX, .oriented_box = &boxes[0]},
        {.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX, .oriented_box = &boxes[1]},
        {.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX, .oriented_box = &boxes[2]},
        {.shape = ACRE_QUERY_SHAPE_ORIENTED_BOX, .oriented_box = &boxes[3]},
        {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &rays[0]},
        {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &rays[1]},
        {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &rays[2]},
        {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &rays[3]}};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        CHECK(is_refused_everywhere(tree, &queries[i]));
    }
    acre_quadtree_destroy(tree);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_shape_finds_what_its_own_test_finds_with_every_kernel),
        TEST(shapes_that_just_touch_an_item_find_it),
        TEST(layers_leave_out_items_that_share_no_bit),
        TEST(an_excluded_volume_drops_what_is_in_it_or_all_that_touches_it),
        TEST(a_volume_without_itself_is_what_it_cuts),
        TEST(sorted_is_the_same_answer_in_ascending_order),
        TEST(little_room_gets_the_first_results_and_the_whole_total),
        TEST(an_array_with_room_for_all_gets_what_the_walk_finds),
        TEST(a_query_that_stops_when_full_gives_some_results_and_counts_those),
        TEST(a_query_that_is_full_does_no_more_work),
        TEST(few_results_come_from_the_middle_or_from_anywhere),
        TEST(a_query_changes_nothing_and_may_go_without_a_total),
        TEST(a_query_without_an_item_answers_the_others_in_the_same_order),
        TEST(a_tree_of_one_block_answers_as_a_walk_does),
        TEST(small_trees_of_every_size_answer_right_in_any_room_and_in_one_order),
        TEST(the_first_the_last_and_the_only_item_of_a_span_are_left_out),
        TEST(a_number_that_is_no_item_leaves_nothing_out),
        TEST(an_open_box_finds_what_it_overlaps_by_a_float),
        TEST(an_open_point_is_found_inside_a_box_and_not_on_its_face),
        TEST(an_open_box_at_infinity_finds_nothing),
        TEST(an_origin_that_nothing_is_measured_from_may_be_any_box),
        TEST(statistics_add_up),
        TEST(small_shapes_of_every_kind_test_a_small_part_of_the_world),
        TEST(what_lies_wholly_in_a_shape_is_accepted_in_bulk),
        TEST(spans_put_together_are_the_answer_of_every_shape),
        TEST(visits_hand_over_the_answer_in_portions_until_told_to_stop),
        TEST(a_stopped_visit_saves_the_rest_of_the_work),
        TEST(degenerate_shapes_are_points_segments_and_nothing),
        TEST(an_empty_volume_finds_nothing_and_no_plane_finds_everything),
        TEST(a_tree_without_items_and_one_of_outliers_answer_every_shape),
        TEST(queries_are_right_in_programs_that_round_otherwise_or_flush_denormals),
        TEST(every_nan_in_a_volume_is_refused),
        TEST(a_shape_without_its_volume_and_unknown_shapes_and_flags_are_refused),
        TEST(invalid_volumes_are_refused),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
