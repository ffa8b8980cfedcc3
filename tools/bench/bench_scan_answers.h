// SPDX-License-Identifier: MIT
// bench_scan_answers.h - questions of bench_questions.h as scans of all boxes.
#ifndef ACRE_TOOLS_BENCH_SCAN_ANSWERS_H
#define ACRE_TOOLS_BENCH_SCAN_ANSWERS_H

#include "bench_contender.h"
#include "bench_scans.h"

// Room and results as of bench_contender's answer and nearest.
size_t scan_answer(const scan_set *scans, const scan_boxes *boxes, const asked_question *question,
                   uint32_t *items);
size_t scan_answer_nearest(const scan_set *scans, const scan_boxes *boxes,
                           const asked_question *question, acre_query_hit *hits);

// The planes with their edges; is_opposite: the corners that lie least far along the normals.
// Returns how many there are.
uint32_t scan_set_planes(scan_plane *out, const scan_boxes *boxes, const acre_frustum *from,
                         bool is_opposite);

#endif
