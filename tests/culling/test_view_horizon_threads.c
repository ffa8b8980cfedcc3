// SPDX-License-Identifier: MIT
// test_view_horizon_threads.c - queries and visible sets with a horizon: what they leave out of the
// plain set is hidden, as rays in doubles say; all else is the same for every kernel, and each way
// to ask.
//
// The world is a stream of edits: houses that turn and move, doors, props, things in the air, what
// is never culled; entities come and go, are hidden and shown, get occluders and lose them.
#include "failing_allocator.h"
#include "task_scheduler.h"
#include "test.h"

#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/visible_set.h>

#include <math.h>
#include <string.h>

#define BODIES 260
#define EYES 4
#define REACH 42.0f
#define NEAR_RADIUS 0.1f

// A box of its own space that stands upright, turned by an angle.
typedef struct body {
    acre_entity entity;
    float half[3]; // of the occluder; y: height
    float place[3], turn;
    uint32_t flags;
    bool is_occluder, is_two_sided;
} body;

typedef struct town {
    acre_scene *scene;
    acre_culling *culling;
    body bodies[BODIES];
    test_random random;
} town;

// ---- the world ----

static float spread(town *w, float reach)
{
    return random_float(&w->random, -reach, reach);
}

static bool one_in(town *w, uint32_t count)
{
    return random_below(&w->random, count) == 0;
}

static acre_transform transform_of(const body *b)
{
    return (acre_transform){{b->place[0], b->place[1], b->place[2]},
                            {0, sinf(0.5f * b->turn), 0, cosf(0.5f * b->turn)},
                            {1, 1, 1}};
}

static void give_occluders(town *w, body *b)
{
    const acre_aabb solid = {{-b->half[0], 0, -b->half[2]}, {b->half[0], b->half[1], b->half[2]}};
    acre_occluder occluder;
    EXPECT(acre_occluder_from_box(&occluder, &solid) == ACRE_OK);
    occluder.flags = b->is_two_sided ? ACRE_OCCLUDER_TWO_SIDED : 0;
    EXPECT(acre_culling_set_occluders(w->culling, b->entity, &occluder, b->is_occluder) == ACRE_OK);
}

// Kinds: a house, a wall or door, a prop, a slab in the air.
static void make_body(town *w, body *b)
{
    const uint32_t kind = random_below(&w->random, 8);
    const bool is_house = kind < 3, is_wall = kind == 3, is_slab = kind == 4;
    *b = (body){
        .place = {spread(w, REACH), is_slab ? random_float(&w->random, 2, 9) : 0, spread(w, REACH)},
        .turn = one_in(w, 2) ? 0 : spread(w, 3)};
    b->half[0] = is_house ? random_float(&w->random, 2, 5) : is_wall || is_slab ? 6 : 0.4f;
    b->half[1] = is_house  ? random_float(&w->random, 4, 12)
                 : is_wall ? random_float(&w->random, 2, 5)
                           : random_float(&w->random, 0.3f, 1);
    b->half[2] = is_wall ? 0.1f : is_slab ? 3 : b->half[0];
    b->flags = one_in(w, 60)  ? (uint32_t)ACRE_ENTITY_NEVER_CULL
               : one_in(w, 2) ? (uint32_t)ACRE_ENTITY_STATIC
                              : 0;
    b->is_occluder = kind < 5;
    b->is_two_sided = one_in(w, 2);
    const float more = one_in(w, 2) ? 0 : random_float(&w->random, 0, 0.5f);
    const acre_aabb bounds = {{-b->half[0] - more, 0, -b->half[2] - more},
                              {b->half[0] + more, b->half[1] + more, b->half[2] + more}};
    const acre_transform local = transform_of(b);
    const acre_entity_def def = {.bounds = &bounds, .local = &local, .flags = b->flags};
    EXPECT(acre_entity_create(w->scene, &def, &b->entity) == ACRE_OK);
    give_occluders(w, b);
}

