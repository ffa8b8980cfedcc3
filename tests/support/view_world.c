// SPDX-License-Identifier: MIT
// view_world.c - the edits of the world and the ways of its cameras.
#include "view_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Half a world's width. Calm ones are wide: what a camera sees of them turns slowly.
static float extent_of(const view_world_def *def)
{
    return def->is_calm ? 600.0f : 200.0f;
}

// ---- what the scene says ----

static world_entity *living(view_world *world, uint32_t slot)
{
    for (int i = 0; i < world->count; i++) {
        if (world->entities[i].is_alive && world->entities[i].handle.index1 == slot + 1) {
            return &world->entities[i];
        }
    }
    return NULL;
}

static acre_result hear(void *user, const acre_scene *scene, const acre_scene_changes *changes)
{
    view_world *const world = user;
    (void)scene;
    for (size_t i = 0; i < changes->created_count; i++) {
        world_entity *const entity = living(world, changes->created[i]);
        if (entity) {
            entity->was_created = true;
        }
    }
    for (size_t i = 0; i < changes->moved_count; i++) {
        world_entity *const entity = living(world, changes->moved[i]);
        if (entity) {
            entity->was_moved = true;
        }
    }
    return ACRE_OK;
}

static bool has_world_box(const view_world *world, const world_entity *entity)
{
    acre_aabb box;
    return acre_entity_world_bounds(world->scene, entity->handle, &box) == ACRE_OK;
}

static void register_if_all(view_world *world, world_entity *entity)
{
    if (world->def.register_all && entity->is_published && !entity->is_excluded &&
        (has_world_box(world, entity) || (entity->seen_flags & ACRE_ENTITY_NEVER_CULL))) {
        entity->is_registered = true;
    }
}

view_subject view_world_subject(const view_world *world, const world_entity *entity)
{
    const acre_scene_view view = acre_scene_get_view(world->scene);
    const uint32_t slot = entity->handle.index1 - 1;
    view_subject subject = {.is_registered = entity->is_registered,
                            .is_committed = entity->is_published,
                            .is_left_out = world->def.register_all && entity->is_published &&
                                           !entity->is_excluded && !has_world_box(world, entity),
                            .box = acre_aabb_empty()};
    if (entity->is_published) {
        subject.is_hidden = (view.flags[slot] & ACRE_ENTITY_HIDDEN) != 0;
        subject.is_never_cull = (view.flags[slot] & ACRE_ENTITY_NEVER_CULL) != 0;
        subject.layers = view.layers[slot];
        subject.box = view.world_bounds[slot];
    }
    if (entity->rule > 0 && entity->rule <= world->rule_count) {
        subject.rule = &world->rules[entity->rule - 1];
    }
    return subject;
}

// ---- edits ----

static world_entity *pick(view_world *world)
{
    for (int i = 0; i < 20; i++) {
        world_entity *const entity =
            &world->entities[random_below(&world->random, (uint32_t)world->count)];
        if (entity->is_alive) {
            return entity;
        }
    }
    return NULL;
}

// In a calm world nothing static hangs under what moves.
static world_entity *pick_parent(view_world *world)
{
    world_entity *const parent = pick(world);
    return parent && world->def.is_calm && !(parent->flags & ACRE_ENTITY_STATIC) ? NULL : parent;
}

static bool is_below(const view_world *world, int index, int ancestor)
{
    while (index >= 0 && index != ancestor) {
        index = world->entities[index].parent;
    }
    return index == ancestor;
}

static acre_aabb random_bounds(view_world *world)
{
    test_random *const random = &world->random;
    acre_aabb box;
    const uint32_t kind = world->def.is_calm ? 99 : random_below(random, 100);
    const float size = kind < 1 ? 3000.0f : kind < 8 ? 60.0f : 6.0f;
    for (int i = 0; i < 3; i++) {
        box.min[i] = -random_float(random, 0, size);
        box.max[i] = random_float(random, 0, size);
        if (kind == 8) { // a point
            box.min[i] = box.max[i] = 0.0f;
        } else if (kind == 9) {
            box.max[i] = i == 1 ? INFINITY : box.max[i];
        }
    }
    return kind == 10 ? acre_aabb_empty() : box;
}

