// SPDX-License-Identifier: MIT
// which_call.c - what the calls of tools/docs/which_call.md cost, and what the obvious other ways
// do.
//
//     cmake --build FOLDER --target which_call && FOLDER/tests/which_call [ROUNDS]
//
// FOLDER is a Release build. 20,000 units of four teams stand mixed on 2.4 km by 2.4 km, 18 within
// 40 m of each, and move. Where armies are apart, each team stands still in a square of its own, 24
// m from the next. Both ways of each question are measured in turns, and the least time of a row is
// told. which_call.txt has dated results.
#include <acre/casters.h>
#include <acre/interest.h>
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { UNITS = 20000, TEAMS = 4, RAYS = 4096, ZONES = 400, PLAYERS = 200, STRIDE = 64, BATCH = 64 };
#define HALF 1181.0f // of the ground, m
#define REACH 40.0f  // m

typedef struct game {
    acre_quadtree *tree, *zones, *armies;
    acre_interest *interest, *streaming;
    acre_observer observers[PLAYERS], player;
    acre_contacts *contacts;
    acre_scene *scene;
    acre_culling *culling;
    acre_receivers *receivers;
    acre_camera camera;
    acre_cascade cascades[4];
    acre_ray rays[RAYS];
    acre_aabb boxes[UNITS], zone_boxes[ZONES], army_boxes[UNITS];
    uint32_t layers[UNITS], items[UNITS], numbers[UNITS];
    float steps[UNITS][2];
    acre_neighbor_row rows[UNITS];
    uint32_t room[64 * UNITS];
    uint32_t marks[UNITS];
    acre_query_hit hits[UNITS];
    uint64_t random;
    size_t casters[2]; // of all cascades, found by the call and otherwise
    double sum;        // of answers, so that nothing is left out
} game;

static void need(acre_result result)
{
    if (result != ACRE_OK) {
        fprintf(stderr, "which_call: %s\n", acre_result_text(result));
        exit(1);
    }
}

// ---- fog, aggro, nearest enemy, flocking ----

// The neighbors of all units of a team. Returns how many units it has.
static double ask_team(game *it, const acre_quadtree *tree, uint32_t team,
                       acre_neighbors_query query)
{
    uint32_t count = 0;
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        it->items[count] = unit;
        count += it->layers[unit] == 1u << team;
    }
    query.count = count;
    query.items = it->items;
    query.flags = ACRE_NEIGHBORS_ON_GROUND;
    acre_neighbor_lists lists = {.rows = it->rows, .items = it->room, .capacity = 64 * UNITS};
    need(acre_quadtree_neighbors(tree, &query, &lists));
    it->sum += (double)lists.total;
    for (size_t i = 0; i < lists.total; i++) {
        it->marks[it->room[i]] |= 1u << team; // the team sees it
    }
    return count;
}

// Which teams have a unit near each unit, in one call for all.
static double fog(game *it)
{
    const acre_neighbors_query query = {.count = UNITS,
                                        .radius = REACH,
                                        .layers = (1u << TEAMS) - 1,
                                        .flags = ACRE_NEIGHBORS_ON_GROUND};
    need(acre_quadtree_layers_within(it->tree, &query, it->marks));
    it->sum += it->marks[UNITS / 2];
    return UNITS;
}

static float apart(const game *it, uint32_t a, uint32_t b)
{
    const float x = it->boxes[a].min[0] - it->boxes[b].min[0];
    const float z = it->boxes[a].min[2] - it->boxes[b].min[2];
    return x * x + z * z;
}

// Every pair of units: some rows stand for all.
static double fog_by_loops(game *it)
{
    for (uint32_t a = 0; a < UNITS; a += STRIDE) {
        for (uint32_t b = 0; b < UNITS; b++) {
            if (it->layers[a] != it->layers[b] && apart(it, a, b) < REACH * REACH) {
                it->marks[b] |= it->layers[a];
            }
        }
    }
    return UNITS / (double)STRIDE;
}

// Team 0 are monsters, team 1 players: which players are within reach of each monster.
static double aggro(game *it)
{
    return ask_team(it, it->tree, 0, (acre_neighbors_query){.radius = REACH, .layers = 1u << 1});
}

