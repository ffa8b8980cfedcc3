// SPDX-License-Identifier: MIT
// scene_oracle.c - the scene's oracle.
#include "scene_oracle.h"
#include "scene_shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Lists of slots.

static bool list_add(oracle_list *list, uint32_t slot)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        uint32_t *const grown = realloc(list->slots, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        list->slots = grown;
        list->capacity = capacity;
    }
    list->slots[list->count++] = slot;
    return true;
}

static int compare_slots(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool lists_equal(oracle_list *a, oracle_list *b)
{
    if (a->count != b->count) {
        return false;
    }
    if (a->count == 0) {
        return true;
    }
    qsort(a->slots, a->count, sizeof *a->slots, compare_slots);
    qsort(b->slots, b->count, sizeof *b->slots, compare_slots);
    return memcmp(a->slots, b->slots, a->count * sizeof *a->slots) == 0;
}

static oracle_entity *by_slot(scene_oracle *oracle, uint32_t slot)
{
    for (int i = oracle->count; i-- > 0;) {
        if (oracle->entities[i].is_alive && oracle->entities[i].handle.index1 == slot + 1) {
            return &oracle->entities[i];
        }
    }
    return NULL;
}

// Whether no entity of the list stands before its parent.
static bool list_is_ordered(scene_oracle *oracle, const uint32_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const oracle_entity *const entity = by_slot(oracle, slots[i]);
        const uint32_t parent =
            entity->parent < 0 ? 0 : oracle->entities[entity->parent].handle.index1;
        for (size_t k = i + 1; parent && k < count; k++) {
            if (slots[k] + 1 == parent) {
                return false;
            }
        }
    }
    return true;
}

static acre_result hear(void *user, const acre_scene *scene, const acre_scene_changes *changes)
{
    (void)scene;
    scene_oracle *const oracle = user;
    const uint32_t *const slots[4] = {changes->destroyed, changes->created, changes->moved,
                                      changes->relabeled};
    const size_t counts[4] = {changes->destroyed_count, changes->created_count,
                              changes->moved_count, changes->relabeled_count};
    oracle->order_holds = true;
    for (int kind = 0; kind < 4; kind++) {
        oracle->heard[kind].count = 0;
        for (size_t i = 0; i < counts[kind]; i++) {
            (void)list_add(&oracle->heard[kind], slots[kind][i]);
        }
        oracle->order_holds &= kind == 0 || list_is_ordered(oracle, slots[kind], counts[kind]);
    }
    return ACRE_OK;
}

bool scene_oracle_init(scene_oracle *oracle, const acre_scene_def *def, int limit, uint64_t seed)
{
    memset(oracle, 0, sizeof *oracle);
    oracle->random.state = seed;
    oracle->limit = limit;
    oracle->module = (acre_module){.name = "oracle", .commit = hear, .user = oracle};
    return acre_scene_create(def, &oracle->scene) == ACRE_OK &&
           acre_scene_attach(oracle->scene, &oracle->module) == ACRE_OK;
}

void scene_oracle_free(scene_oracle *oracle)
{
    acre_scene_destroy(oracle->scene);
    free(oracle->entities);
    for (int kind = 0; kind < 4; kind++) {
        free(oracle->heard[kind].slots);
        free(oracle->expected[kind].slots);
    }
}

oracle_entity *scene_oracle_pick(scene_oracle *oracle)
{
    for (int attempt = 0; oracle->count > 0; attempt++) {
        oracle_entity *const entity =
            &oracle->entities[random_below(&oracle->random, (uint32_t)oracle->count)];
        if (entity->is_alive || attempt == 30) {
            return entity;
        }
    }
    return NULL;
}

// Arithmetic, written as a textbook has it.

static void compose(const acre_transform *t, float *m)
{
    const float x = t->rotation[0], y = t->rotation[1], z = t->rotation[2], w = t->rotation[3];
    const float r[3][3] = {
        {1 - (y * (y + y) + z * (z + z)), x * (y + y) - w * (z + z), x * (z + z) + w * (y + y)},
        {x * (y + y) + w * (z + z), 1 - (x * (x + x) + z * (z + z)), y * (z + z) - w * (x + x)},
        {x * (z + z) - w * (y + y), y * (z + z) + w * (x + x), 1 - (x * (x + x) + y * (y + y))}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[4 * i + j] = r[i][j] * t->scale[j];
        }
        m[4 * i + 3] = t->translation[i];
    }
}

