// SPDX-License-Identifier: MIT
// alloc.c - the default allocator: aligned blocks on the C library's heap.
//
// Blocks with an alignment above malloc's are over-allocated; the distance to malloc's pointer
// stands in the byte before the block. realloc keeps that distance for large blocks on all common
// systems (they are moved by whole pages), so that growing a big array does not copy it.
#include <acre/alloc.h>

#include <stdlib.h>
#include <string.h>

#define NATURAL_ALIGNMENT _Alignof(max_align_t)
// Differences of pointers into larger blocks have no value in C; 64 is the largest alignment.
#define LARGEST_BLOCK ((size_t)PTRDIFF_MAX - 64)

static void *heap_resize_aligned(unsigned char *block, size_t old_size, size_t new_size,
                                 size_t alignment)
{
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
