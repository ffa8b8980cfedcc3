// SPDX-License-Identifier: MIT
// bench_workers.c - the calls that are divided, with each number of workers in turns.
#include "bench_workers.h"
#include "bench_workers_rows.h"

#include "country.h"
#include "measure_table.h"
#include "measure_turns.h"
#include "workers.h"

#include <acre/culling.h>
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>
#include <acre/visible_set.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VIEWS = 16 };

typedef struct workers_bench {
    const bench_options *options;
    country land;
    acre_scene *scene;
    acre_culling *culling;
    acre_quadtree *tree; // bare, of the same boxes
    acre_entity *entities;
    acre_transform *locals[2]; // of two frames
    acre_aabb *moved[2];       // the boxes of two frames, for the bare tree
    acre_visible_set *sets[VIEWS], *wide_sets[VIEWS];
    acre_view views[VIEWS], wide_views[VIEWS];
    uint32_t *found; // items of a query
    acre_neighbor_row *rows;
    uint32_t *neighbors;
    size_t neighbor_room;
    unsigned char *copy_from, *copy_to;
    drawn_world drawn;
    uint64_t drawn_hash, chains_hash; // with one worker
    acre_pair *pairs;
    size_t pair_room;
    uint64_t hash; // of the bare tree and its pairs, with one worker
    worker_task task;
    uint32_t frame;
    const acre_tasks *tasks; // of the turn
    double seconds;          // that the turn took
    uint32_t repeats;
    char *message;
    size_t message_size;
} workers_bench;

static bool fail(workers_bench *bench, const char *what)
{
    snprintf(bench->message, bench->message_size, "workers: %s", what);
    return false;
}

// ---- the tasks ----

typedef struct copy_share {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
} copy_share;

// In pieces: memcpy stores many megabytes past the caches, and halves of them perhaps not.
static void copy_bytes(void *context)
{
    enum { PIECE = 32 * 1024 };
    const copy_share *const share = context;
    for (size_t done = 0; done < share->size; done += PIECE) {
        const size_t rest = share->size - done;
        memcpy(share->to + done, share->from + done, rest < PIECE ? rest : PIECE);
    }
}

static copy_share copy_share_of(const workers_bench *bench, uint32_t share, uint32_t shares)
{
    const size_t count = bench->land.count, bytes = count * worker_copy_bytes(bench->task) / 2;
    const size_t shift = bench->frame & 1 ? count * worker_copy_shift(bench->task) : 0;
    const size_t begin = bytes * share / shares, end = bytes * (share + 1) / shares;
    return (copy_share){bench->copy_to + begin, bench->copy_from + shift + begin, end - begin};
}

// Half of the bytes are read, half are written.
static void copy_all(workers_bench *bench)
{
    const acre_tasks *const tasks = bench->tasks;
    const uint32_t shares = tasks ? tasks->worker_count : 1;
    copy_share list[WORKERS_MOST];
    void *handles[WORKERS_MOST];
    for (uint32_t i = 1; i < shares; i++) {
        list[i] = copy_share_of(bench, i, shares);
        handles[i] = tasks->enqueue(tasks->user, copy_bytes, &list[i], "copy");
    }
    copy_share own = copy_share_of(bench, 0, shares);
    copy_bytes(&own);
    for (uint32_t i = 1; i < shares; i++) {
        if (handles[i]) {
            tasks->finish(tasks->user, handles[i]);
        }
    }
    bench->frame++;
}

static bool move_and_commit(workers_bench *bench)
{
    const acre_transform *const locals = bench->locals[bench->frame++ & 1];
    return acre_scene_set_locals(bench->scene, bench->entities, locals, bench->land.count) ==
               ACRE_OK &&
           acre_scene_commit(bench->scene) == ACRE_OK;
}

static bool find_in_sets(workers_bench *bench, acre_view *views, acre_visible_set *const *sets,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) { // by a hair, so that no result is reused
        views[i].eye[0] += bench->frame & 1 ? 1e-3f : -1e-3f;
    }
    bench->frame++;
    return acre_culling_find_visible_many(bench->culling, views, sets, count) == ACRE_OK;
}

static bool find_views(workers_bench *bench, size_t count)
{
    return find_in_sets(bench, bench->views, bench->sets, count);
}

