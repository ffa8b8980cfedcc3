// SPDX-License-Identifier: MIT
// gltf_outcome.c - what the glTF reader may answer to any bytes at all.
#include "gltf_outcome.h"

#include "import_reader.h"

#include <stdlib.h>
#include <string.h>

static size_t live_bytes;

static void *give_little(void *user, void *block, size_t old_size, size_t new_size,
                         size_t alignment)
{
    (void)user;
    if (new_size > 64u << 20 || live_bytes + new_size > 256u << 20) {
        return NULL;
    }
    void *const given = acre_resize(NULL, block, old_size, new_size, alignment);
    if (given != NULL || new_size == 0) {
        live_bytes += new_size - (block != NULL ? old_size : 0);
    }
    return given;
}

// The rest of what import.h promises is checked where a model is unpacked.
static const char *check_model(const acre_import_model *model)
{
    const size_t size = acre_import_pack(model, NULL, 0);
    void *const packed = malloc(size);
    if (packed == NULL || acre_import_pack(model, packed, size) != size) {
        return "the model cannot be packed";
    }
    acre_import_model *copy = NULL;
    const acre_result result = acre_import_unpack(packed, size, NULL, &copy);
    free(packed);
    acre_import_free(copy);
    return result != ACRE_OK ? "the packed model is not sound" : NULL;
}

const char *gltf_outcome_fault(const void *bytes, size_t size, bool *was_taken)
{
    char message[256] = "";
    const acre_allocator little = {.resize = give_little};
    // No folder of this name is there, so that no other file is read.
    const import_job job = {"/no such folder/fuzz.gltf", &little, message, sizeof message};
    acre_import_model *model = NULL;
    bool needs_assimp = false;
    const char *fault = NULL;
    const acre_result result = acre_import_read_gltf(&job, bytes, size, &model, &needs_assimp);
    *was_taken = model != NULL;
    if (result != ACRE_OK && result != ACRE_ERROR_FORMAT && result != ACRE_ERROR_CAPACITY &&
        result != ACRE_ERROR_OUT_OF_MEMORY) {
        fault = "a result that is not promised";
    } else if (result == ACRE_ERROR_OUT_OF_MEMORY && size <= 65536) {
        fault = "a small file asks for more than 64 MiB in a block, or 256 MiB in all";
    } else if ((model != NULL) != (result == ACRE_OK && !needs_assimp)) {
        fault = "a model with an error, or none without";
    } else if (model != NULL) {
        fault = check_model(model);
        acre_import_free(model);
    } else if (result != ACRE_OK && strstr(message, ": ") == NULL) {
        fault = "no message";
    }
    return fault == NULL && live_bytes != 0 ? "memory is lost" : fault;
}
