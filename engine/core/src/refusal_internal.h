// SPDX-License-Identifier: MIT
// refusal_internal.h - how a stable function tells the program's handler that it refused a call.
//
// A stable function ends with ACRE_ANSWER, which passes its result on. After an error it also
// passes all arguments to acre_refuse. That looks for the one that is at fault by testing them
// again, so that the good path carries nothing for it.
//     return ACRE_ANSWER(result, "o@?C", scene, entity.index1, local);
//
// The string has a letter for each argument, in the order of the header:
//     o  an object, which may not be NULL, and which may be busy
//     p  a pointer that may not be NULL          q  a pointer of an array, which may not be NULL
//     i  a condition that must hold: "is NULL"   u  a number
//     n  a count, of type size_t                 #  an item
//     @  the index1 of a handle                  k  a clip convention
//     3  three finite floats                     m  16 finite floats
//     x  a float, not NaN                        g  a finite float
//     f  a finite float above 0                  a  an angle, above 0 and below pi
//     -  a pointer that may be NULL, or an array that is not looked at
//     capital letters: a struct; refusal_text.c has a list of them, with their fields
// and before a letter:
//     ?  a pointer that may be NULL
//     !  an argument that is at fault if no argument is wrong by itself
//     [  an array, whose count is the next n
// A is followed by a pointer to the box of its first refused row.
// A batch passes its refused rows and the first of them before its arguments, and its string begins
// with r.
#ifndef ACRE_REFUSAL_INTERNAL_H
#define ACRE_REFUSAL_INTERNAL_H

#include "assert_internal.h"

#include <acre/base.h>

#include <stdarg.h>

/// A call as it was refused. rule: the one to name where the arguments look right, or 0.
typedef struct refused_arguments {
    acre_result result;
    acre_refusal_rule rule;
    const char *function;
    const char *text; // letters ":" arguments
} refused_arguments;

typedef void (*refusal_hook)(const refused_arguments *call, va_list *values);

/// Tells the handler, if there is one. @return result.
acre_result acre_refuse(acre_result result, acre_refusal_rule rule, const char *function,
                        const char *text, ...);

/// Sets what acre_refuse calls; NULL: nothing.
void acre_set_refusal_hook(refusal_hook hook);

// Between these, what this thread calls is Acre's own business: nobody is told what it refuses.
void acre_hold_refusals(void);
acre_result acre_release_refusals(acre_result result); // @return result

/// A call that is Acre's own business. @return what it answers.
#define ACRE_UNTOLD(call) (acre_hold_refusals(), acre_release_refusals(call))

#define ACRE_ANSWER_RULE(result, rule, letters, ...)                                               \
    ((result) == ACRE_OK                                                                           \
         ? ACRE_OK                                                                                 \
         : acre_refuse(result, rule, __func__, letters ":" #__VA_ARGS__, __VA_ARGS__))
/// The same in a helper that answers for the public function of that name.
#define ACRE_ANSWER_OF(function, result, letters, ...)                                             \
    ((result) == ACRE_OK ? ACRE_OK                                                                 \
                         : acre_refuse(result, ACRE_REFUSED_NOTHING, function,                     \
                                       letters ":" #__VA_ARGS__, __VA_ARGS__))
#define ACRE_ANSWER(result, letters, ...)                                                          \
    ACRE_ANSWER_RULE(result, ACRE_REFUSED_NOTHING, letters, __VA_ARGS__)

/// 0, of a function that returns no acre_result.
#define ACRE_NOTHING(result, letters, ...)                                                         \
    (acre_refuse(result, ACRE_REFUSED_NOTHING, __func__, letters ":" #__VA_ARGS__, __VA_ARGS__), 0u)
/// The same after a mistake of the program, which builds with checks report. The handler is told
/// first, since the report may end the program.
#define ACRE_MISUSED(result, letters, ...)                                                         \
    ((void)ACRE_NOTHING(result, letters, __VA_ARGS__), ACRE_ASSERT((result) == ACRE_OK), 0u)

#endif
