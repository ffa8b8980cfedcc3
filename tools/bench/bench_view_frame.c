// SPDX-License-Identifier: MIT
// bench_view_frame.c - what a frame asks beside one view: cascades, eyes, casters, lists to draw.
#include "bench_view_rules.h"

#include "country_random.h"

#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/stereo.h>

#include <stdlib.h>
#include <string.h>

#define EYE_HALF 0.032f // meters from the middle of the head

enum { CASCADES = 4, EYES = 2, MESHES = 200 };

// The views of a frame, each with a set: the camera and its cascades, the same with rules, two
// eyes, both eyes together.
enum {
    CAMERA,
    FIVE = 1 + CASCADES,
    RULED = CAMERA + FIVE,
    LEFT = RULED + FIVE,
    JOINT = LEFT + EYES,
    VIEWS
};

typedef enum task_kind { MAKE, PLACE, QUERY, FIND, SLICES, OF_SEEN, OF_SLICES, LIST } task_kind;

typedef struct frame_task {
    const char *name;
    task_kind kind;
    uint32_t first, count; // of the views
    acre_draw_order order; // of LIST
    acre_matrix_form form;
} frame_task;

#define PLAIN ACRE_DRAW_AS_GIVEN, (acre_matrix_form)0

static const frame_task tasks[FRAME_TASKS] = {
    {"cascades fitted, views made", MAKE, 0, 0, PLAIN},
    {"five queries", QUERY, CAMERA, FIVE, PLAIN},
    {"five sets, one call", FIND, CAMERA, FIVE, PLAIN},
    {"five sets, all rules", FIND, RULED, FIVE, PLAIN},
    {"two eyes, two queries", QUERY, LEFT, EYES, PLAIN},
    {"two eyes, two sets", FIND, LEFT, EYES, PLAIN},
    {"joint frustum placed", PLACE, 0, 0, PLAIN},
    {"joint frustum, query", QUERY, JOINT, 1, PLAIN},
    {"joint frustum, set", FIND, JOINT, 1, PLAIN},
    {"casters: light volumes", QUERY, CAMERA + 1, CASCADES, PLAIN},
    {"casters: extruded slices", SLICES, 0, 0, PLAIN},
    {"casters: of what is seen", OF_SEEN, 0, 0, PLAIN},
    {"casters: of all in slices", OF_SLICES, 0, 0, PLAIN},
    {"draw list", LIST, 0, 0, ACRE_DRAW_AS_GIVEN, (acre_matrix_form)0},
    {"draw list, matrices", LIST, 0, 0, ACRE_DRAW_AS_GIVEN, ACRE_MATRIX_ROWS},
    {"near to far, matrices", LIST, 0, 0, ACRE_DRAW_NEAR_TO_FAR, ACRE_MATRIX_ROWS},
};

const char *frame_task_name(uint32_t task)
{
    return tasks[task].name;
}

typedef struct frame_run {
    view_bench *bench;
    const acre_culling *culling;
    const track_kind *kind;
    uint32_t track;
    acre_camera camera;
    acre_stereo stereo;
    acre_cascade cascades[CASCADES];
    acre_view views[VIEWS];
    acre_visible_set *sets[VIEWS];
    acre_visible_set *seen_set; // of the camera, with LODs: what is drawn, and receives shadows
    acre_visible seen;
    acre_receivers *receivers;
    acre_draw_list *list;
    uint32_t *keys; // by slot
    uint32_t *slots;
    size_t room;
    bool is_checking; // answers are compared, and nothing is timed
} frame_run;

// ---- checks ----

static bool check_view(const frame_run *run, const acre_view *view, const uint32_t *slots,
                       size_t count)
{
    run->bench->checked += run->is_checking;
    return !run->is_checking || slots_are_visible(&run->bench->runner, view, slots, count);
}

static bool is_caster(const void *user, uint32_t slot)
{
    const frame_run *const run = user;
    const acre_scene_view scene = acre_scene_get_view(run->bench->world.scene);
    return acre_receivers_test_aabb(run->receivers, &scene.world_bounds[slot]);
}

static bool check_casters(const frame_run *run, size_t count)
{
    run->bench->checked += run->is_checking;
    return !run->is_checking ||
           slots_are_wanted(&run->bench->world, run->slots, count, is_caster, run);
}

