// SPDX-License-Identifier: MIT
// Letters and shapes on the picture, in pixels from its upper left corner.
layout(location = 0) in vec2 a_at;
layout(location = 1) in vec2 a_letter; // pixels of the picture of letters
layout(location = 2) in vec4 a_color;

uniform sampler2D u_letters;
uniform vec2 u_size; // of the picture, pixels

out vec2 v_letter;
out vec4 v_color;

void main()
{
    v_letter = a_letter / vec2(textureSize(u_letters, 0));
    v_color = a_color;
    gl_Position = vec4(2.0 * a_at / u_size * vec2(1.0, -1.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