static bool make_town(town *w, uint64_t seed, acre_kernel kernel, const acre_tasks *tasks)
{
    static const uint32_t capacities[] = {0, 4, 16, 64};
    w->random = (test_random){seed};
    acre_culling_def def = {.register_all = true};
    def.tree.kernel = kernel;
    def.tree.node_capacity = capacities[random_below(&w->random, 4)];
    if (acre_scene_create(NULL, &w->scene) != ACRE_OK ||
        acre_culling_create(w->scene, &def, &w->culling) != ACRE_OK ||
        (tasks && acre_culling_set_tasks(w->culling, tasks) != ACRE_OK)) {
        return false;
    }
    for (int i = 0; i < BODIES; i++) {
        make_body(w, &w->bodies[i]);
    }
    return acre_scene_commit(w->scene) == ACRE_OK;
}

static void free_town(town *w)
{
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

// A frame: some move or turn, some doors open, some go and others come.
static void edit_town(town *w)
{
    for (int i = 0; i < BODIES; i++) {
        body *const b = &w->bodies[i];
        const uint32_t edit = random_below(&w->random, 40);
        if (edit < 8) {
            b->turn += edit < 4 ? 1.5f : 0;
            b->place[0] += spread(w, 2);
            b->place[2] += spread(w, 2);
            const acre_transform local = transform_of(b);
            EXPECT(acre_entity_set_local(w->scene, b->entity, &local) == ACRE_OK);
        } else if (edit == 8) {
            EXPECT(acre_entity_destroy(w->scene, b->entity) == ACRE_OK);
            make_body(w, b);
        } else if (edit == 9) {
            b->flags ^= ACRE_ENTITY_HIDDEN;
            EXPECT(acre_entity_set_flags(w->scene, b->entity, b->flags) == ACRE_OK);
        } else if (edit == 10) {
            b->is_occluder = !b->is_occluder;
            give_occluders(w, b);
        }
    }
    EXPECT(acre_scene_commit(w->scene) == ACRE_OK);
}

static acre_view view_at(const float *eye, float yaw, float down, float fov)
{
    const float target[3] = {eye[0] + cosf(yaw), eye[1] - down, eye[2] + sinf(yaw)};
    const float up[3] = {0, 1, 0};
    acre_camera camera = {0};
    acre_view view = {0};
    EXPECT(acre_camera_perspective(&camera, fov, 1.6f, 0.05f, 500, ACRE_CLIP_ZERO_TO_ONE) ==
               ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_view_from_camera(&view, &camera) == ACRE_OK);
    return view;
}

static acre_view draw_view(town *w)
{
    const float eye[3] = {spread(w, REACH),
                          one_in(w, 4) ? random_float(&w->random, 0.2f, 14) : 1.7f,
                          spread(w, REACH)};
    acre_view view = view_at(eye, spread(w, 3.1f), 0.05f, random_float(&w->random, 0.5f, 1.6f));
    view.max_distance = one_in(w, 4) ? 30 : 0;
    view.layers = 0;
    return view;
}

// ---- rays ----

// Whether a segment enters the solid of a body that is drawn, from outside and not too near; the
// solid is larger by a hair, as doubles and floats turn it differently. What is two-sided stops
// rays that leave it as well.
static bool stops_ray(const body *b, const double *from, const double *to)
{
    const double c = cos((double)b->turn), s = sin((double)b->turn), hair = 1e-5;
    double begin = 0, end = 1, length = 0;
    for (int axis = 0; axis < 3; axis++) {
        double ends[2];
        for (int i = 0; i < 2; i++) {
            const double *const p = i == 0 ? from : to;
            const double x = p[0] - (double)b->place[0], z = p[2] - (double)b->place[2];
            ends[i] = axis == 0   ? c * x - s * z
                      : axis == 2 ? s * x + c * z
                                  : p[1] - (double)b->place[1] - 0.5 * (double)b->half[1];
        }
        const double half = (axis == 1 ? 0.5 : 1) * (double)b->half[axis] + hair;
        const double step = ends[1] - ends[0];
        length += (to[axis] - from[axis]) * (to[axis] - from[axis]);
        if (fabs(step) < 1e-12) {
            if (fabs(ends[0]) > half) {
                return false;
            }
            continue;
        }
        const double a = (-half - ends[0]) / step, z = (half - ends[0]) / step;
        begin = fmax(begin, fmin(a, z));
        end = fmin(end, fmax(a, z));
    }
    const double near = (double)NEAR_RADIUS / sqrt(length);
    return begin <= end && (begin >= near || (b->is_two_sided && end < 1 && end >= near));
}

// Whether a ray from the eye reaches the box: to its corners, and to places in it.
static bool ray_reaches(town *w, const acre_view *view, const bool *drawn, const acre_aabb *box)
{
    const double from[3] = {(double)view->eye[0], (double)view->eye[1], (double)view->eye[2]};
    for (int ray = 0; ray < 20; ray++) {
        double to[3];
        for (int axis = 0; axis < 3; axis++) {
            const float share = ray < 8 ? (float)(ray >> axis & 1) : random_float(&w->random, 0, 1);
            to[axis] = (double)box->min[axis] +
                       (double)share * ((double)box->max[axis] - (double)box->min[axis]);
        }
        bool is_stopped = false;
        for (int i = 0; i < BODIES && !is_stopped; i++) {
            is_stopped = drawn[i] && w->bodies[i].is_occluder && stops_ray(&w->bodies[i], from, to);
        }
        if (!is_stopped) {
            return true;
        }
    }
    return false;
}

static acre_aabb world_box(const town *w, int i)
{
    acre_aabb box;
    EXPECT(acre_entity_world_bounds(w->scene, w->bodies[i].entity, &box) == ACRE_OK);
    return box;
}

// ---- queries ----

// What a query finds, by slot and in order.
typedef struct found_list {
    uint32_t slots[BODIES + 64];
    size_t count;
} found_list;

static void begin_at(acre_horizon *horizon, const acre_view *view)
{
    EXPECT(acre_horizon_begin(horizon, view->eye, NULL, NEAR_RADIUS) == ACRE_OK);
}

static found_list query(const town *w, acre_view view, acre_horizon *horizon)
{
    found_list out;
    view.horizon = horizon;
    EXPECT(acre_culling_query_view(w->culling, &view, out.slots, BODIES + 64, &out.count) ==
           ACRE_OK);
    return out;
}

static bool same_lists(const found_list *a, const found_list *b)
{
    return a->count == b->count && memcmp(a->slots, b->slots, a->count * sizeof a->slots[0]) == 0;
}

static bool holds_slot(const found_list *list, uint32_t slot)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->slots[i] == slot) {
            return true;
        }
    }
    return false;
}