// All items, or those on one side of a plane through the middle.
static size_t query_items(workers_bench *bench, bool has_plane)
{
    const acre_frustum frustum = {.planes = {{0.8f, 0, 0.6f, 0}}, .plane_count = has_plane};
    return acre_quadtree_query_frustum(bench->tree, &frustum, bench->found, bench->land.count);
}

static bool find_neighbors(workers_bench *bench, size_t *total)
{
    const acre_neighbors_query query = {.count = bench->land.count, .radius = 10};
    acre_neighbor_lists lists = {
        .rows = bench->rows, .items = bench->neighbors, .capacity = bench->neighbor_room};
    const acre_result result = acre_quadtree_neighbors(bench->tree, &query, &lists);
    *total = lists.total;
    return result == ACRE_OK;
}

static bool find_pairs(workers_bench *bench, size_t *total)
{
    return acre_quadtree_pairs(bench->tree, NULL, bench->pairs, bench->pair_room, total) == ACRE_OK;
}

static bool run_task(workers_bench *bench)
{
    switch (bench->task) {
    case FORK:
    case COPY_REFRESH:
    case COPY_COMMIT:
    case COPY_BUILD:
        copy_all(bench);
        return true;
    case FIND_WIDE:
        return find_in_sets(bench, bench->wide_views, bench->wide_sets, VIEWS);
    case NEIGHBORS: {
        size_t total;
        return find_neighbors(bench, &total);
    }
    case REFRESH:
        return acre_quadtree_refresh_all(bench->tree, bench->moved[bench->frame++ & 1],
                                         bench->land.count) == ACRE_OK;
    case COMMIT:
        return move_and_commit(bench);
    case FIND:
        return find_views(bench, VIEWS);
    case PAIRS:
        return find_pairs(bench, NULL);
    case FRAME:
        return move_and_commit(bench) && find_views(bench, 5);
    default:
        return drawn_run(&bench->drawn, (drawn_task)(bench->task - DRAWN));
    }
}

// ---- turns ----

static bool give_tasks(workers_bench *bench, const acre_tasks *tasks)
{
    bench->tasks = tasks;
    return drawn_set_tasks(&bench->drawn, tasks) &&
           acre_scene_set_tasks(bench->scene, tasks) == ACRE_OK &&
           acre_culling_set_tasks(bench->culling, tasks) == ACRE_OK &&
           acre_quadtree_set_tasks(bench->tree, tasks) == ACRE_OK;
}

static bool time_task(void *user, const acre_tasks *tasks)
{
    workers_bench *const bench = user;
    bool is_good = give_tasks(bench, tasks);
    const double begin = clock_seconds();
    for (uint32_t i = 0; i < bench->repeats && is_good; i++) {
        is_good = run_task(bench);
    }
    bench->seconds = clock_seconds() - begin;
    return give_tasks(bench, NULL) && is_good;
}

static double time_passes(void *user, uint32_t index, uint32_t repeats)
{
    workers_bench *const bench = user;
    bench->repeats = repeats;
    (void)workers_run(bench->options->workers.values[index], time_task, bench);
    return bench->seconds;
}

static bool take_turn(void *user, uint32_t index, measure_series *series)
{
    workers_bench *const bench = user;
    char detail[32];
    snprintf(detail, sizeof detail, "%u workers", (unsigned)bench->options->workers.values[index]);
    measure_progress(bench->land.count, worker_rows[bench->task].name, detail);
    (void)series_time(series, time_passes, bench, index, bench->options->seconds, 1e6);
    return true;
}

// ---- checks ----

