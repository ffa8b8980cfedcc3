// SPDX-License-Identifier: MIT
// replay_watch.h - shows at a terminal how far the replay of a recording is.
#ifndef ACRE_TOOLS_REPLAY_WATCH_H
#define ACRE_TOOLS_REPLAY_WATCH_H

#include "terminal.h"

#include <acre/record.h>

typedef struct replay_watch {
    progress line;
    size_t size; // bytes of the recording
} replay_watch;

// An acre_record_watch; context is a replay_watch. Never ends the replay. progress_end ends the
// line.
bool replay_watch_show(void *context, const acre_record_report *report);

#endif
