// SPDX-License-Identifier: MIT
// old_and_new.c - two builds of the library in turns, in one process: what an operation costs in
// each. old_and_new.sh builds and runs it.
//     old_and_new OLD.so NEW.so [ITEMS [ROUNDS]]
// It calls functions that both builds have, on the town of country.h. Memory is reused, not taken
// anew. Each round runs all steps on a new tree of one build, then of the other; which one comes
// first changes from round to round. Both builds have to find the same, before and after the edits.
#include "country.h"

#include <acre/quadtree.h>

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VIEWS = 16, QUERY_REPEATS = 8, TENTH = 10, FRAMES = 10, MOST_ROUNDS = 200 };

// One build of the library.
typedef struct library {
    acre_result (*create)(const acre_quadtree_def *, acre_quadtree **);
    void (*destroy)(acre_quadtree *);
    acre_result (*insert)(acre_quadtree *, uint32_t, const acre_aabb *);
    acre_result (*insert_many)(acre_quadtree *, const uint32_t *, const acre_aabb *, size_t);
    acre_result (*optimize)(acre_quadtree *);
    acre_result (*refresh)(acre_quadtree *, uint32_t, const acre_aabb *);
    acre_result (*refresh_many)(acre_quadtree *, const uint32_t *, const acre_aabb *, size_t);
    acre_result (*refresh_all)(acre_quadtree *, const acre_aabb *, size_t);
    acre_result (*maintain)(acre_quadtree *);
    acre_result (*remove)(acre_quadtree *, uint32_t);
    size_t (*query)(const acre_quadtree *, const acre_frustum *, uint32_t *, size_t);
} library;

typedef enum step {
    STEP_INSERT,
    STEP_REMOVE,
    STEP_INSERT_MANY,
    STEP_OPTIMIZE,
    STEP_QUERY, // VIEW_KIND_COUNT_ steps
    STEP_REFRESH = STEP_QUERY + VIEW_KIND_COUNT_,
    STEP_REFRESH_FAR,
    STEP_REFRESH_MANY,
    STEP_REFRESH_ALL,
    STEP_MAINTAIN,
    STEP_COUNT_
} step;

static const char *const step_names[STEP_COUNT_] = {"insert",        "remove",
                                                    "insert_many",   "optimize",
                                                    "query, ground", "query, aerial",
                                                    "query, rts",    "query, shadow",
                                                    "query, whole",  "refresh, all moving",
                                                    "refresh, far",  "refresh_many, a tenth",
                                                    "refresh_all",   "maintain"};

typedef struct bench {
    country land;
    acre_aabb *far; // of item i: the box of another one
    uint32_t *items, *shuffled, *found;
    acre_aabb *tenth_boxes;
    library builds[2];
    double samples[2][STEP_COUNT_][MOST_ROUNDS]; // ns an item; of queries, a view
    size_t seen[2];                              // sums of what queries find: the same in both
} bench;

static void need(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "old_and_new: %s\n", what);
        exit(1);
    }
}

// A function's address, of an object's pointer type, as dlsym has it.
static void find(void *opened, const char *name, void *out)
{
    void *const symbol = dlsym(opened, name);
    need(symbol != NULL, name);
    memcpy(out, &symbol, sizeof symbol);
}

static library open_library(const char *path)
{
    void *const opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    need(opened != NULL, path);
    library out;
    find(opened, "acre_quadtree_create", &out.create);
    find(opened, "acre_quadtree_destroy", &out.destroy);
    find(opened, "acre_quadtree_insert", &out.insert);
    find(opened, "acre_quadtree_insert_many", &out.insert_many);
    find(opened, "acre_quadtree_optimize", &out.optimize);
    find(opened, "acre_quadtree_refresh", &out.refresh);
    find(opened, "acre_quadtree_refresh_many", &out.refresh_many);
    find(opened, "acre_quadtree_refresh_all", &out.refresh_all);
    find(opened, "acre_quadtree_maintain", &out.maintain);
    find(opened, "acre_quadtree_remove", &out.remove);
    find(opened, "acre_quadtree_query_frustum", &out.query);
    return out;
}

