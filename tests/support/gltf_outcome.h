// SPDX-License-Identifier: MIT
// gltf_outcome.h - what the glTF reader may answer to any bytes at all.
#ifndef GLTF_OUTCOME_H
#define GLTF_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

// Reads the bytes as a glTF, in this process, with at most 64 MiB in a block and 256 MiB in all.
// @param was_taken receives whether there is a model
// @return what is wrong with the answer, or NULL
const char *gltf_outcome_fault(const void *bytes, size_t size, bool *was_taken);

#endif
