// SPDX-License-Identifier: MIT
// shadow_maps.c - depth as the light sees it, a layer of one texture for each cascade.
#include "shadow_maps.h"

#include "gl_parts.h"

#include <assert.h>

bool shadow_maps_create(shadow_maps *out, uint32_t resolution)
{
    *out = (shadow_maps){.resolution = resolution};
    const GLsizei side = (GLsizei)resolution;
    glGenTextures(1, &out->texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOWS);
    glBindTexture(GL_TEXTURE_2D_ARRAY, out->texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, side, side, SHADOW_CASCADES, 0,
                 GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &out->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, out->texture, 0, 0);
    const GLenum none = GL_NONE;
    glDrawBuffers(1, &none);
    glReadBuffer(GL_NONE);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void shadow_maps_free(shadow_maps *maps)
{
    glDeleteFramebuffers(1, &maps->framebuffer);
    glDeleteTextures(1, &maps->texture);
    *maps = (shadow_maps){0};
}

void shadow_maps_begin(const shadow_maps *maps, uint32_t cascade)
{
    assert(cascade < SHADOW_CASCADES);
    glBindFramebuffer(GL_FRAMEBUFFER, maps->framebuffer);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, maps->texture, 0,
                              (GLint)cascade);
    glViewport(0, 0, (GLsizei)maps->resolution, (GLsizei)maps->resolution);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void multiply_matrices(const float *a, const float *b, float *out)
{
    assert(out != a && out != b);
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++) {
                sum += (double)a[4 * k + row] * (double)b[4 * column + k];
            }
            out[4 * column + row] = (float)sum;
        }
    }
}

void shadow_matrix(const acre_cascade *cascade, float *out)
{
    static const float to_texture[16] = {0.5f, 0, 0,    0, 0,    0.5f, 0,    0,
                                         0,    0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1};
    assert(cascade->camera.clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE);
    float clip[16];
    multiply_matrices(cascade->camera.projection, cascade->camera.view, clip);
    multiply_matrices(to_texture, clip, out);
}
