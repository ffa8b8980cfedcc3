// SPDX-License-Identifier: MIT
// alloc.c - the default allocator: aligned blocks on the C library's heap.
//
// Blocks with an alignment above malloc's are over-allocated; the distance to malloc's pointer
// stands in the byte before the block. realloc keeps that distance for large blocks on all common
// systems (they are moved by whole pages), so that growing a big array does not copy it.
//
// GNU malloc, though, takes blocks of up to 32 MiB from its heap once the program has freed one as
// large; from then on realloc copies. And a page of 4 KiB that is new to the process costs about a
// microsecond, one of 2 MiB as much as 70 of them. So on Linux a large block is a mapping of its
// own, of huge pages where the kernel has them, which grows without a copy; the byte before it is
// 0. Address sanitizers look after the heap alone, so that they keep all blocks there.
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
#define _GNU_SOURCE // mremap, MADV_HUGEPAGE
#endif
#include <sys/mman.h>
#endif

#include <acre/alloc.h>

#include <stdlib.h>
#include <string.h>

#define NATURAL_ALIGNMENT _Alignof(max_align_t)
// Differences of pointers into larger blocks have no value in C; 64 is the largest alignment.
#define LARGEST_BLOCK ((size_t)PTRDIFF_MAX - 64)

#ifdef HAS_MAPPINGS
// In a process of its own a tree of 100,000 boxes takes 35 ns each to build at once instead of 56,
// 65 to insert instead of 74; of 1,000,000 40 instead of 58, and 64 instead of 98.
#define LEAST_MAPPED ((size_t)3 << 20)
#define MAPPED_SHIFT 64 // keeps the alignment, and leaves room for the byte
#define HUGE_PAGE ((size_t)2 << 20)
#define ANY_PAGE ((size_t)64 << 10) // a multiple of each system's pages

static bool is_mapped(const unsigned char *block)
{
    return block && block[-1] == 0;
}

// The last huge page is whole if half of it is needed: 1 MiB more than asked for, at most.
static size_t mapping_size(size_t block_size)
{
    const size_t size = block_size + MAPPED_SHIFT;
    const size_t page = size % HUGE_PAGE < HUGE_PAGE / 2 ? ANY_PAGE : HUGE_PAGE;
    return (size + page - 1) & ~(page - 1);
}

// Begins where a huge page does: a larger mapping without its ends. NULL: no memory.
static unsigned char *map_huge_pages(size_t size)
{
    unsigned char *const raw =
        mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) {
        return NULL;
    }
    const size_t before = (HUGE_PAGE - (uintptr_t)raw % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0) {
        (void)munmap(raw, before);
    }
    (void)munmap(raw + before + size, HUGE_PAGE - before);
    (void)madvise(raw + before, size, MADV_HUGEPAGE); // a kernel without them gives small ones
    return raw + before;
}

// A new block, or the bytes of one on the heap; a new mapping is all zero. NULL: no memory, and
// nothing has changed.
static void *make_mapped(unsigned char *block, size_t old_size, size_t new_size)
{
    unsigned char *const raw = map_huge_pages(mapping_size(new_size));
    if (raw && block) {
        memcpy(raw + MAPPED_SHIFT, block, old_size);
        free(block - block[-1]);
    }
    return raw ? raw + MAPPED_SHIFT : NULL;
}

// Moves pages to where they are huge ones again. Where that fails, the place may belong to another
// thread by then, so that it is not given back; it is but addresses.
static void *grow_mapped(unsigned char *raw, size_t old_size, size_t new_size)
{
    unsigned char *const place = map_huge_pages(new_size);
    if (!place ||
        mremap(raw, old_size, new_size, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
        return NULL;
    }
    return place + MAPPED_SHIFT;
}

static void *mapped_resize(unsigned char *block, size_t old_size, size_t new_size)
{
    unsigned char *const raw = block - MAPPED_SHIFT;
    const size_t old_pages = mapping_size(old_size), new_pages = mapping_size(new_size);
    if (new_size == 0) {
        (void)munmap(raw, old_pages);
        return NULL;
    }
    if (new_pages > old_pages) {
        return grow_mapped(raw, old_pages, new_pages);
    }
    if (new_pages < old_pages) {
        (void)munmap(raw + new_pages, old_pages - new_pages);
    }
    return block;
}
#endif

static void *heap_resize_aligned(unsigned char *block, size_t old_size, size_t new_size,
                                 size_t alignment)
{
#ifdef HAS_MAPPINGS
    if (is_mapped(block)) {
        return mapped_resize(block, old_size, new_size);
    }
    if (new_size >= LEAST_MAPPED && new_size > old_size) {
        return make_mapped(block, old_size, new_size);
    }
#endif
    const size_t old_shift = block ? block[-1] : 0;
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
    grown[shift - 1] = (unsigned char)shift;
    return grown + shift;
}

void *acre_resize(const acre_allocator *allocator, void *block, size_t old_size, size_t new_size,
                  size_t alignment)
{
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