static uint64_t mix(uint64_t first, uint64_t second)
{
    const uint64_t product = (first << 32 ^ second) * UINT64_C(0xbf58476d1ce4e5b9);
    return (product ^ product >> 31) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool sees(const acre_view *view, const acre_aabb *box)
{
    return acre_frustum_test_aabb(&view->frustum, box) &&
           acre_view_test_rules(view, NULL, box, NULL, NULL) == ACRE_HIDDEN_BY_NOTHING;
}

// Whether a set has what the definition says of each entity, each once.
static bool view_is_right(const workers_bench *bench, const acre_view *view,
                          const acre_visible_set *set)
{
    const acre_visible visible = acre_visible_set_get(set);
    const acre_scene_view scene = acre_scene_get_view(bench->scene);
    size_t count = 0;
    uint64_t wanted = 0, found = 0;
    for (uint32_t slot = 0; slot < scene.slot_count; slot++) {
        if (sees(view, &scene.world_bounds[slot])) {
            wanted += mix(slot, 0);
            count++;
        }
    }
    for (size_t i = 0; i < visible.count; i++) {
        found += mix(visible.slots[i], 0);
    }
    return visible.count == count && found == wanted;
}

static bool check_views(workers_bench *bench)
{
    bool is_right =
        find_views(bench, VIEWS) && find_in_sets(bench, bench->wide_views, bench->wide_sets, VIEWS);
    for (uint32_t i = 0; i < VIEWS && is_right; i++) {
        is_right = view_is_right(bench, &bench->views[i], bench->sets[i]) &&
                   view_is_right(bench, &bench->wide_views[i], bench->wide_sets[i]);
    }
    return is_right || fail(bench, "a view differs from the definition");
}

// Sums: the order is that of the tree, which refreshes change.
static bool add_found(workers_bench *bench, uint64_t *hash)
{
    for (int k = 0; k < 2; k++) {
        const size_t count = query_items(bench, k);
        for (size_t i = 0; i < count; i++) {
            *hash += mix(bench->found[i], (uint64_t)k + 1);
        }
    }
    size_t total = 0;
    const bool is_good = find_neighbors(bench, &total);
    for (uint32_t i = 0; i < bench->land.count && is_good; i++) {
        const acre_neighbor_row *const row = &bench->rows[i];
        for (size_t k = row->first; k < row->first + row->count && k < bench->neighbor_room; k++) {
            *hash += mix(i, bench->neighbors[k]);
        }
    }
    return (is_good && total <= bench->neighbor_room) || fail(bench, "too many neighbors");
}

static bool check_tasks(void *user, const acre_tasks *tasks)
{
    workers_bench *const bench = user;
    bench->frame = 0;
    bool is_good = give_tasks(bench, tasks) && move_and_commit(bench) && move_and_commit(bench) &&
                   check_views(bench);
    for (int i = 0; i < 2 && is_good; i++) {
        is_good =
            acre_quadtree_refresh_all(bench->tree, bench->moved[i], bench->land.count) == ACRE_OK;
    }
    size_t pairs = 0;
    is_good = is_good && find_pairs(bench, &pairs);
    uint64_t hash = acre_quadtree_content_hash(bench->tree);
    is_good = is_good && add_found(bench, &hash);
    for (size_t i = 0; i < pairs && i < bench->pair_room; i++) {
        hash += mix(bench->pairs[i].a, bench->pairs[i].b);
    }
    bench->hash = bench->hash ? bench->hash : hash;
    is_good = is_good && (hash == bench->hash || fail(bench, "trees, pairs or neighbors differ"));
    const uint64_t drawn = is_good ? drawn_hash(&bench->drawn) : 0;
    bench->drawn_hash = bench->drawn_hash ? bench->drawn_hash : drawn;
    is_good = is_good && ((drawn != 0 && drawn == bench->drawn_hash) ||
                          fail(bench, "a view, a list, casters or a built tree differ"));
    return give_tasks(bench, NULL) && is_good;
}

static bool check_chains(void *user, const acre_tasks *tasks)
{
    workers_bench *const bench = user;
    const uint64_t hash = give_tasks(bench, tasks) ? drawn_chains_hash(&bench->drawn) : 0;
    bench->chains_hash = bench->chains_hash ? bench->chains_hash : hash;
    return give_tasks(bench, NULL) &&
           ((hash != 0 && hash == bench->chains_hash) || fail(bench, "chains differ"));
}

// With one worker first, whose results are those to find.
static bool check_all(workers_bench *bench, bool (*check)(void *user, const acre_tasks *tasks))
{
    const bench_sizes *const workers = &bench->options->workers;
    bool is_good = workers_run(1, check, bench);
    for (uint32_t i = 0; i < workers->count && is_good; i++) {
        is_good = workers->values[i] == 1 || workers_run(workers->values[i], check, bench);
    }
    return is_good;
}

// ---- the world ----

static acre_aabb box_of_parts(const acre_transform *local, const acre_aabb *bounds)
{
    acre_aabb box = *bounds;
    for (int k = 0; k < 3; k++) {
        box.min[k] += local->translation[k];
        box.max[k] += local->translation[k];
    }
    return box;
}

// Each box of the country becomes an entity whose place is the box's middle.
static bool create_entities(workers_bench *bench)
{
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < bench->land.count && result == ACRE_OK; i++) {
        const acre_aabb *const box = &bench->land.boxes[i];
        acre_aabb bounds;
        acre_transform *const local = &bench->locals[0][i];
        *local = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        for (int k = 0; k < 3; k++) {
            const float middle = 0.5f * (box->min[k] + box->max[k]);
            local->translation[k] = middle;
            bounds.min[k] = box->min[k] - middle;
            bounds.max[k] = box->max[k] - middle;
        }
        const acre_entity_def def = {.local = local, .bounds = &bounds};
        result = acre_entity_create(bench->scene, &def, &bench->entities[i]);
        bench->locals[1][i] = *local;
        bench->locals[1][i].translation[0] += 0.1f;
        bench->moved[0][i] = box_of_parts(local, &bounds);
        bench->moved[1][i] = bench->moved[0][i];
        bench->moved[1][i].min[0] += 0.1f;
        bench->moved[1][i].max[0] += 0.1f;
    }
    return result == ACRE_OK && acre_scene_commit(bench->scene) == ACRE_OK &&
           acre_culling_optimize(bench->culling) == ACRE_OK;
}