static acre_transform random_local(view_world *world, bool is_root)
{
    test_random *const random = &world->random;
    const float reach = is_root ? extent_of(&world->def) : 15.0f;
    const float angle = random_float(random, -3.1f, 3.1f);
    acre_transform local = {{0, 0, 0}, {0, sinf(angle), 0, cosf(angle)}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        local.translation[i] = random_float(random, -reach, reach) * (i == 1 ? 0.1f : 1.0f);
        local.translation[i] += is_root ? world->def.offset : 0.0f;
        local.scale[i] = random_below(random, 8) ? 1.0f : random_float(random, 0.3f, 3.0f);
    }
    return local;
}

static uint32_t random_flags(test_random *random)
{
    return (random_below(random, 10) < 7 ? ACRE_ENTITY_STATIC : 0u) |
           (random_below(random, 20) == 0 ? ACRE_ENTITY_HIDDEN : 0u) |
           (random_below(random, 40) == 0 ? ACRE_ENTITY_NEVER_CULL : 0u);
}

static const char *create(view_world *world)
{
    test_random *const random = &world->random;
    int index = 0;
    while (index < world->count &&
           (world->entities[index].is_alive || world->entities[index].is_published)) {
        index++;
    }
    if (index == world->def.entities) {
        return NULL;
    }
    const world_entity *const parent =
        world->count > 0 && random_below(random, 3) == 0 ? pick_parent(world) : NULL;
    world_entity made = {.parent = parent ? (int)(parent - world->entities) : -1,
                         .is_alive = true,
                         .local = random_local(world, !parent),
                         .flags = random_flags(random)};
    const acre_aabb bounds = random_bounds(world);
    const acre_entity_def def = {
        .parent = parent ? parent->handle : (acre_entity){0, 0, 0},
        .local = &made.local,
        .bounds = random_below(random, 30) ? &bounds : NULL,
        .layers = random_below(random, 3) ? 0 : 1u << random_below(random, 4),
        .flags = made.flags,
    };
    if (acre_entity_create(world->scene, &def, &made.handle) != ACRE_OK) {
        return "create";
    }
    world->entities[index] = made;
    world->count = index == world->count ? index + 1 : world->count;
    return NULL;
}

static const char *destroy(view_world *world, world_entity *entity)
{
    const int index = (int)(entity - world->entities);
    if (acre_entity_destroy(world->scene, entity->handle) != ACRE_OK) {
        return "destroy";
    }
    for (int i = 0; i < world->count; i++) {
        if (world->entities[i].is_alive && is_below(world, i, index)) {
            world->entities[i].is_alive = false;
        }
    }
    return NULL;
}

static const char *set_parent(view_world *world, world_entity *entity)
{
    const world_entity *const parent = random_below(&world->random, 3) ? pick_parent(world) : NULL;
    const acre_result result = acre_entity_set_parent(
        world->scene, entity->handle, parent ? parent->handle : (acre_entity){0, 0, 0});
    if (result == ACRE_OK && entity->parent != (parent ? (int)(parent - world->entities) : -1)) {
        entity->parent = parent ? (int)(parent - world->entities) : -1;
    }
    return result == ACRE_OK || result == ACRE_ERROR_INVALID_ARGUMENT ? NULL : "set_parent";
}

static const char *set_flags(view_world *world, world_entity *entity)
{
    const uint32_t flags = random_flags(&world->random);
    const uint32_t kept = world->def.is_calm ? ACRE_ENTITY_STATIC : 0u;
    entity->flags = (flags & ~kept) | (entity->flags & kept);
    return acre_entity_set_flags(world->scene, entity->handle, entity->flags) == ACRE_OK
               ? NULL
               : "set_flags";
}

