// SPDX-License-Identifier: MIT
// Sky, sun, shadows, haze and tone.
uniform mediump sampler2DArrayShadow u_shadows;

const vec3 sun_color = vec3(1.0, 0.86, 0.66);

vec3 sky(vec3 way)
{
    float height = max(way.y, 0.0);
    float low = exp(-4.5 * height);
    vec3 color = mix(vec3(0.075, 0.22, 0.58), vec3(0.58, 0.71, 0.84), low);
    float toward = max(dot(way, u_sun.xyz), 0.0);
    color += sun_color * (0.16 * pow(toward, 6.0) + 0.35 * pow(toward, 48.0)) * (0.4 + 0.6 * low);
    return color;
}

// The shadow map's texels around a point, averaged: 1 in the sun.
float sun_reaches(vec3 point, vec3 normal)
{
    if (u_cull_eye.w < 0.5) {
        return 1.0;
    }
    float depth = dot(point - u_cull_eye.xyz, u_cull_forward.xyz);
    if (depth > u_splits.w || depth < 0.0) {
        return 1.0;
    }
    int i = depth < u_splits.x ? 0 : depth < u_splits.y ? 1 : depth < u_splits.z ? 2 : 3;
    float texel = u_texels[i];
    vec3 moved = point + normal * (1.6 * texel) + u_sun.xyz * (0.4 * texel);
    vec3 at = (u_shadow[i] * vec4(moved, 1.0)).xyz;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) {
        return 1.0;
    }
    float step = 0.8 / float(textureSize(u_shadows, 0).x);
    float sum = texture(u_shadows, vec4(at.xy + vec2(-step, -step), float(i), at.z)) +
                texture(u_shadows, vec4(at.xy + vec2(step, -step), float(i), at.z)) +
                texture(u_shadows, vec4(at.xy + vec2(-step, step), float(i), at.z)) +
                texture(u_shadows, vec4(at.xy + vec2(step, step), float(i), at.z));
    float fade = smoothstep(0.85 * u_splits.w, u_splits.w, depth);
    return mix(0.25 * sum, 1.0, fade);
}

vec3 cascade_color(vec3 point)
{
    float depth = dot(point - u_cull_eye.xyz, u_cull_forward.xyz);
    if (depth > u_splits.w || depth < 0.0) {
        return vec3(0.5);
    }
    return depth < u_splits.x ? vec3(0.90, 0.62, 0.0)
         : depth < u_splits.y ? vec3(0.34, 0.71, 0.91)
         : depth < u_splits.z ? vec3(0.0, 0.62, 0.45) : vec3(0.80, 0.47, 0.65);
}

// Light of sun and sky on a surface. open: how much of the sky it sees.
vec3 lit(vec3 color, vec3 point, vec3 normal, float open)
{
    float slope = max(dot(normal, u_sun.xyz), 0.0);
    float sun = slope > 0.0 ? slope * sun_reaches(point, normal) : 0.0;
    vec3 from_sky = mix(vec3(0.30, 0.29, 0.28), vec3(0.44, 0.53, 0.68), 0.5 + 0.5 * normal.y);
    return color * (u_sun.w * sun_color * sun + from_sky * open);
}

// What of a surface's color arrives at the eye.
vec3 through_haze(vec3 color, vec3 point)
{
    vec3 way = point - u_eye.xyz;
    float distance = length(way);
    way /= max(distance, 1e-4);
    float middle = max(0.5 * (point.y + u_eye.y), 0.0);
    float density = u_haze.x * exp(-u_haze.y * middle);
    float share = min(1.0 - exp(-pow(distance * density, 1.5)), u_haze.z);
    return mix(color, sky(normalize(vec3(way.x, max(way.y, 0.015), way.z))), share);
}

// From light to a screen's values (the curve is Narkowicz's fit of ACES, 2015).
vec3 tone(vec3 color)
{
    color *= 0.82;
    color = clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
    return pow(color, vec3(1.0 / 2.2));
}
