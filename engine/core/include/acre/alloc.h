// SPDX-License-Identifier: MIT
// alloc.h - where an object's memory comes from: one function that you may give.
//
// Experimental: it may change in any minor version.
//
// Every object of Acre takes an allocator in its def and uses it for everything that it owns. NULL
// is the C library's heap.
//
// Typical use:
//     const acre_allocator allocator = {.resize = my_resize, .user = my_heap};
//     const acre_scene_def def = {.allocator = &allocator};
//
// Threading: Acre calls an object's allocator only from the thread that edits the object.
#ifndef ACRE_ALLOC_H
#define ACRE_ALLOC_H

#include <acre/base.h>

ACRE_EXTERN_C_BEGIN

/// One function does three jobs, as Lua's lua_Alloc:
///     block NULL, new_size > 0   allocate
///     block,      new_size > 0   grow or shrink, and keep the contents up to the smaller size; on
///                                failure return NULL and leave the old block as it is
///     block,      new_size 0     free; the result is ignored
/// Sizes are in bytes. old_size is the new_size of the block's last call. alignment is a power of
/// two, at most 64, and the same in every call for one block.
typedef struct acre_allocator {
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size, size_t alignment);
    void *user; ///< passed to resize
} acre_allocator;

/// Calls an allocator's resize; the arguments choose the job as above.
/// @param allocator NULL or without a function: the C library's heap, whose blocks have at most
/// PTRDIFF_MAX - 64 bytes.
/// @return the block; NULL if new_size is 0, or if there is no memory: the old block is then as it
/// was.
/// Threading: any thread may use the heap.
ACRE_EXPERIMENTAL_API void *acre_resize(const acre_allocator *allocator, void *block,
                                        size_t old_size, size_t new_size, size_t alignment);

ACRE_EXTERN_C_END

#endif
