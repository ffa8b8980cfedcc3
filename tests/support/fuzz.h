// SPDX-License-Identifier: MIT
// fuzz.h - fuzz targets: a function of bytes that ends the program when the library is wrong.
//
// A target is a C file with LLVMFuzzerTestOneInput. Linked with fuzz_main.c it is a test of any
// compiler: inputs of a folder, then mutations of them. Linked with -fsanitize=fuzzer it is driven
// by coverage (fuzz.sh). Inputs are read in small pieces; behind the end everything is zero.
#ifndef FUZZ_H
#define FUZZ_H

#include <acre/bounds.h>
#include <acre/frustum.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size, at;
} fuzz_input;

bool fuzz_has_more(const fuzz_input *input);
uint32_t fuzz_byte(fuzz_input *input);
uint32_t fuzz_below(fuzz_input *input, uint32_t bound); // 0 .. bound - 1, bound <= 65536
uint32_t fuzz_u32(fuzz_input *input);

// Any float; one byte names a multiple of a cell, a power of two, +-0, a denormal, the largest
// float, infinity or NaN, or one of the floats beside it; rarely four bytes are the float itself.
float fuzz_float(fuzz_input *input);

// As fuzz_float, without NaN and infinity.
float fuzz_finite(fuzz_input *input);

// Mostly valid: min and an extent; else six floats of any kind.
acre_aabb fuzz_box(fuzz_input *input);

// Any planes, rarely more of them than there can be.
acre_frustum fuzz_frustum(fuzz_input *input);

// Set by --print: a target then shows an input as C, if it can.
extern bool fuzz_prints;

// Called, if set, when the program ends because of a finding or a crash.
extern void (*fuzz_at_death)(void);

// Tells where and what, and aborts.
_Noreturn void fuzz_fail(const char *file, int line, const char *text);

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fuzz_fail(__FILE__, __LINE__, #condition);                                             \
        }                                                                                          \
    } while (0)

#endif
