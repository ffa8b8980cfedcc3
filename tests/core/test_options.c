// SPDX-License-Identifier: MIT
// test_options.c - what a test program takes on its command line, and that it refuses all else.
#include "test.h"

static uint32_t runs;
static uint64_t seed;
static uint32_t scale;

static void note_run(void)
{
    runs++;
    seed = test_seed;
    scale = test_scale;
}

// What test_run returns with these arguments, of which there are at most four.
static int status_of(const char *const *arguments)
{
    static const test_case cases[] = {{"a run", note_run}};
    char texts[5][32] = {"program"};
    char *argv[5] = {texts[0]};
    int argc = 1;
    runs = 0;
    while (argc < 5 && arguments[argc - 1]) {
        snprintf(texts[argc], sizeof texts[argc], "%s", arguments[argc - 1]);
        argv[argc] = texts[argc];
        argc++;
    }
    const uint64_t kept_seed = test_seed;
    const uint32_t kept_scale = test_scale;
    const int status = test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
    test_seed = kept_seed;
    test_scale = kept_scale;
    return status;
}

static const char *const good[][5] = {
    {"--filter", "run"},
    {"--filter", "run", "--seed", "7"},
    {"--filter", "run", "--seed", "0x7"},
    {"--filter", "run", "--scale", "3"},
};

static const char *const bad[][5] = {
    {"--sede", "7"},
    {"--seed"},
    {"--seed", "7x"},
    {"--seed", "-7"},
    {"--seed", ""},
    {"--scale", "1e3"},
    {"--scale", "4294967296"},
    {"run"},
    {"--filter", "run", "7"},
    {"--seed=7"},
    {"--seed", "18446744073709551616"},
};

static void known_options_are_taken(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK(status_of(good[i]) == 0 && runs == 1);
        CHECK(i == 0 || i == 3 || seed == 7);
        CHECK(i != 3 || scale == 3);
    }
}

static void a_filter_that_no_case_has_is_a_failure(void)
{
    static const char *const none[5] = {"--filter", "walk"};
    CHECK(status_of(none) == 1 && runs == 0);
}

static void unknown_options_and_values_end_with_status_2_and_run_nothing(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(status_of(bad[i]) == 2 && runs == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(known_options_are_taken),
        TEST(a_filter_that_no_case_has_is_a_failure),
        TEST(unknown_options_and_values_end_with_status_2_and_run_nothing),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
