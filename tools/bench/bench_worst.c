// SPDX-License-Identifier: MIT
// bench_worst.c - a scripted game in a scene with a culler: median, p99.9 and worst of each call.
//
// Each phase of the game is a number of frames of one kind. A frame edits entities, commits, and
// asks what one camera sees. Beside its times stand how often the library asked its allocator, and
// how often the process touched a page of memory for the first time.
//
// Times are the thread's own, and yet a virtual machine whose host takes the processor away counts
// that as the thread's. So the game is played several times. Each time does the same work, and what
// a frame takes is the least of them. Beside that stands p99.9 of one game with all that the
// machine did to it, and in each frame a loop over memory that always does the same: what its
// figures say of it is said of the machine.
//
// Words used here:
//     steady      a phase in which every frame does the same work
//     portal      a fifteenth of the entities is far away in every other frame
//     spike       all entities but every hundredth go, and come back in one frame
#include "bench_worst.h"

#include "country.h"
#include "measure_turns.h"

#include <acre/culling.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { CHECKS = 8, USUAL_ROUNDS = 15, GAMES = 3 };
enum { LOOP_LINES = 4096, LOOP_PASSES = 8, LINE_DOUBLES = 8 }; // 256 KiB, some 50 us

#define PORTAL_WAY 1e8f // meters: beyond the reach of cells of 1 m
#define SHIFT_WAY 512.0f

typedef enum call_kind {
    CALL_EDIT,
    CALL_COMMIT,
    CALL_VIEW,
    CALL_FRAME, // the three before
    CALL_LOOP,  // over memory, after the frame
    CALL_COUNT_
} call_kind;

static const char *const call_names[CALL_COUNT_] = {"edit", "commit", "view", "frame", "loop"};
static const char one_game[] = "one game";

typedef struct game {
    country land;
    acre_scene *scene;
    acre_culling *culling;
    acre_allocator allocator;
    uint64_t requests; // to the allocator
    uint64_t random;
    acre_entity *entities; // by item
    uint32_t *items;       // that an edit is about
    acre_entity *handles;  // theirs
    acre_aabb *bounds;
    acre_entity_def *defs;
    acre_transform *locals;
    uint32_t *slots;      // of an answer
    double *lines;        // of the loop over memory
    uint32_t count;       // of items
    bool is_away;         // of those that go away and come home
    uint32_t away_stride; // which those were last
    acre_result result;   // of the calls of a frame
} game;

typedef enum edit_kind { EDIT_MOVE, EDIT_CREATE, EDIT_DESTROY, EDIT_RENEW } edit_kind;

typedef struct phase {
    const char *name;
    uint32_t frames; // of 10,000
    edit_kind edit;
    uint32_t (*choose)(game *self, uint32_t frame, uint32_t stride); // answers how many items
    uint32_t stride;
    uint32_t flags;
} phase;

enum { IS_SINGLE = 0, IS_STEADY = 1, SEES_ALL = 2 };

// Counts, and has the library's own allocator do it.
static void *count_request(void *user, void *block, size_t old_size, size_t new_size,
                           size_t alignment)
{
    ++*(uint64_t *)user;
    return acre_resize(NULL, block, old_size, new_size, alignment);
}

// ---- what changes in a frame ----

// Every stride'th item from a first one on.
static uint32_t list(game *self, uint32_t first, uint32_t stride)
{
    uint32_t count = 0;
    for (uint32_t item = first; item < self->count; item += stride) {
        self->items[count++] = item;
    }
    return count;
}

// The items step; with 0 all stay where they are.
static uint32_t walk(game *self, uint32_t frame, uint32_t stride)
{
    (void)frame;
    if (stride > 0) {
        country_advance(&self->land, 0, stride);
    }
    return list(self, 0, stride > 0 ? stride : 1);
}

static uint32_t choose_one(game *self, uint32_t frame, uint32_t stride)
{
    self->items[0] = frame * stride % self->count;
    return 1;
}

// Others in each frame get another place.
static uint32_t replace(game *self, uint32_t frame, uint32_t stride)
{
    const uint32_t count = list(self, frame % stride, stride);
    for (uint32_t i = 0; i < count; i++) {
        country_respawn(&self->land, self->items[i], &self->random);
    }
    return count;
}

static uint32_t go_away_or_home(game *self, uint32_t frame, uint32_t stride)
{
    (void)frame;
    self->is_away = stride != self->away_stride || !self->is_away;
    self->away_stride = stride;
    const float way = stride > 1 ? PORTAL_WAY : SHIFT_WAY;
    const uint32_t count = list(self, 0, stride);
    for (uint32_t i = 0; i < count; i++) {
        acre_aabb *const box = &self->land.boxes[self->items[i]];
        acre_aabb *const home = &self->land.saved_boxes[self->items[i]];
        if (self->is_away) {
            *home = *box;
            box->min[0] += way;
            box->max[0] += way;
        } else {
            *box = *home;
        }
    }
    return count;
}

