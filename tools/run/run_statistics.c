// SPDX-License-Identifier: MIT
// run_statistics.c - samples of one quantity over many frames, and their minimum, median, maximum.
#include "run_statistics.h"

#include <stdlib.h>
#include <time.h>

bool samples_reserve(sample_list *list, size_t capacity)
{
    if (capacity > list->capacity) {
        double *const values = realloc(list->values, capacity * sizeof *values);
        if (!values) {
            return false;
        }
        list->values = values;
        list->capacity = capacity;
    }
    return true;
}

void samples_free(sample_list *list)
{
    free(list->values);
    *list = (sample_list){0};
}

bool samples_add(sample_list *list, double value)
{
    if (list->count == list->capacity) {
        return false;
    }
    list->values[list->count++] = value;
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

sample_summary samples_summarise(sample_list *list)
{
    sample_summary summary = {.count = list->count};
    if (list->count == 0) {
        return summary;
    }
    qsort(list->values, list->count, sizeof *list->values, compare_doubles);
    for (size_t i = 0; i < list->count; i++) {
        summary.mean += list->values[i] / (double)list->count;
    }
    summary.least = list->values[0];
    summary.most = list->values[list->count - 1];
    summary.p999 = list->values[list->count - 1 - list->count / 1000];
    summary.median = 0.5 * (list->values[(list->count - 1) / 2] + list->values[list->count / 2]);
    return summary;
}

void samples_clear(sample_list *list)
{
    list->count = 0;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
