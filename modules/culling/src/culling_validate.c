// SPDX-License-Identifier: MIT
// culling_validate.c - checks the invariants of culling_internal.h, each by its number.
#include "culling_internal.h"

#include <stdio.h>

typedef struct culling_report {
    char *message;
    size_t size;
} culling_report;

// @return whether the rule holds; if not, the message says which rule and where.
static bool require_rule(culling_report *out, bool holds, const char *rule, size_t where)
{
    if (!holds && out->message && out->size > 0) {
        (void)snprintf(out->message, out->size, "%s (at %lu)", rule, (unsigned long)where);
    }
    return holds;
}

static bool check_arrays(const acre_culling *culling, culling_report *out)
{
    const size_t slots = culling->slots.capacity;
    return require_rule(out,
                        culling->never.capacity * 64 >= slots &&
                            culling->never_summary.capacity * 4096 >= slots &&
                            culling->rule_count <= culling->rules.capacity,
                        "1 every array has room for what is counted in it", slots);
}

static bool check_never_set(const acre_culling *culling, culling_report *out)
{
    for (size_t word = 0; word < culling->never_summary.capacity * 64; word++) {
        const bool has_bit = *COLUMN_AT(culling->never_summary, word / 64) >> (word % 64) & 1;
        const bool has_members =
            word < culling->never.capacity && *COLUMN_AT(culling->never, word) != 0;
        if (!require_rule(out, has_bit == has_members,
                          "2 a summary bit is set where the never-cull set has members", word)) {
            return false;
        }
    }
    return true;
}

static bool tree_has_slot(const acre_culling *culling, int tree, uint32_t slot)
{
    return culling->trees[tree] && acre_quadtree_contains(culling->trees[tree], slot);
}

static bool check_slot_place(const acre_culling *culling, uint32_t slot, culling_report *out)
{
    const uint32_t bits = culling_slot_at(culling, slot)->bits, places = bits & CULLING_PLACES;
    const bool is_never = *COLUMN_AT(culling->never, slot / 64) >> (slot % 64) & 1;
    return require_rule(out, (places & (places - 1)) == 0, "3 a slot is in one place at most",
                        slot) &&
           require_rule(out,
                        tree_has_slot(culling, TREE_MOVING, slot) == !!(bits & SLOT_IN_MOVING) &&
                            tree_has_slot(culling, TREE_STATIC, slot) ==
                                !!(bits & SLOT_IN_STATIC) &&
                            is_never == !!(bits & SLOT_IN_NEVER),
                        "4 a slot's bits say which place has it", slot);
}

static bool box_is_kept(const acre_aabb *box, const acre_quadtree *tree, uint32_t slot)
{
    acre_aabb kept;
    if (acre_quadtree_get_box(tree, slot, &kept) != ACRE_OK) {
        return false;
    }
    bool is_kept = true;
    for (int k = 0; k < 3; k++) {
        is_kept = is_kept && box->min[k] == kept.min[k] && box->max[k] == kept.max[k];
    }
    return is_kept;
}

static bool check_entity(const acre_culling *culling, const culling_table *table, uint32_t slot,
                         culling_report *out)
{
    const culling_slot own = *culling_slot_at(culling, slot);
    if (!(own.bits & CULLING_PLACES)) {
        return true;
    }
    const uint32_t needed = SLOT_REGISTERED | SLOT_PUBLISHED;
    const acre_aabb box = slot < table->slot_count ? culling_box(table, slot) : acre_aabb_empty();
    if (!require_rule(out,
                      slot < table->slot_count && (own.bits & needed) == needed &&
                          !(culling_flags(table, slot) & ACRE_ENTITY_HIDDEN) &&
                          culling_published(table, slot).generation == own.generation,
                      "5 an entity in a place is registered, in the last commit and not hidden",
                      slot) ||
        !require_rule(out,
                      culling_wanted_place(own.bits, culling_flags(table, slot), &box) ==
                          (own.bits & CULLING_PLACES),
                      "6 an entity is in the place that its flags and box ask for", slot)) {
        return false;
    }
    const int tree = culling_tree_of(own);
    return tree == TREE_COUNT ||
           (require_rule(out, box_is_kept(&box, culling->trees[tree], slot),
                         "7 an item's box is the world box", slot) &&
            require_rule(out,
                         acre_quadtree_get_layers(culling->trees[tree], slot) ==
                             culling_layers(table, slot),
                         "8 an item's layers are the entity's", slot));
}

