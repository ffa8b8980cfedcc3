// SPDX-License-Identifier: MIT
// test_edit_queue_tickets.c - a random stream of edits that name entities by tickets of any queue
// and any time, against a scene where a model that knows what each ticket names does them one by
// one.
#include "test.h"

#include <acre/edit_queue.h>

#include <string.h>

enum { QUEUES = 3, TICKETS = 3000, EDITS = 64, FRAMES = 300 };

static const acre_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
static const acre_entity null_entity = {0, 0, 0};
static const acre_entity nobody = {UINT32_MAX, 0, 1};

typedef struct model_ticket {
    acre_entity ticket;
    acre_entity handle;        // once it is applied; null if the create was refused
    uint32_t queue, recording; // the only ones where it names something
} model_ticket;

typedef enum edit_kind { CREATE, DESTROY, SET_LOCAL, SET_PARENT, SET_FLAGS, KINDS } edit_kind;

// A name is a handle, or the ticket of that number in the model.
typedef struct model_name {
    acre_entity handle;
    uint32_t ticket; // UINT32_MAX: none
} model_name;

typedef struct model_edit {
    edit_kind kind;
    model_name entity, parent;
    acre_transform local;
    uint32_t flags;
} model_edit;

typedef struct model_queue {
    acre_edit_queue *queue;
    uint32_t recording; // counts
    bool is_applied;
    uint32_t count;
    model_edit edits[EDITS];
} model_queue;

typedef struct world {
    acre_scene *queued, *plain;
    model_queue queues[QUEUES];
    model_ticket tickets[TICKETS];
    uint32_t ticket_count;
    size_t own, foreign; // how many edits with tickets were applied and refused
} world;

// ---- recording ----

static model_name pick_name(const world *w, test_random *random)
{
    if (w->ticket_count == 0) {
        return (model_name){null_entity, UINT32_MAX};
    }
    const uint32_t near = w->ticket_count < 12 ? w->ticket_count : 12;
    const uint32_t number = random_below(random, 4)
                                ? w->ticket_count - 1 - random_below(random, near)
                                : random_below(random, w->ticket_count);
    const bool is_handle = random_below(random, 3) == 0;
    return (model_name){w->tickets[number].handle, is_handle ? UINT32_MAX : number};
}

static acre_entity spell(const world *w, model_name name)
{
    return name.ticket == UINT32_MAX ? name.handle : w->tickets[name.ticket].ticket;
}

static acre_result record(world *w, uint32_t at, const model_edit *edit)
{
    acre_edit_queue *const queue = w->queues[at].queue;
    const acre_entity entity = spell(w, edit->entity), parent = spell(w, edit->parent);
    const acre_entity_def def = {.local = &edit->local, .bounds = &unit, .parent = parent};
    switch (edit->kind) {
    case CREATE:
        return acre_edit_queue_create_entity(queue, &def, &w->tickets[edit->entity.ticket].ticket);
    case DESTROY:
        return acre_edit_queue_destroy_entity(queue, entity);
    case SET_LOCAL:
        return acre_edit_queue_set_local(queue, entity, &edit->local);
    case SET_PARENT:
        return acre_edit_queue_set_parent(queue, entity, parent);
    default:
        return acre_edit_queue_set_flags(queue, entity, edit->flags);
    }
}

static bool record_one(world *w, test_random *random)
{
    const uint32_t at = random_below(random, QUEUES);
    model_queue *const queue = &w->queues[at];
    if (queue->is_applied) {
        queue->is_applied = false;
        queue->recording++;
        queue->count = 0;
    }
    if (queue->count == EDITS) {
        return true;
    }
    model_edit *const edit = &queue->edits[queue->count++];
    *edit = (model_edit){.kind = random_below(random, 3) ? random_below(random, KINDS) : CREATE,
                         .entity = pick_name(w, random),
                         .parent = {null_entity, UINT32_MAX},
                         .local = ACRE_TRANSFORM_IDENTITY,
                         .flags = random_below(random, 2) ? ACRE_ENTITY_HIDDEN : 0};
    edit->local.translation[0] = random_float(random, -100, 100);
    if (random_below(random, 2)) {
        edit->parent = pick_name(w, random);
    }
    if (edit->kind == CREATE) {
        edit->entity = (model_name){null_entity, w->ticket_count++};
        w->tickets[edit->entity.ticket] =
            (model_ticket){.queue = at, .recording = queue->recording};
    }
    return record(w, at, edit) == ACRE_OK;
}

// ---- the model ----

static acre_entity resolve(world *w, uint32_t at, model_name name)
{
    if (name.ticket == UINT32_MAX) {
        return name.handle;
    }
    const model_ticket *const ticket = &w->tickets[name.ticket];
    const bool is_own = ticket->queue == at && ticket->recording == w->queues[at].recording &&
                        ticket->handle.index1 > 0;
    w->own += is_own;
    w->foreign += !is_own;
    return is_own ? ticket->handle : nobody;
}

static acre_result edit_plain(world *w, uint32_t at, const model_edit *edit)
{
    const acre_entity parent = resolve(w, at, edit->parent);
    const acre_entity_def def = {.local = &edit->local, .bounds = &unit, .parent = parent};
    if (edit->kind == CREATE) {
        return acre_entity_create(w->plain, &def, &w->tickets[edit->entity.ticket].handle);
    }
    const acre_entity entity = resolve(w, at, edit->entity);
    switch (edit->kind) {
    case DESTROY:
        return acre_entity_destroy(w->plain, entity);
    case SET_LOCAL:
        return acre_entity_set_local(w->plain, entity, &edit->local);
    case SET_PARENT:
        return acre_entity_set_parent(w->plain, entity, parent);
    default:
        return acre_entity_set_flags(w->plain, entity, edit->flags);
    }
}