static acre_aabb middle_of(const acre_aabb *box)
{
    const float x = box->min[0] + 0.5f, z = box->min[2] + 0.5f;
    return (acre_aabb){{x, 1, z}, {x, 1, z}};
}

static acre_aabb point_of(const game *it, uint32_t unit)
{
    return middle_of(&it->boxes[unit]);
}

// All in a box around each, then those that are players within reach.
static double aggro_by_boxes(game *it)
{
    double monsters = 0;
    for (uint32_t unit = 0; unit < UNITS; unit += TEAMS, monsters++) {
        acre_aabb box = point_of(it, unit);
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] -= REACH;
            box.max[axis] += REACH;
        }
        const size_t count = acre_quadtree_query_aabb(it->tree, &box, it->room, UNITS);
        for (size_t i = 0; i < count; i++) {
            const uint32_t other = it->room[i];
            it->sum += it->layers[other] == 1u << 1 && apart(it, unit, other) < REACH * REACH;
        }
    }
    return monsters;
}

static double enemy_in(game *it, const acre_quadtree *tree)
{
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        it->items[unit] = ~it->layers[unit];
    }
    const acre_neighbors_query query = {.count = UNITS,
                                        .radius = INFINITY,
                                        .nearest = 1,
                                        .flags = ACRE_NEIGHBORS_ON_GROUND,
                                        .row_layers = it->items};
    acre_neighbor_lists lists = {.rows = it->rows, .items = it->room, .capacity = 64 * UNITS};
    need(acre_quadtree_neighbors(tree, &query, &lists));
    it->sum += (double)lists.total;
    return UNITS;
}

static double nearest_enemy(game *it)
{
    return enemy_in(it, it->tree);
}

static double enemy_apart(game *it)
{
    return enemy_in(it, it->armies);
}

static double nearest_by_queries(game *it, const acre_quadtree *tree, size_t nearest, bool is_enemy)
{
    const acre_aabb *const boxes = tree == it->armies ? it->army_boxes : it->boxes;
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        const acre_aabb origin = middle_of(&boxes[unit]);
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_ALL,
                                  .origin = &origin,
                                  .layers = is_enemy ? ~it->layers[unit] : 0,
                                  .except_item1 = unit + 1};
        size_t count = 0;
        need(acre_quadtree_query_nearest(tree, &query, it->hits, nearest, &count));
        it->sum += (double)count;
    }
    return UNITS;
}

static double enemy_by_queries(game *it)
{
    return nearest_by_queries(it, it->tree, 1, true);
}

static double enemy_apart_by_queries(game *it)
{
    return nearest_by_queries(it, it->armies, 1, true);
}

static double flock_of(game *it, uint32_t nearest)
{
    const acre_neighbors_query query = {
        .count = UNITS, .radius = REACH, .nearest = nearest, .flags = ACRE_NEIGHBORS_ON_GROUND};
    acre_neighbor_lists lists = {.rows = it->rows, .items = it->room, .capacity = 64 * UNITS};
    need(acre_quadtree_neighbors(it->tree, &query, &lists));
    it->sum += (double)lists.total;
    return UNITS;
}

static double flocking(game *it)
{
    return flock_of(it, 8);
}

static double flocking_by_queries(game *it)
{
    return nearest_by_queries(it, it->tree, 8, false);
}

static double flock_of_all(game *it)
{
    return flock_of(it, 0);
}

static double flock_by_circles(game *it)
{
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        const acre_aabb place = point_of(it, unit);
        const acre_circle circle = {{place.min[0], place.min[2]}, REACH};
        const acre_query query = {
            .shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle, .except_item1 = unit + 1};
        size_t count = 0;
        need(acre_quadtree_query(it->tree, &query, it->room, UNITS, &count));
        it->sum += (double)count;
    }
    return UNITS;
}

// ---- minimap, lasso, picking ----

// The map shows a part of the ground, other parts in turn.
static acre_aabb map_of(int i)
{
    const float x = (float)(i % 8) * 200.0f - 1000.0f, z = (float)(i / 8) * 200.0f - 1000.0f;
    return (acre_aabb){{x, -INFINITY, z}, {x + 600.0f, INFINITY, z + 600.0f}};
}

static double minimap(game *it)
{
    double found = 0;
    for (int i = 0; i < BATCH; i++) {
        const acre_aabb map = map_of(i);
        found += (double)acre_quadtree_query_aabb(it->tree, &map, it->room, 64 * UNITS);
    }
    it->sum += found;
    return found;
}

