// SPDX-License-Identifier: MIT
// test_assert.c - failed checks reach the handler, once each, and only those of the build's level.
#include "assert_internal.h"
#include "test.h"

#include <acre/assert.h>

#include <string.h>

typedef struct report {
    int count;
    int line;
    char condition[32];
    char file[32];
} report;

static void take(void *user, const char *condition, const char *file, int line)
{
    report *const out = user;
    out->count++;
    out->line = line;
    strncpy(out->condition, condition, sizeof out->condition - 1);
    strncpy(out->file, file, sizeof out->file - 1);
}

static void a_failed_check_names_its_condition_and_place(void)
{
    report out = {0};
    const int one = 1;
    acre_set_assert_handler(take, &out);
    ACRE_ASSERT(one == 1);
    ACRE_INVARIANT(one == 1);
    const bool is_silent = out.count == 0;
    ACRE_ASSERT(one == 2);
    const int line = __LINE__ - 1;
    acre_set_assert_handler(NULL, NULL);
    CHECK(is_silent);
    if (ACRE_CHECK >= 1) {
        CHECK(out.count == 1 && out.line == line && strcmp(out.condition, "one == 2") == 0);
        CHECK(strstr(out.file, "test_assert.c"));
    } else {
        CHECK(out.count == 0);
    }
}

static void invariants_are_checked_from_level_two_on(void)
{
    const int one = 1;
    test_expect_asserts(true);
    ACRE_INVARIANT(one == 2);
    test_expect_asserts(false);
    CHECK(test_take_asserts() == (ACRE_CHECK >= 2 ? 1u : 0u) && one == 1);
}

static void a_check_below_its_level_is_not_evaluated(void)
{
    int calls = 0;
    test_expect_asserts(true);
    ACRE_ASSERT(calls++ < 0);
    test_expect_asserts(false);
    CHECK(calls == (ACRE_CHECK >= 1 ? 1 : 0));
    CHECK(test_take_asserts() == (uint32_t)calls);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        TEST(a_failed_check_names_its_condition_and_place),
        TEST(invariants_are_checked_from_level_two_on),
        TEST(a_check_below_its_level_is_not_evaluated),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof *cases);
}
