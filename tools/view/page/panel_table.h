// SPDX-License-Identifier: MIT
// panel_table.h - the controls of a stage as text, from which a page makes its panel.
//
// It stands in the place of panel.cpp: whatever panel_draw is given can be read here until the next
// frame, and what the page sets is written where the controls point to.
#ifndef ACRE_TOOLS_PANEL_TABLE_H
#define ACRE_TOOLS_PANEL_TABLE_H

// JSON: {"title": "", "about": "", "controls": [{"kind": 0, "name": "", ...}, ...]}. A switch and a
// slider have "value", a slider has "least" and "most", a choice has "value" and "choices", a
// readout has "text".
const char *panel_table_text(void);

// Sets the control of a number in the last table, from the next frame on. Out of range: nothing.
void panel_table_set(unsigned number, int value);

#endif