static acre_horizon *make_horizon(acre_kernel kernel)
{
    acre_horizon *horizon = NULL;
    EXPECT(acre_horizon_create(&(acre_horizon_def){.kernel = kernel}, &horizon) == ACRE_OK);
    return horizon;
}

typedef struct tally {
    int dropped, hidden, walks;
} tally;

// Compares a walk with the plain query. @return false: something visible is missing, or the lists
// do not fit together.
static bool compare_with_rays(town *w, const acre_view *view, const found_list *plain,
                              const found_list *walk, tally *sum)
{
    bool drawn[BODIES];
    size_t in_both = 0;
    for (int i = 0; i < BODIES; i++) {
        drawn[i] = holds_slot(plain, w->bodies[i].entity.index1 - 1);
    }
    for (int i = 0; i < BODIES; i++) {
        const bool is_kept = holds_slot(walk, w->bodies[i].entity.index1 - 1);
        if (is_kept && !drawn[i]) {
            return false;
        }
        in_both += is_kept;
        if (drawn[i]) {
            const acre_aabb box = world_box(w, i);
            const bool is_seen = ray_reaches(w, view, drawn, &box);
            const bool is_never = w->bodies[i].flags & ACRE_ENTITY_NEVER_CULL;
            sum->hidden += !is_seen && !is_never;
            sum->dropped += !is_kept;
            if (!is_kept && (is_seen || is_never)) {
                return false;
            }
        }
    }
    return in_both == walk->count;
}