static void *take(size_t count, size_t size)
{
    void *const memory = calloc(count, size);
    need(memory != NULL, "out of memory");
    return memory;
}

static void make_input(bench *self, uint32_t count)
{
    need(country_create(&self->land, count, VIEWS), "no town");
    self->far = take(count, sizeof *self->far);
    self->tenth_boxes = take(count, sizeof *self->tenth_boxes);
    self->items = take(count, sizeof *self->items);
    self->shuffled = take(count, sizeof *self->shuffled);
    self->found = take(count, sizeof *self->found);
    uint64_t random = 2024;
    for (uint32_t i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t other = (uint32_t)((random >> 33) % (i + 1));
        self->items[i] = i;
        self->shuffled[i] = self->shuffled[other];
        self->shuffled[other] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        self->far[i] = self->land.boxes[self->shuffled[i]];
    }
    country_save(&self->land);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static acre_quadtree *new_tree(const bench *self, const library *build)
{
    acre_quadtree *tree = NULL;
    const acre_quadtree_def def = {.half_size = self->land.half_size};
    need(build->create(&def, &tree) == ACRE_OK, "create");
    return tree;
}

// Inserts and removes one by one, on a tree of their own.
static void run_edits(bench *self, const library *build, double *sample)
{
    const uint32_t count = self->land.count;
    bool is_good = true;
    acre_quadtree *const tree = new_tree(self, build);
    const double begin = now();
    for (uint32_t i = 0; i < count; i++) {
        is_good &= build->insert(tree, i, &self->land.boxes[i]) == ACRE_OK;
    }
    const double middle = now();
    for (uint32_t i = 0; i < count; i++) {
        is_good &= build->remove(tree, self->shuffled[i]) == ACRE_OK;
    }
    sample[STEP_INSERT] = (middle - begin) / count;
    sample[STEP_REMOVE] = (now() - middle) / count;
    need(is_good, "insert and remove");
    build->destroy(tree);
}

static void run_queries(bench *self, const library *build, const acre_quadtree *tree,
                        double *sample, size_t *seen)
{
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        const country_view *const views = self->land.views[kind];
        double begin = 0.0;
        for (int repeat = 0; repeat <= QUERY_REPEATS; repeat++) {
            begin = repeat == 1 ? now() : begin; // the first pass warms
            for (uint32_t view = 0; view < VIEWS; view++) {
                *seen += build->query(tree, &views[view].frustum, self->found, self->land.count);
            }
        }
        sample[STEP_QUERY + kind] = (now() - begin) / (VIEWS * QUERY_REPEATS);
    }
}

// Frames in which all items step, a tenth of them, or all at once.
static void run_frames(bench *self, const library *build, acre_quadtree *tree, double *sample)
{
    const uint32_t count = self->land.count, tenth = count / TENTH;
    bool is_good = true;
    for (int frame = 0; frame < FRAMES; frame++) {
        country_advance(&self->land, 0, 1);
        double from = now();
        for (uint32_t i = 0; i < count; i++) {
            is_good &= build->refresh(tree, i, &self->land.boxes[i]) == ACRE_OK;
        }
        sample[STEP_REFRESH] += (now() - from) / count / FRAMES;
        country_advance(&self->land, 0, 1);
        from = now();
        is_good &= build->refresh_all(tree, self->land.boxes, count) == ACRE_OK;
        sample[STEP_REFRESH_ALL] += (now() - from) / count / FRAMES;
        country_advance(&self->land, 0, 1);
        for (uint32_t i = 0; i < tenth; i++) {
            self->tenth_boxes[i] = self->land.boxes[self->shuffled[i]];
        }
        from = now();
        is_good &= build->refresh_many(tree, self->shuffled, self->tenth_boxes, tenth) == ACRE_OK;
        sample[STEP_REFRESH_MANY] += (now() - from) / tenth / FRAMES;
        from = now();
        is_good &= build->maintain(tree) == ACRE_OK;
        sample[STEP_MAINTAIN] += (now() - from) / count / FRAMES;
    }
    const double from = now();
    for (uint32_t i = 0; i < count; i++) {
        is_good &= build->refresh(tree, i, &self->far[i]) == ACRE_OK;
    }
    sample[STEP_REFRESH_FAR] = (now() - from) / count;
    need(is_good, "refresh and maintain");
}

