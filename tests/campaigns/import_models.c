// SPDX-License-Identifier: MIT
// import_models.c - imports every file that it is given and says which ones the reader and Acre
// take.
//
// Usage: import_models FILE...
// Each file is read in two child processes: by assimp alone, and by acre_import_file in the
// sandbox. A file that Acre takes is printed with what it holds: nodes, meshes, points, triangles,
// lines, and the box of all points. A file that assimp takes and Acre refuses is printed with
// Acre's message. The last line counts. Exit status 1: assimp takes a file and Acre's child crashed
// on it.
#define _GNU_SOURCE // fork, alarm

#include "import_sandbox.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <math.h>
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

// The box of all points, moved by the nodes' matrices.
static void print_model(const char *path, const acre_import_model *model)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double(*const worlds)[16] = calloc(model->node_count, sizeof *worlds);
    for (uint32_t n = 0; worlds != NULL && n < model->node_count; n++) {
        const acre_import_node *const node = &model->nodes[n];
        for (int i = 0; i < 16; i++) {
            worlds[n][i] = node->parent == ACRE_IMPORT_NO_PARENT ? (double)node->local[i] : 0.0;
            for (int k = 0; k < 4 && node->parent != ACRE_IMPORT_NO_PARENT; k++) {
                worlds[n][i] +=
                    worlds[node->parent][4 * k + i % 4] * (double)node->local[i / 4 * 4 + k];
            }
        }
        for (uint32_t m = 0; m < node->mesh_count; m++) {
            const acre_import_mesh *const mesh =
                &model->meshes[model->node_meshes[node->first_mesh + m]];
            for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
                const float *const point = mesh->points + i / 3 * 3;
                const size_t row = i % 3;
                double at = worlds[n][12 + row];
                for (size_t k = 0; k < 3; k++) {
                    at += worlds[n][4 * k + row] * (double)point[k];
                }
                low[row] = at < low[row] ? at : low[row];
                high[row] = at > high[row] ? at : high[row];
            }
        }
    }
    free(worlds);
    printf("%s: %lu nodes, %lu meshes, %llu points, %llu triangles, %llu lines", path,
           (unsigned long)model->node_count, (unsigned long)model->mesh_count,
           (unsigned long long)model->point_total, (unsigned long long)model->triangle_total,
           (unsigned long long)model->line_total);
    printf(low[0] > high[0] ? ", empty\n" : ", %.4g %.4g %.4g to %.4g %.4g %.4g\n", low[0], low[1],
           low[2], high[0], high[1], high[2]);
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
        if (result == ACRE_OK) {
            print_model(paths[i], model);
        }
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
