// SPDX-License-Identifier: MIT
// sheet.c - shapes drawn flat on the picture; letters are shapes, too.
#include "sheet.h"

#include "font_letters.h"
#include "gl_parts.h"
#include "shader_texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sheet_create(sheet *out, char *message, size_t message_size)
{
    *out = (sheet){0};
    out->program =
        gl_program_create(shader_flat_vert, shader_flat_frag, false, message, message_size);
    if (!out->program) {
        return false;
    }
    out->size_uniform = glGetUniformLocation(out->program, "u_size");
    glGenTextures(1, &out->letters);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_LETTERS);
    glBindTexture(GL_TEXTURE_2D, out->letters);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    sheet_upload_letters();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glGenVertexArrays(1, &out->array);
    glGenBuffers(1, &out->buffer);
    glBindVertexArray(out->array);
    glBindBuffer(GL_ARRAY_BUFFER, out->buffer);
    const GLsizei stride = sizeof(sheet_vertex);
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
    }
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(sheet_vertex, at));
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(sheet_vertex, letter));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(sheet_vertex, rgba));
    return true;
}

void sheet_free(sheet *s)
{
    glDeleteProgram(s->program);
    glDeleteTextures(1, &s->letters);
    glDeleteBuffers(1, &s->buffer);
    glDeleteVertexArrays(1, &s->array);
    free(s->vertices);
    *s = (sheet){0};
}

// Where memory is short, the shape is left out.
static sheet_vertex *add(sheet *s, size_t count)
{
    if (s->count + count > s->capacity) {
        const size_t capacity = 2 * (s->count + count) + 1024;
        sheet_vertex *const grown = realloc(s->vertices, capacity * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        s->vertices = grown;
        s->capacity = capacity;
    }
    s->count += count;
    return &s->vertices[s->count - count];
}

void sheet_quad(sheet *s, float corners[4][4], uint32_t rgba)
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    sheet_vertex *const vertices = add(s, 6);
    for (int i = 0; vertices && i < 6; i++) {
        memcpy(vertices[i].at, corners[order[i]], sizeof vertices[i].at);
        memcpy(vertices[i].letter, corners[order[i]] + 2, sizeof vertices[i].letter);
        for (int k = 0; k < 4; k++) {
            vertices[i].rgba[k] = (uint8_t)(rgba >> (24 - 8 * k));
        }
    }
}

static const float full[2] = {FONT_WIDTH - 0.5f, FONT_HEIGHT - 0.5f};

void sheet_rectangle(sheet *s, float x, float y, float width, float height, uint32_t rgba)
{
    float corners[4][4] = {{x, y, full[0], full[1]},
                           {x + width, y, full[0], full[1]},
                           {x + width, y + height, full[0], full[1]},
                           {x, y + height, full[0], full[1]}};
    sheet_quad(s, corners, rgba);
}

void sheet_line(sheet *s, const float *from, const float *to, float width, uint32_t rgba)
{
    const float x = to[0] - from[0], y = to[1] - from[1];
    const float length = fmaxf(hypotf(x, y), 1e-6f);
    const float ax = -0.5f * width * y / length, ay = 0.5f * width * x / length;
    float corners[4][4] = {{from[0] + ax, from[1] + ay, full[0], full[1]},
                           {to[0] + ax, to[1] + ay, full[0], full[1]},
                           {to[0] - ax, to[1] - ay, full[0], full[1]},
                           {from[0] - ax, from[1] - ay, full[0], full[1]}};
    sheet_quad(s, corners, rgba);
}

void sheet_triangle(sheet *s, const float *a, const float *b, const float *c, uint32_t rgba)
{
    float corners[4][4] = {{a[0], a[1], full[0], full[1]},
                           {b[0], b[1], full[0], full[1]},
                           {c[0], c[1], full[0], full[1]},
                           {c[0], c[1], full[0], full[1]}};
    sheet_quad(s, corners, rgba);
}

void sheet_draw(sheet *s, float width, float height)
{
    glUseProgram(s->program);
    glUniform2f(s->size_uniform, width, height);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_LETTERS);
    glBindTexture(GL_TEXTURE_2D, s->letters);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(s->array);
    glBindBuffer(GL_ARRAY_BUFFER, s->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(s->count * sizeof *s->vertices), s->vertices,
                 GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)s->count);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    s->count = 0;
}