static bool create_tree(workers_bench *bench)
{
    uint32_t *const items = calloc(bench->land.count, sizeof *items);
    const acre_quadtree_def def = {.half_size = bench->land.half_size,
                                   .kernel = bench->options->kernel};
    bool is_good = items && acre_quadtree_create(&def, &bench->tree) == ACRE_OK;
    for (uint32_t i = 0; i < bench->land.count && is_good; i++) {
        items[i] = i;
    }
    is_good = is_good && acre_quadtree_insert_many(bench->tree, items, bench->moved[0],
                                                   bench->land.count) == ACRE_OK;
    free(items);
    return is_good;
}

// Views from the ground, from above, and of shadows.
static bool create_views(workers_bench *bench)
{
    bool is_good = true;
    for (uint32_t i = 0; i < VIEWS && is_good; i++) {
        static const view_kind kinds[] = {VIEW_GROUND, VIEW_SHADOW, VIEW_RTS, VIEW_AERIAL};
        bench->views[i] = (acre_view){.frustum = bench->land.views[kinds[i % 4]][i / 4].frustum};
        // A half of the world, but for what is smaller than two pixels, with LODs.
        const float angle = 0.39269908f * (float)i;
        bench->wide_views[i] =
            (acre_view){.frustum = {.planes = {{cosf(angle), 0, sinf(angle), 0}}, .plane_count = 1},
                        .pixels = 1000,
                        .min_pixels = 2};
        const acre_visible_set_def def = {.flags = ACRE_VISIBLE_LODS};
        is_good = acre_visible_set_create(NULL, &bench->sets[i]) == ACRE_OK &&
                  acre_visible_set_create(&def, &bench->wide_sets[i]) == ACRE_OK;
    }
    return is_good;
}

// Memory that was written: pages that were only read are one and the same page of zeros.
static void *malloc_touched(size_t size)
{
    void *const memory = malloc(size);
    return memory ? memset(memory, 1, size) : NULL;
}

static bool create(workers_bench *bench, uint32_t count)
{
    const acre_kernel kernel = bench->options->kernel;
    const acre_scene_def scene_def = {.scene = 1, .kernel = kernel};
    if (!country_create(&bench->land, count, VIEWS)) {
        return fail(bench, "out of memory");
    }
    const acre_culling_def def = {.tree = {.half_size = bench->land.half_size, .kernel = kernel},
                                  .register_all = true};
    bench->entities = calloc(count, sizeof *bench->entities);
    bench->locals[0] = calloc(count, sizeof *bench->locals[0]);
    bench->locals[1] = calloc(count, sizeof *bench->locals[1]);
    bench->moved[0] = calloc(count, sizeof *bench->moved[0]);
    bench->moved[1] = calloc(count, sizeof *bench->moved[1]);
    bench->pair_room = (size_t)count * 4;
    bench->pairs = calloc(bench->pair_room, sizeof *bench->pairs);
    bench->found = calloc(count, sizeof *bench->found);
    bench->rows = calloc(count, sizeof *bench->rows);
    bench->neighbor_room = (size_t)count * 64;
    bench->neighbors = calloc(bench->neighbor_room, sizeof *bench->neighbors);
    bench->copy_from = malloc_touched((size_t)count * (WORKER_COPY_MOST / 2 + WORKER_SHIFT_MOST));
    bench->copy_to = malloc_touched((size_t)count * WORKER_COPY_MOST / 2);
    const bool is_good = bench->entities && bench->locals[0] && bench->locals[1] &&
                         bench->moved[0] && bench->moved[1] && bench->copy_from && bench->copy_to &&
                         bench->pairs && bench->found && bench->rows && bench->neighbors &&
                         acre_scene_create(&scene_def, &bench->scene) == ACRE_OK &&
                         acre_culling_create(bench->scene, &def, &bench->culling) == ACRE_OK &&
                         create_entities(bench) && create_tree(bench) && create_views(bench) &&
                         drawn_create(&bench->drawn, &bench->land, kernel);
    return is_good || fail(bench, "out of memory");
}

