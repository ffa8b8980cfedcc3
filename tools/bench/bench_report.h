// SPDX-License-Identifier: MIT
// bench_report.h - the figures of `acre bench` as tables for people.
#ifndef ACRE_TOOLS_BENCH_REPORT_H
#define ACRE_TOOLS_BENCH_REPORT_H

#include "bench_contest.h"

// The machine and the compiler: one line each.
void report_header(const bench_options *options, FILE *out);

// Tables of one contest, after it is measured.
void report_contest(const bench_contest *contest, FILE *out);

// Which contenders missed or found too much, and how many sets were compared.
void report_checks(const bench_contest *contest, FILE *out);

#endif
