// SPDX-License-Identifier: MIT
// test_access.c - the detector of calls that meet (access_internal.h).
#include "test.h"

#undef ACRE_CHECK
#define ACRE_CHECK 1
#include <access_internal.h>

static void many_read_and_one_writes(void)
{
    acre_access access = {0};
    CHECK(access_begin_read(&access) && access_begin_read(&access));
    CHECK(!access_begin_write(&access));
    access_end_read(&access);
    CHECK(!access_begin_write(&access));
    access_end_read(&access);
    CHECK(access_begin_write(&access));
    CHECK(!access_begin_write(&access) && !access_begin_read(&access));
    access_end_write(&access);
    CHECK(access_begin_read(&access));
    access_end_read(&access);
    CHECK(access_begin_write(&access));
}

static void a_refused_begin_leaves_the_object_as_it_was(void)
{
    acre_access access = {0};
    CHECK(access_begin_write(&access));
    for (int i = 0; i < 1000; i++) {
        CHECK(!access_begin_read(&access) && !access_begin_write(&access));
    }
    access_end_write(&access);
    CHECK(access_begin_read(&access));
    for (int i = 0; i < 1000; i++) {
        CHECK(!access_begin_write(&access));
    }
    access_end_read(&access);
    CHECK(access_begin_write(&access));
}

static void a_writer_can_go_on_as_a_reader(void)
{
    acre_access access = {0};
    CHECK(access_begin_write(&access));
    access_write_to_read(&access);
    CHECK(access_begin_read(&access) && !access_begin_write(&access));
    access_end_read(&access);
    CHECK(!access_begin_write(&access));
    access_end_read(&access);
    CHECK(access_begin_write(&access));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(many_read_and_one_writes),
        TEST(a_refused_begin_leaves_the_object_as_it_was),
        TEST(a_writer_can_go_on_as_a_reader),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
