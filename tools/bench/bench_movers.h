// SPDX-License-Identifier: MIT
// bench_movers.h - entities that move here and there, beside the lines of memory that they touch.
#ifndef ACRE_BENCH_MOVERS_H
#define ACRE_BENCH_MOVERS_H

#include "bench_options.h"
#include "measure_rows.h"

#include <stdio.h>

enum { MOVERS_LEAST = 10000 }; // entities

// Shares of the entities move, chosen at random: ns a mover for acre_entity_set_local and the
// commit with its culler, and for a loop that only touches the same lines, fetched ahead. Boxes of
// the scene and the culler's tree are compared with the definition. Returns false with a message.
bool movers_measure(const bench_options *options, uint32_t count, measure_rows *rows, char *message,
                    size_t message_size);

void movers_report(uint32_t count, const measure_rows *rows, FILE *out);

#endif
