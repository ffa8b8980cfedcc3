// SPDX-License-Identifier: MIT
// test_output_file.c - what programs write is there whole or not at all, whatever the path names;
// no pipe makes them wait.
#define _GNU_SOURCE // mkdtemp

#include "test.h"

#include "file_bytes.h"
#include "output_file.h"
#include "plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "test_output_file_XXXXXX";

// A path in the folder; two at a time.
static const char *at(const char *name)
{
    static char paths[2][256];
    static int turn;
    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static void put(const char *name, const char *text)
{
    FILE *const file = fopen(at(name), "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool has(const char *name, const char *text)
{
    char bytes[128] = "";
    FILE *const file = fopen(at(name), "r");
    const size_t size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    return file && size == strlen(text) && memcmp(bytes, text, size) == 0;
}

static bool is_there(const char *name)
{
    struct stat status;
    return lstat(at(name), &status) == 0;
}

// Writes a text; where is_kept is false, the writer gives up in the middle.
static bool write_text(const char *name, const char *text, bool is_kept)
{
    output_file out;
    char message[256];
    if (!output_check(at(name), message, sizeof message) ||
        !output_open(&out, at(name), message, sizeof message)) {
        return false;
    }
    fputs(text, out.stream);
    fflush(out.stream);
    if (!is_kept) {
        output_discard(&out);
        return true;
    }
    return output_close(&out, message, sizeof message);
}

static void a_file_is_replaced_when_all_is_written(void)
{
    put("figures", "old");
    CHECK(write_text("figures", "half", false) && has("figures", "old"));
    CHECK(write_text("figures", "new", true) && has("figures", "new"));
    CHECK(write_text("deep/er", "half", false) && !is_there("deep/er"));
    CHECK(write_text("deep/er", "new", true) && has("deep/er", "new"));
    CHECK(chmod(at("figures"), 0640) == 0 && write_text("figures", "more", true));
    struct stat status;
    CHECK(stat(at("figures"), &status) == 0 && (status.st_mode & 0777) == 0640);
}

static void what_a_link_names_is_as_safe(void)
{
    put("target", "old");
    CHECK(symlink("target", at("link")) == 0);
    CHECK(write_text("link", "half", false) && has("target", "old"));
    CHECK(write_text("link", "new", true) && has("target", "new"));
    char place[64];
    CHECK(readlink(at("link"), place, sizeof place) == 6);
    CHECK(symlink("later", at("ahead")) == 0);
    CHECK(write_text("ahead", "half", false) && !is_there("later"));
    CHECK(write_text("ahead", "new", true) && has("later", "new") && is_there("ahead"));
}

// A child, since a limit cannot be raised again and sanitizers write as well.
static int write_beyond_limit(void)
{
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {1000, 1000};
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    output_file out;
    char message[256];
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || write_text("figures", text, true) ||
        !output_open_new(&out, at("part"), message, sizeof message)) {
        return 1;
    }
    fputs(text, out.stream);
    return output_close(&out, message, sizeof message) || is_there("part") ? 2 : 0;
}

static void a_full_disk_leaves_the_old_file(void)
{
    put("figures", "old");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        _exit(write_beyond_limit());
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(has("figures", "old"));
}

// What the program printed into a file, and what the file had before, stays.
static void its_own_output_is_not_cut(void)
{
    put("log", "before;");
    const int log = open(at("log"), O_WRONLY | O_APPEND), kept = dup(STDOUT_FILENO);
    CHECK(log >= 0 && kept >= 0);
    fflush(stdout);
    const bool is_good = dup2(log, STDOUT_FILENO) >= 0 && printf("printed;") > 0 &&
                         symlink("/dev/stdout", at("out")) == 0 &&
                         write_text("out", "written;", true) && printf("end") > 0;
    fflush(stdout);
    (void)dup2(kept, STDOUT_FILENO);
    close(log);
    close(kept);
    CHECK(is_good && has("log", "before;printed;written;end"));
}

static void no_pipe_makes_it_wait(void)
{
    CHECK(mkfifo(at("pipe"), 0600) == 0);
    alarm(20);
    output_file out;
    char message[256];
    CHECK(!output_check(at("pipe"), message, sizeof message));
    CHECK(strstr(message, "pipe: nobody reads this pipe"));
    CHECK(!output_open(&out, at("pipe"), message, sizeof message));
    CHECK(!output_open_new(&out, at("pipe"), message, sizeof message));
    CHECK(!plain_file_open(AT_FDCWD, at("pipe")) && errno == EINVAL);
    CHECK(!plain_file_open(AT_FDCWD, at(".")) && errno == EISDIR);
    CHECK(plain_folder_open(AT_FDCWD, at("pipe")) < 0);
    CHECK(plain_folder_lock(at("pipe"), "lock") == FOLDER_ERROR);
    CHECK(plain_folder_lock(folder, "pipe") == FOLDER_ERROR && errno == EINVAL);
    size_t size;
    CHECK(!file_read_recording(at("pipe"), &size) && errno == EPIPE);
    // With a reader it is written, and its reader sees no end between check and open.
    const int reader = open(at("pipe"), O_RDONLY | O_NONBLOCK);
    char text[16] = "";
    CHECK(reader >= 0 && write_text("pipe", "new", true));
    CHECK(read(reader, text, sizeof text) == 3 && strcmp(text, "new") == 0);
    CHECK(read(reader, text, sizeof text) < 0 && errno == EAGAIN);
    close(reader);
    alarm(0);
}

// Another process, as a lock is a process's.
static folder_lock lock_elsewhere(void)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        _exit((int)plain_folder_lock(folder, "lock"));
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? (folder_lock)WEXITSTATUS(status)
               : FOLDER_ERROR;
}

static void a_lock_ends_with_its_process(void)
{
    put("lock", "a stranger's");
    CHECK(lock_elsewhere() == FOLDER_LOCKED); // and is gone
    CHECK(plain_folder_lock(folder, "lock") == FOLDER_LOCKED);
    CHECK(lock_elsewhere() == FOLDER_IN_USE);
    CHECK(has("lock", "a stranger's"));
    CHECK(symlink("lock", at("link to lock")) == 0);
    CHECK(plain_folder_lock(folder, "link to lock") == FOLDER_ERROR && errno == ELOOP);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_file_is_replaced_when_all_is_written),
        TEST(what_a_link_names_is_as_safe),
        TEST(a_full_disk_leaves_the_old_file),
        TEST(its_own_output_is_not_cut),
        TEST(no_pipe_makes_it_wait),
        TEST(a_lock_ends_with_its_process),
    };
    if (!mkdtemp(folder)) {
        return 1;
    }
    const int status = test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? status : 1;
}
