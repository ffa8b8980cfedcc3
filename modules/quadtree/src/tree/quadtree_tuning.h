// SPDX-License-Identifier: MIT
// quadtree_tuning.h - the tree's tuned constants, with what was measured. How long a query's lists
// are stands in quadtree_volume.h.
//
// Measured at 100,000 and 1,000,000 boxes of 0.3 to 200 m in town clusters, five kinds of views.
#ifndef ACRE_QUADTREE_TUNING_H
#define ACRE_QUADTREE_TUNING_H

enum {
    // Boxes side by side in one row: a row of 16 floats is one cache line, and one AVX-512 vector.
    // Groups of 8 lost 5 to 15 % in every view.
    GROUP_SLOTS = 16,
    // Four groups in a block: their bounds are tested as those of four siblings are, and a leaf
    // wastes half a block.
    BLOCK_GROUPS = 4,
    BLOCK_SLOTS = GROUP_SLOTS * BLOCK_GROUPS,
    // Groups of 16 have bounds of their own, so that leaves may be large: 48 bytes an item, 100 at
    // 128. A flat optimum from 320 to 768; 192 loses 8 % (ground) to 20 % (aerial).
    DEFAULT_NODE_CAPACITY = 512,
    DEFAULT_MAX_DEPTH = 14,
    // Four siblings collapse at node_capacity / 2. With all items oscillating over a border this
    // splits 0.1 cells a frame; at the full capacity it was 31.
    COLLAPSE_DIVISOR = 2,
    // A split must move at least a quarter of the items, or the new cells cost more than they cut.
    SPLIT_MOVERS_DIVISOR = 4,
    // acre_quadtree_maintain refits this fraction of the nodes: 0.1 ns per item and frame. Never
    // refitting costs queries 18 %.
    MAINTAIN_DIVISOR = 32,
    // A node's items are ordered anew when more than a 64th stand behind one that is farther on
    // the curve. Unordered leaves of 512 query 40 % slower; without a tolerance 1,000 items of
    // which 2 % move take 3.0 us of upkeep a frame instead of 1.9.
    ORDER_TOLERANCE_DIVISOR = 64,
    // An item moves when it belongs to another quarter of a group: in whole groups upkeep would
    // save a tenth, but shapes test items four or eight at a time, and spheres took 6 % more; as
    // single items it would take a third more.
    ORDER_PART_SLOTS = GROUP_SLOTS / 4,
    // refresh_many prefetches from that many blocks on (1.5 MiB of boxes), so many rows ahead. In
    // smaller trees it costs 3 of 8 ns a row; 100,000 items save 4 of 18.
    // refresh_all fetches what it reads for the next block: 3.9 ns an item becomes 4.2 in small
    // trees, 14.6 becomes 12.2 at 100,000 and 82 becomes 60 at 1,000,000 (with other programs at
    // work); and the block's own rows, too, which it writes: 500,000 agents save 2 to 7 % of it.
    PREFETCH_BLOCKS = 1024,
    PREFETCH_ROWS = 8,
    // With that many blocks (12 MiB) lines come from memory, and farther ahead is better: 1,000,000
    // items, refresh_many 8.2 ns a row with 8, 6.2 with 32, 6.0 with 48, and in random order 13, 11
    // and 11.8; 100,000 items 5.6, 5.9 and 6.2. Single refreshes that follow each other in equal
    // steps are foreseen: 7.2 ns instead of 9.7, in random order 12.8 instead of 20; 100,000 items
    // 5.6 instead of 4.2.
    FAR_BLOCKS = 8192,
    FAR_ROWS = 32,
    // A shape whose box would hold fewer items, were they spread evenly, is asked of items alone.
    SMALL_SHAPE_ITEMS = 64,
    // So few results, where any will do, are first looked for in the middle of a shape: for one of
    // a box of 200 m that saves half of the time. What is found there and does not suffice is found
    // once more.
    FEW_RESULTS = 16,
    // The root shrinks no sooner than so many maintains after it grew or shrank: items that cross
    // its border to and fro do not grow and shrink it every frame.
    SHRINK_DELAY = 16,
    // Smaller batches than this, or than what the tree holds, are inserted one by one: a build
    // moves all items, and a batch half as large as the tree took 295 ns a row so instead of 137.
    BULK_LEAST = 16,
    // A removal of this fraction of the items collapses cells once, at its end.
    LATE_COLLAPSE_DIVISOR = 2,
    // So many items ahead a build fetches what it reads and writes in no order.
    BULK_AHEAD = 16,
    // So many rows lie between the steps in which remove_many fetches what it reads.
    REMOVE_AHEAD = 4
};

// Stored bounds that a refresh leaves grow by this share of the cell, so that a steady motion does
// not walk up the tree every frame: 0.8 % of the refreshes do, 0.5 % at a 32nd, after which queries
// took 3 to 5 % more; at a 1024th refresh takes a quarter more.
#define BOUNDS_SLACK (1.0f / 128.0f)

// Upkeep tightens a node and puts its items in order when its groups reach farther by this share
// than when they were last in order. With 100,000 items of which 2 / 10 / 100 % move, a frame's
// upkeep takes 5 / 16 / 74 us, 41 / 44 / 76 if it looks at every node in which something moved;
// queries test 3.5 / 4 / 0.4 % more items, which is 1 to 2 % of their time.
#define SPREAD_SHARE (1.0f / 8.0f)

#define DEFAULT_HALF_SIZE 1024.0f

#endif
