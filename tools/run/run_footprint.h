// SPDX-License-Identifier: MIT
// run_footprint.h - the outline of a mesh as seen from above: the border of its upward triangles.
#ifndef ACRE_TOOLS_RUN_FOOTPRINT_H
#define ACRE_TOOLS_RUN_FOOTPRINT_H

#include <acre/import.h>

// Rings of a mesh: ring i is points[starts[i]] .. points[starts[i + 1] - 1], indices into the
// mesh's points; holes are rings as well, so they are filled by the even-odd rule.
typedef struct footprint {
    uint32_t *points;
    uint32_t *starts; // ring_count + 1
    uint32_t point_count, ring_count;
} footprint;

// world: the mesh's matrix, 16 floats. Vertices shared by triangles are known by their index; a
// mesh that shares none gives a ring per triangle. Returns false when memory is short; *out is then
// empty.
bool footprint_create(footprint *out, const acre_import_mesh *mesh, const float *world);
void footprint_free(footprint *outline);

#endif
