// SPDX-License-Identifier: MIT
// bench_interest.c - observers among movers: Acre with one worker and with two, a uniform grid and
// Boost's R-tree, which are built anew in each tick and compare with what was seen before by a
// stamp for each item.
#include "bench_interest.h"

#include "bench_contender.h"
#include "country_random.h"
#include "measure_table.h"
#include "measure_turns.h"
#include "workers.h"

#include <acre/interest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_ABOUT = 74, MOVERS_TO_OBSERVER = 100, TICKS_TO_SETTLE = 2 };
static const float density = 0.01f; // movers in a square meter
static const float box_size = 1.0f;

// What differs between the worlds.
typedef struct interest_case {
    const char *name;
    uint32_t moving; // percent of the movers in a tick
    bool has_radii;  // from a quarter to twice as large
    bool is_crowded; // a tenth of everything in one place
} interest_case;

static const interest_case cases[] = {{"all moving", 100, false, false},
                                      {"1 % moving", 1, false, false},
                                      {"radii 1 to 8", 100, true, false},
                                      {"a tenth crowded", 100, false, true}};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

static const char acre_name[] = "acre", grid_name[] = "grid";
static const char two_name[] = "acre, 2 workers", boost_name[] = "Boost rtree, packed";

// Observer i follows mover i.
typedef struct interest_world {
    const interest_case *what;
    uint32_t count, observers, moved;
    float half;
    acre_aabb *boxes, *moved_boxes;
    float *steps; // x and z of each mover
    uint32_t *movers;
    float *enter, *leave; // radii
    float largest;        // of leave
    acre_quadtree *tree;
    acre_interest *interest;
    acre_interest *twin;          // with two workers; NULL: there are none
    const bench_contender *boost; // NULL: it was not there when the program was built
    void *boost_state;
} interest_world;

// What one of the others saw, and what it says is new.
typedef struct stamped_lists {
    uint32_t *stamps, stamp;
    uint32_t *seen[2], *near; // seen: of the tick before and of this one
    size_t *first[2], room;   // where an observer's things begin in seen, and how many there are
    uint64_t sum;             // of what entered and left
} stamped_lists;

typedef struct uniform_grid {
    float cell;
    uint32_t side, *begins, *cells, *items;
    acre_aabb *boxes; // in the order of cells
} uniform_grid;

static double milliseconds_now(void)
{
    return 1e3 * clock_seconds();
}

// ---- the world ----

static float draw_between(uint64_t *state, float low, float high)
{
    return low + (high - low) * draw_unit(state);
}

static bool place_movers(interest_world *world, uint64_t *state)
{
    for (uint32_t i = 0; i < world->count; i++) {
        const float spread = world->what->is_crowded && i % 10 == 0 ? 0.1f : 1.0f;
        const float half = world->half * spread;
        const float x = draw_between(state, -half, half), z = draw_between(state, -half, half);
        world->boxes[i] = (acre_aabb){{x, 0, z}, {x + box_size, 2, z + box_size}};
        world->steps[2 * i] = draw_between(state, -0.25f, 0.25f);
        world->steps[2 * i + 1] = draw_between(state, -0.25f, 0.25f);
        world->movers[i] = i;
    }
    return acre_quadtree_insert_many(world->tree, world->movers, world->boxes, world->count) ==
           ACRE_OK;
}

// The same observer in both interests.
static bool add_observer(interest_world *world, const acre_observer_def *def, uint32_t index1)
{
    acre_observer observer;
    return acre_interest_add(world->interest, def, &observer) == ACRE_OK &&
           observer.index1 == index1 &&
           (!world->twin || acre_interest_add(world->twin, def, &observer) == ACRE_OK);
}

