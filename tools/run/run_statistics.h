// SPDX-License-Identifier: MIT
// run_statistics.h - samples of one quantity over many frames, and their minimum, median, maximum.
#ifndef ACRE_TOOLS_RUN_STATISTICS_H
#define ACRE_TOOLS_RUN_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sample_list {
    double *values;
    size_t count;
    size_t capacity;
} sample_list;

typedef struct sample_summary {
    double least, median, mean, p999, most; // all 0 without samples
    size_t count;
} sample_summary;

// Makes room, so that adding allocates nothing. Returns false when memory is short.
bool samples_reserve(sample_list *list, size_t capacity);
void samples_free(sample_list *list);

// Within the reserved room only; what exceeds it is a bug and is refused.
bool samples_add(sample_list *list, double value);

// Sorts the samples. The median of an even number is the mean of the two in the middle; p999 is the
// least sample that 999 of 1000 do not exceed.
sample_summary samples_summarise(sample_list *list);

// Forgets the samples, keeps the room.
void samples_clear(sample_list *list);

// Seconds of a clock that never runs backwards.
double clock_seconds(void);

#endif
