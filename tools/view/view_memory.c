// SPDX-License-Identifier: MIT
// view_memory.c - what the window remembers: a file of two lines.
#include "view_memory.h"

#include "output_file.h"
#include "plain_file.h"
#include "viewer.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FARTHEST 1e6f // meters from the origin; a camera beyond is not believed

// $XDG_CONFIG_HOME/acre/view or ~/.config/acre/view. Returns false where neither is set.
static bool memory_path(char *out, size_t size)
{
    const char *const config = getenv("XDG_CONFIG_HOME"), *const home = getenv("HOME");
    const bool has_config = config && config[0] == '/';
    if (!has_config && !(home && home[0] == '/')) {
        return false;
    }
    const int length = has_config ? snprintf(out, size, "%s/acre/view", config)
                                  : snprintf(out, size, "%s/.config/acre/view", home);
    return length > 0 && (size_t)length < size;
}

view_memory view_memory_read(void)
{
    view_memory read = {0};
    char path[1024];
    FILE *const file = memory_path(path, sizeof path) ? plain_file_open(AT_FDCWD, path) : NULL;
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
    char path[1024], message[256];
    output_file file;
    if (memory_path(path, sizeof path) && output_open(&file, path, message, sizeof message)) {
        const view_camera *const camera = &memory->camera;
        fprintf(file.stream, "window %u %u scale %.9g\ncamera %d %.9g %.9g %.9g %.9g %.9g %.9g\n",
                (unsigned)memory->width, (unsigned)memory->height, (double)memory->text_scale,
                memory->steering, (double)camera->eye[0], (double)camera->eye[1],
                (double)camera->eye[2], (double)camera->yaw, (double)camera->pitch,
                (double)camera->vertical_fov);
        (void)output_close(&file, message, sizeof message);
    }
}
