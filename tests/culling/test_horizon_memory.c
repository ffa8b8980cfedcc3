// SPDX-License-Identifier: MIT
// test_horizon_memory.c - horizons and findings with them where the allocator fails: an error code,
// and all is as before; and what allocates nothing.
#include "culling_internal.h"
#include "failing_allocator.h"
#include "occluded_town.h"

#include <acre/horizon.h>
#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

enum { SETS = 2, SLOTS = TOWN_BODIES + 64 };

static bool same_stats(const acre_horizon *horizon, const acre_horizon_stats *before)
{
    acre_horizon_stats now;
    acre_horizon_get_stats(horizon, &now);
    return now.asked == before->asked && now.dropped == before->dropped &&
           now.kept == before->kept && now.occluders == before->occluders &&
           now.gave_up == before->gave_up;
}

static void each_allocation_of_a_horizon_may_fail(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_horizon_def def = {.allocator = &memory.allocator};
    acre_horizon *horizon;
    CHECK(acre_horizon_create(&def, &horizon) == ACRE_OK);
    const uint64_t requests = memory.requests;
    acre_horizon_destroy(horizon);
    CHECK(requests >= 2);
    for (uint64_t at = 1; at <= requests; at++) {
        failing_allocator_arm(&memory, at % 2 ? FAIL_ONCE : FAIL_FROM, at);
        horizon = (acre_horizon *)&memory;
        CHECK(acre_horizon_create(&def, &horizon) == ACRE_ERROR_OUT_OF_MEMORY && !horizon);
    }
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// A town of one culler, and two sets that look at it with horizons; all of one allocator.
typedef struct look {
    failing_allocator memory;
    town w;
    acre_horizon *horizons[SETS];
    acre_visible_set *sets[SETS];
    acre_view views[SETS];
} look;

static void make_look(look *of)
{
    failing_allocator_init(&of->memory, FAIL_NEVER, 0);
    EXPECT(town_make(&of->w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    for (int i = 0; i < SETS; i++) {
        EXPECT(acre_horizon_create(&(acre_horizon_def){.allocator = &of->memory.allocator},
                                   &of->horizons[i]) == ACRE_OK);
        const acre_visible_set_def def = {.flags = ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_LODS,
                                          .allocator = &of->memory.allocator};
        EXPECT(acre_visible_set_create(&def, &of->sets[i]) == ACRE_OK);
    }
}

static void free_look(look *of)
{
    for (int i = 0; i < SETS; i++) {
        acre_horizon_destroy(of->horizons[i]);
        acre_visible_set_destroy(of->sets[i]);
    }
    town_free(&of->w);
}

static void turn_to(look *of, float yaw)
{
    for (int i = 0; i < SETS; i++) {
        const float eye[3] = {3 - 6 * (float)i, 1.7f, 2};
        of->views[i] = town_view_at(eye, yaw, 0, 1.2f);
        of->views[i].horizon = of->horizons[i];
        EXPECT(acre_horizon_begin(of->horizons[i], of->views[i].eye, NULL, TOWN_NEAR_RADIUS) ==
               ACRE_OK);
    }
}

// Each finding fails at each of its allocations, first by itself, then with another view.
static void a_finding_without_memory_leaves_set_and_horizon_alone(void)
{
    static look of;
    uint64_t failed = 0;
    make_look(&of);
    for (uint64_t at = 1; at <= 12; at++) {
        turn_to(&of, 0.4f * (float)at);
        acre_horizon_stats before[SETS];
        size_t counts[SETS];
        for (int i = 0; i < SETS; i++) {
            acre_horizon_get_stats(of.horizons[i], &before[i]);
            counts[i] = acre_visible_set_get(of.sets[i]).count;
        }
        failing_allocator_arm(&of.memory, FAIL_FROM, 1 + at % 4);
        const acre_result first = acre_culling_find_visible(of.w.culling, &of.views[0], of.sets[0]);
        if (first == ACRE_ERROR_OUT_OF_MEMORY) {
            failed++;
            CHECK(acre_visible_set_get(of.sets[0]).count == counts[0]);
            CHECK(same_stats(of.horizons[0], &before[0]));
        } else {
            CHECK(first == ACRE_OK);
        }
        const acre_result both =
            acre_culling_find_visible_many(of.w.culling, of.views, of.sets, SETS);
        CHECK(both == ACRE_OK || both == ACRE_ERROR_OUT_OF_MEMORY);
        failing_allocator_arm(&of.memory, FAIL_NEVER, 0);
        CHECK(acre_culling_find_visible_many(of.w.culling, of.views, of.sets, SETS) == ACRE_OK);
        for (int i = 0; i < SETS; i++) {
            uint32_t slots[TOWN_BODIES];
            size_t total = 0;
            CHECK(acre_culling_query_view(of.w.culling, &of.views[i], slots, TOWN_BODIES, &total) ==
                  ACRE_OK);
            const acre_visible found = acre_visible_set_get(of.sets[i]);
            CHECK(found.count == total && memcmp(found.slots, slots, total * sizeof *slots) == 0);
        }
    }
    CHECK(failed > 0);
    free_look(&of);
    CHECK(failing_allocator_verdict(&of.memory) == NULL);
}

static void a_steady_walk_allocates_nothing(void)
{
    static look of;
    make_look(&of);
    for (int turn = 0; turn < 24; turn++) {
        turn_to(&of, 0.5f * (float)turn);
        CHECK(acre_culling_find_visible_many(of.w.culling, of.views, of.sets, SETS) == ACRE_OK);
        if (turn == 12) {
            failing_allocator_arm(&of.memory, FAIL_NEVER, 0);
        }
    }
    uint32_t slots[TOWN_BODIES];
    size_t total;
    const acre_aabb box = {{20, 0, 20}, {21, 1, 21}};
    CHECK(acre_culling_query_view(of.w.culling, &of.views[0], slots, TOWN_BODIES, &total) ==
          ACRE_OK);
    (void)acre_horizon_hides(of.horizons[0], &box);
    CHECK(acre_horizon_test(of.horizons[0], &box, 1, slots) <= 1);
    CHECK(of.memory.requests == 0);
    free_look(&of);
    CHECK(failing_allocator_verdict(&of.memory) == NULL);
}

// ---- moving cameras ----

// Marks the slots of a list.
static void mark_slots(bool *marks, const acre_visible *found)
{
    memset(marks, 0, SLOTS * sizeof *marks);
    for (size_t i = 0; i < found->count; i++) {
        marks[found->slots[i]] = true;
    }
}

// What a set says of entering and leaving, against its lists before and after.
static void what_occlusion_hides_and_shows_enters_and_leaves(void)
{
    static look of;
    static bool before[SLOTS], now[SLOTS];
    size_t changes = 0, hidden = 0;
    make_look(&of);
    for (int frame = 0; frame < 120; frame++) {
        const float at = 0.05f * (float)frame;
        const float eye[3] = {20 * cosf(at), 1.7f, 20 * sinf(at)};
        acre_view view = town_view_at(eye, at + 1.6f, 0, 1.2f);
        size_t plain, came = 0, went = 0;
        CHECK(acre_culling_query_view(of.w.culling, &view, NULL, 0, &plain) == ACRE_OK);
        view.horizon = of.horizons[0];
        CHECK(acre_horizon_begin(of.horizons[0], view.eye, NULL, TOWN_NEAR_RADIUS) == ACRE_OK);
        CHECK(acre_culling_find_visible(of.w.culling, &view, of.sets[0]) == ACRE_OK);
        acre_visible found = acre_visible_set_get(of.sets[0]);
        mark_slots(now, &found);
        for (size_t i = 0; i < SLOTS; i++) {
            came += now[i] && !before[i];
            went += !now[i] && before[i];
        }
        CHECK(found.entered_count == came && found.left_count == went &&
              found.stayed_count + came == found.count && found.count <= plain);
        for (size_t i = 0; i < came; i++) {
            CHECK(now[found.entered[i]] && !before[found.entered[i]]);
        }
        for (size_t i = 0; i < went; i++) {
            CHECK(!now[found.left[i]] && before[found.left[i]]);
        }
        changes += came + went;
        hidden += plain - found.count;
        if (frame % 8 == 7) { // houses move, doors open, some go and others come
            town_edit(&of.w);
            CHECK(acre_culling_find_visible(of.w.culling, &view, of.sets[0]) == ACRE_OK);
            found = acre_visible_set_get(of.sets[0]);
        }
        mark_slots(before, &found);
    }
    CHECK(changes > 300 && hidden > 2000);
    free_look(&of);
    CHECK(failing_allocator_verdict(&of.memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(each_allocation_of_a_horizon_may_fail),
        TEST(a_finding_without_memory_leaves_set_and_horizon_alone),
        TEST(a_steady_walk_allocates_nothing),
        TEST(what_occlusion_hides_and_shows_enters_and_leaves),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
