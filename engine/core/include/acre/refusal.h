// SPDX-License-Identifier: MIT
// refusal.h - a handler that is told of every refused call: which argument is wrong, and why.
//
// Experimental: it may change in any minor version.
//
// An acre_result says what kind of error it was. A handler gets the sentence:
//     acre_entity_set_local: local.scale[1] is infinite (slot 6)
// It is called once for each call of a stable function (tools/docs/stability.md) that returns
// another result than ACRE_OK, or that returns nothing because an argument is wrong. An
// experimental function is not told of; a stable one that it calls is.
//
// Typical use:
//     static void report(void *user, const acre_refused_call *call)
//     {
//         fprintf(stderr, "%s\n", call->text);
//     }
//     acre_set_refusal_handler(report, game);
//
// Cost: a call that is not refused pays nothing. A refused one pays some microseconds for its text,
// and a batch one look at each of its rows. In builds with checks (acre/assert.h) the handler runs
// before the failed check is reported.
//
// Threading: set the handler before any other call of Acre. It runs on the thread that made the
// refused call, after that call has ended: it may call everything that this thread may call then,
// edits too, and what is refused to it there is not told again. Nor is what is refused to a
// function of yours that Acre calls within another call: an allocator, the host's tasks, a culler's
// tree hook, a listener of its trees. What is refused to a visitor, or to a module's hook in a
// commit, is told.
#ifndef ACRE_REFUSAL_H
#define ACRE_REFUSAL_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// A refused call. What its pointers point to is gone when the handler returns.
typedef struct acre_refused_call {
    const char *function;     ///< its name
    const char *argument;     ///< the argument at fault, as its header spells it; "": none
    const char *text;         ///< one English sentence without a full stop
    acre_batch_report report; ///< the same as data; for a batch how many rows, and the first
} acre_refused_call;

typedef void (*acre_refusal_handler)(void *user, const acre_refused_call *call);

/// Replaces the handler of the whole process.
/// @param handler NULL: none, as at the beginning.
/// @param user passed to the handler.
ACRE_EXPERIMENTAL_API void acre_set_refusal_handler(acre_refusal_handler handler, void *user);

ACRE_EXTERN_C_END

#endif
