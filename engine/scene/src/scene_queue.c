// SPDX-License-Identifier: MIT
// scene_queue.c - queues of edits: a record for each edit, and columns for what it brings along.
//
// A ticket is a handle of generation 0, which no entity has. Its other fields are a serial number:
// each create of the process has its own, so that a ticket of another queue, or of an earlier
// recording of the same one, is never taken for a newer one.
#include <acre/edit_queue.h>

#include "atomic_internal.h"
#include "scene_internal.h"

typedef enum edit_kind {
    EDIT_CREATE,
    EDIT_DESTROY,
    EDIT_SET_LOCAL,
    EDIT_SET_PARENT,
    EDIT_SET_BOUNDS,
    EDIT_SET_FLAGS,
    EDIT_SET_LAYERS
} edit_kind;

#define NOT_GIVEN UINT32_MAX
#define SERIALS_AT_ONCE 4096

typedef struct edit_record {
    edit_kind kind;
    acre_entity entity;
    acre_entity parent; // of EDIT_SET_PARENT
    uint32_t value;     // flags or layers; position of the transform, box or create; or NOT_GIVEN
} edit_record;

// The transform and the box of a create are in the columns, at these positions, or NOT_GIVEN.
typedef struct edit_create {
    acre_entity_def def; // without pointers
    uint32_t local;
    uint32_t bounds;
} edit_create;

struct acre_edit_queue {
    acre_allocator allocator;
    bool is_applied; // the next recording begins anew
    size_t edit_count;
    size_t create_count;
    size_t local_count;
    size_t box_count;
    COLUMN_OF(edit_record) edits;
    uint64_t next_serial, serials_left; // of those that the queue has taken
    COLUMN_OF(edit_create) creates;
    COLUMN_OF(uint64_t) serials;    // of the creates; they ascend
    COLUMN_OF(acre_entity) handles; // of the creates, once they are applied
    COLUMN_OF(acre_transform) locals;
    COLUMN_OF(acre_aabb) boxes;
};

acre_result acre_edit_queue_create(const acre_allocator *allocator, acre_edit_queue **out)
{
    if (!out) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    *out = acre_object_make(allocator, sizeof **out);
    return *out ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
}

static void visit_queue(column_visitor *visitor, void *object)
{
    acre_edit_queue *const queue = object;
    COLUMN_VISIT(visitor, queue->edits);
    COLUMN_VISIT(visitor, queue->creates);
    COLUMN_VISIT(visitor, queue->serials);
    COLUMN_VISIT(visitor, queue->handles);
    COLUMN_VISIT(visitor, queue->locals);
    COLUMN_VISIT(visitor, queue->boxes);
}

void acre_edit_queue_destroy(acre_edit_queue *queue)
{
    acre_object_free(queue, sizeof *queue, visit_queue);
}

// ---- recording ----

// Begins anew after the queue was applied; then there is room, for something was recorded before.
// @return whether there is room for one more of each.
static bool begin_recording(acre_edit_queue *queue)
{
    if (queue->is_applied) {
        queue->is_applied = false;
        queue->edit_count = queue->create_count = queue->local_count = queue->box_count = 0;
    }
    const acre_allocator *const own = &queue->allocator;
    return queue->edit_count < NOT_GIVEN &&
           COLUMN_RESERVE(own, queue->edits, queue->edit_count + 1) &&
           COLUMN_RESERVE(own, queue->creates, queue->create_count + 1) &&
           COLUMN_RESERVE(own, queue->serials, queue->create_count + 1) &&
           COLUMN_RESERVE(own, queue->handles, queue->create_count + 1) &&
           COLUMN_RESERVE(own, queue->locals, queue->local_count + 1) &&
           COLUMN_RESERVE(own, queue->boxes, queue->box_count + 1);
}

static void add_edit(acre_edit_queue *queue, edit_record edit)
{
    *COLUMN_AT(queue->edits, queue->edit_count++) = edit;
}

static uint32_t add_local(acre_edit_queue *queue, const acre_transform *local)
{
    if (!local) {
        return NOT_GIVEN;
    }
    *COLUMN_AT(queue->locals, queue->local_count) = *local;
    return (uint32_t)queue->local_count++;
}

static uint32_t add_box(acre_edit_queue *queue, const acre_aabb *box)
{
    if (!box) {
        return NOT_GIVEN;
    }
    *COLUMN_AT(queue->boxes, queue->box_count) = *box;
    return (uint32_t)queue->box_count++;
}

