// SPDX-License-Identifier: MIT
// assert_internal.h - ACRE_ASSERT and ACRE_INVARIANT, for Acre's own files.
//
// ACRE_ASSERT states what the caller must keep, and what a function relies on when it is entered.
// ACRE_INVARIANT states what Acre's own structures keep: bounds of stacks, promised room, order.
// Neither is evaluated in builds whose ACRE_CHECK is below its level, so neither may have an
// effect. ACRE_INVARIANT_OK makes a call in every build: one that cannot fail, here. Data from
// outside is never asserted: it is answered with an acre_result.
#ifndef ACRE_ASSERT_INTERNAL_H
#define ACRE_ASSERT_INTERNAL_H

#include <acre/base.h>

// Acre's CMake files define it; without them it follows NDEBUG.
#ifndef ACRE_CHECK
#ifdef NDEBUG
#define ACRE_CHECK 0
#else
#define ACRE_CHECK 1
#endif
#endif

#if ACRE_CHECK >= 1
// Visible: a module may be a shared library of its own.
ACRE_API void acre_assert_failed(const char *condition, const char *file, int line);
#endif

#if defined(__FILE_NAME__)
#define ACRE_FILE_NAME __FILE_NAME__
#else
#define ACRE_FILE_NAME __FILE__
#endif

#define ACRE_CHECK_THAT(condition)                                                                 \
    ((condition) ? (void)0 : acre_assert_failed(#condition, ACRE_FILE_NAME, __LINE__))
#define ACRE_CHECK_NOTHING(condition) ((void)sizeof((condition) ? 1 : 0))

#if ACRE_CHECK >= 1
#define ACRE_ASSERT(condition) ACRE_CHECK_THAT(condition)
#else
#define ACRE_ASSERT(condition) ACRE_CHECK_NOTHING(condition)
#endif

#if ACRE_CHECK >= 2
#define ACRE_INVARIANT(condition) ACRE_CHECK_THAT(condition)
#define ACRE_INVARIANT_OK(call) ACRE_CHECK_THAT((call) == ACRE_OK)
#else
#define ACRE_INVARIANT(condition) ACRE_CHECK_NOTHING(condition)
#define ACRE_INVARIANT_OK(call) ACRE_IGNORE(call)
#endif

#endif
