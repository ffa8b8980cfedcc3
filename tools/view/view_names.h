// SPDX-License-Identifier: MIT
// view_names.h - options of `acre view` whose values are names that only the viewer has.
#ifndef ACRE_TOOLS_VIEW_NAMES_H
#define ACRE_TOOLS_VIEW_NAMES_H

#include "options.h"

// `set` of an option_spec, for a name of a sample and for names of overlays with commas between.
bool view_set_sample(void *target, const char *text, const option_message *message);
bool view_set_overlays(void *target, const char *text, const option_message *message);

#endif
