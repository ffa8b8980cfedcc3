// SPDX-License-Identifier: MIT
// culling_rules.c - the table of visibility rules, and the rule of each entity.
#include "culling_internal.h"

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

acre_result acre_culling_set_rules(acre_culling *culling, const acre_visibility_rule *rules,
                                   size_t count)
{
    if (!culling || (count > 0 && !rules)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (count > RULE_LIMIT) {
        return ACRE_ERROR_CAPACITY;
    }
    bool hide = false;
    for (size_t i = 0; i < count; i++) {
        if (!is_valid_rule(&rules[i])) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        hide = hide || rules[i].min_distance > 0.0f || rules[i].max_distance > 0.0f ||
               rules[i].min_pixels > 0.0f;
    }
    if (!access_begin_write(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    acre_result result = ACRE_OK;
    if (COLUMN_RESERVE(&culling->allocator, culling->rules, count)) {
        if (count > 0) {
            memcpy(culling->rules.data, rules, count * sizeof *rules);
        }
        culling->rule_count = (uint32_t)count;
        culling->rules_hide = hide;
        culling->revision++;
    } else {
        result = ACRE_ERROR_OUT_OF_MEMORY;
    }
    access_end_write(&culling->access);
    return result;
}

static acre_result give_rule(acre_culling *culling, acre_entity entity, uint32_t rule)
{
    const uint32_t slot = entity.index1 - 1u;
    if (slot >= culling->item_capacity) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!acre_culling_reserve_slots(culling, (size_t)slot + 1) ||
        !COLUMN_RESERVE(&culling->allocator, culling->slot_rules, (size_t)slot + 1)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_culling_bind_slot(culling, entity);
    *COLUMN_AT(culling->slot_rules, slot) = (uint16_t)rule;
    culling->revision++;
    return ACRE_OK;
}

acre_result acre_culling_set_rule(acre_culling *culling, acre_entity entity, uint32_t rule)
{
    if (!culling || rule > RULE_LIMIT) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_write(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_result result = acre_entity_is_alive(culling->scene, entity)
                                   ? give_rule(culling, entity, rule)
                                   : ACRE_ERROR_STALE_HANDLE;
    access_end_write(&culling->access);
    return result;
}

uint32_t acre_culling_get_rule(const acre_culling *culling, acre_entity entity)
{
    ACRE_ASSERT(culling);
    if (!culling) {
        return 0;
    }
    const bool may_read = access_begin_read(&culling->access);
    ACRE_ASSERT(may_read);
    if (!may_read) {
        return 0;
    }
    const bool is_known =
        culling_find_slot(culling, entity) && acre_entity_is_alive(culling->scene, entity);
    const uint32_t rule = is_known ? culling_rule_number(culling, entity.index1 - 1u) : 0;
    access_end_read(&culling->access);
    return rule;
}
