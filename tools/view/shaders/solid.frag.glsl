// SPDX-License-Identifier: MIT
in vec3 v_world;
in vec3 v_normal;
in vec3 v_color;
in vec2 v_wall;
flat in int v_material;
flat in vec4 v_overlay;

layout(location = 0) out vec4 o_color;

float noise_at(vec2 cell)
{
    vec2 p = fract(cell * vec2(0.1031, 0.1030));
    p += dot(p, p.yx + 33.33);
    return fract((p.x + p.y) * p.y);
}

float noise(vec2 at)
{
    vec2 cell = floor(at), part = smoothstep(0.0, 1.0, at - cell);
    return mix(mix(noise_at(cell), noise_at(cell + vec2(1.0, 0.0)), part.x),
               mix(noise_at(cell + vec2(0.0, 1.0)), noise_at(cell + vec2(1.0, 1.0)), part.x),
               part.y);
}

// How much of a pixel lies between low and high, of a pattern that repeats at whole numbers.
float inside(float at, float low, float high, float width)
{
    float middle = 0.5 * (low + high), half_size = 0.5 * (high - low);
    float off = abs(fract(at) - middle);
    float sharp = clamp((half_size - off) / max(width, 1e-4) + 0.5, 0.0, 1.0);
    return mix(sharp, high - low, clamp(1.6 * width - 0.3, 0.0, 1.0));
}

void main()
{
    vec3 normal = normalize(v_normal);
    vec3 color = 0.80 * pow(v_color, vec3(2.2));
    vec3 way = normalize(v_world - u_eye.xyz);
    vec2 wall_width = fwidth(v_wall);
    float open = 1.0;
    float glass = 0.0, blind = 0.0;
    if (v_material == 1) { // a wall, with a window in each of its fields
        float columns = inside(v_wall.x, 0.25, 0.75, wall_width.x);
        float rows = inside(v_wall.y, 0.24, 0.72, wall_width.y);
        float frame = inside(v_wall.x, 0.215, 0.785, wall_width.x) *
                      inside(v_wall.y, 0.20, 0.77, wall_width.y);
        float bars = max(inside(v_wall.x, 0.488, 0.512, wall_width.x),
                         inside(v_wall.y, 0.44, 0.46, wall_width.y));
        glass = columns * rows * (1.0 - bars);
        // The frame is lighter than the wall, the cornice shades what is under it.
        color = mix(color, mix(color, vec3(0.72), 0.6), frame);
        float cornice = smoothstep(0.13 + wall_width.y, 0.13, v_wall.y);
        color *= 1.0 + 0.12 * cornice - 0.22 * smoothstep(0.13, 0.15, v_wall.y) *
                                            smoothstep(0.24, 0.15, v_wall.y);
        vec2 field = floor(v_wall);
        float pick = noise_at(field + floor(v_world.xz * 0.04) * 7.0);
        float far = clamp(1.6 * max(wall_width.x, wall_width.y) - 0.3, 0.0, 1.0);
        blind = mix(smoothstep(0.72, 0.74, pick), 0.25, far);
        float ledge = inside(v_wall.y, 0.93, 1.0, wall_width.y);
        color *= (1.0 - 0.14 * ledge) * (0.97 + 0.03 * smoothstep(0.0, 3.0, v_world.y));
        // Some fields of the ground floor have a door.
        float door = step(0.80, noise_at(field + 17.0)) * step(v_world.y, 2.4) *
                     inside(v_wall.x, 0.34, 0.66, wall_width.x) * (1.0 - far);
        color = mix(color, vec3(0.09, 0.055, 0.035) + 0.05 * pick, door);
        glass *= 1.0 - door;
        open = mix(0.55, 1.0, smoothstep(0.0, 14.0, v_world.y));
    } else if (v_material == 2) { // a roof
        color *= 0.9 + 0.2 * noise(v_world.xz * 0.35);
    } else if (v_material == 4) {
        glass = 1.0;
    } else if (v_material == 5) { // the ground
        float patches = noise(v_world.xz * 0.022) * 0.6 + noise(v_world.xz * 0.11) * 0.4;
        color = mix(vec3(0.165, 0.16, 0.14), vec3(0.072, 0.098, 0.048),
                    smoothstep(0.50, 0.74, patches));
        color *= 0.9 + 0.2 * noise(v_world.xz * 0.7);
        open = 0.8;
    } else if (v_material == 6) { // asphalt
        color *= 0.92 + 0.16 * noise(v_world.xz * 0.9);
        open = 0.85;
    }
    vec3 seen = lit(color, v_world, normal, open);
    if (glass > 0.0) {
        vec3 mirrored = reflect(way, normal);
        float grazing = pow(1.0 - max(dot(-way, normal), 0.0), 3.0);
        vec3 pane = vec3(0.020, 0.027, 0.035) +
                    sky(normalize(vec3(mirrored.x, abs(mirrored.y), mirrored.z))) *
                        (0.13 + 0.6 * grazing) * (0.5 + 0.5 * open);
        pane = mix(pane, 0.45 * seen, blind); // a curtain
        seen = mix(seen, pane, glass);
    }
    if (v_material == 3) {
        vec3 mirrored = reflect(way, normal);
        float grazing = pow(1.0 - max(dot(-way, normal), 0.0), 4.0);
        seen += sky(normalize(vec3(mirrored.x, abs(mirrored.y), mirrored.z))) *
                (0.05 + 0.45 * grazing);
    }
    if (u_cull_forward.w > 0.5) {
        seen = mix(seen, seen * 2.2 * cascade_color(v_world), 0.75);
    }
    vec3 marked = pow(v_overlay.rgb, vec3(2.2)) * (0.35 + 0.65 * max(normal.y, 0.4) +
                                                    0.15 * dot(normal, u_sun.xyz));
    seen = mix(seen, marked, v_overlay.a);
    o_color = vec4(tone(through_haze(seen, v_world)), 1.0);
}
