// SPDX-License-Identifier: MIT
// inspect_occluders.c - which occluders were found in a model, and why other nodes have none.
#include "inspect_occluders.h"

#include <stdlib.h>

// The name of a row, and what it says.
static const char *const reasons[ACRE_IMPORT_REASON_COUNT_][2] = {
    [ACRE_IMPORT_NOT_OPAQUE] = {"without: not opaque", "not surely opaque and rigid"},
    [ACRE_IMPORT_HAS_HOLES] = {"without: holes", "holes in the surface"},
    [ACRE_IMPORT_OPEN_BELOW] = {"without: open below", "open below, and not on the ground"},
    [ACRE_IMPORT_LIES_ON_ITS_SIDE] = {"without: on its side",
                                      "the y axis of the node is not upright"},
    [ACRE_IMPORT_NOTHING_FITS] = {"without: nothing fits", "nothing large enough fits inside"},
    [ACRE_IMPORT_TOO_LARGE] = {"without: too large", "too many triangles to search"}};

void inspect_add_findings(const acre_import_model *model, const acre_import_finding *findings,
                          inspect_rows *rows)
{
    uint32_t counts[ACRE_IMPORT_REASON_COUNT_] = {0}, firsts[ACRE_IMPORT_REASON_COUNT_] = {0};
    uint32_t occluders = 0;
    double share = 0.0;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const acre_import_reason reason = findings[i].reason;
        firsts[reason] = counts[reason]++ == 0 ? i : firsts[reason];
        if (reason == ACRE_IMPORT_FOUND) {
            occluders += findings[i].occluder_count;
            share += (double)findings[i].share;
        }
    }
    if (counts[ACRE_IMPORT_HAS_ITS_OWN] > 0) {
        inspect_add_row(rows, "occluders of the file", "%u, in %u nodes",
                        (unsigned)model->occluder_count, (unsigned)counts[ACRE_IMPORT_HAS_ITS_OWN]);
    }
    const uint32_t found = counts[ACRE_IMPORT_FOUND];
    inspect_add_row(rows, "occluders found",
                    "%u, in %u nodes, behind %.1f %% of what one sees of these",
                    (unsigned)occluders, (unsigned)found, found > 0 ? 100.0 * share / found : 0.0);
    for (int i = 0; i < ACRE_IMPORT_REASON_COUNT_; i++) {
        if (reasons[i][0] && counts[i] > 0) {
            inspect_add_row(rows, reasons[i][0], "%u nodes: %s, as '%.80s'", (unsigned)counts[i],
                            reasons[i][1], model->nodes[firsts[i]].name);
        }
    }
}

void inspect_add_occluders(const acre_import_model *model, inspect_rows *rows)
{
    static const acre_import_find_def def = {0};
    acre_import_finding *const findings = calloc(model->node_count, sizeof *findings);
    if (findings && acre_import_find_occluders(model, &def, findings, NULL) == ACRE_OK) {
        inspect_add_findings(model, findings, rows);
    } else {
        inspect_add_row(rows, "occluders found", "memory is short");
    }
    free(findings);
}
