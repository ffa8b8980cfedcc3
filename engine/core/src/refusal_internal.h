// SPDX-License-Identifier: MIT
// refusal_internal.h - how a stable function tells the program's handler that it refused a call.
//
// A stable function ends with ACRE_ANSWER, which passes its result on. After an error it also
// passes all arguments to acre_refuse. That looks for the one that is at fault by testing them
// again, so that the good path carries nothing for it.
//     return ACRE_ANSWER(result, "o@c", scene, entity.index1, local);
//
// The string has a letter for each argument, in the order of the header:
//     o  an object, which may not be NULL, and which may be busy
//     p  a pointer that may not be NULL          -  a pointer that may be
//     i  a condition that must hold: "is NULL"   u  a number that cannot be at fault
//     #  an item                                 @  the index1 of a handle
//     n  a count                                 N, U  a count, a number: at fault if no other is
//     q  a pointer of an array, which may not be NULL
//     b  a box                                   c  a box, or NULL; it may be inverted
//     s  a struct, and its refused_struct        t  the same, or NULL
//     d  an acre_box_array, its refused_struct, and the box of the first refused row
//     3  three finite floats                     V  the same: at fault if no other is
//     m  16 finite floats                        M  16 doubles
//     g  a finite number                         f  a finite number above 0
//     a  an angle, above 0 and below pi          k  a clip convention
//     h  a number above 0: at fault if no other is
//     w  tasks, or NULL
//     [x an array of x, whose count is the next n or N; [U may be NULL
//     r  of a batch: the refused rows and the first of them; these are no arguments
#ifndef ACRE_REFUSAL_INTERNAL_H
#define ACRE_REFUSAL_INTERNAL_H

#include <acre/base.h>

#include <stdarg.h>

/// The test that a value of four bytes in a struct must pass.
typedef enum refused_test {
    FIELD_FINITE,    // a float
    FIELD_POSITIVE,  // a finite float above 0
    FIELD_ANGLE,     // a float above 0 and below pi
    FIELD_NUMBER,    // a float, not NaN
    FIELD_LIMIT,     // a float, not NaN and not below 0
    FIELD_SHARE,     // a float of 0 or more, below 1
    FIELD_FALLING,   // a float, not NaN, not below 0 and not above the one before it
    FIELD_UNUSED,    // a float that is 0
    FIELD_BELOW_MAX, // a float of a box, not above the one 3 floats behind it
    FIELD_ROTATION,  // the first of four floats, which are not all 0
    FIELD_PLANES,    // a float of an acre_frustum, not NaN
    FIELD_ENUM,      // a number from 1 to `most`
    FIELD_AT_MOST,   // a number up to `most`
    FIELD_BITS,      // a number that has only the bits of `most`
    FIELD_PRESENT,   // a pointer, not NULL
    FIELD_TRUE,      // a condition that is false where a pointer was NULL
    FIELD_HANDLE     // the index1 of a handle: at fault if the result is ACRE_ERROR_STALE_HANDLE
} refused_test;

typedef struct refused_field {
    char name[20];     // no pointer, which would take 32 bytes where programs are relocated
    uint16_t number;   // of the argument's field, as declared, from 1
    uint16_t offset;   // of the first value in the struct that holds it
    uint16_t pointer1; // offset of the pointer to that struct, plus 1; 0: it is the argument
    uint8_t count;     // of values
    uint8_t test;
    uint32_t most; // of a pointer, and of what it points to: only where the argument's first
                   // four bytes are this number; 0: always
} refused_field;

typedef struct refused_struct {
    size_t size;
    size_t count;
    const refused_field *fields;
} refused_struct;

#define REFUSED_FIELD(type, number, field, test, most)                                             \
    {                                                                                              \
#field, number, offsetof(type, field), 0, sizeof(((type *)0)->field) / 4, test, most       \
    }
/// A field of the struct that another field points to.
#define REFUSED_FIELD_OF(type, number, pointer, to, field, test, most)                             \
    {                                                                                              \
#pointer "." #field, number, offsetof(to, field), offsetof(type, pointer) + 1,             \
            sizeof(((to *)0)->field) / 4, test, most                                               \
    }
#define REFUSED_STRUCT(type, fields)                                                               \
    {                                                                                              \
        sizeof(type), sizeof(fields) / sizeof *(fields), fields                                    \
    }

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

/// @return whether acre_refuse tells anyone: whether what is for the handler alone is worth its
/// time.
bool acre_refusals_are_told(void);

/// Sets what acre_refuse calls; NULL: nothing.
void acre_set_refusal_hook(refusal_hook hook);

// Between these, what this thread calls is Acre's own business: nobody is told what it refuses.
void acre_hold_refusals(void);
void acre_release_refusals(void);

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

#endif
