// SPDX-License-Identifier: MIT
// gl_api.h - the graphics interface: OpenGL 3.3 core natively, WebGL 2 (OpenGL ES 3) on a page.
//
// Nothing outside what both have is called, but for what stands behind ACRE_VIEW_IS_WEB.
#ifndef ACRE_TOOLS_GL_API_H
#define ACRE_TOOLS_GL_API_H

#ifdef __EMSCRIPTEN__
#define ACRE_VIEW_IS_WEB 1
#include <GLES3/gl3.h>
#else
#define ACRE_VIEW_IS_WEB 0
#include <epoxy/gl.h>
#endif

#endif
