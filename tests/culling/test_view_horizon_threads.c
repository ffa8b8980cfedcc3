// SPDX-License-Identifier: MIT
// test_view_horizon_threads.c - queries and visible sets with a horizon: what they leave out of the
// plain set is hidden, as rays in doubles say; all else is the same for every kernel, and each way
// to ask.
//
// The world is a stream of edits: houses that turn and move, doors, props, things in the air, what
// is never culled; entities come and go, are hidden and shown, get occluders and lose them.
#include "failing_allocator.h"
#include "occluded_town.h"
#include "task_scheduler.h"
#include "test.h"

#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

#define EYES 4

// ---- queries ----

enum { FOUND_ROOM = 64 * 128 + 1 };

// What a query finds, by slot and in order.
typedef struct found_list {
    uint32_t slots[FOUND_ROOM];
    size_t count;
} found_list;

static void begin_at(acre_horizon *horizon, const acre_view *view)
{
    EXPECT(acre_horizon_begin(horizon, view->eye, NULL, TOWN_NEAR_RADIUS) == ACRE_OK);
}

static found_list query(const town *w, acre_view view, acre_horizon *horizon)
{
    found_list out;
    view.horizon = horizon;
    EXPECT(acre_culling_query_view(w->culling, &view, out.slots, FOUND_ROOM, &out.count) ==
           ACRE_OK);
    return out;
}

static bool same_lists(const found_list *a, const found_list *b)
{
    return a->count == b->count && memcmp(a->slots, b->slots, a->count * sizeof a->slots[0]) == 0;
}

static bool holds_slot(const found_list *list, uint32_t slot)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->slots[i] == slot) {
            return true;
        }
    }
    return false;
}

static acre_horizon *make_horizon(acre_kernel kernel)
{
    acre_horizon *horizon = NULL;
    EXPECT(acre_horizon_create(&(acre_horizon_def){.kernel = kernel}, &horizon) == ACRE_OK);
    return horizon;
}

typedef struct tally {
    int dropped, hidden, walks;
} tally;

// Compares a walk with the plain query. @return false: something visible is missing, or the lists
// do not fit together.
static bool compare_with_rays(town *w, const acre_view *view, const found_list *plain,
                              const found_list *walk, tally *sum)
{
    bool drawn[TOWN_BODIES];
    size_t in_both = 0;
    for (int i = 0; i < TOWN_BODIES; i++) {
        drawn[i] = holds_slot(plain, w->bodies[i].entity.index1 - 1);
    }
    for (int i = 0; i < TOWN_BODIES; i++) {
        const bool is_kept = holds_slot(walk, w->bodies[i].entity.index1 - 1);
        if (is_kept && !drawn[i]) {
            return false;
        }
        in_both += is_kept;
        if (drawn[i]) {
            const acre_aabb box = town_box(w, i);
            const bool is_seen = town_ray_reaches(w, view, drawn, &box);
            const bool is_never = w->bodies[i].flags & ACRE_ENTITY_NEVER_CULL;
            sum->hidden += !is_seen && !is_never;
            sum->dropped += !is_kept;
            if (!is_kept && (is_seen || is_never)) {
                return false;
            }
        }
    }
    return in_both == walk->count;
}

// The never-cull set, the static tree, the moving tree.
static bool is_in_order(const town *w, const found_list *walk)
{
    uint32_t last = 0;
    for (size_t i = 0; i < walk->count; i++) {
        uint32_t rank = 0;
        for (int k = 0; k < TOWN_BODIES; k++) {
            if (w->bodies[k].entity.index1 - 1 == walk->slots[i]) {
                const uint32_t flags = w->bodies[k].flags;
                rank = flags & ACRE_ENTITY_NEVER_CULL ? 0 : flags & ACRE_ENTITY_STATIC ? 1 : 2;
            }
        }
        if (rank < last) {
            return false;
        }
        last = rank;
    }
    return true;
}

// ---- cases ----