static void destroy(workers_bench *bench)
{
    drawn_destroy(&bench->drawn);
    for (int i = 0; i < VIEWS; i++) {
        acre_visible_set_destroy(bench->sets[i]);
        acre_visible_set_destroy(bench->wide_sets[i]);
    }
    acre_quadtree_destroy(bench->tree);
    acre_culling_destroy(bench->culling);
    acre_scene_destroy(bench->scene);
    free(bench->entities);
    free(bench->locals[0]);
    free(bench->locals[1]);
    free(bench->moved[0]);
    free(bench->moved[1]);
    free(bench->pairs);
    free(bench->found);
    free(bench->rows);
    free(bench->neighbors);
    free(bench->copy_from);
    free(bench->copy_to);
    country_free(&bench->land);
}

// ---- figures ----

static bool measure_task(workers_bench *bench, worker_task task, measure_rows *rows)
{
    measure_series series[BENCH_MAX_SIZES] = {0};
    const bench_sizes *const workers = &bench->options->workers;
    bench->task = task;
    bench->frame = 0;
    const bool is_good = turns_take(&(measure_turns){.series = series,
                                                     .count = workers->count,
                                                     .rounds = bench->options->rounds,
                                                     .seconds = bench->options->seconds,
                                                     .take = take_turn,
                                                     .user = bench});
    for (uint32_t i = 0; i < workers->count; i++) {
        rows_add_samples(rows, worker_name(workers->values[i]),
                         (row_name){"workers", worker_rows[task].name, "", "us"},
                         &series[i].passes);
        series_free(&series[i]);
    }
    return is_good;
}

bool workers_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                     char *message, size_t message_size)
{
    workers_bench *const bench = calloc(1, sizeof *bench);
    if (!bench) {
        snprintf(message, message_size, "workers: out of memory");
        return false;
    }
    *bench = (workers_bench){.options = options, .message = message, .message_size = message_size};
    rows->items = count;
    bool is_good =
        create(bench, count) && check_all(bench, check_tasks) && check_all(bench, check_chains);
    for (int task = 0; task < TASK_COUNT_ && is_good; task++) {
        is_good = measure_task(bench, (worker_task)task, rows);
    }
    destroy(bench);
    free(bench);
    return is_good;
}

void workers_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                    FILE *out)
{
    table_key lines[TASK_COUNT_] = {{0}}, columns[BENCH_MAX_SIZES] = {{0}};
    for (int i = 0; i < TASK_COUNT_; i++) {
        lines[i] = (table_key){.title = worker_rows[i].name,
                               .measure = "workers",
                               .detail = worker_rows[i].name,
                               .state = ""};
    }
    for (uint32_t i = 0; i < options->workers.count; i++) {
        columns[i] =
            (table_key){.contender = worker_name(options->workers.values[i]), .has_ratio = i > 0};
    }
    fprintf(
        out,
        "%u entities, all moving where something moves; a copy reads and writes the bytes of a\n"
        "call's arrays, and those of two frames in turns where the call does\n\n",
        (unsigned)count);
    table_print(rows,
                &(measure_table){.title = "us",
                                 .lines = lines,
                                 .columns = columns,
                                 .line_count = TASK_COUNT_,
                                 .column_count = options->workers.count,
                                 .base = worker_name(options->workers.values[0]),
                                 .items = count},
                out);
    workers_print_limits(options, count, rows, out);
}
