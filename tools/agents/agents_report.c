// SPDX-License-Identifier: MIT
// agents_report.c - what a run of agents found, as a table for people.
#include "agents_report.h"

#include <inttypes.h>

void agents_report_fill(agents_report *report, const agents_options *options,
                        const agents_world *world, agents_record *record)
{
    *report = (agents_report){.options = options, .world = world, .record = record};
    for (int i = 0; i < MEASURE_COUNT_; i++) {
        report->measures[i] = samples_summarise(&record->samples[i]);
    }
    acre_quadtree_get_stats(world->tree, &report->tree);
}

static void print_times(const agents_report *report, FILE *out)
{
    static const char *const titles[] = {"frame",   "  move",     "  refresh",
                                         "  pairs", "  response", "  maintain"};
    fprintf(out, "\n%-16s %10s%10s%10s%10s%10s\n", "microseconds", "min", "median", "mean", "p99.9",
            "max");
    for (int i = MEASURE_FRAME; i <= MEASURE_MAINTAIN; i++) {
        const sample_summary *const time = &report->measures[i];
        fprintf(out, "%-16s %10.1f%10.1f%10.1f%10.1f%10.1f\n", titles[i], time->least, time->median,
                time->mean, time->p999, time->most);
    }
    const sample_summary *const frame = &report->measures[MEASURE_FRAME];
    if (frame->least > 0.0) {
        fprintf(out, "frames a second  %.1f in the median, %.1f in the worst frame\n",
                1e6 / frame->median, 1e6 / frame->most);
    }
    fprintf(out, "per frame        %.0f pairs, %.0f bounces\n",
            report->measures[MEASURE_PAIRS].mean, report->measures[MEASURE_BOUNCES].mean);
}

static void print_memory(const agents_report *report, FILE *out)
{
    const agents_record *const record = report->record;
    const agents_world *const world = report->world;
    const double bytes = (double)world->memory->bytes;
    fprintf(out, "\ntree             %zu leaves of %u agents at most, depth %u\n",
            report->tree.leaves, (unsigned)world->def.node_capacity, (unsigned)report->tree.depth);
    fprintf(out, "tree memory      %.2f MB, %.1f bytes an agent; %.2f MB while it was built\n",
            1e-6 * bytes, bytes / (double)world->def.count, 1e-6 * (double)record->bytes_load_peak);
    if (record->frames > AGENTS_WARM_UP) {
        fprintf(out, "steady           %" PRIu64 " allocations in %u frames after the first %d\n",
                world->steady_changes, (unsigned)(record->frames - AGENTS_WARM_UP), AGENTS_WARM_UP);
    }
    fprintf(out, "beside the tree  %.2f MB of agents, %.2f MB of pairs\n",
            1e-6 * (double)(world->def.count * sizeof(agent)),
            1e-6 * (double)(world->pair_capacity * sizeof(acre_pair)));
}

void agents_report_print(const agents_report *report, FILE *out)
{
    const agents_record *const record = report->record;
    const agents_world *const world = report->world;
    const double side = 2.0 * (double)world->half_size;
    const uint32_t workers = report->options->workers;
    fprintf(out,
            "%u agents on %.0f m x %.0f m, seed %" PRIu64 ", kernel %s, %u worker%s, %u frames",
            (unsigned)world->def.count, side, side, world->def.seed,
            acre_kernel_name(world->def.kernel), (unsigned)workers, workers == 1 ? "" : "s",
            (unsigned)record->frames);
    if (world->def.is_shuffled) {
        fprintf(out, ", shuffled");
    }
    if (world->def.churn_percent) {
        fprintf(out, ", %u %% removed and inserted in each", (unsigned)world->def.churn_percent);
    }
    fprintf(out, "\n");
    print_times(report, out);
    print_memory(report, out);
    fprintf(out, "kinetic energy   %.7f of that at the start; least %.7f, most %.7f\n",
            record->energy_now, record->energy_least, record->energy_most);
    if (record->checked_frames == 0) {
        fprintf(out, "checked          nothing\n");
    } else if (record->difference.verdict == AGENTS_EQUAL) {
        fprintf(out, "checked          %" PRIu64 " pairs of %u frames against a grid: equal\n",
                record->checked_pairs, (unsigned)record->checked_frames);
    }
    fprintf(out, "state            %016" PRIx64 "\n", agents_hash(world));
}

void agents_report_difference(const agents_record *record, FILE *out)
{
    static const char *const texts[] = {"is as expected", "was missed", "does not overlap",
                                        "was found twice"};
    fprintf(out, "acre agents: frame %u: the pair of agents %u and %u %s\n",
            (unsigned)record->difference_frame, (unsigned)record->difference.pair.a,
            (unsigned)record->difference.pair.b, texts[record->difference.verdict]);
}
