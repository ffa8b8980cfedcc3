// SPDX-License-Identifier: MIT
// import_sandbox.c - imports a file in a child process with limits on memory and time.
//
// The child writes to a pipe: a head, then the packed model. The parent reads until the end of the
// pipe or the deadline, whichever comes first, and then collects the child.
#define _GNU_SOURCE // pipe2

#include "import_sandbox.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A sanitizer's shadow memory needs the address space, and its reports a place to go.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANDBOX_IS_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANDBOX_IS_CHECKED 1
#endif
#endif
#ifndef SANDBOX_IS_CHECKED
#define SANDBOX_IS_CHECKED 0
#endif

static const uint64_t default_memory = UINT64_C(4) << 30;
static const uint32_t default_seconds = 60;
// The reader walks hierarchies by recursion. Linux keeps at least 128 MiB free below a stack.
static const rlim_t stack_bytes = (rlim_t)96 << 20;

typedef struct sandbox_head {
    uint32_t magic;
    uint32_t result; // acre_result of the import
    uint64_t packed_size;
    char message[480];
} sandbox_head;

static const uint32_t head_magic = UINT32_C(0xac4e5b0c);

// What the parent has read so far.
typedef struct sandbox_answer {
    unsigned char *bytes;
    size_t size, capacity;
} sandbox_answer;

// Lowers both limits of a resource; what is lower already stays. The type is that
// of glibc's enumeration, as the compilers choose it.
static void limit(unsigned resource, rlim_t soft, rlim_t hard)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0) {
        now.rlim_max = now.rlim_max == RLIM_INFINITY || now.rlim_max > hard ? hard : now.rlim_max;
        now.rlim_cur = now.rlim_max < soft ? now.rlim_max : soft;
        setrlimit(resource, &now);
    }
}

static void limit_self(const import_sandbox_def *def)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0) {
        stack.rlim_cur = stack.rlim_max < stack_bytes ? stack.rlim_max : stack_bytes;
        setrlimit(RLIMIT_STACK, &stack);
    }
    limit(RLIMIT_CORE, 0, 0);
    // SIGXCPU at the soft limit tells a late child from one that the system killed.
    limit(RLIMIT_CPU, def->seconds, (rlim_t)def->seconds + 1);
    if (!SANDBOX_IS_CHECKED) {
        limit(RLIMIT_FSIZE, 0, 0); // it reads files and writes none
        limit(RLIMIT_AS, (rlim_t)def->memory_bytes, (rlim_t)def->memory_bytes);
    }
}

// The reader says on stderr why it aborts; a sanitizer's report is let through.
static void silence(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        if (!SANDBOX_IS_CHECKED) {
            dup2(nowhere, STDERR_FILENO);
        }
    }
}

static bool write_all(int pipe_end, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size > 0) {
        const ssize_t written = write(pipe_end, at, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        }
    }
    return true;
}

// What is found takes the model's place. Memory that is short for it is no fault of the file.
static void find_occluders(acre_import_model **model)
{
    static const acre_import_find_def def = {0};
    acre_import_model *found;
    if (acre_import_find_occluders(*model, &def, NULL, &found) == ACRE_OK) {
        acre_import_free(*model);
        *model = found;
    }
}

// Never returns. _exit: nothing of the parent's (buffers, exit handlers) is run a second time.
_Noreturn static void run_child(const char *path, const import_sandbox_def *def, int pipe_end)
{
    limit_self(def);
    silence();
    sandbox_head head;
    memset(&head, 0, sizeof head);
    head.magic = head_magic;
    acre_import_model *model = NULL;
    acre_result result = acre_import_file(path, NULL, &model, head.message, sizeof head.message);
    void *packed = NULL;
    if (result == ACRE_OK && def->finds_occluders && model->occluder_count == 0) {
        find_occluders(&model);
    }
    if (result == ACRE_OK) {
        head.packed_size = acre_import_pack(model, NULL, 0);
        packed = malloc((size_t)head.packed_size);
        if (packed == NULL) {
            result = ACRE_ERROR_OUT_OF_MEMORY;
            head.packed_size = 0;
            snprintf(head.message, sizeof head.message, "%s: not enough memory for it", path);
        } else {
            acre_import_pack(model, packed, (size_t)head.packed_size);
        }
    }
    head.result = (uint32_t)result;
    const bool written = write_all(pipe_end, &head, sizeof head) &&
                         write_all(pipe_end, packed, (size_t)head.packed_size);
    _exit(written ? 0 : 1);
}

static int64_t milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Makes room for at least 64 KiB more.
static bool answer_reserve(sandbox_answer *answer)
{
    const size_t step = 65536;
    if (answer->capacity - answer->size >= step) {
        return true;
    }
    const size_t capacity = answer->capacity * 2 + step;
    unsigned char *grown = realloc(answer->bytes, capacity);
    if (grown == NULL) {
        return false;
    }
    answer->bytes = grown;
    answer->capacity = capacity;
    return true;
}

typedef enum read_end { READ_COMPLETE, READ_TIMEOUT, READ_NO_MEMORY, READ_BROKEN } read_end;

