// SPDX-License-Identifier: MIT
// bench_report.h - the figures of `acre bench` as tables for people and as files for programs.
#ifndef ACRE_TOOLS_BENCH_REPORT_H
#define ACRE_TOOLS_BENCH_REPORT_H

#include "bench_race.h"

#include <stdio.h>

// The machine and the compiler: one line each.
void bench_report_header(const bench_options *options, FILE *out);

// Tables of one race, after it is measured.
void bench_report_race(const bench_race *race, FILE *out);

// Of them, those of measure_bursts and measure_churn.
void report_bursts(const bench_race *race, FILE *out);
void report_churn(const bench_race *race, FILE *out);

// Which contenders missed or found too much, and how many sets were compared.
void report_checks(const bench_race *race, FILE *out);

// All rows. Return false and a message that names the file where it cannot be written.
bool bench_report_json(const bench_options *options, const bench_rows *rows, char *message,
                       size_t message_size);
bool bench_report_csv(const bench_options *options, const bench_rows *rows, char *message,
                      size_t message_size);

// Pictures in the folder: query_by_size.svg, query_by_visible.svg, refresh_by_share.svg; of cost
// growth instead growth_by_size.svg, growth_by_visible.svg, growth_by_moving.svg.
bool bench_report_svg(const bench_options *options, const bench_rows *rows, char *message,
                      size_t message_size);

// "Intel(R) Xeon(R) ...", "gcc 12.2.0": of constant storage.
const char *bench_processor(void);
const char *bench_compiler(void);

#endif
