// SPDX-License-Identifier: MIT
// interest_outcomes.c - what an update finds for one observer, written one after the other.
#include "interest_internal.h"

#include <string.h>

bool acre_interest_begin_outcome(const acre_allocator *allocator, interest_share *share,
                                 uint32_t row, size_t first, size_t entries)
{
    if (!COLUMN_RESERVE_FROM(allocator, share->outcomes, share->outcome_count + 1,
                             FIRST_OBSERVERS)) {
        return false;
    }
    interest_outcome *const outcome = COLUMN_AT(share->outcomes, share->outcome_count);
    *outcome = (interest_outcome){.row = row, .first = first};
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        if (!COLUMN_RESERVE(allocator, share->events[kind], share->event_counts[kind] + entries)) {
            return false;
        }
        outcome->event_first[kind] = share->event_counts[kind];
    }
    share->outcome_count++;
    return true;
}

// In place: by insertion where they are few, else by heapsort.
static void sort_events(interest_event *events, size_t count)
{
    if (count <= 24) {
        for (size_t i = 1; i < count; i++) {
            const interest_event event = events[i];
            size_t hole = i;
            for (; hole > 0 && events[hole - 1] > event; hole--) {
                events[hole] = events[hole - 1];
            }
            events[hole] = event;
        }
        return;
    }
    size_t start = count / 2;
    for (size_t end = count; end > 1;) {
        interest_event event;
        if (start > 0) {
            event = events[--start];
        } else {
            event = events[--end];
            events[end] = events[0];
        }
        size_t hole = start;
        for (size_t child; (child = hole * 2 + 1) < end; hole = child) {
            child += child + 1 < end && events[child + 1] > events[child];
            if (events[child] <= event) {
                break;
            }
            events[hole] = events[child];
        }
        events[hole] = event;
    }
}

void acre_interest_close_outcome(interest_share *share)
{
    interest_outcome *const outcome = last_outcome(share);
    ACRE_INVARIANT(outcome->first <= share->lists.used);
    outcome->count = (uint32_t)(share->lists.used - outcome->first);
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        const size_t first = outcome->event_first[kind];
        outcome->event_count[kind] = (uint32_t)(share->event_counts[kind] - first);
    }
    share->has_sets |= outcome->is_set;
}

void acre_interest_end_outcome(interest_share *share)
{
    acre_interest_close_outcome(share);
    const interest_outcome *const outcome = last_outcome(share);
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        if (kind != EVENT_STAYED && outcome->event_count[kind] > 1) {
            sort_events(share->events[kind].data + outcome->event_first[kind],
                        outcome->event_count[kind]);
        }
    }
}

void acre_interest_drop_outcome(interest_share *share)
{
    const interest_outcome *const outcome = last_outcome(share);
    memcpy(share->event_counts, outcome->event_first, sizeof share->event_counts);
    share->lists.used = outcome->first;
    share->outcome_count--;
}

void acre_interest_add_event(interest_share *share, int kind, uint32_t item, uint32_t marks)
{
    ACRE_INVARIANT(share->event_counts[kind] < share->events[kind].capacity);
    share->events[kind].data[share->event_counts[kind]++] =
        (uint64_t)item << 32 | (marks & MARK_BAND);
}

void acre_interest_compare_marks(const acre_interest *interest, interest_share *share,
                                 uint32_t item, uint32_t old_marks, uint32_t marks)
{
    const bool is_seen = marks & MARK_SEEN, was_seen = old_marks & MARK_SEEN;
    last_outcome(share)->seen += is_seen;
    if (is_seen != was_seen) {
        acre_interest_add_event(share, is_seen ? EVENT_ENTERED : EVENT_LEFT, item, marks);
        return;
    }
    if (is_seen && ((marks ^ old_marks) & MARK_BAND)) {
        acre_interest_add_event(share, EVENT_CHANGED, item, marks);
    }
    if (is_seen && (interest->flags & ACRE_INTEREST_STAYED)) {
        acre_interest_add_event(share, EVENT_STAYED, item, marks);
    }
}
