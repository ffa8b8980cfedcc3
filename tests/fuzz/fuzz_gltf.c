// SPDX-License-Identifier: MIT
// fuzz_gltf.c - fuzz target: any bytes as a glTF. The reader refuses them or gives a sound model.
#include "fuzz.h"
#include "gltf_outcome.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    bool was_taken;
    FUZZ_CHECK(gltf_outcome_fault(bytes, size, &was_taken) == NULL);
    return 0;
}
