// SPDX-License-Identifier: MIT
// debug_svg.h - debug drawing as an SVG picture of the ground seen from above.
//
// Experimental: it may change in any minor version.
//
// A back end of acre_debug_draw: x goes to the right, z down, y is not shown. It allocates nothing:
// the picture goes piece by piece to your function. The same calls give the same bytes in every
// locale. What lies outside of the area is left out.
//
// Words used here:
//     layer   a group of shapes with a name and a style. Browsers list the names, and a click
//             switches a layer on or off; Inkscape lists them as its layers
//     kind    what a shape shows: one of the ACRE_DEBUG_ flags of debug_draw.h
//
// Typical use, with a FILE *file that is open for writing:
//     acre_debug_svg_def def = {.write = acre_debug_svg_to_file, .user = file, .max = {100, 100}};
//     acre_debug_svg svg;
//     acre_result result = acre_debug_svg_begin(&svg, &def);
//     for (uint32_t kind = ACRE_DEBUG_STRICT_CELLS; kind <= ACRE_DEBUG_COUNTS; kind <<= 1) {
//         acre_debug_draw draw;
//         if (acre_debug_svg_layer(&svg, &(acre_debug_svg_style){.kinds = kind}, &draw) == ACRE_OK)
//             acre_x_debug_draw(x, &draw);
//     }
//     result = acre_debug_svg_end(&svg);
//
// Threading: one thread at a time per picture.
#ifndef ACRE_DEBUG_SVG_H
#define ACRE_DEBUG_SVG_H

#include <acre/debug_draw.h>

ACRE_EXTERN_C_BEGIN

/// What the picture shows and where its bytes go. write and max must be set.
typedef struct acre_debug_svg_def {
    /// Takes the next bytes of the file, at most 2,048. @return whether they were written; after
    /// false it is not called again, and acre_debug_svg_end returns ACRE_ERROR_IO.
    bool (*write)(void *user, const char *bytes, size_t size);
    void *user;          ///< passed to write
    float min[2];        ///< lower corner of the shown area, x and z, world units; finite
    float max[2];        ///< upper corner of the shown area; finite, > min
    uint32_t size;       ///< longer side of the picture, pixels, 16..32768; 0: 1024
    uint32_t background; ///< 0xRRGGBBAA; 0: white
    const char *title;   ///< UTF-8; NULL: none
    const char *note;    ///< UTF-8, along the lower edge (sources, licenses); NULL: none
} acre_debug_svg_def;

/// How the shapes of one layer look. Zero means default.
typedef struct acre_debug_svg_style {
    const char *name;  ///< UTF-8; NULL: the name of the first kind, "shapes" without kinds
    uint32_t kinds;    ///< ACRE_DEBUG_ flags of what is drawn in the layer; 0: all kinds
    float line_width;  ///< pixels, 0..100; 0: 1
    float text_height; ///< pixels, 0..1000; 0: 10
    float fill;        ///< opacity inside of boxes, 0..1 of the color's; 0: outlines only
    bool is_hidden;    ///< the layer starts switched off
} acre_debug_svg_style;

/// A picture that is being written. Its fields are the library's. 2.2 KiB; it owns no memory.
typedef struct acre_debug_svg {
    bool (*write)(void *user, const char *bytes, size_t size);
    void *user;
    acre_result result;  // the first error
    bool is_open;        // between begin and end
    bool has_layer;      // a <g> is open
    double origin[2];    // x, z at the picture's corner
    double scale;        // hundredths of a pixel per world unit
    double limit[2];     // width and height, hundredths of a pixel
    double reach;        // how far outside of the picture a line can still be seen
    uint32_t fill;       // opacity of 0..255
    uint32_t path_shape; // shapes in the open <path>, 0: none is open
    uint32_t path_rgba;
    size_t length; // bytes in buffer
    char buffer[2048];
} acre_debug_svg;

/// Starts a picture.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT (then nothing was written, and *svg is closed);
/// ACRE_ERROR_IO.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_debug_svg_begin(acre_debug_svg *svg,
                                                       const acre_debug_svg_def *def);

/// Starts a layer above the others and ends the one before. Boxes and lines of one color that
/// follow each other become one path, about 30 bytes a box; so give each kind a layer of its own.
/// @param style NULL: all defaults.
/// @param draw receives functions that draw into the picture's newest layer, and style->kinds as
/// flags. They leave out what is NULL, NaN, inverted or outside of the area, and lines with an
/// infinite end. Broken UTF-8 and control characters in texts become U+FFFD.
/// @return ACRE_OK; ACRE_ERROR_INVALID_ARGUMENT (NULL, a closed picture, a value outside its
/// range); ACRE_ERROR_IO. After an error *draw draws nothing.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_debug_svg_layer(acre_debug_svg *svg,
                                                       const acre_debug_svg_style *style,
                                                       acre_debug_draw *draw);

/// Ends the picture and closes *svg.
/// @return ACRE_OK; ACRE_ERROR_IO if any byte was not written; ACRE_ERROR_INVALID_ARGUMENT for NULL
/// or a closed picture.
ACRE_EXPERIMENTAL_API ACRE_RESULT acre_debug_svg_end(acre_debug_svg *svg);

/// A write function for a def whose user is a FILE *. The FILE stays yours: close it and check what
/// fclose returns, since the C library may write late.
/// @return whether all bytes were written.
ACRE_EXPERIMENTAL_API bool acre_debug_svg_to_file(void *file, const char *bytes, size_t size);

ACRE_EXTERN_C_END

#endif
