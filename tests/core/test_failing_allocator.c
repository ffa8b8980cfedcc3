// SPDX-License-Identifier: MIT
// test_failing_allocator.c - the allocator of the other tests notices what it must notice.
#include "failing_allocator.h"

#include <string.h>

static void counts_calls_bytes_and_blocks(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    char *block = acre_resize(&memory.allocator, NULL, 0, 10, 1);
    CHECK(block && memory.live_bytes == 10 && memory.live_blocks == 1);
    memcpy(block, "123456789", 10);
    char *const moved = acre_resize(&memory.allocator, block, 10, 1000, 1);
    CHECK(moved && strcmp(moved, "123456789") == 0);
    CHECK(memory.live_bytes == 1000 && memory.live_blocks == 1 && memory.requests == 2);
    CHECK(strstr(failing_allocator_verdict(&memory), "bytes left"));
    acre_resize(&memory.allocator, moved, 1000, 0, 1);
    CHECK(memory.live_bytes == 0 && memory.live_blocks == 0 && memory.peak_bytes == 1010);
}

static void blocks_have_the_alignment_asked_for_and_not_twice_it(void)
{
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        failing_allocator memory;
        failing_allocator_init(&memory, FAIL_NEVER, 0);
        void *const block = acre_resize(&memory.allocator, NULL, 0, 100, alignment);
        CHECK(((uintptr_t)block & (2 * alignment - 1)) == alignment);
        acre_resize(&memory.allocator, block, 100, 0, alignment);
        CHECK(failing_allocator_verdict(&memory) == NULL);
    }
}

static void notices_wrong_sizes_and_alignments(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_NEVER, 0);
    void *block = acre_resize(&memory.allocator, NULL, 0, 100, 16);
    CHECK(failing_allocator_fault(&memory) == NULL);
    block = acre_resize(&memory.allocator, block, 99, 200, 16);
    CHECK(strstr(failing_allocator_fault(&memory), "old_size"));
    memory.fault[0] = '\0';
    block = acre_resize(&memory.allocator, block, 200, 300, 32);
    CHECK(strstr(failing_allocator_fault(&memory), "alignment"));
    acre_resize(&memory.allocator, block, 300, 0, 32);
    memory.fault[0] = '\0';
    CHECK(memory.allocator.resize(memory.allocator.user, NULL, 0, 100, 3) == NULL);
    CHECK(strstr(failing_allocator_fault(&memory), "power of two"));
}

static void fails_once_from_a_request_on_and_one_in_three(void)
{
    failing_allocator memory;
    failing_allocator_init(&memory, FAIL_ONCE, 2);
    void *const kept = acre_resize(&memory.allocator, NULL, 0, 8, 8);
    CHECK(kept && !acre_resize(&memory.allocator, kept, 8, 16, 8));
    void *const third = acre_resize(&memory.allocator, kept, 8, 16, 8);
    CHECK(third && memory.failed == 1);
    failing_allocator_arm(&memory, FAIL_FROM, 2);
    void *const first = acre_resize(&memory.allocator, third, 16, 24, 8);
    CHECK(first && !acre_resize(&memory.allocator, first, 24, 8, 8));
    CHECK(!acre_resize(&memory.allocator, NULL, 0, 8, 8) && memory.failed == 2);
    acre_resize(&memory.allocator, first, 24, 0, 8);
    failing_allocator_arm(&memory, FAIL_ONE_IN_THREE, test_seed);
    for (int i = 0; i < 3000; i++) {
        void *const block = acre_resize(&memory.allocator, NULL, 0, 8, 8);
        if (block) {
            acre_resize(&memory.allocator, block, 8, 0, 8);
        }
    }
    CHECK(memory.failed > 800 && memory.failed < 1200);
    CHECK(failing_allocator_verdict(&memory) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(counts_calls_bytes_and_blocks),
        TEST(blocks_have_the_alignment_asked_for_and_not_twice_it),
        TEST(notices_wrong_sizes_and_alignments),
        TEST(fails_once_from_a_request_on_and_one_in_three),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
