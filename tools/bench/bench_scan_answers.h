// SPDX-License-Identifier: MIT
// bench_scan_answers.h - questions of bench_questions.h as scans of all boxes.
#ifndef ACRE_TOOLS_BENCH_SCAN_ANSWERS_H
#define ACRE_TOOLS_BENCH_SCAN_ANSWERS_H

#include "bench_questions.h"
#include "bench_scans.h"

// Room and results as of bench_contender's answer and nearest.
size_t scan_answer(const scan_set *scans, const simd_boxes *boxes,
                   const contender_question *question, uint32_t *items);
size_t scan_answer_nearest(const scan_set *scans, const simd_boxes *boxes,
                           const contender_question *question, acre_query_hit *hits);

#endif