static bool check_matrices(const frame_run *run, const acre_draw *draw)
{
    const acre_scene *const scene = run->bench->world.scene;
    bool is_good = true;
    for (size_t i = 0; i < draw->count && draw->matrices && is_good; i++) {
        const float *const rows = draw->matrices + i * draw->matrix_floats;
        float columns[16];
        is_good = acre_entity_world_matrix(scene, acre_scene_entity(scene, draw->slots[i]),
                                           columns) == ACRE_OK;
        for (size_t k = 0; k < 12 && is_good; k++) {
            is_good = rows[k] == columns[k % 4 * 4 + k / 4];
        }
    }
    return is_good;
}

// Each slot once, in a range of its key and LOD, ascending.
static bool check_ranges(const frame_run *run, const acre_draw *draw)
{
    uint8_t *const lods = calloc((size_t)run->bench->world.slot_count + 1, 1); // by slot, plus 1
    bool is_good = lods && draw->count == run->seen.count;
    size_t next = 0;
    for (size_t i = 0; i < run->seen.count && is_good; i++) {
        lods[run->seen.slots[i]] = (uint8_t)(run->seen.lods[i] + 1);
    }
    for (size_t r = 0; r < draw->range_count && is_good; r++) {
        const acre_draw_range *const range = &draw->ranges[r], *const last = range - (r > 0);
        is_good = range->first == next && range->count > 0 &&
                  (r == 0 || last->key < range->key ||
                   (last->key == range->key && last->lod < range->lod));
        next += range->count;
        for (size_t i = range->first; i < next && is_good; i++) {
            const uint32_t slot = draw->slots[i];
            is_good = lods[slot] == range->lod + 1 && run->keys[slot] == range->key;
            lods[slot] = 0; // a second one has none
        }
    }
    free(lods);
    run->bench->checked++;
    return is_good && next == draw->count;
}

// ---- the tasks: each adds what it found, and returns false if it failed or differs ----

static bool query_views(frame_run *run, const acre_view *views, uint32_t count, size_t *found)
{
    bool is_good = true;
    for (uint32_t i = 0; i < count && is_good; i++) {
        size_t one = 0;
        is_good = acre_culling_query_view(run->culling, &views[i], run->slots, run->room, &one) ==
                      ACRE_OK &&
                  check_view(run, &views[i], run->slots, one);
        *found += one;
    }
    return is_good;
}

static bool find_views(frame_run *run, uint32_t first, uint32_t count, size_t *found)
{
    bool is_good = acre_culling_find_visible_many(run->culling, run->views + first,
                                                  run->sets + first, count) == ACRE_OK;
    for (uint32_t i = first; i < first + count && is_good; i++) {
        const acre_visible visible = acre_visible_set_get(run->sets[i]);
        is_good = check_view(run, &run->views[i], visible.slots, visible.count);
        *found += visible.count;
    }
    return is_good;
}

static bool make_views(frame_run *run)
{
    // As `acre run` has them.
    static const acre_cascades_def shadows = {.light = {0.5f, -0.8f, 0.35f},
                                              .distance = 500.0f,
                                              .caster_distance = 300.0f,
                                              .log_share = 0.7f,
                                              .count = CASCADES,
                                              .resolution = 2048};
    bool is_good = acre_cascades_fit(&shadows, &run->camera, run->cascades) == ACRE_OK;
    for (int i = 0; i < FIVE && is_good; i++) {
        const acre_camera *const camera = i == 0 ? &run->camera : &run->cascades[i - 1].camera;
        is_good = acre_view_from_camera(&run->views[i], camera) == ACRE_OK;
        run->views[i].flags = ACRE_VIEW_IGNORE_RULES;
    }
    return is_good;
}

static bool place_joint(frame_run *run)
{
    return acre_stereo_place(&run->stereo, run->camera.view, &run->views[JOINT].frustum) == ACRE_OK;
}

static bool query_slices(frame_run *run, size_t *found)
{
    bool is_good = true;
    for (int i = 0; i < CASCADES && is_good; i++) {
        acre_view slice = {.flags = ACRE_VIEW_IGNORE_RULES};
        is_good = acre_cascade_caster_frustum(&run->cascades[i], &slice.frustum) == ACRE_OK &&
                  query_views(run, &slice, 1, found);
    }
    return is_good;
}

