// SPDX-License-Identifier: MIT
// test_country_views.c - on a scene as games have it, every way to ask a view finds what the
// definitions say of each entity; a plain loop over what a query found is a second opinion.
#include "test.h"
#include "view_cases.h"

enum { ENTITIES = 1500, TRACKS = 2 };

static bool check_all(case_runner *runner, uint64_t *checked)
{
    char message[256];
    bool ok = true;
    for (uint32_t k = 0; k < runner->world->kind_count && ok; k++) {
        const track_kind *const kind = &runner->world->kinds[k];
        for (uint32_t track = 0; track < kind->track_count && ok; track++) {
            ok = cases_check(runner, kind, track, checked, message, sizeof message);
        }
    }
    if (!ok) {
        printf("     %s\n", message);
    }
    return ok;
}

static void every_case_finds_what_the_definitions_say(void)
{
    country_scene world;
    case_runner runner;
    uint64_t checked = 0;
    CHECK(country_scene_create(&world, ENTITIES, TRACKS, ACRE_KERNEL_DEFAULT));
    CHECK(case_runner_create(&runner, &world));
    CHECK(check_all(&runner, &checked));
    CHECK(checked == (4 * TRACKS + 1) * VIEW_CASES * 3);
    case_runner_free(&runner);
    country_scene_free(&world, true);
}

// The last one that is found goes missing.
static size_t lose_one(void *user, const acre_frustum *frustum, uint32_t *items)
{
    const country_scene *const world = user;
    size_t found = 0;
    for (uint32_t item = 0; item < world->item_count; item++) {
        if (acre_frustum_test_aabb(frustum, &world->boxes[item])) {
            items[found++] = item;
        }
    }
    return found > 0 ? found - 1 : 0;
}

static void a_lost_entity_and_a_wrong_rule_are_noticed(void)
{
    country_scene world;
    case_runner runner;
    uint64_t checked = 0;
    CHECK(country_scene_create(&world, ENTITIES, 1, ACRE_KERNEL_SCALAR));
    CHECK(case_runner_create(&runner, &world));
    runner.query_all = lose_one;
    runner.user = &world;
    CHECK(!check_all(&runner, &checked));
    case_runner_free(&runner);
    CHECK(case_runner_create(&runner, &world));
    for (uint32_t i = 0; i < world.item_count; i++) { // as if the program had mixed them up
        world.rules[world.items[i]] = (uint16_t)(1 + i % SCENE_RULES);
    }
    CHECK(!check_all(&runner, &checked));
    case_runner_free(&runner);
    country_scene_free(&world, true);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_case_finds_what_the_definitions_say),
        TEST(a_lost_entity_and_a_wrong_rule_are_noticed),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
