// SPDX-License-Identifier: MIT
// test.h - the test harness: cases with sentence names, a seed, a count of passed and failed.
//
// A test program lists its cases in one table and hands it to test_run. A failing CHECK prints
// where and what, marks the case as failed and returns from the case; a failing EXPECT goes on.
//     program [--seed N] [--scale N] [--filter TEXT]
// Other options end the program with status 2, so that a slip of the keyboard runs no other test
// than meant.
#ifndef ACRE_TEST_H
#define ACRE_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

#define TEST(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

extern uint64_t test_seed;  // --seed, printed when a case fails
extern uint32_t test_scale; // --scale, multiplies the length of random streams, default 1

int test_run(int argc, char **argv, const test_case *cases, size_t count);
void test_fail(const char *file, int line, const char *text);

// Checks of Acre that fail (acre/assert.h). While they are expected they are counted; otherwise
// they end the program as the default handler does.
void test_expect_asserts(bool are_expected);
uint32_t test_take_asserts(void); // how many failed since the last call; 0 with ACRE_CHECK 0

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_fail(__FILE__, __LINE__, #condition);                                             \
            return;                                                                                \
        }                                                                                          \
    } while (0)

// As CHECK, but the function goes on: for helpers that return something.
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_fail(__FILE__, __LINE__, #condition);                                             \
        }                                                                                          \
    } while (0)

// Deterministic on every platform: splitmix64 (Steele, Lea and Flood 2014).
typedef struct test_random {
    uint64_t state;
} test_random;

uint64_t random_bits(test_random *random);
uint32_t random_below(test_random *random, uint32_t bound); // 0 .. bound - 1
float random_float(test_random *random, float low, float high);

#endif
