// SPDX-License-Identifier: MIT
// inspect_occluders.h - which occluders were found in a model, and why other nodes have none, as
// rows.
#ifndef ACRE_TOOLS_INSPECT_OCCLUDERS_H
#define ACRE_TOOLS_INSPECT_OCCLUDERS_H

#include "inspect_numbers.h"

// Appends a row of what was found, and one for each reason for which nodes have none.
// @param findings by node, as acre_import_find_occluders gives them
void inspect_add_findings(const acre_import_model *model, const acre_import_finding *findings,
                          inspect_rows *rows);

// Searches, and appends the rows. Without memory there is a row that says so.
void inspect_add_occluders(const acre_import_model *model, inspect_rows *rows);

#endif
