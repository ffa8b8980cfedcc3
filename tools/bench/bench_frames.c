// SPDX-License-Identifier: MIT
// bench_frames.c - one frame of a world.
#include "bench_frames.h"

// Knuth's MMIX.
static uint32_t next_random(frame_plan *plan, uint32_t below)
{
    plan->random = plan->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((plan->random >> 33) % below);
}

// One item of each of `picks` equal parts of all: ascending, and none twice.
static void pick_items(const bench_race *race, frame_plan *plan, uint32_t picks, uint32_t *out)
{
    const uint32_t width = picks ? race->workload.count / picks : 1;
    for (uint32_t i = 0; i < picks; i++) {
        out[i] = i * width + next_random(plan, width);
    }
}

static void scatter(bench_race *race, frame_plan *plan, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        workload_respawn(&race->workload, items[i], &plan->random);
    }
}

void frame_advance(bench_race *race, frame_plan *plan)
{
    pick_items(race, plan, plan->respawns, race->spawned);
    scatter(race, plan, race->spawned, plan->respawns);
    plan->movers = 0;
    if (plan->stride) {
        const uint32_t first = plan->is_rotating ? plan->frame % plan->stride : 0;
        workload_advance(&race->workload, first, plan->stride);
        for (uint32_t item = first; item < race->workload.count; item += plan->stride) {
            race->items[plan->movers++] = item;
        }
    } else {
        pick_items(race, plan, plan->teleports, race->items);
        scatter(race, plan, race->items, plan->teleports);
        plan->movers = plan->teleports;
    }
    plan->frame++;
}

bool frame_is_possible(const bench_contender *what, const frame_plan *plan)
{
    return what->refresh && (plan->respawns == 0 || (what->insert && what->remove));
}

bool frame_run(bench_race *race, const bench_contender *what, void *state, const frame_plan *plan,
               frame_times *out)
{
    const bench_workload *const workload = &race->workload;
    bool is_good =
        !what->prepare || what->prepare(state, race->items, plan->movers, workload->boxes);
    const double begin = clock_seconds();
    if (plan->respawns) {
        is_good = is_good && what->remove(state, race->spawned, plan->respawns);
    }
    const double middle = clock_seconds();
    if (plan->respawns) {
        is_good = is_good && what->insert(state, race->spawned, plan->respawns, workload->boxes);
    }
    is_good = is_good &&
              what->refresh(state, race->items, plan->movers, workload->boxes, workload->count);
    out->out = middle - begin;
    out->in = clock_seconds() - middle;
    return is_good;
}
