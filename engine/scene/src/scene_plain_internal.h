// SPDX-License-Identifier: MIT
// scene_plain_internal.h - the plain words of a commit: computed one by one, or on workers.
//
// A word is 64 rows in the order of transforms. It is plain if all its rows are dirty, old, shown
// roots without children, each with a transform and a finite box. Nothing waits for a plain word
// and it waits for nothing, so that workers can compute plain words in any order.
#ifndef ACRE_SCENE_PLAIN_INTERNAL_H
#define ACRE_SCENE_PLAIN_INTERNAL_H

#include "scene_kernel_internal.h"

/// Plain words that wait for workers: 131,072 rows.
enum { PLAIN_WORDS = 2048 };

typedef struct plain_word {
    uint32_t word;
    uint32_t moved; ///< where its slots stand in list_computed
} plain_word;

typedef struct plain_words {
    const acre_scene *scene;
    const scene_arrays *arrays;
    bool is_shared; ///< workers compute them; otherwise each is computed when it is added
    uint32_t count;
    plain_word words[PLAIN_WORDS];
} plain_words;

void acre_plain_words_begin(plain_words *plain, const acre_scene *scene,
                            const scene_arrays *arrays);

/// Whether a word whose rows are all dirty is plain.
bool acre_word_is_plain(const acre_scene *scene, uint32_t word);

/// Computes a plain word's rows and lists their slots, now or in acre_plain_words_end.
/// @param moved where the slots stand in list_computed: there is room for 64.
void acre_plain_words_add(plain_words *plain, uint32_t word, uint32_t moved);

void acre_plain_words_end(plain_words *plain);

#endif
