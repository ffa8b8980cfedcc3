// SPDX-License-Identifier: MIT
// alloc.c - the default allocator: aligned blocks on the C library's heap.
//
// A block with an alignment above malloc's is allocated larger; the byte before the block holds the
// distance to malloc's pointer. On all common systems realloc moves large blocks by whole pages and
// so keeps that distance: growing a big array does not copy it.
//
// GNU malloc is different once the program has freed a block of up to 32 MiB: it then takes blocks
// of that size from its heap, and realloc copies them. So on Linux a block that grows large becomes
// a mapping of its own, which always moves by pages; the byte before it is 0. A block that is large
// from the start stays on the heap, whose pages the process may already have. Address sanitizers
// watch the heap alone, so with them all blocks stay there.
//
// Mappings that grow ask for huge pages: a million boxes inserted one by one took 181 to 265 ns
// each instead of 221 to 321. Blocks that are large from the start do not ask. With all of 2 MiB
// and more in huge pages, a second build of a million boxes took 96 to 118 ns a box instead of 156
// to 162, and a second optimize 84 to 100 instead of 134 to 139. But the first build took 335 to
// 353 instead of 124 to 168: on a virtual machine whose host takes free memory back, the first
// touch of a huge page costs five times as much a byte as that of small ones.
#if defined(__SANITIZE_ADDRESS__) // gcc
#define IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) // clang
#define IS_SANITIZED
#endif
#endif
#if defined(__linux__) && !defined(IS_SANITIZED)
#define HAS_MAPPINGS
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mremap
#endif
#include <sys/mman.h>
#endif

#include <acre/alloc.h>

#include "assert_internal.h"
#include "compiler_internal.h"

#include <stdlib.h>
#include <string.h>

// Differences of pointers into larger blocks have no value in C; 64 is the largest alignment.
#define LARGEST_BLOCK ((size_t)PTRDIFF_MAX - 64)

#ifdef HAS_MAPPINGS
// A million boxes inserted into a tree: 73 ns each, 98 where realloc copies. Smaller arrays do not
// gain.
#define LEAST_MAPPED ((size_t)4 << 20)
#define MAPPED_SHIFT 64 // keeps the alignment, and leaves room for the byte

static bool is_mapped(const unsigned char *block)
{
    return block && block[-1] == 0;
}

static void *mapped_resize(unsigned char *block, size_t old_size, size_t new_size)
{
    ACRE_INVARIANT(old_size > 0 && ((uintptr_t)block & (MAPPED_SHIFT - 1)) == 0);
    unsigned char *const raw = block - MAPPED_SHIFT;
    if (new_size == 0) {
        (void)munmap(raw, old_size + MAPPED_SHIFT);
        return NULL;
    }
    unsigned char *const moved =
        mremap(raw, old_size + MAPPED_SHIFT, new_size + MAPPED_SHIFT, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved + MAPPED_SHIFT;
}

// The same bytes in a mapping; a new one is all zero. NULL: no memory, and nothing has changed.
static void *move_to_mapping(unsigned char *block, size_t old_size, size_t new_size)
{
    unsigned char *const raw = mmap(NULL, new_size + MAPPED_SHIFT, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) {
        return NULL;
    }
    (void)madvise(raw, new_size + MAPPED_SHIFT, MADV_HUGEPAGE); // it works without, only slower
    memcpy(raw + MAPPED_SHIFT, block, old_size);
    free(block - block[-1]);
    return raw + MAPPED_SHIFT;
}
#endif

static void *heap_resize_aligned(unsigned char *block, size_t old_size, size_t new_size,
                                 size_t alignment)
{
#ifdef HAS_MAPPINGS
    if (is_mapped(block)) {
        return mapped_resize(block, old_size, new_size);
    }
    if (block && new_size > old_size && new_size >= LEAST_MAPPED) {
        return move_to_mapping(block, old_size, new_size);
    }
#endif
    const size_t old_shift = block ? block[-1] : 0;
    ACRE_INVARIANT(!block || (old_shift > 0 && old_shift <= alignment));
    unsigned char *const raw = block ? block - old_shift : NULL;
    if (new_size == 0) {
        free(raw);
        return NULL;
    }
    unsigned char *const grown = realloc(raw, new_size + alignment);
    if (!grown) {
        return NULL;
    }
    const size_t shift = alignment - ((uintptr_t)grown & (alignment - 1));
    if (block && shift != old_shift) {
        const size_t kept = old_size < new_size ? old_size : new_size;
        memmove(grown + shift, grown + old_shift, kept);
    }
    ACRE_INVARIANT(shift > 0 && shift <= alignment);
    grown[shift - 1] = (unsigned char)shift;
    return grown + shift;
}

void *acre_resize(const acre_allocator *allocator, void *block, size_t old_size, size_t new_size,
                  size_t alignment)
{
    ACRE_ASSERT(alignment > 0 && alignment <= 64 && (alignment & (alignment - 1)) == 0);
    ACRE_ASSERT((block == NULL) == (old_size == 0));
    if (allocator && allocator->resize) {
        return allocator->resize(allocator->user, block, old_size, new_size, alignment);
    }
    if (new_size > LARGEST_BLOCK) {
        return NULL;
    }
    if (alignment > NATURAL_ALIGNMENT) {
        return heap_resize_aligned(block, old_size, new_size, alignment);
    }
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}
