// SPDX-License-Identifier: MIT
// test_culling_pairs.c - the pairs of entities are those that comparing every two of them finds,
// and what began and ended leads from one list to the next, whatever becomes of the entities.
#include "brute_force_pairs.h"
#include "culling_stream.h"
#include "failing_allocator.h"

#include "culling_internal.h"

#include <acre/entity_pairs.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 256, MOST_PAIRS = MOST_SLOTS * MOST_SLOTS / 2, GUARD = 0x5eedf00d };

static const acre_result invalid = ACRE_ERROR_INVALID_ARGUMENT;

// ---- the oracle ----

// What can be a pair, by slot.
typedef struct subject {
    bool is_there, is_static;
    acre_entity handle;
    acre_aabb box;
    uint32_t layers;
} subject;

typedef struct subjects {
    subject by_slot[MOST_SLOTS];
    uint32_t slot_count;
} subjects;

static bool is_subject(const culling_stream *stream, int index)
{
    if (!culling_stream_sees(stream, index) ||
        (stream->oracle.entities[index].seen_flags & ACRE_ENTITY_NEVER_CULL)) {
        return false;
    }
    const acre_aabb box = culling_stream_box(stream, index);
    return !acre_aabb_is_empty(&box);
}

static bool list_subjects(subjects *out, const culling_stream *stream)
{
    memset(out, 0, sizeof *out);
    out->slot_count = acre_scene_get_view(stream->oracle.scene).slot_count;
    if (out->slot_count > MOST_SLOTS) {
        return false;
    }
    for (int i = 0; i < stream->oracle.count; i++) {
        const oracle_entity *const entity = &stream->oracle.entities[i];
        if (is_subject(stream, i)) {
            out->by_slot[entity->handle.index1 - 1] =
                (subject){.is_there = true,
                          .is_static = (entity->seen_flags & ACRE_ENTITY_STATIC) != 0,
                          .handle = entity->handle,
                          .box = culling_stream_box(stream, i),
                          .layers = entity->seen_layers};
        }
    }
    return true;
}

static bool are_a_pair(const subject *a, const subject *b, const acre_pairs_rules *rules)
{
    const bool among_static = rules && (rules->flags & ACRE_PAIRS_AMONG_STATIC);
    return a != b && a->is_there && b->is_there &&
           (among_static || !a->is_static || !b->is_static) &&
           brute_force_is_pair(&a->box, a->layers, &b->box, b->layers, rules);
}

// A list of pairs, sorted as those of trackers.
typedef struct pair_list {
    acre_entity_pair pairs[MOST_PAIRS];
    size_t count;
} pair_list;

static void list_pairs(pair_list *out, const subjects *all, const acre_pairs_rules *rules)
{
    out->count = 0;
    for (uint32_t a = 0; a < all->slot_count; a++) {
        for (uint32_t b = a + 1; b < all->slot_count; b++) {
            const subject *const left = &all->by_slot[a], *const right = &all->by_slot[b];
            if (are_a_pair(left, right, rules)) {
                out->pairs[out->count++] = (acre_entity_pair){left->handle, right->handle};
            }
        }
    }
}

static bool are_same(const acre_entity_pair *left, const acre_entity_pair *right, size_t count)
{
    return count == 0 || memcmp(left, right, count * sizeof *left) == 0;
}

static bool has_pair(const acre_entity_pair *pairs, size_t count, const acre_entity_pair *wanted)
{
    for (size_t i = 0; i < count; i++) {
        if (are_same(&pairs[i], wanted, 1)) {
            return true;
        }
    }
    return false;
}

// What one list has and another has not, in its order.
static void list_difference(pair_list *out, const pair_list *list, const pair_list *other)
{
    out->count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!has_pair(other->pairs, other->count, &list->pairs[i])) {
            out->pairs[out->count++] = list->pairs[i];
        }
    }
}

static bool is_list(const acre_entity_pair *pairs, size_t count, const pair_list *expected)
{
    return count == expected->count && are_same(pairs, expected->pairs, count);
}

// ---- random worlds ----

static size_t seen_pairs, seen_partners, seen_began, seen_ended, seen_lasted, seen_replaced;

// 0: both move; 1: one does; 2: none.
static int kind_of(const subjects *all, acre_pair pair)
{
    return all->by_slot[pair.a].is_static + all->by_slot[pair.b].is_static;
}

static const char *check_all(const culling_stream *stream, const subjects *all,
                             const pair_list *expected, const acre_pairs_rules *rules,
                             test_random *random)
{
    static acre_pair found[MOST_PAIRS + 1], some[MOST_PAIRS + 1];
    size_t total = GUARD, again = GUARD;
    if (acre_culling_pairs(stream->culling, rules, found, MOST_PAIRS, &total) != ACRE_OK ||
        total != expected->count) {
        return "the number of all pairs";
    }
    const size_t capacity = random_below(random, (uint32_t)total + 3);
    some[capacity] = (acre_pair){GUARD, GUARD};
    if (acre_culling_pairs(stream->culling, rules, some, capacity, &again) != ACRE_OK ||
        again != total || some[capacity].a != GUARD || some[capacity].b != GUARD ||
        memcmp(some, found, (total < capacity ? total : capacity) * sizeof *some) != 0) {
        return "all pairs where there is little room";
    }
    for (size_t i = 1; i < total; i++) {
        if (kind_of(all, found[i - 1]) > kind_of(all, found[i])) {
            return "the order of all pairs";
        }
    }
    sort_pairs(found, total);
    for (size_t i = 0; i < total; i++) {
        if (found[i].a + 1 != expected->pairs[i].a.index1 ||
            found[i].b + 1 != expected->pairs[i].b.index1) {
            return "all pairs";
        }
    }
    seen_pairs += total;
    return NULL;
}

