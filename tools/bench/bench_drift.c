// SPDX-License-Identifier: MIT
// bench_drift.c - Acre and wide hierarchies of boxes while things move for 2,000 frames: what a
// frame's update costs, and what queries cost as the frames go by.
//
// All live side by side on the same boxes; each updates in each frame, in turns. At some frames
// distinct queries of each kind are timed in turns, and every set is compared: all with each
// other, one in CHECKED_EACH with the definition.
//
// Words used here:
//     way      Acre, or one of the hierarchies of bench_wide_bvh.c
//     share    how many of the things move, the same ones in every frame
#include "bench_drift.h"

#include "bench_contest.h"
#include "country_random.h"
#include "measure_table.h"

#include <stdlib.h>
#include <time.h>

enum {
    WAYS = 1 + WIDE_BVH_COUNT,
    KIND_BOX = VIEW_KIND_COUNT_, // the kinds before it are views
    KINDS,
    QUERIES_EACH = 32, // times options.views are the queries of a kind
    WHOLE_WORLD = 8,   // of these every one is the same
    BATCH = 64,        // queries of a turn
    PASSES = 4,        // of all queries of a kind, and one before them
    CHECKED_EACH = 64,
    USUAL_ROUNDS = 15,
    STOPS = 6,
    SHARES = 3
};

#define BOX_HALF_SIZE 10.0f // m

static const uint32_t stops[STOPS] = {1, 10, 100, 500, 1000, 2000};
static const char *const stop_names[STOPS] = {"frame 1",   "frame 10",   "frame 100",
                                              "frame 500", "frame 1000", "frame 2000"};
static const uint32_t strides[SHARES] = {100, 10, 1};
static const char *const share_names[SHARES] = {"1 % move", "10 % move", "100 % move"};

typedef struct drift {
    const bench_options *options;
    country land;
    const bench_contender *ways[WAYS];
    uint32_t way_count;
    void *states[WAYS];
    country_view *views[KINDS]; // of a box only the bounds
    asked_question question;    // the box
    acre_query query;
    uint32_t *items, *movers;
    uint64_t *sums; // of the sets of a kind, by query
    sample_list updates[WAYS];
} drift;

// Of the thread, so that no other program makes a frame a bad one.
static double thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *kind_name(int kind)
{
    return kind == KIND_BOX ? "box, 20 m" : view_kind_name((view_kind)kind);
}

static uint32_t query_count(const drift *self, int kind)
{
    return kind == VIEW_WHOLE ? WHOLE_WORLD : QUERIES_EACH * self->options->views;
}

// ---- what is asked ----

static bool make_queries(drift *self)
{
    uint64_t random = 0x6472696674u;
    bool is_good = true;
    for (int kind = 0; kind < KINDS && is_good; kind++) {
        self->views[kind] = calloc(query_count(self, kind), sizeof *self->views[kind]);
        is_good = self->views[kind] != NULL;
        for (uint32_t i = 0; i < query_count(self, kind) && is_good; i++) {
            float place[2];
            country_next_place(&self->land, &random, place);
            const float feet[3] = {place[0], 0.0f, place[1]};
            country_view *const view = &self->views[kind][i];
            for (int axis = 0; axis < 3; axis++) {
                view->bounds.min[axis] = feet[axis] - BOX_HALF_SIZE;
                view->bounds.max[axis] = feet[axis] + BOX_HALF_SIZE;
            }
            is_good = kind == KIND_BOX ||
                      country_view_from(&self->land, (view_kind)kind, feet, &random, view);
        }
    }
    return is_good;
}

// Acre's trees are asked alike, however they are edited.
static size_t ask(drift *self, uint32_t way, int kind, uint32_t index)
{
    const bench_contender *const what = way > 0 ? self->ways[way] : &bench_acre;
    const country_view *const view = &self->views[kind][index];
    if (kind == KIND_BOX) {
        self->question.bounds = view->bounds;
        return what->answer(self->states[way], &self->question, self->items);
    }
    const contender_query query = {.frustum = &view->frustum, .bounds = &view->bounds};
    return what->query(self->states[way], &query, self->items);
}

// Of a set, whatever its order.
static uint64_t add_item(uint64_t sum, uint32_t item)
{
    uint64_t state = item;
    return sum + draw_bits(&state);
}

