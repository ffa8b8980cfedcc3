// SPDX-License-Identifier: MIT
// old_and_new_movers.c - two builds of the library in turns, in one process: what a mover costs in
// each where movers lie apart. `old_and_new.sh movers` builds and runs it.
//     old_and_new_movers OLD.so NEW.so [ITEMS [ROUNDS]]
// Shares of a town's entities, chosen at random, step by single acre_entity_set_local; the commit
// computes them and refreshes the culler's tree. Entities stand alone, or in chains of four of
// which the first one steps. A round is some frames in a row of one build, then of the other one,
// then of a loop that only touches the new build's lines (mover_lines.h). After the frames of each
// share the boxes of both trees are compared with where their entities were last set, in doubles;
// in the end both builds get the same transforms, and their trees have to hold the same boxes.
#include "country.h"
#include "mover_lines.h"

#include <acre/culling.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHARES = 6, FRAMES = 4, MOST_SAMPLES = 800, LINES = 2, CONTENDERS = 3 };

static const uint32_t shares[SHARES] = {1, 5, 10, 25, 50, 100}; // %

// One build of the library, and its world.
typedef struct library {
    acre_result (*create_scene)(const acre_scene_def *, acre_scene **);
    void (*destroy_scene)(acre_scene *);
    acre_result (*create)(acre_scene *, const acre_entity_def *, acre_entity *);
    acre_result (*set_local)(acre_scene *, acre_entity, const acre_transform *);
    acre_result (*commit)(acre_scene *);
    acre_result (*create_culling)(acre_scene *, const acre_culling_def *, acre_culling **);
    void (*destroy_culling)(acre_culling *);
    acre_result (*optimize)(acre_culling *);
    const acre_quadtree *(*tree)(const acre_culling *);
    acre_result (*get_box)(const acre_quadtree *, uint32_t, acre_aabb *);
    acre_scene *scene;
    acre_culling *culling;
    float *top_x; // of each chain's first entity: as last set in this build
} library;

typedef struct bench {
    library builds[2];
    mover_visit_groups visit_groups; // of the new build
    mover_lines lines;
    uint32_t count, chain;
    acre_entity *entities; // the same in both builds
    acre_transform *locals;
    uint32_t *order;  // of the chains: the first ones move
    uint32_t *sorted; // the same, ascending
    uint64_t random;
    double samples[CONTENDERS][MOST_SAMPLES]; // ns a mover: of the old build, the new one, the loop
} bench;

static void need(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "old_and_new_movers: %s\n", what);
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

static void *open_library(const char *path, library *out)
{
    void *const opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    need(opened != NULL, path);
    find(opened, "acre_scene_create", &out->create_scene);
    find(opened, "acre_scene_destroy", &out->destroy_scene);
    find(opened, "acre_entity_create", &out->create);
    find(opened, "acre_entity_set_local", &out->set_local);
    find(opened, "acre_scene_commit", &out->commit);
    find(opened, "acre_culling_create", &out->create_culling);
    find(opened, "acre_culling_destroy", &out->destroy_culling);
    find(opened, "acre_culling_optimize", &out->optimize);
    find(opened, "acre_culling_tree", &out->tree);
    find(opened, "acre_quadtree_get_box", &out->get_box);
    return opened;
}

static void *take(size_t count, size_t size)
{
    void *const memory = calloc(count, size);
    need(memory != NULL, "out of memory");
    return memory;
}

// ---- the world ----

static void create_world(bench *self, library *build, const country *land)
{
    static const acre_aabb bounds = {{-1, 0, -1}, {1, 2, 1}};
    const acre_culling_def def = {.tree = {.half_size = land->half_size}, .register_all = true};
    need(build->create_scene(&(acre_scene_def){.scene = 1}, &build->scene) == ACRE_OK &&
             build->create_culling(build->scene, &def, &build->culling) == ACRE_OK,
         "no scene");
    for (uint32_t i = 0; i < self->count; i++) {
        const acre_entity parent = i % self->chain ? self->entities[i - 1] : (acre_entity){0, 0, 0};
        const acre_entity_def entity = {
            .local = &self->locals[i], .bounds = &bounds, .parent = parent};
        need(build->create(build->scene, &entity, &self->entities[i]) == ACRE_OK &&
                 self->entities[i].index1 == i + 1,
             "no entity");
    }
    need(build->commit(build->scene) == ACRE_OK && build->optimize(build->culling) == ACRE_OK,
         "no commit");
}