static read_end read_answer(int pipe_end, int64_t deadline, uint64_t size_limit, const char *path,
                            progress *line, sandbox_answer *answer)
{
    for (;;) {
        progress_show(line, "reading %s", path);
        const int64_t left = deadline - milliseconds_now();
        struct pollfd poll_end = {.fd = pipe_end, .events = POLLIN};
        const int ready = poll(&poll_end, 1, left > 1000 ? 1000 : left > 0 ? (int)left : 0);
        if (ready < 0 && errno != EINTR) {
            return READ_BROKEN;
        }
        if (ready <= 0) {
            if (left <= 0) {
                return READ_TIMEOUT;
            }
            continue;
        }
        if (answer->size > size_limit || !answer_reserve(answer)) {
            return READ_NO_MEMORY;
        }
        const ssize_t count =
            read(pipe_end, answer->bytes + answer->size, answer->capacity - answer->size);
        if (count == 0) {
            return READ_COMPLETE;
        }
        if (count < 0 && errno != EINTR) {
            return READ_BROKEN;
        }
        answer->size += count > 0 ? (size_t)count : 0;
    }
}

static acre_result tell(char *message, size_t size, acre_result result, const char *path,
                        const char *what)
{
    if (size > 0) {
        snprintf(message, size, "%s: %s", path, what);
    }
    return result;
}

// What a child that sent no whole answer died of.
static acre_result tell_death(int status, const char *path, char *message, size_t size)
{
    char what[96];
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return tell(message, size, ACRE_ERROR_FORMAT, path, "reading it took too long");
    }
    if (WIFSIGNALED(status)) {
        snprintf(what, sizeof what, "the file reader crashed on it (signal %d)", WTERMSIG(status));
    } else {
        snprintf(what, sizeof what, "the file reader ended without an answer (exit code %d)",
                 WEXITSTATUS(status));
    }
    return tell(message, size, ACRE_ERROR_FORMAT, path, what);
}

// Judges a whole answer. @return false if it is none.
static bool take_answer(const sandbox_answer *answer, const char *path,
                        const import_sandbox_def *def, acre_import_model **out, acre_result *result,
                        char *message, size_t size)
{
    sandbox_head head;
    if (answer->size < sizeof head) {
        return false;
    }
    memcpy(&head, answer->bytes, sizeof head);
    if (head.magic != head_magic || head.packed_size != answer->size - sizeof head ||
        head.result > ACRE_ERROR_FORMAT ||
        memchr(head.message, '\0', sizeof head.message) == NULL) {
        return false;
    }
    *result = (acre_result)head.result;
    if (*result == ACRE_OK) {
        *result = acre_import_unpack(answer->bytes + sizeof head, (size_t)head.packed_size,
                                     def->allocator, out);
        if (*result == ACRE_ERROR_FORMAT) {
            return false;
        }
        if (*result != ACRE_OK) {
            tell(message, size, *result, path, "not enough memory for it");
        }
    } else if (size > 0) {
        snprintf(message, size, "%s", head.message);
    }
    return true;
}

// Reads what the child sends, ends it if it is late, and collects it.
static acre_result supervise(pid_t child, int pipe_end, const char *path,
                             const import_sandbox_def *def, acre_import_model **out, char *message,
                             size_t size)
{
    sandbox_answer answer = {0};
    const int64_t deadline = milliseconds_now() + 2000 * (int64_t)def->seconds;
    progress line = progress_begin();
    const read_end end = read_answer(pipe_end, deadline, def->memory_bytes, path, &line, &answer);
    progress_end(&line);
    if (end != READ_COMPLETE) {
        kill(child, SIGKILL);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    acre_result result = ACRE_ERROR_FORMAT;
    if (end == READ_NO_MEMORY) {
        result = tell(message, size, ACRE_ERROR_OUT_OF_MEMORY, path, "not enough memory for it");
    } else if (end == READ_BROKEN) {
        result = tell(message, size, ACRE_ERROR_IO, path, "its model cannot be received");
    } else if (end == READ_TIMEOUT) {
        result = tell(message, size, ACRE_ERROR_FORMAT, path, "reading it took too long");
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
               !take_answer(&answer, path, def, out, &result, message, size)) {
        result = tell_death(status, path, message, size);
    }
    free(answer.bytes);
    return result;
}

acre_result import_sandbox_file(const char *path, const import_sandbox_def *def,
                                acre_import_model **out, char *message, size_t message_size)
{
    if (message == NULL) {
        message_size = 0;
    }
    if (message_size > 0) {
        message[0] = '\0';
    }
    if (out != NULL) {
        *out = NULL;
    }
    if (path == NULL || out == NULL) {
        return tell(message, message_size, ACRE_ERROR_INVALID_ARGUMENT, "(no path)",
                    "path or out is NULL");
    }
    import_sandbox_def limits = def != NULL ? *def : (import_sandbox_def){0};
    limits.memory_bytes = limits.memory_bytes > 0 ? limits.memory_bytes : default_memory;
    limits.seconds = limits.seconds > 0 ? limits.seconds : default_seconds;

    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return tell(message, message_size, ACRE_ERROR_OUT_OF_MEMORY, path, "no pipe to its reader");
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(path, &limits, ends[1]);
    }
    close(ends[1]);
    acre_result result;
    if (child < 0) {
        result = tell(message, message_size, ACRE_ERROR_OUT_OF_MEMORY, path,
                      "no process for its reader");
    } else {
        result = supervise(child, ends[0], path, &limits, out, message, message_size);
    }
    close(ends[0]);
    return result;
}
