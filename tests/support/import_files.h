// SPDX-License-Identifier: MIT
// import_files.h - scene files made in memory, imported from a temporary folder, and a model's
// check.
#ifndef IMPORT_FILES_H
#define IMPORT_FILES_H

#include "test.h"

#include <acre/import.h>

// The library itself, or the reader in a child process for files that may crash it: with time for a
// busy machine, or with a second, where a hang is a possible and accepted outcome.
typedef enum import_way { IMPORT_HERE, IMPORT_SANDBOXED, IMPORT_BRIEFLY } import_way;

// Of the last import_bytes.
extern char import_path[512];
extern char import_message[512];

// Writes a file of this name, imports it, and removes it. A test fails where that cannot be done.
acre_result import_bytes(import_way way, const char *name, const void *bytes, size_t size,
                         const acre_allocator *allocator, acre_import_model **out);
acre_result import_text(import_way way, const char *name, const char *text,
                        acre_import_model **out);

// @return a path in the temporary folder, which is removed at exit if it is empty then.
const char *import_temporary_path(const char *name);

// A binary glTF of this JSON text and binary chunk; free() it.
unsigned char *glb_make(const char *json, const void *binary, size_t binary_size, size_t *size);

// The JSON text of a glTF with one triangle mesh: 36 bytes of positions, then three 32-bit indices.
// nodes is the array's text; free() it.
char *triangle_json(const char *nodes);
extern const float triangle_points[9];

// A binary glTF with that mesh. @param points 9 floats; NULL: triangle_points. free() it.
unsigned char *triangle_glb(const char *nodes, const float *points, const uint32_t *indices,
                            size_t *size);

// @return what contradicts import.h in a model, or NULL.
const char *model_fault(const acre_import_model *model);

// @return whether an import that failed left no model and a message "path: reason".
bool refusal_is_told(const acre_import_model *model);

// @return the index of the only node of this name, or UINT32_MAX.
uint32_t model_node(const acre_import_model *model, const char *name);

// The product of the local matrices from the root down, in double precision; 16 numbers,
// column-major.
void node_world(const acre_import_model *model, uint32_t node, double *world);

#endif