static void look_with_horizon(town *w, const acre_view *view, acre_horizon *horizon, tally *sum)
{
    const found_list plain = query(w, *view, NULL), walk = query(w, *view, horizon);
    acre_horizon_stats stats;
    acre_horizon_get_stats(horizon, &stats);
    CHECK(compare_with_rays(w, view, &plain, &walk, sum));
    if (stats.gave_up) {
        CHECK(same_lists(&plain, &walk) && stats.occluders == 0);
        return;
    }
    sum->walks++;
    CHECK(is_in_order(w, &walk) && stats.kept + TOWN_BODIES / 10 >= walk.count);
    CHECK(stats.dropped <= stats.asked);
}

static void what_a_walk_leaves_out_is_hidden(void)
{
    tally sum = {0};
    for (uint64_t seed = test_seed; seed < test_seed + 3 * test_scale; seed++) {
        town w;
        CHECK(town_make(&w, seed, ACRE_KERNEL_DEFAULT, NULL));
        acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
        for (int frame = 0; frame < 5; frame++) {
            acre_view view;
            for (int i = 0; i < EYES; i++) {
                view = town_draw_view(&w);
                begin_at(horizon, &view);
                look_with_horizon(&w, &view, horizon, &sum);
            }
            town_edit(&w);
            look_with_horizon(&w, &view, horizon, &sum); // it begins anew by itself
        }
        acre_horizon_destroy(horizon);
        town_free(&w);
    }
    // It would be no walk that hides nothing.
    CHECK(sum.walks > 30 && sum.hidden > 1000 && 10 * sum.dropped > 6 * sum.hidden);
}

// What came later may hide what was kept before: the last question finds it.
static void nothing_that_is_kept_is_hidden_by_what_is_kept(void)
{
    town w;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    size_t late = 0;
    for (int i = 0; i < 40; i++) {
        const acre_view view = town_draw_view(&w);
        begin_at(horizon, &view);
        const found_list walk = query(&w, view, horizon);
        acre_horizon_stats stats;
        acre_horizon_get_stats(horizon, &stats);
        size_t never = 0;
        for (int k = 0; k < TOWN_BODIES && !stats.gave_up; k++) {
            const acre_aabb box = town_box(&w, k);
            if (!holds_slot(&walk, w.bodies[k].entity.index1 - 1)) {
                continue;
            }
            if (w.bodies[k].flags & ACRE_ENTITY_NEVER_CULL) {
                never++;
            } else {
                CHECK(!acre_horizon_hides(horizon, &box));
            }
        }
        late += stats.gave_up ? 0 : stats.kept - (walk.count - never);
    }
    CHECK(late > 10);
    acre_horizon_destroy(horizon);
    town_free(&w);
}

// Lists of many views, of queries and of sets. @return a hash.
static uint64_t hash_of_walks(acre_kernel kernel, const acre_tasks *tasks)
{
    town w;
    acre_horizon *horizons[EYES];
    acre_visible_set *sets[EYES];
    acre_view views[EYES];
    uint64_t hash = 1;
    EXPECT(town_make(&w, test_seed + 5, kernel, tasks));
    for (int i = 0; i < EYES; i++) {
        horizons[i] = make_horizon(kernel);
        EXPECT(acre_visible_set_create(&(acre_visible_set_def){.flags = ACRE_VISIBLE_CHANGES},
                                       &sets[i]) == ACRE_OK);
    }
    for (int frame = 0; frame < 6; frame++) {
        for (int i = 0; i < EYES; i++) {
            views[i] = town_draw_view(&w);
            views[i].horizon = horizons[i];
            begin_at(horizons[i], &views[i]);
        }
        EXPECT(acre_culling_find_visible_many(w.culling, views, sets, EYES) == ACRE_OK);
        for (int i = 0; i < EYES; i++) {
            const acre_visible found = acre_visible_set_get(sets[i]);
            for (size_t k = 0; k < found.count; k++) {
                hash = (hash ^ found.slots[k]) * UINT64_C(0x9e3779b97f4a7c15);
            }
            acre_horizon_stats stats;
            acre_horizon_get_stats(horizons[i], &stats);
            hash = (hash ^ stats.asked ^ stats.dropped << 20 ^ stats.occluders) *
                   UINT64_C(0x9e3779b97f4a7c15);
        }
        town_edit(&w);
    }
    for (int i = 0; i < EYES; i++) {
        acre_horizon_destroy(horizons[i]);
        acre_visible_set_destroy(sets[i]);
    }
    town_free(&w);
    return hash;
}