static void multiply(const float *a, const float *b, float *out)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            float sum = a[4 * i] * b[j];
            sum = sum + a[4 * i + 1] * b[4 + j];
            sum = sum + a[4 * i + 2] * b[8 + j];
            out[4 * i + j] = j == 3 ? sum + a[4 * i + 3] : sum;
        }
    }
}

// The eight corners through the matrix.
static void see_box(oracle_entity *entity)
{
    entity->sees_box = entity->has_box;
    entity->box_is_empty = !entity->has_box || acre_aabb_is_empty(&entity->box);
    for (int i = 0; i < 3 && entity->box_is_world; i++) {
        entity->low[i] = (double)entity->box.min[i];
        entity->high[i] = (double)entity->box.max[i];
        entity->slack[i] = 0.0;
    }
    for (int i = 0; i < 3 && !entity->box_is_empty && !entity->box_is_world; i++) {
        const float *const m = entity->world + (size_t)(4 * i);
        entity->low[i] = (double)INFINITY;
        entity->high[i] = -(double)INFINITY;
        entity->slack[i] = 0.0;
        for (int corner = 0; corner < 8; corner++) {
            double sum = (double)m[3], size = fabs((double)m[3]);
            for (int k = 0; k < 3; k++) {
                const float edge = corner >> k & 1 ? entity->box.max[k] : entity->box.min[k];
                sum += (double)m[k] * (double)edge;
                size += fabs((double)m[k] * (double)edge);
            }
            entity->low[i] = fmin(entity->low[i], sum);
            entity->high[i] = fmax(entity->high[i], sum);
            entity->slack[i] = fmax(entity->slack[i], 0x1p-48 * size);
        }
    }
}

static void see_world(scene_oracle *oracle, oracle_entity *entity)
{
    if (entity->parent < 0) {
        memcpy(entity->world, entity->local, sizeof entity->world);
    } else {
        multiply(oracle->entities[entity->parent].world, entity->local, entity->world);
    }
}

// Commit.

// The test may recurse: its hierarchies are shallow.
static void visit(scene_oracle *oracle, int index)
{
    oracle_entity *const entity = &oracle->entities[index];
    if (entity->is_visited) {
        return;
    }
    entity->is_visited = true;
    const oracle_entity *const parent =
        entity->parent < 0 ? NULL : &oracle->entities[entity->parent];
    if (parent) {
        visit(oracle, entity->parent);
    }
    const bool was_hidden = entity->is_hidden;
    entity->is_hidden = (entity->flags & ACRE_ENTITY_HIDDEN) || (parent && parent->is_hidden);
    const bool touched = entity->is_dirty || entity->is_toggled || !entity->is_published ||
                         entity->is_hidden != was_hidden || (parent && parent->is_computed);
    entity->is_computed = touched && (!entity->is_hidden || !entity->is_published);
    const bool is_boxed = entity->is_boxed && !entity->is_computed && !entity->is_hidden;
    entity->is_dirty = entity->is_toggled = entity->is_boxed = false;
    const uint32_t slot = entity->handle.index1 - 1;
    if (is_boxed) {
        see_box(entity);
        (void)list_add(&oracle->expected[2], slot);
    } else if (entity->is_computed) {
        see_world(oracle, entity);
        see_box(entity);
        (void)list_add(&oracle->expected[entity->is_published ? 2 : 1], slot);
    } else if (!entity->has_box || !entity->sees_box) {
        // Presence of a box is seen at once, the box of a hidden entity when it is shown.
        entity->sees_box = entity->has_box;
        entity->box_is_empty = true;
    }
    const uint32_t flags = entity->flags | (entity->is_hidden ? ACRE_ENTITY_HIDDEN : 0);
    if (entity->is_published &&
        (flags != entity->seen_flags || entity->layers != entity->seen_layers)) {
        (void)list_add(&oracle->expected[3], slot);
    }
    entity->seen_flags = flags;
    entity->seen_layers = entity->layers;
    entity->seen_user = entity->user;
}