static const char *set_bounds(view_world *world, world_entity *entity)
{
    const acre_aabb box = random_bounds(world);
    const acre_aabb *const given = random_below(&world->random, 8) ? &box : NULL;
    return acre_entity_set_bounds(world->scene, entity->handle, given) == ACRE_OK ? NULL
                                                                                  : "set_bounds";
}

static const char *set_local(view_world *world, world_entity *entity)
{
    entity->local = random_local(world, entity->parent < 0);
    return acre_entity_set_local(world->scene, entity->handle, &entity->local) == ACRE_OK
               ? NULL
               : "set_local";
}

// A step of an entity that moves every frame.
static const char *step(view_world *world, world_entity *entity)
{
    for (int i = 0; i < 3; i++) {
        entity->local.translation[i] += random_float(&world->random, -0.5f, 0.5f);
    }
    return acre_entity_set_local(world->scene, entity->handle, &entity->local) == ACRE_OK ? NULL
                                                                                          : "step";
}

static const char *edit(view_world *world)
{
    world_entity *const entity = pick(world);
    const uint32_t dice = random_below(&world->random, 100);
    world->has_pending = true;
    if (!entity || dice < 22) {
        return create(world);
    }
    if (dice < 38) {
        return destroy(world, entity);
    }
    if (dice < 50) {
        return set_flags(world, entity);
    }
    if (dice < 60) {
        const uint32_t layers = random_below(&world->random, 8);
        return acre_entity_set_layers(world->scene, entity->handle, layers) == ACRE_OK
                   ? NULL
                   : "set_layers";
    }
    return dice < 70   ? set_bounds(world, entity)
           : dice < 76 ? set_parent(world, entity)
                       : set_local(world, entity);
}

// ---- calls of the culler ----

static const char *refresh(view_world *world, world_entity *entity)
{
    const int index = (int)(entity - world->entities);
    const acre_result expected = entity->is_published ? ACRE_OK : ACRE_ERROR_NOT_COMMITTED;
    if (acre_culling_refresh(world->culling, entity->handle) != expected) {
        return "refresh";
    }
    const acre_scene_view view = acre_scene_get_view(world->scene);
    for (int i = 0; expected == ACRE_OK && i < world->count; i++) {
        world_entity *const other = &world->entities[i];
        if (!other->is_alive || !other->is_published) {
            continue;
        }
        const bool is_empty = acre_aabb_is_empty(&view.world_bounds[other->handle.index1 - 1]);
        if (is_below(world, i, index) || (is_below(world, index, i) && !is_empty)) {
            register_if_all(world, other);
        }
    }
    return NULL;
}

static const char *refresh_bounds(view_world *world, world_entity *entity)
{
    acre_aabb box = random_bounds(world);
    for (int i = 0; i < 3 && !acre_aabb_is_empty(&box); i++) {
        const float at = world->def.offset + random_float(&world->random, -200, 200);
        box.min[i] += at;
        box.max[i] += at;
    }
    const acre_result expected = !entity->is_registered     ? ACRE_ERROR_NOT_FOUND
                                 : acre_aabb_is_empty(&box) ? ACRE_ERROR_INVALID_ARGUMENT
                                                            : ACRE_OK;
    const acre_result result = acre_culling_refresh_bounds(world->culling, entity->handle, &box);
    acre_aabb kept = box;
    const bool is_kept =
        result != ACRE_OK || !entity->is_published ||
        (acre_entity_world_bounds(world->scene, entity->handle, &kept) == ACRE_OK &&
         memcmp(&kept, &box, sizeof box) == 0);
    return result == expected && is_kept ? NULL : "refresh_bounds";
}

static const char *set_registered(view_world *world, world_entity *entity, bool registers)
{
    const acre_result expected = entity->is_registered != registers ? ACRE_OK
                                 : registers                        ? ACRE_ERROR_EXISTS
                                                                    : ACRE_ERROR_NOT_FOUND;
    const acre_result result = registers ? acre_culling_register(world->culling, entity->handle)
                                         : acre_culling_unregister(world->culling, entity->handle);
    if (result == ACRE_OK) {
        entity->is_registered = registers;
        entity->is_excluded = !registers;
    }
    return result == expected ? NULL : "register";
}

