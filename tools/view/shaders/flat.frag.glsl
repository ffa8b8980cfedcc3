// SPDX-License-Identifier: MIT
in vec2 v_letter;
in vec4 v_color;

uniform sampler2D u_letters;

layout(location = 0) out vec4 o_color;

void main()
{
    o_color = vec4(v_color.rgb, v_color.a * texture(u_letters, v_letter).r);
}
