// SPDX-License-Identifier: MIT
// test_partition_tally.c - sums that are exact whatever the order and the grouping.
#include "test.h"

#include <acre/partition_tally.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { VALUES = 500 };

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static double any_double(test_random *random)
{
    const int exponent = (int)random_below(random, 2098) - 1074;
    const double value = ldexp((double)(random_bits(random) >> 11), exponent - 52);
    const uint32_t kind = random_below(random, 8);
    const double sign = random_below(random, 2) ? -1 : 1;
    return sign * (kind == 0 ? 0 : kind == 1 ? DBL_MAX : isfinite(value) ? value : 1);
}

static void sums_do_not_depend_on_order_or_grouping(void)
{
    test_random random = {test_seed};
    static double values[VALUES];
    acre_tally all = {0}, parts[7] = {{0}}, reversed = {0}, merged = {0};
    for (uint32_t i = 0; i < VALUES; i++) {
        values[i] = any_double(&random);
        acre_tally_add(&all, values[i]);
        acre_tally_add(&parts[random_below(&random, 7)], values[i]);
    }
    for (uint32_t i = VALUES; i-- > 0;) {
        acre_tally_add(&reversed, values[i]);
    }
    for (uint32_t i = 0; i < 7; i++) {
        acre_tally_merge(&merged, &parts[i]);
    }
    CHECK(is_same(acre_tally_sum(&all), acre_tally_sum(&reversed)));
    CHECK(is_same(acre_tally_sum(&all), acre_tally_sum(&merged)));
    CHECK(all.count == merged.count && is_same(all.min, merged.min) &&
          is_same(all.max, merged.max));
    acre_tally_settle(&all);
    acre_tally_settle(&merged);
    CHECK(memcmp(all.digits, merged.digits, sizeof all.digits) == 0);
    for (uint32_t i = 0; i < VALUES; i++) { // taking all away leaves nothing
        acre_tally_add(&all, -values[i]);
    }
    CHECK(is_same(acre_tally_sum(&all), 0.0));
}

static double sum_of(const double *values, size_t count)
{
    acre_tally tally = {0};
    for (size_t i = 0; i < count; i++) {
        acre_tally_add(&tally, values[i]);
    }
    return acre_tally_sum(&tally);
}

static void known_sums_are_rounded_once(void)
{
    const double tenths[10] = {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1};
    const double tie[] = {0x1p53, 1}, above[] = {0x1p53, 1, 0x1p-1074}, odd[] = {0x1p53, 2, 1};
    const double small[] = {0x1p-1074, 0x1p-1074, -0x1p-1073, 0x1p-1074};
    const double cancel[] = {DBL_MAX, DBL_MAX, 1e-300, -DBL_MAX, -DBL_MAX};
    const double large[] = {DBL_MAX, DBL_MAX}, negative[] = {-0x1p53, -1, -0x1p-1074};
    const double one[] = {-0.0}, mixed[] = {1, 0x1p1000, -0x1p1000, 0x1p-60};
    CHECK(is_same(sum_of(tenths, 10), 1.0)); // 10 * 0.1 exceeds 1 by less than half a float
    CHECK(is_same(sum_of(tie, 2), 0x1p53) && is_same(sum_of(above, 3), 0x1p53 + 2));
    CHECK(is_same(sum_of(odd, 3), 0x1p53 + 4) && is_same(sum_of(small, 4), 0x1p-1074));
    CHECK(is_same(sum_of(cancel, 5), 1e-300) && isinf(sum_of(large, 2)));
    CHECK(is_same(sum_of(negative, 3), -0x1p53 - 2) && is_same(sum_of(one, 1), 0.0));
    CHECK(is_same(sum_of(mixed, 4), 1.0) && is_same(sum_of(NULL, 0), 0.0));
}

// Whole numbers of 2^-20, whose sums stay within 63 bits: longer integers need not be asked.
static void sums_of_whole_numbers_are_those_of_integers(void)
{
    test_random random = {test_seed};
    acre_tally tally = {0};
    int64_t sum = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const int64_t value = (int64_t)(random_bits(&random) >> (12 + random_below(&random, 40)));
        const int64_t signed_value = random_below(&random, 3) ? value : -value;
        acre_tally_add(&tally, ldexp((double)signed_value, -20)); // at most 52 bits: exact
        sum += signed_value;
        CHECK(sum < INT64_MAX / 2 && sum > INT64_MIN / 2);
        CHECK(is_same(acre_tally_sum(&tally), ldexp((double)sum, -20)));
    }
}

static void what_is_not_finite_is_only_counted(void)
{
    acre_tally tally = {0};
    acre_tally_add(&tally, (double)NAN);
    acre_tally_add(&tally, (double)INFINITY);
    CHECK(tally.count == 0 && tally.skipped == 2 && is_same(acre_tally_sum(&tally), 0.0));
    acre_tally_add(&tally, -3);
    acre_tally_add(&tally, -(double)INFINITY);
    CHECK(tally.count == 1 && is_same(tally.min, -3.0) && is_same(tally.max, -3.0));
    acre_tally twice = tally;
    acre_tally_merge(&twice, &twice);
    CHECK(twice.count == 2 && twice.skipped == 6 && is_same(acre_tally_sum(&twice), -6.0));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(sums_do_not_depend_on_order_or_grouping),
        TEST(known_sums_are_rounded_once),
        TEST(sums_of_whole_numbers_are_those_of_integers),
        TEST(what_is_not_finite_is_only_counted),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
