// SPDX-License-Identifier: MIT
in vec4 v_color;
in float v_side;
flat in float v_half;

layout(location = 0) out vec4 o_color;

void main()
{
    o_color = vec4(v_color.rgb, v_color.a * clamp(v_half + 0.5 - abs(v_side), 0.0, 1.0));
}
