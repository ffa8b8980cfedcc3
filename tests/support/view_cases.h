// SPDX-License-Identifier: MIT
// view_cases.h - ways to ask a view (rules, volumes, visible sets), and their definitions: what
// benchmarks measure and tests compare.
//
// Words used here:
//     case         one way to ask: which limits, what is kept, by Acre or by a plain loop
//     plain loop   Acre's plain query, then a loop over what it found that reads each box, as
//                  programs without views have it
#ifndef VIEW_CASES_H
#define VIEW_CASES_H

#include "country_scene.h"

#include <acre/visible_set.h>

// Room behind results that a whole vector may overwrite.
enum { CASE_SLACK = 32 };

typedef enum case_method {
    CASE_QUERY, // acre_culling_query_view
    CASE_ALL,   // every box against the volume
    CASE_FIND,  // acre_culling_find_visible
    CASE_LOOP   // the plain loop
} case_method;

// What a case asks beside the volume.
enum {
    ASK_DISTANCE = 1u << 0,
    ASK_PIXELS = 1u << 1,
    ASK_RANGES = 1u << 2, // entities' own distances
    ASK_LODS = 1u << 3,   // by entities' own sizes
    ASK_HYSTERESIS = 1u << 4,
    ASK_EXCLUDE = 1u << 5,
    ASK_INCLUDE = 1u << 6,
    ASK_LAYERS = 1u << 7 // three of four
};

typedef struct view_case {
    const char *name;
    case_method method;
    uint32_t flags; // of the set
    uint32_t asks;
} view_case;

// The first is what all others are compared with, a plain query.
enum { VIEW_CASES = 25 };
extern const view_case view_cases[VIEW_CASES];

// The views of a track as a case asks them. Points into itself: not to be copied.
typedef struct case_track {
    acre_view views[TRACK_LENGTH];
    acre_frustum exclude[TRACK_LENGTH], include[TRACK_LENGTH];
} case_track;

// The table of rules that a case needs; *out receives SCENE_RULES.
void case_rules(uint32_t asks, acre_visibility_rule *out);

// What the plain loop keeps from frame to frame.
typedef struct loop_memory {
    uint8_t *last;     // by slot: the LOD, plus 1, that it had in the last frame; 0: not visible
    uint8_t *next;     // by slot: of this frame
    uint32_t *visible; // of the last frame
    uint32_t *entered, *left, *stayed;
    uint64_t *bits;
    size_t visible_count, entered_count, left_count, stayed_count;
} loop_memory;

// One that answers cases, in a world.
typedef struct case_runner {
    const country_scene *world;
    // CASE_ALL: writes the numbers of the world's boxes that are visible, and returns how many.
    size_t (*query_all)(void *user, const acre_frustum *frustum, uint32_t *items);
    void *user;
    acre_visible_set *sets[VIEW_CASES];
    acre_visibility_rule rules[SCENE_RULES]; // of the present case
    case_track track;                        // of the present case
    uint32_t *slots;                         // of an answer that is no set's
    uint8_t *lods;
    uint32_t *found; // what the plain loop's query found
    loop_memory memory;
} case_runner;

// query_all is a plain loop until it is set. Returns false when memory is short; *out is then to be
// freed all the same.
bool case_runner_create(case_runner *out, const country_scene *world);
void case_runner_free(case_runner *runner);

// Before the first view of a track: its views, the case's rules, nothing remembered. Returns false
// if a camera has no volume or memory is short.
bool case_begin(case_runner *runner, uint32_t number, const track_kind *kind, uint32_t track);

// Asks one view of the track. Returns how many are visible; SIZE_MAX if something failed.
size_t case_ask(case_runner *runner, uint32_t number, uint32_t frame);

// What the last case_ask found. Slots are items where the method is CASE_ALL; what a case does not
// have is NULL.
acre_visible case_last_answer(const case_runner *runner, uint32_t number, size_t count);

// The plain loop (view_loop.c).
size_t loop_ask(case_runner *runner, uint32_t asks, const acre_view *view);
void loop_forget(loop_memory *memory);

// Compares all cases with the definitions, on a few frames of a track (view_check.c). Returns
// false and says what differs; *checked grows by the number of answers that were compared.
bool cases_check(case_runner *runner, const track_kind *kind, uint32_t track, uint64_t *checked,
                 char *message, size_t size);

// Whether the slots are those of the entities that a view without hysteresis sees, each once, by
// the definitions.
bool slots_are_visible(case_runner *runner, const acre_view *view, const uint32_t *slots,
                       size_t count);

// Whether the slots are those of the entities for which `is_wanted` answers so, each once.
bool slots_are_wanted(const country_scene *world, const uint32_t *slots, size_t count,
                      bool (*is_wanted)(const void *user, uint32_t slot), const void *user);

#endif