// The never-cull set, the static tree, the moving tree.
static bool is_in_order(const town *w, const found_list *walk)
{
    uint32_t last = 0;
    for (size_t i = 0; i < walk->count; i++) {
        uint32_t rank = 0;
        for (int k = 0; k < BODIES; k++) {
            if (w->bodies[k].entity.index1 - 1 == walk->slots[i]) {
                const uint32_t flags = w->bodies[k].flags;
                rank = flags & ACRE_ENTITY_NEVER_CULL ? 0 : flags & ACRE_ENTITY_STATIC ? 1 : 2;
            }
        }
        if (rank < last) {
            return false;
        }
        last = rank;
    }
    return true;
}

// ---- cases ----

static void look_with_horizon(town *w, const acre_view *view, acre_horizon *horizon, tally *sum)
{
    const found_list plain = query(w, *view, NULL), walk = query(w, *view, horizon);
    acre_horizon_stats stats;
    acre_horizon_get_stats(horizon, &stats);
    CHECK(compare_with_rays(w, view, &plain, &walk, sum));
    if (stats.gave_up) {
        CHECK(same_lists(&plain, &walk) && stats.occluders == 0);
        return;
    }
    sum->walks++;
    CHECK(is_in_order(w, &walk) && stats.kept + BODIES / 10 >= walk.count);
    CHECK(stats.dropped <= stats.asked);
}

static void what_a_walk_leaves_out_is_hidden(void)
{
    tally sum = {0};
    for (uint64_t seed = test_seed; seed < test_seed + 3 * test_scale; seed++) {
        town w;
        CHECK(make_town(&w, seed, ACRE_KERNEL_DEFAULT, NULL));
        acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
        for (int frame = 0; frame < 5; frame++) {
            acre_view view;
            for (int i = 0; i < EYES; i++) {
                view = draw_view(&w);
                begin_at(horizon, &view);
                look_with_horizon(&w, &view, horizon, &sum);
            }
            edit_town(&w);
            look_with_horizon(&w, &view, horizon, &sum); // it begins anew by itself
        }
        acre_horizon_destroy(horizon);
        free_town(&w);
    }
    // It would be no walk that hides nothing.
    CHECK(sum.walks > 30 && sum.hidden > 1000 && 10 * sum.dropped > 6 * sum.hidden);
}

// What came later may hide what was kept before: the last question finds it.
static void nothing_that_is_kept_is_hidden_by_what_is_kept(void)
{
    town w;
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    size_t late = 0;
    for (int i = 0; i < 40; i++) {
        const acre_view view = draw_view(&w);
        begin_at(horizon, &view);
        const found_list walk = query(&w, view, horizon);
        acre_horizon_stats stats;
        acre_horizon_get_stats(horizon, &stats);
        size_t never = 0;
        for (int k = 0; k < BODIES && !stats.gave_up; k++) {
            const acre_aabb box = world_box(&w, k);
            if (!holds_slot(&walk, w.bodies[k].entity.index1 - 1)) {
                continue;
            }
            if (w.bodies[k].flags & ACRE_ENTITY_NEVER_CULL) {
                never++;
            } else {
                CHECK(!acre_horizon_hides(horizon, &box));
            }
        }
        late += stats.gave_up ? 0 : stats.kept - (walk.count - never);
    }
    CHECK(late > 10);
    acre_horizon_destroy(horizon);
    free_town(&w);
}

