// SPDX-License-Identifier: MIT
// npm_export.h - how the npm package's functions leave the WebAssembly module.
//
// Scripts pass pointers into the module's memory. Structs of floats lie there as C declares them;
// scripts write and read them by their offsets, and these files assert the sizes.
#ifndef ACRE_NPM_EXPORT_H
#define ACRE_NPM_EXPORT_H

/// A function that scripts call by its own name.
#define NPM_EXPORT(name) __attribute__((export_name(#name))) name

#endif
