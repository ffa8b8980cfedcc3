// SPDX-License-Identifier: MIT
// mover_lines.c - touches the lines of memory that movers cost, and computes nothing.
#include "mover_lines.h"

#include <stdlib.h>
#include <string.h>

// By what an array of the yardstick is indexed.
typedef enum array_owner {
    CALLER, // by entity, of the tops of chains, in the order of calls
    ENTITY, // by entity, in the order of a commit
    FAMILY, // the same, of chains alone
    BLOCK,  // by place in the tree: of BLOCK_ITEMS items
    GROUP   // by place in the tree: of GROUP_ITEMS items
} array_owner;

// The arrays, with the size of their elements: what a mover touches.
static const struct {
    size_t size;
    array_owner owner;
    bool is_written;
} arrays[] = {
    {8, CALLER, false},  // handle
    {40, CALLER, false}, // transform
    {8, CALLER, false},  // slot
    {64, CALLER, true},  // row
    {8, ENTITY, false},  // head
    {16, FAMILY, false}, // links
    {8, FAMILY, false},  // slots of children
    {64, ENTITY, false}, // row
    {48, ENTITY, true},  // world matrix
    {24, ENTITY, true},  // world box
    {4, ENTITY, false},  // the culler's slot
    {4, ENTITY, false},  // location
    {128, BLOCK, false}, // header
    {384, GROUP, true}   // boxes: a line for each edge
};
enum { LINE = 64, AHEAD = 16, GROUP_ITEMS = 16, BLOCK_ITEMS = 64 };
_Static_assert(sizeof arrays / sizeof arrays[0] == MOVER_ARRAYS, "an array is missing");

// ---- the arrays ----

// Where the tree has an item: its groups stand one after the other in memory.
typedef struct item_places {
    const float *lowest; // of the groups
    const float **edges; // by item: where those of its group begin
    uint32_t *slots;     // by item
} item_places;

static bool note_group(void *user, const acre_item_group *group)
{
    item_places *const places = user;
    if (!places->lowest || group->edges < places->lowest) {
        places->lowest = group->edges;
    }
    for (uint32_t slot = 0; slot < GROUP_ITEMS; slot++) {
        if (group->found >> slot & 1) {
            places->edges[group->items[slot]] = group->edges;
            places->slots[group->items[slot]] = slot;
        }
    }
    return true;
}

static bool find_places(mover_lines *lines, const acre_quadtree *tree, mover_visit_groups visit)
{
    const acre_query all = {.shape = ACRE_QUERY_SHAPE_ALL};
    item_places places = {.edges = calloc(lines->count, sizeof *places.edges),
                          .slots = calloc(lines->count, sizeof *places.slots)};
    const bool is_good = lines->place && places.edges && places.slots &&
                         visit(tree, &all, note_group, &places) == ACRE_OK;
    for (uint32_t i = 0; i < lines->count && is_good; i++) {
        const size_t group = (size_t)(places.edges[i] - places.lowest) / (6 * GROUP_ITEMS);
        lines->place[i] = (uint32_t)group * GROUP_ITEMS + places.slots[i];
        lines->place_count =
            lines->place_count > lines->place[i] ? lines->place_count : lines->place[i] + 1;
    }
    free(places.edges);
    free(places.slots);
    return is_good;
}

static bool create_arrays(mover_lines *lines)
{
    bool is_good = true;
    for (int i = 0; i < MOVER_ARRAYS; i++) {
        const size_t count = arrays[i].owner == BLOCK   ? lines->place_count / BLOCK_ITEMS + 1
                             : arrays[i].owner == GROUP ? lines->place_count / GROUP_ITEMS + 1
                                                        : lines->count;
        const size_t size = (count * arrays[i].size + LINE - 1) / LINE * LINE;
        lines->arrays[i] = aligned_alloc(LINE, size);
        is_good = is_good && lines->arrays[i];
        if (lines->arrays[i]) {
            memset(lines->arrays[i], 1, size); // so that every page is there
        }
    }
    return is_good;
}

bool mover_lines_create(mover_lines *out, uint32_t count, uint32_t chain, const acre_quadtree *tree,
                        mover_visit_groups visit)
{
    *out = (mover_lines){.count = count, .chain = chain};
    out->place = calloc(count, sizeof *out->place);
    if (find_places(out, tree, visit) && create_arrays(out)) {
        return true;
    }
    mover_lines_free(out);
    return false;
}

void mover_lines_free(mover_lines *lines)
{
    free(lines->place);
    for (int i = 0; i < MOVER_ARRAYS; i++) {
        free(lines->arrays[i]);
    }
    *lines = (mover_lines){0};
}

// ---- the loop ----

// Touches the first and the last byte of the elements of all movers: they may span two lines.
static void touch_elements(mover_lines *lines, int array, const uint32_t *order, uint32_t movers)
{
    const bool is_written = arrays[array].is_written;
    const uint32_t count = arrays[array].owner == CALLER ? 1 : lines->chain;
    const size_t size = arrays[array].size, stride = size * lines->chain;
    unsigned char *const base = lines->arrays[array];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < movers; i++) {
        unsigned char *at = base + stride * order[i];
        const unsigned char *later = base + stride * order[i + AHEAD < movers ? i + AHEAD : i];
        for (uint32_t k = 0; k < count; k++, at += size, later += size) {
            __builtin_prefetch(later);
            __builtin_prefetch(later + size - 1);
            sum += (uint32_t)at[0] + at[size - 1];
            if (is_written) {
                at[0] = at[size - 1] = (unsigned char)i;
            }
        }
    }
    lines->sum += sum;
}

// Touches the lines of the groups or blocks in which the tree has the movers.
static void touch_places(mover_lines *lines, int array, const uint32_t *order, uint32_t movers)
{
    const bool is_written = arrays[array].is_written;
    const uint32_t items = arrays[array].owner == GROUP ? GROUP_ITEMS : BLOCK_ITEMS;
    const size_t size = arrays[array].size;
    const uint32_t *const place = lines->place;
    unsigned char *const base = lines->arrays[array];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < movers; i++) {
        const uint32_t top = order[i] * lines->chain;
        const uint32_t ahead = order[i + AHEAD < movers ? i + AHEAD : i] * lines->chain;
        for (uint32_t k = 0; k < lines->chain; k++) {
            unsigned char *const at = base + size * (place[top + k] / items);
            const unsigned char *const later = base + size * (place[ahead + k] / items);
            for (size_t line = 0; line < size; line += LINE) {
                __builtin_prefetch(later + line);
                sum += at[line];
                if (is_written) {
                    at[line] = (unsigned char)i;
                }
            }
        }
    }
    lines->sum += sum;
}

void mover_lines_touch(mover_lines *lines, const uint32_t *order, const uint32_t *sorted,
                       uint32_t movers)
{
    for (int array = 0; array < MOVER_ARRAYS; array++) {
        const array_owner owner = arrays[array].owner;
        if (owner == BLOCK || owner == GROUP) {
            touch_places(lines, array, sorted, movers);
        } else if (owner != FAMILY || lines->chain > 1) {
            touch_elements(lines, array, owner == CALLER ? order : sorted, movers);
        }
    }
}
