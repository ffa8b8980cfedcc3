// SPDX-License-Identifier: MIT
// instances.c - what draw lists hand to the graphics card: a matrix and a look for each slot.
#include "instances.h"

#include "gl_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void instances_create(instance_set *out)
{
    *out = (instance_set){0};
    glGenTextures(1, &out->texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_INSTANCES);
    glBindTexture(GL_TEXTURE_2D, out->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
}

void instances_free(instance_set *set)
{
    glDeleteTextures(1, &set->texture);
    free(set->floats);
    *set = (instance_set){0};
}

void instances_clear(instance_set *set)
{
    set->count = 0;
}

// Room for more, in whole rows of the texture.
static bool reserve(instance_set *set, size_t more)
{
    const size_t wanted = set->count + more;
    if (wanted <= set->capacity) {
        return true;
    }
    size_t capacity = set->capacity ? set->capacity : (size_t)16 * INSTANCES_PER_ROW;
    while (capacity < wanted) {
        capacity *= 2;
    }
    float *const grown = realloc(set->floats, capacity * INSTANCE_FLOATS * sizeof *grown);
    if (!grown) {
        return false;
    }
    set->floats = grown;
    set->capacity = capacity;
    return true;
}

bool instances_add(instance_set *set, const acre_draw *draw, const instance_look *looks,
                   uint32_t *first)
{
    assert(draw->matrix_floats == 12 || draw->count == 0);
    *first = (uint32_t)set->count;
    if (!reserve(set, draw->count)) {
        return false;
    }
    for (size_t i = 0; i < draw->count; i++) {
        float *const out = set->floats + (set->count + i) * INSTANCE_FLOATS;
        const uint32_t slot = draw->slots[i];
        memcpy(out, draw->matrices + 12 * i, 12 * sizeof *out);
        out[12] = looks ? (float)looks[slot].rgb : 0.0f;
        out[13] = looks ? looks[slot].strength : 0.0f;
        out[14] = (float)slot;
        out[15] = 0.0f;
    }
    set->count += draw->count;
    return true;
}

bool instances_add_unmoved(instance_set *set, uint32_t *first)
{
    *first = (uint32_t)set->count;
    if (!reserve(set, 1)) {
        return false;
    }
    static const float unmoved[INSTANCE_FLOATS] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    memcpy(set->floats + set->count * INSTANCE_FLOATS, unmoved, sizeof unmoved);
    set->count++;
    return true;
}

void instances_upload(instance_set *set)
{
    assert(set->capacity % INSTANCES_PER_ROW == 0);
    const uint32_t rows = (uint32_t)(set->capacity / INSTANCES_PER_ROW);
    const GLsizei width = 4 * INSTANCES_PER_ROW;
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_INSTANCES);
    glBindTexture(GL_TEXTURE_2D, set->texture);
    if (rows != set->rows) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, (GLsizei)rows, 0, GL_RGBA, GL_FLOAT,
                     NULL);
        set->rows = rows;
    }
    const size_t used = (set->count + INSTANCES_PER_ROW - 1) / INSTANCES_PER_ROW;
    if (used > 0) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, (GLsizei)used, GL_RGBA, GL_FLOAT,
                        set->floats);
    }
}