// The partners of one entity, moving ones first, each once.
static bool are_partners(const subjects *all, const subject *own, const acre_pairs_rules *rules,
                         const uint32_t *slots, size_t count)
{
    size_t expected = 0;
    for (uint32_t slot = 0; slot < all->slot_count; slot++) {
        size_t times = 0;
        for (size_t i = 0; i < count; i++) {
            times += slots[i] == slot;
        }
        const bool is_one = own->is_there && are_a_pair(own, &all->by_slot[slot], rules);
        if (times != (is_one ? 1 : 0)) {
            return false;
        }
        expected += is_one;
    }
    for (size_t i = 1; i < count; i++) {
        if (all->by_slot[slots[i - 1]].is_static && !all->by_slot[slots[i]].is_static) {
            return false;
        }
    }
    return expected == count;
}

static const char *check_one(culling_stream *stream, const subjects *all,
                             const acre_pairs_rules *rules, test_random *random)
{
    if (stream->oracle.count == 0) {
        return NULL;
    }
    const int index = (int)random_below(random, (uint32_t)stream->oracle.count);
    const oracle_entity *const entity = &stream->oracle.entities[index];
    const acre_result expected = !entity->is_published                 ? ACRE_ERROR_STALE_HANDLE
                                 : !stream->model[index].is_registered ? ACRE_ERROR_NOT_FOUND
                                                                       : ACRE_OK;
    uint32_t slots[MOST_SLOTS + 1];
    size_t total = 0, again = 0;
    if (acre_culling_entity_pairs(stream->culling, entity->handle, rules, slots, MOST_SLOTS,
                                  &total) != expected) {
        return "what an entity's pairs are answered with";
    }
    if (expected != ACRE_OK) {
        return NULL;
    }
    const subject none = {.is_there = false};
    const uint32_t slot = entity->handle.index1 - 1;
    const subject *const own = slot < all->slot_count ? &all->by_slot[slot] : &none;
    if (!are_partners(all, own, rules, slots, total)) {
        return "the partners of an entity";
    }
    const size_t capacity = random_below(random, (uint32_t)total + 1);
    slots[capacity] = GUARD;
    if (acre_culling_entity_pairs(stream->culling, entity->handle, rules, slots, capacity,
                                  &again) != ACRE_OK ||
        again != total || slots[capacity] != GUARD) {
        return "partners where there is little room";
    }
    seen_partners += total;
    return NULL;
}

// A tracker, and what it should remember.
typedef struct follower {
    acre_entity_contacts *contacts;
    pair_list last;
} follower;

static const char *check_update(follower *by, const culling_stream *stream,
                                const pair_list *expected, const acre_pairs_rules *rules)
{
    static pair_list began, ended;
    if (acre_entity_contacts_update(by->contacts, stream->culling, rules) != ACRE_OK) {
        return "update";
    }
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(by->contacts);
    list_difference(&began, expected, &by->last);
    list_difference(&ended, &by->last, expected);
    by->last = *expected;
    seen_began += began.count;
    seen_ended += ended.count;
    seen_lasted += expected->count - began.count;
    for (size_t i = 0, k = 0; i < began.count && k < ended.count;) { // slots taken over
        const acre_entity_pair *const in = &began.pairs[i], *const out = &ended.pairs[k];
        const uint64_t in_key = (uint64_t)in->a.index1 << 32 | in->b.index1;
        const uint64_t out_key = (uint64_t)out->a.index1 << 32 | out->b.index1;
        seen_replaced += in_key == out_key;
        i += in_key <= out_key;
        k += out_key <= in_key;
    }
    return !is_list(lists.now, lists.now_count, expected)     ? "now"
           : !is_list(lists.began, lists.began_count, &began) ? "began"
           : !is_list(lists.ended, lists.ended_count, &ended) ? "ended"
                                                              : NULL;
}

typedef struct world {
    culling_stream stream;
    follower often, rarely;
    acre_pairs_rules rules;
    uint32_t meets[32];
} world;

static const char *world_check(world *w, test_random *random)
{
    static subjects all;
    static pair_list expected;
    if (random_below(random, 25) == 0) {
        w->rules = random_pairs_rules(random, w->meets);
        w->rules.flags |= random_below(random, 2) ? ACRE_PAIRS_AMONG_STATIC : 0;
    }
    const acre_pairs_rules *const rules = random_below(random, 20) ? &w->rules : NULL;
    if (!list_subjects(&all, &w->stream)) {
        return "more slots than the test has room for";
    }
    list_pairs(&expected, &all, rules);
    const char *fault = check_all(&w->stream, &all, &expected, rules, random);
    fault = fault ? fault : check_one(&w->stream, &all, rules, random);
    fault = fault ? fault : check_update(&w->often, &w->stream, &expected, rules);
    if (!fault && random_below(random, 12) == 0) {
        fault = check_update(&w->rarely, &w->stream, &expected, rules);
    }
    return fault;
}