static bool add_observers(interest_world *world)
{
    const float radius = sqrtf((float)SEEN_ABOUT / (3.14159265f * density));
    for (uint32_t i = 0; i < world->observers; i++) {
        const float factor = world->what->has_radii ? 0.25f * (float)(1u << i % 4) : 1.0f;
        world->enter[i] = radius * factor;
        world->leave[i] = radius * factor * 1.05f;
        world->largest = fmaxf(world->largest, world->leave[i]);
        const acre_observer_def def = {.follows_item = true,
                                       .item = i,
                                       .enter_radius = world->enter[i],
                                       .leave_radius = world->leave[i]};
        if (!add_observer(world, &def, i + 1)) {
            return false;
        }
    }
    return true;
}

static bool create_twin(interest_world *world, const acre_interest_def *def,
                        const acre_tasks *tasks)
{
    return !tasks || world->what->moving < 100 ||
           (acre_interest_create(world->tree, def, &world->twin) == ACRE_OK &&
            acre_interest_set_tasks(world->twin, tasks) == ACRE_OK);
}

static bool create_boost(interest_world *world)
{
    const contender_world of_peer = {.count = world->count, .half_size = world->half};
    for (uint32_t i = 0; i < bench_peer_count(); i++) {
        if (strcmp(bench_peer(i)->name, boost_name) == 0) {
            world->boost = bench_peer(i);
            world->boost_state = world->boost->create(&of_peer);
            return world->boost_state != NULL;
        }
    }
    return true;
}

static bool create_world(interest_world *world, uint32_t count, const bench_options *options,
                         const acre_tasks *tasks)
{
    const acre_kernel kernel = options->kernel;
    uint64_t state = 1;
    world->count = count;
    world->observers = count / MOVERS_TO_OBSERVER > 0 ? count / MOVERS_TO_OBSERVER : 1;
    world->half = sqrtf((float)count / density) / 2;
    world->boxes = malloc(count * sizeof *world->boxes);
    world->moved_boxes = malloc(count * sizeof *world->boxes);
    world->steps = malloc(2 * (size_t)count * sizeof *world->steps);
    world->movers = malloc(count * sizeof *world->movers);
    world->enter = malloc(world->observers * sizeof(float));
    world->leave = malloc(world->observers * sizeof(float));
    const acre_quadtree_def def = {.half_size = world->half, .kernel = kernel};
    const acre_interest_def interest_def = {.kernel = kernel};
    return world->boxes && world->moved_boxes && world->steps && world->movers && world->enter &&
           world->leave && acre_quadtree_create(&def, &world->tree) == ACRE_OK &&
           acre_interest_create(world->tree, &interest_def, &world->interest) == ACRE_OK &&
           create_twin(world, &interest_def, tasks) &&
           (!options->has_peers || create_boost(world)) && place_movers(world, &state) &&
           add_observers(world);
}

static void free_world(interest_world *world)
{
    acre_interest_destroy(world->interest);
    acre_interest_destroy(world->twin);
    if (world->boost_state) {
        world->boost->destroy(world->boost_state);
    }
    acre_quadtree_destroy(world->tree);
    free(world->boxes);
    free(world->moved_boxes);
    free(world->steps);
    free(world->movers);
    free(world->enter);
    free(world->leave);
}

// Those whose turn it is go on; at the edge they turn back.
static void move_movers(interest_world *world, uint32_t tick)
{
    const uint32_t every = 100 / world->what->moving;
    world->moved = 0;
    for (uint32_t i = tick % every; i < world->count; i += every) {
        acre_aabb *const box = &world->boxes[i];
        for (int axis = 0; axis < 3; axis += 2) {
            float *const step = &world->steps[2 * i + (uint32_t)axis / 2];
            *step =
                box->min[axis] * *step > 0 && fabsf(box->min[axis]) > world->half ? -*step : *step;
            box->min[axis] += *step;
            box->max[axis] += *step;
        }
        world->movers[world->moved] = i;
        world->moved_boxes[world->moved++] = *box;
    }
}

// ---- the others' lists ----