static uint64_t scalar_hash;

static bool has_scalar_hash(const acre_tasks *tasks, uint32_t number)
{
    (void)number;
    return hash_of_walks(ACRE_KERNEL_DEFAULT, tasks) == scalar_hash;
}

static void kernels_and_workers_walk_alike(void)
{
    scalar_hash = hash_of_walks(ACRE_KERNEL_SCALAR, NULL);
    for (int kernel = ACRE_KERNEL_DEFAULT; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        acre_horizon *probe = NULL;
        const acre_horizon_def def = {.kernel = (acre_kernel)kernel};
        if (acre_horizon_create(&def, &probe) == ACRE_OK) {
            CHECK(hash_of_walks((acre_kernel)kernel, NULL) == scalar_hash);
        }
        acre_horizon_destroy(probe);
    }
    CHECK(task_scheduler_try_all(has_scalar_hash));
}

// ---- giving up ----

static bool asks(const town *w, const acre_view *view, acre_horizon *horizon)
{
    begin_at(horizon, view);
    const found_list plain = query(w, *view, NULL), walk = query(w, *view, horizon);
    acre_horizon_stats stats;
    acre_horizon_get_stats(horizon, &stats);
    EXPECT(stats.gave_up && same_lists(&plain, &walk));
    EXPECT(stats.kept < 64); // it knows soon
    return stats.kept > 0;
}

static void from_above_a_walk_gives_up_and_finds_the_plain_set(void)
{
    town w;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    float eye[3] = {-30, 60, -30};
    acre_view high = town_view_at(eye, 0.8f, 1, 1.4f);
    CHECK(asks(&w, &high, horizon));
    // A finding that has no memory does not count.
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_visible_set *set;
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.allocator = &memory.allocator}, &set) ==
          ACRE_OK);
    acre_view nothing = high;
    for (int i = 1; i <= 2; i++) { // both arrays of the set have some room then
        nothing.max_distance = 0.01f * (float)i;
        CHECK(acre_culling_find_visible(w.culling, &nothing, set) == ACRE_OK);
    }
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    high.horizon = horizon;
    for (int i = 0; i < 20; i++) {
        CHECK(acre_culling_find_visible(w.culling, &high, set) == ACRE_ERROR_OUT_OF_MEMORY);
    }
    acre_visible_set_destroy(set);
    // It remembers for fifteen queries, then for twice as many and so on.
    static const int waits[] = {15, 31, 63, 127, 127};
    for (size_t k = 0; k < sizeof waits / sizeof *waits; k++) {
        for (int i = 0; i < waits[k]; i++) {
            CHECK(!asks(&w, &high, horizon));
        }
        CHECK(asks(&w, &high, horizon));
    }
    // Or until the eye has sunk so far that something rises, and no sooner.
    acre_horizon_stats stats = {.gave_up = true};
    for (; stats.kept == 0 && eye[1] > 1; eye[1] -= 1) {
        const acre_view lower = town_view_at(eye, 0.8f, 1, 1.4f);
        begin_at(horizon, &lower);
        (void)query(&w, lower, horizon);
        acre_horizon_get_stats(horizon, &stats);
    }
    CHECK(eye[1] > 5 && eye[1] < 40);
    // Down in the street it pays at once.
    stats.gave_up = true;
    for (int i = 0; i < 20 && stats.gave_up; i++) {
        acre_view low = town_draw_view(&w);
        eye[1] = 1.7f;
        low = town_view_at(eye, town_spread(&w, 3), 0, 1);
        begin_at(horizon, &low);
        (void)query(&w, low, horizon);
        acre_horizon_get_stats(horizon, &stats);
    }
    CHECK(!stats.gave_up && stats.occluders > 0);
    acre_horizon_destroy(horizon);
    town_free(&w);
}