static double minimap_by_loop(game *it)
{
    double found = 0;
    for (int i = 0; i < BATCH; i++) {
        const acre_aabb map = map_of(i);
        uint32_t count = 0;
        for (uint32_t unit = 0; unit < UNITS; unit++) {
            it->room[count] = unit;
            count += acre_aabb_overlaps(&map, &it->boxes[unit]);
        }
        found += count;
    }
    it->sum += found;
    return found;
}

static void lasso_of(int i, float *left, float *top)
{
    *left = (float)(i % 8) * 0.1f;
    *top = 0.3f + (float)(i / 8) * 0.05f;
}

static double lasso(game *it)
{
    double found = 0;
    for (int i = 0; i < BATCH; i++) {
        float left, top;
        lasso_of(i, &left, &top);
        acre_frustum frustum;
        need(acre_camera_sub_frustum(&it->camera, left, top, left + 0.2f, top + 0.2f, &frustum));
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &frustum};
        size_t count = 0;
        need(acre_quadtree_query(it->tree, &query, it->room, UNITS, &count));
        found += (double)count;
    }
    it->sum += found;
    return BATCH;
}

static double lasso_by_projection(game *it)
{
    double found = 0;
    for (int i = 0; i < BATCH; i++) {
        float left, top;
        lasso_of(i, &left, &top);
        for (uint32_t unit = 0; unit < UNITS; unit++) {
            const acre_aabb point = point_of(it, unit);
            float x, y, depth;
            const acre_result result =
                acre_camera_project(&it->camera, point.min, &x, &y, &depth); // not behind the eye
            found +=
                result == ACRE_OK && x >= left && x <= left + 0.2f && y >= top && y <= top + 0.2f;
        }
    }
    it->sum += found;
    return BATCH;
}

static double picking(game *it)
{
    for (uint32_t i = 0; i < RAYS; i++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &it->rays[i]};
        size_t count = 0;
        need(acre_quadtree_query_nearest(it->tree, &query, it->hits, 1, &count));
        it->sum += count ? (double)it->hits[0].distance : 0.0;
    }
    return RAYS;
}

// All that the ray hits, then the nearest of them.
static double picking_by_all(game *it)
{
    for (uint32_t i = 0; i < RAYS; i++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &it->rays[i]};
        float least = INFINITY;
        size_t count = 0;
        need(acre_quadtree_query(it->tree, &query, it->room, UNITS, &count));
        for (size_t k = 0; k < count; k++) {
            float distance;
            (void)acre_ray_test_aabb(&it->rays[i], &it->boxes[it->room[k]], &distance);
            least = distance < least ? distance : least;
        }
        it->sum += count ? (double)least : 0.0;
    }
    return RAYS;
}

// ---- triggers, server interest, streaming ----

static double triggers(game *it)
{
    need(acre_contacts_update(it->contacts, it->zones, it->tree, NULL));
    const acre_contacts_lists lists = acre_contacts_get(it->contacts);
    it->sum += (double)(lists.began_count + lists.ended_count);
    return UNITS;
}

// Each unit asks in which zones it is; what changed is still to be found.
static double triggers_by_queries(game *it)
{
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        it->sum += (double)acre_quadtree_query_aabb(it->zones, &it->boxes[unit], it->room, ZONES);
    }
    return UNITS;
}

static double server_interest(game *it)
{
    need(acre_interest_update(it->interest));
    const acre_interest_changes changes = acre_interest_get_changes(it->interest);
    it->sum += (double)(changes.entered.count + changes.left.count);
    return PLAYERS;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// A query and a sort for each, then a comparison with the sorted list of the frame before.
static double by_sorted_circles(game *it, uint32_t count, float radius)
{
    for (uint32_t i = 0; i < count; i++) {
        const acre_aabb place = point_of(it, i);
        const acre_circle circle = {{place.min[0], place.min[2]}, radius};
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_CIRCLE, .circle = &circle};
        size_t found = 0;
        need(acre_quadtree_query(it->tree, &query, it->room, UNITS, &found));
        qsort(it->room, found, sizeof it->room[0], compare_numbers);
        for (size_t k = 0; k < found; k++) {
            it->sum += it->room[k] == it->numbers[k];
        }
    }
    return count;
}

