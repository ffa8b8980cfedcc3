// SPDX-License-Identifier: MIT
// world_shifts.c - many shifts of a world, each compared with a world that is built anew where it
// went, and a long way of many shifts. By hand: world_shifts.sh.
//     world_shifts OFFSETS KILOMETERS SEED
// Offsets are of all sizes, exact and not, with boxes of the caller and without. A tree must hold
// the oracle's boxes and find what a fresh one finds; where a shift was exact, the way back must
// give the same state hash. A scene with its culler, one with places in double, and a culler over a
// host's objects go the same way: all three see what a loop over doubles sees.
#include "test.h"

#include <acre/objects.h>
#include <acre/visible_set.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 700, QUERIES = 3, THINGS = 300, STEP = 500 };

static const acre_result ok = ACRE_OK;

static void require(bool holds, const char *what)
{
    if (!holds) {
        printf("FAIL: %s\n", what);
        exit(1);
    }
}

// ---- one tree ----

static acre_aabb boxes[ITEMS], shifted[ITEMS];

// Around a place; every second one on a grid of 2^-8 m, so that exact offsets exist.
static void make_boxes(test_random *random, bool on_grid, float side)
{
    for (int i = 0; i < ITEMS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            float low = random_float(random, -side, side);
            float size = random_float(random, 0, i % 50 ? 4 : side);
            low = on_grid ? floorf(low * 256) / 256 : low;
            size = on_grid ? floorf(size * 256) / 256 : size;
            boxes[i].min[axis] = low;
            boxes[i].max[axis] = on_grid ? low + size : nextafterf(low + size, INFINITY);
        }
    }
}

static void draw_offset(test_random *random, double *offset)
{
    const uint32_t kind = random_below(random, 4);
    for (int axis = 0; axis < 3; axis++) {
        const double sign = random_below(random, 2) ? 1 : -1;
        const double part = (double)random_bits(random) * 0x1p-64;
        offset[axis] = kind == 0   ? 0.25 * floor(sign * part * 16384) // exact on the grid
                       : kind == 1 ? sign * ldexp(part, (int)random_below(random, 32) - 8)
                       : kind == 2 ? 1024 * floor(sign * part * 64)  // whole cells
                                   : sign * floor(part * 1e6) / 1e3; // decimal numbers
        offset[axis] = axis == 1 && random_below(random, 2) ? 0 : offset[axis];
    }
}

// Whether a box is a moved one, outward by less than a float in each edge.
static bool is_moved(const acre_aabb *from, const acre_aabb *to, const double *offset, bool *exact)
{
    bool holds = true;
    for (int axis = 0; axis < 3; axis++) {
        // Sums of a float and a double that long double holds, or nearly: the rest is below a
        // float.
        const long double low = (long double)from->min[axis] + (long double)offset[axis];
        const long double high = (long double)from->max[axis] + (long double)offset[axis];
        holds &= (long double)to->min[axis] <= low && (long double)to->max[axis] >= high &&
                 (long double)nextafterf(to->min[axis], INFINITY) > low &&
                 (long double)nextafterf(to->max[axis], -INFINITY) < high;
        *exact &= (long double)to->min[axis] == low && (long double)to->max[axis] == high;
    }
    return holds;
}

static size_t ask(const acre_quadtree *tree, const acre_aabb *area, uint32_t *found)
{
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_AABB, .box = area, .flags = ACRE_QUERY_SORTED};
    size_t count = 0;
    require(acre_quadtree_query(tree, &query, found, ITEMS, &count) == ok, "a query");
    return count;
}