// A lawn of things without occluders, and a wall that hides a share of them.
static void where_little_is_hidden_a_walk_gives_up(void)
{
    for (int wide = 0; wide < 2; wide++) {
        town w;
        CHECK(acre_scene_create(NULL, &w.scene) == ACRE_OK);
        CHECK(acre_culling_create(w.scene, &(acre_culling_def){.register_all = true}, &w.culling) ==
              ACRE_OK);
        const float half = wide ? 8 : 0.15f;
        const acre_aabb wall = {{4, 0, -half}, {5, 6, half}},
                        tuft = {{0, 0, 0}, {0.1f, 0.1f, 0.1f}};
        acre_entity entity;
        acre_occluder occluder;
        const acre_entity_def def = {.bounds = &wall};
        CHECK(acre_entity_create(w.scene, &def, &entity) == ACRE_OK);
        CHECK(acre_occluder_from_box(&occluder, &wall) == ACRE_OK);
        CHECK(acre_culling_set_occluders(w.culling, entity, &occluder, 1) == ACRE_OK);
        for (int i = 0; i < 64 * 128; i++) {
            const acre_transform local = {
                {6 + (float)(i % 64), 0, (float)(i / 64) - 63.5f}, {0, 0, 0, 1}, {1, 1, 1}};
            CHECK(acre_entity_create(w.scene, &(acre_entity_def){.bounds = &tuft, .local = &local},
                                     &entity) == ACRE_OK);
        }
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
        acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
        const float eye[3] = {0, 1.7f, 0};
        const acre_view view = town_view_at(eye, 0, 0.2f, 2.5f);
        begin_at(horizon, &view);
        const found_list plain = query(&w, view, NULL), walk = query(&w, view, horizon);
        acre_horizon_stats stats;
        acre_horizon_get_stats(horizon, &stats);
        CHECK(plain.count > 4000 && stats.gave_up == !wide && stats.dropped > 0);
        CHECK(wide ? walk.count * 2 < plain.count : same_lists(&plain, &walk));
        acre_horizon_destroy(horizon);
        town_free(&w);
    }
}

// ---- what is refused, and what stays plain ----

