// SPDX-License-Identifier: MIT
// scenario.h - what the recorded scenarios share: expectations, hashes of values, frusta.
//
// A scenario is a program that makes the same calls everywhere and prints hashes of what came of
// them. Nothing in it depends on the C library's mathematics: matrices and rotations are stored
// numbers, positions come from splitmix64 through exact conversions. Every compiler, processor,
// byte order and word size must print the lines of the .expected file beside it (scenario.sh).
#ifndef ACRE_TESTS_SCENARIO_H
#define ACRE_TESTS_SCENARIO_H

#include "test.h"

#include <acre/frustum.h>

extern int scenario_failures; // how many expectations did not hold

void expect(bool condition, const char *what);

// FNV-1a over the bytes of 32-bit words, least significant first whatever the machine's order.
#define HASH_START 0xcbf29ce484222325u
void hash_word(uint64_t *hash, uint32_t word);
void hash_words(uint64_t *hash, const uint32_t *words, size_t count); // the count too
void hash_floats(uint64_t *hash, const float *values, size_t count);
void hash_box(uint64_t *hash, const acre_aabb *box);

// Three cameras, one in each clip convention.
#define SCENARIO_CAMERAS 3
extern const float scenario_matrices[SCENARIO_CAMERAS][16]; // projection x view, column-major
extern const acre_clip scenario_clips[SCENARIO_CAMERAS];
void scenario_make_frusta(acre_frustum *frusta);

#endif