// All items but every stride'th.
static uint32_t choose_most(game *self, uint32_t frame, uint32_t stride)
{
    (void)frame;
    uint32_t count = 0;
    for (uint32_t item = 0; item < self->count; item++) {
        if (item % stride) {
            self->items[count++] = item;
        }
    }
    return count;
}

static const phase phases[] = {
    {"load", 1, EDIT_CREATE, walk, 0, IS_SINGLE},
    {"first frame", 1, EDIT_MOVE, walk, 50, IS_SINGLE},
    {"play, 2 % move", 2958, EDIT_MOVE, walk, 50, IS_STEADY},
    {"all move", 500, EDIT_MOVE, walk, 1, IS_STEADY},
    {"rest, after all moved", 40, EDIT_MOVE, choose_one, 7919, IS_SINGLE},
    {"first destroy", 1, EDIT_RENEW, choose_one, 1, IS_SINGLE},
    {"one comes and goes", 999, EDIT_RENEW, choose_one, 7919, IS_STEADY},
    {"stream, 0.1 % are new", 1500, EDIT_RENEW, replace, 1000, IS_STEADY},
    {"teleport, 1 %", 1000, EDIT_MOVE, replace, 100, IS_STEADY},
    {"shift of all", 20, EDIT_MOVE, go_away_or_home, 1, IS_STEADY},
    {"spectator", 500, EDIT_MOVE, walk, 50, IS_STEADY | SEES_ALL},
    {"first portal", 1, EDIT_MOVE, go_away_or_home, 15, IS_SINGLE},
    {"portal, 6.7 %", 477, EDIT_MOVE, go_away_or_home, 15, IS_STEADY},
    {"99 of 100 go", 1, EDIT_DESTROY, choose_most, 100, IS_SINGLE},
    {"play, few", 1000, EDIT_MOVE, walk, 100, IS_STEADY},
    {"spike, 100 times", 1, EDIT_CREATE, choose_most, 100, IS_SINGLE},
    {"play again", 1000, EDIT_MOVE, walk, 50, IS_STEADY}};

enum { PHASE_COUNT = sizeof phases / sizeof phases[0] };

// ---- a frame ----

// An entity at the lower corner of its box.
static void describe(game *self, uint32_t row, uint32_t item)
{
    const acre_aabb *const box = &self->land.boxes[item];
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    acre_aabb bounds = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int k = 0; k < 3; k++) {
        local.translation[k] = box->min[k];
        bounds.max[k] = box->max[k] - box->min[k];
    }
    self->locals[row] = local;
    self->bounds[row] = bounds;
    self->defs[row] = (acre_entity_def){.local = &self->locals[row], .bounds = &self->bounds[row]};
    self->handles[row] = self->entities[item];
}

static void edit(game *self, edit_kind kind, uint32_t count)
{
    acre_result result = ACRE_OK;
    if (kind == EDIT_MOVE) {
        result = acre_scene_set_locals(self->scene, self->handles, self->locals, count);
    }
    if (kind == EDIT_DESTROY || kind == EDIT_RENEW) {
        result = acre_entity_destroy_many(self->scene, self->handles, count);
    }
    if (result == ACRE_OK && (kind == EDIT_CREATE || kind == EDIT_RENEW)) {
        result = acre_entity_create_many(self->scene, self->defs, NULL, count, self->handles);
    }
    self->result = result;
}

// What a call of a phase took, by frame.
typedef struct call_cost {
    sample_list least; // microseconds, of all games
    sample_list first; // of the first game, as the machine was
    double requests, faults;
} call_cost;

typedef struct meter {
    double seconds;
    uint64_t requests;
    long faults;
} meter;

static meter read_meter(const game *self)
{
    struct rusage usage;
    struct timespec now;
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (meter){(double)now.tv_sec + 1e-9 * (double)now.tv_nsec, self->requests,
                   usage.ru_minflt};
}

static void keep_cost(call_cost *cost, uint32_t frame, meter begin, meter end)
{
    const double microseconds = 1e6 * (end.seconds - begin.seconds);
    if (cost->least.count <= frame) { // the first game
        samples_keep(&cost->least, microseconds);
        samples_keep(&cost->first, microseconds);
        cost->requests += (double)(end.requests - begin.requests);
        cost->faults += (double)(end.faults - begin.faults);
    } else if (microseconds < cost->least.values[frame]) {
        cost->least.values[frame] = microseconds;
    }
}