// Not measured: which items queries find after all edits.
static void see_again(bench *self, const library *build, const acre_quadtree *tree, size_t *seen)
{
    for (int kind = 0; kind < VIEW_KIND_COUNT_; kind++) {
        for (uint32_t view = 0; view < VIEWS; view++) {
            const acre_frustum *const frustum = &self->land.views[kind][view].frustum;
            const size_t count = build->query(tree, frustum, self->found, self->land.count);
            *seen += count;
            for (size_t i = 0; i < count; i++) {
                *seen += self->found[i];
            }
        }
    }
}

static void run_round(bench *self, int which, int round)
{
    const library *const build = &self->builds[which];
    double sample[STEP_COUNT_] = {0};
    run_edits(self, build, sample);
    acre_quadtree *const tree = new_tree(self, build);
    double from = now();
    need(build->insert_many(tree, self->items, self->land.boxes, self->land.count) == ACRE_OK,
         "insert_many");
    sample[STEP_INSERT_MANY] = (now() - from) / self->land.count;
    from = now();
    need(build->optimize(tree) == ACRE_OK, "optimize");
    sample[STEP_OPTIMIZE] = (now() - from) / self->land.count;
    run_queries(self, build, tree, sample, &self->seen[which]);
    run_frames(self, build, tree, sample);
    see_again(self, build, tree, &self->seen[which]);
    country_restore(&self->land);
    build->destroy(tree);
    for (int i = 0; i < STEP_COUNT_ && round >= 0; i++) {
        self->samples[which][i][round] = sample[i];
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(bench *self, int rounds)
{
    printf("%-22s %10s %10s %7s %10s %10s %7s\n", "ns an item, or a view", "old, least", "new",
           "ratio", "old, median", "new", "ratio");
    for (int i = 0; i < STEP_COUNT_; i++) {
        double least[2], median[2];
        for (int which = 0; which < 2; which++) {
            double *const samples = self->samples[which][i];
            qsort(samples, (size_t)rounds, sizeof *samples, compare);
            least[which] = samples[0];
            median[which] = 0.5 * (samples[(rounds - 1) / 2] + samples[rounds / 2]);
        }
        printf("%-22s %10.2f %10.2f %7.3f %10.2f %10.2f %7.3f\n", step_names[i], least[0], least[1],
               least[1] / least[0], median[0], median[1], median[1] / median[0]);
    }
}

int main(int argc, char **argv)
{
    need(argc >= 3, "usage: old_and_new OLD.so NEW.so [ITEMS [ROUNDS]]");
    const long items = argc > 3 ? strtol(argv[3], NULL, 10) : 100000;
    const long rounds = argc > 4 ? strtol(argv[4], NULL, 10) : 40;
    need(items >= TENTH && items <= COUNTRY_MAX_BOXES, "ITEMS is 10 to 2^24");
    need(rounds >= 1 && rounds <= MOST_ROUNDS, "ROUNDS is 1 to 200");
    // Fresh memory costs as much as half of a build, and not always the same.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    static bench self;
    self.builds[0] = open_library(argv[1]);
    self.builds[1] = open_library(argv[2]);
    make_input(&self, (uint32_t)items);
    for (int round = -1; round < (int)rounds; round++) { // round -1 warms
        run_round(&self, round & 1, round);
        run_round(&self, (round & 1) ^ 1, round);
    }
    need(self.seen[0] == self.seen[1], "the builds see different items");
    printf("%ld boxes of a town, %ld rounds\n", items, rounds);
    report(&self, (int)rounds);
    return 0;
}
