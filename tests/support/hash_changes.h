// SPDX-License-Identifier: MIT
// hash_changes.h - the lists of a commit as one number, for tests that compare runs.
#ifndef ACRE_TESTS_HASH_CHANGES_H
#define ACRE_TESTS_HASH_CHANGES_H

#include "scenario.h"

#include <acre/scene.h>

static inline void hash_changes(uint64_t *hash, const acre_scene_changes *changes)
{
    hash_words(hash, changes->destroyed, changes->destroyed_count);
    hash_words(hash, changes->created, changes->created_count);
    hash_words(hash, changes->moved, changes->moved_count);
    hash_words(hash, changes->relabeled, changes->relabeled_count);
    hash_words(hash, changes->moved_hidden, changes->moved_hidden_count);
}

#endif