// Lists of many views, of queries and of sets. @return a hash.
static uint64_t hash_of_walks(acre_kernel kernel, const acre_tasks *tasks)
{
    town w;
    acre_horizon *horizons[EYES];
    acre_visible_set *sets[EYES];
    acre_view views[EYES];
    uint64_t hash = 1;
    EXPECT(make_town(&w, test_seed + 5, kernel, tasks));
    for (int i = 0; i < EYES; i++) {
        horizons[i] = make_horizon(kernel);
        EXPECT(acre_visible_set_create(&(acre_visible_set_def){.flags = ACRE_VISIBLE_CHANGES},
                                       &sets[i]) == ACRE_OK);
    }
    for (int frame = 0; frame < 6; frame++) {
        for (int i = 0; i < EYES; i++) {
            views[i] = draw_view(&w);
            views[i].horizon = horizons[i];
            begin_at(horizons[i], &views[i]);
        }
        EXPECT(acre_culling_find_visible_many(w.culling, views, sets, EYES) == ACRE_OK);
        for (int i = 0; i < EYES; i++) {
            const acre_visible found = acre_visible_set_get(sets[i]);
            for (size_t k = 0; k < found.count; k++) {
                hash = (hash ^ found.slots[k]) * UINT64_C(0x9e3779b97f4a7c15);
            }
            acre_horizon_stats stats;
            acre_horizon_get_stats(horizons[i], &stats);
            hash = (hash ^ stats.asked ^ stats.dropped << 20 ^ stats.occluders) *
                   UINT64_C(0x9e3779b97f4a7c15);
        }
        edit_town(&w);
    }
    for (int i = 0; i < EYES; i++) {
        acre_horizon_destroy(horizons[i]);
        acre_visible_set_destroy(sets[i]);
    }
    free_town(&w);
    return hash;
}

static uint64_t scalar_hash;

static bool has_scalar_hash(const acre_tasks *tasks, uint32_t number)
{
    (void)number;
    return hash_of_walks(ACRE_KERNEL_DEFAULT, tasks) == scalar_hash;
}

static void kernels_and_workers_walk_alike(void)
{
    scalar_hash = hash_of_walks(ACRE_KERNEL_SCALAR, NULL);
    for (int kernel = ACRE_KERNEL_DEFAULT; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        acre_horizon *probe = NULL;
        const acre_horizon_def def = {.kernel = (acre_kernel)kernel};
        if (acre_horizon_create(&def, &probe) == ACRE_OK) {
            CHECK(hash_of_walks((acre_kernel)kernel, NULL) == scalar_hash);
        }
        acre_horizon_destroy(probe);
    }
    CHECK(task_scheduler_try_all(has_scalar_hash));
}

// ---- giving up ----

static bool asks(const town *w, const acre_view *view, acre_horizon *horizon)
{
    begin_at(horizon, view);
    const found_list plain = query(w, *view, NULL), walk = query(w, *view, horizon);
    acre_horizon_stats stats;
    acre_horizon_get_stats(horizon, &stats);
    EXPECT(stats.gave_up && same_lists(&plain, &walk));
    EXPECT(stats.kept < 64); // it knows soon
    return stats.kept > 0;
}

static void from_above_a_walk_gives_up_and_finds_the_plain_set(void)
{
    town w;
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    float eye[3] = {-30, 60, -30};
    acre_view high = view_at(eye, 0.8f, 1, 1.4f);
    CHECK(asks(&w, &high, horizon));
    // A finding that has no memory does not count.
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    acre_visible_set *set;
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.allocator = &memory.allocator}, &set) ==
          ACRE_OK);
    acre_view nothing = high;
    for (int i = 1; i <= 2; i++) { // both arrays of the set have some room then
        nothing.max_distance = 0.01f * (float)i;
        CHECK(acre_culling_find_visible(w.culling, &nothing, set) == ACRE_OK);
    }
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    high.horizon = horizon;
    for (int i = 0; i < 20; i++) {
        CHECK(acre_culling_find_visible(w.culling, &high, set) == ACRE_ERROR_OUT_OF_MEMORY);
    }
    acre_visible_set_destroy(set);
    // It remembers for fifteen queries, or until the eye sinks.
    for (int i = 0; i < 15; i++) {
        CHECK(!asks(&w, &high, horizon));
    }
    CHECK(asks(&w, &high, horizon) && !asks(&w, &high, horizon));
    eye[1] = 59.9f;
    acre_view lower = view_at(eye, 0.8f, 1, 1.4f);
    CHECK(asks(&w, &lower, horizon) && !asks(&w, &lower, horizon) && !asks(&w, &high, horizon));
    // Down in the street it pays at once.
    acre_horizon_stats stats = {.gave_up = true};
    for (int i = 0; i < 20 && stats.gave_up; i++) {
        acre_view low = draw_view(&w);
        eye[1] = 1.7f;
        low = view_at(eye, spread(&w, 3), 0, 1);
        begin_at(horizon, &low);
        (void)query(&w, low, horizon);
        acre_horizon_get_stats(horizon, &stats);
    }
    CHECK(!stats.gave_up && stats.occluders > 0);
    acre_horizon_destroy(horizon);
    free_town(&w);
}

