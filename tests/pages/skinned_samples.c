// SPDX-License-Identifier: MIT
// skinned_samples.c - what the samples of tools/docs/skinned.md use.
#include "must.h"

#include <acre/visible_set.h>

typedef float point[3];

acre_aabb box_of_pose(size_t pose);
const point *bones_of(size_t character);
void animate(uint32_t slot);

static acre_scene *scene;

void give_one_box(acre_entity character, size_t pose_count);
void give_one_box(acre_entity character, size_t pose_count)
{
#include "skinned_1.inc"
}

void change_clip(acre_entity character, const acre_aabb *clip_boxes, size_t from, size_t to);
void change_clip(acre_entity character, const acre_aabb *clip_boxes, size_t from, size_t to)
{
#include "skinned_2.inc"
}

void follow_bones(const acre_entity *characters, size_t character_count, acre_aabb *boxes,
                  const float *reach, size_t bone_count);
void follow_bones(const acre_entity *characters, size_t character_count, acre_aabb *boxes,
                  const float *reach, size_t bone_count)
{
#include "skinned_3.inc"
}

void animate_the_seen(acre_visible seen);
void animate_the_seen(acre_visible seen)
{
#include "skinned_4.inc"
}