static bool open_lists(stamped_lists *lists, const interest_world *world)
{
    lists->room = (size_t)world->count * 16 + 4096;
    lists->stamps = calloc(world->count, sizeof *lists->stamps);
    lists->near = malloc(((size_t)world->count + 64) * sizeof *lists->near);
    for (int i = 0; i < 2; i++) {
        lists->seen[i] = malloc(lists->room * sizeof *lists->seen[i]);
        lists->first[i] = calloc((size_t)world->observers + 1, sizeof *lists->first[i]);
    }
    return lists->stamps && lists->near && lists->seen[0] && lists->seen[1] && lists->first[0] &&
           lists->first[1];
}

static void close_lists(stamped_lists *lists)
{
    free(lists->stamps);
    free(lists->near);
    for (int i = 0; i < 2; i++) {
        free(lists->seen[i]);
        free(lists->first[i]);
    }
}

// What happened to an item, so that the sum over all tells whether all agree.
static uint64_t event_number(uint32_t observer, uint32_t item, bool has_entered)
{
    uint64_t number = ((uint64_t)observer << 32 | item) * UINT64_C(0x9e3779b97f4a7c15);
    number ^= number >> 29;
    return (number + has_entered) * UINT64_C(0xbf58476d1ce4e5b9);
}

static double distance2(const acre_aabb *box, const float *place)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis += 2) {
        const double at = (double)place[axis / 2];
        const double low = (double)box->min[axis] - at, high = at - (double)box->max[axis];
        const double gap = low > 0 ? low : high > 0 ? high : 0;
        sum += gap * gap;
    }
    return sum;
}

static void find_place(const interest_world *world, uint32_t observer, float *place)
{
    const acre_aabb *const box = &world->boxes[observer];
    place[0] = 0.5f * box->min[0] + 0.5f * box->max[0];
    place[1] = 0.5f * box->min[2] + 0.5f * box->max[2];
}

// Compares what is near with what was seen. `at`: the end of the list of this tick.
static size_t list_seen(stamped_lists *lists, const interest_world *world, uint32_t observer,
                        const float *place, size_t near, size_t at)
{
    const size_t first = lists->first[0][observer], end = first + lists->first[1][observer];
    const uint32_t *const before = lists->seen[0], stamp = ++lists->stamp;
    uint32_t *const stamps = lists->stamps;
    const double enter = (double)world->enter[observer], leave = (double)world->leave[observer];
    for (size_t i = first; i < end; i++) {
        stamps[before[i]] = stamp;
    }
    const size_t begin = at;
    for (size_t i = 0; i < near; i++) {
        const uint32_t item = lists->near[i];
        const bool was_seen = stamps[item] == stamp;
        const double radius = was_seen ? leave : enter;
        if (item != observer && distance2(&world->boxes[item], place) <= radius * radius) {
            lists->sum += was_seen ? 0 : event_number(observer, item, true);
            stamps[item] = 0;
            lists->seen[1][at++] = item;
        }
    }
    for (size_t i = first; i < end; i++) {
        lists->sum += stamps[before[i]] == stamp ? event_number(observer, before[i], false) : 0;
    }
    lists->first[0][observer] = begin;
    lists->first[1][observer] = at - begin;
    return at;
}

static void end_tick(stamped_lists *lists)
{
    uint32_t *const seen = lists->seen[0];
    lists->seen[0] = lists->seen[1];
    lists->seen[1] = seen;
}

// ---- the grid ----

static bool open_grid(uniform_grid *grid, const interest_world *world)
{
    grid->cell = sqrtf((float)SEEN_ABOUT / (3.14159265f * density)) / 2;
    grid->side = (uint32_t)(2 * world->half / grid->cell) + 3;
    grid->begins = malloc(((size_t)grid->side * grid->side + 2) * sizeof *grid->begins);
    grid->cells = malloc(world->count * sizeof *grid->cells);
    grid->items = malloc(world->count * sizeof *grid->items);
    grid->boxes = malloc(world->count * sizeof *grid->boxes);
    return grid->begins && grid->cells && grid->items && grid->boxes;
}

static void close_grid(uniform_grid *grid)
{
    free(grid->begins);
    free(grid->cells);
    free(grid->items);
    free(grid->boxes);
}

