// SPDX-License-Identifier: MIT
// fuzz_record.c - fuzz target: any bytes as a recording. Replaying and printing answer what their
// headers say, twice the same, and never crash; both agree on what is a whole recording.
#include "fuzz.h"

#include <acre/record.h>

#include <string.h>

// A damaged def or count may ask for gigabytes: the program decides what it gives.
static void *give_little(void *user, void *block, size_t old_size, size_t new_size,
                         size_t alignment)
{
    (void)user;
    return new_size > 16u << 20 ? NULL : acre_resize(NULL, block, old_size, new_size, alignment);
}

static bool count_bytes(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return true;
}

static bool refuse_bytes(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return false;
}

static void check_report(const acre_record_report *report, acre_result result, size_t size)
{
    FUZZ_CHECK(result == ACRE_OK || result == ACRE_ERROR_FORMAT || result == ACRE_ERROR_DIFFERS ||
               result == ACRE_ERROR_OUT_OF_MEMORY);
    FUZZ_CHECK(memchr(report->message, 0, sizeof report->message) != NULL);
    FUZZ_CHECK(report->offset <= size && report->calls <= size);
    FUZZ_CHECK(result != ACRE_OK || report->message[0] == '\0');
    FUZZ_CHECK((result != ACRE_ERROR_FORMAT && result != ACRE_ERROR_DIFFERS) ||
               report->message[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const acre_allocator little = {give_little, NULL};
    acre_record_report first, second;
    if (!bytes) { // a fuzzer's first input
        return 0;
    }
    const acre_result result = acre_record_replay(bytes, size, &little, &first);
    check_report(&first, result, size);
    FUZZ_CHECK(acre_record_replay(bytes, size, &little, &second) == result);
    FUZZ_CHECK(first.calls == second.calls && first.offset == second.offset &&
               first.state_hash == second.state_hash && first.content_hash == second.content_hash &&
               strcmp(first.message, second.message) == 0);
    size_t written = 0, again = 0;
    const acre_result printed = acre_record_print(bytes, size, &little, count_bytes, &written);
    FUZZ_CHECK(printed == ACRE_OK || printed == ACRE_ERROR_FORMAT ||
               printed == ACRE_ERROR_OUT_OF_MEMORY);
    FUZZ_CHECK(acre_record_print(bytes, size, &little, count_bytes, &again) == printed);
    FUZZ_CHECK(written == again);
    // A replay stops at the first wrong outcome, a print goes on.
    FUZZ_CHECK(result != ACRE_OK || printed == ACRE_OK);
    const acre_result refused = acre_record_print(bytes, size, &little, refuse_bytes, NULL);
    FUZZ_CHECK(refused != ACRE_OK && (refused != ACRE_ERROR_IO || written > 0));
    return 0;
}