static void create(bench *self, const country *land, uint32_t chain)
{
    self->chain = chain;
    for (uint32_t i = 0; i < self->count; i++) {
        const acre_aabb *const box = &land->boxes[i];
        self->locals[i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        self->order[i] = i;
        for (int k = 0; k < 3; k += 2) {
            self->locals[i].translation[k] = i % chain ? 0.5f : 0.5f * (box->min[k] + box->max[k]);
        }
        self->builds[0].top_x[i / chain] = self->locals[i - i % chain].translation[0];
        self->builds[1].top_x[i / chain] = self->locals[i - i % chain].translation[0];
    }
    create_world(self, &self->builds[0], land);
    create_world(self, &self->builds[1], land);
    need(mover_lines_create(&self->lines, self->count, chain,
                            self->builds[1].tree(self->builds[1].culling), self->visit_groups),
         "out of memory");
}

// Whether two coordinates differ by rounding at most: far less than a step.
static bool is_near(float value, double expected)
{
    return fabs((double)value - expected) <= 1e-6 * (fabs(expected) + 10.0);
}

// Each entity of a chain stands 0.5 m from its parent along x and z.
static void check_boxes(const bench *self, const library *build)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const uint32_t top = i - i % self->chain;
        const double offset = 0.5 * (i % self->chain);
        const double middle[3] = {(double)build->top_x[i / self->chain] + offset, 1.0,
                                  (double)self->locals[top].translation[2] + offset};
        acre_aabb box;
        need(build->get_box(build->tree(build->culling), i, &box) == ACRE_OK, "no box");
        for (int k = 0; k < 3; k++) {
            need(is_near(box.min[k], middle[k] - 1.0) && is_near(box.max[k], middle[k] + 1.0),
                 "a box is not where its entity was set");
        }
    }
}

static void check_and_destroy(bench *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        acre_aabb boxes[2];
        for (int k = 0; k < 2; k++) {
            const library *const build = &self->builds[k];
            need(build->get_box(build->tree(build->culling), i, &boxes[k]) == ACRE_OK, "no box");
        }
        need(memcmp(&boxes[0], &boxes[1], sizeof boxes[0]) == 0, "the builds have other boxes");
    }
    mover_lines_free(&self->lines);
    for (int k = 0; k < 2; k++) {
        self->builds[k].destroy_culling(self->builds[k].culling);
        self->builds[k].destroy_scene(self->builds[k].scene);
    }
}

// ---- frames ----

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compare_numbers(const void *first, const void *second)
{
    const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return (a > b) - (a < b);
}

static uint32_t draw_below(bench *self, uint32_t below)
{
    self->random = self->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((self->random >> 33) % below);
}

// Moves other chains to the front of the order, and steps them.
static void choose_movers(bench *self, uint32_t movers)
{
    const uint32_t chain_count = self->count / self->chain;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t other = i + draw_below(self, chain_count - i), kept = self->order[i];
        self->order[i] = self->order[other];
        self->order[other] = kept;
        self->locals[self->order[i] * self->chain].translation[0] +=
            draw_below(self, 2) ? 0.05f : -0.05f;
    }
    memcpy(self->sorted, self->order, movers * sizeof *self->sorted);
    qsort(self->sorted, movers, sizeof *self->sorted, compare_numbers);
}

static double run_frame(bench *self, int contender, uint32_t movers)
{
    choose_movers(self, movers);
    const double begin = now();
    if (contender == LINES) {
        mover_lines_touch(&self->lines, self->order, self->sorted, movers);
        return now() - begin;
    }
    library *const build = &self->builds[contender];
    bool is_good = true;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t top = self->order[i] * self->chain;
        is_good &=
            build->set_local(build->scene, self->entities[top], &self->locals[top]) == ACRE_OK;
    }
    need(build->commit(build->scene) == ACRE_OK && is_good, "a move failed");
    const double time = now() - begin;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t chain = self->order[i];
        build->top_x[chain] = self->locals[chain * self->chain].translation[0];
    }
    return time;
}