static void loop_over_memory(game *self)
{
    for (uint32_t pass = 0; pass < LOOP_PASSES; pass++) {
        for (uint32_t line = 0; line < LOOP_LINES; line++) {
            self->lines[line * LINE_DOUBLES] += 1.0;
        }
    }
}

// Whether the answer is that of a loop over all entities: equal sums of slots, and of their
// squares.
static bool is_right(const game *self, const acre_frustum *frustum, size_t found)
{
    uint64_t sums[3] = {found, 0, 0};
    for (size_t i = 0; i < found; i++) {
        sums[1] += self->slots[i];
        sums[2] += (uint64_t)self->slots[i] * self->slots[i];
    }
    for (uint32_t item = 0; item < self->count; item++) {
        acre_aabb box;
        const uint64_t slot = self->entities[item].index1 - 1;
        if (acre_entity_is_alive(self->scene, self->entities[item]) &&
            acre_entity_world_bounds(self->scene, self->entities[item], &box) == ACRE_OK &&
            acre_frustum_test_aabb(frustum, &box)) {
            sums[0]--;
            sums[1] -= slot;
            sums[2] -= slot * slot;
        }
    }
    return (sums[0] | sums[1] | sums[2]) == 0;
}

static bool play_frame(game *self, const phase *what, uint32_t frame, call_cost *costs,
                       bool is_checked)
{
    const country_view *const views =
        self->land.views[what->flags & SEES_ALL ? VIEW_WHOLE : VIEW_GROUND];
    const acre_frustum *const frustum = &views[frame % self->land.view_count].frustum;
    const uint32_t count = what->choose(self, frame, what->stride);
    size_t found = 0;
    for (uint32_t row = 0; row < count; row++) {
        describe(self, row, self->items[row]);
    }
    meter at[CALL_COUNT_];
    at[0] = read_meter(self);
    edit(self, what->edit, count);
    at[1] = read_meter(self);
    const acre_result committed = acre_scene_commit(self->scene);
    at[2] = read_meter(self);
    const acre_result asked = acre_culling_query_frustum(self->culling, frustum, 0, self->slots,
                                                         2 * (size_t)self->count, &found);
    at[3] = read_meter(self);
    loop_over_memory(self);
    at[4] = read_meter(self);
    for (uint32_t call = 0; call < CALL_FRAME; call++) {
        keep_cost(&costs[call], frame, at[call], at[call + 1]);
    }
    keep_cost(&costs[CALL_FRAME], frame, at[0], at[3]);
    keep_cost(&costs[CALL_LOOP], frame, at[3], at[4]);
    for (uint32_t row = 0; row < count; row++) {
        self->entities[self->items[row]] = self->handles[row];
    }
    return self->result == ACRE_OK && committed == ACRE_OK && asked == ACRE_OK &&
           (!is_checked || is_right(self, frustum, found));
}

// ---- the game ----

// frames: how many the phase has. is_checked: some sets are compared, which leaves the caches cold.
static bool play(game *self, const phase *what, uint32_t frames, call_cost *costs, bool is_checked)
{
    bool is_good = true;
    const uint32_t every = frames > CHECKS ? frames / CHECKS : 1;
    measure_progress(self->count, "worst", what->name);
    for (uint32_t frame = 0; frame < frames && is_good; frame++) {
        is_good = play_frame(self, what, frame, costs,
                             is_checked && (frame % every == 0 || frame + 1 == frames));
    }
    return is_good;
}

static void add_rows(measure_rows *rows, const phase *what, call_cost *costs)
{
    for (int call = 0; call < CALL_COUNT_; call++) {
        const char *const name = call_names[call];
        call_cost *const cost = &costs[call];
        rows_add_samples(rows, "acre", (row_name){name, what->name, "", "us"}, &cost->least);
        rows_add_samples(rows, "acre", (row_name){name, what->name, one_game, "us"}, &cost->first);
        rows_add_value(rows, "acre", (row_name){name, what->name, "allocations", ""},
                       cost->requests);
        rows_add_value(rows, "acre", (row_name){name, what->name, "page faults", ""}, cost->faults);
        samples_free(&cost->least);
        samples_free(&cost->first);
    }
}

