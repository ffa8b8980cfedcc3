// SPDX-License-Identifier: MIT
// scene_plain.c - computes plain words.
#include "scene_plain_internal.h"

#include "tasks_internal.h"

// Words that a worker claims at a time, and the least of a share: some 8 and 40 us.
#define CLAIMED_WORDS 16
#define SHARE_WORDS 80

// Fewer rows in a scene are never shared.
#define SHARED_LEAST (2 * SHARE_WORDS * 64)

typedef struct plain_call {
    block_claim claim; // a block is CLAIMED_WORDS words
    const plain_words *plain;
} plain_call;

void acre_plain_words_begin(plain_words *plain, const acre_scene *scene, const scene_arrays *arrays)
{
    const acre_tasks *const tasks = &scene->tasks;
    plain->scene = scene;
    plain->arrays = arrays;
    plain->count = 0;
    plain->is_shared =
        tasks->worker_count > 1 && (scene->row_count >= SHARED_LEAST || tasks->divides_small_calls);
}

bool acre_word_is_plain(const acre_scene *scene, uint32_t word)
{
    if (scene->row_count / 64 <= word) {
        return false; // the last word has fewer rows
    }
    const row_head plain = head_make(0, ROW_BOX_FINITE, NONE);
    const row_head *const heads = COLUMN_AT(scene->heads, word * 64);
    row_head other = 0;
    for (uint32_t i = 0; i < 64; i++) {
        other |= heads[i] ^ plain;
    }
    return other >> HEAD_SLOT_WIDTH == 0;
}

// @param next_follows whether the next word is computed next.
static void compute_plain_word(const plain_words *plain, plain_word word, bool next_follows)
{
    const scene_arrays *const arrays = plain->arrays;
    const uint32_t first = word.word * 64;
    plain->scene->kernel->compute_word(arrays, first, next_follows);
    uint32_t *moved = COLUMN_AT(plain->scene->list_computed, word.moved);
    ACRE_INVARIANT(word.moved + count_bits(word.dirty) <= plain->scene->list_computed.capacity);
    if (word.dirty == UINT64_MAX) {
        for (uint32_t i = 0; i < 64; i++) {
            moved[i] = (uint32_t)arrays->heads[first + i] & HEAD_NO_SLOT;
        }
        return;
    }
    for (uint64_t left = word.dirty; left; left &= left - 1) {
        *moved++ = (uint32_t)arrays->heads[first + lowest_bit(left)] & HEAD_NO_SLOT;
    }
}

static void compute_share(void *context, uint32_t share)
{
    (void)share;
    plain_call *const call = context;
    const plain_words *const plain = call->plain;
    for (uint32_t claimed; claim_block(&call->claim, &claimed);) {
        const uint32_t begin = claimed * CLAIMED_WORDS;
        const uint32_t rest = plain->count - begin;
        const uint32_t end = begin + (rest < CLAIMED_WORDS ? rest : CLAIMED_WORDS);
        for (uint32_t i = begin; i < end; i++) {
            const bool next_follows =
                i + 1 < end && plain->words[i + 1].word == plain->words[i].word + 1;
            compute_plain_word(plain, plain->words[i], next_follows);
        }
    }
}

void acre_plain_words_add(plain_words *plain, uint32_t word, uint64_t dirty, uint32_t moved)
{
    const plain_word added = {word, moved, dirty};
    if (!plain->is_shared) {
        const acre_scene *const scene = plain->scene;
        const bool next_follows =
            word + 1 < scene->row_count / 64 &&
            count_bits(*COLUMN_AT(scene->dirty.words, word + 1)) >= PLAIN_DIRTY;
        compute_plain_word(plain, added, next_follows);
        return;
    }
    if (plain->count == PLAIN_WORDS) {
        acre_plain_words_end(plain);
    }
    plain->words[plain->count++] = added;
}

void acre_plain_words_end(plain_words *plain)
{
    if (plain->count == 0) {
        return;
    }
    plain_call call = {.claim.count = (plain->count + CLAIMED_WORDS - 1) / CLAIMED_WORDS,
                       .plain = plain};
    const acre_tasks *const tasks = &plain->scene->tasks;
    acre_run_shares(tasks, "acre commit", share_count_for(tasks, plain->count, SHARE_WORDS),
                    compute_share, &call);
    plain->count = 0;
}