static uint32_t grid_step(const uniform_grid *grid, const interest_world *world, float at)
{
    const float step = (at + world->half) / grid->cell + 1;
    return step <= 0 ? 0 : step >= (float)grid->side ? grid->side - 1 : (uint32_t)step;
}

// A counting sort of all boxes by the cell of their corner.
static void build_grid(uniform_grid *grid, const interest_world *world)
{
    const size_t cells = (size_t)grid->side * grid->side;
    memset(grid->begins, 0, (cells + 2) * sizeof *grid->begins);
    for (uint32_t i = 0; i < world->count; i++) {
        const float *const at = world->boxes[i].min;
        grid->cells[i] = grid_step(grid, world, at[2]) * grid->side + grid_step(grid, world, at[0]);
        grid->begins[grid->cells[i] + 2]++;
    }
    for (size_t i = 0; i < cells; i++) {
        grid->begins[i + 2] += grid->begins[i + 1];
    }
    for (uint32_t i = 0; i < world->count; i++) {
        const uint32_t place = grid->begins[grid->cells[i] + 1]++;
        grid->items[place] = i;
        grid->boxes[place] = world->boxes[i];
    }
}

// Lists what may be within a radius: floats say so, and the comparison decides.
static size_t ask_grid(const uniform_grid *grid, const interest_world *world, const float *place,
                       float radius, uint32_t *near)
{
    const float reach = radius * 1.0001f, most = reach * reach;
    const uint32_t x_begin = grid_step(grid, world, place[0] - reach - box_size);
    const uint32_t x_end = grid_step(grid, world, place[0] + reach);
    const uint32_t z_end = grid_step(grid, world, place[1] + reach);
    size_t count = 0;
    for (uint32_t z = grid_step(grid, world, place[1] - reach - box_size); z <= z_end; z++) {
        const uint32_t end = grid->begins[z * grid->side + x_end + 1];
        for (uint32_t i = grid->begins[z * grid->side + x_begin]; i < end; i++) {
            const acre_aabb *const box = &grid->boxes[i];
            const float dx = fmaxf(fmaxf(box->min[0] - place[0], place[0] - box->max[0]), 0);
            const float dz = fmaxf(fmaxf(box->min[2] - place[1], place[1] - box->max[2]), 0);
            near[count] = grid->items[i];
            count += dx * dx + dz * dz <= most;
        }
    }
    return count;
}

// Observers in the order of cells, as their neighbors are in the caches then.
static void update_grid(uniform_grid *grid, const interest_world *world, stamped_lists *lists)
{
    size_t at = 0;
    build_grid(grid, world);
    for (uint32_t i = 0; i < world->count; i++) {
        const uint32_t observer = grid->items[i];
        if (observer < world->observers) {
            float place[2];
            find_place(world, observer, place);
            const size_t near = ask_grid(grid, world, place, world->leave[observer], lists->near);
            at = list_seen(lists, world, observer, place, near, at);
        }
    }
    end_tick(lists);
}

static bool is_any(const acre_frustum *frustum, const acre_aabb *box)
{
    (void)frustum, (void)box;
    return true;
}

static size_t ask_boost(const interest_world *world, const acre_aabb *box, uint32_t *out)
{
    const contender_query query = {.bounds = box, .is_visible = is_any};
    return world->boost->query(world->boost_state, &query, out);
}

static void update_boost(const interest_world *world, stamped_lists *lists)
{
    size_t at = 0;
    for (uint32_t i = 0; i < world->observers; i++) {
        float place[2];
        find_place(world, i, place);
        const float reach = world->leave[i] * 1.0001f;
        const acre_aabb box = {{place[0] - reach, -1, place[1] - reach},
                               {place[0] + reach, 3, place[1] + reach}};
        at = list_seen(lists, world, i, place, ask_boost(world, &box, lists->near), at);
    }
    end_tick(lists);
}

// ---- measuring ----