// A step of the stream, and some crowding together: the stream's own boxes lie far apart.
static const char *world_step(world *w, test_random *random)
{
    const char *fault = culling_stream_grow(&w->stream);
    fault = fault ? fault : culling_stream_step(&w->stream);
    for (uint32_t i = 0; !fault && i < 3 && w->stream.oracle.count > 0; i++) {
        const oracle_entity *const entity = scene_oracle_pick(&w->stream.oracle);
        w->stream.spread = random_below(random, 4) ? 6 : 40;
        fault = culling_stream_grow(&w->stream);
        fault = fault ? fault
                      : culling_stream_refresh_bounds(&w->stream,
                                                      (int)(entity - w->stream.oracle.entities));
    }
    return fault ? fault : culling_stream_grow(&w->stream);
}

static const char *run_world(uint64_t seed, bool register_all, int limit, int steps, int every)
{
    static world w;
    test_random random = {seed ^ 0x9e3779b97f4a7c15u};
    w = (world){.rules = {0}};
    const char *fault = culling_stream_init(&w.stream, register_all, limit, seed) &&
                                acre_entity_contacts_create(NULL, &w.often.contacts) == ACRE_OK &&
                                acre_entity_contacts_create(NULL, &w.rarely.contacts) == ACRE_OK
                            ? NULL
                            : "memory of the test";
    int step = 0;
    for (; !fault && step < steps; step++) {
        fault = world_step(&w, &random);
        if (!fault && step % every == 0) {
            fault = world_check(&w, &random);
        }
    }
    if (fault) {
        printf("stream %llu, step %d: %s\n", (unsigned long long)seed, step, fault);
    }
    acre_entity_contacts_destroy(w.often.contacts);
    acre_entity_contacts_destroy(w.rarely.contacts);
    culling_stream_free(&w.stream);
    return fault;
}

static void pairs_are_those_of_brute_force_whatever_becomes_of_the_entities(void)
{
    seen_pairs = seen_partners = seen_began = seen_ended = seen_lasted = seen_replaced = 0;
    for (uint32_t i = 0; i < 60 * test_scale; i++) {
        CHECK(run_world(test_seed + i, i % 2, 20, 400, 1) == NULL);
    }
    for (uint32_t i = 0; i < 8 * test_scale; i++) {
        CHECK(run_world(test_seed + 1000 + i, i % 2, 120, 2000, 5) == NULL);
    }
    printf("     %zu pairs, %zu partners, %zu began, %zu ended, %zu lasted, %zu slots taken over\n",
           seen_pairs, seen_partners, seen_began, seen_ended, seen_lasted, seen_replaced);
    CHECK(seen_pairs > 50000 && seen_partners > 1000);
    CHECK(seen_began > 10000 && seen_ended > 10000 && seen_lasted > 30000);
}

// ---- small worlds ----

// Unit boxes along x, which all move at first. Handles have the scene's number, 7.
enum { BOXES = 6 };

typedef struct row_world {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity_contacts *contacts;
    acre_entity at[BOXES];
} row_world;

static acre_result put(acre_scene *scene, float x, uint32_t flags, acre_entity *out)
{
    const acre_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
    return acre_entity_create(scene, &(acre_entity_def){.bounds = &box, .flags = flags}, out);
}

// At 0 and 0.5, which overlap; the others are alone.
static bool open_row(row_world *w, const acre_allocator *allocator)
{
    const acre_culling_def def = {.register_all = true, .tree = {.half_size = 64}};
    *w = (row_world){.scene = NULL};
    bool ok = acre_scene_create(&(acre_scene_def){.scene = 7}, &w->scene) == ACRE_OK &&
              acre_culling_create(w->scene, &def, &w->culling) == ACRE_OK &&
              acre_entity_contacts_create(allocator, &w->contacts) == ACRE_OK;
    for (int i = 0; ok && i < BOXES; i++) {
        ok = put(w->scene, i == 1 ? 0.5f : 10.0f * (float)i, 0, &w->at[i]) == ACRE_OK;
    }
    return ok && acre_scene_commit(w->scene) == ACRE_OK &&
           acre_entity_contacts_update(w->contacts, w->culling, NULL) == ACRE_OK;
}

static void close_row(row_world *w)
{
    acre_entity_contacts_destroy(w->contacts);
    acre_culling_destroy(w->culling);
    acre_scene_destroy(w->scene);
}

static acre_result move_to(row_world *w, int i, float x)
{
    const acre_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
    return acre_entity_set_bounds(w->scene, w->at[i], &box);
}

// Commits, updates, and says whether so many pairs are there, began and ended.
static bool steps_to(row_world *w, const acre_pairs_rules *rules, size_t now, size_t began,
                     size_t ended)
{
    if (acre_scene_commit(w->scene) != ACRE_OK ||
        acre_entity_contacts_update(w->contacts, w->culling, rules) != ACRE_OK) {
        return false;
    }
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(w->contacts);
    return lists.now_count == now && lists.began_count == began && lists.ended_count == ended;
}

static bool is_pair(const acre_entity_pair *pair, acre_entity a, acre_entity b)
{
    return are_same(pair, &(acre_entity_pair){a, b}, 1);
}

