// SPDX-License-Identifier: MIT
// bench_occlusion.h - what a horizon drops from views, what it costs, and that nothing seen is
// lost.
#ifndef ACRE_TOOLS_BENCH_OCCLUSION_H
#define ACRE_TOOLS_BENCH_OCCLUSION_H

#include <acre/horizon.h>

#include "bench_sights.h"
#include "bench_options.h"
#include "measure_rows.h"

// What one view found.
typedef struct sight_find {
    size_t found, seen, kept; // drawn objects: in the volume, with a pixel, not dropped
    size_t hidden_dropped;    // of those without a pixel
    size_t lost;              // dropped, but with a pixel: must be 0
    size_t occluders;
    bool gave_up;
} sight_find;

// What is asked of each view, and room for it.
typedef struct sight_bench {
    acre_kernel kernel;
    acre_horizon *horizon; // of the last view
    item_buffer buffer;
    uint32_t *plain, *kept, *pixels; // slots; pixels by slot
    size_t plain_count, kept_count;
} sight_bench;

// Returns false when memory is short; *out is then to be freed all the same.
bool sight_bench_create(sight_bench *out, const sight_world *world, acre_kernel kernel,
                        uint32_t width);
void sight_bench_free(sight_bench *bench);

// One view, without and with the horizon, beside the item buffer.
bool sight_look(sight_bench *bench, const sight_world *world, uint32_t view, sight_find *out);

// All worlds; items counts nothing. Returns false and a message where something fails or is lost.
bool occlusion_measure(const bench_options *options, uint32_t count, measure_rows *rows,
                       char *message, size_t message_size);
void occlusion_report(const bench_options *options, uint32_t count, const measure_rows *rows,
                      FILE *out);

#endif