static acre_edit_report apply_plain(world *w, const uint32_t *order, uint32_t count)
{
    acre_edit_report report = {0};
    for (int step = 0; step < 2; step++) {
        for (uint32_t i = 0; i < count; i++) {
            const model_queue *const queue = &w->queues[order[i]];
            for (uint32_t k = 0; !queue->is_applied && k < queue->count; k++) {
                if ((queue->edits[k].kind == CREATE) == (step == 0)) {
                    const acre_result result = edit_plain(w, order[i], &queue->edits[k]);
                    report.applied += result == ACRE_OK;
                    report.refused += result != ACRE_OK;
                    report.first_result = report.first_result ? report.first_result : result;
                }
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        w->queues[order[i]].is_applied = true;
    }
    return report;
}

// ---- checks ----

static bool handles_are_right(const world *w)
{
    const uint32_t first = w->ticket_count > 100 ? w->ticket_count - 100 : 0;
    bool is_good = true;
    for (uint32_t i = first; i < w->ticket_count && is_good; i++) {
        const model_ticket *const ticket = &w->tickets[i];
        for (uint32_t at = 0; at < QUEUES && is_good; at++) {
            const model_queue *const queue = &w->queues[at];
            const bool is_own =
                ticket->queue == at && queue->is_applied && ticket->recording == queue->recording;
            const acre_entity expected = is_own ? ticket->handle : null_entity;
            const acre_entity is = acre_edit_queue_handle(queue->queue, ticket->ticket);
            is_good = is.index1 == expected.index1 && is.scene == expected.scene &&
                      is.generation == expected.generation;
        }
    }
    return is_good;
}

static bool a_scene_knows_no_ticket(const world *w, test_random *random)
{
    const model_name name = pick_name(w, random);
    if (name.ticket == UINT32_MAX) {
        return true;
    }
    const acre_entity ticket = w->tickets[name.ticket].ticket;
    acre_entity made;
    return !acre_entity_is_alive(w->queued, ticket) &&
           acre_entity_destroy(w->queued, ticket) == ACRE_ERROR_STALE_HANDLE &&
           acre_entity_set_flags(w->queued, ticket, 0) == ACRE_ERROR_STALE_HANDLE &&
           acre_entity_create(w->queued, &(acre_entity_def){.parent = ticket}, &made) ==
               ACRE_ERROR_STALE_HANDLE;
}

static bool scenes_are_equal(const world *w)
{
    const acre_scene_view x = acre_scene_get_view(w->queued), y = acre_scene_get_view(w->plain);
    return x.slot_count == y.slot_count && x.entity_count == y.entity_count &&
           memcmp(x.world_bounds, y.world_bounds, x.slot_count * sizeof *x.world_bounds) == 0 &&
           memcmp(x.flags, y.flags, x.slot_count * sizeof *x.flags) == 0;
}

// Some of the queues, in any order.
static uint32_t choose_queues(test_random *random, uint32_t *order)
{
    const uint32_t first = random_below(random, QUEUES), step = 1 + random_below(random, 2);
    const uint32_t count = 1 + random_below(random, QUEUES);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (first + i * step) % QUEUES;
    }
    return count;
}

static bool run_frame(world *w, test_random *random)
{
    bool is_good = true;
    uint32_t edits = random_below(random, 40);
    for (; edits > 0 && w->ticket_count < TICKETS && is_good; edits--) {
        is_good = record_one(w, random) && (edits % 8 > 0 || handles_are_right(w));
    }
    uint32_t order[QUEUES];
    acre_edit_queue *queues[QUEUES];
    const uint32_t count = choose_queues(random, order);
    for (uint32_t i = 0; i < count; i++) {
        queues[i] = w->queues[order[i]].queue;
    }
    const acre_edit_report expected = apply_plain(w, order, count);
    acre_edit_report report;
    const acre_result result = acre_scene_apply_queues(w->queued, queues, count, &report);
    return is_good && result == expected.first_result && report.first_result == result &&
           report.applied == expected.applied && report.refused == expected.refused &&
           handles_are_right(w) && a_scene_knows_no_ticket(w, random) &&
           acre_scene_commit(w->queued) == ACRE_OK && acre_scene_commit(w->plain) == ACRE_OK &&
           scenes_are_equal(w);
}

static void a_ticket_of_any_queue_and_time_names_what_the_model_says(void)
{
    static world w;
    for (uint32_t run = 0; run < test_scale; run++) {
        test_random random = {test_seed + run};
        w = (world){0};
        CHECK(acre_scene_create(&(acre_scene_def){.scene = 3}, &w.queued) == ACRE_OK);
        CHECK(acre_scene_create(&(acre_scene_def){.scene = 3}, &w.plain) == ACRE_OK);
        for (uint32_t at = 0; at < QUEUES; at++) {
            CHECK(acre_edit_queue_create(NULL, &w.queues[at].queue) == ACRE_OK);
        }
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            CHECK(run_frame(&w, &random));
        }
        CHECK(w.own > 200 && w.foreign > 1000);
        for (uint32_t at = 0; at < QUEUES; at++) {
            acre_edit_queue_destroy(w.queues[at].queue);
        }
        acre_scene_destroy(w.queued);
        acre_scene_destroy(w.plain);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_ticket_of_any_queue_and_time_names_what_the_model_says),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