// All frames of a round and a contender; the first one, which finds other data in the caches, does
// not count.
static void run_frames(bench *self, int contender, uint32_t movers, double *samples)
{
    for (int frame = 0; frame <= FRAMES; frame++) {
        const double time = run_frame(self, contender, movers);
        if (frame > 0) {
            samples[frame - 1] = time / (movers * self->chain);
        }
    }
}

// Every entity steps to where it stands: what only one build moved, both have then.
static void level(bench *self)
{
    for (int k = 0; k < 2; k++) {
        const library *const build = &self->builds[k];
        for (uint32_t i = 0; i < self->count; i += self->chain) {
            need(build->set_local(build->scene, self->entities[i], &self->locals[i]) == ACRE_OK,
                 "a move failed");
        }
        need(build->commit(build->scene) == ACRE_OK, "a move failed");
    }
}

// ---- figures ----

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_share(bench *self, uint32_t share, int rounds)
{
    const uint32_t movers = (uint32_t)((uint64_t)self->count / self->chain * share / 100);
    const int count = rounds * FRAMES;
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < CONTENDERS; turn++) {
            const int contender = (turn + round) % CONTENDERS;
            run_frames(self, contender, movers, &self->samples[contender][round * FRAMES]);
        }
    }
    check_boxes(self, &self->builds[0]);
    check_boxes(self, &self->builds[1]);
    double least[CONTENDERS], median[CONTENDERS];
    for (int i = 0; i < CONTENDERS; i++) {
        qsort(self->samples[i], (size_t)count, sizeof self->samples[i][0], compare);
        least[i] = self->samples[i][0];
        median[i] = 0.5 * (self->samples[i][(count - 1) / 2] + self->samples[i][count / 2]);
    }
    const double frame = 1e-3 * movers * self->chain;
    printf("%-10s %3u %%  %7.1f %7.1f %6.2f  %7.1f %7.1f %6.2f  %7.1f %6.2f  %9.0f %9.0f\n",
           self->chain > 1 ? "of four" : "alone", (unsigned)share, least[0], least[1],
           least[1] / least[0], median[0], median[1], median[1] / median[0], least[LINES],
           least[1] / least[LINES], frame * least[0], frame * least[1]);
}

int main(int argc, char **argv)
{
    need(argc >= 3, "usage: old_and_new_movers OLD.so NEW.so [ITEMS [ROUNDS]]");
    const long items = argc > 3 ? strtol(argv[3], NULL, 10) : 100000;
    const long rounds = argc > 4 ? strtol(argv[4], NULL, 10) : 20;
    need(items >= 400 && items <= COUNTRY_MAX_BOXES, "ITEMS is 400 to 2^24");
    need(rounds >= 1 && rounds <= MOST_SAMPLES / FRAMES, "ROUNDS is 1 to 200");
    static bench self;
    country land;
    self.count = (uint32_t)items / 4 * 4;
    need(country_create(&land, self.count, 1), "no town");
    open_library(argv[1], &self.builds[0]);
    find(open_library(argv[2], &self.builds[1]), "acre_quadtree_query_visit_groups",
         &self.visit_groups);
    self.entities = take(self.count, sizeof *self.entities);
    self.locals = take(self.count, sizeof *self.locals);
    self.order = take(self.count, sizeof *self.order);
    self.sorted = take(self.count, sizeof *self.sorted);
    self.builds[0].top_x = take(self.count, sizeof *self.builds[0].top_x);
    self.builds[1].top_x = take(self.count, sizeof *self.builds[1].top_x);
    printf("%u entities of a town, %ld rounds of %d frames; ns a mover, then us a frame (least)\n"
           "%-16s %7s %7s %6s  %7s %7s %6s  %7s %6s  %9s %9s\n",
           (unsigned)self.count, rounds, FRAMES, "movers", "least", "new", "ratio", "median", "new",
           "ratio", "lines", "new x", "old, us", "new, us");
    for (uint32_t chain = 1; chain <= 4; chain += 3) {
        create(&self, &land, chain);
        for (int share = 0; share < SHARES; share++) {
            measure_share(&self, shares[share], (int)rounds);
        }
        level(&self);
        check_and_destroy(&self);
    }
    return 0;
}
