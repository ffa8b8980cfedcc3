// SPDX-License-Identifier: MIT
// bench_view_frame.c - what a frame asks beside one view: cascades, eyes, casters, lists to draw.
#include "bench_view_rules.h"

#include "country_random.h"

#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/stereo.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EYE_HALF 0.032f // metres from the middle of the head

enum { CASCADES = 4, VIEWS = 1 + CASCADES, EYES = 2, MESHES = 200, SETS = 2 * VIEWS + EYES + 1 };

// Sets of a run: of the five views, of the five with rules, of the eyes, of both together.
enum { SET_VIEWS = 0, SET_RULED = VIEWS, SET_EYES = 2 * VIEWS, SET_JOINT = 2 * VIEWS + EYES };

typedef struct frame_run {
    view_bench *bench;
    const track_kind *kind;
    acre_camera camera;
    acre_stereo stereo;
    acre_cascade cascades[CASCADES];
    acre_view views[VIEWS], ruled[VIEWS], eyes[EYES], joint;
    acre_visible_set *sets[SETS];
    acre_visible_set *seen_set; // of the camera, with LODs: what is drawn, and receives shadows
    acre_visible seen;
    acre_receivers *receivers;
    acre_draw_list *list;
    uint32_t *keys; // by slot
    uint32_t *slots;
    size_t room;
    uint32_t track;
    bool is_checking;
} frame_run;

static const acre_culling *culler(const frame_run *run)
{
    return run->bench->world.culling;
}

// Answers are compared where nothing is timed.
static bool check(frame_run *run, const acre_view *view, const uint32_t *slots, size_t count)
{
    if (!run->is_checking) {
        return true;
    }
    run->bench->checked++;
    return slots_are_visible(&run->bench->runner, view, slots, count);
}

// A task returns what it found in *found, and false if something failed or differs.
static bool query_views(frame_run *run, const acre_view *views, uint32_t count, size_t *found)
{
    bool is_good = true;
    for (uint32_t i = 0; i < count && is_good; i++) {
        const size_t one = acre_culling_query_view(culler(run), &views[i], run->slots, run->room);
        is_good = check(run, &views[i], run->slots, one);
        *found += one;
    }
    return is_good;
}

static bool find_views(frame_run *run, const acre_view *views, uint32_t first, uint32_t count,
                       size_t *found)
{
    acre_visible_set *const *const sets = run->sets + first;
    bool is_good = acre_culling_find_visible_many(culler(run), views, sets, count) == ACRE_OK;
    for (uint32_t i = 0; i < count && is_good; i++) {
        const acre_visible visible = acre_visible_set_get(sets[i]);
        is_good = check(run, &views[i], visible.slots, visible.count);
        *found += visible.count;
    }
    return is_good;
}

static bool fit_cascades(frame_run *run)
{
    // As `acre run` has them.
    static const acre_cascades_def shadows = {.light = {0.5f, -0.8f, 0.35f},
                                              .distance = 500.0f,
                                              .caster_distance = 300.0f,
                                              .log_share = 0.7f,
                                              .count = CASCADES,
                                              .resolution = 2048};
    return acre_cascades_fit(&shadows, &run->camera, run->cascades) == ACRE_OK;
}

static bool make_views(frame_run *run, size_t *found)
{
    bool is_good =
        fit_cascades(run) && acre_view_from_camera(&run->views[0], &run->camera) == ACRE_OK;
    for (int i = 0; i < CASCADES && is_good; i++) {
        is_good = acre_view_from_camera(&run->views[1 + i], &run->cascades[i].camera) == ACRE_OK;
    }
    for (int i = 0; i < VIEWS; i++) {
        run->views[i].flags = ACRE_VIEW_IGNORE_RULES;
    }
    *found = 0;
    return is_good;
}

static bool query_five(frame_run *run, size_t *found)
{
    return query_views(run, run->views, VIEWS, found);
}

static bool find_five(frame_run *run, size_t *found)
{
    return find_views(run, run->views, SET_VIEWS, VIEWS, found);
}

static bool find_five_ruled(frame_run *run, size_t *found)
{
    return find_views(run, run->ruled, SET_RULED, VIEWS, found);
}

static bool query_eyes(frame_run *run, size_t *found)
{
    return query_views(run, run->eyes, EYES, found);
}

static bool find_eyes(frame_run *run, size_t *found)
{
    return find_views(run, run->eyes, SET_EYES, EYES, found);
}

static bool join_eyes(frame_run *run, size_t *found)
{
    *found = 0;
    return acre_stereo_place(&run->stereo, run->camera.view, &run->joint.frustum) == ACRE_OK;
}

static bool query_joint(frame_run *run, size_t *found)
{
    return query_views(run, &run->joint, 1, found);
}

static bool find_joint(frame_run *run, size_t *found)
{
    return find_views(run, &run->joint, SET_JOINT, 1, found);
}

