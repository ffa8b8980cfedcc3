// SPDX-License-Identifier: MIT
// entity_pairs_internal.h - pairs of entities for a caller that reads the culler already.
#ifndef ACRE_ENTITY_PAIRS_INTERNAL_H
#define ACRE_ENTITY_PAIRS_INTERNAL_H

#include <acre/entity_pairs.h>

#include "culling_shared.h"

/// As acre_culling_pairs.
acre_result acre_entity_pairs_find(const culling_reader *reader, const acre_pairs_rules *rules,
                                   acre_pair *pairs, size_t capacity, size_t *total);

#endif