// Who was found before must be found in the area that has moved along.
static void ask_both(test_random *random, const acre_quadtree *before, const acre_quadtree *tree,
                     const acre_quadtree *fresh, const double *offset)
{
    static uint32_t old[ITEMS], now[ITEMS], anew[ITEMS];
    for (int q = 0; q < QUERIES; q++) {
        const acre_aabb middle = boxes[random_below(random, ITEMS)];
        acre_aabb area, there;
        for (int axis = 0; axis < 3; axis++) {
            area.min[axis] = middle.min[axis] - random_float(random, 0, 60);
            area.max[axis] = middle.max[axis] + random_float(random, 0, 60);
            there.min[axis] = nextafterf((float)((double)area.min[axis] + offset[axis]), -INFINITY);
            there.max[axis] = nextafterf((float)((double)area.max[axis] + offset[axis]), INFINITY);
        }
        const size_t was = ask(before, &area, old), count = ask(tree, &there, now);
        require(count == ask(fresh, &there, anew) &&
                    (count == 0 || memcmp(now, anew, count * sizeof *now) == 0),
                "a fresh tree finds other items");
        for (size_t i = 0, at = 0; i < was; i++) {
            while (at < count && now[at] < old[i]) {
                at++;
            }
            require(at < count && now[at] == old[i], "an item is lost");
        }
    }
}

typedef struct tally {
    size_t offsets, exact, stayed, back;
} tally;

// @return whether the shift was exact, and the tree has the hash of before on the way back.
static void shift_once(test_random *random, acre_quadtree *const *trees, tally *sum)
{
    static uint32_t items[ITEMS];
    acre_quadtree *const before = trees[0], *const tree = trees[1], *const fresh = trees[2];
    double offset[3], back[3];
    acre_shift_report report;
    bool exact = true;
    draw_offset(random, offset);
    for (uint32_t i = 0; i < ITEMS; i++) {
        items[i] = i;
    }
    acre_quadtree_clear(before);
    acre_quadtree_clear(tree);
    acre_quadtree_clear(fresh);
    require(acre_quadtree_insert_many(before, items, boxes, ITEMS) == ok &&
                acre_quadtree_insert_many(tree, items, boxes, ITEMS) == ok,
            "a build");
    const uint64_t hash = acre_quadtree_state_hash(tree);
    require(acre_quadtree_shift(tree, offset, NULL, 0, &report) == ok, "a shift");
    for (uint32_t i = 0; i < ITEMS; i++) {
        require(acre_quadtree_get_box(tree, i, &shifted[i]) == ok, "a box is gone");
        require(is_moved(&boxes[i], &shifted[i], offset, &exact), "a box is elsewhere");
    }
    require(report.is_exact == exact && (report.rounded == 0) == exact, "a report");
    require(acre_quadtree_insert_many(fresh, items, shifted, ITEMS) == ok, "a fresh build");
    require(acre_quadtree_validate(tree, NULL, 0) == ok, "a shifted tree is not sound");
    ask_both(random, before, tree, fresh, offset);
    for (int axis = 0; axis < 3; axis++) {
        back[axis] = -offset[axis];
    }
    const bool stayed = report.moved == 0;
    require(acre_quadtree_shift(tree, back, exact ? NULL : boxes, ITEMS, &report) == ok,
            "a way back");
    require(!(exact && stayed) || acre_quadtree_state_hash(tree) == hash, "another state is back");
    require(acre_quadtree_content_hash(tree) == acre_quadtree_content_hash(before),
            "other boxes are back");
    sum->offsets++;
    sum->exact += exact;
    sum->stayed += stayed;
    sum->back += acre_quadtree_state_hash(tree) == hash;
}

static void shift_trees(test_random *random, size_t offsets)
{
    acre_quadtree *trees[3];
    tally sum = {0};
    for (int i = 0; i < 3; i++) {
        require(acre_quadtree_create(&(acre_quadtree_def){.node_capacity = 8}, &trees[i]) == ok,
                "a tree");
    }
    while (sum.offsets < offsets) {
        if (sum.offsets % 20 == 0) {
            make_boxes(random, sum.offsets % 40 == 0, sum.offsets % 100 ? 200 : 20000);
        }
        shift_once(random, trees, &sum);
    }
    for (int i = 0; i < 3; i++) {
        acre_quadtree_destroy(trees[i]);
    }
    printf("%zu offsets of a tree: %zu exact, %zu without a move, %zu times the state of before\n",
           sum.offsets, sum.exact, sum.stayed, sum.back);
}