static double interest_by_circles(game *it)
{
    return by_sorted_circles(it, PLAYERS, REACH);
}

static double streaming(game *it)
{
    need(acre_interest_update(it->streaming));
    it->sum += (double)acre_interest_get_changes(it->streaming).entered.count;
    return 1;
}

static double streaming_by_circle(game *it)
{
    return by_sorted_circles(it, 1, 300.0f);
}

// ---- shadow casters: the other way finds more, which is then drawn ----

static double casters(game *it)
{
    it->casters[0] = 0;
    for (int i = 0; i < 4; i++) {
        size_t count = 0;
        need(acre_receivers_begin(it->receivers, &it->cascades[i]));
        need(acre_culling_add_receivers_in_slice(it->culling, it->receivers, 0));
        need(acre_culling_query_casters(it->culling, it->receivers, it->room, UNITS, &count));
        it->casters[0] += count;
    }
    return 4;
}

static double casters_by_volume(game *it)
{
    it->casters[1] = 0;
    for (int i = 0; i < 4; i++) {
        it->casters[1] += acre_culling_query(it->culling, &it->cascades[i].camera, it->room, UNITS);
    }
    return 4;
}

// ---- the game ----

static float draw(game *it, float low, float high)
{
    it->random ^= it->random << 13;
    it->random ^= it->random >> 7;
    it->random ^= it->random << 17;
    return low + (high - low) * (float)(it->random >> 40) * 0x1p-24f;
}

static void place_units(game *it)
{
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        const float x = draw(it, -HALF, HALF), z = draw(it, -HALF, HALF);
        it->boxes[unit] = (acre_aabb){{x, 0, z}, {x + 1, 2, z + 1}};
        it->steps[unit][0] = draw(it, -0.1f, 0.1f);
        it->steps[unit][1] = draw(it, -0.1f, 0.1f);
        const float east = HALF * (unit & 1 ? 0.425f : -0.425f) + 0.415f * x;
        const float south = HALF * (unit & 2 ? 0.425f : -0.425f) + 0.415f * z;
        it->army_boxes[unit] = (acre_aabb){{east, 0, south}, {east + 1, 2, south + 1}};
        it->layers[unit] = 1u << unit % TEAMS;
        it->numbers[unit] = unit;
    }
    for (uint32_t zone = 0; zone < ZONES; zone++) {
        const float x = draw(it, -HALF, HALF), z = draw(it, -HALF, HALF);
        it->zone_boxes[zone] = (acre_aabb){{x, 0, z}, {x + 10, 4, z + 10}};
    }
}

static void make_trees(game *it)
{
    const acre_quadtree_def def = {.half_size = HALF + 20};
    need(acre_quadtree_create(&def, &it->tree));
    need(acre_quadtree_create(&def, &it->zones));
    need(acre_quadtree_create(&def, &it->armies));
    need(acre_quadtree_insert_many(it->tree, it->numbers, it->boxes, UNITS));
    need(acre_quadtree_insert_many(it->armies, it->numbers, it->army_boxes, UNITS));
    need(acre_quadtree_insert_many(it->zones, it->numbers, it->zone_boxes, ZONES));
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        need(acre_quadtree_set_layers(it->tree, unit, it->layers[unit]));
        need(acre_quadtree_set_layers(it->armies, unit, it->layers[unit]));
    }
    need(acre_quadtree_optimize(it->tree)); // cells know which layers they hold
    need(acre_quadtree_optimize(it->armies));
    for (uint32_t zone = 0; zone < ZONES; zone++) {
        need(acre_quadtree_set_layers(it->zones, zone, (1u << TEAMS) - 1));
    }
    need(acre_contacts_create(NULL, &it->contacts));
    need(acre_interest_create(it->tree, NULL, &it->interest));
    need(acre_interest_create(it->tree, NULL, &it->streaming));
    for (uint32_t i = 0; i < PLAYERS; i++) {
        const acre_observer_def observer = {
            .follows_item = true, .item = i, .enter_radius = REACH, .leave_radius = 1.1f * REACH};
        need(acre_interest_add(it->interest, &observer, &it->observers[i]));
    }
    const acre_observer_def eye = {
        .follows_item = true, .item = 0, .enter_radius = 300, .leave_radius = 340};
    need(acre_interest_add(it->streaming, &eye, &it->player));
}

