// SPDX-License-Identifier: MIT
// near_name.h - the name that somebody meant who typed another: "did you mean".
#ifndef ACRE_TOOLS_NEAR_NAME_H
#define ACRE_TOOLS_NEAR_NAME_H

#include <stddef.h>

typedef struct near_name {
    const char *typed;
    const char *best; // NULL: no name so far is near
    size_t slips;     // one more than `best` may have
} near_name;

// @param typed up to a "="; what stands behind is a value.
near_name near_name_begin(const char *typed);

// Names are tried one after the other; of equally near ones the first stays. Near is a name that
// `typed` begins, or one within two slips and a third of its letters: a letter too many, too few,
// wrong, or two in the wrong order.
void near_name_try(near_name *near, const char *name);

#endif