static void a_horizon_belongs_to_its_eye_and_to_one_view(void)
{
    town w;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    const float eye[3] = {3, 1.7f, 2}, region[3] = {0.5f, 0.1f, 0.5f};
    acre_view view = town_view_at(eye, 0.3f, 0, 1);
    const found_list plain = query(&w, view, NULL), early = query(&w, view, horizon);
    CHECK(same_lists(&plain, &early)); // it was not begun
    uint32_t slots[TOWN_BODIES];
    size_t total = 7;
    view.horizon = horizon;
    const float beside[3] = {3.6f, 1.7f, 2}, above[3] = {3, 1.9f, 2}, inside[3] = {3.4f, 1.7f, 2};
    CHECK(acre_horizon_begin(horizon, beside, NULL, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, TOWN_BODIES, &total) ==
              ACRE_ERROR_INVALID_ARGUMENT &&
          total == 0);
    CHECK(acre_horizon_begin(horizon, beside, region, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, TOWN_BODIES, &total) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_horizon_begin(horizon, above, region, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, TOWN_BODIES, &total) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_horizon_begin(horizon, inside, region, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, TOWN_BODIES, &total) == ACRE_OK &&
          total > 0);
    // No eye: nothing is hidden.
    view.is_parallel = true;
    const found_list flat = query(&w, view, horizon);
    CHECK(same_lists(&plain, &flat));
    view.is_parallel = false;
    acre_visible_set *sets[2];
    for (int i = 0; i < 2; i++) {
        CHECK(acre_visible_set_create(NULL, &sets[i]) == ACRE_OK);
    }
    acre_view views[2] = {view, view};
    CHECK(acre_culling_find_visible_many(w.culling, views, sets, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_visible_set_get(sets[0]).count == 0);
    views[0].horizon = NULL;
    CHECK(acre_culling_find_visible_many(w.culling, views, sets, 2) == ACRE_OK);
    CHECK(acre_visible_set_freeze(sets[0], true) == ACRE_OK);
    views[0].horizon = horizon; // which a frozen set leaves alone
    CHECK(acre_culling_find_visible_many(w.culling, views, sets, 2) == ACRE_OK);
    for (int i = 0; i < 2; i++) {
        acre_visible_set_destroy(sets[i]);
    }
    acre_horizon_destroy(horizon);
    town_free(&w);
}

static void without_occluders_there_is_no_walk(void)
{
    town w;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    for (int i = 0; i < TOWN_BODIES; i++) {
        w.bodies[i].is_occluder = false;
        town_give_occluders(&w, &w.bodies[i]);
    }
    for (int i = 0; i < 5; i++) {
        const acre_view view = town_draw_view(&w);
        begin_at(horizon, &view);
        const found_list plain = query(&w, view, NULL), walk = query(&w, view, horizon);
        acre_horizon_stats stats;
        acre_horizon_get_stats(horizon, &stats);
        CHECK(same_lists(&plain, &walk) && stats.asked == 0 && stats.kept == 0 && !stats.gave_up);
    }
    acre_horizon_destroy(horizon);
    town_free(&w);
}

// What is kept at first needs more room than the horizon has from the beginning.
static void small_arrays_and_no_memory(void)
{
    town w;
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *horizon;
    CHECK(acre_horizon_create(&(acre_horizon_def){.allocator = &memory.allocator}, &horizon) ==
          ACRE_OK);
    const size_t blocks = memory.live_blocks;
    const float eye[3] = {3, 1.7f, 2};
    acre_view view = town_view_at(eye, 0.3f, 0, 1.2f);
    begin_at(horizon, &view);
    const found_list walk = query(&w, view, horizon);
    view.horizon = horizon;
    for (size_t room = 0; room < walk.count; room += 1 + walk.count / 3) {
        uint32_t slots[TOWN_BODIES];
        size_t total = 0;
        slots[room] = 12345;
        CHECK(acre_culling_query_view(w.culling, &view, room ? slots : NULL, room, &total) ==
              ACRE_OK);
        CHECK(total == walk.count && slots[room] == 12345);
        CHECK(memcmp(slots, walk.slots, room * sizeof *slots) == 0);
    }
    CHECK(memory.live_blocks == blocks);
    for (int i = 0; i < 1100; i++) {
        acre_entity entity;
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.flags = ACRE_ENTITY_NEVER_CULL},
                                 &entity) == ACRE_OK);
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    static uint32_t many[TOWN_BODIES + 1100];
    size_t total = 7;
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_culling_query_view(w.culling, &view, many, TOWN_BODIES + 1100, &total) ==
              ACRE_ERROR_OUT_OF_MEMORY &&
          total == 0);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    CHECK(acre_culling_query_view(w.culling, &view, many, TOWN_BODIES + 1100, &total) == ACRE_OK &&
          total == walk.count + 1100);
    acre_horizon_destroy(horizon);
    CHECK(failing_allocator_fault(&memory) == NULL && memory.live_blocks == 0);
    town_free(&w);
}

// ---- sets ----

