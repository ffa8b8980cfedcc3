// SPDX-License-Identifier: MIT
// assert.h - what happens when Acre finds that a caller broke a contract, or that Acre has a fault.
//
// Stable.
//
// ACRE_CHECK says how much a build checks:
//     0    nothing is checked (CMake's Release)
//     1    contracts: what the caller must keep (Debug and RelWithDebInfo)
//     2    also invariants: what Acre itself must keep
//     3    also all invariants of the whole structure, after each call that edits it
// A check never replaces an answer: stale handles, NaN boxes and full memory get an acre_result in
// every build. A function without a result answers NULL and misuse with 0 or nothing, and a check
// reports them.
//
// Typical use:
//     static void report(void *user, const char *condition, const char *file, int line);
//     acre_set_assert_handler(report, game);
//
// Threading: set the handler before any other call of Acre; it is called by the thread that found
// the fault.
#ifndef ACRE_ASSERT_H
#define ACRE_ASSERT_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// Receives the condition that does not hold, as text, and its place in Acre's source. If it
/// returns, the call goes on and answers as in a build without checks.
typedef void (*acre_assert_handler)(void *user, const char *condition, const char *file, int line);

/// Replaces the handler of the whole process.
/// @param handler NULL: the default, which prints one line to stderr and aborts. Builds with
/// ACRE_CHECK 0 call no handler.
/// @param user passed to the handler.
ACRE_API void acre_set_assert_handler(acre_assert_handler handler, void *user);

ACRE_EXTERN_C_END

#endif
