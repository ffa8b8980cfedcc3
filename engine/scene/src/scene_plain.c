// SPDX-License-Identifier: MIT
// scene_plain.c - finds plain words, and lists a word's rows.
#include "scene_commit_internal.h"

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

void acre_word_list(const scene_arrays *arrays, uint32_t word, uint64_t rows, uint32_t *slots)
{
    const row_head *const heads = arrays->heads + (size_t)word * 64;
    if (rows == UINT64_MAX) {
        for (uint32_t i = 0; i < 64; i++) {
            slots[i] = (uint32_t)heads[i] & HEAD_NO_SLOT;
        }
        return;
    }
    for (uint64_t left = rows; left; left &= left - 1) {
        *slots++ = (uint32_t)heads[lowest_bit(left)] & HEAD_NO_SLOT;
    }
}