// Queues take serial numbers many at a time: threads that record meet seldom.
static uint64_t take_serial(acre_edit_queue *queue)
{
    static uint64_t untaken;
    if (queue->serials_left == 0) {
        queue->serials_left = SERIALS_AT_ONCE;
        queue->next_serial = atomic_read_long_relaxed(&untaken);
        while (!atomic_replace_long_relaxed(&untaken, &queue->next_serial,
                                            queue->next_serial + SERIALS_AT_ONCE)) {
        }
    }
    queue->serials_left--;
    return queue->next_serial++;
}

// Nearly 2^48 serial numbers, 8 years of a million creates a second; index1 is not 0.
static acre_entity ticket_of(uint64_t serial)
{
    ACRE_ASSERT(serial / UINT32_MAX <= UINT16_MAX);
    return (acre_entity){(uint32_t)(serial % UINT32_MAX) + 1, (uint16_t)(serial / UINT32_MAX), 0};
}

acre_result acre_edit_queue_create_entity(acre_edit_queue *queue, const acre_entity_def *def,
                                          acre_entity *ticket)
{
    if (ticket) {
        *ticket = (acre_entity){0, 0, 0};
    }
    if (!queue || !ticket) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_recording(queue)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    edit_create create = {.local = NOT_GIVEN, .bounds = NOT_GIVEN};
    if (def) {
        create = (edit_create){*def, add_local(queue, def->local), add_box(queue, def->bounds)};
        create.def.local = NULL;
        create.def.bounds = NULL;
    }
    const uint32_t number = (uint32_t)queue->create_count++;
    *COLUMN_AT(queue->creates, number) = create;
    *COLUMN_AT(queue->handles, number) = (acre_entity){0, 0, 0};
    *COLUMN_AT(queue->serials, number) = take_serial(queue);
    *ticket = ticket_of(*COLUMN_AT(queue->serials, number));
    add_edit(queue, (edit_record){.kind = EDIT_CREATE, .entity = *ticket, .value = number});
    return ACRE_OK;
}

// Records an edit; where it brings a transform or a box along, its value says where that is.
static acre_result record_edit(acre_edit_queue *queue, edit_record edit,
                               const acre_transform *local, const acre_aabb *box)
{
    if (!queue) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!begin_recording(queue)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    if (edit.kind == EDIT_SET_LOCAL) {
        edit.value = add_local(queue, local);
    } else if (edit.kind == EDIT_SET_BOUNDS) {
        edit.value = add_box(queue, box);
    }
    add_edit(queue, edit);
    return ACRE_OK;
}

acre_result acre_edit_queue_destroy_entity(acre_edit_queue *queue, acre_entity entity)
{
    const edit_record edit = {.kind = EDIT_DESTROY, .entity = entity};
    return record_edit(queue, edit, NULL, NULL);
}

acre_result acre_edit_queue_set_local(acre_edit_queue *queue, acre_entity entity,
                                      const acre_transform *local)
{
    const edit_record edit = {.kind = EDIT_SET_LOCAL, .entity = entity};
    return local ? record_edit(queue, edit, local, NULL) : ACRE_ERROR_INVALID_ARGUMENT;
}

acre_result acre_edit_queue_set_parent(acre_edit_queue *queue, acre_entity entity,
                                       acre_entity parent)
{
    const edit_record edit = {.kind = EDIT_SET_PARENT, .entity = entity, .parent = parent};
    return record_edit(queue, edit, NULL, NULL);
}

acre_result acre_edit_queue_set_bounds(acre_edit_queue *queue, acre_entity entity,
                                       const acre_aabb *local)
{
    const edit_record edit = {.kind = EDIT_SET_BOUNDS, .entity = entity};
    return record_edit(queue, edit, NULL, local);
}

acre_result acre_edit_queue_set_flags(acre_edit_queue *queue, acre_entity entity, uint32_t flags)
{
    const edit_record edit = {.kind = EDIT_SET_FLAGS, .entity = entity, .value = flags};
    return record_edit(queue, edit, NULL, NULL);
}

acre_result acre_edit_queue_set_layers(acre_edit_queue *queue, acre_entity entity, uint32_t layers)
{
    const edit_record edit = {.kind = EDIT_SET_LAYERS, .entity = entity, .value = layers};
    return record_edit(queue, edit, NULL, NULL);
}

// ---- applying ----

static bool is_ticket(acre_entity entity)
{
    return entity.index1 > 0 && entity.generation == 0;
}

// The handle of a ticket; any other entity as it is. A ticket stays a ticket where its create was
// refused, or where it is not of this queue: no scene knows its generation, 0.
static acre_entity handle_of(const acre_edit_queue *queue, acre_entity entity)
{
    if (!is_ticket(entity)) {
        return entity;
    }
    const acre_entity handle = acre_edit_queue_handle(queue, entity);
    return handle.index1 > 0 ? handle : entity;
}

