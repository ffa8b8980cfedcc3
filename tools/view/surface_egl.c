// SPDX-License-Identifier: MIT
// surface_egl.c - OpenGL 3.3 without a display: an EGL context without a surface.
#include "surface.h"

#include "gl_api.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct hidden_surface {
    EGLDisplay display;
    EGLContext context;
};

static EGLDisplay open_display(void)
{
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = EGL_NO_DISPLAY;
    if (get) {
        display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    }
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY); // a driver that is not Mesa's
        if (display != EGL_NO_DISPLAY && !eglInitialize(display, NULL, NULL)) {
            display = EGL_NO_DISPLAY;
        }
    }
    return display;
}

static EGLContext open_context(EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                    EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
        count < 1) {
        return EGL_NO_CONTEXT;
    }
    return eglCreateContext(display, config, EGL_NO_CONTEXT, version);
}

bool surface_hidden_open(hidden_surface **out, char *message, size_t message_size)
{
    assert(out && message);
    *out = NULL;
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) {
        snprintf(message, message_size,
                 "no OpenGL without a display (Debian: libegl1 and libgl1-mesa-dri)");
        return false;
    }
    const EGLContext context = open_context(display);
    hidden_surface *const surface = malloc(sizeof *surface);
    if (context == EGL_NO_CONTEXT || !surface ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        snprintf(message, message_size, "the driver has no OpenGL 3.3");
        eglTerminate(display);
        free(surface);
        return false;
    }
    *surface = (hidden_surface){display, context};
    *out = surface;
    return true;
}

void surface_hidden_close(hidden_surface *surface)
{
    if (surface) {
        eglMakeCurrent(surface->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(surface->display, surface->context);
        eglTerminate(surface->display);
        free(surface);
    }
}
