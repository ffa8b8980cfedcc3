// SPDX-License-Identifier: MIT
// bench_acre_contacts.c - Acre's tracker of contacts as a contender.
#include "bench_acre.h"
#include "bench_pairs.h"

#include <stdlib.h>
#include <string.h>

typedef struct contacts_state {
    void *acre; // of bench_acre
    acre_contacts *contacts;
} contacts_state;

static void destroy(void *state)
{
    contacts_state *const self = state;
    if (self) {
        bench_acre.destroy(self->acre);
        acre_contacts_destroy(self->contacts);
        free(self);
    }
}

static void *create(const contender_world *world)
{
    contacts_state *const self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->acre = bench_acre.create(world);
    if (!self->acre || acre_contacts_create(NULL, &self->contacts) != ACRE_OK) {
        destroy(self);
        return NULL;
    }
    return self;
}

static bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    return bench_acre.insert(((contacts_state *)state)->acre, items, count, boxes);
}

static bool settle(void *state)
{
    return bench_acre.settle(((contacts_state *)state)->acre);
}

static bool refresh(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t count)
{
    return bench_acre.refresh(((contacts_state *)state)->acre, movers, mover_count, boxes, count);
}

// The list is the tracker's; the copy stands for reading it once.
static size_t pairs(void *state, acre_pair *pairs, size_t capacity)
{
    const contacts_state *const self = state;
    if (acre_contacts_update(self->contacts, bench_acre_tree(self->acre), NULL, NULL) != ACRE_OK) {
        return CONTENDER_CANNOT;
    }
    const acre_contacts_lists lists = acre_contacts_get(self->contacts);
    const size_t count = lists.now_count < capacity ? lists.now_count : capacity;
    if (count > 0) {
        memcpy(pairs, lists.now, count * sizeof *pairs);
    }
    return lists.now_count;
}

const bench_contender bench_acre_contacts = {.name = "acre, contacts",
                                             .is_exact = true,
                                             .create = create,
                                             .destroy = destroy,
                                             .insert = insert,
                                             .settle = settle,
                                             .refresh = refresh,
                                             .pairs = pairs};
