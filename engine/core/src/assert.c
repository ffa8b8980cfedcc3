// SPDX-License-Identifier: MIT
// assert.c - the handler of failed checks: the one variable that all of Acre shares.
#include "assert_internal.h"

#include <acre/assert.h>

#if ACRE_CHECK >= 1
#include <stdio.h>
#include <stdlib.h>

static void print_and_abort(void *user, const char *condition, const char *file, int line)
{
    (void)user;
    (void)fprintf(stderr, "acre: %s:%d: this does not hold: %s\n", file, line, condition);
    abort();
}

static acre_assert_handler current_handler = print_and_abort;
static void *current_user;

void acre_set_assert_handler(acre_assert_handler handler, void *user)
{
    current_handler = handler ? handler : print_and_abort;
    current_user = user;
}

void acre_assert_failed(const char *condition, const char *file, int line)
{
    current_handler(current_user, condition, file, line);
}

#else

void acre_set_assert_handler(acre_assert_handler handler, void *user)
{
    (void)handler;
    (void)user;
}

#endif