static const char *set_rules(view_world *world)
{
    acre_visibility_rule rules[VIEW_WORLD_RULES];
    const uint32_t count = random_below(&world->random, VIEW_WORLD_RULES + 1);
    for (uint32_t i = 0; i < count; i++) {
        rules[i] = view_oracle_random_rule(&world->random);
    }
    if (acre_culling_set_rules(world->culling, rules, count) != ACRE_OK) {
        return "set_rules";
    }
    memcpy(world->rules, rules, count * sizeof rules[0]);
    world->rule_count = count;
    return NULL;
}

static const char *set_rule(view_world *world, world_entity *entity)
{
    entity->rule = random_below(&world->random, VIEW_WORLD_RULES + 3);
    return acre_culling_set_rule(world->culling, entity->handle, entity->rule) == ACRE_OK &&
                   acre_culling_get_rule(world->culling, entity->handle) == entity->rule
               ? NULL
               : "set_rule";
}

static const char *poke(view_world *world)
{
    world_entity *const entity = pick(world);
    const uint32_t dice = random_below(&world->random, 100);
    world->touched++;
    if (!entity) {
        return NULL;
    }
    if (dice < 12) {
        return refresh(world, entity);
    }
    if (dice < 30) {
        return refresh_bounds(world, entity);
    }
    if (dice < 60) {
        return set_registered(world, entity, dice < 48);
    }
    if (dice < 90) {
        return set_rule(world, entity);
    }
    if (dice < 94) {
        return acre_culling_optimize(world->culling) == ACRE_OK ? NULL : "optimize";
    }
    return set_rules(world);
}

static const char *commit(view_world *world)
{
    for (int i = 0; i < world->count; i++) {
        world_entity *const entity = &world->entities[i];
        entity->was_created = entity->was_moved = false;
        if (!entity->is_alive) {
            *entity = (world_entity){0};
        }
    }
    world->touched++;
    if (acre_scene_commit(world->scene) != ACRE_OK) {
        return "commit";
    }
    for (int i = 0; i < world->count; i++) {
        world_entity *const entity = &world->entities[i];
        if (!entity->is_alive) {
            continue;
        }
        entity->is_published = true;
        entity->seen_flags = entity->flags;
        register_if_all(world, entity);
    }
    world->has_pending = false;
    return NULL;
}

static const char *run_edits(view_world *world, uint32_t count)
{
    const char *fault = NULL;
    for (uint32_t i = 0; i < count && !fault; i++) {
        fault = edit(world);
    }
    return fault;
}

static const char *move_some(view_world *world)
{
    const char *fault = NULL;
    for (int i = 0; i < world->count && !fault; i++) {
        world_entity *const entity = &world->entities[i];
        if (entity->is_alive && !(entity->flags & ACRE_ENTITY_STATIC) &&
            random_below(&world->random, 4) > 0) {
            world->has_pending = true;
            fault = step(world, entity);
        }
    }
    return fault;
}

const char *view_world_frame(view_world *world)
{
    test_random *const random = &world->random;
    const uint32_t mood = random_below(random, world->def.is_calm ? 240 : 100);
    const char *fault = NULL;
    if (mood < 8) {
        return NULL; // nobody does anything
    }
    if (mood < 12) {
        return commit(world);
    }
    if (mood < 17) { // a call of the culler alone
        return poke(world);
    }
    if (mood < 26) {
        fault = run_edits(world, 1 + random_below(random, 30));
    } else if (mood < 45) {
        fault = run_edits(world, 1 + random_below(random, 2));
    }
    if (!fault && mood > 20) {
        fault = move_some(world);
    }
    fault = fault ? fault : commit(world);
    const uint32_t pokes = mood < 26 ? random_below(random, 12) : mood < 60 ? 1 : 0;
    for (uint32_t i = 0; i < pokes && !fault; i++) {
        fault = poke(world);
    }
    // Edits that are recorded while others ask about the last commit.
    return fault || mood % 8 ? fault : run_edits(world, 2);
}

