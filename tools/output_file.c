// SPDX-License-Identifier: MIT
// output_file.c - a file that a program writes: whole or not at all.
#include "output_file.h"

#include "plain_file.h"

#include <errno.h>
#include <fcntl.h>
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

// The descriptor of this program that the path leads to, such as /dev/stdout; -1: none. Opened once
// more it would be cut, or written from its beginning.
static int own_descriptor(const struct stat *status)
{
    struct stat own;
    for (int file = STDOUT_FILENO; file < 10; file++) {
        if (fstat(file, &own) == 0 && own.st_dev == status->st_dev &&
            own.st_ino == status->st_ino && (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY) {
            return file;
        }
    }
    return -1;
}

// Without waiting for a reader: see output_file.h.
static int open_special(const char *path)
{
    const int file = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0 && fcntl(file, F_SETFL, 0) < 0) { // a pipe that is full waits for its reader
        close(file);
        return -1;
    }
    return file;
}

static FILE *stream_of(int file)
{
    FILE *const stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (file >= 0 && !stream) {
        close(file);
    }
    return stream;
}

// A temporary file beside the path. @param status of what is there; NULL: nothing
static bool open_beside(output_file *out, const struct stat *status)
{
    if (status && access(out->path, W_OK) != 0) {
        return false;
    }
    out->temporary = copy_text(out->path, ".XXXXXX");
    const int file =
        out->temporary && output_make_folders(out->path) ? mkstemp(out->temporary) : -1;
    if (file < 0) {
        return false;
    }
    const mode_t mask = umask(0);
    umask(mask);
    const bool is_good = fchmod(file, status ? status->st_mode & 0777 : 0666 & ~mask) == 0;
    out->stream = is_good ? stream_of(file) : NULL;
    if (!is_good) {
        close(file);
    }
    if (!out->stream) {
        unlink(out->temporary);
    }
    return out->stream != NULL;
}

// A link to a file that is not there yet makes it.
static bool open_through_link(output_file *out)
{
    out->stream = stream_of(open(out->path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666));
    char *const real = out->stream ? realpath(out->path, NULL) : NULL;
    if (real) {
        free(out->path);
        out->path = real;
        out->is_new = true;
    }
    return out->stream != NULL;
}

static bool open_stream(output_file *out)
{
    struct stat link, status;
    if (lstat(out->path, &link) != 0) {
        return open_beside(out, NULL);
    }
    if (S_ISREG(link.st_mode)) {
        return open_beside(out, &link);
    }
    if (stat(out->path, &status) != 0) {
        return open_through_link(out);
    }
    const int own = own_descriptor(&status);
    if (own >= 0 || !S_ISREG(status.st_mode)) {
        fflush(NULL); // what was printed before stands before it
        out->stream = stream_of(own >= 0 ? dup(own) : open_special(out->path));
        return out->stream != NULL;
    }
    char *const real = realpath(out->path, NULL);
    if (real) {
        free(out->path);
        out->path = real;
    }
    return real && open_beside(out, &status);
}

static bool refuse_open(output_file *out, const char *path, char *message, size_t message_size)
{
    const int reason = errno;
    struct stat status;
    if (reason == ENXIO && stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
        snprintf(message, message_size, "%s: nobody reads this pipe", path);
    } else {
        errno = reason;
        refuse(path, message, message_size);
    }
    forget(out);
    return false;
}

bool output_open(output_file *out, const char *path, char *message, size_t message_size)
{
    *out = (output_file){.path = copy_text(path, "")};
    errno = 0;
    return (out->path && open_stream(out)) || refuse_open(out, path, message, message_size);
}

bool output_open_new(output_file *out, const char *path, char *message, size_t message_size)
{
    *out = (output_file){.path = copy_text(path, ""), .is_new = true};
    errno = 0;
    out->stream =
        out->path ? stream_of(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) : NULL;
    return out->stream || refuse_open(out, path, message, message_size);
}

bool output_check(const char *path, char *message, size_t message_size)
{
    output_file file;
    if (path && !output_open(&file, path, message, message_size)) {
        return false;
    }
    if (path) {
        struct stat status;
        if (fstat(fileno(file.stream), &status) == 0 && S_ISFIFO(status.st_mode)) {
            const int kept = dup(fileno(file.stream)); // until the program ends
            (void)kept;
        }
        output_discard(&file);
    }
    return true;
}

// All bytes are on the disk, and the path names them.
static bool keep(const output_file *out)
{
    const bool is_plain = out->temporary || out->is_new;
    bool is_good = fflush(out->stream) == 0 && !ferror(out->stream);
    // Some file systems cannot sync, and say so.
    is_good = is_good && (!is_plain || fsync(fileno(out->stream)) == 0 || errno == EINVAL);
    const int reason = errno;
    if (fclose(out->stream) != 0) {
        return false;
    }
    errno = reason;
    is_good = is_good && (!out->temporary || rename(out->temporary, out->path) == 0);
    // Without the right to read the folder it is written all the same.
    return is_good && (!out->temporary || plain_folder_sync_around(out->path) || errno == EACCES);
}

static void remove_cut(const output_file *out)
{
    if (out->temporary || out->is_new) {
        unlink(out->temporary ? out->temporary : out->path);
    }
}

bool output_close(output_file *out, char *message, size_t message_size)
{
    if (!out->stream) {
        return true;
    }
    errno = 0;
    const bool is_good = keep(out);
    if (!is_good) {
        const int reason = errno;
        remove_cut(out);
        errno = reason;
        refuse(out->path, message, message_size);
    }
    forget(out);
    return is_good;
}

void output_discard(output_file *out)
{
    if (out->stream) {
        fclose(out->stream);
        remove_cut(out);
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
