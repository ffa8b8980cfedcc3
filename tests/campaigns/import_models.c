// SPDX-License-Identifier: MIT
// import_models.c - imports every file that it is given and says which ones the reader and Acre
// take.
//
// Usage: import_models FILE...
// Each file is read in two child processes: by assimp alone, and by acre_import_file in the
// sandbox. A file that assimp takes and Acre refuses is printed with Acre's message. The last line
// counts. Exit status 1: assimp takes a file and Acre's child crashed on it.
#define _GNU_SOURCE // fork, alarm

#include "import_sandbox.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20 }; // for one file

// Whether assimp alone reads the file, in a child process that it may crash.
static bool reader_takes(const char *path)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) {
        perror("import_models: fork");
        exit(2);
    }
    if (child == 0) {
        alarm(SECONDS);
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
            _exit(2);
        }
        _exit(aiImportFile(path, 0) != NULL ? 0 : 1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        perror("import_models: waitpid");
        exit(2);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **paths)
{
    unsigned taken_by_reader = 0, taken_by_both = 0, crashes = 0;
    for (int i = 1; i < count; i++) {
        const bool is_taken_by_reader = reader_takes(paths[i]);
        const import_sandbox_def def = {.seconds = SECONDS};
        char message[512];
        acre_import_model *model = NULL;
        const acre_result result =
            import_sandbox_file(paths[i], &def, &model, message, sizeof message);
        acre_import_free(model);
        taken_by_reader += is_taken_by_reader;
        taken_by_both += is_taken_by_reader && result == ACRE_OK;
        if (is_taken_by_reader && result != ACRE_OK) {
            crashes += strstr(message, "crashed") != NULL;
            printf("%s\n", message);
        } else if (!is_taken_by_reader && result == ACRE_OK) {
            printf("%s: only Acre takes it\n", paths[i]);
        } else if (getenv("IMPORT_MODELS_ALL") != NULL && result != ACRE_OK) {
            printf("(neither) %s\n", message);
        }
    }
    printf("%d files; assimp reads %u; of these Acre takes %u\n", count - 1, taken_by_reader,
           taken_by_both);
    return crashes > 0;
}