static bool query_casters(frame_run *run, bool in_slice, size_t *found)
{
    acre_receivers *const receivers = run->receivers;
    bool is_good = true;
    for (int i = 0; i < CASCADES && is_good; i++) {
        size_t count = 0;
        is_good = acre_receivers_begin(receivers, &run->cascades[i]) == ACRE_OK &&
                  acre_receivers_add_boxes(receivers, &run->bench->world.ground, 1) == ACRE_OK &&
                  (in_slice ? acre_culling_add_receivers_in_slice(run->culling, receivers, 0)
                            : acre_culling_add_receivers(run->culling, receivers, run->seen.slots,
                                                         run->seen.count)) == ACRE_OK &&
                  acre_culling_query_casters(run->culling, receivers, run->slots, run->room,
                                             &count) == ACRE_OK &&
                  check_casters(run, count);
        *found += count;
    }
    return is_good;
}

static bool build_list(frame_run *run, const frame_task *task, size_t *found)
{
    acre_draw_input input = {.slots = run->seen.slots,
                             .count = run->seen.count,
                             .lods = run->seen.lods,
                             .keys = run->keys,
                             .key_count = run->bench->world.slot_count,
                             .order = task->order,
                             .matrices = task->form};
    memcpy(input.eye, run->views[CAMERA].eye, sizeof input.eye);
    const bool is_built = acre_draw_list_build(run->list, run->culling, &input) == ACRE_OK;
    const acre_draw draw = acre_draw_list_get(run->list);
    *found = draw.count;
    return is_built &&
           (!run->is_checking || (check_ranges(run, &draw) && check_matrices(run, &draw)));
}

static size_t run_task(void *user, uint32_t number, uint32_t frame)
{
    frame_run *const run = user;
    const frame_task *const task = &tasks[number];
    size_t found = 0;
    bool is_good = false;
    (void)frame;
    switch (task->kind) {
    case MAKE:
        is_good = make_views(run);
        break;
    case PLACE:
        is_good = place_joint(run);
        break;
    case QUERY:
        is_good = query_views(run, run->views + task->first, task->count, &found);
        break;
    case FIND:
        is_good = find_views(run, task->first, task->count, &found);
        break;
    case SLICES:
        is_good = query_slices(run, &found);
        break;
    case OF_SEEN:
    case OF_SLICES:
        is_good = query_casters(run, task->kind == OF_SLICES, &found);
        break;
    case LIST:
        is_good = build_list(run, task, &found);
        break;
    }
    return is_good ? found : SIZE_MAX;
}

// ---- a run ----

static bool fail(const frame_run *run, const char *what, const char *why)
{
    return view_bench_fail(run->bench, what, why);
}

static bool make_eyes(frame_run *run)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    acre_camera in_world[EYES], in_head[EYES];
    bool is_good = true;
    for (int i = 0; i < EYES && is_good; i++) {
        const float shift = i == 0 ? EYE_HALF : -EYE_HALF; // along the camera's x
        in_world[i] = in_head[i] = run->camera;
        memcpy(in_head[i].view, identity, sizeof identity);
        in_world[i].view[12] += shift;
        in_head[i].view[12] = shift;
        is_good = acre_view_from_camera(&run->views[LEFT + i], &in_world[i]) == ACRE_OK;
        run->views[LEFT + i].flags = ACRE_VIEW_IGNORE_RULES;
    }
    run->views[JOINT] = run->views[LEFT];
    return is_good && acre_stereo_prepare(&run->stereo, in_head) == ACRE_OK && place_joint(run);
}

// Everything that tasks ask about, and what the camera sees.
static bool prepare_frame(void *user, uint32_t frame)
{
    frame_run *const run = user;
    run->camera = run->kind->cameras[run->track][frame];
    bool is_good = make_views(run) && make_eyes(run);
    for (int i = 0; i < FIVE && is_good; i++) {
        const acre_camera *const camera = i == 0 ? &run->camera : &run->cascades[i - 1].camera;
        acre_view *const ruled = &run->views[RULED + i];
        *ruled = run->views[i];
        ruled->flags = 0;
        ruled->max_distance = run->kind->limits.max_distance;
        ruled->min_pixels = 4.0f;
        is_good = acre_view_set_viewport(ruled, camera, 1080.0f) == ACRE_OK;
    }
    acre_view seen = run->views[RULED]; // the LODs of all rules, and nothing hidden
    seen.max_distance = seen.min_pixels = 0.0f;
    seen.range_scale = 1e6f;
    is_good = is_good && acre_culling_find_visible(run->culling, &seen, run->seen_set) == ACRE_OK;
    run->seen = acre_visible_set_get(run->seen_set);
    return is_good || fail(run, "views", "a camera has no volume");
}