static void a_slot_taken_over_ends_the_old_contact_and_begins_a_new_one(void)
{
    row_world w;
    CHECK(open_row(&w, NULL));
    const acre_entity_contacts_lists first = acre_entity_contacts_get(w.contacts);
    CHECK(first.now_count == 1 && first.began_count == 1 && first.ended_count == 0);
    CHECK(is_pair(&first.now[0], w.at[0], w.at[1]) && is_pair(&first.began[0], w.at[0], w.at[1]));
    CHECK(steps_to(&w, NULL, 1, 0, 0));
    for (int i = 0; i < 2; i++) { // the second of the pair, then the first
        const acre_entity old = w.at[1 - i], other = w.at[i];
        CHECK(acre_entity_destroy(w.scene, old) == ACRE_OK);
        CHECK(acre_scene_commit(w.scene) == ACRE_OK); // nobody updates here
        acre_entity heir;
        CHECK(put(w.scene, 0.25f, 0, &heir) == ACRE_OK);
        CHECK(heir.index1 == old.index1 && heir.generation != old.generation);
        CHECK(steps_to(&w, NULL, 1, 1, 1));
        w.at[1 - i] = heir;
        const acre_entity_contacts_lists lists = acre_entity_contacts_get(w.contacts);
        CHECK(is_pair(&lists.now[0], w.at[0], w.at[1]) && is_pair(lists.began, w.at[0], w.at[1]));
        CHECK(i == 0 ? is_pair(&lists.ended[0], other, old) : is_pair(lists.ended, old, other));
        CHECK(!acre_entity_is_alive(w.scene, old));
    }
    close_row(&w);
}

static void a_contact_lasts_while_an_entity_becomes_static_and_back(void)
{
    const acre_pairs_rules all = {.flags = ACRE_PAIRS_AMONG_STATIC};
    row_world w;
    CHECK(open_row(&w, NULL));
    CHECK(acre_entity_set_flags(w.scene, w.at[0], ACRE_ENTITY_STATIC) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 1, 0, 0));
    CHECK(acre_entity_set_flags(w.scene, w.at[0], 0) == ACRE_OK);
    CHECK(acre_entity_set_flags(w.scene, w.at[1], ACRE_ENTITY_STATIC) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 1, 0, 0));
    CHECK(acre_entity_set_flags(w.scene, w.at[0], ACRE_ENTITY_STATIC) == ACRE_OK);
    CHECK(steps_to(&w, &all, 1, 0, 0));
    CHECK(steps_to(&w, NULL, 0, 0, 1)); // both are static
    CHECK(steps_to(&w, &all, 1, 1, 0));
    uint32_t slot = GUARD;
    size_t total = 9;
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, &slot, 1, &total) == ACRE_OK);
    CHECK(total == 0 && slot == GUARD);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], &all, &slot, 1, &total) == ACRE_OK);
    CHECK(total == 1 && slot + 1 == w.at[1].index1);
    close_row(&w);
}

// Each of the three ends the contact, and taking it back begins it.
static void hidden_boxless_and_never_culled_entities_make_no_pairs(void)
{
    row_world w;
    const acre_aabb box = {{0, 0, 0}, {1, 1, 1}}, nothing = acre_aabb_empty();
    CHECK(open_row(&w, NULL));
    const uint32_t flags[] = {ACRE_ENTITY_HIDDEN, ACRE_ENTITY_NEVER_CULL,
                              ACRE_ENTITY_HIDDEN | ACRE_ENTITY_STATIC};
    for (int i = 0; i < 3; i++) {
        size_t total = 9;
        CHECK(acre_entity_set_flags(w.scene, w.at[0], flags[i]) == ACRE_OK);
        CHECK(steps_to(&w, NULL, 0, 0, 1));
        CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 0);
        total = 9;
        CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, NULL, 0, &total) == ACRE_OK);
        CHECK(total == 0);
        CHECK(acre_entity_set_flags(w.scene, w.at[0], 0) == ACRE_OK);
        CHECK(steps_to(&w, NULL, 1, 1, 0));
    }
    CHECK(acre_entity_set_parent(w.scene, w.at[0], w.at[5]) == ACRE_OK);
    CHECK(acre_entity_set_flags(w.scene, w.at[5], ACRE_ENTITY_HIDDEN) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 0, 0, 1)); // its parent is hidden
    CHECK(acre_entity_set_flags(w.scene, w.at[5], 0) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 1, 1, 0));
    CHECK(acre_entity_set_bounds(w.scene, w.at[0], &nothing) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 0, 0, 1));
    CHECK(acre_entity_set_bounds(w.scene, w.at[0], &box) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 1, 1, 0));
    CHECK(acre_culling_unregister(w.culling, w.at[0]) == ACRE_OK);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, NULL, 0, NULL) ==
          ACRE_ERROR_NOT_FOUND);
    CHECK(steps_to(&w, NULL, 0, 0, 1));
    CHECK(acre_culling_register(w.culling, w.at[0]) == ACRE_OK); // at once
    CHECK(acre_entity_contacts_update(w.contacts, w.culling, NULL) == ACRE_OK);
    CHECK(acre_entity_contacts_get(w.contacts).began_count == 1);
    close_row(&w);
}

