// SPDX-License-Identifier: MIT
// culling_samples.c - what the samples of modules/culling/README.md use.
#include "must.h"

#include <acre/horizon.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

typedef struct program {
    acre_scene *scene;
    acre_culling *culling;
    acre_visible_set *set;
    acre_camera camera;
    acre_entity car;
    acre_transform moved;
    uint32_t *slots;
    size_t capacity;
} program;

void find_cars(const program *p);
void find_cars(const program *p)
{
    acre_scene *scene = p->scene;
    acre_culling *culling = NULL;
    const acre_camera camera = p->camera;
    const acre_entity car = p->car;
    const acre_transform moved = p->moved;
    uint32_t *slots = p->slots;
    const size_t capacity = p->capacity;
#include "culling_1.inc"
    acre_culling_destroy(culling);
}

void prepare_view(const program *p);
void prepare_view(const program *p)
{
    const acre_culling *culling = p->culling;
    const acre_camera camera = p->camera;
    uint32_t *slots = p->slots;
    const size_t capacity = p->capacity;
    size_t count;
#include "culling_2.inc"
}

void hide_what_stands_behind(const program *p, acre_horizon *horizon);
void hide_what_stands_behind(const program *p, acre_horizon *horizon)
{
    const acre_culling *culling = p->culling;
    const acre_camera camera = p->camera;
    uint32_t *slots = p->slots;
    const size_t capacity = p->capacity;
    size_t count;
    acre_view view;
    must(acre_view_from_camera(&view, &camera));
#include "culling_3.inc"
}

void limit_view(const program *p, acre_frustum water);
void limit_view(const program *p, acre_frustum water)
{
    acre_culling *culling = p->culling;
    const acre_camera camera = p->camera;
    acre_visible_set *set = p->set;
#include "culling_4.inc"
#include "culling_6.inc"
}

void set_rules(acre_culling *culling, acre_entity oak);
void set_rules(acre_culling *culling, acre_entity oak)
{
#include "culling_5.inc"
}

typedef struct own_object {
    acre_aabb box;
    uint16_t kind;
} own_object;

void cull_own_objects(const program *p, const own_object *ecs, const uint32_t *all,
                      const uint16_t *kinds, uint32_t n);
void cull_own_objects(const program *p, const own_object *ecs, const uint32_t *all,
                      const uint16_t *kinds, uint32_t n)
{
    acre_culling *culling = NULL;
    acre_visible_set *set = p->set;
    acre_view view;
    must(acre_view_from_camera(&view, &p->camera));
#include "culling_7.inc"
    acre_culling_destroy(culling);
}
