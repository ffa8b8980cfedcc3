// SPDX-License-Identifier: MIT
// A line as a rectangle of some pixels' width: six vertices for each instance.
layout(location = 0) in vec3 a_from;
layout(location = 1) in vec3 a_to;
layout(location = 2) in vec4 a_color;
layout(location = 3) in float a_width; // pixels

out vec4 v_color;
out float v_side;      // pixels from the middle
flat out float v_half; // of the width

void main()
{
    vec4 from = u_clip * vec4(a_from, 1.0), to = u_clip * vec4(a_to, 1.0);
    // Both ends before the near plane, so that the division is safe.
    const float near = 0.01;
    if (from.w < near) {
        from = mix(from, to, (near - from.w) / max(to.w - from.w, 1e-6));
    }
    if (to.w < near) {
        to = mix(to, from, (near - to.w) / max(from.w - to.w, 1e-6));
    }
    v_half = 0.5 * a_width;
    int corner = gl_VertexID % 6;
    bool at_end = corner == 1 || corner == 2 || corner == 4;
    float side = corner == 0 || corner == 1 || corner == 3 ? -1.0 : 1.0;
    vec2 along = (to.xy / to.w - from.xy / from.w) * u_viewport.xy;
    vec2 across = vec2(-along.y, along.x) / max(length(along), 1e-4);
    vec4 end = at_end ? to : from;
    gl_Position = end + vec4(across * side * (v_half + 1.0) * u_viewport.zw * end.w, 0.0, 0.0);
    gl_Position.z -= 2e-5 * end.w; // before the faces that it outlines
    v_color = a_color;
    v_side = side * (v_half + 1.0);
}
