// SPDX-License-Identifier: MIT
// quadtree_pairs.c - all pairs of a tree, and of two trees.
#include "out_internal.h"
#include "quadtree_pairing.h"

bool acre_pairs_rules_are_valid(const acre_pairs_rules *rules)
{
    const uint32_t known = ACRE_PAIRS_ON_GROUND | ACRE_PAIRS_NOT_TOUCHING;
    return !rules || !(rules->flags & ~known);
}

size_t acre_search_pairs(pair_kernels kernels, const acre_quadtree *first,
                         const acre_quadtree *second, const acre_pairs_rules *rules,
                         acre_pair *pairs, size_t capacity)
{
    if (first->item_count == 0 || second->item_count == 0) {
        return 0; // a tree without items may have no arrays
    }
    const pair_question question = {first, second, kernels, rules};
    const uint32_t shares = acre_pair_shares(&question);
    return shares > 1
               ? acre_search_in_shares(&question, shares, pairs, capacity)
               : acre_search_quads(&question, (quad_range){0, first->quad_count}, pairs, capacity);
}

static pair_kernels kernels_of(const acre_quadtree *tree)
{
    return (pair_kernels){&volume_kernel_of(tree)->box, pair_kernel_of(tree)};
}

acre_result acre_quadtree_pairs(const acre_quadtree *tree, const acre_pairs_rules *rules,
                                acre_pair *pairs, size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!tree || !acre_pairs_rules_are_valid(rules) || (capacity > 0 && !pairs)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&tree->access)) {
        return ACRE_ERROR_BUSY;
    }
    const size_t found = acre_search_pairs(kernels_of(tree), tree, tree, rules, pairs, capacity);
    NOTIFY(tree, .kind = ACRE_QUADTREE_CALL_PAIRS, .rules = rules, .capacity = capacity,
           .total = found, .pairs = pairs);
    access_end_read(&tree->access);
    set_count(total, found);
    return ACRE_OK;
}

acre_result acre_quadtree_pairs_between(const acre_quadtree *first, const acre_quadtree *second,
                                        const acre_pairs_rules *rules, acre_pair *pairs,
                                        size_t capacity, size_t *total)
{
    set_count(total, 0);
    if (!first || !second || first == second || !acre_pairs_rules_are_valid(rules) ||
        (capacity > 0 && !pairs)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&first->access)) {
        return ACRE_ERROR_BUSY;
    }
    if (!access_begin_read(&second->access)) {
        access_end_read(&first->access);
        return ACRE_ERROR_BUSY;
    }
    const size_t found =
        acre_search_pairs(kernels_of(first), first, second, rules, pairs, capacity);
    access_end_read(&second->access);
    access_end_read(&first->access);
    set_count(total, found);
    return ACRE_OK;
}
