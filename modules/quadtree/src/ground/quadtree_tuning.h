// SPDX-License-Identifier: MIT
// quadtree_tuning.h - the tree's tuned constants, with what was measured. The lengths of a query's
// lists are in quadtree_volume.h.
//
// Measured with 100,000 and 1,000,000 boxes of 0.3 to 200 m in town clusters, and five kinds of
// views.
#ifndef ACRE_QUADTREE_TUNING_H
#define ACRE_QUADTREE_TUNING_H

enum {
    // A row of 16 floats is one cache line and one AVX-512 vector. Groups of 8 lost 5 to 15 % in
    // every view.
    GROUP_SLOTS = 16,
    // The bounds of four groups are tested like those of four siblings. A leaf wastes half a block
    // on average.
    BLOCK_GROUPS = 4,
    BLOCK_SLOTS = GROUP_SLOTS * BLOCK_GROUPS,
    // Leaves may be large because groups of 16 have bounds of their own. The optimum is flat from
    // 320 to 768; 192 loses 8 % (ground) to 20 % (aerial). An item takes 48 bytes, 100 at 128.
    DEFAULT_NODE_CAPACITY = 512,
    // A leaf may hold a 32nd of all items, up to 128, even if the def gives a smaller number.
    // Nearly every leaf has a block of its own, so at 100,000 items leaves of 8 took 762 bytes an
    // item and 37 to 48 us a view; with this rule it is 64 to 82 bytes and 4 us. Trees of few items
    // split at the number of the def.
    CAPACITY_SHARE_DIVISOR = 32,
    LARGE_TREE_CAPACITY = 128,
    // Finest cells of 1 m in the default square: a root of 2^24 of them reaches 16,777 km, so that
    // a town at coordinates of UTM is in reach. 100,000 boxes at such coordinates: ground queries
    // took 135 us with a depth of 14, where all were outliers, and 3.9 us with 11; at local
    // coordinates both take the same.
    DEFAULT_MAX_DEPTH = 11,
    // Four siblings collapse at half of a leaf's capacity. With all items oscillating over a
    // border, 0.1 cells a frame split; with a collapse at the full capacity it was 31.
    COLLAPSE_DIVISOR = 2,
    // A split must move at least a quarter of the items, or the new cells cost more than they save.
    SPLIT_MOVERS_DIVISOR = 4,
    // acre_quadtree_maintain looks at a 32nd of the nodes: 0.1 ns per item and frame. Without any
    // tightening, queries take 18 % longer.
    MAINTAIN_DIVISOR = 32,
    // A node's items are put in order when more than a 64th of them stand behind an item farther
    // along the curve. Queries of unordered leaves of 512 take 40 % longer. Without a tolerance,
    // upkeep of 1,000 items of which 2 % move takes 3.0 us a frame instead of 1.9.
    ORDER_TOLERANCE_DIVISOR = 64,
    // Ordering moves an item when it belongs to another quarter of a group. Whole groups would save
    // a tenth of upkeep, but spheres, which test items four or eight at a time, took 6 % longer.
    // Single items would take a third more upkeep.
    ORDER_PART_SLOTS = GROUP_SLOTS / 4,
    // Trees of at least this many blocks (1.5 MiB of boxes) prefetch: refresh_many this many rows
    // ahead, refresh_all the next block. In smaller trees refresh_many would lose 3 of 8 ns a row;
    // at 100,000 items it saves 4 of 18. For refresh_all, with other programs at work, 3.9 ns an
    // item became 4.2 in small trees, 14.6 became 12.2 at 100,000 and 82 became 60 at 1,000,000.
    // Prefetching the block's own rows, which it writes, saves 500,000 agents 2 to 7 % more.
    PREFETCH_BLOCKS = 1024,
    PREFETCH_ROWS = 8,
    // Boxes of at least this many blocks (12 MiB) come from memory, and prefetching farther ahead
    // is better. refresh_many of 1,000,000 items: 8.2 ns a row with 8 rows ahead, 6.2 with 32, 6.0
    // with 48; in random order 13, 11 and 11.8. 100,000 items: 5.6, 5.9 and 6.2. Single refreshes
    // with equal strides prefetch as well: 7.2 ns instead of 9.7, in random order 12.8 instead of
    // 20; at 100,000 items they would lose, 5.6 instead of 4.2.
    FAR_BLOCKS = 8192,
    FAR_ROWS = 32,
    // A query of a shape whose box would hold fewer items than this, were they spread evenly, tests
    // nodes and groups against the box alone. Spheres and circles do not: they have tests as fast.
    SMALL_SHAPE_ITEMS = 64,
    // A query for any few results, at most this many, first looks in the middle of the shape. For
    // one result in a box of 200 m that saves half of the time. If the middle has too few, the
    // query starts again with the whole shape.
    FEW_RESULTS = 16,
    // The root shrinks no sooner than this many maintains after it grew or shrank, so that items
    // which cross its border to and fro do not change it every frame.
    SHRINK_DELAY = 16,
    // More outliers than this, and than this share of all items, get another lattice, if one holds
    // them. Queries test each outlier; 64 are four groups.
    STRAYS_LEAST = 64,
    STRAYS_DIVISOR = 16,
    // A lattice becomes finer if its cells can be a fourth as wide.
    LATTICE_FINER = 4,
    // While it cannot, looks for one become rarer, by half each time, and so often at most.
    LATTICE_MOST_WAIT = 5,
    // Maintains until a finer lattice that was found is taken: five seconds of a game. Twice as
    // many after each one that did not last, as often as above.
    LATTICE_DELAY = 300,
    // After so many looks for larger cells that found none, the next one waits for as long.
    LATTICE_MISSES = 4,
    // Blocks that are asked before all are. With a million boxes they answer in 2 ms, all in 90.
    LATTICE_SAMPLE = 128,
    // Cells are too wide when more than this share of all items stand in crowded ones. Finer cells
    // are chosen so that on average a cell holds this share of a leaf: clusters within it then fit,
    // too. Cells that are finer than need be cost nothing but reach. In a build, so often at most.
    CROWDED_DIVISOR = 4,
    FITTING_DIVISOR = 16,
    FITTING_BUILDS = 3,
    // Batches smaller than this, or smaller than the tree, are inserted one by one. A build moves
    // all items: for a batch half as large as the tree it took 295 ns a row instead of 137.
    BULK_LEAST = 16,
    // A removal of at least half of the items collapses cells once, at its end.
    LATE_COLLAPSE_DIVISOR = 2,
    // A build prefetches this many items ahead.
    BULK_AHEAD = 16,
    // remove_many prefetches in steps that are this many rows apart.
    REMOVE_AHEAD = 4
};

// When a refreshed box leaves its group's bounds, they grow past it by this share of the cell, so
// that a steady motion does not grow bounds up the tree every frame. 0.8 % of the refreshes do; at
// a 32nd 0.5 %, but queries took 3 to 5 % longer; at a 1024th refreshes take a quarter longer.
#define BOUNDS_SLACK (1.0f / 128.0f)

// Upkeep tightens a node and puts its items in order when its groups have become wider by this
// share since they were last in order. With 100,000 items of which 2 / 10 / 100 % move, upkeep
// takes 5 / 16 / 74 us a frame; tidying every node in which something moved takes 41 / 44 / 76.
// Queries test 3.5 / 4 / 0.4 % more items, which is 1 to 2 % of their time.
#define SPREAD_SHARE (1.0f / 8.0f)

#define DEFAULT_HALF_SIZE 1024.0f

#endif
