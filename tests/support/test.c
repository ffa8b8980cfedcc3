// SPDX-License-Identifier: MIT
// test.c - the test harness.
#include "test.h"

#include <acre/assert.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t test_seed = 1;
uint32_t test_scale = 1;

static bool case_failed;

void test_fail(const char *file, int line, const char *text)
{
    if (!case_failed) {
        printf("%s:%d: %s\n", file, line, text);
    }
    case_failed = true;
}

// A whole number that is not larger than most.
static bool read_number(const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

static bool read_option(const char *option, const char *value, const char **filter)
{
    uint64_t scale;
    if (!value) {
        return false;
    }
    if (strcmp(option, "--seed") == 0) {
        return read_number(value, UINT64_MAX, &test_seed);
    }
    if (strcmp(option, "--scale") == 0) {
        const bool is_good = read_number(value, UINT32_MAX, &scale);
        test_scale = (uint32_t)scale;
        return is_good;
    }
    if (strcmp(option, "--filter") == 0) {
        *filter = value;
        return true;
    }
    return false;
}

int test_run(int argc, char **argv, const test_case *cases, size_t count)
{
    const char *filter = "";
    for (int i = 1; i < argc; i += 2) {
        const char *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!read_option(argv[i], value, &filter)) {
            fprintf(stderr,
                    "%s: '%s%s%s' is no option of a test; known are --seed N, --scale N and "
                    "--filter TEXT\n",
                    argv[0], argv[i], value ? " " : "", value ? value : "");
            return 2;
        }
    }
    size_t passed = 0;
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (!strstr(cases[i].name, filter)) {
            continue;
        }
        case_failed = false;
        cases[i].run();
        printf("%s %s", case_failed ? "FAIL" : "ok  ", cases[i].name);
        printf(case_failed ? " (--seed %llu)\n" : "\n", (unsigned long long)test_seed);
        fflush(stdout);
        passed += !case_failed;
        failed += case_failed;
    }
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed > 0 || passed == 0;
}

static uint32_t failed_asserts;

static void count_assert(void *user, const char *condition, const char *file, int line)
{
    (void)condition;
    (void)file;
    (void)line;
    ++*(uint32_t *)user;
}

void test_expect_asserts(bool are_expected)
{
    acre_set_assert_handler(are_expected ? count_assert : NULL, &failed_asserts);
}

uint32_t test_take_asserts(void)
{
    const uint32_t count = failed_asserts;
    failed_asserts = 0;
    return count;
}

uint64_t random_bits(test_random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t random_below(test_random *random, uint32_t bound)
{
    return (uint32_t)(((random_bits(random) >> 32) * bound) >> 32);
}

float random_float(test_random *random, float low, float high)
{
    const float unit = (float)(random_bits(random) >> 40) * (1.0f / 16777216.0f);
    return low + (high - low) * unit;
}