static void recorded_edits_wait_for_a_commit_or_a_refresh(void)
{
    row_world w;
    CHECK(open_row(&w, NULL));
    size_t total = 9;
    CHECK(move_to(&w, 2, 0.75f) == ACRE_OK);
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 1);
    CHECK(acre_culling_refresh(w.culling, w.at[2]) == ACRE_OK);
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 3);
    const acre_aabb far_away = {{500, 0, 0}, {501, 1, 1}}, here = {{0, 0, 0}, {1, 1, 1}};
    CHECK(acre_culling_refresh_bounds(w.culling, w.at[2], &far_away) == ACRE_OK);
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 1);
    CHECK(acre_culling_refresh_bounds(w.culling, w.at[3], &here) == ACRE_OK);
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 3);
    // What was destroyed makes pairs until the commit.
    CHECK(acre_entity_destroy(w.scene, w.at[3]) == ACRE_OK);
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, &total) == ACRE_OK && total == 3);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[3], NULL, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 2);
    uint32_t slots[BOXES];
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, slots, BOXES, &total) == ACRE_OK);
    CHECK(total == 2);
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[3], NULL, NULL, 0, &total) ==
          ACRE_ERROR_STALE_HANDLE);
    acre_entity made; // not committed yet
    CHECK(put(w.scene, 0, 0, &made) == ACRE_OK && !acre_culling_register(w.culling, made));
    CHECK(acre_culling_entity_pairs(w.culling, made, NULL, NULL, 0, &total) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, slots, BOXES, &total) == ACRE_OK);
    CHECK(total == 1); // the world box of the other one holds, whatever moves
    close_row(&w);
}

static void a_tracker_outlives_its_culler_and_follows_another(void)
{
    row_world w, other;
    CHECK(open_row(&w, NULL));
    acre_culling_destroy(w.culling);
    acre_entity_contacts_lists lists = acre_entity_contacts_get(w.contacts);
    CHECK(lists.now_count == 1 && is_pair(&lists.now[0], w.at[0], w.at[1]));
    // Another culler of the same scene: the entities are the same.
    const acre_culling_def def = {.register_all = true};
    CHECK(acre_culling_create(w.scene, &def, &w.culling) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 1, 0, 0));
    // One of another scene: none of them are.
    CHECK(open_row(&other, NULL));
    acre_scene_destroy(other.scene);
    acre_culling_destroy(other.culling);
    CHECK(acre_scene_create(&(acre_scene_def){.scene = 8}, &other.scene) == ACRE_OK);
    CHECK(acre_culling_create(other.scene, &def, &other.culling) == ACRE_OK);
    acre_entity first, second;
    CHECK(put(other.scene, 0, 0, &first) == ACRE_OK && put(other.scene, 0, 0, &second) == ACRE_OK);
    CHECK(acre_scene_commit(other.scene) == ACRE_OK);
    CHECK(acre_entity_contacts_update(w.contacts, other.culling, NULL) == ACRE_OK);
    lists = acre_entity_contacts_get(w.contacts);
    CHECK(lists.now_count == 1 && lists.began_count == 1 && lists.ended_count == 1);
    CHECK(is_pair(lists.now, first, second) && is_pair(lists.ended, w.at[0], w.at[1]));
    // A culler without its scene has no entities.
    acre_scene_destroy(other.scene);
    other.scene = NULL;
    CHECK(acre_entity_contacts_update(w.contacts, other.culling, NULL) == ACRE_OK);
    lists = acre_entity_contacts_get(w.contacts);
    CHECK(lists.now_count == 0 && lists.began_count == 0 && lists.ended_count == 1);
    CHECK(is_pair(lists.ended, first, second));
    CHECK(acre_culling_entity_pairs(other.culling, first, NULL, NULL, 0, NULL) ==
          ACRE_ERROR_STALE_HANDLE);
    close_row(&w);
    close_row(&other);
}

// ---- rules ----

static void rules_hold_between_moving_and_static_entities(void)
{
    row_world w;
    uint32_t meets[32] = {[3] = 1u << 5}; // said from one side
    const acre_pairs_rules touching = {.flags = ACRE_PAIRS_NOT_TOUCHING};
    const acre_pairs_rules ground = {.flags = ACRE_PAIRS_ON_GROUND};
    const acre_pairs_rules layers = {.meets = meets};
    CHECK(open_row(&w, NULL));
    CHECK(acre_entity_set_flags(w.scene, w.at[1], ACRE_ENTITY_STATIC) == ACRE_OK);
    CHECK(move_to(&w, 1, 1.0f) == ACRE_OK); // face to face
    CHECK(steps_to(&w, NULL, 1, 0, 0));
    CHECK(steps_to(&w, &touching, 0, 0, 1));
    const acre_aabb above = {{0, 5, 0}, {1, 6, 1}};
    CHECK(acre_entity_set_bounds(w.scene, w.at[1], &above) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 0, 0, 0));
    CHECK(steps_to(&w, &ground, 1, 1, 0));
    CHECK(move_to(&w, 1, 0.5f) == ACRE_OK);
    CHECK(steps_to(&w, NULL, 1, 0, 0));
    CHECK(steps_to(&w, &layers, 1, 0, 0)); // both are in all layers
    CHECK(acre_entity_set_layers(w.scene, w.at[0], 1u << 5) == ACRE_OK);
    CHECK(acre_entity_set_layers(w.scene, w.at[1], 1u << 3) == ACRE_OK);
    CHECK(steps_to(&w, &layers, 1, 0, 0));
    for (int i = 0; i < 2; i++) {
        size_t total = 9;
        CHECK(acre_culling_entity_pairs(w.culling, w.at[i], &layers, NULL, 0, &total) == ACRE_OK);
        CHECK(total == 1);
    }
    CHECK(steps_to(&w, NULL, 0, 0, 1)); // they share none
    memset(meets, 0, sizeof meets);
    size_t total = 9;
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], &layers, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 0);
    close_row(&w);
}

