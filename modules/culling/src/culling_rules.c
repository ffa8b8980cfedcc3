// SPDX-License-Identifier: MIT
// culling_rules.c - the table of visibility rules, and the rule of each entity.
#include "culling_internal.h"

#include <acre/objects.h>

#include "float_bits.h"

#include <string.h>

#define RULE_LIMIT UINT16_MAX

static bool is_rule_limit(float value)
{
    return !float_is_nan(value) && value >= 0.0f;
}

static bool is_valid_rule(const acre_visibility_rule *rule)
{
    bool is_valid = is_rule_limit(rule->min_distance) && is_rule_limit(rule->max_distance) &&
                    is_rule_limit(rule->min_pixels);
    for (int i = 0; i < ACRE_LOD_LIMITS && is_valid; i++) {
        const float above = i > 0 ? rule->lod_pixels[i - 1] : rule->lod_pixels[0];
        is_valid = is_rule_limit(rule->lod_pixels[i]) && rule->lod_pixels[i] <= above;
    }
    return is_valid;
}

static acre_result store_rules(acre_culling *culling, const acre_visibility_rule *rules,
                               size_t count, bool hide)
{
    if (COLUMN_RESERVE(&culling->allocator, culling->rules, count)) {
        if (count > 0) {
            memcpy(culling->rules.data, rules, count * sizeof *rules);
        }
        culling->rule_count = (uint32_t)count;
        culling->rules_hide = hide;
        culling->revision++;
        return ACRE_OK;
    }
    return ACRE_ERROR_OUT_OF_MEMORY;
}

acre_result acre_culling_set_rules(acre_culling *culling, const acre_visibility_rule *rules,
                                   size_t count)
{
    bool hide = false;
    size_t good = 0;
    const bool has_rules = culling && (count == 0 || rules) && count <= RULE_LIMIT;
    while (has_rules && good < count && is_valid_rule(&rules[good])) {
        hide = hide || rules[good].min_distance > 0.0f || rules[good].max_distance > 0.0f ||
               rules[good].min_pixels > 0.0f;
        good++;
    }
    const bool is_too_long = culling && rules && count > RULE_LIMIT;
    acre_result result =
        is_too_long ? ACRE_ERROR_CAPACITY : culling_begin_edit(culling, has_rules && good == count);
    if (result == ACRE_OK) {
        result = culling_end_edit(culling, store_rules(culling, rules, count, hide));
    }
    const size_t refused = has_rules && good < count;
    return ACRE_ANSWER(result, "ro[R!n", refused, good, culling, rules, count);
}

static acre_result give_rule(acre_culling *culling, acre_entity entity, uint32_t rule)
{
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= culling->item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!acre_culling_reserve_slots(culling, (size_t)slot + 1) ||
        !acre_culling_reserve_rules(culling, (size_t)slot + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_culling_bind_slot(culling, entity);
    *COLUMN_AT(culling->slot_rules, slot) = (uint16_t)rule;
    culling->revision++;
    return ACRE_OK;
}

acre_result acre_culling_set_rule(acre_culling *culling, acre_entity entity, uint32_t rule)
{
    acre_result result = culling_begin_edit(culling, rule <= RULE_LIMIT);
    if (result == ACRE_OK) {
        result = culling_end_edit(culling, culling_is_alive(culling, entity)
                                               ? give_rule(culling, entity, rule)
                                               : ACRE_ERROR_STALE_HANDLE);
    }
    return ACRE_ANSWER(result, "o@!u", culling, entity.index1, rule);
}

// Only what the last commit or update has in a slot gets a rule there.
static acre_result give_rules(acre_culling *culling, const uint16_t *rules, size_t stride,
                              size_t count)
{
    const size_t known = culling->slots.capacity, some = count < known ? count : known;
    const size_t end = rules ? some : culling->slot_rules.capacity;
    if (rules && !acre_culling_reserve_rules(culling, some)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    for (size_t slot = 0; slot < end; slot++) {
        uint16_t *const rule = COLUMN_AT(culling->slot_rules, slot);
        if (!rules) {
            *rule = 0;
        } else if (culling_slot_at(culling, (uint32_t)slot)->bits & SLOT_PUBLISHED) {
            memcpy(rule, (const unsigned char *)rules + slot * stride, sizeof *rule);
        }
    }
    culling->revision++;
    return ACRE_OK;
}

acre_result acre_culling_set_rule_numbers(acre_culling *culling, const uint16_t *rules,
                                          size_t stride, size_t count)
{
    const acre_result result = culling_begin_edit(culling, true);
    return result != ACRE_OK
               ? result
               : culling_end_edit(
                     culling, give_rules(culling, rules, stride ? stride : sizeof *rules, count));
}

uint32_t acre_culling_get_rule(const acre_culling *culling, acre_entity entity)
{
    const acre_result result = culling_begin_read(culling, true);
    if (result != ACRE_OK) {
        return ACRE_MISUSED(result, "o", culling);
    }
    const bool is_known = culling_find_slot(culling, entity) && culling_is_alive(culling, entity);
    const uint32_t rule = is_known ? culling_rule_number(culling, entity.index1 - 1u) : 0;
    access_end_read(&culling->access);
    return rule;
}