bool view_world_create(view_world *world, const view_world_def *def)
{
    memset(world, 0, sizeof *world);
    world->def = *def;
    world->random.state = def->seed;
    world->module = (acre_module){.name = "world", .commit = hear, .user = world};
    world->entities = calloc((size_t)def->entities, sizeof *world->entities);
    const acre_culling_def culling = {
        .register_all = def->register_all,
        .tree = {.half_size = 256, .node_capacity = 8, .allocator = def->allocator}};
    if (!world->entities ||
        acre_scene_create(&(acre_scene_def){.scene = def->scene}, &world->scene) != ACRE_OK ||
        acre_scene_attach(world->scene, &world->module) != ACRE_OK ||
        acre_culling_create(world->scene, &culling, &world->culling) != ACRE_OK) {
        return false;
    }
    bool is_good = set_rules(world) == NULL;
    for (int i = 0; i < def->entities * 3 / 4 && is_good; i++) {
        is_good = create(world) == NULL;
    }
    is_good = is_good && commit(world) == NULL;
    for (int i = 0; i < world->count && is_good; i++) {
        if (!def->register_all && i % 8 > 0) {
            is_good = set_registered(world, &world->entities[i], true) == NULL;
        }
        if (random_below(&world->random, 2)) {
            is_good = is_good && set_rule(world, &world->entities[i]) == NULL;
        }
    }
    return is_good;
}

void view_world_destroy(view_world *world)
{
    acre_culling_destroy(world->culling);
    acre_scene_destroy(world->scene);
    free(world->entities);
}

// ---- cameras ----

// Planes around a ball, of lengths of their own.
static void random_volume(test_random *random, const float *middle, float radius, uint32_t planes,
                          acre_frustum *out)
{
    out->plane_count = planes;
    for (uint32_t i = 0; i < planes; i++) {
        float n[3], length = 0.0f, along = 0.0f;
        do {
            length = 0.0f;
            for (int k = 0; k < 3; k++) {
                n[k] = random_float(random, -1, 1);
                length += n[k] * n[k];
            }
        } while (length < 0.01f);
        const float factor = (random_below(random, 4) ? 1.0f : 50.0f) / sqrtf(length);
        for (int k = 0; k < 3; k++) {
            out->planes[i][k] = n[k] * factor;
            along += n[k] * factor * middle[k];
        }
        out->planes[i][3] = radius * factor - along;
    }
}

static void random_place(test_random *random, const view_world *world, float *place)
{
    const float extent = extent_of(&world->def);
    for (int i = 0; i < 3; i++) {
        place[i] = random_float(random, -extent, extent) * (i == 1 ? 0.2f : 1.0f);
        place[i] += world->def.offset;
    }
}

static void remake_volumes(view_rig *rig, const view_world *world)
{
    test_random *const random = &rig->random;
    float middle[3];
    rig->view.include = rig->view.exclude = NULL;
    if (random_below(random, 3) == 0) {
        random_place(random, world, middle);
        random_volume(random, middle, random_float(random, 20, 150),
                      random_below(random, ACRE_FRUSTUM_MAX_PLANES + 1), &rig->include);
        rig->view.include = &rig->include;
    }
    if (random_below(random, world->def.is_calm ? 12 : 3) == 0) {
        random_place(random, world, middle);
        random_volume(random, middle, random_float(random, 20, 150),
                      1 + random_below(random, ACRE_FRUSTUM_MAX_PLANES), &rig->exclude);
        rig->view.exclude = &rig->exclude;
    }
    if (random_below(random, 2)) {
        rig->view.flags |= ACRE_VIEW_EXCLUDE_TOUCHING;
    }
}