// A box and its six neighbors, face to face, of which every second one is static.
static void neighbors_on_all_sides_touch_and_do_not_overlap(void)
{
    const acre_pairs_rules inside = {.flags = ACRE_PAIRS_NOT_TOUCHING};
    const acre_pairs_rules above = {.flags = ACRE_PAIRS_NOT_TOUCHING | ACRE_PAIRS_ON_GROUND};
    row_world w;
    acre_entity made;
    CHECK(open_row(&w, NULL));
    for (int i = 0; i < 6; i++) {
        acre_aabb box = {{20, 0, 0}, {21, 1, 1}}; // the middle is at[2]
        box.min[i / 2] += i % 2 ? 1.0f : -1.0f;
        box.max[i / 2] += i % 2 ? 1.0f : -1.0f;
        const acre_entity_def def = {.bounds = &box, .flags = i % 2 ? ACRE_ENTITY_STATIC : 0};
        CHECK(acre_entity_create(w.scene, &def, &made) == ACRE_OK);
    }
    CHECK(acre_scene_commit(w.scene) == ACRE_OK);
    size_t total = 9;
    CHECK(acre_culling_entity_pairs(w.culling, w.at[2], NULL, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 6);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[2], &inside, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 0);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[2], &above, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 2);
    CHECK(acre_culling_pairs(w.culling, &inside, NULL, 0, &total) == ACRE_OK);
    CHECK(total == 1); // the first two of the row
    close_row(&w);
}

// ---- memory ----

enum { DANCERS = 300, PERIOD = 40 };

typedef struct dance {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity dancers[DANCERS];
} dance;

// Every third stands still; the others go to and fro.
static acre_aabb dancer_at(uint32_t i, uint32_t time)
{
    const uint32_t phase = (time + 7 * i) % PERIOD;
    const float swing = (float)(phase < PERIOD / 2 ? phase : PERIOD - phase) * 0.4f;
    const float x = (float)(i % 20) + (i % 3 ? swing : 0.0f), z = (float)(i / 20);
    return (acre_aabb){{x, 0, z}, {x + 1.4f, 1, z + 1.4f}};
}

static bool open_dance(dance *d)
{
    const acre_culling_def def = {.register_all = true, .tree = {.half_size = 64}};
    bool ok = acre_scene_create(&(acre_scene_def){0}, &d->scene) == ACRE_OK &&
              acre_culling_create(d->scene, &def, &d->culling) == ACRE_OK;
    for (uint32_t i = 0; ok && i < DANCERS; i++) {
        const acre_aabb box = dancer_at(i, 0);
        const acre_entity_def entity = {.bounds = &box, .flags = i % 3 ? 0 : ACRE_ENTITY_STATIC};
        ok = acre_entity_create(d->scene, &entity, &d->dancers[i]) == ACRE_OK;
    }
    return ok && acre_scene_commit(d->scene) == ACRE_OK;
}

static bool dance_on(dance *d, uint32_t time)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < DANCERS; i++) {
        const acre_aabb box = dancer_at(i, time);
        ok = i % 3 == 0 || acre_entity_set_bounds(d->scene, d->dancers[i], &box) == ACRE_OK;
    }
    return ok && acre_scene_commit(d->scene) == ACRE_OK;
}

static void close_dance(dance *d)
{
    acre_culling_destroy(d->culling);
    acre_scene_destroy(d->scene);
}

