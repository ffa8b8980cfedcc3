// SPDX-License-Identifier: MIT
// occluder_heights.h - occluders of terrain: prisms under a field of heights.
//
// Experimental: it may change in any minor version.
//
// A field is divided into blocks of 64 by 64 units. The prisms of a block are meant for one entity
// that stands for this part of the ground: the box of the block as its bounds, and the prisms as
// its occluders.
//
// Words used here:
//     corner  a place where the field has a height
//     cell    a square between four corners
//     hole    a cell of which a corner is NaN: it hides nothing
//
// Typical use:
//     acre_height_field field = {.heights = heights, .columns = 257, .rows = 257, .cell = 2};
//     for (size_t i = 0; i < acre_height_field_block_count(&field); i++) {
//         acre_height_block block;
//         acre_result result = acre_occluders_from_heights(&field, i, &block);
//         // an entity with block.bounds gets block.occluders: see acre_culling_set_occluders
//     }
//
// Threading: pure functions.
#ifndef ACRE_OCCLUDER_HEIGHTS_H
#define ACRE_OCCLUDER_HEIGHTS_H

#include <acre/occluder.h>

ACRE_EXTERN_C_BEGIN

/// A block has at most so many prisms.
#define ACRE_HEIGHT_BLOCK_OCCLUDERS 8

/// Heights over a grid of square cells. The surface may be drawn with either diagonal of each cell,
/// or with both.
typedef struct acre_height_field {
    const float *heights;   ///< y of the corner of a column and a row: heights[row * columns +
                            ///< column]; NaN, or at most 1e12 in size
    uint32_t columns, rows; ///< of corners, along x and along z: at least 2
    float cell;             ///< from one corner to the next, above 0
    float origin[2];        ///< x and z of the corner in column 0 and row 0
    uint32_t flags;         ///< ACRE_OCCLUDER_ values for each prism. Ground needs TWO_SIDED to
                            ///< hide anything from an eye between the lowest and the highest point
                            ///< of a block; that is right while no eye goes below the ground
} acre_height_field;

/// A part of the ground.
typedef struct acre_height_block {
    acre_aabb bounds; ///< holds the surface and the footprints; empty if all of it is holes
    acre_occluder occluders[ACRE_HEIGHT_BLOCK_OCCLUDERS]; ///< those that hide most come first
    uint32_t occluder_count;
} acre_height_block;

/// @return how many blocks the field has, row by row of blocks; 0 for a field that is not valid.
/// The heights are not read. A block has as many cells along a side as fit into 64 units, and at
/// least one; the last of a row or a column may have fewer.
ACRE_EXPERIMENTAL_API size_t acre_height_field_block_count(const acre_height_field *field);

/// Finds the prisms of one block. Each has no bottom, and lies under the surface, whichever
/// diagonals this is drawn with, also where the corners are computed in floats. So nothing below
/// the ground may be visible from above it: over caves, and around openings through which one sees
/// below the ground beside them, heights must be NaN.
/// @param block below acre_height_field_block_count.
/// @param out unchanged on error.
/// @return ACRE_ERROR_INVALID_ARGUMENT for NULL, a field or a block out of range, a cell that is so
/// small beside the origin that its corners cannot be told apart, and a height of the block that is
/// infinite or beyond 1e12. Costs about 0.3 ms.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_occluders_from_heights(const acre_height_field *field,
                                                              size_t block, acre_height_block *out);

ACRE_EXTERN_C_END

#endif