static uint64_t sum_of_changes(const acre_interest *interest)
{
    const acre_interest_changes changes = acre_interest_get_changes(interest);
    uint64_t sum = 0;
    for (uint32_t row = 0; row < changes.row_count; row++) {
        for (size_t i = changes.entered.offsets[row]; i < changes.entered.offsets[row + 1]; i++) {
            sum += event_number(row, changes.entered.items[i], true);
        }
        for (size_t i = changes.left.offsets[row]; i < changes.left.offsets[row + 1]; i++) {
            sum += event_number(row, changes.left.items[i], false);
        }
    }
    return sum;
}

enum { ACRE_REFRESH, ACRE_UPDATE, ACRE_TWO, GRID, BOOST_REFRESH, BOOST, TIMES };

static bool run_twin(interest_world *world, double *times)
{
    if (!world->twin) {
        return true;
    }
    times[ACRE_TWO] = milliseconds_now();
    const acre_result result = acre_interest_update(world->twin);
    times[ACRE_TWO] = milliseconds_now() - times[ACRE_TWO];
    return result == ACRE_OK;
}

// In every second tick two workers come first: who comes second finds things in the caches.
static bool run_acre(interest_world *world, uint32_t tick, double *times)
{
    const bool is_first = tick == 0;
    const bool are_all = world->moved == world->count;
    times[ACRE_REFRESH] = milliseconds_now();
    acre_result result = are_all
                             ? acre_quadtree_refresh_all(world->tree, world->boxes, world->count)
                             : acre_quadtree_refresh_many(world->tree, world->movers,
                                                          world->moved_boxes, world->moved);
    result = result == ACRE_OK ? acre_quadtree_maintain(world->tree) : result;
    times[ACRE_REFRESH] = milliseconds_now() - times[ACRE_REFRESH];
    bool is_good = tick % 2 ? run_twin(world, times) : true;
    times[ACRE_UPDATE] = milliseconds_now();
    if (result == ACRE_OK) {
        result = are_all || is_first
                     ? acre_interest_update(world->interest)
                     : acre_interest_update_changed(world->interest, world->movers, world->moved);
    }
    times[ACRE_UPDATE] = milliseconds_now() - times[ACRE_UPDATE];
    is_good = is_good && (tick % 2 || run_twin(world, times));
    return is_good && result == ACRE_OK;
}

static bool run_boost(interest_world *world, stamped_lists *lists, double *times)
{
    if (!world->boost) {
        return true;
    }
    times[BOOST_REFRESH] = milliseconds_now();
    const bool is_good = world->boost->build(world->boost_state, world->boxes, world->count);
    times[BOOST] = milliseconds_now();
    times[BOOST_REFRESH] = times[BOOST] - times[BOOST_REFRESH];
    update_boost(world, lists);
    times[BOOST] = milliseconds_now() - times[BOOST];
    return is_good;
}

// The lists of those who compare by stamps.
typedef struct other_lists {
    uniform_grid grid;
    stamped_lists of_grid, of_boost;
} other_lists;

static bool open_others(other_lists *others, const interest_world *world)
{
    return open_grid(&others->grid, world) && open_lists(&others->of_grid, world) &&
           open_lists(&others->of_boost, world);
}

static void close_others(other_lists *others)
{
    close_grid(&others->grid);
    close_lists(&others->of_grid);
    close_lists(&others->of_boost);
}

// One tick of all, in turns. Returns whether all lists are equal.
static bool run_tick(interest_world *world, other_lists *others, uint32_t tick, double *times)
{
    move_movers(world, tick);
    bool is_good = run_acre(world, tick, times);
    others->of_grid.sum = others->of_boost.sum = 0;
    times[GRID] = milliseconds_now();
    update_grid(&others->grid, world, &others->of_grid);
    times[GRID] = milliseconds_now() - times[GRID];
    is_good = run_boost(world, &others->of_boost, times) && is_good;
    const uint64_t sum = sum_of_changes(world->interest);
    return is_good && others->of_grid.sum == sum &&
           (!world->boost || others->of_boost.sum == sum) &&
           (!world->twin || sum_of_changes(world->twin) == sum);
}