static uint64_t defined_sum(const drift *self, int kind, uint32_t index)
{
    const country_view *const view = &self->views[kind][index];
    uint64_t sum = 0;
    for (uint32_t item = 0; item < self->land.count; item++) {
        const acre_aabb *const box = &self->land.boxes[item];
        if (kind == KIND_BOX ? acre_aabb_overlaps(&view->bounds, box)
                             : acre_frustum_test_aabb(&view->frustum, box)) {
            sum = add_item(sum, item);
        }
    }
    return sum;
}

static bool check_kind(drift *self, int kind)
{
    bool is_good = true;
    for (uint32_t i = 0; i < query_count(self, kind) && is_good; i++) {
        uint64_t wanted = i % CHECKED_EACH == 0 ? defined_sum(self, kind, i) : 0;
        for (uint32_t way = 0; way < self->way_count && is_good; way++) {
            const size_t found = ask(self, way, kind, i);
            uint64_t sum = 0;
            for (size_t k = 0; k < found; k++) {
                sum = add_item(sum, self->items[k]);
            }
            is_good = sum == wanted || (way == 0 && i % CHECKED_EACH != 0);
            wanted = sum;
        }
    }
    return is_good;
}

// ---- time ----

static void time_kind(drift *self, int kind, row_name name, measure_rows *rows)
{
    const uint32_t count = query_count(self, kind);
    sample_list passes[WAYS] = {0};
    for (uint32_t round = 0; round <= PASSES; round++) {
        double spent[WAYS] = {0.0};
        for (uint32_t at = 0; at < count; at += BATCH) {
            const uint32_t end = at + BATCH < count ? at + BATCH : count;
            for (uint32_t turn = 0; turn < self->way_count; turn++) {
                const uint32_t way = (turn + round) % self->way_count;
                const double begin = clock_seconds();
                for (uint32_t i = at; i < end; i++) {
                    (void)ask(self, way, kind, i);
                }
                spent[way] += clock_seconds() - begin;
            }
        }
        for (uint32_t way = 0; way < self->way_count && round > 0; way++) {
            samples_keep(&passes[way], 1e6 * spent[way] / (double)count);
        }
    }
    for (uint32_t way = 0; way < self->way_count; way++) {
        rows_add_samples(rows, self->ways[way]->name, name, &passes[way]);
        samples_free(&passes[way]);
    }
}

static bool run_frame(drift *self, uint32_t frame, uint32_t stride)
{
    const country *const land = &self->land;
    const size_t count = (land->count + stride - 1) / stride;
    bool is_good = true;
    country_advance(&self->land, 0, stride);
    for (uint32_t turn = 0; turn < self->way_count && is_good; turn++) {
        const uint32_t way = (turn + frame) % self->way_count;
        const bench_contender *const what = self->ways[way];
        void *const state = self->states[way];
        is_good = !what->prepare || what->prepare(state, self->movers, count, land->boxes);
        const double begin = thread_seconds();
        is_good = is_good && what->refresh(state, self->movers, count, land->boxes, land->count);
        samples_keep(&self->updates[way], 1e6 * (thread_seconds() - begin));
    }
    return is_good;
}

static bool stop_at(drift *self, uint32_t stop, const char *share, measure_rows *rows)
{
    bool is_good = true;
    for (int kind = 0; kind < KINDS && is_good; kind++) {
        measure_progress(self->land.count, share, stop_names[stop]);
        is_good = check_kind(self, kind);
        time_kind(self, kind, (row_name){kind_name(kind), share, stop_names[stop], "us"}, rows);
    }
    return is_good;
}

// ---- the life of a share ----

static bool open_ways(drift *self, uint32_t stride)
{
    const contender_world world = {.count = self->land.count,
                                   .half_size = self->land.half_size,
                                   .kernel = self->options->kernel,
                                   .node_capacity = self->options->node_capacity};
    const bench_contender *const rivals = bench_wide_bvhs(self->options->kernel);
    bool is_good = true;
    self->ways[0] = stride == 1 ? &bench_acre_all : &bench_acre_many;
    self->way_count = rivals ? WAYS : 1;
    for (uint32_t way = 0; way < self->way_count && is_good; way++) {
        self->ways[way] = way > 0 ? &rivals[way - 1] : self->ways[way];
        self->states[way] = self->ways[way]->create(&world);
        is_good =
            self->states[way] &&
            (way > 0 ? self->ways[way]->build(self->states[way], self->land.boxes, world.count)
                     : bench_acre_many.insert(self->states[way], self->movers, world.count,
                                              self->land.boxes));
    }
    return is_good;
}

