// SPDX-License-Identifier: MIT
// gltf_outcome.c - what the glTF reader may answer to any bytes at all.
#include "gltf_outcome.h"

#include "import_internal.h"

#include <cjson/cJSON.h>

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

static size_t live_bytes;

// What cJSON asks for, one piece behind the other: half the time of a run went to the heap of the
// sanitizer. Pieces are poisoned around them and when they are freed, as that heap would do.
static _Alignas(16) unsigned char text_bytes[1 << 20];
static size_t text_used, text_pieces;
static bool hooks_are_set;

static void *give_text(size_t size)
{
    const size_t room = (size + 31) / 16 * 16; // at least 16 that stay poisoned
    if (size > sizeof text_bytes || room > sizeof text_bytes - text_used) {
        return malloc(size);
    }
    void *const given = text_bytes + text_used;
    text_used += room;
    text_pieces++;
    ASAN_UNPOISON_MEMORY_REGION(given, size);
    return given;
}

static void take_text(void *piece)
{
    unsigned char *const start = piece;
    if (start < text_bytes || start >= text_bytes + sizeof text_bytes) {
        free(piece);
        return;
    }
    ASAN_POISON_MEMORY_REGION(start, 16);
    text_pieces--;
}

static void prepare_text(void)
{
    static cJSON_Hooks hooks = {give_text, take_text};
    if (hooks_are_set) {
        return;
    }
    hooks_are_set = true;
    cJSON_InitHooks(&hooks);
    ASAN_POISON_MEMORY_REGION(text_bytes, sizeof text_bytes);
}

// Whether all pieces are back. The next file begins anew.
static bool end_text(void)
{
    const bool is_whole = text_pieces == 0;
    ASAN_POISON_MEMORY_REGION(text_bytes, text_used);
    text_used = text_pieces = 0;
    return is_whole;
}

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
    prepare_text();
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
    const bool is_lost = !end_text() || live_bytes != 0;
    return fault == NULL && is_lost ? "memory is lost" : fault;
}