static void add_times(const interest_world *world, measure_rows *rows, sample_list *samples)
{
    static const char *const names[TIMES] = {acre_name, acre_name,  two_name,
                                             grid_name, boost_name, boost_name};
    for (int i = 0; i < TIMES; i++) {
        const bool is_refresh = i == ACRE_REFRESH || i == BOOST_REFRESH;
        rows_add_samples(
            rows, names[i],
            (row_name){is_refresh ? "refresh" : "observers", world->what->name, "", "ms"},
            &samples[i]);
        samples_free(&samples[i]);
    }
}

static const char *measure_case(const bench_options *options, interest_world *world,
                                const acre_tasks *tasks, measure_rows *rows)
{
    other_lists others = {.grid = {0}};
    sample_list samples[TIMES] = {{0}};
    const char *fault = "out of memory";
    if (create_world(world, world->count, options, tasks) && open_others(&others, world)) {
        fault = NULL;
    }
    for (uint32_t tick = 0; tick < options->rounds + TICKS_TO_SETTLE && !fault; tick++) {
        double times[TIMES] = {0};
        fault = run_tick(world, &others, tick, times) ? NULL : "a list differs";
        for (int i = 0; i < TIMES && tick >= TICKS_TO_SETTLE; i++) {
            if (times[i] > 0) { // who is not there takes none
                samples_keep(&samples[i], times[i]);
            }
        }
    }
    add_times(world, rows, samples);
    acre_interest_stats stats;
    acre_interest_get_stats(world->interest, &stats);
    rows_add_value(rows, acre_name, (row_name){"seen", world->what->name, "", "an observer"},
                   (double)stats.seen / (double)(stats.observers ? stats.observers : 1));
    close_others(&others);
    return fault;
}

// One case, where there may be workers.
typedef struct case_run {
    const bench_options *options;
    interest_world *world;
    measure_rows *rows;
    const char *fault;
} case_run;

static bool run_case(void *context, const acre_tasks *tasks)
{
    case_run *const run = context;
    run->fault = measure_case(run->options, run->world, tasks, run->rows);
    return !run->fault;
}

bool interest_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                      char *message, size_t message_size)
{
    const char *fault = NULL;
    rows->items = count;
    for (uint32_t i = 0; i < CASE_COUNT && !fault; i++) {
        interest_world world = {.what = &cases[i], .count = count};
        measure_progress(count, "interest", cases[i].name);
        case_run run = {options, &world, rows, NULL};
        (void)workers_run(2, run_case, &run);
        fault = run.fault;
        free_world(&world);
        if (fault) {
            snprintf(message, message_size, "%s: %s", cases[i].name, fault);
        }
    }
    return !fault;
}

void interest_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                     FILE *out)
{
    (void)options;
    table_key lines[CASE_COUNT];
    const table_key columns[] = {
        {.title = "seen", .contender = acre_name, .measure = "seen"},
        {.title = "acre refresh", .contender = acre_name, .measure = "refresh"},
        {.title = "acre", .contender = acre_name, .measure = "observers"},
        {.title = "2 workers", .contender = two_name, .measure = "observers", .has_ratio = true},
        {.title = "grid", .contender = grid_name, .measure = "observers", .has_ratio = true},
        {.title = "Boost pack", .contender = boost_name, .measure = "refresh"},
        {.title = "Boost", .contender = boost_name, .measure = "observers", .has_ratio = true}};
    for (uint32_t i = 0; i < CASE_COUNT; i++) {
        lines[i] = (table_key){.title = cases[i].name, .detail = cases[i].name};
    }
    measure_table table = {.title = "ms a tick",
                           .lines = lines,
                           .columns = columns,
                           .line_count = CASE_COUNT,
                           .column_count = sizeof columns / sizeof *columns,
                           .base = acre_name,
                           .items = count};
    fprintf(out, "\n%u observers among %u movers\n", (unsigned)(count / MOVERS_TO_OBSERVER),
            (unsigned)count);
    table_print(rows, &table, out);
    table_print_spread(rows, &table, out);
    fprintf(out, "all lists of all ticks are equal\n");
}
