// SPDX-License-Identifier: MIT
// crowd_report.h - what `acre crowd` says at the end: a table, and JSON.
#ifndef ACRE_TOOLS_CROWD_REPORT_H
#define ACRE_TOOLS_CROWD_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CROWD_PHASES = 5 };
extern const char *const crowd_phase_names[CROWD_PHASES];

typedef struct crowd_figures {
    uint32_t walkers, ticks, parts, workers;
    double median, least, most;             // milliseconds a tick
    double phases[CROWD_PHASES];            // milliseconds a tick, mean
    double ghosts, kilobytes_sent, migrate; // a part and tick
    double imbalance;                       // largest part / mean
    uint32_t recuts;
    uint64_t content; // hash of all walkers
} crowd_figures;

void crowd_report_print(const crowd_figures *figures);

// Returns false and a message that names the file where it cannot be written.
bool crowd_report_write_json(const crowd_figures *figures, const char *path, char *message,
                             size_t message_size);

#endif