// A lawn of things without occluders, and a wall that hides a share of them.
static void where_little_is_hidden_a_walk_gives_up(void)
{
    for (int wide = 0; wide < 2; wide++) {
        town w;
        CHECK(acre_scene_create(NULL, &w.scene) == ACRE_OK);
        CHECK(acre_culling_create(w.scene, &(acre_culling_def){.register_all = true}, &w.culling) ==
              ACRE_OK);
        const float half = wide ? 8 : 0.15f;
        const acre_aabb wall = {{4, 0, -half}, {5, 6, half}},
                        tuft = {{0, 0, 0}, {0.1f, 0.1f, 0.1f}};
        acre_entity entity;
        acre_occluder occluder;
        const acre_entity_def def = {.bounds = &wall};
        CHECK(acre_entity_create(w.scene, &def, &entity) == ACRE_OK);
        CHECK(acre_occluder_from_box(&occluder, &wall) == ACRE_OK);
        CHECK(acre_culling_set_occluders(w.culling, entity, &occluder, 1) == ACRE_OK);
        for (int i = 0; i < 304; i++) {
            const acre_transform local = {
                {6 + (float)(i % 16), 0, (float)(i / 16) - 9.5f}, {0, 0, 0, 1}, {1, 1, 1}};
            CHECK(acre_entity_create(w.scene, &(acre_entity_def){.bounds = &tuft, .local = &local},
                                     &entity) == ACRE_OK);
        }
        CHECK(acre_scene_commit(w.scene) == ACRE_OK);
        acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
        const float eye[3] = {0, 1.7f, 0};
        const acre_view view = view_at(eye, 0, 0.2f, 2.5f);
        begin_at(horizon, &view);
        const found_list plain = query(&w, view, NULL), walk = query(&w, view, horizon);
        acre_horizon_stats stats;
        acre_horizon_get_stats(horizon, &stats);
        CHECK(plain.count > 200 && stats.gave_up == !wide && stats.dropped > 0);
        CHECK(wide ? walk.count * 2 < plain.count : same_lists(&plain, &walk));
        acre_horizon_destroy(horizon);
        free_town(&w);
    }
}

// ---- what is refused, and what stays plain ----

static void a_horizon_belongs_to_its_eye_and_to_one_view(void)
{
    town w;
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    const float eye[3] = {3, 1.7f, 2}, region[3] = {0.5f, 0.1f, 0.5f};
    acre_view view = view_at(eye, 0.3f, 0, 1);
    const found_list plain = query(&w, view, NULL), early = query(&w, view, horizon);
    CHECK(same_lists(&plain, &early)); // it was not begun
    uint32_t slots[BODIES];
    size_t total = 7;
    view.horizon = horizon;
    const float beside[3] = {3.6f, 1.7f, 2}, inside[3] = {3.4f, 1.7f, 2};
    CHECK(acre_horizon_begin(horizon, beside, NULL, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, BODIES, &total) ==
              ACRE_ERROR_INVALID_ARGUMENT &&
          total == 0);
    CHECK(acre_horizon_begin(horizon, beside, region, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, BODIES, &total) ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_horizon_begin(horizon, inside, region, 0.1f) == ACRE_OK);
    CHECK(acre_culling_query_view(w.culling, &view, slots, BODIES, &total) == ACRE_OK && total > 0);
    // No eye: nothing is hidden.
    view.is_parallel = true;
    const found_list flat = query(&w, view, horizon);
    CHECK(same_lists(&plain, &flat));
    view.is_parallel = false;
    acre_visible_set *sets[2];
    for (int i = 0; i < 2; i++) {
        CHECK(acre_visible_set_create(NULL, &sets[i]) == ACRE_OK);
    }
    acre_view views[2] = {view, view};
    CHECK(acre_culling_find_visible_many(w.culling, views, sets, 2) == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_visible_set_get(sets[0]).count == 0);
    views[0].horizon = NULL;
    CHECK(acre_culling_find_visible_many(w.culling, views, sets, 2) == ACRE_OK);
    CHECK(acre_visible_set_freeze(sets[0], true) == ACRE_OK);
    views[0].horizon = horizon; // which a frozen set leaves alone
    CHECK(acre_culling_find_visible_many(w.culling, views, sets, 2) == ACRE_OK);
    for (int i = 0; i < 2; i++) {
        acre_visible_set_destroy(sets[i]);
    }
    acre_horizon_destroy(horizon);
    free_town(&w);
}

