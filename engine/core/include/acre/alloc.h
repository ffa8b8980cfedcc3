// SPDX-License-Identifier: MIT
// alloc.h - where memory comes from: one function, given per object.
//
// Every object of Acre takes an allocator in its def and uses it for all that it owns. NULL means
// the C library's heap.
//
// Threading: Acre calls an object's allocator only from the thread that edits the object.
#ifndef ACRE_ALLOC_H
#define ACRE_ALLOC_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// One function for all three jobs, in the shape of Lua's lua_Alloc plus an alignment:
///     block NULL, new_size > 0   allocate
///     block,      new_size > 0   grow or shrink; contents up to the smaller size are kept; on
///                                failure NULL, and the old block is untouched
///     block,      new_size 0     free; the result is ignored
/// Sizes are in bytes; old_size is exactly what was asked for before; alignment is a power of two
/// of at most 64 and the same in every call for one block.
typedef struct acre_allocator {
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size, size_t alignment);
    void *user; ///< handed to resize
} acre_allocator;

/// Allocates, grows, shrinks or frees through an allocator; the three jobs are told apart as above.
/// @param allocator NULL or without a function: the C library's heap, which has no block larger
///                  than PTRDIFF_MAX - 64.
/// @return the block, or NULL when memory is short (the old block is untouched) or new_size is 0.
/// Threading: the heap may be used from any thread.
ACRE_API void *acre_resize(const acre_allocator *allocator, void *block, size_t old_size,
                           size_t new_size, size_t alignment);

ACRE_EXTERN_C_END

#endif
