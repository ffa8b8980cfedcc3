// SPDX-License-Identifier: MIT
// stream_districts.c - an endless town: districts come and go around a camera, nothing is
// allocated.
//
// The town around the camera is 9 by 9 districts of houses, with walkers in between. In each frame
// at most one district that is out of reach goes, and the one that takes its place comes. A visible
// set says what entered and what left: there a game loads meshes and lets go of them.
//     stream_districts            1,500 frames
//     stream_districts FRAMES     so many, and how long they took
#include <acre/culling.h>
#include <acre/scene.h>
#include <acre/view.h>
#include <acre/visible_set.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 9, DISTRICTS = SIDE * SIDE, HOUSES = 40, WALKERS = 400, WARM = 1000 };
// A district that goes keeps its slots until the commit, and another one comes in the same frame.
enum { MOST = (DISTRICTS + 1) * HOUSES + WALKERS };
// Room in a tree is for things that lie anyhow. A town that crosses the borders of large cells has
// more cells than that.
enum { ROOM = 4 * MOST };

static const acre_transform identity = ACRE_TRANSFORM_IDENTITY;
static const float width = 100, step = 3, turn = 4000; // of a district, a frame, the way, in meters

static struct district {
    int x, z;
    size_t count;
    acre_entity houses[HOUSES];
} districts[DISTRICTS];

static acre_scene *scene;
static acre_culling *culling;
static acre_visible_set *set;
static acre_entity walkers[WALKERS];
static acre_transform places[WALKERS];
static unsigned char is_loaded[2 * MOST]; // by slot: the mesh is there
static size_t requests, loaded, came;

// Counts what is asked for.
static void *resize(void *user, void *block, size_t old_size, size_t new_size, size_t alignment)
{
    (void)user;
    requests += new_size > 0;
    return acre_resize(NULL, block, old_size, new_size, alignment);
}

static uint32_t mix(uint32_t seed)
{
    seed = (seed ^ seed >> 16) * 0x45d9f3bu;
    return (seed ^ seed >> 15) * 0x2c1b3c6du;
}