// ---- three cullers on a long way ----

typedef struct caravan {
    acre_scene *scenes[2]; // with floats, with doubles
    acre_culling *cullers[3];
    acre_entity things[2][THINGS];
    double place[THINGS][3], away[3];
    acre_aabb rows[THINGS];
} caravan;

static const float half[3] = {2, 1, 3};

static void place_thing(caravan *it, test_random *random, int i, double along)
{
    for (int axis = 0; axis < 3; axis++) {
        const double way = axis == 1 ? 20 : 3000;
        it->place[i][axis] = (axis == 0 ? along : 0) +
                             floor(((double)random_bits(random) * 0x1p-63 - 1) * way * 64) / 64;
    }
}

static void tell_thing(caravan *it, int i)
{
    acre_transform local = ACRE_TRANSFORM_IDENTITY;
    for (int axis = 0; axis < 3; axis++) {
        local.translation[axis] = (float)(it->place[i][axis] + it->away[axis]);
        it->rows[i].min[axis] = local.translation[axis] - half[axis];
        it->rows[i].max[axis] = local.translation[axis] + half[axis];
    }
    require(acre_entity_set_local(it->scenes[0], it->things[0][i], &local) == ok &&
                acre_entity_set_translation(it->scenes[1], it->things[1][i], it->place[i]) == ok,
            "a move");
}

static acre_box_array rows_of(const caravan *it)
{
    return (acre_box_array){it->rows->min, it->rows->max, sizeof *it->rows, sizeof *it->rows,
                            ACRE_BOX_FORM_MIN_MAX};
}

static void open_caravan(caravan *it, test_random *random)
{
    static uint32_t slots[THINGS], flags[THINGS];
    const acre_aabb box = {{-half[0], -half[1], -half[2]}, {half[0], half[1], half[2]}};
    for (int s = 0; s < 2; s++) {
        const acre_scene_def def = {.flags = s ? ACRE_SCENE_DOUBLES : 0u};
        require(acre_scene_create(&def, &it->scenes[s]) == ok, "a scene");
        require(acre_culling_create(it->scenes[s], &(acre_culling_def){.register_all = true},
                                    &it->cullers[s]) == ok,
                "a culler");
    }
    for (int i = 0; i < THINGS; i++) {
        slots[i] = (uint32_t)i;
        flags[i] = i % 4 ? 0 : ACRE_ENTITY_STATIC;
        const acre_entity_def def = {.bounds = &box, .flags = flags[i]};
        for (int s = 0; s < 2; s++) {
            require(acre_entity_create(it->scenes[s], &def, &it->things[s][i]) == ok, "an entity");
        }
        place_thing(it, random, i, 0);
        tell_thing(it, i);
    }
    const acre_objects objects = {.slot_count = THINGS,
                                  .boxes = rows_of(it),
                                  .flags = flags,
                                  .added = slots,
                                  .added_count = THINGS};
    require(acre_culling_create_for_objects(NULL, &it->cullers[2]) == ok &&
                acre_culling_update(it->cullers[2], &objects, NULL) == ok,
            "objects");
}

// All three see in a box what a loop over doubles sees.
static size_t look(const caravan *it, const double *at)
{
    uint32_t found[THINGS];
    bool expected[THINGS];
    size_t total = 0, count;
    acre_aabb area;
    for (int axis = 0; axis < 3; axis++) {
        area.min[axis] = (float)(at[axis] + it->away[axis] - 700.0);
        area.max[axis] = (float)(at[axis] + it->away[axis] + 700.0);
    }
    for (int i = 0; i < THINGS; i++) {
        expected[i] = true;
        for (int axis = 0; axis < 3; axis++) {
            expected[i] &= fabs(it->place[i][axis] - at[axis]) <= 700.0 + (double)half[axis];
        }
        total += expected[i];
    }
    for (int c = 0; c < 3; c++) {
        const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &area};
        require(acre_culling_query_shape(it->cullers[c], &query, found, THINGS, &count) == ok &&
                    count == total,
                "a culler sees more or less");
        for (size_t i = 0; i < count; i++) {
            require(expected[found[i]], "a culler sees another thing");
        }
    }
    return total;
}