const char *scene_oracle_commit(scene_oracle *oracle)
{
    for (int kind = 0; kind < 4; kind++) {
        oracle->expected[kind].count = 0;
    }
    for (int i = 0; i < oracle->count; i++) {
        oracle_entity *const entity = &oracle->entities[i];
        entity->is_visited = entity->is_computed = false;
        if (!entity->is_alive && entity->is_published) {
            entity->is_published = false;
            (void)list_add(&oracle->expected[0], entity->handle.index1 - 1);
        }
    }
    if (acre_scene_commit(oracle->scene) != ACRE_OK) {
        return "commit";
    }
    for (int i = 0; i < oracle->count; i++) {
        if (oracle->entities[i].is_alive) {
            visit(oracle, i);
        }
    }
    for (int i = 0; i < oracle->count; i++) {
        oracle->entities[i].is_published = oracle->entities[i].is_alive;
    }
    static const char *const names[4] = {"destroyed", "created", "moved", "relabeled"};
    for (int kind = 0; kind < 4; kind++) {
        if (!lists_equal(&oracle->heard[kind], &oracle->expected[kind])) {
            return names[kind];
        }
    }
    return oracle->order_holds ? NULL : "a list names a child before its parent";
}

// Edits.

static acre_transform random_transform(test_random *random)
{
    acre_transform t = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        t.translation[i] = random_float(random, -50, 50);
    }
    if (random_below(random, 2)) {
        float length = 0;
        for (int i = 0; i < 4; i++) {
            t.rotation[i] = random_float(random, -1, 1);
            length += t.rotation[i] * t.rotation[i];
        }
        length = sqrtf(length) + 1e-3f;
        for (int i = 0; i < 4; i++) {
            t.rotation[i] /= length;
        }
    }
    if (random_below(random, 4) == 0) {
        for (int i = 0; i < 3; i++) {
            t.scale[i] = random_below(random, 8) ? random_float(random, -1.5f, 1.5f) : 0.0f;
        }
    }
    return t;
}

static acre_aabb random_box(test_random *random)
{
    acre_aabb box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = random_float(random, -5, 5);
        box.max[i] = box.min[i] + (random_below(random, 6) ? random_float(random, 0, 10) : 0.0f);
    }
    return random_below(random, 12) ? box : acre_aabb_empty();
}

static oracle_entity *add_record(scene_oracle *oracle)
{
    if (oracle->count == oracle->capacity) {
        const int capacity = oracle->capacity ? 2 * oracle->capacity : 256;
        oracle_entity *const grown =
            realloc(oracle->entities, (size_t)capacity * sizeof *oracle->entities);
        if (!grown) {
            return NULL;
        }
        oracle->entities = grown;
        oracle->capacity = capacity;
    }
    oracle_entity *const entity = &oracle->entities[oracle->count++];
    memset(entity, 0, sizeof *entity);
    return entity;
}

static const char *edit_create(scene_oracle *oracle)
{
    test_random *const random = &oracle->random;
    const oracle_entity *const parent = random_below(random, 4) ? scene_oracle_pick(oracle) : NULL;
    const int parent_index = parent ? (int)(parent - oracle->entities) : -1;
    const acre_transform local = random_transform(random);
    const acre_aabb box = random_box(random);
    const bool has_box = random_below(random, 4) > 0;
    const acre_entity_def def = {
        .parent = parent ? parent->handle : (acre_entity){0, 0, 0},
        .local = &local,
        .bounds = has_box ? &box : NULL,
        .layers = random_below(random, 3) ? 0 : random_below(random, 8),
        .flags = random_below(random, 4) ? 0 : random_below(random, 8),
        .user = random_bits(random),
    };
    const acre_result expected = parent && !parent->is_alive ? ACRE_ERROR_STALE_HANDLE : ACRE_OK;
    acre_entity handle;
    if (acre_entity_create(oracle->scene, &def, &handle) != expected) {
        return "create";
    }
    if (expected != ACRE_OK) {
        return NULL;
    }
    oracle_entity *const entity = add_record(oracle);
    if (!entity) {
        return "memory of the test";
    }
    entity->handle = handle;
    entity->is_alive = true;
    entity->parent = parent_index;
    compose(&local, entity->local);
    entity->has_box = has_box;
    entity->box = box;
    entity->layers = def.layers ? def.layers : UINT32_MAX;
    entity->flags = def.flags;
    entity->user = def.user;
    oracle->living++;
    return NULL;
}