typedef struct place_counts {
    uint32_t trees[TREE_COUNT], never, objects;
} place_counts;

static bool check_counts(const acre_culling *culling, const place_counts *found,
                         culling_report *out)
{
    bool holds = found->never == culling->never_count &&
                 (!culling->has_host || found->objects == culling->object_count);
    for (int i = 0; i < TREE_COUNT; i++) {
        acre_quadtree_stats stats = {0};
        if (culling->trees[i]) {
            acre_quadtree_get_stats(culling->trees[i], &stats);
        }
        holds = holds && found->trees[i] == culling->tree_counts[i] &&
                stats.items == culling->tree_counts[i];
    }
    return require_rule(out, holds, "9 counts are those of the slots", found->never);
}

// While the culler is behind, or the scene was committed without it, entities may be anywhere.
static bool check_slots_of(const acre_culling *culling, culling_report *out)
{
    const culling_table table = acre_culling_table(culling);
    const bool is_current = (culling->scene || culling->has_host) && !culling->is_behind &&
                            table.commit == culling->seen_commit;
    place_counts found = {{0}, 0, 0};
    for (uint32_t slot = 0; slot < culling->slots.capacity; slot++) {
        const uint32_t bits = culling_slot_at(culling, slot)->bits;
        if (!check_slot_place(culling, slot, out) ||
            (is_current && !check_entity(culling, &table, slot, out))) {
            return false;
        }
        found.trees[TREE_MOVING] += !!(bits & SLOT_IN_MOVING);
        found.trees[TREE_STATIC] += !!(bits & SLOT_IN_STATIC);
        found.never += !!(bits & SLOT_IN_NEVER);
        found.objects += !!(bits & SLOT_PUBLISHED);
    }
    return check_counts(culling, &found, out);
}

static bool check_occluders(const acre_culling *culling, culling_report *out)
{
    uint32_t count = 0;
    for (size_t slot = 0; slot < culling->slot_occluders.capacity; slot++) {
        for (uint32_t next1 = culling->slot_occluders.data[slot];
             next1 && count <= culling->occluders_used;
             next1 = COLUMN_AT(culling->occluders, next1 - 1u)->next1) {
            count++;
        }
    }
    return require_rule(out, count == culling->occluder_count,
                        "10 lists of occluders have as many as are counted", count);
}

bool acre_culling_check(const acre_culling *culling, char *message, size_t size)
{
    culling_report out = {message, size};
    return check_arrays(culling, &out) && check_never_set(culling, &out) &&
           check_slots_of(culling, &out) && check_occluders(culling, &out);
}

acre_result acre_culling_validate(const acre_culling *culling, char *message, size_t size)
{
    if (message && size > 0) {
        message[0] = '\0';
    }
    acre_result result = culling_begin_read(culling, true);
    if (result == ACRE_OK) {
        acre_hold_refusals();
        bool holds = acre_culling_check(culling, message, size);
        for (int i = 0; i < TREE_COUNT && holds; i++) {
            holds = !culling->trees[i] ||
                    acre_quadtree_validate(culling->trees[i], message, size) == ACRE_OK;
        }
        result = acre_release_refusals(holds ? ACRE_OK : ACRE_ERROR_FORMAT);
        access_end_read(&culling->access);
    }
    return ACRE_ANSWER(result, "o", culling);
}
