// SPDX-License-Identifier: MIT
// import_reader.c - what the readers of all formats share: messages, the ending of a path, sizes.
#include "import_internal.h"

#include <limits.h>
#include <stdarg.h>

acre_result acre_import_fail(const import_job *job, acre_result result, const char *format, ...)
{
    const int used = snprintf(job->message, job->message_size, "%s: ", job->path);
    if (used > 0 && (size_t)used < job->message_size) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(job->message + used, job->message_size - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return result;
}

acre_result acre_import_fail_size(const import_job *job, acre_result result)
{
    return acre_import_fail(job, result,
                            result == ACRE_ERROR_CAPACITY
                                ? "it has too many nodes, points or indices for a model"
                                : "not enough memory for it");
}

const char *acre_import_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strpbrk(dot, "/\\") == NULL && dot[1] != '\0' ? dot : NULL;
}

bool acre_import_file_size(FILE *file, size_t *size)
{
    const long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    *size = (size_t)end;
    return end >= 0 && end < LONG_MAX && fseek(file, 0, SEEK_SET) == 0; // a folder has LONG_MAX
}
