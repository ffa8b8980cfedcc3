// SPDX-License-Identifier: MIT
// output_file.c - a file that a program writes: whole or not at all.
#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const char *path, char *message, size_t size)
{
    snprintf(message, size, "%s: %s", path, errno ? strerror(errno) : "cannot write");
    return false;
}

static char *copy_text(const char *text, const char *end)
{
    const size_t size = strlen(text) + strlen(end) + 1;
    char *const copy = malloc(size);
    if (copy) {
        snprintf(copy, size, "%s%s", text, end);
    }
    return copy;
}

bool output_make_folders(const char *path)
{
    char *const copy = copy_text(path, "");
    bool is_good = copy != NULL;
    for (char *slash = copy ? strchr(copy + (copy[0] == '/'), '/') : NULL; slash && is_good;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        is_good = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return is_good;
}

static void forget(output_file *out)
{
    free(out->path);
    free(out->temporary);
    *out = (output_file){0};
}

// What exists and is no plain file, such as /dev/stdout or a link, is written where it is.
static bool open_stream(output_file *out, const char *path)
{
    struct stat status;
    const bool exists = lstat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        out->stream = fopen(path, "w");
        return out->stream != NULL;
    }
    if (exists && access(path, W_OK) != 0) {
        return false;
    }
    out->temporary = copy_text(path, ".XXXXXX");
    const int file = out->temporary && output_make_folders(path) ? mkstemp(out->temporary) : -1;
    if (file < 0) {
        return false;
    }
    const mode_t mask = umask(0);
    umask(mask);
    out->stream =
        fchmod(file, exists ? status.st_mode & 0777 : 0666 & ~mask) == 0 ? fdopen(file, "w") : NULL;
    if (!out->stream) {
        close(file);
        unlink(out->temporary);
    }
    return out->stream != NULL;
}

bool output_open(output_file *out, const char *path, char *message, size_t message_size)
{
    *out = (output_file){.path = copy_text(path, "")};
    errno = 0;
    if (out->path && open_stream(out, path)) {
        return true;
    }
    forget(out);
    return refuse(path, message, message_size);
}

bool output_check(const char *path, char *message, size_t message_size)
{
    output_file file;
    if (path && !output_open(&file, path, message, message_size)) {
        return false;
    }
    if (path) {
        output_discard(&file);
    }
    return true;
}

bool output_close(output_file *out, char *message, size_t message_size)
{
    if (!out->stream) {
        return true;
    }
    errno = 0;
    bool is_good = fflush(out->stream) == 0 && !ferror(out->stream);
    is_good = fclose(out->stream) == 0 && is_good;
    if (out->temporary) {
        is_good = is_good && rename(out->temporary, out->path) == 0;
        const int reason = errno;
        if (!is_good) {
            unlink(out->temporary);
        }
        errno = reason;
    }
    if (!is_good) {
        refuse(out->path, message, message_size);
    }
    forget(out);
    return is_good;
}

void output_discard(output_file *out)
{
    if (out->stream) {
        fclose(out->stream);
    }
    if (out->temporary) {
        unlink(out->temporary);
    }
    forget(out);
}

int output_end(const char *program, int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return status;
    }
    fprintf(stderr, "%s: standard output: %s\n", program, errno ? strerror(errno) : "cannot write");
    return status ? status : 1;
}
