// SPDX-License-Identifier: MIT
// span_room.h - what a span query writes where it has less room than its answer needs.
#ifndef ACRE_TESTS_SPAN_ROOM_H
#define ACRE_TESTS_SPAN_ROOM_H

#include <acre/quadtree_query.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Whether a span is of copies in an array of so many numbers.
static inline bool is_copied_span(const acre_item_span *span, const uint32_t *copied, size_t count)
{
    return (uintptr_t)span->items - (uintptr_t)copied < count * sizeof *copied;
}

// Whether a span is that of the whole answer, of copies as far as there is room for them. Both
// queries copy to the same array, which holds the whole answer's copies.
static inline bool is_span_within(const acre_item_span *span, const acre_item_span *whole,
                                  const uint32_t *copied, size_t all_copied, size_t room)
{
    if (!is_copied_span(whole, copied, all_copied)) {
        return span->items == whole->items && span->count == whole->count;
    }
    const size_t first = (size_t)(whole->items - copied);
    const size_t left = first < room ? room - first : 0;
    const size_t count = whole->count < left ? whole->count : left;
    return span->items == (count > 0 ? whole->items : NULL) && span->count == count;
}

// The items of all spans in out, which has so much room. @return how many; SIZE_MAX if there are
// more, or if a span is empty.
static inline size_t join_spans(const acre_item_span *spans, size_t count, uint32_t *out,
                                size_t room)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].count == 0 || total + spans[i].count > room) {
            return SIZE_MAX;
        }
        memcpy(out + total, spans[i].items, spans[i].count * sizeof *out);
        total += spans[i].count;
    }
    return total;
}

#endif