static acre_result apply_create(acre_scene *scene, acre_edit_queue *queue, const edit_record *edit)
{
    const edit_create *const create = COLUMN_AT(queue->creates, edit->value);
    acre_entity_def def = create->def;
    def.parent = handle_of(queue, def.parent);
    def.local = create->local == NOT_GIVEN ? NULL : COLUMN_AT(queue->locals, create->local);
    def.bounds = create->bounds == NOT_GIVEN ? NULL : COLUMN_AT(queue->boxes, create->bounds);
    return acre_entity_create(scene, &def, COLUMN_AT(queue->handles, edit->value));
}

static acre_result apply_edit(acre_scene *scene, const acre_edit_queue *queue,
                              const edit_record *edit)
{
    const acre_entity entity = handle_of(queue, edit->entity);
    switch (edit->kind) {
    case EDIT_DESTROY:
        return acre_entity_destroy(scene, entity);
    case EDIT_SET_LOCAL:
        return acre_entity_set_local(scene, entity, COLUMN_AT(queue->locals, edit->value));
    case EDIT_SET_PARENT:
        return acre_entity_set_parent(scene, entity, handle_of(queue, edit->parent));
    case EDIT_SET_BOUNDS:
        return acre_entity_set_bounds(
            scene, entity, edit->value == NOT_GIVEN ? NULL : COLUMN_AT(queue->boxes, edit->value));
    case EDIT_SET_FLAGS:
        return acre_entity_set_flags(scene, entity, edit->value);
    case EDIT_SET_LAYERS:
        return acre_entity_set_layers(scene, entity, edit->value);
    case EDIT_CREATE:
        break;
    }
    ACRE_INVARIANT(edit->kind != EDIT_CREATE); // creates are applied before
    return ACRE_ERROR_INVALID_ARGUMENT;
}

static void count_result(acre_edit_report *report, size_t queue, size_t edit, acre_result result)
{
    report->applied += result == ACRE_OK;
    report->refused += result != ACRE_OK;
    if (result != ACRE_OK && report->first_result == ACRE_OK) {
        report->first_result = result;
        report->first_queue = queue;
        report->first_edit = edit;
    }
}

// The creates of a queue, or all else.
static void apply_queue(acre_scene *scene, acre_edit_queue *queue, size_t number, bool creates,
                        acre_edit_report *report)
{
    for (size_t i = 0; i < queue->edit_count; i++) {
        const edit_record *const edit = COLUMN_AT(queue->edits, i);
        if ((edit->kind == EDIT_CREATE) == creates) {
            count_result(report, number, i,
                         creates ? apply_create(scene, queue, edit)
                                 : apply_edit(scene, queue, edit));
        }
    }
}

static bool queues_are_good(acre_edit_queue *const *queues, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!queues[i]) {
            return false;
        }
    }
    return true;
}

acre_result acre_scene_apply_queues(acre_scene *scene, acre_edit_queue *const *queues, size_t count,
                                    acre_edit_report *report)
{
    acre_edit_report own = {.first_result = ACRE_OK};
    acre_result result = ACRE_ERROR_INVALID_ARGUMENT;
    if (scene && (count == 0 || queues) && queues_are_good(queues, count)) {
        result = scene_begin_edit(scene); // whether edits are allowed now
        result = result == ACRE_OK ? scene_end_edit(scene, ACRE_OK) : result;
    }
    for (int step = 0; step < 2 && result == ACRE_OK; step++) {
        for (size_t i = 0; i < count; i++) {
            if (!queues[i]->is_applied) {
                apply_queue(scene, queues[i], i, step == 0, &own);
            }
        }
    }
    for (size_t i = 0; i < count && result == ACRE_OK; i++) {
        queues[i]->is_applied = true;
    }
    if (report) {
        *report = own;
    }
    return result == ACRE_OK ? own.first_result : result;
}

acre_entity acre_edit_queue_handle(const acre_edit_queue *queue, acre_entity ticket)
{
    ACRE_ASSERT(queue);
    if (!queue || !is_ticket(ticket)) {
        return (acre_entity){0, 0, 0};
    }
    const uint64_t serial = (uint64_t)ticket.scene * UINT32_MAX + ticket.index1 - 1;
    size_t low = 0, high = queue->create_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint64_t found = *COLUMN_AT(queue->serials, middle);
        if (found == serial) {
            return *COLUMN_AT(queue->handles, middle);
        }
        low = found < serial ? middle + 1 : low;
        high = found < serial ? high : middle;
    }
    return (acre_entity){0, 0, 0};
}