static void without_occluders_there_is_no_walk(void)
{
    town w;
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    for (int i = 0; i < BODIES; i++) {
        w.bodies[i].is_occluder = false;
        give_occluders(&w, &w.bodies[i]);
    }
    for (int i = 0; i < 5; i++) {
        const acre_view view = draw_view(&w);
        begin_at(horizon, &view);
        const found_list plain = query(&w, view, NULL), walk = query(&w, view, horizon);
        acre_horizon_stats stats;
        acre_horizon_get_stats(horizon, &stats);
        CHECK(same_lists(&plain, &walk) && stats.asked == 0 && stats.kept == 0 && !stats.gave_up);
    }
    acre_horizon_destroy(horizon);
    free_town(&w);
}

// What is kept at first needs more room than the horizon has from the beginning.
static void small_arrays_and_no_memory(void)
{
    town w;
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *horizon;
    CHECK(acre_horizon_create(&(acre_horizon_def){.allocator = &memory.allocator}, &horizon) ==
          ACRE_OK);
    const size_t blocks = memory.live_blocks;
    const float eye[3] = {3, 1.7f, 2};
    acre_view view = view_at(eye, 0.3f, 0, 1.2f);
    begin_at(horizon, &view);
    const found_list walk = query(&w, view, horizon);
    view.horizon = horizon;
    for (size_t room = 0; room < walk.count; room += 1 + walk.count / 3) {
        uint32_t slots[BODIES];
        size_t total = 0;
        slots[room] = 12345;
        CHECK(acre_culling_query_view(w.culling, &view, room ? slots : NULL, room, &total) ==
              ACRE_OK);
        CHECK(total == walk.count && slots[room] == 12345);
        CHECK(memcmp(slots, walk.slots, room * sizeof *slots) == 0);
    }
    CHECK(memory.live_blocks == blocks);
    for (int i = 0; i < 1100; i++) {
        acre_entity entity;
        CHECK(acre_entity_create(w.scene, &(acre_entity_def){.flags = ACRE_ENTITY_NEVER_CULL},
                                 &entity) == ACRE_OK);
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    static uint32_t many[BODIES + 1100];
    size_t total = 7;
    failing_allocator_arm(&memory, FAIL_FROM, 1);
    CHECK(acre_culling_query_view(w.culling, &view, many, BODIES + 1100, &total) ==
              ACRE_ERROR_OUT_OF_MEMORY &&
          total == 0);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    CHECK(acre_culling_query_view(w.culling, &view, many, BODIES + 1100, &total) == ACRE_OK &&
          total == walk.count + 1100);
    acre_horizon_destroy(horizon);
    CHECK(failing_allocator_fault(&memory) == NULL && memory.live_blocks == 0);
    free_town(&w);
}

// ---- sets ----

static void a_set_lists_what_a_query_finds(void)
{
    town w;
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    acre_visible_set *set;
    CHECK(acre_visible_set_create(
              &(acre_visible_set_def){.flags = ACRE_VISIBLE_SUM | ACRE_VISIBLE_LODS}, &set) ==
          ACRE_OK);
    for (int i = 0; i < 12; i++) {
        acre_view view = draw_view(&w);
        begin_at(horizon, &view);
        const found_list walk = query(&w, view, horizon);
        view.horizon = horizon;
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        const acre_visible found = acre_visible_set_get(set);
        const found_list *const list = &walk;
        CHECK(found.count == list->count && !found.is_reused);
        CHECK(memcmp(found.slots, list->slots, found.count * sizeof found.slots[0]) == 0);
        acre_aabb sum = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        for (int k = 0; k < BODIES; k++) {
            const acre_aabb box = world_box(&w, k);
            for (int axis = 0; axis < 3 && !(w.bodies[k].flags & ACRE_ENTITY_NEVER_CULL) &&
                               holds_slot(list, w.bodies[k].entity.index1 - 1);
                 axis++) {
                sum.min[axis] = fminf(sum.min[axis], box.min[axis]);
                sum.max[axis] = fmaxf(sum.max[axis], box.max[axis]);
            }
        }
        CHECK(sum.min[0] > sum.max[0] || memcmp(&sum, &found.sum.box, sizeof sum) == 0);
        // The same place: the result still holds. Another region: it does not.
        begin_at(horizon, &view);
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        CHECK(acre_visible_set_get(set).is_reused);
        const float region[3] = {0.2f, 0.2f, 0.2f};
        CHECK(acre_horizon_begin(horizon, view.eye, region, NEAR_RADIUS) == ACRE_OK);
        CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
        CHECK(!acre_visible_set_get(set).is_reused);
    }
    acre_visible_set_destroy(set);
    acre_horizon_destroy(horizon);
    free_town(&w);
}

static void a_frozen_set_keeps_its_list(void)
{
    town w;
    CHECK(make_town(&w, test_seed, ACRE_KERNEL_DEFAULT, NULL));
    acre_horizon *const horizon = make_horizon(ACRE_KERNEL_DEFAULT);
    acre_visible_set *set;
    const uint32_t flags = ACRE_VISIBLE_CHANGES | ACRE_VISIBLE_SUM | ACRE_VISIBLE_LODS;
    CHECK(acre_visible_set_create(&(acre_visible_set_def){.flags = flags}, &set) == ACRE_OK);
    const float eye[3] = {3, 1.7f, 2};
    acre_view view = view_at(eye, 0.3f, 0, 1.2f);
    view.horizon = horizon;
    begin_at(horizon, &view);
    CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
    const found_list before = query(&w, view, horizon);
    CHECK(acre_visible_set_freeze(set, true) == ACRE_OK);
    acre_horizon_destroy(horizon);
    edit_town(&w);
    view.horizon = NULL;
    CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
    const acre_visible now = acre_visible_set_get(set);
    CHECK(now.count > 0 && now.entered_count + now.stayed_count == now.count);
    for (size_t i = 0; i < now.count; i++) {
        CHECK(holds_slot(&before, now.slots[i])); // of these, some may have gone
    }
    for (int i = 0; i < BODIES; i++) {
        found_list list = {.count = now.count};
        memcpy(list.slots, now.slots, now.count * sizeof now.slots[0]);
        const uint32_t slot = w.bodies[i].entity.index1 - 1;
        const bool is_there = !(w.bodies[i].flags & ACRE_ENTITY_HIDDEN);
        CHECK(holds_slot(&list, slot) == (holds_slot(&before, slot) && is_there));
    }
    CHECK(acre_visible_set_freeze(set, false) == ACRE_OK);
    CHECK(acre_culling_find_visible(w.culling, &view, set) == ACRE_OK);
    CHECK(acre_visible_set_get(set).count == query(&w, view, NULL).count);
    acre_visible_set_destroy(set);
    free_town(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(what_a_walk_leaves_out_is_hidden),
        TEST(nothing_that_is_kept_is_hidden_by_what_is_kept),
        TEST(kernels_and_workers_walk_alike),
        TEST(from_above_a_walk_gives_up_and_finds_the_plain_set),
        TEST(where_little_is_hidden_a_walk_gives_up),
        TEST(a_horizon_belongs_to_its_eye_and_to_one_view),
        TEST(without_occluders_there_is_no_walk),
        TEST(small_arrays_and_no_memory),
        TEST(a_set_lists_what_a_query_finds),
        TEST(a_frozen_set_keeps_its_list),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
