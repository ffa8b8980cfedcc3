// SPDX-License-Identifier: MIT
// Triangles of one color that let through what is behind them; the fragments are those of lines.
layout(location = 0) in vec3 a_at;
layout(location = 1) in vec4 a_color;

out vec4 v_color;
out float v_side;
flat out float v_half;

void main()
{
    gl_Position = u_clip * vec4(a_at, 1.0);
    gl_Position.z -= 2e-5 * gl_Position.w; // before the walls in which they lie
    v_color = a_color;
    v_side = 0.0;
    v_half = 1.0;
}
