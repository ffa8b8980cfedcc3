// SPDX-License-Identifier: MIT
// told_calls.c - what the handler was told of each call, and how often.
#include "told_calls.h"
#undef TOLD

#include "test.h"

#include <acre/refusal.h>

#include <string.h>

enum { MOST_CALLS = 8, MOST_FUNCTIONS = 128, MOST_RESULTS = 16 };

char told_text[256];
acre_batch_report told_report;

// The calls that are being made, each from within the one before it.
static struct {
    size_t count;
    char function[64], argument[64], text[256];
    acre_batch_report report;
} calls[MOST_CALLS];
static size_t depth;

static struct {
    const char *function;
    size_t counts[MOST_RESULTS];
} totals[MOST_FUNCTIONS];

// Stable functions that refuse and return no acre_result.
static const char *const others[] = {
    "acre_quadtree_clear",       "acre_quadtree_destroy",       "acre_quadtree_contains",
    "acre_quadtree_get_boxes",   "acre_quadtree_get_layers",    "acre_quadtree_get_stats",
    "acre_quadtree_last_report", "acre_quadtree_state_hash",    "acre_quadtree_content_hash",
    "acre_quadtree_query_aabb",  "acre_quadtree_query_frustum", "acre_scene_destroy",
    "acre_scene_get_stats",      "acre_culling_destroy",        "acre_culling_is_registered",
    "acre_culling_get_rule",     "acre_culling_query",          "acre_culling_get_stats",
    "acre_visible_set_get",
};
static size_t other_count;

static bool is_other(const char *function)
{
    bool is_one = false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        is_one |= strcmp(others[i], function) == 0;
    }
    return is_one;
}

size_t told_take_others(void)
{
    const size_t count = other_count;
    other_count = 0;
    return count;
}

static void copy(char *to, size_t size, const char *from)
{
    EXPECT(strlen(from) < size);
    (void)snprintf(to, size, "%s", from);
}

// Whether the text is "function: argument..." or, without an argument, "function: why".
static bool text_is_good(const char *function, const char *argument, const char *text)
{
    const size_t length = strlen(function);
    return strncmp(text, function, length) == 0 && strncmp(text + length, ": ", 2) == 0 &&
           strncmp(text + length + 2, argument, strlen(argument)) == 0 &&
           strlen(text) > length + 2 + strlen(argument);
}

static void note(void *user, const acre_refused_call *call)
{
    (void)user;
    if (is_other(call->function)) {
        EXPECT(text_is_good(call->function, call->argument, call->text) && *call->argument);
        other_count++;
        return;
    }
    if (depth > 0) { // else of a call that a helper made
        calls[depth - 1].count++;
        calls[depth - 1].report = call->report;
        copy(calls[depth - 1].function, sizeof calls[0].function, call->function);
        copy(calls[depth - 1].argument, sizeof calls[0].argument, call->argument);
        copy(calls[depth - 1].text, sizeof calls[0].text, call->text);
    }
}

void told_begin(void)
{
    acre_set_refusal_handler(note, NULL);
    EXPECT(depth < MOST_CALLS);
    calls[depth++].count = 0;
}

static void count_result(const char *function, acre_result result)
{
    size_t i = 0;
    while (i < MOST_FUNCTIONS && totals[i].function && strcmp(totals[i].function, function) != 0) {
        i++;
    }
    if (i < MOST_FUNCTIONS) {
        totals[i].function = function;
        totals[i].counts[result]++;
    }
}

size_t told_count(const char *function, acre_result result)
{
    for (size_t i = 0; i < MOST_FUNCTIONS && totals[i].function; i++) {
        if (strcmp(totals[i].function, function) == 0) {
            return totals[i].counts[result];
        }
    }
    return 0;
}

acre_result told_end(const char *function, acre_result result)
{
    EXPECT(depth > 0);
    depth--;
    const acre_refusal first = calls[depth].report.first;
    bool is_good = calls[depth].count == (result != ACRE_OK);
    if (is_good && result != ACRE_OK) {
        is_good = strcmp(calls[depth].function, function) == 0 && first.result == result &&
                  (first.argument > 0) == (calls[depth].argument[0] != '\0') &&
                  (first.argument > 0) == (first.rule != ACRE_REFUSED_NOTHING) &&
                  (first.argument > 0 || result == ACRE_ERROR_OUT_OF_MEMORY ||
                   result == ACRE_ERROR_IO) && // IO: of a hook
                  calls[depth].report.refused > 0 &&
                  text_is_good(function, calls[depth].argument, calls[depth].text);
        copy(told_text, sizeof told_text, calls[depth].text);
        told_report = calls[depth].report;
    }
    if (!is_good) {
        printf("%s answered \"%s\" and told %zu times: %s\n", function, acre_result_text(result),
               calls[depth].count, calls[depth].count > 0 ? calls[depth].text : "nothing");
    }
    EXPECT(is_good);
    count_result(function, result);
    return result;
}