static void close_ways(drift *self)
{
    for (uint32_t way = 0; way < self->way_count; way++) {
        if (self->states[way]) {
            self->ways[way]->destroy(self->states[way]);
        }
        self->states[way] = NULL;
        samples_free(&self->updates[way]);
    }
}

static bool run_share(drift *self, uint32_t share, measure_rows *rows)
{
    const uint32_t stride = strides[share], rounds = self->options->rounds;
    const uint32_t frames =
        stops[STOPS - 1] * (rounds < USUAL_ROUNDS ? rounds : USUAL_ROUNDS) / USUAL_ROUNDS;
    for (uint32_t item = 0; item < self->land.count; item++) {
        self->movers[item] = item;
    }
    bool is_good = open_ways(self, stride);
    for (uint32_t item = 0; item < self->land.count; item += stride) {
        self->movers[item / stride] = item;
    }
    for (uint32_t frame = 1, stop = 0; frame <= frames && is_good; frame++) {
        is_good = run_frame(self, frame, stride);
        if (frame == stops[stop]) {
            is_good = is_good && stop_at(self, stop++, share_names[share], rows);
        }
    }
    for (uint32_t way = 0; way < self->way_count; way++) {
        const char *const name = self->ways[way]->name;
        rows_add_samples(rows, name, (row_name){"update", share_names[share], "", "us"},
                         &self->updates[way]);
    }
    close_ways(self);
    return is_good;
}

bool drift_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                   size_t message_size)
{
    drift self = {.options = options};
    rows->items = count;
    self.query = (acre_query){.shape = ACRE_QUERY_SHAPE_AABB, .box = &self.question.bounds};
    self.question = (asked_question){.query = &self.query, .is_box = true};
    self.items = calloc((size_t)count + CONTENDER_SLACK, sizeof *self.items);
    self.movers = calloc((size_t)count + 1, sizeof *self.movers);
    bool is_good = self.items && self.movers && country_create(&self.land, count, 1);
    for (uint32_t share = 0; share < SHARES && is_good; share++) {
        country_free(&self.land);
        is_good = country_create(&self.land, count, 1) && (share > 0 || make_queries(&self)) &&
                  run_share(&self, share, rows);
    }
    snprintf(message, message_size, "%u boxes: a frame failed, or a set differs", (unsigned)count);
    for (int kind = 0; kind < KINDS; kind++) {
        free(self.views[kind]);
    }
    country_free(&self.land);
    free(self.items);
    free(self.movers);
    return is_good;
}

// ---- tables ----

void drift_report(const bench_options *options, uint32_t count, const measure_rows *rows, FILE *out)
{
    const bench_contender *const rivals = bench_wide_bvhs(options->kernel);
    for (int share = 0; share < SHARES; share++) {
        table_key lines[KINDS * STOPS], columns[WAYS], spread[WAYS];
        char titles[KINDS * STOPS][40];
        const size_t way_count = rivals ? WAYS : 1;
        for (size_t i = 0; i < KINDS * STOPS; i++) {
            const char *const kind = kind_name((int)(i / STOPS));
            const char *const stop = stop_names[i % STOPS];
            snprintf(titles[i], sizeof titles[i], "%s, %s", kind, stop);
            lines[i] = (table_key){
                .title = titles[i], .measure = kind, .detail = share_names[share], .state = stop};
        }
        for (size_t way = 0; way < way_count; way++) {
            const char *const name = way > 0      ? rivals[way - 1].name
                                     : share == 2 ? bench_acre_all.name
                                                  : bench_acre_many.name;
            columns[way] = (table_key){.contender = name, .has_ratio = way > 0};
            spread[way] = (table_key){.contender = name,
                                      .measure = "update",
                                      .detail = share_names[share],
                                      .state = "",
                                      .title = name};
        }
        measure_table table = {.title = "us a query",
                               .lines = lines,
                               .columns = columns,
                               .line_count = KINDS * STOPS,
                               .column_count = way_count,
                               .base = columns[0].contender,
                               .items = count};
        fprintf(out, "\n%u boxes, %s, %u distinct queries of a kind\n", (unsigned)count,
                share_names[share], (unsigned)(QUERIES_EACH * options->views));
        table_print(rows, &table, out);
        (void)table_print_losses(rows, &table, out);
        table.title = "update, us a frame";
        table.lines = spread;
        table.line_count = way_count;
        table_print_spread(rows, &table, out);
    }
    fprintf(out, "\nall sets are equal to the reference\n");
}