static bool open_game(game *self, const bench_options *options, uint32_t count)
{
    self->count = count;
    self->random = 9;
    self->allocator = (acre_allocator){count_request, &self->requests};
    self->items = calloc(count, sizeof *self->items);
    self->entities = calloc(count, sizeof *self->entities);
    self->handles = calloc(count, sizeof *self->handles);
    self->locals = calloc(count, sizeof *self->locals);
    self->bounds = calloc(count, sizeof *self->bounds);
    self->defs = calloc(count, sizeof *self->defs);
    self->slots = malloc(count * 2 * sizeof *self->slots);
    self->lines = calloc(LOOP_LINES * LINE_DOUBLES, sizeof *self->lines);
    const acre_culling_def def = {.register_all = true,
                                  .tree = {.node_capacity = options->node_capacity,
                                           .kernel = options->kernel,
                                           .allocator = &self->allocator}};
    if (self->slots) {
        memset(self->slots, 1, count * 2 * sizeof *self->slots); // no view touches it first
    }
    return self->items && self->entities && self->handles && self->locals && self->bounds &&
           self->defs && self->slots && self->lines &&
           country_create(&self->land, count, options->views) &&
           acre_scene_create(&(acre_scene_def){.allocator = &self->allocator}, &self->scene) ==
               ACRE_OK &&
           acre_culling_create(self->scene, &def, &self->culling) == ACRE_OK;
}

static void close_game(game *self)
{
    acre_culling_destroy(self->culling);
    acre_scene_destroy(self->scene);
    country_free(&self->land);
    free(self->items);
    free(self->entities);
    free(self->handles);
    free(self->locals);
    free(self->bounds);
    free(self->defs);
    free(self->slots);
    free(self->lines);
}

static bool play_game(const bench_options *options, uint32_t count, bool is_checked,
                      call_cost costs[PHASE_COUNT][CALL_COUNT_], const char **at)
{
    game self = {.count = count};
    const uint32_t rounds = options->rounds < USUAL_ROUNDS ? options->rounds : USUAL_ROUNDS;
    bool is_good = open_game(&self, options, count);
    *at = "the world";
    for (uint32_t i = 0; i < PHASE_COUNT && is_good; i++) {
        const uint32_t frames = (phases[i].frames * rounds + USUAL_ROUNDS - 1) / USUAL_ROUNDS;
        *at = phases[i].name;
        is_good = play(&self, &phases[i], frames, costs[i], is_checked);
    }
    close_game(&self);
    return is_good;
}

bool worst_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                   size_t message_size)
{
    call_cost costs[PHASE_COUNT][CALL_COUNT_] = {0};
    const char *at = "";
    bool is_good = true;
    rows->items = count;
    for (uint32_t i = 0; i < GAMES && is_good; i++) {
        is_good = play_game(options, count, i + 1 == GAMES, costs, &at);
    }
    for (uint32_t i = 0; i < PHASE_COUNT; i++) {
        add_rows(rows, &phases[i], costs[i]);
    }
    snprintf(message, message_size, "worst: %s: a call failed or a set differs", at);
    return is_good;
}

static void report_call(uint32_t count, const measure_rows *rows, const phase *what, call_kind call,
                        FILE *out)
{
    const char *const name = call_names[call];
    const measure_row *const times = rows_find(rows, count, "acre", name, what->name, "");
    const measure_row *const once = rows_find(rows, count, "acre", name, what->name, one_game);
    const measure_row *const requests =
        rows_find(rows, count, "acre", name, what->name, "allocations");
    const measure_row *const faults =
        rows_find(rows, count, "acre", name, what->name, "page faults");
    if (times && once && requests && faults) {
        const sample_summary *const value = &times->value;
        fprintf(out, "%-23s%c%-8s%10.1f%10.1f%10.1f%9.1f%9.1f%10.1f%12.0f%12.0f\n",
                call == CALL_EDIT ? what->name : "", what->flags & IS_STEADY ? ' ' : '*', name,
                value->median, value->p999, value->most, value->p999 / value->median,
                value->most / value->median, once->value.p999 / once->value.median,
                requests->value.median, faults->value.median);
    }
}

void worst_report(const bench_options *options, uint32_t count, const measure_rows *rows, FILE *out)
{
    fprintf(out, "\n%u entities, %u views; us of the thread, least of %d games;", (unsigned)count,
            (unsigned)options->views, GAMES);
    fprintf(out, " * the phase is not steady\n%-24s%-8s%10s%10s%10s%9s%9s%10s%12s%12s\n", "phase",
            "call", "median", "p99.9", "worst", "p99.9 x", "worst x", "one game", "allocations",
            "page faults");
    for (uint32_t i = 0; i < PHASE_COUNT; i++) {
        for (int call = 0; call < CALL_COUNT_; call++) {
            report_call(count, rows, &phases[i], (call_kind)call, out);
        }
    }
    fprintf(out, "\none game: p99.9 of the first game, in medians\n");
    fprintf(out, "all sets are equal to those of a loop over all entities\n");
}