// The same district is the same again when the camera comes back.
static bool come(struct district *d, int x, int z)
{
    acre_entity_def defs[HOUSES];
    acre_transform at[HOUSES];
    const acre_aabb house = {{-5, 0, -4}, {5, 8, 4}};
    const uint32_t seed = mix((uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u);
    d->x = x;
    d->z = z;
    d->count = HOUSES - seed % 16;
    for (uint32_t i = 0; i < d->count; i++) {
        const uint32_t own = mix(seed + i);
        const float east = (float)(own % 1000) / 1000, south = (float)(own >> 16) / 65536;
        at[i] = identity;
        at[i].translation[0] = ((float)x + east) * width;
        at[i].translation[2] = ((float)z + south) * width;
        defs[i] = (acre_entity_def){
            .local = &at[i], .bounds = &house, .flags = ACRE_ENTITY_STATIC, .user = own};
    }
    came++;
    return acre_entity_create_many(scene, defs, NULL, d->count, d->houses) == ACRE_OK;
}

static int wrapped(int number)
{
    return (number % SIDE + SIDE) % SIDE;
}

// Replaces one district that is out of reach. @return how many houses went and came, or SIZE_MAX.
static size_t stream(const float *eye, size_t limit)
{
    const int middle_x = (int)(eye[0] / width + 1e5f) - 100000;
    const int middle_z = (int)(eye[2] / width + 1e5f) - 100000;
    size_t changed = 0, replaced = 0;
    for (int i = 0; i < DISTRICTS && replaced < limit; i++) {
        const int x = middle_x + i % SIDE - SIDE / 2, z = middle_z + i / SIDE - SIDE / 2;
        struct district *const d = &districts[wrapped(z) * SIDE + wrapped(x)];
        if (d->count > 0 && d->x == x && d->z == z) {
            continue;
        }
        changed += d->count;
        if ((d->count > 0 && acre_entity_destroy_many(scene, d->houses, d->count) != ACRE_OK) ||
            !come(d, x, z)) {
            return SIZE_MAX;
        }
        changed += d->count;
        replaced++;
    }
    return changed;
}

// Around a square, always ahead. @return the eye and where it looks.
static void walk(size_t frame, float *eye, float *target)
{
    const size_t side = (size_t)(2 * turn / step);
    const float along = (float)(frame % side) * step - turn;
    const float ways[4][4] = {
        {along, -turn, 1, 0}, {turn, along, 0, 1}, {-along, turn, -1, 0}, {-turn, -along, 0, -1}};
    const float *const way = ways[frame / side % 4];
    memcpy(eye, (float[3]){way[0], 2, way[1]}, 3 * sizeof *eye);
    memcpy(target, (float[3]){way[0] + way[2], 2, way[1] + way[3]}, 3 * sizeof *target);
}

// Walkers keep around the camera.
static bool move_walkers(size_t frame, const float *eye)
{
    for (uint32_t i = 0; i < WALKERS; i++) {
        const uint32_t own = mix(i + 1);
        places[i] = identity;
        places[i].translation[0] = eye[0] + (float)((own + frame) % 600) - 300;
        places[i].translation[2] = eye[2] + (float)((own >> 12) % 600) - 300;
    }
    return acre_scene_set_locals(scene, walkers, places, WALKERS) == ACRE_OK;
}

// @return whether what entered was not there, and what left was.
static bool load_and_let_go(const acre_visible *seen)
{
    bool ok = true;
    for (size_t i = 0; i < seen->left_count; i++) { // first: a slot may have left and entered
        ok = ok && is_loaded[seen->left[i]];
        is_loaded[seen->left[i]] = 0;
    }
    for (size_t i = 0; i < seen->entered_count; i++) {
        ok = ok && !is_loaded[seen->entered[i]];
        is_loaded[seen->entered[i]] = 1;
    }
    loaded += seen->entered_count - seen->left_count;
    return ok && loaded == seen->count;
}

// work: receives what the frame looked at and changed.
static bool run_frame(size_t frame, double *work)
{
    float eye[3], target[3];
    const float up[3] = {0, 1, 0};
    acre_camera camera = {0};
    acre_view view;
    walk(frame, eye, target);
    const size_t changed = stream(eye, frame > 0 ? 1 : DISTRICTS);
    const bool ok =
        changed != SIZE_MAX && move_walkers(frame, eye) && acre_scene_commit(scene) == ACRE_OK &&
        acre_camera_perspective(&camera, 1, 1.6f, 1, 400, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
        acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
        acre_view_from_camera(&view, &camera) == ACRE_OK &&
        acre_culling_find_visible(culling, &view, set) == ACRE_OK;
    const acre_visible seen = acre_visible_set_get(set);
    *work = (double)(changed + WALKERS + seen.tested + seen.entered_count + seen.left_count);
    return ok && load_and_let_go(&seen);
}

static bool begin(const acre_allocator *counted)
{
    const acre_aabb body = {{-0.4f, 0, -0.4f}, {0.4f, 1.8f, 0.4f}};
    const acre_scene_def scene_def = {.allocator = counted};
    const acre_culling_def def = {.tree.allocator = counted, .register_all = true};
    const acre_visible_set_def set_def = {.flags = ACRE_VISIBLE_CHANGES, .allocator = counted};
    bool ok = acre_scene_create(&scene_def, &scene) == ACRE_OK &&
              acre_culling_create(scene, &def, &culling) == ACRE_OK &&
              acre_visible_set_create(&set_def, &set) == ACRE_OK &&
              acre_scene_reserve(scene, MOST) == ACRE_OK &&
              acre_culling_reserve(culling, ROOM, 4 * WALKERS, ROOM) == ACRE_OK &&
              acre_visible_set_reserve(set, culling, MOST) == ACRE_OK;
    for (int i = 0; i < WALKERS && ok; i++) {
        const acre_entity_def walker = {.bounds = &body};
        ok = acre_entity_create(scene, &walker, &walkers[i]) == ACRE_OK;
    }
    return ok;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of the processor, so that other programs do not count. In microseconds.
static double now(void)
{
    return (double)clock() * 1e6 / CLOCKS_PER_SEC;
}

// Sorts, and prints the median and the worst frames in its terms. @return the worst that counts.
static double print_frames(const char *what, double *of, size_t frames, size_t rare)
{
    qsort(of, frames, sizeof *of, compare);
    const double median = of[frames / 2], worst = of[frames - 1 - rare];
    printf("%s of a frame: median %.1f, 99.9 %% %.1f times that, worst %.1f times\n", what, median,
           of[frames - 1 - frames / 1000] / median, of[frames - 1] / median);
    return worst / median;
}

// Plays from an empty world to its end. times: receive the least of this and what they were.
// @return whether all was right; late: requests after the first frames.
static bool play(size_t frames, double *work, double *times, size_t *late)
{
    const acre_allocator counted = {.resize = resize};
    size_t warm = 0;
    memset(districts, 0, sizeof districts);
    memset(is_loaded, 0, sizeof is_loaded);
    loaded = came = 0;
    bool ok = begin(&counted);
    for (size_t frame = 0; frame < frames && ok; frame++) {
        warm = frame == WARM ? requests : warm;
        const double start = now();
        ok = run_frame(frame, &work[frame]);
        const double time = now() - start;
        times[frame] = time < times[frame] ? time : times[frame];
    }
    *late = requests - warm;
    acre_visible_set_destroy(set);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    return ok;
}

int main(int argc, char **argv)
{
    const bool is_timed = argc > 1;
    const size_t frames = is_timed ? (size_t)strtoul(argv[1], NULL, 10) : 1500;
    double *const work = malloc((2 * frames + 1) * sizeof *work), *const times = work + frames;
    size_t late = 0;
    bool ok = frames > WARM && work;
    for (size_t frame = 0; frame < frames && ok; frame++) {
        times[frame] = 1e9;
    }
    // A machine has other work now and then: a frame takes the least of three plays.
    for (int i = 0; i < (is_timed ? 3 : 1) && ok; i++) {
        ok = play(frames, work, times, &late);
    }
    if (ok) {
        printf("%zu frames, %zu districts came; what entered and left is what is seen\n", frames,
               came);
        printf("requests for memory after the first %d frames: %zu\n", WARM, late);
    }
    if (ok && is_timed) {
        ok = print_frames("work", work, frames, 0) <= 5 &&
             print_frames("microseconds", times, frames, frames / 1000) <= 5;
    } else if (ok) {
        qsort(work, frames, sizeof *work, compare);
        ok = work[frames - 1] <= 5 * work[frames / 2];
        puts(ok ? "no frame has five times the work of the median one"
                : "a frame has too much work");
    }
    free(work);
    return ok && late == 0 ? 0 : 1;
}
