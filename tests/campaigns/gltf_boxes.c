// SPDX-License-Identifier: MIT
// gltf_boxes.c - imports a file and prints where the points of its nodes are.
//
//     gltf_boxes FILE
// A line for each node with meshes: the number of its node in the file, the box of its points moved
// by its world matrix, and the box of its bounds. Built and run by gltf_files.sh.
#include "import_sandbox.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void world_of(const acre_import_model *model, uint32_t node, double *world)
{
    for (int i = 0; i < 16; i++) {
        world[i] = i % 5 == 0;
    }
    for (uint32_t up = node; up != ACRE_IMPORT_NO_PARENT; up = model->nodes[up].parent) {
        double product[16] = {0};
        for (int i = 0; i < 16; i++) {
            for (int k = 0; k < 4; k++) {
                product[i] += (double)model->nodes[up].local[4 * k + i % 4] * world[i / 4 * 4 + k];
            }
        }
        memcpy(world, product, sizeof product);
    }
}

static void add_point(const double *world, const float *point, double *box)
{
    for (int k = 0; k < 3; k++) {
        const double at = world[12 + k] + world[k] * (double)point[0] +
                          world[4 + k] * (double)point[1] + world[8 + k] * (double)point[2];
        box[k] = fmin(box[k], at);
        box[3 + k] = fmax(box[3 + k], at);
    }
}

static void print_node(const acre_import_model *model, uint32_t index)
{
    const acre_import_node *const node = &model->nodes[index];
    double world[16];
    double points[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double bounds[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    world_of(model, index, world);
    for (uint32_t m = 0; m < node->mesh_count; m++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[node->first_mesh + m]];
        for (uint32_t i = 0; i < mesh->point_count; i++) {
            add_point(world, mesh->points + 3 * (size_t)i, points);
        }
    }
    for (int corner = 0; corner < 8; corner++) {
        float point[3];
        for (int k = 0; k < 3; k++) {
            point[k] = corner >> k & 1 ? node->bounds.max[k] : node->bounds.min[k];
        }
        add_point(world, point, bounds);
    }
    printf("%lu", (unsigned long)node->file_node);
    for (int k = 0; k < 12; k++) {
        printf(" %.17g", k < 6 ? points[k] : bounds[k - 6]);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    char message[512];
    acre_import_model *model;
    if (argc != 2) {
        return 2;
    }
    if (import_sandbox_file(argv[1], NULL, &model, message, sizeof message) != ACRE_OK) {
        printf("refused %s\n", message);
        return 1;
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (model->nodes[i].mesh_count > 0) {
            print_node(model, i);
        }
    }
    acre_import_free(model);
    return 0;
}
