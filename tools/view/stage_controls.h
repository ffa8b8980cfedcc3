// SPDX-License-Identifier: MIT
// stage_controls.h - the table of switches, sliders and readouts, which a panel or a page shows.
#ifndef ACRE_TOOLS_STAGE_CONTROLS_H
#define ACRE_TOOLS_STAGE_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum control_kind {
    CONTROL_TITLE, // of those that follow
    CONTROL_SWITCH,
    CONTROL_SLIDER,
    CONTROL_CHOICE,
    CONTROL_READOUT
} control_kind;

typedef struct stage_control {
    control_kind kind;
    const char *name; // lives until the next frame
    bool *is_on;
    int *value;
    int least, most;            // of a slider; of a choice 0 and the last
    const char *const *choices; // most + 1 of them
    char text[96];              // of a readout
    uint32_t rgba;              // a readout explains this color; 0: none
    const char *help;           // a sentence about it; NULL: the name says all
} stage_control;

#endif