static void the_memory_of_a_tracker_stops_growing(void)
{
    static dance d;
    failing_allocator memory;
    acre_entity_contacts *contacts = NULL;
    size_t most = 0, began = 0, ended = 0;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    CHECK(open_dance(&d));
    CHECK(acre_entity_contacts_create(&memory.allocator, &contacts) == ACRE_OK);
    for (uint32_t time = 0; time < 4 * PERIOD; time++) {
        CHECK(dance_on(&d, time));
        CHECK(acre_entity_contacts_update(contacts, d.culling, NULL) == ACRE_OK);
        const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
        CHECK(lists.bytes == memory.live_bytes);
        most = lists.now_count > most ? lists.now_count : most;
        began += lists.began_count;
        ended += lists.ended_count;
        if (time == PERIOD) { // all has been seen once
            failing_allocator_arm(&memory, FAIL_FROM, 1);
        }
    }
    printf("     %zu pairs at most, %zu bytes\n", most, memory.live_bytes);
    CHECK(memory.requests == 0 && began > 5000 && ended > 5000 && most > 500);
    CHECK(memory.live_bytes <= 2 * (48 + 32) * most + 1024);
    acre_entity_contacts_destroy(contacts);
    close_dance(&d);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

// All lists of a tracker.
typedef struct kept_lists {
    pair_list now, began, ended;
} kept_lists;

static void keep(pair_list *out, const acre_entity_pair *pairs, size_t count)
{
    out->count = count;
    if (count > 0) {
        memcpy(out->pairs, pairs, count * sizeof *pairs);
    }
}

static void keep_lists(kept_lists *out, const acre_entity_contacts *contacts)
{
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
    keep(&out->now, lists.now, lists.now_count);
    keep(&out->began, lists.began, lists.began_count);
    keep(&out->ended, lists.ended, lists.ended_count);
}

static bool are_kept(const acre_entity_contacts *contacts, const kept_lists *kept)
{
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
    return is_list(lists.now, lists.now_count, &kept->now) &&
           is_list(lists.began, lists.began_count, &kept->began) &&
           is_list(lists.ended, lists.ended_count, &kept->ended);
}

// A tracker that has followed a dance for some steps meets it when it has many pairs more, by other
// rules. Request number `at` fails, and where it is FAIL_FROM all behind it.
// @return whether some request failed and all went well; *is_good: whether all went well.
static bool fail_an_update(failing_mode mode, uint64_t at, uint32_t steps, bool *is_good)
{
    static dance d;
    static kept_lists kept;
    const acre_pairs_rules wider = {.flags = ACRE_PAIRS_ON_GROUND | ACRE_PAIRS_AMONG_STATIC};
    failing_allocator memory;
    acre_entity_contacts *contacts = NULL;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    bool ok =
        open_dance(&d) && acre_entity_contacts_create(&memory.allocator, &contacts) == ACRE_OK;
    for (uint32_t time = 0; ok && time < steps; time++) {
        const acre_pairs_rules few = {.flags = ACRE_PAIRS_NOT_TOUCHING};
        ok =
            dance_on(&d, time) && acre_entity_contacts_update(contacts, d.culling, &few) == ACRE_OK;
    }
    keep_lists(&kept, contacts);
    ok = ok && (steps == 0 || kept.now.count > 0) && dance_on(&d, PERIOD / 2);
    failing_allocator_arm(&memory, mode, at);
    const acre_result result = acre_entity_contacts_update(contacts, d.culling, &wider);
    const bool has_failed = memory.failed > 0;
    ok &= result == (has_failed ? ACRE_ERROR_OUT_OF_MEMORY : ACRE_OK);
    ok &= !has_failed || are_kept(contacts, &kept);
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    ok &= !has_failed || acre_entity_contacts_update(contacts, d.culling, &wider) == ACRE_OK;
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
    ok &= lists.now_count + lists.ended_count == kept.now.count + lists.began_count;
    ok &= lists.now_count > kept.now.count && lists.began_count > 0;
    acre_entity_contacts_destroy(contacts);
    close_dance(&d);
    *is_good = ok && failing_allocator_verdict(&memory) == NULL;
    return has_failed;
}

static void an_update_without_memory_leaves_the_lists_as_before(void)
{
    static const failing_mode modes[] = {FAIL_ONCE, FAIL_FROM};
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t at = 1;
        bool is_good = true;
        while (fail_an_update(modes[i % 2], at, i < 2 ? 0 : 3, &is_good) && is_good) {
            at++;
        }
        CHECK(is_good && at >= (i < 2 ? 6 : 3)); // slots twice, lists twice, what began
    }
}

// Two rows, of moving and of static boxes, each of which overlaps its neighbors in both.
static bool fill_rows(acre_scene *scene, uint32_t count)
{
    acre_entity made;
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = put(scene, 0.75f * (float)i, 0, &made) == ACRE_OK &&
             put(scene, 0.75f * (float)i, ACRE_ENTITY_STATIC, &made) == ACRE_OK;
    }
    return ok;
}

// The culler has little memory in a commit, and some again in the next one.
// @return whether the commit failed and all went well; *is_good: whether all went well.
static bool fail_a_commit(uint64_t at, bool *is_good)
{
    enum { ROW = 50, ROW_PAIRS = 2 * (ROW - 1) + ROW + ROW - 1 };
    failing_allocator memory;
    acre_scene *scene = NULL;
    acre_culling *culling = NULL;
    acre_entity_contacts *contacts = NULL;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    const acre_culling_def def = {.register_all = true,
                                  .tree = {.half_size = 64, .allocator = &memory.allocator}};
    bool ok = acre_scene_create(&(acre_scene_def){0}, &scene) == ACRE_OK &&
              acre_culling_create(scene, &def, &culling) == ACRE_OK &&
              acre_entity_contacts_create(NULL, &contacts) == ACRE_OK && fill_rows(scene, ROW);
    failing_allocator_arm(&memory, FAIL_FROM, at);
    const bool has_failed = acre_scene_commit(scene) != ACRE_OK;
    ok &= acre_entity_contacts_update(contacts, culling, NULL) == ACRE_OK;
    const size_t first = acre_entity_contacts_get(contacts).now_count;
    ok &= has_failed ? first <= ROW_PAIRS : first == ROW_PAIRS;
    failing_allocator_arm(&memory, FAIL_NEVER, 0);
    ok &= acre_scene_commit(scene) == ACRE_OK &&
          acre_entity_contacts_update(contacts, culling, NULL) == ACRE_OK;
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(contacts);
    ok &= lists.now_count == ROW_PAIRS && lists.ended_count == 0;
    ok &= lists.began_count == ROW_PAIRS - first;
    acre_entity_contacts_destroy(contacts);
    acre_culling_destroy(culling);
    acre_scene_destroy(scene);
    *is_good = ok && failing_allocator_verdict(&memory) == NULL;
    return has_failed;
}

static void entities_without_room_make_pairs_once_a_commit_finds_some(void)
{
    uint64_t at = 1;
    bool is_good = true;
    while (fail_a_commit(at, &is_good) && is_good) {
        at++;
    }
    CHECK(is_good && at > 5);
}

// ---- misuse ----

