// SPDX-License-Identifier: MIT
// test_visible_set.c - random worlds, wandering cameras: what each set finds, keeps and explains is
// compared with the oracle, entity by entity, in every frame.
#include "view_world.h"

#include <math.h>
#include <string.h>

#define RIGS 4

// ---- random streams ----

typedef struct stream_totals {
    uint64_t compared, reused, visible, tested, findings, hash;
} stream_totals;

static void add_totals(stream_totals *totals, const view_rig *rig)
{
    totals->compared += rig->compared;
    totals->reused += rig->reused;
    totals->visible += rig->visible;
    totals->tested += rig->tested;
    totals->findings += rig->findings;
    totals->hash = (totals->hash ^ rig->hash) * 0x100000001b3u;
}

static const char *run_rig(view_rig *rig, const view_world *world, acre_visible_set *fresh,
                           bool explains)
{
    test_random *const random = &rig->random;
    view_rig_move(rig, world);
    const uint32_t dice = random_below(random, 100);
    if (dice == 0) {
        view_rig_clear(rig);
    } else if (dice < 4 && rig->culling) {
        rig->is_frozen = !rig->is_frozen;
        if (acre_visible_set_freeze(rig->set, rig->is_frozen) != ACRE_OK) {
            return "freeze";
        }
    }
    const char *fault = view_rig_find(rig, world, explains);
    if (!fault && dice < 20) {
        fault = view_rig_find(rig, world, false); // at once again
    }
    return fault || dice < 80 ? fault : view_rig_check_fresh(rig, world, fresh);
}

static const char *run_frames(view_world *world, view_rig *rigs, acre_visible_set *fresh,
                              int frames, int explain_every)
{
    for (int frame = 0; frame < frames; frame++) {
        const char *fault = view_world_frame(world);
        for (int i = 0; i < RIGS && !fault; i++) {
            fault = run_rig(&rigs[i], world, fresh, (frame + i) % explain_every == 0);
        }
        if (fault) {
            printf("stream %llu, frame %d: %s\n", (unsigned long long)world->def.seed, frame,
                   fault);
            return fault;
        }
    }
    return NULL;
}

static bool run_stream(const view_world_def *def, int frames, int explain_every,
                       stream_totals *totals)
{
    static const uint32_t flags[RIGS] = {
        ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_BITS, ACRE_VISIBLE_CHANGES,
        ACRE_VISIBLE_LODS | ACRE_VISIBLE_BITS, 0};
    view_world world;
    view_rig rigs[RIGS];
    acre_visible_set *fresh = NULL;
    const acre_visible_set_def fresh_def = {.flags = ACRE_VISIBLE_LODS};
    bool is_good =
        view_world_create(&world, def) && acre_visible_set_create(&fresh_def, &fresh) == ACRE_OK;
    for (int i = 0; i < RIGS; i++) {
        is_good =
            view_rig_create(&rigs[i], def->seed + 77u * (uint64_t)i, flags[i], NULL) && is_good;
    }
    is_good = is_good && run_frames(&world, rigs, fresh, frames, explain_every) == NULL;
    for (int i = 0; i < RIGS; i++) {
        add_totals(totals, &rigs[i]);
        view_rig_destroy(&rigs[i]);
    }
    acre_visible_set_destroy(fresh);
    view_world_destroy(&world);
    return is_good;
}

static void small_worlds_equal_the_oracle_with_every_entity_explained(void)
{
    stream_totals totals = {0};
    for (uint32_t i = 0; i < 30 * test_scale; i++) {
        const view_world_def def = {
            .seed = test_seed + i, .entities = 40, .register_all = i % 3 > 0};
        CHECK(run_stream(&def, 60, 1, &totals));
    }
    CHECK(totals.reused > totals.findings / 50 && totals.visible > totals.findings);
}

static void large_worlds_equal_the_oracle_in_every_frame(void)
{
    stream_totals totals = {0};
    for (uint32_t i = 0; i < 3 * test_scale; i++) {
        const view_world_def def = {
            .seed = test_seed + 100 + i, .entities = 900, .register_all = i % 2 == 0};
        CHECK(run_stream(&def, 80, 12, &totals));
    }
    CHECK(totals.compared > 500000 * test_scale && totals.visible > 100 * totals.findings / 8);
}

// Small motions among entities that hardly change.
static void calm_worlds_equal_the_oracle_along_the_whole_way(void)
{
    stream_totals totals = {0};
    for (uint32_t i = 0; i < 4 * test_scale; i++) {
        const view_world_def def = {
            .seed = test_seed + 200 + i, .entities = 600, .register_all = true, .is_calm = true};
        CHECK(run_stream(&def, 150, 50, &totals));
    }
}

// Far from the origin floats are coarse, and a small motion is none or one of a whole step.
static void far_from_the_origin_the_same_holds(void)
{
    static const float offsets[] = {3e3f, -1e5f, 2e6f, 1e8f};
    stream_totals totals = {0};
    for (uint32_t i = 0; i < 8 * test_scale; i++) {
        const view_world_def def = {.seed = test_seed + 300 + i,
                                    .entities = i % 8 < 4 ? 700 : 100,
                                    .register_all = true,
                                    .offset = offsets[i % 4],
                                    .is_calm = i % 8 < 4};
        CHECK(run_stream(&def, 80, 25, &totals));
    }
}

static void the_same_calls_give_the_same_lists_in_the_same_order(void)
{
    stream_totals first = {0}, second = {0};
    const view_world_def def = {.seed = test_seed + 400, .entities = 300, .register_all = true};
    CHECK(run_stream(&def, 60, 30, &first));
    CHECK(run_stream(&def, 60, 7, &second)); // explaining changes nothing
    CHECK(first.hash == second.hash && first.tested == second.tested);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(small_worlds_equal_the_oracle_with_every_entity_explained),
        TEST(large_worlds_equal_the_oracle_in_every_frame),
        TEST(calm_worlds_equal_the_oracle_along_the_whole_way),
        TEST(far_from_the_origin_the_same_holds),
        TEST(the_same_calls_give_the_same_lists_in_the_same_order),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