static bool query_cascades(frame_run *run, size_t *found)
{
    return query_views(run, run->views + 1, CASCADES, found);
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

static bool casts(const void *user, uint32_t slot)
{
    const frame_run *const run = user;
    const acre_scene_view scene = acre_scene_get_view(run->bench->world.scene);
    return acre_receivers_test_aabb(run->receivers, &scene.world_bounds[slot]);
}

static bool check_casters(const frame_run *run, size_t count)
{
    run->bench->checked++;
    return slots_are_wanted(&run->bench->world, run->slots, count, casts, run);
}

static bool query_casters(frame_run *run, bool in_slice, size_t *found)
{
    acre_receivers *const receivers = run->receivers;
    acre_result result = ACRE_OK;
    for (int i = 0; i < CASCADES && result == ACRE_OK; i++) {
        size_t count = 0;
        result = acre_receivers_begin(receivers, &run->cascades[i]);
        if (result == ACRE_OK) {
            result = acre_receivers_add_boxes(receivers, &run->bench->world.ground, 1);
        }
        if (result == ACRE_OK) {
            result = in_slice ? acre_culling_add_receivers_in_slice(culler(run), receivers, 0)
                              : acre_culling_add_receivers(culler(run), receivers, run->seen.slots,
                                                           run->seen.count);
        }
        if (result == ACRE_OK) {
            result =
                acre_culling_query_casters(culler(run), receivers, run->slots, run->room, &count);
        }
        if (run->is_checking && result == ACRE_OK && !check_casters(run, count)) {
            result = ACRE_ERROR_FORMAT;
        }
        *found += count;
    }
    return result == ACRE_OK;
}

static bool query_casters_of_seen(frame_run *run, size_t *found)
{
    return query_casters(run, false, found);
}

static bool query_casters_in_slice(frame_run *run, size_t *found)
{
    return query_casters(run, true, found);
}

// Each slot once, in a range of its key and LOD, ascending, with its matrix.
static bool check_draw(const frame_run *run, const acre_draw *draw)
{
    const view_world *const world = &run->bench->world;
    uint8_t *const lods = calloc((size_t)world->slot_count + 1, 1); // by slot, plus 1
    bool is_good = lods && draw->count == run->seen.count;
    for (size_t i = 0; i < run->seen.count && is_good; i++) {
        lods[run->seen.slots[i]] = (uint8_t)(run->seen.lods[i] + 1);
    }
    size_t next = 0;
    for (size_t r = 0; r < draw->range_count && is_good; r++) {
        const acre_draw_range *const range = &draw->ranges[r];
        is_good = range->first == next && range->count > 0;
        next += range->count;
        if (r > 0) {
            const acre_draw_range *const last = range - 1;
            is_good = is_good && (last->key < range->key ||
                                  (last->key == range->key && last->lod < range->lod));
        }
        for (size_t i = range->first; i < next && is_good; i++) {
            const uint32_t slot = draw->slots[i];
            is_good = lods[slot] == range->lod + 1 && run->keys[slot] == range->key;
            lods[slot] = 0; // a second one has none
        }
    }
    for (size_t i = 0; i < draw->count && draw->matrices && is_good; i++) {
        float columns[16];
        const float *const rows = draw->matrices + i * draw->matrix_floats;
        is_good =
            acre_entity_world_matrix(world->scene, acre_scene_entity(world->scene, draw->slots[i]),
                                     columns) == ACRE_OK;
        for (size_t k = 0; k < 12 && is_good; k++) {
            is_good = rows[k] == columns[k % 4 * 4 + k / 4];
        }
    }
    free(lods);
    run->bench->checked++;
    return is_good && next == draw->count;
}

static bool build_list(frame_run *run, acre_draw_order order, acre_matrix_form form, size_t *found)
{
    acre_draw_input input = {.slots = run->seen.slots,
                             .count = run->seen.count,
                             .lods = run->seen.lods,
                             .keys = run->keys,
                             .key_count = run->bench->world.slot_count,
                             .order = order,
                             .matrices = form};
    memcpy(input.eye, run->views[0].eye, sizeof input.eye);
    const acre_result result = acre_draw_list_build(run->list, culler(run), &input);
    const acre_draw draw = acre_draw_list_get(run->list);
    *found = draw.count;
    return result == ACRE_OK && (!run->is_checking || check_draw(run, &draw));
}

static bool build_groups(frame_run *run, size_t *found)
{
    return build_list(run, ACRE_DRAW_AS_GIVEN, (acre_matrix_form)0, found);
}

static bool build_with_matrices(frame_run *run, size_t *found)
{
    return build_list(run, ACRE_DRAW_AS_GIVEN, ACRE_MATRIX_ROWS, found);
}

static bool build_near_to_far(frame_run *run, size_t *found)
{
    return build_list(run, ACRE_DRAW_NEAR_TO_FAR, ACRE_MATRIX_ROWS, found);
}

typedef struct frame_task {
    const char *name;
    bool (*run)(frame_run *run, size_t *found);
} frame_task;

static const frame_task tasks[FRAME_TASKS] = {
    {"cascades fitted, views made", make_views},
    {"five queries", query_five},
    {"five sets, one call", find_five},
    {"five sets, all rules", find_five_ruled},
    {"two eyes, two queries", query_eyes},
    {"two eyes, two sets", find_eyes},
    {"joint frustum placed", join_eyes},
    {"joint frustum, query", query_joint},
    {"joint frustum, set", find_joint},
    {"casters: light volumes", query_cascades},
    {"casters: extruded slices", query_slices},
    {"casters: of what is seen", query_casters_of_seen},
    {"casters: of all in slices", query_casters_in_slice},
    {"draw list", build_groups},
    {"draw list, matrices", build_with_matrices},
    {"near to far, matrices", build_near_to_far},
};

const char *frame_task_name(uint32_t task)
{
    return tasks[task].name;
}

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
        is_good = acre_view_from_camera(&run->eyes[i], &in_world[i]) == ACRE_OK;
        run->eyes[i].flags = ACRE_VIEW_IGNORE_RULES;
    }
    run->joint = run->eyes[0];
    size_t found;
    return is_good && acre_stereo_prepare(&run->stereo, in_head) == ACRE_OK &&
           join_eyes(run, &found);
}

