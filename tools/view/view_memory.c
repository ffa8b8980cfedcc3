// SPDX-License-Identifier: MIT
// view_memory.c - what the window remembers: a file of two lines.
#include "view_memory.h"

#include "viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FARTHEST 1e6f // meters from the origin; a camera beyond is not believed

// $XDG_CONFIG_HOME/acre or ~/.config/acre. Returns false where neither is set.
static bool folder_path(char *out, size_t size)
{
    const char *const config = getenv("XDG_CONFIG_HOME"), *const home = getenv("HOME");
    const bool has_config = config && config[0] == '/';
    if (!has_config && !(home && home[0] == '/')) {
        return false;
    }
    const int length = has_config ? snprintf(out, size, "%s/acre", config)
                                  : snprintf(out, size, "%s/.config/acre", home);
    return length > 0 && (size_t)length + sizeof "/view" < size;
}

static FILE *open_file(const char *mode)
{
    char path[1024];
    if (!folder_path(path, sizeof path)) {
        return NULL;
    }
    if (mode[0] == 'w') {
        mkdir(path, 0777); // an error shows when the file is opened
    }
    strcat(path, "/view");
    return fopen(path, mode);
}

view_memory view_memory_read(void)
{
    view_memory read = {0};
    FILE *const file = open_file("r");
    if (!file) {
        return read;
    }
    view_camera *const camera = &read.camera;
    const int count =
        fscanf(file, "window %5u %5u scale %f camera %2d %f %f %f %f %f %f", &read.width,
               &read.height, &read.text_scale, &read.steering, &camera->eye[0], &camera->eye[1],
               &camera->eye[2], &camera->yaw, &camera->pitch, &camera->vertical_fov);
    fclose(file);
    bool is_good = count == 10 && read.width >= 64 && read.width <= 8192 && read.height >= 64 &&
                   read.height <= 8192 && read.text_scale >= LEAST_TEXT_SCALE &&
                   read.text_scale <= MOST_TEXT_SCALE && read.steering >= 0 &&
                   camera->vertical_fov > 0.05f && camera->vertical_fov < 3.0f &&
                   fabsf(camera->pitch) < 1.56f && fabsf(camera->yaw) < 1e4f;
    for (int k = 0; k < 3; k++) {
        is_good = is_good && fabsf(camera->eye[k]) < FARTHEST;
    }
    return is_good ? read : (view_memory){0};
}

void view_memory_write(const view_memory *memory)
{
    FILE *const file = open_file("w");
    if (file) {
        const view_camera *const camera = &memory->camera;
        fprintf(file, "window %u %u scale %.9g\ncamera %d %.9g %.9g %.9g %.9g %.9g %.9g\n",
                (unsigned)memory->width, (unsigned)memory->height, (double)memory->text_scale,
                memory->steering, (double)camera->eye[0], (double)camera->eye[1],
                (double)camera->eye[2], (double)camera->yaw, (double)camera->pitch,
                (double)camera->vertical_fov);
        fclose(file);
    }
}
