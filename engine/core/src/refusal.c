// SPDX-License-Identifier: MIT
// refusal.c - where refused calls go: nowhere, unless the program has set a handler.
#include "refusal_internal.h"

#include "assert_internal.h"
#include "compiler_internal.h"

static refusal_hook current_hook;
static ACRE_THREAD_LOCAL uint32_t held; // calls of Acre's own that this thread is in

void acre_set_refusal_hook(refusal_hook hook)
{
    current_hook = hook;
}

void acre_hold_refusals(void)
{
    held++;
}

acre_result acre_release_refusals(acre_result result)
{
    ACRE_INVARIANT(held > 0);
    held--;
    return result;
}

acre_result acre_refuse(acre_result result, acre_refusal_rule rule, const char *function,
                        const char *text, ...)
{
    ACRE_ASSERT(result != ACRE_OK && rule < ACRE_REFUSED_COUNT_);
    if (!current_hook || held > 0) {
        return result;
    }
    const refused_arguments call = {result, rule, function, text};
    va_list values;
    va_start(values, text);
    held++; // the handler's own calls are not told
    current_hook(&call, &values);
    held--;
    va_end(values);
    return result;
}