void view_rig_remake(view_rig *rig, const view_world *world)
{
    test_random *const random = &rig->random;
    rig->view = (acre_view){0};
    if (world->def.is_calm && random_below(random, 3) > 0) {
        rig->view.flags = ACRE_VIEW_IGNORE_RULES; // volumes alone
    } else if (random_below(random, 4)) {
        view_oracle_random_limits(random, &rig->view);
    }
    rig->view.layers = random_below(random, 3) ? 0 : random_below(random, 16);
    remake_volumes(rig, world);
    random_place(random, world, rig->eye);
    rig->yaw = random_float(random, -3.1f, 3.1f);
    rig->pitch = random_float(random, -0.8f, 0.8f);
    rig->fov = random_float(random, 0.4f, 1.8f);
    rig->width = random_float(random, 30, 200);
    rig->is_orthographic = random_below(random, 4) == 0;
    rig->plane_scale = random_below(random, 3) ? 1.0f : powf(10.0f, random_float(random, -3, 3));
    rig->has_nan = random_below(random, 10) == 0;
    rig->shape = random_below(random, world->def.is_calm ? 30 : 12);
    rig->pace = world->def.is_calm ? 0.02f : 1.0f;
}

enum { STYLE_STILL, STYLE_TURN, STYLE_STEP, STYLE_ZOOM, STYLE_BOTH, STYLE_LIMITS, STYLE_COUNT };

// Turns of 0.001 to 1 degrees, steps of 10 cm to 2 m; in calm worlds a fiftieth of these.
static float small(test_random *random, float least, float most)
{
    return least * powf(most / least, random_float(random, 0, 1));
}

static void wander(view_rig *rig)
{
    test_random *const random = &rig->random;
    const float turn = rig->pace * small(random, 1.7e-5f, 1.7e-2f);
    const float way = rig->pace * small(random, 0.1f, 2.0f);
    if (random_below(random, 5) == 0) {
        rig->sign = -rig->sign;
    }
    if (rig->style == STYLE_TURN || rig->style == STYLE_BOTH) {
        rig->yaw += rig->sign * turn;
        rig->pitch += rig->sign * 0.3f * turn;
        rig->pitch = fminf(fmaxf(rig->pitch, -1.4f), 1.4f);
    }
    if (rig->style == STYLE_STEP || rig->style == STYLE_BOTH) {
        rig->eye[random_below(random, 3)] += rig->sign * way;
        rig->eye[random_below(random, 3)] -= rig->sign * 0.5f * way;
    }
    if (rig->style == STYLE_ZOOM) {
        const float factor = 1.0f + rig->sign * turn;
        rig->fov = fminf(fmaxf(rig->fov * factor, 0.1f), 2.5f);
        rig->width *= factor;
    }
    if (rig->style == STYLE_LIMITS) {
        rig->view.max_distance *= 1.0f + rig->sign * turn;
        rig->view.min_distance *= 1.0f - rig->sign * turn;
        rig->view.min_pixels *= 1.0f - rig->sign * turn;
        rig->view.lod_scale *= 1.0f + rig->sign * turn;
    }
}

static acre_camera camera_of(const view_rig *rig)
{
    static const acre_clip clips[3] = {ACRE_CLIP_NEGATIVE_ONE_TO_ONE, ACRE_CLIP_ZERO_TO_ONE,
                                       ACRE_CLIP_REVERSED_ZERO_TO_ONE};
    const float up[3] = {0, 1, 0};
    // Far enough for floats to tell both points apart, however far the world is from its origin.
    const float reach = 1.0f + 0.01f * fabsf(rig->eye[0]);
    const float target[3] = {rig->eye[0] + reach * sinf(rig->yaw) * cosf(rig->pitch),
                             rig->eye[1] + reach * sinf(rig->pitch),
                             rig->eye[2] - reach * cosf(rig->yaw) * cosf(rig->pitch)};
    acre_camera camera = {.layers = rig->view.layers};
    const acre_clip clip = clips[rig->shape % 3];
    ACRE_IGNORE(
        rig->is_orthographic
            ? acre_camera_orthographic(&camera, rig->width, 0.6f * rig->width, -50.0f, 300.0f, clip)
            : acre_camera_perspective(&camera, rig->fov, 1.6f, 0.2f,
                                      rig->shape % 2 ? INFINITY : 400.0f, clip));
    EXPECT(acre_camera_look_at(&camera, rig->eye, target, up) == ACRE_OK);
    return camera;
}

