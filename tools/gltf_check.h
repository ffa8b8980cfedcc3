// SPDX-License-Identifier: MIT
// gltf_check.h - compares the bounds that were imported with what a glTF says of itself.
//
// The accessors of a glTF state the least and the largest position. Here they are read, and moved
// by the nodes' matrices in doubles, by code that shares nothing with modules/import: neither how
// it reads files nor how it makes matrices. So an error of the importer does not agree with itself,
// and an accessor that lies is found.
#ifndef ACRE_TOOLS_GLTF_CHECK_H
#define ACRE_TOOLS_GLTF_CHECK_H

#include <acre/import.h>

// Why a node was not compared: nothing here reads its numbers a second time, or there are none.
typedef enum gltf_passed {
    GLTF_NOTHING_STATED,
    GLTF_COMPRESSED,
    GLTF_SPARSE,
    GLTF_PASSED_COUNT_
} gltf_passed;

typedef struct gltf_check {
    bool has_path;     // false: there is no second path; `first` says why
    uint32_t compared; // nodes whose bounds were compared
    uint32_t bent;     // nodes with skins: whether bounds hold the points in the rest pose
    uint32_t rounded;  // of the compared ones: a filter has rounded their numbers
    uint32_t passed[GLTF_PASSED_COUNT_]; // nodes that were not compared
    uint32_t different;                  // nodes whose bounds differ
    uint32_t flat;                       // meshes with triangles and no extent on any axis
    char first[512];                     // the first difference, or why there is no second path
} gltf_check;

// Reads the file once more. Files of other formats have flat meshes counted, too.
void gltf_check_model(const char *path, const acre_import_model *model, gltf_check *out);

// "712 nodes as the accessors' min and max say", and what else there is to say.
void gltf_check_text(const gltf_check *check, char *text, size_t size);

#endif
