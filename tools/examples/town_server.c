// SPDX-License-Identifier: MIT
// town_server.c - a server that sends each player what is near: spawns, despawns and updates, with
// no scene and no renderer. Far things are sent less often, and a team sees its members everywhere.
#include <acre/interest.h>

#include <stdio.h>

enum { PLAYERS = 4, ITEMS = 200, TICKS = 60, TEAM = 7 };

typedef struct town {
    acre_quadtree *tree;
    acre_interest *interest;
    acre_observer observers[PLAYERS]; // player i is item i
    float x[ITEMS], z[ITEMS], x_step[ITEMS], z_step[ITEMS];
    size_t spawns, despawns, updates, unsent;
} town;

static acre_aabb box_of(const town *it, uint32_t item)
{
    return (acre_aabb){{it->x[item], 0, it->z[item]}, {it->x[item] + 1, 2, it->z[item] + 1}};
}

// Everybody walks, and turns at the walls.
static acre_result walk(town *it)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < ITEMS && result == ACRE_OK; i++) {
        it->x_step[i] = it->x[i] < 0 || it->x[i] > 200 ? -it->x_step[i] : it->x_step[i];
        it->z_step[i] = it->z[i] < 0 || it->z[i] > 200 ? -it->z_step[i] : it->z_step[i];
        it->x[i] += it->x_step[i];
        it->z[i] += it->z_step[i];
        const acre_aabb box = box_of(it, i);
        result = acre_quadtree_refresh(it->tree, i, &box);
    }
    return result == ACRE_OK ? acre_quadtree_maintain(it->tree) : result;
}

static acre_result open_town(town *it)
{
    acre_result result = acre_quadtree_create(&(acre_quadtree_def){.half_size = 256}, &it->tree);
    result = result == ACRE_OK ? acre_interest_create(it->tree, NULL, &it->interest) : result;
    for (uint32_t i = 0; i < ITEMS && result == ACRE_OK; i++) {
        it->x[i] = (float)(i * 37 % 200);
        it->z[i] = (float)(i * 61 % 200);
        it->x_step[i] = (float)(i % 5) * 0.5f - 1.0f;
        it->z_step[i] = (float)(i % 7) * 0.25f - 0.75f;
        const acre_aabb box = box_of(it, i);
        result = acre_quadtree_insert(it->tree, i, &box);
    }
    for (uint32_t i = 0; i < PLAYERS && result == ACRE_OK; i++) {
        const acre_observer_def def = {.follows_item = true,
                                       .item = i,
                                       .enter_radius = 40,
                                       .leave_radius = 44,
                                       .band_limits = {10, 25}};
        result = acre_interest_add(it->interest, &def, &it->observers[i]);
    }
    return result;
}

// Sends what is in band 0 in each tick, in band 1 in every second one, in band 2 in every fourth.
static acre_result send(town *it, uint32_t player, uint32_t tick)
{
    uint32_t items[ITEMS];
    uint8_t bands[ITEMS];
    size_t count = 0;
    const acre_result result =
        acre_interest_list_seen(it->interest, it->observers[player], items, bands, ITEMS, &count);
    for (size_t i = 0; i < count; i++) {
        const bool is_due = tick % (1u << bands[i]) == 0;
        it->updates += is_due;
        it->unsent += !is_due;
    }
    return result;
}

static acre_result step(town *it, uint32_t tick)
{
    acre_result result = walk(it);
    result = result == ACRE_OK ? acre_interest_update(it->interest) : result;
    const acre_interest_changes changes = acre_interest_get_changes(it->interest);
    for (uint32_t i = 0; i < PLAYERS && result == ACRE_OK; i++) {
        const size_t row = it->observers[i].index1 - 1;
        it->spawns += changes.entered.offsets[row + 1] - changes.entered.offsets[row];
        it->despawns += changes.left.offsets[row + 1] - changes.left.offsets[row];
        result = send(it, i, tick);
    }
    return result;
}

int main(void)
{
    static town it;
    acre_result result = open_town(&it);
    for (uint32_t tick = 0; tick < TICKS && result == ACRE_OK; tick++) {
        if (tick == TICKS / 2) { // two players join a team
            for (uint32_t i = 0; i < 2 && result == ACRE_OK; i++) {
                result = acre_interest_join(it.interest, it.observers[i], TEAM);
                result = result == ACRE_OK ? acre_interest_join_item(it.interest, i, TEAM) : result;
            }
        }
        result = result == ACRE_OK ? step(&it, tick) : result;
    }
    printf("%zu spawns, %zu despawns, %zu updates sent, %zu left for a later tick\n", it.spawns,
           it.despawns, it.updates, it.unsent);
    printf("player 0 has %u reason to see player 1\n",
           (unsigned)acre_interest_reasons(it.interest, it.observers[0], 1));
    acre_interest_destroy(it.interest);
    acre_quadtree_destroy(it.tree);
    if (result != ACRE_OK) {
        fprintf(stderr, "town_server: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
