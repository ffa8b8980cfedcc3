// SPDX-License-Identifier: MIT
// sample_recording.h - gives the sample of recordings a recording from outside.
#ifndef ACRE_TOOLS_SAMPLE_RECORDING_H
#define ACRE_TOOLS_SAMPLE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

// From now on the sample shows these bytes, which stay the caller's. It needs some.
void sample_recording_give(const void *bytes, size_t size);
bool sample_recording_is_given(void);

#endif