static void a_tracker_without_memory_is_none(void)
{
    failing_allocator memory;
    acre_entity_contacts *contacts = (acre_entity_contacts *)&memory;
    failing_allocator_init(&memory, FAIL_FROM, 1);
    CHECK(acre_entity_contacts_create(&memory.allocator, &contacts) == ACRE_ERROR_OUT_OF_MEMORY);
    CHECK(contacts == NULL && memory.requests == 1);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

static void what_cannot_be_asked_is_refused_and_nothing_changes(void)
{
    static kept_lists kept;
    const acre_pairs_rules unknown = {.flags = 4}, higher = {.flags = 1u << 17};
    row_world w;
    acre_pair pair = {GUARD, GUARD};
    uint32_t slot = GUARD;
    size_t total = 77;
    CHECK(open_row(&w, NULL));
    keep_lists(&kept, w.contacts);
    const acre_entity stale = {w.at[0].index1, 7, 99}, foreign = {w.at[0].index1, 8, 1};
    CHECK(acre_culling_pairs(NULL, NULL, &pair, 1, &total) == invalid);
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 1, &total) == invalid);
    CHECK(acre_culling_pairs(w.culling, &unknown, &pair, 1, &total) == invalid);
    CHECK(acre_culling_pairs(w.culling, &higher, &pair, 1, &total) == invalid);
    CHECK(acre_culling_entity_pairs(NULL, w.at[0], NULL, &slot, 1, &total) == invalid);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, NULL, 1, &total) == invalid);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], &unknown, &slot, 1, &total) == invalid);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], &higher, &slot, 1, &total) == invalid);
    CHECK(acre_culling_entity_pairs(w.culling, stale, NULL, &slot, 1, &total) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_culling_entity_pairs(w.culling, foreign, NULL, &slot, 1, &total) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_culling_entity_pairs(w.culling, (acre_entity){0, 0, 0}, NULL, &slot, 1, &total) ==
          ACRE_ERROR_STALE_HANDLE);
    CHECK(acre_entity_contacts_create(NULL, NULL) == invalid);
    CHECK(acre_entity_contacts_update(NULL, w.culling, NULL) == invalid);
    CHECK(acre_entity_contacts_update(w.contacts, NULL, NULL) == invalid);
    CHECK(acre_entity_contacts_update(w.contacts, w.culling, &unknown) == invalid);
    CHECK(acre_entity_contacts_update(w.contacts, w.culling, &higher) == invalid);
    CHECK(total == 0 && pair.a == GUARD && pair.b == GUARD && slot == GUARD);
    CHECK(are_kept(w.contacts, &kept) && kept.now.count == 1);
    const acre_entity_contacts_lists none = acre_entity_contacts_get(NULL);
    CHECK(!none.now && !none.began && !none.ended && none.bytes == 0);
    CHECK(none.now_count == 0 && none.began_count == 0 && none.ended_count == 0);
    acre_entity_contacts_destroy(NULL);
    CHECK(acre_culling_pairs(w.culling, NULL, &pair, 1, NULL) == ACRE_OK);
    CHECK(pair.a + 1 == w.at[0].index1 && pair.b + 1 == w.at[1].index1);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[1], NULL, &slot, 1, NULL) == ACRE_OK);
    CHECK(slot + 1 == w.at[0].index1);
    close_row(&w);
}

// With checks on, a culler that somebody edits is left alone; without, nobody looks.
static void a_culler_that_is_being_edited_is_busy(void)
{
    static kept_lists kept;
    const acre_result expected = ACRE_CHECK >= 1 ? ACRE_ERROR_BUSY : ACRE_OK;
    row_world w;
    CHECK(open_row(&w, NULL));
    keep_lists(&kept, w.contacts);
    CHECK(access_begin_write(&w.culling->access));
    CHECK(acre_culling_pairs(w.culling, NULL, NULL, 0, NULL) == expected);
    CHECK(acre_culling_entity_pairs(w.culling, w.at[0], NULL, NULL, 0, NULL) == expected);
    CHECK(acre_entity_contacts_update(w.contacts, w.culling, NULL) == expected);
    CHECK(expected == ACRE_OK || are_kept(w.contacts, &kept));
    access_end_write(&w.culling->access);
    CHECK(acre_culling_unregister(w.culling, w.at[0]) == ACRE_OK); // nobody was left inside
    CHECK(steps_to(&w, NULL, 0, 0, 1));
    close_row(&w);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(pairs_are_those_of_brute_force_whatever_becomes_of_the_entities),
        TEST(a_slot_taken_over_ends_the_old_contact_and_begins_a_new_one),
        TEST(a_contact_lasts_while_an_entity_becomes_static_and_back),
        TEST(hidden_boxless_and_never_culled_entities_make_no_pairs),
        TEST(recorded_edits_wait_for_a_commit_or_a_refresh),
        TEST(a_tracker_outlives_its_culler_and_follows_another),
        TEST(rules_hold_between_moving_and_static_entities),
        TEST(neighbors_on_all_sides_touch_and_do_not_overlap),
        TEST(the_memory_of_a_tracker_stops_growing),
        TEST(an_update_without_memory_leaves_the_lists_as_before),
        TEST(entities_without_room_make_pairs_once_a_commit_finds_some),
        TEST(a_tracker_without_memory_is_none),
        TEST(what_cannot_be_asked_is_refused_and_nothing_changes),
        TEST(a_culler_that_is_being_edited_is_busy),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
