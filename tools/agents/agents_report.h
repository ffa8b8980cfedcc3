// SPDX-License-Identifier: MIT
// agents_report.h - what a run of agents found: for people, as JSON, as comma-separated values.
#ifndef ACRE_TOOLS_AGENTS_REPORT_H
#define ACRE_TOOLS_AGENTS_REPORT_H

#include "agents_run.h"

#include <stdio.h>

typedef struct agents_report {
    const agents_options *options;
    const agents_world *world;
    const agents_record *record;
    sample_summary measures[MEASURE_COUNT_];
    acre_quadtree_stats tree;
} agents_report;

// Sorts the record's samples.
void agents_report_fill(agents_report *report, const agents_options *options,
                        const agents_world *world, agents_record *record);

void agents_report_print(const agents_report *report, FILE *out);

// The pair that differs, where one does.
void agents_report_difference(const agents_record *record, FILE *out);

// Return false and a message that names the file where it cannot be written.
bool agents_report_json(const agents_report *report, char *message, size_t message_size);
bool agents_report_csv(const agents_report *report, char *message, size_t message_size);

#endif
