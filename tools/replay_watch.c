// SPDX-License-Identifier: MIT
// replay_watch.c - shows at a terminal how far the replay of a recording is.
#include "replay_watch.h"

bool replay_watch_show(void *context, const acre_record_report *report)
{
    replay_watch *const watch = context;
    progress_show(&watch->line, "replaying: %zu calls, %.0f %% of the file", report->calls,
                  100.0 * (double)report->offset / (double)watch->size);
    return true;
}