// Everything that tasks ask about, and what the camera sees.
static bool prepare(frame_run *run, const acre_camera *camera)
{
    size_t found;
    run->camera = *camera;
    if (!make_views(run, &found) || !make_eyes(run)) {
        return fail(run, "views", "a camera has no volume");
    }
    bool is_good = true;
    for (int i = 0; i < VIEWS; i++) {
        const acre_camera *const seen = i == 0 ? camera : &run->cascades[i - 1].camera;
        run->ruled[i] = run->views[i];
        run->ruled[i].flags = 0;
        run->ruled[i].max_distance = run->kind->limits.max_distance;
        run->ruled[i].min_pixels = 4.0f;
        is_good = acre_view_set_viewport(&run->ruled[i], seen, 1080.0f) == ACRE_OK && is_good;
    }
    acre_view seen = run->ruled[0]; // the LODs of all rules, and nothing hidden
    seen.max_distance = seen.min_pixels = 0.0f;
    seen.range_scale = 1e6f;
    is_good = is_good && acre_culling_find_visible(culler(run), &seen, run->seen_set) == ACRE_OK;
    run->seen = acre_visible_set_get(run->seen_set);
    return is_good || fail(run, "views", "finding failed");
}

static bool begin_track(void *user, uint32_t task, const track_kind *kind, uint32_t track)
{
    frame_run *const run = user;
    (void)task, (void)kind;
    run->track = track;
    for (int i = 0; i < SETS; i++) {
        acre_visible_set_clear(run->sets[i]);
    }
    return true;
}

static bool prepare_frame(void *user, uint32_t frame)
{
    frame_run *const run = user;
    return prepare(run, &run->kind->cameras[run->track][frame]);
}

static size_t run_task(void *user, uint32_t task, uint32_t frame)
{
    size_t found = 0;
    (void)frame;
    return tasks[task].run(user, &found) ? found : SIZE_MAX;
}

// Two frames of some tracks, where nothing is timed.
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
    const view_world *const world = &run->bench->world;
    const acre_visible_set_def with_lods = {.flags = ACRE_VISIBLE_LODS};
    run->room = (size_t)world->slot_count + CONTENDER_SLACK;
    run->slots = calloc(run->room, sizeof *run->slots);
    run->keys = calloc(run->room, sizeof *run->keys);
    bool is_good = run->slots && run->keys &&
                   acre_receivers_create(NULL, &run->receivers) == ACRE_OK &&
                   acre_draw_list_create(NULL, &run->list) == ACRE_OK &&
                   acre_visible_set_create(&with_lods, &run->seen_set) == ACRE_OK;
    for (int i = 0; i < SETS && is_good; i++) {
        const bool is_ruled = i >= SET_RULED && i < SET_EYES;
        is_good = acre_visible_set_create(is_ruled ? &with_lods : NULL, &run->sets[i]) == ACRE_OK;
    }
    uint64_t random = 0x6d6573686573u;
    for (size_t slot = 0; slot < run->room && is_good; slot++) {
        run->keys[slot] = (uint32_t)(draw_bits(&random) % MESHES);
    }
    return is_good || fail(run, "tasks", "out of memory");
}

static void destroy(frame_run *run)
{
    for (int i = 0; i < SETS; i++) {
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
    frame_run run = {.bench = bench, .kind = kind};
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
    bool is_good = true;
    case_rules(ASK_RANGES | ASK_LODS, runner->rules);
    is_good = acre_culling_set_rules(bench->world.culling, runner->rules, WORLD_RULES) == ACRE_OK ||
              view_bench_fail(bench, "rules", "out of memory");
    for (uint32_t k = 0; k < bench->world.kind_count && is_good; k++) {
        const track_kind *const kind = &bench->world.kinds[k];
        is_good = !kind->limits.flies || measure_kind(bench, kind);
    }
    return is_good;
}
