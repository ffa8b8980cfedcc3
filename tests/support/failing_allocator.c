// SPDX-License-Identifier: MIT
// failing_allocator.c - an allocator that counts, checks every call, and fails where a test says.
#include "failing_allocator.h"

#include <stdlib.h>
#include <string.h>

#define LIVE_MAGIC 0xac4e11feb10c0001u
#define FRESH_BYTE 0xcd

// Stands right before each block.
typedef struct block_header {
    uint64_t magic;
    void *raw;
    failing_allocator *owner;
    size_t size;
    size_t alignment;
} block_header;

static void note_fault(failing_allocator *memory, const char *text, size_t expected, size_t got)
{
    if (memory->fault[0] == '\0') {
        snprintf(memory->fault, sizeof memory->fault, "%s: expected %zu, got %zu", text, expected,
                 got);
    }
}

static bool should_fail(failing_allocator *memory)
{
    memory->requests++;
    switch (memory->mode) {
    case FAIL_ONCE:
        return memory->requests == memory->at;
    case FAIL_FROM:
        return memory->requests >= memory->at;
    case FAIL_ONE_IN_THREE:
        return random_below(&memory->random, 3) == 0;
    case FAIL_NEVER:
        break;
    }
    return false;
}

static block_header read_header(const void *block)
{
    block_header header;
    memcpy(&header, (const unsigned char *)block - sizeof header, sizeof header);
    return header;
}

// The pointer is aligned to exactly what was asked, not more: a multiple of twice the alignment
// would hide code that needs more than it asked for.
static void *new_block(failing_allocator *memory, size_t size, size_t alignment)
{
    const size_t room = sizeof(block_header) + 3 * alignment;
    if (size > SIZE_MAX - room) {
        return NULL;
    }
    unsigned char *const raw = malloc(size + room);
    if (!raw) {
        return NULL;
    }
    uintptr_t address = (uintptr_t)raw + sizeof(block_header);
    address += (alignment - (address & (alignment - 1))) & (alignment - 1);
    if ((address & (2 * alignment - 1)) == 0) {
        address += alignment;
    }
    unsigned char *const block = raw + (address - (uintptr_t)raw);
    const block_header header = {LIVE_MAGIC, raw, memory, size, alignment};
    memcpy(block - sizeof header, &header, sizeof header);
    memset(block, FRESH_BYTE, size);
    memory->live_bytes += size;
    memory->live_blocks++;
    if (memory->live_bytes > memory->peak_bytes) {
        memory->peak_bytes = memory->live_bytes;
    }
    return block;
}

static void drop_block(failing_allocator *memory, void *block)
{
    block_header header = read_header(block);
    header.magic = 0;
    memcpy((unsigned char *)block - sizeof header, &header, sizeof header);
    memory->live_bytes -= header.size;
    memory->live_blocks--;
    free(header.raw);
}

static bool check_call(failing_allocator *memory, const void *block, size_t old_size,
                       size_t alignment)
{
    if (alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0) {
        note_fault(memory, "alignment is no power of two up to 64", 64, alignment);
        return false;
    }
    if (!block) {
        if (old_size != 0) {
            note_fault(memory, "old_size of a block that is not there", 0, old_size);
        }
        return true;
    }
    const block_header header = read_header(block);
    if (header.magic != LIVE_MAGIC || header.owner != memory) {
        note_fault(memory, "block is not of this allocator", 1, 0);
        return false;
    }
    if (header.size != old_size) {
        note_fault(memory, "old_size", header.size, old_size);
    }
    if (header.alignment != alignment) {
        note_fault(memory, "alignment differs from the block's", header.alignment, alignment);
    }
    return true;
}

static void *failing_resize(void *user, void *block, size_t old_size, size_t new_size,
                            size_t alignment)
{
    failing_allocator *const memory = user;
    memory->total_calls++;
    if (!check_call(memory, block, old_size, alignment)) {
        return NULL;
    }
    if (new_size == 0) {
        if (block) {
            drop_block(memory, block);
        }
        return NULL;
    }
    void *const grown = should_fail(memory) ? NULL : new_block(memory, new_size, alignment);
    if (!grown) {
        memory->failed++;
        return NULL;
    }
    if (block) {
        const size_t size = read_header(block).size;
        memcpy(grown, block, size < new_size ? size : new_size);
        drop_block(memory, block);
    }
    return grown;
}

void failing_allocator_init(failing_allocator *memory, failing_mode mode, uint64_t at)
{
    *memory = (failing_allocator){.allocator = {failing_resize, memory}};
    failing_allocator_arm(memory, mode, at);
}

void failing_allocator_arm(failing_allocator *memory, failing_mode mode, uint64_t at)
{
    memory->mode = mode;
    memory->at = at;
    memory->random.state = at;
    memory->requests = 0;
    memory->failed = 0;
}

const char *failing_allocator_fault(const failing_allocator *memory)
{
    return memory->fault[0] ? memory->fault : NULL;
}

const char *failing_allocator_verdict(failing_allocator *memory)
{
    if (memory->live_blocks != 0 || memory->live_bytes != 0) {
        note_fault(memory, "bytes left", 0, memory->live_bytes);
    }
    return failing_allocator_fault(memory);
}