static void make_scene(game *it)
{
    const acre_culling_def def = {.tree = {.half_size = HALF + 20}, .register_all = true};
    need(acre_scene_create(NULL, &it->scene));
    need(acre_culling_create(it->scene, &def, &it->culling));
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        acre_entity entity;
        need(
            acre_entity_create(it->scene, &(acre_entity_def){.bounds = &it->boxes[unit]}, &entity));
    }
    need(acre_scene_commit(it->scene));
    const float eye[3] = {0, 40, -600}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    need(acre_camera_perspective(&it->camera, 1.0f, 1.6f, 0.5f, 1000.0f,
                                 ACRE_CLIP_NEGATIVE_ONE_TO_ONE));
    need(acre_camera_look_at(&it->camera, eye, target, up));
    const acre_cascades_def cascades = {.light = {0.5f, -0.8f, 0.3f},
                                        .distance = 500,
                                        .count = 4,
                                        .caster_distance = 300,
                                        .log_share = 0.7f,
                                        .resolution = 2048};
    need(acre_cascades_fit(&cascades, &it->camera, it->cascades));
    need(acre_receivers_create(NULL, &it->receivers));
    for (uint32_t i = 0; i < RAYS; i++) {
        const float x = draw(it, 0.05f, 0.95f), y = draw(it, 0.45f, 0.95f);
        need(acre_camera_ray(&it->camera, x, y, &it->rays[i]));
    }
}

static void move_units(game *it)
{
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        for (int k = 0; k < 2; k++) {
            it->boxes[unit].min[2 * k] += it->steps[unit][k];
            it->boxes[unit].max[2 * k] += it->steps[unit][k];
        }
    }
    need(acre_quadtree_refresh_all(it->tree, it->boxes, UNITS));
    need(acre_quadtree_maintain(it->tree));
}

// ---- what is measured ----

typedef struct question {
    const char *name, *row;
    double (*ask)(game *it), (*ask_otherwise)(game *it); // return how many rows they answered
} question;

static const question questions[] = {
    {"fog of war", "unit", fog, fog_by_loops},
    {"aggro", "monster", aggro, aggro_by_boxes},
    {"nearest enemy", "unit", nearest_enemy, enemy_by_queries},
    {"armies apart", "unit", enemy_apart, enemy_apart_by_queries},
    {"minimap", "unit on it", minimap, minimap_by_loop},
    {"lasso", "lasso", lasso, lasso_by_projection},
    {"picking", "ray", picking, picking_by_all},
    {"triggers", "unit", triggers, triggers_by_queries},
    {"flocking", "unit", flocking, flocking_by_queries},
    {"all of a flock", "unit", flock_of_all, flock_by_circles},
    {"server interest", "player", server_interest, interest_by_circles},
    {"shadow casters", "cascade", casters, casters_by_volume},
    {"streaming", "player", streaming, streaming_by_circle},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(game *it, double (*ask)(game *it), double *least)
{
    const double begin = seconds();
    const double rows = ask(it);
    const double took = 1e9 * (seconds() - begin) / rows;
    *least = took < *least ? took : *least;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 20;
    game *const it = calloc(1, sizeof *it);
    double least[QUESTIONS][2];
    if (!it) {
        return 1;
    }
    it->random = 88172645463325252u;
    place_units(it);
    make_trees(it);
    make_scene(it);
    for (int i = 0; i < QUESTIONS; i++) {
        least[i][0] = least[i][1] = (double)INFINITY;
    }
    for (int round = 0; round < rounds; round++) {
        move_units(it);
        for (int i = 0; i < QUESTIONS; i++) {
            measure(it, questions[i].ask, &least[i][0]);
            measure(it, questions[i].ask_otherwise, &least[i][1]);
        }
    }
    printf("%-16s %-12s %10s %10s\n", "question", "ns a", "the call", "otherwise");
    for (int i = 0; i < QUESTIONS; i++) {
        printf("%-16s %-12s %10.1f %10.1f\n", questions[i].name, questions[i].row, least[i][0],
               least[i][1]);
    }
    printf("casters of four cascades: %zu, otherwise %zu; answers %.0f\n", it->casters[0],
           it->casters[1], it->sum);
    return 0;
}