// Planes as cameras make them, longer or shorter, behind others, one of them without a direction.
static void bend_planes(view_rig *rig)
{
    acre_frustum *const frustum = &rig->view.frustum;
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        for (int k = 0; k < 4; k++) {
            frustum->planes[i][k] *= rig->plane_scale;
        }
    }
    if (rig->shape == 4) { // the world's ground and sky, without a camera
        frustum->plane_count = 2;
        memcpy(frustum->planes[0], (float[4]){0, 1, 0, 5.0f - rig->eye[1]}, 16);
        memcpy(frustum->planes[1], (float[4]){0, -2, 0, 40.0f + 2.0f * rig->eye[1]}, 16);
    } else if (rig->shape == 5) { // all sixteen
        while (frustum->plane_count < ACRE_FRUSTUM_MAX_PLANES) {
            const uint32_t i = frustum->plane_count++;
            memcpy(frustum->planes[i], frustum->planes[i % 5], 16);
            frustum->planes[i][3] += 0.25f * (float)i;
        }
    } else if (rig->shape == 6) {
        frustum->plane_count = 0;
    } else if (rig->shape == 7) {
        memcpy(frustum->planes[1], (float[4]){0, 0, 0, 1}, 16); // hides nothing
    }
    if (rig->has_nan && frustum->plane_count > 2) {
        frustum->planes[2][rig->shape % 4] = NAN;
    }
}

void view_rig_move(view_rig *rig, const view_world *world)
{
    test_random *const random = &rig->random;
    if (rig->frames_left == 0) {
        rig->frames_left = 3 + random_below(random, 40);
        rig->style = random_below(random, STYLE_COUNT);
        rig->sign = random_below(random, 2) ? 1.0f : -1.0f;
        if (rig->fov == 0.0f || random_below(random, 3) == 0) {
            view_rig_remake(rig, world);
        } else if (random_below(random, 4) == 0) {
            random_place(random, world, rig->eye); // a jump
        }
    }
    rig->frames_left--;
    wander(rig);
    const acre_camera camera = camera_of(rig);
    acre_view of_camera;
    ACRE_IGNORE(acre_view_from_camera(&of_camera, &camera));
    rig->view.frustum = of_camera.frustum;
    memcpy(rig->view.eye, rig->shape == 8 ? rig->eye : of_camera.eye, sizeof rig->view.eye);
    if (rig->view.pixels > 0.0f) {
        ACRE_IGNORE(acre_view_set_viewport(&rig->view, &camera, 720.0f));
    }
    bend_planes(rig);
}

bool view_rig_create(view_rig *rig, uint64_t seed, uint32_t flags, const acre_allocator *allocator)
{
    memset(rig, 0, sizeof *rig);
    rig->flags = flags;
    rig->random.state = seed;
    rig->sign = 1.0f;
    return acre_visible_set_create(&(acre_visible_set_def){.flags = flags, .allocator = allocator},
                                   &rig->set) == ACRE_OK;
}

void view_rig_destroy(view_rig *rig)
{
    acre_visible_set_destroy(rig->set);
    free(rig->past);
}

void view_rig_clear(view_rig *rig)
{
    acre_visible_set_clear(rig->set);
    if (rig->past_capacity > 0) {
        memset(rig->past, 0, rig->past_capacity * sizeof *rig->past);
    }
    rig->has_memory = rig->is_frozen = false;
    rig->culling = NULL;
}
