// SPDX-License-Identifier: MIT
// page_file.h - the file that a page carries: a packed model or a recording.
#ifndef ACRE_TOOLS_PAGE_FILE_H
#define ACRE_TOOLS_PAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

// As acre_import_pack and acre_recorder_begin write them.
bool page_file_is_model(const void *bytes, size_t size);
bool page_file_is_recording(const void *bytes, size_t size);

// What import_sandbox_file reads from now on, whatever the path: a page has no files and no child
// processes. The bytes stay the caller's.
void page_file_give(const void *bytes, size_t size);

#endif