static bool is_below(const scene_oracle *oracle, int index, int ancestor)
{
    while (index >= 0 && index != ancestor) {
        index = oracle->entities[index].parent;
    }
    return index == ancestor;
}

static const char *edit_destroy(scene_oracle *oracle)
{
    oracle_entity *const top = scene_oracle_pick(oracle);
    const int index = (int)(top - oracle->entities);
    const acre_result expected = top->is_alive ? ACRE_OK : ACRE_ERROR_STALE_HANDLE;
    if (acre_entity_destroy(oracle->scene, top->handle) != expected) {
        return "destroy";
    }
    for (int i = 0; expected == ACRE_OK && i < oracle->count; i++) {
        if (oracle->entities[i].is_alive && is_below(oracle, i, index)) {
            oracle->entities[i].is_alive = false;
            oracle->living--;
        }
    }
    return NULL;
}

static const char *edit_parent(scene_oracle *oracle)
{
    oracle_entity *const entity = scene_oracle_pick(oracle);
    const oracle_entity *const parent =
        random_below(&oracle->random, 5) ? scene_oracle_pick(oracle) : NULL;
    const int index = (int)(entity - oracle->entities);
    const int parent_index = parent ? (int)(parent - oracle->entities) : -1;
    acre_result expected = ACRE_OK;
    if (!entity->is_alive || (parent && !parent->is_alive)) {
        expected = ACRE_ERROR_STALE_HANDLE;
    } else if (is_below(oracle, parent_index, index)) {
        expected = ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (acre_entity_set_parent(oracle->scene, entity->handle,
                               parent ? parent->handle : (acre_entity){0, 0, 0}) != expected) {
        return "set_parent";
    }
    if (expected == ACRE_OK && entity->parent != parent_index) {
        entity->parent = parent_index;
        entity->is_dirty = true;
    }
    return NULL;
}

static const char *edit_local(scene_oracle *oracle, oracle_entity *entity)
{
    test_random *const random = &oracle->random;
    const acre_transform local = random_transform(random);
    float rows[12];
    compose(&local, rows);
    acre_result result;
    if (random_below(random, 4)) {
        result = acre_entity_set_local(oracle->scene, entity->handle, &local);
    } else {
        float matrix[16] = {0};
        for (int i = 0; i < 12; i++) {
            rows[i] += random_float(random, -0.1f, 0.1f);
            matrix[4 * (i % 4) + i / 4] = rows[i];
        }
        matrix[15] = 1;
        result = acre_entity_set_local_matrix(oracle->scene, entity->handle, matrix);
    }
    if (result != (entity->is_alive ? ACRE_OK : ACRE_ERROR_STALE_HANDLE)) {
        return "set_local";
    }
    if (result == ACRE_OK) {
        memcpy(entity->local, rows, sizeof rows);
        entity->is_dirty = true;
    }
    return NULL;
}

static const char *edit_bounds(scene_oracle *oracle, oracle_entity *entity)
{
    const acre_aabb box = random_box(&oracle->random);
    const bool is_world = oracle->sets_worlds && random_below(&oracle->random, 2);
    const bool has_box = is_world || random_below(&oracle->random, 5) > 0;
    const acre_box_array row = {box.min, box.max, 0, 0, ACRE_BOX_FORM_MIN_MAX};
    const acre_result result =
        is_world ? acre_scene_set_world_bounds(oracle->scene, &entity->handle, &row, 1)
                 : acre_entity_set_bounds(oracle->scene, entity->handle, has_box ? &box : NULL);
    if (result != (entity->is_alive ? ACRE_OK : ACRE_ERROR_STALE_HANDLE)) {
        return "set_bounds";
    }
    if (result == ACRE_OK) {
        entity->has_box = has_box;
        entity->box = box;
        entity->box_is_world = is_world;
        entity->is_boxed |= is_world;
        entity->is_dirty |= !is_world;
    }
    return NULL;
}

static const char *edit_labels(scene_oracle *oracle, oracle_entity *entity)
{
    test_random *const random = &oracle->random;
    const uint32_t kind = random_below(random, 4);
    const uint32_t value = random_below(random, 8);
    acre_result result;
    if (kind == 0) {
        result = acre_entity_set_layers(oracle->scene, entity->handle, value);
    } else if (kind == 1) {
        result = acre_entity_set_user(oracle->scene, entity->handle, value);
    } else {
        result = acre_entity_set_flags(oracle->scene, entity->handle, value);
    }
    if (result != (entity->is_alive ? ACRE_OK : ACRE_ERROR_STALE_HANDLE)) {
        return "labels";
    }
    if (result != ACRE_OK) {
        return NULL;
    }
    if (kind == 0) {
        entity->layers = value ? value : UINT32_MAX;
    } else if (kind == 1) {
        entity->user = value;
    } else {
        entity->is_toggled |= ((entity->flags ^ value) & ACRE_ENTITY_HIDDEN) != 0;
        entity->flags = value;
    }
    return NULL;
}

// A world box that was set has moved: outward, by less than a float. The oracle takes it over.
static const char *take_shifted_box(scene_oracle *oracle, oracle_entity *entity,
                                    const double *offset)
{
    acre_aabb box;
    if (acre_entity_get_bounds(oracle->scene, entity->handle, &box) != ACRE_OK) {
        return "a world box is gone";
    }
    for (int i = 0; i < 3 && !acre_aabb_is_empty(&entity->box); i++) {
        const double low = (double)entity->box.min[i] + offset[i];
        const double high = (double)entity->box.max[i] + offset[i];
        const double slack = 0x1p-50 * (fabs(low) + fabs(high) + fabs(offset[i]));
        if (!((double)box.min[i] <= low + slack) || !((double)box.max[i] >= high - slack) ||
            !((double)nextafterf(box.min[i], INFINITY) > low - slack) ||
            !((double)nextafterf(box.max[i], -INFINITY) < high + slack)) {
            return "a shifted world box";
        }
    }
    if (acre_aabb_is_empty(&entity->box) != acre_aabb_is_empty(&box)) {
        return "an empty world box";
    }
    entity->box = box;
    return NULL;
}

// The world moves by a little, rarely by much, or back to where it was.
static const char *edit_shift(scene_oracle *oracle)
{
    test_random *const random = &oracle->random;
    const uint32_t kind = random_below(random, 8);
    const char *fault = NULL;
    double offset[3];
    for (int i = 0; i < 3; i++) {
        offset[i] = kind < 4   ? -oracle->away[i]
                    : kind < 7 ? 0.25 * random_below(random, 200) - 25.0
                               : (double)random_float(random, -1e6f, 1e6f) / 3.0;
        oracle->away[i] += offset[i];
    }
    if (acre_scene_shift_origin(oracle->scene, offset) != ACRE_OK) {
        return "shift";
    }
    for (int e = 0; e < oracle->count && !fault; e++) {
        oracle_entity *const entity = &oracle->entities[e];
        entity->is_dirty |= entity->is_alive;
        for (int i = 0; i < 3 && entity->parent < 0; i++) {
            float *const place = &entity->local[4 * i + 3];
            *place = (float)((double)*place + offset[i]);
        }
        if (entity->is_alive && entity->box_is_world) {
            fault = take_shifted_box(oracle, entity, offset);
        }
    }
    return fault;
}

const char *scene_oracle_edit(scene_oracle *oracle)
{
    if (oracle->shifts && random_below(&oracle->random, 50) == 0) {
        return edit_shift(oracle);
    }
    const uint32_t dice = random_below(&oracle->random, 100);
    const uint32_t birth = oracle->living < oracle->limit ? 25 : 8;
    if (oracle->count == 0 || dice < birth) {
        return edit_create(oracle);
    }
    if (dice < birth + 6) {
        return edit_destroy(oracle);
    }
    if (dice < birth + 20) {
        return edit_parent(oracle);
    }
    oracle_entity *const entity = scene_oracle_pick(oracle);
    if (dice < 75) {
        return edit_local(oracle, entity);
    }
    return dice < 85 ? edit_bounds(oracle, entity) : edit_labels(oracle, entity);
}

// Refresh.

void scene_oracle_boxed(scene_oracle *oracle, int index, const acre_aabb *box)
{
    oracle_entity *const entity = &oracle->entities[index];
    entity->has_box = entity->box_is_world = entity->is_boxed = true;
    entity->box = *box;
    if (entity->is_published) {
        see_box(entity);
    }
}

void scene_oracle_refreshed(scene_oracle *oracle, int index)
{
    for (int depth = 0, done = 0; done < oracle->count; depth++) {
        done = 0;
        for (int i = 0; i < oracle->count; i++) {
            oracle_entity *const entity = &oracle->entities[i];
            int own_depth = 0;
            for (int up = entity->parent; up >= 0; up = oracle->entities[up].parent) {
                own_depth++;
            }
            done += own_depth <= depth;
            if (own_depth != depth || !entity->is_alive ||
                !(is_below(oracle, i, index) || is_below(oracle, index, i))) {
                continue;
            }
            see_world(oracle, entity);
            if (entity->is_published) {
                see_box(entity);
            }
        }
    }
}

const char *scene_oracle_refresh(scene_oracle *oracle)
{
    oracle_entity *const entity = scene_oracle_pick(oracle);
    if (!entity) {
        return NULL;
    }
    const acre_result expected = !entity->is_alive       ? ACRE_ERROR_STALE_HANDLE
                                 : !entity->is_published ? ACRE_ERROR_NOT_COMMITTED
                                                         : ACRE_OK;
    size_t count;
    if (acre_scene_refresh(oracle->scene, entity->handle, NULL, 0, &count) != expected) {
        return "refresh";
    }
    if (expected == ACRE_OK) {
        scene_oracle_refreshed(oracle, (int)(entity - oracle->entities));
    }
    return NULL;
}

// Comparison.

// One unit in the last place outwards at most, and not inwards.
static bool box_matches(const oracle_entity *entity, const acre_aabb *box)
{
    if (entity->box_is_empty) {
        return acre_aabb_is_empty(box);
    }
    for (int i = 0; i < 3; i++) {
        const double slack = entity->slack[i];
        const double inner_min = (double)nextafterf(box->min[i], INFINITY);
        const double inner_max = (double)nextafterf(box->max[i], -INFINITY);
        if (!((double)box->min[i] <= entity->low[i] + slack) ||
            !(inner_min >= entity->low[i] - slack) ||
            !((double)box->max[i] >= entity->high[i] - slack) ||
            !(inner_max <= entity->high[i] + slack)) {
            return false;
        }
    }
    return true;
}

static const char *check_entity(const scene_oracle *oracle, const oracle_entity *entity)
{
    const acre_scene *const scene = oracle->scene;
    const acre_scene_view view = acre_scene_get_view(scene);
    const uint32_t slot = entity->handle.index1 - 1;
    float matrix[16];
    acre_aabb box;
    if (acre_entity_world_matrix(scene, entity->handle, matrix) != ACRE_OK) {
        return "a committed entity has no matrix";
    }
    for (int i = 0; i < 12; i++) {
        if (!(matrix[4 * (i % 4) + i / 4] == entity->world[i])) {
            return "world matrix";
        }
    }
    const acre_result expected = entity->sees_box ? ACRE_OK : ACRE_ERROR_NOT_FOUND;
    if (acre_entity_world_bounds(scene, entity->handle, &box) != expected ||
        !box_matches(entity, &view.world_bounds[slot]) ||
        (expected == ACRE_OK && memcmp(&box, &view.world_bounds[slot], sizeof box) != 0)) {
        return "world box";
    }
    return view.flags[slot] == entity->seen_flags && view.layers[slot] == entity->seen_layers &&
                   view.user[slot] == entity->seen_user
               ? NULL
               : "labels";
}

const char *scene_oracle_check(const scene_oracle *oracle)
{
    static char message[160];
    if (acre_scene_validate(oracle->scene, message, sizeof message) != ACRE_OK) {
        return message;
    }
    uint32_t published = 0;
    for (int i = 0; i < oracle->count; i++) {
        const oracle_entity *const entity = &oracle->entities[i];
        const acre_entity found = acre_scene_entity(oracle->scene, entity->handle.index1 - 1);
        const bool is_found =
            found.index1 == entity->handle.index1 && found.generation == entity->handle.generation;
        if (is_found != entity->is_published ||
            acre_entity_is_alive(oracle->scene, entity->handle) != entity->is_alive) {
            return "who is alive";
        }
        published += entity->is_published;
        const char *const fault = entity->is_published ? check_entity(oracle, entity) : NULL;
        if (fault) {
            return fault;
        }
    }
    const bool counts = acre_scene_get_view(oracle->scene).entity_count == published;
    return counts ? NULL : "entity_count";
}
