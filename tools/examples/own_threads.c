// SPDX-License-Identifier: MIT
// own_threads.c - gives Acre the workers of a plain pthread pool: a frame on all cores.
//
// The pool is a list of jobs under one mutex. Two functions connect it to Acre: `enqueue` puts a
// task into the list, `finish` waits for one, and runs it itself if no thread has begun it.
#include <acre/culling.h>
#include <acre/visible_set.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, MOST_JOBS = 256, ENTITIES = 50000, VIEWS = 8 };

typedef enum job_state { JOB_UNUSED, JOB_WAITS, JOB_RUNS, JOB_IS_DONE } job_state;

typedef struct job {
    acre_task *run;
    void *context;
    job_state state;
} job;

typedef struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t changed; // a job waits or is done, or the pool ends
    job jobs[MOST_JOBS];
    bool is_ending;
    pthread_t threads[THREADS];
    int thread_count;
} pool;

// Runs a job without the lock, which the caller holds before and after.
static void run_job(pool *p, job *j)
{
    j->state = JOB_RUNS;
    pthread_mutex_unlock(&p->mutex);
    j->run(j->context);
    pthread_mutex_lock(&p->mutex);
    j->state = JOB_IS_DONE;
    pthread_cond_broadcast(&p->changed);
}

static job *find_job(pool *p, job_state state)
{
    for (int i = 0; i < MOST_JOBS; i++) {
        if (p->jobs[i].state == state) {
            return &p->jobs[i];
        }
    }
    return NULL;
}

static void *work(void *user)
{
    pool *const p = user;
    pthread_mutex_lock(&p->mutex);
    while (!p->is_ending) {
        job *const next = find_job(p, JOB_WAITS);
        if (next) {
            run_job(p, next);
        } else {
            pthread_cond_wait(&p->changed, &p->mutex);
        }
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static void *enqueue(void *user, acre_task *task, void *context, const char *name)
{
    pool *const p = user;
    (void)name; // for a profiler
    pthread_mutex_lock(&p->mutex);
    job *const free_job = find_job(p, JOB_UNUSED);
    if (free_job) {
        *free_job = (job){task, context, JOB_WAITS};
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->mutex);
    if (!free_job) {
        task(context); // the list is full: NULL says that the task has run
    }
    return free_job;
}

static void finish(void *user, void *handle)
{
    pool *const p = user;
    job *const own = handle;
    pthread_mutex_lock(&p->mutex);
    while (own->state != JOB_IS_DONE) {
        if (own->state == JOB_WAITS) {
            run_job(p, own);
        } else {
            pthread_cond_wait(&p->changed, &p->mutex);
        }
    }
    own->state = JOB_UNUSED;
    pthread_mutex_unlock(&p->mutex);
}

static void begin_pool(pool *p)
{
    *p = (pool){.is_ending = false};
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    for (; p->thread_count < THREADS; p->thread_count++) {
        if (pthread_create(&p->threads[p->thread_count], NULL, work, p) != 0) {
            return; // with fewer threads, or none, finish runs what is left
        }
    }
}

static void end_pool(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    p->is_ending = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    while (p->thread_count > 0) {
        pthread_join(p->threads[--p->thread_count], NULL);
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->mutex);
}

// A field of boxes, a meter apart.
static acre_result create_field(acre_scene *scene, acre_entity *entities, acre_transform *locals)
{
    const acre_aabb box = {{-0.3f, 0, -0.3f}, {0.3f, 1, 0.3f}};
    acre_result result = ACRE_OK;
    for (int i = 0; i < ENTITIES && result == ACRE_OK; i++) {
        locals[i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        locals[i].translation[0] = (float)(i % 250 - 125);
        locals[i].translation[2] = (float)(i / 250 - 100);
        const acre_entity_def def = {.local = &locals[i], .bounds = &box};
        result = acre_entity_create(scene, &def, &entities[i]);
    }
    return result;
}

// Eight views around the middle of the field.
static acre_result aim_views(acre_view *views)
{
    acre_result result = ACRE_OK;
    for (int i = 0; i < VIEWS && result == ACRE_OK; i++) {
        const float eye[3] = {0, 2, 0}, up[3] = {0, 1, 0};
        const float target[3] = {(float)(i % 3 - 1) + 0.5f, 2, (float)(i / 3 - 1) + 0.5f};
        acre_camera camera = {.layers = 0};
        result = acre_camera_perspective(&camera, 1.0f, 1.5f, 0.1f, 60.0f, ACRE_CLIP_ZERO_TO_ONE);
        result = result == ACRE_OK ? acre_camera_look_at(&camera, eye, target, up) : result;
        result = result == ACRE_OK ? acre_view_from_camera(&views[i], &camera) : result;
    }
    return result;
}

// Every entity moves; the commit, the trees and the views use all workers.
static acre_result run_frame(acre_scene *scene, acre_culling *culling, const acre_entity *entities,
                             acre_transform *locals, const acre_view *views,
                             acre_visible_set *const *sets)
{
    for (int i = 0; i < ENTITIES; i++) {
        locals[i].translation[0] += 0.25f;
    }
    acre_result result = acre_scene_set_locals(scene, entities, locals, ENTITIES);
    result = result == ACRE_OK ? acre_scene_commit(scene) : result;
    return result == ACRE_OK ? acre_culling_find_visible_many(culling, views, sets, VIEWS) : result;
}

// Frames of a field; results are the same with workers and without.
static acre_result run_frames(pool *p, acre_entity *entities, acre_transform *locals)
{
    const acre_tasks tasks = {
        .worker_count = THREADS + 1, .enqueue = enqueue, .finish = finish, .user = p};
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_view views[VIEWS];
    acre_visible_set *sets[VIEWS] = {NULL};
    acre_result result = acre_scene_create(&(acre_scene_def){.scene = 1}, &scene);
    result = result ? result : acre_scene_set_tasks(scene, &tasks);
    result = result
                 ? result
                 : acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling);
    result = result ? result : acre_culling_set_tasks(culling, &tasks);
    result = result ? result : create_field(scene, entities, locals);
    result = result ? result : aim_views(views);
    for (int i = 0; i < VIEWS && result == ACRE_OK; i++) {
        result = acre_visible_set_create(NULL, &sets[i]);
    }
    for (int frame = 0; frame < 3 && result == ACRE_OK; frame++) {
        result = run_frame(scene, culling, entities, locals, views, sets);
        for (int i = 0; i < VIEWS && result == ACRE_OK; i++) {
            printf("%s%zu", i > 0 ? ", " : "visible: ", acre_visible_set_get(sets[i]).count);
        }
        printf("\n");
    }
    for (int i = 0; i < VIEWS; i++) {
        acre_visible_set_destroy(sets[i]);
    }
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    return result;
}

int main(void)
{
    static pool p;
    acre_entity *const entities = calloc(ENTITIES, sizeof *entities);
    acre_transform *const locals = calloc(ENTITIES, sizeof *locals);
    acre_result result = ACRE_ERROR_OUT_OF_MEMORY;
    begin_pool(&p);
    if (entities && locals) {
        result = run_frames(&p, entities, locals);
    }
    end_pool(&p);
    free(entities);
    free(locals);
    if (result != ACRE_OK) {
        fprintf(stderr, "own_threads: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