static bool begin_track(void *user, uint32_t task, const track_kind *kind, uint32_t track)
{
    frame_run *const run = user;
    (void)task, (void)kind;
    run->track = track;
    for (int i = 0; i < VIEWS; i++) {
        acre_visible_set_clear(run->sets[i]);
    }
    return true;
}

// Two frames of some tracks.
static bool check_tasks(frame_run *run)
{
    const uint32_t tracks = view_bench_checked_tracks(run->bench, run->kind);
    bool is_good = true;
    run->is_checking = true;
    for (uint32_t track = 0; track < tracks && is_good; track++) {
        begin_track(run, 0, run->kind, track);
        for (uint32_t f = 0; f < 2 && is_good; f++) {
            is_good = prepare_frame(run, f);
            for (uint32_t task = 0; task < FRAME_TASKS && is_good; task++) {
                is_good = run_task(run, task, f) != SIZE_MAX ||
                          fail(run, tasks[task].name, "the answer differs from the definition");
            }
        }
    }
    run->is_checking = false;
    return is_good;
}

static bool create(frame_run *run)
{
    const acre_visible_set_def with_lods = {.flags = ACRE_VISIBLE_LODS};
    uint64_t random = 0x6d6573686573u;
    run->room = (size_t)run->bench->world.slot_count + CASE_SLACK;
    run->slots = calloc(run->room, sizeof *run->slots);
    run->keys = calloc(run->room, sizeof *run->keys);
    bool is_good = run->slots && run->keys &&
                   acre_receivers_create(NULL, &run->receivers) == ACRE_OK &&
                   acre_draw_list_create(NULL, &run->list) == ACRE_OK &&
                   acre_visible_set_create(&with_lods, &run->seen_set) == ACRE_OK;
    for (int i = 0; i < VIEWS && is_good; i++) {
        const bool is_ruled = i >= RULED && i < LEFT;
        is_good = acre_visible_set_create(is_ruled ? &with_lods : NULL, &run->sets[i]) == ACRE_OK;
    }
    for (size_t slot = 0; slot < run->room && is_good; slot++) {
        run->keys[slot] = (uint32_t)(draw_bits(&random) % MESHES);
    }
    return is_good || fail(run, "tasks", "out of memory");
}

static void destroy(frame_run *run)
{
    for (int i = 0; i < VIEWS; i++) {
        acre_visible_set_destroy(run->sets[i]);
    }
    acre_visible_set_destroy(run->seen_set);
    acre_receivers_destroy(run->receivers);
    acre_draw_list_destroy(run->list);
    free(run->slots);
    free(run->keys);
}

static bool measure_kind(view_bench *bench, const track_kind *kind)
{
    frame_run run = {.bench = bench, .kind = kind, .culling = bench->world.culling};
    const bool is_good = create(&run) && check_tasks(&run) &&
                         view_measure(bench, kind,
                                      &(view_tasks){.measure = "frame",
                                                    .found = "frame entities",
                                                    .name = frame_task_name,
                                                    .count = FRAME_TASKS,
                                                    .begin = begin_track,
                                                    .prepare = prepare_frame,
                                                    .ask = run_task,
                                                    .user = &run});
    destroy(&run);
    return is_good;
}

bool measure_view_frames(view_bench *bench)
{
    case_runner *const runner = &bench->runner;
    case_rules(ASK_RANGES | ASK_LODS, runner->rules);
    bool is_good =
        acre_culling_set_rules(bench->world.culling, runner->rules, SCENE_RULES) == ACRE_OK ||
        view_bench_fail(bench, "rules", "out of memory");
    for (uint32_t k = 0; k < bench->world.kind_count && is_good; k++) {
        const track_kind *const kind = &bench->world.kinds[k];
        is_good = !kind->limits.flies || measure_kind(bench, kind);
    }
    return is_good;
}
