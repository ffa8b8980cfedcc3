// SPDX-License-Identifier: MIT
// scene_families.c - fetches what a commit reads of parents and their children, ahead of its visit.
#include "scene_commit_internal.h"

#include <string.h>

static void fetch_heads(const acre_scene *scene, uint32_t word)
{
    const row_head *const heads = scene->heads.data;
    for (uint64_t left = *COLUMN_AT(scene->dirty.words, word); left; left &= left - 1) {
        prefetch_line(&heads[word * 64 + lowest_bit(left)]);
    }
}

static void fetch_links(const acre_scene *scene, uint32_t word)
{
    const row_head *const heads = scene->heads.data;
    for (uint64_t left = *COLUMN_AT(scene->dirty.words, word); left; left &= left - 1) {
        const row_head head = heads[word * 64 + lowest_bit(left)];
        if (head_bits(head) & ROW_HAS_CHILDREN) {
            prefetch_line(COLUMN_AT(scene->links, head_slot(head)));
            prefetch_line(COLUMN_AT(scene->slots, head_slot(head)));
        }
    }
}

void acre_families_fetch(const acre_scene *scene, uint32_t word, family_fetch *fetch)
{
    uint32_t passed = 0;
    ACRE_INVARIANT(fetch->link_count <= fetch->word_count && fetch->word_count <= HEADS_AHEAD);
    while (passed < fetch->word_count && fetch->word[passed] <= word) {
        passed++;
    }
    fetch->word_count -= passed;
    fetch->link_count -= passed < fetch->link_count ? passed : fetch->link_count;
    memmove(fetch->word, fetch->word + passed, fetch->word_count * sizeof *fetch->word);
    if (fetch->word_count == 0 && fetch->next_row <= word * 64) {
        fetch->next_row = (word + 1) * 64;
    }
    while (fetch->word_count < HEADS_AHEAD && fetch->next_row != NONE) {
        const uint32_t row = row_set_next(&scene->dirty, fetch->next_row);
        fetch->next_row = row;
        if (row != NONE) {
            fetch_heads(scene, row / 64);
            fetch->word[fetch->word_count++] = row / 64;
            fetch->next_row = (row | 63) + 1;
        }
    }
    ACRE_INVARIANT(fetch->link_count <= fetch->word_count);
    while (fetch->link_count < LINKS_AHEAD && fetch->link_count < fetch->word_count) {
        fetch_links(scene, fetch->word[fetch->link_count++]);
    }
}