// The world comes after: by whole multiples of 1 m, so that nothing is rounded.
static void follow(caravan *it, test_random *random, const double *at)
{
    double offset[3] = {0, 0, 0};
    acre_shift_report report;
    for (int axis = 0; axis < 3; axis += 2) {
        offset[axis] = -floor(at[axis] + it->away[axis]) + random_below(random, 64);
        it->away[axis] += offset[axis];
    }
    for (int i = 0; i < THINGS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            it->rows[i].min[axis] = (float)(it->place[i][axis] + it->away[axis]) - half[axis];
            it->rows[i].max[axis] = (float)(it->place[i][axis] + it->away[axis]) + half[axis];
        }
    }
    const acre_box_array rows = rows_of(it);
    for (int s = 0; s < 2; s++) {
        require(acre_scene_shift_origin(it->scenes[s], offset) == ok &&
                    acre_scene_commit(it->scenes[s]) == ok &&
                    acre_scene_shift_report(it->scenes[s]).is_exact,
                "a shift of a scene");
    }
    require(acre_culling_shift(it->cullers[2], offset, random_below(random, 2) ? &rows : NULL,
                               &report) == ok &&
                report.is_exact,
            "a shift of objects");
    for (int c = 0; c < 3; c++) {
        require(acre_culling_validate(it->cullers[c], NULL, 0) == ok, "a culler is not sound");
    }
}

static void travel(test_random *random, double meters)
{
    static caravan it;
    double at[3] = {0, 0, 0};
    size_t steps = 0, shifts = 0, seen = 0;
    open_caravan(&it, random);
    for (; at[0] < meters; steps++) {
        uint32_t moved[THINGS];
        size_t moved_count = 0;
        at[0] += STEP;
        at[2] += (double)random_below(random, 200) - 100.0;
        for (int i = 0; i < THINGS; i++) {
            const bool is_behind = it.place[i][0] < at[0] - 3000;
            if (is_behind || random_below(random, 20) == 0) {
                place_thing(&it, random, i, at[0] + (is_behind ? 3000 : 0));
                it.place[i][2] += floor(at[2]);
                tell_thing(&it, i);
                moved[moved_count++] = (uint32_t)i;
            }
        }
        const acre_objects objects = {.slot_count = THINGS,
                                      .boxes = rows_of(&it),
                                      .moved = moved,
                                      .moved_count = moved_count};
        require(acre_culling_update(it.cullers[2], &objects, NULL) == ok, "an update");
        if (fabs(at[0] + it.away[0]) > 4096) {
            follow(&it, random, at);
            shifts++;
        } else {
            require(acre_scene_commit(it.scenes[0]) == ok && acre_scene_commit(it.scenes[1]) == ok,
                    "a commit");
        }
        seen += look(&it, at);
    }
    printf("%.0f km in %zu steps, %zu shifts: three cullers saw %zu things, as a loop over doubles "
           "did\n",
           meters / 1000, steps, shifts, seen);
    require(seen > steps, "the way is empty");
    for (int c = 0; c < 3; c++) {
        acre_culling_destroy(it.cullers[c]);
    }
    acre_scene_destroy(it.scenes[0]);
    acre_scene_destroy(it.scenes[1]);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "world_shifts OFFSETS KILOMETERS SEED\n");
        return 2;
    }
    test_random random = {strtoull(argv[3], NULL, 10)};
    shift_trees(&random, strtoull(argv[1], NULL, 10));
    travel(&random, 1000.0 * strtod(argv[2], NULL));
    return 0;
}