static bool lods_are_those_of_boxes(const town *w, const acre_view *view,
                                    const acre_visibility_rule *rule, const acre_visible *found)
{
    for (size_t i = 0; i < found->count; i++) {
        for (int k = 0; k < TOWN_BODIES; k++) {
            const town_body *const b = &w->bodies[k];
            const acre_aabb box = town_box(w, k);
            uint32_t lod = 0;
            if (b->entity.index1 - 1 == found->slots[i] && !(b->flags & ACRE_ENTITY_NEVER_CULL)) {
                (void)acre_view_test_rules(view, rule, &box, NULL, &lod);
                if (found->lods[i] != lod) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void a_set_lists_what_a_query_finds(void)
{
    town w;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    acre_visible_set *set;
    CHECK(acre_visible_set_create(
              &(acre_visible_set_def){.flags = ACRE_VISIBLE_SUM | ACRE_VISIBLE_LODS}, &set) ==
          ACRE_OK);
    const acre_visibility_rule rule = {.lod_pixels = {80, 40, 10}};
    CHECK(acre_culling_set_rules(w.culling, &rule, 1) == ACRE_OK);
    for (int k = 0; k < TOWN_BODIES; k++) {
        CHECK(acre_culling_set_rule(w.culling, w.bodies[k].entity, 1) == ACRE_OK);
    }
    for (int i = 0; i < 12; i++) {
        acre_view view = town_draw_view(&w);
        view.pixels = 600;
        begin_at(horizon, &view);
        const found_list walk = query(&w, view, horizon);
        view.horizon = horizon;
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        const acre_visible found = acre_visible_set_get(set);
        const found_list *const list = &walk;
        CHECK(found.count == list->count && !found.is_reused);
        CHECK(memcmp(found.slots, list->slots, found.count * sizeof found.slots[0]) == 0);
        acre_aabb sum = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int k = 0; k < TOWN_BODIES; k++) {
            const acre_aabb box = town_box(&w, k);
            for (int axis = 0; axis < 3 && !(w.bodies[k].flags & ACRE_ENTITY_NEVER_CULL) &&
                               holds_slot(list, w.bodies[k].entity.index1 - 1);
                 axis++) {
                sum.min[axis] = fminf(sum.min[axis], box.min[axis]);
                sum.max[axis] = fmaxf(sum.max[axis], box.max[axis]);
            }
        }
        CHECK(sum.min[0] > sum.max[0] || memcmp(&sum, &found.sum.box, sizeof sum) == 0);
        CHECK(lods_are_those_of_boxes(&w, &view, &rule, &found));
        // The same place: the result still holds. Another region or near radius: it does not.
        begin_at(horizon, &view);
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        CHECK(acre_visible_set_get(set).is_reused);
        const float region[3] = {0.2f, 0.2f, 0.2f};
        CHECK(acre_horizon_begin(horizon, view.eye, region, TOWN_NEAR_RADIUS) == ACRE_OK);
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        CHECK(!acre_visible_set_get(set).is_reused);
        CHECK(acre_horizon_begin(horizon, view.eye, region, 0.5f * TOWN_NEAR_RADIUS) == ACRE_OK);
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        CHECK(!acre_visible_set_get(set).is_reused);
    }
    acre_visible_set_destroy(set);
    acre_horizon_destroy(horizon);
    town_free(&w);
}

static void a_frozen_set_keeps_its_list(void)
{
    town w;
    CHECK(town_make(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    acre_visible_set *set;
    const uint32_t flags = ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_SUM | ACRE_VISIBLE_LODS;
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.flags = flags}, &set) == ACRE_OK);
    const float eye[3] = {3, 1.7f, 2};
    acre_view view = town_view_at(eye, 0.3f, 0, 1.2f);
    view.horizon = horizon;
    begin_at(horizon, &view);
    CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
    const found_list before = query(&w, view, horizon);
    CHECK(acre_visible_set_freeze(set, true) == ACRE_OK);
    acre_horizon_destroy(horizon);
    town_edit(&w);
    view.horizon = NULL;
    CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
    const acre_visible now = acre_visible_set_get(set);
    CHECK(now.count > 0 && now.entered_count + now.stayed_count == now.count);
    for (size_t i = 0; i < now.count; i++) {
        CHECK(holds_slot(&before, now.slots[i])); // of these, some may have gone
    }
    for (int i = 0; i < TOWN_BODIES; i++) {
        found_list list = {.count = now.count};
        memcpy(list.slots, now.slots, now.count * sizeof now.slots[0]);
        const uint32_t slot = w.bodies[i].entity.index1 - 1;
        const bool is_there = !(w.bodies[i].flags & ACRE_ENTITY_HIDDEN);
        CHECK(holds_slot(&list, slot) == (holds_slot(&before, slot) && is_there));
    }
    CHECK(acre_visible_set_freeze(set, false) == ACRE_OK);
    CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
    CHECK(acre_visible_set_get(set).count == query(&w, view, NULL).count);
    acre_visible_set_destroy(set);
    town_free(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(what_a_walk_leaves_out_is_hidden),
        TEST(nothing_that_is_kept_is_hidden_by_what_is_kept),
        TEST(kernels_and_workers_walk_alike),
        TEST(from_above_a_walk_gives_up_and_finds_the_plain_set),
        TEST(where_little_is_hidden_a_walk_gives_up),
        TEST(a_horizon_belongs_to_its_eye_and_to_one_view),
        TEST(without_occluders_there_is_no_walk),
        TEST(small_arrays_and_no_memory),
        TEST(a_set_lists_what_a_query_finds),
        TEST(a_frozen_set_keeps_its_list),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
