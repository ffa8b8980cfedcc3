// SPDX-License-Identifier: MIT
// gl_parts.c - small parts that every drawing file uses: programs and targets.
#include "gl_parts.h"

#include "shader_texts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#if ACRE_VIEW_IS_WEB
static const char version[] = "#version 300 es\n"
                              "precision highp float;\nprecision highp int;\n"
                              "precision highp sampler2D;\nprecision highp sampler2DArrayShadow;\n";
#else
static const char version[] = "#version 330 core\n";
#endif

static GLuint compile(GLenum kind, const char *const *parts, GLsizei count, char *message,
                      size_t message_size)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    GLint is_good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
    if (!is_good) {
        char log[512] = "";
        glGetShaderInfoLog(shader, (GLsizei)sizeof log, NULL, log);
        snprintf(message, message_size, "a %s shader does not compile: %s",
                 kind == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

static void bind_sampler(GLuint program, const char *name, GLint unit)
{
    const GLint at = glGetUniformLocation(program, name);
    if (at >= 0) {
        glUniform1i(at, unit);
    }
}

static bool link_program(GLuint program, char *message, size_t message_size)
{
    glLinkProgram(program);
    GLint is_good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &is_good);
    if (!is_good) {
        char log[512] = "";
        glGetProgramInfoLog(program, (GLsizei)sizeof log, NULL, log);
        snprintf(message, message_size, "shaders do not link: %s", log);
        return false;
    }
    const GLuint block = glGetUniformBlockIndex(program, "frame_block");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, GL_FRAME_BINDING);
    }
    glUseProgram(program);
    bind_sampler(program, "u_instances", GL_UNIT_INSTANCES);
    bind_sampler(program, "u_shadows", GL_UNIT_SHADOWS);
    bind_sampler(program, "u_letters", GL_UNIT_LETTERS);
    return true;
}

GLuint gl_program_create(const char *vertex, const char *fragment, bool light, char *message,
                         size_t message_size)
{
    assert(vertex && fragment && message);
    const char *const vertex_parts[] = {version, shader_frame, vertex};
    const char *const fragment_parts[] = {version, shader_frame, light ? shader_light : "",
                                          fragment};
    const GLuint shaders[2] = {
        compile(GL_VERTEX_SHADER, vertex_parts, 3, message, message_size),
        compile(GL_FRAGMENT_SHADER, fragment_parts, 4, message, message_size)};
    GLuint program = 0;
    if (shaders[0] && shaders[1]) {
        program = glCreateProgram();
        glAttachShader(program, shaders[0]);
        glAttachShader(program, shaders[1]);
        if (!link_program(program, message, message_size)) {
            glDeleteProgram(program);
            program = 0;
        }
    }
    glDeleteShader(shaders[0]);
    glDeleteShader(shaders[1]);
    return program;
}

// Color and depth of one framebuffer. samples 0: one a pixel.
static bool create_framebuffer(const gl_target *target, GLsizei samples, GLuint *framebuffer,
                               GLuint *buffers)
{
    static const GLenum formats[2] = {GL_RGBA8, GL_DEPTH_COMPONENT24};
    static const GLenum places[2] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glGenRenderbuffers(2, buffers);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, formats[i],
                                         (GLsizei)target->width, (GLsizei)target->height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[i], GL_RENDERBUFFER, buffers[i]);
    }
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool gl_target_create(gl_target *out, uint32_t width, uint32_t height, uint32_t samples)
{
    assert(width > 0 && height > 0);
    *out = (gl_target){.width = width, .height = height, .samples = samples > 1 ? samples : 1};
    bool is_good = create_framebuffer(out, 0, &out->resolved, out->buffers);
    out->drawn = out->resolved;
    if (is_good && out->samples > 1) {
        is_good = create_framebuffer(out, (GLsizei)out->samples, &out->drawn, out->buffers + 2);
    }
    if (!is_good) {
        gl_target_free(out);
    }
    return is_good;
}

void gl_target_free(gl_target *target)
{
    glDeleteRenderbuffers(4, target->buffers);
    if (target->drawn != target->resolved) {
        glDeleteFramebuffers(1, &target->drawn);
    }
    glDeleteFramebuffers(1, &target->resolved);
    *target = (gl_target){0};
}

void gl_target_resolve(const gl_target *target)
{
    if (target->drawn != target->resolved) {
        const GLint width = (GLint)target->width, height = (GLint)target->height;
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                          GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
}

bool gl_is_software(void)
{
    const char *const name = (const char *)glGetString(GL_RENDERER);
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe"));
}

const char *gl_take_error(void)
{
    switch (glGetError()) {
    case GL_NO_ERROR:
        return NULL;
    case GL_OUT_OF_MEMORY:
        return "OpenGL is out of memory";
    case GL_INVALID_ENUM:
        return "OpenGL: invalid enum";
    case GL_INVALID_VALUE:
        return "OpenGL: invalid value";
    case GL_INVALID_OPERATION:
        return "OpenGL: invalid operation";
    default:
        return "OpenGL: an error";
    }
}
