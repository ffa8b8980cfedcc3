// SPDX-License-Identifier: MIT
// scene_plain_internal.h - the plain words of a commit: computed one by one, or on workers.
//
// A word is 64 rows in the order of transforms. It is plain if all its rows are old, shown roots
// without children, each with a transform and a finite box. Nothing waits for a plain word and it
// waits for nothing, so that workers can compute plain words in any order.
//
// Where at least PLAIN_DIRTY rows of a plain word are dirty, all of them are computed: rows in a
// run cost 5 to 10 ns each, rows here and there 60 ns, as each comes from lines of its own. A row
// that is not dirty gets the bits that it had, and is not listed.
#ifndef ACRE_SCENE_PLAIN_INTERNAL_H
#define ACRE_SCENE_PLAIN_INTERNAL_H

#include "scene_kernel_internal.h"

/// Plain words that wait for workers: 131,072 rows.
enum { PLAIN_WORDS = 2048 };

enum { PLAIN_DIRTY = 10 };

typedef struct plain_word {
    uint32_t word;
    uint32_t moved; ///< where its slots stand in list_computed
    uint64_t dirty; ///< the rows that are listed
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

/// Whether a word of 64 rows is plain.
bool acre_word_is_plain(const acre_scene *scene, uint32_t word);

/// Computes a plain word's rows and lists the slots of those that are dirty, now or in
/// acre_plain_words_end.
/// @param moved where the slots stand in list_computed: there is room for them.
void acre_plain_words_add(plain_words *plain, uint32_t word, uint64_t dirty, uint32_t moved);

void acre_plain_words_end(plain_words *plain);

#endif
